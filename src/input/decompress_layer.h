/* A layer of packed input, internal to the unpacker: it reads packed bytes from one source and
 * provides their contents as another. */
#ifndef INPUT_DECOMPRESS_LAYER_H
#define INPUT_DECOMPRESS_LAYER_H

#include "decompress.h"
#include "library.h"

struct layer;

enum next { NEXT_MEMBER, NEXT_SKIP, NEXT_END, NEXT_FAULT };

struct codec {
	bool archive;
	/* Loads the library and sets l->state; layer_fail on failure.  Not NULL if a helper process does the rest. */
	bool (*prepare)(struct layer *l);
	void (*open)(struct layer *l); /* layer_fail on failure */
	/* Like source_read, with layer_fail on failure.  The bytes before a fault are returned first. */
	ssize_t (*read)(struct layer *l, void *out, size_t size);
	/* Moves to the next member of an archive and sets l->member.  NEXT_SKIP: it is not a file. */
	enum next (*next)(struct layer *l);
	void (*close)(struct layer *l); /* where there is a state, which is freed after it */
};

struct packed_form {
	const char *name;
	const struct codec *codec;
	int code; /* of a filter or a format of libarchive */
	const char *magic;
	size_t length; /* of the magic */
	bool (*is)(const unsigned char *bytes, size_t n); /* a further condition, or NULL */
	/* Which of the first bytes has, in its low five bits, the logarithm of the size of the decoder's dictionary; 0: its
	 * library limits that. */
	unsigned dictionary;
	const struct stream_decoder *decoder; /* of codec_stream */
};

/* codec_none: the form is known but not read.  codec_helper: the codec of the form runs in a helper process. */
extern const struct codec codec_none, codec_stream, codec_filter, codec_archive, codec_helper;

struct layer {
	const struct packed_form *form;
	const struct codec *codec;
	void (*confine)(void); /* of the unpacker */
	struct team *team;     /* likewise, if `below` is the source; else NULL */
	struct unpacker *unpacker;
	struct source *below;  /* where the packed bytes come from */
	struct source given;   /* the content, or the current member */
	char *room;            /* two blocks: the current and the previous one */
	char *block;           /* the current block */
	size_t n, before;      /* bytes in the current and in the previous block */
	uint64_t start;        /* the offset of the current block in `below` */
	bool ended;            /* nothing follows the current block */
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
int layer_has_tail(struct layer *l, uint64_t offset); /* from this offset of `below` on */
void layer_lacks(struct layer *l, const struct library *library, const char *why);
/* Records that a limit was exceeded.  Returns -1. */
int layer_exceed(struct layer *l, const char *limit, uint64_t value);
/* Whether `more` bytes may come out of the layer once `at` bytes of the source have been read.  Each layer is measured
 * against the source, so that layers do not multiply what is allowed. */
bool layer_may_expand(const struct layer *l, uint64_t more, uint64_t at);
/* The byte at an offset of `below` that is in one of the blocks or follows them; EOF at the end
 * and when it cannot be read. */
int layer_byte(struct layer *l, uint64_t offset);
/* Whether only NULs follow `offset`; if not, layer_fail says so. */
bool layer_ends_at(struct layer *l, uint64_t offset);

/* The libraries (decompress_decoder.c, decompress_archive.c). */
extern const struct library library_zlib, library_isal, library_lzma, library_bz2, library_zstd, library_archive;

#endif
