/* urlsift: finds the URLs in plain text, mail and news, rejoins broken ones and describes each.
 *
 * Units.  Lengths are in bytes.  Offsets are in bytes from the first byte fed to the
 * scanner after urlsift_new or urlsift_reset, unless a comment says otherwise.
 * Text is not NUL-terminated unless a comment says so.
 *
 * Threads.  Nothing here has mutable static state.  A context and an options
 * object may be shared once they are set up; a scanner belongs to one thread
 * at a time.  The allocator of a context that threads share must be
 * thread-safe.
 *
 * Misuse.  Pointers must not be NULL unless a comment allows it.  A call that detects a null pointer or a missing
 * callback returns URLSIFT_BAD_ARGUMENT, or NULL instead of an object.  A callback must not feed, finish, reset or free
 * the object that called it: functions with a status return URLSIFT_BAD_STATE, the others do nothing.
 *
 * Stability.  Values of enumerations never change; new ones come last, flags at the next free bit.  Structs that the
 * library points to may get further members at the end.  Of those that the caller allocates, the ones with a member
 * `size` may grow, the others never change.
 *
 * Rules cited as W1, B5, Q2 ... are those of urlsift-rules(5). */
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

#define URLSIFT_VERSION_MAJOR 1
#define URLSIFT_VERSION_MINOR 0
#define URLSIFT_VERSION_PATCH 0

/* The version of the library at run time, such as "1.0.0"; NUL-terminated, static. */
URLSIFT_API const char *urlsift_version(void);

typedef enum urlsift_dependency {
	URLSIFT_DEPENDENCY_PCRE2 = 0, URLSIFT_DEPENDENCY_IDN2 = 1, URLSIFT_DEPENDENCY_PSL = 2
} urlsift_dependency;
/* Writes the version of a library that this one uses, such as "10.42", at most `size` bytes, no NUL.  Returns its
 * length in bytes; 0 if it is not built in (each is optional). */
URLSIFT_API size_t urlsift_dependency_version(urlsift_dependency which, char *out, size_t size);

/* ---- Status ------------------------------------------------------------ */

typedef enum urlsift_status {
	URLSIFT_OK = 0,
	URLSIFT_NO_MEMORY = 1,    /* the allocator returned NULL; the scanner can only be reset or freed */
	URLSIFT_BAD_ARGUMENT = 2, /* a value that the call does not accept, such as NULL */
	URLSIFT_BAD_CHARSET = 3,  /* a charset name that is unknown or not allowed */
	URLSIFT_BAD_STATE = 4,    /* fed or finished after urlsift_finish, or in a callback */
	URLSIFT_STOPPED = 5,      /* a callback asked to stop */
	URLSIFT_INVALID = 6,      /* a URL does not match the grammar: a verdict, not an error */
	URLSIFT_INTERNAL = 7,     /* a library failed or reached a limit: never a verdict */
	URLSIFT_NOT_BUILT = 8     /* the library was built without what the call needs, such as PCRE2 */
} urlsift_status;

/* One line of English for a status, NUL-terminated, static.  Never NULL. */
URLSIFT_API const char *urlsift_status_text(urlsift_status status);

/* ---- Memory ------------------------------------------------------------ */

/* A memory allocator.  All three functions receive `context`; `reallocate` with a
 * null pointer allocates.  A null urlsift_allocator means malloc, realloc and free.
 * The struct is copied, what `context` points to is not.  With an allocator, PCRE2 matches
 * grammars and user-defined rules without its JIT compiler: several times slower. */
typedef struct urlsift_allocator {
	void *(*allocate)(void *context, size_t size);
	void *(*reallocate)(void *context, void *block, size_t size);
	void (*release)(void *context, void *block);
	void *context;
} urlsift_allocator;

/* ---- Context: what is compiled once and shared -------------------------- */

typedef struct urlsift_context urlsift_context;

/* A new context; NULL only if memory is exhausted or the allocator lacks a function.  The caller owns it and must free
 * its scanners first.  Takes one allocation; the grammars are compiled on first use. */
URLSIFT_API urlsift_context *urlsift_context_new(const urlsift_allocator *allocator);
URLSIFT_API void urlsift_context_free(urlsift_context *context); /* NULL is allowed */

/* ---- Options ------------------------------------------------------------ */

