/* Splitting and the grammars.
 *
 *   split      parts of URLs; the parts make up the text again
 *   cases      testdata/grammar: verdicts, faults and their sentences
 *   marks      each mark names a rule of its grammar that has a sentence
 *   quick      the class tables agree with PCRE2 on each byte at each place, and on a million URLs
 *   faults     what stands before a fault is of the grammar
 *   memory     every allocation fails once: a status, no leak, no crash; the bound
 *   threads    one context for many
 *   long       long texts of one unit get a verdict
 *   hooks      the interpreter of PCRE2, which allocator hooks get, gives the verdicts of its JIT
 *
 *     unit_grammar [SEED] */
#include "check.h"
#include "text/unicode.h"
#include "url/url.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_TEXT(condition, text, length) \
	check_at((condition), __FILE__, __LINE__, NULL, "%s: %.*s", #condition, \
	         (length) > 300 ? 300 : (int)(length), (text))

static urlsift_url split(const char *text, size_t length)
{
	urlsift_url url;
	urlsift_url_split(text, length, &url);
	return url;
}

/* ---- Splitting ------------------------------------------------------------ */

/* What a part should be: NULL for absent. */
struct split_case {
	const char *text, *scheme, *user, *password, *host, *port, *path, *query, *fragment;
};

static const struct split_case split_cases[] = {
	{ "", NULL, NULL, NULL, NULL, NULL, "", NULL, NULL },
	{ "a", NULL, NULL, NULL, NULL, NULL, "a", NULL, NULL },
	{ ":a", NULL, NULL, NULL, NULL, NULL, ":a", NULL, NULL },
	{ "a:", "a", NULL, NULL, NULL, NULL, "", NULL, NULL },
	{ "a b:c", "a b", NULL, NULL, NULL, NULL, "c", NULL, NULL },
	{ "/a:b", NULL, NULL, NULL, NULL, NULL, "/a:b", NULL, NULL },
	{ "?a:b", NULL, NULL, NULL, NULL, NULL, "", "a:b", NULL },
	{ "#a:b", NULL, NULL, NULL, NULL, NULL, "", NULL, "a:b" },
	{ "a:?#", "a", NULL, NULL, NULL, NULL, "", "", "" },
	{ "a:b#c?d#e", "a", NULL, NULL, NULL, NULL, "b", NULL, "c?d#e" },
	{ "//h", NULL, NULL, NULL, "h", NULL, "", NULL, NULL },
	{ "///a", NULL, NULL, NULL, "", NULL, "/a", NULL, NULL },
	{ "a:/b//c?d?e/#f", "a", NULL, NULL, NULL, NULL, "/b//c", "d?e/", "f" },
	{ "http://u:p@h.example:80/a?b#c", "http", "u", "p", "h.example", "80", "/a", "b", "c" },
	{ "http://@h", "http", "", NULL, "h", NULL, "", NULL, NULL },
	{ "http://u:@h:", "http", "u", "", "h", "", "", NULL, NULL },
	{ "http://a@b:c@h", "http", "a@b", "c", "h", NULL, "", NULL, NULL },
	{ "http://u:p:q@h:1:2", "http", "u", "p:q", "h", "1:2", "", NULL, NULL },
	{ "http://h?a@b", "http", NULL, NULL, "h", NULL, "", "a@b", NULL },
	{ "http://[::1]:80/", "http", NULL, NULL, "[::1]", "80", "/", NULL, NULL },
	{ "http://u@[::1]", "http", "u", NULL, "[::1]", NULL, "", NULL, NULL },
	{ "http://[::1", "http", NULL, NULL, "[::1", NULL, "", NULL, NULL },
	{ "http://[::1]a:80", "http", NULL, NULL, "[::1]a", "80", "", NULL, NULL },
	{ "mailto:a@b.example", "mailto", NULL, NULL, NULL, NULL, "a@b.example", NULL, NULL },
	{ "ftp://u?x@h/", "ftp", NULL, NULL, "u", NULL, "", "x@h/", NULL }
};

static bool part_is(const urlsift_url *url, const urlsift_component *part, const char *wanted)
{
	if (!wanted)
		return !part->present && !part->length;
	return part->present && part->length == strlen(wanted) && memcmp(url->text + part->offset, wanted,
		part->length) == 0;
}

