#include "unique.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct unique {
	urlsift_allocator alloc;
	struct hash128 key;
	struct hashset set;
};

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
	u->alloc = alloc_from(NULL);
	u->key = random_key();
	hashset_init(&u->set, &u->alloc, limit < SIZE_MAX ? (size_t)limit : SIZE_MAX);
	return u;
}

void unique_free(struct unique *u)
{
	if (!u)
		return;
	hashset_fini(&u->set);
	free(u);
}

bool unique_hash(const struct unique *u, const urlsift_link *link, struct room *room, struct hash128 *hash)
{
	size_t n = room_put_form(room, urlsift_link_normal, link);
	*hash = siphash(u->key, room->data, n);
	return n != 0;
}

enum unique_answer unique_add(struct unique *u, struct hash128 hash)
{
	uint32_t value = 0;
	switch (hashset_add(&u->set, hash, &value)) {
	case HASHSET_NEW:
		return UNIQUE_NEW;
	case HASHSET_KNOWN:
		return UNIQUE_SEEN;
	default:
		return UNIQUE_FULL;
	}
}
