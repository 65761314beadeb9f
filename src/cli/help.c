#include "sandbox.h"
#include "verbs.h"

#include "index/sqlite.h"
#include "input/decompress.h"
#include "input/pool.h"
#include "pages/pages.h"
#include "text/ascii.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

enum { COLUMN = 30, WIDTH = 79, INDENT = 10 };

/* Prints n bytes in column `at`, or on the next line, from `indent`, if it becomes too long.  Returns the column
 * after them. */
static int show_piece(int at, int indent, const char *text, size_t n)
{
	if (at + (int)n > WIDTH)
		at = printf("\n%*s", indent, "") - 1;
	return at + printf("%.*s", (int)n, text);
}

/* The names of some verbs between `before` and `after`, from column `at` on; nothing for all. */
static void show_verbs(int at, const char *before, unsigned verbs, const char *after)
{
	const int indent = at;
	char name[64];
	if (verbs == VERB_ALL)
		return;
	for (const struct verb *v = verb_table; v->name; v++) {
		if (!(v->bit & verbs)) /* nor has another name of a verb a bit */
			continue;
		snprintf(name, sizeof name, "%s%s", before, v->name);
		at += printf("%s", text_if(at > indent, ","));
		at = show_piece(at, indent, name, strlen(name));
		before = " ";
	}
	printf("%s", after);
}

/* The help of an option begins in its column, on a line of its own where the option is too
 * long; the default follows. */
static void show_option(const struct option *row, unsigned heading)
{
	const struct option_range range = option_range(row);
	int n = row->letter ? printf("  -%c, ", row->letter) : printf("      ");
	n += printf("--%s%s", row->name, text_if(option_needs_value(row), "="));
	for (const char *part = memory_text(row->argument); *part;) {
		size_t bytes = strcspn(part, "|");
		bytes += part[bytes] == '|';
		n = show_piece(n, INDENT, part, bytes);
		part += bytes;
	}
	for (const char *line = row->help; *line;) {
		int length = (int)strcspn(line, "\n");
		if (n > COLUMN - 2) {
			printf("\n");
			n = 0;
		}
		printf("%*s%.*s", COLUMN - n, "", length, line);
		n = COLUMN;
		line += length + (line[length] == '\n');
	}
	size_t length;
	const char *word = option_word(row, (unsigned)range.initial, &length);
	if (strchr(memory_text(row->argument), '|'))
		printf(" (%.*s)", (int)length, word);
	else if (row->argument && range.initial)
		printf(" (%ld)", range.initial);
	printf("\n");
	if (row->verbs != heading) {
		printf("%*s", COLUMN, "");
		show_verbs(COLUMN, "[", row->verbs, "]\n");
	}
}

/* The options that the verb takes, under their headings; all options, with their verbs, if it is NULL. */
static void show_options(const struct verb *verb)
{
	const char *group = NULL;
	unsigned heading = 0;
	for (const struct option *row = option_table; row->name; row++) {
		if (row->group)
			group = row->group;
		if (verb && !(row->verbs & verb->bit))
			continue;
		if (group) {
			heading = row->verbs;
			printf("\n%s", group);
			if (!verb)
				show_verbs((int)strlen(group), " (", heading, ")");
			printf(":\n");
		}
		group = NULL;
		show_option(row, verb ? row->verbs : heading);
	}
}

static void show_usage(void)
{
	printf("usage: urlsift [VERB] [OPTION]... [FILE]...\n\nVerbs:\n");
	for (const struct verb *v = verb_table; v->name; v++)
		if (v->help)
			printf("  %-13s%s%s\n", v->name, v->help, text_if(v == verb_table, " (default)"));
}

