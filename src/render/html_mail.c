#include "html.h"

#include "input/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- Elements ------------------------------------------------------------------ */

void html_close(struct out *o, unsigned keep)
{
	struct html *h = o->state;
	unsigned close = h->open & ~keep;
	if (close & HTML_TEXT)
		html_text_end_line(&h->text);
	if (close & HTML_PRE)
		writer_text(o->w, "</pre>");
	if (close & HTML_FIELD)
		writer_text(o->w, "</bdi></dd>");
	if (close & HTML_LIST)
		writer_text(o->w, "</dl>");
	if (close & HTML_ARTICLE)
		writer_text(o->w, "</article>");
	h->open &= keep;
}

void html_open_pre(struct out *o)
{
	struct html *h = o->state;
	writer_text(o->w, "<pre class=\"urlsift\">");
	html_text_begin(&h->text, false);
	h->open |= HTML_PRE;
}

static void put_isolated(struct writer *w, const char *text, size_t n)
{
	writer_text(w, "<bdi>");
	escape_html(w, text, n);
	writer_text(w, "</bdi>");
}

/* The subject, or words of ours in its place. */
static void put_subject(struct writer *w, const urlsift_message *message)
{
	if (message->subject.length > 0)
		put_isolated(w, message->subject.bytes, message->subject.length);
	else
		writer_text(w, "<span class=\"w\">(no subject)</span>");
}

/* ---- The table of messages -------------------------------------------------------- */

/* A row is of three texts of at most 1 KiB, of which each byte takes at most five. */
enum { ROW_LONGEST = 3 * 5 * 1024 + 1024 };

