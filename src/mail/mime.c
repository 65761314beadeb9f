#include "mime_steps.h"

#include "line_find.h"

#include <string.h>

/* ---- Bodies ---- */

/* The line whose beginning is held goes on at p.  Returns the bytes of p that are done with. */
static size_t feed_held(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	struct line line;
	struct delimiter d;
	enum line_held have = line_gather(&m->hold, p, n, &line);
	if (have == LINE_MORE)
		return n;
	size_t length = m->hold.length, taken = have == LINE_WHOLE ? line.taken : 0;
	m->hold.length = 0;
	if (have == LINE_WHOLE && mime_find_delimiter(m, m->held, length, &d)) {
		reading_take(m->reading, m->held, length);
		mime_take_delimiter(m, &d, at + taken);
		return taken;
	}
	m->line_start = have == LINE_WHOLE;
	mime_leaf_bytes(m, m->held, length, m->held_at);
	return taken;
}

/* Text up to a delimiter, and that with it; or up to a line that may be one and is cut. */
static size_t feed_stretch(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	struct line line;
	struct delimiter d;
	size_t i = 0;
	while (i < n) {
		if (m->line_start && p[i] == '-') {
			enum line_held have = line_gather(&m->hold, p + i, n - i, &line);
			bool found = have == LINE_WHOLE && mime_find_delimiter(m, line.p, line.length, &d);
			if (have == LINE_MORE || found)
				mime_leaf_bytes(m, p, i, at);
			if (have == LINE_MORE) {
				m->held_at = at + i;
				return n;
			}
			if (found) {
				reading_take(m->reading, line.p, line.length);
				mime_take_delimiter(m, &d, at + i + line.taken);
				return i + line.taken;
			}
		}
		i = line_find(p, i, n, LINE_HYPHEN);
		m->line_start = i < n;
		i += i < n;
	}
	m->line_start = p[n - 1] == '\n';
	mime_leaf_bytes(m, p, n, at);
	return n;
}

static size_t feed_body(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	if (m->hold.length)
		return feed_held(m, p, n, at);
	if (m->delimited && !m->plain)
		return feed_stretch(m, p, n, at);
	m->line_start = p[n - 1] == '\n';
	mime_leaf_bytes(m, p, n, at);
	return n;
}

/* ---- The interface ---- */

struct mime *mime_new(struct reading *r, unsigned nesting)
{
	struct mime *m = alloc_get(r->alloc, sizeof *m);
	if (!m)
		return NULL;
	m->reading = r;
	m->nesting = nesting;
	m->hold = (struct line_hold){m->held, BOUNDARY_LINE_MAX, 0};
	buf_init(&m->strings, r->alloc, DEPTH_MAX * 2 * (size_t)PARAMETER_MAX);
	buf_init(&m->block, r->alloc, HEADER_MAX);
	buf_init(&m->spill, r->alloc, HEADER_MAX);
	buf_init(&m->preamble, r->alloc, PREAMBLE_MAX);
	part_init(&m->part, r);
	fields_init(&m->fields, r);
	return m;
}

void mime_free(struct mime *m)
{
	while (m) {
		struct mime *inner = m->inner;
		const urlsift_allocator *alloc = m->reading->alloc;
		buf_fini(&m->strings);
		buf_fini(&m->block);
		buf_fini(&m->spill);
		buf_fini(&m->preamble);
		part_fini(&m->part);
		fields_fini(&m->fields);
		alloc_put(alloc, m->block_out);
		alloc_put(alloc, m);
		m = inner;
	}
}

void mime_begin(struct mime *m)
{
	m->depth = m->delimited = m->within_count = 0;
	m->strings.length = m->preamble.length = m->hold.length = 0;
	m->path_length = m->parts = 0;
	m->message = true;
	m->top = m->nesting == 0;
	m->plain = m->header_done = false;
	m->leaf = LEAF_SKIPPED;
	if (m->top) {
		seen_reset(&m->reading->seen);
		m->reading->seen_full = false;
		m->reading->alternatives = 0;
	}
	mime_begin_header(m);
}

void mime_feed(struct mime *m, const uint8_t *p, size_t n, uint64_t at)
{
	while (n && reading_ok(m->reading)) {
		size_t k;
		switch (m->state) {
		case MIME_HEADER: k = mime_feed_header(m, p, n, at); break;
		case MIME_REST:   k = mime_feed_rest(m, p, n, at); break;
		default:          k = feed_body(m, p, n, at); break;
		}
		p += k;
		n -= k;
		at += k;
		m->next = at;
	}
}

static void finish_line(struct mime *m)
{
	struct delimiter d;
	size_t n = m->hold.length;
	m->hold.length = 0;
	if (mime_find_delimiter(m, m->held, n, &d))
		mime_take_delimiter(m, &d, m->held_at + n);
	else
		mime_leaf_bytes(m, m->held, n, m->held_at);
}

void mime_finish(struct mime *m)
{
	while (reading_ok(m->reading) && (m->state == MIME_HEADER || m->hold.length))
		if (m->state == MIME_HEADER)
			mime_finish_header(m);
		else
			finish_line(m);
	mime_close_to(m, 0);
}

size_t mime_memory_bound(void)
{
	size_t one = sizeof(struct mime) + DEPTH_MAX * 2 * (size_t)PARAMETER_MAX + 2 * (size_t)HEADER_MAX + PREAMBLE_MAX
	             + DECODED_BLOCK + part_memory_bound() + text_memory_bound();
	return (NESTED_MAX + 1) * one;
}
