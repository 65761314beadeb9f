/* Texts of one thing each that are as long as a limit of the library, or about (enum aim). */
#include "construct.h"

/* Appends n bytes: `part`, again and again, the last perhaps not whole. */
static void fill(struct bytes *out, const char *part, size_t n)
{
	size_t end = out->length + n;
	while (out->length < end)
		bytes_text(out, part);
	out->length = end;
	out->data[end] = '\0';
}

/* ---- Text ---- */

/* A host with a character across its limit, and perhaps a sequence in it; host bytes may follow up to the end of the
 * text. */
static void add_long_host(struct choices *c, struct bytes *out)
{
	static const char *const starts[] = { "http://", "http://", "www.", "u@", "http://u@", "mailto:u@", "" };
	static const char *const parts[] = { "a", "a", "b.", "a-", "xn--" };
	static const char *const characters[] = { "\xc3\xa9", "\xd1\x8f", "\xe0\xa4\x85", "\xf0\x90\x8d\x88", "%41", "_" };
	static const char *const ends[] = { "", "", "", "/x", ".example/", ":80", "\n", "\xc3\xa9" };
	bytes_text(out, once_in(c, 2) ? "see " : "");
	bytes_text(out, CHOOSE(c, starts));
	const char *part = CHOOSE(c, parts);
	size_t length = 250 + choose(c, 14);
	if (once_in(c, 3)) {
		size_t before = choose(c, 250);
		fill(out, part, before);
		construct_sequences(c, out, 5);
		length -= before;
	}
	fill(out, part, length);
	bytes_text(out, CHOOSE(c, characters));
	fill(out, "a", choose(c, 40));
	bytes_text(out, CHOOSE(c, ends));
}

/* A link with sequences, about as long as links may be where there is a limit. */
static void add_turned_link(struct choices *c, struct bytes *out)
{
	static const char *const starts[] = { "http://b.example/", "http://b.example/", "<http://b.example/", "see\n", "" };
	static const char *const words[] = { "/on", "/on", "a", "http://c.example/", " word\n", "\n", "> ", "-\nx" };
	size_t from = out->length, size = choose(c, 30);
	bytes_text(out, CHOOSE(c, starts));
	if (c->limit && from + c->limit > out->length + 8)
		size = from + c->limit - out->length + choose(c, 8) - 6;
	fill(out, once_in(c, 2) ? "a" : "/a", size);
	for (size_t n = 1 + choose(c, 2); n > 0; n--) {
		construct_sequences(c, out, once_in(c, 3) ? SEQUENCES_COMPLETE : 5);
		bytes_text(out, CHOOSE(c, words));
	}
}

/* After a sequence, text until none is looked for any more, or about, or long enough for that to begin; and links with
 * sequences, or one link that all of this is in.  Each sequence ends. */
static void add_turn(struct choices *c, struct bytes *out)
{
	static const char *const parts[] = { "word ", "word ", "a line of words\n", "a", "http://a.example/ a few words\n" };
	enum { TURN = 16384 };
	bytes_text(out, "word ");
	construct_sequences(c, out, once_in(c, 3) ? SEQUENCES_COMPLETE : 5);
	size_t end = out->length + TURN;
	if (once_in(c, 2))
		end -= choose(c, TURN / 2);
	else
		end -= choose(c, c->limit == 64 && once_in(c, 2) ? 80 : 8);
	if (once_in(c, 3)) {
		bytes_text(out, once_in(c, 2) ? "http://b.example/" : "<http://b.example/");
		fill(out, once_in(c, 2) ? "a" : "/a", end - out->length);
	} else {
		fill(out, CHOOSE(c, parts), end - out->length);
	}
	if (once_in(c, 2))
		construct_sequences(c, out, once_in(c, 3) ? SEQUENCES_COMPLETE : 5);
	for (size_t n = 1 + choose(c, c->limit > 64 ? 2 : 4); n > 0; n--)
		add_turned_link(c, out);
}

