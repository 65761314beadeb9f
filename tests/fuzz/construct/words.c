#include "construct.h"

uint32_t choose(struct choices *c, uint32_t n)
{
	if (c->length >= 1 + (size_t)(n > 256)) {
		uint32_t value = *c->bytes++;
		c->length--;
		if (n > 256) {
			value = value << 8 | *c->bytes++;
			c->length--;
		}
		return value % n;
	}
	c->state = c->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(c->state >> 33) % n;
}

static void repeat(struct bytes *out, const char *text, size_t times)
{
	while (times--)
		bytes_text(out, text);
}

void construct_host(struct choices *c, struct bytes *out)
{
	static const char *const labels[] = {
		"a", "www", "b-c", "h1", "x_y", "xn--bcher-kva", "A", "1", "0x7f", "b\xc3\xbc""cher", "\xd7\x90",
		"\xe4\xb8\x96",
		"xn--a", "-", "ftp", "paypa1", "\xd0\xb0pple", "e\xcc\x81", "%41", "\xf0\x9f\x98\x80", "\xe2\x84\x80",
		"a\xc2\xad""b"
	};
	static const char *const ends[] = {
		"a.example", "b.test", "c.example.org", "archive.example", "localhost", "192.0.2.1", "[2001:db8::1]", "[::1",
		"017.1", "0x7f.1", "a.example.", "b.com", "c.de", "d.\xd1\x80\xd1\x84", "xn--p1ai", "e.exam", "2130706433"
	};
	static const char *const long_labels[] = { "a", "a.", "xn--", "\xc3\xbc", "\xe4\xb8\x96", "b-", "_",
		"\xf0\x9f\x98\x80" };
	if (c->long_hosts && once_in(c, c->long_hosts)) { /* the limit may be in its last character */
		const char *label = CHOOSE(c, long_labels);
		repeat(out, "a", choose(c, 4));
		repeat(out, label, (254 + choose(c, 12)) / strlen(label));
		return;
	}
	size_t n = choose(c, 4) ? 0 : choose(c, 3);
	while (n--) {
		bytes_text(out, CHOOSE(c, labels));
		bytes_text(out, once_in(c, 8) ? "\xe3\x80\x82" : ".");
	}
	if (once_in(c, 24)) { /* as long as hosts and labels may be */
		const char *label = CHOOSE(c, long_labels);
		size_t length = (once_in(c, 2) ? 255 : 63) / strlen(label);
		repeat(out, label, length - choose(c, 4));
		repeat(out, "a", choose(c, 6));
		bytes_text(out, CHOOSE(c, long_labels));
	}
	bytes_text(out, CHOOSE(c, ends));
}

static const char *const schemes[] = {
	"http://", "https://", "http://", "ftp://", "https://", "HTTP://", "mailto:", "news:", "urn:isbn:", "tel:",
	"gopher://",
	"x-new://", "javascript:", "data:text/html,", "file:///", "jar:http://", "http:", "svn+ssh://", "telnet://",
	"irc://",
	"nntp://", "mid:", "cid:", "xmpp:", "sip:", "view-source:http://", "ldap:///", "wais://", "//", "news://", "geo:",
	"magnet:?xt=", "git+https://", "tag:", "info:lccn/", "ms-word:ofe|u|http://", "imap://", "about:", "dav://",
	"h://"
};

static const char *const bits[] = {
	"/", "/a", "/path", "/x(y)z", ",all", ";p=1", "?a=1", "#f", "&b=2", "~u", "%20", "-", "/b", "=", "_", ".txt",
	"/a-long-path/that-goes-on", "/Foo_(bar)", "&amp;c=3", "%41", "%0D%0A", "%00", "%zz", "/../", "/./", "..", "?",
	"#",
	"+", "@", "!", "'", "*", ":", ";", ",", "(", ")", "[", "]", "{", "}", "|", "^", "\\", "$", "\xc3\xa9",
	"\xe4\xb8\x96",
	"\xe2\x80\xae", "\xe2\x80\x8b", "\xe9", "\xff", "\\/", "\\u0026", "http://", ",http://b.example/",
	"|http://c.example/",
	"&quot;", "&gt;", "&#39;", "&#x2f;", "://", "www.", "=3D", "=20", "\xef\xbc\x8f", "\xe2\x80\xa6", "...", "$1",
	"<", ">",
	"\"", "`", " ", "\t", "\xc2\xa0", "\xc2\xad", "\xe2\x80\x90", "\xcc\x81"
};
enum { HARMLESS = 20 }; /* of them, at the beginning */

