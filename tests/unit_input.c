/* Parts of src/input that read bytes, each against a plain reading of all of them at once: fields of CSV, bodies in
 * chunks, lines, names in lists, lines of shards, globs, what is reported; and of names in an index, subjects, authors. */
#define _DEFAULT_SOURCE
#include "check.h"

#include "input/filter.h"
#include "input/folder.h"
#include "input/inputs.h"
#include "input/name_list.h"
#include "input/recode.h"
#include "input/report.h"
#include "input/shard.h"
#include "input/source.h"
#include "input/web_body.h"
#include "text/csv.h"
#include "text/ascii.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST = 400 };

/* Bytes of the alphabet, up to `most` of them; of the first letter as many as of the others together. */
static size_t draw(uint32_t *state, char *text, size_t most, const char *alphabet)
{
	const size_t letters = strlen(alphabet), n = random_bits(state) % (most + 1);
	for (size_t i = 0; i < n; i++)
		text[i] = alphabet[random_bits(state) % 2 ? 0 : random_bits(state) % letters];
	return n;
}

/* A copy that ends at a page that nobody may touch: a byte read behind it ends the program.  Of the last call alone. */
static void *fenced(const void *bytes, size_t n)
{
	static char *end;
	if (!end) {
		const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (1 + 8192 / page) * page;
		char *pages = mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (pages == MAP_FAILED || mprotect(pages + size, page, PROT_NONE))
			abort();
		end = pages + size;
	}
	return memcpy(end - n, bytes, n);
}

/* Where a text of n bytes is cut next, from `at` on: `way` is 0 for nowhere, 1 for anywhere, 2 behind each byte. */
static size_t cut(uint32_t *state, size_t at, size_t n, int way)
{
	return way == 0 ? n : way == 1 ? at + 1 + random_bits(state) % (n - at) : at + 1;
}

/* ---- Fields of CSV ---- */

/* For each byte the number of the field that it is of, from 1 on; what is between two has the negative of that before. */
static void number_fields(const char *text, size_t n, int *number)
{
	char separator = '\0';
	bool begun = false, enclosed = false, open = false, colon = false;
	int field = 0, line = 0;
	for (size_t i = 0; i < n; i++) {
		const char c = text[i];
		if (!open && !separator && (c == ',' || c == ';') && (line == 0 || !colon))
			separator = c;
		colon = c == '\n' && !open ? false : colon || (c == ':' && !open);
		line += c == '\n' && !open;
		if (!open && (c == '\r' || c == '\n' || c == separator)) {
			begun = false;
			number[i] = -field;
			continue;
		}
		if (!begun) {
			field++;
			enclosed = c == '"';
			begun = true;
		}
		open ^= c == '"' && enclosed;
		number[i] = field;
	}
}

static void test_csv(void)
{
	uint32_t state = 1;
	char text[LONGEST];
	int number[LONGEST];
	for (int round = 0; round < 6000; round++) {
		const size_t n = draw(&state, text, round % 2 ? 8 : 90, round % 3 ? "a\",;\r\n:" : "a,\"a\n:");
		number_fields(text, n, number);
		for (int way = 0; way < 3; way++) {
			struct csv_reader reader = { .separator = '\0' };
			bool good = true;
			for (size_t at = 0, end; at < n; at = end) {
				end = cut(&state, at, n, way);
				const uint8_t *piece = fenced(text + at, end - at);
				for (size_t i = at, length; i < end; i += length) {
					const bool apart = csv_next(&reader, piece + (i - at), end - i, &length);
					good &= length > 0 && length <= end - i;
					if (!good)
						break;
					good &= apart == (i > 0 ? number[i] != number[i - 1] : number[i] < 1);
					for (size_t k = i; k < i + length; k++)
						good &= number[k] == number[i];
					/* as much as there is of it */
					good &= i + length == end || number[i + length] != number[i];
				}
			}
			CHECK_THAT(good, "fields of text %d, way %d", round, way);
		}
	}
}

/* ---- Bodies in chunks ---- */

struct body {
	char bytes[LONGEST];
	size_t length, most; /* it is stopped after so many */
	bool stopped, late;  /* bytes came after that */
};

static bool take_body(void *user, const void *bytes, size_t n)
{
	struct body *b = user;
	b->late |= b->stopped;
	memcpy(b->bytes + b->length, bytes, n);
	b->length += n;
	b->stopped = b->length >= b->most;
	return !b->stopped;
}

#define CUT "is cut off"
#define MALFORMED "has a malformed chunk"
enum { SIZE_LINE = 64 }; /* bytes of the line of a size, at most */

static const char *plain_body(const char *text, size_t n, struct body *b)
{
	bool any = false;
	b->length = 0;
	for (size_t i = 0;; any = true) {
		char line[SIZE_LINE + 1], *end;
		const char *lf = memchr(text + i, '\n', smaller(n - i, SIZE_LINE + 1));
		size_t length = lf ? (size_t)(lf - text) - i + 1 : n - i;
		if (any && !lf && n - i <= SIZE_LINE)
			return CUT;
		memcpy(line, text + i, smaller(length, SIZE_LINE));
		line[smaller(length, SIZE_LINE)] = '\0';
		const size_t digits = strspn(line, HEX_DIGITS), zeros = strspn(line, "0");
		const uint64_t size = strtoull(line, &end, 16);
		const bool good = lf && digits && line[digits] && strchr(" \t\r\n;", line[digits]) && digits - zeros < 16 && size < NUMBER_MAX;
		if (!good && any)
			return MALFORMED;
		if (!good) {
			memcpy(b->bytes, text, n);
			b->length = n;
			return NULL;
		}
		if (!size)
			return NULL;
		i += length;
		length = size_within(n - i, size);
		memcpy(b->bytes + b->length, text + i, length);
		b->length += length;
		i += length;
		if (length == size)
			i += byte_run((const uint8_t *)text, i, n, '\r') - i;
		if (i == n)
			return CUT;
		if (text[i++] == '\n')
			continue;
		memcpy(b->bytes + b->length, text + i - 1, n - i + 1);
		b->length += n - i + 1;
		return MALFORMED;
	}
}

static size_t draw_body(uint32_t *state, char *text)
{
	static const char *const tokens[] = {
		"1\r\n", "2;a=b\n", "a \r\n", "1f\t\r\n", "0\r\n", "\r\n", "\n", "x", "https://a.example/", "G\n", "00", "000000000000000",
		"fffffffffffffff\n", "1000000000000000\n", "0000000000000000000000000000000000000000000000000000000000", ";", "Trailer: a\r\n",
	};
	size_t n = 0;
	for (unsigned k = random_bits(state) % 9; k > 0; k--) {
		const char *token = tokens[random_bits(state) % (sizeof tokens / sizeof *tokens)];
		if (n + strlen(token) < LONGEST / 2)
			n += strlen(strcpy(text + n, token));
	}
	return n;
}

