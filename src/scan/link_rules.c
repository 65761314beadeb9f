#include "link_rules.h"

/* Whether the arguments of urlsift_link_rules_new are good.  Sets *alloc. */
static bool take_arguments(const urlsift_allocator *allocator, const char *text, urlsift_link_rules **rules,
                           const urlsift_rule_fault *fault, urlsift_allocator *alloc)
{
	if (rules)
		*rules = NULL;
	*alloc = alloc_from(allocator);
	return text && rules && fault && alloc_is_whole(alloc);
}

#ifdef URLSIFT_WITH_PCRE2
#include "text/ascii.h"
#include "text/bits.h"
#include "text/match.h"
#include "url/pattern.h"
#include "url/scheme.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum { GROUPS = 10, RULES_MAX = 1000, HEAP_LIMIT_KIB = 4096 };

struct link_rule {
	pcre2_code *code;
	const char *template; /* in urlsift_link_rules.text */
	size_t length;
};

struct urlsift_link_rules {
	struct pattern_memory memory;
	pcre2_general_context *context;
	pcre2_match_context *limits;
	char *text; /* of the file */
	struct link_rule *rules;
	size_t count;
};

/* ---- Reading rules ---------------------------------------------------------------- */

struct rule_line {
	urlsift_link_rules *set;
	urlsift_rule_fault *fault;
};

static urlsift_status wrong(const struct rule_line *l, const char *what)
{
	size_t n = strlen(what), most = sizeof l->fault->what - 1;
	memcpy(l->fault->what, what, smaller(n, most));
	l->fault->what[smaller(n, most)] = '\0';
	return URLSIFT_BAD_ARGUMENT;
}

/* `$0` to `$9` are groups of the pattern, `$$` is a dollar sign. */
static urlsift_status check_template(const struct rule_line *l, const struct link_rule *r)
{
	uint32_t groups = 0;
	size_t scheme = scheme_prefix((const uint8_t *)r->template, r->length);
	pcre2_pattern_info(r->code, PCRE2_INFO_CAPTURECOUNT, &groups);
	if (!scheme || scheme + 1 == r->length)
		return wrong(l, "the template does not begin with a scheme, such as https:");
	if (!urlsift_scheme_linkable(r->template, scheme))
		return wrong(l, "links with the scheme of the template cannot be followed");
	for (size_t i = 0; i < r->length; i++) {
		if (r->template[i] != '$')
			continue;
		const uint8_t c = byte_at((const uint8_t *)r->template, ++i, r->length);
		if (is_digit(c)) {
			if ((uint32_t)(c - '0') > groups)
				return wrong(l, "the template refers to a group that the pattern does not have");
		} else if (c != '$') {
			return wrong(l, "'$' in the template must be followed by a digit or '$'");
		}
	}
	return URLSIFT_OK;
}

static urlsift_status compile(const struct rule_line *l, struct link_rule *r, const char *pattern, size_t n)
{
	int error = 0;
	PCRE2_SIZE where;
	PCRE2_UCHAR why[sizeof l->fault->what] = "";
	if (!n)
		return wrong(l, "the pattern is empty");
	if (text_begins(pattern, n, "(*"))
		return wrong(l, "the pattern must not begin with a verb (*...)");
	pcre2_compile_context *context = pcre2_compile_context_create(l->set->context);
	if (!context)
		return URLSIFT_NO_MEMORY;
	r->code = pcre2_compile((PCRE2_SPTR)pattern, n, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C,
	                        &error, &where, context);
	pcre2_compile_context_free(context);
	if (r->code) {
		pattern_accelerate(r->code, &l->set->memory);
		return URLSIFT_OK;
	}
	if (error == PCRE2_ERROR_HEAP_FAILED)
		return URLSIFT_NO_MEMORY;
	pcre2_get_error_message(error, why, sizeof why);
	return wrong(l, (const char *)why);
}

static void trim(const char **text, size_t *n)
{
	text_trim(text, n, " \t\n\v\f\r");
}

static urlsift_status read_line(const struct rule_line *l, const char *text, size_t n)
{
	urlsift_link_rules *set = l->set;
	trim(&text, &n);
	if (!n || *text == '#')
		return URLSIFT_OK;
	size_t arrow = n; /* the last `=>` between blanks */
	for (size_t i = n; i >= 4 && arrow == n; i--)
		if (match_bytes((const uint8_t *)text + i - 4, 4, "%s=>%s"))
			arrow = i - 3;
	size_t pattern = arrow;
	if (arrow == n)
		return wrong(l, "a rule is a pattern, ' => ' and a template");
	if (set->count == RULES_MAX)
		return wrong(l, "more than 1000 rules");
	struct link_rule *r = &set->rules[set->count++];
	*r = (struct link_rule){ .template = text + arrow + 2, .length = n - arrow - 2 };
	trim(&r->template, &r->length);
	trim(&text, &pattern);
	urlsift_status status = compile(l, r, text, pattern);
	return status == URLSIFT_OK ? check_template(l, r) : status;
}

