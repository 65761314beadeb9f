/* Texts, pages and messages where two rules meet that seldom do (enum aim). */
#include "construct.h"

/* Appends n strings of a list. */
static void add_some(struct choices *c, struct bytes *out, const char *const *list, size_t count, size_t n)
{
	while (n--)
		bytes_text(out, list[choose(c, (uint32_t)count)]);
}

#define SOME(c, out, list, n) add_some(c, out, list, sizeof(list) / sizeof *(list), n)

/* A byte again and again. */
static void add_run(struct bytes *out, char byte, size_t n)
{
	while (n--)
		bytes_byte(out, (uint8_t)byte);
}

/* Words, as many as it takes until what is before them is handed out, or a few. */
static void add_words(struct choices *c, struct bytes *out)
{
	static const char *const words[] = { "word ", "a line of words\n", "x\n", "12 " };
	const char *word = CHOOSE(c, words);
	for (size_t n = choose(c, once_in(c, 2) ? 1200 : 20); n > 0; n -= n < strlen(word) ? n : strlen(word))
		bytes_text(out, word);
}

/* A hyperlink of a terminal; what ends it may be incomplete, or be none. */
static void add_hyperlink(struct choices *c, struct bytes *out)
{
	static const char *const targets[] = { "http://t.example/", "http://t.example/\xc3\xa9", "mailto:a@t.example",
		"x", "" };
	static const char *const labels[] = { "word", "word", "a.example", "http://b.example/", "", "two words", "_\bl",
		"x\n", "\xc3\xa9", "\xc3\xa9\x1b[m\xe2\x80\xa6",
		"\x1b[1mx\x1b[m" };
	static const char *const ends[] = { "\x1b]8;;\x07", "\x1b]8;;\x07", "\x1b]8;;\x1b\\", "\x1b]8;;", "\x1b]8;\n",
		"\x1b]8;;\n",
		"\x1b]8;", "\x1b]8", "\x1b]8;\x07", "\x1b]8;id=a\b", "\x1b]8;;\x7f", "\x1b]8;;\x1b]8;;\x07", "\x1b]8;;\x1b[m", "" };
	bytes_text(out, once_in(c, 4) ? "\x1b]8;id=a;" : "\x1b]8;;");
	bytes_text(out, CHOOSE(c, targets));
	bytes_text(out, once_in(c, 2) ? "\x07" : "\x1b\\");
	SOME(c, out, labels, 1 + choose(c, once_in(c, 4) ? 6 : 2));
	bytes_text(out, CHOOSE(c, ends));
}

/* Links that go past a limit, more than are remembered, and a sequence near them, so that they are read again. */
static void add_noticed(struct choices *c, struct bytes *out)
{
	static const char *const links[] = { "<http:\na\n", "<http:\nb\nc\nd\n", "<http:\n", "<x:\n", "<URL:http:\n",
		"<http://a.example/\nb\nc\n" };
	static const char *const between[] = { "", "", " ", "\n", "x " };
	size_t n = 1 + choose(c, once_in(c, 2) ? 50 : 8);
	bool brackets = !once_in(c, 3);
	const char *usual = CHOOSE(c, links);
	while (n--) {
		if (brackets)
			bytes_text(out, once_in(c, 8) ? CHOOSE(c, links) : usual);
		else
			bytes_text(out, "http://a.example/");
		add_run(out, 'a', brackets ? 0 : 64 + choose(c, 4) - 20);
		bytes_text(out, brackets ? CHOOSE(c, between) : once_in(c, 4) ? "\n" : " ");
	}
	bytes_text(out, CHOOSE(c, between));
	construct_sequences(c, out, SEQUENCES);
	bytes_text(out, CHOOSE(c, between));
}