static void test_split_cases(void)
{
	for (size_t i = 0; i < sizeof split_cases / sizeof *split_cases; i++) {
		const struct split_case *c = &split_cases[i];
		size_t length = strlen(c->text);
		urlsift_url u = split(c->text, length);
		CHECK_TEXT(part_is(&u, &u.scheme, c->scheme), c->text, length);
		CHECK_TEXT(part_is(&u, &u.user, c->user), c->text, length);
		CHECK_TEXT(part_is(&u, &u.password, c->password), c->text, length);
		CHECK_TEXT(part_is(&u, &u.host, c->host), c->text, length);
		CHECK_TEXT(part_is(&u, &u.port, c->port), c->text, length);
		CHECK_TEXT(part_is(&u, &u.path, c->path), c->text, length);
		CHECK_TEXT(part_is(&u, &u.query, c->query), c->text, length);
		CHECK_TEXT(part_is(&u, &u.fragment, c->fragment), c->text, length);
		CHECK_TEXT(u.authority.present == (c->host != NULL) && u.userinfo.present == u.user.present, c->text, length);
	}
}

/* Takes a part at *at, with `before` and `after` its delimiters. */
static bool takes(const urlsift_url *u, const urlsift_component *part, size_t *at, const char *before,
	const char *after)
{
	if (!part->present)
		return true;
	size_t n = strlen(before);
	if (part->offset != *at + n || memcmp(u->text + *at, before, n) != 0)
		return false;
	*at += n + part->length;
	n = strlen(after);
	if (*at + n > u->length || memcmp(u->text + *at, after, n) != 0)
		return false;
	*at += n;
	return true;
}

static bool makes_up(const urlsift_url *u)
{
	size_t at = 0, inner = u->authority.offset, user = u->userinfo.offset;
	bool ok = takes(u, &u->scheme, &at, "", ":") && takes(u, &u->authority, &at, "//", "") &&
	          takes(u, &u->path, &at, "", "") && takes(u, &u->query, &at, "?", "") &&
	          takes(u, &u->fragment, &at, "#", "") && at == u->length && u->path.present;
	ok = ok && takes(u, &u->userinfo, &inner, "", "@") && takes(u, &u->host, &inner, "", "") &&
	     takes(u, &u->port, &inner, ":", "") && inner == u->authority.offset + u->authority.length;
	return ok && takes(u, &u->user, &user, "", "") && takes(u, &u->password, &user, ":", "") &&
	       user == u->userinfo.offset + u->userinfo.length;
}

/* ---- Cases ---------------------------------------------------------------- */

static int hex(char c)
{
	const char *digits = "0123456789ABCDEF", *at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

/* Undoes \xNN. */
static size_t unescape(const char *line, char *out)
{
	size_t n = 0;
	while (*line) {
		if (line[0] == '\\' && line[1] == 'x' && hex(line[2]) >= 0 && hex(line[3]) >= 0) {
			out[n++] = (char)(hex(line[2]) << 4 | hex(line[3]));
			line += 4;
		} else {
			out[n++] = *line++;
		}
	}
	return n;
}

static urlsift_grammar grammar_of(const char *name)
{
	int g = URLSIFT_RFC1738;
	while (g < URLSIFT_RFC3987 && strncmp(name, urlsift_grammar_name((urlsift_grammar)g), 7) != 0)
		g++;
	return (urlsift_grammar)g;
}

static void check_case(urlsift_context *context, const char *text, size_t length, const char *wanted)
{
	char got[300];
	urlsift_fault fault = { 0, "", "" };
	urlsift_grammar grammar = grammar_of(wanted);
	urlsift_url url = split(text, length);
	urlsift_status status = urlsift_url_check(context, &url, grammar, &fault);
	const char *name = urlsift_grammar_name(grammar);
	if (status == URLSIFT_INVALID)
		snprintf(got, sizeof got, "%s %zu %s: %s", name, fault.offset, fault.rule, fault.what);
	else
		snprintf(got, sizeof got, "%s %s", name, status == URLSIFT_OK ? "valid" : urlsift_status_text(status));
	CHECK_TEXT(strcmp(got, wanted) == 0, text, length);
	if (strcmp(got, wanted) != 0)
		printf("\tgot    %s\n\twanted %s\n", got, wanted);
	CHECK_TEXT(urlsift_url_check(context, &url, grammar, NULL) == status, text, length);
}

/* A line with a URL, then lines that begin with a tab: a grammar and its verdict. */
static void test_cases_file(urlsift_context *context, const char *path)
{
	char line[512], text[512];
	size_t length = 0, cases = 0;
	FILE *file = fopen(path, "r");
	CHECK_TEXT(file != NULL, path, strlen(path));
	while (file && fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '\t') {
			check_case(context, text, length, line + 1);
			cases++;
		} else if (*line && strncmp(line, "# ", 2) != 0) {
			length = unescape(line, text);
		}
	}
	if (file)
		fclose(file);
	CHECK_TEXT(cases > 20, path, strlen(path));
}

