/* For LD_PRELOAD: what a parser that was taken over would try.  SANDBOX_TRY says where: "reader", when the command
 * first reads a text with "example" in it; "helper", in the processes that it forks; or "git", when git begins.  What
 * succeeds is written to standard error when the command ends: "sandbox: WHAT".  With SANDBOX_CALLS every system call
 * is tried by its number; with SANDBOX_CRASH the process crashes.  SANDBOX_LACKS is "landlock" or "seccomp", for a
 * system without it. */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

/* ---- Reports ------------------------------------------------------------------------ */

/* A page of text that forked processes share; git inherits its descriptor.  The byte after it says that a child
 * calls. */
enum { BOARD_FD = 500, PAGE = 65536, BOARD = PAGE - 1 };

static char *board;
static pid_t command; /* 0 in git */

__attribute__((format(printf, 1, 2))) static void report(const char *format, ...)
{
	va_list arguments;
	size_t n = strlen(board);
	va_start(arguments, format);
	n += (size_t)snprintf(board + n, BOARD - n, "sandbox: ");
	n += (size_t)vsnprintf(board + n, BOARD - n, format, arguments);
	va_end(arguments);
	snprintf(board + n, BOARD - n, "\n");
}

/* ---- What is tried ------------------------------------------------------------------ */

static void try_files(void)
{
	const char *secret = getenv("SANDBOX_SECRET"), *planted = getenv("SANDBOX_PLANTED");
	const struct timespec times[2] = { { 1, 0 }, { 1, 0 } };
	struct stat status;
	if (open(secret, O_RDONLY | O_CLOEXEC) >= 0)
		report("read");
	if (open(planted, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0)
		report("create");
	if (open(secret, O_WRONLY | O_APPEND | O_CLOEXEC) >= 0)
		report("write");
	if (!truncate(secret, 1))
		report("truncate");
	if (!chmod(secret, 0777) || !fchmod(STDIN_FILENO, 0777))
		report("chmod");
	if (!stat(secret, &status) && !chown(secret, status.st_uid, status.st_gid))
		report("chown");
	if (!utimensat(AT_FDCWD, secret, times, 0))
		report("utimensat");
	if (!setxattr(secret, "user.a", "a", 1, 0) || errno == EOPNOTSUPP)
		report("setxattr");
	char name[4096];
	snprintf(name, sizeof name, "%s.l", planted);
	if (!link(secret, name) || !symlink(secret, name))
		report("link");
	if (!unlink(secret))
		report("remove");
	snprintf(name, sizeof name, "%s.d", planted);
	if (!mkdir(name, 0700))
		report("mkdir");
}

/* A child process has the same rights. */
static void try_processes(void)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		execle("/bin/true", "true", (char *)NULL, (char *[]){ NULL }); /* without this shim */
		_exit(9);
	}
	if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		report("exec");
	if (ioctl(STDERR_FILENO, TIOCSTI, "x") && errno == ENOTTY) /* standard error is not a terminal */
		report("type");
	/* of itself, which fails: a traced process would stop at its next signal */
	if (!ptrace(PTRACE_ATTACH, getpid(), NULL, NULL) || errno != ENOSYS)
		report("ptrace");
	const pid_t other = command && command != getpid() ? command : getppid();
	if (!kill(other, 0) || !syscall(SYS_tgkill, other, other, 0))
		report("signal");
	if (!fcntl(STDERR_FILENO, F_SETOWN, other))
		report("setown");
	struct rlimit limit = { 0, 0 };
	if (!getrlimit(RLIMIT_CORE, &limit) && !setrlimit(RLIMIT_CORE, &limit))
		report("prlimit");
	if (!unshare(CLONE_FILES))
		report("unshare");
	const long clone = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
	if (clone == 0)
		_exit(0);
	if (clone > 0 || errno == EINVAL || errno == ENOSPC || errno == EUSERS)
		report("namespace");
	if (setpgid(0, 0) == 0)
		report("setpgid");
}

static void try_memory(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page != MAP_FAILED)
		report("code");
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED || !mprotect(page, 4096, PROT_READ | PROT_EXEC))
		report("protect");
	if (syscall(SYS_userfaultfd, O_CLOEXEC) >= 0)
		report("userfaultfd");
	if (syscall(SYS_keyctl, 0, -3, 1) >= 0) /* the session's keyring, created */
		report("keyctl");
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

