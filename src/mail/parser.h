/* The state of a parser, and the layers below a message: texts for the scanner, header fields, text parts. */
#ifndef MAIL_PARSER_H
#define MAIL_PARSER_H

#include "charset_cache.h"
#include "header.h"
#include "html/html.h"
#include "scan/attribute.h"
#include "simd/simd.h"
#include "text/csv.h"
#include "text/hashset.h"
#include "urlsift-mail.h"
#include "word.h"

/* ---- The parser ---- */

enum {
	DEPTH_MAX = 100, PARTS_MAX = 10000, HEADER_MAX = 1024 * 1024,
	ALTERNATIVES_WITHIN = 8,
	SEEN_MAX = 4096,     /* URLs of the alternatives of a message */
	FORM_MAX = 3 * (URL_MAX + LINE_LOOK), /* bytes of a comparable form: up to three for one, and what is supplied */
	META_MAX = 1024,     /* bytes of a text of urlsift_message */
	FILE_NAME_MAX = 255,
	NAME_MAX_SHOWN = 128 /* bytes of a field's name or a media type that are shown */
};

/* Counts the lines and characters of a text that the scanner gets in another form.  Its bytes are kept until they are
 * counted. */
struct position {
	struct buf recent;
	size_t counted;        /* bytes of it that are counted */
	uint64_t at;           /* the first byte that is not counted */
	struct point point;    /* of it */
	bool after_cr;
	struct buf quoted;     /* uint64_t: the last lines that lost a `>` before From */
};
enum { QUOTED_LINES = 32 * 1024 };
enum { POSITION_MAX = 2 * 1024 * 1024 };

/* Called when a message begins at options.stop or later.  Returns the new value of options.stop: the message is read if
 * it begins before it. */
typedef uint64_t mail_reached(void *user, uint64_t offset);

/* What is known of a document that does not come alone, as in a web archive. */
struct document {
	const urlsift_message *message; /* what its places are in */
	urlsift_text type;              /* the value of Content-Type, of text, HTML or mail */
	urlsift_text language;          /* a tag, or empty */
	urlsift_text base;              /* absolute, or empty */
	bool decoded;                   /* its bytes are not those of the source */
};

/* A document of this kind that comes alone, of which only the type is known; NULL for mail and text. */
const struct document *document_alone(urlsift_mail_kind kind);

/* The multipart/alternatives of a message. */
struct alternatives {
	struct hashset seen;      /* their URLs; the value: which child had it first */
	bool full;                /* was reported */
	/* The innermost ones that the part is in: their numbers, and which child of each. */
	struct { uint32_t alternative, child; } within[ALTERNATIVES_WITHIN];
	size_t depth;
	uint32_t begun;
};

/* Where the parser is in the source. */
struct source_place {
	struct position part;     /* in the part being read, if it needs one */
	uint64_t line;            /* of the next byte */
	bool after_cr;
	bool hidden;              /* inside a message that a transfer encoding hides: offsets are not of the source */
};

/* Who is told that a message past options.stop begins. */
struct mail_watch {
	mail_reached *reached; /* or NULL */
	void *user;
};

/* The texts of the message. */
struct meta_texts {
	char text[METAS][META_MAX];
	bool cut; /* one of them is not whole */
};

/* What the scanner was made with, and the layers above it need too. */
struct scanner_values {
	const struct simd *simd;
	uint64_t max_url;
	size_t context; /* lines of text around a link */
};

/* The target of the anchor that is open. */
struct anchor_target {
	struct buf text; /* empty: none to compare with */
	bool normal;     /* it is in its comparable form */
};

struct parser {
	urlsift_mail_options options;
	const struct document *document; /* that is read; NULL in mail */
	struct mail_watch watch;
	urlsift_mail_sink sink;
	const urlsift_allocator *alloc;
	urlsift_scanner *scanner;
	struct scanner_values scan;
	const char *charset;      /* of parts that declare none; NULL for none */
	const char *www_base;     /* gives `//host` its scheme */
	struct known_field wanted[FIELD_ROWS], unknown; /* unknown: for fields of no row */
	struct field_index known; /* of these */
	struct charset_cache charsets;
	struct alternatives alternatives;
	struct source_place at;
	struct word_text words;
	struct html_part *html;   /* on first need; one part is read at a time */
	char *room;               /* for a comparable form, or the text of a target; on first need */
	struct anchor_target own;
	uint64_t begun;           /* messages of the source */
	urlsift_message message;
	struct meta_texts meta;
	bool news;                /* the message is an article */
	urlsift_place place;
	char field[NAME_MAX_SHOWN], type[2 * NAME_MAX_SHOWN];
	urlsift_status status;
};

/* False stops everything: nothing is handed out any more, whatever is called until the loops over the input end. */
static inline bool parser_ok(const struct parser *r) { return r->status == URLSIFT_OK; }

