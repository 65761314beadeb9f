#include "ending.h"

#include "line.h"
#include "refang.h"
#include "simd/runs.h"
#include "simd/simd.h"
#include "text/unicode.h"
#include "url/scheme.h"

#include <string.h>

/* Whether the name of n bytes at i is that of such a scheme, and its colon and slashes follow. */
__attribute__((noinline)) static bool is_scheme(const struct view *v, size_t i, size_t n)
{
	const size_t colon = schemepart_colon(v, i + n);
	if (!view_word(v, i + n + colon, "//", 2)) /* nor without a colon */
		return false;
	const struct refang_form *form;
	return scheme_find((const char *)v->p + i, n) || refang_form_at(v->p + i, v->end - i, true, &form) == YES;
}

bool extent_scheme_at(const struct view *v, size_t i)
{
	const size_t stop = smaller(v->end, i + SCHEME_NAME_MAX + 1), n = run_scheme(v->p, i, stop) - i;
	return BYTE_IN(view_read(v, i + n), ":[\\") && n && is_scheme(v, i, n); /* no, as mostly */
}

bool extent_between(const struct view *v, size_t i, size_t width, uint32_t cp)
{
	return byte_before(v->p, i) < 0x80 && !uclass_is_word(cp) && extent_scheme_at(v, i + width);
}

/* What an HTML character reference is in a link. */
enum charref {
	CHARREF_NONE,
	CHARREF_UNDONE,    /* is a character of ASCII that a URL may hold */
	CHARREF_DELIMITER, /* ends it */
	CHARREF_TRAIL,     /* is not part of it at its end (B4) */
	CHARREF_OWN        /* is: `&#233;` */
};

/* Whether a character beyond ASCII of this class is part of a link, at its end too. */
static bool is_own(enum uclass class)
{
	return (1u << UC_PLAIN | 1u << UC_CJK | 1u << UC_SOFT | 1u << UC_HYPHEN) >> class & 1;
}

/* The kind of the reference (B4). */
static enum charref charref_kind(const uint8_t *name, size_t n)
{
	/* `eacute`, `uuml`, `aelig`: a letter of Latin-1, an ASCII one and its accent */
	static const char after_letter[] = "acute grave circ uml tilde ring cedil slash caron";
	static const char names[] = "AElig OElig aElig oElig Aelig Oelig aelig oelig szlig";
	if (text_is_among(name, n, "lt gt quot nbsp"))
		return CHARREF_DELIMITER;
	if (name[0] != '#')
		return text_is_among(name + 1, n - 1, after_letter) || text_is_among(name, n, names) ? CHARREF_OWN
		                                                                                    : CHARREF_TRAIL;
	const bool hex = to_lower(name[1]) == 'x';
	uint64_t cp = 0;
	if (n == 1u + hex || n - 1 > 7 || number_read(name, 1 + hex, n, hex ? 16 : 10, &cp) < n)
		return CHARREF_NONE;
	if (cp < 0x80 || cp == 0xA0)
		return CHARREF_DELIMITER;
	return cp < 0x110000 && is_own(uclass_of((uint32_t)cp)) ? CHARREF_OWN : CHARREF_TRAIL;
}

/* The character reference that begins at i, its length, and the character *c if it is undone. */
static enum charref read_charref(const struct view *v, size_t i, size_t *length, uint8_t *c)
{
	enum { MOST = 32 };
	*length = 1 + link_reference_name(v->p + i + 1, v->end - i - 1, c);
	if (*length > 1) /* as most */
		return CHARREF_UNDONE;
	uint8_t first = view_byte(v, i + 1);
	size_t n = byte_span(v->p, i + 1 + (first == '#'), smaller(v->end, i + MOST + 1), BYTE_ALNUM) - i;
	const bool escaped = view_byte(v, i + n) == '\\';
	*length = n + escaped + 1;
	if (n > MOST || view_read(v, i + n + escaped) != ';' || n < 3
	    || (first != '#' && !is_alpha(first)))
		return CHARREF_NONE;
	const enum charref kind = charref_kind(v->p + i + 1, n - 1);
	return escaped && kind != CHARREF_DELIMITER ? CHARREF_NONE : kind;
}

