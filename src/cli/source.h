/* The bytes of one source. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

enum { SOURCE_BLOCK = 256 * 1024 };

/* Opens a file for reading, "-" being standard input.  The descriptor, or -1
 * and in *why a line of English, static.  Neither a folder nor the file that
 * standard output goes to is opened. */
int source_open(const char *name, const char **why);
void source_close(int fd);

/* Where the bytes go. */
struct source_sink {
	bool (*bytes)(void *user, const void *bytes, size_t n); /* false stops */
	void (*idle)(void *user); /* the next bytes are not there yet */
	void *user;
};

/* Reads to the end through `block` of SOURCE_BLOCK bytes.  0, or the errno of
 * the read that failed. */
int source_read(int fd, void *block, const struct source_sink *sink);

#endif
