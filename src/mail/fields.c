#include "fields.h"

#include "scan/link.h"
#include "text/lines.h"
#include "text/utf8.h"

#include <string.h>

enum use { USE_NONE, USE_SHOWN, USE_SEARCHED, USE_IDENTIFIERS };

static const char *const url_fields[] = {
	"archived-at", "comments", "content-base", "content-location", "link", "openpgp", "original-url", "subject",
	"url", "x-archived-at", "x-home-page", "x-homepage", "x-uri", "x-url", "x-www", NULL
};
/* A3 */
static const char *const identifier_fields[] = {
	"content-id", "in-reply-to", "message-id", "references", "supersedes", NULL
};
static const char *const shown_fields[] = { "cc", "date", "from", "newsgroups", "subject", "to", NULL };
/* Pictures and signatures: long, and no text. */
static const char *const opaque_fields[] = {
	"arc-authentication-results", "arc-message-signature", "arc-seal", "autocrypt", "dkim-signature",
	"domainkey-signature", "face", "x-face", "x-google-dkim-signature", NULL
};

static bool is_one_of(const struct field *f, const char *const *names)
{
	uint8_t first = f->name[0] | 0x20;
	for (; *names; names++)
		if ((uint8_t)(*names)[0] == first && field_is(f, *names))
			return true;
	return false;
}

static bool is_list_field(const struct field *f)
{
	struct field prefix = *f;
	prefix.name_length = f->name_length < 5 ? f->name_length : 5;
	return field_is(&prefix, "list-");
}

static enum use use_of(const struct reading *r, const struct field *f)
{
	urlsift_headers headers = r->options.headers;
	if (is_one_of(f, identifier_fields))
		return r->options.message_ids ? USE_IDENTIFIERS : USE_NONE;
	if (headers == URLSIFT_HEADERS_ALL && !is_one_of(f, opaque_fields))
		return USE_SEARCHED;
	if (headers == URLSIFT_HEADERS_URLS && (is_list_field(f) || is_one_of(f, url_fields)))
		return USE_SEARCHED;
	return r->options.display && is_one_of(f, shown_fields) ? USE_SHOWN : USE_NONE;
}

/* ---- What the message is called ---- */

/* At most META_MAX bytes of whole characters of UTF-8, control characters made blanks, line ends
 * gone. */
static urlsift_text put_meta(char *out, const uint8_t *p, size_t n)
{
	size_t used = 0;
	while (n && (p[n - 1] <= ' '))
		n--;
	for (size_t i = 0; i < n;) {
		uint32_t c;
		uint8_t utf8[4];
		i += utf8_next(p + i, n - i, &c);
		if (c == '\r' || c == '\n')
			continue;
		size_t k = utf8_put(utf8, c < ' ' || (c >= 0x7F && c < 0xA0) ? ' ' : c);
		if (k > META_MAX - used)
			break;
		memcpy(out + used, utf8, k);
		used += k;
	}
	return (urlsift_text){out, used};
}

static void describe(struct reading *r, enum meta which, const struct field *f, urlsift_text *text)
{
	const uint8_t *p = f->value;
	size_t n = f->value_length, from = 0, to = n;
	if (text->length)
		return;
	if (which == META_ID || which == META_LIST)
		header_identifier(p, n, &from, &to);
	if (word_any(p + from, to - from)) {
		urlsift_status status = word_decode(&r->words, &r->charsets, p + from, to - from);
		if (status != URLSIFT_OK)
			reading_fail(r, status);
		*text = put_meta(r->meta[which], r->words.text.data, r->words.text.length);
	} else {
		*text = put_meta(r->meta[which], p + from, to - from);
	}
}

void fields_describe(struct reading *r, const uint8_t *block, size_t n)
{
	urlsift_message *m = &r->message;
	const urlsift_text none = {"", 0};
	struct field f;
	m->id = m->subject = m->from = m->date = m->groups = m->list = none;
	const struct { const char *name; enum meta which; urlsift_text *text; } rows[] = {
		{"message-id", META_ID, &m->id}, {"subject", META_SUBJECT, &m->subject}, {"from", META_FROM, &m->from},
		{"date", META_DATE, &m->date}, {"newsgroups", META_GROUPS, &m->groups}, {"list-id", META_LIST, &m->list},
	};
	for (size_t at = 0; reading_ok(r) && header_next(block, n, &at, &f);)
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
			if ((f.name[0] | 0x20) == rows[i].name[0] && field_is(&f, rows[i].name))
				describe(r, rows[i].which, &f, rows[i].text);
}

/* ---- Links ---- */

/* A field as it is read: where its value stands. */
struct reading_field {
	struct reading *reading;
	struct text *text;
	const struct field *field;
	uint64_t at;           /* of the value */
	uint64_t line, column; /* of the value */
};

