/* Regular expressions of PCRE2 that texts are searched for, for the filters.  Without PCRE2 none can be added. */
#ifndef INPUT_REGEX_H
#define INPUT_REGEX_H

#include "report.h"
#include "url/pattern.h"

#include <stddef.h>
#include <stdint.h>

enum regex_answer { REGEX_FOUND, REGEX_MISSING, REGEX_LIMIT, REGEX_ERROR, REGEX_ANSWERS };

struct regexes {
	void **item;
	size_t count;
	struct pattern_memory memory;
	void *context, *limits;
};

void regexes_init(struct regexes *r);
void regexes_fini(struct regexes *r);
/* The number of steps after which a search is abandoned: REGEX_LIMIT. */
void regexes_set_limit(struct regexes *r, uint32_t steps);
/* Adds the value of an option, or reports why it cannot be used. */
enum status regexes_add(struct regexes *r, const char *option, const char *regex);

/* Whether PCRE2 has its JIT compiler: not in every build, nor where the system refuses executable memory (W^X). */
bool regexes_have_jit(void);

/* What one thread needs to search. */
void *regexes_desk_new(void);
void regexes_desk_free(void *desk); /* NULL is allowed */
/* REGEX_FOUND when one is found, REGEX_MISSING when none is, otherwise what went wrong. */
enum regex_answer regexes_search(const struct regexes *r, void *desk, const char *text, size_t n);

#endif
