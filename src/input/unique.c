#include "unique.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Open addressing: a hash stands in the first free slot from its own on.  A
 * slot of zeros is free, and no hash is zero. */
struct unique {
	struct hash128 key;
	struct hash128 *slots;
	size_t mask;  /* slots - 1, a power of two */
	size_t count;
	uint64_t limit;
};

enum { FIRST_SLOTS = 1024 };

/* Any key gives the same answers; it only must not be known to who writes the
 * input.  Where the system has no random bytes, the clock has to do. */
static struct hash128 random_key(void)
{
	struct hash128 key = { 0, 0 };
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		ssize_t n = read(fd, &key, sizeof key);
		close(fd);
		if (n == (ssize_t)sizeof key)
			return key;
	}
	struct timespec now = { 0, 0 };
	clock_gettime(CLOCK_REALTIME, &now);
	key.low ^= (uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec;
	key.high ^= (uint64_t)getpid();
	return key;
}

struct unique *unique_new(uint64_t limit)
{
	struct unique *u = calloc(1, sizeof *u);
	if (!u)
		return NULL;
	u->key = random_key();
	u->limit = limit;
	u->mask = FIRST_SLOTS - 1;
	u->slots = calloc(FIRST_SLOTS, sizeof *u->slots);
	if (u->slots)
		return u;
	unique_free(u);
	return NULL;
}

void unique_free(struct unique *u)
{
	if (!u)
		return;
	free(u->slots);
	free(u);
}

static bool is_free(const struct hash128 *slot)
{
	return !slot->low && !slot->high;
}

/* Where the hash stands, or would. */
static struct hash128 *slot_of(struct hash128 *slots, size_t mask, struct hash128 h)
{
	size_t i = (size_t)h.low & mask;
	while (!is_free(&slots[i]) && (slots[i].low != h.low || slots[i].high != h.high))
		i = (i + 1) & mask;
	return &slots[i];
}

/* Room for one more; at most half of the slots are ever taken. */
static bool grow(struct unique *u)
{
	if (u->count >= u->limit)
		return false;
	if (u->count <= u->mask / 2)
		return true;
	size_t mask = u->mask * 2 + 1;
	struct hash128 *slots = calloc(mask + 1, sizeof *slots);
	if (!slots)
		return false;
	for (size_t i = 0; i <= u->mask; i++)
		if (!is_free(&u->slots[i]))
			*slot_of(slots, mask, u->slots[i]) = u->slots[i];
	free(u->slots);
	u->slots = slots;
	u->mask = mask;
	return true;
}

bool unique_hash(const struct unique *u, const urlsift_link *link, struct escape_form *room, struct hash128 *hash)
{
	size_t n = escape_form(room, ESCAPE_NORMAL, link, NULL);
	if (n == 0)
		return false;
	*hash = siphash(u->key, room->data, n);
	hash->low += is_free(hash);
	return true;
}

enum unique_answer unique_add(struct unique *u, struct hash128 h)
{
	if (!is_free(slot_of(u->slots, u->mask, h)))
		return UNIQUE_SEEN;
	if (!grow(u))
		return UNIQUE_FULL;
	*slot_of(u->slots, u->mask, h) = h;
	u->count++;
	return UNIQUE_NEW;
}
