/* The first page, and for each month its messages by date, by thread and by author.  Only the list by date leads to the
 * months before and after it, so that a new month changes few pages; the others lead to that list. */
#include "page.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdio.h>
#include <string.h>

/* About the rows of a page; replies of a thread in the list of threads. */
enum { ROWS = 1000, REPLIES = 50 };

struct months {
	struct pages *p;
	int64_t month;
	bool begins;          /* a thread */
	char stem[SITE_NAME]; /* of its pages */
	const struct month_view *view; /* its rows so far, those before its last group and before the page, whose number */
	int64_t rows, group, before, number;
	struct page_near near;
	sqlite3_stmt *by_date, *threads, *thread, *by_author;
};

static const struct month_view {
	enum section section;
	const char *name; /* in the heading */
} views[MONTH_VIEWS] = {
	{ SECTION_DATE, "by date" }, { SECTION_THREAD, "by thread" }, { SECTION_AUTHOR, "by author" }
};

/* Whether a thread begins in the month m: else all began before. */
#define BEGINS "EXISTS(SELECT 1 FROM thread t WHERE t.month=m.month)"

/* A month in which no thread begins has no list of threads. */
static bool has_view(bool begins, const struct month_view *view)
{
	return begins || view->section != SECTION_THREAD;
}

static void begin(struct months *m)
{
	struct site *s = &m->p->site;
	m->before = m->rows;
	char name[SITE_NAME], text[40], title[80];
	struct page_frame f = { .section = m->view->section, .name = name, .title = title, .up = "", .of = "month",
	                        .near = m->near };
	page_name(name, m->stem, m->number);
	snprintf(text, sizeof text, m->number > 1 ? " %s, page %d" : " %s", m->view->name, (int)m->number);
	snprintf(title, sizeof title, "%.30s%s", m->stem, text);
	page_begin(m->p, &f);
	page_put(s, "<h1>");
	page_month(s, m->month);
	page_put(s, "%s</h1><p class=\"steps\">", text);
	page_name(name, m->stem, m->number - 1);
	if (m->number > 1)
		page_link(s, name, "Previous page");
	page_name(name, m->stem, 1);
	for (size_t i = 0; i < MONTH_VIEWS; i++)
		if (&views[i] != m->view && has_view(m->begins, &views[i]))
			page_put(s, "<a href=\"../%s%s\">The same %s</a>", site_folder(views[i].section), name, views[i].name);
	page_put(s, "</p>");
}

static void end(struct months *m)
{
	struct site *s = &m->p->site;
	page_put(s, "<p class=\"by\">");
	page_count(s, m->rows - m->before, "message");
	page_put(s, " on this page</p>");
	page_end(m->p);
}

static void begin_view(struct months *m, const struct month_view *view, sqlite3_stmt *rows)
{
	m->view = view;
	m->number = 1;
	m->rows = m->group = 0;
	begin(m);
	plan_bind(rows, "i", m->month);
}

/* Before a row, which may begin a group: begins a further page if the row belongs there, and returns true. */
static bool turn_page(struct months *m, bool new_group)
{
	char name[SITE_NAME];
	m->group = new_group ? m->rows : m->group;
	if (page_of_row(m->group, m->rows, ROWS) == m->number)
		return false;
	page_name(name, m->stem, ++m->number);
	page_put(&m->p->site, "</ul><p class=\"steps\"><a href=\"%s\">Next page</a></p>", name);
	end(m);
	begin(m);
	return true;
}

/* The messages of a month below headings: days, or authors.  A heading comes again on a further page. */
static void put_groups(struct months *m, const struct month_view *view, sqlite3_stmt *rows)
{
	struct site *s = &m->p->site;
	bool open = false, by_author = view->section == SECTION_AUTHOR;
	char author[1100] = "";
	int64_t day = 0;
	begin_view(m, view, rows);
	for (; database_row(&m->p->plan.db, rows); m->rows++) {
		struct mention x = mention_read(rows);
		int64_t its_day = x.time < 0 ? -1 : x.time / 86400;
		const bool new_group = m->rows == 0 || (by_author ? strcmp(author, x.author) != 0 : its_day != day);
		open = !turn_page(m, new_group) && open;
		if (!open || new_group) {
			page_put(s, text_if(open, "</ul>"));
			if (by_author)
				page_put(s, "<h2>%a</h2>", x.author);
			else if (x.time >= 0)
				page_put(s, "<h2>%t</h2>", x.time);
			page_put(s, "<ul>");
		}
		open = true;
		day = its_day;
		snprintf(author, sizeof author, "%s", x.author);
		/* the heading has it */
		if (by_author)
			x.author = "";
		else
			x.time = -1;
		page_item(s, &x, view->section);
	}
	page_put(s, "</ul>");
	end(m);
}

