/* Header blocks and Content-Type: what is there, what is damaged, any bytes; dates; the table of fields. */
#include "check.h"
#include "mail/header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A copy that ends where its memory ends, so that reading on is seen. */
static uint8_t *tight(const void *bytes, size_t n)
{
	uint8_t *p = malloc(n ? n : 1);
	if (!p)
		abort();
	if (n)
		memcpy(p, bytes, n);
	return p;
}

/* ---- Lines ---- */

static void test_kinds(void)
{
	static const struct { const char *line; enum header_line kind; } rows[] = {
		{ "Subject: x\n", HEADER_FIELD }, { "Subject:x", HEADER_FIELD }, { "a:\r\n", HEADER_FIELD }, { "a:",
			HEADER_FIELD },
		{ "X-Odd!#$%&'*+.^_`|~/()<>@,;\"[]?=\\{}: y\n", HEADER_FIELD }, { "Subject : x\n", HEADER_FIELD },
		{ "Subject \t :\n", HEADER_FIELD }, { ":", HEADER_OTHER }, { ": x\n", HEADER_OTHER }, { "Subject\n",
			HEADER_OTHER },
		{ "Subject \n", HEADER_OTHER }, { "Sub ject: x\n", HEADER_OTHER }, { "S\xC3\xA9: x\n", HEADER_OTHER },
		{ "S\x01: x\n", HEADER_OTHER }, { "S\x7F: x\n", HEADER_OTHER }, { "From me@a.test Thu Jan  1 00:00:00 1970\n",
			HEADER_OTHER },
		{ ">From me@a.test Thu Jan  1 00:00:00 1970\n", HEADER_OTHER }, { "From: me\n", HEADER_FIELD }, { "x",
			HEADER_OTHER },
		{ "\n", HEADER_BLANK }, { "\r\n", HEADER_BLANK }, { "\r", HEADER_BLANK }, { " \n", HEADER_BLANK },
		{ " \t \r\n", HEADER_BLANK }, { "  ", HEADER_BLANK }, { "", HEADER_BLANK }, { " \r", HEADER_BLANK },
		{ " x\n", HEADER_FOLD }, { "\tx", HEADER_FOLD }, { " :\n", HEADER_FOLD }, { " \rx\n", HEADER_FOLD },
			{ "\rx: y\n", HEADER_OTHER },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = strlen(rows[i].line);
		uint8_t *p = tight(rows[i].line, n);
		struct header_name name;
		CHECK_FOR(header_line_read(p, n, &name) == rows[i].kind, rows[i].line);
		free(p);
	}
}

/* ---- Fields ---- */

/* The fields of a block as `name=value|` each. */
static const char *fields_of(const char *block, char *out)
{
	size_t n = strlen(block), at = 0, k = 0;
	uint8_t *p = tight(block, n);
	struct field f;
	while (header_next(p, n, &at, &f)) {
		memcpy(out + k, f.name, f.name_length);
		k += f.name_length;
		out[k++] = '=';
		memcpy(out + k, f.value, f.value_length);
		k += f.value_length;
		out[k++] = '|';
	}
	CHECK(at == n && !header_next(p, n, &at, &f) && at == n);
	free(p);
	out[k] = 0;
	return out;
}

static void test_fields(void)
{
	static const struct { const char *block, *fields; } rows[] = {
		{ "", "" }, { "\n", "" }, { "a: b\n", "a=b|" }, { "a:b", "a=b|" }, { "a:  \t b c \r\n", "a=b c |" }, { "a:",
			"a=|" },
		{ "a:\n", "a=|" }, { "a:\r\n", "a=|" }, { "a: \n\nb: c\n", "a=|b=c|" }, { "a \t: b\n", "a=b|" },
		{ "a: b\n c\n\td\ne: f\n", "a=b\n c\n\td|e=f|" }, { "a: b\r\n c\r\ne: f\r\n", "a=b\r\n c|e=f|" },
		{ "a:\n b\n", "a=\n b|" }, { "From x y\na: b\n", "a=b|" }, { ">From x y\n\tfold\na: b\n", "a=b|" },
		{ "a: b\n>From x: y\nc: d\n", "a=b|c=d|" }, { " lost\na: b\n", "a=b|" }, { "a: b\n \t\n c\nd: e",
			"a=b\n \t\n c|d=e|" },
		{ "a: b\n c", "a=b\n c|" }, { "a: b\n ", "a=b\n |" }, { "a: b\r", "a=b\r|" }, { "a: :b:\n", "a=:b:|" },
			{ "a: \r\n\r\n", "a=|" },
	};
	char out[256];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!CHECK_FOR(!strcmp(fields_of(rows[i].block, out), rows[i].fields), rows[i].block))
			printf("  %s\n", out);
}