/* A block that is not searched, and in its lines what belongs to no character, or to no such block. */
static void add_whole_block(struct choices *c, struct bytes *out)
{
	static const char *const blocks[][2] = { { "begin 644 f\n", "#0V%T\n" },
		{ "-----BEGIN PGP MESSAGE-----\n\n", "hQEMA\n" },
		{ "=ybegin line=5 size=9 name=f\n", "hQEMA\n" } };
	static const char *const odd[] = { "\xb5", "\xb5\xb5", "\x80", "\xc3", "\xe2\x80", "a", "\x1b[m", "",
		"http://a.example/" };
	const size_t kind = choose(c, 3);
	bytes_text(out, once_in(c, 2) ? "http://a.example/\n" : "words\n\n");
	bytes_text(out, blocks[kind][0]);
	for (size_t n = 1 + choose(c, 3); n > 0; n--) {
		for (size_t lines = 1 + choose(c, 3); lines > 0; lines--)
			bytes_text(out, blocks[kind][1]);
		SOME(c, out, odd, 1 + choose(c, 2));
		bytes_text(out, once_in(c, 2) ? "\n" : blocks[kind][1]);
	}
}

/* What begins a block that is not searched, or almost, and hyperlinks in its lines. */
static void add_block(struct choices *c, struct bytes *out)
{
	static const char *const begins[] = { "begin 644 f", "begin 644 f", "begin 0644 a file",
		"=ybegin line=128 size=9 name=f",
		"-----BEGIN PGP MESSAGE-----", "-----BEGIN PGP PUBLIC KEY BLOCK-----", "begin 6" };
	static const char *const lines[] = { "#0V%T\n", "M", "`\n", "end\n", "\n", "Version: x\n", "hQEMA\n", "=aaaa\n",
		"http://c.example/\n",
		"words, and more\n", "-----END PGP MESSAGE-----\n", "=yend size=9\n" };
	if (once_in(c, 3)) {
		add_whole_block(c, out);
		return;
	}
	if (once_in(c, 2))
		bytes_text(out, once_in(c, 2) ? "http://a.example/\n" : "words\n");
	for (size_t n = choose(c, 3); n > 0; n--)
		if (once_in(c, 2))
			add_hyperlink(c, out);
		else
			construct_sequences(c, out, 5);
	bytes_text(out, once_in(c, 4) ? "" : "\n");
	bytes_text(out, CHOOSE(c, begins));
	for (size_t n = 2 + choose(c, 4); n > 0; n--) {
		if (once_in(c, 3))
			add_hyperlink(c, out);
		bytes_text(out, once_in(c, 6) ? " " : "\n");
		bytes_text(out, CHOOSE(c, lines));
		if (once_in(c, 8))
			add_words(c, out);
	}
}

/* What a rule of the user takes too many steps for, or matches, on lines with hyperlinks. */
static void add_steep(struct choices *c, struct bytes *out)
{
	static const char *const words[] = { "bug 4711", " see 12 ", " word ", "\n", "\n", "\n", "http://a.example/\n",
		"\xc3\xa9" };
	for (size_t n = 1 + choose(c, 5); n > 0; n--) {
		uint32_t kind = choose(c, 4);
		if (kind == 0) {
			add_run(out, 'a', 14 + choose(c, 12));
			bytes_text(out, once_in(c, 2) ? " x" : ""); /* without it no rule tries */
		}
		if (kind == 1)
			add_hyperlink(c, out);
		SOME(c, out, words, 1 + choose(c, 2));
		if (once_in(c, 4))
			add_words(c, out);
	}
}

/* Hyperlinks and their labels; most of them end in one way. */
static void add_labels(struct choices *c, struct bytes *out)
{
	static const char *const words[] = { " ", "\n", "word", " http://a.example/ ", "\x1b", "\b", "\x1b[m",
		"\xc3\xa9\xe2\x80\xa6", "\xc3\xa9\xc3\xa9" };
	struct bytes usual = { 0 };
	bytes_clear(&usual);
	add_hyperlink(c, &usual);
	for (size_t n = 1 + choose(c, once_in(c, 2) ? 24 : 4); n > 0; n--) {
		if (once_in(c, 4))
			add_hyperlink(c, out);
		else
			bytes_add(out, usual.data, usual.length);
		SOME(c, out, words, choose(c, 3));
		if (once_in(c, 2))
			add_words(c, out);
	}
	free(usual.data);
}

