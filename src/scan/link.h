/* A link while it is built, and the answers of urlsift_link_*. */
#ifndef SCAN_LINK_H
#define SCAN_LINK_H

#include "simd/simd.h"
#include "text/buf.h"
#include "url/scheme.h"
#include "url/url.h"
#include "view.h"

#include <string.h>

enum { LABEL_CHARACTERS = 200, LABEL_MAX = 4 * LABEL_CHARACTERS };

struct span { size_t from, to; }; /* indices of the view */

/* A hyphen at a line break (H2): where it is, or would be, in the text. */
struct hyphen {
	size_t at;      /* in link->text */
	uint8_t bytes;  /* of the hyphen in UTF-8 */
	uint8_t form[3];
	bool kept;
	struct span source;
};

/* The length that the text had where the hyphen was noted, without it unless it is kept. */
static inline size_t hyphen_end(const struct hyphen *h) { return h->at + (h->kept ? h->bytes : 0); }

struct link_alternates {
	struct buf texts;
	size_t count;
	urlsift_alternate all[ALTERNATES_MAX];
};

struct link_hyphens {
	size_t count;
	struct hyphen all[BREAKS_MAX];
};

/* The text of a link that readers see, and that around it. */
struct link_around {
	bool known; /* the rest is set (label_read, scanner_attribute), in the rooms or the caller's memory */
	bool raw;   /* `label` is not collapsed yet */
	size_t raw_lines; /* 0, or `before` and `after` are the view yet, and so many lines of `before` are wanted */
	urlsift_text label, before, after;
	uint8_t label_room[LABEL_MAX], before_room[LABEL_MAX], after_room[LABEL_MAX];
};

/* Ranges of the source that somebody else has; NULL and 0 for none. */
struct places {
	const urlsift_range *at;
	size_t count;
};

struct urlsift_link {
	const uint8_t *text; /* in the view or in `copy` */
	size_t length;
	struct buf copy;
	struct buf spans;    /* struct span: the parts, in the view */
	struct buf ranges;   /* urlsift_range: the same in the source, set when the link is handed out */
	struct buf resolved; /* the absolute URL of a partial form, else empty */
	struct places placed; /* reported instead of `ranges` (scanner_place) */
	struct point point;
	urlsift_removed removed;
	urlsift_convention convention;
	unsigned flags;
	const char *supplied;
	char scheme[SCHEME_NAME_MAX + 1];
	size_t scheme_length;
	size_t head; /* bytes before the path of a link of simple_read, which is URL_INNER; else 0 */
	bool simple; /* known to be (link_is_simple) */
	bool converted; /* bytes of it in the text are no UTF-8 (C1) */
	unsigned escapes; /* that are undone in it (enum link_escapes) */
	/* Warnings by what is around it: URLSIFT_WARN_TEXT_MISMATCH or _REDIRECT: the text shown for it names another host;
	 * _INVISIBLE, _BIDI: what ends it cannot be seen. */
	unsigned text_warnings;
	size_t hyperlink; /* the target of one of a terminal (B1): 1 plus the bytes of its label in the raw text; else 0 */
	bool failed; /* no memory */
	bool *failure; /* &failed, for the functions that take the link as const */
	struct idna_memo *memo; /* &idna, the same */
	size_t reach;  /* the end of what was read after it, in the view, where a sequence of a terminal matters; or 0 */
	struct link_alternates alternates;
	struct link_hyphens hyphens;
	struct link_around around;
	struct idna_memo idna;
};

/* Up to index `to` the text was read for the link, or to find none. */
static inline void link_look(struct urlsift_link *l, size_t to) { l->reach = larger(l->reach, to); }
void link_init(struct urlsift_link *l, const urlsift_allocator *alloc);
void link_fini(struct urlsift_link *l);
/* Clears what was set of a link after it was read. */
static inline void link_again(struct urlsift_link *l)
{
	l->flags = 0;
	l->spans.length = 0;
	l->placed = (struct places){NULL, 0};
	l->point = (struct point){0, 0};
	l->around.known = l->around.raw = false;
}
/* Starts a new link; buffers are kept. */
static inline void link_clear(struct urlsift_link *l)
{
	link_again(l);
	l->text = NULL;
	l->length = 0;
	l->copy.length = l->ranges.length = l->alternates.texts.length = l->resolved.length = 0;
	l->alternates.count = l->hyphens.count = 0;
	l->removed = (urlsift_removed){0, 0, 0};
	l->supplied = "";
	l->scheme_length = l->head = 0;
	l->simple = l->converted = false;
	l->escapes = 0;
	l->hyperlink = 0;
}

