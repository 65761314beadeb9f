#include "html.h"

#include "text/ascii.h"
#include "text/unicode.h"

#include <string.h>

/* ---- Elements ------------------------------------------------------------------ */

/* Inline: of each end the length is known. */
static inline void end_open(urlsift_renderer *r, unsigned open, const char *end)
{
	if (open)
		writer_text(&r->writer, end);
}

void html_close(urlsift_renderer *r, unsigned keep)
{
	struct html_state *h = r->state;
	if (!(keep & HTML_ARTICLE) && h->choice.alternative)
		html_choice_end(r);
	unsigned close = h->open & ~keep;
	html_end_anchor(r);
	if (close & HTML_TEXT)
		html_text_end(&h->text);
	/* the innermost first */
	end_open(r, close & HTML_PRE, "</pre>");
	end_open(r, close & HTML_FIELD, "</bdi>");
	end_open(r, close & HTML_REST, "</details>");
	end_open(r, close & HTML_FIELD, "</dd>");
	end_open(r, close & HTML_FILES, "</ul>");
	end_open(r, close & HTML_LIST, "</dl>");
	end_open(r, close & HTML_FOLD, "</details>");
	end_open(r, close & HTML_ARTICLE, "</article>");
	h->open &= keep;
}

void html_open_pre(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	html_page_text(r);
	bool flows = !strcmp(r->place->type, "text/html");
	writer_text(&r->writer, "<pre class=\"urlsift");
	writer_text(&r->writer, text_if(flows, " f"));
	writer_text(&r->writer, "\"");
	/* that of its first letter; the style lets each line have its own */
	writer_text(&r->writer, text_if(!r->options.html.fragment, " dir=\"auto\""));
	const char *lang = text_or(r->place->lang, r->options.html.fragment ? r->options.html.lang : NULL);
	if (lang) {
		writer_text(&r->writer, " lang=\"");
		escape_html(&r->writer, lang, strlen(lang));
		writer_text(&r->writer, "\"");
	}
	writer_text(&r->writer, ">");
	html_text_begin(&h->text, false);
	h->text.flows = flows;
	h->text.soft = r->place->flowed;
	h->text.deletes = r->place->delsp;
	if (r->options.line_number && r->place == &render_no_place)
		html_text_number(&h->text, h->source);
	h->open |= HTML_PRE;
}

static void put_isolated(struct writer *w, const char *text, size_t n)
{
	writer_text(w, "<bdi>");
	escape_html(w, text, n);
	writer_text(w, "</bdi>");
}

/* What the message is called, or a note that it has no subject. */
static void put_subject(struct writer *w, const urlsift_message *message)
{
	const urlsift_text subject = html_subject(message);
	if (subject.length > 0)
		put_isolated(w, subject.bytes, subject.length);
	else
		writer_text(w, "<span class=\"w\">(no subject)</span>");
}

/* ---- The table of messages -------------------------------------------------------- */

/* A row has three texts of at most 1 KiB; a byte takes at most five when escaped. */
enum { ROW_LONGEST = 3 * 5 * 1024 + 1024 };

/* The write callback of the rows: the caller's spool. */
static int spool_rows(void *user, const void *bytes, size_t n)
{
	urlsift_renderer *r = user;
	struct html_state *h = r->state;
	h->rows_lost = r->spool.write ? r->spool.write(r->spool.user, bytes, n) : "there are too many messages";
	return h->rows_lost != NULL;
}

/* Moves the buffer to the spool.  The first buffer is kept when the spool fails. */
static void spool(struct html_state *h)
{
	size_t used = h->rows.used;
	writer_flush(&h->rows);
	if (!h->rows_lost)
		h->spooled = true;
	else if (!h->spooled)
		h->rows.used = used;
}

/* The anchor of the message in the page. */
static void put_id(struct writer *w, const struct html_state *h)
{
	writer_text(w, "m");
	writer_number(w, h->source);
	writer_text(w, "-");
	writer_number(w, h->message->offset);
}