/* A line as long as rules see at a time, and one after it that the same match could go on in. */
static void add_ruled_line(struct choices *c, struct bytes *out)
{
	static const char *const starts[] = { "", "", "http://a.example/ ", "http://a.example/\n", "<http://a.example/>" };
	static const char *const parts[] = { "word ", "a", "\xc3\xa9 ", "see 12 ", "http://a.example/ " };
	static const char *const ends[] = { "\xc3\xa9", "\xe2\x80\xa6", "bug", "a", "" };
	static const char *const nexts[] = { "\n\xc3\xa9", "\n12 x", "\n\n", "\r\n\xc3\xa9", "\n", "\xc3\xa9", "\nx" };
	bytes_text(out, CHOOSE(c, starts));
	const char *end = CHOOSE(c, ends);
	const char *part = CHOOSE(c, parts);
	size_t n = 8192 + choose(c, 8);
	n -= choose(c, 12);
	fill(out, part, n - (once_in(c, 2) ? strlen(end) : 0));
	bytes_text(out, end);
	bytes_text(out, CHOOSE(c, nexts));
	bytes_text(out, once_in(c, 2) ? " words\n" : "");
}

/* The first link of a text is guessed and grows: it takes memory that no other has taken before. */
static void add_grown(struct choices *c, struct bytes *out)
{
	static const char *const parts[] = { "a", "/path", "%41", "\xc3\xa9", "&amp;" };
	static const char *const ends[] = { "-", "-", "/", "", "_", "=" };
	static const char *const rests[] = { "files/list.txt", "and/on.html", "b/c?d=1" };
	bytes_text(out, "http://a.example/");
	const char *part = CHOOSE(c, parts);
	fill(out, part, 20 + choose(c, once_in(c, 2) ? 60 : 1000));
	bytes_text(out, CHOOSE(c, ends));
	bytes_byte(out, '\n');
	bytes_text(out, CHOOSE(c, rests));
	fill(out, "/on", choose(c, 200));
	bytes_byte(out, '\n');
}

/* A link with what may not be written as it is. */
static void add_unsafe(struct choices *c, struct bytes *out)
{
	static const char *const odd[] = { "\xe2\x80\xae", "\xc2\x85", "\xe2\x81\xa6", "\x01", "\xc2\x9b", "\xef\xbb\xbf",
		"\xe2\x80\x8b", "\x7f" };
	static const char *const openings[] = { "<", "", "", "[text](", "<URL:", "www.b.example <" };
	bytes_text(out, CHOOSE(c, openings));
	bytes_text(out, once_in(c, 8) ? "mailto:a" : "http://a.example/");
	for (size_t n = 1 + choose(c, 4); n > 0; n--) {
		bytes_text(out, CHOOSE(c, odd));
		fill(out, "path", once_in(c, 4) ? choose(c, 200) : choose(c, 8));
	}
	bytes_text(out, once_in(c, 2) ? ">\n" : ") word\n");
}

/* A link to wrap, in a line with a prefix that is about as far from it as a reader looks back. */
static void add_far_link(struct choices *c, struct bytes *out)
{
	static const char *const prefixes[] = { "> ", "> > ", "* ", "- ", "Ada> ", "# ", "1. ", "// ", "+ " };
	static const char *const openings[] = { " ", " ", " <", " <<URL:" };
	static const uint16_t distances[] = { 128, 256, 512, 1024, 1024, 1024 };
	const char *const prefix = CHOOSE(c, prefixes);
	bytes_text(out, prefix);
	const char *part = once_in(c, 2) ? "word " : "a line of words ";
	size_t n = CHOOSE(c, distances);
	const uint32_t near = once_in(c, 4) ? 40 : 12;
	n += choose(c, near);
	fill(out, part, n - choose(c, near) - strlen(prefix));
	bytes_text(out, CHOOSE(c, openings));
	construct_url(c, out);
	if (once_in(c, 4)) { /* a bracket that closes on the next line */
		bytes_byte(out, '\n');
		bytes_text(out, prefix);
	}
	bytes_text(out, once_in(c, 2) ? ">\n" : " word\n");
}

