#include "colon.h"

#include "bare.h"
#include "bracket.h"
#include "guess.h"
#include "line.h"
#include "text/uclass.h"

#include <string.h>

/* ---- what stands before ---- */

/* Over whitespace; over characters of no width too, where a scheme may be broken. */
static size_t back_over_white(const struct view *v, size_t i, size_t floor)
{
	for (size_t prior; i > floor; i = prior) {
		prior = i - 1;
		if (v->p[prior] < 0x80 ? !is_space(v->p[prior]) : uclass_of(view_before(v, i, &prior)) != UC_SPACE || prior < floor)
			break;
	}
	return i;
}

/* Q1: `<` and a blank at the line start, or behind quote marks. */
static bool is_diff_mark(const struct view *v, size_t open)
{
	struct furniture f;
	size_t start;
	if (!is_blank(v->p[open + 1]) || line_start(v, open, &start) != YES)
		return false;
	furniture_read(v, start, open + 2, &f);
	return f.diff == '<' && f.end > open;
}

/* The end of what stands before i on this line or, where only furniture does, on
 * the line before.  `over_diff`: a `<` may be a diff mark. */
static size_t back_over_break(const struct view *v, size_t i, size_t floor, bool over_diff)
{
	size_t k = back_over_white(v, i, floor), behind = k < i && is_blank(v->p[k]) ? k + 1 : k;
	for (size_t q = k; q < i; q++)
		if (is_line_end(v->p[q]))
			return k;
	if (k > floor && (v->p[k - 1] != '<' || (over_diff && is_diff_mark(v, k - 1))) && furniture_before(v, behind, floor)) {
		while (k > floor && !is_line_end(v->p[k - 1]))
			k--;
		k = back_over_white(v, k, floor);
	}
	return k;
}

/* Back over a break in a scheme, and over a typesetter's hyphen there (H4). */
static size_t back_over_gap(const struct view *v, size_t i, size_t floor)
{
	size_t k = back_over_break(v, i, floor, true), hyphen = k;
	if (k > floor + 1 && v->p[k - 1] == 0xAD)
		hyphen -= v->p[k - 2] == 0xC2 ? 2 : 1;
	else if (k < i && k > floor + 2 && !memcmp(v->p + k - 3, "\xE2\x80\x90", 3))
		hyphen -= 3;
	return hyphen < k ? back_over_break(v, hyphen, floor, true) : k;
}

/* Whether neither white space nor furniture ends right before i, nor a `<` stands there: as
 * most often. */
static bool is_alone(const struct try *t, size_t i)
{
	if (i <= t->reach)
		return true;
	uint8_t c = t->v->p[i - 1];
	if (is_space(c) || c >= 0x80 || c == '<')
		return false;
	return !line_is_mark(c) || (i - 1 > t->reach && line_no_mark(t->v->p + i));
}

/* The `<` that opens before i, whitespace between them allowed (W1); NO for none. */
static enum verdict opening_bracket(const struct try *t, size_t i, bool is_angle, size_t *open)
{
	if (is_alone(t, i))
		return NO;
	size_t k = t->v->p[i - 1] == '<' ? i : back_over_break(t->v, i, t->reach, is_angle);
	if (k <= t->reach || t->v->p[k - 1] != '<')
		return NO;
	*open = k - 1;
	return YES;
}

bool colon_is_word(uint32_t c)
{
	return c < 0x80 ? (is_alnum((uint8_t)c) || c == '_') : uclass_is_word(c);
}

bool colon_has_prefix(const struct view *v, size_t i)
{
	size_t at, prior;
	if (i > v->low && is_blank(v->p[i - 1]))
		i--;
	if (i - v->low < 4 || v->p[i - 1] != ':' || view_word(v, i - 4, "url:", 4) != YES)
		return false;
	at = i - 4;
	return !colon_is_word(view_before(v, at, &prior));
}

