#include "guess.h"

#include "simd/runs.h"
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

/* Whether a list mark of its own begins the next line.  ` * ` is how a comment of C goes on. */
static bool is_new_item(const struct guess *g, const struct view *v, size_t marks)
{
	if (!g->prefix.list || marks == g->next || g->content != marks + 1)
		return false;
	const uint8_t *p = v->p + marks - 1;
	size_t column = marks - 1 - g->next;
	if (*p != '*')
		return BYTE_IN(*p, "-+");
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
	size_t dash = g->prefix.diff == '-' && *text == '-' && *next == '-'; /* the first `-` of `--` was read as a mark */
	if (!dash && !guess_leader(text, v->p + g->begin))
		return true;
	size_t n = dash ? dash : guess_leader(next, v->p + g->next_end);
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
	return line_find_end(v, g->next_end, LINE_LOOK, &end) && line_end(v, end, &width)
	       && prefix_match(v, end + width, &quotes, &marks, &content);
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
static bool repeats_prefix(const struct guess *g, const struct view *v, const struct guess_word *w)
{
	size_t i = guess_text_start(g, v), n = 0;
	bool solid = false;
	while (i + n < g->from && !is_space(v->p[i + n]))
		solid |= is_alnum(v->p[i + n++]);
	return n > 1 && solid && i + n < g->from && w->solid == n && !memcmp(v->p + i, w->p, n);
}

/* Whether the word repeats the last name of the link, or how it begins: a name beside its location. */
static bool repeats_end(const struct guess *g, const struct view *v, const struct guess_word *w)
{
	size_t k = set_last(v->p, g->from, g->at, "/:"), n = g->at - k, most = smaller(n, w->n), same = 0;
	while (same < most && v->p[k + same] == w->p[same])
		same++;
	return same > 3 && (same == n || byte_span(w->p, 0, same, BYTE_ALNUM) > 3);
}

bool guess_is_host_only(const struct guess *g, const struct view *v)
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

/* Whether another link is in the word, other than as the value of a parameter or the rest of a path; after a `#` it is
 * that of a line which is commented out.  After a scheme alone the word is read as on one line, where a path may hold a
 * link. */
static bool holds_link(const struct guess *g, const struct guess_word *w)
{
	for (size_t i = 0, k; !g->scheme && i + 2 < w->n; i++) {
		if (memcmp(w->p + i, "://", 3) != 0)
			continue;
		k = byte_span_back(w->p, 0, i, BYTE_SCHEME);
		if (k < i && is_alpha(w->p[k]) && (!k || w->p[0] == '#' || !BYTE_IN(w->p[k - 1], "=/")))
			return true;
	}
	return false;
}

/* After the last mark of a query in the part before the cut; g->from for none. */
static size_t after_mark(const struct guess *g, const struct view *v)
{
	return set_last(v->p, g->from, g->at, "?&=");
}

/* Whether the link ends within the name of a parameter, or where one may follow. */
static bool ends_in_name(const struct guess *g, const struct view *v)
{
	size_t i = after_mark(g, v);
	return v->p[g->at - 1] == ';' || (i > g->from && v->p[i - 1] != '=');
}

/* Whether the value of a parameter, or what is in its place, has a path. */
static bool ends_in_path(const struct guess *g, const struct view *v)
{
	size_t i = after_mark(g, v);
	return i > g->from && memchr(v->p + i, '/', g->at - i);
}

/* Whether the word assigns a value where the query of the link cannot: the body of a POST.  A path may have
 * parameters too: `ref=lamps_1/2`. */
static bool is_assignment(const struct guess *g, const struct view *v, const struct guess_word *w)
{
	uint8_t last = v->p[g->at - 1];
	size_t k = byte_span(w->p, 0, w->n, BYTE_NAME | BYTE_STOP), end;
	if (!k || k == w->n || w->p[k] != '=')
		return false;
	end = byte_span(w->p, k + 1, w->n, BYTE_NAME | BYTE_STOP);
	if (!g->query)
		return last != '/' || end == k + 1 || end == w->n || w->p[end] != '/';
	size_t i = after_mark(g, v);
	return i > g->from && v->p[i - 1] == '=' && last != '=';
}

/* Whether the cut is within a `%2F` that the word does not complete. */
static bool is_torn_escape(const uint8_t *part, size_t length, const struct guess_word *w)
{
	size_t missing = part[length - 1] == '%' ? 2 : length > 1 && part[length - 2] == '%';
	uint64_t value = 0;
	return number_read(w->p, 0, smaller(w->n, missing), 16, &value) < missing;
}

/* Whether the word, alone, begins with a hyphen of a name: `-of-names`, neither an option nor who signs. */
static bool is_hyphenated(const struct guess_word *w)
{
	size_t k = byte_span(w->p, 1, w->n, BYTE_LOWER | BYTE_DIGIT);
	return w->alone && k > 2 && k + 1 < w->n && BYTE_IN(w->p[k], "-./");
}

/* Whether the word has a colon: a name and what it has, the path of a file and a message, `patch(1/4):`.  At the end of
 * the line, the colon may be one of prose after the rest of the link. */
static bool has_colon(const struct guess_word *w, uint8_t last)
{
	if (byte_at(w->after, 0, w->left) != ':')
		return false;
	return w->left > 1 || last == '#' || w->p[0] == '/' || w->p[w->n - 1] == ')' || !memchr(w->p, '/', w->n);
}

/* Whether the link is the address of a repository, and the word names a branch or a tag of it, not a page. */
static bool is_branch(const uint8_t *part, size_t length, const struct guess_word *w)
{
	static const char pages[][12] = {
		"about", "atom", "blame", "blob", "commit", "commitdiff", "diff", "history", "log", "patch", "plain", "refs",
		"shortlog", "snapshot", "stats", "summary", "tag", "tree"
	};
	size_t slash = part[length - 1] == '/';
	if (length < 5 + slash || memcmp(part + length - slash - 4, ".git", 4) != 0 || !is_alnum(w->p[0]))
		return false;
	return !slash || !GUESS_IN(w->p, guess_letters(w->p, w->n), pages);
}

/* Whether the link ends with an anchor of a name and a number, as `#L10` and `#comment-1234` are. */
static bool ends_in_anchor(const uint8_t *part, size_t length, uint8_t first)
{
	size_t digits = byte_span_back(part, 0, length, BYTE_DIGIT);
	if (digits == length)
		return false;
	if (text_ends(part, digits, "#L"))
		return !is_digit(first) && first != '-';
	size_t name = byte_span_back(part, 0, digits, BYTE_ALPHA | BYTE_HYPHEN | BYTE_UNDERSCORE);
	return is_alpha(first) && length - digits > 3 && text_ends(part, name, "#")
	       && byte_span(part, name, digits, BYTE_ALPHA) < digits;
}

/* Whether the link ends with a dash of prose: after the value of a parameter that is a number, before more words. */
static bool ends_in_dash(const uint8_t *part, size_t length, const struct guess_word *w)
{
	size_t digits = byte_span_back(part, 0, length - 1, BYTE_DIGIT);
	return part[length - 1] == '-' && digits < length - 1 && text_ends(part, digits, "=") && !w->alone
	       && guess_letters(w->p, w->n) == w->n;
}

/* Whether the word is an anchor of the number with which the link ends: `?id=1234` and `#1234`. */
static bool repeats_number(const uint8_t *part, size_t length, const struct guess_word *w)
{
	size_t digits = guess_digits(w->p + 1, w->n - 1);
	return w->p[0] == '#' && digits && digits + 1 == w->n && digits <= length
	       && !memcmp(part + length - digits, w->p + 1, digits);
}

/* Whether what the word begins with cannot follow the end of the link. */
static bool is_odd_pair(const struct guess *g, const struct view *v, const struct guess_word *w)
{
	uint8_t last = v->p[g->at - 1], first = w->p[0];
	const uint8_t *part = v->p + g->from;
	size_t length = g->at - g->from;
	bool host = guess_is_host_only(g, v);
	if (host && !BYTE_IN(first, "/?:") && !BYTE_IN(last, "-/."))
		return true;
	if (first == '@' && !guess_completes_id(g, v, w))
		return true;
	if (last == '@' && (host || !guess_word_is_host_of(w, 0)))
		return true; /* what is not the end of a Message-ID */
	if ((BYTE_IN(first, "=+") && (!g->query || last == first)) || text_is_among(w->p, w->n, "=20"))
		return true; /* `=20`: a line of undecoded quoted-printable that is blank */
	const uint8_t *escape = w->p + (first == '?');
	if (byte_at(escape, 0, (size_t)(w->p + w->n - escape)) == '%' && hex_escape(escape, w->p + w->n) < 0)
		return true;
	if (is_torn_escape(part, length, w) || has_colon(w, last) || is_branch(part, length, w))
		return true;
	if (first == '#' && guess_begins_name(w->p + 1, w->n + w->left - 1))
		return true;
	if (!is_alnum(first) && !BYTE_IN(first, "=%") && scheme_prefix(w->p + 1, w->n - 1))
		return true; /* another link */
	if (text_begins(w->p, w->n, "??") || text_begins(w->p, w->n, "&#"))
		return true;
	if (first == '?' && !memchr(w->p, '=', w->n) && (!w->alone || memchr(part, '#', length)))
		return true; /* a character that was lost */
	if (text_begins(w->after, w->left, "..") || (host && g->before == '='))
		return true; /* an elision; a value in something that is no link */
	if (first == '/'
	    && ((!host && !w->alone && is_blank(w->after[0])) || BYTE_IN(last, "/#")
	        || guess_word_is_complete(part, length, false) || (g->query && !(w->alone && ends_in_path(g, v)))))
		return true;
	if (ends_in_anchor(part, length, first) || guess_is_past_id(part, length, w) || repeats_number(part, length, w))
		return true;
	if (ends_in_dash(part, length, w) || (is_alnum(first) && guess_ends_in_uuid(part, length)))
		return true;
	size_t name = byte_last(part, 0, length, '/');
	bool address = memchr(part + name, '@', length - name);
	if (!BYTE_IN(last, "-.") && !host && !address && guess_word_is_host(w))
		return true;
	if (first == '-' && !BYTE_IN(last, ".-") && !guess_is_cut_mark(last) && !is_hyphenated(w)
	    && !(last == '/' && text_begins(w->p, w->n, "-/")))
		return true; /* an option; after a slash, `-/` is of a forge */
	if (text_ends(part, length, "--") || text_ends(part, length, "___"))
		return true; /* a dash, a ruler */
	return last == '?' && !memchr(w->p, '=', w->n);
}

/* Whether the word is a call in code. */
static bool is_call(const struct guess *g, const struct view *v, const struct guess_word *w)
{
	uint8_t last = v->p[g->at - 1];
	if (g->query || BYTE_IN(last, "-_/") || is_digit(*w->p) || *w->p == '.')
		return false;
	size_t k = byte_span(w->p, 0, w->n, BYTE_ALNUM | BYTE_UNDERSCORE | BYTE_STOP);
	return k && k < w->n && w->p[k] == '(';
}

/* Whether the link has a query, and so does the word. */
static bool is_second_query(const struct guess *g, const struct guess_word *w)
{
	const uint8_t *mark = g->query ? memchr(w->p, '?', w->n) : NULL;
	size_t before = mark ? (size_t)(mark - w->p) : 0;
	return mark && before + 1 < w->n && is_alnum(mark[1]) && !memchr(w->p, '&', before);
}

/* Whether the word is the number of a list item, alone on its line as the link is, which ends with none. */
static bool is_number(const struct guess *g, const struct view *v, const struct guess_word *w)
{
	uint8_t last = v->p[g->at - 1];
	size_t digits = guess_digits(w->p, w->n);
	return digits == w->n && digits < 3 && w->left == 1 && w->after[0] == '.' && guess_text_start(g, v) == g->from
	       && !is_digit(last) && last != '-' && !guess_is_cut_mark(last);
}

static bool is_never(const struct guess *g, const struct view *v, const struct guess_word *w)
{
	uint8_t last = v->p[g->at - 1];
	size_t n = w->n + w->left, text = guess_text_start(g, v);
	if (g->gateway && !g->open)
		return true;
	if (guess_word_is_apart(w, g->query, g->open || guess_ends_in_id(g, v), g->scheme) || is_odd_pair(g, v, w) ||
	    is_call(g, v, w) || is_second_query(g, w) || is_assignment(g, v, w) || holds_link(g, w))
		return true;
	if (w->common || is_number(g, v, w) || repeats_prefix(g, v, w) || repeats_end(g, v, w))
		return true;
	if (guess_word_is_hash(w) && last != '=' && !text_ends(v->p + g->from, g->at - g->from, "commit/"))
		return true;
	if (guess_is_source(v->p + text, g->from - text) || guess_is_component(w->after, w->left))
		return true;
	if (guess_word_is_row(w) || (!w->alone && memchr(w->after, '|', w->left)))
		return true;
	return !w->alone && !w->strong && w->p[n - 1] == ':'; /* an attribution */
}

/* ---- the link ---- */

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
	if (BYTE_IN(view_byte(v, g->at), "-.") && guess_is_host_only(g, v))
		g->at++; /* no host ends with it, but a part of one may */
	view_needs(v, g->at, 1);
	size_t n = g->at - g->from;
	g->query |= memchr(v->p + g->from, '?', n) || memchr(v->p + g->from, '&', n);
	g->open = g->gateway && !has_end(g, v);
	return is_fws(view_byte(v, g->at));
}