typedef struct urlsift_options urlsift_options;

typedef enum urlsift_option {
	URLSIFT_OPT_EMAIL = 0,          /* 0 or 1 (0): bare e-mail addresses are links (M1, A3) */
	URLSIFT_OPT_DOMAINS = 1,        /* 0 or 1 (0): bare domain names are links (S2) */
	URLSIFT_OPT_WWW_HTTPS = 2,      /* 0 or 1 (0): the scheme of `www.` names is https, not http (S1) */
	URLSIFT_OPT_REFANG = 3,         /* 0 or 1 (0): defanged links, addresses and names are found: `hxxp`, `[.]` */
	URLSIFT_OPT_JOIN = 4,           /* a urlsift_join (SURE) */
	URLSIFT_OPT_HYPHEN = 5,         /* a urlsift_hyphen (KEEP) */
	URLSIFT_OPT_GUESS = 6,          /* 0 or 1 (0): links have the other reading of a guessed join, an alternate (J2) */
	URLSIFT_OPT_POSITIONS = 7,      /* 0 or 1 (0): links have a line and a column */
	URLSIFT_OPT_MAX_URL = 8,        /* bytes of a link's text, 64 to 65536 (65536) */
	URLSIFT_OPT_MAX_BREAKS = 9,     /* line breaks in a link, 0 to 16 (16) (W4) */
	URLSIFT_OPT_MAX_ALTERNATES = 10,/* 0 to 8 (8) (H2) */
	URLSIFT_OPT_PLAIN = 11,         /* 0 or 1 (1): report plain text; 0: only the parts of links */
	URLSIFT_OPT_LABELS = 12,        /* 0 or 1 (0): links in text have a label */
	URLSIFT_OPT_CONTEXT = 13,       /* lines of text around a link, its own included, 0 to 100 (0) */
	URLSIFT_OPT_IMPLEMENTATION = 14,/* a urlsift_implementation (AUTO); for tests */
	URLSIFT_OPT_IPV4 = 15           /* 0 or 1 (0): bare IPv4 addresses are links (S3) */
} urlsift_option;

/* The line breaks outside brackets that are joined: none; those that the text declares (J1); those, and guesses with a
 * confidence of at least 0.97 (SURE) or 0.85 (LIKELY) (J2). */
typedef enum urlsift_join {
	URLSIFT_JOIN_NEVER = 0, URLSIFT_JOIN_DECLARED = 1, URLSIFT_JOIN_SURE = 2, URLSIFT_JOIN_LIKELY = 3
} urlsift_join;
/* Whether a hyphen before a line break in a link is part of the link (H2). */
typedef enum urlsift_hyphen { URLSIFT_HYPHEN_KEEP = 0, URLSIFT_HYPHEN_DROP = 1 } urlsift_hyphen;
typedef enum urlsift_implementation {
	URLSIFT_IMPL_AUTO = 0, URLSIFT_IMPL_PORTABLE = 1, URLSIFT_IMPL_SSE2 = 2, URLSIFT_IMPL_AVX2 = 3,
	URLSIFT_IMPL_AVX512 = 4, URLSIFT_IMPL_NEON = 5, URLSIFT_IMPL_WASM128 = 6
} urlsift_implementation;

/* Options with default values; NULL only if memory is exhausted or the allocator lacks a function; a null one means
 * malloc.
 * The caller owns them and may free them after urlsift_new, which copies them. */
URLSIFT_API urlsift_options *urlsift_options_new(const urlsift_allocator *allocator);
URLSIFT_API void urlsift_options_free(urlsift_options *options); /* NULL is allowed */

/* Sets one option.  URLSIFT_BAD_ARGUMENT, and no change, if the value is out of range
 * or the implementation is not supported by this machine. */
URLSIFT_API urlsift_status urlsift_options_set(urlsift_options *options, urlsift_option option, long value);

/* The range of an option and its default.  URLSIFT_BAD_ARGUMENT for an unknown one. */
URLSIFT_API urlsift_status urlsift_option_range(urlsift_option option, long *least, long *most, long *value);
/* The value of an option; 0 for an unknown one. */
URLSIFT_API long urlsift_options_get(const urlsift_options *options, urlsift_option option);

