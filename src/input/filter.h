/* Filters of links: --scheme, --host, --match and the like. */
#ifndef INPUT_FILTER_H
#define INPUT_FILTER_H

#include "report.h"
#include "urlsift-mail.h"

#include <stdbool.h>

struct filter;

/* A filter that passes every link. */
struct filter *filter_new(void);
void filter_free(struct filter *f); /* NULL is allowed */

/* What a filter tests, and the value of its option. */
enum filter_kind {
	FILTER_SCHEME, FILTER_NOT_SCHEME, /* names with commas between */
	FILTER_IN,                        /* names of header fields and HTML elements with commas between */
	FILTER_HOST, FILTER_NOT_HOST,     /* a glob */
	FILTER_MATCH, FILTER_NOT_MATCH,   /* a regular expression of PCRE2 */
	FILTER_CONVENTION,                /* names with commas between */
	FILTER_DELIMITED,                 /* none: only links in wrappers, angle brackets or quotation marks */
	FILTER_VALID, FILTER_NOT_VALID,   /* names of grammars with commas between */
	FILTER_WARNED,                    /* NULL: only links with a warning; else names of them */
	FILTER_NO_WARNING                 /* names of warnings with commas between, or "any" */
};

/* Adds a condition: a link must match one of each kind, and none of a NOT one.  STATUS_DONE,
 * or STATUS_USAGE for a wrong value, which is reported with the name of the option. */
enum status filter_add(struct filter *f, enum filter_kind kind, const char *option, const char *value);
/* Name i, from 0, of those that the value of an option lists, for completion; NULL after the last. */
const char *filter_name(enum filter_kind kind, unsigned i);
/* --host, --match and those with not- look at the target that a link rewriter hides, where there is one. */
void filter_unwrap(struct filter *f, bool unwraps);
/* Sets the number of steps that an expression may take on one link; must be called. */
void filter_set_match_limit(struct filter *f, uint32_t steps);

/* Whether expressions are compiled by PCRE2's JIT compiler (regexes_have_jit). */
bool filter_has_jit(void);
/* Whether every link passes. */
bool filter_is_open(const struct filter *f);

bool filter_is_of_rules(const struct filter *f); /* whether only links by rules pass */
bool filter_is_of_places(const struct filter *f); /* whether only links in some fields or elements pass */
bool filter_judges(const struct filter *f); /* whether it checks links against grammars */

/* The state of one thread that applies a filter. */
struct filter_desk;
struct filter_desk *filter_desk_new(const struct filter *f);
void filter_desk_free(struct filter_desk *d);

/* Whether the link passes.  FILTER_LIMIT when an expression exceeded its limit and
 * FILTER_ERROR when it, or a grammar, failed in another way; the link is shown then.  The
 * context holds the grammars.  Threads may share the filter, each with its own desk. */
enum filter_answer { FILTER_PASS, FILTER_LIMIT, FILTER_ERROR, FILTER_DROP };
enum filter_answer filter_link(struct filter_desk *d, urlsift_context *context, const urlsift_place *place,
                               const urlsift_link *link);
/* How many links did not pass because their hosts are below one of --host, or because they are
 * not in what --in names. */
struct filter_missed {
	uint64_t below, elsewhere;
};
/* Those since the last call. */
struct filter_missed filter_missed(struct filter_desk *d);

/* A buffer that is kept from link to link. */
struct room {
	char *data; /* for free() */
	size_t size;
};
/* Makes room for n bytes and discards the contents. */
char *room_get(struct room *r, size_t n);
/* Writes a form of the link (urlsift_link_target ...) to the buffer.  Returns its length. */
size_t room_put_form(struct room *r, size_t (*write)(const urlsift_link *link, char *out, size_t size),
                     const urlsift_link *link);
/* Writes a form of the URL (urlsift_url_normal ...). */
size_t room_put_url_form(struct room *r, size_t (*write)(const urlsift_url *url, char *out, size_t size),
                         const urlsift_url *url);

/* The comparable form of a URL, for free(). */
char *filter_normal_form(const char *text);
/* The host of the comparable form of a URL with this host, for free(); "" for none. */
char *filter_host_form(const char *host);

/* Whether the whole text matches a pattern with `*` (any run of bytes) and `?` (one byte),
 * without regard to the case of ASCII letters.  Costs at most the product of the lengths. */
bool glob_matches(const char *pattern, const char *text, size_t length);
/* A pattern of --host for filter_host_matches, for free(): with A-labels, as hosts of comparable forms have them. */
char *filter_host_glob(const char *glob);
/* Whether a host matches a pattern of --host: `.example.org` is the host and all below it, as in the questions of an
 * index. */
bool filter_host_matches(const char *glob, const char *host, size_t n);

#endif
