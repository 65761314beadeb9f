/* For syscall and the system's own headers. */
#define _GNU_SOURCE 1
#include "sandbox.h"

#include "input/descriptor.h"
#include "input/inputs.h"
#include "text/ascii.h"
#include "text/bits.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sanitizers and coverage open files and trace processes on their own. */
#if defined(__linux__) && !defined(URLSIFT_NO_SANDBOX)
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#ifdef __has_include /* a C library that is not the system's may come without the headers of Linux */
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
#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif
#if defined(ARCHITECTURE) && defined(SYS_seccomp) && defined(SECCOMP_SET_MODE_FILTER)
#define WITH_SECCOMP
#ifdef SECCOMP_FILTER_FLAG_SPEC_ALLOW /* no slower code for the whole process */
#define SPEC_ALLOW SECCOMP_FILTER_FLAG_SPEC_ALLOW
#else
#define SPEC_ALLOW 0
#endif
#ifndef CLONE_DETACHED /* ignored by the system, but set by musl */
#define CLONE_DETACHED 0x00400000
#endif
#endif
#elif defined(__OpenBSD__) || (defined(__FreeBSD__) && !defined(URLSIFT_NO_SANDBOX))
#ifdef __FreeBSD__
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

/* The dynamic linker that runs this program, which the system opens like a program; NULL for none. */
static int find_linker(struct dl_phdr_info *object, size_t size, void *user)
{
	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_INTERP)
			*(uintptr_t *)user = (uintptr_t)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
	return 1; /* the first object is the program */
}

/* False with errno. */
static bool restrict_files(const struct sandbox *s)
{
	char program[PATH_MAX];
	uintptr_t linker = 0;
	int version = (int)syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);
	if (version < 1)
		return false;
	bool runs_any = false;
	if (s->runs) {
		dl_iterate_phdr(find_linker, &linker);
		char magic[2] = "";
		int fd = linker && program_find(s->runs, program, sizeof program) ? open(program, O_RDONLY | O_CLOEXEC) : -1;
		/* A script needs other programs. */
		runs_any = fd < 0 || read(fd, magic, sizeof magic) != sizeof magic || !memcmp(magic, "#!", sizeof magic);
		descriptor_close(&fd);
	}
	const __u64 unknown = bits_if(version < VERSION_REFER, LANDLOCK_ACCESS_FS_REFER) |
	                      bits_if(version < VERSION_TRUNCATE, LANDLOCK_ACCESS_FS_TRUNCATE);
	const struct landlock_ruleset_attr attributes = {
		.handled_access_fs = (bits_if(!s->read_any, reading) | bits_if(!s->write_any, writing) |
		                      bits_if(!runs_any, LANDLOCK_ACCESS_FS_EXECUTE)) & ~unknown
	};
	if (!attributes.handled_access_fs)
		return true;
	int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
	/* A rule needs a descriptor for a moment: where none is left, it would allow nothing. */
	int spare = rules < 0 ? -1 : open("/", O_PATH | O_CLOEXEC);
	if (spare < 0) {
		const int why = errno;
		descriptor_close(&rules);
		errno = why;
		return false;
	}
	close(spare);
	const __u64 handled = attributes.handled_access_fs;
	if (!s->read_any) {
		for (size_t i = 0; i < sizeof system_paths / sizeof *system_paths; i++)
			allow(rules, system_paths[i], handled & reading);
		for (size_t i = 0; i < s->read_count; i++)
			if (strcmp(s->reads[i], "-"))
				allow(rules, s->reads[i], handled & reading);
	}
	if (!s->write_any) {
		allow(rules, "/dev/null", handled & (reading | writing));
		const char *folders[] = { s->writes, getenv("TMPDIR"), "/var/tmp", "/tmp", s->writes_too };
		for (size_t i = 0; s->writes && i < sizeof folders / sizeof *folders; i++)
			allow(rules, memory_text(folders[i]), handled & (reading | writing));
	}
	if (s->runs && !runs_any) {
		allow(rules, program, LANDLOCK_ACCESS_FS_EXECUTE);
		allow(rules, (const char *)linker, LANDLOCK_ACCESS_FS_EXECUTE);
	}
	bool good = !syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
	return good;
}

#endif

/* ---- seccomp: calls ------------------------------------------------------------------- */

