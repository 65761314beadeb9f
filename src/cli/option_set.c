/* What options do with their values; option_table.c is the table of them. */
/* For strsep. */
#define _DEFAULT_SOURCE

#include "option_set.h"

#include "input/decompress.h"
#include "input/descriptor.h"
#include "input/pool.h"
#include "text/ascii.h"
#include "text/bytes.h"
#include "text/match.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

enum status set_flag(struct options *o, const struct option *row, const char *value)
{
	(void)value;
	if (row->scan)
		return set_value(o, row, 1);
	*(int *)field_of(o, row) = 1;
	return STATUS_DONE;
}

enum status set_text(struct options *o, const struct option *row, const char *value)
{
	*(const char **)field_of(o, row) = value;
	return STATUS_DONE;
}

enum status set_names(struct options *o, const struct option *row, const char *value)
{
	if (*(const char **)field_of(o, row)) /* a second file would replace the first one in silence */
		return report_usage("--%s can be given only once", row->name);
	return set_text(o, row, value);
}

/* The output format of the option's name. */
enum status set_output(struct options *o, const struct option *row, const char *value)
{
	(void)value;
	o->run.out.format = row->name;
	return STATUS_DONE;
}

/* Directive i of a template, from 0; NULL after the last. */
static const char *directive_word(unsigned i)
{
	urlsift_directive d;
	return urlsift_render_directive_at(i, &d) ? d.name : NULL;
}

enum status set_format(struct options *o, const struct option *row, const char *value)
{
	const char *bad = urlsift_render_fault(&(urlsift_render_options){ .line_format = value }, NULL);
	char names[REPORT_NAMES];
	if (!bad)
		return strchr(value, '%') ? set_text(o, row, value)
		       : report_usage("--%s: '%s' has no directive, such as %%u; JSON is --json, CSV is --csv", row->name,
		                      value);
	report_names(names, directive_word, " ");
	return report_usage_of("list", "--%s: '%.2s' is not one of %s", row->name, bad, names);
}

/* Column i of CSV, from 0; NULL after the last. */
static const char *column_word(unsigned i)
{
	urlsift_directive d;
	for (size_t k = 0; urlsift_render_directive_at(k, &d); k++)
		if (d.column && i-- == 0)
			return d.column;
	return NULL;
}

enum status set_columns(struct options *o, const struct option *row, const char *value)
{
	size_t n;
	const char *bad = urlsift_render_fault(&(urlsift_render_options){ .columns = value }, &n);
	char names[REPORT_NAMES];
	if (!bad) {
		set_text(o, row, value);
		return set_output(o, row, NULL);
	}
	report_names(names, column_word, " ");
	return report_usage("--%s: '%.*s' is not one of %s", row->name, (int)n, bad, names);
}

enum status set_pattern(struct options *o, const struct option *row, const char *value)
{
	struct name_patterns *p = field_of(o, row);
	if (p->count == NAME_PATTERNS)
		return report_usage("--%s can be given %d times", row->name, NAME_PATTERNS);
	p->item[p->count++] = value;
	return STATUS_DONE;
}

enum status set_in_place(struct options *o, const struct option *row, const char *value)
{
	return set_text(o, row, memory_text(value));
}

/* The words of the row, and a template. */
enum status set_form(struct options *o, const struct option *row, const char *value)
{
	const char *bad = urlsift_render_fault(&(urlsift_render_options){ .form = value }, NULL);
	if (!bad)
		return !o->run.out.form ? set_text(o, row, value)
		       : report_usage("--%s can be given only once: 'urlsift rewrite --as=%s FILE | urlsift rewrite --as=%s'",
		                      row->name, o->run.out.form, value);
	const struct verb *verb = verb_find(value);
	if (verb)
		return report_usage("--%s takes %s; '%s' is a verb, as in 'urlsift %s'", row->name, row->argument, value,
		                    verb->name);
	if (bad == value && text_begins(value, strlen(value), "host:"))
		return report_usage("--%s=host: takes a host, perhaps with a port, such as a.example:8080, not '%s'", row->name,
		                    value + 5);
	if (bad == value)
		return value_unknown(row, value, o->verb);
	return report_usage_of("rewrite", "--%s: '%.2s' is not one of the directives of list --format%s", row->name, bad,
	                       text_if(*bad == '\\', ", in which '\\\\' is a backslash"));
}

