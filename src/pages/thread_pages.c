/* A page for each thread: an outline, and the messages in the order of the replies. */
#include "collect.h"
#include "page.h"

#include "index/words.h"
#include "render/head.h"
#include "text/ascii.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of `full`. */
enum { N = MENTION_COLUMNS, HEAD, BODY, ANCHORS, REFERENCES, MONTH };
enum {
	REFERENCES_SHOWN = 10, /* of a message */
	DEPTHS = 8             /* of the outline; deeper replies are not indented further */
};

/* A message of the page. */
struct item {
	int64_t seq;           /* its position by time in the archive */
	int64_t parent;        /* id; 0 for none */
	int64_t base, up_base; /* of its subject; of that of its parent */
	int64_t depth;         /* 0: its parent is not on this page */
};

struct thread {
	struct pages *p;
	struct mention here; /* root and part of the page */
	int64_t month, messages, parts;
	const char *title;
	struct item item[THREAD_PART]; /* in the order of the replies */
	size_t count;
	const struct item *first;      /* by time */
	sqlite3_stmt *items, *alone, *at, *with_id, *full;
};

/* ---- The order of the replies ---------------------------------------------------------------- */

/* Depth first, siblings by time. */
static const char items[] =
	"WITH item(seq, id, parent, base) AS (SELECT s.seq, s.id, s.parent, m.base" SPOTS " WHERE s.root=?1 AND s.part=?2),"
	" tree(seq, id, parent, base, up_base, depth) AS ("
	"SELECT seq, id, parent, base, 0, 0 FROM item WHERE parent IS NULL OR parent NOT IN (SELECT id FROM item)"
	" UNION ALL SELECT i.seq, i.id, i.parent, i.base, t.base, t.depth+1 FROM tree t JOIN item i ON i.parent=t.id"
	" ORDER BY 6 DESC, 1)"
	" SELECT seq, parent, base, up_base, depth FROM tree LIMIT " THREAD_PART_TEXT;

/* A thread of one message needs no recursion, for which SQLite makes tables. */
static const char alone[] = "SELECT s.seq, s.parent, m.base, 0, 0" SPOTS " WHERE s.root=?1 AND s.part=?2";

/* ---- A message ------------------------------------------------------------------------------------ */

static void copy_html(struct thread *t, int64_t message, uint64_t from, uint64_t to)
{
	for (size_t n; from < to; from += n) {
		n = size_within(PLAN_BLOCK, to - from);
		const char *html = plan_read_html(&t->p->plan, message, from, &n);
		if (!html)
			return;
		site_put(&t->p->site, html, n);
	}
}

/* The link text of another message: its author. */
static void put_author_link(struct thread *t, const struct mention *m)
{
	struct site *s = &t->p->site;
	page_begin_link(s, m, SECTION_MESSAGES, &t->here);
	page_put(s, "%a</a>", m->author);
}

/* Finds a message by its hash; the mention lives until the next call. */
static bool find(struct thread *t, int64_t id, struct mention *m)
{
	if (!plan_find(&t->p->plan, t->with_id, "i", id))
		return false;
	*m = mention_read(t->with_id);
	return true;
}

/* Lines for In-Reply-To and References, whose last is usually the same message. */
static void put_references(struct thread *t, int64_t parent, sqlite3_stmt *row, int column)
{
	struct site *s = &t->p->site;
	struct mention m;
	const char *refs = sqlite3_column_blob(row, column);
	size_t count = (size_t)sqlite3_column_bytes(row, column) / sizeof(int64_t);
	const char *before = "<dt>References</dt><dd>", *end = "";
	if (find(t, parent, &m)) { /* no message has the hash 0 */
		page_put(s, "<dt>In reply to</dt><dd>");
		put_author_link(t, &m);
		page_put(s, "</dd>");
	}
	/* the first one, which began the thread, and the last ones */
	for (size_t i = 0; i < count; i++) {
		int64_t id;
		memcpy(&id, refs + i * sizeof id, sizeof id);
		words_turn(&id, sizeof id);
		if ((i > 0 && i + REFERENCES_SHOWN <= count) || id == parent || !find(t, id, &m))
			continue;
		page_put(s, before);
		put_author_link(t, &m);
		before = ", ";
		end = "</dd>";
	}
	page_put(s, end);
}

