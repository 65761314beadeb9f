/* The command line. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "input/inputs.h"

/* Sets of verbs. */
enum {
	VERB_LIST = 1 << 0, VERB_HTML = 1 << 1, VERB_EXPLAIN = 1 << 3, VERB_RESOLVE = 1 << 4, VERB_NORMALISE = 1 << 5,
	VERB_SCHEMES = 1 << 6, VERB_REWRITE = 1 << 7, VERB_PICK = 1 << 8, VERB_INDEX = 1 << 9, VERB_QUERY = 1 << 10,
	VERB_SHARDS = 1 << 11, VERB_COMPLETIONS = 1 << 12, VERB_HELP = 1 << 13,
	/* They read text, so options of the scanner and the mail parser, filters and limits apply. */
	VERB_TEXT = VERB_LIST | VERB_HTML | VERB_REWRITE | VERB_PICK | VERB_INDEX | VERB_SHARDS,
	VERB_URL = VERB_EXPLAIN | VERB_RESOLVE | VERB_NORMALISE, /* single URLs, not text */
	VERB_ALL = VERB_TEXT | VERB_URL | VERB_SCHEMES | VERB_QUERY | VERB_COMPLETIONS | VERB_HELP
};

/* The outputs of verbs, as bits; the last is none, but what reads the names of files. */
enum output {
	OUT_LINES = 1 << 0, OUT_FORMAT = 1 << 1, OUT_COUNT = 1 << 2, OUT_NAMES = 1 << 3, OUT_JSON = 1 << 4,
	OUT_CSV = 1 << 5, OUT_SQL = 1 << 6, OUT_PAGE = 1 << 7, OUT_FRAGMENT = 1 << 8, OUT_FOLDER = 1 << 9,
	OUT_WRAP = 1 << 10, OUT_TERM = 1 << 11, OUT_PRINT = 1 << 12, OUT_MENU = 1 << 13, OUT_INDEX = 1 << 14,
	OUT_TEXT = 1 << 15, OUT_FILES_FROM = 1 << 16, OUT_FILTERED = 1 << 17
};

struct options;

struct verb {
	const char *name;
	unsigned bit; /* VERB_... */
	enum status (*run)(struct options *o);
	const char *format; /* of its output, unless an option selects another (urlsift-render.h) */
	enum output output; /* unless an option selects another */
	const char *arguments;
	const char *help; /* NULL: another name of the verb before */
};
/* Ends with a row without a name.  The first verb is the default. */
extern const struct verb verb_table[];
/* NULL for none. */
const struct verb *verb_find(const char *name);
/* Reports an unknown word, after `what`, with what may be meant.  STATUS_USAGE. */
enum status verb_unknown(const char *what, const char *word);
/* Whether that names something. */
bool hint_verb(const char *word);

/* What follows an option of the last three is not read. */
enum action { ACTION_RUN, ACTION_INTRODUCE, ACTION_LIMITS, ACTION_HELP, ACTION_SHORT_HELP, ACTION_VERSION };

/* The words of --color, and of --hyphen: with the last the scanner keeps hyphens, and the output adds the other
 * readings. */
enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum { HYPHEN_KEEP = URLSIFT_HYPHEN_KEEP, HYPHEN_DROP = URLSIFT_HYPHEN_DROP, HYPHEN_BOTH };

struct given_filter {
	const char *name, *value;
};

/* index, shards, and the plan of a folder of pages. */
struct archive_options {
	const char *root;
	int full, prune, append_only, merge, todo;
	long cache;
	const char *parts, *shards_from;
	const char *plan;        /* the database of the pages; or NULL */
};

/* html */
struct html_options {
	const char *output;      /* the folder of pages, or NULL */
	const char *page;        /* the file of the page, or NULL */
	const char *site, *search, *reply; /* see struct pages_options */
	int mask_addresses, no_mask_addresses;
};

struct query_flags {
	int sql, csv, header, no_footers;
	const char *from, *since, *until; /* of messages, or NULL */
};

struct pick_flags {
	const char *open;        /* the command of --open, or NULL */
	int print, once;
};

struct rewrite_flags {
	int mail;                /* a message, with all its parts */
	const char *in_place;    /* the suffix of --in-place, "" for none; or NULL */
};

