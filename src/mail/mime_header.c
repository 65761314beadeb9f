#include "mime_steps.h"

#include "line_find.h"

#include <string.h>

enum { HEADER_SLICE = 16 * 1024 }; /* of what joins a block that is held */

void mime_begin_header(struct mime *m)
{
	m->state = MIME_HEADER;
	m->block.length = m->scanned = 0;
	m->line_start = true;
	fields_reset(&m->fields);
}

struct header_end {
	size_t fields; /* whole lines of fields */
	size_t next;   /* where the body begins */
};

static bool is_from_line(const uint8_t *p, size_t n)
{
	size_t mark = n && p[0] == '>';
	return n - mark >= 5 && !memcmp(p + mark, "From ", 5);
}

/* A body whose blank line is missing begins with a URL: no field is called `http`. */
static bool is_url_line(const uint8_t *p, size_t n, size_t colon)
{
	return colon < 16 && n - colon > 2 && p[colon + 1] == '/' && p[colon + 2] == '/';
}

/* Looks at the lines from e->fields on.  False when the block goes on: e->fields is then
 * behind the last whole line. */
static bool scan_header(struct mime *m, const uint8_t *p, size_t n, bool last, struct header_end *e)
{
	struct delimiter d;
	struct line_ends ends;
	ends.count = 0;
	for (size_t i = 0; e->fields < n; i++) {
		const uint8_t *line = p + e->fields;
		if (i == ends.count) {
			line_ends(p, e->fields, n, &ends);
			i = 0;
		}
		if (!ends.count && !last)
			return false;
		size_t length = ends.count ? ends.at[i] + 1 - e->fields : n - e->fields;
		e->next = e->fields;
		if (line[0] == '-' && m->delimited && mime_find_delimiter(m, line, length, &d))
			return true;
		struct header_name name;
		enum header_line kind = header_line_read(line, length, &name);
		if (kind == HEADER_FIELD && is_url_line(line, length, name.colon))
			kind = HEADER_OTHER;
		if (kind == HEADER_BLANK)
			e->next += length;
		if (kind == HEADER_BLANK || (kind == HEADER_OTHER && !is_from_line(line, length)))
			return true;
		fields_line(&m->fields, kind, line, e->fields, &name);
		e->fields += length;
	}
	e->next = e->fields;
	return last;
}

/* RFC 2017: the body stands at a URL. */
static void take_external(struct mime *m)
{
	const struct content_type *t = &m->body.type;
	if (!t->url_access || !t->url_length || m->reading->options.headers == URLSIFT_HEADERS_NONE)
		return;
	if (t->report_cut && t->url_length == PARAMETER_MAX)
		reading_limit(m->reading, "parameter-length", PARAMETER_MAX, m->block_at);
	else
		fields_whole(&m->fields, "content-type", t->url, t->url_length);
}

static void begin_entity(struct mime *m, uint64_t at)
{
	struct body *e = &m->body;
	enum body_kind kind = body_kind(e);
	bool message = kind == BODY_MESSAGE, hides = e->transfer != TRANSFER_IDENTITY;
	m->state = MIME_LEAF;
	m->leaf = LEAF_SKIPPED;
	m->line_start = true;
	m->decoded = 0;
	transfer_begin(&m->transfer, e->transfer);
	if (message && hides && m->nesting < NESTED_MAX) {
		mime_begin_inner(m);
	} else if (message && hides) {
		reading_limit(m->reading, "hidden-messages", NESTED_MAX, at);
		content_type_read(NULL, 0, &e->type);
		mime_begin_part(m, false, at);
	} else if (message && !hides && mime_push_level(m, at, true)) {
		m->message = true;
		m->top = false;
		mime_begin_header(m);
	} else if (kind == BODY_MULTIPART && !e->type.report_cut && e->type.boundary_length && mime_push_level(m, at, false)) {
		m->state = MIME_PREAMBLE;
		m->preamble_at = at;
		m->preamble_line = m->reading->line;
	} else if (kind == BODY_TEXT || kind == BODY_HTML) {
		mime_begin_part(m, kind == BODY_HTML, at);
	} else if (kind != BODY_SKIPPED) {
		if (kind == BODY_MULTIPART && e->type.report_cut)
			reading_limit(m->reading, "parameter-length", PARAMETER_MAX, m->block_at);
		mime_begin_plain(m, at);
	}
}

