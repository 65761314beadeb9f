/* What an output is: a table of functions, one file each (out_list.c,
 * out_json.c, out_html.c). */
#ifndef RENDER_OUTPUT_H
#define RENDER_OUTPUT_H

#include "urlsift-mail.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Buffered writing to one file descriptor, or into a sink.  Errors are kept, not
 * lost: after the first every write does nothing. */
struct writer {
	int fd;
	int (*sink)(void *user, const void *bytes, size_t n); /* or NULL; 0, or an errno */
	void *user;
	int error;      /* errno of the first failed write, 0 for none */
	bool own;       /* flush at once (a terminal) */
	size_t used;
	char *data;     /* WRITER_SIZE bytes */
};
enum { WRITER_SIZE = 64 * 1024 };
void writer_flush(struct writer *w);
/* Place for n <= WRITER_SIZE bytes, to be filled and then claimed by `used += n`. */
static inline char *writer_room(struct writer *w, size_t n)
{
	if (n > WRITER_SIZE - w->used)
		writer_flush(w);
	return w->data + w->used;
}
/* writer_put where it is more than a copy. */
void writer_block(struct writer *w, const void *bytes, size_t n);
static inline void writer_put(struct writer *w, const void *bytes, size_t n)
{
	if (w->own || n > WRITER_SIZE - w->used) {
		writer_block(w, bytes, n);
	} else if (n > 0) {
		memcpy(w->data + w->used, bytes, n);
		w->used += n;
	}
}
static inline void writer_text(struct writer *w, const char *nul_terminated)
{
	writer_put(w, nul_terminated, strlen(nul_terminated));
}
void writer_number(struct writer *w, uint64_t n);

/* What the outputs want to know of the command line. */
struct out_options {
	bool null_separated; /* -0 */
	bool line_number;    /* -n */
	bool with_filename;  /* -H */
	bool byte_offset;    /* -b */
	bool count;          /* -c */
	bool encoded;        /* --encoded */
	bool hyphen_both;    /* --hyphen=both */
	bool fragment;       /* --fragment */
	const char *format;  /* --format, or NULL */
	const char *title;   /* of a page: the first source's name */
};

struct out {
	struct writer *w;
	const struct out_options *options;
	const char *source; /* the file's name as given, "-" for standard input */
	const urlsift_place *place; /* where in a message the pieces stand; NULL in plain text */
	urlsift_context *context;
	urlsift_status status; /* what went wrong in an output, for the run to tell */
	void *state;        /* the output's own */
};

struct output {
	const char *name;
	bool (*begin)(struct out *o);                /* the run begins; false without memory */
	void (*source)(struct out *o);               /* o->source begins */
	/* A message begins, and then each of its fields and parts, o->place, whose pieces
	 * follow.  May be NULL. */
	void (*message)(struct out *o, const urlsift_message *message);
	void (*place)(struct out *o);
	/* Every piece of the text in order.  `shown` says whether the link of the
	 * piece passed the filters; a plain piece has it false. */
	void (*piece)(struct out *o, const urlsift_piece *piece, bool shown);
	void (*error)(struct out *o, const char *what);        /* a source could not be read, or o->place not all */
	void (*notice)(struct out *o, const urlsift_notice *n); /* a limit bit */
	void (*source_end)(struct out *o, uint64_t links);
	void (*end)(struct out *o);                  /* the run ends; releases state */
	bool wants_plain;                            /* gets plain pieces too */
	bool wants_positions;
	bool wants_guesses;
	bool makes_records;                          /* errors, notices and the summary are records of it */
};

extern const struct output out_list, out_json, out_html;

/* Whether out_list knows every directive of a --format template; else *bad
 * points at the first that it does not know. */
bool out_list_format_ok(const char *format, const char **bad);
/* Whether out_list needs positions under these options. */
bool out_list_wants_positions(const struct out_options *options);

/* The last JSON record of a run with --summary. */
void out_json_summary(struct writer *w, uint64_t files, uint64_t bytes, uint64_t messages, uint64_t links,
                      uint64_t errors, uint64_t limits);

#endif
