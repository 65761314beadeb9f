/* The form footnotes: a number for each link of a message, and lines that say where the numbers lead. */
#include "rewrite.h"

enum {
	NUMBER_MOST = 999,       /* of a footnote of the text: larger ones are years and the like */
	NUMBER_DIGITS = 10,      /* with which a waiting line begins, so that its number can change */
	NUMBER_LONGEST = 20      /* digits of any: without memory for a number, what is made ends in a label: `[2026 ` */
};

static void follow_numbers(struct footnotes *f, const char *text, size_t n)
{
	for (const char *p = text, *end = text + n; f->opened || (p = memchr(p, '[', (size_t)(end - p))); p++) {
		if (p == end)
			return;
		if (f->opened && is_digit((uint8_t)*p) && f->open <= NUMBER_MOST) {
			f->open = f->open * 10 + (unsigned)(*p - '0');
			continue;
		}
		if (*p == ']' && f->open <= NUMBER_MOST)
			f->most = (unsigned)larger(f->most, f->open);
		f->open = 0;
		f->opened = *p == '[';
	}
}

void notes_follow(urlsift_renderer *r, const char *text, size_t n)
{
	struct footnotes *f = &rewrite_of(r)->footnotes;
	struct unnumbered *u = &rewrite_of(r)->unnumbered;
	const size_t waits = u->write ? smaller(n, excess(UNNUMBERED_MOST, u->waited)) : 0;
	follow_numbers(f, text, waits);
	u->waited += waits;
	if (waits < n)
		notes_end(r);
	follow_numbers(f, text + waits, n - waits);
}

/* ---- Output without final numbers ------------------------------------------------- */

/* The write callback of the writer meanwhile. */
static int wait(void *user, const void *bytes, size_t n)
{
	urlsift_renderer *r = user;
	struct unnumbered *u = &rewrite_of(r)->unnumbered;
	if (buf_add(&u->text, bytes, n))
		return 0;
	u->marks.length = 0; /* which are not where they were */
	r->status = URLSIFT_NO_MEMORY;
	return 0;
}

void notes_begin(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	struct footnotes *f = &s->footnotes;
	struct unnumbered *u = &s->unnumbered;
	if (u->write)
		return;
	f->final = f->last = (unsigned)larger(f->last, f->most);
	u->lines = s->lines.text.length;
	u->waited = 0;
	u->write = r->writer.write;
	u->user = r->writer.user;
	r->writer.write = wait;
	r->writer.user = r;
}

/* Where the number begins that is between the last brackets of the n bytes; n for none. */
static size_t number_start(const uint8_t *p, size_t n)
{
	const size_t i = byte_span_back(p, 0, excess(n, 1), BYTE_DIGIT);
	return byte_before(p, i) == '[' ? i : n;
}

void notes_mark(urlsift_renderer *r, const struct buf *made)
{
	struct unnumbered *u = &rewrite_of(r)->unnumbered;
	const size_t start = number_start(made->data, made->length), at = u->text.length + r->writer.used + start;
	u->waited += made->length;
	if (u->write && start < made->length)
		render_keep(r, &u->marks, &at, sizeof at);
}

/* The final number in place of the one at p[*at], which moves after it; its digits end at `end`. */
static char *renumber(const struct footnotes *f, const uint8_t *p, size_t *at, size_t n, char *end)
{
	uint64_t number = 0;
	*at = number_read(p, *at, n, 10, &number);
	return number_put(end, number + (number > f->final ? excess(f->most, f->final) : 0));
}

/* Output that has been made and is not yet written ends in a number. */
static void renumber_made(urlsift_renderer *r, struct buf *made)
{
	char digits[NUMBER_LONGEST], *const end = digits + sizeof digits;
	const size_t start = number_start(made->data, made->length);
	size_t at = start;
	if (start == made->length)
		return;
	const char *number = renumber(&rewrite_of(r)->footnotes, made->data, &at, made->length, end);
	made->length = start;
	render_keep(r, made, number, (size_t)(end - number));
	render_keep(r, made, "]", 1);
}

