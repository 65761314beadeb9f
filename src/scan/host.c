#include "extent.h"

#include "line.h"
#include "refang.h"
#include "simd/runs.h"
#include "simd/simd.h"
#include "text/unicode.h"
#include "url/url.h"

#include <string.h>

bool host_may_hold(uint32_t cp)
{
	return (1u << UC_PLAIN | 1u << UC_CJK) >> uclass_of(cp) & 1;
}

bool host_ends_before(uint32_t cp) { return uclass_of(cp) == UC_CJK || uclass_is_symbol(cp); }

bool host_goes_back_high(uint32_t cp, uint8_t next)
{
	return host_may_hold(cp) && !(host_ends_before(cp) && is_alnum(next));
}

/* B12: the end of the host, whose last label begins at `label` with ASCII up to `ascii`.  An ASCII top-level domain, or
 * the last number of an IPv4 address, ends before CJK letters or symbols that follow it. */
static size_t cut_before_foreign(const struct view *v, size_t label, size_t ascii, size_t end)
{
	const uint8_t *p = v->p;
	uint32_t cp;
	if (ascii == label || ascii == end)
		return end;
	utf8_next(p + ascii, end - ascii, &cp);
	const bool ends = byte_span(p, label, ascii, BYTE_DIGIT) == ascii || tld_known(p + label, ascii - label);
	return ends && host_ends_before(cp) ? ascii : end;
}

enum { BEYOND = 1 << 16, ESCAPED = 1 << 17 }; /* classes beside URL_UNDERSCORE: not ASCII, percent-encoded or of roff */

/* B2: whether the character cp of `width` bytes at i is a full stop of CJK (RFC 3490 section 3.1) in the host that
 * began at `begin`: a label is before it that is no top-level domain, and ASCII after it leads to one. */
static bool is_wide_dot(const struct view *v, size_t begin, size_t i, size_t width, uint32_t cp)
{
	enum { MOST = 8 }; /* full stops that are looked at */
	const uint8_t *p = v->p;
	const size_t label = byte_last(p, begin, i, '.');
	size_t last = i, end = i;
	for (int n = 0;
	     n < MOST && idna_is_dot(cp) && !BYTE_IN(p[end - 1], "-.") && is_alnum(view_read(v, end + width)); n++) {
		last = end + width;
		end = run_host(p, last, smaller(v->end, last + HOST_MAX));
		view_needs(v, end, 1); /* else the full stop is the last */
		end -= p[end - 1] == '.';
		width = view_character(v, end, &cp);
	}
	last = byte_last(p, last, end, '.');
	return i > begin && tld_known(p + last, end - last) && view_read(v, end) != '_' && !tld_known(p + label, i - label);
}

/* Reads what is at *i, no URL_HOST byte, of the host that began at `begin`, and adds its class to *kinds.  False: the
 * host ends there. */
static bool take_special(const struct view *v, size_t begin, size_t *i, bool escapes, unsigned *kinds)
{
	enum { RULER_LEAST = 8 };
	size_t width = 1;
	unsigned kind = ESCAPED;
	bool takes;
	const uint8_t c = view_read(v, *i);
	if (c == '_') { /* B3: a ruler of them runs to the end of the line */
		const size_t end = byte_run(v->p, *i, smaller(v->end, *i + LINE_LOOK), '_');
		kind = URL_UNDERSCORE;
		takes = *i == begin || (view_has(v, end, 1) && !is_line_end(v->p[end])) || end - *i < RULER_LEAST;
	} else if (escapes && c == '%') { /* B2: of a host byte, all of which are ASCII */
		view_needs(v, *i, 3);
		const int byte = hex_escape(v->p + *i, v->p + v->end);
		width = 3;
		takes = byte >= 0 && url_class[byte] & (URL_HOST | URL_UNDERSCORE);
	} else if (escapes && c == '\\') { /* B2: of roff */
		link_needs_mark(v, *i);
		width = link_read_name(v->p + *i, v->end - *i);
		takes = width;
	} else if (c < 0x80) {
		return false;
	} else {
		uint32_t cp;
		width = view_character(v, *i, &cp);
		kind = BEYOND;
		takes = (host_may_hold(cp) && !extent_between(v, *i, width, cp))
		        || (escapes && is_wide_dot(v, begin, *i, width, cp));
	}
	if (takes) {
		*kinds |= kind;
		*i += width;
	}
	return takes;
}

