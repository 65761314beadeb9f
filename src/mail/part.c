#include "mime.h"
#include "text/ascii.h"
#include "text/bytes.h"

#include <string.h>

/* ---- Text parts ---- */

#define SKIPPED (UINT64_MAX - 1) /* lines of the source were skipped: any byte may come next; one more is no offset */

void part_init(struct part *p, struct parser *r)
{
	*p = (struct part){.charset = NULL};
	text_init(&p->text, r, TEXT_RANGES);
	map_init(&p->map, r->alloc);
}

void part_fini(struct part *p)
{
	text_fini(&p->text);
	map_fini(&p->map);
}

/* The charset is known. */
static void begin_text(struct part *p, const char *charset)
{
	struct parser *r = p->text.parser;
	const struct part_type *type = &p->type;
	bool known;
	const char *name = text_full_or(charset, text_or(r->charset, "")); /* that of the options */
	p->charset = charset_cache_get(&r->charsets, name, strlen(name), &known);
	parser_have(r, p->charset);
	parser_damage(r, "unknown charset: read as UTF-8 or windows-1252", !known, p->at);
	if (!parser_ok(r))
		return;
	if (type->html) {
		r->html = r->html ? r->html : html_part_new(r);
		if (parser_have(r, r->html))
			html_part_begin(r->html, &(struct html_begin){
				.charset = p->charset, .source = &p->map, .base = type->base, .line = type->line
			});
		return;
	}
	p->text.map = &p->map;
	p->text.point.line = type->line;
	struct embed embed = {.charset = p->charset, .flowed = type->flowed, .base = type->base};
	text_begin(&p->text, &embed);
}

/* Whether the charset has NULs in all markup. */
static bool is_wide(const char *charset)
{
	const struct charset_row *row = charset_name_find(charset, strlen(charset));
	return row && within(row->coding, CODING_UTF16, CODING_UTF32_LE);
}

void part_begin(struct part *p, const struct part_type *type, uint64_t at)
{
	struct parser *r = p->text.parser;
	p->type = *type;
	p->text.folded = p->text.counted = type->flowed == FLOWED_CONTENT;
	p->text.csv = type->csv;
	p->text.fields = (struct csv_reader){ .separator = '\0' };
	p->end_length = p->first_length = 0;
	p->value.state = VALUE_HEAD;
	p->value.length = p->value.held_length = 0;
	p->value.marked = false;
	p->at = at;
	p->next = type->decoded ? 0 : at;
	if (p->text.folded)
		position_begin(r, p->next, type->line);
	r->at.part.quoted.length = 0;
	map_reset(&p->map);
	parser_place(r);
	p->prescans = type->html && (*type->charset ? is_wide(type->charset) : !r->charset);
	if (!p->prescans)
		begin_text(p, type->charset);
}

void part_skip_lines(struct part *p, uint64_t lines)
{
	p->next = SKIPPED;
	p->type.line += lines;
	p->text.point.line += lines;
	p->text.parser->at.part.point.line += lines;
}

/* The n bytes are text for `length` bytes of the source. */
static void feed_decoded(struct part *p, const uint8_t *bytes, size_t n, uint64_t at, size_t length)
{
	struct parser *r = p->text.parser;
	if (!parser_ok(r) || !n)
		return;
	parser_have(r, map_add_at(&p->map, at, n, length));
	if (p->type.html)
		html_part_feed(r->html, bytes, n);
	else
		text_feed(&p->text, bytes, n);
}

static void feed_text(struct part *p, const uint8_t *bytes, size_t n, uint64_t at)
{
	feed_decoded(p, bytes, n, at, n);
}

/* The first bytes are there, or all. */
static void end_prescan(struct part *p)
{
	struct parser *r = p->text.parser;
	char charset[HTML_CHARSET_SIZE];
	html_charset(p->first, p->first_length, charset);
	const bool declared = *p->type.charset;
	const bool narrow = !memchr(p->first, 0, p->first_length) && memchr(p->first, '<', p->first_length);
	parser_damage(r, "not in UTF-16 or UTF-32, as declared: read as UTF-8 or windows-1252", declared && narrow, p->at);
	p->prescans = false;
	begin_text(p, declared && !narrow ? p->type.charset : charset);
	feed_text(p, p->first, p->first_length, p->first_at);
}

