/* What the readers of one source share: where they stand, and where things go. */
#ifndef MAIL_READING_H
#define MAIL_READING_H

#include "charset_cache.h"
#include "known_field.h"
#include "places.h"
#include "scan/attribute.h"
#include "seen.h"
#include "urlsift-mail.h"
#include "word.h"

enum {
	DEPTH_MAX = 100, PARTS_MAX = 10000, HEADER_MAX = 1024 * 1024,
	ALTERNATIVES_WITHIN = 8,
	META_MAX = 1024,     /* bytes of a text of urlsift_message */
	NAME_MAX_SHOWN = 128 /* bytes of a field's name or a media type that are told */
};

struct reading {
	urlsift_mail_options options;
	urlsift_mail_sink sink;
	const urlsift_allocator *alloc;
	urlsift_scanner *scanner;
	uint64_t max_url;         /* the scanner's limit */
	const char *charset;      /* of parts that declare none; NULL for none */
	struct charset_cache charsets;
	struct word_text words;
	struct seen seen;
	struct html_part *html;   /* on first need; one part is read at a time */
	char *normal;             /* room for a comparable form; on first need */
	urlsift_message message;
	char meta[METAS][META_MAX];
	bool news;                /* the message is an article */
	uint64_t line;            /* of the next byte that no reader has taken yet */
	bool after_cr;
	bool hidden;              /* what is read now was decoded: offsets are not of the source */
	urlsift_place place;
	char field[NAME_MAX_SHOWN], type[2 * NAME_MAX_SHOWN];
	bool seen_full;           /* was said of this message */
	/* The multipart/alternatives that the part stands in, the innermost ones: their numbers, and which child of each. */
	struct { uint32_t alternative, child; } within[ALTERNATIVES_WITHIN];
	size_t within_count;
	uint32_t alternatives;    /* begun in this message */
	urlsift_status status;
};

/* Goes on only while this holds. */
static inline bool reading_ok(const struct reading *r) { return r->status == URLSIFT_OK; }

/* Counts the lines of bytes that were taken, when positions are wanted. */
void reading_take(struct reading *r, const uint8_t *p, size_t n);
void reading_message(struct reading *r);
/* The place is set up by the caller. */
void reading_place(struct reading *r);
void reading_limit(struct reading *r, const char *limit, uint64_t value, uint64_t offset);
void reading_damage(struct reading *r, const char *what, uint64_t count, uint64_t offset);
/* A piece of the place: 0, or non-zero when the sink stops. */
int reading_piece(struct reading *r, const urlsift_piece *piece);
void reading_fail(struct reading *r, urlsift_status status);

#endif
