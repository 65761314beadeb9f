/* One URL: what the rest of the library calls.  Splitting, resolving, writing the target, judging. */
#ifndef URL_URL_H
#define URL_URL_H

#include "grammar.h"
#include "scheme.h"
#include "text/bits.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Context: what scanners and threads share -------------------------------- */

struct urlsift_context {
	urlsift_allocator alloc;
	pthread_mutex_t compiling;
	struct grammar *_Atomic grammars[GRAMMARS]; /* NULL until needed, then constant */
	struct context_spare *_Atomic spare;
};

/* What a call leaves for a later one, which then need not make it.  Threads that share the context take it in turn. */
struct context_spare { void (*free)(struct context_spare *); };
/* Takes what is kept, which the caller then owns; NULL for nothing. */
struct context_spare *context_take(urlsift_context *context);
/* Keeps it, in place of what is kept; NULL: keeps nothing. */
void context_keep(urlsift_context *context, struct context_spare *spare);

/* The compiled grammar; the first call compiles it.  Thread-safe.  NULL and *status on failure: the next call tries
 * again. */
const struct grammar *context_grammar(urlsift_context *context, urlsift_grammar which, urlsift_status *status);

/* ---- Components (RFC 3986 section 3, appendix B) ------------------------------ */

/* Fills `url`; its components are ranges of `text`.  Always possible: nothing is judged and nothing decoded.  The last
 * `@` of the authority ends the userinfo.  Linear. */
void split_url(const char *text, size_t length, urlsift_url *url);
/* Fills in the parts of the text from byte `from` on, which follows the authority. */
void split_path(const char *text, size_t length, size_t from, urlsift_url *url);
/* Fills in the parts that follow the scheme, or with `in_authority` the `//`. */
void split_rest(const char *text, size_t length, size_t from, bool in_authority, urlsift_url *url);

/* The bytes before the path or the authority: a scheme and its colon; and those before a fragment and its `#`. */
static inline size_t url_scheme_end(const urlsift_url *url)
{
	return url->scheme.present ? url->scheme.length + 1 : 0;
}
static inline size_t url_fragment_begin(const urlsift_url *url)
{
	return url->fragment.present ? url->fragment.offset - 1 : url->length;
}

/* The bytes that a grammar judges: a URL of RFC 1738 has no fragment. */
static inline size_t url_judged(const urlsift_url *url, urlsift_grammar which)
{
	return which == URLSIFT_RFC1738 ? url_fragment_begin(url) : url->length;
}

/* ---- References --------------------------------------------------------------- */

/* Writes the absolute URL of the reference: at most `size` bytes; returns the full length.  Nothing is encoded or
 * decoded.  Linear.  RFC 3986 section 5.2, strict; `dots`: DOTS_ESCAPED as browsers read segments, or 0. */
size_t resolve_rfc3986(const urlsift_url *base, const urlsift_url *reference, unsigned dots, char *out, size_t size);
/* RFC 1630, "Partial (relative) form": a run of n slashes at the start refers to the first run of exactly n slashes in
 * the base that has no longer run to its right. */
size_t resolve_rfc1630(const urlsift_url *base, const urlsift_url *reference, char *out, size_t size);

/* ---- Target and normal form ---------------------------------------------------- */

/* Each takes any bytes and writes ASCII, at most `size` bytes; the full length is returned, or in s->used.  `supplied`
 * ("", or a scheme in lower case with `:` or `://`) precedes the text.  Linear; only A-labels take memory.
 *
 * The target: what RFC 3986 forbids is percent-encoded as UTF-8; existing escapes stay, a `%` that begins none becomes
 * %25.  `[` and `]` stay only around an IP literal.  A host beyond ASCII and without escapes is written as A-labels
 * where it has any, else percent-encoded. */
struct sink; /* path.h */
size_t target_write(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size);
void target_put(struct sink *s, const char *supplied, const uint8_t *text, size_t n);
/* RFC 3986 sections 6.2.2 and 6.2.3 applied to the target; idempotent.  The default or empty port is dropped, an empty
 * path of http and https becomes `/`, domains of a mailto are in lower case, a host written with escapes equals the
 * same host without. */
size_t normal_write(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size);
void normal_put(struct sink *s, const char *supplied, const uint8_t *text, size_t n);

/* ---- Host names --------------------------------------------------------------- */

