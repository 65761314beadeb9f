#include "link.h"

#include "attribute.h"
#include "extent.h"
#include "text/unicode.h"
#include "url/url.h"

#include <string.h>

/* Whether the n bytes are `<`, `<URL:` or `](` of Markdown, with blanks: the text before them is shown for the link
 * after them. */
static bool is_opening(const uint8_t *p, size_t n)
{
	size_t i = 0;
	bool bracket = n && p[0] == ']';
	i += bracket;
	while (!bracket && i < n && is_blank(p[i]))
		i++;
	if (i >= n || p[i] != (bracket ? '(' : '<'))
		return false;
	i++;
	while (i < n && is_blank(p[i]))
		i++;
	if (!bracket && n - i >= 4 && ascii_begins(p + i, "url:", 4))
		i += 4;
	while (i < n && is_blank(p[i]))
		i++;
	return i == n;
}

static bool same_bytes(const uint8_t *a, size_t n, const uint8_t *b, size_t m)
{
	for (size_t i = 0; i < n && n == m; i++)
		if (to_lower(a[i]) != to_lower(b[i]))
			return false;
	return n == m;
}

static const uint8_t *without_www(const uint8_t *host, size_t *n)
{
	bool www = *n > 4 && same_bytes(host, 4, (const uint8_t *)"www.", 4);
	*n -= www ? 4 : 0;
	return host + (www ? 4 : 0);
}

/* The host in the text of a link or an address, without `www.` and a full stop at its end; *length is 0 for none. */
static const uint8_t *host_in(const uint8_t *p, size_t n, size_t *length)
{
	urlsift_url url;
	size_t begin = 0;
	while (begin + 2 < n && memcmp(p + begin, "://", 3) != 0)
		begin++;
	split_rest((const char *)p, n, begin + 2 < n ? begin + 3 : 0, true, &url);
	const uint8_t *host = p + url.host.offset;
	*length = url.host.length;
	while (*length && host[*length - 1] == '.')
		--*length;
	return without_www(host, length);
}

/* Whether a host has a spelling as A-labels other than its own. */
static bool has_other_spelling(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] >= 0x80 || p[i] == '%' || (n - i >= 4 && ascii_begins(p + i, "xn--", 4)))
			return true;
	return false;
}

/* Makes *p the host in A-labels, without `www.` and a full stop at its end.  False without memory. */
static bool make_comparable(const uint8_t **p, size_t *n, char room[256])
{
	enum idna idna = has_other_spelling(*p, *n) ? idna_to_ascii(*p, *n, room, n) : IDNA_NONE;
	if (idna >= IDNA_FOUND)
		*p = (const uint8_t *)room;
	*n -= *n && (*p)[*n - 1] == '.';
	*p = without_www(*p, n);
	return idna != IDNA_NO_MEMORY;
}

/* Whether the rest of a URL, [p, end), has the host as a host of its own: not as the end of a longer name or its
 * beginning. */
static bool names_host(const uint8_t *p, const uint8_t *end, const uint8_t *host, size_t n)
{
	host = without_www(host, &n);
	for (size_t i = 0, length = (size_t)(end - p); n && i + n <= length; i++) {
		bool escape = i > 2 && p[i - 3] == '%';
		bool begins = !i || escape || !(is_alnum(p[i - 1]) || p[i - 1] == '-');
		if (!begins || to_lower(p[i]) != to_lower(*host) || !same_bytes(p + i, n, host, n))
			continue;
		size_t k = i + n;
		bool label = k + 1 < length && p[k] == '.' && is_alnum(p[k + 1]); /* another one follows */
		if (k == length || !(is_alnum(p[k]) || p[k] == '-' || label))
			return true;
	}
	return false;
}

/* The warning for a link to the host `real` of a URL that ends at `end`, when another host, of n bytes, is shown. */
static unsigned compare_hosts(const uint8_t *shown, size_t n, const uint8_t *end, const uint8_t *real, size_t length)
{
	char first[256], second[256];
	const uint8_t *a = shown, *b = real;
	size_t a_length = n, b_length = length;
	if (!make_comparable(&a, &a_length, first) || !make_comparable(&b, &b_length, second))
		return URLSIFT_WARN_NO_MEMORY;
	/* the same but for `www.`, letter case, a full stop at the end and A-labels */
	if (same_bytes(a, a_length, b, b_length))
		return 0;
	bool redirect = n <= HOST_MAX && names_host(real + length, end, shown, n);
	return redirect ? URLSIFT_WARN_REDIRECT : URLSIFT_WARN_TEXT_MISMATCH;
}

