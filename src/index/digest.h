/* Hashes of a mailbox: one of each piece of 64 MiB, so that a further run finds where it was edited.
 *
 * The hash of a piece is the sum of those of its blocks, so ranges of a mailbox can be hashed apart.  A range has the
 * blocks that begin in it. */
#ifndef INDEX_DIGEST_H
#define INDEX_DIGEST_H

#include "input/source.h"

#include <stdint.h>

enum { DIGEST_BLOCK = 4096 };

struct digest {
	uint64_t size;      /* of a piece */
	uint64_t at;        /* offset of the next byte that is needed */
	uint64_t piece;     /* its number, */
	uint64_t sum;       /* and the hash of its blocks so far */
	size_t used;
	unsigned char block[DIGEST_BLOCK];
	/* Called with the hash of each piece, or of the part of it that is here. */
	void (*take)(void *user, uint64_t piece, uint64_t sum);
	void *user;
};

/* The size of a piece: 64 MiB, or what URLSIFT_PIECE says, for tests. */
uint64_t digest_piece(void);
/* Begins a range; `take` and `user` are kept. */
void digest_begin(struct digest *d, uint64_t from);
/* The n bytes at the offset, which follow those before. */
void digest_add(struct digest *d, uint64_t at, const void *bytes, size_t n);
/* The range has ended; the rest of its last block is read from the file, or of NULL zeros.  0 or an errno. */
int digest_end(struct digest *d, const struct source *file);

/* Where reading can begin again: the first message that begins in a piece, or offset 0 for none; and the hash. */
struct digest_mark {
	uint64_t hash;
	int64_t offset, line, tail;
	int64_t messages; /* before it */
};

/* An array of them as a value of the database, and back; NULL for none. */
struct digest_marks {
	struct digest_mark *mark;
	size_t count;
};
/* The mark of a piece, which is added if need be. */
struct digest_mark *digest_mark(struct digest_marks *m, uint64_t piece);
/* Copies the marks from a blob of n bytes. */
void digest_read(struct digest_marks *m, const void *blob, size_t n);
void digest_fini(struct digest_marks *m);

#endif
