/* A header block in memory: its fields, and what they say of the body. */
#ifndef MAIL_HEADER_H
#define MAIL_HEADER_H

#include "text/ascii.h"
#include "text/buf.h"
#include "transfer.h"
#include "urlsift-mail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- A header block in memory ---- */

struct field {
	const uint8_t *name; /* as written, blanks before the colon left out */
	size_t name_length;
	const uint8_t *value; /* after the colon and the blanks after it, with its folds (RFC 5322 section 2.2.3) */
	size_t value_length;  /* without the line end */
};

/* What the line at p, n bytes with its line end, is in a header block.  FIELD: a name of printable ASCII without a
 * colon, blanks perhaps, and a colon.  FOLD: begins with a blank and has something else.  BLANK: a line end alone, or
 * blanks and a line end.  OTHER: anything else, the body of a message without its blank line (but for `>From ` and
 * `From ` lines, which are skipped). */
enum header_line { HEADER_FIELD, HEADER_FOLD, HEADER_BLANK, HEADER_OTHER };
struct header_name {
	size_t length, colon; /* of a FIELD: the length of its name, the index of its colon */
};
enum header_line header_line_read(const uint8_t *p, size_t n, struct header_name *name);
/* Whether such a line is a URL: a body without its blank line may begin with one; no field is called `http`. */
static inline bool header_is_url(const uint8_t *p, size_t n, size_t colon)
{
	return colon < 16 && text_begins(p + colon + 1, n - colon - 1, "//");
}
/* What a line is where a body without its blank line may begin: a URL is OTHER. */
static inline enum header_line header_line_or_url(const uint8_t *p, size_t n, struct header_name *name)
{
	const enum header_line kind = header_line_read(p, n, name);
	return kind == HEADER_FIELD && header_is_url(p, n, name->colon) ? HEADER_OTHER : kind;
}

/* The value in [from, to) of a block, which a field has after its colon, with all its lines. */
void header_value(const uint8_t *block, size_t from, size_t to, struct field *field);

/* The field at *at of a block of whole lines, *at moving after it and after lines
 * that are none; false at the end.  Linear over a block. */
bool header_next(const uint8_t *block, size_t n, size_t *at, struct field *field);
/* After the comment whose `(` is at p < end (RFC 5322 section 3.2.2); they nest, and one that is not closed takes all
 * the rest. */
const uint8_t *header_after_comment(const uint8_t *p, const uint8_t *end);
/* After the printable ASCII at p without the 16 bytes of `but`, some of which may be there twice: a token. */
const uint8_t *header_after_token(const uint8_t *p, const uint8_t *end, const char but[17]);
/* Whether the field has this name (lower case, NUL-terminated). */
bool field_is(const struct field *f, const char *name);

enum { BASE_MAX = 1024 };      /* bytes of a base, encoded */
enum { PARAMETER_MAX = 1024 }; /* bytes of a parameter's value or of a type: the rest is cut */

/* Content-Type and what of its parameters counts (RFC 2045 section 5.1, RFC 2231:
 * continuations, percent-encoding and a charset'language' prefix), in memory of
 * the caller. */
struct content_type {
	char type[64], subtype[64]; /* lower case, NUL-terminated; "text" and "plain" where
	                               the field is missing, empty, a bare `text` or not of the grammar */
	uint8_t boundary[PARAMETER_MAX];
	size_t boundary_length;     /* 0 for none; larger than PARAMETER_MAX: as long as it was, and cut */
	char charset[64];           /* as written but for blanks and quotation marks too many, NUL-terminated,
	                               "" for none or one that is longer */
	bool flowed, delsp;         /* format=flowed, delsp=yes (RFC 3676) */
	bool report_cut;            /* a parameter was longer than PARAMETER_MAX, or in more than 64 sections */
	uint8_t url[PARAMETER_MAX]; /* of an external body (RFC 2017), or what its FTP access means (RFC 2046 section
	                               5.2.3.1), without white space */
	size_t url_length;          /* 0 for none */
};
/* value may be NULL for a field that is missing.  Unquoted values with blanks or
 * specials in them extend to the next `;`, or to one of these parameters after a blank; comments
 * are removed; the first of two parameters of one name counts, and so does the first of its forms, one value
 * or sections.  Linear. */
