#include "collect.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/report.h"

#include <stdlib.h>
#include <string.h>

enum {
	ANCHORS = 1000,
	WRITTEN = 256 * 1024, /* bytes of fragments written at a time */
	KNOWN = 1 << 14       /* hashes of URLs that were inserted lately */
};

struct taker {
	struct plan *plan;
	sqlite3_stmt *message, *host, *url, *link;
	int64_t n;                 /* of the message whose records come */
	uint64_t begin, at;        /* in the file of fragments: of this message; of what comes next */
	size_t used;
	struct plan_anchor anchors[ANCHORS];
	size_t anchor_count;
	int64_t links[8];          /* URLs of this message, lately */
	int64_t known[KNOWN];
	char data[WRITTEN];
};

static void flush(struct taker *t)
{
	char why[WHY_SIZE];
	int error = *t->plan->why ? 0 : report_write(t->plan->fragments, t->data, t->used);
	if (error) {
		report_why(why, error);
		plan_fail(t->plan, NULL, why);
	}
	t->used = 0;
}

static void write_fragment(struct taker *t, const void *bytes, size_t n)
{
	const char *p = bytes;
	t->at += n;
	while (n > 0) {
		size_t k = WRITTEN - t->used < n ? WRITTEN - t->used : n;
		memcpy(t->data + t->used, p, k);
		t->used += k;
		p += k;
		n -= k;
		if (t->used == WRITTEN)
			flush(t);
	}
}

static void take_link(struct taker *t, const char *bytes, size_t n)
{
	struct page_record_link r;
	memcpy(&r, bytes, sizeof r);
	const char *host = bytes + sizeof r, *url = host + r.host_length;
	size_t slot = (size_t)r.url % KNOWN, recent = (size_t)r.url % 8;
	if (t->known[slot] != r.url) {
		plan_bind(t->host, "it", r.host, host, (size_t)r.host_length);
		plan_run(t->plan, t->host);
		plan_bind(t->url, "iiit", r.url, r.host, (int64_t)r.linkable, url, (size_t)(bytes + n - url));
		plan_run(t->plan, t->url);
		t->known[slot] = r.url;
	}
	if (t->links[recent] == r.url)
		return;
	t->links[recent] = r.url;
	plan_bind(t->link, "ii", r.url, t->n);
	plan_run(t->plan, t->link);
}

static void take_message(struct taker *t, const char *bytes)
{
	struct page_record_message r;
	memcpy(&r, bytes, sizeof r);
	const char *refs = bytes + sizeof r, *msgid = refs + r.refs * sizeof(int64_t), *author = msgid + r.msgid;
	const char *none = NULL;
	size_t anchors = t->anchor_count * sizeof *t->anchors;
	write_fragment(t, t->anchors, anchors);
	plan_bind(t->message, "iiiiiiiiiiiitttb", t->n, r.id, r.kind, r.content, r.time, r.month, r.base, (int64_t)r.reply,
	          (int64_t)t->begin, (int64_t)r.head, (int64_t)r.body, (int64_t)anchors, r.msgid ? msgid : none,
	          (size_t)r.msgid, author, (size_t)r.author, author + r.author, (size_t)r.subject, r.refs ? refs : none,
	          r.refs * sizeof(int64_t));
	plan_run(t->plan, t->message);
	t->n++;
	t->begin = t->at;
	t->anchor_count = 0;
	memset(t->links, 0, sizeof t->links);
}

void taker_take(struct taker *t, const char *bytes, size_t n)
{
	struct page_record r;
	for (; n >= sizeof r && !*t->plan->why; bytes += r.length, n -= r.length) {
		memcpy(&r, bytes, sizeof r);
		bytes += sizeof r;
		n -= sizeof r;
		if (r.type == PAGE_RECORD_HTML)
			write_fragment(t, bytes, r.length);
		else if (r.type == PAGE_RECORD_LINK)
			take_link(t, bytes, r.length);
		else if (r.type == PAGE_RECORD_MESSAGE)
			take_message(t, bytes);
		else if (t->anchor_count < ANCHORS)
			memcpy(&t->anchors[t->anchor_count++], bytes, sizeof *t->anchors);
	}
}

struct taker *taker_new(struct plan *plan)
{
	struct taker *t = calloc(1, sizeof *t);
	if (!t) {
		plan_fail(plan, "pages", "out of memory");
		return NULL;
	}
	t->plan = plan;
	t->n = 1;
	t->message = plan_prepare(plan, "INSERT INTO message VALUES(?1, ?2, ?3, ?4, nullif(?5, -1), ?6, nullif(?7, 0), ?8,"
	                                " ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)");
	t->host = plan_prepare(plan, "INSERT OR IGNORE INTO host VALUES(?, ?)");
	t->url = plan_prepare(plan, "INSERT OR IGNORE INTO url VALUES(?, ?, ?, ?)");
	t->link = plan_prepare(plan, "INSERT INTO link VALUES(?, ?)");
	return t;
}

void taker_free(struct taker *t)
{
	if (!t)
		return;
	flush(t);
	sqlite3_finalize(t->message);
	sqlite3_finalize(t->host);
	sqlite3_finalize(t->url);
	sqlite3_finalize(t->link);
	free(t);
}

#endif