static inline struct span *link_spans(const struct urlsift_link *l)
{
	return (struct span *)(void *)l->spans.data;
}
static inline size_t link_span_count(const struct urlsift_link *l) { return l->spans.length / sizeof(struct span); }
/* The last of its parts; it has one. */
static inline struct span *link_last_span(const struct urlsift_link *l)
{
	return (struct span *)(void *)(l->spans.data + l->spans.length) - 1;
}
/* Where its parts are in the source. */
static inline struct places link_places(const struct urlsift_link *l)
{
	if (l->placed.at)
		return l->placed;
	return (struct places){(const urlsift_range *)(const void *)l->ranges.data, link_span_count(l)};
}

static inline size_t link_part_count(const struct urlsift_link *l) { return link_places(l).count; }

/* The end of its source. */
static inline uint64_t link_source_end(const struct urlsift_link *l)
{
	const struct places places = link_places(l);
	const urlsift_range *const last = places.at + places.count - 1;
	return last->offset + last->length;
}

/* Begins a new part, [from, to) of the view.  Every part is made here.  False without memory. */
static inline bool link_part(struct urlsift_link *l, size_t from, size_t to)
{
	struct span part = {from, to};
	if (buf_add(&l->spans, &part, sizeof part))
		return true;
	l->failed = true;
	return false;
}
/* Adds [from, to) of the view: the last part grows if it ends at `from`, else a new part begins.  link_add copies the
 * text, as UTF-8 (C1); link_cover only notes the range. */
void link_add(struct urlsift_link *l, const struct view *v, size_t from, size_t to);
static inline void link_cover(struct urlsift_link *l, size_t from, size_t to)
{
	if (from >= to)
		return;
	if (l->spans.length && link_last_span(l)->to == from)
		link_last_span(l)->to = to;
	else
		link_part(l, from, to);
}
/* Appends text without a range. */
void link_put(struct urlsift_link *l, const uint8_t *bytes, size_t n);
/* Appends text as UTF-8 (C1).  False without memory. */
bool link_convert(struct buf *to, const uint8_t *p, size_t n);
enum link_escapes {
	ESCAPES_AMP = 0, ESCAPES_BACKSLASH = 1, ESCAPES_QUOTED = 2,
	ESCAPES_TWICE = 4, ESCAPES_ONCE = 8, ESCAPES_AT = 16
};
/* As link_add, with `&amp;` and the like undone and flagged (L); where wanted also `\/`, `\u00fc` and the like, the
 * escapes of quoted-printable (J1), and `&amp;amp;` and Texinfo's `@@`. */
void link_add_unescaped(struct urlsift_link *l, const struct view *v, size_t from, size_t to, unsigned escapes);
/* The character that an escape stands for in such a text: its length in UTF-8, 0 if the `left` bytes at p begin with no
 * escape.  *n: the length of the escape. */
size_t link_read_escape(const uint8_t *p, size_t left, unsigned escapes, uint8_t utf8[4], size_t *n);
/* Whether a URL may hold the byte: white space, controls and marks that enclose URLs end one. */
static inline bool link_may_hold(uint8_t c) { return !(url_class[c] & (URL_STOP | URL_BACKSLASH)); }
/* The length of what follows the `&` of a reference to the character *c of ASCII, which a URL may hold, `amp;`, `apos;`
 * or `#x3D;`, where the bytes begin with it; else 0.  In a calendar it is `amp\;`. */
size_t link_reference_name(const uint8_t *p, size_t left, uint8_t *c);
/* The length of such a reference that the bytes begin with; 0 for none. */
static inline size_t link_reference(const uint8_t *p, size_t left)
{
	uint8_t c;
	const size_t n = byte_at(p, 0, left) == '&' ? link_reference_name(p + 1, left - 1, &c) : 0;
	return n ? n + 1 : 0;
}
/* The character that `\uXXXX`, or a pair of them, at p stands for (B7); 0 for none.  *n: its length, also where it is
 * cut. */
uint32_t link_read_unicode(const uint8_t *p, size_t left, size_t *n);
/* The length of roff's name of a character at p, a backslash, `\(ti` or `\[ti]`, and the character *c; 0 for none.
 * After `_` a bracket of Markdown is more likely: `Shed_\(time\)`. */
size_t link_read_named(const uint8_t *p, size_t left, uint8_t *c);
/* The escape of a mark at p, a backslash, and the character *c that it leaves (B7): what roff names, the mark, or for
 * roff's `\:` before a letter, a digit or `/`, but not before `//` or a number after a word, and `\&` beside a full
 * stop, what follows.  The `{}` of TeX's `\~{}` belongs to it.  Returns the length of both, 0 for none. */
