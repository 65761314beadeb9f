#include "guess.h"

#include "text/unicode.h"

#include <string.h>

enum { USUAL_WIDTH = 72, WIDEST_USUAL = 80, NARROWEST = 60, UNWRAPPED = 200, SLACK = 8 }; /* columns */
enum { LEAST_FIXED = 66, USUAL_FIXED = 70, LEAST_EVEN = 50 };

/* What prose seldom has within a word: the delimiters of a URL's parts. */
static bool is_delimiter(uint8_t c)
{
	switch (c) {
	case '/': case '?': case '=': case '&': case '%': case '#':
		return true;
	default:
		return false;
	}
}

/* Whether c ends a line where a URL is broken, but for `/`. */
static bool is_cut_mark(uint8_t c)
{
	switch (c) {
	case '-': case '_': case '=': case '&': case '?': case '%':
		return true;
	default:
		return false;
	}
}

/* Whether the rest of a URL may begin with c. */
static bool may_begin(uint8_t c)
{
	return is_alnum(c) || is_delimiter(c) || c == '_' || c == '~' || c == '+' || c == ';' || c == ',' || c == '-';
}

/* What may follow the end of a URL on its line. */
static bool is_closing(uint8_t c)
{
	switch (c) {
	case '.': case ',': case ';': case ':': case '!': case '?': case ')': case ']': case '}': case '>': case '"': case '\'':
	case '*': case '_': case '\\':
		return true;
	default:
		return is_space(c);
	}
}

static size_t count_digits(const uint8_t *p, size_t n)
{
	size_t k = 0;
	while (k < n && is_digit(p[k]))
		k++;
	return k;
}

static size_t count_letters(const uint8_t *p, size_t n)
{
	size_t k = 0;
	while (k < n && is_alpha(p[k]))
		k++;
	return k;
}

/* ---- the lines ---- */

/* The end of the line at i; NO when it is longer than LINE_LOOK. */
static enum verdict find_line_end(const struct view *v, size_t i, size_t *end)
{
	size_t n = v->end - i > LINE_LOOK ? LINE_LOOK + 1 : v->end - i;
	const uint8_t *p = v->p + i, *lf = memchr(p, '\n', n), *cr = memchr(p, '\r', lf ? (size_t)(lf - p) : n);
	size_t k = cr ? (size_t)(cr - p) : lf ? (size_t)(lf - p) : n;
	view_work(v, k);
	*end = i + k;
	if (k > LINE_LOOK)
		return NO;
	return i + k >= v->end && !v->last ? MORE : YES;
}

/* The columns of the bytes, which begin a line; tab stops are 8 apart. */
static size_t columns(const struct view *v, size_t from, size_t to)
{
	const uint64_t highs = 0x8080808080808080u;
	size_t n = 0, i = from;
	view_work(v, to - from);
	if (!memchr(v->p + from, '\t', to - from))
		for (uint64_t word; to - i >= sizeof word; i += sizeof word) {
			memcpy(&word, v->p + i, sizeof word);
			if (word & highs)
				break;
			n += sizeof word; /* as most are */
		}
	for (; i < to; i++)
		n = v->p[i] == '\t' ? (n | 7) + 1 : n + ((v->p[i] & 0xC0) != 0x80);
	return n;
}

/* The widest of the up to three lines of the paragraph before g->line, in columns; 0 for none. */
static size_t paragraph_width(const struct guess *g, const struct view *v)
{
	size_t widest = 0, i = g->line, stop = g->begin - v->low > BACK_LOOK ? g->begin - BACK_LOOK : v->low;
	for (int lines = 0; lines < 3 && i > stop; lines++) {
		size_t end = i - 1;
		if (end > stop && v->p[end] == '\n' && v->p[end - 1] == '\r')
			end--;
		size_t k = end;
		while (k > stop && !is_line_end(v->p[k - 1]))
			k--;
		if (k == stop && !(v->first && k == v->low))
			break; /* the line may begin farther back */
		i = k;
		while (end > k && is_blank(v->p[end - 1]))
			end--;
		if (k == end)
			break;
		size_t width = columns(v, k, end);
		if (width > widest)
			widest = width;
	}
	return widest;
}

