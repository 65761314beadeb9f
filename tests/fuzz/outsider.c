/* A fuzzer written from the headers and the manuals alone, by somebody who has not read the sources.
 *
 * The bytes of an input are choices: which option, which construct of the rules, which promise to check.  After the
 * last one, choices come from a generator that the first four bytes seed.  A promise that is broken ends the process;
 * the text and the options are printed first.
 *
 * It uses only the functions of the public headers, and needs no clang with the main of the other fuzzer:
 *
 *     cc -Iinclude tests/fuzz/outsider.c tests/fuzz/construct/{main,plain}.c build/liburlsift.a @build/libs \
 *         -o outsider */
#include "urlsift-render.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 24 * 1024, SCRAP = 3 * 1024, TRACE = 256 * 1024, OUT = 96 * 1024 };
#define LENGTH_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Choices ---- */

struct dice {
	const uint8_t *data;
	size_t left;
	uint64_t state;
};

static uint32_t roll(struct dice *dice, uint32_t sides)
{
	if (dice->left) {
		uint32_t value = *dice->data++;
		dice->left--;
		if (sides > 256 && dice->left) {
			value = value << 8 | *dice->data++;
			dice->left--;
		}
		return value % sides;
	}
	dice->state += 0x9e3779b97f4a7c15U;
	uint64_t z = dice->state;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
	z = (z ^ z >> 27) * 0x94d049bb133111ebU;
	return (uint32_t)((z ^ z >> 31) % sides);
}

static int once_in(struct dice *dice, uint32_t sides)
{
	return roll(dice, sides) == 0;
}

#define PICK(dice, table) ((table)[roll(dice, (uint32_t)LENGTH_OF(table))])

/* ---- Text ---- */

struct text {
	char *bytes;
	size_t length, room;
};

static void put(struct text *text, const char *bytes, size_t length)
{
	if (length > text->room - text->length)
		length = text->room - text->length;
	if (length)
		memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
}

static void puts_to(struct text *text, const char *string)
{
	put(text, string, strlen(string));
}

static void put_char(struct text *text, int byte)
{
	const char c = (char)byte;
	put(text, &c, 1);
}

/* ---- Failure ---- */

/* What a run works on, printed when a promise is broken. */
struct run {
	struct dice dice;
	struct text page;
	struct text notes; /* the options and the calls, in words */
	urlsift_context *context;
	struct text first, second; /* traces and outputs that must be equal */
	struct text third;
};

static void note(struct run *run, const char *what, long value)
{
	char line[160];
	const int n = snprintf(line, sizeof line, " %s=%ld", what, value);
	put(&run->notes, line, (size_t)n);
}

static void show_bytes(const char *name, const struct text *text)
{
	fprintf(stderr, "%s: printf '", name);
	for (size_t i = 0; i < text->length && i < 6000; i++) {
		const unsigned char c = (unsigned char)text->bytes[i];
		if (c == '\n')
			fputs("\\n", stderr);
		else if (c == '%')
			fputs("%%", stderr);
		else if (c < ' ' || c > '~' || c == '\'' || c == '\\')
			fprintf(stderr, "\\%03o", c);
		else
			fputc(c, stderr);
	}
	fprintf(stderr, "'\n");
}

static void broken(struct run *run, const char *promise, int line)
{
	fprintf(stderr, "\nbroken promise (line %d): %s\noptions:%.*s\n", line, promise,
			(int)run->notes.length, run->notes.bytes);
	show_bytes("text", &run->page);
	size_t i = 0;
	while (i < run->first.length && i < run->second.length && run->first.bytes[i] == run->second.bytes[i])
		i++;
	const size_t from = i > 200 ? i - 200 : 0;
	fprintf(stderr, "first: ...%.*s\nsecond: ...%.*s\n",
			(int)(run->first.length - from > 900 ? 900 : run->first.length - from), run->first.bytes + from,
			run->second.length > from ? (int)(run->second.length - from > 900 ? 900 : run->second.length - from) : 0,
			run->second.bytes + (run->second.length > from ? from : 0));
	abort();
}

#define PROMISE(run, condition, words) ((condition) ? (void)0 : broken(run, words, __LINE__))

/* ---- Memory: an allocator that counts, and fails when it is told to ---- */

struct heap {
	size_t used, peak;
	long fail_at; /* the allocation that fails, from 1; 0 for none */
	int from_then_on;
	long count;
};

static int heap_fails(struct heap *heap)
{
	heap->count++;
	return heap->fail_at && (heap->count == heap->fail_at || (heap->from_then_on && heap->count > heap->fail_at));
}

static void *heap_reallocate(void *context, void *block, size_t size)
{
	struct heap *heap = context;
	if (heap_fails(heap))
		return NULL;
	size_t *old = block ? (size_t *)block - 2 : NULL;
	const size_t before = old ? *old : 0;
	size_t *now = realloc(old, size + 2 * sizeof(size_t));
	if (!now)
		abort();
	*now = size;
	heap->used += size - before;
	if (heap->used > heap->peak)
		heap->peak = heap->used;
	return now + 2;
}

static void *heap_allocate(void *context, size_t size)
{
	return heap_reallocate(context, NULL, size);
}

static void heap_release(void *context, void *block)
{
	struct heap *heap = context;
	if (!block)
		return;
	size_t *old = (size_t *)block - 2;
	heap->used -= *old;
	free(old);
}

static urlsift_allocator heap_allocator(struct heap *heap)
{
	return (urlsift_allocator){ heap_allocate, heap_reallocate, heap_release, heap };
}

/* ---- The grammar of texts ---- */

static const char *const schemes[] = {
	"http://", "https://", "ftp://", "mailto:", "news:", "gopher://", "telnet://", "irc://", "ircs://", "xmpp:", "tel:",
	"sip:", "javascript:", "data:", "vbscript:", "file:///", "ldap://", "urn:", "mid:", "cid:", "nntp://", "wais://",
	"prospero://", "steam://", "foo://", "HTTP://", "hTtPs:", "magnet:?", "doi:", "info:", "tag:", "session:", "dav:",
	"geo:", "sms:", "ws://", "git+ssh://", "ms-word:", "about:", "view-source:http://", "www.", "ftp.", "", "http:/\\/",
	"http:", "http:\\/\\/", "hxxp://", "hxxps[:]//", "fxp://", "x-y.z+1://", "://", "//", "/", "mailto:?to=", "news://",
	"http&#58;//", "http%3A//", "meow[://]", "content-type:", "feed:http://", "ed2k://|file|", "bitcoin:", "h323:",
};
static const char *const hosts[] = {
	"a.example", "www.b.example", "192.0.2.7", "[2001:db8::1]", "0x7f.1", "3232235777", "localhost", "A.EXAMPLE:80",
	"xn--bcher-kva.example", "b\303\274cher.example", "\320\277\321\200\320\270\320\274\320\265\321\200.example",
	"\320\260pple.example", "a%2eb.example", "a_b.example", "bank.example@evil.example", "user:pw@h.example",
	"a.example:8080", "a.example:99999", "a.example:", "a..b", "-a-.example", "a.example.",
	"\344\276\213\343\201\210.\343\203\206\343\202\271\343\203\210", "a\343\200\202example", "\342\223\220.example",
	"fa\303\237.example", "xn--zz--.example", "[::ffff:192.0.2.1]", "[v1.x]", "a[.]example", "b(dot)example",
	"a[dot]example", "a(.)example", "joe@d.example", "comp.lang.c", "+1-201-555-0123", "c.com", "d.org", "README.md",
	"a", "a\302\255b.example", "a\342\200\213b.example", "\342\200\256moc.example", "a,b.example", "256.256.256.256",
	"a@b@c.example", "%61.example", "1.2.3", "example\303\227.com", "\357\274\241.example", "a\342\204\241.example",
	"a-very-long-label-a-very-long-label-a-very-long-label-a-very-long-label.example", "me[at]f[.]example",
	"x.y.z.museum",
};
static const char *const paths[] = {
	"/", "/x", "/index.html", "/Foo_(bar)", "/a,b", "/~ada", "/%7Eada", "/%zz", "/../..", "/./", "/a;type=i",
	"/\303\251", "/%C3%A9", "\\b", "/it's", "/part-", "/a*b*", "/_x_", "/$1", "/{id}", "/[0]", "/a|b", "/\346\227\245",
	"/s\302\255h", "/z\342\200\213w", "/\342\200\256b", "?a=1&b=2", "?a=1&amp;b=2", "?q=%20", "?u=http://c.example/",
	"?", "#top", "#", "#a#b", "/,http://d.example/", "/;x", ".", "...", ")", "(", "]", "'", "\"", "/&quot;", "/&#x41;",
	"&lt;", "/%0d%0a", "/%00", "/a b", "/\\u0026", "/\\/", "=3D", "/%", "/\377", "/\303", "/\200", "/\342\200\235", "-",
	"_", "*", "/very/long/path/that/goes/on/and/on/and/on/for/more/than/one/line/of/text", "/a\tb", ":80", ":0x50/",
	"@", "!", "~", "/1/%2Fetc", "?upn=u001.", "/\001", "/\177", "/\302\205", "/\342\200\250", "/\357\273\277",
	"\303\227", "/a/b/c/d/e",
};
static const char *const rewriters[] = {
	"https://www.google.com/url?q=", "https://nam02.safelinks.protection.outlook.com/?data=1&url=",
	"https://urldefense.proofpoint.com/v2/url?u=http-3A__a.example_x-3Fy-3D1&d=",
	"https://urldefense.com/v3/__http://a.example/x*y__;Kys!!a!b$", "https://l.facebook.com/l.php?u=",
	"https://www.youtube.com/redirect?q=", "https://urldefense.proofpoint.com/v1/url?u=",
	"https://linkprotect.cudasvc.com/url?a=", "https://out.reddit.com/t3?url=",
	"https://www.linkedin.com/redir/redirect?url=",
};

static void put_url(struct dice *dice, struct text *text, int depth)
{
	if (depth < 3 && once_in(dice, 24)) {
		puts_to(text, PICK(dice, rewriters));
		const size_t from = text->length;
		put_url(dice, text, depth + 1);
		for (size_t i = from; i < text->length && roll(dice, 2); i++)
			if (text->bytes[i] == '%')
				text->bytes[i] = '-';
		return;
	}
	puts_to(text, roll(dice, 3) ? "http://" : PICK(dice, schemes));
	puts_to(text, roll(dice, 3) ? "a.example" : PICK(dice, hosts));
	for (uint32_t n = roll(dice, 5); n > 0; n--)
		puts_to(text, PICK(dice, paths));
	if (once_in(dice, 200))
		for (uint32_t n = roll(dice, 300); n > 0; n--)
			put_char(text, "ab/-.%"[n % 6]);
}

/* %s is the URL, %t a word, %p another URL. */
static const char *const wrappers[] = {
	"%s", "%s", "%s", "<URL:%s>", "<URL:%s>", "<%s>", "<%s>", "\"%s\"", "'%s'", "\342\200\234%s\342\200\235",
	"\302\253%s\302\273", "(%s)", "[%s]", "{%s}", "URL:%s", "< url : %s >", "[%t](%s)", "[[%s][%t]]", "[%s %t]",
	"[[%s|%t]]", "`%t <%s>`_", "[url]%s[/url]", "[url=%s]%t[/url]", "\\url{%s}", "\\href{%s}{%t}",
	"<a href=\"%s\">%t</a>", "<a href='%s'>%p</a>", "{\"link\": \"%s\"}", "*%s*", "_%s_", "**%s**", "`%s`", "~~%s~~",
	"|%s|", "%s.", "%s),", "%s,%p", "link:%s[%t]", "\\n%s", "\\fB%s\\fP", "...%s", "ATTENDEE:%s", "(+%s", "<%s|%t>",
	"<%s %t>", "<!-- %s -->", "%t <%s>", "%p <%s>", "$%s$", ">%s<", "\033]8;;%s\033\\%t\033]8;;\033\\",
	"\033]8;id=1;%s\a%p\033]8;;\a", "<%s", "%s>", "<<%s>>", "<URL:<%s>>", "\"<%s>\"", "['%s', \"%p\"]", "%s;%p",
	"%s|%p", "[%t]: %s", ".. _%t: %s", "<URL: %t: %s>", "<img src=\"%s\" alt=%t>", "url(%s)", "href=%s", "%t=%s",
	"%s\t%p", "\302\240%s\302\240", "\357\274\210%s\357\274\211", "\343\200\214%s\343\200\215", "[%t](<%s>)",
	"![%t](%s \"%t\")", "[![%t](%p)](%s)", "* [[%s]]", "%s[1]", "%s<br>", "&lt;%s&gt;", "<URL:%s\n", "%s\\", "%s\\\n%t",
	"%s=\n%t", "%s-\n%t", "%s \n%t", "http:\n//%t.example/%s", "<h\nttp://%t.example/%s>", "\033[31m%s\033[0m",
	"\033[4m%s", "%s\033[K", "#!/%s", "@%s", "\\\"%s\\\"", "%t%s", "%s%t", "%s%p", "%s %p",
};
static const char *const words[] = {
	"see", "the", "report", "at", "and", "for", "more,", "text.", "www", "http", "URL:", "From", "-- ", "a.b",
	"1999-12-31", "on", "10:30", "e.g.", "file.txt", "x", "\303\251t\303\251", "\346\227\245\346\234\254", "&", "<b>",
	"bug #17", "RFC 1738", "b.example", "mailto", "//", "->", "(", ")", "\"", "http://", "<", ">", "<URL:", "--",
	"page", "you@c.example", "\\", "=20", "c.com/y", "html", "day/opening.html", "05-01&view=missing", "\342\200\224",
	"\342\200\246", "%s", "$0", "\b", "_\b", "\a",
};
static const char *const breaks[] = {
	"\n", "\n", "\n", "\r\n", "\r", " \n", "\\\n", "=\n", "-\n", "\t\n", "\n ", "\n\t", "\n\n", "\342\200\220\n",
	"\302\255\n", "\n\\", "\n\nTim & Larry          [Page 3]\n\f\nRFC 1738       URL       December 1994\n\n", "\f",
	"\n\f\n", "\v", "\302\205", "\342\200\250", "\n-- \n", " ", "  ", "\302\240", "\0", "\n>From ", "\n.\n", "\n=20\n",
};
static const char *const prefixes[] = {
	"",     "",    "",         "> ",   "> > ", ">> ",  "| ",   "# ",  " * ",  "- ",   "+ ",
	"    ", "// ", "\t",       ">",    "; ",   "-- ",  "! ",   "  ",  "dnl ", "%% ",  ": ",
	"* ",   "/* ", "\302\240", "> | ", ">\t",  "ab> ", "--- ", "(* ", "\" ",  "REM ",
};
static const char *const blocks[] = {
	"begin 644 x\nM86)C9&5F9VAI:FML;6YO<'%R<W1U=G=X>7IA8F-D969G:&EJ:VQM;F]P<7)S\n`\nend\n",
	"=ybegin line=128 size=20 name=x\nabcdhttp://z.example/\n=yend size=20\n",
	"(This file must be converted with BinHex 4.0)\n\n:$f*TEQKPH#jd!\"Bq!!!!!!3!!:\n",
	"-----BEGIN PGP MESSAGE-----\nVersion: 1\n\nhQEMA5vJbTsBq6cvAQf+\n=abcd\n-----END PGP MESSAGE-----\n",
	"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nhttp://signed.example/\n-----BEGIN PGP "
	"SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n",
	"aHR0cDovL2EuZXhhbXBsZS94aHR0cDovL2EuZXhhbXBsZS94aHR0cDovL2EuZXhhbXBsZS94\naHR0cDovL2EuZXhhbXBsZS94aHR0cDovL2EuZXhh"
	"bXBsZS94aHR0cDovL2EuZXhhbXBsZS94\n",
	"*** a.txt\n--- b.txt\n***************\n*** 1,2 ****\n! <URL:http://a.example/\n  b>\n",
	"@@ -1 +1 @@\n-<http://a.example/\n+b>\n", "+--------+\n| http://a.example/long- |\n| er |\n+--------+\n",
	"\357\273\277", "\377\376", "\376\377", "\033", "\033[", "\033]8;;http://", "\033P", "\23331m",
};

