#include "find_check.h"

#include "url/scheme.h"

#include <string.h>

#define N FIND_NAME
#define S FIND_NAME | FIND_BETWEEN
#define L FIND_NAME | FIND_LETTER
#define W L | FIND_WORTH
#define B FIND_BETWEEN
#define M FIND_BETWEEN | FIND_WORTH
const uint8_t find_kinds[256] = {
	/* 00 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, B, M, B, B, B, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	/*  !"#$%&' */ B, B, 0, B, 0, B, 0, 0,
	/* ()*+,-./ */ 0, B, B, S, 0, S | FIND_WORTH, S | FIND_WORTH, B,
	/* 0-9 :;<=>? */ N, N, N, N, N, N, N, N, N, N, M, B, B, FIND_WORTH, B, 0,
	/* @A-O */ FIND_WORTH, L, L, L, L, L, L, L, L, L, L, L, W, L, L, L,
	/* P-Z[\]^_ */ W, L, L, L, L, L, L, W, L, L, L, 0, 0, 0, 0, 0,
	/* `a-o */ 0, L, L, L, L, L, L, L, L, L, L, L, W, L, L, L,
	/* p-z{|}~ DEL */ W, L, L, L, L, L, L, W, L, L, L, 0, B, 0, 0, 0,
	/* of UTF-8 what begins or goes on in a space or a hyphen */
	/* 80 */ B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
	/* A0 */ B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
	/* C0 */ 0, 0, B, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	/* E0 */ 0, B, B, B, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, B
};
#undef N
#undef S
#undef L
#undef W
#undef B
#undef M

enum {
	S = FIND_SOLID, L = FIND_L, WW = FIND_WW, P = FIND_P, LF = FIND_LINE, Y = FIND_YENC, H = FIND_HYPHEN, C = FIND_COLON
};
const uint8_t find_first_low[16] = {P, 0, 0, 0, 0, 0, 0, WW, 0, 0, C | LF, 0, L, Y | H, 0, 0};
const uint8_t find_first_high[16] = {LF, 0, H, C | Y, L, WW | P, L, WW | P, 0, 0, 0, 0, 0, 0, 0, 0};
const uint8_t find_second_low[16] = {FIND_ROUND, S, S | LF | H, S, S, S, S, S | WW, S, S | Y, S | L, S, S, S, S | P, S};
const uint8_t find_second_high[16] = {C, C, S | P, C | L, C | H, C | WW, C | LF, C | WW | Y, C, C, C, C, C, C, C, C};

size_t find_portable(const struct finder *f, struct find_state *s, size_t i, size_t end)
{
	for (; i < end; i++)
		if (find_kinds[s->p[i]] & FIND_WORTH && find_check(f, s, i))
			return i;
	return end;
}

static void add_name(struct find_names *names, uint32_t hash)
{
	names->bits[hash >> 26] |= (uint64_t)1 << (hash >> 20 & 63);
}

/* Every scheme that may do without `//`. */
static void learn_names(struct finder *f)
{
	const struct scheme *row;
	for (size_t i = 0; (row = scheme_row(i)); i++) {
		if (row->body == BODY_HOST || row->body == BODY_ANY)
			continue;
		size_t n = strlen(row->name);
		const uint8_t *name = (const uint8_t *)row->name;
		struct find_names *names = row->body == BODY_NEVER ? &f->delimited : &f->anywhere;
		uint32_t hash = 0;
		f->tails[find_bit(find_at(name, n, 2))] |= (uint64_t)1 << find_bit(name[n - 1]);
		add_name(&f->ends, find_end(find_at(name, n, 3), find_at(name, n, 2), name[n - 1]));
		while (n)
			hash = find_hash(hash, name[--n]);
		add_name(names, hash);
	}
}

/* The best of what the machine has, or what was asked for. */
static bool choose(struct finder *f, urlsift_implementation wanted)
{
	f->search = find_portable;
	if (wanted == URLSIFT_IMPL_PORTABLE)
		return true;
#if defined(__x86_64__)
	bool avx2 = __builtin_cpu_supports("avx2"), avx512 = __builtin_cpu_supports("avx512vbmi");
	bool all = wanted == URLSIFT_IMPL_AUTO;
	f->search = avx512 && (all || wanted == URLSIFT_IMPL_AVX512) ? find_avx512
	            : avx2 && (all || wanted == URLSIFT_IMPL_AVX2) ? find_avx2 : find_sse2;
	return all || wanted == URLSIFT_IMPL_SSE2 || (wanted == URLSIFT_IMPL_AVX2 && avx2) || (wanted == URLSIFT_IMPL_AVX512 && avx512);
#elif defined(__aarch64__)
	f->search = find_neon;
	return wanted == URLSIFT_IMPL_AUTO || wanted == URLSIFT_IMPL_NEON;
#else
	return wanted == URLSIFT_IMPL_AUTO;
#endif
}

bool find_init(struct finder *f, urlsift_implementation implementation, bool at, bool dot)
{
	*f = (struct finder){.at = at, .dot = dot};
	learn_names(f);
	return choose(f, implementation);
}