static void check_body(struct web_body *b, struct body *got, const char *text, size_t n, const char *at)
{
	static uint32_t state = 3;
	struct body wanted;
	const char *why = plain_body(text, n, &wanted);
	for (int way = 0; way < 4; way++) {
		*got = (struct body){ .most = way < 3 ? SIZE_MAX : wanted.length / 2 + 1 };
		const char *fails = NULL;
		CHECK(web_body_begin(b, true, (urlsift_text){ "", 0 }, 1));
		for (size_t i = 0, end; i < n && !fails; i = end) {
			end = cut(&state, i, n, way % 3);
			fails = web_body_feed(b, fenced(text + i, end - i), end - i);
		}
		fails = fails ? fails : web_body_finish(b);
		const char *says = way == 3 && got->stopped ? NULL : why;
		CHECK_THAT((fails ? says && !strcmp(fails, says) : !says) && !got->late, "%s, way %d: %s, not %s", at, way,
		           fails ? fails : "good", says ? says : "good");
		const bool same = got->length == wanted.length || (way == 3 && within(got->length, got->most, wanted.length));
		CHECK_THAT(same && !memcmp(got->bytes, wanted.bytes, got->length), "%s, way %d: the body", at, way);
	}
}

static void test_bodies(void)
{
	static const char letters[] = "01a;\r\nx";
	uint32_t state = 2;
	struct body got;
	char text[LONGEST], at[32];
	struct web_body *b = web_body_new(take_body, &got);
	for (unsigned number = 0; number < 7 * 7 * 7 * 7 * 7; number++) {
		size_t n = 0;
		for (unsigned rest = number; rest; rest /= 7)
			text[n++] = letters[rest % 7];
		check_body(b, &got, text, n, "a short body");
	}
	for (unsigned round = 0; round < 4000; round++) {
		const size_t n = draw_body(&state, text);
		snprintf(at, sizeof at, "body %u", round % 16);
		check_body(b, &got, text, n, at);
	}
	web_body_free(b);
}

/* ---- Lines ---- */

static void write_file(const char *path, const char *bytes, size_t n)
{
	FILE *f = fopen(path, "w");
	CHECK(f && fwrite(bytes, 1, n, f) == n);
	fclose(f);
}

static void test_lines(void)
{
	enum { SIZE = 40000, READ = 16384 };
	static const char path[] = "unit-input-lines";
	static char text[SIZE];
	static uint64_t lines[SIZE + 1]; /* that of each byte: CR LF ends one, and the LF alone none */
	char why[WHY_SIZE];
	struct source s;
	uint32_t state = 4;
	uint64_t line = 1;
	for (size_t i = 0; i < SIZE; i++)
		text[i] = "aaaaa\r\n\r"[i / 3 == READ / 3 ? 5 + i % 2 : random_bits(&state) % 8];
	for (size_t i = 0; i < SIZE; i++) {
		const bool pair = text[i] == '\n' && i && text[i - 1] == '\r';
		lines[i] = line - pair;
		line += !pair && (text[i] == '\n' || text[i] == '\r');
	}
	lines[SIZE] = line;
	write_file(path, text, SIZE);
	CHECK(source_open(&s, path, why));
	for (size_t to = 0; to <= SIZE; to += to < 40 || SIZE - to < 40 || to % READ < 9 || READ - to % READ < 9 ? 1 : 7) {
		struct line_count l = { 0, 1, false };
		CHECK_THAT(source_line_at(&s, &l, to) && l.line == lines[to] && l.at == to, "the line of byte %zu", to);
	}
	struct line_count l = { 0, 1, false };
	for (size_t at = 0, end; at < SIZE; at = end) {
		end = cut(&state, at, smaller(SIZE, at + 50), 1);
		source_count_lines(&l, text + at, end - at);
		CHECK_THAT(l.at == end && l.line == lines[end] + (text[end - 1] == '\r' && text[end] == '\n'), "lines up to %zu", end);
	}
	source_close(&s);
	unlink(path);
}

/* ---- Names in a list ---- */

static void test_names(void)
{
	static const char path[] = "unit-input-names";
	static const size_t lengths[] = { 0, 1, 0, 0, NAME_LIST_LONGEST - 1, NAME_LIST_LONGEST, NAME_LIST_LONGEST + 1, 2 };
	enum { NAMES = sizeof lengths / sizeof *lengths };
	static char arguments[2][4] = { "-", "x" }, text[2 * NAMES + 4 * NAME_LIST_LONGEST];
	char *argument[] = { arguments[0], arguments[1] };
	for (int separator = 0; separator <= '\n'; separator += '\n')
		for (int ended = 0; ended < 2; ended++)
			for (int nul = 0; nul < 2; nul++) {
				size_t n = 0;
				for (size_t i = 0; i < NAMES; i++) {
					memset(text + n, 'a' + (int)i, lengths[i]);
					if (nul && lengths[i] == 2)
						text[n + 1] = '\0';
					n += lengths[i];
					text[n++] = (char)separator;
				}
				write_file(path, text, n - !ended);
				struct name_list l = { .argument = argument, .count = 2, .list = path, .separator = (char)separator };
				CHECK(name_list_next(&l) == argument[0] && name_list_next(&l) == argument[1] && name_list_more(&l));
				for (size_t i = 0; i < NAMES; i++) {
					if (!lengths[i])
						continue;
					const char *name = name_list_next(&l);
					const bool inside = nul && lengths[i] == 2, split = inside && !separator;
					const size_t length = smaller(lengths[i], NAME_LIST_LONGEST), seen = inside ? 1 : length;
					CHECK_THAT(name && strlen(name) == seen && strspn(name, (char[]){ (char)('a' + i), '\0' }) == seen, "name %zu", i);
					const char *why = inside && !split ? "NUL" : lengths[i] > length ? "too long" : "";
					CHECK_THAT(*why ? !!strstr(l.why, why) : !*l.why, "name %zu: %s", i, l.why);
				}
				CHECK(!name_list_next(&l) && !name_list_more(&l) && !*l.why);
				name_list_fini(&l);
			}
	unlink(path);
	struct name_list few = { .argument = argument, .count = 2 };
	CHECK(name_list_more(&few) && name_list_next(&few) && name_list_more(&few) && name_list_next(&few));
	CHECK(!name_list_more(&few) && !name_list_next(&few) && !name_list_more(&few));
	name_list_fini(&few);
	struct name_list none = { .list = path, .separator = '\n' };
	CHECK(name_list_next(&none) == path && *none.why && !name_list_next(&none));
	name_list_fini(&none);
}

