#include "escape.h"

#include "text/uclass.h"
#include "text/utf8.h"
#include "url/target.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum kind { HTML_LINES, HTML_LINE, JSON, LINE };

/* Whether an ASCII byte may stand as it is. */
static inline bool is_plain(uint8_t c, enum kind kind)
{
	bool html = kind == HTML_LINES || kind == HTML_LINE;
	if (c < 0x20 || c > 0x7e)
		return (html && c == '\t') || (kind == HTML_LINES && c == '\n');
	if (kind == LINE)
		return true;
	if (c == '&' || c == '<' || c == '>' || c == '"')
		return false;
	return c != (html ? '\'' : '\\');
}

#if defined(__SSE2__)
/* A bit for each of 16 bytes, set where is_plain is false. */
static inline unsigned stops(__m128i x, enum kind kind)
{
	bool html = kind == HTML_LINES || kind == HTML_LINE;
	__m128i ok = _mm_cmpgt_epi8(x, _mm_set1_epi8(0x1f));
	if (html)
		ok = _mm_or_si128(ok, _mm_cmpeq_epi8(x, _mm_set1_epi8('\t')));
	if (kind == HTML_LINES)
		ok = _mm_or_si128(ok, _mm_cmpeq_epi8(x, _mm_set1_epi8('\n')));
	__m128i bad = _mm_cmpeq_epi8(x, _mm_set1_epi8(0x7f));
	if (kind != LINE) {
		/* `<` and `>` differ in one bit, and so do `&` and `'`. */
		__m128i angle = _mm_and_si128(x, _mm_set1_epi8((char)0xfd));
		__m128i ampersand = html ? _mm_and_si128(x, _mm_set1_epi8((char)0xfe)) : x;
		bad = _mm_or_si128(bad, _mm_cmpeq_epi8(angle, _mm_set1_epi8('<')));
		bad = _mm_or_si128(bad, _mm_cmpeq_epi8(ampersand, _mm_set1_epi8('&')));
		bad = _mm_or_si128(bad, _mm_cmpeq_epi8(x, _mm_set1_epi8('"')));
	}
	if (kind == JSON)
		bad = _mm_or_si128(bad, _mm_cmpeq_epi8(x, _mm_set1_epi8('\\')));
	return (unsigned)_mm_movemask_epi8(_mm_andnot_si128(bad, ok)) ^ 0xffffu;
}
#endif

/* Copies bytes from p while they are plain; `to` has place for n. */
static inline size_t copy_plain(char *to, const uint8_t *p, size_t n, enum kind kind)
{
	size_t i = 0;
#if defined(__SSE2__)
	for (; n - i >= 16; i += 16) {
		__m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
		_mm_storeu_si128((__m128i *)(void *)(to + i), x);
		unsigned mask = stops(x, kind);
		if (mask)
			return i + (size_t)__builtin_ctz(mask);
	}
#endif
	for (; i < n && is_plain(p[i], kind); i++)
		to[i] = (char)p[i];
	return i;
}

/* How much is read before the writer is asked for place again. */
enum { RUN_LONGEST = 2048 };

static inline size_t put_plain(struct writer *w, const uint8_t *p, size_t n, enum kind kind)
{
	if (n > RUN_LONGEST)
		n = RUN_LONGEST;
	size_t k = copy_plain(writer_room(w, n), p, n, kind);
	w->used += k;
	return k;
}

/* What HTML needs escaped. */
enum { ENTITY_LENGTH = 5 };
static const struct entity {
	char text[ENTITY_LENGTH + 1];
	uint8_t length;
} entities[] = {
	['&'] = { "&amp;", 5 }, ['<'] = { "&lt;", 4 }, ['>'] = { "&gt;", 4 }, ['"'] = { "&#34;", 5 }, ['\''] = { "&#39;", 5 }
};

static inline size_t copy_entity(char *to, uint8_t c)
{
	if (c >= sizeof entities / sizeof *entities)
		return 0;
	memcpy(to, entities[c].text, ENTITY_LENGTH);
	return entities[c].length;
}

