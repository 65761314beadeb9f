/* What the verbs about single URLs share: where the URLs come from, where the
 * output goes, and how the run ended. */
#ifndef CLI_URL_RUN_H
#define CLI_URL_RUN_H

#include "render/escape.h"
#include "options.h"

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

#endif