static void test_cases(urlsift_context *context)
{
	test_cases_file(context, "testdata/grammar/rfc1738.txt");
	test_cases_file(context, "testdata/grammar/rfc3986.txt");
	test_cases_file(context, "testdata/grammar/rfc3987.txt");
	urlsift_url url = split("x:", 2);
	CHECK_TEXT(urlsift_url_check(context, &url, (urlsift_grammar)GRAMMARS, NULL) == URLSIFT_BAD_ARGUMENT, "", 0);
	CHECK_TEXT(strcmp(urlsift_grammar_name((urlsift_grammar)GRAMMARS), "unknown") == 0, "", 0);
}

/* ---- Class tables against PCRE2 -------------------------------------------- */

static uint64_t random_state;

static size_t random_below(size_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (size_t)((random_state >> 20) % n);
}

static const char *const heads[] = {
	"http://", "http://", "http://", "HTTP://", "http:", "https://", "https://", "ftp://", "file://", "file:///",
	"gopher://",
	"mailto:", "news:", "nntp://", "telnet://", "wais://", "prospero://", "urn:", "x+1-.2://", "2x:", "", "a.b", "htt:"
};
static const char *const common[] = {
	"a.test", "b1.example", "192.0.2.1", "/", "/", "a", "B", "7", ".", "-", "%41", "/a/b.html", "?", "#", "=", "&",
		":80"
};
static const char *const rare[] = {
	"@", ":", "//", "u:p@", "_", "~", "+", "!", "$", "*", "'", "(", ")", ",", ";", ";type=a", "%", "%4", "%zz", "%09",
	"[", "]",
	"[::1]", "[v1.a]", "1:2", "{", "}", "|", "\\", "^", "`", "<", ">", "\"", " ", "\t", "\x7F", "\x1F", "\xC3\xA9",
		"\xE9", "\x81",
	"\xEE\x80\x80", "\xEF\xBF\xBE", "\xF0\x9F\x98\x80", "\xED\xA0\x80", "--", "..", "-.", ".1", "::", "/?", "/#", "/@"
};

#define PICK(list) list[random_below(sizeof list / sizeof *list)]

static size_t make_url(char *out)
{
	size_t n = 0, pieces = random_below(9), oddness = random_below(3) ? random_below(8) : 0;
	const char *piece = PICK(heads);
	for (size_t i = 0;; i++) {
		memcpy(out + n, piece, strlen(piece));
		n += strlen(piece);
		if (i == pieces)
			break;
		piece = random_below(16) < oddness ? PICK(rare) : PICK(common);
	}
	if (n && !random_below(32))
		out[random_below(n)] = (char)random_below(256);
	return n;
}

static bool has(const urlsift_url *u, const char *set, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (u->text[i] && strchr(set, u->text[i]))
			return true;
	return false;
}

static bool scheme_is(const urlsift_url *u, const char *name)
{
	size_t n = strlen(name), i = 0;
	while (i < n && i < u->scheme.length && (u->text[i] | 0x20) == name[i])
		i++;
	return i == n && i == u->scheme.length;
}