bool guess_init(struct guess *g, const struct view *v, const struct opening *o, const struct extent *x)
{
	g->begin = g->from = o->begin;
	g->before = o->before;
	g->query = g->marked = false;
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
	if (v->p[g->at - 1] != '.' || !guess_is_host_only(g, v))
		return false;
	size_t i = byte_span_back(v->p, g->begin, g->at - 1, BYTE_HOST), n = g->at - 1 - i;
	size_t label = run_after(v->p + i, n, '.');
	return !tld_known(v->p + i + label, n - label);
}

/* Whether the `=` at the end of the line is likely a soft line break of quoted-printable, though no escape in its
 * paragraph proves it (J1). */
static bool is_quoted_printable(const struct guess *g, const struct view *v, size_t here, bool strong)
{
	if (v->p[g->at - 1] != '=' || here < QUOTED_LEAST || here > QUOTED_MOST)
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
	return g->word.end > g->content && g->word.end <= g->next_end;
}

/* Whether two words of prose begin the text of the next line, as mostly: no link is cut before them, except after `-` or
 * `_`. */
static bool is_prose(const struct guess *g, const struct view *v)
{
	const uint8_t *p = v->p + g->content;
	const size_t n = g->next_end - g->content, letters = guess_letters(p, n);
	const struct guess_word w = {.p = p, .n = letters};
	const size_t after = letters + BYTE_IN(byte_at(p, letters, n), ",.");
	return letters && is_alnum(byte_at(p, after + 1, n)) && is_blank(p[after]) && !BYTE_IN(v->p[g->at - 1], "-_")
	       && !guess_word_completes(v->p + g->from, g->at - g->from, &w);
}

