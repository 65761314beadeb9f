/* urlsift-render: writes what the scanner and the mail parser find: links as lines
 * of text or JSON records, the whole text as a web page, or the text with rewritten links.
 *
 *     pieces of urlsift.h or urlsift-mail.h -> renderer -> write callback
 *
 * Programs that show untrusted text need no escaping of their own.  For any input, lists,
 * JSON and HTML are valid UTF-8 without control characters that could move the cursor, turn the
 * text or forge a record; lists have no invisible characters but joiners (U+200C, U+200D), which
 * some scripts need; JSON is safe in a script element; HTML contains
 * no scripts, no markup of the input and no links with schemes other than those of
 * urlsift_scheme_linkable.  "rewrite" copies the text between links; with the option
 * terminal, it shows its control characters.
 *
 *     urlsift_render_options how = { .format = "html", .html.title = "A letter" };
 *     urlsift_mail_options mail = { .kind = URLSIFT_KIND_MESSAGE };
 *     urlsift_render_prepare(&how, scan, &mail);
 *     urlsift_renderer *r = urlsift_render_new(context, &how, write_bytes, file, NULL);
 *     urlsift_mail_sink sink = urlsift_render_mail_sink(r);
 *     urlsift_mail *m = urlsift_mail_new(context, scan, &mail, &sink, NULL);
 *     urlsift_render_source(r, "letter", NULL);
 *     ... urlsift_mail_feed(m, ...), urlsift_mail_finish(m) ...
 *     urlsift_render_source_end(r, 0);
 *     status = urlsift_render_end(r);
 *
 * Units, ownership and threads are those of urlsift.h; a renderer belongs to one
 * thread at a time.  These functions do not print, read the environment or end
 * the process. */
#ifndef URLSIFT_RENDER_H
#define URLSIFT_RENDER_H

#include "urlsift-mail.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Options --------------------------------------------------------------- */

/* The largest number of bytes that a format writes for each byte of input, apart from a constant and the names of
 * sources; for html with links.  Links of the caller's rules have no bound: a template may be longer. */
enum { URLSIFT_GROWTH_HTML = 200, URLSIFT_GROWTH_JSON = 600 };

/* Receives the output in blocks of any size, in order.  After a non-zero return the
 * renderer writes nothing more and its functions return URLSIFT_STOPPED.  It must not
 * call functions of its renderer: unlike those of a scanner, they do not detect it. */
typedef int (*urlsift_write_fn)(void *user, const void *bytes, size_t length);

/* Temporary storage for the rows of the table of messages at the end of a page of mail.
 * Both functions return NULL for success, or an error message in English, which the
 * page shows in place of the missing rows. */
typedef struct urlsift_spool {
	const char *(*write)(void *user, const void *bytes, size_t length); /* appends */
	/* Reads up to `size` bytes, sequentially from the first one written; *length is the
	 * number of bytes read, 0 at the end.  Called only after the last write. */
	const char *(*read)(void *user, void *bytes, size_t size, size_t *length);
	void *user;
} urlsift_spool;

/* For html, the text with its links as anchors.  Further options of html come at the end of urlsift_render_options. */
typedef struct urlsift_html_options {
	int fragment;             /* only the content of the body, for a page that the caller writes; so that browsers do
	                             not look up the hosts of its links in advance, the head of that page needs
	                             <meta http-equiv="x-dns-prefetch-control" content="off"> */
	const char *title;        /* of the page, NUL-terminated; NULL: the subject of its only message, or the name of
	                             its first source; then up to 256 KiB are held in memory */
	const char *lang;         /* of the text, a language tag, NUL-terminated; NULL: "en", of a fragment unknown */
	const char *style;        /* CSS that follows the page's own, NUL-terminated; NULL: none */
	/* Called before (`begins` is 1) and after (0) the text of a mid: link, with the `user` of the write callback, when
	 * all preceding output has been written.  The renderer makes no anchor of it; the caller may.  NULL: not called. */
	void (*identifier)(void *user, const urlsift_link *link, int begins);
	const urlsift_spool *spool; /* copied; NULL: rows are kept in 64 KiB of memory, further rows are omitted */
} urlsift_html_options;

