#include "filter.h"

#include "memory.h"
#include "regex.h"
#include "report.h"
#include "scan/link.h"
#include "url/url.h"
#include "text/ascii.h"
#include "text/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	TEXTS = FILTER_NOT_HOST + 1,
	REGEXES = FILTER_NOT_MATCH + 1 - FILTER_MATCH,
	KINDS = FILTER_NO_WARNING + 1
};

struct texts {
	char **item; /* each for free() */
	size_t count;
};

struct filter {
	struct texts texts[TEXTS];       /* by filter_kind */
	struct regexes regexes[REGEXES]; /* by filter_kind, from FILTER_MATCH */
	unsigned bits[KINDS];            /* by filter_kind, from FILTER_CONVENTION: conventions, grammars or warnings */
	bool active;                     /* a kind was added */
	bool unwraps;                    /* filters look at what a link rewriter hides, too */
};

struct filter_desk {
	const struct filter *filter;
	void *search; /* of the regular expressions */
	struct room form; /* of the link that is looked at */
	struct room next; /* another form, while it is made of that */
	struct filter_missed missed;
};

struct filter *filter_new(void)
{
	struct filter *f = memory_get(sizeof *f);
	for (struct regexes *r = f->regexes; r < f->regexes + REGEXES; r++)
		regexes_init(r);
	return f;
}

void filter_free(struct filter *f)
{
	for (struct texts *t = f->texts; t < f->texts + TEXTS; t++)
		memory_free_all(t->item, t->count);
	for (struct regexes *r = f->regexes; r < f->regexes + REGEXES; r++)
		regexes_fini(r);
	free(f);
}

void filter_set_match_limit(struct filter *f, uint32_t steps)
{
	for (struct regexes *r = f->regexes; r < f->regexes + REGEXES; r++)
		regexes_set_limit(r, steps);
}

void filter_unwrap(struct filter *f, bool unwraps) { f->unwraps = unwraps; }

bool filter_has_jit(void) { return regexes_have_jit(); }

struct filter_desk *filter_desk_new(const struct filter *f)
{
	struct filter_desk *d = memory_get(sizeof *d);
	d->filter = f;
	d->search = regexes_desk_new();
	return d;
}

void filter_desk_free(struct filter_desk *d)
{
	regexes_desk_free(d->search);
	free(d->form.data);
	free(d->next.data);
	free(d);
}

/* ---- Room ---------------------------------------------------------------- */

char *room_get(struct room *r, size_t n)
{
	if (n <= r->size)
		return r->data;
	*r = (struct room){ memory_resize(r->data, 2 * n), 2 * n };
	return r->data;
}

/* Makes room for a form of n bytes. */
static void get_longer(struct room *r, size_t n)
{
	memory_need(n != URLSIFT_LENGTH_NO_MEMORY);
	room_get(r, n);
}

size_t room_put_form(struct room *r, size_t (*write)(const urlsift_link *link, char *out, size_t size),
                     const urlsift_link *link)
{
	size_t n;
	while ((n = write(link, r->data, r->size)) > r->size)
		get_longer(r, n);
	return n;
}

size_t room_put_url_form(struct room *r, size_t (*write)(const urlsift_url *url, char *out, size_t size),
                         const urlsift_url *url)
{
	size_t n;
	while ((n = write(url, r->data, r->size)) > r->size)
		get_longer(r, n);
	return n;
}

/* ---- Setting up ------------------------------------------------------------------- */

static const char *convention_at(unsigned i)
{
	return i <= URLSIFT_CONV_RULE ? urlsift_convention_name((urlsift_convention)i) : NULL;
}

static const char *grammar_at(unsigned i)
{
	return i <= URLSIFT_RFC3987 ? urlsift_grammar_name((urlsift_grammar)i) : NULL;
}

/* After the warnings, "any" of them. */
static const char *warning_at(unsigned i)
{
	const char *name = urlsift_warning_name(1u << i);
	return text_or(name, urlsift_warning_name(1u << i >> 1) ? "any" : NULL);
}

/* Only those that may be followed: the registry has hundreds. */
static const char *scheme_at(unsigned i)
{
	urlsift_scheme row;
	for (size_t at = 0; urlsift_scheme_at(at, &row); at++)
		if (row.linkable && i-- == 0)
			return row.name;
	return NULL;
}

char *filter_normal_form(const char *text)
{
	const urlsift_url url = { .text = text, .length = strlen(text) };
	struct room to = { NULL, 0 };
	const size_t n = room_put_url_form(&to, urlsift_url_normal, &url);
	room_get(&to, n + 1)[n] = '\0';
	return to.data;
}

