#include "mailbox.h"

#include "text/ascii.h"
#include "text/bits.h"
#include "text/bytes.h"

#include <string.h>

/* ---- Content-Length ---- */

/* The header block of the message has just ended: it says which lines separate from now on. */
static void take_header(struct mailbox *m)
{
	const struct parser *r = m->parser;
	struct mime *mime = m->mime;
	mime->header.done = false;
	m->digest = m->digest_begun || mime->header.digest;
	m->next_line = m->digest ? 0 : m->next_line;
	if (!mime->header.has_length || r->options.kind != URLSIFT_KIND_MBOX)
		return;
	uint64_t end = mime->header.body_at + mime->header.length;
	bool ends = r->options.content_length == URLSIFT_LENGTH_BELIEVED;
	if (r->options.content_length == URLSIFT_LENGTH_PROBED && r->options.probe) {
		/* a message could end there: a From_ line begins, blank lines before it or not, or the source ends */
		char bytes[SEPARATOR_LINE];
		long n = r->options.probe(r->options.probe_user, end, bytes, sizeof bytes);
		if (n > 0) {
			const uint8_t *p = (const uint8_t *)bytes;
			const size_t size = (size_t)n, i = byte_span(p, 0, smaller(size, 4), BYTE_LINE_END);
			ends = i == size || mailbox_from_at(p + i, size - i);
		} else {
			ends = n == 0 && r->options.probe(r->options.probe_user, end - 1, bytes, 1) == 1;
		}
	}
	m->verbatim = ends ? end : m->verbatim;
}

/* ---- Messages ---- */

static void remember(struct mailbox *m, const uint8_t *p, size_t n)
{
	for (size_t i = excess(n, 3); i < n; i++) {
		m->tail[0] = m->tail[1];
		m->tail[1] = m->tail[2];
		m->tail[2] = p[i];
	}
	m->line_start = n ? p[n - 1] == '\n' : m->line_start;
}

/* Whether messages are still read. */
static bool goes_on(const struct mailbox *m) { return !m->stop && parser_ok(m->parser); }

/* Whether the header block of the message is being read. */
static bool in_header(const struct mailbox *m) { return m->mime->top && m->mime->state == MIME_HEADER; }

static void end_message(struct mailbox *m)
{
	if (m->open)
		mime_finish(m->mime);
	m->open = false;
}

/* Whether a message at this offset is not to be read; those in a digest are read with it. */
static bool is_past(const struct mailbox *m, uint64_t at)
{
	uint64_t stop = m->parser->options.stop;
	return stop && at >= stop && !m->digest_begun;
}

/* False when the message is not to be read any more. */
static bool begin_message(struct mailbox *m, uint64_t at)
{
	struct parser *r = m->parser;
	end_message(m);
	if (is_past(m, at) && r->watch.reached)
		r->options.stop = r->watch.reached(r->watch.user, at);
	if (is_past(m, at)) {
		m->stopped = at;
		m->stop = true;
		return false;
	}
	parser_begin_message(r, at, r->at.line);
	r->place = (urlsift_place){.part = "", .type = ""}; /* a limit of its header is not of the message before */
	m->open = true;
	m->verbatim = 0;
	m->digest = false;
	mime_begin(m->mime, at);
	if (r->document)
		mime_begin_document(m->mime, at);
	return true;
}

/* A copy of the header block comes before all other text of the body (Babyl). */
static void look_for_body(struct mailbox *m, const uint8_t *p, size_t n)
{
	m->has_copy &= byte_span(p, 0, n, BYTE_LINE_END) == n;
}

/* Bytes at source offset `at` that separate nothing. */
static void take(struct mailbox *m, const uint8_t *p, size_t n, uint64_t at)
{
	if (m->has_copy && !in_header(m))
		look_for_body(m, p, n);
	/* of no message: what is before the first separator, and a byte order mark and blank lines before a message; a
	 * mark says the charset of a document */
	static const char blank[] = "\r\n\xEF\xBB\xBF";
	size_t over = m->skipping ? n : m->open ? 0 : byte_after(p, 0, n, m->parser->document ? "\r\n" : blank);
	parser_take(m->parser, p, over);
	if (over < n && (m->open || begin_message(m, at + over))) {
		mime_feed(m->mime, p + over, n - over, at + over);
		if (m->mime->header.done) {
			uint64_t body = m->mime->header.body_at; /* what is no field may have begun it before */
			size_t from = (size_t)beyond(body, at);
			m->has_copy &= m->text_end <= body;
			look_for_body(m, p + from, n - from);
			take_header(m);
		}
	}
	const size_t text = m->has_copy ? byte_span_back(p, 0, n, BYTE_LINE_END) : 0;
	m->text_end = text > 0 ? at + text : m->text_end;
	m->after_separator &= !n;
	remember(m, p, n);
}

