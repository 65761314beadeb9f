#include "parser.h"

#include "scan/link.h"
#include "simd/runs.h"
#include "text/ascii.h"
#include "text/bytes.h"
#include "text/unicode.h"

#include <string.h>

enum use { USE_NONE, USE_SHOWN, USE_SEARCHED, USE_IDENTIFIERS };

static enum use use_of(const struct parser *r, const struct known_field *known)
{
	const urlsift_mail_options *o = &r->options;
	const unsigned uses = known->uses;
	if (uses & FIELD_IDENTIFIERS)
		return o->message_ids ? USE_IDENTIFIERS : USE_NONE;
	if (o->headers == URLSIFT_HEADERS_ALL && !(uses & FIELD_OPAQUE))
		return USE_SEARCHED;
	if (o->headers == URLSIFT_HEADERS_URLS && uses & FIELD_URLS)
		return USE_SEARCHED;
	return o->display && uses & FIELD_SHOWN ? USE_SHOWN : USE_NONE;
}

/* The row of a field; that of unknown ones for one of no row. */
static const struct known_field *find_known(const struct parser *r, const uint8_t *name, size_t n)
{
	const struct known_field *known = field_index_find(&r->known, name, n);
	return known ? known : &r->unknown;
}

void fields_choose(struct parser *r)
{
	const bool all = r->options.headers == URLSIFT_HEADERS_ALL;
	size_t count = 0;
	r->unknown = (struct known_field){.name = "", .uses = bits_if(all, FIELD_WANTED)};
	for (size_t i = 0; i < known_field_count; i++) {
		const struct known_field *known = &known_fields[i];
		bool described = known->meta == META_SUBJECT || (known->meta && r->options.metadata);
		const bool wanted = described || known->content || known->uses & FIELD_NEWS || use_of(r, known) != USE_NONE;
		r->wanted[count] = known_fields[i];
		r->wanted[count].uses |= bits_if(wanted, FIELD_WANTED);
		count += all || wanted;
	}
	field_index_init(&r->known, r->wanted, count);
}

/* Decodes the encoded-words of a value, with `map` for links in them. */
static void decode_words(struct parser *r, const uint8_t *value, size_t n, bool map)
{
	r->words.unmapped = !map;
	parser_fail(r, word_decode(&r->words, &r->charsets, value, n));
}

/* ---- What the message is called ---- */

/* At most META_MAX bytes of whole characters of UTF-8, trimmed, control characters made blanks, line ends removed. */
static urlsift_text put_meta(struct parser *r, enum meta which, const uint8_t *p, size_t n)
{
	char *out = r->meta.text[which];
	size_t used = 0, begin = 0;
	ascii_trim(p, &begin, &n);
	for (size_t i = begin; i < n;) {
		uint32_t c;
		uint8_t utf8[4];
		size_t copied = run_copy(out + used, p + i, smaller(n - i, META_MAX - used), false);
		used += copied;
		i += copied;
		if (i == n)
			break;
		i += utf8_next(p + i, n - i, &c);
		c = utf8_in_line(c);
		if (!c)
			continue;
		size_t k = utf8_put(utf8, c);
		if (k > META_MAX - used) {
			r->meta.cut = true;
			break;
		}
		memcpy(out + used, utf8, k);
		used += k;
	}
	return (urlsift_text){out, used};
}

static void describe(struct parser *r, enum meta which, const struct field *f)
{
	urlsift_message *m = &r->message;
	urlsift_text *texts[METAS] = {NULL, &m->id, &m->subject, &m->from, &m->date, &m->groups, &m->list};
	urlsift_text *text = texts[which];
	const uint8_t *p = f->value;
	size_t n = f->value_length, from = 0, to = n;
	if (text->length)
		return;
	if (which == META_DATE)
		m->time = date_read(p, n);
	if (which == META_LIST) { /* after a phrase, which may have brackets too (RFC 2919) */
		const size_t after = byte_last(p, 0, n, '<'), last = after - (after > 0);
		p += last;
		to = n -= last;
	}
	if (which == META_ID || which == META_LIST)
		header_identifier(p, n, &from, &to);
	if (word_any(p + from, to - from)) {
		decode_words(r, p + from, to - from, false);
		*text = put_meta(r, which, r->words.text.data, r->words.text.length);
	} else {
		*text = put_meta(r, which, p + from, to - from);
	}
}

