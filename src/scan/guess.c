#include "guess.h"

#include "simd/runs.h"
#include "text/match.h"
#include "url/url.h"

#include <string.h>

enum { SHORT = 60 }; /* columns: a line with a cut and the word after it are seldom as short */

/* ---- the next line ---- */

/* The start of the next line, where only blanks follow `at` on its line. */
static bool next_line(const struct view *v, size_t at, size_t *line)
{
	size_t i = at, width;
	i = line_skip_blanks(v, i, smaller(v->end, i + 8));
	/* a declared break (J1), where the blank that stays is between words, but seldom after these */
	bool open = v->flowed == FLOWED_KEEPS && memchr("/=&?", v->p[at - 1], 4);
	if (i > at && v->flowed != FLOWED_NOT && !open)
		return false;
	const bool ends = line_end(v, i, &width);
	*line = i + width;
	return ends;
}

/* How far a line is looked at from i on. */
static inline size_t look_end(const struct view *v, size_t i)
{
	return smaller(v->end, i + LINE_LOOK);
}

/* After the marks that a line prefix may have at i. */
static size_t skip_marks(const struct view *v, size_t i, size_t stop)
{
	while (i < stop && line_is_mark(v->p[i]))
		i++;
	return i;
}

/* Whether the line at i is blank, a ruler or the mark before a signature, or begins with a link, the name of a header
 * field or of a host or a bracket, as most lines after a link do. */
static bool begins_apart(const struct view *v, size_t i)
{
	i = line_skip_blanks(v, i, look_end(v, i));
	size_t stop = look_end(v, i), k = skip_marks(v, i, stop);
	if (is_line_end(byte_at(v->p, k, stop)))
		return true;
	k = run_scheme(v->p, i, stop);
	view_work(v, k - i);
	const uint8_t c = view_read(v, k);
	if (k == i) {
		bool prefix = guess_may_begin(c) || bytes16_has(">|:!<*>|:!<*>|:!", c);
		return !prefix || (c == '<' && v->end - i > 1 && !is_blank(v->p[i + 1]));
	}
	if (c == ':' && (is_alpha(v->p[i]) || text_begins(v->p + k, v->end - k, "://")))
		return true;
	return k - i > 4 && (ascii_begins(v->p + i, "www.", 4) || ascii_begins(v->p + i, "ftp.", 4));
}

/* Whether a list mark of its own begins the next line.  ` * ` continues a comment of C, and `-` or `+` before
 * several blanks may be the mark of a diff. */
static bool is_new_item(const struct guess *g, const struct view *v, size_t marks)
{
	if (!g->prefix.list || marks == g->next)
		return false;
	const uint8_t *p = v->p + marks - 1;
	size_t column = marks - 1 - g->next;
	if (*p != '*')
		return g->content == marks + 1 && BYTE_IN(*p, "-+");
	return !column || p[-1] != ' ' || (column > 1 && p[-2] == ' ');
}

/* Whether the mark of a trace or a prompt begins the next line: `+ make`, `$ make`. */
static bool is_trace(const struct guess *g, const struct view *v)
{
	size_t i = byte_span(v->p, g->next, g->next_end, BYTE_SP | BYTE_QUOTE);
	if (g->next_end - i < 3 || !BYTE_IN(v->p[i], "+$") || v->p[i + 1] != ' ')
		return false;
	return !bytes16_has(" \t*#/           ", v->p[i + 2]);
}

/* Comment leaders that both lines begin with, glued to the text or not, are no part of it.  False: only the first does.
 * */
static bool skip_leader(struct guess *g, const struct view *v)
{
	if (g->from != g->begin)
		return true;
	const uint8_t *text = v->p + g->prefix.end, *next = v->p + g->content;
	if (!guess_leader(text, v->p + g->begin))
		return true;
	size_t n = guess_leader(next, v->p + g->next_end);
	if (!n || *next != *text)
		return false;
	g->content = line_skip_blanks(v, g->content + n, g->next_end);
	return true;
}

