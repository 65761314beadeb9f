#include "site.h"

#ifdef URLSIFT_WITH_SQLITE

#include "input/descriptor.h"
#include "input/folder.h"
#include "input/report.h"
#include "text/ascii.h"
#include "text/bytes.h"
#include "text/match.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char own[] = ".urlsift", locked[] = ".urlsift/lock";
static const char *const temporary[] = { SITE_ORDERED, SITE_LINKED };
enum { TEMPORARY = sizeof temporary / sizeof *temporary };

#define REST "%f[-.][-%d]*.html" MATCH_END /* of a name, with the number of the page */
#define HEX_DIGIT "[0123456789abcdef]"
#define HEX_WORD HEX_DIGIT HEX_DIGIT HEX_DIGIT HEX_DIGIT
#define HASHES HEX_WORD HEX_WORD HEX_WORD HEX_WORD REST
#define MONTHS "undated" REST "|%d%d%d%d" REST
/* What names of pages match (text/match.h).  Files of other names are never removed. */
static const struct section_row {
	const char *folder; /* with a slash */
	const char *names;
} sections[SECTIONS] = {
	[SECTION_TOP] = { "", "links" REST },     [SECTION_MESSAGES] = { "m/", HASHES },
	[SECTION_DATE] = { "date/", MONTHS },     [SECTION_THREAD] = { "thread/", MONTHS },
	[SECTION_AUTHOR] = { "author/", MONTHS }, [SECTION_HOSTS] = { "h/", "letter" REST "|" HASHES },
};

const char *site_folder(enum section section)
{
	return sections[section].folder;
}

void site_check(struct site *s, enum section section, const char *name, int error)
{
	char what[PAGES_WHY];
	if (!error)
		return;
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
	site_check(s, section, "", errno_if(!d));
	return d;
}

/* The next name in a folder; NULL at its end and after a failure. */
static const char *read_name(struct site *s, enum section section, DIR *d)
{
	const char *name = directory_next(good(s) ? d : NULL);
	site_check(s, section, "", errno_if(!name));
	return name;
}

