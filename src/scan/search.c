#include "candidate.h"
#include "guess.h"
#include "label.h"
#include "scanner.h"
#include "simd/runs.h"
#include "text/charset.h"
#include "url/url.h"

#include <string.h>

/* More text is needed to decide at index i: waits until there is twice as much.  NO: there is enough for any rule. */
static enum verdict wait_at(urlsift_scanner *s, const struct view *v, size_t i)
{
	const size_t have = v->end - i, twice = larger(have, 64);
	s->search.pos = v->at + i;
	if (have >= AHEAD_MAX)
		return NO;
	s->in.want = v->at + v->end + smaller(twice, AHEAD_MAX - have);
	return MORE;
}

static size_t index_of(const struct view *v, uint64_t at) { return (size_t)beyond(at, v->at); }

/* The warning if a character that cannot be seen, or changes the direction, ends a link at index i, and what follows
 * could go on with it: `https://a<U+200B>.example/`. */
static unsigned warn_of_cut(const struct view *v, size_t i)
{
	uint32_t c;
	i += view_read(v, i) == '.'; /* which B4 leaves out */
	if (view_read(v, i) < 0x80)
		return 0;
	const size_t n = view_character(v, i, &c), k = i + n;
	const bool closes = c == 0x202C || c == 0x2069; /* what began before the link, as Unicode recommends */
	const size_t next = k + !!(byte_class[view_read(v, k)] & (BYTE_PUNCTUATION | BYTE_DELIMITER));
	if (closes || !(byte_class[view_read(v, next)] & (BYTE_ALNUM | BYTE_HIGH)))
		return 0;
	return warn_characters((const char *)v->p + i, n, 0) & (URLSIFT_WARN_INVISIBLE | URLSIFT_WARN_BIDI);
}

/* Hands out the scanner's link, which has the warnings `shown`, of its label or of what cuts it; the
 * search continues at index `end`. */
static inline void take_link(urlsift_scanner *s, const struct view *v, size_t end, unsigned shown)
{
	const struct span *first_part = link_spans(&s->link), *last_part = link_last_span(&s->link);
	const uint64_t first = v->at + first_part->from, last = v->at + last_part->from;
	const bool one = first_part == last_part;
	/* the previous link may be the text shown for this one: only of one part, and at most BACK_LOOK back */
	const uint8_t before = byte_before(v->p, first_part->from);
	if (BYTE_IN(before, "<([: \t") && s->search.shown && first - s->search.last_first <= BACK_LOOK)
		shown |= mismatch_before(v, (size_t)(s->search.last_first - v->at), (size_t)(s->search.floor - v->at),
		                         &s->link);
	s->link.text_warnings = shown;
	emit_link(s, v);
	s->search.shown = one;
	s->search.last_first = first;
	s->search.last_part = last;
	s->search.pos = s->search.floor = v->at + end;
}

/* Turns the terminal on when a sequence is at index i; the search then continues at `resume` or before.  An ESC from
 * before the terminal was turned off is what is left of one. */
static enum verdict enter_terminal(urlsift_scanner *s, const struct view *v, size_t i, size_t resume)
{
	size_t from;
	const bool stripped = s->in.terminal.on || v->at + i < s->in.terminal.off;
	enum verdict r = stripped ? NO : terminal_begins(v, i, &from);
	if (r != YES)
		return r;
	scanner_need(s, terminal_start(&s->in.terminal, v->at + from, byte_before(v->p, from)));
	scanner_find_watched(s);
	resume = smaller(resume, from);
	uint64_t back = later(v->at + excess(resume, BRACKET_LOOK), s->search.block_end);
	s->search.pos = later(back, s->search.floor);
	s->search.unclosed = earlier(s->search.unclosed, s->search.pos);
	return YES;
}

/* How far a sequence may affect what was read from i to `end`: rules that look farther ahead are rarely affected by the
 * first sequence of a text; whole vectors. */
static size_t sequence_reach(size_t i, size_t end) { return i + ((end - i + 64 + 15) & ~(size_t)15); }

/* Whether a sequence or an overstrike may be from i to `look`, as sequence_reach has it. */
__attribute__((noinline)) static bool has_sequence(const struct view *v, size_t i, size_t look)
{
	const size_t stop = smaller(look, v->end);
	return stop == look ? run_has(v->p + i, look - i, 0x1b, '\b')
	                    : memchr(v->p + i, 0x1b, stop - i) || memchr(v->p + i, '\b', stop - i);
}

/* Whether the text up to `look` is awaited: else it would depend on how the text is fed.  A sequence that is not there
 * yet cannot change what was decided. */
static bool awaits_sequence(const urlsift_scanner *s, const struct view *v, size_t look)
{
	return look > v->end && !v->last && !s->in.flushing;
}

