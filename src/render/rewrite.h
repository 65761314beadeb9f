/* The format rewrite.  rewrite.c: messages and pieces; rewrite_text.c: text between links; rewrite_form.c: the table of
 * forms; rewrite_wrap.c: the form wrap; rewrite_fang.c: defang and refang; rewrite_change.c: clean, https, unwrap,
 * host; rewrite_code.c: what is code in the output;
 * rewrite_notes.c: footnotes. */
#ifndef RENDER_REWRITE_H
#define RENDER_REWRITE_H

#include "escape.h"
#include "format.h"

#include "scan/label.h"
#include "scan/line.h"
#include "scan/terminal.h"

enum {
	/* Bytes of an opening bracket, `URL:` and a line end, after which a link may follow on a line with a prefix. */
	HOLD_LONGEST = LINE_LOOK + 16,
	GAP_LONGEST = 512,      /* bytes of white space and line prefixes before a closing bracket */
	LINES_MOST = 48 * 1024, /* bytes of link lines up to which they wait for the end of the paragraph or message; */
	LINES_ALL = 256 * 1024, /* up to this number after the line; beyond it at once */
	UNNUMBERED_MOST = 256 * 1024, /* bytes of output that wait for the numbers of the text */
	HELD_LONGEST = 2 * TERMINAL_LEVEL, /* bytes of the colon of a scheme and its slashes, with what hides between */
	SCHEME_LONGEST = sizeof "https" - 1,
	WIDTH_DEFAULT = 72,
	SPANS_MOST = 8,         /* unclosed spans of code on a line */
	RST_LITERAL = 2         /* backticks around one of reStructuredText */
};

/* A link; its text is absolute and escaped for a line (escape_line). */
struct rewrite_link {
	const urlsift_piece *piece; /* its first part */
	const char *text;
	size_t length;
	urlsift_text label;         /* of an HTML target */
	unsigned flags;             /* urlsift_link_flags */
};

/* Flags of rewrite_form.how. */
enum {
	FORM_IN_PLACE = 1,     /* the parts stay where they are; `link` is called for HTML targets only */
	FORM_MENDS = 2,        /* the same, but the breaks between the parts are removed */
	FORM_MARKUP = 4,       /* links that are already in markup are not changed */
	FORM_BREAKS = 8,       /* a link is broken where its line is full, so it depends on the column where it begins */
	FORM_TERMINAL = 16,    /* control characters of the text are shown, not written */
	FORM_TEMPLATE = 32,    /* the argument is a template */
	FORM_ESCAPED = 64,     /* `&amp;` in the brackets of the form is read as `&` (L) */
	FORM_TARGETS = 128,    /* the targets of a terminal's hyperlinks are written in the form, too */
	FORM_HOST = 256,       /* the argument is a host; the scheme that was supplied for it is written */
	FORM_AT_END = 512,     /* the lines of links are written after the message */
	FORM_APART = 1024      /* its labels may not touch a word (reStructuredText) */
};

enum code_markup { CODE_NONE, CODE_MARKDOWN, CODE_ORG, CODE_RST };

struct rewrite_form {
	const char *name; /* ends with a colon if an argument follows */
	unsigned how;
	unsigned needs; /* URLSIFT_NEEDS_... */
	/* Writes the link to r->writer. */
	void (*link)(urlsift_renderer *r, const struct rewrite_link *l);
	/* Writes what comes before the text of an HTML anchor and, with `end`, after it.  Writes nothing and returns false
	 * if the form cannot represent the label.  May be NULL. */
	bool (*anchor)(urlsift_renderer *r, const struct rewrite_link *l, bool end);
	/* Writes a part that stays in place; NULL: it is written unchanged. */
	void (*part)(urlsift_renderer *r, const urlsift_piece *piece);
	/* How a colon is written that other programs may take for that of a link, before slashes
	 * or, of `http`, `https` and `ftp`, what is not blank, and what it is replaced with; NULL: it stays. */
	const char *colon, *new_colon;
	/* The markup of the output: in its code a link stays. */
	enum code_markup code;
	/* Replaces the text of the link; false if it stays.  For change_part and change_link. */
	bool (*change)(urlsift_renderer *r, struct rewrite_link *l);
	/* Called once for each link, including HTML targets; may be NULL. */
	void (*note)(urlsift_renderer *r, const struct rewrite_link *l);
};

