/* The bytes of one input: a file, a pipe, a terminal, or what is packed in one. */
#ifndef INPUT_SOURCE_H
#define INPUT_SOURCE_H

#include "urlsift-mail.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

enum {
	SOURCE_BLOCK = 256 * 1024, /* bytes of a read */
	KIND_WARC = -1,            /* a urlsift_mail_kind: a web archive, which the library does not read */
	SOURCE_DETECT_ROOM = 48,   /* bytes after the input that source_detect may overwrite */
	/* Errors that errno.h does not have: */
	SOURCE_TRUNCATED = -1,     /* for report_why */
	SOURCE_PACKED = -2         /* for unpacker_fault */
};

struct source {
	int fd;
	bool regular;  /* a regular file */
	uint64_t base; /* file offset of the first byte: standard input may begin in the middle of a file */
	uint64_t size; /* of a regular file when it was opened; what is appended later is not read; 0: unknown */
	int64_t mtime; /* of a regular file when it was opened: nanoseconds since 1970-01-01 UTC */
	uint64_t at;   /* offset of the next byte of source_read; may be set if `size` is known */
	/* Instead of a descriptor, for packed input: the function and its `user` (decompress.h). */
	ssize_t (*read)(void *layer, void *block, size_t size);
	void *layer;
	/* What was read last, while it is in memory: source_read_at copies from there. */
	const char *block;
	uint64_t block_at;
	size_t block_length;
	void (*idle)(void *user); /* called when the input pauses, and every ten seconds then; may be NULL */
	void *user;
};

/* The time of the last change of a file, in nanoseconds since 1970-01-01 UTC. */
int64_t source_mtime(const struct stat *status);

/* Opens a file for reading, "-" for standard input.  False if it cannot be read, is a
 * directory, or is the file of standard output; `why`, of WHY_SIZE bytes, is the reason. */
bool source_open(struct source *s, const char *name, char *why);
void source_close(struct source *s);

/* Reads up to `size` bytes: returns their number, 0 at the end, -1 with errno, which may be
 * SOURCE_TRUNCATED or
 * SOURCE_PACKED.  Waits if the descriptor is non-blocking. */
ssize_t source_read(struct source *s, void *block, size_t size);
/* Reads from `offset` of a regular file, fewer than `size` only at its end.  Thread-safe; `at` does not change. */
ssize_t source_read_at(const struct source *s, uint64_t offset, void *block, size_t size);
/* Whether what a file has from `offset` on is a mailbox.  If that cannot be read, `why`, of WHY_SIZE bytes, is not
 * empty. */
bool source_is_mailbox(const char *path, uint64_t offset, char *why);
/* Lines counted up to an offset. */
struct line_count {
	uint64_t at, line; /* `line` - 1 line ends are before `at` */
	bool after_cr;     /* the byte before `at` is a CR */
};
/* Counts the lines of the n bytes at l->at. */
void source_count_lines(struct line_count *l, const void *bytes, size_t n);
/* Counts up to offset `to`, or the end, of a regular file; l->line is then the line at which a parser begins there.
 * False with errno. */
bool source_line_at(const struct source *s, struct line_count *l, uint64_t to);

enum { SOURCE_CUT_BACK = 4096 }; /* bytes before a range of a text from which it is read, at least */

/* The name of a kind, KIND_WARC too. */
const char *source_kind_name(urlsift_mail_kind kind);
enum { RECORD_BEGINS = 7 }; /* bytes by which source_is_record decides */
/* Whether they begin a record of a web archive; *known: whether more bytes cannot change the answer. */
bool source_is_record(const char *bytes, size_t n, bool complete, bool *known);
/* Whether the first n bytes determine the kind of the input, *kind, whatever follows.
 * `complete`: nothing follows.  URLSIFT_DETECT_BYTES always suffice.  The bytes are
 * changed during the call and then restored. */
bool source_detect(char *bytes, size_t n, bool complete, urlsift_mail_kind *kind);

#define SOURCE_PDF "%PDF-" /* what such a file begins with */
/* Whether a file that begins with these n bytes is binary: a PDF, an index of Thunderbird, or a
 * NUL says so, but not after the byte order mark of UTF-16 or UTF-32. */
bool source_is_binary(const char *p, size_t n);

#endif