/* A file that nobody else finds, and that is gone when it is closed. */
static int open_unnamed(void)
{
	static const char name[] = "/urlsift-XXXXXX";
	const char *folder = getenv("TMPDIR");
	size_t n = strlen(folder && *folder ? folder : (folder = "/tmp"));
	char *path = malloc(n + sizeof name);
	if (!path)
		return -1;
	memcpy(path, folder, n);
	memcpy(path + n, name, sizeof name);
	int fd = mkstemp(path);
	if (fd >= 0) {
		unlink(path);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	free(path);
	return fd;
}

/* The rows in the buffer go into the file. */
static void spool(struct html *h)
{
	struct writer *rows = &h->rows;
	uint64_t n = rows->used;
	if (rows->fd < 0 && (rows->fd = open_unnamed()) < 0) {
		h->rows_error = errno;
		return;
	}
	writer_flush(rows);
	h->rows_error = rows->error;
	if (!rows->error)
		h->spooled += n;
}

/* Room for one row more: in the buffer, which is enough for some hundred messages,
 * or else behind it.  False once something came in the way. */
static bool make_room(struct html *h)
{
	struct writer *rows = &h->rows;
	if (!h->rows_error && !rows->data && !(rows->data = malloc(WRITER_SIZE)))
		h->rows_error = ENOMEM;
	if (!h->rows_error && WRITER_SIZE - rows->used < ROW_LONGEST)
		spool(h);
	return !h->rows_error;
}

/* The message's name in the page. */
static void put_id(struct writer *w, const struct html *h)
{
	writer_text(w, "m");
	writer_number(w, h->source);
	writer_text(w, "-");
	writer_number(w, h->message->offset);
}

static void put_row(struct html *h)
{
	struct writer *rows = &h->rows;
	const urlsift_message *m = h->message;
	if (!make_room(h))
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

/* Out of the file come the rows that went into it whole. */
static void put_rows(struct out *o, struct html *h)
{
	struct writer *rows = &h->rows;
	if (h->spooled == 0) {
		writer_put(o->w, rows->data, rows->used);
		return;
	}
	if (!h->rows_error)
		spool(h);
	if (lseek(rows->fd, 0, SEEK_SET) < 0)
		h->rows_error = errno;
	while (h->spooled > 0) {
		size_t n = h->spooled < WRITER_SIZE ? (size_t)h->spooled : WRITER_SIZE;
		ssize_t k = read(rows->fd, rows->data, n);
		if (k > 0) {
			writer_put(o->w, rows->data, (size_t)k);
			h->spooled -= (uint64_t)k;
		} else if (k == 0 || errno != EINTR) {
			h->rows_error = k < 0 ? errno : EIO;
			break;
		}
	}
}

/* An incomplete table says so where it stands, and on standard error. */
static void put_loss(struct out *o, int error)
{
	const char *why = strerror(error);
	report("the table of messages is not complete: %s", why);
	writer_text(o->w, "<p class=\"w\">This table is not complete: ");
	escape_html(o->w, why, strlen(why));
	writer_text(o->w, ".</p>");
	o->status = URLSIFT_INTERNAL;
}

void html_put_table(struct out *o)
{
	struct html *h = o->state;
	if (h->messages < 2)
		return;
	writer_text(o->w, "<table class=\"w\" id=\"messages\"><caption>Messages</caption><thead><tr><th scope=\"col\">Date</th>"
	                  "<th scope=\"col\">From</th><th scope=\"col\">Subject</th></tr></thead><tbody>");
	put_rows(o, h);
	writer_text(o->w, "</tbody></table>");
	if (h->rows_error)
		put_loss(o, h->rows_error);
}

void html_mail_fini(struct html *h)
{
	if (h->rows.fd >= 0)
		close(h->rows.fd);
	free(h->rows.data);
}

/* ---- Messages and their parts ------------------------------------------------------ */

void html_message(struct out *o, const urlsift_message *message)
{
	struct html *h = o->state;
	html_close(o, 0);
	h->message = message;
	h->part[0] = '\0';
	h->held = false;
	/* Whether there will be a table is not known yet; the style shows the link to it
	 * when there is one. */
	if (h->messages++ == 0 && !o->options->fragment)
		writer_text(o->w, "<p class=\"w\" hidden><a href=\"#messages\">Table of messages</a></p>");
	put_row(h);
	writer_text(o->w, "<article class=\"m\" id=\"");
	put_id(o->w, h);
	writer_text(o->w, "\"><h2>");
	put_subject(o->w, message);
	writer_text(o->w, "</h2>");
	h->open = HTML_ARTICLE;
}

/* A part that is not simply the message's text is told by a heading; when it had
 * fields of its own, by one before these and one before what it holds. */
static void put_heading(struct out *o, struct html *h)
{
	const urlsift_place *p = o->place;
	size_t n = strlen(p->part);
	bool other = strncmp(p->part, h->part, sizeof h->part - 1) != 0;
	bool plain = !*p->type || !strcmp(p->type, "text/plain");
	bool first = !p->field && !*h->part && !strcmp(p->part, "1");
	n = n < sizeof h->part ? n : sizeof h->part - 1;
	memcpy(h->part, p->part, n);
	h->part[n] = '\0';
	if ((first || !other) && plain)
		return;
	html_close(o, HTML_ARTICLE);
	writer_text(o->w, "<h3 class=\"w\">");
	if (other) {
		writer_text(o->w, "Part ");
		escape_html(o->w, p->part, strlen(p->part));
	}
	writer_text(o->w, other && *p->type ? ", " : "");
	escape_html(o->w, p->type, strlen(p->type));
	writer_text(o->w, "</h3>");
}

static void open_field(struct out *o, const char *name)
{
	struct html *h = o->state;
	if (!(h->open & HTML_LIST))
		writer_text(o->w, "<dl>");
	writer_text(o->w, "<dt>");
	put_isolated(o->w, name, strlen(name));
	writer_text(o->w, "</dt><dd><bdi>");
	html_text_begin(&h->text, true);
	h->behind_link = false;
	h->open |= HTML_LIST | HTML_FIELD;
}

/* The subject says something else than the heading, or more. */
static void release(struct out *o, struct html *h)
{
	h->held = false;
	open_field(o, "Subject");
	if (h->held_length > 0)
		html_text_put(&h->text, h->message->subject.bytes, h->held_length);
}

/* How much of the heading is said when this text has followed `n` bytes of it: line
 * ends are left out there, other controls blanks, blanks at the end left out.
 * SIZE_MAX when the text says something else. */
static size_t compare(const urlsift_text *subject, size_t n, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		uint8_t c = (uint8_t)text[i];
		if (c == '\r' || c == '\n')
			continue;
		if (c < ' ' || c == 0x7f)
			c = ' ';
		if (n < subject->length ? (uint8_t)subject->bytes[n] != c : c != ' ')
			return SIZE_MAX;
		n += n < subject->length;
	}
	return n;
}

bool html_is_held(struct out *o, const urlsift_piece *piece)
{
	struct html *h = o->state;
	size_t n = piece->link ? SIZE_MAX : compare(&h->message->subject, h->held_length, piece->text, piece->text_length);
	if (n == SIZE_MAX) {
		release(o, h);
		return false;
	}
	h->held_length = n;
	return true;
}

void html_place(struct out *o)
{
	struct html *h = o->state;
	const urlsift_place *p = o->place;
	if (h->held && h->held_length < h->message->subject.length)
		release(o, h);
	h->held = false;
	html_close(o, HTML_ARTICLE | HTML_LIST);
	if (*p->part)
		put_heading(o, h);
	if (!p->field) {
		html_close(o, HTML_ARTICLE);
		html_open_pre(o);
	} else if (!*p->part && !strcasecmp(p->field, "Subject")) {
		h->held = true;
		h->held_length = 0;
	} else {
		open_field(o, p->field);
	}
}
