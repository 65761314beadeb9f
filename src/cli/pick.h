/* The verb pick: pick.c reads the links, pick_collect.c turns them into records, pick_menu.c and pick_fzf.c let the
 * user choose, pick_keys.c is the table of keys, pick_action.c what they do, pick_screen.c draws and reads keys,
 * pick_open.c runs programs, pick_handlers.c knows which. */
#ifndef CLI_PICK_H
#define CLI_PICK_H

#include "verbs.h"

#include "input/memory.h"
#include "text/buf.h"

#include <signal.h>
#include <stdio.h>
#include <termios.h>

/* The fields of a link: UTF-8 without control characters, except in the page. */
enum pick_field {
	PICK_TARGET,  /* the encoded target, which begins with its scheme */
	PICK_NORMAL,  /* the normal form: links that have the same one are shown once */
	PICK_HOST,    /* of the normal form */
	PICK_TEXT,    /* as `list` prints it */
	PICK_SHOWN,   /* what stands for it in the whole text: a label, the link itself, or nothing */
	PICK_LABEL, PICK_BEFORE, PICK_AFTER,
	PICK_WARNINGS, /* names, separated by commas */
	PICK_REASONS,
	PICK_PLACE,   /* the header field, or empty */
	PICK_RANK,    /* 0 in a text, 1 in a header field, 2 in List-Unsubscribe */
	PICK_REFUSAL, /* why the link must not be opened; empty if it may be */
	PICK_PAGE,    /* the output of `explain`, several lines */
	PICK_FIELDS
};

/* Begins the record of a text between links, one field; line feeds are its only control characters. */
#define PICK_BETWEEN '\1'

struct pick_link {
	const char *field[PICK_FIELDS];
	const char *record; /* where the whole text has it */
	bool marked;
};

/* The user's terminal. */
struct pick_terminal {
	int descriptor;
	struct termios modes; /* before pick_raw_begin, */
	struct memory_undo undo; /* which restores them, */
	sigset_t signals;    /* and the signals that were blocked */
	bool plain;          /* it has no cursor to move */
	bool utf8;           /* it shows more than ASCII */
	size_t rows, columns;
};

/* The user's file of handlers. */
struct pick_handlers {
	char *text;          /* NULL for none; the rows are in it */
	struct pick_handler {
		const char *pattern, *command;
	} *rows;
	size_t count;
};

struct pick {
	struct options *options;
	struct pick_link *links;
	size_t count;
	char *bytes;         /* the records */
	size_t used;         /* and their length */
	char **changes;      /* the records of links that were changed */
	size_t change_count;
	struct pick_handlers handlers;
	char *opener;        /* the command that was chosen to open links, or NULL, */
	size_t opener_number; /* and its number, from 1, among those that are installed */
	bool window;         /* links are opened in a new window */
	struct pick_terminal terminal;
	bool fzf;            /* fzf shows the menu */
	bool shorten;        /* long links */
	bool done;           /* the menu is left, */
	bool print;          /* the marked links are printed */
	enum status status;  /* of the last action */
	size_t at, top;      /* the current link, and the first that is shown */
	int key;             /* that is pressed */
	size_t number;       /* that is being typed, 0 for none */
	bool found;          /* what was looked for is marked in the menu */
	char search[256];    /* what was looked for last, */
	char command[1024];  /* and the last command */
	char note[1024];     /* what to tell the user, or empty */
};

/* ---- pick.c: reading ---------------------------------------------------------------------- */

/* Reads a record; returns what follows it.  A text between links has no fields. */
const char *pick_read_record(const char *at, struct pick_link *link);
/* Reads a link from a text.  False if there is none. */
bool pick_read_link(struct pick *p, const char *text, struct pick_link *link);
/* Reads to the end of the descriptor, or a little more than 64 MiB, and adds `nuls` NUL bytes.  NULL, with errno,
 * after an error. */
char *pick_read(int descriptor, size_t nuls, size_t *used);

/* The consumer that writes records to a descriptor: the fields in order, each with its NUL. */
struct pick_collector {
	struct consumer consumer;
	int descriptor;
};
void pick_collector_init(struct pick_collector *c, int descriptor);