/* ---- Every call ------------------------------------------------------------------- */

enum { CLOSE_RANGE = 436 };

static const struct {
	long call;
	const char *name;
} names[] = {
#define NAME(call) { SYS_##call, #call }
	NAME(brk), NAME(munmap), NAME(mremap), NAME(madvise), NAME(futex), NAME(exit), NAME(exit_group), NAME(getpid),
	NAME(gettid), NAME(sched_yield), NAME(clock_gettime), NAME(gettimeofday), NAME(getrandom), NAME(restart_syscall),
	NAME(rt_sigaction), NAME(rt_sigprocmask), NAME(rt_sigreturn), NAME(nanosleep), NAME(clock_nanosleep),
	NAME(clock_getres), NAME(sched_getaffinity), NAME(set_robust_list), NAME(getrusage), NAME(sysinfo), NAME(uname),
	NAME(getuid), NAME(geteuid), NAME(getgid), NAME(getegid), NAME(read), NAME(write), NAME(writev), NAME(close),
	NAME(readv), NAME(pread64), NAME(pwrite64), NAME(lseek), NAME(fstat), NAME(dup), NAME(dup3), NAME(ppoll),
	NAME(fadvise64), NAME(getdents64), NAME(fstatfs), NAME(memfd_create), NAME(newfstatat), NAME(statfs),
	NAME(faccessat), NAME(readlinkat), NAME(getcwd), NAME(ftruncate), NAME(fsync), NAME(fdatasync), NAME(fallocate),
	NAME(mkdirat), NAME(unlinkat), NAME(renameat2), NAME(pipe2), NAME(wait4), NAME(waitid), NAME(execve),
	NAME(set_tid_address), NAME(chdir), NAME(getppid), NAME(statx), NAME(rseq), NAME(membarrier), NAME(mmap),
	NAME(mprotect), NAME(openat), NAME(ioctl), NAME(fcntl), NAME(clone), NAME(tgkill), NAME(seccomp), NAME(prlimit64),
#ifdef __x86_64__
	NAME(time), NAME(poll), NAME(dup2), NAME(stat), NAME(lstat), NAME(access), NAME(readlink), NAME(mkdir), NAME(rmdir),
	NAME(unlink), NAME(rename), NAME(pipe), NAME(fork), NAME(vfork), NAME(arch_prctl), NAME(open),
#endif
#ifdef SYS_renameat
	NAME(renameat),
#endif
#ifdef SYS_getrlimit
	NAME(getrlimit),
#endif
	{ 439, "faccessat2" }, { CLOSE_RANGE, "close_range" },
#ifdef SYS_riscv_hwprobe
	NAME(riscv_hwprobe),
#endif
};

static const char *name_of(long call)
{
	static char number[32];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].call == call)
			return names[i].name;
	snprintf(number, sizeof number, "%ld", call);
	return number;
}

enum result { THROUGH, REFUSED, ARGUMENTS }; /* without and with regard to its arguments */

static enum result call_result(long call, long argument)
{
	long result = syscall(call, argument, argument, argument, argument, argument, argument);
	return result != -1 ? THROUGH : errno == ENOSYS ? REFUSED : errno == EPERM ? ARGUMENTS : THROUGH;
}

/* In a child that is given up half a second after it called, when the call has to be one that waits; -1 without one. */
static int in_child(long call, long argument)
{
	enum { STEP = 200 * 1000, STEPS = 2500 };
	volatile char *calls = board + BOARD;
	int status;
	*calls = 0;
	pid_t child = fork();
	if (child < 0)
		return -1;
	if (child == 0) {
		syscall(CLOSE_RANGE, 0u, ~0u, 0u); /* nobody waits for the end of what it holds */
		*calls = 1;
		_exit((int)call_result(call, argument));
	}
	for (int i = 0; i < STEPS; i += *calls) {
		if (waitpid(child, &status, WNOHANG) == child)
			return WIFEXITED(status) && WEXITSTATUS(status) <= ARGUMENTS ? WEXITSTATUS(status) :
			       WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS ? SIGSYS : (int)THROUGH;
		nanosleep(&(struct timespec){ 0, STEP }, NULL);
	}
	return THROUGH;
}

