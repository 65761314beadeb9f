#include "url.h"

#include "text/unicode.h"
#include "unicode_script_table.h"

/* Properties of a label. */
struct look {
	unsigned shared;   /* a bit for each of the scripts that may share a label */
	unsigned other;    /* another script, 0 for none */
	bool mixed;
	bool plain;        /* ASCII only */
	bool alike;        /* every character looks like an ASCII letter, or belongs to no script */
	bool latin;        /* every character beyond ASCII is a Latin letter that looks like an ASCII one */
	bool ascii, stroke; /* of the last character: it is ASCII; a stroke after such a one */
	unsigned warnings; /* for single characters */
};

/* Where the list has the character; `count` for nowhere.  Linear: the tables are short, and characters beyond ASCII in
 * hosts rare. */
static size_t find_in(const uint16_t *list, size_t count, uint32_t cp)
{
	size_t i = 0;
	while (i < count && list[i] != cp)
		i++;
	return i;
}

static bool is_among(const uint16_t *list, size_t count, uint32_t cp) { return find_in(list, count, cp) < count; }

static bool changes(uint32_t cp)
{
	for (size_t i = 0; i < sizeof host_changes / sizeof *host_changes && host_changes[i][0] <= cp; i++)
		if (cp <= host_changes[i][1])
			return true;
	return false;
}

bool lookalike_ends_host(uint32_t cp)
{
	return is_among(alike_marks, sizeof alike_marks / sizeof *alike_marks, cp) || changes(cp);
}

#ifndef URLSIFT_TEXTS_ONLY /* its links are not explained */
char lookalike_ascii(uint32_t cp)
{
	enum { LETTERS = sizeof alike_letters / sizeof *alike_letters, MARKS = sizeof alike_marks / sizeof *alike_marks };
	const size_t letter = find_in(alike_letters, LETTERS, cp), mark = find_in(alike_marks, MARKS, cp);
	if (letter < LETTERS)
		return alike_ascii[letter];
	return mark < MARKS ? alike_marks_ascii[mark] : '\0';
}
#endif

static void look_at(struct look *l, uint32_t cp)
{
	/* kana and ideographs that look like a slash between ASCII characters */
	static const uint16_t strokes[] = { 0x30CE, 0x30BD, 0x30BE, 0x30F3, 0x4E36, 0x4E3F };
	l->warnings |= bits_if(l->stroke && cp < 0x80, URLSIFT_WARN_CONFUSABLE);
	l->stroke = l->ascii && is_among(strokes, sizeof strokes / sizeof *strokes, cp);
	l->ascii = cp < 0x80;
	if (cp < 0x80) {
		const bool letter = is_alpha((uint8_t)cp);
		l->shared |= bits_if(letter, 1u << SCRIPT_LATIN);
		l->alike &= !letter;
		return;
	}
	const uint32_t *run = script_runs;
	for (size_t count = sizeof script_runs / sizeof *script_runs, half; count > 1; count -= half) {
		half = count / 2;
		run += half & -(size_t)(run[half] >> 8 <= cp);
	}
	unsigned script = *run & 0xff;
	if (script > SCRIPT_HANGUL) {
		l->mixed |= l->other && l->other != script;
		l->other = script;
	} else if (script != SCRIPT_COMMON) {
		l->shared |= 1u << script;
	}
	l->plain = false;
	const bool alike = is_among(alike_letters, sizeof alike_letters / sizeof *alike_letters, cp);
	l->alike &= alike;
	l->latin &= alike && script == SCRIPT_LATIN;
	const bool mark = is_among(alike_marks, sizeof alike_marks / sizeof *alike_marks, cp);
	l->warnings |= bits_if(mark, URLSIFT_WARN_CONFUSABLE) | bits_if(changes(cp), URLSIFT_WARN_HOST_CHANGES);
}

static struct look look_at_label(const uint8_t *p, size_t n)
{
	struct look l = {.plain = true, .alike = true, .latin = true};
	uint32_t points[IDNA_LABEL_MAX];
	size_t count;
	if (ascii_opens(p, n, "xn--")) {
		if (!idna_decode_label(p, n, points, &count)) {
			l.warnings = URLSIFT_WARN_HOST_CHANGES;
			return l;
		}
		for (size_t i = 0; i < count; i++)
			look_at(&l, points[i]);
	} else {
		uint32_t cp;
		for (size_t i = 0; i < n; look_at(&l, cp))
			i += utf8_next(p + i, n - i, &cp);
	}
	l.warnings |= bits_if(l.latin && !l.plain, URLSIFT_WARN_CONFUSABLE);
	l.warnings |= bits_if(n > IDNA_LABEL_MAX && l.plain, URLSIFT_WARN_HOST_CHANGES);
	return l;
}

static bool mixes(const struct look *l)
{
	static const unsigned may_share[] = {
		1u << SCRIPT_LATIN | 1u << SCRIPT_HAN | 1u << SCRIPT_HIRAGANA | 1u << SCRIPT_KATAKANA,
		1u << SCRIPT_LATIN | 1u << SCRIPT_HAN | 1u << SCRIPT_HANGUL,
		1u << SCRIPT_LATIN | 1u << SCRIPT_HAN | 1u << SCRIPT_BOPOMOFO,
	};
	if (l->mixed || (l->other && l->shared))
		return true;
	for (size_t i = 0; i < sizeof may_share / sizeof *may_share; i++)
		if (!(l->shared & ~may_share[i]))
			return false;
	return true;
}

/* The length of the dot at p, 0 where there is none. */
static size_t dot_at(const uint8_t *p, size_t n)
{
	uint32_t cp;
	size_t k = utf8_next(p, n, &cp);
	return idna_is_dot(cp) ? k : 0;
}

unsigned lookalike_host(const uint8_t *host, size_t length)
{
	unsigned warnings = 0, alike = 0, last = 0;
	bool any = false, differ = false; /* labels that look like ASCII: some, of two scripts */
	for (size_t i = 0, n; i < length; i += n ? n : dot_at(host + i, length - i)) {
		const uint8_t *p = host + i;
		uint32_t cp;
		for (n = 0; i + n < length && !dot_at(p + n, length - i - n);)
			n += utf8_next(p + n, length - i - n, &cp);
		struct look l = look_at_label(p, n);
		last = n ? l.other : last;
		warnings |= l.warnings;
		const bool mixed = mixes(&l);
		warnings |= bits_if(mixed, URLSIFT_WARN_MIXED_SCRIPT);
		if (!mixed && l.alike && !l.plain) {
			differ |= any && l.other != alike;
			alike = l.other;
			any = true;
		}
	}
	/* the last label that is not empty has a script that the other labels may use */
	return warnings | bits_if(differ || (any && alike != last), URLSIFT_WARN_CONFUSABLE);
}
