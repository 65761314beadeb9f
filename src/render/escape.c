#include "escape.h"

#include "simd/runs.h"
#include "simd/simd.h"
#include "text/bytes.h"
#include "text/match.h"
#include "text/unicode.h"

/* ---- HTML ---------------------------------------------------------------------- */

size_t escape_run(struct writer *w, const uint8_t *p, size_t n, bool lines)
{
	const struct simd *simd = w->simd ? w->simd : simd_choose(URLSIFT_IMPL_AUTO);
	char *from = writer_room(w, HTML_ROOM);
	struct html_step s = simd->html_escape(from, w->data + w->size - HTML_ROOM + 1, p, n, lines);
	w->used += (size_t)(s.to - from);
	return s.taken;
}

void escape_html_character(struct writer *w, uint32_t cp)
{
	w->used += html_put_character(writer_room(w, HTML_CHARACTER), cp);
}

static bool put_escaped(struct writer *w, const uint8_t *p, size_t n, bool title)
{
	bool bidi = false;
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		i += escape_run(w, p + i, n - i, true);
		if (i == n)
			break;
		i += utf8_next(p + i, n - i, &cp);
		const bool control = uclass_is_bidi(cp);
		if (!title || !control)
			escape_html_character(w, cp);
		bidi |= control;
	}
	return bidi;
}

bool escape_html(struct writer *w, const void *text, size_t n) { return put_escaped(w, text, n, false); }
void escape_title(struct writer *w, const void *text, size_t n) { put_escaped(w, text, n, true); }

/* ---- JSON, lines, names ---------------------------------------------------------- */

/* LINE SEPARATOR, PARAGRAPH SEPARATOR. */
static bool is_separator(uint32_t cp)
{
	return (cp & ~1u) == 0x2028;
}

/* Writes the bytes of p from i on that need no escape; returns the index of the first that may, n for none. */
static inline size_t put_plain(struct writer *w, const uint8_t *p, size_t i, size_t n, bool json)
{
	enum { MOST = 2048 }; /* bytes copied before the writer is asked for room again */
	for (size_t k = MOST; i < n && k == MOST; i += k) { /* p is NULL for no bytes */
		const size_t most = smaller(n - i, MOST);
		k = run_copy(writer_room(w, most), p + i, most, json);
		w->used += k;
	}
	return i;
}

void escape_json(struct writer *w, const void *text, size_t n)
{
	const uint8_t *p = text;
	writer_put(w, "\"", 1);
	for (size_t i = 0, k; (i = put_plain(w, p, i, n, true)) < n; i += larger(k, 1)) {
		uint32_t cp = 0;
		bool cut;
		k = utf8_sequence(p + i, n - i, &cp, &cut);
		if (k == 0)
			writer_text(w, "\xef\xbf\xbd");
		else if (cp == '"' || cp == '\\')
			writer_put(w, (const char[]){ '\\', (char)cp }, 2);
		else if (cp == '<' && !BYTE_IN(byte_at(p, i + 1, n), "/!"))
			writer_put(w, "<", 1); /* `</` could end a script element, `<!` begin a comment in one */
		else if (cp >= 0xa0 && !is_separator(cp) && !uclass_is_bidi(cp))
			writer_put(w, p + i, k);
		else {
			writer_put(w, "\\u", 2);
			writer_hex(w, HEX_LOWER, cp, 4);
		}
	}
	writer_put(w, "\"", 1);
}

/* What would end a line, or control a terminal. */
static bool is_control(uint32_t cp) { return cp < 0x20 || within(cp, 0x7f, 0x9f) || is_separator(cp); }

bool escape_is_unsafe(uint32_t cp) { return is_control(cp) || uclass_is_invisible(cp); }

bool escape_caret(struct writer *w, uint32_t cp)
{
	const bool control = cp < 0x20 || cp == 0x7f;
	writer_put(w, (const char[]){ '^', (char)(cp ^ 0x40) }, control ? 2 : 0);
	return control;
}

static void put_bytes(struct writer *w, const char *before, const char *digits, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		writer_text(w, before);
		writer_hex(w, digits, bytes[i], 2);
	}
}

void escape_line(struct writer *w, const void *text, size_t n)
{
	const uint8_t *p = text;
	for (size_t i = 0; (i = put_plain(w, p, i, n, false)) < n;) {
		uint32_t cp;
		i += utf8_next(p + i, n - i, &cp);
		uint8_t bytes[4];
		const size_t k = utf8_put(bytes, cp);
		if (escape_is_unsafe(cp))
			put_bytes(w, "%", HEX_UPPER, bytes, k);
		else
			writer_put(w, bytes, k);
	}
}

enum {
	BLANKS = 1, /* TAB and line breaks are blanks */
	EXACT = 2   /* invisible characters stay */
};

/* TAB, and what may end a line: LF, CR, NEL, LINE SEPARATOR, PARAGRAPH SEPARATOR. */
#define LINE_ENDS "[\t\n\r]|\xc2\x85|\xe2\x80[\xa8\xa9]"

