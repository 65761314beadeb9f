#include "pick.h"

#include "input/descriptor.h"
#include "input/filter.h"
#include "text/hashset.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* More links, or links with more bytes in all their fields, are not shown. */
enum { LINKS_MOST = 10000, BLOCK = 64 * 1024, BYTES_MOST = 64 * 1024 * 1024 };

/* ---- Reading ----------------------------------------------------------------------------- */

char *pick_read(int descriptor, size_t nuls, size_t *used)
{
	struct buf b;
	ssize_t n = 1;
	buf_init(&b, &memory_allocator, SIZE_MAX);
	while (n > 0 && b.length < BYTES_MOST) {
		buf_reserve(&b, BLOCK + nuls);
		n = descriptor_read(descriptor, b.data + b.length, BLOCK);
		if (n < 0 && errno == ECONNRESET) /* the end, from a program that did not read all that it was sent */
			n = 0;
		b.length += bytes_moved(n);
	}
	if (n < 0)
		buf_fini(&b);
	else
		memset(b.data + b.length, 0, nuls);
	*used = b.length;
	return (char *)b.data;
}

const char *pick_read_record(const char *at, struct pick_link *link)
{
	*link = (struct pick_link){ .record = at };
	if (*at == PICK_BETWEEN)
		return at + strlen(at) + 1;
	for (size_t i = 0; i < PICK_FIELDS; i++) {
		link->field[i] = at;
		at += strlen(at) + 1;
	}
	return at;
}

/* Makes the links of the records: those of texts, of header fields, of List-Unsubscribe.  A link is shown once, where
 * it is first, as it is there or at the first place with a label; a place with more warnings, and so with more text of
 * them, goes before both.  *whole: all were read. */
static bool read_links(struct pick *p, int descriptor, bool *whole)
{
	p->bytes = pick_read(descriptor, PICK_FIELDS, &p->used); /* a NUL for each field that may be missing */
	if (!p->bytes)
		return false;
	p->links = memory_get(LINKS_MOST * sizeof *p->links);
	struct hashset known;
	hashset_init(&known, &memory_allocator, LINKS_MOST);
	for (const char *rank = "012"; *rank; rank++)
		for (const char *at = p->bytes, *end = at + p->used; at < end && p->count < LINKS_MOST;) {
			struct pick_link link;
			at = pick_read_record(at, &link);
			if (at > end) /* the rest of it was not read */
				break;
			if (!link.field[0] || *link.field[PICK_RANK] != *rank)
				continue;
			const char *normal = link.field[PICK_NORMAL];
			const struct hash128 hash = siphash((struct hash128){ 0, 0 }, normal, strlen(normal));
			uint32_t place = (uint32_t)p->count;
			if (hashset_add(&known, hash, &place) != HASHSET_KNOWN) {
				p->links[p->count++] = link;
				continue;
			}
			struct pick_link *const first = &p->links[place];
			const size_t before = strlen(first->field[PICK_WARNINGS]), now = strlen(link.field[PICK_WARNINGS]);
			const bool named = *link.field[PICK_LABEL] && !*first->field[PICK_LABEL];
			if (now > before || (now == before && named)) {
				link.record = first->record;
				link.field[PICK_PLACE] = first->field[PICK_PLACE];
				*first = link;
			}
		}
	hashset_fini(&known);
	*whole = p->used < BYTES_MOST;
	if (p->count == LINKS_MOST || !*whole)
		report("only the first %zu links are shown", p->count);
	return true;
}

/* Starts the process that reads, with `input` as its standard input unless that is negative.  *from: what it writes. */
static pid_t start_reading(struct options *o, int input, int *from)
{
	int ends[2];
	pid_t child = descriptor_connect(ends) ? fork() : -1;
	if (child == 0) {
		if (input >= 0)
			dup2(input, STDIN_FILENO);
		close(ends[0]);
		/* The text is read in a process of its own, which gives up what is needed to run programs. */
		struct pick_collector collector;
		struct settings *s = &o->run;
		pick_collector_init(&collector, ends[1]);
		s->consumer = &collector.consumer;
		s->box.folder = "/dev/null"; /* the only place to write to */
		s->repeated = 1; /* so are those of a later alternative */
		s->out.line_format = "%t%x"; /* labels and context are wanted */
		s->needs = urlsift_render_needs(&s->out);
		urlsift_render_prepare(&s->out, s->scan, NULL);
		urlsift_options_set(s->scan, URLSIFT_OPT_PLAIN, 1); /* the whole text can be shown */
		enum status status = text_verb(o);
		close(ends[1]);
		_exit((int)status);
	}
	if (child > 0) {
		close(ends[1]);
		*from = ends[0];
	}
	return child;
}

