/* From a trigger byte to the link.  candidate.c decides which convention applies there; each convention is a file of
 * its own. */
#ifndef SCAN_CANDIDATE_H
#define SCAN_CANDIDATE_H

#include "extent.h"
#include "find.h"
#include "guess.h"
#include "line.h"
#include "link.h"
#include "simd/simd.h"
#include "url/url.h"

enum limit {
	LIMIT_URL,        /* URLSIFT_OPT_MAX_URL */
	LIMIT_BREAKS,     /* URLSIFT_OPT_MAX_BREAKS */
	LIMIT_ALTERNATES, /* URLSIFT_OPT_MAX_ALTERNATES */
	LIMIT_RULE_STEPS, /* LINK_RULES_STEPS */
	LIMIT_SPAN        /* SPAN_MAX */
};
/* As in notices: "url-length" ...; static. */
const char *limit_name(enum limit limit);

/* A limit that was exceeded, and where. */
struct exceeded_limit { enum limit limit; uint64_t at; };

/* Limits that were exceeded while one candidate was read, in order and each place once. */
struct exceeded {
	size_t count;
	struct exceeded_limit list[8]; /* more are dropped; `at`: index in the view */
};

/* The settings that the rules read. */
struct rules {
	bool email, domains, ipv4, www_https, refang, guess;
	bool cut_hosts; /* a host that is cut makes a link */
	urlsift_join join;
	urlsift_hyphen hyphen;
	const char *base; /* for partial forms (W3); NULL for none */
	size_t base_length;
	size_t max_url, max_breaks, max_alternates;
	const struct simd *simd;
	struct exceeded *exceeded;
};

/* Whether guesses (J2) are asked for. */
static inline bool rules_guess(const struct rules *r)
{
	return r->join >= URLSIFT_JOIN_SURE || (r->guess && r->join != URLSIFT_JOIN_NEVER);
}

/* options.c.  Whether it is among the first `count` of these. */
bool limit_is_known(const struct exceeded_limit *known, size_t count, struct exceeded_limit limit);
/* The link that begins at index `at` exceeds a limit. */
void rules_exceed(const struct rules *r, enum limit limit, size_t at);
/* What a limit is set to. */
uint64_t rules_limit(const struct rules *r, enum limit limit);

/* A scheme that was looked up: its name, in the view, and its row. */
struct known_scheme { const uint8_t *name; size_t n; const struct scheme *row; };

/* One trigger byte and what is known of its surroundings. */
struct candidate {
	/* given */
	const struct rules *rules;
	const struct view *v;
	struct urlsift_link *link; /* filled in when the answer is yes */
	struct terminal *terminal;
	size_t floor;     /* the previous link ends here: nothing before it may be taken */
	size_t last_part; /* where the last part of that link begins */
	size_t unclosed;  /* no emphasis opens before it: an earlier one was never closed (B6) */
	bool free;        /* set by simple_read: no rule needs what precedes the link, which is one of http, https or
	                   * ftp, but for a `<` right before it */
	bool labelled;    /* label_is_beside says so of that link */
	bool cut;         /* simple_may_be_cut said so of it, */
	bool guessed;     /* because guess_next did, which set `guess` */
	bool measured;    /* `extent` is that of the first line of such a link, */
	struct extent extent; /* as extent_run left it */
	struct guess guess;
	size_t path;      /* of such a link, its path or query when its host is plain, or 0; */
	size_t inner;     /* and up to where it is URL_INNER then */
	size_t clear_from, clear_to; /* no `<` is between them (wrapper.c) */
	/* set by candidate_read */
	size_t reach;     /* how far back a `<` is looked for */
	size_t end;       /* yes: where the search continues */
	size_t from;      /* yes and `swallowed`: [from, end) is used up, but is not a link (B10) */
	bool swallowed;
	size_t still_open; /* no: the next `unclosed`, or 0 */
	struct known_scheme known[8]; /* by length and second letter: http, https, ftp, mailto, cid each have a place */
};

/* Reads the link of the trigger byte at i, an index that find_next returned.  False: there is none. */
bool candidate_read(struct candidate *c, size_t i);

/* simple.c: the end of the simple link whose colon is at i, brackets included, read in one pass.  c->link is as
 * candidate_read would make it, but for guesses (J2).  0: not that simple, candidate_read decides; c->free and c->path
 * are set. */
size_t simple_read(struct candidate *c, size_t i);
/* Whether a guess (J2) may join more to that link: candidate_read decides then.  Sets the
 * link's reach to the end of what was read for that, 0 for nothing. */
bool simple_may_be_cut(struct candidate *c);

/* A scheme before a colon. */
struct scheme_name {
	size_t begin;
	size_t run; /* where the run of scheme characters before the colon begins: <= begin */
	const struct scheme *row; /* NULL for an unknown one */
	bool overlong;
};

/* The scheme whose colon is at i (B1, B10).  False: there is none. */
bool candidate_scheme(struct candidate *c, size_t i, bool hier, struct scheme_name *name);

