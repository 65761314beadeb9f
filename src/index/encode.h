/* The encoder of the index (struct consumer): records of sources, messages with links, links, problems.  An encoder
 * that adds to these records has it as its first member, so that the events may be those of both. */
#ifndef INDEX_ENCODE_H
#define INDEX_ENCODE_H

#include "digest.h"
#include "record.h"

#include "input/filter.h"
#include "text/hashset.h"

struct index;

/* The message that is read. */
struct index_message {
	const urlsift_message *fields; /* without texts before the first, and in plain text */
	bool written;          /* its record */
	bool again;            /* it goes on after another one or in another range, and may have a record before */
	uint64_t begins;       /* its offset */
	int64_t n;             /* of its next link */
};

/* The last message that may have a checkpoint. */
struct index_checkpoint {
	bool known;            /* there may be one at `offset`, */
	int64_t messages;      /* and so many messages begin there or later */
	uint64_t piece, offset, line;
};

/* What the texts of a link are written to. */
struct index_link_texts {
	struct room normal, target, absolute;
	struct buf parts, flags, warnings, alternates;
	char unwrapped[8 * 1024]; /* not on the stack, where its pages would be touched for each link */
};

struct index_encoder {
	struct buf *out;
	urlsift_context *context;
	bool judges;
	struct hash128 key;    /* of the hashes of URLs */
	struct index_message message;
	const struct source *file; /* whose offsets those of messages are, and a checkpoint's may be; else NULL */
	bool mailbox, alone;   /* a mailbox; a file that is not in a folder */
	bool first;            /* range */
	const uint64_t *unsure;
	struct source_name source;
	int64_t messages;      /* since the last checkpoint that was written */
	struct index_checkpoint last;
	bool hashes;           /* its bytes, as it may be a mailbox */
	struct digest digest;
	struct index_link_texts link;
};

void index_encoder_init(struct index_encoder *e, const struct index *x, urlsift_context *context, struct buf *out);
void index_encoder_fini(struct index_encoder *e);
/* See struct consumer, whose user is a struct index. */
void *index_encoder_new(void *index, urlsift_context *context, struct buf *out);
void index_encoder_free(void *encoder);
extern const struct consumer_events index_encoder_events;

/* Puts the record of the message, unless that has been done, before the first that belongs to it.  Plain text is a
 * message too. */
void index_encoder_put_message(struct index_encoder *e);

#endif
