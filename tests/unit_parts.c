/* The parts of a link say its text, wherever what is read of it was shortened from its end again: at a label, a blank, a
 * limit or a hyphen before a line break.  A part ends with a whole character of the text, however that was written:
 * scan/link.c reads escapes backwards for it.
 *
 * Texts are a beginning of a link, each sequence of a few of the tokens, and an end: sequences of three, in `make
 * check-long` of four, in `make check-fast` one in 17 of those of three.
 *
 * usage: unit_parts [TOKENS [SURROUNDING]] */
#include "check.h"
#include "link_check.h"
#include "scan/link.h"
#include "text/unicode.h"

#include <string.h>

static const char *const tokens[] = {
	"", "a", "8", "/", "\xc3\xbc", "\xe6" /* of windows-1252 */, "-\n", "\xe2\x80\x90\n", "\xc2\xad", "\n", " ", "\\:8", "\\&.",
	"\\-", "\\~{}", "\\textasciitilde ", "&amp;", "&amp;amp;", "\\u0026", "=3D", "=2D", "=E2=80=90", "=\n", "](c", "|b", "@@",
	"%", ")", "*", "\\", "@/8", "\\(ti", "\\[hy]" };
enum { TOKENS = sizeof tokens / sizeof *tokens, MOST = 4, ROOM = 256, LIMIT = 64 };

#define LONG_PATH "/path-of-41-bytes-to-the-limit-or-near-it"
static const struct context { const char *before, *after; bool limited, drops; } contexts[] = {
	{ "<http://a.example/", ">", false, false },
	{ "<http://a.example", "|l>", false, false },
	{ "<http://a.example/", "](c\\:8|l>", false, true },
	{ "[l](<http://a.example/", ">", false, true },
	{ "=3D <http://a.example/", " b>", false, false },
	{ "@uref{http://a.example/", "}", false, false },
	{ "<http://a.example" LONG_PATH, ">", true, false },
	{ "http://a.example" LONG_PATH, " b", true, false },
};
enum { CONTEXTS = sizeof contexts / sizeof *contexts };

/* What is told of a text. */
struct told {
	const char *text;
	size_t length;
	uint64_t end;     /* of the last piece */
	uint64_t hash;    /* of the links, their parts and flags */
	const char *wrong;
};

static void say(struct told *t, const void *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		t->hash = (t->hash ^ ((const uint8_t *)p)[i]) * 1099511628211u;
	t->hash = (t->hash ^ n) * 1099511628211u;
}

/* The text of a link, compared with its source. */
struct matching {
	const uint8_t *text;
	size_t length;
	bool reached[ROOM + 1][ROOM + 1]; /* by the bytes of all parts before, and those of the text */
};

/* Marks what is reached when the source's bytes up to `to` stand for n of the text. */
static void mark(struct matching *m, size_t to, size_t at, const void *bytes, size_t n)
{
	if (n && m->length - at >= n && !memcmp(m->text + at, bytes, n))
		m->reached[to][at + n] = true;
}

/* What the byte at p may stand for, the first of `left` in its part and of `after` in the text; `width` is that of all
 * parts before. */
static void match_byte(struct matching *m, const uint8_t *p, size_t left, size_t after, size_t width, size_t at,
                       bool escaped)
{
	uint8_t utf8[4];
	mark(m, width + 1, at, p, 1);
	if (*p >= 0x80)
		mark(m, width + 1, at, utf8, utf8_put(utf8, utf8_windows_1252(*p)));
	if (!escaped)
		return;
	if (BYTE_IN(*p, " \t"))
		mark(m, width + 1, at, "%20", 3);
	if (!BYTE_IN(*p, "&=@\\"))
		return;
	/* read by all that follows, by what its part has, or by what comes before a blank */
	const size_t rooms[] = { after, left, byte_until(p, 0, left, " \t") };
	for (unsigned way = 0; way < 6; way++) {
		size_t n = 0;
		const unsigned escapes = ESCAPES_BACKSLASH | ESCAPES_QUOTED | ESCAPES_AT | (way % 2 ? ESCAPES_TWICE : 0);
		const size_t length = link_read_escape(p, rooms[way / 2], escapes, utf8, &n);
		if (length && n <= left)
			mark(m, width + n, at, utf8, length);
	}
}

/* Whether the parts say the text, with or without escapes that are undone. */
static bool say_text(const struct told *t, const urlsift_link *l, bool escaped)
{
	static struct matching m;
	size_t count, width = 0;
	const urlsift_range *parts = urlsift_link_parts(l, &count);
	m.text = (const uint8_t *)urlsift_link_text(l, &m.length);
	for (size_t i = 0; i <= t->length; i++)
		memset(m.reached[i], 0, m.length + 1);
	m.reached[0][0] = true;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < parts[i].length; k++, width++) {
			const size_t from = (size_t)parts[i].offset + k, left = (size_t)parts[i].length - k;
			for (size_t at = 0; at < m.length; at++)
				if (m.reached[width][at])
					match_byte(&m, (const uint8_t *)t->text + from, left, t->length - from, width, at, escaped);
		}
	}
	return m.reached[width][m.length];
}