#ifdef WITH_SECCOMP

/* Every call that is not in the table, or whose arguments are refused below, fails: with ENOSYS, so that a C library
 * tries an older call, or with EPERM. */
enum {
	ALWAYS = 1,
	HELPER = 2,  /* in a helper process, which only computes */
	UNPACKS = 4, /* to start one */
	WRITES = 8,
	RUNS = 16    /* in a program that is run, or to start one */
};
#define EACH (ALWAYS | HELPER)

static const struct {
	unsigned short call;
	unsigned char use;
} calls[] = {
	/* memory, time, threads */
	{ SYS_brk, EACH }, { SYS_munmap, EACH }, { SYS_mremap, EACH }, { SYS_madvise, EACH }, { SYS_futex, EACH },
	{ SYS_exit, EACH }, { SYS_exit_group, EACH }, { SYS_getpid, EACH }, { SYS_gettid, EACH },
	{ SYS_sched_yield, EACH }, { SYS_clock_gettime, EACH }, { SYS_gettimeofday, EACH }, { SYS_getrandom, EACH },
	{ SYS_restart_syscall, EACH }, { SYS_rt_sigaction, EACH }, { SYS_rt_sigprocmask, EACH },
	{ SYS_rt_sigreturn, EACH }, { SYS_nanosleep, ALWAYS }, { SYS_clock_nanosleep, ALWAYS },
	{ SYS_clock_getres, ALWAYS }, { SYS_sched_getaffinity, ALWAYS }, { SYS_set_robust_list, ALWAYS },
	{ SYS_getrusage, ALWAYS }, { SYS_sysinfo, ALWAYS }, { SYS_uname, ALWAYS }, { SYS_getuid, ALWAYS },
	{ SYS_geteuid, ALWAYS }, { SYS_getgid, ALWAYS }, { SYS_getegid, ALWAYS },
	/* open files */
	{ SYS_read, EACH }, { SYS_write, EACH }, { SYS_writev, EACH }, { SYS_close, EACH }, { SYS_readv, ALWAYS },
	{ SYS_pread64, ALWAYS }, { SYS_pwrite64, ALWAYS }, { SYS_lseek, ALWAYS }, { SYS_fstat, ALWAYS },
	{ SYS_dup, ALWAYS }, { SYS_dup3, ALWAYS }, { SYS_ppoll, ALWAYS }, { SYS_fadvise64, ALWAYS },
	{ SYS_getdents64, ALWAYS }, { SYS_fstatfs, ALWAYS }, { SYS_memfd_create, ALWAYS },
	/* names of files */
	{ SYS_newfstatat, ALWAYS }, { SYS_statfs, ALWAYS }, { SYS_faccessat, ALWAYS }, { SYS_readlinkat, ALWAYS },
	{ SYS_getcwd, ALWAYS },
	/* writing */
	{ SYS_ftruncate, WRITES }, { SYS_fsync, WRITES }, { SYS_fdatasync, WRITES }, { SYS_fallocate, WRITES },
	{ SYS_mkdirat, WRITES }, { SYS_unlinkat, WRITES }, { SYS_renameat2, WRITES },
	/* other processes */
	{ SYS_pipe2, UNPACKS | RUNS }, { SYS_wait4, UNPACKS | RUNS }, { SYS_waitid, UNPACKS | RUNS },
	{ SYS_execve, RUNS }, { SYS_set_tid_address, RUNS }, { SYS_chdir, RUNS }, { SYS_getppid, RUNS },
#ifdef __x86_64__
	{ SYS_time, EACH }, { SYS_poll, ALWAYS }, { SYS_dup2, ALWAYS }, { SYS_stat, ALWAYS }, { SYS_lstat, ALWAYS },
	{ SYS_access, ALWAYS }, { SYS_readlink, ALWAYS }, { SYS_mkdir, WRITES }, { SYS_rmdir, WRITES },
	{ SYS_unlink, WRITES }, { SYS_rename, WRITES }, { SYS_pipe, UNPACKS | RUNS }, { SYS_fork, UNPACKS | RUNS },
	{ SYS_vfork, RUNS }, { SYS_arch_prctl, RUNS },
#endif
#ifdef SYS_renameat
	{ SYS_renameat, WRITES },
#endif
#ifdef SYS_getrlimit
	{ SYS_getrlimit, ALWAYS },
#endif
#ifdef SYS_statx
	{ SYS_statx, ALWAYS },
#endif
#ifdef SYS_rseq /* a thread that cannot register ends the process */
	{ SYS_rseq, ALWAYS },
#endif
#ifdef SYS_membarrier /* of dlopen, in musl */
	{ SYS_membarrier, ALWAYS },
#endif
#ifdef SYS_faccessat2
	{ SYS_faccessat2, ALWAYS },
#endif
#ifdef SYS_close_range
	{ SYS_close_range, ALWAYS },
#endif
#ifdef SYS_riscv_hwprobe
	{ SYS_riscv_hwprobe, EACH },
#endif
};

