#include "parser.h"

#include "mail/html/html.h"
#include "scan/scanner.h"
#include "simd/runs.h"
#include "text/bits.h"
#include "text/unicode.h"

#include <string.h>

/* ---- From the scanner's offsets to the place's ---- */

/* The source of a stretch of at least one byte. */
static urlsift_range placed(const struct mail_text *t, uint64_t offset, uint64_t length)
{
	if (t->html)
		return html_part_range(t->html, offset, length);
	return t->map ? map_range(t->map, offset, offset + length) : (urlsift_range){offset + t->shift, length};
}

static void place_link(struct mail_text *t, const urlsift_link *link)
{
	size_t count;
	const urlsift_range *parts = urlsift_link_parts(link, &count);
	struct content_line *line = &t->line;
	struct placement where = {.point = {urlsift_link_line(link), urlsift_link_column(link)},
	                          .label = {line->label, line->begins ? line->label_length : 0}};
	struct point *point = &where.point;
	if (t->counted) {
		position_count(t->parser, map_begin(t->map, parts[0].offset), point);
	} else if (point->line) {
		point->column += point->line == 1 ? t->point.column - 1 : 0;
		point->line += t->point.line - 1;
		point->column += position_quoted(t->parser, point->line);
	}
	t->ranges.length = t->next_range = 0;
	for (size_t i = 0; i < count; i++) { /* several ranges where tags are inside */
		const urlsift_range *part = &parts[i];
		const size_t before = t->ranges.length;
		bool same;
		if (t->html) {
			html_part_ranges(t->html, part, &t->ranges, &where);
		} else if (t->folded) {
			parser_have(t->parser, map_ranges(t->map, part->offset, part->offset + part->length, &t->ranges, &same));
			where.flags |= bits_if(t->ranges.length - before > sizeof(urlsift_range), URLSIFT_JOINED);
		} else {
			const urlsift_range range = placed(t, part->offset, part->length);
			parser_have(t->parser, buf_add(&t->ranges, &range, sizeof range));
		}
	}
	where.ranges = (const urlsift_range *)(const void *)t->ranges.data;
	where.count = t->ranges.length / sizeof *where.ranges;
	line->begins = false;
	if (parser_ok(t->parser))
		scanner_place(t->parser->scanner, link, &where);
}

/* ---- Content lines ---- */

static void line_begin(struct content_line *l)
{
	l->state = LINE_NAME;
	l->quoted = l->begins = l->escape = false;
	l->length = l->label_length = 0;
}

static void label_add(struct content_line *l, uint8_t c)
{
	if (l->label_length < sizeof l->label)
		l->label[l->label_length++] = (char)c;
}

/* Ends an escape that is none: the circumflex stands for itself. */
static void label_end(struct content_line *l)
{
	if (l->escape)
		label_add(l, '^');
	l->escape = false;
}

/* Takes a byte of the label, in which some characters are escaped (RFC 6868). */
static void read_label(struct content_line *l, uint8_t c)
{
	static const char meant[] = "^^n\n'\"";
	if (!l->escape && c == '^') {
		l->escape = true;
		return;
	}
	const char *pair = l->escape ? meant : "";
	while (*pair && c != (uint8_t)*pair)
		pair += 2;
	const uint8_t means = *pair ? (uint8_t)pair[1] : c;
	l->escape &= !*pair;
	label_end(l);
	label_add(l, means);
}

static void read_parameter(struct content_line *l, uint8_t c)
{
	static const char label[] = "label=";
	if (c == '"') {
		l->quoted = !l->quoted;
	} else if (c == ';' && !l->quoted) {
		label_end(l);
		l->matched = l->label_length ? UINT32_MAX : 0; /* of two labels the first counts */
	} else if (l->matched == sizeof label - 1) {
		read_label(l, c);
	} else {
		l->matched = ascii_follow(label, l->matched, c);
	}
}