/* Whether a sequence, or the end of the view, may affect what was read from i to `end`. */
static inline bool may_meet_terminal(const urlsift_scanner *s, const struct view *v, size_t i, size_t end)
{
	const size_t look = sequence_reach(i, end);
	return awaits_sequence(s, v, look) || has_sequence(v, i, look);
}

/* meets_terminal where that may be. */
__attribute__((noinline)) static enum verdict find_terminal(urlsift_scanner *s, const struct view *v, size_t i,
                                                            size_t end)
{
	enum verdict r = NO;
	const size_t look = sequence_reach(i, end), stop = smaller(look, v->end);
	for (size_t k = i; k < stop && r == NO; k++)
		if (BYTE_IN(v->p[k], "\x1b\b"))
			r = enter_terminal(s, v, k, i);
	return r == NO && awaits_sequence(s, v, look) ? MORE : r;
}

/* Whether a sequence may affect what was read from i to `end`: then the terminal is on. */
static inline enum verdict meets_terminal(urlsift_scanner *s, const struct view *v, size_t i, size_t end)
{
	return may_meet_terminal(s, v, i, end) ? find_terminal(s, v, i, end) : NO;
}

/* Continues after a block, so that the next line start is seen. */
static void leave_block(urlsift_scanner *s, const struct view *v, size_t i)
{
	s->search.block.kind = BLOCK_NONE;
	s->search.pos = v->at + i - (byte_before(v->p, i) == '\n');
}

/* Whether a sequence is near the lines of a block from index i to the end of the one at `last`, which may be long and
 * of no block: then the terminal is on, and they are read again. */
static enum verdict block_meets_terminal(urlsift_scanner *s, const struct view *v, size_t i, size_t last)
{
	if (s->in.terminal.on)
		return NO;
	enum verdict r = meets_terminal(s, v, i, byte_index(v->p, last, smaller(v->end, last + SPAN_MAX), '\n'));
	s->search.pos = v->at + i;
	return r;
}

/* A line starts at index i: does a block? */
static enum verdict enter_block(urlsift_scanner *s, const struct view *v, size_t i)
{
	struct block_state state;
	size_t next = i, last = i;
	s->search.more = false;
	const bool begins = block_begins(v, i, &state, &next, &last);
	if (s->search.more)
		return MORE;
	/* without a sequence in the lines that were read it may begin a block */
	const enum verdict met = next != i ? block_meets_terminal(s, v, i, last) : NO;
	if (met != NO) {
		leave_block(s, v, i);
		return met;
	}
	if (begins) {
		s->search.block = state;
		s->search.pos = v->at + next;
	}
	return verdict_of(begins);
}

static enum verdict run_block(urlsift_scanner *s, const struct view *v)
{
	size_t i = (size_t)(s->search.pos - v->at), next = i;
	struct block_state state = s->search.block;
	const enum verdict met = block_meets_terminal(s, v, i, i);
	if (met == YES)
		return YES;
	s->search.more = met == MORE;
	const bool belongs = block_line(v, i, &state, &next);
	if (s->search.more)
		return wait_at(s, v, i);
	s->search.block = state;
	if (!belongs || state.kind == BLOCK_NONE) {
		leave_block(s, v, belongs ? next : i);
		s->search.block_end = s->search.pos;
	} else {
		s->search.pos = v->at + next;
	}
	return YES;
}

static enum verdict read_candidate(urlsift_scanner *s, struct candidate *c, size_t i)
{
	enum { SOON = 128 }; /* with less text most would be read again, for the sake of meets_terminal */
	if (!s->in.terminal.on && !c->v->last && !s->in.flushing && c->v->end - i < SOON)
		return MORE;
	s->search.exceeded.count = 0;
	s->search.more = false;
	const bool found = candidate_read(c, i);
	if (s->link.failed) {
		s->status = URLSIFT_NO_MEMORY;
		return NO;
	}
	if (s->search.more)
		return MORE;
	unsigned shown = 0;
	if (found && !c->swallowed)
		shown = label_read(c->v, s->settings.labels, s->settings.context, &s->link)
		        | warn_of_cut(c->v, link_last_span(&s->link)->to);
	if (s->search.more)
		return MORE;
	if ((found || s->link.reach) && !s->in.terminal.on) {
		link_look(&s->link, c->end);
		enum verdict met = meets_terminal(s, c->v, i, s->link.reach);
		if (met != NO)
			return met;
	}
	if (s->search.exceeded.count && c->v->at + i >= s->search.noticed_to) {
		s->search.noticed_to = c->v->at + i + 1;
		emit_notices(s, c->v);
	}
	if (!found) {
		s->search.pos = c->v->at + i + 1;
		if (c->still_open)
			s->search.unclosed = c->v->at + c->still_open;
	} else if (!c->swallowed) {
		take_link(s, c->v, c->end, shown);
	} else {
		s->search.last_part = c->v->at + c->from;
		s->search.pos = s->search.floor = c->v->at + c->end;
		s->search.shown = false;
	}
	return YES;
}

