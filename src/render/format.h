/* Formats, and the functions that they share (render.c). */
#ifndef RENDER_FORMAT_H
#define RENDER_FORMAT_H

#include "escape.h"
#include "part.h"

#include "scan/link.h"
#include "text/bits.h"
#include "text/buf.h"
#include "text/hashset.h"

struct urlsift_renderer {
	struct writer writer;
	const struct format *format;
	urlsift_render_options options; /* whose spool is in `spool` */
	urlsift_spool spool;
	urlsift_context *context;
	const urlsift_allocator *alloc; /* the context's */
	const char *source;             /* the name of the source, "-" before the first */
	const char *member;             /* of it, an archive; NULL for none */
	const urlsift_place *place;     /* of the event; render_no_place in plain text */
	uint64_t moved;                 /* events that changed source, message or place */
	bool is_part;                   /* render_be_part was called */
	bool exact;                     /* invisible characters of names and values are written as they are */
	bool begun;                     /* begin was called */
	bool appended;                  /* bytes were, since the source began */
	urlsift_status status;          /* of the event */
	urlsift_status first_status;    /* the first that was not URLSIFT_OK */
	struct buf form;                /* the last form of a link or URL */
	struct buf url_text, url_scheme; /* of urlsift_render_url: the URL as valid UTF-8, its scheme */
	void *state;                    /* the format's own */
};

struct url_report;

/* A struct buf at an offset of the state. */
struct format_buffer { size_t at, cap; };

/* What a format keeps in urlsift_renderer.state: the buffers are made before `init`, and released after `fini`, which
 * releases what else it holds. */
struct format_state {
	size_t size; /* zeroed before that */
	void (*init)(urlsift_renderer *r);
	void (*fini)(urlsift_renderer *r);
	const struct format_buffer *buffers;
	size_t buffer_count;
};
#define FORMAT_BUFFERS(table) .buffers = table, .buffer_count = sizeof table / sizeof *table

/* Where the output of other renderers goes between that of this one (part.h). */
struct format_parts {
	void (*append)(urlsift_renderer *r); /* before bytes of urlsift_render_append */
	void (*close)(urlsift_renderer *r);  /* see render_close */
	void (*resume)(urlsift_renderer *r); /* see render_continue */
};

/* What a format needs, URLSIFT_NEEDS_... | URLSIFT_MAKES_...: always, and further with line numbers, with context, and
 * for other options, which have no fault. */
struct format_needs {
	unsigned always, numbered, contextual;
	unsigned (*other)(const urlsift_render_options *options);
};

/* Functions may be NULL; a format has `piece` or `link`. */
struct format {
	const char *name;
	bool exact;        /* for programs: urlsift_renderer.exact, except on a terminal */
	struct format_needs needs;
	struct format_state state;
	void (*begin)(urlsift_renderer *r); /* before the first source, or else the end */
	void (*source)(urlsift_renderer *r);
	void (*message)(urlsift_renderer *r, const urlsift_message *message);
	void (*place)(urlsift_renderer *r);
	void (*piece)(urlsift_renderer *r, const urlsift_piece *piece, bool shown);
	void (*link)(urlsift_renderer *r, const urlsift_piece *first); /* one that is shown */
	void (*error)(urlsift_renderer *r, const char *what);
	void (*notice)(urlsift_renderer *r, const urlsift_notice *notice);
	void (*relative)(urlsift_renderer *r, urlsift_text text);
	void (*source_end)(urlsift_renderer *r, uint64_t links);
	void (*url)(urlsift_renderer *r, const struct url_report *report);
	void (*summary)(urlsift_renderer *r, const urlsift_totals *totals);
	void (*end)(urlsift_renderer *r);
	struct format_parts parts;
};

/* THE table of formats: a new one is its name here and its file, which defines the row format_NAME.  The
 * first is the default. */
#ifndef FORMATS /* a build may leave some out, such as js/ */
#define FORMATS(X) X(list) X(json) X(csv) X(html) X(rewrite)
#endif
#define FORMAT_DECLARE(name) extern const struct format format_##name;
FORMATS(FORMAT_DECLARE)

/* Whether the options ask for the name of the source. */
bool render_is_named(const urlsift_renderer *r);
/* Writes the name of the source, FILE{MEMBER} for a member of an archive, for a line. */
void render_source_name(urlsift_renderer *r);
/* Writes the names of the bits: `before`, the first one, and `between` before each further one; nothing for no bits. */
void render_names(urlsift_renderer *r, unsigned bits, bit_name_fn *name_of, const char *before, const char *between);

/* Adds to a buffer of r.  What is missing without memory r->status says. */
void render_keep(urlsift_renderer *r, struct buf *b, const void *bytes, size_t n);
/* hashset_add to a set of r. */
enum hashset_answer render_know(urlsift_renderer *r, struct hashset *set, struct hash128 hash, uint32_t *value);
/* The write callback that adds to a struct buf. */
int render_add(void *buf, const void *bytes, size_t n);
/* What is written from here to render_restore goes to `to`, which is emptied.  Returns the writer, for render_restore;
 * the block stays the caller's. */
struct writer render_divert(urlsift_renderer *r, struct buf *to, char block[WRITER_SMALLEST]);
/* False without memory for all of it, which r->status then says: `to` is empty. */
bool render_restore(urlsift_renderer *r, struct buf *to, const struct writer *kept);

/* ---- Forms of links and URLs ------------------------------------------------------------- */

