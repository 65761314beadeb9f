#include "mime.h"

#include "line_find.h"

#include <string.h>

enum { HEADER_SLICE = 16 * 1024 }; /* of what joins a block that is held */

/* ---- Levels ---- */

static size_t keep(struct mime *m, const void *bytes, size_t n)
{
	size_t at = m->strings.length;
	if (n && !buf_add(&m->strings, bytes, n))
		reading_fail(m->reading, URLSIFT_NO_MEMORY);
	return at;
}

/* The entity's children follow.  False past the limit. */
static bool push_level(struct mime *m, uint64_t at, bool message)
{
	struct reading *r = m->reading;
	const struct body *e = &m->body;
	if (m->depth >= r->options.max_depth) {
		reading_limit(r, "mime-depth", r->options.max_depth, at);
		return false;
	}
	struct level *l = &m->levels[m->depth];
	*l = (struct level){.strings = m->strings.length, .path_length = m->path_length, .message = message};
	if (!message) {
		l->boundary_length = e->type.boundary_length;
		l->boundary = keep(m, e->type.boundary, l->boundary_length);
		l->digest = !strcmp(e->type.subtype, "digest");
		l->alternative = strcmp(e->type.subtype, "alternative") ? 0 : ++m->alternatives;
	}
	l->base_length = e->base_length;
	l->base = keep(m, e->base, e->base_length);
	m->depth++;
	m->delimited += !message;
	return true;
}

static void pop_level(struct mime *m)
{
	const struct level *l = &m->levels[--m->depth];
	m->strings.length = l->strings;
	m->delimited -= !l->message;
}

/* ---- Where it stands ---- */

static size_t append_number(char *path, size_t at, uint32_t number)
{
	char digits[12];
	size_t n = 0;
	if (at)
		path[at++] = '.';
	do
		digits[n++] = (char)('0' + number % 10);
	while (number /= 10);
	while (n)
		path[at++] = digits[--n];
	return at;
}

static void set_place(struct mime *m, bool body, const char *type, const char *subtype, bool decoded)
{
	struct reading *r = m->reading;
	size_t n = m->path_length, a = strlen(type);
	memcpy(m->part_path, m->path, n);
	if (body && (m->message || !n))
		n = append_number(m->part_path, n, 1);
	m->part_path[n] = '\0';
	memcpy(r->type, type, a);
	r->type[a] = '/';
	memcpy(r->type + a + 1, subtype, strlen(subtype) + 1);
	r->place = (urlsift_place){.message = &r->message, .part = m->part_path, .type = body ? r->type : "",
	                           .decoded = r->hidden || decoded};
}

/* ---- Leaves ---- */

static void begin_part(struct mime *m, bool html, uint64_t at)
{
	struct reading *r = m->reading;
	const struct content_type *t = &m->body.type;
	struct part_type type = {
		.html = html, .charset = t->charset,
		.flowed = html || !t->flowed ? FLOWED_NOT : t->delsp ? FLOWED_DELETES : FLOWED_KEEPS,
		.base = m->body.base, .base_length = m->body.base_length,
		.line = m->transfer.encoding == TRANSFER_IDENTITY ? r->line : 1
	};
	for (size_t i = m->depth; i-- && !type.base_length;) {
		type.base_length = m->levels[i].base_length;
		if (type.base_length)
			type.base = (const char *)m->strings.data + m->levels[i].base;
	}
	for (size_t i = m->depth; i-- && !m->levels[i].message && !type.alternative;) {
		type.alternative = m->levels[i].alternative;
		type.child = m->levels[i].children;
	}
	m->leaf = LEAF_PART;
	set_place(m, true, t->type, t->subtype, m->transfer.encoding != TRANSFER_IDENTITY);
	part_begin(&m->part, &type, at);
}

/* What follows is text as it stands. */
static void begin_plain(struct mime *m, uint64_t at)
{
	content_type_read(NULL, 0, &m->body.type);
	transfer_begin(&m->transfer, TRANSFER_IDENTITY);
	m->state = MIME_LEAF;
	begin_part(m, false, at);
}

static void begin_inner(struct mime *m)
{
	struct reading *r = m->reading;
	if (!m->inner && !(m->inner = mime_new(r, m->nesting + 1))) {
		reading_fail(r, URLSIFT_NO_MEMORY);
		return;
	}
	m->leaf = LEAF_MESSAGE;
	mime_begin(m->inner);
	memcpy(m->inner->path, m->path, m->path_length);
	m->inner->path_length = m->path_length;
	m->inner->line = m->inner_line = 1;
	m->inner_after_cr = false;
}

