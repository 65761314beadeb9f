#include "construct.h"

/* Text without a sequence, as long as it takes until they are no longer looked for, or about. */
static void add_stretch(struct choices *c, struct bytes *out)
{
	static const char *const parts[] = { "word ", "a line of words\n", "a", "/a", "<http://a.example/>\n" };
	static const uint16_t lengths[] = { 8192, 16384, 16384, 32768, 1024 };
	const char *part = CHOOSE(c, parts);
	size_t end = out->length + CHOOSE(c, lengths);
	end += choose(c, 100);
	end -= 80;
	while (out->length < end)
		bytes_text(out, part);
}

/* Words, each changed in up to four ways. */
static void add_words(struct choices *c, struct bytes *out)
{
	static const char *const separators[] = { " ", " ", "\n", "", "  ", ", ", "\n\n", "\t", ". ", " - ", ":",
		"\r\n", ";", "|", "<", ">", "\n<\n", "<\n\n" };
	size_t words = 1 + choose(c, once_in(c, 8) ? 24 : 5);
	while (words--) {
		struct bytes word = { 0 };
		bytes_clear(&word);
		construct_word(c, &word);
		for (size_t n = choose(c, 6); n > 2; n--)
			construct_change(c, &word);
		bytes_add(out, word.data, word.length);
		bytes_text(out, CHOOSE(c, separators));
		if (c->aim == AIM_QUIET && once_in(c, 3))
			add_stretch(c, out);
		free(word.data);
	}
}

void construct_text(struct choices *c, struct bytes *out)
{
	static const char *const starts[] = { "", "", "", "\xef\xbb\xbf", "\n", "#!/bin/sh\n", "\xff\xfe", "<!-- ",
		"{\n", "a b\tc\n" };
	bytes_text(out, CHOOSE(c, starts));
	if (construct_aimed_text(c, out) || construct_long_text(c, out) || construct_met_text(c, out))
		return;
	for (size_t n = 1 + choose(c, 3); n > 0; n--) {
		struct bytes paragraph = { 0 };
		bytes_clear(&paragraph);
		add_words(c, &paragraph);
		for (size_t k = choose(c, 6); k > 3; k--)
			construct_change(c, &paragraph);
		if (once_in(c, 3))
			bytes_text(out, "a line of words, as long as they are where lines are broken at about 72\n");
		bytes_add(out, paragraph.data, paragraph.length);
		bytes_text(out, once_in(c, 3) ? "" : once_in(c, 2) ? "\n" : "\n\n");
		free(paragraph.data);
	}
}

/* Between an opening and a closing tag, or without the closing one. */
static void add_element(struct choices *c, struct bytes *out)
{
	static const char *const tags[][2] = {
		{ "<p>", "</p>" }, { "<b>", "</b>" }, { "<br>", "" }, { "<div>", "</div>" }, { "<!-- ", " -->" },
		{ "<style>", "</style>" },
		{ "<script>", "</script>" }, { "<textarea>", "</textarea>" }, { "<pre>", "</pre>" }, { "<td>", "</td>" },
		{ "<wbr>", "" },
		{ "<title>", "</title>" }, { "<![CDATA[", "]]>" }, { "<svg>", "</svg>" }, { "<table><tr><td>", "" },
		{ "<span hidden>", "</span>" },
		{ "<blockquote>", "</blockquote>" }, { "<li>", "" }, { "</p>", "" }, { "<hr>", "" }, { "<q>", "</q>" },
		{ "<xmp>", "</xmp>" },
		{ "<noscript>", "</noscript>" }, { "<?xml ", "?>" }, { "<!doctype html ", ">" }, { "<plaintext>", "" },
		{ "<i\n", "\n>" }
	};
	size_t i = choose(c, sizeof tags / sizeof *tags);
	bytes_text(out, tags[i][0]);
	construct_word(c, out);
	bytes_text(out, once_in(c, 6) ? "" : tags[i][1]);
}

/* An attribute that holds a URL, and visible text. */
static void add_target(struct choices *c, struct bytes *out)
{
	static const char *const openings[] = {
		"<a href=", "<a href=", "<a href=", "<A HREF =\n", "<a class=x href=", "<img src=", "<img srcset=",
		"<form action=", "<base href=",
		"<link rel=stylesheet href=", "<script src=", "<area href=", "<iframe src=", "<object data=",
		"<body background=", "<q cite=",
		"<a ping=", "<meta http-equiv=refresh content=", "<p style=", "<style>@import url(", "<video poster=",
		"<a data-x=", "<svg xlink:href="
	};
	static const char *const quotes[] = { "\"", "\"", "'", "", "\"\n", "\" " };
	struct bytes value = { 0 };
	bytes_clear(&value);
	const char *quote = CHOOSE(c, quotes);
	bytes_text(out, CHOOSE(c, openings));
	bytes_text(out, quote);
	construct_word(c, &value);
	for (size_t n = choose(c, 4); n > 2; n--)
		construct_change(c, &value);
	bytes_add(out, value.data, value.length);
	bytes_text(out, once_in(c, 12) ? "" : quote);
	bytes_text(out, once_in(c, 12) ? " " : once_in(c, 8) ? "/>" : ">");
	value.length = 0;
	construct_word(c, &value);
	bytes_add(out, value.data, value.length);
	bytes_text(out, once_in(c, 6) ? "" : "</a>");
	free(value.data);
}

void construct_html(struct choices *c, struct bytes *out)
{
	if (once_in(c, 2))
		bytes_text(out, once_in(c, 2) ? "<!doctype html>\n" : "<html><head><meta charset=utf-8></head>\n<body>");
	if (construct_aimed_html(c, out) || construct_met_html(c, out))
		return;
	for (size_t n = 1 + choose(c, 8); n > 0; n--) {
		switch (choose(c, 4)) {
		case 0:
			if (once_in(c, 16))
				construct_hidden(c, out);
			else
				add_element(c, out);
			break;
		case 1: add_words(c, out); break;
		default: add_target(c, out);
		}
		bytes_text(out, once_in(c, 3) ? "\n" : once_in(c, 2) ? " " : "");
	}
}
