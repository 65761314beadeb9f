/* Fuzzes the forms of rewrite.  The first byte chooses the form, the second how the text is split.
 *
 * Checked: the output does not depend on how the text is split; term writes no control characters; list finds in
 * wrapped text what it finds in the text; refang undoes defang. */
#include "fuzz.h"

#include "urlsift-render.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
	char *data;
	size_t length, room;
};

static int add(void *user, const void *data, size_t n)
{
	struct bytes *b = user;
	if (b->length + n > b->room) {
		b->room = 2 * (b->length + n);
		b->data = realloc(b->data, b->room);
		REQUIRE(b->data != NULL);
	}
	if (n)
		memcpy(b->data + b->length, data, n);
	b->length += n;
	return 0;
}

static bool same(const struct bytes *a, const void *data, size_t n)
{
	return a->length == n && (n == 0 || !memcmp(a->data, data, n));
}

/* What a format makes of the n bytes at `data`, fed by `step`. */
static void render(struct bytes *out, const char *format, const char *form, const void *data, size_t n, size_t step)
{
	static urlsift_context *c;
	urlsift_options *o = urlsift_options_new(NULL);
	c = c ? c : urlsift_context_new(NULL);
	const urlsift_render_options how = { .format = format, .form = form, .width = 20, .color = 0 };
	urlsift_render_prepare(&how, o, NULL);
	out->length = 0;
	urlsift_renderer *r = urlsift_render_new(c, &how, add, out, NULL);
	REQUIRE(r != NULL);
	const urlsift_sink sink = urlsift_render_sink(r);
	urlsift_scanner *s = urlsift_new(c, o, &sink, NULL);
	REQUIRE(s != NULL);
	urlsift_render_source(r, "-", NULL);
	for (size_t i = 0; i < n; i += step)
		REQUIRE(urlsift_feed(s, (const char *)data + i, n - i < step ? n - i : step) == URLSIFT_OK);
	REQUIRE(urlsift_finish(s) == URLSIFT_OK);
	urlsift_render_source_end(r, 0);
	REQUIRE(urlsift_render_end(r) == URLSIFT_OK);
	urlsift_free(s);
	urlsift_options_free(o);
	urlsift_render_free(r);
}

static void check_terminal(const struct bytes *b)
{
	for (size_t i = 0; i < b->length;) {
		uint32_t cp;
		i += urlsift_next_character(b->data + i, b->length - i, &cp);
		REQUIRE(cp >= 0xa0 || (cp >= ' ' && cp < 0x7f) || cp == '\t' || cp == '\n');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const forms[] = { "join", "wrap", "angle", "markdown", "org", "rst", "gemtext", "term", "defang",
	                                     "refang", "template:%u %t %x" };
	static struct bytes whole, other, third;
	if (size < 2)
		return 0;
	const char *form = forms[*data % (sizeof forms / sizeof *forms)];
	size_t step = data[1] % 40u + 1;
	data += 2;
	size -= 2;
	/* whether the mark of UTF-16 was three bytes of UTF-8 cannot be told from the first piece */
	if (size > 1 && (data[0] ^ data[1]) == 1 && data[0] >= 0xfe)
		return 0;
	render(&whole, "rewrite", form, data, size, size + 1);
	render(&other, "rewrite", form, data, size, step);
	REQUIRE(same(&other, whole.data, whole.length));
	if (!strcmp(form, "term"))
		check_terminal(&whole);
	/* a UTF-16 text is written as UTF-8; a colour between a word and a link is part of what makes it one; brackets take
	 * fewer hosts beyond ASCII than `www.` does */
	if (memchr(data, 0, size) || memchr(data, '\x1b', size) || memchr(data, '\b', size))
		return 0;
	bool ascii = true, literal = false;
	for (size_t i = 0; i < size; i++) {
		ascii = ascii && data[i] < 0x80;
		literal = literal || (size - i > 3 && !memcmp(data + i, "//[", 3));
	}
	/* a host in a bracket that closes after a blank is none (B5), but may be one before the `<` of a link between them */
	if (!strcmp(form, "wrap") && ascii && !literal) {
		render(&other, "list", NULL, whole.data, whole.length, step);
		render(&third, "list", NULL, data, size, size + 1);
		REQUIRE(same(&other, third.data, third.length));
	} else if (!strcmp(form, "defang") && !has_defanged_form((const char *)data, size)) {
		render(&other, "rewrite", "refang", data, size, step);
		if (!same(&other, data, size))
			return 0;
		render(&other, "rewrite", "refang", whole.data, whole.length, step);
		REQUIRE(same(&other, data, size));
	}
	return 0;
}
