/* urlsift: finds the URLs in plain text, mail and news, rejoins broken ones and describes each.
 *
 * Units.  "Bytes" are bytes; an offset is counted in bytes from the first byte
 * ever fed to the scanner (after urlsift_new or urlsift_reset) unless it says
 * otherwise.  Text is not NUL-terminated unless a comment says so.
 *
 * Threads.  Nothing here has mutable static state.  A context and an options
 * object may be shared once they are set up; a scanner belongs to one thread
 * at a time.  The allocator of a context that threads share must be safe for
 * them too.
 *
 * Rules cited as W1, B5, Q2 ... are those of urlsift(3). */
#ifndef URLSIFT_H
#define URLSIFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define URLSIFT_API __attribute__((visibility("default")))
#else
#define URLSIFT_API
#endif

#define URLSIFT_VERSION_MAJOR 0
#define URLSIFT_VERSION_MINOR 1
#define URLSIFT_VERSION_PATCH 0

/* The version of the library that runs, as "0.1.0", NUL-terminated, static. */
URLSIFT_API const char *urlsift_version(void);

typedef enum urlsift_dependency { URLSIFT_DEPENDENCY_PCRE2, URLSIFT_DEPENDENCY_IDN2 } urlsift_dependency;
/* Writes the version of a library that this one uses, as "10.42", at most `size` bytes, no NUL.  Returns its length in
 * bytes; 0 when it is not built in (libidn2 is optional). */
URLSIFT_API size_t urlsift_dependency_version(urlsift_dependency which, char *out, size_t size);

/* ---- Status ------------------------------------------------------------ */

typedef enum urlsift_status {
	URLSIFT_OK = 0,
	URLSIFT_NO_MEMORY,    /* the allocator returned NULL; the scanner can only be reset or freed */
	URLSIFT_BAD_ARGUMENT, /* a value that the call does not accept */
	URLSIFT_BAD_CHARSET,  /* a charset name that is unknown or not allowed */
	URLSIFT_BAD_STATE,    /* fed or finished after urlsift_finish or an error; reset first */
	URLSIFT_STOPPED,      /* a callback asked to stop */
	URLSIFT_INVALID,      /* a URL does not match the grammar: a verdict, not an error */
	URLSIFT_INTERNAL      /* a library gave up (a match limit): never a verdict */
} urlsift_status;

/* One line of English for a status, NUL-terminated, static.  Never NULL. */
URLSIFT_API const char *urlsift_status_text(urlsift_status status);

/* ---- Memory ------------------------------------------------------------ */

/* Where memory comes from.  All three functions get `context`; `reallocate`
 * with a null pointer allocates.  A null urlsift_allocator means malloc's
 * family.  The struct is copied, what `context` points to is not. */
typedef struct urlsift_allocator {
	void *(*allocate)(void *context, size_t size);
	void *(*reallocate)(void *context, void *block, size_t size);
	void (*release)(void *context, void *block);
	void *context;
} urlsift_allocator;

/* ---- Context: what is compiled once and shared -------------------------- */

typedef struct urlsift_context urlsift_context;

/* A new context, or NULL without memory.  The caller owns it and frees it
 * after every scanner made with it.  Costs one allocation; what it will hold
 * (grammars, user rules) is compiled on first need. */
URLSIFT_API urlsift_context *urlsift_context_new(const urlsift_allocator *allocator);
URLSIFT_API void urlsift_context_free(urlsift_context *context); /* NULL is allowed */

/* ---- Options ------------------------------------------------------------ */

typedef struct urlsift_options urlsift_options;

typedef enum urlsift_option {
	URLSIFT_OPT_EMAIL,          /* 0 or 1 (0): bare e-mail addresses are links (M1, A3) */
	URLSIFT_OPT_DOMAINS,        /* 0 or 1 (0): bare domain names are links (S2) */
	URLSIFT_OPT_WWW_HTTPS,      /* 0 or 1 (0): `www.` names lead to https, not http (S1) */
	URLSIFT_OPT_JOIN,           /* a urlsift_join (SURE) */
	URLSIFT_OPT_HYPHEN,         /* a urlsift_hyphen (KEEP) */
	URLSIFT_OPT_GUESS,          /* 0 or 1 (0): links have the other reading of a guessed join as an alternate (J2) */
	URLSIFT_OPT_POSITIONS,      /* 0 or 1 (0): links know their line and column */
	URLSIFT_OPT_MAX_URL,        /* bytes of a link's text, 64 to 65536 (65536) */
	URLSIFT_OPT_MAX_BREAKS,     /* line breaks in a link, 0 to 16 (16) (W4) */
	URLSIFT_OPT_MAX_ALTERNATES, /* 0 to 8 (8) (H2) */
	URLSIFT_OPT_PLAIN,          /* 0 or 1 (1): hand out plain pieces; 0: only the parts of links */
	URLSIFT_OPT_IMPLEMENTATION  /* a urlsift_implementation (AUTO); for tests */
} urlsift_option;