/* ---- Links ---- */

/* The field being read and the place of its value. */
struct field_search {
	struct parser *parser;
	const struct fields *fields;
	struct mail_text *text;
	const struct field *field;
	uint64_t at;           /* of the value */
	struct point point;    /* of the value */
	size_t counted;        /* bytes of the block whose lines were counted */
	bool after_cr;
	size_t walked;         /* bytes of the value whose lines were counted, and the last line's begin */
	size_t walked_line;
	uint64_t walked_lines;
	bool walked_cr;
};

static void set_field(struct parser *r, const struct field *f, bool words)
{
	size_t n = smaller(f->name_length, NAME_MAX_SHOWN - 1);
	memcpy(r->field, f->name, n);
	r->field[n] = '\0';
	r->place.field = r->field;
	r->place.decoded = r->at.hidden || words;
	parser_place(r);
}

/* Sets the line and column of the value; the fields come in the order of the block, or of a display. */
static void set_line(struct field_search *x)
{
	const struct header_block *block = &x->fields->block;
	size_t value = (size_t)(x->field->value - block->bytes);
	if (!x->parser->options.positions)
		return;
	if (value < x->counted || !x->point.line) {
		x->point.line = block->line;
		x->counted = 0;
		x->after_cr = false;
	}
	x->point.line += lines_count(block->bytes + x->counted, value - x->counted, &x->after_cr);
	x->point.column = (uint64_t)(x->field->value - x->field->name) + 1;
	x->counted = value;
}

/* The text of a value, `n` bytes after the first `from` of it, or of the words in it.  `quiet`: it is
 * handed out only. */
static void search_text(struct field_search *x, bool words, bool quiet, size_t from, size_t n)
{
	struct parser *r = x->parser;
	struct mail_text *t = x->text;
	struct embed embed = {.charset = NULL};
	const uint8_t *text = x->field->value + from;
	set_line(x);
	if (words) {
		t->map = &r->words.map;
		t->shift = 0;
		t->point = (struct point){1, 1};
		text = r->words.text.data;
		n = r->words.text.length;
	} else {
		bool known;
		t->map = NULL;
		t->shift = x->at + from;
		t->point = (struct point){x->point.line, x->point.column + from};
		if (r->charset) {
			embed.charset = charset_cache_get(&r->charsets, r->charset, strlen(r->charset), &known);
			parser_have(r, embed.charset);
		}
	}
	if (quiet) {
		text_plain(t, text, n);
		return;
	}
	text_begin(t, &embed);
	text_feed(t, text, n);
	text_finish(t);
}

/* The value, which is `shown` only, or searched. */
static void show_or_search(struct field_search *x, bool shown)
{
	struct parser *r = x->parser;
	const struct field *f = x->field;
	const uint8_t *text = f->value;
	size_t n = f->value_length;
	urlsift_piece piece = {.offset = x->at, .length = n};
	bool words = word_any(f->value, f->value_length);
	if (words) {
		decode_words(r, f->value, f->value_length, shown || r->options.plain);
		text = r->words.text.data;
		n = r->words.text.length;
		piece.offset = 0;
		piece.length = r->words.map.source_end;
	}
	set_field(r, f, words);
	if (shown) {
		piece.text = (const char *)text;
		piece.text_length = n;
		if (piece.length)
			parser_piece(r, &piece);
		return;
	}
	/* is it known to have no link? */
	uint8_t copy[512 + TEXT_PAD];
	bool quiet = n <= sizeof copy - TEXT_PAD && !(r->options.plain && r->charset && n);
	if (quiet) {
		bytes_put(copy, text, n);
		memset(copy + n, 0, TEXT_PAD);
		quiet = text_quiet(r, copy, n);
	}
	if (!quiet && words && r->words.unmapped)
		decode_words(r, f->value, f->value_length, true);
	if (!quiet || r->options.plain)
		search_text(x, words, quiet, 0, f->value_length);
	if (!words)
		return;
	parser_damage(r, "unknown charset of an encoded-word: read as UTF-8 or windows-1252", r->words.unknown, 0);
	if (r->words.cut)
		parser_limit(r, "encoded-word-length", WORD_MAX, 0);
	if (f->value_length <= WORD_TEXT_MAX)
		return;
	parser_limit(r, "encoded-field-length", WORD_TEXT_MAX, 0);
	set_field(r, f, false);
	search_text(x, false, false, WORD_TEXT_MAX, f->value_length - WORD_TEXT_MAX);
}