/* The forms that the tables should know, if they are valid. */
static bool is_common(const urlsift_url *u, urlsift_grammar grammar)
{
	static const char *const others[] = {
		"ftp", "file", "news", "nntp", "telnet", "gopher", "wais", "prospero"
	};
	for (size_t i = 0; i < u->length; i++)
		if ((unsigned char)u->text[i] >= 0x80)
			return false;
	if (grammar != URLSIFT_RFC1738)
		return !u->userinfo.present && !has(u, "[", u->length);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (scheme_is(u, others[i]))
			return false;
	const char *last = u->text + u->host.offset + u->host.length - 1;
	return !scheme_is(u, "http") || *last < '0' || *last > '9';
}

/* Rules that are whole wherever they end. */
static bool is_open_ended(const char *rule)
{
	static const char *const rules[] = {
		"schemepart", "hpath", "search", "fpath", "gtype", "selector", "gopher+_string", "database", "wpath", "ppath",
		"fieldvalue", "path-abempty", "path-absolute", "path-rootless", "query", "fragment", "ipath-abempty",
		"ipath-absolute", "ipath-rootless", "iquery", "ifragment"
	};
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (strcmp(rule, rules[i]) == 0)
			return true;
	return false;
}

/* What stands before a fault is valid where it can be; with one character more it is not. */
static void check_fault(const struct grammar *g, const urlsift_url *url, const urlsift_fault *fault)
{
	urlsift_fault again = { 0, NULL, NULL };
	CHECK_TEXT(fault->offset <= url->length && fault->rule && fault->what, url->text, url->length);
	if (fault->offset < url->length) {
		uint32_t cp;
		const uint8_t *p = (const uint8_t *)url->text + fault->offset;
		urlsift_url longer = split(url->text, fault->offset + utf8_next(p, url->length - fault->offset, &cp));
		urlsift_status status = grammar_match(g, &longer, &again);
		CHECK_TEXT(status == URLSIFT_OK || status == URLSIFT_INVALID, url->text, url->length);
	}
	if (!is_open_ended(fault->rule))
		return;
	urlsift_url before = split(url->text, fault->offset);
	CHECK_TEXT(grammar_match(g, &before, NULL) == URLSIFT_OK, url->text, url->length);
	CHECK_TEXT(again.rule == fault->rule && again.offset == fault->offset, url->text, url->length);
}

/* How often the tables, and PCRE2, say that a URL is valid. */
struct verdicts {
	size_t quick, valid;
};

/* Both judge the URL by each grammar. */
static void check_quick(urlsift_context *context, const urlsift_url *url, bool faults, struct verdicts *count)
{
	const char *room = url->text;
	size_t length = url->length;
	for (int which = 0; which < GRAMMARS; which++) {
		urlsift_fault fault = { length + 1, NULL, NULL };
		urlsift_status ignored;
		const struct grammar *g = context_grammar(context, (urlsift_grammar)which, &ignored);
		urlsift_status status = grammar_match(g, url, &fault);
		urlsift_fault quickly;
		bool judged = grammar_quick(url, (urlsift_grammar)which, &quickly), said = judged && !quickly.rule;
		CHECK_TEXT(status == URLSIFT_OK || status == URLSIFT_INVALID, room, length);
		CHECK_TEXT(!said || status == URLSIFT_OK, room, length);
		CHECK_TEXT(!judged || said || (status == URLSIFT_INVALID && quickly.offset == fault.offset
		                               && quickly.rule == fault.rule && quickly.what == fault.what), room, length);
		CHECK_TEXT(said || status != URLSIFT_OK || !is_common(url, (urlsift_grammar)which), room, length);
		count->quick += said;
		count->valid += status == URLSIFT_OK;
		if (faults && status == URLSIFT_INVALID)
			check_fault(g, url, &fault);
	}
}

