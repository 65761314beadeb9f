/* For syscall and the system's own headers. */
#define _GNU_SOURCE 1
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sanitizers and coverage open files and trace processes on their own. */
#if defined(__linux__) && !defined(URLSIFT_NO_SANDBOX)
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#if defined(__has_include) /* a C library that is not the system's may come without the headers of Linux */
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif
#if __has_include(<linux/seccomp.h>)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#endif
#endif
#if defined(SYS_landlock_create_ruleset) && defined(LANDLOCK_ACCESS_FS_EXECUTE)
#define WITH_LANDLOCK
#endif
#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif
#if defined(ARCHITECTURE) && defined(SYS_seccomp) && defined(SECCOMP_SET_MODE_FILTER)
#define WITH_SECCOMP
#endif
#elif defined(__OpenBSD__) || (defined(__FreeBSD__) && !defined(URLSIFT_NO_SANDBOX))
#if defined(__FreeBSD__)
#include <sys/capsicum.h>
#endif
#endif

/* ---- Landlock: files ---------------------------------------------------------------- */

#ifdef WITH_LANDLOCK

#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

enum { VERSION_REFER = 2, VERSION_TRUNCATE = 3 };

static const __u64 reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const __u64 writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
	LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
	LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
	LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REFER |
	LANDLOCK_ACCESS_FS_TRUNCATE;

static int landlock_version(void)
{
	return (int)syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* A path that does not exist needs no rule. */
static void allow(int rules, const char *path, __u64 access)
{
	struct landlock_path_beneath_attr beneath = { .allowed_access = access };
	beneath.parent_fd = open(path, O_PATH | O_CLOEXEC);
	if (beneath.parent_fd < 0)
		return;
	/* directory rights on a file are refused */
	if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) && errno == EINVAL) {
		beneath.allowed_access &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
		                          LANDLOCK_ACCESS_FS_TRUNCATE;
		syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
	}
	close(beneath.parent_fd);
}

/* Modules of iconv and libraries that are opened on first use are in these. */
static const char *const system_paths[] = {
	"/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/nix/store", "/gnu/store", "/dev/urandom"
};

static void restrict_files(const struct sandbox *s)
{
	int version = landlock_version();
	if (version < 1)
		return;
	__u64 known = ~(version < VERSION_REFER ? LANDLOCK_ACCESS_FS_REFER : 0) &
	              ~(version < VERSION_TRUNCATE ? LANDLOCK_ACCESS_FS_TRUNCATE : 0);
	const struct landlock_ruleset_attr attributes = {
		.handled_access_fs = ((s->read_any ? 0 : reading) | (s->write_any ? 0 : writing) |
		                      (s->runs ? 0 : LANDLOCK_ACCESS_FS_EXECUTE)) & known
	};
	if (!attributes.handled_access_fs)
		return;
	int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
	if (rules < 0)
		return;
	const __u64 handled = attributes.handled_access_fs;
	for (size_t i = 0; !s->read_any && i < sizeof system_paths / sizeof *system_paths; i++)
		allow(rules, system_paths[i], handled & reading);
	for (size_t i = 0; !s->read_any && i < s->read_count; i++)
		if (strcmp(s->reads[i], "-"))
			allow(rules, s->reads[i], handled & reading);
	if (!s->write_any) {
		allow(rules, "/dev/null", handled & (reading | writing));
		const char *folders[] = { s->writes, getenv("TMPDIR"), "/var/tmp", "/tmp" };
		for (size_t i = 0; s->writes && i < sizeof folders / sizeof *folders; i++)
			if (folders[i])
				allow(rules, folders[i], handled & (reading | writing));
	}
	syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
}

#endif

/* ---- seccomp: the network, other processes ------------------------------------------- */

#ifdef WITH_SECCOMP

#define JUMP(test, value, yes, no) BPF_JUMP(BPF_JMP | BPF_K | (test), (value), (yes), (no))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define REFUSE(call) JUMP(BPF_JEQ, (SYS_##call), 0, 1), RETURN(SECCOMP_RET_ERRNO | EACCES)

enum { OTHER_ABI = 0x40000000 }; /* x32 on x86-64 */

