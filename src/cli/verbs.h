/* The verbs, each a function from options to the exit status, and what those about
 * single URLs share. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "options.h"
#include "render/escape.h"

/* Reads every source that the options name and writes to standard output; what
 * goes wrong is said on standard error.  Returns the exit status. */
enum status run_options(struct options *o);

/* `resolve BASE [REFERENCE]...`: the absolute URLs, one a line. */
enum status url_verbs_resolve(struct options *o);
/* `normalise [URL]...`: the comparable forms, one a line. */
enum status url_verbs_normalise(struct options *o);
/* `schemes`: the scheme table, a row a line. */
enum status url_verbs_schemes(struct options *o);

/* Writes the page that the options' action asks for. */
enum status help_show(const struct options *o);

/* ---- Single URLs ---- */

struct url_run {
	const struct options *options;
	void *state; /* the verb's own */
	/* One URL, which may be empty. */
	void (*url)(struct url_run *r, const char *text, size_t n);
	/* One over options->max_url bytes, passed over; `offset` in standard input, 0
	 * for an argument.  NULL says so on standard error. */
	void (*limit)(struct url_run *r, uint64_t offset);
	struct writer w; /* standard output */
	enum status status; /* the worst there was; for the verb to raise */
};

/* Hands over the arguments, the lines of standard input in the place of `-` and
 * where there are none, without the blanks around them.  Returns the exit status;
 * what went wrong has been said. */
enum status url_run(struct url_run *r, char *const *urls, size_t count);

/* Says what went wrong, and raises the status. */
void url_run_fail(struct url_run *r, const char *what);

/* A buffer that is kept from URL to URL, at least n bytes long.  NULL without
 * memory, which has been said. */
char *url_run_room(struct url_run *r, struct escape_form *room, size_t n);

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
