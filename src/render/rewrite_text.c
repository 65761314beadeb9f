#include "rewrite.h"

#include "simd/runs.h"
#include "text/match.h"
#include "text/unicode.h"

/* ---- Out ------------------------------------------------------------------------ */

/* The number of lines of a range, `7` of `12,7`, or 1 of `12`, at *i, which moves after it. */
static uint32_t read_range(const uint8_t *p, size_t *i, size_t n)
{
	enum { RANGE_MOST = 1000 * 1000 * 1000 };
	uint64_t lines = 1;
	size_t k = byte_span(p, smaller(*i, n), n, BYTE_DIGIT);
	if (k > *i && byte_at(p, k, n) == ',') {
		lines = 0;
		k = number_read(p, k + 1, n, 10, &lines);
	}
	*i = k;
	return (uint32_t)earlier(lines, RANGE_MOST);
}

/* Follows the hunks of a patch, in which `-- ` is a line that is removed. */
static void follow_hunk(struct footnotes *f, const uint8_t *p, size_t n)
{
	const uint8_t c = n > 0 ? *p : ' '; /* a blank may be lost */
	size_t i = sizeof "@@ -" - 1;
	if (f->removed + f->added == 0 && text_begins(p, n, "@@ -") && is_digit(byte_at(p, i, n))) {
		f->removed = read_range(p, &i, n);
		i += sizeof " +" - 1;
		f->added = read_range(p, &i, n);
	} else if (is_of((char)c, " +-\\")) {
		f->removed -= f->removed > 0 && is_of((char)c, " -");
		f->added -= f->added > 0 && is_of((char)c, " +");
	} else {
		f->removed = f->added = 0;
	}
}

/* Notes what block, code or hunk the lines end in that end before `start`. */
__attribute__((noinline)) static void follow_lines(struct rewrite_state *s, const uint8_t *p, size_t start)
{
	struct output_line *line = &s->line;
	size_t i = s->last[1] == '\r' && *p == '\n';
	while (i < start) {
		const size_t end = byte_span(p, i, start, BYTE_BUT(BYTE_LINE_END));
		memcpy(line->head + line->head_length, p + i, smaller(end - i, sizeof line->head - line->head_length));
		if (s->form->how & FORM_BREAKS)
			block_follow(&line->block, line->head, line->length + end - i);
		if (s->form->how & FORM_AT_END)
			follow_hunk(&s->footnotes, line->head, smaller(line->length + end - i, sizeof line->head));
		rewrite_code_line(&s->code, line->head, smaller(line->length + end - i, sizeof line->head));
		line->head_length = line->length = 0;
		i = end + 1 + text_begins(p + end, start - end, "\r\n");
	}
}

/* A footnote, which may be quoted, and a number in brackets. */
#define DEFINITION "[> \t]*%[[^%]]*%]:%s*" MATCH_END
#define REFERENCE "[> \t]*%[%d+%]%s*" MATCH_END

bool rewrite_in_footnote(const struct output_line *line, bool defined)
{
	const char *pattern = defined ? DEFINITION : DEFINITION "|" REFERENCE;
	return !line->made && line->head_length == line->length && match_bytes(line->head, line->length, pattern);
}

enum { FENCE = 3 }; /* backquotes that begin its line */

static void follow_fences(struct fences *f, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		f->closed &= f->marks > 0 || text[i] == '=';
		if (f->marks < FENCE && text[i] == '`') {
			if (++f->marks == FENCE) {
				f->closed = f->open;
				f->open = !f->open;
			}
			continue;
		}
		i = byte_index((const uint8_t *)text, i, n, '\n');
		f->marks = i < n ? 0 : FENCE;
	}
}

/* Forms that leave white space as it is need not know the line. */
static void follow(struct rewrite_state *s, const char *text, size_t n)
{
	const uint8_t *p = (const uint8_t *)text;
	if (s->form->note)
		follow_fences(&s->fences, text, n);
	if (!(s->form->how & FORM_IN_PLACE) || s->form->how & FORM_MENDS) {
		struct output_line *line = &s->line;
		const size_t start = run_line_start(p, 0, n); /* of the last line */
		if (start > 0) {
			if (s->form->how & (FORM_BREAKS | FORM_AT_END) || s->form->code)
				follow_lines(s, p, start);
			line->crlf = text_ends(p, start, "\r\n");
			line->head_length = line->length = line->columns = 0;
			line->made = false;
		}
		const size_t head = smaller(sizeof line->head - line->head_length, n - start);
		memcpy(line->head + line->head_length, p + start, head);
		line->head_length += head;
		rewrite_code_text(&s->code, p + start, n - start);
		line->length += n - start;
		line->columns = rewrite_columns(line->columns, p + start, n - start);
	}
	for (size_t i = n - smaller(n, 3); i < n; i++) {
		if (text[i] != '\n' || s->last[1] != '\r')
			s->last[0] = s->last[1];
		s->last[1] = text[i] ? text[i] : '\x01'; /* 0: nothing was written yet */
	}
}