/* Each byte in place of the tab. */
static void test_bytes(urlsift_context *context)
{
	static const char *const places[] = {
		"\tttp://h.example/", "h\tp://h.example/", "http:\t/h.example/", "http:/\th.example/", "http://\t.example/",
		"http://h\t.example/", "http://h.\t", "http://h.exampl\t", "http://u\t@h.example/", "ftp://u:p\t@h.example/",
		"http://h.example:8\t/", "http://h.example\ta", "http://h.example/\t", "http://h.example/a\tb",
		"http://h.example/a?\tb", "http://h.example/a?b\t", "http://h.example/#\tb", "http://h.example/%\t2",
		"http://h.example/%2\t", "http://[\t:1]/", "http://[v1.\t]/", "ftp://h.example/a;type=\t", "x:\ta", "x:a\tb",
		"mailto:a\t@h.example", "news:a\tb", "news:\t", "nntp://h.example/a\tb/1", "nntp://h.example/a/1\t",
		"gopher://h.example/1\tb", "wais://h.example/d\t", "wais://h.example/d/t/\t", "telnet://h.example/\t",
		"prospero://h.example/p;a\t=b", "prospero://h.example/p;a=b\t", "file:///a\tb", "file://\t/a"
	};
	char room[64];
	struct verdicts count = { 0, 0 };
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		for (unsigned c = 0; c < 256; c++) {
			size_t n = strlen(places[i]), at = strcspn(places[i], "\t");
			memcpy(room, places[i], n);
			room[at] = (char)c;
			urlsift_url url = split(room, n);
			check_quick(context, &url, true, &count);
		}
	CHECK_TEXT(count.quick > 1000 && count.valid > count.quick, "", 0);
}

/* RFC 3987 section 2.2. */
static bool is_of_iri(uint32_t cp, bool in_query)
{
	if ((cp & 0xFFFE) == 0xFFFE)
		return false;
	if ((cp >= 0xE000 && cp <= 0xF8FF) || cp >= 0xF0000)
		return in_query;
	if (cp >= 0x10000)
		return cp < 0xE0000 || cp >= 0xE1000;
	return (cp >= 0xA0 && cp <= 0xD7FF) || (cp >= 0xF900 && cp <= 0xFDCF) || (cp >= 0xFDF0 && cp <= 0xFFEF);
}

/* Each character beyond ASCII but for the middle of most planes, in a path and a query; user names ask PCRE2. */
static void test_characters(urlsift_context *context)
{
	for (uint32_t cp = 0x80; cp <= 0x10FFFF; cp++) {
		if (cp == 0xD800)
			cp = 0xE000;
		if ((cp & 0xFFFF) == 0x1200 && cp > 0x11200)
			cp += 0xFFF0 - 0x1200;
		for (int in_query = 0; in_query < 2; in_query++) {
			char room[32] = "http://u@h/";
			size_t n = strlen(room);
			room[n] = '?';
			n += (size_t)in_query;
			n += utf8_put((uint8_t *)room + n, cp);
			urlsift_url url = split(room, n);
			bool valid = urlsift_url_check(context, &url, URLSIFT_RFC3987, NULL) == URLSIFT_OK;
			CHECK_TEXT(valid == is_of_iri(cp, in_query), room, n);
		}
	}
}

/* 81 is a character only within UTF-8, not by itself (C1): what begins no sequence leaves it. */
static void test_sequences(urlsift_context *context)
{
	static const struct { const char *bytes; bool is_utf8; } rows[] = {
		{ "\xC0\x81", false }, { "\xC3\x81", true }, { "\xE0\x9F\x81", false }, { "\xE0\xA0\x81", true },
		{ "\xED\x9F\x81", true }, { "\xED\xA0\x81", false }, { "\xEF\xA4\x81", true }, { "\xF0\x8F\x80\x81", false },
		{ "\xF0\x90\x80\x81", true }, { "\xF2\x80\x80\x81", true }, { "\xF4\x90\x80\x81", false },
		{ "\xF5\x80\x80\x81", false }, { "\xE1\x81", false }, { "\xF1\x80\x81", false }
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char room[32];
		urlsift_url url = split(room, (size_t)snprintf(room, sizeof room, "http://u@h/%s", rows[i].bytes));
		bool valid = urlsift_url_check(context, &url, URLSIFT_RFC3987, NULL) == URLSIFT_OK;
		CHECK_TEXT(valid == rows[i].is_utf8, room, url.length);
	}
}

