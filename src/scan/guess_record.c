#include "guess.h"

/* Whether the word before k ends there. */
static bool ends_at(const uint8_t *p, size_t n, size_t k) { return k == n || is_blank(p[k]); }

/* Whether a URL may continue with the byte at k: then what precedes it is not a whole number. */
static bool goes_on(const uint8_t *p, size_t n, size_t k)
{
	uint8_t c = byte_at(p, k, n);
	return byte_class[c] & (BYTE_NAME | BYTE_STOP) || guess_is_delimiter(c);
}

/* `10:30` */
static bool is_time(const uint8_t *p, size_t n)
{
	size_t k = guess_digits(p, n);
	return k && k < 3 && byte_at(p, k, n) == ':' && guess_digits(p + k + 1, n - k - 1) == 2;
}

/* `2031-05-04`, `4.5.2031`, also before the `T` of a time. */
static bool is_date(const uint8_t *p, size_t n)
{
	size_t k = 0, digits = 0;
	uint8_t separator = 0;
	for (int group = 0; group < 3; group++) {
		digits = guess_digits(p + k, n - k);
		if (!digits || digits > (group == 1 ? 2 : 4))
			return false;
		k += digits;
		if (group == 2)
			break;
		if (!BYTE_IN(byte_at(p, k, n), "-/.") || (separator && p[k] != separator))
			return false;
		separator = p[k++];
	}
	return byte_at(p, k, n) == 'T' || !goes_on(p, n, k);
}

static bool is_level(const uint8_t *p, size_t n)
{
	static const char levels[] = "trace debug info notice note warn warning error fatal";
	size_t k = byte_span(p, 0, n, BYTE_UPPER);
	return !is_alnum(byte_at(p, k, n)) && ascii_is_among(p, k, levels);
}

bool guess_begins_name(const uint8_t *p, size_t n)
{
	if (!is_alpha(byte_at(p, 0, n)))
		return false;
	size_t k = byte_span(p, byte_span(p, 0, smaller(n, 31), BYTE_NAME), n, BYTE_BLANK);
	return BYTE_IN(byte_at(p, k, n), ":=") && ends_at(p, n, k + 1);
}

/* `Signed-off-by`, whose colon is missing */
static bool is_trailer(const uint8_t *p, size_t n)
{
	size_t k = byte_span(p, 0, n, BYTE_ALPHA | BYTE_HYPHEN);
	return byte_class[*p] & BYTE_UPPER && k > 4 && ends_at(p, n, k) && !memcmp(p + k - 3, "-by", 3);
}

/* `NAME=` of a shell or an environment, `NAME:=` of a makefile. */
static bool is_variable(const uint8_t *p, size_t n)
{
	size_t k = byte_span(p, 0, n, BYTE_UPPER | BYTE_UNDERSCORE | BYTE_DIGIT);
	k += k > 1 && BYTE_IN(byte_at(p, k, n), ":+?");
	return k > 1 && byte_at(p, k, n) == '=' && !is_digit(*p);
}

/* `SUMMARY:Lamps`, `DTSTART;TZID=Europe/Berlin:20310504T100000`: a content line of a calendar or an address book */
static bool is_content_line(const uint8_t *p, size_t n)
{
	enum { LEAST = 2, PARAMETER = BYTE_ALPHA | BYTE_HYPHEN };
	const size_t k = byte_span(p, 0, n, BYTE_UPPER | BYTE_HYPHEN), name = byte_span(p, k + 1, n, PARAMETER);
	if (k < LEAST || !is_alpha(*p))
		return false;
	return byte_at(p, k, n) == ':' || (byte_at(p, k, n) == ';' && name > k + 1 && byte_at(p, name, n) == '='
	                                   && memchr(p + name, ':', n - name));
}

/* `name=value name=value`, the fields of a form */
static bool is_fields(const uint8_t *p, size_t n)
{
	size_t k = byte_span(p, 0, n, BYTE_NAME), end = byte_span(p, k, n, BYTE_BUT(BYTE_BLANK | BYTE_QUOTE));
	if (!k || byte_at(p, k, n) != '=')
		return false;
	size_t next = byte_span(p, end, n, BYTE_BLANK), name = byte_span(p, next, n, BYTE_NAME);
	return next > end && name > next && byte_at(p, name, n) == '=' && byte_until(p, 0, end, "\"'") == end;
}