bool guess_next(struct guess *g, const struct view *v)
{
	if (!read_next(g, v) || is_prose(g, v) || !read_word(g, v))
		return false;
	struct guess_word w = {.p = v->p + g->content, .n = g->word.end - g->content, .after = v->p + g->word.end,
	                       .left = g->next_end - g->word.end};
	while (w.solid < w.n + w.left && !is_space(w.p[w.solid]))
		w.solid++;
	w.ending = (g->open && guess_letters(w.p, w.n) < w.n)
	           || guess_word_completes(v->p + g->from, g->at - g->from, &w);
	struct guess_place place = { .here = guess_columns(v, g->line, g->at) };
	uint8_t last = v->p[g->at - 1];
	place.completes = g->scheme ? guess_word_is_domain(&w) : cuts_host(g, v) && guess_word_ends_host(&w);
	if (place.here + w.solid <= SHORT && !w.ending && !place.completes)
		return false;
	guess_word_classify(&w, g->before, g->query);
	if (((g->wrapped || g->marked) && !w.strong) || (g->wrapped && !w.alone) || is_never(g, v, &w) ||
	    guess_begins_record(w.p, w.n + w.left, ends_in_name(g, v)))
		return false;
	if (g->wrapped && !guess_completes_id(g, v, &w) && !regains_mark(g, v))
		return false;
	bool soft = is_quoted_printable(g, v, place.here, w.strong);
	if (last == '=' && !g->query && !soft)
		return false;
	guess_measure(g, v, &place);
	if (guess_begins_version(w.p, w.n + w.left, last) && !guess_is_full(g, v, &w, &place))
		return false;
	g->kept = g->at - soft;
	g->confidence = g->scheme && !place.completes ? 0 : guess_confidence(g, v, &w, &place);
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

/* Whether the line at i begins with a word without marks and a second one: such a guess is never sure. */
static bool is_unsure(const struct view *v, size_t i)
{
	const uint8_t *p = v->p;
	size_t stop = look_end(v, i), word = skip_marks(v, i, stop), second;
	i = byte_span(p, word, stop, BYTE_ALPHA | BYTE_HYPHEN);
	if (i > word && byte_at(p, i, stop) == '/') /* "and/or" */
		i = byte_span(p, i + 1, stop, BYTE_ALPHA | BYTE_HYPHEN);
	else
		i = byte_span(p, i, stop, BYTE_NAME | BYTE_COMMA);
	second = p[i - (i > 0)] == '/' ? i : line_skip_blanks(v, i, stop);
	if (i - word == 3 && !memcmp(p + word, "dnl", 3))
		return false; /* it may be a line prefix */
	return second > i && i > word && is_alnum(byte_at(p, second, stop));
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
	if (!follows || (sure && is_unsure(v, line)))
		return false;
	return !begins_apart(&peek, line) || more;
}
