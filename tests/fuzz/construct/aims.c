/* Texts of one thing each (enum aim), so that what the rules say of it meets often. */
#include "construct.h"

/* Nothing, or what a terminal removes; `rate`: once in so many times. */
static void add_unseen(struct choices *c, struct bytes *out, uint32_t rate)
{
	static const char *const overstrikes[] = { "_\b", "x\bx", "a\b", "\b" };
	if (!once_in(c, rate))
		return;
	if (once_in(c, 4))
		bytes_text(out, CHOOSE(c, overstrikes));
	else
		construct_sequences(c, out, once_in(c, 4) ? SEQUENCES_COMPLETE : 5);
}

/* Once in `rate` times as many words as a rule may look for after a link. */
static void add_words(struct choices *c, struct bytes *out, uint32_t rate)
{
	if (!once_in(c, rate))
		return;
	for (size_t n = choose(c, 50); n > 0; n--)
		bytes_text(out, " word");
}

/* Lines with a link at the end or within, the first sequence of the text before it, after it, or on the next line. */
static void add_edges(struct choices *c, struct bytes *out)
{
	static const char *const before[] = { "", "", "see ", "a few words ", "> ", "<", "(", "[text](", "| " };
	static const char *const paths[] = { "/", "/path/", "/a-long-path-", "/x.", "/index.html", "/a_", "/q?a=", "",
		"/a,", "/path/that-goes-on-to-the-end-of-a-line-of-text-as-long-as-lines-are/",
		"/path/that-goes-on-to-the-end-of-a-line-of-text/x" };
	static const char *const after[] = { "", "", "", " ", ">", ")", ".", " and words", ", a word" };
	static const char *const breaks[] = { "\n", "\n", "\n", "\r\n", " \n", "\n> ", "\n  ", "-\n", " ", "\n\n" };
	static const char *const rests[] = { "files/list.txt", "a/b-c.html", "b-c?d=1", "7/x_y.html>", "word", "and words",
		"-- ", "Subject: x", "http://b.example/", "a.example", "%2Fb", "#12", "2" };
	uint32_t rate = 2 + choose(c, 6);
	for (size_t n = 1 + choose(c, 3); n > 0; n--) {
		bytes_text(out, CHOOSE(c, before));
		add_unseen(c, out, 4 * rate);
		bytes_text(out, once_in(c, 8) ? "mailto:a@" : once_in(c, 8) ? "www." : "http://");
		bytes_text(out, "a.example");
		bytes_text(out, CHOOSE(c, paths));
		add_unseen(c, out, rate);
		bytes_text(out, CHOOSE(c, after));
		add_words(c, out, 8);
		add_unseen(c, out, rate);
		bytes_text(out, CHOOSE(c, breaks));
		add_unseen(c, out, rate);
		bytes_text(out, CHOOSE(c, rests));
		add_words(c, out, 3);
		add_unseen(c, out, rate);
		bytes_text(out, once_in(c, 2) ? "\n" : " words\n");
	}
}

/* A name of capitals and digits alone, with which a text may begin, and what follows it where it is a Message-ID. */
static void add_code(struct choices *c, struct bytes *out)
{
	static const char *const before[] = { "www.", "WWW.", "WWW.", "http://", "<", "http://a.example/" };
	static const char *const after[] = { "@mail.a.com\n", "@aaaa.org and so on\n", "@a.example>\n", ".ORG\n" };
	bytes_text(out, CHOOSE(c, before));
	for (size_t n = 14 + choose(c, 70); n > 0; n--)
		bytes_byte(out, once_in(c, 8) ? '7' : 'A');
	bytes_text(out, once_in(c, 2) ? ".ORG\n" : "\n");
	bytes_text(out, CHOOSE(c, after));
}

