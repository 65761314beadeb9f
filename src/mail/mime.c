#include "mime.h"

#include "text/ascii.h"


#include <string.h>

/* ---- Levels ---- */

static size_t keep(struct mime *m, const void *bytes, size_t n)
{
	size_t at = m->strings.length;
	if (n && !buf_add(&m->strings, bytes, n))
		parser_fail(m->parser, URLSIFT_NO_MEMORY);
	return at;
}

/* The entity's children follow.  False past the limit. */
bool mime_push_level(struct mime *m, uint64_t at, bool message)
{
	struct parser *r = m->parser;
	const struct content *e = &m->content;
	if (m->depth >= r->options.max_depth) {
		parser_limit(r, "mime-depth", r->options.max_depth, at);
		return false;
	}
	struct level *l = &m->levels[m->depth];
	*l = (struct level){.strings = m->strings.length, .path_length = m->path_length, .message = message};
	if (!message) {
		l->boundary_length = e->type.boundary_length;
		l->boundary = keep(m, e->type.boundary, l->boundary_length);
		l->digest = !strcmp(e->type.subtype, "digest");
		l->alternative = strcmp(e->type.subtype, "alternative") ? 0 : ++m->parser->alternatives;
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

/* ---- Delimiters (RFC 2046 section 5.1.1) ---- */

/* Whether a line that begins with two hyphens is a delimiter of k > 0 bytes, *last the closing one. */
static bool is_delimiter(const uint8_t *line, size_t n, const uint8_t *boundary, size_t k, bool *last)
{
	while (n > 2 && is_fws(line[n - 1]))
		n--;
	if (!k || k > n - 2 || memcmp(line + 2, boundary, k))
		return false;
	*last = n == k + 4 && line[k + 2] == '-' && line[k + 3] == '-';
	return n == k + 2 || *last;
}

/* Whether a line is a delimiter of a level that is open, the deepest first. */
bool mime_find_delimiter(const struct mime *m, const uint8_t *p, size_t n, struct delimiter *d)
{
	if (n < 3 || p[0] != '-' || p[1] != '-' || m->plain)
		return false;
	for (size_t i = m->depth; i--;) {
		const struct level *l = &m->levels[i];
		d->level = i;
		if (!l->ended && is_delimiter(p, n, m->strings.data + l->boundary, l->boundary_length, &d->last))
			return true;
	}
	return false;
}

static void begin_child(struct mime *m, struct level *l)
{
	l->children++;
	m->message = false;
	m->top = false;
	m->path_length = mime_append_number(m->path, l->path_length, l->children);
}

static void finish_held(struct mime *m);

/* Where the header block of an entity begins in the preamble: after blank lines, and a line that begins like a
 * delimiter.  Its end when fields of MIME are not first there. */
static size_t find_entity(const struct mime *m, const uint8_t *p, size_t n)
{
	const struct level *l = &m->levels[m->depth - 1];
	struct header_name name;
	enum header_line kind = HEADER_BLANK;
	size_t begin = n;
	bool delimited = false;
	for (size_t i = 0; i < n;) {
		const uint8_t *lf = memchr(p + i, '\n', n - i);
		size_t length = lf ? (size_t)(lf - p) + 1 - i : n - i;
		kind = header_line_read(p + i, length, &name);
		if (begin == n && !delimited && length > 2 + l->boundary_length && !memcmp(p + i, "--", 2)
		    && !memcmp(p + i + 2, m->strings.data + l->boundary, l->boundary_length))
			delimited = true;
		else if (kind == HEADER_FIELD && ascii_begins(p + i, "content-", name.length < 8 ? name.length : 8))
			return begin < n ? begin : i;
		else if (begin == n && kind == HEADER_FIELD)
			begin = i;
		else if (kind == HEADER_OTHER || (begin < n && kind == HEADER_BLANK))
			break;
		i += length;
	}
	return n;
}

/* The multipart has no part: its text is read as an entity when it begins with fields, else as plain text.  One inside
 * another is plain. */
static void read_preamble(struct mime *m)
{
	struct parser *r = m->parser;
	size_t n = m->preamble.length, begin = m->in_preamble ? n : find_entity(m, m->preamble.data, n), depth = m->depth;
	parser_damage(r, "a multipart has no part: it is read as text", 1, m->preamble_at);
	if (begin == n) {
		mime_read_preamble(m);
		return;
	}
	struct level *l = &m->levels[depth - 1];
	struct buf text = m->preamble;
	const uint64_t line = r->line, next = m->next;
	buf_init(&m->preamble, r->alloc, PREAMBLE_MAX);
	r->line = m->preamble_line;
	parser_take(r, text.data, begin);
	l->started = l->ended = m->in_preamble = true;
	begin_child(m, l);
	mime_begin_header(m);
	mime_feed(m, text.data + begin, n - begin, m->preamble_at + begin);
	finish_held(m);
	mime_close_to(m, depth);
	m->in_preamble = false;
	r->line = line;
	m->next = next;
	buf_fini(&text);
}

/* All that is open behind `depth` levels ends. */
void mime_close_to(struct mime *m, size_t depth)
{
	if (m->state == MIME_PREAMBLE && m->depth > depth)
		read_preamble(m);
	if (m->state == MIME_LEAF || m->state == MIME_REST)
		mime_finish_leaf(m);
	m->preamble.length = 0;
	while (m->depth > depth)
		pop_level(m);
}

void mime_take_delimiter(struct mime *m, const struct delimiter *d, uint64_t behind)
{
	struct parser *r = m->parser;
	struct level *l = &m->levels[d->level];
	bool empty = d->last && !l->started;
	mime_close_to(m, empty ? d->level : d->level + 1);
	m->state = MIME_EPILOGUE;
	if (empty)
		return;
	l->started = true;
	l->ended = d->last;
	if (l->ended)
		return;
	begin_child(m, l);
	if (m->parts++ < r->options.max_parts) {
		mime_begin_header(m);
		return;
	}
	parser_limit(r, "parts", r->options.max_parts, behind);
	m->plain = true;
	mime_begin_plain(m, behind);
}

/* ---- Header blocks ---- */

enum { HEADER_SLICE = 16 * 1024 }; /* of what joins a block that is held */

void mime_begin_header(struct mime *m)
{
	m->state = MIME_HEADER;
	m->declared = m->headers_only = false;
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

enum { FOLD_LOOK = 1024 }; /* bytes of lines with nothing but blanks that may be folds */

/* Lines of nothing but blanks begin at p[at]: they are folds when a fold or a field follows.  Returns where they end, or
 * `at` when they end the block; n with *cut when that cannot be told yet. */
static size_t blank_folds(const uint8_t *p, size_t at, size_t n, bool last, bool *cut)
{
	struct header_name name;
	size_t i = at, length = 0;
	enum header_line kind = HEADER_BLANK;
	*cut = false;
	for (; i < n && i - at < FOLD_LOOK && (kind = header_line_read(p + i, n - i, &name)) == HEADER_BLANK && is_blank(p[i]);
	     i += length) {
		const uint8_t *lf = memchr(p + i, '\n', n - i);
		length = lf ? (size_t)(lf - p) + 1 - i : n - i;
	}
	if (i - at >= FOLD_LOOK)
		return at;
	*cut = !last && n - i < FOLD_LOOK && !memchr(p + i, '\n', n - i);
	bool folds = i < n && (kind == HEADER_FOLD || (kind == HEADER_FIELD && !header_is_url(p + i, n - i, name.colon)));
	return *cut ? n : folds ? i : at;
}

/* Whether the line is a delimiter of the multipart that the block has just declared. */
static bool is_declared(struct mime *m, const uint8_t *p, const uint8_t *line, size_t n)
{
	if (!m->declared) {
		struct field f;
		if (!fields_content_type(&m->fields, p, (size_t)(line - p), &f))
			return false;
		content_type_read(f.value, f.value_length, &m->content.type);
		m->declared = true;
	}
	const struct content_type *t = &m->content.type;
	bool last;
	return !strcmp(t->type, "multipart") && t->boundary_length <= PARAMETER_MAX
	       && is_delimiter(line, n, t->boundary, t->boundary_length, &last);
}

/* Looks at the lines from e->fields on.  False when the block goes on: e->fields is then
 * behind the last whole line. */
static bool scan_header(struct mime *m, const uint8_t *p, size_t n, bool last, struct header_end *e)
{
	struct delimiter d;
	struct line_ends ends;
	size_t folds = 0; /* lines of blanks before this offset are folds */
	ends.count = 0;
	for (size_t i = 0; e->fields < n; i++) {
		const uint8_t *line = p + e->fields;
		if (i == ends.count) {
			m->parser->simd->line_ends(p, e->fields, n, &ends);
			i = 0;
		}
		if (!ends.count && !last)
			return false;
		size_t length = ends.count ? ends.at[i] + 1 - e->fields : n - e->fields;
		e->next = e->fields;
		if (line[0] == '-' && m->delimited && mime_find_delimiter(m, line, length, &d))
			return true;
		if (length > 2 && line[0] == '-' && line[1] == '-' && is_declared(m, p, line, length))
			return true;
		struct header_name name;
		enum header_line kind = header_line_read(line, length, &name);
		if (kind == HEADER_FIELD && header_is_url(line, length, name.colon))
			kind = HEADER_OTHER;
		if (kind == HEADER_BLANK && is_blank(line[0])) {
			bool cut = false;
			folds = folds > e->fields ? folds : blank_folds(p, e->fields, n, last, &cut);
			if (cut)
				return false;
			kind = folds > e->fields ? HEADER_FOLD : HEADER_BLANK;
		}
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

/* The body is at a URL. */
static void take_external(struct mime *m)
{
	const struct content_type *t = &m->content.type;
	if (!t->url_length || m->parser->options.headers == URLSIFT_HEADERS_NONE)
		return;
	if (t->report_cut && t->url_length == PARAMETER_MAX)
		parser_limit(m->parser, "parameter-length", PARAMETER_MAX, m->block_at);
	else
		fields_whole(&m->fields, "content-type", t->url, t->url_length);
}

static void begin_entity(struct mime *m, uint64_t at)
{
	struct content *e = &m->content;
	enum content_kind kind = content_kind(e);
	bool message = kind == BODY_MESSAGE || kind == BODY_HEADERS, hides = e->transfer != TRANSFER_IDENTITY;
	m->state = MIME_LEAF;
	m->leaf = LEAF_SKIPPED;
	m->line_start = true;
	m->decoded = 0;
	transfer_begin(&m->transfer, e->transfer, m->parser->simd);
	if (message && hides && m->nesting < NESTED_MAX) {
		mime_begin_inner(m);
		if (m->inner)
			m->inner->headers_only = kind == BODY_HEADERS;
	} else if (message && hides) {
		parser_limit(m->parser, "hidden-messages", NESTED_MAX, at);
		content_type_read(NULL, 0, &e->type);
		mime_begin_part(m, false, at);
	} else if (message && !hides && mime_push_level(m, at, true)) {
		if (kind == BODY_HEADERS && (m->message || !m->path_length))
			m->path_length = mime_append_number(m->path, m->path_length, 1);
		m->message = true;
		m->top = false;
		mime_begin_header(m);
		m->headers_only = kind == BODY_HEADERS;
	} else if (kind == BODY_MULTIPART && !e->type.report_cut && e->type.boundary_length
	           && mime_push_level(m, at, false)) {
		m->state = MIME_PREAMBLE;
		m->preamble_at = at;
		m->preamble_line = m->parser->line;
	} else if (kind == BODY_TEXT || kind == BODY_HTML) {
		mime_begin_part(m, kind == BODY_HTML, at);
	} else if (kind != BODY_SKIPPED) {
		if (kind == BODY_MULTIPART && e->type.report_cut)
			parser_limit(m->parser, "parameter-length", PARAMETER_MAX, m->block_at);
		mime_begin_plain(m, at);
	}
}

/* The fields of a block, or its first when it is too long. */
static void read_fields(struct mime *m, const uint8_t *block, size_t n, uint64_t body)
{
	struct parser *r = m->parser;
	const struct level *l = m->depth ? &m->levels[m->depth - 1] : NULL;
	fields_read(&m->fields, &(struct header_block){block, n, m->block_at, m->line}, &m->content, m->top);
	content_end(&m->content, l && l->digest && !m->message);
	if (m->top) {
		r->news = m->content.news;
		m->header_done = true;
		m->body_at = body;
		parser_message(r);
	}
	mime_set_place(m, false, "", "", false);
	fields_search(&m->fields);
	take_external(m);
}

/* The block is whole. */
static void take_header(struct mime *m, const uint8_t *block, const struct header_end *e)
{
	uint64_t body = m->block_at + e->next;
	parser_take(m->parser, block, e->next);
	read_fields(m, block, e->fields, body);
	m->block.length = m->scanned = 0;
	if (parser_ok(m->parser) && m->headers_only)
		mime_begin_plain(m, body);
	else if (parser_ok(m->parser))
		begin_entity(m, body);
}

/* The block is longer than the limit: what is more of it is text. */
static void cut_header(struct mime *m)
{
	struct parser *r = m->parser;
	parser_limit(r, "header-block", r->options.max_header, m->block_at);
	parser_take(r, m->block.data, m->scanned);
	read_fields(m, m->block.data, m->scanned, m->block_at + m->scanned);
	m->leaf = LEAF_PART;
	transfer_begin(&m->transfer, TRANSFER_IDENTITY, m->parser->simd);
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
		parser_fail(m->parser, URLSIFT_NO_MEMORY);
	m->block.length = m->scanned = 0;
	if (from < old)
		mime_feed(m, m->spill.data, m->spill.length, at);
}

size_t mime_feed_header(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	struct parser *r = m->parser;
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
		parser_fail(r, URLSIFT_NO_MEMORY);
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
		m->line = m->parser->line;
	}
	/* without a single LF it is not written in lines: all of it is text */
	if (!n || memchr(m->block.data, '\n', n) || !memchr(m->block.data, '\r', n))
		scan_header(m, m->block.data, n, true, &e);
	size_t next = e.next;
	take_header(m, m->block.data, &e);
	spill(m, next, n);
}

/* ---- Bodies ---- */

enum line_held { LINE_WHOLE, LINE_MORE, LINE_LONG };

struct line {
	const uint8_t *p;
	size_t length; /* with its LF */
	size_t taken;  /* of the new bytes */
};

/* The line that begins with what is held and goes on at p, n > 0 bytes.  WHOLE: in place or, when something was held,
 * in m->held, which the caller then empties.  MORE: all n bytes are held.  LONG: no delimiter; nothing is taken. */
static enum line_held gather_line(struct mime *m, const uint8_t *p, size_t n, struct line *line)
{
	size_t room = BOUNDARY_LINE_MAX - m->held_length, look = n < room ? n : room;
	const uint8_t *end = memchr(p, '\n', look);
	if (!end && look == room)
		return LINE_LONG;
	size_t taken = end ? (size_t)(end - p) + 1 : n;
	*line = (struct line){p, taken, taken};
	if (end && !m->held_length)
		return LINE_WHOLE;
	memcpy(m->held + m->held_length, p, taken);
	m->held_length += taken;
	line->p = m->held;
	line->length = m->held_length;
	return end ? LINE_WHOLE : LINE_MORE;
}

/* The line whose beginning is held goes on at p.  Returns the bytes of p that are done with. */
static size_t feed_held(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	struct line line;
	struct delimiter d;
	enum line_held have = gather_line(m, p, n, &line);
	if (have == LINE_MORE)
		return n;
	size_t length = m->held_length, taken = have == LINE_WHOLE ? line.taken : 0;
	m->held_length = 0;
	if (have == LINE_WHOLE && mime_find_delimiter(m, m->held, length, &d)) {
		parser_take(m->parser, m->held, length);
		mime_take_delimiter(m, &d, at + taken);
		return taken;
	}
	m->line_start = have == LINE_WHOLE;
	mime_leaf_bytes(m, m->held, length, m->held_at);
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
			enum line_held have = gather_line(m, p + i, n - i, &line);
			bool found = have == LINE_WHOLE && mime_find_delimiter(m, line.p, line.length, &d);
			if (have == LINE_MORE || found)
				mime_leaf_bytes(m, p, i, at);
			if (have == LINE_MORE) {
				m->held_at = at + i;
				return n;
			}
			if (found) {
				parser_take(m->parser, line.p, line.length);
				mime_take_delimiter(m, &d, at + i + line.taken);
				return i + line.taken;
			}
		}
		i = m->parser->simd->line_find(p, i, n, LINE_HYPHEN);
		m->line_start = i < n;
		i += i < n;
	}
	m->line_start = p[n - 1] == '\n';
	mime_leaf_bytes(m, p, n, at);
	return n;
}

static size_t feed_body(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	if (m->held_length)
		return feed_held(m, p, n, at);
	if (m->delimited && !m->plain)
		return feed_stretch(m, p, n, at);
	m->line_start = p[n - 1] == '\n';
	mime_leaf_bytes(m, p, n, at);
	return n;
}

/* ---- The interface ---- */

struct mime *mime_new(struct parser *r, unsigned nesting)
{
	struct mime *m = alloc_get(r->alloc, sizeof *m);
	if (!m)
		return NULL;
	m->parser = r;
	m->nesting = nesting;
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
		const urlsift_allocator *alloc = m->parser->alloc;
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
	m->depth = m->delimited = m->within_count = 0;
	m->strings.length = m->preamble.length = m->held_length = 0;
	m->path_length = m->parts = 0;
	m->message = true;
	m->top = m->nesting == 0;
	m->plain = m->header_done = m->in_preamble = false;
	m->leaf = LEAF_SKIPPED;
	if (m->top) {
		hashset_reset(&m->parser->seen);
		m->parser->seen_full = false;
		m->parser->alternatives = 0;
	}
	mime_begin_header(m);
}

void mime_feed(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	while (n && parser_ok(m->parser)) {
		size_t k;
		switch (m->state) {
		case MIME_HEADER: k = mime_feed_header(m, p, n, at); break;
		case MIME_REST:   k = mime_feed_rest(m, p, n, at); break;
		default:          k = feed_body(m, p, n, at); break;
		}
		p += k;
		n -= k;
		at += k;
		m->next = at;
	}
}

static void finish_line(struct mime *m)
{
	struct delimiter d;
	size_t n = m->held_length;
	m->held_length = 0;
	if (mime_find_delimiter(m, m->held, n, &d))
		mime_take_delimiter(m, &d, m->held_at + n);
	else
		mime_leaf_bytes(m, m->held, n, m->held_at);
}

/* The input is over within a header block or a line. */
static void finish_held(struct mime *m)
{
	while (parser_ok(m->parser) && (m->state == MIME_HEADER || m->held_length))
		if (m->state == MIME_HEADER)
			mime_finish_header(m);
		else
			finish_line(m);
}

void mime_finish(struct mime *m)
{
	finish_held(m);
	mime_close_to(m, 0);
}

size_t mime_memory_bound(void)
{
	size_t one = sizeof(struct mime) + DEPTH_MAX * 2 * (size_t)PARAMETER_MAX + 2 * (size_t)HEADER_MAX + PREAMBLE_MAX
	             + DECODED_BLOCK + part_memory_bound() + TEXT_RANGES * sizeof(urlsift_range);
	return (NESTED_MAX + 1) * one;
}
