#include "verbs.h"

#include "input/pool.h"
#include "mail/html/html.h"
#include "mail/mime.h"
#include "input/inputs.h"

#include <errno.h>
#include <string.h>

enum { COLUMN = 30 };

/* The help of an option stands in its column, on a line of its own where the
 * option is too long. */
static void show_option(const struct option *row)
{
	int n = row->letter ? printf("  -%c, ", row->letter) : printf("      ");
	n += printf(row->argument ? "--%s=%s" : "--%s", row->name, row->argument);
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
	printf("\n");
}

/* The options that the verbs take, under their headings. */
static void show_options(unsigned verbs)
{
	const char *group = NULL;
	for (const struct option *row = option_table; row->name; row++) {
		if (row->group)
			group = row->group;
		if (!row->help || !(row->verbs & verbs))
			continue;
		if (group)
			printf("\n%s:\n", group);
		group = NULL;
		show_option(row);
	}
}

static void show_verbs(void)
{
	printf("urlsift finds the URLs in text, mail and news and puts those together that line\n"
	       "ends have broken.  Without a FILE, and for -, it reads standard input.\n\n"
	       "usage: urlsift VERB [OPTION]... [FILE]...\n\nVerbs:\n");
	for (const struct verb *v = verb_table; v->name; v++)
		if (v->bit)
			printf("  %-11s%s\n", v->name, v->help);
	printf("\nExamples:\n"
	       "  urlsift list letter.txt              the links of a file, one a line\n"
	       "  urlsift list -un *.txt               each link once, with its line number\n"
	       "  urlsift list --json <letter.txt      all there is to know of each link\n"
	       "  urlsift list --host='*.example.org'  only links to these hosts\n"
	       "  urlsift html letter.txt >page.html   the text as a page to click on\n"
	       "  urlsift explain ftp://a.example/b;type=a  what a URL means and what is wrong\n");
	show_options(VERB_TEXT);
	printf("\nExit status: 0 all was read; 1 some input could not be read, or there was no\n"
	       "link under --fail-if-none; 2 wrong usage; 3 the output could not be written.\n"
	       "\nMore: man urlsift; urlsift VERB --help\n");
}

static void show_verb(const struct verb *v)
{
	printf("usage: urlsift %s%s\n\nWrites %s.\n", v->name, v->arguments, v->help);
	show_options(v->bit);
}

static void show_limits(const struct options *o)
{
	const struct { const char *name; long value; const char *unit, *option; } limit[] = {
		{ "url-length", o->max_url, "bytes of a link", "--max-url-length" },
		{ "line-breaks", o->max_breaks, "line breaks in a link", "--max-breaks" },
		{ "alternates", o->max_alternates, "other readings of a link", "--max-alternates" },
		{ "span", 128 * 1024L, "bytes of input that a link extends over", "fixed" },
		{ "furniture", 256, "bytes of a line's quote marks and the like", "fixed" },
		{ "mime-depth", o->run.max_depth, "levels of parts within parts of a message", "--max-depth" },
		{ "parts", o->run.max_parts, "parts of a message", "--max-parts" },
		{ "header-block", o->run.max_header, "bytes of one", "--max-header" },
		{ "parameter-length", PARAMETER_MAX, "bytes of a parameter of a header field", "fixed" },
		{ "encoded-word-length", WORD_MAX, "bytes of an encoded-word", "fixed" },
		{ "encoded-field-length", WORD_TEXT_MAX, "bytes of a field with encoded-words", "fixed" },
		{ "hidden-markup", HTMLTEXT_HIDDEN_MAX, "bytes that markup hides", "fixed" },
		{ "hidden-messages", NESTED_MAX, "messages in messages that an encoding hides", "fixed" },
		{ "preamble", PREAMBLE_MAX, "bytes before the first part of a multipart", "fixed" },
		{ "alternative-urls", SEEN_MAX, "links known from an alternative's other parts", "fixed" },
		{ "unique", o->run.unique_limit, "links that --unique remembers", "--unique-limit" },
		{ "match", o->run.match_limit, "steps of an expression on a link", "--match-limit" },
		{ "name", INPUTS_NAME_LONGEST, "bytes of a name in --files-from", "fixed" },
		{ "waiting", POOL_WAITING, "bytes of output that wait for their turn (-j)", "fixed" },
	};
	for (size_t i = 0; i < sizeof limit / sizeof *limit; i++)
		printf("%-20s%9ld  %-46s%s\n", limit[i].name, limit[i].value, limit[i].unit, limit[i].option);
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
