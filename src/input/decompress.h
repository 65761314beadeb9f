/* Packed input: compressed files and archives, recognised by their first bytes.
 *
 * An unpacker turns one source into its contents, one after another: the decompressed
 * bytes of a compressed file, the members of an archive, and the contents of packed members.
 * No files are written; names in an archive are only reported.  gzip, xz, lzma, bzip2 and zstd
 * have a library each; libarchive, which takes several MB when it is loaded, reads all else. */
#ifndef INPUT_DECOMPRESS_H
#define INPUT_DECOMPRESS_H

#include "report.h"
#include "source.h"

#include "urlsift.h"

enum {
	UNPACK_FREE = 64 * 1024 * 1024,    /* bytes that the expansion limit does not apply to */
	UNPACK_MEMORY = 256 * 1024 * 1024, /* bytes of the dictionary of a decoder */
	UNPACK_MEMBERS = 10 * 1000 * 1000, /* of a source */
	UNPACK_NAME = 4096,                /* bytes of the name of a member; the rest is cut off */
	UNPACK_NEST = 4                    /* the highest value of --nest */
};

struct packed_form;
struct team;

/* Whether the first n bytes determine the form of the input; if so, *form is its form, or NULL
 * if it is not packed.  `complete`: nothing follows.  512 bytes always suffice. */
bool packed_form_detect(const char *bytes, size_t n, bool complete, const struct packed_form **form);
/* The form of an input that begins with these n bytes, 512 or all of it; NULL if it is not packed. */
const struct packed_form *packed_form_of(const char *bytes, size_t n);
/* Whether it is an archive, with members. */
bool packed_form_is_archive(const struct packed_form *form);
/* Reads into the block, of SOURCE_BLOCK bytes, until the form of the source is determined; *n
 * bytes are then in it.  False with errno. */
bool unpacker_detect(struct source *s, char *block, size_t *n, const struct packed_form **form);

struct unpacker;

/* Creates an unpacker for one source at a time.  `expansion`: how
 * many times its size a source may expand to; `nest`: levels of packed input inside packed
 * input that are opened, at most UNPACK_NEST; `confine`: what a helper process that reads archives calls first, NULL:
 * there are no such processes; `team`: helps with members of BGZF, or NULL. */
struct unpacker *unpacker_new(uint64_t expansion, unsigned nest, void (*confine)(void), struct team *team);
void unpacker_free(struct unpacker *u);

/* Begins a source of this form, whose first n bytes are in the block, of SOURCE_BLOCK bytes.
 * The source must outlive the contents. */
void unpacker_begin(struct unpacker *u, struct source *source, const struct packed_form *form, char *block, size_t n);

enum unpacked {
	UNPACKED_CONTENT, /* `source` is to be read; its first n bytes are in the block */
	UNPACKED_FAULT,   /* something could not be read: `why` */
	UNPACKED_LIMIT,   /* `limit` was exceeded, and something was not read */
	UNPACKED_END
};

struct packed_content {
	const char *member; /* its name; NULL when the source is not an archive */
	struct source *source;
	size_t n;
	const char *why;
	urlsift_notice limit; /* whose offset is in the decompressed bytes */
};

/* The next content, valid until the next call.  A content need not be read to its end. */
enum unpacked unpacker_next(struct unpacker *u, struct packed_content *content);
/* After source_read of a content failed with SOURCE_PACKED: UNPACKED_FAULT or
 * UNPACKED_LIMIT, and the reason. */
enum unpacked unpacker_fault(const struct source *source, struct packed_content *content);

/* The i-th library that packed input is read with: its name, NULL past the last one, and its version in `version`, of
 * WHY_SIZE bytes, "" if it is not available. */
const char *unpacker_library(size_t i, char *version);

#endif
