#include "path.h"
#include "url.h"

#include <stdbool.h>

/* A text in two pieces, read as one: what stays of the base, and the reference. */
struct joined {
	const char *head, *tail;
	size_t head_length, length;
};

static char at(const struct joined *j, size_t i)
{
	return i < j->head_length ? j->head[i] : j->tail[i - j->head_length];
}

static void put_range(struct sink *s, const struct joined *j, size_t from, size_t to)
{
	if (from < j->head_length)
		sink_bytes(s, j->head + from, (to < j->head_length ? to : j->head_length) - from);
	if (from < j->head_length)
		from = j->head_length;
	if (from < to)
		sink_bytes(s, j->tail + (from - j->head_length), to - from);
}

/* ---- Dots ------------------------------------------------------------------ */

/* Walks over the segments of a path from the right, where `..` is a debt that
 * the segments left of it pay: linear, and with nothing to keep. */
struct walk {
	const struct joined *path;
	size_t begin, end; /* what is still to be walked */
	size_t debt;
	urlsift_resolution rules;
	bool begun;
};

/* 1 for `.` and 2 for `..`, else 0. */
static unsigned dots_in(const struct joined *j, size_t from, size_t to)
{
	size_t n = to - from;
	return (n == 1 || n == 2) && at(j, from) == '.' && at(j, to - 1) == '.' ? (unsigned)n : 0;
}

/* The next segment that stays, with the slash before it. */
static bool walk_back(struct walk *w, size_t *from, size_t *to)
{
	while (w->end > w->begin) {
		bool last = !w->begun;
		w->begun = true;
		*to = *from = w->end;
		do
			--*from;
		while (*from > w->begin && at(w->path, *from) != '/');
		w->end = *from;
		size_t name = *from + (at(w->path, *from) == '/');
		unsigned dots = dots_in(w->path, name, *to);
		/* RFC 1630 has no word for a last `..` */
		if (last && dots == 2 && w->rules == URLSIFT_RESOLVE_RFC1630)
			return true;
		if (dots == 2)
			w->debt++;
		if (last && dots && w->rules == URLSIFT_RESOLVE_RFC3986) {
			*to = name; /* the slash stays */
			return true;
		}
		if (dots)
			continue;
		if (w->debt == 0)
			return true;
		w->debt--;
	}
	return false;
}

/* Writes a path without its dots.  `absolute` tells that an authority stands
 * before it: without one a path with two slashes at its start would read as one
 * (RFC 3986 section 3.3). */
static void put_path(struct sink *s, const struct walk *whole, bool absolute)
{
	size_t from, to, length = 0, count = 0;
	bool slash = false;
	struct walk w = *whole;
	for (; walk_back(&w, &from, &to); count++) {
		length += to - from;
		slash = to - from == 1 && at(whole->path, from) == '/';
	}
	if (!absolute && count > 1 && slash)
		sink_bytes(s, "/.", 2);
	/* what RFC 1630 cannot take back stays */
	if (w.rules == URLSIFT_RESOLVE_RFC1630)
		while (w.debt-- > 0)
			sink_bytes(s, "/..", 3);
	size_t stop = s->used + length, place = stop;
	for (w = *whole; walk_back(&w, &from, &to);) {
		place -= to - from;
		s->used = place;
		put_range(s, whole->path, from, to);
	}
	s->used = stop;
}

/* ---- RFC 3986 section 5.2 --------------------------------------------------- */

static void put_part(struct sink *s, const char *before, const urlsift_url *url, urlsift_component part, const char *behind)
{
	if (!part.present)
		return;
	sink_bytes(s, before, strlen(before));
	sink_bytes(s, url->text + part.offset, part.length);
	sink_bytes(s, behind, strlen(behind));
}

/* Section 5.2.3. */
static struct joined merge(const urlsift_url *base, const urlsift_url *reference)
{
	const char *path = base->text + base->path.offset;
	size_t n = base->path.length, tail = reference->path.length;
	struct joined j = { path, reference->text + reference->path.offset, 0, 0 };
	if (tail && *j.tail != '/') {
		while (n > 0 && path[n - 1] != '/')
			n--;
		j.head_length = n;
		if (base->authority.present && base->path.length == 0) {
			j.head = "/";
			j.head_length = 1;
		}
	}
	j.length = j.head_length + tail;
	return j;
}

/* Section 5.2.4, steps A and D: where a path begins behind dots without a slash. */
static size_t skip_dots(const struct joined *j)
{
	size_t i = 0;
	for (;;) {
		size_t name = i;
		while (i < j->length && i - name < 3 && at(j, i) != '/')
			i++;
		if (!dots_in(j, name, i) || (i < j->length && at(j, i) != '/'))
			return name;
		i += i < j->length;
	}
}

