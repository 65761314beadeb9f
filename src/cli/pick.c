#include "pick.h"

#include "text/hashset.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* More links, or links with more bytes in all their fields, are not shown. */
enum { LINKS_MOST = 10000, BLOCK = 64 * 1024, BYTES_MOST = 64 * 1024 * 1024 };

/* ---- Reading ----------------------------------------------------------------------------- */

/* The text is read in a process of its own, which gives up what is needed to run programs. */
static void collect(struct options *o, int descriptor)
{
	struct pick_collector collector;
	struct settings *s = &o->run;
	pick_collector_init(&collector, descriptor);
	s->consumer = &collector.consumer;
	s->folder = "/dev/null"; /* the only place to write to */
	s->out.line_format = "%t%x"; /* labels and context are wanted */
	s->needs = urlsift_render_needs(&s->out);
	urlsift_render_prepare(&s->out, s->scan, NULL);
	enum status status = text_verb(o);
	close(descriptor);
	_exit((int)status);
}

char *pick_read(int descriptor, size_t nuls, size_t *used)
{
	struct buf b;
	ssize_t n = 1;
	buf_init(&b, &memory_allocator, SIZE_MAX);
	while (n && b.length < BYTES_MOST && buf_reserve(&b, BLOCK + nuls)) {
		n = read(descriptor, b.data + b.length, BLOCK);
		if (n < 0 && errno == ECONNRESET) /* the end, from a program that did not read all that it was sent */
			n = 0;
		if (n < 0 && errno != EINTR)
			break;
		b.length += n > 0 ? (size_t)n : 0;
	}
	*used = b.length;
	if (n && b.length < BYTES_MOST)
		buf_fini(&b);
	else
		memset(b.data + b.length, 0, nuls);
	return (char *)b.data;
}

/* Whether the same link with the same warnings was there before. */
static bool is_known(struct hashset *known, const struct pick_link *link)
{
	uint32_t value = 0;
	const char *target = link->field[PICK_TARGET], *warnings = link->field[PICK_WARNINGS];
	struct hash128 hash = siphash((struct hash128){ 0, 0 }, target, strlen(target));
	hash = siphash(hash, warnings, strlen(warnings));
	return hashset_add(known, hash, &value) == HASHSET_KNOWN;
}

/* Adds the links of a rank, in the order of the text. */
static void add_rank(struct pick *p, size_t used, char rank, struct hashset *known)
{
	for (char *at = p->bytes, *end = at + used; at < end && p->count < LINKS_MOST;) {
		struct pick_link link = { .marked = false };
		for (size_t i = 0; i < PICK_FIELDS; i++) {
			link.field[i] = at;
			at += strlen(at) + 1;
		}
		if (at > end) /* the rest of it was not read */
			return;
		if (*link.field[PICK_RANK] == rank && !is_known(known, &link))
			p->links[p->count++] = link;
	}
}

/* Makes the links of the records: those of texts, of header fields, of List-Unsubscribe.  *whole: all were read. */
static bool read_links(struct pick *p, int descriptor, bool *whole)
{
	size_t used;
	p->bytes = pick_read(descriptor, PICK_FIELDS, &used); /* a NUL for each field that may be missing */
	if (!p->bytes)
		return false;
	p->links = memory_get(LINKS_MOST * sizeof *p->links);
	struct hashset known;
	hashset_init(&known, &memory_allocator, LINKS_MOST);
	for (const char *rank = "012"; *rank; rank++)
		add_rank(p, used, *rank, &known);
	hashset_fini(&known);
	*whole = used < BYTES_MOST;
	if (p->count == LINKS_MOST || !*whole)
		report("only the first %zu links are shown", p->count);
	return true;
}

/* Reads the input and its links. */
static enum status read_input(struct pick *p, struct options *o)
{
	int ends[2];
	pid_t child = pick_connect(ends) ? fork() : -1;
	if (child < 0) {
		report("a process that reads the text could not be started: %s", strerror(errno));
		return STATUS_INPUT;
	}
	if (child == 0) {
		close(ends[0]);
		collect(o, ends[1]);
	}
	close(ends[1]);
	bool whole = true, good = read_links(p, ends[0], &whole);
	close(ends[0]);
	int exit_status = pick_wait(child);
	if (!good)
		report("the links could not be read: %s", strerror(errno));
	else if (exit_status > STATUS_OUTPUT)
		report("the process that reads the text was killed");
	if (!whole) /* it could not write the others */
		return STATUS_DONE;
	return !good || exit_status > STATUS_OUTPUT ? STATUS_INPUT : (enum status)exit_status;
}