/* Counts the lines of the next n bytes, when positions are wanted. */
void parser_take(struct parser *r, const uint8_t *p, size_t n);
/* The next message begins at offset `at` and `line`; it is reported when its fields are read. */
void parser_begin_message(struct parser *r, uint64_t at, uint64_t line);
void parser_message(struct parser *r);
/* Reports r->place. */
void parser_place(struct parser *r);
void parser_limit(struct parser *r, const char *limit, uint64_t value, uint64_t offset);
/* What is damaged, so many times; nothing is told of what never is. */
void parser_damage(struct parser *r, const char *what, uint64_t count, uint64_t offset);
void parser_omit(struct parser *r, urlsift_omission omission, urlsift_text text, uint64_t offset);
/* Reports that the body of r->place has ended, unless it is hidden. */
void parser_body(struct parser *r, const urlsift_body *body);
/* A piece of the place.  Non-zero when that stops everything. */
int parser_piece(struct parser *r, const urlsift_piece *piece);
/* The first status but OK stays. */
void parser_fail(struct parser *r, urlsift_status status);
/* Fails without memory, which is there if `have`; returns `have`. */
static inline bool parser_have(struct parser *r, bool have)
{
	if (!have)
		parser_fail(r, URLSIFT_NO_MEMORY);
	return have;
}

/* A text begins at offset `at` and `line`; the n bytes are the next ones of it (when positions are wanted); the
 * position of the byte at offset `at`, which never goes back, goes to `where`. */
void position_begin(struct parser *r, uint64_t at, uint64_t line);
void position_add(struct parser *r, const uint8_t *p, size_t n);
void position_count(struct parser *r, uint64_t at, struct point *where);
/* The position of the byte at offset `at`, where position_count may be asked for earlier ones afterwards.  Linear in
 * the bytes since the last that was counted. */
void position_ahead(const struct parser *r, uint64_t at, struct point *where);
/* The next byte of the part is on `line`, after a `>` that was removed; and whether there was one. */
void position_quote(struct parser *r, uint64_t line);
bool position_quoted(const struct parser *r, uint64_t line);

/* ---- One text through the scanner ---- */

/* The content line (RFC 5545 section 3.1, RFC 6350 section 3.3) that is being read:
 * NAME;PARAMETER=...:VALUE.  Its folds are undone. */
struct content_line {
	enum { LINE_NAME, LINE_PARAMETERS, LINE_VALUE } state;
	bool quoted;                /* in a value of a parameter */
	bool begins;                /* nothing of the value was read */
	bool escape;                /* a backslash of the value, or a circumflex of the label, came last */
	unsigned matched;           /* letters of the parameter's name that are those of LABEL= (RFC 7986 section 6.3) */
	char name[NAME_MAX_SHOWN];  /* without the group of a vCard; NUL-terminated */
	size_t length;              /* 0: none */
	char label[META_MAX];       /* more than is shown */
	size_t label_length;
};

/* The offsets of the scanner become those of the place through `html`, through a map, or by adding `shift`. */
struct mail_text {
	struct parser *parser;
	urlsift_sink sink;
	struct html_part *html;
	struct map *map;
	bool counted;          /* line and column come from the parser's position, by offsets of the map */
	bool folded;           /* its lines are `line`: a part of a link may be several ranges */
	struct content_line line;
	uint64_t shift;
	struct point point;    /* of the first character */
	bool dropped;          /* the link whose parts come is one seen before */
	struct buf ranges;     /* urlsift_range: the parts of that link */
	struct buf unescaped;  /* text of a part, without escapes */
	size_t next_range;     /* of the ranges, the first that was not handed out */
	bool csv;              /* it is CSV, each field a text of its own, */
	struct csv_reader fields; /* and read so far */
};

enum { TEXT_RANGES = SPAN_MAX / 2 + 2 }; /* of a link in plain text */
/* `ranges`: so many parts a link has at most. */
void text_init(struct mail_text *t, struct parser *r, size_t ranges);
void text_fini(struct mail_text *t);
/* Prepares the scanner for this text.  The caller has set map, shift and line; embed->sink is set here. */
void text_begin(struct mail_text *t, struct embed *embed);
void text_feed(struct mail_text *t, const uint8_t *p, size_t n);
void text_finish(struct mail_text *t);
/* Hands out what is decided of the text that is being read, if there is one. */
void text_flush(struct parser *r);

/* Whether a text needs no scanner: it has no link, and may be handed out by text_plain.  TEXT_PAD zeros follow it. */
enum { TEXT_PAD = EMBED_PAD };
bool text_quiet(const struct parser *r, const uint8_t *p, size_t n);
/* Hands out such a text, if plain text is wanted. */
void text_plain(struct mail_text *t, const uint8_t *p, size_t n);
/* The offset in the scanner's source before which everything has been handed out or dropped. */
uint64_t text_out(const struct parser *r);

