#include "writer.h"

static void hand_on(struct writer *w, const void *bytes, size_t n)
{
	if (n > 0 && !w->error)
		w->error = w->write(w->user, bytes, n);
}

void writer_flush(struct writer *w)
{
	hand_on(w, w->data, w->used);
	w->used = 0;
}

void writer_block(struct writer *w, const void *bytes, size_t n)
{
	const char *from = bytes;
	if (n == 0)
		return;
	if (n > w->size) {
		writer_flush(w);
		hand_on(w, from, n);
		return;
	}
	memcpy(writer_room(w, n), from, n);
	w->used += n;
	if (w->at_once && (from[n - 1] == '\n' || from[n - 1] == '\0'))
		writer_flush(w);
}

void writer_number(struct writer *w, uint64_t n)
{
	static const char pairs[] =
		"0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
		"5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";
	char digits[20];
	size_t i = sizeof digits;
	for (; n >= 10; n /= 100)
		memcpy(digits + (i -= 2), pairs + 2 * (n % 100), 2);
	if (n > 0 || i == sizeof digits)
		digits[--i] = (char)('0' + n);
	writer_put(w, digits + i, sizeof digits - i);
}