/* ---- The terminal -------------------------------------------------------------------------- */

void pick_say(const struct pick *p, const char *text)
{
	report_write(p->tty, text, strlen(text));
}

void pick_row(const struct pick_link *link, const char *parts[PICK_PARTS])
{
	const char *const *f = link->field;
	const bool label = *f[PICK_LABEL], warned = *f[PICK_WARNINGS], place = *f[PICK_PLACE];
	const bool around = *f[PICK_BEFORE] || *f[PICK_AFTER];
	const char *const row[PICK_PARTS] = {
		f[PICK_LABEL], label ? "  " : "", label ? f[PICK_HOST] : "", label ? "  " : "", warned ? "[" : "",
		f[PICK_WARNINGS], warned ? "]  " : "", f[PICK_TEXT], place ? "  " : "", f[PICK_PLACE], "  ", f[PICK_BEFORE],
		around ? "\xe2\x80\xa6" : "", f[PICK_AFTER]
	};
	memcpy(parts, row, sizeof row);
}

/* The choice is asked about when a marked link has a warning.  STATUS_DONE to go on. */
static enum status confirm(struct pick *p)
{
	for (size_t i = 0; i < p->count; i++) {
		struct pick_link *link = &p->links[i];
		if (!link->marked || !*link->field[PICK_REASONS] || *link->field[PICK_REFUSAL])
			continue;
		pick_say(p, "\r\n");
		pick_say(p, link->field[PICK_TEXT]);
		pick_say(p, "\r\nWarning: ");
		pick_say(p, link->field[PICK_REASONS]);
		pick_say(p, ".\r\nOpen it? [y/N] ");
		if (!pick_raw_begin(p))
			return STATUS_INPUT;
		int key;
		while ((key = pick_key(p)) == 0)
			;
		pick_raw_end(p);
		link->marked = key == 'y' || key == 'Y';
		pick_say(p, link->marked ? "yes\r\n" : "no\r\n");
	}
	return STATUS_DONE;
}

static enum status print(const struct pick *p)
{
	char *text = pick_join(p, PICK_TEXT);
	int error = report_write(STDOUT_FILENO, text, strlen(text));
	free(text);
	return report_output("standard output", error);
}

static enum status choose(struct pick *p)
{
	if (p->tty < 0) {
		report("pick needs a terminal; 'urlsift list' prints the links");
		return STATUS_INPUT;
	}
	enum pick_action action = pick_fzf(p);
	if (action == PICK_FAILED)
		action = pick_menu(p);
	if (action == PICK_COPY)
		return pick_copy(p);
	if (action == PICK_OPEN && p->print)
		return print(p);
	enum status status = action == PICK_FAILED ? STATUS_INPUT : STATUS_DONE;
	if (action == PICK_OPEN)
		status = confirm(p);
	return action == PICK_OPEN && status == STATUS_DONE ? pick_open(p) : status;
}

/* A reader that piped the text draws over what was reported. */
static void wait_a_little(const struct pick *p, const struct options *o)
{
	enum { MILLISECONDS = 1500 };
	if (p->tty >= 0 && o->run.file_count == 0 && !isatty(STDIN_FILENO))
		poll(&(struct pollfd){ .fd = p->tty, .events = POLLIN }, 1, MILLISECONDS);
}

enum status pick_verb(struct options *o)
{
	struct pick p = { .command = o->open, .print = o->print };
	p.tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	enum status status = read_input(&p, o);
	if (p.count > 0) {
		enum status chosen = choose(&p);
		status = status_worse(chosen, status);
	} else if (status == STATUS_DONE || o->run.fail_if_none) {
		report("no links were found");
	}
	if (p.count == 0 || status != STATUS_DONE)
		wait_a_little(&p, o);
	if (p.tty >= 0)
		close(p.tty);
	free(p.links);
	free(p.bytes);
	return status;
}
