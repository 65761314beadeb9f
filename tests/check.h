/* What the unit tests share: cases that are counted, an allocator that counts and fails on
 * demand, and random bits that are the same in every run. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include "urlsift.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* A case is a line of a test with a name: what a loop compares there under one name counts once. */
struct check_case { uint64_t key; bool failed; };
enum { CHECK_CASES = 1 << 16 };
static struct check_case check_cases[CHECK_CASES];
static unsigned long passed, failed; /* cases */

static inline struct check_case *check_case_of(const char *file, int line, const char *name)
{
	uint64_t key = ((uint64_t)(uintptr_t)file ^ (uint64_t)line) * 1099511628211u;
	for (; name && *name; name++)
		key = (key ^ (unsigned char)*name) * 1099511628211u;
	size_t i = (size_t)(key >> 40) % CHECK_CASES;
	while (check_cases[i].key && check_cases[i].key != key)
		i = (i + 1) % CHECK_CASES;
	if (!check_cases[i].key) {
		if (++passed > CHECK_CASES / 2)
			abort();
		check_cases[i].key = key;
	}
	return &check_cases[i];
}

/* Counts a check of the case, whose name may be NULL, and prints a message for one that failed, the first 50 of a
 * program.  Returns ok.  With URLSIFT_STOP in the environment the program ends there. */
#ifdef __GNUC__
__attribute__((format(printf, 5, 6)))
#endif
static inline bool check_at(bool ok, const char *file, int line, const char *name, const char *format, ...)
{
	static int shown;
	struct check_case *c = check_case_of(file, line, name);
	if (ok)
		return true;
	passed -= !c->failed;
	failed += !c->failed;
	c->failed = true;
	if (getenv("URLSIFT_STOP")) {
		printf("%s:%d: the first failure\n", file, line);
		fflush(stdout);
		_Exit(1);
	}
	if (shown++ < 50) {
		va_list values;
		va_start(values, format);
		printf("%s:%d: %s%s", file, line, name ? name : "", name ? ": " : "");
		vprintf(format, values);
		putchar('\n');
		va_end(values);
	}
	return false;
}
#define CHECK(condition) check_at((condition), __FILE__, __LINE__, NULL, "%s", #condition)
/* Names the case, such as the row of a table. */
#define CHECK_FOR(condition, name) check_at((condition), __FILE__, __LINE__, (name), "%s", #condition)
/* Takes a message of printf. */
#define CHECK_THAT(condition, ...) check_at((condition), __FILE__, __LINE__, NULL, __VA_ARGS__)

/* Whether the run is one of `make check-long`. */
static inline bool run_is_long(void) { return getenv("URLSIFT_LONG") != NULL; }

/* Whether the run is one of `make check-fast`. */
static inline bool run_is_fast(void) { return getenv("URLSIFT_FAST") != NULL; }

/* How many of n texts that are drawn one after the other: an eighth in `make check-fast`. */
static inline unsigned run_rounds(unsigned n) { return run_is_fast() ? n / 8 : n; }

/* The last line of a test program and its exit status. */
static inline int check_end(void)
{
	printf("%lu passed, %lu failed\n", passed, failed);
	return failed > 0;
}

static inline uint32_t random_bits(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Counts of an allocator.  Allocations and reallocations are calls, from 1. */
struct counting {
	size_t calls, fail_at; /* the call that fails; 0 for none */
	bool lasting;          /* every later call fails too */
	size_t failures;
	size_t blocks;         /* allocated now */
	size_t live, peak;     /* bytes allocated now, and at most */
	size_t largest;        /* bytes of the largest call */
};

/* Each block is preceded by its size. */
static inline void *counting_reallocate(void *context, void *old, size_t size)
{
	struct counting *c = context;
	size_t *block = old ? (size_t *)old - 2 : NULL, before = block ? *block : 0;
	c->calls++;
	if (c->fail_at && (c->calls == c->fail_at || (c->lasting && c->calls > c->fail_at))) {
		c->failures++;
		return NULL;
	}
	block = realloc(block, size + 2 * sizeof *block);
	if (!block)
		abort();
	*block = size;
	c->blocks += !old;
	c->live += size - before;
	c->peak = c->peak > c->live ? c->peak : c->live;
	c->largest = c->largest > size ? c->largest : size;
	return block + 2;
}

static inline void *counting_allocate(void *context, size_t size) { return counting_reallocate(context, NULL, size); }

static inline void counting_release(void *context, void *old)
{
	struct counting *c = context;
	size_t *block = (size_t *)old - 2;
	c->live -= *block;
	c->blocks--;
	free(block);
}

static inline urlsift_allocator counting_allocator(struct counting *c)
{
	return (urlsift_allocator){counting_allocate, counting_reallocate, counting_release, c};
}

#endif
