/* A consumer takes what the workers find in place of the renderer: the index, a folder of pages.
 *
 *     scanner, mail parser -> encoder (one per worker) -> records -> take (one for all)
 *
 * An encoder turns events into records: bytes of its own choosing, appended to its buffer.  The pool passes
 * the records on in the order of the inputs, whatever -j is, and `take` gets them there.  An encoder runs in the
 * thread of its worker, concurrently with the others; `take` and `end` are never called concurrently.
 *
 * Any member but `encoder_new`, `encoder_free` and `take` may be NULL.  The format of the verb (urlsift_render_needs)
 * determines what the scanner reports: plain text, positions, metadata. */
#ifndef INPUT_CONSUMER_H
#define INPUT_CONSUMER_H

#include "report.h"

#include "urlsift-render.h"
#include "text/buf.h"

struct consumer {
	/* An encoder that appends to `out`, which outlives it; NULL without memory. */
	void *(*encoder_new)(void *user, urlsift_context *context, struct buf *out);
	void (*encoder_free)(void *encoder); /* NULL is allowed */

	/* The events of one worker, in the order of its input:
	 *
	 *     ( name? source ( message | place | piece | error | notice )* source_end )*
	 *
	 * A large mailbox is read as several jobs: `source` comes with the first, `source_end` with the last, `name` with
	 * each; a message is always within one job.  An error of an input that cannot be opened has `name` only.
	 * Arguments are valid until the callback returns, a name until the next one, a message and a place as
	 * urlsift_mail_sink guarantees; `place` is NULL in plain text.  A job may be read again when its first message was
	 * guessed wrong: then its records are dropped, and its events come again after `restart`.
	 * Each returns URLSIFT_OK, or a status that is reported as an error of the source; the buffer is then truncated to
	 * what it was before the call. */
	urlsift_status (*name)(void *encoder, struct source_name name);
	urlsift_status (*source)(void *encoder, struct source_name name);
	urlsift_status (*message)(void *encoder, const urlsift_message *message);
	urlsift_status (*place)(void *encoder, const urlsift_place *place);
	/* `shown`: the piece is part of a link that passes the filters; the same for all parts of a link. */
	urlsift_status (*piece)(void *encoder, const urlsift_place *place, const urlsift_piece *piece, bool shown);
	urlsift_status (*error)(void *encoder, const urlsift_place *place, const char *what);
	urlsift_status (*notice)(void *encoder, const urlsift_place *place, const urlsift_notice *notice);
	urlsift_status (*source_end)(void *encoder);
	void (*restart)(void *encoder);

	/* Takes n bytes of records in the order of the inputs: all that one or more events appended, never a part of it.
	 * STATUS_DONE, or the exit status after a failure that was reported; reading then stops. */
	enum status (*take)(void *user, const char *bytes, size_t n);
	/* After the last record, unless `take` failed: the same. */
	enum status (*end)(void *user);
	void *user;
};

#endif
