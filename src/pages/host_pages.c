/* Links by host: the hosts, those that most messages link to first, and a page for each that has links enough.  The
 * links of the others are on one page for each first letter, so that a message cannot make thousands of files. */
#include "page.h"

#ifdef URLSIFT_WITH_SQLITE

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 500 /* of a page, about */

struct hosts {
	struct pages *p;
	sqlite3_stmt *hosts, *urls, *messages;
	int64_t host, hash;   /* the one whose links are written; of its name */
	bool new;             /* none of its links was written yet */
	/* of one host, of those of a letter, or of the list of hosts: */
	const char *stem, *title;
	enum section section;
	int64_t rows, group;  /* so far, and before the last URL */
	int64_t number, last; /* of the page that is open, and of the last one */
};

static void begin(struct hosts *h, int64_t number)
{
	h->number = number;
	char name[SITE_NAME];
	struct page_frame f = { .section = h->section, .name = name, .title = h->title, .of = "page",
	                        .up = h->section == SECTION_TOP ? "" : "../links.html", .up_text = "Links by host" };
	page_name(name, h->stem, number);
	if (number > 1)
		page_name(f.near.previous, h->stem, number - 1);
	if (number < h->last)
		page_name(f.near.next, h->stem, number + 1);
	page_begin(h->p, &f);
	page_put(&h->p->site, "<h1>%b</h1>", h->title);
}

/* Before a row: if it belongs on a further page, ends this one with `end`, begins that, and returns true. */
static bool turn_page(struct hosts *h, const char *end)
{
	const int64_t number = page_of_row(h->group, h->rows, ROWS);
	if (number == h->number)
		return false;
	page_put(&h->p->site, "%s", end);
	page_end(h->p);
	begin(h, number);
	return true;
}

/* ---- Links ------------------------------------------------------------------------------------ */

static void put_url(struct hosts *h)
{
	struct site *s = &h->p->site;
	bool open = false;
	h->group = h->rows;
	const char *text = plan_text(h->urls, 1), *scheme = plan_text(h->urls, 2);
	urlsift_url url;
	urlsift_url_split(text, strlen(text), &url);
	const bool linkable = urlsift_scheme_linkable(scheme, strlen(scheme)) && !urlsift_url_warnings(&url);
	plan_bind(h->messages, "i", (int64_t)sqlite3_column_int64(h->urls, 0));
	for (; database_row(&h->p->plan.db, h->messages); h->rows++) {
		struct mention m = mention_read(h->messages);
		if (turn_page(h, open ? "</ul>" : "") || !open) {
			/* The heading of the URL and its list; on a further page again, without the number: a new message would
			 * change it on all pages. */
			page_put(s, h->new ? "<h2 id=\"h%x\">" : "<h2>", h->hash);
			h->new = false;
			if (linkable)
				page_put(s, "<a rel=\"nofollow noopener noreferrer ugc\" href=\"%e\">", text);
			page_put(s, "%b%s</h2><p class=\"by\">", text, linkable ? "</a>" : "");
			if (open)
				page_put(s, "Continued");
			else
				page_count(s, sqlite3_column_int64(h->urls, 3), "message");
			page_put(s, "</p><ul>");
		}
		open = true;
		page_item(s, &m, SECTION_HOSTS);
	}
	page_put(s, "</ul>");
}

/* ---- All hosts -------------------------------------------------------------------------------------- */

/* The SQL function name_hash: numbers of hosts in the index depend on the order of the input. */
static void name_hash(sqlite3_context *c, int count, sqlite3_value **value)
{
	(void)count;
	const char *name = (const char *)sqlite3_value_text(value[0]);
	sqlite3_result_int64(c, plan_hash(name, (size_t)sqlite3_value_bytes(value[0])));
}

static const char table[] = "<table><thead><tr><th scope=\"col\">Host</th><th scope=\"col\">Messages</th>"
                            "<th scope=\"col\">Links</th></tr></thead><tbody>";

void host_pages_write_list(struct pages *p)
{
	struct hosts h = { .p = p, .stem = "links", .title = "Links by host", .section = SECTION_TOP };
	sqlite3_stmt *all = database_prepare(&p->plan.db, "SELECT r.hash, name, messages, urls, stem, page FROM ranked r"
		" JOIN host_begin b ON b.host=r.host ORDER BY r.rowid");
	const int64_t last = database_number(&p->plan.db, "SELECT count(*) FROM ranked", 0) - 1;
	h.last = page_of_row(last, last, ROWS);
	begin(&h, 1);
	page_put(&p->site, table);
	for (; database_row(&p->plan.db, all); h.group = ++h.rows) {
		const int64_t host = sqlite3_column_int64(all, 0), messages = sqlite3_column_int64(all, 2),
		              urls = sqlite3_column_int64(all, 3);
		char name[SITE_NAME];
		page_name(name, plan_text(all, 4), sqlite3_column_int64(all, 5));
		if (turn_page(&h, "</tbody></table>"))
			page_put(&p->site, table);
		page_put(&p->site, "<tr><th scope=\"row\"><a href=\"h/%s#h%x\">%b</a></th><td>%d</td><td>%d</td></tr>",
		         name, host, plan_text(all, 1), messages, urls);
	}
	page_put(&p->site, "</tbody></table>");
	page_end(p);
	sqlite3_finalize(all);
}