/* A text that is written with the functions of stdio. */
struct pick_text {
	FILE *to;
	char *bytes;
	size_t size;
};
FILE *pick_text_begin(struct pick_text *t);
char *pick_text_end(struct pick_text *t); /* for free() */

/* ---- pick_keys.c: the table ------------------------------------------------------------- */

enum pick_move { PICK_STAY, PICK_DOWN, PICK_UP, PICK_PAGE_DOWN, PICK_PAGE_UP, PICK_FIRST, PICK_LAST };

struct pick_key {
	const char *names; /* separated by blanks: a character, 0-9, Ctrl-X or one of key_names */
	const char *hint;  /* a word for the last line of the screen, or NULL */
	const char *help;
	const char *fzf;   /* what fzf does at the key; NULL: it ends */
	enum pick_move move;
	void (*act)(struct pick *p); /* NULL for those that move */
};
/* The row of a key; one without names, which does nothing, for other keys. */
const struct pick_key *pick_key_find(int key);
/* Does what the key does; nothing for 0. */
void pick_key_press(struct pick *p, int key);
/* All keys with their help, a line for each row. */
void pick_keys_write(FILE *to);
/* The bindings of fzf, `word` and the code of a key for those that end it. */
void pick_keys_bind(FILE *to, const char *word);
/* The hints that fit, each whole. */
void pick_keys_hint(const struct pick *p, FILE *to, size_t columns);
/* Where the cursor is after a move; `last` is the last place. */
size_t pick_moved(enum pick_move move, size_t at, size_t last, size_t page);

/* ---- pick_screen.c: the terminal ----------------------------------------------------------- */

/* What pick_read_key returns: a byte, Enter as \r; or one of these; PICK_KEY_NONE at the end of input.  0 for a key
 * that is not known, and if the process was stopped and continued, or the size of the terminal has changed. */
enum {
	PICK_KEY_NONE = -1, PICK_KEY_UP = 256, PICK_KEY_DOWN, PICK_KEY_LEFT, PICK_KEY_RIGHT, PICK_KEY_PAGE_UP,
	PICK_KEY_PAGE_DOWN, PICK_KEY_HOME, PICK_KEY_END, PICK_KEY_DELETE, PICK_KEY_ESCAPE = 27, PICK_KEY_BACKSPACE = 127
};
#define PICK_CONTROL(letter) ((letter) & 0x1f)
int pick_read_key(struct pick *p);
/* Whether a signal that ends the process waits until the terminal is as it was. */
bool pick_is_ended(void);
/* Whether a key was typed that is not read yet, or the input has ended. */
bool pick_key_waits(const struct pick *p);
/* A byte, whatever it means; PICK_KEY_NONE at the end of input. */
int pick_read_byte(const struct pick *p);
/* A key that is known, or the end of input. */
int pick_wait_key(struct pick *p);
/* Makes the terminal pass on keys as they are pressed, without echo, and shows the alternate screen; pick_raw_end
 * restores both.  Between them, signals take effect in pick_read_key, which restores them first.  A failure is
 * reported. */
bool pick_raw_begin(struct pick *p);
void pick_raw_end(struct pick *p);
/* Asks for the size of the terminal. */
void pick_measure(struct pick *p);
/* Writes text to the terminal as it is. */
void pick_say(const struct pick *p, const char *text);
/* Writes a control sequence, or on a plain terminal what it gets instead. */
void pick_control(const struct pick *p, const char *plain, const char *sequence);
/* Writes text of the input, up to a line feed, in at most *left columns, which it reduces.  Returns how many bytes.
 * The bytes \1 and \2 begin and end what is marked. */
size_t pick_put(const struct pick *p, int descriptor, const char *text, size_t *left);
/* Replaces what the terminal does not show. */
void pick_fold(const struct pick *p, char *text);
/* Begins a new screen. */
void pick_clear(const struct pick *p);
/* Shows a text of several lines until a key leaves it, first where something is marked, and frees it. */
void pick_page(struct pick *p, char *text);
/* Lets the user edit a text of at most size - 1 bytes.  `show`, which may be NULL, is called with it before it is drawn
 * into the last line.  False if that was given up. */