/* Bytes of the character at p when it is beyond ASCII and may stand in HTML as
 * it is, else 0.  Most scripts are answered without a decoder. */
static inline size_t plain_sequence(const uint8_t *p, size_t n)
{
	if (n >= 2 && p[0] >= 0xc3 && p[0] <= 0xdf && (p[1] & 0xc0) == 0x80 && !(p[0] == 0xd8 && p[1] == 0x9c))
		return 2;
	if (n >= 3 && p[0] >= 0xe1 && p[0] <= 0xec && p[0] != 0xe2 && (p[1] & 0xc0) == 0x80 && (p[2] & 0xc0) == 0x80)
		return 3;
	uint32_t cp;
	bool cut;
	size_t k = utf8_sequence(p, n, &cp, &cut);
	return k && cp >= 0xa0 && !uclass_is_bidi(cp) ? k : 0;
}

static inline size_t copy_sequences(char *to, const uint8_t *p, size_t n)
{
	size_t i = 0;
	for (size_t k; i < n && p[i] >= 0x80 && (k = plain_sequence(p + i, n - i)) > 0;)
		i += k;
	memcpy(to, p, i);
	return i;
}

/* A quote mark may stand at p[i]: whether one does is the caller's to find out. */
static inline bool may_be_mark(const uint8_t *p, size_t i)
{
	return p[i] == '>' && (i == 0 || p[i - 1] == ' ' || p[i - 1] == '\n' || p[i - 1] == '\r');
}

static inline size_t put_run(struct writer *w, const uint8_t *p, size_t n, enum kind kind)
{
	if (n > RUN_LONGEST)
		n = RUN_LONGEST;
	char *from = writer_room(w, n * ENTITY_LENGTH), *to = from;
	size_t i = 0;
	for (;;) {
		size_t k = copy_plain(to, p + i, n - i, kind);
		i += k;
		to += k;
		if (i == n || (kind == HTML_LINES && may_be_mark(p, i)))
			break;
		bool ascii = p[i] < 0x80;
		k = ascii ? copy_entity(to, p[i]) : copy_sequences(to, p + i, n - i);
		if (k == 0)
			break;
		i += ascii ? 1 : k;
		to += k;
	}
	w->used += (size_t)(to - from);
	return i;
}

size_t escape_run(struct writer *w, const uint8_t *p, size_t n, bool lines)
{
	return lines ? put_run(w, p, n, HTML_LINES) : put_run(w, p, n, HTML_LINE);
}

void escape_html_character(struct writer *w, uint32_t cp)
{
	char *to = writer_room(w, ENTITY_LENGTH);
	size_t k = cp < 0x80 ? copy_entity(to, (uint8_t)cp) : 0;
	if (cp == '\r')
		cp = '\n';
	else if ((cp < 0x20 && cp != '\t' && cp != '\n') || (cp >= 0x7f && cp < 0xa0))
		cp = 0xfffd;
	w->used += k ? k : utf8_put((uint8_t *)to, cp);
}

bool escape_html(struct writer *w, const void *text, size_t n)
{
	const uint8_t *p = text;
	bool bidi = false;
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		i += escape_run(w, p + i, n - i, true);
		if (i == n)
			break;
		i += utf8_next(p + i, n - i, &cp);
		escape_html_character(w, cp);
		bidi = bidi || uclass_is_bidi(cp);
	}
	return bidi;
}

/* `digits` are sixteen, in the letter case wanted. */
static void put_hex(struct writer *w, const char *digits, uint32_t value, unsigned count)
{
	while (count-- > 0)
		writer_put(w, &digits[value >> 4 * count & 15], 1);
}

static const char upper[] = "0123456789ABCDEF", lower[] = "0123456789abcdef";

