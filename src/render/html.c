#include "html.h"

#include <stdlib.h>
#include <string.h>

/* What put_standing writes at once, of a text of so many bytes that `&amp;` takes the place of. */
enum { STANDING_MAX = 1024, ESCAPED = 5, ANCHOR_ROOM = 2 * ESCAPED * STANDING_MAX + 1024 };

static const char head[] =
	"<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
	"base-uri 'none'; form-action 'none'\">"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
	"<meta name=\"color-scheme\" content=\"light dark\"><title>";

static const char style[] =
	"</title><style>"
	":root{color-scheme:light dark;--q1:#0b57a4;--q2:#8a3b00;--q3:#1d6b2a;--q4:#8b1f6b;--q5:#5b5200;--w:#9b1c00;--l:#5c5c5c}"
	"@media(prefers-color-scheme:dark){"
	":root{--q1:#8ab8f5;--q2:#f0a875;--q3:#8fd19a;--q4:#eb9fd3;--q5:#d5c96a;--w:#ffb39c;--l:#b0b0b0}}"
	"body{margin:0 auto;padding:1rem;max-width:60rem;overflow-wrap:anywhere}"
	"pre{margin:0;font:1rem/1.5 ui-monospace,monospace;white-space:pre-wrap;tab-size:8}"
	"h2{margin:2rem 0 1rem;font:bold 1rem/1.5 sans-serif}"
	"a{unicode-bidi:isolate}"
	"bdi.w{color:var(--w);font:.875em/1.4 sans-serif;-webkit-user-select:none;user-select:none}"
	".q{box-shadow:-.5rem 0 Canvas,-.65rem 0 currentColor;-webkit-box-decoration-break:clone;box-decoration-break:clone}"
	".q1{color:var(--q1)}.q2{color:var(--q2)}.q3{color:var(--q3)}.q4{color:var(--q4)}.q5{color:var(--q5)}"
	/* messages out of sight are not laid out: a page may have thousands */
	".m{margin:2rem -1rem 0;border-top:1px solid var(--l);padding:0 1rem;content-visibility:auto;contain-intrinsic-size:auto 40rem}"
	".m h2{margin:1rem 0 .5rem;font-size:1.25rem}"
	"h3{margin:1.5rem 0 .5rem;color:var(--l);font:bold .875rem/1.5 sans-serif}"
	"dl{display:grid;grid-template-columns:fit-content(10rem) minmax(0,1fr);gap:.125rem .75rem;margin:0 0 1rem;"
	"font:.875rem/1.5 sans-serif}"
	"dt,caption{color:var(--l)}dd{margin:0}"
	"bdi.t{color:var(--l);font:inherit;font-size:.8em;-webkit-user-select:auto;user-select:auto}"
	"p,table{font:.875rem/1.5 sans-serif}"
	"body:has(#messages) p[hidden]{display:block}"
	"table{width:100%;margin:3rem 0 0;border-collapse:collapse}"
	"caption{font-weight:bold}caption,th,td{padding:.25rem .5rem .25rem 0;text-align:start;vertical-align:top}"
	"tr{border-bottom:1px solid var(--l)}"
	"@media(max-width:40rem){dl{display:block}dt,dd{display:inline}dd::before{content:\" \"}dd::after{content:\"\\a\";"
	"white-space:pre}thead{display:none}tr,td{display:block}}"
	"@media print{p[hidden]{display:none!important}h2,h3{break-after:avoid}.m{content-visibility:visible}}"
	"</style></head><body>";

static bool html_begin(struct out *o)
{
	struct html *h = calloc(1, sizeof *h);
	if (!h)
		return false;
	h->text.w = o->w;
	h->rows.fd = -1;
	o->state = h;
	if (o->options->fragment)
		return true;
	const char *title = o->options->title ? o->options->title : "urlsift";
	writer_text(o->w, head);
	escape_html(o->w, title, strlen(title));
	writer_text(o->w, style);
	return true;
}

