/* The verbs, each a function from options to the exit status. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "options.h"

#include "input/memory.h"

/* A verb without a function is not called: main says that it needs SQLite. */
#ifdef URLSIFT_WITH_SQLITE
#define WITH_SQLITE(function) function
#else
#define WITH_SQLITE(function) NULL
#endif

/* `list`, and `html` without --output: reads the inputs and writes what is found to standard output. */
enum status text_verb(struct options *o);
/* An output that is named as an input, too, is reported.  STATUS_USAGE. */
enum status text_verb_spares(const struct settings *s, const char *output);
/* Enters the sandbox for reading the inputs.  False where that is required and cannot be done, which is reported. */
bool text_verb_confine(struct settings *s);
/* `rewrite`: like text_verb, or with --in-place once for each file. */
enum status rewrite_verb(struct options *o);
/* `rewrite --mail`: writes the message `name`, "-" for standard input, to the output. */
enum status rewrite_mail(struct options *o, const char *name);

/* `pick`: lets the user choose links on the terminal, and opens, copies or prints them. */
enum status pick_verb(struct options *o);
/* Prints its keys. */
void pick_list(void);

/* `html`: with --output writes a folder of pages, else like text_verb. */
enum status pages_verb_html(struct options *o);

/* `explain [URL]...`: a page, or a record, for each URL. */
enum status url_verbs_explain(struct options *o);
/* `resolve BASE [REFERENCE]...`: the absolute URLs, one per line. */
enum status url_verbs_resolve(struct options *o);
/* `normalise [URL]...`: the comparable forms, one per line. */
enum status url_verbs_normalise(struct options *o);
/* `schemes`: the table of schemes, one row per line. */
enum status url_verbs_schemes(struct options *o);

/* `index DATABASE [FILE]...`: brings the index up to date with the files. */
enum status index_verb(struct options *o);

/* `shards [FILE]...`: divides the inputs into pieces of work, one per line. */
enum status shards_verb(struct options *o);
/* `list`, with or without shards (--shards-from, --parts). */
enum status parts_verb_list(struct options *o);
/* Calls `run` for each shard, with the shard in o->run.shard.  With --parts, `path` is that of the shard's part, which
 * is renamed when it is complete; shards whose parts exist are skipped.  Without, `path` is NULL.  `ending` is the
 * file name extension of parts. */
typedef enum status parts_run(struct options *o, const char *path);
enum status parts_verb_each(struct options *o, const char *ending, parts_run *run);
/* Whether there is a part with that ending, which need not be made again, as one where nothing could be read. */
bool parts_verb_has(const struct options *o, const char *key, const char *ending, enum status *status);

/* The options of an index with this path, and opens it with those that it must have been made with. */
struct index;
struct index_options;
struct index_options index_options_of(const struct options *o, const char *path);
enum status index_begin_with(struct index *x, const struct options *o);
/* `query DATABASE [NAME [ARGUMENT]...]`: runs a query on the index, or lists the queries. */
enum status query_verb(struct options *o);
/* The name of question i of it, NULL past the last and without SQLite; for nearest_word. */
const char *query_word(size_t i, const void *of);
/* Prints the questions of `query` with their arguments. */
void query_list(void);

/* `completions SHELL`: the completion script. */
enum status completions_verb(struct options *o);
/* `help [VERB]`. */
enum status help_verb(struct options *o);

/* Flushes standard output.  Reports a failure to write, unless it is a closed pipe. */
enum status help_end(void);

/* Help, version or limits, as the action of the options says. */
enum status help_show(const struct options *o);

#endif