void escape_json(struct writer *w, const void *text, size_t n)
{
	const uint8_t *p = text;
	writer_put(w, "\"", 1);
	for (size_t i = 0; i < n;) {
		size_t k = put_plain(w, p + i, n - i, JSON);
		i += k;
		if (i == n || k == RUN_LONGEST)
			continue;
		uint32_t cp = p[i];
		bool cut;
		k = cp < 0x80 ? 1 : utf8_sequence(p + i, n - i, &cp, &cut);
		if (k == 0)
			writer_text(w, "\xef\xbf\xbd");
		else if (cp == '"' || cp == '\\')
			writer_put(w, cp == '"' ? "\\\"" : "\\\\", 2);
		else if (cp >= 0xa0 && cp != 0x2028 && cp != 0x2029 && !uclass_is_bidi(cp))
			writer_put(w, p + i, k);
		else {
			writer_put(w, "\\u", 2);
			put_hex(w, lower, cp, 4);
		}
		i += k ? k : 1;
	}
	writer_put(w, "\"", 1);
}

/* What a line of text may not hold: what moves the cursor, what ends a line,
 * what nobody sees. */
static bool is_unseemly(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x2028 || cp == 0x2029 || uclass_is_bidi(cp) ||
	       uclass_is_invisible(cp);
}

static void put_bytes(struct writer *w, const char *before, const char *digits, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		writer_text(w, before);
		put_hex(w, digits, bytes[i], 2);
	}
}

void escape_line(struct writer *w, const void *text, size_t n)
{
	const uint8_t *p = text;
	for (size_t i = 0; i < n;) {
		size_t k = put_plain(w, p + i, n - i, LINE);
		i += k;
		if (i == n || k == RUN_LONGEST)
			continue;
		uint32_t cp;
		i += utf8_next(p + i, n - i, &cp);
		uint8_t bytes[4];
		k = utf8_put(bytes, cp);
		if (is_unseemly(cp))
			put_bytes(w, "%", upper, bytes, k);
		else
			writer_put(w, bytes, k);
	}
}

void escape_name(struct writer *w, const char *name)
{
	const uint8_t *p = (const uint8_t *)name;
	size_t n = strlen(name);
	for (size_t i = 0, k; i < n; i += k) {
		uint32_t cp = 0;
		bool cut;
		k = utf8_sequence(p + i, n - i, &cp, &cut);
		bool invalid = k == 0;
		if (invalid)
			k = 1;
		if (invalid || (cp >= 0x80 && is_unseemly(cp)))
			put_bytes(w, "\\x", lower, p + i, k);
		else if (is_unseemly(cp))
			writer_put(w, (const char[]){ '^', (char)(cp ^ 0x40) }, 2);
		else
			writer_put(w, p + i, k);
	}
}

/* What urlsift_link_target and urlsift_link_normal say, and the same of an alternate. */
static size_t write_form(char *out, size_t size, enum escape_which which, const urlsift_link *link,
                         const urlsift_alternate *alternate)
{
	size_t n;
	const char *supplied = urlsift_link_supplied(link), *text = urlsift_link_text(link, &n);
	size_t whole;
	const char *resolved = urlsift_link_resolved(link, &whole);
	if (resolved && !alternate) {
		supplied = "";
		text = resolved;
		n = whole;
	}
	if (alternate) {
		text = alternate->text;
		n = alternate->length;
	}
	if (which == ESCAPE_TARGET)
		return target_write(supplied, (const uint8_t *)text, n, out, size);
	if (which == ESCAPE_NORMAL)
		return normal_write(supplied, (const uint8_t *)text, n, out, size);
	size_t before = strlen(supplied);
	if (before + n <= size) {
		memcpy(out, supplied, before);
		memcpy(out + before, text, n);
	}
	return before + n;
}

size_t escape_form(struct escape_form *f, enum escape_which which, const urlsift_link *link,
                   const urlsift_alternate *alternate)
{
	size_t n = write_form(f->data, f->room, which, link, alternate);
	if (n <= f->room)
		return n;
	char *data = realloc(f->data, 2 * n);
	if (!data)
		return 0;
	f->data = data;
	f->room = 2 * n;
	return write_form(data, f->room, which, link, alternate);
}