/* Writes a backslash and a blank, which reStructuredText does not show, unless it reads markup beside c; 0 is an end.
 * */
static void set_apart(urlsift_renderer *r, char c, const char *beside)
{
	static const char blank[] = "\\ ";
	if (is_space((uint8_t)c) || strchr(beside, c)) /* or 0 */
		return;
	writer_text(&r->writer, blank);
	follow(rewrite_of(r), blank, sizeof blank - 1);
}

void rewrite_put(urlsift_renderer *r, const char *text, size_t n)
{
	if (rewrite_shows_controls(r))
		escape_terminal(&r->writer, text, n);
	else
		writer_put(&r->writer, text, n);
}

/* Writes what waited as the line of a signature. */
static void put_dashes(urlsift_renderer *r)
{
	struct footnotes *f = &rewrite_of(r)->footnotes;
	const size_t n = f->dashes;
	f->dashes = 0;
	rewrite_out(r, SIGNATURE, n);
}

void rewrite_out(urlsift_renderer *r, const char *text, size_t n)
{
	struct rewrite_state *s = rewrite_of(r);
	if (n == 0)
		return;
	put_dashes(r);
	if (s->line.touches)
		set_apart(r, *text, "'\")]}>-/\\:.,;!?");
	s->line.touches = false;
	if (s->form->colon)
		fang_out(r, text, n);
	else
		rewrite_put(r, text, n);
	if (s->form->how & FORM_AT_END)
		notes_follow(r, text, n);
	follow(s, text, n);
}

void rewrite_out_line_end(urlsift_renderer *r)
{
	const char *line_end = rewrite_line_end(rewrite_of(r));
	rewrite_out(r, line_end, strlen(line_end));
}

void rewrite_out_made(urlsift_renderer *r, struct buf *made)
{
	if (made->length == 0)
		return;
	struct rewrite_state *s = rewrite_of(r);
	struct output_line *line = &s->line;
	put_dashes(r);
	line->made |= byte_span(line->head, 0, line->head_length, BYTE_BLANK) == line->length;
	if (s->form->how & FORM_APART && *made->data == '`')
		set_apart(r, s->last[1], "'\"([{<-/:");
	s->line.touches = s->form->how & FORM_APART && made->data[made->length - 1] == '_';
	s->footnotes.opened = false;
	notes_mark(r, made);
	writer_put(&r->writer, made->data, made->length);
	follow(s, (const char *)made->data, made->length);
	made->length = 0;
}

/* ---- Opening brackets ----------------------------------------------------------- */

/* White space and what line prefixes consist of. */
static bool may_follow(char c)
{
	return is_space((uint8_t)c) || (c != '<' && line_is_mark((uint8_t)c));
}

/* The index after the blanks at p[i], or after a bracket all that may follow it before the link. */
static size_t after_gap(const char *p, size_t i, size_t n, bool bracket)
{
	while (i < n && (bracket ? may_follow(p[i]) : p[i] == ' '))
		i++;
	return i;
}

/* Whether the n > 0 bytes are `<`, and `URL:` before or after white space and line prefixes, the word optional;
 * or `URL:` and blanks; or the beginning of one of these. */
static bool may_open(const char *p, size_t n)
{
	static const char word[] = "url:";
	const bool bracket = *p == '<';
	size_t i = bracket ? after_gap(p, 1, n, true) : 0, k = 0;
	while (word[k] && to_lower(byte_at((const uint8_t *)p, i, n)) == (uint8_t)word[k])
		i++, k++;
	if (i < n && word[k] && k > 0)
		return false;
	return after_gap(p, i, n, bracket) == n;
}

/* The index from which the n bytes may open a bracket; n for none. */
static size_t find_opening(const char *p, size_t n)
{
	size_t low = excess(n, HOLD_LONGEST), found = n;
	for (size_t i = n; i > low; i--) {
		char c = p[i - 1];
		if (c == '<')
			return may_open(p + i - 1, n - (i - 1)) ? i - 1 : found;
		if (to_lower((uint8_t)c) == 'u' && found == n && may_open(p + i - 1, n - (i - 1)))
			found = i - 1;
		else if (!may_follow(c) && !strchr("urlURL", c))
			break;
	}
	return found;
}

