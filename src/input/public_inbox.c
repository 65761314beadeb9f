#include "public_inbox.h"

#include "descriptor.h"
#include "memory.h"

#include "report.h"
#include "text/ascii.h"
#include "text/match.h"

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

/* Commits are asked for in batches that fit into any pipe, so that neither side waits
 * for the other. */
enum { BATCH = 32, NAME_LONGEST = 64, ANSWER_LONGEST = 256, BLOCK = 4096 };

struct child {
	pid_t id;   /* 0: none */
	int status; /* of the one that ended */
};

struct public_inbox {
	struct child list, cat;    /* names the commits; gives the objects */
	FILE *commits, *objects;
	char *names;               /* that `commits` reads from, of a part of a list */
	int questions;
	char commit[BATCH][NAME_LONGEST + 1];
	size_t count, at;
	bool missing[BATCH];       /* the commit has no file m, or its message cannot be read */
	size_t left;               /* bytes of the object, with the LF that follows it */
	bool failed;
	uint64_t limit;            /* commits of the list that may still be read */
	size_t lost;               /* messages that cannot be read, the first of them in: */
	char lost_commit[NAME_LONGEST + 1];
};

/* ---- git ------------------------------------------------------------------------ */

extern char **environ;

/* Runs git with this descriptor as its standard input (or DESCRIPTOR_NONE); `file` reads its output.  0 or an errno. */
static int start_reading(struct child *child, char *const *arguments, int in, FILE **file)
{
	int out[2];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t normal;
	/* The environment without the variables of git, and without a network to fetch from. */
	static char *const more[] = { "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", NULL };
	size_t n = 0, kept = 0;
	if (!descriptor_pipe(out))
		return errno;
	while (environ[n])
		n++;
	char **environment = memory_get(n * sizeof *environment + sizeof more);
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "GIT_", 4))
			environment[kept++] = environ[i];
	memcpy(environment + kept, more, sizeof more);
	sigemptyset(&normal);
	sigaddset(&normal, SIGPIPE);
	/* These fail only without memory. */
	int error = posix_spawn_file_actions_init(&files);
	error |= in < 0 ? posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
	                : posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	error |= posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
	error |= posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	error |= posix_spawnattr_init(&attributes);
	memory_need(!error);
	posix_spawnattr_setsigdefault(&attributes, &normal);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	error = posix_spawnp(&child->id, arguments[0], &files, &attributes, arguments, environment);
	if (error)
		child->id = 0;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	free(environment);
	close(out[1]);
	*file = fdopen(out[0], "r");
	return error ? error : errno_if(!*file);
}

static void end(struct child *child)
{
	process_wait(child->id, &child->status);
	child->id = 0;
}

static bool ended_well(const struct child *child)
{
	return WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
}

/* Names of commits come from databases and from lines of shards too: none may be an option. */
static bool is_commit(const char *name) { return match_text(name, "[0123456789abcdef]+" MATCH_END); }

static int start_list(struct public_inbox *b, char *folder, const char *after)
{
	char range[NAME_LONGEST + 8];
	char *const arguments[] = { "git", folder, "rev-list", "--reverse", range, "--", NULL };
	if (*after && !is_commit(after))
		return EINVAL;
	snprintf(range, sizeof range, "%.64s%sHEAD", after, text_if(*after, ".."));
	return start_reading(&b->list, arguments, DESCRIPTOR_NONE, &b->commits);
}

/* --git-dir=PATH, for free(). */
static char *folder_option(const char *path)
{
	return memory_format("--git-dir=%s", path);
}

struct public_inbox *public_inbox_list(const char *path, const struct commit_range *range, char *why)
{
	struct public_inbox *b = memory_get(sizeof *b);
	char *folder = folder_option(path);
	char *const give_objects[] = { "git", folder, "cat-file", "--batch", NULL };
	int in[2], error;
	b->questions = DESCRIPTOR_NONE;
	b->limit = UINT64_MAX;
	if (range) {
		b->limit = number_or(range->count, UINT64_MAX);
		error = start_list(b, folder, range->after);
	} else if (!descriptor_pipe(in)) {
		error = errno;
	} else {
		b->questions = in[1];
		error = start_reading(&b->cat, give_objects, in[0], &b->objects);
		close(in[0]);
	}
	free(folder);
	if (!error)
		return b;
	if (error == ENOENT)
		snprintf(why, WHY_SIZE, "git is needed to read it but was not found");
	else
		report_why(why, error);
	public_inbox_free(b);
	return NULL;
}

