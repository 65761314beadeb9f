/* What holds for every link, by whatever way it is found: its properties do not contradict one another. */
#ifndef TESTS_LINK_CHECK_H
#define TESTS_LINK_CHECK_H

#include "urlsift.h"

#include <stdbool.h>
#include <string.h>

static inline bool link_same_text(const char *a, size_t m, const char *b, size_t n)
{
	return m == n && !memcmp(a, b, m);
}

/* The first promise of urlsift.h that the alternates break, or NULL. */
static inline const char *link_bad_alternate(const urlsift_link *l)
{
	size_t count, n;
	unsigned flags = urlsift_link_flags(l);
	const char *text = urlsift_link_text(l, &n);
	const urlsift_alternate *a = urlsift_link_alternates(l, &count);
	for (size_t i = 0; i < count; i++) {
		if (!(a[i].confidence >= 0 && a[i].confidence <= 1))
			return "a confidence is from 0 to 1";
		if (link_same_text(a[i].text, a[i].length, text, n))
			return "an alternate is another text than the link's";
		if (!(flags & (a[i].why == URLSIFT_WHY_HYPHEN ? URLSIFT_HYPHEN_AMBIGUOUS : URLSIFT_JOIN_IS_GUESSED)))
			return "a flag says why there is an alternate";
		if (i > 0 && a[i].why < a[i - 1].why)
			return "hyphens come before joins";
		for (size_t k = 0; k < i; k++)
			if (link_same_text(a[i].text, a[i].length, a[k].text, a[k].length))
				return "no two alternates are the same";
	}
	return NULL;
}

/* The same of the link itself. */
static inline const char *link_contradiction(const urlsift_link *l)
{
	size_t parts, n, length;
	unsigned flags = urlsift_link_flags(l);
	urlsift_removed removed = urlsift_link_removed(l);
	const char *scheme = urlsift_link_scheme(l, &n);
	urlsift_scheme row;
	urlsift_link_parts(l, &parts);
	if (removed.hyphens > removed.breaks || removed.decorations > removed.breaks)
		return "hyphens and decorations stand at breaks";
	if (removed.breaks && !(flags & URLSIFT_JOINED))
		return "a link is joined when breaks were removed";
	if (!(flags & URLSIFT_HYPHEN_AMBIGUOUS) != !removed.hyphens)
		return "hyphen-ambiguous means that a hyphen stands at a break";
	if (!(flags & URLSIFT_DECORATION) != !removed.decorations)
		return "decoration means that decorations were removed";
	if ((flags & (URLSIFT_SCHEME_JOINED | URLSIFT_JOIN_IS_DECLARED)) && !(flags & URLSIFT_JOINED))
		return "a join is declared, or in the scheme, of a link that is joined";
	bool rule = urlsift_link_convention(l) == URLSIFT_CONV_RULE;
	if (!(flags & URLSIFT_RESOLVED) != (rule || !urlsift_link_resolved(l, &length)))
		return "resolved means that there is a resolved form";
	if (flags & URLSIFT_UNLINKABLE_SCHEME && urlsift_scheme_linkable(scheme, n))
		return "an unlinkable scheme is not linkable";
	if (flags & URLSIFT_UNKNOWN_SCHEME && urlsift_scheme_find(scheme, n, &row))
		return "an unknown scheme is not in the table";
	if (urlsift_link_is_simple(l) && flags & (URLSIFT_RESOLVED | URLSIFT_NO_IDNA | URLSIFT_UNKNOWN_SCHEME))
		return "a simple link is as it stands";
	return link_bad_alternate(l);
}

#endif
