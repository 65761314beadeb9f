/* Which links the user wants: --scheme, --host, --match and their like. */
#ifndef INPUT_FILTER_H
#define INPUT_FILTER_H

#include "urlsift.h"

#include <stdbool.h>

struct filter;

/* A filter that lets every link through.  NULL without memory. */
struct filter *filter_new(void);
void filter_free(struct filter *f); /* NULL is allowed */

/* Each adds to the filter; the same kind given again adds to the choice.  False
 * when the value is wrong, which is then said on standard error.  `list` is
 * names with commas between; it and `glob` must outlive the filter. */
bool filter_add_schemes(struct filter *f, const char *option, const char *list);
bool filter_add_not_schemes(struct filter *f, const char *option, const char *list);
bool filter_add_conventions(struct filter *f, const char *option, const char *list);
bool filter_add_host(struct filter *f, const char *option, const char *glob);
bool filter_add_match(struct filter *f, const char *option, const char *regex);
bool filter_add_not_match(struct filter *f, const char *option, const char *regex);
bool filter_add_grammars(struct filter *f, const char *option, const char *list);
/* `list` names warnings, or is "any". */
bool filter_add_no_warnings(struct filter *f, const char *option, const char *list);
/* Only links with a warning. */
void filter_set_warned(struct filter *f);
/* Only links in wrappers, angle brackets or quotation marks. */
void filter_set_delimited(struct filter *f);
/* The steps that an expression may take on one link. */
enum { FILTER_MATCH_LIMIT = 1000000 };
void filter_set_match_limit(struct filter *f, uint32_t steps);

/* Whether it lets every link through. */
bool filter_is_open(const struct filter *f);

/* What one thread needs to look at links. */
struct filter_desk;
struct filter_desk *filter_desk_new(const struct filter *f); /* NULL without memory */
void filter_desk_free(struct filter_desk *d); /* NULL is allowed */

/* Whether the link is wanted.  FILTER_LIMIT when an expression ran into its limit
 * and FILTER_ERROR when it, or a grammar, failed in another way: then nobody
 * knows, and the link is better shown.  The context keeps the grammars.  Threads may
 * share the filter, each with a desk of its own. */
enum filter_answer { FILTER_PASS, FILTER_DROP, FILTER_LIMIT, FILTER_ERROR };
enum filter_answer filter_link(struct filter_desk *d, urlsift_context *context, const urlsift_link *link);

/* A buffer that is kept from link to link. */
struct room {
	char *data; /* for free() */
	size_t size;
};
/* Room for n bytes, which replace what it holds; NULL without memory. */
char *room_get(struct room *r, size_t n);
/* Puts a form of the link into the room, as urlsift_link_target writes it.  Returns its
 * length, 0 without memory. */
size_t room_put_form(struct room *r, size_t (*write)(const urlsift_link *link, char *out, size_t size),
                     const urlsift_link *link);

/* Whether the whole text is of the pattern, without regard to the letter case
 * of ASCII.  Costs at most length times the pattern's length, no memory. */
bool glob_matches(const char *pattern, const char *text, size_t length);

#endif
