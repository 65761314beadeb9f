/* The targets of an HTML part: from the value of an attribute to a link, with the base of the part. */
#ifndef MAIL_HTML_HREF_H
#define MAIL_HTML_HREF_H

#include "html.h"
#include "mail/parser.h"

struct href {
	struct attribute value;
	const char *attribute; /* its name and that of its element */
	bool anchor;           /* of an anchor with a text */
	bool cut;              /* longer than its limit */
};

struct hrefs {
	struct parser *parser;
	struct mail_text *text; /* of the part */
	urlsift_text base;      /* in `own`, or of what is around the part; empty for none */
	char own[BASE_MAX];
	bool based;             /* the part has had its base */
	struct buf late;        /* struct kept_href, each with its value and label: relative ones that wait for a base */
	struct buf inner;       /* struct kept_href: those in an anchor, whose own waits for its text */
	uint64_t late_cut;      /* where the first target was that waited no longer; 0: none */
};

void href_init(struct hrefs *h, struct parser *r, struct mail_text *text);
void href_fini(struct hrefs *h);
/* A part begins, inside `base`, which lives as long. */
void href_begin(struct hrefs *h, urlsift_text base);
/* Prepares the scanner for a text of the part. */
void href_begin_text(struct hrefs *h);
/* Takes the base of the part, the first of which counts, and hands out the targets that waited for it; before them,
 * with resources, the link of the base. */
void href_base(struct hrefs *h, const struct href *target);
/* Hands out the link of a target.  What is none is reported, unless it is a place in its own document: if it is
 * relative and may still get a base, at the end of the part, or after HTMLTEXT_LATE_MAX bytes of them. */
void href_put(struct hrefs *h, const struct href *target);
/* Keeps a target in an anchor until href_put_inner, which hands them out; false if there are too many, or it was
 * cut. */
bool href_keep_inner(struct hrefs *h, const struct href *target);
/* Gives the target of an anchor that was kept at this place in `inner` its label; shown: see struct attribute. */
void href_label_inner(struct hrefs *h, size_t at, urlsift_text label, bool shown);
void href_put_inner(struct hrefs *h);
size_t href_memory_bound(void);
/* The part ends. */
void href_finish(struct hrefs *h);

#endif
