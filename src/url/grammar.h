/* The grammars of RFC 1738 (section 5), RFC 3986 and RFC 3987, in PCRE2 named
 * rules with the RFCs' own names: (?(DEFINE)...) blocks, every repeat bounded or
 * possessive, JIT where there is one. */
#ifndef URL_GRAMMAR_H
#define URL_GRAMMAR_H

#include "split.h"

#include <stdbool.h>

enum { GRAMMARS = URLSIFT_RFC3987 + 1 };

/* Whether class tables alone tell that the URL is of the grammar.  False is no
 * verdict: then PCRE2, which is the definition, has to be asked.  Linear, a few
 * instructions a byte, no memory. */
bool grammar_quick(const urlsift_url *url, urlsift_grammar which);

struct grammar; /* one of them, compiled; immutable, so threads may share it */

/* NULL and *status (no memory, or an error of ours) when it does not compile. */
struct grammar *grammar_new(const urlsift_allocator *alloc, urlsift_grammar which, urlsift_status *status);
void grammar_free(struct grammar *g); /* NULL is allowed */

/* Judges the split URL.  URLSIFT_OK: it is of the grammar.  URLSIFT_INVALID: it is
 * not, and *fault tells the first faulty rule, its offset in the text, and a
 * sentence.  Any other status is an error of ours (a match limit, no memory),
 * never a verdict.  Bytes that are no UTF-8 are read by rule C1.  Linear. */
urlsift_status grammar_match(const struct grammar *g, const urlsift_url *url, urlsift_fault *fault);

/* The most bytes that all grammars, compiled, ask of the allocator, with one
 * match of a URL of `length` bytes. */
size_t grammar_memory_bound(size_t length);

#endif
