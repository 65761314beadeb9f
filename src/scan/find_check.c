/* What precedes a colon, read from right to left: nearly every colon is in prose. */
#include "find.h"

#include "simd/bytes16.h"
#include "view.h"

#include <string.h>

enum { NAME_MAX = FIND_BEHIND - 2 };

static bool url_before(const uint8_t *p, size_t colon)
{
	return (find_at(p, colon, 1) | 0x20) == 'l' && (find_at(p, colon, 2) | 0x20) == 'r'
	       && (find_at(p, colon, 3) | 0x20) == 'u';
}

/* Whether the run of name bytes that ends here is a word: not a number, `Name>` or dnl. */
static bool ends_word(const uint8_t *p, size_t end)
{
	if (!(find_kinds[p[end - 1]] & FIND_LETTER) || p[end] == '>')
		return false;
	return p[end - 1] != 'l' || find_at(p, end, 2) != 'n' || find_at(p, end, 3) != 'd';
}

/* Skips white space and line prefixes.  False for a prefix that neither begins its line nor follows a mark that letters
 * may precede. */
static bool back_between(const uint8_t *p, size_t *i, size_t stop)
{
	bool marks = false, line_end = false;
	while (*i > stop && !(find_kinds[p[*i - 1]] & FIND_NAME)) {
		uint8_t c = p[*i - 1];
		if (c == '<')
			return true;
		if (!(find_kinds[c] & FIND_BETWEEN))
			return false;
		marks |= c > ' ' && c < 0x80;
		line_end |= c == '\n' || c == '\r';
		--*i;
	}
	return !marks || line_end || *i == stop || p[*i] == '>' || p[*i] == ')' || p[*i - 1] == '+' || p[*i - 1] == '-';
}

/* Whether opens() answers no, as for nearly all prose: the FIND_BEHIND bytes before the colon hold no `<`, and the 32
 * before i hold a byte that is in neither a name nor a gap, or the ends of three words. */
static bool is_prose(const uint8_t *p, size_t i, size_t colon)
{
	bytes16 words = {0}, solid = {0}, brackets = {0};
	for (size_t k = i - 32; k < i; k += 16) {
		bytes16 a = bytes16_load(p + k), b = bytes16_load(p + k + 1), letter = a | 0x20;
		words -= (bytes16)(((bytes16)(letter - 'a') < 26) & (letter != 'l') & ((b == ' ') | (b == ':') | (b == '\n')));
		solid |= (bytes16)((a == ',') | (a == '=') | (a == '@') | (a == '"') | (a == ')'));
	}
	for (size_t k = 16; k <= 48; k += 16) /* the last ones overlap */
		brackets |= (bytes16)(bytes16_load(p + colon - (k < FIND_BEHIND ? k : FIND_BEHIND)) == '<');
	uint64_t half[2];
	memcpy(half, &words, sizeof half);
	return !bytes16_any(brackets) && (bytes16_any(solid) || (half[0] + half[1]) * 0x0101010101010101u >> 56 >= 3);
}

/* Whether a `<` may open the link that continues at i, of which `words` words were read. */
static bool opens(const struct find_state *s, size_t i, size_t colon, unsigned words)
{
	size_t back = colon > FIND_BEHIND ? colon - FIND_BEHIND : 0, stop = back > s->floor ? back : s->floor;
	const uint8_t *p = s->p;
	if (colon >= 48 && colon - i <= FIND_BEHIND - 32 && stop == back && is_prose(p, i, colon))
		return false;
	while (i > stop) {
		if (find_kinds[p[i - 1]] & FIND_NAME) {
			/* a scheme has two pieces at most (W7) */
			bool word = ends_word(p, i);
			if (word && words == 2)
				return false;
			while (i > stop && find_kinds[p[i - 1]] & FIND_NAME)
				i--;
			words += word;
		}
		if (!back_between(p, &i, stop))
			return false;
		if (i > stop && p[i - 1] == '<')
			return true;
	}
	return back > s->floor; /* it may be farther back */
}

/* Whether `ms-` begins in the 48 bytes from p on; reads 50. */
static bool has_ms(const uint8_t *p)
{
	bytes16 found = {0};
	for (int i = 0; i < 48; i += 16)
		found |= (bytes16)((bytes16_load(p + i + 2) == '-') & ((bytes16_load(p + i + 1) | 0x20) == 's')
		                   & ((bytes16_load(p + i) | 0x20) == 'm'));
	return bytes16_any(found);
}

