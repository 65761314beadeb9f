/* A consumer receives what the workers find, in place of the renderer: the index, a folder of pages.
 *
 *     scanner, mail parser -> encoder (one per worker) -> records -> take (one for all)
 *
 * An encoder turns events into records, bytes in a format of its own, and appends them to its buffer.  The pool passes
 * the records to `take` in the order of the inputs, whatever -j is.  An encoder runs in the thread of its worker,
 * concurrently with the others; `take` and `end` are never called concurrently.
 *
 * Any member may be NULL; `take` only if no encoder appends anything.  The format of the verb (urlsift_render_needs)
 * determines what the scanner reports: plain text, positions, metadata. */
#ifndef INPUT_CONSUMER_H
#define INPUT_CONSUMER_H

#include "folder.h"
#include "report.h"
#include "source.h"

#include "urlsift-render.h"
#include "text/buf.h"

/* An input, before it is opened. */
struct input_item {
	const char *path;      /* of a file, of an epoch of a public-inbox, or of a folder of which nothing is read */
	const char *folder;    /* for a message in a maildir, MH folder or the like: that folder; else NULL */
	enum folder_kind kind; /* of that folder; FOLDER_EPOCH; else FOLDER_NONE */
};

enum { INPUT_COMMIT = 64 }; /* characters of the name of a commit */

/* Which part of an input to read; zeros: all of it. */
struct input_plan {
	bool skip;           /* nothing */
	uint64_t from, line; /* mbox: from the offset `from`, where a message begins, in this line; epoch: not 0 if `after`
	                        is set */
	uint64_t to;         /* mbox: messages that begin before this offset; 0: to the end */
	char after[INPUT_COMMIT + 1]; /* epoch: the commits after this one */
	uint64_t count;      /* epoch: the number of commits; 0: all */
};

enum { OPENED_FAR = 64 * 1024 * 1024 };

/* A file that was opened, a message of a folder or of an epoch, or a range of a mailbox or a text. */
struct opened {
	struct input_item item;
	const char *commit;  /* of the message of an epoch, whose path is the item's; else NULL */
	uint64_t size;       /* bytes, when it was opened; 0 unless it is a regular file */
	int64_t mtime;       /* nanoseconds; likewise */
	uint64_t from, line; /* of the plan */
	bool first;          /* range; true for what is none */
	/* The offset of the first message that may end elsewhere once the file has grown or changed, because its end was
	 * determined by the end of the file, or by bytes more than OPENED_FAR after its beginning; UINT64_MAX for none so
	 * far.  Valid until `close`. */
	const uint64_t *unsure;
};

/* Events of the input that the sources are read from. */
struct input_events {
	void (*open)(void *encoder, const struct opened *opened);
	/* complete: the input was read to its end; of an epoch, false if commits may be missing here.  last: no range
	 * follows. */
	void (*close)(void *encoder, bool complete, bool last);
	/* The kind of the source.  `file` is NULL if offsets of messages are not offsets of a regular file, as in packed
	 * input. */
	void (*kind)(void *encoder, urlsift_mail_kind kind, const struct source *file);
	/* Bytes of a regular file that is read from `at` on, in order; of ranges each has those before the next one.  May
	 * come before `kind`, and before the events of what they say. */
	void (*bytes)(void *encoder, uint64_t at, const void *bytes, size_t n);
};

/* The events of one worker, in the order of its input:
 *
 *     ( open ( name source kind? ( message | place | piece | error | notice )* source_end )* close | name error )*
 *
 * The sources of an archive are its members; a binary file has none.  A large mailbox or text is read as several
 * jobs, each with `open`, `kind` and `close`: `source` comes with the first, `source_end` with the last; a message and
 * a link are always within one job.  An error of an input that cannot be opened is preceded by `name` only.
 * Arguments are valid until the callback returns, a name until the next one, a message and a place as
 * urlsift_mail_sink guarantees; `place` is render_no_place in plain text.
 * The records of a job may be dropped, which its encoder does not notice. */
struct consumer_events {
	struct input_events input;
	void (*name)(void *encoder, struct source_name name);
	void (*source)(void *encoder, struct source_name name);
	void (*message)(void *encoder, const urlsift_message *message);
	void (*place)(void *encoder, const urlsift_place *place);
	/* `shown`: the piece is part of a link that passes the filters; the same for all parts of a link. */
	void (*piece)(void *encoder, const urlsift_place *place, const urlsift_piece *piece, bool shown);
	void (*error)(void *encoder, const urlsift_place *place, const char *what);
	void (*notice)(void *encoder, const urlsift_place *place, const urlsift_notice *notice);
	void (*source_end)(void *encoder);
};

struct consumer {
	/* Creates an encoder that appends to `out`, which outlives it.  Without the function `user` is the only encoder. */
	void *(*encoder_new)(void *user, urlsift_context *context, struct buf *out);
	void (*encoder_free)(void *encoder);

	/* Decides what to read of an input; if NULL, everything is read.  Called before the input is opened, by one thread
	 * at a time, possibly concurrently with all other members, and more than once for some inputs. */
	void (*plan)(void *user, const struct input_item *item, struct input_plan *plan);

	struct consumer_events on;

	/* Receives n bytes of records in the order of the inputs: what one or more events appended, never part of an event.
	 * 0 while an input pauses.  Returns STATUS_DONE, or the exit status after a failure that it has reported; reading
	 * then stops. */
	enum status (*take)(void *user, const char *bytes, size_t n);
	/* Called after the last record unless `take` failed; returns the same. */
	enum status (*end)(void *user);
	bool none;    /* consumer_none */
	bool outline; /* only messages are reported, without their texts */
	bool judges;  /* it checks links against grammars */
	bool cuts;    /* it takes ranges of texts too */
	size_t waiting; /* bytes of records that may wait for `take`; 0: POOL_WAITING */
	void *user;
};
/* Has no function: what is found goes to the renderer. */
extern const struct consumer consumer_none;

#endif
