#include "html.h"

#include "simd/runs.h"
#include "text/unicode.h"

/* The depth, counted in at most HTML_MARKS_LONGEST bytes of marks and blanks between
 * them, selects one of QUOTE_COLOURS. */
enum { QUOTE_COLOURS = 5 };

/* Further line ends in a row are hidden; at the beginning all are. */
enum { ENDS_SHOWN = 2 };

void html_text_begin(struct html_text *t, bool field)
{
	t->mark_count = t->blanks = 0;
	t->field = field;
	t->fresh = true;
	t->quoted = t->bidi = t->after_cr = t->due = t->flows = t->hides = t->soft = t->deletes = t->blank = false;
	t->head = HEAD_START;
	t->ends = ENDS_SHOWN;
	t->line = 0;
}

void html_text_number(struct html_text *t, uint64_t source)
{
	t->line = 1;
	t->source = source;
	t->due = true;
}

void html_text_put_number(struct html_text *t)
{
	writer_text(t->w, "<span class=\"n\" id=\"");
	if (t->source > 1) {
		writer_text(t->w, "s");
		writer_number(t->w, t->source);
		writer_text(t->w, "-");
	}
	writer_text(t->w, "L");
	writer_number(t->w, t->line);
	writer_text(t->w, "\"></span>");
	t->due = t->fresh = false;
}

static size_t mark_depth(const struct html_text *t)
{
	size_t depth = 0;
	for (size_t i = 0; i < t->mark_count; i++)
		depth += t->marks[i] == '>';
	return depth;
}

/* Writes the marks in an element that begins with the n bytes at `opening`; returns where these were written.  Inline:
 * n is known, and the compiler makes a loop of a copy of so few bytes else. */
__attribute__((always_inline)) static inline char *put_marks(struct html_text *t, const char *opening, size_t n)
{
	static const char mark[] = "&gt;";
	char *const room = writer_room(t->w, n + HTML_MARKS_LONGEST * sizeof mark), *to = room + n;
	memcpy(room, opening, n);
	for (size_t i = 0; i < t->mark_count; i++)
		if (t->marks[i] == '>') {
			memcpy(to, mark, sizeof mark - 1);
			to += sizeof mark - 1;
		} else {
			*to++ = ' ';
		}
	t->w->used += (size_t)(to - room);
	t->mark_count = 0;
	return room;
}

void html_text_open_quote(struct html_text *t)
{
	static const char opening[] = "<span class=\"q q1\">";
	t->depth = (uint8_t)mark_depth(t);
	/* where it was written: a copy of a byte that was just stored is slow */
	put_marks(t, opening, sizeof opening - 1)[sizeof "<span class=\"q q" - 1] = "51234"[t->depth % QUOTE_COLOURS];
	t->quoted = true;
	t->fresh = false;
}

/* Takes marks from p, at most one blank after each; returns the bytes taken. */
static size_t take_marks(struct html_text *t, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint8_t before = byte_before((const uint8_t *)t->marks, t->mark_count);
		const bool more = p[i] == '>' || (p[i] == ' ' && before == '>');
		if (!more || t->mark_count == HTML_MARKS_LONGEST)
			return i;
		t->marks[t->mark_count++] = (char)p[i];
	}
	return n;
}

/* Closes the elements of the line. */
static void end_line(struct html_text *t)
{
	html_text_begin_quote(t);
	if (t->bidi)
		writer_text(t->w, "</bdi>");
	if (t->quoted)
		writer_text(t->w, "</span>");
	t->bidi = t->quoted = false;
}

void html_text_show(struct html_text *t)
{
	if (t->hides)
		writer_text(t->w, "</span>");
	t->hides = false;
	t->ends = 0;
}

void html_text_end(struct html_text *t)
{
	html_text_end_blank(t, false);
	end_line(t);
	html_text_show(t);
}

