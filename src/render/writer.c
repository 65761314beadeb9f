#include "output.h"

#include <errno.h>
#include <unistd.h>

/* Everything, or nothing more for the rest of the run. */
static void write_out(struct writer *w, const char *bytes, size_t n)
{
	if (w->sink && n > 0 && !w->error) {
		w->error = w->sink(w->user, bytes, n);
		return;
	}
	while (n > 0 && !w->error) {
		ssize_t k = write(w->fd, bytes, n);
		if (k >= 0) {
			bytes += k;
			n -= (size_t)k;
		} else if (errno != EINTR) {
			w->error = errno;
		}
	}
}

void writer_flush(struct writer *w)
{
	write_out(w, w->data, w->used);
	w->used = 0;
}

void writer_block(struct writer *w, const void *bytes, size_t n)
{
	const char *from = bytes;
	if (n == 0)
		return;
	if (n > WRITER_SIZE) {
		writer_flush(w);
		write_out(w, from, n);
		return;
	}
	memcpy(writer_room(w, n), from, n);
	w->used += n;
	/* A terminal wants whole records as they come, not bits of them. */
	if (w->own && (from[n - 1] == '\n' || from[n - 1] == '\0'))
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
