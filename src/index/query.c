#include "query.h"

#include "address.h"
#include "input/filter.h"
#include "input/memory.h"
#include "render/escape.h"
#include "text/ascii.h"
#include "text/calendar.h"
#include "text/match.h"

#ifdef URLSIFT_WITH_SQLITE

#include "urlsift-render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Arguments ---------------------------------------------------------------------- */

/* Whether the first argument may be a URL or a host, and a date may follow. */
enum { URL = 1, HOST = 2, DATED = 4 };
static const unsigned takes[] = {
	[QUERY_NONE] = 0, [QUERY_URLS] = URL, [QUERY_ANY_HOST] = HOST, [QUERY_URL_OR_HOST] = URL | HOST | DATED,
	[QUERY_HOST_OF_DATE] = HOST | DATED, [QUERY_DATE] = 0, [QUERY_MSGID] = 0
};

struct bound {
	char *url;  /* the comparable form, or NULL */
	const char *argument, *date; /* as they were given; date: NULL for none */
	char *host; /* reversed, "" for none, or NULL */
	char *msgid;
	char address[32];
	bool below; /* all hosts in it too */
	bool dated; /* since and until are set */
	int64_t since, until;
};

/* Whether it is a URL rather than a host: it has a scheme, and more than a port after it. */
static bool is_url(const char *text)
{
	urlsift_url url;
	urlsift_url_split(text, strlen(text), &url);
	const char *after = text + url.scheme.length + 1;
	return url.scheme.present && after[strspn(after, "0123456789")];
}

#define YEAR "%d%d%d%d"
/* 2024, 2024-05 or 2024-05-31: the digits of each number, and days that there are. */
static bool bind_date(struct bound *b, const char *text)
{
	static const char form[] = YEAR MATCH_END "|" YEAR "-%d%d" MATCH_END "|" YEAR "-%d%d-%d%d" MATCH_END;
	int year = 0, month = 1, day = 1, end = -1;
	sscanf(text, "%4d%n-%2d%n-%2d%n", &year, &end, &month, &end, &day, &end);
	if (!match_text(text, form) || year < 1 || !within((uint64_t)month, 1, 12) || day < 1)
		return false;
	b->dated = true;
	b->since = calendar_days(year, month, day) * 86400;
	b->until = end == 10  ? b->since + 86400
	           : end == 7 ? calendar_days(year + month / 12, month % 12 + 1, 1) * 86400
	                      : calendar_days(year + 1, 1, 1) * 86400;
	return day <= calendar_month_days(year, month);
}

/* Binds the argument and the date.  Of an argument that is refused a hint says what may be meant. */
static enum status bind(struct bound *b, const struct query *q)
{
	const char *argument = b->argument, *date = b->date;
	const unsigned may = takes[q->arguments];
	bool good = true;
	if (q->arguments == QUERY_MSGID) {
		size_t n = strlen(argument);
		const bool angled = n > 2 && *argument == '<' && argument[n - 1] == '>';
		const char *text = argument + angled;
		n -= angled * 2u;
		b->msgid = memory_copy_part(text, n);
		snprintf(b->address, sizeof b->address, "m/%016llx.html", (unsigned long long)address_hash(text, n));
	} else if (q->arguments == QUERY_DATE) {
		date = argument;
	} else if (may & URL && (!(may & HOST) || is_url(argument))) {
		b->url = filter_normal_form(argument);
		good = is_url(argument);
	} else {
		b->below = *argument == '.';
		char *form = filter_host_form(argument + b->below);
		const size_t n = strlen(form);
		b->host = memory_get(n + 1);
		if (n > 0)
			database_reverse_host(form, n, b->host);
		free(form);
		good = *b->host && !argument[strcspn(argument, "/?#@* \t")];
	}
	if (good) {
		if (!date || bind_date(b, date))
			return STATUS_DONE;
		return report_usage_of("query", "query %s takes %s, such as 2024-05-31, 2024-05 or 2024, not '%s'",
		                       q->name, q->usage, date);
	}
	const char *hint = "", *name = "";
	urlsift_url url;
	urlsift_url_split(argument, strlen(argument), &url);
	size_t n = 0;
	if (*argument == '*' && may != URL) {
		hint = "; .a.example is a.example and all names below it";
	} else if (may & URL && strpbrk(argument, "./") && argument[strspn(argument, "./")] && !url.scheme.present) {
		hint = "; did you mean https://";
		name = argument;
		n = strlen(argument);
	} else if (!(may & URL) && url.host.length) {
		hint = "; its host is ";
		name = argument + url.host.offset;
		n = url.host.length;
	}
	return report_usage_of("query", "query %s takes %s, not '%s'%s%.*s", q->name, q->usage, argument, hint,
	                       (int)n, name);
}

