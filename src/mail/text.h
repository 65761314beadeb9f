/* One text through the scanner: a header field's value or a part's body. */
#ifndef MAIL_TEXT_H
#define MAIL_TEXT_H

#include "reading.h"

/* How offsets of the scanner become offsets of the place: through places, a map or
 * by adding `shift`. */
struct text {
	struct reading *reading;
	urlsift_sink sink;
	struct places *places;
	struct map *words;
	uint64_t shift;
	uint64_t line, column; /* of the first character, from 1 */
	bool dropped;          /* the link whose parts come is one seen before */
	struct buf ranges;     /* urlsift_range: the parts of that link */
};

void text_init(struct text *t, struct reading *r);
void text_fini(struct text *t);
/* Sets the scanner up for this text; places, words, shift and line are the caller's to
 * set before.  embed->sink is left to it. */
void text_begin(struct text *t, struct embed *embed);
void text_feed(struct text *t, const uint8_t *p, size_t n);
void text_finish(struct text *t);

/* Whether a text is known to have no link: the scanner need not see it when plain text is not
 * wanted.  TEXT_PAD zeros stand behind it. */
enum { TEXT_PAD = 4 };
bool text_quiet(const struct reading *r, const uint8_t *p, size_t n);
/* Offset in the scanner's source: before it all is out, whether there were pieces or not. */
uint64_t text_out(const struct reading *r);

/* Whether a link is left out: an earlier child of the alternative had it, and it has
 * no warning. */
bool text_seen(struct reading *r, const urlsift_link *link);
/* A link of markup (scanner_whole) goes out, its text `shown`, its range and position set by the caller;
 * `target`: as the place's target. */
void text_whole(struct reading *r, struct urlsift_link *link, const uint8_t *shown, size_t n, bool target);
size_t text_memory_bound(void);

#endif
