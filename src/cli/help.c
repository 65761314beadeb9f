#include "verbs.h"

#include "input/pool.h"

#include <errno.h>
#include <string.h>

enum { COLUMN = 30 };

/* Word i of a list with | between. */
static void show_word(const char *words, long i)
{
	for (; i > 0; i--)
		words += strcspn(words, "|") + 1;
	printf(" (%.*s)", (int)strcspn(words, "|"), words);
}

/* The help of an option begins in its column, on a line of its own where the option is too
 * long; the default follows. */
static void show_option(const struct option *row)
{
	const struct option_range range = option_range(row);
	int n = row->letter ? printf("  -%c, ", row->letter) : printf("      ");
	const char *equals = row->argument && *row->argument != '[' ? "=" : "";
	n += printf("--%s%s%s", row->name, equals, row->argument ? row->argument : "");
	for (const char *line = row->help; *line;) {
		int length = (int)strcspn(line, "\n");
		if (n > COLUMN - 2) {
			printf("\n");
			n = 0;
		}
		printf("%*s%.*s", COLUMN - n, "", length, line);
		n = COLUMN;
		line += line[length] ? length + 1 : length;
	}
	if (row->argument && strchr(row->argument, '|'))
		show_word(row->argument, range.initial);
	else if (row->argument && range.initial)
		printf(" (%ld)", range.initial);
	printf("\n");
}

/* The options that the verbs take, under their headings. */
static void show_options(unsigned verbs)
{
	const char *group = NULL;
	for (const struct option *row = option_table; row->name; row++) {
		if (row->group)
			group = row->group;
		if (!(row->verbs & verbs))
			continue;
		if (group)
			printf("\n%s:\n", group);
		group = NULL;
		show_option(row);
	}
}

static void show_verbs(void)
{
	printf("urlsift finds the URLs in text, mail and news, and rejoins those broken by line\n"
	       "ends.  With no FILE, or when FILE is -, it reads standard input.\n\n"
	       "usage: urlsift VERB [OPTION]... [FILE]...\n\nVerbs:\n");
	for (const struct verb *v = verb_table; v->name; v++)
		printf("  %-11s%s\n", v->name, v->help);
	printf("\nExamples:\n"
	       "  urlsift list letter.txt              the links in a file, one per line\n"
	       "  urlsift list -un *.txt               each link once, with its line number\n"
	       "  urlsift list --json <letter.txt      all details of each link\n"
	       "  urlsift list --host='*.example.org'  only links to these hosts\n"
	       "  urlsift html letter.txt >page.html   the text as a web page\n"
	       "  urlsift explain 'ftp://a.example/b;type=a'  what a URL means, and its faults\n");
	show_options(VERB_TEXT);
	printf("\nExit status: 0 success; 1 some input could not be read, or no links were found\n"
	       "with --fail-if-none; 2 usage error; 3 the output could not be written.\n"
	       "\nMore: man urlsift; urlsift VERB --help\n");
}

static void show_verb(const struct verb *v)
{
	printf("usage: urlsift %s%s\n\nWrites %s.\n", v->name, v->arguments, v->help);
	show_options(v->bit);
}

/* ---- Limits ----------------------------------------------------------------------- */

static void show_limit(const char *name, long value, const char *unit, const char *option)
{
	printf("%-21s%9ld  %-44s %s%s\n", name, value, unit, option ? "--" : "fixed", option ? option : "");
}

static bool has_option(const char *limit)
{
	for (const struct option *row = option_table; row->name; row++)
		if (row->limit && !strcmp(row->limit, limit))
			return true;
	return false;
}

static void show_limits(const struct options *o)
{
	urlsift_mail_limit limit;
	for (const struct option *row = option_table; row->name; row++)
		if (row->limit)
			show_limit(row->limit, option_value(o, row), row->help, row->name);
	for (size_t i = 0; urlsift_mail_limit_at(i, &limit); i++)
		if (!has_option(limit.name))
			show_limit(limit.name, (long)limit.value, limit.unit, NULL);
	show_limit("name", INPUTS_NAME_LONGEST, "bytes of a name in --files-from", NULL);
	show_limit("waiting", POOL_WAITING, "bytes of output held with --jobs", NULL);
	show_limit("html-growth", URLSIFT_GROWTH_HTML, "bytes of a page for each byte of input", NULL);
	show_limit("json-growth", URLSIFT_GROWTH_JSON, "bytes of JSON for each byte of input", NULL);
}

static void show_version(void)
{
	static const struct { urlsift_dependency which; const char *name; } libraries[] = {
		{ URLSIFT_DEPENDENCY_PCRE2, "PCRE2" }, { URLSIFT_DEPENDENCY_IDN2, "libidn2" }
	};
	printf("urlsift %s\n", urlsift_version());
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		char version[64];
		size_t n = urlsift_dependency_version(libraries[i].which, version, sizeof version);
		if (n && n <= sizeof version)
			printf("with %s %.*s\n", libraries[i].name, (int)n, version);
		else
			printf("without %s\n", libraries[i].name);
	}
}

enum status help_show(const struct options *o)
{
	if (o->action == ACTION_VERSION)
		show_version();
	else if (o->action == ACTION_LIMITS)
		show_limits(o);
	else if (o->verb)
		show_verb(o->verb);
	else
		show_verbs();
	if (!fflush(stdout) && !ferror(stdout))
		return STATUS_DONE;
	if (errno == EPIPE)
		return STATUS_DONE;
	report("standard output: %s", strerror(errno));
	return STATUS_OUTPUT;
}
