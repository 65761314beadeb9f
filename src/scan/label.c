#include "label.h"

#include "attribute.h"
#include "ending.h"
#include "simd/runs.h"
#include "simd/simd.h"
#include "text/match.h"
#include "text/unicode.h"

#include <string.h>

/* How far a label and the surroundings may reach from the link, in bytes; a label after it less, as each link may open
 * one that nothing closes. */
enum { LABEL_LOOK = BACK_LOOK, LABEL_AHEAD = 176, LABEL_ENOUGH = 5 * LABEL_CHARACTERS / 4, TITLE_LEAST = 64 };

static bool is_blank_character(uint32_t c)
{
	return c <= ' ' || (c >= 0x80 && uclass_of(c) == UC_SPACE);
}

/* word_end: the end of the printable ASCII without blanks from i on. */
#define IS_NO_WORD(type, v) ((type)((type)(v - '!') > '~' - '!'))
RUN_SEARCH(word_end, (const uint8_t *p, size_t i, size_t n), IS_NO_WORD)

/* Writes at most `most` characters of the text, a run of white space as one blank; *count is how many.  Of a `label`,
 * spaces without a width are left out.  Blanks at the ends are kept.  A byte becomes three at most. */
static size_t collapse(const uint8_t *p, size_t n, bool label, size_t most, uint8_t *out, size_t *count)
{
	size_t used = 0, left = most;
	bool blank = false;
	for (size_t i = 0; i < n && left > 0;) {
		/* letters beyond ASCII come in runs */
		for (; left > 0 && utf8_letter(p + i, n - i); i += 2, used += 2, left--) {
			memcpy(out + used, p + i, 2);
			blank = false;
		}
		/* words with one SP between them, and before the first unless a blank was written */
		size_t end = word_end(p, i, n);
		while ((!blank || end > i) && end + 1 < n && p[end] == ' ' && !IS_NO_WORD(uint8_t, p[end + 1]))
			end = word_end(p, end + 2, n);
		const size_t word = end - i, taken = smaller(word, left);
		memcpy(out + used, p + i, taken);
		used += taken;
		left -= taken;
		i = end;
		if (i == n || left == 0)
			break;
		if (utf8_letter(p + i, n - i))
			continue;
		uint32_t c;
		const size_t k = utf8_next(p + i, n - i, &c);
		const bool space = is_blank_character(c);
		i += k;
		blank &= !word;
		if (space && (blank || (label && uclass_is_invisible(c))))
			continue;
		blank = space;
		used += utf8_put(out + used, space ? ' ' : c);
		left--;
	}
	*count = most - left;
	return used;
}

/* Whether the n bytes, at least one, are printable ASCII without two blanks in a row, as most are. */
static bool is_plain(const uint8_t *p, size_t n) { return within(*p, ' ', '~') && !label_has_odd(p, n); }

/* Copies the n bytes if they are plain and at most LABEL_CHARACTERS; 0 if not.  With it `list --format=%x` of dense
 * HTML takes 0.6 of the time. */
static size_t copy_plain(const uint8_t *p, size_t n, uint8_t out[LABEL_MAX])
{
	if (!within(n, 1, LABEL_CHARACTERS) || !is_plain(p, n))
		return 0;
	memcpy(out, p, n);
	return n;
}

/* Writes the beginning of the n bytes, at most LABEL_CHARACTERS characters. */
static size_t write_beginning(const uint8_t *p, size_t n, bool label, uint8_t out[LABEL_MAX])
{
	size_t count;
	const size_t plain = copy_plain(p, smaller(n, LABEL_CHARACTERS), out);
	return plain > 0 ? plain : collapse(p, n, label, LABEL_CHARACTERS, out, &count);
}

