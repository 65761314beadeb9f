#include "mbox.h"

#include <string.h>

/* The fields of which a header block has two. */
static const char *const telling[] = {
	"from", "date", "subject", "message-id", "path", "newsgroups", "mime-version", "received", NULL
};

static unsigned told_by(const uint8_t *line, size_t n)
{
	size_t at = 0;
	struct field f;
	if (header_next(line, n, &at, &f))
		for (unsigned i = 0; telling[i]; i++)
			if (field_is(&f, telling[i]))
				return 1u << i;
	return 0;
}

static size_t line_at(const uint8_t *p, size_t n)
{
	const uint8_t *end = n ? memchr(p, '\n', n) : NULL;
	return end ? (size_t)(end - p) + 1 : n;
}

/* How many telling fields the header block has that the text begins with, at most two; none when it is broken. */
static unsigned header_tells(const uint8_t *p, size_t n, bool complete)
{
	unsigned told = 0;
	for (size_t i = 0, length; i < n; i += length) {
		length = line_at(p + i, n - i);
		enum header_line kind = header_line_kind(p + i, length);
		if (i + length == n && !complete && p[n - 1] != '\n')
			break; /* cut */
		if (kind == HEADER_BLANK)
			break;
		bool from = length > 6 && (!memcmp(p + i, ">From ", 6) || !memcmp(p + i, "From ", 5));
		if ((kind == HEADER_OTHER && !from) || (kind == HEADER_FOLD && i == 0))
			return 0;
		told |= kind == HEADER_FIELD ? told_by(p + i, length) : 0;
	}
	return told & (told - 1) ? 2 : told != 0;
}

urlsift_mail_kind urlsift_mail_detect(const void *bytes, size_t length, int complete)
{
	const uint8_t *p = bytes;
	if (length > URLSIFT_DETECT_BYTES) {
		length = URLSIFT_DETECT_BYTES;
		complete = 0;
	}
	size_t begin = length >= 3 && !memcmp(p, "\xEF\xBB\xBF", 3) ? 3 : 0;
	while (begin < length && (p[begin] == '\n' || p[begin] == '\r'))
		begin++;
	p += begin;
	length -= begin;
	size_t first = line_at(p, length);
	bool mmdf = first >= 5 && !memcmp(p, "\1\1\1\1", 4) && (p[4] == '\n' || p[4] == '\r');
	bool from = mbox_is_from(p, first);
	size_t skip = mmdf || from ? first : 0;
	/* the line before it tells too */
	if (header_tells(p + skip, length - skip, complete) < (from || mmdf ? 1u : 2u))
		return URLSIFT_KIND_TEXT;
	return mmdf ? URLSIFT_KIND_MMDF : from ? URLSIFT_KIND_MBOX : URLSIFT_KIND_MESSAGE;
}