/* Zeros are the defaults.  Copied by urlsift_render_new; strings must remain valid as long
 * as the renderer exists.  An option of another format changes nothing, but has to be valid. */
typedef struct urlsift_render_options {
	size_t size;              /* sizeof(urlsift_render_options): members beyond it are 0; 0: as in version 1.0 */
	const char *format;       /* "list" (also for NULL), "json", "csv", "html" or "rewrite" */
	long context;             /* json, and %x of list: lines of text around each link, 0 to 100; for %x 0 means 1 */
	const char *key;          /* json: the first half of each record's key, 8 hexadecimal digits in lower case; the
	                             record's number in as many digits follows; NULL: no keys */
	int whole_records;        /* each record or line is written as soon as it is complete, for a terminal */
	/* list: one line for each link */
	const char *line_format;  /* a template, see urlsift_render_directive_at; NULL: the text of the link */
	int null_separated;       /* records end with NUL instead of LF */
	int with_filename;        /* the name of the source before each record; html: as a heading */
	int with_member;          /* the same for members of archives only */
	int line_number;          /* next, the line number; html: lines of plain text show it and have anchors, #L12 */
	int byte_offset;          /* next, the source offset */
	int encoded;              /* urlsift_link_target instead of the text */
	int unwrap;               /* the hidden target (urlsift_url_unwrap) instead of the link; json: both */
	int hyphen_both;          /* one more record for each other reading of a hyphen (H2) */
	int count;                /* the number of links of each source instead of the links */
	int names;                /* the name of each source with links instead of the links */
	int warnings;             /* each link is followed by the names of its warnings, in brackets */
	int color;                /* escape sequences: names and numbers in colour, warnings dim; rewrite: hyperlinks */
	const char *columns;      /* csv: keys of records, with commas between, see urlsift_render_fault; NULL:
	                             source, line, text, label, warnings */
	int spreadsheet;          /* csv: an apostrophe before a cell that a spreadsheet would take for a formula: one that
	                             begins, after blanks, with `=`, `+`, `-` or `@` */
	urlsift_html_options html;
	/* rewrite: the text with its links in another form */
	const char *form;         /* see urlsift_render_fault; NULL: "join" */
	long width;               /* wrap: columns of a line, 0 for 72 */
	int terminal;             /* control characters, bidi controls too, are shown (`^[`, `\xHH`), not written; csv:
	                             invisible characters too */
	urlsift_implementation implementation; /* of the vector routines, for tests; the best one if unsupported */
} urlsift_render_options;

/* A directive of a template.  For an absent value it writes nothing; a tab or line break in a value becomes a blank. */
typedef struct urlsift_directive {
	const char *name;    /* two characters, such as "%u" or "\\n"; NUL-terminated, static */
	const char *meaning; /* a few words; likewise */
	const char *column;  /* the column of csv with its value, likewise; NULL for none */
} urlsift_directive;
/* Stores directive number `index`, from 0, in *directive; returns 0 after the last. */
URLSIFT_API int urlsift_render_directive_at(size_t index, urlsift_directive *directive);
/* The style sheet of pages, for a page that a caller builds from fragments.  NUL-terminated, static. */
URLSIFT_API const char *urlsift_html_style(void);

/* Why urlsift_render_new would refuse the options: NULL if it takes them, else the first fault, a pointer into one of
 * their texts, with its length in *length, which may be NULL.  Faulty are an unknown format, a malformed key, an
 * unknown directive in line_format, a form of rewrite other than join, wrap, angle, markdown, org, rst, gemtext,
 * footnotes, term, defang, refang, clean, https, unwrap, or `host:` and a host, or `template:` and a valid template,
 * and a column that no directive has.  For a `context` out of its range, which is refused too, there is no text to
 * point at: NULL is returned. */
URLSIFT_API const char *urlsift_render_fault(const urlsift_render_options *options, size_t *length);

/* What a renderer with these options needs from the scanner and the mail parser: flags, or-ed; 0 where
 * urlsift_render_fault finds a fault. */
