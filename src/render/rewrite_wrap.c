/* RFC 1738, Appendix: `<URL:...>`, with line breaks where the line would be too long, never after a hyphen. */
#include "rewrite.h"

#include "scan/extent.h"
#include "text/ascii.h"
#include "text/bytes.h"
#include "text/match.h"
#include "text/unicode.h"
#include "url/scheme.h"

enum {
	OPENING = 5,     /* bytes of `<URL:` */
	ROOM_LEAST = 24, /* columns of a line for the URL */
	NAME_LONGEST = 12, /* of a quote mark `Name>` */
	REFERENCE = sizeof "&#x000026\\;" - 1 /* bytes of the longest one that is undone */
};

/* The beginning of the lines after the first. */
struct continuation {
	uint8_t text[LINE_LOOK];
	size_t length;
	bool named; /* it has a quote mark with a name, after which a bracket of an earlier line is not found again */
};

/* The prefix of the line again, or with blanks instead of a list mark.  So far from the start of the line a reader
 * looks for none that it goes on only in a line without one; what is held comes before the link, too, where its bracket
 * does not close. */
static bool read_continuation(const struct rewrite_state *s, struct continuation *c)
{
	const struct output_line *line = &s->line;
	const struct view v = { .p = line->head, .end = line->head_length, .first = true, .last = true };
	struct line_prefix f;
	prefix_read(&v, 0, v.end, &f);
	f.bracket = true;
	/* B1: at an overstrike or a sequence more of the line may be its prefix than its bytes show */
	const size_t after = smaller(line->head_length - f.end, 2);
	const bool hidden = byte_at(line->head, f.end, line->head_length) == 0x1b
	                    || memchr(line->head + f.end, '\b', after);
	c->length = f.end;
	c->named = memchr(f.marks, 'N', f.quotes) || f.diff == '<';
	memcpy(c->text, line->head, f.end);
	for (size_t i = f.end; f.list && i > 0 && !strchr(">|:", c->text[i - 1]); i--)
		c->text[i - 1] = ' ';
	if (c->length + 2 >= LINE_LOOK || (c->length > 0 && line->length + s->held > BACK_LOOK))
		return false;
	/* B9: with another next line a block could begin here */
	if (hidden || block_may_begin(&v, 0))
		return false;
	/* Q2: the next line must continue a bracket that opened on this one */
	uint8_t next[LINE_LOOK + 2];
	size_t marks, content;
	memcpy(next, c->text, c->length);
	memcpy(next + c->length, "a\n", 2);
	const struct view line_after = { .p = next, .end = c->length + 2, .first = true, .last = true };
	return prefix_match(&line_after, 0, &f, &marks, &content) && content == c->length;
}

/* Whether the character is one beyond ASCII that a line may begin and end with. */
static bool is_letter(const struct rewrite_link *l, size_t i)
{
	uint32_t cp;
	utf8_next((const uint8_t *)l->text + i, l->length - i, &cp);
	return cp >= 0x80 && (uclass_of(cp) == UC_CJK || uclass_is_word(cp));
}

/* Whether a line may begin at i > 0: with a letter, a digit or the escape of one, which are not line prefixes, and not
 * after what may belong to a break: a hyphen, the soft line break of quoted-printable, a fold; nor with a scheme, nor
 * inside a reference.  A word before the closing bracket could be read as a quote mark. */
static bool may_break(const struct rewrite_link *l, size_t i)
{
	const struct view v = { .p = (const uint8_t *)l->text, .end = l->length, .first = true, .last = true };
	const uint8_t before = v.p[i - 1];
	const bool escape = before == '%' || byte_before(v.p, i - 1) == '%', escaped = v.p[i] == '%';
	const int byte = escaped ? hex_escape(v.p + i, v.p + l->length) : v.p[i];
	if (byte < 0 || (byte & 0xC0) == 0x80 || strchr("-=\\", before) || escape)
		return false;
	for (size_t k = smaller(i, REFERENCE - 1); k > 0; k--)
		if (link_reference(v.p + i - k, l->length - i + k) > k)
			return false;
	if (!(escaped || is_alnum(v.p[i]) || is_letter(l, i)) || (before >= 0x80 && !is_letter(l, utf8_cut(v.p, i - 1, i))))
		return false;
	if (extent_scheme_at(&v, i))
		return false; /* another link begins there (B8) */
	return byte_span(v.p, i, smaller(l->length, i + NAME_LONGEST + 1), BYTE_ALNUM) < l->length;
}

