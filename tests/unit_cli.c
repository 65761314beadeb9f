/* The parts of the command that stand alone: the keyed hash, patterns, nearest words, sets of hashes. */
#include "check.h"
#include "input/cutter.h"
#include "input/descriptor.h"
#include "input/filter.h"
#include "input/report.h"
#include "cli/options.h"
#include "text/hashset.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check(const char *what, bool good) { CHECK_FOR(good, what); }

/* What OpenSSL gives (openssl mac -macopt size:16 ... SIPHASH): the key is the
 * bytes 0 to 15, the text the bytes 0 to length - 1. */
static void test_siphash(void)
{
	static const struct { size_t length; uint64_t low, high; } vector[] = {
		{ 0, 0xe6a825ba047f81a3, 0x930255c71472f66d },
		{ 1, 0x44af996bd8c187da, 0x45fc229b11597634 },
		{ 2, 0xc75da4a48d227781, 0xe4ff0af6de8ba3fc },
		{ 15, 0x11a8b03399e99354, 0xd9c3cf970fec087e },
	};
	const struct hash128 key = { 0x0706050403020100, 0x0f0e0d0c0b0a0908 };
	unsigned char text[16];
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (unsigned char)i;
	for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
		struct hash128 h = siphash(key, text, vector[i].length);
		check("siphash", h.low == vector[i].low && h.high == vector[i].high);
	}
}

static void test_glob(void)
{
	static const struct { const char *pattern, *text; bool matches; } row[] = {
		{ "", "", true }, { "", "a", false }, { "a", "", false }, { "*", "", true }, { "*", "abc", true },
		{ "***", "a", true }, { "?", "", false }, { "?", "a", true }, { "?*", "abc", true },
		{ "a*c", "abc", true }, { "a*c", "abcd", false }, { "a*c*", "abcd", true }, { "*c", "abcabc", true },
		{ "*a*b", "xaxbxb", true }, { "*ab", "aab", true }, { "*.A.test", "b.a.TEST", true },
		{ "*.a.test", "a.test", false }, { "[::1]", "[::1]", true }, { "a?c", "ac", false },
		{ "*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		check(row[i].pattern, glob_matches(row[i].pattern, row[i].text, strlen(row[i].text)) == row[i].matches);
	check("a length, no NUL", glob_matches("a*", "abc", 1));
}

static const char *word(size_t i, const void *of)
{
	(void)of;
	static const char *const words[] = { "list", "html", "unique", "match", "not-match", NULL };
	return words[i];
}

static void test_nearest(void)
{
	static const struct { const char *misspelt, *nearest; } row[] = {
		{ "lst", "list" }, { "lsit", "list" }, { "lists", "list" }, { "htm", "html" }, { "uniq", "unique" },
		{ "uinqeu", "unique" }, { "uinqeus", NULL }, { "macth", "match" }, { "notmatch", "not-match" },
		{ "x", NULL }, { "-", NULL }, { "", NULL }, { "xy", NULL }, { "a word of more than thirty-two letters", NULL },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const char *got = nearest_word(row[i].misspelt, word, NULL);
		check(row[i].misspelt, got && row[i].nearest ? !strcmp(got, row[i].nearest) : got == row[i].nearest);
	}
}

/* ---- Sets of hashes: values, the limit, growth, reset, and memory that runs out ---- */

static enum hashset_answer add_number(struct hashset *s, uint64_t number, uint32_t *value)
{
	return hashset_add(s, siphash((struct hash128){ 1, 2 }, &number, sizeof number), value);
}

static void *no_memory(void *context, size_t size) { return *(bool *)context ? NULL : malloc(size); }
static void release(void *context, void *block) { (void)context, free(block); }
static void *no_resize(void *context, void *block, size_t size) { return (void)context, (void)block, (void)size, NULL; }

static void test_hashset(void)
{
	bool refuse = false;
	urlsift_allocator alloc = { no_memory, no_resize, release, &refuse };
	struct hashset s;
	hashset_init(&s, &alloc, 1000);
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0, value; i < 1000; i++) {
			value = 3 * i;
			CHECK(add_number(&s, i, &value) == HASHSET_NEW);
			value = 7;
			CHECK(add_number(&s, i / 2, &value) == HASHSET_KNOWN && value == i / 2 * 3);
		}
		uint32_t value = 5;
		CHECK(add_number(&s, 1000, &value) == HASHSET_FULL);
		CHECK(add_number(&s, 999, &value) == HASHSET_KNOWN && value == 2997);
		CHECK((s.mask + 1) * 3 / 2 * sizeof *s.slots <= hashset_memory_bound(1000));
		hashset_reset(&s);
	}
	uint32_t value = 1;
	CHECK(hashset_add(&s, (struct hash128){ 0, 0 }, &value) == HASHSET_NEW);
	CHECK(hashset_add(&s, (struct hash128){ 0, 0 }, &value) == HASHSET_KNOWN);
	hashset_fini(&s);
	refuse = true;
	CHECK(add_number(&s, 1, &value) == HASHSET_NO_MEMORY && s.count == 0);
	refuse = false;
	CHECK(add_number(&s, 1, &value) == HASHSET_NEW);
	hashset_reset(&s);
	CHECK(add_number(&s, 1, &value) == HASHSET_NEW);
	hashset_fini(&s);
}