static void add_rest(struct choices *c, struct bytes *out)
{
	static const char *const lengths[] = { "/abcdefg", "a", "%41", "\xc3\xa9", "/a-", "(", "a.", "&amp;",
		"\xf0\x9f\x98\x80" };
	size_t n = choose(c, 6);
	if (n == 5)
		n += choose(c, 12);
	while (n--)
		bytes_text(out, bits[choose(c, once_in(c, 3) ? sizeof bits / sizeof *bits : HARMLESS)]);
	if (once_in(c, 16)) {
		const char *part = CHOOSE(c, lengths);
		repeat(out, part, choose(c, once_in(c, 16) ? 3000 : 60));
	}
}

static void percent_encode(struct bytes *out, const struct bytes *url, const char *mark)
{
	char code[8];
	for (size_t i = 0; i < url->length; i++) {
		uint8_t b = (uint8_t)url->data[i];
		if (strchr(":/?#&=% -_", (char)b) && b) {
			snprintf(code, sizeof code, "%s%02X", mark, b);
			bytes_text(out, code);
		} else {
			bytes_byte(out, b);
		}
	}
}

/* A link rewriter around a URL, or some of it after the scheme. */
static void add_rewriter(struct choices *c, struct bytes *out)
{
	static const struct {
		const char *before, *mark, *after;
	} rewriters[] = {
		{ "https://nam01.safelinks.protection.outlook.com/?url=", "%", "&data=05%7C02&reserved=0" },
		{ "https://urldefense.com/v1/url?u=", "%", "&k=x" },
		{ "https://urldefense.proofpoint.com/v2/url?u=", "-", "&d=D" },
		{ "https://urldefense.com/v3/__", "*", "__;w7zwn5Kp!!a$" },
		{ "https://www.google.com/url?sa=t&q=", "%", "&usg=1" },
		{ "https://secure-web.cisco.com/1ab_c/", "%", "" },
		{ "https://www.facebook.com/l.php?u=", "%", "&h=A" },
		{ "https://out.reddit.com/t3?url=", "%", "" },
		{ "https://duckduckgo.com/l/?uddg=", "%", "" },
		{ "https://eu-west-1.protection.sophos.com/?d=a.example&u=", "=", "&i=1" },
	};
	struct bytes url = { 0 };
	size_t i = choose(c, sizeof rewriters / sizeof *rewriters);
	if (once_in(c, 8)) {
		const size_t host = strcspn(rewriters[i].before + 8, "/") + 8, n = strlen(rewriters[i].before);
		bytes_add(out, rewriters[i].before, host + (once_in(c, 2) ? 0 : choose(c, (uint32_t)(n - host) + 1)));
		return;
	}
	bytes_text(&url, schemes[choose(c, 3)]);
	construct_host(c, &url);
	add_rest(c, &url);
	bytes_text(out, rewriters[i].before);
	percent_encode(out, &url, rewriters[i].mark);
	bytes_text(out, rewriters[i].after);
	free(url.data);
}

/* A few bytes of one kind somewhere in the text from `from` on: controls, what is not UTF-8, blanks. */
static void sprinkle(struct choices *c, struct bytes *out, size_t from)
{
	static const char kinds[] = "\0\0\0\x7f\x1b\xff\x80\b\r\t \x01\x85";
	char byte = kinds[choose(c, sizeof kinds - 1)];
	size_t n = out->length - from, at = from + choose(c, n < 65535 ? (uint32_t)n + 1 : 65536);
	for (size_t times = 1 + choose(c, 5); times > 0; times--)
		bytes_byte(out, (uint8_t)byte);
	n = out->length - from - n;
	memmove(out->data + at + n, out->data + at, out->length - n - at);
	memset(out->data + at, byte, n);
}

/* What nothing is odd of but a byte or two. */
static void add_plain(struct choices *c, struct bytes *out)
{
	static const char *const hosts[] = { "a", "a.example", "www.b.example", "c.test" };
	size_t from = out->length;
	bytes_text(out, schemes[choose(c, 3)]);
	bytes_text(out, CHOOSE(c, hosts));
	if (!once_in(c, 4)) {
		bytes_text(out, "/");
		from = out->length;
	}
	for (size_t n = choose(c, 4); n > 0; n--)
		bytes_text(out, bits[choose(c, HARMLESS)]);
	if (once_in(c, 4))
		sprinkle(c, out, from);
}

/* In brackets, what may be cut off there: blanks, hyphens, soft line breaks, labels; lines that break; and escapes, some
 * of which are read by what follows them. */
