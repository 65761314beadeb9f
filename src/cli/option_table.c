#include "verbs.h"

#include "input/decompress.h"
#include "input/pool.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES " [OPTION]... [FILE]..."
#define URLS " [OPTION]... [URL]..."

const struct verb verb_table[] = {
	{ "list", VERB_LIST, parts_verb_list, "list", OUT_LINES, FILES, "print the links, one per line" },
	{ "html", VERB_HTML, pages_verb_html, "html", OUT_PAGE, FILES,
	  "print the text as a web page with its links as anchors" },
	{ "rewrite", VERB_REWRITE, rewrite_verb, "rewrite", OUT_TEXT, FILES,
	  "print the text with its links in another form" },
	{ "pick", VERB_PICK, pick_verb, "list", OUT_MENU, FILES, "show a menu of the links, to open or copy them" },
	{ "explain", VERB_EXPLAIN, url_verbs_explain, "list", OUT_LINES, URLS,
	  "explain URLs, part by part, and what is wrong with them" },
	{ "resolve", VERB_RESOLVE, url_verbs_resolve, "list", OUT_LINES, " [OPTION]... BASE [REFERENCE]...",
	  "make references relative to BASE absolute" },
	{ "normalise", VERB_NORMALISE, url_verbs_normalise, "list", OUT_LINES, URLS,
	  "print the forms by which URLs are compared" },
	{ .name = "normalize" },
	{ "schemes", VERB_SCHEMES, url_verbs_schemes, "list", OUT_LINES, "", "list the known schemes and their purposes" },
	{ "index", VERB_INDEX, WITH_SQLITE(index_verb), "json", OUT_INDEX, " [OPTION]... DATABASE [FILE]...",
	  "store the links of an archive in an SQLite database" },
	{ "shards", VERB_SHARDS, shards_verb, "json", OUT_TEXT, FILES, "divide the work among many machines" },
	{ "query", VERB_QUERY, WITH_SQLITE(query_verb), "list", OUT_LINES, " [OPTION]... DATABASE [QUESTION [ARGUMENT]...]",
	  "answer questions from an index: who posted what, and when" },
	{ "completions", VERB_COMPLETIONS, completions_verb, "list", OUT_TEXT, " bash|zsh|fish",
	  "print the completion script of a shell" },
	{ "help", VERB_HELP, help_verb, "list", OUT_TEXT, " [VERB]", "print help on the command or a verb" },
	{ .name = NULL },
};

/* ---- Ranges and values ------------------------------------------------------------ */

struct option_range option_range(const struct option *row)
{
	struct option_range range = { row->low, row->high, row->initial };
	urlsift_mail_limit limit;
	if (row->scan)
		urlsift_option_range((urlsift_option)row->field, &range.low, &range.high, &range.initial);
	else if (!row->high && row->limit)
		for (size_t i = 0; urlsift_mail_limit_at(i, &limit); i++)
			if (!strcmp(limit.name, row->limit))
				range = (struct option_range){ (long)limit.least, (long)limit.value, (long)limit.value };
	return range;
}

static void *field_of(struct options *o, const struct option *row)
{
	return (char *)o + row->field;
}

long option_value(const struct options *o, const struct option *row)
{
	if (row->scan)
		return urlsift_options_get(o->run.scan, (urlsift_option)row->field);
	return *(const long *)(const void *)((const char *)o + row->field);
}

/* The value is in the range. */
static enum status set_value(struct options *o, const struct option *row, long value)
{
	if (row->scan)
		urlsift_options_set(o->run.scan, (urlsift_option)row->field, value);
	else
		*(long *)field_of(o, row) = value;
	return STATUS_DONE;
}

/* ---- Setters ---------------------------------------------------------------------- */

static enum status set_flag(struct options *o, const struct option *row, const char *value)
{
	(void)value;
	if (row->scan)
		return set_value(o, row, 1);
	*(int *)field_of(o, row) = 1;
	return STATUS_DONE;
}

static enum status set_text(struct options *o, const struct option *row, const char *value)
{
	*(const char **)field_of(o, row) = value;
	return STATUS_DONE;
}

/* A second file would replace the first one in silence. */
static enum status report_once(const struct option *row)
{
	return report_usage("--%s can be given only once", row->name);
}

static enum status set_names(struct options *o, const struct option *row, const char *value)
{
	return *(const char **)field_of(o, row) ? report_once(row) : set_text(o, row, value);
}

/* The output format of the option's name. */
static enum status set_output(struct options *o, const struct option *row, const char *value)
{
	(void)value;
	o->run.out.format = row->name;
	return STATUS_DONE;
}