/* ---- Output --------------------------------------------------------------------------- */

/* The text for a format, and its length in *n. */
static char *escaped(enum query_format format, bool spreadsheet, const char *text, size_t *n)
{
	char *to = NULL;
	for (size_t length = *n, room = 0;; to = memory_get(room + 1)) {
		*n = format == QUERY_JSON  ? urlsift_escape_json(text, length, to, room)
		     : format == QUERY_CSV ? escape_csv_text(text, length, spreadsheet, to, room)
		                           : urlsift_escape_name(text, length, to, room);
		if (to)
			return to;
		room = *n;
	}
}

/* Nothing in a value can end its column or its line, or control a terminal. */
static void print_value(const struct query_options *o, sqlite3_stmt *s, int i)
{
	int type = sqlite3_column_type(s, i);
	const char *text = (const char *)sqlite3_column_text(s, i);
	size_t n = (size_t)sqlite3_column_bytes(s, i);
	bool ready = o->format == QUERY_JSON && !strcmp(sqlite3_column_name(s, i), "alternates"); /* made by json() */
	memory_need(text || type == SQLITE_NULL);
	if (!text)
		return;
	if (type == SQLITE_INTEGER || ready) {
		fwrite(text, 1, n, stdout);
		return;
	}
	char *shown = o->format == QUERY_CSV && o->terminal ? escaped(QUERY_TABS, false, text, &n) : NULL;
	char *to = escaped(o->format, o->spreadsheet, text_or(shown, text), &n);
	fwrite(to, 1, n, stdout);
	free(shown);
	free(to);
}

/* ---- Running -------------------------------------------------------------------------- */

/* Whether only some messages were chosen. */
static bool chooses(const struct query_options *o)
{
	return o->from || o->since || o->until;
}

/* The first chosen message with each Message-ID that several messages have: to find it for each
 * copy, all earlier copies that were not chosen would be read. */
static const char list_earliest[] =
	"CREATE TEMP TABLE earliest(msgid TEXT PRIMARY KEY, id INTEGER) WITHOUT ROWID;"
	"INSERT INTO earliest SELECT msgid, min(id) FROM message WHERE msgid IN (SELECT msgid FROM main.message"
	" WHERE msgid IS NOT NULL GROUP BY msgid HAVING count(*) > 1) GROUP BY msgid;";
/* In the place of query_earlier. */
static const char earliest[] =
	"(SELECT e.id FROM earliest AS e WHERE e.msgid = message.msgid AND e.id < message.id)";

/* There is no parameter 0: what the statement does not have is not bound. */
static void bind_text(sqlite3_stmt *s, const char *name, const char *text)
{
	sqlite3_bind_text(s, sqlite3_bind_parameter_index(s, name), text, -1, SQLITE_STATIC);
}

/* The statement with its arguments. */
static sqlite3_stmt *prepare(const struct query_options *o, struct database *d, const struct bound *b)
{
	const struct query *q = o->query;
	const char *sql = b->host && q->hosts_sql ? q->hosts_sql : q->sql;
	sqlite3_stmt *replaced = NULL;
	if (chooses(o)) {
		replaced = database_prepare(d, "SELECT replace(?, ?, ?)");
		database_bind(replaced, "sss", sql, query_earlier, earliest);
		database_row(d, replaced);
		sql = database_text(replaced, 0);
	}
	sqlite3_stmt *s = database_prepare(d, sql);
	sqlite3_finalize(replaced);
	bind_text(s, ":url", b->url);
	bind_text(s, ":host", b->host);
	bind_text(s, ":dot", b->below ? "." : NULL);
	bind_text(s, ":msgid", b->msgid);
	bind_text(s, ":address", b->address);
	if (b->dated) {
		sqlite3_bind_int64(s, sqlite3_bind_parameter_index(s, ":since"), b->since);
		sqlite3_bind_int64(s, sqlite3_bind_parameter_index(s, ":until"), b->until);
	}
	return s;
}

