#include "guess.h"
#include "simd/runs.h"
#include "text/match.h"
#include "text/unicode.h"

#include <string.h>

/* The endings of file names, and of hosts, at which a URL is often complete. */
static bool is_ending(const uint8_t *p, size_t n)
{
	static const char endings[] =
	    "html htm shtml xhtml php asp aspx jsp cgi pdf ps txt doc ppt xls xml xsd gif jpg jpeg png mp3 gz tgz bz2 xz "
	    "z zip lha tar jar rpm gpg exe css js md git dsc com net org";
	return ascii_is_among(p, n, endings);
}

/* Those of hosts alone. */
static bool is_host_ending(const uint8_t *p, size_t n)
{
	static const char endings[] = "com net org edu gov mil";
	return ascii_is_among(p, n, endings);
}

/* The letters and digits at the end of the bytes, at most 5, where a full stop precedes them: *n is their number.
 * False for none. */
static bool find_ending(const uint8_t *p, size_t length, size_t *n)
{
	const size_t k = length - byte_span_back(p, excess(length, 5), length, BYTE_ALNUM);
	*n = k;
	return byte_before(p, length - k) == '.';
}

/* Whether the word ends like a file name rather than like a host name. */
static bool ends_as_file(const struct guess *g)
{
	size_t k;
	if (!find_ending(g->w.p, g->w.n, &k) || g->w.n < k + 2)
		return false;
	const uint8_t *ending = g->w.p + g->w.n - k;
	if (!is_alpha(*ending) || is_host_ending(ending, k)) /* nor does a letter follow a full stop at the end */
		return false;
	if (!g->w.alone && !is_ending(ending, k))
		return false; /* where text follows, it must be one of those */
	return byte_class[ending[-2]] & BYTE_NAME || ending[-2] == ')';
}

/* Whether it holds bytes that prose does not; `=3D` of undecoded quoted-printable counts only in a query, and an `&`
 * before more text not at all. */
static bool holds_marks(const struct guess *g)
{
	size_t n = g->w.n - (!g->w.alone && g->w.p[g->w.n - 1] == '&');
	for (size_t i = BYTE_IN(g->w.p[0], "/#"); i < n; i++)
		if (g->w.p[i] == '=' && !g->query && g->w.n - i > 2 && hex_pair(g->w.p + i + 1) >= 0)
			i += 2;
		else if (guess_is_delimiter(g->w.p[i]))
			return true;
	return false;
}

/* "and/or", "text/x-diff" */
static bool is_alternative(const struct guess *g)
{
	return match_bytes(g->w.p, g->w.n, "[%a-]+/[%a-]+" MATCH_END);
}

/* A rule across the page: one mark over and over, no letters or digits, or a few different bytes. */
static bool is_ruler(const struct guess *g)
{
	const uint8_t *p = g->w.p;
	const size_t n = g->w.n;
	uint8_t seen[4];
	size_t kinds = 0;
	if (n > 3 && !memcmp(p, p + 1, 3) && byte_class[*p] & (BYTE_PUNCTUATION | BYTE_DELIMITER))
		return true;
	if (byte_after(p, 0, n, "=-_*~#+") > 3 || byte_span(p, 0, n, BYTE_BUT(BYTE_ALNUM)) == n)
		return true;
	for (size_t i = 0; i < n && kinds < sizeof seen; i++) {
		seen[kinds] = p[i];
		kinds += !memchr(seen, p[i], kinds);
	}
	return kinds < sizeof seen && n >= 6 && guess_digits(p, n) < n;
}

/* Whether nothing follows the word but closing punctuation and a footnote mark. */
static bool is_alone(const struct guess *g)
{
	for (size_t i = 0; i < g->w.left; i++) {
		uint8_t c = g->w.after[i];
		if (c == '[') {
			const size_t mark = match_bytes(g->w.after + i, g->w.left - i, "[[]%d+[]]");
			if (!mark)
				return false;
			i += mark - 2;
		} else if (!is_space(c) && !bytes16_has(".,;:!?)]}>\"'*_\\.", c)) {
			return false;
		}
	}
	return true;
}

