#include "mime.h"

#include "text/ascii.h"
#include "text/bytes.h"

#include <string.h>

/* ---- Levels ---- */

static size_t keep(struct mime *m, const void *bytes, size_t n)
{
	size_t at = m->open.strings.length;
	parser_have(m->parser, buf_add(&m->open.strings, bytes, n));
	return at;
}

bool mime_push_level(struct mime *m, uint64_t at, bool message)
{
	struct parser *r = m->parser;
	const struct content *e = &m->content;
	if (m->open.depth >= r->options.max_depth) {
		parser_limit(r, "mime-depth", r->options.max_depth, at);
		return false;
	}
	struct level *l = &m->open.levels[m->open.depth];
	*l = (struct level){.strings = m->open.strings.length, .path_length = m->path.length, .message = message};
	if (!message) {
		l->boundary_length = e->type.boundary_length;
		l->boundary = keep(m, e->type.boundary, l->boundary_length);
		l->hash = bytes_hash(0, e->type.boundary, l->boundary_length) % BOUNDARY_HASHES;
		m->open.hashes[l->hash]++;
		l->is = e->media->is;
		l->alternative = l->is & MEDIA_ALTERNATIVE ? ++r->alternatives.begun : 0;
	}
	l->base_length = e->base_length;
	l->base = keep(m, e->base, e->base_length);
	m->open.depth++;
	m->open.delimited += !message;
	return true;
}

static void pop_level(struct mime *m)
{
	const struct level *l = &m->open.levels[--m->open.depth];
	m->open.strings.length = l->strings;
	m->open.delimited -= !l->message;
	m->open.hashes[l->hash] -= !l->message;
}

void mime_begin_told(struct mime *m)
{
	struct parser *r = m->parser;
	const struct message_around around = {.message = r->message, .meta = r->meta, .news = r->news};
	m->open.levels[m->open.depth - 1].told = parser_have(r, buf_add(&m->open.around, &around, sizeof around));
}

/* ---- Delimiters (RFC 2046 section 5.1.1) ---- */

/* The length of a line, of two bytes or more, without the white space at its end. */
static size_t trimmed(const uint8_t *line, size_t n) { return byte_span_back(line, 2, n, BYTE_FWS); }

/* Whether a trimmed line is a delimiter of the boundary; *last: the closing one. */
static inline bool is_delimiter(const uint8_t *line, size_t n, const uint8_t *boundary, size_t k, bool *last)
{
	if (!k || k > n - 2 || memcmp(line + 2, boundary, k))
		return false;
	*last = text_is(line + k + 2, n - k - 2, "--");
	return n == k + 2 || *last;
}

bool mime_is_delimiter(const uint8_t *line, size_t n, const uint8_t *boundary, size_t k, bool *last)
{
	return is_delimiter(line, trimmed(line, n), boundary, k, last);
}

bool mime_find_delimiter(const struct mime *m, const uint8_t *p, size_t n, struct delimiter *d)
{
	if (n < 3 || p[1] != '-')
		return false;
	n = trimmed(p, n);
	size_t most = n > 4 ? n - 2 : 2; /* the closing delimiter has a boundary of most - 2 bytes */
	uint32_t closing = bytes_hash(0, p + 2, most - 2), hash = bytes_hash(closing, p + most, n - most);
	/* many levels may be open, and hardly a line be a delimiter */
	bool any = m->open.hashes[hash % BOUNDARY_HASHES] || (p[n - 1] == '-' && m->open.hashes[closing % BOUNDARY_HASHES]);
	for (size_t i = any ? m->open.depth : 0; i--;) {
		const struct level *l = &m->open.levels[i];
		d->level = i;
		if (!l->ended && is_delimiter(p, n, m->open.strings.data + l->boundary, l->boundary_length, &d->last))
			return true;
	}
	return false;
}

static void begin_child(struct mime *m, struct level *l)
{
	l->children++;
	m->message = false;
	m->top = false;
	m->path.length = mime_append_number(m->path.own, l->path_length, l->children);
}