/* ---- Separators ---- */

/* The input is one message or document, which has begun. */
static bool is_single(const struct mailbox *m)
{
	return m->open && (m->parser->options.kind == URLSIFT_KIND_MESSAGE || m->parser->document);
}

/* Whether a separator of the format may begin with the byte. */
static bool format_may_separate(const struct mailbox *m, uint8_t first)
{
	return !is_single(m) && is_of((char)first, m->format->first);
}

static bool may_separate(const struct mailbox *m, uint8_t first)
{
	return (m->digest && first == '-') || format_may_separate(m, first);
}

/* Reads the lines at p, which are at m->at in the source. */
static struct separator read_separator(const struct mailbox *m, const uint8_t *p, size_t n, bool last)
{
	struct separator s = {.found = SEPARATOR_NONE};
	struct separator_at at = {
		.p = p, .n = smaller(n, SEPARATOR_MAX), .last = last && n <= SEPARATOR_MAX,
		.after_blank = mailbox_after_blank(m->tail) || m->at == m->verbatim,
		.after_separator = m->after_separator, .in_header = m->mime->state == MIME_HEADER, .begun = m->has_copy
	};
	if (m->digest && *p == '-') {
		at.begun = m->digest_begun;
		mailbox_read_digest(&at, &s);
		at.begun = m->has_copy;
	}
	if (s.found == SEPARATOR_NONE && format_may_separate(m, *p))
		m->format->read(&at, &s);
	return s;
}

/* The separator s was read at p, which is at m->at. */
static void separate(struct mailbox *m, const struct separator *s, const uint8_t *p)
{
	m->digest_begun = s->digest;
	if (s->meaning == SEPARATOR_BEGINS) {
		m->skipping = false;
		m->has_copy = s->copy;
		if (!begin_message(m, m->at))
			return;
		m->verbatim = s->counted ? m->at + s->length + s->counted : 0;
		m->exact = s->counted;
	} else if (s->meaning == SEPARATOR_ENDS) {
		end_message(m);
		m->skipping = m->format->preamble;
	} else {
		m->copied = true;
		m->copied_line = m->parser->at.line;
		m->has_copy = false;
	}
	m->after_separator = true;
	parser_take(m->parser, p, s->length);
	remember(m, p, s->length);
	m->at += s->length;
}

/* What is held and the bytes at p were read as a separator, or not as one: either way they go on from the next line.
 * Returns how many bytes of p are done with. */
static size_t take_held(struct mailbox *m, const uint8_t *p, size_t n, bool last)
{
	uint8_t text[SEPARATOR_MAX];
	size_t held = m->held_length, more = smaller(n, SEPARATOR_MAX - held), length = held + more;
	memcpy(m->held + held, p, more);
	struct separator s = read_separator(m, m->held, length, last);
	if (s.found == SEPARATOR_CUT) {
		m->held_length = length;
		return more;
	}
	memcpy(text, m->held, length);
	m->held_length = 0;
	size_t used = s.length;
	if (s.found == SEPARATOR_FOUND) {
		separate(m, &s, text);
	} else {
		used = after_line(text, 0, length);
		parser_take(m->parser, text, s.length);
		take(m, text + s.length, used - s.length, m->at + s.length);
		m->at += used;
	}
	if (used < length && !m->stop)
		mailbox_feed(m, text + used, length - used); /* once: nothing is held now, and the rest is shorter */
	return more;
}

/* ---- Stretches ---- */

/* The bytes at p that end a blank line: LF, or CR LF whose CR may have come before; 0 for none. */
static size_t blank_end(const struct mailbox *m, const uint8_t *p, size_t n)
{
	const size_t size = sizeof m->tail;
	const bool after_line = text_ends(m->tail, size, "\n");
	if (p[0] == '\n')
		return after_line || text_ends(m->tail, size, "\n\r");
	return after_line && text_begins(p, n, "\r\n") ? 2 : 0;
}

