#include "verbs.h"
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FILES " [OPTION]... [FILE]..."

const struct verb verb_table[] = {
	{ "list", VERB_LIST, run_options, "list", FILES, "the links, one a line, in order" },
	{ "html", VERB_HTML, run_options, "html", FILES, "the text as a web page, its links to click on" },
	{ "explain", VERB_EXPLAIN, url_verbs_explain, "list", " [OPTION]... [URL]...",
	  "what URLs mean, part by part, and what is wrong with them" },
	{ "resolve", VERB_RESOLVE, url_verbs_resolve, "list", " [OPTION]... BASE [REFERENCE]...",
	  "the absolute URLs of references on a page" },
	{ "normalise", VERB_NORMALISE, url_verbs_normalise, "list", " [URL]...", "the form by which URLs are compared" },
	{ "schemes", VERB_SCHEMES, url_verbs_schemes, "list", "", "the schemes that are known, and what they are for" },
	{ "term", 0, NULL, NULL, NULL, NULL },
	{ "wrap", 0, NULL, NULL, NULL, NULL },
	{ "defang", 0, NULL, NULL, NULL, NULL },
	{ NULL, 0, NULL, NULL, NULL, NULL },
};

static void *field_of(struct options *o, const struct option *row)
{
	return (char *)o + row->field;
}

static bool set_flag(struct options *o, const struct option *row, const char *value)
{
	(void)value;
	*(int *)field_of(o, row) = 1;
	return true;
}

static bool set_text(struct options *o, const struct option *row, const char *value)
{
	*(const char **)field_of(o, row) = value;
	return true;
}

/* The format of the option's name. */
static bool set_output(struct options *o, const struct option *row, const char *value)
{
	(void)value;
	o->run.out.format = row->name;
	return true;
}

static bool set_format(struct options *o, const struct option *row, const char *value)
{
	const char *bad = urlsift_render_format_fault(value);
	if (bad) {
		report_usage("--%s: '%.2s' is none of %%u %%U %%N %%s %%k %%l %%c %%o %%f %%%% \\n \\t \\\\", row->name, bad);
		return false;
	}
	return set_text(o, row, value);
}

static bool set_number(struct options *o, const struct option *row, const char *value)
{
	char *end;
	errno = 0;
	long n = strtol(value, &end, 10);
	if (errno || *end || *value < '0' || *value > '9' || n < row->low || n > row->high) {
		report_usage("--%s takes a number from %ld to %ld, not '%s'", row->name, row->low, row->high, value);
		return false;
	}
	*(long *)field_of(o, row) = n;
	return true;
}

/* The number of a word in a list with | between, -1 when it is not there. */
static long word_index(const char *words, const char *word)
{
	size_t length = strlen(word);
	for (long i = 0;; i++) {
		size_t n = strcspn(words, "|");
		if (n == length && !memcmp(words, word, n))
			return i;
		if (!words[n])
			return -1;
		words += n + 1;
	}
}

static bool set_choice(struct options *o, const struct option *row, const char *value)
{
	long i = word_index(row->argument, value);
	if (i < 0) {
		report_usage("--%s takes %s, not '%s'", row->name, row->argument, value);
		return false;
	}
	*(long *)field_of(o, row) = i;
	return true;
}

static bool set_later(struct options *o, const struct option *row, const char *value)
{
	(void)o;
	(void)value;
	report_usage("--%s is not in this version", row->name);
	return false;
}

/* OFFSET:LENGTH, in bytes. */
static bool set_range(struct options *o, const struct option *row, const char *value)
{
	char *end;
	errno = 0;
	unsigned long long from = strtoull(value, &end, 10);
	const char *second = *end == ':' ? end + 1 : "";
	unsigned long long length = strtoull(second, &end, 10);
	if (errno || *end || *value < '0' || *value > '9' || *second < '0' || *second > '9') {
		report_usage("--%s takes %s, two numbers of bytes, not '%s'", row->name, row->argument, value);
		return false;
	}
	o->run.range = true;
	if (!length) /* no message begins in it, nor where there is no file */
		from = INT64_MAX / 2;
	o->run.range_from = from;
	o->run.range_to = length < UINT64_MAX - from ? from + length : UINT64_MAX;
	return true;
}

static bool set_action(struct options *o, const struct option *row, const char *value)
{
	(void)value;
	o->action = (enum action)row->low;
	return true;
}

static bool set_schemes(struct options *o, const struct option *row, const char *value)
{
	return filter_add_schemes(o->run.filter, row->name, value);
}

static bool set_not_schemes(struct options *o, const struct option *row, const char *value)
{
	return filter_add_not_schemes(o->run.filter, row->name, value);
}

static bool set_host(struct options *o, const struct option *row, const char *value)
{
	return filter_add_host(o->run.filter, row->name, value);
}

static bool set_match(struct options *o, const struct option *row, const char *value)
{
	return filter_add_match(o->run.filter, row->name, value);
}