/* `ms-NAME:`, whose row in the table of schemes covers every name. */
static bool ms_before(const struct find_state *s, size_t colon)
{
	const uint8_t *p = s->p;
	size_t stop = colon > FIND_BEHIND ? colon - FIND_BEHIND : 0, k = colon;
	if (colon >= 50 && !has_ms(p + colon - 50))
		return false;
	stop = stop > s->floor ? stop : s->floor;
	while (k > stop && (find_kinds[p[k - 1]] & FIND_LETTER || p[k - 1] == '-'))
		k--;
	return colon - k > 3 && (p[k] | 0x20) == 'm' && (p[k + 1] | 0x20) == 's' && p[k + 2] == '-';
}

/* A colon after the last letters of a scheme that does not require `//`. */
static bool named(const struct finder *f, const struct find_state *s, size_t colon)
{
	const uint8_t *p = s->p;
	size_t run = colon, begin = colon;
	uint32_t hash = 0, name = 0;
	for (uint8_t kind; run > s->floor && colon - run <= NAME_MAX && (kind = find_kinds[p[run - 1]]) & FIND_NAME;) {
		hash = find_hash(hash, p[--run]);
		if (kind & FIND_LETTER) {
			begin = run;
			name = hash;
		}
	}
	if (begin < colon) {
		if (find_has(&f->anywhere, name))
			return true;
		uint8_t before = find_at(p, begin, 1);
		if (find_has(&f->delimited, name) && (before == '"' || before == '\'' || before >= 0x80))
			return true;
	}
	return url_before(p, colon) || ms_before(s, colon) || opens(s, run, colon, begin < colon);
}

/* A colon that no blank follows. */
__attribute__((noinline)) static bool is_colon(const struct finder *f, const struct find_state *s, size_t i)
{
	const uint8_t *p = s->p;
	uint8_t next = p[i + 1], last = find_at(p, i, 1), second = find_at(p, i, 2), third = find_at(p, i, 3);
	if (next == '\n' || next == '\r')
		return opens(s, i, i, 0); /* `<http:` line break `//` */
	if (next >= 0x80 && find_kinds[next] & FIND_BETWEEN && opens(s, i, i, 0))
		return true;
	if (next == '\\' && p[i + 2] == '/')
		return true;
	if (find_tail(f, p, i) && (!(find_kinds[third] & FIND_LETTER) || find_has(&f->ends, find_end(third, second, last))))
		return named(f, s, i);
	if (find_kinds[last] & FIND_LETTER && (url_before(p, i) || ms_before(s, i)))
		return true;
	/* in angle brackets, broken before the colon or before the last letter */
	uint8_t before = find_kinds[last] & FIND_LETTER ? second : last;
	return find_kinds[before] & FIND_BETWEEN && before != ':' && opens(s, i, i, 0);
}

static bool is_armour(const uint8_t *p, size_t i)
{
	return i >= 5 && p[i + 1] == 'B' && p[i - 1] == '-' && p[i - 4] == '-' && p[i - 5] == '\n';
}

/* Whether a `<` and one word precede the colon (A2); most colons before a blank are prose. */
static bool follows_bracket(const uint8_t *p, size_t colon)
{
	size_t k = colon;
	while (k && colon - k < FIND_BEHIND && find_kinds[p[k - 1]] & FIND_NAME)
		k--;
	return k && k < colon && p[k - 1] == '<';
}

bool find_check(const struct finder *f, const struct find_state *s, size_t i)
{
	const uint8_t *p = s->p;
	uint8_t next = p[i + 1];
	switch (p[i]) {
	case ':':
		if (next == '/')
			return true;
		if (next <= ' ' && next != '\n' && next != '\r')
			return follows_bracket(p, i);
		if (next == ':')
			return false;
		return !find_is_time(f, p, i) && is_colon(f, s, i);
	case 'l': case 'L': case 'o': case 'O':
		return next == ':' && p[i + 2] <= ' '
		       && (url_before(p, i + 1) || (p[i + 2] == ' ' && follows_bracket(p, i + 1)));
	case 'w': case 'W': return (next | 0x20) == 'w' && (p[i + 2] | 0x20) == 'w' && p[i + 3] == '.';
	case 'p': case 'P':
		return next == '.' && (find_at(p, i, 1) | 0x20) == 't' && (find_at(p, i, 2) | 0x20) == 'f';
	case '@': case '.': case 0x1b: case '\b': return true;
	case '\n': return next == 'b' && p[i + 2] == 'e' && p[i + 3] == 'g';
	case '=': return next == 'y' && p[i + 2] == 'b' && find_at(p, i, 1) == '\n';
	case '-': return is_armour(p, i);
	default: return false;
	}
}