/* Whether a defanged form (refang.h) is in the text from `begin` to `end`; the trigger byte is at i. */
bool candidate_has_form(const struct candidate *c, size_t i, size_t begin, size_t end);

/* Whether what begins at index i is only the rest of the previous link, which was cut at a limit. */
static inline bool candidate_is_rest(const struct candidate *c, size_t i)
{
	return i == c->floor && is_alnum(c->v->p[i]) && is_alnum(byte_before(c->v->p, i));
}

/* Whether the authority that begins at `begin` makes no link, because its host goes on at i (host_is_cut). */
static inline bool candidate_is_cut(const struct candidate *c, size_t begin, size_t i)
{
	return !c->rules->cut_hosts && host_is_cut(c->v, begin, i);
}

/* The prefix (Q1) of the line of the link that begins at i.  If another link ends on that line, it is before that
 * link's part of it. */
void candidate_prefix(const struct candidate *c, size_t i, struct line_prefix *prefix);

/* ---- the conventions: all answer as candidate_read ---- */

/* wrapper.c: `<URL:...>` (W); i is at the colon. */
bool wrapper_read(struct candidate *c, size_t i);
/* `<scheme:...>` (A), the scheme at `begin`. */
bool wrapper_angle(struct candidate *c, size_t begin);
/* `[[scheme:...][` of Org with a blank in the URL (A2), the scheme at `begin`. */
bool wrapper_org(struct candidate *c, size_t begin);
/* `<scheme:...>` whose scheme is broken before its last piece, which ends at the colon at i (W7). */
bool wrapper_broken_scheme(struct candidate *c, size_t i, const struct scheme_name *name, bool hier);
/* Either: any brackets around a link of that scheme. */
bool wrapper_around(struct candidate *c, size_t i, const struct scheme_name *name, bool hier);
/* Brackets around a link that is broken at the colon at i or right after it. */
bool wrapper_broken_colon(struct candidate *c, size_t i);

/* bare.c: outside brackets (B, D, P), from the scheme on. */
bool bare_link(struct candidate *c, const struct scheme_name *name, size_t colon, size_t slashes);
/* Reads a link that is c->free. */
bool bare_link_free(struct candidate *c, size_t colon);

/* schemeless.c: `www.` and `ftp.` (S1), the name at `begin`. */
bool schemeless_host(struct candidate *c, size_t begin, bool ftp);
/* A name under a top-level domain (S2); i is at its first full stop. */
bool schemeless_domain(struct candidate *c, size_t i);

/* email.c: an address (M1), its `@` at i. */
bool email_read(struct candidate *c, size_t i);

/* ---- a link without brackets, from its beginning to its end (B, D, S) ---- */

struct bare {
	/* given */
	struct opening opening;
	struct schemepart part; /* checked; the extent continues from part.rest */
	size_t solid;           /* the link must reach past this index */
	size_t inner;           /* up to this index it is URL_INNER, or 0 */
	bool one_line;          /* ignore declared breaks (J1) */
	bool swallowed;         /* its scheme is never linked, and what follows is passed over up to an escape (B10) */
	/* results */
	struct extent extent;   /* how it ended */
	struct span lines[BREAKS_MAX + 1]; /* the piece of it on each line */
	size_t line_count;
	bool quoted;            /* it is in quoted-printable that was not decoded (J1) */
	bool guessed;           /* its lines are those of a guess (J2) */
};

/* Prepares the link that begins at `begin`: its opening is read. */
void bare_begin(struct bare *b, const struct candidate *c, size_t begin);
/* Reads the link: c->link has text, parts and flags, but no scheme; its convention is quoted or bare.  False: there is
 * none.  b->extent.at is set. */
bool bare_read(const struct candidate *c, struct bare *b);

/* Ends the link at `end` or before, as if the text ended there (B4, B5). */
void bare_cut(const struct view *v, struct bare *b, size_t end);
/* Text, parts and flags of the link, from its lines; c->link has none yet. */
void bare_assemble(const struct candidate *c, const struct bare *b);
/* Makes text, parts and flags of the link anew. */
void bare_assemble_again(const struct candidate *c, const struct bare *b);
/* Cuts the text to `length` bytes, and the parts and lines accordingly.  Returns where the last of them ends. */
size_t bare_trim(const struct candidate *c, struct bare *b, size_t length);
/* Cuts a text that is longer than max_url, and reports the limit. */
void bare_limit(const struct candidate *c, struct bare *b);

/* J1, join.c: runs the extent over all lines of the link. */
void join_run_lines(const struct candidate *c, struct bare *b);
/* B2 for an authority that was broken: checks it as joined, and ends the link where it ends. */
void join_check_authority(const struct candidate *c, struct bare *b);
void join_guess_near(struct candidate *c, const struct bare *b); /* join_guess, where a line end is near */
/* J2, J3: joins what guesses of enough confidence add to the link that bare_read read; c->end moves along.  Where
 * rules->guess asks for it, the other reading becomes an alternate. */
static inline void join_guess(struct candidate *c, const struct bare *b)
{
	if (rules_guess(c->rules) && guess_is_near(c->v, b->extent.at))
		join_guess_near(c, b);
}

#endif
