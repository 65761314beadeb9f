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

/* The first slash from i on, or the end. */
static size_t segment_end(const struct path *j, size_t i)
{
	while (i < j->length && path_at(j, i) != '/')
		i++;
	return i;
}

size_t resolve_rfc3986(const urlsift_url *base, const urlsift_url *reference, unsigned dots, char *out, size_t size)
{
	struct sink s = { .out = out, .size = size };
	bool own_path = reference->scheme.present || reference->authority.present || reference->path.length > 0;
	const urlsift_url *scheme = reference->scheme.present ? reference : base;
	const urlsift_url *authority = scheme == reference || reference->authority.present ? reference : base;
	const urlsift_url *query = own_path || reference->query.present ? reference : base;
	put_part(&s, "", scheme, scheme->scheme, ":");
	put_part(&s, "//", authority, authority->authority, "");
	if (own_path) {
		struct path path = { base->text + base->path.offset, reference->text + reference->path.offset, 0, 0 };
		if (authority == base && *path.tail != '/') { /* section 5.2.3 */
			path.head_length = folder_length(path.head, base->path.length);
			if (base->authority.present && base->path.length == 0) {
				path.head = "/";
				path.head_length = 1;
			}
		}
		path.length = path.head_length + reference->path.length;
		/* section 5.2.4, steps A and D: dot segments without a slash before them */
		size_t begin = 0;
		for (size_t end; path_dots(&path, begin, end = segment_end(&path, begin), dots & DOTS_ESCAPED);)
			begin = end + (end < path.length);
		path_put_dotless(&s, &path, begin, dots | bits_if(authority->authority.present, DOTS_AUTHORITY), path_put);
	} else {
		sink_bytes(&s, base->text + base->path.offset, base->path.length);
	}
	put_part(&s, "?", query, query->query, "");
	put_part(&s, "#", reference, reference->fragment, "");
	return s.used;
}

/* ---- RFC 1630, "Partial (relative) form" ------------------------------------ */

/* The length of the base's text that precedes a reference with n slashes at its start: up to the first run of exactly n
 * slashes that has no longer run to its right.  For one slash the RFC's table takes the first run, whatever is to its
 * right: `/g` against `magic://a/b/c//d/e/f` is `magic://a/g`. */
static size_t kept_of(const urlsift_url *base, size_t n)
{
	size_t end = base->path.offset + base->path.length, place = end; /* slashes of a search do not count */
	if (n == 0)
		return base->path.offset + folder_length(base->text + base->path.offset, base->path.length);
	for (size_t i = 0, run; i < end; i += run + (run == 0)) {
		run = byte_run((const uint8_t *)base->text, i, end, '/') - i;
		if (run == n && place == end)
			place = i;
		else if (run > n && n > 1)
			place = end;
	}
	if (place < end)
		return place;
	return n == 1 && base->authority.present ? base->path.offset : url_scheme_end(base);
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
		/* after the scheme and the authority, which are not elements of the path */
		size_t begin = url_scheme_end(base);
		if (whole.length - begin >= 2 && path_at(&whole, begin) == '/' && path_at(&whole, begin + 1) == '/')
			begin = segment_end(&whole, begin + 2);
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
