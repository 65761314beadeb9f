/* What a scanner holds: scanner.c its life and the text fed to it,
 * search.c the search, emit.c its output, attribute.c links from attributes. */
#ifndef SCAN_SCANNER_H
#define SCAN_SCANNER_H

#include "attribute.h"
#include "block.h"
#include "find.h"
#include "link.h"
#include "options.h"

enum {
	AHEAD_MAX = SPAN_MAX + 16 * 1024, /* no rule looks farther than that */
	SEAM = 8 * 1024,                  /* how much of a new block joins what is held at once */
	HOLD_MAX = 2 * AHEAD_MAX + SEAM + 64 * 1024
};

struct urlsift_scanner {
	urlsift_allocator alloc;
	struct rules rules;
	char *base;         /* its own, from its options */
	size_t base_length;
	struct finder finder;
	urlsift_sink sink;
	struct charset *own_charset;
	struct charset *charset; /* of the text: its own, or borrowed (scanner_begin) */
	enum flowed flowed;
	bool same;          /* all text so far is its own source (charset_is_source) */
	struct urlsift_link link;
	struct block_state block;
	struct buf hold;
	uint64_t hold_at;   /* where hold.data[0] stands */
	uint64_t end;       /* of the text so far */
	uint64_t pos;       /* where the search goes on */
	uint64_t floor;     /* end of the last link */
	uint64_t last_part; /* where its last part begins */
	uint64_t last_first; /* where its first part begins */
	bool shown;         /* it has no other part */
	uint64_t unclosed;  /* end of the last text in which an emphasis did not close */
	uint64_t out;       /* text before this is out */
	uint64_t source_out;
	uint64_t want;      /* nothing can be decided before the text reaches this */
	uint64_t fed;       /* bytes of the source */
	bool positions, plain, started; /* plain: such pieces are wanted */
	urlsift_status status;
	bool finished;
	/* line and column of `out` (both from 1) */
	uint64_t line, column;
	bool after_cr;
	struct exceeded exceeded; /* by the candidate being read */
	/* The last notices: two candidates may exceed one limit at one place. */
	struct { urlsift_limit limit; uint64_t offset; } noticed[8];
	size_t notices; /* how many there were */
#ifdef URLSIFT_COUNT_WORK
	uint64_t work;
#endif
};

/* search.c: searches the window from s->pos on, and hands out its pieces. */
void scan_window(urlsift_scanner *s, struct view *v);

/* Pieces go out: plain text up to `upto`, the source up to `source_end`; all plain
 * text that no link can take back any more; the scanner's link with the plain
 * text before it; notices of the limits in s->exceeded.  The
 * result is in s->status. */
void emit_plain(urlsift_scanner *s, const struct view *v, uint64_t upto, uint64_t source);
void emit_settled(urlsift_scanner *s, const struct view *v);
void emit_link(urlsift_scanner *s, const struct view *v);
void emit_notices(urlsift_scanner *s, const struct view *v);

#endif
