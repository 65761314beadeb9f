#include "html.h"

#include "scan/terminal.h"
#include "simd/runs.h"
#include "text/bytes.h"
#include "text/unicode.h"

/* Room for the anchor of a simple link of SIMPLE_MAX bytes, each of which may become `&amp;`, twice. */
enum { SIMPLE_MAX = 1024, ESCAPED = 5, ANCHOR_ROOM = 2 * ESCAPED * SIMPLE_MAX + 1024 };

static void html_init(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	h->text.w = &r->writer;
	html_choice_init(r);
}

static void html_source(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	h->source++;
	h->message = NULL;
	h->part[0] = '\0';
	if (render_is_named(r) || h->messages > 0)
		html_page_decide(r);
	if (!render_is_named(r))
		return;
	writer_text(&r->writer, "<h2 class=\"w\"><bdi>");
	escape_html(&r->writer, r->source, strlen(r->source));
	if (r->member) {
		writer_text(&r->writer, "</bdi>{<bdi>");
		escape_html(&r->writer, r->member, strlen(r->member));
		writer_text(&r->writer, "</bdi>}</h2>");
	} else {
		writer_text(&r->writer, "</bdi></h2>");
	}
}

bool html_put_label(const struct html_text *t, const char *text, size_t n)
{
	const bool isolate = t->bidi || ascii_prefix((const uint8_t *)text, n) < n;
	writer_text(t->w, isolate ? "\"><bdi>" : "\">");
	const bool bidi = escape_html(t->w, text, n);
	writer_text(t->w, isolate ? "</bdi></a>" : "</a>");
	return bidi;
}

/* The reasons of the warnings in one sentence, between two texts; nothing for none. */
static void put_reasons(urlsift_renderer *r, const char *begin, unsigned warnings, const char *end)
{
	if (warnings == 0)
		return;
	writer_text(&r->writer, begin);
	render_names(r, warnings, urlsift_warning_reason, "Warning: ", "; ");
	writer_text(&r->writer, end);
}

/* The warnings in words after the link, so that they are seen, read aloud and printed.
 * They are not part of the text: selecting it leaves them out. */
static void put_mark(urlsift_renderer *r, unsigned warnings)
{
	put_reasons(r, "<bdi class=\"w\"> [\xe2\x9a\xa0 ", warnings, "]</bdi>");
}

static const char anchor[] = "<a href=\"", relation[] = HTML_RELATION;

/* Begins an anchor, up to its further attributes. */
static void put_href(urlsift_renderer *r, const void *target, size_t n)
{
	const struct html_state *h = r->state;
	struct writer *w = &r->writer;
	writer_text(w, anchor);
	bool noted = h->choice.state && n <= HTML_NOTED_MAX;
	const char *from = writer_room(w, noted * (5 * n + HTML_ROOM)); /* the target is in one block */
	escape_html(w, target, n);
	if (noted)
		html_choice_note(r, from, (size_t)(w->data + w->used - from));
	writer_text(w, relation);
}

/* The anchor of a simple link, as nearly all are: its text is its target, and only `&` needs to be escaped. */
static void put_simple(urlsift_renderer *r, const char *text, size_t n)
{
	static const char between[] = HTML_RELATION "\">", end[] = "</a>";
	const struct html_state *h = r->state;
	struct writer *w = &r->writer;
	char *at = writer_room(w, ANCHOR_ROOM) + sizeof anchor - 1, *again = at + n + sizeof between - 1;
	memcpy(at - (sizeof anchor - 1), anchor, sizeof anchor - 1);
	if (n < 16 || run_copy_twice(at, again, (const uint8_t *)text, n, '&')) {
		w->used += sizeof anchor - 1;
		escape_html(w, text, n);
		n = (size_t)(w->data + w->used - at);
		again = at + n + sizeof between - 1;
		memcpy(again, at, n);
	}
	memcpy(at + n, between, sizeof between - 1);
	memcpy(again + n, end, sizeof end - 1);
	w->used = (size_t)(again + n + sizeof end - 1 - w->data);
	if (h->choice.state)
		html_choice_note(r, at, n);
}

/* The warnings again, for users who go from link to link. */
static void put_title(urlsift_renderer *r, unsigned warnings)
{
	put_reasons(r, "\" title=\"", warnings, "");
}

/* An anchor around one part of a link.  The first has the warnings as its title.  Returns as html_put_label. */
static bool put_anchor(urlsift_renderer *r, const char *text, size_t n)
{
	struct html_state *h = r->state;
	put_href(r, h->link.target, h->link.target_length);
	put_title(r, h->link.anchors++ ? 0 : h->link.warnings);
	return html_put_label(&h->text, text, n);
}