/* The start of the next line, where only blanks follow `at` on its line. */
static enum verdict next_line(const struct view *v, size_t at, size_t *line)
{
	size_t i = at, width;
	while (i < v->end && i - at < 8 && is_blank(v->p[i]))
		i++;
	if (i > at && v->flowed != FLOWED_NOT)
		return NO; /* the break is declared (J1) */
	enum verdict r = line_end(v, i, &width);
	*line = i + width;
	return r;
}

/* Whether a line prefix may begin with c, which is no letter. */
static bool is_prefix(uint8_t c)
{
	switch (c) {
	case '>': case '|': case ':': case '!': case '<': case '*': case '.':
		return true;
	default:
		return may_begin(c);
	}
}

/* Whether the line at i is blank or begins with a link, the name of a header field or of a host, a separator or a
 * bracket, as most lines after a link do. */
static enum verdict begins_apart(const struct view *v, size_t i)
{
	size_t k = i;
	while (k < v->end && k - i < LINE_LOOK && is_blank(v->p[k]))
		k++;
	i = k;
	while (k < v->end && k - i < LINE_LOOK && is_scheme_byte(v->p[k]))
		k++;
	view_work(v, k - i);
	if (k >= v->end)
		return v->last && k > i ? NO : v->last ? YES : MORE;
	if (k == i)
		return is_prefix(v->p[i]) ? NO : YES;
	if ((v->p[k] == ':' && is_alpha(v->p[i])) || (k - i > 1 && v->p[i] == '-' && v->p[i + 1] == '-'))
		return YES;
	return k - i > 4 && (ascii_begins(v->p + i, "www.", 4) || ascii_begins(v->p + i, "ftp.", 4)) ? YES : NO;
}

/* Whether a list mark of its own begins the next line.  ` * ` is how a comment of C goes on. */
static bool is_new_item(const struct guess *g, const struct view *v, size_t marks)
{
	if (!g->prefix.list || marks == g->next || g->content != marks + 1)
		return false;
	const uint8_t *p = v->p + marks - 1;
	size_t column = marks - 1 - g->next;
	return *p != '*' || !column || p[-1] != ' ' || (column > 1 && p[-2] == ' ');
}

/* Finds the text of the next line. */
static enum verdict read_next(struct guess *g, const struct view *v)
{
	size_t marks;
	enum verdict r = next_line(v, g->at, &g->next);
	if (r != YES)
		return r;
	r = begins_apart(v, g->next);
	if (r != NO)
		return r == MORE ? MORE : NO;
	r = furniture_match(v, g->next, &g->prefix, &marks, &g->content);
	if (r != YES)
		return r;
	r = find_line_end(v, g->next, &g->next_end);
	if (r != YES)
		return r;
	if (g->content >= g->next_end || is_new_item(g, v, marks))
		return NO;
	return columns(v, g->next, g->content) < g->indent ? NO : YES;
}

/* ---- words ---- */

/* A word and what follows it on its line. */
struct word {
	const uint8_t *p;
	size_t n;
	const uint8_t *after;
	size_t left;
	bool alone;  /* nothing but closing punctuation follows it */
	bool strong; /* it holds marks that prose has not or, alone, ends like a file name */
};

/* The endings of file names, and of hosts, at which a URL is often complete. */
static bool is_ending(const uint8_t *p, size_t n)
{
	static const char endings[][6] = {
		"html", "htm", "shtml", "xhtml", "php", "asp", "aspx", "jsp", "cgi", "pdf", "ps", "txt", "doc", "ppt", "xls", "xml", "xsd",
		"gif", "jpg", "jpeg", "png", "gz", "tgz", "bz2", "xz", "zip", "tar", "git", "com", "net", "org"
	};
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (ascii_is(p, n, endings[i]))
			return true;
	return false;
}