urlsift_status urlsift_link_rules_new(const urlsift_allocator *allocator, const char *text, size_t length,
                                      urlsift_link_rules **rules, urlsift_rule_fault *fault)
{
	urlsift_allocator alloc;
	if (!take_arguments(allocator, text, rules, fault, &alloc))
		return URLSIFT_BAD_ARGUMENT;
	urlsift_link_rules *set = alloc_get(&alloc, sizeof *set);
	*fault = (urlsift_rule_fault){ .line = 0 };
	if (!set)
		return URLSIFT_NO_MEMORY;
	pattern_memory_init(&set->memory, &alloc);
	set->context = pcre2_general_context_create(pattern_allocate, pattern_release, &set->memory);
	set->limits = set->context ? pcre2_match_context_create(set->context) : NULL;
	set->text = alloc_get(&alloc, length + 1);
	set->rules = alloc_get(&alloc, RULES_MAX * sizeof *set->rules);
	urlsift_status status = URLSIFT_NO_MEMORY;
	if (set->limits && set->text && set->rules) {
		pcre2_set_match_limit(set->limits, LINK_RULES_STEPS);
		pcre2_set_heap_limit(set->limits, HEAP_LIMIT_KIB);
		memcpy(set->text, text, length);
		status = URLSIFT_OK;
		for (size_t i = 0, n; i < length && status == URLSIFT_OK; i += n + 1) {
			n = byte_index((const uint8_t *)set->text, i, length, '\n') - i;
			fault->line++;
			status = read_line(&(struct rule_line){ set, fault }, set->text + i, n);
		}
	}
	if (status == URLSIFT_OK)
		*rules = set;
	else
		urlsift_link_rules_free(set);
	return status;
}

void urlsift_link_rules_free(urlsift_link_rules *set)
{
	if (!set)
		return;
	urlsift_allocator alloc = set->memory.alloc;
	for (size_t i = 0; i < set->count; i++)
		pcre2_code_free(set->rules[i].code);
	pcre2_match_context_free(set->limits);
	pcre2_general_context_free(set->context);
	pattern_memory_fini(&set->memory);
	alloc_put(&alloc, set->rules);
	alloc_put(&alloc, set->text);
	alloc_put(&alloc, set);
}

/* ---- Searching ----------------------------------------------------------------------- */

struct link_rules_search {
	struct pattern_memory memory;
	const urlsift_link_rules *set;
	pcre2_general_context *context;
	pcre2_match_data *found;
	const uint8_t *text;
	size_t length, at;
	uint32_t options;
	const struct link_rule *rule; /* of the last match */
	/* the match of each rule after `at`; SIZE_MAX: none; and from where on it was searched */
	struct { size_t from, to, at; } next[];
};

struct link_rules_search *link_rules_search_new(const urlsift_allocator *alloc, const urlsift_link_rules *set)
{
	struct link_rules_search *s = alloc_get(alloc, sizeof *s + set->count * sizeof *s->next);
	if (!s)
		return NULL;
	pattern_memory_init(&s->memory, alloc);
	s->set = set;
	s->context = pcre2_general_context_create(pattern_allocate, pattern_release, &s->memory);
	s->found = s->context ? pcre2_match_data_create(GROUPS, s->context) : NULL;
	if (s->found)
		return s;
	link_rules_search_free(s);
	return NULL;
}

void link_rules_search_free(struct link_rules_search *s)
{
	if (!s)
		return;
	urlsift_allocator alloc = s->memory.alloc;
	pcre2_match_data_free(s->found);
	pcre2_general_context_free(s->context);
	alloc_put(&alloc, s);
}

void link_rules_begin(struct link_rules_search *s, const uint8_t *text, size_t n, bool first, bool last)
{
	s->text = text;
	s->length = n;
	s->at = 0;
	s->options = PCRE2_NOTEMPTY | bits_if(!first, PCRE2_NOTBOL) | bits_if(!last, PCRE2_NOTEOL);
	for (size_t i = 0; i < s->set->count; i++)
		s->next[i].from = s->next[i].to = 0; /* not yet searched */
}