typedef void pick_show_fn(struct pick *p, const char *text);
bool pick_edit(struct pick *p, const char *prompt, char *text, size_t size, pick_show_fn *show);
/* Lines of so many columns for the last rows of the screen: the note, or the hints; for free(). */
char *pick_status_lines(const struct pick *p, size_t columns, size_t *rows);
/* What to tell the user, instead of what was to be told before. */
__attribute__((format(printf, 2, 3))) void pick_note(struct pick *p, const char *format, ...);

/* ---- The menu -------------------------------------------------------------------------------- */

/* Shows the menu and does what keys say, until p->done. */
void pick_menu(struct pick *p);
/* Draws it. */
void pick_draw(struct pick *p);
/* fzf shows the menu until a key is pressed that it does not know, which is done; so is one that was typed before.
 * False if fzf failed. */
bool pick_fzf(struct pick *p);
/* Lets the user search with fzf. */
void pick_fzf_search(struct pick *p);
/* The line that shows link i, for free(). */
char *pick_row(const struct pick *p, size_t i);
/* What is known of a link, several lines, for free(). */
char *pick_details(const struct pick_link *link);
/* Writes the names of its tracking parameters, separated by commas, to `names`, if it is not NULL.  Returns how many
 * there are. */
size_t pick_tracking(const char *url, FILE *names);

/* ---- pick_action.c: what keys do ----------------------------------------------------------------- */

/* Asks for what is looked for, with `show` as in pick_edit.  False if that was given up. */
bool pick_ask_search(struct pick *p, pick_show_fn *show);
/* The first place of a text where it is; `length` if it is not there. */
size_t pick_match(const struct pick *p, const char *text, size_t length);

void pick_do_mark(struct pick *p);
void pick_do_mark_all(struct pick *p);
void pick_do_digit(struct pick *p);
void pick_do_open(struct pick *p);
void pick_do_open_window(struct pick *p);
void pick_do_copy(struct pick *p);
void pick_do_copy_primary(struct pick *p);
void pick_do_explain(struct pick *p);
void pick_do_text(struct pick *p);
void pick_do_edit(struct pick *p);
void pick_do_clean(struct pick *p);
void pick_do_shorten(struct pick *p);
void pick_do_reverse(struct pick *p);
void pick_do_command(struct pick *p);
void pick_do_search(struct pick *p);
void pick_do_next(struct pick *p);
void pick_do_previous(struct pick *p);
void pick_do_help(struct pick *p);
void pick_do_stop(struct pick *p);
void pick_do_leave(struct pick *p);

/* ---- pick_open.c: programs ----------------------------------------------------------------------- */

/* Opens the marked links with --open, a handler or the user's browser, and notes what was done. */
void pick_open(struct pick *p);
/* Chooses the next program that opens links; after the last each link has its own again. */
void pick_next_opener(struct pick *p);
/* Gives the marked links to a command, which is not blank: where it has %s, or on its standard input. */
void pick_command(struct pick *p, const char *command);
/* Copies the marked links to the clipboard, or the primary selection, one per line, and notes how. */
void pick_copy(struct pick *p, bool primary);
size_t pick_count_marks(const struct pick *p);
void pick_mark_all(struct pick *p, bool marked);
/* The first marked link after this one, or of all if it is NULL; NULL for none. */
struct pick_link *pick_next_marked(const struct pick *p, struct pick_link *after);
/* A field of the marked links, each with a line feed, for free(). */
char *pick_join(const struct pick *p, enum pick_field field);
/* Runs a program with these descriptors as its standard input and output.  In its process `prepare`, which may be NULL,
 * is called first.  Returns the process, -1 for none. */
pid_t pick_run(const struct pick *p, char *const *word, const int ends[2], void (*prepare)(const struct pick *p));
/* Waits for a process.  Returns its exit status; PICK_UNSTARTED for -1 and for a program that could not be started,
 * PICK_KILLED if a signal ended it. */
enum { PICK_UNSTARTED = 127, PICK_KILLED = 128 };
int pick_wait(pid_t child);
/* Whether PATH has a program with this name. */
bool pick_has_program(const char *name);

/* ---- pick_handlers.c ----------------------------------------------------------------------------- */

/* Reads the user's file of handlers, and notes a line that is wrong. */
void pick_handlers_read(struct pick *p);
/* The command for a link; NULL if no handler is for it. */
const char *pick_handler(const struct pick *p, const struct pick_link *link);

#endif