/* Whether the word ends like a file name rather than like a host name. */
static bool ends_as_file(const struct word *w)
{
	size_t k = 0;
	while (k < w->n && k < 6 && is_alnum(w->p[w->n - 1 - k]))
		k++;
	const uint8_t *ending = w->p + w->n - k;
	if (!k || k > 5 || w->n < k + 2 || ending[-1] != '.' || !is_alpha(*ending))
		return false;
	static const char hosts[][4] = {"com", "net", "org", "edu", "gov", "mil"};
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
		if (ascii_is(ending, k, hosts[i]))
			return false;
	return is_alnum(ending[-2]) || ending[-2] == '_' || ending[-2] == '-' || ending[-2] == ')';
}

/* Whether bytes stand in it that prose has not; `=3D` of undecoded quoted-printable is none outside of a query. */
static bool holds_marks(const struct word *w, bool query)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->p[i] == '=' && !query && w->n - i > 2 && hex_digit(w->p[i + 1]) < 16 && hex_digit(w->p[i + 2]) < 16)
			i += 2;
		else if (is_delimiter(w->p[i]))
			return true;
	return false;
}

/* "and/or" */
static bool is_alternative(const struct word *w)
{
	size_t first = count_letters(w->p, w->n), left = w->n - first;
	if (!first || left < 2 || w->p[first] != '/')
		return false;
	size_t second = count_letters(w->p + first + 1, left - 1);
	left -= 1 + second;
	return second && (!left || (left == 1 && w->p[w->n - 1] == '/'));
}

/* A word of prose: letters, not of mixed case. */
static bool is_plain_word(const struct word *w)
{
	size_t upper = 0;
	for (size_t i = 0; i < w->n; i++)
		upper += (uint8_t)(w->p[i] - 'A') < 26;
	return count_letters(w->p, w->n) == w->n && (upper == w->n || upper == (size_t)((uint8_t)(w->p[0] - 'A') < 26));
}

/* A clock time, a date or a telephone number: groups of digits. */
static bool is_figures(const struct word *w)
{
	size_t groups[5], count = 0, i = 0;
	uint8_t separator = 0;
	while (count < 5 && i < w->n) {
		groups[count] = count_digits(w->p + i, w->n - i);
		i += groups[count];
		if (!groups[count] || groups[count] > 4)
			return false;
		count++;
		if (i == w->n)
			break;
		if ((w->p[i] != ':' && (w->p[i] < '-' || w->p[i] > '/')) || (separator && w->p[i] != separator))
			return separator == ':' && w->n - i == 2; /* 10:30am */
		separator = w->p[i++];
	}
	if (i < w->n || count < 2 || count > 4)
		return false;
	if (separator == ':')
		return true;
	if (count == 3 && groups[0] != 3 && groups[1] < 3 && groups[2] != 3)
		return true;
	return separator != '/' && groups[count - 1] == 4 && groups[count - 2] == 3; /* 555-0100, 1-800-555-0100 */
}

/* A rule across the page: no letters or digits, or a few different bytes over and over. */
static bool is_ruler(const struct word *w)
{
	uint8_t seen[3];
	size_t kinds = 0;
	bool solid = false, many = false;
	for (size_t i = 0; i < w->n && !(solid && many); i++) {
		solid |= is_alnum(w->p[i]);
		if (memchr(seen, w->p[i], kinds))
			continue;
		many |= kinds == sizeof seen;
		if (!many)
			seen[kinds++] = w->p[i];
	}
	return !solid || (!many && w->n >= 6 && count_digits(w->p, w->n) < w->n);
}

/* Whether nothing follows the word but closing punctuation and a footnote mark. */
static bool is_alone(const struct word *w)
{
	for (size_t i = 0; i < w->left; i++) {
		uint8_t c = w->after[i];
		if (c == '[') {
			size_t digits = count_digits(w->after + i + 1, w->left - i - 1);
			if (!digits || i + 1 + digits >= w->left || w->after[i + 1 + digits] != ']')
				return false;
			i += 1 + digits;
		} else if (!is_closing(c)) {
			return false;
		}
	}
	return true;
}