enum {
	URLSIFT_NEEDS_PLAIN     = 1 << 0, /* plain pieces */
	URLSIFT_NEEDS_POSITIONS = 1 << 1, /* line and column of links */
	URLSIFT_NEEDS_GUESSES   = 1 << 2, /* guessed joins as alternates */
	URLSIFT_NEEDS_METADATA  = 1 << 3, /* the texts of urlsift_message */
	URLSIFT_NEEDS_LABELS    = 1 << 4, /* labels of links in text */
	URLSIFT_NEEDS_CONTEXT   = 1 << 5, /* the text around links */
	URLSIFT_NEEDS_DISPLAY   = 1 << 6, /* `display` and `repeated` of urlsift_mail_options */
	URLSIFT_NEEDS_REFANG    = 1 << 7, /* defanged links */
	URLSIFT_NEEDS_ATTACHMENTS = 1 << 9, /* `attachments` of urlsift_mail_options */
	URLSIFT_MAKES_RECORDS   = 1 << 8  /* errors, notices and totals become records of the output;
	                                     otherwise the caller reports them elsewhere */
};
URLSIFT_API unsigned urlsift_render_needs(const urlsift_render_options *options);
/* Enables what the format needs in `scan` and `mail` (each may be NULL), and disables
 * plain pieces if it does not need them. */
URLSIFT_API void urlsift_render_prepare(const urlsift_render_options *options, urlsift_options *scan,
                                        urlsift_mail_options *mail);

/* ---- The renderer ------------------------------------------------------------ */

typedef struct urlsift_renderer urlsift_renderer;

/* Creates a renderer.  *status, which may be NULL, is set to URLSIFT_OK, or to the reason for a result of NULL:
 * URLSIFT_NO_MEMORY, or URLSIFT_BAD_ARGUMENT, for options see urlsift_render_fault.  `context` provides the allocator
 * and must outlive it.  Allocates a buffer of 64 KiB, as much for the table of messages, and room for the forms of the
 * longest link. */
URLSIFT_API urlsift_renderer *urlsift_render_new(urlsift_context *context, const urlsift_render_options *options,
                                                 urlsift_write_fn write, void *user, urlsift_status *status);
URLSIFT_API void urlsift_render_free(urlsift_renderer *renderer); /* NULL is allowed */

/* The events, in the order of the output:
 *
 *     ( source ( message | place | piece | error | notice | relative )* source_end )* summary? end
 *
 * Each takes time linear in what it writes.  Each returns URLSIFT_OK; URLSIFT_STOPPED
 * once the write callback has failed; URLSIFT_NO_MEMORY or URLSIFT_INTERNAL if part of
 * the record had to be left out: the output is still well-formed and events may
 * follow.  `place` is NULL in plain text. */

/* A source begins: a file, or a member of an archive (NULL: none).  Both names,
 * NUL-terminated, must remain valid until the next source. */
URLSIFT_API urlsift_status urlsift_render_source(urlsift_renderer *renderer, const char *name, const char *member);
/* A message begins; a field or part of it begins.  Both structs must remain valid as long as
 * urlsift_mail_sink guarantees. */
URLSIFT_API urlsift_status urlsift_render_message(urlsift_renderer *renderer, const urlsift_message *message);
URLSIFT_API urlsift_status urlsift_render_place(urlsift_renderer *renderer, const urlsift_place *place);
/* A piece.  If `shown` is 0, because the caller filters the link out, it is rendered as
 * plain text or not at all; `shown` must be the same for all parts of a link. */
URLSIFT_API urlsift_status urlsift_render_piece(urlsift_renderer *renderer, const urlsift_place *place,
                                                const urlsift_piece *piece, int shown);
/* The source, or the place, could not be read completely; `what` says why, NUL-terminated.
 * A limit was exceeded.  Only formats with URLSIFT_MAKES_RECORDS write anything. */
URLSIFT_API urlsift_status urlsift_render_error(urlsift_renderer *renderer, const urlsift_place *place,
                                                const char *what);
URLSIFT_API urlsift_status urlsift_render_notice(urlsift_renderer *renderer, const urlsift_place *place,
                                                 const urlsift_notice *notice);
/* A relative target without a base (URLSIFT_OMITTED_RELATIVE): a record of type `notice`, of the same formats. */
URLSIFT_API urlsift_status urlsift_render_relative(urlsift_renderer *renderer, const urlsift_place *place,
                                                   urlsift_text text);
