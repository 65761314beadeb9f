#include "guess.h"
#include "simd/runs.h"
#include "text/unicode.h"

#include <string.h>

/* What may follow the end of a URL on its line. */
static bool is_closing(uint8_t c)
{
	return is_space(c) || bytes16_has(".,;:!?)]}>\"'*_\\.", c);
}

/* The endings of file names, and of hosts, at which a URL is often complete. */
static bool is_ending(const uint8_t *p, size_t n)
{
	static const char endings[][6] = {
		"html", "htm", "shtml", "xhtml", "php", "asp", "aspx", "jsp", "cgi", "pdf", "ps", "txt", "doc", "ppt", "xls",
		"xml", "xsd", "gif", "jpg", "jpeg", "png", "gz", "tgz", "bz2", "xz", "z", "zip", "lha", "tar", "jar", "rpm",
		"gpg", "exe", "css", "js", "md", "git", "dsc", "com", "net", "org"
	};
	return GUESS_IN(p, n, endings);
}

/* Those of hosts alone. */
static bool is_host_ending(const uint8_t *p, size_t n)
{
	static const char endings[][4] = {"com", "net", "org", "edu", "gov", "mil"};
	return GUESS_IN(p, n, endings);
}

/* The letters and digits at the end of the bytes, at most 5, where a full stop precedes them: *n is their number.
 * False for none. */
static bool find_ending(const uint8_t *p, size_t length, size_t *n)
{
	const size_t k = length - byte_span_back(p, excess(length, 5), length, BYTE_ALNUM);
	*n = k;
	return k < length && p[length - 1 - k] == '.';
}

/* Whether the word ends like a file name rather than like a host name. */
static bool ends_as_file(const struct guess_word *w)
{
	size_t k;
	if (!find_ending(w->p, w->n, &k) || !k || w->n < k + 2)
		return false;
	const uint8_t *ending = w->p + w->n - k;
	if (!is_alpha(*ending))
		return false;
	if (is_host_ending(ending, k))
		return false;
	if (!w->alone && !is_ending(ending, k))
		return false; /* where text follows, it must be one of those */
	return byte_class[ending[-2]] & BYTE_NAME || ending[-2] == ')';
}

/* Whether it holds bytes that prose does not; `=3D` of undecoded quoted-printable counts only in a query, and an `&`
 * before more text not at all. */
static bool holds_marks(const struct guess_word *w, bool query)
{
	size_t n = w->n - (!w->alone && w->p[w->n - 1] == '&');
	for (size_t i = BYTE_IN(w->p[0], "/#"); i < n; i++)
		if (w->p[i] == '=' && !query && w->n - i > 2 && hex_pair(w->p + i + 1) >= 0)
			i += 2;
		else if (guess_is_delimiter(w->p[i]))
			return true;
	return false;
}

/* How many letters and hyphens the bytes begin with. */
static size_t count_name(const uint8_t *p, size_t n)
{
	return byte_span(p, 0, n, BYTE_ALPHA | BYTE_HYPHEN);
}

/* "and/or", "text/x-diff" */
static bool is_alternative(const struct guess_word *w)
{
	size_t first = count_name(w->p, w->n), left = w->n - first;
	if (!first || left < 2 || w->p[first] != '/')
		return false;
	return count_name(w->p + first + 1, left - 1) == left - 1;
}

/* A word of prose: letters, not of mixed case. */
static bool is_plain(const struct guess_word *w)
{
	size_t upper = byte_span(w->p, 0, w->n, BYTE_UPPER);
	return upper == w->n || (upper < 2 && byte_span(w->p, upper, w->n, BYTE_LOWER | BYTE_HIGH) == w->n);
}

/* A word that seldom is a part of a URL; letters end with some. */
static bool is_function_word(const uint8_t *p, size_t n)
{
	static const char words[][8] = {
		"a", "above", "also", "an", "and", "as", "at", "below", "but", "cheers", "for", "from", "in",
		"instead", "is", "of", "on", "or", "regards", "see", "so", "thank", "thanks", "that", "the", "then",
		"this", "to", "und", "with"
	};
	return GUESS_IN(p, n, words);
}

/* A clock time, a date or a telephone number: groups of digits. */
static bool is_figures(const struct guess_word *w)
{
	size_t groups[5], count = 0, i = 0;
	uint8_t separator = 0;
	while (count < 5 && i < w->n) {
		groups[count] = guess_digits(w->p + i, w->n - i);
		i += groups[count];
		if (!groups[count] || groups[count] > 4)
			return false;
		count++;
		if (i == w->n)
			break;
		if ((w->p[i] != ':' && (w->p[i] < '-' || w->p[i] > '/')) || (separator && w->p[i] != separator))
			return separator == ':' && w->n - i == 2; /* 10:30am */
		separator = w->p[i++];
	}
	if (i < w->n || count < 2 || count > 4)
		return false;
	if (separator == ':')
		return true;
	if (count == 3 && groups[0] != 3 && groups[1] < 3 && groups[2] != 3)
		return true;
	return separator != '/' && groups[count - 1] == 4 && groups[count - 2] == 3; /* 555-0100, 1-800-555-0100 */
}