/* Lines of what is hidden count on their own. */
static void swap_lines(struct mime *m)
{
	struct reading *r = m->reading;
	uint64_t line = r->line;
	bool after_cr = r->after_cr;
	r->line = m->inner_line;
	r->after_cr = m->inner_after_cr;
	m->inner_line = line;
	m->inner_after_cr = after_cr;
}

static void feed_inner(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	struct reading *r = m->reading;
	bool hidden = r->hidden;
	swap_lines(m);
	r->hidden = true;
	if (p)
		mime_feed(m->inner, p, n, at);
	else
		mime_finish(m->inner);
	r->hidden = hidden;
	swap_lines(m);
}

/* Bytes of the leaf, undone. */
static void pass(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	if (m->leaf == LEAF_PART)
		part_feed(&m->part, p, n, at);
	else if (m->leaf == LEAF_MESSAGE)
		feed_inner(m, p, n, at);
}

static void decode(struct mime *m, const uint8_t *p, size_t n)
{
	if (!m->block_out && !(m->block_out = alloc_get(m->reading->alloc, DECODED_BLOCK))) {
		reading_fail(m->reading, URLSIFT_NO_MEMORY);
		return;
	}
	for (const uint8_t *end = p + n; p < end && reading_ok(m->reading);) {
		size_t k = transfer_decode(&m->transfer, &p, end, m->block_out, DECODED_BLOCK);
		pass(m, m->block_out, k, m->decoded);
		m->decoded += k;
	}
}

static void finish_leaf(struct mime *m)
{
	uint8_t rest[64];
	if (m->leaf != LEAF_SKIPPED && m->transfer.encoding != TRANSFER_IDENTITY) {
		size_t k = transfer_finish(&m->transfer, rest);
		if (k)
			pass(m, rest, k, m->decoded);
	}
	if (m->leaf == LEAF_PART)
		part_finish(&m->part);
	else if (m->leaf == LEAF_MESSAGE)
		feed_inner(m, NULL, 0, 0);
	m->leaf = LEAF_SKIPPED;
}

/* A preamble is shown only when nothing else comes of its multipart. */
static void read_preamble(struct mime *m)
{
	struct reading *r = m->reading;
	uint64_t line = r->line;
	r->line = m->preamble_line;
	begin_plain(m, m->preamble_at);
	r->line = line;
	pass(m, m->preamble.data, m->preamble.length, m->preamble_at);
	m->preamble.length = 0;
}

static void add_preamble(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	/* marks before From that were taken off, put back so that offsets stay simple */
	size_t gap = (size_t)(at - m->preamble_at) - m->preamble.length;
	bool fits = gap + n <= PREAMBLE_MAX - m->preamble.length;
	for (; fits && gap; gap--)
		fits = buf_add(&m->preamble, ">", 1);
	if (fits && buf_add(&m->preamble, p, n))
		return;
	reading_limit(m->reading, "preamble", PREAMBLE_MAX, m->preamble_at);
	read_preamble(m);
	pass(m, p, n, at);
}

/* Bytes of a body that are no delimiter. */
static void leaf_bytes(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	if (!n)
		return;
	if (m->state == MIME_PREAMBLE)
		add_preamble(m, p, n, at);
	else if (m->state == MIME_LEAF && m->leaf != LEAF_SKIPPED && m->transfer.encoding != TRANSFER_IDENTITY)
		decode(m, p, n);
	else if (m->state == MIME_LEAF || m->state == MIME_REST)
		pass(m, p, n, at);
	reading_take(m->reading, p, n);
}

/* ---- Delimiters (RFC 2046 section 5.1.1) ---- */

struct delimiter {
	size_t level;
	bool last;
};

/* Whether a line is a delimiter of a level that is open, the deepest first. */
static bool find_delimiter(const struct mime *m, const uint8_t *p, size_t n, struct delimiter *d)
{
	if (n < 3 || p[0] != '-' || p[1] != '-' || m->plain)
		return false;
	while (n > 2 && (p[n - 1] == '\n' || p[n - 1] == '\r' || p[n - 1] == ' ' || p[n - 1] == '\t'))
		n--;
	p += 2;
	n -= 2;
	for (size_t i = m->depth; i--;) {
		const struct level *l = &m->levels[i];
		size_t k = l->boundary_length;
		if (!k || l->ended || k > n || memcmp(p, m->strings.data + l->boundary, k))
			continue;
		d->last = n == k + 2 && p[k] == '-' && p[k + 1] == '-';
		d->level = i;
		if (n == k || d->last)
			return true;
	}
	return false;
}