size_t label_collapse(const uint8_t *p, size_t n, uint8_t out[LABEL_MAX])
{
	while (n && is_blank_character(*p)) {
		p++;
		n--;
	}
	size_t used = write_beginning(p, n, true, out);
	used -= byte_before(out, used) == ' ';
	const bool blank = used > 0 && *out == ' '; /* after spaces without a width */
	memmove(out, out + blank, used -= blank);
	return used;
}

/* The beginning, in [low, n), of the last `lines` lines. */
static size_t lines_begin(const uint8_t *p, size_t low, size_t n, size_t lines)
{
	size_t from = n;
	for (; (from = run_line_start(p, low, from)) > low; from--) {
		const bool pair = text_begins(p + from - 1, n - from + 1, "\r\n");
		if (!pair && !--lines)
			break;
	}
	return from;
}

size_t label_before(const uint8_t *p, size_t n, size_t lines, uint8_t out[LABEL_MAX])
{
	size_t low = excess(n, LABEL_LOOK), from = lines_begin(p, low, n, lines), count;
	if (low && from == low)
		from = utf8_begin(p, from, n);
	from = byte_span(p, from, n, BYTE_FWS);
	const size_t last = larger(excess(n, LABEL_CHARACTERS), from), plain = copy_plain(p + last, n - last, out);
	if (plain > 0)
		return plain;
	/* The end is enough where it has so many characters, from one that begins there whatever comes before it. */
	uint8_t text[3 * LABEL_LOOK];
	size_t used, at = 0;
	for (size_t enough = LABEL_ENOUGH, first = from;; enough = 1 + enough * LABEL_ENOUGH / larger(count, 1)) {
		from = larger(excess(n, enough), first);
		if (from > first)
			from = utf8_begin(p, from, n);
		used = collapse(p + from, n - from, false, SIZE_MAX, text, &count);
		if (from == first || count > LABEL_CHARACTERS)
			break;
	}
	for (uint32_t c; count > LABEL_CHARACTERS; count--)
		at += utf8_next(text + at, used - at, &c);
	memcpy(out, text + at, used - at);
	return used - at;
}

size_t label_after_end(const struct view *v, size_t from, size_t lines)
{
	/* of plain text, characters are bytes */
	const size_t enough = from + LABEL_CHARACTERS + 1;
	if (enough <= v->end && is_plain(v->p + from, enough - from))
		return enough;
	size_t to = from, most = smaller(v->end, from + LABEL_LOOK);
	for (; (to = run_line_end(v->p, to, most)) < most; to++) {
		const bool pair = text_ends(v->p + from, to + 1 - from, "\r\n");
		if (!pair && !--lines)
			break;
	}
	view_needs(v, to, 1);
	return larger(from, utf8_cut(v->p, to, v->end));
}

size_t label_after(const uint8_t *p, size_t n, uint8_t out[LABEL_MAX])
{
	return write_beginning(p, byte_span_back(p, 0, n, BYTE_FWS), false, out);
}

/* ---- Labels ---- */

/* Whether an odd number of backslashes is before i, from `floor` on. */
static bool is_escaped(const uint8_t *p, size_t floor, size_t i)
{
	return (i - byte_run_back(p, floor, i, '\\')) % 2;
}

/* The index of the byte `open` that begins the label ending at `to`, or SIZE_MAX: pairs of `close` and `open` may be
 * inside, nested a few deep; an empty line may not. */
static size_t find_open(const struct view *v, size_t to, uint8_t open, uint8_t close)
{
	enum { DEPTH_MAX = 8 };
	const size_t floor = excess(to, LABEL_LOOK), low = is_escaped(v->p, floor, to) ? to : floor;
	size_t depth = 0, i;
	bool line_is_empty = false;
	for (i = to; i > low && depth <= DEPTH_MAX; i--) {
		uint8_t c = v->p[i - 1];
		const bool escaped = BYTE_IN(c, "[]`") && is_escaped(v->p, floor, i - 1);
		if (c == '\n' && line_is_empty)
			break;
		line_is_empty = c == '\n' || (line_is_empty && (is_fws(c) || c == '>'));
		if (c == open && !escaped && depth-- == 0)
			return i - 1;
		depth += c == close && !escaped;
	}
	return SIZE_MAX;
}

