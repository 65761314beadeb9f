#include "folder.h"

#include "report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Names, one behind the other, and then the order to take them in. */
struct names_list {
	char *text;
	size_t used, room;
	const char **item;
	size_t count, at;
};

struct folder {
	enum folder_kind kind;
	char *path;              /* of the folder whose messages come */
	size_t path_room;
	char *name;              /* of the message handed out */
	size_t name_room;
	struct names_list files; /* in that folder */
	struct names_list *level; /* the folders still to be read, at each level of the path */
	size_t depth, levels;    /* in use, and there is room for */
	bool fresh;              /* the folder itself is still to be read */
	bool strange;            /* a file was met that is no message */
};

/* ---- Lists ------------------------------------------------------------------ */

static void clear(struct names_list *l)
{
	free(l->text);
	free(l->item);
	*l = (struct names_list){ NULL, 0, 0, NULL, 0, 0 };
}

static bool add(struct names_list *l, const char *before, const char *name)
{
	size_t first = strlen(before), n = first + strlen(name) + 1;
	if (n > l->room - l->used) {
		size_t room = 2 * l->room + n + 1024;
		char *text = realloc(l->text, room);
		if (!text)
			return false;
		l->text = text;
		l->room = room;
	}
	memcpy(l->text + l->used, before, first);
	memcpy(l->text + l->used + first, name, n - first);
	l->used += n;
	l->count++;
	return true;
}

/* Numbers without zeros before them: the longer is the greater. */
static int by_number(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t m = strlen(x), n = strlen(y);
	return m != n ? (m > n) - (m < n) : strcmp(x, y);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum { BOX = sizeof "cur/" - 1 };

/* The names in `new` and `cur` together. */
static int by_name_in_box(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	int order = strcmp(x + BOX, y + BOX);
	return order ? order : strcmp(x, y);
}

static bool sort(struct names_list *l, int (*order)(const void *, const void *))
{
	if (l->count == 0)
		return true;
	l->item = malloc(l->count * sizeof *l->item);
	if (!l->item)
		return false;
	const char *name = l->text;
	for (size_t i = 0; i < l->count; i++, name += strlen(name) + 1)
		l->item[i] = name;
	qsort(l->item, l->count, sizeof *l->item, order);
	return true;
}

/* ---- Paths ------------------------------------------------------------------ */

/* Makes *to "path/name". */
static bool join(char **to, size_t *room, const char *path, const char *name)
{
	size_t n = strlen(path), m = strlen(name) + 1;
	if (n + 1 + m > *room) {
		char *more = realloc(*to, 2 * (n + 1 + m));
		if (!more)
			return false;
		if (path == *to)
			path = more;
		*to = more;
		*room = 2 * (n + 1 + m);
	}
	memmove(*to, path, n);
	(*to)[n] = '/';
	memcpy(*to + n + 1, name, m);
	return true;
}

enum thing { THING_OTHER, THING_FILE, THING_FOLDER };

/* Links lead to files, but to no folders: these could go round. */
static enum thing thing_at(int fd, const char *name)
{
	struct stat status;
	if (fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW))
		return THING_OTHER;
	if (S_ISDIR(status.st_mode))
		return THING_FOLDER;
	if (S_ISLNK(status.st_mode) && fstatat(fd, name, &status, 0))
		return THING_OTHER;
	return S_ISREG(status.st_mode) ? THING_FILE : THING_OTHER;
}

static bool holds_folder(const char *path, const char *name)
{
	struct stat status;
	char *whole = NULL;
	size_t room = 0;
	bool holds = join(&whole, &room, path, name) && !stat(whole, &status) && S_ISDIR(status.st_mode);
	free(whole);
	return holds;
}

static bool holds_file(const char *path, const char *name)
{
	struct stat status;
	char *whole = NULL;
	size_t room = 0;
	bool holds = join(&whole, &room, path, name) && !stat(whole, &status) && S_ISREG(status.st_mode);
	free(whole);
	return holds;
}

