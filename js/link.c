/* Links as records, of which most are short. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

/* ---- Offsets ------------------------------------------------------------------------ */

size_t count_units(const uint8_t *p, size_t n)
{
	enum { BLOCK = 112 }; /* of bytes, whose count one byte holds, so that vectors of 16 count them */
	size_t units = 0;
	for (size_t size; n; p += size, n -= size) {
		uint8_t some = 0;
		size = n < BLOCK ? n : BLOCK;
		for (size_t i = 0; i < size; i++)
			some = (uint8_t)(some + ((p[i] & 0xC0) != 0x80) + (p[i] >= 0xF0));
		units += some;
	}
	return units;
}

static uint32_t to_units(struct cursor *c, uint64_t offset)
{
	if (!c->text)
		return (uint32_t)(offset >> c->utf16);
	if (offset < c->byte)
		c->byte = c->units = 0;
	c->units += count_units(c->text + c->byte, (size_t)offset - c->byte);
	c->byte = (size_t)offset;
	return (uint32_t)c->units;
}

/* ---- Links -------------------------------------------------------------------------- */

/* Bits of the second word of a link, after those of its convention; the first is the number of its words. */
enum { LINKABLE = 1 << 4, TEXT_IS_SOURCE = 1 << 5, HREF_IS_TEXT = 1 << 6, HREF_ENDS_IN_TEXT = 1 << 7, HTTPS = 1 << 8 };

static bool is_ascii(const char *p, size_t n)
{
	uint8_t all = 0;
	for (size_t i = 0; i < n; i++)
		all |= (uint8_t)p[i];
	return all < 0x80;
}

/* Whether the ASCII text of the link is that of its parts, one after the other, so that the reader has it. */
static bool is_source(const struct cursor *c, const urlsift_range *part, size_t parts, const char *text, size_t n)
{
	size_t at = 0;
	for (size_t i = 0; i < parts && c->source; i++) {
		uint64_t from = part[i].offset - c->source_at, length = part[i].length;
		if (part[i].offset < c->source_at || from + length > c->source_length || length > n - at
		    || memcmp(c->source + from, text + at, (size_t)length))
			return false;
		at += (size_t)length;
	}
	return c->source && at == n && is_ascii(text, n);
}

static size_t link_target(const void *of, char *out, size_t size) { return urlsift_link_target(of, out, size); }

/* Adds the target of a link, or of one that ends in its text what precedes that; returns the bit that says so. */
static uint32_t add_target(struct record *r, const urlsift_link *link, const char *text, size_t n)
{
	size_t at = r->count;
	add_form(r, link, link_target);
	size_t before = r->failed ? 0 : r->words[at] - n;
	if (r->failed || r->words[at] < n || memcmp((char *)(r->words + at + 1) + before, text, n))
		return 0;
	r->words[at] = (uint32_t)before;
	r->count = before > 0 ? at + 1 + (before + 3) / 4 : at;
	return before > 0 ? HREF_ENDS_IN_TEXT : HREF_IS_TEXT;
}

static void add_alternate(struct record *r, const urlsift_link *link, const urlsift_alternate *a)
{
	const char *supplied = urlsift_link_supplied(link);
	size_t before = strlen(supplied);
	char *absolute = malloc(before + a->length + 1);
	add_word(r, a->why == URLSIFT_WHY_HYPHEN);
	add_word(r, (uint32_t)(a->confidence * 100 + 0.5));
	add_string(r, a->text, a->length);
	if (absolute) {
		memcpy(absolute, supplied, before);
		memcpy(absolute + before, a->text, a->length);
		add_form(r, &(urlsift_url){ .text = absolute, .length = before + a->length }, url_target);
	}
	r->failed |= !absolute;
	free(absolute);
}

enum { SHORT_WORDS = 5 }; /* no other record has so few */

/* The record of most links: http or https, simple, without alternates, in one part, whose text the reader has. */
static void add_short(struct record *r, struct cursor *c, const urlsift_link *link, const urlsift_range *part,
                      bool https)
{
	if (!reserve(r, SHORT_WORDS))
		return;
	uint32_t *words = r->words + r->count;
	words[0] = SHORT_WORDS;
	words[1] = (uint32_t)urlsift_link_convention(link) | (https ? HTTPS : 0u);
	words[2] = urlsift_link_flags(link);
	words[3] = to_units(c, part->offset);
	words[4] = to_units(c, part->offset + part->length);
	r->count += SHORT_WORDS;
}

void add_link(struct record *r, struct cursor *c, const urlsift_piece *piece)
{
	const urlsift_link *link = piece->link;
	size_t n, parts, alternates, scheme_length;
	const char *text = urlsift_link_text(link, &n), *scheme = urlsift_link_scheme(link, &scheme_length);
	const urlsift_range *part = urlsift_link_parts(link, &parts);
	const urlsift_alternate *alternate = urlsift_link_alternates(link, &alternates);
	bool simple = urlsift_link_is_simple(link);
	unsigned warnings = simple ? 0 : urlsift_link_warnings(link);
	bool linkable = simple || (urlsift_scheme_linkable(scheme, scheme_length) && !(warnings & URLSIFT_WARN_NO_HREF));
	bool source = is_source(c, part, parts, text, n);
	if (simple && source && parts == 1 && !alternates && scheme_length >= 4 &&
	    !memcmp(scheme, "https", scheme_length)) {
		add_short(r, c, link, part, scheme_length > 4);
		return;
	}
	size_t begin = r->count;
	add_word(r, 0);
	add_word(r, (uint32_t)urlsift_link_convention(link) | (linkable ? LINKABLE : 0u) | (source ? TEXT_IS_SOURCE : 0u)
	                | (simple ? HREF_IS_TEXT : 0u));
	add_word(r, urlsift_link_flags(link));
	add_word(r, warnings);
	add_word(r, (uint32_t)parts);
	add_word(r, (uint32_t)alternates);
	for (size_t i = 0; i < parts; i++) {
		add_word(r, to_units(c, part[i].offset));
		add_word(r, to_units(c, part[i].offset + part[i].length));
	}
	add_string(r, scheme, scheme_length);
	if (!source)
		add_string(r, text, n);
	if (!simple) {
		uint32_t bit = add_target(r, link, text, n);
		if (!r->failed)
			r->words[begin + 1] |= bit;
	}
	for (size_t i = 0; i < alternates; i++)
		add_alternate(r, link, &alternate[i]);
	if (!r->failed)
		r->words[begin] = (uint32_t)(r->count - begin);
}
