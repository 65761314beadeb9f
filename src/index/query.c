#include "query.h"

#ifdef URLSIFT_WITH_SQLITE

#include "urlsift-render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Arguments ---------------------------------------------------------------------- */

struct bound {
	char *url;               /* the comparable form, or NULL */
	char *host, *low, *high; /* reversed, or NULL */
	int64_t since;
};

static void bound_fini(struct bound *b)
{
	free(b->url);
	free(b->host);
	free(b->low);
	free(b->high);
}

static char *normal_form(const char *text)
{
	const urlsift_url url = { .text = text, .length = strlen(text) };
	size_t n = urlsift_url_normal(&url, NULL, 0);
	char *to = n == URLSIFT_LENGTH_NO_MEMORY ? NULL : malloc(n + 1);
	if (to && urlsift_url_normal(&url, to, n) != n) { /* URLSIFT_LENGTH_NO_MEMORY */
		free(to);
		return NULL;
	}
	if (to)
		to[n] = '\0';
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

static char *reversed(const char *host)
{
	size_t n = strlen(host);
	char *to = malloc(n + 1);
	if (to) {
		database_reverse_host(host, n, to);
		to[n] = '\0';
	}
	return to;
}

/* The host of the comparable form of a URL with this host. */
static char *normal_host(const char *host)
{
	size_t room = strlen(host) + sizeof "http:///";
	char *text = malloc(room), *form = NULL, *to = NULL;
	if (text) {
		snprintf(text, room, "http://%s/", host);
		form = normal_form(text);
	}
	if (form) {
		urlsift_url url;
		urlsift_url_split(form, strlen(form), &url);
		to = strndup(form + url.host.offset, url.host.length);
	}
	free(text);
	free(form);
	return to;
}

static bool bind_host(struct bound *b, const char *host)
{
	bool below = *host == '.';
	char *name = normal_host(host + below);
	b->host = name && *name ? reversed(name) : NULL;
	free(name);
	size_t room = b->host ? strlen(b->host) + 2 : 0;
	if (!below || !b->host)
		return b->host;
	b->low = malloc(room);
	b->high = malloc(room);
	if (!b->low || !b->high)
		return false;
	snprintf(b->low, room, "%s.", b->host);
	snprintf(b->high, room, "%s/", b->host); /* the character after the dot */
	return true;
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
	bool url = q->arguments == QUERY_URLS || (q->arguments == QUERY_URL_OR_HOST && argument && is_url(argument));
	*b = (struct bound){ .url = NULL };
	if (!argument)
		return STATUS_DONE;
	if (url)
		good = (b->url = normal_form(argument));
	else if (q->arguments == QUERY_DATE)
		good = bind_date(b, argument);
	else
		good = bind_host(b, argument);
	if (good)
		return STATUS_DONE;
	return report_usage("query %s takes %s, not '%s'", q->name, q->usage, argument);
}

/* ---- Output --------------------------------------------------------------------------- */

typedef size_t escape_fn(const char *, size_t, char *, size_t);

/* False without memory. */
static bool print_escaped(const char *text, size_t n, escape_fn *escape)
{
	char small[4096];
	size_t length = escape(text, n, small, sizeof small);
	char *to = length > sizeof small ? malloc(length) : small;
	if (to && to != small)
		escape(text, n, to, length);
	if (to)
		fwrite(to, 1, length, stdout);
	if (to != small)
		free(to);
	return to != NULL;
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

static void bind_text(sqlite3_stmt *s, const char *name, const char *text)
{
	int i = sqlite3_bind_parameter_index(s, name);
	if (i > 0 && text)
		sqlite3_bind_text(s, i, text, -1, SQLITE_STATIC);
}

static void answer(const struct query_options *o, struct database *d, const struct bound *b)
{
	const struct query *q = o->query;
	sqlite3_stmt *s = database_prepare(d, b->host && q->hosts_sql ? q->hosts_sql : q->sql);
	bind_text(s, ":url", b->url);
	bind_text(s, ":host", b->host);
	bind_text(s, ":low", b->low ? b->low : b->host);
	bind_text(s, ":high", b->high ? b->high : b->host);
	if (sqlite3_bind_parameter_index(s, ":since"))
		sqlite3_bind_int64(s, sqlite3_bind_parameter_index(s, ":since"), b->since);
	while (!ferror(stdout) && database_row(d, s))
		if (!print_row(s, o->json))
			database_fail_memory(d);
	sqlite3_finalize(s);
}

enum status query_run(const struct query_options *o)
{
	struct database d;
	size_t i = 0;
	enum status status = database_open(&d, o->path);
	database_run(&d, "PRAGMA cache_size = -8192; PRAGMA mmap_size = 1073741824");
	do {
		struct bound b = { .url = NULL };
		if (status == STATUS_DONE)
			status = bind(&b, o->query, i < o->count ? o->arguments[i] : NULL);
		if (status == STATUS_DONE)
			answer(o, &d, &b);
		bound_fini(&b);
		status = status == STATUS_DONE ? database_status(&d) : status;
	} while (++i < o->count && status == STATUS_DONE);
	database_close(&d);
	return status;
}

#endif
