#include "ending.h"

#include "simd/runs.h"
#include "text/unicode.h"

#include <string.h>

/* Where the line of i begins, no farther back than `low` and LINE_LOOK bytes. */
static size_t line_begin(const struct view *v, size_t i, size_t low)
{
	return run_line_start(v->p, larger(excess(i, LINE_LOOK), low), i);
}

/* Where the name of the character reference begins that ends with the `;` right before i; 0 for none. */
static size_t reference_name(const struct view *v, size_t i)
{
	size_t k = i - 1;
	while (i - k < 12 && (is_alnum(byte_before(v->p, k)) || byte_before(v->p, k) == '#'))
		k--;
	return k < i - 1 && byte_before(v->p, k) == '&' ? k : 0;
}

/* Whether c is right before i, and does not end a character reference. */
static bool is_right_before(const struct view *v, size_t i, uint8_t c)
{
	return byte_before(v->p, i) == c && !(c == ';' && reference_name(v, i));
}

/* Whether the bytes [from, to) hold c with no blank after it, and not as the end of a character reference. */
static bool has_tight(const struct view *v, size_t from, size_t to, uint8_t c)
{
	while ((from = byte_index(v->p, from, to, c)) < to)
		if (is_right_before(v, ++from, c) && !is_blank(v->p[from]))
			return true;
	return false;
}

/* B8: whether the comma or semicolon before the link at `begin` separates it from its neighbours: the line has another
 * one between the last link and this one, or right before the last one. */
static bool separates(const struct candidate *c, size_t begin)
{
	const struct view *v = c->v;
	const uint8_t before = v->p[begin - 1];
	const size_t from = line_begin(v, begin, c->floor);
	if (!is_right_before(v, begin, before))
		return false;
	return has_tight(v, from, begin - 1, before)
	       || (from == c->floor && begin - c->last_part < LINE_LOOK && is_right_before(v, c->last_part, before));
}

/* B8: whether a command to substitute begins with the mark right before i: `s#`, `%s!`, as sed,
 * Perl and Vim have it. */
static bool opens_command(const struct view *v, size_t i, uint8_t mark)
{
	const uint8_t before = byte_before(v->p, excess(i, 2));
	return byte_before(v->p, excess(i, 1)) == 's' && v->p[i - 1] == mark
	       && (is_space(before) || BYTE_IN(before, "\0\"';{%"));
}

bool ending_substitutes(const struct view *v, size_t begin)
{
	const uint8_t *p = v->p, mark = p[begin - 1];
	const size_t last = byte_last(p, excess(begin, LINE_LOOK), begin - 1, mark);
	return opens_command(v, begin, mark)
	       || (opens_command(v, last, mark) && byte_span(p, last, begin - 1, BYTE_BUT(BYTE_LINE_END)) == begin - 1);
}

size_t ending_tag(const struct view *v, size_t begin)
{
	enum { MOST = 16 };
	const size_t name = byte_span_back(v->p, excess(begin, MOST), excess(begin, 1), BYTE_ALPHA);
	return byte_before(v->p, begin) == ' ' && text_ends(v->p, name, "{@") ? name : 0;
}

bool ending_in_texinfo(const struct view *v, size_t begin)
{
	enum { MOST = 8 };
	if (byte_before(v->p, begin) != '{') /* as mostly */
		return false;
	const size_t end = begin - 1, name = byte_span_back(v->p, excess(end, MOST), end, BYTE_ALPHA);
	return name < end && byte_before(v->p, name) == '@';
}

