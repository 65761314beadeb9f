#include "record.h"

#include "text/ascii.h"
#include "text/hashset.h"

#include <string.h>

struct head {
	enum record_type type;
	unsigned numbers, texts;
};

/* The length of an absent text. */
#define ABSENT UINT32_MAX

void record_add(struct buf *out, enum record_type type, struct record_numbers number, struct record_texts text)
{
	const struct head head = { type, number.count, text.count };
	uint32_t length[RECORD_TEXTS];
	size_t size = sizeof head + number.count * sizeof *number.at + text.count * sizeof *length;
	for (unsigned i = 0; i < text.count; i++) {
		const bool is_there = text.at[i].bytes;
		length[i] = is_there ? (uint32_t)text.at[i].length : ABSENT;
		size += is_there * (text.at[i].length + 1);
	}
	buf_reserve(out, size);
	unsigned char *to = bytes_put(out->data + out->length, &head, sizeof head);
	to = bytes_put(to, number.at, number.count * sizeof *number.at);
	to = bytes_put(to, length, text.count * sizeof *length);
	for (unsigned i = 0; i < text.count; i++)
		if (text.at[i].bytes) {
			to = bytes_put(to, text.at[i].bytes, text.at[i].length);
			*to++ = '\0';
		}
	out->length += size;
}

size_t record_read(const char *bytes, struct record_fields *f)
{
	struct head head;
	uint32_t n;
	memcpy(&head, bytes, sizeof head);
	const char *length = bytes + sizeof head + head.numbers * sizeof *f->number, *p = length + head.texts * sizeof n;
	f->type = head.type;
	memcpy(f->number, bytes + sizeof head, head.numbers * sizeof *f->number);
	for (unsigned i = 0; i < head.texts; i++, length += sizeof n) {
		memcpy(&n, length, sizeof n);
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

bool record_tail(const struct source *file, uint64_t offset, int64_t *tail)
{
	char bytes[TAIL_SIZE];
	size_t n = size_within(TAIL_SIZE, offset);
	ssize_t got = source_read_at(file, offset - n, bytes, n);
	if (got != (ssize_t)n)
		return false;
	const struct hash128 hash = siphash((struct hash128){ 0, 0 }, bytes, n);
	memcpy(tail, &hash.low, sizeof *tail);
	return true;
}
