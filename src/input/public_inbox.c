#include "public_inbox.h"

#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Commits are asked for so many at a time that neither side ever waits for the
 * other: the questions together are smaller than any pipe. */
enum { BATCH = 32, NAME_LONGEST = 64, ANSWER_LONGEST = 256 };

struct child {
	pid_t id;   /* 0 for none */
	int status; /* behind its end */
};

struct public_inbox {
	struct child list, cat; /* names the commits; gives the messages */
	FILE *commits, *messages;
	int questions;
	char commit[BATCH][NAME_LONGEST + 1];
	size_t count, at;
	size_t left;   /* bytes of the message, with the LF behind it */
	bool failed;
};

/* ---- git ------------------------------------------------------------------------ */

extern char **environ;

/* What a repository may not make git do: ask for objects over a network. */
static char **make_environment(void)
{
	static char *const more[] = { "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1" };
	enum { MORE = sizeof more / sizeof *more };
	size_t n = 0, kept = 0;
	while (environ[n])
		n++;
	char **all = malloc((n + MORE + 1) * sizeof *all);
	if (!all)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "GIT_", 4))
			all[kept++] = environ[i];
	for (size_t i = 0; i < MORE; i++)
		all[kept++] = more[i];
	all[kept] = NULL;
	return all;
}

/* Runs git with its input and output at these descriptors, -1 for none.  0 or an errno. */
static int start(struct child *child, char *const *arguments, int in, int out)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t normal;
	char **environment = make_environment();
	if (!environment)
		return ENOMEM;
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attributes);
	sigemptyset(&normal);
	sigaddset(&normal, SIGPIPE);
	posix_spawnattr_setsigdefault(&attributes, &normal);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	if (in < 0)
		posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	else
		posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	int error = posix_spawnp(&child->id, arguments[0], &files, &attributes, arguments, environment);
	if (error)
		child->id = 0;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	free(environment);
	return error;
}

static void end(struct child *child)
{
	if (child->id > 0)
		while (waitpid(child->id, &child->status, 0) < 0 && errno == EINTR)
			;
	child->id = 0;
}

/* A pipe that no program inherits but by start(), never at the places 0 to 2. */
static bool make_pipe(int ends[2])
{
	int low[2];
	if (pipe(low))
		return false;
	for (int i = 0; i < 2; i++) {
		ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		close(low[i]);
	}
	if (ends[0] >= 0 && ends[1] >= 0)
		return true;
	close(ends[0]);
	close(ends[1]);
	return false;
}

static int start_list(struct public_inbox *b, char *folder)
{
	char *const arguments[] = { "git", folder, "rev-list", "--reverse", "HEAD", "--", NULL };
	int out[2];
	if (!make_pipe(out))
		return errno;
	int error = start(&b->list, arguments, -1, out[1]);
	close(out[1]);
	b->commits = fdopen(out[0], "r");
	return error ? error : b->commits ? 0 : errno;
}