/* Whether a quote mark begins the text of the next line. */
static bool is_deeper(const struct guess *g, const struct view *v)
{
	return view_byte(v, g->content) == '>';
}

/* A link that is alone on its line, and the line lost quote marks when a mailer wrapped it: the lines before and after
 * have more `>`.  Then the prefix gets them, and the next line is read with them. */
static bool restore_marks(struct guess *g, const struct view *v, size_t *marks)
{
	struct line_prefix deeper = g->prefix;
	size_t before = g->line, end, content;
	bool matches = true;
	if (g->from != g->begin || line_skip_blanks(v, deeper.end, g->begin) != g->begin ||
	    !guess_line_before(g, v, &before, &end))
		return false;
	while (matches && is_deeper(g, v) && deeper.quotes < MARKS_MAX) {
		deeper.marks[deeper.quotes++] = '>';
		matches = prefix_match(v, g->next, &deeper, marks, &g->content);
	}
	g->marked = matches && prefix_match(v, before, &deeper, &before, &content);
	if (g->marked)
		g->prefix = deeper;
	return g->marked;
}

/* Whether the next line has fewer quote marks than that of the link, as what a mailer wraps off a quoted line. */
static bool lacks_marks(struct guess *g, const struct view *v, size_t *marks)
{
	struct line_prefix shallower = {.quotes = g->prefix.quotes};
	memcpy(shallower.marks, g->prefix.marks, shallower.quotes);
	while (!g->wrapped && shallower.quotes > 0) {
		shallower.quotes--;
		g->wrapped = prefix_match(v, g->next, &shallower, marks, &g->content);
	}
	return g->wrapped;
}

/* Whether the line after the next has the quote marks of the link's line again. */
static bool regains_mark(const struct guess *g, const struct view *v)
{
	struct line_prefix quotes = {.quotes = g->prefix.quotes};
	memcpy(quotes.marks, g->prefix.marks, quotes.quotes);
	size_t end, width, marks, content;
	line_find_end(v, g->next_end, LINE_LOOK, &end); /* read_next has found it */
	return line_end(v, end, &width) && prefix_match(v, end + width, &quotes, &marks, &content);
}

/* Finds the text of the next line. */
static bool read_next(struct guess *g, const struct view *v)
{
	size_t marks;
	if (!next_line(v, g->at, &g->next) || (!g->scheme && begins_apart(v, g->next)))
		return false;
	g->wrapped = false;
	if (!prefix_match(v, g->next, &g->prefix, &marks, &g->content)) {
		if (!lacks_marks(g, v, &marks))
			return false;
	} else if (is_deeper(g, v) && !restore_marks(g, v, &marks)) {
		return false;
	}
	if (!line_find_end(v, g->next, LINE_LOOK, &g->next_end))
		return false;
	g->next_end = byte_span_back(v->p, g->content, g->next_end, BYTE_BLANK);
	if (g->content >= g->next_end || is_new_item(g, v, marks) || is_trace(g, v) || !skip_leader(g, v))
		return false;
	return g->content < g->next_end && (g->scheme || g->content == g->next || !begins_apart(v, g->content));
}

/* ---- what is never a join ---- */

size_t guess_text_start(const struct guess *g, const struct view *v)
{
	return g->from == g->begin ? line_skip_blanks(v, g->prefix.end, g->begin) : g->from;
}

/* Whether both lines begin with one word: a prefix that no rule covers. */
static bool repeats_prefix(const struct guess *g)
{
	const uint8_t *p = g->v->p;
	size_t i = guess_text_start(g, g->v), n = 0;
	bool solid = false;
	while (i + n < g->from && !is_space(p[i + n]))
		solid |= is_alnum(p[i + n++]);
	return n > 1 && solid && i + n < g->from && bytes_are(p + i, n, g->w.p, g->w.solid);
}

/* Whether the word repeats the last name of the link, or how it begins: a name beside its location, but for an anchor
 * that begins as its page does (`tides.html#`, `tides.high`); or a path repeats that of the link. */