/* A link to the message i of the page, if there is one. */
static void put_step(struct thread *t, size_t i, const char *text)
{
	struct site *s = &t->p->site;
	if (i < t->count && plan_find(&t->p->plan, t->at, "i", t->item[i].seq)) {
		struct mention m = mention_read(t->at);
		page_begin_link(s, &m, SECTION_MESSAGES, &t->here);
		page_put(s, "%s</a>", text);
	}
}

static void put_message(struct thread *t, size_t i)
{
	struct site *s = &t->p->site;
	const struct item *x = &t->item[i];
	if (!plan_find(&t->p->plan, t->full, "i", x->seq))
		return;
	struct mention m = mention_read(t->full);
	page_put(s, "<article class=\"m\" id=\"");
	page_anchor(s, &m);
	page_put(s, "\"><h2>");
	put_author_link(t, &m);
	page_put(s, "</h2><dl>");
	copy_html(t, sqlite3_column_int64(t->full, N), 0, (uint64_t)sqlite3_column_int64(t->full, HEAD));
	put_references(t, x->parent, t->full, REFERENCES);
	page_put(s, "</dl>");
	/* The body, with anchors around the mid: links whose message is here. */
	struct plan_anchor a;
	struct mention other;
	const int64_t message = sqlite3_column_int64(t->full, N);
	const uint64_t at = (uint64_t)sqlite3_column_int64(t->full, HEAD);
	const char *anchors = sqlite3_column_blob(t->full, ANCHORS);
	uint64_t done = at;
	for (size_t n = (size_t)sqlite3_column_bytes(t->full, ANCHORS) / sizeof a; n > 0; n--, anchors += sizeof a) {
		memcpy(&a, anchors, sizeof a);
		words_turn(&a, sizeof a);
		if (!find(t, a.id, &other))
			continue;
		copy_html(t, message, done, at + a.begin);
		page_begin_link(s, &other, SECTION_MESSAGES, &t->here);
		copy_html(t, message, at + a.begin, at + a.end);
		page_put(s, "</a>");
		done = at + a.end;
	}
	copy_html(t, message, done, at + (uint64_t)sqlite3_column_int64(t->full, BODY));
	page_put(s, "<p class=\"steps\">");
	put_step(t, i - 1, "Previous in thread");
	put_step(t, i + 1, "Next in thread");
	page_put(s, text_if(t->count > 1, "<a href=\"#outline\">Outline</a>"));
	/* Not to the messages before and after it in time: their pages would change with each message between them. */
	char month[SITE_NAME];
	page_month_stem(month, sqlite3_column_int64(t->full, MONTH));
	page_put(s, "<a href=\"../date/%s.html\">Messages of the month</a>", month);
	const struct pages_options *o = &t->p->options;
	if (o->reply && m.msgid) {
		/* A link that begins a reply in the reader's mail program (RFC 6068).  This address is meant to be read. */
		s->masks = false;
		page_put(s, "<a href=\"mailto:%e?In-Reply-To=%%3C", o->reply);
		page_encode(s, m.msgid);
		page_put(s, "%%3E");
		if (!o->mask || (!strchr(m.subject, '@') && !strstr(m.subject, "%40"))) {
			bool reply;
			subject_base((urlsift_text){ m.subject, strlen(m.subject) }, &reply);
			page_put(s, "&amp;Subject=");
			page_encode(s, text_if(!reply, "Re: "));
			page_encode(s, m.subject);
		}
		page_put(s, "\">Reply</a>");
		s->masks = o->mask;
	}
	page_put(s, "</p></article>");
}

/* ---- The page --------------------------------------------------------------------------------------- */

