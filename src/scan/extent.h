/* The parts of a link in free text, in the order of its bytes: the character before it, its host, what follows the
 * colon of its scheme, its end. */
#ifndef SCAN_EXTENT_H
#define SCAN_EXTENT_H

#include "link.h"
#include "simd/simd.h"
#include "url/scheme.h"
#include "view.h"

/* ---- opening.c: quotation marks (D1), the prefix `URL:` (P1), emphasis (B6) ---- */

struct opening {
	size_t begin;    /* of the link */
	uint32_t before; /* the character before it, 0 at the start of the text */
	uint8_t mark;    /* B6: an emphasis mark that opens right before it, or 0 */
	size_t marks;    /* how many of them */
	uint8_t closer;  /* B8: the delimiter, no comma or semicolon, of a command to substitute, right before it; or 0 */
	bool must_close; /* no link begins after it unless it is such a mark (B1) */
};

void opening_read(const struct view *v, size_t begin, struct opening *o);
/* B1: whether a link may begin there; may set o->must_close.  `hier`: its scheme has `//`. */
bool opening_allows(const struct view *v, size_t floor, struct opening *o, bool hier);
/* B1: letter, digit or `_`: no link begins right after one. */
bool opening_is_word(uint32_t c);
/* B1: whether the letters before i are those of an escape in the source of a program or of roff: `\n`, `\fB`,
 * `\(dq`. */
bool opening_is_escaped(const struct view *v, size_t i);
/* B3: whether eight `_` or more end right before i. */
bool opening_follows_ruler(const struct view *v, size_t i);
/* B6: whether the command of TeX that quotes up to a mark, `\verb`, is right before i. */
bool opening_follows_command(const struct view *v, size_t i);
/* B1, B5: whether a macro of AsciiDoc, such as `link:`, begins the word before `begin`. */
bool opening_follows_macro(const struct view *v, size_t begin);
/* White space of ASCII or Unicode. */
bool opening_is_space(uint32_t c);
/* P1: `URL:` right before i, not inside a word; so, or `URL: `. */
bool opening_ends_prefix(const struct view *v, size_t i);
FAST_INLINE bool opening_has_prefix(const struct view *v, size_t i)
{
	i -= (byte_class[byte_before(v->p, i)] & BYTE_BLANK) != 0; /* no branch: it would be unpredictable */
	return byte_before(v->p, i) == ':' && opening_ends_prefix(v, i);
}
/* D1: whether a quotation may open with c. */
static inline bool opening_is_quote(uint32_t c) { return c == '"' || c == '\'' || c >= 0xAB; }
/* D1: whether `close` is the counterpart of the quotation mark `open`. */
bool opening_pairs(uint32_t open, uint32_t close);
/* Whether it is the counterpart of the mark or quotation mark `open`; `marks`: those of marks, in pairs. */
bool opening_closes(const char *marks, uint32_t open, uint32_t close);

uint32_t view_before_high(const struct view *v, size_t i, size_t *begin); /* view_before, for a byte from 0x80 on */
/* The character that ends at i (C1), and where it begins; 0 at the start of the text. */
static inline uint32_t view_before(const struct view *v, size_t i, size_t *begin)
{
	if (byte_before(v->p, i) >= 0x80)
		return view_before_high(v, i, begin);
	*begin = i - (i > 0);
	return byte_before(v->p, i);
}

/* Whether c ends an authority: a path, a query or a fragment begins with it. */
static inline bool ends_authority(int c) { return byte_class[(uint8_t)c] & BYTE_DELIMITER; }

/* ---- host.c: hosts in free text (B2, B11, B12) ---- */

enum { HOST_MAX = 255 };

struct host {
	size_t end;      /* index after the host */
	size_t labels;
	bool stopped;    /* the next byte cannot be in a host: the link ends at `end` */
	bool last_alpha; /* the last label is letters, `xn--...`, or beyond ASCII */
	bool ascii;
};

/* The host that begins at i.  `mark`: the emphasis mark right before the link, or 0; such marks at the end are not part
 * of the host (B6).  False: there is none.  Looks at HOST_MAX bytes and a few more. */
bool host_read(const struct view *v, size_t i, uint8_t mark, struct host *h);
/* Reads a host after `//`, where escapes of ASCII letters, digits, hyphens, full stops and `_` are part of it. */
bool host_read_escaped(const struct view *v, size_t i, uint8_t mark, struct host *h);
bool host_goes_on(const struct view *v, size_t begin, size_t i); /* host_is_cut, where the byte at i is one of its */
/* B2: whether the link whose authority begins at `begin` has no path, and its host goes on at i with an escape of JSON,
 * a regular expression or roff, of a letter or digit, or of what is before one: `m\u00fcnchen`, `a\.example`,
 * `a\&.example`; or with a defanged full stop or at sign: `a[.]example`. */
