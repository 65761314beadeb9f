/* A host as a reader sees it: labels that mix scripts (UTS #39 section 5.1) or
 * that look like other labels, and characters that turn into delimiters. */
#ifndef URL_LOOKALIKE_H
#define URL_LOOKALIKE_H

#include <stddef.h>
#include <stdint.h>

/* URLSIFT_WARN_MIXED_SCRIPT, _CONFUSABLE and _HOST_CHANGES as they fit the host:
 * UTF-8, escapes decoded, A-labels or not.  Latin may share a label with Han and
 * kana, with Han and Hangul, or with Han and bopomofo; nothing else with anything.
 * A label all of letters that look like ASCII is confusable but under a top-level
 * domain of the same script; so is a mark that looks like a delimiter.  A label
 * that is no A-label though it begins like one, or that is over 63 bytes (as an
 * ASCII label), changes the host.  Linear. */
unsigned lookalike_host(const uint8_t *host, size_t length);

#endif