/* As MH and news servers write them. */
static bool is_number(const char *name)
{
	size_t n = strspn(name, "0123456789");
	return n > 0 && n < 19 && !name[n] && *name != '0';
}

/* ---- Reading a folder ----------------------------------------------------------- */

/* What a name in a folder is good for; false without memory. */
typedef bool take_name(struct folder *f, struct names_list *folders, int fd, const char *name);

static bool take_numbered(struct folder *f, struct names_list *folders, int fd, const char *name)
{
	if (*name == '.')
		return true;
	switch (thing_at(fd, name)) {
	case THING_FILE:
		if (is_number(name))
			return add(&f->files, "", name);
		f->strange = true;
		return true;
	case THING_FOLDER:
		return f->kind != FOLDER_SPOOL || add(folders, "", name);
	default:
		return true;
	}
}

static bool is_maildir(const char *path)
{
	return holds_folder(path, "cur") && holds_folder(path, "new");
}

static bool take_maildir(struct folder *f, struct names_list *folders, int fd, const char *name)
{
	if (!strcmp(name, "cur") || !strcmp(name, "new") || !strcmp(name, "tmp") || thing_at(fd, name) != THING_FOLDER)
		return true;
	char *path = NULL;
	size_t room = 0;
	bool good = join(&path, &room, f->path, name) && (!is_maildir(path) || add(folders, "", name));
	free(path);
	return good;
}

static bool take_new(struct folder *f, struct names_list *folders, int fd, const char *name)
{
	(void)folders;
	return *name == '.' || thing_at(fd, name) != THING_FILE || add(&f->files, "new/", name);
}

static bool take_cur(struct folder *f, struct names_list *folders, int fd, const char *name)
{
	(void)folders;
	return *name == '.' || thing_at(fd, name) != THING_FILE || add(&f->files, "cur/", name);
}

/* All names in a folder.  0, or an errno. */
static int read_names(struct folder *f, struct names_list *folders, const char *path, take_name *take)
{
	DIR *stream = opendir(path);
	const struct dirent *entry;
	bool good = true;
	if (!stream)
		return errno;
	errno = 0;
	while (good && (entry = readdir(stream))) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			good = take(f, folders, dirfd(stream), entry->d_name);
		if (good)
			errno = 0;
	}
	int error = good ? errno : ENOMEM;
	closedir(stream);
	return error;
}

static int read_box(struct folder *f, const char *box, take_name *take)
{
	char *path = NULL;
	size_t room = 0;
	int error = join(&path, &room, f->path, box) ? read_names(f, NULL, path, take) : ENOMEM;
	free(path);
	return error;
}

/* The messages and the folders at f->path. */
static int read_folder(struct folder *f, struct names_list *folders)
{
	bool maildir = f->kind == FOLDER_MAILDIR;
	clear(&f->files);
	int error = read_names(f, folders, f->path, maildir ? take_maildir : take_numbered);
	if (!error && maildir)
		error = read_box(f, "new", take_new);
	if (!error && maildir)
		error = read_box(f, "cur", take_cur);
	if (!error && (!sort(&f->files, maildir ? by_name_in_box : by_number) || !sort(folders, by_name)))
		error = ENOMEM;
	return error;
}

/* Goes to the next folder and reads it.  False behind the last. */
static bool next_folder(struct folder *f, int *error)
{
	struct names_list *l = NULL;
	*error = 0;
	while (!f->fresh && f->depth > 0) {
		l = &f->level[f->depth - 1];
		if (l->at < l->count)
			break;
		clear(l);
		f->depth--;
		if (f->depth > 0)
			*strrchr(f->path, '/') = '\0';
	}
	if (!f->fresh && f->depth == 0)
		return false;
	if (f->depth == f->levels) {
		struct names_list *more = realloc(f->level, (2 * f->levels + 4) * sizeof *more);
		if (!more) {
			*error = ENOMEM;
			return false;
		}
		f->level = more;
		f->levels = 2 * f->levels + 4;
		l = f->depth > 0 ? &f->level[f->depth - 1] : NULL;
	}
	f->level[f->depth] = (struct names_list){ NULL, 0, 0, NULL, 0, 0 };
	if (!f->fresh && !join(&f->path, &f->path_room, f->path, l->item[l->at++]))
		*error = ENOMEM;
	f->fresh = false;
	f->depth++;
	if (!*error)
		*error = read_folder(f, &f->level[f->depth - 1]);
	return true;
}

