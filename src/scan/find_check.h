/* What every finder asks of a byte that its vectors flagged. */
#ifndef SCAN_FIND_CHECK_H
#define SCAN_FIND_CHECK_H

#include "find.h"

static inline uint8_t find_at(const uint8_t *p, size_t i, size_t back) { return i >= back ? p[i - back] : 0; }

static inline bool find_url_before(const uint8_t *p, size_t colon)
{
	return (find_at(p, colon, 1) | 0x20) == 'l' && (find_at(p, colon, 2) | 0x20) == 'r' && (find_at(p, colon, 3) | 0x20) == 'u';
}

/* A scheme in angle brackets that is broken before its colon or its last letter. */
static inline bool find_broken(const uint8_t *p, size_t colon)
{
	size_t i = colon && (unsigned)((p[colon - 1] | 0x20) - 'a') < 26 ? colon - 1 : colon;
	uint8_t c = find_at(p, i, 1);
	if ((unsigned)((c | 0x20) - 'a') < 26 || (c >= '0' && c <= ':'))
		return false;
	for (size_t k = 2; k < FIND_BEHIND && k <= i; k++)
		if (p[i - k] == '<')
			return true;
	return false;
}

/* `ms-NAME:`, whose row in the table of schemes stands for every name. */
static inline bool find_ms_before(const uint8_t *p, size_t colon)
{
	size_t k = 1;
	while (k < 40 && k <= colon && ((unsigned)((p[colon - k] | 0x20) - 'a') < 26 || p[colon - k] == '-'))
		k++;
	const uint8_t *name = p + colon - k + 1;
	return k > 4 && (name[0] | 0x20) == 'm' && (name[1] | 0x20) == 's' && name[2] == '-';
}

/* A colon with something solid behind it. */
static inline bool find_colon(const struct finder *f, const uint8_t *p, size_t i)
{
	uint8_t next = p[i + 1];
	if (next == '/')
		return true;
	if (next == '\n' || next == '\r')
		return find_at(p, i, 1) != ' ' || find_broken(p, i); /* `<http:` line break `//` */
	if (next <= ' ' || next == ':')
		return false;
	return (next == '\\' && p[i + 2] == '/') || (f->tails[find_at(p, i, 2) & 31] >> (find_at(p, i, 1) & 31) & 1)
	       || find_url_before(p, i) || find_broken(p, i);
}

static inline bool find_hyphens(const uint8_t *p, size_t i)
{
	return i >= 5 && p[i + 1] == 'B' && p[i - 1] == '-' && p[i - 4] == '-' && p[i - 5] == '\n';
}

/* Whether p[i] gives something away.  Reads p[i - FIND_BEHIND .. i + 3]. */
static inline bool find_check(const struct finder *f, const uint8_t *p, size_t i)
{
	switch (p[i]) {
	case ':': return find_colon(f, p, i);
	case 'l': case 'L': return p[i + 1] == ':' && p[i + 2] <= ' ' && find_url_before(p, i + 1);
	case 'w': case 'W': return (p[i + 1] | 0x20) == 'w' && (p[i + 2] | 0x20) == 'w' && p[i + 3] == '.';
	case 'p': case 'P':
		return p[i + 1] == '.' && (find_at(p, i, 1) | 0x20) == 't' && (find_at(p, i, 2) | 0x20) == 'f';
	case '@': return f->at;
	case '.': return f->dot;
	case '\n': return p[i + 1] == 'b' && p[i + 2] == 'e';
	case '=': return p[i + 1] == 'y' && p[i + 2] == 'b' && find_at(p, i, 1) == '\n';
	case '-': return find_hyphens(p, i);
	default: return false;
	}
}

/* Bytes worth a find_check, for the finder without vectors. */
size_t find_portable(const struct finder *f, const uint8_t *p, size_t i, size_t end);
#if defined(__x86_64__)
size_t find_sse2(const struct finder *f, const uint8_t *p, size_t i, size_t end);
size_t find_avx2(const struct finder *f, const uint8_t *p, size_t i, size_t end);
#endif

#endif
