#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is appended to the file it is read from would never end. */
static bool is_output(const struct stat *in)
{
	struct stat out;
	return S_ISREG(in->st_mode) && !fstat(STDOUT_FILENO, &out) && in->st_dev == out.st_dev &&
	       in->st_ino == out.st_ino;
}

int source_open(const char *name, const char **why)
{
	struct stat status;
	int fd = strcmp(name, "-") ? open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO;
	if (fd < 0 || fstat(fd, &status)) {
		*why = strerror(errno);
	} else if (S_ISDIR(status.st_mode)) {
		*why = "is a folder: mail folders are not read in this version; name its files";
	} else if (is_output(&status)) {
		*why = "is the file that the output goes to";
	} else {
#ifdef POSIX_FADV_SEQUENTIAL
		if (S_ISREG(status.st_mode))
			posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
		return fd;
	}
	source_close(fd);
	return -1;
}

void source_close(int fd)
{
	if (fd > STDIN_FILENO)
		close(fd);
}

/* Tells the sink when a read would have to wait, as on a terminal or a slow
 * pipe, so that what was found so far can be shown. */
static void wait_for(int fd, const struct source_sink *sink)
{
	struct pollfd input = { .fd = fd, .events = POLLIN };
	if (poll(&input, 1, 0) == 0) {
		sink->idle(sink->user);
		poll(&input, 1, -1);
	}
}

int source_read(int fd, void *block, const struct source_sink *sink)
{
	struct stat status;
	bool waits = !fstat(fd, &status) && !S_ISREG(status.st_mode);
	for (;;) {
		if (waits)
			wait_for(fd, sink);
		ssize_t n = read(fd, block, SOURCE_BLOCK);
		if (n > 0) {
			if (!sink->bytes(sink->user, block, (size_t)n))
				return 0;
		} else if (n == 0) {
			return 0;
		} else if (errno != EINTR && errno != EAGAIN) {
			return errno;
		}
	}
}
