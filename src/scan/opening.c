#include "ending.h"

#include "line.h"
#include "simd/bytes16.h"
#include "text/unicode.h"

#include <string.h>

uint32_t view_before_high(const struct view *v, size_t i, size_t *begin)
{
	size_t k = 1;
	while (k < smaller(i, 4) && (v->p[i - k] & 0xC0) == 0x80)
		k++;
	uint32_t cp;
	if (utf8_next(v->p + i - k, k, &cp) < k) { /* not all of a character: the last byte is one */
		k = 1;
		cp = utf8_windows_1252(v->p[i - 1]);
	}
	*begin = i - k;
	return cp;
}

/* Not inlined: the copy is longer than the call. */
__attribute__((noinline)) struct view view_until(const struct view *v, size_t end)
{
	struct view cut = *v;
	cut.end = end;
	cut.last = true;
	return cut;
}

struct view view_of(const struct view *v, const uint8_t *text, size_t n)
{
	struct view whole = view_until(v, n);
	whole.p = text;
	whole.at = 0;
	whole.first = true;
	return whole;
}

size_t view_character_high(const struct view *v, size_t i, uint32_t *cp)
{
	bool cut;
	*cp = 0;
	if (!view_has(v, i, 1))
		return 0;
	const size_t n = utf8_sequence(v->p + i, v->end - i, cp, &cut);
	view_needs(v, v->end, cut);
	*cp = n ? *cp : utf8_windows_1252(v->p[i]);
	return larger(n, 1);
}

bool opening_is_space(uint32_t c) { return c < 0x80 ? is_space((uint8_t)c) : uclass_of(c) == UC_SPACE; }

bool opening_is_word(uint32_t c)
{
	return c < 0x80 ? byte_class[c] & (BYTE_ALNUM | BYTE_UNDERSCORE) : uclass_is_word(c);
}

bool opening_is_escaped(const struct view *v, size_t i)
{
	const uint8_t *p = v->p + i;
	if (i < 2 || !is_alnum(p[-1]))
		return false;
	if (text_is_among(p - 2, 2, "\\n \\r \\t"))
		return true;
	if (p[-1] < 'a' && text_ends(v->p, i - 1, "\\f"))
		return true;
	if (text_ends(v->p, i - 2, "\\(") && text_is_among(p - 2, 2, "dq lq rq aq oq cq"))
		return true; /* a quotation mark */
	return text_ends(v->p, i - 2, "\\f(") && byte_class[p[-2]] & (BYTE_ALNUM | BYTE_PUNCTUATION | BYTE_DELIMITER);
}

bool opening_ends_prefix(const struct view *v, size_t i)
{
	size_t prior;
	return i >= 4 && ascii_begins(v->p + i - 4, "url:", 4) && !opening_is_word(view_before(v, i - 4, &prior));
}

bool opening_follows_command(const struct view *v, size_t i)
{
	return text_ends(v->p, i, "\\verb") || text_ends(v->p, i, "\\lstinline");
}

bool opening_follows_macro(const struct view *v, size_t begin)
{
	static const char macros[] = "link: xref: image: image:: include:: video:: audio::";
	enum { MOST = 10 }; /* one more than any has */
	begin = byte_run_back(v->p, excess(begin, 2), begin, '+'); /* a passthrough */
	const size_t word = byte_span_back(v->p, excess(begin, MOST), begin, BYTE_ALPHA | BYTE_MARK);
	return (!word || is_space(v->p[word - 1])) && text_is_among(v->p + word, begin - word, macros);
}

bool opening_follows_ruler(const struct view *v, size_t i)
{
	enum { LEAST = 8 };
	return i - byte_run_back(v->p, excess(i, LEAST), i, '_') == LEAST;
}

bool opening_allows(const struct view *v, size_t floor, struct opening *o, bool hier)
{
	const uint8_t c = ascii_of(o->before);
	bool suspect = BYTE_IN(c, "_+") || (!hier && BYTE_IN(c, ".-/@:"));
	if (!suspect) /* nor after a defanged host, whose last label is no scheme: `b[.]example:` */
		return !opening_is_word(o->before) && !text_ends(v->p, o->begin, "[.]") && !text_ends(v->p, o->begin, "[@]");
	if (opening_has_prefix(v, o->begin) || opening_follows_ruler(v, o->begin))
		return true;
	if (prefix_before(v, o->begin, floor))
		return true;
	if (hier && c == '+') {
		/* `(+http://bot.example/)` and `;++http://bot.example/`, as in logs, `\verb+http://h/+` or AsciiDoc's
		 * `link:++http://h/++[label]` */
		size_t prior;
		if (opening_is_space(view_before(v, o->begin - 1, &prior))
		    || BYTE_IN(byte_before(v->p, o->begin - o->marks), "(;")
		    || opening_follows_command(v, o->begin - 1) || opening_follows_macro(v, o->begin))
			return true;
	}
	o->must_close = true; /* B6 decides at the end */
	return o->marks > 0 && (hier || c != '+');
}

void opening_read(const struct view *v, size_t begin, struct opening *o)
{
	size_t prior;
	*o = (struct opening){.begin = begin};
	o->before = opening_is_escaped(v, begin) ? '\\' : view_before(v, begin, &prior);
	const uint8_t mark = ascii_of(o->before);
	if (BYTE_IN(mark, "#@!%~") && ending_substitutes(v, begin))
		o->closer = mark;
	if (!bytes16_has("*_/~=+#%/~=+*_/~", mark))
		return;
	const size_t at = byte_run_back(v->p, excess(begin, 8), begin, mark);
	uint32_t word = view_before(v, at, &prior);
	bool opens = (mark != '#' && (word == '_' || !opening_is_word(word))) || opening_follows_command(v, at);
	/* `//` may be italics, or with more or after a scheme, also a defanged one, a path; `%` is a leader or part of the
	 * link */
	const size_t marks = begin - at;
	const bool path = marks > 2 || (marks == 2 && (word == ':' || text_ends(v->p, at, "[:]")));
	if (opens && (mark == '/' ? !path : mark != '%' || marks > 1)) {
		o->mark = mark;
		o->marks = marks;
	}
}

bool opening_closes(const char *marks, uint32_t open, uint32_t close)
{
	for (; *marks; marks += 2)
		if ((uint8_t)marks[0] == open)
			return (uint8_t)marks[1] == close;
	return opening_pairs(open, close);
}

bool opening_pairs(uint32_t open, uint32_t close)
{
	static const uint16_t pairs[][2] = {
		{'"', '"'}, {'\'', '\''}, {0x201C, 0x201D}, {0x201D, 0x201D}, {0x201E, 0x201C}, {0x201E, 0x201D},
		{0x2018, 0x2019}, {0x2019, 0x2019}, {0x201A, 0x2018}, {0x201A, 0x2019}, {0xAB, 0xBB}, {0xBB, 0xAB},
		{0xBB, 0xBB}, {0x2039, 0x203A}, {0x203A, 0x2039}, {0x300C, 0x300D}, {0x300E, 0x300F}, {0x301D, 0x301E},
		{0x301D, 0x301F}, {0xFF02, 0xFF02}, {0x201D, 0x201C}, {0x2019, 0x2018}
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (pairs[i][0] == open && pairs[i][1] == close)
			return true;
	return false;
}
