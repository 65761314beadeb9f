/* J2: how sure it is that a line end outside of brackets cuts a link.
 *
 * A place where a link reaches the end of its line has features: where the link was cut, what the first word of the
 * next line looks like, what follows that word, and whether the line was full (guess_place.c).  Each feature has points
 * (guess_table.h), and their sum has a confidence: the share of right joins among judged ones with such a sum, in
 * archives that the points do not come from.  docs/joins.md tells how they were measured.  A place that
 * is worth a guess is then looked at for what is never a join (guess_word.c, guess_id.c, guess_record.c).
 *
 * Bounds: one break looks BACK_LOOK bytes back from the link and one line of LINE_LOOK bytes ahead of the cut; where
 * that lost a quote mark, also at the prefix of the line after it, of LINE_LOOK bytes.  A link of several breaks looks
 * no farther ahead of its last part. */
#ifndef SCAN_GUESS_H
#define SCAN_GUESS_H

#include "extent.h"
#include "line.h"
#include "simd/bytes16.h"

#define GUESS_SURE 0.97   /* joined by default */
/* a cut after `://`, in the host or an escape, which the next line completes; or by a typesetter (H4) */
#define GUESS_HOST 0.99
#define GUESS_LIKELY 0.85 /* joined with URLSIFT_JOIN_LIKELY, and where an earlier break of the link was joined */
enum { GUESS_SHORT = 60 }; /* columns: a line with a cut and the word after it are seldom as short */

/* The first word of the next line, perhaps the rest of the link. */
struct guess_word {
	const uint8_t *p;     /* the text of the line begins here, and the word */
	size_t n;
	const uint8_t *after; /* the rest of its line, without blanks at the end */
	size_t left;
	size_t solid;         /* bytes before the first white space */
	bool ending; /* guess_word_completes */
	/* set by guess_word_classify */
	bool closed; /* it ends at the counterpart of what precedes the link */
	bool alone;  /* closed, or nothing but closing punctuation follows it */
	bool strong; /* it holds marks that prose does not, or ends like a file name */
	bool plain;  /* a word of prose: letters, not of mixed case */
	bool common; /* `and`, `and/or` */
};

struct guess {
	/* the link so far */
	size_t begin;
	size_t line, from; /* its last line, and where its part on that line begins */
	size_t at;         /* the cut: the end of that part, a final mark that is not the link's own (B4) included */
	size_t hyphen;     /* H4: the length of the typesetter's hyphen of a host that `at` is after */
	uint32_t before;   /* the character before the link, 0 at the start of the text */
	const uint8_t *part; /* the part before the cut, */
	size_t length;
	uint8_t last;      /* and its last byte */
	bool host;         /* the link so far is an authority alone, or an address */
	bool query;        /* the link has a `?` */
	bool valued;       /* the link has a `=` */
	bool scheme;       /* the link is a scheme and its slashes: the host is cut off */
	const char *gateway; /* how the mail gateway of the link ends its links, or NULL */
	bool open;         /* `gateway`, and its end has not come, or the link is the prefix of a DOI */
	struct guess_word w;    /* set by guess_next, with `v` and what is after `x` */
	const struct view *v;
	struct line_prefix prefix; /* of the line that the link begins on */
	struct extent x;   /* as it ended at the cut */
	size_t kept;       /* `at`, or before the `=` of a soft line break of quoted-printable */
	size_t next, content; /* the next line: its start, its text after prefix and indentation, */
	size_t next_end;   /* and its end, or where it was read to; guess_init sets it */
	bool marked;       /* `prefix` got the quote marks that the line of the link lost */
	/* what the next line lacks: the comment leader or list mark; a quote mark, which the line after it has again */
	enum { LACKS_NOTHING, LACKS_LEADER, LACKS_QUOTES } lacks;
	struct extent word; /* the part of the link on that line */
	double confidence;
};

