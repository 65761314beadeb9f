/* What the unit tests share: checks that are counted, an allocator that counts and fails on
 * demand, and random bits that are the same in every run. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include "urlsift.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long passed, failed;

/* Counts a check and prints a message for one that failed, the first 50 of a program.  Returns ok. */
#ifdef __GNUC__
__attribute__((format(printf, 4, 5)))
#endif
static inline bool check_at(bool ok, const char *file, int line, const char *format, ...)
{
	if (ok) {
		passed++;
	} else if (failed++ < 50) {
		va_list values;
		va_start(values, format);
		printf("%s:%d: ", file, line);
		vprintf(format, values);
		putchar('\n');
		va_end(values);
	}
	return ok;
}
#define CHECK(condition) check_at((condition), __FILE__, __LINE__, "%s", #condition)
/* Names the case that is at fault as well. */
#define CHECK_FOR(condition, name) check_at((condition), __FILE__, __LINE__, "%s: %s", (name), #condition)
/* The same with a message of printf. */
#define CHECK_THAT(condition, ...) check_at((condition), __FILE__, __LINE__, __VA_ARGS__)

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