static enum status set_format(struct options *o, const struct option *row, const char *value)
{
	const char *bad = urlsift_render_fault(&(urlsift_render_options){ .line_format = value }, NULL);
	urlsift_directive d;
	char names[256];
	size_t n = 0;
	if (!bad)
		return set_text(o, row, value);
	for (size_t i = 0; urlsift_render_directive_at(i, &d) && n < sizeof names; i++)
		n += (size_t)snprintf(names + n, sizeof names - n, " %s", d.name);
	return report_usage("--%s: '%.2s' is not one of%s", row->name, bad, names);
}

static enum status set_columns(struct options *o, const struct option *row, const char *value)
{
	size_t n;
	const char *bad = urlsift_render_fault(&(urlsift_render_options){ .columns = value }, &n);
	if (bad)
		return report_usage("--%s: '%.*s' is not a column; see urlsift(1)", row->name, (int)n, bad);
	set_text(o, row, value);
	return set_output(o, row, NULL);
}

static enum status set_pattern(struct options *o, const struct option *row, const char *value)
{
	struct name_patterns *p = field_of(o, row);
	if (p->count == NAME_PATTERNS)
		return report_usage("--%s can be given %d times", row->name, NAME_PATTERNS);
	p->item[p->count++] = value;
	return STATUS_DONE;
}

static enum status set_in_place(struct options *o, const struct option *row, const char *value)
{
	return set_text(o, row, value ? value : "");
}

/* The words of the row, and a template. */
static enum status set_form(struct options *o, const struct option *row, const char *value)
{
	const char *bad = urlsift_render_fault(&(urlsift_render_options){ .form = value }, NULL);
	if (!bad)
		return set_text(o, row, value);
	if (bad == value)
		return report_usage("--%s takes %s, not '%s'", row->name, row->argument, value);
	return report_usage("--%s: '%.2s' is not one of the directives of list --format", row->name, bad);
}

/* Reads decimal digits at *text, and moves it behind them.  False for anything else, and what is too large. */
static bool read_number(const char **text, uint64_t *number)
{
	char *end;
	errno = 0;
	*number = strtoull(*text, &end, 10);
	const bool good = !errno && isdigit((unsigned char)**text);
	*text = end;
	return good;
}

/* The value may be missing if that is allowed. */
static enum status set_number(struct options *o, const struct option *row, const char *value)
{
	const struct option_range range = option_range(row);
	const char *end = value;
	uint64_t n = 1;
	if (value && (!read_number(&end, &n) || *end || n < (uint64_t)range.low || n > (uint64_t)range.high))
		return report_usage("--%s takes a number from %ld to %ld, not '%s'", row->name, range.low, range.high, value);
	return set_value(o, row, (long)n);
}

static enum status set_choice(struct options *o, const struct option *row, const char *value)
{
	const long i = option_word_find(row, value);
	if (i < 0)
		return report_usage("--%s takes %s, not '%s'", row->name, row->argument, value);
	return set_value(o, row, i);
}

/* "both" has the scanner keep hyphens, and the output add the other readings. */
static enum status set_hyphen(struct options *o, const struct option *row, const char *value)
{
	o->run.out.hyphen_both = !strcmp(value, "both");
	return set_choice(o, row, o->run.out.hyphen_both ? "keep" : value);
}

/* Numbers with colons between: how many they are, 0 for anything else. */
static size_t read_numbers(const char *text, uint64_t number[3])
{
	size_t count = 0;
	while (count < 3 && read_number(&text, &number[count++])) {
		if (!*text)
			return count;
		if (*text++ != ':')
			break;
	}
	return 0;
}

/* A number of bytes, perhaps with K, M or G. */
static enum status set_size(struct options *o, const struct option *row, const char *value)
{
	const char *end = value;
	uint64_t n;
	const bool good = read_number(&end, &n);
	const size_t unit = strcspn("KMG", (const char[]){ *end, '\0' });
	const size_t shift = unit < 3 ? 10 * (unit + 1) : 0;
	end += unit < 3;
	if (!good || *end || n == 0 || n > (uint64_t)INT64_MAX >> shift)
		return report_usage("--%s takes a number of bytes, such as 64M, not '%s'", row->name, value);
	*(uint64_t *)field_of(o, row) = n << shift;
	return STATUS_DONE;
}

static enum status set_range(struct options *o, const struct option *row, const char *value)
{
	uint64_t number[3] = { 0, 0, 1 };
	const size_t count = read_numbers(value, number);
	if (count < 2 || !number[2])
		return report_usage("--%s takes %s, not '%s'", row->name, row->argument, value);
	uint64_t from = number[0], length = number[1];
	o->run.in.range = true;
	o->run.in.range_line = !from || count == 3 ? number[2] : 0;
	if (!length) /* No message begins in an empty range, nor so far beyond the end of any file. */
		from = INT64_MAX / 2;
	o->run.in.range_from = from;
	o->run.in.range_to = length < UINT64_MAX - from ? from + length : UINT64_MAX;
	return STATUS_DONE;
}