/* Sets the target and the warnings of a link that is not simple. */
__attribute__((noinline)) static void judge_link(urlsift_renderer *r, const urlsift_link *link)
{
	struct html_state *h = r->state;
	h->link.warnings = urlsift_link_warnings(link);
	size_t n;
	const char *scheme = urlsift_link_scheme(link, &n);
	const bool linkable = urlsift_scheme_linkable(scheme, n) && !(h->link.warnings & URLSIFT_WARN_NO_HREF);
	h->link.target_length = linkable ? render_form(r, urlsift_link_target, link) : 0;
	h->link.target = (const char *)r->form.data;
	/* without an anchor, an unknown scheme needs no warning */
	if (!h->link.target_length && h->link.warnings == URLSIFT_WARN_UNKNOWN_SCHEME)
		h->link.warnings = 0;
}

/* Computes what all parts of a link share, which may be simple. */
static void begin_link(urlsift_renderer *r, const urlsift_link *link, bool simple)
{
	struct html_state *h = r->state;
	h->link.anchors = 0;
	h->link.warnings = 0;
	if (simple)
		h->link.target = urlsift_link_text(link, &h->link.target_length);
	else
		judge_link(r, link);
}

/* One part of a link, which may be empty. */
static void put_part(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct html_state *h = r->state;
	if (piece->text_length == 0)
		return;
	html_text_settle(&h->text);
	if (html_is_linked(h->link.target_length, h->link.anchors)) {
		html_text_after(&h->text, put_anchor(r, piece->text, piece->text_length));
	} else if (r->options.html.identifier && text_is(piece->link->scheme, piece->link->scheme_length, "mid")) {
		/* The caller puts a message identifier into an anchor. */
		void *user = h->page.write ? h->page.user : h->choice.state ? h->choice.user : r->writer.user;
		bool held = h->page.holds || html_choice_holds(&h->choice);
		writer_flush(&r->writer);
		if (!held)
			r->options.html.identifier(user, piece->link, 1);
		bool bidi = escape_html(&r->writer, piece->text, piece->text_length);
		writer_flush(&r->writer);
		if (!held)
			r->options.html.identifier(user, piece->link, 0);
		html_text_after(&h->text, bidi);
	} else {
		html_text_put(&h->text, piece->text, piece->text_length);
	}
}

/* ---- Anchors of HTML ---------------------------------------------------------------- */

/* The first line has the warnings after it. */
static void close_anchor(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	if (!h->anchor.open)
		return;
	writer_text(&r->writer, "</bdi></a>");
	if (h->anchor.runs == 1)
		put_mark(r, h->anchor.warnings);
	html_text_after(&h->text, h->anchor.bidi);
	h->anchor.open = false;
}

void html_end_anchor(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	close_anchor(r);
	h->anchor.target.length = h->anchor.label_left = 0;
	h->link.target_length = h->link.warnings = 0; /* a link that began in it has no anchor of its own after it */
	h->anchor.in_sequence = false;
}

static void put_text(struct html_state *h, const char *text, size_t n)
{
	if (h->text.line > 0)
		html_text_put_numbered(&h->text, text, n);
	else
		html_text_put(&h->text, text, n);
}

/* The text of an anchor becomes a link, each line of it one element, which begins after its first blanks.  It is always
 * isolated: what text follows is not known when the element is opened. */
static void put_anchor_text(urlsift_renderer *r, const char *text, size_t n)
{
	struct html_state *h = r->state;
	const uint8_t *p = (const uint8_t *)text;
	for (size_t i = 0, end; i < n; i = end) {
		end = run_line_end(p, i, n);
		if (end == i) {
			close_anchor(r);
			put_text(h, text + i, 1);
			end++;
			continue;
		}
		if (!h->anchor.open) {
			const bool linked = html_is_linked(h->anchor.target.length, h->anchor.runs);
			const size_t from = linked ? byte_span(p, i, end, BYTE_BLANK) : end;
			if (from > i)
				put_text(h, text + i, from - i);
			if (from == end)
				continue;
			html_text_settle(&h->text);
			put_href(r, h->anchor.target.data, h->anchor.target.length);
			put_title(r, h->anchor.runs == 0 ? h->anchor.warnings : 0);
			writer_text(&r->writer, "\"");
			writer_text(&r->writer, text_if(!h->anchor.spelled, " class=\"t\""));
			writer_text(&r->writer, "><bdi>");
			h->anchor.open = true;
			h->anchor.bidi = false;
			h->anchor.runs++;
			i = from;
		}
		h->anchor.bidi |= escape_html(&r->writer, text + i, end - i);
	}
}

