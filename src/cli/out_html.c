#include "escape.h"

#include "text/uclass.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Quote marks stand within the first MARK_COLUMNS of a line; MARKS_LONGEST bytes
 * of marks and the blanks between them tell its depth, which is shown in one of
 * QUOTE_COLOURS. */
enum { MARK_COLUMNS = 4, MARKS_LONGEST = 64, QUOTE_COLOURS = 5 };

struct html {
	struct escape_form target;
	char marks[MARKS_LONGEST]; /* read but not written yet: the depth is still to be seen */
	size_t mark_count;
	size_t blanks;  /* that the line consists of so far; MARK_COLUMNS when of more or of other things */
	bool fresh;     /* the source has had no text yet */
	bool quoted;    /* a span is open to the line's end */
	bool bidi;      /* a bdi is open to the line's end, inside the span */
	bool after_cr;  /* a line end that an LF may still belong to */
	unsigned warnings; /* of the link whose parts come */
};

static const char head[] =
	"<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
	"base-uri 'none'; form-action 'none'\">"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
	"<meta name=\"color-scheme\" content=\"light dark\"><title>";

static const char style[] =
	"</title><style>"
	":root{color-scheme:light dark;--q1:#0b57a4;--q2:#8a3b00;--q3:#1d6b2a;--q4:#8b1f6b;--q5:#5b5200;--w:#9b1c00}"
	"@media(prefers-color-scheme:dark){"
	":root{--q1:#8ab8f5;--q2:#f0a875;--q3:#8fd19a;--q4:#eb9fd3;--q5:#d5c96a;--w:#ffb39c}}"
	"body{margin:0 auto;padding:1rem;max-width:60rem}"
	"pre{margin:0;font:1rem/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;tab-size:8}"
	"h2{margin:2rem 0 1rem;font:bold 1rem/1.5 sans-serif;overflow-wrap:anywhere}"
	"a{unicode-bidi:isolate}"
	"bdi.w{color:var(--w);font:.875em/1.4 sans-serif;-webkit-user-select:none;user-select:none}"
	".q{box-shadow:-.5rem 0 Canvas,-.65rem 0 currentColor;-webkit-box-decoration-break:clone;box-decoration-break:clone}"
	".q1{color:var(--q1)}.q2{color:var(--q2)}.q3{color:var(--q3)}.q4{color:var(--q4)}.q5{color:var(--q5)}"
	"</style></head><body>";

static bool html_begin(struct out *o)
{
	o->state = calloc(1, sizeof(struct html));
	if (!o->state)
		return false;
	if (o->options->fragment)
		return true;
	const char *title = o->options->title ? o->options->title : "urlsift";
	writer_text(o->w, head);
	escape_html(o->w, title, strlen(title));
	writer_text(o->w, style);
	return true;
}

static void html_source(struct out *o)
{
	struct html *h = o->state;
	if (o->options->with_filename) {
		writer_text(o->w, "<h2 class=\"w\"><bdi>");
		escape_html(o->w, o->source, strlen(o->source));
		writer_text(o->w, "</bdi></h2>");
	}
	writer_text(o->w, "<pre class=\"urlsift\">");
	h->fresh = true;
	h->after_cr = false;
	h->blanks = 0;
}

static void open_bidi(struct out *o)
{
	struct html *h = o->state;
	writer_text(o->w, "<bdi>");
	h->bidi = true;
}

/* The line's marks are all there: the span begins before them. */
static void open_quote(struct out *o)
{
	struct html *h = o->state;
	size_t depth = 0;
	if (h->mark_count == 0)
		return;
	for (size_t i = 0; i < h->mark_count; i++)
		depth += h->marks[i] == '>';
	writer_text(o->w, "<span class=\"q q");
	writer_put(o->w, &"12345"[(depth - 1) % QUOTE_COLOURS], 1);
	writer_text(o->w, "\">");
	for (size_t i = 0; i < h->mark_count; i++)
		writer_text(o->w, h->marks[i] == '>' ? "&gt;" : " ");
	h->mark_count = 0;
	h->quoted = true;
}

/* Takes marks from p, one blank behind each; returns the bytes taken. */
static size_t take_marks(struct out *o, const uint8_t *p, size_t n)
{
	struct html *h = o->state;
	for (size_t i = 0; i < n; i++) {
		/* The first byte is a mark, so there is one to look back at. */
		bool more = p[i] == '>' || (p[i] == ' ' && h->marks[h->mark_count - 1] == '>');
		if (!more || h->mark_count == MARKS_LONGEST) {
			open_quote(o);
			return i;
		}
		h->marks[h->mark_count++] = (char)p[i];
	}
	return n;
}

static void close_line(struct out *o)
{
	struct html *h = o->state;
	open_quote(o);
	if (h->bidi)
		writer_text(o->w, "</bdi>");
	if (h->quoted)
		writer_text(o->w, "</span>");
	h->bidi = h->quoted = false;
}

/* h->blanks as it stands before p[i], where p is the text that came last.  Looked
 * up only where it counts, so that a line without marks costs nothing. */
static size_t blanks_before(const struct html *h, const uint8_t *p, size_t i)
{
	size_t blanks = 0;
	while (blanks < i && blanks < MARK_COLUMNS && p[i - 1 - blanks] == ' ')
		blanks++;
	if (blanks == i)
		blanks += h->blanks;
	else if (p[i - 1 - blanks] != '\n' && p[i - 1 - blanks] != '\r')
		return MARK_COLUMNS;
	return blanks < MARK_COLUMNS ? blanks : MARK_COLUMNS;
}