/* Which line breaks outside of brackets join: none; those that the text declares (J1); those and guesses of a
 * confidence of 0.95 or more, or of 0.75 or more (J2). */
typedef enum urlsift_join {
	URLSIFT_JOIN_NEVER, URLSIFT_JOIN_DECLARED, URLSIFT_JOIN_SURE, URLSIFT_JOIN_LIKELY
} urlsift_join;
typedef enum urlsift_hyphen { URLSIFT_HYPHEN_KEEP, URLSIFT_HYPHEN_DROP } urlsift_hyphen;
typedef enum urlsift_implementation {
	URLSIFT_IMPL_AUTO, URLSIFT_IMPL_PORTABLE, URLSIFT_IMPL_SSE2, URLSIFT_IMPL_AVX2, URLSIFT_IMPL_AVX512,
	URLSIFT_IMPL_NEON
} urlsift_implementation;

/* Options at their defaults, or NULL without memory.  The caller owns them and
 * may free them as soon as a scanner was made: urlsift_new copies. */
URLSIFT_API urlsift_options *urlsift_options_new(const urlsift_allocator *allocator);
URLSIFT_API void urlsift_options_free(urlsift_options *options); /* NULL is allowed */

/* Sets one option.  URLSIFT_BAD_ARGUMENT when the value is out of its range or
 * the implementation is not on this machine; the old value then stays. */
URLSIFT_API urlsift_status urlsift_options_set(urlsift_options *options, urlsift_option option, long value);

/* The range of an option and its default.  URLSIFT_BAD_ARGUMENT for an unknown one. */
URLSIFT_API urlsift_status urlsift_option_range(urlsift_option option, long *least, long *most, long *value);
/* The value of an option; 0 for an unknown one. */
URLSIFT_API long urlsift_options_get(const urlsift_options *options, urlsift_option option);

/* Declares the charset of the input (C1).  `name` is NUL-terminated, compared
 * without letter case, and may be an alias; NULL withdraws the declaration.
 * URLSIFT_BAD_CHARSET when it is not on the list of charsets allowed or iconv
 * does not have it. */
URLSIFT_API urlsift_status urlsift_options_set_charset(urlsift_options *options, const char *name);

/* Gives the base against which partial forms in wrappers are resolved (W3):
 * `length` bytes, copied; NULL withdraws it.  URLSIFT_BAD_ARGUMENT for one that
 * is not absolute or is longer than 64 KiB. */
URLSIFT_API urlsift_status urlsift_options_set_base(urlsift_options *options, const char *url, size_t length);

/* ---- Links --------------------------------------------------------------- */

typedef struct urlsift_link urlsift_link;

typedef enum urlsift_convention {
	URLSIFT_CONV_WRAPPER,    /* <URL:...> (W) */
	URLSIFT_CONV_ANGLE,      /* <...> (A) */
	URLSIFT_CONV_QUOTED,     /* between quotation marks (D) */
	URLSIFT_CONV_PREFIX,     /* URL:... (P) */
	URLSIFT_CONV_BARE,       /* (B) */
	URLSIFT_CONV_SCHEMELESS, /* www. ftp. and domains (S) */
	URLSIFT_CONV_EMAIL       /* local@domain (M, A3) */
} urlsift_convention;

enum { /* flags of a link, or-ed */
	URLSIFT_JOINED             = 1 << 0,  /* whitespace inside was removed */
	URLSIFT_HYPHEN_AMBIGUOUS   = 1 << 1,  /* H2 */
	URLSIFT_JOIN_IS_DECLARED   = 1 << 2,  /* J1 */
	URLSIFT_JOIN_IS_GUESSED    = 1 << 3,  /* J2: the link or an alternate is a guess */
	URLSIFT_DECORATION         = 1 << 4,  /* line prefixes or page breaks were removed (Q, F) */
	URLSIFT_RESOLVED           = 1 << 5,  /* a partial form, resolved against a base */
	URLSIFT_UNESCAPED          = 1 << 6,  /* `\/` or `&amp;` was undone */
	URLSIFT_UNKNOWN_SCHEME     = 1 << 7,  /* B10 */
	URLSIFT_UNLINKABLE_SCHEME  = 1 << 8,  /* B10: never make it an href */
	URLSIFT_TRUNCATED          = 1 << 9,  /* cut at URLSIFT_OPT_MAX_URL */
	URLSIFT_NO_IDNA            = 1 << 10, /* the host beyond ASCII has no A-label in the target */
	URLSIFT_SCHEME_JOINED      = 1 << 11  /* the scheme exists only after whitespace was removed (W7) */
};
/* The flag's name in records, as "hyphen-ambiguous"; NULL for no flag, and for
 * URLSIFT_SCHEME_JOINED, which records report as a warning. */