/* Around and between the values of a row. */
static const struct { const char *begin, *between, *end; } rows[] = {
	[QUERY_TABS] = { "", "\t", "\n" }, [QUERY_CSV] = { "", ",", "\n" }, [QUERY_JSON] = { "{", ",", "}\n" }
};

/* Returns whether there are rows. */
static bool answer(const struct query_options *o, struct database *d, const struct bound *b, bool first)
{
	/* hosts below the one without links: a user may mean those */
	static const char below[] = "SELECT 1 FROM host WHERE reversed >= ?1 || '.' AND reversed < ?1 || '/'";
	/* links of rewriters whose target is the URL or at the host, `.example.org` for any below it too */
	static const char behind[] = "SELECT 1 FROM url INDEXED BY url_unwrapped WHERE unwrapped IS NOT NULL"
		" AND (unwrapped = ?1 OR instr(unwrapped || '/', '//' || ltrim(?1, '.') || '/')"
		" OR (?1 LIKE '.%' AND instr(unwrapped || '/', ?1 || '/')))";
	/* an index of before has none, and its URLs would all be read */
	static const char can_tell[] = "SELECT 1 FROM sqlite_master WHERE name = ?1";
	bool none = true;
	sqlite3_stmt *s = prepare(o, d, b);
	if (first && !d->failed && (o->header || o->format == QUERY_CSV)) {
		const char *before = "";
		for (int i = 0; i < sqlite3_column_count(s); i++, before = rows[o->format].between)
			printf("%s%s", before, sqlite3_column_name(s, i));
		putchar('\n');
	}
	const bool json = o->format == QUERY_JSON;
	while (!ferror(stdout) && database_row(d, s)) {
		const char *before = rows[o->format].begin;
		none = false;
		for (int i = 0; i < sqlite3_column_count(s); i++) {
			if (json && sqlite3_column_type(s, i) == SQLITE_NULL)
				continue;
			fputs(before, stdout);
			if (json)
				printf("\"%s\":", sqlite3_column_name(s, i));
			before = rows[o->format].between;
			print_value(o, s, i);
		}
		fputs(rows[o->format].end, stdout);
	}
	sqlite3_finalize(s);
	if (none && !d->failed) {
		/* An argument that names nothing in the index may be a mistake, such as a date in the place of a host.  That
		 * nothing is of a date is an answer. */
		const char *in = text_if(b->date, " in "), *date = memory_text(b->date);
		const char *of = text_if(chooses(o), " in the chosen messages");
		const char *target = b->url ? b->url : b->host ? b->argument : NULL;
		if (target && database_has(d, can_tell, "url_unwrapped") && database_has(d, behind, target))
			report("%s: no link to %s%s%s%s itself; rewritten links lead there: sqlite3 %s \"SELECT * FROM links WHERE"
			       " unwrapped LIKE '%%WORD%%'\"", o->path, b->argument, in, date, of, o->path);
		else if (b->msgid)
			report("%s: no message %s", o->path, b->argument);
		else if (b->url)
			report("%s: no link to %s%s%s%s", o->path, b->argument, in, date, of);
		else if (b->host && !b->below && !b->date && !*of && database_has(d, below, b->host))
			report("%s: nothing of %s alone; all names below it are .%s", o->path, b->argument, b->argument);
		else if (b->host)
			report("%s: no link to the host %s%s%s%s", o->path, b->argument, in, date, of);
		else if (*of)
			report("%s: nothing%s", o->path, of);
	}
	return !none;
}

static bool print_sql(const struct query_options *o, struct database *d, const struct bound *b, bool first)
{
	sqlite3_stmt *s = prepare(o, d, b);
	char *sql = sqlite3_expanded_sql(s); /* NULL for no statement */
	(void)first;
	if (sql)
		printf("%s;\n", sql);
	sqlite3_free(sql);
	sqlite3_finalize(s);
	return true;
}

typedef bool answer_fn(const struct query_options *o, struct database *d, const struct bound *b, bool first);

