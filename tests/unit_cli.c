/* The parts of the command that stand alone: the keyed hash, patterns, nearest words, sets of hashes. */
#include "check.h"
#include "input/cutter.h"
#include "input/decompress_layer.h"
#include "input/descriptor.h"
#include "input/filter.h"
#include "input/report.h"
#include "input/team.h"
#include "cli/options.h"
#include "text/ascii.h"
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

/* ---- Forms of packed files, by their first bytes ---- */

/* The bytes, the last one repeated up to n. */
static const char *form_name(const char *begin, size_t length, size_t n, bool complete, bool *known)
{
	static char bytes[600];
	const struct packed_form *form;
	memset(bytes, begin[length - 1], sizeof bytes);
	memcpy(bytes, begin, length);
	*known = packed_form_detect(bytes, n, complete, &form);
	return form ? form->name : "";
}

static void test_forms(void)
{
#define FORM(bytes, name) { bytes, sizeof bytes - 1, name }
#define LZMA(dictionary, size, last) "\x5d" dictionary size last
#define UNKNOWN "\xff\xff\xff\xff\xff\xff\xff\xff"
	static const struct { const char *bytes; size_t length; const char *name; } row[] = {
		FORM("\x1f\x8b", "gzip"), FORM("\x1f\x9d", "compress"), FORM("\x1f\x8c", ""), FORM("\x1f\x8a", ""),
		FORM("\xfd" "7zXZ\0", "xz"),
		FORM("BZh11AY&SY", "bzip2"), FORM("BZh91AY&SY", "bzip2"), FORM("BZh01AY&SY", ""), FORM("BZh:1AY&SY", ""),
		FORM("BZh51AY&SX", ""), FORM("BZh9\x17rE8P\x90", "bzip2"), FORM("BZh9\x17rE8P\x91", ""), FORM("BZh91AY&S", "bzip2"),
		FORM("\x28\xb5\x2f\xfd", "zstd"), FORM("\x50\x2a\x4d\x18\4\0\0\0", "zstd"), FORM("\x50\x2a\x4d\x18\5\0\0\0", ""),
		FORM("\x5d\x2a\x4d\x18", "zstd"), FORM("\x04\x22\x4d\x18", "lz4"), FORM("\x02\x21\x4c\x18", "lz4"),
		FORM("LZIP\0\x14", "lzip"), FORM("LZIP\1\x14", "lzip"), FORM("LZIP\2\x14", ""), FORM("LZIP\1", ""),
		FORM(LZMA("\0\0\x80\0", UNKNOWN, "\0"), "lzma"), FORM(LZMA("\0\x10\0\0", UNKNOWN, "\0"), ""),
		FORM(LZMA("\0\0\1\0", UNKNOWN, "\0"), "lzma"), FORM(LZMA("\0\0\3\0", UNKNOWN, "\0"), "lzma"),
		FORM(LZMA("\0\0\5\0", UNKNOWN, "\0"), ""), FORM(LZMA("\0\0\7\0", UNKNOWN, "\0"), ""),
		FORM(LZMA("\0\0\0\0", UNKNOWN, "\0"), ""), FORM(LZMA("\xff\xff\xff\xff", UNKNOWN, "\0"), "lzma"),
		FORM(LZMA("\xff\xff\xff\xfe", UNKNOWN, "\0"), ""), FORM(LZMA("\0\0\x80\0", UNKNOWN, "\1"), ""),
		FORM(LZMA("\0\0\x80\0", UNKNOWN, ""), "lzma"), FORM(LZMA("\0\0\x80\0", "\xff\xff\xff\xff\xff\0\0\0", "\0"), "lzma"),
		FORM(LZMA("\0\0\x80\0", "\0\0\0\0\0\1\0\0", "\0"), ""),
		FORM(LZMA("\0\0\x80\0", "\xfe\xff\xff\xff\xff\xff\xff\xff", "\0"), ""),
		FORM("PK\3\4", "zip"), FORM("PK\5\6", "zip"), FORM("PK\1\2", ""), FORM("PK\7\x8PK\3\4", "zip"), FORM("PK\7\x8PK\1\2", ""),
		FORM("PK00PK\3\4", "zip"), FORM("PK00PK\5\6", ""), FORM("7z\xbc\xaf\x27\x1c", "7z"),
		FORM("Rar!\x1a\7", "RAR"),
		FORM("\x89LZO\0", "lzop"), FORM("\xc7\x71" "12345678901234567890123\0" , ""),
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		bool known;
		const char *name = form_name(row[i].bytes, row[i].length, row[i].length, true, &known);
		CHECK_THAT(known && !strcmp(name, row[i].name), "form %zu: %s, not %s", i, name, row[i].name);
		/* what is cut off may become one */
		for (size_t n = 1; n < row[i].length; n++) {
			form_name(row[i].bytes, row[i].length, n, false, &known);
			CHECK_THAT(!known, "form %zu of %zu bytes", i, n);
		}
	}
	/* a record of a web archive, by as many bytes as tell */
	static const char *const records[] = { "WARC/1.", "WARC/0.", "WARC/9.", "WARC/1,", "WARC/:.", "WARC/..",
	                                       "WARD/1.", "\nWARC/1" };
	for (size_t i = 0; i < sizeof records / sizeof *records; i++)
		for (size_t n = 0; n <= RECORD_BEGINS; n++)
			for (int complete = 0; complete < 2; complete++) {
				bool known;
				const bool is = source_is_record(records[i], n, complete, &known);
				CHECK_FOR(is == (n == RECORD_BEGINS && i < 3), records[i]);
				CHECK_FOR(known == (complete || n == RECORD_BEGINS || (i > 5 && n > (i == 6 ? 3 : 0))), records[i]);
			}
	/* the header of cpio, octal, hexadecimal, binary in both orders of bytes: whole, cut off, a byte longer */
	static const struct { const char *magic, *digits; size_t header; } cpio[] = {
		{ "070707", "07", 76 }, { "070701", "09afAF", 110 }, { "070702", "0f", 110 }
	};
	for (size_t i = 0; i < sizeof cpio / sizeof *cpio; i++)
		for (size_t n = 6; n <= cpio[i].header + 2; n++)
			for (const char *digit = cpio[i].digits; *digit; digit++)
				for (size_t wrong = 6; wrong <= n; wrong++) {
					char bytes[128];
					const struct packed_form *form;
					memset(bytes, *digit, sizeof bytes);
					memcpy(bytes, cpio[i].magic, 6);
					bytes[wrong] = i ? 'g' : '8';
					packed_form_detect(bytes, n, true, &form);
					const bool is = form && !strcmp(form->name, "cpio");
					CHECK_THAT(is == (wrong >= smaller(n, cpio[i].header)), "cpio %zu, %zu of %zu", i, wrong, n);
				}
	for (size_t order = 0; order < 2; order++)
		for (size_t n = 24; n < 28; n++)
			for (size_t zero = 2; zero < 26; zero++) {
				char bytes[32];
				const struct packed_form *form;
				memset(bytes, 1, sizeof bytes);
				memcpy(bytes, order ? "\x71\xc7" : "\xc7\x71", 2);
				bytes[zero] = 0;
				packed_form_detect(bytes, n, true, &form);
				const bool is = form && !strcmp(form->name, "cpio");
				CHECK_THAT(is == (n >= 26 && zero == 21 - order), "binary cpio %zu, %zu of %zu", order, zero, n);
			}
}