/* Whether the label from *to on ends, on the same line, before `close`; *to is where.  Pairs of braces may be inside.
 * `marks` backslashes before a bracket or brace take its meaning, unless more characters than one close the label. */
static bool find_close(const struct view *v, const char *close, size_t marks, size_t *to)
{
	const size_t from = *to, n = strlen(close);
	size_t depth = 0, before = 0; /* backslashes */
	bool found = false;
	while (*to - from < LABEL_AHEAD && view_has(v, *to, 1) && !is_line_end(v->p[*to])) {
		const uint8_t c = v->p[*to];
		const bool escaped = before / marks % 2 && n == 1 && BYTE_IN(c, "]{}");
		if ((found = !escaped && !depth && view_word(v, *to, close, n)))
			break;
		depth += !escaped && c == '{';
		depth -= !escaped && c == '}' && depth;
		before = c == '\\' ? before + 1 : 0;
		++*to;
	}
	return found;
}

static bool is_in_word(uint8_t c) { return byte_class[c] & (BYTE_ALNUM | BYTE_HIGH); }

/* The index of the marks that end the code or emphasis which those at [i, end) begin; n for none. */
static size_t find_marks(const uint8_t *p, size_t i, size_t end, size_t n)
{
	size_t k = end;
	for (size_t next; (k = byte_index(p, k, n, p[i])) < n; k = next) {
		next = byte_run(p, k, n, p[i]);
		if (next - k == end - i && (p[i] == '`' || !(is_fws(p[k - 1]) || is_in_word(byte_at(p, next, n)))))
			break;
	}
	return k;
}

/* The end of the argument of TeX in the braces or brackets at i. */
static size_t end_argument(const uint8_t *p, size_t i, size_t n)
{
	const uint8_t close = p[i] == '[' ? ']' : '}';
	size_t depth = 1;
	while (depth && ++i < n) {
		const uint8_t c = p[i];
		depth += c == '{';
		depth -= depth == 1 ? c == close : c == '}';
		i += c == '\\';
	}
	return smaller(i + 1, n);
}

/* The end of TeX's command at i, whose name ends at `end`, with those arguments that are known not to be shown, and
 * with the blanks before the others. */
static size_t end_command(const uint8_t *p, size_t i, size_t end, size_t n)
{
	static const char commands[] =
		"includegraphics color colorbox foreignlanguage hspace label phantom raisebox textcolor vspace";
	const size_t known = words_find(p + i + 1, end - i - 1, commands, false);
	size_t k = byte_span(p, end + (byte_at(p, end, n) == '*'), n, BYTE_BLANK);
	if (known && byte_at(p, k, n) == '[')
		k = byte_span(p, end_argument(p, k, n), n, BYTE_BLANK);
	if (byte_at(p, k, n) != '{' || byte_at(p, k + 1, n) == '}')
		return end;
	return known > 1 ? end_argument(p, k, n) : k;
}

/* Writes what a reader sees of a label of markup: the text of an image, none of the `marks` of code or emphasis, no
 * backslash before punctuation.  `tex` is how many backslashes begin a command of TeX, 0 in other markup.  Of TeX,
 * braces are left out, and commands that have an argument or set a font (FONTS, or two letters), with the blanks after
 * these. */
#define FONTS \
	"relax allowbreak ttfamily rmfamily sffamily bfseries itshape normalfont footnotesize small large Large"
