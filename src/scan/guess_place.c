#include "guess.h"
#include "guess_table.h"

#include "simd/runs.h"
#include "text/match.h"
#include "text/unicode.h"

#include <string.h>

enum { NARROW = 50, WIDE = 100 };     /* columns of text that is wrapped */
enum { USUAL_LEAST = 66, USUAL_MOST = 80 }; /* where nothing says what the wrap column is */
enum { COLUMN = 8 };                  /* text that begins so far to the right of the link is in another column */
enum { LINES = 8, LEAST_LINES = 3 };  /* of the neighbourhood */

/* ---- columns ---- */

size_t guess_columns(const struct view *v, size_t from, size_t to)
{
	size_t n = 0;
	uint32_t c;
	for (size_t i = from, k; i < to; i += utf8_next(v->p + i, to - i, &c)) {
		k = run_columns(v->p, i, to);
		n += k - i;
		if (k == to)
			break;
		i = k;
		n = v->p[i] == '\t' ? (n | 7) + 1 : n + 1;
	}
	return n;
}

/* The columns of the quote marks that the line at i, before `end`, begins with, and of the blank after them. */
static size_t quote_columns(const struct view *v, size_t i, size_t end)
{
	size_t after = byte_span_back(v->p, i, byte_span(v->p, i, end, BYTE_BLANK | BYTE_QUOTE), BYTE_BLANK);
	return after == i ? 0 : guess_columns(v, i, after + (byte_at(v->p, after, end) == ' '));
}

/* The column of the text at `text` on the line at i, counted from its quote marks on. */
static size_t text_column(const struct view *v, size_t i, size_t text)
{
	return guess_columns(v, i, text) - quote_columns(v, i, text);
}

bool guess_line_before(const struct guess *g, const struct view *v, size_t *i, size_t *end)
{
	size_t low = excess(g->begin, BACK_LOOK);
	if (*i <= low)
		return false;
	*end = *i - 1 - text_ends(v->p + low, *i - low, "\r\n");
	*i = run_line_start(v->p, low, *end);
	return *i > low || (v->first && !*i);
}

size_t guess_line_below(const struct guess *g, const struct view *v, size_t *n)
{
	size_t end, width, stop;
	line_find_end(v, g->next_end, LINE_LOOK, &end); /* it was found before */
	line_end(v, end, &width);
	end += width;
	*n = line_find_end(v, end, LINE_LOOK, &stop) ? stop - end : 0;
	return end;
}

void guess_measure(const struct guess *g, const struct view *v, struct guess_place *place)
{
	/* of the longest line without a link among those before: too few say nothing, or the text is not wrapped */
	size_t widest = 0, i = g->line, end;
	int seen = 0;
	while (seen < LINES && guess_line_before(g, v, &i, &end)) {
		end = byte_span_back(v->p, i, end, BYTE_BLANK);
		if (end == i || text_index(v->p + i, end - i, "://") < end - i)
			continue;
		widest = larger(widest, guess_columns(v, i, end) - quote_columns(v, i, end));
		seen++;
	}
	place->own = place->here - quote_columns(v, g->line, g->from);
	place->width = seen >= LEAST_LINES && within(widest, NARROW, WIDE) ? widest : 0;
}

/* ---- features ---- */

static enum guess_cut find_cut(const struct guess *g)
{
	static const struct { char last[10]; enum guess_cut cut; } marks[] = {
		{"-", CUT_HYPHEN}, {"/", CUT_SLASH}, {"=&?%_#+;@", CUT_MARK}, {".", CUT_STOP}
	};
	if (g->w.ending && g->last != '.')
		return CUT_ENDING;
	for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
		if (is_of((char)g->last, marks[k].last))
			return marks[k].cut;
	return bytes16_has("/?=&%#;.@-/?=&%#", g->w.p[0]) ? CUT_BEFORE : CUT_IN_WORD;
}

static enum guess_shape find_shape(const struct guess *g)
{
	if (g->w.strong)
		return SHAPE_STRONG;
	if (!g->w.plain)
		return SHAPE_ODD;
	return g->w.p[0] >= 'a' ? SHAPE_PLAIN : SHAPE_COMMON;
}

/* The next piece ends where the programs that break a URL at such a place could have broken it again. */
static enum guess_room find_room(enum guess_cut cut, const struct guess *g, const struct guess_place *place)
{
	size_t width = (size_t)number_or(place->width, USUAL_LEAST);
	if (place->own > larger(USUAL_MOST, place->width + 4))
		return ROOM_OVER;
	const uint8_t *p = g->w.p;
	size_t piece = cut == CUT_IN_WORD ? 0 : byte_until(p, 0, g->w.solid, cut == CUT_SLASH ? "/" : "/-");
	piece += piece < g->w.solid;
	if (place->own + piece > width)
		return ROOM_FULL;
	return place->own + g->w.solid > width ? ROOM_PART : ROOM_LEFT;
}

