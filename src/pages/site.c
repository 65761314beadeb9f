#include "site.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/descriptor.h"
#include "input/folder.h"
#include "input/report.h"
#include "text/ascii.h"
#include "text/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char own[] = ".urlsift", locked[] = ".urlsift/lock";
static const char *const temporary[] = { SITE_ORDERED, SITE_LINKED };
enum { TEMPORARY = sizeof temporary / sizeof *temporary };

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

/* Opens a folder in another for directory_next; NULL with errno. */
static DIR *open_within(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const int error = errno;
	if (!d)
		descriptor_close(&fd);
	errno = error;
	return d;
}

/* Opens the folder of a section for read_name; NULL on failure. */
static DIR *open_list(struct site *s, enum section section)
{
	DIR *d = open_within(s->folder[section], ".");
	if (!d)
		site_fail(s, section, "", errno);
	return d;
}

/* The next name in a folder; NULL at its end and after a failure. */
static const char *read_name(struct site *s, enum section section, DIR *d)
{
	const char *name = directory_next(good(s) ? d : NULL);
	if (!name && errno)
		site_fail(s, section, "", errno);
	return name;
}

static void take_folder(struct site *s)
{
	const int top = s->folder[SECTION_TOP];

	struct stat status;
	/* Our own folder marks the folder; earlier versions had a file of its name. */
	const bool there = !fstatat(top, own, &status, AT_SYMLINK_NOFOLLOW);
	if (there && !S_ISDIR(status.st_mode))
		plan_fail(s->plan, s->path, S_ISREG(status.st_mode)
		          ? "was made by an older urlsift (schema 1); write the pages into a new folder"
		          : "has a .urlsift that is not a folder; name another folder");
	if (!there) {
		DIR *d = open_list(s, SECTION_TOP);
		const bool used = read_name(s, SECTION_TOP, d);
		directory_close(d);
		if (used)
			plan_fail(s->plan, s->path, "is not empty and was not written by 'urlsift html -o'; name another folder");
		else if (good(s) && mkdirat(top, own, 0700))
			site_fail(s, SECTION_TOP, own, errno);
	}
	s->lock = good(s) ? openat(top, locked, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
	int error;
	if (s->lock < 0)
		site_fail(s, SECTION_TOP, locked, errno);
	else if ((error = descriptor_lock(s->lock)) != 0) {
		plan_fail(s->plan, s->path, error == EAGAIN ? "is being written by another process" : "cannot be locked");
		descriptor_close(&s->lock); /* so what is being written is not ours */
	} else {
		/* What a killed run has left: pages that were being written, the databases of that run, and SQLite's temporary
		 * files, which it unlinks when it has opened them. */
		DIR *d = open_within(top, own);
		for (const char *name; (name = directory_next(d));)
			if (!strncmp(name, "etilqs_", 7) || !strncmp(name, "part", 4))
				unlinkat(dirfd(d), name, 0);
		directory_close(d);
	}
}

static void undo(void *site)
{
	const struct site *s = site;
	unlinkat(s->folder[SECTION_TOP], s->part, 0);
	for (int i = 0; s->lock >= 0 && i < TEMPORARY; i++)
		unlinkat(s->folder[SECTION_TOP], temporary[i], 0);
}

bool site_init(struct site *s, struct plan *plan, const char *path)
{
	s->plan = plan;
	s->path = path;
	s->lock = s->old = s->new = -1;
	snprintf(s->part, sizeof s->part, SITE_PART "0");
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
	if (good(s))
		memory_undo_add(&s->undo, undo, s);
	return good(s);
}

void site_join(struct site *s, struct plan *plan, const struct site *first, unsigned number)
{
	*s = (struct site){ .plan = plan, .path = first->path, .lock = -1, .number = number, .old = -1, .new = -1,
	                    .progress = first->progress, .masks = first->masks };
	memcpy(s->folder, first->folder, sizeof s->folder);
	memcpy(s->made, first->made, sizeof s->made);
	snprintf(s->part, sizeof s->part, SITE_PART "%u", number);
	memory_undo_add(&s->undo, undo, s);
}

void site_fini(struct site *s)
{
	memory_undo_remove(&s->undo);
	if (s->new >= 0 || s->lock >= 0)
		undo(s);
	descriptor_close(&s->old);
	descriptor_close(&s->new);
	for (int i = 0; s->number == 0 && i < SECTIONS; i++)
		descriptor_close(&s->folder[i]);
	descriptor_close(&s->lock);
}

void site_prepare(struct site *s)
{
	enum { HOW = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW };
	const int top = s->folder[SECTION_TOP];
	for (unsigned i = SECTION_TOP + 1; i < SECTIONS && good(s); i++) {
		char name[8];
		snprintf(name, sizeof name, "%.*s", (int)strcspn(sections[i].folder, "/"), sections[i].folder);
		s->made[i] = !mkdirat(top, name, 0777);
		if ((!s->made[i] && errno != EEXIST)
		    || (s->folder[i] = openat(top, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)) < 0)
			site_fail(s, (enum section)i, "", errno);
	}
	for (int i = 0; i < TEMPORARY && good(s); i++) {
		int fd = openat(top, temporary[i], HOW, 0600);
		if (fd < 0)
			site_fail(s, SECTION_TOP, temporary[i], errno);
		descriptor_close(&fd);
	}
}

/* ---- A page ------------------------------------------------------------------------------- */

void site_begin(struct site *s, enum section section, const char *name)
{
	if (!good(s))
		return;
	s->section = section;
	snprintf(s->name, sizeof s->name, "%s", name);
	s->mask = (struct site_mask){ .tag = 0 };
	site_write_begin(s);
}

bool site_differs(struct site *s, enum section section, const char *name, const char *text)
{
	char begin[256];
	int fd = s->made[section] ? -1
	               : openat(s->folder[section], name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	const ssize_t n = descriptor_read_at(fd, 0, begin, sizeof begin - 1);
	descriptor_close(&fd);
	if (n < 0)
		return false;
	begin[n] = '\0';
	return !strstr(begin, text);
}

/* In a name before `@`, which may have escapes and characters beyond ASCII. */
static bool is_name(char c)
{
	return byte_class[(uint8_t)c] & (BYTE_SCHEME | BYTE_UNDERSCORE | BYTE_HIGH) || c == '%';
}

static void take_tag(struct site_mask *m, char c)
{
	static const char mailto[] = "mailto:";
	if (m->tag == 0) {
		m->tag = c == '<';
		m->mail = m->anchor = m->ends = false;
		m->matched = 0;
		m->whole = 0;
		m->target = 0;
		return;
	}
	m->ends |= m->tag == 1 && c == '/';
	m->open &= !m->ends || m->tag != 2 || c != 'a';
	m->tag++;
	m->matched = c == mailto[m->matched] ? m->matched + 1 : 0;
	m->mail = m->mail ? !is_of(c, "\">") : m->matched == sizeof mailto - 1;
	m->matched %= sizeof mailto - 1;
	m->anchor |= m->mail;
	if (m->mail)
		m->target = bytes_hash(m->target, (const uint8_t *)&c, 1);
	if (c == '>') {
		/* After a tag.  What divides a link, such as the end of a line, divides its text into several anchors: it goes
		 * on where the last one ended, unless all was left out that is left out of the target. */
		m->tag = 0;
		if (m->anchor) {
			m->open = true;
			if (m->target == m->was && m->shown < m->whole) {
				m->at = m->kept;
				m->at.dotted = false;
			} else {
				m->shown = 0;
			}
			m->was = m->target;
		} else if (m->open) {
			m->at = m->kept; /* a <bdi> in an anchor */
		}
	}
}

/* The bytes at p, where none is left out, that are written together, with the state after them. */
static size_t mask(struct site_mask *m, const char *p, size_t n)
{
	struct site_mask_text *t = &m->at;
	size_t i = 0;
	for (; i < n; i++) {
		const char c = p[i];
		const bool text = !m->tag || m->mail;
		if (m->open && !m->tag && c == '<')
			m->kept = *t;
		t->host = text && t->named && (c == '@' || (t->escape == 2 && c == '0'));
		t->escape = c == '%' ? 1 : t->escape == 1 && c == '4' ? 2 : 0;
		t->quoted = c == '&' ? t->named : t->quoted && (is_of(c, "#;") || is_alnum((uint8_t)c));
		/* At the end of a name: `{ada,eve}@`, `ada(work)@`, and `"ada hill"@`, whose quotation mark is written as a
		 * character reference. */
		t->named = text && (is_name(c) || is_of(c, "})") || (c == ';' && t->quoted));
		t->literal = LITERAL_MAY_BEGIN;
		t->dotted = false;
		take_tag(m, c);
		if (t->host)
			return i + 1;
	}
	return i;
}

static void put_bytes(struct site *s, const char *p, size_t n);

/* The byte, which follows an @, is part of a host, or follows it without a break; or of an address literal such as
 * [IPv6:2001:db8::1], up to its end. */
static bool leaves_out(struct site_mask *m, char c)
{
	struct site_mask_text *t = &m->at;
	const bool inside = t->literal == LITERAL_INSIDE;
	if (t->literal == LITERAL_ENDED)
		return false;
	if (t->literal == LITERAL_MAY_BEGIN)
		t->literal = c == '[' ? LITERAL_INSIDE : LITERAL_NONE;
	else if (inside && c == ']')
		t->literal = LITERAL_ENDED;
	if (!is_name(c) && c != '@' && (inside ? c != ':' && c != ']' : t->literal != LITERAL_INSIDE))
		return false;
	/* An escape in a target is one byte of the text. */
	if (m->tag) {
		m->whole += c == '%' ? -1 : 1;
		m->target = bytes_hash(m->target, (const uint8_t *)&c, 1);
	} else {
		m->shown++;
	}
	return true;
}

/* An address such as ada@a.example becomes ada@..., and ada%40a.example ada%40.... */
static void put_masked(struct site *s, const char *p, size_t n)
{
	struct site_mask *m = &s->mask;
	while (n > 0) {
		for (; m->at.host && n > 0 && leaves_out(m, *p); p++, n--) {
			if (!m->at.dotted)
				put_bytes(s, "...", 3);
			m->at.dotted = true;
		}
		const size_t k = mask(m, p, n);
		put_bytes(s, p, k);
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
		size_t k = smaller(SITE_BLOCK - s->used, n);
		memcpy(s->data + s->used, p, k);
		s->used += k;
		p += k;
		n -= k;
		if (s->used == SITE_BLOCK)
			site_write(s, false);
	}
}

void site_end(struct site *s)
{
	if (!good(s))
		return;
	site_write(s, true);
	site_write_end(s);
	if (!s->made[s->section])
		plan_run(s->plan, s->plan->note, "it", (int64_t)s->section, s->name, strlen(s->name));
}

/* ---- What is left of earlier runs ------------------------------------------------------------ */

typedef bool site_keep(void *user, enum section section, const char *name);

void site_remove_others(struct site *s, bool remove, site_keep *keep, void *user)
{
	for (enum section i = SECTION_TOP; i < SECTIONS && good(s); i++) {
		const struct section_row *row = &sections[i];
		const size_t word = strlen(row->word);
		DIR *d = s->made[i] ? NULL : open_list(s, i);
		for (const char *name; (name = read_name(s, i, d));) {
			/* Whether a page of ours may have this name. */
			const bool begins = word && !strncmp(name, row->word, word);
			size_t n = begins ? word : strspn(name, row->set);
			bool ours = begins || (n > 0 && n == row->length);
			while (name[n] == '-')
				n += 1 + strspn(name + n + 1, "0123456789");
			ours &= !strcmp(name + n, ".html");
			if (ours && !keep(user, i, name) && remove && good(s) && unlinkat(s->folder[i], name, 0))
				site_fail(s, i, name, errno);
		}
		directory_close(d);
	}
}

#endif