/* A rule across the page: one mark over and over, no letters or digits, or a few different bytes. */
static bool is_ruler(const struct guess_word *w)
{
	uint8_t seen[3];
	if (w->n > 3 && !memcmp(w->p, w->p + 1, 3) && byte_class[w->p[0]] & (BYTE_PUNCTUATION | BYTE_DELIMITER))
		return true;
	size_t marks = 0, kinds = 0;
	while (marks < w->n && BYTE_IN(w->p[marks], "=-_*~#+"))
		marks++;
	if (marks > 3)
		return true;
	bool solid = false, many = false;
	for (size_t i = 0; i < w->n && !(solid && many); i++) {
		solid |= is_alnum(w->p[i]);
		if (memchr(seen, w->p[i], kinds))
			continue;
		many |= kinds == sizeof seen;
		if (!many)
			seen[kinds++] = w->p[i];
	}
	return !solid || (!many && w->n >= 6 && guess_digits(w->p, w->n) < w->n);
}

/* Whether nothing follows the word but closing punctuation and a footnote mark. */
static bool is_alone(const struct guess_word *w)
{
	for (size_t i = 0; i < w->left; i++) {
		uint8_t c = w->after[i];
		if (c == '[') {
			size_t digits = guess_digits(w->after + i + 1, w->left - i - 1);
			if (!digits || byte_at(w->after, i + 1 + digits, w->left) != ']')
				return false;
			i += 1 + digits;
		} else if (!is_closing(c)) {
			return false;
		}
	}
	return true;
}

/* Whether the word ends at the counterpart of what precedes the link. */
static bool is_closed(const struct guess_word *w, uint32_t before)
{
	uint32_t close;
	if (!w->left || !before)
		return false;
	utf8_next(w->after, w->left, &close);
	return opening_closes("()[]{}<>><", before, close); /* `><`: between tags */
}

bool guess_word_is_row(const struct guess_word *w)
{
	size_t codes = 0; /* `d++ s-- a-` */
	if (text_index(w->p, w->n, "....") < w->n)
		return true; /* leaders */
	for (size_t i = 0, blanks = 0; i < w->left; i++) {
		if (!is_blank(w->after[i])) {
			if (blanks > 2 || (i && w->after[i - 1] == '\t'))
				return true;
			blanks = 0;
		} else if (!blanks++ && i > 1) {
			codes += BYTE_IN(w->after[i - 1], "+-") && !is_blank(w->after[i - 2]);
		}
	}
	return codes > 1;
}

/* A request of roff: `.SH`; a path of its own: `./lamps` */
static bool is_request(const struct guess_word *w)
{
	size_t n = w->n + w->left - 1, letters = guess_letters(w->p + 1, n), upper;
	uint8_t after = letters < n ? w->p[1 + letters] : ' ';
	if (w->p[0] != '.' || is_alnum(after))
		return false;
	if (byte_class[after] & BYTE_DELIMITER)
		return !letters;
	upper = byte_span(w->p + 1, 0, letters, BYTE_UPPER);
	return (letters <= 2 || upper == letters) && !is_ending(w->p + 1, letters);
}

/* A telephone number with its country, `1-800-WORDS`. */
static bool is_telephone(const struct guess_word *w)
{
	const uint8_t *p = w->p;
	if (p[0] == '+')
		return is_digit(byte_at(p, 1, w->n));
	return w->n > 6 && !memcmp(p, "1-", 2) && guess_digits(p + 2, 4) == 3 && p[5] == '-';
}

/* An address, unless it is the rest of a Message-ID; the name of a class in code, `ada@pier:~/tables` of a prompt. */
static bool is_named(const struct guess_word *w, bool in_id, bool scheme)
{
	bool path = in_id || memchr(w->p, '/', w->n);
	for (size_t i = 0; i < w->n && !guess_is_delimiter(w->p[i]); i++)
		if ((w->p[i] == '@' && !path) || (!scheme && w->p[i] == ':' && BYTE_IN(byte_at(w->p, i + 1, w->n), ":~/")))
			return true;
	return false;
}

/* `U.S.`, `i.e.` */
static bool is_initials(const struct guess_word *w)
{
	size_t k = 0;
	while (byte_at(w->p, k + 1, w->n + w->left) == '.' && is_alpha(w->p[k]))
		k += 2;
	return k > 2 && k >= w->n;
}

