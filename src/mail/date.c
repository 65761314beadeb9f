#include "header.h"

#include "text/ascii.h"
#include "text/bytes.h"
#include "text/calendar.h"

#include <string.h>

/* What the words of a date say; -1 where none does. */
struct date {
	int day, month, year, hour, minute, second, zone; /* month from 0; zone in minutes east */
};

enum { DATE_MAX = 128 };

#define END INT64_C(4133980800) /* 2101-01-01 */

static const char months[12][4] = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};

/* Names of zones (RFC 5322 section 4.3, and the ones of Europe); other names mean UTC, as -0000 does. */
static const struct {
	char name[5];
	int zone;
} zones[] = {
	{"est", -300}, {"edt", -240}, {"cst", -360}, {"cdt", -300}, {"mst", -420}, {"mdt", -360}, {"pst", -480},
	{"pdt", -420}, {"bst", 60}, {"met", 60}, {"mez", 60}, {"cet", 60}, {"mest", 120}, {"cest", 120}, {"eet", 120},
	{"eest", 180}, {"jst", 540}
};

/* Reads up to `most` digits; returns how many. */
static size_t read_number(const uint8_t *p, const uint8_t *end, size_t most, int *value)
{
	uint64_t number = 0;
	size_t n = number_read(p, 0, smaller(most, (size_t)(end - p)), 10, &number);
	*value = (int)number;
	return n;
}

/* hh:mm or hh:mm:ss at p; its length, 0 for none. */
static size_t read_time(const uint8_t *p, const uint8_t *end, struct date *d)
{
	int part[3] = {0}; /* hour, minute, second */
	size_t n = 0, count = 0;
	for (size_t i = 0, k; count < 3 && (k = read_number(p + i, end, 2, &part[count])) > 0; i = n + 1) {
		n = i + k;
		count++;
		if (p + n == end || p[n] != ':')
			break;
	}
	if (count < 2)
		return 0;
	if (part[0] > 23 || part[1] > 59 || part[2] > 60)
		return n;
	d->hour = part[0];
	d->minute = part[1];
	d->second = part[2];
	return n;
}

/* A word of n letters: a month, a zone, or what says nothing, as the day of the week.  It is compared as a number. */
static void read_word(const uint8_t *p, size_t n, struct date *d)
{
	char word[sizeof *months] = "";
	if (n < 3)
		return;
	ascii_lower(word, p, smaller(sizeof word, n));
	for (int i = 0; i < 12 && d->month < 0; i++)
		if (!memcmp(word, months[i], 3)) {
			d->month = i;
			return;
		}
	for (size_t i = 0; n <= sizeof word && i < sizeof zones / sizeof *zones; i++)
		d->zone = memcmp(word, zones[i].name, sizeof word) ? d->zone : zones[i].zone;
}

/* Copies the value without its comments and without the blanks around colons, which RFC 5322 section 4.3 allows in a
 * time; returns the length.  Longer values are not dates. */
static size_t strip(const uint8_t *p, size_t n, uint8_t out[DATE_MAX])
{
	size_t used = 0;
	for (const uint8_t *end = p + n; p < end && used < DATE_MAX; p++) {
		const uint8_t last = used ? out[used - 1] : ':';
		if (*p == '(') {
			p = header_after_comment(p, end) - 1;
		} else if (!is_fws(*p)) {
			used -= *p == ':' && last == ' ';
			out[used++] = *p;
		} else if (!BYTE_IN(last, ": ")) {
			out[used++] = ' ';
		}
	}
	return used;
}

int64_t date_read(const uint8_t *value, size_t n)
{
	struct date d = {-1, -1, -1, -1, 0, 0, 0};
	uint8_t text[DATE_MAX];
	const uint8_t *p = text, *end = text + strip(value, n, text);
	for (size_t k; p < end; p += k) {
		int number;
		if (BYTE_IN(*p, "+-")) {
			k = read_number(p + 1, end, 4, &number) + 1;
			if (k < 5 || d.hour < 0 || number % 100 > 59) {
				k = 1;
			} else {
				const int minutes = number / 100 * 60 + number % 100;
				d.zone = *p == '-' ? -minutes : minutes;
			}
		} else if (!is_digit(*p)) {
			k = byte_span(p, 0, (size_t)(end - p), BYTE_ALPHA);
			read_word(p, k, &d);
			k += k == 0;
		} else if ((k = read_time(p, end, &d)) == 0) {
			/* the day, and then the year: of two digits as RFC 5322 section 4.3 reads it */
			k = read_number(p, end, 4, &number);
			if (d.day < 0 && k < 3)
				d.day = number;
			else if (d.year < 0)
				d.year = k > 3 ? number : number < 50 && k < 3 ? number + 2000 : number + 1900;
		}
	}
	if (d.month < 0 || !within((uint64_t)d.year, 1969, 2101) || d.hour < 0 || d.day < 1
	    || d.day > calendar_month_days(d.year, d.month + 1))
		return -1;
	int64_t minutes = calendar_days(d.year, d.month + 1, d.day) * 1440 + d.hour * 60 + d.minute - d.zone;
	int64_t seconds = minutes * 60 + d.second;
	return within((uint64_t)seconds, 0, END - 1) ? seconds : -1;
}
