/* Links by host: the hosts, those that most messages link to first, and a page for each that has links enough.  The
 * links of the others are on one page for each first letter, so that a message cannot make thousands of files.
 *
 * A new message should change few files, whatever it links to: the newest links of all hosts are on one page, that of
 * the list of hosts, and come from there to the pages of their hosts 500 or more at once.  An older message changes of
 * each of its hosts the page that has its week, since long pages are divided by time; and the list of hosts has them
 * below numbers of messages which they seldom reach: 1, 2, 5, 10, 20, 50 ... */
#include "page.h"

#ifdef URLSIFT_WITH_SQLITE

#include <string.h>

#define ROWS 500    /* of a page, about */
#define LEAST 500   /* so many links are the newest, or more, unless a message with many precedes them; */
#define NEWEST 1500 /* at most so many */
#define ALL 100     /* so many hosts are all listed */
#define WEEK 604800 /* seconds */

/* Before the pages of a host, of the hosts of a letter, or of the list of hosts: its file, heading and last page. */
struct stem {
	const char *name, *title;
	int64_t last;
};

static void begin(struct pages *p, enum section section, const struct stem *stem, int64_t number)
{
	char name[SITE_NAME];
	struct page_frame f = { .section = section, .name = name, .title = stem->title, .of = "page",
	                        .up = text_if(section != SECTION_TOP, "../links.html"), .up_text = "Links by host" };
	page_name(name, stem->name, number);
	if (number > 1)
		page_name(f.near.previous, stem->name, number - 1);
	if (number < stem->last)
		page_name(f.near.next, stem->name, number + 1);
	page_begin(p, &f);
	page_put(&p->site, "<h1>%b</h1>", stem->title);
	page_put(&p->site, text_if(section == SECTION_HOSTS,
	                           "<p class=\"steps\"><a href=\"../links.html#newest\">Newest links</a></p>"));
}

/* ---- Links ------------------------------------------------------------------------------------ */

/* Further columns of the rows of a page.  The last three, of the newest links: the host, and the last page that it has
 * to itself or with others. */
enum { HASH = MENTION_COLUMNS, URL, TEXT, SCHEME, MESSAGES, HOST, STEM, NUMBER };

static void put_links(struct pages *p, sqlite3_stmt *rows, enum section section)
{
	const bool named = section == SECTION_TOP; /* the title of other pages is their host, or their letter */
	const char *heading = named ? "h4" : "h2";
	struct site *s = &p->site;
	char name[SITE_NAME];
	const char *end = "";      /* of the URL before */
	int64_t host = 0, url = 0; /* of the row before */
	while (database_row(&p->plan.db, rows)) {
		const int64_t its_host = sqlite3_column_int64(rows, HASH), its_url = sqlite3_column_int64(rows, URL);
		const struct mention m = mention_read(rows);
		if (its_url != url) {
			page_put(s, end);
			end = "</ul>";
			if (named && its_host != host) {
				/* The heading of a host among the newest links. */
				const char *stem = database_text(rows, STEM);
				page_put(s, "<h3 id=\"h%x\">%b</h3>", its_host, database_text(rows, HOST));
				page_name(name, stem, sqlite3_column_int64(rows, NUMBER));
				if (*stem)
					page_put(s, "<p class=\"steps\"><a href=\"h/%s#h%x\">Earlier links to this host</a></p>", name,
					         its_host);
			}
			const char *text = database_text(rows, TEXT), *scheme = database_text(rows, SCHEME);
			urlsift_url parts;
			urlsift_url_split(text, strlen(text), &parts);
			const bool linkable = urlsift_scheme_linkable(scheme, strlen(scheme)) && !urlsift_url_warnings(&parts);
			const bool anchor = !named && its_host != host;
			page_put(s, anchor ? "<%s id=\"h%x\">" : "<%s>", heading, its_host);
			if (linkable)
				page_put(s, "<a rel=\"nofollow noopener noreferrer ugc\" href=\"%e\">", text);
			page_put(s, "%b%s</%s><p class=\"by\">", text, text_if(linkable, "</a>"), heading);
			page_count(s, sqlite3_column_int64(rows, MESSAGES), "message");
			page_put(s, "</p><ul>");
		}
		host = its_host;
		url = its_url;
		page_item(s, &m, section);
	}
	page_put(s, end);
}