/* What text of a name is read as. */
static void test_endings(void)
{
	static const struct { const char *name; enum input plain, packed; } rows[] = {
		{ "a.csv", INPUT_CSV, INPUT_CSV }, { "a.CSV", INPUT_CSV, INPUT_CSV }, { ".csv", INPUT_AUTO, INPUT_AUTO },
		{ "acsv", INPUT_AUTO, INPUT_AUTO }, { "a.csvx", INPUT_AUTO, INPUT_AUTO }, { "a.htm", INPUT_HTML, INPUT_HTML },
		{ "a.html", INPUT_HTML, INPUT_HTML }, { "a.xhtml", INPUT_HTML, INPUT_HTML }, { "a.csv.gz", INPUT_AUTO, INPUT_CSV },
		{ "a.csv.gz.xz", INPUT_AUTO, INPUT_AUTO }, { "a.zip{b.csv}", INPUT_AUTO, INPUT_CSV }, { "a{b{c.html}}", INPUT_AUTO, INPUT_HTML },
		{ "a.zip{b.csv.gz}", INPUT_AUTO, INPUT_CSV }, { "a.csv}", INPUT_AUTO, INPUT_CSV }, { "", INPUT_AUTO, INPUT_AUTO },
		{ ".", INPUT_AUTO, INPUT_AUTO }, { ".gz", INPUT_AUTO, INPUT_AUTO }, { "}", INPUT_AUTO, INPUT_AUTO }, { "a.csv.", INPUT_AUTO, INPUT_CSV },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK_FOR(input_named(INPUT_AUTO, rows[i].name, false) == rows[i].plain, rows[i].name);
		CHECK_FOR(input_named(INPUT_AUTO, rows[i].name, true) == rows[i].packed, rows[i].name);
		CHECK_FOR(input_named(INPUT_TEXT, rows[i].name, true) == INPUT_TEXT, rows[i].name);
		CHECK_FOR(input_kind(INPUT_AUTO, rows[i].name, false, URLSIFT_KIND_MMDF) == URLSIFT_KIND_MMDF, rows[i].name);
		const urlsift_mail_kind kind = rows[i].plain == INPUT_HTML ? URLSIFT_KIND_HTML : URLSIFT_KIND_TEXT;
		CHECK_FOR(input_kind(INPUT_AUTO, rows[i].name, false, URLSIFT_KIND_TEXT) == kind, rows[i].name);
		CHECK_FOR(input_kind(INPUT_MBOX, rows[i].name, false, URLSIFT_KIND_TEXT) == URLSIFT_KIND_MBOX, rows[i].name);
		CHECK_FOR(input_kind(INPUT_MBOX, rows[i].name, false, URLSIFT_KIND_MMDF) == URLSIFT_KIND_MMDF, rows[i].name);
	}
	for (int kind = FOLDER_NONE; kind <= FOLDER_EPOCH; kind++) {
		enum folder_kind found = FOLDER_TREE;
		const bool named = kind != FOLDER_TREE && kind != FOLDER_INBOX; /* these are read in pieces of other kinds */
		if (named)
			CHECK_THAT(folder_kind_find(folder_kind_name((enum folder_kind)kind), &found) && (int)found == kind, "folder %d", kind);
	}
	enum folder_kind found;
	CHECK(!folder_kind_find("mailbox", &found) && !folder_kind_find("", &found));
}

/* ---- Lines of shards ---- */

static char *draw_name(uint32_t *state)
{
	static const char *const pieces[] = {
		"a", "/", "\"", "\\", "\x01", "\x1f", "\x7f", "\b", "\f", "\n", "\r", "\t", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "{", ","
	};
	char name[64] = "n";
	for (unsigned k = random_bits(state) % 8; k > 0; k--)
		strcat(name, pieces[random_bits(state) % (sizeof pieces / sizeof *pieces)]);
	return strdup(name);
}

static uint64_t draw_number(uint32_t *state)
{
	const uint64_t number = (uint64_t)random_bits(state) << 40 | (uint64_t)random_bits(state) << 16 | random_bits(state);
	return number >> (1 + random_bits(state) % 63);
}

static struct shard draw_shard(uint32_t *state)
{
	static const enum folder_kind kinds[] = { FOLDER_NONE, FOLDER_MAILDIR, FOLDER_MH, FOLDER_SPOOL, FOLDER_EML, FOLDER_EPOCH };
	struct shard s = { .kind = kinds[random_bits(state) % 6], .bytes = draw_number(state) };
	snprintf(s.key, sizeof s.key, "%06x%02x", random_bits(state), random_bits(state) & 0xff);
	const bool mailbox = s.kind == FOLDER_NONE && random_bits(state) % 2, epoch = s.kind == FOLDER_EPOCH;
	s.file_count = mailbox || epoch ? 1 : 1 + random_bits(state) % 5;
	s.file = calloc(s.file_count, sizeof *s.file);
	for (size_t i = 0; i < s.file_count; i++)
		s.file[i] = (struct shard_file){ draw_name(state), epoch ? 0 : draw_number(state), epoch ? 0 : (int64_t)draw_number(state) - 9 };
	if (mailbox) {
		s.from = draw_number(state);
		s.to = draw_number(state) + 1;
		s.line = draw_number(state);
	} else if (epoch) {
		s.bytes = 0;
		s.count = draw_number(state);
		snprintf(s.after, sizeof s.after, "%.*s", (int)(random_bits(state) % 65), "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
	} else if (s.kind != FOLDER_NONE) {
		s.folder = draw_name(state);
	}
	return s;
}

static bool is_same(const struct shard *a, const struct shard *b)
{
	bool same = !strcmp(a->key, b->key) && a->kind == b->kind && a->from == b->from && a->to == b->to && a->line == b->line
	            && a->count == b->count && a->bytes == b->bytes && !strcmp(a->after, b->after) && a->file_count == b->file_count
	            && (a->folder ? b->folder && !strcmp(a->folder, b->folder) : !b->folder);
	for (size_t i = 0; same && i < a->file_count; i++)
		same = !strcmp(a->file[i].name, b->file[i].name) && a->file[i].size == b->file[i].size && a->file[i].mtime == b->file[i].mtime;
	return same;
}

static void test_shards(void)
{
	enum { SHARDS = 400 };
	static const char path[] = "unit-input-shards";
	static struct shard drawn[SHARDS];
	uint32_t state = 5;
	enum status status;
	struct shard s;
	FILE *f = fopen(path, "w");
	for (size_t i = 0; i < SHARDS; i++) {
		drawn[i] = draw_shard(&state);
		CHECK(shard_can_name(drawn[i].file->name));
		shard_write(&drawn[i], f);
	}
	fclose(f);
	struct shard_lines lines = { .name = path };
	for (size_t i = 0; i < SHARDS; i++) {
		CHECK_THAT(shard_lines_next(&lines, &s, &status) && is_same(&s, &drawn[i]) && lines.number == i + 1, "shard %zu", i);
		shard_fini(&s);
		shard_fini(&drawn[i]);
	}
	CHECK(!shard_lines_next(&lines, &s, &status) && status == STATUS_DONE);
	shard_lines_close(&lines);
	CHECK(!shard_can_name("\xff") && !shard_can_name("a\xc3") && !shard_can_name("\xed\xa0\x80") && shard_can_name(""));
	unlink(path);
}

/* A name in JSON, and what it is; NULL: it is not valid. */
static void test_escapes(void)
{
	static const struct { const char *json, *name; } rows[] = {
		{ "a", "a" }, { "\\u0041", "A" }, { "\\u0001", "\x01" }, { "\\u0000", NULL }, { "\\u00e4", "\xc3\xa4" }, { "\\u00E4", "\xc3\xa4" },
		{ "\\u07ff", "\xdf\xbf" }, { "\\u0800", "\xe0\xa0\x80" }, { "\\ud7ff", "\xed\x9f\xbf" }, { "\\ud800", NULL }, { "\\udbff", NULL },
		{ "\\udc00", NULL }, { "\\udfff", NULL }, { "\\ue000", "\xee\x80\x80" }, { "\\uffff", "\xef\xbf\xbf" },
		{ "\\ud800\\udc00", "\xf0\x90\x80\x80" }, { "\\udbff\\udfff", "\xf4\x8f\xbf\xbf" }, { "\\ud800\\udbff", NULL },
		{ "\\ud800\\ue000", NULL }, { "\\ud83d\\ude00x", "\xf0\x9f\x98\x80x" }, { "\\ud83dx", NULL }, { "\\ud83d\\n", NULL },
		{ "\\udc00\\ud800", NULL }, { "\\udc00\\udc00", NULL }, { "\\b\\f\\n\\r\\t\\/\\\\\\\"", "\b\f\n\r\t/\\\"" }, { "\\a", NULL }, { "\\", NULL }, { "\\u", NULL },
		{ "\\u004", NULL }, { "\\u004g", NULL }, { "\\U0041", NULL }, { "\\u 041", NULL }, { "\\u-041", NULL }, { "\\u0x41", NULL }, { "a\"", NULL },
	};
	static const char path[] = "unit-input-escapes";
	const int errors = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
	dup2(nowhere, STDERR_FILENO);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[256];
		enum status status;
		struct shard s;
		struct shard_lines lines = { .name = path };
		const int n = snprintf(text, sizeof text, "{\"shard\":1,\"key\":\"00000001\",\"source\":\"%s\",\"input\":\"inbox\"}\n", rows[i].json);
		write_file(path, text, (size_t)n);
		const bool good = shard_lines_next(&lines, &s, &status);
		CHECK_FOR(good == !!rows[i].name && (good || status == STATUS_USAGE) && (!good || !strcmp(s.file->name, rows[i].name)), rows[i].json);
		if (good)
			shard_fini(&s);
		shard_lines_close(&lines);
	}
	dup2(errors, STDERR_FILENO);
	close(errors);
	close(nowhere);
	unlink(path);
}

