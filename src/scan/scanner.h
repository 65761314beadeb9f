/* The scanner: scanner.c is its life and its input, search.c the search, emit.c its output, attribute.c links from
 * attributes. */
#ifndef SCAN_SCANNER_H
#define SCAN_SCANNER_H

#include "attribute.h"
#include "candidate.h"
#include "find.h"
#include "line.h"
#include "terminal.h"

enum {
	AHEAD_MAX = SPAN_MAX + 16 * 1024, /* no rule looks farther ahead */
	SEAM = 8 * 1024,                  /* bytes of a new block appended to the held text at a time */
	HOLD_MAX = 2 * AHEAD_MAX + SEAM + 64 * 1024
};

enum { OPTIONS = URLSIFT_OPT_IPV4 + 1 };

struct urlsift_options {
	urlsift_allocator alloc;
	long value[OPTIONS];
	bool cut_hosts;      /* see struct rules */
	char *base;          /* owned; NULL for none */
	size_t base_length;
	const char *charset; /* canonical, static; NULL undeclared */
	const urlsift_link_rules *link_rules; /* the caller's; NULL for none */
};

/* A copy for the time of a call, which borrows what the options point to; NULL: the defaults, without an allocator. */
urlsift_options options_or_defaults(const urlsift_options *given);

/* urlsift_reset, and other options.  Both they and those before have neither base nor charset nor rules. */
void scanner_renew(urlsift_scanner *s, const urlsift_options *o);
/* Before the first byte: the text is not searched before it has so many bytes, or ends. */
void scanner_await(urlsift_scanner *s, uint64_t length);

/* The scanner has reached an offset.  Returns the next one.  What follows depends only on the state and the text, but
 * for the columns in the line of the offset, unless it begins there; 0: it depends on more.  It is never 1. */
typedef uint64_t scanner_reached(void *user, uint64_t state);

/* How many of the n > 0 decoded bytes belong to one text.  True: it is another one than that of the bytes before. */
typedef bool scanner_divide(void *user, const uint8_t *text, size_t n, size_t *length);

/* Feeds bytes that are several texts: no link goes from one into the next, of which none sees the others. */
urlsift_status scanner_feed_texts(urlsift_scanner *s, const void *bytes, size_t n, scanner_divide *divide, void *user);

/* What the options say; urlsift_reset sets it. */
struct scanner_settings {
	urlsift_allocator alloc;
	struct rules rules;
	urlsift_join join; /* that of the rules, but for content lines */
	struct finder finder;
	urlsift_sink sink;
	enum flowed flowed;
	char *base;     /* owned */
	size_t base_length;
	size_t context; /* links get the text around them on so many lines; 0: none */
	bool labels;    /* links get labels */
	bool positions;
	bool asked;     /* for plain pieces, by the options */
	bool plain;     /* hand them out */
	unsigned gather; /* the text is not searched again before it has so many bytes more */
};

/* The text that is fed, and what of it is held. */
struct scanner_input {
	struct charset *own_charset;
	struct charset *charset;  /* of the text: own_charset, or borrowed (scanner_begin) */
	struct buf hold;
	uint64_t hold_at; /* offset of hold.data[0] */
	uint64_t begin;   /* where the text begins, the one after the last cut */
	uint64_t end;     /* of the text fed so far */
	uint64_t fed;     /* bytes of source */
	uint64_t flushed; /* of these, before the last flush */
	uint64_t want;    /* the text is not searched again before it reaches this offset */
	bool started;     /* the search has looked at the first line */
	bool finished;
	bool busy;        /* inside urlsift_feed or urlsift_finish, which callbacks must not call */
	bool flushing;    /* inside urlsift_flush: nothing waits for text that no rule asked for */
	struct terminal terminal; /* between charset and text */
};

/* See scanner_watch(). */
struct scanner_watch {
	uint64_t at; /* UINT64_MAX for none */
	scanner_reached *reached;
	void *user;
};

/* Where the search is.  Pairs of members are stored for each link: one that crosses the border of two pages takes 25
 * cycles. */
