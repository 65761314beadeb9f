#include "link.h"
#include "plain_shape.h"
#include "url/url.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* What of a plain link's bytes a target changes, or what somebody should look at: escapes, `^`, a
 * `#` in a fragment; two hyphens, as A-labels have them.  Says it of `!` too, to be quick. */
static inline bool is_odd(uint8_t before, uint8_t c)
{
	return (c & 0xF9) == 0x21 || c == '^' || (c == '-' && before == '-');
}

/* Whether there is such a byte behind the first. */
static bool has_odd(const uint8_t *p, size_t n)
{
	size_t i = 1;
#if defined(__SSE2__)
	__m128i all = _mm_setzero_si128();
	for (; n - i >= 16; i = n - i < 32 && n - i > 16 ? n - 16 : i + 16) {
		__m128i before = _mm_loadu_si128((const __m128i *)(const void *)(p + i - 1));
		__m128i c = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
		__m128i hyphens = _mm_and_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8('-')), _mm_cmpeq_epi8(before, _mm_set1_epi8('-')));
		__m128i marks = _mm_cmpeq_epi8(_mm_and_si128(c, _mm_set1_epi8((char)0xF9)), _mm_set1_epi8(0x21));
		marks = _mm_or_si128(marks, _mm_cmpeq_epi8(c, _mm_set1_epi8('^')));
		all = _mm_or_si128(all, _mm_or_si128(hyphens, marks));
	}
	if (_mm_movemask_epi8(all))
		return true;
#endif
	for (; i < n; i++)
		if (is_odd(p[i - 1], p[i]))
			return true;
	return false;
}

static bool has_odd_text(const struct urlsift_link *l)
{
	if (!has_odd(l->text, l->length))
		return false;
	const uint8_t *fragment = memchr(l->text, '#', l->length);
	size_t before = fragment ? (size_t)(fragment - l->text) : 0;
	return !fragment || has_odd(l->text, before) || has_odd(fragment, l->length - before);
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
