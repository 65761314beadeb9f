/* What texts and mail of the fuzzer construct give stays what it was: testdata/construct.digests has a line for each
 * BLOCK of runs, with a digest of the links, the texts and the output of each, read in a way that changes nothing of
 * them, and of what other functions say: of the first link, of URLs and dates that are drawn, of the whole input.  A
 * digest does not say that an output is right: the fuzzer checks that, with other seeds.  It says that nothing changed.
 *
 * usage: unit_construct [--write | --show FIRST COUNT]
 *
 *   --show   writes the input of runs, and what they give, to compare two builds
 *   --write  writes the digests anew, once the difference has been looked at
 */
#include "check.h"
#include "fuzz/construct/plan.h"
#include "mail/header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Only with the libraries with which the digests were written. */
#if defined URLSIFT_WITH_PCRE2 && defined URLSIFT_WITH_ICONV && defined URLSIFT_WITH_IDN2 && \
	defined URLSIFT_WITH_PSL && defined __GLIBC__
#define COMPARES 1
#else
#define COMPARES 0
#endif

enum { BLOCK = 100, EXPLAINED = 1 };
static const char digests[] = "testdata/construct.digests";
/* Of these seeds so many runs (fuzz/construct/main.c); the second are of the swarm. */
static const struct { unsigned long long first, count; } seeds[] = { { 40000000, 3500 }, { 1099600000000, 2000 } };

static void draw(unsigned long long seed, struct choices *c, struct plan *plan, struct bytes *source)
{
	uint64_t mixed = (seed + 1) * 0x9e3779b97f4a7c15u;
	*c = (struct choices){ .state = 0 };
	for (int i = 0; i < 8; i++)
		c->state = c->state << 8 | (mixed >> (8 * i) & 0xff);
	construct_plan(c, plan, source);
}

static uint64_t add(uint64_t hash, const void *p, size_t n)
{
	const unsigned char *bytes = p;
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ bytes[i]) * 1099511628211u;
	return (hash ^ n) * 1099511628211u;
}

/* What the fuzzer does not draw. */
static void choose_more(struct choices *c, urlsift_render_options *how)
{
	static const char *const forms[] = { "clean", "https", "unwrap" };
	switch (choose(c, 10)) {
	case 0: case 1:
		how->format = "rewrite";
		how->form = CHOOSE(c, forms);
		break;
	case 2:
		how->format = "csv";
		how->columns = "source,line,column,offset,text,url,normal,label,context,scheme,host,convention,flags,warnings";
		break;
	case 3:
		how->format = "list";
		how->line_format = "%u|%s|%h|%P|%k|%g|%w|%t|%x|%l|%c|%o|%f|%m|%S|%F|%d|%p|%H|%a|%%";
		break;
	default: break;
	}
}

static int take(void *user, const void *bytes, size_t n)
{
	bytes_add(user, bytes, n);
	return 0;
}

/* What is said of the first URLs of a list, which has one a line. */
static void explain(urlsift_context *context, const struct bytes *urls, const char *format, struct bytes *said)
{
	const urlsift_render_options how = { .format = format };
	size_t from = 0;
	urlsift_renderer *r = urlsift_render_new(context, &how, take, said, NULL);
	for (int count = 0; count < EXPLAINED && from < urls->length; count++) {
		size_t n = (size_t)((const char *)memchr(urls->data + from, '\n', urls->length - from) - urls->data) - from;
		CHECK(urlsift_render_url(r, urls->data + from, n) == URLSIFT_OK);
		from += n + 1;
	}
	CHECK(urlsift_render_end(r) == URLSIFT_OK);
	urlsift_render_free(r);
}

/* Two URLs that are mostly none any more, each alone and resolved against the other. */
static void say_urls(urlsift_context *context, struct choices *c, struct bytes *said)
{
	enum { SIZE = 4096 };
	static struct bytes urls[2];
	urlsift_url split[2];
	char resolved[SIZE];
	for (int i = 0; i < 2; i++) {
		bytes_clear(&urls[i]);
		construct_url(c, &urls[i]);
		if (once_in(c, 2))
			construct_mutate(c, &urls[i]);
		urlsift_url_split(urls[i].data, urls[i].length, &split[i]);
	}
	urlsift_resolution rules = once_in(c, 2) ? URLSIFT_RESOLVE_RFC1630 : URLSIFT_RESOLVE_RFC3986;
	size_t n = urlsift_url_resolve(&split[0], &split[1], rules, resolved, SIZE);
	bytes_add(said, resolved, n < SIZE ? n : SIZE);
	bytes_byte(&urls[0], '\n');
	explain(context, &urls[0], once_in(c, 2) ? "json" : "list", said);
}