static void begin_header(struct mime *m)
{
	m->state = MIME_HEADER;
	m->block.length = m->scanned = 0;
	m->line_start = true;
	fields_reset(&m->fields);
}

/* All that is open behind `depth` levels ends. */
static void close_to(struct mime *m, size_t depth)
{
	if (m->state == MIME_PREAMBLE && m->depth > depth) {
		reading_damage(m->reading, "no delimiter of a multipart was found: it is read as plain text", 1, m->preamble_at);
		read_preamble(m);
	}
	if (m->state == MIME_LEAF || m->state == MIME_REST)
		finish_leaf(m);
	m->preamble.length = 0;
	while (m->depth > depth)
		pop_level(m);
}

static void take_delimiter(struct mime *m, const struct delimiter *d, uint64_t behind)
{
	struct reading *r = m->reading;
	struct level *l = &m->levels[d->level];
	close_to(m, d->level + 1);
	m->state = MIME_EPILOGUE;
	l->started = true;
	l->ended = d->last;
	if (l->ended)
		return;
	l->children++;
	m->message = false;
	m->top = false;
	m->path_length = append_number(m->path, l->path_length, l->children);
	if (m->parts++ < r->options.max_parts) {
		begin_header(m);
		return;
	}
	reading_limit(r, "parts", r->options.max_parts, behind);
	m->plain = true;
	begin_plain(m, behind);
}