/* What the bracket c opens or closes: 0, 1, 2 for ( [ {, which are 28, 5B and 7B. */
static unsigned bracket_kind(uint8_t c) { return (c >> 5) - 1u; }

static void count_opener(struct extent *x, uint8_t c, size_t i)
{
	unsigned k = bracket_kind(c);
	if (!x->nested.open[k]++) {
		x->nested.at[k] = i;
		x->nested.before[k] = x->end;
	}
}

void extent_count(struct extent *x, const struct view *v, size_t i, size_t end)
{
	if (!memchr(v->p + i, '@', end - i))
		return;
	for (; i < end; i++) {
		unsigned class = url_class[v->p[i]];
		if (class & URL_OPEN)
			count_opener(x, v->p[i], i);
		else if (class & URL_CLOSE)
			x->nested.open[bracket_kind(v->p[i])] -= x->nested.open[bracket_kind(v->p[i])] > 0;
		else if (class & URL_APOSTROPHE)
			x->apostrophes++;
	}
}

/* What becomes of a character: part of the link, part of it if more follows, or its end. */
enum fate { TAKE, PASS, END };

static enum fate end_if(bool ends) { return ends ? END : PASS; }

/* B5: x[1] at the end is a footnote mark, of which n bytes open the bracket, as are Markdown's [^a] and Org's [fn:a],
 * and as no part of the link is the [...] of a quotation; `?a=[1]` is a value. */
static void open_footnote(struct extent *x, const struct view *v, size_t n)
{
	const uint8_t first = view_read(v, x->at + n);
	const size_t i = x->at + n, name = view_word(v, i, "fn:", 3) ? 3 : BYTE_IN(first, "^.");
	x->bracket = byte_before(v->p, x->at) == '=' ? 0 : i + name;
	x->mark = first == '.' ? BYTE_STOP : name ? BYTE_NAME : BYTE_DIGIT;
	x->before_bracket = x->end;
}

static enum fate close_footnote(struct extent *x, uint8_t c)
{
	const bool footnote = c == ']' && x->bracket && x->at > x->bracket;
	x->bracket = 0;
	if (!footnote)
		return TAKE;
	x->end = x->before_bracket;
	return PASS;
}

/* Whether the `]` of the bracket that opens before i ends the word: no blank is before it, nor a bracket unless it may
 * be `nested`.  What may end a sentence ends the word too, or with `marks` if nothing but marks follows. */
static bool ends_word(const struct view *v, size_t i, bool nested, bool marks)
{
	size_t depth = 1;
	for (uint8_t c; (c = view_byte(v, i)) > ' ' && (c != '[' || nested); i++) {
		depth += c == '[';
		if (c == ']' && --depth == 0)
			break;
	}
	const bool closed = view_byte(v, i) == ']';
	do
		i++;
	while (marks && url_class[view_byte(v, i)] & (URL_TRAIL | URL_APOSTROPHE | URL_SPLIT));
	view_needs(v, i, 1);
	return closed && !(url_class[view_byte(v, i)] & (URL_OWN | URL_OPEN | URL_DELIMITER | URL_HIGH));
}

/* Whether an address begins at i. */
static bool is_address(const struct view *v, size_t i)
{
	size_t from = i;
	i = byte_span(v->p, from, smaller(v->end, from + 64), BYTE_SCHEME | BYTE_UNDERSCORE);
	view_needs(v, i, 2);
	return i > from && view_byte(v, i) == '@' && is_alnum(view_byte(v, i + 1));
}

/* AsciiDoc: whether the label that opens at x->at is `[^]`; or `[]`, unless it follows `]` or the name of a parameter
 * (`?id[]`); or one word or an attribute (`[window=_blank]`), which follows neither of them nor `_` (`Foo_[bar]`), is
 * the first bracket of the link and not in its query.  Commas are before an attribute, or the subject and the text of a
 * mail. */