/* Reads decimal digits at *text, and moves it past them.  False for anything else, and what is too large. */
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
enum status set_number(struct options *o, const struct option *row, const char *value)
{
	const struct option_range range = option_range(row);
	const char *end = value;
	uint64_t n = 1;
	if (value && (!read_number(&end, &n) || *end || !within(n, (uint64_t)range.low, (uint64_t)range.high)))
		return report_usage("--%s takes a number from %ld to %ld, not '%s'", row->name, range.low, range.high, value);
	return set_value(o, row, (long)n);
}

enum status set_choice(struct options *o, const struct option *row, const char *value)
{
	const long i = option_word_find(row, value);
	return i < 0 ? value_unknown(row, value, o->verb) : set_value(o, row, i);
}

/* A number of bytes, perhaps with K, M or G. */
enum status set_size(struct options *o, const struct option *row, const char *value)
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

enum status set_range(struct options *o, const struct option *row, const char *value)
{
	uint64_t number[3] = { 0, 0, 1 };
	size_t count = 0;
	const char *end = value;
	bool more = true; /* a colon precedes a number */
	while (more && count < 3 && read_number(&end, &number[count])) {
		count++;
		more = *end == ':';
		end += more;
	}
	if (count < 2 || more || *end || !number[2])
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

enum status set_lang(struct options *o, const struct option *row, const char *value)
{
	if (!match_text(value, "[%w-]+" MATCH_END))
		return report_usage("--%s takes a language tag, such as en or pt-BR, not '%s'", row->name, value);
	return set_text(o, row, value);
}

/* The text of a file, after a byte order mark, for free(); NULL if it cannot be read or is too large, which is
 * reported. */
static char *read_text(const struct option *row, const char *name)
{
	enum { MOST = 1024 * 1024 };
	char why[WHY_SIZE], *text = memory_get(MOST + 2);
	FILE *file = fopen(name, "rb");
	size_t n = file ? fread(text, 1, MOST + 1, file) : 0;
	bool good = file && !ferror(file) && n <= MOST;
	int error = n > MOST ? EFBIG : errno;
	descriptor_file_close(&file);
	if (good) {
		const size_t mark = utf8_mark(text, n);
		text[n] = '\0';
		return memmove(text, text + mark, n + 1 - mark);
	}
	free(text);
	report_why(why, error);
	report("--%s: %s: %s", row->name, name, why);
	return NULL;
}

enum status set_style(struct options *o, const struct option *row, const char *value)
{
	free(o->style);
	o->run.out.html.style = o->style = read_text(row, value);
	return o->style ? STATUS_DONE : STATUS_OUTPUT;
}

/* The rules of several files are those of one: lines are counted from the last. */
enum status set_link_rules(struct options *o, const struct option *row, const char *value)
{
	urlsift_rule_fault fault;
	char *text = read_text(row, value);
	if (!text)
		return STATUS_OUTPUT;
	char *before = o->rules_text;
	const size_t length = strlen(memory_text(before));
	o->rules_text = memory_format("%s%s\n", memory_text(before), text);
	free(text);
	free(before);
	urlsift_link_rules_free(o->link_rules);
	urlsift_status status = urlsift_link_rules_new(NULL, o->rules_text, strlen(o->rules_text), &o->link_rules, &fault);
	urlsift_options_set_link_rules(o->run.scan, o->link_rules);
	if (memory_status(status) == URLSIFT_OK)
		return STATUS_DONE;
	if (status == URLSIFT_NOT_BUILT)
		return report_usage("--%s: %s", row->name, urlsift_status_text(status));
	for (size_t i = 0; i < length; i++)
		fault.line -= o->rules_text[i] == '\n';
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

/* The address with which a line of hosts(5) begins, and the blanks after it. */
#define ADDRESS "[%d.]+%s+|[" HEX_DIGITS ".]*:[" HEX_DIGITS ".:]*%s+|[" HEX_DIGITS ".]*:[" HEX_DIGITS ".:]*%%[^%s]*%s+"

/* Adds the hosts of a file, one a line, or in lines of hosts(5); `#` begins a comment. */
static enum status add_hosts(struct options *o, const struct option *row, const char *name)
{
	enum status status = STATUS_DONE;
	char *text = read_text(row, name), *next = text;
	size_t line = 0, count = 0;
	if (!text)
		return STATUS_OUTPUT;
	for (char *host; next && status == STATUS_DONE;) {
		host = strsep(&next, "\n");
		host += strspn(host, " \t");
		host[strcspn(host, "#\r")] = '\0';
		host[byte_span_back((const uint8_t *)host, 0, strlen(host), BYTE_BLANK)] = '\0';
		line++;
		if (!*host)
			continue;
		char *place = memory_format("%s=@%s:%zu", row->name, name, line);
		const size_t many = match_bytes((const uint8_t *)host, strlen(host), ADDRESS);
		host += excess(many, 1);
		const char *between = text_if(many, " \t"); /* the names in a line of hosts(5) */
		for (; host && status == STATUS_DONE; count++) {
			host += strspn(host, between);
			status = filter_add(o->run.filter, (enum filter_kind)row->field, place, strsep(&host, between));
		}
		free(place);
	}
	free(text);
	return count || row->field == FILTER_NOT_HOST ? status : report_usage("--%s: %s: has no hosts", row->name, name);
}

/* The field is an enum filter_kind. */
enum status set_filter(struct options *o, const struct option *row, const char *value)
{
	const enum filter_kind kind = (enum filter_kind)row->field;
	urlsift_scheme known;
	if (o->filter_count < sizeof o->filters / sizeof *o->filters)
		o->filters[o->filter_count++] = (struct given_filter){ row->name, memory_text(value) };
	if (within(kind, FILTER_HOST, FILTER_NOT_HOST) && value[0] == '@' && value[1])
		return add_hosts(o, row, value + 1);
	enum status status = filter_add(o->run.filter, kind, row->name, value);
	/* Names the scheme that may be meant by one that is unknown, which a text may have all the same. */
	for (const char *list = status == STATUS_DONE && kind <= FILTER_NOT_SCHEME ? value : NULL, *next; list;
	     list = next) {
		char name[32];
		const size_t n = list_name(list, &next);
		snprintf(name, sizeof name, "%.*s", (int)n, list);
		const char *near = urlsift_scheme_find(list, n, &known) ? NULL : nearest_word(name, scheme_word, NULL);
		if (near)
			report("--%s: '%s' is not a known scheme (did you mean %s?)", row->name, name, near);
	}
	return status;
}

/* The field is an enum action. */
enum status set_action(struct options *o, const struct option *row, const char *value)
{
	(void)value;
	o->action = (enum action)row->field;
	return STATUS_DONE;
}

const char *option_word(const struct option *row, unsigned i, size_t *length)
{
	const char *words = strchr(memory_text(row->argument), '|') ? row->argument : NULL; /* of a choice */
	for (unsigned before = i; words && before > 0; before--) {
		words += strcspn(words, "|");
		words = *words ? words + 1 : NULL;
	}
	if (row->set == set_filter)
		words = filter_name((enum filter_kind)row->field, i);
	else if (row->set == set_columns)
		words = column_word(i);
	*length = strcspn(memory_text(words), "|");
	return words;
}

long option_word_find(const struct option *row, const char *value)
{
	size_t n;
	const char *word;
	for (unsigned i = 0; (word = option_word(row, i, &n)); i++)
		if (text_is(word, n, value))
			return (long)i;
	return -1;
}

bool option_names_file(const struct option *row)
{
	return text_is_among(row->argument, strlen(row->argument), "FILE DIR");
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
		snprintf(to, size, "%s", memory_text(text));
		return text;
	}
	if (row->set == set_number) {
		snprintf(to, size, "%ld", option_value(o, row));
	} else if (row->set == set_choice) {
		const char *word = option_word(row, (unsigned)option_value(o, row), &length);
		snprintf(to, size, "%.*s", (int)length, word);
	}
	return *to && option_value(o, row) != option_range(row).initial;
}

/* ---- All of them ------------------------------------------------------------------ */

void options_init(struct options *o)
{
	*o = (struct options){ .here = ".", .input = "-", .run = { .in.cut = INPUTS_RANGE, .consumer = &consumer_none,
	                                                            .output = STDOUT_FILENO,
	                                                            .output_name = "standard output",
	                                                            .shard_size = 256 * 1024 * 1024 } };
	o->run.scan = memory_checked(urlsift_options_new(NULL));
	o->run.filter = filter_new();
	for (const struct option *row = option_table; row->name; row++)
		if (row->set == set_number || row->set == set_choice)
			set_value(o, row, option_range(row).initial);
	o->run.jobs = pool_processors();
}
