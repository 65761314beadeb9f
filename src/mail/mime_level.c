#include "mime_steps.h"

#include <string.h>

/* ---- Levels ---- */

static size_t keep(struct mime *m, const void *bytes, size_t n)
{
	size_t at = m->strings.length;
	if (n && !buf_add(&m->strings, bytes, n))
		reading_fail(m->reading, URLSIFT_NO_MEMORY);
	return at;
}

/* The entity's children follow.  False past the limit. */
bool mime_push_level(struct mime *m, uint64_t at, bool message)
{
	struct reading *r = m->reading;
	const struct body *e = &m->body;
	if (m->depth >= r->options.max_depth) {
		reading_limit(r, "mime-depth", r->options.max_depth, at);
		return false;
	}
	struct level *l = &m->levels[m->depth];
	*l = (struct level){.strings = m->strings.length, .path_length = m->path_length, .message = message};
	if (!message) {
		l->boundary_length = e->type.boundary_length;
		l->boundary = keep(m, e->type.boundary, l->boundary_length);
		l->digest = !strcmp(e->type.subtype, "digest");
		l->alternative = strcmp(e->type.subtype, "alternative") ? 0 : ++m->reading->alternatives;
	}
	l->base_length = e->base_length;
	l->base = keep(m, e->base, e->base_length);
	m->depth++;
	m->delimited += !message;
	return true;
}

static void pop_level(struct mime *m)
{
	const struct level *l = &m->levels[--m->depth];
	m->strings.length = l->strings;
	m->delimited -= !l->message;
}

/* ---- Delimiters (RFC 2046 section 5.1.1) ---- */

/* Whether a line is a delimiter of a level that is open, the deepest first. */
bool mime_find_delimiter(const struct mime *m, const uint8_t *p, size_t n, struct delimiter *d)
{
	if (n < 3 || p[0] != '-' || p[1] != '-' || m->plain)
		return false;
	while (n > 2 && (p[n - 1] == '\n' || p[n - 1] == '\r' || p[n - 1] == ' ' || p[n - 1] == '\t'))
		n--;
	p += 2;
	n -= 2;
	for (size_t i = m->depth; i--;) {
		const struct level *l = &m->levels[i];
		size_t k = l->boundary_length;
		if (!k || l->ended || k > n || memcmp(p, m->strings.data + l->boundary, k))
			continue;
		d->last = n == k + 2 && p[k] == '-' && p[k + 1] == '-';
		d->level = i;
		if (n == k || d->last)
			return true;
	}
	return false;
}

/* All that is open behind `depth` levels ends. */
void mime_close_to(struct mime *m, size_t depth)
{
	if (m->state == MIME_PREAMBLE && m->depth > depth) {
		reading_damage(m->reading, "no delimiter of a multipart was found: it is read as plain text", 1, m->preamble_at);
		mime_read_preamble(m);
	}
	if (m->state == MIME_LEAF || m->state == MIME_REST)
		mime_finish_leaf(m);
	m->preamble.length = 0;
	while (m->depth > depth)
		pop_level(m);
}

void mime_take_delimiter(struct mime *m, const struct delimiter *d, uint64_t behind)
{
	struct reading *r = m->reading;
	struct level *l = &m->levels[d->level];
	mime_close_to(m, d->level + 1);
	m->state = MIME_EPILOGUE;
	l->started = true;
	l->ended = d->last;
	if (l->ended)
		return;
	l->children++;
	m->message = false;
	m->top = false;
	m->path_length = mime_append_number(m->path, l->path_length, l->children);
	if (m->parts++ < r->options.max_parts) {
		mime_begin_header(m);
		return;
	}
	reading_limit(r, "parts", r->options.max_parts, behind);
	m->plain = true;
	mime_begin_plain(m, behind);
}
