#include "decompress_layer.h"
#include "descriptor.h"
#include "memory.h"
#include "text/ascii.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At each level an archive, in a compressed file; and what is a level too deep. */
enum { LAYERS = 2 * (1 + UNPACK_NEST) + 1 };

struct unpacker {
	uint64_t expansion;
	unsigned nest;
	void (*confine)(void);
	struct team *team;
	struct source *source;
	char *block;
	const struct packed_form *first;        /* of the source, until it is opened */
	size_t n;                        /* bytes of the source in the block */
	struct layer *layer[LAYERS];
	unsigned depth;
	uint64_t out[LAYERS];            /* bytes that came out of the layers of each depth */
	uint64_t members;
	char member[(1 + UNPACK_NEST) * (UNPACK_NAME + 2)];
};

struct unpacker *unpacker_new(uint64_t expansion, unsigned nest, void (*confine)(void), struct team *team)
{
	struct unpacker *u = memory_get(sizeof *u);
	u->expansion = expansion;
	u->nest = nest;
	u->confine = confine;
	u->team = team;
	return u;
}

/* NULL for none. */
static struct layer *innermost(const struct unpacker *u)
{
	return u->depth > 0 ? u->layer[u->depth - 1] : NULL;
}

static void pop(struct unpacker *u)
{
	struct layer *l = u->layer[--u->depth];
	if (l->state)
		l->codec->close(l);
	free(l->state);
	free(l->room);
	free(l);
}

static void pop_all(struct unpacker *u)
{
	while (u->depth > 0)
		pop(u);
}

void unpacker_free(struct unpacker *u)
{
	pop_all(u);
	free(u);
}

void unpacker_begin(struct unpacker *u, struct source *source, const struct packed_form *form, char *block, size_t n)
{
	pop_all(u);
	memset(u->out, 0, sizeof u->out);
	u->source = source;
	u->first = form;
	u->block = block;
	u->n = n;
	u->members = 0;
}

/* ---- Layers ----------------------------------------------------------------------- */

int layer_fail(struct layer *l, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(l->why, sizeof l->why, format, arguments);
	va_end(arguments);
	l->failed = l->broken = true;
	l->reported = false;
	return -1;
}

int layer_has_tail(struct layer *l, uint64_t offset)
{
	return layer_fail(l, "has unknown bytes at its end (from %" PRIu64 ")", offset);
}

void layer_lacks(struct layer *l, const struct library *library, const char *why)
{
	layer_fail(l, "needs %s to read %s: %.80s", library->name, l->form->name, why);
}

static char *other_block(const struct layer *l)
{
	return l->block == l->room ? l->room + SOURCE_BLOCK : l->room;
}

bool layer_fill(struct layer *l)
{
	enum { LEAST = 16 }; /* bytes of an archive: its library looks ahead, and where it ends is then looked at here */
	char why[WHY_SIZE], *block = other_block(l);
	ssize_t n = l->ended || l->failed ? 0 : source_read(l->below, block, SOURCE_BLOCK), more = n;
	while (more > 0 && n < LEAST && packed_form_is_archive(l->form)) {
		more = source_read(l->below, block + n, SOURCE_BLOCK - (size_t)n);
		n += (ssize_t)bytes_moved(more);
	}
	if (n < 0) {
		if (errno == SOURCE_PACKED) {
			struct layer *below = l->below->layer;
			layer_fail(l, "%s", below->why);
			l->limit = below->limit;
			below->reported = true; /* by this one */
		} else {
			report_why(why, errno);
			layer_fail(l, "%s", why);
		}
	}
	l->ended |= n == 0;
	if (n <= 0)
		return false;
	l->block = block;
	l->start += l->n;
	l->before = l->n;
	l->n = (size_t)n;
	return true;
}

int layer_byte(struct layer *l, uint64_t offset)
{
	while (offset >= l->start + l->n)
		if (!layer_fill(l))
			return EOF;
	if (offset >= l->start)
		return (unsigned char)l->block[offset - l->start];
	return offset >= l->start - l->before ? (unsigned char)other_block(l)[offset - (l->start - l->before)] : 0;
}

bool layer_ends_at(struct layer *l, uint64_t offset)
{
	int byte;
	while ((byte = layer_byte(l, offset)) == 0)
		offset++;
	if (byte > 0)
		layer_has_tail(l, offset);
	return byte < 0 && !l->failed;
}

int layer_exceed(struct layer *l, const char *limit, uint64_t value)
{
	l->limit = (urlsift_notice){ limit, value, l->given.at };
	return layer_fail(l, "limit %s (%" PRIu64 ") exceeded", limit, value);
}

bool layer_may_expand(const struct layer *l, uint64_t more, uint64_t at)
{
	const struct unpacker *u = l->unpacker;
	const uint64_t out = u->out[l->level] + more;
	return out <= UNPACK_FREE || out / u->expansion <= at;
}