URLSIFT_API const char *urlsift_flag_name(unsigned flag);
/* "wrapper", "angle" ...; static, NUL-terminated. */
URLSIFT_API const char *urlsift_convention_name(urlsift_convention convention);

typedef struct urlsift_range {
	uint64_t offset; /* bytes of the source */
	uint64_t length;
} urlsift_range;

typedef enum urlsift_why { URLSIFT_WHY_HYPHEN, URLSIFT_WHY_JOIN } urlsift_why;

typedef struct urlsift_alternate {
	const char *text; /* UTF-8 */
	size_t length;
	urlsift_why why;
	double confidence; /* 0 to 1 */
} urlsift_alternate;

/* The properties of a link.  A link and all it points to live until the callback that received it returns.  None of
 * these calls allocates or fails; each takes constant time unless it says otherwise. */

/* The URL as its author meant it: valid UTF-8, breaks and line prefixes removed, no
 * scheme supplied, nothing encoded.  *length in bytes. */
URLSIFT_API const char *urlsift_link_text(const urlsift_link *link, size_t *length);
/* The scheme in lower case, supplied where it was missing ("http", "mailto"). */
URLSIFT_API const char *urlsift_link_scheme(const urlsift_link *link, size_t *length);
/* What to put before the text where the scheme was missing: "http://", "ftp://", "mailto:" or "". */
URLSIFT_API const char *urlsift_link_supplied(const urlsift_link *link);
/* The absolute URL of a partial form that was resolved against the base; NULL
 * for any other link.  Target, normal form and warnings are then those of this URL. */
URLSIFT_API const char *urlsift_link_resolved(const urlsift_link *link, size_t *length);
URLSIFT_API urlsift_convention urlsift_link_convention(const urlsift_link *link);
/* Linear in the text. */
URLSIFT_API unsigned urlsift_link_flags(const urlsift_link *link);
/* The contiguous source ranges it was read from, *count >= 1 of them, in order. */
URLSIFT_API const urlsift_range *urlsift_link_parts(const urlsift_link *link, size_t *count);
/* Line and column of its first character, both from 1, the column in
 * characters; 0 unless URLSIFT_OPT_POSITIONS.  LF, CRLF and CR end lines. */
URLSIFT_API uint64_t urlsift_link_line(const urlsift_link *link);
URLSIFT_API uint64_t urlsift_link_column(const urlsift_link *link);
/* The other readings: hyphens (H2), then joins (J2).  NULL and 0 for none. */
URLSIFT_API const urlsift_alternate *urlsift_link_alternates(const urlsift_link *link, size_t *count);

typedef struct urlsift_removed {
	size_t breaks;      /* line breaks and runs of blanks taken out */
	size_t hyphens;     /* of these after a hyphen (H2) */
	size_t decorations; /* of these with a line prefix or a page break (Q, F) */
} urlsift_removed;
URLSIFT_API urlsift_removed urlsift_link_removed(const urlsift_link *link);

/* Writes the absolute URL with nothing encoded, for urlsift_url_split: the text after
 * the scheme that was supplied, or the resolved form.  Returns its length in bytes;
 * writes at most `size` bytes, no NUL. */
URLSIFT_API size_t urlsift_link_absolute(const urlsift_link *link, char *out, size_t size);
/* Writes the absolute target, ASCII and fit for an href (L; RFC 3986 section
 * 2.1): scheme supplied, what RFC 3986 forbids percent-encoded as UTF-8,
 * escapes untouched.  Returns its length in bytes; writes at most `size` bytes,
 * no NUL.  Linear in the text. */
URLSIFT_API size_t urlsift_link_target(const urlsift_link *link, char *out, size_t size);
/* The comparable form, as above: scheme and host in lower case, default port
 * dropped, escapes of unreserved characters decoded and the others upper-cased,
 * dot segments removed, an empty http path made "/" (RFC 3986 section 6.2). */
