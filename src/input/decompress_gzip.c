#include "decompress_layer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef URLSIFT_WITH_ZLIB
#include <zlib.h>

struct gzip {
	z_stream z;
	bool between; /* a member has ended */
};

enum { WINDOW = 15, GZIP = 16 };

static void gzip_open(struct layer *l)
{
	struct gzip *g = l->state = calloc(1, sizeof *g);
	if (!g || inflateInit2(&g->z, WINDOW + GZIP) != Z_OK) {
		free(g);
		l->state = NULL;
		layer_fail(l, "out of memory");
		return;
	}
	g->z.next_in = (unsigned char *)l->block;
	g->z.avail_in = (uInt)l->n;
}

static void gzip_close(struct layer *l)
{
	struct gzip *g = l->state;
	if (g)
		inflateEnd(&g->z);
	free(g);
}

/* Whether there are packed bytes. */
static bool gzip_fill(struct layer *l)
{
	struct gzip *g = l->state;
	if (g->z.avail_in > 0)
		return true;
	if (!layer_fill(l))
		return false;
	g->z.next_in = (unsigned char *)l->block;
	g->z.avail_in = (uInt)l->n;
	return true;
}

static int has_tail(struct layer *l, uint64_t offset)
{
	return layer_fail(l, "has other bytes at its end (from %" PRIu64 ")", offset);
}

static uint64_t position(const struct layer *l)
{
	const struct gzip *g = l->state;
	return l->start + (uint64_t)((const char *)g->z.next_in - l->block);
}

/* Members may follow one another; NULs pad the last one.  Whether another member begins. */
static bool gzip_begin_member(struct layer *l)
{
	enum { MAGIC = 0x1f };
	struct gzip *g = l->state;
	while (gzip_fill(l) && *g->z.next_in == 0) {
		g->z.next_in++;
		g->z.avail_in--;
	}
	if (g->z.avail_in == 0)
		return false;
	if (*g->z.next_in != MAGIC)
		return !has_tail(l, position(l));
	g->between = false;
	return inflateReset(&g->z) == Z_OK;
}

static ssize_t gzip_damaged(struct layer *l)
{
	static const struct { const char *of_zlib, *why; } reason[] = {
		{ "incorrect data check", "wrong checksum" }, { "incorrect length check", "wrong length" }
	};
	const struct gzip *g = l->state;
	const char *why = g->z.msg ? g->z.msg : "zlib failed";
	if (g->z.total_out == 0 && !strcmp(why, "incorrect header check"))
		return has_tail(l, position(l) - g->z.total_in);
	for (size_t i = 0; i < sizeof reason / sizeof *reason; i++)
		if (!strcmp(why, reason[i].of_zlib))
			why = reason[i].why;
	return layer_fail(l, "is damaged at %" PRIu64 " (%s)", position(l), why);
}

static ssize_t gzip_read(struct layer *l, void *out, size_t size)
{
	struct gzip *g = l->state;
	ssize_t fault = 0;
	g->z.next_out = out;
	g->z.avail_out = (uInt)size;
	while (!fault && g->z.avail_out == size) {
		if (g->between && !gzip_begin_member(l))
			return l->failed ? -1 : 0;
		if (!gzip_fill(l))
			return l->failed ? -1 : layer_fail(l, "is cut off at %" PRIu64, l->start + l->n);
		int result = inflate(&g->z, Z_NO_FLUSH);
		g->between = result == Z_STREAM_END;
		if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
			fault = gzip_damaged(l);
	}
	return g->z.avail_out < size ? (ssize_t)(size - g->z.avail_out) : fault;
}

bool unpacker_zlib_version(char *text)
{
	snprintf(text, WHY_SIZE, "%s", zlibVersion());
	return true;
}

const struct codec codec_gzip = { .open = gzip_open, .read = gzip_read, .close = gzip_close };

#else

static void gzip_refuse(struct layer *l)
{
	layer_fail(l, "needs zlib to read gzip: not in this build");
}

static void gzip_close(struct layer *l)
{
	(void)l;
}

bool unpacker_zlib_version(char *text)
{
	snprintf(text, WHY_SIZE, "not in this build");
	return false;
}

const struct codec codec_gzip = { .open = gzip_refuse, .close = gzip_close };

#endif