static enum status set_lang(struct options *o, const struct option *row, const char *value)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
	if (!*value || value[strspn(value, allowed)])
		return report_usage("--%s takes a language tag, such as en or pt-BR, not '%s'", row->name, value);
	return set_text(o, row, value);
}

/* The text of a file, for free(); NULL if it cannot be read or is too large, which is reported. */
static char *read_text(const struct option *row, const char *name)
{
	enum { MOST = 1024 * 1024 };
	char why[WHY_SIZE], *text = memory_get(MOST + 2);
	FILE *file = fopen(name, "rb");
	size_t n = file ? fread(text, 1, MOST + 1, file) : 0;
	bool good = file && !ferror(file) && n <= MOST;
	int error = n > MOST ? EFBIG : errno;
	if (file)
		fclose(file);
	if (good) {
		text[n] = '\0';
		return text;
	}
	free(text);
	report_why(why, error);
	report("--%s: %s: %s", row->name, name, why);
	return NULL;
}

static enum status set_style(struct options *o, const struct option *row, const char *value)
{
	free(o->style);
	o->run.out.style = o->style = read_text(row, value);
	return o->style ? STATUS_DONE : STATUS_INPUT;
}

static enum status set_link_rules(struct options *o, const struct option *row, const char *value)
{
	urlsift_rule_fault fault;
	if (o->link_rules)
		return report_once(row);
	char *text = read_text(row, value);
	if (!text)
		return STATUS_INPUT;
	urlsift_status status = urlsift_link_rules_new(NULL, text, strlen(text), &o->link_rules, &fault);
	free(text);
	urlsift_options_set_link_rules(o->run.scan, o->link_rules);
	if (memory_status(status) == URLSIFT_OK)
		return STATUS_DONE;
	if (status == URLSIFT_NOT_BUILT)
		return report_usage("--%s: %s", row->name, urlsift_status_text(status));
	report("--%s: %s:%zu: %s", row->name, value, fault.line, fault.what);
	return STATUS_USAGE;
}

/* The schemes that a misspelt one may mean: the most frequent first. */
static const char *scheme_word(size_t i, const void *of)
{
	static const char *const first[] = { "http", "https", "mailto" };
	const size_t count = sizeof first / sizeof *first;
	urlsift_scheme row;
	(void)of;
	if (i < count)
		return first[i];
	return urlsift_scheme_at(i - count, &row) ? row.name : NULL;
}

/* Names the scheme that may be meant by one that is unknown, which a text may have all the same. */
static void hint_schemes(const struct option *row, const char *list)
{
	urlsift_scheme known;
	for (size_t n; *list; list += n + (list[n] == ',')) {
		char name[32];
		n = strcspn(list, ",");
		snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : 0), list);
		bool unknown = *name && !urlsift_scheme_find(name, n, &known);
		const char *near = unknown ? nearest_word(name, scheme_word, NULL) : NULL;
		if (near)
			report("--%s: '%s' is not a known scheme (did you mean %s?)", row->name, name, near);
	}
}

/* The field is an enum filter_kind. */
static enum status set_filter(struct options *o, const struct option *row, const char *value)
{
	if (o->filter_count < sizeof o->filters / sizeof *o->filters)
		o->filters[o->filter_count++] = (struct given_filter){ row->name, value ? value : "" };
	enum status status = filter_add(o->run.filter, (enum filter_kind)row->field, row->name, value);
	if (status == STATUS_DONE && (row->field == FILTER_SCHEME || row->field == FILTER_NOT_SCHEME))
		hint_schemes(row, value);
	return status;
}

/* The field is an enum action. */
static enum status set_action(struct options *o, const struct option *row, const char *value)
{
	(void)value;
	o->action = (enum action)row->field;
	return STATUS_DONE;
}

const char *option_word(const struct option *row, unsigned i, size_t *length)
{
	const char *words = row->argument && strchr(row->argument, '|') ? row->argument : NULL;
	if (row->set == set_filter)
		words = filter_name((enum filter_kind)row->field, i);
	for (; words && row->set != set_filter && i > 0; i--) {
		words += strcspn(words, "|");
		words = *words ? words + 1 : NULL;
	}
	*length = words ? strcspn(words, "|") : 0;
	return words;
}