size_t resolve_rfc3986(const urlsift_url *base, const urlsift_url *reference, char *out, size_t size)
{
	struct sink s = { out, size, 0 };
	bool own_path = reference->scheme.present || reference->authority.present || reference->path.length > 0;
	const urlsift_url *scheme = reference->scheme.present ? reference : base;
	const urlsift_url *authority = scheme == reference || reference->authority.present ? reference : base;
	const urlsift_url *query = own_path || reference->query.present ? reference : base;
	put_part(&s, "", scheme, scheme->scheme, ":");
	put_part(&s, "//", authority, authority->authority, "");
	if (own_path) {
		struct joined path = merge(base, reference);
		if (authority == reference) {
			path.head_length = 0;
			path.length = reference->path.length;
		}
		struct walk whole = { &path, skip_dots(&path), path.length, 0, URLSIFT_RESOLVE_RFC3986, false };
		put_path(&s, &whole, authority->authority.present);
	} else {
		sink_bytes(&s, base->text + base->path.offset, base->path.length);
	}
	put_part(&s, "?", query, query->query, "");
	put_part(&s, "#", reference, reference->fragment, "");
	return s.used;
}

/* ---- RFC 1630, "Partial (relative) form" ------------------------------------ */

/* Where the first run of exactly n slashes stands that has no longer run right of
 * it; `end` where there is none.  For one slash the RFC's table takes the first
 * such run, whatever is right of it: `/g` against `magic://a/b/c//d/e/f` gives
 * `magic://a/g`. */
static size_t find_run(const char *text, size_t end, size_t n)
{
	size_t found = end;
	for (size_t i = 0, run; i < end; i += run + (run == 0)) {
		for (run = 0; i + run < end && text[i + run] == '/'; run++)
			;
		if (run == n && found == end)
			found = i;
		else if (run > n && n > 1)
			found = end;
	}
	return found;
}

/* How much of the base's text stays before a reference that begins with n slashes. */
static size_t kept_of(const urlsift_url *base, size_t n)
{
	size_t scheme = base->scheme.present ? base->scheme.length + 1 : 0;
	size_t end = base->path.offset + base->path.length; /* what is searched has no slashes that count */
	if (n > 0) {
		size_t place = find_run(base->text, end, n);
		if (place < end)
			return place;
		return n == 1 && base->authority.present ? base->path.offset : scheme;
	}
	while (end > base->path.offset && base->text[end - 1] != '/')
		end--;
	return end;
}

/* Behind the scheme and the authority, which are no elements of the path. */
static size_t path_begin(const struct joined *j, size_t scheme)
{
	size_t i = scheme;
	if (j->length - i < 2 || at(j, i) != '/' || at(j, i + 1) != '/')
		return i;
	for (i += 2; i < j->length && at(j, i) != '/'; i++)
		;
	return i;
}

size_t resolve_rfc1630(const urlsift_url *base, const urlsift_url *reference, char *out, size_t size)
{
	struct sink s = { out, size, 0 };
	const char *text = reference->text;
	size_t length = reference->path.offset + reference->path.length, slashes = 0;
	while (slashes < length && text[slashes] == '/')
		slashes++;
	if (reference->scheme.present) {
		sink_bytes(&s, text, reference->length);
		return s.used;
	}
	if (length == 0 && !reference->query.present) {
		/* a fragment alone is of the object itself */
		sink_bytes(&s, base->text, base->length - (base->fragment.present ? base->fragment.length + 1 : 0));
	} else {
		struct joined whole = { base->text, text, kept_of(base, slashes), 0 };
		whole.length = whole.head_length + length;
		size_t begin = path_begin(&whole, base->scheme.present ? base->scheme.length + 1 : 0);
		if (slashes == 0 && base->authority.present && base->path.length == 0) {
			sink_bytes(&s, base->text, base->path.offset);
			whole = (struct joined){ "/", text, 1, 1 + length };
			begin = 0;
		}
		put_range(&s, &whole, 0, begin);
		/* without slashes there is no hierarchy */
		if (begin < whole.length && at(&whole, begin) == '/')
			put_path(&s, &(struct walk){ &whole, begin, whole.length, 0, URLSIFT_RESOLVE_RFC1630, false }, true);
		else
			put_range(&s, &whole, begin, whole.length);
	}
	sink_bytes(&s, text + length, reference->length - length);
	return s.used;
}
