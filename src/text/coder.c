#include "decode.h"
#include "unicode.h"

#include <errno.h>
#include <string.h>

#ifndef URLSIFT_WITH_ICONV
static iconv_t iconv_open(const char *to, const char *from)
{
	(void)to, (void)from;
	return (iconv_t)-1;
}

static size_t iconv(iconv_t set, char **from, size_t *left, char **to, size_t *room)
{
	(void)set, (void)from, (void)left, (void)to, (void)room;
	return (size_t)-1;
}

static int iconv_close(iconv_t set)
{
	(void)set;
	return -1;
}
#endif

/* A slot for each pair of bytes; longer characters take the slot that their bytes hash to.  text[0] is 0 where there is
 * no text; text[1] then distinguishes CODER_MORE from malformed. */
struct coder_memo {
	uint32_t key; /* set << 24 | the bytes; 0: empty */
	uint8_t text[4];
};
enum { SLOTS = 1 << 15 };

void coder_init(struct coder *c, const urlsift_allocator *alloc)
{
	*c = (struct coder){ .alloc = alloc };
}

void coder_fini(struct coder *c)
{
	while (c->sets)
		iconv_close(c->set[--c->sets]);
	alloc_put(c->alloc, c->memo);
	c->memo = NULL;
}

urlsift_status coder_open(struct coder *c, const struct charset_row *row)
{
	if (row->coding == CODING_MULTI && !c->memo) {
		c->memo = alloc_get(c->alloc, SLOTS * sizeof *c->memo);
		if (!c->memo)
			return URLSIFT_NO_MEMORY;
	}
	/* Where glibc had no memory to load the converter, it says EINVAL, and ENOMEM only when asked again. */
	for (int again = 0; again < 2; again++)
		for (const char *name = row->names; *name; name = charset_name_next(name)) {
			errno = 0;
			iconv_t set = iconv_open("UTF-8", name);
			if (set != (iconv_t)-1) {
				c->set[c->sets++] = set;
				return URLSIFT_OK;
			}
			if (errno == ENOMEM)
				return URLSIFT_NO_MEMORY;
		}
	return URLSIFT_BAD_CHARSET;
}

/* Each conversion starts from the initial state and ends with a flush: some converters hold back a character that might
 * combine with the next. */
static uint8_t convert(iconv_t set, const uint8_t *p, size_t n, uint8_t text[4])
{
	char in[CODER_LONGEST], out[16];
	char *from = in, *to = out;
	size_t left = n, room = sizeof out;
	memcpy(in, p, n);
	iconv(set, NULL, NULL, NULL, NULL);
	/* The second argument is `char **` or `const char **`, by platform; a void pointer converts to either. */
	size_t result = iconv(set, (void *)&from, &left, &to, &room);
	if (result == (size_t)-1 && errno == EINVAL)
		return CODER_MORE;
	if (result || iconv(set, NULL, NULL, &to, &room) == (size_t)-1)
		return 0;
	size_t size = sizeof out - room;
	if (size > 4)
		return 0;
	for (size_t i = 0, k; i < size; i += k) {
		uint32_t cp;
		bool cut;
		k = utf8_sequence((uint8_t *)out + i, size - i, &cp, &cut);
		if (!k)
			return 0;
	}
	memcpy(text, out, size);
	return (uint8_t)size;
}

bool coder_keeps(struct coder *c, const uint8_t *p, size_t n)
{
	char in[CODER_KEEPS], out[CODER_KEEPS];
	char *from = in, *to = out;
	size_t left = n, room = sizeof out;
	memcpy(in, p, n);
	iconv(c->set[0], NULL, NULL, NULL, NULL);
	return iconv(c->set[0], (void *)&from, &left, &to, &room) == 0 && sizeof out - room == n &&
	       !memcmp(p, out, n);
}

uint8_t coder_ask(struct coder *c, size_t set, const uint8_t *p, size_t n, uint8_t text[4])
{
	if (n == 1)
		return convert(c->set[set], p, n, text);
	uint32_t key = 0;
	for (size_t i = 0; i < n; i++)
		key = key << 8 | p[i];
	const size_t slot = n == 2 ? key & (SLOTS - 1) : key * 2654435761u >> 17;
	struct coder_memo *memo = &c->memo[slot];
	const uint64_t page = (uint64_t)1 << slot / (SLOTS / 64); /* of memory, where it has 4 KiB */
	if (!(c->written & page)) {
		*memo = (struct coder_memo){ 0 };
		c->written |= page;
	}
	key |= (uint32_t)set << 24; /* characters of four bytes are in set 0 only */
	if (memo->key != key) {
		uint8_t fresh[4] = { 0 };
		uint8_t size = convert(c->set[set], p, n, fresh);
		fresh[1] |= size == CODER_MORE;
		memo->key = key;
		memcpy(memo->text, fresh, sizeof fresh);
	}
	memcpy(text, memo->text, 4);
	if (!text[0])
		return text[1] ? CODER_MORE : 0;
	return (uint8_t)(1 + !!text[1] + !!text[2] + !!text[3]);
}

size_t coder_memory_bound(void)
{
	return SLOTS * sizeof(struct coder_memo);
}
