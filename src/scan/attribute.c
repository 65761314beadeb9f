#include "label.h"
#include "scanner.h"

#include "simd/runs.h"

#include <string.h>

_Static_assert((int)EMBED_PAD >= (int)FIND_AHEAD, "the padding is what the finder reads past the end");

/* Copies the value without the white space around it and the tabs and line ends inside it.  Returns the length of the
 * text before the first of these, or SIZE_MAX. */
static size_t take_text(struct urlsift_link *l, const uint8_t *p, size_t n)
{
	size_t first = SIZE_MAX, i = 0;
	ascii_trim(p, &i, &n);
	while (i < n) {
		size_t from = i;
		i = run_until_break(p, i, n);
		l->failed |= !link_convert(&l->copy, p + from, i - from);
		if (i == n)
			break;
		l->removed.breaks++;
		first = smaller(first, l->copy.length);
		i = byte_span(p, i, n, BYTE_HTAB | BYTE_LINE_END);
	}
	l->text = l->copy.data;
	l->length = l->copy.length;
	l->flags |= bits_if(l->removed.breaks, URLSIFT_JOINED);
	return first;
}

/* Replaces defanged forms in place, if the scanner reads them; returns the new length. */
static size_t refang(const urlsift_scanner *s, uint8_t *text, size_t n, bool *changed)
{
	*changed = false;
	return s->settings.rules.refang ? refang_text(&s->in.terminal.pairs, text, n, changed) : n;
}

static bool is_web(const char *scheme, size_t n)
{
	return text_is_among(scheme, n, "https http ftp");
}

/* As browsers read a URL of the web: a backslash before the query is a slash. */
static void read_backslashes(struct urlsift_link *l)
{
	uint8_t *text = l->copy.data;
	size_t i = run_until(text, 0, l->length, '\\'); /* there is hardly one */
	const size_t end = i < l->length ? byte_until(text, 0, l->length, "?#") : 0;
	for (; i < end; i = run_until(text, i, end, '\\')) {
		text[i] = '/';
		l->flags |= URLSIFT_UNESCAPED;
	}
}

static size_t count_slashes(const struct urlsift_link *l, size_t at)
{
	return byte_run(l->text, at, l->length, '/') - at;
}

/* After the schemes of the web, browsers read any slashes, or none, as two: so does this.  `n` is the length of the
 * scheme and its colon, 0 for a text without them. */
static void set_slashes(struct urlsift_link *l, size_t n)
{
	size_t slashes = count_slashes(l, n), i = n + slashes, length = l->length;
	if (i == length || slashes == 2)
		return;
	if (!buf_reserve(&l->copy, 2)) {
		l->failed = true;
		return;
	}
	uint8_t *text = l->copy.data;
	memmove(text + n + 2, text + i, length - i);
	text[n] = text[n + 1] = '/';
	l->text = text;
	l->length = l->copy.length = n + 2 + length - i;
	l->flags |= URLSIFT_UNESCAPED;
}

/* Whether the text is a link; sets its scheme and flags. */
static bool judge(urlsift_scanner *s, struct urlsift_link *l, const char *supplied, size_t first_removed)
{
	const struct rules *rules = &s->settings.rules;
	size_t n = 0;
	if (*supplied) {
		l->supplied = supplied;
		link_set_scheme(l, supplied, strcspn(supplied, ":"));
	} else if ((n = scheme_prefix(l->text, l->length)) > 0) {
		bool empty = text_is_among(l->text + n, l->length - n, ": ://");
		if (empty || n > SCHEME_NAME_MAX)
			return false;
		link_set_scheme(l, (const char *)l->text, n);
		if (is_web(l->scheme, l->scheme_length)) {
			read_backslashes(l);
			/* what starts with the scheme of the base and not with two slashes is relative to it */
			const bool partial = count_slashes(l, n + 1) < 2 && rules->base_length > n && rules->base[n] == ':'
			                     && !memcmp(rules->base, l->scheme, n);
			if (!partial)
				set_slashes(l, n + 1);
			else
				link_resolve(l, n + 1, rules->base, rules->base_length);
		}
		l->flags |= bits_if(first_removed <= n, URLSIFT_SCHEME_JOINED);
	} else {
		if (is_web(rules->base, scheme_prefix((const uint8_t *)rules->base, rules->base_length))) {
			read_backslashes(l);
			if (count_slashes(l, 0) > 2)
				set_slashes(l, 0);
		}
		if (!rules->base)
			return false;
		link_resolve(l, 0, rules->base, rules->base_length);
	}
	if (!s->last_row || strcmp(s->last_row->name, l->scheme) != 0) /* mostly that of the link before */
		s->last_row = scheme_find(l->scheme, l->scheme_length);
	link_judge_scheme(l, s->last_row);
	return true;
}

enum attribute_result scanner_attribute(urlsift_scanner *s, const struct attribute *a, const urlsift_link **link)
{
	struct urlsift_link *l = &s->link;
	link_clear(l);
	l->text_warnings = 0;
	l->failed = false;
	*link = NULL;
	if (a->length > SPAN_MAX)
		return ATTRIBUTE_TOO_LONG;
	size_t first_removed = take_text(l, a->text, a->length);
	bool changed;
	l->length = l->copy.length = refang(s, l->copy.data, l->length, &changed);
	l->flags |= bits_if(changed, URLSIFT_REFANGED);
	bool is_link = within(l->length, 1, s->settings.rules.max_url) && judge(s, l, a->supplied, first_removed);
	if (l->failed)
		return ATTRIBUTE_NO_MEMORY;
	if (l->length > s->settings.rules.max_url) /* perhaps with the slashes that were missing */
		return ATTRIBUTE_TOO_LONG;
	if (!is_link)
		return ATTRIBUTE_NONE;
	l->convention = a->convention;
	scanner_place(s, l, &a->where);
	l->around.label = a->label;
	l->around.raw = true;
	l->around.before = a->before;
	l->around.after = a->after;
	l->around.raw_lines = a->lines;
	l->around.known = a->label.bytes;
	l->text_warnings = a->shown_length ? mismatch_shown(a->shown, a->shown_length, l) : 0;
	*link = l;
	return ATTRIBUTE_LINK;
}

size_t scanner_refang(const urlsift_scanner *s, uint8_t *text, size_t n)
{
	bool changed;
	return refang(s, text, n, &changed);
}

bool link_failed(const urlsift_link *link)
{
	return link->failed;
}

void scanner_place(urlsift_scanner *s, const urlsift_link *link, const struct placement *where)
{
	struct urlsift_link *l = link == &s->ruled ? &s->ruled : &s->link;
	l->placed = (struct places){where->ranges, where->count};
	l->point = where->point;
	l->flags |= where->flags;
	const uint8_t *label = (const uint8_t *)where->label.bytes;
	if (!where->label.length)
		return;
	l->text_warnings = mismatch_shown(label, where->label.length, l);
	if (s->settings.labels) {
		if (!l->around.known)
			label_begin(&l->around);
		label_set(&l->around, label, where->label.length);
	}
}

bool scanner_is_quiet(const urlsift_scanner *s, const uint8_t *p, size_t n)
{
	struct find_state find;
	find_begin(&find, p);
	return !n || (!s->settings.rules.refang && !s->out.link_rules && find_next(&s->settings.finder, &find, 0, n) == n);
}

urlsift_text scanner_base(const urlsift_scanner *s)
{
	const struct scanner_settings *set = &s->settings;
	return (urlsift_text){text_or(set->base, ""), set->base_length};
}

uint64_t scanner_source_out(const urlsift_scanner *s) { return s->out.source; }