static bool repeats_end(const struct guess *g)
{
	size_t k = set_last(g->part, 0, g->length, "/:"), n = g->length - k, most = smaller(n, g->w.n), same = 0;
	while (same < most && g->part[k + same] == g->w.p[same])
		same++;
	if (g->w.p[0] == '/')
		return g->w.n <= g->length && memcmp(g->part + g->length - g->w.n, g->w.p, g->w.n) == 0;
	return g->last != '#' && same > 3 && (same == n || byte_span(g->w.p, 0, same, BYTE_ALNUM) > 3);
}

/* Whether the next line is the output of a command, whose line has the prompt of a shell and ends with a slash. */
static bool is_output(const struct guess *g)
{
	const uint8_t *text = g->v->p + guess_text_start(g, g->v);
	return g->last == '/' && memcmp(text, "$ ", 2) == 0;
}

/* Whether another link is in the word, other than as the value of a parameter or the rest of a path; after a `#` it is
 * that of a line which is commented out.  After a scheme alone the word is read as on one line, where a path may hold a
 * link. */
static bool holds_link(const struct guess *g)
{
	for (size_t i = 0, k; !g->scheme && i + 2 < g->w.n; i++) {
		if (memcmp(g->w.p + i, "://", 3) != 0)
			continue;
		k = byte_span_back(g->w.p, 0, i, BYTE_SCHEME);
		if (k < i && is_alpha(g->w.p[k]) && (g->w.p[0] == '#' || !BYTE_IN(g->w.p[k - 1], "=/")))
			return true;
	}
	return false;
}

/* After the last mark of a query in the part before the cut; 0 for none. */
static size_t after_mark(const struct guess *g) { return set_last(g->part, 0, g->length, "?&="); }

/* Whether the link ends within the name of a parameter, or where one may follow. */
static bool ends_in_name(const struct guess *g)
{
	size_t i = after_mark(g);
	return g->last == ';' || (i && g->part[i - 1] != '=');
}

/* Whether the value of a parameter, or what is in its place, has a path. */
static bool ends_in_path(const struct guess *g)
{
	size_t i = after_mark(g);
	return i && memchr(g->part + i, '/', g->length - i);
}

/* Whether the word assigns a value where the query of the link cannot: the body of a POST, a line of settings.  A path
 * may have parameters too, `ref=lamps_1/2`, or `package=lamps)` in brackets; so may what follows a `#`. */
static bool is_assignment(const struct guess *g)
{
	size_t k = byte_span(g->w.p, 0, g->w.n, BYTE_NAME | BYTE_STOP), end;
	if (!k || k == g->w.n || g->w.p[k] != '=')
		return false;
	end = byte_span(g->w.p, k + 1, g->w.n, BYTE_NAME | BYTE_STOP);
	if (!g->query)
		return g->last != '#'
		       && (g->last != '/' || !(g->w.closed || (end > k + 1 && byte_at(g->w.p, end, g->w.n) == '/')));
	if (k + 1 == g->w.n && is_quote_mark(byte_at(g->w.after, 0, g->w.left)) && is_alnum(byte_at(g->w.after, 1, g->w.left)))
		return true; /* `name="value` */
	size_t i = after_mark(g);
	return i && g->part[i - 1] == '=' && (g->last != '=' || scheme_prefix(g->w.p + k + 1, g->w.n - k - 1));
}

/* Whether the cut is within a `%2F` that the word does not complete. */
static bool is_torn_escape(const struct guess *g)
{
	size_t missing = g->last == '%' ? 2 : g->length > 1 && g->part[g->length - 2] == '%';
	uint64_t value = 0;
	return number_read(g->w.p, 0, smaller(g->w.n, missing), 16, &value) < missing;
}

/* Whether the word, alone, begins with a hyphen of a name: `-of-names`, neither an option nor who signs. */
static bool is_hyphenated(const struct guess *g)
{
	return g->w.alone && match_bytes(g->w.p, g->w.n, MATCH_ANY "[%l%d][%l%d]+[-./]" MATCH_ANY);
}

/* Whether the word has a colon: a name and what it has, the path of a file and a message, `patch(1/4):`.  At the end of
 * the line, the colon may be one of prose after the rest of the link. */
