#include "link.h"
#include "simd/simd.h"
#include "url/url.h"

#include <string.h>

static bool has_odd_text(const struct urlsift_link *l)
{
	if (!link_is_odd(l->text, l->length))
		return false;
	const uint8_t *fragment = memchr(l->text, '#', l->length);
	size_t before = fragment ? (size_t)(fragment - l->text) : 0;
	return !fragment || link_is_odd(l->text, before) || link_is_odd(fragment, l->length - before);
}

/* Whether its host, which ends before p[head], is too long for one label or ends with
 * what may be a number. */
static bool has_odd_host(const struct urlsift_link *l, size_t head)
{
	const uint8_t *begin = l->text + l->scheme_length + 3, *end = l->text + head, *label = end;
	while (label > begin && label[-1] != '.')
		label--;
	return end - begin > IDNA_LABEL_MAX || label == end || !is_alpha(*label);
}

/* Whether a byte may stand in a plain link, or besides: in brackets and lists. */
static bool is_plain(uint8_t c)
{
	return plain_kinds[c] & PLAIN_INNER || c == '(' || c == ')' || c == ',' || c == ';';
}

/* The head (link.h) of a link that was read in another way, if it might as well be plain. */
static size_t find_head(const struct urlsift_link *l)
{
	const uint8_t *p = l->text;
	size_t n = l->scheme_length, i = n + 3; /* behind `://` */
	if (n < 3 || n > 5)
		return 0;
	if (*l->supplied || l->resolved.length || l->length <= i || l->flags & (URLSIFT_SCHEME_JOINED | URLSIFT_TRUNCATED))
		return 0;
	if (memcmp(p, n == 3 ? "ftp://" : n == 4 ? "http://" : "https://", i) != 0)
		return 0;
	while (i < l->length && plain_kinds[p[i]] & PLAIN_HOST)
		i++;
	size_t head = i < l->length && p[i] != '/' && p[i] != '?' ? 0 : i;
	for (; head && i < l->length; i++)
		if (!is_plain(p[i]))
			return 0;
	return head;
}

bool link_stands(const struct urlsift_link *link)
{
	struct urlsift_link *l = (struct urlsift_link *)link; /* only to remember the answer */
	if (l->stands == STANDS_UNKNOWN) {
		l->head = l->head ? l->head : find_head(l);
		bool odd = !l->head || l->length > WARN_LENGTH_MAX || has_odd_text(l) || has_odd_host(l, l->head);
		l->stands = odd ? STANDS_NOT : STANDS;
	}
	return l->stands == STANDS;
}