static inline bool host_is_cut(const struct view *v, size_t begin, size_t i)
{
	return BYTE_IN(view_byte(v, i), "\\[({<].") && host_goes_on(v, begin, i);
}
/* Whether the character beyond ASCII may be in a host. */
bool host_may_hold(uint32_t cp);
/* B12: whether a host under an ASCII top-level domain, and a port, end before the character beyond ASCII. */
bool host_ends_before(uint32_t cp);
bool host_goes_back_high(uint32_t cp, uint8_t next); /* host_goes_back, beyond ASCII */
/* M1, S2: whether a name that is read backwards has the character before the byte `next`: a byte of the classes, or a
 * character beyond ASCII that a host may hold; but an ASCII letter or digit begins one after a CJK letter or a
 * symbol. */
static inline bool host_goes_back(uint32_t cp, unsigned classes, uint8_t next)
{
	return cp < 0x80 ? byte_class[cp] & classes : host_goes_back_high(cp, next);
}
/* S2: whether the n bytes are a name under a top-level domain, without `_` in the label before it, that is not like the
 * name of a file or a variable, nor local.  `path`: a path follows. */
bool host_is_domain(const uint8_t *p, size_t n, bool path);

/* ---- schemepart.c, authority.c: what follows the colon of a scheme (B2, B10) ---- */

struct schemepart {
	bool alone;     /* a host without userinfo (S1) */
	bool authority; /* an authority was read, and begins at `host` */
	size_t host;    /* else what follows the colon */
	size_t rest;    /* the extent continues here */
	bool ends;      /* the link ends at `rest`: the next byte cannot follow a host (B2) */
	bool torn;      /* hyphens, full stops or a `@`, and a declared break (J1) are at `rest`: part of the authority if
	                 * it continues after the break */
	bool escaped;   /* `:\/\/` (B7) */
	bool plain;     /* what precedes `rest` is ASCII without userinfo; false may be wrong */
	size_t domain;  /* the end of the domain that ends what was checked; 0: it ends otherwise */
	bool hier;      /* `//` */
	bool whole;     /* what is checked is a whole link: a placeholder in its host is part of it */
};

/* The length of the colon of a scheme at i, which may be defanged, also where it is struck over a bare one (`:`, BS,
 * `[:]`); 0 for none. */
size_t schemepart_colon(const struct view *v, size_t i);
/* The `//` at i: 2, the `\/\/`: 4, the `\\/\\/` of JSON in JSON: 6, else 0. */
FAST_INLINE size_t schemepart_slashes(const struct view *v, size_t i)
{
	if (view_read(v, i) == '/')
		return view_read(v, i + 1) == '/' ? 2 : 0;
	return view_word(v, i, "\\/\\/", 4) ? 4 : view_word(v, i, "\\\\/\\\\/", 6) ? 6 : 0;
}
/* Whether a URL of the row continues at b->rest, after the colon; sets the other fields of *b.  `row`: NULL for an
 * unknown scheme.  `delimited`: inside brackets or quotation marks, where more schemes are links.  Looks at no more
 * than the authority, or LINE_LOOK bytes. */
bool schemepart_check(const struct view *v, const struct scheme *row, bool delimited, const struct opening *o,
                      struct schemepart *b);
/* Checks a text that is a whole link. */
bool schemepart_whole(const struct view *v, const struct scheme *row, bool delimited, struct schemepart *b);
/* B10: whether an unknown scheme of that many bytes is noise: the rest of `http` where a dump cuts it. */
bool schemepart_torn(const uint8_t *text, size_t scheme);
/* B10: whether the n bytes of text, a URL with `//` whose unknown scheme has `scheme` bytes, are more than noise. */
bool schemepart_unknown(const uint8_t *text, size_t n, size_t scheme);
/* A host alone at i (S1, S2). */
bool authority_host(const struct view *v, size_t i, const struct opening *o, struct host *h, struct schemepart *b);
/* A host or the literal of an address at i, as after a user. */
bool authority_host_or_literal(const struct view *v, size_t i, uint8_t mark, struct schemepart *b);
/* An authority at i (B2, B11): b->rest is after the host; the port is not looked at. */
bool authority_read(const struct view *v, size_t i, const struct opening *o, struct schemepart *b);

/* ---- extent.c: where a bare link ends (B3 to B8, D1), found in one pass with counters ---- */