/* Brackets that end where a hyphen, or nothing, stands before a line break, written in quoted-printable or not. */
static void add_hyphen_last(struct choices *c, struct bytes *out)
{
	static const char *const openings[] = { "<", "word=20<URL:", "a=3Db <", "a=3Db <URL:", "> <", "> <URL:" };
	static const char *const hyphens[] = { "=E2=80=90", "=C2=AD", "=2D", "=AD", "-", "\xc2\xad", "\xe2\x80\x90",
		"\xad", "", "" };
	static const char *const before[] = { "", "x", "=3D", "a=\nb", "=C3=A9" };
	static const char *const breaks[] = { "\n", "\n", "=\n", "\r\n", "\n> ", "=0A\n" };
	static const char *const after[] = { ">", " >", "|label>", " label>", ":80|label>", "\n>", "", " word",
		"]( /b|label>", " /b|label>" };
	bytes_text(out, CHOOSE(c, openings));
	bytes_text(out, "http://a.example/");
	for (size_t n = 1 + choose(c, 2); n > 0; n--) {
		bytes_text(out, CHOOSE(c, before));
		bytes_text(out, CHOOSE(c, hyphens));
		bytes_text(out, CHOOSE(c, breaks));
	}
	bytes_text(out, CHOOSE(c, after));
	bytes_text(out, once_in(c, 2) ? "\n" : " a=20word\n");
}

/* Brackets with a blank after the colon of a scheme, which end at another blank or go on after it. */
static void add_blank_after_colon(struct choices *c, struct bytes *out)
{
	static const char *const openings[] = { "<", "<", "<URL:", "<URL: ", "> <" };
	static const char *const schemes[] = { "http:", "https:", "ftp:", "mailto:", "x-new:" };
	static const char *const blanks[] = { " ", " ", "  ", "\t", "\n", " \n> ", "" };
	static const char *const starts[] = { "//a.example/x", "//a.example/x", "//a.example", "a@b.example" };
	static const char *const parts[] = { "", "/b", "-\ny", "\nz", "&amp;", "&amp;c", " word", " a word.",
		"\xc2\xad\n", "." };
	static const char *const ends[] = { ">", ">", " and words>", "|label>", "\n>", "" };
	bytes_text(out, CHOOSE(c, openings));
	bytes_text(out, CHOOSE(c, schemes));
	bytes_text(out, CHOOSE(c, blanks));
	bytes_text(out, CHOOSE(c, starts));
	for (size_t n = choose(c, 4); n > 0; n--)
		bytes_text(out, CHOOSE(c, parts));
	bytes_text(out, CHOOSE(c, ends));
	bytes_text(out, once_in(c, 2) ? "\n" : " a word\n");
}

/* Brackets where a blank or a hyphen decides what is left of them. */
static void add_bracket(struct choices *c, struct bytes *out)
{
	if (once_in(c, 8))
		add_blank_after_colon(c, out);
	else
		add_hyphen_last(c, out);
}

bool construct_long_text(struct choices *c, struct bytes *out)
{
	static void (*const add[])(struct choices *, struct bytes *) = {
		[AIM_LONG_HOSTS] = add_long_host, [AIM_TURNS] = add_turn,     [AIM_RULES] = add_ruled_line,
		[AIM_GROWN] = add_grown,          [AIM_UNSAFE] = add_unsafe,  [AIM_HYPHENS] = add_bracket,
		[AIM_FAR] = add_far_link,
	};
	if (c->aim >= sizeof add / sizeof *add || !add[c->aim])
		return false;
	for (size_t n = 1 + choose(c, c->aim == AIM_GROWN ? 1 : 2); n > 0; n--)
		add[c->aim](c, out);
	return true;
}

/* ---- Mail ---- */

/* A calendar in a mailbox: folded lines, and some that begin with `>From`. */
static void add_calendar(struct choices *c, struct bytes *out)
{
	static const char *const lines[] = { "URL:http://a.example/x\n",
		"DESCRIPTION:see http://b.exam\n ple/on and\n  on\n",
		">From here on\n", ">From http://c.example/ on\n", ">>From x http://d.example/\n", " >From the fold\n",
		"ATTENDEE:mailto:a@e.example\n", "\n", "SUMMARY:a\r\n", "X:\\nhttp://f.example/\\n\n" };
	static const char *const headers[] = { "Content-Type: text/calendar\n\n", "Content-Type: text/calendar\n\n",
		"Content-Type: text/x-vcalendar\nContent-Transfer-Encoding: quoted-printable\n\n",
		"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/calendar\n\n" };
	bytes_text(out, "From: a\n");
	bytes_text(out, CHOOSE(c, headers));
	fill(out, ">From x\n", once_in(c, 2) ? 8 * choose(c, 100) : 0);
	for (size_t n = 1 + choose(c, 8); n > 0; n--) {
		const char *line = CHOOSE(c, lines);
		for (size_t times = once_in(c, 4) ? choose(c, 80) : 1; times > 0; times--)
			bytes_text(out, line);
	}
	bytes_text(out, once_in(c, 4) ? "--b--\n" : "");
}

