#include "options.h"

#include "option_set.h"

#include "input/memory.h"
#include "text/ascii.h"
#include "text/bits.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct verb *verb_find(const char *name)
{
	const struct verb *v = row_named(verb_table, sizeof *v, name);
	return !v || v->help ? v : v - 1;
}

const struct verb *verb_with(const struct option *row)
{
	const struct verb *v = verb_table;
	while (!(v->bit & row->verbs))
		v++;
	return v;
}

static bool exists(const char *name)
{
	struct stat status;
	return !lstat(name, &status);
}

/* The first argument is the verb, else the verb is `list`. */
static enum status take_verb(struct options *o, char *const *words)
{
	const char *first = *words;
	const struct verb *v = verb_find(memory_text(first));
	o->verb = v ? v : verb_table;
	o->implied = !v;
	o->output = o->verb->output;
	if (!first) {
		if (isatty(STDIN_FILENO))
			o->action = ACTION_INTRODUCE;
		return STATUS_DONE;
	}
	/* A word is the name of a file that is missing if it has a suffix or a folder, or resembles no verb and others name
	 * files. */
	if (v || *first == '-' || exists(first) || strpbrk(first, "./"))
		return STATUS_DONE;
	if (!hint_verb(first))
		while (*++words)
			if (exists(*words))
				return STATUS_DONE;
	return verb_unknown("no such file or verb", first);
}

static enum status apply(struct options *o, const struct option *row, const char *value)
{
	if (!(row->verbs & o->verb->bit))
		return option_elsewhere(row, o->verb, o->implied);
	/* An option that selects the output, or that is for some outputs or inputs alone, is noted. */
	if (row->outputs || row->unread) {
		if (row->selects)
			o->output = row->outputs;
		if (o->given_count < sizeof o->given / sizeof *o->given)
			o->given[o->given_count++] = row;
	}
	return row->set(o, row, value);
}

/* ---- Options ---------------------------------------------------------------------- */

/* The row with this name, or this letter (name NULL): that of the verb where there are several, else the first; NULL
 * for none. */
static const struct option *find_option(const struct options *o, const char *name, char letter)
{
	const struct option *other = NULL;
	for (const struct option *row = option_table; row->name; row++) {
		if (name ? strcmp(row->name, name) : row->letter != letter)
			continue;
		if (row->verbs & o->verb->bit)
			return row;
		other = other ? other : row;
	}
	return other;
}

/* Whether the word is an option of a verb, perhaps with a value. */
static bool is_option(const struct options *o, const char *word)
{
	char name[32];
	if (strncmp(word, "--", 2))
		return *word == '-' && strlen(word) == 2 && find_option(o, NULL, word[1]);
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
	return find_option(o, name, 0);
}

/* Takes the value of an option: `after`, which directly follows it, or if that is NULL the next argument.  An empty
 * filter or choice of messages, of a variable that is not set, would let everything pass, or nothing, and no file has
 * an empty name.  An option in its place means that the value was forgotten. */
static enum status take_value(struct options *o, char ***next, const struct option *row, const char *after)
{
	const char *value = after ? after : *(*next)++;
	const bool empty = value && !*value
	                   && (row->set == set_filter || row->set == set_pattern || row->verbs == VERB_QUERY
	                       || option_names_file(row));
	if (!value || empty)
		return report_usage("--%s needs a value%s: %s", row->name, text_if(empty, ", and this one is empty"),
		                    row->argument);
	if (!after && is_option(o, value))
		return report_usage("--%s needs a value: %s; %s is an option, and --%s=%s a value", row->name, row->argument,
		                    value, row->name, value);
	return apply(o, row, value);
}

/* `name` is what follows the two hyphens, and ends at its equals sign. */
static enum status take_long(struct options *o, char ***next, char *name)
{
	char *after = strchr(name, '=');
	if (after)
		*after++ = '\0';
	const struct option *row = find_option(o, name, 0);
	if (!row)
		return option_unknown("--", name, o->verb);
	if (option_needs_value(row))
		return take_value(o, next, row, after);
	if (after && !row->argument && row->verbs & o->verb->bit)
		return report_usage("--%s does not take a value", row->name);
	return apply(o, row, after);
}

/* `letters` is what follows the hyphen: flags, and perhaps at the end an option with a
 * value. */