/* Declares the charset of the input (C1).  `name` is NUL-terminated, in any letter
 * case, and may be an alias; NULL withdraws the declaration, and us-ascii declares nothing.
 * URLSIFT_BAD_CHARSET if the charset is not allowed or iconv does not have it,
 * URLSIFT_NO_MEMORY if memory is exhausted.  After an error the options are as they were. */
URLSIFT_API urlsift_status urlsift_options_set_charset(urlsift_options *options, const char *name);

/* Sets the base against which relative URLs in wrappers are resolved (W3):
 * `length` bytes, copied; NULL withdraws it.  URLSIFT_BAD_ARGUMENT for one that
 * is not absolute or is longer than 64 KiB, URLSIFT_NO_MEMORY if memory is
 * exhausted.  After an error the options are as they were. */
URLSIFT_API urlsift_status urlsift_options_set_base(urlsift_options *options, const char *url, size_t length);

/* ---- User-defined rules ----------------------------------------------------- */

/* Rules that turn further text, such as bug numbers, into links.  Immutable; threads may share it. */
typedef struct urlsift_link_rules urlsift_link_rules;

typedef struct urlsift_rule_fault {
	size_t line;    /* from 1 */
	char what[160]; /* NUL-terminated */
} urlsift_rule_fault;

/* Reads rules, one per line: a pattern (PCRE2), ` => ` and the template of a URL, in which $0 to $9 stand for the text
 * and the groups of the pattern and $$ for a dollar sign.  Lines that begin with `#` are comments.  A match lies within
 * one line, outside other links; at most 8 KiB are matched at a time.  For a bad rule returns URLSIFT_BAD_ARGUMENT and
 * sets *fault.  Without PCRE2 any text returns URLSIFT_NOT_BUILT.  The caller owns *rules, which must outlive the
 * options and scanners that use it; it is NULL unless URLSIFT_OK is returned. */
URLSIFT_API urlsift_status urlsift_link_rules_new(const urlsift_allocator *allocator, const char *text, size_t length,
                                                  urlsift_link_rules **rules, urlsift_rule_fault *fault);
URLSIFT_API void urlsift_link_rules_free(urlsift_link_rules *rules); /* NULL is allowed */
/* Sets the rules, which are not copied; NULL removes them. */
URLSIFT_API void urlsift_options_set_link_rules(urlsift_options *options, const urlsift_link_rules *rules);

/* ---- Links --------------------------------------------------------------- */

/* UTF-8. */
typedef struct urlsift_text {
	const char *bytes; /* never NULL */
	size_t length;
} urlsift_text;

typedef struct urlsift_link urlsift_link;

typedef enum urlsift_convention {
	URLSIFT_CONV_WRAPPER = 0,    /* <URL:...> (W) */
	URLSIFT_CONV_ANGLE = 1,      /* <...> (A) */
	URLSIFT_CONV_QUOTED = 2,     /* between quotation marks (D) */
	URLSIFT_CONV_PREFIX = 3,     /* URL:... (P) */
	URLSIFT_CONV_BARE = 4,       /* (B) */
	URLSIFT_CONV_SCHEMELESS = 5, /* www. ftp. and domains (S) */
	URLSIFT_CONV_EMAIL = 6,      /* local@domain (M, A3) */
	URLSIFT_CONV_RULE = 7        /* a user-defined rule (urlsift_link_rules_new) */
} urlsift_convention;

enum { /* flags of a link, or-ed */
	URLSIFT_JOINED             = 1 << 0,  /* whitespace or a soft hyphen inside was removed */
	URLSIFT_HYPHEN_AMBIGUOUS   = 1 << 1,  /* H2 */
	URLSIFT_JOIN_IS_DECLARED   = 1 << 2,  /* J1 */
	URLSIFT_JOIN_IS_GUESSED    = 1 << 3,  /* J2: the link or an alternate is a guess */
	URLSIFT_DECORATION         = 1 << 4,  /* line prefixes or page breaks were removed (Q, F) */
	URLSIFT_RESOLVED           = 1 << 5,  /* a relative URL, resolved against a base */
	URLSIFT_UNESCAPED          = 1 << 6,  /* `\/` or `&amp;` was undone */
	URLSIFT_UNKNOWN_SCHEME     = 1 << 7,  /* B10 */
	URLSIFT_UNLINKABLE_SCHEME  = 1 << 8,  /* B10: never make it an href */
	URLSIFT_TRUNCATED          = 1 << 9,  /* cut at URLSIFT_OPT_MAX_URL */
	URLSIFT_NO_IDNA            = 1 << 10, /* the non-ASCII host has no A-labels in the target */
	URLSIFT_SCHEME_JOINED      = 1 << 11, /* the scheme exists only after whitespace was removed (W7) */
	URLSIFT_REFANGED           = 1 << 12, /* the source is defanged */
	URLSIFT_BLANK_REMOVED      = 1 << 13  /* a blank within a line was removed (A2) */
};
/* The flag's name in records, such as "hyphen-ambiguous"; NULL for other values, and for
 * URLSIFT_SCHEME_JOINED and URLSIFT_BLANK_REMOVED, which records report as warnings. */
