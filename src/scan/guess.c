#include "guess.h"

#include "simd/runs.h"

#include <string.h>

enum { USUAL_WIDTH = 72, WIDEST_USUAL = 80, NARROWEST = 60, UNWRAPPED = 200, SLACK = 8 }; /* columns */
enum { LEAST_FIXED = 66, USUAL_FIXED = 70, LEAST_EVEN = 50 };

/* Whether c ends a line where a URL is broken, but for `/`. */
static bool is_cut_mark(uint8_t c)
{
	switch (c) {
	case '-': case '_': case '=': case '&': case '?': case '%': case '#':
		return true;
	default:
		return false;
	}
}

/* ---- the lines ---- */

/* The columns of the bytes, which begin a line; tab stops are 8 apart. */
static size_t columns(const struct view *v, size_t from, size_t to)
{
	size_t n = memchr(v->p + from, '\t', to - from) ? 0 : ascii_prefix(v->p + from, to - from);
	view_work(v, to - from);
	for (size_t i = from + n; i < to; i++)
		n = v->p[i] == '\t' ? (n | 7) + 1 : n + ((v->p[i] & 0xC0) != 0x80);
	return n;
}

/* The widest of the up to three lines of the paragraph before g->line, in columns; 0 for none. */
static size_t paragraph_width(const struct guess *g, const struct view *v)
{
	size_t widest = 0, i = g->line, stop = g->begin > BACK_LOOK ? g->begin - BACK_LOOK : 0;
	for (int lines = 0; lines < 3 && i > stop; lines++) {
		size_t end = i - 1;
		if (end > stop && v->p[end] == '\n' && v->p[end - 1] == '\r')
			end--;
		size_t k = run_line_start(v->p, stop, end);
		if (k == stop && !(v->first && !k))
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
	i = line_skip_blanks(v, i, v->end - i < 8 ? v->end : i + 8);
	if (i > at && v->flowed != FLOWED_NOT)
		return NO; /* the break is declared (J1) */
	enum verdict r = line_end(v, i, &width);
	*line = i + width;
	return r;
}

/* Whether a line prefix may begin with c, which is not a letter. */
static bool is_prefix(uint8_t c)
{
	switch (c) {
	case '>': case '|': case ':': case '!': case '<': case '*': case '.':
		return true;
	default:
		return guess_may_begin(c);
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
		return is_prefix(v->p[i]) && (v->end - i < 2 || !guess_is_tag(v->p + i)) ? NO : YES;
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
	r = prefix_match(v, g->next, &g->prefix, &marks, &g->content);
	if (r != YES)
		return r;
	r = line_find_end(v, g->next, LINE_LOOK, &g->next_end);
	if (r != YES)
		return r;
	if (g->content >= g->next_end || is_new_item(g, v, marks))
		return NO;
	return YES;
}

/* Whether the line of the link begins with the word that begins the next one: a prefix that no rule covers. */
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
static bool repeats_end(const struct guess *g, const struct view *v, const struct guess_word *w)
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
	i = scheme_prefix(p, n);
	if (i) {
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
#define LOW 0.15

/* The first index says whether the word is strong, the second whether it is alone. */
static const double measured[][2][2] = {
	[AFTER_MARK] = {{LIKELY, SURE}, {SURE, SURE}},
	[AFTER_SLASH] = {{LOW, LIKELY}, {LIKELY, SURE}},
	[AFTER_STOP] = {{0, LIKELY}, {0, LIKELY}},
	[BEFORE_MARK] = {{0, 0}, {EVEN, SURE}},
	[IN_WORD] = {{0, LIKELY}, {LIKELY, SURE}}
};

/* Whether the `=` at the end of the line is likely a soft line break of quoted-printable, though no escape in its
 * paragraph proves it (J1). */
static bool is_quoted_printable(const struct guess *g, const struct view *v, size_t here)
{
	if (v->p[g->at - 1] != '=' || here < QUOTED_LEAST || here > QUOTED_MOST)
		return false;
	enum verdict escapes = line_escapes(v, g->line, g->at - 1);
	return escapes == YES || (escapes == MORE && !g->query);
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

static enum cut find_cut(const struct guess *g, const struct view *v, const struct guess_word *w)
{
	uint8_t last = v->p[g->at - 1];
	if (is_cut_mark(last))
		return AFTER_MARK;
	if (last == '/')
		return AFTER_SLASH;
	if (last == '.' && !w->ending)
		return AFTER_STOP;
	return guess_is_delimiter(w->p[0]) || w->p[0] == ';' ? BEFORE_MARK : IN_WORD;
}

/* Of a plain word alone: a name or a sentence begins with a capital. */
static double plain_confidence(const struct guess_word *w, double usual)
{
	return w->p[0] >= 'a' && !w->common ? usual : LOW;
}

/* A cut within a word, and the rest of it. */
static double judge_in_word(const struct guess *g, const struct view *v, const struct guess_word *w,
                            const struct column *c)
{
	bool complete = guess_word_is_complete(v->p + g->from, g->at - g->from) || guess_word_is_hash(w);
	if (!g->query && guess_word_assigns(w))
		return 0;
	if (complete || !is_fixed(c, w->strong ? LEAST_FIXED : USUAL_FIXED))
		return w->alone ? LOW : 0;
	if (w->strong || !w->plain)
		return measured[IN_WORD][w->strong][w->alone];
	return w->alone ? plain_confidence(w, EVEN) : 0;
}

static double judge(const struct guess *g, const struct view *v, struct guess_word *w, const struct column *c)
{
	uint8_t last = v->p[g->at - 1];
	guess_word_classify(w, g->before, g->query);
	enum cut cut = find_cut(g, v, w);
	double confidence = measured[cut][w->strong][w->alone];
	if (!w->alone && (w->row || v->p[g->next_end - 1] == ':'))
		return 0; /* a row, an attribution */
	switch (cut) {
	case AFTER_MARK:
		if ((last == '-' && v->p[g->at - 2] == '-') || (last == '?' && !memchr(w->p, '=', w->n)))
			return 0; /* a dash, a question */
		return w->plain ? LIKELY : confidence;
	case AFTER_SLASH:
		if (w->strong)
			return confidence;
		if (!w->alone)
			return w->plain || guess_letters(w->p, w->n) == w->n ? 0 : confidence;
		if (w->closed)
			return w->common ? LOW : w->plain ? LIKELY : SURE;
		return c->here < NARROWEST ? LOW : w->plain ? plain_confidence(w, LIKELY) : confidence;
	case AFTER_STOP:
		if ((uint8_t)(w->p[0] - 'A') < 26)
			return 0; /* a sentence */
		return w->alone && w->plain ? LOW : confidence;
	case BEFORE_MARK:
		if (g->query && w->p[0] == '/' && memchr(w->p, '?', w->n))
			return LOW; /* a second reference */
		return !w->alone && w->strong && w->p[0] != '/' && w->p[0] != '#' ? LIKELY : confidence;
	case IN_WORD:
		return w->ending ? confidence : judge_in_word(g, v, w, c);
	}
	return 0;
}

/* ---- the link ---- */

/* Sets the cut.  NO: text follows the link on its line. */
static enum verdict set_cut(struct guess *g, const struct view *v)
{
	const struct extent *x = &g->x;
	g->at = x->at;
	if (x->truncated || x->at - x->end > 1 || (x->at > x->end && !memchr(".?#", v->p[x->end], 3)))
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
	g->begin = g->from = o->begin;
	g->before = o->before;
	g->query = false;
	g->x = *x;
	enum verdict r = set_cut(g, v);
	if (r == YES)
		r = next_line(v, g->at, &g->next);
	if (r != YES)
		return r;
	if (line_start(v, g->begin, &g->line) != YES)
		return NO;
	prefix_read(v, g->line, g->begin, &g->prefix);
	g->indent = columns(v, g->line, g->prefix.end);
	return YES;
}

/* Whether the cut is near the wrap column and there was no room for `n` more bytes before it. */
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
	struct guess_word w = {.p = v->p + g->content, .n = g->word.end - g->content, .after = v->p + g->word.end,
	                       .left = end - g->word.end};
	if (guess_word_is_apart(&w) || repeats_prefix(g, v) || repeats_end(g, v, &w))
		return NO;
	if (is_host_only(g, v) && w.p[0] != '/' && w.p[0] != '?' && w.p[0] != ':' && v->p[g->at - 1] != '-')
		return NO;
	struct column c = {.here = columns(v, g->line, g->at)};
	w.ending = guess_word_cuts_ending(v->p + g->from, g->at - g->from, &w);
	bool certain = w.ending && v->p[g->at - 1] != '.'; /* wherever it is */
	if (!certain && columns(v, g->next, g->content) < g->indent)
		return NO;
	g->kept = g->at - is_quoted_printable(g, v, c.here);
	if (g->kept == g->at) { /* else the column is that of the encoding */
		c.width = paragraph_width(g, v);
		c.next = columns(v, g->next, end);
		if (!certain && !is_at_column(&c, w.n))
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

/* Whether two words of prose are at i: no link is cut before them, except after a mark. */
static bool is_prose(const struct view *v, size_t begin, size_t at, size_t i)
{
	const uint8_t *p = v->p + i;
	size_t left = v->end - i, n = guess_letters(p, left < LINE_LOOK ? left : LINE_LOOK), after = n;
	if (!n || is_cut_mark(v->p[at - 1]) || left < n + 3)
		return false;
	after += p[after] == ',' || p[after] == '.';
	if (!is_blank(p[after]) || !is_alnum(p[after + 1]) || (n == 3 && !memcmp(p, "dnl", 3)))
		return false;
	struct guess_word w = {.p = p, .n = n};
	return !guess_word_cuts_ending(v->p + begin, at - begin, &w);
}

/* Whether the link ends so near the start of its line that there was room for the next word. */
static bool is_short(const struct view *v, size_t at, size_t word)
{
	size_t k = at, columns = word;
	while (k && !is_line_end(v->p[k - 1]) && columns <= NARROWEST)
		columns += v->p[--k] == '\t' ? 8 : 1;
	return columns <= NARROWEST && k;
}

/* Whether the line at i has no word, or a second one: then no guess is sure, unless the link ends with a mark or the
 * first word closes what opened before it. */
static bool is_unsure(const struct view *v, size_t begin, size_t at, size_t i)
{
	const uint8_t *p = v->p;
	size_t stop = v->end - i < LINE_LOOK ? v->end : i + LINE_LOOK, word, second;
	if (!begin || !is_space(p[begin - 1]) || is_cut_mark(p[at - 1]))
		return false;
	while (i < stop && line_is_mark(p[i]))
		i++;
	for (word = i; i < stop && !is_fws(p[i]) && p[i] != '>'; i++)
		;
	second = line_skip_blanks(v, i, stop);
	if (second == stop || p[i] == '>' || (i - word == 3 && !memcmp(p + word, "dnl", 3)))
		return false; /* it may be a line prefix */
	return i == word || (second > i && is_alnum(p[second]));
}

bool guess_may_follow(const struct view *v, size_t begin, size_t at, bool sure)
{
	size_t line, i;
	enum verdict r = next_line(v, at, &line);
	if (r != YES)
		return r == MORE;
	if (sure && is_unsure(v, begin, at, line))
		return false;
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
	struct guess_word w = {.p = v->p + i, .n = guess_letters(v->p + i, n)};
	return !is_short(v, at, n) || guess_word_cuts_ending(v->p + begin, at - begin, &w);
}