size_t link_read_mark(const uint8_t *p, size_t left, uint8_t *c);
/* The view must hold what may be such an escape at i, a backslash, but of what follows a line end no more than that. */
void link_needs_mark(const struct view *v, size_t i);
/* As link_read_mark, the escape of Texinfo at p, an at sign: `@@`, `@{`, `@}`, and `@/`, where a line may be broken,
 * before a letter, a digit or `/`. */
size_t link_read_at(const uint8_t *p, size_t left, uint8_t *c);
/* The length of roff's escape at p that is within a name, as of a host: `the\-pier`,
 * `pier\&.example`, `www.\:pier`; 0 for none. */
size_t link_read_name(const uint8_t *p, size_t left);
/* Reads the character that the escapes of quoted-printable at p, of which `left` bytes are there, stand for.  Returns
 * its length in UTF-8; 0 for none that may be in a link.  *n: the length of the escapes, 0 for none. */
size_t link_read_quoted(const uint8_t *p, size_t left, uint8_t utf8[4], size_t *n);
/* Whether [from, to) of the view is ASCII without `&`: as link_add_unescaped adds it, but for slashes. */
static inline bool link_is_verbatim(const struct view *v, size_t from, size_t to)
{
	return ascii_prefix(v->p + from, to - from) == to - from && !memchr(v->p + from, '&', to - from);
}
/* Makes [from, to) of the view both text and part; nothing is copied. */
static inline void link_whole(struct urlsift_link *l, const struct view *v, size_t from, size_t to)
{
	link_cover(l, from, to);
	l->text = v->p + from;
	l->length = to - from;
}
/* Cuts the text to `length` bytes, and the parts at index `to` of the view. */
void link_cut(struct urlsift_link *l, size_t length, size_t to);
/* Resolves the text from `from` on, where it has no scheme, against the base; sets the scheme of the result. */
void link_resolve(struct urlsift_link *l, size_t from, const char *base, size_t length);
/* Cuts a copied text to `length` bytes at most, and the parts accordingly. */
void link_trim(struct urlsift_link *l, const struct view *v, size_t length);
/* Sets the scheme, in lower case. */
void link_set_scheme(struct urlsift_link *l, const char *name, size_t n);
/* Sets the flags that its scheme implies; `row` is NULL for an unknown one. */
void link_judge_scheme(struct urlsift_link *l, const struct scheme *row);
/* Notes the hyphen that the copied text ends with at a line break (H1): unless it is kept, it goes.  `keep`: one of
 * ASCII is kept; those of typesetters never are (H4).  False: there is none. */
bool link_note_hyphen(struct urlsift_link *l, const struct view *v, bool keep);
/* Adds the alternates of the hyphens (H2), up to `most`. */
void link_alternates(struct urlsift_link *l, size_t most, bool keep);
/* Adds the text, as it is now, to the alternates (J2), up to `most`. */
void link_keep_text(struct urlsift_link *l, size_t most, double confidence);
/* Drops the last alternate if it is the text. */
void link_drop_kept(struct urlsift_link *l);
/* Whether a link begins with the piece. */
static inline bool piece_begins_link(const urlsift_piece *p) { return p->link && p->part == 0; }
/* simple.c.  Whether the text is the target, needs no encoding and has no warning but text-mismatch, as that of http,
 * https or ftp in lower case with a plain host.  A few such links are not recognised.  Linear. */
bool link_looks_simple(const urlsift_link *l);
/* Whether it has one of warn_of_simple, which are not 0. */
bool link_is_warned(const urlsift_link *l);
static inline bool link_is_simple(const urlsift_link *l)
{
	return (l->simple || link_looks_simple(l)) && !(warn_of_simple && link_is_warned(l));
}
/* Whether the text of a simple link is its normal form; some are not recognised.  Linear. */
bool link_is_normal(const urlsift_link *l);
/* split_url of the text of a simple link. */
void link_split(const urlsift_link *l, urlsift_url *url);
/* mismatch.c.  The warning (link.text_warnings) if the text before `link` in the view, [from, floor), is a link shown
 * for it, as in `www.a.test <http://b.test/>`: only a closing bracket, blanks and what opens `link` are between them,
 * and their hosts have two owners; else 0. */
unsigned mismatch_before(const struct view *v, size_t from, size_t floor, const struct urlsift_link *link);

/* Whether its scheme is on the allow-list and no warning forbids an href. */
bool link_may_be_href(const urlsift_link *l);
/* As urlsift_url_unwrap, for the absolute URL of the link. */
size_t link_unwrapped(const urlsift_link *l, char *out, size_t size);
/* The URLSIFT_WARN_ flags of the link, and of what a link rewriter hides in it. */
unsigned link_warnings_of_both(const urlsift_link *l);

#endif
