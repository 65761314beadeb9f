#define _XOPEN_SOURCE 700 /* wcwidth */
#include "pick.h"

#include "input/descriptor.h"
#include "text/unicode.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

/* ---- Keys ----------------------------------------------------------------------------- */

/* Signals that end the process, the first ENDING, or stop it, or after which the screen is drawn again. */
enum { ENDING = 4 };
static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGWINCH };
enum { SIGNALS = sizeof signals / sizeof *signals };

static void restore(void *pick)
{
	const struct pick *p = pick;
	pick_control(p, "\r\n", "\x1b[?7h\x1b[?1049l");
	tcsetattr(p->terminal.descriptor, TCSADRAIN, &p->terminal.modes);
	sigprocmask(SIG_SETMASK, &p->terminal.signals, NULL);
}

bool pick_raw_begin(struct pick *p)
{
	sigset_t blocked;
	struct termios raw;
	int failed = tcgetattr(p->terminal.descriptor, &p->terminal.modes);
	raw = p->terminal.modes;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	sigemptyset(&blocked);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaddset(&blocked, signals[i]);
	sigprocmask(SIG_BLOCK, &blocked, &p->terminal.signals);
	if (failed || tcsetattr(p->terminal.descriptor, TCSADRAIN, &raw)) {
		report("the terminal cannot be used: %s", strerror(errno));
		sigprocmask(SIG_SETMASK, &p->terminal.signals, NULL);
		return false;
	}
	memory_undo_add(&p->terminal.undo, restore, p);
	pick_control(p, "", "\x1b[?1049h");
	pick_measure(p);
	return true;
}

void pick_raw_end(struct pick *p)
{
	memory_undo_remove(&p->terminal.undo);
	restore(p);
}

/* Whether there is something to read, or the end, after so many milliseconds at most. */
static bool has_input(const struct pick *p, int milliseconds)
{
	return poll(&(struct pollfd){ .fd = p->terminal.descriptor, .events = POLLIN }, 1, milliseconds) != 0;
}

bool pick_is_ended(void)
{
	sigset_t pending;
	struct sigaction action;
	bool ended = false;
	sigpending(&pending);
	for (size_t i = 0; i < ENDING; i++) /* one that is blocked waits, also where it is ignored, as below nohup */
		ended |= sigismember(&pending, signals[i]) == 1 && !sigaction(signals[i], NULL, &action)
		         && action.sa_handler != SIG_IGN;
	return ended;
}

bool pick_key_waits(const struct pick *p)
{
	return has_input(p, 0);
}

int pick_read_byte(const struct pick *p)
{
	unsigned char c;
	return descriptor_read(p->terminal.descriptor, &c, 1) == 1 ? c : PICK_KEY_NONE;
}

/* The byte that follows at once; PICK_KEY_NONE if none does. */
static int next_byte(const struct pick *p)
{
	enum { MILLISECONDS = 50 };
	return has_input(p, MILLISECONDS) ? pick_read_byte(p) : PICK_KEY_NONE;
}

/* What follows ESC [ or ESC O for the keys that have a code, most of them two. */
static const struct sequence {
	const char *code;
	int key;
} sequences[] = {
	{ "A", PICK_KEY_UP }, { "B", PICK_KEY_DOWN }, { "C", PICK_KEY_RIGHT }, { "D", PICK_KEY_LEFT },
	{ "H", PICK_KEY_HOME },
	{ "F", PICK_KEY_END }, { "1~", PICK_KEY_HOME }, { "7~", PICK_KEY_HOME }, { "4~", PICK_KEY_END },
	{ "8~", PICK_KEY_END }, { "3~", PICK_KEY_DELETE }, { "5~", PICK_KEY_PAGE_UP }, { "6~", PICK_KEY_PAGE_DOWN },
	{ .code = NULL }
};

/* Signals that wait take effect with the terminal restored; the process may go on then. */
static void take_signals(struct pick *p)
{
	pick_raw_end(p);
	pick_raw_begin(p);
}

void pick_do_stop(struct pick *p)
{
	kill(0, SIGTSTP); /* as the terminal does in other modes */
	take_signals(p);
}

