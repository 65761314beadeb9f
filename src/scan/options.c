#include "link_rules.h"
#include "scanner.h"

#include "text/charset.h"
#include "url/url.h"
#include "view.h"

#include <string.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *urlsift_version(void)
{
	return TEXT(URLSIFT_VERSION_MAJOR) "." TEXT(URLSIFT_VERSION_MINOR) "." TEXT(URLSIFT_VERSION_PATCH);
}

const char *urlsift_status_text(urlsift_status status)
{
	static const char *const texts[] = {
		[URLSIFT_OK] = "no error", [URLSIFT_NO_MEMORY] = "out of memory",
		[URLSIFT_BAD_ARGUMENT] = "value out of range",
		[URLSIFT_BAD_CHARSET] = "charset unknown or not supported",
		[URLSIFT_BAD_STATE] = "input after the end or after an error",
		[URLSIFT_STOPPED] = "stopped by a callback", [URLSIFT_INVALID] = "does not match the grammar",
		[URLSIFT_INTERNAL] = "internal error or limit of a library", [URLSIFT_NOT_BUILT] = "not in this build",
	};
	return (unsigned)status < sizeof texts / sizeof *texts ? texts[status] : "unknown status";
}

const char *urlsift_flag_name(unsigned flag)
{
	static const char *const names[] = {
		"joined", "hyphen-ambiguous", "join-declared", "join-guessed", "decoration", "resolved", "unescaped",
		"unknown-scheme", "unlinkable-scheme", "truncated", "no-idna", NULL, "refanged"
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (flag == 1u << i)
			return names[i];
	return NULL;
}

const char *urlsift_convention_name(urlsift_convention convention)
{
	static const char names[][12] = {
		"wrapper", "angle", "quoted", "prefix", "bare", "schemeless", "email", "rule"
	};
	return (size_t)convention < sizeof names / sizeof *names ? names[convention] : "unknown";
}

/* Every option: its range and its default. */
static const struct { long least, most, value; } rows[OPTIONS] = {
	[URLSIFT_OPT_EMAIL] = {0, 1, 0},
	[URLSIFT_OPT_DOMAINS] = {0, 1, 0},
	[URLSIFT_OPT_WWW_HTTPS] = {0, 1, 0},
	[URLSIFT_OPT_REFANG] = {0, 1, 0},
	[URLSIFT_OPT_JOIN] = {URLSIFT_JOIN_NEVER, URLSIFT_JOIN_LIKELY, URLSIFT_JOIN_SURE},
	[URLSIFT_OPT_HYPHEN] = {URLSIFT_HYPHEN_KEEP, URLSIFT_HYPHEN_DROP, URLSIFT_HYPHEN_KEEP},
	[URLSIFT_OPT_GUESS] = {0, 1, 0},
	[URLSIFT_OPT_POSITIONS] = {0, 1, 0},
	[URLSIFT_OPT_MAX_URL] = {64, URL_MAX, URL_MAX},
	[URLSIFT_OPT_MAX_BREAKS] = {0, BREAKS_MAX, BREAKS_MAX},
	[URLSIFT_OPT_MAX_ALTERNATES] = {0, ALTERNATES_MAX, ALTERNATES_MAX},
	[URLSIFT_OPT_PLAIN] = {0, 1, 1},
	[URLSIFT_OPT_LABELS] = {0, 1, 0},
	[URLSIFT_OPT_CONTEXT] = {0, 100, 0},
	[URLSIFT_OPT_IMPLEMENTATION] = {URLSIFT_IMPL_AUTO, URLSIFT_IMPL_WASM128, URLSIFT_IMPL_AUTO},
	[URLSIFT_OPT_IPV4] = {0, 1, 0}
};

urlsift_status urlsift_option_range(urlsift_option option, long *least, long *most, long *value)
{
	if ((size_t)option >= OPTIONS || !least || !most || !value)
		return URLSIFT_BAD_ARGUMENT;
	*least = rows[option].least;
	*most = rows[option].most;
	*value = rows[option].value;
	return URLSIFT_OK;
}

static const char limit_names[][12] = {
	[LIMIT_URL] = "url-length", [LIMIT_BREAKS] = "line-breaks",
	[LIMIT_ALTERNATES] = "alternates", [LIMIT_RULE_STEPS] = "rule-steps",
	[LIMIT_SPAN] = "span"
};

const char *limit_name(enum limit limit) { return limit_names[limit]; }

uint64_t rules_limit(const struct rules *r, enum limit limit)
{
	const uint64_t values[] = {
		[LIMIT_URL] = r->max_url, [LIMIT_BREAKS] = r->max_breaks, [LIMIT_ALTERNATES] = r->max_alternates,
		[LIMIT_RULE_STEPS] = LINK_RULES_STEPS, [LIMIT_SPAN] = SPAN_MAX
	};
	return values[limit];
}

bool limit_is_known(const struct exceeded_limit *known, size_t count, struct exceeded_limit limit)
{
	for (size_t i = 0; i < count; i++)
		if (known[i].limit == limit.limit && known[i].at == limit.at)
			return true;
	return false;
}

void rules_exceed(const struct rules *r, enum limit limit, size_t at)
{
	struct exceeded *x = r->exceeded;
	const struct exceeded_limit one = {limit, at};
	if (x->count < sizeof x->list / sizeof *x->list && !limit_is_known(x->list, x->count, one))
		x->list[x->count++] = one;
}

urlsift_options options_or_defaults(const urlsift_options *given)
{
	if (given)
		return *given;
	urlsift_options o = { .base = NULL };
	for (size_t i = 0; i < OPTIONS; i++)
		o.value[i] = rows[i].value;
	return o;
}

long urlsift_options_get(const urlsift_options *options, urlsift_option option)
{
	return options && (size_t)option < OPTIONS ? (long)options->value[option] : 0;
}

urlsift_options *urlsift_options_new(const urlsift_allocator *allocator)
{
	urlsift_allocator a = alloc_from(allocator);
	urlsift_options *o = alloc_is_whole(&a) ? alloc_get(&a, sizeof *o) : NULL;
	if (!o)
		return NULL;
	*o = options_or_defaults(NULL);
	o->alloc = a;
	return o;
}

void urlsift_options_free(urlsift_options *options)
{
	if (!options)
		return;
	urlsift_allocator a = options->alloc;
	alloc_put(&a, options->base);
	alloc_put(&a, options);
}

urlsift_status urlsift_options_set_base(urlsift_options *options, const char *url, size_t length)
{
	char *copy = NULL;
	if (!options)
		return URLSIFT_BAD_ARGUMENT;
	if (url) {
		if (!scheme_prefix((const uint8_t *)url, length) || length > URL_MAX)
			return URLSIFT_BAD_ARGUMENT;
		copy = alloc_get(&options->alloc, length);
		if (!copy)
			return URLSIFT_NO_MEMORY;
		memcpy(copy, url, length);
	}
	alloc_put(&options->alloc, options->base);
	options->base = copy;
	options->base_length = length;
	return URLSIFT_OK;
}

void urlsift_options_set_link_rules(urlsift_options *options, const urlsift_link_rules *rules)
{
	if (options)
		options->link_rules = rules;
}

urlsift_status urlsift_options_set(urlsift_options *options, urlsift_option option, long value)
{
	if (!options || (size_t)option >= OPTIONS || value < rows[option].least || value > rows[option].most)
		return URLSIFT_BAD_ARGUMENT;
	if (option == URLSIFT_OPT_IMPLEMENTATION && !simd_choose((urlsift_implementation)value))
		return URLSIFT_BAD_ARGUMENT;
	options->value[option] = value;
	return URLSIFT_OK;
}

urlsift_status urlsift_options_set_charset(urlsift_options *options, const char *name)
{
	const char *canonical = NULL;
	urlsift_status status;
	if (!options)
		return URLSIFT_BAD_ARGUMENT;
	if (name) {
		canonical = charset_canonical(name, strlen(name));
		if (!canonical)
			return URLSIFT_BAD_CHARSET;
		struct charset *c = charset_new(&options->alloc, canonical, &status);
		if (!c)
			return status; /* unknown to this iconv, or no memory */
		charset_free(c);
	}
	options->charset = canonical;
	return URLSIFT_OK;
}

bool options_may_seek(const urlsift_options *o)
{
	return !o->charset && !o->link_rules && !o->value[URLSIFT_OPT_REFANG];
}