/* The definition: lines one by one. */
static bool naive_next(const uint8_t *p, size_t n, size_t *at, struct field *f)
{
	bool found = false;
	while (*at < n) {
		size_t end = *at;
		while (end < n && p[end++] != '\n')
			;
		struct header_name name;
		enum header_line kind = header_line_read(p + *at, end - *at, &name);
		if (found && kind != HEADER_FOLD && !strchr(" \t", p[*at]))
			return true;
		size_t stop = end;
		if (p[stop - 1] == '\n')
			stop--;
		if (stop < end && stop > *at && p[stop - 1] == '\r')
			stop--;
		if (kind == HEADER_FIELD) {
			found = true;
			f->name = p + *at;
			size_t colon = *at;
			while (p[colon] != ':')
				colon++;
			for (f->name_length = colon - *at; strchr(" \t", f->name[f->name_length - 1]); f->name_length--)
				;
			do
				colon++;
			while (colon < stop && strchr(" \t", p[colon]));
			f->value = p + colon;
		}
		if (found)
			f->value_length = (size_t)(p + stop - f->value);
		*at = end;
	}
	return found;
}

static void test_fields_any(void)
{
	static const char letters[] = "ab:\n\n  \t\r>X";
	uint32_t seed = 7;
	for (unsigned round = 0, rounds = run_rounds(30000); round < rounds; round++) {
		char block[40];
		size_t n = random_bits(&seed) % sizeof block, at = 0, naive_at = 0;
		for (size_t i = 0; i < n; i++)
			block[i] = letters[random_bits(&seed) % (sizeof letters - 1)];
		uint8_t *p = tight(block, n);
		struct field f, g;
		bool more = true, same = true;
		while (more && same) {
			more = header_next(p, n, &at, &f);
			same = more == naive_next(p, n, &naive_at, &g) && (more || at == n);
			same = same && (!more || (at <= naive_at && f.name == g.name && f.name_length == g.name_length &&
			                          f.value == g.value && f.value_length == g.value_length));
		}
		if (!CHECK(same))
			printf("  %.*s\n", (int)n, block);
		free(p);
	}
}

static void test_names(void)
{
	struct field f = { .name = (const uint8_t *)"List-ID", .name_length = 7 };
	CHECK(field_is(&f, "list-id") && !field_is(&f, "list-i") && !field_is(&f, "list-id2") && !field_is(&f, ""));
	f.name_length = 6;
	CHECK(!field_is(&f, "list-id") && field_is(&f, "list-i"));
	f.name = (const uint8_t *)"A@[\rZ";
	f.name_length = 5;
	CHECK(field_is(&f, "a@[\rz") && !field_is(&f, "a`{-z"));
	f.name_length = 0;
	CHECK(field_is(&f, ""));
}