/* B1: whether a link may begin where `o` says.  `hier`: its scheme has `//`. */
static bool may_begin(const struct view *v, size_t floor, struct opening *o, bool hier)
{
	uint32_t c = o->before;
	bool suspect = c == '_' || c == '+' || (!hier && (c == '.' || c == '-' || c == '/' || c == '@' || c == ':'));
	if (!suspect)
		return !colon_is_word(c);
	if (c == ':' && colon_has_prefix(v, o->begin))
		return true;
	if (furniture_before(v, o->begin, floor))
		return true;
	o->must_close = true; /* B6 decides at the end */
	return o->marks > 0;
}

/* ---- a colon ---- */

struct name {
	size_t begin, run; /* of the run of its characters */
	const struct scheme *row;
	bool known, overlong;
};

/* B10: a word glued before one of these makes no link. */
static bool is_glued(const uint8_t *p, size_t n)
{
	static const struct { char name[7]; uint8_t length; } heads[] = {{"http", 4}, {"https", 5}, {"ftp", 3}, {"gopher", 6}, {"telnet", 6}};
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		size_t k = heads[i].length, m = 0;
		if (n <= k || !is_alnum(p[n - k - 1]))
			continue;
		while (m < k && to_lower(p[n - k + m]) == (uint8_t)heads[i].name[m])
			m++;
		if (m == k)
			return true;
	}
	return false;
}

/* The longest known name with `//` that stands behind a `.` or `-` of the run. */
static bool known_suffix(const uint8_t *p, size_t begin, size_t colon, struct name *name)
{
	for (size_t q = begin + 1; q < colon; q++) {
		if (p[q - 1] != '.' && p[q - 1] != '-')
			continue;
		const struct scheme *row = scheme_find((const char *)p + q, colon - q);
		if (row && row->slashes) {
			*name = (struct name){q, name->run, row, true, name->overlong};
			return true;
		}
	}
	return false;
}

/* The scheme whose colon is at i (B1, B10).  NO when none could be meant. */
static enum verdict name_read(const struct try *t, size_t i, bool hier, struct name *name)
{
	const uint8_t *p = t->v->p;
	size_t k = i;
	while (k > t->past->floor && i - k <= SCHEME_NAME_MAX && is_scheme_byte(p[k - 1]))
		k--;
	view_work(t->v, i - k);
	*name = (struct name){k, k, NULL, false, i - k > SCHEME_NAME_MAX};
	while (k < i && !is_alpha(p[k]))
		k++;
	name->begin = k;
	if (k == i)
		return NO;
	if (!name->overlong) {
		bool prefix = i - k == 3 && view_word(t->v, k, "url", 3) == YES; /* P1: no scheme */
		name->row = prefix ? NULL : scheme_find((const char *)p + k, i - k);
		name->known = name->row;
		if (name->known)
			return k > t->past->floor && is_digit(p[k - 1]) ? NO : YES;
	}
	if (!hier)
		return NO;
	if (known_suffix(p, k, i, name))
		return YES;
	return name->overlong || is_glued(p + k, i - k) ? NO : YES;
}

/* `content` is where the wrapper's content begins, behind `URL:`. */
static enum verdict brackets(const struct try *t, size_t open, size_t content, bool is_angle)
{
	struct bracket at = {.open = open, .content = is_angle ? open + 1 : content, .url = content - 4, .floor = t->past->floor,
	                     .last_part = t->past->last_part, .angle = is_angle};
	return bracket_read(t->rules, t->v, &at, t->link, &t->found->end);
}

/* `URL` stands before the colon at i. */
static bool is_prefix(const struct try *t, size_t i)
{
	return i >= t->past->floor + 3 && to_lower(t->v->p[i - 1]) == 'l' && view_word(t->v, i - 3, "url", 3) == YES;
}

/* <URL:...> and its like: i is at the colon. */
static enum verdict wrapper(const struct try *t, size_t i)
{
	size_t open;
	if (opening_bracket(t, i - 3, false, &open) != YES)
		return NO;
	return brackets(t, open, i + 1, false);
}

