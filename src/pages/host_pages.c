/* Links by host: the hosts, those that most messages link to first, and a page for each. */
#include "page.h"

#ifdef URLSIFT_WITH_SQLITE

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 500 }; /* of a page */

struct hosts {
	struct pages *p;
	sqlite3_stmt *urls, *messages;
	/* of one host, or of the list of hosts: */
	const char *stem, *title;
	enum section section;
	int64_t rows, done;   /* of all its pages */
};

/* Begins the page with the next rows. */
static void begin(struct hosts *h)
{
	int64_t number = h->done / ROWS + 1;
	char name[SITE_NAME];
	struct page_frame f = { .section = h->section, .name = name, .title = h->title, .of = "page",
	                        .up = h->section == SECTION_TOP ? "" : "../links.html", .up_text = "Links by host" };
	page_name(name, h->stem, number);
	if (number > 1)
		page_name(f.near.previous, h->stem, number - 1);
	if (number * ROWS < h->rows)
		page_name(f.near.next, h->stem, number + 1);
	page_begin(h->p, &f);
	page_put(&h->p->site, "<h1>%b</h1>", h->title);
}

/* ---- One host ------------------------------------------------------------------------------------ */

/* The heading of a URL and its list; on a further page again. */
static void begin_url(struct hosts *h)
{
	struct site *s = &h->p->site;
	const char *text = plan_text(h->urls, 1);
	int64_t count = sqlite3_column_int64(h->urls, 3);
	bool linkable = sqlite3_column_int(h->urls, 2);
	page_put(s, "<h2>");
	if (linkable)
		page_put(s, "<a rel=\"nofollow noopener noreferrer ugc\" href=\"%e\">", text);
	page_put(s, "%b%s</h2><p class=\"by\">%d message%s</p><ul>", text, linkable ? "</a>" : "", count,
	         count == 1 ? "" : "s");
}

static void put_url(struct hosts *h)
{
	struct site *s = &h->p->site;
	bool open = false;
	plan_bind(h->messages, "i", (int64_t)sqlite3_column_int64(h->urls, 0));
	for (; database_row(&h->p->plan.db, h->messages); h->done++) {
		struct mention m = mention_read(h->messages);
		if (h->done % ROWS == 0 && h->done > 0) {
			page_put(s, open ? "</ul>" : "");
			page_end(h->p);
			begin(h);
			open = false;
		}
		if (!open)
			begin_url(h);
		open = true;
		page_item(s, &m, SECTION_HOSTS);
	}
	page_put(s, "</ul>");
}

static void put_host(struct pages *p, int64_t host, const char *name, int64_t rows)
{
	char stem[SITE_NAME];
	struct hosts h = { .p = p, .stem = stem, .title = name, .section = SECTION_HOSTS, .rows = rows };
	snprintf(stem, sizeof stem, "%016" PRIx64, host);
	h.urls = database_prepare(&p->plan.db, "SELECT u.id, u.text, u.linkable, c.messages FROM counted c JOIN url u"
		" ON u.id=c.url WHERE c.host=? ORDER BY c.messages DESC, u.text");
	h.messages = database_prepare(&p->plan.db, "SELECT " MENTION " FROM linked l JOIN spot s ON s.seq=l.seq"
		" JOIN message m ON m.n=s.n WHERE l.url=? ORDER BY l.seq");
	begin(&h);
	plan_bind(h.urls, "i", host);
	while (database_row(&p->plan.db, h.urls))
		put_url(&h);
	page_end(p);
	sqlite3_finalize(h.urls);
	sqlite3_finalize(h.messages);
}

/* ---- All hosts -------------------------------------------------------------------------------------- */

static void count_links(struct plan *plan)
{
	database_run(&plan->db, "CREATE TABLE linked(url INTEGER, seq INTEGER, PRIMARY KEY(url, seq)) WITHOUT ROWID;"
		"CREATE INDEX spot_n ON spot(n);"
		"INSERT OR IGNORE INTO linked SELECT l.url, s.seq FROM link l JOIN spot s ON s.n=l.n ORDER BY 1, 2;"
		"CREATE TABLE counted(url INTEGER, host INTEGER, messages INTEGER);"
		"INSERT INTO counted SELECT l.url, u.host, count(*) FROM linked l JOIN url u ON u.id=l.url"
		" GROUP BY l.url;"
		"CREATE INDEX counted_host ON counted(host);"
		"CREATE TABLE ranked(host INTEGER, name TEXT, urls INTEGER, rows INTEGER, messages INTEGER);"
		"INSERT INTO ranked SELECT c.host, h.name, count(*), sum(c.messages), (SELECT count(DISTINCT l.seq)"
		" FROM counted d JOIN linked l ON l.url=d.url WHERE d.host=c.host) AS messages FROM counted c"
		" JOIN host h ON h.id=c.host GROUP BY c.host ORDER BY messages DESC, h.name;");
}

static const char table[] = "<table><thead><tr><th scope=\"col\">Host</th><th scope=\"col\">Messages</th>"
                            "<th scope=\"col\">Links</th></tr></thead><tbody>";

/* The list of hosts; their own pages are written in a second pass, since one page is written at a time. */
static void put_hosts(struct pages *p)
{
	struct hosts h = { .p = p, .stem = "links", .title = "Links by host", .section = SECTION_TOP };
	sqlite3_stmt *all = database_prepare(&p->plan.db, "SELECT host, name, messages, urls FROM ranked ORDER BY rowid");
	h.rows = database_number(&p->plan.db, "SELECT count(*) FROM ranked", 0);
	begin(&h);
	page_put(&p->site, table);
	for (; database_row(&p->plan.db, all); h.done++) {
		const int64_t host = sqlite3_column_int64(all, 0), messages = sqlite3_column_int64(all, 2),
		              urls = sqlite3_column_int64(all, 3);
		if (h.done % ROWS == 0 && h.done > 0) {
			page_put(&p->site, "</tbody></table>");
			page_end(p);
			begin(&h);
			page_put(&p->site, table);
		}
		page_put(&p->site, "<tr><th scope=\"row\"><a href=\"h/%x.html\">%b</a></th><td>%d</td><td>%d</td></tr>",
		         host, plan_text(all, 1), messages, urls);
	}
	page_put(&p->site, "</tbody></table>");
	page_end(p);
	sqlite3_finalize(all);
}

void host_pages_write(struct pages *p)
{
	count_links(&p->plan);
	put_hosts(p);
	sqlite3_stmt *all = database_prepare(&p->plan.db, "SELECT host, name, rows FROM ranked ORDER BY rowid");
	while (database_row(&p->plan.db, all))
		put_host(p, sqlite3_column_int64(all, 0), plan_text(all, 1), sqlite3_column_int64(all, 2));
	sqlite3_finalize(all);
}

#endif
