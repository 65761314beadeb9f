#include "options.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Words --------------------------------------------------------------- */

enum { LONGEST = 32, FAR = LONGEST };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters to insert, remove or replace, a row of the table of prefixes at a time
 * (Wagner and Fischer, 1974). */
static size_t distance(const char *a, const char *b)
{
	size_t row[LONGEST], length = strlen(b);
	if (length >= LONGEST || strlen(a) >= LONGEST)
		return FAR;
	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 0; a[i]; i++) {
		size_t corner = row[0]++;
		for (size_t j = 0; j < length; j++) {
			size_t changed = corner + (a[i] != b[j]);
			corner = row[j + 1];
			row[j + 1] = least(changed, least(row[j], row[j + 1]) + 1);
		}
	}
	return row[length];
}

const char *nearest_word(const char *misspelt, const char *(*word)(size_t i))
{
	size_t length = strlen(misspelt), best = length > 3 ? 3 : 2;
	const char *answer = NULL, *w;
	for (size_t i = 0; (w = word(i)); i++) {
		bool begins = length > 2 && !strncmp(w, misspelt, length);
		size_t d = begins ? 0 : distance(misspelt, w);
		if (d < best) {
			best = d;
			answer = w;
		}
	}
	return answer;
}

static const char *verb_word(size_t i)
{
	return verb_table[i].name;
}

static const char *option_word(size_t i)
{
	return option_table[i].name;
}

#define VERB_FIRST "a verb comes first, as in 'urlsift list FILE'"

static bool take_verb(struct options *o, const char *word)
{
	const struct verb *v = verb_table;
	while (v->name && strcmp(v->name, word))
		v++;
	const char *near = nearest_word(word, verb_word);
	if (v->name)
		o->verb = v;
	else if (near)
		report_usage("unknown verb '%s' (did you mean %s?)", word, near);
	else
		report_usage("unknown verb '%s'; " VERB_FIRST, word);
	return o->verb;
}

static bool apply(struct options *o, const struct option *row, const char *value)
{
	unsigned verb = o->verb ? o->verb->bit : VERB_NONE;
	if (row->verbs & verb)
		return row->set(o, row, value);
	if (o->verb)
		report_usage("%s does not take --%s", o->verb->name, row->name);
	else
		report_usage("--%s needs a verb before it, as in 'urlsift list --%s'", row->name, row->name);
	return false;
}

/* ---- Options ------------------------------------------------------------- */

/* What is still to be read of argv: *next up to its NULL. */
struct rest {
	char **next;
};

/* Takes the value of an option: what directly follows it, or else the next argument. */
static bool take_value(struct options *o, struct rest *rest, const struct option *row, const char *after)
{
	const char *value = after ? after : *rest->next;
	if (!value) {
		report_usage("--%s needs a value: %s", row->name, row->argument);
		return false;
	}
	if (!after)
		rest->next++;
	return apply(o, row, value);
}

/* The row with this name: that of the verb where there are several, the last row where
 * there is none. */
static const struct option *find_option(const struct options *o, const char *name, size_t length)
{
	const struct option *row = option_table, *other = NULL;
	for (; row->name; row++) {
		if (strlen(row->name) != length || memcmp(row->name, name, length))
			continue;
		if (o->verb && row->verbs & o->verb->bit)
			return row;
		if (!other)
			other = row;
	}
	return other ? other : row;
}

/* `text` is what follows the two hyphens. */
static bool take_long(struct options *o, struct rest *rest, const char *text)
{
	size_t length = strcspn(text, "=");
	const char *after = text[length] ? text + length + 1 : NULL;
	const struct option *row = find_option(o, text, length);
	if (row->name && row->argument)
		return take_value(o, rest, row, after);
	if (row->name && !after)
		return apply(o, row, NULL);
	char word[64] = "";
	if (length < sizeof word)
		memcpy(word, text, length);
	const char *near = nearest_word(word, option_word);
	if (row->name)
		report_usage("--%s does not take a value", row->name);
	else if (near)
		report_usage("unknown option '--%.*s' (did you mean --%s?)", (int)length, text, near);
	else
		report_usage("unknown option '--%.*s'", (int)length, text);
	return false;
}

/* `letters` is what follows the hyphen: flags, and perhaps at the end an option with a
 * value. */