/* Whether the word ends at the counterpart of what precedes the link, or the word before it: `(see: `. */
static bool is_closed(const struct guess *g)
{
	enum { WORD_BACK = 32 };
	uint32_t close, open = g->before;
	if (!g->w.left)
		return false;
	if (open == ' ')
		open = g->v->p[byte_span_back(g->v->p, excess(g->begin, WORD_BACK), g->begin - 1, BYTE_ALPHA | BYTE_MARK)];
	utf8_next(g->w.after, g->w.left, &close);
	return opening_closes("()[]{}<>><", open, close); /* `><`: between tags */
}

bool guess_word_is_row(const struct guess *g)
{
	const uint8_t *p = g->w.after;
	size_t codes = 0, n = g->w.left; /* codes: `d++ s-- a-` */
	if (text_index(g->w.p, g->w.n, "....") < g->w.n)
		return true; /* leaders */
	for (size_t i = 0, end; (end = byte_span(p, i, n, BYTE_BUT(BYTE_BLANK))) < n;) {
		codes += end > 1 && BYTE_IN(p[end - 1], "+-") && !is_blank(p[end - 2]);
		i = byte_span(p, end, n, BYTE_BLANK);
		if (i - end > 2 || p[i - 1] == '\t')
			return true;
	}
	return codes > 1;
}

/* A request of roff: `.SH`; a path of its own: `./lamps` */
static bool is_request(const struct guess *g)
{
	const uint8_t *p = g->w.p + 1;
	const size_t n = g->w.n + g->w.left - 1;
	return p[-1] == '.' && match_bytes(p, n, "[/?#]|%a?%a?%f[^%w/?#]|%u+%f[^%w/?#]")
	       && !is_ending(p, guess_letters(p, n));
}

/* An address, unless it is the rest of a Message-ID; the name of a class in code, `ada@pier:~/tables` of a prompt. */
static bool is_named(const struct guess *g)
{
	const uint8_t *p = g->w.p;
	bool path = g->open || guess_ends_in_id(g) || guess_completes_id(g) || memchr(g->w.p, '/', g->w.n);
	const bool scheme = g->scheme;
	const size_t end = byte_until(p, 0, g->w.n, "/?=&%#");
	for (size_t i = 0; i < end; i++)
		if ((p[i] == '@' && !path) || (!scheme && p[i] == ':' && BYTE_IN(byte_at(p, i + 1, g->w.n), ":~/")))
			return true;
	return false;
}

/* `U.S.`, `i.e.` */
static bool is_initials(const struct guess *g)
{
	size_t k = 0;
	while (byte_at(g->w.p, k + 1, g->w.n + g->w.left) == '.' && is_alpha(g->w.p[k]))
		k += 2;
	return k > 2 && k >= g->w.n;
}

/* How many hexadecimal digits the bytes begin with. */
static size_t hex_digits(const uint8_t *p, size_t n)
{
	uint64_t value = 0;
	return number_read(p, 0, n, 16, &value);
}

bool guess_word_is_host(const struct guess *g)
{
	const uint8_t *p = g->w.p;
	const size_t k = byte_span(p, 0, g->w.n, BYTE_HOST), label = run_after(p, k, '.');
	return BYTE_IN(byte_at(p, k, g->w.n), "/\0") && is_host_ending(p + label, k - label)
	       && match_bytes(p, k, "[%w-]+[.][%w-]+[.]") && text_index(p, k, "..") == k;
}

bool guess_word_is_domain(const struct guess *g)
{
	size_t k = byte_span(g->w.p, 0, g->w.n, BYTE_HOST);
	return host_is_domain(g->w.p, k, byte_at(g->w.p, k, g->w.n) == '/');
}

bool guess_word_ends_host(const struct guess *g)
{
	const uint8_t *p = g->w.p;
	size_t k = byte_span(p, 0, g->w.n, BYTE_HOST), label = run_after(p, k, '.');
	return byte_at(p, k, g->w.n) == '/' && byte_class[p[label]] & BYTE_LOWER && tld_known(p + label, k - label);
}

bool guess_word_is_host_of(const struct guess *g, size_t i)
{
	size_t k = byte_span(g->w.p, i, g->w.n, BYTE_HOST), label = run_after(g->w.p, k, '.');
	return label > i && tld_known(g->w.p + label, k - label);
}

/* Whether the word has the rest of a hash of 40 digits, or of the name that Google Docs gives a document, of 33 or 44
 * characters after `/d/`. */
