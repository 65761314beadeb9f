/* The format rewrite: rewrite.c messages and pieces, rewrite_text.c text between links, rewrite_form.c THE table of
 * forms, rewrite_wrap.c the form wrap, rewrite_fang.c defang and refang. */
#ifndef RENDER_REWRITE_H
#define RENDER_REWRITE_H

#include "escape.h"
#include "format.h"

#include "scan/line.h"

enum {
	HOLD_LONGEST = 64,      /* bytes of an opening bracket, `URL:` and white space, that a link may follow */
	GAP_LONGEST = 512,      /* bytes of white space and line prefixes before a closing bracket */
	LINES_MOST = 48 * 1024, /* bytes of link lines that wait for the end of a paragraph; then for that of a line; */
	LINES_ALL = 256 * 1024, /* then for nothing */
	WIDTH_DEFAULT = 72
};

/* A link and its text for a line (escape_line): with its scheme, resolved. */
struct rewrite_link {
	const urlsift_piece *piece; /* its first part */
	const char *text;
	size_t length;
	urlsift_text label;         /* of a target of HTML */
};

/* A link's form writes to r->writer.  Flags of `how`: */
enum {
	FORM_IN_PLACE = 1,     /* the parts stay where they are; `link` is for targets of HTML only */
	FORM_MENDS = 2,        /* ... without the breaks between them */
	FORM_MARKUP = 4,       /* links that are in markup already are left as they are */
	FORM_TARGET_FIRST = 8, /* a target of HTML comes before the text that it links */
	FORM_TERMINAL = 16,    /* control characters of the text are shown, not written */
	FORM_TEMPLATE = 32,    /* the argument is a template */
	FORM_ESCAPED = 64      /* `&amp;` in the brackets of the form is read as `&` (L) */
};

struct rewrite_form {
	const char *name; /* with a colon at its end, an argument follows */
	unsigned how;
	unsigned needs; /* URLSIFT_NEEDS_... */
	void (*link)(urlsift_renderer *r, const struct rewrite_link *l);
	/* Writes what comes before the text of an HTML anchor and, with `end`, after it.  False, and nothing, if the
	 * label cannot be in this form.  May be NULL. */
	bool (*anchor)(urlsift_renderer *r, const struct rewrite_link *l, bool end);
	/* Writes a part that stays in place; NULL: as it is. */
	void (*part)(urlsift_renderer *r, const urlsift_piece *piece);
	/* Called once for a link, also for a target; may be NULL. */
	void (*note)(urlsift_renderer *r, const struct rewrite_link *l);
};

/* The form of a name such as "wrap" or "template:%u"; *argument is what follows the colon.  NULL for none. */
const struct rewrite_form *rewrite_form_find(const char *name, const char **argument);

/* The output line so far. */
struct output_line {
	uint8_t head[LINE_LOOK]; /* its first bytes */
	size_t head_length;
	size_t columns;
	bool crlf;               /* the line before it ended so */
};

/* What defang changes in the text of a link: indices. */
struct fangs {
	urlsift_text text;
	size_t scheme;    /* the end of the scheme, 0 for none */
	size_t delimiter; /* where `://` is, SIZE_MAX for none or after a scheme that was changed */
	size_t host;      /* where the host begins, or a mailbox before it, up to `end`; or SIZE_MAX */
	size_t end;       /* nothing is changed after it */
	size_t at;        /* up to it the text is written */
};

enum rewrite_section { SECTION_NONE, SECTION_FIELD, SECTION_BODY };

struct rewrite_state {
	const struct rewrite_form *form;
	const char *argument;
	enum rewrite_section section;   /* of the mail */
	bool begins;                    /* HTML, of which only edges of blocks came: they are not written */
	bool encoding;                  /* a field of the encoding: only its links are written */
	struct output_line line;
	char last[2];                   /* the bytes written last */
	/* Text that may open a bracket before a link. */
	char hold[HOLD_LONGEST];
	size_t held;
	/* The link whose parts come. */
	size_t parts_left;
	bool replaced;                  /* its form was written */
	bool bracketed;                 /* it opened with the bracket in `hold` */
	/* After it, the white space before its closing bracket. */
	bool closing;
	char gap[GAP_LONGEST];
	size_t gap_length, gap_lines, gap_marks;
	size_t quotes;                  /* quote marks of the line where it opened */
	bool in_anchor;                 /* the text of an HTML anchor comes */
	struct buf suffix, target;      /* to be written after it; the text of the link */
	struct buf made;                /* what a form wrote */
	struct buf text;                /* of a rewrite_link */
	struct buf lines;               /* gemtext: the link lines of the paragraph */
	char scratch[WRITER_SMALLEST];
	struct fangs fangs;             /* of the link whose parts come */
	uint64_t links;                 /* so far: identifies broken links in a terminal */
};

static inline struct rewrite_state *rewrite_of(urlsift_renderer *r)
{
	return r->state;
}

/* ---- rewrite_text.c ---- */

/* Writes text of the input. */
void rewrite_out(urlsift_renderer *r, const char *text, size_t n);
/* Writes what a form made, and empties it. */
void rewrite_out_made(urlsift_renderer *r, struct buf *made);
/* Text between links. */
void rewrite_plain(urlsift_renderer *r, const char *text, size_t n);
/* Writes what is held back: nothing of the link or the anchor that went before follows. */
void rewrite_settle(urlsift_renderer *r);
/* Writes the link lines of the paragraph that ends. */
void rewrite_end_paragraph(urlsift_renderer *r);
/* After the last part of a bracketed link. */
void rewrite_close(urlsift_renderer *r);

/* ---- Forms ---- */

void wrap_link(urlsift_renderer *r, const struct rewrite_link *l);
void defang_link(urlsift_renderer *r, const struct rewrite_link *l);
void defang_part(urlsift_renderer *r, const urlsift_piece *piece);

#endif