static void test_identifier(void)
{
	static const struct { const char *value, *is; } rows[] = {
		{ "<a@b.test>", "a@b.test" }, { "  <a@b.test> (x)", "a@b.test" }, { "a@b.test\r\n ", "a@b.test" }, { "", "" },
			{ " ", "" },
		{ "Some list <x.a.test>", "x.a.test" }, { "<a", "<a" }, { "a> <b>", "b" }, { "<>", "" },
			{ "\n\t<\n a@b.test\n >", "a@b.test" },
		{ "<a@b.test><c@d.test>", "a@b.test" }, { "x>", "x>" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = strlen(rows[i].value), from, to;
		uint8_t *p = tight(rows[i].value, n);
		header_identifier(p, n, &from, &to);
		CHECK_FOR(to <= n && to - from == strlen(rows[i].is) && !memcmp(p + from, rows[i].is, to - from),
			rows[i].value);
		free(p);
	}
}

/* ---- Content-Type ---- */

static void read_type(const void *value, size_t n, struct content_type *t)
{
	uint8_t *p = tight(value, n);
	memset(t, 0xA5, sizeof *t);
	content_type_read(p, n, t);
	free(p);
}

static void test_types(void)
{
	static const struct { const char *value, *type; } rows[] = {
		{ "", "text/plain" }, { "text", "text/plain" }, { "text/", "text/plain" }, { "/", "text/plain" }, { "/html",
			"text/plain" },
		{ "Text/HTML", "text/html" }, { "TEXT/Html; charset=x", "text/html" }, { " \r\n\ttext/html", "text/html" },
		{ "text / html", "text/html" }, { "(a (b) c) text (x) / (y) html (z)", "text/html" }, { "text/html charset=x",
			"text/html" },
		{ "text/html;", "text/html" }, { ";", "text/plain" }, { "; charset=x", "text/plain" }, { "charset=x",
			"text/plain" },
		{ "text; charset=x", "text/plain" }, { "multipart; boundary=x", "text/plain" }, { "text/; charset=x",
			"text/plain" },
		{ "text/html/x; charset=x", "text/html" }, { "application/x-a+b.c", "application/x-a+b.c" },
			{ "text/pl\xC3\xA9", "text/pl" },
		{ "\"text/html\"", "text/plain" }, { "text/x(", "text/x" }, { "(text/html", "text/plain" }, { "text/html,x",
			"text/html" },
		{ "(a\\)b) text/html", "text/html" }, { "((((((((((", "text/plain" }, { "message/RFC822", "message/rfc822" },
	};
	struct content_type t;
	char type[140];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		read_type(rows[i].value, strlen(rows[i].value), &t);
		snprintf(type, sizeof type, "%s/%s", t.type, t.subtype);
		CHECK_FOR(!strcmp(type, rows[i].type), rows[i].value);
		bool charset = strstr(rows[i].value, "charset=x");
		CHECK_FOR(!strcmp(t.charset, charset ? "x" : ""), rows[i].value);
		CHECK_FOR(!t.report_cut && !t.flowed && !t.delsp && !t.url_length, rows[i].value);
	}
	content_type_read(NULL, 0, &t);
	CHECK(!strcmp(t.type, "text") && !strcmp(t.subtype, "plain") && !t.boundary_length && !*t.charset);
	char wide[300];
	memset(wide, 'A', sizeof wide);
	wide[100] = '/';
	read_type(wide, sizeof wide, &t);
	CHECK(strlen(t.type) == 63 && strlen(t.subtype) == 63 && t.type[62] == 'a');
}

