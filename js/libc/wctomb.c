/* The wctomb of wasi-libc writes UTF-8 only after setlocale, which needs its malloc; its iconv calls it. */
#include <stdlib.h>

int wctomb(char *out, wchar_t c)
{
	unsigned cp = (unsigned)c, n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
	if (!out)
		return 0; /* no state */
	for (unsigned i = n; --i; cp >>= 6)
		out[i] = (char)(0x80 | (cp & 0x3F));
	out[0] = (char)(lead[n] | cp);
	return (int)n;
}