void content_type_read(const uint8_t *value, size_t n, struct content_type *t);

/* The file name that a Content-Disposition (RFC 2183), or else a Content-Type, has as a parameter: returns its length,
 * 0 for none, as at most `room` bytes of it are stored.  Percent-encoding is undone; encoded-words are not. */
size_t content_name_read(const uint8_t *value, size_t n, bool disposition, uint8_t *name, size_t room);

/* The value of a Date field (RFC 5322 section 3.3 and its obsolete forms, and that of ctime) as seconds since
 * 1970-01-01 00:00 UTC; -1 when it cannot be read, is before that or after 2100. */
int64_t date_read(const uint8_t *p, size_t n);

/* Sets [*from, *to) to the text between the first `<` and the next `>`, else to the value itself, without the
 * blanks around it. */
void header_identifier(const uint8_t *value, size_t n, size_t *from, size_t *to);

/* ---- The header fields that mean something here ---- */

enum {
	FIELD_URLS = 1,       /* carries URLs */
	FIELD_IDENTIFIERS = 2, /* message identifiers (A3) */
	FIELD_SHOWN = 4,      /* a reader shows it */
	FIELD_OPAQUE = 8,     /* a picture or a signature: long, and no text */
	FIELD_NEWS = 16,      /* only articles have it (RFC 5536) */
	FIELD_PREFIX = 32,    /* the row is for every name that begins like this and has no row of its own */
	FIELD_WANTED = 64     /* in a parser's copy of the row: it asks for such fields */
};
enum meta { META_NONE, META_ID, META_SUBJECT, META_FROM, META_DATE, META_GROUPS, META_LIST, METAS };
/* Fields that say what the body is (RFC 2045 and others). */
enum content_field { CONTENT_NONE, CONTENT_TYPE, CONTENT_ENCODING, CONTENT_BASE, CONTENT_LOCATION, CONTENT_LENGTH,
                     CONTENT_LANGUAGE };

struct known_field {
	const char *name; /* lower case */
	unsigned uses;    /* FIELD_..., or-ed */
	enum meta meta;
	enum content_field content;
	unsigned rank;    /* its place in a display, from 1; 0: after those */
};
enum { FIELD_RANKS = 10 };

/* The table, in any order. */
extern const struct known_field known_fields[];
extern const size_t known_field_count;

/* What a search needs, derived from a table when a parser is made: which lengths the names of a letter have, which
 * rules out most fields at once; the rows with one hash of letter and length as a list, and those of prefixes. */
enum { FIELD_ROWS = 128, FIELD_NAME_MAX = 63, FIELD_SLOTS = 64, FIELD_PREFIXES = FIELD_SLOTS };
struct field_index {
	const struct known_field *rows;
	uint64_t lengths[26];
	uint8_t first[FIELD_SLOTS + 1], next[FIELD_ROWS], length[FIELD_ROWS]; /* rows from 1; 0 ends a list */
};
/* `rows` must outlive the index; there are at most FIELD_ROWS. */
void field_index_init(struct field_index *x, const struct known_field *rows, size_t count);
/* The row of a name, n > 0 bytes in any letter case, of a letter and length that a row has; NULL for none. */
const struct known_field *field_index_search(const struct field_index *x, const uint8_t *name, size_t n);
/* The row of any name; NULL for none. */
static inline const struct known_field *field_index_find(const struct field_index *x, const uint8_t *name, size_t n)
{
	uint8_t letter = (uint8_t)((name[0] | 0x20) - 'a');
	bool may_be = letter < 26 && n <= FIELD_NAME_MAX && x->lengths[letter] >> n & 1;
	return may_be ? field_index_search(x, name, n) : NULL;
}

/* ---- What a header block says of the body (RFC 2045, 2046) ---- */