/* Hashes whose low bits are all zeros, as a text may be made to have them, belong all over a table. */
static void test_crafted(void)
{
	static struct hashset_slot slots[1024];
	static bool used[1024];
	size_t places = 0;
	for (uint64_t k = 0; k < 500; k++) {
		const uint64_t low = siphash((struct hash128){ 0, 0 }, &k, sizeof k).low << 16;
		bool *place = &used[hashset_index(slots, 1023, low)];
		places += !*place;
		*place = true;
	}
	CHECK(places > 250);
}

/* ---- Where files are cut into ranges, and lines and messages in them ---- */

enum { LINE = 50, PLAIN = 200 }; /* bytes of a line of text; lines before the first blank one */

/* A file of `lines` lines with a blank line after each eighth from PLAIN on, and a message before each ninth. */
static char *make_file(struct source *s, size_t lines, bool mailbox)
{
	static char path[] = "unit-cli-cut", why[WHY_SIZE], text[1 << 17];
	size_t n = 0;
	for (size_t i = 0; i < lines; i++) {
		if (mailbox && i % 9 == 0)
			n += (size_t)sprintf(text + n, "From a@a.example Mon Jan  1 00:00:00 2024\nSubject: %zu\n\n", i);
		n += (size_t)sprintf(text + n, "%0*zu\n%s", LINE - 1, i, mailbox ? i % 9 == 8 ? "\n" : "" : i >= PLAIN && i % 8 == 7 ? "\n" : "");
	}
	FILE *f = fopen(path, "w");
	fwrite(text, 1, n, f);
	fclose(f);
	check("a file", source_open(s, path, why));
	unlink(path);
	return text;
}

static void test_cuts(void)
{
	struct shared_file f = { .text = true };
	const char *text = make_file(&f.source, 1500, false);
	const uint64_t end = f.source.size;
	struct cut cut;
	for (uint64_t size = 7; size < 60000; size = size * 3 / 2 + 1)
		for (uint64_t at = 0; at < 30000; at += 777) {
			/* a range is cut where half of another one is left */
			const uint64_t most = at + size + size / 2;
			check("a rest that is too short", !cutter_next(&f, at, size, most - 1, &cut));
			if (most > end || !cutter_next(&f, at, size, most, &cut))
				continue;
			const char *line = memchr(text + at + size, '\n', end), *look = line + SOURCE_CUT_BACK;
			const char *next = memchr(look, '\n', end), *blank = strstr(look, "\n\n");
			const char *stop = text + at + size + 2 * SOURCE_CUT_BACK;
			check("where it is read from", cut.from == (uint64_t)(line + 1 - text));
			check("where it begins", cut.at == (uint64_t)((blank && blank + 1 < stop ? blank + 2 : next + 1) - text));
		}
	check("nothing to cut at", !cutter_next(&f, 0, end - 2 * SOURCE_CUT_BACK + 1, UINT64_MAX, &cut));
	source_close(&f.source);
}