/* The index from which the n bytes may be the markup before a link with a label: that of the last bracket or backtick
 * of the line; n for none. */
static size_t find_label(const char *p, size_t n)
{
	enum { LABEL_MOST = 128 };
	const size_t low = excess(n, LABEL_MOST), length = n - low;
	const uint8_t *const from = (const uint8_t *)p + low;
	size_t i = length, tick = length;
	i -= byte_before(from, i) == '<';
	i -= byte_before(from, i) == '(';
	i -= byte_before(from, i) == ']';
	for (; i > 0 && !is_of((char)from[i - 1], "[]\r\n"); i--)
		tick = from[i - 1] == '`' && tick == length ? i - 1 : tick;
	if (byte_before(from, i) != '[')
		return low + tick;
	return low + i - 1 - is_of((char)byte_before(from, i - 1), "[!");
}

static void hold_opening(urlsift_renderer *r, const char *text, size_t n)
{
	struct rewrite_state *s = rewrite_of(r);
	size_t at = find_opening(text, n);
	if (s->form->how & FORM_AT_END)
		at = smaller(at, find_label(text, n));
	rewrite_out(r, text, at);
	memcpy(s->hold, text + at, n - at);
	s->held = n - at;
}

static void put_text(urlsift_renderer *r, const char *text, size_t n)
{
	struct rewrite_state *s = rewrite_of(r);
	char both[2 * HOLD_LONGEST];
	if (s->held > 0 && n <= HOLD_LONGEST) {
		memcpy(both, s->hold, s->held);
		memcpy(both + s->held, text, n);
		hold_opening(r, both, s->held + n);
		return;
	}
	rewrite_out(r, s->hold, s->held);
	hold_opening(r, text, n);
}

void rewrite_put_hold(urlsift_renderer *r, bool mend)
{
	struct rewrite_state *s = rewrite_of(r);
	size_t n = s->held, word = 0;
	if (mend && memchr(s->hold, '\n', n)) {
		word = byte_until(s->hold, 1, n, "uU");
		rewrite_out(r, s->hold, 1);
		n = smaller(n, word + strlen("URL:"));
	}
	rewrite_out(r, s->hold + word, n - word);
	s->held = 0;
}

void rewrite_leave_label(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	const size_t at = find_opening(s->hold, s->held);
	rewrite_out(r, s->hold, at);
	s->held -= at;
	memmove(s->hold, s->hold + at, s->held);
}

bool rewrite_take_label(urlsift_renderer *r, urlsift_text after)
{
#define CLOSES_AFTER(end) end ")|" end "%s+\"[^\"]*\")|" end "%s+'[^']*')" /* perhaps with a title */
	static const struct { char before[4], open; const char *after; } forms[] = { /* `open` begins a label before it */
		{ "](", '[', CLOSES_AFTER("") }, { "](<", '[', CLOSES_AFTER(">") }, /* Markdown */
		{ " <", '`', ">`__?" }, { "`<", 0, ">`__?" },                       /* reStructuredText */
		{ "[[", 0, "][%][]" },                                              /* Org */
	};
	struct rewrite_state *s = rewrite_of(r);
	for (size_t i = 0; i < sizeof forms / sizeof *forms && !s->label.comes; i++) {
		const char open = forms[i].open, *const p = s->hold;
		if (!text_ends(p, s->held, forms[i].before))
			continue;
		const size_t closed = match_bytes((const uint8_t *)after.bytes, after.length, forms[i].after);
		if (!closed)
			continue;
		const size_t to = s->held - strlen(forms[i].before), skip = closed - 1;
		const size_t from = open ? byte_last((const uint8_t *)p, 0, to, (uint8_t)open) : to;
		/* a label that comes after the link, and then `]]` */
		const bool comes = !open && after.bytes[1] == '[';
		const size_t end = byte_until(after.bytes, skip, after.length, "[]");
		const bool whole = end > skip && text_begins(after.bytes + end, after.length - end, "]]");
		if ((open && from == 0) || (comes && !whole))
			continue;
		size_t begin = from - (open != 0);
		begin -= open == '[' && byte_before((const uint8_t *)p, begin) == '!';
		if (is_of(begin > 0 ? p[begin - 1] : s->last[1], "[\\`") && open)
			continue; /* an image that is the label of a link; or no markup */
		rewrite_out(r, p, begin);
		rewrite_out(r, p + from, to - from);
		if (to > from && p[to - 1] != ' ')
			rewrite_out(r, " ", 1);
		s->held = 0;
		s->label.skip = skip;
		s->label.comes = comes;
		return true;
	}
	return false;
}