static bool completes_hash(const struct guess *g)
{
	const uint8_t *p = g->part;
	const size_t name = byte_span_back(p, 0, g->length, BYTE_NAME);
	const size_t full = g->length - name + byte_span(g->w.p, 0, g->w.n, BYTE_NAME);
	if (text_ends(p, name, "/d/") && (full == 33 || full == 44))
		return true;
	size_t length = g->length, k = byte_span_back(p, 0, length, BYTE_ALNUM), all = length - k + g->w.n;
	if (!k || k == length || p[k - 1] == '%')
		return false;
	bool anchor = all == 41 && p[k - 1] == '#' && is_alpha(p[k]); /* of public-inbox: `#m` before the digits */
	k += anchor;
	return all - anchor == 40 && hex_digits(p + k, length - k) + hex_digits(g->w.p, g->w.n) == 40;
}

bool guess_word_completes(const struct guess *g)
{
	const uint8_t *p = g->part;
	uint8_t ending[10];
	size_t n, length = g->length;
	if (completes_hash(g))
		return true;
	const size_t rest = guess_letters(g->w.p, g->w.n);
	const uint8_t next = byte_at(g->w.p, rest, g->w.n);
	const bool ends = find_ending(p, length, &n), host = g->host && n;
	if (!ends || !within(rest, 1, 5) || (host ? next != '/' : !BYTE_IN(next, "#?\0")))
		return false;
	if (rest > 2 && is_ending(p + length - n, n))
		return false; /* a link that is complete, and a word */
	memcpy(ending, p + length - n, n);
	memcpy(ending + n, g->w.p, rest);
	return host ? tld_known(ending, n + rest) && !tld_known(ending, n) : is_ending(ending, n + rest);
}

bool guess_word_is_hash(const struct guess *g)
{
	const bool change = g->w.p[0] == 'I';
	size_t k = hex_digits(g->w.p + change, g->w.n - change);
	return k + change == g->w.n && (k == 32 || k == 40 || k == 64);
}

bool guess_word_is_complete(const uint8_t *part, size_t length, bool words)
{
	size_t n, at = byte_last(part, 0, length, '@'), label = byte_last(part, at, length, '.');
	if (words && at && label > at && tld_known(part + label, length - label))
		return true;
	return find_ending(part, length, &n) && is_ending(part + length - n, n) && !is_host_ending(part + length - n, n);
}

bool guess_word_is_apart(const struct guess *g)
{
	static guess_rule *const apart[] = {
		guess_begins_item, is_request, is_ruler, is_initials, is_named
	};
	return GUESS_ANY(g, apart);
}

void guess_word_classify(struct guess *g)
{
#define WORD "%u?[%l%h]*" MATCH_END "|%u*" MATCH_END
	enum { CODE_LEAST = 40 };
	/* words that seldom are a part of a URL; letters end with some */
	static const char words[] =
	    "a above also an and as at below but cheers for from in instead is of on or regards see so thank thanks "
	    "that the then this to und with";
	const uint8_t *p = g->w.p;
	const size_t n = g->w.n;
	g->w.closed = is_closed(g);
	g->w.alone = g->w.closed || is_alone(g);
	/* with a mark and text after it also `e-mail` and `1.13` */
	const bool marked = !g->w.alone && BYTE_IN(g->w.after[0], ".,;");
	g->w.plain = match_bytes(p, n, marked ? "%a+-%a+" MATCH_END "|%d[%d.]*" MATCH_END "|" WORD : WORD);
	g->w.common = (g->w.plain || is_alternative(g)) && ascii_is_among(p, byte_index(p, 0, n, '/'), words);
	/* a long code in capitals and small letters, before more text, which no line of base64 has */
	const bool code = !g->w.alone && n >= CODE_LEAST && byte_span(p, 0, n, BYTE_NAME) == n
	                  && byte_span(p, 0, n, BYTE_BUT(BYTE_UPPER)) < n && byte_span(p, 0, n, BYTE_BUT(BYTE_LOWER)) < n;
	g->w.strong = g->w.ending || code || guess_word_is_hash(g) || ends_as_file(g)
	              || (g->w.alone && guess_completes_id(g))
	              || (holds_marks(g) && (g->w.alone || !is_alternative(g))) || (g->last == '_' && memchr(p, '_', n));
}