/* The two processes end by themselves once the pipes are closed. */
static void end_both(struct public_inbox *b)
{
	descriptor_close(&b->questions);
	descriptor_file_close(&b->commits);
	descriptor_file_close(&b->objects);
	end(&b->list);
	end(&b->cat);
}

void public_inbox_free(struct public_inbox *b)
{
	if (b) {
		end_both(b);
		free(b->names);
	}
	free(b);
}

/* Reads a line without its end; false at the end and when it is too long. */
static bool read_line(FILE *file, char *line, int size)
{
	if (!fgets(line, size, file))
		return false;
	char *lf = strchr(line, '\n');
	if (!lf)
		return false;
	*lf = '\0';
	return true;
}

struct public_inbox *public_inbox_part(struct public_inbox *list, const char *path, size_t count, char *why)
{
	char *names = memory_get(count * (NAME_LONGEST + 2)), *end = names;
	*why = '\0';
	for (; count > 0 && list->limit > 0 && read_line(list->commits, end, NAME_LONGEST + 2); count--) {
		end += strlen(end);
		*end++ = '\n';
		list->limit--;
	}
	list->failed |= ferror(list->commits);
	struct public_inbox *b = end > names ? public_inbox_list(path, NULL, why) : NULL;
	if (b) {
		b->names = names;
		b->commits = memory_checked(fmemopen(names, (size_t)(end - names), "r"));
	} else {
		free(names);
	}
	return b;
}

bool public_inbox_has(const char *path, const char *commit)
{
	char name[NAME_LONGEST + 1], *folder = folder_option(path);
	char *const arguments[] = { "git", folder, "merge-base", "--is-ancestor", name, "HEAD", NULL };
	struct public_inbox b = { .questions = DESCRIPTOR_NONE };
	snprintf(name, sizeof name, "%s", commit);
	const bool started = is_commit(commit) && !start_reading(&b.list, arguments, DESCRIPTOR_NONE, &b.commits);
	end_both(&b);
	free(folder);
	return started && ended_well(&b.list);
}

int public_inbox_cut(const char *path, uint64_t size, commit_range_fn *each, void *user)
{
	struct public_inbox b = { .questions = DESCRIPTOR_NONE };
	struct commit_range range = { .after = "" };
	char line[NAME_LONGEST + 2], *folder = folder_option(path);
	int error = start_list(&b, folder, "");
	while (!error && read_line(b.commits, line, (int)sizeof line)) {
		if (++range.count < size)
			continue;
		error = each(user, &range);
		range.count = 0;
		snprintf(range.after, sizeof range.after, "%.64s", line);
	}
	if (!error && ferror(b.commits))
		error = EIO;
	end_both(&b);
	free(folder);
	if (!error && !ended_well(&b.list))
		error = EIO;
	return error || range.count == 0 ? error : each(user, &range);
}

/* ---- Messages --------------------------------------------------------------------- */

/* Asks for an object of a commit. */
static void ask(struct public_inbox *b, const char *commit, const char *object)
{
	char text[NAME_LONGEST + 16];
	int n = snprintf(text, sizeof text, "%s%s\n", commit, object);
	b->failed = b->failed || report_write(b->questions, text, (size_t)n);
}

/* Reads git's answer, "NAME TYPE SIZE" or "NAME missing", before the object.  False when
 * the object is missing or of another type than " blob" or " tree". */
static bool read_answer(struct public_inbox *b, const char *type)
{
	char line[ANSWER_LONGEST] = "";
	b->failed = b->failed || !read_line(b->objects, line, (int)sizeof line);
	const char *size = strrchr(line, ' ');
	b->failed |= !size;
	if (b->failed || !strcmp(size, " missing"))
		return false;
	const unsigned long long n = strtoull(size + 1, NULL, 10); /* ULLONG_MAX for a larger one */
	b->failed = !match_text(size, " %d+" MATCH_END) || n >= SIZE_MAX;
	b->left = 0;
	if (b->failed)
		return false;
	b->left = (size_t)n + 1;
	return size - line > 5 && !memcmp(size - 5, type, 5);
}

