#include "grammar.h"
#include "pattern.h"
#include "url.h"

#ifdef URLSIFT_WITH_PCRE2
#include "text/ascii.h"
#include "text/bytes.h"
#include "text/buf.h"
#include "text/unicode.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

/* Without a JIT, a match keeps its frames on the heap. */
#define HEAP_LIMIT_KIB "128"
enum {
	PATTERN_MAX = 16 * 1024,
	/* Compiled or being compiled, with frames: twice what was measured. */
	COMPILED_MAX = 640 * 1024,
	UTF8_GROWTH = 3 /* a byte of windows-1252 as UTF-8 */
};

struct grammar {
	struct pattern_memory memory;
	pcre2_general_context *context;
	pcre2_code *code;
	urlsift_grammar which;
};

/* ---- Compiling ------------------------------------------------------------ */

/* Whether all of the pattern could be added is asked once, at its end: buf.full. */

static void add_text(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

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
			add_text(b, "(?&");
			add_name(b, p, n);
			add_text(b, ")");
			p += n + 1;
		} else {
			buf_add(b, p++, 1);
		}
	}
}

static void add_rules(struct buf *b, const struct grammar_rule *rule)
{
	for (; rule && rule->name; rule++) {
		add_text(b, "(?<");
		add_name(b, rule->name, strlen(rule->name));
		add_text(b, ">");
		add_pattern(b, rule->pattern);
		add_text(b, ")");
	}
}

static urlsift_status compile(struct grammar *g, const struct buf *pattern)
{
	int error = 0;
	size_t where;
	pcre2_compile_context *context = pcre2_compile_context_create(g->context);
	if (!context)
		return URLSIFT_NO_MEMORY;
	uint32_t options = PCRE2_EXTENDED | (grammar_sources[g->which].utf8 ? PCRE2_UTF : 0);
	g->code = pcre2_compile(pattern->data, pattern->length, options, &error, &where, context);
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
	add_text(&pattern, "(*LIMIT_HEAP=" HEAP_LIMIT_KIB ")(?(DEFINE)");
	add_rules(&pattern, s->rules[0]);
	add_rules(&pattern, s->rules[1]);
	add_text(&pattern, ")\\A(?:");
	add_pattern(&pattern, s->start);
	add_text(&pattern, ")");
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

size_t grammar_memory_bound(size_t length)
{
	return COMPILED_MAX + UTF8_GROWTH * length;
}

/* ---- Matching ------------------------------------------------------------- */

struct subject {
	const char *bytes;
	size_t length;
};

/* Writes the text as UTF-8 by rule C1 until that has `limit` bytes, unless `out` is NULL.  Returns the length: that of
 * the text only for valid UTF-8, because all other bytes become longer.  *read: how much of the text it is. */
static size_t to_utf8(struct subject t, size_t limit, char *out, size_t *read)
{
	size_t length = 0, i = 0;
	while (i < t.length && length < limit) {
		uint8_t bytes[4];
		uint32_t cp;
		i += utf8_next((const uint8_t *)t.bytes + i, t.length - i, &cp);
		size_t size = utf8_put(bytes, cp);
		if (out)
			memcpy(out + length, bytes, size);
		length += size;
	}
	*read = i;
	return length;
}

static urlsift_status match(const struct grammar *g, struct subject t, urlsift_fault *fault)
{
	pcre2_match_data *found = pcre2_match_data_create(1, g->context);
	if (!found)
		return URLSIFT_NO_MEMORY;
	uint32_t options = grammar_sources[g->which].utf8 ? PCRE2_NO_UTF_CHECK : 0;
	int rc = pcre2_match(g->code, (PCRE2_SPTR)t.bytes, t.length, 0, options, found, NULL);
	const char *mark = rc > 0 ? (const char *)pcre2_get_mark(found) : NULL;
	urlsift_status status = URLSIFT_INVALID;
	if (rc == PCRE2_ERROR_NOMEMORY)
		status = URLSIFT_NO_MEMORY;
	else if (!mark)
		status = URLSIFT_INTERNAL; /* a limit; or no match, and every text matches */
	else if (strcmp(mark, GRAMMAR_VALID) == 0)
		status = URLSIFT_OK;
	else
		*fault = grammar_fault(g->which, mark, t.bytes, t.length, pcre2_get_ovector_pointer(found)[1]);
	pcre2_match_data_free(found);
	return status == URLSIFT_INVALID && !fault->rule ? URLSIFT_INTERNAL : status;
}

urlsift_status grammar_match(const struct grammar *g, const urlsift_url *url, urlsift_fault *fault)
{
	struct subject t = { url->text, url->length };
	urlsift_fault unread;
	if (!fault)
		fault = &unread;
	if (g->which == URLSIFT_RFC1738)
		t.length = url_fragment_begin(url);
	size_t read, length = g->which == URLSIFT_RFC3987 ? to_utf8(t, SIZE_MAX, NULL, &read) : t.length;
	if (length == t.length)
		return match(g, t, fault);
	char *copy = alloc_get(&g->memory.alloc, length);
	if (!copy)
		return URLSIFT_NO_MEMORY;
	to_utf8(t, length, copy, &read);
	urlsift_status status = match(g, (struct subject){ copy, length }, fault);
	if (status == URLSIFT_INVALID) {
		to_utf8(t, fault->offset, NULL, &read);
		fault->offset = read;
	}
	alloc_put(&g->memory.alloc, copy);
	return status;
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

size_t grammar_memory_bound(size_t length)
{
	(void)length;
	return 0;
}
#endif