URLSIFT_API size_t urlsift_link_normal(const urlsift_link *link, char *out, size_t size);

/* Whether the link is simple, as most are: its text is its target, may be an href unchanged, and has no warning, so
 * that neither needs to be asked for.  Such a text has a host, is ASCII and valid by RFC 3986, and the only character
 * in it that HTML escapes is `&`.  A few such links give 0.  Linear in the text on the first call. */
URLSIFT_API int urlsift_link_is_simple(const urlsift_link *link);

/* Whether outputs may make an href of this scheme (security: the allow-list, urlsift_scheme_at). */
URLSIFT_API int urlsift_scheme_linkable(const char *scheme, size_t length);

/* What a reader should know of the link before following it: URLSIFT_WARN_ flags.
 * Linear in the text.  Only for a host beyond ASCII, or with A-labels, libidn2
 * takes memory, and takes it from malloc. */
URLSIFT_API unsigned urlsift_link_warnings(const urlsift_link *link);

/* ---- Schemes ---------------------------------------------------------------- */

typedef enum urlsift_slashes {
	URLSIFT_SLASHES_NEVER, URLSIFT_SLASHES_OPTIONAL, URLSIFT_SLASHES_REQUIRED
} urlsift_slashes;

typedef struct urlsift_scheme {
	const char *name;        /* lower case, NUL-terminated; `ms-` stands for every name that begins so */
	const char *purpose;     /* a few words, NUL-terminated */
	unsigned port;           /* the default port, 0 for none */
	urlsift_slashes slashes; /* whether `//` follows the colon */
	int linkable;            /* outputs may make an href of it */
	int forbidden;           /* outputs must not, and only delimiters make a link of it: javascript and the like */
} urlsift_scheme;

/* Scheme number `index`, from 0; returns 0 after the last.  Strings are static.  Those that the library knows only from
 * the IANA registry come last. */
URLSIFT_API int urlsift_scheme_at(size_t index, urlsift_scheme *scheme);
/* The scheme of a name in any letter case; 0 for an unknown one.  Binary search. */
URLSIFT_API int urlsift_scheme_find(const char *name, size_t length, urlsift_scheme *scheme);

/* ---- One URL, without a scanner ------------------------------------------- */

/* A component: bytes of the URL's text.  `present` is 0 where its delimiter is
 * missing: an empty query is not an absent one. */
typedef struct urlsift_component {
	size_t offset, length;
	int present;
} urlsift_component;

/* A URL taken apart by RFC 3986 section 3, nothing decoded and nothing judged. */
typedef struct urlsift_url {
	const char *text; /* the caller's, UTF-8 or what rule C1 makes of it */
	size_t length;
	urlsift_component scheme, authority, userinfo, user, password, host, port, path, query, fragment;
} urlsift_url;

/* Splits; cannot fail.  `text` must stay while `url` is used.  Linear. */
URLSIFT_API void urlsift_url_split(const char *text, size_t length, urlsift_url *url);

typedef enum urlsift_grammar { URLSIFT_RFC1738, URLSIFT_RFC3986, URLSIFT_RFC3987 } urlsift_grammar;
URLSIFT_API const char *urlsift_grammar_name(urlsift_grammar grammar); /* "rfc1738" ... static */

typedef struct urlsift_fault {
	size_t offset;    /* of the first fault, bytes of the URL's text */
	const char *rule; /* the RFC's name of the rule, as "hostport"; static, NUL-terminated */
	const char *what; /* a sentence, as "a label ends with '-'"; static, NUL-terminated */
} urlsift_fault;

/* The verdict of a grammar.  URLSIFT_OK, or URLSIFT_INVALID with the first fault
 * (`fault` may be NULL), or an error.  RFC 1738 is taken without the fragment,
 * its Appendix letting one follow.  The grammars are compiled on the first call
 * with a context, safely from several threads. */
URLSIFT_API urlsift_status urlsift_url_check(urlsift_context *context, const urlsift_url *url,
                                             urlsift_grammar grammar, urlsift_fault *fault);

typedef struct urlsift_field {
	const char *name;  /* "host", "port", "cwd", "retr", "selector" ...; static, NUL-terminated */
	const char *value; /* decoded, any bytes; lives until the callback returns */
	size_t length;
	const char *note;  /* what the value means where it does not say so itself, as "a menu" of the type 1 of gopher, or
	                      that it is a default; static, NUL-terminated; else NULL */
} urlsift_field;
typedef int (*urlsift_field_fn)(void *user, const urlsift_field *field);