/* The function `read` of the source of a layer. */
static ssize_t layer_read(void *user, void *out, size_t size)
{
	struct layer *l = user;
	struct unpacker *u = l->unpacker;
	ssize_t n = l->broken ? -1 : l->codec->read(l, out, size);
	u->out[l->level] += bytes_moved(n);
	if (n > 0 && !layer_may_expand(l, 0, u->source->at))
		n = layer_exceed(l, "expansion", u->expansion);
	if (n < 0)
		errno = SOURCE_PACKED;
	return n;
}

/* ---- Contents --------------------------------------------------------------------- */

bool unpacker_detect(struct source *s, char *block, size_t *n, const struct packed_form **form)
{
	bool complete = false;
	for (*n = 0; !packed_form_detect(block, *n, complete, form);) {
		ssize_t more = source_read(s, block + *n, SOURCE_BLOCK - *n);
		/* What comes before damage is read first. */
		if (more < 0 && (!s->layer || *n == 0))
			return false;
		*n += bytes_moved(more);
		complete = more <= 0;
	}
	return true;
}

/* Opens a layer on a source whose first n bytes are in the block.  l->failed: it could not be opened. */
static struct layer *push(struct unpacker *u, struct source *below, const struct packed_form *form, size_t n)
{
	struct layer *l = memory_get(sizeof *l), *under = innermost(u);
	l->room = memory_block(2 * SOURCE_BLOCK);
	l->form = form;
	l->codec = form->codec->prepare && u->confine ? &codec_helper : form->codec;
	l->confine = u->confine;
	l->team = u->depth ? NULL : u->team;
	l->unpacker = u;
	l->below = below;
	l->block = memcpy(l->room, u->block, n);
	l->n = n;
	l->level = u->depth;
	/* An archive in a compressed file is one level. */
	if (under)
		l->nest = under->nest + (packed_form_is_archive(under->form) || !packed_form_is_archive(form));
	u->layer[u->depth++] = l;
	if (l->nest > u->nest)
		layer_exceed(l, "nest", u->nest);
	else if (form->dictionary && (uint64_t)1 << (l->block[form->dictionary] & 31) > UNPACK_MEMORY)
		layer_exceed(l, "dictionary", UNPACK_MEMORY);
	else if (!form->codec->prepare || form->codec->prepare(l))
		l->codec->open(l);
	return l;
}

/* The names of the members that are open: OUTER{INNER}. */
static const char *member_name(struct unpacker *u)
{
	char *to = u->member;
	unsigned names = 0;
	for (unsigned i = 0; i < u->depth; i++) {
		const char *name = u->layer[i]->member;
		if (*name)
			to += snprintf(to, (size_t)(u->member + sizeof u->member - to), "%s%s", text_if(names++, "{"), name);
	}
	memset(to, '}', excess(names, 1));
	to[excess(names, 1)] = '\0';
	return names ? u->member : NULL;
}

static enum unpacked report_layer(struct layer *l, struct packed_content *c)
{
	l->reported = true;
	*c = (struct packed_content){ .member = member_name(l->unpacker), .why = l->why, .limit = l->limit };
	return l->limit.limit ? UNPACKED_LIMIT : UNPACKED_FAULT;
}

enum unpacked unpacker_fault(const struct source *source, struct packed_content *c)
{
	return report_layer(source->layer, c);
}

enum unpacked unpacker_next(struct unpacker *u, struct packed_content *c)
{
	const struct packed_form *form = u->first;
	struct source *s = u->source;
	size_t n = u->n;
	u->first = NULL;
	for (;;) {
		struct layer *l = form ? push(u, s, form, n) : innermost(u);
		if (!l)
			return UNPACKED_END;
		/* A layer that cannot be opened, or a content that was passed over before its damage was met. */
		if (form ? l->failed : l->broken && !l->reported)
			return report_layer(l, c);
		form = NULL;
		enum next next = NEXT_MEMBER;
		if (l->failed || l->entered) {
			next = NEXT_END;
		} else if (packed_form_is_archive(l->form)) {
			*l->member = '\0';
			next = l->codec->next(l);
			if (next == NEXT_MEMBER && u->members++ >= UNPACK_MEMBERS) {
				layer_exceed(l, "members", UNPACK_MEMBERS);
				next = NEXT_FAULT;
			}
		} else {
			l->entered = true;
		}
		if (next == NEXT_FAULT)
			return report_layer(l, c);
		if (next == NEXT_END)
			pop(u);
		if (next != NEXT_MEMBER)
			continue;
		l->given = (struct source){ .fd = DESCRIPTOR_NONE, .read = layer_read, .layer = l };
		l->broken = false;
		s = &l->given;
		if (!unpacker_detect(s, u->block, &n, &form))
			return report_layer(l, c);
		*c = (struct packed_content){ .member = member_name(u), .source = s, .n = n };
		if (!form)
			return UNPACKED_CONTENT;
	}
}
