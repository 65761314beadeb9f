#include "url.h"

#include "interpret.h"
#include "text/ascii.h"
#include "text/buf.h"
#include "text/bytes.h"

#include <stdatomic.h>
#include <string.h>

size_t version_put(const char *version, size_t n, char *out, size_t size)
{
	bytes_put(out, version, smaller(n, size));
	return n;
}

/* ---- Context ---- */

urlsift_context *urlsift_context_new(const urlsift_allocator *allocator)
{
	urlsift_allocator a = alloc_from(allocator);
	urlsift_context *c = alloc_is_whole(&a) ? alloc_get(&a, sizeof *c) : NULL;
	if (!c)
		return NULL;
	if (pthread_mutex_init(&c->compiling, NULL) != 0) {
		alloc_put(&a, c);
		return NULL;
	}
	c->alloc = a;
	for (size_t i = 0; i < GRAMMARS; i++)
		atomic_init(&c->grammars[i], NULL);
	atomic_init(&c->spare, NULL);
	return c;
}

struct context_spare *context_take(urlsift_context *context) { return atomic_exchange(&context->spare, NULL); }

void context_keep(urlsift_context *context, struct context_spare *spare)
{
	struct context_spare *before = atomic_exchange(&context->spare, spare);
	if (before)
		before->free(before);
}

void urlsift_context_free(urlsift_context *context)
{
	if (!context)
		return;
	urlsift_allocator a = context->alloc;
	context_keep(context, NULL);
	for (size_t i = 0; i < GRAMMARS; i++)
		grammar_free(atomic_load(&context->grammars[i]));
	pthread_mutex_destroy(&context->compiling);
	alloc_put(&a, context);
}

const struct grammar *context_grammar(urlsift_context *context, urlsift_grammar which, urlsift_status *status)
{
	struct grammar *g = atomic_load_explicit(&context->grammars[which], memory_order_acquire);
	if (g)
		return g;
	pthread_mutex_lock(&context->compiling);
	g = atomic_load_explicit(&context->grammars[which], memory_order_relaxed);
	if (!g) {
		g = grammar_new(&context->alloc, which, status);
		atomic_store_explicit(&context->grammars[which], g, memory_order_release);
	}
	pthread_mutex_unlock(&context->compiling);
	return g;
}

/* ---- Components ---- */

static urlsift_component part(const char *text, const char *from, const char *to)
{
	return (urlsift_component){ (size_t)(from - text), (size_t)(to - from), 1 };
}

static const char *find(const char *p, const char *end, char c)
{
	return (const char *)find_byte((const uint8_t *)p, (const uint8_t *)end, c);
}

void split_path(const char *text, size_t length, size_t from, urlsift_url *url)
{
	const char *p = text + from, *end = text + length;
	/* memset of so much becomes `rep stos`, which takes 30 cycles to begin */
#pragma GCC unroll 10
	for (urlsift_component *c = &url->scheme; c <= &url->fragment; c++)
		*c = (urlsift_component){0, 0, 0};
	url->text = text;
	url->length = length;
	const char *fragment = find(p, end, '#'), *query = find(p, fragment, '?');
	url->path = part(text, p, query);
	if (query < fragment)
		url->query = part(text, query + 1, fragment);
	if (fragment < end)
		url->fragment = part(text, fragment + 1, end);
}

void split_rest(const char *text, size_t length, size_t from, bool in_authority, urlsift_url *url)
{
	split_path(text, length, from, url);
	const char *p = text + from, *end = p + url->path.length;
	if (!in_authority) {
		if (!text_begins(p, url->path.length, "//"))
			return;
		p += 2;
	}
	const char *path = find(p, end, '/');
	const char *host = p;
	url->authority = part(text, p, path);
	url->path = part(text, path, end);
	/* the last `@` ends the userinfo, as in clients; a colon inside `[ ]` does not begin a port */
	for (const char *at = p; (at = find(at, path, '@')) < path; at++)
		host = at + 1;
	if (host > p) {
		const char *at = host - 1, *colon = find(p, at, ':');
		url->userinfo = part(text, p, at);
		url->user = part(text, p, colon);
		if (colon < at)
			url->password = part(text, colon + 1, at);
	}
	const char *colon = find(text_begins(host, (size_t)(path - host), "[") ? find(host, path, ']') : host, path, ':');
	url->host = part(text, host, colon);
	if (colon < path)
		url->port = part(text, colon + 1, path);
}

void split_url(const char *text, size_t length, urlsift_url *url)
{
	const size_t colon = byte_until(text, 0, length, ":/?#");
	const bool has_scheme = colon > 0 && byte_at((const uint8_t *)text, colon, length) == ':';
	split_rest(text, length, has_scheme ? colon + 1 : 0, false, url);
	if (has_scheme)
		url->scheme = part(text, text, text + colon);
}

/* ---- The public calls ---- */

size_t urlsift_dependency_version(urlsift_dependency which, char *out, size_t size)
{
	static size_t (*const versions[])(char *out, size_t size) = {
		[URLSIFT_DEPENDENCY_PCRE2] = grammar_version, [URLSIFT_DEPENDENCY_IDN2] = idna_version,
		[URLSIFT_DEPENDENCY_PSL] = psl_library_version
	};
	return (size_t)which < sizeof versions / sizeof *versions ? versions[which](out, size) : 0;
}

void urlsift_url_split(const char *text, size_t length, urlsift_url *url)
{
	split_url(text_or(text, ""), text ? length : 0, url);
}

const char *urlsift_grammar_name(urlsift_grammar grammar)
{
	static const char *const names[GRAMMARS] = { "rfc1738", "rfc3986", "rfc3987" };
	return (size_t)grammar < GRAMMARS ? names[grammar] : "unknown";
}

urlsift_status urlsift_url_check(urlsift_context *context, const urlsift_url *url, urlsift_grammar grammar,
                                 urlsift_fault *fault)
{
	urlsift_status status;
	if (!context || !url || (size_t)grammar >= GRAMMARS)
		return URLSIFT_BAD_ARGUMENT;
	urlsift_fault quick;
	if (GRAMMAR_BUILT && grammar_quick(url, grammar, &quick)) {
		if (fault && quick.rule)
			*fault = quick;
		return quick.rule ? URLSIFT_INVALID : URLSIFT_OK;
	}
	const struct grammar *g = context_grammar(context, grammar, &status);
	return g ? grammar_match(g, url, fault) : status;
}

urlsift_status urlsift_url_interpret(urlsift_context *context, const urlsift_url *url, urlsift_field_fn each,
                                     void *user)
{
	if (!url || !each)
		return URLSIFT_BAD_ARGUMENT;
	urlsift_allocator alloc = alloc_from(context ? &context->alloc : NULL);
	return interpret_url(&alloc, url, each, user);
}

size_t urlsift_url_resolve(const urlsift_url *base, const urlsift_url *reference, urlsift_resolution rules, char *out,
                           size_t size)
{
	if (!base || !reference)
		return 0;
	return rules == URLSIFT_RESOLVE_RFC1630 ? resolve_rfc1630(base, reference, out, size)
	                                        : resolve_rfc3986(base, reference, 0, out, size);
}