/* Adds a row to the buffer, which has room for it, unless one was lost. */
static void put_row(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	struct writer *rows = &h->rows;
	const urlsift_message *m = h->message;
	if (h->rows_lost)
		return;
	if (!rows->data) {
		*rows = (struct writer){ .write = spool_rows, .user = r, .size = WRITER_SIZE,
		                         .data = alloc_get(r->alloc, WRITER_SIZE) };
		if (!rows->data) {
			h->rows_lost = urlsift_status_text(r->status = URLSIFT_NO_MEMORY);
			return;
		}
	} else if (WRITER_SIZE - rows->used < ROW_LONGEST) {
		spool(h);
	}
	if (h->rows_lost)
		return;
	writer_text(rows, "<tr><td>");
	put_isolated(rows, m->date.bytes, m->date.length);
	writer_text(rows, "</td><td>");
	put_isolated(rows, m->from.bytes, m->from.length);
	writer_text(rows, "</td><td><a href=\"#");
	put_id(rows, h);
	writer_text(rows, "\">");
	put_subject(rows, m);
	writer_text(rows, "</a></td></tr>");
}

void html_put_table(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	struct writer *rows = &h->rows;
	if (h->messages < 2)
		return;
	writer_text(&r->writer, "<table class=\"w\" id=\"messages\"><caption>Messages</caption>"
	                        "<thead><tr><th scope=\"col\">Date</th>"
	                  "<th scope=\"col\">From</th><th scope=\"col\">Subject</th></tr></thead><tbody>");
	if (!h->spooled)
		writer_put(&r->writer, rows->data, rows->used);
	else if (!h->rows_lost)
		spool(h);
	for (size_t n = h->spooled; n > 0;) {
		const char *why = r->spool.read(r->spool.user, rows->data, WRITER_SIZE, &n);
		if (why) {
			h->rows_lost = why;
			break;
		}
		writer_put(&r->writer, rows->data, n);
	}
	writer_text(&r->writer, "</tbody></table>");
	if (h->rows_lost) {
		/* Without a spool the bound of the table is documented; with one it is an error. */
		writer_text(&r->writer, "<p class=\"w\">This table is incomplete: ");
		escape_html(&r->writer, h->rows_lost, strlen(h->rows_lost));
		writer_text(&r->writer, ".</p>");
		if (r->spool.write)
			r->status = URLSIFT_INTERNAL;
	}
}

void html_mail_fini(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	alloc_put(r->alloc, h->rows.data);
	html_choice_fini(r);
}

/* ---- Messages and their parts ------------------------------------------------------ */

void html_message(urlsift_renderer *r, const urlsift_message *message)
{
	struct html_state *h = r->state;
	html_close(r, 0);
	h->message = message;
	h->part[0] = '\0';
	h->held = false;
	if (r->is_part)
		return;
	html_page_message(r, message);
	/* Whether there will be a table is not known yet: the style shows this link when
	 * there is one. */
	if (h->messages++ == 0 && !r->options.html.fragment)
		writer_text(&r->writer, "<p class=\"w\" hidden><a href=\"#messages\">Table of messages</a></p>");
	put_row(r);
	writer_text(&r->writer, "<article class=\"m\" id=\"");
	put_id(&r->writer, h);
	writer_text(&r->writer, "\"><h2>");
	put_subject(&r->writer, message);
	writer_text(&r->writer, "</h2>");
	h->open = HTML_ARTICLE;
}

/* Whether a header field is for readers; the others are folded. */
static bool is_for_readers(const char *name)
{
	return ascii_is_among(name, strlen(name), "from date subject to cc bcc reply-to newsgroups followup-to");
}

/* Writes the tag of a heading in a message, with its level for the `?`. */
static void put_tag(urlsift_renderer *r, const char *form)
{
	const char *level = strchr(form, '?');
	writer_put(&r->writer, form, (size_t)(level - form));
	writer_put(&r->writer, &(char){html_page_level(r)}, 1);
	writer_text(&r->writer, level + 1);
}

/* A heading for a message in a message, and for a part with a name or of an unusual type; that of other text says
 * nothing to a reader. */
static void put_heading(urlsift_renderer *r, struct html_state *h)
{
	const urlsift_place *p = r->place;
	size_t n = strlen(p->part);
	bool other = strncmp(p->part, h->part, sizeof h->part - 1) != 0;
	bool message = p->field && other && is_for_readers(p->field), named = !p->field && p->name.length > 0;
	bool usual = p->field || !*p->type || text_is_among(p->type, strlen(p->type), "text/plain text/html");
	n = smaller(n, sizeof h->part - 1);
	memcpy(h->part, p->part, n);
	h->part[n] = '\0';
	if (!message && !named && usual)
		return;
	html_close(r, HTML_ARTICLE);
	put_tag(r, "<h? class=\"w\">");
	writer_text(&r->writer, text_if(message, "Attached message"));
	if (named)
		put_isolated(&r->writer, p->name.bytes, p->name.length);
	writer_text(&r->writer, text_if(named && !usual, ", "));
	escape_html(&r->writer, p->type, usual ? 0 : strlen(p->type));
	put_tag(r, "</h?>");
}