bool guess_is_full(const struct guess *g, const struct guess_place *place)
{
	enum guess_cut cut = find_cut(g);
	return cut != CUT_IN_WORD && find_room(cut, g, place) == ROOM_FULL;
}

/* Lines cut at a column, as some programs do it, whatever stands there.  Quote marks may have been set before it; some
 * cut quoted lines with them at 64, to which more marks may have been added since, and Gmail a word with which a line
 * begins at 60. */
static bool is_fixed(const struct guess_place *place, bool starts, bool strong)
{
	enum { LEAST = 70, MOST = 76, QUOTED = 64, WORD = 60 };
	const size_t marks = place->here - place->own;
	const bool usual = within(place->here, LEAST, MOST);
	const bool deep = strong && marks > 2 && within(place->here, QUOTED, QUOTED + 3);
	const bool quoted = deep || (marks == 2 && place->here == QUOTED);
	const bool word = starts && place->own == WORD;
	return usual || quoted || word || place->own == place->width || within(place->own, LEAST - 2, MOST);
}

/* Whether the rest of a line that is cut within a word is prose: a capitalised word alone, the label of a link in `[]`
 * as in MediaWiki, or the end of a sentence in a quoted line, which no mailer cuts within a word. */
static bool is_prose(const struct guess *g, enum guess_shape shape)
{
	if (shape < SHAPE_PLAIN || g->w.closed || !g->w.alone)
		return shape >= SHAPE_PLAIN && g->w.closed && g->before == '[';
	bool capital = shape == SHAPE_COMMON && g->w.n > 1 && !(byte_class[g->w.p[1]] & BYTE_UPPER);
	if (capital || !g->w.left || !bytes16_has(".,;:!?.,;:!?.,;:", g->w.after[0]))
		return capital;
	return quote_columns(g->v, g->line, g->from);
}

/* Whether the word begins anew: with a letter after a digit, with a capital after a small letter or `}`, or as the hash
 * of a commit.  Of the words with marks it must be a path whose first name has no digits.  What is as long as base64 is
 * on a line is no word, nor is its end. */
static bool is_new(const struct guess *g)
{
#define HEX "[%dabcdef]*"
	enum { WORD_MAX = 40, HASH_LEAST = 7, HASH_MOST = 12 };
	const uint8_t first = g->w.p[0], last = g->last;
	const size_t n = g->w.n, name = byte_span(g->w.p, 0, n, BYTE_BUT(BYTE_DELIMITER | BYTE_DIGIT));
	if (g->from > g->begin || (g->w.strong ? byte_at(g->w.p, name, n) != '/' : n >= WORD_MAX))
		return false;
	const bool small = byte_class[last] & BYTE_LOWER || last == '}';
	/* the short hash of a commit, after a name that is none */
	const size_t before = byte_span_back(g->part, 0, g->length, BYTE_ALNUM);
	const bool commit = within(n, HASH_LEAST, HASH_MOST)
	                    && match_bytes(g->w.p, n, "%d+[abcdef]" HEX MATCH_END "|[abcdef]+%d" HEX MATCH_END)
	                    && match_bytes(g->part + before, g->length - before, HEX "%w");
	return commit || byte_class[first] & (is_digit(last) ? BYTE_ALPHA : small ? BYTE_UPPER : 0);
}

/* Whether the word has no marks of a URL. */
static bool is_name(const struct guess *g) { return byte_until(g->w.p, 0, g->w.n, "/?=&%#") == g->w.n; }

/* Whether the word is the name of a file of its own, or no name: `README.txt`, a version, a short number, `1/3`,
 * `src/lamps`, `he/she` after a small letter; below a last name of at least three bytes a patch of several words, and
 * `lamps-1.2.tar.gz` if that has no hyphen. */
static bool is_own_file(const struct guess *g)
{
	const uint8_t *p = g->w.p, *part = g->part;
	const size_t n = g->w.n, name = byte_last(part, 0, g->length, '/'), have = g->length - name;
	const bool small = byte_class[g->last] & BYTE_LOWER;
	if (!is_name(g))
		return small && match_bytes(p, n, "%d%d?/%d%d?" MATCH_END "|debian/|he/|include/|src/");
	if (!match_bytes(p, n, "[%w_]+-"))
		return small && match_bytes(p, n, "%u%u%u+.|%d+[.]%d|%d%d?" MATCH_END);
	const bool patch = text_ends(p, n, ".patch") || text_ends(p, n, ".diff");
	return have > 2 && (patch || (match_bytes(p, n, "[%w_]+-%d+.%d") && !memchr(part + name, '-', have)));
}

