#include "line.h"

#include "text/match.h"
#include "text/unicode.h"

#include <string.h>

/* A yEnc line is as long as its header says, 997 bytes at most. */
enum { BLOCK_LINE = 1024 };

/* The line at i is [i, *end), the next one begins at *next.  False: it is longer than any line of a block. */
static bool take_line(const struct view *v, size_t i, size_t *end, size_t *next)
{
	size_t width;
	if (!line_find_end(v, i, BLOCK_LINE, end))
		return false;
	line_end(v, *end, &width);
	*next = *end + width;
	return true;
}

bool block_may_begin(const struct view *v, size_t i)
{
	return view_word(v, i, "begin ", 6) || view_word(v, i, "=ybegin ", 8) || view_word(v, i, "-----begin pgp ", 15);
}

/* The block that the line may begin, BLOCK_NONE for none. */
static struct block_state begun_by(const uint8_t *p, size_t n)
{
#define OCTAL "[01234567]"
	uint64_t width = 0;
	n = byte_span_back(p, 0, n, BYTE_BLANK);
	if (text_begins(p, n, "=ybegin ")) {
		const size_t i = text_index(p, n, " line=");
		number_read(p, i + 6, smaller(n, i + 10), 10, &width);
	}
	/* "begin 644 name", which no blank ends; "-----BEGIN PGP MESSAGE, PART 1/2-----" and the like; clearsigned text is
	 * searched */
	const bool uu = match_bytes(p, n, "begin " OCTAL OCTAL OCTAL OCTAL "? ");
	const bool armour = match_bytes(p, n, "-----BEGIN PGP [%u%d ,/]+-----" MATCH_END)
	                    && !text_begins(p, n, "-----BEGIN PGP SIGNED MESSAGE");
	const enum block kind = width ? BLOCK_YENC : uu ? BLOCK_UU : armour ? BLOCK_ARMOUR : BLOCK_NONE;
	return (struct block_state){ kind, false, (size_t)width };
}

bool block_begins(const struct view *v, size_t i, struct block_state *state, size_t *next, size_t *last)
{
	size_t end, after;
	if (!block_may_begin(v, i) || !take_line(v, i, &end, next))
		return false;
	*last = *next;
	*state = begun_by(v->p + i, end - i);
	/* `begin 644 words` is prose, and so is a header of yEnc before a line that is neither full nor the last one. */
	struct block_state first = *state;
	const bool begins = state->kind && block_line(v, *next, &first, &after);
	if (!begins || first.kind != BLOCK_YENC || !first.body)
		return begins;
	*last = after;
	return block_line(v, after, &first, &after);
}

/* A length character and about as many characters as it says. */
static bool uu_line(struct block_state *state, const uint8_t *p, size_t n, size_t length)
{
	(void)state;
	if (n < larger(length, 1))
		return false;
	for (size_t i = 0; i < n; i++)
		if ((uint8_t)(p[i] - ' ') > '`' - ' ')
			return false;
	size_t want = ((size_t)(p[0] - ' ') & 63) + 2;
	want = 1 + want / 3 * 4;
	/* blanks at the end may be lost in transit; a checksum may follow */
	return n <= want + 2 && (n + 3 >= want || p[0] == 'M');
}

static bool armour_line(struct block_state *state, const uint8_t *p, size_t n, size_t length)
{
	(void)length;
	n = byte_span_back(p, 0, n, BYTE_BLANK);
	if (!n) {
		bool was = state->body;
		state->body = true;
		return !was;
	}
	if (!(n <= 80 && match_bytes(p, n, "=?[%w+/]*=?=?" MATCH_END)))
		return !state->body && match_bytes(p, n, "%a[%a-]*:%f[ ]"); /* "Version: ..." (RFC 4880 section 6.2) */
	state->body = true;
	return true;
}

/* A line of yEnc has as many characters as the header says, and one more for an escape or a doubled full stop each; the
 * last one may be shorter.  Bytes that stand for no character are characters here, and those after p + n. */
static bool yenc_line(struct block_state *state, const uint8_t *p, size_t n, size_t length)
{
	const size_t most = state->width + 2;
	const bool last = state->body;
	if (text_begins(p, n, "=ypart "))
		return true;
	state->body = length < state->width;
	return !last && utf8_count(p, n) + length - n <= most;
}

/* Whether the line belongs to the block, which changes.  It has `length` bytes, of which n are at p: all of them, or
 * more than lines of uuencode and base64 have. */
static bool takes(struct block_state *state, const uint8_t *p, size_t n, size_t length)
{
	static const struct {
		const char *end; /* the last line */
		bool (*takes)(struct block_state *state, const uint8_t *p, size_t n, size_t length);
	} kinds[] = {
		[BLOCK_UU] = { "end%s*" MATCH_END, uu_line },
		[BLOCK_YENC] = { "=yend", yenc_line },
		[BLOCK_ARMOUR] = { "-----END PGP %s*[^%s]", armour_line },
	};
	const enum block kind = state->kind;
	if (kind == BLOCK_NONE)
		return false;
	if (!match_bytes(p, n, kinds[kind].end))
		return kinds[kind].takes(state, p, n, length);
	state->kind = BLOCK_NONE;
	return true;
}

bool block_line(const struct view *v, size_t i, struct block_state *state, size_t *next)
{
	size_t end;
	return view_has(v, i, 1) && take_line(v, i, &end, next) && takes(state, v->p + i, end - i, end - i);
}

void block_follow(struct block_state *state, const uint8_t *p, size_t length)
{
	const size_t n = smaller(length, LINE_LOOK);
	if (length > BLOCK_LINE)
		state->kind = BLOCK_NONE;
	else if (!takes(state, p, n, length))
		*state = begun_by(p, n);
}