/* The form of a name such as "wrap" or "template:%u"; *argument is what follows the colon.  NULL for none. */
const struct rewrite_form *rewrite_form_find(const char *name, const char **argument);

/* The output line so far. */
struct output_line {
	uint8_t head[LINE_LOOK]; /* its first bytes */
	size_t head_length, length;
	size_t columns;
	bool crlf;               /* the line before it ended with CRLF */
	bool made;               /* a form wrote its first word */
	bool touches;            /* FORM_APART: a label has ended right before */
	struct block_state block; /* FORM_BREAKS: what that line ends in (B9), if this one belongs to it */
};

/* Where the output is in the code of its markup. */
struct rewrite_code {
	enum code_markup markup;
	uint8_t fence;            /* Markdown: the character of the fence that is open, or 0, */
	size_t fence_length;
	size_t block;             /* Org: the number of the kind of block that is open, or 0 */
	size_t spans[SPANS_MOST]; /* of the line: how many backticks open each span that may not have ended, no two alike */
	size_t open;
	size_t ticks;             /* backticks that were written last */
};

/* Where defang is in the text of a link. */
struct fangs {
	urlsift_text text;
	size_t scheme;   /* the end of the scheme, 0 for none */
	size_t host;     /* the beginning of the host, 0 for none */
	size_t host_end; /* the end of it, or of a mailbox; 0 for none */
	bool slash;      /* its first slash is defanged, as nothing else in it can be: `//localhost` */
	size_t at;       /* the end of what has been written, */
	bool lost;       /* which is not known after an escape */
};

#define SIGNATURE "-- " /* the line before a signature (RFC 3676 section 4.3) */

enum rewrite_section { REWRITE_NONE, REWRITE_FIELD, REWRITE_BODY };

/* The white space and line prefixes between a link and its closing bracket. */
struct bracket_gap {
	bool comes;
	char text[GAP_LONGEST];
	size_t length, lines, marks;
	size_t quotes;                  /* quote marks of the line where the bracket opened */
};

/* The text of an HTML anchor. */
struct rewrite_anchor {
	bool inside;
	bool begun;                     /* some of its text that is seen has come */
	struct buf prefix;              /* what comes before that */
	struct buf suffix;              /* what follows its text */
	struct buf target;              /* the text of the link, */
	bool late;                      /* which follows and is not written yet (FORM_BREAKS), */
	unsigned flags;                 /* and its flags */
	bool labelled;                  /* its text is the label of the form */
	struct buf hidden;              /* what HTML hides of it: written after it */
};

/* HTML: white space that waits for what is seen next, so that an anchor ends before it and begins after it. */
struct rewrite_white {
	bool comes;                     /* the text is HTML, */
	bool begins;                    /* of which nothing was written so far */
	bool supplied;                  /* it is a blank after a link, for want of other white space */
	char text[GAP_LONGEST];
	size_t length;
};

/* defang, refang: a colon that may be that of a scheme. */
struct fang_colon {
	char seen[SCHEME_LONGEST];      /* the bytes written last, before it */
	bool known;                     /* these end in the name of a scheme that programs know without slashes */
	bool stays;                     /* a link comes that is not shown, as it is */
	struct buf held;                /* the colon and what came after it, which says whether it is one */
};

/* The parts of the current link that come. */
struct rewrite_parts {
	size_t left;
	uint64_t next;                  /* where the next one begins in the source; 0 after the last */
	bool broken;                    /* a line end is between the last part and that */
};

/* The preformatted blocks of gemtext, in which the line of a link is none. */
struct fences {
	bool open;                      /* the text is in one */
	bool closed;                    /* the last line did, or the one before lines of links, which begin with `=` */
	uint8_t marks;                  /* of the line so far, if there is nothing else; FENCE if it has them or cannot */
};

/* FORM_AT_END: the markup of a link that has a label, which is replaced by the label and the number of the link. */
struct label_markup {
	size_t skip;                    /* the bytes of it that come next */
	bool comes;                     /* then the label, which a `]` ends, */
	struct buf number;              /* and what follows it */
};