void host_pages_write(struct pages *p, struct share *pages)
{
	struct database *d = &p->plan.db;
	sqlite3_stmt *range = database_prepare(d, "SELECT name, title, last, number, begin, ifnull((SELECT begin"
		" FROM host_page WHERE rowid=p.rowid+1), 9223372036854775807) FROM host_page p JOIN host_stem h ON h.id=p.stem"
		" WHERE p.rowid BETWEEN ? AND ? ORDER BY p.rowid");
	sqlite3_stmt *rows = database_prepare(d, "SELECT " MENTION ", r.hash, u.id, u.normal, u.scheme, messages FROM"
		" (SELECT *, count(*) OVER (PARTITION BY url) AS messages FROM listed l WHERE l.rowid>=? AND l.rowid<?) l"
		" JOIN ranked r ON r.host=l.host JOIN url u ON u.id=l.url JOIN spot s ON s.seq=l.seq JOIN shown m ON m.n=s.n"
		" ORDER BY r.name, messages DESC, u.normal, l.seq");
	while (share_row(pages, &p->plan, range)) {
		const struct stem stem = { database_text(range, 0), database_text(range, 1), sqlite3_column_int64(range, 2) };
		begin(p, SECTION_HOSTS, &stem, sqlite3_column_int64(range, 3));
		plan_bind(rows, "ii", (int64_t)sqlite3_column_int64(range, 4), (int64_t)sqlite3_column_int64(range, 5));
		put_links(p, rows, SECTION_HOSTS);
		page_end(p);
	}
	sqlite3_finalize(range);
	sqlite3_finalize(rows);
}

/* ---- What is where ------------------------------------------------------------------------------ */

/* The SQL function name_hash: numbers of hosts in the index depend on the order of the input. */
static void name_hash(sqlite3_context *c, int count, sqlite3_value **value)
{
	(void)count;
	const char *name = (const char *)sqlite3_value_text(value[0]);
	sqlite3_result_int64(c, plan_hash(name, (size_t)sqlite3_value_bytes(value[0])));
}

/* The SQL function reached: the largest of 1, 2, 5, 10, 20, 50 ... that is not above a number. */
static void reached(sqlite3_context *c, int count, sqlite3_value **value)
{
	(void)count;
	const int64_t n = sqlite3_value_int64(value[0]);
	int64_t power = 1;
	while (n / 10 >= power)
		power *= 10;
	sqlite3_result_int64(c, power * (n >= 5 * power ? 5 : n >= 2 * power ? 2 : 1));
}

/* The first message whose links are on no page of a host, null without any: of those that have with all later ones
 * LEAST to NEWEST links the one whose time differs from that of the message before it in the highest bit, so that it
 * stays the first for as long as it is one of these, whatever comes before and after it. */
static const char newest[] =
	"SELECT seq FROM (SELECT seq, sum(links) OVER (ORDER BY seq DESC) AS since, (time|before)-(time&before) AS differs"
	" FROM (SELECT *, lag(time, 1, 9223372036854775807) OVER (ORDER BY seq) AS before"
	" FROM (SELECT l.seq, count(*) AS links, ifnull(m.time, 9223372036854775806) AS time FROM linked l"
	" JOIN spot s ON s.seq=l.seq JOIN shown m ON m.n=s.n GROUP BY l.seq))) WHERE since<=" NUMBER_TEXT(NEWEST)
	" ORDER BY min(since, " NUMBER_TEXT(LEAST) ") DESC, differs DESC, seq DESC LIMIT 1";

/* Divides the links of each stem, by time, into pages; and notes the newest page of each host. */
static void divide(struct plan *p)
{
	struct database *d = &p->db;
	sqlite3_stmt *from = database_prepare(d, "SELECT r.stem, l.host, l.url, l.seq, m.time/" NUMBER_TEXT(WEEK)
		" FROM linked l JOIN ranked r ON r.host=l.host JOIN url u ON u.id=l.url JOIN spot s ON s.seq=l.seq"
		" JOIN shown m ON m.n=s.n ORDER BY r.stem, l.seq, u.normal");
	sqlite3_stmt *to = database_prepare(d, "INSERT INTO listed VALUES(?, ?, ?)");
	sqlite3_stmt *page = database_prepare(d, "INSERT INTO host_page SELECT ?, ?, 1+ifnull(max(rowid), 0) FROM listed");
	sqlite3_stmt *note = database_prepare(d, "UPDATE ranked SET page=? WHERE host=?");
	int64_t stem = 0, host = 0, week = 0, row = 0, group = 0, number = 0; /* of the row before */
	for (; database_row(d, from); row++) {
		const int64_t its_stem = sqlite3_column_int64(from, 0), its_host = sqlite3_column_int64(from, 1),
		              its_week = sqlite3_column_int64(from, 4);
		const bool new_stem = its_stem != stem;
		row *= !new_stem;
		group = new_stem || its_week != week ? row : group;
		const int64_t its_number = page_of_row(group, row, ROWS);
		const bool new_page = new_stem || its_number != number;
		if (new_page)
			plan_run(p, page, "ii", its_stem, its_number);
		if (new_page || its_host != host)
			plan_run(p, note, "ii", its_number, its_host);
		plan_run(p, to, "iii", its_host, (int64_t)sqlite3_column_int64(from, 2),
		         (int64_t)sqlite3_column_int64(from, 3));
		stem = its_stem;
		host = its_host;
		week = its_week;
		number = its_number;
	}
	sqlite3_finalize(from);
	sqlite3_finalize(to);
	sqlite3_finalize(page);
	sqlite3_finalize(note);
}