struct options {
	enum action action;
	const struct verb *verb;
	unsigned output;         /* a set of enum output, of one */
	const struct option *given[64]; /* those of which `outputs` or `unread` says something */
	size_t given_count;
	bool implied;            /* it was not named */
	struct settings run;     /* for list and html */
	char *here, *input;      /* what --recursive, and what others read if there is no file */
	int no_filename;
	long color, hyphen;
	long resolution;         /* a urlsift_resolution */
	const char *charset, *base;
	struct given_filter filters[64]; /* the first ones, in order */
	size_t filter_count;
	char *style;             /* the file of --css */
	char *rules_text;        /* the files of --rules */
	urlsift_link_rules *link_rules; /* of these */
	struct archive_options archive;
	struct html_options pages;
	struct query_flags query;
	struct pick_flags pick;
	struct rewrite_flags rewrite;
};

/* A row of the table of options, from which --help and --limits are made. */
struct option {
	const char *name;
	char letter;          /* 0 for none */
	const char *argument; /* NULL for a flag; the words of a choice with | between; [=...] when it may be left out */
	unsigned verbs;       /* the verbs that take it */
	/* Sets the option to a value, NULL for a flag.  Any status but STATUS_DONE is reported. */
	enum status (*set)(struct options *o, const struct option *row, const char *value);
	bool scan;            /* `field` is a urlsift_option, else an offset in struct options or what `set` says */
	size_t field;
	/* Set if the option would do nothing with other outputs than these.  `word` is its value that is meant, NULL for
	 * any; `selects`: it selects the output. */
	unsigned outputs;
	const char *word;
	bool selects;
	unsigned unread;      /* a set of 1 << INPUT_...: with these inputs it would do nothing; `word` applies */
	long low, high;       /* range of a number; 0, 0: that of the option of the scanner, or of the limit */
	long initial;         /* default of a number, or of a choice, as the number of its word from 0 */
	const char *limit;    /* the name in reports when it is exceeded, or NULL */
	const char *help;
	const char *group;    /* the help heading that this row begins, or NULL */
	bool common;          /* -h shows it */
	bool how;             /* how links are found or shown, not which: it may differ from run to run of an index */
};
/* Ends with a row without a name. */
extern const struct option option_table[];

/* Whether the option has a value that cannot be left out. */
static inline bool option_needs_value(const struct option *row) { return row->argument && *row->argument != '['; }

/* The first verb that takes the option. */
const struct verb *verb_with(const struct option *row);
/* Reports an unknown option with what may be meant.  STATUS_USAGE. */
enum status option_unknown(const char *hyphens, const char *name, const struct verb *verb);
/* Reports a value that is none of the option's words, with what may be meant.  STATUS_USAGE. */
enum status value_unknown(const struct option *row, const char *value, const struct verb *verb);
/* Reports an option that only other verbs take.  `implied`: the verb was not named.  STATUS_USAGE. */
enum status option_elsewhere(const struct option *row, const struct verb *verb, bool implied);

/* The range and the default of a number or a choice. */
struct option_range {
	long low, high, initial;
};
struct option_range option_range(const struct option *row);
/* Word i, from 0, of those that its value may be, or is a list of; NULL after the last, and for other values. */
const char *option_word(const struct option *row, unsigned i, size_t *length);
/* The number of a word among them, or -1. */
long option_word_find(const struct option *row, const char *word);
/* Whether its value, which it has, is the name of a file or folder. */
bool option_names_file(const struct option *row);
/* Writes the value to `to`, of `size` bytes, as the command line would give it.  False for the default; options without
 * a field, such as filters, have no value. */
bool option_text(const struct options *o, const struct option *row, char *to, size_t size);
/* Its value. */
long option_value(const struct options *o, const struct option *row);

/* The options at their defaults. */
void options_init(struct options *o);
void options_fini(struct options *o);
/* Reads the command line and the environment.  Any status but STATUS_DONE is reported. */
enum status options_read(struct options *o, int argc, char **argv);

/* Without names of files, --recursive reads the working directory; a verb that reads text reads standard input. */
void options_read_here(struct options *o);
void options_read_input(struct options *o);

/* Candidate i, NULL after the last. */
typedef const char *word_at(size_t i, const void *of);
/* The word nearest to a misspelt one: one that begins with it, or at most two letters
 * away; NULL for none. */
const char *nearest_word(const char *misspelt, word_at *word, const void *of);

#endif
