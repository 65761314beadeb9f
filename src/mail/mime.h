/* The parser of one message (RFC 2045, 2046).  mime.c: levels and delimiters; mime_header.c: header blocks; part.c: the
 * bodies of parts.  part.c calls back into mime.c only for a message that a transfer encoding hides. */
#ifndef MAIL_MIME_H
#define MAIL_MIME_H

#include "parser.h"

#include <stddef.h>
#include <stdint.h>

enum {
	PATH_ROOM = 4096,
	PREAMBLE_MAX = 64 * 1024,
	BOUNDARY_LINE_MAX = PARAMETER_MAX + 256, /* a line that is longer is not a delimiter */
	BOUNDARY_HASHES = 1024,
	DECODED_BLOCK = 32 * 1024,
	NESTED_MAX = 3 /* messages after a transfer encoding, one inside the other */
};

/* A multipart, or a message inside the message, that is open. */
struct level {
	size_t boundary, boundary_length; /* in `strings`; length 0 of a message */
	size_t hash;
	size_t base, base_length;         /* in `strings`; 0 for none */
	size_t strings;                   /* how long `strings` was before it */
	size_t path_length;               /* of the path that its children's paths begin with */
	uint32_t children;
	uint32_t alternative;             /* the number of the multipart/alternative; 0 for none */
	unsigned is;                      /* of its media type: MEDIA_... */
	bool message;
	bool told;                        /* as a message of its own: the one around it is the last of `around` */
	bool started, ended;              /* its first delimiter, its last were seen */
};

/* A message while one inside it is told. */
struct message_around {
	urlsift_message message;
	struct meta_texts meta;
	bool news;
};

enum mime_state {
	MIME_HEADER,
	MIME_REST,     /* of a header block that is too long */
	MIME_PREAMBLE,
	MIME_LEAF,
	MIME_EPILOGUE
};
enum leaf { LEAF_SKIPPED, LEAF_PART, LEAF_MESSAGE, LEAF_ATTACHED };

/* The multiparts and messages that are open. */
struct mime_levels {
	struct level levels[DEPTH_MAX];
	uint8_t hashes[BOUNDARY_HASHES]; /* how many of their boundaries have this hash */
	size_t depth, delimited;         /* open levels; those with delimiters */
	struct buf strings;
	struct buf around;               /* struct message_around */
};

/* The header block that is read. */
struct mime_block {
	struct buf block, spill; /* when it is not all in one block of the input */
	size_t scanned;          /* bytes of it that are whole lines */
	uint64_t at;
	size_t copy_from;        /* a copy of the header, of `copy_length` bytes, was left out of it here (Babyl) */
	uint64_t copy_length;
	uint64_t line;           /* of its first byte */
	bool declared;           /* content.type was read of it */
	uint64_t damage;         /* NULs and CRs without an LF in it */
	bool only;               /* it is all of a text/rfc822-headers */
	enum { REST_EMPTY, REST_CR, REST_TEXT } rest; /* MIME_REST: what the line has so far */
	/* For the mailbox: the top one has ended, and what it said; that of a part may have come since. */
	bool done, digest, has_length;
	uint64_t body_at, length;
};

/* The preamble of a multipart, kept until a delimiter comes. */
struct mime_preamble {
	struct buf text;
	uint64_t at, line;
	bool read; /* as a text: the multipart has no parts */
};

/* The entity as a file. */
struct mime_file {
	char name[FILE_NAME_MAX];
	size_t name_length;
	uint64_t bytes;  /* of an attachment so far, decoded */
	size_t line_end; /* bytes of the line end that is last of them */
	bool after_cr;   /* the last one is a CR */
};

/* Where an entity is in its message: `1.2`. */
struct mime_path {
	char own[PATH_ROOM], part[PATH_ROOM + 8];
	size_t length;
};

/* The beginning of a line that may be a delimiter. */
struct mime_held {
	uint8_t bytes[BOUNDARY_LINE_MAX];
	size_t length;
	uint64_t at; /* source offset */
};

/* A message that a transfer encoding hides. */
struct mime_inner {
	struct mime *mime;
	uint64_t line;
	bool after_cr;
};