typedef size_t link_form_fn(const urlsift_link *link, char *out, size_t size);
/* Makes b, of r, at least n bytes long and empty.  NULL without memory, which
 * r->status then says. */
char *render_room(urlsift_renderer *r, struct buf *b, size_t n);
/* Writes a form of the link (urlsift_link_target ...) to r->form; returns its length,
 * 0 without memory. */
size_t render_form(urlsift_renderer *r, link_form_fn *write, const urlsift_link *link);
/* With --unwrap, those of the target that a link rewriter hides are among them. */
static inline unsigned render_warnings(const urlsift_renderer *r, const urlsift_link *link)
{
	return r->options.unwrap ? link_warnings_of_both(link) : urlsift_link_warnings(link);
}
typedef size_t url_form_fn(const urlsift_url *url, char *out, size_t size);
size_t render_url_form(urlsift_renderer *r, url_form_fn *write, const urlsift_url *url);

/* The text of the link that is shown: that of a target which was relative is absolute. */
static inline const char *render_link_text(const urlsift_link *link, size_t *n)
{
	const bool resolved = link->resolved.length > 0;
	*n = resolved ? link->resolved.length : link->length;
	return (const char *)(resolved ? link->resolved.data : link->text);
}

/* Whether there is a label, and it does not read like a URL, which need not be that of the link. */
bool render_is_plain_label(urlsift_text label);
/* Whether a text that is shown for a target is the target; one of them may lack the slash of a host alone. */
bool render_is_spelled(const char *shown, size_t n, const char *target, size_t m);

/* Whether the time of the message is known. */
static inline bool render_has_time(const urlsift_message *m) { return m->date.length > 0 && m->time >= 0; }

/* ---- Verdicts of the grammars ------------------------------------------------------ */

enum { VERDICTS = URLSIFT_RFC3987 + 1 };

/* Indexed by urlsift_grammar. */
struct verdicts {
	urlsift_status status[VERDICTS]; /* URLSIFT_OK, URLSIFT_INVALID, or an error and no verdict */
	urlsift_fault fault[VERDICTS];
};

/* Whether it is a verdict. */
static inline bool render_is_verdict(urlsift_status s) { return s == URLSIFT_OK || s == URLSIFT_INVALID; }
void render_judge(urlsift_renderer *r, const urlsift_url *url, struct verdicts *v);

/* ---- One URL ------------------------------------------------------------------------ */

/* What urlsift_render_url knows about a URL, except its fields. */
struct url_report {
	urlsift_url url;          /* of valid UTF-8 */
	const char *scheme;       /* in lower case, scheme_length bytes; 0 for none */
	size_t scheme_length;
	const struct scheme *row; /* NULL for an unknown scheme */
	struct verdicts verdicts;
	unsigned warnings;
};

/* Bytes as valid UTF-8 (C1), in b, of r.  NULL without memory. */
const char *render_utf8(urlsift_renderer *r, struct buf *b, const char *text, size_t *n);

/* Fills u.  False without memory, which r->status then says. */
bool url_report_take(urlsift_renderer *r, struct url_report *u, const char *text, size_t n);
/* The host in ASCII that a reader may take the host for; the length, 0 for none. */
enum { LOOKS_SIZE = 2 * IDNA_HOST_MAX, ADDRESS_SIZE = 16 };
size_t url_report_looks(urlsift_renderer *r, const struct url_report *u, char *looks);
/* The address that browsers read in a host of other numbers (usable_number); the length, 0 for none. */
size_t url_report_address(const struct url_report *u, char text[ADDRESS_SIZE]);
/* Makes a form of the URL in r->form; its length, 0 where it is the text, and that in browsers for what none opens. */
size_t url_report_form(urlsift_renderer *r, const struct url_report *u, url_form_fn *write);
/* Writes the readable page. */
void url_report_page(urlsift_renderer *r, const struct url_report *u);

/* The first fault of columns, with its length, and of a form of rewrite; NULL for none. */
const char *csv_fault(const char *columns, size_t *length);
const char *rewrite_fault(const char *form);

/* ---- Templates of --format (template.c) -------------------------------------------------- */

/* NULL for a template in which every directive is known, else the first that is not. */
const char *template_fault(const char *template);
/* The URLSIFT_NEEDS_ flags of a valid template. */
unsigned template_needs(const char *template);
/* Whether a directive writes what a record has under this key, of n bytes; adds what it needs to *needs. */
bool template_has_key(const char *key, size_t n, unsigned *needs);
/* Writes it, as the directive does; nothing for a key that no directive has. */
void template_put_key(urlsift_renderer *r, const char *key, size_t n, const urlsift_piece *piece);
/* Writes the template for a link, whose first part is `piece`, or for its other reading `alternate` if not NULL. */
void template_put(urlsift_renderer *r, const char *template, const urlsift_piece *piece,
                  const urlsift_alternate *alternate);
/* Writes what `%u` stands for. */
void template_put_reading(urlsift_renderer *r, const urlsift_link *link, const urlsift_alternate *alternate);
static inline void template_put_text(urlsift_renderer *r, const urlsift_link *link, const urlsift_alternate *alternate)
{
	if (link->head && !alternate && !r->options.unwrap) /* printable ASCII: `list` of URLs takes 10% less time */
		writer_put(&r->writer, link->text, link->length);
	else
		template_put_reading(r, link, alternate);
}

#endif