/* The source ends; `links` is used only by the option `count`. */
URLSIFT_API urlsift_status urlsift_render_source_end(urlsift_renderer *renderer, uint64_t links);

typedef struct urlsift_totals {
	uint64_t files, bytes, messages, links, errors, limits;
	uint64_t skipped; /* files and members of archives that were passed over */
	uint64_t relative, unsearched; /* notices of these omissions (urlsift_omission) */
} urlsift_totals;
URLSIFT_API urlsift_status urlsift_render_summary(urlsift_renderer *renderer, const urlsift_totals *totals);
/* Completes and flushes the output.  Returns the first status of any event that was not
 * URLSIFT_OK. */
URLSIFT_API urlsift_status urlsift_render_end(urlsift_renderer *renderer);

/* The events above as callbacks for a scanner or a mail parser.  Every link is shown, and
 * damage is rendered as an error.  They stop the scanner only after URLSIFT_STOPPED. */
URLSIFT_API urlsift_sink urlsift_render_sink(urlsift_renderer *renderer);
URLSIFT_API urlsift_mail_sink urlsift_render_mail_sink(urlsift_renderer *renderer);

/* Writes all that is known about one URL, without a source: its fields, forms, verdicts and
 * warnings, as a record (json) or as a readable page (list).  `text` is any bytes
 * (C1).  URLSIFT_BAD_ARGUMENT for html. */
URLSIFT_API urlsift_status urlsift_render_url(urlsift_renderer *renderer, const char *text, size_t length);

/* Appends bytes that are already formatted. */
URLSIFT_API urlsift_status urlsift_render_append(urlsift_renderer *renderer, const void *bytes, size_t length);
/* Passes on what is buffered. */
URLSIFT_API urlsift_status urlsift_render_flush(urlsift_renderer *renderer);

/* ---- A text as HTML ---------------------------------------------------------- */

/* Makes HTML of a text in memory: escaped, each part of a link that may be followed in an anchor with its target, and
 * rel="nofollow noopener noreferrer ugc".  Line ends are LF: put it into an element with white-space: pre-wrap, and one
 * that isolates it, such as <bdi>, as bidi controls are kept.  *html ends with a NUL, and has no other; the caller owns
 * it, and it is NULL if the status is not URLSIFT_OK.  `context` and `options` may be NULL, as for urlsift_find.
 * Linear in the text but for targets that repeat: at most URLSIFT_GROWTH_HTML bytes for each. */
URLSIFT_API urlsift_status urlsift_linkify(urlsift_context *context, const urlsift_options *options,
                                           const char *text, size_t length, char **html);
URLSIFT_API void urlsift_html_free(char *html); /* NULL is allowed */

/* ---- Escaping --------------------------------------------------------------- */

/* Each function escapes a text for one context.  It writes at most `size` bytes, no NUL, and
 * returns the length of the whole result in bytes.  Linear; allocates nothing.  Bytes that are
 * not valid UTF-8 mean windows-1252 (C1) unless stated otherwise. */

/* For the text of an HTML element or a quoted attribute.  Controls become U+FFFD;
 * bidi controls are kept: put the text into an element that isolates it, such as <bdi>. */
URLSIFT_API size_t urlsift_escape_html(const char *text, size_t length, char *out, size_t size);
/* A JSON string with its quotes, safe in a script element too: controls, bidi controls, U+2028, U+2029
 * and the `<` of `</` and `<!` as \u; a byte that is not valid UTF-8 becomes U+FFFD. */
URLSIFT_API size_t urlsift_escape_json(const char *text, size_t length, char *out, size_t size);
/* A URL for a line of text: controls, U+2028, U+2029 and invisible characters other than
 * joiners (U+200C, U+200D) are percent-encoded. */
URLSIFT_API size_t urlsift_escape_line(const char *text, size_t length, char *out, size_t size);
/* A file name or message for a terminal: C0 and DEL become caret notation (`^J`); other
 * characters that urlsift_escape_line changes, and bytes that are not valid UTF-8, become
 * `\xHH`, except U+FE0E or U+FE0F, a variation selector of emoji, right after a visible character. */
URLSIFT_API size_t urlsift_escape_name(const char *text, size_t length, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
