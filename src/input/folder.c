#include "folder.h"

#include "descriptor.h"
#include "memory.h"
#include "report.h"

#include "text/ascii.h"
#include "text/match.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct path_list {
	char **item;
	size_t count;
};

struct folder {
	enum folder_kind kind;
	const struct name_choice *choice;
	char *path;               /* of the folder whose messages come */
	const char *box;          /* the folder in it that is read, or NULL */
	struct path_list files;   /* the messages in it; `at` is the next one */
	size_t at;
	struct path_list folders; /* still to be read, the next one last */
	char *name;               /* the path handed out, */
	enum folder_kind found;   /* and what folder_found says of it */
	int error;                /* why `name` cannot be read */
	bool other;               /* a file was met that is not a message */
	unsigned long skipped;
	unsigned long beside;     /* those of them that its user may miss */
};

/* ---- Paths ------------------------------------------------------------------------ */

size_t folder_path_length(const char *path)
{
	const size_t n = strlen(path);
	return byte_run_back((const uint8_t *)path, smaller(n, 1), n, '/');
}

const char *folder_base_name(const char *path)
{
	return path + byte_last((const uint8_t *)path, 0, strlen(path), '/');
}

/* "path/name", for free(). */
static char *join(const char *path, const char *name)
{
	return memory_format("%s/%s", path, name);
}

static void clear(struct path_list *l)
{
	memory_free_all(l->item, l->count);
	*l = (struct path_list){ NULL, 0 };
}

/* Takes the path. */
static void add(struct path_list *l, char *path)
{
	MEMORY_ADD(l->item, l->count) = path;
}

/* Numbers without leading zeros: the longer one is greater. */
static int by_number(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t m = strlen(x), n = strlen(y);
	return m != n ? (m > n) - (m < n) : strcmp(x, y);
}

int folder_by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_name_reversed(const void *a, const void *b)
{
	return strcmp(*(const char *const *)b, *(const char *const *)a);
}

/* The names in `new` and `cur` together. */
static int by_name_in_box(const void *a, const void *b)
{
	enum { BOX = sizeof "cur/" - 1 };
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	int order = strcmp(x + BOX, y + BOX);
	return order ? order : strcmp(x, y);
}

/* Sorts the paths from `from` on. */
static void sort(struct path_list *l, size_t from, int (*order)(const void *a, const void *b))
{
	if (l->count > from)
		qsort(l->item + from, l->count - from, sizeof *l->item, order);
}

/* THING_UNKNOWN: in a folder that can be read but not searched; it may be either.
 * THING_LOST: a link to nothing, in a mail folder a message that cannot be read. */
enum thing {
	THING_OTHER, THING_FILE = 1, THING_FOLDER = 2, THING_UNKNOWN = THING_FILE | THING_FOLDER,
	THING_LOST = 4 | THING_FILE
};

/* Links lead to files only: those to folders could lead round.  A link that cannot be
 * followed is a file that cannot be read, so that the user learns of it. */
