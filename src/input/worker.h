/* A worker: reads jobs, finds their links with the scanner or the mail parser, filters
 * and renders them. */
#ifndef INPUT_WORKER_H
#define INPUT_WORKER_H

#include "decompress.h"
#include "memory.h"
#include "pool.h"
#include "text/csv.h"

struct document; /* src/mail/parser.h */
struct warc;

/* Where the bytes come from. */
struct worker_file {
	bool whole;                  /* the opened file was read without an error */
	struct unpacker *unpacker;
	struct warc *warc;           /* created on first use */
	const struct source *packed; /* the packed file that is read, or NULL */
	uint64_t packed_at;          /* where it was read at the last report of progress */
	char *block;                 /* SOURCE_BLOCK bytes, in a pool that needs positions INPUTS_HELD */
	bool csv;                    /* its text is CSV, and */
	struct csv_reader fields;    /* is read so far */
	const struct source *probed; /* the mailbox in which a Content-Length is checked */
};

/* The range of what is read: what is not in [begin, end) is dropped. */
struct worker_range {
	bool begun;                  /* the scanner has reached `begin` */
	uint64_t begin, end;         /* end: UINT64_MAX before it is known */
};
#define WORKER_ALL ((struct worker_range){ .begun = true, .end = UINT64_MAX })

/* Where the output goes. */
struct worker_output {
	urlsift_renderer *renderer;  /* to the slot; without a pool that of the queue; NULL with a consumer */
	const struct consumer *consumer;
	void *encoder;               /* of the consumer */
	struct buf records;          /* of the encoder, not yet passed to the queue */
	const int *error;            /* the queue's, or own_error: not 0 when output has failed */
	int own_error;
};

struct worker {
	const struct settings *settings;
	struct output_queue *queue;
	struct team *team;          /* NULL if there are no other threads */
	struct slot *slot;          /* NULL without a pool */
	const struct job *job;
	struct worker_output out;
	struct worker_file file;
	struct worker_range range;
	struct source_name source;  /* what is read */
	const urlsift_place *place; /* in a message; render_no_place in plain text */
	struct filter_desk *filter;
	struct room form;
	urlsift_scanner *scanner;   /* these two are created on first use */
	urlsift_mail *mail;
	uint64_t line;              /* where the job is read from, if wanted */
	bool alone;                 /* lines of the next range could not be counted: this thread reads it as well */
	uint64_t message;           /* of the message here, */
	uint64_t unsure;            /* and the first one of which the end of the file decided; UINT64_MAX for none */
	bool in_warc;               /* a web archive is read */
	bool in_mail;               /* `mail` is fed, not `scanner` */
	bool feeding;               /* between worker_begin_... and worker_finish */
	bool choosy;                /* some links are not shown */
	bool shown;                 /* the current link is shown */
	urlsift_status status;      /* of what is fed */
	struct tally tally;         /* not yet passed to the queue */
	uint64_t shown_from;        /* messages that begin earlier are not shown; then the first one that is */
};

/* A worker for jobs of a pool, or the only one; with several jobs, one thread of the team. */
void worker_init(struct worker *w, struct output_queue *queue, struct team *team, bool pooled);
void worker_fini(struct worker *w);

/* Runs the job, in a pool that of w->slot.  May end it and go on with those that follow it: w->slot is then that of the
 * last one. */
void worker_do(struct worker *w, const struct job *job);

/* The source of the job, which was opened at this path. */
struct opened worker_opened(const struct worker *w, const char *path, const struct source *s);

/* ---- For worker_do: from bytes to output (worker_feed.c) ---------------------------- */

/* A source begins, is counted, and ends. */
void worker_begin_source(struct worker *w, struct source_name name);
void worker_end_source(struct worker *w);
/* Sets the name of the source from now on. */
void worker_name(struct worker *w, struct source_name name);