enum { CALLS = 512, WORD = 32, WORDS = CALLS / WORD, PROGRAM_MOST = 192 };

struct program {
	struct sock_filter code[PROGRAM_MOST];
	unsigned short n;
};

static void add(struct program *p, struct sock_filter instruction)
{
	if (p->n < PROGRAM_MOST)
		p->code[p->n++] = instruction;
}

#define JUMP(test, value, yes, no) \
	(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_K | (test), (uint32_t)(value), (yes), (no))
#define STATEMENT(code, value) (struct sock_filter)BPF_STMT((code), (uint32_t)(value))
#define LOAD(member) STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(value) STATEMENT(BPF_RET | BPF_K, (value))
#define ALLOWED RETURN(SECCOMP_RET_ALLOW)
#define REFUSED RETURN(SECCOMP_RET_ERRNO | EPERM)
#define UNKNOWN RETURN(SECCOMP_RET_ERRNO | ENOSYS)

/* Allows the calls of the table: a bit for each number, so that the kernel, which runs the program for every number
 * once, is quick.  The number is loaded after it. */
static void add_table(struct program *p, unsigned uses)
{
	uint32_t word[WORDS] = { 0 };
	unsigned used = 0;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i].use & uses)
			word[calls[i].call / WORD] |= UINT32_C(1) << calls[i].call % WORD;
	for (unsigned i = 0; i < WORDS; i++)
		used += word[i] != 0;
	add(p, LOAD(arch));
	add(p, JUMP(BPF_JEQ, ARCHITECTURE, 1, 0));
	add(p, UNKNOWN);
	add(p, LOAD(nr));
	add(p, JUMP(BPF_JGE, CALLS, 0, 1)); /* those of x32 too */
	add(p, UNKNOWN);
	add(p, STATEMENT(BPF_ALU | BPF_AND | BPF_K, WORD - 1));
	add(p, STATEMENT(BPF_MISC | BPF_TAX, 0));
	add(p, LOAD(nr));
	add(p, STATEMENT(BPF_ALU | BPF_RSH | BPF_K, 5));
	for (unsigned i = 0; i < WORDS; i++) {
		if (word[i] == 0)
			continue;
		add(p, JUMP(BPF_JEQ, i, 0, 2));
		add(p, STATEMENT(BPF_LD | BPF_IMM, word[i]));
		add(p, STATEMENT(BPF_JMP | BPF_JA, 3 * --used + 1));
	}
	add(p, STATEMENT(BPF_LD | BPF_IMM, 0));
	add(p, STATEMENT(BPF_ALU | BPF_RSH | BPF_X, 0));
	add(p, JUMP(BPF_JSET, 1, 0, 1));
	add(p, ALLOWED);
	add(p, LOAD(nr));
}