/* Whether the word ends at the counterpart of what stands before the link. */
static bool is_closed(const struct word *w, uint32_t before)
{
	uint32_t close;
	if (!w->left || !before)
		return false;
	utf8_next(w->after, w->left, &close);
	switch (before) {
	case '(': return close == ')';
	case '[': return close == ']';
	case '{': return close == '}';
	case '<': return close == '>';
	case '>': return close == '<'; /* between tags */
	default: return opening_pairs(before, close);
	}
}

/* Whether the rest of the line has columns of a table. */
static bool is_table_row(const struct word *w)
{
	size_t blanks = 0;
	for (size_t i = 0; i < w->left; i++) {
		if (w->after[i] == '|' || ((blanks > 2 || (i && w->after[i - 1] == '\t')) && !is_blank(w->after[i])))
			return true;
		blanks = is_blank(w->after[i]) ? blanks + 1 : 0;
	}
	return false;
}

/* ---- what is never a part of a link ---- */

/* The line begins something of its own: a list item, a comment, a signature. */
static bool begins_item(const struct word *w)
{
	const uint8_t *p = w->p;
	size_t n = w->n + w->left, digits = count_digits(p, n);
	if ((p[0] == '-' || p[0] == '*' || p[0] == '+') && (n == 1 || is_space(p[1])))
		return true;
	if (n > 1 && ((p[0] == '-' && p[1] == '-') || (p[0] == '/' && (p[1] == '/' || p[1] == '*'))))
		return true;
	if (p[0] == '.') {
		size_t letters = count_letters(p + 1, n - 1);
		return !is_ending(p + 1, letters); /* a request of roff */
	}
	if (!may_begin(p[0]))
		return true;
	return digits && digits < 4 && digits + 1 < n && is_blank(p[digits + 1])
	       && (p[digits] == '.' || p[digits] == ')' || p[digits] == ':');
}

/* An address, a telephone number with its country, a call in code, a name with its colon. */
static bool is_of_its_own(const struct word *w)
{
	size_t name = 0;
	if (w->p[0] == '+' && w->n > 1 && is_digit(w->p[1]))
		return true;
	if (w->n > 6 && w->p[0] == '1' && w->p[1] == '-' && count_digits(w->p + 2, 4) == 3 && w->p[5] == '-')
		return true; /* 1-800-WORDS */
	if (w->left && w->after[0] == ':')
		return true;
	while (name < w->n && is_scheme_byte(w->p[name]))
		name++;
	if (name && name < w->n && w->p[name] == ':' && is_alpha(w->p[0]))
		return true;
	if (w->n > 4 && (ascii_begins(w->p, "www.", 4) || ascii_begins(w->p, "ftp.", 4)))
		return true;
	for (size_t i = 0; i < w->n && !is_delimiter(w->p[i]); i++)
		if (w->p[i] == '@' || (w->p[i] == '(' && i && i + 1 < w->n))
			return true;
	return is_figures(w) || is_ruler(w);
}

/* Whether the line of the link begins with the word that begins the next one: a prefix that no rule knows. */
static bool repeats_prefix(const struct guess *g, const struct view *v)
{
	size_t i = g->from == g->begin ? g->prefix.end : g->from, n = 0;
	bool solid = false;
	while (i + n < g->from && !is_space(v->p[i + n]))
		solid |= is_alnum(v->p[i + n++]);
	if (n < 2 || !solid || i + n >= g->from || g->next_end - g->content < n || memcmp(v->p + i, v->p + g->content, n))
		return false;
	return g->content + n == g->next_end || is_space(v->p[g->content + n]);
}

/* Whether the word begins with what the link ends with: a name beside its location. */
static bool repeats_end(const struct guess *g, const struct view *v, const struct word *w)
{
	size_t k = g->at;
	while (k > g->from && v->p[k - 1] != '/' && v->p[k - 1] != ':')
		k--;
	size_t n = g->at - k;
	return n > 3 && n <= w->n && !memcmp(v->p + k, w->p, n);
}

