#include "refang.h"

#include <string.h>

/* THE table of forms, letter case aside.  One that begins with another is before it. */
static const struct refang_form forms[] = {
	{ "hxxp", "http" }, { "hxtp", "http" }, { "htxp", "http" }, { "h**p", "http" }, { "fxp", "ftp" },
	{ "[://]", "://" }, { "[:]", ":" }, { "[/]", "/" },
	{ "[.]", "." }, { "(.)", "." }, { "{.}", "." }, { "<.>", "." }, { "[.", "." },
	{ "[dot]", "." }, { "(dot)", "." }, { "{dot}", "." },
	{ "[@]", "@" }, { "(@)", "@" }, { "{@}", "@" }, { "[at]", "@" }, { "(at)", "@" }, { "{at}", "@" },
};

static bool is_scheme(const struct refang_form *f) { return is_alpha((uint8_t)*f->to); }

/* Whether it has one bracket of two: only within a name. */
static bool is_half(const struct refang_form *f) { return !f->from[2]; }

enum { NAME = BYTE_ALNUM | BYTE_HIGH | BYTE_UNDERSCORE };

/* Whether what must follow the form does: the colon of a scheme, the rest of a name that no bracket closes. */
static enum verdict is_followed(const struct refang_form *f, const uint8_t *p, size_t n, bool last)
{
	enum { MOST = 64 };
	const size_t begin = strlen(f->from);
	size_t i = begin;
	if (is_scheme(f)) {
		i += to_lower(byte_at(p, i, n)) == 's';
		i += byte_at(p, i, n) == '[';
	} else if (is_half(f)) {
		i = byte_span(p, i, smaller(n, MOST), NAME | BYTE_STOP | BYTE_HYPHEN);
	} else {
		return YES;
	}
	if (i >= n && !last)
		return MORE;
	const uint8_t next = byte_at(p, i, n);
	return verdict_of(is_scheme(f) ? next == ':' : i < MOST && next != ']' && byte_class[byte_at(p, begin, n)] & NAME);
}

enum verdict refang_form_at(const uint8_t *p, size_t n, bool last, const struct refang_form **form)
{
	enum verdict r = NO;
	for (const struct refang_form *f = forms; r == NO && f < forms + sizeof forms / sizeof *forms; f++) {
		*form = f;
		size_t i = 0;
		while (i < n && f->from[i] && to_lower(p[i]) == (uint8_t)f->from[i])
			i++;
		if (!f->from[i])
			r = is_followed(f, p, n, last);
		else if (i == n && !last)
			r = MORE;
	}
	return r;
}

bool refang_may_follow(const struct refang_form *form, uint8_t before)
{
	return is_half(form) ? (byte_class[before] & NAME) != 0 : !is_scheme(form) || !is_alnum(before);
}

uint8_t refang_byte(const struct refang_form *form, const uint8_t *p, size_t k, size_t *taken)
{
	size_t n = strlen(form->to), brackets = strlen(form->from) - n;
	*taken = 1;
	if (is_scheme(form)) {
		uint8_t to = (uint8_t)form->to[k];
		if (to_lower(p[k]) == to)
			return p[k];
		/* hXXp is http */
		return p[0] < 'a' && p[k] < 'a' ? (uint8_t)(to - 'a' + 'A') : to;
	}
	if (n == 1)
		*taken = brackets + 1;
	else if (k == 0 || k == n - 1)
		*taken = 2;
	return (uint8_t)form->to[k];
}

static uint8_t to_upper(uint8_t c) { return is_alpha(c) ? c - 'a' + 'A' : c; }

void refang_pairs_init(struct refang_pairs *pairs)
{
	memset(pairs, 0, sizeof *pairs);
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		uint8_t bit = (uint8_t)(1u << i % 8), a = (uint8_t)forms[i].from[0], b = (uint8_t)forms[i].from[1];
		pairs->first[a] |= bit;
		pairs->second[b] |= bit;
		pairs->first[to_upper(a)] |= bit;
		pairs->second[to_upper(b)] |= bit;
	}
}

size_t refang_find(const struct refang_pairs *pairs, const uint8_t *p, size_t i, size_t n, bool last)
{
	const struct refang_form *form;
	for (; i + 1 < n; i++)
		if (pairs->first[p[i]] & pairs->second[p[i + 1]] && refang_form_at(p + i, n - i, last, &form) != NO)
			return i;
	return !last && pairs->first[p[i]] ? i : n;
}

size_t refang_text(const struct refang_pairs *pairs, uint8_t *text, size_t n, bool *changed)
{
	size_t out = 0;
	*changed = false;
	for (size_t i = 0, next, taken; i < n;) {
		const struct refang_form *form;
		next = refang_find(pairs, text, i, n, true);
		memmove(text + out, text + i, next - i);
		out += next - i;
		i = next;
		if (i == n)
			continue;
		refang_form_at(text + i, n - i, true, &form);
		if (!refang_may_follow(form, byte_before(text, out))) {
			text[out++] = text[i++];
			continue;
		}
		uint8_t copy[REFANG_LONGEST];
		memcpy(copy, text + i, strlen(form->from));
		for (size_t k = 0; form->to[k]; k++, i += taken)
			text[out++] = refang_byte(form, copy, k, &taken);
		*changed = true;
	}
	return out;
}
