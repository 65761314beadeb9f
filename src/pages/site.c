#include "site.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/descriptor.h"
#include "input/report.h"
#include "text/ascii.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char own[] = ".urlsift", locked[] = ".urlsift/lock";

#define HASH_SET "0123456789abcdef", 16
#define HASHES "", HASH_SET
#define MONTHS "undated", "0123456789", 4
/* Names of pages begin with a word, or with a number of characters of a set.  Others are never removed. */
static const struct section_row {
	const char *folder; /* with a slash */
	const char *word, *set;
	size_t length;
} sections[SECTIONS] = {
	[SECTION_TOP] = { "", "links", "", 0 },      [SECTION_MESSAGES] = { "m/", HASHES },
	[SECTION_DATE] = { "date/", MONTHS },        [SECTION_THREAD] = { "thread/", MONTHS },
	[SECTION_AUTHOR] = { "author/", MONTHS },    [SECTION_HOSTS] = { "h/", "letter", HASH_SET },
};

const char *site_folder(enum section section)
{
	return sections[section].folder;
}

void site_fail(struct site *s, enum section section, const char *name, int error)
{
	char what[PAGES_WHY];
	snprintf(what, sizeof what, "%.300s/%s%s", s->path, sections[section].folder, name);
	plan_fail_errno(s->plan, what, error);
}

static bool good(const struct site *s)
{
	return plan_good(s->plan);
}

/* ---- The folder -------------------------------------------------------------------------- */

