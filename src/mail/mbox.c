#include "mbox.h"


#include <string.h>

/* ---- Lines that are cut ---- */

enum line_held line_gather(struct line_hold *h, const uint8_t *p, size_t n, struct line *line)
{
	size_t room = h->cap - h->length, look = n < room ? n : room;
	const uint8_t *end = memchr(p, '\n', look);
	if (!end && look == room)
		return LINE_LONG;
	size_t taken = end ? (size_t)(end - p) + 1 : n;
	*line = (struct line){p, taken, taken};
	if (end && !h->length)
		return LINE_WHOLE;
	memcpy(h->held + h->length, p, taken);
	h->length += taken;
	line->p = h->held;
	line->length = h->length;
	return end ? LINE_WHOLE : LINE_MORE;
}

/* ---- Lines that separate messages ---- */

bool mbox_is_from(const uint8_t *line, size_t n)
{
	bool time = false, year = false;
	if (n < 5 || memcmp(line, "From ", 5))
		return false;
	for (size_t i = 5, end; i < n && !(time && year); i++) {
		if (!is_digit(line[i]))
			continue;
		for (end = i + 1; end < n && is_digit(line[end]);)
			end++;
		time = time || (end - i == 2 && n - end >= 3 && line[end] == ':' && is_digit(line[end + 1]) && is_digit(line[end + 2]));
		year = year || (end - i == 4 && (line[i] == '1' || line[i] == '2'));
		i = end;
	}
	return time && year;
}

static bool is_mmdf(const uint8_t *line, size_t n)
{
	while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
		n--;
	return n == 4 && !memcmp(line, "\1\1\1\1", 4);
}

/* `>From `, with any number of `>`. */
static bool is_quoted_from(const uint8_t *line, size_t n)
{
	size_t marks = 0;
	while (marks < n && line[marks] == '>')
		marks++;
	return marks && n - marks >= 5 && !memcmp(line + marks, "From ", 5);
}

static bool behind_blank(const struct mbox *m)
{
	const uint8_t *t = m->tail;
	return t[2] == '\n' && (t[1] == '\n' || (t[1] == '\r' && t[0] == '\n'));
}

/* ---- Content-Length ---- */

/* Whether a message could end at `offset`: there a From_ line begins, blank lines
 * before it or not, or the source ends. */
static bool ends_at(const struct parser *r, uint64_t offset)
{
	char bytes[MBOX_LINE_MAX];
	const urlsift_mail_options *o = &r->options;
	long n = o->probe ? o->probe(o->probe_user, offset, bytes, sizeof bytes) : -1;
	if (n < 0 || (n == 0 && offset && o->probe(o->probe_user, offset - 1, bytes, 1) != 1))
		return false; /* behind the end */
	size_t i = 0, size = (size_t)n;
	while (i < size && i < 4 && (bytes[i] == '\n' || bytes[i] == '\r'))
		i++;
	const char *end = memchr(bytes + i, '\n', size - i);
	return i == size || mbox_is_from((const uint8_t *)bytes + i, end ? (size_t)(end - bytes) - i : size - i);
}

/* The header block of the message has just ended. */
static void take_length(struct mbox *m)
{
	const struct parser *r = m->parser;
	struct mime *mime = m->mime;
	mime->header_done = false;
	if (!mime->content.has_length || r->options.kind != URLSIFT_KIND_MBOX || mime->content.length > UINT64_MAX / 2)
		return;
	uint64_t end = mime->body_at + mime->content.length;
	if (r->options.content_length == URLSIFT_LENGTH_BELIEVED
	    || (r->options.content_length == URLSIFT_LENGTH_PROBED && ends_at(r, end)))
		m->verbatim = end;
}

/* ---- Messages ---- */

static void remember(struct mbox *m, const uint8_t *p, size_t n)
{
	for (size_t i = n > 3 ? n - 3 : 0; i < n; i++) {
		m->tail[0] = m->tail[1];
		m->tail[1] = m->tail[2];
		m->tail[2] = p[i];
	}
}

