/* Fuzzes the charsets.  The first two bytes choose one and the way to cut the
 * rest.  Checked: text is valid UTF-8 in blocks of whole characters (but where
 * it is passed through), the map tiles the source, and neither text nor map
 * depends on the cut or on what was forgotten. */
#include "fuzz.h"

#include "text/charset.h"
#include "text/unicode.h"

#include <stdlib.h>
#include <string.h>

/* One of each kind, and those with shapes of their own. */
static const char *const names[] = {
	"", "utf-8", "utf-16", "utf-16be", "utf-16le", "utf-32", "utf-32be", "utf-32le", "utf-7", "iso-8859-1",
		"windows-1252",
	"koi8-r", "windows-1255", "windows-1258", "tcvn", "iso-8859-8", "shift_jis", "euc-jp", "euc-kr", "gb2312",
		"gb18030",
	"big5", "big5-hkscs", "euc-tw", "iso-2022-jp", "iso-2022-jp-2", "iso-2022-kr", "hz-gb-2312", "macintosh", "cp437"
};
enum { NAMES = sizeof names / sizeof *names };

struct trace {
	struct charset *charset;
	bool forget, declared;
	size_t length, room;
	uint8_t *text;
	uint64_t *at, *begin; /* for each byte of the text */
	uint64_t end;         /* in the source */
};

static void trace_room(struct trace *t, size_t n)
{
	if (t->length + n <= t->room)
		return;
	t->room = 2 * (t->length + n);
	t->text = realloc(t->text, t->room);
	t->at = realloc(t->at, t->room * sizeof *t->at);
	t->begin = realloc(t->begin, t->room * sizeof *t->begin);
	REQUIRE(t->text && t->at && t->begin);
}

static urlsift_status take_text(void *user, const uint8_t *p, size_t n)
{
	struct trace *t = user;
	REQUIRE(n > 0);
	trace_room(t, n);
	memcpy(t->text + t->length, p, n);
	uint64_t before = t->length ? t->begin[t->length - 1] : 0;
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		bool cut;
		size_t k = utf8_sequence(p + i, n - i, &cp, &cut);
		REQUIRE(k || !t->declared);
		k = k ? k : 1;
		uint64_t at = charset_source(t->charset, t->length), begin = charset_begin(t->charset, t->length);
		REQUIRE(at >= before && begin >= at);
		REQUIRE(t->length || at == 0);
		for (size_t j = 0; j < k; j++, t->length++) {
			t->at[t->length] = at;
			t->begin[t->length] = begin;
		}
		before = begin;
		i += k;
	}
	if (t->forget)
		charset_forget(t->charset, t->length);
	return URLSIFT_OK;
}

/* Cuts by `seed`: 0 whole, 1 into bytes, else into pieces of all sizes, each in
 * memory of its own. */
static struct trace trace_of(struct charset *c, bool declared, const uint8_t *data, size_t size, uint32_t seed)
{
	struct trace t = { .charset = c, .forget = seed != 0, .declared = declared };
	charset_reset(c);
	for (size_t i = 0, n; i < size; i += n) {
		uint32_t word = seed = seed > 1 ? seed * 1664525u + 1013904223u : seed;
		n = seed == 0 ? size : seed == 1 ? 1 : 1 + (word >> 8) % (1u << (word >> 24) % 12);
		n = n < size - i ? n : size - i;
		uint8_t *block = malloc(n);
		REQUIRE(block != NULL);
		memcpy(block, data + i, n);
		REQUIRE(charset_feed(c, block, n, take_text, &t) == URLSIFT_OK);
		free(block);
	}
	REQUIRE(charset_finish(c, take_text, &t) == URLSIFT_OK);
	t.end = charset_source(c, t.length);
	REQUIRE(charset_begin(c, t.length) == size && t.end <= size);
	return t;
}

static void trace_fini(struct trace *t)
{
	free(t->text);
	free(t->at);
	free(t->begin);
}

/* Where text is passed through a character may be cut: its bytes then stand for
 * themselves. */
static void require_same(const struct trace *a, const struct trace *b)
{
	REQUIRE(a->length == b->length && a->end == b->end);
	if (!a->length)
		return;
	REQUIRE(!memcmp(a->text, b->text, a->length));
	for (size_t i = 0; a->declared && i < a->length; i++)
		REQUIRE(a->at[i] == b->at[i] && a->begin[i] == b->begin[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	const char *name = names[data[0] % NAMES];
	const urlsift_allocator allocator = alloc_from(NULL);
	urlsift_status status;
	const char *canonical = charset_canonical(name, strlen(name));
	REQUIRE(canonical != NULL || !*name);
	struct charset *c = charset_new(&allocator, canonical, &status);
	if (!c) {
		REQUIRE(status == URLSIFT_BAD_CHARSET); /* iconv lacks it */
		return 0;
	}
	bool declared = canonical && *canonical;
	struct trace whole = trace_of(c, declared, data + 2, size - 2, 0);
	struct trace bytes = trace_of(c, declared, data + 2, size - 2, 1);
	struct trace cut = trace_of(c, declared, data + 2, size - 2, 2u + data[1]);
	require_same(&whole, &bytes);
	require_same(&whole, &cut);
	trace_fini(&whole);
	trace_fini(&bytes);
	trace_fini(&cut);
	charset_free(c);
	return 0;
}