static bool is_short_label(const struct extent *x, const struct view *v)
{
	const size_t i = x->at;
	const uint8_t first = view_byte(v, i + 1);
	const bool mail = text_begins(v->p + x->begin, i - x->begin, "mailto:");
	enum { WORD = BYTE_SCHEME | BYTE_UNDERSCORE | BYTE_HIGH };
	size_t end = byte_span(v->p, i + 1 + BYTE_IN(first, "@*"), v->end, WORD | BYTE_COMMA);
	const bool attribute = view_byte(v, end) == '=', caret = view_byte(v, end) == '^';
	end += BYTE_IN(view_byte(v, end), "^*");
	if ((!attribute && (view_read(v, end) != ']' || (!mail && memchr(v->p + i, ',', end - i))))
	    || (x->authority && v->p[i - 1] == '@') /* after userinfo a host */
	    || (view_read(v, end + 1) == ')' && text_ends(v->p, x->begin, "](")))
		return false;
	if (caret)
		return true;
	if (first != ']' && (x->square || end < i + 3 + (first >= 0x80) || v->p[i - 1] == '_'
	                     || !(byte_class[first] & (BYTE_ALPHA | BYTE_HIGH) || BYTE_IN(first, "@*"))
	                     || memchr(v->p + x->begin, '?', i - x->begin)))
		return false;
	const size_t name = byte_span_back(v->p, x->begin, i, BYTE_SCHEME | BYTE_UNDERSCORE);
	return !BYTE_IN(byte_before(v->p, name), "?&;=]");
}

/* Whether the `[` at x->at begins the target of what is before it, or a label (B5), or a tag (B7). */
static bool ends_at_bracket(const struct extent *x, const struct view *v, bool host)
{
	const size_t i = x->at;
	view_needs(v, i, 3);
	if (is_alpha(view_byte(v, i + 2)) && v->p[i + 1] == '/')
		return true; /* [/url] */
	if (host)
		return false;
	const bool passed = v->p[i - 1] == '+' && byte_before(v->p, x->begin) == '+'; /* after a passthrough */
	const bool macro = (!x->square || passed) && opening_follows_macro(v, x->begin);
	const bool word = is_short_label(x, v);
	return (macro || word || extent_scheme_at(v, i + 1) || view_word(v, i + 1, "mailto:", 7) || is_address(v, i + 1))
	       && ends_word(v, i + 1, macro, word || x->authority);
}

static enum fate open_bracket(struct extent *x, const struct view *v, uint8_t c)
{
	if (c == '[') {
		const uint8_t *p = v->p + x->begin;
		const size_t n = x->at - x->begin;
		const bool host = !n || (text_ends(p, n, "://") && !memchr(p, ':', n - 3)); /* it begins one */
		if (ends_at_bracket(x, v, host))
			return END;
		x->square |= !host;
		open_footnote(x, v, 1);
	}
	count_opener(x, c, x->at);
	return PASS;
}

static void note_escape(struct extent *x)
{
	if (!x->first_escape)
		x->first_escape = x->at + 1;
}

/* L: the length of the rest of a reference, at i after `&amp;`, and its character *c, where the source was escaped
 * twice, as HTML in feeds: the last tag before the link begins with `&lt;`. */
__attribute__((noinline)) static size_t second_reference(struct extent *x, const struct view *v, size_t i, uint8_t *c)
{
	size_t tag = x->begin, n;
	uint8_t second;
	if (read_charref(v, i - 1, &n, &second) != CHARREF_UNDONE)
		return 0;
	while (!x->escapes)
		if (tag == excess(x->begin, BACK_LOOK) || v->p[tag - 1] == '<')
			x->escapes = ESCAPES_ONCE;
		else if (text_ends(v->p, tag--, "&lt;"))
			x->escapes = ESCAPES_TWICE;
	if (x->escapes != ESCAPES_TWICE)
		return 0;
	*c = second;
	return n - 1;
}

/* B5a: a pair is part of the link.  One before a comma, which closes none, closes one before the link if nothing else
 * does. */
static enum fate take_apostrophe(struct extent *x, const struct view *v)
{
	const bool opens = !(x->apostrophes++ % 2), backquotes = x->closer == '`';
	if (x->closer == '\'')
		return END;
	if ((backquotes || (opens && x->closer != '"')) && view_read(v, x->at + 1) == (backquotes ? '\'' : ','))
		return END;
	return opens ? PASS : TAKE;
}