/* Returns the number of marks in a pattern. */
static size_t check_marks(urlsift_grammar which, const char *pattern)
{
	size_t marks = 0;
	for (const char *p = pattern; (p = strstr(p, "(*:")); marks++) {
		char name[32];
		p += sizeof "(*:" - 1;
		snprintf(name, sizeof name, "%.*s", (int)strcspn(p, ")"), p);
		urlsift_fault fault = grammar_fault(which, name, "a", 1, 1);
		CHECK_TEXT(!strcmp(name, GRAMMAR_VALID) || (fault.rule && fault.what), name, strlen(name));
	}
	return marks;
}

static void test_marks(void)
{
	size_t marks = 0;
	for (int which = 0; which < GRAMMARS; which++) {
		const struct grammar_source *s = &grammar_sources[which];
		marks += check_marks((urlsift_grammar)which, s->start);
		for (size_t i = 0; i < sizeof s->rules / sizeof *s->rules; i++)
			for (const struct grammar_rule *rule = s->rules[i]; rule && rule->name; rule++)
				marks += check_marks((urlsift_grammar)which, rule->pattern);
	}
	CHECK_TEXT(marks > 60, "", 0);
}

static void test_quick(urlsift_context *context)
{
	const size_t COUNT = run_is_long() ? 1000000 : run_rounds(100000);
	struct verdicts count = { 0, 0 };
	char room[256];
	for (size_t i = 0; i < COUNT; i++) {
		size_t length = make_url(room);
		urlsift_url url = split(room, length);
		CHECK_TEXT(makes_up(&url), room, length);
		check_quick(context, &url, i % 8 == 0, &count);
	}
	printf("%zu URLs: %zu of %zu valid by the tables\n", COUNT, count.quick, count.valid);
	CHECK_TEXT(count.quick > COUNT / 2 && count.valid > count.quick && count.valid < 2 * COUNT, "", 0);
}

/* ---- Memory ---------------------------------------------------------------- */

/* `~` and `[` ask PCRE2 in each grammar. */
static void test_failing(urlsift_grammar grammar)
{
	static const char text[] = "http://a.test/~\xE9[";
	urlsift_url url = split(text, sizeof text - 1);
	struct counting c = { 0 };
	urlsift_allocator alloc = counting_allocator(&c);
	bool more = true;
	for (size_t n = 1; more; n++) {
		c = (struct counting){ 0 };
		urlsift_context *context = urlsift_context_new(&alloc);
		if (!context)
			break;
		c.calls = 0;
		c.fail_at = n;
		urlsift_fault fault = { 99, NULL, NULL };
		urlsift_status status = urlsift_url_check(context, &url, grammar, &fault);
		more = c.calls >= n;
		CHECK_TEXT(status == URLSIFT_INVALID || (more && status == URLSIFT_NO_MEMORY), text, sizeof text - 1);
		CHECK_TEXT((status == URLSIFT_INVALID) == (fault.rule != NULL), text, sizeof text - 1);
		c.fail_at = 0;
		CHECK_TEXT(urlsift_url_check(context, &url, grammar, NULL) == URLSIFT_INVALID, text, sizeof text - 1);
		urlsift_context_free(context);
		CHECK_TEXT(c.live == 0, text, sizeof text - 1);
		CHECK_TEXT(n < 1000, text, sizeof text - 1);
		more = more && n < 1000;
	}
	c = (struct counting){ .fail_at = 1 };
	CHECK_TEXT(urlsift_context_new(&alloc) == NULL && c.live == 0, "", 0);
}

enum { LONG = 64 * 1024 };

static void test_bound(void)
{
	static char text[LONG];
	struct counting c = { 0 };
	urlsift_allocator alloc = counting_allocator(&c);
	urlsift_context *context = urlsift_context_new(&alloc);
	memset(text, 0x80, sizeof text);
	urlsift_url url = split(text, sizeof text);
	for (int g = 0; context && g < GRAMMARS; g++)
		CHECK_TEXT(urlsift_url_check(context, &url, (urlsift_grammar)g, NULL) == URLSIFT_INVALID, "", 0);
	urlsift_context_free(context);
	CHECK_TEXT(c.peak && c.peak <= sizeof *context + grammar_memory_bound() && c.live == 0, "", 0);
}