struct folder *folder_open(const char *path, enum folder_kind kind, char *why)
{
	struct folder *f = calloc(1, sizeof *f);
	size_t n = strlen(path) + 1;
	int error = 0;
	if (kind == FOLDER_MAILDIR && !is_maildir(path)) {
		snprintf(why, WHY_SIZE, "is no maildir: it has no cur and new");
		free(f);
		return NULL;
	}
	if (f && (f->path = malloc(n))) {
		memcpy(f->path, path, n);
		while (n > 2 && f->path[n - 2] == '/')
			f->path[--n - 1] = '\0';
		f->path_room = n;
		f->kind = kind;
		f->fresh = true;
		next_folder(f, &error);
		if (!error)
			return f;
	}
	report_why(why, error ? error : ENOMEM);
	folder_free(f);
	return NULL;
}

void folder_free(struct folder *f)
{
	if (!f)
		return;
	while (f->depth > 0)
		clear(&f->level[--f->depth]);
	clear(&f->files);
	free(f->level);
	free(f->path);
	free(f->name);
	free(f);
}

const char *folder_next(struct folder *f)
{
	int error = 0;
	while (f->files.at == f->files.count) {
		if (!next_folder(f, &error))
			return NULL;
		if (error)
			return f->path;
	}
	if (join(&f->name, &f->name_room, f->path, f->files.item[f->files.at++]))
		return f->name;
	return f->path;
}

/* ---- Shapes ----------------------------------------------------------------------- */

/* A tree of folders in which the first file is a numbered one. */
static bool is_spool(const char *path)
{
	char why[WHY_SIZE];
	struct folder *f = folder_open(path, FOLDER_SPOOL, why);
	const char *first = f ? folder_next(f) : NULL;
	bool found = first && first != f->path && !f->strange;
	folder_free(f);
	return found;
}

static bool has_numbered(const char *path)
{
	DIR *stream = opendir(path);
	const struct dirent *entry;
	bool found = false;
	while (stream && !found && (entry = readdir(stream)))
		found = is_number(entry->d_name) && thing_at(dirfd(stream), entry->d_name) == THING_FILE;
	if (stream)
		closedir(stream);
	return found;
}

enum folder_kind folder_shape(const char *path)
{
	if (is_maildir(path))
		return FOLDER_MAILDIR;
	if (holds_file(path, "HEAD") && holds_folder(path, "objects"))
		return FOLDER_EPOCH;
	if (holds_folder(path, "all.git") || folder_next_epoch(path, -1) >= 0)
		return FOLDER_INBOX;
	if (holds_file(path, ".mh_sequences") || has_numbered(path))
		return FOLDER_MH;
	return is_spool(path) ? FOLDER_SPOOL : FOLDER_NONE;
}

long folder_next_epoch(const char *path, long after)
{
	char *git = NULL;
	size_t room = 0;
	DIR *stream = join(&git, &room, path, "git") ? opendir(git) : NULL;
	const struct dirent *entry;
	long next = -1;
	free(git);
	while (stream && (entry = readdir(stream))) {
		char *end;
		long n = strtol(entry->d_name, &end, 10);
		if (*entry->d_name >= '0' && *entry->d_name <= '9' && !strcmp(end, ".git") && n > after && (next < 0 || n < next))
			next = n;
	}
	if (stream)
		closedir(stream);
	return next;
}