static bool has_colon(const struct guess *g)
{
	const uint8_t first = g->w.p[0], last = g->w.p[g->w.n - 1];
	return byte_at(g->w.after, 0, g->w.left) == ':'
	       && (g->w.left > 1 || g->last == '#' || first == '/' || last == ')' || !memchr(g->w.p, '/', g->w.n));
}

/* Whether the link is the address of a repository, and the word names a branch or a tag of it, not a page. */
static bool is_branch(const struct guess *g)
{
	static const char pages[] =
	    "about atom blame blob commit commitdiff diff history log patch plain refs shortlog snapshot stats summary "
	    "tag tree";
	size_t slash = g->last == '/';
	return text_ends(g->part, g->length - slash, ".git") && is_alnum(g->w.p[0])
	       && (!slash || !ascii_is_among(g->w.p, guess_letters(g->w.p, g->w.n), pages));
}

/* Whether the link ends with an anchor of a name and a number, as `#L10` and `#comment-1234` are. */
static bool is_past_anchor(const struct guess *g)
{
	const uint8_t first = g->w.p[0];
	const size_t mark = byte_last(g->part, 0, g->length, '#'), n = g->length - mark;
	if (!mark)
		return false;
	if (match_bytes(g->part + mark, n, "L%d+" MATCH_END))
		return !is_digit(first) && first != '-';
	return is_alpha(first) && match_bytes(g->part + mark, n, "%a*[_-][%a_-]*%d%d%d%d+" MATCH_END);
}

/* Whether the value of the last parameter is a number, and the word none of it: a path or a name with text after it, or
 * after a dash of prose a word. */
static bool is_past_number(const struct guess *g)
{
	const bool dash = g->last == '-';
	size_t end = g->length - dash, digits = byte_span_back(g->part, 0, end, BYTE_DIGIT);
	if (digits == end || !text_ends(g->part, digits, "=") || g->w.alone)
		return false;
	return dash ? guess_letters(g->w.p, g->w.n) == g->w.n
	            : is_alpha(g->w.p[0]) && !g->w.ending && byte_until(g->w.p, 0, g->w.n, "&=%") == g->w.n;
}

/* Whether the word is an anchor of the number with which the link ends: `?id=1234` and `#1234`. */
static bool repeats_number(const struct guess *g)
{
	size_t digits = guess_digits(g->w.p + 1, g->w.n - 1);
	return g->w.p[0] == '#' && digits && digits + 1 == g->w.n && digits <= g->length
	       && !memcmp(g->part + g->length - digits, g->w.p + 1, digits);
}

/* Whether the link is a host, and the word neither a path nor the rest of the host. */
static bool is_past_host(const struct guess *g)
{
	return g->host && !BYTE_IN(g->w.p[0], "/?:") && !BYTE_IN(g->last, "-/.");
}

/* Whether a `@` at the cut is not that of a Message-ID. */
static bool is_odd_at(const struct guess *g)
{
	return (g->w.p[0] == '@' && !guess_completes_id(g))
	       || (g->last == '@' && !guess_word_is_host_of(g, 0));
}

/* Whether the word begins with a mark of a query where none can follow: `&` follows a parameter, else it is of what has
 * the link as a value, the body of a POST. */
static bool is_odd_mark(const struct guess *g)
{
	const uint8_t mark = g->w.p[0];
	if (mark == '&')
		return !g->query && !g->valued;
	return BYTE_IN(mark, "=+") && (!g->query || g->last == mark);
}

/* Whether the word begins with a `?` that is a character that was lost, or with a reference to one, or has two such; or
 * is a line of undecoded quoted-printable that is blank. */
static bool is_odd_text(const struct guess *g)
{
	const uint8_t *p = g->w.p;
	size_t n = g->w.n, letters = byte_span(p, 0, n, BYTE_ALPHA);
	return text_is_among(p, n, "=20") || text_is_among(p, smaller(n, 2), "?? ## &#")
	       || (byte_at(p, letters, n) == '?' && !memchr(p, '=', n)
	           && (!g->w.alone || memchr(g->part, '#', g->length) || memchr(p + letters + 1, '?', n - letters - 1)));
}

