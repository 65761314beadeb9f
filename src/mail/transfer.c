#include "transfer.h"

#include "text/ascii.h"

#include <string.h>

/* ---- The name ---- */

enum { LONGEST_NAME = 16 };

/* Behind the comment that begins at value[i] (RFC 5322 section 3.2.2). */
static size_t behind_comment(const uint8_t *value, size_t i, size_t n)
{
	for (size_t depth = 0; i < n; i++) {
		if (value[i] == '\\')
			i++;
		else if (value[i] == '(')
			depth++;
		else if (value[i] == ')' && --depth == 0)
			return i + 1;
	}
	return n;
}

enum transfer transfer_named(const uint8_t *value, size_t n)
{
	char name[LONGEST_NAME + 1];
	size_t length = 0;
	for (size_t i = 0; i < n && length <= LONGEST_NAME;) {
		uint8_t c = value[i];
		if (c == '(') {
			i = behind_comment(value, i, n);
			continue;
		}
		bool blank = c <= ' ' || c == '"' || c == '\'';
		if (c == ';' || c == ',' || (blank && length))
			break;
		if (!blank)
			name[length++] = (char)to_lower((uint8_t)c);
		i++;
	}
	if (length == 6 && memcmp(name, "base64", 6) == 0)
		return TRANSFER_BASE64;
	return length == 16 && memcmp(name, "quoted-printable", 16) == 0 ? TRANSFER_QUOTED_PRINTABLE : TRANSFER_IDENTITY;
}

void transfer_begin(struct transfer_state *t, enum transfer encoding, const struct simd *simd)
{
	*t = (struct transfer_state){ .encoding = encoding, .simd = simd };
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t take_identity(const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room)
{
	size_t n = smaller((size_t)(end - *p), room);
	if (n)
		memcpy(out, *p, n);
	*p += n;
	return n;
}

/* ---- Base64 ---- */

/* Takes a byte; what comes out is at most one. */
static size_t take_letter(struct transfer_state *t, uint8_t c, uint8_t *out)
{
	uint8_t value = base64_letters[c];
	if (value == BASE64_OTHER)
		return 0;
	if (value == BASE64_PAD) {
		t->held = 0;
		t->padded = true;
		return 0;
	}
	t->bits = t->bits << 6 | value;
	t->held += 6;
	if (t->held < 8)
		return 0;
	t->held -= 8;
	out[0] = (uint8_t)(t->bits >> t->held);
	return 1;
}

/* Whether what is held of the line behind padding is text: base64 may be damaged, but words have
 * blanks and punctuation. */
static bool is_text(const struct transfer_state *t)
{
	size_t count = 0, blanks = 0, others = 0;
	for (size_t i = 0; i < t->line_length; i++) {
		uint8_t c = t->line[i];
		count += base64_letters[c] != BASE64_OTHER;
		blanks += is_blank(c);
		others += base64_letters[c] == BASE64_OTHER && !is_blank(c);
	}
	return others > 1 || blanks > 1 || (others + blanks > 0 && count < 16);
}

/* The line behind padding is over, or as long as it is held.  Text, and all that follows it, stands
 * for itself; whole quanta of letters are base64 again. */
static size_t end_line(struct transfer_state *t, uint8_t *out)
{
	size_t n = t->line_length, used = 0, count = 0;
	t->plain = is_text(t);
	t->line_length = 0;
	if (t->plain) {
		out[0] = '\n';
		memcpy(out + 1, t->line, n);
		return n + 1;
	}
	for (size_t i = 0; i < n; i++)
		count += base64_letters[t->line[i]] != BASE64_OTHER;
	t->padded = count % 4 != 0;
	for (size_t i = 0; i < n; i++)
		used += take_letter(t, t->line[i], out + used);
	return used;
}

/* A byte behind padding; at most LINE_HELD + 2 bytes come out. */
static size_t take_behind(struct transfer_state *t, uint8_t c, uint8_t *out)
{
	if (c == '\n' && t->line_length) {
		size_t n = end_line(t, out);
		if (t->plain)
			out[n++] = c;
		return n;
	}
	if (is_line_end(c) || (!t->line_length && (is_blank(c) || base64_letters[c] == BASE64_PAD)))
		return 0;
	t->line[t->line_length++] = c;
	return t->line_length == LINE_HELD ? end_line(t, out) : 0;
}

static size_t decode_base64(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room)
{
	const uint8_t *s = *p;
	uint8_t *o = out, *out_end = out + room;
	while (s < end && o < out_end) {
		if (t->plain) {
			o += take_identity(&s, end, o, (size_t)(out_end - o));
			continue;
		}
		if (t->padded) {
			if (out_end - o < LINE_HELD + 2)
				break;
			o += take_behind(t, *s++, o);
			continue;
		}
		if (!t->held) {
			s = t->simd->base64(s, end, &o, out_end);
			if (s == end || o == out_end)
				break;
		}
		o += take_letter(t, *s++, o);
		while (s < end && !t->padded && base64_letters[*s] == BASE64_OTHER)
			s++;
	}
	*p = s;
	return (size_t)(o - out);
}

/* ---- All of them ---- */

size_t transfer_decode(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room)
{
	switch (t->encoding) {
	case TRANSFER_QUOTED_PRINTABLE: return quoted_decode(t, p, end, out, room);
	case TRANSFER_BASE64: return decode_base64(t, p, end, out, room);
	default: return take_identity(p, end, out, room);
	}
}

size_t transfer_finish(struct transfer_state *t, uint8_t *out)
{
	size_t n = t->digit ? quoted_let_go(t, out) : t->line_length ? end_line(t, out) : 0;
	transfer_begin(t, t->encoding, t->simd);
	return n;
}