static enum status take_letters(struct options *o, char ***next, const char *letters)
{
	enum status status = STATUS_DONE;
	for (; *letters && status == STATUS_DONE; letters++) {
		const struct option *row = find_option(o, NULL, *letters);
		if (!row)
			return option_unknown("-", *letters & 0x80 ? letters : (const char[]){ *letters, '\0' }, o->verb);
		if (row->argument)
			return take_value(o, next, row, letters[1] ? letters + 1 : NULL);
		status = apply(o, row, NULL);
		if (*letters == 'h')
			o->action = ACTION_SHORT_HELP;
	}
	return status;
}

/* Options and files may be in any order; the files move to the front. */
static enum status take_arguments(struct options *o, char **argv)
{
	char **next = argv;
	enum status status = STATUS_DONE;
	bool only_files = false;
	o->run.in.files = argv;
	while (status == STATUS_DONE && *next && o->action < ACTION_HELP) {
		char *word = *next++;
		if (only_files || word[0] != '-' || !word[1]) {
			const struct verb *v = o->implied && !only_files ? verb_find(word) : NULL;
			if (v && !exists(word))
				return report_usage("the verb comes first, as in 'urlsift %s'", v->name);
			if (o->verb->bit & VERB_TEXT && strstr(word, "://") && !exists(word))
				return report_usage("no such file '%s'; nothing is fetched: 'curl -s URL | urlsift' lists the links of"
				                    " a page, 'urlsift explain URL' explains the URL, 'echo URL | urlsift' reads it"
				                    " as text", word);
			o->run.in.files[o->run.in.file_count++] = word;
		} else if (!strcmp(word, "--")) {
			only_files = true;
		} else {
			status = word[1] == '-' ? take_long(o, &next, word + 2) : take_letters(o, &next, word + 1);
		}
	}
	return status;
}

/* ---- Checking --------------------------------------------------------------------- */

/* URLSIFT_IMPL forces one of the implementations, which give the same output; URLSIFT_CUT is the size of the ranges of
 * a mailbox. */
static enum status read_environment(struct options *o)
{
	static const char *const names[] = { "auto", "portable", "sse2", "avx2", "avx512", "neon", "wasm128", NULL };
	const char *wanted = getenv("URLSIFT_IMPL"), *cut = getenv("URLSIFT_CUT");
	const char *const *name = wanted ? row_named(names, sizeof *names, wanted) : names;
	char *end;
	if (!name || urlsift_options_set(o->run.scan, URLSIFT_OPT_IMPLEMENTATION, name - names) != URLSIFT_OK)
		return report_usage("URLSIFT_IMPL=%s: not one of portable, sse2, avx2, avx512, neon and wasm128, or not "
		                    "supported here", wanted);
	o->run.out.implementation = (urlsift_implementation)(name - names);
	if (!cut)
		return STATUS_DONE;
	o->run.in.cut = strtoul(cut, &end, 10);
	if (!*end && within(o->run.in.cut, 1, UINT32_MAX))
		return STATUS_DONE;
	return report_usage("URLSIFT_CUT=%s: not a number of bytes", cut);
}

/* The status of a value that the library took or did not. */
static enum status check_value(const char *option, const char *value, urlsift_status status)
{
	if (memory_status(status) == URLSIFT_OK)
		return STATUS_DONE;
	return report_usage("--%s=%s: %s", option, value, status == URLSIFT_BAD_ARGUMENT ?
	                    "not an absolute URL, or too long" : urlsift_status_text(status));
}

/* The names of the outputs in messages, by the numbers of their bits: for those with hyphens, the options that select
 * them. */
static const char *const output_names[] = {
	"the lines of list", "--format", "--count", "--files-with-links", "--json", "--csv", "--sql", "a page",
	"--fragment", "--output=DIR", "--as=wrap", "--as=term", "--print", "the menu", "index", "rewrite", "--files-from",
	"--host"
};

/* An option with its word, if it has one, in printf's format. */
#define OPTION_TEXT "--%s%s%s"
#define OPTION_TEXT_OF(row) (row)->name, text_if((row)->word, "="), memory_text((row)->word)