/* The reference of n bytes to c whose `&` is the last byte before x->at + *width. */
static enum fate take_undone(struct extent *x, const struct view *v, size_t *width, size_t n, uint8_t c)
{
	const size_t at = x->at + *width - 1;
	n += c == '&' && *width == 1 ? second_reference(x, v, at + n, &c) : 0;
	const bool own = c != '&' && url_class[c] & URL_OWN;
	if ((x->authority && url_class[c] & URL_DELIMITER) || (!own && extent_scheme_at(v, at + n))) /* B8: after its `;` */
		return END;
	/* of quotation marks that are no references it closes none */
	const bool apostrophe = c == '\'' && byte_before(v->p, x->begin) != c;
	const enum fate s = apostrophe ? take_apostrophe(x, v) : own ? TAKE : PASS;
	if (s < END)
		note_escape(x);
	*width += n - 1;
	return s;
}

/* The `&` whose last byte is that before x->at + *width, which stays as it is for `&` alone. */
static enum fate take_charref(struct extent *x, const struct view *v, size_t *width)
{
	size_t n, at = x->at + *width - 1;
	uint8_t c;
	const enum charref kind = read_charref(v, at, &n, &c);
	if (kind == CHARREF_NONE || x->swallow)
		return *width > 1 ? PASS : TAKE;
	if (kind == CHARREF_DELIMITER)
		return END;
	if (kind == CHARREF_UNDONE)
		return take_undone(x, v, width, n, c);
	const bool ends = extent_scheme_at(v, at + n);
	*width += n - 1;
	if (kind == CHARREF_OWN) {
		x->end = at + n;
		x->at += ends ? *width : 0;
	}
	return end_if(ends);
}

/* A character beyond ASCII. */
static enum fate take_character(struct extent *x, uint32_t cp)
{
	const enum uclass class = uclass_of(cp);
	const bool own = is_own(class);
	if (!own && class != UC_MARK)
		return END;
	x->beyond_ascii = true;
	return own ? TAKE : PASS;
}

/* Whether the authority has ended, or there is none. */
static bool in_path(struct extent *x, const struct view *v)
{
	x->path = x->path || byte_before(v->p, x->rest) == ':'
	          || byte_span(v->p, x->rest, x->at, BYTE_BUT(BYTE_DELIMITER)) < x->at;
	return x->path;
}

/* B7: `\u0026` and `\u00fc`, as JSON and JavaScript write characters, are what they stand for after the authority. */
static enum fate take_unicode(struct extent *x, const struct view *v, size_t *width)
{
	size_t n;
	uint32_t cp = link_read_unicode(v->p + x->at, v->end - x->at, &n);
	view_needs(v, x->at, n);
	if (!cp || !in_path(x, v))
		return END;
	note_escape(x);
	*width = n;
	if (cp >= 0x80)
		return take_character(x, cp);
	unsigned class = url_class[cp];
	if (class & URL_AMPERSAND)
		return take_charref(x, v, width);
	if (class & URL_APOSTROPHE)
		return take_apostrophe(x, v);
	return class & URL_OWN ? TAKE : class & URL_INNER ? PASS : END;
}

/* B7: whether the mark is none there: an apostrophe but in the string of a program, which no
 * escaped one opens, nor a bar but in Markdown, where that of a table is escaped. */
static bool is_foreign(const struct extent *x, const struct view *v, uint8_t c)
{
	if (c == '\'')
		return x->closer != c || text_ends(v->p, x->begin, "\\'");
	return c == '|' && !text_ends(v->p, x->begin, "](");
}