/* `12.5KB/s`, `3M/s` */
static bool is_rate(const uint8_t *p, size_t n)
{
	size_t k = byte_span(p, 0, n, BYTE_DIGIT | BYTE_STOP), unit = guess_letters(p + k, n - k);
	const uint8_t *end = p + k + unit;
	return unit && unit <= 3 && BYTE_IN(end[-1], "bBkKMG") && text_begins(end, n - k - unit, "/s")
	       && !goes_on(p, n, k + unit + 2);
}

/* `1013/1013 B`, `4/4K`, `87%`, `14 kB`. */
static bool is_progress(const uint8_t *p, size_t n)
{
	size_t k = guess_digits(p, n), unit;
	uint8_t after = byte_at(p, k, n);
	if (!k)
		return false;
	if (is_rate(p, n))
		return true;
	if (after == '/') {
		size_t digits = guess_digits(p + k + 1, n - k - 1), end = k + 1 + digits;
		bool scaled = BYTE_IN(byte_at(p, end, n), "kKMG");
		end += scaled;
		return digits && (end == n ? scaled : is_blank(p[end]));
	}
	if (after == '%')
		return !goes_on(p, n, k + 1);
	if (!is_blank(after))
		return false;
	k = byte_span(p, k, n, BYTE_BLANK);
	unit = guess_letters(p + k, n - k);
	return !is_digit(byte_at(p, k + unit, n))
	       && text_is_among(p + k, unit, "B kB KB MB GB iB kiB KiB MiB GiB bytes");
}

/* `CVE-2031-1`, `1.2.3`, `v1.2`. */
static bool is_version(const uint8_t *p, size_t n)
{
	if (text_begins(p, n, "CVE-") && is_digit(byte_at(p, 4, n)))
		return true;
	size_t k = *p == 'v' || *p == 'V', digits = guess_digits(p + k, n - k), dots = 0;
	if (!digits)
		return false;
	for (k += digits; is_digit(byte_at(p, k + 1, n)) && p[k] == '.'; dots++)
		k += 1 + guess_digits(p + k + 1, n - k - 1);
	if (byte_at(p, k, n) == '.' && ends_at(p, n, k + 1))
		return dots; /* the number of a section */
	return dots && (!goes_on(p, n, k) || (dots == 3 && p[k] == '/')); /* `192.0.2.1/24` */
}

/* `text/html`, `image/svg+xml`: the media type of a file */
static bool is_media_type(const uint8_t *p, size_t n)
{
	static const char types[] = "application audio font image message model multipart text video";
	size_t k = guess_letters(p, n);
	if (byte_at(p, k, n) != '/' || !ascii_is_among(p, k, types))
		return false;
	size_t end = byte_span(p, k + 1, n, BYTE_ALNUM | BYTE_PLUS | BYTE_HYPHEN);
	return end > k + 1 && (end == n || BYTE_IN(p[end], " \t;"));
}

/* `HTTP/1.1`, as servers and browsers name themselves. */
static bool is_product(const uint8_t *p, size_t n)
{
	size_t k = guess_letters(p, n), digits = k && byte_at(p, k, n) == '/' ? guess_digits(p + k + 1, n - k - 1) : 0;
	k += 1 + digits;
	if (!digits || !is_digit(byte_at(p, k + 1, n)) || p[k] != '.')
		return false;
	k = byte_span(p, k, n, BYTE_DIGIT | BYTE_STOP);
	return !BYTE_IN(byte_at(p, k, n), "/-"); /* else it is a part of a path */
}

/* `[10:30]`, `<ada>`, a nick or a time of chat, the level of a log. */
static bool is_bracketed(const uint8_t *p, size_t n)
{
	enum { LONGEST = 32 };
	if (*p != '[' && *p != '<')
		return false;
	const uint8_t *close = memchr(p, *p == '[' ? ']' : '>', smaller(n, LONGEST));
	return close && ends_at(close, (size_t)(p + n - close), 1);
}

/* The mark of a trace or a prompt: `+ make`, `$ make`. */
static bool is_prompt(const uint8_t *p, size_t n) { return BYTE_IN(*p, "+$") && is_blank(byte_at(p, 1, n)); }