long option_word_find(const struct option *row, const char *value)
{
	size_t n;
	const char *word;
	for (unsigned i = 0; (word = option_word(row, i, &n)); i++)
		if (n == strlen(value) && !memcmp(word, value, n))
			return i;
	return -1;
}

bool option_text(const struct options *o, const struct option *row, char *to, size_t size)
{
	const void *field = (const char *)o + row->field;
	size_t length = 0;
	*to = '\0';
	if (row->set == set_flag)
		return row->scan ? option_value(o, row) : *(const int *)field;
	if (row->set == set_text) {
		const char *text = *(const char *const *)field;
		snprintf(to, size, "%s", text ? text : "");
		return text;
	}
	if (row->set == set_number) {
		snprintf(to, size, "%ld", option_value(o, row));
	} else if (row->set == set_choice || row->set == set_hyphen) {
		const char *word = option_word(row, (unsigned)option_value(o, row), &length);
		snprintf(to, size, "%.*s", (int)length, word);
	}
	return *to && option_value(o, row) != option_range(row).initial;
}

/* ---- The table -------------------------------------------------------------------- */

#define FIELD(name) .field = offsetof(struct options, name)
#define SELECTS(output) .outputs = OUT_##output, .selects = true
#define SCAN(option) .scan = true, .field = URLSIFT_OPT_##option