static void put_break(struct dice *dice, struct text *text, const char *prefix)
{
	const char *mark = PICK(dice, breaks);
	put(text, mark, *mark ? strlen(mark) : 1);
	puts_to(text, once_in(dice, 10) ? PICK(dice, prefixes) : prefix);
}

/* One construct, without the transformations that follow. */
static void put_construct(struct dice *dice, struct text *text)
{
	for (const char *p = PICK(dice, wrappers); *p; p++) {
		if (*p != '%')
			put_char(text, *p);
		else if (*++p == 't')
			puts_to(text, PICK(dice, words));
		else
			put_url(dice, text, *p == 'p');
	}
}

static size_t character_length(const char *bytes, size_t length)
{
	size_t n = 1;
	while (n < length && n < 4 && ((unsigned char)bytes[n] & 0xc0) == 0x80 && ((unsigned char)*bytes & 0x80))
		n++;
	return n;
}

/* A construct, overstruck, coloured, broken, escaped or defanged. */
static void put_transformed(struct dice *dice, struct text *text, const char *prefix)
{
	static const char *const colours[] = { "\033[1m", "\033[0m",      "\033[31;1m", "\033[m", "\033[K",
										   "\033(B",  "\033[38;5;1m", "\016",       "\2331m" };
	char bytes[SCRAP];
	struct text scrap = { bytes, 0, sizeof bytes };
	put_construct(dice, &scrap);
	if (once_in(dice, 3)) {
		puts_to(&scrap, " ");
		put_construct(dice, &scrap);
	}
	const uint32_t how = roll(dice, 16), rate = 1 + roll(dice, 24);
	for (size_t i = 0, n; i < scrap.length; i += n) {
		const char *c = scrap.bytes + i;
		n = character_length(c, scrap.length - i);
		const int here = once_in(dice, rate);
		if (how == 1 || (how == 2 && here)) { /* bold: c ^H c */
			for (uint32_t k = how == 1 ? 1 : roll(dice, 3); k > 0; k--) {
				put(text, c, n);
				put_char(text, '\b');
			}
		} else if (how == 3 || (how == 4 && here)) {
			puts_to(text, "_\b");
		} else if (how == 5 && here) {
			puts_to(text, PICK(dice, colours));
		} else if ((how == 6 || how == 7) && here) {
			put_break(dice, text, prefix);
		} else if (how == 8 && here) {
			put_char(text, (int)roll(dice, 256));
		} else if (how == 9 && *c == '.') {
			puts_to(text, here ? "[.]" : "(.)");
			continue;
		} else if (how == 10 && here) {
			continue;
		}
		put(text, c, n);
		if (how == 4 && here)
			puts_to(text, "\b_");
	}
}

static void put_run(struct dice *dice, struct text *text)
{
	static const char *const units[] = {
		"a", " ", "<", ">", "(", "/", ".", "-", "\n", "> ", "\b", "_\b", "\033", "\033[", "[", "http:", "<URL:", "www.",
		"@", "\r", "%", "&amp;", "\303", "\342\200\213", "e\314\201", "\0", "=", "\\", "\"", "'", "a.", "a@", ":", "\f",
		"\t", "x_", "(http://a.example/", "<a.example ", "&", "[[",
	};
	const char *unit = PICK(dice, units);
	for (uint32_t n = once_in(dice, 40) ? 400 + roll(dice, 4000) : roll(dice, 90); n > 0; n--)
		put(text, unit, *unit ? strlen(unit) : 1);
}

static void put_words(struct dice *dice, struct text *text)
{
	for (uint32_t n = roll(dice, 14); n > 0; n--) {
		puts_to(text, PICK(dice, words));
		put_char(text, ' ');
	}
}

static void put_text(struct dice *dice, struct text *text)
{
	const char *prefix = roll(dice, 2) ? "" : PICK(dice, prefixes);
	for (uint32_t lines = 1 + roll(dice, 7); lines > 0; lines--) {
		puts_to(text, prefix);
		if (roll(dice, 2))
			put_words(dice, text);
		const uint32_t what = roll(dice, 16);
		if (what < 13)
			put_transformed(dice, text, prefix);
		else if (what == 13)
			puts_to(text, PICK(dice, blocks));
		else if (what == 14)
			put_run(dice, text);
		if (once_in(dice, 3))
			put_words(dice, text);
		if (once_in(dice, 4))
			put_break(dice, text, prefix);
		else
			puts_to(text, once_in(dice, 8) ? "\r\n" : "\n");
		if (once_in(dice, 10))
			prefix = PICK(dice, prefixes);
	}
}

static void mutate(struct dice *dice, struct text *text)
{
	for (uint32_t n = roll(dice, 4); n > 0 && text->length > 1; n--) {
		const size_t at = roll(dice, 65536) % text->length, to = roll(dice, 65536) % text->length;
		const size_t low = at < to ? at : to, high = at < to ? to : at;
		switch (roll(dice, 4)) {
		case 0: text->bytes[at] = (char)roll(dice, 256); break;
		case 1: text->length = at + 1; break;
		case 2:
			memmove(text->bytes + low, text->bytes + high, text->length - high);
			text->length -= high - low;
			break;
		default: put(text, text->bytes + low, high - low); break;
		}
	}
}

/* UTF-16 and UTF-32 of ASCII and other bytes, as they come. */
static void widen(struct text *text, unsigned width, int big)
{
	if (text->length * width > text->room)
		text->length = text->room / width;
	for (size_t i = text->length; i-- > 0;) {
		const char c = text->bytes[i];
		memset(text->bytes + i * width, 0, width);
		text->bytes[i * width + (big ? width - 1 : 0)] = c;
	}
	text->length *= width;
}

/* ---- The grammar of HTML ---- */

static void put_html(struct dice *dice, struct text *text, int whole)
{
	static const char *const tags[] = {
		"<a href=\"%s\">%t</a>", "<a href='%s'>%p</a>", "<a href=%s>%t", "<area href=\"%s\">", "<form action=\"%s\">",
		"<iframe src=\"%s\">", "<base href=\"%s\">", "<meta http-equiv=refresh content=\"0; url=%s\">",
		"<link rel=stylesheet href=\"%s\">", "<img src=\"%s\" srcset=\"%p 1x, %s 2x\" alt=\"%t\">",
		"<script src=\"%s\">var x = '%p'</script>", "<style>@import \"%s\"; p { background: url(%p) }</style>",
		"<p style=\"background:url('%s')\">", "<!-- %s -->", "<p>%s</p>", "<br>", "<pre>%s\n%t</pre>", "<b>%t</b>",
		"<h1>%t</h1>", "<div hidden>%s</div>", "<a href=\"%s\"><img src=%p alt='%t'></a>", "<td>%t</td><td>%s</td>",
		"<textarea>%s</textarea>", "<title>%s</title>", "<a\nhref\n=\n\"%s\n\">%t</a>", "&#104;ttp://%t.example/",
		"&nbsp;", "<a href=\"../%t\">%t</a>", "<a href=\"#%t\">%t</a>", "<a href=\"//%t.example\\x\">%t</a>",
		"<a href=\"java\nscript:%t\">%s</a>", "<![CDATA[%s]]>", "<?xml %s?>", "<wbr>", "&shy;", "<a", "</a", "<!", "&",
		"&#x", "&#1114112;", "&amp", "<svg><a xlink:href=\"%s\">%t</a></svg>", "<blockquote>%t %s</blockquote>",
		"<li>%s", "<noscript>%s</noscript>", "<template>%s</template>", "<video poster=%s><source src=%p></video>",
		"<object data=%s>", "<body background=%s>", "<span style=\"display:none\">%s</span>",
		"http://a.ex<wbr>ample/<b>x</b>%t",
	};
	static const char *const starts[] = { "<!doctype html>\n", "<html>",
										  " \n<?xml version=\"1.0\"?>\n<!DOCTYPE HTML PUBLIC \"x\">",
										  "<HTML lang=de><head><meta charset=iso-8859-1></head>" };
	if (whole)
		puts_to(text, PICK(dice, starts));
	for (uint32_t n = 1 + roll(dice, 8); n > 0; n--) {
		if (once_in(dice, 4)) {
			put_transformed(dice, text, "");
			continue;
		}
		for (const char *p = PICK(dice, tags); *p; p++) {
			if (*p != '%')
				put_char(text, *p);
			else if (*++p == 't')
				puts_to(text, PICK(dice, words));
			else
				put_url(dice, text, *p == 'p');
		}
		if (once_in(dice, 3))
			put_char(text, '\n');
	}
}

/* ---- The grammar of mail ---- */

