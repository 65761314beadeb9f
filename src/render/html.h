/* The format html: html.c links, html_page.c and html_style.c the page, html_text.c text, html_mail.c messages. */
#ifndef RENDER_HTML_H
#define RENDER_HTML_H

#include "escape.h"
#include "format.h"

/* ---- The page (html_page.c, html_style.c) ---------------------------------- */

enum { HTML_HELD_MAX = 256 * 1024, HTML_SUBJECT_MOST = 1024 };

struct html_page {
	bool due;               /* the head was not written, nor anything else */
	bool holds;             /* what is written is kept: a message has begun, and the head is not known */
	urlsift_write_fn write; /* the callback of the caller */
	void *user;
	struct buf held, name;  /* the name of the first source */
	bool single;            /* it is that of one message: html_page_level */
	urlsift_text subject;   /* of the first message, in `text` */
	char text[HTML_SUBJECT_MOST];
};

/* Writes a page up to the text.  Without a subject, which is then the title, the title is also its heading. */
void html_put_head(urlsift_renderer *r, struct writer *w, const urlsift_text *subject);
/* The page begins. */
void html_page_begin(urlsift_renderer *r);
/* The page is not that of one message: writes its head if that was not done. */
void html_page_decide(urlsift_renderer *r);
/* Text comes: the same, unless a message has begun. */
void html_page_text(urlsift_renderer *r);
/* The subject of a message, or the URI of its record in a web archive; may be empty. */
static inline urlsift_text html_subject(const urlsift_message *message)
{
	return message->subject.length ? message->subject : message->uri;
}
/* A message begins. */
void html_page_message(urlsift_renderer *r, const urlsift_message *message);
/* The level of the headings in a message, below the one of the message. */
char html_page_level(const urlsift_renderer *r);
/* Adds what is written later to a buffer.  False where it is full, or for want of memory, which is then noted. */
static inline bool html_hold(urlsift_renderer *r, struct buf *held, const void *bytes, size_t n)
{
	if (buf_add(held, bytes, n))
		return true;
	if (n <= held->cap - held->length)
		r->status = URLSIFT_NO_MEMORY;
	return false;
}
/* The page ends. */
void html_page_end(urlsift_renderer *r);

/* ---- Text (html_text.c) --------------------------------------------------- */

/* Quote marks begin in the first MARK_COLUMNS of a line. */
enum { HTML_MARKS_LONGEST = 64, MARK_COLUMNS = 4 };

/* format=flowed: what a line has after its quote marks, without its last blank.  At its start they may still come. */
enum { HEAD_START, HEAD_BLANKS, HEAD_DASH, HEAD_DASHES, HEAD_TEXT };

/* Escapes text into an element.  A line with quote marks becomes a span whose class is
 * their depth; the rest of a line from its first bidi control on, a bdi. */
struct html_text {
	struct writer *w;
	char marks[HTML_MARKS_LONGEST]; /* quote marks not yet written, because their depth is not known */
	size_t mark_count;
	uint8_t depth;  /* of the marks written last; while a soft line end is held back, of its line */
	size_t blanks;  /* at the start of the line; MARK_COLUMNS for more, or after other text */
	bool field;     /* a header field: lines are folded, and no mark means a quote */
	bool flows;     /* text of HTML, in which many empty lines in a row are shown as one */
	bool hides;     /* an element that is not shown is open: only blanks and line ends follow the last two of these */
	size_t ends;    /* if it flows: line ends with nothing but blanks between */
	bool soft;      /* format=flowed: a line that ends in a blank goes on in the next, if that may be its paragraph */
	bool deletes;   /* if soft: with DelSp=yes, without the blank */
	bool blank;     /* if soft: the last blank is held back; at the start of a line also the end of the one before */
	uint8_t head;   /* if soft: HEAD_... */
	bool fresh;     /* no text was written yet */
	bool after_cr;  /* the last byte was a CR; an LF now belongs to it */
	/* These two are read together, so they begin at an even offset: else a stall, 2% of the pages of a mailbox. */
	bool quoted;    /* a span is open to the line's end */
	bool bidi;      /* a bdi is open to the line's end, inside the span */
	uint64_t line, source; /* the line, from 1, and the number of its source; line 0: lines have no anchors */
	bool due;       /* its anchor was not yet written */
};

