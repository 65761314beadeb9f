#include "line.h"

#include "extent.h"
#include "simd/runs.h"
#include "text/match.h"
#include "text/unicode.h"

#include <string.h>

/* Whether a line begins at i. */
static bool begins_line(const struct view *v, size_t i) { return i ? is_line_end(v->p[i - 1]) : v->first; }

bool line_start(const struct view *v, size_t i, size_t *start)
{
	size_t stop = excess(i, BACK_LOOK), k = run_line_start(v->p, stop, i);
	*start = k;
	return begins_line(v, k);
}

bool line_find_end(const struct view *v, size_t i, size_t most, size_t *end)
{
	*end = run_line_end(v->p, i, smaller(v->end, i + most + 1));
	if (*end - i > most)
		return false;
	view_needs(v, *end, 1);
	return true;
}

/* A quote mark at i: its kind and the index after it, or 0. */
static char quote_mark(const struct view *v, size_t i, size_t stop, size_t *next)
{
	uint8_t c = byte_at(v->p, i, stop);
	*next = i + 1;
	if (BYTE_IN(c, ">|:"))
		return (char)c;
	size_t k = byte_span(v->p, i, smaller(stop, i + 12), BYTE_ALNUM); /* Name> */
	if (byte_at(v->p, k, stop) != '>' || !is_alpha(c))
		return 0;
	*next = k + 1;
	return 'N';
}

/* Q1: a line of the text that begins with `From ` is written `>From ` in a mailbox. */
static bool is_from_line(const struct view *v, size_t start)
{
	return text_begins(v->p + start, v->end - start, ">From ");
}

static size_t read_quotes(const struct view *v, size_t i, size_t stop, struct line_prefix *f)
{
	for (size_t next, at = i; f->quotes < MARKS_MAX;) {
		at = line_skip_blanks(v, at, stop);
		char mark = quote_mark(v, at, stop, &next);
		if (!mark)
			break;
		f->marks[f->quotes++] = mark;
		i = at = next;
	}
	return i;
}

/* A comment leader at i, with white space after it: its kind and the index after it, or 0. */
static char comment_leader(const struct view *v, size_t i, size_t stop, size_t *next)
{
	static const char leaders[] = "#+|/?[*]+|//+|--+|;+|%%+|dnl";
	const bool may = BYTE_IN(byte_at(v->p, i, stop), "#/*-;%d"); /* no, as mostly */
	const size_t n = may ? match_bytes(v->p + i, stop - i, leaders) : 0;
	*next = i + excess(n, 1);
	return n && is_space(byte_at(v->p, *next, stop)) ? (char)v->p[*next - 1] : 0;
}

static bool blank_at(const struct view *v, size_t i, size_t stop) { return is_blank(byte_at(v->p, i, stop)); }

/* Whether the diff mark at i is one of two. */
static bool is_twice(const struct view *v, size_t i, size_t stop)
{
	return BYTE_IN(v->p[i], "+-") && byte_at(v->p, i + 1, stop) == v->p[i];
}

void prefix_read(const struct view *v, size_t start, size_t stop, struct line_prefix *f)
{
	memset(f, 0, sizeof *f);
	stop = smaller(stop, start + LINE_LOOK);
	size_t i = is_from_line(v, start) ? start : read_quotes(v, start, stop, f), at = i, next, n;
	at += f->quotes && blank_at(v, at, stop);
	f->indented = blank_at(v, at, stop);
	f->unchanged = text_begins(v->p + at, stop - at, "  ");
	uint8_t mark = byte_at(v->p, at, stop);
	if (BYTE_IN(mark, "+-!<") && (mark != '<' || blank_at(v, at + 1, stop))) {
		f->diff = (char)mark;
		f->list = f->diff == '-' && blank_at(v, at + 1, stop);
		f->twice = is_twice(v, at, stop);
		i = at + 1 + f->twice;
	}
	at = line_skip_blanks(v, i, stop);
	if (!f->diff && blank_at(v, at + 1, stop) && v->p[at] == '-') {
		f->list = true; /* an indented list item */
		i = at + 1;
	} else if ((f->comment = comment_leader(v, at, stop, &next))) {
		f->list |= BYTE_IN(f->comment, "*-") && v->p[at] != '/' && blank_at(v, next, stop);
		f->block = f->comment == '*' && v->p[at] == '/';
		i = next;
	} else if (is_digit(byte_at(v->p, at, stop)) && (n = match_bytes(v->p + at, stop - at, "%d%d?%d?[.)]%s"))) {
		/* "1. " or "1) " */
		f->list = true;
		i = at + n - 2;
	}
	f->end = line_skip_blanks(v, i, stop);
}