/* A tar by the sum of its header, of bytes with a sign and without, and one beside it. */
static void test_tars(void)
{
	for (int sign = 0; sign < 2; sign++)
		for (int more = -1; more <= 1; more++)
			for (size_t n = 511; n <= 513; n++)
				for (int blanks = 0; blanks < 3; blanks++) {
					unsigned char header[520] = "name";
					const struct packed_form *form;
					long sum = 8 * ' ';
					memset(header + 4, 0xc3, 30);
					memset(header + 500, 'x', 12);
					for (size_t i = 0; i < 512; i++)
						sum += sign ? (signed char)header[i] : header[i];
					snprintf((char *)header + 148 + blanks, (size_t)(8 - blanks), "%05lo", (sum + more) & 077777);
					memset(header + 148, ' ', (size_t)blanks);
					header[148 + 5 + blanks < 156 ? 148 + 5 + blanks : 155] = ' ';
					const bool known = packed_form_detect((char *)header, n, false, &form);
					const bool is = form && !strcmp(form->name, "tar");
					CHECK_THAT(is == (n >= 512 && !more), "a tar: %d %d %zu %d", sign, more, n, blanks);
					CHECK_THAT(known == (n >= 512), "a tar of %zu bytes", n);
					header[0] = '\0';
					packed_form_detect((char *)header, n, true, &form);
					CHECK_THAT(!form, "a tar without a name, %zu", n);
				}
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
static size_t in_use(void)
{
	const struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
}
#define IN_USE() in_use()
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

/* ---- Members of BGZF: read by two threads and by one, to the end and not, damaged anywhere, and freed ---- */

enum { MEMBERS = 9, MEMBER = 60000 };

static uint32_t checksum(const unsigned char *p, size_t n)
{
	uint32_t sum = ~0u;
	for (size_t i = 0; i < n; i++) {
		sum ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (0xEDB88320u & -(sum & 1));
	}
	return ~sum;
}

static void put_little(unsigned char *to, uint32_t value, size_t n)
{
	for (; n > 0; n--, value >>= 8)
		*to++ = (unsigned char)value;
}

/* A member with the bytes as they are, and an extra field of these bytes, in which a member has its size at `place`, if
 * it is not 0; returns how many it has. */
static size_t put_member(unsigned char *to, const unsigned char *bytes, size_t n, const char *extra, size_t extras,
                         size_t place)
{
	unsigned char *begin = to;
	const size_t size = 12 + extras + 5 + n + 8;
	memcpy(to, "\x1f\x8b\x08\4\0\0\0\0\0\xff", 10);
	put_little(to + 10, (uint32_t)extras, 2);
	memcpy(to + 12, extra, extras);
	if (place)
		put_little(to + place, (uint32_t)size - 1, 2);
	to += 12 + extras;
	*to = 1;
	put_little(to + 1, (uint32_t)n, 2);
	put_little(to + 3, ~(uint32_t)n, 2);
	memcpy(to + 5, bytes, n);
	put_little(to + 5 + n, checksum(bytes, n), 4);
	put_little(to + 9 + n, (uint32_t)n, 4);
	return (size_t)(to + 13 + n - begin);
}

struct reading {
	struct team team;
	struct source source;
	const unsigned char *wanted;
	size_t most, got; /* bytes that are read, at most; that were */
	const char *why;
	char room[WHY_SIZE];
	bool begun, same;
};

/* The first thread reads; those that it starts help. */
static void read_packed(void *user)
{
	static char block[SOURCE_BLOCK + SOURCE_DETECT_ROOM];
	struct reading *r = user;
	if (r->begun)
		return;
	r->begun = true;
	struct unpacker *u = unpacker_new(1000, UNPACK_NEST, NULL, &r->team);
	const struct packed_form *form;
	struct packed_content c;
	size_t n;
	check("it is packed", unpacker_detect(&r->source, block, &n, &form) && form);
	unpacker_begin(u, &r->source, form, block, n);
	enum unpacked what = unpacker_next(u, &c);
	ssize_t more = what == UNPACKED_CONTENT ? (ssize_t)c.n : 0;
	while (more > 0 && r->got < r->most) {
		r->same &= !memcmp(block, r->wanted + r->got, (size_t)more);
		r->got += (size_t)more;
		more = source_read(c.source, block, 7000);
	}
	r->why = "";
	if (more < 0) {
		unpacker_fault(c.source, &c);
		r->why = strcpy(r->room, c.why);
	}
	unpacker_free(u);
}

static struct reading read_members(const char *path, const unsigned char *wanted, size_t jobs, size_t most)
{
	struct reading r = { .wanted = wanted, .most = most, .same = true };
	char why[WHY_SIZE];
	check("a file of members", source_open(&r.source, path, why));
	team_run(&r.team, jobs, read_packed, &r);
	source_close(&r.source);
	return r;
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t n)
{
	FILE *f = fopen(path, "w");
	check("written", f && fwrite(bytes, 1, n, f) == n);
	fclose(f);
}

static void test_members(void)
{
	static unsigned char text[MEMBERS * MEMBER], packed[MEMBERS * (MEMBER + 320)];
	static char path[] = "/tmp/unit-cli-members-XXXXXX";
	size_t n = 0, begin[MEMBERS];
	char version[WHY_SIZE];
	if (!unpacker_library(0, version) || !*version) /* no zlib */
		return;
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (unsigned char)(i * 2654435761u >> 13);
	close(mkstemp(path));
	/* fields of which one has the size: only then does a second thread read */
	static char longest[245] = "XY\xea\0";
	memcpy(longest + 238, "BC\2", 4);
	static const struct { const char *extra; size_t extras, place; bool members; } forms[] = {
		{ "BC\2\0\0", 6, 16, true }, { "BC\2\0\0", 6, 0, true /* a wrong one */ }, { "XY\3\0abcBC\2\0\0", 13, 23, true },
		{ "BC\2\0\0\0XY\3\0abc", 13, 16, true },
		{ "XY\0\0BC\2\0\0", 10, 20, true }, { "BD\2\0\0", 6, 16, false }, { "AC\2\0\0", 6, 16, false },
		{ "BC\1\0\0", 6, 16, false },
		{ "BC\2\1\0", 6, 16, false }, { "BC\2\0", 4, 0, false }, { "BC\2\0\0", 5, 0, false }, { "", 0, 0, false },
		{ "XY\3\0abc", 7, 0, false },
		{ "XY\x4\0abcBC\2\0\0", 13, 23, false }, { longest, 244, 254, true }, { longest, 245, 254, false },
		{ longest, 243, 0, false },
	};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		n = 0;
		for (size_t k = 0; k < MEMBERS; k++) {
			begin[k] = n;
			n += put_member(packed + n, text + k * MEMBER, MEMBER, forms[i].extra, forms[i].extras, forms[i].place);
		}
		write_bytes(path, packed, n);
		const struct reading r = read_members(path, text, 2, SIZE_MAX);
		CHECK_THAT(r.same && r.got == sizeof text && !*r.why, "members of form %zu", i);
		const bool refused = r.team.most < 2; /* the system has no thread for it */
		CHECK_THAT(refused || r.team.threads == forms[i].members, "members of form %zu, %zu threads", i, r.team.threads);
	}
	n = 0;
	for (size_t i = 0; i < MEMBERS; i++) {
		begin[i] = n;
		n += put_member(packed + n, text + i * MEMBER, MEMBER, "BC\2\0\0", 6, 16);
	}
	write_bytes(path, packed, n);
	for (size_t jobs = 1; jobs < 3; jobs++) {
		const struct reading r = read_members(path, text, jobs, SIZE_MAX);
		check("all members", r.same && r.got == sizeof text && !*r.why);
	}
	size_t before = 0;
	for (int i = 0; i < 12; i++) {
		before = i == 4 ? IN_USE() : before;
		check("a few bytes", read_members(path, text, 2, MEMBER * (1 + (size_t)i % 3) + 1).same);
	}
	check("members are freed", IN_USE() < before + 65536);
	/* what is damaged or cut off, in a member that a second thread may read: the same from one thread */
	static const size_t places[] = {
		0, 1, 2, 3, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 5000, 23 + MEMBER, 26 + MEMBER, 27 + MEMBER, 30 + MEMBER
	};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const size_t at = begin[6] + places[i];
		for (int cut = 0; cut < 2; cut++) {
			packed[at] ^= 4;
			write_bytes(path, packed, cut ? at : n);
			packed[at] ^= 4;
			const struct reading one = read_members(path, text, 1, SIZE_MAX);
			const struct reading two = read_members(path, text, 2, SIZE_MAX);
			const bool bytes = !cut && (places[i] == 23 || places[i] == 5000);
			const bool right = one.same == !bytes && two.same == !bytes && one.got >= 6 * MEMBER;
			CHECK_THAT(right, "damage at %zu: %zu bytes are right", places[i], one.got);
			CHECK_THAT(one.got == two.got && !strcmp(one.room, two.room), "damage at %zu: %zu and %zu bytes, %s, %s",
			           places[i], one.got, two.got, one.room, two.room);
		}
	}
	unlink(path);
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
	test_forms();
	test_tars();
	test_members();
	test_program();
	return check_end();
}