/* For a link that ended as `x`.  False: text follows it on its line, or its line begins out of sight. */
bool guess_init(struct guess *g, const struct view *v, const struct opening *o, const struct extent *x);
/* Reads the next line.  True: word and confidence are set; else the link is not cut here. */
bool guess_next(struct guess *g, const struct view *v);
/* Then joins the word to the link.  False: text follows it on its line. */
bool guess_take(struct guess *g, const struct view *v);

/* Whether the three might answer yes for a link that ends at `at`, its opening and extent not known yet: false for most
 * links.  Looks at the next line alone. */
bool guess_may_follow(const struct view *v, size_t at);

/* Asks guess_may_follow in a few instructions: false for most links that it refuses. */
static inline bool guess_is_near(const struct view *v, size_t at)
{
	if (v->end - at < 9)
		return true;
	const uint8_t *p = v->p + at + text_begins(v->p + at, v->end - at, "\r\n");
	if (p[0] == '\n')
		return memcmp(p + 1, "http", 4) != 0 || p[5 + (p[5] == 's')] != ':';
	/* a control may be removed (B1) */
	return p[0] == '\r' || (p[1] <= ' ' && BYTE_IN(p[0], " \t-.")) || text_begins(p, 3, "\u2010")
	       || text_begins(p, 2, "\u00AD");
}

/* Whether c ends a line where a URL is broken, but for `-` and `/`. */
static inline bool guess_is_cut_mark(uint8_t c)
{
	return bytes16_has("=&?%_#+;@=&?%_#+", c);
}

/* Where the text of the line with the cut begins, after prefix and indentation. */
size_t guess_text_start(const struct guess *g, const struct view *v);

/* A rule about the place where the link may be cut. */
typedef bool guess_rule(const struct guess *g);
/* Whether one of a table of rules applies. */
#define GUESS_ANY(g, rules) guess_any(g, rules, sizeof rules / sizeof *rules)
static inline bool guess_any(const struct guess *g, guess_rule *const *rules, size_t count)
{
	size_t i = 0;
	while (i < count && !rules[i](g))
		i++;
	return i < count;
}

/* ---- guess_word.c: the first word of the next line ---- */

/* Never a part of a link: a list item; a request of roff; a ruler;
 * `U.S.`; an address (but after a link that ends within a Message-ID), or code (but after a scheme alone,
 * where a colon may be that of a port). */
bool guess_word_is_apart(const struct guess *g);
void guess_word_classify(struct guess *g);
/* Whether the cut is one in the name of a kind of file, as in `.ht` and `ml`, or in the top-level domain of a host that
 * a path follows, as in `.or` and `g/x`, or the word has the rest of a hash of 40
 * digits or of the name of a document. */
bool guess_word_completes(const struct guess *g);
/* Whether the end of a link looks complete: it is that of a file name, or, where `words` follow, of a Message-ID. */
bool guess_word_is_complete(const uint8_t *part, size_t length, bool words);
/* J2: whether a name under a top-level domain begins the word. */
bool guess_word_is_domain(const struct guess *g);
/* Whether the word goes on with the end of a host, a top-level domain, and has a path: `com/x`. */
bool guess_word_ends_host(const struct guess *g);
/* Whether a full host name under one of the old top-level domains begins the word: `www2.city.example.com/x`. */
bool guess_word_is_host(const struct guess *g);
/* Whether a host under a top-level domain begins at byte i of the word, after the `@` of an address. */
bool guess_word_is_host_of(const struct guess *g, size_t i);
/* Whether the word is a whole MD5, SHA-1 or SHA-256 in hex, or the Change-Id of Gerrit, an `I` and such a one. */
bool guess_word_is_hash(const struct guess *g);
/* Whether columns of a table or their leaders follow the word, or codes that end with `+` or `-`. */
bool guess_word_is_row(const struct guess *g);

/* ---- guess_id.c: Message-IDs in links ---- */

/* Whether the link ends within a Message-ID as git writes it, before its `@`: `20240131101010.4711-2-ada@a.example`,
 * `1547000000-4711-2-git-send-email-ada@a.example`, or of b4 after a hyphen:
 * `20240131-lamps-v1-0-0123456789ab@a.example`. */