bool prefix_before(const struct view *v, size_t i, size_t floor)
{
	struct line_prefix f;
	size_t low = larger(excess(i, LINE_LOOK), floor);
	const uint8_t last = i > low ? v->p[i - 1] : ' ';
	if (!is_space(last) && !(line_is_mark(last) && (last == '>' || !is_alnum(byte_before(v->p, i - 1)))))
		return false; /* the usual case */
	size_t start = run_line_start(v->p, low, i);
	if (!begins_line(v, start))
		return false;
	prefix_read(v, start, i, &f);
	return f.end == i;
}

bool prefix_match(const struct view *v, size_t i, const struct line_prefix *f, size_t *marks, size_t *content)
{
	size_t stop = i + LINE_LOOK, avail = smaller(v->end, stop), next = i;
	if (v->end < stop)
		line_find_end(v, i, LINE_LOOK, &next); /* the view must hold as much of the line as is read */
	if (f->quotes && is_from_line(v, i))
		return false;
	for (size_t q = 0; q < f->quotes; q++) {
		i = line_skip_blanks(v, i, avail);
		if (quote_mark(v, i, avail, &next) != f->marks[q])
			return false;
		i = next;
	}
	size_t deeper = line_skip_blanks(v, i, avail);
	uint8_t mark = byte_at(v->p, deeper, avail);
	if (f->quotes && BYTE_IN(mark, "|:") && mark == (uint8_t)f->marks[f->quotes - 1])
		return false; /* another depth; `>` is left to close the link (Q3) */
	bool indented = blank_at(v, i, avail);
	size_t at = f->quotes && indented ? i + 1 : i;
	if (f->indented && !f->list && byte_at(v->p, at, avail) == '-')
		return false; /* removed by a diff; `+` may go on with a scheme */
	/* the closing bracket tells that a mailer wrapped the item; `+`: a diff */
	bool wrapped = f->list && f->bracket && byte_at(v->p, at, avail) != '+';
	bool two = byte_at(v->p, at + 1, avail) == ' ' && BYTE_IN(v->p[at], " !");
	if (two && f->bracket && (v->p[at] == '!' ? f->unchanged : f->diff == '!')) {
		i = at + (v->p[at] == '!'); /* context diff */
	} else if (f->diff) {
		if (byte_at(v->p, at, avail) == (uint8_t)f->diff && (f->diff != '<' || blank_at(v, at + 1, avail)))
			i = at + 1 + (f->twice && is_twice(v, at, avail));
		else if (!wrapped && !(f->list && indented))
			return false;
	}
	if (f->comment) {
		at = line_skip_blanks(v, i, avail);
		if (comment_leader(v, at, avail, &next) == f->comment)
			i = next;
		else if (!wrapped && !((f->list || f->block) && blank_at(v, i, avail)))
			return false;
	}
	*marks = i;
	*content = line_skip_blanks(v, i, avail);
	return true;
}

size_t line_columns(const struct view *v, size_t i)
{
	size_t start;
	if (!line_start(v, i, &start))
		return 0;
	return utf8_count(v->p + start, i - start);
}

bool line_lost_marks(const struct view *v, size_t i, const struct line_prefix *f)
{
	enum { COLUMNS = 70 };
	size_t end = i;
	if (!f->quotes || BYTE_IN(view_byte(v, i), ">|:"))
		return false;
	end = byte_span_back(v->p, 0, end, BYTE_FWS);
	if (line_columns(v, end) < COLUMNS)
		return false;
	const size_t stop = byte_span(v->p, i, smaller(v->end, i + LINE_LOOK + 1), BYTE_BUT(BYTE_FWS | BYTE_CONTROL));
	const size_t k = byte_until(v->p, i, stop, "<>\"");
	return k - i <= LINE_LOOK && view_read(v, k) == '>';
}