static void finish_held(struct mime *m);

/* Where the header block of an entity begins in the preamble: after blank lines, and a line that begins like a
 * delimiter.  Its end when fields of MIME are not first there. */
static size_t find_entity(const struct mime *m, const uint8_t *p, size_t n)
{
	const struct level *l = &m->open.levels[m->open.depth - 1];
	struct header_name name;
	enum header_line kind = HEADER_BLANK;
	size_t begin = n;
	bool delimited = false;
	for (size_t i = 0; i < n;) {
		size_t length = after_line(p, i, n) - i;
		kind = header_line_read(p + i, length, &name);
		if (begin == n && !delimited && length > 2 + l->boundary_length && !memcmp(p + i, "--", 2)
		    && !memcmp(p + i + 2, m->open.strings.data + l->boundary, l->boundary_length))
			delimited = true;
		else if (kind == HEADER_FIELD) {
			begin = smaller(begin, i);
			if (ascii_opens(p + i, name.length, "content-"))
				return begin;
		} else if (kind == HEADER_OTHER || (begin < n && kind == HEADER_BLANK))
			break;
		i += length;
	}
	return n;
}

static void close_to(struct mime *m, size_t depth);

/* The multipart has no part: its text is read as an entity when it begins with fields, else as plain text.  One inside
 * another is plain. */
static void read_preamble(struct mime *m)
{
	struct parser *r = m->parser;
	const size_t n = m->preamble.text.length, depth = m->open.depth;
	const size_t begin = m->preamble.read ? n : find_entity(m, m->preamble.text.data, n);
	parser_damage(r, "a multipart has no parts: read as text", 1, m->preamble.at);
	if (begin == n) {
		mime_read_preamble(m);
		return;
	}
	struct level *l = &m->open.levels[depth - 1];
	struct buf text = m->preamble.text;
	const uint64_t line = r->at.line, next = m->next;
	buf_init(&m->preamble.text, r->alloc, PREAMBLE_MAX + TEXT_PAD);
	r->at.line = m->preamble.line;
	parser_take(r, text.data, begin);
	l->started = l->ended = m->preamble.read = true;
	begin_child(m, l);
	mime_begin_header(m);
	mime_feed(m, text.data + begin, n - begin, m->preamble.at + begin);
	finish_held(m);
	close_to(m, depth);
	m->preamble.read = false;
	r->at.line = line;
	m->next = next;
	buf_fini(&text);
}

void mime_skip_lines(struct mime *m, uint64_t lines, uint64_t at)
{
	m->preamble.text.length = 0; /* of blank lines, as no text comes before these */
	m->preamble.line = m->parser->at.line;
	m->preamble.at = at;
	if (m->leaf == LEAF_PART)
		part_skip_lines(&m->part, lines);
}

/* All that is open after `depth` levels ends. */
static void close_to(struct mime *m, size_t depth)
{
	if (m->state == MIME_PREAMBLE && m->open.depth > depth)
		read_preamble(m);
	if (mime_in_leaf(m))
		mime_finish_leaf(m);
	/* the preamble or epilogue that was kept is not searched: one that may contain a link is counted */
	struct parser *r = m->parser;
	const bool cut = m->preamble.text.length == PREAMBLE_MAX;
	const size_t n = byte_after_back(m->preamble.text.data, 0, m->preamble.text.length, " \t\n\v\f\r");
	if (n && parser_have(r, buf_reserve(&m->preamble.text, TEXT_PAD))) {
		memset(m->preamble.text.data + n, 0, TEXT_PAD);
		const urlsift_mail_kind kind = urlsift_mail_detect(m->preamble.text.data, n, !cut);
		const bool mail = kind != URLSIFT_KIND_TEXT && !document_alone(kind); /* `cat` makes it of two messages */
		if (cut || mail || !text_quiet(r, m->preamble.text.data, n)) {
			m->path.length = m->open.depth ? m->open.levels[m->open.depth - 1].path_length : 0;
			mime_set_place(m, false, "", "", false);
			parser_omit(r, URLSIFT_OMITTED_UNSEARCHED, (urlsift_text){"", 0}, m->preamble.at);
			parser_damage(r, "mail outside the parts of a multipart: not searched", mail, m->preamble.at);
		}
	}
	m->preamble.text.length = 0;
	for (; m->open.depth > depth; pop_level(m))
		if (m->open.levels[m->open.depth - 1].told) {
			struct buf *b = &m->open.around;
			const struct message_around *around = (const void *)(b->data + (b->length -= sizeof *around));
			r->message = around->message;
			r->meta = around->meta;
			r->news = around->news;
		}
}

