/* What is code in the markup of the output, as far as it has been written: there a link is shown as it is typed. */
#include "rewrite.h"
#include "text/bytes.h"
#include "text/match.h"

void rewrite_code_line(struct rewrite_code *c, const uint8_t *p, size_t n)
{
	static const char *const marks[] = { "#+begin_", "#+end_" };
	c->open = c->ticks = 0;
	/* Markdown: a fence (CommonMark 4.5); lines of LINE_LOOK bytes or more are none.  Two tests come before the
	 * pattern, as nearly all lines fail them: 20 MB of empty lines take a tenth of the time. */
	if (c->markup == CODE_MARKDOWN && within(n, 3, LINE_LOOK - 1) && is_of((char)p[0], " `~")
	    && match_bytes(p, n, " ? ? ?```| ? ? ?~~~")) {
		const size_t from = byte_run(p, 0, n, ' '), end = byte_run(p, from, n, p[from]);
		const bool long_enough = p[from] == c->fence && end - from >= c->fence_length;
		if (long_enough && byte_span(p, end, n, BYTE_BLANK) == n) {
			c->fence = 0;
		} else if (!c->fence && (p[from] == '~' || byte_index(p, end, n, '`') == n)) {
			c->fence = p[from];
			c->fence_length = end - from;
		}
	} else if (c->markup == CODE_ORG) { /* the beginning or the end of a block */
		const char *mark = marks[c->block > 0];
		const size_t from = byte_span(p, 0, n, BYTE_BLANK), name = from + strlen(mark);
		if (!ascii_opens(p + from, n - from, mark))
			return;
		const size_t end = byte_span(p, name, n, BYTE_BUT(BYTE_BLANK));
		const size_t block = ascii_word(p + name, end - name, "src example");
		if (c->block == 0)
			c->block = block;
		else if (block == c->block)
			c->block = 0;
	}
}

/* The index of the span that so many backticks close; c->open for none. */
static size_t find_span(const struct rewrite_code *c, size_t ticks)
{
	size_t i = 0;
	while (i < c->open && c->spans[i] != ticks)
		i++;
	return i;
}

/* The backticks that were written last have ended: they close a span, within which no others count, or may open one. */
static void end_ticks(struct rewrite_code *c)
{
	const size_t i = find_span(c, c->ticks);
	if (i < c->open)
		c->open = i;
	else if (c->ticks > 0 && i < SPANS_MOST)
		c->spans[c->open++] = c->ticks;
	c->ticks = 0;
}

void rewrite_code_text(struct rewrite_code *c, const uint8_t *p, size_t n)
{
	if (c->markup == CODE_NONE)
		return;
	for (size_t i = 0; i < n;) {
		const size_t end = byte_run(p, i, n, '`');
		c->ticks += end - i;
		if (end == n)
			return;
		end_ticks(c);
		i = byte_index(p, end, n, '`');
	}
}

bool rewrite_in_code(struct rewrite_code *c, const struct output_line *line, const urlsift_link *link)
{
	urlsift_text before, after;
	label_beside(link, &before, &after);
	const uint8_t *p = (const uint8_t *)after.bytes;
	if (c->markup == CODE_ORG) {
		const size_t from = byte_span(line->head, 0, line->head_length, BYTE_BLANK);
		const uint8_t mark = byte_before((const uint8_t *)before.bytes, before.length);
		return c->block > 0 || text_begins(line->head + from, line->head_length - from, ": ")
		       || (BYTE_IN(mark, "=~") && byte_at(p, 0, after.length) == mark);
	}
	end_ticks(c);
	/* backticks in the text after the link may close a span before it */
	for (size_t i = 0, end; (i = byte_index(p, i, after.length, '`')) < after.length; i = end) {
		end = byte_run(p, i, after.length, '`');
		if ((c->markup == CODE_MARKDOWN || end - i == RST_LITERAL) && find_span(c, end - i) < c->open)
			return true;
	}
	return c->fence;
}