/* Whether the next line, with that indentation, is a heading between links of a list: it is indented, but less than the
 * line of the link, and the line below begins as that one does, up to the scheme. */
static bool is_heading(const struct guess *g, size_t indent)
{
	const struct view *v = g->v;
	const size_t length = g->begin - g->line, first = byte_span(v->p, g->line, g->begin, BYTE_BLANK | BYTE_QUOTE);
	if (!indent || g->from != g->begin || indent >= text_column(v, g->line, first))
		return false;
	size_t n;
	const uint8_t *below = v->p + guess_line_below(g, v, &n);
	return n > length && memcmp(below, v->p + g->line, length) == 0
	       && match_bytes(below + length, n - length, "%a+://");
}

static int points_if(bool is, int points) { return is ? points : 0; }

double guess_confidence(const struct guess *g, const struct guess_place *place)
{
	const struct view *v = g->v;
	const uint8_t *p = g->w.p;
	enum guess_cut cut = find_cut(g);
	enum guess_shape shape = find_shape(g);
	/* a bracket closes after words of prose too: `(http://h/x here)` */
	enum guess_tail tail = g->w.closed && (cut < CUT_IN_WORD || shape < SHAPE_PLAIN) ? TAIL_CLOSED : TAIL_ALONE;
	if (!g->w.alone)
		tail = bytes16_has(".,;).,;).,;).,;)", g->w.after[0]) ? TAIL_MARK : TAIL_TEXT;
	size_t text = guess_text_start(g, v), end = (size_t)(g->w.after + g->w.left - v->p);
	enum guess_room room = find_room(cut, g, place);
	const bool starts = byte_span(v->p, text, g->begin, BYTE_BUT(BYTE_BLANK)) >= g->begin;
	const bool fixed = cut >= CUT_MARK && is_fixed(place, starts, shape == SHAPE_STRONG);
	bool blank = is_blank(v->p[g->at]), word = cut == CUT_IN_WORD && !place->completes;
	/* who wraps lines between words would not cut the one in a link that has room on a line with a name, before text */
	const bool fits = !starts && !g->w.alone && g->length + g->w.n <= GUESS_SHORT;
	if (word && ((!fixed && (room != ROOM_FULL || shape > SHAPE_ODD)) || is_prose(g, shape) || is_own_file(g)
	             || is_new(g) || (fits && is_name(g))))
		return 0;
	/* the line was broken at that blank, as before a name after the URL of a command; the last name is whole */
	if (shape > SHAPE_STRONG && blank && (word || (cut == CUT_SLASH && starts)))
		return 0;
	/* a name after a slash: `/ada`, a signature; on a full line, the value of a parameter may go on so */
	const bool signature = p[0] == '/' && g->w.alone && !(g->query ? room < ROOM_LEFT : g->w.closed)
	                       && byte_span(p, 1, g->w.n, BYTE_NAME) == g->w.n && !g->host;
	if (signature || (cut == CUT_STOP && text_ends(g->part, g->length, "/.") && is_name(g)))
		return 0;
	/* what is left of a list mark or an indentation when a mailer wraps the line */
	bool wrapped = (cut == CUT_HYPHEN || (shape == SHAPE_STRONG && cut != CUT_STOP)) && room != ROOM_OVER;
	if (wrapped && tail == TAIL_TEXT) { /* or of a paragraph, which begins where no line or a blank one is before */
		size_t before = g->line, stop;
		wrapped = !starts && (!guess_line_before(g, v, &before, &stop)
		                      || byte_span_back(v->p, before, stop, BYTE_BLANK) == before);
	}
	size_t indent = text_column(v, g->next, g->content);
	if (indent > text_column(v, g->line, g->from) + COLUMN)
		return 0;
	const bool outdent = indent < text_column(v, g->line, text);
	if (outdent && ((!fixed && cut != CUT_ENDING && !wrapped) || (cut == CUT_SLASH && is_heading(g, indent))))
		return 0;
	if (place->completes)
		return GUESS_HOST;
	const size_t mark = cut == CUT_HYPHEN || cut == CUT_STOP;
	const bool complete = (mark || cut > CUT_STOP)
	                      && guess_word_is_complete(g->part, g->length - mark, word && shape > SHAPE_ODD);
	const bool even = place->here > NARROW && place->here == guess_columns(v, g->next, end);
	const int points = points_cut[cut][shape] + points_tail[tail] + points_room[room]
	                   + points_if(tail == TAIL_TEXT, points_text[shape]) + points_if(fixed, POINTS_FIXED)
	                   + points_if(complete, POINTS_COMPLETE) + points_if(outdent, POINTS_OUTDENT)
	                   + points_if(starts, points_start[cut]) + points_if(even, POINTS_EVEN);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (points >= steps[i].least)
			return steps[i].confidence;
	return 0;
}