/* Whether the word begins with a `%`, perhaps after a `?`, that begins no escape. */
static bool is_odd_escape(const struct guess *g)
{
	const uint8_t *escape = g->w.p + (g->w.p[0] == '?'), *end = g->w.p + g->w.n;
	return byte_at(escape, 0, (size_t)(end - escape)) == '%' && hex_escape(escape, end) < 0;
}

/* `#name: ` */
static bool is_comment(const struct guess *g)
{
	return g->w.p[0] == '#' && guess_begins_name(g->w.p + 1, g->w.n + g->w.left - 1);
}

/* Whether another link follows a mark. */
static bool begins_link(const struct guess *g)
{
	return !is_alnum(g->w.p[0]) && !BYTE_IN(g->w.p[0], "=%") && scheme_prefix(g->w.p + 1, g->w.n - 1);
}

/* Whether the link is a value in something that is no link; or an elision follows the word. */
static bool is_value(const struct guess *g)
{
	return (g->host && g->before == '=') || text_begins(g->w.after, g->w.left, "..");
}

/* Whether the word begins with a slash, and the link can have no more names. */
static bool is_odd_path(const struct guess *g)
{
	return g->w.p[0] == '/'
	       && ((!g->host && !g->w.alone && is_blank(g->w.after[0])) || BYTE_IN(g->last, "/#")
	           || guess_word_is_complete(g->part, g->length, false) || (g->query && !(g->w.alone && ends_in_path(g))));
}

/* Whether the word is a host after a link that has no place for one. */
static bool is_other_host(const struct guess *g)
{
	size_t name = byte_last(g->part, 0, g->length, '/');
	bool address = memchr(g->part + name, '@', g->length - name);
	return !BYTE_IN(g->last, "-.") && !g->host && !address && guess_word_is_host(g);
}

/* Whether the word is an option; after a slash, `-/` is of a forge. */
static bool is_option(const struct guess *g)
{
	const uint8_t last = g->last;
	return g->w.p[0] == '-' && !BYTE_IN(last, ".-") && !guess_is_cut_mark(last) && !is_hyphenated(g)
	       && !(last == '/' && text_begins(g->w.p, g->w.n, "-/"));
}

/* Whether the link ends with a dash, a ruler, or the question mark of a sentence. */
static bool is_past_mark(const struct guess *g)
{
	return text_ends(g->part, g->length, "--") || text_ends(g->part, g->length, "___")
	       || (g->last == '?' && !memchr(g->w.p, '=', g->w.n));
}

/* Whether the word is a call in code. */
static bool is_call(const struct guess *g)
{
	return !g->query && !BYTE_IN(g->last, "-_/") && match_bytes(g->w.p, g->w.n, "[%a_][%w_.]*(");
}

/* Whether the link has a query, and so does the word. */
static bool is_second_query(const struct guess *g)
{
	size_t mark = byte_index(g->w.p, 0, g->w.n, '?');
	return g->query && is_alnum(byte_at(g->w.p, mark + 1, g->w.n)) && !memchr(g->w.p, '&', mark);
}

/* Whether the word is the number of a list item, alone on its line as the link is, which ends with none. */
static bool is_number(const struct guess *g)
{
	const uint8_t last = g->last;
	size_t digits = guess_digits(g->w.p, g->w.n);
	return digits == g->w.n && digits < 3 && g->w.left == 1 && g->w.after[0] == '.'
	       && guess_text_start(g, g->v) == g->from && !is_digit(last) && last != '-' && !guess_is_cut_mark(last);
}