int64_t host_pages_count(struct pages *p)
{
	struct database *d = &p->plan.db;
	sqlite3_create_function(d->db, "name_hash", 1, SQLITE_UTF8, NULL, name_hash, NULL, NULL);
	database_run(d, "CREATE TABLE linked.linked(url INTEGER, seq INTEGER, PRIMARY KEY(url, seq)) WITHOUT ROWID;"
		"INSERT OR IGNORE INTO linked SELECT l.url, s.seq FROM link l JOIN spot s ON s.n=l.message"
		" JOIN url u ON u.id=l.url"
		" WHERE u.host IS NOT NULL AND (l.field IS NULL OR l.part IS NOT NULL) ORDER BY 1, 2;"
		"CREATE TABLE linked.counted(url INTEGER, host INTEGER, messages INTEGER);"
		"INSERT INTO counted SELECT l.url, u.host, count(*) FROM linked l JOIN url u ON u.id=l.url"
		" GROUP BY l.url;"
		"CREATE INDEX linked.counted_host ON counted(host);"
		"CREATE TABLE linked.ranked(host INTEGER, hash INTEGER, name TEXT, urls INTEGER, rows INTEGER, last INTEGER,"
		" messages INTEGER, stem TEXT);"
		"INSERT INTO ranked(host, hash, name, urls, rows, last, messages)"
		" SELECT c.host, name_hash(h.name), h.name, count(*), sum(c.messages), min(c.messages),"
		" (SELECT count(DISTINCT l.seq) FROM counted d JOIN linked l ON l.url=d.url WHERE d.host=c.host) AS messages"
		" FROM counted c JOIN host h ON h.id=c.host GROUP BY c.host ORDER BY messages DESC, h.name;"
		/* up to the first one that has links enough and is too many */
		"UPDATE ranked SET stem=CASE WHEN rows>=" NUMBER_TEXT(HOST_LINKS) " AND rowid<ifnull((SELECT rowid FROM ranked"
		" WHERE rows>=" NUMBER_TEXT(HOST_LINKS) " ORDER BY rowid LIMIT 1 OFFSET " NUMBER_TEXT(PAGES_HOSTS)
		"*(SELECT count(*) FROM spot)), 9223372036854775807) THEN printf('%016x', hash) WHEN name GLOB '[a-z]*'"
		" THEN printf('letter-%02d', unicode(name)-96) WHEN name GLOB '[0-9]*' THEN 'letter-27' ELSE 'letter-28' END;"
		"CREATE INDEX linked.ranked_stem ON ranked(stem, name);"
		/* with max(name) SQLite takes `last` from its row: the URL with the fewest messages ends a host */
		"CREATE TABLE linked.host_stem AS SELECT stem, CASE WHEN stem NOT GLOB 'letter*' THEN name"
		" WHEN stem<'letter-27' THEN 'Hosts: '||substr(name, 1, 1) WHEN stem='letter-27' THEN 'Hosts: 0-9'"
		" ELSE 'Other hosts' END AS title, rows-last AS before, last"
		" FROM (SELECT stem, max(name) AS name, last, sum(rows) AS rows FROM ranked GROUP BY stem);"
		"CREATE TABLE linked.host_begin AS SELECT host, 1+(sum(rows) OVER (PARTITION BY stem ORDER BY name)-rows)/"
		NUMBER_TEXT(ROWS) " AS page FROM ranked;"
		"CREATE INDEX linked.host_begin_host ON host_begin(host);");
	plan_commit(&p->plan);
	return database_number(d, "SELECT count(*) FROM host_stem", 0);
}

void host_pages_write(struct pages *p, struct share *stems)
{
	struct database *db = &p->plan.db;
	struct hosts h = { .p = p, .section = SECTION_HOSTS };
	sqlite3_stmt *range = database_prepare(db, "SELECT stem, title, before, last FROM host_stem"
		" WHERE rowid BETWEEN ? AND ? ORDER BY rowid");
	h.hosts = database_prepare(db, "SELECT host, hash FROM ranked WHERE stem=? ORDER BY name");
	h.urls = database_prepare(db, "SELECT u.id, u.normal, u.scheme, c.messages FROM counted c JOIN url u"
		" ON u.id=c.url WHERE c.host=? ORDER BY c.messages DESC, u.normal");
	h.messages = database_prepare(db, "SELECT " MENTION " FROM linked l JOIN spot s ON s.seq=l.seq"
		" JOIN shown m ON m.n=s.n WHERE l.url=? ORDER BY l.seq");
	while (share_row(stems, &p->plan, range)) {
		/* The pages of a stem: the links of its hosts. */
		h.stem = plan_text(range, 0);
		h.title = plan_text(range, 1);
		const int64_t before = sqlite3_column_int64(range, 2);
		h.last = page_of_row(before, before + sqlite3_column_int64(range, 3) - 1, ROWS);
		h.rows = h.group = 0;
		begin(&h, 1);
		for (plan_bind(h.hosts, "t", h.stem, strlen(h.stem)); database_row(db, h.hosts);) {
			h.host = sqlite3_column_int64(h.hosts, 0);
			h.hash = sqlite3_column_int64(h.hosts, 1);
			h.new = true;
			for (plan_bind(h.urls, "i", h.host); database_row(db, h.urls);)
				put_url(&h);
		}
		page_end(p);
	}
	sqlite3_finalize(range);
	sqlite3_finalize(h.hosts);
	sqlite3_finalize(h.urls);
	sqlite3_finalize(h.messages);
}

#endif