/* The character at p[i], where escape_run stopped; returns the bytes taken. */
static size_t put_special(struct out *o, const uint8_t *p, size_t n, size_t i)
{
	struct html *h = o->state;
	if (p[i] == '>' && !h->quoted && blanks_before(h, p, i) < MARK_COLUMNS)
		return take_marks(o, p + i, n - i);
	if (p[i] == '\n' || p[i] == '\r') {
		close_line(o);
		writer_text(o->w, "\n");
		h->after_cr = p[i] == '\r';
		return 1;
	}
	uint32_t cp;
	size_t k = utf8_next(p + i, n - i, &cp);
	if (uclass_is_bidi(cp) && !h->bidi)
		open_bidi(o);
	escape_html_character(o->w, cp);
	return k;
}

static void put_text(struct out *o, const uint8_t *p, size_t n)
{
	struct html *h = o->state;
	/* Parsers drop an LF right behind <pre>, but not behind a mark. */
	if (h->fresh && (p[0] == '\n' || p[0] == '\r'))
		writer_text(o->w, "<span class=\"w\"></span>");
	h->fresh = false;
	for (size_t i = 0; i < n;) {
		if (h->mark_count > 0)
			i += take_marks(o, p + i, n - i);
		else if (h->after_cr && p[i] == '\n')
			i++;
		h->after_cr = false;
		i += escape_run(o->w, p + i, n - i, !h->quoted && !h->bidi);
		if (i < n)
			i += put_special(o, p, n, i);
	}
	h->blanks = blanks_before(h, p, n);
}

static bool is_linkable(const urlsift_link *link)
{
	size_t n;
	const char *scheme = urlsift_link_scheme(link, &n);
	return urlsift_scheme_linkable(scheme, n) && !(urlsift_link_flags(link) & URLSIFT_UNLINKABLE_SCHEME);
}

static bool is_ascii(const char *text, size_t n)
{
	uint64_t all = 0, word;
	size_t i = 0;
	for (; n - i >= sizeof word; i += sizeof word) {
		memcpy(&word, text + i, sizeof word);
		all |= word;
	}
	for (; i < n; i++)
		all |= (unsigned char)text[i];
	return (all & 0x8080808080808080u) == 0;
}

/* The reasons of the warnings, one behind the other. */
static void put_reasons(struct out *o, unsigned warnings)
{
	const char *before = "Warning: ";
	for (unsigned bit = 1; bit && bit <= warnings; bit <<= 1) {
		const char *reason = warnings & bit ? urlsift_warning_reason(bit) : NULL;
		if (!reason)
			continue;
		writer_text(o->w, before);
		escape_html(o->w, reason, strlen(reason));
		before = "; ";
	}
}

/* What a reader should know of a link, in words right behind it: to be seen, read
 * aloud and read on paper.  It is no part of the text. */
static void put_mark(struct out *o)
{
	struct html *h = o->state;
	writer_text(o->w, "<bdi class=\"w\"> [\xe2\x9a\xa0 ");
	put_reasons(o, h->warnings);
	writer_text(o->w, "]</bdi>");
	h->blanks = MARK_COLUMNS;
}

/* An anchor around one part of a link, with the warnings as its description for
 * those who go from link to link.  Text that could run from right to left
 * is isolated in it, so that it cannot reorder what stands around. */
static void put_anchor(struct out *o, const urlsift_piece *piece, size_t target_length)
{
	struct html *h = o->state;
	bool isolate = !is_ascii(piece->text, piece->text_length);
	open_quote(o);
	writer_text(o->w, "<a href=\"");
	escape_html(o->w, h->target.data, target_length);
	writer_text(o->w, "\" rel=\"nofollow noopener noreferrer ugc");
	if (h->warnings) {
		writer_text(o->w, "\" title=\"");
		put_reasons(o, h->warnings);
	}
	writer_text(o->w, "\">");
	writer_text(o->w, isolate ? "<bdi>" : "");
	bool bidi = escape_html(o->w, piece->text, piece->text_length);
	writer_text(o->w, isolate ? "</bdi></a>" : "</a>");
	if (bidi && !h->bidi)
		open_bidi(o);
	h->fresh = h->after_cr = false;
	h->blanks = MARK_COLUMNS;
}

static void html_piece(struct out *o, const urlsift_piece *piece, bool shown)
{
	struct html *h = o->state;
	if (piece->text_length == 0)
		return;
	size_t n = 0, parts = 0;
	if (shown && piece->part == 0)
		h->warnings = urlsift_link_warnings(piece->link);
	if (shown && is_linkable(piece->link))
		n = escape_form(&h->target, ESCAPE_TARGET, piece->link, NULL);
	if (n > 0)
		put_anchor(o, piece, n);
	else
		put_text(o, (const uint8_t *)piece->text, piece->text_length);
	/* That a scheme is unknown is no news where there is nothing to click on. */
	if (!shown || !(n > 0 ? h->warnings : h->warnings & ~(unsigned)URLSIFT_WARN_UNKNOWN_SCHEME))
		return;
	urlsift_link_parts(piece->link, &parts);
	if (piece->part + 1 == parts)
		put_mark(o);
}

static void html_source_end(struct out *o, uint64_t links)
{
	(void)links;
	close_line(o);
	writer_text(o->w, "</pre>");
}

static void html_end(struct out *o)
{
	struct html *h = o->state;
	if (!o->options->fragment)
		writer_text(o->w, "</body></html>");
	free(h->target.data);
	free(h);
	o->state = NULL;
}

/* Errors and limits are said on standard error, by whom they befall. */
static void html_error(struct out *o, const char *what) { (void)o; (void)what; }
static void html_notice(struct out *o, const urlsift_notice *n) { (void)o; (void)n; }

const struct output out_html = {
	.name = "html", .begin = html_begin, .source = html_source, .piece = html_piece, .error = html_error,
	.notice = html_notice, .source_end = html_source_end, .end = html_end, .wants_plain = true,
};