static void end_message(struct mbox *m)
{
	if (m->open)
		mime_finish(m->mime);
	m->open = false;
}

/* False when the message is not to be read any more. */
static bool begin_message(struct mbox *m, uint64_t at)
{
	struct parser *r = m->parser;
	end_message(m);
	if (r->options.stop && at >= r->options.stop) {
		m->stopped = at;
		m->stop = true;
		return false;
	}
	if (!m->messages++)
		m->began = at;
	r->message.offset = at;
	r->message.index = m->messages - 1;
	m->open = true;
	m->verbatim = 0;
	mime_begin(m->mime);
	return true;
}

static bool is_mark(uint8_t c) { return c == 0xEF || c == 0xBB || c == 0xBF; } /* of a byte order mark */

/* Bytes of no message: before the first From_ line that is wanted, and a byte order mark and
 * blank lines before a message. */
static size_t passed_over(const struct mbox *m, const uint8_t *p, size_t n)
{
	size_t i = 0;
	if (m->skipping)
		return n;
	while (!m->open && i < n && (p[i] == '\n' || p[i] == '\r' || is_mark(p[i])))
		i++;
	return i;
}

/* Bytes that stand at `at` and separate nothing. */
static void take(struct mbox *m, const uint8_t *p, size_t n, uint64_t at)
{
	size_t over = passed_over(m, p, n);
	parser_take(m->parser, p, over);
	if (over < n && (m->open || begin_message(m, at + over))) {
		mime_feed(m->mime, p + over, n - over, at + over);
		if (m->mime->header_done)
			take_length(m);
	}
	remember(m, p, n);
}

/* ---- Lines ---- */

static unsigned wanted_lines(const struct mbox *m)
{
	switch (m->parser->options.kind) {
	case URLSIFT_KIND_MBOX:
		return LINE_FROM | LINE_QUOTED;
	case URLSIFT_KIND_MMDF:
		return LINE_SOH;
	default:
		return m->open ? 0 : LINE_FROM;
	}
}

static bool may_count(const struct mbox *m, uint8_t first)
{
	unsigned wanted = wanted_lines(m);
	return (first == 'F' && wanted & LINE_FROM) || (first == '>' && wanted & LINE_QUOTED) || (first == 1 && wanted & LINE_SOH);
}

/* Whether the line at `at` separates: it is taken then. */
static bool separate(struct mbox *m, const struct line *line, uint64_t at)
{
	struct parser *r = m->parser;
	size_t n = line->length;
	if (line->p[0] == 1) {
		if (!is_mmdf(line->p, n))
			return false;
		end_message(m);
	} else {
		bool blank = behind_blank(m) || (m->verbatim && at == m->verbatim);
		if (line->p[0] != 'F' || !blank || !mbox_is_from(line->p, n))
			return false;
		if (m->skipping && at < r->options.start)
			return false;
		m->skipping = false;
		if (!begin_message(m, at))
			return true;
	}
	parser_take(r, line->p, n);
	remember(m, line->p, n);
	return true;
}

/* How many bytes of a line that separates nothing are left out: RFC 4155's
 * "mboxrd" put a mark there when it was written. */
static size_t quoting(const struct mbox *m, const uint8_t *line, size_t n)
{
	return m->mime->state != MIME_HEADER && is_quoted_from(line, n < MBOX_LINE_MAX ? n : MBOX_LINE_MAX);
}

/* What is held is no more than text. */
static void let_go(struct mbox *m, size_t n)
{
	size_t mark = quoting(m, m->held, n);
	m->hold.length = 0;
	m->line_start = m->held[n - 1] == '\n';
	take(m, m->held + mark, n - mark, m->at - n + mark);
}

/* A line that begins at p, or with what is held, and may count.  Returns the bytes
 * of p that are done with. */