/* Ends what the delimiter ends, and begins the next part; `after` is the offset after its line. */
static void take_delimiter(struct mime *m, const struct delimiter *d, uint64_t after)
{
	struct parser *r = m->parser;
	struct level *l = &m->open.levels[d->level];
	bool empty = d->last && !l->started;
	close_to(m, empty ? d->level : d->level + 1);
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
	parser_limit(r, "parts", r->options.max_parts, after);
	m->plain = true;
	mime_begin_plain(m, after);
}

/* ---- Bodies ---- */

enum line_held { LINE_WHOLE, LINE_MORE, LINE_LONG };

struct body_line {
	const uint8_t *p;
	size_t length; /* with its LF */
	size_t taken;  /* of the new bytes */
};

/* The line that begins with what is held and goes on at p, n > 0 bytes.  WHOLE: in place or, when something was held,
 * in m->held.bytes, which the caller then empties.  MORE: all n bytes are held.  LONG: no delimiter; nothing is taken.
 */
static enum line_held gather_line(struct mime *m, const uint8_t *p, size_t n, struct body_line *line)
{
	size_t room = BOUNDARY_LINE_MAX - m->held.length, look = smaller(n, room);
	const uint8_t *end = memchr(p, '\n', look);
	*line = (struct body_line){p, 0, 0};
	if (!end && look == room)
		return LINE_LONG;
	size_t taken = end ? (size_t)(end - p) + 1 : n;
	*line = (struct body_line){p, taken, taken};
	if (end && !m->held.length)
		return LINE_WHOLE;
	memcpy(m->held.bytes + m->held.length, p, taken);
	m->held.length += taken;
	line->p = m->held.bytes;
	line->length = m->held.length;
	return end ? LINE_WHOLE : LINE_MORE;
}

/* The line whose beginning is held goes on at p.  Returns the bytes of p that are done with. */
static size_t feed_held(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	struct body_line line;
	struct delimiter d;
	enum line_held have = gather_line(m, p, n, &line);
	if (have == LINE_MORE)
		return n;
	size_t length = m->held.length, taken = line.taken;
	m->held.length = 0;
	if (have == LINE_WHOLE && mime_find_delimiter(m, m->held.bytes, length, &d)) {
		parser_take(m->parser, m->held.bytes, length);
		take_delimiter(m, &d, at + taken);
		return taken;
	}
	m->line_start = have == LINE_WHOLE;
	mime_leaf_bytes(m, m->held.bytes, length, m->held.at);
	return taken;
}

