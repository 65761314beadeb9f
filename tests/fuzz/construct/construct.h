/* Generates texts, HTML pages, messages and mailboxes of what the rules know, combined at random.  Choices come from
 * the bytes of a fuzzer, which can change one and keep the others, then from a generator with a seed. */
#ifndef FUZZ_CONSTRUCT_H
#define FUZZ_CONSTRUCT_H

#include "bytes.h"

#include "urlsift-mail.h"

/* What all of a run is about, of some in the swarm. */
enum aim {
	AIM_NONE,
	AIM_GUESSES, /* guessed joins of links that are cut at a limit */
	AIM_ESCAPES, /* quoted-printable that nothing declares, in brackets */
	AIM_HEADERS, /* header blocks about as long as their limit, with blank lines of all kinds, also without memory */
	AIM_COPIES,  /* headers of Babyl that come twice, with CRLF */
	AIM_LABELS,  /* labels of hyperlinks in a terminal, which end in any way */
	AIM_WRAPPED, /* texts that are rewritten, with links longer than a line */
	AIM_PAGES,   /* pages for which memory does not suffice */
	AIM_SCARCE,  /* a few lines that take memory of each kind, of which one is refused */
	AIM_QUIET,   /* long stretches without a sequence of a terminal, between words that have some, or other aims */
	AIM_EDGES,   /* links with a sequence of a terminal before or after them, and a next line like their rest */
	AIM_ENDINGS, /* links that are cut at a limit, at what ends no link */
	AIM_TAILS,   /* links, after which the scheme of another is half hidden by a terminal */
	AIM_HIDDEN,  /* HTML: links in halves, and markup between them that is about as long as it may be */
	AIM_PIECES,  /* HTML: links that markup cuts into many parts */
	AIM_BASES,   /* HTML: references to be resolved, and bases, of what may end a scheme, a host or a path */
	AIM_LONG_HOSTS,  /* hosts with a character across their limit */
	AIM_TURNS,       /* sequences of a terminal in links about where none is looked for any more, or after long text */
	AIM_RULES,       /* lines as long as the rules of the user see at a time */
	AIM_GROWN,       /* the memory of one guessed link that grows, which is refused */
	AIM_UNSAFE,      /* links with what may not be written as it is, and no memory to write it otherwise */
	AIM_FAR,         /* links that are wrapped, so far in their line that its prefix is not seen, or almost */
	AIM_HYPHENS,     /* brackets that end after a hyphen at a line break */
	AIM_CALENDARS,   /* calendars in a mailbox */
	AIM_HELD,        /* pages, and alternatives in them, as long as what is held of one */
	AIM_NOTICES,     /* many links past a limit, and a sequence of a terminal near them */
	AIM_BLOCKS,      /* blocks that are not searched, with hyperlinks where they begin */
	AIM_STEPS,       /* rules of the user that take too many steps, and hyperlinks */
	AIM_FANGS,       /* links that are one only without those before or after them, to be defanged */
	AIM_TARGETS,     /* HTML: targets as long as the limit of a link */
	AIM_ANCHORS,     /* HTML: anchors that are rewritten, for which memory does not suffice */
	AIM_BLANKS,      /* HTML: links in brackets in which markup makes blanks */
	AIM_FRAMES,      /* mailboxes: headers that delimiters or blanks end, with lengths */
	AIM_REMAINS,     /* mail without a whole message, documents without text */
	AIM_FIELDS,      /* header fields with links, folded and encoded, or with nothing but empty words */
	AIM_OPENINGS,    /* brackets that open before a colour or at the end of a line, over lines of several prefixes */
	AIM_CUTS,        /* links with escapes, which a terminal cuts into parts */
	AIM_VALUES,      /* HTML: values of attributes longer than places are remembered */
	AIM_FLOWED,      /* flowed text: quote marks, blanks before and after them, and what cuts a line into pieces */
	AIM_PARAGRAPHS,  /* what a writer keeps of one piece for the next: opened brackets, ends of paragraphs, NUL */
	AIM_FORMS,       /* defanged forms, and sequences of a terminal next to them */
	AIMS
};

/* What such a run reads. */
enum kind_of_text { OF_ANY, OF_TEXT, OF_MAIL, OF_HTML };

struct choices {
	const uint8_t *bytes; /* one for each choice, as long as they last */
	size_t length;
	uint64_t state;
	/* what the options of this run make of a text, so that it has what they are for */
	size_t limit; /* the length at which links are cut; 0 for more than a text has */
	bool ruled;   /* link rules are looked for */
	bool declared; /* a charset is declared */
	/* a run of the swarm has few kinds of things, but these often; 0 where all are drawn */
	uint32_t changes;    /* the kinds of construct_change, a bit for each */
	uint32_t urls;       /* the kind of all URLs (construct_url) */
	uint32_t long_hosts; /* one host in so many is as long as hosts may be */
	bool failing;        /* an allocation fails in each second run */
	enum aim aim;
	enum kind_of_text of;
};

/* A number below n, which is from 1 to 65536. */
uint32_t choose(struct choices *c, uint32_t n);
/* True once in n times. */
static inline bool once_in(struct choices *c, uint32_t n) { return choose(c, n) == n - 1; }

/* One of a list of strings. */
#define CHOOSE(c, list) ((list)[choose(c, sizeof(list) / sizeof *(list))])

/* words.c: appends a URL, an address, a domain name or a word, or a fragment of one. */
void construct_url(struct choices *c, struct bytes *out);
void construct_word(struct choices *c, struct bytes *out);
void construct_host(struct choices *c, struct bytes *out);

/* change.c: changes that are made to a word, a paragraph or a whole text. */
enum { CHANGES = 23, CHANGES_PLAIN = 21 /* those that make no others */ };
void construct_change(struct choices *c, struct bytes *text);
/* Inserts, removes, repeats and alters a few bytes. */
void construct_mutate(struct choices *c, struct bytes *text);

/* A colour or another sequence of a terminal, the first `most` of a list; or some in a row. */
enum { SEQUENCES_COMPLETE = 13, SEQUENCES = 25 };
void construct_sequences(struct choices *c, struct bytes *out, size_t most);

/* aims.c: a text or HTML of one thing, of the aims that have one. */
bool construct_aimed_text(struct choices *c, struct bytes *out);
bool construct_aimed_html(struct choices *c, struct bytes *out);
bool construct_aimed_mail(struct choices *c, struct bytes *out);
/* Markup without text, for as long as a reader may have a limit for it, or about. */
void construct_hidden(struct choices *c, struct bytes *out);

/* lengths.c: a text or a message of an aim that is about a limit, for those. */
bool construct_long_text(struct choices *c, struct bytes *out);
bool construct_long_mail(struct choices *c, struct bytes *out);

/* meetings.c: a text, HTML or a message of an aim where two rules meet, for those. */
bool construct_met_text(struct choices *c, struct bytes *out);
bool construct_met_html(struct choices *c, struct bytes *out);
bool construct_met_mail(struct choices *c, struct bytes *out);

/* text.c: a paragraph or two; HTML. */
void construct_text(struct choices *c, struct bytes *out);
void construct_html(struct choices *c, struct bytes *out);

/* mail.c: a message or mailbox, whose kind is set. */
void construct_mail(struct choices *c, struct bytes *out, urlsift_mail_kind *kind);

/* encode.c: valid UTF-8 in another charset, whose name is returned, NULL if it lacks a character.  map[i] is set to
 * where the character of byte i begins there, i up to the length of the text; *loose: what ends a character may be
 * silent. */
const char *construct_encode(struct choices *c, const struct bytes *text, struct bytes *out, size_t *map, bool *loose);

#endif