/* The fields of a block, or its first when it is too long. */
static void read_fields(struct mime *m, const uint8_t *block, size_t n, uint64_t body)
{
	struct reading *r = m->reading;
	const struct level *l = m->depth ? &m->levels[m->depth - 1] : NULL;
	fields_read(&m->fields, block, n, m->block_at, m->line, &m->body, m->top);
	body_end(&m->body, l && l->digest && !m->message);
	if (m->top) {
		r->news = m->body.news;
		m->header_done = true;
		m->body_at = body;
		reading_message(r);
	}
	mime_set_place(m, false, "", "", false);
	fields_search(&m->fields);
	take_external(m);
}

/* The block is whole. */
static void take_header(struct mime *m, const uint8_t *block, const struct header_end *e)
{
	uint64_t body = m->block_at + e->next;
	reading_take(m->reading, block, e->next);
	read_fields(m, block, e->fields, body);
	m->block.length = m->scanned = 0;
	if (reading_ok(m->reading))
		begin_entity(m, body);
}

/* The block is longer than the limit: what is more of it is text. */
static void cut_header(struct mime *m)
{
	struct reading *r = m->reading;
	reading_limit(r, "header-block", r->options.max_header, m->block_at);
	reading_take(r, m->block.data, m->scanned);
	read_fields(m, m->block.data, m->scanned, m->block_at + m->scanned);
	m->leaf = LEAF_PART;
	transfer_begin(&m->transfer, TRANSFER_IDENTITY);
	mime_set_place(m, true, "text", "plain", false);
	part_begin(&m->part, &(struct part_type){.charset = "", .line = r->line}, m->block_at + m->scanned);
	m->state = MIME_REST;
	m->blank = true;
}

/* Hands on what the block holds from `from` to `old`, which came before. */
static void spill(struct mime *m, size_t from, size_t old)
{
	uint64_t at = m->block_at + from;
	m->spill.length = 0;
	if (from < old && !buf_add(&m->spill, m->block.data + from, old - from))
		reading_fail(m->reading, URLSIFT_NO_MEMORY);
	m->block.length = m->scanned = 0;
	if (from < old)
		mime_feed(m, m->spill.data, m->spill.length, at);
}

size_t mime_feed_header(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	struct reading *r = m->reading;
	struct header_end e = {0, 0};
	size_t old = m->block.length;
	if (!old) {
		m->block_at = at;
		m->line = r->line;
		size_t look = n < r->options.max_header ? n : r->options.max_header;
		if (scan_header(m, p, look, false, &e)) {
			take_header(m, p, &e);
			return e.next;
		}
	}
	size_t room = r->options.max_header - old, slice = n < room ? n : room;
	if (old && slice > HEADER_SLICE)
		slice = HEADER_SLICE;
	if (!buf_add(&m->block, p, slice)) {
		reading_fail(r, URLSIFT_NO_MEMORY);
		return n;
	}
	e.fields = old ? m->scanned : e.fields;
	if (old && scan_header(m, m->block.data, m->block.length, false, &e)) {
		size_t next = e.next;
		take_header(m, m->block.data, &e);
		if (next >= old)
			return next - old;
		spill(m, next, old);
		return 0;
	}
	m->scanned = e.fields;
	if (m->block.length < r->options.max_header)
		return slice;
	size_t scanned = m->scanned, length = m->block.length;
	cut_header(m);
	spill(m, scanned, length);
	return slice;
}

/* Behind the limit: text up to the blank line. */
size_t mime_feed_rest(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	size_t i = 0;
	bool ended = false;
	while (i < n && !ended) {
		const uint8_t *end = memchr(p + i, '\n', n - i);
		size_t length = end ? (size_t)(end - p) - i : n - i;
		m->blank = m->blank && (length == 0 || (length == 1 && p[i] == '\r'));
		ended = end && m->blank;
		i += length + (end != NULL);
		m->blank = m->blank || end;
	}
	mime_leaf_bytes(m, p, i, at);
	if (ended) {
		mime_finish_leaf(m);
		begin_entity(m, at + i);
	}
	return i;
}

void mime_finish_header(struct mime *m)
{
	struct header_end e = {m->scanned, m->scanned};
	size_t n = m->block.length;
	if (!n) {
		m->block_at = m->next;
		m->line = m->reading->line;
	}
	/* without a single LF it is not written in lines: all of it is text */
	if (!n || memchr(m->block.data, '\n', n) || !memchr(m->block.data, '\r', n))
		scan_header(m, m->block.data, n, true, &e);
	size_t next = e.next;
	take_header(m, m->block.data, &e);
	spill(m, next, n);
}