static void set_field(struct reading *r, const struct field *f, bool words)
{
	size_t n = f->name_length < NAME_MAX_SHOWN - 1 ? f->name_length : NAME_MAX_SHOWN - 1;
	memcpy(r->field, f->name, n);
	r->field[n] = '\0';
	r->place.field = r->field;
	r->place.decoded = r->hidden || words;
	reading_place(r);
}

static bool decode_words(struct reading *r, const struct field *f)
{
	urlsift_status status = word_decode(&r->words, &r->charsets, f->value, f->value_length);
	if (status != URLSIFT_OK)
		reading_fail(r, status);
	return reading_ok(r);
}

static void show(struct reading_field *x)
{
	struct reading *r = x->reading;
	const struct field *f = x->field;
	urlsift_piece piece = {.offset = x->at, .length = f->value_length, .text = (const char *)f->value, .text_length = f->value_length};
	bool words = word_any(f->value, f->value_length);
	if (words && !decode_words(r, f))
		return;
	if (words) {
		piece.offset = 0;
		piece.length = r->words.map.source_end;
		piece.text = (const char *)r->words.text.data;
		piece.text_length = r->words.text.length;
	}
	set_field(r, f, words);
	if (reading_ok(r) && piece.length && reading_piece(r, &piece))
		r->status = URLSIFT_STOPPED;
}

static void search(struct reading_field *x)
{
	struct reading *r = x->reading;
	struct text *t = x->text;
	const struct field *f = x->field;
	bool words = word_any(f->value, f->value_length);
	struct embed embed = {.charset = NULL};
	if (words && !decode_words(r, f))
		return;
	set_field(r, f, words);
	t->words = words ? &r->words.map : NULL;
	t->shift = words ? 0 : x->at;
	t->line = words ? 1 : x->line;
	t->column = words ? 1 : x->column;
	text_begin(t, &embed);
	if (words)
		text_feed(t, r->words.text.data, r->words.text.length);
	else
		text_feed(t, f->value, f->value_length);
	text_finish(t);
	if (words && r->words.unknown)
		reading_damage(r, "an encoded-word's charset is not known: read as UTF-8 or else windows-1252", r->words.unknown, 0);
	if (words && r->words.cut)
		reading_limit(r, "encoded-word-length", WORD_MAX, 0);
}

/* `<local@domain>`: a message identifier (A3). */
static void identify(struct reading_field *x, const uint8_t *p, size_t n)
{
	struct reading *r = x->reading;
	const char *supplied = field_is(x->field, "content-id") ? "cid:" : r->news ? "news:" : "mid:";
	const uint8_t *sign = memchr(p, '@', n);
	bool limit, failed;
	for (size_t i = 0; i < n; i++)
		if (p[i] <= ' ' || p[i] == '<')
			return;
	if (!sign || sign == p || sign == p + n - 1)
		return;
	uint64_t at = x->at + (uint64_t)(p - x->field->value);
	struct urlsift_link *link = scanner_whole(r->scanner, p, n, at, n, supplied, &limit, &failed);
	if (failed)
		reading_fail(r, URLSIFT_NO_MEMORY);
	if (!link)
		return;
	link->convention = URLSIFT_CONV_ANGLE;
	if (r->options.positions) {
		bool after_cr = false;
		uint64_t lines = lines_count(x->field->value, (size_t)(p - x->field->value), &after_cr);
		const uint8_t *begin = p;
		while (begin > x->field->value && begin[-1] != '\n')
			begin--;
		link->line = x->line + lines;
		link->column = (uint64_t)(p - begin) + (lines ? 1 : x->column);
	}
	text_whole(r, link, p, n, false);
}

static void search_identifiers(struct reading_field *x)
{
	const uint8_t *p = x->field->value, *end = p + x->field->value_length, *close;
	set_field(x->reading, x->field, false);
	while (reading_ok(x->reading) && p < end && (p = memchr(p, '<', (size_t)(end - p)))
	       && (close = memchr(p, '>', (size_t)(end - p)))) {
		identify(x, p + 1, (size_t)(close - p) - 1);
		p = close + 1;
	}
}

void fields_search(struct reading *r, struct text *t, const uint8_t *block, size_t n, uint64_t at, uint64_t line)
{
	struct field f;
	struct reading_field x = {.reading = r, .text = t, .field = &f, .line = line};
	size_t counted = 0;
	bool after_cr = false;
	for (size_t i = 0; reading_ok(r) && header_next(block, n, &i, &f);) {
		enum use use = use_of(r, &f);
		if (use == USE_NONE)
			continue;
		size_t value = (size_t)(f.value - block);
		x.at = at + value;
		if (r->options.positions) {
			x.line += lines_count(block + counted, value - counted, &after_cr);
			x.column = (uint64_t)(f.value - f.name) + 1;
			counted = value;
		}
		if (use == USE_SHOWN)
			show(&x);
		else if (use == USE_SEARCHED)
			search(&x);
		else
			search_identifiers(&x);
	}
	r->place.field = NULL;
	r->place.decoded = r->hidden;
}