/* Text up to the next line that may separate; returns how much. */
static size_t take_stretch(struct mailbox *m, const uint8_t *p, size_t n)
{
	uint64_t until = m->at < m->verbatim ? m->verbatim : m->next_line;
	size_t k = 0;
	if (until > m->at) {
		k = size_within(n, until - m->at);
	} else if (is_single(m) || m->format->lines) {
		unsigned lines = m->format->lines | bits_if(m->digest, LINE_HYPHEN); /* a single message has no others */
		k = lines ? m->parser->scan.simd->line_find(p, 0, n, lines) : n;
		k += k < n;
	} else {
		do
			k = after_line(p, k, n);
		while (k < n && !may_separate(m, p[k]));
	}
	m->next_line = m->at + k;
	if (!m->open ? !m->skipping : in_header(m)) { /* not beyond the blank line that ends the header block */
		const size_t blank = blank_end(m, p, k);
		if (blank) {
			k = blank;
		} else {
			const size_t i = m->parser->scan.simd->line_blank(p, k);
			k = i == k ? k : i + 3 - (p[i + 1] == '\n');
		}
	}
	take(m, p, k, m->at);
	m->at += k;
	m->line_start |= m->exact && m->at == m->verbatim;
	return k;
}

/* A copied header block, up to its blank line; with that when the first one had its own. */
static size_t take_copy(struct mailbox *m, const uint8_t *p, size_t n)
{
	size_t i = 0;
	for (bool blank = false; i < n && !blank;) {
		size_t length = after_line(p, i, n) - i;
		blank = blank_end(m, p + i, length) > 0;
		m->copied = !blank;
		if (blank && in_header(m)) {
			if (!m->line_start) {
				/* the CR that was copied last begins the blank line of the header block that is no copy */
				m->parser->at.line -= m->parser->options.positions != 0;
				m->parser->at.after_cr = false;
				m->tail[2] = m->tail[1];
				m->tail[1] = m->tail[0];
				take(m, (const uint8_t *)"\r", 1, m->at - 1);
			}
			break;
		}
		parser_take(m->parser, p + i, length);
		remember(m, p + i, length);
		i += length;
	}
	m->at += i;
	if (!m->copied && m->mime->top && !in_header(m))
		mime_skip_lines(m->mime, m->parser->at.line - m->copied_line, m->at);
	return i;
}

/* ---- The interface ---- */

void mailbox_begin(struct mailbox *m, struct parser *r, struct mime *mime)
{
	*m = (struct mailbox){.parser = r, .mime = mime, .format = &mailbox_formats[r->options.kind], .line_start = true};
	m->at = m->stopped = r->options.offset;
	mime->state = MIME_HEADER; /* whatever was read before */
	mime->top = false;
	m->skipping = m->format->preamble;
	memset(m->tail, '\n', sizeof m->tail);
}

void mailbox_feed(struct mailbox *m, const uint8_t *p, size_t n)
{
	for (size_t done; n && goes_on(m); p += done, n -= done) {
		if (m->held_length) {
			done = take_held(m, p, n, false);
			continue;
		}
		if (m->copied) {
			done = take_copy(m, p, n);
			continue;
		}
		struct separator s = {.found = SEPARATOR_NONE};
		if (m->line_start && m->at >= m->verbatim && may_separate(m, p[0]))
			s = read_separator(m, p, n, false);
		done = s.length;
		if (s.found == SEPARATOR_CUT) {
			memcpy(m->held, p, n);
			m->held_length = done = n;
		} else if (s.found == SEPARATOR_FOUND) {
			separate(m, &s, p);
		} else if (s.length) {
			parser_take(m->parser, p, s.length);
			m->line_start = false;
			m->at += s.length;
		} else {
			done = take_stretch(m, p, n);
		}
	}
}

void mailbox_finish(struct mailbox *m)
{
	while (m->held_length && goes_on(m))
		take_held(m, (const uint8_t *)"", 0, true);
	if (goes_on(m)) {
		if (m->parser->document && !m->open && m->at > 0)
			begin_message(m, m->at); /* a document of blank lines */
		end_message(m);
		m->stopped = m->at;
	}
}