unsigned mismatch_before(const struct view *v, size_t from, size_t floor, const struct urlsift_link *link)
{
	size_t begin = link_spans(link)[0].from, a, b;
	/* a link in its own brackets is not the text of another */
	if (begin - floor > 16 || v->p[floor - 1] == '>' || !is_opening(v->p + floor, begin - floor))
		return 0;
	if (floor - from == link->length && !memcmp(v->p + from, link->text, link->length))
		return 0;
	const uint8_t *shown = host_in(v->p + from, floor - from, &a), *real = host_in(link->text, link->length, &b);
	view_work(v, floor - from + link->length);
	return a && b && memchr(shown, '.', a) ? compare_hosts(shown, a, link->text + link->length, real, b) : 0;
}

/* ---- the text of an anchor ---- */

/* The host of the target; *n is 0 for none. */
static const uint8_t *target_host(const struct urlsift_link *l, size_t *n)
{
	urlsift_url url;
	bool resolved = l->resolved.length > 0;
	const uint8_t *text = resolved ? l->resolved.data : l->text;
	size_t length = resolved ? l->resolved.length : l->length;
	if (*l->supplied)
		return host_in(text, length, n);
	split_url((const char *)text, length, &url);
	*n = url.host.length;
	return text + url.host.offset;
}

/* The host that the word [i, end) names (S1, S2, or after `://`); false for none. */
static bool word_host(const struct view *v, size_t i, size_t end, bool alone, struct span *host)
{
	struct view word = *v;
	struct host h;
	size_t k = i, *begin = &host->from;
	word.end = end;
	while (k < end && view_word(&word, k, "://", 3) != YES)
		k++;
	*begin = i;
	if (k < end) {
		*begin = k + 3;
		for (size_t stop = *begin; stop < end && !strchr("/?#", v->p[stop]); stop++)
			if (v->p[stop] == '@')
				*begin = stop + 1;
	}
	if (host_read(&word, *begin, 0, &h) != YES)
		return false;
	host->to = h.end;
	if (k < end)
		return h.labels > 1;
	if (view_word(&word, i, "www.", 4) == YES)
		return h.labels > 2 && h.last_alpha;
	bool path = h.end < end && v->p[h.end] == '/';
	return alone && (path || h.end == end) && host_is_domain(v->p + i, h.end - i, path);
}

/* The end of the word at i; the next one begins at or after *next. */
static size_t word_end(const struct view *v, size_t i, size_t *next)
{
	uint32_t c;
	for (size_t k; i < v->end; i += k) {
		c = v->p[i];
		k = c < 0x80 ? 1 : utf8_next(v->p + i, v->end - i, &c);
		if (opening_is_space(c)) {
			*next = i + k;
			return i;
		}
	}
	*next = i;
	return i;
}

unsigned mismatch_shown(const uint8_t *shown, size_t n, const struct urlsift_link *link)
{
	struct view v = {.p = shown, .end = n, .first = true, .last = true};
	size_t words = 0, next, real_length;
	const uint8_t *real = target_host(link, &real_length);
	bool resolved = link->resolved.length > 0;
	const uint8_t *real_end = resolved ? link->resolved.data + link->resolved.length : link->text + link->length;
	if (!real_length)
		return 0;
#ifdef URLSIFT_COUNT_WORK
	uint64_t work = 0;
	v.work = &work;
#endif
	for (size_t i = 0; i < n; i = next)
		words += word_end(&v, i, &next) > i;
	for (size_t i = 0; i < n; i = next) {
		size_t end = word_end(&v, i, &next);
		struct span host;
		while (i < end && strchr("([{<\"'", v.p[i]))
			i++;
		while (end > i && strchr(")]}>\"'.,;:!?", v.p[end - 1]))
			end--;
		if (i == end || !word_host(&v, i, end, words == 1, &host))
			continue;
		unsigned warning = compare_hosts(shown + host.from, host.to - host.from, real_end, real, real_length);
		if (warning)
			return warning;
	}
	return 0;
}
