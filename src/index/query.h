/* Questions that an index answers. */
#ifndef INDEX_QUERY_H
#define INDEX_QUERY_H

#include "database.h"

#include <stddef.h>

#ifdef URLSIFT_WITH_SQLITE

/* What the arguments of a question are. */
enum query_arguments {
	QUERY_NONE,
	QUERY_URLS,         /* one or more URLs, each answered on its own */
	QUERY_HOST,         /* a host, or one and all below it: .example.org */
	QUERY_ANY_HOST,     /* the same, or none: all */
	QUERY_URL_OR_HOST,
	QUERY_DATE          /* 2024, 2024-05 or 2024-05-31, in UTC */
};

/* The SQL has the parameter :url, or :host, :low and :high: the reversed host is :host or in [:low, :high). */
struct query {
	const char *name;
	enum query_arguments arguments;
	const char *sql, *hosts_sql; /* the second for hosts, where it differs; or NULL */
	const char *usage;           /* of the arguments */
	const char *help;
};
/* Ends with a row without a name. */
extern const struct query query_table[];

/* Answers the question; rows go to standard output, tab-separated or as JSON. */
struct query_options {
	const char *path;
	const struct query *query;
	char **arguments;
	size_t count;
	bool json;
};
enum status query_run(const struct query_options *o);

#endif

#endif
