#include "regex.h"

#include "memory.h"

#include "text/ascii.h"
#include "text/match.h"

#include <stdlib.h>

#ifdef URLSIFT_WITH_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum { HEAP_LIMIT_KIB = 4096 };

void regexes_init(struct regexes *r)
{
	*r = (struct regexes){ .memory.alloc = alloc_from(NULL) };
	r->context = memory_checked(pcre2_general_context_create(pattern_allocate, pattern_release, &r->memory));
	r->limits = memory_checked(pcre2_match_context_create(r->context));
	pcre2_set_heap_limit(r->limits, HEAP_LIMIT_KIB);
}

void regexes_fini(struct regexes *r)
{
	while (r->count > 0)
		pcre2_code_free(r->item[--r->count]);
	free(r->item);
	pcre2_match_context_free(r->limits);
	pcre2_general_context_free(r->context);
	pattern_memory_fini(&r->memory);
}

void regexes_set_limit(struct regexes *r, uint32_t steps)
{
	pcre2_set_match_limit(r->limits, steps);
}

bool regexes_have_jit(void)
{
	int error;
	PCRE2_SIZE offset;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)"a", 1, 0, &error, &offset, NULL);
	bool have = code && pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0;
	pcre2_code_free(code);
	return have;
}

enum status regexes_add(struct regexes *r, const char *option, const char *regex)
{
	int code;
	PCRE2_SIZE offset;
	/* such as (*NO_JIT) and (*LIMIT_MATCH=...), which would change how it is run */
	if (match_text(regex, "(%*%u"))
		return report_usage("--%s: '%s': must not begin with a verb (*...)", option, regex);
	pcre2_compile_context *context = memory_checked(pcre2_compile_context_create(r->context));
	pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED,
	                                     PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &offset, context);
	pcre2_compile_context_free(context);
	if (!compiled) {
		memory_need(code != PCRE2_ERROR_HEAP_FAILED);
		PCRE2_UCHAR why[256] = "";
		pcre2_get_error_message(code, why, sizeof why);
		return report_usage("--%s: '%s': at offset %zu: %s%s", option, regex, (size_t)offset, (const char *)why,
		                    text_if(*regex == '*', "; it is a regular expression, not a glob"));
	}
	pattern_accelerate(compiled, &r->memory);
	MEMORY_ADD(r->item, r->count) = compiled;
	return STATUS_DONE;
}

void *regexes_desk_new(void)
{
	return memory_checked(pcre2_match_data_create(1, NULL));
}

void regexes_desk_free(void *desk)
{
	pcre2_match_data_free(desk);
}

enum regex_answer regexes_search(const struct regexes *r, void *desk, const char *text, size_t n)
{
	enum regex_answer answer = REGEX_MISSING;
	for (size_t i = 0; i < r->count; i++) {
		int result = pcre2_match(r->item[i], (PCRE2_SPTR)text, n, 0, 0, desk, r->limits);
		/* Where the stack of the JIT code is too small, the interpreter takes over, within the same limits. */
		if (result == PCRE2_ERROR_JIT_STACKLIMIT)
			result = pcre2_match(r->item[i], (PCRE2_SPTR)text, n, 0, PCRE2_NO_JIT, desk, r->limits);
		if (result >= 0)
			return REGEX_FOUND;
		const bool limit = result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_DEPTHLIMIT
		                   || result == PCRE2_ERROR_HEAPLIMIT;
		if (result != PCRE2_ERROR_NOMATCH)
			answer = limit ? REGEX_LIMIT : REGEX_ERROR;
	}
	return answer;
}

#else

void regexes_init(struct regexes *r) { *r = (struct regexes){ .count = 0 }; }

void regexes_fini(struct regexes *r) { (void)r; }
void regexes_set_limit(struct regexes *r, uint32_t steps) { (void)r, (void)steps; }

enum status regexes_add(struct regexes *r, const char *option, const char *regex)
{
	(void)r, (void)regex;
	return report_usage("--%s: not in this build", option);
}

bool regexes_have_jit(void) { return false; }

void *regexes_desk_new(void)
{
	return memory_get(1); /* nothing is in it */
}

void regexes_desk_free(void *desk) { free(desk); }

enum regex_answer regexes_search(const struct regexes *r, void *desk, const char *text, size_t n)
{
	(void)r, (void)desk, (void)text, (void)n;
	return REGEX_MISSING;
}
#endif