struct scanner_search {
	_Alignas(16) uint64_t pos; /* where it continues */
	uint64_t floor;      /* end of the last link */
	uint64_t last_part;  /* where its last part begins */
	uint64_t last_first; /* where its first part begins */
	bool shown;          /* it has only one part */
	uint64_t unclosed;   /* no emphasis before this offset closes (B6) */
	struct block_state block;
	uint64_t block_end;  /* of the last one: the search does not go back to before it */
	struct scanner_watch watch;
	uint64_t watched;    /* where it is in the text */
	struct exceeded exceeded; /* by the candidate being read */
	bool more;           /* its rules need more text (view.h) */
	uint64_t noticed_to; /* what begins before it has given its notices: a sequence (B1) may have it read again */
};

/* What has been handed out. */
struct scanner_output {
	_Alignas(16) uint64_t text, source; /* what is before has been handed out */
	bool same;          /* text and source are the same so far (charset_is_source) */
	bool direct;        /* and neither positions nor rules of the user are asked for */
	const urlsift_link *handed; /* the link that is handed out, NULL outside of links */
	_Alignas(16) urlsift_piece piece; /* the last one; a local one would cost a protected stack */
	struct point point;         /* of `text` */
	bool after_cr;
	struct link_rules_search *link_rules; /* NULL without rules */
	uint64_t ruled_line;                  /* where the last line began that rules saw */
	uint64_t ruled_to;                    /* no line ends in the text before it that was not handed out */
	/* the last notices: two candidates may exceed a limit at the same place */
	struct exceeded_limit noticed[8];
	size_t notices; /* how many there were */
};

struct urlsift_scanner {
	struct scanner_output out;
	struct scanner_search search;
	struct scanner_settings settings;
	urlsift_status status;
	const struct scheme *last_row; /* of the scheme of the last attribute (attribute.c), or NULL */
	struct scanner_input in;
	/* urlsift_new leaves the terminal, which ends `in`, and what follows to their own functions: so much is not worth
	 * zeros for a short text */
	struct urlsift_link link;
	struct urlsift_link ruled; /* the link of a rule, or of a hyperlink (B1) */
};

/* ---- Ranges of a text ----
 *
 * Several threads may read ranges of one text, each with a scanner that begins before its range.  Where two scanners
 * are in the same state at the same offset, they report the same from there on. */

/* Whether the options allow it: they declare no charset and have neither rules nor URLSIFT_OPT_REFANG. */
bool options_may_seek(const urlsift_options *o);
/* After urlsift_reset: the first byte that is fed is at `offset` of the text, not 0, and begins a line, number `line`.
 * Links in the first 1.5 KiB are not found. */
void scanner_seek(urlsift_scanner *s, uint64_t offset, uint64_t line);
/* Calls `reached` when everything before the offset has been searched, except perhaps for a link that goes on after it;
 * UINT64_MAX: for none. */
void scanner_watch(urlsift_scanner *s, uint64_t offset, scanner_reached *reached, void *user);

/* Sets s->search.watched, when the watch or the terminal has changed. */
void scanner_find_watched(urlsift_scanner *s);
/* The search is at or after s->search.watched. */
void scanner_note(urlsift_scanner *s);

/* urlsift_memory_bound without mail. */
size_t scanner_memory_bound(void);

/* Memory was missing, unless `ok`. */
static inline void scanner_need(urlsift_scanner *s, bool ok)
{
	if (!ok)
		s->status = URLSIFT_NO_MEMORY;
}

/* Searches the view from s->search.pos on, and hands out its pieces. */
void scan_window(urlsift_scanner *s, struct view *v);

/* Hand out: plain text up to `upto`, its source up to `source`; all plain text that no later link can need; the
 * scanner's link, with the plain text before it; notices of the limits in s->search.exceeded.  They set s->status. */
void emit_plain(urlsift_scanner *s, const struct view *v, uint64_t upto, uint64_t source);
void emit_settled(urlsift_scanner *s, const struct view *v);
void emit_link(urlsift_scanner *s, const struct view *v);
void emit_notices(urlsift_scanner *s, const struct view *v);

#endif
