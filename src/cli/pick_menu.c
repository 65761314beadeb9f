#include "pick.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define CONTROL(letter) ((letter) & 0x1f)

struct menu {
	struct pick *pick;
	bool plain;          /* the terminal has no cursor to move */
	size_t rows, columns;
	size_t at, top;      /* the current link, and the first that is shown */
	size_t number;       /* that is being typed, 0 for none */
};

/* ---- Keys ----------------------------------------------------------------------------- */

/* Signals that end or stop the process, or after which the screen is drawn again. */
static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGWINCH };
enum { SIGNALS = sizeof signals / sizeof *signals };

static void undo_raw(void *pick)
{
	pick_raw_end(pick);
}

bool pick_raw_begin(struct pick *p)
{
	sigset_t blocked;
	struct termios raw;
	int failed = tcgetattr(p->tty, &p->modes);
	raw = p->modes;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	sigemptyset(&blocked);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaddset(&blocked, signals[i]);
	sigprocmask(SIG_BLOCK, &blocked, &p->signals);
	if (failed || tcsetattr(p->tty, TCSADRAIN, &raw)) {
		report("the terminal cannot be used: %s", strerror(errno));
		sigprocmask(SIG_SETMASK, &p->signals, NULL);
		return false;
	}
	p->undo = (struct memory_undo){ .run = undo_raw, .user = p };
	memory_undo_add(&p->undo);
	pick_say(p, p->screen ? "\x1b[?1049h\x1b[?7l" : "");
	return true;
}

void pick_raw_end(const struct pick *p)
{
	pick_say(p, p->screen ? "\x1b[?7h\x1b[?1049l" : "");
	tcsetattr(p->tty, TCSADRAIN, &p->modes);
	sigprocmask(SIG_SETMASK, &p->signals, NULL);
}

/* Waits for a key.  A signal takes effect with the terminal restored; if the process goes on then, returns false. */
static bool wait_key(struct pick *p)
{
	enum { MILLISECONDS = 100 };
	sigset_t pending;
	while (poll(&(struct pollfd){ .fd = p->tty, .events = POLLIN }, 1, MILLISECONDS) == 0) {
		sigpending(&pending);
		for (size_t i = 0; i < SIGNALS; i++) {
			if (sigismember(&pending, signals[i]) != 1)
				continue;
			pick_raw_end(p);
			pick_raw_begin(p);
			return false;
		}
	}
	return true;
}

static int read_byte(const struct pick *p)
{
	unsigned char c;
	ssize_t n;
	do
		n = read(p->tty, &c, 1);
	while (n < 0 && errno == EINTR);
	return n == 1 ? c : PICK_KEY_NONE;
}

/* The byte that follows at once; PICK_KEY_NONE if none does. */
static int next_byte(const struct pick *p)
{
	enum { MILLISECONDS = 50 };
	return poll(&(struct pollfd){ .fd = p->tty, .events = POLLIN }, 1, MILLISECONDS) > 0 ? read_byte(p) : PICK_KEY_NONE;
}

int pick_key(struct pick *p)
{
	if (!wait_key(p))
		return 0;
	int key = read_byte(p), next = key == '\x1b' ? next_byte(p) : PICK_KEY_NONE;
	if (next != '[' && next != 'O')
		return key;
	int code = next_byte(p), last = code;
	while (last != PICK_KEY_NONE && (last < '@' || last > '~'))
		last = next_byte(p);
	switch (code) {
	case 'A': return PICK_KEY_UP;
	case 'B': return PICK_KEY_DOWN;
	case '5': return PICK_KEY_PAGE_UP;
	case '6': return PICK_KEY_PAGE_DOWN;
	default: return 0;
	}
}

/* ---- Drawing ---------------------------------------------------------------------------- */

static void measure(struct menu *m)
{
	struct winsize size;
	bool known = !ioctl(m->pick->tty, TIOCGWINSZ, &size) && size.ws_row > 4 && size.ws_col > 20;
	m->rows = known ? size.ws_row - 2u : 22;
	m->columns = known ? size.ws_col : 80;
}

/* At most `most` characters of a text; returns how many. */
static size_t say_part(const struct pick *p, const char *text, size_t most)
{
	size_t i = 0, count = 0;
	for (; text[i]; i++) {
		if ((text[i] & 0xC0) != 0x80 && count++ == most)
			break;
	}
	report_write(p->tty, text, i);
	return count > most ? most : count;
}