static void skip_object(struct public_inbox *b)
{
	char rest[BLOCK];
	while (public_inbox_read(b, rest, sizeof rest) > 0)
		;
}

/* Whether the tree that is being read has a file m.  An entry is "MODE NAME", NUL and a
 * hash of `hash` bytes. */
static bool tree_has_message(struct public_inbox *b, size_t hash)
{
	char block[BLOCK];
	bool found = false, in_name = false, is_m = false;
	size_t length = 0, skip = 0;
	ssize_t n;
	while ((n = public_inbox_read(b, block, sizeof block)) > 0) {
		for (const char *p = block; p < block + n; p++) {
			if (skip > 0) {
				skip--;
			} else if (!*p) {
				found |= is_m;
				in_name = false;
				skip = hash;
			} else if (in_name) {
				is_m = length++ == 0 && *p == 'm';
			} else if (*p == ' ') {
				in_name = true;
				length = 0;
			}
		}
	}
	return found;
}

const char *public_inbox_next(struct public_inbox *b)
{
	char line[NAME_LONGEST + 2];
	skip_object(b);
	while (!b->failed) {
		if (b->at == b->count) {
			/* git gives one answer for a commit without a file m, which takes a message away, and for a message that it
			 * cannot read.  The tree distinguishes them. */
			for (size_t i = 0; i < b->count; i++) {
				if (!b->missing[i])
					continue;
				b->missing[i] = false;
				ask(b, b->commit[i], "^{tree}");
				if (read_answer(b, " tree") && !tree_has_message(b, strlen(b->commit[i]) / 2))
					continue;
				if (b->lost++ == 0)
					memcpy(b->lost_commit, b->commit[i], sizeof b->lost_commit);
			}
			/* Takes the next commits and asks for their messages. */
			b->count = b->at = 0;
			while (b->count < BATCH && !b->failed && read_line(b->commits, line, (int)sizeof line)) {
				b->failed = !is_commit(line);
				memcpy(b->commit[b->count], line, strlen(line) + 1);
				ask(b, b->commit[b->count++], ":m");
			}
			b->failed |= ferror(b->commits);
			if (b->count == 0)
				break;
		}
		if (read_answer(b, " blob"))
			return b->commit[b->at++];
		b->missing[b->at++] = true;
		skip_object(b);
	}
	return NULL;
}

ssize_t public_inbox_read(struct public_inbox *b, void *block, size_t size)
{
	if (b->failed)
		return -1;
	if (b->left == 1 && getc(b->objects) == '\n')
		b->left = 0;
	if (b->left == 0)
		return 0;
	size_t n = fread(block, 1, smaller(size, b->left - 1), b->objects);
	b->failed = n == 0;
	b->left -= n;
	return n > 0 ? (ssize_t)n : -1;
}

bool public_inbox_good(struct public_inbox *b, char *why, bool *ended)
{
	end_both(b);
	const struct child *bad = !ended_well(&b->list) && b->limit > 0 ? &b->list : &b->cat;
	const bool well = ended_well(bad);
	*ended = !b->failed && well;
	if (!well && WIFEXITED(bad->status))
		snprintf(why, WHY_SIZE, "git could not read it (exit status %d)", WEXITSTATUS(bad->status));
	else if (!well && WTERMSIG(bad->status) != SIGPIPE) /* which is our doing: nobody else reads from git */
		snprintf(why, WHY_SIZE, "git could not read it (signal %d)", WTERMSIG(bad->status));
	else if (!*ended)
		snprintf(why, WHY_SIZE, "what git wrote of it could not be read");
	else if (b->lost > 0)
		snprintf(why, WHY_SIZE, "git could not read %zu of its messages, the first in %.40s", b->lost, b->lost_commit);
	else
		return true;
	return false;
}