/* The options of mail. */
urlsift_mail_options worker_mail_options(const struct worker *w, urlsift_mail_kind kind);
/* Prepares worker_feed for text, or for mail with these options. */
void worker_begin_text(struct worker *w);
void worker_begin_mail(struct worker *w, const urlsift_mail_options *options);
/* Likewise for the document, in a message that begins with it, whose first byte is at the offset `at` and in `line`. */
void worker_begin_document(struct worker *w, const struct document *document, uint64_t at, uint64_t line);
/* False if reading must stop, and with it these calls; w->status is the reason. */
bool worker_feed(struct worker *w, const void *bytes, size_t n);
/* Takes the links that no later byte can change, and writes what was found; for input that pauses.  Without a pool, or
 * at its head. */
void worker_write(struct worker *w);
/* Whether more is to be read: nothing has stopped the reader or the output. */
static inline bool worker_goes_on(const struct worker *w) { return w->status == URLSIFT_OK && !*w->out.error; }
/* Ends the text or the mail and reports errors in it. */
void worker_finish(struct worker *w);

/* Reports and counts a limit that was exceeded, and an error of the source. */
void worker_limit(struct worker *w, const urlsift_notice *limit, bool unread);
void worker_fail(struct worker *w, const char *what);
void worker_fail_errno(struct worker *w, int error);
/* Passes the tally to the queue. */
void worker_put_tally(struct worker *w);

/* ---- Web archives (warc.c) ------------------------------------------------------------- */

/* A web archive begins, goes on and ends, in w->file.warc. */
void warc_begin(struct worker *w);
bool warc_feed(struct worker *w, const void *bytes, size_t n);
void warc_finish(struct worker *w);
void warc_free(struct warc *x); /* NULL is allowed */

/* ---- Ranges of a text (worker_text.c) -------------------------------------------------- */

/* Runs the job of the slot. */
void worker_do_text(struct worker *w);
/* Finds the line where the range is read from, if wanted, and gives its bytes, of a mailbox, to
 * the consumer.  Returns how many from there on are in the block then, which has this size. */
size_t worker_count_lines(struct worker *w, char *block, size_t size);
/* Whether this thread is to count the lines of the range. */
static inline bool worker_has_lines(const struct job *job) { return job->next && job->shared->counted == job->from; }
/* At the end of a range, in this state (pool_next): goes on with the job of the next one, or returns false. */
bool worker_next(struct worker *w, uint64_t state);
/* What of the piece is in the range: the piece, or its copy in `room`, cut; NULL if nothing is. */
const urlsift_piece *worker_cut_piece(struct worker *w, const urlsift_piece *p, urlsift_piece *room);
/* Whether a notice belongs to the range. */
bool worker_has_notice(struct worker *w, uint64_t offset);

/* ---- Events, to the renderer or the encoder of the consumer (worker_emit.c) ---------- */

void worker_emit_init(struct worker *w, bool pooled);
void worker_emit_fini(struct worker *w);
void worker_emit_open(struct worker *w, const struct opened *opened);
void worker_emit_close(struct worker *w, bool complete);
void worker_emit_continue(struct worker *w); /* of the text of the last range */
void worker_emit_kind(struct worker *w, urlsift_mail_kind kind, const struct source *file);
void worker_emit_bytes(struct worker *w, uint64_t at, const void *bytes, size_t n);
void worker_emit_name(struct worker *w); /* and source: those of w->source */
void worker_emit_source(struct worker *w);
void worker_emit_message(struct worker *w, const urlsift_message *message);
void worker_emit_place(struct worker *w); /* and the following: at w->place */
void worker_encode_piece(struct worker *w, const urlsift_piece *piece);
static inline void worker_emit_piece(struct worker *w, const urlsift_piece *piece)
{
	if (w->out.renderer)
		memory_status(urlsift_render_piece(w->out.renderer, w->place, piece, w->shown));
	else
		worker_encode_piece(w, piece);
}
void worker_emit_error(struct worker *w, const char *what);
void worker_emit_notice(struct worker *w, const urlsift_notice *n);
void worker_emit_relative(struct worker *w, urlsift_text text); /* to renderers only */
void worker_emit_source_end(struct worker *w);

/* An operation of the queue, after those of the events before it. */
void worker_put(struct worker *w, enum queue_op op, const void *bytes, size_t n);
/* Passes on what is buffered, and writes it; in a pool only at its head. */
void worker_flush_output(struct worker *w);
/* In a pool: drops an error and output that is not written. */
void worker_restart(struct worker *w);

#endif