static void draw_link(const struct menu *m, size_t i)
{
	const struct pick *p = m->pick;
	const struct pick_link *link = &p->links[i];
	const char *parts[PICK_PARTS];
	char head[32];
	size_t left = m->columns - 1;
	snprintf(head, sizeof head, "%c%c%4zu  ", i == m->at ? '>' : ' ', link->marked ? '*' : ' ', i + 1);
	left -= say_part(p, head, left);
	pick_row(link, parts);
	for (size_t k = 0; k < PICK_PARTS && left > 0; k++)
		left -= say_part(p, parts[k], left);
	pick_say(p, "\r\n");
}

static void draw(struct menu *m)
{
	const struct pick *p = m->pick;
	measure(m);
	if (m->at < m->top)
		m->top = m->at;
	if (m->at >= m->top + m->rows)
		m->top = m->at - m->rows + 1;
	pick_say(p, m->plain ? "\r\n" : "\x1b[H\x1b[J");
	for (size_t i = m->top; i < p->count && i < m->top + m->rows; i++)
		draw_link(m, i);
	say_part(p, p->print ? "Enter print  Tab mark  c copy  ^E explain  q quit " :
	                       "Enter open  Tab mark  ^O open marked  c copy  ^E explain  q quit ", m->columns - 1);
}

/* The page of `explain` until a key is pressed. */
static void explain(const struct menu *m)
{
	struct pick *p = m->pick;
	const char *const *f = p->links[m->at].field;
	pick_say(p, m->plain ? "\r\n" : "\x1b[H\x1b[J");
	pick_say(p, f[PICK_BEFORE]);
	pick_say(p, " [");
	pick_say(p, f[PICK_TEXT]);
	pick_say(p, "] ");
	pick_say(p, f[PICK_AFTER]);
	pick_say(p, *f[PICK_REASONS] ? "\r\nWarning: " : "");
	pick_say(p, f[PICK_REASONS]);
	pick_say(p, "\r\n\r\n");
	for (const char *line = f[PICK_PAGE]; *line;) {
		size_t n = strcspn(line, "\n");
		report_write(p->tty, line, n);
		pick_say(p, "\r\n");
		line += n + (line[n] == '\n');
	}
	pick_say(p, "Press a key ");
	while (pick_key(p) == 0)
		;
}

/* ---- The menu ----------------------------------------------------------------------------- */

/* Goes to the link whose number is typed. */
static void type_digit(struct menu *m, size_t digit)
{
	size_t number = 10 * m->number + digit;
	m->number = number > 0 && number <= m->pick->count ? number : digit <= m->pick->count ? digit : 0;
	m->at = m->number > 0 ? m->number - 1 : m->at;
}

static void move(struct menu *m, size_t lines, bool down)
{
	size_t last = m->pick->count - 1;
	if (down)
		m->at = m->at + lines < last ? m->at + lines : last;
	else
		m->at = m->at > lines ? m->at - lines : 0;
}

/* Takes a key.  Returns whether it ends the menu, with *action. */
static bool take_key(struct menu *m, int key, enum pick_action *action)
{
	struct pick_link *link = &m->pick->links[m->at];
	if (key >= '0' && key <= '9') {
		type_digit(m, (size_t)(key - '0'));
		return false;
	}
	m->number = 0;
	*action = PICK_OPEN;
	switch (key) {
	case '\r': case '\n': case CONTROL('o'): return true;
	case 'c': case CONTROL('y'): *action = PICK_COPY; return true;
	case 'q': case '\x1b': case CONTROL('c'): case CONTROL('d'): case PICK_KEY_NONE: *action = PICK_LEAVE; return true;
	case '\t': link->marked = !link->marked; move(m, 1, true); break;
	case CONTROL('e'): explain(m); break;
	case CONTROL('z'): kill(0, SIGTSTP); break; /* as the terminal does in other modes */
	case 'j': case CONTROL('n'): case PICK_KEY_DOWN: move(m, 1, true); break;
	case 'k': case CONTROL('p'): case PICK_KEY_UP: move(m, 1, false); break;
	case ' ': case PICK_KEY_PAGE_DOWN: move(m, m->rows, true); break;
	case 'b': case PICK_KEY_PAGE_UP: move(m, m->rows, false); break;
	}
	return false;
}

enum pick_action pick_menu(struct pick *p)
{
	const char *type = getenv("TERM");
	struct menu m = { .pick = p, .plain = !type || !*type || !strcmp(type, "dumb") };
	enum pick_action action = PICK_LEAVE;
	bool any = false;
	p->screen = !m.plain;
	if (!pick_raw_begin(p))
		return PICK_FAILED;
	do
		draw(&m);
	while (!take_key(&m, pick_key(p), &action));
	pick_say(p, m.plain ? "\r\n" : "");
	pick_raw_end(p);
	p->screen = false;
	for (size_t i = 0; i < p->count; i++)
		any |= p->links[i].marked;
	p->links[m.at].marked |= !any;
	return action;
}