/* Whether the word is the number of a footnote, alone on its line: the line below has a link or is such a number. */
static bool is_footnote(const struct guess *g)
{
	const struct view *v = g->v;
	size_t end, width, stop;
	if (g->w.left || g->w.n > 2 || guess_digits(g->w.p, g->w.n) < g->w.n || guess_word_completes(g))
		return false;
	line_find_end(v, g->next_end, LINE_LOOK, &end); /* read_next has found it */
	if (!line_end(v, end, &width) || !line_find_end(v, end + width, LINE_LOOK, &stop))
		return false;
	const uint8_t *below = v->p + end + width;
	const size_t n = stop - end - width;
	return match_bytes(below, n, "%s*%d%d?%s*" MATCH_END) || text_index(below, n, "://") < n;
}

static bool is_hash(const struct guess *g)
{
	return guess_word_is_hash(g) && g->last != '=' && !text_ends(g->part, g->length, "commit/");
}

/* Whether the link or what follows the word is in an entry of a sources.list. */
static bool is_source(const struct guess *g)
{
	size_t text = guess_text_start(g, g->v);
	return guess_is_source(g->v->p + text, g->from - text) || guess_is_component(g->w.after, g->w.left);
}

/* Whether the word is common in prose, or begins an attribution or a cell of a table: where the link of a gateway lacks
 * its end, a `|` that ends the line is the edge of a box. */
static bool is_other_text(const struct guess *g)
{
	bool attribution = !g->w.strong && g->w.p[g->w.n + g->w.left - 1] == ':';
	return g->w.common || (!g->w.alone && (attribution || memchr(g->w.after, '|', excess(g->w.left, g->open))));
}

/* Whether the gateway of the link has ended it. */
static bool is_ended(const struct guess *g) { return g->gateway && !g->open; }

static bool is_never(const struct guess *g)
{
	static guess_rule *const never[] = {
		is_ended, guess_word_is_apart, is_past_host, is_odd_at, is_odd_mark, is_odd_text, is_odd_escape, is_torn_escape,
		has_colon, is_branch, is_comment, begins_link, is_value, is_odd_path, is_past_anchor, guess_is_past_id,
		repeats_number, is_past_number, guess_is_past_uuid, is_other_host, is_option, is_past_mark, is_call,
		is_second_query, is_assignment, holds_link, is_number, is_footnote,
		repeats_prefix, repeats_end, is_output, is_hash, is_source, guess_word_is_row, is_other_text
	};
	return GUESS_ANY(g, never);
}

/* ---- the link ---- */

/* Whether the link so far is an authority alone, or an address. */
static bool is_host_only(const struct guess *g, const struct view *v)
{
	const uint8_t *p = v->p + g->begin;
	size_t n = g->at - g->begin, i = 0;
	if (g->from != g->begin)
		return false;
	if (ascii_opens(p, n, "mailto:"))
		return !memchr(p, '?', n);
	i = scheme_prefix(p, n);
	if (i) {
		if (!text_begins(p + i, n - i, "://"))
			return false;
		i += 3;
	}
	return byte_span(p, i, n, BYTE_BUT(BYTE_DELIMITER)) == n;
}

/* Whether the part before the cut has the end of the gateway's links, or is the rest of it. */
static bool has_end(const struct guess *g, const struct view *v)
{
	size_t n = g->x.end - g->from, length = strlen(g->gateway), k = smaller(n, length);
	return !memcmp(v->p + g->x.end - k, g->gateway + length - k, k);
}

/* Sets the cut.  False: text follows the link on its line. */
static bool set_cut(struct guess *g, const struct view *v)
{
	const struct extent *x = &g->x;
	g->at = x->at;
	if (x->truncated || x->at - x->end > 1 || (x->at > x->end && !BYTE_IN(v->p[x->end], ".?#@")))
		return false;
	g->host = is_host_only(g, v);
	if (g->host && BYTE_IN(view_byte(v, g->at), "-."))
		g->at++; /* no host ends with it, but a part of one may */
	view_needs(v, g->at, 1);
	g->part = v->p + g->from;
	g->length = g->at - g->from;
	g->last = v->p[g->at - 1];
	g->query |= memchr(g->part, '?', g->length) || memchr(g->part, '&', g->length);
	g->valued |= memchr(g->part, '=', g->length) != NULL;
	g->open = g->gateway && !has_end(g, v);
	return is_fws(view_byte(v, g->at));
}

