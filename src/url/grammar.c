#include "grammar.h"
#include "pattern.h"
#include "url.h"

#ifdef URLSIFT_WITH_PCRE2
#include "text/ascii.h"
#include "text/bytes.h"
#include "text/buf.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

/* Without a JIT, a match keeps its frames on the heap. */
#define HEAP_LIMIT_KIB "128"
enum {
	PATTERN_MAX = 16 * 1024,
	/* Compiled or being compiled, with frames: twice what was measured. */
	COMPILED_MAX = 640 * 1024
};

struct grammar {
	struct pattern_memory memory;
	pcre2_general_context *context;
	pcre2_code *code;
	urlsift_grammar which;
};

/* ---- Compiling ------------------------------------------------------------ */

/* Whether all of the pattern could be added is asked once, at its end: buf.full. */

/* PCRE2 allows letters, digits and `_` in the names of groups. */
static void add_name(struct buf *b, const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		buf_add(b, BYTE_IN(name[i], "-+") ? "_" : name + i, 1);
}

/* <name> becomes a call of the rule; any other `<` belongs to a lookbehind. */
static void add_pattern(struct buf *b, const char *p)
{
	while (*p) {
		size_t n = strcspn(p, "<");
		buf_add(b, p, n);
		p += n;
		if (!*p)
			break;
		if (is_alpha((uint8_t)p[1])) {
			n = strcspn(++p, ">");
			buf_add_text(b, "(?&");
			add_name(b, p, n);
			buf_add_text(b, ")");
			p += n + 1;
		} else {
			buf_add(b, p++, 1);
		}
	}
}

static void add_rules(struct buf *b, const struct grammar_rule *rule)
{
	for (; rule->name; rule++) {
		buf_add_text(b, "(?<");
		add_name(b, rule->name, strlen(rule->name));
		buf_add_text(b, ">");
		add_pattern(b, rule->pattern);
		buf_add_text(b, ")");
	}
}

static urlsift_status compile(struct grammar *g, const struct buf *pattern)
{
	int error = 0;
	size_t where;
	pcre2_compile_context *context = pcre2_compile_context_create(g->context);
	if (!context)
		return URLSIFT_NO_MEMORY;
	g->code = pcre2_compile(pattern->data, pattern->length, PCRE2_EXTENDED, &error, &where, context);
	pcre2_compile_context_free(context);
	if (!g->code)
		return error == PCRE2_ERROR_HEAP_FAILED ? URLSIFT_NO_MEMORY : URLSIFT_INTERNAL;
	pattern_accelerate(g->code, &g->memory);
	return URLSIFT_OK;
}

struct grammar *grammar_new(const urlsift_allocator *alloc, urlsift_grammar which, urlsift_status *status)
{
	struct buf pattern;
	struct grammar *g = alloc_get(alloc, sizeof *g);
	*status = URLSIFT_NO_MEMORY;
	if (!g)
		return NULL;
	pattern_memory_init(&g->memory, alloc);
	g->which = which;
	g->context = pcre2_general_context_create(pattern_allocate, pattern_release, &g->memory);
	buf_init(&pattern, &g->memory.alloc, PATTERN_MAX);
	const struct grammar_source *s = &grammar_sources[which];
	buf_add_text(&pattern, "(*LIMIT_HEAP=" HEAP_LIMIT_KIB ")(?(DEFINE)");
	add_rules(&pattern, s->rules[0]);
	add_rules(&pattern, s->rules[1]);
	buf_add_text(&pattern, ")\\A(?:");
	add_pattern(&pattern, s->start);
	buf_add_text(&pattern, ")");
	if (g->context && !pattern.full)
		*status = compile(g, &pattern);
	buf_fini(&pattern);
	if (*status == URLSIFT_OK)
		return g;
	grammar_free(g);
	return NULL;
}

void grammar_free(struct grammar *g)
{
	if (!g)
		return;
	urlsift_allocator alloc = g->memory.alloc;
	pcre2_code_free(g->code);
	pcre2_general_context_free(g->context);
	pattern_memory_fini(&g->memory);
	alloc_put(&alloc, g);
}

size_t grammar_version(char *out, size_t size)
{
	char text[64] = ""; /* "10.42 2022-12-11": PCRE2 promises 24 bytes at most */
	int n = pcre2_config(PCRE2_CONFIG_VERSION, NULL);
	if (n <= 0 || (size_t)n > sizeof text || pcre2_config(PCRE2_CONFIG_VERSION, text) <= 0)
		return 0;
	return version_put(text, strcspn(text, " "), out, size);
}

size_t grammar_memory_bound(void)
{
	return COMPILED_MAX;
}

/* ---- Matching ------------------------------------------------------------- */

urlsift_status grammar_match(const struct grammar *g, const urlsift_url *url, urlsift_fault *fault)
{
	const size_t length = url_judged(url, g->which);
	urlsift_fault found = { 0, NULL, NULL };
	urlsift_status status = URLSIFT_INTERNAL; /* a limit; or no match, and every text matches */
	pcre2_match_data *data = pcre2_match_data_create(1, g->context);
	if (!data)
		return URLSIFT_NO_MEMORY;
	int rc = pcre2_match(g->code, (PCRE2_SPTR)url->text, length, 0, 0, data, NULL);
	const char *mark = rc > 0 ? (const char *)pcre2_get_mark(data) : NULL;
	if (rc == PCRE2_ERROR_NOMEMORY)
		status = URLSIFT_NO_MEMORY;
	else if (mark && strcmp(mark, GRAMMAR_VALID) == 0)
		status = URLSIFT_OK;
	else if (mark)
		found = grammar_fault(g->which, mark, url->text, length, pcre2_get_ovector_pointer(data)[1]);
	pcre2_match_data_free(data);
	if (!found.rule)
		return status;
	if (fault)
		*fault = found;
	return URLSIFT_INVALID;
}

#else

struct grammar *grammar_new(const urlsift_allocator *alloc, urlsift_grammar which, urlsift_status *status)
{
	(void)alloc, (void)which;
	*status = URLSIFT_NOT_BUILT;
	return NULL;
}

void grammar_free(struct grammar *g) { (void)g; }

urlsift_status grammar_match(const struct grammar *g, const urlsift_url *url, urlsift_fault *fault)
{
	(void)g, (void)url, (void)fault;
	return URLSIFT_NOT_BUILT;
}

size_t grammar_version(char *out, size_t size)
{
	(void)out, (void)size;
	return 0;
}

size_t grammar_memory_bound(void) { return 0; }
#endif
