/* J2: how sure it is that a line end outside of brackets cuts a link.
 *
 * The link reaches the end of its line near the wrap column, and the next line has the same line prefix or deeper
 * indentation.  Where the link was cut, what the first word of the next line looks like and whether anything follows
 * that word decide.  The confidence of each combination is the share of right joins among judged ones (the table in
 * guess.c); a combination without one is not a guess.
 *
 * Bounds: one break looks BACK_LOOK bytes back from the link and one line of LINE_LOOK bytes ahead of the cut, so a
 * link of several breaks looks at most LINE_LOOK bytes ahead of its last part. */
#ifndef SCAN_GUESS_H
#define SCAN_GUESS_H

#include "extent.h"
#include "line.h"

#define GUESS_SURE 0.95   /* joined by default */
#define GUESS_LIKELY 0.75 /* joined with URLSIFT_JOIN_LIKELY, and where an earlier break of the link was joined */

struct guess {
	/* the link so far */
	size_t begin;
	size_t line, from; /* its last line, and where its part on that line begins */
	size_t at;         /* the cut: the end of that part, a final mark that is not the link's own (B4) included */
	uint32_t before;   /* the character before the link, 0 at the start of the text */
	bool query;        /* the link has a `?` */
	struct line_prefix prefix; /* of the line that the link begins on, and its columns with the indentation */
	size_t indent;
	struct extent x;   /* as it ended at the cut */
	/* set by guess_next */
	size_t kept;       /* `at`, or before the `=` of a soft line break of quoted-printable */
	size_t next, content, next_end; /* the next line: its start, its text after prefix and indentation, its end */
	struct extent word; /* the part of the link on that line */
	double confidence;
};

/* For a link that ended as `x`.  NO: text follows it on its line, or its line begins out of sight. */
enum verdict guess_init(struct guess *g, const struct view *v, const struct opening *o, const struct extent *x);
/* Reads the next line.  YES: word and confidence are set; NO: the link is not cut here. */
enum verdict guess_next(struct guess *g, const struct view *v);
/* After YES: joins the word to the link.  NO: text follows it on its line. */
enum verdict guess_take(struct guess *g, const struct view *v);

/* Whether the three might answer YES for the link in [begin, at), its opening and extent not known yet, and with `sure`
 * the confidence be GUESS_SURE: false for most links.  Looks at the next line alone. */
bool guess_may_follow(const struct view *v, size_t begin, size_t at, bool sure);

/* Whether a tag of HTML may begin at p, but not the `<` of a diff. */
static inline bool guess_is_tag(const uint8_t *p) { return p[0] == '<' && !is_blank(p[1]); }

/* The same in a few instructions: false for most links that guess_may_follow refuses. */
static inline bool guess_is_near(const struct view *v, size_t at)
{
	if (v->end - at < 9)
		return true;
	const uint8_t *p = v->p + at + (v->p[at] == '\r' && v->p[at + 1] == '\n');
	if (p[0] == '\n')
		return !(p[1] == 'h' && p[4] == 'p' && p[5 + (p[5] == 's')] == ':') && !is_line_end(p[1]) &&
		       !guess_is_tag(p + 1);
	return is_blank(p[0]) ? is_fws(p[1]) : p[0] == '\r' || p[0] == '-';
}

/* ---- guess_word.c: the first word of the next line ---- */

struct guess_word {
	const uint8_t *p;
	size_t n;
	const uint8_t *after; /* the rest of its line, without blanks at the end */
	size_t left;
	bool ending; /* guess_word_cuts_ending */
	/* set by guess_word_classify */
	bool closed; /* it ends at the counterpart of what precedes the link */
	bool alone;  /* closed, or nothing but closing punctuation follows it */
	bool strong; /* it holds marks that prose does not, or ends like a file name */
	bool plain;  /* a word of prose: letters, not of mixed case */
	bool common; /* a plain word like `and` */
	bool row;    /* columns of a table follow it */
};

/* Never a part of a link: a list item, an address, a clock time, a date, a telephone number, a ruler, code. */
bool guess_word_is_apart(const struct guess_word *w);
/* `before`: the character before the link; `query`: the link has a `?`. */
void guess_word_classify(struct guess_word *w, uint32_t before, bool query);
/* Whether the cut between the end of a link and the word is one in the name of a kind of file, as in `.ht` and `ml`. */
bool guess_word_cuts_ending(const uint8_t *part, size_t length, const struct guess_word *w);
/* Whether the end of a link looks complete: it is that of a file name or a host. */
bool guess_word_is_complete(const uint8_t *part, size_t length);

/* Whether a name and `=` begin the word. */
bool guess_word_assigns(const struct guess_word *w);
/* Whether the word is a whole MD5, SHA-1 or SHA-256 in hex. */
bool guess_word_is_hash(const struct guess_word *w);

/* Delimiters within a URL, which prose seldom has within a word. */
static inline bool guess_is_delimiter(uint8_t c)
{
	switch (c) {
	case '/': case '?': case '=': case '&': case '%': case '#':
		return true;
	default:
		return false;
	}
}

/* Whether the rest of a URL may begin with c. */
static inline bool guess_may_begin(uint8_t c)
{
	return is_alnum(c) || guess_is_delimiter(c) || c == '_' || c == '~' || c == '+' || c == ';' || c == ',' || c == '-';
}

/* How many letters the bytes begin with. */
static inline size_t guess_letters(const uint8_t *p, size_t n)
{
	size_t k = 0;
	while (k < n && is_alpha(p[k]))
		k++;
	return k;
}

#endif
