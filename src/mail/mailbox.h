/* Splits a mailbox, or one message, into messages: mbox (RFC 4155 and its dialects), MMDF, rnews batches, Babyl
 * and emlx files, each with a row in mailbox_formats.c, and the digests of RFC 1153 in all of them. */
#ifndef MAIL_MAILBOX_H
#define MAIL_MAILBOX_H

#include "mime.h"

enum {
	SEPARATOR_LINE = 1024, /* bytes: a longer line separates nothing */
	SEPARATOR_MAX = 4096   /* bytes of a separator and of the lines after it that confirm it */
};

/* What the lines at the beginning of some bytes are. */
struct separator {
	enum { SEPARATOR_NONE, SEPARATOR_CUT, SEPARATOR_FOUND } found; /* CUT: too few bytes to tell */
	enum {
		SEPARATOR_BEGINS, /* a message, after an open one ends */
		SEPARATOR_ENDS,   /* a message */
		SEPARATOR_COPIED  /* the header block that follows is a copy of the last one */
	} meaning;
	size_t length;    /* bytes that belong to no message; of NONE: to be left out of the text */
	bool copy;        /* a copy of the message's header block follows it */
	bool digest;      /* it is of a digest (RFC 1153) */
	uint64_t counted; /* after it no line of so many bytes separates */
};

/* A line that may separate, and what is known of the bytes before it. */
struct separator_at {
	const uint8_t *p;
	size_t n;        /* bytes from the line's first on */
	bool last;       /* there are no more */
	bool after_blank;
	bool after_separator;
	bool in_header;  /* the message's header block has not ended */
	bool begun;      /* digest: its first separator was found; Babyl: a copy of the header block follows it */
};

struct mailbox_format {
	const char *name;
	const char *first; /* a line that separates begins with one of these bytes, */
	unsigned lines;    /* given for the vector search as well (LINE_); 0: without one */
	bool preamble;     /* text before the first separator belongs to no message */
	unsigned fields;   /* telling header fields that `auto` requires */
	void (*read)(const struct separator_at *at, struct separator *s); /* s is zeroed */
	/* The length of what an input of this format has before its first header block, 0 when it is of another.  NULL: a
	 * separator. */
	size_t (*opening)(const uint8_t *p, size_t n);
};

/* By urlsift_mail_kind, including those that are not mailboxes. */
extern const struct mailbox_format mailbox_formats[];
extern const unsigned mailbox_format_count;
/* Whether the kind, which may be any number, is a mailbox: it has separators, and is recognised by what opens it. */
static inline bool mailbox_has_kind(urlsift_mail_kind kind)
{
	return within(kind, URLSIFT_KIND_MBOX, mailbox_format_count - 1) && mailbox_formats[kind].read;
}
/* Whether a blank line ends with these three bytes, before the next one; LF before the first line. */
static inline bool mailbox_after_blank(const uint8_t tail[3])
{
	return text_ends(tail, 3, "\n\n") || text_ends(tail, 3, "\n\r\n");
}
/* Whether a From_ line begins here, as far as it can be seen: Content-Length says that a message ends before it. */
bool mailbox_from_at(const uint8_t *p, size_t n);
/* Whether a message of an mbox begins at a line is decided by the bytes around the line, of those before it
 * MAILBOX_BEFORE, unless a Content-Length hides it.  mailbox_find returns the index, from `from` on, of the first line
 * of which that is certain: p[0] begins the source or is that many bytes before it, and SEPARATOR_MAX bytes follow it
 * unless the n bytes are the `last`.  If there is none returns where the search may continue, n if `last`. */
enum { MAILBOX_BEFORE = SEPARATOR_LINE + 4 };
size_t mailbox_find(const uint8_t *p, size_t from, size_t n, bool last);
/* The separators of a digest (RFC 1153 section 3). */
void mailbox_read_digest(const struct separator_at *at, struct separator *s);

struct mailbox {
	struct parser *parser;
	struct mime *mime;
	const struct mailbox_format *format;
	bool open;        /* a message is being read */
	bool skipping;    /* bytes of no message, up to a separator */
	bool copied;      /* bytes of a copied header block, */
	uint64_t copied_line; /* that begins at this line */
	bool has_copy;    /* the message has one (Babyl) */
	uint64_t text_end; /* then: after the last byte that is no line end */
	bool digest;      /* the message is a digest (RFC 1153) or in one, */
	bool digest_begun; /* and the first separator was found */
	bool after_separator;
	bool line_start;  /* the next byte begins a line */
	uint8_t tail[3];  /* the bytes before the next one, the last at the end; LF before the first */
	uint8_t held[SEPARATOR_MAX];
	size_t held_length; /* of a line that may separate, and of the lines after it */
	uint64_t at;      /* source offset of the first byte that is held, or else of the next one */
	bool exact;       /* a line begins at `verbatim`, after an LF or not */
	uint64_t verbatim; /* no line before this offset separates */
	uint64_t next_line; /* no line from `at` to this offset may separate, when it is larger */
	uint64_t stopped;
	bool stop;
};

/* After urlsift_mail_reset or urlsift_mail_new of a kind of documents: what is known of the document. */
void mail_document(urlsift_mail *m, const struct document *document);
/* Sets the function, which applies from now on. */
void mail_watch(urlsift_mail *m, mail_reached *reached, void *user);

void mailbox_begin(struct mailbox *m, struct parser *r, struct mime *mime);
/* Takes bytes.  Errors are left in the parser. */
void mailbox_feed(struct mailbox *m, const uint8_t *p, size_t n);
void mailbox_finish(struct mailbox *m);

#endif
