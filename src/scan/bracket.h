/* Links in brackets: `<URL:...>` (W), `<scheme:...>` (A), broken by white space, line prefixes and hyphens (H).
 * bracket.c reads the content and decides, gap.c reads the white space inside. */
#ifndef SCAN_BRACKET_H
#define SCAN_BRACKET_H

#include "candidate.h"
#include "line.h"

/* The bracket that closes c, which is `<`, or `[` of a link of Org (A2). */
static inline uint8_t bracket_closing(uint8_t c) { return c == '[' ? ']' : '>'; }

/* What is noted at line breaks; not initialised. */
struct noted {
	struct line_prefix prefix; /* of the line where the link opens */
	/* at a line break before the first blank (A2): the length of the text, the index before it, whether it has a line
	 * prefix */
	struct line_gap { size_t from, at; bool decorated; } gaps[BREAKS_MAX];
};

/* What was removed from a link up to a place in it, and its flags there. */
struct rejoined { urlsift_removed removed; unsigned flags; };

/* Where the link ends if it is cut: at the first blank (A2) or a `|` (A1c). */
struct cut_end {
	size_t length, at; /* of the text before it; its index */
	struct rejoined rejoined;
};

/* The content of a pair of brackets while it is read. */
struct reading {
	struct candidate *c;
	const struct view *v;    /* c->v */
	struct urlsift_link *link; /* c->link */
	struct noted *noted;
	size_t open, content;    /* the opening bracket; where its content begins */
	uint8_t closing;         /* the byte that ends it */
	bool angle;              /* no `URL:` */
	bool marked;             /* given: a destination of Markdown or Org, whose escapes are undone (B7) */
	size_t i, limit;         /* the position; the end of the span */
	size_t solid;            /* the beginning of the run that is not yet in the link */
	size_t gaps;             /* white space removed, except at the ends */
	size_t lines;            /* line breaks read */
	size_t first_gap, last_gap; /* length of the text before these gaps; SIZE_MAX for no first one */
	struct rejoined before;  /* the last gap */
	size_t line_gap_count;
	unsigned escapes;        /* given: those that are undone (link_escapes) */
	bool soft;               /* one of the line ends was a soft line break of it */
	bool folded;             /* a backslash before the gap folds the line (W2) */
	/* A2 */
	bool in_piece, piece_ok; /* after a blank inside a line; the text after it is like a URL */
	bool cut;                /* it was like prose: the link ends at `end` */
	bool blank_seen;
	struct cut_end end;      /* set with `blank_seen` or `cut` */
	bool colon_blank;        /* a blank follows the colon of the scheme */
	bool settled;            /* no blank or `|` ends it: a `|` did (A1c), or the blanks are the writer's (A2) */
};

/* Reads the link in the brackets that open at `open`, its content at `content`, after `URL:` unless `angle`.  True:
 * c->link is made, and c->end is after the `>`, or where the link ends by A2.  Else there is none, and the text is read
 * again as free text (W3, W4).  Looks at no more than SPAN_MAX bytes. */
bool bracket_read(struct candidate *c, size_t open, size_t content, bool angle);

/* Skips the white space at r->i as one gap; the text before it is in the link.  False: there is no link, or no
 * memory. */
bool gap_skip(struct reading *r);
/* The bytes of what closes the brackets at r->i, 0 if nothing does. */
size_t gap_closes(const struct reading *r);
/* The bytes of the white space character at i, 0 for none.  Characters without width count; inside a gap, so does a
 * soft hyphen.  *control: a control character, which no link holds. */
size_t gap_white(const struct view *v, size_t i, bool in_gap, bool *control);
/* A2: the text after a blank ends; unless it was like a URL, the link ends at the first blank. */
void gap_end_piece(struct reading *r);
/* Forgets the hyphens after which no text of the link remains: they stay as written. */
void gap_forget_hyphens(struct reading *r);
/* Reports that the link exceeds a limit.  Returns false. */
bool gap_exceed(const struct reading *r, enum limit limit);

#endif
