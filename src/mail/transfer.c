#include "header.h"

#include "text/ascii.h"
#include "text/bytes.h"

#include <string.h>

/* ---- The name ---- */

enum { LONGEST_NAME = 16 };

static const char names[] = "base64 quoted-printable x-uuencode x-uue uuencode uue";
static const enum transfer encodings[] = { /* by the numbers of the names */
	TRANSFER_IDENTITY, TRANSFER_BASE64, TRANSFER_QUOTED_PRINTABLE, TRANSFER_UUENCODE, TRANSFER_UUENCODE,
	TRANSFER_UUENCODE, TRANSFER_UUENCODE
};

enum transfer transfer_named(const uint8_t *value, size_t n)
{
	char name[LONGEST_NAME + 1];
	size_t length = 0;
	for (const uint8_t *p = value, *end = value + n; p < end && length <= LONGEST_NAME;) {
		if (*p == '(') {
			p = header_after_comment(p, end);
			continue;
		}
		uint8_t c = *p++;
		bool blank = c <= ' ' || is_quote_mark(c);
		if (BYTE_IN(c, ";,") || (blank && length))
			break;
		if (!blank)
			name[length++] = (char)c;
	}
	return encodings[ascii_word(name, length, names)];
}

void transfer_begin(struct transfer_state *t, enum transfer encoding, const struct simd *simd)
{
	*t = (struct transfer_state){ .encoding = encoding, .simd = simd };
}

/* Decodes what there is room for, up to `end`; returns how much came out. */
typedef size_t transfer_decoder(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out,
                                size_t room);

static size_t decode_identity(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out,
                              size_t room)
{
	(void)t;
	size_t n = smaller((size_t)(end - *p), room);
	memcpy(out, *p, n);
	*p += n;
	return n;
}

/* ---- Base64 ---- */

enum { LETTER_BITS = 6 }; /* as many are held after the first letter of a quantum only */

/* Six more bits; a byte that is complete comes out. */
static size_t take_bits(struct transfer_state *t, unsigned value, uint8_t *out)
{
	t->bits = t->bits << LETTER_BITS | value;
	t->held += LETTER_BITS;
	if (t->held < 8)
		return 0;
	t->held -= 8;
	out[0] = (uint8_t)(t->bits >> t->held);
	return 1;
}

/* Takes a byte; what comes out is at most one. */
static size_t take_letter(struct transfer_state *t, uint8_t c, uint8_t *out)
{
	uint8_t value = base64_letters[c];
	if (value == BASE64_OTHER) {
		t->damage += c > ' ';
		return 0;
	}
	t->symbols++;
	if (value == BASE64_PAD) {
		t->damage += t->held == LETTER_BITS;
		t->held = 0;
		t->padded = true;
		return 0;
	}
	return take_bits(t, value, out);
}

/* The line after padding has ended or reached the length that is held.  Text, and all that follows it, is taken
 * literally; complete quanta of letters are base64 again. */
static size_t end_line(struct transfer_state *t, uint8_t *out)
{
	size_t n = t->line_length, used = 0, count = 0, blanks = 0;
	for (size_t i = 0; i < n; i++) {
		count += base64_letters[t->line[i]] != BASE64_OTHER;
		blanks += is_blank(t->line[i]);
	}
	/* base64 may be damaged, but words have blanks and punctuation */
	const size_t others = n - count - blanks;
	t->plain = t->marked ? others > count : others > 1 || blanks > 1 || (others + blanks > 0 && count < 16);
	t->line_length = 0;
	if (t->plain) {
		out[0] = '\n';
		memcpy(out + 1, t->line, n);
		return n + 1;
	}
	t->padded = !t->marked && count % 4 != 0;
	t->marked = false;
	t->split |= t->held > 0;
	for (size_t i = 0; i < n; i++)
		used += take_letter(t, t->line[i], out + used);
	return used;
}

/* The byte before the next one, which is at s, of those from `from` on that are decoded. */
static uint8_t last_byte(const struct transfer_state *t, const uint8_t *from, const uint8_t *s)
{
	return s > from ? s[-1] : t->last;
}

