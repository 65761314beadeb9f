/* The text of the grammars: rules in PCRE2 syntax, free spacing, one row each.
 * A rule has the RFC's name and refers to others as <name>. */
#ifndef URL_GRAMMAR_RULES_H
#define URL_GRAMMAR_RULES_H

struct grammar_rule {
	const char *name; /* NULL behind the last row */
	const char *pattern;
};

/* What is matched against a text, by these rules.  It matches every text from
 * its beginning: all of a URL of the grammar, with the mark GRAMMAR_VALID; of any
 * other its longest prefix that splits by the grammar, with the name of the rule
 * that could not go on as the mark. */
#define GRAMMAR_VALID "valid"

extern const struct grammar_rule grammar_rfc1738[];
extern const char grammar_rfc1738_start[];

extern const struct grammar_rule grammar_generic[]; /* what RFC 3987 took over from RFC 3986 as it was */
extern const struct grammar_rule grammar_rfc3986[];
extern const char grammar_rfc3986_start[];
extern const struct grammar_rule grammar_rfc3987[]; /* UTF-8, the others are of bytes */
extern const char grammar_rfc3987_start[];

#endif
