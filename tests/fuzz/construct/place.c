#define _GNU_SOURCE 1 /* for memmem */
#include "place.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

/* A link and the text where it stands. */
struct place {
	const struct bytes *source;
	const urlsift_link *link;
	const urlsift_range *parts;
	size_t count;
	uint64_t begin, end;
};

static bool is_alnum(char c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }

static bool is_among(const char *set, char c) { return c && strchr(set, c); }

static uint64_t end_of_part(const struct place *p, size_t i) { return p->parts[i].offset + p->parts[i].length; }

/* Whether more than soft hyphens, which are no breaks, stands before part i. */
static bool follows_gap(const struct place *p, size_t i)
{
	const char *text = p->source->data;
	uint64_t at = end_of_part(p, i - 1);
	/* soft hyphens, of UTF-8 and of windows-1252 */
	while (at < p->parts[i].offset && ((uint8_t)text[at] == 0xad || !memcmp(text + at, "\xc2\xad", 2)))
		at += (uint8_t)text[at] == 0xad ? 1 : 2;
	return at < p->parts[i].offset;
}

/* A hyphen that was removed stands between two breaks. */
static void check_breaks(const struct place *p)
{
	size_t gaps = 0, n;
	urlsift_removed removed = urlsift_link_removed(p->link);
	const char *text = urlsift_link_text(p->link, &n);
	for (size_t i = 1; i < p->count; i++)
		gaps += follows_gap(p, i);
	if (!(gaps <= removed.breaks && removed.breaks <= gaps + removed.hyphens))
		fprintf(stderr, "%.*s: %zu gaps in %zu parts, removed %zu breaks, %zu hyphens\n", (int)n, text, gaps, p->count,
		        removed.breaks, removed.hyphens);
	REQUIRE_AS(gaps <= removed.breaks && removed.breaks <= gaps + removed.hyphens, "breaks were removed between parts");
}

/* Whether a link is written with its scheme. */
static bool has_scheme(const urlsift_link *l)
{
	size_t length, n;
	const char *scheme = urlsift_link_scheme(l, &length), *text = urlsift_link_text(l, &n);
	return n > length && text[length] == ':' && !strncasecmp(text, scheme, length);
}

/* Whether it is a scheme that is known, which is found after a letter or a digit as well. */
static bool has_known_scheme(const urlsift_link *l)
{
	return !(urlsift_link_flags(l) & URLSIFT_UNKNOWN_SCHEME) && has_scheme(l);
}

/* A user's rule may match any text outside links. */
static void check_rest(const struct place *p, uint64_t *cut)
{
	const char *at = p->source->data + p->begin;
	bool inside = p->begin && is_alnum(at[0]) && is_alnum(at[-1]);
	bool glued = p->begin == *cut && inside && !has_known_scheme(p->link);
	bool ruled = urlsift_link_convention(p->link) == URLSIFT_CONV_RULE;
	REQUIRE_AS(ruled || !glued, "the rest of a link that was cut is no link");
	if (urlsift_link_flags(p->link) & URLSIFT_TRUNCATED)
		*cut = p->end;
}

/* ---- A2: blanks in brackets ---- */

/* Whether what begins at `at`, up to white space or the end of the link, reads like the rest of a URL. */
static bool reads_on(const char *at)
{
	size_t n = strcspn(at, " \t\r\n\v\f>|");
	return strcspn(at, "/.?=&%#-_~0123456789") < n;
}

/* Whether before part i are blanks within a line, but not those after the colon of the scheme. */
static bool follows_blank(const struct place *p, size_t i)
{
	const char *text = p->source->data, *gap = text + end_of_part(p, i - 1);
	if (gap + strspn(gap, " \t") != text + p->parts[i].offset)
		return false;
	return memchr(text + p->begin, ':', (size_t)(gap - text) - p->begin) != gap - 1;
}

/* Whether all after the link, which ends at a blank, reads like the rest of it, up to the end of the brackets on the
 * line.  What may be another link or a character reference, or more than ASCII, does not. */
static bool ends_early(const char *end)
{
	const char *at = end + strspn(end, " \t");
	if (at == end || is_among(">|", *at))
		return false;
	while (!is_among(">|", *at)) {
		const char *piece = at;
		bool own = false; /* `#` at the end is no part of a link */
		for (; *at > ' ' && *at < 0x7f && !is_among("<>|\":[\\&", *at); at++)
			own |= is_alnum(*at);
		if (!own || !reads_on(piece))
			return false;
		at += strspn(at, " \t");
	}
	return true;
}

/* A link goes on after blanks if all pieces after the first read like the rest of a URL, else it ends there. */
static void check_blanks(const struct place *p)
{
	const char *text = p->source->data;
	bool blank = false;
	for (size_t i = 1; i < p->count; i++) {
		blank = blank || follows_blank(p, i);
		REQUIRE_AS(!blank || !follows_gap(p, i) || reads_on(text + p->parts[i].offset),
		           "in brackets, what is after a blank reads like the rest of the link");
	}
	const char *end = text + p->end;
	end += strspn(end, " \t");
	REQUIRE_AS(!blank || !is_alnum(*end), "a link goes on to the end of its brackets, or ends at the first blank");
	REQUIRE_AS(blank || !has_scheme(p->link) || !ends_early(text + p->end),
	           "in brackets, a link goes on after a blank with what reads like its rest");
}