/* The end of the host in the run, without emphasis marks, hyphens and full stops at its end; a single full stop before
 * a port or path stays.  False: more full stops are before a path. */
static bool host_trim(const struct view *v, size_t begin, size_t run, uint8_t mark, size_t *end)
{
	size_t k = byte_run_back(v->p, begin, run, mark); /* no host has a 0 */
	k = byte_span_back(v->p, begin, k, BYTE_STOP | BYTE_HYPHEN);
	*end = k;
	if (run >= v->end || v->p[k] != '.')
		return true;
	uint8_t next = v->p[run];
	if (run == k + 1 && (ends_authority(next) || BYTE_IN(next, ":\\") || line_soft_break(v, run)))
		*end = run;
	return !ends_authority(next) || v->p[k + 1] != '.';
}

/* B2: where the run ends: before dots after a top-level domain that a letter follows (`www.a.com...Click`), else at
 * `run`. */
static size_t end_before_dots(const struct view *v, size_t begin, size_t run)
{
	const uint8_t *p = v->p;
	for (size_t i = begin + 2; i < run; i += 3) { /* one of three dots in a row */
		if (p[i] != '.')
			continue;
		size_t dots = byte_span_back(p, begin, i, BYTE_STOP), next = byte_span(p, i, run, BYTE_STOP);
		if (next - dots < 3)
			continue;
		size_t label = byte_span_back(p, begin, dots, BYTE_BUT(BYTE_STOP));
		return label > begin && is_alpha(byte_at(p, next, run)) && tld_known(p + label, dots - label) ? dots : run;
	}
	return run;
}

/* Whether the host is too long as UTF-8, in which a byte of windows-1252 is a character of two. */
static bool is_too_long(const struct view *v, size_t begin, size_t end)
{
	uint32_t cp;
	size_t most = HOST_MAX;
	for (size_t i = begin, n; i < end && end - begin <= most; i += n)
		if ((n = utf8_next(v->p + i, end - i, &cp)) == 1 && cp >= 0x80)
			most--;
	return end - begin > most;
}

static bool read_host(const struct view *v, size_t begin, uint8_t mark, bool escapes, struct host *h)
{
	const size_t stop = smaller(v->end, begin + HOST_MAX + 5);
	size_t run = begin, end;
	unsigned kinds = 0; /* the classes of its bytes, or-ed */
	*h = (struct host){0};
	do {
		run = run_host(v->p, run, larger(run, stop)); /* the last character may end after it */
		if (run - begin > HOST_MAX + 4)
			return false;
	} while (take_special(v, begin, &run, escapes, &kinds));
	if (!host_trim(v, begin, end_before_dots(v, begin, run), mark, &end)
	    || (kinds & BEYOND ? is_too_long(v, begin, end) : end - begin > HOST_MAX))
		return false;
	const uint8_t *p = v->p;
	size_t i = begin, label; /* the last one */
	do {
		label = i;
		i = run_until(p, label, end, '.');
		if (i == label || p[label] == '-' || p[i - 1] == '-')
			return false;
		h->labels++;
	} while (++i < end);
	const size_t ascii = label + ascii_prefix(p + label, end - label);
	h->end = h->labels < 2 ? end : cut_before_foreign(v, label, ascii, end);
	/* B11; a line to fill in, without a letter or digit */
	if (kinds & URL_UNDERSCORE && ((h->labels > 1 && memchr(p + label, '_', h->end - label))
	                               || byte_span(p, begin, end, BYTE_BUT(BYTE_ALNUM | BYTE_HIGH)) == end))
		return false;
	const size_t label_end = end - (p[end - 1] == '.'), letters = byte_span(p, label, label_end, BYTE_ALPHA);
	h->last_alpha = ascii < end || letters == label_end || ascii_opens(p + label, label_end - label, "xn--");
	h->stopped = h->end < run;
	h->ascii = !(kinds & (BEYOND | ESCAPED));
	return true;
}

