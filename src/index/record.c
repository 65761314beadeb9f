#include "record.h"

#include "text/ascii.h"
#include "text/hashset.h"

#include <errno.h>
#include <string.h>

struct head {
	enum record_type type;
	unsigned numbers, texts;
};

/* The length of an absent text. */
#define ABSENT UINT32_MAX

void record_begin(struct buf *out, enum record_type type, const int64_t *number, unsigned numbers, unsigned texts)
{
	const struct head head = { type, numbers, texts };
	buf_add(out, &head, sizeof head);
	buf_add(out, number, numbers * sizeof *number);
}

void record_put(struct buf *out, const char *text, size_t length)
{
	const uint32_t n = text ? (uint32_t)length : ABSENT;
	buf_add(out, &n, sizeof n);
	if (text) {
		buf_add(out, text, length);
		buf_add(out, "", 1);
	}
}

void record_put_string(struct buf *out, const char *text)
{
	record_put(out, text, text ? strlen(text) : 0);
}

void record_put_found(struct buf *out, const char *text, size_t length)
{
	record_put(out, length > 0 ? text : NULL, length);
}

size_t record_read(const char *bytes, struct record_fields *f)
{
	struct head head;
	const char *p = bytes;
	memcpy(&head, p, sizeof head);
	p += sizeof head;
	f->type = head.type;
	memcpy(f->number, p, head.numbers * sizeof *f->number);
	p += head.numbers * sizeof *f->number;
	for (unsigned i = 0; i < head.texts; i++) {
		uint32_t n;
		memcpy(&n, p, sizeof n);
		p += sizeof n;
		if (n == ABSENT) {
			f->text[i] = NULL;
			f->length[i] = 0;
		} else {
			f->text[i] = p;
			f->length[i] = n;
			p += (size_t)n + 1;
		}
	}
	return (size_t)(p - bytes);
}

int record_tail(const struct source *file, uint64_t offset, int64_t *tail)
{
	char bytes[TAIL_SIZE];
	size_t n = size_within(TAIL_SIZE, offset);
	ssize_t got = source_read_at(file, offset - n, bytes, n);
	if (got != (ssize_t)n)
		return got < 0 ? errno : EIO;
	const struct hash128 hash = siphash((struct hash128){ 0, 0 }, bytes, n);
	memcpy(tail, &hash.low, sizeof *tail);
	return 0;
}
