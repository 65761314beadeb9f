/* `explain`: what URLs mean, and what is wrong with them. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "url_run.h"

enum { EXPLAIN_GRAMMARS = URLSIFT_RFC3987 + 1 };

/* What is known of a URL before its fields are asked for. */
struct explained {
	urlsift_url url;     /* of valid UTF-8 */
	char *scheme;        /* in lower case, scheme_length bytes; 0 for none */
	size_t scheme_length;
	const struct scheme *row; /* NULL for an unknown scheme */
	urlsift_status status[EXPLAIN_GRAMMARS]; /* URLSIFT_OK, URLSIFT_INVALID, or an error and no verdict */
	urlsift_fault fault[EXPLAIN_GRAMMARS];
	unsigned warnings;
	urlsift_context *context;
	struct escape_form *room; /* for what has to be put together */
	bool first;               /* of the URLs */
};

/* Writes the page of one URL for people to read; explain_json, its record. */
void explain_page(struct url_run *r, const struct explained *e);
void explain_json(struct url_run *r, const struct explained *e);

/* Bytes as valid UTF-8 (rule C1), in the room where they are not; NULL without
 * memory, which has been said. */
const char *explain_text(struct url_run *r, struct escape_form *room, const char *text, size_t *n);

/* Explains the arguments or the lines of standard input.  Returns the exit status. */
enum status explain_urls(struct options *o);

#endif