/* Charset and boundary of `text/plain` and each of these. */
static const struct { const char *rest, *charset, *boundary; } parameter_rows[] = {
	{ "; charset=utf-8", "utf-8", "" }, { ";CHARSET=UTF-8;", "UTF-8", "" },
		{ "; charset = \"utf-8\" ; boundary = \"x\"", "utf-8", "x" },
	{ " charset=utf-8", "utf-8", "" }, { "; charset=utf-8 boundary=x", "utf-8", "x" },
		{ "; charset=utf-8\r\n\tboundary=x", "utf-8", "x" },
	{ "; charset=\"utf-8\" boundary=\"x\"", "utf-8", "x" }, { "; charset=\"utf-8\"boundary=x", "utf-8", "x" },
	{ ";; ;charset=utf-8;;boundary=x;", "utf-8", "x" }, { "; name=a.txt; charset=b", "b", "" },
	{ "; charset=us-ascii (Plain text)", "us-ascii", "" }, { "; charset=us-ascii(Plain (nested) text); boundary=x",
		"us-ascii", "x" },
	{ "; (charset=a) charset (b) = (c) d (e)", "d", "" }, { "; (c;d) charset=x (e; boundary=f) ; boundary=g", "x",
		"g" },
	{ "; charset=x (open; boundary=y", "x", "" }, { "; charset=", "", "" }, { "; charset", "", "" },
		{ "; charset; boundary=x", "", "x" },
	{ "; charset=; boundary=x", "", "x" }, { "; =x; charset=y", "y", "" }, { "; garbage here; charset=y", "y", "" },
	{ "; this is charset=y", "y", "" }, { "; @@@ charset=y", "y", "" }, { "; \xC3\xA9=x; charset=y", "y", "" },
	{ "; charset=a; charset=b", "a", "" }, { "; name=\"x; charset=a\"; charset=b", "b", "" },
		{ "; name=x y charset=b", "b", "" },
	{ "; charset='utf-8'", "utf-8", "" }, { "; charset=\\\"utf-8\\\"", "utf-8", "" },
		{ "; charset=\"\"utf-8\"\"; boundary=x", "", "x" },
	{ "; charset=\"utf-8\"\"; boundary=x", "utf-8", "x" }, { "; charset=\"utf-8; boundary=x", "utf-8;boundary=x", "" },
	{ "; charset=\"=?us-ascii?Q?utf-8?=\"", "utf-8", "" }, { "; charset==?us-ascii?q?utf-8?=", "utf-8", "" },
	{ "; charset=\"=?a?B?utf?=\"", "=?a?B?utf?=", "" }, { "; charset=\"=?a?Q?=\"", "=?a?Q?=", "" },
		{ "; charset=\"=?Q?\?=\"", "=?Q?\?=", "" },
	{ "; charset=\"=?abc?Q?=\"", "=?abc?Q?=", "" }, { "; charset=\"=?abc?q?\?=\"", "", "" },
	{ "; boundary=a=b/c:d?e", "", "a=b/c:d?e" }, { "; boundary=----=_Part (x", "", "----=_Part" },
		{ "; boundary=a(b)c", "", "a(b)c" },
	{ "; boundary=a b  c ; charset=x", "x", "a b  c" }, { "; boundary=a b", "", "a b" }, { "; boundary=\"a b \t\"",
		"", "a b" },
	{ "; boundary=\" a\"", "", " a" }, { "; boundary=\"a\\\"b\\\\c\\d\"", "", "a\"b\\cd" },
		{ "; boundary=\"a\r\n b\"", "", "a b" },
	{ "; boundary=\"a;b\"", "", "a;b" }, { "; boundary=\"a", "", "a" }, { "; boundary=\"a\\", "", "a\\" },
		{ "; boundary=\"", "", "" },
	{ "; boundary=\"a\\\"", "", "a\"" }, { "; boundary=a\\b\"c", "", "a\\b\"c" }, { "; boundary=a\r\n b", "", "a b" },
	{ "; boundary=a charset = b", "", "a charset = b" }, { "; boundary=a charset*=''b", "b", "a" },
		{ "; boundary=a charsets=b", "", "a charsets=b" },
	{ "; boundary=<a@b.test>", "", "<a@b.test>" }, { "; boundary=,a,", "", ",a," },
		{ "; xboundary=a; boundaryx=b; boundar=c", "", "" },
	/* RFC 2231 */
	{ "; boundary*0=a; boundary*1=b", "", "ab" }, { "; boundary*0=\"a \"; boundary*1=\"b\"", "", "a b" },
	{ "; boundary*2=c; boundary*0=a; boundary*1=b", "", "abc" }, { "; boundary*0=a; boundary*0=x; boundary*1=b", "",
		"ab" },
	{ "; boundary=b; boundary*1=c", "", "b" },
	{ "; boundary*1=b; boundary*2=c", "", "bc" }, { "; boundary*0=a; boundary*9=b", "", "ab" },
		{ "; boundary*0=a;boundary=b", "", "a" },
	{ "; boundary=b; boundary*0=a; boundary*=c", "", "b" },
		{ "; boundary*0*=''a%2Fb; boundary*1=%2F; boundary*2*=%3a", "", "a/b%2F:" },
	{ "; charset*=us-ascii'en'utf-8", "utf-8", "" }, { "; charset*=''utf%2D8", "utf-8", "" }, { "; charset*=utf-8",
		"utf-8", "" },
	{ "; charset*=\"us-ascii'en'utf-8\"", "utf-8", "" }, { "; charset*0*=us-ascii'en'utf; charset*1*=-8", "utf-8", "" },
	{ "; charset*=a'utf-8", "a'utf-8", "" }, { "; boundary*=''%", "", "%" }, { "; boundary*=''%4", "", "%4" },
		{ "; boundary*=''%zz%41", "", "%zzA" },
	{ "; boundary=%41", "", "%41" }, { "; boundary*x=a; boundary*0x=b; boundary*0**=c", "", "" },
		{ "; boundary*00=a; boundary*01=b", "", "ab" },
	{ "; boundary**=''a", "", "a" }, { "; *=a; *0=b; charset=c", "c", "" }, { "; boundary*0*='a; boundary*1*='b", "",
		"'a'b" },
};