/* Defaults of choices and numbers are added to the help. */
const struct option option_table[] = {
	{ "json", 0, NULL, VERB_LIST, set_output, SELECTS(JSON), .group = "Listing",
	  .help = "one JSON object per line, with all details",
	  .common = true },
	{ "csv", 0, "[=COLUMN,...]", VERB_LIST, set_columns, FIELD(run.out.columns), SELECTS(CSV),
	  .help = "comma-separated values with a header row; columns\nare keys of --json, by default source, line, text,\n"
	          "label, warnings" },
	{ "unique", 'u', NULL, VERB_LIST, set_flag, FIELD(run.unique), .help = "list each link only once",
	  .common = true },
	{ "count", 'c', NULL, VERB_LIST, set_flag, FIELD(run.out.count), SELECTS(COUNT),
	  .help = "print only the number of links of each file",
	  .common = true },
	{ "files-with-links", 'l', NULL, VERB_LIST, set_flag, FIELD(run.out.names), SELECTS(NAMES),
	  .help = "print only the names of files with links" },
	{ "quiet", 'q', NULL, VERB_LIST, set_flag, FIELD(run.quiet),
	  .help = "print nothing; the exit status is 0 if there is a\nlink, and 1 if there is none" },
	{ "with-filename", 'H', NULL, VERB_LIST, set_flag, FIELD(run.out.with_filename),
	  .outputs = OUT_LINES | OUT_COUNT | OUT_JSON,
	  .help = "print the file name before each link" },
	{ "no-filename", 'I', NULL, VERB_LIST, set_flag, FIELD(no_filename), .outputs = OUT_LINES | OUT_COUNT,
	  .help = "do not print file names (by default -n, -b and -c\nprint them for several files)" },
	{ "line-number", 'n', NULL, VERB_LIST | VERB_HTML, set_flag, FIELD(run.out.line_number),
	  .outputs = OUT_LINES | OUT_JSON | OUT_PAGE | OUT_FRAGMENT,
	  .help = "print the line number before each link; in a page,\nbefore each line",
	  .common = true },
	{ "byte-offset", 'b', NULL, VERB_LIST, set_flag, FIELD(run.out.byte_offset),
	  .outputs = OUT_LINES | OUT_JSON,
	  .help = "print the byte offset before each link" },
	{ "encoded", 0, NULL, VERB_LIST, set_flag, FIELD(run.out.encoded), .outputs = OUT_LINES,
	  .help = "print links in ASCII, percent-encoded" },
	{ "unwrap", 0, NULL, VERB_LIST | VERB_EXPLAIN, set_flag, FIELD(run.out.unwrap),
	  .outputs = OUT_LINES | OUT_FORMAT | OUT_JSON | OUT_CSV,
	  .help = "print the targets that link rewriters such as Safe\nLinks hide; does not use the network" },
	{ "format", 0, "TEMPLATE", VERB_LIST, set_format, FIELD(run.out.line_format), SELECTS(FORMAT),
	  .help = "print a template for each link, such as '%l %u';\nsee urlsift(1)",
	  .common = true },
	{ "context", 0, "[=N]", VERB_LIST, set_number, FIELD(run.out.context), .low = 0, .high = 100,
	  .help = "with --json, add the text around each link: of its\nline, or of N lines that begin or end with it" },
	{ "line-buffered", 0, NULL, VERB_LIST | VERB_HTML | VERB_REWRITE, set_flag, FIELD(run.line_buffered), .how = true,
	  .help = "write each link at once, also of files; at the\nend of a line it waits, but for --join=never" },
	{ "color", 0, "auto|always|never", VERB_LIST | VERB_REWRITE, set_choice, FIELD(color), .initial = COLOR_AUTO,
	  .outputs = OUT_LINES | OUT_COUNT | OUT_NAMES | OUT_TERM, .word = "always",
	  .help = "use colours: auto means on a terminal, but not if\nNO_COLOR is set" },

	{ "fragment", 0, NULL, VERB_HTML, set_flag, FIELD(run.out.fragment), SELECTS(FRAGMENT), .group = "Page",
	  .help = "write only the text and links, without a page" },
	{ "title", 0, "TEXT", VERB_HTML, set_text, FIELD(run.out.title), .outputs = OUT_PAGE | OUT_FOLDER,
	  .help = "title of the page, not its subject or file name" },
	{ "lang", 0, "TAG", VERB_HTML, set_lang, FIELD(run.out.lang), .help = "language of the text, such as de or pt-BR" },
	{ "css", 0, "FILE", VERB_HTML, set_style,
	  .outputs = OUT_PAGE | OUT_FOLDER, .help = "add this style sheet to the page" },
	{ "output", 'o', "FILE", VERB_HTML, set_text, FIELD(pages.output),
	  .help = "write an archive of mail as a folder of pages, or\none page if FILE ends in .html" },

	{ "site", 0, "URL", VERB_HTML, set_text, FIELD(pages.site), .outputs = OUT_FOLDER, .how = true,
	  .help = "with -o, the address that the folder will have" },
	{ "search", 0, "URL", VERB_HTML, set_text, FIELD(pages.search), .outputs = OUT_FOLDER, .how = true,
	  .help = "with -o, a search form for a URL such as\nhttps://a.example/?q=" },
	{ "reply", 0, "ADDRESS", VERB_HTML, set_text, FIELD(pages.reply), .outputs = OUT_FOLDER, .how = true,
	  .help = "with -o, links for replies to this mail address" },
	{ "mask-addresses", 0, NULL, VERB_HTML, set_flag, FIELD(pages.mask_addresses), .outputs = OUT_FOLDER, .how = true,
	  .help = "with -o, leave out the hosts of mail addresses" },

	{ "as", 0, "join|wrap|angle|markdown|org|rst|gemtext|term|defang|refang|template:TEMPLATE", VERB_REWRITE, set_form,
	  FIELD(run.out.form), .group = "Form", .help = "the form of links; see urlsift(1)" },
	{ "width", 0, "N", VERB_REWRITE, set_number, FIELD(run.out.width), .low = 20, .high = 1000, .initial = 72,
	  .outputs = OUT_WRAP,
	  .help = "columns of a line with a link for --as=wrap" },

	{ "mail", 0, NULL, VERB_REWRITE, set_flag, FIELD(rewrite.mail), .how = true,
	  .help = "write the whole message back, with its text/plain\n"
	          "parts rewritten; defang and refang also its HTML\nand its header" },
	{ "in-place", 0, "[=SUFFIX]", VERB_REWRITE, set_in_place, FIELD(rewrite.in_place), .how = true,
	  .help = "replace the files: plain text, or with --mail\nmessages; with SUFFIX, keep the old ones" },

	{ "open", 0, "COMMAND", VERB_PICK, set_text, FIELD(pick.open), .outputs = OUT_MENU, .group = "Choice",
	  .help = "open links with this command, by default $BROWSER,\nxdg-open or open" },
	{ "print", 0, NULL, VERB_PICK, set_flag, FIELD(pick.print), SELECTS(PRINT),
	  .help = "print the chosen links instead of opening them" },
	{ "once", 0, NULL, VERB_PICK, set_flag, FIELD(pick.once),
	  .outputs = OUT_MENU | OUT_PRINT, .help = "leave after links were opened or copied" },

	{ "email", 0, NULL, VERB_TEXT, set_flag, SCAN(EMAIL), .group = "What is a link",
	  .help = "also find email addresses",
	  .common = true },
	{ "domains", 0, NULL, VERB_TEXT, set_flag, SCAN(DOMAINS),
	  .help = "also find bare domain names, like example.org/x" },
	{ "www", 0, "http|https", VERB_TEXT, set_choice, SCAN(WWW_HTTPS),
	  .help = "scheme of names that begin with www." },
	{ "refang", 0, NULL, VERB_TEXT, set_flag, SCAN(REFANG),
	  .help = "also find defanged links, like hxxp://a[.]example,\nand restore them" },
	{ "rules", 0, "FILE", VERB_TEXT, set_link_rules,
	  .help = "find links also by rules of FILE, one per line:\n\"PATTERN => TEMPLATE\"; see urlsift(1)" },
	{ "join", 0, "never|declared|sure|likely", VERB_TEXT, set_choice, SCAN(JOIN),
	  .help = "which links broken by a line end to join, outside\nof brackets",
	  .common = true },
	{ "hyphen", 0, "keep|drop|both", VERB_TEXT, set_hyphen, SCAN(HYPHEN),
	  .outputs = OUT_LINES | OUT_FORMAT | OUT_JSON, .word = "both",
	  .help = "what to do with a hyphen at the end of a line\nwithin a link" },
	{ "charset", 0, "NAME", VERB_TEXT, set_text, FIELD(charset),
	  .help = "charset of the input (by default UTF-8, with\ninvalid bytes read as windows-1252)" },
	{ "base", 0, "URL", VERB_TEXT, set_text, FIELD(base), .help = "base of the relative URLs in <URL:...>" },

	{ "input", 0, "auto|text|html|mail|mbox|mmdf|warc|maildir|mh|spool|inbox", VERB_TEXT, set_choice,
	  FIELD(run.in.input),
	  .group = "Mail", .initial = INPUT_AUTO, .help = "type of the input" },
	{ "headers", 0, "none|urls|all", VERB_TEXT, set_choice, FIELD(run.headers), .initial = URLSIFT_HEADERS_URLS,
	  .help = "header fields to search: none, those that carry\nURLs, or all" },
	{ "resources", 0, NULL, VERB_TEXT, set_flag, FIELD(run.resources),
	  .help = "in HTML, also find what a page loads: scripts,\nstyle sheets and what they load, images, media" },
	{ "message-ids", 0, NULL, VERB_TEXT, set_flag, FIELD(run.message_ids), .help = "also find message identifiers" },
	{ "range", 0, "OFFSET:LENGTH[:LINE]", VERB_TEXT & ~(VERB_INDEX | VERB_SHARDS), set_range,
	  .help = "in an mbox, read only messages that begin in this\nrange of bytes; LINE is the line at OFFSET" },

	{ "scheme", 0, "NAME,...", VERB_TEXT, set_filter, .field = FILTER_SCHEME, .group = "Filters",
	  .help = "only links with these schemes" },
	{ "not-scheme", 0, "NAME,...", VERB_TEXT, set_filter, .field = FILTER_NOT_SCHEME,
	  .help = "no links with these schemes" },
	{ "host", 0, "GLOB", VERB_TEXT, set_filter, .field = FILTER_HOST,
	  .help = "only links to these hosts; .a.example: all below,\ntoo; * matches any text, ? any character",
	  .common = true },
	{ "not-host", 0, "GLOB", VERB_TEXT, set_filter, .field = FILTER_NOT_HOST, .help = "no links to these hosts" },
	{ "match", 0, "REGEX", VERB_TEXT, set_filter, .field = FILTER_MATCH, .help = "only links that match (PCRE2)" },
	{ "not-match", 0, "REGEX", VERB_TEXT, set_filter, .field = FILTER_NOT_MATCH,
	  .help = "only links that do not match" },
	{ "convention", 0, "NAME,...", VERB_TEXT, set_filter, .field = FILTER_CONVENTION,
	  .help = "only links written in these ways: wrapper, angle,\nquoted, prefix, bare, schemeless, email, rule" },
	{ "delimited", 0, NULL, VERB_TEXT, set_filter, .field = FILTER_DELIMITED,
	  .help = "only links in <URL:...>, <...> or quotation marks" },
	{ "valid", 0, "GRAMMAR,...", VERB_TEXT, set_filter, .field = FILTER_VALID,
	  .help = "only links valid under rfc1738, rfc3986 or rfc3987" },
	{ "warned", 0, "[=NAME,...]", VERB_TEXT, set_filter, .field = FILTER_WARNED,
	  .help = "only links with a warning, or with one of these",
	  .common = true },
	{ "no-warning", 0, "NAME,...", VERB_TEXT, set_filter, .field = FILTER_NO_WARNING,
	  .help = "no links with these warnings, or \"any\" warning;\nsee urlsift(1)" },

	{ "recursive", 'r', NULL, VERB_TEXT, set_flag, FIELD(run.in.recursive), .group = "Work",
	  .how = true, .help = "read the files in folders and their subfolders",
	  .common = true },
	{ "include", 0, "GLOB", VERB_TEXT, set_pattern, FIELD(run.in.choice.include),
	  .how = true, .help = "with -r, only files with such a name" },
	{ "exclude", 0, "GLOB", VERB_TEXT, set_pattern, FIELD(run.in.choice.exclude),
	  .how = true, .help = "with -r, no files and folders with such a name" },
	{ "hidden", 0, NULL, VERB_TEXT, set_flag, FIELD(run.in.choice.hidden),
	  .how = true, .help = "with -r, also hidden files and folders" },
	{ "files-from", 0, "FILE", VERB_TEXT, set_names, FIELD(run.in.files_from),
	  .how = true, .help = "also read the files named in FILE, one per line" },
	{ "null", '0', NULL, VERB_TEXT, set_flag, FIELD(run.out.null_separated),
	  .outputs = OUT_LINES | OUT_FORMAT | OUT_COUNT | OUT_NAMES | OUT_FILES_FROM,
	  .how = true, .help = "end names in --files-from, and the lines of list,\nwith NUL" },
	{ "label", 0, "NAME", VERB_LIST | VERB_HTML | VERB_INDEX, set_text, FIELD(run.in.label), .how = true,
	  .help = "the name of standard input in results" },
	{ "jobs", 'j', "N", VERB_TEXT, set_number, FIELD(run.jobs), .low = 1, .high = POOL_JOBS,
	  .how = true, .help = "number of threads, by default one per processor;\nthe output does not depend on it" },
	{ "progress", 0, NULL, VERB_TEXT, set_flag, FIELD(run.progress),
	  .how = true, .help = "report progress even if standard error is not a\nterminal" },
	{ "summary", 0, NULL, VERB_TEXT, set_flag, FIELD(run.summary), .how = true, .help = "report totals at the end" },
	{ "fail-if-none", 0, NULL, VERB_TEXT, set_flag, FIELD(run.fail_if_none),
	  .how = true, .help = "exit with status 1 if there are no links" },

	{ "root", 0, "DIR", VERB_INDEX | VERB_HTML, set_text, FIELD(archive.root),
	  .outputs = OUT_FOLDER | OUT_INDEX, .how = true, .group = "Index",
	  .help = "names of files in the index are relative to it" },
	{ "full", 0, NULL, VERB_INDEX | VERB_HTML, set_flag, FIELD(archive.full),
	  .outputs = OUT_FOLDER | OUT_INDEX, .how = true,
	  .help = "read all files again, changed or not" },
	{ "prune", 0, NULL, VERB_INDEX | VERB_HTML, set_flag, FIELD(archive.prune),
	  .outputs = OUT_FOLDER | OUT_INDEX, .how = true,
	  .help = "delete the links, and with html -o the pages, of\nmessages that no longer exist" },
	{ "append-only", 0, NULL, VERB_INDEX | VERB_HTML, set_flag, FIELD(archive.append_only),
	  .outputs = OUT_FOLDER | OUT_INDEX, .how = true,
	  .help = "mailboxes only grow: look for other changes just\nbefore the place where reading goes on" },
	{ "plan", 0, "FILE", VERB_HTML, set_text, FIELD(archive.plan), .outputs = OUT_FOLDER, .how = true,
	  .help = "with -o, the database of the pages; by default\nDIR/.urlsift/plan.db" },
	{ "cache", 0, "MIB", VERB_INDEX, set_number, FIELD(archive.cache),
	  .how = true, .low = 1, .high = 1048576, .initial = 256,
	  .help = "memory for pages of the database" },
	{ "size", 0, "SIZE", VERB_SHARDS, set_size, FIELD(run.shard_size), .how = true, .group = "Many machines",
	  .help = "size of a piece, such as 64M; by default 256M" },
	{ "shards-from", 0, "FILE", VERB_LIST | VERB_INDEX | VERB_SHARDS, set_text, FIELD(archive.shards_from), .how = true,
	  .help = "read only the pieces listed in FILE" },
	{ "parts", 0, "DIR", VERB_LIST | VERB_INDEX | VERB_SHARDS, set_text, FIELD(archive.parts), .how = true,
	  .help = "write the result of each piece to its own file" },
	{ "todo", 0, NULL, VERB_SHARDS, set_flag, FIELD(archive.todo), .how = true,
	  .help = "print the pieces that have no part in --parts yet" },
	{ "merge", 0, NULL, VERB_INDEX, set_flag, FIELD(archive.merge), .how = true,
	  .help = "add parts to the database" },

	{ "json", 0, NULL, VERB_EXPLAIN | VERB_SCHEMES | VERB_QUERY, set_output, SELECTS(JSON), .group = "Output",
	  .help = "one JSON object per line" },
	{ "csv", 0, NULL, VERB_QUERY, set_flag, FIELD(query.csv), SELECTS(CSV),
	  .how = true, .help = "comma-separated values with a header" },
	{ "header", 0, NULL, VERB_QUERY, set_flag, FIELD(query.header), .outputs = OUT_LINES, .how = true,
	  .help = "print the names of the columns first" },
	{ "no-footers", 0, NULL, VERB_QUERY, set_flag, FIELD(query.no_footers),
	  .outputs = OUT_LINES | OUT_JSON | OUT_CSV, .how = true,
	  .help = "without links that half the messages of a list\nhave" },
	{ "sql", 0, NULL, VERB_QUERY, set_flag, FIELD(query.sql),
	  SELECTS(SQL), .how = true, .help = "print the SQL of the question" },
	{ "rules", 0, "rfc3986|rfc1630", VERB_RESOLVE, set_choice, FIELD(resolution), .initial = URLSIFT_RESOLVE_RFC3986,
	  .group = "Single URLs", .help = "the rules of resolution" },

	{ "max-breaks", 0, "N", VERB_TEXT, set_number, SCAN(MAX_BREAKS),
	  .group = "Limits", .limit = "line-breaks", .help = "line breaks in a link" },
	{ "max-alternates", 0, "N", VERB_TEXT, set_number, SCAN(MAX_ALTERNATES),
	  .limit = "alternates", .help = "other readings of a link" },
	{ "max-url-length", 0, "BYTES", VERB_TEXT | VERB_URL, set_number, SCAN(MAX_URL),
	  .limit = "url-length", .help = "bytes of a link" },
	{ "max-depth", 0, "N", VERB_TEXT, set_number, FIELD(run.max_depth), .limit = "mime-depth",
	  .help = "levels of nested parts of a message" },
	{ "max-parts", 0, "N", VERB_TEXT, set_number, FIELD(run.max_parts), .limit = "parts",
	  .help = "parts of a message" },
	{ "max-header", 0, "BYTES", VERB_TEXT, set_number, FIELD(run.max_header), .limit = "header-block",
	  .help = "bytes of a header block" },
	{ "unique-limit", 0, "N", VERB_LIST, set_number, FIELD(run.unique_limit), .low = 1, .high = 1000000000,
	  .initial = 1000000, .limit = "unique", .help = "links that --unique remembers" },
	{ "match-limit", 0, "N", VERB_TEXT, set_number, FIELD(run.match_limit), .low = 1, .high = 1000000000,
	  .initial = 1000000, .limit = "match", .help = "matching steps of --match for a link" },

	{ "max-expand", 0, "N", VERB_TEXT, set_number, FIELD(run.in.max_expand), .low = 1, .high = 1000000000,
	  .initial = 250,
	  .limit = "expansion", .help = "decompressed bytes for each compressed byte" },
	{ "nest", 0, "N", VERB_TEXT, set_number, FIELD(run.in.nest), .high = UNPACK_NEST, .initial = 1, .limit = "nest",
	  .help = "levels of archives within archives" },

	{ "help", 'h', NULL, VERB_ALL, set_action, .field = ACTION_HELP, .how = true, .group = "Other",
	  .help = "print all options, or after a verb those it takes;\n-h prints the most common ones" },
	{ "version", 'V', NULL, VERB_ALL, set_action, .field = ACTION_VERSION, .how = true,
	  .help = "print the versions of urlsift and its libraries" },
	{ "limits", 0, NULL, VERB_ALL, set_action, .field = ACTION_LIMITS, .how = true,
	  .help = "print all limits with their values and options" },
	{ "no-sandbox", 0, NULL, VERB_TEXT | VERB_URL | VERB_QUERY, set_flag, FIELD(run.box.no_sandbox), .how = true,
	  .help = "keep the rights to open other files and run\nprograms; see urlsift(1)" },
	{ "require-sandbox", 0, NULL, VERB_TEXT | VERB_URL | VERB_QUERY, set_flag, FIELD(run.box.require_sandbox),
	  .how = true,
	  .help = "fail where the sandbox cannot be set up" },
	{ .name = NULL },
};

void options_init(struct options *o)
{
	*o = (struct options){ .here = ".", .run = { .in.cut = INPUTS_RANGE, .output = STDOUT_FILENO,
	                                             .shard_size = 256 * 1024 * 1024 } };
	o->run.scan = memory_checked(urlsift_options_new(NULL));
	o->run.filter = filter_new();
	for (const struct option *row = option_table; row->name; row++)
		if (row->set == set_number || row->set == set_choice || row->set == set_hyphen)
			set_value(o, row, option_range(row).initial);
	o->run.jobs = pool_processors();
}