static void put_threads(struct months *m)
{
	struct site *s = &m->p->site;
	bool open = false;
	begin_view(m, &views[1], m->threads);
	while (database_row(&m->p->plan.db, m->threads)) {
		struct mention x = mention_read(m->threads);
		open = !turn_page(m, true) && open;
		page_put(s, open ? "<li>" : "<ul><li>");
		open = true;
		page_mention(s, &x, SECTION_THREAD);
		/* The first replies, below the first message. */
		const int64_t count = sqlite3_column_int64(m->threads, MENTION_COLUMNS);
		int64_t shown = 1;
		page_put(s, text_if(count > 1, "<ul>"));
		plan_bind(m->thread, "ii", x.root, (int64_t)REPLIES);
		for (; database_row(&m->p->plan.db, m->thread); shown++) {
			x = mention_read(m->thread);
			page_put(s, "<li>");
			page_begin_link(s, &x, SECTION_THREAD, NULL);
			page_put(s, "%a</a> <span class=\"by\">%t</span>", x.author, x.time);
			if (sqlite3_column_int(m->thread, MENTION_COLUMNS))
				page_put(s, " %S", x.subject);
			page_put(s, "</li>");
		}
		if (count > shown)
			page_put(s, "<li>and %d more</li>", count - shown);
		page_put(s, count > 1 ? "</ul></li>" : "</li>");
		m->rows += shown;
	}
	page_put(s, "</ul>");
	end(m);
}

static void read_near(sqlite3_stmt *s, int column, char name[SITE_NAME])
{
	char month[SITE_NAME];
	page_month_stem(month, sqlite3_column_int64(s, column));
	page_name(name, month, 1);
	if (sqlite3_column_type(s, column) == SQLITE_NULL)
		*name = '\0';
}

void month_pages_write(struct pages *p, struct share *all)
{
	struct months m = { .p = p };
	struct plan *plan = &p->plan;
	sqlite3_stmt *month = database_prepare(&plan->db, "SELECT month, " BEGINS ", (SELECT month FROM months"
		" WHERE seq=m.seq-1), (SELECT month FROM months WHERE seq=m.seq+1) FROM months m WHERE seq=?");
	m.by_date = database_prepare(&plan->db, "SELECT " MENTION SPOTS " WHERE s.month=? ORDER BY s.seq");
	m.threads = database_prepare(&plan->db, "SELECT " MENTION ", t.count FROM thread t JOIN shown m ON m.n=t.first"
		" JOIN spot s ON s.id=m.id WHERE t.month=? ORDER BY t.seq");
	/* a reply has its own subject if that is neither the subject of the thread nor that of the message it follows */
	m.thread = database_prepare(&plan->db, "SELECT " MENTION ", m.base IS NOT (SELECT f.base FROM thread t JOIN shown f"
		" ON f.n=t.first WHERE t.root=s.root) AND m.base IS NOT (SELECT f.base FROM spot u JOIN shown f ON f.n=u.n"
		" WHERE u.id=s.parent)" SPOTS " WHERE s.root=? AND m.n<>(SELECT first FROM thread WHERE root=s.root)"
		" ORDER BY s.part, s.seq LIMIT ?");
	m.by_author = database_prepare(&plan->db, "SELECT " MENTION SPOTS " WHERE s.month=?"
		" ORDER BY m.author COLLATE NOCASE, m.author, s.seq");
	for (int64_t first, last; share_take(all, plan, &first, &last);)
		for (; first <= last; first++) {
			if (!plan_find(plan, month, "i", first / MONTH_VIEWS + 1))
				continue;
			m.month = sqlite3_column_int64(month, 0);
			m.begins = sqlite3_column_int(month, 1);
			page_month_stem(m.stem, m.month);
			const struct month_view *view = &views[first % MONTH_VIEWS];
			m.near = (struct page_near){ .previous = "" };
			if (view->section == SECTION_DATE) {
				read_near(month, 2, m.near.previous);
				read_near(month, 3, m.near.next);
				put_groups(&m, view, m.by_date);
			} else if (view->section == SECTION_AUTHOR) {
				put_groups(&m, view, m.by_author);
			} else if (m.begins) {
				put_threads(&m);
			}
		}
	sqlite3_finalize(month);
	sqlite3_finalize(m.by_date);
	sqlite3_finalize(m.threads);
	sqlite3_finalize(m.thread);
	sqlite3_finalize(m.by_author);
}

/* ---- The first page --------------------------------------------------------------------------- */

/* It does not tell how many messages a month has, so that it changes once a month only. */
void month_pages_write_first(struct pages *p)
{
	struct site *s = &p->site;
	const struct page_frame f = { .section = SECTION_TOP, .name = "index.html", .title = "" };
	sqlite3_stmt *months = database_prepare(&p->plan.db, "SELECT month, " BEGINS " FROM months m ORDER BY month"
		" DESC");
	page_begin(p, &f);
	page_put(s, "<h1>%b</h1><table><tbody>", p->options.title);
	while (database_row(&p->plan.db, months)) {
		const int64_t month = sqlite3_column_int64(months, 0);
		char stem[SITE_NAME], name[SITE_NAME];
		page_month_stem(stem, month);
		page_name(name, stem, 1);
		page_put(s, "<tr><th scope=\"row\">");
		page_month(s, month);
		page_put(s, "</th>");
		for (int i = 0; i < MONTH_VIEWS; i++) {
			page_put(s, "<td>");
			if (has_view(sqlite3_column_int(months, 1), &views[i]))
				page_put(s, "<a href=\"%s%s\">%s</a>", site_folder(views[i].section), name, views[i].name);
			page_put(s, "</td>");
		}
		page_put(s, "</tr>");
	}
	page_put(s, "</tbody></table>");
	page_end(p);
	sqlite3_finalize(months);
}

#endif