static void test_parameters(void)
{
	struct content_type t;
	char value[256];
	for (size_t i = 0; i < sizeof parameter_rows / sizeof *parameter_rows; i++) {
		const char *rest = parameter_rows[i].rest, *boundary = parameter_rows[i].boundary;
		int n = snprintf(value, sizeof value, "text/plain%s", rest);
		read_type(value, (size_t)n, &t);
		bool ok = CHECK_FOR(!strcmp(t.charset, parameter_rows[i].charset), rest);
		ok &= CHECK_FOR(t.boundary_length == strlen(boundary) && !memcmp(t.boundary, boundary, strlen(boundary)), rest);
		ok &= CHECK_FOR(!strcmp(t.subtype, "plain") && !t.report_cut, rest);
		if (!ok)
			printf("  charset %s boundary %.*s\n", t.charset, (int)t.boundary_length, (char *)t.boundary);
	}
}

static void test_flags(void)
{
	static const struct { const char *value; bool flowed, delsp; const char *url; } rows[] = {
		{ "text/plain; format=flowed", true, false, "" }, { "text/plain; FORMAT=\"Flowed\"; DelSp=Yes", true, true,
			"" },
		{ "text/plain; format=fixed; delsp=no", false, false, "" }, { "text/plain; format=flowedx; delsp=ye", false,
			false, "" },
		{ "text/plain; format = flowed (x); delsp=yes(x)", true, true, "" }, { "text/plain; format=flowed delsp=yes",
			true, true, "" },
		{ "message/external-body; access-type=URL; URL=\"http://a.test/x\"", false, false, "http://a.test/x" },
		{ "message/external-body; access-type=url; URL*0=\"ftp://\"; URL*1=\"a.test/x y\"", false, false,
		  "ftp://a.test/xy" },
		{ "message/external-body; access-type=URL; URL=\"http://a.test/\r\n\ta?b= c\"", false, false,
		  "http://a.test/a?b=c" },
		{ "message/external-body; url=http://a.test/(x)?y=z; access-type=url", false, false, "http://a.test/(x)?y=z" },
		{ "message/external-body; url=http://a.test/; access-type=local-file", false, false, "" },
		{ "message/external-body; access-type=\"u r l\"", false, false, "" },
		{ "message/external-body; access-type=ANON-FTP; site=f.test; directory=/a/b/; name=\"c d\"", false, false,
		  "ftp://f.test/a/b/c%20d" },
		{ "message/external-body; access-type=ftp; name=c; site=f.test", false, false, "ftp://f.test/c" },
		{ "message/external-body; access-type=ftp; site=f.test; directory=d", false, false, "" },
		{ "message/external-body; access-type=ftp; site=//; directory=d; name=c", false, false, "" },
	};
	struct content_type t;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		read_type(rows[i].value, strlen(rows[i].value), &t);
		CHECK_FOR(t.flowed == rows[i].flowed && t.delsp == rows[i].delsp, rows[i].value);
		CHECK_FOR(t.url_length == strlen(rows[i].url) && !memcmp(t.url, rows[i].url, t.url_length), rows[i].value);
	}
}

/* `head` and n times `unit`, where %zu counts. */
static char *repeated(const char *head, const char *unit, size_t n, size_t *length)
{
	size_t room = strlen(head) + n * (strlen(unit) + 20) + 1;
	char *p = malloc(room);
	if (!p)
		abort();
	*length = (size_t)snprintf(p, room, "%s", head);
	const char *mark = strchr(unit, '#');
	for (size_t i = 0; i < n; i++) {
		if (mark)
			*length += (size_t)snprintf(p + *length, room - *length, "%.*s%zu%s", (int)(mark - unit), unit, i,
				mark + 1);
		else
			*length += (size_t)snprintf(p + *length, room - *length, "%s", unit);
	}
	return p;
}