bool guess_ends_in_id(const struct guess *g);
/* Whether the word has the host of the Message-ID within which the link ends: `@a.example`, `ada@a.example`. */
bool guess_completes_id(const struct guess *g);
/* Whether the last name of the link is a Message-ID with its host, and the word does not go on with it: after a slash
 * of an archive, it begins none of the pages that a message has. */
bool guess_is_past_id(const struct guess *g);

/* Whether a whole UUID ends the link, `01234567-89ab-cdef-0123-456789abcdef`, and a letter or digit follows. */
bool guess_is_past_uuid(const struct guess *g);

/* ---- guess_record.c: lines that begin something of their own ---- */

/* Whether the n bytes, the text of a line, begin a record: a clock time, a date, a telephone number, a key of PGP, a
 * log level, a nick in brackets, a prompt, a status of HTTP, a name with a colon or `=`, the progress of a download.
 * `named`: the link ends within the name of a parameter, or before it. */
bool guess_begins_record(const uint8_t *p, size_t n, bool named);
/* Whether they go on as prose: a word before another one, perhaps with emphasis, a name or an exclamation alone, bold
 * text, an image or a label of Markdown, where a backslash at the end of a line is a line break. */
bool guess_begins_prose(const uint8_t *p, size_t n);
/* Whether they begin a version, or are a media type, where the line of the link had room for more. */
bool guess_begins_version(const uint8_t *p, size_t n, uint8_t last);
/* Whether a name and a colon or `=`, and then white space, begin the text. */
bool guess_begins_name(const uint8_t *p, size_t n);
/* Whether the word begins a list item, a comment, a signature or a request of roff; but a `)` may close what is open
 * before the link. */
bool guess_begins_item(const struct guess *g);
/* Comment leaders that a line begins with: the length of the first of [p, end), 0 for none. */
size_t guess_leader(const uint8_t *p, const uint8_t *end);
/* Whether the link is in an entry of a sources.list, `deb [arch=any] http://h/`, or a component of one follows the
 * word, or a file of its archive. */
bool guess_is_source(const struct guess *g);

/* ---- guess_place.c: columns, the neighbourhood, points ---- */

/* The columns of the bytes, which begin a line; tab stops are 8 apart. */
size_t guess_columns(const struct view *v, size_t from, size_t to);

/* The line before the one at *i: its start and end.  false: it begins more than BACK_LOOK bytes before the link. */
bool guess_line_before(const struct guess *g, const struct view *v, size_t *i, size_t *end);
/* The start of the line after the next, and its length: 0 if it is longer than LINE_LOOK. */
size_t guess_line_below(const struct guess *g, const struct view *v, size_t *n);

/* The place in columns. */
struct guess_place {
	size_t here;  /* the cut */
	size_t own;   /* the cut, without the quote marks of its line */
	size_t width; /* the wrap column of the neighbourhood, without quote marks; 0: unknown */
	bool completes; /* the word completes the host or an escape */
};

/* Sets `own` and `width`. */
void guess_measure(const struct guess *g, const struct view *v, struct guess_place *place);
/* Whether the next piece of the link had no room on the line of the cut. */
bool guess_is_full(const struct guess *g, const struct guess_place *place);
/* The confidence that the points of the place have; 0: it is not worth a guess. */
double guess_confidence(const struct guess *g, const struct guess_place *place);

/* Delimiters within a URL, which prose seldom has within a word. */
static inline bool guess_is_delimiter(uint8_t c)
{
	return bytes16_has("/?=&%#/?=&%#/?=&", c);
}

/* Whether the rest of a URL may begin with c. */
static inline bool guess_may_begin(uint8_t c)
{
	return is_alnum(c) || bytes16_has("/?=&%#_~+;,-.@//", c);
}

/* How many digits the bytes begin with. */
static inline size_t guess_digits(const uint8_t *p, size_t n)
{
	return byte_span(p, 0, n, BYTE_DIGIT);
}

/* How many letters the bytes begin with. */
static inline size_t guess_letters(const uint8_t *p, size_t n)
{
	return byte_span(p, 0, n, BYTE_ALPHA);
}

#endif