/* ---- Globs ---- */

static bool plain_glob(const char *pattern, const char *text, size_t n)
{
	if (!*pattern)
		return n == 0;
	if (*pattern == '*')
		return plain_glob(pattern + 1, text, n) || (n > 0 && plain_glob(pattern, text + 1, n - 1));
	return n > 0 && (*pattern == '?' || (*pattern | 0x20) == (*text | 0x20)) && plain_glob(pattern + 1, text + 1, n - 1);
}

/* As the manual says it: without the full stop of the root, unless the glob has it; from any label on. */
static bool plain_host(const char *glob, const char *host, size_t n)
{
	const size_t length = strlen(glob);
	if (n > 0 && host[n - 1] == '.' && !(length > 0 && glob[length - 1] == '.'))
		n--;
	if (*glob != '.')
		return plain_glob(glob, host, n);
	for (size_t i = 0; i <= n; i++)
		if ((i == 0 || host[i - 1] == '.') && plain_glob(glob + 1, host + i, n - i))
			return true;
	return false;
}

static void test_globs(void)
{
	static const char letters[] = "aB.*?";
	char glob[8], host[8];
	for (unsigned g = 0; g < 6 * 6 * 6 * 6; g++) {
		size_t n = 0;
		for (unsigned rest = g; rest; rest /= 6)
			glob[n++] = rest % 6 ? letters[rest % 6 - 1] : 'b';
		glob[n] = '\0';
		bool good = true, matches = true;
		for (unsigned h = 0; h < 4 * 4 * 4 * 4 * 4; h++) {
			size_t m = 0;
			for (unsigned rest = h; rest; rest /= 4)
				host[m++] = "a.Ab"[rest % 4];
			good &= filter_host_matches(glob, fenced(host, m), m) == plain_host(glob, host, m);
			matches &= glob_matches(glob, fenced(host, m), m) == plain_glob(glob, host, m);
		}
		CHECK_FOR(matches, glob);
		CHECK_FOR(good, glob);
	}
}

/* ---- Names in an index, subjects and authors on pages ---- */

#ifdef URLSIFT_WITH_SQLITE
#include "index/database.h"
#include "index/digest.h"
#include "index/index.h"
#include "index/record.h"
#include "pages/collect.h"

/* The names of a path, without empty ones and `.`, with a slash between. */
static void plain_name(const char *path, char *to)
{
	char *const begin = to;
	if (!strcmp(path, ".")) {
		strcpy(to, ".");
		return;
	}
	if (*path == '/')
		*to++ = '/';
	while (*path) {
		const size_t n = strcspn(path, "/");
		if (n > 1 || (n == 1 && *path != '.')) {
			if (to > begin && to[-1] != '/')
				*to++ = '/';
			memcpy(to, path, n);
			to += n;
		}
		path += n + (path[n] == '/');
	}
	*to = '\0';
}

/* All that the path leads to is found by its name below the root, a real path.  A file has one name, whatever folders
 * and links of folders lead to the one it is in, which may be outside of the root. */
static void check_below(const char *path, const char *root)
{
	char *name = index_name(path, root), whole[2 * PATH_MAX], plain[PATH_MAX], real[PATH_MAX], wanted[2 * PATH_MAX] = "";
	struct stat one, other;
	strcpy(whole, *name == '/' ? "" : root);
	strcat(strcat(whole, "/"), name);
	plain_name(path, plain);
	if (!*plain) /* ./. */
		strcpy(plain, ".");
	const bool exists = !stat(plain, &one);
	CHECK_THAT(exists == !stat(whole, &other) && (!exists || (one.st_dev == other.st_dev && one.st_ino == other.st_ino)),
	           "the name of %s below %s is that of another file: %s", path, root, name);
	char *slash = strrchr(plain, '/');
	const char *folder = slash ? "/" : ".", *base = slash ? slash + 1 : plain;
	if (exists && S_ISDIR(one.st_mode)) {
		folder = plain;
		base = "";
	} else if (slash > plain) {
		*slash = '\0';
		folder = plain;
	}
	const size_t n = strlen(root) - !strcmp(root, "/");
	if (!stat(folder, &other) && S_ISDIR(other.st_mode) && realpath(folder, real)) {
		const bool in = !strncmp(real, root, n) && (!real[n] || real[n] == '/');
		const char *below = in ? real + n + (real[n] == '/') : real;
		strcat(strcat(strcpy(wanted, below), *below && strcmp(below, "/") && *base ? "/" : ""), base);
		/* outside, by a folder that the root has as a link to elsewhere, it has the name there */
		if (in || *name == '/')
			CHECK_THAT(!strcmp(name, *wanted ? wanted : "."), "the name of %s below %s: %s", path, root, name);
	}
	free(name);
}