/* What is too long is cut and says so; what is hostile ends soon. */
static void test_long(void)
{
	static const struct { const char *head, *unit; size_t n, boundary, charset, url; bool cut; } rows[] = {
		{ "a/b; boundary=", "x", 1024, 1024, 0, 0, false }, { "a/b; boundary=", "x", 1025, 1025, 0, 0, true },
		{ "a/b; boundary=\"", "x", 100000, 100000, 0, 0, true }, { "a/b; boundary=\"x", " ", 1000, 1, 0, 0, false },
		{ "a/b; charset=", "x", 63, 0, 63, 0, false }, { "a/b; charset=", "x", 64, 0, 0, 0, false },
		{ "a/b; charset=", "x", 1025, 0, 0, 0, true }, { "a/b; access-type=url; url=", "x", 1025, 0, 0, 1024, true },
		{ "a/b; access-type=ftp; site=f; name=", "x", 1016, 0, 0, 1024, false },
		{ "a/b; access-type=ftp; site=f; name=", "x", 1017, 0, 0, 1024, true },
		{ "a/b; access-type=ftp; site=f; name=n; directory=", "x", 1014, 0, 0, 1024, false },
		{ "a/b; access-type=ftp; site=f; name=n; directory=", "x", 1015, 0, 0, 1024, true },
		{ "a/b; access-type=ftp; site=f; name=n; directory=", "x", 1016, 0, 0, 1024, true },
		{ "a/b; access-type=ftp; site=f; directory=d; name=", "x", 1014, 0, 0, 1024, false },
		{ "a/b; access-type=ftp; site=f; directory=d; name=\"", "x#", 507, 0, 0, 1024, true },
		{ "a/b; access-type=ftp; name=n; site=", "x", 1015, 0, 0, 1023, false },
		{ "a/b; access-type=ftp; name=n; site=", "x", 1017, 0, 0, 1024, true },
		{ "a/b; access-type=ftp; name=n; site=", "x", 1018, 0, 0, 1024, true },
		{ "a/b; access-type=url; url=\"", "x ", 1024, 0, 0, 1024, false }, { "a/b; name=", "x", 5000, 0, 0, 0, false },
		{ "a/b", "; boundary*#=x", 64, 64, 0, 0, false }, { "a/b", "; boundary*#=x", 65, 64, 0, 0, true },
		{ "a/b", "; boundary*#=x", 80000, 64, 0, 0, true }, { "a/b", "; a*#=x", 100000, 0, 0, 0, false },
		{ "a/b; boundary*1", "0000000000", 10, 0, 0, 0, false }, { "a/b", "; boundary*0=x", 80000, 1, 0, 0, false },
		{ "a/b; charset=x ", "(", 1000000, 0, 1, 0, false }, { "", "(", 1000000, 0, 0, 0, false },
		{ "", "()", 500000, 0, 0, 0, false }, { "a/b; boundary=", "x ", 500000, 999999, 0, 0, true },
		{ "a/b; boundary=x", " ", 1000000, 1, 0, 0, false }, { "a/b; ", "=", 1000000, 0, 0, 0, false },
		{ "a/b; ", "charset ", 100000, 0, 0, 0, false }, { "a/b; charset*=''", "%", 1000, 0, 0, 0, false },
		{ "a/b; ", "\"", 1000000, 0, 0, 0, false }, { "a/b; charset*=", "'", 1000000, 0, 0, 0, true },
		{ "a/b; n=", " \"", 500000, 0, 0, 0, false }, { "a/b; n=", " boundary*0x=", 80000, 0, 0, 0, false },
	};
	struct content_type t;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n;
		char *value = repeated(rows[i].head, rows[i].unit, rows[i].n, &n);
		read_type(value, n, &t);
		bool ok = t.boundary_length == rows[i].boundary && strlen(t.charset) == rows[i].charset &&
		          t.url_length == rows[i].url && t.report_cut == rows[i].cut;
		if (!CHECK_FOR(ok, rows[i].head))
			printf("  %s: %zu %zu %zu %d\n", rows[i].unit, t.boundary_length, strlen(t.charset), t.url_length,
				t.report_cut);
		free(value);
	}
}