static size_t remove_markup(const uint8_t *p, size_t n, unsigned tex, const char *marks, uint8_t *out)
{
	enum { EMPHASIS_MAX = 15 }; /* longer runs are text */
	size_t used = 0, closing[8][EMPHASIS_MAX + 1]; /* where an emphasis of a mark and length ends; n: none will */
	bool image = false;
	memset(closing, 0xFF, sizeof closing);
	for (size_t i = 0, end; i < n; i = end) {
		const uint8_t c = p[i], next = byte_at(p, i + 1, n);
		size_t from = i;
		end = i + 1;
		const bool command = tex && c == '\\';
		if (command && next == c) { /* a line break or, where two begin a command, one */
			from = end += tex == 1;
			if (tex == 1 && byte_at(p, end, n) != '.') /* a name may go on */
				out[used++] = ' ';
		} else if (c == '\\' && byte_class[next] & (BYTE_PUNCTUATION | BYTE_DELIMITER)) {
			from = end++;
			from += tex && BYTE_IN(next, ",-/!@"); /* hardly or not seen */
		} else if (command) {
			const size_t name = is_alpha(next) ? byte_span(p, end, n, BYTE_ALPHA) : end;
			const bool font = name == end + 2 || text_is_among(p + end, name - end, FONTS);
			end = font ? byte_span(p, name, n, BYTE_BLANK) : end_command(p, i, name, n);
			from = font || end > name || match_bytes(p + end, n - end, "[{%[]%f[^}]") ? end : i + 1;
		} else if (tex && BYTE_IN(c, "{}")) {
			from = end;
		} else if (c == '\n') { /* the line prefix is no part of it (Q1) */
			out[used++] = c;
			from = end = byte_span(p, end, n, BYTE_BLANK | BYTE_QUOTE);
		} else if (c == '!' && next == '[') {
			image = true;
			from = ++end;
		} else if (c == ']' && image) {
			image = false;
			from = end = next == '(' ? smaller(byte_index(p, i, n, ')') + 1, n) : end;
		} else if (ascii_opens(p + i, n - i, "<img")) {
			from = end = smaller(byte_index(p, i, n, '>') + 1, n);
		} else if (is_of((char)c, marks)) {
			end = byte_run(p, i, n, c);
			size_t *known = &closing[c >> 4 & 7u][(end - i) & EMPHASIS_MAX];
			const bool begins = c == '`' || !(is_in_word(byte_before(p, i)) || is_fws(byte_at(p, end, n)));
			const bool meant = end - i <= EMPHASIS_MAX && (*known == i || begins);
			if (meant && !within(*known, i, n)) /* each search begins where the one before ended */
				*known = find_marks(p, i, end, n);
			if (meant && *known < n) {
				from = end;
				end = BYTE_IN(c, "*_") ? end : larger(end, *known); /* in code there is no markup */
			}
		}
		memcpy(out + used, p + from, end - from);
		used += end - from;
	}
	return used;
}

/* What is right before a link that has a label and right after it, and what the label is between. */
static const struct form {
	char before[8], after[4], close[8];
	uint8_t open; /* begins a label that precedes the link; 0: the label follows */
} forms[] = {
	{ "<", ">`_", "`", '`' },                                             /* reStructuredText */
	{ "](", "", "]", '[' }, { "](<", "", "]", '[' },                      /* Markdown */
	{ "[[", "][", "]]", 0 },                                              /* Org */
	{ "[[", "|", "]]", 0 }, { "[[", " ", "]]", 0 }, { "[", " ", "]", 0 }, /* wikis */
	{ "<", "|", ">", 0 },                                                 /* Slack */
	{ "href{", "}{", "}", 0 },                                            /* LaTeX */
	{ "{@", "|", "}", 0 }, { "{@", " ", "}", 0 },                         /* JSDoc, before the name of the tag */
	{ "[url=", "]", "[/url]", 0 }, { "[url=\"", "\"]", "[/url]", 0 },     /* BBCode */
	{ "++", "++[", "]", 0 }, { "", "[", "]", 0 },                         /* AsciiDoc */
};