static void test_paths(void)
{
	static const char letters[] = "a./r";
	enum { LENGTH = 6, ROOTS = 4 };
	char path[LENGTH + 1], wanted[40], roots[ROOTS][PATH_MAX] = { "/" };
	/* r, r/r, r/ra; a is r; r/a leads out of it, r/r/a back into it; aa and r/rr are links to a file and to nothing */
	CHECK(!mkdir("unit-input-root", 0700) && !chdir("unit-input-root") && !mkdir("r", 0700) && !mkdir("r/r", 0700));
	write_file("r/ra", "", 0);
	CHECK(!symlink("r", "a") && !symlink("..", "r/a") && !symlink("../a/r", "r/r/a") && !symlink("r/ra", "aa") && !symlink("none", "r/rr"));
	CHECK(realpath(".", roots[1]) && realpath("r", roots[2]) && realpath("r/r", roots[3]));
	for (unsigned number = 0; number < 1 << (2 * LENGTH); number++) {
		size_t n = 0;
		for (unsigned rest = number | 1u << (2 * LENGTH); rest > 1 && (n == 0 || rest > 3); rest >>= 2)
			path[n++] = letters[rest & 3];
		path[n - (number % 5 == 0)] = '\0';
		if (!*path)
			continue;
		plain_name(path, wanted);
		char *name = index_name(path, NULL);
		CHECK_THAT(!strcmp(name, wanted), "the name of %s: %s", path, name);
		free(name);
		for (size_t i = 0; i < ROOTS; i++)
			check_below(path, roots[i]);
	}
	static const char *const made[] = { "aa", "r/rr", "r/r/a", "r/a", "a", "r/ra" };
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		CHECK(!unlink(made[i]));
	CHECK(!rmdir("r/r") && !rmdir("r") && !chdir("..") && !rmdir("unit-input-root"));
	static const struct { const char *path, *root, *name; } named[] = {
		{ "./https://a.example//x/./", NULL, "https:/a.example/x" }, { "x://y", "/none", NULL }, { "-", "/", "-" }, { "-", NULL, "-" },
		{ "./-", NULL, "./-" }, { ".//-/x/", NULL, "./-/x" }, { "--/-", NULL, "--/-" }, { "/-", "/", "./-" }, { "/-x", "/", "-x" },
		{ "/dev//fd/63", "/", "dev/fd/63" }, { "/dev/fd/63", "/none", "/dev/fd/63" }, { "/proc/self/fd/63", "/", "proc/self/fd/63" },
	};
	for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
		char *name = index_name(named[i].path, named[i].root), here[PATH_MAX], below[PATH_MAX + 8];
		CHECK(realpath(".", here));
		snprintf(below, sizeof below, "%s/x:/y", here);
		CHECK_THAT(!strcmp(name, named[i].name ? named[i].name : below), "the name of %s: %s", named[i].path, name);
		free(name);
	}
	static const struct { const char *path, *mh, *maildir; } files[] = {
		{ "box/cur/1.x:2,S", "cur/1.x:2,S", "1.x" }, { "box/new/1.x", "new/1.x", "1.x" }, { "box//cur/1.x:2,", "cur/1.x:2,", "1.x" },
		{ "box/.sub/cur/a:2,RS", ".sub/cur/a:2,RS", ".sub/a" }, { "box/tmp/a", "tmp/a", "tmp/a" }, { "box/cur/a:1,S", "cur/a:1,S", "a:1,S" },
		{ "box/1", "1", "1" }, { "other/cur/1", "other/cur/1", "other/1" }, { "box/ocur/1", "ocur/1", "o1" }, { "box/a:2,/b", "a:2,/b", "a:2,/b" },
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		for (int slash = 0; slash < 2; slash++) {
			char *mh = index_file_name(files[i].path, slash ? "box/" : "box", FOLDER_MH);
			char *maildir = index_file_name(files[i].path, slash ? "box/" : "box", FOLDER_MAILDIR);
			CHECK_FOR(!strcmp(mh, files[i].mh) && !strcmp(maildir, files[i].maildir), files[i].path);
			free(mh);
			free(maildir);
		}
}

/* Hashes of the pieces of a mailbox, which stay in an index: the same numbers in every version; of ranges, the sums. */

enum { PIECE = 2 * DIGEST_BLOCK, FILE_SIZE = 6 * PIECE + 5000, PIECES = FILE_SIZE / PIECE + 1 };

struct sums { uint64_t of[PIECES + 1]; };

static void add_sum(void *user, uint64_t piece, uint64_t sum)
{
	struct sums *s = user;
	CHECK(piece < PIECES);
	s->of[piece < PIECES ? piece : PIECES] += sum;
}

/* Adds a range, read in pieces of any size; each begins a little before what was there last. */
static void hash_range(struct sums *s, const char *text, size_t from, size_t to, const struct source *file, uint32_t *state, int way)
{
	static struct digest d;
	d.take = add_sum;
	d.user = s;
	digest_begin(&d, from);
	for (size_t at = from, end; at < to; at = end) {
		const size_t again = at - from < 100 || way < 2 ? 0 : random_bits(state) % 100;
		end = way == 0 ? to : smaller(to, at + 1 + random_bits(state) % 9000);
		digest_add(&d, at - again, text + at - again, end - at + again);
	}
	CHECK(!digest_end(&d, file));
}

static void test_digests(void)
{
	static const char path[] = "unit-input-digest";
	static char text[FILE_SIZE];
	char why[WHY_SIZE];
	uint32_t state = 8;
	struct sums all = { { 0 } };
	struct source file;
	for (size_t i = 0; i < FILE_SIZE; i++)
		text[i] = (char)(i * i >> 5);
	write_file(path, text, FILE_SIZE);
	CHECK(source_open(&file, path, why));
	setenv("URLSIFT_PIECE", "8200", 1); /* rounded to blocks */
	CHECK(digest_piece() == PIECE);
	hash_range(&all, text, 0, FILE_SIZE, NULL, &state, 0);
	uint64_t sum = 0;
	for (size_t i = 0; i < PIECES; i++)
		sum = sum * 31 + all.of[i];
	CHECK_THAT(sum == 0x1743c3f2f82c0a22, "%#" PRIx64, sum);
	for (int round = 0; round < 120; round++) {
		struct sums parts = { { 0 } };
		const size_t cut = round < 9 ? (size_t)(PIECE + round - 4) : random_bits(&state) % FILE_SIZE;
		hash_range(&parts, text, 0, cut, &file, &state, round % 3);
		hash_range(&parts, text, cut, FILE_SIZE, round % 2 ? &file : NULL, &state, round % 3);
		CHECK_THAT(!memcmp(&parts, &all, sizeof all), "ranges up to %zu, way %d", cut, round % 3);
	}
	struct digest_marks marks = { NULL, 0 }, back = { NULL, 0 };
	for (uint64_t i = 0; i < 40; i += 1 + i % 5) { /* those between are zero */
		CHECK(digest_mark(&marks, i)->hash == 0 && marks.count == i + 1);
		*digest_mark(&marks, i) = (struct digest_mark){ i + 1, 2, 3, 4, 5 };
		CHECK(digest_mark(&marks, i / 2)->hash == (marks.mark[i / 2].offset ? i / 2 + 1 : 0) && marks.count == i + 1);
	}
	for (int again = 0; again < 2; again++) {
		digest_read(&back, marks.mark, marks.count * sizeof *marks.mark);
		CHECK(back.count == marks.count && !memcmp(back.mark, marks.mark, marks.count * sizeof *marks.mark));
		digest_read(&back, marks.mark, sizeof *marks.mark * 3 + 1);
		CHECK(back.count == 3 && !memcmp(back.mark, marks.mark, 3 * sizeof *marks.mark));
		digest_read(&back, NULL, 0);
		CHECK(back.count == 0);
	}
	digest_fini(&marks);
	digest_fini(&back);
	for (size_t i = 0; i < FILE_SIZE; i += 1009) { /* an edit is seen in its piece alone */
		struct sums edited = { { 0 } };
		text[i] ^= 1;
		hash_range(&edited, text, 0, FILE_SIZE, NULL, &state, 0);
		text[i] ^= 1;
		for (size_t k = 0; k < PIECES; k++)
			CHECK((edited.of[k] == all.of[k]) == (k != i / PIECE));
	}
	unsetenv("URLSIFT_PIECE");
	CHECK(digest_piece() == 64 * 1024 * 1024);
	source_close(&file);
	unlink(path);
}