/* Whether it is mail is not known yet. */
static void html_source(struct out *o)
{
	struct html *h = o->state;
	h->source++;
	h->message = NULL;
	if (o->options->with_filename) {
		writer_text(o->w, "<h2 class=\"w\"><bdi>");
		escape_html(o->w, o->source, strlen(o->source));
		writer_text(o->w, "</bdi></h2>");
	}
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
	const struct html *h = o->state;
	if (h->warnings == 0)
		return;
	writer_text(o->w, "<bdi class=\"w\"> [\xe2\x9a\xa0 ");
	put_reasons(o, h->warnings);
	writer_text(o->w, "]</bdi>");
}

/* Copies n bytes, `&` escaped; returns how many they have become. */
static size_t put_ampersands(char *to, const char *text, size_t n)
{
	const char *end = text + n, *next;
	char *at = to;
	for (; (next = memchr(text, '&', (size_t)(end - text))); text = next + 1) {
		memcpy(at, text, (size_t)(next - text));
		at += next - text;
		memcpy(at, "&amp;", ESCAPED);
		at += ESCAPED;
	}
	memcpy(at, text, (size_t)(end - text));
	return (size_t)(at - to) + (size_t)(end - text);
}

static const char anchor[] = "<a href=\"", relation[] = "\" rel=\"nofollow noopener noreferrer ugc";

/* The anchor of a link that stands, as nearly all do, around the text that is its target: of what
 * is to be escaped it has at most `&`. */
static void put_standing(struct out *o, const char *text, size_t n)
{
	static const char end[] = "</a>";
	struct writer *w = o->w;
	char *at = writer_room(w, ANCHOR_ROOM);
	memcpy(at, anchor, sizeof anchor - 1);
	at += sizeof anchor - 1;
	size_t length = put_ampersands(at, text, n);
	memcpy(at + length, relation, sizeof relation - 1);
	memcpy(at + length + sizeof relation - 1, "\">", 2);
	char *again = at + length + sizeof relation - 1 + 2;
	memcpy(again, at, length);
	memcpy(again + length, end, sizeof end - 1);
	w->used = (size_t)(again + length + sizeof end - 1 - w->data);
}

/* An anchor around one part of a link, with the warnings as its description for
 * those who go from link to link.  Text that could run from right to left
 * is isolated in it, so that it cannot reorder what stands around.  Returns
 * whether it holds a bidi control. */
static bool put_anchor(struct out *o, const char *text, size_t n)
{
	const struct html *h = o->state;
	bool own = h->stands && n == h->target_length && (text == h->target || !memcmp(text, h->target, n));
	if (own && n <= STANDING_MAX) {
		put_standing(o, text, n);
		return false;
	}
	bool isolate = !is_ascii(text, n);
	writer_text(o->w, anchor);
	escape_html(o->w, h->target, h->target_length);
	writer_text(o->w, relation);
	if (h->warnings) {
		writer_text(o->w, "\" title=\"");
		put_reasons(o, h->warnings);
	}
	writer_text(o->w, isolate ? "\"><bdi>" : "\">");
	bool bidi = escape_html(o->w, text, n);
	writer_text(o->w, isolate ? "</bdi></a>" : "</a>");
	return bidi;
}

/* The scheme is asked for when it is another than that of the link before. */
static bool is_linkable(struct html *h, const urlsift_link *link)
{
	size_t n;
	const char *scheme = urlsift_link_scheme(link, &n);
	if (n >= sizeof h->scheme)
		return false;
	if (n != h->scheme_length || memcmp(scheme, h->scheme, n) != 0) {
		memcpy(h->scheme, scheme, n);
		h->scheme_length = n;
		h->scheme_linkable = urlsift_scheme_linkable(scheme, n);
	}
	return h->scheme_linkable && !(h->warnings & URLSIFT_WARN_UNLINKABLE);
}

