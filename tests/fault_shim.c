/* For LD_PRELOAD: makes one call fail, or all from one on.  FAULT is "alloc", "pread", "short-pread" or "write" (EAGAIN),
 * FAULT_AT the number of the call, from 1; FAULT_ALL is set for all calls from it on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static bool fails(const char *call, int error)
{
	static atomic_long calls;
	const char *fault = getenv("FAULT"), *at = getenv("FAULT_AT");
	if (!fault || !at || strcmp(fault, call))
		return false;
	long n = ++calls, wanted = atol(at);
	if (n != wanted && !(n > wanted && getenv("FAULT_ALL")))
		return false;
	errno = error;
	return true;
}

void *malloc(size_t size)
{
	return fails("alloc", ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails("alloc", ENOMEM) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
	return fails("alloc", ENOMEM) ? NULL : __libc_realloc(block, size);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset)
{
	ssize_t (*next)(int, void *, size_t, off64_t) = (ssize_t (*)(int, void *, size_t, off64_t))dlsym(RTLD_NEXT,
		"pread64");
	if (fails("pread", EIO))
		return -1;
	return next(fd, bytes, fails("short-pread", 0) ? size / 2 + 1 : size, offset);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	ssize_t (*next)(int, const void *, size_t) = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	return fails("write", EAGAIN) ? -1 : next(fd, bytes, size);
}
