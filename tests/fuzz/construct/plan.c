#include "plan.h"

/* Whether a text begins with a byte order mark; that of UTF-32 with the low byte first begins with that of UTF-16. */
static bool has_mark(const struct bytes *s)
{
	static const struct { size_t length; const char *bytes; } marks[] = {
		{ 2, "\xff\xfe" }, { 2, "\xfe\xff" }, { 3, "\xef\xbb\xbf" }, { 4, "\0\0\xfe\xff" },
	};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (s->length >= marks[i].length && !memcmp(s->data, marks[i].bytes, marks[i].length))
			return true;
	return false;
}

/* Whether nothing of a text is converted from another charset. */
static bool is_kept(const struct plan *p)
{
	return p->mail.kind == URLSIFT_KIND_TEXT && !p->declared && !has_mark(p->source);
}

/* Whether nothing is removed from a text either, but for defanged forms. */
static bool is_counted(const struct plan *p)
{
	const struct bytes *s = p->source;
	return p->kept && !memchr(s->data, '\x1b', s->length) && !memchr(s->data, '\b', s->length);
}

/* Whether each sequence of a terminal that has begun ends. */
static bool has_whole_sequences(const struct choices *c)
{
	return c->aim == AIM_EDGES || c->aim == AIM_TURNS || c->aim == AIM_OPENINGS;
}

/* Most texts that no aim wants long are short: a twentieth of the runs would take half of the time. */
static void shorten(struct choices *c, struct bytes *source)
{
	enum { SHORT = 6000 };
	if ((c->aim == AIM_NONE || c->of == OF_ANY) && source->length > SHORT && !once_in(c, 8))
		source->length = SHORT;
}

static void choose_source(struct choices *c, struct bytes *source, urlsift_mail_kind *kind)
{
	bytes_clear(source);
	*kind = URLSIFT_KIND_TEXT;
	bool text = choose(c, 5) < 3;
	if (c->of == OF_TEXT || (c->of == OF_ANY && text))
		construct_text(c, source);
	else
		construct_mail(c, source, kind);
	bool complete = has_whole_sequences(c);
	for (size_t n = complete ? 0 : choose(c, 8); n > 6; n--)
		construct_change(c, source);
	if (once_in(c, 3) && !complete)
		construct_mutate(c, source);
	if (once_in(c, 12) && !complete)
		*kind = (urlsift_mail_kind)choose(c, 7);
	shorten(c, source);
	if (source->length > SOURCE_MAX)
		source->length = SOURCE_MAX;
	source->data[source->length] = '\0';
}

/* Whether a run is of the swarm: where the number of its seed (construct/main.c) has this bit. */
static bool is_of_swarm(uint64_t state)
{
	enum { SWARM_BIT = 40 };
	const uint64_t inverse = 0xf1de83e19937733du; /* of 0x9e3779b97f4a7c15 */
	return (__builtin_bswap64(state) * inverse - 1) >> SWARM_BIT & 1;
}

void construct_plan(struct choices *c, struct plan *p, struct bytes *source)
{
	*p = (struct plan){ .source = source, .scan = urlsift_options_new(NULL) };
	construct_options(c, p, is_of_swarm(c->state));
	choose_source(c, source, &p->mail.kind);
	urlsift_render_prepare(&p->how, p->scan, &p->mail);
	p->tiles = p->mail.kind == URLSIFT_KIND_TEXT && urlsift_options_get(p->scan, URLSIFT_OPT_PLAIN);
	p->kept = is_kept(p);
	p->counted = is_counted(p);
	p->identified = c->aim == AIM_PIECES;
	p->complete = has_whole_sequences(c) && p->kept;
	p->verbatim = p->counted && !urlsift_options_get(p->scan, URLSIFT_OPT_REFANG);
}
