#include "out.h"

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
	char digits[20];
	size_t i = sizeof digits;
	do {
		digits[--i] = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	writer_put(w, digits + i, sizeof digits - i);
}