uint8_t ending_closer(const struct candidate *c, size_t begin)
{
	const struct view *v = c->v;
	const uint8_t before = v->p[begin - 1];
	const size_t name = before == ';' ? reference_name(v, begin) : 0;
	uint8_t mark;
	if (name && link_reference_name(v->p + name, begin - name, &mark) && mark == '\'')
		return mark;
	if (BYTE_IN(before, ",;"))
		return separates(c, begin) || ending_substitutes(v, begin) ? before : 0;
	if (before == '`')
		return text_ends(v->p, begin, "``") ? before : 0;
	if (before == '{')
		return ending_in_texinfo(v, begin) ? ',' : 0;
	if (ending_tag(v, begin))
		return '|';
	/* B7: the value of a field of a template, `|name=` */
	enum { LOOK = 64 };
	const size_t low = excess(begin, LOOK), value = byte_span_back(v->p, low, begin, BYTE_BLANK);
	return byte_before(v->p, value) == '='
	       && byte_before(v->p, byte_span_back(v->p, low, value - 1, BYTE_NAME | BYTE_BLANK)) == '|' ? '|' : 0;
}

bool ending_is_argument(const struct view *v, size_t begin)
{
	static const char commands[] = "aria2c curl wget";
	const uint8_t *p = v->p;
	size_t word = begin, low = line_begin(v, begin, 0), name, end;
	if (!is_blank(byte_before(p, begin)))
		return false;
	do {
		end = byte_span_back(p, low, word, BYTE_BLANK);
		name = byte_span_back(p, low, end, BYTE_ALNUM);
		word = byte_span_back(p, low, name, BYTE_BUT(BYTE_BLANK));
	} while (word > low && !text_is_among(p + name, end - name, commands));
	return text_is_among(p + name, end - name, commands);
}

/* ---- Rulers and comments ---- */

/* B3: how many bytes of a ruler the link ends with, at the end of its line. */
static size_t ruler(const struct view *v, const struct extent *x)
{
	enum { LEAST = 8 };
	size_t k = x->end;
	uint8_t c = v->p[k - 1];
	if (!BYTE_IN(c, "_-") || x->at != k || (k < v->end && !is_line_end(v->p[k])))
		return 0;
	k = byte_run_back(v->p, x->begin, k, c);
	return x->end - k < LEAST ? 0 : x->end - k;
}

/* B4: whether the link ends with the end of a comment that began before it. */
static bool ends_comment(const struct view *v, const struct extent *x)
{
	const uint8_t *p = v->p;
	if (!text_ends(p + x->begin, x->end - x->begin, "*/"))
		return false;
	size_t k = x->begin, stop = excess(k, BACK_LOOK);
	while (k > stop + 1 && !text_is_among(p + k - 2, 2, "/* */"))
		k--;
	return text_ends(p + stop, k - stop, "/*");
}

/* B4: how many bytes the link ends with of what closes a comment or a tag of a template, or of an arrow: `-->`, `--}}`,
 * `--]]`, `%>`, `->`; before a bracket a hyphen is one of several, or another one is right before the link, `{-URL-}`.
 * */
__attribute__((noinline)) static size_t closing_hyphens(const struct view *v, const struct extent *x)
{
	const uint8_t *p = v->p, next = view_byte(v, x->at);
	const bool angle = next == '>' || view_word(v, x->at, "&gt;", 4);
	const size_t n = x->end - byte_run_back(p, x->begin, x->end - (angle && p[x->end - 1] == '%'), '-');
	return x->at == x->end && (angle || (BYTE_IN(next, "]}") && (n > 1 || byte_before(p, x->begin) == '-'))) ? n : 0;
}

bool ending_is_pod(const struct view *v, size_t i)
{
	enum { MOST = sizeof "verbar>" - 1 };
	static const char escapes[] = "E<gt> E<lt> E<sol> E<verbar>";
	const size_t name = i + 2;
	if (v->p[i] != 'E' || view_read(v, i + 1) != '<')
		return false;
	view_needs(v, name, MOST);
	const size_t to = byte_span(v->p, name, smaller(v->end, name + MOST), BYTE_ALPHA);
	return text_is_among(v->p + i, smaller(to + 1, v->end) - i, escapes);
}

/* ---- What stays ---- */

