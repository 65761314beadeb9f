#include "context.h"

#include "text/buf.h"

#include <stdatomic.h>

urlsift_context *urlsift_context_new(const urlsift_allocator *allocator)
{
	urlsift_allocator a = alloc_from(allocator);
	urlsift_context *c = alloc_get(&a, sizeof *c);
	if (!c)
		return NULL;
	if (pthread_mutex_init(&c->compiling, NULL) != 0) {
		alloc_put(&a, c);
		return NULL;
	}
	c->alloc = a;
	for (size_t i = 0; i < GRAMMARS; i++)
		atomic_init(&c->grammars[i], NULL);
	return c;
}

void urlsift_context_free(urlsift_context *context)
{
	if (!context)
		return;
	urlsift_allocator a = context->alloc;
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