static void try_call(long call, const char *name)
{
	static const long arguments[] = { -1, 0 };
#ifdef __x86_64__
	if (call == 335 || call == 336) /* of uprobes: the system lets them pass by every filter, and ends the process */
		return;
#endif
	for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
		int result = in_child(call, arguments[i]);
		/* These end the process or jump; with 0 another closes standard input. */
		if (result < 0 && (call == SYS_exit || call == SYS_exit_group || call == SYS_rt_sigreturn))
			result = THROUGH;
		else if (result < 0)
			result = i > 0 ? REFUSED : (int)call_result(call, arguments[i]);
		if (result != REFUSED)
			report("%s %s", result == ARGUMENTS ? "arguments" : result == THROUGH ? "through" : "killed", name);
	}
}

static void try_calls(void)
{
	enum { LAST = 1024, X32 = 0x40000000 };
	alarm(3600); /* refused, but for the command without a sandbox */
	for (long call = 0; call <= LAST; call++)
		try_call(call, name_of(call));
#ifdef __x86_64__
	for (long call = 0; call < 600; call += 13)
		try_call(X32 | call, "x32");
#endif
}

/* ---- When ------------------------------------------------------------------------- */

static void try_all(const char *where)
{
	static int tried;
	const char *wanted = getenv("SANDBOX_TRY");
	if (!board || !wanted || strcmp(wanted, where) != 0 || tried++)
		return;
	report("tried");
	if (getenv("SANDBOX_CRASH"))
		__builtin_trap();
	if (getenv("SANDBOX_CALLS")) {
		try_calls();
		return;
	}
	try_memory();
	try_files();
	try_network();
	try_processes();
}

__attribute__((constructor)) static void begin(void)
{
	int fd = fcntl(BOARD_FD, F_GETFD) < 0 ? (int)syscall(SYS_memfd_create, "board", 0u) : BOARD_FD;
	if (!getenv("SANDBOX_TRY"))
		return;
	if (fd != BOARD_FD) {
		command = getpid();
		if (ftruncate(fd, PAGE) || dup2(fd, BOARD_FD) < 0)
			return;
		close(fd);
	}
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, BOARD_FD, 0);
	board = page == MAP_FAILED ? NULL : page;
	if (!command)
		try_all("git");
}

__attribute__((destructor)) static void finish(void)
{
	if (board && getpid() == command)
		dprintf(STDERR_FILENO, "%s", board);
}

static void after(const void *bytes, ssize_t n)
{
	if (command && getpid() != command)
		try_all("helper");
	else if (n > 0 && memmem(bytes, (size_t)n, "example", 7))
		try_all("reader");
}

ssize_t read(int fd, void *bytes, size_t size)
{
	ssize_t (*next)(int, void *, size_t) = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
	ssize_t n = next(fd, bytes, size);
	after(bytes, n);
	return n;
}

/* The first thing that a helper does may be to write. */
ssize_t write(int fd, const void *bytes, size_t size)
{
	ssize_t (*next)(int, const void *, size_t) = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	after("", 0);
	return next(fd, bytes, size);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *file)
{
	typedef size_t function(void *, size_t, size_t, FILE *);
	function *next = (function *)dlsym(RTLD_NEXT, "fread");
	size_t n = next(bytes, size, count, file);
	after(bytes, (ssize_t)(n * size));
	return n;
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset)
{
	ssize_t (*next)(int, void *, size_t, off64_t) = (ssize_t (*)(int, void *, size_t, off64_t))dlsym(RTLD_NEXT,
		"pread64");
	ssize_t n = next(fd, bytes, size, offset);
	after(bytes, n);
	return n;
}

/* A system that lacks a part of the sandbox. */
long syscall(long call, ...)
{
	const char *lacks = getenv("SANDBOX_LACKS");
	long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	va_list arguments;
	va_start(arguments, call);
	long a[6];
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(arguments, long);
	va_end(arguments);
	if (lacks && ((call == SYS_seccomp && !strcmp(lacks, "seccomp")) ||
	              (call == 444 && !strcmp(lacks, "landlock")))) { /* landlock_create_ruleset */
		errno = ENOSYS;
		return -1;
	}
	return next(call, a[0], a[1], a[2], a[3], a[4], a[5]);
}