/* Begins the text of an element; t->w is set.  Lines have no anchors unless html_text_number follows. */
void html_text_begin(struct html_text *t, bool field);
/* Gives the lines of the text anchors, from 1: L12, or s2-L12 when `source` is 2. */
void html_text_number(struct html_text *t, uint64_t source);
/* html_text_put with these anchors. */
void html_text_put_numbered(struct html_text *t, const char *text, size_t n);
/* Writes the anchor of the line. */
void html_text_put_number(struct html_text *t);
/* Writes n > 0 bytes, read by rule C1, that end between characters. */
void html_text_put(struct html_text *t, const char *text, size_t n);
/* Ends the element that hides empty lines: something is shown. */
void html_text_show(struct html_text *t);
/* Writes the blank that is held back.  If a line ended after it, writes that end, which with
 * the quote marks of the next line is hidden if that goes on with the paragraph. */
void html_text_put_blank(struct html_text *t, bool goes_on);
/* Opens the span of a quoted line and writes its marks, which are all known. */
void html_text_open_quote(struct html_text *t);
/* Does the one and the other where something is held back. */
static inline void html_text_end_blank(struct html_text *t, bool goes_on)
{
	if (t->blank)
		html_text_put_blank(t, goes_on);
}
static inline void html_text_begin_quote(struct html_text *t)
{
	if (t->mark_count > 0)
		html_text_open_quote(t);
}

/* Writes what is held back, before anything else is written to the line. */
static inline void html_text_settle(struct html_text *t)
{
	html_text_end_blank(t, true);
	html_text_begin_quote(t);
	if (t->due)
		html_text_put_number(t);
	if (t->flows)
		html_text_show(t);
}
/* Isolates the rest of the line, from a bidi control on. */
static inline void html_text_isolate(struct html_text *t, bool bidi)
{
	if (!bidi || t->bidi)
		return;
	writer_text(t->w, "<bdi>");
	t->bidi = true;
}
/* Records that something was written to the line, with `bidi` controls or not. */
static inline void html_text_after(struct html_text *t, bool bidi)
{
	html_text_isolate(t, bidi);
	t->fresh = t->after_cr = t->blank = false;
	t->head = HEAD_TEXT;
	t->blanks = MARK_COLUMNS;
}
/* Closes the elements that it opened, at the end of the text. */
void html_text_end(struct html_text *t);

/* ---- Messages (html_mail.c) ------------------------------------------------ */

enum { HTML_PART_LONGEST = 1024 };

/* Open elements, the outermost first: the article of a message, the details of its technical fields, a list of header
 * fields, the elements that hold text; a list of attachments, and in a field the details of its rest. */
enum { HTML_ARTICLE = 1, HTML_FOLD = 2, HTML_LIST = 4, HTML_FIELD = 8, HTML_PRE = 16, HTML_TEXT = HTML_FIELD | HTML_PRE,
       HTML_FILES = 32, HTML_REST = 64 };

/* ---- Alternatives (html_choice.c) ------------------------------------------- */

enum { HTML_CHOICE_MAX = 256 * 1024, HTML_NOTED_MAX = 5 * 1024 };

struct html_choice {
	enum {
		CHOICE_NONE,
		CHOICE_HELD,  /* what is shown is not known */
		CHOICE_SHOWN, /* it is being written */
		CHOICE_AFTER, /* it was written, and another one is held */
		CHOICE_FULL   /* another one is being written */
	} state;
	unsigned alternative, choice; /* of the place; 0 for none */
	urlsift_write_fn write;       /* the writer's own callback, and what it gets */
	void *user;
	int error;                    /* what it returned */
	bool flushing;                /* the writer is handing on what its buffer has */
	size_t kept;                  /* bytes in its buffer that are not held */
	struct buf held;
	size_t first, begin;          /* in it: where the first one ends, where the last one begins */
	struct hashset links;         /* targets of the one shown */
};

