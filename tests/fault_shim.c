/* For LD_PRELOAD: makes one call fail, or all from one on.  FAULT is "alloc", a call ("read", "open" ...), "any" of
 * them but allocations, or "short-read", "short-pread", "short-write"; FAULT_AT the number of the call, from 1;
 * FAULT_ALL is set for all calls from it on, FAULT_ERROR is the errno. */
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

/* The named function of the next library. */
#define NEXT(result, name, parameters) result (*next) parameters = (result (*) parameters)dlsym(RTLD_NEXT, #name)

/* A call of the name fails, or any with FAULT=any; the error is FAULT_ERROR, or the one given. */
static bool breaks(const char *call, int error)
{
	const char *wanted = getenv("FAULT_ERROR");
	return fails(call, wanted ? atoi(wanted) : error) || fails("any", wanted ? atoi(wanted) : error);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset)
{
	NEXT(ssize_t, pread64, (int, void *, size_t, off64_t));
	if (breaks("pread", EIO))
		return -1;
	return next(fd, bytes, size && fails("short-pread", 0) ? size / 2 + size % 2 : size, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset)
{
	NEXT(ssize_t, pwrite64, (int, const void *, size_t, off64_t));
	return breaks("pwrite", ENOSPC) ? -1 : next(fd, bytes, size, offset);
}

ssize_t read(int fd, void *bytes, size_t size)
{
	NEXT(ssize_t, read, (int, void *, size_t));
	if (breaks("read", EIO))
		return -1;
	return next(fd, bytes, size && fails("short-read", 0) ? size / 2 + size % 2 : size);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	NEXT(ssize_t, write, (int, const void *, size_t));
	if (breaks("write", EAGAIN) && fd != STDERR_FILENO)
		return -1;
	return next(fd, bytes, size && fails("short-write", 0) ? size / 2 + size % 2 : size);
}

#define OPEN(name, parameters, pass) \
	int name parameters \
	{ \
		NEXT(int, name, parameters); \
		return breaks("open", EMFILE) ? -1 : next pass; \
	}
OPEN(open64, (const char *path, int flags, mode_t mode), (path, flags, mode))
OPEN(__open64_2, (const char *path, int flags), (path, flags))
OPEN(openat64, (int fd, const char *path, int flags, mode_t mode), (fd, path, flags, mode))
#define STAT(name, parameters, pass) \
	int name parameters \
	{ \
		NEXT(int, name, parameters); \
		return breaks("stat", EIO) ? -1 : next pass; \
	}
STAT(stat64, (const char *path, void *to), (path, to))
STAT(lstat64, (const char *path, void *to), (path, to))
STAT(fstat64, (int fd, void *to), (fd, to))
STAT(fstatat64, (int fd, const char *path, void *to, int flags), (fd, path, to, flags))

void *opendir(const char *path)
{
	NEXT(void *, opendir, (const char *));
	return breaks("opendir", EMFILE) ? NULL : next(path);
}

void *readdir64(void *folder)
{
	NEXT(void *, readdir64, (void *));
	return breaks("readdir", EIO) ? NULL : next(folder);
}

int renameat(int from, const char *old, int to, const char *new)
{
	NEXT(int, renameat, (int, const char *, int, const char *));
	return breaks("rename", ENOSPC) ? -1 : next(from, old, to, new);
}

int mkdirat(int fd, const char *path, mode_t mode)
{
	NEXT(int, mkdirat, (int, const char *, mode_t));
	return breaks("mkdir", ENOSPC) ? -1 : next(fd, path, mode);
}

int fsync(int fd)
{
	NEXT(int, fsync, (int));
	return breaks("fsync", EIO) ? -1 : next(fd);
}

int pipe(int ends[2])
{
	NEXT(int, pipe, (int *));
	return breaks("pipe", EMFILE) ? -1 : next(ends);
}