/* ---- Values in quoted-printable ---- */

/* Follows the line up to its value, of which the parameters may say that it is one. */
static void follow_head(struct value_coding *v, uint8_t c)
{
	v->marked ^= c == '"';
	v->head[v->length++] = (char)c;
	if (v->length == sizeof v->head)
		v->state = VALUE_AS_IS;
	else if (c == ':' && !v->marked) {
		v->state = VALUE_AS_IS;
		for (size_t i = 0, end; i < v->length; i = end + 1) {
			end = byte_until(v->head, i, v->length, ";:");
			if (i > 0 && ascii_is_among(v->head + i, end - i, "quoted-printable encoding=quoted-printable"))
				v->state = VALUE_QUOTED;
		}
	}
}

/* What is held begins nothing. */
static void end_held(struct part *p)
{
	struct value_coding *v = &p->value;
	const size_t n = v->held_length;
	v->held_length = 0;
	feed_text(p, v->held, n, v->held_at);
}

/* Whether the byte goes on with what is held: an escape, or a soft line break, which is no text. */
static bool take_escaped(struct part *p, uint8_t c)
{
	struct value_coding *v = &p->value;
	const uint8_t last = v->held[v->held_length - 1];
	const int value = hex_pair((const uint8_t[]){last, c});
	if (last == '=' && (c == '\r' || hex_digit(c) < 16)) {
		v->held[v->held_length++] = c;
		return true;
	}
	const bool breaks = c == '\n' && is_of((char)last, "=\r");
	if (!breaks && value < 0)
		return false;
	v->held_length = 0;
	if (breaks)
		return true;
	if (value == '\n') /* a line end in the value, as later versions write it */
		feed_decoded(p, (const uint8_t *)"\\n", 2, v->held_at, 3);
	else
		feed_decoded(p, &(uint8_t){(uint8_t)value}, value != '\r', v->held_at, 3);
	return true;
}

/* Text of content lines, without folds. */
static void feed_lines(struct part *p, const uint8_t *bytes, size_t n, uint64_t at)
{
	struct value_coding *v = &p->value;
	size_t from = 0; /* what is text as it is, and was not fed */
	for (size_t i = 0; i < n; i++) {
		const uint8_t c = bytes[i];
		if (v->held_length > 0) {
			from = i + take_escaped(p, c);
			if (from > i)
				continue;
			end_held(p);
		}
		if (is_line_end(c)) {
			v->state = VALUE_HEAD;
			v->length = 0;
			v->marked = false;
		} else if (v->state == VALUE_HEAD) {
			follow_head(v, c);
		} else if (v->state == VALUE_AS_IS) {
			i = byte_span(bytes, i, n, BYTE_BUT(BYTE_LINE_END)) - 1;
		} else if (c == '=') {
			feed_text(p, bytes + from, i - from, at + from);
			from = i + 1;
			*v->held = c;
			v->held_length = 1;
			v->held_at = at + i;
		}
	}
	feed_text(p, bytes + from, n - from, at + from);
}

void part_feed(struct part *p, const uint8_t *bytes, size_t n, uint64_t at)
{
	struct parser *r = p->text.parser;
	const bool skipped = p->next == SKIPPED, quoted = at == p->next + 1; /* a `>` was removed */
	p->next = at + n;
	if (!p->text.folded) {
		if (quoted)
			position_quote(r, r->at.line);
		size_t taken = 0;
		if (p->prescans) { /* the first bytes are held */
			const size_t room = sizeof p->first - p->first_length;
			p->first_at = p->first_length ? p->first_at : at;
			if (at == p->first_at + p->first_length) /* else a `>` was removed */
				taken = smaller(n, room);
			memcpy(p->first + p->first_length, bytes, taken);
			p->first_length += taken;
			if (taken < n || taken == room)
				end_prescan(p);
		}
		feed_text(p, bytes + taken, n - taken, at + taken);
		return;
	}
	if (skipped)
		r->at.part.at = at;
	if (quoted)
		position_add(r, (const uint8_t *)">", 1);
	position_add(r, bytes, n);
	/* without the folds: line ends before a blank, and that blank; but a soft line break is none */
	for (size_t i = 0; i < n;) {
		if (text_ends(p->end, p->end_length, "\n")) {
			bool fold = is_blank(bytes[i]) && !p->value.held_length;
			if (!fold)
				feed_lines(p, p->end, p->end_length, p->end_at);
			p->end_length = 0;
			i += fold;
			continue;
		}
		if (bytes[i] != '\n') {
			feed_lines(p, p->end, p->end_length, p->end_at);
			p->end_length = 0;
		}
		size_t k = byte_span(bytes, i, n, BYTE_BUT(BYTE_LINE_END));
		feed_lines(p, bytes + i, k - i, at + i);
		if (k < n) {
			p->end_at = p->end_length ? p->end_at : at + k;
			p->end[p->end_length++] = bytes[k++];
		}
		i = k;
	}
}