static void show_statuses(unsigned verbs)
{
	static const struct { unsigned verbs; const char *rest; } statuses[] = {
		{ VERB_TEXT, ", or no links were found with --fail-if-none or -q; 2 usage error; 3 the\n"
		             "output could not be written, or a database not be opened." },
		{ VERB_QUERY, ", or nothing was found with --fail-if-none; 2 usage error; 3 the output\n"
		              "could not be written, or a database not be opened." },
		{ VERB_ALL, "; 2 usage error; 3 the output could not be written, or a database not be\nopened." }
	}, *row = statuses;
	while (!(row->verbs & verbs))
		row++;
	printf("\nExit status: 0 all input was read, whatever was found; 1 some input could not be\nread%s\n", row->rest);
}

static void show_all(void)
{
	printf("urlsift finds the URLs in text, mail and news, and rejoins those broken by line\n"
	       "ends.  With no FILE, or when FILE is -, it reads standard input.\n\n");
	show_usage();
	printf("\nExamples:\n"
	       "  urlsift letter.txt                   the links in a file, one per line\n"
	       "  urlsift list -un *.txt               each link once, with its line number\n"
	       "  urlsift list --json <letter.txt      all details of each link\n"
	       "  urlsift list --host='*.example.org'  only links to these hosts\n"
	       "  urlsift html letter.txt >page.html   the text as a web page\n"
	       "  urlsift explain 'ftp://a.example/b;type=a'  what a URL means, and its faults\n");
	show_options(NULL);
	show_statuses(VERB_TEXT);
	printf("\nMore: urlsift VERB --help; man urlsift; recipes in man 7 urlsift-recipes; what\n"
	       "is a link in man 5 urlsift-rules.\n"
	       "In programs: C in man 3 urlsift (urlsift_find), urlsift-mail (mail) and\n"
	       "urlsift-render (urlsift_linkify); Python in pydoc urlsift; JavaScript in\n"
	       "js/README.md; each with examples in docs/library.md of the sources.\n");
}

static void show_verb(const struct verb *v)
{
	urlsift_directive directive;
	printf("usage: urlsift %s%s\n\n%c%s.\n", v->name, v->arguments, toupper((unsigned char)*v->help), v->help + 1);
	if (v->bit == VERB_QUERY) {
		printf("\nQuestions:\n");
		query_list();
		printf("\nA HOST is a name, or .a.example for that name and all below it.\n");
	}
	if (v->bit == VERB_PICK) {
		printf("\nKeys:\n");
		pick_list();
	}
	show_options(v);
	if (v->bit & (VERB_LIST | VERB_REWRITE)) {
		const bool columns = v->bit == VERB_LIST;
		printf("\nTemplates%s:\n", text_if(columns, ", and columns of --csv"));
		for (size_t i = 0; urlsift_render_directive_at(i, &directive); i++)
			printf("  %-5s%-21s%s\n", directive.name, text_if(columns, memory_text(directive.column)),
			       directive.meaning);
	}
	show_statuses(v->bit);
	if (v->bit & VERB_URL)
		printf("A URL that is not valid is an answer too: its status is 0.%s\n",
		       text_if(v->bit & VERB_EXPLAIN, "  In scripts,\n'urlsift list --not-valid=rfc3986 -q' has a status."));
}

/* ---- Limits ----------------------------------------------------------------------- */

static void show_limit(const char *name, long value, const char *unit, const char *option)
{
	printf("%-21s%9ld  %-46s %s%s\n", name, value, unit, *option ? "--" : "fixed", option);
}