static size_t take_line(struct mbox *m, const uint8_t *p, size_t n)
{
	struct line line;
	size_t held = m->hold.length;
	enum line_held have = line_gather(&m->hold, p, n, &line);
	if (have == LINE_MORE)
		return n;
	if (have == LINE_WHOLE && separate(m, &line, m->at - held)) {
		m->hold.length = 0;
		return line.taken;
	}
	if (!held) {
		m->line_start = false;
		return quoting(m, p, have == LINE_WHOLE ? line.length : n);
	}
	size_t taken = have == LINE_WHOLE ? line.taken : 0;
	m->at += taken;
	let_go(m, m->hold.length);
	m->at -= taken;
	return taken;
}

/* Whether a line that begins at p and may count looks as if it did, or is cut. */
static bool counts(const uint8_t *p, size_t n, bool blank_before)
{
	if (n < MBOX_LINE_MAX && !memchr(p, '\n', n))
		return true;
	return *p == 'F' ? blank_before && n >= 5 && !memcmp(p, "From ", 5)
	                 : *p != '>' || is_quoted_from(p, n < MBOX_LINE_MAX ? n : MBOX_LINE_MAX);
}

/* Where the header block ends in p, behind its blank line; n when it does not. */
static size_t header_end(const struct mbox *m, const uint8_t *p, size_t n)
{
	const uint8_t *t = m->tail;
	if (p[0] == '\n' && (t[2] == '\n' || (t[2] == '\r' && t[1] == '\n')))
		return 1;
	if (n > 1 && t[2] == '\n' && p[0] == '\r' && p[1] == '\n')
		return 2;
	size_t i = m->parser->simd->line_blank(p, n);
	return i == n ? n : i + (p[i + 1] == '\n' ? 2 : 3);
}

/* Text up to the next line that counts; returns how much. */
static size_t take_stretch(struct mbox *m, const uint8_t *p, size_t n)
{
	unsigned wanted = wanted_lines(m);
	size_t k = wanted ? 0 : n;
	if (m->at < m->verbatim) {
		k = m->verbatim - m->at < n ? (size_t)(m->verbatim - m->at) : n;
	} else if (m->next_line > m->at) {
		k = m->next_line - m->at < n ? (size_t)(m->next_line - m->at) : n;
	} else if (wanted) {
		while ((k = m->parser->simd->line_find(p, k, n, wanted)) < n) {
			k++;
			/* too near the front to tell: looked at again as a line */
			bool blank = k < 3 || p[k - 2] == '\n' || (p[k - 2] == '\r' && p[k - 3] == '\n');
			if (counts(p + k, n - k, blank))
				break;
		}
	}
	m->next_line = m->at + k;
	/* which lines count behind the header block may be said in it */
	if (m->parser->options.content_length && m->open && m->mime->top && m->mime->state == MIME_HEADER)
		k = header_end(m, p, k);
	m->line_start = p[k - 1] == '\n';
	take(m, p, k, m->at);
	return k;
}

void mbox_begin(struct mbox *m, struct parser *r, struct mime *mime)
{
	*m = (struct mbox){.parser = r, .mime = mime, .line_start = true};
	m->hold = (struct line_hold){m->held, MBOX_LINE_MAX, 0};
	m->at = m->stopped = m->began = r->options.offset;
	m->skipping = r->options.resync;
	if (!r->options.resync || !r->options.offset)
		memset(m->tail, '\n', sizeof m->tail);
}

void mbox_feed(struct mbox *m, const uint8_t *p, size_t n)
{
	while (n && !m->stop && parser_ok(m->parser)) {
		bool counts = m->hold.length || (m->line_start && m->at >= m->verbatim && may_count(m, p[0]));
		size_t done = counts ? take_line(m, p, n) : take_stretch(m, p, n);
		p += done;
		n -= done;
		m->at += done;
	}
}

void mbox_finish(struct mbox *m)
{
	size_t held = m->hold.length;
	if (held && parser_ok(m->parser) && !m->stop && !separate(m, &(struct line){m->held, held, 0}, m->at - held))
		let_go(m, held);
	if (!m->stop && parser_ok(m->parser)) {
		end_message(m);
		m->stopped = m->at;
	}
}