/* FORM_AT_END: the numbers in brackets of the message so far. */
struct footnotes {
	unsigned last;                  /* the largest of links */
	unsigned most;                  /* the largest of the text */
	unsigned final;                 /* those of links are final up to this one */
	unsigned open;                  /* the one that has begun, */
	bool opened;                    /* after a bracket */
	size_t dashes;                  /* the bytes of SIGNATURE with which a line of the text begins, and which wait */
	bool sign;                      /* up to the next blank line is a signature: links stay, */
	bool listed;                    /* and the list is written before it */
	uint32_t removed, added;        /* the lines that are left of a hunk of a patch (diff -u), unchanged ones in both */
};

/* FORM_AT_END: output whose numbers are not final, as those of links are to be above those of the text after them, too.
 * It waits for the list, or until it is UNNUMBERED_MOST bytes. */
struct unnumbered {
	urlsift_write_fn write;         /* the writer's own callback, and what it gets; NULL: nothing waits */
	void *user;
	struct buf text;
	struct buf marks;               /* where the numbers are in it, each a size_t */
	size_t waited;                  /* how much of the output has waited, whatever the writer still has of it */
	size_t lines;                   /* where the lines begin whose numbers are not final */
};

/* The replacement of a link's text where the link is. */
struct rewrite_change {
	bool comes;
	bool escaped;                   /* the link has escapes (L, B7), which stay, so all its parts are read first */
	struct buf texts;               /* then: the text, the new text, and what the parts have; */
	size_t length, new_length;      /* of the first two */
};

/* The lines of links that wait: gemtext: those of the paragraph; FORM_AT_END: of the message. */
struct link_lines {
	struct buf text;
	size_t had;                     /* the bytes of it that the text has already */
	struct hashset noted;           /* FORM_AT_END: their URLs; the value: where the line begins */
};

struct rewrite_state {
	const struct rewrite_form *form;
	const char *argument;
	enum rewrite_section section;   /* of the mail */
	struct rewrite_white white;
	bool encoding;                  /* a header field about the encoding: only its links are written */
	struct output_line line;
	struct rewrite_code code;
	char last[2];                   /* the bytes written last, but no CR of a CRLF; 0 for none, \x01 for NUL */
	/* Text that may open a bracket before a link. */
	char hold[HOLD_LONGEST];
	size_t held;
	/* The current link. */
	struct rewrite_parts parts;
	bool replaced;                  /* its form has been written */
	bool opened;                    /* its bracket was written before it: it stays, without its breaks */
	struct rewrite_change change;   /* of its text, in its place */
	bool bracketed;                 /* the bracket in `hold` belongs to it */
	struct bracket_gap gap;
	struct rewrite_anchor anchor;
	struct buf made;                /* what a form wrote, or a part of a link, its escapes undone */
	struct buf text;                /* of a rewrite_link */
	struct link_lines lines;
	struct fences fences;           /* of forms with link lines */
	struct footnotes footnotes;
	struct unnumbered unnumbered;
	struct label_markup label;
	char scratch[WRITER_SMALLEST];
	struct fangs fangs;             /* of the current link */
	struct fang_colon colon;
	uint64_t links;                 /* number of links so far: identifies broken links in a terminal */
};

static inline struct rewrite_state *rewrite_of(urlsift_renderer *r)
{
	return r->state;
}

/* Whether brackets around the link are its own. */
static inline bool rewrite_has_brackets(const urlsift_link *link)
{
	const urlsift_convention how = urlsift_link_convention(link);
	return how == URLSIFT_CONV_WRAPPER || how == URLSIFT_CONV_ANGLE;
}

/* The column after UTF-8 without line ends that begins at `column`. */
static inline size_t rewrite_columns(size_t column, const uint8_t *p, size_t n)
{
	enum { TAB = 8 };
	for (size_t i = 0; i < n; i++)
		column += p[i] == '\t' ? TAB - column % TAB : (p[i] & 0xC0) != 0x80;
	return column;
}

/* Whether control characters of the text are shown, not written. */
static inline bool rewrite_shows_controls(urlsift_renderer *r)
{
	return r->options.terminal || rewrite_of(r)->form->how & FORM_TERMINAL;
}

/* The line end of the lines that a form adds: that of the text. */
static inline const char *rewrite_line_end(const struct rewrite_state *s)
{
	return s->line.crlf ? "\r\n" : "\n";
}

/* ---- rewrite_text.c ---- */

/* Writes bytes, or shows control characters. */
void rewrite_put(urlsift_renderer *r, const char *text, size_t n);
/* Writes text from the input. */
void rewrite_out(urlsift_renderer *r, const char *text, size_t n);
void rewrite_out_line_end(urlsift_renderer *r);
/* Whether the line so far is `[word]:` or, unless it must be `defined` so, `[1]`, after which a link is a footnote
 * already. */
