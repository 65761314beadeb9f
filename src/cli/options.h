/* The command line. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "input/inputs.h"

/* Sets of verbs; VERB_NONE is a command line without one. */
enum {
	VERB_LIST = 1, VERB_HTML = 2, VERB_TEXT = VERB_LIST | VERB_HTML, VERB_NONE = 4,
	VERB_EXPLAIN = 8, VERB_RESOLVE = 16, VERB_NORMALISE = 32, VERB_SCHEMES = 64,
	VERB_URL = VERB_EXPLAIN | VERB_RESOLVE | VERB_NORMALISE, /* single URLs, not text */
	VERB_ALL = VERB_TEXT | VERB_URL | VERB_SCHEMES
};

enum { OPTIONS_JOBS = 4096 }; /* the most */

struct options;

struct verb {
	const char *name;
	unsigned bit; /* VERB_...; 0 for one that is not in this version */
	enum status (*run)(struct options *o);
	const char *format; /* of its output, unless an option names another (urlsift-render.h) */
	const char *arguments;
	const char *help;
};
/* Ends with a row without a name. */
extern const struct verb verb_table[];

enum action { ACTION_RUN, ACTION_HELP, ACTION_VERSION, ACTION_LIMITS };

/* A choice is the number of its word in the option's row, from 0. */
struct options {
	enum action action;
	const struct verb *verb; /* NULL before an action that needs none */
	struct settings run;     /* for list and html */
	int email, domains;
	long www, join, hyphen, resolution, max_url, max_breaks, max_alternates;
	const char *charset, *base;
};

struct option {
	const char *name;
	char letter;          /* 0 for none */
	const char *argument; /* NULL for a flag; a choice's words with | between */
	unsigned verbs;       /* the verbs that take it */
	/* Puts the value (NULL for a flag) at `field` of the options.  False when it
	 * is wrong, which is then said. */
	bool (*set)(struct options *o, const struct option *row, const char *value);
	size_t field;
	long low, high;       /* of a number */
	const char *help;     /* NULL for one that is not in this version */
	const char *group;    /* the heading in the help that begins with this row */
};
/* Ends with a row without a name. */
extern const struct option option_table[];

/* The options at their defaults.  False without memory; to be finished then as
 * well. */
bool options_init(struct options *o);
void options_fini(struct options *o);
/* Reads the command line and the environment.  Anything but STATUS_DONE has
 * been said on standard error. */
enum status options_read(struct options *o, int argc, char **argv);

/* The word nearest to a misspelt one, or NULL when none is near: one that it
 * begins, or at most two letters away.  word(i) is candidate i, NULL behind the
 * last and "" for none. */
const char *nearest_word(const char *misspelt, const char *(*word)(size_t i));

#endif
