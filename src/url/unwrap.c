#include "url.h"

#include "scheme.h"
#include "text/match.h"
#include "text/unicode.h"

#include <string.h>

enum { UNWRAP_LEVELS = 8 };

struct wrapped;
struct rewriter;

/* Undoes how a rewriter hides the URL; where the row has a parameter, the text is its value.  False where the text is
 * not what it writes. */
typedef bool unhide(struct wrapped *w, const struct rewriter *row);
static unhide escaped, dashed, base64, last_path, numbered, after_query, underlined, starred;

/* A parameter of a query. */
enum query_name { PARAMETER_NONE, PARAMETER_A, PARAMETER_Q, PARAMETER_REDIRECT_URL, PARAMETER_TO, PARAMETER_U,
                 PARAMETER_UDDG, PARAMETER_URL, PARAMETER_Z, PARAMETERS };

static const struct parameter_name {
	const char *name; /* in lower case */
	size_t length;
} parameters[PARAMETERS] = {
	[PARAMETER_A] = { "a", 1 }, [PARAMETER_Q] = { "q", 1 }, [PARAMETER_REDIRECT_URL] = { "redirecturl", 11 },
	[PARAMETER_TO] = { "to", 2 }, [PARAMETER_U] = { "u", 1 }, [PARAMETER_UDDG] = { "uddg", 4 },
	[PARAMETER_URL] = { "url", 3 }, [PARAMETER_Z] = { "z", 1 },
};

/* THE table of rewriters.  Hosts are separated by blanks; one that begins with a full stop stands for all names below
 * it, one that ends with a full stop for those in national domains.  The path begins with `path`. */
static const struct rewriter {
	const char *hosts, *path;
	enum query_name parameter; /* which the query has */
	unhide *unhide;
} rewriters[] = {
	/* gateways of mail; the first ones are those of url_ends */
	{ "urldefense.com urldefense.us urldefense.proofpoint.com", "/v3/__", PARAMETER_NONE, starred },
	{ ".safelinks.protection.outlook.com .safelinks.o365.outlook.com", "/", PARAMETER_URL, escaped },
	{ "urldefense.com urldefense.us urldefense.proofpoint.com", "/v2/url", PARAMETER_U, dashed },
	{ "secure-web.cisco.com", "/", PARAMETER_NONE, last_path },
	{ "statics.teams.cdn.office.net", "/evergreen-assets/safelinks/", PARAMETER_URL, escaped },
	{ "urldefense.com urldefense.us urldefense.proofpoint.com", "/v1/url", PARAMETER_U, escaped },
	{ "linkprotect.cudasvc.com", "/url", PARAMETER_A, escaped },
	{ ".mimecast.com .mimecastprotect.com", "/", PARAMETER_URL, escaped }, /* its tokens tell no more than a domain */
	{ ".protection.sophos.com", "/", PARAMETER_U, base64 },
	{ ".trendmicro.com", "/wis/clicktime/", PARAMETER_URL, escaped },
	{ "clicktime.symantec.com clicktime.cloud.postoffice.net", "/", PARAMETER_U, escaped },
	{ "protect2.fireeye.com", "/", PARAMETER_U, escaped },
	{ "scanmail.trustwave.com", "/", PARAMETER_U, escaped },
	{ "urlsand.esvalabs.com", "/", PARAMETER_U, escaped },
	{ "protect.checkpoint.com url.avanan.click", "/v2/", PARAMETER_NONE, underlined },
	{ ".awstrack.me", "/", PARAMETER_NONE, numbered },
	{ "deref-gmx.net deref-web.de deref-mail.com", "/mail/client/", PARAMETER_REDIRECT_URL, escaped },
	/* sites */
	{ "google. www.google.", "/url", PARAMETER_Q, escaped },
	{ "google. www.google.", "/url", PARAMETER_URL, escaped },
	{ "l.facebook.com lm.facebook.com www.facebook.com m.facebook.com l.messenger.com", "/l.php",
	  PARAMETER_U, escaped },
	{ "l.instagram.com l.threads.com l.threads.net", "/", PARAMETER_U, escaped },
	{ "www.youtube.com youtube.com m.youtube.com", "/redirect", PARAMETER_Q, escaped },
	{ "www.linkedin.com", "/redir/", PARAMETER_URL, escaped },
	{ "www.linkedin.com", "/safety/go", PARAMETER_URL, escaped },
	{ "out.reddit.com", "/", PARAMETER_URL, escaped },
	{ "t.umblr.com", "/redirect", PARAMETER_Z, escaped },
	{ "vk.com away.vk.com", "/away.php", PARAMETER_TO, escaped },
	{ "steamcommunity.com", "/linkfilter/", PARAMETER_URL, escaped },
	{ "steamcommunity.com", "/linkfilter/", PARAMETER_U, escaped },
	{ "slack-redir.net", "/link", PARAMETER_URL, escaped },
	{ "duckduckgo.com", "/l/", PARAMETER_UDDG, escaped },
	{ "www.bing.com", "/ck/a", PARAMETER_U, base64 },
	{ "href.li", "/", PARAMETER_NONE, after_query },
};