/* What is not there is gone; what cannot be reached may be there, whatever an earlier call has failed of. */
static void test_gone(void)
{
	static const char file[] = "unit-input-gone", loop[] = "unit-input-loop";
	char long_name[301] = "";
	char folder[PATH_MAX];
	write_file(file, "x", 1);
	unlink(loop);
	CHECK(!symlink(loop, loop) && getcwd(folder, sizeof folder));
	memset(long_name, 'n', 300); /* more than a name may have */
	const struct { const char *name, *root; bool gone; } rows[] = {
		{ file, NULL, false }, { "unit-input-nothing", NULL, true }, { "unit-input-gone/x", NULL, true }, { loop, NULL, false },
		{ long_name, NULL, false }, { "", NULL, false }, { file, folder, false }, { "unit-input-nothing", folder, true },
		{ file, "/unit-input-nothing", true }, { "/unit-input-nothing", folder, true }, { "/", "/unit-input-nothing", false },
		{ loop, folder, false }, { "", folder, false },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int before = 0; before < 2; before++) {
			errno = before ? ENOENT : 0;
			CHECK_THAT(index_is_gone(rows[i].name, rows[i].root) == rows[i].gone, "row %zu: %.40s", i, rows[i].name);
		}
	unlink(file);
	unlink(loop);
}

/* Records are read as they were added: numbers, texts that are empty or absent. */
static void test_records(void)
{
	uint32_t state = 9;
	urlsift_allocator libc = alloc_from(NULL);
	for (int round = 0; round < 300; round++) {
		struct buf out;
		int64_t number[RECORD_NUMBERS];
		urlsift_text text[RECORD_TEXTS];
		static const char bytes[] = "text of a record\0with a NUL";
		const unsigned numbers = random_bits(&state) % (RECORD_NUMBERS + 1), texts = random_bits(&state) % (RECORD_TEXTS + 1);
		buf_init(&out, &libc, SIZE_MAX);
		buf_add(&out, "before", 6);
		for (unsigned i = 0; i < numbers; i++)
			number[i] = (int64_t)draw_number(&state) - 5;
		for (unsigned i = 0; i < texts; i++) {
			const size_t from = random_bits(&state) % sizeof bytes;
			text[i] = random_bits(&state) % 3 ? (urlsift_text){ bytes + from, random_bits(&state) % (sizeof bytes - from) } : (urlsift_text){ NULL, 0 };
		}
		record_add(&out, RECORD_LINK, (struct record_numbers){ number, numbers }, (struct record_texts){ text, texts });
		buf_add(&out, "after", 5);
		struct record_fields f;
		const size_t n = record_read((char *)out.data + 6, &f);
		bool good = n == out.length - 11 && f.type == RECORD_LINK && !memcmp(f.number, number, numbers * sizeof *number);
		for (unsigned i = 0; i < texts && good; i++)
			good = text[i].bytes ? f.text[i] && bytes_are(f.text[i], f.length[i], text[i].bytes, text[i].length) && !f.text[i][f.length[i]]
			                     : !f.text[i] && f.length[i] == 0;
		CHECK_THAT(good, "record %d", round);
		buf_fini(&out);
	}
}

/* The labels of a host in reverse order, but those of an address. */
static void test_reversed(void)
{
	static const char letters[] = "a1.]";
	char host[8], reversed[8], wanted[8];
	for (unsigned number = 1; number < 1 << 14; number++) {
		size_t n = 0, used = 0;
		for (unsigned rest = number; rest > 0; rest >>= 2)
			host[n++] = letters[rest & 3];
		size_t length = n > 1 && host[n - 1] == '.' ? n - 1 : n;
		host[n] = '\0';
		if (host[length - 1] == ']' || strspn(host, "1.") >= length) {
			memcpy(wanted, host, length);
		} else {
			for (size_t end = length;; end--) { /* each label, the last one first */
				size_t from = end;
				while (from > 0 && host[from - 1] != '.')
					from--;
				memcpy(wanted + used, host + from, end - from);
				used += end - from;
				end = from;
				if (end == 0)
					break;
				wanted[used++] = '.';
				if (end == 1) /* what begins with a full stop */
					break;
			}
		}
		memset(reversed, '!', sizeof reversed);
		const size_t got = database_reverse_host(host, n, reversed);
		CHECK_THAT(got == length && !memcmp(reversed, wanted, length) && reversed[length] == '!', "%s reversed: %.*s", host, (int)got, reversed);
	}
}

static urlsift_text text_of(const char *text) { return (urlsift_text){ fenced(text, strlen(text)), strlen(text) }; }