static void test_messages(void)
{
	struct shared_file f = { .text = false };
	const char *text = make_file(&f.source, 300, true);
	const uint64_t end = f.source.size;
	bool good = true;
	uint64_t found = 0, next = 0, line = 1;
	for (uint64_t at = 0; at < end; at++) {
		while (next < at || memcmp(text + next, "From ", 5))
			if (++next >= end)
				break;
		const bool is = cutter_find_message(&f.source, at, &found);
		good &= is == (next < end) && (!is || found == next);
		struct line_count l = { .line = 1 };
		good &= source_line_at(&f.source, &l, at) && l.line == line && l.at == at;
		line += text[at] == '\n';
	}
	check("messages and lines from any byte on", good);
	struct cut cut;
	check("a range of messages", cutter_next(&f, 0, 100, end, &cut) && cut.at == cut.from && !memcmp(text + cut.at, "From ", 5));
	check("no message is left before its end", !cutter_next(&f, 0, 100, cut.at, &cut));
	source_close(&f.source);
}

static void test_lengths(void)
{
	static const struct { const char *text; bool sees; } rows[] = {
		{ "", false }, { "content-length:", false }, { "\ncontent-length:", true }, { "a\nContent-LENGTH:1", true },
		{ "\ncontent-length", false }, { "\ncontent-length :", false }, { "\n\ncontent-length:", true }, { "\n content-length:", false },
		{ "\ncontent-lengtx:\ncontent-length:", true }, { "\ncontent-lengt\ncontent-length:1\n", true } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check(rows[i].text, cutter_sees_lengths(rows[i].text, strlen(rows[i].text)) == rows[i].sees);
}

/* Where an entry of PATH is empty, also the last one, the current folder is looked in, as by execvp. */
static void test_program(void)
{
	static const struct { const char *path, *name, *found; } rows[] = {
		{ "/nowhere:", "unit-cli-program", "unit-cli-program" },
		{ ":/nowhere", "unit-cli-program", "unit-cli-program" },
		{ "", "unit-cli-program", "unit-cli-program" }, { "/nowhere", "./unit-cli-program", "./unit-cli-program" },
		{ "/nowhere", "unit-cli-program", NULL }, { "/nowhere:.", "unit-cli-program", "./unit-cli-program" },
	};
	char folder[] = "/tmp/urlsift-unit-cli-XXXXXX", path[40];
	CHECK(mkdtemp(folder) && !chdir(folder));
	close(open("unit-cli-program", O_CREAT | O_WRONLY, 0700));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		setenv("PATH", rows[i].path, 1);
		bool found = program_find(rows[i].name, path, sizeof path);
		CHECK_FOR(found == !!rows[i].found && (!found || !strcmp(path, rows[i].found)), rows[i].path);
	}
	CHECK(!unlink("unit-cli-program") && !rmdir(folder));
}

/* ---- Filters of each kind, made and freed a hundred times, leave no memory ---- */

#if defined __has_feature
#if __has_feature(memory_sanitizer) /* its malloc is another */
#define IN_USE() (size_t)0
#endif
#endif
#if defined __GLIBC__ && !defined IN_USE
#if __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#define IN_USE() mallinfo2().uordblks
#endif
#endif
#ifndef IN_USE
#define IN_USE() (size_t)0
#endif

static void make_filters(enum filter_kind kind, const char *value)
{
	struct filter *f = filter_new();
	for (int i = 0; i < 10; i++)
		check("filter_add", filter_add(f, kind, "--option", value) == STATUS_DONE);
	filter_free(f);
}

static void test_filters(void)
{
	static const char *const values[] = {
		[FILTER_SCHEME] = "http,https", [FILTER_NOT_SCHEME] = "ftp", [FILTER_IN] = "subject,a", [FILTER_HOST] = "*.example",
		[FILTER_NOT_HOST] = "a.example", [FILTER_MATCH] = "a+b", [FILTER_NOT_MATCH] = "(?i)c", [FILTER_CONVENTION] = "angle",
		[FILTER_DELIMITED] = "none", [FILTER_VALID] = "rfc3986", [FILTER_NOT_VALID] = "rfc1738", [FILTER_WARNED] = "bidi", [FILTER_NO_WARNING] = "any"
	};
	for (size_t kind = 0; kind < sizeof values / sizeof *values; kind++) {
		size_t before = 0;
		for (int i = 0; i < 120; i++) {
			before = i == 20 ? IN_USE() : before; /* what is kept to be used again is there */
			make_filters((enum filter_kind)kind, values[kind]);
		}
		check(values[kind], IN_USE() < before + 16384);
	}
}

int main(void)
{
	test_filters();
	test_siphash();
	test_glob();
	test_nearest();
	test_hashset();
	test_crafted();
	test_cuts();
	test_messages();
	test_lengths();
	test_program();
	return check_end();
}