void part_finish(struct part *p)
{
	struct parser *r = p->text.parser;
	feed_lines(p, p->end, p->end_length, p->end_at);
	p->end_length = 0;
	end_held(p);
	if (p->prescans)
		end_prescan(p);
	if (!parser_ok(r))
		return;
	if (p->type.html)
		html_part_finish(r->html);
	else
		text_finish(&p->text);
	r->at.part.quoted.length = 0; /* fields have no such lines */
	parser_damage(r, "characters malformed in the declared charset", charset_malformed(p->charset), p->at);
}

size_t part_memory_bound(void)
{
	return TEXT_RANGES * sizeof(urlsift_range) + QUOTED_LINES * sizeof(uint64_t) + map_memory_bound();
}

/* ---- Offsets in the source ---- */

size_t mime_append_number(char *path, size_t at, uint32_t number)
{
	char digits[12], *const end = digits + sizeof digits, *const begin = number_put(end, number);
	if (at)
		path[at++] = '.';
	memcpy(path + at, begin, (size_t)(end - begin));
	return at + (size_t)(end - begin);
}

static void set_within(struct mime *m)
{
	struct parser *r = m->parser;
	r->alternatives.depth = m->within_count;
	for (size_t i = 0; i < m->open.depth; i++) {
		if (!m->open.levels[i].alternative)
			continue;
		size_t last = ALTERNATIVES_WITHIN - 1, at = smaller(r->alternatives.depth, last);
		r->alternatives.within[at].alternative = m->open.levels[i].alternative;
		r->alternatives.within[at].child = m->open.levels[i].children;
		r->alternatives.depth = at + 1;
	}
}

void mime_set_place(struct mime *m, bool body, const char *type, const char *subtype, bool decoded)
{
	struct parser *r = m->parser;
	size_t n = m->path.length;
	set_within(m);
	memcpy(m->path.part, m->path.own, n);
	r->place = (urlsift_place){.message = r->document ? r->document->message : &r->message,
	                           .part = m->path.part, .type = "", .decoded = r->at.hidden || decoded, .name = {"", 0},
	                           .attached = !body && m->message && n};
	if (body) {
		const size_t a = strlen(type);
		memcpy(r->type, type, a);
		r->type[a] = '/';
		memcpy(r->type + a + 1, subtype, strlen(subtype) + 1);
		r->place.type = r->type;
		r->place.named = m->content.named;
		r->place.name = (urlsift_text){m->file.name, r->options.attachments ? m->file.name_length : 0};
		if (m->message)
			n = mime_append_number(m->path.part, n, 1);
	}
	m->path.part[n] = '\0';
	if (r->alternatives.depth) {
		r->place.alternative = r->alternatives.within[0].alternative;
		r->place.choice = r->alternatives.within[0].child;
	}
}

urlsift_text mime_base(const struct mime *m)
{
	for (size_t i = m->open.depth; i--;) {
		const struct level *l = &m->open.levels[i];
		if (l->base_length)
			return (urlsift_text){(const char *)m->open.strings.data + l->base, l->base_length};
	}
	return (urlsift_text){"", 0};
}

/* ---- Leaves ---- */