/* Text up to a delimiter, and that with it; or up to a line that may be one and is cut. */
static size_t feed_stretch(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	struct body_line line;
	struct delimiter d;
	size_t i = 0;
	while (i < n) {
		if (m->line_start && p[i] == '-') {
			enum line_held have = gather_line(m, p + i, n - i, &line);
			bool found = have == LINE_WHOLE && mime_find_delimiter(m, line.p, line.length, &d);
			if (have == LINE_MORE) {
				mime_leaf_bytes(m, p, i, at);
				m->held.at = at + i;
				return n;
			}
			if (found) {
				mime_leaf_bytes(m, p, i, at);
				parser_take(m->parser, line.p, line.length);
				take_delimiter(m, &d, at + i + line.taken);
				return i + line.taken;
			}
		}
		i = m->parser->scan.simd->line_find(p, i, n, LINE_HYPHEN);
		m->line_start = i < n;
		i += i < n;
	}
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
	buf_init(&m->open.strings, r->alloc, DEPTH_MAX * 2 * (size_t)PARAMETER_MAX);
	buf_init(&m->open.around, r->alloc, DEPTH_MAX * sizeof(struct message_around));
	buf_init(&m->header.block, r->alloc, HEADER_MAX);
	buf_init(&m->header.spill, r->alloc, HEADER_MAX);
	buf_init(&m->preamble.text, r->alloc, PREAMBLE_MAX + TEXT_PAD);
	part_init(&m->part, r);
	fields_init(&m->fields, r);
	return m;
}

void mime_free(struct mime *m)
{
	while (m) {
		struct mime *inner = m->inner.mime;
		const urlsift_allocator *alloc = m->parser->alloc;
		buf_fini(&m->open.strings);
		buf_fini(&m->open.around);
		buf_fini(&m->header.block);
		buf_fini(&m->header.spill);
		buf_fini(&m->preamble.text);
		part_fini(&m->part);
		fields_fini(&m->fields);
		alloc_put(alloc, m->block_out);
		alloc_put(alloc, m);
		m = inner;
	}
}

void mime_begin(struct mime *m, uint64_t at)
{
	while (m->open.depth)
		pop_level(m);
	m->within_count = 0;
	m->open.strings.length = m->open.around.length = m->preamble.text.length = m->held.length = 0;
	m->path.length = m->parts = 0;
	m->next = at;
	m->message = true;
	m->top = m->nesting == 0;
	m->plain = m->header.done = m->preamble.read = false;
	m->leaf = LEAF_SKIPPED;
	if (m->top) {
		hashset_reset(&m->parser->alternatives.seen);
		m->parser->alternatives.full = false;
		m->parser->alternatives.begun = 0;
	}
	mime_begin_header(m);
}

void mime_feed(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	while (n && parser_ok(m->parser)) {
		size_t k = n;
		if (m->state == MIME_HEADER) {
			k = mime_feed_header(m, p, n, at);
		} else if (m->parser->options.outline) {
			parser_take(m->parser, p, n);
		} else if (m->state == MIME_REST) {
			k = mime_feed_rest(m, p, n, at);
		} else if (m->held.length) {
			k = feed_held(m, p, n, at);
		} else if (m->open.delimited && !m->plain) {
			k = feed_stretch(m, p, n, at);
		} else {
			m->line_start = p[n - 1] == '\n';
			mime_leaf_bytes(m, p, n, at);
		}
		p += k;
		n -= k;
		at += k;
		m->next = at;
	}
}

/* The input is over within a header block or a line. */
static void finish_held(struct mime *m)
{
	struct delimiter d;
	while (parser_ok(m->parser) && (m->state == MIME_HEADER || m->held.length)) {
		const size_t n = m->held.length;
		m->held.length = 0;
		if (m->state == MIME_HEADER)
			mime_finish_header(m);
		else if (mime_find_delimiter(m, m->held.bytes, n, &d))
			take_delimiter(m, &d, m->held.at + n);
		else
			mime_leaf_bytes(m, m->held.bytes, n, m->held.at);
	}
}

void mime_finish(struct mime *m)
{
	finish_held(m);
	close_to(m, 0);
}

size_t mime_memory_bound(void)
{
	size_t one = sizeof(struct mime) + DEPTH_MAX * 2 * (size_t)PARAMETER_MAX + 2 * (size_t)HEADER_MAX + PREAMBLE_MAX
	             + TEXT_PAD + DECODED_BLOCK + part_memory_bound() + TEXT_RANGES * sizeof(urlsift_range);
	return (NESTED_MAX + 1) * one + DEPTH_MAX * sizeof(struct message_around);
}