int64_t host_pages_count(struct pages *p)
{
	struct database *d = &p->plan.db;
	sqlite3_create_function(d->db, "name_hash", 1, SQLITE_UTF8, NULL, name_hash, NULL, NULL);
	sqlite3_create_function(d->db, "reached", 1, SQLITE_UTF8, NULL, reached, NULL, NULL);
	database_run(d, "CREATE TABLE linked.linked(host INTEGER, seq INTEGER, url INTEGER, PRIMARY KEY(host, seq, url))"
		" WITHOUT ROWID;"
		"INSERT OR IGNORE INTO linked SELECT u.host, s.seq, l.url FROM link l JOIN spot s ON s.n=l.message"
		" JOIN url u ON u.id=l.url"
		" WHERE u.host IS NOT NULL AND (l.field IS NULL OR l.part IS NOT NULL) ORDER BY 1, 2, 3;"
		"CREATE TABLE linked.newest(host INTEGER, seq INTEGER, url INTEGER);");
	sqlite3_stmt *take = database_prepare(d, "INSERT INTO newest SELECT * FROM linked WHERE seq>=?");
	sqlite3_stmt *others = database_prepare(d, "DELETE FROM linked WHERE seq>=?");
	const int64_t first = database_number(d, newest, INT64_MAX);
	plan_run(&p->plan, take, "i", first);
	plan_run(&p->plan, others, "i", first);
	sqlite3_finalize(take);
	sqlite3_finalize(others);
	database_run(d,
		"CREATE TABLE linked.ranked(host INTEGER, hash INTEGER, name TEXT, rows INTEGER, least INTEGER, letter TEXT,"
		" stem INTEGER, page INTEGER);"
		"INSERT INTO ranked(host, hash, name, rows, least) SELECT h.id, name_hash(h.name), h.name, count(*),"
		" reached(count(DISTINCT l.seq)) AS least FROM linked l JOIN host h ON h.id=l.host GROUP BY h.id"
		" ORDER BY least DESC, h.name;"
		/* up to the first one that has links enough and is too many */
		"UPDATE ranked SET letter=CASE WHEN name GLOB '[a-z]*' THEN substr(name, 1, 1)"
		" WHEN name GLOB '[0-9]*' THEN '0-9' ELSE 'other' END"
		" WHERE rows<" NUMBER_TEXT(HOST_LINKS) " OR rowid>=(SELECT rowid FROM ranked"
		" WHERE rows>=" NUMBER_TEXT(HOST_LINKS) " ORDER BY rowid LIMIT 1 OFFSET " NUMBER_TEXT(PAGES_HOSTS)
		"*(SELECT count(*) FROM spot));"
		"UPDATE ranked SET stem=CASE WHEN letter IS NULL THEN 28+rowid WHEN letter='0-9' THEN 27 WHEN letter='other'"
		" THEN 28 ELSE unicode(letter)-96 END;"
		"CREATE INDEX linked.ranked_host ON ranked(host);"
		"CREATE TABLE linked.host_stem(id INTEGER PRIMARY KEY, name TEXT, letter TEXT, title TEXT, last INTEGER);"
		"CREATE TABLE linked.host_page(stem INTEGER, number INTEGER, begin INTEGER);"
		"CREATE TABLE linked.listed(host INTEGER, url INTEGER, seq INTEGER);");
	divide(&p->plan);
	database_run(d, "INSERT INTO host_stem SELECT stem, CASE WHEN letter IS NULL THEN printf('%016x', hash)"
		" ELSE printf('letter-%02d', stem) END, letter, ifnull('Hosts: '||letter, name), max(page)"
		" FROM ranked GROUP BY stem;"
		"CREATE TABLE linked.host_list AS SELECT * FROM ranked WHERE letter IS NULL"
		" OR (SELECT count(*) FROM ranked)<=" NUMBER_TEXT(ALL) " ORDER BY rowid;");
	plan_commit(&p->plan);
	return database_number(d, "SELECT count(*) FROM host_page", 0);
}

