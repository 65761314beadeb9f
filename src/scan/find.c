#include "find_check.h"

#include "url/scheme.h"

#include <string.h>

static const uint8_t worth[256] = {
	[':'] = 1, ['w'] = 1, ['W'] = 1, ['p'] = 1, ['P'] = 1, ['@'] = 1, ['.'] = 1, ['\n'] = 1, ['='] = 1, ['-'] = 1,
	['l'] = 1, ['L'] = 1
};

size_t find_portable(const struct finder *f, const uint8_t *p, size_t i, size_t end)
{
	for (; i < end; i++)
		if (worth[p[i]] && find_check(f, p, i))
			return i;
	return end;
}

/* The last two letters of every scheme that may do without `//`. */
static void learn_tails(struct finder *f)
{
	const struct scheme *row;
	memset(f->tails, 0, sizeof f->tails);
	for (size_t i = 0; (row = scheme_row(i)); i++) {
		size_t n = strlen(row->name);
		if (row->body == BODY_HOST || row->body == BODY_ANY)
			continue;
		f->tails[n > 1 ? row->name[n - 2] & 31 : 0] |= 1u << (row->name[n - 1] & 31);
	}
}

bool find_init(struct finder *f, urlsift_implementation implementation, bool at, bool dot)
{
	f->at = at;
	f->dot = dot;
	learn_tails(f);
	f->search = find_portable;
	if (implementation == URLSIFT_IMPL_PORTABLE)
		return true;
#if defined(__x86_64__)
	bool avx2 = __builtin_cpu_supports("avx2");
	if (implementation == URLSIFT_IMPL_AVX2 && !avx2)
		return false;
	f->search = avx2 && implementation != URLSIFT_IMPL_SSE2 ? find_avx2 : find_sse2;
	return true;
#else
	return implementation == URLSIFT_IMPL_AUTO;
#endif
}