/* The option does nothing with the output.  STATUS_USAGE. */
static enum status report_output_of(const struct options *o, const struct option *row)
{
	static const struct { unsigned output; const char *text; } instead[] = {
		{ OUT_FORMAT, "; %f, %l, %o and %U in a template are the file name, the line, the byte offset and the encoded "
		              "link" },
		{ OUT_CSV, "; --csv=source,line,offset,url has columns for them" },
		{ 0, "" }
	}, *hint = instead;
	const char *comma = "";
	char names[128] = "";
	size_t n = 0;
	while (hint->output && (row->selects || row->outputs & OUT_FILES_FROM || hint->output != o->output))
		hint++;
	for (size_t i = 0; i < sizeof output_names / sizeof *output_names; i++) {
		if (o->output >> i & 1 && *output_names[i] == '-')
			return report_usage(OPTION_TEXT " and %s cannot be used together%s", OPTION_TEXT_OF(row), output_names[i],
			                    row->outputs & OUT_FILTERED ? " without a filter such as --host" : hint->text);
		if (row->outputs >> i & 1 && n < sizeof names) {
			n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", comma, output_names[i]);
			comma = ", ";
		}
	}
	return report_usage(OPTION_TEXT " is for %s", OPTION_TEXT_OF(row), names);
}

/* Standard input is not read: there are files, and none is `-`. */
static bool reads_files_alone(const struct options *o)
{
	const size_t first = o->verb->bit == VERB_INDEX; /* after the database */
	if (o->run.in.files_from)
		return false;
	for (size_t i = first; i < o->run.in.file_count; i++)
		if (!strcmp(o->run.in.files[i], "-"))
			return false;
	return o->run.in.file_count > first || o->run.in.recursive;
}

/* Refuses options that would be ignored. */
static enum status check_together(const struct options *o)
{
	const urlsift_render_options *out = &o->run.out;
	const unsigned output = o->output | bits_if(o->run.in.files_from, OUT_FILES_FROM)
	                        | bits_if(o->filter_count, OUT_FILTERED);
	for (size_t i = 0; i < o->given_count && !o->run.quiet; i++) {
		const struct option *row = o->given[i];
		if (row->word && option_value(o, row) != option_word_find(row, row->word))
			continue;
		if (row->outputs && !(row->outputs & output))
			return report_output_of(o, row);
		if (row->unread >> o->run.in.input & 1) {
			size_t n;
			const struct option *input = row_named(option_table, sizeof *row, "input");
			const char *word = option_word(input, (unsigned)o->run.in.input, &n);
			return report_usage(OPTION_TEXT " does nothing with --input=%.*s", OPTION_TEXT_OF(row), (int)n, word);
		}
	}
	const struct name_choice *choice = &o->run.in.choice;
	const struct archive_options *a = &o->archive;
	const bool json = !strcmp(memory_text(out->format), "json"), parts = o->verb->bit == VERB_LIST && a->parts;
	const struct { bool one, other; const char *says; } refused[] = {
		{ out->with_filename, o->no_filename, "--with-filename and --no-filename cannot be used together" },
		{ o->run.box.no_sandbox, o->run.box.require_sandbox,
		  "--no-sandbox and --require-sandbox cannot be used together" },
		{ o->pages.mask_addresses, o->pages.no_mask_addresses,
		  "--mask-addresses and --no-mask-addresses cannot be used together" },
		{ out->context, !json && !(o->run.needs & URLSIFT_NEEDS_CONTEXT),
		  "--context is for --json, --csv=context and the %x of --format" },
		{ filter_is_of_rules(o->run.filter), !o->link_rules, "--convention=rule is for --rules" },
		{ choice->include.count || choice->exclude.count || choice->hidden, !o->run.in.recursive,
		  "--include, --exclude and --hidden are for --recursive; --match and --not-match choose links" },
		{ o->run.in.label, reads_files_alone(o), "--label is for standard input, which is not read: name it -" },
		{ a->todo, !a->parts || !a->shards_from, "--todo needs --parts and --shards-from" },
		{ o->verb->bit == VERB_SHARDS && !a->todo, a->parts || a->shards_from,
		  "shards takes --parts and --shards-from with --todo" },
		{ parts, !a->shards_from, "--parts needs --shards-from" },
		{ parts, !json, "--parts needs --json" }
	};
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		if (refused[i].one && refused[i].other)
			return report_usage("%s", refused[i].says);
	return STATUS_DONE;
}