/* ---- A value that is one URL ---- */

static void add_range(struct field_search *x, urlsift_range range)
{
	parser_have(x->parser, buf_add(&x->text->ranges, &range, sizeof range));
}

/* Where the text is in the value, white space in it passed over: its ranges, which become those of x->text, with
 * offsets from the value's begin.  All of the value when it is written otherwise. */
static void find_text(struct field_search *x, const uint8_t *text, size_t n)
{
	const struct field *f = x->field;
	struct buf *ranges = &x->text->ranges;
	size_t left = 8 * PARAMETER_MAX; /* of bytes to compare */
	for (size_t begin = 0; begin < f->value_length && left; begin++) {
		urlsift_range range = {begin, 0};
		size_t k = 0;
		ranges->length = 0;
		left--;
		for (size_t i = begin; i < f->value_length && k < n && left; i++, left--) {
			if (f->value[i] == text[k]) {
				k++;
				range.length++;
				continue;
			}
			if (f->value[i] > ' ' || i == begin)
				break;
			if (range.length)
				add_range(x, range);
			range = (urlsift_range){i + 1, 0};
		}
		if (k == n) {
			add_range(x, range);
			return;
		}
	}
	ranges->length = 0;
	add_range(x, (urlsift_range){0, f->value_length});
}

/* The link that `text` is, whose ranges in the value are in the text's buffer. */
static void put_link(struct field_search *x, const uint8_t *text, size_t n, const char *supplied,
                     urlsift_convention convention)
{
	struct buf *ranges = &x->text->ranges;
	if (!parser_ok(x->parser)) /* there may be none */
		return;
	urlsift_range *range = (urlsift_range *)(void *)ranges->data;
	struct attribute value = {.text = text, .length = n, .supplied = supplied, .convention = convention,
	                          .where = {.ranges = range, .count = ranges->length / sizeof *range}};
	if (x->parser->options.positions) {
		/* the lines of the value up to the link, which never goes back */
		const uint8_t *bytes = x->field->value;
		const size_t offset = (size_t)range->offset;
		set_line(x);
		x->walked_lines += lines_count(bytes + x->walked, offset - x->walked, &x->walked_cr);
		const size_t begin = byte_last(bytes, x->walked, offset, '\n');
		x->walked_line = begin > x->walked ? begin : x->walked_line;
		x->walked = offset;
		value.where.point = (struct point){x->point.line + x->walked_lines,
		                                   offset - x->walked_line + (x->walked_lines ? 1 : x->point.column)};
	}
	for (size_t i = 0; i < value.where.count; i++)
		range[i].offset += x->at;
	value.where.flags = bits_if(value.where.count > 1, URLSIFT_JOINED);
	text_begin(x->text, &(struct embed){.charset = NULL}); /* no base of an earlier text counts */
	text_whole(x->parser, &value, (urlsift_text){(const char *)text, n}, false);
}

static void put_whole(struct field_search *x, const uint8_t *text, size_t n)
{
	find_text(x, text, n);
	put_link(x, text, n, "", URLSIFT_CONV_QUOTED);
}

/* ---- The block ---- */

void fields_init(struct fields *x, struct parser *r)
{
	x->parser = r;
	text_init(&x->text, r, TEXT_RANGES);
}

