#include "plain.h"

#include "guess.h"

#include <string.h>

/* What a byte may be as it stands, without a rule of its own. */
enum { HOST = 1, OWN = 2 /* the last byte of a link too */, INNER = 4 /* only inside */, END = 8 /* B3 */ };

#define X HOST | OWN | INNER
#define E END
#define U OWN | INNER
#define I INNER
static const uint8_t kinds[256] = {
	/* 00 */ E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E,
	/*  !"#$%&' */ E, I, E, I, U, U, U, 0,
	/* ()*+,-./ */ 0, 0, I, U, 0, X, HOST | INNER, U,
	/* 0-9 :;<=>? */ X, X, X, X, X, X, X, X, X, X, I, 0, E, U, E, I,
	/* @A-O */ I, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	/* P-Z[\]^_ */ X, X, X, X, X, X, X, X, X, X, X, 0, 0, 0, U, U,
	/* `a-o */ E, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	/* p-z{|}~ DEL */ X, X, X, X, X, X, X, X, X, X, X, 0, 0, 0, U, E
};
#undef X
#undef E
#undef U
#undef I

/* The scheme whose colon is at i, with its length; 0 for any other. */
static size_t scheme_before(const struct view *v, size_t i)
{
	const uint8_t *p = v->p + i;
	if (i < v->low + 5)
		return i >= v->low + 4 && !memcmp(p - 4, "http", 4) ? 4 : 0;
	if (!memcmp(p - 4, "http", 4))
		return 4;
	if (!memcmp(p - 5, "https", 5))
		return 5;
	return !memcmp(p - 3, "ftp", 3) ? 3 : 0;
}

/* Whether nothing before the link at `begin` has a say in it: no bracket, mark or
 * prefix could stand there (A, B1, B6, P1). */
static bool is_free(const struct view *v, size_t begin)
{
	if (begin == v->low)
		return v->first;
	uint8_t before = v->p[begin - 1];
	if (before == '"')
		return true;
	if (before != ' ' && before != '\n')
		return false;
	if (begin < v->low + 4)
		return false;
	uint8_t last = v->p[begin - 2];
	if (last == 'l') /* dnl is furniture */
		return v->p[begin - 3] != 'n';
	if (before == '\n' && last == '/')
		return is_alnum(v->p[begin - 3]);
	return is_alnum(last) || last == ',' || last == '=' || last == '"';
}

/* The end of the host that begins at i; 0 for one that has to be looked at. */
static size_t host_end(const struct view *v, size_t i)
{
	size_t begin = i, stop = v->end - i > HOST_MAX ? i + HOST_MAX : v->end;
	uint8_t before = '.';
	for (; i < stop && kinds[v->p[i]] & HOST; i++) {
		uint8_t c = v->p[i];
		if ((c == '.' || c == '-') && (before == '.' || (c == '.' && before == '-')))
			return 0;
		before = c;
	}
	return i > begin && i < stop && is_alnum(before) ? i : 0;
}

enum verdict plain_read(const struct try *t, size_t i)
{
	const struct view *v = t->v;
	const uint8_t *p = v->p;
	size_t n = scheme_before(v, i), begin = i - n;
	if (!n || v->end - i < 5 || p[i + 1] != '/' || p[i + 2] != '/' || begin < t->past->floor || !is_free(v, begin))
		return NO;
	size_t k = host_end(v, i + 3), stop = begin + t->rules->max_url;
	if (!k || (p[k] != '/' && !(kinds[p[k]] & END)))
		return NO;
	if (stop > v->end)
		stop = v->end;
	while (k < stop && kinds[p[k]] & INNER)
		k++;
	view_work(v, k - begin);
	/* a text that ends here, or a window that does, are not so plain */
	if (k >= stop || !(kinds[p[k]] & END) || !(kinds[p[k - 1]] & OWN) || view_soft_break(v, k) != NO)
		return NO;
	link_clear(t->link);
	link_whole(t->link, v, begin, k);
	link_set_scheme(t->link, (const char *)p + begin, n);
	bool quoted = begin > v->low && p[begin - 1] == '"';
	t->link->convention = quoted && p[k] == '"' ? URLSIFT_CONV_QUOTED : URLSIFT_CONV_BARE;
	t->found->end = k;
	if (!t->rules->guess && t->rules->join != URLSIFT_JOIN_LIKELY)
		return YES;
	struct opening o = {.begin = begin, .before = begin > v->low ? p[begin - 1] : 0};
	struct extent x = {.begin = begin, .at = k, .end = k};
	return guess_join(t->rules, v, &o, &x, t->link, &t->found->end);
}
