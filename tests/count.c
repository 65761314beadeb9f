/* Counts the work of a program whose code is built with -fsanitize-coverage=trace-pc: the basic blocks it enters, and
 * of what functions of the C library pass over, one for each 16 bytes.  URLSIFT_COUNT names a file of 8 bytes or more
 * that holds the number, in the order of the machine; all processes of the program add to it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "count.h"

enum { BYTES = 16 }; /* that count as a block */

uint64_t *count_of_work = &(uint64_t){0};

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	++*count_of_work;
}

__attribute__((constructor)) static void map_count(void)
{
	const char *name = getenv("URLSIFT_COUNT");
	const int file = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
	if (file < 0)
		return;
	void *shared = mmap(NULL, sizeof *count_of_work, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	if (shared != MAP_FAILED)
		count_of_work = shared;
}

/* The functions that the linker puts in place of those of the C library, and these (--wrap). */
#define WRAPPED(type, name, ...) \
	type __real_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__)

static void passed(size_t bytes)
{
	*count_of_work += bytes / BYTES;
}

/* The bytes from the first to the one found, or all. */
static size_t up_to(const void *first, const void *found, size_t all)
{
	return found ? (size_t)((const char *)found - (const char *)first) : all;
}

WRAPPED(void *, memchr, const void *p, int c, size_t n)
{
	void *found = __real_memchr(p, c, n);
	passed(up_to(p, found, n));
	return found;
}

WRAPPED(void *, memrchr, const void *p, int c, size_t n)
{
	void *found = __real_memrchr(p, c, n);
	passed(n - (found ? up_to(p, found, n) : 0));
	return found;
}

WRAPPED(void *, memmem, const void *p, size_t n, const void *word, size_t length)
{
	void *found = __real_memmem(p, n, word, length);
	passed(up_to(p, found, n));
	return found;
}

WRAPPED(int, memcmp, const void *a, const void *b, size_t n)
{
	passed(n);
	return __real_memcmp(a, b, n);
}

WRAPPED(void *, memcpy, void *to, const void *from, size_t n)
{
	passed(n);
	return __real_memcpy(to, from, n);
}

WRAPPED(void *, memmove, void *to, const void *from, size_t n)
{
	passed(n);
	return __real_memmove(to, from, n);
}

WRAPPED(void *, memset, void *to, int c, size_t n)
{
	passed(n);
	return __real_memset(to, c, n);
}

WRAPPED(size_t, strlen, const char *text)
{
	const size_t n = __real_strlen(text);
	passed(n);
	return n;
}