/* B7: after the authority, as its end, or within a name of it, an escaped mark is the mark. */
static enum fate take_escape(struct extent *x, const struct view *v, size_t *width)
{
	link_needs_mark(v, x->at);
	if (x->source && view_byte(v, x->at + 1) == 'u')
		return take_unicode(x, v, width);
	uint8_t c;
	const size_t n = link_read_mark(v->p + x->at, v->end - x->at, &c);
	const bool named = n > 3, may = c == '/' ? n > 2 || x->escaped : x->source || x->authority;
	if (!n || !may || (!named && is_foreign(x, v, c))
	    || !(c == ':' || link_read_name(v->p + x->at, v->end - x->at)
	         || (!x->authority && (BYTE_IN(c, "/#") || in_path(x, v)))))
		return END;
	note_escape(x);
	*width = n;
	if (BYTE_IN(c, ")]}") && x->nested.escaped) {
		x->nested.escaped--;
		return close_footnote(x, c);
	}
	x->bracket = 0;
	if (c == '[' && !x->bracketed && !x->closer) /* else it is of the target of markup */
		open_footnote(x, v, n);
	if (BYTE_IN(c, "([{") && !x->nested.escaped++)
		x->nested.before_escaped = x->end; /* of roff's `\(ra` and `\[ra]` nothing is part */
	if (c == ']')
		return END; /* B5 */
	if (c == '\'')
		return x->apostrophes++ % 2 ? TAKE : PASS;
	if (BYTE_IN(c, ".&)},;?!*|"))
		return end_if(extent_scheme_at(v, x->at + n)); /* of `\(u\)`, and of roff's `\&` at the end, nothing */
	return TAKE;
}

/* B8: whether a name, its equals sign and such a scheme follow the comma, semicolon or bar at x->at. */
static bool is_next_value(const struct extent *x, const struct view *v)
{
	enum { MOST = 64 };
	const size_t name = x->at + 1;
	const size_t end = byte_span(v->p, name, smaller(v->end, name + MOST), BYTE_SCHEME | BYTE_UNDERSCORE);
	return end > name && view_read(v, end) == '=' && extent_scheme_at(v, end + 1);
}

/* B5a: whether a shell would end the link at `|` or `;`. */
static bool is_argument(struct extent *x, const struct view *v)
{
	if (!x->argument)
		x->argument = ending_is_argument(v, x->begin) ? ARGUMENT_YES : ARGUMENT_NO;
	return x->argument == ARGUMENT_YES;
}

/* B7: whether a command of AmigaGuide begins at i. */
static bool is_command(const struct view *v, size_t i)
{
	static const char commands[][6] = {"@{ub}", "@{ui}", "@{uu}", "@{fg ", "@{bg ", "@{\""};
	bool is = false;
	for (size_t k = 0; !is && k < sizeof commands / sizeof *commands; k++)
		is = view_word(v, i, commands[k], strlen(commands[k]));
	return is;
}

/* B8: the `@` in a command of Texinfo. */
static enum fate take_at(struct extent *x, const struct view *v, size_t *width)
{
	uint8_t c;
	view_needs(v, x->at, 3);
	const size_t n = link_read_at(v->p + x->at, v->end - x->at, &c);
	if (!n || !(c == '@' || in_path(x, v)))
		return PASS;
	note_escape(x);
	*width = n;
	return TAKE;
}

/* A byte that is not URL_INNER, or is `&`, or ends an authority. */
static enum fate step(struct extent *x, const struct view *v, size_t *width)
{
	uint32_t cp;
	uint8_t c = v->p[x->at];
	unsigned class = url_class[c] & ~(unsigned)(URL_INNER | URL_HOST | URL_UNDERSCORE | URL_STOP);
	if (c == '{' && x->escapes != ESCAPES_AT && x->at > x->begin && is_command(v, x->at - 1)) {
		x->at--;
		return END;
	}
	if (x->swallow && class & (URL_OPEN | URL_CLOSE | URL_APOSTROPHE | URL_SPLIT))
		return PASS;
	switch (class) {
	case URL_OPEN: return open_bracket(x, v, c);
	case URL_CLOSE:
		if (!x->nested.open[bracket_kind(c)])
			return END; /* B5: its opener is not inside the link */
		x->nested.open[bracket_kind(c)]--;
		return close_footnote(x, c);
	case URL_APOSTROPHE: return take_apostrophe(x, v);
	case URL_AMPERSAND: return take_charref(x, v, width);
	case URL_SPLIT:
		if ((c == '|' && (x->bracketed ? v->p[x->begin - 1] != '(' : text_ends(v->p, x->begin, "\\u003c")))
		    || c == x->closer || (c != ',' && is_argument(x, v)))
			return END; /* B5a: [[url|label]], also in JSON, but [text](url); B8: a list */
		return end_if(extent_scheme_at(v, x->at + 1) || (x->value && is_next_value(x, v)));
	case URL_BACKSLASH: return take_escape(x, v, width);
	case URL_HIGH:
		*width = view_character(v, x->at, &cp);
		if (!x->swallow && !x->bracketed && !x->closer && extent_between(v, x->at, *width, cp))
			return END;
		return take_character(x, cp);
	default: return x->escapes == ESCAPES_AT && c == '@' ? take_at(x, v, width) : END;
	}
}

