/* The bytes of one source. */
#ifndef INPUT_SOURCE_H
#define INPUT_SOURCE_H

#include "report.h"
#include "urlsift-mail.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { SOURCE_BLOCK = 256 * 1024 };

struct source {
	int fd;
	bool regular;      /* a file, whose bytes are all there */
	uint64_t base;     /* where its first byte stands in the file */
	uint64_t size;     /* of a regular one, when it was opened: no more is read; 0 is not known */
	uint64_t at;       /* of the next byte of source_read */
	/* The next bytes are not there yet.  May be NULL. */
	void (*idle)(void *user);
	void *user;
};

/* Opens a file for reading, "-" being standard input.  Neither a folder nor the
 * file that standard output goes to is opened: false, and in `why`, of WHY_SIZE
 * bytes, the reason. */
bool source_open(struct source *s, const char *name, char *why);
void source_close(struct source *s);

/* The next bytes, up to `size`: how many, 0 at the end, -1 with errno. */
ssize_t source_read(struct source *s, void *block, size_t size);
/* Bytes from `offset`, the same way, of a regular source.  The place of
 * source_read stays. */
ssize_t source_read_at(const struct source *s, uint64_t offset, void *block, size_t size);
/* The next bytes of source_read are those at `offset`, of a regular source.  False
 * with errno. */
bool source_move(struct source *s, uint64_t offset);

/* Lines counted up to a place: those before `at` are `line` - 1. */
struct source_lines {
	uint64_t at, line;
	bool after_cr; /* the byte before is one */
};
/* Goes on counting in the bytes at l->at. */
void source_lines_take(struct source_lines *l, const void *bytes, size_t n);
/* Goes on counting up to `to`, or the end of the source, through `block` of
 * SOURCE_BLOCK bytes. */
void source_lines_to(const struct source *s, struct source_lines *l, uint64_t to, void *block);
/* The line from which a parser counts on that begins with `next`, the byte at l->at,
 * and would take the LF of a CRLF that is cut there for a line end of its own. */
uint64_t source_lines_from(const struct source_lines *l, char next);

/* Bytes that source_detect needs behind the input, to write on. */
enum { SOURCE_DETECT_ROOM = 32 };

/* Whether the first n bytes tell what the input is, which *kind then says:
 * whatever follows would change nothing.  `complete`: nothing follows.  From
 * URLSIFT_DETECT_BYTES on they always do.  The bytes are the same afterwards. */
bool source_detect(char *bytes, size_t n, bool complete, urlsift_mail_kind *kind);

#endif