/* The target of the link waits for the text of its anchor, n bytes if they are known. */
static void keep_target(urlsift_renderer *r, const char *label, size_t n)
{
	struct html_state *h = r->state;
	h->anchor.spelled = render_is_spelled(label, n, h->link.target, h->link.target_length);
	h->anchor.warnings = h->link.warnings;
	h->anchor.runs = 0;
	render_keep(r, &h->anchor.target, h->link.target, h->link.target_length);
}

/* The target of markup.  That of an anchor waits for its text, when there is some. */
__attribute__((noinline)) static void take_target(urlsift_renderer *r, const urlsift_piece *piece, bool shown)
{
	struct html_state *h = r->state;
	if (r->place->anchor)
		html_end_anchor(r);
	else
		close_anchor(r);
	if (!shown || piece->part > 0)
		return; /* a target that is not a link is not shown */
	begin_link(r, piece->link, urlsift_link_is_simple(piece->link));
	size_t n = 0;
	const char *text = h->link.target_length > 0 ? urlsift_link_label(piece->link, &n) : NULL;
	if (n > 0 && r->place->anchor) {
		keep_target(r, text, n);
		return;
	}
	/* What is shown of markup without text is not part of the text: the texts of images, or the target in brackets. */
	const bool bare = !render_is_plain_label((urlsift_text){ text, n });
	const size_t bracket = bare * (sizeof "&lt;" - 1);
	text = bare ? urlsift_link_text(piece->link, &n) : text;
	html_text_settle(&h->text);
	writer_text(&r->writer, "<bdi class=\"w t\">");
	writer_put(&r->writer, "&lt;", bracket);
	if (h->link.target_length > 0)
		put_anchor(r, text, n);
	else
		escape_html(&r->writer, text, n);
	writer_put(&r->writer, "&gt;", bracket);
	put_mark(r, h->link.warnings);
	writer_text(&r->writer, " </bdi>");
}

/* The text of an anchor, until the label of a hyperlink ends. */
static void put_anchored(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct html_state *h = r->state;
	if (h->anchor.in_sequence) {
		put_text(h, piece->text, piece->text_length);
		h->anchor.in_sequence = false;
		return;
	}
	size_t n = piece->text_length;
	bool ends = false;
	/* Links may have left out bytes of the label: it ends at the next sequence at the latest. */
	if (h->anchor.label_left > 0) {
		n = terminal_label((const uint8_t *)piece->text, n);
		n = utf8_begin(piece->text, smaller(n, h->anchor.label_left), piece->text_length);
		ends = n < piece->text_length || n >= h->anchor.label_left;
		h->anchor.label_left -= ends ? 0 : n;
	}
	put_anchor_text(r, piece->text, n);
	if (ends)
		html_end_anchor(r);
	if (n < piece->text_length)
		put_text(h, piece->text + n, piece->text_length - n);
}

static void put_plain(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct html_state *h = r->state;
	if (piece->text_length == 0)
		return;
	h->after_link = false;
	put_text(h, piece->text, piece->text_length);
}

static void put_link(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct html_state *h = r->state;
	const urlsift_link *l = piece->link;
	if (l->hyperlink && piece->part == 0) {
		html_end_anchor(r);
		begin_link(r, l, urlsift_link_is_simple(l));
		if (l->hyperlink > 1 && h->link.target_length > 0) {
			/* The target of a terminal's hyperlink waits for its label, and is text itself. */
			html_text_put(&h->text, piece->text, piece->text_length);
			h->anchor.in_sequence = true;
			h->anchor.label_left = l->hyperlink - 1;
			keep_target(r, NULL, 0);
			return;
		}
	}
	/* of a field of identifiers only the links are pieces: separate them */
	if (piece->part == 0 && h->after_link && h->open & HTML_FIELD)
		html_text_put(&h->text, " ", 1);
	h->after_link = piece->part + 1 == link_part_count(l);
	const char *text = (const char *)l->text;
	const bool first = piece->part == 0, simple = first && link_is_simple(l) && !l->text_warnings;
	const bool whole = simple && !h->text.bidi && h->after_link && piece->text_length == l->length &&
	                   (piece->text == text || !memcmp(piece->text, text, l->length));
	if (whole && l->length <= SIMPLE_MAX) {
		html_text_settle(&h->text);
		put_simple(r, piece->text, piece->text_length);
		html_text_after(&h->text, false);
		return;
	}
	if (first)
		begin_link(r, l, simple);
	put_part(r, piece);
	if (h->after_link && h->link.warnings) {
		put_mark(r, h->link.warnings);
		html_text_after(&h->text, false);
	}
}