/* Whether a scheme may go on behind a gap at i. */
static bool has_gap(const struct try *t, size_t i)
{
	return !is_alone(t, i) && t->v->p[i - 1] != '<';
}

/* A scheme whose last piece is [begin, i), put together with the one before. */
static enum verdict put_together(const struct try *t, size_t i, size_t begin, bool hier)
{
	const uint8_t *p = t->v->p;
	char whole[SCHEME_NAME_MAX];
	if (!has_gap(t, begin))
		return NO;
	size_t k = back_over_gap(t->v, begin, t->reach), head = k, open;
	while (head > t->reach && k - head < sizeof whole && is_scheme_byte(p[head - 1]))
		head--;
	while (head < k && !is_alpha(p[head]))
		head++;
	if (k == begin || head == k || k - head + i - begin > sizeof whole)
		return NO;
	if (opening_bracket(t, head, true, &open) != YES || is_diff_mark(t->v, open))
		return NO;
	memcpy(whole, p + head, k - head);
	memcpy(whole + (k - head), p + begin, i - begin);
	if (!scheme_find(whole, k - head + i - begin) && !hier)
		return NO;
	return brackets(t, open, head, true);
}

/* W7 in plain brackets: `<java` line break `script:...>`, whose scheme is known
 * only when put together; any that has `//` may be broken before its colon.  What
 * stands before the last piece may be its own or furniture: `+`, `-`. */
static enum verdict broken_scheme(const struct try *t, size_t i, const struct name *name, bool hier)
{
	enum verdict r = put_together(t, i, name->run, hier && !name->known);
	return r != NO || name->known || name->run == name->begin ? r : put_together(t, i, name->begin, hier);
}

static enum verdict angle(const struct try *t, size_t begin)
{
	size_t open;
	if (opening_bracket(t, begin, true, &open) != YES || is_diff_mark(t->v, open))
		return NO;
	return brackets(t, open, begin, true);
}

/* The scheme may end in a break, or with one behind its colon or first slash:
 * only brackets hold such a link. */
static enum verdict broken(const struct try *t, size_t i)
{
	struct name name;
	name_read(t, i, true, &name);
	enum verdict r = name.begin < i ? angle(t, name.begin) : NO;
	return r != NO || name.known ? r : broken_scheme(t, i, &name, true);
}

/* Whether the `//` behind the colon at i is broken. */
static enum verdict is_broken(const struct view *v, size_t i)
{
	if (v->p[i + 1] != '/')
		return is_line_end(v->p[i + 1]) || v->p[i + 1] >= 0x80 ? YES : NO;
	if (i + 2 >= v->end)
		return v->last ? NO : MORE;
	return is_space(v->p[i + 2]) || v->p[i + 2] >= 0x80 ? YES : NO;
}

/* Where a link has been read as bare: convention, scheme, flags. */
static void dress(const struct try *t, const struct opening *o, const struct name *name, size_t colon)
{
	struct urlsift_link *l = t->link;
	link_set_scheme(l, (const char *)t->v->p + name->begin, colon - name->begin);
	l->flags |= name->row ? (name->row->forbidden ? URLSIFT_UNLINKABLE_SCHEME : 0) : URLSIFT_UNKNOWN_SCHEME;
	if (colon_has_prefix(t->v, o->begin))
		l->convention = URLSIFT_CONV_PREFIX;
}

/* B10: a scheme that is never linked takes what follows up to B3's end, and
 * yields nothing. */
static enum verdict swallow(const struct try *t, size_t begin, size_t i)
{
	struct extent rest;
	extent_init(&rest, i, i, URL_MAX);
	rest.swallow = true;
	if (extent_run(&rest, t->v) == MORE)
		return MORE;
	t->found->end = rest.at;
	t->found->from = begin;
	t->found->link = false;
	return YES;
}

