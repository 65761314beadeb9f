#include "site.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char marker[] = ".urlsift", format[] = "urlsift pages 1\n", part[] = ".part";

static const struct section_row {
	const char *folder; /* with a slash */
	bool hashes;        /* names are hashes, not months */
} sections[SECTIONS] = {
	[SECTION_TOP] = { "", false },         [SECTION_MESSAGES] = { "m/", true }, [SECTION_DATE] = { "date/", false },
	[SECTION_THREAD] = { "thread/", false }, [SECTION_AUTHOR] = { "author/", false }, [SECTION_HOSTS] = { "h/", true },
};

const char *site_folder(enum section section)
{
	return sections[section].folder;
}

static void fail(struct site *s, enum section section, const char *name, int error)
{
	char what[PAGES_WHY], why[WHY_SIZE];
	report_why(why, error);
	snprintf(what, sizeof what, "%.300s%s%s%s", s->path, *name || section ? "/" : "", sections[section].folder, name);
	plan_fail(s->plan, what, why);
}

static bool good(const struct site *s)
{
	return !*s->plan->why;
}

/* ---- The folder -------------------------------------------------------------------------- */

/* Whether there is nothing in the folder; -1 with errno. */
static int is_empty(int folder)
{
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
	const struct dirent *e = NULL;
	bool empty = true;
	if (!d) {
		if (copy >= 0)
			close(copy);
		return -1;
	}
	while (empty && (e = readdir(d)))
		empty = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
	closedir(d);
	return empty;
}

/* Whether the marker is that of this version, or could be written: an empty one is that of a killed process. */
static bool is_ours(int fd)
{
	char text[sizeof format];
	ssize_t n;
	do {
		n = pread(fd, text, sizeof text, 0);
		if (n == 0)
			n = pwrite(fd, memcpy(text, format, sizeof format), sizeof format - 1, 0);
	} while (n < 0 && errno == EINTR);
	return n == sizeof format - 1 && !memcmp(text, format, sizeof format - 1);
}

