/* Queries on an index. */
#ifndef INDEX_QUERY_H
#define INDEX_QUERY_H

#include "database.h"

#include <stddef.h>

#ifdef URLSIFT_WITH_SQLITE

/* The arguments of a query. */
enum query_arguments {
	QUERY_NONE,
	QUERY_URLS,         /* one or more URLs; the query runs once for each */
	QUERY_HOST,         /* a host, or with a leading full stop a domain and all hosts in it: .example.org */
	QUERY_ANY_HOST,     /* the same, or nothing for all hosts */
	QUERY_URL_OR_HOST,
	QUERY_DATE          /* 2024, 2024-05 or 2024-05-31, in UTC */
};

/* The SQL has the parameter :url, :since, or :host and :dot: the reversed host is equal to :host or, unless :dot is
 * null, begins with :host and a full stop. */
struct query {
	const char *name;
	enum query_arguments arguments;
	const char *sql, *hosts_sql; /* hosts_sql: for a host, if it differs; or NULL */
	const char *usage;           /* of the arguments */
	const char *help;
};
/* Ends with a row without a name. */
extern const struct query query_table[];

struct query_options {
	const char *path;
	const struct query *query;
	char **arguments;
	size_t count;
	bool json;
};
/* Runs the query and writes its rows to standard output, tab-separated or as JSON. */
enum status query_run(const struct query_options *o);

#endif

#endif