/* As long as the limit, where it ends with what is no part of a link at the end of a line, or of a comment. */
static void add_ending(struct choices *c, struct bytes *out)
{
	static const char *const before[] = { "", "", "see ", "/* ", "<", "\"", "(", "> " };
	static const char *const ends[] = { "--------", "--------", "________", "*/", "...", ".,;", ")", "-", "'s", "&gt;",
		"\\", "=", "=3D", "**", "__", "://" };
	static const char *const after[] = { "", "", "\n", "\n", "\r\n", "\r", " ", " \n", ">", "a", "-", "_", "/x\n",
		"\nx/y\n" };
	const char *end = CHOOSE(c, ends);
	bytes_text(out, CHOOSE(c, before));
	size_t stop = out->length + c->limit - strlen(end) + choose(c, 4);
	stop -= choose(c, 4);
	bytes_text(out, "http://a.example/");
	while (out->length < stop)
		bytes_byte(out, once_in(c, 12) ? '/' : 'a');
	for (size_t n = 1 + choose(c, 2); n > 0; n--)
		bytes_text(out, end);
	bytes_text(out, CHOOSE(c, after));
}

/* Sequences, and after the last of them as much text as it takes until none is looked for; it may be within a link. */
static void add_quiet(struct choices *c, struct bytes *out)
{
	static const uint16_t lengths[] = { 8192, 16384, 16384, 16384, 1024 };
	static const char *const parts[] = { "a", "/a", "a", "/a", "a-", "word ", "a line of words\n",
		"a line of words, and another, at the end of which there is a link: <http://a.example/>\n" };
	static const char *const starts[] = { "", "http://a.example/", "http://a.example/", "<http://a.example/", "see\n" };
	for (size_t n = 1 + choose(c, 2); n > 0; n--) {
		const char *part = CHOOSE(c, parts);
		bytes_text(out, once_in(c, 2) ? "http://b.example/" : "word ");
		construct_sequences(c, out, once_in(c, 4) ? SEQUENCES : 5);
		const bool near = once_in(c, 2);
		size_t end = out->length + CHOOSE(c, lengths);
		end += choose(c, near ? 12 : 200);
		end -= near ? 10 : 180;
		end += once_in(c, 3) ? choose(c, 8192) : 0;
		bytes_text(out, CHOOSE(c, starts));
		while (out->length < end)
			bytes_text(out, part);
		out->length = near ? end : out->length;
		if (c->limit == 64 && once_in(c, 2))
			add_ending(c, out);
		add_unseen(c, out, 2);
		construct_word(c, out);
	}
}

/* A link, and after what ends it the scheme of another, between whose characters something hides. */
static void add_tail(struct choices *c, struct bytes *out)
{
	static const char *const ends[] = { "?url=", "?u=x\\", "\\", "x|", "\"", "x,", "" };
	static const char *const schemes[] = { "http", "http", "https", "ftp", "svn+ssh", "x-y.z" };
	static const char *const slashes[] = { "://", ":\\/\\/", ":\\/\\/", ":/\\/", ":" };
	struct bytes rest = { 0 };
	bytes_clear(&rest);
	bytes_text(out, "http://a.example/");
	bytes_text(out, CHOOSE(c, ends));
	bytes_text(&rest, CHOOSE(c, schemes));
	bytes_text(&rest, CHOOSE(c, slashes));
	uint32_t rate = 1 + choose(c, 8);
	for (size_t i = 0; i < rest.length; i++) {
		if (once_in(c, rate) && once_in(c, 2)) {
			bytes_byte(out, (uint8_t)rest.data[i]);
			bytes_byte(out, '\b');
		} else if (once_in(c, rate)) {
			construct_sequences(c, out, 5);
		}
		bytes_byte(out, (uint8_t)rest.data[i]);
	}
	bytes_text(out, once_in(c, 4) ? "www.b.example word\n" : "b.example/x\n");
	free(rest.data);
}

/* Few links, so that each allocation is one of few: fast and slow ones, joined and guessed, of rules, in hyperlinks. */
static void add_scarce(struct choices *c, struct bytes *out)
{
	static const char *const lines[] = { "http://a.example/\n", "http://a.example/x\n", "see <http://b.example/\nc>\n",
		"http://c.example/a-long-path-to-the-end-of-a-line-of-seventy/columns-\nand/on\n",
		"\x1b]8;;http://d.example/\x07_d\x1b]8;;\x07\n",
		"\x1b]8;;http://\xc3\xa4.example/ a\x1b\\word 12\x1b]8;;\x1b\\ more\n", "page 12 of it\n",
		"h_\bt_\btp://e.example/\n", "http://\xc3\xa9.example/\xc3\xa9\n", "http://user:x@f.example:80/%00\n",
		"hxxp://g[.]example/\n", "www.h.example <http://i.example/>\n", "[text](http://j.example/) words\n" };
	for (size_t n = 1 + choose(c, 3); n > 0; n--)
		bytes_text(out, CHOOSE(c, lines));
}

