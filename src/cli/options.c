#include "options.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Not every system tells, and POSIX does not ask it to. */
static long processors(void)
{
#ifdef _SC_NPROCESSORS_ONLN
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n < OPTIONS_JOBS ? n : OPTIONS_JOBS;
#else
	return 1;
#endif
}

bool options_init(struct options *o)
{
	*o = (struct options){
		.join = URLSIFT_JOIN_DECLARED, .max_url = 65536, .max_breaks = 16, .max_alternates = 8,
		.run = { .headers = URLSIFT_HEADERS_URLS, .max_depth = 100, .max_parts = 10000, .max_header = 1024 * 1024L,
		         .unique_limit = 1000000, .match_limit = FILTER_MATCH_LIMIT, .jobs = processors(), .cut = INPUTS_RANGE },
	};
	o->run.scan = urlsift_options_new(NULL);
	o->run.filter = filter_new();
	return o->run.scan && o->run.filter;
}

void options_fini(struct options *o)
{
	urlsift_options_free(o->run.scan);
	filter_free(o->run.filter);
}

/* ---- Words --------------------------------------------------------------- */

enum { LONGEST = 32, FAR = LONGEST };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters to put in, take out or change; a row of the table of
 * prefixes at a time (Wagner and Fischer, 1974). */
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
		size_t d = begins ? 0 : *w ? distance(misspelt, w) : FAR;
		if (d < best) {
			best = d;
			answer = w;
		}
	}
	return answer;
}

static const char *verb_word(size_t i)
{
	const struct verb *v = &verb_table[i];
	return v->name && !v->bit ? "" : v->name;
}

static const char *option_word(size_t i)
{
	const struct option *row = &option_table[i];
	return row->name && !row->help ? "" : row->name;
}

static bool take_verb(struct options *o, const char *word)
{
	const struct verb *v = verb_table;
	while (v->name && strcmp(v->name, word))
		v++;
	const char *near = nearest_word(word, verb_word);
	if (v->bit)
		o->verb = v;
	else if (v->name)
		report_usage("the verb '%s' is not in this version", word);
	else if (near)
		report_usage("'%s' is no verb (did you mean %s?)", word, near);
	else
		report_usage("'%s' is no verb; a verb comes first, list or html, as in 'urlsift list FILE'", word);
	return o->verb;
}

static bool apply(struct options *o, const struct option *row, const char *value)
{
	unsigned verb = o->verb ? o->verb->bit : VERB_NONE;
	if (row->verbs & verb)
		return row->set(o, row, value);
	if (o->verb)
		report_usage("%s takes no --%s", o->verb->name, row->name);
	else
		report_usage("a verb comes before --%s, as in 'urlsift list --%s'", row->name, row->name);
	return false;
}

/* ---- Options ------------------------------------------------------------- */

/* What is still to be read of argv: *next up to its NULL. */
struct rest {
	char **next;
};

/* The value of an option that takes one: what stands right behind it, or else
 * the next argument. */
static bool take_value(struct options *o, struct rest *rest, const struct option *row, const char *behind)
{
	const char *value = behind ? behind : *rest->next;
	if (!value) {
		report_usage("--%s takes a value: %s", row->name, row->argument);
		return false;
	}
	if (!behind)
		rest->next++;
	return apply(o, row, value);
}

/* The row of the verb where several have the name; the last, without one, where
 * none has it. */
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

/* `text` is what stands behind the two hyphens. */
static bool take_long(struct options *o, struct rest *rest, const char *text)
{
	size_t length = strcspn(text, "=");
	const char *behind = text[length] ? text + length + 1 : NULL;
	const struct option *row = find_option(o, text, length);
	if (row->name && row->argument)
		return take_value(o, rest, row, behind);
	if (row->name && !behind)
		return apply(o, row, NULL);
	char word[64] = "";
	if (length < sizeof word)
		memcpy(word, text, length);
	const char *near = nearest_word(word, option_word);
	if (row->name)
		report_usage("--%s takes no value", row->name);
	else if (near)
		report_usage("unknown option '--%.*s' (did you mean --%s?)", (int)length, text, near);
	else
		report_usage("unknown option '--%.*s'", (int)length, text);
	return false;
}

/* `letters` is what stands behind the hyphen: flags, and at the end perhaps one
 * with a value. */
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

/* Options and files may stand in any order; the files move to the front. */
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

/* ---- Together ------------------------------------------------------------ */