/* ---- Header blocks ---- */

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
	while (e->fields < n) {
		const uint8_t *line = p + e->fields, *end = memchr(line, '\n', n - e->fields);
		if (!end && !last)
			return false;
		size_t length = end ? (size_t)(end - line) + 1 : n - e->fields;
		e->next = e->fields;
		if (line[0] == '-' && m->delimited && find_delimiter(m, line, length, &d))
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
	if (t->url_access && t->url_length && m->reading->options.headers != URLSIFT_HEADERS_NONE)
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
		begin_inner(m);
	} else if (message && hides) {
		reading_limit(m->reading, "hidden-messages", NESTED_MAX, at);
		content_type_read(NULL, 0, &e->type);
		begin_part(m, false, at);
	} else if (message && !hides && push_level(m, at, true)) {
		m->message = true;
		m->top = false;
		begin_header(m);
	} else if (kind == BODY_MULTIPART && !e->type.report_cut && e->type.boundary_length && push_level(m, at, false)) {
		m->state = MIME_PREAMBLE;
		m->preamble_at = at;
		m->preamble_line = m->reading->line;
	} else if (kind == BODY_TEXT || kind == BODY_HTML) {
		begin_part(m, kind == BODY_HTML, at);
	} else if (kind != BODY_SKIPPED) {
		if (kind == BODY_MULTIPART && e->type.report_cut)
			reading_limit(m->reading, "parameter-length", PARAMETER_MAX, m->block_at);
		begin_plain(m, at);
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
	set_place(m, false, "", "", false);
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
	set_place(m, true, "text", "plain", false);
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

static size_t feed_header(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
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
static size_t feed_rest(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
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
	leaf_bytes(m, p, i, at);
	if (ended) {
		finish_leaf(m);
		begin_entity(m, at + i);
	}
	return i;
}

/* ---- Bodies ---- */

/* The line whose beginning is held goes on at p.  Returns the bytes of p that are done with. */
static size_t feed_held(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	struct line line;
	struct delimiter d;
	enum line_held have = line_gather(&m->hold, p, n, &line);
	if (have == LINE_MORE)
		return n;
	size_t length = m->hold.length, taken = have == LINE_WHOLE ? line.taken : 0;
	m->hold.length = 0;
	if (have == LINE_WHOLE && find_delimiter(m, m->held, length, &d)) {
		reading_take(m->reading, m->held, length);
		take_delimiter(m, &d, at + taken);
		return taken;
	}
	m->line_start = have == LINE_WHOLE;
	leaf_bytes(m, m->held, length, m->held_at);
	return taken;
}

/* Text up to a delimiter, and that with it; or up to a line that may be one and is cut. */
static size_t feed_stretch(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	struct line line;
	struct delimiter d;
	size_t i = 0;
	while (i < n) {
		if (m->line_start && p[i] == '-') {
			enum line_held have = line_gather(&m->hold, p + i, n - i, &line);
			bool found = have == LINE_WHOLE && find_delimiter(m, line.p, line.length, &d);
			if (have == LINE_MORE || found)
				leaf_bytes(m, p, i, at);
			if (have == LINE_MORE) {
				m->held_at = at + i;
				return n;
			}
			if (found) {
				reading_take(m->reading, line.p, line.length);
				take_delimiter(m, &d, at + i + line.taken);
				return i + line.taken;
			}
		}
		i = line_find(p, i, n, LINE_HYPHEN);
		m->line_start = i < n;
		i += i < n;
	}
	m->line_start = p[n - 1] == '\n';
	leaf_bytes(m, p, n, at);
	return n;
}

static size_t feed_body(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	if (m->hold.length)
		return feed_held(m, p, n, at);
	if (m->delimited && !m->plain)
		return feed_stretch(m, p, n, at);
	m->line_start = p[n - 1] == '\n';
	leaf_bytes(m, p, n, at);
	return n;
}

/* ---- The interface ---- */

struct mime *mime_new(struct reading *r, unsigned nesting)
{
	struct mime *m = alloc_get(r->alloc, sizeof *m);
	if (!m)
		return NULL;
	m->reading = r;
	m->nesting = nesting;
	m->hold = (struct line_hold){m->held, BOUNDARY_LINE_MAX, 0};
	buf_init(&m->strings, r->alloc, DEPTH_MAX * 2 * (size_t)PARAMETER_MAX);
	buf_init(&m->block, r->alloc, HEADER_MAX);
	buf_init(&m->spill, r->alloc, HEADER_MAX);
	buf_init(&m->preamble, r->alloc, PREAMBLE_MAX);
	part_init(&m->part, r);
	fields_init(&m->fields, r);
	return m;
}

void mime_free(struct mime *m)
{
	while (m) {
		struct mime *inner = m->inner;
		const urlsift_allocator *alloc = m->reading->alloc;
		buf_fini(&m->strings);
		buf_fini(&m->block);
		buf_fini(&m->spill);
		buf_fini(&m->preamble);
		part_fini(&m->part);
		fields_fini(&m->fields);
		alloc_put(alloc, m->block_out);
		alloc_put(alloc, m);
		m = inner;
	}
}

void mime_begin(struct mime *m)
{
	m->depth = m->delimited = 0;
	m->strings.length = m->preamble.length = m->hold.length = 0;
	m->path_length = m->parts = 0;
	m->alternatives = 0;
	m->message = true;
	m->top = m->nesting == 0;
	m->plain = m->header_done = false;
	m->leaf = LEAF_SKIPPED;
	if (m->top) {
		seen_reset(&m->reading->seen);
		m->reading->seen_full = false;
	}
	begin_header(m);
}

void mime_feed(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	while (n && reading_ok(m->reading)) {
		size_t k;
		switch (m->state) {
		case MIME_HEADER: k = feed_header(m, p, n, at); break;
		case MIME_REST:   k = feed_rest(m, p, n, at); break;
		default:          k = feed_body(m, p, n, at); break;
		}
		p += k;
		n -= k;
		at += k;
		m->next = at;
	}
}

static void finish_header(struct mime *m)
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

static void finish_line(struct mime *m)
{
	struct delimiter d;
	size_t n = m->hold.length;
	m->hold.length = 0;
	if (find_delimiter(m, m->held, n, &d))
		take_delimiter(m, &d, m->held_at + n);
	else
		leaf_bytes(m, m->held, n, m->held_at);
}

void mime_finish(struct mime *m)
{
	while (reading_ok(m->reading) && (m->state == MIME_HEADER || m->hold.length))
		if (m->state == MIME_HEADER)
			finish_header(m);
		else
			finish_line(m);
	close_to(m, 0);
}

size_t mime_memory_bound(void)
{
	size_t one = sizeof(struct mime) + DEPTH_MAX * 2 * (size_t)PARAMETER_MAX + 2 * (size_t)HEADER_MAX + PREAMBLE_MAX
	             + DECODED_BLOCK + part_memory_bound() + text_memory_bound();
	return (NESTED_MAX + 1) * one;
}