/* Any bytes: what comes out is in form. */
static void test_any(void)
{
	static const char *const bits[] = {
		"text/plain", "boundary", "charset", "url", "format=flowed", "access-type", "=", ";", "*", "*0", "*1*", "\"",
			"\\", "(", ")", " ",
		"\r\n\t", "'", "''", "%41", "%", "/", "x", "=?a?Q?", "?=", "\xFF", "utf-8",
	};
	uint32_t seed = 3;
	struct content_type t;
	bool ok = true;
	for (unsigned round = 0, rounds = run_rounds(50000); round < rounds && ok; round++) {
		char value[400];
		size_t n = 0;
		for (uint32_t left = random_bits(&seed) % 24; left; left--) {
			const char *b = bits[random_bits(&seed) % (sizeof bits / sizeof *bits)];
			memcpy(value + n, b, strlen(b));
			n += strlen(b);
		}
		read_type(value, n, &t);
		ok = memchr(t.type, 0, sizeof t.type) && memchr(t.subtype, 0, sizeof t.subtype) && memchr(t.charset, 0,
			sizeof t.charset);
		ok = ok && *t.type && *t.subtype && t.boundary_length <= n && t.url_length <= n && !t.report_cut;
		ok = ok && !(t.boundary_length && strchr(" \t\r\n", t.boundary[t.boundary_length - 1]));
		for (size_t i = 0; i < t.url_length && ok; i++)
			ok = !strchr(" \t\r\n", t.url[i]);
		for (size_t i = 0; i < t.boundary_length && ok; i++)
			ok = t.boundary[i] != '\r' && t.boundary[i] != '\n';
	}
	CHECK(ok);
}

/* ---- Dates (RFC 5322 section 3.3, the obsolete forms of section 4.3, and those found in archives) ---- */

static const struct { const char *date; int64_t time; } dates[] = {
	{ "Thu, 01 Jan 1970 00:00:00 +0000", 0 },
	{ "Thu, 01 Jan 1970 00:00:00 +0001", -1 },        /* before 1970 */
	{ "Wed, 31 Dec 1969 23:00:00 -0100", 0 },
	{ "Fri, 31 Dec 2100 23:59:59 +0000", 4133980799 },
	{ "Sat, 01 Jan 2101 00:00:00 +0000", -1 },        /* after 2100 */
	{ "Fri, 21 Nov 1997 09:55:06 -0600", 880127706 },
	{ "Tue, 29 Feb 2000 12:00:00 GMT", 951825600 },
	{ "Thu, 29 Feb 1999 12:00:00 GMT", -1 },
	{ "Thu, 29 Feb 2100 12:00:00 GMT", -1 },
	{ "30 Apr 2001 00:00 +0200", 988581600 },         /* no weekday, no seconds */
	{ "31 Apr 2001 00:00 +0200", -1 },
	{ "21 Nov 97 09:55:06 GMT", 880106106 },          /* years of two and three digits */
	{ "21 Nov 49 09:55:06 GMT", 2521101306 },
	{ "21 Nov 101 09:55:06 GMT", 1006336506 },
	{ "Fri, 21 Nov 97 09(comment):   55  :  06 -0600", 880127706 },
	{ "Fri ,\r\n 21\r\n Nov\r\n 1997 09:55:06 (a (b) \\) c 12:00) -0600 (CST)", 880127706 },
	{ "21 Nov 1997 09:55:06 EST", 880124106 },        /* zones by name */
	{ "21 Nov 1997 09:55:06 pdt", 880131306 },
	{ "21 Nov 1997 09:55:06 Z", 880106106 },
	{ "21 Nov 1997 09:55:06 A", 880106106 },          /* military zones are not reliable */
	{ "21 Nov 1997 09:55:06 XYZT", 880106106 },
	{ "21 Nov 1997 09:55:06", 880106106 },
	{ "21 Nov 1997 09:55:60 +0000", 880106160 },      /* a leap second */
	{ "21 Nov 1997 09:55:06 -0000", 880106106 },
	{ "21 Nov 1997 09:55:06 +0090", 880106106 },      /* no such zone */
	{ "Fri Nov 21 09:55:06 1997", 880106106 },        /* ctime, date(1) */
	{ "Fri Nov 21 09:55:06 EST 1997", 880124106 },
	{ "21-Nov-97 09:55:06", 880106106 },
	{ "Friday, 21-Nov-97 09:55:06 GMT", 880106106 },
	{ "Fri, 21 November 1997 9:55:06 GMT+0100", 880102506 },
	{ "21 Nov 1997 24:00:00 GMT", -1 },
	{ "21 Nov 1997 09:60:00 GMT", -1 },
	{ "21 Nov 1997", -1 },
	{ "Nov 1997 09:55", -1 },
	{ "21 1997 09:55", -1 },
	{ "0 Nov 1997 09:55", -1 },
	{ "yesterday", -1 },
	{ "(21 Nov 1997 09:55:06 GMT", -1 },
	{ "99999999999999999999 Nov 1997 09:55", -1 },
	{ "", -1 },
};

