#include "mime.h"

#include "simd/runs.h"
#include "text/ascii.h"

#include <string.h>

enum {
	HEADER_SLICE = 16 * 1024, /* of what joins a block that is held */
	HEADER_KEPT = 128 * 1024  /* of memory for a block, after it */
};

void mime_begin_header(struct mime *m)
{
	m->state = MIME_HEADER;
	m->header.declared = m->header.only = false;
	m->header.block.length = m->header.scanned = 0;
	m->line_start = true;
	m->file.name_length = 0;
	fields_reset(&m->fields);
}

struct header_end {
	size_t fields; /* whole lines of fields */
	size_t next;   /* where the body begins */
};

enum { FOLD_LOOK = 1024 }; /* bytes of lines with nothing but blanks that may be folds */

/* Lines of nothing but blanks begin at p[at]: they are folds when a fold or a field follows.  Returns where they end,
 * or `at` when they end the block; n with *cut when more bytes are needed. */
static size_t blank_folds(const uint8_t *p, size_t at, size_t n, bool last, bool *cut)
{
	struct header_name name;
	size_t i = at, length = 0;
	enum header_line kind = HEADER_BLANK;
	*cut = false;
	for (; i < n && i - at < FOLD_LOOK; i += length) {
		length = after_line(p, i, n) - i;
		kind = header_line_or_url(p + i, smaller(n - i, FOLD_LOOK), &name);
		bool whole = length >= FOLD_LOOK || p[i + length - 1] == '\n';
		if (kind != HEADER_BLANK || !is_blank(p[i]) || !whole)
			break;
	}
	if (i - at >= FOLD_LOOK)
		return at;
	*cut = !last && n - i < FOLD_LOOK && !memchr(p + i, '\n', n - i);
	bool folds = i < n && within(kind, HEADER_FIELD, HEADER_FOLD);
	return *cut ? n : folds ? i : at;
}

/* Whether the line is a delimiter of the multipart that the block has just declared. */
static bool is_declared(struct mime *m, const uint8_t *p, const uint8_t *line, size_t n)
{
	if (!m->header.declared) {
		struct field f;
		if (!fields_content_type(&m->fields, p, (size_t)(line - p), &f))
			return false;
		content_set_type(&m->content, f.value, f.value_length);
		m->header.declared = true;
	}
	const struct content_type *t = &m->content.type;
	bool last;
	return m->content.media->kind == BODY_MULTIPART && t->boundary_length <= PARAMETER_MAX
	       && mime_is_delimiter(line, n, t->boundary, t->boundary_length, &last);
}

/* Looks at the lines from e->fields on.  False when the block continues: e->fields is then
 * after the last complete line. */
static bool scan_header(struct mime *m, const uint8_t *p, size_t n, bool last, struct header_end *e)
{
	struct delimiter d;
	struct line_ends ends;
	size_t folds = 0; /* lines of blanks before this offset are folds */
	ends.count = 0;
	for (size_t i = 0; e->fields < n; i++) {
		const uint8_t *line = p + e->fields;
		if (i == ends.count) {
			m->parser->scan.simd->line_ends(p, e->fields, n, &ends);
			i = 0;
		}
		size_t length = n - e->fields;
		if (ends.count)
			length = ends.at[i] + 1 - e->fields;
		else if (!last)
			return false;
		e->next = e->fields;
		if (text_begins(line, length, "--") &&
		    ((m->open.delimited && mime_find_delimiter(m, line, length, &d)) || is_declared(m, p, line, length)))
			return true;
		struct header_name name;
		enum header_line kind = header_line_or_url(line, n - e->fields, &name); /* it does not go past the line */
		if (kind == HEADER_BLANK) {
			bool cut = false;
			folds = folds > e->fields ? folds : blank_folds(p, e->fields, n, last, &cut);
			if (cut)
				return false;
			kind = folds > e->fields ? HEADER_FOLD : HEADER_BLANK;
		}
		if (kind == HEADER_BLANK) {
			e->next += length;
			return true;
		}
		size_t mark = line[0] == '>';
		if (kind == HEADER_OTHER && !text_begins(line + mark, length - mark, "From "))
			return true;
		if (kind != HEADER_FOLD)
			fields_line(&m->fields, line, e->fields, kind == HEADER_FIELD ? &name : NULL);
		e->fields += length;
	}
	e->next = e->fields;
	return last;
}

