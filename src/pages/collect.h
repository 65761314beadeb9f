/* Turns events into records (the encoder), and records into rows of the plan (the taker).
 *
 * An encoder renders messages and appends records to a buffer; the taker receives whole records.  The records of a
 * message are its beginning, then its HTML in blocks, its links and its anchors, in any order, and then its row, which
 * is missing if memory was exhausted meanwhile: there is no such message then. */
#ifndef PAGES_COLLECT_H
#define PAGES_COLLECT_H

#include "plan.h"

#ifdef URLSIFT_WITH_SQLITE

#include "text/buf.h"

enum { PAGE_ANCHORS = 1000 }; /* of a message; further `mid:` links remain text */

enum page_record_type {
	PAGE_RECORD_BEGIN, PAGE_RECORD_HTML, PAGE_RECORD_LINK, PAGE_RECORD_ANCHOR, PAGE_RECORD_MESSAGE
};

/* Precedes `length` bytes: nothing; HTML; a struct page_record_link and its texts; a struct plan_anchor;
 * a struct page_record_message and its texts. */
struct page_record {
	uint32_t type, length;
};

struct page_record_link {
	int64_t url, host; /* hashes */
	uint32_t linkable, host_length; /* bytes of the host's name, which precedes the URL */
};

struct page_record_message {
	int64_t id, kind, content, time, month, base; /* as in the plan; 0 for no base, -1 for no time */
	uint64_t head, body;                          /* bytes of HTML: of header lines, and after them */
	uint32_t reply, refs;                         /* refs: int64_t of that number precede the texts */
	uint32_t msgid, author, subject;              /* bytes; 0 for no msgid */
};

/* ---- Subjects and authors (subject.c) ------------------------------------------------------ */

/* The name in `Name <address>` or `address (Name)`, else all of `from`. */
urlsift_text subject_author(urlsift_text from);
/* A hash of the subject without prefixes, blanks and case, 0 for none; *reply: it had a reply prefix. */
int64_t subject_base(urlsift_text subject, bool *reply);

/* ---- The encoder ----------------------------------------------------------------------------- */

/* Its events.  `take` is not set, nor `user`, which must be the struct pages.  Text that is not mail becomes one
 * message, with the name of its source. */
extern const struct consumer page_encoder;

/* ---- The taker --------------------------------------------------------------------------------- */

struct taker;
/* NULL without memory, which is reported. */
struct taker *taker_new(struct plan *plan);
void taker_free(struct taker *t); /* NULL is allowed */
/* Takes n bytes of whole records. */
void taker_take(struct taker *t, const char *bytes, size_t n);

#endif
#endif