/* ---- Paragraphs ----------------------------------------------------------------- */

/* Writes the lines that wait; they are kept. */
static void put_lines(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	const size_t begun = s->lines.had, left = s->lines.text.length - begun;
	notes_end(r);
	s->lines.had += left;
	if (left == 0)
		return;
	const char *line_end = rewrite_line_end(s); /* after what is held */
	if (s->last[1] != '\n')
		put_text(r, line_end, strlen(line_end));
	if (s->form->how & FORM_AT_END && s->last[0] != '\n')
		put_text(r, line_end, strlen(line_end));
	for (size_t at = begun, next; at < begun + left; at = next + 1) {
		next = byte_index(s->lines.text.data, at, begun + left, '\n');
		if (s->form->how & FORM_AT_END)
			at += notes_put_number(r, s->lines.text.data + at);
		rewrite_out(r, (const char *)s->lines.text.data + at, next - at);
		rewrite_out_line_end(r);
	}
}

void rewrite_end_paragraph(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	put_lines(r);
	s->lines.text.length = s->lines.had = 0;
	hashset_reset(&s->lines.noted);
}

void rewrite_end_text(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	if (s->fences.open && s->lines.text.length > s->lines.had) {
		if (s->last[1] != '\n')
			rewrite_out_line_end(r);
		rewrite_out(r, "```", FENCE);
		rewrite_out_line_end(r);
	}
	rewrite_end_paragraph(r);
}

/* Whether what is written next begins a line; nothing may have been written. */
static bool begins_line(const struct rewrite_state *s) { return strchr("\n", s->last[1]); }

/* The index in the n bytes at which a paragraph ends: a blank line, the line after a preformatted block, or any line if
 * many links wait, but none in such a block; n for none. */
static size_t find_paragraph_end(const struct rewrite_state *s, const char *text, size_t n)
{
	bool fresh = s->held > 0 ? s->hold[s->held - 1] == '\n' : begins_line(s), any = s->lines.text.length > LINES_MOST;
	if (s->form->how & FORM_AT_END && !any)
		return n;
	struct fences fences = s->fences;
	follow_fences(&fences, s->hold, s->held);
	for (size_t i = 0, next; i < n; i = next, fresh = true) {
		if (fresh && !fences.open && (any || is_line_end((uint8_t)text[i]) || (fences.closed && text[i] != '=')))
			return i;
		next = smaller(byte_index((const uint8_t *)text, i, n, '\n') + 1, n);
		if (s->form->note)
			follow_fences(&fences, text + i, next - i);
	}
	return n;
}

/* ---- Closing brackets ------------------------------------------------------------ */

void rewrite_close(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	struct line_prefix prefix;
	const struct view v = { .p = s->line.head, .end = s->line.head_length, .first = true, .last = true };
	prefix_read(&v, 0, v.end, &prefix);
	s->gap.quotes = 0;
	for (size_t i = 0; i < prefix.quotes; i++)
		s->gap.quotes += prefix.marks[i] == '>';
	s->gap.comes = true;
	s->gap.length = s->gap.lines = s->gap.marks = 0;
}

/* The bracket is closed, by the `>` before the next text, or is not. */
static void end_bracket(urlsift_renderer *r, bool closed)
{
	struct rewrite_state *s = rewrite_of(r);
	s->gap.comes = false;
	if (!closed && s->replaced) /* its lines are made for this one */
		rewrite_put_hold(r, s->form->how & FORM_BREAKS);
	s->held = 0;
	rewrite_out_made(r, &s->made);
	if (!closed) {
		hold_opening(r, s->gap.text, s->gap.length); /* what looks like a mark may be the next bracket */
	} else if (!s->replaced) {
		rewrite_out(r, s->gap.text, s->gap.lines == 0 ? s->gap.length : 0);
		rewrite_out(r, ">", 1);
	}
}

