#include "pick.h"

#include "input/descriptor.h"
#include "input/folder.h"
#include "input/recode.h"
#include "text/ascii.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Programs -------------------------------------------------------------------------- */

/* A command is split at blanks; a last word & means that it is not waited for, nothing else has a meaning. */
struct command {
	char *text, **word; /* room for two further ones, and NULL */
	size_t count;
	bool background;
};

static void command_fini(struct command *c)
{
	free(c->text);
	free(c->word);
}

static bool command_init(struct command *c, const char *text, size_t n)
{
	*c = (struct command){ .text = memory_copy_part(text, n), .word = memory_get((n / 2 + 4) * sizeof *c->word) };
	for (char *at = c->text; *(at += strspn(at, " \t"));) {
		c->word[c->count++] = at;
		at += strcspn(at, " \t");
		if (*at)
			*at++ = '\0';
	}
	c->background = c->count > 1 && !strcmp(c->word[c->count - 1], "&");
	if (c->background)
		c->word[--c->count] = NULL;
	return c->count > 0;
}

bool pick_has_program(const char *name)
{
	char path[PATH_MAX];
	return program_find(name, path, sizeof path);
}

pid_t pick_run(const struct pick *p, char *const *word, const int ends[2], void (*prepare)(const struct pick *p))
{
	pid_t child = fork();
	if (child == 0) {
		if (prepare)
			prepare(p);
		dup2(ends[0], STDIN_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		signal(SIGPIPE, SIG_DFL);
		sigprocmask(SIG_SETMASK, &p->terminal.signals, NULL);
		execvp(word[0], word);
		_exit(PICK_UNSTARTED);
	}
	return child;
}

int pick_wait(pid_t child)
{
	return child < 0 ? PICK_UNSTARTED : process_exit_status(child, PICK_KILLED);
}

/* What a program says would be written over the menu. */
static void silence(const struct pick *p)
{
	(void)p;
	dup2(open("/dev/null", O_RDWR | O_CLOEXEC), STDERR_FILENO);
}

/* In a session of its own, so that it outlives the terminal; the process that waits for it has ended. */
static void detach(const struct pick *p)
{
	setsid();
	if (fork() > 0)
		_exit(0);
	silence(p);
}

/* Runs a program that reads the text and writes to the descriptor, or if that is -1 to nobody; its exit status. */
static int run_with_input(const struct pick *p, char *const *word, const char *text, int out,
                          void (*prepare)(const struct pick *p))
{
	int ends[2];
	if (!descriptor_connect(ends))
		return PICK_UNSTARTED;
	pid_t child = pick_run(p, word, (const int[2]){ ends[1], out < 0 ? ends[1] : out }, prepare);
	close(ends[1]);
	report_write(ends[0], text, strlen(text));
	close(ends[0]);
	return pick_wait(child);
}

/* Runs a program, with the terminal to itself if it is waited for; `input`, unless it is NULL, is what it reads.  False
 * if it failed, which is noted. */
static bool run(struct pick *p, const struct command *c, const char *input)
{
	int own = -1, terminal = p->terminal.descriptor, status;
	void (*prepare)(const struct pick *p) = NULL;
	if (c->background) {
		terminal = own = open("/dev/null", O_RDWR | O_CLOEXEC);
		prepare = detach;
	}
	if (input)
		status = run_with_input(p, c->word, input, terminal, prepare);
	else
		status = pick_wait(pick_run(p, c->word, (const int[2]){ terminal, terminal }, prepare));
	descriptor_close(&own);
	if (!status)
		return true;
	p->status = STATUS_INPUT;
	pick_note(p, status == PICK_UNSTARTED ? "%s could not be started" : "%s failed with status %d", c->word[0], status);
	return false;
}

/* ---- Opening ---------------------------------------------------------------------------- */

/* The first word with %s; the end of the words for none. */
static size_t place_of_url(const struct command *c)
{
	size_t i = 1;
	while (i < c->count && !strstr(c->word[i], "%s"))
		i++;
	return i;
}

/* `%s` in a word is the URL; without it the URL is the last word. */
static bool run_with(struct pick *p, struct command *c, const char *url)
{
	const size_t i = place_of_url(c);
	char *kept = c->word[i], *word;
	if (kept) {
		const char *at = strstr(kept, "%s");
		word = memory_format("%.*s%s%s", (int)(at - kept), kept, url, at + 2);
	} else {
		word = memory_copy(url);
	}
	c->word[i] = word;
	bool good = run(p, c, NULL);
	c->word[i] = kept;
	free(word);
	return good;
}

/* What opens a link.  False if it is not installed, which is noted. */
static bool find_command(struct pick *p, const struct pick_link *link, struct command *c)
{
	const char *browser = memory_text(getenv("BROWSER")), *between = "", *advice = "";
	const char *text = text_or(p->opener, p->options->pick.open);
	if (!text)
		text = pick_handler(p, link);
	/* Commands of which the first one that is installed is run. */
	if (!text) {
		text = text_full_or(browser, "xdg-open:open");
		between = ":";
		advice = "; set BROWSER or use --open";
	}
	size_t n;
	for (const char *at = text; *at; at += n + (at[n] != '\0')) {
		n = strcspn(at, between);
		if (command_init(c, at, n) && pick_has_program(c->word[0]))
			return true;
		command_fini(c);
	}
	p->status = STATUS_INPUT;
	pick_note(p, "no program to open links: '%s' was not found%s", text, advice);
	return false;
}

void pick_next_opener(struct pick *p)
{
	const char *browser = getenv("BROWSER");
	char *all = memory_format("%s:xdg-open:open", memory_text(browser));
	size_t number = 0, n;
	free(p->opener);
	p->opener = NULL;
	for (const char *at = all; *at && !p->opener; at += n + (at[n] == ':')) {
		struct command c;
		n = strcspn(at, ":");
		number += command_init(&c, at, n) && pick_has_program(c.word[0]);
		if (number > p->opener_number)
			p->opener = memory_copy_part(at, n);
		command_fini(&c);
	}
	free(all);
	p->opener_number = p->opener ? number : 0;
	pick_note(p, "Links open with %s", text_or(p->opener, "what --open, a handler or BROWSER says"));
}

/* Takes the terminal back, which programs had since pick_raw_end. */
static void resume(struct pick *p)
{
	p->done |= !pick_raw_begin(p);
}

void pick_open(struct pick *p)
{
	/* The option of these for a new window, which the URL follows. */
	static char new_window[] = "--new-window";
	static const char browsers[] = "firefox firefox-esr librewolf chromium chromium-browser google-chrome "
		"google-chrome-stable brave-browser microsoft-edge vivaldi opera epiphany falkon";
	size_t count = 0;
	char *program = NULL, *option = NULL;
	const struct pick_link *last = NULL;
	pick_raw_end(p);
	for (struct pick_link *link = NULL; (link = pick_next_marked(p, link));) {
		struct command c;
		if (!find_command(p, link, &c))
			continue;
		const char *name = folder_base_name(c.word[0]);
		option = p->window && text_is_among(name, strlen(name), browsers) ? new_window : NULL;
		if (option) {
			const size_t at = place_of_url(&c);
			memmove(c.word + at + 1, c.word + at, (c.count++ - at) * sizeof *c.word);
			c.word[at] = option;
		}
		if (run_with(p, &c, link->field[PICK_TARGET])) {
			free(program);
			program = memory_copy(c.word[0]);
			last = link;
			count++;
		}
		command_fini(&c);
	}
	resume(p);
	if (p->status == STATUS_DONE) {
		if (count == 1)
			pick_note(p, "Opened %s with %s%s", last->field[PICK_TEXT], program,
			          text_if(p->window && !option, ", where it opens links"));
		else
			pick_note(p, "Opened %zu links", count);
	}
	free(program);
}

void pick_command(struct pick *p, const char *command)
{
	struct command c;
	command_init(&c, command, strlen(command));
	pick_raw_end(p);
	if (place_of_url(&c) < c.count) {
		for (struct pick_link *link = NULL; (link = pick_next_marked(p, link));)
			run_with(p, &c, link->field[PICK_TARGET]);
	} else {
		char *input = pick_join(p, PICK_TARGET);
		run(p, &c, input);
		free(input);
	}
	if (!c.background && !p->options->pick.once) {
		pick_say(p, "Press Enter ");
		for (int key = 0; key != '\n' && key != PICK_KEY_NONE;) /* while the terminal collects lines */
			key = pick_read_byte(p);
	}
	resume(p);
	command_fini(&c);
}

/* ---- Copying ------------------------------------------------------------------------------ */

char *pick_join(const struct pick *p, enum pick_field field)
{
	struct pick_text text;
	FILE *to = pick_text_begin(&text);
	for (struct pick_link *link = NULL; (link = pick_next_marked(p, link));)
		fprintf(to, "%s\n", link->field[field]);
	return pick_text_end(&text);
}

void pick_copy(struct pick *p, bool primary)
{
	static const struct clipboard {
		const char *display; /* the variable without which it has no clipboard, or NULL */
		bool primary;
		char *word[5];
	} clipboards[] = {
		{ "WAYLAND_DISPLAY", false, { "wl-copy", NULL } },
		{ "WAYLAND_DISPLAY", true, { "wl-copy", "--primary", NULL } },
		{ "DISPLAY", false, { "xclip", "-selection", "clipboard", NULL } },
		{ "DISPLAY", true, { "xclip", "-selection", "primary", NULL } },
		{ "DISPLAY", false, { "xsel", "--input", "--clipboard", NULL } },
		{ "DISPLAY", true, { "xsel", "--input", "--primary", NULL } },
		{ NULL, false, { "pbcopy", NULL } },
		{ "TMUX", false, { "tmux", "load-buffer", "-w", "-", NULL } },
	};
	char *text = pick_join(p, PICK_TARGET);
	const struct clipboard *c = clipboards, *end = clipboards + sizeof clipboards / sizeof *clipboards;
	const size_t count = pick_count_marks(p);
	text[strlen(text) - 1] = '\0';
	while (c < end && !(c->primary == primary && (!c->display || getenv(c->display)) && pick_has_program(*c->word)
	                    && !run_with_input(p, c->word, text, -1, silence)))
		c++;
	const char *what = text_if(primary, " to the primary selection"), *links = count == 1 ? "link" : "links";
	p->status = STATUS_DONE;
	if (c < end) {
		pick_note(p, "Copied %zu %s%s with %s", count, links, what, *c->word);
	} else if (!p->terminal.plain && strcmp(getenv("TERM"), "linux")) { /* without TERM it is plain */
		struct buf code;
		buf_init(&code, &memory_allocator, SIZE_MAX);
		recode_base64(&code, (const uint8_t *)text, strlen(text), "");
		buf_add(&code, "\a", sizeof "\a");
		pick_say(p, primary ? "\x1b]52;p;" : "\x1b]52;c;");
		pick_say(p, (const char *)code.data);
		buf_fini(&code);
		pick_note(p, "Copied %zu %s%s by the terminal, if it allows that (OSC 52)", count, links, what);
	} else {
		pick_note(p, "Not copied: there is no wl-copy, xclip, xsel or pbcopy that works, and the terminal cannot copy");
		p->status = STATUS_INPUT;
	}
	free(text);
}