int pick_read_key(struct pick *p)
{
	enum { MILLISECONDS = 100 };
	char code[3] = "";
	sigset_t pending;
	while (!has_input(p, MILLISECONDS)) {
		sigpending(&pending);
		for (size_t i = 0; i < SIGNALS; i++)
			if (sigismember(&pending, signals[i]) == 1) {
				take_signals(p);
				return 0;
			}
	}
	int key = pick_read_byte(p), next = key == PICK_KEY_ESCAPE ? next_byte(p) : PICK_KEY_NONE;
	if (key == PICK_CONTROL('z')) {
		pick_do_stop(p);
		return 0;
	}
	if (!is_of((char)next, "[O"))
		return key == '\n' ? '\r' : key;
	for (size_t n = 0; (next = next_byte(p)) != PICK_KEY_NONE; n++) {
		if (n < sizeof code - 1)
			code[n] = (char)next;
		else
			*code = '?'; /* it is none of ours */
		if (within((uint64_t)next, '@', '~'))
			break;
	}
	const struct sequence *row = row_named(sequences, sizeof *row, code);
	return row ? row->key : 0;
}

int pick_wait_key(struct pick *p)
{
	int key = 0;
	while (key == 0)
		key = pick_read_key(p);
	return key;
}

/* ---- Text ------------------------------------------------------------------------------- */

void pick_measure(struct pick *p)
{
	struct winsize size;
	p->terminal.rows = 24;
	p->terminal.columns = 80;
	if (!ioctl(p->terminal.descriptor, TIOCGWINSZ, &size) && size.ws_row > 1 && size.ws_col > 8) {
		p->terminal.rows = size.ws_row;
		p->terminal.columns = size.ws_col;
	}
}

void pick_say(const struct pick *p, const char *text)
{
	report_write(p->terminal.descriptor, text, strlen(text));
}

void pick_control(const struct pick *p, const char *plain, const char *sequence)
{
	pick_say(p, p->terminal.plain ? plain : sequence);
}

void pick_clear(const struct pick *p)
{
	pick_control(p, "\r\n", "\x1b[?7l\x1b[H\x1b[J");
}

/* The columns of a character of this width: a `?` takes the place of one that is not shown. */
static size_t columns_of(int width) { return width < 0 ? 1 : (size_t)width; }

/* The length of the character at a place, and its width, -1 if the terminal does not show it. */
static size_t read_character(const struct pick *p, const char *at, int *width)
{
	uint32_t c;
	size_t n = utf8_next((const uint8_t *)at, strnlen(at, 4), &c);
	*width = c < 0x80 || (p->terminal.utf8 && n > 1) ? wcwidth((wchar_t)c) : -1;
	return n;
}

size_t pick_put(const struct pick *p, int descriptor, const char *text, size_t *left)
{
	/* For \1 and \2, between which text is marked: on a terminal, and on a plain one. */
	static const char *const marks[2][3] = { { NULL, "\x1b[7m", "\x1b[0m" }, { NULL, "[", "]" } };
	size_t i = 0, written = 0, n;
	int width;
	for (; text[i] && text[i] != '\n'; i += n) {
		const char *instead = (unsigned char)text[i] <= 2 ? marks[p->terminal.plain][(unsigned char)text[i]] : NULL;
		n = read_character(p, text + i, &width);
		size_t columns = instead ? p->terminal.plain : columns_of(width);
		if (columns > *left)
			break;
		*left -= columns;
		if (!instead && width >= 0)
			continue;
		instead = text_or(instead, "?");
		report_write(descriptor, text + written, i - written);
		report_write(descriptor, instead, strlen(instead));
		written = i + n;
	}
	report_write(descriptor, text + written, i - written);
	return i;
}

void pick_fold(const struct pick *p, char *text)
{
	char *to = text;
	int width;
	for (size_t n; *text; text += n) {
		n = read_character(p, text, &width);
		if (*text == '\n' || width >= 0) {
			memmove(to, text, n);
			to += n;
		} else {
			*to++ = '?';
		}
	}
	*to = '\0';
}