/* B2 once more, for the text as it ended: `cid:a@` is none. */
static bool is_whole(const struct try *t, size_t body, const struct scheme *row, bool delimited)
{
	struct view text = *t->v;
	struct body b;
	text.p = t->link->text;
	text.low = 0;
	text.end = t->link->length;
	text.first = text.last = true;
	return body_whole(&text, body, row, delimited, &b);
}

/* Outside brackets, from the scheme on. */
static enum verdict bare(const struct try *t, const struct name *name, size_t colon, size_t slashes)
{
	struct opening o;
	struct body b;
	struct extent x = {0};
	bool forbidden = name->row && name->row->forbidden;
	opening_read(t->v, name->begin, &o);
	if (!may_begin(t->v, t->past->floor, &o, slashes > 0) || (o.must_close && o.begin < t->past->unclosed))
		return NO;
	bool maybe_quoted = o.before == '"' || o.before == '\'' || o.before >= 0x80;
	enum verdict r = body_check(t->v, colon + 1, name->row, maybe_quoted, &o, &b);
	if (r == YES)
		r = bare_read(t->rules, t->v, &o, &b, colon + 1 + slashes, t->link, &x);
	if (r == MORE)
		return MORE;
	if (r == NO && o.must_close) {
		t->found->unclosed = x.at;
		return NO;
	}
	bool delimited = r == YES && t->link->convention == URLSIFT_CONV_QUOTED;
	if (forbidden && !delimited)
		return swallow(t, name->begin, colon + 1);
	if (r == NO)
		return NO;
	if (!b.hier && !forbidden && !is_whole(t, colon + 1 - o.begin, name->row, delimited)) {
		if (!(t->link->flags & URLSIFT_JOIN_IS_DECLARED))
			return NO;
		struct rules rules = *t->rules; /* the first line alone, then */
		rules.join = URLSIFT_JOIN_NEVER;
		if (bare_read(&rules, t->v, &o, &b, colon + 1, t->link, &x) != YES || !is_whole(t, colon + 1 - o.begin, name->row, false))
			return NO;
	}
	t->found->end = x.end;
	dress(t, &o, name, colon);
	return guess_join(t->rules, t->v, &o, &x, t->link, &t->found->end);
}

enum verdict colon_read(const struct try *t, size_t i)
{
	bool prefix = is_prefix(t, i);
	enum verdict r = prefix ? wrapper(t, i) : NO;
	if (r != NO)
		return r;
	if (i + 1 >= t->v->end)
		return t->v->last ? NO : MORE;
	if (is_space(t->v->p[i + 1]) && !is_line_end(t->v->p[i + 1]))
		return NO;
	r = is_broken(t->v, i);
	if (r == YES)
		r = broken(t, i);
	if (r != NO || is_line_end(t->v->p[i + 1]))
		return r;
	size_t slashes;
	r = body_slashes(t->v, i + 1, &slashes);
	if (r == MORE)
		return MORE;
	if (prefix && !slashes && !has_gap(t, i - 3) && (i == t->past->floor + 3 || !is_scheme_byte(t->v->p[i - 4])))
		return NO; /* P1: no scheme */
	struct name name;
	if (name_read(t, i, slashes > 0, &name) != YES) {
		/* A1 takes any scheme with `//` */
		r = slashes && !name.known ? angle(t, name.begin) : NO;
		return r != NO || name.known ? r : broken_scheme(t, i, &name, slashes > 0);
	}
	if (i - name.begin == 3 && view_word(t->v, name.begin, "url", 3) == YES)
		return NO; /* P1: no scheme */
	if (!name.known || name.run < name.begin) {
		r = broken_scheme(t, i, &name, slashes > 0);
		if (r != NO)
			return r;
	}
	r = angle(t, name.begin);
	if (r == NO && name.run < name.begin)
		r = angle(t, name.run);
	if (r != NO)
		return r;
	return bare(t, &name, i, slashes);
}
