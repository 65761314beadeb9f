#include "decompress_stream.h"

#include "decompress_layer.h"
#include "memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A state, begun; NULL without a library, the last of which is *lacking. */
static struct stream *make(const struct stream_decoder *d, const struct library **lacking, char *why)
{
	for (; d; d = d->instead) {
		struct stream *s = memory_get(d->size);
		if (library_load(d->library, (char *)s + d->table, why)) {
			s->decoder = d;
			d->begin(s);
			return s;
		}
		free(s);
		*lacking = d->library;
	}
	return NULL;
}

struct stream *stream_new(const struct stream_decoder *decoder)
{
	const struct library *lacking;
	char why[WHY_SIZE];
	return make(decoder, &lacking, why);
}

void stream_free(struct stream *s)
{
	if (s)
		s->decoder->end(s);
	free(s);
}

static void stream_open(struct layer *l)
{
	const struct library *lacking = NULL;
	char why[WHY_SIZE];
	struct stream *s = make(l->form->decoder, &lacking, why);
	if (!s) {
		layer_lacks(l, lacking, why);
		return;
	}
	s->in = (unsigned char *)l->block;
	s->in_left = l->n;
	l->state = s;
	s->members = members_new(l);
}

static void stream_close(struct layer *l)
{
	const struct stream *s = l->state;
	members_free(s->members);
	s->decoder->end(l->state);
}

/* Whether there are packed bytes. */
static bool fill(struct layer *l)
{
	struct stream *s = l->state;
	if (s->in_left > 0)
		return true;
	if (!layer_fill(l))
		return false;
	s->in = (unsigned char *)l->block;
	s->in_left = l->n;
	return true;
}

static uint64_t position(const struct layer *l)
{
	const struct stream *s = l->state;
	return l->start + (uint64_t)(s->in - (unsigned char *)l->block - s->ahead);
}

/* Streams may follow one another; NULs pad the last one.  Whether another stream begins. */
static bool begin_next(struct layer *l)
{
	struct stream *s = l->state;
	for (; fill(l) && *s->in == 0; s->in_left--)
		s->in++;
	if (s->in_left == 0)
		return false;
	s->start = position(l);
	s->between = false;
	if (!strchr(s->decoder->follow, *s->in))
		layer_has_tail(l, s->start);
	else
		s->decoder->begin(s);
	return !l->failed;
}

static ssize_t stream_read(struct layer *l, void *out, size_t size)
{
	struct stream *s = l->state;
	uint64_t at;
	ssize_t fault = 0;
	if (s->members) {
		const size_t n = members_read(s->members, out, size, &at);
		if (n > 0)
			return (ssize_t)n;
		/* One thread goes on there, where a stream begins, in blocks as if all before had been read so. */
		const size_t before = at % SOURCE_BLOCK;
		members_free(s->members);
		s->members = NULL;
		l->below->at = l->start = at - before;
		l->n = l->before = 0;
		s->in_left = 0;
		s->between = true;
		if (before > 0 && fill(l)) {
			s->in += before;
			s->in_left -= before;
		}
	}
	s->out = out;
	s->out_left = size;
	while (!fault && s->out_left == size) {
		if (s->between && !begin_next(l))
			return l->failed ? -1 : 0;
		enum stream_step step = s->decoder->step(s);
		s->between = step == STEP_END;
		if (step == STEP_NO_MEMORY)
			fault = layer_fail(l, "out of memory");
		else if (step == STEP_DICTIONARY)
			fault = layer_exceed(l, "dictionary", UNPACK_MEMORY);
		else if (step == STEP_FOREIGN && s->start > 0)
			fault = layer_has_tail(l, s->start);
		else if (step > STEP_END)
			fault = layer_fail(l, "is damaged at %" PRIu64 " (%s)", position(l), text_or(s->why, l->form->name));
		else if (step == STEP_ON && s->out_left == size && !fill(l))
			return l->failed ? -1 : layer_fail(l, "is cut off at %" PRIu64, l->start + l->n);
	}
	return s->out_left < size ? (ssize_t)(size - s->out_left) : fault;
}

const struct codec codec_stream = { .open = stream_open, .read = stream_read, .close = stream_close };

const char *unpacker_library(size_t i, char *version)
{
	static const struct library *const libraries[] = {
		&library_zlib, &library_isal, &library_lzma, &library_bz2, &library_zstd, &library_archive, NULL
	};
	if (!libraries[i])
		return NULL;
	if (!library_version(libraries[i], version))
		*version = '\0';
	return libraries[i]->name;
}
