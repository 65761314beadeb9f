/* The grammars of RFC 1738 (section 5), RFC 3986 and RFC 3987, in PCRE2 named
 * rules with the RFCs' own names: (?(DEFINE)...) blocks, every repeat bounded or
 * possessive, JIT where there is one. */
#ifndef URL_GRAMMAR_H
#define URL_GRAMMAR_H

#include "split.h"

struct grammars; /* compiled once, on first need, kept by the context, shared between threads */

/* NULL without memory or when a pattern does not compile (an error of ours). */
struct grammars *grammars_new(const urlsift_allocator *alloc);
void grammars_free(struct grammars *g);

/* Judges the split URL.  URLSIFT_OK: it is of the grammar.  URLSIFT_INVALID: it is
 * not, and *fault tells the first faulty rule, its offset in the text, and a
 * sentence.  Any other status is an error of ours (a match limit, no memory),
 * never a verdict.  Class tables answer for common forms; PCRE2 is the
 * definition.  Bytes that are no UTF-8 are read by rule C1. */
urlsift_status grammar_check(struct grammars *g, const urlsift_url *url, urlsift_grammar grammar, urlsift_fault *fault);

#endif
