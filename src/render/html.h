/* What the files of the HTML output share. */
#ifndef RENDER_HTML_H
#define RENDER_HTML_H

#include "escape.h"
#include "format.h"

/* ---- Text (out_html_text.c) --------------------------------------------------- */

enum { HTML_MARKS_LONGEST = 64 };

/* Text of the input on its way into an element: escaped, a line with quote marks
 * in a span that tells their depth, a line behind its first bidi control in a bdi. */
struct html_text {
	struct writer *w;
	char marks[HTML_MARKS_LONGEST]; /* read but not written yet: the depth is still to be seen */
	size_t mark_count;
	size_t blanks;  /* that the line consists of so far; a few when of more or of other things */
	bool field;     /* of a header: lines go on, and no mark quotes anything */
	bool fresh;     /* there was no text yet */
	bool quoted;    /* a span is open to the line's end */
	bool bidi;      /* a bdi is open to the line's end, inside the span */
	bool after_cr;  /* a line end that an LF may still belong to */
};

/* The text of an element begins; t->w is set. */
void html_text_begin(struct html_text *t, bool field);
/* n > 0 bytes by rule C1, cut between characters. */
void html_text_put(struct html_text *t, const char *text, size_t n);
/* Something else comes in the line: what was held back is written. */
void html_text_settle(struct html_text *t);
/* It came, perhaps with bidi controls in it. */
void html_text_behind(struct html_text *t, bool bidi);
/* The line ends, or the element. */
void html_text_end_line(struct html_text *t);

/* ---- Messages (out_html_mail.c) ------------------------------------------------ */

enum { HTML_PART_LONGEST = 1024 };

/* The elements that are open, the outermost first: an article of a message, a list
 * of header fields, what holds text. */
enum { HTML_ARTICLE = 1, HTML_LIST = 2, HTML_FIELD = 4, HTML_PRE = 8, HTML_TEXT = HTML_FIELD | HTML_PRE };

/* The state of the output. */
struct html_state {
	struct html_text text;
	unsigned open;         /* elements, or-ed */
	uint64_t source;       /* of the run, from 1 */
	const urlsift_message *message; /* the last one of the source, NULL for none */
	uint64_t messages;     /* of the run */
	char part[HTML_PART_LONGEST]; /* the part that the page is in, of which a heading told */
	bool held;             /* a subject comes that so far is the heading's */
	size_t held_length;
	struct writer rows;    /* of the table of messages; without a buffer before the first message */
	bool spooled;          /* rows were handed to the spool */
	const char *rows_lost; /* why the table is not complete, NULL while it is */
	const char *target;    /* of the link whose parts come; in r->form unless it is simple */
	size_t target_length;  /* 0 when it may not be followed */
	unsigned warnings;     /* of that link */
	bool stands;           /* the target is the link's text (urlsift_link_is_simple) */
	bool behind_link;      /* nothing came behind the last one */
	char scheme[64];       /* that was asked for last */
	size_t scheme_length;
	bool scheme_linkable;
};

/* Closes what is open down to the elements of `keep`. */
void html_close(urlsift_renderer *r, unsigned keep);
/* The text of a body begins. */
void html_open_pre(urlsift_renderer *r);

/* As in struct output. */
void html_message(urlsift_renderer *r, const urlsift_message *message);
void html_place(urlsift_renderer *r);
/* Whether a piece of the subject says what the heading says, so that nothing of it
 * needs to be written.  When at last it does not, all of it that was held back is. */
bool html_is_held(urlsift_renderer *r, const urlsift_piece *piece);
/* The table of messages, where there is more than one. */
void html_put_table(urlsift_renderer *r);
/* Releases what the table took. */
void html_mail_fini(urlsift_renderer *r);

#endif
