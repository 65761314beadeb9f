#include "plain_shape.h"

#define X PLAIN_HOST | PLAIN_OWN | PLAIN_INNER
#define E PLAIN_END
#define U PLAIN_OWN | PLAIN_INNER
#define I PLAIN_INNER
const uint8_t plain_kinds[256] = {
	/* 00 */ E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E,
	/*  !"#$%&' */ E, I, E, I, U, U, U, 0,
	/* ()*+,-./ */ 0, E, I, U, 0, X, PLAIN_HOST | I, U,
	/* 0-9 :;<=>? */ X, X, X, X, X, X, X, X, X, X, I, 0, E, U, E, I,
	/* @A-O */ I, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	/* P-Z[\]^_ */ X, X, X, X, X, X, X, X, X, X, X, 0, 0, E, U, U,
	/* `a-o */ E, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	/* p-z{|}~ DEL */ X, X, X, X, X, X, X, X, X, X, X, 0, 0, E, U, E
};
#undef X
#undef E
#undef U
#undef I

const uint8_t plain_inner_rows[16] = {
	0xB8, 0xFC, 0xF8, 0xFC, 0xFC, 0xFC, 0xFC, 0xF8, 0xF8, 0xF8, 0xFC, 0x54, 0x50, 0x5C, 0xF4, 0x7C
};
const uint8_t plain_host_rows[16] = {
	0xA8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF0, 0x50, 0x50, 0x54, 0x54, 0x50
};

bool plain_shape_portable(const uint8_t *p, size_t n, struct plain_shape *shape)
{
	size_t i = 0;
	uint8_t before = '.';
	for (; i < n && plain_kinds[p[i]] & PLAIN_HOST; before = p[i++])
		if ((p[i] == '.' || p[i] == '-') && (before == '.' || (p[i] == '.' && before == '-')))
			return false;
	if (!i || before == '.' || before == '-')
		return false;
	shape->host = i;
	while (i < n && plain_kinds[p[i]] & PLAIN_INNER)
		i++;
	shape->end = i;
	return true;
}

plain_shape_of *plain_shape_chosen(urlsift_implementation wanted)
{
#if defined(__x86_64__)
	if (wanted != URLSIFT_IMPL_PORTABLE && wanted != URLSIFT_IMPL_SSE2 && __builtin_cpu_supports("avx2"))
		return plain_shape_avx2;
#elif defined(__aarch64__)
	if (wanted != URLSIFT_IMPL_PORTABLE)
		return plain_shape_neon;
#endif
	(void)wanted;
	return plain_shape_portable;
}