/* URLSIFT_IMPL forces one of the implementations that give the same answers. */
static bool set_implementation(urlsift_options *scan)
{
	static const char *const name[] = { "auto", "portable", "sse2", "avx2", "avx512", "neon" };
	const char *wanted = getenv("URLSIFT_IMPL");
	if (!wanted)
		return true;
	for (long i = 0; i < (long)(sizeof name / sizeof *name); i++)
		if (!strcmp(wanted, name[i]) && urlsift_options_set(scan, URLSIFT_OPT_IMPLEMENTATION, i) == URLSIFT_OK)
			return true;
	report_usage("URLSIFT_IMPL=%s: not one of portable, sse2, avx2, avx512 and neon, or not for this machine", wanted);
	return false;
}

/* URLSIFT_CUT makes the jobs that a mailbox is cut into of another size. */
static bool set_cut(struct options *o)
{
	const char *wanted = getenv("URLSIFT_CUT");
	char *end;
	if (!wanted)
		return true;
	o->run.cut = strtoul(wanted, &end, 10);
	if (!*end && o->run.cut > 0 && o->run.cut <= UINT32_MAX)
		return true;
	report_usage("URLSIFT_CUT=%s: no number of bytes", wanted);
	return false;
}

static bool set_scan(const struct options *o)
{
	const struct { urlsift_option option; long value; } set[] = {
		{ URLSIFT_OPT_EMAIL, o->email },
		{ URLSIFT_OPT_DOMAINS, o->domains },
		{ URLSIFT_OPT_WWW_HTTPS, o->www },
		{ URLSIFT_OPT_JOIN, o->join },
		{ URLSIFT_OPT_HYPHEN, o->hyphen == URLSIFT_HYPHEN_DROP ? URLSIFT_HYPHEN_DROP : URLSIFT_HYPHEN_KEEP },
		{ URLSIFT_OPT_GUESS, o->run.needs & URLSIFT_NEEDS_GUESSES ? 1 : 0 },
		{ URLSIFT_OPT_POSITIONS, o->run.needs & URLSIFT_NEEDS_POSITIONS ? 1 : 0 },
		{ URLSIFT_OPT_MAX_URL, o->max_url },
		{ URLSIFT_OPT_MAX_BREAKS, o->max_breaks },
		{ URLSIFT_OPT_MAX_ALTERNATES, o->max_alternates },
		{ URLSIFT_OPT_PLAIN, o->run.needs & URLSIFT_NEEDS_PLAIN ? 1 : 0 },
	};
	for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
		urlsift_status status = urlsift_options_set(o->run.scan, set[i].option, set[i].value);
		if (status != URLSIFT_OK) {
			report_usage("option %d of the library: %s", (int)set[i].option, urlsift_status_text(status));
			return false;
		}
	}
	urlsift_status status = o->charset ? urlsift_options_set_charset(o->run.scan, o->charset) : URLSIFT_OK;
	if (status != URLSIFT_OK)
		report_usage("--charset=%s: %s", o->charset, urlsift_status_text(status));
	if (status == URLSIFT_OK && o->base) {
		status = urlsift_options_set_base(o->run.scan, o->base, strlen(o->base));
		if (status != URLSIFT_OK)
			report_usage("--base=%s: %s; give an absolute URL", o->base, urlsift_status_text(status));
	}
	return status == URLSIFT_OK && set_implementation(o->run.scan);
}

/* Where two options ask for different things, one of them would be ignored. */
static bool agree(const struct options *o)
{
	const urlsift_render_options *out = &o->run.out;
	const char *other = out->count ? "count" : out->line_format ? "format" : out->encoded ? "encoded" : NULL;
	bool good = out->format == o->verb->format || !other;
	if (!good)
		report_usage("--%s and --%s exclude each other", out->format, other);
	return good;
}

/* A page of several texts says whose each is. */
static void name_sources(struct options *o)
{
	if (o->run.needs & URLSIFT_NEEDS_PLAIN && (o->run.file_count > 1 || o->run.files_from))
		o->run.out.with_filename = 1;
}

enum status options_read(struct options *o, int argc, char **argv)
{
	if (!take_arguments(o, argc > 0 ? argv + 1 : argv))
		return STATUS_USAGE;
	if (o->action != ACTION_RUN)
		return STATUS_DONE;
	if (!o->verb)
		return report_usage("a verb comes first, list or html, as in 'urlsift list FILE'");
	if (!o->run.out.format)
		o->run.out.format = o->verb->format;
	o->run.out.whole_records = isatty(STDOUT_FILENO);
	o->run.needs = urlsift_render_needs(&o->run.out);
	if (!(o->verb->bit & VERB_TEXT))
		return STATUS_DONE;
	name_sources(o);
	filter_set_match_limit(o->run.filter, (uint32_t)o->run.match_limit);
	o->run.out.hyphen_both = o->hyphen > URLSIFT_HYPHEN_DROP;
	return agree(o) && set_scan(o) && set_cut(o) ? STATUS_DONE : STATUS_USAGE;
}