/* The line after the line end at i, which may be the last byte before `stop`. */
static size_t next_line(const struct view *v, size_t i, size_t stop)
{
	return i + 1 + text_begins(v->p + i, stop - i, "\r\n");
}

bool line_is_wrapped(const struct view *v, size_t i)
{
	enum { NARROWEST = 40 }; /* columns of a terminal */
	const uint8_t *p = v->p;
	if (i < v->end ? p[i] != '+' : v->last)
		return false;
	size_t width = line_columns(v, i - 1 - text_ends(p, i, "\r\n"));
	if (width < NARROWEST || !view_has(v, i, 1))
		return false;
	size_t low = excess(i, BACK_LOOK), stop = i + BACK_LOOK, others = 0;
	view_needs(v, stop, 0);
	stop = smaller(stop, v->end);
	size_t k = low || !v->first ? next_line(v, run_line_end(p, low, stop), stop) : 0, before = k, end = k;
	for (; k + 3 <= stop; k = next_line(v, end, stop)) {
		if (match_bytes(p + k, 3, "-|@@|[+][+][+]"))
			return false; /* a diff */
		if (k != i && p[k] == '+' && end > before) {
			size_t columns = utf8_count(p + before, end - before);
			if (columns != width && columns != width + (p[before] == '+'))
				return false; /* what is not after a full line is no mark of a pager */
			others += columns == width;
		}
		before = k;
		end = run_line_end(p, k, stop);
	}
	return others;
}

static bytes16 line_ends16(bytes16 v) { return (bytes16)((v == '\n') | (v == '\r')); }

static bytes16 upper_hex16(bytes16 v) { return (bytes16)(((bytes16)(v - '0') < 10) | ((bytes16)(v - 'A') < 6)); }

/* Where the paragraph of the line at `start` begins, no farther back than `low`: at an empty line. */
static size_t paragraph_start(const struct view *v, size_t start, size_t low)
{
	for (size_t i = start, n; i > low + 1;) {
		uint8_t end[18] = {0};
		i -= n = smaller(16, i - low - 1);
		const uint8_t *p = v->p + i - 1;
		if (n < 16) /* whole vectors may not be there */
			p = memcpy(end, p, n + 2);
		const bytes16 before = bytes16_load(p), at = bytes16_load(p + 1);
		const bytes16 empty = (bytes16)((at == '\n') & (before == '\n')) |
		                      ((bytes16)((at == '\r') & (bytes16_load(p + 2) == '\n')) & line_ends16(before));
		const unsigned last = bytes16_mask(empty) & ((1u << n) - 1);
		if (last)
			return i + 31 - (size_t)__builtin_clz(last);
	}
	return low;
}