/* Links that defang takes away, next to what is one only without them. */
static void add_fanged(struct choices *c, struct bytes *out)
{
	static const char *const before[] = { "", "", "see ", "<", "(", "\"", "URL:", "x", "{\"a\": \"", "?u=" };
	static const char *const schemes[] = { "http://", "http://", "http://", "http:", "feed:http://", "www.",
		"mailto:a@", "ftp://", "fxp://", "fxp://" };
	static const char *const hosts[] = { "a.example", "a.example", "b.example", "[a.example", "[::1]", "[2001:db8::1",
		"[", "[4m", "\xc3.www.b.example",
		"a\xe9.example", "\xc3\xe9.b.example", "b\xc3\xbc.example", "a[.]example" };
	static const char *const rests[] = { "", "", "/", "/x", ",", ";", ",feed:", "/\xe9.b.example", "]", "]:80", ":80:",
		"\\", ":", "?u=", "x", ":80:see" };
	static const char *const after[] = { "\n", "\n", "\n", " ", ">\n", "\"\n", " word\n", ", ", "" };
	const bool struck = once_in(c, 4); /* the first colon of each scheme */
	const bool full = once_in(c, 3);   /* a line that ends after a scheme is so long that its rest may be on the next */
	for (size_t n = 2 + choose(c, 4); n > 0; n--) {
		const bool parted = once_in(c, 4);
		for (size_t words = full && parted ? 13 + choose(c, 4) : 0; words > 0; words--)
			bytes_text(out, "word ");
		bytes_text(out, CHOOSE(c, before));
		const char *scheme = CHOOSE(c, schemes);
		const size_t colon = struck ? strcspn(scheme, ":") : strlen(scheme);
		bytes_add(out, scheme, colon);
		bytes_text(out, scheme[colon] ? ":\b" : "");
		bytes_text(out, scheme + colon);
		if (parted)
			bytes_text(out, "\n");
		bytes_text(out, once_in(c, 6) ? "" : CHOOSE(c, hosts));
		SOME(c, out, rests, 1 + once_in(c, 3));
		bytes_text(out, CHOOSE(c, after));
	}
}

/* Brackets that open at the end of a line or before a colour, whose links go on over lines with prefixes of any kind,
 * to be wrapped. */
static void add_opening(struct choices *c, struct bytes *out)
{
	static const char *const prefixes[] = { "", "", "> ", "> > ", "  ", "// ", "* " };
	static const char *const hosts[] = { "http://a.example/", "http://b.example/of", "ftp://c.example/" };
	static const char *const rests[] = { "/on", "ple/b", "-and-more/x", "a/path/that-goes-on/to-its-end", "/x-", "/x.",
		"b," };
	static const char *const closings[] = { ">", ">", ">.", "> and words", " words>", ", word", "|label>" };
	const char *prefix = CHOOSE(c, prefixes);
	bytes_text(out, once_in(c, 2) ? prefix : CHOOSE(c, prefixes)); /* a link may have lines with other prefixes */
	for (size_t n = 2 + choose(c, 3); n > 0; n--) {
		bytes_text(out, once_in(c, 3) ? "see " : "");
		bytes_text(out, "<");
		if (once_in(c, 3))
			bytes_text(out, once_in(c, 2) ? "\x1b[4m" : "URL:");
		if (once_in(c, 3)) {
			bytes_text(out, "\n");
			prefix = once_in(c, 4) ? CHOOSE(c, prefixes) : prefix;
			bytes_text(out, prefix);
			bytes_text(out, once_in(c, 2) ? "URL:" : "");
		}
		bytes_text(out, CHOOSE(c, hosts));
		for (size_t lines = choose(c, 3); lines > 0; lines--) {
			bytes_text(out, "\n");
			bytes_text(out, prefix);
			bytes_text(out, CHOOSE(c, rests));
		}
		bytes_text(out, CHOOSE(c, closings));
		bytes_text(out, once_in(c, 3) ? "\n" : " ");
		if (out->data[out->length - 1] == '\n')
			bytes_text(out, prefix);
	}
	bytes_text(out, "\n");
}

