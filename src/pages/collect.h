/* The encoder of pages: that of an index, whose records it follows with the HTML of each message, in blocks, and what
 * threads need of it. */
#ifndef PAGES_COLLECT_H
#define PAGES_COLLECT_H

#include "plan.h"

#ifdef URLSIFT_WITH_SQLITE

enum { PAGE_ANCHORS = 1000 }; /* of a message; further `mid:` links remain text */

/* ---- Subjects and authors (subject.c) ------------------------------------------------------ */

/* The name in `Name <address>` or `address (Name)`, else all of `from`. */
urlsift_text subject_author(urlsift_text from);
/* A hash of the subject without prefixes, blanks and case, 0 for none; *reply: it had a reply prefix. */
int64_t subject_base(urlsift_text subject, bool *reply);

/* ---- The encoder ----------------------------------------------------------------------------- */

/* Sets its functions and events in the consumer of the plan; the user must be a struct pages.  Text that is not mail
 * becomes one message, with the name of its source. */
void page_encoder_register(struct consumer *c);

#endif
#endif