/* A message with a field in the charset of the part or of nobody, or with a text shown in two ways. */
bool construct_aimed_mail(struct choices *c, struct bytes *out)
{
	static const char *const fields[] = { "Subject: http://a.example/\xe4\n",
		"Subject: =?utf-8?q?http://b.example/?=\n",
		"List-Help: <http://c.example/>\n", "Subject: \xe4 http://d.example/\n", "" };
	static const char *const types[] = { "", "Content-Type: text/html\n",
		"Content-Type: text/plain; charset=koi8-r\n" };
	static const char *const htmls[] = { "<p>http://e.example/", "<a href=http://f.example/>f</a>", "text",
		"<base href=http://g.example/><a href=g>g</a>" };
	if (c->aim != AIM_SCARCE)
		return false;
	bool choice = once_in(c, 2);
	bytes_text(out, "From: a\n");
	bytes_text(out, CHOOSE(c, fields));
	bytes_text(out, choice ? "Content-Type: multipart/alternative; boundary=b\n\n--b\n" : "");
	bytes_text(out, CHOOSE(c, types));
	bytes_text(out, "\n");
	add_scarce(c, out);
	bytes_text(out, choice ? "--b\nContent-Type: text/html\n\n" : "");
	for (size_t n = choose(c, 3); n > 0; n--)
		bytes_text(out, CHOOSE(c, htmls));
	bytes_text(out, choice && once_in(c, 2) ? "\n--b--\n" : "\n");
	return true;
}

/* A sequence, a stretch without one, in which a reader may stop to look for them, and what another aim is about: before
 * the next sequence it may have been read as if there were none. */
static void add_after_stretch(struct choices *c, struct bytes *out)
{
	static const char *const parts[] = { "word ", "word ", "a line of words\n", "a line of words\n", "a" };
	static const enum aim aims[] = { AIM_EDGES, AIM_TAILS, AIM_NOTICES, AIM_BLOCKS, AIM_LABELS, AIM_OPENINGS, AIM_CUTS,
		AIM_LONG_HOSTS, AIM_LONG_HOSTS, AIM_LONG_HOSTS };
	const char *part = CHOOSE(c, parts);
	bytes_text(out, "word ");
	construct_sequences(c, out, 5);
	size_t end = out->length + (once_in(c, 3) ? 16384 : 8192 + choose(c, 8192));
	end -= choose(c, 200);
	while (out->length < end)
		bytes_text(out, part);
	bytes_text(out, once_in(c, 2) ? " " : "\n");
	c->aim = CHOOSE(c, aims);
	if (!construct_aimed_text(c, out) && !construct_long_text(c, out))
		construct_met_text(c, out);
	c->aim = AIM_QUIET;
}

bool construct_aimed_text(struct choices *c, struct bytes *out)
{
	switch (c->aim) {
	case AIM_SCARCE:
		add_scarce(c, out);
		return true;
	case AIM_EDGES:
		(once_in(c, 8) ? add_code : add_edges)(c, out);
		return true;
	case AIM_ENDINGS:
		for (size_t n = 1 + choose(c, 3); n > 0; n--)
			add_ending(c, out);
		return true;
	case AIM_TAILS:
		for (size_t n = 1 + choose(c, 2); n > 0; n--)
			add_tail(c, out);
		return true;
	case AIM_ESCAPES:
		if (once_in(c, 2))
			return false;
		for (size_t n = 1 + choose(c, 3); n > 0; n--)
			construct_url(c, out);
		return true;
	case AIM_QUIET:
		if (once_in(c, 5))
			return false;
		(once_in(c, 4) ? add_quiet : add_after_stretch)(c, out);
		return true;
	default:
		return false;
	}
}

