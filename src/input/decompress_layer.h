/* A layer of packed input, for the files of decompress.h: it reads packed bytes from a source
 * and is itself a source, of what they contain. */
#ifndef INPUT_DECOMPRESS_LAYER_H
#define INPUT_DECOMPRESS_LAYER_H

#include "decompress.h"

struct layer;

enum next { NEXT_MEMBER, NEXT_SKIP, NEXT_END, NEXT_FAULT };

struct codec {
	bool archive;
	void (*open)(struct layer *l); /* layer_fail on failure */
	/* Like source_read, with layer_fail on failure.  The bytes before a fault are returned first. */
	ssize_t (*read)(struct layer *l, void *out, size_t size);
	/* Of an archive: moves to the next member and sets l->member.  NEXT_SKIP: it is not a file. */
	enum next (*next)(struct layer *l);
	void (*close)(struct layer *l); /* also after `open` failed */
};

struct packed_form {
	const char *name;
	const struct codec *codec;
	int code; /* of a filter or a format of libarchive */
	const char *magic;
	size_t length; /* of the magic */
	bool (*is)(const unsigned char *bytes, size_t n); /* what else must hold; NULL for nothing */
	/* Bytes of the dictionary, as far as the first bytes tell; NULL: libarchive limits it. */
	uint64_t (*memory)(const unsigned char *bytes, size_t n);
};

/* codec_none: the form is known but not read. */
extern const struct codec codec_none, codec_gzip, codec_filter, codec_archive;

struct layer {
	const struct packed_form *form;
	struct unpacker *unpacker;
	struct source *below;  /* where the packed bytes come from */
	struct source given;   /* the content, or the current member */
	char *room;            /* two blocks, so that the last bytes before the current one are there too */
	char *block;           /* the current one */
	size_t n, before;      /* bytes in it, and in the other one */
	uint64_t start;        /* its offset in `below` */
	bool ended;            /* nothing follows it */
	unsigned level, nest;
	bool entered;          /* its content was handed out */
	bool failed;           /* nothing more can be read of it */
	bool broken;           /* nothing more can be read of this member */
	bool reported;         /* why it is broken was reported */
	char why[WHY_SIZE];
	urlsift_notice limit;  /* whose name is NULL for none */
	char member[UNPACK_NAME];
	void *state;           /* of the codec */
};

/* Reads the next block.  False at the end, and on failure with layer_fail. */
bool layer_fill(struct layer *l);
/* Records why nothing more can be read.  Returns -1. */
__attribute__((format(printf, 2, 3))) int layer_fail(struct layer *l, const char *format, ...);
/* The byte at an offset of `below` that is in one of the blocks or follows them; -1 at the end
 * and when it cannot be read. */
int layer_byte(struct layer *l, uint64_t offset);
/* Whether only NULs follow `offset`; if not, layer_fail says so. */
bool layer_ends_at(struct layer *l, uint64_t offset);

/* The functions of libarchive.  NULL when it cannot be loaded, with the reason in `why`. */
struct archive_library;
const struct archive_library *unpacker_library(struct unpacker *u, char *why);

/* (decompress_library.c)  Loads it; for archive_library_close. */
struct archive_library *archive_library_open(char *why);
void archive_library_close(struct archive_library *library); /* NULL is allowed */

#endif