static void open_field(urlsift_renderer *r, const char *name)
{
	struct html_state *h = r->state;
	if (!(h->open & HTML_FOLD) && !is_for_readers(name)) {
		html_close(r, HTML_ARTICLE);
		writer_text(&r->writer, "<details><summary class=\"w\">More header fields</summary>");
		h->open |= HTML_FOLD;
	}
	writer_text(&r->writer, text_if(!(h->open & HTML_LIST), "<dl>"));
	writer_text(&r->writer, "<dt>");
	put_isolated(&r->writer, name, strlen(name));
	writer_text(&r->writer, "</dt><dd><bdi>");
	html_text_begin(&h->text, true);
	h->after_link = false;
	h->field_length = 0;
	h->open |= HTML_LIST | HTML_FIELD;
}

void html_open_rest(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	html_text_end(&h->text);
	writer_text(&r->writer, "</bdi><details><summary class=\"w\">and more</summary><bdi>");
	html_text_begin(&h->text, true);
	h->open |= HTML_REST;
}

/* The subject differs from the heading, or continues: writes what was held back. */
static void release(urlsift_renderer *r, struct html_state *h)
{
	h->held = false;
	open_field(r, "Subject");
	if (h->held_length > 0)
		html_text_put(&h->text, h->message->subject.bytes, h->held_length);
}

/* The heading has no line ends, blanks for other controls, and no blanks at its end. */
bool html_is_held(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct html_state *h = r->state;
	const urlsift_text subject = h->message->subject;
	size_t n = h->held_length;
	bool same = !piece->link;
	/* as mostly; the loop tells if not, or if there is no text */
	const bool may = piece->text_length - 1 < subject.length - n;
	size_t i = may && !memcmp(subject.bytes + n, piece->text, piece->text_length) ? piece->text_length : 0;
	n += i;
	while (i < piece->text_length && same) {
		uint32_t c, wanted = ' ';
		i += utf8_next((const uint8_t *)piece->text + i, piece->text_length - i, &c);
		c = utf8_in_line(c);
		if (!c)
			continue;
		if (n < subject.length)
			n += utf8_next((const uint8_t *)subject.bytes + n, subject.length - n, &wanted);
		same = wanted == c;
	}
	if (same)
		h->held_length = n;
	else
		release(r, h);
	return same;
}

void html_place(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	const urlsift_place *p = r->place;
	if (h->held && h->held_length < h->message->subject.length)
		release(r, h);
	h->held = false;
	html_choice_place(r);
	if (p->attachment) {
		html_close(r, HTML_ARTICLE | HTML_FILES);
		/* Attachments are named, with their size in thousands or millions of bytes, and nothing else. */
		writer_text(&r->writer, text_if(!(h->open & HTML_FILES), "<ul class=\"w\">"));
		writer_text(&r->writer, "<li>Attached: ");
		h->open |= HTML_FILES;
		if (p->name.length > 0) {
			put_isolated(&r->writer, p->name.bytes, p->name.length);
			writer_text(&r->writer, ", ");
		}
		escape_html(&r->writer, p->type, strlen(p->type));
		writer_text(&r->writer, ", ");
		if (p->size < 1000000) {
			writer_number(&r->writer, (p->size + 999) / 1000);
			writer_text(&r->writer, " kB</li>");
		} else {
			writer_number(&r->writer, p->size / 1000000);
			writer_text(&r->writer, ".");
			writer_number(&r->writer, p->size / 100000 % 10);
			writer_text(&r->writer, " MB</li>");
		}
		return;
	}
	html_close(r, HTML_ARTICLE | HTML_FOLD | HTML_LIST);
	if (*p->part)
		put_heading(r, h);
	if (!p->field) {
		html_close(r, HTML_ARTICLE);
		html_open_pre(r);
	} else if (!*p->part && ascii_is(p->field, strlen(p->field), "subject")) {
		h->held = true;
		h->held_length = 0;
	} else {
		open_field(r, p->field);
	}
}
