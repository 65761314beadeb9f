/* The verbs, each a function from options to the exit status. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "options.h"

/* Reads every source that the options name and writes to standard output; what
 * goes wrong is said on standard error.  Returns the exit status. */
enum status text_verb(struct options *o);

/* `explain [URL]...`: a page, or a record, for each URL. */
enum status url_verbs_explain(struct options *o);
/* `resolve BASE [REFERENCE]...`: the absolute URLs, one a line. */
enum status url_verbs_resolve(struct options *o);
/* `normalise [URL]...`: the comparable forms, one a line. */
enum status url_verbs_normalise(struct options *o);
/* `schemes`: the scheme table, a row a line. */
enum status url_verbs_schemes(struct options *o);

/* Writes the page that the options' action asks for. */
enum status help_show(const struct options *o);

#endif