bool host_read(const struct view *v, size_t i, uint8_t mark, struct host *h)
{
	return read_host(v, i, mark, false, h);
}

bool host_read_escaped(const struct view *v, size_t i, uint8_t mark, struct host *h)
{
	return read_host(v, i, mark, true, h);
}

/* Whether a defanged full stop or at sign, after which the host that begins at `begin` goes on, is at i: `[.]com`,
 * `[.com]`, or, without a `[` before, `].com`, `.]com` or the bracket of that. */
static bool goes_on_defanged(const struct view *v, size_t begin, size_t i)
{
	enum { MOST = 9 }; /* the form and a character */
	const struct refang_form *form;
	const size_t low = excess(begin, LINE_LOOK);
	uint32_t next;
	view_needs(v, i, MOST);
	size_t n = text_begins(v->p + i, v->end - i, "[.") ? 2 : 0;
	const size_t close = i + (v->p[i] == '.');
	if (view_byte(v, close) == ']' && byte_last(v->p, low, begin, '[') == low)
		n = v->p[close - 1] == '.' ? close + 1 - i : view_byte(v, i + 1) == '.' ? 2 : 0;
	if (refang_form_at(v->p + i, v->end - i, true, &form) == YES && BYTE_IN(*form->to, ".@"))
		n = strlen(form->from);
	if (n == 0)
		return false;
	view_character(v, i + n, &next);
	return opening_is_word(next);
}

bool host_goes_on(const struct view *v, size_t begin, size_t i)
{
	enum { MOST = 9 };
	uint64_t cp = 0;
	if (byte_span(v->p, begin, i, BYTE_BUT(BYTE_DELIMITER)) < i)
		return false;
	if (v->p[i] != '\\')
		return goes_on_defanged(v, begin, i);
	view_needs(v, i, MOST);
	i += view_byte(v, i + 1) == '\\' ? 2 : 1;
	uint8_t c = view_byte(v, i++);
	if (c == 'u' && number_read(v->p, i, smaller(i + 4, v->end), 16, &cp) == i + 4) {
		i += 4;
		if (cp >= 0x80)
			return host_may_hold((uint32_t)cp) && !host_ends_before((uint32_t)cp);
		if (is_alnum((uint8_t)cp))
			return true;
		c = BYTE_IN(cp, "-.") ? '-' : 0;
	}
	if (c == '&')
		i += BYTE_IN(view_byte(v, i), "-.");
	return BYTE_IN(c, "-._&:") && is_alnum(view_byte(v, i)) && !(c == ':' && is_digit(v->p[i]));
}

/* S2: top-level domains that are more often the extension of a file name. */
static const char file_suffixes[] =
    "ac ai am app as cab cc cfd cpa in java la lat md mk ml mm mo mov mp ms ng pl pm ps py rs sh so st tf vi zip";

/* S2: whether a label is like the name of a variable, `logService`. */
static bool has_variable(const uint8_t *p, size_t n)
{
	for (size_t i = 1, label = 0; i < n; i++) {
		if (p[i - 1] == '.')
			label = i;
		else if ((uint8_t)(p[i] - 'A') < 26 && (uint8_t)(p[label] - 'a') < 26)
			return true;
	}
	return false;
}

bool host_is_domain(const uint8_t *p, size_t n, bool path)
{
	size_t last = run_after(p, n, '.'), second = byte_last(p, 0, excess(last, 1), '.');
	const uint8_t *label = p + last;
	n -= last;
	bool capital = byte_span(label, 0, n, BYTE_BUT(BYTE_UPPER)) < n;
	return last && !memchr(p + second, '_', last - second) && !capital && tld_known(label, n)
	       && !text_is_among(label, n, "local internal") /* only a local network has such names */
	       && !has_variable(p, last) && (path || !text_is_among(label, n, file_suffixes));
}
