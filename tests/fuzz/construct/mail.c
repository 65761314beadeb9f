#include "construct.h"

/* ---- encodings ---- */

static void base64(const struct bytes *in, struct bytes *out, size_t width)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t column = 0;
	for (size_t i = 0; i < in->length; i += 3) {
		size_t n = in->length - i < 3 ? in->length - i : 3;
		uint32_t bits = 0;
		for (size_t k = 0; k < 3; k++)
			bits = bits << 8 | (k < n ? (uint8_t)in->data[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			bytes_byte(out, (uint8_t)(k <= n ? digits[bits >> (18 - 6 * k) & 63] : '='));
		column += 4;
		if (width && column >= width) {
			bytes_byte(out, '\n');
			column = 0;
		}
	}
}

/* `in_word`: for a header field, else for a body. */
static void quoted_printable(struct choices *c, const struct bytes *in, struct bytes *out, bool in_word)
{
	uint32_t rate = 1 + choose(c, 30);
	size_t width = once_in(c, 3) ? 4 + choose(c, 40) : 73, column = 0;
	char code[4];
	for (size_t i = 0; i < in->length; i++) {
		uint8_t b = (uint8_t)in->data[i];
		bool plain = b > ' ' && b < 0x7f && b != '=' && !(in_word && strchr("?_,\"", b));
		if (in_word ? plain : (plain || b == '\n' || b == ' ') && !once_in(c, rate)) {
			bytes_byte(out, b);
		} else {
			snprintf(code, sizeof code, once_in(c, 40) ? "=%02x" : "=%02X", b);
			bytes_text(out, code);
		}
		column = b == '\n' ? 0 : column + 1;
		if (column >= width && !in_word) {
			bytes_text(out, once_in(c, 12) ? "= \n" : "=\n");
			column = 0;
		}
	}
}

static const char *const charsets[] = {
	"utf-8", "iso-8859-1", "us-ascii", "windows-1252", "utf-7", "utf-16", "iso-2022-jp", "shift_jis", "koi8-r",
	"gb18030", "big5",
	"x-unknown", "utf-16le", "euc-kr", "iso-8859-15", "hz-gb-2312", ""
};

/* A charset, or what is left of an encoded-word with one. */
static void add_charset(struct choices *c, struct bytes *out)
{
	static const char *const pieces[] = { "=?", "?=", "?", "?", "q", "Q?", "b?", "=", "utf-8", "abc", "\\", "'" };
	if (!once_in(c, 8)) {
		bytes_text(out, charsets[choose(c, once_in(c, 2) ? sizeof charsets / sizeof *charsets : 2)]);
		return;
	}
	bytes_text(out, "=?");
	for (size_t n = choose(c, 7); n > 0; n--)
		bytes_text(out, CHOOSE(c, pieces));
	bytes_text(out, once_in(c, 4) ? "" : "?=");
}

static void add_encoded_words(struct choices *c, struct bytes *out)
{
	static const char *const between[] = { " ", "\n ", "", "\r\n\t", " x " };
	for (size_t n = 1 + choose(c, 3); n > 0; n--) {
		struct bytes word = { 0 };
		bool quoted = once_in(c, 2);
		bytes_clear(&word);
		construct_word(c, &word);
		if (once_in(c, 4)) /* a character is cut between two words */
			word.length = word.length / 2;
		bytes_text(out, "=?");
		bytes_text(out, charsets[choose(c, once_in(c, 3) ? sizeof charsets / sizeof *charsets : 3)]);
		bytes_text(out, quoted ? "?Q?" : "?b?");
		if (quoted)
			quoted_printable(c, &word, out, true);
		else
			base64(&word, out, 0);
		bytes_text(out, once_in(c, 16) ? "?" : "?=");
		bytes_text(out, CHOOSE(c, between));
		free(word.data);
	}
}

/* ---- header fields ---- */

static void add_value(struct choices *c, struct bytes *out)
{
	struct bytes value = { 0 };
	bytes_clear(&value);
	switch (choose(c, 5)) {
	case 0:
		add_encoded_words(c, &value);
		break;
	case 1:
		bytes_byte(&value, '<');
		construct_url(c, &value);
		bytes_text(&value, once_in(c, 2) ? ">" : ">,\n\t<mailto:u@u.example>");
		break;
	default:
		construct_word(c, &value);
		if (once_in(c, 3))
			construct_change(c, &value);
	}
	for (size_t i = 0; i < value.length; i++) { /* mostly one field it remains */
		bytes_byte(out, (uint8_t)value.data[i]);
		if (value.data[i] == '\n' && i + 1 < value.length && !strchr(" \t", value.data[i + 1]) && !once_in(c, 16))
			bytes_byte(out, ' ');
	}
	free(value.data);
}

/* What a message is known by, perhaps, and a field that takes about what is left of the limit of a header block. */
static void add_long_field(struct choices *c, struct bytes *out)
{
	static const char *const names[] = { "Subject: ", "Subject: ", "From: ", "To: ", "Comments: " };
	for (size_t n = choose(c, 3); n > 0; n--) {
		bytes_text(out, CHOOSE(c, names));
		add_encoded_words(c, out);
		bytes_text(out, "\n");
	}
	bytes_text(out, "X-Long: ");
	for (size_t n = 700 + choose(c, once_in(c, 2) ? 340 : 700); n > 0; n--)
		bytes_byte(out, 'a');
	bytes_byte(out, '\n');
}

static void add_fields(struct choices *c, struct bytes *out)
{
	static const char *const names[] = {
		"Subject", "List-Unsubscribe", "List-Archive", "Archived-At", "X-URL", "Content-Base", "Content-Location",
		"Comments", "Reply-To",
		"To", "Cc", "Newsgroups", "List-Id", "References", "In-Reply-To", "X-Face", "Received", "Path",
		"Organization", "Content-Language",
		"Content-Length", "X-Mailer", "DKIM-Signature", "Content-Description", "Xref", "Supersedes", "Followup-To",
		"User-Agent", "Lines"
	};
	static const char *const fixed[] = {
		"From: Joe <joe@a.example>\n", "Message-ID: <1@a.example>\n", "Date: Mon, 1 Jan 2024 00:00:00 +0000\n",
		"Subject: see\n",
		"MIME-Version: 1.0\n", "Newsgroups: comp.test\n", "Path: a!b\n", "Content-Length: 40\n", "X: y\n",
		" folded\n", "no colon\n"
	};
	bytes_text(out, "From: Joe <joe@a.example>\nMessage-ID: <2@a.example>\n");
	if (c->aim == AIM_HEADERS)
		add_long_field(c, out);
	for (size_t n = choose(c, 4); n > 0; n--) {
		if (once_in(c, 3)) {
			bytes_text(out, CHOOSE(c, fixed));
			continue;
		}
		bytes_text(out, CHOOSE(c, names));
		bytes_text(out, once_in(c, 12) ? " :" : once_in(c, 12) ? ":" : ": ");
		add_value(c, out);
		bytes_text(out, once_in(c, 12) ? "\r\n" : "\n");
	}
}

/* ---- bodies ---- */

static const char *const encodings[] = {
	"7bit", "8bit", "quoted-printable", "base64", "quoted-printable", "base64", "x-uuencode", "binary",
	"x-unknown", "QUOTED-PRINTABLE (x)"
};

static void add_encoded(struct choices *c, struct bytes *out, const struct bytes *body, const char *encoding)
{
	if (strchr("qQ", *encoding) && !once_in(c, 16))
		quoted_printable(c, body, out, false);
	else if (*encoding == 'b' && encoding[1] == 'a' && !once_in(c, 16))
		base64(body, out, once_in(c, 4) ? 4 + 4 * choose(c, 8) : 76);
	else
		bytes_add(out, body->data, body->length);
}

/* The header of a part and its body. */
static void add_leaf(struct choices *c, struct bytes *out)
{
	static const char *const types[] = {
		"text/plain", "text/plain", "text/html", "text/html", "text/plain; format=flowed",
		"text/plain; format=flowed; delsp=yes",
		"text/enriched", "text/calendar", "application/octet-stream",
		"message/external-body; access-type=URL; URL=\"http://x.example/a\n b\"",
		"text/csv", "application/xhtml+xml", "image/png; name=\"=?utf-8?q?a?=\"",
		"text/plain; charset*=utf-8''utf-8", "text"
	};
	struct bytes body = { 0 };
	const char *type = CHOOSE(c, types), *encoding = encodings[choose(c, sizeof encodings / sizeof *encodings)];
	bytes_clear(&body);
	if (strstr(type, "html"))
		construct_html(c, &body);
	else
		construct_text(c, &body);
	if (once_in(c, 6))
		construct_change(c, &body);
	bytes_text(out, "Content-Type: ");
	bytes_text(out, type);
	if (once_in(c, 2)) {
		bytes_text(out, once_in(c, 2) ? "; charset=" : ";\n\tcharset=\"");
		add_charset(c, out);
		bytes_text(out, once_in(c, 2) ? "\"" : "");
	}
	bytes_text(out, "\n");
	if (!once_in(c, 3)) {
		bytes_text(out, "Content-Transfer-Encoding: ");
		bytes_text(out, encoding);
		bytes_text(out, "\n");
	} else {
		encoding = "";
	}
	if (once_in(c, 6)) {
		bytes_text(out, once_in(c, 2) ? "Content-Base: " : "Content-Location: ");
		construct_url(c, out);
		bytes_text(out, "\n");
	}
	bytes_text(out, once_in(c, 24) ? "" : "\n");
	add_encoded(c, out, &body, encoding);
	free(body.data);
}

/* Parts in up to three levels, without recursion: those that are open end in random order. */
static void add_parts(struct choices *c, struct bytes *out)
{
	static const char *const kinds[] = { "mixed", "alternative", "alternative", "alternative", "related", "digest",
		"signed", "x" };
	size_t open = 0;
	char line[80];
	for (size_t n = 1 + choose(c, 6); n > 0; n--) {
		if (open < 3 && once_in(c, 2)) {
			snprintf(line, sizeof line, "Content-Type: multipart/%s; boundary=\"b%zu\"\n\n", CHOOSE(c, kinds), open);
			bytes_text(out, line);
			open++;
		} else if (once_in(c, 6)) {
			bytes_text(out, "Content-Type: message/rfc822\n\n");
			add_fields(c, out);
			add_leaf(c, out);
		} else {
			add_leaf(c, out);
		}
		if (open && once_in(c, 4))
			open--;
		if (open) {
			snprintf(line, sizeof line, "\n--b%zu%s\n", open - 1, once_in(c, 8) ? "--" : "");
			bytes_text(out, line);
		} else {
			break;
		}
	}
	while (open--) {
		snprintf(line, sizeof line, "\n--b%zu--\n", open);
		bytes_text(out, once_in(c, 8) ? "" : line);
	}
}

/* A multipart without parts: the whole of it is a text, up to a limit, or about. */
static void add_preamble(struct choices *c, struct bytes *out)
{
	size_t from = out->length, end = from + (once_in(c, 2) ? 65536 : 4096);
	end += choose(c, 400);
	end -= 200;
	struct bytes text = { 0 };
	construct_text(c, &text);
	bytes_text(out, "Content-Type: multipart/mixed; boundary=\"never\"\n\n");
	bytes_byte(&text, '\n');
	while (out->length < end)
		bytes_add(out, text.data, text.length);
	free(text.data);
}

/* Every line ends with CRLF. */
static void end_lines(struct bytes *text)
{
	struct bytes out = { 0 };
	bytes_clear(&out);
	for (size_t i = 0; i < text->length; i++) {
		bytes_text(&out, text->data[i] == '\n' ? "\r" : "");
		bytes_byte(&out, (uint8_t)text->data[i]);
	}
	free(text->data);
	*text = out;
}

static void add_message(struct choices *c, struct bytes *out)
{
	static const char *const blank[] = { "\r\r\n", "\r\n", "\n", "\r\r\r\n", " \r\n", "x\r\n", "x\n" };
	if (construct_aimed_mail(c, out) || construct_long_mail(c, out) || construct_met_mail(c, out))
		return;
	add_fields(c, out);
	for (size_t n = c->aim == AIM_HEADERS ? choose(c, 5) : 0; n > 0; n--)
		bytes_text(out, CHOOSE(c, blank));
	if (once_in(c, 40)) {
		add_preamble(c, out);
	} else if (once_in(c, 2)) {
		add_parts(c, out);
	} else {
		add_leaf(c, out);
	}
	if (once_in(c, 6))
		bytes_byte(out, '\n');
}

/* What stands before a message of Babyl: a header that is not shown may come before the one that is. */
static void add_babyl(struct choices *c, struct bytes *out)
{
	bytes_text(out, once_in(c, 2) ? "1,,\n" : "0, unseen,,\n");
	if (c->aim == AIM_COPIES || once_in(c, 2)) {
		add_fields(c, out);
		bytes_text(out, c->aim == AIM_COPIES && once_in(c, 2) ? "" : "\n");
	}
	bytes_text(out, once_in(c, 4) ? "" : "*** EOOH ***\n");
}

void construct_mail(struct choices *c, struct bytes *out, urlsift_mail_kind *kind)
{
	static const urlsift_mail_kind kinds[] = {
		URLSIFT_KIND_MESSAGE, URLSIFT_KIND_MESSAGE, URLSIFT_KIND_MBOX, URLSIFT_KIND_MBOX, URLSIFT_KIND_MMDF,
			URLSIFT_KIND_RNEWS,
		URLSIFT_KIND_BABYL, URLSIFT_KIND_HTML
	};
	static const char from[] = "From joe@a.example Mon Jan  1 00:00:00 2024\n";
	char line[40];
	bool mailbox = c->aim == AIM_CALENDARS || c->aim == AIM_HELD || c->aim == AIM_FRAMES;
	*kind = c->aim == AIM_COPIES ? URLSIFT_KIND_BABYL
	        : mailbox            ? URLSIFT_KIND_MBOX
	        : c->of == OF_HTML   ? URLSIFT_KIND_HTML
	                             : CHOOSE(c, kinds);
	if (*kind == URLSIFT_KIND_HTML) {
		construct_html(c, out);
		return;
	}
	if (*kind == URLSIFT_KIND_BABYL)
		bytes_text(out, "BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\037\f\n");
	for (size_t n = *kind == URLSIFT_KIND_MESSAGE ? 1 : 1 + choose(c, 3); n > 0; n--) {
		struct bytes message = { 0 };
		bytes_clear(&message);
		add_message(c, &message);
		if (*kind == URLSIFT_KIND_MBOX)
			bytes_text(out, from);
		else if (*kind == URLSIFT_KIND_MMDF)
			bytes_text(out, "\001\001\001\001\n");
		else if (*kind == URLSIFT_KIND_BABYL)
			add_babyl(c, out);
		snprintf(line, sizeof line, "#! rnews %zu\n", message.length + (once_in(c, 6) ? choose(c, 20) : 0));
		if (*kind == URLSIFT_KIND_RNEWS)
			bytes_text(out, line);
		bytes_add(out, message.data, message.length);
		if (*kind == URLSIFT_KIND_MMDF)
			bytes_text(out, "\001\001\001\001\n");
		else if (*kind == URLSIFT_KIND_BABYL)
			bytes_text(out, "\037\f\n");
		else if (*kind == URLSIFT_KIND_MBOX && !once_in(c, 6))
			bytes_text(out, "\n");
		free(message.data);
	}
	if (c->aim == AIM_COPIES || once_in(c, 6))
		end_lines(out);
}
