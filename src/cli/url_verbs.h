/* The verbs about single URLs, but for explain: each returns the exit status. */
#ifndef CLI_URL_VERBS_H
#define CLI_URL_VERBS_H

#include "options.h"

/* `resolve BASE [REFERENCE]...`: the absolute URLs, one a line. */
enum status url_verbs_resolve(struct options *o);
/* `normalise [URL]...`: the comparable forms, one a line. */
enum status url_verbs_normalise(struct options *o);
/* `schemes`: the scheme table, a row a line. */
enum status url_verbs_schemes(struct options *o);

#endif