/* Whether the link so far is an authority alone, or an address. */
static bool is_host_only(const struct guess *g, const struct view *v)
{
	const uint8_t *p = v->p + g->begin;
	size_t n = g->at - g->begin, i = 0;
	if (g->from != g->begin)
		return false;
	if (n > 7 && ascii_begins(p, "mailto:", 7))
		return !g->query;
	while (i < n && is_scheme_byte(p[i]))
		i++;
	if (i < n && p[i] == ':') {
		if (n - i < 3 || p[i + 1] != '/' || p[i + 2] != '/')
			return false;
		i += 3;
	}
	while (i < n && p[i] != '/' && p[i] != '?' && p[i] != '#')
		i++;
	return i == n;
}

/* ---- confidence ---- */

enum cut { AFTER_MARK, AFTER_SLASH, AFTER_STOP, BEFORE_MARK, IN_WORD };

/* Shares of right joins among judged ones, after what is never a join: of SURE 71 in 71, of LIKELY 14 in 14, of LOW 1
 * in 7.  EVEN and LOW are for what looks like prose in a likely place. */
#define SURE 0.97
#define LIKELY 0.9
#define EVEN 0.5
#define LOW 0.2

/* The first index says whether the word is strong, the second whether it is alone. */
static const double measured[][2][2] = {
	[AFTER_MARK] = {{LIKELY, SURE}, {SURE, SURE}},
	[AFTER_SLASH] = {{LOW, LIKELY}, {LIKELY, SURE}},
	[AFTER_STOP] = {{0, LIKELY}, {0, LIKELY}},
	[BEFORE_MARK] = {{0, 0}, {EVEN, SURE}},
	[IN_WORD] = {{0, LIKELY}, {LIKELY, SURE}}
};

/* The letters and digits at the end of the bytes, at most 5, where a full stop stands before them: *n is their number.
 * False for none. */
static bool find_ending(const uint8_t *p, size_t length, size_t *n)
{
	size_t k = 0;
	while (k < length && k < 5 && is_alnum(p[length - 1 - k]))
		k++;
	*n = k;
	return k < length && p[length - 1 - k] == '.';
}

/* Whether the name of a kind of file was cut: `.ht` and `ml`. */
static bool cuts_ending(const uint8_t *p, size_t length, const struct word *w)
{
	uint8_t ending[10];
	size_t n;
	if (w->n > 5 || count_letters(w->p, w->n) < w->n || !find_ending(p, length, &n))
		return false;
	if (w->n > 2 && is_ending(p + length - n, n))
		return false; /* a link that is complete, and a word */
	memcpy(ending, p + length - n, n);
	memcpy(ending + n, w->p, w->n);
	return is_ending(ending, n + w->n);
}

/* Whether the `=` at the end of the line is a soft line break of quoted-printable that was not decoded (RFC 2045
 * section 6.7): there every other `=` is an escape. */
static bool is_quoted_printable(const struct guess *g, const struct view *v, size_t here)
{
	bool escaped = false;
	if (here < 70 || here > 77)
		return false;
	for (size_t i = g->line; i + 1 < g->at; i++) {
		if (v->p[i] != '=')
			continue;
		if (g->at - i < 4 || hex_digit(v->p[i + 1]) > 15 || hex_digit(v->p[i + 2]) > 15)
			return false;
		escaped |= v->p[i + 1] == '3' && to_lower(v->p[i + 2]) == 'd';
	}
	return escaped || !g->query;
}

/* The line with the cut, in columns. */
struct column {
	size_t here;  /* where the cut is */
	size_t width; /* of the paragraph before; 0 for none */
	size_t next;  /* the width of the next line */
};

/* Only lines broken at a fixed column are cut within a word.  Such columns are seldom below `least`, unless the next
 * line is cut at the same one. */
static bool is_fixed(const struct column *c, size_t least)
{
	return c->here + 2 >= c->width && (c->here >= least || (c->here >= LEAST_EVEN && c->here == c->next));
}

static enum cut find_cut(const struct guess *g, const struct view *v, const struct word *w, bool ending)
{
	uint8_t last = v->p[g->at - 1];
	if (is_cut_mark(last))
		return AFTER_MARK;
	if (last == '/')
		return AFTER_SLASH;
	if (last == '.' && !ending)
		return AFTER_STOP;
	return is_delimiter(w->p[0]) || w->p[0] == ';' ? BEFORE_MARK : IN_WORD;
}

