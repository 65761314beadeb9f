/* The verb pick: pick.c reads the links, pick_collect.c turns them into records, pick_menu.c and pick_fzf.c let the
 * user choose, pick_open.c runs programs. */
#ifndef CLI_PICK_H
#define CLI_PICK_H

#include "verbs.h"

#include "text/buf.h"

#include <signal.h>
#include <termios.h>

/* The fields of a link: UTF-8 without control characters, except in the page. */
enum pick_field {
	PICK_TARGET,  /* the encoded target, which begins with its scheme */
	PICK_TEXT,    /* as `list` prints it */
	PICK_HOST, PICK_LABEL, PICK_BEFORE, PICK_AFTER,
	PICK_WARNINGS, /* names, separated by commas */
	PICK_REASONS,
	PICK_PLACE,   /* the header field, or empty */
	PICK_RANK,    /* 0 in a text, 1 in a header field, 2 in List-Unsubscribe */
	PICK_REFUSAL, /* why the link must not be opened; empty if it may be */
	PICK_PAGE,    /* the output of `explain`, several lines */
	PICK_FIELDS
};

struct pick_link {
	const char *field[PICK_FIELDS];
	bool marked;
};

struct pick {
	struct pick_link *links;
	size_t count;
	char *bytes;         /* the texts of all fields */
	int tty;             /* descriptor of the user's terminal */
	struct termios modes; /* its modes before pick_raw_begin, */
	sigset_t signals;    /* and the signals that were blocked */
	struct memory_undo undo; /* which restores the modes */
	bool screen;         /* the menu uses the alternate screen */
	const char *command; /* the value of --open, or NULL */
	bool print;          /* --print */
};

/* PICK_FAILED: the user could not choose. */
enum pick_action { PICK_LEAVE, PICK_OPEN, PICK_COPY, PICK_FAILED };

/* The parts of the line that shows a link. */
enum { PICK_PARTS = 14 };
void pick_row(const struct pick_link *link, const char *parts[PICK_PARTS]);

/* Lets the user mark links.  Returns what to do with the marked ones.  A failure is reported. */
enum pick_action pick_menu(struct pick *p);
/* Lets the user mark them in fzf.  A failure is not reported. */
enum pick_action pick_fzf(struct pick *p);

/* Writes text to the terminal. */
void pick_say(const struct pick *p, const char *text);
/* Reads a key: a byte, or one of these; PICK_KEY_NONE at the end of input.  0 for a key that is not known, and if the
 * process was stopped and continued, or the size of the terminal has changed. */
enum { PICK_KEY_NONE = -1, PICK_KEY_UP = 256, PICK_KEY_DOWN, PICK_KEY_PAGE_UP, PICK_KEY_PAGE_DOWN };
int pick_key(struct pick *p);
/* Makes the terminal pass on keys as they are pressed, without echo; pick_raw_end restores its modes.  Between them,
 * signals take effect in pick_key, which restores the modes first.  A failure is reported. */
bool pick_raw_begin(struct pick *p);
void pick_raw_end(const struct pick *p);

/* Opens the marked links with the command, or the user's browser.  STATUS_DONE, or the status of a failure that was
 * reported. */
enum status pick_open(const struct pick *p);
/* Copies the marked links to the clipboard, one per line. */
enum status pick_copy(const struct pick *p);
/* A field of the marked links, each with a line feed, for free(). */
char *pick_join(const struct pick *p, enum pick_field field);
/* Reads to the end of the descriptor, or a little more than 64 MiB, and adds `nuls` NUL bytes.  NULL, with errno,
 * after an error. */
char *pick_read(int descriptor, size_t nuls, size_t *used);
/* Connects two descriptors for the process and a program that it runs, which get ends[0] and ends[1]. */
bool pick_connect(int ends[2]);
/* Runs a program with the descriptor as its standard input and output.  In its process `prepare`, which may be NULL,
 * is called first.  Returns the process, -1 for none. */
pid_t pick_run(const struct pick *p, char *const *word, int descriptor, void (*prepare)(const struct pick *p));
/* Waits for a process.  Returns its exit status; PICK_UNSTARTED for -1 and for a program that could not be started,
 * PICK_KILLED if a signal ended it. */
enum { PICK_UNSTARTED = 127, PICK_KILLED = 128 };
int pick_wait(pid_t child);
/* Whether PATH has a program with this name. */
bool pick_has_program(const char *name);

/* The consumer that writes records to a descriptor: the fields in order, each with its NUL. */
struct pick_collector {
	struct consumer consumer;
	int descriptor;
};
void pick_collector_init(struct pick_collector *c, int descriptor);

#endif