/* Calls `each` with every argument, or once without.  Nothing at all is a failure if the user said so. */
static enum status for_each(const struct query_options *o, struct database *d, answer_fn *each)
{
	enum status status = database_status(d);
	/* A host has no date form: a name of numbers and hyphens has no full stop. */
	const char *date = takes[o->query->arguments] & DATED && o->count == 2 ? o->arguments[1] : NULL;
	const size_t count = date ? 1 : o->count;
	bool any = false;
	for (size_t i = 0; status == STATUS_DONE && i < larger(count, 1); i++) {
		struct bound b = { .argument = count ? o->arguments[i] : NULL, .date = date };
		if (b.argument)
			status = bind(&b, o->query);
		if (status == STATUS_DONE) {
			any |= each(o, d, &b, i == 0);
			status = database_status(d);
		}
		free(b.url);
		free(b.host);
		free(b.msgid);
	}
	return status == STATUS_DONE && !any && o->fail_if_none ? STATUS_INPUT : status;
}

/* A view that hides the links that half the messages of a list have, ten at least; mail that no list sent counts by its
 * source. */
static const char hide_footers[] =
	"PRAGMA query_only = 0;"
	"CREATE TEMP TABLE footer(list, url INTEGER, PRIMARY KEY(list, url)) WITHOUT ROWID;"
	"INSERT INTO footer SELECT list, url FROM (SELECT coalesce(m.list_id, m.source) AS list, l.url AS url,"
	" count(DISTINCT l.message) AS seen FROM main.link AS l JOIN main.message AS m ON m.id = l.message GROUP BY 1, 2"
	" HAVING seen >= 10) AS often JOIN (SELECT coalesce(list_id, source) AS list, count(*) AS messages"
	" FROM main.message"
	" GROUP BY 1) USING (list) WHERE 2 * seen >= messages;"
	"CREATE TEMP VIEW link AS SELECT * FROM main.link AS l WHERE NOT EXISTS (SELECT 1 FROM main.message AS m"
	" JOIN footer ON footer.list = coalesce(m.list_id, m.source) AND footer.url = l.url WHERE m.id = l.message);";

enum status query_run(const struct query_options *o)
{
	struct database d;
	struct bound since = { .since = 0 }, until = { .until = 0 };
	const struct { const char *name, *date; struct bound *to; } options[] = {
		{ "since", o->since, &since }, { "until", o->until, &until }
	};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (options[i].date && !bind_date(options[i].to, options[i].date))
			return report_usage_of("query", "--%s=%s: is no date such as 2024-05-31, 2024-05 or 2024",
			                       options[i].name, options[i].date);
	if (o->since && o->until && since.since >= until.until)
		return report_usage_of("query", "--since=%s is after --until=%s", o->since, o->until);
	if (chooses(o) && !strstr(o->query->sql, "message.id"))
		return report_usage_of("query", "query %s is not of messages, which --from, --since and --until choose",
		                       o->query->name);
	database_open(&d, o->path);
	if (d.version < o->query->version)
		database_refuse(&d, DATABASE_OLDER);
	database_run(&d, "PRAGMA cache_size = -8192");
	if (!d.unlocked) /* nobody makes the file shorter */
		database_run(&d, "PRAGMA mmap_size = 1073741824");
	if (d.version < DATABASE_VERSION || chooses(o)) {
		/* A view of the messages that were chosen.  Version 1 has no column uri. */
		char *sql = sqlite3_mprintf(
			"PRAGMA query_only = 0; CREATE TEMP VIEW message AS SELECT *%s FROM main.message WHERE"
			" (%d OR instr(lower(author), lower(%Q)) > 0) AND (%d OR time >= %lld) AND (%d OR time < %lld)",
			text_if(d.version < DATABASE_VERSION, ", NULL AS uri"), !o->from, o->from, !o->since,
			(long long)since.since, !o->until, (long long)until.until);
		memory_need(sql);
		database_run(&d, sql);
		sqlite3_free(sql);
	}
	if (chooses(o) && strstr(o->query->sql, query_earlier))
		database_run(&d, list_earliest);
	if (o->no_footers) {
		database_run(&d, hide_footers);
		if (!database_number(&d, "SELECT count(*) FROM temp.footer", 1))
			report("%s: --no-footers leaves out nothing: no link is in at least ten messages and half of those of "
			       "a list", o->path);
	}
	enum status status = for_each(o, &d, answer);
	database_check_unchanged(&d);
	status = status_worse(status, database_status(&d));
	database_close(&d);
	return status;
}

enum status query_print(const struct query_options *o)
{
	struct database d;
	const struct query *q = o->query;
	if (o->count == 0) { /* with its parameters */
		printf("%s;\n", q->sql);
		return STATUS_DONE;
	}
	database_open_empty(&d);
	enum status status = for_each(o, &d, print_sql);
	database_close(&d);
	return status;
}

#endif
