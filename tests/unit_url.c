/* Schemes, top-level domains, targets and normal forms.
 *
 *     unit_url [testdata/schemes/cases.txt]
 *     unit_url --write                        writes src/url/scheme_names_table.h from the rows */
#include "check.h"
#include "url/url.h"
#include "url/scheme.h"
#include "url/tld_table.h"

#include "unit_url_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Schemes ------------------------------------------------------------- */

static const struct scheme *find_name(const char *name)
{
	return scheme_find(name, strlen(name));
}

enum { ROW_CASES = sizeof row_cases / sizeof *row_cases };

static bool text_is(const char *got, size_t length, const char *wanted)
{
	return length == strlen(wanted) && memcmp(got, wanted, length) == 0;
}

static size_t normal_of(const char *text, char *out, size_t size)
{
	return normal_write("", (const uint8_t *)text, strlen(text), out, size);
}

/* The number of rows before those known from the registry alone, which are sorted anew. */
static size_t full_rows(void)
{
	size_t i = 1;
	while (strcmp(scheme_row(i - 1)->name, scheme_row(i)->name) < 0)
		i++;
	return i;
}

static void test_rows(void)
{
	for (size_t i = 0; i < ROW_CASES; i++) {
		const struct row_case *c = &row_cases[i];
		const struct scheme *row = find_name(c->name);
		char out[256];
		CHECK_FOR(row && row->port == c->port && row->slashes == c->slashes && row->body == c->body, c->name);
		size_t n = normal_of(c->text, out, sizeof out);
		CHECK_FOR(text_is(out, n, c->normal ? c->normal : c->text), c->text);
	}
	for (size_t i = 0; scheme_row(i); i++) {
		const struct scheme *row = scheme_row(i);
		size_t k = 0;
		while (k < ROW_CASES && strcmp(row_cases[k].name, row->name) != 0)
			k++;
		check_at(i >= full_rows() || k < ROW_CASES, __FILE__, __LINE__, row->name, "no row in tests/unit_url_table.h");
	}
}