URLSIFT_API const char *urlsift_flag_name(unsigned flag);
/* "wrapper", "angle" ...; static, NUL-terminated. */
URLSIFT_API const char *urlsift_convention_name(urlsift_convention convention);

typedef struct urlsift_range {
	uint64_t offset; /* bytes of the source */
	uint64_t length;
} urlsift_range;

typedef enum urlsift_why { URLSIFT_WHY_HYPHEN = 0, URLSIFT_WHY_JOIN = 1 } urlsift_why;

typedef struct urlsift_alternate {
	const char *text; /* UTF-8 */
	size_t length;
	urlsift_why why;
	double confidence; /* 0 to 1 */
} urlsift_alternate;

/* The properties of a link.  A link and all it points to are valid until the callback that received it returns.  Each
 * takes constant time unless its comment says otherwise.  Only for a non-ASCII host, or one with A-labels, is memory
 * allocated, by libidn2 with malloc (flags, warnings, target and normal form); where there is none, the feed or finish
 * that called the callback returns URLSIFT_NO_MEMORY after it. */

/* The URL as its author meant it: valid UTF-8, breaks and line prefixes removed, no
 * scheme supplied, nothing encoded.  *length in bytes. */
URLSIFT_API const char *urlsift_link_text(const urlsift_link *link, size_t *length);
/* The scheme in lower case, supplied where it was missing ("http", "mailto"). */
URLSIFT_API const char *urlsift_link_scheme(const urlsift_link *link, size_t *length);
/* The prefix to add to the text if the scheme was missing: "http://", "ftp://", "mailto:" or "". */
URLSIFT_API const char *urlsift_link_supplied(const urlsift_link *link);
/* For a relative URL, the absolute URL that it was resolved to; for a match of a user-defined rule, the URL of its
 * template; else NULL.  Target, normal form and warnings are those of this URL unless it is NULL.  Bytes of the base
 * are kept: where they are not valid UTF-8, urlsift_url_split reads them by rule C1. */
URLSIFT_API const char *urlsift_link_resolved(const urlsift_link *link, size_t *length);
URLSIFT_API urlsift_convention urlsift_link_convention(const urlsift_link *link);
/* URLSIFT_ flags, or-ed.  Linear in the text. */
URLSIFT_API unsigned urlsift_link_flags(const urlsift_link *link);
/* The source ranges of the link, in order; *count is at least 1. */
URLSIFT_API const urlsift_range *urlsift_link_parts(const urlsift_link *link, size_t *count);
/* Line and column of its first character, both from 1, the column in
 * characters; 0 unless URLSIFT_OPT_POSITIONS.  LF, CRLF and CR end lines. */
URLSIFT_API uint64_t urlsift_link_line(const urlsift_link *link);
URLSIFT_API uint64_t urlsift_link_column(const urlsift_link *link);
/* The other readings: hyphens (H2), then joins (J2).  NULL and 0 for none. */
URLSIFT_API const urlsift_alternate *urlsift_link_alternates(const urlsift_link *link, size_t *count);

/* What a reader sees in place of the URL; "" and 0 for none: the text of an HTML anchor, without what it hides
 * (`hidden`, display:none, visibility:hidden, font-size:0), or the `alt` of its images if it has no other; and, with
 * URLSIFT_OPT_LABELS, that of a link in Markdown `[text](URL)`, Org `[[URL][text]]`, a wiki `[URL text]`
 * `[[URL|text]]`, reStructuredText `` `text <URL>`_ ``, AsciiDoc `URL[text]`, JSDoc `{@link URL|text}`, LaTeX
 * `\href{URL}{text}`, BBCode `[url=URL]text[/url]` or Slack `<URL|text>`; not `URL[URL]`.  Valid UTF-8, white space
 * collapsed, at most 200 characters. */
