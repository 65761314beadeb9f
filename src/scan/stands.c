#include "link.h"
#include "url/idna.h"
#include "url/warn.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* What of a plain link's bytes a target changes, or what somebody should look at: escapes, `^`, a second
 * `#`; two hyphens, as A-labels have them.  Says it of `!` and of every `#`, to be quick. */
static inline bool is_odd(uint8_t before, uint8_t c)
{
	return (c & 0xF9) == 0x21 || c == '^' || (c == '-' && before == '-');
}

static bool has_odd(const uint8_t *p, size_t n)
{
	size_t i = 1; /* the first is of the scheme */
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

/* Whether its host, which ends before p[head], is too long for one label or ends with
 * what may be a number. */
static bool has_odd_host(const struct urlsift_link *l)
{
	const uint8_t *begin = l->text + l->scheme_length + 3, *end = l->text + l->head, *label = end;
	while (label > begin && label[-1] != '.')
		label--;
	return end - begin > IDNA_LABEL_MAX || !is_alpha(*label);
}

bool link_stands(const struct urlsift_link *link)
{
	struct urlsift_link *l = (struct urlsift_link *)link; /* only to remember the answer */
	if (l->stands == STANDS_UNKNOWN) {
		bool odd = !l->head || l->length > WARN_LENGTH_MAX || has_odd(l->text, l->length) || has_odd_host(l);
		l->stands = odd ? STANDS_NOT : STANDS;
	}
	return l->stands == STANDS;
}
