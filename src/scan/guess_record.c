#include "guess.h"

#include "text/match.h"

/* Where a URL cannot go on: what precedes it is a whole number. */
#define WHOLE "%f[^%w_./?=&%%#-]"

/* Whether the word before k ends there. */
static bool ends_at(const uint8_t *p, size_t n, size_t k) { return k == n || is_blank(p[k]); }

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

/* What needs no more than its pattern. */
static bool is_record(const uint8_t *p, size_t n)
{
#define UNIT "[bBkKMG]/s" WHOLE
#define HALF MATCH_HEX MATCH_HEX MATCH_HEX MATCH_HEX
#define DATE(separator) "%d%d?%d?%d?" separator "%d%d?" separator "%d%d?%d?%d?"
#define DAY(separator) DATE(separator) "T|" DATE(separator) WHOLE "|"
	static const char numbers[] =
	    DAY("-") DAY("/") DAY(".")             /* `2031-05-04`, `4.5.2031`, also before the `T` of a time */
	    "%d%d?:%d%d%f[^%d]|"                   /* `10:30` */
	    "%d%d%d[-.]%d%d%d%d" WHOLE "|%d%d%d[-.]%d%d%d[-.]%d%d%d%d" WHOLE "|" /* a telephone number */
	    "%d%d%d%d-%d%d%d%d,?%s|"               /* `2030-2031, and who`, years */
	    "%d%d%d%d?%a?/" HALF HALF WHOLE "|"    /* `2048/1234ABCD`, `1024R/1234ABCD`, a key of PGP */
	    "%d%d?/%u%l%l/%d+:|"                   /* `04/May/2031:10:30`, of the log of a web server */
	    "%d+[.]%d+[.]%d+[.]%d+[.]%d*[.]?%s|"   /* `4.5.2.3.1. `, the number of a section */
	    "%d[%d.]*" UNIT "|%d[%d.]*%a" UNIT "|%d[%d.]*%a%a" UNIT "|" /* `12.5KB/s`, `3M/s` */
	    "%d+/%d+[kKMG]%f%s|%d+/%d+%s|"         /* progress: `4/4K`, `1013/1013 B`, */
	    "%d+%%" WHOLE "|"                      /* `87%`, */
	    "%d+%s+[kKMG]?i?B%f[^%w]|%d+%s+bytes%f[^%w]"; /* `14 kB` */
	static const char others[] =
	    "[+$]%s|"                              /* a trace or a prompt: `+ make`, `$ make` */
	    "%a+/%d+%.%d[%d.]*%f[^/-]|"            /* `HTTP/1.1`, a server or browser; else it is a part of a path */
	    "javax?[.]%l+[.]|"                     /* the class of an exception */
	    "HTTP/%d%f[^%w_./?=&%%#-]|"
	    "[%w_-]+=[^%s%q\"']*%s+[%w_-]+=|"      /* `name=value name=value`, the fields of a form */
	    /* `SUMMARY:Lamps`, `DTSTART;TZID=Europe/Berlin:20310504T100000`, of a calendar or an address book */
	    "%u[%u-]+:|%u[%u-]+;[%a-]+=[^:]*:";
	return (is_digit(*p) && match_bytes(p, n, numbers)) || match_bytes(p, n, others);
}

/* `CVE-2031-1`, `1.2.3`, `v1.2`. */
static bool is_version(const uint8_t *p, size_t n)
{
	if (match_bytes(p, n, "CVE-%d"))
		return true;
	size_t k = BYTE_IN(*p, "vV"), digits = guess_digits(p + k, n - k), dots = 0;
	if (!digits)
		return false;
	for (k += digits; is_digit(byte_at(p, k + 1, n)) && p[k] == '.'; dots++)
		k += 1 + guess_digits(p + k + 1, n - k - 1);
	if (byte_at(p, k, n) == '.' && ends_at(p, n, k + 1))
		return dots; /* the number of a section */
	return dots && (match_bytes(p + k, n - k, WHOLE) || (dots == 3 && p[k] == '/')); /* `192.0.2.1/24` */
}