static void add_bracketed(struct choices *c, struct bytes *out)
{
	static const char *const openings[] = { "<", "<", "<", "<", "<URL:", "<URL: ", "[l](<", "\"", "(" };
	static const char *const blanks[] = { "", "", " ", "\t" };
	static const char *const marks[] = { "", "-", "\xe2\x80\x90", "\xc2\xad", "=", "\\" };
	static const char *const breaks[] = { "\n", "\n", "\n> ", "\r\n", "\n  ", "" };
	static const char *const rests[] = { "", "", "a", "/b", "#", ":80", "&amp;", "ftp://", "](", "](c", "](c\\:8", "](c\\:/d",
		"\\:8", "\\&.", "\\-", "\\\\" };
	static const char *const ends[] = { ">", ">", "> now=20\n", "> now=20\n", "|label>", ":80|label>", "\"", ")" };
	bytes_text(out, CHOOSE(c, openings));
	bytes_text(out, schemes[choose(c, 3)]);
	bytes_text(out, once_in(c, 2) ? "a.example" : "www.b.example/x");
	for (size_t n = 1 + choose(c, 3); n > 0; n--) {
		bytes_text(out, CHOOSE(c, blanks));
		bytes_text(out, CHOOSE(c, marks));
		bytes_text(out, CHOOSE(c, breaks));
		bytes_text(out, CHOOSE(c, rests));
	}
	bytes_text(out, CHOOSE(c, ends));
}

/* As long as links may be, or about (URLSIFT_OPT_MAX_URL), and what is after it. */
static void add_limited(struct choices *c, struct bytes *out)
{
	static const uint16_t limits[] = { 64, 64, 64, 100, 1000 };
	static const char *const starts[] = {
		"http://a.example/", "http://a.example/", "http://", "a", "<http://a.example/", "www.b.example/", "mailto:a"
	};
	static const char *const fillers[] = { "a", "a", "\xe6", "\xc3\xbc", "a.", "/ab", "a-", "&amp;", "\xe6/" };
	static const char *const ends[] = { "", "@b.example", "/", "-", "@b.example", ".example", "=", ":" };
	static const char *const breaks[] = { "\n", "\n", "\n  ", "", " ", "\n> ", "-\n", "=\n", "\\\n", "\r\n" };
	static const char *const rests[] = {
		"/files/list.txt", "a", "@b.example", ".example/a", "a.example", ">", "", " word"
	};
	size_t limit = c->limit && !once_in(c, 4) ? c->limit : CHOOSE(c, limits), length = 0;
	const char *start = CHOOSE(c, starts), *filler = CHOOSE(c, fillers);
	size_t width = strlen(filler) + (*filler == '\xe6'); /* windows-1252, which grows */
	if (once_in(c, 2))
		bytes_text(out, "a few words before ");
	bytes_text(out, start);
	limit += choose(c, once_in(c, 2) ? 40 : 3);
	limit -= choose(c, 4);
	limit += *start == '<';
	for (length = strlen(start); length + width < limit; length += width)
		bytes_text(out, filler);
	bytes_text(out, CHOOSE(c, ends));
	bytes_text(out, CHOOSE(c, breaks));
	bytes_text(out, CHOOSE(c, rests));
}

/* In brackets or not, quoted-printable in a text that does not say so. */
static void add_escaped(struct choices *c, struct bytes *out)
{
	static const char *const openings[] = { "<", "<", "<", "<URL:", "word=20<", "[l](<", "" };
	static const char *const pieces[] = { "\\", "\\:8", "\\&.", "\\~{}", "](c", "=2D\n", "=3D", "=3D", "=26", "=20", "=C3=BC",
		"=E2=80=90\n", "=AD\n", "=\n", "=\n",
		"=\r\n", "a", "/b", "?c=3Dd",
		"&amp;", "/a-path-that-makes-a-line-as-long-as-an-encoder-does-before-it-breaks-it", " ", "-", "|" };
	static const char *const ends[] = { ">", "|label>", "|label>", " word>", "=\n>", "" };
	bytes_text(out, CHOOSE(c, openings));
	bytes_text(out, "http://a.example/");
	for (size_t n = 1 + choose(c, 8); n > 0; n--)
		bytes_text(out, CHOOSE(c, pieces));
	bytes_text(out, CHOOSE(c, ends));
}

/* Longer than a line, with what may not be broken in it. */
static void add_wide(struct choices *c, struct bytes *out)
{
	static const char *const pieces[] = { "&amp;", "&amp;a=1", "a", "/path", "-", "%41", "=", "word", "\\/", ".",
	                                      "&#38;" };
	static const char *const openings[] = { "", "", "<", "<URL:", "> ", "Name> " };
	bytes_text(out, CHOOSE(c, openings));
	bytes_text(out, "http://a.example/");
	for (size_t n = choose(c, 24); n > 0; n--)
		bytes_text(out, CHOOSE(c, pieces));
	bytes_text(out, once_in(c, 2) ? ">" : "\n");
}