/* How many bytes of the text fill a line: up to a line feed, or the last blank that fits, or as many as fit. */
static size_t line_length(const struct pick *p, const char *text, size_t columns)
{
	size_t i = 0, n, blank = 0;
	int width;
	for (; text[i] && text[i] != '\n'; i += n) {
		n = read_character(p, text + i, &width);
		size_t wide = columns_of(width);
		if (wide > columns)
			return blank ? blank : i + (i == 0) * n;
		columns -= wide;
		if (text[i] == ' ')
			blank = i + 1;
	}
	return i;
}

void pick_note(struct pick *p, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(p->note, sizeof p->note, format, arguments);
	va_end(arguments);
}

char *pick_status_lines(const struct pick *p, size_t columns, size_t *rows)
{
	struct pick_text lines;
	const size_t most = larger(excess(p->terminal.rows, p->fzf ? 2 : 1), 1); /* the link and, of fzf, its prompt stay */
	FILE *to = pick_text_begin(&lines);
	*rows = 1;
	if (!*p->note)
		pick_keys_hint(p, to, columns);
	for (const char *at = p->note; *at; ++*rows) {
		size_t n = line_length(p, at, columns);
		fwrite(at, 1, n, to);
		at += n + (at[n] == '\n');
		if (!*at || *rows == most)
			break;
		fputc('\n', to);
	}
	return pick_text_end(&lines);
}

/* ---- Pages ---------------------------------------------------------------------------------- */

/* A text, and where its lines begin. */
struct page {
	char *text;
	size_t *line, count, columns;
};

/* Lines end where the terminal does. */
static void break_lines(const struct pick *p, struct page *page)
{
	page->count = 0;
	page->columns = p->terminal.columns;
	for (const char *at = page->text; *at;) {
		MEMORY_ADD(page->line, page->count) = (size_t)(at - page->text);
		at += line_length(p, at, p->terminal.columns - 1);
		at += *at == '\n';
	}
}

static size_t line_end(const struct page *page, size_t i)
{
	return i + 1 < page->count ? page->line[i + 1] : strlen(page->text);
}

/* The line nearest to `top` with what is looked for, after it or before it; `top`, with a note, if there is none. */
static size_t find_line(struct pick *p, const struct page *page, size_t top, bool forwards)
{
	for (size_t i = top; forwards ? ++i < page->count : i-- > 0;) {
		const size_t n = line_end(page, i) - page->line[i];
		if (pick_match(p, page->text + page->line[i], n) < n)
			return i;
	}
	pick_note(p, "Not found: %s", p->search);
	return top;
}

/* Where the page begins after a key.  False if it is left. */
static bool page_key(struct pick *p, const struct page *page, int key, size_t last, size_t *top)
{
	const struct pick_key *row = pick_key_find(key);
	*p->note = '\0';
	if (row->move)
		*top = pick_moved(row->move, *top, last, p->terminal.rows - 1);
	else if (row->act == pick_do_search)
		*top = pick_ask_search(p, NULL) ? find_line(p, page, *top, true) : *top;
	else if (row->act == pick_do_next || row->act == pick_do_previous)
		*top = find_line(p, page, *top, row->act == pick_do_next);
	else
		return !*row->names && key != PICK_KEY_NONE;
	return true;
}

void pick_page(struct pick *p, char *text)
{
	struct page page = { .text = text };
	size_t last, top = 0, left;
	char more[80];
	break_lines(p, &page);
	/* The first line with something marked is shown below a few others. */
	const char *mark = strchr(text, '\1');
	while (mark && top + 1 < page.count && text + page.line[top + 1] <= mark)
		top++;
	top = excess(top, p->terminal.rows / 3);
	do {
		if (page.columns != p->terminal.columns)
			break_lines(p, &page);
		last = excess(page.count + 1, p->terminal.rows);
		top = smaller(top, last);
		pick_clear(p);
		for (size_t i = top; i < smaller(page.count, top + p->terminal.rows - 1); i++) {
			char *end = text + line_end(&page, i), kept = *end;
			*end = '\0';
			left = p->terminal.columns - 1;
			pick_put(p, p->terminal.descriptor, text + page.line[i], &left);
			pick_say(p, "\r\n");
			*end = kept;
		}
		const size_t below = excess(page.count - top + 1, p->terminal.rows);
		left = p->terminal.columns - 1;
		snprintf(more, sizeof more, below ? "q back  %zu more lines" : "q back", below);
		pick_put(p, p->terminal.descriptor, text_full_or(p->note, more), &left);
	} while (page_key(p, &page, pick_read_key(p), last, &top));
	free(page.line);
	free(text);
}

