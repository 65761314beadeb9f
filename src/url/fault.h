/* Faults for people: a sentence for where a match against a rule ended. */
#ifndef URL_FAULT_H
#define URL_FAULT_H

#include "urlsift.h"

/* What is wrong at `offset` of the text, where the rule could not go on (at
 * `length`: something is missing).  `beyond_ascii` says that the grammar has
 * characters beyond ASCII (RFC 3987).  The rule and the sentence are static.
 * NULL in place of a rule that is not known: the library's own mistake. */
urlsift_fault fault_at(const char *rule, const char *text, size_t length, size_t offset, int beyond_ascii);

#endif