/* Takes white space and line prefixes up to the closing bracket; returns the bytes taken. */
static size_t take_gap(urlsift_renderer *r, const char *text, size_t n)
{
	struct rewrite_state *s = rewrite_of(r);
	for (size_t i = 0; i < n; i++) {
		char c = text[i];
		bool mark = s->gap.lines > 0 && (c == '>' ? s->gap.marks < s->gap.quotes : line_is_mark((uint8_t)c));
		if (c == '>' && !mark) {
			end_bracket(r, true);
			return i + 1;
		}
		if ((!mark && !is_space((uint8_t)c)) || s->gap.length == GAP_LONGEST) {
			end_bracket(r, false);
			return i;
		}
		if (c == '\n' || (c == '\r' && byte_at((const uint8_t *)text, i + 1, n) != '\n')) {
			s->gap.lines++;
			s->gap.marks = 0;
		}
		s->gap.marks += c == '>';
		s->gap.text[s->gap.length++] = c;
	}
	return n;
}

/* ---- Text ---------------------------------------------------------------------- */

/* Writes text, and the lines of links where a paragraph ends in it. */
static void put_paragraphs(urlsift_renderer *r, const char *text, size_t n)
{
	struct rewrite_state *s = rewrite_of(r);
	size_t i = s->lines.text.length > 0 ? find_paragraph_end(s, text, n) : n;
	if (i < n) {
		rewrite_put_hold(r, false);
		rewrite_out(r, text, i);
		rewrite_end_paragraph(r);
		text += i;
		n -= i;
	}
	put_text(r, text, n);
}

/* Takes what may be the line before a signature, or is, and writes it after the list; returns the bytes taken. */
static size_t take_signature(urlsift_renderer *r, const char *text, size_t n)
{
	struct rewrite_state *s = rewrite_of(r);
	struct footnotes *f = &s->footnotes;
	size_t i = 0;
	if (f->dashes == 0 && (s->held > 0 || !begins_line(s)))
		return 0;
	f->sign &= !is_line_end((uint8_t)*text);
	if (f->sign || f->removed > 0)
		return 0;
	while (SIGNATURE[f->dashes] && byte_at((const uint8_t *)text, i, n) == (uint8_t)SIGNATURE[f->dashes]) {
		f->dashes++;
		i++;
	}
	if (i == n)
		return i; /* what follows decides */
	if (f->dashes < sizeof SIGNATURE - 1 || !is_line_end((uint8_t)text[i])) {
		put_dashes(r);
		return i;
	}
	f->dashes = 0;
	f->sign = true;
	f->listed = s->lines.text.length > s->lines.had;
	if (f->listed) {
		put_lines(r);
		rewrite_out_line_end(r);
	}
	rewrite_out(r, SIGNATURE, sizeof SIGNATURE - 1);
	return i;
}

/* Takes what is left of the markup of a link with a label; returns the bytes taken. */
static size_t take_markup(urlsift_renderer *r, const char *text, size_t n)
{
	struct label_markup *l = &rewrite_of(r)->label;
	if (l->skip > 0 && BYTE_IN(*text, "\x1b\b")) {
		put_paragraphs(r, text, n);
		return n;
	}
	size_t taken = smaller(l->skip, n);
	l->skip -= taken;
	if (!l->comes || taken == n)
		return taken;
	const size_t end = byte_until(text, taken, n, "]\r\n");
	put_paragraphs(r, text + taken, end - taken);
	if (end == n)
		return n;
	l->comes = false;
	rewrite_put_hold(r, false);
	rewrite_out_made(r, &l->number);
	const size_t close = text[end] == ']' ? sizeof "]]" - 1 : 0;
	taken = smaller(n - end, close);
	l->skip = close - taken;
	return end + taken;
}

void rewrite_plain(urlsift_renderer *r, const char *text, size_t n)
{
	struct rewrite_state *s = rewrite_of(r);
	size_t k = s->gap.comes ? take_gap(r, text, n) : 0;
	if (k < n)
		k += take_markup(r, text + k, n - k);
	while (k < n && s->form->how & FORM_AT_END) {
		k += take_signature(r, text + k, n - k);
		size_t end = k;
		do
			end = smaller(byte_index((const uint8_t *)text, end, n, '\n') + 1, n);
		while (end < n && text[end] != *SIGNATURE && !(s->footnotes.sign && is_line_end((uint8_t)text[end])));
		put_paragraphs(r, text + k, end - k);
		k = end;
	}
	if (k < n) /* without text there may be no pointer either */
		put_paragraphs(r, text + k, n - k);
}

void rewrite_end_gap(urlsift_renderer *r)
{
	if (rewrite_of(r)->gap.comes)
		end_bracket(r, false);
}

void rewrite_settle(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	rewrite_end_gap(r);
	put_dashes(r);
	rewrite_put_hold(r, false);
	fang_out_end(r, 0);
	rewrite_end_anchor(r);
	s->parts.left = 0;
}
