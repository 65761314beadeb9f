#include "query.h"

#ifdef URLSIFT_WITH_SQLITE

#include "urlsift-render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Arguments ---------------------------------------------------------------------- */

struct bound {
	char *url;  /* the comparable form, or NULL */
	char *host; /* reversed, or NULL */
	bool below; /* all hosts in it too */
	int64_t since;
};

/* For free(); NULL without memory. */
static char *normal_form(const char *text)
{
	const urlsift_url url = { .text = text, .length = strlen(text) };
	size_t n = urlsift_url_normal(&url, NULL, 0);
	char *to = n == URLSIFT_LENGTH_NO_MEMORY ? NULL : calloc(n + 1, 1);
	if (to && urlsift_url_normal(&url, to, n) != n) { /* URLSIFT_LENGTH_NO_MEMORY */
		free(to);
		return NULL;
	}
	return to;
}

/* Whether it is a URL rather than a host: it has a scheme, and more than a port after it. */
static bool is_url(const char *text)
{
	urlsift_url url;
	urlsift_url_split(text, strlen(text), &url);
	const char *after = text + url.scheme.length + 1;
	return url.scheme.present && after[strspn(after, "0123456789")];
}

/* The host of the comparable form of a URL with this host, reversed; "" for none. */
static enum status bind_host(struct bound *b, const char *host)
{
	b->below = *host == '.';
	char *text = sqlite3_mprintf("http://%s/", host + b->below);
	char *form = text ? normal_form(text) : NULL;
	sqlite3_free(text);
	if (form) {
		urlsift_url url;
		urlsift_url_split(form, strlen(form), &url);
		b->host = calloc(url.host.length + 1, 1);
		if (b->host && url.host.length > 0)
			database_reverse_host(form + url.host.offset, url.host.length, b->host);
	}
	free(form);
	return b->host ? STATUS_DONE : report_no_memory();
}

/* Days since 1970-01-01 of a date of the Gregorian calendar, counted in years that begin in March. */
static int64_t days(int64_t year, int64_t month, int64_t day)
{
	year -= month <= 2;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return 365 * year + year / 4 - year / 100 + year / 400 + of_year - 719468;
}

static bool bind_date(struct bound *b, const char *text)
{
	int year = 0, month = 1, day = 1, end = -1;
	int n = sscanf(text, "%4d%n-%2d%n-%2d%n", &year, &end, &month, &end, &day, &end);
	b->since = days(year, month, day) * 86400;
	return n > 0 && end >= 0 && !text[end] && year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static enum status bind(struct bound *b, const struct query *q, const char *argument)
{
	bool good = true;
	enum status status = STATUS_DONE;
	if (q->arguments == QUERY_DATE) {
		good = bind_date(b, argument);
	} else if (q->arguments == QUERY_URLS || (q->arguments == QUERY_URL_OR_HOST && is_url(argument))) {
		b->url = normal_form(argument);
		status = b->url ? STATUS_DONE : report_no_memory();
	} else {
		status = bind_host(b, argument);
		good = !b->host || *b->host;
	}
	return good ? status : report_usage("query %s takes %s, not '%s'", q->name, q->usage, argument);
}

/* ---- Output --------------------------------------------------------------------------- */

typedef size_t escape_fn(const char *, size_t, char *, size_t);

static bool print_escaped(const char *text, size_t n, escape_fn *escape)
{
	size_t length = escape(text, n, NULL, 0);
	char *to = malloc(length + 1);
	if (!to)
		return false;
	fwrite(to, 1, escape(text, n, to, length), stdout);
	free(to);
	return true;
}

/* In a list nothing in a value can end its column or its line, or control a terminal.  False without memory. */
static bool print_value(sqlite3_stmt *s, int i, bool json)
{
	int type = sqlite3_column_type(s, i);
	const char *text = (const char *)sqlite3_column_text(s, i);
	size_t n = (size_t)sqlite3_column_bytes(s, i);
	bool ready = json && !strcmp(sqlite3_column_name(s, i), "alternates"); /* is JSON already */
	if (!text)
		return type == SQLITE_NULL;
	if (type != SQLITE_INTEGER && !ready)
		return print_escaped(text, n, json ? urlsift_escape_json : urlsift_escape_name);
	fwrite(text, 1, n, stdout);
	return true;
}

static bool print_row(sqlite3_stmt *s, bool json)
{
	const char *before = "{";
	bool good = true;
	for (int i = 0; i < sqlite3_column_count(s) && good; i++) {
		if (json && sqlite3_column_type(s, i) == SQLITE_NULL)
			continue;
		if (json)
			printf("%s\"%s\":", before, sqlite3_column_name(s, i));
		else if (i > 0)
			putchar('\t');
		before = ",";
		good = print_value(s, i, json);
	}
	fputs(json ? *before == '{' ? "{}\n" : "}\n" : "\n", stdout);
	return good;
}

/* ---- Running -------------------------------------------------------------------------- */

/* There is no parameter 0: what the statement does not have is not bound. */
static void bind_text(sqlite3_stmt *s, const char *name, const char *text)
{
	sqlite3_bind_text(s, sqlite3_bind_parameter_index(s, name), text, -1, SQLITE_STATIC);
}

static void answer(const struct query_options *o, struct database *d, const struct bound *b)
{
	const struct query *q = o->query;
	sqlite3_stmt *s = database_prepare(d, b->host && q->hosts_sql ? q->hosts_sql : q->sql);
	bind_text(s, ":url", b->url);
	bind_text(s, ":host", b->host);
	bind_text(s, ":dot", b->below ? "." : NULL);
	sqlite3_bind_int64(s, sqlite3_bind_parameter_index(s, ":since"), b->since);
	while (!ferror(stdout) && database_row(d, s))
		if (!print_row(s, o->json))
			database_fail_memory(d);
	sqlite3_finalize(s);
}

enum status query_run(const struct query_options *o)
{
	struct database d;
	enum status status = database_open(&d, o->path);
	database_run(&d, "PRAGMA cache_size = -8192; PRAGMA mmap_size = 1073741824");
	for (size_t i = 0; status == STATUS_DONE && i < (o->count ? o->count : 1); i++) {
		struct bound b = { .url = NULL };
		if (o->count)
			status = bind(&b, o->query, o->arguments[i]);
		if (status == STATUS_DONE)
			answer(o, &d, &b);
		free(b.url);
		free(b.host);
		status = status == STATUS_DONE ? database_status(&d) : status;
	}
	database_close(&d);
	return status;
}

#endif
