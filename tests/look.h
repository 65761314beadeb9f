/* What unit_look and unit_edges share: a digest of what is said of each file of testdata, kept in a file with a line for
 * each. */
#ifndef TESTS_LOOK_H
#define TESTS_LOOK_H

#include "check.h"

#include <glob.h>
#include <inttypes.h>
#include <string.h>

/* Only with the libraries with which the digests were written. */
#if defined URLSIFT_WITH_IDN2 && defined URLSIFT_WITH_PSL && defined __GLIBC__
#define LOOK_COMPARES 1
#else
#define LOOK_COMPARES 0
#endif

#define LOOK_TEXTS "cases/*.txt", "cases-domains/*.txt", "cases-email/*.txt", "cases-ipv4/*.txt", "cases-refang/*.txt", \
	"rewrite/*.txt"

enum { LOOK_LONGEST = 400, LOOK_ROOM = LOOK_LONGEST + 8 };

struct look {
	uint64_t hash, links;
	bool shows;
	size_t first; /* of every second file that `make check-fast` reads */
};

static inline void look_say(struct look *s, uint64_t n) { s->hash = (s->hash ^ n) * 1099511628211u; }

static inline void look_all(struct look *s, const uint64_t *facts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		look_say(s, facts[i]);
}

static inline void look_show(const struct look *s, const uint8_t *text, size_t n)
{
	if (s->shows)
		printf("%016" PRIx64 " %.*s\n\n", s->hash, (int)n, (const char *)text);
}

static inline void look_link(struct look *s, const urlsift_link *l)
{
	size_t n, count;
	const char *text = urlsift_link_text(l, &n);
	const urlsift_removed removed = urlsift_link_removed(l);
	for (size_t i = 0; i < n; i++)
		look_say(s, (uint8_t)text[i]);
	urlsift_link_alternates(l, &count);
	urlsift_link_label(l, &n);
	const uint64_t facts[] = { urlsift_link_flags(l), urlsift_link_warnings(l), (uint64_t)urlsift_link_convention(l),
		urlsift_link_line(l), urlsift_link_column(l), removed.breaks, removed.hyphens, removed.decorations, count, n };
	look_all(s, facts, sizeof facts / sizeof *facts);
	s->links++;
}

static inline int look_piece(void *user, const urlsift_piece *piece)
{
	struct look *s = user;
	if (piece->link && piece->part == 0)
		look_link(s, piece->link);
	look_say(s, piece->offset);
	look_say(s, piece->length);
	return 0;
}

/* A byte of the text, which its hash and the number choose, is gone, twice there, or another one. */
static inline size_t look_change(const uint8_t *text, size_t n, size_t number, uint8_t *changed)
{
	static const char bytes[] = " \n<>()[]{}\"'`.,:;-_/=&%?#@|+*\\aZ19\b\xe9";
	uint64_t hash = 14695981039346656037u ^ number;
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ text[i]) * 1099511628211u;
	const size_t at = (size_t)((hash >> 16) % n), kind = (size_t)((hash >> 40) % 3), from = at + (kind != 1);
	memcpy(changed, text, at + 1);
	changed[at] = kind == 2 ? (uint8_t)bytes[(hash >> 48) % (sizeof bytes - 1)] : text[at];
	const size_t to = at + (kind > 0);
	memcpy(changed + to, text + from, n - from);
	return to + n - from;
}

/* The options of a set, of three. */
static inline urlsift_options *look_options(size_t set)
{
	static const struct { unsigned sets; urlsift_option option; long value; } rows[] = {
		{ 6, URLSIFT_OPT_EMAIL, 1 }, { 6, URLSIFT_OPT_DOMAINS, 1 }, { 2, URLSIFT_OPT_IPV4, 1 },
		{ 6, URLSIFT_OPT_LABELS, 1 }, { 2, URLSIFT_OPT_CONTEXT, 1 }, { 1, URLSIFT_OPT_GUESS, 1 },
		{ 5, URLSIFT_OPT_POSITIONS, 1 }, { 4, URLSIFT_OPT_REFANG, 1 }, { 4, URLSIFT_OPT_HYPHEN, URLSIFT_HYPHEN_DROP },
		{ 4, URLSIFT_OPT_JOIN, URLSIFT_JOIN_LIKELY }, { 4, URLSIFT_OPT_MAX_BREAKS, 2 }, { 4, URLSIFT_OPT_MAX_ALTERNATES, 1 } };
	urlsift_options *o = urlsift_options_new(NULL);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].sets >> set & 1)
			CHECK(urlsift_options_set(o, rows[i].option, rows[i].value) == URLSIFT_OK);
	return o;
}

/* Tells `say` the paragraphs of a text, long ones in pieces of LOOK_LONGEST bytes. */
typedef void look_reader(void *user, const uint8_t *text, size_t n);
static inline void look_paragraphs(look_reader *say, void *user, const uint8_t *data, size_t n)
{
	for (size_t from = 0, end; from < n; from = end) {
		for (end = from; end < n && end - from < LOOK_LONGEST && (n - end < 2 || memcmp(data + end, "\n\n", 2)); end++)
			;
		say(user, data + from, end - from);
		end += n - end >= 2 && !memcmp(data + end, "\n\n", 2) ? 2 : 0;
	}
}

/* The digest of a file: of a text by paragraphs, of mail whole. */
static inline uint64_t look_file(const char *path, struct look *look, look_reader *say, void *user)
{
	static uint8_t data[1 << 18];
	FILE *f = fopen(path, "rb");
	if (!CHECK_THAT(f != NULL, "%s", path))
		return 0;
	const size_t n = fread(data, 1, sizeof data, f);
	fclose(f);
	look->hash = 14695981039346656037u;
	look->links = 0;
	if (strstr(path, "/mail/"))
		say(user, data, n);
	else
		look_paragraphs(say, user, data, n);
	return look->hash;
}

/* The files of each pattern, against the digests; or as the arguments say. */
static inline void look_files(int argc, char **argv, const char *digests, const char *const *patterns, struct look *look,
                              look_reader *say, void *user)
{
	const bool writes = argc == 2 && !strcmp(argv[1], "--write");
	char pattern[64], line[160];
	look->shows = argc == 3;
	if (look->shows) {
		look_file(argv[2], look, say, user);
		return;
	}
	FILE *f = fopen(digests, writes ? "w" : "r");
	CHECK_THAT(f != NULL, "%s", digests);
	for (; f && *patterns; patterns++) {
		glob_t found;
		snprintf(pattern, sizeof pattern, "testdata/%s", *patterns);
		if (!CHECK_THAT(!glob(pattern, 0, NULL, &found), "%s", pattern))
			continue;
		for (size_t k = 0; k < found.gl_pathc; k++) {
			char kept[sizeof line] = "";
			const char *name = found.gl_pathv[k] + strlen("testdata/");
			const bool there = !writes && fgets(kept, sizeof kept, f);
			if (run_is_fast() && k % 2 != look->first)
				continue;
			snprintf(line, sizeof line, "%016" PRIx64 " %s\n", look_file(found.gl_pathv[k], look, say, user), name);
			if (writes)
				fputs(line, f);
			else if (LOOK_COMPARES)
				CHECK_THAT(there && !strcmp(kept, line), "%s: something else, see --show and --write", name);
		}
		globfree(&found);
	}
	if (f)
		fclose(f);
	if (!LOOK_COMPARES)
		puts("skipped: digests of single files: this build lacks a library, or the C library is another");
}

#endif