/* The ends of all URLs of the first rewriters. */
static const char *const url_ends[] = { "$", "reserved=0", "&e=" };

/* A URL that is unwrapped, in place: what it hides is never longer. */
struct wrapped {
	uint8_t text[UNWRAP_MAX], whole[UNWRAP_MAX], spare[UNWRAP_MAX];
	size_t length;
	urlsift_url url;
	bool failed; /* no memory */
};

/* ---- Which rewriter ---------------------------------------------------------- */

/* `com`, or a country's: `xx`, `co.xx`, `com.xx`. */
#define COMMERCE "[cC][oO]"
#define COUNTRY "%a%a" MATCH_END
#define NATIONAL COMMERCE "[mM]" MATCH_END "|" COUNTRY "|" COMMERCE "[mM]?." COUNTRY

static bool is_host(const char *hosts, const char *host, size_t n)
{
	for (size_t length; *hosts; hosts += length + (hosts[length] == ' ')) {
		length = strcspn(hosts, " ");
		bool below = *hosts == '.' && n > length && ascii_begins(host + n - length, hosts, length);
		bool national = hosts[length - 1] == '.' && n > length && ascii_begins(host, hosts, length)
		                && match_bytes((const uint8_t *)host + length, n - length, NATIONAL);
		if (below || national || (n == length && ascii_begins(host, hosts, n)))
			return true;
	}
	return false;
}

/* Whether a parameter, which ends before `end`, has the name. */
static bool is_parameter(const uint8_t *p, const uint8_t *end, enum query_name name)
{
	const struct parameter_name *x = &parameters[name];
	return (size_t)(end - p) > x->length && p[x->length] == '=' && ascii_begins(p, x->name, x->length);
}

/* The first rewriter from `row` on that may have made the URL, or NULL.  Most URLs are told from a wrapped one here. */
static const struct rewriter *find_rewriter(const struct rewriter *row, const urlsift_url *url)
{
	const struct rewriter *end = rewriters + sizeof rewriters / sizeof *rewriters;
	const char *text = url->text, *path = text + url->path.offset, *scheme = text + url->scheme.offset;
	const uint8_t *p = (const uint8_t *)text + url->query.offset, *query_end = p + url->query.length;
	unsigned found = 1 << PARAMETER_NONE; /* a bit for each parameter of the query */
	for (const uint8_t *next; p < query_end; p = next + 1) {
		next = find_byte(p, query_end, '&');
		for (enum query_name i = PARAMETER_NONE + 1; i < PARAMETERS; i++)
			found |= (unsigned)is_parameter(p, next, i) << i;
	}
	const bool empty = url->path.length == 0; /* it is `/` where the URL is in a parameter */
	for (; row < end; row++)
		if (found >> row->parameter & 1
		    && (text_begins(path, url->path.length, row->path) || (empty && row->parameter && row->path[1] == '\0'))
		    && is_host(row->hosts, text + url->host.offset, url->host.length))
			return ascii_is_among(scheme, url->scheme.length, "https http") ? row : NULL;
	return NULL;
}