/* escape_name and its like. */
static void put_name(struct writer *w, const uint8_t *p, size_t n, unsigned how)
{
	bool (*const is_unsafe)(uint32_t) = how & EXACT ? is_control : escape_is_unsafe;
	bool safe = false;
	for (size_t i = 0, k, from = 0; (i = put_plain(w, p, i, n, false)) < n; from = i += k) {
		uint32_t cp = 0;
		bool cut;
		const bool visible = i > from ? p[i - 1] != ' ' : safe;
		k = 0;
		while (k < n - i && utf8_letter(p + i + k, n - i - k))
			k += 2;
		safe = k > 0 || ((k = utf8_sequence(p + i, n - i, &cp, &cut)) > 0 && !is_unsafe(cp));
		if (safe || (visible && (cp & ~1u) == 0xFE0E)) /* it is shown as text or as an emoji */
			writer_put(w, p + i, k);
		else if (how & BLANKS && match_bytes(p + i, n - i, LINE_ENDS))
			writer_put(w, " ", 1);
		else if (k == 0 || !escape_caret(w, cp))
			put_bytes(w, "\\x", HEX_LOWER, p + i, k = larger(k, 1));
	}
}

void escape_name(struct writer *w, const void *text, size_t n) { put_name(w, text, n, 0); }
void escape_name_exact(struct writer *w, const void *text, size_t n) { put_name(w, text, n, EXACT); }
void escape_value(struct writer *w, const void *text, size_t n) { put_name(w, text, n, BLANKS); }
void escape_value_exact(struct writer *w, const void *text, size_t n) { put_name(w, text, n, BLANKS | EXACT); }

/* What a spreadsheet may take for a formula: the signs that begin one may be full-width, and follow blanks. */
#define FORMULA "%s*[-=+@]|%s*\xef\xbc[\x9d\x8b\x8d\xa0]"

void escape_csv(struct writer *w, const void *text, size_t n, bool spreadsheet)
{
	if (n == 0)
		return;
	const uint8_t *p = text, *end = p + n;
	const bool quoted = find_byte(p, end, '"') < end || find_byte(p, end, ',') < end;
	writer_put(w, "\"", quoted);
	writer_put(w, "'", spreadsheet && match_bytes(p, n, FORMULA));
	for (const uint8_t *next; p < end; p = next) {
		const uint8_t *quote = find_byte(p, end, '"');
		next = quote + (quote < end);
		escape_name_exact(w, p, (size_t)(next - p));
		writer_put(w, "\"", quote < end);
	}
	writer_put(w, "\"", quoted);
}

/* The index in [i, n) of the first character that a terminal must not get as it is; n for none. */
static size_t find_unsafe(const uint8_t *p, size_t i, size_t n)
{
	uint32_t cp;
	while ((i = run_until_control(p, i, n)) < n && p[i] >= 0x80)
		for (size_t k; byte_at(p, i, n) >= 0x80; i += k)
			if (!(k = utf8_visible(p + i, n - i, &cp)))
				return i;
	return i;
}

void escape_terminal(struct writer *w, const void *text, size_t n)
{
	const uint8_t *p = text;
	for (size_t i = 0, from = 0; i < n; from = i) {
		i = find_unsafe(p, i, n);
		writer_put(w, p + from, i - from);
		/* this one, and what is beyond ASCII after it: also a byte of ISO 8859-1 */
		for (size_t k = 0; i < n && (k == 0 || p[i] >= 0x80); i += k) {
			uint32_t cp = p[i];
			uint8_t bytes[4];
			const bool latin1 = cp >= 0xa0 && (byte_at(p, i + 1, n) & 0xc0) != 0x80;
			k = latin1 ? 1 : utf8_next(p + i, n - i, &cp);
			if (text_begins(p + i, n - i, "\r\n") || escape_caret(w, cp))
				continue;
			if (cp < 0xa0 || uclass_is_bidi(cp))
				put_bytes(w, "\\x", HEX_LOWER, p + i, k);
			else
				writer_put(w, bytes, utf8_put(bytes, cp));
		}
	}
}

/* ---- To memory ---------------------------------------------------------------- */

struct memory {
	struct writer writer;
	char *out;
	size_t size, length;
	char block[WRITER_SMALLEST];
};

static int put_memory(void *user, const void *bytes, size_t n)
{
	struct memory *m = user;
	if (m->length < m->size)
		memcpy(m->out + m->length, bytes, smaller(n, m->size - m->length));
	m->length += n;
	return 0;
}

/* What is written to the writer that it returns goes to `out`, through a small buffer. */
static struct writer *begin_memory(struct memory *m, char *out, size_t size)
{
	m->writer = (struct writer){ .write = put_memory, .user = m, .size = sizeof m->block, .data = m->block };
	m->out = out;
	m->size = size;
	m->length = 0;
	return &m->writer;
}

/* The length of all of it. */
static size_t end_memory(struct memory *m)
{
	writer_flush(&m->writer);
	return m->length;
}

size_t urlsift_escape_html(const char *text, size_t length, char *out, size_t size)
{
	struct memory m;
	escape_html(begin_memory(&m, out, size), text, length);
	return end_memory(&m);
}

size_t urlsift_escape_json(const char *text, size_t length, char *out, size_t size)
{
	struct memory m;
	escape_json(begin_memory(&m, out, size), text, length);
	return end_memory(&m);
}

size_t urlsift_escape_line(const char *text, size_t length, char *out, size_t size)
{
	struct memory m;
	escape_line(begin_memory(&m, out, size), text, length);
	return end_memory(&m);
}

size_t urlsift_escape_name(const char *text, size_t length, char *out, size_t size)
{
	struct memory m;
	escape_name(begin_memory(&m, out, size), text, length);
	return end_memory(&m);
}

size_t escape_csv_text(const char *text, size_t length, bool spreadsheet, char *out, size_t size)
{
	struct memory m;
	escape_csv(begin_memory(&m, out, size), text, length, spreadsheet);
	return end_memory(&m);
}