/* Takes plain text up to a backslash in a value, if escapes count; returns the bytes taken. */
static size_t line_read(struct content_line *l, const uint8_t *p, size_t n, bool escapes)
{
	enum { STEP = 256 }; /* bytes searched for a line end at a time, as an escape may come before it */
	for (size_t i = 0; i < n; i++) {
		const uint8_t c = p[i];
		if (is_line_end(c)) {
			line_begin(l);
		} else if (l->state == LINE_VALUE) {
			l->begins = false;
			const size_t end = run_line_end(p, i, smaller(n, i + STEP)), escape = byte_index(p, i, end, '\\');
			if (escapes && escape < end)
				return escape;
			i = end - 1;
		} else if (c == ':' && !l->quoted) {
			label_end(l);
			l->state = LINE_VALUE;
			l->begins = true;
		} else if (l->state == LINE_PARAMETERS) {
			read_parameter(l, c);
		} else if (c == ';') {
			l->state = LINE_PARAMETERS;
			l->matched = 0;
		} else if (byte_class[c] & (BYTE_ALNUM | BYTE_HYPHEN) && l->length + 1 < sizeof l->name) {
			l->name[l->length++] = (char)c;
			l->name[l->length] = '\0';
		} else { /* what is before a full stop is a group */
			l->state = c == '.' ? LINE_NAME : LINE_VALUE;
			l->length = 0;
		}
	}
	return n;
}

/* Makes the parser's room for text, on first need.  False without memory. */
static bool has_room(struct parser *r)
{
	r->room = r->room ? r->room : alloc_get(r->alloc, FORM_MAX);
	return parser_have(r, r->room);
}

void text_omit(struct parser *r, const uint8_t *text, size_t n, uint64_t offset)
{
	size_t used = 0;
	uint32_t c;
	if (!has_room(r))
		return;
	for (size_t i = 0; i < n && used + 4 <= FORM_MAX; used += utf8_put((uint8_t *)r->room + used, c))
		i += utf8_next(text + i, n - i, &c);
	parser_omit(r, URLSIFT_OMITTED_RELATIVE, (urlsift_text){r->room, used}, offset);
}

/* ---- Each URL once in an alternative ---- */

/* Whether a link is left out: an earlier child of the alternative had it, and it has no warning but
 * that it is defanged. */
static bool is_seen(struct parser *r, const urlsift_link *link)
{
	bool seen = false;
	size_t count;
	if (!r->alternatives.depth || r->place.field || r->options.repeated)
		return false;
	if (!has_room(r))
		return false;
	size_t n = urlsift_link_normal(link, r->room, FORM_MAX);
	if (n > FORM_MAX)
		return false;
	for (size_t i = 0; i < r->alternatives.depth; i++) {
		const uint32_t here = r->alternatives.within[i].child;
		uint32_t child = here;
		/* the alternative is the key: the same form in another one is another entry */
		struct hash128 hash = siphash((struct hash128){.low = r->alternatives.within[i].alternative}, r->room, n);
		const enum hashset_answer answer = hashset_add(&r->alternatives.seen, hash, &child);
		seen |= answer == HASHSET_KNOWN && child < here;
		if (answer == HASHSET_FULL && !r->alternatives.full)
			parser_limit(r, "alternative-urls", SEEN_MAX, urlsift_link_parts(link, &count)->offset);
		r->alternatives.full |= answer == HASHSET_FULL;
		parser_have(r, answer != HASHSET_NO_MEMORY);
	}
	seen = seen && (urlsift_link_warnings(link) & ~(unsigned)URLSIFT_WARN_REFANGED) == 0;
	parser_have(r, !link_failed(link));
	return seen;
}

/* ---- The text of an anchor ---- */

/* The n bytes of a URL from its host on, without `www.`. */
static urlsift_text from_host(const void *url, size_t n)
{
	const char *p = url;
	size_t at = text_index(p, n, ":");
	at = text_begins(p + at, n - at, "://") ? at + 3 : n; /* a URL without an authority has no host */
	at += 4 * (size_t)text_begins(p + at, n - at, "www.");
	return (urlsift_text){p + at, n - at};
}

/* Whether a URL in the text of an anchor is its target, or the beginning of it with the whole host: pages shorten what
 * is long.  What is schemeless may lack the `www.` of the target, too. */
