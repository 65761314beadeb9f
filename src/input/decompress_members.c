/* Members of BGZF, the form of gzip that bgzip writes: at most 64 KiB each, with their size in an extra field (RFC
 * 1952, section 2.3.1.1).  Each is a task of the team, which reads it, decompresses it and checks that it is whole and
 * as long as it says.  Where one is not, one thread reads on from there: so what is reported does not depend on the
 * team. */
#include "decompress_stream.h"

#include "decompress_layer.h"
#include "descriptor.h"
#include "memory.h"
#include "team.h"

#include "text/ascii.h"

#include <stdlib.h>
#include <string.h>

enum {
	MEMBERS = 16,             /* that are decompressed at a time */
	MEMBER_MOST = 64 * 1024,  /* bytes of a member, packed or not */
	MEMBER_ROOM = MEMBER_MOST + 8, /* the end of a member of so many bytes is still met */
	HEADER_MOST = 256         /* of a header, in which the field must be */
};

struct member {
	struct task task;
	const struct source *source;
	struct stream *decoder;
	uint64_t at;          /* its offset, */
	size_t size;          /* and bytes, packed */
	bool whole;           /* it was decompressed, and nothing is wrong */
	size_t length, given; /* bytes it has, and that were returned */
	unsigned char packed[MEMBER_MOST], bytes[MEMBER_ROOM];
};

struct members {
	struct layer *layer;
	uint64_t next;         /* the offset of the first one that is not below, */
	uint64_t from, to;     /* their numbers */
	struct member *member[MEMBERS]; /* that of the number n is at n % MEMBERS; NULL: never used */
};

/* The size of the member that begins with these n bytes; 0 if they are too few, or it does not say. */
static size_t member_size(const unsigned char *b, size_t n)
{
	enum { FLAGS = 3, HAS_EXTRA = 4, FIXED = 12, FIELD = 4 };
	if (n < FIXED || memcmp(b, "\x1f\x8b\x08", FLAGS) || !(b[FLAGS] & HAS_EXTRA))
		return 0;
	const uint64_t end = FIXED + little_endian(b + FIXED - 2, 2);
	for (uint64_t i = FIXED; end <= n && i + FIELD + 2 <= end; i += FIELD + little_endian(b + i + 2, 2))
		if (!memcmp(b + i, "BC\2\0", FIELD))
			return (size_t)little_endian(b + i + FIELD, 2) + 1;
	return 0;
}

static void decompress(struct task *t)
{
	struct member *m = (struct member *)t;
	struct stream *s = m->decoder;
	size_t left = 0;
	enum stream_step step = STEP_ON;
	m->whole = source_read_at(m->source, m->at, m->packed, m->size) == (ssize_t)m->size;
	s->decoder->begin(s);
	s->in = m->packed;
	s->in_left = m->size;
	s->out = m->bytes;
	s->out_left = sizeof m->bytes;
	while (m->whole && step == STEP_ON && s->in_left + s->out_left != left) {
		left = s->in_left + s->out_left;
		step = s->decoder->step(s);
	}
	m->whole &= step == STEP_END && s->in_left == 0 && s->ahead == 0;
	m->length = sizeof m->bytes - s->out_left;
	m->given = 0;
}

/* Offers as many as may be decompressed at a time. */
static void offer(struct members *m)
{
	const struct stream *of = m->layer->state;
	while (m->to - m->from < MEMBERS) {
		unsigned char header[HEADER_MOST];
		const ssize_t n = source_read_at(m->layer->below, m->next, header, sizeof header);
		const size_t size = member_size(header, bytes_moved(n));
		struct member **place = &m->member[m->to % MEMBERS];
		if (size == 0)
			return;
		if (!*place) {
			struct stream *decoder = stream_new(of->decoder);
			if (!decoder)
				return;
			*place = memory_get(sizeof **place); /* too large for a stack */
			(*place)->task.run = decompress;
			(*place)->source = m->layer->below;
			(*place)->decoder = decoder;
		}
		(*place)->at = m->next;
		(*place)->size = size;
		m->next += size;
		m->to++;
		team_offer(m->layer->team, &(*place)->task);
	}
}

struct members *members_new(struct layer *l)
{
	const struct source *s = l->below;
	if (!l->team || !s->regular || s->size <= l->n || !member_size((const unsigned char *)l->block, l->n))
		return NULL;
	struct members *m = memory_get(sizeof *m);
	m->layer = l;
	return m;
}

void members_free(struct members *m)
{
	if (!m)
		return;
	for (; m->from < m->to; m->from++)
		team_await(m->layer->team, &m->member[m->from % MEMBERS]->task);
	for (size_t i = 0; i < MEMBERS && m->member[i]; i++) {
		stream_free(m->member[i]->decoder);
		free(m->member[i]);
	}
	free(m);
}

size_t members_read(struct members *m, void *out, size_t size, uint64_t *at)
{
	size_t n = 0;
	for (offer(m); n == 0 && m->from < m->to; offer(m)) {
		struct member *first = m->member[m->from % MEMBERS];
		*at = first->at;
		team_await(m->layer->team, &first->task);
		if (!first->whole || (first->given == 0 && !layer_may_expand(m->layer, first->length, first->at)))
			return 0;
		/* The source is where one thread would have read it to for this member. */
		uint64_t end = first->at + first->size;
		end += (SOURCE_BLOCK - end % SOURCE_BLOCK) % SOURCE_BLOCK;
		m->layer->below->at = earlier(end, m->layer->below->size);
		n = smaller(first->length - first->given, size);
		memcpy(out, first->bytes + first->given, n);
		first->given += n;
		m->from += first->given == first->length;
	}
	*at = m->next;
	return n;
}
