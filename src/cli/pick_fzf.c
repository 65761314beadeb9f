/* fzf as the menu.  It runs the commands of its preview and of the end with a shell, so they hold no text of the input:
 * only numbers of links, of which one names a variable of the environment with the text. */
#include "pick.h"

#include "input/descriptor.h"
#include "text/ascii.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Bytes of a variable of the environment, and of all of them, which must fit in what the system allows. */
enum { PREVIEW_MOST = 8 * 1024, PREVIEWS_MOST = 384 * 1024, MARKS_MOST = 1000 };

/* Its exit status if no link was chosen; others but 0 are failures. */
enum { FZF_NONE = 1, FZF_ABORTED = 130 };

/* The first line of its answer, which a program of that name would not write by chance. */
#define WORD "urlsift-key"

enum {
	WINDOW_LEAST = 12,  /* rows of a terminal with a preview */
	HEADER_INDENT = 4,  /* columns that fzf leaves empty beside a header */
	COMMON = 13, MORE = 5 /* arguments of every call, and most of one */
};

/* ---- Its input ---------------------------------------------------------------------- */

/* In its process.  Its messages go to the terminal, on which it draws. */
static void prepare(const struct pick *p)
{
	size_t left = PREVIEWS_MOST;
	for (size_t i = 0; i < p->count && left > PREVIEW_MOST; i++) {
		char name[40], *text = pick_details(&p->links[i]);
		text[strnlen(text, PREVIEW_MOST - 1)] = '\0';
		pick_fold(p, text);
		snprintf(name, sizeof name, "URLSIFT_LINK_%zu", i);
		setenv(name, text, 1);
		left -= strlen(text);
		free(text);
	}
	unsetenv("FZF_DEFAULT_OPTS");
	unsetenv("FZF_DEFAULT_OPTS_FILE");
	unsetenv("FZF_DEFAULT_COMMAND");
	setenv("SHELL", "/bin/sh", 1);
	dup2(p->terminal.descriptor, STDERR_FILENO);
}

/* What it writes at its end, for free().  A signal that ends this process, and waits for that, ends it first; now and
 * then fzf 0.60 goes on after that. */
static char *read_answer(const struct pick *p, int from, pid_t child)
{
	enum { MILLISECONDS = 100, PATIENCE = 20 };
	size_t used;
	for (int told = 0; !poll(&(struct pollfd){ .fd = from, .events = POLLIN }, 1, MILLISECONDS);) {
		if (child < 0 || !pick_is_ended())
			continue;
		if (!told || told == PATIENCE)
			kill(child, told ? SIGKILL : SIGTERM);
		if (told == PATIENCE)
			pick_say(p, "\x1b[?1000l\x1b[?1002l\x1b[?1006l\x1b[?25h"); /* what it set: the mouse, no cursor */
		told++;
	}
	return pick_read(from, 1, &used);
}

/* Runs it with arguments, up to NULL.  Returns its answer, for free(), with an exit status. */
static char *run(const struct pick *p, char *const *more, int *exit_status)
{
	int ends[2];
	size_t count = COMMON;
	char *arguments[COMMON + MORE + 1] = {
		"fzf", "--sync", "--layout=reverse-list", "--no-sort", "--exact", "--no-clear", "--info=hidden",
		"--no-separator", "--marker=*", "--bind=ctrl-z:ignore", /* it would stop alone */
		"--preview=printenv URLSIFT_LINK_{n}",
		p->terminal.rows < WINDOW_LEAST ? "--preview-window=hidden" : "--preview-window=down,50%,wrap",
		p->terminal.utf8 ? "--unicode" : "--no-unicode"
	};
	while (*more)
		arguments[count++] = *more++;
	if (!descriptor_connect(ends))
		return NULL;
	pick_say(p, "\x1b[?7h");
	pid_t child = pick_run(p, arguments, (const int[2]){ ends[1], ends[1] }, prepare);
	close(ends[1]);
	/* A line for each link. */
	int error = 0;
	for (size_t i = 0; i < p->count && !error; i++) {
		char *row = pick_row(p, i);
		size_t left = SIZE_MAX;
		pick_put(p, ends[0], row, &left);
		free(row);
		error = report_write(ends[0], "\n", 1);
	}
	shutdown(ends[0], SHUT_WR);
	char *answer = read_answer(p, ends[0], child);
	close(ends[0]);
	*exit_status = pick_wait(child);
	return answer;
}