enum { LANGUAGE_MAX = 36 }; /* bytes of a tag, with its NUL */
enum content_kind { BODY_SKIPPED, BODY_TEXT, BODY_HTML, BODY_MULTIPART, BODY_MESSAGE, BODY_HEADERS };

/* What a media type means. */
enum {
	MEDIA_PLAIN = 1,
	MEDIA_FOLDED = 2,      /* its lines are folded: a calendar, an address book */
	MEDIA_ALTERNATIVE = 4,
	MEDIA_DIGEST = 8,      /* its parts are messages when they do not say otherwise */
	MEDIA_SEALED = 16,     /* signed or encrypted */
	MEDIA_ANY = 32,        /* it may be anything: the name of a file says more */
	MEDIA_CSV = 64
};
struct media {
	const char *type, *subtype;
	enum content_kind kind;
	unsigned is; /* MEDIA_..., or-ed */
	urlsift_omission omits; /* where it is not searched */
};

struct content {
	struct content_type type;
	const struct media *media; /* what it means */
	enum transfer transfer;
	const urlsift_scanner *scanner;
	char base[BASE_MAX];       /* Content-Base, or else Content-Location (RFC 2557) */
	size_t base_length;        /* 0 for none */
	bool relative;             /* it is a relative Content-Location */
	bool base_cut;             /* one was too long */
	bool typed, encoded;       /* there was a Content-Type, a Content-Transfer-Encoding */
	bool retyped;              /* a further Content-Type is of another kind; the first one holds */
	bool named;                /* the type is that of the name of its file */
	char language[LANGUAGE_MAX]; /* the first tag of Content-Language (RFC 3282); "" for none */
	bool has_length;
	uint64_t length;           /* Content-Length */
	bool news;                 /* an article: Newsgroups or Path */
	bool digest;               /* the Subject of the message has the word */
};

/* Sets the type, as content_type_read does. */
void content_set_type(struct content *e, const uint8_t *value, size_t n);
/* Nothing is known yet. */
void content_begin(struct content *e, const urlsift_scanner *scanner);
/* Takes a field that says something (known_field); the first of two holds. */
void content_take(struct content *e, const struct field *f, enum content_field content);
/* All fields were taken.  `in_digest`: a part of a multipart/digest, which is a message when
 * it does not say otherwise. */
void content_end(struct content *e, bool in_digest);
/* Makes a relative base one against that of the entity around it (RFC 2557 section 5); without one there is none. */
void content_resolve(struct content *e, urlsift_text outer);
/* Writes the absolute URL of a reference against a base to `base`, of BASE_MAX bytes.  Its length; 0 if the base is
 * empty, BASE_MAX + 1 if it does not fit. */
size_t content_base_resolve(urlsift_text outer, urlsift_text reference, char *base);
/* Whether a base is at most BASE_MAX bytes long where it is repeated, in each link to a page relative to it. */
bool content_base_fits(const void *base, size_t n);
/* Writes a field's value to `base`, of BASE_MAX bytes: white space, and around it quotation marks and angle brackets,
 * are removed.  Its length; BASE_MAX + 1 for a longer one, of which the beginning is written. */
size_t content_base_text(const struct field *f, char *base);
/* Writes a field's value as content_base_text does, if it is an absolute URL; one that is defanged is
 * refanged where the scanner refangs.  Its length; 0 for none, BASE_MAX + 1 for one that does not fit. */
size_t content_base(const struct field *f, const urlsift_scanner *scanner, char *base);
/* What the n bytes of a file name say of its media type, by the ending; NULL for nothing. */
const struct media *content_file_media(const char *name, size_t n);
/* The body is a file of this name, which says what the media type leaves open, as mail readers have it. */
void content_set_file(struct content *e, const char *name, size_t n);
/* Whether the body may be a digest of RFC 1153. */
bool content_is_digest(const struct content *e);
/* The kind of a body with this value of Content-Type. */
enum content_kind content_kind_of(const void *value, size_t n);

#endif
