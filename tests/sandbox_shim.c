/* For LD_PRELOAD: what a parser that was taken over would try.  When the command first reads a text with
 * "example" in it, each attempt is made, and one that succeeds is reported on standard error: "sandbox: WHAT". */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(const char *what)
{
	dprintf(STDERR_FILENO, "sandbox: %s\n", what);
}

static void try_files(void)
{
	const char *secret = getenv("SANDBOX_SECRET"), *planted = getenv("SANDBOX_PLANTED");
	if (open(secret, O_RDONLY | O_CLOEXEC) >= 0)
		report("read");
	if (open(planted, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0)
		report("create");
	if (open(secret, O_WRONLY | O_APPEND | O_CLOEXEC) >= 0)
		report("write");
	if (!truncate(secret, 1))
		report("truncate");
	if (!unlink(secret))
		report("remove");
	char folder[4096];
	snprintf(folder, sizeof folder, "%s.d", planted);
	if (!mkdir(folder, 0700))
		report("mkdir");
}

/* A child process has the same rights. */
static void try_processes(void)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(9);
	}
	if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		report("exec");
	if (ioctl(STDERR_FILENO, TIOCSTI, "x") && errno != EPERM) /* standard error is not a terminal */
		report("type");
	if (!ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		report("ptrace");
}

static void try_network(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9), .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	if (s >= 0)
		report("socket");
	if (s >= 0 && !connect(s, (struct sockaddr *)&to, sizeof to))
		report("connect");
	if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
		report("unix");
}

static void try_all(const void *bytes, ssize_t n)
{
	static int tried;
	if (n <= 0 || !memmem(bytes, (size_t)n, "example", 7) || !getenv("SANDBOX_SECRET") || tried++)
		return;
	report("tried");
	try_files();
	try_network();
	try_processes();
}

ssize_t read(int fd, void *bytes, size_t size)
{
	ssize_t (*next)(int, void *, size_t) = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
	ssize_t n = next(fd, bytes, size);
	try_all(bytes, n);
	return n;
}

size_t fread(void *bytes, size_t size, size_t count, FILE *file)
{
	typedef size_t function(void *, size_t, size_t, FILE *);
	function *next = (function *)dlsym(RTLD_NEXT, "fread");
	size_t n = next(bytes, size, count, file);
	try_all(bytes, (ssize_t)(n * size));
	return n;
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset)
{
	ssize_t (*next)(int, void *, size_t, off64_t) = (ssize_t (*)(int, void *, size_t, off64_t))dlsym(RTLD_NEXT,
		"pread64");
	ssize_t n = next(fd, bytes, size, offset);
	try_all(bytes, n);
	return n;
}