/* The index so many columns after `from`, or the end. */
static size_t skip_columns(const struct rewrite_link *l, size_t from, size_t columns)
{
	for (; columns > 0 && from < l->length; columns--)
		from = utf8_begin(l->text, from + 1, l->length);
	return from;
}

/* Where the line that begins at `from` ends, `room` columns later if it can: rather after a delimiter, not before
 * `low`; `low` if nowhere before n. */
static size_t find_break(const struct rewrite_link *l, size_t from, size_t room, size_t low)
{
	const size_t most = skip_columns(l, from, room), early = skip_columns(l, from, room - room / 3);
	size_t any = from;
	for (size_t i = smaller(most, l->length - 1); i >= low && i > from; i--) {
		const bool late = i > early;
		if (any > from && !late)
			break;
		if (!may_break(l, i))
			continue;
		if (!late || !is_alnum((uint8_t)l->text[i - 1]))
			return i;
		any = larger(any, i);
	}
	return any;
}

/* Writes the URL over several lines of `width` columns, of which `used` are used on the first.  Scheme and host stay on
 * one line, and there are no more breaks than a reader accepts (W4). */
static void put_lines(urlsift_renderer *r, const struct rewrite_link *l, const struct continuation *c, size_t width,
                      size_t used)
{
	size_t first = excess(width, used), at = 0, breaks = 0;
	size_t room = larger(excess(width, rewrite_columns(0, c->text, c->length)), ROOM_LEAST);
	size_t low = scheme_prefix((const uint8_t *)l->text, l->length) + sizeof "://" - 1;
	size_t fewest = rewrite_columns(0, (const uint8_t *)l->text, l->length) / (BREAKS_MAX - 2) + 1;
	low = byte_span((const uint8_t *)l->text, low, l->length, BYTE_BUT(BYTE_DELIMITER));
	room = larger(room, fewest);
	for (size_t space = first; skip_columns(l, at, excess(space, 1)) < l->length && breaks < BREAKS_MAX; space = room) {
		size_t next = find_break(l, at, space, low);
		/* the first place after it, if a line has none */
		if (next == at && (breaks > 0 || first >= room || c->named))
			for (next = larger(at + 1, low); next < l->length && !may_break(l, next);)
				next++;
		if (next >= l->length)
			break;
		writer_put(&r->writer, l->text + at, next - at);
		writer_text(&r->writer, rewrite_line_end(rewrite_of(r)));
		writer_put(&r->writer, c->text, c->length);
		at = next;
		breaks++;
	}
	writer_put(&r->writer, l->text + at, l->length - at);
}

void wrap_link(urlsift_renderer *r, const struct rewrite_link *l)
{
	const struct rewrite_state *s = rewrite_of(r);
	struct continuation c;
	size_t width = r->options.width > 0 ? (size_t)r->options.width : WIDTH_DEFAULT;
	size_t used = s->line.columns + OPENING;
	if (l->piece && s->bracketed) { /* its bracket stays where, on its line, another character than `>` follows */
		urlsift_text before, after;
		label_beside(l->piece->link, &before, &after);
		used += match_bytes((const uint8_t *)after.bytes, after.length, "%s*[^>]") ? s->held : 0;
	}
	/* W3: an unknown scheme without `//` is none if white space was removed; a header field is on one line.  A line
	 * that ends a block, or is after one that could begin it, is not made shorter. */
	size_t scheme = scheme_prefix((const uint8_t *)l->text, l->length) + 1;
	bool slashes = text_begins(l->text + scheme, l->length - scheme, "//");
	bool whole = (l->flags & URLSIFT_UNKNOWN_SCHEME && !slashes) ||
	             s->section == REWRITE_FIELD || s->line.block.kind ||
	             rewrite_columns(used, (const uint8_t *)l->text, l->length) < width;
	writer_text(&r->writer, "<URL:");
	if (whole || !read_continuation(s, &c))
		writer_put(&r->writer, l->text, l->length);
	else
		put_lines(r, l, &c, width, used);
	writer_text(&r->writer, ">");
}