enum {
	IDNA_LABEL_MAX = 63, /* octets of a label (RFC 1035) */
	IDNA_HOST_MAX = 1024 /* a host beyond ASCII that is longer has no A-labels */
};

/* Whether the label is a top-level domain of the root zone, or `example`, `local`, `onion` or `i2p`: ASCII in any
 * letter case, as A-label or as UTF-8.  Binary search. */
bool tld_known(const uint8_t *label, size_t length);

/* Whether libidn2 is built in (URLSIFT_WITH_IDN2). */
bool idna_available(void);
/* Writes the n bytes of a version, at most `size`; returns n. */
size_t version_put(const char *version, size_t n, char *out, size_t size);
/* Writes the n bytes with each percent-encoded one decoded, perhaps over themselves; returns the new length. */
size_t url_decode(uint8_t *out, const uint8_t *p, size_t n);
/* Writes what base64 of either alphabet (RFC 4648) stands for, perhaps over itself, and returns the length.  It ends
 * before `stop` and before a byte that is no digit: *taken is the number of digits. */
size_t url_decode_base64(uint8_t *out, const uint8_t *p, size_t n, uint8_t stop, size_t *taken);

/* Writes its version, at most `size` bytes; returns the full length, 0 where it is not. */
size_t idna_version(char *out, size_t size);
/* The host (RFC 3987 ireg-name read by rule C1, without port) as A-labels, mapped by UTS 46 (non-transitional); its
 * escapes are decoded first.  IDNA_NONE when it has none, when the result holds a character that RFC 3986 forbids in a
 * reg-name, or without libidn2; *n is then unchanged.  Writes at most 255 bytes.  libidn2, which is asked where a label
 * has other characters than common letters and digits, allocates with malloc: where that fails, so does the
 * conversion.  IDNA_SAME: found, and its characters are those of the host but for ASCII capitals. */
enum idna { IDNA_NONE, IDNA_NO_MEMORY, IDNA_FOUND, IDNA_SAME };
enum idna idna_to_ascii(const uint8_t *host, size_t length, char out[256], size_t *n);

/* The last host and its A-labels, for which flags, target, normal form and warnings of a link ask.  Zeros at first. */
struct idna_memo {
	uint8_t host[256];
	char labels[256];
	size_t length, n;
	enum idna idna;
};
/* Asks by way of a memo, which may be NULL. */
enum idna idna_ask(struct idna_memo *memo, const uint8_t *host, size_t length, char out[256], size_t *n);
/* The host with its escapes decoded, as UTF-8.  False when it exceeds IDNA_HOST_MAX bytes or an escape is not part of
 * valid UTF-8. */
bool idna_decode_host(const uint8_t *host, size_t length, uint8_t out[IDNA_HOST_MAX], size_t *n);
/* The code points of an A-label (`xn--` in any letter case and Punycode, RFC 3492).  False when it is malformed, or
 * encodes nothing but ASCII, a control or a surrogate. */
bool idna_decode_label(const uint8_t *label, size_t length, uint32_t out[IDNA_LABEL_MAX], size_t *count);
/* Whether the number is in one of the ranges, each its first and last, in order; the last one ends with UINT32_MAX. */
static inline bool in_ranges(const uint32_t (*ranges)[2], uint32_t n)
{
	while (n > (*ranges)[1])
		ranges++;
	return n >= (*ranges)[0];
}
/* Whether the character separates labels: UTS 46 maps the full stops of CJK to dots. */
static inline bool idna_is_dot(uint32_t cp)
{
	return cp == '.' || cp == 0x3002 || cp == 0xFF0E || cp == 0xFF61;
}
/* Whether a reader may take the character for a full stop: U+2024 is the one dot leader. */
static inline bool idna_is_like_dot(uint32_t cp) { return idna_is_dot(cp) || cp == 0x2024; }

/* Writes the version of libpsl, at most `size` bytes; returns the full length, 0 where it is not built in
 * (URLSIFT_WITH_PSL). */
size_t psl_library_version(char *out, size_t size);
/* Where in a host the registrable domain begins, the name that one owner has: a public suffix (`com`, `co.uk`,
 * `github.io`) and the label before it.  0 for an address, a public suffix and a name of one label.  The host is ASCII,
 * in any letter case.  By the list in libpsl or, without it, a short one. */
size_t owner_begin(const uint8_t *host, size_t n);
/* The site that a registrable domain of nothing but its short addresses belongs to (`youtu.be`: `youtube.com`); NULL
 * for any other.  No domain is here by which others can lead to other sites. */
