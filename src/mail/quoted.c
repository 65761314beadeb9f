/* Quoted-printable decoded (RFC 2045 section 6.7). */
#include "transfer.h"

#include "text/ascii.h"

static size_t held_blanks(const struct transfer_state *t) { return t->blanks > TRANSFER_BLANKS ? 0 : t->blanks; }

static bool holds(const struct transfer_state *t)
{
	return t->equals || t->blanks || t->after_cr;
}

size_t quoted_let_go(struct transfer_state *t, uint8_t *out)
{
	size_t n = 0;
	if (t->equals)
		out[n++] = '=';
	if (t->digit)
		out[n++] = t->digit;
	for (size_t i = 0; i < held_blanks(t); i++)
		out[n++] = t->tabs >> i & 1 ? '\t' : ' ';
	transfer_begin(t, t->encoding, t->simd);
	return n;
}

/* Takes a byte, whatever is held.  At most one more byte comes out than was held. */
static size_t take_quoted(struct transfer_state *t, uint8_t c, uint8_t *out)
{
	if (t->equals && !t->blanks && hex_digit(c) < 16) {
		if (!t->digit)
			return t->digit = c, 0;
		out[0] = (uint8_t)(hex_digit(t->digit) << 4 | hex_digit(c));
		transfer_begin(t, t->encoding, t->simd);
		return 1;
	}
	bool open = t->equals && !t->digit, after_cr = t->after_cr;
	t->after_cr = false;
	size_t n = t->digit ? quoted_let_go(t, out) : 0;
	if (is_blank(c)) {
		if (t->blanks < TRANSFER_BLANKS) {
			t->tabs |= (uint64_t)(c == '\t') << t->blanks++;
			return n;
		}
		n += quoted_let_go(t, out + n); /* with all of its run */
		t->blanks = TRANSFER_BLANKS + 1;
	} else if (is_line_end(c)) {
		transfer_begin(t, t->encoding, t->simd); /* the blanks vanish */
		t->after_cr = open && c == '\r';
		if (open || (after_cr && c == '\n'))
			return n;
	} else {
		n += quoted_let_go(t, out + n);
		t->equals = c == '=';
	}
	if (!t->equals)
		out[n++] = c;
	return n;
}

size_t quoted_decode(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room)
{
	const uint8_t *s = *p;
	uint8_t *o = out, *out_end = out + room;
	while (s < end && (size_t)(out_end - o) > (size_t)t->equals + (t->digit != 0) + held_blanks(t)) {
		/* a run of blanks that is let go */
		while (t->blanks > TRANSFER_BLANKS && s < end && o < out_end && is_blank(*s))
			*o++ = *s++;
		if (s == end || o == out_end)
			break;
		if (*s == '=' && holds(t))
			o += quoted_let_go(t, o); /* no escape goes on with it */
		const uint8_t *from = s;
		if (!holds(t))
			s = t->simd->quoted(s, end, &o, out_end);
		if (s == from)
			o += take_quoted(t, *s++, o);
	}
	*p = s;
	return (size_t)(o - out);
}