static void test_subjects(void)
{
	static const char *const prefixes[] = { "Re: ", "re:", "AW: ", "Sv:", "VS: ", "ANTW: ", "Odp: ", "RIF: ", "Ref: ", "Re[2]: ", "Re(3):", "RE[10]: " };
	static const char *const rests[] = { "Minutes", "a", "Rest: of", "Reply: x", "Re", "[x", "Fwd: y", "Re[2", "Re[x]: z", "Re2: q" };
	enum { PREFIXES = sizeof prefixes / sizeof *prefixes, RESTS = sizeof rests / sizeof *rests };
	int64_t base[RESTS];
	bool reply;
	for (size_t i = 0; i < RESTS; i++) {
		char text[100];
		base[i] = subject_base(text_of(rests[i]), &reply);
		CHECK_FOR(base[i] && !reply, rests[i]);
		for (size_t k = 0; k < i; k++)
			CHECK_FOR(base[i] != base[k], rests[i]);
		for (size_t k = 0; k < PREFIXES * PREFIXES; k++) {
			snprintf(text, sizeof text, "%s%s[tag] %s %s", k % 3 ? "" : " [a list] ", prefixes[k % PREFIXES], k % 2 ? prefixes[k / PREFIXES] : "", rests[i]);
			CHECK_THAT(subject_base(text_of(text), &reply) == base[i] && reply, "%s", text);
		}
		snprintf(text, sizeof text, " [tag]  %s ", rests[i]);
		CHECK_FOR(subject_base(text_of(text), &reply) == base[i] && !reply, rests[i]);
	}
	CHECK(subject_base(text_of("A  b C"), &reply) == subject_base(text_of("a B  c "), &reply) && !reply);
	CHECK(subject_base(text_of("ab"), &reply) != subject_base(text_of("b"), &reply));
	static const char *const none[] = { "", " ", "Re: ", "Re: Re:  ", "  Re:" };
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		CHECK_FOR(!subject_base(text_of(none[i]), &reply) && reply == (strlen(none[i]) > 1), none[i]);
	CHECK(subject_base(text_of("[tag]"), &reply) == subject_base(text_of("[TAG]"), &reply) && subject_base(text_of("[tag]"), &reply));
	static char longest[1100];
	memset(longest, 'x', 1026);
	const int64_t all = subject_base((urlsift_text){ longest, 1024 }, &reply);
	CHECK(all == subject_base((urlsift_text){ longest, 1025 }, &reply) && all != subject_base((urlsift_text){ longest, 1023 }, &reply));
	static const struct { const char *from, *author; } authors[] = {
		{ "Ada <a@a.example>", "Ada" }, { "\"Ada B.\" <a@a.example>", "Ada B." }, { "<a@a.example>", "a@a.example" },
		{ "<a@a.example> Ada", "a@a.example" }, { "a@a.example (Ada)", "Ada" }, { "a@a.example (Ada", "a@a.example (Ada" },
		{ "a@a.example", "a@a.example" }, { "", "" }, { "\"\" <a@a.example>", "\"\" <a@a.example>" }, { "()", "()" }, { "(Ada)", "Ada" },
		{ "<>", "<>" }, { "<", "<" }, { ")", ")" }, { " Ada ", "Ada" }, { "a (b) (c)", "b) (c" }, { "<a", "a" }, { "A<b>", "A" }, { "A (B) <c>", "A (B)" },
	};
	for (size_t i = 0; i < sizeof authors / sizeof *authors; i++) {
		const urlsift_text author = subject_author(text_of(authors[i].from));
		CHECK_FOR(author.length == strlen(authors[i].author) && !memcmp(author.bytes, authors[i].author, author.length), authors[i].from);
	}
}
#else
static void test_paths(void) { }
static void test_subjects(void) { }
static void test_digests(void) { }
static void test_gone(void) { }
static void test_records(void) { }
static void test_reversed(void) { }
#endif

/* ---- Text that is encoded again ---- */

