#include "web_body.h"

#include "decompress.h"
#include "decompress_stream.h"
#include "library.h"
#include "memory.h"

#include "text/ascii.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_LINE = 64, DECODED = 64 * 1024, DAMAGE = 80 };

enum chunk { CHUNK_NONE, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, CHUNK_LAST };

/* The codings, and what undoes each, after NULL for an unknown one. */
#define CODINGS "identity gzip x-gzip deflate zstd"
static const struct stream_decoder *const decoders[] = {
	NULL, NULL, &decoder_gzip, &decoder_gzip, &decoder_deflate, &decoder_zstd
};

struct web_body {
	web_body_sink *sink;
	void *user;
	const struct stream_decoder *decoder; /* of the coding; NULL: none */
	struct stream *stream;          /* its state, once it has begun */
	bool ended;                     /* nothing more is read */
	uint64_t in, out, expansion;
	enum chunk chunk;
	bool chunked;                   /* there was a chunk */
	uint64_t left;                  /* bytes of it; UINT64_MAX without chunks */
	uint8_t line[CHUNK_LINE + 1];   /* ends in NUL */
	size_t line_length;
	unsigned char decoded[DECODED];
	char damage[DAMAGE];
};

struct web_body *web_body_new(web_body_sink *sink, void *user)
{
	struct web_body *b = memory_get(sizeof *b);
	b->sink = sink;
	b->user = user;
	return b;
}

void web_body_free(struct web_body *b)
{
	stream_free(b->stream);
	free(b);
}

bool web_body_begin(struct web_body *b, bool chunked, urlsift_text coding, uint64_t expansion)
{
	stream_free(b->stream); /* the last one may not have ended */
	b->stream = NULL;
	b->ended = b->chunked = false;
	b->in = b->out = b->line_length = 0;
	b->left = UINT64_MAX;
	b->expansion = expansion;
	b->chunk = chunked ? CHUNK_SIZE : CHUNK_NONE;
	const size_t known = ascii_word(coding.bytes, coding.length, CODINGS);
	b->decoder = decoders[known];
	return known || !coding.length;
}

/* ---- Codings ---- */

static const char *decode(struct web_body *b, const uint8_t *p, size_t n)
{
	if (n == 0 || b->ended)
		return NULL;
	if (b->decoder && !b->stream) {
		if (*b->decoder->follow && !is_of((char)*p, b->decoder->follow))
			b->decoder = NULL;
		else if (!(b->stream = stream_new(b->decoder)))
			return "cannot be decompressed: its library is missing";
	}
	if (!b->decoder) {
		b->ended = !b->sink(b->user, p, n);
		return NULL;
	}
	struct stream *s = b->stream;
	s->in = (unsigned char *)(uintptr_t)p;
	s->in_left = n;
	b->in += n;
	while (!b->ended && (s->in_left > 0 || s->out_left == 0)) {
		s->out = b->decoded;
		s->out_left = DECODED;
		enum stream_step step = s->decoder->step(s);
		size_t got = DECODED - s->out_left;
		b->out += got;
		b->ended = (got && !b->sink(b->user, b->decoded, got)) || step == STEP_END;
		if (step > STEP_END) {
			snprintf(b->damage, sizeof b->damage, "is damaged (%s)", text_or(s->why, "its coding"));
			return b->damage;
		}
		if (b->out > UNPACK_FREE && b->out / b->expansion > b->in)
			return "expands too much";
	}
	return NULL;
}

/* ---- Chunks ---- */

/* A byte of the line with the size of a chunk. */
static const char *take_size(struct web_body *b, uint8_t c)
{
	bool kept = b->line_length < CHUNK_LINE;
	if (kept)
		b->line[b->line_length++] = c;
	if (c != '\n' && kept)
		return NULL;
	b->left = 0;
	const size_t n = c == '\n' ? number_read(b->line, 0, b->line_length, 16, &b->left) : 0;
	if (n > 0 && b->left < NUMBER_MAX && BYTE_IN(b->line[n], " \t\r\n;")) {
		b->chunk = b->left ? CHUNK_DATA : CHUNK_LAST;
		b->chunked = true;
	} else if (b->chunked) {
		return "has a malformed chunk";
	} else {
		b->chunk = CHUNK_NONE;
		b->left = UINT64_MAX;
		const char *why = decode(b, b->line, b->line_length);
		return why || kept ? why : decode(b, &c, 1);
	}
	b->line_length = 0;
	return NULL;
}

const char *web_body_feed(struct web_body *b, const uint8_t *p, size_t n)
{
	const char *why = NULL;
	while (n > 0 && !why && !b->ended && b->chunk != CHUNK_LAST) {
		size_t k = 1;
		if (b->chunk == CHUNK_SIZE) {
			why = take_size(b, *p);
		} else if (b->chunk == CHUNK_END) {
			b->chunk = *p == '\n' ? CHUNK_SIZE : *p == '\r' ? CHUNK_END : CHUNK_NONE;
			b->left = UINT64_MAX;
			k = b->chunk != CHUNK_NONE; /* else the size was wrong: the rest is read as it is */
		} else {
			k = size_within(n, b->left);
			why = decode(b, p, k);
			b->left -= k;
			if (b->left == 0)
				b->chunk = CHUNK_END;
		}
		p += k;
		n -= k;
	}
	return why;
}

const char *web_body_finish(struct web_body *b)
{
	const char *why = b->chunk == CHUNK_SIZE && !b->chunked ? decode(b, b->line, b->line_length) : NULL;
	const bool cut = !b->ended && (b->stream || (b->chunked && b->chunk != CHUNK_LAST));
	return text_or(why, !cut ? NULL : b->chunked && b->chunk == CHUNK_NONE ? "has a malformed chunk" : "is cut off");
}