/* ---- Its text ---- */

/* What a text may hold escaped, and a link not. */
enum { AMPERSANDS = 1, QUOTED_PRINTABLE = 2, BACKSLASHES = 4, QUOTED_EQUALS = 8, TWICE = 16, AT_SIGNS = 32, ESCAPES = 64 };

static int hex_value(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

/* Whether the escape of quoted-printable at `at` stands for what the text, whose rest is `text`, has there: of some
 * characters they stay.  What looks as if it had stayed may be a `=` and what follows the escape: with `equals` it
 * is. */
static bool is_quoted(const char *at, size_t n, const char *text, size_t left, bool equals)
{
	if (n < 3 || *at != '=' || hex_value(at[1]) < 0 || hex_value(at[2]) < 0 || left == 0)
		return false;
	bool stays = left >= 3 && !memcmp(text, at, 3) && !equals;
	return !stays && (uint8_t)*text == (hex_value(at[1]) << 4 | hex_value(at[2]));
}

/* What `\uXXXX` at `at` says, in UTF-16; 0 for no such escape. */
static uint32_t code_unit(const char *at, size_t n)
{
	char digits[5] = "";
	if (n < 6 || at[0] != '\\' || at[1] != 'u')
		return 0;
	memcpy(digits, at + 2, 4);
	return strspn(digits, "0123456789abcdefABCDEF") == 4 ? (uint32_t)strtoul(digits, NULL, 16) : 0;
}

/* The length of the name of a reference to the character *c of ASCII, which a URL may hold, that the n bytes begin with;
 * 0 for none. */
static size_t reference_name(const char *at, size_t n, char *c)
{
	char name[12] = "", *end = name;
	memcpy(name, at, n < sizeof name - 1 ? n : sizeof name - 1);
	unsigned long cp = 0;
	if (name[0] == '#') {
		const bool hex = (name[1] | 0x20) == 'x';
		cp = isxdigit((unsigned char)name[1 + hex]) ? strtoul(name + 1 + hex, &end, hex ? 16 : 10) : 0;
		if (end - name > 8)
			return 0;
	} else if (!memcmp(name, "amp", 3)) {
		cp = '&', end = name + 3;
	} else if (!memcmp(name, "apos", 4)) {
		cp = '\'', end = name + 4;
	}
	end += *end == '\\';
	*c = (char)cp;
	return cp > ' ' && cp < 0x7F && !strchr("<>\"`\\", (int)cp) && *end == ';' ? (size_t)(end + 1 - name) : 0;
}

/* Appends the character at the start of `text` if an escape of UTF-16 at `at` stands for it; the length of the escape,
 * else 0. */
static size_t add_unicode(struct bytes *to, const char *at, size_t n, struct bytes text)
{
	uint32_t cp = code_unit(at, n), shown = 0;
	size_t width = 6;
	if (cp >> 10 == 0xd800 >> 10 && n >= 12) {
		cp = 0x10000 + ((cp & 0x3ff) << 10) + (code_unit(at + 6, n - 6) & 0x3ff);
		width = 12;
	}
	char c;
	const size_t name = cp == '&' ? reference_name(at + 6, n - 6, &c) : 0;
	if (name) {
		cp = (uint32_t)c;
		width += name;
	}
	size_t k = text.length ? urlsift_next_character(text.data, text.length, &shown) : 0;
	if (!cp || shown != cp)
		return 0;
	bytes_add(to, text.data, k);
	return width;
}

/* Appends what one character or escape at `at` stands for, in a text whose rest is `text`; its length,
 * 0 where it is not UTF-8. */
static size_t add_undone(struct bytes *to, struct bytes from, struct bytes text, unsigned escapes)
{
	const char *at = from.data;
	size_t n = from.length;
	uint32_t cp;
	char c;
	const size_t name = escapes & AMPERSANDS && n > 0 && *at == '&' ? reference_name(at + 1, n - 1, &c) : 0;
	if (name) {
		const bool twice = escapes & TWICE && n > 8 && !memcmp(at, "&amp;amp;", 9);
		return bytes_byte(to, (uint8_t)c), 1 + name + (twice ? 4 : 0);
	}
	if (escapes & AT_SIGNS && n > 1 && *at == '@' && at[1] && strchr("@{}", at[1]))
		return bytes_byte(to, (uint8_t)at[1]), 2; /* of Texinfo */
	bool slash = escapes & BACKSLASHES && n > 1 && *at == '\\' && text.length > 0 && *text.data != '\\';
	size_t unicode = slash ? add_unicode(to, at, n, text) : 0;
	if (unicode)
		return unicode;
	if (slash && at[1] == *text.data) /* TeX's `\~` may be an accent over nothing */
		return bytes_byte(to, (uint8_t)at[1]), at[1] == '~' && n > 3 && !memcmp(at + 2, "{}", 2) ? 4 : 2;
	if (slash && n > 2 && at[1] && strchr(":&\\", at[1]) && at[2] == *text.data)
		return bytes_byte(to, (uint8_t)at[2]), 3; /* of roff, or JSON in JSON */
	if (n > 0 && (*at == ' ' || *at == '\t') && text.length > 2 && !memcmp(text.data, "%20", 3))
		return bytes_add(to, "%20", 3), 1; /* of Markdown */
	if (escapes & QUOTED_PRINTABLE && is_quoted(at, n, text.data, text.length, escapes & QUOTED_EQUALS))
		return bytes_byte(to, (uint8_t)*text.data), 3;
	size_t k = urlsift_next_character(at, n, &cp);
	if (k == 1 && (uint8_t)*at >= 0x80)
		return 0;
	bytes_add(to, at, k);
	return k;
}

/* Whether the text is that of the parts, with the escapes undone; *plain: it can be known. */
static bool is_text_of_parts(const struct place *p, unsigned escapes, struct bytes *written, bool *plain)
{
	size_t n;
	const char *text = urlsift_link_text(p->link, &n);
	bytes_clear(written);
	for (size_t i = 0; i < p->count; i++) {
		char *part = p->source->data + p->parts[i].offset;
		for (size_t at = 0, k; at < p->parts[i].length && *plain; at += k) {
			const size_t done = written->length < n ? written->length : n;
			k = add_undone(written, (struct bytes){ part + at, p->parts[i].length - at, 0 },
			               (struct bytes){ (char *)text + done, n - done, 0 }, escapes);
			*plain = k > 0;
		}
	}
	return written->length == n && !memcmp(written->data, text, n);
}

/* The text is that of the parts, but where some of them is not UTF-8, which is converted; `escaped`: with some escapes
 * undone. */
static void check_text(const struct place *p, bool escaped)
{
	static struct bytes written;
	size_t n;
	bool plain = true, same = false;
	for (unsigned escapes = 0; escapes < (escaped ? ESCAPES : 1) && plain && !same; escapes++)
		same = is_text_of_parts(p, escapes, &written, &plain);
	if (!plain || same)
		return;
	const char *text = urlsift_link_text(p->link, &n);
	is_text_of_parts(p, 0, &written, &plain);
	fprintf(stderr, "text of a link: %.*s\nof its parts: %.*s\n", (int)n, text, (int)written.length, written.data);
	abort();
}

void place_check(const struct bytes *source, const urlsift_link *l, uint64_t *cut)
{
	struct place p = { .source = source, .link = l };
	p.parts = urlsift_link_parts(l, &p.count);
	p.begin = p.parts[0].offset;
	p.end = end_of_part(&p, p.count - 1);
	check_breaks(&p);
	check_rest(&p, cut);
	bool escaped = urlsift_link_flags(l) & URLSIFT_UNESCAPED;
	if (!escaped && urlsift_link_convention(l) == URLSIFT_CONV_ANGLE)
		check_blanks(&p);
	if (urlsift_link_convention(l) != URLSIFT_CONV_RULE && (escaped || !urlsift_link_removed(l).hyphens))
		check_text(&p, escaped);
}

/* ---- Hyperlinks ---- */

static const char hyperlink[] = "\x1b]8;";

/* Where the target of a hyperlink ends, whose last byte is before `at`: after BEL or `ESC \`; 0 for neither. */
static size_t end_of_command(const struct bytes *source, size_t at)
{
	const char *end = source->data + at;
	return *end == '\a' ? at + 1 : *end == '\x1b' && end[1] == '\\' ? at + 2 : 0;
}

/* Whether a target that begins at `at` is that of a hyperlink. */
static bool is_target(const struct bytes *source, size_t at)
{
	size_t i = at - (at > 0);
	if (at == 0 || source->data[i] != ';')
		return false;
	while (i > 0 && (uint8_t)source->data[i - 1] >= ' ' && source->data[i - 1] != ';')
		i--;
	return i >= strlen(hyperlink) && !memcmp(source->data + i - strlen(hyperlink), hyperlink, strlen(hyperlink));
}

void place_check_label(const struct bytes *source, const urlsift_link *l)
{
	size_t n, count;
	const urlsift_range *parts = urlsift_link_parts(l, &count);
	size_t label = end_of_command(source, (size_t)(parts[count - 1].offset + parts[count - 1].length));
	urlsift_link_label(l, &n);
	if (count > 1 || n == 0 || label == 0 || !is_target(source, (size_t)parts[0].offset)) /* within a target is no sequence */
		return;
	const char *next = memmem(source->data + label, source->length - label, hyperlink, strlen(hyperlink));
	if (!next) { /* a line end may be within the sequence */
		REQUIRE_AS(memchr(source->data + label, '\x1b', source->length - label), "the label of a hyperlink ends");
		return;
	}
	for (next += strlen(hyperlink); (uint8_t)*next >= ' ' && *next != 0x7f;)
		next++;
	REQUIRE_AS(end_of_command(source, (size_t)(next - source->data)), "what ends a label is a sequence");
}