/* What holds for all parts of a link. */
static void begin_link(struct html *h, const urlsift_link *link)
{
	h->stands = urlsift_link_stands(link);
	h->warnings = h->stands ? 0 : urlsift_link_warnings(link);
	if (h->stands) {
		h->target = urlsift_link_text(link, &h->target_length);
		return;
	}
	h->target_length = is_linkable(h, link) ? escape_form(&h->form, ESCAPE_TARGET, link, NULL) : 0;
	h->target = h->form.data;
	/* That a scheme is unknown is no news where there is nothing to click on. */
	if (h->target_length == 0 && h->warnings == URLSIFT_WARN_UNKNOWN_SCHEME)
		h->warnings = 0;
}

/* The target of markup stands before the text that it is a link of, in angle
 * brackets, and is no part of the text. */
static void put_target(struct out *o, const urlsift_link *link)
{
	struct html *h = o->state;
	size_t n;
	const char *text = urlsift_link_text(link, &n);
	html_text_settle(&h->text);
	writer_text(o->w, "<bdi class=\"w t\">&lt;");
	if (h->target_length > 0)
		put_anchor(o, text, n);
	else
		escape_html(o->w, text, n);
	writer_text(o->w, "&gt;");
	put_mark(o);
	writer_text(o->w, " </bdi>");
}

/* Each anchor has the whole target: a link of more parts than these, broken by blanks, is one to click on
 * in the first ones only, or the page would grow with the square of it. */
enum { ANCHORS_MAX = 64 };

/* One part of a link; it may say nothing. */
static void put_part(struct out *o, const urlsift_piece *piece)
{
	struct html *h = o->state;
	if (piece->text_length == 0)
		return;
	if (h->target_length > 0 && piece->part < ANCHORS_MAX) {
		html_text_settle(&h->text);
		html_text_behind(&h->text, put_anchor(o, piece->text, piece->text_length));
	} else {
		html_text_put(&h->text, piece->text, piece->text_length);
	}
}

static void put_link(struct out *o, const urlsift_piece *piece)
{
	struct html *h = o->state;
	size_t parts;
	urlsift_link_parts(piece->link, &parts);
	bool last = piece->part + 1 == parts;
	if (piece->part == 0) {
		begin_link(h, piece->link);
		/* of a field that holds identifiers only these come */
		if (h->behind_link && h->open & HTML_FIELD)
			html_text_put(&h->text, " ", 1);
	}
	if (o->place && o->place->target) {
		put_target(o, piece->link);
		return;
	}
	put_part(o, piece);
	h->behind_link = last;
	if (last && h->warnings) {
		put_mark(o);
		html_text_behind(&h->text, false);
	}
}

static void put_plain(struct out *o, const urlsift_piece *piece)
{
	struct html *h = o->state;
	if (piece->text_length == 0 || (o->place && o->place->target))
		return; /* a target that is no link says nothing to a reader */
	html_text_put(&h->text, piece->text, piece->text_length);
	h->behind_link = false;
}

static void html_piece(struct out *o, const urlsift_piece *piece, bool shown)
{
	struct html *h = o->state;
	if (!(h->open & HTML_TEXT)) {
		if (h->held && html_is_held(o, piece))
			return;
		if (!(h->open & HTML_TEXT))
			html_open_pre(o);
	}
	if (shown)
		put_link(o, piece);
	else
		put_plain(o, piece);
}

static void html_source_end(struct out *o, uint64_t links)
{
	struct html *h = o->state;
	(void)links;
	if (!h->message && !h->open)
		html_open_pre(o);
	html_close(o, 0);
}

static void html_end(struct out *o)
{
	struct html *h = o->state;
	html_put_table(o);
	if (!o->options->fragment)
		writer_text(o->w, "</body></html>");
	html_mail_fini(h);
	free(h->form.data);
	free(h);
	o->state = NULL;
}

/* Errors and limits are said on standard error, by whom they befall. */
static void html_error(struct out *o, const char *what) { (void)o; (void)what; }
static void html_notice(struct out *o, const urlsift_notice *n) { (void)o; (void)n; }

const struct output out_html = {
	.name = "html", .begin = html_begin, .source = html_source, .message = html_message, .place = html_place,
	.piece = html_piece, .error = html_error, .notice = html_notice, .source_end = html_source_end, .end = html_end,
	.wants_plain = true,
};