/* ---- A line of the user --------------------------------------------------------------------------- */

/* Where the character before a place begins. */
static size_t before(const char *text, size_t at)
{
	return utf8_cut(text, excess(at, 1), at);
}

static size_t after(const char *text, size_t at)
{
	return utf8_begin(text, at + (text[at] != '\0'), SIZE_MAX);
}

/* The end of the text at the cursor is always shown. */
static void draw_edit(const struct pick *p, const char *prompt, const char *text, size_t at)
{
	size_t room = p->terminal.columns - 1, from = at, left;
	char move[32];
	pick_control(p, "\r\n", "\r\x1b[K");
	pick_put(p, p->terminal.descriptor, prompt, &room);
	for (size_t width = 0; from > 0; from = before(text, from)) {
		int wide;
		read_character(p, text + before(text, from), &wide);
		width += columns_of(wide);
		if (width > room)
			break;
	}
	left = room;
	pick_put(p, p->terminal.descriptor, text + from, &left);
	if (p->terminal.plain)
		return;
	left = room;
	for (size_t i = from; i < at; i = after(text, i)) {
		int wide;
		read_character(p, text + i, &wide);
		left -= columns_of(wide);
	}
	snprintf(move, sizeof move, "\r\x1b[%zuC", p->terminal.columns - 1 - left);
	pick_say(p, move);
}

static size_t to_begin(const char *text, size_t at)
{
	(void)text, (void)at;
	return 0;
}

static size_t to_end(const char *text, size_t at)
{
	return at + strlen(text + at);
}

/* Keys that move the cursor, or remove what is between it and the place where they would move it. */
static const struct {
	int key;
	size_t (*to)(const char *text, size_t at);
	bool removes;
} edits[] = {
	{ PICK_KEY_LEFT, before, false }, { PICK_CONTROL('b'), before, false }, { PICK_KEY_RIGHT, after, false },
	{ PICK_CONTROL('f'), after, false }, { PICK_KEY_HOME, to_begin, false }, { PICK_CONTROL('a'), to_begin, false },
	{ PICK_KEY_END, to_end, false }, { PICK_CONTROL('e'), to_end, false }, { PICK_KEY_BACKSPACE, before, true },
	{ '\b', before, true }, { PICK_KEY_DELETE, after, true }, { PICK_CONTROL('u'), to_begin, true },
	{ PICK_CONTROL('k'), to_end, true }
};

bool pick_edit(struct pick *p, const char *prompt, char *text, size_t size, pick_show_fn *show)
{
	size_t at = strlen(text);
	for (;;) {
		if (show && !pick_key_waits(p)) /* so the bytes of a character are together */
			show(p, text);
		draw_edit(p, prompt, text, at);
		int key = pick_read_key(p);
		if (key == '\r')
			return true;
		if (key == PICK_KEY_ESCAPE || key == PICK_CONTROL('c') || key == PICK_CONTROL('d') || key == PICK_KEY_NONE)
			return false;
		size_t place = at, other = at; /* what is between them is removed */
		for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
			if (edits[i].key == key) {
				place = edits[i].to(text, at);
				other = edits[i].removes ? at : place;
			}
		const size_t n = strlen(text), from = smaller(place, other), to = larger(place, other);
		const bool written = within((uint64_t)key, ' ', 0xFF) && key != PICK_KEY_BACKSPACE && n + 1 < size;
		memmove(text + from + written, text + to, n - to + 1);
		text[from] = written ? (char)key : text[from];
		at = from + written;
	}
}