static void put_base64(struct text *to, const struct text *from)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < from->length; i += 3) {
		uint32_t v = 0;
		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (i + k < from->length ? (unsigned char)from->bytes[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			put_char(to, i + k > from->length ? '=' : digits[v >> (18 - 6 * k) & 63]);
		if (i % 57 == 54)
			put_char(to, '\n');
	}
	put_char(to, '\n');
}

static void put_quoted_printable(struct dice *dice, struct text *to, const struct text *from)
{
	size_t column = 0;
	for (size_t i = 0; i < from->length; i++) {
		const unsigned char c = (unsigned char)from->bytes[i];
		if (c == '\n') {
			put_char(to, '\n');
			column = 0;
			continue;
		}
		if (column > 70 || once_in(dice, 60)) {
			puts_to(to, "=\n");
			column = 0;
		}
		if (c == '=' || c > 126 || c < 32 || once_in(dice, 40)) {
			char escape[8];
			snprintf(escape, sizeof escape, roll(dice, 8) ? "=%02X" : "=%02x", (unsigned)c);
			puts_to(to, escape);
			column += 3;
		} else {
			put_char(to, c);
			column++;
		}
	}
}

static void put_flowed(struct dice *dice, struct text *to, const struct text *from)
{
	for (size_t i = 0; i < from->length; i++) {
		put_char(to, from->bytes[i]);
		if (from->bytes[i] == ' ' && once_in(dice, 3))
			put_char(to, '\n');
	}
}

static void put_field(struct dice *dice, struct text *text)
{
	static const char *const names[] = {
		"Subject", "From", "To", "Cc", "Date", "Message-ID", "List-Unsubscribe", "List-Id", "List-Archive",
		"Archived-At", "X-Url", "X-Face", "References", "In-Reply-To", "Newsgroups", "Content-Location", "Content-Base",
		"Content-Length", "Path", "Received", "Comments", "DKIM-Signature", "Organization", "Face", "Content-Language",
		"subject", "Xref", "Mime-Version", "Lines", "List-Post",
	};
	static const char *const values[] = { "<x@a.example>",
										  "Mon, 1 Jan 2024 10:00:00 +0000",
										  "Sun, 31 Feb 99999 25:61:00",
										  "a@b.example (Ada)",
										  "comp.lang.c,alt.x",
										  "12",
										  "5",
										  "\"Q\" <q@h.example>",
										  "news!a!b",
										  "1.0",
										  "<mailto:l@d.example?subject=x>, <http://u.example/>",
										  "Garden <g.lists.example>",
										  "de",
										  "en, fr" };
	char bytes[SCRAP];
	struct text scrap = { bytes, 0, sizeof bytes };
	puts_to(text, PICK(dice, names));
	puts_to(text, once_in(dice, 20) ? " : " : ": ");
	if (roll(dice, 2)) {
		puts_to(text, PICK(dice, values));
	} else {
		put_construct(dice, &scrap);
		const uint32_t how = roll(dice, 5);
		if (how == 0) {
			puts_to(text,
					PICK(dice, ((const char *const[]){ "=?utf-8?B?", "=?iso-8859-1?b?", "=?utf-16?B?", "=?x?B?" })));
			put_base64(text, &scrap);
			if (text->length)
				text->length--;
			puts_to(text, "?=");
		} else if (how == 1) {
			puts_to(text, "=?us-ascii*en?Q?");
			put_quoted_printable(dice, text, &scrap);
			puts_to(text, "?=");
		} else {
			for (size_t i = 0; i < scrap.length; i++) {
				if (how == 2 && once_in(dice, 12))
					puts_to(text, roll(dice, 6) ? "\n " : "\r\n\t");
				put_char(text, scrap.bytes[i]);
			}
		}
	}
	puts_to(text, once_in(dice, 10) ? "\r\n" : "\n");
}

static void put_part(struct dice *dice, struct text *text, unsigned depth);

static void put_multipart(struct dice *dice, struct text *text, unsigned depth)
{
	static const char *const kinds[] = {
		"mixed", "alternative", "related", "digest", "signed", "alternative", "report"
	};
	char line[160];
	const unsigned mark = roll(dice, 3);
	snprintf(line, sizeof line,
			 roll(dice, 5) ? "Content-Type: multipart/%s; boundary=\"b%u\"\n"
						   : "Content-Type: multipart/%s;\n boundary*0=b; boundary*1=%u\n",
			 PICK(dice, kinds), mark);
	puts_to(text, line);
	puts_to(text, "\npreamble http://pre.example/\n");
	for (uint32_t n = roll(dice, 4); n > 0; n--) {
		snprintf(line, sizeof line, "\n--b%u\n", mark);
		puts_to(text, line);
		put_part(dice, text, depth + 1);
	}
	if (roll(dice, 4)) {
		snprintf(line, sizeof line, "\n--b%u--\nepilogue http://epi.example/\n", mark);
		puts_to(text, line);
	}
}

/* The header fields that begin with Content-, the blank line and the body. */
static void put_part(struct dice *dice, struct text *text, unsigned depth)
{
	static const char *const types[] = {
		"text/plain", "text/plain; charset=utf-8", "text/plain; format=flowed", "text/plain; format=flowed; delsp=yes",
		"text/html", "text/html; charset=iso-8859-1", "text/plain; charset=utf-16", "text/plain; charset=nonsense",
		"application/octet-stream", "message/rfc822", "text/calendar", "text/vcard", "text/rfc822-headers",
		"application/xhtml+xml", "message/partial", "text/plain; charset*=utf-8'en'us%2Dascii", "text/csv",
		"text/plain; charset=utf-7", "text/plain; charset=iso-2022-jp", "message/external-body", "image/png",
		"application/pgp-encrypted", "text/plain; charset=\"windows-1251\"",
	};
	static const char *const encodings[] = {
		"7bit",       "8bit",     "quoted-printable", "base64", "Quoted-Printable (x)",
		"x-uuencode", "nonsense", "BASE64",           "binary"
	};
	if (depth < 3 && once_in(dice, depth ? 8 : 3)) {
		put_multipart(dice, text, depth);
		return;
	}
	char bytes[SCRAP];
	struct text body = { bytes, 0, sizeof bytes };
	const char *type = PICK(dice, types);
	const char *encoding = PICK(dice, encodings);
	if (roll(dice, 4)) {
		puts_to(text, "Content-Type: ");
		puts_to(text, type);
		put_char(text, '\n');
	}
	if (roll(dice, 2)) {
		puts_to(text, "Content-Transfer-Encoding: ");
		puts_to(text, encoding);
		put_char(text, '\n');
	} else {
		encoding = "";
	}
	if (once_in(dice, 4))
		put_field(dice, text);
	if (roll(dice, 12))
		put_char(text, '\n');
	if (strstr(type, "rfc822")) {
		put_field(dice, &body);
		put_field(dice, &body);
		if (depth < 3)
			put_part(dice, &body, depth + 1);
	} else if (strstr(type, "html")) {
		put_html(dice, &body, (int)roll(dice, 2));
	} else {
		put_text(dice, &body);
	}
	if (strstr(encoding, "64"))
		put_base64(text, &body);
	else if (strstr(encoding, "uoted"))
		put_quoted_printable(dice, text, &body);
	else if (strstr(type, "flowed"))
		put_flowed(dice, text, &body);
	else
		put(text, body.bytes, body.length);
	put_char(text, '\n');
}

static void put_message(struct dice *dice, struct text *text)
{
	if (roll(dice, 5))
		puts_to(text, "From: a@b.example\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n");
	for (uint32_t n = roll(dice, 5); n > 0; n--)
		put_field(dice, text);
	put_part(dice, text, 0);
}

static void put_mailbox(struct dice *dice, struct text *text, urlsift_mail_kind kind)
{
	static const char from_line[] = "From a@b.example Mon Jan  1 10:00:00 2024\n";
	if (kind == URLSIFT_KIND_BABYL)
		puts_to(text, "BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\037");
	for (uint32_t n = 1 + roll(dice, 3); n > 0; n--) {
		const size_t at = text->length;
		if (kind == URLSIFT_KIND_MBOX)
			puts_to(text, roll(dice, 8) ? from_line : "From x\n");
		else if (kind == URLSIFT_KIND_MMDF)
			puts_to(text, "\1\1\1\1\n");
		else if (kind == URLSIFT_KIND_RNEWS)
			puts_to(text, "#! rnews     \n");
		else if (kind == URLSIFT_KIND_BABYL)
			puts_to(text, "\f\n1, answered,,\n*** EOOH ***\n");
		const size_t begin = text->length;
		put_message(dice, text);
		if (kind == URLSIFT_KIND_RNEWS && text->length >= begin && begin >= at + 14) {
			char number[16];
			const int k = snprintf(number, sizeof number, "%u",
								   (unsigned)(text->length - begin + (roll(dice, 6) ? 0 : roll(dice, 9))));
			memcpy(text->bytes + at + 9, number, (size_t)k < 5 ? (size_t)k : 4);
		}
		puts_to(text, kind == URLSIFT_KIND_MMDF    ? "\1\1\1\1\n"
					  : kind == URLSIFT_KIND_BABYL ? "\037"
					  : roll(dice, 6)              ? "\n"
												   : ">From x\n");
	}
}

/* ---- What headers and manuals say of any text ---- */

static int is_utf8(const char *bytes, size_t length)
{
	const unsigned char *p = (const unsigned char *)bytes, *end = p + length;
	while (p < end) {
		const unsigned c = *p++;
		if (c < 0x80)
			continue;
		const int more = c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : 0;
		if (!more || end - p < more)
			return 0;
		const unsigned d = *p;
		if ((c == 0xe0 && d < 0xa0) || (c == 0xed && d > 0x9f) || (c == 0xf0 && d < 0x90) || (c == 0xf4 && d > 0x8f))
			return 0;
		for (int i = 0; i < more; i++)
			if ((*p++ & 0xc0) != 0x80)
				return 0;
	}
	return 1;
}

static size_t count_characters(const char *bytes, size_t length)
{
	size_t n = 0;
	for (size_t i = 0; i < length; i++)
		n += ((unsigned char)bytes[i] & 0xc0) != 0x80;
	return n;
}

/* Characters that lists, JSON and pages do not hold outside an isolating element. */
static int moves_or_hides(uint32_t c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || (c >= 0x202a && c <= 0x202e) ||
		   (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f || c == 0x61c;
}

static int has_control(const char *bytes, size_t length, const char *allowed)
{
	for (size_t i = 0; i < length;) {
		uint32_t c;
		i += urlsift_next_character(bytes + i, length - i, &c);
		if (moves_or_hides(c) && !(c && c < 128 && strchr(allowed, (int)c)))
			return 1;
	}
	return 0;
}

static int is_href(const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (bytes[i] <= ' ' || bytes[i] > '~' || strchr("\"<>\\^`{|}", bytes[i]))
			return 0;
	return 1;
}

static int same(const char *a, size_t n, const char *b, size_t m)
{
	return n == m && (n == 0 || memcmp(a, b, n) == 0);
}

static char text_end(const urlsift_text *text)
{
	return text->bytes[text->length];
}

/* ---- A trace of links ---- */

struct setup {
	urlsift_options *options;
	urlsift_link_rules *rules;
	const char *charset;
	int has_base, mail;
	long values[URLSIFT_OPT_IMPLEMENTATION + 1];
};

struct trace {
	struct run *run;
	const struct setup *setup;
	struct text *out;
	char notice_bytes[2048];
	struct text notices;
	uint64_t next; /* where the next piece of a tiled input begins */
	uint64_t plain_from, plain_to, plain_hash;
	size_t part; /* of the link that is being reported, 0 for none */
	size_t links, pieces, messages;
	size_t stop_after; /* pieces; 0: never */
	int stopped, misuse;
	int loose;                  /* only texts and parts, without what may allocate */
	int quiet;                  /* plain text is not recorded */
	const urlsift_found *found; /* what urlsift_find has found */
	urlsift_scanner *scanner;
	urlsift_mail *mail;
};

#define FORMAT(text, ...) \
	do { \
		char line_[400]; \
		const int n_ = snprintf(line_, sizeof line_, __VA_ARGS__); \
		put((text), line_, (size_t)n_ < sizeof line_ ? (size_t)n_ : sizeof line_ - 1); \
	} while (0)

/* A function that writes at most `size` bytes and returns the length. */
typedef size_t write_form(const urlsift_link *link, char *out, size_t size);

static size_t form_of(struct run *run, const urlsift_link *link, write_form *form, struct text *out)
{
	const size_t length = form(link, out->bytes, out->room);
	PROMISE(run, length != URLSIFT_LENGTH_NO_MEMORY, "a form needs no more memory than there is");
	out->length = length < out->room ? length : out->room;
	const size_t some = length ? (size_t)roll(&run->dice, 64) % (length + 1) : 0;
	if (some < 64) {
		char small[65];
		memset(small, '#', sizeof small);
		PROMISE(run, form(link, small, some) == length,
				"the length of a form does not depend on the size of the buffer");
		PROMISE(run, memcmp(small, out->bytes, some) == 0 && small[some] == '#', "at most `size` bytes are written");
	}
	return length;
}

static void check_position(struct trace *trace, const urlsift_link *link)
{
	const struct text *page = &trace->run->page;
	if (memcmp(page->bytes, "\376\377", 2) == 0 || memcmp(page->bytes, "\377\376", 2) == 0)
		return; /* UTF-16 */
	size_t count;
	const urlsift_range *parts = urlsift_link_parts(link, &count);
	uint64_t line = 1, column = 1;
	for (size_t i = 0; i < parts[0].offset && i < page->length;) {
		uint32_t c;
		const size_t n = urlsift_next_character(page->bytes + i, page->length - i, &c);
		if (c == '\n' || (c == '\r' && !(i + 1 < page->length && page->bytes[i + 1] == '\n'))) {
			line++;
			column = 1;
		} else {
			column++;
		}
		i += n;
	}
	PROMISE(trace->run, urlsift_link_line(link) == line, "line of the first character; LF, CRLF and CR end lines");
	if (!memchr(page->bytes, '\b', page->length) && !memchr(page->bytes, '\033', page->length) &&
		!memchr(page->bytes, '\016', page->length) && !memchr(page->bytes, 0xef, page->length) &&
		!memchr(page->bytes, 0x9b, page->length))
		PROMISE(trace->run, urlsift_link_column(link) == column, "column of the first character, in characters");
}

static void check_forms(struct trace *trace, const urlsift_link *link)
{
	struct run *run = trace->run;
	char bytes[3][SCRAP];
	struct text absolute = { bytes[0], 0, SCRAP }, target = { bytes[1], 0, SCRAP }, normal = { bytes[2], 0, SCRAP };
	size_t length, n;
	const char *text = urlsift_link_text(link, &length);
	const size_t a = form_of(run, link, urlsift_link_absolute, &absolute),
				 t = form_of(run, link, urlsift_link_target, &target);
	const size_t m = form_of(run, link, urlsift_link_normal, &normal);
	const unsigned warnings = urlsift_link_warnings(link);
	FORMAT(trace->out, " w=%x a=%zu t=%zu n=%zu simple=%d\n  ", warnings, a, t, m, urlsift_link_is_simple(link));
	put(trace->out, target.bytes, target.length);
	puts_to(trace->out, "\n  ");
	put(trace->out, normal.bytes, normal.length);
	for (unsigned bit = 1; bit <= (unsigned)URLSIFT_WARN_NO_MEMORY; bit <<= 1)
		if (warnings & bit)
			PROMISE(run, urlsift_warning_name(bit) && urlsift_warning_reason(bit),
					"each warning has a name and a reason");
	PROMISE(run, t > SCRAP || is_href(target.bytes, t), "the target is ASCII and free of what RFC 3986 forbids");
	PROMISE(run, m > SCRAP || is_href(normal.bytes, m),
			"the comparable form is ASCII and free of what RFC 3986 forbids");
	PROMISE(run, urlsift_link_resolved(link, &n) || is_utf8(absolute.bytes, a < SCRAP ? a : 0),
			"the absolute URL is valid UTF-8");
	const char *resolved = urlsift_link_resolved(link, &n);
	if (!resolved) {
		const char *supplied = urlsift_link_supplied(link);
		const size_t k = strlen(supplied);
		PROMISE(run, a == k + length, "the absolute URL is the supplied scheme and the text");
		PROMISE(run, a > SCRAP || (!memcmp(absolute.bytes, supplied, k) && !memcmp(absolute.bytes + k, text, length)),
				"the absolute URL is the supplied scheme and the text");
	}
	char out[3 * SCRAP];
	if (m < SCRAP) {
		const urlsift_url url = { .text = normal.bytes, .length = m };
		const size_t again = urlsift_url_normal(&url, out, sizeof out);
		PROMISE(run, same(out, again, normal.bytes, m) || (warnings & URLSIFT_WARN_TOO_LONG),
				"the normal form is idempotent");
	}
	if (t < SCRAP) {
		const urlsift_url url = { .text = target.bytes, .length = t };
		PROMISE(run, same(out, urlsift_url_target(&url, out, sizeof out), target.bytes, t),
				"the target of a target is itself");
	}
	if (a < SCRAP) {
		urlsift_url url;
		urlsift_url_split(absolute.bytes, a, &url);
		PROMISE(run,
				same(out, urlsift_url_target(&url, out, sizeof out), target.bytes, t < SCRAP ? t : 0) || t >= SCRAP,
				"urlsift_url_target is as urlsift_link_target");
		PROMISE(run,
				same(out, urlsift_url_normal(&url, out, sizeof out), normal.bytes, m < SCRAP ? m : 0) || m >= SCRAP,
				"urlsift_url_normal is as urlsift_link_normal");
		const unsigned of_text = URLSIFT_WARN_TEXT_MISMATCH | URLSIFT_WARN_REDIRECT | URLSIFT_WARN_JOINED_SCHEME |
								 URLSIFT_WARN_REFANGED | URLSIFT_WARN_TOO_LONG | URLSIFT_WARN_BLANK;
		const unsigned of_url = urlsift_url_warnings(&url); /* a character that ends the link gives others */
		const unsigned of_end = (URLSIFT_WARN_INVISIBLE | URLSIFT_WARN_BIDI) & ~of_url;
		PROMISE(run, (of_url & ~of_text) == (warnings & ~of_text & ~of_end),
				"urlsift_url_warnings has those that do not depend on the text");
		FORMAT(trace->out, " u=%zu", urlsift_url_unwrap(&url, out, sizeof out));
		const size_t whole = a;
		PROMISE(run,
				!(urlsift_link_is_simple(link)) || (!warnings && same(text, length, target.bytes, t) &&
													url.host.present && url.host.length && whole == length),
				"a simple link has no warnings, and its text is its target and has a host");
		if (urlsift_link_is_simple(link)) {
			PROMISE(run, urlsift_url_check(run->context, &url, URLSIFT_RFC3986, NULL) == URLSIFT_OK,
					"a simple link is valid by RFC 3986");
			PROMISE(run, !memchr(text, '\'', length), "the only character in a simple link that must be escaped is &");
			PROMISE(run, urlsift_scheme_linkable(text, url.scheme.length), "a simple link may be used as an href");
		}
	}
}

/* Its other readings, its label and what is around it. */
static void check_texts(struct trace *trace, const urlsift_link *link)
{
	struct run *run = trace->run;
	const struct setup *setup = trace->setup;
	size_t length, n;
	const char *text = urlsift_link_text(link, &length);
	const urlsift_alternate *other = urlsift_link_alternates(link, &n);
	PROMISE(run, n <= (size_t)setup->values[URLSIFT_OPT_MAX_ALTERNATES] && !n == !other,
			"at most MAX_ALTERNATES alternates; NULL and 0 for none");
	for (size_t i = 0; i < n; i++) {
		FORMAT(trace->out, "\n  alt %d %.3f ", (int)other[i].why, other[i].confidence);
		put(trace->out, other[i].text, other[i].length);
		PROMISE(run, is_utf8(other[i].text, other[i].length) && other[i].confidence >= 0 && other[i].confidence <= 1,
				"an alternate is UTF-8 and has a confidence from 0 to 1");
		PROMISE(run, !i || other[i - 1].why <= other[i].why, "hyphens first, then joins");
		PROMISE(run, !same(other[i].text, other[i].length, text, length), "an alternate is another reading");
	}
	const char *label = urlsift_link_label(link, &n);
	urlsift_text around[2];
	urlsift_link_context(link, around, around + 1);
	PROMISE(run,
			is_utf8(label, n) && count_characters(label, n) <= 200 &&
				(setup->mail || !n || setup->values[URLSIFT_OPT_LABELS]),
			"a label is UTF-8 of at most 200 characters");
	FORMAT(trace->out, "\n  label ");
	put(trace->out, label, n);
	for (int i = 0; i < 2; i++) {
		PROMISE(run,
				is_utf8(around[i].bytes, around[i].length) &&
					count_characters(around[i].bytes, around[i].length) <= 200,
				"context is UTF-8 of at most 200 characters");
		puts_to(trace->out, "|");
		put(trace->out, around[i].bytes, around[i].length);
	}
}

static void check_link(struct trace *trace, const urlsift_link *link)
{
	struct run *run = trace->run;
	const struct setup *setup = trace->setup;
	size_t length, n, count;
	const char *text = urlsift_link_text(link, &length);
	PROMISE(run, text && length && is_utf8(text, length), "the text of a link is valid UTF-8");
	PROMISE(run, length <= (size_t)setup->values[URLSIFT_OPT_MAX_URL],
			"a link's text has at most URLSIFT_OPT_MAX_URL bytes");
	FORMAT(trace->out, "link %d f=%x ", (int)urlsift_link_convention(link), urlsift_link_flags(link));
	put(trace->out, text, length);
	const char *scheme = urlsift_link_scheme(link, &n);
	PROMISE(run, scheme && n, "a link has a scheme");
	for (size_t i = 0; i < n; i++)
		PROMISE(run, !(scheme[i] >= 'A' && scheme[i] <= 'Z'), "the scheme is in lower case");
	const unsigned flags = urlsift_link_flags(link);
	const urlsift_convention convention = urlsift_link_convention(link);
	const urlsift_removed removed = urlsift_link_removed(link);
	PROMISE(run, urlsift_convention_name(convention) != NULL, "each convention has a name");
	for (unsigned bit = 1; bit <= URLSIFT_REFANGED; bit <<= 1)
		PROMISE(run, !(flags & bit) || bit == URLSIFT_SCHEME_JOINED || urlsift_flag_name(bit), "each flag has a name");
	PROMISE(run, !(flags & URLSIFT_REFANGED) || setup->values[URLSIFT_OPT_REFANG],
			"defanged links are found only with REFANG");
	PROMISE(run,
			convention != URLSIFT_CONV_EMAIL || setup->values[URLSIFT_OPT_EMAIL] || setup->values[URLSIFT_OPT_REFANG],
			"bare addresses are links only with EMAIL");
	PROMISE(run, convention != URLSIFT_CONV_RULE || setup->rules, "links by a rule need rules");
	PROMISE(run, !(flags & URLSIFT_RESOLVED) || urlsift_link_resolved(link, &n),
			"a resolved link has its absolute URL");
	PROMISE(run, (flags & URLSIFT_RESOLVED) || convention == URLSIFT_CONV_RULE || !urlsift_link_resolved(link, &n),
			"resolved only if relative");
	PROMISE(run,
			(size_t)setup->values[URLSIFT_OPT_MAX_BREAKS] >= removed.hyphens && removed.hyphens <= removed.breaks &&
				removed.decorations <= removed.breaks,
			"hyphens and decorations are among the breaks");
	PROMISE(run, !removed.breaks || (flags & URLSIFT_JOINED), "JOINED: whitespace inside was removed");
	const urlsift_range *parts = urlsift_link_parts(link, &count);
	PROMISE(run, parts && count >= 1, "at least one part");
	for (size_t i = 0; i < count; i++) {
		FORMAT(trace->out, " %llu+%llu", (unsigned long long)parts[i].offset, (unsigned long long)parts[i].length);
		PROMISE(run, parts[i].length || setup->mail, "a part has bytes");
		PROMISE(run, !i || parts[i - 1].offset + parts[i - 1].length <= parts[i].offset || setup->mail,
				"the parts are in order");
	}
	PROMISE(run, setup->mail || parts[count - 1].offset + parts[count - 1].length - parts[0].offset <= 128 * 1024,
			"a link spans at most 128 KiB");
	check_texts(trace, link);
	FORMAT(trace->out, "| %llu:%llu", (unsigned long long)urlsift_link_line(link),
		   (unsigned long long)urlsift_link_column(link));
	if (!setup->mail && !setup->values[URLSIFT_OPT_POSITIONS])
		PROMISE(run, !urlsift_link_line(link) && !urlsift_link_column(link), "no position unless asked for");
	else if (!setup->mail && !setup->charset && trace->next != (uint64_t)-1)
		check_position(trace, link);
	if (!trace->loose)
		check_forms(trace, link);
	puts_to(trace->out, "\n");
}

/* urlsift_find finds what a scanner finds. */
static void check_found(struct trace *trace, const urlsift_link *link)
{
	struct run *run = trace->run;
	PROMISE(run, trace->links < trace->found->count, "urlsift_find finds every link");
	const urlsift_found_link *found = trace->found->links[trace->links];
	size_t n, count;
	const char *text = urlsift_link_text(link, &n);
	char out[SCRAP];
	PROMISE(run, same(text, n, found->text.bytes, found->text.length) && !text_end(&found->text),
			"urlsift_find: the text, and a NUL");
	n = urlsift_link_target(link, out, sizeof out);
	PROMISE(run,
			n > sizeof out || (same(out, n, found->target.bytes, found->target.length) && !text_end(&found->target)),
			"urlsift_find: the target, and a NUL");
	n = urlsift_link_normal(link, out, sizeof out);
	PROMISE(run,
			n > sizeof out || (same(out, n, found->normal.bytes, found->normal.length) && !text_end(&found->normal)),
			"urlsift_find: the comparable form, and a NUL");
	text = urlsift_link_scheme(link, &n);
	PROMISE(run, same(text, n, found->scheme.bytes, found->scheme.length) && !text_end(&found->scheme),
			"urlsift_find: the scheme, and a NUL");
	text = urlsift_link_label(link, &n);
	PROMISE(run, same(text, n, found->label.bytes, found->label.length) && !text_end(&found->label),
			"urlsift_find: the label, and a NUL");
	PROMISE(run,
			found->convention == urlsift_link_convention(link) && found->flags == urlsift_link_flags(link) &&
				found->warnings == urlsift_link_warnings(link),
			"urlsift_find: convention, flags, warnings");
	PROMISE(run,
			found->linkable == (urlsift_scheme_linkable(found->scheme.bytes, found->scheme.length) &&
								!(found->warnings & URLSIFT_WARN_NO_HREF)),
			"linkable: the scheme is on the list and no warning forbids an href");
	const urlsift_range *parts = urlsift_link_parts(link, &count);
	PROMISE(run, count == found->part_count && !memcmp(parts, found->parts, count * sizeof *parts),
			"urlsift_find: the parts");
	PROMISE(run, found->line == urlsift_link_line(link) && found->column == urlsift_link_column(link),
			"urlsift_find: line and column");
	const urlsift_alternate *other = urlsift_link_alternates(link, &n);
	PROMISE(run, n == found->alternate_count, "urlsift_find: the alternates");
	for (size_t i = 0; i < n; i++)
		PROMISE(run,
				same(other[i].text, other[i].length, found->alternates[i].text, found->alternates[i].length) &&
					!found->alternates[i].text[other[i].length],
				"urlsift_find: the alternates, and a NUL");
	urlsift_url url;
	urlsift_url_split(found->normal.bytes, found->normal.length, &url);
	PROMISE(run, same(found->host.bytes, found->host.length, found->normal.bytes + url.host.offset, url.host.length),
			"urlsift_find: the host of the comparable form");
}

static void end_plain(struct trace *trace)
{
	if (trace->plain_to > trace->plain_from && !trace->quiet)
		FORMAT(trace->out, "plain %llu..%llu %llx\n", (unsigned long long)trace->plain_from,
			   (unsigned long long)trace->plain_to, (unsigned long long)trace->plain_hash);
	trace->plain_from = trace->plain_to;
	trace->plain_hash = 1469598103934665603U;
}

static void add_plain(struct trace *trace, const urlsift_piece *piece)
{
	if (trace->plain_to != piece->offset)
		end_plain(trace);
	if (trace->plain_from == trace->plain_to)
		trace->plain_from = piece->offset;
	trace->plain_to = piece->offset + piece->length;
	for (size_t i = 0; i < piece->text_length; i++)
		trace->plain_hash = (trace->plain_hash ^ (unsigned char)piece->text[i]) * 1099511628211U;
}

static void call_from_callback(struct trace *trace)
{
	struct run *run = trace->run;
	if (trace->scanner) {
		PROMISE(run, urlsift_feed(trace->scanner, "x", 1) == URLSIFT_BAD_STATE, "feeding in a callback is BAD_STATE");
		PROMISE(run, urlsift_finish(trace->scanner) == URLSIFT_BAD_STATE, "finishing in a callback is BAD_STATE");
		urlsift_reset(trace->scanner);
		urlsift_free(trace->scanner);
	}
	if (trace->mail) {
		const urlsift_mail_options how = { .kind = URLSIFT_KIND_MESSAGE };
		PROMISE(run, urlsift_mail_feed(trace->mail, "x", 1) == URLSIFT_BAD_STATE, "feeding in a callback is BAD_STATE");
		PROMISE(run, urlsift_mail_finish(trace->mail) == URLSIFT_BAD_STATE, "finishing in a callback is BAD_STATE");
		PROMISE(run, urlsift_mail_reset(trace->mail, &how) == URLSIFT_BAD_STATE,
				"resetting in a callback is BAD_STATE");
		urlsift_mail_free(trace->mail);
	}
}

static int on_piece(void *user, const urlsift_piece *piece)
{
	struct trace *trace = user;
	struct run *run = trace->run;
	const struct text *page = &run->page;
	PROMISE(run, !trace->stopped, "nothing is reported after a callback has stopped");
	if (trace->misuse)
		call_from_callback(trace);
	if (!trace->mail && !trace->setup->mail && trace->next != (uint64_t)-1) {
		const int tiled = (int)trace->setup->values[URLSIFT_OPT_PLAIN];
		PROMISE(run, tiled ? piece->offset == trace->next : piece->offset >= trace->next, "the pieces tile the input");
		PROMISE(run, piece->offset + piece->length <= page->length, "the pieces lie in the input");
		trace->next = piece->offset + piece->length;
		const int refanged = piece->link && (urlsift_link_flags(piece->link) & URLSIFT_REFANGED);
		if (piece->text_length && !trace->setup->charset && !refanged && memcmp(page->bytes, "\377\376", 2) &&
			memcmp(page->bytes, "\376\377", 2) && !memchr(page->bytes, '\b', page->length) &&
			!memchr(page->bytes, '\033', page->length) && !memchr(page->bytes, 0x9b, page->length))
			PROMISE(run, same(piece->text, piece->text_length, page->bytes + piece->offset, (size_t)piece->length),
					"the text of a piece is that of its range");
	}
	if (trace->setup->charset && !trace->setup->mail && strcmp(trace->setup->charset, "us-ascii") != 0)
		PROMISE(run, is_utf8(piece->text, piece->text_length), "with a charset, the text of a piece is UTF-8");
	if (piece->link) {
		end_plain(trace);
		size_t count;
		if (piece->part == 0) {
			PROMISE(run, trace->part == 0, "a link is reported whole");
			if (trace->found)
				check_found(trace, piece->link);
			else
				check_link(trace, piece->link);
			trace->links++;
		} else {
			PROMISE(run, trace->part == piece->part || trace->next == (uint64_t)-1,
					"the parts of a link come in order");
		}
		const urlsift_range *parts = urlsift_link_parts(piece->link, &count);
		PROMISE(run, piece->part < count, "a part has a range");
		PROMISE(run, parts[piece->part].offset == piece->offset && parts[piece->part].length == piece->length,
				"the piece of a part has its range");
		trace->part = piece->part + 1 < count ? piece->part + 1 : 0;
		FORMAT(trace->out, "part %zu %llu+%llu ", piece->part, (unsigned long long)piece->offset,
			   (unsigned long long)piece->length);
		put(trace->out, piece->text, piece->text_length);
		puts_to(trace->out, "\n");
	} else {
		add_plain(trace, piece);
	}
	trace->pieces++;
	trace->stopped = trace->stop_after && trace->pieces >= trace->stop_after;
	return trace->stopped;
}

static int on_notice(void *user, const urlsift_notice *notice)
{
	struct trace *trace = user;
	PROMISE(trace->run, notice->limit != NULL, "a notice has the name of its limit");
	FORMAT(&trace->notices, "limit %s %llu @%llu\n", notice->limit, (unsigned long long)notice->value,
		   (unsigned long long)notice->offset);
	return 0;
}

static void trace_begin(struct trace *trace, struct run *run, const struct setup *setup, struct text *out)
{
	memset(trace, 0, sizeof *trace);
	trace->run = run;
	trace->setup = setup;
	trace->out = out;
	trace->notices = (struct text){ trace->notice_bytes, 0, sizeof trace->notice_bytes };
	trace->plain_hash = 1469598103934665603U;
	out->length = 0;
}

static void trace_end(struct trace *trace)
{
	end_plain(trace);
	put(trace->out, trace->notices.bytes, trace->notices.length);
}

/* ---- Options ---- */

static const char *const charsets[] = {
	"utf-8", "ISO-8859-1", "windows-1252", "utf-16", "UTF-16LE", "utf-16be", "utf-32", "iso-2022-jp", "Shift_JIS",
	"gb18030", "koi8-r", "us-ascii", "macintosh", "big5", "euc-kr", "utf-7", "hz-gb-2312", "nonsense", "UTF8", "latin1",
	"cp437", "iso-8859-8-i", "euc-jp", "x-sjis", "", "utf-8//IGNORE", "iso-2022-kr", "windows-874", "unicode-1-1-utf-7",
	"utf-ebcdic", "ucs-2", "utf-32le",
};
static const char *const rule_texts[] = {
	"\\bbug #?(\\d+) => https://bugs.example/$1\n# c\n\\bRFC ?(\\d{1,4})\\b => https://r.example/rfc$1\n",
	"(a+)+$ => http://x.example/$0", "[a-z]+ => http://w.example/$0?$$", "x* => http://e.example/",
	"(?<=a)b => http://l.example/$0", "( => http://a.example/", "a => ", "nothing", "\\w+ => javascript:$0",
	". => http://c.example/$0", "^.*$ => http://line.example/$9", "\\d+ => $0", "(*UTF)\\x{e9} => http://u.example/",
	"a\\Kb => http://k.example/$0",
};
static const char *const bases[] = { "http://base.example/dir/file?q#f",
									 "https://b.example",
									 "mailto:x@y.example",
									 "relative/x",
									 "http://b\303\274.example/\303\251",
									 "",
									 "file:///a/b",
									 "//b.example/",
									 "http:" };

static void setup_new(struct run *run, struct setup *setup, const urlsift_allocator *allocator)
{
	struct dice *dice = &run->dice;
	memset(setup, 0, sizeof *setup);
	setup->options = urlsift_options_new(allocator);
	for (urlsift_option option = 0; option <= URLSIFT_OPT_IMPLEMENTATION; option++) {
		long least = 0, most = 0, value = 0;
		PROMISE(run, urlsift_option_range(option, &least, &most, &value) == URLSIFT_OK, "a known option has a range");
		if (once_in(dice, 4)) {
			const long range = most - least > 300 ? 300 : most - least;
			long wanted = least + (long)roll(dice, (uint32_t)range + 1);
			const urlsift_status status =
				setup->options ? urlsift_options_set(setup->options, option, wanted) : URLSIFT_OK;
			PROMISE(run, status == URLSIFT_OK || option == URLSIFT_OPT_IMPLEMENTATION, "a value in range is accepted");
			if (status == URLSIFT_OK)
				value = wanted;
			note(run,
				 (const char *const[]){ "email", "domains", "www_https", "refang", "join", "hyphen", "guess",
										"positions", "max_url", "max_breaks", "max_alternates", "plain", "labels",
										"context", "implementation" }[option],
				 value);
		}
		setup->values[option] = value;
		if (!setup->options)
			continue;
		if (once_in(dice, 64))
			PROMISE(run,
					urlsift_options_set(setup->options, option, roll(dice, 2) ? most + 1 : least - 1) ==
						URLSIFT_BAD_ARGUMENT,
					"a value out of range is BAD_ARGUMENT");
		PROMISE(run, urlsift_options_get(setup->options, option) == value, "an option has the value that was set");
	}
	if (!setup->options)
		return;
	if (once_in(dice, 6)) {
		const char *name = PICK(dice, charsets);
		const urlsift_status status = urlsift_options_set_charset(setup->options, name);
		PROMISE(run,
				status == URLSIFT_OK || status == URLSIFT_BAD_CHARSET || (allocator && status == URLSIFT_NO_MEMORY),
				"a charset is accepted or BAD_CHARSET");
		if (status == URLSIFT_OK) {
			setup->charset = name;
			FORMAT(&run->notes, " charset=%s", name);
		}
		if (status == URLSIFT_OK && once_in(dice, 8)) {
			PROMISE(run, urlsift_options_set_charset(setup->options, NULL) == URLSIFT_OK || allocator,
					"NULL withdraws the charset");
			setup->charset = NULL;
			FORMAT(&run->notes, " charset=NULL");
		}
	}
	if (once_in(dice, 6)) {
		const char *base = PICK(dice, bases);
		const urlsift_status status = urlsift_options_set_base(setup->options, base, strlen(base));
		PROMISE(run,
				status == URLSIFT_OK || status == URLSIFT_BAD_ARGUMENT || (allocator && status == URLSIFT_NO_MEMORY),
				"a base is accepted or BAD_ARGUMENT");
		setup->has_base = status == URLSIFT_OK;
		if (status == URLSIFT_OK)
			FORMAT(&run->notes, " base=%s", base);
	}
	if (once_in(dice, 8)) {
		const char *rules = PICK(dice, rule_texts);
		urlsift_rule_fault fault = { 0, "" };
		const urlsift_status status = urlsift_link_rules_new(allocator, rules, strlen(rules), &setup->rules, &fault);
		PROMISE(run,
				status == URLSIFT_OK ||
					(status == URLSIFT_BAD_ARGUMENT && fault.line && memchr(fault.what, 0, sizeof fault.what)) ||
					(allocator && status == URLSIFT_NO_MEMORY),
				"a bad rule is BAD_ARGUMENT and sets the fault");
		if (status != URLSIFT_OK)
			setup->rules = NULL;
		urlsift_options_set_link_rules(setup->options, setup->rules);
		if (setup->rules)
			FORMAT(&run->notes, " rules=%s", rules);
	}
}

static void setup_free(struct setup *setup)
{
	urlsift_options_free(setup->options);
	urlsift_link_rules_free(setup->rules);
}

/* ---- Feeding ---- */

typedef urlsift_status feed_fn(void *object, const void *bytes, size_t length);

static urlsift_status feed_scanner(void *object, const void *bytes, size_t length)
{
	return bytes ? urlsift_feed(object, bytes, length) : urlsift_finish(object);
}

static urlsift_status feed_mail(void *object, const void *bytes, size_t length)
{
	return bytes ? urlsift_mail_feed(object, bytes, length) : urlsift_mail_finish(object);
}

/* Feeds [from, end of the page) in pieces of `most` bytes at most, each in a block of its own that is overwritten after
 * the call; 0: in one. */
static urlsift_status feed_page(struct run *run, feed_fn *feed, void *object, size_t from, uint32_t most)
{
	urlsift_status status = URLSIFT_OK;
	const struct text *page = &run->page;
	for (size_t i = from; i < page->length && status == URLSIFT_OK;) {
		size_t n = most ? 1 + roll(&run->dice, most) : page->length - i;
		if (n > page->length - i)
			n = page->length - i;
		char *block = malloc(n);
		if (!block)
			abort();
		memcpy(block, page->bytes + i, n);
		status = feed(object, block, n);
		memset(block, 'h', n);
		free(block);
		i += n;
	}
	return status == URLSIFT_OK ? feed(object, NULL, 0) : status;
}

static uint32_t any_chunk(struct dice *dice)
{
	return ((const uint32_t[]){ 1, 2, 7, 40, 300 })[roll(dice, 5)];
}

static void compare(struct run *run, const char *promise, int line)
{
	if (!same(run->first.bytes, run->first.length, run->second.bytes, run->second.length))
		broken(run, promise, line);
}

/* ---- Promises of the scanner ---- */

static urlsift_status scan_page(struct trace *trace, urlsift_scanner *scanner, uint32_t chunk)
{
	trace->scanner = scanner;
	const urlsift_status status = feed_page(trace->run, feed_scanner, scanner, 0, chunk);
	trace_end(trace);
	return status;
}

static void any_page(struct run *run, const struct setup *setup)
{
	struct dice *dice = &run->dice;
	if (once_in(dice, 12))
		put_html(dice, &run->page, 0);
	else
		put_text(dice, &run->page);
	if (once_in(dice, 3))
		mutate(dice, &run->page);
	if (setup && setup->charset && strstr(setup->charset, "16"))
		widen(&run->page, 2, (int)roll(dice, 2));
	else if (setup && setup->charset && strstr(setup->charset, "32"))
		widen(&run->page, 4, (int)roll(dice, 2));
	else if (once_in(dice, 300))
		widen(&run->page, 2 + 2 * roll(dice, 2), (int)roll(dice, 2));
	if (!run->page.length)
		put_char(&run->page, 'x');
}

static urlsift_sink trace_sink(struct trace *trace)
{
	return (urlsift_sink){ on_piece, on_notice, trace };
}

/* Any chunking, any vector set, a used scanner, without plain text: the results are equal. */
static void plan_scan(struct run *run)
{
	struct dice *dice = &run->dice;
	struct setup setup;
	setup_new(run, &setup, NULL);
	any_page(run, &setup);
	struct trace a, b;
	trace_begin(&a, run, &setup, &run->first);
	urlsift_sink sink = trace_sink(&a);
	const uint32_t how = roll(dice, 6), chunk = any_chunk(dice);
	note(run, "how", (long)how);
	note(run, "chunk", (long)chunk);
	a.quiet = how == 3;
	urlsift_scanner *scanner = urlsift_new(run->context, setup.options, &sink, NULL);
	const urlsift_status status = scan_page(&a, scanner, 0);
	PROMISE(run, status == URLSIFT_OK, "a text is scanned");
	PROMISE(run, !setup.values[URLSIFT_OPT_PLAIN] || a.next == run->page.length, "the pieces tile the whole input");
	PROMISE(run, urlsift_feed(scanner, "x", 1) == URLSIFT_BAD_STATE && urlsift_finish(scanner) == URLSIFT_BAD_STATE,
			"fed after the end: BAD_STATE");
	urlsift_free(scanner);
	if (how == 2)
		urlsift_options_set(setup.options, URLSIFT_OPT_IMPLEMENTATION, (long)roll(dice, 5));
	if (how == 3) {
		setup.values[URLSIFT_OPT_PLAIN] = !setup.values[URLSIFT_OPT_PLAIN];
		urlsift_options_set(setup.options, URLSIFT_OPT_PLAIN, setup.values[URLSIFT_OPT_PLAIN]);
	}
	trace_begin(&b, run, &setup, &run->second);
	b.quiet = a.quiet;
	sink = trace_sink(&b);
	scanner = urlsift_new(run->context, setup.options, &sink, NULL);
	if (how == 4 || how == 5) {
		b.stop_after = how == 4 ? 1 + roll(dice, 6) : 0;
		b.next = (uint64_t)-1;
		for (uint32_t n = roll(dice, 3); n > 0 && !b.stopped; n--) {
			const urlsift_status s = urlsift_feed(scanner, run->page.bytes, roll(dice, 65536) % run->page.length + 1);
			PROMISE(run, s == (b.stopped ? URLSIFT_STOPPED : URLSIFT_OK), "STOPPED if a callback asked to stop");
		}
		if (b.stopped) {
			const urlsift_status s = urlsift_feed(scanner, "x", 1);
			PROMISE(run, s == URLSIFT_STOPPED || s == URLSIFT_BAD_STATE, "a stopped scanner stays stopped");
		}
		urlsift_reset(scanner);
		trace_begin(&b, run, &setup, &run->second);
	}
	b.misuse = how == 1 && once_in(dice, 3);
	PROMISE(run, scan_page(&b, scanner, chunk) == URLSIFT_OK, "a text is scanned");
	urlsift_free(scanner);
	compare(run, "the result depends on neither the chunks, the vectors, PLAIN nor what was scanned before", __LINE__);
	setup_free(&setup);
}

/* A stopped scan has reported what a whole one reports first. */
static void plan_stop(struct run *run)
{
	struct setup setup;
	struct trace a, b;
	setup_new(run, &setup, NULL);
	any_page(run, &setup);
	trace_begin(&a, run, &setup, &run->first);
	urlsift_sink sink = trace_sink(&a);
	a.quiet = 1;
	urlsift_scan(run->context, setup.options, &sink, run->page.bytes, run->page.length);
	trace_begin(&b, run, &setup, &run->second);
	sink = trace_sink(&b);
	b.quiet = 1;
	b.stop_after = 1 + roll(&run->dice, 30);
	const urlsift_status status = urlsift_scan(run->context, setup.options, &sink, run->page.bytes, run->page.length);
	PROMISE(run, status == (b.stopped ? URLSIFT_STOPPED : URLSIFT_OK), "STOPPED if a callback asked to stop");
	PROMISE(run, b.out->length <= a.out->length && !memcmp(a.out->bytes, b.out->bytes, b.out->length),
			"what was reported before the stop is the same");
	setup_free(&setup);
}

static void plan_find(struct run *run)
{
	struct setup setup;
	struct trace trace;
	setup_new(run, &setup, NULL);
	any_page(run, &setup);
	urlsift_found *found = NULL;
	PROMISE(run,
			urlsift_find(run->context, setup.options, run->page.bytes, run->page.length, &found) == URLSIFT_OK && found,
			"the links of a text are found");
	urlsift_options_set(setup.options, URLSIFT_OPT_POSITIONS, 1);
	trace_begin(&trace, run, &setup, &run->first);
	trace.found = found;
	urlsift_sink sink = trace_sink(&trace);
	PROMISE(run, urlsift_scan(run->context, setup.options, &sink, run->page.bytes, run->page.length) == URLSIFT_OK,
			"a text is scanned");
	PROMISE(run, trace.links == found->count, "urlsift_find finds no other links");
	urlsift_found_free(found);
	setup_free(&setup);
}

/* Memory stays below the bound, is given back, and any allocation may fail. */
static void plan_memory(struct run *run)
{
	struct dice *dice = &run->dice;
	struct heap heap = { 0 };
	const urlsift_allocator allocator = heap_allocator(&heap);
	struct setup setup;
	struct trace a;
	const int own_options = once_in(dice, 3);
	setup_new(run, &setup, NULL);
	any_page(run, &setup);
	heap.fail_at = roll(dice, 4) ? 1 + (long)roll(dice, 24) : 0;
	heap.from_then_on = (int)roll(dice, 2);
	note(run, "fail_at", heap.fail_at);
	note(run, "from_then_on", heap.from_then_on);
	urlsift_context *context = urlsift_context_new(&allocator);
	trace_begin(&a, run, &setup, &run->first);
	a.loose = 1;
	urlsift_sink sink = trace_sink(&a);
	urlsift_scanner *scanner = context ? urlsift_new(context, setup.options, &sink, NULL) : NULL;
	PROMISE(run, scanner || heap.fail_at, "a scanner is made if there is memory");
	if (scanner) {
		const urlsift_status status = scan_page(&a, scanner, any_chunk(dice));
		const int failed = heap.fail_at && heap.count >= heap.fail_at;
		PROMISE(run, status == URLSIFT_OK || (failed && status == URLSIFT_NO_MEMORY),
				"NO_MEMORY only if an allocation fails");
		heap.fail_at = 0;
		if (status == URLSIFT_NO_MEMORY) {
			PROMISE(run, urlsift_feed(scanner, "x", 1) != URLSIFT_OK,
					"without memory a scanner can only be reset or freed");
			urlsift_reset(scanner);
			trace_begin(&a, run, &setup, &run->first);
			a.loose = 1;
			PROMISE(run, scan_page(&a, scanner, any_chunk(dice)) == URLSIFT_OK, "after a reset, the scanner works");
		}
		PROMISE(run, heap.peak <= urlsift_memory_bound(0), "a scanner and its context stay below the bound");
		urlsift_free(scanner);
		struct trace b;
		trace_begin(&b, run, &setup, &run->second);
		b.loose = 1;
		sink = trace_sink(&b);
		PROMISE(run, urlsift_scan(context, setup.options, &sink, run->page.bytes, run->page.length) == URLSIFT_OK,
				"a text is scanned");
		trace_end(&b);
		compare(run, "the results are the same after allocations failed", __LINE__);
		heap.fail_at = heap.count + 1 + (long)roll(dice, 12);
		urlsift_found *found = NULL;
		const urlsift_status s = urlsift_find(context, setup.options, run->page.bytes, run->page.length, &found);
		PROMISE(run, s == URLSIFT_OK ? found != NULL : s == URLSIFT_NO_MEMORY && !found,
				"urlsift_find: NO_MEMORY and NULL, or the links");
		urlsift_found_free(found);
	}
	urlsift_context_free(context);
	PROMISE(run, heap.used == 0, "all memory is given back");
	setup_free(&setup);
	if (own_options) {
		heap = (struct heap){ .fail_at = (long)roll(dice, 8), .from_then_on = (int)roll(dice, 2) };
		setup_new(run, &setup, &allocator);
		setup_free(&setup);
		PROMISE(run, heap.used == 0, "options give all memory back");
	}
}

/* ---- Promises of single URLs ---- */

struct fields {
	struct run *run;
	size_t count, stop_after;
};

static int on_field(void *user, const urlsift_field *field)
{
	struct fields *fields = user;
	PROMISE(fields->run, field->name && *field->name && (field->value || !field->length),
			"a field has a name and a value");
	FORMAT(&fields->run->third, "%s=", field->name);
	put(&fields->run->third, field->value, field->length);
	fields->count++;
	return fields->stop_after && fields->count == fields->stop_after;
}

static void check_split(struct run *run, const urlsift_url *url)
{
	const urlsift_component *all[] = { &url->scheme, &url->authority, &url->userinfo, &url->user,  &url->password,
									   &url->host,   &url->port,      &url->path,     &url->query, &url->fragment };
	for (size_t i = 0; i < LENGTH_OF(all); i++)
		PROMISE(run, all[i]->offset <= url->length && all[i]->length <= url->length - all[i]->offset,
				"a component is a range of the text");
	size_t sum = url->path.length;
	sum += url->scheme.present ? url->scheme.length + 1 : 0;
	sum += url->authority.present ? url->authority.length + 2 : 0;
	sum += url->query.present ? url->query.length + 1 : 0;
	sum += url->fragment.present ? url->fragment.length + 1 : 0;
	PROMISE(run, sum == url->length, "the components and their delimiters are the URL (RFC 3986 section 5.3)");
}

static void check_grammars(struct run *run, const urlsift_url *url, const char *target, size_t length)
{
	urlsift_status status[3];
	for (urlsift_grammar g = URLSIFT_RFC1738; g <= URLSIFT_RFC3987; g++) {
		urlsift_fault fault = { (size_t)-1, NULL, NULL };
		status[g] = urlsift_url_check(run->context, url, g, &fault);
		PROMISE(run, status[g] == URLSIFT_OK || status[g] == URLSIFT_INVALID, "a URL is valid or not");
		PROMISE(run, status[g] == URLSIFT_OK || (fault.offset <= url->length && fault.rule && fault.what),
				"a fault has an offset, a rule and a description");
		PROMISE(run, urlsift_url_check(run->context, url, g, NULL) == status[g], "the fault may be NULL");
	}
	PROMISE(run, status[URLSIFT_RFC3986] != URLSIFT_OK || status[URLSIFT_RFC3987] == URLSIFT_OK, "every URI is an IRI");
	if (status[URLSIFT_RFC3986] == URLSIFT_OK)
		PROMISE(run, same(target, length, url->text, url->length), "the target of a valid URI is itself");
}

static void plan_url(struct run *run)
{
	struct dice *dice = &run->dice;
	put_url(dice, &run->page, 0);
	if (once_in(dice, 3))
		mutate(dice, &run->page);
	urlsift_url url, base;
	char out[3][3 * SCRAP];
	const struct text *page = &run->page;
	if (page->length > SCRAP / 2)
		run->page.length = SCRAP / 2;
	urlsift_url_split(page->bytes, page->length, &url);
	check_split(run, &url);
	const size_t t = urlsift_url_target(&url, out[0], sizeof out[0]),
				 n = urlsift_url_normal(&url, out[1], sizeof out[1]);
	check_grammars(run, &url, out[0], t);
	const unsigned warnings = urlsift_url_warnings(&url);
	urlsift_url other = { .text = out[0], .length = t };
	PROMISE(run, is_href(out[0], t) && is_href(out[1], n),
			"target and normal form are ASCII and free of what RFC 3986 forbids");
	PROMISE(run, same(out[2], urlsift_url_target(&other, out[2], sizeof out[2]), out[0], t),
			"the target of a target is itself");
	PROMISE(run, same(out[2], urlsift_url_normal(&other, out[2], sizeof out[2]), out[1], n),
			"a URL and its target have the same normal form");
	other = (urlsift_url){ .text = out[1], .length = n };
	PROMISE(run, same(out[2], urlsift_url_normal(&other, out[2], sizeof out[2]), out[1], n),
			"the normal form is idempotent");
	struct fields fields = { run, 0, 0 };
	PROMISE(run, urlsift_url_interpret(run->context, &url, on_field, &fields) == URLSIFT_OK, "a URL is interpreted");
	struct fields fewer = { run, 0, 1 + roll(dice, 4) };
	const urlsift_status status = urlsift_url_interpret(run->context, &url, on_field, &fewer);
	PROMISE(run,
			fewer.stop_after <= fields.count ? status == URLSIFT_STOPPED && fewer.count == fewer.stop_after
											 : status == URLSIFT_OK,
			"STOPPED if `each` asks to stop");
	const size_t u = urlsift_url_unwrap(&url, out[2], sizeof out[2]);
	if (u && u < sizeof out[2]) {
		urlsift_url_split(out[2], u, &other);
		PROMISE(run, other.scheme.present && urlsift_scheme_linkable(other.text, other.scheme.length),
				"what a rewriter hides is an absolute URL that may become an href");
		PROMISE(run, urlsift_url_unwrap(&other, out[0], sizeof out[0]) == 0 || page->length > 200,
				"nested rewriters are undone");
	}
	const char *b = PICK(dice, bases);
	urlsift_url_split(b, strlen(b), &base);
	const urlsift_resolution rules = roll(dice, 2) ? URLSIFT_RESOLVE_RFC3986 : URLSIFT_RESOLVE_RFC1630;
	const size_t r = urlsift_url_resolve(&base, &url, rules, out[0], sizeof out[0]), some = roll(dice, 64);
	memset(out[1], '#', 65);
	PROMISE(run,
			urlsift_url_resolve(&base, &url, rules, out[1], some) == r &&
				!memcmp(out[0], out[1], some < r ? some : r) && out[1][some] == '#',
			"urlsift_url_resolve writes at most `size` bytes");
	if (url.scheme.present && rules == URLSIFT_RESOLVE_RFC3986) {
		urlsift_url_split(out[0], r, &other);
		PROMISE(run,
				other.scheme.present && other.query.length == url.query.length &&
					other.fragment.length == url.fragment.length,
				"a URL with a scheme stays as it is, but for its dot segments");
	}
	PROMISE(run, warnings < (unsigned)URLSIFT_WARN_NO_MEMORY << 1, "warnings are known");
}

/* ---- Promises of mail ---- */

static int on_message(void *user, const urlsift_message *message)
{
	struct trace *trace = user;
	struct run *run = trace->run;
	PROMISE(run, !trace->stopped, "nothing is reported after a callback has stopped");
	trace->messages++;
	end_plain(trace);
	const urlsift_text *texts[] = { &message->id,   &message->subject, &message->from,
									&message->date, &message->groups,  &message->list };
	if (trace->misuse)
		call_from_callback(trace);
	FORMAT(trace->out, "message %llu line %llu #%llu time %lld", (unsigned long long)message->offset,
		   (unsigned long long)message->line, (unsigned long long)message->index, (long long)message->time);
	for (size_t i = 0; i < LENGTH_OF(texts); i++) {
		PROMISE(run, texts[i]->bytes && is_utf8(texts[i]->bytes, texts[i]->length),
				"the texts of a message are valid UTF-8");
		for (size_t k = 0; k < texts[i]->length; k++)
			PROMISE(run, (unsigned char)texts[i]->bytes[k] >= ' ' && texts[i]->bytes[k] != 0x7f,
					"the texts of a message have no controls");
		PROMISE(run, i == 0 || texts[i]->length <= 1024, "the texts of a message have at most 1 KiB");
		puts_to(trace->out, "|");
		put(trace->out, texts[i]->bytes, texts[i]->length);
	}
	PROMISE(run, message->time >= -1 && message->time <= 4133980800, "a time is not before 1970 or after 2100");
	puts_to(trace->out, "\n");
	return 0;
}

static int on_place(void *user, const urlsift_place *place)
{
	struct trace *trace = user;
	PROMISE(trace->run, !trace->stopped, "nothing is reported after a callback has stopped");
	end_plain(trace);
	trace->next = 0;
	FORMAT(trace->out, "place %s [%s] %s %s %d%d%d %s\n", place->field ? place->field : "-", place->part, place->type,
		   place->lang ? place->lang : "-", place->decoded, place->anchor, place->target,
		   place->attribute ? place->attribute : "-");
	return 0;
}

static int on_mail_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	struct trace *trace = user;
	PROMISE(trace->run, place && (!place->target || place->attribute), "with `target`: element and attribute");
	PROMISE(trace->run, !place->attribute || place->target || (piece->link && !place->field && *place->type),
	        "else NULL, but for a link in a body");
	if (!piece->link && trace->quiet)
		return 0;
	const int stopped = on_piece(user, piece);
	if (piece->link)
		FORMAT(trace->out, "anchor %d target %d %s\n", place->anchor, place->target,
			   place->attribute ? place->attribute : "-");
	return stopped;
}

static int on_mail_notice(void *user, const urlsift_place *place, const urlsift_mail_notice *notice)
{
	struct trace *trace = user;
	PROMISE(trace->run, !!notice->limit + !!notice->damage + !!notice->omission == 1,
		"a notice is of a limit, of damage or of an omission");
	PROMISE(trace->run, !notice->text.length || notice->omission == URLSIFT_OMITTED_RELATIVE, "a notice without text");
	FORMAT(&trace->notices, "%d %s %llu @%llu %s\n", (int)notice->omission,
		   notice->limit ? notice->limit : notice->damage ? notice->damage : "", (unsigned long long)notice->value,
		   (unsigned long long)notice->offset, place ? place->part : "-");
	return 0;
}

static urlsift_mail_sink mail_sink(struct trace *trace)
{
	return (urlsift_mail_sink){ on_message, on_place, on_mail_piece, on_mail_notice, trace, NULL };
}

static long probe_page(void *user, uint64_t offset, char *out, size_t size)
{
	const struct run *run = user;
	if (offset > run->page.length)
		return 0;
	const size_t n = run->page.length - (size_t)offset;
	memcpy(out, run->page.bytes + offset, n < size ? n : size);
	return (long)(n < size ? n : size);
}

static urlsift_mail_options any_mail(struct run *run)
{
	struct dice *dice = &run->dice;
	urlsift_mail_options mail = { .kind = URLSIFT_KIND_MESSAGE + (urlsift_mail_kind)roll(dice, 6),
								  .headers = URLSIFT_HEADERS_URLS };
	if (roll(dice, 2)) {
		mail.headers = (urlsift_headers)roll(dice, 3);
		mail.message_ids = once_in(dice, 3);
		mail.plain = (int)roll(dice, 2);
		mail.display = once_in(dice, 3);
		mail.repeated = once_in(dice, 3);
		mail.positions = (int)roll(dice, 2);
		mail.resources = once_in(dice, 3);
		mail.metadata = (int)roll(dice, 2);
		mail.content_length = (urlsift_content_length)roll(dice, 3);
		mail.probe = probe_page;
		mail.probe_user = run;
		mail.max_depth = once_in(dice, 4) ? 1 + roll(dice, 4) : 0;
		mail.max_parts = once_in(dice, 4) ? 1 + roll(dice, 4) : 0;
		mail.max_header = once_in(dice, 4) ? 1024 + roll(dice, 300) : 0;
		mail.outline = once_in(dice, 16);
	}
	FORMAT(&run->notes,
		   " kind=%s headers=%d ids=%d plain=%d display=%d repeated=%d positions=%d resources=%d metadata=%d length=%d "
		   "depth=%zu parts=%zu header=%zu outline=%d",
		   urlsift_mail_kind_name(mail.kind), (int)mail.headers, mail.message_ids, mail.plain, mail.display,
		   mail.repeated, mail.positions, mail.resources, mail.metadata, (int)mail.content_length, mail.max_depth,
		   mail.max_parts, mail.max_header, mail.outline);
	return mail;
}

static void any_mail_page(struct run *run, urlsift_mail_kind kind)
{
	struct dice *dice = &run->dice;
	if (once_in(dice, 16))
		kind = URLSIFT_KIND_MESSAGE + (urlsift_mail_kind)roll(dice, 6);
	if (kind == URLSIFT_KIND_HTML)
		put_html(dice, &run->page, 1);
	else if (kind == URLSIFT_KIND_MESSAGE)
		put_message(dice, &run->page);
	else
		put_mailbox(dice, &run->page, kind);
	if (once_in(dice, 3))
		mutate(dice, &run->page);
	if (!run->page.length)
		put_char(&run->page, 'x');
}

/* Any chunking of mail, a used parser: the results are equal. */
static void plan_mail(struct run *run)
{
	struct dice *dice = &run->dice;
	struct setup setup;
	setup_new(run, &setup, NULL);
	setup.mail = 1;
	const urlsift_mail_options mail = any_mail(run);
	any_mail_page(run, mail.kind);
	struct trace a, b;
	trace_begin(&a, run, &setup, &run->first);
	urlsift_mail_sink sink = mail_sink(&a);
	urlsift_mail *parser = urlsift_mail_new(run->context, setup.options, &mail, &sink, NULL);
	PROMISE(run, parser, "a parser is made");
	const urlsift_status status = feed_page(run, feed_mail, parser, 0, 0);
	PROMISE(run, status == URLSIFT_OK, "a mailbox is read");
	trace_end(&a);
	PROMISE(run,
			urlsift_mail_feed(parser, "x", 1) == URLSIFT_BAD_STATE && urlsift_mail_finish(parser) == URLSIFT_BAD_STATE,
			"fed after the end: BAD_STATE");
	const uint64_t messages = a.messages, stopped_at = urlsift_mail_stopped_at(parser);
	PROMISE(run, stopped_at == run->page.length, "stopped at the end of the bytes fed");
	const int how = (int)roll(dice, 3);
	note(run, "how", how);
	trace_begin(&b, run, &setup, &run->second);
	if (how) {
		urlsift_mail_free(parser);
		sink = mail_sink(&b);
		urlsift_mail_options before = how == 1 ? mail : any_mail(run);
		before.positions = mail.positions;
		parser = urlsift_mail_new(run->context, setup.options, &before, &sink, NULL);
		PROMISE(run, parser, "a parser is made");
	}
	if (how == 2) {
		b.stop_after = 1 + roll(dice, 8);
		for (uint32_t n = roll(dice, 3); n > 0 && !b.stopped; n--) {
			const urlsift_status s =
				urlsift_mail_feed(parser, run->page.bytes, roll(dice, 65536) % run->page.length + 1);
			PROMISE(run, s == (b.stopped ? URLSIFT_STOPPED : URLSIFT_OK), "STOPPED if a callback asked to stop");
		}
		trace_begin(&b, run, &setup, &run->second);
		PROMISE(run, urlsift_mail_reset(parser, &mail) == URLSIFT_OK, "a parser is reset");
	}
	if (how == 0) {
		urlsift_mail_options wrong = mail;
		wrong.positions = !wrong.positions;
		PROMISE(run, urlsift_mail_reset(parser, &wrong) == URLSIFT_BAD_ARGUMENT, "`positions` may not change");
		wrong = mail;
		wrong.max_depth = 101;
		PROMISE(run, urlsift_mail_reset(parser, &wrong) == URLSIFT_BAD_ARGUMENT, "an option out of range");
		PROMISE(run, urlsift_mail_reset(parser, &mail) == URLSIFT_OK, "a parser is reset");
		trace_begin(&a, run, &setup, &run->second); /* the sink is that of the first */
		a.mail = once_in(dice, 4) ? parser : NULL;
		a.misuse = a.mail != NULL;
	}
	PROMISE(run, feed_page(run, feed_mail, parser, 0, any_chunk(dice)) == URLSIFT_OK, "a mailbox is read");
	trace_end(how ? &b : &a);
	PROMISE(run,
			(how ? &b : &a)->messages == messages && urlsift_mail_stopped_at(parser) == stopped_at,
			"the numbers do not depend on the chunks");
	urlsift_mail_free(parser);
	compare(run, "the results of mail depend on neither the chunks nor what was read before", __LINE__);
	setup_free(&setup);
}

static void plan_mail_memory(struct run *run)
{
	struct dice *dice = &run->dice;
	struct heap heap = { 0 };
	const urlsift_allocator allocator = heap_allocator(&heap);
	struct setup setup;
	struct trace trace;
	setup_new(run, &setup, NULL);
	setup.mail = 1;
	const urlsift_mail_options mail = any_mail(run);
	any_mail_page(run, mail.kind);
	heap.fail_at = roll(dice, 4) ? 1 + (long)roll(dice, 60) : 0;
	heap.from_then_on = (int)roll(dice, 2);
	note(run, "fail_at", heap.fail_at);
	urlsift_context *context = urlsift_context_new(&allocator);
	trace_begin(&trace, run, &setup, &run->first);
	trace.loose = 1;
	urlsift_mail_sink sink = mail_sink(&trace);
	urlsift_mail *parser = context ? urlsift_mail_new(context, setup.options, &mail, &sink, NULL) : NULL;
	PROMISE(run, parser || heap.fail_at, "a parser is made if there is memory");
	if (parser) {
		const urlsift_status status = feed_page(run, feed_mail, parser, 0, any_chunk(dice));
		note(run, "status", (long)status);
		const int failed = heap.fail_at && heap.count >= heap.fail_at;
		PROMISE(run, status == URLSIFT_OK || (failed && status == URLSIFT_NO_MEMORY),
				"NO_MEMORY only if an allocation fails");
		heap.fail_at = 0;
		trace_end(&trace);
		if (status != URLSIFT_OK) {
			PROMISE(run, urlsift_mail_reset(parser, &mail) == URLSIFT_OK, "a parser is reset after NO_MEMORY");
			trace_begin(&trace, run, &setup, &run->first);
			trace.loose = 1;
			PROMISE(run, feed_page(run, feed_mail, parser, 0, any_chunk(dice)) == URLSIFT_OK,
					"after a reset, the parser works");
			trace_end(&trace);
		}
		PROMISE(run, heap.peak <= urlsift_memory_bound(1),
				"a parser, its scanner and its context stay below the bound");
		urlsift_mail_free(parser);
		trace_begin(&trace, run, &setup, &run->second);
		trace.loose = 1;
		sink = mail_sink(&trace);
		parser = urlsift_mail_new(run->context, setup.options, &mail, &sink, NULL);
		PROMISE(run, feed_page(run, feed_mail, parser, 0, 0) == URLSIFT_OK, "a mailbox is read");
		urlsift_mail_free(parser);
		trace_end(&trace);
		compare(run, "the results are the same after allocations failed", __LINE__);
	}
	urlsift_context_free(context);
	PROMISE(run, heap.used == 0, "all memory is given back");
	setup_free(&setup);
}

/* Reading that stops at an offset and goes on where it stopped reads each message of a mailbox once. */
static void plan_mail_stop(struct run *run)
{
	struct setup setup;
	setup_new(run, &setup, NULL);
	setup.mail = 1;
	urlsift_mail_options mail = any_mail(run);
	mail.kind = URLSIFT_KIND_MBOX;
	mail.content_length = URLSIFT_LENGTH_IGNORED;
	put_mailbox(&run->dice, &run->page, URLSIFT_KIND_MBOX);
	put_mailbox(&run->dice, &run->page, URLSIFT_KIND_MBOX);
	const uint64_t cut = 1 + roll(&run->dice, 65536) % run->page.length;
	note(run, "cut", (long)cut);
	uint64_t messages[3], stopped_at = 0;
	struct trace trace;
	for (int i = 0; i < 3; i++) {
		trace_begin(&trace, run, &setup, &run->first);
		mail.stop = i == 1 ? cut : 0;
		mail.offset = i == 2 ? stopped_at : 0;
		const urlsift_mail_sink sink = mail_sink(&trace);
		urlsift_mail *parser = urlsift_mail_new(run->context, setup.options, &mail, &sink, NULL);
		PROMISE(run, parser, "a parser is made");
		const urlsift_status status = feed_page(run, feed_mail, parser, (size_t)mail.offset, any_chunk(&run->dice));
		messages[i] = trace.messages;
		if (i == 1) {
			stopped_at = urlsift_mail_stopped_at(parser);
			PROMISE(run, status == (stopped_at < run->page.length ? URLSIFT_STOPPED : URLSIFT_OK),
					"STOPPED once the message at `stop` begins");
			PROMISE(run, stopped_at >= cut, "stopped at the first message that begins at `stop` or later");
		} else {
			PROMISE(run, status == URLSIFT_OK, "a mailbox is read");
		}
		urlsift_mail_free(parser);
		if (i == 1 && stopped_at == run->page.length)
			break;
	}
	if (stopped_at < run->page.length)
		PROMISE(run, messages[0] == messages[1] + messages[2], "two readings cover each message once");
	else
		PROMISE(run, messages[0] == messages[1], "two readings cover each message once");
	setup_free(&setup);
}

static void plan_detect(struct run *run)
{
	struct dice *dice = &run->dice;
	const urlsift_mail_kind kind = URLSIFT_KIND_MESSAGE + (urlsift_mail_kind)roll(dice, 6);
	any_mail_page(run, kind);
	const urlsift_mail_kind found = urlsift_mail_detect(run->page.bytes, run->page.length, 1);
	PROMISE(run, urlsift_mail_kind_name(found) != NULL, "each kind has a name");
	const size_t some = roll(dice, 65536) % (run->page.length + 1);
	char *copy = malloc(some ? some : 1);
	if (!copy)
		abort();
	memcpy(copy, run->page.bytes, some);
	const urlsift_mail_kind less = urlsift_mail_detect(copy, some, 0);
	free(copy);
	PROMISE(run,
			less == found || less == URLSIFT_KIND_TEXT || found == URLSIFT_KIND_TEXT || less == URLSIFT_KIND_MESSAGE ||
				some < run->page.length,
			"fewer bytes: at most a message becomes text");
}

/* ---- JSON ---- */

struct json {
	const char *at, *end;
	const char *fault;
};

static void json_fail(struct json *json, const char *fault)
{
	if (!json->fault)
		json->fault = fault;
	json->at = json->end;
}

static int json_take(struct json *json, char c)
{
	if (json->at < json->end && *json->at == c) {
		json->at++;
		return 1;
	}
	return 0;
}

static void json_string(struct json *json)
{
	if (!json_take(json, '"')) {
		json_fail(json, "a string begins with a quotation mark");
		return;
	}
	while (json->at < json->end && *json->at != '"') {
		const unsigned char c = (unsigned char)*json->at++;
		if (c < ' ' || c == 0x7f)
			json_fail(json, "a control character in a string");
		if (c == '<' && json->at < json->end && (*json->at == '/' || *json->at == '!'))
			json_fail(json, "</ or <! in a string");
		if (c != '\\' || json->at >= json->end)
			continue;
		const char e = *json->at++;
		if (e == 'u') {
			for (int i = 0; i < 4; i++)
				if (json->at >= json->end || !strchr("0123456789abcdefABCDEF", *json->at++))
					json_fail(json, "a bad \\u");
		} else if (!strchr("\"\\/bfnrt", e)) {
			json_fail(json, "a bad escape");
		}
	}
	if (!json_take(json, '"'))
		json_fail(json, "a string that is not closed");
}

static void json_scalar(struct json *json)
{
	const char *from = json->at;
	if (json->at < json->end && *json->at == '"') {
		json_string(json);
		return;
	}
	while (json->at < json->end && strchr("-+.eE0123456789truefalsn", *json->at))
		json->at++;
	const size_t n = (size_t)(json->at - from);
	if (!n || (*from != '-' && (*from < '0' || *from > '9') && !same(from, n, "true", 4) &&
			   !same(from, n, "false", 5) && !same(from, n, "null", 4)))
		json_fail(json, "not a value");
}

/* A value, with a stack of open brackets.  The keys of the outermost object are appended to `keys`, each with a comma.
 */
static void json_value(struct json *json, struct text *keys)
{
	char open[16];
	size_t depth = 0;
	for (;;) {
		if (json_take(json, '{') || json_take(json, '[')) {
			if (depth == sizeof open) {
				json_fail(json, "too deep");
				return;
			}
			open[depth++] = json->at[-1];
			if (json_take(json, open[depth - 1] == '{' ? '}' : ']'))
				depth--;
			else if (open[depth - 1] != '{')
				continue;
			else
				goto key;
		} else {
			json_scalar(json);
		}
		while (depth && json_take(json, open[depth - 1] == '{' ? '}' : ']'))
			depth--;
		if (!depth || json->fault)
			return;
		if (!json_take(json, ','))
			json_fail(json, "a comma is missing");
		if (open[depth - 1] == '[')
			continue;
	key:;
		const char *from = json->at;
		json_string(json);
		if (depth == 1) {
			put(keys, from + 1, (size_t)(json->at - from) > 2 ? (size_t)(json->at - from) - 2 : 0);
			put_char(keys, ',');
		}
		if (!json_take(json, ':'))
			json_fail(json, "a colon is missing");
	}
}

/* Whether the keys come in the order of the manual. */
static int in_order(const char *keys, size_t length, const char *order)
{
	const char *p = order;
	for (size_t i = 0; i < length;) {
		const char *comma = memchr(keys + i, ',', length - i);
		const size_t n = (size_t)(comma - keys) - i + 1;
		while (*p && strncmp(p, keys + i, n) != 0)
			p = strchr(p, ',') + 1;
		if (!*p)
			return 0;
		p += n;
		i += n;
	}
	return 1;
}

static size_t check_json(struct run *run, const struct text *out)
{
	static const char *const orders[][2] = {
		{ "{\"type\":\"link\"",
		  "type,key,source,member,message,field,attribute,line,column,parts,decoded,text,url,normal,unwrapped,label,"
		  "context,scheme,host,convention,flags,alternates,valid,faults,warnings," },
		{ "{\"type\":\"error\"", "type,key,source,member,message,field,what," },
		{ "{\"type\":\"limit\"", "type,key,source,member,message,field,limit,value,offset," },
		{ "{\"type\":\"summary\"", "type,key,files,bytes,messages,links,errors,limits,skipped,relative,unsearched," },
		{ "{\"type\":\"notice\"", "type,key,source,member,message,attribute,text,what," },
		{ "{\"type\":\"message\"", "type,key,source,member,message," },
		{ "{\"type\":\"url\"", "type,text,url,normal,unwrapped,browsers,looks,address,scheme,known,fields,valid,faults,warnings," },
	};
	PROMISE(run, is_utf8(out->bytes, out->length) && !has_control(out->bytes, out->length, "\n"),
			"JSON is UTF-8 without controls and bidi controls");
	size_t links = 0;
	for (size_t i = 0; i < out->length;) {
		const char *end = memchr(out->bytes + i, '\n', out->length - i);
		PROMISE(run, end, "a record ends with a newline");
		struct json json = { out->bytes + i, end, NULL };
		char bytes[400];
		struct text keys = { bytes, 0, sizeof bytes };
		json_value(&json, &keys);
		PROMISE(run, !json.fault && json.at == end, json.fault ? json.fault : "text after a record");
		size_t k = 0;
		while (k < LENGTH_OF(orders) && strncmp(out->bytes + i, orders[k][0], strlen(orders[k][0])) != 0)
			k++;
		PROMISE(run, k < LENGTH_OF(orders), "the type of a record is in the manual");
		PROMISE(run, in_order(keys.bytes, keys.length, orders[k][1]),
				"the keys of a record are in the order of the manual");
		links += k == 0;
		i = (size_t)(end - out->bytes) + 1;
	}
	return links;
}

/* ---- HTML ---- */

static int is_word(const char *name, size_t length, const char *list)
{
	for (const char *p = list; *p;) {
		const char *end = strchr(p, ' ');
		const size_t n = end ? (size_t)(end - p) : strlen(p);
		if (same(p, n, name, length))
			return 1;
		p += n + (end != NULL);
	}
	return 0;
}

static size_t put_reference(struct text *to, const char *from, size_t left)
{
	static const struct {
		const char *name, *text;
	} references[] = { { "&amp;", "&" }, { "&lt;", "<" },   { "&gt;", ">" },  { "&quot;", "\"" },
					   { "&#39;", "'" }, { "&#34;", "\"" }, { "&#13;", "\r" } };
	for (size_t i = 0; i < LENGTH_OF(references); i++) {
		const size_t n = strlen(references[i].name);
		if (n <= left && !memcmp(from, references[i].name, n)) {
			puts_to(to, references[i].text);
			return n;
		}
	}
	return 0;
}

/* An attribute of a tag at *at: the name is known, the value quoted; href leads where an anchor may. */
static const char *check_attribute(struct run *run, const char *at, const char *end)
{
	const char *from = at;
	while (at < end && ((*at >= 'a' && *at <= 'z') || *at == '-'))
		at++;
	const size_t n = (size_t)(at - from);
	PROMISE(run,
			is_word(from, n,
					"class href rel title id lang dir hidden charset name content http-equiv datetime scope role "
					"tabindex aria-label open colspan"),
			"only known attributes");
	if (at >= end || *at != '=')
		return at;
	PROMISE(run, at + 1 < end && at[1] == '"', "an attribute is quoted");
	char bytes[3 * SCRAP];
	struct text value = { bytes, 0, sizeof bytes };
	for (at += 2; at < end && *at != '"';) {
		PROMISE(run, *at != '<' && *at != '>', "an attribute has no bracket");
		const size_t k = *at == '&' ? put_reference(&value, at, (size_t)(end - at)) : 0;
		PROMISE(run, *at != '&' || k, "& is escaped");
		if (!k)
			put_char(&value, *at);
		at += k ? k : 1;
	}
	PROMISE(run, at < end, "an attribute is closed");
	if (same(from, n, "href", 4) && value.length && value.bytes[0] != '#') {
		const char *colon = memchr(value.bytes, ':', value.length);
		PROMISE(run, colon && urlsift_scheme_linkable(value.bytes, (size_t)(colon - value.bytes)),
				"an anchor has a scheme that may become an href");
		PROMISE(run, value.length == value.room || is_href(value.bytes, value.length),
				"an href is ASCII and free of what RFC 3986 forbids");
	}
	return at + 1;
}

/* Checks the page and appends its text, without warnings, to `plain`. */
static void check_html(struct run *run, const struct text *out, struct text *plain)
{
	struct {
		const char *name;
		size_t length;
	} open[64];
	size_t depth = 0, warning = 0;
	PROMISE(run, is_utf8(out->bytes, out->length), "a page is valid UTF-8");
	for (const char *p = out->bytes, *end = p + out->length; p < end;) {
		if (*p == '&') {
			char bytes[4];
			struct text one = { bytes, 0, sizeof bytes };
			const size_t n = put_reference(&one, p, (size_t)(end - p));
			PROMISE(run, n, "& is escaped");
			if (!warning)
				put(plain, one.bytes, one.length);
			p += n;
			continue;
		}
		if (*p != '<') {
			PROMISE(run, ((unsigned char)*p >= ' ' && *p != 0x7f) || *p == '\n' || *p == '\t',
					"a page has no controls");
			PROMISE(run, *p != '>' || (depth && same(open[depth - 1].name, open[depth - 1].length, "style", 5)),
					"> is escaped");
			if (!warning)
				put_char(plain, *p);
			p++;
			continue;
		}
		if (end - p > 15 && !memcmp(p, "<!DOCTYPE html>", 15)) {
			PROMISE(run, p == out->bytes, "the document type comes first");
			p += 15;
			continue;
		}
		const int closes = p + 1 < end && p[1] == '/';
		const char *name = p + 1 + closes;
		for (p = name; p < end && ((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9'));)
			p++;
		const size_t n = (size_t)(p - name);
		PROMISE(run,
				is_word(name, n,
						"html head meta title style body main h1 h2 h3 p a pre span bdi article section dl dt dd "
						"details summary table thead tbody tr th td caption time nav ul li footer header div"
						" code br hr blockquote"),
				"only known elements");
		while (p < end && *p == ' ')
			p = check_attribute(run, p + 1, end);
		PROMISE(run, p < end && *p == '>', "a tag is closed");
		p++;
		if (is_word(name, n, "meta br hr"))
			continue;
		if (!closes) {
			PROMISE(run, depth < LENGTH_OF(open), "elements are not nested deeply");
			open[depth].name = name;
			open[depth++].length = n;
			if (!warning && p - name > 13 && !memcmp(name, "bdi class=\"w\">", 14))
				warning = depth;
			continue;
		}
		if (depth && warning == depth)
			warning = 0;
		/* the end tags of some elements may be left out */
		while (depth && !same(open[depth - 1].name, open[depth - 1].length, name, n) &&
			   is_word(open[depth - 1].name, open[depth - 1].length, "p li dt dd tr td th thead tbody"))
			depth--;
		PROMISE(run, depth && same(open[depth - 1].name, open[depth - 1].length, name, n),
				"elements are nested and closed");
		depth--;
	}
	PROMISE(run, depth == 0, "all elements are closed");
}

/* ---- Rendering ---- */

struct writer {
	struct run *run;
	struct text *out;
	urlsift_renderer *renderer;
	size_t calls, fail_at;
	int failed, misuse, begins;
	size_t total;
};

static int on_write(void *user, const void *bytes, size_t length)
{
	struct writer *writer = user;
	PROMISE(writer->run, !writer->failed, "write is not called again after it failed");
	if (writer->misuse && writer->renderer) {
		PROMISE(writer->run, urlsift_render_source(writer->renderer, "x", NULL) == URLSIFT_BAD_STATE,
				"an event in the write callback is BAD_STATE");
		PROMISE(writer->run, urlsift_render_flush(writer->renderer) == URLSIFT_BAD_STATE,
				"an event in the write callback is BAD_STATE");
		PROMISE(writer->run, urlsift_render_end(writer->renderer) == URLSIFT_BAD_STATE,
				"an event in the write callback is BAD_STATE");
	}
	writer->total += length;
	put(writer->out, bytes, length);
	writer->failed = ++writer->calls == writer->fail_at;
	return writer->failed;
}

static void on_identifier(void *user, const urlsift_link *link, int begins)
{
	struct writer *writer = user;
	size_t n;
	const char *scheme = urlsift_link_scheme(link, &n);
	PROMISE(writer->run, same(scheme, n, "mid", 3) && begins == !writer->begins,
			"identifier: before and after the text of a mid: link");
	writer->begins = begins;
}

static const char *const templates[] = {
	NULL, NULL, "%u", "%U", "%N %h", "%s|%k|%g|%w|%t", "%x", "%l:%c:%o %f", "%m %S %F %d %p", "%%\\n\\t\\\\", "",
	"%u%u%u%u", "100%", "%z", "\\q", "a\tb", "%t\n%u", "\033%u",
};
static const char *const forms[] = { NULL,
									 "join",
									 "wrap",
									 "angle",
									 "markdown",
									 "org",
									 "rst",
									 "gemtext",
									 "term",
									 "defang",
									 "refang",
									 "template:%u",
									 "template:[%t](%U)",
									 "template:",
									 "template:%",
									 "nonsense",
									 "template:<%N>%x" };
static const char *const formats[] = { "list", "json", "html", "rewrite" };

static urlsift_render_options any_rendering(struct run *run)
{
	struct dice *dice = &run->dice;
	urlsift_render_options how = { .format = PICK(dice, formats) };
	if (once_in(dice, 16))
		how.format = NULL;
	if (roll(dice, 2)) {
		how.context = once_in(dice, 3) ? (long)roll(dice, 101) : 0;
		how.key = once_in(dice, 8)
					  ? PICK(dice, ((const char *const[]){ "0000000a", "DEADBEEF", "1", "", "00000000000" }))
					  : NULL;
		how.whole_records = once_in(dice, 4);
		how.line_format = PICK(dice, templates);
		how.null_separated = once_in(dice, 8);
		how.with_filename = once_in(dice, 4);
		how.with_member = once_in(dice, 4);
		how.line_number = once_in(dice, 4);
		how.byte_offset = once_in(dice, 4);
		how.encoded = once_in(dice, 4);
		how.unwrap = once_in(dice, 4);
		how.hyphen_both = once_in(dice, 4);
		how.count = once_in(dice, 8);
		how.warnings = once_in(dice, 4);
		how.color = once_in(dice, 8);
		how.html.title = once_in(dice, 3) ? "T <&> \"x\" \xff" : NULL;
		how.html.lang = once_in(dice, 4) ? "de" : NULL;
		how.width = once_in(dice, 3) ? 20 + (long)roll(dice, 100) : 0;
		how.terminal = once_in(dice, 4);
		how.form = PICK(dice, forms);
		how.html.identifier = once_in(dice, 4) ? on_identifier : NULL;
	}
	how.html.fragment = (int)roll(dice, 4) > 0;
	FORMAT(&run->notes,
		   " format=%s context=%ld key=%s template=%s null=%d H=%d n=%d b=%d encoded=%d unwrap=%d both=%d count=%d "
		   "warnings=%d color=%d fragment=%d form=%s width=%ld terminal=%d whole=%d",
		   how.format ? how.format : "-", how.context, how.key ? how.key : "-", how.line_format ? how.line_format : "-",
		   how.null_separated, how.with_filename, how.line_number, how.byte_offset, how.encoded, how.unwrap,
		   how.hyphen_both, how.count, how.warnings, how.color, how.html.fragment, how.form ? how.form : "-", how.width,
		   how.terminal, how.whole_records);
	return how;
}

/* What is rendered: the page, as text or as mail. */
struct task {
	urlsift_render_options how;
	const struct setup *setup;
	const urlsift_mail_options *mail; /* NULL: text */
	uint32_t chunk;
	size_t fail_at;
	int misuse, context_fails;
};

/* Renders the page with the callbacks of the library; NULL memory is allowed.  Returns the status of the end. */
static urlsift_status render_page(struct run *run, urlsift_context *context, const struct task *task,
								  struct writer *writer)
{
	urlsift_renderer *renderer = urlsift_render_new(context, &task->how, on_write, writer, NULL);
	if (!renderer)
		return URLSIFT_BAD_ARGUMENT;
	writer->renderer = renderer;
	writer->misuse = task->misuse;
	writer->fail_at = task->fail_at;
	urlsift_render_source(renderer, "the-source", NULL);
	urlsift_status status = URLSIFT_OK;
	if (task->mail) {
		const urlsift_mail_sink sink = urlsift_render_mail_sink(renderer);
		urlsift_mail *parser = urlsift_mail_new(context, task->setup->options, task->mail, &sink, NULL);
		status = parser ? feed_page(run, feed_mail, parser, 0, task->chunk) : URLSIFT_NO_MEMORY;
		urlsift_mail_free(parser);
	} else {
		const urlsift_sink sink = urlsift_render_sink(renderer);
		urlsift_scanner *scanner = urlsift_new(context, task->setup->options, &sink, NULL);
		status = scanner ? feed_page(run, feed_scanner, scanner, 0, task->chunk) : URLSIFT_NO_MEMORY;
		urlsift_free(scanner);
	}
	PROMISE(run,
			status == URLSIFT_OK || (status == URLSIFT_STOPPED && writer->failed) ||
				(task->context_fails && status == URLSIFT_NO_MEMORY),
			"what is rendered is read");
	urlsift_render_source_end(renderer, 7);
	const urlsift_status end = urlsift_render_end(renderer);
	writer->renderer = NULL;
	urlsift_render_free(renderer);
	return end;
}

static int has(const struct text *page, const char *bytes, size_t length)
{
	for (size_t i = 0; i + length <= page->length; i++)
		if (!memcmp(page->bytes + i, bytes, length))
			return 1;
	return 0;
}

/* The text of a page is the input, in UTF-8, with U+FFFD for controls. */
static void check_page_text(struct run *run, const struct text *plain)
{
	struct text *want = &run->second;
	want->length = 0;
	const struct text *page = &run->page;
	for (size_t i = 0; i < page->length;) {
		uint32_t c;
		const size_t n = urlsift_next_character(page->bytes + i, page->length - i, &c);
		if (c == '\r') { /* CR and CRLF become newlines */
			put_char(want, '\n');
			i += n + (i + 1 < page->length && page->bytes[i + 1] == '\n');
			continue;
		}
		if ((c < ' ' && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0)) {
			puts_to(want, "\357\277\275");
		} else if (n > 1 || c < 0x80) {
			put(want, page->bytes + i, n);
		} else if (c < 0x800) {
			put_char(want, (int)(0xc0 | c >> 6));
			put_char(want, (int)(0x80 | (c & 0x3f)));
		} else {
			put_char(want, (int)(0xe0 | c >> 12));
			put_char(want, (int)(0x80 | (c >> 6 & 0x3f)));
			put_char(want, (int)(0x80 | (c & 0x3f)));
		}
		i += n;
	}
	run->first.length = 0;
	put(&run->first, plain->bytes, plain->length);
	compare(run, "the text of a page is the input", __LINE__);
}

static void check_output(struct run *run, const struct task *task, const struct writer *writer)
{
	const struct text *out = writer->out;
	const char *format = task->how.format ? task->how.format : "list";
	if (out->length == out->room)
		return;
	if (!strcmp(format, "json")) {
		check_json(run, out);
		PROMISE(run, task->setup->rules || writer->total <= 4096 + URLSIFT_GROWTH_JSON * run->page.length,
				"JSON is at most 600 times its input");
	} else if (!strcmp(format, "html")) {
		run->third.length = 0;
		check_html(run, out, &run->third);
		PROMISE(run, task->setup->rules || writer->total <= 16384 + URLSIFT_GROWTH_HTML * run->page.length,
				"a page is at most 200 times its input");
		if (task->how.html.fragment && !task->mail && !task->how.with_filename && !task->how.line_number &&
			!task->setup->charset && !task->setup->values[URLSIFT_OPT_REFANG] && !task->setup->rules &&
			!has(&run->page, "\357\273\277", 3) && !has(&run->page, "\377\376", 2) && !has(&run->page, "\376\377", 2) &&
			writer->fail_at == 0)
			check_page_text(run, &run->third);
	} else if (!strcmp(format, "list")) {
		PROMISE(run, is_utf8(out->bytes, out->length), "a list is valid UTF-8");
		const int own = task->how.line_format && strchr(task->how.line_format, '\033');
		PROMISE(run,
				own || task->how.color ||
					!has_control(out->bytes, out->length, task->how.null_separated ? "\n\t" : "\n\t") ||
					task->how.null_separated,
				"a list has no controls and bidi controls");
	} else if (task->how.terminal && !task->how.color) {
		PROMISE(run, !has(out, "\033", 1), "with `terminal`, controls are shown in caret notation");
	}
}

static void plan_render(struct run *run)
{
	struct dice *dice = &run->dice;
	struct setup setup;
	setup_new(run, &setup, NULL);
	urlsift_mail_options mail = any_mail(run);
	struct task task = { .how = any_rendering(run), .setup = &setup };
	if (once_in(dice, 2)) {
		task.mail = &mail;
		any_mail_page(run, mail.kind);
	} else {
		any_page(run, &setup);
	}
	urlsift_render_prepare(&task.how, setup.options, &mail);
	struct writer a = { .run = run, .out = &run->first }, b = { .run = run, .out = &run->second };
	run->first.length = run->second.length = 0;
	urlsift_status status = render_page(run, run->context, &task, &a);
	PROMISE(run,
			status != URLSIFT_BAD_ARGUMENT ||
				urlsift_render_fault(&task.how, NULL),
			"a renderer is made unless its template, form or key is faulty");
	if (status == URLSIFT_BAD_ARGUMENT) {
		setup_free(&setup);
		return;
	}
	PROMISE(run, status == URLSIFT_OK, "a page is rendered");
	task.chunk = any_chunk(dice);
	const int how = (int)roll(dice, 4);
	task.fail_at = how == 1 ? 1 + roll(dice, 3) : 0;
	task.how.whole_records = how == 3;
	status = render_page(run, run->context, &task, &b);
	if (task.fail_at && b.failed) {
		PROMISE(run, status == URLSIFT_STOPPED, "STOPPED once the write callback has failed");
		PROMISE(run, b.out->length <= a.out->length && !memcmp(a.out->bytes, b.out->bytes, b.out->length),
				"what was written before is the same");
	} else {
		PROMISE(run, status == URLSIFT_OK, "a page is rendered");
		compare(run, "the output depends on neither chunks nor blocks", __LINE__);
	}
	task.fail_at = 0;
	check_output(run, &task, &a);
	setup_free(&setup);
}

/* With allocations that fail, the output is still well-formed. */
static void plan_render_memory(struct run *run)
{
	struct dice *dice = &run->dice;
	struct heap heap = { .fail_at = 1 + (long)roll(dice, 40), .from_then_on = (int)roll(dice, 2) };
	const urlsift_allocator allocator = heap_allocator(&heap);
	struct setup setup;
	setup_new(run, &setup, NULL);
	urlsift_mail_options mail = any_mail(run);
	struct task task = { .how = any_rendering(run), .setup = &setup, .context_fails = 1, .chunk = any_chunk(dice) };
	if (once_in(dice, 2)) {
		task.mail = &mail;
		any_mail_page(run, mail.kind);
	} else {
		any_page(run, &setup);
	}
	note(run, "fail_at", heap.fail_at);
	note(run, "from_then_on", heap.from_then_on);
	urlsift_render_prepare(&task.how, setup.options, &mail);
	struct writer writer = { .run = run, .out = &run->first };
	run->first.length = 0;
	urlsift_context *context = urlsift_context_new(&allocator);
	if (context) {
		const urlsift_status status = render_page(run, context, &task, &writer);
		PROMISE(run,
				status == URLSIFT_OK || status == URLSIFT_NO_MEMORY || status == URLSIFT_INTERNAL ||
					status == URLSIFT_BAD_ARGUMENT,
				"a documented status");
		writer.fail_at = 1; /* the text may be cut */
		if (status != URLSIFT_BAD_ARGUMENT)
			check_output(run, &task, &writer);
	}
	urlsift_context_free(context);
	PROMISE(run, heap.used == 0, "all memory is given back");
	setup_free(&setup);
}

static urlsift_status render_text(struct run *run, const urlsift_render_options *how, urlsift_options *options,
								  struct text *out)
{
	const struct setup setup = { .options = options };
	const struct task task = { .how = *how, .setup = &setup };
	struct writer writer = { .run = run, .out = out };
	urlsift_render_prepare(how, options, NULL);
	out->length = 0;
	return render_page(run, run->context, &task, &writer);
}

static size_t count_lines(const struct text *text)
{
	size_t n = 0;
	for (size_t i = 0; i < text->length; i++)
		n += text->bytes[i] == '\n';
	return n;
}

/* How many lines of `lines` are lines of `text`, too; in order: and in the same order. */
static size_t lines_found(const struct text *lines, const struct text *text, int ordered)
{
	size_t found = 0, from = 0;
	for (size_t i = 0, end; i < lines->length; i = end) {
		for (end = i; lines->bytes[end++] != '\n';)
			;
		for (size_t k = ordered ? from : 0, next; k < text->length; k = next) {
			for (next = k; text->bytes[next++] != '\n';)
				;
			if (same(lines->bytes + i, end - i, text->bytes + k, next - k)) {
				found++;
				from = next;
				break;
			}
		}
	}
	return found;
}

/* A text with one of these, letter case aside, is not restored: nothing tells it from what defang writes. */
static int has_defanged(const struct text *page)
{
	static const char *const forms[] = {
		"hxxp", "hxtp", "htxp", "h**p", "fxp", "[://]", "[:]", "[/]", "[.]", "(.)",
		"{.}", "[.", "<.>", "[dot]", "(dot)", "{dot}", "[@]", "(@)", "{@}", "[at]", "(at)", "{at}"
	};
	int found = 0;
	for (size_t i = 0; i < page->length && !found; i++)
		for (size_t k = 0; k < LENGTH_OF(forms) && !found; k++) {
			size_t n = 0;
			while (forms[k][n] && i + n < page->length && tolower((unsigned char)page->bytes[i + n]) == forms[k][n])
				n++;
			found = !forms[k][n];
		}
	return found;
}

/* wrap: list finds the same links in the result.  defang: no link is left, and refang restores the text. */
static void plan_round_trip(struct run *run)
{
	struct dice *dice = &run->dice;
	struct text *const page = &run->page;
	put_text(dice, page);
	if (once_in(dice, 3))
		mutate(dice, page);
	if (!page->length)
		put_char(page, 'x');
	const int wraps = (int)roll(dice, 2);
	note(run, "wraps", wraps);
	urlsift_options *options = urlsift_options_new(NULL);
	urlsift_render_options list = { .format = "list", .encoded = 1 },
						   form = { .format = "rewrite",
									.form = wraps ? "wrap" : "defang",
									.width = once_in(dice, 2) ? 20 + (long)roll(dice, 80) : 0 };
	note(run, "width", form.width);
	char *kept = malloc(page->length);
	if (!kept)
		abort();
	const struct text original = { kept, page->length, page->length };
	memcpy(kept, page->bytes, page->length);
	if (!wraps) {
		urlsift_options_set(options, URLSIFT_OPT_REFANG, 1);
		list.line_format = "%g%u";
	}
	render_text(run, &list, options, &run->first);
	/* broken links are joined; a mark selects a charset */
	int leave = has(page, "\376\377", 2) || has(page, "\377\376", 2) || has(&run->first, "joined", 6);
	/* an escape sequence may hide what follows once a control character in it is gone */
	for (size_t i = 0; i < 5 && wraps; i++)
		leave |= has(page, (const char[]){ '\033', "]P^_X"[i] }, 2);
	/* so may an overstrike; a soft hyphen in a host is encoded, which shows unless it is a host of http */
	leave |= wraps && (has(page, "\302\255", 2) || has(page, "\b", 1));
	urlsift_options_set(options, URLSIFT_OPT_REFANG, 0);
	list.line_format = NULL;
	render_text(run, &list, options, &run->first);
	/* no host: its characters are encoded as in a path, behind a user as well, or all of it is a second `@` */
	leave |= wraps && (has(&run->first, "://%", 4) || has(&run->first, "@%", 2) || has(&run->first, "@/", 2));
	/* without the white space after it a backslash may escape what follows */
	leave |= wraps && has(&run->first, "%5C", 3);
	render_text(run, &form, options, &run->third);
	if (run->third.length < PAGE && !leave) {
		page->length = 0;
		put(page, run->third.bytes, run->third.length);
		render_text(run, &list, options, &run->second);
		page->length = 0;
		put(page, kept, original.length);
		if (wraps) {
			PROMISE(run, lines_found(&run->first, &run->second, 1) == count_lines(&run->first),
					"after wrap, list --encoded finds the same links");
		} else {
			PROMISE(run, lines_found(&run->first, &run->second, 0) == 0, "no link is found in the defanged text");
			if (!has_defanged(&original)) {
				form.form = "refang";
				page->length = 0;
				put(page, run->third.bytes, run->third.length);
				render_text(run, &form, options, &run->second);
				page->length = run->first.length = 0;
				put(page, kept, original.length);
				put(&run->first, kept, original.length);
				compare(run, "refang restores what defang has changed", __LINE__);
			}
		}
	}
	urlsift_options_free(options);
	free(kept);
}

/* explain, and the functions that escape. */
static void plan_escape(struct run *run)
{
	struct dice *dice = &run->dice;
	put_transformed(dice, &run->page, "");
	mutate(dice, &run->page);
	typedef size_t escape_fn(const char *text, size_t length, char *out, size_t size);
	escape_fn *const escapes[] = { urlsift_escape_html, urlsift_escape_json, urlsift_escape_line, urlsift_escape_name };
	char *text = malloc(run->page.length + 1);
	if (!text)
		abort();
	memcpy(text, run->page.bytes, run->page.length);
	for (size_t i = 0; i < LENGTH_OF(escapes); i++) {
		const size_t n = escapes[i](text, run->page.length, run->first.bytes, run->first.room);
		const size_t some = roll(dice, 64);
		char small[65];
		memset(small, '#', sizeof small);
		PROMISE(run,
				escapes[i](text, run->page.length, small, some) == n && small[some] == '#' &&
					!memcmp(small, run->first.bytes, some < n ? some : n),
				"at most `size` bytes, and the whole length");
		run->first.length = n < run->first.room ? n : run->first.room;
		if (n > run->first.room)
			continue;
		PROMISE(run, is_utf8(run->first.bytes, n), "what is escaped is valid UTF-8");
		PROMISE(run, i == 0 || !has_control(run->first.bytes, n, ""), "what is escaped has no controls");
		if (i == 1) {
			struct json json = { run->first.bytes, run->first.bytes + n, NULL };
			json_string(&json);
			PROMISE(run, !json.fault && json.at == run->first.bytes + n, "a JSON string");
		}
	}
	const int as_json = (int)roll(dice, 2);
	const urlsift_render_options how = { .format = as_json ? "json" : "list", .unwrap = (int)roll(dice, 2) };
	struct writer writer = { .run = run, .out = &run->first };
	run->first.length = 0;
	urlsift_renderer *renderer = urlsift_render_new(run->context, &how, on_write, &writer, NULL);
	PROMISE(run,
			renderer && urlsift_render_url(renderer, text, run->page.length) == URLSIFT_OK &&
				urlsift_render_end(renderer) == URLSIFT_OK,
			"a URL is explained");
	urlsift_render_free(renderer);
	if (as_json)
		check_json(run, &run->first);
	else
		PROMISE(run,
				is_utf8(run->first.bytes, run->first.length) && !has_control(run->first.bytes, run->first.length, "\n"),
				"an explanation is UTF-8 without controls");
	free(text);
}

/* ---- A run ---- */

static void one_run(struct run *run)
{
	typedef void plan_fn(struct run * run);
	plan_fn *const plans[] = { plan_scan,       plan_scan,        plan_scan,          plan_stop,   plan_find,
							   plan_memory,     plan_memory,      plan_url,           plan_url,    plan_render,
							   plan_render,     plan_render,      plan_render_memory, plan_mail,   plan_mail,
							   plan_mail,       plan_mail_memory, plan_mail_stop,        plan_detect, plan_round_trip,
							   plan_round_trip, plan_escape };
	const uint32_t plan = roll(&run->dice, (uint32_t)LENGTH_OF(plans));
	note(run, "plan", (long)plan);
	plans[plan](run);
}

/* What all runs share, since it is slow to make: a context, whose grammars are compiled once, and buffers. */
static struct {
	urlsift_context *context;
	char page[PAGE], first[TRACE], second[TRACE], third[TRACE], notes[4096];
} lab;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!lab.context)
		lab.context = urlsift_context_new(NULL);
	struct run run = { .dice = { NULL, 0, 0 },
					   .page = { lab.page, 0, PAGE },
					   .notes = { lab.notes, 0, sizeof lab.notes },
					   .context = lab.context,
					   .first = { lab.first, 0, TRACE },
					   .second = { lab.second, 0, TRACE },
					   .third = { lab.third, 0, TRACE } };
	const size_t seed = size < 4 ? size : 4;
	for (size_t i = 0; i < seed; i++)
		run.dice.state = run.dice.state << 8 | data[i];
	run.dice.data = data + seed;
	run.dice.left = size - seed;
	one_run(&run);
	return 0;
}