URLSIFT_API const char *urlsift_link_label(const urlsift_link *link, size_t *length);
/* The text before and after the link, on as many lines as URLSIFT_OPT_CONTEXT says: valid UTF-8, white space collapsed,
 * otherwise as in the source; each at most 200 characters from the nearest 1024 bytes.  In HTML
 * the text after a target ends where the next target is; that around a match of a user-defined rule is on its line, up
 * to the next link of another kind. */
URLSIFT_API void urlsift_link_context(const urlsift_link *link, urlsift_text *before, urlsift_text *after);

typedef struct urlsift_removed {
	size_t breaks;      /* line breaks and runs of blanks removed */
	size_t hyphens;     /* how many of these follow a hyphen (H2) */
	size_t decorations; /* how many include a line prefix or a page break (Q, F) */
} urlsift_removed;
URLSIFT_API urlsift_removed urlsift_link_removed(const urlsift_link *link);

/* Writes the absolute URL with nothing encoded, for urlsift_url_split: the supplied
 * scheme and the text, or the resolved form, with the bytes of its base.  Returns its length
 * in bytes; writes at most `size` bytes, no NUL. */
URLSIFT_API size_t urlsift_link_absolute(const urlsift_link *link, char *out, size_t size);
/* Writes the absolute target in ASCII, for use in an href (L; RFC 3986 section
 * 2.1): with its scheme, with what RFC 3986 forbids percent-encoded as UTF-8, and
 * with existing escapes unchanged.  Returns its length in bytes, or
 * URLSIFT_LENGTH_NO_MEMORY; writes at most `size` bytes, no NUL.  Linear in the text. */
#define URLSIFT_LENGTH_NO_MEMORY ((size_t)-1)
URLSIFT_API size_t urlsift_link_target(const urlsift_link *link, char *out, size_t size);
/* Writes the comparable form in the same way: scheme and host in lower case, default port
 * removed, escapes of unreserved characters decoded and the others in upper case,
 * dot segments removed, an empty http path replaced by "/" (RFC 3986 section 6.2). */
URLSIFT_API size_t urlsift_link_normal(const urlsift_link *link, char *out, size_t size);

/* Whether the link is simple, as most are: its text is its target and may be used as an href, and it has no warnings,
 * so that urlsift_link_target and urlsift_link_warnings need not be called.  Such a text has a host, is ASCII and valid
 * by RFC 3986, and the only character in it that must be escaped in HTML is `&`.  The result may be 0 for a few links
 * that meet these conditions.  Linear in the text on the first call. */
URLSIFT_API int urlsift_link_is_simple(const urlsift_link *link);

/* What a reader should know about the link before following it: URLSIFT_WARN_ flags.
 * Linear in the text. */
URLSIFT_API unsigned urlsift_link_warnings(const urlsift_link *link);

/* ---- Schemes ---------------------------------------------------------------- */

typedef enum urlsift_slashes {
	URLSIFT_SLASHES_NEVER = 0, URLSIFT_SLASHES_OPTIONAL = 1, URLSIFT_SLASHES_REQUIRED = 2
} urlsift_slashes;

typedef struct urlsift_scheme {
	const char *name;        /* lower case, NUL-terminated; `ms-` is a prefix of many names */
	const char *purpose;     /* a few words, NUL-terminated */
	unsigned port;           /* the default port, 0 for none */
	urlsift_slashes slashes; /* whether `//` follows the colon */
	int linkable;            /* it may become an href */
	int forbidden;           /* it must not, and is a link only between delimiters: javascript and the like */
} urlsift_scheme;

/* Stores scheme number `index`, from 0, in *scheme; returns 0 after the last.  Strings are static.  Schemes known only
 * from the IANA registry come last. */
URLSIFT_API int urlsift_scheme_at(size_t index, urlsift_scheme *scheme);
/* Stores the scheme with this name, in any letter case, in *scheme; returns 0 if it is unknown.  Binary search. */
URLSIFT_API int urlsift_scheme_find(const char *name, size_t length, urlsift_scheme *scheme);
/* Whether a link with this scheme may become an href. */
static inline int urlsift_scheme_linkable(const char *name, size_t length)
{
	urlsift_scheme scheme;
	return urlsift_scheme_find(name, length, &scheme) && scheme.linkable;
}