static void begin_entity(struct mime *m, uint64_t at)
{
	struct content *e = &m->content;
	enum content_kind kind = e->media->kind;
	bool message = within(kind, BODY_MESSAGE, BODY_HEADERS), hidden = message && e->transfer != TRANSFER_IDENTITY;
	m->state = MIME_LEAF;
	m->leaf = LEAF_SKIPPED;
	m->line_start = true;
	m->decoded = 0;
	transfer_begin(&m->transfer, e->transfer, m->parser->scan.simd);
	if (hidden) {
		if (m->nesting < NESTED_MAX) {
			mime_begin_inner(m, kind == BODY_HEADERS, at);
		} else {
			parser_limit(m->parser, "hidden-messages", NESTED_MAX, at);
			content_set_type(e, (const uint8_t *)"", 0);
			mime_begin_part(m, false, at);
		}
	} else if (message && mime_push_level(m, at, true)) {
		if (kind == BODY_HEADERS && m->message)
			m->path.length = mime_append_number(m->path.own, m->path.length, 1);
		m->message = true;
		m->top = false;
		mime_begin_header(m);
		m->header.only = kind == BODY_HEADERS;
	} else if (kind == BODY_MULTIPART && !e->type.report_cut && e->type.boundary_length
	           && mime_push_level(m, at, false)) {
		m->state = MIME_PREAMBLE;
		m->preamble.at = at;
		m->preamble.line = m->parser->at.line;
	} else if (within(kind, BODY_TEXT, BODY_HTML)) {
		mime_begin_part(m, kind == BODY_HTML, at);
	} else if (kind == BODY_SKIPPED) { /* it is not searched: what may have links, by type or name, is counted */
		const struct media *named = content_file_media(m->file.name, m->file.name_length);
		const urlsift_omission omits = (named && named->omits ? named : e->media)->omits;
		if (omits) {
			mime_set_place(m, true, e->type.type, e->type.subtype, false);
			parser_omit(m->parser, omits, (urlsift_text){"", 0}, at);
		}
		if (m->parser->options.attachments) {
			m->leaf = LEAF_ATTACHED;
			m->file.bytes = m->file.line_end = 0;
			m->file.after_cr = false;
		}
	} else {
		if (kind == BODY_MULTIPART && e->type.report_cut)
			parser_limit(m->parser, "parameter-length", PARAMETER_MAX, m->header.at);
		mime_begin_plain(m, at);
	}
}

/* The fields of a block, or its first when it is too long. */
static void read_fields(struct mime *m, const uint8_t *block, size_t n, uint64_t body)
{
	struct parser *r = m->parser;
	const struct level *l = m->open.depth ? &m->open.levels[m->open.depth - 1] : NULL;
	/* a message of a multipart/digest is told as one of its own, where its offsets are those of the source */
	const bool single = m->message && m->open.depth > 1 && l[-1].is & MEDIA_DIGEST && !m->nesting && !r->document;
	const bool own = (m->top && !r->document) || single;
	if (single)
		mime_begin_told(m);
	fields_read(&m->fields, &(struct header_block){block, n, m->header.at, m->header.line}, &m->content, own);
	content_end(&m->content, l && l->is & MEDIA_DIGEST);
	if (m->content.relative) {
		const urlsift_text outer = mime_base(m);
		content_resolve(&m->content, outer.length ? outer : scanner_base(r->scanner));
	}
	if (m->top) {
		m->header.done = true;
		m->header.body_at = body;
		m->header.digest = content_is_digest(&m->content);
		m->header.has_length = m->content.has_length;
		m->header.length = m->content.length;
	}
	if (single) {
		m->path.length = 0;
		parser_begin_message(r, m->header.at, m->header.line);
	}
	if (own) {
		r->news = m->content.news;
		parser_message(r);
	}
	mime_set_place(m, false, "", "", false);
	parser_damage(r, "NULs, or CRs without LF, in a header", m->header.damage, m->header.at);
	parser_damage(r, "a second Content-Type, of another kind: the first one holds", m->content.retyped, m->header.at);
	if (own && r->meta.cut)
		parser_limit(r, "metadata", META_MAX, m->header.at);
	if (m->content.base_cut)
		parser_limit(r, "base-length", BASE_MAX, m->header.at);
	fields_search(&m->fields);
	const struct content_type *t = &m->content.type;
	if (t->url_length && r->options.headers != URLSIFT_HEADERS_NONE) { /* the body is at a URL */
		if (t->report_cut && t->url_length == PARAMETER_MAX)
			parser_limit(r, "parameter-length", PARAMETER_MAX, m->header.at);
		else
			fields_whole(&m->fields, "content-type", t->url, t->url_length);
	}
	if (m->content.media->kind == BODY_SKIPPED || (r->options.attachments && !m->top))
		m->file.name_length = fields_file_name(&m->fields, m->file.name);
	content_set_file(&m->content, m->file.name, m->file.name_length);
}

/* The offset in the source of the block's byte i. */
static uint64_t place_in_block(const struct mime_block *b, size_t i)
{
	return b->at + i + (i >= b->copy_from ? b->copy_length : 0);
}

/* A CR alone ends a line, too, as some mail readers have it, but not one of several before an LF: a block with such
 * lines is read again, from a copy with LFs.  Returns the block that is to be read.
 * The copy is in the buffer that is free: what was held is in header.block, and did not come from header.spill, whose
 * bytes are fed when nothing is held, so that header.block then holds none of them before they are all read. */