static bool is_own(struct parser *r, const urlsift_link *link)
{
	if (!r->own.text.length || !has_room(r))
		return false;
	size_t n;
	if (!r->own.normal) { /* it was noted as written */
		urlsift_url url;
		urlsift_url_split((const char *)r->own.text.data, r->own.text.length, &url);
		n = urlsift_url_normal(&url, r->room, FORM_MAX);
		r->own.text.length = 0;
		r->own.normal = parser_have(r, n != URLSIFT_LENGTH_NO_MEMORY
		                               && buf_add(&r->own.text, r->room, size_fitting(n, FORM_MAX)));
	}
	n = urlsift_link_normal(link, r->room, FORM_MAX);
	if (n > FORM_MAX)
		return false;
	const urlsift_text site = from_host(r->room, n);
	urlsift_text shown = {r->room, n}, own = {(const char *)r->own.text.data, r->own.text.length};
	if (urlsift_link_convention(link) == URLSIFT_CONV_SCHEMELESS) {
		shown = site;
		own = from_host(own.bytes, own.length);
	}
	if (shown.length > own.length || memcmp(shown.bytes, own.bytes, shown.length))
		return false;
	const bool whole = shown.length == own.length || BYTE_IN(own.bytes[shown.length], "/?#");
	return (whole || memchr(site.bytes, '/', site.length)) && urlsift_link_warnings(link) == 0;
}

/* ---- The scanner's sink ---- */

static void plain_piece(struct mail_text *t, const urlsift_piece *p)
{
	if (!t->parser->options.plain || !p->length || (t->html && !p->text_length))
		return;
	urlsift_piece piece = { .text = p->text };
	for (size_t at = 0, k; at < p->length && parser_ok(t->parser); at += k) {
		const size_t rest = (size_t)(p->length - at);
		k = t->html ? html_part_seen(t->html, p->offset + at, rest) : rest;
		const uint64_t from = p->offset + at;
		const urlsift_range range = placed(t, from, k);
		piece.offset = range.offset;
		if (!t->html && t->map && from) {
			/* with what was removed before it (a `>` before From, a fold), wherever pieces end */
			const urlsift_range before = map_range(t->map, from - 1, from);
			piece.offset = before.offset + before.length;
		}
		piece.length = range.offset + range.length - piece.offset;
		piece.text_length = k < p->length ? k : p->text_length;
		parser_piece(t->parser, &piece);
		piece.text += piece.text_length;
	}
}

static bool awaits_escaped(const struct content_line *l) { return l->escape && l->state == LINE_VALUE; }

/* Puts out text that has no source of its own, after what ends at `offset`. */
static void put_text(struct mail_text *t, const char *text, size_t n, uint64_t offset)
{
	const urlsift_range range = placed(t, offset - 1, 1);
	const urlsift_piece piece = {.text = text, .text_length = n, .offset = range.offset + range.length};
	if (t->parser->options.plain)
		parser_piece(t->parser, &piece);
}

/* Puts out a backslash that waits, right before `offset`, as text. */
static void end_escape(struct mail_text *t, uint64_t offset)
{
	if (!awaits_escaped(&t->line))
		return;
	t->line.escape = false;
	put_text(t, "\\", 1, offset);
}

/* Puts out plain text of content lines, with its escapes undone (RFC 5545 section 3.3.11), each as a piece of its own.
 * Where the scanner made the text UTF-8, so that its bytes are others, the first of these has all of the source. */