enum quoted line_escapes(const struct view *v, size_t i, size_t stop)
{
	static const uint8_t kept[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
	bytes16 escapes = {0}, signs = {0};
	bool blank = text_ends(v->p + i, stop - i, "=20");
	uint8_t end[16 + 3];
	for (; i < stop; i += 16) {
		const uint8_t *p = v->p + i;
		if (v->end - i < sizeof end) {
			memset(end, 0, sizeof end);
			p = memcpy(end, p, v->end - i);
		}
		const bytes16 a = bytes16_load(p + 1), b = bytes16_load(p + 2);
		const bytes16 equals = (bytes16)(bytes16_load(p) == '=') & ~line_ends16(a)
		                       & bytes16_load(kept + excess(16, stop - i));
		if (!bytes16_any(equals))
			continue;
		if (bytes16_any(equals & ~(upper_hex16(a) & upper_hex16(b))))
			return QUOTED_NOT;
		signs |= equals & (bytes16)((a == '3') & (b == 'D'));
		escapes |= equals & (bytes16)((a >= '8') | ((a == '2') & (b == '0') & line_ends16(bytes16_load(p + 3))));
	}
	if (bytes16_any(signs))
		return QUOTED_SIGN;
	return blank || bytes16_any(escapes) ? QUOTED_SURELY : QUOTED_PERHAPS;
}

bool line_is_quoted_printable(const struct view *v, size_t i)
{
	size_t start, width, stop, low = excess(i, BACK_LOOK);
	if (!line_start(v, i, &start) || i + 1 - start > QUOTED_MOST)
		return false;
	bool full = i + 1 - start >= QUOTED_LEAST;
	if (ascii_prefix(v->p + start, i - start) < i - start)
		return false;
	line_end(v, i + 1, &width);
	line_find_end(v, i + 1 + width, LINE_LOOK, &stop);
	const enum quoted here = line_escapes(v, start, stop);
	if (here == QUOTED_NOT || (full && here >= QUOTED_SURELY))
		return here;
	const enum quoted before = line_escapes(v, paragraph_start(v, start, low), start);
	return before && larger(here, before) >= (full ? QUOTED_SURELY : QUOTED_SIGN);
}

bool line_declares_break(const struct view *v, size_t i)
{
	size_t width;
	if (v->flowed >= FLOWED_NEVER)
		return false;
	if (line_end(v, i, &width))
		return line_is_wrapped(v, i + width);
	if (v->p[i] == '=')
		return view_ends_line(v, i) && line_is_quoted_printable(v, i);
	return view_soft_break(v, i);
}

bool line_is_separator(const struct view *v, size_t i)
{
	size_t width;
	return view_word(v, i, "-- ", 3) && line_end(v, i + 3, &width);
}

size_t line_depth(const struct view *v, size_t i, size_t most)
{
	const size_t n = byte_run(v->p, i, smaller(v->end, i + most), '>') - i;
	view_needs(v, i, smaller(n + 1, most));
	return n;
}

/* ---- page breaks ---- */

struct page_line {
	size_t text;   /* its first byte that is not white */
	size_t end;    /* after its last byte */
	size_t next;   /* the next line */
	bool blank, feed, footer, over /* no line follows */;
};

static void read_page_line(const struct view *v, size_t i, const struct line_prefix *f, struct page_line *l)
{
	size_t k, width;
	*l = (struct page_line){0};
	line_find_end(v, i, LINE_LOOK, &k);
	line_end(v, k, &width);
	l->end = k;
	l->next = k + width;
	l->over = k >= v->end;
	size_t marks, text = i;
	struct line_prefix quotes = *f;
	quotes.diff = quotes.comment = 0;
	if (!prefix_match(v, i, f, &marks, &text))
		prefix_match(v, i, &quotes, &marks, &text); /* of a footer, which has no quote marks, all is text */
	for (uint32_t c; text < k; text += width) {
		width = utf8_next(v->p + text, k - text, &c);
		if (!opening_is_space(c))
			break;
		l->feed |= c == '\f';
	}
	l->text = text;
	l->blank = text >= k;
	if (!l->blank) { /* `[Page 12]`, or roman numerals in front matter, ends a footer */
		const size_t last = byte_after_back(v->p, text, k, " \t\n\v\f\r") - 1;
		const size_t number = byte_last(v->p, byte_span_back(v->p, text, last, BYTE_ALNUM), last, 'e');
		l->footer = v->p[last] == ']' && number < last && text_ends(v->p + text, number - text, "[Page ");
	}
}

bool page_break(const struct view *v, size_t i, const struct line_prefix *f, bool feed, size_t *next)
{
	bool seen = feed, footer = false, header = false;
	for (int lines = 0; lines < 24; lines++) {
		struct page_line l;
		read_page_line(v, i, f, &l);
		seen |= l.feed | l.footer;
		if (!l.blank && !l.footer) {
			header = footer && !header && !l.over;
			if (header) { /* l is a page header if the line after it is blank */
				struct page_line after;
				read_page_line(v, l.next, f, &after);
				header = after.blank && !after.over;
			}
			if (!header) {
				*next = i;
				return seen;
			}
		}
		footer |= l.footer;
		if (l.over)
			return false;
		i = l.next;
	}
	return false;
}