/* Links with what is undone in them, such as `&amp;`, which sequences of a terminal cut into parts. */
static void add_cut(struct choices *c, struct bytes *out)
{
	static const char *const pieces[] = { "&amp;", "&#x26;", "&#38;", "=3D", "\\/", "a", "/b", "?c=", "-" };
	static const char *const openings[] = { "<", "<", "", "\"", "(" };
	struct bytes rest = { 0 };
	for (size_t n = 2 + choose(c, 2); n > 0; n--) {
		uint32_t rate = 1 + choose(c, 8);
		bytes_clear(&rest);
		SOME(c, &rest, pieces, 1 + choose(c, 3));
		bytes_text(out, CHOOSE(c, openings));
		bytes_text(out, once_in(c, 2) ? "http://a.example/" : "http://b.example/||");
		for (size_t i = 0; i < rest.length; i++) {
			if (once_in(c, rate))
				construct_sequences(c, out, 5);
			bytes_byte(out, (uint8_t)rest.data[i]);
		}
		bytes_text(out, once_in(c, 2) ? ">\n" : " ");
	}
	free(rest.data);
}

/* Links to be rewritten, and what the writer keeps of one piece for the next: what may open a bracket, line ends, of
 * which two end a paragraph, and NUL. */
static void add_paragraph(struct choices *c, struct bytes *out)
{
	static const char *const pieces[] = { "http://a.example/x", "http://b.example/y", "<http://c.example/>", "\n", "\n",
		"\n", "\n\n", "\r\n", " ", "word", "<", "<URL:", "url:", "<UR", "> ", ">" };
	for (size_t n = 4 + choose(c, 12); n > 0; n--)
		if (once_in(c, 8))
			bytes_byte(out, '\0');
		else
			bytes_text(out, CHOOSE(c, pieces));
	add_words(c, out); /* so that this is handed out before its end */
}

/* Defanged names and links, overstruck or not, and sequences between any two parts of them. */
static void add_form(struct choices *c, struct bytes *out)
{
	static const char *const pieces[] = { "www", "http", "hxxp", "[.]", "[.]", "(dot)", "{.}", ".", "[:]", "[://]", "://",
		"@", "[at]", "a.example", "b", "example", "com", "/x", " ", "\n", "/", "w\bw", ".\b.\b.\b.", "o\bo\bo", "_\bm" };
	const uint32_t rate = 1 + choose(c, 4);
	for (size_t n = 3 + choose(c, once_in(c, 2) ? 12 : 300); n > 0; n--) {
		bytes_text(out, CHOOSE(c, pieces));
		if (once_in(c, rate))
			construct_sequences(c, out, once_in(c, 4) ? SEQUENCES : 5);
	}
}

bool construct_met_text(struct choices *c, struct bytes *out)
{
	static void (*const add[])(struct choices *, struct bytes *) = {
		[AIM_NOTICES] = add_noticed, [AIM_BLOCKS] = add_block, [AIM_STEPS] = add_steep, [AIM_LABELS] = add_labels,
		[AIM_FANGS] = add_fanged,     [AIM_OPENINGS] = add_opening, [AIM_CUTS] = add_cut,
		[AIM_PARAGRAPHS] = add_paragraph, [AIM_FORMS] = add_form,
	};
	if (c->aim >= sizeof add / sizeof *add || !add[c->aim] || (c->aim == AIM_LABELS && once_in(c, 4)))
		return false;
	for (size_t n = 1 + choose(c, 2); n > 0; n--)
		add[c->aim](c, out);
	return true;
}

