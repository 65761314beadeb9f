/* fzf as the menu.  It runs the preview command with a shell, so the command holds no text of the input: only the
 * number of the link, which names a variable of the environment with the text. */
#include "pick.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Bytes of a variable of the environment, and of all of them, which must fit in what the system allows. */
enum { PREVIEW_MOST = 8 * 1024, PREVIEWS_MOST = 384 * 1024 };

/* Its exit status if no link was chosen; others but 0 are failures. */
enum { FZF_NONE = 1, FZF_ABORTED = 130 };

#define SEARCH_KEYS "c,q,/,change"
#define END_WITH(word) "unbind(change)+change-query(" word ")+accept"

/* Keys that end it write a word in place of the search; / begins a search, in which letters are letters. */
static char *const arguments[] = {
	"fzf", "--multi", "--layout=reverse-list", "--no-sort", "--info=hidden", "--delimiter=\t", "--with-nth=2..",
	"--print-query", "--disabled", "--prompt=> ", "--no-mouse",
	"--header=Enter open  Tab mark  ^O open marked  c ^Y copy  ^E explain  / search  q quit",
	"--preview=printenv URLSIFT_LINK_{1}", "--preview-window=down,50%,wrap",
	"--bind=enter:" END_WITH("open"), "--bind=ctrl-o:" END_WITH("open"), "--bind=c:" END_WITH("copy"),
	"--bind=ctrl-y:" END_WITH("copy"), "--bind=q:abort,change:clear-query",
	"--bind=ctrl-e:change-preview-window(up,95%,wrap|down,50%,wrap)",
	"--bind=/:enable-search+unbind(" SEARCH_KEYS ")+change-prompt(/)", NULL
};

/* ---- Its input ---------------------------------------------------------------------- */

/* Returns its length. */
static size_t set_preview(const struct pick_link *link, size_t number)
{
	const char *const *f = link->field;
	char name[40], text[PREVIEW_MOST];
	snprintf(text, sizeof text, "%s\n%s%s%s%s%s%s\n%s [%s] %s\n\n%s", f[PICK_TEXT], *f[PICK_PLACE] ? "in " : "",
	         f[PICK_PLACE], *f[PICK_PLACE] ? "\n" : "", *f[PICK_REASONS] ? "Warning: " : "", f[PICK_REASONS],
	         *f[PICK_REASONS] ? "\n" : "", f[PICK_BEFORE], *f[PICK_LABEL] ? f[PICK_LABEL] : f[PICK_TEXT],
	         f[PICK_AFTER], f[PICK_PAGE]);
	snprintf(name, sizeof name, "URLSIFT_LINK_%zu", number);
	setenv(name, text, 1);
	return strlen(text);
}

/* A line for each link: its number, hidden, and what is shown. */
static void write_links(const struct pick *p, int descriptor)
{
	int error = 0;
	for (size_t i = 0; i < p->count && !error; i++) {
		const char *parts[PICK_PARTS];
		char head[48];
		error = report_write(descriptor, head, (size_t)snprintf(head, sizeof head, "%zu\t%4zu  ", i, i + 1));
		pick_row(&p->links[i], parts);
		for (size_t k = 0; k < PICK_PARTS && !error; k++)
			error = report_write(descriptor, parts[k], strlen(parts[k]));
		error = error ? error : report_write(descriptor, "\n", 1);
	}
	shutdown(descriptor, SHUT_WR);
}

/* In its process.  Its messages go to the terminal, on which it draws. */
static void prepare(const struct pick *p)
{
	size_t left = PREVIEWS_MOST;
	for (size_t i = 0; i < p->count && left > PREVIEW_MOST; i++)
		left -= set_preview(&p->links[i], i);
	unsetenv("FZF_DEFAULT_OPTS");
	unsetenv("FZF_DEFAULT_COMMAND");
	setenv("SHELL", "/bin/sh", 1);
	dup2(p->tty, STDERR_FILENO);
}

/* ---- Its answer -------------------------------------------------------------------------- */

/* The word of the key, and the numbers of the links that were chosen, each at the beginning of a line. */
static enum pick_action read_answer(struct pick *p, char *answer)
{
	enum pick_action action = !strncmp(answer, "copy\n", 5) ? PICK_COPY : PICK_OPEN;
	for (char *line = strchr(answer, '\n'); line && *++line; line = strchr(line, '\n')) {
		char *end;
		size_t i = strtoul(line, &end, 10);
		if (end > line && *end == '\t' && i < p->count)
			p->links[i].marked = true;
	}
	return action;
}

enum pick_action pick_fzf(struct pick *p)
{
	int ends[2];
	size_t used;
	const char *type = getenv("TERM");
	if (!type || !strcmp(type, "dumb") || !pick_has_program(arguments[0]) || !pick_connect(ends))
		return PICK_FAILED;
	pid_t child = pick_run(p, arguments, ends[1], prepare);
	close(ends[1]);
	write_links(p, ends[0]);
	char *answer = pick_read(ends[0], 1, &used);
	close(ends[0]);
	int exit_status = pick_wait(child);
	enum pick_action action = exit_status == FZF_NONE || exit_status == FZF_ABORTED ? PICK_LEAVE : PICK_FAILED;
	if (answer && exit_status == 0)
		action = read_answer(p, answer);
	free(answer);
	return action;
}
