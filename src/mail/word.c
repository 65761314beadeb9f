#include "word.h"
#include "header.h"
#include "text/unicode.h"
#include "transfer.h"
#include "text/ascii.h"

#include <string.h>
#include <strings.h>

/* An encoded-word, taken apart. */
struct word {
	const uint8_t *charset, *charset_end; /* without the language */
	const uint8_t *text, *text_end, *end;
	bool base64;
};

/* Words put together, while they last. */
struct run {
	struct word_text *into;
	struct word word; /* the last one */
	struct charset *charset; /* NULL: none lasts */
	bool known;
	uint64_t text, source;  /* output of the charset so far, and the source bytes it covers */
	uint64_t fed, fed_before; /* bytes given to the charset, and those before the last word */
	bool failed; /* no memory: what follows does not count */
	uint8_t bytes[WORD_MAX + 64]; /* of the last word, decoded */
};

/* A byte becomes at most three of UTF-8. */
enum { TEXT_CAP = 3 * WORD_TEXT_MAX + 64 };

void word_text_init(struct word_text *t, const urlsift_allocator *alloc)
{
	*t = (struct word_text){ 0 };
	buf_init(&t->text, alloc, TEXT_CAP);
	map_init(&t->map, alloc);
}

void word_text_fini(struct word_text *t)
{
	buf_fini(&t->text);
	map_fini(&t->map);
}

size_t word_text_memory_bound(void)
{
	return TEXT_CAP + map_memory_bound();
}

/* ---- Finding words ---- */

static const char opening[] = "=?";

bool word_any(const uint8_t *value, size_t n) { return text_index(value, n, opening) < n; }

/* Reads the word that begins at p with `=?`; false for none. */
static bool read_word(const uint8_t *p, const uint8_t *end, struct word *w)
{
	w->charset = p + 2;
	/* not all that RFC 2047 section 2 keeps out of the name of a charset is kept out */
	p = header_after_token(w->charset, end, "()<>@,;\"[]?=\\===");
	if (end - p < 3 || p[0] != '?' || p[2] != '?' || !BYTE_IN(p[1], "bBqQ"))
		return false;
	w->charset_end = find_byte(w->charset, p, '*');
	w->base64 = (p[1] | 0x20) == 'b';
	w->text = p + 3;
	/* the `?=` that ends a text comes before another word, so no other word is passed over: the search is linear */
	for (p = w->text; p < end && (p = memchr(p, '?', (size_t)(end - p))); p++) {
		if (end - p > 1 && p[1] == '=') {
			w->text_end = p;
			w->end = p + 2;
			return true;
		}
		if (p > w->text && p[-1] == '=')
			return false;
	}
	return false;
}

/* ---- Undoing them ---- */

/* Adds characters of one size to the map: all n bytes of text when each is in a
 * byte, else the first alone.  Returns how many bytes. */
static size_t add_characters(struct run *r, size_t n, size_t size)
{
	struct map *map = &r->into->map;
	uint64_t begin = charset_begin(r->charset, r->text), end = charset_source(r->charset, r->text + n);
	/* So it is when they are as many: each takes a byte at least.  U+FFFD need not. */
	if (n > size && (size > 2 || end - begin != n / size)) {
		n = size;
		end = charset_source(r->charset, r->text + n);
	}
	map_add(map, 1, 0, (size_t)(begin - r->source));
	map_add(map, n / size, size, (size_t)(end - begin) / (n / size));
	r->text += n;
	r->source = end;
	return n;
}

static urlsift_status take_text(void *user, const uint8_t *text, size_t n)
{
	struct run *r = user;
	struct buf *const into = &r->into->text;
	const size_t from = into->length;
	buf_add(into, text, n);
	for (size_t i = from; i < into->length; i++) /* a line end would begin a field */
		into->data[i] = into->data[i] < ' ' ? ' ' : into->data[i];
	if (r->into->unmapped) {
		r->text += n;
		charset_forget(r->charset, r->text);
		return URLSIFT_OK;
	}
	uint64_t begin = charset_begin(r->charset, r->text), end = charset_source(r->charset, r->text + n);
	bool own = begin >= r->fed_before && end - begin == n && !memcmp(text, r->bytes + (begin - r->fed_before), n);
	/* `same` bytes are characters of one size: all of them where the text is its own source */
	size_t size = 1, same = own ? n : 0;
	for (size_t i = 0, k; i < n; i += k, same -= k) {
		if (!same) {
			uint32_t cp;
			same = size = utf8_next(text + i, n - i, &cp);
			while (i + same < n && utf8_next(text + i + same, n - i - same, &cp) == size)
				same += size;
		}
		k = add_characters(r, same, size);
	}
	charset_forget(r->charset, r->text);
	return URLSIFT_OK;
}

