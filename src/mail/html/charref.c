#include "tag.h"

#include "simd/runs.h"
#include "text/unicode.h"

#include <stdbool.h>
#include <string.h>

/* ---- Names ---- */

struct charref_row {
	uint16_t at;
	uint8_t length, extra;
	uint32_t first;
};

#include "charref_table.h"

enum { LEGACY_MIN = 2, LEGACY_MAX = 6 };

static const struct charref_row *row_of(const uint8_t *name, size_t n)
{
	const uint32_t hash = bytes_hash(0x811C9DC5, name, n); /* as in make-charref-table */
	for (size_t slot = hash >> 20; charref_slots[slot]; slot = (slot + 1) % CHARREF_SLOTS) {
		const struct charref_row *row = &charref_rows[charref_slots[slot] - 1];
		if (row->length == n && !memcmp(charref_names[row->at >> 12] + (row->at & 0xFFF), name, n))
			return row;
	}
	return NULL;
}

size_t charref_find(const uint8_t *name, size_t n, uint8_t text[CHARREF_TEXT_MAX], size_t *length)
{
	const struct charref_row *row = text_ends(name, n, ";") ? row_of(name, n - 1) : NULL;
	size_t taken = n;
	for (size_t k = smaller(n, LEGACY_MAX); !row && k >= LEGACY_MIN; k--) {
		row = row_of(name, k);
		row = row && row->extra & CHARREF_LEGACY ? row : NULL;
		taken = k;
	}
	if (!row)
		return 0;
	*length = utf8_put(text, row->first);
	uint32_t second = charref_second[row->extra % CHARREF_LEGACY];
	if (second)
		*length += utf8_put(text + *length, second);
	return taken;
}

uint32_t charref_code_point(uint64_t number)
{
	if (within(number, 0x80, 0x9F))
		return utf8_windows_1252((uint8_t)number);
	return charref_scalar(number);
}

/* ---- In text and in values ---- */

void reference_begin(struct htmltext *h, uint64_t at, enum htmltext_state back)
{
	htmltext_hold(h, '&', at, IN_REFERENCE);
	h->reference.back = back;
}

/* Held bytes from `from` on stand for themselves. */
static void literal(struct htmltext *h, size_t from)
{
	if (h->reference.back == IN_VALUE)
		value_add(h, h->held.bytes + from, h->held.length - from, h->mark + from, h->held.length - from);
	else
		text_run(h, h->held.bytes + from, h->held.length - from, h->mark + from);
}

static void meant(struct htmltext *h, const uint8_t *text, size_t n, size_t length)
{
	if (h->reference.back == IN_VALUE) {
		h->value.flags |= HTMLTEXT_REFERENCES;
		value_add(h, text, n, h->mark, length);
		if (h->raw.style.url.length) /* style_read does not see that U+FFFD, which is as long, was `&#0` */
			h->raw.style.flags |= HTMLTEXT_REFERENCES;
	} else {
		text_other(h, (const char *)text, n, h->mark, length);
	}
}

static void resume(struct htmltext *h)
{
	if (h->reference.back == IN_VALUE)
		h->state = IN_VALUE;
	else
		text_resume(h);
}

/* The name has ended; `next` is the byte after it. */
static void name_end(struct htmltext *h, uint8_t next)
{
	uint8_t text[CHARREF_TEXT_MAX];
	size_t length, taken = charref_find(h->held.bytes + 1, h->held.length - 1, text, &length);
	/* `?a=b&copy=c` of a value is not a copyright sign, nor is `&copyright`. */
	bool open = taken && h->held.bytes[taken] != ';' && (taken + 1 < h->held.length || next == '=');
	if (open && h->reference.back == IN_VALUE)
		taken = 0;
	if (taken)
		meant(h, text, length, ++taken); /* with the `&` */
	literal(h, taken);
	resume(h);
}

static void number_end(struct htmltext *h, uint64_t end)
{
	uint8_t text[4];
	if (h->reference.digits)
		meant(h, text, utf8_put(text, charref_code_point(h->reference.number)), (size_t)(end - h->mark));
	else
		literal(h, 0);
	resume(h);
}

void reference_finish(struct htmltext *h, uint64_t end)
{
	if (h->state == IN_NUMBER)
		number_end(h, end);
	else
		name_end(h, 0);
}

size_t reference_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	if (p[i] == '#') {
		h->held.bytes[h->held.length++] = '#';
		h->state = IN_NUMBER;
		h->reference.hexadecimal = h->reference.digits = false;
		h->reference.number = 0;
		return i + 1;
	}
	h->state = IN_NAME;
	return reference_name_read(h, p, i, n);
}

size_t reference_name_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	for (; i < n; i++) {
		bool full = h->held.length == CHARREF_NAME_MAX; /* but for `;` */
		if (p[i] == ';' && h->held.length > 1) {
			h->held.bytes[h->held.length++] = ';';
			name_end(h, 0);
			return i + 1;
		}
		if (full || !(is_alnum(p[i]))) {
			name_end(h, p[i]);
			return i;
		}
		h->held.bytes[h->held.length++] = p[i];
	}
	return i;
}

size_t reference_number_read(struct htmltext *h, const uint8_t *p, size_t i, size_t n)
{
	if (!h->reference.digits && !h->reference.hexadecimal && (p[i] | 0x20) == 'x') {
		h->held.bytes[h->held.length++] = p[i];
		h->reference.hexadecimal = true;
		return i + 1;
	}
	const unsigned base = h->reference.hexadecimal ? 16 : 10;
	const size_t from = i;
	i = number_read(p, i, n, base, &h->reference.number);
	h->reference.digits |= i > from;
	if (i == n)
		return n;
	i += p[i] == ';' && h->reference.digits;
	number_end(h, h->base + i);
	return i;
}