/* First the full rows, then those known by name alone, both sorted by bytes. */
static void test_table(void)
{
	size_t count = 0, longest = 0;
	const struct scheme *before = NULL;
	for (const struct scheme *row; (row = scheme_row(count)) != NULL; before = row, count++) {
		size_t length = strlen(row->name);
		longest = length > longest ? length : longest;
		CHECK_THAT(!before || count == full_rows() || strcmp(before->name, row->name) < 0, "%s", row->name);
		CHECK_THAT(strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789+-.") == length, "%s", row->name);
		CHECK_THAT(row->name[0] >= 'a' && row->name[0] <= 'z', "%s", row->name);
		CHECK_THAT(scheme_find(row->name, length) == row, "%s", row->name);
		CHECK_THAT(row->slashes != 0 || !(row->parts & PART_AUTHORITY), "%s", row->name);
		CHECK_THAT(row->slashes == 0 || (row->parts & PART_AUTHORITY), "%s", row->name);
		CHECK_THAT((row->body == BODY_HOST || row->body == BODY_HOST_OPTIONAL) == (row->slashes == 2), "%s", row->name);
		CHECK_THAT(row->forbidden == (row->body == BODY_SWALLOW), "%s", row->name);
		CHECK_THAT(!(row->forbidden && row->linkable), "%s", row->name);
	}
	CHECK(count > 350);
	CHECK(longest <= SCHEME_NAME_MAX);
	CHECK(scheme_row(count) == NULL && scheme_row((size_t)-1) == NULL);
}

/* A new scheme is a row anywhere in its order: no other row gets lost. */
static void test_new_rows(void)
{
	static const char *const names[] = { "a", "ci", "cida", "http+x", "httpss", "wsr", "xmpp-", "zz", "git+httpa" };
	enum { NEW = sizeof names / sizeof *names, MOST = 1024 };
	static struct scheme rows[MOST];
	size_t count = 0;
	for (const struct scheme *row; count < MOST - NEW && count < full_rows() && (row = scheme_row(count)); count++)
		rows[count] = *row;
	for (size_t k = 0; k < NEW; k++) {
		size_t at = 0;
		while (at < count && strcmp(rows[at].name, names[k]) < 0)
			at++;
		memmove(rows + at + 1, rows + at, (count++ - at) * sizeof *rows);
		rows[at] = (struct scheme){ .port = (uint16_t)k };
		strcpy(rows[at].name, names[k]);
		for (size_t i = 0; i < count; i++)
			CHECK_FOR(scheme_search(rows, count, rows[i].name) == &rows[i], rows[i].name);
	}
	CHECK(!scheme_search(rows, count, (char[SCHEME_NAME_SIZE]){ "zzz" }));
}

/* ---- The sets of names ---- */

#define NAMES_TABLE "src/url/scheme_names_table.h"

static void add_name(uint64_t set[SCHEME_SET], uint32_t name)
{
	set[name >> 26] |= (uint64_t)1 << (name >> 20 & 63);
}

static struct scheme_names names_of_rows(void)
{
	struct scheme_names names = { .tails = { 0 } };
	names.tails[scheme_tail_bit('r')] |= (uint64_t)1 << scheme_tail_bit('l');
	const struct scheme *row;
	for (size_t i = 0; (row = scheme_row(i)); i++) {
		size_t n = strlen(row->name);
		const uint8_t *name = (const uint8_t *)row->name;
		uint32_t all = 0;
		for (size_t k = n; k; k--)
			all = scheme_hash(all, name[k - 1]);
		if (row->slashes == URLSIFT_SLASHES_REQUIRED || row->body == BODY_SLASHES) {
			add_name(names.slashed, all);
			continue;
		}
		bool delimited = row->body == BODY_NEVER || row->body == BODY_NAMESPACE;
		uint8_t last = name[n - 1], second = n > 1 ? name[n - 2] : 0, third = n > 2 ? name[n - 3] : 0;
		add_name(delimited ? names.delimited : names.anywhere, all);
		names.tails[scheme_tail_bit(second)] |= (uint64_t)1 << scheme_tail_bit(last);
		add_name(names.ends, scheme_hash_end(third, second, last));
	}
	return names;
}

static int write_names(void)
{
	static const char *const members[] = { "tails", "ends", "anywhere", "delimited", "slashed" };
	const struct scheme_names names = names_of_rows();
	const uint64_t *sets[] = { names.tails, names.ends, names.anywhere, names.delimited, names.slashed };
	FILE *f = fopen(NAMES_TABLE, "w");
	if (!f)
		return 1;
	fprintf(f, "/* The sets of names of schemes (scheme.h).  Written by unit_url --write; do not edit. */\n"
	           "const struct scheme_names scheme_names = {\n");
	for (size_t m = 0; m < sizeof sets / sizeof *sets; m++) {
		fprintf(f, "\t.%s = {", members[m]);
		for (size_t i = 0; i < SCHEME_SET; i++)
			fprintf(f, "%s0x%016llx,", i % 5 ? " " : "\n\t\t", (unsigned long long)sets[m][i]);
		fprintf(f, "\n\t},\n");
	}
	fprintf(f, "};\n");
	return fclose(f) != 0;
}

static void test_names(void)
{
	const struct scheme_names names = names_of_rows();
	CHECK_THAT(!memcmp(&names, &scheme_names, sizeof names), "%s is not that of the rows: see --write", NAMES_TABLE);
}

static void test_linkable(void)
{
	static const char *const list[] = {
		"http", "https", "ftp", "mailto", "news", "nntp", "gopher", "telnet", "irc", "ircs", "xmpp", "tel", "sip",
	};
	size_t linkable = 0;
	for (size_t i = 0; scheme_row(i); i++)
		linkable += scheme_row(i)->linkable;
	CHECK(linkable == sizeof list / sizeof *list);
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		CHECK_FOR(find_name(list[i]) && find_name(list[i])->linkable == 1, list[i]);
	urlsift_scheme scheme;
	size_t count = 0;
	for (; urlsift_scheme_at(count, &scheme); count++)
		CHECK_FOR(!strcmp(scheme.name, scheme_row(count)->name)
			&& scheme.linkable == urlsift_scheme_linkable(scheme.name, strlen(scheme.name)), scheme.name);
	CHECK(!scheme_row(count) && !urlsift_scheme_find("htt", 3, &scheme));
	CHECK(urlsift_scheme_find("FTP", 3, &scheme) && scheme.port == 21 && scheme.slashes == URLSIFT_SLASHES_REQUIRED
		&& scheme.linkable);
	CHECK(urlsift_scheme_find("javascript", 10, &scheme) && scheme.forbidden
		&& scheme.slashes == URLSIFT_SLASHES_NEVER);
}

static void test_find(void)
{
	static const char *const unknown[] = {
		"", "h", "htt", "httpx", "hhttp", "x-unknown", "ms", "http ", "http:", "javascrip", "zzz", "+", "-", "ht\ttp",
		"z39.5", "z39.50t", "svn+", "data:", "machineprovisioningprogressreporterandmore",
	};
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
		CHECK_FOR(find_name(unknown[i]) == NULL, unknown[i]);
	CHECK(scheme_find("http\0", 5) == NULL);
	CHECK(scheme_find("\0", 1) == NULL);
	CHECK(scheme_find("http\xC3", 5) == NULL);
	CHECK(scheme_find("httpsx", 5) == find_name("https"));
	CHECK(find_name("HTTP") == find_name("http") && find_name("hTtPs") == find_name("https"));
	CHECK(find_name("Z39.50R") == find_name("z39.50r") && find_name("SVN+SSH") == find_name("svn+ssh"));
	CHECK(find_name("ms-settings") && find_name("MS-Word") == find_name("ms-settings"));
	CHECK(find_name("ms-") == find_name("ms-word") && find_name("msnim") != find_name("ms-"));
	CHECK(find_name("icon") && find_name("icon")->body == BODY_NEVER);
	CHECK(find_name("tag") && find_name("query") && find_name("spotify") && find_name("vemmi"));
}

/* Every full row has a line of cases, and every line is of a full row. */
static void test_cases_file(const char *path)
{
	FILE *file = fopen(path, "r");
	CHECK_FOR(file != NULL, path);
	if (!file)
		return;
	char line[512];
	size_t lines = 0, full = 0;
	char seen[ROW_CASES * 2] = { 0 };
	while (fgets(line, sizeof line, file)) {
		if (line[0] == '#')
			continue;
		lines++;
		char *url = strchr(line, '\t'), *miss = url ? strchr(url + 1, '\t') : NULL;
		CHECK_FOR(miss && miss > url + 1 && miss[1] != '\n' && !strchr(miss + 1, '\t'), line);
		if (!miss)
			continue;
		*url++ = '\0';
		*miss = '\0';
		const struct scheme *row = find_name(line);
		CHECK_FOR(row && row->body != BODY_NEVER, line);
		CHECK_FOR(strchr(url, ':') && scheme_find(url, strcspn(url, ":")) == row, line);
		for (size_t i = 0; i < sizeof seen && scheme_row(i); i++)
			if (scheme_row(i) == row) {
				CHECK_FOR(!seen[i], line);
				seen[i] = 1;
			}
	}
	fclose(file);
	for (size_t i = 0; i < full_rows(); i++, full++)
		check_at(i < sizeof seen && seen[i], __FILE__, __LINE__, scheme_row(i)->name, "no line in %s", path);
	CHECK(lines == full);
}

/* ---- Top-level domains --------------------------------------------------- */

static bool tld(const char *label)
{
	return tld_known((const uint8_t *)label, strlen(label));
}

static void test_tld(void)
{
	static const char *const known[] = {
		"com", "COM", "Org", "uk", "museum", "arpa", "io", "bd", "ck", "zw", "aaa", "xn--p1ai", "XN--P1AI",
			"xn--wgbh1c",
		"\xD1\x80\xD1\x84", "\xE4\xB8\xAD\xE5\x9B\xBD", "xn--fiqs8s", "verm\xC3\xB6gensberatung",
			"VERM\xC3\xB6GENSBERATUNG",
		"example", "onion", "local", "i2p", "Onion",
	};
	static const char *const not_known[] = {
		"", "c", "co m", "comm", "txt", "html", "exe", "test", "invalid", "localhost", "xn--", "xn--zzzz", "123",
			"com.",
		".com", "\xD1\x80", "\xFF", "a-label-that-is-longer-than-any-top-level-domain-is",
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		CHECK_FOR(tld(known[i]), known[i]);
	for (size_t i = 0; i < sizeof not_known / sizeof *not_known; i++)
		CHECK_FOR(!tld(not_known[i]), not_known[i]);
	CHECK(!tld_known((const uint8_t *)"com\0", 4));
	CHECK(tld_known((const uint8_t *)"community", 3));
	size_t count = 0, beyond = 0, labels = 0;
	for (size_t length = 0; length <= TLD_MAX; length++) {
		const char *name = tld_table[length].names, *last = NULL;
		CHECK(tld_table[length].count == 0 || strlen(name) == tld_table[length].count * length);
		for (size_t i = 0; i < tld_table[length].count; i++, last = name, name += length) {
			char text[TLD_MAX + 1] = "";
			memcpy(text, name, length);
			CHECK_THAT(!last || memcmp(last, name, length) < 0, "%s", text);
			CHECK_THAT(length >= 2 && tld(text) && !strpbrk(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "%s", text);
			beyond += (uint8_t)text[0] >= 0x80 || strpbrk(text, "\xC3") != NULL;
			labels += strncmp(text, "xn--", 4) == 0;
			count++;
		}
	}
	CHECK(count > 1400 && beyond == labels && labels > 100);
}

/* ---- Targets and normal forms: cases ------------------------------------- */

typedef size_t writer(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size);

static void check_written(int line, writer *write, const char *supplied, const char *text, const char *wanted)
{
	char out[512];
	size_t n = write(supplied, (const uint8_t *)text, strlen(text), out, sizeof out);
	check_at(n < sizeof out && text_is(out, n, wanted), __FILE__, line, text,
	         "after \"%s\"\n\tgot    %.*s\n\twanted %s",
	         supplied, (int)(n < sizeof out ? n : sizeof out), out, wanted);
}

#define TARGET(supplied, text, wanted) check_written(__LINE__, target_write, supplied, text, wanted)
#define NORMAL(text, wanted) check_written(__LINE__, normal_write, "", text, wanted)

static void test_target(void)
{
	TARGET("", "", "");
	TARGET("", "HTTP://Host.Example/a;b=c?d&e#f", "HTTP://Host.Example/a;b=c?d&e#f");
	TARGET("http://", "www.Example.org", "http://www.Example.org");
	TARGET("http://", "www.example.org:80/a b", "http://www.example.org:80/a%20b");
	TARGET("mailto:", "a\"b@example.org", "mailto:a%22b@example.org");
	TARGET("", "http://h/ \"<>\\^`{|}\t\r\n\x7F", "http://h/%20%22%3C%3E%5C%5E%60%7B%7C%7D%09%0D%0A%7F");
	TARGET("", "http://h/!$&'()*+,;=:@-._~?!$&'()*+,;=:@/?#!$&'()*+,;=:@/?",
	       "http://h/!$&'()*+,;=:@-._~?!$&'()*+,;=:@/?#!$&'()*+,;=:@/?");
	/* escapes stay, a percent sign that begins none is encoded */
	TARGET("", "http://h/%7e%2F%zz%4%", "http://h/%7e%2F%25zz%254%25");
	TARGET("", "http://h/%4?1#%a/%41", "http://h/%254?1#%25a/%41");
	/* characters: UTF-8, windows-1252 */
	TARGET("", "http://h/\xC3\xA9?\xE2\x82\xAC#\xF0\x9F\x98\x80", "http://h/%C3%A9?%E2%82%AC#%F0%9F%98%80");
	TARGET("", "http://h/caf\xE9/\x80\x81\xFF", "http://h/caf%C3%A9/%E2%82%AC%C2%81%C3%BF");
	TARGET("", "http://h/\xE2\x82", "http://h/%C3%A2%E2%80%9A");
	/* hosts beyond ASCII */
	TARGET("", "mailto:a@b\xC3\xBC" "cher.example", "mailto:a@b%C3%BCcher.example");
	TARGET("", "http://b\xC3\xBC.%41/", "http://b%C3%BC.%41/");
	TARGET("", "http://b\xC3\xBC\"/", "http://b%C3%BC%22/");
	if (idna_available()) {
		TARGET("", "HTTP://U:P@B\xC3\x9C" "cher.Example:80/", "HTTP://U:P@xn--bcher-kva.example:80/");
		NORMAL("HTTP://U:P@B\xC3\x9C" "cher.Example:80/", "http://U:P@xn--bcher-kva.example/");
		TARGET("http://", "b\xFC" "cher.example", "http://xn--bcher-kva.example");
		TARGET("", "http://B%C3%BC" "cher.example/", "http://B%C3%BCcher.example/");
		NORMAL("http://B%C3%BC" "cher%2eexample/", "http://xn--bcher-kva.example/");
		NORMAL("http://B%C3%BC%2F/", "http://b%C3%BC%2F/");
		NORMAL("http://B%FC/", "http://b%FC/");
	} else {
		TARGET("", "http://b\xC3\xBC" "cher.example/", "http://b%C3%BCcher.example/");
	}
	/* brackets */
	TARGET("", "http://[2001:db8::1]:80/[a]?[b]#[c]", "http://[2001:db8::1]:80/%5Ba%5D?%5Bb%5D#%5Bc%5D");
	TARGET("", "http://u[@[::1]", "http://u%5B@[::1]");
	TARGET("", "http://[::ffff:192.0.2.1]", "http://[::ffff:192.0.2.1]");
	TARGET("", "http://[fe80::1%25eth0]/", "http://[fe80::1%25eth0]/");
	TARGET("", "http://[fe80::1%eth0]/", "http://[fe80::1%25eth0]/");
	TARGET("", "http://[v7.a:b]/", "http://[v7.a:b]/");
	TARGET("", "http://[v.a]/", "http://%5Bv.a%5D/");
	TARGET("", "http://[v7.]/", "http://%5Bv7.%5D/");
	TARGET("", "http://[host]/", "http://%5Bhost%5D/");
	TARGET("", "http://[::1", "http://%5B::1");
	TARGET("", "http://[::1]x/", "http://%5B::1%5Dx/");
	TARGET("", "http://[]/", "http://%5B%5D/");
	TARGET("", "x:[::1]", "x:%5B::1%5D");
	/* delimiters where they are none */
	TARGET("", "http://h/a#b#c", "http://h/a#b%23c");
	TARGET("", "http://bank.example@evil@h.example/@", "http://bank.example%40evil@h.example/@");
	TARGET("", "http://bank.example\\@h.example/", "http://bank.example%5C@h.example/");
	TARGET("", "a b:c/d:e", "a%20b%3Ac/d:e");
	TARGET("", ":a", "%3Aa");
	TARGET("", "//h:1/a", "//h:1/a");
	TARGET("", "mailto:a@b@c", "mailto:a@b@c");
}

static void test_normal(void)
{
	NORMAL("", "");
	/* RFC 3986 section 6.2.2 */
	NORMAL("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D");
	NORMAL("HTTP://www.EXAMPLE.com/", "http://www.example.com/");
	NORMAL("http://h/%7Esmith%2d%2E%5F", "http://h/~smith-._");
	NORMAL("http://h/%2f%3f%c3%a9%25%34%31", "http://h/%2F%3F%C3%A9%2541");
	NORMAL("http://h/caf\xC3\xA9", "http://h/caf%C3%A9");
	NORMAL("http://h/A?B#C", "http://h/A?B#C");
	/* RFC 1630: %2D is a hyphen, %2F is no slash, %* is no escape */
	NORMAL("http://h/a%2Db", "http://h/a-b");
	NORMAL("http://h/a%2Fb", "http://h/a%2Fb");
	NORMAL("http://h/%*%as", "http://h/%25*%25as");
	/* RFC 3986 section 6.2.3 */
	NORMAL("http://h", "http://h/");
	NORMAL("http://h:", "http://h/");
	NORMAL("http://h:80?q", "http://h/?q");
	NORMAL("https://h:443#f", "https://h/#f");
	NORMAL("http://h:443/", "http://h:443/");
	NORMAL("http://h:00080/", "http://h/");
	NORMAL("http://h:65616/", "http://h:65616/"); /* 80 modulo 2^16 */
	NORMAL("http://h:4294967376/", "http://h:4294967376/");
	NORMAL("http://h:%38%30/", "http://h:%38%30/");
	NORMAL("http://h::80/", "http://h::80/");
	NORMAL("http://h:8x/", "http://h:8x/");
	NORMAL("ftp://h:21", "ftp://h");
	NORMAL("unknown://H:80", "unknown://h:80");
	NORMAL("unknown://H:", "unknown://h");
	NORMAL("http:", "http:");
	NORMAL("http:a", "http:a");
	/* authority */
	NORMAL("http://User:PaSs@HOST.Example:80/", "http://User:PaSs@host.example/");
	NORMAL("http://%55ser@h/", "http://User@h/");
	NORMAL("http://@h/", "http://@h/");
	NORMAL("http://H%4FST%2fX%c3%89/", "http://host%2Fx%C3%89/");
	NORMAL("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/");
	NORMAL("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080/");
	NORMAL("http://[FE80::1%25En0]/", "http://[fe80::1%25en0]/");
	NORMAL("http://[::%7A]/", "http://[::%7A]/");
}

static void test_normal_path(void)
{
	NORMAL("http://h/a/b/../c", "http://h/a/c");
	NORMAL("http://h/../../a", "http://h/a");
	NORMAL("http://h/a/..", "http://h/");
	NORMAL("http://h/a/.", "http://h/a/");
	NORMAL("http://h/a/b/..", "http://h/a/");
	NORMAL("http://h/a//../b", "http://h/a/b");
	NORMAL("http://h/.", "http://h/");
	NORMAL("http://h//..//", "http://h//");
	NORMAL("http://h/a/%2e%2E/b/%2e/c", "http://h/b/c");
	NORMAL("http://h/a/.%2e/b", "http://h/b");
	NORMAL("http://h/.../..a/a../.a", "http://h/.../..a/a../.a");
	NORMAL("http://h/a?../b#/../c", "http://h/a?../b#/../c");
	NORMAL("x:/a/../b", "x:/b");
	NORMAL("x:a/../b", "x:a/../b");
	NORMAL("x:/.//b", "x:/.//b");
	NORMAL("x:/a/..//b", "x:/.//b");
	NORMAL("x:/..", "x:/");
	NORMAL("file:///a/./b", "file:///a/b");
	/* without a scheme nothing may become one */
	NORMAL("%41:b", "A%3Ab");
	NORMAL("%41/b:c", "A/b:c");
	/* RFC 6068 */
	NORMAL("mailto:Joe@Example.ORG", "mailto:Joe@example.org");
	NORMAL("mailto:%4aoe@E%58.ORG,,x@Y,Z?To=A@B", "mailto:Joe@ex.org,,x@y,Z?To=A@B");
	NORMAL("mailto:A@B@C", "mailto:A@B@c");
	NORMAL("mailto:NoDomain", "mailto:NoDomain");
	NORMAL("mailto:/a/../B@C", "mailto:/a/../B@c");
	check_written(__LINE__, normal_write, "http://", "WWW.Example.org:80/a/../b", "http://www.example.org/b");
	check_written(__LINE__, normal_write, "mailto:", "A@B.Example", "mailto:A@b.example");
}

/* Whether the text has the form of an IP-literal: two colons or more among digits and dots, or a version and more. */
static bool is_literal(const char *text, size_t n)
{
	static const char hex[] = "0123456789abcdef";
	size_t colons = 0, digits = 1;
	if (*text == 'v') {
		digits += strspn(text + 1, hex);
		return digits > 1 && text[digits] == '.' && n > digits + 1;
	}
	for (size_t i = 0; i < n; i++)
		colons += text[i] == ':';
	return colons >= 2 && strspn(text, "0123456789abcdef:.") == n;
}

/* Brackets of a host stay around what has the form of an address, and are escaped around all other short texts. */
static void test_brackets(void)
{
	static const char letters[] = ":a1.vg";
	enum { COUNT = sizeof letters - 1, MOST = 5, TEXTS = COUNT * COUNT * COUNT * COUNT * COUNT };
	for (uint32_t number = 0; number < MOST * TEXTS; number++) {
		char text[MOST + 1], url[32], wanted[32], out[64];
		size_t n = 1 + number / TEXTS;
		for (uint32_t i = 0, rest = number % TEXTS; i < MOST; i++, rest /= COUNT)
			text[i] = i < n ? letters[rest % COUNT] : '\0';
		text[MOST] = '\0';
		snprintf(url, sizeof url, "http://[%s]/", text);
		snprintf(wanted, sizeof wanted, is_literal(text, n) ? "http://[%s]/" : "http://%%5B%s%%5D/", text);
		size_t length = target_write("", (const uint8_t *)url, strlen(url), out, sizeof out);
		CHECK_THAT(length == strlen(wanted) && !memcmp(out, wanted, length), "%s", url);
	}
}

/* ---- Targets and normal forms: properties -------------------------------- */

static uint64_t seed;

static uint32_t random_below(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % n;
}

static size_t random_text(uint8_t *out, size_t size)
{
	static const char alphabet[] = "%%%%::://///??##[]@@....2233445EEeeAaFfVvx08,~- \xC3\xA9\xE2\x82\xFF";
	static const char *const pieces[] = {
		"http://", "HTTP:", "mailto:", "x:", "//", "/../", "/./", "%2e", "%2E%2e", "%41", "%3A", "%40", "%5B", "%25",
		":80", "[::1]", "[fe80::1%25", "[v1.", "%7", "@", "x:/.//", "%38%30", "www.", "ms-", "\xC3\xA9",
	};
	size_t n = 0, wanted = random_below(40);
	while (n < wanted) {
		if (random_below(3) == 0) {
			const char *piece = pieces[random_below(sizeof pieces / sizeof *pieces)];
			for (; *piece && n < size; piece++)
				out[n++] = (uint8_t)*piece;
		} else {
			out[n++] = (uint8_t)alphabet[random_below(sizeof alphabet - 1)];
		}
	}
	return n;
}

static void show(const char *what, const uint8_t *text, size_t n)
{
	printf("\t%s ", what);
	for (size_t i = 0; i < n; i++)
		printf(text[i] >= 0x20 && text[i] < 0x7F ? "%c" : "\\x%02X", text[i]);
	printf("\n");
}

/* Whether two writers' results over two texts are the same bytes; shows them if not. */
static bool same(writer *one, const char *supplied, const uint8_t *a, size_t an, writer *two, const uint8_t *b,
	size_t bn)
{
	char x[1024], y[1024];
	size_t xn = one(supplied, a, an, x, sizeof x), yn = two("", b, bn, y, sizeof y);
	if (xn <= sizeof x && xn == yn && memcmp(x, y, xn) == 0)
		return true;
	show("text ", a, an);
	show("one  ", (const uint8_t *)x, xn);
	show("two  ", (const uint8_t *)y, yn);
	return false;
}

/* Only what RFC 3986 allows, and every % begins an escape. */
static bool is_clean(const char *text, size_t n)
{
	size_t hashes = 0;
	for (size_t i = 0; i < n; i++) {
		char c = text[i];
		if (c <= ' ' || c > '~' || strchr("\"<>\\^`{|}", c))
			return false;
		if (c == '%' && (i + 2 >= n || !strchr("0123456789abcdefABCDEF", text[i + 1])
			|| !strchr("0123456789abcdefABCDEF", text[i + 2])))
			return false;
		hashes += c == '#';
		if ((c == '[' || c == ']') && (i < 2 || hashes))
			return false;
	}
	return hashes <= 1;
}

/* The length is the same for every room, and nothing is written past it. */
static bool rooms_agree(writer *write, const uint8_t *text, size_t n, const char *whole, size_t length)
{
	for (size_t size = 0; size <= length + 1; size++) {
		char *out = malloc(size ? size : 1);
		if (!out)
			return false;
		bool good = write("", text, n, out, size) == length && memcmp(out, whole, size < length ? size : length) == 0;
		free(out);
		if (!good)
			return false;
	}
	return write("", text, n, NULL, 0) == length;
}

static void test_properties(size_t rounds)
{
	static writer *const writers[] = { target_write, normal_write };
	static const char *const supplied[] = { "http://", "ftp://", "mailto:" };
	seed = 0x9E3779B97F4A7C15;
	printf("seed %llx, %zu rounds\n", (unsigned long long)seed, rounds);
	for (size_t round = 0; round < rounds; round++) {
		uint8_t text[128];
		char out[1024], longer[160];
		size_t n = random_text(text, sizeof text);
		uint8_t *exact = malloc(n ? n : 1); /* so that a sanitizer sees a read past the end */
		if (!exact)
			abort();
		memcpy(exact, text, n);
		size_t target = 0;
		for (size_t w = 0; w < 2; w++) {
			size_t length = writers[w]("", exact, n, out, sizeof out);
			CHECK(length <= sizeof out && is_clean(out, length));
			CHECK(same(writers[w], "", exact, n, writers[w], (uint8_t *)out, length));
			if (round % 16 == 0)
				CHECK(rooms_agree(writers[w], exact, n, out, length));
			if (w == 0)
				CHECK(same(normal_write, "", exact, n, normal_write, (uint8_t *)out, target = length));
			else
				CHECK(same(normal_write, "", exact, n, target_write, (uint8_t *)out, length));
			const char *s = supplied[round % 3];
			size_t m = strlen(s);
			memcpy(longer, s, m);
			memcpy(longer + m, text, n);
			CHECK(same(writers[w], s, exact, n, writers[w], (uint8_t *)longer, m + n));
		}
		CHECK(target >= n);
		free(exact);
	}
}

/* RFC 3986 section 5.2.4 as it stands there, on a path that begins with a slash. */
static size_t reference_dots(const char *in, size_t n, char *out)
{
	size_t used = 0, i = 0;
	while (i < n) {
		size_t next = i + 1;
		while (next < n && in[next] != '/')
			next++;
		size_t segment = next - i - 1;
		bool one = segment == 1 && in[i + 1] == '.';
		bool two = segment == 2 && in[i + 1] == '.' && in[i + 2] == '.';
		if (two)
			while (used && out[--used] != '/')
				;
		if (!one && !two)
			for (size_t k = i; k < next; k++)
				out[used++] = in[k];
		else if (next == n)
			out[used++] = '/';
		i = next;
	}
	return used;
}

static void test_dots(size_t rounds)
{
	seed = 0xD1B54A32D192ED03;
	printf("seed %llx, %zu rounds\n", (unsigned long long)seed, rounds);
	for (size_t round = 0; round < rounds; round++) {
		char text[256] = "http://h", plain[64], wanted[64], out[256];
		size_t n = 8, m = 0, length = 1 + random_below(20);
		for (size_t i = 0; i < length; i++) {
			char c = i ? "//...ab"[random_below(7)] : '/';
			plain[m++] = c;
			if (c == '.' && random_below(3) == 0) {
				memcpy(text + n, random_below(2) ? "%2e" : "%2E", 3);
				n += 3;
			} else {
				text[n++] = c;
			}
		}
		size_t k = reference_dots(plain, m, wanted);
		size_t got = normal_write("", (const uint8_t *)text, n, out, sizeof out);
		text[n] = '\0';
		CHECK_THAT(got == 8 + k && memcmp(out + 8, wanted, k) == 0, "%s", text);
	}
}

/* Long inputs: anything worse than linear would not come to an end. */
static void test_long(void)
{
	static const char *const units[] = {
		"/..", "/a", "/./", "/a/..", "%2e/", ":", "@", "[", "%", "//", "\xC3", ",@", "/%2e%2e", "?", "#"
	};
	static const char *const heads[] = { "http://h/", "http://", "mailto:", "x:/", "" };
	enum { SIZE = 1 << 19 };
	const size_t size = run_is_fast() ? SIZE / 32 : SIZE;
	char *text = malloc(SIZE), *out = malloc(9 * SIZE);
	if (!text || !out)
		abort();
	for (size_t u = 0; u < sizeof units / sizeof *units; u++)
		for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
			size_t n = strlen(heads[h]), unit = strlen(units[u]);
			memcpy(text, heads[h], n);
			for (; n + unit <= size; n += unit)
				memcpy(text + n, units[u], unit);
			size_t length = normal_write("", (const uint8_t *)text, n, out, 9 * SIZE);
			CHECK(length <= 9 * SIZE && normal_write("", (const uint8_t *)out, length, NULL, 0) == length);
		}
	/* a deep path and as many steps back */
	size_t n = 9;
	memcpy(text, "http://h/", n);
	for (size_t i = 0; i < 100000; i++, n += 2)
		memcpy(text + n, "a/", 2);
	for (size_t i = 0; i < 100000; i++, n += 3)
		memcpy(text + n, "../", 3);
	CHECK(text_is(out, normal_write("", (const uint8_t *)text, n, out, 9 * SIZE), "http://h/"));
	free(text);
	free(out);
}

/* What both lists say: that of libpsl and ours. */
static void test_owner(void)
{
	static const struct { const char *host, *owner; } rows[] = {
		{ "shop.example", "shop.example" }, { "www.shop.example", "shop.example" },
		{ "a.b.Shop.Example", "Shop.Example" },
		{ "example", "example" }, { "com", "com" }, { "co.uk", "co.uk" }, { "www.shop.co.uk", "shop.co.uk" },
		{ "a.b.com.au", "b.com.au" }, { "x.a.github.io", "a.github.io" }, { "github.io", "github.io" },
		{ "www.github.com", "github.com" }, { "a.b.s3.amazonaws.com", "b.s3.amazonaws.com" },
		{ "www.amazonaws.com", "amazonaws.com" }, { "f-1.us-central1.run.app", "us-central1.run.app" },
		{ "a.or.jp", "a.or.jp" }, { "x.a.or.jp", "a.or.jp" }, { "com.shop.de", "shop.de" }, { "t.co", "t.co" },
		{ "10.0.0.1", "10.0.0.1" }, { "[2001:db8::1]", "[2001:db8::1]" }, { "", "" }, { ".", "." },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const uint8_t *host = (const uint8_t *)rows[i].host;
		const char *owner = rows[i].host + owner_begin(host, strlen(rows[i].host));
		CHECK(!strcmp(owner, rows[i].owner));
	}
	CHECK(!strcmp(owner_of_short((const uint8_t *)"YouTu.be", 8), "youtube.com"));
	CHECK(!owner_of_short((const uint8_t *)"youtu.bet", 9) && !owner_of_short((const uint8_t *)"youtu.be", 7));
	char host[400];
	memset(host, 'a', sizeof host);
	for (size_t i = 1; i < sizeof host; i += 2)
		host[i] = '.';
	memcpy(host + sizeof host - 8, ".b.co.uk", 8);
	CHECK(owner_begin((const uint8_t *)host, sizeof host) == sizeof host - 7);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--write"))
		return write_names();
	test_table();
	test_rows();
	test_new_rows();
	test_names();
	test_linkable();
	test_find();
	test_cases_file(argc > 1 ? argv[1] : "testdata/schemes/cases.txt");
	test_tld();
	test_target();
	test_brackets();
	test_normal();
	test_normal_path();
	test_properties(run_rounds(200000));
	test_dots(run_rounds(200000));
	test_long();
	test_owner();
	return check_end();
}