/* ---- All hosts -------------------------------------------------------------------------------------- */

/* The end of a page of the list, of which the first has the newest links too. */
static void end_list(struct pages *p, int64_t number)
{
	if (number == 1 && database_number(&p->plan.db, "SELECT max(rowid) FROM (SELECT rowid FROM newest UNION ALL"
	                                                " SELECT rowid FROM host_page)", 0) > 0) {
		sqlite3_stmt *rows = database_prepare(&p->plan.db, "SELECT " MENTION ", name_hash(h.name), u.id, u.normal,"
			" u.scheme, count(*) OVER (PARTITION BY l.url) AS messages, h.name, hs.name, r.page"
			" FROM newest l JOIN host h ON h.id=l.host"
			" JOIN url u ON u.id=l.url JOIN spot s ON s.seq=l.seq JOIN shown m ON m.n=s.n"
			" LEFT JOIN ranked r ON r.host=l.host LEFT JOIN host_stem hs ON hs.id=r.stem"
			" ORDER BY count(*) OVER (PARTITION BY l.host) DESC, h.name, messages DESC, u.normal, l.seq");
		page_put(&p->site, "<h2 id=\"newest\">Newest links</h2>");
		put_links(p, rows, SECTION_TOP);
		sqlite3_finalize(rows);
	}
	page_end(p);
}

/* All hosts, if they are few; else those with a page of their own. */
void host_pages_write_list(struct pages *p)
{
	struct site *s = &p->site;
	struct database *d = &p->plan.db;
	struct stem stem = { "links", "Links by host", 1 };
	char name[SITE_NAME];
	sqlite3_stmt *all = database_prepare(d, "SELECT hash, r.name, least, h.name, page FROM host_list r JOIN host_stem h"
		" ON h.id=r.stem ORDER BY r.rowid");
	sqlite3_stmt *letters = database_prepare(d, "SELECT name, letter, last FROM host_stem WHERE letter IS NOT NULL"
		" ORDER BY id");
	const int64_t rows = database_number(d, "SELECT count(*) FROM host_list", 0);
	stem.last = page_of_row(database_number(d, "SELECT min(rowid)-1 FROM host_list WHERE least=(SELECT min(least)"
		" FROM host_list)", 0), rows - 1, ROWS);
	int64_t page = 1;
	const char *end = "";
	begin(p, SECTION_TOP, &stem, page);
	page_put(s, text_if(rows > 0, "<p class=\"steps\"><a href=\"#newest\">Newest links</a></p>"));
	for (int64_t row = 0, group = 0, least = 0; database_row(d, all); row++) {
		const int64_t its_least = sqlite3_column_int64(all, 2);
		group = its_least == least ? group : row;
		const int64_t its_page = page_of_row(group, row, ROWS);
		if (its_page != page || its_least != least) {
			page_put(s, end);
			end = "</ul>";
			if (its_page != page) {
				end_list(p, page);
				begin(p, SECTION_TOP, &stem, its_page);
			}
			page_put(s, "<h2>");
			page_count(s, its_least, "message");
			page_put(s, "%s</h2><ul>", text_if(its_least > 1, " or more"));
		}
		page = its_page;
		least = its_least;
		page_name(name, database_text(all, 3), sqlite3_column_int64(all, 4));
		page_put(s, "<li><a href=\"h/%s#h%x\">%b</a></li>", name, (int64_t)sqlite3_column_int64(all, 0),
		         database_text(all, 1));
	}
	page_put(s, end);
	const char *before = "<p class=\"steps\">Hosts with few links: ";
	for (; database_row(d, letters); before = "") {
		page_name(name, database_text(letters, 0), sqlite3_column_int64(letters, 2));
		page_put(s, "%s<a href=\"h/%s\">%s</a>", before, name, database_text(letters, 1));
	}
	page_put(s, text_if(!*before, "</p>"));
	end_list(p, page);
	sqlite3_finalize(all);
	sqlite3_finalize(letters);
}

#endif