/* A line of quoted-printable, of n bytes, is as long as it may be, and has no blank at its end. */
static bool is_full_line(const char *line, size_t n, const char *next, bool hard)
{
	if (n > 76 || (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t')) || !strncmp(line, "From ", 5))
		return false;
	for (size_t i = 0; i < n; i++) {
		const unsigned c = (uint8_t)line[i];
		char hex[3] = "";
		if (!within(c, ' ', '~') && c != '\t')
			return false;
		if (c != '=' || (!hard && i + 1 == n))
			continue;
		/* a printable byte is encoded as a mark, or as the F of such a line; a blank where a line ends */
		memcpy(hex, line + i + 1, smaller(2, n - i - 1));
		const unsigned long code = strtoul(hex, NULL, 16);
		const bool from = code == 'F' && i == 0 && !strncmp(line + 3, "rom", 3), blank = code == ' ' || code == '\t';
		if ((within(code, '!', '~') && code != '=' && !from) || (blank && (!hard || i + 3 != n)))
			return false;
	}
	if (hard)
		return true;
	/* what comes next, and the mark if more follows it, had no room */
	const size_t width = *next == '=' ? 3 : 1, last = !next[width] || next[width] == '\r' || next[width] == '\n';
	return line[n - 1] == '=' && n - 1 + width + !last > 76;
}

static void test_encodings(void)
{
	enum { MOST = 300 };
	static const char *const ends[] = { "\n", "\r\n" };
	uint32_t state = 7;
	urlsift_allocator libc = alloc_from(NULL);
	struct buf to, back;
	for (int round = 0; round < 4000; round++) {
		const char *end = ends[round % 2], *const alphabet = round % 3 ? "ab=  \t\xc3\xa4" : "a From \n";
		char text[MOST + 8];
		size_t n = 0;
		for (const size_t most = random_bits(&state) % MOST; n < most;) {
			const char c = round % 7 ? alphabet[random_bits(&state) % strlen(alphabet)] : (char)random_bits(&state);
			if (c == '\r' && round % 2 == 0)
				continue; /* it ends no line there */
			if (c == '\r' || c == '\n' || random_bits(&state) % 100 == 0)
				n += strlen(strcpy(text + n, end));
			else if (n == 0 && round % 5 == 0)
				n += strlen(strcpy(text, "From "));
			else
				text[n++] = c;
		}
		buf_init(&to, &libc, SIZE_MAX);
		buf_init(&back, &libc, SIZE_MAX);
		recode_quoted(&to, fenced(text, n), n, end);
		CHECK(recode_undo(&back, "quoted-printable", to.data, to.length));
		CHECK_THAT(bytes_are(back.data, back.length, text, n), "quoted-printable, %d", round);
		buf_add(&to, "", 1);
		bool good = true;
		for (const char *line = (char *)to.data, *lf; *line && good; line = lf + strlen(end)) {
			lf = strstr(line, end);
			lf = lf ? lf : line + strlen(line);
			good = is_full_line(line, (size_t)(lf - line), lf + strlen(end), lf == line || !*lf || lf[-1] != '=');
			if (!*lf)
				break;
		}
		CHECK_THAT(good, "lines of quoted-printable, %d", round);
		to.length = back.length = 0;
		recode_base64(&to, fenced(text, n), n, end);
		CHECK(recode_undo(&back, "base64", to.data, to.length) && bytes_are(back.data, back.length, text, n));
		const size_t quanta = (n + 2) / 3 * 4, lines = (quanta + 75) / 76;
		CHECK_THAT(to.length == quanta + lines * strlen(end), "base64 of %zu bytes: %zu", n, to.length);
		for (size_t i = 76; i < to.length; i += 76 + strlen(end))
			CHECK(!memcmp(to.data + i, end, strlen(end)));
		buf_fini(&to);
		buf_fini(&back);
	}
#ifdef URLSIFT_WITH_ICONV
	static const struct { const char *charset, *text, *wanted; bool good; } rows[] = {
		{ "iso-8859-1", "\xc3\xa4", "\xe4", true }, { "koi8-r", "\xd0\xb0", "\xc1", true }, { "utf-8", "\xc3\xa4", "\xc3\xa4", true },
		{ "nonsense", "\xc3\xa4", "\xc3\xa4", true }, { "iso-2022-jp", "\xe3\x81\x82", "\x1b$B$\"\x1b(B", true },
		{ "iso-8859-1", "\xe3\x81\x82", NULL, false }, { "shift_jis", "\xe3\x81\x82", "\x82\xa0", true },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		buf_init(&to, &libc, SIZE_MAX);
		const bool good = recode_charset(&to, rows[i].charset, (const uint8_t *)rows[i].text, strlen(rows[i].text));
		CHECK_FOR(good == rows[i].good && (!good || bytes_are(to.data, to.length, rows[i].wanted, strlen(rows[i].wanted))), rows[i].charset);
		buf_fini(&to);
	}
	for (size_t n = 4090; n < 4100; n++) { /* more than is recoded at a time */
		static char many[2 * 4100];
		buf_init(&to, &libc, SIZE_MAX);
		for (size_t i = 0; i < n; i++)
			memcpy(many + 2 * i, "\xc3\xa4", 2);
		bool good = recode_charset(&to, "iso-8859-1", (uint8_t *)many, 2 * n) && to.length == n;
		for (size_t i = 0; i < n && good; i++)
			good = to.data[i] == 0xe4;
		CHECK_THAT(good, "%zu characters", n);
		buf_fini(&to);
	}
#endif
}

static void test_references(void)
{
	static const struct { const char *text; size_t length; const char *means; } rows[] = {
		{ "&amp;", 5, "&" }, { "&amp", 4, "&" }, { "&ampx", 4, "&" }, { "&lt;a", 4, "<" }, { "&nonsense;", 0, "" }, { "x", 0, "" }, { "&", 0, "" },
		{ "&;", 0, "" }, { "&#;", 0, "" }, { "&#x;", 0, "" }, { "&#xg;", 0, "" }, { "&#a;", 0, "" }, { "&#65;", 5, "A" }, { "&#65", 4, "A" }, { "&#65x", 4, "A" },
		{ "&#x41;", 6, "A" }, { "&#X41;", 6, "A" }, { "&#x4g", 4, "\x04" }, { "&#0;", 4, "\xef\xbf\xbd" }, { "&#xd800;", 8, "\xef\xbf\xbd" },
		{ "&#x110000;", 10, "\xef\xbf\xbd" }, { "&#x10ffff;", 10, "\xf4\x8f\xbf\xbf" }, { "&#xffffffffffffffffff1;", 23, "\xef\xbf\xbd" },
		{ "&#x80;", 6, "\xe2\x82\xac" }, { "&eacute;", 8, "\xc3\xa9" }, { "&eacute", 7, "\xc3\xa9" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint8_t text[REFERENCE_TEXT_MAX];
		size_t n = 0;
		const size_t all = strlen(rows[i].text), length = recode_reference(fenced(rows[i].text, all), all, text, &n);
		CHECK_FOR(length == rows[i].length && (!length || bytes_are(text, n, rows[i].means, strlen(rows[i].means))), rows[i].text);
	}
}

/* Room that is kept from link to link is taken again only for more, at most twice what is needed. */
static void test_room(void)
{
	uint32_t state = 6;
	struct room room = { NULL, 0 };
	for (int round = 0; round < 500; round++) {
		const size_t n = random_bits(&state) % (size_t)(1 << round / 50) + 1, before = room.size;
		const char *was = room.data;
		CHECK(room_get(&room, n) == room.data && room.size >= n && room.size <= (before < n ? 2 * n : before));
		CHECK(before < n || room.data == was);
		memset(room.data, 'x', room.size);
	}
	free(room.data);
}

/* ---- What is reported ---- */

/* The beginning and the end of a text that is longer than 4 KiB, in whole characters; all of a shorter one. */
static void test_reports(void)
{
	enum { MOST = 4096, NEAR = 300 };
	static char line[REPORT_LINE + 1], text[2 * MOST];
	for (int bytes = 1; bytes <= 4; bytes++)
		for (size_t n = MOST - 12; n < MOST + NEAR; n++) {
			for (size_t i = 0; i < n; i++)
				text[i] = "a\xc3\xa4\0\xe2\x82\xac\0\xf0\x9f\x98\x80"[(size_t[]){ 0, 1, 4, 8 }[bytes - 1] + i % (size_t)bytes];
			text[n] = '\0';
			if (n % (size_t)bytes)
				continue;
			line[REPORT_LINE] = 'x';
			const size_t length = report_line(line, "%s", text), written = length - 10;
			const char *shown = line + 9, *gap;
			CHECK(!memcmp(line, "urlsift: ", 9) && line[length - 1] == '\n' && line[REPORT_LINE] == 'x');
			line[length - 1] = '\0';
			if (n < MOST) {
				CHECK_THAT(!strcmp(shown, text), "a text of %zu bytes", n);
				continue;
			}
			gap = strstr(shown, "...");
			const size_t before = (size_t)(gap - shown), after = written - before - 3;
			CHECK_THAT(gap && !memcmp(shown, text, before) && !strcmp(gap + 3, text + n - after), "a text of %zu bytes", n);
			CHECK_THAT(before % (size_t)bytes == 0 && after % (size_t)bytes == 0, "whole characters of %zu bytes", n);
			CHECK_THAT(within(before, MOST - 268, MOST - 264) && within(after, 256, 259), "%zu and %zu bytes", before, after);
		}
	for (size_t n = 1; n < 4096; n += 99) { /* each byte may take four */
		memset(text, '\xff', n);
		text[n] = '\0';
		CHECK_THAT(report_line(line, "%s", text) == 4 * n + 10, "%zu bytes that are not UTF-8", n);
	}
	CHECK(report_line(line, "%s", "") == 10);
}

static unsigned names, last; /* how many there are, and the length of the last one */

static const char *name_of(unsigned i)
{
	static const char text[] = "abcdefghijklmnopqrstuvwxyz";
	return i + 1 < names ? text + 16 : i < names ? text + 26 - last : NULL;
}

static void test_lists(void)
{
	char room[REPORT_NAMES + 1], wanted[2 * REPORT_NAMES];
	for (names = 1; names < 60; names++)
		for (last = 0; last < 26; last++) {
			*wanted = '\0';
			for (unsigned i = 0; name_of(i); i++)
				sprintf(wanted + strlen(wanted), "%s%s", i ? ", " : "", name_of(i));
			room[REPORT_NAMES] = 'x';
			report_names(room, name_of, ", ");
			const size_t n = strlen(wanted), most = REPORT_NAMES - 1;
			CHECK_THAT(room[REPORT_NAMES] == 'x' && strlen(room) == smaller(n, most) && !memcmp(room, wanted, smaller(n, most)),
			           "%u names", names);
		}
}

int main(void)
{
	test_csv();
	test_bodies();
	test_lines();
	test_names();
	test_endings();
	test_shards();
	test_escapes();
	test_globs();
	test_paths();
	test_subjects();
	test_digests();
	test_gone();
	test_records();
	test_reversed();
	test_encodings();
	test_references();
	test_room();
	test_reports();
	test_lists();
	return check_end();
}