static const char *fault_of_link(const struct told *t, const urlsift_link *l)
{
	size_t count, n;
	const urlsift_range *parts = urlsift_link_parts(l, &count);
	const bool escaped = urlsift_link_flags(l) & URLSIFT_UNESCAPED;
	for (size_t i = 0; i < count; i++) {
		if (!parts[i].length || parts[i].offset + parts[i].length > t->length)
			return "a part is in the text";
		if (i && parts[i].offset <= parts[i - 1].offset + parts[i - 1].length)
			return "parts follow one another";
	}
	urlsift_link_text(l, &n);
	if (!count || !n || n > ROOM)
		return "a link has parts and a text";
	if (!say_text(t, l, escaped))
		return "the parts say the text";
	return link_contradiction(l);
}

static int take_piece(void *user, const urlsift_piece *p)
{
	struct told *t = user;
	if (p->offset != t->end || !p->length || p->offset + p->length > t->length)
		t->wrong = "pieces follow one another";
	t->end = p->offset + p->length;
	if (!p->link || p->part > 0)
		return 0;
	size_t n, count;
	const char *text = urlsift_link_text(p->link, &n);
	const urlsift_range *parts = urlsift_link_parts(p->link, &count);
	const uint64_t facts[] = { urlsift_link_line(p->link), urlsift_link_column(p->link), urlsift_link_flags(p->link) };
	say(t, text, n);
	say(t, parts, count * sizeof *parts);
	say(t, facts, sizeof facts);
	const char *wrong = fault_of_link(t, p->link);
	t->wrong = t->wrong ? t->wrong : wrong;
	return 0;
}

/* Reads the text in two pieces, the first of `first` bytes, each in memory of its own. */
static void read_text(urlsift_scanner *s, struct told *t, size_t first)
{
	const size_t ends[] = { 0, first, t->length };
	urlsift_reset(s);
	for (size_t i = 0; i < 2; i++) {
		const size_t n = ends[i + 1] - ends[i];
		char *piece = malloc(n + !n);
		if (!piece)
			abort();
		memcpy(piece, t->text + ends[i], n);
		if (urlsift_feed(s, piece, n) != URLSIFT_OK)
			t->wrong = "a text is read";
		free(piece);
	}
	if (urlsift_finish(s) != URLSIFT_OK)
		t->wrong = "a text is read to its end";
}

static void print_escaped(const struct told *t)
{
	char shown[4 * ROOM + 1], *to = shown;
	for (size_t i = 0; i < t->length; i++)
		to += snprintf(to, 5, within((uint8_t)t->text[i], ' ', '~') ? "%c" : "\\x%02x", (uint8_t)t->text[i]);
	printf("  %s\n", shown);
}

static void check_text(urlsift_scanner *s, struct told *told, const char *text, size_t n, size_t number)
{
	static const char *const same = "a text has the same links in pieces";
	uint64_t hash = 0;
	for (size_t i = 0; i < 2; i++) {
		*told = (struct told){ .text = text, .length = n };
		read_text(s, told, i ? number % n : n);
		const char *wrong = told->wrong ? told->wrong : i && told->hash != hash ? same : NULL;
		hash = told->hash;
		if (!CHECK_THAT(!wrong, "%s, cut at %zu:", wrong, i ? number % n : n)) {
			print_escaped(told);
			return;
		}
	}
}

/* The texts of a context; `step`: each text or one in so many. */
static void check_context(urlsift_context *context, const struct context *c, unsigned most, size_t step)
{
	static struct told told;
	char text[ROOM];
	urlsift_options *o = urlsift_options_new(NULL);
	const urlsift_sink sink = { .piece = take_piece, .user = &told };
	CHECK(urlsift_options_set(o, URLSIFT_OPT_POSITIONS, 1) == URLSIFT_OK);
	CHECK(urlsift_options_set(o, URLSIFT_OPT_HYPHEN, c->drops ? URLSIFT_HYPHEN_DROP : URLSIFT_HYPHEN_KEEP) == URLSIFT_OK);
	if (c->limited)
		CHECK(urlsift_options_set(o, URLSIFT_OPT_MAX_URL, LIMIT) == URLSIFT_OK);
	urlsift_scanner *s = urlsift_new(context, o, &sink, NULL);
	size_t all = 1;
	for (unsigned i = 0; i < most; i++)
		all *= TOKENS;
	for (size_t number = 0; number < all; number += step) {
		size_t n = (size_t)snprintf(text, sizeof text, "%s", c->before);
		for (size_t i = 0, rest = number; i < most; i++, rest /= TOKENS)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s", tokens[rest % TOKENS]);
		n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", c->after);
		check_text(s, &told, text, n, number);
	}
	urlsift_free(s);
	urlsift_options_free(o);
}

int main(int argc, char **argv)
{
	const unsigned most = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : run_is_long() ? MOST : MOST - 1;
	urlsift_context *context = urlsift_context_new(NULL);
	const size_t only = argc > 2 ? strtoul(argv[2], NULL, 10) : CONTEXTS;
	for (size_t i = 0; i < CONTEXTS; i++)
		if (only == i || only == CONTEXTS)
			check_context(context, &contexts[i], most, run_is_fast() ? 17 : 1);
	urlsift_context_free(context);
	return check_end();
}