static bool set_not_match(struct options *o, const struct option *row, const char *value)
{
	return filter_add_not_match(o->run.filter, row->name, value);
}

static bool set_conventions(struct options *o, const struct option *row, const char *value)
{
	return filter_add_conventions(o->run.filter, row->name, value);
}

static bool set_valid(struct options *o, const struct option *row, const char *value)
{
	return filter_add_grammars(o->run.filter, row->name, value);
}

static bool set_no_warning(struct options *o, const struct option *row, const char *value)
{
	return filter_add_no_warnings(o->run.filter, row->name, value);
}

static bool set_warned(struct options *o, const struct option *row, const char *value)
{
	(void)row;
	(void)value;
	filter_set_warned(o->run.filter);
	return true;
}

static bool set_delimited(struct options *o, const struct option *row, const char *value)
{
	(void)row;
	(void)value;
	filter_set_delimited(o->run.filter);
	return true;
}

#define FIELD(name) offsetof(struct options, name)

/* name, letter, argument, verbs, set, field, low, high, help, group */
const struct option option_table[] = {
	{ "json", 0, NULL, VERB_LIST, set_output, 0, 0, 0,
	  "one JSON object a line, all there is to know", "Listing" },
	{ "unique", 'u', NULL, VERB_LIST, set_flag, FIELD(run.unique), 0, 0,
	  "each link once, the first time it is seen", NULL },
	{ "count", 'c', NULL, VERB_LIST, set_flag, FIELD(run.out.count), 0, 0,
	  "only how many links each file has", NULL },
	{ "with-filename", 'H', NULL, VERB_LIST, set_flag, FIELD(run.out.with_filename), 0, 0,
	  "the file's name before each link", NULL },
	{ "line-number", 'n', NULL, VERB_LIST, set_flag, FIELD(run.out.line_number), 0, 0,
	  "the number of its line before each link", NULL },
	{ "byte-offset", 'b', NULL, VERB_LIST, set_flag, FIELD(run.out.byte_offset), 0, 0,
	  "its place in the file, in bytes, before it", NULL },
	{ "encoded", 0, NULL, VERB_LIST, set_flag, FIELD(run.out.encoded), 0, 0,
	  "in ASCII, percent-encoded, for a program", NULL },
	{ "format", 0, "TEMPLATE", VERB_LIST, set_format, FIELD(run.out.line_format), 0, 0,
	  "lines made to measure, as '%l %u': urlsift(1)", NULL },
	{ "null", '0', NULL, VERB_LIST, set_flag, FIELD(run.out.null_separated), 0, 0,
	  "a NUL behind each, and in --files-from", NULL },

	{ "fragment", 0, NULL, VERB_HTML, set_flag, FIELD(run.out.fragment), 0, 0,
	  "only the text, to stand within another page", "Page" },

	{ "email", 0, NULL, VERB_TEXT, set_flag, FIELD(email), 0, 0,
	  "e-mail addresses are links too", "What is a link" },
	{ "domains", 0, NULL, VERB_TEXT, set_flag, FIELD(domains), 0, 0,
	  "bare domain names, as example.org/x, are too", NULL },
	{ "www", 0, "http|https", VERB_TEXT, set_choice, FIELD(www), 0, 0,
	  "where names that begin with www. lead (http)", NULL },
	{ "join", 0, "never|declared|likely", VERB_TEXT, set_choice, FIELD(join), 0, 0,
	  "links broken over lines without brackets: which\nto put together (declared)", NULL },
	{ "hyphen", 0, "keep|drop|both", VERB_TEXT, set_choice, FIELD(hyphen), 0, 0,
	  "whether a hyphen at the end of a line belongs to\na link broken there (keep)", NULL },
	{ "charset", 0, "NAME", VERB_TEXT, set_text, FIELD(charset), 0, 0,
	  "of the input (UTF-8; other bytes windows-1252)", NULL },
	{ "base", 0, "URL", VERB_TEXT, set_text, FIELD(base), 0, 0,
	  "against which partial forms in <URL:> are resolved", NULL },
	{ "input", 0, "auto|text|mail|mbox|maildir|mh|spool", VERB_TEXT, set_choice, FIELD(run.input), 0, 0,
	  "what the input is; auto looks at it (auto)", "Mail" },
	{ "headers", 0, "none|urls|all", VERB_TEXT, set_choice, FIELD(run.headers), 0, 0,
	  "which fields of a header to search: those that\ncarry URLs (urls), all, or none", NULL },
	{ "message-ids", 0, NULL, VERB_TEXT, set_flag, FIELD(run.message_ids), 0, 0,
	  "identifiers of messages are links too", NULL },
	{ "range", 0, "OFFSET:LENGTH", VERB_TEXT, set_range, 0, 0, 0,
	  "of an mbox, only the messages that begin in it", NULL },

	{ "scheme", 0, "NAME,...", VERB_TEXT, set_schemes, 0, 0, 0,
	  "only these schemes, as in --scheme=http,https", "Which links to take" },
	{ "not-scheme", 0, "NAME,...", VERB_TEXT, set_not_schemes, 0, 0, 0,
	  "none of these schemes", NULL },
	{ "host", 0, "GLOB", VERB_TEXT, set_host, 0, 0, 0,
	  "only these hosts; * is any text, ? a character", NULL },
	{ "match", 0, "REGEX", VERB_TEXT, set_match, 0, 0, 0,
	  "only links in which this is found (PCRE2)", NULL },
	{ "not-match", 0, "REGEX", VERB_TEXT, set_not_match, 0, 0, 0,
	  "only links in which this is not found", NULL },
	{ "convention", 0, "NAME,...", VERB_TEXT, set_conventions, 0, 0, 0,
	  "only links written so: wrapper, angle, quoted,\nprefix, bare, schemeless, email", NULL },
	{ "delimited", 0, NULL, VERB_TEXT, set_delimited, 0, 0, 0,
	  "only links in <URL:>, in <> or in quotation marks", NULL },
	{ "valid", 0, "GRAMMAR,...", VERB_TEXT, set_valid, 0, 0, 0,
	  "only URLs by the grammar of rfc1738, rfc3986 or\nrfc3987", NULL },
	{ "warned", 0, NULL, VERB_TEXT, set_warned, 0, 0, 0,
	  "only links that a reader should be warned of", NULL },
	{ "no-warning", 0, "NAME,...", VERB_TEXT, set_no_warning, 0, 0, 0,
	  "no links with these warnings (urlsift(1) has their\nnames), or no link with any", NULL },

	{ "files-from", 0, "FILE", VERB_TEXT, set_text, FIELD(run.files_from), 0, 0,
	  "read also the files that FILE names, one a line", "Work" },
	{ "jobs", 'j', "N", VERB_TEXT, set_number, FIELD(run.jobs), 1, OPTIONS_JOBS,
	  "how much to do at once (as many as there are\nprocessors); what is written is the same", NULL },
	{ "progress", 0, NULL, VERB_TEXT, set_flag, FIELD(run.progress), 0, 0,
	  "say how far the work is, as on a terminal", NULL },
	{ "summary", 0, NULL, VERB_TEXT, set_flag, FIELD(run.summary), 0, 0,
	  "say at the end how much was read and found", NULL },
	{ "fail-if-none", 0, NULL, VERB_TEXT, set_flag, FIELD(run.fail_if_none), 0, 0,
	  "exit with status 1 when there is no link", NULL },

	{ "json", 0, NULL, VERB_EXPLAIN, set_output, 0, 0, 0,
	  "one JSON object a line", "Single URLs" },
	{ "rules", 0, "rfc3986|rfc1630", VERB_RESOLVE, set_choice, FIELD(resolution), 0, 0,
	  "by section 5 of RFC 3986, or by the partial forms\nof RFC 1630 (rfc3986)", NULL },

	{ "max-url-length", 0, "BYTES", VERB_TEXT | VERB_URL, set_number, FIELD(max_url), 64, 65536,
	  "the longest link", "Limits" },
	{ "max-breaks", 0, "N", VERB_TEXT, set_number, FIELD(max_breaks), 0, 16,
	  "the most line breaks in a link", NULL },
	{ "max-alternates", 0, "N", VERB_TEXT, set_number, FIELD(max_alternates), 0, 8,
	  "the most other readings of a link", NULL },
	{ "max-depth", 0, "N", VERB_TEXT, set_number, FIELD(run.max_depth), 1, 100,
	  "the most levels of parts within parts of a message", NULL },
	{ "max-parts", 0, "N", VERB_TEXT, set_number, FIELD(run.max_parts), 1, 10000,
	  "the most parts of a message", NULL },
	{ "max-header", 0, "BYTES", VERB_TEXT, set_number, FIELD(run.max_header), 1024, 1024 * 1024,
	  "the longest header block", NULL },
	{ "unique-limit", 0, "N", VERB_LIST, set_number, FIELD(run.unique_limit), 1, 1000000000,
	  "the most links that --unique remembers", NULL },
	{ "match-limit", 0, "N", VERB_TEXT, set_number, FIELD(run.match_limit), 1, 1000000000,
	  "the most steps of --match on a link", NULL },

	{ "help", 0, NULL, VERB_ALL | VERB_NONE, set_action, 0, ACTION_HELP, 0,
	  "this page; behind a verb, the page of the verb", "Other" },
	{ "version", 0, NULL, VERB_ALL | VERB_NONE, set_action, 0, ACTION_VERSION, 0,
	  "the version", NULL },
	{ "limits", 0, NULL, VERB_ALL | VERB_NONE, set_action, 0, ACTION_LIMITS, 0,
	  "every limit, with its value and its option", NULL },

	{ "rules", 0, "FILE", VERB_TEXT, set_later, 0, 0, 0, NULL, NULL },
	{ NULL, 0, NULL, 0, NULL, 0, 0, 0, NULL, NULL },
};
