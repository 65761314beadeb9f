/* One URL: splitting and judging. */
#include "context.h"
#include "grammar.h"
#include "split.h"

void urlsift_url_split(const char *text, size_t length, urlsift_url *url)
{
	split_url(text, length, url);
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
	if ((size_t)grammar >= GRAMMARS)
		return URLSIFT_BAD_ARGUMENT;
	if (grammar_quick(url, grammar))
		return URLSIFT_OK;
	const struct grammar *g = context_grammar(context, grammar, &status);
	return g ? grammar_match(g, url, fault) : status;
}