/* ---- HTML ---- */

/* Targets as long as links may be, or about; some lack the slashes that are added. */
static void add_long_target(struct choices *c, struct bytes *out)
{
	static const char *const openings[] = { "<a href='", "<a href='", "<img src='", "<base href='", "<a ping='" };
	static const char *const schemes[] = { "http:", "http:", "http:/", "http://", "https:", "ftp:", "mailto:", "\\\\",
		"//", "http:\\" };
	bytes_text(out, CHOOSE(c, openings));
	size_t from = out->length;
	bytes_text(out, CHOOSE(c, schemes));
	bytes_text(out, "a.example/");
	size_t length = out->length - from;
	char filler = once_in(c, 8) ? ' ' : 'a';
	add_run(out, filler, c->limit + 4 - choose(c, 8) - length);
	bytes_text(out, once_in(c, 2) ? "'>a</a>" : "'>");
}

/* An anchor with a text, of which all needs memory. */
static void add_anchor(struct choices *c, struct bytes *out)
{
	static const char *const targets[] = { "http://a.example/", "http://a.example/ b", "http://\xc3\xa9.example/",
		"/x", "mailto:a@b.example",
		"http://a.example/a-long-path/that-goes-on/over-the-end-of/a-line/of-text" };
	static const char *const labels[] = { "word", "a.example", "http://a.example/", "two\nwords", "", "<b>x</b>",
		"www.b.example" };
	bytes_text(out, once_in(c, 4) ? "words " : "");
	bytes_text(out, "<a href='");
	bytes_text(out, CHOOSE(c, targets));
	bytes_text(out, "'>");
	bytes_text(out, CHOOSE(c, labels));
	bytes_text(out, once_in(c, 4) ? " " : "</a>\n");
}

/* A link in brackets, or what a rule of the user matches, where markup makes blanks, and a sequence of a terminal may
 * stand after one. */
static void add_blanks(struct choices *c, struct bytes *out)
{
	static const char *const openings[] = { "&lt;http://a.example/", "&lt;URL:http://a.example/", "bug", "bug",
		"\xc3\xa9", "http://a.example/" };
	static const char *const ends[] = { "&gt;", " &gt;", "\"", "", "", "" };
	static const char *const pieces[] = { "/b", "a", "-", "12", "4711", "\xc3\xa9", "&amp;d", "?e", ".f", "bug" };
	static const char *const blanks[] = { "<br>", "<td>", "<p>", " ", "&nbsp;", "<li>", "\n", "<br>\n", "</div>",
		"<b> </b>", "<tr><td>",
		"&shy;", "<wbr>", "<i></i>", "<hr>" };
	const char *usual = CHOOSE(c, blanks);
	bytes_text(out, once_in(c, 2) ? "<table><tr><td>" : "");
	bytes_text(out, CHOOSE(c, openings));
	for (size_t n = 1 + choose(c, 4); n > 0; n--) {
		bytes_text(out, once_in(c, 3) ? CHOOSE(c, blanks) : usual);
		if (once_in(c, 3))
			construct_sequences(c, out, 5);
		bytes_text(out, CHOOSE(c, pieces));
	}
	bytes_text(out, CHOOSE(c, ends));
}

/* A value whose end is far from where it begins: as long as what is remembered of a place, or about. */
static void add_long_value(struct choices *c, struct bytes *out)
{
	static const char *const openings[] = { "<a href='", "<a href=\"", "<img src='", "<base href='" };
	static const char *const fillers[] = { "\n", "\t\n", "&#10;", " ", "\r\n" };
	const char *opening = CHOOSE(c, openings), *filler = CHOOSE(c, fillers);
	bytes_text(out, once_in(c, 2) ? "words " : "");
	bytes_text(out, opening);
	bytes_text(out, once_in(c, 2) ? "http://a.example/" : "");
	size_t end = out->length + 131072 + choose(c, 4096);
	end -= choose(c, 2048);
	while (out->length < end)
		bytes_text(out, filler);
	bytes_text(out, once_in(c, 2) ? "b" : "http://b.example/");
	bytes_byte(out, (uint8_t)opening[strlen(opening) - 1]);
	bytes_text(out, once_in(c, 2) ? ">word</a>" : ">");
}