static void test_dates(void)
{
	for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
		int64_t time = date_read((const uint8_t *)dates[i].date, strlen(dates[i].date));
		CHECK_THAT(time == dates[i].time, "%s: %lld, not %lld", dates[i].date, (long long)time,
		           (long long)dates[i].time);
	}
}

/* ---- The table of fields: each is found by its name in any letter case, wherever other rows are inserted ---- */

static const struct known_field *find_field(const struct field_index *x, const char *name)
{
	return field_index_find(x, (const uint8_t *)name, strlen(name));
}

/* Every row of the table is found, and a name that is longer by a letter is not. */
static void check_rows(const struct known_field *rows, size_t count)
{
	struct field_index x;
	field_index_init(&x, rows, count);
	for (size_t i = 0; i < count; i++) {
		char name[FIELD_NAME_MAX + 2];
		size_t n = strlen(rows[i].name);
		memcpy(name, rows[i].name, n + 1);
		CHECK_FOR(find_field(&x, name) == &rows[i], name);
		name[0] ^= 0x20;
		name[n - 1] ^= name[n - 1] == '-' ? 0 : 0x20;
		CHECK_FOR(find_field(&x, name) == &rows[i], name);
		strcat(name, "q");
		const struct known_field *longer = find_field(&x, name);
		CHECK_FOR(!longer || longer->uses & FIELD_PREFIX, name);
	}
}

/* A tag as long as the room for it, a byte less and more, alone and before what may follow it. */
static void test_languages(void)
{
	static const char *const behind[] = { "", ",", " (x)", ", de", "-", ";", "-toolongapart" };
	for (size_t n = 2; n < LANGUAGE_MAX + 4; n++)
		for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
			char value[LANGUAGE_MAX + 24];
			for (size_t at = 0; at < n; at++)
				value[at] = at % 9 == 2 && at + 1 < n ? '-' : 'e';
			strcpy(value + n, behind[i]);
			struct content e = { .language = "" };
			const struct field f = { .value = (const uint8_t *)value, .value_length = strlen(value) };
			content_take(&e, &f, CONTENT_LANGUAGE);
			const bool fits = n < LANGUAGE_MAX && (n == 3 || n % 9 != 3); /* else a part has nine letters */
			const size_t length = strlen(e.language);
			CHECK_FOR(length == (fits && i < 4 ? n : 0) && !memcmp(e.language, value, length), value);
		}
}

static void test_known_fields(void)
{
	static const char *const names[] = {"aardvark", "content-a", "list-zebra", "listen", "m", "x-zzz", "zeta"};
	struct known_field rows[FIELD_ROWS];
	struct field_index x;
	bool good = CHECK(known_field_count < FIELD_ROWS);
	for (size_t i = 0; i < known_field_count; i++) {
		const char *name = known_fields[i].name;
		size_t n = strlen(name);
		good &= check_at(*name >= 'a' && *name <= 'z' && n <= FIELD_NAME_MAX &&
			strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == n, __FILE__, __LINE__, name,
			"in src/mail/header.c names are in lower case, begin with a letter and have at most %d bytes",
			FIELD_NAME_MAX);
	}
	if (!good)
		return;
	check_rows(known_fields, known_field_count);
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		for (size_t at = 0; at <= known_field_count; at++) {
			memcpy(rows, known_fields, at * sizeof *rows);
			rows[at] = (struct known_field){.name = names[k], .uses = FIELD_URLS};
			memcpy(rows + at + 1, known_fields + at, (known_field_count - at) * sizeof *rows);
			check_rows(rows, known_field_count + 1);
		}
	field_index_init(&x, known_fields, known_field_count);
	CHECK(!strcmp(find_field(&x, "List-Help")->name, "list-") && !strcmp(find_field(&x, "list-id")->name, "list-id"));
	CHECK(!find_field(&x, "received") && !find_field(&x, "list") && !find_field(&x, "-") && !find_field(&x, "1"));
}

int main(void)
{
	test_kinds();
	test_fields();
	test_fields_any();
	test_names();
	test_identifier();
	test_types();
	test_parameters();
	test_flags();
	test_long();
	test_any();
	test_dates();
	test_languages();
	test_known_fields();
	return check_end();
}