/* Allows the call if none of these bits is set in the argument, and loads the number. */
#define ADD_WITHOUT(p, call, argument, bits) \
	do { \
		add(p, JUMP(BPF_JEQ, SYS_##call, 0, 4)); \
		add(p, LOAD(args[argument])); \
		add(p, JUMP(BPF_JSET, (bits), 1, 0)); \
		add(p, ALLOWED); \
		add(p, REFUSED); \
	} while (0)
/* Allows it if the argument is one of the values. */
#define ADD_ONE_OF(p, call, argument, ...) \
	do { \
		const uint32_t values[] = { __VA_ARGS__ }; \
		const unsigned char count = sizeof values / sizeof *values; \
		add(p, JUMP(BPF_JEQ, SYS_##call, 0, (unsigned char)(count + 3))); \
		add(p, LOAD(args[argument])); \
		for (unsigned char i = 0; i < count; i++) \
			add(p, JUMP(BPF_JEQ, values[i], (unsigned char)(count - i), 0)); \
		add(p, REFUSED); \
		add(p, ALLOWED); \
	} while (0)

/* Memory is not both written and run: libraries and modules are mapped from their files.  Only the compiler of PCRE2
 * needs more. */
static void add_memory(struct program *p, unsigned uses, bool compiles)
{
	const uint32_t runs = bits_if(uses & HELPER, PROT_EXEC);
	ADD_WITHOUT(p, mprotect, 2, PROT_EXEC);
	if (runs || compiles) {
		ADD_WITHOUT(p, mmap, 2, runs);
		return;
	}
	add(p, JUMP(BPF_JEQ, SYS_mmap, 0, 8));
	add(p, LOAD(args[2]));
	add(p, JUMP(BPF_JSET, PROT_EXEC, 1, 0));
	add(p, ALLOWED);
	add(p, JUMP(BPF_JSET, PROT_WRITE, 3, 0));
	add(p, LOAD(args[3]));
	add(p, JUMP(BPF_JSET, MAP_ANONYMOUS | MAP_SHARED, 1, 0));
	add(p, ALLOWED);
	add(p, REFUSED);
}

/* False with errno. */
static bool install(struct program *p)
{
	add(p, UNKNOWN);
	struct sock_fprog program = { .len = p->n, .filter = p->code };
	return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SPEC_ALLOW, &program) ||
	       !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static bool restrict_calls(const struct sandbox *s)
{
	struct program p = { .n = 0 };
	const unsigned uses = ALWAYS | bits_if(s->unpacks, UNPACKS) | bits_if(s->runs, RUNS)
	                      | bits_if(s->writes || s->write_any, WRITES);
	add_table(&p, uses);
	add_memory(&p, uses, s->compiles);
	const uint32_t creating = bits_if(!(uses & (WRITES | RUNS)), O_ACCMODE | O_CREAT | O_TRUNC);
	ADD_WITHOUT(&p, openat, 2, creating);
#ifdef SYS_open
	ADD_WITHOUT(&p, open, 1, creating);
#endif
	/* No terminal is typed at, no owner of signals is set. */
	ADD_ONE_OF(&p, ioctl, 1, TCGETS, TIOCGWINSZ);
	ADD_ONE_OF(&p, fcntl, 1, F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC,
	           F_SETPIPE_SZ);
	/* Threads, and processes in the same namespaces; signals to this process only; limits are only read. */
	uint32_t flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
	                 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_DETACHED;
	flags |= bits_if(uses & (UNPACKS | RUNS), CLONE_CHILD_SETTID | SIGCHLD | CLONE_VFORK);
	ADD_WITHOUT(&p, clone, 0, ~flags);
	if (!s->runs) /* it would not be the process of the program */
		ADD_ONE_OF(&p, tgkill, 0, (uint32_t)getpid());
	if (s->unpacks) { /* a helper gives up more */
		add(&p, JUMP(BPF_JEQ, SYS_seccomp, 0, 6));
		add(&p, LOAD(args[0]));
		add(&p, JUMP(BPF_JEQ, SECCOMP_SET_MODE_FILTER, 0, 3));
		add(&p, LOAD(args[1]));
		add(&p, JUMP(BPF_JSET, ~(uint32_t)SPEC_ALLOW, 1, 0));
		add(&p, ALLOWED);
		add(&p, REFUSED);
	}
	add(&p, JUMP(BPF_JEQ, SYS_prlimit64, 0, 8));
	for (int half = 0; half < 2; half++) {
		add(&p, STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2]) + 4 * (size_t)half));
		add(&p, JUMP(BPF_JEQ, 0, 0, (unsigned char)(5 - 2 * half)));
	}
	add(&p, LOAD(args[0]));
	add(&p, JUMP(BPF_JEQ, 0, 0, 1));
	add(&p, ALLOWED);
	add(&p, REFUSED);
	return install(&p);
}

#endif

/* ---- All of it ---------------------------------------------------------------------- */

#if defined(WITH_LANDLOCK) || defined(WITH_SECCOMP)

enum { LACKS_LANDLOCK = 1, LACKS_SECCOMP = 2, LACKS_BOTH = LACKS_LANDLOCK | LACKS_SECCOMP };

/* What could not be set up. */
static int enter(const struct sandbox *s)
{
	bool files = false, system_calls = false;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return LACKS_BOTH;
#ifdef WITH_LANDLOCK
	files = restrict_files(s);
#endif
#ifdef WITH_SECCOMP
	system_calls = restrict_calls(s);
#endif
	return (int)(bits_if(!files, LACKS_LANDLOCK) | bits_if(!system_calls, LACKS_SECCOMP));
}

const char *sandbox_enter(const struct sandbox *s)
{
	static const char *const lacks[] = {
		NULL, "Landlock could not be set up", "seccomp could not be set up", "Landlock and seccomp could not be set up"
	};
	return lacks[enter(s)];
}

void sandbox_enter_helper(void)
{
#ifdef WITH_SECCOMP
	struct program p = { .n = 0 };
	add_table(&p, HELPER);
	add_memory(&p, HELPER, false);
	install(&p);
#endif
}

/* Whether a child process can be restricted is tried. */
void sandbox_describe(char *to, size_t size)
{
	static const char *const text[] = { "Landlock, seccomp", "seccomp; Landlock could not be set up",
	                                    "Landlock; seccomp could not be set up", "could not be set up" };
	pid_t child = fork();
	if (child == 0)
		_exit(enter(&(struct sandbox){ .reads = NULL }));
	const int lacks = process_exit_status(child, LACKS_BOTH);
	snprintf(to, size, "sandbox: %s", text[lacks & LACKS_BOTH]);
}

#elif defined(__OpenBSD__)

const char *sandbox_enter(const struct sandbox *s)
{
	char promises[64];
	bool writes = s->writes || s->write_any, good = true;
	for (size_t i = 0; !s->read_any && i < s->read_count; i++)
		if (strcmp(s->reads[i], "-"))
			good &= !unveil(s->reads[i], "r") || errno == ENOENT;
	if (!s->read_any) {
		good &= !unveil("/usr", "r");
		if (s->writes) {
			good &= !unveil(s->writes, "rwc");
			good &= !s->writes_too || !unveil(s->writes_too, "rwc");
			unveil("/var/tmp", "rwc");
			unveil("/tmp", "rwc");
		}
		unveil("/dev/null", "rw");
		good &= !unveil(NULL, NULL);
	}
	snprintf(promises, sizeof promises, "stdio rpath%s%s%s", text_if(writes, " wpath cpath fattr flock"),
	         text_if(s->unpacks || s->runs, " proc"), text_if(s->runs, " exec"));
	return pledge(promises, NULL) || !good ? "pledge could not be set up" : NULL;
}

void sandbox_enter_helper(void)
{
	pledge("stdio", NULL);
}

void sandbox_describe(char *to, size_t size)
{
	snprintf(to, size, "sandbox: pledge");
}

#elif defined(__FreeBSD__) && !defined(URLSIFT_NO_SANDBOX)

/* Capability mode opens no file at all, so it is for commands that open none, and for helpers. */
const char *sandbox_enter(const struct sandbox *s)
{
	bool opens = s->read_any || s->read_count || s->writes || s->write_any || s->runs;
	return opens || cap_enter() ? "Capsicum cannot be used for files" : NULL;
}

void sandbox_enter_helper(void)
{
	cap_enter();
}

void sandbox_describe(char *to, size_t size)
{
	snprintf(to, size, "sandbox: Capsicum, for single URLs and archives");
}

#else

const char *sandbox_enter(const struct sandbox *s)
{
	(void)s;
	return "";
}

void sandbox_enter_helper(void)
{
}

void sandbox_describe(char *to, size_t size)
{
	snprintf(to, size, "without a sandbox");
}

#endif

bool sandbox_begin(struct settings *s, const struct sandbox *box)
{
	if (s->box.no_sandbox || s->box.in_sandbox)
		return true;
	s->box.lacks = sandbox_enter(box);
	s->box.in_sandbox = true;
	const bool fails = s->box.lacks && s->box.require_sandbox;
	if (fails)
		report("--require-sandbox: %s", text_full_or(s->box.lacks, "there is no sandbox"));
	return !fails;
}