/* Hands out the link that a value is, unless it is none or an earlier alternative had it (ATTRIBUTE_SEEN).  `target`:
 * as the place's target.  `text`: as it is written. */
enum attribute_result text_whole(struct parser *r, const struct attribute *value, urlsift_text text, bool target);
/* Says that a relative target of n bytes, read by rule C1, is omitted. */
void text_omit(struct parser *r, const uint8_t *text, size_t n, uint64_t offset);

/* ---- The fields of a header block ---- */

enum { FIELDS_LISTED = 64 };

struct header_block {
	const uint8_t *bytes;
	size_t length;
	uint64_t at, line; /* of its first byte */
};

/* The fields of a header block that matter, listed in one pass. */
struct fields {
	struct parser *parser;
	struct mail_text text;
	struct header_block block;
	struct listed_field {
		size_t name, name_length, value, end; /* in the block */
		const struct known_field *known;
	} listed[FIELDS_LISTED];
	size_t count;
	bool open;          /* the last one listed has no end yet */
	size_t rest;        /* from here on fields were not listed for lack of room */
};

void fields_init(struct fields *x, struct parser *r);
void fields_fini(struct fields *x);
/* Sets r->known: the known fields that the parser's options need.  The others are found as unknown ones. */
void fields_choose(struct parser *r);
/* A block begins; its lines but folds come in order, each with its offset in the block and its name, NULL for a line
 * that is no field. */
void fields_reset(struct fields *x);
void fields_line(struct fields *x, const uint8_t *line, size_t at, const struct header_name *name);
/* The value of Content-Type in the n bytes of the block so far; false when there is none. */
bool fields_content_type(const struct fields *x, const uint8_t *block, size_t n, struct field *f);
/* The block is complete.  What it says of the body goes to `content`; the metadata of a message that is not inside
 * another one (`top`) go to the parser. */
void fields_read(struct fields *x, const struct header_block *block, struct content *content, bool top);
/* The file name that the block gives, decoded, its last FILE_NAME_MAX bytes at most, into `name`; its length, 0 for
 * none. */
size_t fields_file_name(struct fields *x, char *name);
/* Searches the fields that the options name.  The caller has set the part of the place. */
void fields_search(struct fields *x);
/* Hands out the link `text`, which is the value of a structured field (its name in lower case) or in it, perhaps
 * broken by white space. */
void fields_whole(struct fields *x, const char *name, const uint8_t *text, size_t n);

/* ---- The body of a text part, from its bytes to links ---- */

struct part_type {
	bool html;
	const char *charset;  /* as declared, NUL-terminated; "" for none */
	enum flowed flowed;   /* with FLOWED_CONTENT, a line end and a blank are a fold */
	bool csv;
	urlsift_text base;    /* for partial forms; empty for none */
	uint64_t line;        /* of the first byte */
	bool decoded;         /* offsets begin at 0 */
};

/* The content line that is read, without folds: of vCard 2.1 and vCalendar 1.0 its value may be quoted-printable. */
struct value_coding {
	enum { VALUE_HEAD, VALUE_AS_IS, VALUE_QUOTED } state;
	char head[256];       /* the name and the parameters */
	size_t length;
	bool marked;          /* in a quoted parameter */
	uint8_t held[2];      /* the beginning of an escape or of a soft line break, */
	size_t held_length;
	uint64_t held_at;     /* which is there */
};

struct part {
	struct mail_text text;
	struct map map;       /* the part's bytes -> the source, where nothing hides them */
	uint8_t end[2];       /* a line end that may begin a fold */
	size_t end_length;
	uint64_t end_at;
	struct value_coding value;
	struct charset *charset;
	struct part_type type;
	bool prescans;          /* HTML that may declare its charset in its first bytes, which are kept, or is no UTF-16 */
	uint8_t first[HTML_META_BYTES];
	size_t first_length;
	uint64_t first_at;
	uint64_t at;            /* source offset of its first byte */
	uint64_t next;          /* offset of the byte expected next: another one comes after a `>` that was removed; or
	                           SKIPPED */
};

void part_init(struct part *p, struct parser *r);
void part_fini(struct part *p);
/* The place in the parser is set up.  `at` is the offset of its first byte; line counts as the
 * place's offsets do. */
void part_begin(struct part *p, const struct part_type *type, uint64_t at);
/* Bytes with their transfer encoding decoded, that are at `at` (parser->at.hidden: in
 * the decoded part). */
void part_feed(struct part *p, const uint8_t *bytes, size_t n, uint64_t at);
void part_finish(struct part *p);
/* Source lines before its first byte are not part of it. */
void part_skip_lines(struct part *p, uint64_t lines);
size_t part_memory_bound(void);

#endif
