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
	t->quoted = t->bidi = t->after_cr = t->due = t->flows = t->hides = t->soft = t->ends_soft = t->blank = false;
	t->signs = 0;
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

void html_text_open_quote(struct html_text *t)
{
	static const char span[] = "<span class=\"q q", mark[] = "&gt;";
	size_t depth = 0;
	char *room = writer_room(t->w, sizeof span + 2 + HTML_MARKS_LONGEST * sizeof mark), *to = room + sizeof span + 2;
	for (size_t i = 0; i < t->mark_count; i++)
		if (t->marks[i] == '>') {
			memcpy(to, mark, sizeof mark - 1);
			to += sizeof mark - 1;
			depth++;
		} else {
			*to++ = ' ';
		}
	memcpy(room, span, sizeof span - 1);
	room[sizeof span - 1] = "12345"[(depth - 1) % QUOTE_COLOURS];
	memcpy(room + sizeof span, "\">", 2);
	t->w->used += (size_t)(to - room);
	t->mark_count = 0;
	t->quoted = true;
}

/* Takes marks from p, at most one blank after each; returns the bytes taken. */
static size_t take_marks(struct html_text *t, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		/* the first byte is a mark: mark_count > 0 where it is used */
		bool more = p[i] == '>' || (p[i] == ' ' && t->marks[t->mark_count - 1] == '>');
		if (!more || t->mark_count == HTML_MARKS_LONGEST) {
			html_text_settle(t);
			return i;
		}
		t->marks[t->mark_count++] = (char)p[i];
	}
	return n;
}

void html_text_put_end(struct html_text *t, bool goes_on)
{
	writer_text(t->w, goes_on ? "<span hidden>\n</span>" : "\n");
	t->ends_soft = false;
}

/* Whether a line that begins with c goes on with a paragraph: not a quoted or an empty one, an item, a signature, or one
 * that is indented. */
static bool goes_on(uint8_t c) { return c != '>' && c != '-' && !is_blank(c) && !is_line_end(c); }

/* The value of t->signs before p[i], where p is the text written last. */
static uint8_t signs_before(const struct html_text *t, const uint8_t *p, size_t i)
{
	static const char mark[] = "-- ";
	size_t from = i;
	while (from > 0 && i - from < SIGNS_NONE && !is_line_end(p[from - 1]))
		from--;
	uint8_t signs = from > 0 ? 0 : t->signs;
	if (i - from == SIGNS_NONE)
		return SIGNS_NONE;
	for (; from < i; from++)
		signs = signs < sizeof mark - 1 && p[from] == mark[signs] ? signs + 1 : SIGNS_NONE;
	return signs;
}

/* Whether the line that ends before p[i] goes on: not if it is quoted, or the mark of a signature. */
static bool ends_soft(const struct html_text *t, const uint8_t *p, size_t i)
{
	return t->soft && !t->quoted && !t->bidi && t->mark_count == 0 && (i > 0 ? p[i - 1] == ' ' : t->blank) &&
	       signs_before(t, p, i) != SIGNS_NONE - 1;
}

/* Closes the elements of the line. */
static void end_line(struct html_text *t)
{
	if (t->mark_count > 0)
		html_text_open_quote(t);
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
	if (t->ends_soft)
		html_text_put_end(t, false);
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

/* The character at p[i], where escape_run stopped; returns the bytes taken. */
__attribute__((noinline)) static size_t put_special(struct html_text *t, const uint8_t *p, size_t n, size_t i)
{
	const size_t columns = t->soft ? 1 : MARK_COLUMNS; /* flowed text has no blanks before a quote mark (RFC 3676 4.5) */
	if (p[i] == '>' && !t->quoted && !t->field && blanks_before(t, p, i) < columns)
		return take_marks(t, p + i, n - i);
	if (is_line_end(p[i])) {
		t->ends_soft = ends_soft(t, p, i);
		end_line(t);
		if (!t->ends_soft)
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
		if (t->ends_soft && i < n)
			html_text_put_end(t, goes_on(p[i]));
		if (i < n && (p[i] != '>' || t->quoted || t->bidi)) /* it would stop at once where a quote mark may be */
			i += escape_run(t->w, p + i, n - i, !t->quoted && !t->bidi && !t->soft);
		if (i < n)
			i += put_special(t, p, n, i);
	}
	t->blanks = blanks_before(t, p, n);
	if (t->soft) {
		t->signs = signs_before(t, p, n);
		t->blank = p[n - 1] == ' ';
	}
}

/* Text is written in as few pieces as the elements allow. */
__attribute__((noinline)) static void put_flowing(struct html_text *t, const uint8_t *p, size_t n)
{
	size_t from = 0, ends = t->ends, no_cr = byte_index(p, 0, n, '\r');
	bool cr = t->after_cr;
	for (size_t i = 0, k; i < n; i += k) {
		const bool end = is_line_end(p[i]), first = end && !(cr && p[i] == '\n');
		/* the bytes of a line end or blank, 0 for other text */
		k = end || is_blank(p[i]) ? 1 : n - i > 1 && p[i] == 0xC2 && p[i + 1] == 0xA0 ? 2 : 0;
		cr = p[i] == '\r';
		const bool shows = k == 0, hides = first && ends++ == ENDS_SHOWN;
		if (i > from && (hides || (shows && t->hides))) {
			put_text(t, p + from, i - from);
			from = i;
		}
		if (shows) {
			html_text_show(t);
			ends = 0;
			k = (i < no_cr ? run_line_gap(p, i, no_cr) : run_line_end(p, i, n)) - i;
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
	/* as between links: `html` of URLs that are each on a line takes 6% less processor time */
	bool end = *text == '\n' && !t->quoted && !t->bidi, one = end || *text == ' ' || is_alnum((uint8_t)*text);
	if (n > 1 || !one || t->fresh || t->after_cr || t->mark_count > 0 || t->soft) {
		put_text(t, (const uint8_t *)text, n);
	} else {
		writer_put(t->w, text, 1);
		t->blanks = end ? 0 : *text == ' ' && t->blanks < MARK_COLUMNS ? t->blanks + 1 : MARK_COLUMNS;
	}
}

void html_text_put_numbered(struct html_text *t, const char *text, size_t n)
{
	for (size_t i = 0, k; i < n; i += k) {
		bool second = t->after_cr && text[i] == '\n';
		if (t->due && !second)
			html_text_put_number(t);
		for (k = 1; !is_line_end((uint8_t)text[i + k - 1]) && i + k < n; k++)
			;
		html_text_put(t, text + i, k);
		if (!second && is_line_end((uint8_t)text[i + k - 1])) {
			t->line++;
			t->due = true;
		}
	}
}