/* `[10:30]`, `<ada>`, a nick or a time of chat, the level of a log. */
static bool is_bracketed(const uint8_t *p, size_t n)
{
	enum { LONGEST = 32 };
	if (!BYTE_IN(*p, "[<"))
		return false;
	const uint8_t *close = memchr(p, *p + 2, smaller(n, LONGEST)); /* the counterpart of either */
	return close && ends_at(close, (size_t)(p + n - close), 1);
}

bool guess_begins_record(const uint8_t *p, size_t n, bool named)
{
	static bool (*const records[])(const uint8_t *p, size_t n) = {
		is_bracketed, is_level, guess_begins_name, is_trailer, is_record
	};
	for (size_t i = 0; i < sizeof records / sizeof *records; i++)
		if (records[i](p, n))
			return true;
	/* a variable of a shell or an environment, of a makefile: `NAME=`, `NAME:=` */
	return !named && match_bytes(p, n, "[%u_][%u_%d]+[:+?]?=");
}

bool guess_begins_prose(const uint8_t *p, size_t n)
{
	if (match_bytes(p, n, "[[]|[*][*]|![[]"))
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
	static const char types[] = "application audio font image message model multipart text video";
	const size_t k = guess_letters(p, n);
	if (BYTE_IN(last, "-="))
		return false;
	/* `text/html`, `image/svg+xml`: the media type of a file */
	return (last != '/' && is_version(p, n)) ||
	       (match_bytes(p + k, n - k, "/[%w+-]+%f[%s;]") && ascii_is_among(p, k, types));
}

bool guess_begins_item(const struct guess *g)
{
#define NUMBER "%d%d?%d?"
	static const char items[] =
	    "[-*+]%f%s|--|//|/[*]|~/|/etc/|/home/|/opt/|/tmp/|/usr/|/var/|"
	    "#[+]%a|#[+]%d%d%d%d%d%d%d%d%d|" /* `#+end_src` of Org, `#+1700000000` of the history of a shell */
	    "#!/|"                           /* the first line of a script */
	    "[vV]?" NUMBER "[).:]+%s|[vV]" NUMBER "%s" MATCH_ANY "|[vV]?" NUMBER ")%a"; /* `2) `, `2.) `, `v2 `, `v2: ` */
	const uint8_t *p = g->w.p;
	const size_t n = g->w.n + g->w.left, word = 1 + guess_letters(p + 1, n - 1);
	const bool directive = *p == '#' && !is_digit(byte_at(p, word, n)) /* `#define` of C */
	    && text_is_among(p + 1, word - 1, "define include ifdef ifndef if elif else endif undef pragma");
	return directive || !guess_may_begin(p[0]) || match_bytes(p, n, items)
	       || (!g->w.closed && match_bytes(p, n, "[vV]?" NUMBER ")" MATCH_END));
}

size_t guess_leader(const uint8_t *p, const uint8_t *end)
{
	const size_t n = (size_t)(end - p);
	const bool may = bytes16_has("#*;%/-#*;%/-#*;%", byte_at(p, 0, n)); /* no, as mostly */
	return may ? excess(match_bytes(p, n, "#+|[*]+|;+|%%+|//+|--+%f[^%a]"), 1) : 0; /* `--name` is an option */
}

bool guess_is_source(const struct guess *g)
{
	static const char names[] = "main contrib non-free universe restricted multiverse "
		"InRelease Release Packages Sources";
	const size_t text = guess_text_start(g, g->v), after = byte_span(g->w.after, 0, g->w.left, BYTE_BLANK);
	const size_t end = byte_span(g->w.after, after, g->w.left, BYTE_NAME);
	if (after && text_is_among(g->w.after + after, end - after, names))
		return true;
	const uint8_t *p = g->v->p + text;
	size_t n = byte_span_back(p, 0, g->from - text, BYTE_BLANK);
	if (byte_before(p, n) == ']') {
		n = byte_last(p, 0, n, '[');
		n = byte_span_back(p, 0, n - (n > 0), BYTE_BLANK);
	}
	size_t k = byte_span_back(p, 0, n, BYTE_NAME);
	return ascii_is_among(p + k, n - k, "deb deb-src");
}