/* The value of t->blanks before p[i], where p is the text written last.  Computed only on
 * demand, so that a line without marks costs nothing. */
static size_t blanks_before(const struct html_text *t, const uint8_t *p, size_t i)
{
	size_t blanks = i - byte_run_back(p, excess(i, MARK_COLUMNS), i, ' ');
	if (blanks == i)
		blanks += t->blanks;
	else if (!is_line_end(p[i - 1 - blanks]))
		return MARK_COLUMNS;
	return smaller(blanks, MARK_COLUMNS);
}

/* Whether a `>` may be a quote mark, by what precedes it. */
static bool may_quote(const struct html_text *t) { return !t->quoted && !t->bidi && !t->soft; }

/* The character at p[i], where escape_run stopped; returns the bytes taken. */
__attribute__((noinline)) static size_t put_special(struct html_text *t, const uint8_t *p, size_t n, size_t i)
{
	if (p[i] == '>' && may_quote(t) && !t->field && blanks_before(t, p, i) < MARK_COLUMNS)
		return take_marks(t, p + i, n - i);
	if (is_line_end(p[i])) {
		end_line(t);
		writer_text(t->w, "\n");
		t->after_cr = p[i] == '\r';
		return 1;
	}
	uint32_t cp;
	size_t k = utf8_next(p + i, n - i, &cp);
	html_text_isolate(t, uclass_is_bidi(cp));
	escape_html_character(t->w, cp);
	return k;
}

__attribute__((noinline)) static void put_text(struct html_text *t, const uint8_t *p, size_t n)
{
	/* HTML parsers drop an LF right after <pre>, but not after an element */
	if (t->fresh && !t->field && is_line_end(p[0]))
		writer_text(t->w, "<span class=\"w\"></span>");
	t->fresh = false;
	for (size_t i = 0; i < n;) {
		if (t->mark_count > 0)
			i += take_marks(t, p + i, n - i);
		else
			i += t->after_cr && p[i] == '\n';
		t->after_cr = false;
		if (i < n && t->mark_count > 0)
			html_text_open_quote(t);
		if (i < n && (p[i] != '>' || !may_quote(t))) /* it would stop at once where a quote mark may be */
			i += escape_run(t->w, p + i, n - i, may_quote(t));
		if (i < n)
			i += put_special(t, p, n, i);
	}
	t->blanks = blanks_before(t, p, n);
}

/* ---- format=flowed ----------------------------------------------------------------- */

void html_text_put_blank(struct html_text *t, bool goes_on)
{
	const bool ended = t->head == HEAD_START, joins = ended && goes_on && mark_depth(t) == t->depth;
	t->blank = t->fresh = false;
	if (!joins || !t->deletes)
		writer_text(t->w, " ");
	if (joins) {
		writer_text(t->w, "<span hidden>");
		writer_text(t->w, text_if(t->deletes, " "));
		put_marks(t, "\n", 1);
		writer_text(t->w, "</span>");
		t->quoted = t->depth > 0;
	} else if (ended) {
		writer_text(t->w, text_if(t->depth > 0, "</span>"));
		writer_text(t->w, "\n");
	}
}

/* Whether a line whose text begins with c goes on with a paragraph: not one that is empty or indented, an item or a
 * signature. */
static bool goes_on(uint8_t c) { return !is_of((char)c, ">-") && !is_fws(c); }

/* The head of a line after n more bytes of its text. */
static uint8_t head_after(uint8_t head, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n && head < HEAD_TEXT; i++) {
		if (p[i] == '-')
			head++;
		else if (p[i] != ' ' || head > HEAD_BLANKS)
			head = HEAD_TEXT;
	}
	return head;
}