static void line_piece(struct mail_text *t, const urlsift_piece *p)
{
	struct content_line *l = &t->line;
	const uint8_t *text = (const uint8_t *)p->text;
	const size_t n = p->text_length;
	const bool same = n == p->length;
	size_t at = 0, k;
	do { /* also a piece without text */
		const uint64_t begin = p->offset + (same || at == 0 ? at : p->length);
		urlsift_piece piece = {.offset = begin, .length = same ? 1 : p->length, .text_length = 1};
		if (at < n && awaits_escaped(l) && BYTE_IN(text[at], "nN,;\\")) {
			piece.text = to_lower(text[at]) == 'n' ? "\n" : p->text + at;
			l->escape = false;
			k = 1;
		} else {
			end_escape(t, begin);
			k = line_read(l, text + at, n - at, t->parser->options.plain);
			piece.text = p->text + at;
			piece.text_length = k;
			if (at + k < n) {
				l->escape = true;
				k++;
			}
			if (same)
				piece.length = at + k < n ? k : p->length - at;
		}
		if (same || at == 0)
			plain_piece(t, &piece);
		else
			put_text(t, piece.text, piece.text_length, begin);
		at += k;
	} while (at < n);
}

/* Makes the text of a link's part as the link has it, without the backslashes of its escapes. */
static void undo_escapes(struct mail_text *t, urlsift_piece *p)
{
	const uint8_t *text = (const uint8_t *)p->text;
	const size_t n = p->text_length;
	t->unescaped.length = 0;
	for (size_t i = 0, end; i < n; i = end) {
		const size_t from = i + (text[i] == '\\' && i + 1 < n && BYTE_IN(text[i + 1], ",;\\"));
		end = smaller(byte_index(text, from + 1, n, '\\'), n);
		parser_have(t->parser, buf_add(&t->unescaped, text + from, end - from));
	}
	p->text = (const char *)t->unescaped.data;
	p->text_length = t->unescaped.length;
}

static int take_piece(void *user, const urlsift_piece *p)
{
	struct mail_text *t = user;
	struct content_line *line = &t->line;
	urlsift_piece piece = *p;
	if (!p->link) {
		(t->folded ? line_piece : plain_piece)(t, p);
		return !parser_ok(t->parser);
	}
	if (p->part == 0) {
		end_escape(t, p->offset);
		place_link(t, p->link);
		t->dropped = is_seen(t->parser, p->link);
		t->dropped |= is_own(t->parser, p->link);
		size_t n;
		const char *scheme = urlsift_link_scheme(p->link, &n);
		/* what begins a content line may be a property, `TEL:` or `GEO:`, with a value that is no URL; an identifier of
		 * a calendar (RFC 5545 sections 3.8.4.5, 3.8.4.7) or a vCard may look like a mail address */
		if (line->state == LINE_NAME)
			t->dropped |= t->folded && ascii_is_among(scheme, n, "geo tel");
		else if (urlsift_link_convention(p->link) == URLSIFT_CONV_EMAIL)
			t->dropped |= ascii_is_among(line->name, line->length, "uid related-to");
	}
	for (size_t i = 0; i < p->text_length && line->state == LINE_PARAMETERS; i++)
		read_parameter(line, (uint8_t)p->text[i]);
	if (line->state == LINE_NAME) { /* a line that begins with a link has no name */
		line->state = LINE_VALUE;
		line->length = 0;
	}
	if (t->folded && t->parser->options.plain && urlsift_link_flags(p->link) & URLSIFT_UNESCAPED)
		undo_escapes(t, &piece);
	if (!parser_ok(t->parser))
		return 1;
	if (t->dropped) {
		plain_piece(t, &piece);
		return !parser_ok(t->parser);
	}
	if (t->html)
		html_part_seen(t->html, p->offset, 1);
	t->parser->place.attribute = line->length ? line->name : NULL;
	/* a part of the scanner's link as its ranges: the text comes with the last one */
	const urlsift_range *ranges = (const urlsift_range *)(const void *)t->ranges.data;
	const size_t text_length = piece.text_length;
	int stop = 0;
	size_t left = 1; /* ranges of this part */
	if (t->ranges.length > sizeof *ranges && t->counted)
		left = map_ranges(t->map, p->offset, p->offset + p->length, NULL, &(bool){ false });
	for (; left; left--) {
		piece.part = t->next_range++;
		piece.offset = ranges[piece.part].offset;
		piece.length = ranges[piece.part].length;
		piece.text_length = left == 1 ? text_length : 0;
		stop = parser_piece(t->parser, &piece);
	}
	t->parser->place.attribute = NULL;
	return stop;
}