static void put_outline(struct thread *t)
{
	struct site *s = &t->p->site;
	page_put(s, "<nav id=\"outline\" aria-label=\"Messages of this thread\"><ol class=\"outline\">");
	for (size_t i = 0; i < t->count; i++) {
		const struct item *x = &t->item[i];
		if (!plan_find(&t->p->plan, t->at, "i", x->seq))
			return;
		struct mention m = mention_read(t->at);
		page_put(s, "<li class=\"d%d\">", lesser(x->depth, DEPTHS));
		put_author_link(t, &m);
		page_put(s, " <span class=\"by\">%T</span>", m.time);
		/* neither the subject of the page nor that of the message it follows */
		if (x->base != t->first->base && (x->depth == 0 || x->base != x->up_base))
			page_put(s, " %S", m.subject);
		page_put(s, "</li>");
	}
	page_put(s, "</ol></nav>");
}

static void put_parts(struct thread *t)
{
	struct site *s = &t->p->site;
	char name[SITE_NAME];
	int64_t part = t->here.part;
	if (t->parts == 1)
		return;
	page_put(s, "<p class=\"steps\">Part %d of %d ", part + 1, t->parts);
	page_thread_name(name, t->here.root, part - 1);
	if (part > 0)
		page_link(s, name, "Previous part");
	page_thread_name(name, t->here.root, part + 1);
	if (part + 1 < t->parts)
		page_link(s, name, "Next part");
	page_put(s, "</p>");
}

static void put_page(struct thread *t, struct page_frame f)
{
	struct site *s = &t->p->site;
	char name[SITE_NAME], up[2 * SITE_NAME], month[SITE_NAME];
	sqlite3_stmt *row = t->messages > 1 ? t->items : t->alone;
	t->count = 0;
	t->first = t->item;
	plan_bind(row, "ii", t->here.root, t->here.part);
	while (database_row(&t->p->plan.db, row)) {
		struct item *x = &t->item[t->count++];
		*x = (struct item){
			.seq = sqlite3_column_int64(row, 0), .parent = sqlite3_column_int64(row, 1),
			.base = sqlite3_column_int64(row, 2), .up_base = sqlite3_column_int64(row, 3),
			.depth = sqlite3_column_int64(row, 4),
		};
		t->first = x->seq < t->first->seq ? x : t->first;
	}
	page_thread_name(name, t->here.root, t->here.part);
	page_month_stem(month, t->month);
	snprintf(up, sizeof up, "../thread/%s.html", month);
	f.name = name;
	f.title = t->title;
	f.up = up;
	page_begin(t->p, &f);
	page_put(s, "<h1>%S</h1>", t->title);
	put_parts(t);
	if (t->count > 1)
		put_outline(t);
	for (size_t i = 0; i < t->count && plan_good(&t->p->plan); i++)
		put_message(t, i);
	put_parts(t);
	page_end(t->p);
}

static void read_near(sqlite3_stmt *s, int column, char name[SITE_NAME])
{
	*name = '\0';
	if (sqlite3_column_type(s, column) != SQLITE_NULL)
		page_thread_name(name, sqlite3_column_int64(s, column), 0);
}