/* What is held of a page, at most; the blocks in which it is passed on; what a quotation mark takes there. */
enum { HELD = 256 * 1024, BLOCK = 64 * 1024, WRITTEN = 5 };

static void add_links(struct choices *c, struct bytes *out, bool html)
{
	static const char *const links[] = { "http://a.example/ ", "http://b.example/\n",
		"http://c.example/ and more words\n" };
	static const char *const anchors[] = { "<a href=http://a.example/>a</a>\n",
		"<a href=http://b.example/>b</a> <p>",
		"http://c.example/ <b>and</b>\n" };
	for (size_t n = choose(c, once_in(c, 2) ? 4 : 120); n > 0; n--)
		bytes_text(out, html ? CHOOSE(c, anchors) : CHOOSE(c, links));
}

/* Alternatives with few links, whose page is about as long as what is held of them where one of the links is written. */
static void add_held_choice(struct choices *c, struct bytes *out)
{
	const size_t parts = 2 + choose(c, 2), longest = choose(c, (uint32_t)parts);
	bytes_text(out, "From: a\nSubject: s\nContent-Type: multipart/alternative; boundary=b\n\n");
	for (size_t i = 0; i < parts; i++) {
		const bool html = once_in(c, 2);
		bytes_text(out, html ? "--b\nContent-Type: text/html\n\n" : "--b\n\n");
		add_links(c, out, html);
		if (i == longest)
			fill(out, "\"", (HELD - choose(c, 12000)) / WRITTEN);
		add_links(c, out, html);
		bytes_text(out, "\n");
	}
	bytes_text(out, once_in(c, 4) ? "" : "--b--\n");
}

/* A message whose page is about as long as what is held of one, also with the block that follows, where another
 * begins. */
static void add_held_title(struct choices *c, struct bytes *out)
{
	const size_t most = once_in(c, 4) ? HELD : HELD + BLOCK;
	bytes_text(out, "From: a\nSubject: s\n\n");
	add_links(c, out, false);
	fill(out, "\"", (most - choose(c, 12000)) / WRITTEN);
	add_links(c, out, false);
	bytes_text(out, "\n\nFrom joe@a.example Mon Jan  1 00:00:00 2024\nSubject: t\n\nwords\n");
}

/* A message whose page is about as long as what is held of one, or of an alternative. */
static void add_held(struct choices *c, struct bytes *out)
{
	static const char *const units[] = { "http://a.example/ ", "http://b.example/\n", "<&>\"<&>\" ",
		"a line of words &\n", "http://c.example/ & http://a.example/ a\n" };
	const uint32_t kind = choose(c, 8);
	if (kind > 0) {
		(kind > 3 ? add_held_choice : add_held_title)(c, out);
		return;
	}
	bytes_text(out, "From: a\nSubject: s\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n");
	const char *unit = CHOOSE(c, units);
	fill(out, unit, 30000 + 2 * choose(c, 60000));
	bytes_text(out, "\n--b\nContent-Type: text/html\n\n<a href=http://c.example/>c</a>");
	unit = once_in(c, 2) ? "<a href=http://a.example/>a</a>\n" : CHOOSE(c, units);
	fill(out, unit, 1000 + choose(c, 60000));
	bytes_text(out, "\n--b--\n");
}

bool construct_long_mail(struct choices *c, struct bytes *out)
{
	if (c->aim != AIM_CALENDARS && c->aim != AIM_HELD)
		return false;
	if (c->aim == AIM_HELD)
		add_held(c, out);
	else
		add_calendar(c, out);
	return true;
}
