#include "path.h"

void path_put(struct sink *s, const struct path *p, size_t from, size_t to)
{
	if (from < p->head_length)
		sink_bytes(s, p->head + from, smaller(to, p->head_length) - from);
	from = larger(from, p->head_length);
	sink_bytes(s, p->tail + (from - p->head_length), excess(to, from));
}

unsigned path_dots(const struct path *p, size_t from, size_t to, bool escaped)
{
	unsigned dots = 0;
	for (size_t i = from; i < to; dots++) {
		if (dots == 2)
			return 0;
		if (path_at(p, i) == '.')
			i++;
		else if (escaped && to - i >= 3 && path_at(p, i) == '%' && path_at(p, i + 1) == '2' &&
		         (path_at(p, i + 2) | 0x20) == 'e')
			i += 3;
		else
			return 0;
	}
	return dots;
}

/* A walk over the segments from right to left.  A `..` is counted and removes the next segment that stays: linear, and
 * without memory. */
struct dot_walk {
	const struct path *path;
	size_t begin, end; /* still to be walked */
	size_t removals;   /* segments that `..` removes */
	unsigned how;
	bool begun;
};

/* The next segment that stays, with the slash before it. */
static bool walk_back(struct dot_walk *w, size_t *from, size_t *to)
{
	while (w->end > w->begin) {
		bool last = !w->begun;
		w->begun = true;
		*to = *from = w->end;
		do
			--*from;
		while (*from > w->begin && path_at(w->path, *from) != '/');
		w->end = *from;
		size_t name = *from + (path_at(w->path, *from) == '/');
		unsigned dots = path_dots(w->path, name, *to, w->how & DOTS_ESCAPED);
		if (last && dots == 2 && w->how & DOTS_RFC1630)
			return true;
		w->removals += dots == 2;
		if (last && dots && !(w->how & DOTS_RFC1630)) {
			*to = name; /* the slash stays */
			return true;
		}
		if (dots)
			continue;
		if (w->removals == 0)
			return true;
		w->removals--;
	}
	return false;
}

static size_t segment_size(const struct path *p, size_t from, size_t to, path_writer *write)
{
	struct sink counter = { .out = NULL };
	write(&counter, p, from, to);
	return counter.used;
}

void path_put_dotless(struct sink *s, const struct path *p, size_t begin, unsigned how, path_writer *write)
{
	const struct dot_walk start = { .path = p, .begin = begin, .end = p->length, .how = how };
	size_t from = 0, to = 0, length = 0, count = 0;
	struct dot_walk w = start;
	bool empty = false; /* the first segment that stays */
	for (; walk_back(&w, &from, &to); count++) {
		length += segment_size(p, from, to, write);
		empty = to - from == 1 && path_at(p, from) == '/';
	}
	if (!(how & DOTS_AUTHORITY) && count > 1 && empty)
		sink_bytes(s, "/.", 2);
	if (how & DOTS_RFC1630)
		while (w.removals-- > 0)
			sink_bytes(s, "/..", 3);
	size_t stop = s->used + length, place = stop;
	for (w = start; walk_back(&w, &from, &to);) {
		place -= segment_size(p, from, to, write);
		s->used = place;
		write(s, p, from, to);
	}
	s->used = stop;
}