void mime_begin_part(struct mime *m, bool html, uint64_t at)
{
	struct parser *r = m->parser;
	const struct content_type *t = &m->content.type;
	const bool decoded = m->transfer.encoding != TRANSFER_IDENTITY || (r->document && r->document->decoded);
	struct part_type type = {
		.html = html, .charset = t->charset,
		.flowed = m->content.media->is & MEDIA_FOLDED ? FLOWED_CONTENT
		          : html || !t->flowed ? FLOWED_NOT : t->delsp ? FLOWED_DELETES : FLOWED_KEEPS,
		.csv = m->content.media->is & MEDIA_CSV,
		.base = m->content.base_length ? (urlsift_text){m->content.base, m->content.base_length} : mime_base(m),
		.line = decoded ? 1 : r->at.line,
		.decoded = decoded
	};
	m->leaf = LEAF_PART;
	m->leaf_end = at;
	mime_set_place(m, true, t->type, t->subtype, decoded);
	if (r->options.plain) {
		r->place.lang = text_full_or(m->content.language, charset_language(t->charset, strlen(t->charset)));
		r->place.flowed = within(type.flowed, FLOWED_KEEPS, FLOWED_DELETES);
		r->place.delsp = type.flowed == FLOWED_DELETES;
	}
	part_begin(&m->part, &type, at);
}

/* What follows is text as is. */
void mime_begin_plain(struct mime *m, uint64_t at)
{
	content_set_type(&m->content, (const uint8_t *)"", 0);
	m->content.language[0] = '\0';
	m->file.name_length = 0;
	transfer_begin(&m->transfer, TRANSFER_IDENTITY, m->parser->scan.simd);
	m->state = MIME_LEAF;
	mime_begin_part(m, false, at);
}

void mime_begin_document(struct mime *m, uint64_t at)
{
	const struct document *d = m->parser->document;
	if (content_kind_of(d->type.bytes, d->type.length) == BODY_MESSAGE) {
		m->parser->at.hidden = d->decoded; /* its header is read next */
		return;
	}
	m->message = false;
	content_begin(&m->content, m->parser->scanner);
	content_set_type(&m->content, (const uint8_t *)d->type.bytes, d->type.length);
	if (d->language.length < LANGUAGE_MAX) {
		memcpy(m->content.language, d->language.bytes, d->language.length);
		m->content.language[d->language.length] = '\0';
	}
	if (content_base_fits(d->base.bytes, d->base.length))
		memcpy(m->content.base, d->base.bytes, m->content.base_length = d->base.length);
	transfer_begin(&m->transfer, TRANSFER_IDENTITY, m->parser->scan.simd);
	m->state = MIME_LEAF;
	mime_begin_part(m, m->content.media->kind == BODY_HTML, at);
}

void mime_begin_inner(struct mime *m, bool only, uint64_t at)
{
	struct parser *r = m->parser;
	m->inner.mime = m->inner.mime ? m->inner.mime : mime_new(r, m->nesting + 1);
	if (!parser_have(r, m->inner.mime))
		return;
	m->leaf = LEAF_MESSAGE;
	m->part.at = at; /* where damage of its encoding is */
	set_within(m);
	mime_begin(m->inner.mime, m->next);
	m->inner.mime->header.only = only;
	m->inner.mime->within_count = r->alternatives.depth;
	m->inner.mime->path = m->path;
	m->inner.mime->header.line = m->inner.line = 1;
	m->inner.after_cr = false;
}

/* Lines of what is hidden count on their own. */
static void swap_lines(struct mime *m)
{
	struct parser *r = m->parser;
	uint64_t line = r->at.line;
	bool after_cr = r->at.after_cr;
	r->at.line = m->inner.line;
	r->at.after_cr = m->inner.after_cr;
	m->inner.line = line;
	m->inner.after_cr = after_cr;
}

static void feed_inner(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	struct parser *r = m->parser;
	bool hidden = r->at.hidden;
	swap_lines(m);
	r->at.hidden = true;
	if (p)
		mime_feed(m->inner.mime, p, n, at);
	else
		mime_finish(m->inner.mime);
	r->at.hidden = hidden;
	swap_lines(m);
}

/* Bytes of the leaf, decoded. */
static void pass(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	if (!n)
		return;
	if (m->leaf == LEAF_ATTACHED) {
		bool cr = n > 1 ? p[n - 2] == '\r' : m->file.after_cr;
		m->file.bytes += n;
		m->file.line_end = p[n - 1] == '\n' ? 1 + cr : 0;
		m->file.after_cr = p[n - 1] == '\r';
	} else if (m->leaf == LEAF_PART) {
		part_feed(&m->part, p, n, at);
	} else if (m->leaf == LEAF_MESSAGE) {
		feed_inner(m, p, n, at);
	}
}