const char *owner_of_short(const uint8_t *domain, size_t n);

/* URLSIFT_WARN_MIXED_SCRIPT, _CONFUSABLE and _HOST_CHANGES of a host: UTF-8, escapes decoded.  Linear.
 *   mixed script (UTS 39 section 5.1): Latin may share a label with Han and kana, with Han and Hangul, or with Han and
 *     bopomofo; no other scripts may share one.
 *   confusable: a label made only of letters that look like ASCII, unless the top-level domain is of the same script;
 *     or one of ASCII and Latin letters beyond it that look like ASCII; a character that looks like a delimiter.
 *   host changes: an invalid A-label, an ASCII label of more than 63 bytes, a character that NFKC turns into a
 *     delimiter. */
unsigned lookalike_host(const uint8_t *host, size_t length);
/* Whether the character looks like one that ends a host, such as a slash, or becomes one by NFKC. */
bool lookalike_ends_host(uint32_t cp);
/* The ASCII letter or mark that the character looks like; NUL for others. */
char lookalike_ascii(uint32_t cp);

/* ---- What browsers can open (the URL Standard; usable.c) -------------------------- */

/* How browsers read a host of which the last label is a number; *address is set for HOST_ADDRESS. */
enum host_number { HOST_NO_NUMBER, HOST_BAD_ADDRESS, HOST_ADDRESS };
enum host_number usable_number(const uint8_t *host, size_t n, uint32_t *address);
/* Whether it is an IPv4 address as usual: four decimal numbers without leading zeros, and no full stop at its end. */
bool usable_plain_address(const uint8_t *host, size_t n);
/* Whether the scheme, in lower case, is one of which browsers read the host as a domain; not `file`. */
bool usable_is_special(const char *scheme);
/* Whether browsers accept the domain: not empty, its escapes decoded, mapped to ASCII, no address. */
bool usable_domain(const uint8_t *host, size_t n);
/* Whether the n bytes are an IPv6 address (RFC 4291 section 2.2), without a zone; writes its bytes. */
bool usable_ipv6(const uint8_t *p, size_t n, uint8_t address[16]);
/* Whether the digits are a port, *port: at most 65535; none are port 0. */
bool usable_port(const uint8_t *p, size_t n, uint64_t *port);
/* Whether browsers find another authority in a URL with such a scheme than its text has, as they read backslashes as
 * slashes and any number of slashes after the scheme as two: if so, *again has its parts. */
bool usable_split(const urlsift_url *url, urlsift_url *again);
/* The URL with the slashes that browsers read, also of file; at most `size` bytes, returns the full length. */
size_t usable_form(const urlsift_url *url, char *out, size_t size);
/* Whether browsers accept the authority of the URL, apart from a host that is a name.  `special`: usable_is_special
 * of its scheme.  Linear. */
bool usable_authority(const urlsift_url *url, bool special);

/* ---- Warnings (RFC 1738 section 6, RFC 3986 section 7) -------------------------- */

/* The longest URL of which urlsift_url_unwrap takes off a wrapping. */
enum { UNWRAP_MAX = 8192 };

/* With what a mail gateway ends all its URLs, if the n bytes begin one, or NULL:
 * `https://urldefense.com/v3/__URL__;BYTES!!TOKEN$`,
 * `https://x.safelinks.protection.outlook.com/?url=...&reserved=0`. */
const char *unwrap_end(const uint8_t *p, size_t n);

/* A longer URL is too long: every program should take this many bytes (RFC 9110 section 4.1). */
enum { WARN_LENGTH_MAX = 8000 };

/* The flags that the table of warnings allows to simple links. */
extern const unsigned warn_of_simple;
/* URLSIFT_WARN_ flags of the URL.  `flags` are those of the link, 0 for a URL alone.  Linear; only libidn2 allocates,
 * for a host beyond ASCII or with A-labels. */
unsigned warn_url(const urlsift_url *url, unsigned flags);
/* The flags of a link's text, which `supplied` precedes; `memo` may be NULL. */
unsigned warn_link(const char *supplied, const char *text, size_t length, unsigned flags, struct idna_memo *memo);
/* The warnings for the characters of a text, encoded or not: ENCODED_CONTROL, BIDI, INVISIBLE.  `allowed` has a bit for
 * each C0 control that may be encoded. */
unsigned warn_characters(const char *text, size_t n, uint32_t allowed);

#endif