static void restrict_calls(const struct sandbox *s)
{
	struct sock_filter filter[] = {
		LOAD(arch),
		JUMP(BPF_JEQ, ARCHITECTURE, 1, 0),
		RETURN(SECCOMP_RET_ERRNO | EACCES),
		LOAD(nr),
		JUMP(BPF_JGE, OTHER_ABI, 0, 1),
		RETURN(SECCOMP_RET_ERRNO | EACCES),
		/* what is typed at a terminal runs programs */
		JUMP(BPF_JEQ, SYS_ioctl, 0, 5), LOAD(args[1]), JUMP(BPF_JEQ, TIOCSTI, 1, 0), JUMP(BPF_JEQ, TIOCLINUX, 0, 1),
		RETURN(SECCOMP_RET_ERRNO | EACCES),
		RETURN(SECCOMP_RET_ALLOW),
		REFUSE(socket), REFUSE(connect), REFUSE(bind), REFUSE(ptrace), REFUSE(process_vm_readv),
		REFUSE(process_vm_writev),
#ifdef SYS_pidfd_getfd
		REFUSE(pidfd_getfd),
#endif
#ifdef SYS_io_uring_setup /* which could do all of this */
		REFUSE(io_uring_setup),
#endif
		/* the last two only where no program is run */
		REFUSE(execve), REFUSE(execveat),
		RETURN(SECCOMP_RET_ALLOW)
	};
	enum { ALL = sizeof filter / sizeof *filter, LAST = 5 };
	struct sock_fprog program = { .len = s->runs ? ALL - LAST + 1 : ALL, .filter = filter };
	if (s->runs)
		filter[ALL - LAST] = filter[ALL - 1];
	unsigned flags = 0;
#ifdef SECCOMP_FILTER_FLAG_SPEC_ALLOW /* no slower code for the whole process */
	flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
#endif
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) && flags)
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

#endif

/* ---- All of it ---------------------------------------------------------------------- */

#if defined(WITH_LANDLOCK) || defined(WITH_SECCOMP)

void sandbox_enter(const struct sandbox *s)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return;
#ifdef WITH_LANDLOCK
	restrict_files(s);
#endif
#ifdef WITH_SECCOMP
	restrict_calls(s);
#endif
}

const char *sandbox_name(char *to, size_t size)
{
	int files = 0, calls = 0;
#ifdef WITH_LANDLOCK
	files = landlock_version();
#endif
#ifdef WITH_SECCOMP
	calls = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
#endif
	if (files < 1 && !calls)
		return NULL;
	snprintf(to, size, "%s%s%s", files > 0 ? "Landlock" : "", files > 0 && calls ? ", " : "", calls ? "seccomp" : "");
	return to;
}

#elif defined(__OpenBSD__)

void sandbox_enter(const struct sandbox *s)
{
	char promises[64];
	bool writes = s->writes || s->write_any;
	for (size_t i = 0; !s->read_any && i < s->read_count; i++)
		unveil(s->reads[i], "r");
	if (!s->read_any) {
		unveil("/usr", "r");
		if (s->writes) {
			unveil(s->writes, "rwc");
			unveil("/var/tmp", "rwc");
			unveil("/tmp", "rwc");
		}
		unveil("/dev/null", "rw");
		unveil(NULL, NULL);
	}
	snprintf(promises, sizeof promises, "stdio rpath%s%s", writes ? " wpath cpath fattr flock" : "",
	         s->runs ? " proc exec" : "");
	pledge(promises, NULL);
}

const char *sandbox_name(char *to, size_t size)
{
	snprintf(to, size, "pledge");
	return to;
}

#elif defined(__FreeBSD__) && !defined(URLSIFT_NO_SANDBOX)

/* Capability mode opens no file at all, so it is for commands that open none. */
void sandbox_enter(const struct sandbox *s)
{
	if (!s->read_any && !s->read_count && !s->writes && !s->write_any && !s->runs)
		cap_enter();
}

const char *sandbox_name(char *to, size_t size)
{
	snprintf(to, size, "Capsicum");
	return to;
}

#else

void sandbox_enter(const struct sandbox *s)
{
	(void)s;
}

const char *sandbox_name(char *to, size_t size)
{
	(void)to;
	(void)size;
	return NULL;
}

#endif