/* The first form of the link from f on, NULL for none. */
static const struct form *find_form(const struct view *v, struct span link, const struct form *f)
{
	const uint8_t next = view_read(v, link.to);
	const size_t tag = ending_tag(v, link.from), from = tag ? tag : link.from;
	for (; f < forms + sizeof forms / sizeof *forms; f++) {
		if (*f->after && (uint8_t)*f->after != next)
			continue; /* most rows, without a call */
		const size_t n = strlen(f->before);
		if (from >= n && ascii_begins(v->p + from - n, f->before, n)
		    && view_word(v, link.to, f->after, strlen(f->after)))
			return f;
	}
	return NULL;
}

/* Removes the tags from the text of BBCode.  False: an image is shown. */
static bool trim_tags(const uint8_t *p, struct span *label)
{
	size_t from = label->from, to = label->to;
	while (byte_at(p, from, to) == '[') {
		if (ascii_opens(p + from, to - from, "[img"))
			return false;
		from = smaller(byte_index(p, from, to, ']') + 1, to);
		to = byte_index(p, from, to, '[');
	}
	*label = (struct span){from, to};
	return true;
}

/* Removes the attributes that follow a text of AsciiDoc, or the subject and text of a `mail`.  False: there is no text,
 * or none with a letter; or it is a URL, which the link is shown for, an image, the mark of a footnote, or a tag of
 * BBCode. */
static bool trim_attributes(const uint8_t *p, bool mail, struct span *label)
{
	const size_t scheme = byte_span(p, label->from, label->to, BYTE_SCHEME);
	const bool special = ascii_is_among(p + label->from, scheme - label->from, "fn image");
	if (text_begins(p + scheme, label->to - scheme, special ? ":" : "://"))
		return false;
	if (mail || byte_index(p, label->from, label->to, '=') < label->to) {
		const bool quoted = p[label->from] == '"';
		label->from += quoted;
		label->to = byte_index(p, label->from, label->to, quoted ? '"' : ',');
		if (!quoted && byte_index(p, label->from, label->to, '=') < label->to)
			return false;
	}
	const size_t from = label->from;
	label->to -= byte_before(p, label->to) == '^';
	return byte_span(p, from, label->to, BYTE_BUT(BYTE_ALPHA | BYTE_HIGH)) < label->to && !BYTE_IN(p[from], "/^");
}

/* Finds the label of the link, which has the form; `tex` as remove_markup. */
static bool find_label(const struct view *v, const struct form *f, struct span link, unsigned tex, struct span *label)
{
	if (f->open) {
		label->to = link.from - strlen(f->before);
		const size_t open = find_open(v, label->to, f->open, (uint8_t)*f->close);
		label->from = open + 1;
		return open != SIZE_MAX && !(f->open == '`' && v->p[label->from] == '_'); /* not one that closes */
	}
	label->from = label->to = link.to + strlen(f->after);
	if (!find_close(v, f->close, tex == 2 ? 2 : 1, &label->to))
		return false;
	if (BYTE_IN(*f->before, "\0+"))
		return trim_attributes(v->p, text_begins(v->p + link.from, link.to - link.from, "mailto:"), label);
	return *f->close != '[' || trim_tags(v->p, label);
}

bool label_is_beside(const struct view *v, struct span link)
{
	bool more;
	const struct view peek = view_peek(v, &more);
	return find_form(&peek, link, forms) || more;
}

static urlsift_text text_of(const uint8_t *p, size_t n) { return (urlsift_text){(const char *)p, n}; }

void label_begin(struct link_around *around)
{
	around->label = text_of(around->label_room, 0);
	around->before = text_of(around->before_room, 0);
	around->after = text_of(around->after_room, 0);
	around->raw_lines = 0;
	around->known = true;
}

void label_set(struct link_around *around, const uint8_t *p, size_t n)
{
	around->label = text_of(around->label_room, label_collapse(p, n, around->label_room));
}

