/* The search for trigger bytes.  The vector search flags pairs of bytes; what precedes a flagged colon is read from
 * right to left, because nearly every colon is in prose. */
#include "find.h"

#include "simd/runs.h"
#include "url/scheme.h"
#include "view.h"

#include <string.h>

/* ---- Bytes and names ---- */

enum { NAME_MAX = FIND_BEHIND - 2 };

/* The classes of the bytes before a colon. */
enum { NAME = 1, LETTER = 2, BETWEEN = 4 /* white space, line prefixes (W1, Q, H4) */ };
#define N NAME
#define S NAME | BETWEEN
#define L NAME | LETTER
#define B BETWEEN
static const uint8_t kinds[256] = {
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

static inline uint8_t at(const uint8_t *p, size_t i, size_t back) { return i >= back ? p[i - back] : 0; }

static inline bool has_tail(const uint8_t *p, size_t colon)
{
	return scheme_names.tails[scheme_tail_bit(at(p, colon, 2))] >> scheme_tail_bit(at(p, colon, 1)) & 1;
}

const struct scheme *find_scheme(const uint8_t *p, size_t n)
{
	uint32_t name = 0;
	for (size_t i = n; i > 0; i--)
		name = scheme_hash(name, p[i - 1]);
	bool known = scheme_name_in(scheme_names.slashed, name) || scheme_name_in(scheme_names.anywhere, name)
	             || scheme_name_in(scheme_names.delimited, name) || (n > 3 && ascii_begins(p, "ms-", 3));
	return known ? scheme_find((const char *)p, n) : NULL;
}

bool find_glued(const uint8_t *p, size_t n)
{
	uint32_t name = 0;
	bool glued = false;
	for (size_t i = n; i > 1;) {
		name = scheme_hash(name, p[--i]);
		if (n - i < 3 || !scheme_name_in(scheme_names.slashed, name))
			continue;
		const struct scheme *row = scheme_find((const char *)p + i, n - i);
		if (!row || row->slashes != URLSIFT_SLASHES_REQUIRED)
			continue;
		if (!is_alnum(p[i - 1])) /* `x+sftp` is no `s` before ftp */
			return false;
		glued = true;
	}
	return glued;
}

/* ---- What precedes a colon ---- */

/* Whether the two letters are right before i, in any letter case. */
static inline bool is_before(const uint8_t *p, size_t i, char first, char second)
{
	return (at(p, i, 1) | 0x20) == second && (at(p, i, 2) | 0x20) == first;
}

static inline bool url_before(const uint8_t *p, size_t colon)
{
	return is_before(p, colon, 'r', 'l') && (at(p, colon, 3) | 0x20) == 'u';
}

/* Whether a gap in a scheme may end right before i: a mark right after a word is not a line prefix. */
static inline bool may_be_gap(const uint8_t *p, size_t i)
{
	uint8_t c = at(p, i, 1);
	return (c <= ' ' || c >= '<' || !is_alnum(at(p, i, 2))) && kinds[c] & BETWEEN;
}

/* Whether in the 32 bytes before the colon a mark that may not end a gap, as it is right after a word, is nearer than
 * any `<`, or three words end and there is no `<`.  Not all of either are noticed. */
static bool is_apart(const uint8_t *p, size_t colon)
{
	unsigned marks = 0, letters = 0, blanks = 0, opening = 0;
	if (colon < 32)
		return false;
	for (unsigned i = 0; i < 32; i += 16) {
		const bytes16 v = bytes16_load(p + colon - 32 + i);
		marks |= bytes16_mask((bytes16)(((bytes16)(v - '!') <= ',' - '!') & (v != '+'))) << i;
		letters |= bytes16_mask((bytes16)(((bytes16)((v | 0x20) - 'a') < 26) & (v != 'l'))) << i; /* of dnl */
		blanks |= bytes16_mask((bytes16)(v <= ' ')) << i;
		opening |= bytes16_mask((bytes16)(v == '<')) << i;
	}
	unsigned third = letters & (blanks >> 1 | 1u << 31);
	third &= third - 1;
	third &= third - 1;
	return ((marks & letters << 1) | (opening ? 0 : third)) > opening;
}

/* Whether a `<` may open the link that continues at i, of which `words` words were read. */
static bool opens(const struct find_state *s, size_t i, size_t colon, unsigned words)
{
	const size_t back = excess(colon, FIND_BEHIND), stop = larger(back, s->floor);
	const uint8_t *p = s->p;
	if (is_apart(p, colon))
		return false; /* as most */
	while (i > stop && p[i - 1] != '<') {
		const size_t end = i;
		i = byte_span_back(p, stop, end, BYTE_SCHEME);
		/* the run is a word: not a number, `Name>` or dnl */
		words += i < end && kinds[p[end - 1]] & LETTER && p[end] != '>' && !text_ends(p, end, "dnl");
		if (words > 2) /* a scheme has two pieces at most (W7) */
			return false;
		if (i == end && !may_be_gap(p, i--))
			return false;
	}
	return i > stop || back > s->floor; /* it may be farther back */
}

/* `ms-NAME:`, whose row in the table of schemes covers every name. */
static bool ms_before(const struct find_state *s, size_t colon)
{
	const uint8_t *p = s->p;
	size_t stop = larger(excess(colon, FIND_BEHIND), s->floor), k = colon;
	if (colon >= 16) {
		const bytes16 v = bytes16_load(p + colon - 16);
		const unsigned hyphens = bytes16_mask((bytes16)(v == '-'));
		const unsigned letters = bytes16_mask((bytes16)((v | 0x20) == 's'));
		if (bytes16_mask(RUN_IS_NO_HOST(bytes16, v) & (bytes16)(v != '+')) > (hyphens & letters << 1))
			return false; /* as most: a byte that is in no name is nearer than any `s-` */
	}
	k = byte_span_back(p, stop, k, BYTE_SCHEME);
	k = byte_span(p, k, colon, BYTE_BUT(BYTE_ALPHA));
	return colon - k > 3 && ascii_begins(p + k, "ms-", 3);
}

/* A colon after the last letters of a scheme that does not require `//`. */
static bool named(const struct find_state *s, size_t colon)
{
	const uint8_t *p = s->p;
	size_t run = colon, begin = colon;
	uint32_t all = 0, name = 0;
	for (uint8_t kind; run > s->floor && colon - run <= NAME_MAX && (kind = kinds[p[run - 1]]) & NAME;) {
		all = scheme_hash(all, p[--run]);
		if (kind & LETTER) {
			begin = run;
			name = all;
		}
	}
	if (begin < colon) {
		if (scheme_name_in(scheme_names.anywhere, name))
			return true;
		uint8_t before = at(p, begin, 1);
		if (scheme_name_in(scheme_names.delimited, name) && (is_quote_mark(before) || before >= 0x80))
			return true;
	}
	/* the letters of an escape may be before the name (B1) */
	return (may_be_gap(p, run) ? opens(s, run, colon, begin < colon) : BYTE_IN(at(p, run, 1), "\\("))
	       || url_before(p, colon) || ms_before(s, colon);
}

/* Whether a scheme may end with the bytes before a colon: they are the end of one, or two letters after a gap (W7). */
static bool may_end_scheme(const uint8_t *p, size_t colon)
{
	uint8_t last = at(p, colon, 1), second = at(p, colon, 2), third = at(p, colon, 3);
	if (!has_tail(p, colon))
		return false;
	if (scheme_name_in(scheme_names.ends, scheme_hash_end(third, second, last)))
		return true;
	return !(kinds[third] & LETTER)
	       && (may_be_gap(p, colon - 2) || scheme_name_in(scheme_names.ends, scheme_hash_end(0, second, last)));
}

/* A colon that no blank follows. */
__attribute__((noinline)) static bool is_colon(const struct find_state *s, size_t i)
{
	const uint8_t *p = s->p;
	uint8_t next = p[i + 1], last = at(p, i, 1);
	if (is_line_end(p[i + 1 + BYTE_IN(next, "\\=")]))
		return opens(s, i, i, 0); /* `<http:` line break `//`, also folded (W2, J1) */
	if ((next >= 0x80 && kinds[next] & BETWEEN && opens(s, i, i, 0)) || next == '\\')
		return true;
	if (may_end_scheme(p, i))
		return named(s, i);
	if (kinds[last] & NAME && (url_before(p, i) || ms_before(s, i)))
		return true;
	/* in angle brackets, broken before the colon or before the last letter */
	size_t gap = i - ((kinds[last] & LETTER) != 0);
	return may_be_gap(p, gap) && p[gap - 1] != ':' && opens(s, i, i, 0);
}

/* Whether a `<` and one word precede the colon (A2); most colons before a blank are prose. */
static bool follows_bracket(const uint8_t *p, size_t colon)
{
	size_t low = excess(colon, FIND_BEHIND), name = byte_span_back(p, low, colon, BYTE_SCHEME);
	return name < colon && at(p, byte_span_back(p, low, name, BYTE_BLANK), 1) == '<';
}

/* ---- The search ---- */

/* Whether a flagged byte is a trigger byte.  Reads p[i - FIND_BEHIND .. i + FIND_AHEAD - 1]. */
static inline bool passes(const struct find_state *s, size_t i)
{
	const uint8_t *p = s->p;
	if (p[i] == ':') {
		const uint8_t next = p[i + 1];
		if (next == '/')
			return true;
		if (next == ':' || (is_digit(next) && is_digit(at(p, i, 1)) && !has_tail(p, i)))
			return false; /* mostly the time of day */
		return next <= ' ' && !is_line_end(next) ? follows_bracket(p, i) : is_colon(s, i);
	}
	switch (to_lower(p[i])) {
	case 'l': case 'o': /* before a blank, `URL:` and A2 */
		return p[i + 2] <= ' ' && has_tail(p, i + 1)
		       && (url_before(p, i + 1) || (p[i + 2] == ' ' && follows_bracket(p, i + 1)));
	case ' ': return p[i + 2] == '/' && at(p, i, 1) == ':' && follows_bracket(p, i - 1);
	case 'w': return is_before(p, i, 'w', 'w');
	case 'p': return is_before(p, i, 'f', 't');
	case '\n': return !memcmp(p + i + 1, "beg", 3);
	case '=': return p[i + 2] == 'b' && at(p, i, 1) == '\n';
	case '-': return text_ends(p, i + 2, "\n-----B");
	default: return BYTE_IN(p[i], "@.\x1b\b");
	}
}

/* The first trigger byte of those that are flagged, from i on; s->upto for none. */
static size_t next_flagged(const struct find_state *s, size_t i)
{
	size_t k = (i - s->at) / SIMD_BLOCK;
	uint64_t mask = s->mask[k] & ~(uint64_t)0 << (i - s->at) % SIMD_BLOCK;
	for (uint64_t blocks = s->blocks >> k;; mask = s->mask[k]) {
		for (; mask; mask &= mask - 1) {
			size_t flagged = s->at + k * SIMD_BLOCK + (size_t)__builtin_ctzll(mask);
			if (passes(s, flagged))
				return flagged;
		}
		blocks &= ~(uint64_t)1;
		if (!blocks)
			return s->upto;
		size_t next = (size_t)__builtin_ctzll(blocks);
		blocks >>= next;
		k += next;
	}
}

size_t find_flagged(const struct finder *f, struct find_state *s, size_t i, size_t end)
{
	while (i < end) {
		if (i - s->at >= s->upto - s->at) {
			size_t n = smaller(end - i, SIMD_BLOCK * FIND_BLOCKS);
			s->blocks = f->simd->trigger(s->p + i, n, f->marks, s->mask);
			s->at = i;
			s->upto = i + n;
		}
		i = next_flagged(s, i);
		if (i < s->upto)
			return i;
	}
	return end;
}