/* A cut within a word, and the rest of it. */
static double judge_in_word(const struct guess *g, const struct view *v, const struct word *w, const struct column *c)
{
	size_t n, length = g->at - g->from;
	const uint8_t *part = v->p + g->from;
	bool complete = find_ending(part, length, &n) && is_ending(part + length - n, n);
	if (complete || !is_fixed(c, w->strong ? LEAST_FIXED : USUAL_FIXED))
		return w->alone ? LOW : 0;
	if (w->strong || !is_plain_word(w))
		return measured[IN_WORD][w->strong][w->alone];
	return !w->alone ? 0 : w->p[0] >= 'a' ? EVEN : LOW;
}

static double judge(const struct guess *g, const struct view *v, struct word *w, const struct column *c)
{
	uint8_t last = v->p[g->at - 1];
	bool ending = cuts_ending(v->p + g->from, g->at - g->from, w);
	w->alone = is_alone(w) || is_closed(w, g->before);
	w->strong = ending || (holds_marks(w, g->query) && (w->alone || !is_alternative(w))) || (w->alone && ends_as_file(w));
	enum cut cut = find_cut(g, v, w, ending);
	double confidence = measured[cut][w->strong][w->alone];
	if (!w->alone && (is_table_row(w) || v->p[g->next_end - 1] == ':'))
		return 0; /* a row, an attribution */
	switch (cut) {
	case AFTER_MARK:
		if ((last == '-' && v->p[g->at - 2] == '-') || (last == '?' && !memchr(w->p, '=', w->n)))
			return 0; /* a dash, a question */
		return is_plain_word(w) ? LIKELY : confidence;
	case AFTER_SLASH:
		if (w->strong)
			return confidence;
		if (!w->alone)
			return count_letters(w->p, w->n) == w->n ? 0 : confidence;
		return c->here < NARROWEST ? LOW : is_plain_word(w) ? EVEN : confidence;
	case AFTER_STOP:
		if ((uint8_t)(w->p[0] - 'A') < 26)
			return 0; /* a sentence */
		return w->alone && is_plain_word(w) ? LOW : confidence;
	case BEFORE_MARK:
		return !w->alone && w->strong && w->p[0] != '/' ? LIKELY : confidence;
	case IN_WORD:
		return ending ? confidence : judge_in_word(g, v, w, c);
	}
	return 0;
}

/* ---- the link ---- */

/* Sets the cut.  NO: text follows the link on its line. */
static enum verdict set_cut(struct guess *g, const struct view *v)
{
	const struct extent *x = &g->x;
	g->at = x->at;
	if (x->truncated || x->at - x->end > 1 || (x->at > x->end && v->p[x->end] != '.' && v->p[x->end] != '?'))
		return NO;
	if (g->at < v->end && v->p[g->at] == '-' && is_host_only(g, v))
		g->at++; /* no host ends with it, but a part of one may */
	if (g->at >= v->end)
		return v->last ? NO : MORE;
	g->query |= memchr(v->p + g->from, '?', g->at - g->from) != NULL;
	return is_fws(v->p[g->at]) ? YES : NO;
}

enum verdict guess_init(struct guess *g, const struct view *v, const struct opening *o, const struct extent *x)
{
	*g = (struct guess){.begin = o->begin, .from = o->begin, .before = o->before, .x = *x};
	enum verdict r = set_cut(g, v);
	if (r != YES)
		return r;
	if (line_start(v, g->begin, &g->line) != YES)
		return NO;
	furniture_read(v, g->line, g->begin, &g->prefix);
	g->indent = columns(v, g->line, g->prefix.end);
	return YES;
}

/* Whether the cut is near the wrap column and `n` bytes more had no place before it. */
static bool is_at_column(const struct column *c, size_t n)
{
	size_t least = c->width >= NARROWEST ? c->width : USUAL_WIDTH;
	size_t most = c->width > WIDEST_USUAL && c->width < UNWRAPPED ? c->width : WIDEST_USUAL;
	return c->here + n > least && c->here <= most + SLACK;
}

