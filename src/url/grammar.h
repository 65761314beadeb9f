/* The grammars of RFC 1738 (section 5), RFC 3986 and RFC 3987.  PCRE2 named rules with the RFCs' own names are the
 * definition: (?(DEFINE)...) blocks, every repeat bounded or possessive, matched by PCRE2's JIT or its interpreter. */
#ifndef URL_GRAMMAR_H
#define URL_GRAMMAR_H

#include "urlsift.h"

#include <stdbool.h>

enum { GRAMMARS = URLSIFT_RFC3987 + 1 };

/* Whether PCRE2 is built in.  Without it there are no verdicts: grammar_new returns URLSIFT_NOT_BUILT. */
#ifdef URLSIFT_WITH_PCRE2
enum { GRAMMAR_BUILT = 1 };
#else
enum { GRAMMAR_BUILT = 0 };
#endif

/* Whether byte classes alone judge the URL: fault->rule is NULL where it is valid, else as grammar_match.  If false,
 * PCRE2 must judge it.  Linear, a few instructions per byte, no memory: `list --json` takes a third less time for links
 * beyond ASCII. */
bool grammar_quick(const urlsift_url *url, urlsift_grammar which, urlsift_fault *fault);

/* Whether RFC 1738 takes a simple link with a head (link.h), whose host is known to be valid: of the bytes of such a
 * link it refuses only `~`, and in the query of http `/` and `?`.  Some are not recognised.  8% of JSON's time. */
bool grammar_quick_simple(const urlsift_url *url);

struct grammar; /* a compiled grammar; immutable, so threads may share it */

/* NULL and *status (no memory, or an internal error) when it does not compile. */
struct grammar *grammar_new(const urlsift_allocator *alloc, urlsift_grammar which, urlsift_status *status);
void grammar_free(struct grammar *g); /* NULL is allowed */

/* Judges the URL.  URLSIFT_OK: valid.  URLSIFT_INVALID: not, and *fault (NULL is allowed) describes the first fault.
 * Any other status is an error (a match limit, no memory), not a verdict.  Bytes that are not UTF-8 are read by rule
 * C1.  Linear. */
urlsift_status grammar_match(const struct grammar *g, const urlsift_url *url, urlsift_fault *fault);

/* Writes the version of PCRE2, at most `size` bytes; returns the full length. */
size_t grammar_version(char *out, size_t size);

/* The most bytes that all compiled grammars and one match of a URL allocate. */
size_t grammar_memory_bound(void);

/* ---- Shared by the grammar_*.c files ------------------------------------------- */

/* A rule in PCRE2 syntax, free spacing.  It has the RFC's name and refers to others as <name>. */
struct grammar_rule {
	const char *name; /* NULL after the last rule */
	const char *pattern;
	const struct fault_words *fault; /* NULL: no mark names it */
};

/* The schemes that RFC 1738 defines. */
#define GRAMMAR_RFC1738_SCHEMES(separator) \
	"http" separator "ftp" separator "news" separator "nntp" separator "telnet" separator "gopher" separator \
	"wais" separator "mailto" separator "file" separator "prospero"

/* The mark of a valid URL. */
#define GRAMMAR_VALID "valid"

/* The rules of a grammar, and the pattern that is matched.  It matches every text from its beginning: all of a valid
 * URL with the mark GRAMMAR_VALID; of any other text the longest prefix that splits by the grammar, with the name of
 * the rule that failed as the mark. */
struct grammar_source {
	const struct grammar_rule *rules[2]; /* the second may have none */
	const char *start;
};
extern const struct grammar_source grammar_sources[GRAMMARS];

/* The fault at `offset` of the text, where the rule failed (at `length`: the URL is incomplete).  Rule and sentence are
 * static; the rule is NULL where the grammar has none of this name with a sentence, which is an internal error. */
urlsift_fault grammar_fault(urlsift_grammar which, const char *name, const char *text, size_t length, size_t offset);

#endif