static void put_linked(urlsift_renderer *r, const urlsift_piece *piece, bool shown)
{
	if (shown)
		put_link(r, piece);
	else
		put_plain(r, piece);
}

enum { FIELD_SHOWN = 400 };

/* Text or a link of a field for readers.  Hundreds of addresses may follow: what is after a comma or a line end after
 * so many bytes is folded. */
static void put_field(urlsift_renderer *r, const urlsift_piece *piece, bool shown)
{
	struct html_state *h = r->state;
	urlsift_piece part = *piece;
	const size_t n = piece->text_length;
	const bool rest = h->field_length == SIZE_MAX;
	size_t i = shown || rest ? n : excess(FIELD_SHOWN, h->field_length);
	i = byte_span((const uint8_t *)piece->text, i, n, BYTE_BUT(BYTE_COMMA | BYTE_LINE_END));
	if (rest)
		html_open_rest(r);
	else
		h->field_length = i < n ? SIZE_MAX : h->field_length + n;
	if (shown) {
		put_link(r, piece);
		return;
	}
	part.text_length = smaller(i + 1, n);
	put_plain(r, &part);
	if (part.text_length < n) {
		part.text += part.text_length;
		part.text_length = n - part.text_length;
		html_open_rest(r);
		put_plain(r, &part);
	}
}

/* Where no text is open, or markup may change what is written. */
__attribute__((noinline)) static void put_elsewhere(urlsift_renderer *r, const urlsift_piece *piece, bool shown)
{
	struct html_state *h = r->state;
	const urlsift_place *p = r->place;
	if (h->choice.state == CHOICE_HELD)
		html_choice_piece(r, piece);
	if (h->held && html_is_held(r, piece))
		return;
	if (!(h->open & HTML_TEXT))
		html_open_pre(r);
	if (p->target) {
		take_target(r, piece, shown);
		return;
	}
	if (p->anchor == URLSIFT_ANCHOR_HIDDEN) {
		html_text_settle(&h->text);
		writer_text(&r->writer, "<bdi hidden>");
		escape_html(&r->writer, piece->text, piece->text_length);
		writer_text(&r->writer, "</bdi>");
		return;
	}
	if (h->anchor.target.length > 0 && !p->anchor && !h->anchor.label_left)
		html_end_anchor(r);
	if (h->anchor.target.length > 0)
		put_anchored(r, piece);
	else if ((h->open & (HTML_FIELD | HTML_FOLD | HTML_REST)) == HTML_FIELD)
		put_field(r, piece, shown);
	else
		put_linked(r, piece, shown);
}

static void html_piece(urlsift_renderer *r, const urlsift_piece *piece, bool shown)
{
	const struct html_state *h = r->state;
	if (!(h->open & HTML_TEXT) || r->place != &render_no_place || h->anchor.target.length > 0)
		put_elsewhere(r, piece, shown);
	else
		put_linked(r, piece, shown);
}

static void html_source_end(urlsift_renderer *r, uint64_t links)
{
	struct html_state *h = r->state;
	(void)links;
	if (!h->message && !h->open && !r->appended)
		html_open_pre(r);
	html_close(r, 0);
}

static void html_close_part(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	html_close(r, 0);
	h->message = NULL;
	h->held = false;
}

static void html_resume(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	html_text_begin(&h->text, false);
	h->text.fresh = false;
	h->open = HTML_PRE;
}

static void html_end(urlsift_renderer *r)
{
	html_page_end(r);
	html_put_table(r);
	writer_text(&r->writer, text_if(!r->options.html.fragment, "</main></body></html>"));
}

static const struct format_buffer buffers[] = {
	{ offsetof(struct html_state, anchor.target), SIZE_MAX }, { offsetof(struct html_state, page.name), SIZE_MAX },
	{ offsetof(struct html_state, page.held), HTML_HELD_MAX },
	{ offsetof(struct html_state, choice.held), HTML_CHOICE_MAX },
};

const struct format format_html = {
	.name = "html",
	.needs.always = URLSIFT_NEEDS_PLAIN | URLSIFT_NEEDS_METADATA | URLSIFT_NEEDS_DISPLAY | URLSIFT_NEEDS_ATTACHMENTS |
	                RENDER_NEEDS_MESSAGES,
	.needs.numbered = RENDER_NEEDS_ORDER, /* the anchors of lines have the number of the source */
	.state = { sizeof(struct html_state), html_init, html_mail_fini, FORMAT_BUFFERS(buffers) },
	.begin = html_page_begin, .source = html_source, .message = html_message, .place = html_place,
	.piece = html_piece, .source_end = html_source_end, .end = html_end,
	.parts = { .append = html_page_text, .close = html_close_part, .resume = html_resume },
};