void thread_pages_write(struct pages *p, struct share *threads)
{
	struct thread t = { .p = p };
	struct plan *plan = &p->plan;
	sqlite3_stmt *range = database_prepare(&plan->db,
		"SELECT root, month, count, (SELECT root FROM thread WHERE seq=t.seq-1), (SELECT root FROM thread"
		" WHERE seq=t.seq+1), (SELECT subject FROM shown WHERE n=first) FROM thread t WHERE seq BETWEEN ? AND ?"
		" ORDER BY seq");
	t.items = database_prepare(&plan->db, items);
	t.alone = database_prepare(&plan->db, alone);
	t.at = database_prepare(&plan->db, "SELECT " MENTION SPOTS " WHERE s.seq=?");
	t.with_id = database_prepare(&plan->db, "SELECT " MENTION SPOTS " WHERE s.id=?");
	t.full = database_prepare(&plan->db, "SELECT " MENTION ", s.n, p.head, p.body, p.anchors, p.refs, s.month" SPOTS
		" JOIN post p ON p.message=s.n WHERE s.seq=?");
	while (share_row(threads, plan, range)) {
		struct page_frame f = { .section = SECTION_MESSAGES, .of = "thread", .up_text = "Threads of the month" };
		t.here = (struct mention){ .root = sqlite3_column_int64(range, 0) };
		t.month = sqlite3_column_int64(range, 1);
		t.messages = sqlite3_column_int64(range, 2);
		t.parts = (t.messages + THREAD_PART - 1) / THREAD_PART;
		read_near(range, 3, f.near.previous);
		read_near(range, 4, f.near.next);
		t.title = text_full_or(database_text(range, 5), NO_SUBJECT); /* that of the earliest message */
		for (; t.here.part < t.parts; t.here.part++)
			put_page(&t, f);
	}
	sqlite3_finalize(range);
	sqlite3_finalize(t.items);
	sqlite3_finalize(t.alone);
	sqlite3_finalize(t.at);
	sqlite3_finalize(t.with_id);
	sqlite3_finalize(t.full);
}

/* ---- Addresses of messages ------------------------------------------------------------------------------- */

static const char refresh[] = "<meta http-equiv=\"refresh\" content=\"0; url=";

/* The page of a message that does not begin its thread leads to its place there.  If it once began a thread, links to
 * other messages lead to its page: see thread_pages_write_moved. */
void thread_pages_write_addresses(struct pages *p, struct share *messages)
{
	struct site *s = &p->site;
	sqlite3_stmt *range = database_prepare(&p->plan.db, "SELECT " MENTION SPOTS " WHERE s.id<>s.root"
		" AND s.seq BETWEEN ? AND ? ORDER BY s.seq");
	while (share_row(messages, &p->plan, range)) {
		const struct mention m = mention_read(range);
		char name[SITE_NAME];
		page_thread_name(name, m.id, 0);
		if (site_differs(s, SECTION_MESSAGES, name, refresh))
			continue;
		site_begin(s, SECTION_MESSAGES, name);
		page_put(s, "<!DOCTYPE html><html lang=\"en\">" HTML_HEAD "%s", refresh);
		page_address(s, &m, SECTION_MESSAGES, NULL);
		page_put(s, "\"><meta name=\"viewport\" content=\"width=device-width\"><title>%h</title></head><body><p>",
		         text_full_or(m.subject, NO_SUBJECT));
		page_begin_link(s, &m, SECTION_MESSAGES, NULL);
		page_put(s, "%S</a></p></body></html>\n", m.subject);
		site_end(s);
	}
	sqlite3_finalize(range);
}

/* ---- Pages that moved -------------------------------------------------------------------------------- */

bool thread_pages_write_moved(void *pages, const char *name)
{
	struct pages *p = pages;
	struct site *s = &p->site;
	struct page_frame f = { .section = SECTION_MESSAGES, .name = name, .title = "Moved", .up = "" };
	sqlite3_stmt *all = database_prepare(&p->plan.db, "SELECT " MENTION SPOTS
		" WHERE s.root=(SELECT root FROM node WHERE id=?) ORDER BY s.seq");
	bool any = false;
	plan_bind(all, "i", (int64_t)strtoull(name, NULL, 16));
	for (; database_row(&p->plan.db, all); any = true) {
		struct mention m = mention_read(all);
		if (!any) {
			page_begin(p, &f);
			page_put(s, "<h1>%S</h1><p>The messages of this page have moved:</p><ul>", m.subject);
		}
		page_put(s, "<li id=\"");
		page_anchor(s, &m);
		page_put(s, "\">");
		page_mention(s, &m, SECTION_MESSAGES);
		page_put(s, "</li>");
	}
	if (any) {
		page_put(s, "</ul>");
		page_end(p);
	}
	sqlite3_finalize(all);
	return any;
}

#endif
