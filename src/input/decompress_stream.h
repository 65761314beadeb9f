/* Compressed files that consist of streams, one after another, each of which a library of its own decompresses:
 * what the libraries share, and what each adds (decompress_decoder.c). */
#ifndef INPUT_DECOMPRESS_STREAM_H
#define INPUT_DECOMPRESS_STREAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct library;

enum stream_step {
	STEP_ON,         /* if it gave nothing, it needs more */
	STEP_END,        /* of a stream */
	STEP_FOREIGN,    /* no stream of the format begins here */
	STEP_DAMAGED,
	STEP_DICTIONARY, /* it would need more than UNPACK_MEMORY */
	STEP_NO_MEMORY
};

/* What a result of a library means; the last row has STEP_OTHERS for all that the table does not have. */
enum { STEP_OTHERS = INT_MAX };
struct step_row {
	int result;
	enum stream_step step;
};
static inline enum stream_step step_of(const struct step_row *row, int result)
{
	while (row->result != STEP_OTHERS && row->result != result)
		row++;
	return row->step;
}

struct stream {
	const struct stream_decoder *decoder;
	unsigned char *in, *out;
	size_t in_left, out_left;
	uint64_t start;  /* the offset of the current stream in the file */
	bool between;    /* a stream has ended */
	int ahead;       /* bytes before `in` that a fault does not include */
	const char *why; /* it is damaged, or NULL */
	struct members *members; /* that are decompressed by several threads, or NULL */
};

/* Its state begins with a struct stream, and is all zero at first. */
struct stream_decoder {
	const struct library *library;
	size_t size;                     /* of the state, */
	size_t table;                    /* and where in it the table of functions is */
	const char *follow;              /* bytes with which a stream may begin, if another may follow; else "" */
	void (*begin)(void *state);      /* begins the first or a further stream */
	enum stream_step (*step)(void *state);
	void (*end)(void *state);        /* only after `begin` */
	const struct stream_decoder *instead; /* where its library is not there, or NULL */
};

static inline uint64_t little_endian(const unsigned char *bytes, size_t n)
{
	uint64_t value = 0;
	while (n > 0)
		value = value << 8 | bytes[--n];
	return value;
}

/* A state, begun; NULL without its library. */
struct stream *stream_new(const struct stream_decoder *decoder);
void stream_free(struct stream *s); /* NULL is allowed */

/* The members of BGZF, a form of gzip, say their size: several threads decompress them (decompress_members.c). */
struct layer;
/* NULL if the layer, at the beginning of its source, has none that the team can help with. */
struct members *members_new(struct layer *l);
void members_free(struct members *m); /* NULL is allowed */
/* Like source_read; 0 when the rest, from *at on, is for one thread, which reports what is wrong there. */
size_t members_read(struct members *m, void *out, size_t size, uint64_t *at);

extern const struct stream_decoder decoder_deflate, decoder_gzip, decoder_xz, decoder_lzma, decoder_bzip2, decoder_zstd;

#endif