const char *unwrap_end(const uint8_t *p, size_t n)
{
	size_t scheme = scheme_prefix(p, n), host = scheme + strlen("://"), path;
	if (!text_begins(p + scheme, n - scheme, "://"))
		return NULL;
	path = byte_index(p, host, n, '/');
	for (size_t i = 0; i < sizeof url_ends / sizeof *url_ends; i++) {
		const struct rewriter *row = &rewriters[i];
		if (text_begins(p + path, n - path, row->path) &&
		    (row->parameter == PARAMETER_NONE || memchr(p + path, '?', n - path)) &&
		    is_host(row->hosts, (const char *)p + host, path - host))
			return url_ends[i];
	}
	return NULL;
}

/* ---- Where the URL is, and what it is ------------------------------------------ */

/* Makes [from, from + n) of the text all of it. */
static void keep(struct wrapped *w, size_t from, size_t n)
{
	memmove(w->text, w->text + from, n);
	w->length = n;
}

size_t url_decode(uint8_t *out, const uint8_t *p, size_t n)
{
	size_t used = 0;
	for (const uint8_t *end = p + n; p < end;) {
		int byte = hex_escape(p, end);
		out[used++] = byte < 0 ? *p : (uint8_t)byte;
		p += byte < 0 ? 1 : 3;
	}
	return used;
}

/* Percent-encoded. */
static bool escaped(struct wrapped *w, const struct rewriter *row)
{
	(void)row;
	w->length = url_decode(w->text, w->text, w->length);
	return true;
}

/* Then with `-` for `%` and `_` for `/`. */
static bool dashed(struct wrapped *w, const struct rewriter *row)
{
	for (size_t i = 0; i < w->length; i++)
		w->text[i] = w->text[i] == '-' ? '%' : w->text[i] == '_' ? '/' : w->text[i];
	return escaped(w, row);
}

/* Percent-encoded, after the second slash of the path. */
static bool last_path(struct wrapped *w, const struct rewriter *row)
{
	const size_t slash = byte_index(w->text, w->url.path.offset + 1, w->length, '/');
	if (slash == w->length)
		return false;
	keep(w, slash + 1, w->length - slash - 1);
	return escaped(w, row);
}

/* The value of a letter of either alphabet of RFC 4648. */
static unsigned url_digit(uint8_t c)
{
	return base64_digit(c == '-' ? '+' : c == '_' ? '/' : c);
}