void fields_fini(struct fields *x) { text_fini(&x->text); }

void fields_reset(struct fields *x)
{
	x->count = 0;
	x->open = false;
	x->rest = SIZE_MAX;
}

static void close_field(struct fields *x, size_t end)
{
	if (x->open)
		x->listed[x->count - 1].end = end;
	x->open = false;
}

void fields_line(struct fields *x, const uint8_t *line, size_t at, const struct header_name *name)
{
	if (x->rest != SIZE_MAX)
		return;
	close_field(x, at);
	if (!name)
		return;
	const struct known_field *known = find_known(x->parser, line, name->length);
	if (!(known->uses & FIELD_WANTED))
		return;
	if (x->count == FIELDS_LISTED) {
		x->rest = at;
		return;
	}
	x->listed[x->count++] = (struct listed_field){at, name->length, at + name->colon + 1, 0, known};
	x->open = true;
}

bool fields_content_type(const struct fields *x, const uint8_t *block, size_t n, struct field *f)
{
	for (size_t i = 0; i < x->count; i++)
		if (x->listed[i].known->content == CONTENT_TYPE) {
			header_value(block, x->listed[i].value, (size_t)number_or(x->listed[i].end, n), f);
			return true;
		}
	return false;
}

/* The fields that count, *i being 0 at first: those that are listed, and then those that are not,
 * whose beginnings *i then is. */
static bool next_field(const struct fields *x, size_t *i, struct field *f, const struct known_field **known)
{
	if (*i < x->count) {
		const struct listed_field *listed = &x->listed[(*i)++];
		f->name = x->block.bytes + listed->name;
		f->name_length = listed->name_length;
		header_value(x->block.bytes, listed->value, listed->end, f);
		*known = listed->known;
		return true;
	}
	if (x->rest == SIZE_MAX)
		return false;
	*i = *i == x->count ? x->rest : *i;
	if (!header_next(x->block.bytes, x->block.length, i, f))
		return false;
	*known = find_known(x->parser, f->name, f->name_length);
	return true;
}

void fields_read(struct fields *x, const struct header_block *block, struct content *content, bool top)
{
	static const char word[] = "digest";
	struct parser *r = x->parser;
	const struct known_field *known;
	struct field f;
	x->block = *block;
	close_field(x, block->length);
	content_begin(content, r->scanner);
	if (top) {
		const urlsift_text none = {"", 0};
		urlsift_message *m = &r->message;
		m->id = m->subject = m->from = m->date = m->groups = m->list = none;
		m->time = -1;
		r->meta.cut = false;
	}
	for (size_t i = 0; next_field(x, &i, &f, &known);) {
		const enum meta meta = top ? known->meta : META_NONE;
		content_take(content, &f, known->content);
		content->news |= (known->uses & FIELD_NEWS) != 0;
		for (size_t k = 0; meta == META_SUBJECT && !content->digest; k++) {
			k = run_until_any(f.value, k, f.value_length, 'd', 'D');
			if (f.value_length - k < sizeof word - 1)
				break;
			content->digest = ascii_begins(f.value + k, word, sizeof word - 1);
		}
		if (meta && r->options.metadata)
			describe(r, meta, &f);
	}
}

size_t fields_file_name(struct fields *x, char *name)
{
	struct parser *r = x->parser;
	struct field f;
	uint8_t raw[PARAMETER_MAX];
	/* what readers take the name from, the first one if there are several */
	static const char fields[] = "content-disposition content-type content-name x-sun-data-name";
	enum { DISPOSITION = 1, TYPE, NAMES };
	size_t n = 0, found = SIZE_MAX;
	for (size_t i = 0; found > DISPOSITION && header_next(x->block.bytes, x->block.length, &i, &f);) {
		const size_t which = ascii_word(f.name, f.name_length, fields);
		size_t k = smaller(f.value_length, sizeof raw);
		if (!within(which, 1, found - 1))
			continue;
		if (which < NAMES)
			k = content_name_read(f.value, f.value_length, which == DISPOSITION, raw, sizeof raw);
		else
			memcpy(raw, f.value, k);
		if (k > 0) {
			n = k;
			found = which;
		}
	}
	const uint8_t *text = raw;
	if (word_any(raw, n)) { /* against RFC 2047 section 5, and common */
		decode_words(r, raw, n, false);
		text = r->words.text.data;
		n = r->words.text.length;
	}
	const size_t from = utf8_begin(text, excess(n, FILE_NAME_MAX), n);
	if (n > from)
		memcpy(name, text + from, n - from);
	return n - from;
}

