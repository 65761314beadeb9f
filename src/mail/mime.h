/* One message taken apart (RFC 2045, 2046): header blocks, levels of parts, and
 * the bytes of the leaves with their transfer encoding undone. */
#ifndef MAIL_MIME_H
#define MAIL_MIME_H

#include "body.h"
#include "fields.h"
#include "line_hold.h"
#include "part.h"
#include "reading.h"

enum {
	PATH_ROOM = 4096,
	PREAMBLE_MAX = 64 * 1024,
	BOUNDARY_LINE_MAX = PARAMETER_MAX + 256, /* a line that is longer is no delimiter */
	DECODED_BLOCK = 32 * 1024,
	NESTED_MAX = 3 /* messages behind a transfer encoding, one inside the other */
};

/* A multipart, or a message inside the message, that is open. */
struct level {
	size_t boundary, boundary_length; /* in `strings`; length 0 of a message */
	size_t base, base_length;         /* in `strings`; 0 for none */
	size_t strings;                   /* how long `strings` was before it */
	size_t path_length;               /* of the path that its children's paths begin with */
	uint32_t children;
	uint32_t alternative;             /* the number of the multipart/alternative; 0 for none */
	bool message, digest;
	bool started, ended;              /* its first delimiter, its last were seen */
};

enum mime_state {
	MIME_HEADER,
	MIME_REST,     /* of a header block that is too long */
	MIME_PREAMBLE,
	MIME_LEAF,
	MIME_EPILOGUE
};
enum leaf { LEAF_SKIPPED, LEAF_PART, LEAF_MESSAGE };

struct mime {
	struct reading *reading;
	enum mime_state state;
	uint64_t next;         /* source offset behind all that was taken */
	struct level levels[DEPTH_MAX];
	size_t depth, delimited; /* open levels; those with delimiters */
	struct buf strings;
	/* The header block, when it is not all in one stretch. */
	struct buf block, spill;
	size_t scanned;        /* bytes of it that are whole lines */
	uint64_t block_at;
	uint64_t line;         /* of its first byte */
	bool blank;            /* MIME_REST: the line has nothing yet but perhaps a CR */
	/* The entity that is read. */
	struct body body;
	char path[PATH_ROOM], part_path[PATH_ROOM + 8];
	size_t path_length;
	bool message;          /* it is a message: its one part is another step of the path */
	bool top;              /* it is the message itself */
	struct buf preamble;   /* kept until a delimiter comes */
	uint64_t preamble_at, preamble_line;
	enum leaf leaf;
	struct part part;
	struct fields fields;
	struct transfer_state transfer;
	uint64_t decoded;      /* bytes of the leaf so far, undone */
	uint8_t *block_out;    /* DECODED_BLOCK bytes, on first need */
	/* The beginning of a line that may be a delimiter. */
	bool line_start;
	uint8_t held[BOUNDARY_LINE_MAX];
	struct line_hold hold;
	uint64_t held_at;      /* source offset of what is held */
	size_t parts;
	size_t within_count;   /* alternatives that it stands in already, of a message that was hidden */
	bool plain;            /* past a limit: all that follows is text */
	/* A message that a transfer encoding hides. */
	struct mime *inner;
	unsigned nesting;
	uint64_t inner_line;
	bool inner_after_cr;
	/* Told to the mailbox: the top header block has ended. */
	bool header_done;
	uint64_t body_at;
};

/* NULL without memory. */
struct mime *mime_new(struct reading *r, unsigned nesting);
void mime_free(struct mime *m); /* NULL is allowed */
/* A message begins. */
void mime_begin(struct mime *m);
/* Takes bytes that stand at source offset `at`.  Errors are left in the reading. */
void mime_feed(struct mime *m, const uint8_t *p, size_t n, uint64_t at);
void mime_finish(struct mime *m);
size_t mime_memory_bound(void);

#endif
