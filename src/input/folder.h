/* The files in a folder: the messages of a maildir, an MH folder, a news spool; any files.  Memory
 * grows with the number of names in the folder being read, and of subfolders in its parents. */
#ifndef INPUT_FOLDER_H
#define INPUT_FOLDER_H
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

enum folder_kind {
	FOLDER_NONE,
	FOLDER_MAILDIR, /* `cur` and `new`, and those of the maildirs in it; by name */
	FOLDER_MH,      /* files whose names are numbers, by number */
	FOLDER_SPOOL,   /* the same, and in all folders in it, by name */
	FOLDER_EML,     /* files `*.eml` and `*.emlx`, by name */
	FOLDER_TREE,    /* all files, and those in all folders in it, by name, see folder_choose; with public-inboxes */
	/* These two are of a public-inbox, which git reads, and the last ones: */
	FOLDER_INBOX,   /* the folder of the epochs in git/, by number, or of all.git */
	FOLDER_EPOCH    /* one epoch, a bare git repository */
};

/* Its name in an index and in a shard, where "files" and "mbox" are FOLDER_NONE.  folder_kind_find returns false for
 * other names. */
const char *folder_kind_name(enum folder_kind kind);
bool folder_kind_find(const char *name, enum folder_kind *kind);

/* The order of names in an array of them, for qsort. */
int folder_by_name(const void *a, const void *b);
/* Whether the name, of n bytes, is more than the ending, and ends with it, in any letter case. */
bool folder_name_ends(const char *name, size_t n, const char *ending);
/* Whether a file of this name in a FOLDER_EML is one of Apple Mail, which holds more than its message. */
bool folder_names_emlx(const char *name);

/* Whether there is a folder of this name. */
bool folder_is(const char *path);
/* The kind of a folder, by its contents. */
enum folder_kind folder_shape(const char *path);

/* The next name in a directory but `.` and `..`; NULL at its end, when errno is 0, and after a failure.  The second
 * function takes NULL for a directory without names. */
const char *directory_read(DIR *d);
static inline const char *directory_next(DIR *d)
{
	errno = 0;
	return d ? directory_read(d) : NULL;
}
void directory_close(DIR *d); /* NULL is allowed */

struct folder;

/* Which names of a FOLDER_TREE are taken.  A pattern (fnmatch(3)) with a slash is for the path, else for the name. */
enum { NAME_PATTERNS = 64 };
struct name_patterns {
	const char *item[NAME_PATTERNS];
	size_t count;
};
struct name_choice {
	struct name_patterns include; /* only files and inboxes that match one; all if there is none */
	struct name_patterns exclude; /* neither files nor folders that match one */
	int hidden;                   /* hidden ones too */
};

/* What follows the last slash of a path, or all of it. */
const char *folder_base_name(const char *path);
/* The length of the path without slashes at its end. */
size_t folder_path_length(const char *path);

/* Opens a folder, whatever its shape, but not a public-inbox.  NULL with the
 * reason in `why`, of WHY_SIZE bytes. */
struct folder *folder_open(const char *path, enum folder_kind kind, char *why);
/* Before the first folder_next; `choice` must outlive the folder. */
void folder_choose(struct folder *f, const struct name_choice *choice);
void folder_free(struct folder *f);

/* The path of the next message, valid until the next call; NULL after the last.  When
 * *error is not 0, it is the errno of a path that cannot be read, folders included. */
const char *folder_next(struct folder *f, int *error);

/* FOLDER_INBOX or FOLDER_EPOCH when what folder_next returned is one, in a FOLDER_TREE; else FOLDER_NONE. */
enum folder_kind folder_found(const struct folder *f);

/* The names so far that were skipped: those that the kind of the folder does not name; in a FOLDER_TREE those that
 * were not chosen, what is neither a file nor a folder, links to nothing, and other repositories of git. */
unsigned long folder_skipped(const struct folder *f);
/* Those of the skipped names that the user may miss: in a FOLDER_EML and a FOLDER_MH, other files and folders that are
 * neither hidden nor messages that MH has deleted, with a comma or # before their numbers.  *read says what is read. */
unsigned long folder_beside(const struct folder *f, const char **read);

/* The next epoch of a public-inbox: the smallest number greater than `after`, which is -1
 * at first; -1 when there is none, or on failure with *error. */
long folder_next_epoch(const char *path, long after, int *error);

#endif