/* Whether what is written is held. */
static inline bool html_choice_holds(const struct html_choice *c)
{
	return c->state == CHOICE_HELD || c->state == CHOICE_AFTER;
}
void html_choice_init(urlsift_renderer *r);
void html_choice_fini(urlsift_renderer *r);
/* A place begins. */
void html_choice_place(urlsift_renderer *r);
/* With CHOICE_HELD, a piece comes. */
void html_choice_piece(urlsift_renderer *r, const urlsift_piece *piece);
/* With a state, an anchor was written: the n bytes of its target.  One of more than HTML_NOTED_MAX is not noted. */
void html_choice_note(urlsift_renderer *r, const char *target, size_t n);
/* The alternatives end. */
void html_choice_end(urlsift_renderer *r);

/* The state of the format. */
/* The HTML anchor or terminal's hyperlink whose text comes. */
struct html_anchor {
	struct buf target;     /* empty for none */
	size_t label_left;     /* raw bytes of that text, the label of a terminal's hyperlink; 0 for one of HTML */
	bool in_sequence;      /* the rest of the sequence with its target comes */
	bool spelled;          /* that text is the target, which is printed once then */
	unsigned warnings;
	size_t runs;           /* lines of that text that were linked */
	bool open, bidi;       /* an element is open, and has a bidi control */
};

/* The link whose parts are written. */
struct html_link {
	const char *target;    /* in r->form unless the link is simple */
	size_t target_length;  /* 0 when it must not become an anchor */
	unsigned warnings;
	size_t anchors;        /* the first has the warnings as its title */
};

struct html_state {
	struct html_text text;
	struct html_page page;
	struct html_choice choice;
	unsigned open;         /* elements that are open, or-ed */
	uint64_t source;       /* number of the source, from 1 */
	const urlsift_message *message; /* the last one of the source, or NULL */
	uint64_t messages;     /* of all sources */
	char part[HTML_PART_LONGEST]; /* the number of the part that was begun last */
	bool held;             /* the Subject field so far repeats the heading and is not written */
	size_t held_length;
	size_t field_length;   /* bytes of the field so far; SIZE_MAX: what follows is folded */
	struct writer rows;    /* of the table of messages; without a buffer before the first message */
	bool spooled;          /* rows were handed to the spool */
	const char *rows_lost; /* why the table is not complete, NULL while it is */
	struct html_anchor anchor;
	struct html_link link;
	bool after_link;       /* nothing was written since the last link */
};

/* The text of an HTML anchor ends. */
void html_end_anchor(urlsift_renderer *r);
/* Closes the open elements except those of `keep`. */
void html_close(urlsift_renderer *r, unsigned keep);
/* Begins the text of a body. */
void html_open_pre(urlsift_renderer *r);

/* As in struct format. */
void html_message(urlsift_renderer *r, const urlsift_message *message);
void html_place(urlsift_renderer *r);
/* Begins the rest of a field. */
void html_open_rest(urlsift_renderer *r);
/* Whether a piece of the Subject field repeats the heading and need not be written.
 * When it does not, what was held back is written. */
bool html_is_held(urlsift_renderer *r, const urlsift_piece *piece);
/* Writes the table of messages when there is more than one. */
void html_put_table(urlsift_renderer *r);
/* Frees what is no buffer. */
void html_mail_fini(urlsift_renderer *r);

/* ---- Anchors ---- */

/* Ends the href of an anchor. */
#define HTML_RELATION "\" rel=\"nofollow noopener noreferrer ugc"

/* Ends the tag of an anchor, and writes its text and its end.  Text beyond ASCII could run from right to left and is
 * isolated, so that it cannot reorder the text around, as is a link behind a bidi control, which could turn its host
 * around.  Returns whether it holds a bidi control. */
bool html_put_label(const struct html_text *t, const char *text, size_t n);

/* Whether a part of a link gets an anchor, after `anchors` of them.  Each repeats the whole target.  All parts with
 * text get one while that is little; of a long target only the first few, so that a page is at most URLSIFT_GROWTH_HTML
 * times its input. */
enum { ANCHORS_LEAST = 4, ANCHORS_MOST = 17, REPEATED_MAX = 16 * 1024 };
static inline bool html_is_linked(size_t target_length, size_t anchors)
{
	return target_length > 0 &&
	       (anchors < ANCHORS_LEAST || (anchors < ANCHORS_MOST && anchors * target_length <= REPEATED_MAX));
}

#endif
