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
	QUERY_ANY_HOST,     /* a host, or with a leading full stop a domain and all hosts in it; nothing for all hosts */
	QUERY_URL_OR_HOST,  /* and a date: only messages of that day, month or year */
	QUERY_HOST_OF_DATE, /* a host, and such a date */
	QUERY_DATE,         /* 2024, 2024-05 or 2024-05-31, in UTC */
	QUERY_MSGID         /* a Message-ID, with or without its brackets */
};

/* The SQL has the parameter :url, :since (and :until, both null without a date), or :host and :dot: the reversed host
 * is equal to :host or, unless :dot is null, begins with :host and a full stop.  :msgid is a Message-ID, :address the
 * name of its page. */
struct query {
	const char *name;
	enum query_arguments arguments;
	const char *sql, *hosts_sql; /* hosts_sql: for a host, if it differs; or NULL */
	const char *usage;           /* of the arguments */
	const char *help;
	int version;                 /* of the schema: the least that it can read */
};
/* Ends with a row without a name. */
extern const struct query query_table[];
/* The expression in the SQL of some that finds, for a copy of a message, the first message with its Message-ID. */
extern const char query_earlier[];

struct query_options {
	const char *path;
	const struct query *query;
	char **arguments;
	size_t count;
	enum query_format { QUERY_TABS, QUERY_JSON, QUERY_CSV } format; /* CSV has a header */
	bool header;     /* the names of the columns first; not for JSON */
	bool spreadsheet, terminal; /* of CSV, as those of urlsift_render_options */
	const char *from, *since, *until; /* only messages whose sender has that text, and of these dates; or NULL */
	bool no_footers; /* without links that half the messages of a list have */
	bool fail_if_none;
};
/* Runs the query and writes its rows to standard output. */
enum status query_run(const struct query_options *o);
/* Writes the SQL of the query instead, with its arguments.  No index is needed. */
enum status query_print(const struct query_options *o);

#endif

#endif