static bool take_letters(struct options *o, struct rest *rest, const char *letters)
{
	for (; *letters; letters++) {
		const struct option *row = option_table;
		while (row->name && row->letter != *letters)
			row++;
		if (!row->name) {
			report_usage("unknown option '-%.*s'", *letters & 0x80 ? (int)strlen(letters) : 1, letters);
			return false;
		}
		if (row->argument)
			return take_value(o, rest, row, letters[1] ? letters + 1 : NULL);
		if (!apply(o, row, NULL))
			return false;
	}
	return true;
}

/* Options and files may be in any order; the files move to the front. */
static bool take_arguments(struct options *o, char **argv)
{
	struct rest rest = { argv };
	bool only_files = false;
	o->run.files = argv;
	while (*rest.next && o->action != ACTION_HELP && o->action != ACTION_VERSION) {
		char *word = *rest.next++;
		bool good = true;
		if (only_files || word[0] != '-' || !word[1]) {
			if (o->verb)
				o->run.files[o->run.file_count++] = word;
			else
				good = take_verb(o, word);
		} else if (!strcmp(word, "--")) {
			only_files = true;
		} else {
			good = word[1] == '-' ? take_long(o, &rest, word + 2) : take_letters(o, &rest, word + 1);
		}
		if (!good)
			return false;
	}
	return true;
}

/* ---- Checking --------------------------------------------------------------------- */

/* URLSIFT_IMPL forces one of the implementations, which give the same output. */
static bool set_implementation(urlsift_options *scan)
{
	static const char *const names[] = { "auto", "portable", "sse2", "avx2", "avx512", "neon" };
	const char *wanted = getenv("URLSIFT_IMPL");
	if (!wanted)
		return true;
	for (long i = 0; i < (long)(sizeof names / sizeof *names); i++)
		if (!strcmp(wanted, names[i]) && urlsift_options_set(scan, URLSIFT_OPT_IMPLEMENTATION, i) == URLSIFT_OK)
			return true;
	report_usage("URLSIFT_IMPL=%s: not one of portable, sse2, avx2, avx512 and neon, or not for this machine", wanted);
	return false;
}

/* URLSIFT_CUT is the size of the ranges of a mailbox. */
static bool set_cut(struct options *o)
{
	const char *wanted = getenv("URLSIFT_CUT");
	char *end;
	if (!wanted)
		return true;
	o->run.cut = strtoul(wanted, &end, 10);
	if (!*end && o->run.cut > 0 && o->run.cut <= UINT32_MAX)
		return true;
	report_usage("URLSIFT_CUT=%s: not a number of bytes", wanted);
	return false;
}

static bool set_scan(const struct options *o)
{
	urlsift_render_prepare(&o->run.out, o->run.scan, NULL);
	urlsift_status status = o->charset ? urlsift_options_set_charset(o->run.scan, o->charset) : URLSIFT_OK;
	if (status != URLSIFT_OK) {
		report_usage("--charset=%s: %s", o->charset, urlsift_status_text(status));
		return false;
	}
	status = o->base ? urlsift_options_set_base(o->run.scan, o->base, strlen(o->base)) : URLSIFT_OK;
	if (status != URLSIFT_OK) {
		report_usage("--base=%s: %s; give an absolute URL", o->base, urlsift_status_text(status));
		return false;
	}
	return set_implementation(o->run.scan);
}

/* Options of which one would be ignored. */
static bool exclude(const struct options *o)
{
	const urlsift_render_options *out = &o->run.out;
	const char *other = out->count ? "count" : out->line_format ? "format" : out->encoded ? "encoded" : NULL;
	bool conflict = out->format != o->verb->format && other;
	if (conflict)
		report_usage("--%s and --%s cannot be used together", out->format, other);
	return conflict;
}

enum status options_read(struct options *o, int argc, char **argv)
{
	if (!take_arguments(o, argc > 0 ? argv + 1 : argv))
		return STATUS_USAGE;
	if (o->action != ACTION_RUN)
		return STATUS_DONE;
	if (!o->verb)
		return report_usage(VERB_FIRST);
	if (!o->run.out.format)
		o->run.out.format = o->verb->format;
	o->run.out.whole_records = isatty(STDOUT_FILENO);
	o->run.needs = urlsift_render_needs(&o->run.out);
	if (!(o->verb->bit & VERB_TEXT))
		return STATUS_DONE;
	/* A page of several texts names each. */
	if (o->run.needs & URLSIFT_NEEDS_PLAIN && (o->run.file_count > 1 || o->run.files_from))
		o->run.out.with_filename = 1;
	filter_set_match_limit(o->run.filter, (uint32_t)o->run.match_limit);
	return !exclude(o) && set_scan(o) && set_cut(o) ? STATUS_DONE : STATUS_USAGE;
}