static size_t decode_base64(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room)
{
	const uint8_t *s = *p;
	uint8_t *o = out, *out_end = out + room;
	while (s < end && o < out_end) {
		if (t->plain) {
			o += decode_identity(t, &s, end, o, (size_t)(out_end - o));
			continue;
		}
		if (t->padded) {
			if (out_end - o < LINE_HELD + 2)
				break;
			const uint8_t c = *s++;
			const bool ended = c == '\n' && t->line_length;
			if (!ended) {
				const bool pads = !t->line_length && base64_letters[c] == BASE64_PAD;
				t->symbols += pads;
				if (pads || is_line_end(c) || (!t->line_length && is_blank(c)))
					continue;
				t->line[t->line_length++] = c;
			}
			if (ended || t->line_length == LINE_HELD)
				o += end_line(t, o);
			if (ended && t->plain)
				*o++ = c;
			continue;
		}
		if (!t->held)
			s = t->simd->base64(s, end, &o, out_end);
		if (s == end || o == out_end)
			break;
		const bool begins = last_byte(t, *p, s) == '\n', other = base64_letters[*s] == BASE64_OTHER;
		t->split |= begins && !other && t->held;
		t->marked = t->padded = begins && other && !t->held && *s > ' ';
		if (!t->marked)
			o += take_letter(t, *s++, o);
	}
	t->last = last_byte(t, *p, s);
	*p = s;
	return (size_t)(o - out);
}

/* ---- Uuencode ---- */

static const uint8_t uu_begin[] = "begin ";
enum {
	UU_BEGIN_LENGTH = sizeof uu_begin - 1,
	UU_ROOM = 64 /* most bytes that one byte of input makes: a line that lacks all its data */
};

/* A letter of data, of which there are no more than the line has bytes. */
static size_t take_data(struct transfer_state *t, uint8_t c, uint8_t *out)
{
	const size_t n = t->left ? take_bits(t, (c - 32u) & 63, out) : 0;
	t->left -= (unsigned)n;
	return n;
}

static size_t take_uu(struct transfer_state *t, uint8_t c, uint8_t *out)
{
	size_t n = 0;
	switch (t->uu) {
	case UU_BEGIN: case UU_BEFORE: /* text before the line `begin`, of which line_length bytes are held */
		n = t->line_length;
		if (t->uu == UU_BEGIN && c == uu_begin[n]) {
			t->line_length = (n + 1) % UU_BEGIN_LENGTH;
			t->uu = t->line_length ? UU_BEGIN : UU_LINE;
			return 0;
		}
		memcpy(out, uu_begin, n);
		t->line_length = 0;
		t->uu = c == '\n' ? UU_BEGIN : UU_BEFORE;
		out[n] = c;
		return n + 1;
	case UU_LINE: case UU_END:
		if (c == '\n')
			t->uu = t->uu == UU_END ? UU_AFTER : UU_START;
		return 0;
	case UU_START:
		t->held = 0;
		t->left = c == '`' ? 0 : c - 32u;
		t->uu = is_line_end(c) ? UU_START : t->left <= 45 ? UU_DATA : c == 'e' ? UU_END : UU_AFTER;
		out[0] = c;
		return t->uu == UU_AFTER;
	case UU_DATA:
		if (c != '\n')
			return c == '\r' ? 0 : take_data(t, c, out);
		while (t->left)
			n += take_data(t, ' ', out + n);
		t->uu = UU_START;
		return n;
	default:
		out[0] = c;
		return 1;
	}
}

static size_t decode_uu(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room)
{
	size_t n = 0;
	while (*p < end && room - n >= UU_ROOM)
		n += take_uu(t, *(*p)++, out + n);
	return n;
}

/* ---- All of them ---- */

static transfer_decoder *const decoders[] = {
	[TRANSFER_IDENTITY] = decode_identity, [TRANSFER_QUOTED_PRINTABLE] = quoted_decode,
	[TRANSFER_BASE64] = decode_base64, [TRANSFER_UUENCODE] = decode_uu
};

size_t transfer_decode(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room)
{
	return decoders[t->encoding](t, p, end, out, room);
}

size_t transfer_finish(struct transfer_state *t, uint8_t *out)
{
	size_t n = t->line_length;
	if (t->encoding == TRANSFER_UUENCODE)
		memcpy(out, uu_begin, n);
	else
		n = t->digit ? quoted_let_go(t, out) : n ? end_line(t, out) : 0;
	const uint64_t damage = t->damage + (t->split && t->symbols % 4);
	transfer_begin(t, t->encoding, t->simd);
	t->damage = damage;
	return n;
}