/* A document without text: of it there are targets, and what is said of them and of its charset. */
static void add_textless(struct choices *c, struct bytes *out)
{
	static const char *const parts[] = { "<a href=x></a>", "<img src=x>", "<base href='http://a.example/'>",
		"<base href=x>", "<meta charset=x-unknown>", "<meta charset=utf-8>", "<!-- x -->", "<!--[if mso]>", "<![endif]-->",
		"<p>", "<title></title>", " ", "\n", "\xff",
		"<a href='http://b.example/'></a>", "<body lang=de>", "<link rel=next href='//c.example/'>", "" };
	SOME(c, out, parts, 1 + choose(c, 2));
}

bool construct_met_html(struct choices *c, struct bytes *out)
{
	static void (*const add[])(struct choices *, struct bytes *) = { [AIM_TARGETS] = add_long_target,
		[AIM_ANCHORS] = add_anchor,
		[AIM_BLANKS] = add_blanks,
		[AIM_REMAINS] = add_textless,
		[AIM_VALUES] = add_long_value };
	if (c->aim >= sizeof add / sizeof *add || !add[c->aim])
		return false;
	for (size_t n = 1 + choose(c, c->aim == AIM_VALUES ? 1 : 3); n > 0; n--)
		add[c->aim](c, out);
	return true;
}

/* ---- Mail ---- */

/* A message whose header ends in any way, where a length says how long its body is. */
static void add_framed(struct choices *c, struct bytes *out)
{
	static const char *const fields[] = { "Content-Length: 0\n", "Content-Length: 5\n", "Content-Length: 60\n",
		"Content-Length: 99999\n",
		"Content-Type: multipart/mixed; boundary=b\n", "Content-Type: multipart/digest; boundary=b\n",
		"Content-Type: multipart/alternative;\n boundary=b\n", "Content-Type: text/html\n", "Subject: s\n",
			"X-URL: http://a.example/\n" };
	static const char *const ends[] = { "\n", "\n", "", "--b\n", "--b\n", "--b--\n", " \n", "\t\n", "text\n",
		">From x\n" };
	static const char *const lines[] = { "http://b.example/\n", "<a href=http://c.example/>c</a>\n", "From x y\n",
		"--b\n", "--b--\n", "\n",
		"From a@b.example Mon Jan  1 00:00:00 2024\n", "words\n", ">From x\n", "Subject: http://d.example/\n" };
	SOME(c, out, fields, 1 + choose(c, 4));
	if (once_in(c, 3)) { /* folds of nothing but blanks, about as long as one may be */
		size_t blanks = once_in(c, 2) ? 1024 : 512;
		blanks += choose(c, 8);
		add_run(out, ' ', blanks - choose(c, 8));
		bytes_text(out, once_in(c, 4) ? " " : "\n");
		if (once_in(c, 2))
			add_run(out, ' ', 1 + choose(c, 700));
		bytes_text(out, once_in(c, 2) ? "x\n" : once_in(c, 2) ? "\n" : "");
		SOME(c, out, fields, choose(c, 3));
	}
	bytes_text(out, CHOOSE(c, ends));
	SOME(c, out, lines, choose(c, 6));
	if (once_in(c, 3))
		SOME(c, out, fields, 1);
	bytes_text(out, CHOOSE(c, ends));
	SOME(c, out, lines, choose(c, 6));
}

/* What is no whole message, or none, of a mailbox of any kind. */
static void add_remains(struct choices *c, struct bytes *out)
{
	static const char *const parts[] = { "\n", "", " ", "\001\001\001\001\n", "\037\f\n", "1,,\n", "*** EOOH ***\n",
		"From: a\n", "#! rnews 9\n",
		"#! rnews x\n", "Subject: http://a.example/\n\n", "From a\n", "http://b.example/\n",
			"Content-Type: text/html\n\n<a href=http://c.example/>" };
	SOME(c, out, parts, choose(c, 5));
}