/* Text of which a line may go on with the one before.  Its last blank is held back. */
__attribute__((noinline)) static void put_flowed(struct html_text *t, const uint8_t *p, size_t n)
{
	size_t i = t->after_cr && *p == '\n';
	t->after_cr = false;
	while (i < n) {
		if (t->head == HEAD_START) {
			i += take_marks(t, p + i, n - i);
			if (i == n)
				return;
			html_text_end_blank(t, goes_on(p[i]));
			html_text_begin_quote(t);
			t->head = HEAD_BLANKS;
		}
		const size_t end = run_line_end(p, i, n), text = end - text_ends(p + i, end - i, " ");
		if (end > i && t->blank) { /* it was not the last */
			html_text_put_blank(t, false);
			t->head = head_after(t->head, (const uint8_t *)" ", 1);
		}
		if (text > i)
			put_text(t, p + i, text - i);
		t->head = head_after(t->head, p + i, text - i);
		t->blank |= text < end;
		i = end;
		if (i < n) {
			/* a line that goes on with the next one if that is of its paragraph ends in a blank, and is neither empty
			 * nor the mark of a signature */
			if (t->blank && !t->bidi && t->head != HEAD_BLANKS && t->head != HEAD_DASHES) {
				t->depth = t->quoted ? t->depth : 0;
				t->quoted = false;
			} else {
				html_text_end_blank(t, false);
				put_text(t, p + i, 1);
			}
			t->head = HEAD_START;
			i += 1 + text_begins(p + i, n - i, "\r\n");
			t->after_cr = i == n && p[n - 1] == '\r';
		}
	}
}

/* ---- Text of HTML ------------------------------------------------------------------ */

/* Text is written in as few pieces as the elements allow. */
__attribute__((noinline)) static void put_flowing(struct html_text *t, const uint8_t *p, size_t n)
{
	size_t from = 0, ends = t->ends;
	bool cr = t->after_cr;
	for (size_t i = 0, k; i < n; i += k) {
		const bool end = is_line_end(p[i]), first = end && !(cr && p[i] == '\n');
		/* the bytes of a line end or blank, 0 for other text */
		k = end || is_blank(p[i]) ? 1 : 2u * text_begins(p + i, n - i, "\xC2\xA0");
		cr = p[i] == '\r';
		const bool shows = k == 0, hides = first && ends++ == ENDS_SHOWN;
		if (i > from && (hides || (shows && t->hides))) {
			put_text(t, p + from, i - from);
			from = i;
		}
		if (shows) {
			html_text_show(t);
			ends = 0;
			k = run_line_gap(p, i, n) - i;
		}
		if (hides) {
			writer_text(t->w, "<span hidden>");
			t->hides = true;
			t->fresh = false;
		}
	}
	if (n > from)
		put_text(t, p + from, n - from);
	t->ends = ends;
}

void html_text_put(struct html_text *t, const char *text, size_t n)
{
	if (t->flows) {
		put_flowing(t, (const uint8_t *)text, n);
		return;
	}
	if (t->soft) {
		put_flowed(t, (const uint8_t *)text, n);
		return;
	}
	/* as between links: `html` of URLs that are each on a line takes 6% less processor time */
	bool end = *text == '\n' && !t->quoted && !t->bidi, one = end || *text == ' ' || is_alnum((uint8_t)*text);
	if (n > 1 || !one || t->fresh || t->after_cr || t->mark_count > 0) {
		put_text(t, (const uint8_t *)text, n);
	} else {
		writer_put(t->w, text, 1);
		t->blanks = end ? 0 : *text == ' ' ? smaller(t->blanks + 1, MARK_COLUMNS) : MARK_COLUMNS;
	}
}

void html_text_put_numbered(struct html_text *t, const char *text, size_t n)
{
	for (size_t i = 0, k; i < n; i += k) {
		const size_t end = run_line_end((const uint8_t *)text, i, n);
		const bool second = t->after_cr && text[i] == '\n', ends = end < n;
		if (t->due && !second)
			html_text_put_number(t);
		k = end + ends - i;
		html_text_put(t, text + i, k);
		if (ends && !second) {
			t->line++;
			t->due = true;
		}
	}
}
