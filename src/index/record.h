/* The records that the encoders of the index pass to its writer, in the order of the inputs: each is a head,
 * numbers and texts.  They are used within one process only. */
#ifndef INDEX_RECORD_H
#define INDEX_RECORD_H

#include "input/consumer.h"

enum record_type {
	RECORD_OPEN,       /* numbers: folder kind, size, mtime, from, line; texts: path, folder, commit */
	RECORD_SOURCE,     /* texts: the names of the file and of the member */
	RECORD_KIND,       /* texts: the name of the kind */
	/* numbers: offset, time, whether it may have a row; texts: id, from, date, subject, list, groups, uri */
	RECORD_MESSAGE,
	RECORD_LINK,       /* enum link_number, enum link_text */
	RECORD_HTML,       /* texts: the next block of the message's HTML */
	/* after its last block: numbers: id, kind, content, month, base, reply, bytes of its head and body; texts: author,
	 * subject, refs, anchors; see the table post */
	RECORD_POST,
	RECORD_PROBLEM,    /* numbers: offset of the message, value, offset; texts: type, what, source */
	RECORD_PIECE,      /* numbers: of a piece of the file, and the hash of what this range has of it */
	RECORD_CHECKPOINT, /* numbers: offset and line of a message, tail, messages between it and the last checkpoint */
	RECORD_SOURCE_END, /* numbers: messages since the last checkpoint */
	/* numbers: complete, last range, whether there is a last checkpoint; its offset, line, tail; messages since the
	 * last RECORD_CHECKPOINT, and since the last checkpoint; *opened.unsure */
	RECORD_CLOSE
};

enum link_number {
	LINK_N, LINK_LINE, LINK_COLUMN, LINK_OFFSET, LINK_LENGTH, LINK_DECODED, LINK_RFC1738, LINK_RFC3986, LINK_RFC3987,
	LINK_HASH, /* two, of its normal form */
	LINK_NUMBERS = LINK_HASH + 2
};
enum link_text {
	LINK_NORMAL, LINK_SCHEME, LINK_HOST, LINK_TEXT, LINK_HREF, LINK_PART, LINK_FIELD, LINK_PARTS, LINK_CONVENTION,
	LINK_FLAGS, LINK_WARNINGS, LINK_ALTERNATES, LINK_LABEL, LINK_ATTRIBUTE, LINK_UNWRAPPED, LINK_TEXTS
};

enum { RECORD_NUMBERS = LINK_NUMBERS + 1, RECORD_TEXTS = LINK_TEXTS };

struct record_numbers {
	const int64_t *at;
	unsigned count;
};
struct record_texts {
	const urlsift_text *at; /* of NULL: absent */
	unsigned count;
};
/* A text of a record: a string or NULL; found(): absent if it is empty. */
static inline urlsift_text record_string(const char *s) { return (urlsift_text){ s, s ? strlen(s) : 0 }; }
static inline urlsift_text record_found(const void *bytes, size_t n)
{
	return (urlsift_text){ n > 0 ? bytes : NULL, n };
}

/* Appends a record to a buffer of memory_allocator without a cap. */
void record_add(struct buf *out, enum record_type type, struct record_numbers number, struct record_texts text);
/* Its arguments: of arrays, or nothing. */
#define RECORD_NUMBERS_OF(array) (struct record_numbers){ array, sizeof(array) / sizeof *(array) }
#define RECORD_TEXTS_OF(array) (struct record_texts){ array, sizeof(array) / sizeof *(array) }
#define RECORD_NO_NUMBERS (struct record_numbers){ NULL, 0 }
#define RECORD_NO_TEXTS (struct record_texts){ NULL, 0 }

/* A record that was read; texts are NUL-terminated and point into the bytes. */
struct record_fields {
	enum record_type type;
	int64_t number[RECORD_NUMBERS];
	const char *text[RECORD_TEXTS]; /* NULL: absent */
	size_t length[RECORD_TEXTS];
};

/* Reads the record at `bytes`; returns its length. */
size_t record_read(const char *bytes, struct record_fields *f);

/* Stores in *tail a hash of up to TAIL_SIZE bytes of the file before `offset`: if it is still the same in a later run,
 * the mailbox has only grown.  False if they cannot be read. */
bool record_tail(const struct source *file, uint64_t offset, int64_t *tail);

enum {
	CHECKPOINT_EVERY = 1024 * 1024, /* in each such piece of a mailbox, the first message has a checkpoint */
	TAIL_SIZE = 4096
};

#endif
