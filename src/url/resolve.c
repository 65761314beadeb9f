#include "path.h"
#include "url.h"

/* ---- RFC 3986 section 5.2 --------------------------------------------------- */

static void put_part(struct sink *s, const char *before, const urlsift_url *url, urlsift_component part,
                     const char *after)
{
	if (!part.present)
		return;
	sink_bytes(s, before, strlen(before));
	sink_bytes(s, url->text + part.offset, part.length);
	sink_bytes(s, after, strlen(after));
}

/* The bytes of a path up to its last slash, with that. */
static size_t folder_length(const char *path, size_t n) { return byte_last((const uint8_t *)path, 0, n, '/'); }

/* Section 5.2.3. */
static struct path merge(const urlsift_url *base, const urlsift_url *reference)
{
	const char *path = base->text + base->path.offset;
	size_t tail = reference->path.length;
	struct path j = { path, reference->text + reference->path.offset, 0, 0 };
	if (tail && *j.tail != '/') {
		j.head_length = folder_length(path, base->path.length);
		if (base->authority.present && base->path.length == 0) {
			j.head = "/";
			j.head_length = 1;
		}
	}
	j.length = j.head_length + tail;
	return j;
}

/* The first slash from i on, or the end. */
static size_t segment_end(const struct path *j, size_t i)
{
	while (i < j->length && path_at(j, i) != '/')
		i++;
	return i;
}

/* Section 5.2.4, steps A and D: where a path begins after dot segments without a slash before them. */
static size_t skip_dots(const struct path *j)
{
	size_t name = 0;
	for (size_t end; path_dots(j, name, end = segment_end(j, name), false); name = end + (end < j->length))
		;
	return name;
}

size_t resolve_rfc3986(const urlsift_url *base, const urlsift_url *reference, char *out, size_t size)
{
	struct sink s = { .out = out, .size = size };
	bool own_path = reference->scheme.present || reference->authority.present || reference->path.length > 0;
	const urlsift_url *scheme = reference->scheme.present ? reference : base;
	const urlsift_url *authority = scheme == reference || reference->authority.present ? reference : base;
	const urlsift_url *query = own_path || reference->query.present ? reference : base;
	put_part(&s, "", scheme, scheme->scheme, ":");
	put_part(&s, "//", authority, authority->authority, "");
	if (own_path) {
		struct path path = merge(base, reference);
		if (authority == reference) {
			path.head_length = 0;
			path.length = reference->path.length;
		}
		path_put_dotless(&s, &path, skip_dots(&path), authority->authority.present ? DOTS_AUTHORITY : 0, path_put);
	} else {
		sink_bytes(&s, base->text + base->path.offset, base->path.length);
	}
	put_part(&s, "?", query, query->query, "");
	put_part(&s, "#", reference, reference->fragment, "");
	return s.used;
}

/* ---- RFC 1630, "Partial (relative) form" ------------------------------------ */

/* The first run of exactly n slashes that has no longer run to its right; `end` where there is none.  For one slash the
 * RFC's table takes the first run, whatever is to its right: `/g` against `magic://a/b/c//d/e/f` is `magic://a/g`. */
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

/* The length of the base's text that precedes a reference with n slashes at its start. */
static size_t kept_of(const urlsift_url *base, size_t n)
{
	size_t end = base->path.offset + base->path.length; /* slashes of a search do not count */
	if (n == 0)
		return base->path.offset + folder_length(base->text + base->path.offset, base->path.length);
	size_t place = find_run(base->text, end, n);
	if (place < end)
		return place;
	return n == 1 && base->authority.present ? base->path.offset : url_scheme_end(base);
}

/* After the scheme and the authority, which are not elements of the path. */
static size_t path_begin(const struct path *j, size_t scheme)
{
	bool authority = j->length - scheme >= 2 && path_at(j, scheme) == '/' && path_at(j, scheme + 1) == '/';
	return authority ? segment_end(j, scheme + 2) : scheme;
}

size_t resolve_rfc1630(const urlsift_url *base, const urlsift_url *reference, char *out, size_t size)
{
	struct sink s = { .out = out, .size = size };
	const char *text = reference->text;
	size_t length = reference->path.offset + reference->path.length;
	size_t slashes = byte_run((const uint8_t *)text, 0, length, '/');
	if (reference->scheme.present) {
		sink_bytes(&s, text, reference->length);
		return s.used;
	}
	if (length == 0 && !reference->query.present) {
		/* a fragment alone refers to the base itself */
		sink_bytes(&s, base->text, url_fragment_begin(base));
	} else {
		struct path whole = { base->text, text, kept_of(base, slashes), 0 };
		whole.length = whole.head_length + length;
		size_t begin = path_begin(&whole, url_scheme_end(base));
		if (slashes == 0 && base->authority.present && base->path.length == 0) {
			sink_bytes(&s, base->text, base->path.offset);
			whole = (struct path){ "/", text, 1, 1 + length };
			begin = 0;
		}
		path_put(&s, &whole, 0, begin);
		/* without slashes there is no hierarchy */
		if (begin < whole.length && path_at(&whole, begin) == '/')
			path_put_dotless(&s, &whole, begin, DOTS_AUTHORITY | DOTS_RFC1630, path_put);
		else
			path_put(&s, &whole, begin, whole.length);
	}
	sink_bytes(&s, text + length, reference->length - length);
	return s.used;
}