/* As long as the limit when what is not UTF-8 was converted, or about; the next line looks like more of it. */
static void add_guessed(struct choices *c, struct bytes *out)
{
	static const char *const fillers[] = { "\xe6", "\xe6/", "\xe6/a", "a\xe6-" };
	static const char *const ends[] = { "", "-", "-", ".", "..", ",", "/", "=", ")", ".html," };
	static const char *const breaks[] = { "\n", "\n", "\r\n", "\n> " };
	static const char *const rests[] = { "/files/list.txt", "a/b.html", "-b/c.html", ".html", "b/c?d=1" };
	const char *filler = CHOOSE(c, fillers);
	bytes_text(out, once_in(c, 2) ? "a few words before " : "");
	bytes_text(out, "http://a.example/");
	size_t length = sizeof "http://a.example/" - 1, end = c->limit - choose(c, 6);
	for (; length < end; length += strlen(filler) + 1)
		bytes_text(out, filler);
	bytes_text(out, CHOOSE(c, ends));
	bytes_text(out, CHOOSE(c, breaks));
	bytes_text(out, CHOOSE(c, rests));
}

void construct_url(struct choices *c, struct bytes *out)
{
	size_t from = out->length;
	static const char *const users[] = { "u@", "u:p@", "bank.example@", ":@", "@", "a%40b@", "\xc3\xbc@", "http://" };
	static const char *const ports[] = { ":80", ":8080", ":", ":0", ":99999", ":25", ":443", ":x" };
	uint32_t kind = c->urls ? c->urls : c->limit && once_in(c, 4) ? 19 : choose(c, 20);
	if (kind > 14) {
		if (kind == 15)
			add_rewriter(c, out);
		else if (kind < 18)
			add_bracketed(c, out);
		else if (kind < 20)
			add_limited(c, out);
		else if (kind < 21)
			add_escaped(c, out);
		else if (kind < 22)
			add_guessed(c, out);
		else
			add_wide(c, out);
		return;
	}
	if (kind > 10) {
		add_plain(c, out);
		return;
	}
	bytes_text(out, schemes[choose(c, once_in(c, 3) ? sizeof schemes / sizeof *schemes : 5)]);
	if (once_in(c, 8))
		bytes_text(out, CHOOSE(c, users));
	construct_host(c, out);
	if (once_in(c, 8))
		bytes_text(out, CHOOSE(c, ports));
	add_rest(c, out);
	if (once_in(c, 24))
		sprinkle(c, out, from);
}

void construct_word(struct choices *c, struct bytes *out)
{
	static const char *const words[] = {
		"word", "see", "the", "long-word", "(+", "URL:", "...", "--", "bug 4711", "b.", "a,", "end.It",
		"readme.md", "1.2",
		"ASP.NET", "URL",
		"x:y", "=?", "12:30", "aaaaaa", "\xe2\x80\x94", "\xc3\xa9t\xc3\xa9", "\xd7\x90\xd7\x91",
		"\xe4\xb8\x96\xe7\x95\x8c",
		"\xff\xfe", "\x80", "\xe2\x82", "\xed\xa0\x80", "\xe2\x80\xae", "\xe2\x81\xa6", "\x7f", "\xc2\x85",
		"\xe2\x80\xa8", "\x01",
		"\xef\xbb\xbf", "\\n", "\\fB", "<", ">", "[", "]", "(", ")", "\"", "'", "`", "*", "_", "|", "From",
		"begin", "end", "&lt;", "=3D"
	};
	/* for the rules of choose_rules (construct.c), and for charsets */
	static const char *const matches[] = { "bug 4711", "see/12 a", "aaaaa", "\xc3\xa9", "\xc3\xa9\xe2\x80\xa6",
		"bug 1 bug 2", "a\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9" };
	static const char *const letters[] = { "\xe9t\xe9", "\xc3\xa9t\xc3\xa9", "\x83\x65", "\xc1\xc2", "+AOk-",
		"\x1b$B8l\x1b(B", "\xc3\xa9.example", "b@b\xfc.example" };
	if (c->ruled && once_in(c, 4)) {
		bytes_text(out, CHOOSE(c, matches));
		return;
	}
	if (c->declared && once_in(c, 4)) {
		bytes_text(out, CHOOSE(c, letters));
		return;
	}
	switch (choose(c, 9)) {
	case 0: case 1: case 2: case 3:
		construct_url(c, out);
		return;
	case 4:
		bytes_text(out, once_in(c, 4) ? "ftp." : "www.");
		construct_host(c, out);
		add_rest(c, out);
		return;
	case 5:
		bytes_text(out, once_in(c, 4) ? "\"a b\"" : once_in(c, 4) ? "l\xc3\xb6" : "local.part+x");
		bytes_byte(out, '@');
		construct_host(c, out);
		return;
	case 6:
		construct_host(c, out);
		return;
	default:
		bytes_text(out, words[choose(c, once_in(c, 2) ? sizeof words / sizeof *words : 10)]);
	}
}