/* Fields whose links are folded, in encoded-words, or both. */
static void add_fielded(struct choices *c, struct bytes *out)
{
	static const char *const names[] = { "Subject: ", "List-Help: ", "Comments: ", "X-URL: ", "References: ", "To: " };
	static const char *const openings[] = { "<", "<", "<URL:", "", "see " };
	static const char *const starts[] = { "http://a.example/", "=?utf-8?q?http://b.example/?=",
		"=?utf-8?q?<http://b.example/?=", "http://c.",
		"mailto:a@d.example", "=?iso-8859-1?q?http://=E9.example/?=", "1@e.example" };
	static const char *const parts[] = { "\n ", "\n\t", " ", "\n  =?utf-8?q?/c?=", "=?utf-8?b?L2Q=?=", "/x",
		"example/", "\n =?utf-8?b?IA==?=", "-",
		"=?utf-8?q?_?=", "=?utf-8?q?" "?=", "\n =?utf-8?q?" "?=", "\r\n ", "\n =?utf-8?q?=3E?=" };
	/* words that are decoded to nothing */
	static const char *const empty[] = { "=?utf-8?q?\?=", "=?utf-8?b?77u/?=", "=?utf-16?b?/v8=?=",
		"=?iso-2022-jp?b?GyhC?=", "\n " };
	for (size_t n = 1 + choose(c, 3); n > 0; n--) {
		bytes_text(out, CHOOSE(c, names));
		if (once_in(c, 8)) {
			SOME(c, out, empty, 1 + choose(c, 2));
			bytes_text(out, "\n");
			continue;
		}
		bytes_text(out, CHOOSE(c, openings));
		bytes_text(out, CHOOSE(c, starts));
		SOME(c, out, parts, choose(c, 6));
		bytes_text(out, once_in(c, 3) ? "\n" : ">\n");
	}
	bytes_text(out, once_in(c, 3) ? "" : "\n");
}

/* Flowed text: lines that go on or not, some of them again and again, so that pieces end anywhere in them. */
static void add_flowed(struct choices *c, struct bytes *out)
{
	static const char *const types[] = { "; format=flowed", "; format=flowed", "; format=flowed; delsp=yes", "" };
	static const char *const starts[] = { "", "", ">", "> ", ">>", "> > ", " >", "  >", "   > ", " ", "\t>" };
	static const char *const words[] = { "word", "k", "http://a.example/x", "", "-- ", "From", "\xd7\x90", "\x1b[1m", "\x1b[m" };
	static const char *const ends[] = { "\n", " \n", "\n", " \n", "  \n", "\r\n", " \r\n" };
	struct bytes line = { 0 };
	bytes_text(out, "Content-Type: text/plain");
	bytes_text(out, CHOOSE(c, types));
	bytes_text(out, "\n\n");
	for (size_t n = 1 + choose(c, 6); n > 0; n--) {
		bytes_clear(&line);
		SOME(c, &line, starts, 1);
		SOME(c, &line, words, choose(c, 3));
		SOME(c, &line, ends, 1);
		for (size_t times = 1 + choose(c, once_in(c, 4) ? 1200 : 3); times > 0; times--)
			bytes_add(out, line.data, line.length);
	}
	free(line.data);
}

bool construct_met_mail(struct choices *c, struct bytes *out)
{
	static void (*const add[])(struct choices *, struct bytes *) = { [AIM_FRAMES] = add_framed,
		[AIM_REMAINS] = add_remains,
		[AIM_FIELDS] = add_fielded,
		[AIM_FLOWED] = add_flowed };
	if (c->aim >= sizeof add / sizeof *add || !add[c->aim])
		return false;
	add[c->aim](c, out);
	return true;
}