char *filter_host_form(const char *host)
{
	char *text = memory_format("http://%s/", host), *form = filter_normal_form(text);
	urlsift_url url;
	urlsift_url_split(form, strlen(form), &url);
	char *part = memory_copy_part(form + url.host.offset, url.host.length);
	free(form);
	free(text);
	return part;
}

char *filter_host_glob(const char *glob)
{
	const size_t n = strlen(glob);
	const bool ascii = ascii_prefix((const uint8_t *)glob, n) >= n;
	char *form = ascii || strchr(glob, '?') ? memory_copy(glob) : filter_host_form(glob); /* `?` would end a host */
	/* the root of the DNS may be written or not, but `.` and `*.` are for hosts that have it */
	const size_t length = strlen(form);
	if (length > 1 && form[length - 1] == '.' && form[length - 2] != '*')
		form[length - 1] = '\0';
	return form;
}

typedef enum status add_condition(struct filter *f, enum filter_kind kind, const char *option, const char *value);
static add_condition add_names, add_host, add_regex, add_delimited, add_bits;

/* How a condition of a kind is added, and the names that its value lists. */
static const struct filter_row {
	add_condition *add;
	name_at *names;
} rows[KINDS] = {
	[FILTER_SCHEME] = { add_names, scheme_at }, [FILTER_NOT_SCHEME] = { add_names, scheme_at },
	[FILTER_IN] = { add_names, NULL }, [FILTER_HOST] = { add_host, NULL }, [FILTER_NOT_HOST] = { add_host, NULL },
	[FILTER_MATCH] = { add_regex, NULL }, [FILTER_NOT_MATCH] = { add_regex, NULL },
	[FILTER_CONVENTION] = { add_bits, convention_at }, [FILTER_DELIMITED] = { add_delimited, NULL },
	[FILTER_VALID] = { add_bits, grammar_at }, [FILTER_NOT_VALID] = { add_bits, grammar_at },
	[FILTER_WARNED] = { add_bits, warning_at }, [FILTER_NO_WARNING] = { add_bits, warning_at }
};

const char *filter_name(enum filter_kind kind, unsigned i) { return rows[kind].names ? rows[kind].names(i) : NULL; }

enum status filter_add(struct filter *f, enum filter_kind kind, const char *option, const char *value)
{
	f->active = true;
	return rows[kind].add(f, kind, option, value);
}

static enum status add_names(struct filter *f, enum filter_kind kind, const char *option, const char *value)
{
	for (const char *name = value, *next; name; name = next) {
		size_t n = list_name(name, &next);
		if (!match_bytes((const uint8_t *)name, n, "%a[%w+-.]*" MATCH_END))
			return report_usage("--%s: '%.*s' is not a %s name", option, (int)n, name,
			                    kind == FILTER_IN ? "field or element" : "scheme");
	}
	MEMORY_ADD(f->texts[kind].item, f->texts[kind].count) = memory_copy(value);
	return STATUS_DONE;
}

static enum status add_host(struct filter *f, enum filter_kind kind, const char *option, const char *value)
{
	if (!match_text(value, "[^/@, :]*" MATCH_END "|%[[^/@, ]*" MATCH_END)) /* only an address in brackets has colons */
		return report_usage("--%s: '%s' is not one host, such as a.example or .example for all below it; %s", option,
		                    value, strchr(option, '@') ? "a file has one on each line, or lines of hosts(5)"
		                    : "give the option for each, or a file of hosts as @FILE");
	MEMORY_ADD(f->texts[kind].item, f->texts[kind].count) = filter_host_glob(value);
	return STATUS_DONE;
}

static enum status add_regex(struct filter *f, enum filter_kind kind, const char *option, const char *value)
{
	return regexes_add(&f->regexes[kind - FILTER_MATCH], option, value);
}

static enum status add_delimited(struct filter *f, enum filter_kind kind, const char *option, const char *value)
{
	(void)option, (void)value;
	f->bits[kind] = 1u << URLSIFT_CONV_WRAPPER | 1u << URLSIFT_CONV_ANGLE | 1u << URLSIFT_CONV_QUOTED;
	return STATUS_DONE;
}

/* The bits of the names in the list. */
static enum status add_bits(struct filter *f, enum filter_kind kind, const char *option, const char *value)
{
	name_at *const at = rows[kind].names;
	if (at == grammar_at && !urlsift_dependency_version(URLSIFT_DEPENDENCY_PCRE2, NULL, 0))
		return report_usage("--%s: not in this build", option);
	for (const char *name = text_or(value, "any"), *next; name; name = next) {
		size_t n = list_name(name, &next);
		unsigned i = 0;
		while (at(i) && !ascii_is(name, n, at(i)))
			i++;
		if (!at(i)) {
			char all[REPORT_NAMES];
			report_names(all, at, ", ");
			return report_usage("--%s: '%.*s' is not one of %s", option, (int)n, name, all);
		}
		f->bits[kind] |= at == warning_at && !urlsift_warning_name(1u << i) ? ~0u : 1u << i;
	}
	return STATUS_DONE;
}