/* What a client would do with the URL (RFC 1738 section 3): calls `each` for each
 * field in the order of its scheme's table; a non-zero return stops
 * (URLSIFT_STOPPED).  Lists come as fields of one name. */
URLSIFT_API urlsift_status urlsift_url_interpret(urlsift_context *context, const urlsift_url *url,
                                                 urlsift_field_fn each, void *user);

typedef enum urlsift_resolution { URLSIFT_RESOLVE_RFC3986, URLSIFT_RESOLVE_RFC1630 } urlsift_resolution;
/* The reference against the base (RFC 3986 section 5.2, strict, or RFC 1630's
 * partial forms).  Returns the length in bytes; writes at most `size`, no NUL. */
URLSIFT_API size_t urlsift_url_resolve(const urlsift_url *base, const urlsift_url *reference,
                                       urlsift_resolution rules, char *out, size_t size);
/* As urlsift_link_target and urlsift_link_normal, of a URL; of its members only `text` and `length` are read. */
URLSIFT_API size_t urlsift_url_target(const urlsift_url *url, char *out, size_t size);
URLSIFT_API size_t urlsift_url_normal(const urlsift_url *url, char *out, size_t size);

enum { /* warnings, or-ed */
	URLSIFT_WARN_PASSWORD        = 1 << 0,
	URLSIFT_WARN_USERINFO_SPOOF  = 1 << 1,
	URLSIFT_WARN_RESERVED_PORT   = 1 << 2,
	URLSIFT_WARN_ENCODED_CONTROL = 1 << 3,
	URLSIFT_WARN_IP_HOST         = 1 << 4,
	URLSIFT_WARN_ODD_IP          = 1 << 5,
	URLSIFT_WARN_MIXED_SCRIPT    = 1 << 6,
	URLSIFT_WARN_CONFUSABLE      = 1 << 7,
	URLSIFT_WARN_INVISIBLE       = 1 << 8,
	URLSIFT_WARN_BIDI            = 1 << 9,
	URLSIFT_WARN_HOST_CHANGES    = 1 << 10,
	URLSIFT_WARN_JOINED_SCHEME   = 1 << 11,
	URLSIFT_WARN_TEXT_MISMATCH   = 1 << 12,
	URLSIFT_WARN_UNKNOWN_SCHEME  = 1 << 13,
	URLSIFT_WARN_UNLINKABLE      = 1 << 14,
	URLSIFT_WARN_TOO_LONG        = 1 << 15,
	URLSIFT_WARN_REDIRECT        = 1 << 16
};
/* The warnings of a URL, without those that depend on the text around it. */
URLSIFT_API unsigned urlsift_url_warnings(const urlsift_url *url);
/* "password", "userinfo-spoof" ... and a sentence that tells a reader why;
 * NULL for no warning.  Static. */
URLSIFT_API const char *urlsift_warning_name(unsigned warning);
URLSIFT_API const char *urlsift_warning_reason(unsigned warning);

/* ---- The scanner --------------------------------------------------------- */

/* The input comes back exactly once and in order, as pieces whose source ranges
 * tile [0, bytes fed): plain text, or one part of a link.  A link broken over
 * lines is part 0, a plain gap, part 1 ... that share one link.  Where plain
 * text is cut into pieces depends on how it was fed; nothing else does. */
typedef struct urlsift_piece {
	const urlsift_link *link; /* NULL for plain text */
	size_t part;              /* index of the part in its link */
	uint64_t offset;          /* source range */
	uint64_t length;
	const char *text;         /* what the range says: whole characters of UTF-8; with no
	                             charset declared, bytes that are no part of valid UTF-8
	                             are unchanged and mean windows-1252 (C1); terminal escape
	                             sequences and overstrikes are taken out (B1) */
	size_t text_length;       /* 0 for a byte order mark, an escape sequence and the like */
} urlsift_piece;

typedef enum urlsift_limit {
	URLSIFT_LIMIT_URL,        /* URLSIFT_OPT_MAX_URL */
	URLSIFT_LIMIT_BREAKS,     /* URLSIFT_OPT_MAX_BREAKS */
	URLSIFT_LIMIT_ALTERNATES, /* URLSIFT_OPT_MAX_ALTERNATES */
	URLSIFT_LIMIT_SPAN        /* bytes of input that a link spans (W4a): 128 KiB */
} urlsift_limit;
/* "url-length", "line-breaks", "alternates", "span": static, NUL-terminated; NULL for no limit. */
URLSIFT_API const char *urlsift_limit_name(urlsift_limit limit);