static int match(struct link_rules_search *s, const struct link_rule *r, size_t at)
{
	PCRE2_SPTR text = (PCRE2_SPTR)s->text;
	int result = pcre2_match(r->code, text, s->length, at, s->options, s->found, s->set->limits);
	if (result == PCRE2_ERROR_JIT_STACKLIMIT)
		result = pcre2_match(r->code, text, s->length, at, s->options | PCRE2_NO_JIT, s->found, s->set->limits);
	return result;
}

/* Searches rule i from s->at on. */
static urlsift_status advance(struct link_rules_search *s, size_t i)
{
	int result = match(s, &s->set->rules[i], s->at);
	const PCRE2_SIZE *range = pcre2_get_ovector_pointer(s->found);
	s->next[i].from = s->next[i].to = SIZE_MAX;
	s->next[i].at = s->at;
	if (result >= 0 && range[0] >= s->at && range[1] > range[0]) { /* \K may move the begin */
		s->next[i].from = range[0];
		s->next[i].to = range[1];
	}
	if (result >= 0 || result == PCRE2_ERROR_NOMATCH)
		return URLSIFT_OK;
	return result == PCRE2_ERROR_NOMEMORY ? URLSIFT_NO_MEMORY : URLSIFT_STOPPED;
}

urlsift_status link_rules_next(struct link_rules_search *s, size_t *from, size_t *to)
{
	size_t best = 0, first = SIZE_MAX;
	*from = s->at;
	for (size_t i = 0; i < s->set->count; i++) {
		bool stale = s->next[i].from < s->at || s->next[i].to == 0;
		urlsift_status status = stale ? advance(s, i) : URLSIFT_OK;
		if (status != URLSIFT_OK)
			return status;
		if (s->next[i].from < first)
			first = s->next[best = i].from;
	}
	if (first == SIZE_MAX)
		return URLSIFT_INVALID;
	s->rule = &s->set->rules[best];
	*from = first;
	*to = s->at = s->next[best].to;
	return URLSIFT_OK;
}

/* Adds the n bytes, of more than `most` in all one more than that. */
static bool add_most(struct buf *url, const void *bytes, size_t n, size_t most)
{
	return buf_add(url, bytes, smaller(n, excess(most + 1, url->length)));
}

bool link_rules_expand(struct link_rules_search *s, size_t most, struct buf *url)
{
	/* the groups of the last match of any rule are not those of this one */
	int groups = match(s, s->rule, s->next[s->rule - s->set->rules].at);
	const PCRE2_SIZE *range = pcre2_get_ovector_pointer(s->found);
	const char *p = s->rule->template, *end = p + s->rule->length;
	for (const char *dollar; (dollar = memchr(p, '$', (size_t)(end - p))); p = dollar + 2) {
		int group = dollar[1] - '0';
		bool literal = dollar[1] == '$', set = !literal && group < groups;
		if (!add_most(url, p, (size_t)(dollar - p) + literal, most))
			return false;
		if (set && range[2 * group + 1] > range[2 * group] /* not where both are PCRE2_UNSET */
		    && !add_most(url, s->text + range[2 * group], range[2 * group + 1] - range[2 * group], most))
			return false;
	}
	return add_most(url, p, (size_t)(end - p), most);
}

#else

/* There are no rules, so nothing searches for them. */
urlsift_status urlsift_link_rules_new(const urlsift_allocator *allocator, const char *text, size_t length,
                                      urlsift_link_rules **rules, urlsift_rule_fault *fault)
{
	(void)length;
	urlsift_allocator alloc;
	if (!take_arguments(allocator, text, rules, fault, &alloc))
		return URLSIFT_BAD_ARGUMENT;
	*fault = (urlsift_rule_fault){ .what = "not in this build" };
	return URLSIFT_NOT_BUILT;
}

void urlsift_link_rules_free(urlsift_link_rules *set) { (void)set; }

struct link_rules_search *link_rules_search_new(const urlsift_allocator *alloc, const urlsift_link_rules *set)
{
	(void)alloc, (void)set;
	return NULL;
}

void link_rules_search_free(struct link_rules_search *s) { (void)s; }

void link_rules_begin(struct link_rules_search *s, const uint8_t *text, size_t n, bool first, bool last)
{
	(void)s, (void)text, (void)n, (void)first, (void)last;
}

urlsift_status link_rules_next(struct link_rules_search *s, size_t *from, size_t *to)
{
	(void)s, (void)from, (void)to;
	return URLSIFT_INVALID;
}

bool link_rules_expand(struct link_rules_search *s, size_t most, struct buf *url)
{
	(void)s, (void)most, (void)url;
	return true;
}
#endif