static int take_notice(void *user, const urlsift_notice *n)
{
	const struct mail_text *t = user;
	parser_limit(t->parser, n->limit, n->value, placed(t, n->offset, 1).offset);
	return !parser_ok(t->parser);
}

/* ---- */

void text_init(struct mail_text *t, struct parser *r, size_t ranges)
{
	*t = (struct mail_text){.parser = r, .sink = {take_piece, take_notice, t}, .point = {1, 1}};
	buf_init(&t->ranges, r->alloc, sizeof(urlsift_range) * ranges);
	buf_init(&t->unescaped, r->alloc, SIZE_MAX);
}

void text_fini(struct mail_text *t)
{
	buf_fini(&t->ranges);
	buf_fini(&t->unescaped);
}

void text_begin(struct mail_text *t, struct embed *embed)
{
	embed->sink = &t->sink;
	t->dropped = false;
	line_begin(&t->line);
	scanner_begin(t->parser->scanner, embed);
}

void text_feed(struct mail_text *t, const uint8_t *p, size_t n)
{
	urlsift_scanner *s = t->parser->scanner;
	parser_fail(t->parser, t->csv ? scanner_feed_texts(s, p, n, csv_next, &t->fields) : urlsift_feed(s, p, n));
	const uint64_t out = text_out(t->parser);
	if (t->map)
		map_forget(t->map, out - (out > 0)); /* but the character before what comes next */
}

void text_finish(struct mail_text *t)
{
	parser_fail(t->parser, urlsift_finish(t->parser->scanner));
	end_escape(t, text_out(t->parser));
}

void text_flush(struct parser *r)
{
	urlsift_status status = urlsift_flush(r->scanner);
	if (status != URLSIFT_BAD_STATE) /* between two texts it is finished */
		parser_fail(r, status);
}

bool text_quiet(const struct parser *r, const uint8_t *p, size_t n)
{
	if (n == 0)
		return true;
	/* the scanner would take a byte order mark from plain text */
	bool marked = r->options.plain && (!*p || *p >= 0xEF);
	return !marked && scanner_is_quiet(r->scanner, p, n);
}

void text_plain(struct mail_text *t, const uint8_t *p, size_t n)
{
	plain_piece(t, &(urlsift_piece){.length = n, .text = (const char *)p, .text_length = n});
}

uint64_t text_out(const struct parser *r) { return scanner_source_out(r->scanner); }

enum attribute_result text_whole(struct parser *r, const struct attribute *value, urlsift_text text, bool target)
{
	const urlsift_link *link;
	size_t count;
	enum attribute_result result = scanner_attribute(r->scanner, value, &link);
	parser_have(r, result != ATTRIBUTE_NO_MEMORY);
	if (result != ATTRIBUTE_LINK)
		return result;
	if (target && r->place.anchor) { /* the target of the anchor whose text comes, as written: few texts have a URL */
		r->own.text.length = 0;
		r->own.normal = false;
		parser_have(r, r->options.repeated || buf_add(&r->own.text, value->text, smaller(value->length, FORM_MAX)));
	}
	if (is_seen(r, link))
		return ATTRIBUTE_SEEN;
	const urlsift_range *ranges = urlsift_link_parts(link, &count);
	if (urlsift_link_flags(link) & URLSIFT_REFANGED) {
		if (!target) {
			text.bytes = urlsift_link_text(link, &text.length);
		} else if (text.length <= FORM_MAX && has_room(r)) { /* the value refanged, with the slashes that it has */
			memcpy(r->room, text.bytes, text.length);
			text.length = scanner_refang(r->scanner, (uint8_t *)r->room, text.length);
			text.bytes = r->room;
		}
	}
	r->place.target = target;
	for (size_t i = 0; i < count; i++) {
		urlsift_piece piece = {.link = link, .part = i, .offset = ranges[i].offset, .length = ranges[i].length,
		                       .text = text.bytes, .text_length = i == 0 ? text.length : 0};
		parser_piece(r, &piece);
	}
	r->place.target = 0;
	parser_have(r, !link_failed(link));
	return result;
}
