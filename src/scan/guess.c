#include "guess.h"

#include "simd/runs.h"
#include "text/match.h"
#include "url/url.h"

#include <string.h>

#define SPACES " \t\n\v\f\r"


/* ---- the next line ---- */

/* The start of the next line, where only blanks follow `at` on its line. */
static bool next_line(const struct view *v, size_t at, size_t *line)
{
	size_t i = at, width;
	i = line_skip_blanks(v, i, smaller(v->end, i + 8));
	/* a declared break (J1) is between words, as a rule, but seldom after these */
	bool open = memchr("/=&?", v->p[at - 1], 4);
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
	const uint8_t c = view_read(v, k);
	if (k == i) {
		bool prefix = guess_may_begin(c) || bytes16_has(">|:!<*>|:!<*>|:!", c);
		return !prefix || (c == '<' && v->end - i > 1 && !is_blank(v->p[i + 1]));
	}
	if (c == ':' && (is_alpha(v->p[i]) || text_begins(v->p + k, v->end - k, "://")))
		return true;
	return k - i > 4 && ascii_is_among(v->p + i, 4, "www. ftp.");
}

/* Whether a list mark of its own begins the next line.  ` * ` continues a comment of C, and `-` or `+` before
 * several blanks may be the mark of a diff. */
static bool is_new_item(const struct guess *g, const struct view *v, size_t marks)
{
	if (!g->prefix.list || marks == g->next)
		return false;
	const uint8_t *p = v->p + marks - 1;
	if (*p != '*')
		return g->content == marks + 1 && BYTE_IN(*p, "-+");
	return p[-1] != ' ' || p[-2] == ' '; /* a line end is before the line */
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

/* Whether the line after the next has the quote marks of the link's line again. */
static bool regains_mark(const struct guess *g, const struct view *v)
{
	struct line_prefix quotes = {.quotes = g->prefix.quotes};
	memcpy(quotes.marks, g->prefix.marks, quotes.quotes);
	size_t n, marks, content;
	return prefix_match(v, guess_line_below(g, v, &n), &quotes, &marks, &content);
}

/* Finds the text of the next line. */
static bool read_next(struct guess *g, const struct view *v)
{
	size_t marks;
	if (!next_line(v, g->at, &g->next) || (!g->scheme && begins_apart(v, g->next)))
		return false;
	g->lacks = LACKS_NOTHING;
	if (!prefix_match(v, g->next, &g->prefix, &marks, &g->content)) {
		/* it lacks what a program that wraps lines does not repeat: `// `, the mark of a list, quote marks */
		struct line_prefix shallower = {.quotes = g->prefix.quotes};
		memcpy(shallower.marks, g->prefix.marks, shallower.quotes);
		if (BYTE_IN(g->prefix.comment, "/*") && prefix_match(v, g->next, &shallower, &marks, &g->content))
			g->lacks = LACKS_LEADER;
		while (!g->lacks && shallower.quotes > 0) {
			shallower.quotes--;
			g->lacks = prefix_match(v, g->next, &shallower, &marks, &g->content) ? LACKS_QUOTES : LACKS_NOTHING;
		}
		if (!g->lacks)
			return false;
	} else if (is_deeper(g, v) && !restore_marks(g, v, &marks)) {
		return false;
	}
	if (!line_find_end(v, g->next, LINE_LOOK, &g->next_end))
		return false;
	g->next_end = byte_span_back(v->p, g->content, g->next_end, BYTE_BLANK);
	/* the mark of a trace or a prompt: `+ make`, `$ make` */
	const size_t mark = byte_span(v->p, g->next, g->next_end, BYTE_SP | BYTE_QUOTE);
	const bool trace = match_bytes(v->p + mark, g->next_end - mark, "[+$] [^%s*#/]");
	if (trace || is_new_item(g, v, marks) || !skip_leader(g, v))
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
	const size_t i = guess_text_start(g, g->v), end = byte_until(p, i, g->from, SPACES), n = end - i;
	return n > 1 && end < g->from && byte_span(p, i, end, BYTE_BUT(BYTE_ALNUM)) < end
	       && bytes_are(p + i, n, g->w.p, g->w.solid);
}

/* Whether the word repeats the last name of the link or its anchor, or how they begin, in any
 * letter case: a name beside its location, but after a `?` that of a parameter; or a path repeats that of the link. */
static bool repeats_end(const struct guess *g)
{
	size_t k = set_last(g->part, 0, g->length, "/:#"), n = g->length - k, most = smaller(n, g->w.n), same = 0;
	while (same < most && to_lower(g->part[k + same]) == to_lower(g->w.p[same]))
		same++;
	if (g->w.p[0] == '/')
		return g->w.n <= g->length && memcmp(g->part + g->length - g->w.n, g->w.p, g->w.n) == 0;
	return g->last != '?' && same > 3 && (same == n || byte_span(g->w.p, 0, same, BYTE_ALNUM) > 3);
}

/* Whether another link is in the word, other than as the value of a parameter or the rest of a path; after a `#` it is
 * that of a line which is commented out.  After a scheme alone the word is read as on one line, where a path may hold a
 * link. */
static bool holds_link(const struct guess *g)
{
	for (size_t i = 0, k; !g->scheme && (i += text_index(g->w.p + i, g->w.n - i, "://")) < g->w.n; i++) {
		k = byte_span_back(g->w.p, 0, i, BYTE_SCHEME);
		if (is_alpha(g->w.p[k]) && (g->w.p[0] == '#' || !BYTE_IN(g->w.p[k - 1], "=/")))
			return true;
	}
	return false;
}

/* After the last mark of a query in the part before the cut; 0 for none. */
static size_t after_mark(const struct guess *g) { return set_last(g->part, 0, g->length, "?&="); }

/* Whether the word is an anchor of the number with which the link ends: `?id=1234` and `#1234`. */
static bool repeats_number(const struct guess *g)
{
	const size_t digits = g->w.n - 1, begin = excess(g->length, digits);
	return match_bytes(g->w.p, g->w.n, "#%d+" MATCH_END)
	       && bytes_are(g->part + begin, g->length - begin, g->w.p + 1, digits);
}

/* `#name: ` */
static bool is_comment(const struct guess *g)
{
	return g->w.p[0] == '#' && guess_begins_name(g->w.p + 1, g->w.n + g->w.left - 1);
}

/* Whether the word, alone on its line, is an item of a list: the line below has another one, as far in, which begins as
 * it does, or both are names of files below that of a folder; or the number of a footnote, and that line has a link or
 * is such a number. */
static bool is_item(const struct guess *g)
{
#define FILE_NAME "[%w_-]+[.]%a%w?%w?%w?" MATCH_END
	enum { SAME = 3 };
	const uint8_t *line = g->v->p + g->next;
	size_t n;
	const uint8_t *below = g->v->p + guess_line_below(g, g->v, &n);
	const size_t indent = (size_t)(g->w.p - line);
	if (g->w.left)
		return false;
	if (match_bytes(g->w.p, g->w.n, "%d%d?" MATCH_END))
		return !guess_word_completes(g)
		       && (match_bytes(below, n, "%s*%d%d?%s*" MATCH_END) || text_index(below, n, "://") < n);
	if (n <= indent + SAME || memcmp(below, line, indent) != 0)
		return false;
	below += indent, n -= indent;
	return (g->w.n > SAME && memcmp(below, g->w.p, SAME) == 0 && !memchr(below + SAME, ' ', n - SAME))
	       || (g->last == '/' && match_bytes(g->w.p, g->w.n, FILE_NAME) && match_bytes(below, n, FILE_NAME));
}

/* Whether the word is common in prose, or begins an attribution or a cell of a table: where the link of a gateway lacks
 * its end, a `|` that ends the line is the edge of a box. */
static bool is_other_text(const struct guess *g)
{
	bool attribution = !g->w.strong && g->w.p[g->w.n + g->w.left - 1] == ':';
	return g->w.common || (!g->w.alone && (attribution || memchr(g->w.after, '|', excess(g->w.left, g->open))));
}

/* What the rows of rules ask of the link: */
enum {
	HOST = 1 << 0,      /* guess.host, */
	QUERY = 1 << 1,     /* query, */
	VALUED = 1 << 2,    /* valued, */
	GATEWAY = 1 << 3,   /* gateway, */
	OPEN = 1 << 4,      /* open */
	PROMPT = 1 << 6,    /* the prompt of a shell begins its line */
	/* of the part before the cut: */
	FRAGMENT = 1 << 7,  /* it has a `#`, */
	LINE = 1 << 8,      /* and ends with an anchor like `#L10`, */
	ANCHOR = 1 << 9,    /* or `#comment-1234` */
	VALUE = 1 << 10,    /* it ends within the value of a parameter, */
	PATH = 1 << 11,     /* a slash follows the last mark of its query; */
	NUMBER = 1 << 12,   /* the value is a number, but for a hyphen */
	ADDRESS = 1 << 13,  /* its last name has a `@` */
	GIT = 1 << 14,      /* it ends with `.git` or `.git/`, the address of a repository, */
	PAGE = 1 << 15,     /* and the word is the name of a page of it, no branch or tag; */
	COMMIT = 1 << 16,   /* with `commit/`, */
	DASH = 1 << 17,     /* with a dash or a ruler, */
	ESCAPE = 1 << 18,   /* with a `%` and a byte, */
	AMPERSAND = 1 << 5, /* with an `&`, perhaps before letters */
};

static unsigned facts_of_link(const struct guess *g)
{
	static const char pages[] =
	    "about atom blame blob commit commitdiff diff history log patch plain refs shortlog snapshot stats summary "
	    "tag tree";
	const uint8_t *part = g->part;
	const size_t n = g->length, mark = excess(byte_last(part, 0, n, '#'), 1), name = byte_last(part, 0, n, '/');
	const size_t value = after_mark(g), number = byte_span_back(part, 0, n - (g->last == '-'), BYTE_DIGIT);
	const bool git = text_ends(part, n - (g->last == '/'), ".git");
	const size_t text = guess_text_start(g, g->v);
	return bits_if(g->host, HOST) | bits_if(g->query, QUERY) | bits_if(g->valued, VALUED) | bits_if(g->gateway, GATEWAY)
	       | bits_if(g->open, OPEN)
	       | bits_if(memcmp(g->v->p + text, "$ ", 2) == 0, PROMPT)
	       | bits_if(part[mark] == '#', FRAGMENT)
	       | bits_if(match_bytes(part + mark, n - mark, "#L%d+" MATCH_END), LINE)
	       | bits_if(match_bytes(part + mark, n - mark, "#%a*[_-][%a_-]*%d%d%d%d+" MATCH_END), ANCHOR)
	       | bits_if(byte_before(part, value) == '=', VALUE)
	       | bits_if(value && memchr(part + value, '/', n - value), PATH)
	       | bits_if(is_digit(part[number]) && byte_before(part, number) == '=', NUMBER)
	       | bits_if(memchr(part + name, '@', n - name), ADDRESS)
	       | bits_if(git, GIT) | bits_if(ascii_is_among(g->w.p, guess_letters(g->w.p, g->w.n), pages), PAGE)
	       | bits_if(text_ends(part, n, "commit/"), COMMIT) | bits_if(text_ends(part, n, "--"), DASH)
	       | bits_if(text_ends(part, n, "___"), DASH) | bits_if(byte_before(part, n - 1) == '%', ESCAPE)
	       | bits_if(byte_before(part, byte_span_back(part, 0, n, BYTE_ALPHA)) == '&', AMPERSAND);
}

/* What they ask of the word: */
enum {
	ALONE = 1 << 19,  /* guess_word.alone, */
	CLOSED = 1 << 20, /* closed, */
	ENDING = 1 << 21, /* ending */
	PAREN = 1 << 22,  /* it ends with `)`, */
	MARK = 1 << 23,   /* it begins with no letter or digit: rows for such words say so, which saves most matches */
	HYPHEN = 1 << 24, /* with the hyphen of a name, alone: `-of-names`, neither an option nor who signs */
	LAST = 1 << 25,   /* it is after what looks complete (guess_word_is_complete), */
	DOMAIN = 1 << 26, /* with a host, as after a `@`, */
	SITE = 1 << 27,   /* with a full host name (guess_word_is_host); */
	ID = 1 << 28,     /* it has the host of a Message-ID (guess_completes_id), */
	HASH = 1 << 29,   /* it is a hash, */
	TITLE = 1 << 30,  /* it has the `_(` of the title of a page, `Lamps_(tides)` */
};

static unsigned facts_of_word(const struct guess *g)
{
	const uint8_t *p = g->w.p;
	const size_t n = g->w.n;
	static const char names[] =
	    "-[%l%d][%l%d]+[-./]" MATCH_ANY "|-%d%d+_" MATCH_ANY "|-%u%l%l%l+-%w+[-./]" MATCH_ANY;
	const bool hyphen = match_bytes(p, n, names);
	return bits_if(g->w.alone, ALONE) | bits_if(g->w.closed, CLOSED) | bits_if(g->w.ending, ENDING)
	       | bits_if(!is_alnum(*p), MARK) | bits_if(p[n - 1] == ')', PAREN) | bits_if(g->w.alone && hyphen, HYPHEN)
	       | bits_if(guess_word_is_complete(g->part, g->length, false), LAST)
	       | bits_if(guess_word_is_host_of(g, 0), DOMAIN) | bits_if(guess_word_is_host(g), SITE)
	       | bits_if(guess_completes_id(g), ID)
	       | bits_if(guess_word_is_hash(g), HASH) | bits_if(text_index(p + 1, n - 1, "_(") < n - 1, TITLE);
}

/* A rule: what is never a join has all facts of `with` and none of `without`; the last byte of the link is in the set
 * `last`, or in none after `^`; the word, and what is after it on its line, match the patterns. */
struct rule {
	unsigned with, without;
	const char *last, *word, *after;
};

#define NO_HEX "%f[^" HEX_DIGITS "]"
#define LOST "%a*[?][^=]*" MATCH_END
#define NAME "[%w_.-]+"
#define SCHEME "%a[%w+.-]*:"
static const struct rule rules[] = {
	{ GATEWAY, OPEN, "^", "", "" },              /* the gateway of the link has ended it */
	{ HOST, ENDING, "^-/.", "[^/?:]", "" },      /* a host, and the word neither a path nor the rest of the host */
	{ SITE, HOST | ADDRESS, "^-.", "", "" },     /* another host, for which the link has no place */
	{ PROMPT, 0, "/", "", "" },                  /* the output of a command */
	{ 0, 0, "/", "", "%s(%a)" MATCH_END },       /* a file of a list, with its mark: `lamps-1.2.zip (W)` */
	{ DASH, 0, "^", "", "" }, { 0, 0, "?", "[^=]*" MATCH_END, "" }, /* a dash; the question mark of a sentence */
	{ MARK, 0, "^", "[^=%%]" SCHEME, "" },       /* another link after a mark */
	{ 0, 0, "^", "", "..|!" },                   /* an elision, a call */
	{ 0, 0, "^", "%a+'%a+" MATCH_END "|%d[%d.]*%h", "" }, /* `doesn't`; `6.灯台`, a number in text without blanks */

	/* a `@` that is not of a Message-ID */
	{ MARK, ID, "^", "@", "" }, { 0, DOMAIN, "@", "", "" },

	/* a mark of a query where none can follow: `&` follows a parameter, else it is of what has the link as a value, the
	 * body of a POST; a second query, a second anchor */
	{ MARK, QUERY | VALUED, "^", "&", "" }, { MARK, QUERY, "^", "[=+]", "" }, { MARK, 0, "=", "[=#]", "" },
	{ QUERY, 0, "^", "[^?&]*[?]%w", "" }, { FRAGMENT, 0, "^#/", "[^#]*#%f[^/]", "" },
	{ MARK, LAST | CLOSED, "^", "#%a+" MATCH_END, "" }, /* a hashtag, where no page or file ends */
	{ FRAGMENT, 0, "^", "[%w_-]+[.]txt" MATCH_END "|[%w_-]+[.]html?" MATCH_END, "" }, /* a file, after an anchor */

	/* an assignment where the query of the link cannot have one, as in the body of a POST or a line of settings.  A
	 * path may have parameters too, `ref=lamps_1/2`, or `package=lamps)` in brackets; so may what follows a `#` */
	{ 0, QUERY, "^#/", NAME "=", "" },
	{ 0, QUERY | CLOSED, "/", NAME "=%f[^%w_.-]|" NAME "=" NAME "%f[^/]", "" },
	{ QUERY, 0, "^", NAME "=" MATCH_END, "[\"']%w" }, /* `name="value` */
	{ QUERY | VALUE, 0, "^=", NAME "=", "" }, { QUERY | VALUE, 0, "^", NAME "=" SCHEME, "" },

	/* a slash where the link can have no more names */
	{ MARK, HOST | ALONE, "^", "/", "%s" }, { MARK, 0, "/#", "/", "" }, { MARK | LAST, 0, "^", "/", "" },
	{ MARK | QUERY, ALONE, "^", "/", "" }, { MARK | QUERY, PATH, "^", "/", "" },

	/* characters that were lost, or a reference to one; a line of undecoded quoted-printable that is blank */
	{ MARK, 0, "^", "[?][?]|##|&#|=20" MATCH_END, "" }, { 0, 0, "^", "%a*[?][^=?]*[?][^=]*" MATCH_END, "" },
	{ 0, ALONE, "^", LOST, "" }, { FRAGMENT, 0, "^", LOST, "" },
	/* the rest of a reference to what no link holds: `&quot;`, `&gt;`, `&nbsp;`, but not `&amp;` */
	{ AMPERSAND, 0, "^m", "[glquo]*t;|[nbs]*p;", "" },
	{ AMPERSAND, 0, "^m", "[glquo]*t" MATCH_END "|[nbs]*p" MATCH_END, ";" },

	/* a `%`, perhaps after a `?`, that begins no escape; the cut is within a `%2F` that the word does not complete */
	{ MARK, 0, "^", "[?]?%%" NO_HEX "|[?]?%%" MATCH_HEX NO_HEX, "" },
	{ ESCAPE, 0, "^", NO_HEX, "" }, { 0, 0, "%", NO_HEX "|" MATCH_HEX NO_HEX, "" },

	/* a name and what it has, the path of a file and a message, `patch(1/4):`.  At the end of the line, the colon may
	 * be one of prose after the rest of the link */
	{ 0, 0, "^", "", ":" MATCH_ANY }, { 0, 0, "#", "", ":" }, { 0, 0, "^", "/|[^/]*" MATCH_END, ":" },
	{ PAREN, 0, "^", "", ":" },

	/* a branch or a tag of the repository; the tag of a request to pull */
	{ GIT, 0, "^/", "%w", "" }, { GIT, PAGE, "/", "%w", "" }, { 0, 0, "^/-=", "tags/", "" },
	{ LINE, 0, "^", "[^%d-]", "" }, { ANCHOR, 0, "^", "%a", "" }, /* a word that goes on with no anchor */

	/* after a number, a path or a name with text after it, or after a dash of prose a word */
	{ NUMBER, ALONE, "-", "%a+" MATCH_END, "" }, { NUMBER, ALONE | ENDING, "^-", "%a[^&=%%]*" MATCH_END, "" },

	/* an option; after a slash, `-/` is of a forge */
	{ MARK, HYPHEN, "^.=&?%_#+;@/-", "-", "" }, { MARK, HYPHEN, "/", "-%f[^/]", "" },

	{ 0, 0, "]", "[^&=]", "" },                /* after a placeholder, `?id=[ID]`, the next parameter alone */
	{ 0, QUERY | TITLE, "^-_/", "[%a_][%w_.]*(", "" }, /* a call in code */
	/* a sentence that begins with the name of a file */
	{ 0, HOST | ALONE, "/", "[%w_/-]+[.][%w_./-]+" MATCH_END,
	  "%sis%s|%sare%s|%shas%s|%sneeds%s|%swas%s|%swill%s|%scan%s" },
	{ HASH, COMMIT, "^=", "", "" },            /* a hash of its own */
	/* the number of a list item, alone on its line, where the link ends with none */
	{ 0, 0, "^0123456789=&?%_#+;@-", "%d%d?" MATCH_END, "[.]" MATCH_END },
	{ 0, QUERY, "^", "[+]%d|1-%d%d%d-" MATCH_ANY, "" }, /* a telephone number with its country, `1-800-WORDS` */
};

static bool is_ruled_out(const struct guess *g)
{
	const unsigned facts = facts_of_link(g) | facts_of_word(g);
	for (const struct rule *r = rules; r < rules + sizeof rules / sizeof *rules; r++) {
		const bool others = *r->last == '^';
		if ((facts & (r->with | r->without)) == r->with
		    && is_of((char)g->last, r->last + others) != others
		    && match_bytes(g->w.after, g->w.left, r->after) && match_bytes(g->w.p, g->w.n, r->word))
			return true;
	}
	return false;
}

static bool is_never(const struct guess *g)
{
	static guess_rule *const never[] = {
		guess_word_is_apart, is_ruled_out, is_comment, guess_is_past_id, repeats_number, guess_is_past_uuid, holds_link,
		is_item, repeats_prefix, repeats_end, guess_is_source, guess_word_is_row, is_other_text
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

/* Sets the cut.  False: text follows the link on its line. */
static bool set_cut(struct guess *g, const struct view *v)
{
	const struct extent *x = &g->x;
	g->at = x->at;
	const size_t marks = x->at - x->end; /* behind a link that ends here: one may belong to it, as does `&amp;` */
	if (x->truncated || (!text_is(v->p + x->end, marks, "&amp;")
	                     && (marks > 1 || byte_after(v->p, x->end, x->at, ".?#@") < x->at)))
		return false;
	g->host = is_host_only(g, v);
	g->hyphen = 0;
	if (g->host) {
		/* no host ends with the mark, but a part of one may, where no typesetter puts a hyphen */
		const bool mark = BYTE_IN(view_byte(v, g->at), "-.");
		if (!mark) /* H4: a typesetter's hyphen, which no host has */
			g->hyphen = 3 * (size_t)view_word(v, g->at, "\u2010", 3) + 2 * (size_t)view_word(v, g->at, "\u00AD", 2);
		g->at += mark + g->hyphen;
	}
	view_needs(v, g->at, 1);
	g->part = v->p + g->from;
	g->length = g->at - g->from;
	g->last = v->p[g->at - 1];
	g->query |= memchr(g->part, '?', g->length) || memchr(g->part, '&', g->length);
	g->valued |= memchr(g->part, '=', g->length) != NULL;
	if (g->gateway) { /* the part has not the end of its links, nor is the rest of that */
		const size_t length = strlen(g->gateway), k = smaller(x->end - g->from, length);
		g->open = memcmp(v->p + x->end - k, g->gateway + length - k, k) != 0;
	} else { /* `doi.org/10.1000/`: no DOI without a suffix */
		const size_t i = byte_span_back(g->part, 0, g->length - 1, BYTE_DIGIT | BYTE_STOP);
		g->open = match_bytes(g->part + i, g->length - i, "10[.][%d.]*/") && text_ends(g->part, i, "doi.org/");
	}
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

/* Reads the part of the link on the next line. */
static bool read_word(struct guess *g, const struct view *v)
{
	g->word = g->x;
	g->word.at = g->word.end = g->content;
	g->word.bracket = 0;
	extent_run(&g->word, v);
	if (g->scheme) { /* it ends where its host does, as on one line; but what precedes a `@` is a user, not a host */
		const uint8_t *p = v->p;
		const size_t begin = g->content, end = g->word.end, host = byte_span(p, begin, end, BYTE_HOST);
		const size_t authority = byte_span(p, begin, end, BYTE_BUT(BYTE_DELIMITER));
		const uint8_t next = byte_at(p, host, authority);
		const bool ends = host < authority && next < 0x80 && !BYTE_IN(next, "\\%_");
		if (ends && !(next == ':' && is_digit(byte_at(p, host + 1, end))) && !memchr(p + host, '@', authority - host))
			g->word.at = g->word.end = host;
	}
	return g->word.end > g->content;
}

/* Whether two words of prose begin the text of the next line, as mostly: no link is cut before them, except after `-`
 * or `_`. */
static bool is_prose(struct guess *g, const struct view *v)
{
	const uint8_t *p = v->p + g->content;
	const size_t n = g->next_end - g->content;
	g->w.p = p;
	g->w.n = guess_letters(p, n);
	const size_t after = g->w.n + BYTE_IN(byte_at(p, g->w.n, n), ",.");
	const uint8_t next = byte_at(p, after + 1, n);
	return g->w.n && (is_alnum(next) || next == '"') && is_blank(p[after]) && !BYTE_IN(g->last, "-_")
	       && ((g->last == '.' && after == g->w.n && !g->host) || !guess_word_completes(g));
}

bool guess_next(struct guess *g, const struct view *v)
{
	if (!read_next(g, v))
		return false;
	/* H4: U+2010 or a soft hyphen ends the part, a letter or digit begins the next line: a typesetter broke a word */
	const bool typeset = ascii_ends_among(g->part, g->length, "\u2010 \u00AD") && is_alnum(v->p[g->content]);
	if ((!typeset && is_prose(g, v)) || !read_word(g, v))
		return false;
	g->v = v;
	g->kept = g->at - g->hyphen;
	g->confidence = GUESS_HOST;
	if (typeset || g->hyphen)
		return typeset;
	g->w = (struct guess_word){.p = v->p + g->content, .n = g->word.end - g->content, .after = v->p + g->word.end,
	                              .left = excess(g->next_end, g->word.end)}; /* `\textasciitilde ` may end there */
	g->w.solid = byte_until(g->w.p, 0, g->w.n + g->w.left, SPACES);
	if (g->before == 0x27E8 && text_begins(g->w.after, g->w.left, "\u27E9")) /* the brackets of groff, `⟨` and `⟩` */
		return true;
	/* a name before more text is not the rest of what goes on to the end of a gateway */
	const bool name = g->gateway && byte_span(g->w.p, 0, g->w.n, BYTE_NAME) == g->w.n && g->w.left && is_blank(g->w.after[0]);
	g->w.ending = (g->open && !name && guess_letters(g->w.p, g->w.n) < g->w.n) || guess_word_completes(g);
	struct guess_place place = { .here = guess_columns(v, g->line, g->at) };
	place.completes = g->scheme ? guess_word_is_domain(g) : cuts_host(g, v) && guess_word_ends_host(g);
	guess_word_classify(g);
	const bool goes_on = g->w.ending || place.completes || (g->w.strong && g->w.alone && BYTE_IN(g->last, "-&?"));
	if (place.here + g->w.solid <= GUESS_SHORT && !goes_on)
		return false;
	/* J1: the `=` is likely a soft line break of quoted-printable, though no escape in its paragraph proves it */
	bool soft = g->last == '=' && within(place.here, QUOTED_LEAST, QUOTED_MOST);
	if (soft) {
		const enum quoted escapes = line_escapes(v, g->line, g->at - 1);
		soft = escapes >= QUOTED_SURELY || (escapes == QUOTED_PERHAPS && g->w.strong && !g->query);
	}
	if (g->last == '=' && !g->query && !soft)
		return false;
	if (((g->lacks || g->marked) && !g->w.strong) || (g->lacks && !g->w.alone))
		return false;
	guess_measure(g, v, &place);
	/* the link ends within an escape: with `%2`, where the rules refuse a word that does not complete it; or with a
	 * `%`, and an escape with a decimal digit goes on, as those of marks and of UTF-8 mostly are */
	const size_t mark = excess(g->length, 2);
	place.completes |= match_bytes(g->part + mark, g->length - mark, "%%" MATCH_HEX MATCH_END)
	                   || (g->last == '%' && match_bytes(g->w.p, g->w.n, "%d" MATCH_HEX "|" MATCH_HEX "%d"));
	g->confidence = g->scheme && !place.completes ? 0 : guess_confidence(g, &place);
	/* few places are worth a guess, and the other questions take ten times as long */
	if (g->confidence == 0 || is_never(g))
		return false;
	/* the link ends within the name of a parameter, or where one may follow */
	const bool named = g->last == ';' || BYTE_IN(byte_before(g->part, after_mark(g)), "?&");
	if (guess_begins_record(g->w.p, g->w.n + g->w.left, named))
		return false;
	if (g->lacks == LACKS_LEADER ? !guess_is_full(g, &place)
	                             : g->lacks && !guess_completes_id(g) && !regains_mark(g, v))
		return false;
	g->kept -= soft;
	return !guess_begins_version(g->w.p, g->w.n + g->w.left, g->last) || guess_is_full(g, &place);
}

bool guess_take(struct guess *g, const struct view *v)
{
	g->line = g->next;
	g->from = g->content;
	g->scheme = false;
	g->x = g->word;
	return set_cut(g, v);
}

bool guess_may_follow(const struct view *v, size_t at)
{
	bool more;
	const struct view peek = view_peek(v, &more);
	size_t line;
	const bool follows = next_line(&peek, at, &line);
	size_t i = follows ? line : at;
	i = line_skip_blanks(v, i, look_end(v, i));
	if (more || view_byte(v, i) == 0x1b || view_byte(v, i + 1) == '\b')
		return true; /* B1: perhaps a sequence or an overstrike, after which the line goes on */
	return follows && (!begins_apart(&peek, line) || more);
}