/* Reads the input and its links. */
static enum status read_input(struct pick *p)
{
	int from;
	pid_t child = start_reading(p->options, -1, &from);
	if (child < 0)
		return report_input("a process that reads the text could not be started: %s", strerror(errno));
	bool whole = true, good = read_links(p, from, &whole);
	close(from);
	const int exit_status = pick_wait(child);
	if (!good)
		return report_input("the links could not be read: %s", strerror(errno));
	if (exit_status > STATUS_OUTPUT)
		return report_input("the process that reads the text was killed");
	return whole ? (enum status)exit_status : STATUS_DONE; /* it could not write all */
}

bool pick_read_link(struct pick *p, const char *text, struct pick_link *link)
{
	struct options o = *p->options;
	int ends[2], from;
	size_t used = 0;
	*link = (struct pick_link){ .marked = false };
	if (!descriptor_connect(ends))
		return false;
	o.run.in.file_count = 0;
	o.run.in.files_from = NULL;
	o.run.in.recursive = 0;
	o.run.in.input = INPUT_TEXT;
	o.run.filter = filter_new(); /* the user wants this one */
	const char *part[] = { "<", text, ">\n" };
	pid_t child = start_reading(&o, ends[0], &from);
	close(ends[0]);
	for (size_t i = 0; i < 3; i++)
		report_write(ends[1], part[i], strlen(part[i]));
	shutdown(ends[1], SHUT_WR); /* the process has this end, too */
	close(ends[1]);
	filter_free(o.run.filter);
	if (child < 0)
		return false;
	char *bytes = pick_read(from, PICK_FIELDS, &used);
	close(from);
	pick_wait(child);
	for (const char *at = bytes; at < bytes + used && !link->field[0];)
		at = pick_read_record(at, link);
	MEMORY_ADD(p->changes, p->change_count) = bytes;
	return link->field[0];
}

FILE *pick_text_begin(struct pick_text *t)
{
	return t->to = memory_checked(open_memstream(&t->bytes, &t->size));
}

char *pick_text_end(struct pick_text *t)
{
	memory_need(!fclose(t->to));
	return t->bytes;
}

/* ---- The terminal -------------------------------------------------------------------------- */

static enum status print(const struct pick *p)
{
	char *text = pick_join(p, PICK_TEXT);
	int error = report_write(STDOUT_FILENO, text, strlen(text));
	free(text);
	return report_output("standard output", error);
}

static enum status choose(struct pick *p)
{
	const char *type = text_full_or(memory_text(getenv("TERM")), "dumb");
	if (p->terminal.descriptor < 0)
		return report_input("pick needs a terminal; 'urlsift list' prints the links");
	p->terminal.plain = !strcmp(type, "dumb");
	setlocale(LC_CTYPE, "");
	p->terminal.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	p->fzf = !p->terminal.plain && pick_has_program("fzf");
	sigprocmask(SIG_BLOCK, NULL, &p->terminal.signals);
	pick_handlers_read(p);
	if (!pick_raw_begin(p))
		return STATUS_INPUT;
	while (!p->done) {
		if (p->fzf)
			p->fzf = pick_fzf(p);
		else
			pick_menu(p);
	}
	pick_raw_end(p);
	if (p->print)
		return print(p);
	/* What the user was not told in the menu. */
	size_t left = SIZE_MAX;
	if (*p->note) {
		if (p->status != STATUS_DONE) {
			report("%s", p->note);
		} else {
			pick_put(p, p->terminal.descriptor, p->note, &left);
			pick_say(p, "\r\n");
		}
	}
	return p->options->pick.once ? p->status : STATUS_DONE;
}

enum status pick_verb(struct options *o)
{
	struct pick p = { .options = o };
	p.terminal.descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	enum status status = read_input(&p);
	if (p.count > 0) {
		enum status chosen = choose(&p);
		status = status_worse(chosen, status);
	} else if (status == STATUS_DONE || o->run.fail_if_none) {
		report("no links were found");
	}
	/* A reader that piped the text draws over what was reported. */
	enum { MILLISECONDS = 1500 };
	if ((p.count == 0 || status != STATUS_DONE) && p.terminal.descriptor >= 0 && o->run.in.file_count == 0 &&
	    !isatty(STDIN_FILENO))
		poll(&(struct pollfd){ .fd = p.terminal.descriptor, .events = POLLIN }, 1, MILLISECONDS);
	descriptor_close(&p.terminal.descriptor);
	memory_free_all(p.changes, p.change_count);
	free(p.links);
	free(p.bytes);
	free(p.handlers.text);
	free(p.handlers.rows);
	free(p.opener);
	return status;
}
