/* Reads an input and renders it, in one of many ways that must give the same result. */
#ifndef FUZZ_RUN_H
#define FUZZ_RUN_H

#include "bytes.h"

#include "urlsift-render.h"

enum { SOURCE_MAX = 200000 };

/* What is read, and how. */
struct plan {
	const struct bytes *source;
	urlsift_options *scan;
	urlsift_mail_options mail; /* kind TEXT: only the scanner reads it */
	urlsift_render_options how;
	bool tiles;    /* the pieces are the whole input: plain text, and PLAIN is set */
	bool kept;     /* plain text of which nothing is converted */
	bool counted;  /* plain text of which nothing is removed, except that defanged forms are restored */
	bool verbatim; /* and the text of pieces is the text of the input */
	bool complete; /* a text in which each sequence of a terminal that has begun ends */
	bool declared; /* the charset */
	bool some;     /* half of the links are filtered out */
	bool identified; /* a page gives identifiers of messages to the caller */
};

/* A way that changes nothing. */
struct way {
	uint32_t cut;    /* 0: whole; 1: into bytes; else into blocks of all sizes, some flushed, by this seed */
	bool portable;   /* no vector sets */
	bool general;    /* no fast way for simple links (simple_read and link_looks_simple find none) */
	bool reused;     /* the scanner or parser has read something else before, by other options, until fail_at */
	size_t fail_at;  /* this allocation fails: then anything may be missing, but nothing may be wrong */
	bool lasting;    /* and so do all later ones */
	uint32_t recorded; /* memory comes as where one fails, and it is recorded who wants it (run_pick_call): so many
	                    * functions, at most 8, say which place in the program it is */
};

struct result {
	struct bytes output;
	struct bytes links;  /* all that is known of each */
	struct bytes text;   /* of the pieces */
	struct bytes shown;  /* likewise, as a page shows it (only text) */
	struct bytes targets; /* of the parts of links that become an href, one a line */
	struct bytes anchors; /* likewise, with the text of the part (output_anchor) */
	struct bytes lines;  /* the absolute form of each link, as a line of text */
	struct bytes written; /* likewise, the text */
	struct bytes parts;  /* urlsift_range: of the links */
	size_t count;        /* of links */
	size_t joined;       /* of these, over a line break */
	size_t calls;        /* of the allocator */
	urlsift_status status, rendered;
};

/* Whether the fast way for simple links is off in the run at hand (general.c). */
extern bool run_is_general;

/* Aborts for what must not be seen in any run. */
void run(const struct plan *plan, const struct way *way, struct result *result);
/* One of the calls of the allocator in the recorded run before, by two numbers: of the places in the program that want
 * memory, and of the calls from there.  A rare one is as likely as one that is called for each link.  0 for none. */
size_t run_pick_call(uint32_t place, uint32_t call);
/* Appends a URL as a line (urlsift_escape_line). */
void bytes_line(struct bytes *to, const char *text, size_t n);
/* Clears a result; its memory is kept. */
void result_clear(struct result *result);

#endif