/* ---- The menu -------------------------------------------------------------------------------- */

/* fzf reads all keys that wait, and those after the one that ends it are lost. */
bool pick_fzf(struct pick *p)
{
	int exit_status = PICK_UNSTARTED, key = 0;
	if (pick_key_waits(p)) {
		pick_key_press(p, pick_read_key(p));
		return true;
	}
	/* Shows the menu: the key ends it, or is 0 if it failed. */
	pick_measure(p);
	size_t rows;
	char *lines = pick_status_lines(p, p->terminal.columns - HEADER_INDENT, &rows);
	pick_fold(p, lines);
	char *header = memory_format("--header=%s", lines);
	free(lines);
	/* The keys, what was marked, and where the cursor was. */
	struct pick_text binding;
	size_t marks = 0;
	FILE *to = pick_text_begin(&binding);
	fputs("--bind=", to);
	pick_keys_bind(to, "echo " WORD);
	fprintf(to, "double-click:become(echo " WORD " %d {n} {+n}),change:clear-query,load:", '\r');
	for (struct pick_link *link = NULL; marks < MARKS_MOST && (link = pick_next_marked(p, link)); marks++)
		fprintf(to, "pos(%zu)+select+", (size_t)(link - p->links) + 1);
	fprintf(to, "pos(%zu)+change-prompt(pick> )", p->at + 1);
	pick_text_end(&binding);
	char *const more[] = { "--multi", "--disabled", "--prompt=", binding.bytes, header, NULL };
	char *answer = run(p, more, &exit_status);
	if (exit_status == 0 && !strncmp(memory_text(answer), WORD " ", sizeof WORD)) {
		/* The key, the number of the current link, and those of the marked ones, which are that of the current link if
		 * none is marked; the key alone if fzf had no list yet: nothing was moved or marked then. */
		char *at, *end;
		key = (int)strtol(answer + sizeof WORD - 1, &at, 10);
		size_t current = strtoul(at, &end, 10), marked, count = 0;
		if (end > at) {
			pick_mark_all(p, false);
			if (current < p->count)
				p->at = current;
			for (at = end; marked = strtoul(at, &end, 10), end > at; at = end, count++)
				if (marked < p->count)
					p->links[marked].marked = true;
			p->links[p->at].marked &= count != 1;
		}
	} else if (exit_status == FZF_NONE || exit_status == FZF_ABORTED) {
		key = 'q';
	}
	free(answer);
	free(header);
	free(binding.bytes);
	pick_key_press(p, key);
	return key;
}

void pick_fzf_search(struct pick *p)
{
	int exit_status = PICK_UNSTARTED;
	char *const arguments[] = {
		"--no-extended", "--literal", "--print-query", "--prompt=/", "--header=Enter goes there  Esc back", NULL
	};
	char *answer = run(p, arguments, &exit_status);
	const char *text = memory_text(answer); /* the search, and the number of the link; nothing if it was aborted */
	size_t n = strcspn(text, "\n");
	if (within(n, 1, sizeof p->search - 1)) {
		memcpy(p->search, text, n);
		p->search[n] = '\0';
	}
	size_t number = strtoul(text + n, NULL, 10);
	if (within(number, 1, p->count))
		p->at = number - 1;
	else if (exit_status == FZF_NONE)
		pick_note(p, "Not found: %s", p->search);
	free(answer);
}
