#include "descriptor.h"

#include "memory.h"

#include "text/ascii.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int descriptor_close(int *descriptor)
{
	const int error = errno_if(*descriptor >= 0 && close(*descriptor));
	*descriptor = DESCRIPTOR_NONE;
	return error;
}

ssize_t descriptor_read(int descriptor, void *to, size_t n)
{
	ssize_t got;
	do
		got = read(descriptor, to, n);
	while (got < 0 && errno == EINTR);
	return got;
}

ssize_t descriptor_read_at(int descriptor, uint64_t at, void *to, size_t n)
{
	size_t used = 0;
	for (ssize_t k = 1; used < n && k != 0; used += bytes_moved(k)) {
		k = pread(descriptor, (char *)to + used, n - used, (off_t)(at + used));
		if (k < 0 && errno != EINTR && errno != EAGAIN)
			return -1;
	}
	return (ssize_t)used;
}

int descriptor_lock(int descriptor)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	if (!fcntl(descriptor, F_SETLK, &all))
		return 0;
	return errno == EACCES ? EAGAIN : errno;
}

/* The ends are there unless the call that makes them has failed. */
static bool close_on_exec(int failed, int ends[2])
{
	for (int i = 0; !failed && i < 2; i++)
		fcntl(ends[i], F_SETFD, FD_CLOEXEC);
	return !failed;
}

bool descriptor_pipe(int ends[2]) { return close_on_exec(pipe(ends), ends); }

bool descriptor_connect(int ends[2]) { return close_on_exec(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), ends); }

FILE *descriptor_file_open(const char *name)
{
	if (!strcmp(name, "-"))
		return stdin;
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	if (!file)
		descriptor_close(&fd);
	return file;
}

void descriptor_file_close(FILE **file)
{
	if (*file && *file != stdin)
		fclose(*file);
	*file = NULL;
}

bool process_wait(pid_t id, int *status)
{
	pid_t done;
	*status = 0;
	do
		done = id > 0 ? waitpid(id, status, 0) : 0;
	while (done < 0 && errno == EINTR);
	return done > 0;
}

int process_exit_status(pid_t id, int otherwise)
{
	int status;
	return process_wait(id, &status) && WIFEXITED(status) ? WEXITSTATUS(status) : otherwise;
}

bool program_find(const char *name, char *path, size_t size)
{
	const char *folder = strchr(name, '/') ? "" : text_or(getenv("PATH"), "/usr/bin:/bin");
	for (const char *end; folder; folder = *end ? end + 1 : NULL) {
		end = folder + strcspn(folder, ":");
		const int length = snprintf(path, size, "%.*s%s%s", (int)(end - folder), folder, text_if(end > folder, "/"),
		                            name);
		if (length < (int)size && !access(path, X_OK))
			return true;
	}
	return false;
}