/* ---- HTML ---- */

/* What shows nothing, for as long as a reader may have a limit for it, or about. */
void construct_hidden(struct choices *c, struct bytes *out)
{
	static const uint16_t limits[] = { 8192, 8192, 16384, 4096, 1024 };
	static const char *const parts[] = { "<b></b>", "<!-- a comment -->", "<i class=\"x\">", "<style>a{}</style>",
	                                     "<br>", " \n" };
	const char *part = CHOOSE(c, parts);
	size_t end = out->length + CHOOSE(c, limits);
	end += choose(c, 128);
	end -= 64;
	while (out->length < end)
		bytes_text(out, part);
}

/* A link in pieces; between two of them is markup for a long time, or for a short one. */
static void add_halves(struct choices *c, struct bytes *out)
{
	static const char *const openings[] = { "", "", "", "<a href='http://b.example/'>", "<p>", "<title>" };
	static const char *const pieces[] = { "/b", ".example/a", " ", "-c", "http://b.example/", " word ", "</a>", "" };
	bytes_text(out, CHOOSE(c, openings));
	bytes_text(out, once_in(c, 3) ? "see " : "http://a.example/x");
	for (size_t n = 1 + choose(c, 3); n > 0; n--) {
		if (once_in(c, 4))
			bytes_text(out, "<i>");
		else
			construct_hidden(c, out);
		bytes_text(out, CHOOSE(c, pieces));
	}
}

/* Markup between any two characters of a URL. */
static void add_pieces(struct choices *c, struct bytes *out)
{
	static const char *const marks[] = { "<b></b>", "<wbr>", "<!-- -->", "<!--[if x]><a href=x><p>-->", "</b><b>", "<i>",
	                                     "</i>", "&shy;", "<br>" };
	struct bytes url = { 0 };
	uint32_t rate = 1 + choose(c, once_in(c, 2) ? 2 : 12);
	const char *mark = CHOOSE(c, marks);
	bytes_clear(&url);
	construct_url(c, &url);
	bytes_text(out, once_in(c, 3) ? "mid:1@b.example " : "");
	bytes_text(out, once_in(c, 4) ? "<a href='http://b.example/'>" : "");
	for (size_t i = 0; i < url.length; i++) {
		bytes_byte(out, (uint8_t)url.data[i]);
		if (once_in(c, rate))
			bytes_text(out, once_in(c, 8) ? CHOOSE(c, marks) : mark);
	}
	free(url.data);
}

/* What may be a reference by RFC 3986, and what ends one of its components too soon. */
static void add_reference(struct choices *c, struct bytes *out)
{
	static const char *const pieces[] = { "a", "b", "/", "/", "//", ":", ":", "?", "#", "..", ".", "./", "\"", "'", "<",
		"&quot;", "&amp;", "%41", "%", "\\", " ", "[", "]", "@", "http:", "mailto:", "c.example",
		"\xc3\xa9", "\xff", "1" };
	for (size_t n = 1 + choose(c, 6); n > 0; n--)
		bytes_text(out, CHOOSE(c, pieces));
}

static void add_resolved(struct choices *c, struct bytes *out)
{
	static const char *const openings[] = { "<base href=", "<base href=", "<a href=", "<a href=", "<img src=",
		"<form action=" };
	static const char *const quotes[] = { "\"", "'", "'", "" };
	const char *quote = CHOOSE(c, quotes);
	bytes_text(out, CHOOSE(c, openings));
	bytes_text(out, quote);
	add_reference(c, out);
	bytes_text(out, quote);
	bytes_text(out, ">word</a> ");
}

bool construct_aimed_html(struct choices *c, struct bytes *out)
{
	if (c->aim != AIM_HIDDEN && c->aim != AIM_PIECES && c->aim != AIM_BASES)
		return false;
	for (size_t n = 1 + choose(c, 3); n > 0; n--) {
		if (c->aim == AIM_HIDDEN)
			add_halves(c, out);
		else if (c->aim == AIM_PIECES)
			add_pieces(c, out);
		else
			add_resolved(c, out);
		bytes_text(out, once_in(c, 2) ? " word\n" : "");
	}
	return true;
}