/* The brackets that are open. */
struct nested {
	unsigned open[3];      /* ( [ { */
	unsigned escaped;      /* `\(`, `\[` or `\{` without its closer */
	size_t before_escaped; /* the extent's `end` at the outermost of these */
	size_t at[3];          /* the outermost of each that is open */
	size_t before[3];      /* the extent's `end` as it was there */
};

struct extent {
	size_t end;        /* after the last byte that is part of the link (B4, B5) */
	size_t at;         /* how far it was read: the byte that ended it, or the limit */
	size_t begin;      /* of the link, for the length limit */
	size_t rest;       /* where it began to be read: after the host */
	size_t max;        /* most bytes of a link */
	size_t first_escape; /* from here to `apostrophes`: 0 at first */
	size_t bracket;    /* after the last `[`, `[^` or `[fn:` if only bytes of `mark` followed, else 0 */
	bool bracketed;    /* an opening bracket is right before the link (A1c, B5a) */
	bool value;        /* an equals sign is right before it (B8) */
	bool swallow;      /* only B3 ends it (B10) */
	bool escaped;      /* opened as scheme:\/\/ : `\/` is `/` (B7) */
	bool source;       /* after its authority `\uXXXX` and `\_` are the character (B7) */
	bool square;       /* a `[` was read */
	bool path;         /* there is a path, query or fragment; known where such an escape was seen */
	bool authority;    /* read the authority only: stop at / ? # */
	bool beyond_ascii;
	bool truncated;    /* the length limit ended it */
	bool unescape;     /* an `&amp;`, `\/` or `\u0026` is before `end` */
	bool at_opener;    /* B5: it ended at an opener whose closer follows a blank */
	uint8_t closer;    /* an ASCII quotation mark or separator that ends it, or 0 (D1, B5a, B8); two
	                    * apostrophes: "`" */
	enum { ARGUMENT_NO = 1, ARGUMENT_YES } argument; /* is_argument; 0 if not known */
	unsigned escapes;  /* ESCAPES_AT in Texinfo; else whether `&amp;amp;` in it is an ampersand (L): ESCAPES_TWICE or
	                    * _ONCE, 0 if not known */
	unsigned apostrophes;
	struct nested nested;
	size_t before_bracket; /* `end` as it was at that `[` */
	unsigned mark;
};

/* The character if it is of ASCII, else 0. */
static inline uint8_t ascii_of(uint32_t cp) { return cp < 0x80 ? (uint8_t)cp : 0; }

/* An extent that begins at i, still empty. */
FAST_INLINE void extent_init(struct extent *x, size_t begin, size_t i, size_t max)
{
	x->begin = begin;
	x->at = x->end = x->rest = i;
	x->max = max;
	/* not a literal of the whole: that would be one instruction that takes long to start */
	enum { FROM = offsetof(struct extent, first_escape) };
	memset((char *)x + FROM, 0, offsetof(struct extent, nested.before_escaped) - FROM);
}
/* Notes the character before the link, whose counterpart may end it (A1c, D1, B5a), or says what
 * does (B8). */
FAST_INLINE void extent_before(struct extent *x, uint32_t before)
{
	const uint8_t ascii = ascii_of(before);
	x->closer = BYTE_IN(ascii, "'|\"") ? ascii : 0;
	x->bracketed = ascii == '<' || url_class[ascii] & URL_OPEN;
	x->value = ascii == '=';
}
/* Counts the brackets and apostrophes of userinfo, where [i, end) has it, which is not read as an extent (B5). */
void extent_count(struct extent *x, const struct view *v, size_t i, size_t end);
/* Passes over the bytes up to index `inner`, all URL_INNER, but for those of a character reference that ends there. */
void extent_skip(struct extent *x, const struct view *v, size_t inner);
/* Continues from x->at to the end of the link.  May be called again after x->at was moved (J1). */
void extent_run(struct extent *x, const struct view *v);
/* Sets x->unescape when the end is known. */
static inline void extent_settle(struct extent *x) { x->unescape = x->first_escape && x->first_escape <= x->end; }
/* Whether a bracket of it is open. */
static inline bool extent_is_open(const struct extent *x)
{
	const unsigned *open = x->nested.open;
	return open[0] | open[1] | open[2];
}
/* B5: ends a link that a blank ended with an open bracket at an opener whose closer follows.  Raises *read to the end
 * of what was read for that. */
void extent_end_at_opener(struct extent *x, const struct view *v, size_t *read);
/* Whether a known scheme with `//`, which may be defanged, begins at i, at most the end of the view (B8, B10). */
bool extent_scheme_at(const struct view *v, size_t i);
/* B8: whether the character cp of `width` bytes at i, a symbol or a letter of a script without blanks, is alone between
 * two links. */
bool extent_between(const struct view *v, size_t i, size_t width, uint32_t cp);

#endif
