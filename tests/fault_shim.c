/* For LD_PRELOAD: makes one call fail, or all from one on.  FAULT is "alloc", "large-alloc" (more than 50,000 bytes), a
 * call ("read", "open" ...), "any" of them but allocations, or "short-read", "short-pread", "short-write"; FAULT_AT the
 * number of the call, from 1; FAULT_ALL is set for all calls from it on, FAULT_ERROR is the errno.  With FAULT=trickle,
 * reads give FAULT_AT bytes at most, and the input pauses before each.  With FAULT_FOLDER nothing can be written to whose
 * path does not begin with it, so far as access() is asked. */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

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

/* How many bytes an input gives between two pauses, 0 without FAULT=trickle. */
static size_t trickle(void)
{
	const char *fault = getenv("FAULT"), *at = getenv("FAULT_AT");
	return fault && at && !strcmp(fault, "trickle") ? (size_t)atol(at) : 0;
}

static bool no_memory(size_t size)
{
	return fails("alloc", ENOMEM) || (size > 50000 && fails("large-alloc", ENOMEM));
}

void *malloc(size_t size)
{
	return no_memory(size) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return no_memory(count * size) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
	return no_memory(size) ? NULL : __libc_realloc(block, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
	void *got = no_memory(size) ? NULL : __libc_memalign(alignment, size);
	if (got)
		*block = got;
	return got ? 0 : ENOMEM;
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
	if (trickle() && trickle() < size)
		size = trickle();
	return next(fd, bytes, size && fails("short-read", 0) ? size / 2 + size % 2 : size);
}

int poll(struct pollfd *inputs, nfds_t count, int milliseconds)
{
	static atomic_long calls;
	NEXT(int, poll, (struct pollfd *, nfds_t, int));
	return trickle() && calls++ % 2 == 0 ? 0 : next(inputs, count, milliseconds);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	NEXT(ssize_t, write, (int, const void *, size_t));
	if (breaks("write", EAGAIN) && fd != STDERR_FILENO)
		return -1;
	return next(fd, bytes, size && fails("short-write", 0) ? size / 2 + size % 2 : size);
}

/* A function that fails as the call of that name. */
#define FAILS(type, name, parameters, pass, call, error, failure) \
	type name parameters \
	{ \
		NEXT(type, name, parameters); \
		return breaks(call, error) ? failure : next pass; \
	}
FAILS(int, open64, (const char *path, int flags, mode_t mode), (path, flags, mode), "open", EMFILE, -1)
FAILS(int, __open64_2, (const char *path, int flags), (path, flags), "open", EMFILE, -1)
FAILS(int, openat64, (int fd, const char *path, int flags, mode_t mode), (fd, path, flags, mode), "open", EMFILE, -1)
FAILS(void *, fopen64, (const char *path, const char *mode), (path, mode), "open", EMFILE, NULL)
FAILS(void *, fdopen, (int fd, const char *mode), (fd, mode), "fdopen", ENOMEM, NULL)
FAILS(size_t, fread, (void *to, size_t size, size_t count, void *file), (to, size, count, file), "fread", EIO, 0)
FAILS(int, mkstemp64, (char *path), (path), "open", EMFILE, -1)
FAILS(int, stat64, (const char *path, void *to), (path, to), "stat", EIO, -1)
FAILS(int, lstat64, (const char *path, void *to), (path, to), "stat", EIO, -1)
FAILS(int, fstat64, (int fd, void *to), (fd, to), "stat", EIO, -1)
FAILS(int, fstatat64, (int fd, const char *path, void *to, int flags), (fd, path, to, flags), "stat", EIO, -1)
FAILS(void *, opendir, (const char *path), (path), "opendir", EMFILE, NULL)
FAILS(void *, fdopendir, (int fd), (fd), "opendir", ENOMEM, NULL)
FAILS(void *, readdir64, (void *folder), (folder), "readdir", EIO, NULL)
FAILS(int, renameat, (int from, const char *old, int to, const char *new), (from, old, to, new), "rename", ENOSPC, -1)
FAILS(int, rename, (const char *old, const char *new), (old, new), "rename", ENOSPC, -1)
FAILS(int, mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode), "mkdir", ENOSPC, -1)
FAILS(int, mkdir, (const char *path, mode_t mode), (path, mode), "mkdir", ENOSPC, -1)
FAILS(int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags), "unlink", EACCES, -1)
FAILS(int, fsync, (int fd), (fd), "fsync", EIO, -1)
FAILS(int, pipe, (int ends[2]), (ends), "pipe", EMFILE, -1)
FAILS(int, socketpair, (int domain, int type, int protocol, int ends[2]), (domain, type, protocol, ends), "pipe",
      EMFILE, -1)
FAILS(pid_t, fork, (void), (), "fork", EAGAIN, -1)
FAILS(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options), "wait", ECHILD, -1)
FAILS(int, tcgetattr, (int fd, void *to), (fd, to), "modes", EIO, -1)
FAILS(int, tcsetattr, (int fd, int when, const void *modes), (fd, when, modes), "modes", EIO, -1)
FAILS(off64_t, lseek64, (int fd, off64_t offset, int from), (fd, offset, from), "seek", ESPIPE, -1)
FAILS(int, posix_spawnp, (pid_t *pid, const char *file, const void *actions, const void *attributes,
      char *const *arguments, char *const *environment),
      (pid, file, actions, attributes, arguments, environment), "spawn", EAGAIN, EAGAIN)
/* PCRE2 reaches its match limit, -47. */
FAILS(int, pcre2_match_8, (const void *code, const void *text, size_t n, size_t at, uint32_t options, void *data,
      void *limits), (code, text, n, at, options, data, limits), "match", 0, -47)

int access(const char *path, int mode)
{
	NEXT(int, access, (const char *, int));
	const char *only = getenv("FAULT_FOLDER");
	if (!only || !(mode & W_OK) || !strncmp(path, only, strlen(only)))
		return next(path, mode);
	errno = EACCES;
	return -1;
}

/* memfd_create and the sandbox; under a name of its own here, because unistd.h declares it with `...`. */
long raw_call(long number, long a, long b, long c, long d, long e) __asm__("syscall");
long raw_call(long number, long a, long b, long c, long d, long e)
{
	NEXT(long, syscall, (long, long, long, long, long, long));
	return breaks("syscall", ENOSYS) ? -1 : next(number, a, b, c, d, e);
}