/* The words that lasted are over: a character cut short says so. */
static void end_run(struct run *r)
{
	if (!r->charset)
		return;
	r->failed |= charset_finish(r->charset, take_text, r) != URLSIFT_OK;
	r->charset = NULL;
	map_add(&r->into->map, 1, 0, (size_t)(r->fed - r->source));
}

static void add_word(struct run *r, struct charset_cache *charsets, const struct word *w)
{
	const size_t length = (size_t)(w->charset_end - w->charset);
	/* it goes on where the last one ended: by the names as they are written */
	const bool same = r->charset && r->word.base64 == w->base64 &&
	                  (size_t)(r->word.charset_end - r->word.charset) == length &&
	                  !strncasecmp((const char *)r->word.charset, (const char *)w->charset, length);
	if (!same) {
		end_run(r);
		r->charset = charset_cache_get(charsets, (const char *)w->charset, length, &r->known);
		r->failed |= !r->charset;
		r->text = r->source = r->fed = 0;
	}
	r->word = *w;
	size_t n = 0;
	if (r->failed)
		return;
	if (w->base64) {
		struct transfer_state state;
		const uint8_t *p = w->text;
		transfer_begin(&state, TRANSFER_BASE64, simd_choose(URLSIFT_IMPL_PORTABLE)); /* words are short */
		while (p < w->text_end)
			n += transfer_decode(&state, &p, w->text_end, r->bytes + n, sizeof r->bytes - n);
		n += transfer_finish(&state, r->bytes + n);
	} else {
		/* the Q encoding (RFC 2047 section 4.2): other bytes are literal; line ends are dropped */
		for (const uint8_t *p = w->text; p < w->text_end; p++) {
			int byte = *p == '=' && w->text_end - p > 2 ? hex_pair(p + 1) : -1;
			if (byte >= 0) {
				r->bytes[n++] = (uint8_t)byte;
				p += 2;
			} else if (!is_line_end(*p)) {
				r->bytes[n++] = *p == '_' ? ' ' : *p;
			}
		}
	}
	r->fed_before = r->fed;
	r->fed += n;
	r->into->unknown += !r->known;
	r->failed |= charset_feed(r->charset, r->bytes, n, take_text, r) != URLSIFT_OK;
}

/* ---- Text between the words ---- */

/* As it is, without line ends. */
static void add_plain(struct word_text *t, const uint8_t *p, const uint8_t *end)
{
	while (p < end) {
		const uint8_t *stop = find_byte(p, end, '\n');
		size_t n = (size_t)(stop - p);
		n -= stop < end && text_ends(p, n, "\r");
		buf_add(&t->text, p, n);
		map_add(&t->map, n, 1, 1);
		p = stop + (stop < end);
	}
}

urlsift_status word_decode(struct word_text *t, struct charset_cache *charsets, const uint8_t *value, size_t n)
{
	const uint8_t *end = value + smaller(n, WORD_TEXT_MAX), *plain = value, *p = value;
	struct run run;
	struct word word;
	run.into = t;
	run.charset = NULL;
	run.failed = false;
	t->text.length = t->unknown = t->cut = 0;
	t->text.full = false;
	map_reset(&t->map);
	for (; (p += text_index(p, (size_t)(end - p), opening)) < end; p++) {
		if (!read_word(p, end, &word))
			continue;
		if (word.end - p > WORD_MAX) {
			t->cut++;
		} else {
			if (after_fws(plain, p) < p) /* more than white space between the words */
				end_run(&run);
			if (!run.charset)
				add_plain(t, plain, p);
			add_word(&run, charsets, &word);
			plain = word.end;
		}
		p = word.end - 1;
	}
	end_run(&run);
	add_plain(t, plain, end);
	return t->text.full || t->map.failed || run.failed ? URLSIFT_NO_MEMORY : URLSIFT_OK;
}