/* ---- One URL, without a scanner ------------------------------------------- */

/* A component: a range of the URL's text.  `present` is 0 if its delimiter is
 * missing, so that an empty query differs from an absent one. */
typedef struct urlsift_component {
	size_t offset, length;
	int present;
} urlsift_component;

/* A URL split by RFC 3986 section 3; nothing is decoded or checked. */
typedef struct urlsift_url {
	const char *text; /* the caller's; UTF-8, or read by rule C1 */
	size_t length;
	urlsift_component scheme, authority, userinfo, user, password, host, port, path, query, fragment;
} urlsift_url;

/* Splits; cannot fail.  `text` must remain valid while `url` is used.  Linear. */
URLSIFT_API void urlsift_url_split(const char *text, size_t length, urlsift_url *url);

typedef enum urlsift_grammar { URLSIFT_RFC1738 = 0, URLSIFT_RFC3986 = 1, URLSIFT_RFC3987 = 2 } urlsift_grammar;
URLSIFT_API const char *urlsift_grammar_name(urlsift_grammar grammar); /* "rfc1738" ... static */

typedef struct urlsift_fault {
	size_t offset;    /* of the first fault, in bytes of the URL's text */
	const char *rule; /* the name of the rule in the RFC, such as "hostport"; static, NUL-terminated */
	const char *what; /* a description, such as "a label ends with '-'"; static, NUL-terminated */
} urlsift_fault;

/* Checks the URL against a grammar.  URLSIFT_OK, or URLSIFT_INVALID with the first
 * fault (`fault` may be NULL), or an error.  For RFC 1738 the fragment is ignored, as
 * its Appendix allows one to follow.  A grammar is compiled on the first call with a
 * context; thread-safe.  URLSIFT_NOT_BUILT without PCRE2. */
URLSIFT_API urlsift_status urlsift_url_check(urlsift_context *context, const urlsift_url *url,
                                             urlsift_grammar grammar, urlsift_fault *fault);

typedef struct urlsift_field {
	const char *name;  /* "host", "port", "cwd", "retr", "selector" ...; static, NUL-terminated */
	const char *value; /* decoded, any bytes; lives until the callback returns */
	size_t length;
	const char *note;  /* an explanation of the value, such as "a menu" for type 1 of gopher, or that it is a default;
	                      static, NUL-terminated; or NULL */
} urlsift_field;
typedef int (*urlsift_field_fn)(void *user, const urlsift_field *field);

/* Reports what a client would do with the URL (RFC 1738 section 3): calls `each` for
 * each field in order; a non-zero return stops (URLSIFT_STOPPED).  The elements of a
 * list are fields of the same name. */
URLSIFT_API urlsift_status urlsift_url_interpret(urlsift_context *context, const urlsift_url *url,
                                                 urlsift_field_fn each, void *user);

typedef enum urlsift_resolution { URLSIFT_RESOLVE_RFC3986 = 0, URLSIFT_RESOLVE_RFC1630 = 1 } urlsift_resolution;
/* Writes the absolute URL of the reference relative to the base (RFC 3986 section
 * 5.2, strict, or the partial forms of RFC 1630).  Returns the length in bytes; writes at most `size`, no NUL. */
URLSIFT_API size_t urlsift_url_resolve(const urlsift_url *base, const urlsift_url *reference,
                                       urlsift_resolution rules, char *out, size_t size);
/* As urlsift_link_target and urlsift_link_normal, for a URL, of which only `text` and `length` are read. */
URLSIFT_API size_t urlsift_url_target(const urlsift_url *url, char *out, size_t size);
URLSIFT_API size_t urlsift_url_normal(const urlsift_url *url, char *out, size_t size);

/* Writes, in the same way, the target that a link rewriter (a mail gateway, the redirect of a web site) has put into
 * the URL; up to eight nested rewriters are undone.  Does not use the network.  Returns 0 if the URL is not that of a
 * known rewriter, if the target is not an absolute URL that may become an href, and for more than 8 KiB.  Linear. */
