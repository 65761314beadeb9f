#include "find.h"

#include "url/scheme.h"

#include <string.h>

#define N FIND_NAME
#define S FIND_NAME | FIND_BETWEEN
#define L FIND_NAME | FIND_LETTER
#define B FIND_BETWEEN
const uint8_t find_kinds[256] = {
	/* 00 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, B, B, B, B, B, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	/*  !"#$%&' */ B, B, 0, B, 0, B, 0, 0,
	/* ()*+,-./ */ 0, B, B, S, 0, S, S, B,
	/* 0-9 :;<=>? */ N, N, N, N, N, N, N, N, N, N, B, B, B, 0, B, 0,
	/* @A-O */ 0, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
	/* P-Z[\]^_ */ L, L, L, L, L, L, L, L, L, L, L, 0, 0, 0, 0, 0,
	/* `a-o */ 0, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
	/* p-z{|}~ DEL */ L, L, L, L, L, L, L, L, L, L, L, 0, B, 0, 0, 0,
	/* bytes of UTF-8 spaces and hyphens */
	/* 80 */ B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
	/* A0 */ B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
	/* C0 */ 0, 0, B, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	/* E0 */ 0, B, B, B, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, B
};
#undef N
#undef S
#undef L
#undef B

static void add_name(struct find_names *names, uint32_t hash)
{
	names->bits[hash >> 26] |= (uint64_t)1 << (hash >> 20 & 63);
}

/* Every scheme that does not require `//`, and the end of `URL:`. */
static void learn_names(struct finder *f)
{
	f->tails[find_bit('r')] |= (uint64_t)1 << find_bit('l');
	const struct scheme *row;
	for (size_t i = 0; (row = scheme_row(i)); i++) {
		if (row->slashes == 2 || row->body == BODY_SLASHES)
			continue;
		size_t n = strlen(row->name);
		const uint8_t *name = (const uint8_t *)row->name;
		bool delimited = row->body == BODY_NEVER || row->body == BODY_NAMESPACE;
		struct find_names *names = delimited ? &f->delimited : &f->anywhere;
		uint32_t hash = 0;
		f->tails[find_bit(find_at(name, n, 2))] |= (uint64_t)1 << find_bit(name[n - 1]);
		add_name(&f->ends, find_end(find_at(name, n, 3), find_at(name, n, 2), name[n - 1]));
		while (n)
			hash = find_hash(hash, name[--n]);
		add_name(names, hash);
	}
}

void find_init(struct finder *f, const struct simd *simd, unsigned marks)
{
	*f = (struct finder){.simd = simd, .marks = marks};
	learn_names(f);
}

/* Whether the trigger byte at i passes; most are decided here. */
static inline bool passes(const struct finder *f, const struct find_state *s, size_t i)
{
	uint8_t c = s->p[i], next = s->p[i + 1];
	if (c == ':' && next == '/')
		return true;
	bool prose = c == ':' ? find_is_time(f, s->p, i)
	             : c > '@' && next == ':' && (s->p[i + 2] > ' ' || !find_tail(f, s->p, i + 1));
	return !prose && find_check(f, s, i);
}

size_t find_next(const struct finder *f, struct find_state *s, size_t i, size_t end)
{
	while (i < end) {
		if (i >= s->upto || i < s->at) {
			size_t n = end - i < SIMD_BLOCK * FIND_BLOCKS ? end - i : SIMD_BLOCK * FIND_BLOCKS;
			f->simd->trigger(s->p + i, n, f->marks, s->mask);
			s->mask[(n + SIMD_BLOCK - 1) / SIMD_BLOCK] = 1; /* ends the search below */
			s->at = i;
			s->upto = i + n;
		}
		size_t k = (i - s->at) / SIMD_BLOCK;
		uint64_t mask = s->mask[k] & ~(uint64_t)0 << (i - s->at) % SIMD_BLOCK;
		for (;; mask &= mask - 1) {
			if (!mask) {
				do
					k++;
				while (!s->mask[k]);
				mask = s->mask[k];
			}
			i = s->at + k * SIMD_BLOCK + (size_t)__builtin_ctzll(mask);
			if (i >= s->upto)
				break;
			if (passes(f, s, i))
				return i;
		}
	}
	return end;
}