/* ---- Threads and long texts ------------------------------------------------- */

static void *check_many(void *user)
{
	static const char *const texts[] = {
		"http://a.test/~", "ftp://u@a.test/", "news:1", "x://[::1]", "http://a.test/\xC3\xA9", "x:[", "\xFF"
	};
	urlsift_context *context = user;
	char *verdicts = calloc(1, 1 + GRAMMARS * sizeof texts / sizeof *texts);
	for (size_t i = 0; verdicts && i < GRAMMARS * sizeof texts / sizeof *texts; i++) {
		const char *text = texts[i / GRAMMARS];
		urlsift_url url = split(text, strlen(text));
		verdicts[i] = (char)('0' + urlsift_url_check(context, &url, (urlsift_grammar)(i % GRAMMARS), NULL));
	}
	return verdicts;
}

static void test_threads(void)
{
	enum { THREADS = 8, ROUNDS = 20 };
	for (int round = 0; round < ROUNDS; round++) {
		pthread_t threads[THREADS];
		urlsift_context *context = urlsift_context_new(NULL);
		size_t made = 0;
		while (context && made < THREADS && pthread_create(&threads[made], NULL, check_many, context) == 0)
			made++;
		CHECK_TEXT(made > 1, "", 0);
		char *alone = check_many(context);
		for (size_t i = 0; i < made; i++) {
			void *verdicts = NULL;
			pthread_join(threads[i], &verdicts);
			CHECK_TEXT(verdicts && alone && strcmp(verdicts, alone) == 0, "", 0);
			free(verdicts);
		}
		CHECK_TEXT(alone && strspn(alone, "06") == strlen(alone), "", 0); /* URLSIFT_OK, URLSIFT_INVALID */
		free(alone);
		urlsift_context_free(context);
	}
}

static void test_long(urlsift_context *context)
{
	static const char *const units[] = {
		"a", "-", "1", "a.", "1.", "a-", "/", "//", "@", "a@", ":", "?", "#", "%", "%41", "%09", "=", ";", ";a=b",
		";type=a",
		"~", "[", "::", "1:", "a:b@", "\xC3\xA9", "\xE9", " "
	};
	static const char *const ends[] = { "", "/", "~", "@a.test", "]" };
	static char text[LONG + 64];
	for (size_t i = 0; i < sizeof heads / sizeof *heads * (sizeof units / sizeof *units); i += run_is_fast() ? 3 : 1) {
		const char *head = heads[i % (sizeof heads / sizeof *heads)];
		const char *unit = units[i / (sizeof heads / sizeof *heads)], *end = ends[i % (sizeof ends / sizeof *ends)];
		size_t n = strlen(head);
		memcpy(text, head, n);
		for (; n < LONG; n += strlen(unit))
			memcpy(text + n, unit, strlen(unit));
		memcpy(text + n, end, strlen(end));
		n += strlen(end);
		urlsift_url url = split(text, n);
		for (int g = 0; g < GRAMMARS; g++) {
			urlsift_status status = urlsift_url_check(context, &url, (urlsift_grammar)g, NULL);
			CHECK_TEXT(status == URLSIFT_OK || status == URLSIFT_INVALID, text, n);
		}
	}
}

int main(int argc, char **argv)
{
	random_state = argc > 1 ? strtoull(argv[1], NULL, 0) | 1 : 20240601;
	printf("seed %llu\n", (unsigned long long)random_state);
	urlsift_context *context = urlsift_context_new(NULL);
	if (!context)
		return 1;
	test_split_cases();
	test_cases(context);
	test_marks();
	test_bytes(context);
	test_characters(context);
	test_sequences(context);
	test_quick(context);
	urlsift_context_free(context);
	struct counting hooks = { 0 };
	urlsift_allocator alloc = counting_allocator(&hooks);
	context = urlsift_context_new(&alloc);
	test_cases(context);
	test_long(context);
	urlsift_context_free(context);
	CHECK_TEXT(hooks.calls > 1 && hooks.live == 0, "", 0);
	for (int g = 0; g < GRAMMARS; g++)
		test_failing((urlsift_grammar)g);
	test_bound();
	test_threads();
	return check_end();
}