/* Skips the bytes that need no rule, up to `stop`. */
static size_t skip_inner(struct extent *x, const uint8_t *p, size_t stop)
{
	size_t i = x->at;
	const unsigned special = ~(unsigned)(URL_INNER | URL_HOST | URL_UNDERSCORE) | bits_if(x->authority, URL_DELIMITER);
	const uint8_t closer = x->escapes == ESCAPES_AT ? '@' : x->closer;
	while (i < stop && p[i] != closer && !(url_class[p[i]] & special))
		i++;
	size_t own = i;
	while (own > x->at && !(url_class[p[own - 1]] & URL_OWN))
		own--;
	own = own > x->at ? own : x->end;
	/* only the bytes of a footnote mark between the brackets make one */
	if (x->bracket && byte_span(p, larger(x->at, x->bracket), i, x->mark) < i)
		x->bracket = 0;
	x->at = i;
	x->end = own;
	return i;
}

void extent_skip(struct extent *x, const struct view *v, size_t inner)
{
	if (BYTE_IN(view_byte(v, inner), ";\\"))
		inner = excess(byte_last(v->p, x->at, inner, '&'), 1);
	if (inner > x->at && url_class[v->p[inner - 1]] & URL_OWN)
		x->at = x->end = inner;
}

enum { CLOSER_LOOK = 256 };

/* Whether `depth` brackets of kind k are closed after *at, on its line or the next one.  *at: where it is known. */
static bool closes_after(const struct view *v, size_t *at, unsigned k, unsigned depth)
{
	bool next_line = false;
	size_t width, stop = *at + CLOSER_LOOK;
	for (; *at < stop && view_has(v, *at, 1); ++*at) {
		const uint8_t c = v->p[*at];
		if (line_end(v, *at, &width)) {
			*at += width - 1;
			view_needs(v, *at, 2);
			if (next_line)
				return false;
			next_line = true;
		}
		depth += c == "([{"[k];
		if (c == ")]}"[k] && --depth == 0)
			return true;
	}
	return false;
}

void extent_end_at_opener(struct extent *x, const struct view *v, size_t *read)
{
	size_t at = x->at;
	uint32_t c;
	view_character(v, at, &c);
	for (unsigned k = 0; k < 3 && opening_is_space(c); k++) {
		size_t to = at;
		const bool closed = x->nested.open[k] && closes_after(v, &to, k, x->nested.open[k]);
		*read = larger(to, *read);
		if (!closed || x->nested.at[k] >= x->at || x->nested.at[k] < x->nested.before[k])
			continue; /* one in the userinfo does not end it */
		x->at = x->nested.at[k];
		x->end = x->nested.before[k];
	}
	x->at_opener = x->at < at;
}

void extent_run(struct extent *x, const struct view *v)
{
	const uint8_t *p = v->p;
	size_t limit = x->begin + x->max;
	enum fate s = TAKE;
	while (s < END) {
		size_t i = skip_inner(x, p, smaller(v->end, limit)), width = 1;
		x->truncated = i >= limit;
		if (x->truncated || !view_has(v, i, 1))
			break;
		s = step(x, v, &width);
		if (s < END) {
			if (!BYTE_IN(p[i], "[]\\"))
				x->bracket = 0;
			x->at += width;
			if (s == TAKE)
				x->end = x->at;
		}
	}
	if (x->nested.escaped && (!x->bracketed || view_byte(v, x->at) == ']'))
		x->end = x->nested.before_escaped;
	extent_settle(x);
}
