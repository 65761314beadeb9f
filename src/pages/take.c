#include "collect.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/report.h"

#include <stdlib.h>
#include <string.h>

enum {
	WRITTEN = 256 * 1024, /* bytes of fragments written at a time; more than those of any record */
	KNOWN = 1 << 14
};

struct taker {
	struct plan *plan;
	sqlite3_stmt *message, *host, *url, *link;
	int64_t n;                 /* of the message whose records come */
	uint64_t begin, at;        /* in the file of fragments: of this message; of what comes next */
	size_t used;
	struct plan_anchor anchors[PAGE_ANCHORS];
	size_t anchor_count;
	struct {
		int64_t url, n;
	} known[KNOWN];            /* links that were inserted lately */
	char data[WRITTEN];
};

static void flush(struct taker *t)
{
	int error = report_write(t->plan->fragments, t->data, t->used);
	if (error)
		plan_fail_errno(t->plan, t->plan->name, error);
	t->used = 0;
}

static void write_fragment(struct taker *t, const void *bytes, size_t n)
{
	if (n > WRITTEN - t->used)
		flush(t);
	memcpy(t->data + t->used, bytes, n);
	t->used += n;
	t->at += n;
}

static void take_begin(struct taker *t)
{
	t->n++;
	t->begin = t->at;
	t->anchor_count = 0;
}

static void take_link(struct taker *t, const char *bytes, size_t n)
{
	struct page_record_link r;
	memcpy(&r, bytes, sizeof r);
	const char *host = bytes + sizeof r, *url = host + r.host_length;
	size_t slot = (size_t)r.url % KNOWN;
	if (t->known[slot].url != r.url) {
		plan_run(t->plan, t->host, "it", r.host, host, (size_t)r.host_length);
		plan_run(t->plan, t->url, "iiit", r.url, r.host, (int64_t)r.linkable, url, (size_t)(bytes + n - url));
	} else if (t->known[slot].n == t->n) {
		return;
	}
	t->known[slot].url = r.url;
	t->known[slot].n = t->n;
	plan_run(t->plan, t->link, "ii", r.url, t->n);
}

static void take_message(struct taker *t, const char *bytes)
{
	struct page_record_message r;
	memcpy(&r, bytes, sizeof r);
	const char *refs = bytes + sizeof r, *msgid = refs + r.refs * sizeof(int64_t), *author = msgid + r.msgid;
	const char *none = NULL;
	size_t anchors = t->anchor_count * sizeof *t->anchors;
	write_fragment(t, t->anchors, anchors);
	plan_run(t->plan, t->message, "iiiiuioiiiiitttb", t->n, r.id, r.kind, r.content, r.time, r.month, r.base,
	         (int64_t)r.reply, (int64_t)t->begin, (int64_t)r.head, (int64_t)r.body, (int64_t)anchors,
	         r.msgid ? msgid : none, (size_t)r.msgid, author, (size_t)r.author, author + r.author, (size_t)r.subject,
	         r.refs ? refs : none, r.refs * sizeof(int64_t));
}

void taker_take(struct taker *t, const char *bytes, size_t n)
{
	struct page_record r;
	for (; n >= sizeof r && plan_good(t->plan); bytes += r.length, n -= r.length) {
		memcpy(&r, bytes, sizeof r);
		bytes += sizeof r;
		n -= sizeof r;
		if (r.type == PAGE_RECORD_BEGIN)
			take_begin(t);
		else if (r.type == PAGE_RECORD_HTML)
			write_fragment(t, bytes, r.length);
		else if (r.type == PAGE_RECORD_LINK)
			take_link(t, bytes, r.length);
		else if (r.type == PAGE_RECORD_MESSAGE)
			take_message(t, bytes);
		else
			memcpy(&t->anchors[t->anchor_count++], bytes, sizeof *t->anchors);
	}
}

struct taker *taker_new(struct plan *plan)
{
	struct taker *t = calloc(1, sizeof *t);
	if (!t) {
		database_fail_memory(&plan->db);
		return NULL;
	}
	t->plan = plan;
	t->message = database_prepare(&plan->db,
		"INSERT INTO message VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	t->host = database_prepare(&plan->db, "INSERT OR IGNORE INTO host VALUES(?, ?)");
	t->url = database_prepare(&plan->db, "INSERT OR IGNORE INTO url VALUES(?, ?, ?, ?)");
	t->link = database_prepare(&plan->db, "INSERT INTO link VALUES(?, ?)");
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