typedef struct urlsift_notice {
	const char *limit; /* the name of the limit that was exceeded */
	uint64_t value;    /* what it was set to */
	uint64_t offset;   /* where in the source */
} urlsift_notice;

/* Called by feed and finish.  A non-zero return stops the scanner, which then
 * answers URLSIFT_STOPPED.  `notice` may be NULL. */
typedef struct urlsift_sink {
	int (*piece)(void *user, const urlsift_piece *piece);
	int (*notice)(void *user, const urlsift_notice *notice);
	void *user;
} urlsift_sink;

typedef struct urlsift_scanner urlsift_scanner;

/* A scanner, or NULL without memory.  `options` may be NULL for the defaults
 * and is copied; `context` must outlive the scanner, and gives the allocator. */
URLSIFT_API urlsift_scanner *urlsift_new(urlsift_context *context, const urlsift_options *options,
                                         const urlsift_sink *sink);
/* Takes `length` bytes; only what a link may still need is kept after the call.  Linear in the bytes fed, however they
 * are split. */
URLSIFT_API urlsift_status urlsift_feed(urlsift_scanner *scanner, const void *bytes, size_t length);
/* Ends the input; hands out the pieces still held. */
URLSIFT_API urlsift_status urlsift_finish(urlsift_scanner *scanner);
/* Back to the first byte of a new input; buffers are kept. */
URLSIFT_API void urlsift_reset(urlsift_scanner *scanner);
URLSIFT_API void urlsift_free(urlsift_scanner *scanner); /* NULL is allowed */

/* The most bytes a scanner and its context can ever ask of the allocator,
 * whatever the input. */
URLSIFT_API size_t urlsift_memory_bound(void);

/* All of the above over one text. */
URLSIFT_API urlsift_status urlsift_scan(urlsift_context *context, const urlsift_options *options,
                                        const urlsift_sink *sink, const void *bytes, size_t length);

/* ---- All links of one text ----------------------------------------------- */

/* UTF-8. */
typedef struct urlsift_text {
	const char *bytes; /* never NULL */
	size_t length;
} urlsift_text;

/* What the functions of a urlsift_link say.  Every text but `host` has a NUL after it. */
typedef struct urlsift_found_link {
	urlsift_text text;   /* as its author meant it (urlsift_link_text) */
	urlsift_text target; /* fit for an href when `linkable` (urlsift_link_target) */
	urlsift_text normal; /* the comparable form (urlsift_link_normal) */
	urlsift_text scheme; /* lower case */
	urlsift_text host;   /* of the comparable form, empty for none */
	urlsift_convention convention;
	unsigned flags;        /* URLSIFT_ flags */
	unsigned warnings;     /* URLSIFT_WARN_ flags */
	int linkable;          /* the scheme is on the allow-list and no warning forbids an href */
	uint64_t line, column;
	const urlsift_range *parts;
	size_t part_count;
	const urlsift_alternate *alternates; /* their texts have a NUL after them */
	size_t alternate_count;
} urlsift_found_link;

typedef struct urlsift_found {
	size_t count;
	const urlsift_found_link *links; /* in the order of the text */
} urlsift_found;

/* Finds the links of one text.  *found, one block of the context's allocator, belongs to the caller; it is NULL when
 * the status is not URLSIFT_OK.  `options` may be NULL; positions are always known.  Linear in the text; takes up to three
 * times the memory of the result while it works. */
URLSIFT_API urlsift_status urlsift_find(urlsift_context *context, const urlsift_options *options, const void *text,
                                        size_t length, urlsift_found **found);
URLSIFT_API void urlsift_found_free(urlsift_found *found); /* NULL is allowed */

/* ---- Characters ---------------------------------------------------------- */

/* Reads the character at `text` (C1): its code point, and how many bytes it
 * takes.  A byte that is no part of valid UTF-8 is one character of
 * windows-1252.  `length` is at least 1. */
URLSIFT_API size_t urlsift_next_character(const char *text, size_t length, uint32_t *code_point);

/* Counts the line ends in [bytes, bytes + length): LF, CRLF and CR, as urlsift_link_line
 * does.  *after_cr, whether the byte before is a CR, is set for the next call. */
URLSIFT_API uint64_t urlsift_count_lines(const void *bytes, size_t length, int *after_cr);

#ifdef __cplusplus
}
#endif
#endif