bool guess_begins_record(const uint8_t *p, size_t n, bool named)
{
	static bool (*const records[])(const uint8_t *p, size_t n) = {
		is_bracketed, is_prompt, is_time, is_date, is_level, is_product, guess_begins_name, is_trailer, is_progress,
		is_fields, is_content_line
	};
	for (size_t i = 0; i < sizeof records / sizeof *records; i++)
		if (records[i](p, n))
			return true;
	return !named && is_variable(p, n);
}

bool guess_begins_prose(const uint8_t *p, size_t n)
{
	if (*p == '[' || text_begins(p, n, "**") || text_begins(p, n, "!["))
		return true;
	const size_t from = byte_after(p, 0, n, "*_"); /* emphasis */
	size_t word = *p == '-' ? 0 : byte_span(p, from, n, BYTE_ALNUM | BYTE_HYPHEN | BYTE_HIGH);
	if (word <= from)
		return false;
	if (byte_at(p, word, n) == '\'') /* it's */
		word = byte_span(p, word + 1, n, BYTE_ALPHA);
	const size_t end = byte_after(p, word, n, "*_.,;:!?"), next = byte_span(p, end, n, BYTE_BLANK);
	if (next == n)
		return p[end - 1] == '!' || (word > 1 && byte_class[*p] & BYTE_UPPER && byte_span(p, 1, n, BYTE_LOWER) == word);
	return next > end && byte_class[p[next]] & (BYTE_ALNUM | BYTE_HIGH);
}

bool guess_begins_version(const uint8_t *p, size_t n, uint8_t last)
{
	return !BYTE_IN(last, "-/=") && (is_version(p, n) || is_media_type(p, n));
}

/* `#define` of C, `#+end_src` of Org, `#+1700000000` of the history of a shell */
static bool is_directive(const uint8_t *p, size_t n)
{
	if (text_begins(p, n, "#+") && (is_alpha(byte_at(p, 2, n)) || guess_digits(p + 2, n - 2) > 8))
		return true;
	size_t k = guess_letters(p + 1, n - 1);
	return *p == '#' && !is_digit(byte_at(p, k + 1, n))
	       && text_is_among(p + 1, k, "define include ifdef ifndef if elif else endif undef pragma");
}

bool guess_begins_item(const uint8_t *p, size_t n, bool closed)
{
	if ((BYTE_IN(p[0], "-*+") && ends_at(p, n, 1)) || text_is_among(p, smaller(n, 2), "-- // /* ~/"))
		return true;
	if (!guess_may_begin(p[0]) || is_directive(p, n))
		return true;
	/* `2) `, `2. `, `v2 `, `v2: ` */
	const size_t named = to_lower(p[0]) == 'v', digits = guess_digits(p + named, n - named), k = named + digits + 1;
	if (!digits || digits > 3 || k > n)
		return false;
	const uint8_t mark = p[k - 1];
	if (k == n)
		return mark == ')' && !closed;
	return (named && is_blank(mark)) || (BYTE_IN(mark, ").:") && is_blank(p[k]))
	       || (mark == ')' && (uint8_t)(p[k] - 'A') < 26);
}

size_t guess_leader(const uint8_t *p, const uint8_t *end)
{
	const size_t n = (size_t)(end - p);
	if (!n || !bytes16_has("#*;%/-#*;%/-#*;%", *p))
		return 0;
	const size_t k = byte_run(p, 0, n, *p);
	const bool option = *p == '-' && is_alpha(byte_at(p, k, n));
	return option || (k == 1 && BYTE_IN(*p, "/-")) ? 0 : k;
}

bool guess_is_source(const uint8_t *p, size_t n)
{
	n = byte_span_back(p, 0, n, BYTE_BLANK);
	if (n && p[n - 1] == ']') {
		n = byte_last(p, 0, n, '[');
		n = byte_span_back(p, 0, n - (n > 0), BYTE_BLANK);
	}
	size_t k = byte_span_back(p, 0, n, BYTE_NAME);
	return ascii_is_among(p + k, n - k, "deb deb-src");
}

bool guess_is_component(const uint8_t *p, size_t n)
{
	static const char names[] = "main contrib non-free universe restricted multiverse "
		"InRelease Release Packages Sources";
	size_t k = byte_span(p, 0, n, BYTE_BLANK), e = byte_span(p, k, n, BYTE_NAME);
	return k && text_is_among(p + k, e - k, names);
}