/* Mostly the parts of a date in their order, some of them missing or others. */
static void say_date(struct choices *c, struct bytes *said)
{
	static const char *const words[] = { "Mon,", "(a (b\\) c) 3", "EST", "cest", "PDT", "GMT", "BST", "ZZZ",
		"Decade", "xJan", ")", "," };
	static const char *const months[] = { "jan", "Feb", "MAR", "Apr", "May", "June", "Jul", "Aug", "Sep", "Oct",
		"nov", "Dec" };
	static const uint16_t years[] = { 1968, 1969, 1970, 1999, 2000, 2024, 2099, 2100, 2101, 9999 };
	static const char *const separators[] = { " ", " ", " ", " ", "  ", "\n ", "-" };
	static struct bytes date;
	char text[32];
	bytes_clear(&date);
	for (uint32_t i = 0; i < 5; i++) {
		uint32_t part = once_in(c, 8) ? choose(c, 6) : i, number = choose(c, 64);
		switch (part) {
		case 0: snprintf(text, sizeof text, "%u", number / 2 + 1); break;
		case 1: snprintf(text, sizeof text, "%s", CHOOSE(c, months)); break;
		case 2: snprintf(text, sizeof text, "%u", once_in(c, 3) ? choose(c, 120) : CHOOSE(c, years)); break;
		case 3: snprintf(text, sizeof text, once_in(c, 2) ? "%02u:%02u" : "%u : %u:00", number / 2, number); break;
		case 4: snprintf(text, sizeof text, number % 2 ? "+%04u" : "-%04u", choose(c, 1470)); break;
		default: snprintf(text, sizeof text, "%s", CHOOSE(c, words));
		}
		bytes_text(&date, text);
		bytes_text(&date, CHOOSE(c, separators));
	}
	snprintf(text, sizeof text, "%" PRId64 "\n", date_read((const uint8_t *)date.data, date.length));
	bytes_text(said, text);
}

/* All links at once, and a text as HTML. */
static void say_whole(urlsift_context *context, const struct bytes *source, bool text, struct bytes *said)
{
	urlsift_found *found;
	char *html = NULL;
	bytes_text(said, urlsift_mail_kind_name(urlsift_mail_detect(source->data, source->length, text)));
	if (text && urlsift_linkify(context, NULL, source->data, source->length, &html) == URLSIFT_OK)
		bytes_text(said, html);
	urlsift_html_free(html);
	if (!CHECK(urlsift_mail_find(context, NULL, source->data, source->length, &found) == URLSIFT_OK))
		return;
	bytes_add(said, found->strings.bytes, found->strings.length);
	for (size_t i = 0; i < found->count; i++) {
		const urlsift_found_link *l = found->links[i];
		char line[160];
		snprintf(line, sizeof line, " %d %x %x %d %" PRIu64 " %" PRIu64 " %zu %zu\n", (int)l->convention, l->flags,
		         l->warnings, l->linkable, l->line, l->column, l->part_count, l->alternate_count);
		bytes_text(said, line);
	}
	urlsift_found_free(found);
}

struct answer { struct bytes source, said; struct result result; };

static void run_seed(unsigned long long seed, struct answer *answer)
{
	static urlsift_context *context;
	struct choices c;
	struct plan plan;
	context = context ? context : urlsift_context_new(NULL);
	draw(seed, &c, &plan, &answer->source);
	choose_more(&c, &plan.how);
	urlsift_render_prepare(&plan.how, plan.scan, &plan.mail);
	plan.tiles = plan.tiles && urlsift_options_get(plan.scan, URLSIFT_OPT_PLAIN);
	uint32_t how = choose(&c, 8);
	struct way way = { .portable = how == 4, .reused = how == 5 };
	way.cut = how < 3 ? 0 : how == 3 ? 1 : 256 + choose(&c, 65536);
	run(&plan, &way, &answer->result);
	urlsift_options_free(plan.scan);
	bytes_clear(&answer->said);
	explain(context, &answer->result.written, once_in(&c, 2) ? "json" : "list", &answer->said);
	say_urls(context, &c, &answer->said);
	say_date(&c, &answer->said);
	if (once_in(&c, 4))
		say_whole(context, &answer->source, plan.mail.kind == URLSIFT_KIND_TEXT, &answer->said);
}

static void show(unsigned long long first, unsigned long long count)
{
	static struct answer a;
	const struct { const char *name; const struct bytes *bytes; } parts[] = {
		{ "input", &a.source }, { "links", &a.result.links }, { "text", &a.result.text },
		{ "output", &a.result.output }, { "said", &a.said }
	};
	for (unsigned long long seed = first; seed < first + count; seed++) {
		run_seed(seed, &a);
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
			printf("\n==== %llu %s\n", seed, parts[i].name);
			fwrite(parts[i].bytes->data, 1, parts[i].bytes->length, stdout);
		}
	}
}

static uint64_t digest_of(unsigned long long first)
{
	static struct answer a;
	const struct bytes *const parts[] = { &a.result.links, &a.result.text, &a.result.output, &a.said };
	uint64_t hash = 14695981039346656037u;
	for (unsigned long long seed = first; seed < first + BLOCK; seed++) {
		run_seed(seed, &a);
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			hash = add(hash, parts[i]->data, parts[i]->length);
	}
	return hash;
}

int main(int argc, char **argv)
{
	if (argc == 4) {
		show(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
		return 0;
	}
	bool writes = argc > 1;
	FILE *f = fopen(digests, writes ? "w" : "r");
	if (!CHECK_THAT(f != NULL, "%s", digests))
		return check_end();
	for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
		for (unsigned long long at = seeds[i].first; at < seeds[i].first + seeds[i].count; at += BLOCK) {
			char line[64], kept[64] = "";
			const bool there = !writes && fgets(kept, sizeof kept, f);
			if (run_is_fast() && at / BLOCK % 2)
				continue;
			snprintf(line, sizeof line, "%llu %016llx\n", at, (unsigned long long)digest_of(at));
			if (writes)
				fputs(line, f);
			else if (COMPARES)
				CHECK_THAT(there && !strcmp(kept, line),
				           "the %d runs from %llu on give something else: see --show and --write", BLOCK, at);
		}
	fclose(f);
	if (!COMPARES)
		puts("skipped: digests of construct: this build lacks a library, or the C library is another");
	return check_end();
}