static void show_limits(const struct options *o)
{
	urlsift_mail_limit limit;
	for (const struct option *row = option_table; row->name; row++)
		if (row->limit)
			show_limit(row->limit, option_value(o, row), row->help, row->name);
	for (size_t i = 0; urlsift_mail_limit_at(i, &limit); i++) {
		const struct option *row = option_table;
		while (row->name && strcmp(memory_text(row->limit), limit.name))
			row++;
		if (!row->name)
			show_limit(limit.name, (long)limit.value, limit.unit, "");
	}
	show_limit("name", NAME_LIST_LONGEST, "bytes of a name in --files-from", "");
	show_limit("dictionary", UNPACK_MEMORY, "bytes of the dictionary of a decoder", "");
	show_limit("members", UNPACK_MEMBERS, "members of an archive", "");
	show_limit("waiting", POOL_WAITING, "bytes of output held with --jobs", "");
	show_limit("html-growth", URLSIFT_GROWTH_HTML, "bytes of a page for each byte of input", "");
	show_limit("pages-growth", PAGES_GROWTH, "bytes of html -o for each byte of input", "");
	show_limit("pages-hosts", PAGES_HOSTS, "pages of hosts for each message of html -o", "");
	show_limit("json-growth", URLSIFT_GROWTH_JSON, "bytes of JSON for each byte of input", "");
}

/* It is not built in if it has no version. */
static void show_library(const char *name, const char *version)
{
	printf(*version ? "with %s %s\n" : "without %s\n", name, version);
}

static void show_version(void)
{
	static const struct { urlsift_dependency which; const char *name; } libraries[] = {
		{ URLSIFT_DEPENDENCY_PCRE2, "PCRE2" }, { URLSIFT_DEPENDENCY_IDN2, "libidn2" },
		{ URLSIFT_DEPENDENCY_PSL, "libpsl" }
	};
	printf("urlsift %s\n", urlsift_version());
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		char version[64] = ""; /* of which one byte stays NUL */
		urlsift_dependency_version(libraries[i].which, version, sizeof version - 1);
		show_library(libraries[i].name, version);
		if (libraries[i].which == URLSIFT_DEPENDENCY_PCRE2 && *version && !filter_has_jit())
			printf("without PCRE2's JIT compiler\n");
	}
#ifdef URLSIFT_WITH_ICONV
	printf("with iconv\n");
#else
	printf("without iconv\n");
#endif
	char text[WHY_SIZE];
	const char *library;
	for (size_t i = 0; (library = unpacker_library(i, text)); i++)
		show_library(library, text);
	show_library("SQLite", text_if(sqlite_version(text), text));
	sandbox_describe(text, sizeof text);
	printf("%s\n", text);
}

enum status help_verb(struct options *o)
{
	if (o->run.in.file_count > 1)
		return report_usage("help takes one verb");
	if (o->run.in.file_count) {
		const struct verb *v = verb_find(*o->run.in.files);
		if (!v)
			return verb_unknown("no such verb", *o->run.in.files);
		show_verb(v);
	} else {
		show_all();
	}
	return help_end();
}

enum status help_show(const struct options *o)
{
	if (o->action == ACTION_INTRODUCE) { /* nothing was asked for */
		fputs("urlsift lists the links in text, mail and HTML, and rejoins those broken by line ends.\n"
		      "It reads files, folders (with -r) and standard input.  Its other verbs open links, write\n"
		      "web pages, index archives, explain URLs, and more.\n"
		      "\n"
		      "  urlsift letter.txt                   the links in a file, one per line\n"
		      "  urlsift html letter.txt >page.html   the text as a web page\n"
		      "\n"
		      "The verbs and the most used options: urlsift -h.  All options: urlsift --help.\n", stderr);
		return STATUS_USAGE;
	}
	if (o->action == ACTION_VERSION)
		show_version();
	else if (o->action == ACTION_LIMITS)
		show_limits(o);
	else if (!o->implied)
		show_verb(o->verb);
	else if (o->action == ACTION_HELP)
		show_all();
	else {
		show_usage();
		printf("\nMost used options:\n");
		for (const struct option *row = option_table; row->name; row++)
			if (row->common)
				show_option(row, row->verbs);
		printf("\nMore: urlsift --help; urlsift VERB --help; man urlsift\n");
	}
	return help_end();
}

enum status help_end(void)
{
	int failed = fflush(stdout) | ferror(stdout);
	/* errno may be that of another call */
	return report_output("standard output", failed ? (int)number_or((uint64_t)errno, EIO) : 0);
}