static const uint8_t *end_lines(struct mime *m, const uint8_t *block, struct header_end *e)
{
	const size_t n = e->next;
	struct buf *copy = block == m->header.block.data ? &m->header.spill : &m->header.block;
	m->header.damage = copy->length = 0;
	for (size_t i = 0; (i = byte_index(block, i, n, '\0')) < n; i++)
		m->header.damage++;
	for (size_t i = byte_index(block, 0, n, '\r'), next; (i = run_lone_cr(block, i, n)) < n; i = next) {
		next = byte_run(block, i, n, '\r');
		const bool lf = byte_at(block, next, n) == '\n';
		m->header.damage += next - i - lf;
		if (lf)
			continue;
		if (!copy->length && !parser_have(m->parser, buf_add(copy, block, n)))
			return block;
		memset(copy->data + i, '\n', next - i);
	}
	if (!copy->length)
		return block;
	fields_reset(&m->fields);
	m->header.declared = false;
	*e = (struct header_end){0, 0};
	scan_header(m, copy->data, n, true, e);
	return copy->data;
}

/* The block is complete. */
static void take_header(struct mime *m, const uint8_t *block, struct header_end *e)
{
	const uint8_t *fields = end_lines(m, block, e);
	uint64_t body = place_in_block(&m->header, e->next);
	parser_take(m->parser, block, e->next);
	read_fields(m, fields, e->fields, body);
	m->header.block.length = m->header.scanned = 0;
	if (!parser_ok(m->parser))
		return;
	if (m->header.only)
		mime_begin_plain(m, body);
	else
		begin_entity(m, body);
}

/* Hands on what the block holds from `from` to `old`, which came before. */
static void spill(struct mime *m, size_t from, size_t old)
{
	uint64_t at = place_in_block(&m->header, from);
	m->header.spill.length = 0;
	if (from < old)
		parser_have(m->parser, buf_add(&m->header.spill, m->header.block.data + from, old - from));
	m->header.block.length = m->header.scanned = 0;
	mime_feed(m, m->header.spill.data, m->header.spill.length, at);
	/* Messages inside each other may have long blocks all. */
	if (m->header.spill.room > HEADER_KEPT)
		buf_fini(&m->header.spill);
	if (m->header.block.room > HEADER_KEPT && m->header.block.length == 0)
		buf_fini(&m->header.block);
}

size_t mime_feed_header(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	struct parser *r = m->parser;
	struct header_end e = {0, 0};
	size_t old = m->header.block.length;
	if (!old) {
		m->header.at = at;
		m->header.copy_length = 0;
		m->header.line = r->at.line;
		size_t look = smaller(n, r->options.max_header);
		if (scan_header(m, p, look, false, &e)) {
			take_header(m, p, &e);
			return e.next;
		}
	}
	if (at > m->header.at + old + m->header.copy_length) {
		m->header.copy_from = old;
		m->header.copy_length = at - m->header.at - old;
	}
	size_t room = r->options.max_header - old, slice = smaller(n, room);
	if (old)
		slice = smaller(slice, HEADER_SLICE);
	if (!parser_have(r, buf_add(&m->header.block, p, slice)))
		return n;
	if (old) {
		e.fields = m->header.scanned;
		if (scan_header(m, m->header.block.data, m->header.block.length, false, &e)) {
			take_header(m, m->header.block.data, &e);
			if (e.next >= old)
				return e.next - old;
			spill(m, e.next, old);
			return 0;
		}
	}
	m->header.scanned = e.fields;
	if (m->header.block.length < r->options.max_header)
		return slice;
	/* the block is longer than the limit: what is more of it is text */
	m->header.damage = 0;
	size_t scanned = m->header.scanned, length = m->header.block.length;
	parser_limit(r, "header-block", r->options.max_header, m->header.at);
	parser_take(r, m->header.block.data, scanned);
	uint64_t rest = place_in_block(&m->header, scanned);
	read_fields(m, m->header.block.data, scanned, rest);
	m->leaf = LEAF_PART;
	transfer_begin(&m->transfer, TRANSFER_IDENTITY, r->scan.simd);
	mime_set_place(m, true, "text", "plain", false);
	part_begin(&m->part, &(struct part_type){.charset = "", .line = r->at.line}, rest);
	m->state = MIME_REST;
	m->header.rest = REST_EMPTY;
	spill(m, scanned, length);
	return slice;
}

/* After the limit: text up to the blank line. */
size_t mime_feed_rest(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	size_t i = 0;
	bool ended = false;
	while (i < n && !ended) {
		const size_t end = byte_index(p, i, n, '\n');
		if (end > i)
			m->header.rest = m->header.rest == REST_EMPTY && end == i + 1 && p[i] == '\r' ? REST_CR : REST_TEXT;
		ended = end < n && m->header.rest != REST_TEXT;
		m->header.rest = end < n ? REST_EMPTY : m->header.rest;
		i = smaller(end + 1, n);
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
	struct header_end e = {m->header.scanned, m->header.scanned};
	size_t n = m->header.block.length;
	if (!n) {
		m->header.at = m->next;
		m->header.copy_length = 0;
		m->header.line = m->parser->at.line;
	}
	scan_header(m, m->header.block.data, n, true, &e);
	take_header(m, m->header.block.data, &e);
	spill(m, e.next, n);
}