size_t label_context(const struct view *v, struct span link, size_t lines, struct link_around *around)
{
	const size_t end = label_after_end(v, link.to, lines);
	around->before = text_of(v->p, link.from);
	around->after = text_of(v->p + link.to, end - link.to);
	around->raw_lines = lines;
	return end;
}

unsigned label_find(const struct view *v, struct span link, bool keep, size_t lines, struct urlsift_link *l)
{
	struct span label = {0, 0};
	bool found = false;
	unsigned tex = 0;
	const char *marks = NULL;
	label_begin(&l->around);
	if (lines)
		link_look(l, label_context(v, link, lines, &l->around));
	const size_t blanks = byte_span(v->p, link.to, smaller(v->end, link.to + LABEL_AHEAD), BYTE_BLANK);
	if (view_word(v, blanks, "][", 2))
		link.to = blanks; /* of Org */
	for (const struct form *f = forms; !found && (f = find_form(v, link, f)); f++) {
		tex = *f->before == 'h' ? 1 + text_ends(v->p, link.from, "\\\\href{") : 0;
		marks = f->after[1] == '[' ? "`*_=~" : "`*_"; /* Org has two more of code */
		found = find_label(v, f, link, tex, &label);
		link_look(l, label.to);
	}
	if (!found)
		return 0;
	uint8_t plain[LABEL_LOOK];
	const uint8_t *const raw = v->p + label.from;
	const size_t length = label.to - label.from, n = remove_markup(raw, length, tex, marks, plain);
	if (keep)
		label_set(&l->around, plain, n);
	if ((n > TITLE_LEAST && memchr(plain, ' ', n)) || text_ends(v->p, label.from, "!["))
		return 0; /* a title, which tells of a host, or the image that is shown */
	/* code has names like those of hosts */
	return *raw == '`' ? mismatch_shown(raw, length, l) : mismatch_shown(plain, n, l);
}

/* ---- The answers ---- */

static const char *answer(const urlsift_link *l, const urlsift_text *text, size_t *length)
{
	const urlsift_text known = l->around.known ? *text : (urlsift_text){"", 0};
	*length = known.length;
	return text_or(known.bytes, "");
}

/* What was found is written on first need: few outputs show it. */
static struct link_around *writable(const urlsift_link *link)
{
	return &((struct urlsift_link *)(uintptr_t)link)->around;
}

const char *urlsift_link_label(const urlsift_link *link, size_t *length)
{
	if (link->around.raw) {
		struct link_around *a = writable(link);
		a->raw = false;
		label_set(a, (const uint8_t *)a->label.bytes, a->label.length);
	}
	return answer(link, &link->around.label, length);
}

void urlsift_link_context(const urlsift_link *link, urlsift_text *before, urlsift_text *after)
{
	if (link->around.known && link->around.raw_lines > 0) {
		struct link_around *a = writable(link);
		const uint8_t *p = (const uint8_t *)a->before.bytes, *q = (const uint8_t *)a->after.bytes;
		a->before = text_of(a->before_room, label_before(p, a->before.length, a->raw_lines, a->before_room));
		a->after = text_of(a->after_room, label_after(q, a->after.length, a->after_room));
		a->raw_lines = 0;
	}
	before->bytes = answer(link, &link->around.before, &before->length);
	after->bytes = answer(link, &link->around.after, &after->length);
}

void label_beside(const urlsift_link *link, urlsift_text *before, urlsift_text *after)
{
	const struct link_around *a = &link->around;
	if (!a->known || a->raw_lines == 0) {
		urlsift_link_context(link, before, after);
		return;
	}
	const char *const begin = a->before.bytes;
	const size_t n = a->before.length,
	             from = lines_begin((const uint8_t *)begin, excess(n, LABEL_CHARACTERS), n, a->raw_lines);
	*before = (urlsift_text){begin + from, n - from};
	*after = (urlsift_text){a->after.bytes, smaller(a->after.length, LABEL_CHARACTERS)};
}