/* ---- Globs ---------------------------------------------------------------- */

/* Only the last `*` has to take more: what is before it matched as early as possible. */
bool glob_matches(const char *pattern, const char *text, size_t length)
{
	const char *end = text + length, *star = NULL, *retry = NULL;
	while (text < end) {
		if (*pattern == '*') {
			star = pattern++;
			retry = text;
		} else if (*pattern && (*pattern == '?' || to_lower((uint8_t)*pattern) == to_lower((uint8_t)*text))) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

/* ---- Deciding ------------------------------------------------------------ */

/* Whether one of the bits is wanted; all are if `wanted` is 0. */
static bool allows(unsigned wanted, unsigned bits) { return !wanted || bits & wanted; }

static bool names(const struct texts *t, const char *text, size_t length)
{
	for (size_t i = 0; i < t->count; i++)
		for (const char *name = t->item[i], *next; name; name = next)
			if (list_name(name, &next) == length && !strncasecmp(name, text, length))
				return true;
	return false;
}

bool filter_host_matches(const char *glob, const char *host, size_t n)
{
	n -= text_ends(host, n, ".") && !text_ends(glob, strlen(glob), "."); /* the root of the DNS */
	if (*glob != '.')
		return glob_matches(glob, host, n);
	for (size_t i = 0; i <= n; i = byte_index((const uint8_t *)host, i, n, '.') + 1)
		if (glob_matches(glob + 1, host + i, n - i))
			return true;
	return false;
}

/* Whether the host is below one that is named without a full stop before it: a user may mean both. */
static bool is_below(const char *glob, const char *host, size_t n)
{
	const size_t length = strlen(glob);
	return n > length && host[n - length - 1] == '.' && glob_matches(glob, host + n - length, length);
}

typedef bool host_test(const char *glob, const char *host, size_t n);

static bool any_is(host_test *is, const struct texts *globs, const char *host, size_t n)
{
	for (size_t i = 0; i < globs->count; i++)
		if (is(globs->item[i], host, n))
			return true;
	return false;
}

/* A form of the n bytes of d->form takes their place, unless there is none.  Its length, or n. */
static size_t put_next(struct filter_desk *d, size_t n,
                       size_t (*write)(const urlsift_url *url, char *out, size_t size))
{
	urlsift_url url;
	urlsift_url_split(d->form.data, n, &url);
	const size_t length = room_put_url_form(&d->next, write, &url);
	if (length == 0)
		return n;
	const struct room form = d->form;
	d->form = d->next;
	d->next = form;
	return length;
}

/* What a link leads to. */
static size_t put_target(struct filter_desk *d, const urlsift_link *link)
{
	const size_t n = room_put_form(&d->form, urlsift_link_absolute, link);
	return d->filter->unwraps ? put_next(d, n, urlsift_url_unwrap) : n;
}

/* Whether the host passes, or would but for one thing: that it is only below a host of --host, which sets *below. */
static bool by_host(struct filter_desk *d, const urlsift_link *link, bool *below)
{
	const struct texts *hosts = &d->filter->texts[FILTER_HOST], *not = &d->filter->texts[FILTER_NOT_HOST];
	if (!hosts->count && !not->count)
		return true;
	size_t n;
	if (d->filter->unwraps || memchr(link->text, '\\', link->length)) /* the slashes that browsers read */
		n = put_next(d, put_next(d, put_target(d, link), usable_form), urlsift_url_normal);
	else
		n = room_put_form(&d->form, urlsift_link_normal, link);
	urlsift_url url;
	urlsift_url_split(d->form.data, n, &url);
	if (!url.host.present)
		return !hosts->count;
	const char *host = d->form.data + url.host.offset;
	const size_t length = url.host.length;
	const bool passes = !hosts->count || any_is(filter_host_matches, hosts, host, length);
	*below = !passes && any_is(is_below, hosts, host, length);
	return (passes || *below) && !any_is(filter_host_matches, not, host, length);
}

/* The answer to two conditions. */
static enum filter_answer worse(enum filter_answer a, enum filter_answer b) { return a > b ? a : b; }

static enum filter_answer by_text(struct filter_desk *d, const urlsift_link *link)
{
	static const enum filter_answer answers[REGEXES][REGEX_ANSWERS] = {
		{ [REGEX_FOUND] = FILTER_PASS, [REGEX_MISSING] = FILTER_DROP, [REGEX_LIMIT] = FILTER_LIMIT,
		  [REGEX_ERROR] = FILTER_ERROR },
		{ [REGEX_FOUND] = FILTER_DROP, [REGEX_MISSING] = FILTER_PASS, [REGEX_LIMIT] = FILTER_LIMIT,
		  [REGEX_ERROR] = FILTER_ERROR }
	};
	enum filter_answer answer = FILTER_PASS;
	for (int i = 0; i < REGEXES && answer != FILTER_DROP; i++) { /* those of FILTER_MATCH, and of FILTER_NOT_MATCH */
		const struct regexes *r = &d->filter->regexes[i];
		if (r->count > 0) {
			const size_t n = put_target(d, link);
			answer = worse(answer, answers[i][regexes_search(r, d->search, d->form.data, n)]);
		}
	}
	return answer;
}

/* Bits of the grammars that are asked. */
static unsigned judges(const struct filter *f) { return f->bits[FILTER_VALID] | f->bits[FILTER_NOT_VALID]; }

bool filter_is_of_rules(const struct filter *f) { return f->bits[FILTER_CONVENTION] == 1u << URLSIFT_CONV_RULE; }

bool filter_is_of_places(const struct filter *f) { return f->texts[FILTER_IN].count > 0; }

bool filter_judges(const struct filter *f) { return judges(f); }

static enum filter_answer by_grammar(struct filter_desk *d, urlsift_context *context, const urlsift_link *link)
{
	const unsigned good = d->filter->bits[FILTER_VALID], bad = d->filter->bits[FILTER_NOT_VALID];
	urlsift_url url;
	if (!filter_judges(d->filter))
		return FILTER_PASS;
	size_t n = room_put_form(&d->form, urlsift_link_absolute, link);
	urlsift_url_split(d->form.data, n, &url);
	unsigned valid = 0, failed = 0; /* a bit for each */
	for (urlsift_grammar g = URLSIFT_RFC1738; g <= URLSIFT_RFC3987; g++) {
		const unsigned asked = judges(d->filter) & 1u << g;
		urlsift_status status = asked ? urlsift_url_check(context, &url, g, NULL) : URLSIFT_INVALID;
		if (status == URLSIFT_OK)
			valid |= asked;
		else if (status != URLSIFT_INVALID)
			failed |= asked;
	}
	if (valid & bad || !allows(good, valid | failed))
		return FILTER_DROP;
	return failed & bad || (failed && !(valid & good)) ? FILTER_ERROR : FILTER_PASS;
}

struct filter_missed filter_missed(struct filter_desk *d)
{
	const struct filter_missed missed = d->missed;
	d->missed = (struct filter_missed){ .below = 0 };
	return missed;
}

bool filter_is_open(const struct filter *f)
{
	return !f->active;
}

enum filter_answer filter_link(struct filter_desk *d, urlsift_context *context, const urlsift_place *place,
                               const urlsift_link *link)
{
	const struct filter *f = d->filter;
	unsigned convention = 1u << urlsift_link_convention(link);
	if (!allows(f->bits[FILTER_CONVENTION], convention) || !allows(f->bits[FILTER_DELIMITED], convention))
		return FILTER_DROP;
	size_t n;
	const struct texts *schemes = &f->texts[FILTER_SCHEME];
	const char *scheme = urlsift_link_scheme(link, &n);
	if ((schemes->count && !names(schemes, scheme, n)) || names(&f->texts[FILTER_NOT_SCHEME], scheme, n))
		return FILTER_DROP;
	const unsigned warned = f->bits[FILTER_WARNED], unwarned = f->bits[FILTER_NO_WARNING];
	unsigned warnings = 0;
	if (warned | unwarned)
		warnings = f->unwraps ? link_warnings_of_both(link) : urlsift_link_warnings(link);
	if (!allows(warned, warnings) || warnings & unwarned)
		return FILTER_DROP;
	/* The header field, the HTML element or the property that the link is in. */
	const struct texts *in = &f->texts[FILTER_IN];
	const char *field = memory_text(place->field), *attribute = memory_text(place->attribute);
	if (in->count && !names(in, field, strlen(field)) && !names(in, attribute, strcspn(attribute, " "))) {
		d->missed.elsewhere++;
		return FILTER_DROP;
	}
	bool below = false;
	if (!by_host(d, link, &below))
		return FILTER_DROP;
	enum filter_answer answer = by_text(d, link);
	if (answer != FILTER_DROP)
		answer = worse(answer, by_grammar(d, context, link));
	d->missed.below += below && answer != FILTER_DROP; /* no other option excludes it */
	return below ? FILTER_DROP : answer;
}