static void search_field(struct field_search *x, const struct known_field *known)
{
	enum use use = use_of(x->parser, known);
	x->walked = x->walked_line = 0;
	x->walked_lines = 0;
	x->walked_cr = false;
	if (use == USE_NONE)
		return;
	x->at = x->fields->block.at + (size_t)(x->field->value - x->fields->block.bytes);
	if (use == USE_IDENTIFIERS) {
		/* Each `<local@domain>` is a message identifier (A3). */
		const uint8_t *value = x->field->value;
		const size_t n = x->field->value_length;
		const char *supplied = field_is(x->field, "content-id") ? "cid:" : x->parser->news ? "news:" : "mid:";
		set_field(x->parser, x->field, false);
		for (size_t begin, close = 0; (begin = byte_index(value, close, n, '<') + 1) <= n;) {
			close = byte_index(value, begin, n, '>');
			if (close == n)
				break;
			const size_t sign = byte_index(value, begin, close, '@');
			size_t i = begin;
			while (i < close && value[i] > ' ' && value[i] != '<')
				i++;
			if (i < close || sign == begin || sign + 1 >= close)
				continue;
			x->text->ranges.length = 0;
			add_range(x, (urlsift_range){begin, close - begin});
			put_link(x, value + begin, close - begin, supplied, URLSIFT_CONV_ANGLE);
		}
		return;
	}
	/* an absolute URL in quotation marks or none, which may be folded */
	const bool located = within(known->content, CONTENT_BASE, CONTENT_LOCATION);
	char base[BASE_MAX];
	const size_t n = located ? content_base(x->field, x->parser->scanner, base) : 0;
	if (!within(n, 1, BASE_MAX)) {
		show_or_search(x, use == USE_SHOWN);
		return;
	}
	set_field(x->parser, x->field, false);
	const size_t written = content_base_text(x->field, base);
	put_whole(x, (const uint8_t *)base, written);
}

void fields_whole(struct fields *fields, const char *name, const uint8_t *text, size_t n)
{
	struct parser *r = fields->parser;
	struct field f;
	for (size_t i = 0; header_next(fields->block.bytes, fields->block.length, &i, &f);) {
		if (!field_is(&f, name))
			continue;
		size_t value = (size_t)(f.value - fields->block.bytes);
		struct field_search x = {.parser = r, .fields = fields, .text = &fields->text, .field = &f,
		                         .at = fields->block.at + value};
		set_field(r, &f, false);
		put_whole(&x, text, n);
		break;
	}
	r->place.field = NULL;
}

/* Whether a listed field has this rank in a display. */
static bool is_ranked(const struct fields *x, size_t i, unsigned rank)
{
	return x->listed[i].known->rank == rank;
}

void fields_search(struct fields *fields)
{
	struct parser *r = fields->parser;
	const struct known_field *known;
	struct field f;
	struct field_search x = {.parser = r, .fields = fields, .text = &fields->text, .field = &f};
	for (unsigned rank = 1; r->options.display && rank <= FIELD_RANKS; rank++)
		for (size_t i = 0, k = 0; i < fields->count; k = ++i)
			if (is_ranked(fields, i, rank)) {
				next_field(fields, &k, &f, &known);
				search_field(&x, known);
			}
	for (size_t i = 0; next_field(fields, &i, &f, &known);)
		if (!r->options.display || i > fields->count || is_ranked(fields, i - 1, 0))
			search_field(&x, known);
	r->place.field = NULL;
	r->place.decoded = r->at.hidden;
}
