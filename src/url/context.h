/* What scanners and threads share: the allocator, and what is compiled once on
 * first need. */
#ifndef URL_CONTEXT_H
#define URL_CONTEXT_H

#include "grammar.h"

#include <pthread.h>

struct urlsift_context {
	urlsift_allocator alloc;
	pthread_mutex_t compiling;
	struct grammar *_Atomic grammars[GRAMMARS]; /* NULL until needed, then never changed */
};

/* The grammar, compiled by the first call; safe from several threads.  NULL and
 * *status when it cannot be had: the next call tries again. */
const struct grammar *context_grammar(urlsift_context *context, urlsift_grammar which, urlsift_status *status);

#endif