bool guess_init(struct guess *g, const struct view *v, const struct opening *o, const struct extent *x)
{
	g->begin = g->from = o->begin;
	g->before = o->before;
	g->query = g->valued = g->marked = false;
	size_t n = x->at - o->begin;
	g->scheme = scheme_prefix(v->p + o->begin, n) + 3 == n && v->p[x->at - 1] == '/';
	g->gateway = unwrap_end(v->p + o->begin, n);
	g->x = *x;
	if (!set_cut(g, v) || !next_line(v, g->at, &g->next) || !line_start(v, g->begin, &g->line))
		return false;
	g->next_end = g->next;
	prefix_read(v, g->line, g->begin, &g->prefix);
	return true;
}

/* Whether the link ends with a full stop of its host, and what precedes it is under no top-level domain. */
static bool cuts_host(const struct guess *g, const struct view *v)
{
	if (g->last != '.' || !g->host)
		return false;
	size_t i = byte_span_back(v->p, g->begin, g->at - 1, BYTE_HOST), n = g->at - 1 - i;
	size_t label = run_after(v->p + i, n, '.');
	return !tld_known(v->p + i + label, n - label);
}

/* Whether the `=` at the end of the line is likely a soft line break of quoted-printable, though no escape in its
 * paragraph proves it (J1). */
static bool is_quoted_printable(const struct guess *g, const struct view *v, size_t here, bool strong)
{
	if (g->last != '=' || !within(here, QUOTED_LEAST, QUOTED_MOST))
		return false;
	enum quoted escapes = line_escapes(v, g->line, g->at - 1);
	return escapes >= QUOTED_SURELY || (escapes == QUOTED_PERHAPS && strong && !g->query);
}

/* After `http://` the word ends where its host does, as on one line; but what precedes a `@` is a user, not a host. */
static void end_at_host(struct guess *g, const struct view *v)
{
	const uint8_t *p = v->p;
	size_t begin = g->content, end = g->word.end, host = byte_span(p, begin, end, BYTE_HOST);
	size_t authority = byte_span(p, begin, end, BYTE_BUT(BYTE_DELIMITER));
	uint8_t next = byte_at(p, host, authority);
	bool ends = host < authority && next < 0x80 && !BYTE_IN(next, "\\%_");
	if (ends && !(next == ':' && is_digit(byte_at(p, host + 1, end))) && !memchr(p + host, '@', authority - host))
		g->word.at = g->word.end = host;
}

/* Reads the part of the link on the next line. */
static bool read_word(struct guess *g, const struct view *v)
{
	g->word = g->x;
	g->word.at = g->word.end = g->content;
	g->word.bracket = 0;
	extent_run(&g->word, v);
	if (g->scheme)
		end_at_host(g, v);
	return g->word.end > g->content;
}

/* Whether two words of prose begin the text of the next line, as mostly: no link is cut before them, except after `-`
 * or `_`. */
static bool is_prose(struct guess *g, const struct view *v)
{
	const uint8_t *p = v->p + g->content;
	const size_t n = g->next_end - g->content, letters = guess_letters(p, n);
	const size_t after = letters + BYTE_IN(byte_at(p, letters, n), ",.");
	g->w.p = p;
	g->w.n = letters;
	return letters && is_alnum(byte_at(p, after + 1, n)) && is_blank(p[after]) && !BYTE_IN(g->last, "-_")
	       && !guess_word_completes(g);
}

/* H4: whether the part ends with U+2010 or a soft hyphen, and a letter or digit begins the next line: who set the text
 * broke a word there. */
static bool is_typeset(const struct guess *g, const struct view *v)
{
	const bool hyphen = text_ends(g->part, g->length, "\u2010") || text_ends(g->part, g->length, "\u00AD");
	return hyphen && is_alnum(v->p[g->content]);
}

