/* Packed input: any bytes are read to an end or to a fault, and the result does not depend on the sizes of the
 * reads, from 512 bytes on, by which the form is known.  The first byte is added to that size. */
#include "fuzz.h"

#include "input/decompress.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4 << 20, CONTENTS = 50 };

struct bytes {
	const uint8_t *data;
	size_t n, at, most;
};

static ssize_t read_bytes(void *user, void *block, size_t size)
{
	struct bytes *b = user;
	size_t left = b->n - b->at, n = size < b->most ? size : b->most;
	n = n < left ? n : left;
	memcpy(block, b->data + b->at, n);
	b->at += n;
	return (ssize_t)n;
}

struct result {
	size_t contents, faults, bytes;
	uint64_t hash;
};

static uint64_t mix(uint64_t hash, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (uint8_t)bytes[i]) * 0x100000001b3;
	return hash;
}

static void read_content(struct source *s, char *block, size_t n, struct result *r)
{
	ssize_t more = (ssize_t)n;
	for (; more > 0 && r->bytes < MOST; more = source_read(s, block, SOURCE_BLOCK)) {
		r->hash = mix(r->hash, block, (size_t)more);
		r->bytes += (size_t)more;
	}
	struct packed_content c;
	if (more < 0) {
		if (errno != SOURCE_PACKED || (unpacker_fault(s, &c) == UNPACKED_FAULT && !*c.why))
			abort();
		r->faults++;
	}
}

static struct result unpack(struct unpacker *u, const uint8_t *data, size_t n, size_t most)
{
	static char block[SOURCE_BLOCK + SOURCE_DETECT_ROOM];
	struct bytes b = { data, n, 0, most };
	struct source s = { .fd = -1, .read = read_bytes, .layer = &b };
	struct result r = { .contents = 0 };
	const struct packed_form *form;
	struct packed_content c;
	enum unpacked what;
	size_t have;
	if (!unpacker_detect(&s, block, &have, &form) || !form)
		return r;
	unpacker_begin(u, &s, form, block, have);
	while (r.contents < CONTENTS && r.bytes < MOST && (what = unpacker_next(u, &c)) != UNPACKED_END) {
		r.contents++;
		if (c.member)
			r.hash = mix(r.hash, c.member, strlen(c.member));
		if (what == UNPACKED_CONTENT)
			read_content(c.source, block, c.n, &r);
		else
			r.faults++;
	}
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct unpacker *u;
	if (!u && !(u = unpacker_new(250, UNPACK_NEST, NULL, NULL)))
		abort();
	if (size == 0)
		return 0;
	struct result a = unpack(u, data + 1, size - 1, SOURCE_BLOCK), b = unpack(u, data + 1, size - 1, 512 + data[0]);
	if (!a.faults != !b.faults || (!a.faults && a.bytes < MOST && (a.hash != b.hash || a.contents != b.contents)))
		abort();
	return 0;
}
