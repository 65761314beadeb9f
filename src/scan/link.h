/* A link while it is built, and what it then says (urlsift_link_*). */
#ifndef SCAN_LINK_H
#define SCAN_LINK_H

#include "text/buf.h"
#include "url/scheme.h"
#include "view.h"

struct span { size_t from, to; }; /* indices of the window */

/* A hyphen at a line break (H2): where it stands, or would stand, in the text. */
struct hyphen {
	size_t at;      /* in link->text */
	uint8_t bytes;  /* of the hyphen in UTF-8 */
	uint8_t form[3];
	bool kept;
	struct span source;
};

struct urlsift_link {
	const uint8_t *text; /* into the window or into `copy` */
	size_t length;
	struct buf copy;
	struct buf spans;    /* struct span: the parts, in the window */
	struct buf ranges;   /* urlsift_range: the same in the source, made when it goes out */
	struct buf others;   /* texts of the alternates */
	struct buf resolved; /* the absolute URL of a partial form, else empty */
	const urlsift_range *placed; /* the ranges told instead of these, by a layer in front; NULL for none */
	size_t placed_count;
	size_t span_count;
	urlsift_alternate alternates[ALTERNATES_MAX];
	size_t alternate_count;
	struct hyphen hyphens[BREAKS_MAX];
	size_t hyphen_count;
	urlsift_removed removed;
	urlsift_convention convention;
	unsigned flags;
	const char *supplied;
	char scheme[SCHEME_NAME_MAX + 1];
	size_t scheme_length;
	size_t head; /* bytes before the path of a link that may be simple (simple.c); else 0 */
	enum { SIMPLE_UNKNOWN, SIMPLE_YES, SIMPLE_NO } simple; /* see link_is_simple */
	uint64_t line, column;
	bool mismatch; /* shown by a text that names another host */
	bool failed; /* no memory */
};

void link_init(struct urlsift_link *l, const urlsift_allocator *alloc);
void link_fini(struct urlsift_link *l);
/* Begins a new one; buffers are kept. */
static inline void link_clear(struct urlsift_link *l)
{
	l->text = NULL;
	l->length = 0;
	l->copy.length = l->spans.length = l->ranges.length = l->others.length = l->resolved.length = 0;
	l->span_count = l->alternate_count = l->hyphen_count = 0;
	l->removed = (urlsift_removed){0, 0, 0};
	l->flags = 0;
	l->supplied = "";
	l->scheme_length = l->head = 0;
	l->simple = SIMPLE_UNKNOWN;
	l->line = l->column = 0;
	l->placed = NULL;
}

/* Takes the window's [from, to) over: the last part grows when it ends at
 * `from`, else a new part begins.  link_add copies the text (bytes that are no
 * UTF-8 converted, C1), link_cover only notes the range. */
void link_add(struct urlsift_link *l, const struct view *v, size_t from, size_t to);
void link_cover(struct urlsift_link *l, size_t from, size_t to);
/* Appends text that stands for no range of its own. */
void link_put(struct urlsift_link *l, const uint8_t *bytes, size_t n);
/* Appends text as UTF-8, by rule C1. */
bool link_convert(struct buf *to, const uint8_t *p, size_t n);
/* As link_add, with `&amp;` and, where wanted, `\/` undone and flagged (L). */
void link_add_unescaped(struct urlsift_link *l, const struct view *v, size_t from, size_t to, bool slashes);
/* Text and part are the window's [from, to) as they stand: nothing is copied. */
void link_whole(struct urlsift_link *l, const struct view *v, size_t from, size_t to);
/* Cuts the text to `length` bytes and the parts to end at or before window
 * index `to`. */
void link_cut(struct urlsift_link *l, size_t length, size_t to);
/* Resolves the text against the base; the scheme is the result's then. */
void link_resolve(struct urlsift_link *l, const char *base, size_t length);
/* Takes the end of a copied text away, to `length` bytes, and of the parts what it
 * stands for. */
void link_trim(struct urlsift_link *l, const struct view *v, size_t length);
/* Scheme in lower case from the name's bytes. */
void link_set_scheme(struct urlsift_link *l, const char *name, size_t n);
/* The flags of the scheme that it has. */
void link_judge_scheme(struct urlsift_link *l);
/* The alternates of the hyphens (H2), at most `most` of them. */
void link_alternates(struct urlsift_link *l, size_t most, bool keep);
/* One more alternate: a joined reading (J2). */
void link_alternate(struct urlsift_link *l, size_t most, const uint8_t *text, size_t n, urlsift_why why, double confidence);
/* simple.c.  Whether the text is the target, needs no encoding and has no warning but text-mismatch: http, https or ftp
 * in lower case with a plain host.  A few such links are not recognised.  Decided once, on first use: linear. */
bool link_is_simple(const urlsift_link *l);
/* Whether it is simple, and its own normal form too.  Linear. */
bool link_is_normal(const urlsift_link *l);
static inline struct span *link_spans(const struct urlsift_link *l)
{
	return (struct span *)(void *)l->spans.data;
}

#endif