URLSIFT_API size_t urlsift_url_unwrap(const urlsift_url *url, char *out, size_t size);

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
	URLSIFT_WARN_REDIRECT        = 1 << 16,
	URLSIFT_WARN_UNUSABLE        = 1 << 17,
	URLSIFT_WARN_REFANGED        = 1 << 18,
	URLSIFT_WARN_ATTACHMENT      = 1 << 19,
	URLSIFT_WARN_BLANK           = 1 << 20,
	URLSIFT_WARN_NO_MEMORY       = 1 << 30, /* only of urlsift_url_warnings: others of the host are missing */
	/* with one of these a link must not become an href, nor be opened */
	URLSIFT_WARN_NO_HREF         = URLSIFT_WARN_UNLINKABLE | URLSIFT_WARN_UNUSABLE
};
/* The warnings of a URL, without those that depend on the surrounding text, such as INVISIBLE or BIDI of a character
 * that ends a link. */
URLSIFT_API unsigned urlsift_url_warnings(const urlsift_url *url);
/* The name of a warning, such as "userinfo-spoof", and an explanation for readers;
 * NULL for other values.  Static, NUL-terminated. */
URLSIFT_API const char *urlsift_warning_name(unsigned warning);
URLSIFT_API const char *urlsift_warning_reason(unsigned warning);

/* ---- The scanner --------------------------------------------------------- */

/* The whole input is passed to the callback once and in order, as pieces whose source
 * ranges tile [0, bytes fed): plain text, or one part of a link.  A link broken across
 * lines is part 0, a plain gap, part 1 and so on, all with the same link.  How plain
 * text is split into pieces depends on how it was fed, and so does between which of them the
 * notice of a limit comes; nothing else does. */
typedef struct urlsift_piece {
	const urlsift_link *link; /* NULL for plain text */
	size_t part;              /* index of the part in its link; 0 for plain text */
	uint64_t offset;          /* source range */
	uint64_t length;
	const char *text;         /* the text of the range, in whole UTF-8 characters; if no
	                             charset is declared, bytes that are not valid UTF-8
	                             are unchanged and mean windows-1252 (C1); terminal escape
	                             sequences and overstrikes are removed (B1), and a defanged
	                             link is restored with URLSIFT_OPT_REFANG */
	size_t text_length;       /* 0 for a byte order mark, of which that of UTF-8 is a piece of its own, and the like */
} urlsift_piece;

typedef struct urlsift_notice {
	const char *limit; /* the one that was exceeded: "url-length" (URLSIFT_OPT_MAX_URL), "line-breaks", "alternates",
	                      "rule-steps" (of PCRE2 in a match of a user-defined rule), "span" (bytes of input that a link
	                      spans, W4a); static, NUL-terminated */
	uint64_t value;    /* the value of the limit */
	uint64_t offset;   /* in the source */
} urlsift_notice;

/* Called by urlsift_feed and urlsift_finish.  A non-zero return stops the scanner,
 * which then returns URLSIFT_STOPPED.  `notice` may be NULL. */
typedef struct urlsift_sink {
	int (*piece)(void *user, const urlsift_piece *piece);
	int (*notice)(void *user, const urlsift_notice *notice);
	void *user;
} urlsift_sink;

typedef struct urlsift_scanner urlsift_scanner;

/* A scanner.  `options` may be NULL for the defaults and is copied; `context` must outlive the scanner, which uses its
 * allocator.  *status, which may be NULL, is set to URLSIFT_OK, or to the reason for a result of NULL:
 * URLSIFT_NO_MEMORY or URLSIFT_BAD_ARGUMENT. */
URLSIFT_API urlsift_scanner *urlsift_new(urlsift_context *context, const urlsift_options *options,
                                         const urlsift_sink *sink, urlsift_status *status);
/* Feeds `length` bytes, which the caller may reuse after the call: the scanner copies what a link may still need.
 * Linear in all bytes fed, however they are split. */
URLSIFT_API urlsift_status urlsift_feed(urlsift_scanner *scanner, const void *bytes, size_t length);
/* Reports the pieces that no later byte can change, for input that pauses, as a log does; a link that the next line may
 * continue waits for that line.  All calls of it together never change what is reported, only when.  Takes time
 * proportional to the text that the scanner holds: a few KiB, or the length of an unfinished link; more than 4 KiB are
 * left for a later call until some bytes have been fed, so that all calls are linear in the bytes and the calls. */