enum verdict guess_next(struct guess *g, const struct view *v)
{
	enum verdict r = read_next(g, v);
	if (r != YES)
		return r;
	g->word = g->x;
	g->word.at = g->word.end = g->content;
	g->word.bracket = 0;
	if (extent_run(&g->word, v) == MORE)
		return MORE;
	size_t end = g->next_end;
	while (end > g->content && is_blank(v->p[end - 1]))
		end--;
	if (g->word.end == g->content || g->word.end > end)
		return NO;
	struct word w = {.p = v->p + g->content, .n = g->word.end - g->content, .after = v->p + g->word.end, .left = end - g->word.end};
	if (begins_item(&w) || is_of_its_own(&w) || repeats_prefix(g, v) || repeats_end(g, v, &w))
		return NO;
	if (is_host_only(g, v) && w.p[0] != '/' && w.p[0] != '?' && w.p[0] != ':' && v->p[g->at - 1] != '-')
		return NO;
	struct column c = {.here = columns(v, g->line, g->at)};
	g->kept = g->at - (v->p[g->at - 1] == '=' && is_quoted_printable(g, v, c.here));
	if (g->kept == g->at) { /* else the column is that of the encoding */
		c.width = paragraph_width(g, v);
		c.next = columns(v, g->next, end);
		if (!is_at_column(&c, w.n))
			return NO;
	}
	g->next_end = end;
	g->confidence = judge(g, v, &w, &c);
	return g->confidence > 0 ? YES : NO;
}

enum verdict guess_take(struct guess *g, const struct view *v)
{
	g->line = g->next;
	g->from = g->content;
	g->x = g->word;
	return set_cut(g, v);
}

/* The bytes of the line at i before blanks or its end, at most LINE_LOOK. */
static size_t count_solid(const struct view *v, size_t i)
{
	size_t k = i;
	while (k < v->end && k - i < LINE_LOOK && !is_fws(v->p[k]))
		k++;
	return k - i;
}

/* Whether two words of prose stand at i: no link is cut before them, but after marks of its own. */
static bool is_prose(const struct view *v, size_t begin, size_t at, size_t i)
{
	const uint8_t *p = v->p + i;
	size_t left = v->end - i, n = count_letters(p, left < LINE_LOOK ? left : LINE_LOOK), after = n;
	if (!n || is_cut_mark(v->p[at - 1]) || left < n + 3)
		return false;
	after += p[after] == ',' || p[after] == '.';
	if (!is_blank(p[after]) || !is_alnum(p[after + 1]) || (n == 3 && !memcmp(p, "dnl", 3)))
		return false;
	struct word w = {.p = p, .n = n};
	return !cuts_ending(v->p + begin, at - begin, &w);
}

/* Whether the link ends so near its line's start that the next word had a place behind it. */
static bool is_short(const struct view *v, size_t at, size_t word)
{
	size_t k = at, columns = word;
	while (k > v->low && !is_line_end(v->p[k - 1]) && columns <= NARROWEST)
		columns += v->p[--k] == '\t' ? 8 : 1;
	return columns <= NARROWEST && k > v->low;
}

bool guess_may_follow(const struct view *v, size_t begin, size_t at)
{
	size_t line, i;
	enum verdict r = next_line(v, at + (at < v->end && v->p[at] == '-'), &line);
	if (r != YES)
		return r == MORE;
	r = begins_apart(v, line);
	if (r != NO)
		return r == MORE;
	for (i = line; i < v->end && i - line < LINE_LOOK && is_blank(v->p[i]); i++)
		;
	if (is_prose(v, begin, at, i))
		return false;
	size_t n = count_solid(v, i);
	if (n == LINE_LOOK || i + n >= v->end || !is_alnum(v->p[i]) || v->p[i + n - 1] == '>' || n == 3)
		return true; /* it may be a line prefix */
	return !is_short(v, at, n);
}