static enum thing thing_at(int fd, const char *name)
{
	struct stat status;
	if (fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? THING_OTHER : THING_UNKNOWN;
	if (S_ISDIR(status.st_mode))
		return THING_FOLDER;
	if (S_ISLNK(status.st_mode) && fstatat(fd, name, &status, 0))
		return errno_is_missing(errno) || errno == ELOOP ? THING_LOST : THING_FILE;
	return S_ISREG(status.st_mode) ? THING_FILE : THING_OTHER;
}

/* 0 when path/name is of this type, else an errno. */
static int look_for(const char *path, const char *name, mode_t type)
{
	struct stat status;
	char *whole = join(path, name);
	int error = stat(whole, &status) ? errno : (status.st_mode & S_IFMT) == type ? 0 : ENOENT;
	free(whole);
	return error;
}

static bool is_number(const char *name)
{
	enum { MOST = 18 }; /* digits */
	return within(match_text(name, "[123456789]%d*" MATCH_END), 1 + 1, 1 + MOST);
}

const char *directory_read(DIR *d)
{
	const struct dirent *e;
	do {
		errno = 0;
		e = readdir(d);
	} while (e && text_is_among(e->d_name, strlen(e->d_name), ". .."));
	return e ? e->d_name : NULL;
}

void directory_close(DIR *d)
{
	if (d)
		closedir(d);
}

/* ---- Reading a folder ------------------------------------------------------------- */

/* Takes a name in the folder open at fd. */
typedef void take_name(struct folder *f, int fd, const char *name);

static void take_numbered(struct folder *f, int fd, const char *name)
{
	if (*name == '.')
		return;
	enum thing thing = thing_at(fd, name);
	bool message = is_number(name) && thing & THING_FILE, spool = f->kind == FOLDER_SPOOL;
	bool deleted = is_of(*name, ",#"), file = (thing & THING_UNKNOWN) == THING_FILE;
	if (message)
		add(&f->files, memory_copy(name));
	else if (spool && (thing & THING_FOLDER))
		add(&f->folders, join(f->path, name));
	else
		f->other |= file;
	f->beside += !message && (spool ? file : !deleted);
}

bool folder_name_ends(const char *name, size_t n, const char *ending)
{
	const size_t length = strlen(ending);
	return n > length && ascii_is(name + n - length, length, ending);
}

bool folder_names_emlx(const char *name) { return folder_name_ends(name, strlen(name), ".emlx"); }

static bool is_eml(const char *name)
{
	return *name != '.' && ascii_ends_among(name, strlen(name), ".eml .emlx");
}

static void take_eml(struct folder *f, int fd, const char *name)
{
	if (is_eml(name) && (thing_at(fd, name) & THING_FILE))
		add(&f->files, memory_copy(name));
	else
		f->beside += *name != '.';
}

static void take_boxed(struct folder *f, int fd, const char *name)
{
	if (*name != '.' && (thing_at(fd, name) & THING_FILE))
		add(&f->files, join(f->box, name));
}

/* A slash at the end of a pattern stands for folders alone. */
static bool matches(const struct name_patterns *p, const char *path, bool folder)
{
	const char *name = folder_base_name(path);
	bool found = false;
	for (size_t i = 0; i < p->count && !found; i++) {
		const char *item = p->item[i];
		char *pattern = memory_copy_part(item, folder ? folder_path_length(item) : strlen(item));
		found = !fnmatch(pattern, strchr(pattern, '/') ? path : name, 0);
		free(pattern);
	}
	return found;
}

static bool includes(const struct name_choice *c, const char *path)
{
	return !c->include.count || matches(&c->include, path, false);
}

static void take_any(struct folder *f, int fd, const char *name)
{
	const struct name_choice *c = f->choice;
	enum thing thing = *name == '.' && !c->hidden ? THING_OTHER : thing_at(fd, name);
	if (thing == THING_OTHER || thing == THING_LOST) /* programs leave links to nothing in trees */
		return;
	char *path = join(f->path, name);
	const bool file = thing != THING_FOLDER;
	if (!matches(&c->exclude, path, !file)) {
		if (!file)
			add(&f->folders, memory_copy(path));
		else if (includes(c, path))
			add(&f->files, memory_copy(name));
	}
	free(path);
}

/* The number of the epoch of this name, or -1. */
static long epoch_number(const char *name)
{
	return match_text(name, "%d+.git" MATCH_END) ? strtol(name, NULL, 10) : -1;
}

/* FOLDER_INBOX, FOLDER_EPOCH for any bare repository of git, or FOLDER_NONE. */
static enum folder_kind git_shape(const char *path)
{
	int error;
	if (!look_for(path, "HEAD", S_IFREG) && !look_for(path, "objects", S_IFDIR))
		return FOLDER_EPOCH;
	const bool inbox = !look_for(path, "all.git", S_IFDIR) || folder_next_epoch(path, -1, &error) >= 0;
	return inbox ? FOLDER_INBOX : FOLDER_NONE;
}

/* A folder that every maildir has. */
static bool is_box(const struct folder *f, const char *name)
{
	return f->kind == FOLDER_MAILDIR && text_is_among(name, strlen(name), "cur new tmp");
}

/* Takes maildirs, and folders that cannot be examined. */
static void take_maildir(struct folder *f, int fd, const char *name)
{
	if (is_box(f, name) || thing_at(fd, name) != THING_FOLDER)
		return;
	char *path = join(f->path, name);
	if (!errno_is_missing(look_for(path, "cur", S_IFDIR)) && !errno_is_missing(look_for(path, "new", S_IFDIR)))
		add(&f->folders, path);
	else
		free(path);
}

/* All names in f->path, or a folder in it.  What goes wrong is for folder_next. */
static void read_names(struct folder *f, const char *box, take_name *take)
{
	char *path = box ? join(f->path, box) : memory_copy(f->path);
	f->box = box;
	DIR *stream = opendir(path);
	int error = errno_if(!stream);
	for (const char *name; (name = directory_next(stream));) {
		size_t before = f->files.count + f->folders.count;
		take(f, dirfd(stream), name);
		f->skipped += before == f->files.count + f->folders.count && !is_box(f, name);
	}
	error |= errno;
	directory_close(stream);
	if (error) {
		free(f->name);
		f->name = path;
		f->error = error;
	} else {
		free(path);
	}
}

static bool is_maildir(const char *path)
{
	return !look_for(path, "cur", S_IFDIR) && !look_for(path, "new", S_IFDIR);
}

struct folder *folder_open(const char *path, enum folder_kind kind, char *why)
{
	if (kind == FOLDER_MAILDIR && !is_maildir(path)) {
		snprintf(why, WHY_SIZE, "is not a maildir: cur or new is missing");
		return NULL;
	}
	struct folder *f = memory_get(sizeof *f);
	static const struct name_choice every;
	add(&f->folders, memory_copy_part(path, folder_path_length(path)));
	f->kind = kind;
	f->choice = &every;
	return f;
}

void folder_choose(struct folder *f, const struct name_choice *choice) { f->choice = choice; }

void folder_free(struct folder *f)
{
	clear(&f->files);
	clear(&f->folders);
	free(f->path);
	free(f->name);
	free(f);
}

const char *folder_next(struct folder *f, int *error)
{
	static const struct {
		take_name *take;
		int (*order)(const void *a, const void *b); /* of files */
	} how[] = {
		[FOLDER_NONE] = { take_any, folder_by_name }, /* such a folder is not opened */
		[FOLDER_MAILDIR] = { take_maildir, by_name_in_box }, [FOLDER_MH] = { take_numbered, by_number },
		[FOLDER_SPOOL] = { take_numbered, by_number }, [FOLDER_EML] = { take_eml, folder_by_name },
		[FOLDER_TREE] = { take_any, folder_by_name },
	};
	*error = 0;
	f->found = FOLDER_NONE;
	while (f->at == f->files.count) {
		const bool inner = f->path != NULL;
		if (f->folders.count == 0)
			return NULL;
		free(f->path);
		f->path = f->folders.item[--f->folders.count];
		/* The messages and the folders in it. */
		const size_t before = f->folders.count;
		clear(&f->files);
		f->at = 0;
		if (inner && f->kind == FOLDER_TREE) {
			/* An inbox or an epoch is found; another repository of git is passed over. */
			const char *name = folder_base_name(f->path);
			const enum folder_kind shape = *name == '.' ? FOLDER_NONE : git_shape(f->path);
			const bool inbox = shape == FOLDER_INBOX || (shape == FOLDER_EPOCH && epoch_number(name) >= 0);
			if (inbox && includes(f->choice, f->path)) {
				f->found = shape;
				return f->path;
			}
			if (shape != FOLDER_NONE) {
				f->skipped++;
				continue;
			}
		}
		read_names(f, NULL, how[f->kind].take);
		if (f->kind == FOLDER_MAILDIR) {
			read_names(f, "new", take_boxed);
			read_names(f, "cur", take_boxed);
		}
		sort(&f->files, 0, how[f->kind].order);
		sort(&f->folders, before, by_name_reversed);
		*error = f->error;
		f->error = 0;
		if (*error)
			return f->name;
	}
	free(f->name);
	return f->name = join(f->path, f->files.item[f->at++]);
}

enum folder_kind folder_found(const struct folder *f) { return f->found; }

unsigned long folder_skipped(const struct folder *f)
{
	return f->skipped;
}

unsigned long folder_beside(const struct folder *f, const char **read)
{
	*read = f->kind == FOLDER_EML ? "its *.eml and *.emlx" : "files with numbers as names";
	return f->beside;
}

/* ---- Shapes ----------------------------------------------------------------------- */

static const struct kind_row {
	const char *name;
	enum folder_kind kind;
} kinds[] = {
	{ "files", FOLDER_NONE }, { "mbox", FOLDER_NONE }, { "maildir", FOLDER_MAILDIR }, { "mh", FOLDER_MH },
	{ "spool", FOLDER_SPOOL }, { "eml", FOLDER_EML }, { "inbox", FOLDER_EPOCH }, { .name = NULL }
};

const char *folder_kind_name(enum folder_kind kind)
{
	const struct kind_row *row = kinds;
	while (row[1].name && row->kind != kind)
		row++;
	return row->name;
}

bool folder_kind_find(const char *name, enum folder_kind *kind)
{
	const struct kind_row *row = row_named(kinds, sizeof *kinds, name);
	if (row)
		*kind = row->kind;
	return row;
}

/* Whether a file in the folder has a name like that. */
static bool has_file(const char *path, bool is_named(const char *name))
{
	DIR *stream = opendir(path);
	const char *name;
	do
		name = directory_next(stream);
	while (name && !(is_named(name) && thing_at(dirfd(stream), name) & THING_FILE));
	directory_close(stream);
	return name;
}

bool folder_is(const char *path)
{
	struct stat status;
	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

enum folder_kind folder_shape(const char *path)
{
	int error;
	if (is_maildir(path))
		return FOLDER_MAILDIR;
	const enum folder_kind of_git = git_shape(path);
	if (of_git != FOLDER_NONE)
		return of_git;
	if (!look_for(path, ".mh_sequences", S_IFREG) || has_file(path, is_number))
		return FOLDER_MH;
	struct folder *f = folder_open(path, FOLDER_SPOOL, NULL);
	const bool spool = folder_next(f, &error) && !f->other; /* the first file has a number for its name */
	folder_free(f);
	if (spool)
		return FOLDER_SPOOL;
	return has_file(path, is_eml) ? FOLDER_EML : FOLDER_NONE;
}

long folder_next_epoch(const char *path, long after, int *error)
{
	char *git = join(path, "git");
	DIR *stream = opendir(git);
	long next = -1;
	*error = errno_if(!stream && !errno_is_missing(errno));
	free(git);
	for (const char *name; (name = directory_next(stream));) {
		const long n = epoch_number(name);
		if (n > after && (unsigned long)n < (unsigned long)next) /* which is the largest at first */
			next = n;
	}
	*error |= errno;
	directory_close(stream);
	return *error ? -1 : next;
}