bool guess_next(struct guess *g, const struct view *v)
{
	if (!read_next(g, v))
		return false;
	const bool typeset = is_typeset(g, v);
	if ((!typeset && is_prose(g, v)) || !read_word(g, v))
		return false;
	g->v = v;
	g->kept = g->at;
	g->confidence = GUESS_HOST;
	if (typeset)
		return true;
	g->w = (struct guess_word){.p = v->p + g->content, .n = g->word.end - g->content, .after = v->p + g->word.end,
	                              .left = g->next_end - g->word.end};
	while (g->w.solid < g->w.n + g->w.left && !is_space(g->w.p[g->w.solid]))
		g->w.solid++;
	g->w.ending = (g->open && guess_letters(g->w.p, g->w.n) < g->w.n) || guess_word_completes(g);
	struct guess_place place = { .here = guess_columns(v, g->line, g->at) };
	place.completes = g->scheme ? guess_word_is_domain(g) : cuts_host(g, v) && guess_word_ends_host(g);
	if (place.here + g->w.solid <= SHORT && !g->w.ending && !place.completes)
		return false;
	guess_word_classify(g);
	const bool soft = is_quoted_printable(g, v, place.here, g->w.strong);
	if (g->last == '=' && !g->query && !soft)
		return false;
	if (((g->wrapped || g->marked) && !g->w.strong) || (g->wrapped && !g->w.alone) || is_never(g) ||
	    guess_begins_record(g->w.p, g->w.n + g->w.left, ends_in_name(g)))
		return false;
	if (g->wrapped && !guess_completes_id(g) && !regains_mark(g, v))
		return false;
	guess_measure(g, v, &place);
	if (guess_begins_version(g->w.p, g->w.n + g->w.left, g->last) && !guess_is_full(g, &place))
		return false;
	g->kept -= soft;
	g->confidence = g->scheme && !place.completes ? 0 : guess_confidence(g, &place);
	return g->confidence > 0;
}

bool guess_take(struct guess *g, const struct view *v)
{
	g->line = g->next;
	g->from = g->content;
	g->scheme = false;
	g->x = g->word;
	return set_cut(g, v);
}

/* Whether a guess is never sure, of a link that ends at `at` and of the line at i: it begins with a word without marks
 * and a second one, the link ends with no hyphen nor with what may be one (H4), and the word completes neither the
 * ending of a file nor a hash. */
static bool is_unsure(const struct view *v, size_t at, size_t i)
{
	enum { HASH = 40, ENDING = 5 };
	const uint8_t *p = v->p;
	size_t stop = look_end(v, i), word = skip_marks(v, i, stop), second, n;
	i = byte_span(p, word, stop, BYTE_ALPHA | BYTE_HYPHEN);
	if (i > word && byte_at(p, i, stop) == '/') /* "and/or" */
		i = byte_span(p, i + 1, stop, BYTE_ALPHA | BYTE_HYPHEN);
	else
		i = byte_span(p, i, stop, BYTE_NAME);
	n = i - word;
	second = p[i - (i > 0)] == '/' ? i : line_skip_blanks(v, i, stop);
	if (second == i || !is_alnum(byte_at(p, second, stop)) || p[at - 1] == '-' || p[at - 1] >= 0x80)
		return false;
	if (text_is(p + word, n, "dnl"))
		return false; /* it may be a line prefix */
	const size_t name = byte_span_back(p, excess(at, HASH + 1), at, BYTE_ALNUM), have = at - name;
	return (n > ENDING || have >= ENDING || byte_before(p, name) != '.') && have + n != HASH && have + n != HASH + 1;
}

/* B1: whether what follows the blanks at i may be a sequence or an overstrike, after which the line goes on. */
static bool hides_line(const struct view *v, size_t i)
{
	i = line_skip_blanks(v, i, look_end(v, i));
	return view_byte(v, i) == 0x1b || view_byte(v, i + 1) == '\b';
}

bool guess_may_follow(const struct view *v, size_t at, bool sure)
{
	bool more;
	const struct view peek = view_peek(v, &more);
	size_t line;
	const bool follows = next_line(&peek, at, &line);
	if (more || hides_line(v, follows ? line : at))
		return true;
	if (!follows || (sure && is_unsure(v, at, line)))
		return false;
	return !begins_apart(&peek, line) || more;
}