static void take_folder(struct site *s)
{
	const int top = s->folder[SECTION_TOP];

	struct stat status;
	/* Our own folder marks the folder; earlier versions had a file of its name. */
	if (fstatat(top, own, &status, AT_SYMLINK_NOFOLLOW)) {
		DIR *d = open_list(s, SECTION_TOP);
		const bool used = read_name(s, SECTION_TOP, d);
		directory_close(d);
		if (used)
			plan_fail(s->plan, s->path, "is not empty and was not written by 'urlsift html -o'; name another folder");
		else
			site_check(s, SECTION_TOP, own, errno_if(good(s) && mkdirat(top, own, 0700)));
	} else if (!S_ISDIR(status.st_mode)) {
		plan_fail(s->plan, s->path, S_ISREG(status.st_mode)
		          ? "was made by an older urlsift (schema 1); write the pages into a new folder"
		          : "has a .urlsift that is not a folder; name another folder");
	}
	s->lock = good(s) ? openat(top, locked, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
	int error;
	if (s->lock < 0)
		site_check(s, SECTION_TOP, locked, errno);
	else if ((error = descriptor_lock(s->lock)) != 0) {
		plan_fail(s->plan, s->path, error == EAGAIN ? "is being written by another process" : "cannot be locked");
		descriptor_close(&s->lock); /* so what is being written is not ours */
	} else {
		/* What a killed run has left: pages that were being written, the databases of that run, and SQLite's temporary
		 * files, which it unlinks when it has opened them. */
		DIR *d = open_within(top, own);
		for (const char *name; (name = directory_next(d));)
			if (match_text(name, "etilqs_|part"))
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

/* Makes the folder of a section, which is in another, unless it is there, and opens it.  0 or an errno. */
static int enter(struct site *s, enum section section, int folder, const char *name)
{
	const int follow = section == SECTION_TOP ? 0 : O_NOFOLLOW;
	s->made[section] = !mkdirat(folder, name, 0777);
	if (!s->made[section] && errno != EEXIST)
		return errno;
	s->folder[section] = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | follow);
	return errno_if(s->folder[section] < 0);
}

bool site_init(struct site *s, struct plan *plan, const char *path)
{
	s->plan = plan;
	s->path = path;
	s->lock = s->old = s->new = -1;
	snprintf(s->part, sizeof s->part, SITE_PART "0");
	for (int i = 0; i < SECTIONS; i++)
		s->folder[i] = -1;
	const int error = enter(s, SECTION_TOP, AT_FDCWD, path);
	if (error == ENOENT)
		plan_fail(plan, path, "the folder that is to hold it does not exist");
	else if (error)
		plan_fail_errno(plan, path, error);
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
		site_check(s, (enum section)i, "", enter(s, (enum section)i, top, name));
	}
	for (int i = 0; i < TEMPORARY && good(s); i++) {
		int fd = openat(top, temporary[i], HOW, 0600);
		site_check(s, SECTION_TOP, temporary[i], errno_if(fd < 0));
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
	s->mask = (struct site_mask){ .open = false };
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

/* Counts in *matched the bytes of the text, in small letters, that there are; whether this one is its last. */
static bool completes(unsigned *matched, const char *text, char c)
{
	c = (char)to_lower((uint8_t)c);
	*matched = c == text[*matched] ? *matched + 1 : c == *text;
	const bool whole = !text[*matched];
	*matched *= !whole;
	return whole;
}

static void take_tag(struct site_mask *m, char c)
{
	struct site_mask_tag *tag = &m->tag;
	m->open &= !completes(&m->closes, "</a", c);
	if (!tag->open) {
		*tag = (struct site_mask_tag){ .open = c == '<' };
		return;
	}
	const bool begins = completes(&tag->matched, "mailto:", c);
	tag->mail = tag->mail ? !is_of(c, "\">") : begins;
	tag->anchor |= tag->mail;
	if (tag->mail)
		tag->target = bytes_hash(tag->target, (const uint8_t *)&c, 1);
	if (c != '>')
		return;
	/* After a tag.  What divides a link, such as the end of a line, divides its text into several anchors: it goes on
	 * where the last one ended, unless all was left out that is left out of the target. */
	const bool again = tag->target == m->was && m->shown < tag->whole;
	if (tag->anchor ? again : m->open) /* or a <bdi> in an anchor */
		m->at = m->kept;
	tag->open = false;
	if (!tag->anchor)
		return;
	m->at.dotted = false;
	m->shown *= again;
	m->open = true;
	m->was = tag->target;
}

/* A byte that is not left out. */
static void take_byte(struct site_mask *m, char c)
{
	struct site_mask_text *t = &m->at;
	if (m->open && !m->tag.open && c == '<')
		m->kept = *t;
	const bool text = !m->tag.open || m->tag.mail, escaped = completes(&t->escape, "%40", c);
	const bool http = completes(&t->http, "tp://", c), https = completes(&t->https, "tps://", c);
	t->authority = http || https || (t->authority && (is_name(c) || is_of(c, ":@~!$*+=")));
	t->host = text && t->named && !t->authority && (c == '@' || escaped) ? "@[" : NULL;
	t->quoted = c == '&' ? t->named : t->quoted && (is_of(c, "#;") || is_alnum((uint8_t)c));
	/* At the end of a name: `{ada,eve}@`, `ada(work)@`, and `"ada hill"@`, whose quotation mark is written as a
	 * character reference. */
	t->named = text && (is_name(c) || is_of(c, t->quoted ? "});" : "})"));
	t->dotted = false;
	take_tag(m, c);
}

/* The byte, which follows an @, is part of a host, or follows it without a break; or of an address literal such as
 * [IPv6:2001:db8::1], up to its end. */
static bool leaves_out(struct site_mask *m, char c)
{
	struct site_mask_text *t = &m->at;
	if (!t->host || !(is_name(c) || is_of(c, t->host)))
		return false;
	t->host = c == '[' ? "@:]" : c == ']' ? NULL : is_of('[', t->host) ? "@" : t->host;
	/* An escape in a target is one byte of the text. */
	if (m->tag.open) {
		m->tag.whole += c == '%' ? -1 : 1;
		m->tag.target = bytes_hash(m->tag.target, (const uint8_t *)&c, 1);
	} else {
		m->shown++;
	}
	return true;
}

static void put_bytes(struct site *s, const char *p, size_t n);

/* An address such as ada@a.example becomes ada@..., and ada%40a.example ada%40.... */
static void put_masked(struct site *s, const char *p, size_t n)
{
	struct site_mask *m = &s->mask;
	size_t from = 0;
	for (size_t i = 0; i < n; i++) {
		if (!leaves_out(m, p[i])) {
			take_byte(m, p[i]);
			continue;
		}
		put_bytes(s, p + from, i - from);
		put_bytes(s, "...", m->at.dotted ? 0 : 3);
		m->at.dotted = true;
		from = i + 1;
	}
	put_bytes(s, p + from, n - from);
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
		DIR *d = s->made[i] ? NULL : open_list(s, i);
		for (const char *name; (name = read_name(s, i, d));) {
			const bool left = match_text(name, sections[i].names) && !keep(user, i, name) && remove && good(s);
			site_check(s, i, name, errno_if(left && unlinkat(s->folder[i], name, 0)));
		}
		directory_close(d);
	}
}

#endif