static void report_damage(struct mime *m)
{
	parser_damage(m->parser, "bytes malformed or missing in base64", m->transfer.damage, m->part.at);
}

void mime_finish_leaf(struct mime *m)
{
	static const char *const names[] = {
		[TRANSFER_IDENTITY] = "", [TRANSFER_QUOTED_PRINTABLE] = "quoted-printable", [TRANSFER_BASE64] = "base64",
		[TRANSFER_UUENCODE] = "uuencode"
	};
	struct parser *r = m->parser;
	uint8_t rest[64];
	pass(m, rest, transfer_finish(&m->transfer, rest), m->decoded);
	if (m->leaf == LEAF_PART) {
		urlsift_body body = {.begin = m->part.at, .end = m->leaf_end, .encoding = names[m->transfer.encoding],
		                     .charset = m->content.type.charset};
		for (size_t i = 0; i < m->open.depth; i++)
			body.sealed |= (m->open.levels[i].is & MEDIA_SEALED) != 0;
		part_finish(&m->part);
		report_damage(m);
		parser_body(r, &body);
	} else if (m->leaf == LEAF_MESSAGE) {
		feed_inner(m, NULL, 0, 0);
		report_damage(m);
	} else if (m->leaf == LEAF_ATTACHED) {
		/* the size is known only here; the last line end of a part belongs to the delimiter */
		const bool delimited = m->open.depth && m->transfer.encoding == TRANSFER_IDENTITY;
		mime_set_place(m, true, m->content.type.type, m->content.type.subtype, false);
		r->place.attachment = 1;
		r->place.size = m->file.bytes - delimited * m->file.line_end;
		parser_place(r);
	}
	m->leaf = LEAF_SKIPPED;
}

void mime_read_preamble(struct mime *m)
{
	struct parser *r = m->parser;
	uint64_t line = r->at.line;
	r->at.line = m->preamble.line;
	mime_begin_plain(m, m->preamble.at);
	r->at.line = line;
	pass(m, m->preamble.text.data, m->preamble.text.length, m->preamble.at);
	m->preamble.text.length = 0;
}

void mime_leaf_bytes(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	if (!n)
		return;
	if (m->state == MIME_PREAMBLE) { /* its first PREAMBLE_MAX bytes are kept, however they come */
		/* marks before From that were taken off, put back so that offsets stay simple */
		const size_t length = m->preamble.text.length, gap = (size_t)(at - m->preamble.at) - length;
		size_t room = PREAMBLE_MAX - length;
		for (size_t marks = smaller(gap, room); marks > 0; marks--, room--)
			parser_have(m->parser, buf_add(&m->preamble.text, ">", 1));
		const size_t k = smaller(n, room);
		parser_have(m->parser, buf_add(&m->preamble.text, p, k));
		if (k < n && parser_ok(m->parser)) {
			parser_limit(m->parser, "preamble", PREAMBLE_MAX, m->preamble.at);
			mime_read_preamble(m);
			pass(m, p + k, n - k, at + k);
		}
	} else if (m->state == MIME_EPILOGUE) { /* its first PREAMBLE_MAX bytes are kept */
		size_t room = PREAMBLE_MAX - m->preamble.text.length;
		if (!m->preamble.text.length)
			m->preamble.at = at;
		parser_have(m->parser, buf_add(&m->preamble.text, p, smaller(n, room)));
	} else if (m->leaf != LEAF_SKIPPED && m->transfer.encoding != TRANSFER_IDENTITY) {
		m->block_out = m->block_out ? m->block_out : alloc_get(m->parser->alloc, DECODED_BLOCK);
		parser_have(m->parser, m->block_out);
		for (const uint8_t *from = p, *end = p + n; from < end && parser_ok(m->parser);) {
			size_t k = transfer_decode(&m->transfer, &from, end, m->block_out, DECODED_BLOCK);
			pass(m, m->block_out, k, m->decoded);
			m->decoded += k;
		}
	} else {
		pass(m, p, n, at);
	}
	m->leaf_end = at + n;
	parser_take(m->parser, p, n);
}