/* How many hexadecimal digits the bytes begin with. */
static size_t hex_digits(const uint8_t *p, size_t n)
{
	uint64_t value = 0;
	return number_read(p, 0, n, 16, &value);
}

/* The length and the number of a key of PGP: `2048/1234ABCD`, `1024R/1234ABCD`. */
static bool is_key(const struct guess_word *w)
{
	enum { NUMBER = 8 };
	size_t digits = guess_digits(w->p, w->n), k = digits + is_alpha(byte_at(w->p, digits, w->n));
	return digits > 2 && digits < 5 && w->n == k + 1 + NUMBER && w->p[k] == '/'
	       && hex_digits(w->p + k + 1, NUMBER) == NUMBER;
}

bool guess_word_is_host(const struct guess_word *w)
{
	size_t k = 0, dots = 0, label = 0;
	for (; k < w->n && byte_class[w->p[k]] & BYTE_HOST; k++) {
		if (w->p[k] != '.')
			continue;
		if (k == label)
			return false;
		dots++;
		label = k + 1;
	}
	return dots > 1 && (k == w->n || w->p[k] == '/') && is_host_ending(w->p + label, k - label);
}

bool guess_word_is_domain(const struct guess_word *w)
{
	size_t k = byte_span(w->p, 0, w->n, BYTE_HOST);
	return host_is_domain(w->p, k, byte_at(w->p, k, w->n) == '/');
}

bool guess_word_ends_host(const struct guess_word *w)
{
	size_t k = byte_span(w->p, 0, w->n, BYTE_HOST), label = run_after(w->p, k, '.');
	return byte_at(w->p, k, w->n) == '/' && byte_class[w->p[label]] & BYTE_LOWER && tld_known(w->p + label, k - label);
}

bool guess_word_is_host_of(const struct guess_word *w, size_t i)
{
	size_t k = byte_span(w->p, i, w->n, BYTE_HOST), label = run_after(w->p, k, '.');
	return label > i && tld_known(w->p + label, k - label);
}

/* Whether the word is the rest of a hash of 40 digits. */
static bool completes_hash(const uint8_t *p, size_t length, const struct guess_word *w)
{
	size_t k = byte_span_back(p, 0, length, BYTE_ALNUM), all = length - k + w->n;
	if (!k || k == length || p[k - 1] == '%')
		return false;
	bool anchor = all == 41 && p[k - 1] == '#' && is_alpha(p[k]); /* of public-inbox: `#m` before the digits */
	k += anchor;
	return all - anchor == 40 && hex_digits(p + k, length - k) + hex_digits(w->p, w->n) == 40;
}

bool guess_word_completes(const uint8_t *p, size_t length, const struct guess_word *w)
{
	uint8_t ending[10];
	size_t n;
	if (completes_hash(p, length, w))
		return true;
	if (w->n > 5 || guess_letters(w->p, w->n) < w->n || !find_ending(p, length, &n))
		return false;
	if (w->n > 2 && is_ending(p + length - n, n))
		return false; /* a link that is complete, and a word */
	memcpy(ending, p + length - n, n);
	memcpy(ending + n, w->p, w->n);
	return is_ending(ending, n + w->n);
}

bool guess_word_is_hash(const struct guess_word *w)
{
	size_t k = hex_digits(w->p, w->n);
	return k == w->n && (k == 32 || k == 40 || k == 64);
}

bool guess_word_is_complete(const uint8_t *part, size_t length, bool words)
{
	size_t n, at = byte_last(part, 0, length, '@'), label = byte_last(part, at, length, '.');
	if (words && at && label > at && tld_known(part + label, length - label))
		return true;
	return find_ending(part, length, &n) && is_ending(part + length - n, n) && !is_host_ending(part + length - n, n);
}

bool guess_word_is_apart(const struct guess_word *w, bool query, bool in_id, bool scheme)
{
	if (guess_begins_item(w->p, w->n + w->left, w->closed) || is_request(w) || is_figures(w) || is_ruler(w))
		return true;
	if (is_initials(w) || is_key(w))
		return true;
	return (!query && is_telephone(w)) || is_named(w, in_id, scheme);
}

void guess_word_classify(struct guess_word *w, uint32_t before, bool query)
{
	w->closed = is_closed(w, before);
	w->alone = w->closed || is_alone(w);
	w->plain = is_plain(w);
	w->common = (w->plain && is_function_word(w->p, w->n)) ||
	            (is_alternative(w) && is_function_word(w->p, count_name(w->p, w->n)));
	w->strong = w->ending || guess_word_is_hash(w) || ends_as_file(w)
	            || (holds_marks(w, query) && (w->alone || !is_alternative(w)));
}