size_t url_decode_base64(uint8_t *out, const uint8_t *p, size_t n, uint8_t stop, size_t *taken)
{
	uint32_t bits = 0;
	size_t used = 0, i = 0;
	for (unsigned digit; i < n && p[i] != stop && (digit = url_digit(p[i])) < 64; i++) {
		bits = bits << 6 | digit;
		if (i % 4)
			out[used++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
	}
	*taken = i;
	return used;
}

/* RFC 4648, either alphabet, which may be percent-encoded; Bing has `a1` before it. */
static bool base64(struct wrapped *w, const struct rewriter *row)
{
	escaped(w, row);
	if (text_begins(w->text, w->length, "a1"))
		keep(w, 2, w->length - 2);
	w->length = url_decode_base64(w->text, w->text, w->length, 0, &(size_t){ 0 });
	return true;
}

/* All after the first `begin`, up to the next `end`; nothing where there is no `begin`. */
static void keep_between(struct wrapped *w, const char *begin, const char *end)
{
	const size_t at = text_index(w->text, w->length, begin), from = at < w->length ? at + strlen(begin) : at;
	keep(w, from, w->length - from);
	w->length = text_index(w->text, w->length, end);
}

/* Percent-encoded: `/L0/URL/1/...`, or `/CL0/`. */
static bool numbered(struct wrapped *w, const struct rewriter *row)
{
	keep_between(w, "L0/", "/");
	return escaped(w, row);
}

/* `___URL___.TOKEN` */
static bool underlined(struct wrapped *w, const struct rewriter *row)
{
	(void)row;
	keep_between(w, "___", "___.");
	return true;
}

/* All that follows the question mark, as it is. */
static bool after_query(struct wrapped *w, const struct rewriter *row)
{
	(void)row;
	keep(w, w->url.query.offset, w->length - w->url.query.offset);
	return w->url.query.present;
}

/* `URL__;BYTES!` after the path of the row: each `*` in the URL stands for a character of BYTES, `**X` for several. */
static bool starred(struct wrapped *w, const struct rewriter *row)
{
	const size_t path = w->url.path.offset + strlen(row->path);
	keep(w, path, w->length - path);
	size_t n = text_index(w->text, w->length, "__;"), out = 0;
	if (n == w->length)
		return false;
	uint8_t *hidden = w->text + n + 3;
	const uint8_t *end = hidden + url_decode_base64(hidden, hidden, w->length - n - 3, 0, &(size_t){ 0 });
	w->length = n;
	escaped(w, row);
	for (size_t i = 0; i < w->length; i++) {
		size_t count = 1;
		if (w->text[i] != '*') {
			w->spare[out++] = w->text[i];
			continue;
		}
		if (i + 2 < w->length && w->text[i + 1] == '*') {
			count = url_digit(w->text[i + 2]) + 2; /* A is two */
			i += 2;
		}
		size_t length = 0, rest = (size_t)(end - hidden);
		for (; length < rest && count; count--)
			length = utf8_begin(hidden, length + 1, rest);
		memcpy(w->spare + out, hidden, length);
		hidden += length;
		out += length;
	}
	memcpy(w->text, w->spare, out);
	w->length = out;
	return true;
}

static bool take_hidden(struct wrapped *w, const struct rewriter *row)
{
	if (row->parameter) {
		/* the value of the parameter, if the query has it */
		const uint8_t *p = w->text + w->url.query.offset, *end = p + w->url.query.length;
		for (const uint8_t *next; p < end; p = next + 1) {
			next = find_byte(p, end, '&');
			if (is_parameter(p, next, row->parameter)) {
				p += parameters[row->parameter].length + 1;
				keep(w, (size_t)(p - w->text), (size_t)(next - p));
				break;
			}
		}
	}
	return row->unhide(w, row);
}

/* ---- Unwrapping ------------------------------------------------------------------ */

static void split(struct wrapped *w)
{
	split_url((const char *)w->text, w->length, &w->url);
}

/* Takes off one wrapping, of the first rewriter from `row` on for which that is possible.  False where there is none;
 * the text is then of no use. */
static bool unwrap_once(struct wrapped *w, const struct rewriter *row)
{
	const urlsift_url *url = &w->url;
	for (; row; row = find_rewriter(row + 1, url)) {
		size_t length = w->length;
		memcpy(w->whole, w->text, length);
		if (take_hidden(w, row)) {
			/* gateways that tidy paths make one slash of two */
			size_t n = scheme_prefix(w->text, w->length);
			if (n && match_bytes(w->text + n, w->length - n, ":/[^/]")) {
				memmove(w->text + n + 2, w->text + n + 1, w->length - n - 1);
				w->length++; /* less than what went with the wrapping */
			}
			split(w);
			/* an absolute URL that may be opened */
			const char *scheme = url->text + url->scheme.offset;
			unsigned warnings = warn_url(url, 0);
			w->failed |= (warnings & URLSIFT_WARN_NO_MEMORY) != 0;
			if (url->scheme.present && urlsift_scheme_linkable(scheme, url->scheme.length)
			    && (url->host.length || !usable_is_special(scheme_find(scheme, url->scheme.length)->name))
			    && !(warnings & URLSIFT_WARN_NO_HREF))
				return true;
		}
		memcpy(w->text, w->whole, length);
		w->length = length;
		split(w);
	}
	return false;
}

/* Apart, since most URLs are not wrapped, and so much room on the stack takes longer than to see that. */
__attribute__((noinline))
static size_t unwrap(const urlsift_url *url, const struct rewriter *row, char *out, size_t size)
{
	struct wrapped w;
	w.failed = false;
	size_t levels = 0;
	memcpy(w.text, url->text, url->length);
	w.length = url->length;
	for (split(&w); levels < UNWRAP_LEVELS && unwrap_once(&w, row); row = find_rewriter(rewriters, &w.url))
		levels++;
	if (w.failed)
		return URLSIFT_LENGTH_NO_MEMORY;
	return levels ? target_write("", w.text, w.length, out, size) : 0;
}

size_t urlsift_url_unwrap(const urlsift_url *url, char *out, size_t size)
{
	const struct rewriter *row = url->length > UNWRAP_MAX ? NULL : find_rewriter(rewriters, url);
	return row ? unwrap(url, row, out, size) : 0;
}