bool rewrite_in_footnote(const struct output_line *line, bool defined);
/* Writes the output of a form, and empties the buffer. */
void rewrite_out_made(urlsift_renderer *r, struct buf *made);
/* Writes text between links. */
void rewrite_plain(urlsift_renderer *r, const char *text, size_t n);
/* Writes the text held back, when nothing more of the previous link or anchor follows. */
void rewrite_settle(urlsift_renderer *r);
/* After a link whose bracket does not close before the next text; what may open a bracket is held. */
void rewrite_end_gap(urlsift_renderer *r);
/* Writes the text held back that may open a bracket; `mend`: without the line break after the bracket, only with the
 * word `URL:`. */
void rewrite_put_hold(urlsift_renderer *r, bool mend);
/* Writes the link lines at the end of a paragraph or message. */
void rewrite_end_paragraph(urlsift_renderer *r);
/* Writes them at the end of a text, after the end of a preformatted block that would hide them. */
void rewrite_end_text(urlsift_renderer *r);
/* Called after the last part of a bracketed link. */
void rewrite_close(urlsift_renderer *r);
/* FORM_AT_END: whether the text held back and that after the link are its markup in Markdown, Org or reStructuredText,
 * with or without a label.  If so, writes the text before it and a label that comes before the link, and the rest of
 * the markup is not written; if not, only what may open a bracket is held. */
bool rewrite_take_label(urlsift_renderer *r, urlsift_text after);
void rewrite_leave_label(urlsift_renderer *r);

/* ---- rewrite_code.c ---- */

/* A line has ended: its bytes, or the first LINE_LOOK of them. */
void rewrite_code_line(struct rewrite_code *c, const uint8_t *p, size_t n);
/* Text was written to the line. */
void rewrite_code_text(struct rewrite_code *c, const uint8_t *p, size_t n);
/* Whether the link comes in code. */
bool rewrite_in_code(struct rewrite_code *c, const struct output_line *line, const urlsift_link *link);

/* ---- rewrite_notes.c ---- */

/* A link comes, whose number waits. */
void notes_begin(urlsift_renderer *r);
/* Makes the numbers final, and writes what waits. */
void notes_end(urlsift_renderer *r);
/* Text of the input has been written: notes the numbers in brackets. */
void notes_follow(urlsift_renderer *r, const char *text, size_t n);
/* Notes that what is written next ends in the number of a link. */
void notes_mark(urlsift_renderer *r, const struct buf *made);
/* Writes the number with which a line of the list begins; returns the length that it has there. */
size_t notes_put_number(urlsift_renderer *r, const uint8_t *line);

/* ---- rewrite.c ---- */

/* Writes what follows the text of an anchor. */
void rewrite_end_anchor(urlsift_renderer *r);
/* Reads the link of its first part. */
void rewrite_read_link(urlsift_renderer *r, const urlsift_piece *piece, struct rewrite_link *l);

/* ---- Forms ---- */

void angle_link(urlsift_renderer *r, const struct rewrite_link *l);
void wrap_link(urlsift_renderer *r, const struct rewrite_link *l);
void notes_link(urlsift_renderer *r, const struct rewrite_link *l);
bool notes_anchor(urlsift_renderer *r, const struct rewrite_link *l, bool end);
void defang_link(urlsift_renderer *r, const struct rewrite_link *l);
void defang_part(urlsift_renderer *r, const urlsift_piece *piece);
bool change_clean(urlsift_renderer *r, struct rewrite_link *l);
bool change_https(urlsift_renderer *r, struct rewrite_link *l);
bool change_unwrap(urlsift_renderer *r, struct rewrite_link *l);
bool change_host(urlsift_renderer *r, struct rewrite_link *l);
/* Whether the argument of FORM_HOST is a host, with a port or without. */
bool change_host_takes(const char *argument);
void change_link(urlsift_renderer *r, const struct rewrite_link *l);
void change_part(urlsift_renderer *r, const urlsift_piece *piece);
/* Writes text in which colons are replaced. */
void fang_out(urlsift_renderer *r, const char *text, size_t n);
/* Writes what it holds, before the byte `next`, or 0 for none. */
void fang_out_end(urlsift_renderer *r, uint8_t next);

#endif
