#include "cutter.h"

#include "descriptor.h"

#include "mail/mailbox.h"
#include "text/ascii.h"

#include <string.h>

bool cutter_sees_lengths(const char *bytes, size_t n)
{
	static const char field[] = "content-length:";
	enum { LENGTH = sizeof field - 1 };
	const char *end = bytes + n;
	while ((bytes = memchr(bytes, '\n', (size_t)(end - bytes))) && (size_t)(end - ++bytes) >= LENGTH)
		if (ascii_is(bytes, LENGTH, field))
			return true;
	return false;
}

bool cutter_find_message(const struct source *s, uint64_t at, uint64_t *found)
{
	enum { LOOK = 8 * SEPARATOR_MAX };
	char text[LOOK];
	while (at > 0) {
		uint64_t from = beyond(at, MAILBOX_BEFORE);
		ssize_t n = source_read_at(s, from, text, LOOK);
		if (bytes_moved(n) <= at - from)
			return false;
		bool last = from + (uint64_t)n >= s->size;
		size_t i = mailbox_find((const uint8_t *)text, (size_t)(at - from), (size_t)n, last);
		at = from + i;
		if (i < (size_t)n && (last || i < (size_t)n - SEPARATOR_MAX))
			break;
		if (last)
			return false;
	}
	*found = at;
	return true;
}

bool cutter_next(const struct shared_file *f, uint64_t at, uint64_t size, uint64_t end, struct cut *cut)
{
	if (end - at < size + size / 2)
		return false;
	at += size;
	if (!f->text) {
		bool found = cutter_find_message(&f->source, at, &cut->at) && cut->at < end;
		cut->from = cut->at;
		return found;
	}
	enum { LOOK = 2 * SOURCE_CUT_BACK }; /* not farther back than a scanner remembers escape sequences */
	char text[LOOK];
	while (source_read_at(&f->source, at, text, LOOK) == LOOK) {
		const char *first = memchr(text, '\n', SOURCE_CUT_BACK / 2), *last = text + LOOK;
		const char *look = first ? first + SOURCE_CUT_BACK : last, *line = memchr(look, '\n', (size_t)(last - look));
		if (line) {
			/* after the first blank line, if there is one */
			const size_t rest = (size_t)(last - line), blank = text_index(line, rest, "\n\n");
			cut->from = at + (uint64_t)(first - text) + 1;
			cut->at = at + (uint64_t)(line - text) + 1 + (blank < rest ? blank + 1 : 0);
			return true;
		}
		at += LOOK;
	}
	return false;
}