struct mime {
	struct parser *parser;
	enum mime_state state;
	uint64_t next;         /* source offset after all that was taken */
	struct mime_levels open;
	struct mime_block header;
	/* The entity being read. */
	struct content content;
	struct mime_path path;
	bool message;          /* it is a message: its one part is another step of the path */
	bool top;              /* it is the message itself */
	struct mime_preamble preamble;
	enum leaf leaf;
	uint64_t leaf_end;     /* source offset after its last byte so far */
	struct part part;
	struct fields fields;
	struct transfer_state transfer;
	struct mime_file file;
	uint64_t decoded;      /* bytes of the leaf so far, decoded */
	uint8_t *block_out;    /* DECODED_BLOCK bytes, on first need */
	bool line_start;
	struct mime_held held;
	size_t parts;
	size_t within_count;   /* alternatives that it is in already, of a message that was hidden */
	bool plain;            /* after a limit is exceeded: all that follows is text */
	struct mime_inner inner;
	unsigned nesting;      /* 0, or how deep this is in messages that are hidden */
};

/* NULL without memory. */
struct mime *mime_new(struct parser *r, unsigned nesting);
void mime_free(struct mime *m); /* NULL is allowed */
/* A message begins, at source offset `at`. */
void mime_begin(struct mime *m, uint64_t at);
/* Takes bytes that are at source offset `at`.  Errors are left in the parser. */
void mime_feed(struct mime *m, const uint8_t *p, size_t n, uint64_t at);
/* Source lines between the header block and the body, which begins at source offset `at`, are part of neither. */
void mime_skip_lines(struct mime *m, uint64_t lines, uint64_t at);
void mime_finish(struct mime *m);
size_t mime_memory_bound(void);

/* ---- Its parts ---- */

/* The children of the entity being read follow.  False past the limit, which is then reported. */
bool mime_push_level(struct mime *m, uint64_t at, bool message);
/* The innermost level is a message that is told as one of its own; what comes after it is of the one around it. */
void mime_begin_told(struct mime *m);

struct delimiter {
	size_t level;
	bool last;
};
/* Whether a line that begins with two hyphens is the delimiter of the k bytes at `boundary`; *last: the closing one. */
bool mime_is_delimiter(const uint8_t *line, size_t n, const uint8_t *boundary, size_t k, bool *last);
/* Whether a line that begins with a hyphen is a delimiter (RFC 2046 section 5.1.1) of a level that is open, the deepest
 * first. */
bool mime_find_delimiter(const struct mime *m, const uint8_t *p, size_t n, struct delimiter *d);

/* A header block begins. */
void mime_begin_header(struct mime *m);
/* Bytes of it, and of what is longer than its limit; return how many they took. */
size_t mime_feed_header(struct mime *m, const uint8_t *p, size_t n, uint64_t at);
size_t mime_feed_rest(struct mime *m, const uint8_t *p, size_t n, uint64_t at);
/* The input is over within it. */
void mime_finish_header(struct mime *m);

/* ---- part.c ---- */

/* Puts another step, a number, after the path; returns its length then. */
size_t mime_append_number(char *path, size_t at, uint32_t number);
/* The place is the header or the body of the entity being read. */
void mime_set_place(struct mime *m, bool body, const char *type, const char *subtype, bool decoded);
/* The base of the innermost entity around the one being read that has one; empty if there is none. */
urlsift_text mime_base(const struct mime *m);
/* The body at offset `at` is a text part; text as is; a message, or `only` a header, that a transfer encoding hides. */
void mime_begin_part(struct mime *m, bool html, uint64_t at);
void mime_begin_plain(struct mime *m, uint64_t at);
/* After mime_begin: there is no header block, and the body is the parser's document. */
void mime_begin_document(struct mime *m, uint64_t at);
void mime_begin_inner(struct mime *m, bool only, uint64_t at);
void mime_finish_leaf(struct mime *m);
/* Whether a leaf is being read. */
static inline bool mime_in_leaf(const struct mime *m) { return m->state == MIME_LEAF || m->state == MIME_REST; }
/* A preamble is shown only when nothing else comes of its multipart. */
void mime_read_preamble(struct mime *m);
/* Bytes of a body that are not a delimiter. */
void mime_leaf_bytes(struct mime *m, const uint8_t *p, size_t n, uint64_t at);

#endif