/* D1: whether the link is the whole value of an attribute, in the quotation marks around it. */
static bool is_attribute(const struct view *v, const struct extent *x)
{
	uint8_t quote = byte_before(v->p, x->begin);
	if (!is_quote_mark(quote) || byte_before(v->p, x->begin - 1) != '=' || view_byte(v, x->at) != quote)
		return false;
	uint8_t next = x->at + 1 < v->end ? v->p[x->at + 1] : ' ';
	return is_space(next) || BYTE_IN(next, "<>");
}

/* Whether quotation marks or markup enclose the link whole; plain round brackets do not. */
static bool is_enclosed(const struct view *v, const struct bare *b)
{
	size_t begin = b->extent.begin, at = b->extent.at;
	uint32_t before = b->opening.before, close;
	view_character(v, at, &close);
	if (close == '\\') /* `\"` */
		close = view_byte(v, at + 1);
	if (before == '(')
		return close == ')' && byte_before(v->p, begin - 1) == ']';
	return opening_closes("[]][{}><``", before, close);
}

/* Whether quotation marks enclose the link whole. */
static bool is_quoted(const struct view *v, const struct bare *b)
{
	return opening_is_quote(b->opening.before) && is_enclosed(v, b);
}

/* B4: whether the byte at the end of the link is part of it: of several `*`, none. */
static bool keeps(const struct view *v, const struct bare *b)
{
	const struct extent *x = &b->extent;
	uint8_t c = v->p[x->end], last = v->p[x->end - 1];
	if (c == '*')
		return BYTE_IN(last, "/=") && !has_tight(v, line_begin(v, x->begin, 0), x->begin, '*') &&
		       view_byte(v, x->end + 1) != '*';
	if (!BYTE_IN(c, "#?") || c == b->opening.mark)
		return false;
	if (x->at == x->end + 1 && is_enclosed(v, b))
		return true;
	/* `#` after a word of the path */
	const uint8_t *solid = v->p + b->solid;
	size_t n = x->end - b->solid;
	return c == '#' && is_alnum(last) && memchr(solid, '/', n) && !memchr(solid, '?', n);
}

size_t ending_position(const struct view *v, size_t end)
{
	static const char sources[] = "js mjs cjs jsx ts tsx css html php py";
	const uint8_t *p = v->p;
	const size_t low = excess(end, POSITION_MOST);
	size_t i = end;
	for (int numbers = 0; numbers < 2; numbers++) {
		const size_t number = byte_span_back(p, low, i, BYTE_DIGIT);
		if (number == i || byte_before(p + low, number - low) != ':')
			return 0;
		i = number - 1;
	}
	const size_t name = byte_span_back(p, 0, i, BYTE_ALPHA);
	return byte_before(p, name) == '.' && text_is_among(p + name, i - name, sources) ? end - i : 0;
}

bool ending_change(const struct view *v, struct bare *b)
{
	struct extent *x = &b->extent;
	size_t taken = ending_position(v, x->end);
	if (!taken || byte_last(v->p, b->solid, x->end - taken, '/') == b->solid || is_quoted(v, b))
		taken = ruler(v, x); /* without a path, or in quotation marks, a position is part of the link */
	if (!taken)
		taken = ends_comment(v, x) ? 2 : closing_hyphens(v, x);
	if (!taken && x->at == x->end)
		taken = ending_is_pod(v, x->end - 1);
	if (taken) {
		bare_cut(v, b, x->end - taken);
		return x->end > b->solid;
	}
	if (x->at == x->end)
		return true;
	/* a mark may enclose the link; then the byte after it counts, too */
	uint32_t next = view_byte(v, x->at);
	view_character(v, x->at + within(next, '!', 0x7F), &next);
	const bool bars = byte_run(v->p, x->end, x->at, '|') == x->at && is_quoted(v, b); /* D1 */
	x->end = bars || is_attribute(v, x) ? x->at : x->end + keeps(v, b);
	extent_settle(x);
	return true;
}