static int start_cat(struct public_inbox *b, char *folder)
{
	char *const arguments[] = { "git", folder, "cat-file", "--batch", NULL };
	int in[2], out[2];
	if (!make_pipe(in))
		return errno;
	b->questions = in[1];
	if (!make_pipe(out)) {
		close(in[0]);
		return errno;
	}
	int error = start(&b->cat, arguments, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	b->messages = fdopen(out[0], "r");
	return error ? error : b->messages ? 0 : errno;
}

struct public_inbox *public_inbox_new(const char *path, char *why)
{
	static const char option[] = "--git-dir=";
	struct public_inbox *b = calloc(1, sizeof *b);
	char *folder = malloc(sizeof option + strlen(path));
	int error = ENOMEM;
	if (b && folder) {
		b->questions = -1;
		memcpy(folder, option, sizeof option - 1);
		memcpy(folder + sizeof option - 1, path, strlen(path) + 1);
		error = start_list(b, folder);
		if (!error)
			error = start_cat(b, folder);
	}
	free(folder);
	if (!error)
		return b;
	if (error == ENOENT)
		snprintf(why, WHY_SIZE, "git is needed to read it, and is not here");
	else
		report_why(why, error);
	public_inbox_free(b);
	return NULL;
}

/* With the pipes closed both end by themselves. */
static void end_both(struct public_inbox *b)
{
	if (b->questions >= 0)
		close(b->questions);
	if (b->commits)
		fclose(b->commits);
	if (b->messages)
		fclose(b->messages);
	b->questions = -1;
	b->commits = b->messages = NULL;
	end(&b->list);
	end(&b->cat);
}

void public_inbox_free(struct public_inbox *b)
{
	if (b)
		end_both(b);
	free(b);
}

/* ---- Messages ---------------------------------------------------------------------- */

/* Reads a line without its end; false at the end and when it is too long. */
static bool read_line(FILE *file, char *line, int size)
{
	if (!fgets(line, size, file))
		return false;
	size_t n = strlen(line);
	if (n == 0 || line[n - 1] != '\n')
		return false;
	line[n - 1] = '\0';
	return true;
}

static bool ask(struct public_inbox *b, const char *question, size_t n)
{
	while (n > 0) {
		ssize_t k = write(b->questions, question, n);
		if (k < 0 && errno != EINTR)
			return false;
		question += k > 0 ? k : 0;
		n -= k > 0 ? (size_t)k : 0;
	}
	return true;
}

/* The names of the next commits, and the questions for their messages. */
static bool fill(struct public_inbox *b)
{
	char line[NAME_LONGEST + 2], question[BATCH * (NAME_LONGEST + 3)];
	size_t n = 0;
	b->count = b->at = 0;
	while (b->count < BATCH && read_line(b->commits, line, (int)sizeof line)) {
		size_t k = strspn(line, "0123456789abcdef");
		if (k == 0 || line[k]) {
			b->failed = true;
			return false;
		}
		memcpy(b->commit[b->count++], line, k + 1);
		memcpy(question + n, line, k);
		memcpy(question + n + k, ":m\n", 3);
		n += k + 3;
	}
	b->failed = b->failed || ferror(b->commits) || !ask(b, question, n);
	return b->count > 0 && !b->failed;
}

/* What git says of the object asked for: "NAME TYPE SIZE", or that it is missing,
 * as in a commit that takes a message away. */
static bool read_answer(struct public_inbox *b, bool *message)
{
	char line[ANSWER_LONGEST], *end;
	*message = false;
	if (!read_line(b->messages, line, (int)sizeof line))
		return false;
	const char *size = strrchr(line, ' ');
	if (!size)
		return false;
	if (!strcmp(size, " missing"))
		return true;
	errno = 0;
	unsigned long long n = strtoull(size + 1, &end, 10);
	if (errno || *end || end == size + 1 || n >= SIZE_MAX)
		return false;
	b->left = (size_t)n + 1;
	*message = size - line > 5 && !memcmp(size - 5, " blob", 5);
	return true;
}

const char *public_inbox_next(struct public_inbox *b)
{
	char rest[4096];
	bool message = false;
	while (!b->failed) {
		while (public_inbox_read(b, rest, sizeof rest) > 0)
			;
		if (b->failed || (b->at == b->count && !fill(b)))
			break;
		b->failed = !read_answer(b, &message);
		b->at++;
		if (message)
			return b->commit[b->at - 1];
	}
	return NULL;
}

ssize_t public_inbox_read(struct public_inbox *b, void *block, size_t size)
{
	if (b->left == 1 && getc(b->messages) == '\n')
		b->left = 0;
	if (b->left == 0)
		return 0;
	size_t n = b->left > 1 ? fread(block, 1, size < b->left - 1 ? size : b->left - 1, b->messages) : 0;
	b->failed = n == 0;
	b->left -= n;
	return n > 0 ? (ssize_t)n : -1;
}

static bool ended_well(const struct child *child)
{
	return WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
}

bool public_inbox_good(struct public_inbox *b, char *why)
{
	end_both(b);
	const struct child *bad = !ended_well(&b->list) ? &b->list : &b->cat;
	if (!ended_well(bad) && WIFEXITED(bad->status))
		snprintf(why, WHY_SIZE, "git could not read it (exit status %d)", WEXITSTATUS(bad->status));
	else
		snprintf(why, WHY_SIZE, "git could not read it");
	return !b->failed && ended_well(bad);
}