static void take_folder(struct site *s)
{
	int top = s->folder[SECTION_TOP];
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	s->lock = openat(top, marker, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (s->lock < 0 && errno == ENOENT) {
		int empty = is_empty(top);
		if (empty < 0)
			fail(s, SECTION_TOP, "", errno);
		else if (!empty)
			plan_fail(s->plan, s->path, "is not empty and was not written by 'urlsift html -o'; name another folder");
		else
			s->lock = openat(top, marker, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	}
	if (!good(s))
		return;
	if (s->lock < 0)
		fail(s, SECTION_TOP, marker, errno);
	else if (fcntl(s->lock, F_SETLK, &lock))
		plan_fail(s->plan, s->path, errno == EACCES || errno == EAGAIN ? "is being written by another process"
		                                                              : "cannot be locked");
	else if (!is_ours(s->lock))
		plan_fail(s->plan, s->path,
		          "is not writable, or was written by another version of urlsift; name another folder");
}

bool site_init(struct site *s, struct plan *plan, const char *path)
{
	s->plan = plan;
	s->path = path;
	s->lock = s->old = s->new = -1;
	for (int i = 0; i < SECTIONS; i++)
		s->folder[i] = -1;
	if ((mkdir(path, 0777) && errno != EEXIST)
	    || (s->folder[SECTION_TOP] = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		fail(s, SECTION_TOP, "", errno);
	else
		take_folder(s);
	return good(s);
}

static void put_away(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void site_fini(struct site *s)
{
	if (s->lock >= 0)
		unlinkat(s->folder[SECTION_TOP], part, 0);
	put_away(&s->old);
	put_away(&s->new);
	put_away(&s->lock);
	for (int i = 0; i < SECTIONS; i++)
		put_away(&s->folder[i]);
}

/* Opens a file for writing, whose name is free or that of one that a killed process left. */
static int open_part(struct site *s)
{
	int top = s->folder[SECTION_TOP];
	unlinkat(top, part, 0);
	int fd = openat(top, part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0)
		fail(s, SECTION_TOP, part, errno);
	return fd;
}

int site_temporary(struct site *s)
{
	int fd = open_part(s);
	if (fd >= 0)
		unlinkat(s->folder[SECTION_TOP], part, 0);
	return fd;
}

/* The folder of a section, created when first needed; -1 on failure. */
static int open_folder(struct site *s, enum section section)
{
	int top = s->folder[SECTION_TOP], *fd = &s->folder[section];
	char name[8];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(sections[section].folder, "/"), sections[section].folder);
	if (*fd < 0 && ((mkdirat(top, name, 0777) && errno != EEXIST)
	                || (*fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)) < 0))
		fail(s, section, "", errno);
	return *fd;
}

/* ---- A page ------------------------------------------------------------------------------- */

static void write_new(struct site *s, const char *bytes, size_t n)
{
	int error = good(s) ? report_write(s->new, bytes, n) : 0;
	if (error)
		fail(s, s->section, s->name, error);
}

/* Reads up to n bytes of the old file at s->at; fewer only at its end or after a failure, and then it differs. */
static size_t read_old(struct site *s, uint64_t at, char *to, size_t n)
{
	size_t used = 0;
	ssize_t k = 1;
	while (used < n && k != 0) {
		k = pread(s->old, to + used, n - used, (off_t)(at + used));
		if (k < 0 && errno != EINTR)
			break;
		used += k > 0 ? (size_t)k : 0;
	}
	return used;
}

/* The new content is that of the old file up to s->at; what follows differs. */
static void begin_new(struct site *s)
{
	s->differs = true;
	s->new = good(s) ? open_part(s) : -1;
	for (uint64_t at = 0; at < s->at && good(s);) {
		size_t n = read_old(s, at, s->was, s->at - at < SITE_BLOCK ? (size_t)(s->at - at) : SITE_BLOCK);
		if (n == 0)
			fail(s, s->section, s->name, EIO);
		write_new(s, s->was, n);
		at += n;
	}
}

static void flush(struct site *s)
{
	if (!s->differs && read_old(s, s->at, s->was, s->used) == s->used && !memcmp(s->was, s->data, s->used)) {
		s->at += s->used;
	} else {
		if (!s->differs)
			begin_new(s);
		write_new(s, s->data, s->used);
	}
	s->used = 0;
}

void site_begin(struct site *s, enum section section, const char *name)
{
	if (!good(s) || open_folder(s, section) < 0)
		return;
	s->section = section;
	snprintf(s->name, sizeof s->name, "%s", name);
	s->at = s->used = 0;
	s->differs = false;
	s->old = openat(s->folder[section], name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW); /* a FIFO differs */
	if (s->old < 0)
		begin_new(s);
}

void site_put(struct site *s, const void *bytes, size_t n)
{
	const char *p = bytes;
	while (n > 0 && good(s)) {
		size_t k = SITE_BLOCK - s->used < n ? SITE_BLOCK - s->used : n;
		memcpy(s->data + s->used, p, k);
		s->used += k;
		p += k;
		n -= k;
		if (s->used == SITE_BLOCK)
			flush(s);
	}
}

void site_end(struct site *s)
{
	char more;
	if (good(s)) {
		flush(s);
		if (!s->differs && read_old(s, s->at, &more, 1) > 0)
			begin_new(s);
	}
	if (s->new >= 0 && close(s->new))
		fail(s, s->section, s->name, errno);
	s->new = -1;
	put_away(&s->old);
	if (good(s) && s->differs && renameat(s->folder[SECTION_TOP], part, s->folder[s->section], s->name))
		fail(s, s->section, s->name, errno);
	sqlite3_stmt *note = good(s) ? plan_prepare(s->plan, "INSERT OR IGNORE INTO page VALUES(?, ?)") : NULL;
	plan_bind(note, "it", (int64_t)s->section, s->name, strlen(s->name));
	plan_run(s->plan, note);
	sqlite3_finalize(note);
}

/* ---- What is left of earlier runs ------------------------------------------------------------ */

/* Whether a page of ours may have this name. */
static bool could_be_ours(enum section section, const char *name)
{
	size_t n;
	if (section == SECTION_TOP && strncmp(name, "links", 5))
		return false;
	if (section == SECTION_TOP)
		n = 5;
	else if (sections[section].hashes)
		n = strspn(name, "0123456789abcdef") == 16 ? 16 : 0;
	else
		n = !strncmp(name, "undated", 7) ? 7 : strspn(name, "0123456789") == 4 ? 4 : 0;
	if (n == 0)
		return false;
	if (name[n] == '-')
		n += 1 + strspn(name + n + 1, "0123456789");
	return !strcmp(name + n, ".html");
}

static void remove_from(struct site *s, enum section section, bool (*replace)(void *user, const char *name), void *user)
{
	int copy = openat(s->folder[section], ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
	sqlite3_stmt *find = plan_prepare(s->plan, "SELECT 1 FROM page WHERE section=? AND name=?");
	const struct dirent *e;
	if (!d)
		fail(s, section, "", errno);
	while (d && good(s) && (e = readdir(d))) {
		if (!could_be_ours(section, e->d_name))
			continue;
		plan_bind(find, "it", (int64_t)section, e->d_name, strlen(e->d_name));
		bool known = plan_row(s->plan, find);
		sqlite3_reset(find);
		known = known || (section == SECTION_MESSAGES && good(s) && replace(user, e->d_name));
		if (!known && good(s) && unlinkat(s->folder[section], e->d_name, 0) && errno != ENOENT)
			fail(s, section, e->d_name, errno);
	}
	sqlite3_finalize(find);
	if (d)
		closedir(d);
	else if (copy >= 0)
		close(copy);
}

void site_remove_others(struct site *s, bool (*replace)(void *user, const char *name), void *user)
{
	for (unsigned i = 0; i < SECTIONS && good(s); i++)
		if (open_folder(s, (enum section)i) >= 0)
			remove_from(s, (enum section)i, replace, user);
}

#endif
