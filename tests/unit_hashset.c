/* Unit tests of src/text/hashset: values, the limit, growth, reset, and memory that runs out. */
#include "check.h"
#include "text/hashset.h"

static enum hashset_answer add(struct hashset *s, uint64_t number, uint32_t *value)
{
	return hashset_add(s, siphash((struct hash128){ 1, 2 }, &number, sizeof number), value);
}

static void *no_memory(void *context, size_t size) { return *(bool *)context ? NULL : malloc(size); }
static void release(void *context, void *block) { (void)context, free(block); }
static void *no_resize(void *context, void *block, size_t size) { return (void)context, (void)block, (void)size, NULL; }

int main(void)
{
	bool refuse = false;
	urlsift_allocator alloc = { no_memory, no_resize, release, &refuse };
	struct hashset s;
	hashset_init(&s, &alloc, 1000);
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0, value; i < 1000; i++) {
			value = 3 * i;
			CHECK(add(&s, i, &value) == HASHSET_NEW);
			value = 7;
			CHECK(add(&s, i / 2, &value) == HASHSET_KNOWN && value == i / 2 * 3);
		}
		uint32_t value = 5;
		CHECK(add(&s, 1000, &value) == HASHSET_FULL && add(&s, 999, &value) == HASHSET_KNOWN && value == 2997);
		CHECK((s.mask + 1) * 3 / 2 * sizeof *s.slots <= hashset_memory_bound(1000));
		hashset_reset(&s);
	}
	uint32_t value = 1;
	CHECK(hashset_add(&s, (struct hash128){ 0, 0 }, &value) == HASHSET_NEW);
	CHECK(hashset_add(&s, (struct hash128){ 0, 0 }, &value) == HASHSET_KNOWN);
	hashset_fini(&s);
	refuse = true;
	CHECK(add(&s, 1, &value) == HASHSET_NO_MEMORY && s.count == 0);
	refuse = false;
	CHECK(add(&s, 1, &value) == HASHSET_NEW);
	hashset_reset(&s);
	CHECK(add(&s, 1, &value) == HASHSET_NEW);
	hashset_fini(&s);
	return check_end();
}