/* Tries the fast way at the colon at i.  Returns the end of the link, or 0. */
static size_t read_simple(urlsift_scanner *s, struct candidate *c, size_t i)
{
	size_t end = simple_read(c, i);
	if (!end)
		return 0;
	c->cut = (guess_is_near(c->v, end) && simple_may_be_cut(c))
	         || (c->link->reach && !s->in.terminal.on
	             && may_meet_terminal(s, c->v, i, larger(c->link->reach, link_spans(c->link)->to)));
	if (c->cut)
		return 0;
	unsigned shown = 0;
	if (s->settings.context)
		return 0;
	if (c->labelled) {
		if (s->settings.labels || !text_ends(c->v->p, link_spans(c->link)->from, "](") || c->v->p[end] == '[')
			return 0;
		shown = label_read(c->v, false, 0, c->link); /* it looks at nothing after the link */
	}
	c->free = c->measured = false;
	c->path = 0;
	c->last_part = link_spans(c->link)->from;
	take_link(s, c->v, end, shown);
	return c->floor = end;
}

/* The search may have come to where it is watched. */
static inline void note(urlsift_scanner *s)
{
	if (s->search.pos >= s->search.watched)
		scanner_note(s);
}

/* One step of the search.  MORE: it waits for more text; NO: this view is done. */
static enum verdict step(urlsift_scanner *s, struct candidate *c, struct find_state *find, size_t limit)
{
	const struct view *v = c->v;
	if (s->search.block.kind != BLOCK_NONE) {
		note(s);
		return run_block(s, v);
	}
	if (!s->in.started) {
		bool terminal = s->in.terminal.on;
		enum verdict r = enter_block(s, v, 0);
		if (r == MORE)
			return wait_at(s, v, 0);
		s->in.started = s->in.terminal.on == terminal; /* or else the text is searched again from here */
		return YES;
	}
	size_t k, i = (size_t)(s->search.pos - v->at);
	c->floor = index_of(v, s->search.floor);
	c->last_part = index_of(v, s->search.last_part);
	c->free = c->cut = c->guessed = c->measured = false;
	c->path = 0;
	do {
		if (i >= limit || s->status != URLSIFT_OK)
			return NO;
		find->floor = c->floor;
		k = find_next(&s->settings.finder, find, i, limit);
		s->search.pos = v->at + k;
		note(s);
		if (k >= limit)
			return NO;
	} while (v->p[k] == ':' && (i = read_simple(s, c, k)));
	c->unclosed = index_of(v, s->search.unclosed);
	const uint8_t trigger = v->p[k];
	const enum verdict r = BYTE_IN(trigger, "\x1b\b") ? enter_terminal(s, v, k, k)
	                       : BYTE_IN(trigger, "\n=-") ? enter_block(s, v, byte_last(v->p, excess(k, 4), k + 1, '\n'))
	                       : read_candidate(s, c, k);
	if (r == MORE && wait_at(s, v, k) == MORE)
		return MORE;
	if (r != YES) /* else the search continues elsewhere */
		s->search.pos = v->at + k + 1;
	return YES;
}

void scan_window(urlsift_scanner *s, struct view *v)
{
	size_t limit = v->last ? v->end : excess(v->end, FIND_AHEAD);
	struct find_state find;
	struct candidate c; /* step and candidate_read set the rest */
	enum verdict r = YES;
	c.rules = &s->settings.rules;
	c.v = v;
	c.link = &s->link;
	c.terminal = &s->in.terminal;
	c.clear_from = c.clear_to = 0;
	memset(c.known, 0, sizeof c.known);
	v->flowed = s->settings.flowed;
	v->more = &s->search.more;
	bool terminal = s->in.terminal.on;
	s->out.same = !s->in.terminal.used && charset_is_source(s->in.charset);
	s->out.direct = s->out.same && !s->settings.positions && !s->out.link_rules;
	s->in.want = 0;
	find_begin(&find, v->p);
	while (r == YES && s->status == URLSIFT_OK && s->in.terminal.on == terminal)
		r = step(s, &c, &find, limit);
	v->last &= s->in.terminal.on == terminal; /* or else the text is searched again from here */
	if (!s->in.want && !s->in.terminal.on)
		s->in.want = v->at + v->end + s->settings.gather;
	if (s->status == URLSIFT_OK)
		emit_settled(s, v);
}