/* Reads what has this name if nothing is named. */
static void read_unnamed(struct options *o, char **name)
{
	if (o->run.in.file_count || o->run.in.files_from)
		return;
	o->run.in.files = name;
	o->run.in.file_count = 1;
}

void options_read_here(struct options *o)
{
	if (o->run.in.recursive)
		read_unnamed(o, &o->here);
}

void options_read_input(struct options *o) { read_unnamed(o, &o->input); }

enum status options_read(struct options *o, int argc, char **argv)
{
	char **first = argv + (argc > 0);
	enum status status = take_verb(o, first);
	if (status == STATUS_DONE)
		status = take_arguments(o, first + !o->implied);
	if (status != STATUS_DONE || o->action != ACTION_RUN)
		return status;
	if (o->run.quiet) {
		o->run.out.format = NULL;
		o->run.out.count = o->run.out.names = 0;
	}
	o->run.out.format = text_or(o->run.out.format, o->verb->format);
	/* --output is a folder, but for `-`, NAME.html and NAME.htm. */
	const char *name = text_or(o->pages.output, "-");
	const char *const suffix = memory_text(strrchr(name, '.'));
	o->pages.page = text_is_among(suffix, strlen(suffix), ".html .htm") ? name : NULL;
	o->pages.output = o->pages.page || !strcmp(name, "-") ? NULL : name;
	const char *form = memory_text(o->run.out.form);
	o->run.out.terminal = isatty(STDOUT_FILENO);
	o->run.out.whole_records = o->run.out.terminal || o->run.line_buffered;
	o->run.needs = urlsift_render_needs(&o->run.out);
	if (o->pages.output) {
		o->output = OUT_FOLDER;
		o->run.needs |= URLSIFT_NEEDS_POSITIONS;
	} else if (!strcmp(form, "wrap")) {
		o->output = OUT_WRAP;
	} else if (!strcmp(form, "term")) {
		o->output = OUT_TERM;
	}
	status = check_together(o);
	if (!(o->verb->bit & VERB_TEXT) || status != STATUS_DONE)
		return status;
	options_read_here(o);
	/* Whether the output names its files: a page of several texts does, and, as in grep, a number that is of one of
	 * several files. */
	struct settings *s = &o->run;
	bool page = s->needs & URLSIFT_NEEDS_PLAIN, number = s->out.line_number || s->out.byte_offset || s->out.count;
	s->out.with_member = page || number;
	if (s->out.with_member)
		s->out.with_filename |= s->in.file_count > 1 || s->in.files_from
		                        || (s->in.file_count && number && folder_is(*s->in.files));
	if (o->no_filename)
		s->out.with_filename = s->out.with_member = 0;
	/* On a terminal, list shows warnings as well. */
	const char *type = text_or(getenv("TERM"), "dumb"), *none = memory_text(getenv("NO_COLOR"));
	urlsift_render_options *out = &o->run.out;
	const char *unable = o->verb->bit == VERB_REWRITE ? "dumb linux" : "dumb"; /* older consoles print hyperlinks */
	const bool able = out->terminal && !*none && !text_is_among(type, strlen(type), unable);
	out->color = o->color == COLOR_ALWAYS || (o->color == COLOR_AUTO && able);
	out->warnings = out->terminal && !out->null_separated;
	filter_unwrap(o->run.filter, out->unwrap);
	filter_set_match_limit(o->run.filter, (uint32_t)o->run.match_limit);
	out->hyphen_both = o->hyphen == HYPHEN_BOTH;
	urlsift_options_set(o->run.scan, URLSIFT_OPT_HYPHEN, out->hyphen_both ? HYPHEN_KEEP : o->hyphen);
	urlsift_render_prepare(out, o->run.scan, NULL);
	if (o->charset)
		status = check_value("charset", o->charset, urlsift_options_set_charset(o->run.scan, o->charset));
	if (o->base && status == STATUS_DONE)
		status = check_value("base", o->base, urlsift_options_set_base(o->run.scan, o->base, strlen(o->base)));
	return status == STATUS_DONE ? read_environment(o) : status;
}

void options_fini(struct options *o)
{
	free(o->style);
	free(o->rules_text);
	urlsift_link_rules_free(o->link_rules);
	urlsift_options_free(o->run.scan);
	filter_free(o->run.filter);
}