void notes_end(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	struct footnotes *f = &s->footnotes;
	struct unnumbered *u = &s->unnumbered;
	char digits[NUMBER_LONGEST], *const end = digits + sizeof digits;
	size_t done = 0;
	if (!u->write)
		return;
	writer_flush(&r->writer);
	r->writer.write = u->write;
	r->writer.user = u->user;
	u->write = NULL;
	for (size_t i = 0, at; i < u->marks.length; i += sizeof at) {
		memcpy(&at, u->marks.data + i, sizeof at);
		writer_put(&r->writer, u->text.data + done, at - done);
		done = at;
		const char *number = renumber(f, u->text.data, &done, u->text.length, end);
		writer_put(&r->writer, number, (size_t)(end - number));
	}
	if (done < u->text.length) /* without memory there may be none */
		writer_put(&r->writer, u->text.data + done, u->text.length - done);
	u->text.length = u->marks.length = 0;
	const struct buf *lines = &s->lines.text;
	for (size_t at = u->lines; at < lines->length; at = byte_index(lines->data, at, lines->length, '\n') + 1) {
		const char *number = renumber(f, lines->data, &at, lines->length, end);
		memcpy(lines->data + at - (end - number), number, (size_t)(end - number));
	}
	renumber_made(r, &s->made);
	renumber_made(r, &s->label.number);
	renumber_made(r, &s->anchor.suffix);
	f->last += (unsigned)excess(f->most, f->final);
}

/* ---- The lines ------------------------------------------------------------------- */

enum { MARK_SIZE = NUMBER_DIGITS + 2 };

/* Writes the number of the line in brackets; returns the length. */
static size_t put_mark(char mark[MARK_SIZE], const uint8_t *line)
{
	const size_t zeros = byte_run(line, 0, NUMBER_DIGITS, '0'), n = NUMBER_DIGITS - zeros;
	*mark = '[';
	memcpy(mark + 1, line + zeros, n);
	mark[n + 1] = ']';
	return n + 2;
}

size_t notes_put_number(urlsift_renderer *r, const uint8_t *line)
{
	char mark[MARK_SIZE];
	rewrite_out(r, mark, put_mark(mark, line));
	return NUMBER_DIGITS;
}

/* ---- The form ------------------------------------------------------------------------------ */

/* The number of the URL, whose line is written after the message.  Of one that a list before a signature has, it is the
 * same in the next list. */
void notes_link(urlsift_renderer *r, const struct rewrite_link *l)
{
	const struct hash128 key = { 0, 0 }; /* a collision costs one line */
	struct rewrite_state *s = rewrite_of(r);
	const struct hash128 hash = siphash(key, l->text, l->length);
	uint32_t line = (uint32_t)s->lines.text.length;
	const enum hashset_answer answer = render_know(r, &s->lines.noted, hash, &line);
	struct buf *lines = &s->lines.text;
	const uint8_t *p = lines->data;
	const size_t n = lines->length, url = answer == HASHSET_KNOWN ? line + NUMBER_DIGITS + 1 : n;
	const bool known = url < n && bytes_are(p + url, byte_index(p, url, n, '\n') - url, l->text, l->length);
	const size_t length = NUMBER_DIGITS + 1 + l->length + 1;
	if (!known || line < s->lines.had) {
		if (!buf_reserve(lines, length)) {
			r->status = URLSIFT_NO_MEMORY;
			return;
		}
		if (known) {
			buf_add(lines, lines->data + line, length);
			hashset_set(&s->lines.noted, hash, (uint32_t)n);
		} else {
			char number[NUMBER_DIGITS + 1];
			memset(number, '0', NUMBER_DIGITS);
			number_put(number + NUMBER_DIGITS, ++s->footnotes.last);
			number[NUMBER_DIGITS] = ' ';
			buf_add(lines, number, sizeof number);
			buf_add(lines, l->text, l->length);
			buf_add(lines, "\n", 1);
		}
		line = (uint32_t)n;
	}
	char mark[MARK_SIZE];
	if (r->status != URLSIFT_NO_MEMORY)
		writer_put(&r->writer, mark, put_mark(mark, s->lines.text.data + line));
}

bool notes_anchor(urlsift_renderer *r, const struct rewrite_link *l, bool end)
{
	if (end) {
		writer_text(&r->writer, " ");
		notes_link(r, l);
	}
	return true;
}