/* Opens the folder of a section for read_name; NULL on failure. */
static DIR *open_list(struct site *s, enum section section)
{
	int copy = openat(s->folder[section], ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
	if (!d) {
		site_fail(s, section, "", errno);
		descriptor_close(&copy);
	}
	return d;
}

/* The next name in a folder; NULL at its end and after a failure. */
static const char *read_name(struct site *s, enum section section, DIR *d)
{
	errno = 0;
	const struct dirent *e = good(s) ? readdir(d) : NULL;
	if (!e && errno)
		site_fail(s, section, "", errno);
	return e ? e->d_name : NULL;
}

static bool is_empty(struct site *s)
{
	DIR *d = open_list(s, SECTION_TOP);
	const char *name = "..";
	while (d && name && (!strcmp(name, ".") || !strcmp(name, "..")))
		name = read_name(s, SECTION_TOP, d);
	if (d)
		closedir(d);
	return !name;
}

/* Our own folder marks the folder; earlier versions had a file of its name. */
static void make_own(struct site *s)
{
	struct stat status;
	const int top = s->folder[SECTION_TOP];
	const bool there = !fstatat(top, own, &status, AT_SYMLINK_NOFOLLOW);
	if (there && !S_ISDIR(status.st_mode))
		plan_fail(s->plan, s->path, S_ISREG(status.st_mode)
		          ? "was made by an older urlsift (schema 1); write the pages into a new folder"
		          : "has a .urlsift that is not a folder; name another folder");
	else if (!there && !is_empty(s))
		plan_fail(s->plan, s->path, "is not empty and was not written by 'urlsift html -o'; name another folder");
	else if (!there && good(s) && mkdirat(top, own, 0700))
		site_fail(s, SECTION_TOP, own, errno);
}

/* SQLite unlinks its temporary files when it has opened them, unless it is killed before. */
static void remove_temporary(struct site *s)
{
	int fd = openat(s->folder[SECTION_TOP], own, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	for (const struct dirent *e; d && (e = readdir(d));)
		if (!strncmp(e->d_name, "etilqs_", 7))
			unlinkat(fd, e->d_name, 0);
	if (d)
		closedir(d);
	else
		descriptor_close(&fd);
}

static void take_folder(struct site *s)
{
	const int top = s->folder[SECTION_TOP];
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	make_own(s);
	s->lock = good(s) ? openat(top, locked, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
	if (s->lock < 0)
		site_fail(s, SECTION_TOP, locked, errno);
	else if (!fcntl(s->lock, F_SETLK, &lock))
		remove_temporary(s);
	else {
		plan_fail(s->plan, s->path, errno == EACCES || errno == EAGAIN ? "is being written by another process"
		                                                              : "cannot be locked");
		descriptor_close(&s->lock); /* so .urlsift/part is not ours */
	}
}

static void remove_page(void *site)
{
	const struct site *s = site;
	unlinkat(s->folder[SECTION_TOP], SITE_PART, 0);
}

bool site_init(struct site *s, struct plan *plan, const char *path)
{
	s->plan = plan;
	s->path = path;
	s->lock = s->writer.old = s->writer.new = -1;
	s->block = s->writer.block;
	for (int i = 0; i < SECTIONS; i++)
		s->folder[i] = -1;
	const bool made = !mkdir(path, 0777);
	if (!made && errno == ENOENT)
		plan_fail(plan, path, "the folder that is to hold it does not exist");
	else if ((!made && errno != EEXIST)
	         || (s->folder[SECTION_TOP] = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		plan_fail_errno(plan, path, errno);
	else
		take_folder(s);
	s->undo = (struct memory_undo){ .run = remove_page, .user = s };
	if (good(s))
		memory_undo_add(&s->undo);
	return good(s);
}

void site_fini(struct site *s)
{
	site_write_end(s);
	if (s->lock >= 0)
		remove_page(s);
	memory_undo_remove(&s->undo);
	descriptor_close(&s->writer.old);
	descriptor_close(&s->writer.new);
	descriptor_close(&s->lock);
	for (int i = 0; i < SECTIONS; i++)
		descriptor_close(&s->folder[i]);
}

/* The folder of a section, created when first needed; -1 on failure. */
static int open_folder(struct site *s, enum section section)
{
	int top = s->folder[SECTION_TOP], *fd = &s->folder[section];
	char name[8];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(sections[section].folder, "/"), sections[section].folder);
	if (*fd < 0 && ((mkdirat(top, name, 0777) && errno != EEXIST)
	                || (*fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)) < 0))
		site_fail(s, section, "", errno);
	return *fd;
}

/* ---- A page ------------------------------------------------------------------------------- */

void site_begin(struct site *s, enum section section, const char *name)
{
	if (!good(s) || open_folder(s, section) < 0)
		return;
	s->block->section = section;
	snprintf(s->block->name, sizeof s->block->name, "%s", name);
	s->block->first = true;
	s->block->used = 0;
	s->mask = (struct site_mask){ .tag = false };
}

bool site_differs(struct site *s, enum section section, const char *name, const char *text)
{
	char begin[256];
	int fd = good(s) && open_folder(s, section) >= 0
	               ? openat(s->folder[section], name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW) : -1;
	const ssize_t n = fd >= 0 ? descriptor_read_at(fd, 0, begin, sizeof begin - 1) : -1;
	descriptor_close(&fd);
	if (n < 0)
		return false;
	begin[n] = '\0';
	return !strstr(begin, text);
}

/* In a name before `@`, which may have escapes and characters beyond ASCII. */
static bool is_name(char c)
{
	return is_scheme_byte((uint8_t)c) || c == '_' || c == '%' || (uint8_t)c >= 0x80;
}

/* At the end of a name: `{ada,eve}@`, `ada(work)@`, and with m->quoted the quotation mark of `"ada hill"@`, written as
 * a character reference. */
static bool ends_name(const struct site_mask *m, char c)
{
	return is_name(c) || c == '}' || c == ')' || (c == ';' && m->quoted);
}

/* Whether c is left out after the @: in a host, or in what follows it without a break; in an address literal such as
 * [IPv6:2001:db8::1], and its end. */
static bool hides(struct site_mask *m, char c)
{
	const bool inside = m->literal == LITERAL_INSIDE;
	if (m->literal == LITERAL_ENDED)
		return false;
	if (m->literal == LITERAL_MAY_BEGIN)
		m->literal = c == '[' ? LITERAL_INSIDE : LITERAL_NONE;
	else if (inside && c == ']')
		m->literal = LITERAL_ENDED;
	return is_name(c) || c == '@' || (inside ? c == ':' || c == ']' : m->literal == LITERAL_INSIDE);
}

/* The bytes at p, where none is left out, that are written together, with the state after them. */
static size_t mask(struct site_mask *m, const char *p, size_t n)
{
	static const char mailto[] = "mailto:";
	size_t i = 0;
	for (; i < n; i++) {
		const char c = p[i];
		const bool text = !m->tag || m->mail;
		m->host = text && m->named && (c == '@' || (m->escape == 2 && c == '0'));
		m->escape = c == '%' ? 1 : m->escape == 1 && c == '4' ? 2 : 0;
		m->quoted = c == '&' ? m->named : m->quoted && (c == '#' || c == ';' || is_alnum((uint8_t)c));
		m->named = text && ends_name(m, c);
		m->matched = m->tag && c == mailto[m->matched] ? m->matched + 1 : 0;
		m->mail = m->mail ? c != '"' && c != '>' : m->matched == sizeof mailto - 1;
		m->matched %= sizeof mailto - 1;
		m->tag = m->tag ? c != '>' : c == '<';
		m->literal = LITERAL_MAY_BEGIN;
		if (m->host)
			return i + 1;
	}
	return i;
}

static void put_bytes(struct site *s, const char *p, size_t n);

/* An address such as ada@a.example becomes ada@..., and ada%40a.example ada%40.... */
static void put_masked(struct site *s, const char *p, size_t n)
{
	struct site_mask *m = &s->mask;
	while (n > 0) {
		for (; m->host && n > 0 && hides(m, *p); p++)
			n--;
		const size_t k = mask(m, p, n);
		put_bytes(s, p, k);
		if (k > 0 && m->host)
			put_bytes(s, "...", 3);
		p += k;
		n -= k;
	}
}

void site_put(struct site *s, const void *bytes, size_t n)
{
	(s->masks ? put_masked : put_bytes)(s, bytes, n);
}

static void put_bytes(struct site *s, const char *p, size_t n)
{
	while (n > 0 && good(s)) {
		struct site_block *b = s->block;
		size_t k = smaller(SITE_BLOCK - b->used, n);
		memcpy(b->data + b->used, p, k);
		b->used += k;
		p += k;
		n -= k;
		if (b->used == SITE_BLOCK)
			site_write_pass(s);
	}
}

void site_end(struct site *s)
{
	s->block->last = true;
	if (good(s))
		site_write_pass(s);
	plan_run(s->plan, s->plan->note, "it", (int64_t)s->block->section, s->block->name, strlen(s->block->name));
}

/* ---- What is left of earlier runs ------------------------------------------------------------ */

/* Whether a page of ours may have this name. */
static bool could_be_ours(enum section section, const char *name)
{
	static const char digits[] = "0123456789";
	const struct section_row *row = &sections[section];
	size_t n = strspn(name, row->set), word = strlen(row->word);
	if (word && !strncmp(name, row->word, word))
		n = word;
	else if (n == 0 || n != row->length)
		return false;
	while (name[n] == '-')
		n += 1 + strspn(name + n + 1, digits);
	return !strcmp(name + n, ".html");
}

static void remove_from(struct site *s, enum section section, bool remove,
                        bool (*replace)(void *user, const char *name), void *user)
{
	DIR *d = open_list(s, section);
	sqlite3_stmt *find = database_prepare(&s->plan->db, "SELECT 1 FROM page WHERE section=? AND name=?");
	for (const char *name; d && (name = read_name(s, section, d));) {
		plan_bind(find, "it", (int64_t)section, name, strlen(name));
		if (!could_be_ours(section, name) || database_row(&s->plan->db, find)
		    || (section == SECTION_MESSAGES && replace(user, name)))
			continue;
		if (remove && good(s) && unlinkat(s->folder[section], name, 0))
			site_fail(s, section, name, errno);
	}
	sqlite3_finalize(find);
	if (d)
		closedir(d);
}

void site_remove_others(struct site *s, bool remove, bool (*replace)(void *user, const char *name), void *user)
{
	for (unsigned i = 0; i < SECTIONS && good(s); i++)
		if (open_folder(s, (enum section)i) >= 0)
			remove_from(s, (enum section)i, remove, replace, user);
}

#endif