URLSIFT_API urlsift_status urlsift_flush(urlsift_scanner *scanner);
/* Ends the input and reports the remaining pieces. */
URLSIFT_API urlsift_status urlsift_finish(urlsift_scanner *scanner);
/* Prepares for a new input; buffers are reused. */
URLSIFT_API void urlsift_reset(urlsift_scanner *scanner);

URLSIFT_API void urlsift_free(urlsift_scanner *scanner); /* NULL is allowed */

/* The largest number of bytes that a scanner and its context allocate, for any input, without what urlsift_find leaves
 * in the context; if `mail` is not 0, a mail parser with its scanner and context, without what iconv allocates. */
URLSIFT_API size_t urlsift_memory_bound(int mail);

/* Scans one text: creates a scanner, feeds it, finishes and frees it. */
static inline urlsift_status urlsift_scan(urlsift_context *context, const urlsift_options *options,
                                          const urlsift_sink *sink, const void *bytes, size_t length)
{
	urlsift_status status;
	urlsift_scanner *scanner = urlsift_new(context, options, sink, &status);
	if (status == URLSIFT_OK)
		status = urlsift_feed(scanner, bytes, length);
	if (status == URLSIFT_OK)
		status = urlsift_finish(scanner);
	urlsift_free(scanner);
	return status;
}

/* ---- All links at once: neither scanner nor callbacks -------------------- */

/* The properties of a urlsift_link, which live as long as the result.  Every text is followed by a NUL. */
typedef struct urlsift_found_link {
	urlsift_text text;   /* as its author meant it (urlsift_link_text) */
	urlsift_text target; /* may be used as an href if `linkable` (urlsift_link_target) */
	urlsift_text normal; /* the comparable form (urlsift_link_normal) */
	urlsift_text scheme; /* lower case */
	urlsift_text host;   /* of the comparable form, empty for none */
	urlsift_text label;  /* shown in place of the link, empty for none; in text only with URLSIFT_OPT_LABELS */
	const struct urlsift_place *place; /* where it is in a message (urlsift-mail.h); NULL in text */
	urlsift_convention convention;
	unsigned flags;        /* URLSIFT_ flags */
	unsigned warnings;     /* URLSIFT_WARN_ flags */
	int linkable;          /* the scheme is on the allow-list and no warning forbids an href */
	uint64_t line, column; /* of a decoded part of a message, lines of its text, from 1 on */
	const urlsift_range *parts;
	size_t part_count;
	const urlsift_alternate *alternates; /* NULL for none; their texts are followed by a NUL */
	size_t alternate_count;
} urlsift_found_link;

typedef struct urlsift_found {
	size_t count;
	const urlsift_found_link *const *links; /* in the order of the text; never NULL */
	/* For bindings, which read all links at once: they are one array, from links[0] on, with an element each
	 * `link_size` bytes; so are their parts, from links[0]->parts on.  `strings` has the texts of all links, each
	 * followed by a NUL: text, target, normal, scheme, host and label of the first link, then those of the next.  A
	 * text of a header field may have a NUL inside too. */
	size_t link_size;
	urlsift_text strings;
} urlsift_found;

/* Finds the links of one text.  `context` may be NULL for one that the call makes; `options` may be NULL for the
 * defaults.  A context that is given keeps a scanner for texts of up to 16 KiB, so that the next call takes less than
 * half the time: 33 KB, at most 256.  Lines and columns are always set.  The caller owns *found, which is NULL if the
 * status is not URLSIFT_OK.  Linear in the text; takes up to twice the memory of the result. */
URLSIFT_API urlsift_status urlsift_find(urlsift_context *context, const urlsift_options *options, const void *text,
                                        size_t length, urlsift_found **found);
/* The result outlives its context, except for an allocator that the context brought. */
URLSIFT_API void urlsift_found_free(urlsift_found *found); /* NULL is allowed */

/* ---- Characters ---------------------------------------------------------- */

/* Reads the character at `text` (C1): stores its code point and returns its length in
 * bytes.  A byte that is not part of valid UTF-8 is a windows-1252 character.
 * `length` must be at least 1. */
URLSIFT_API size_t urlsift_next_character(const char *text, size_t length, uint32_t *code_point);

#ifdef __cplusplus
}
#endif
#endif
