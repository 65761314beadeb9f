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
	int hour, minute, second = 0;
	size_t n = read_number(p, end, 2, &hour), k;
	if (!n || p + n >= end || p[n] != ':' || !(k = read_number(p + n + 1, end, 2, &minute)))
		return 0;
	n += k + 1;
	if (p + n < end && p[n] == ':' && (k = read_number(p + n + 1, end, 2, &second)))
		n += k + 1;
	if (hour > 23 || minute > 59 || second > 60)
		return n;
	d->hour = hour;
	d->minute = minute;
	d->second = second;
	return n;
}

static size_t read_word(const uint8_t *p, const uint8_t *end, struct date *d)
{
	size_t n = byte_span(p, 0, (size_t)(end - p), BYTE_ALPHA);
	if (n < 3)
		return n ? n : 1;
	const uint8_t first = to_lower(*p);
	for (int i = 0; i < 12 && d->month < 0; i++)
		if (months[i][0] == first && ascii_begins(p, months[i], 3))
			d->month = i;
	for (size_t i = 0; n < 5 && i < sizeof zones / sizeof *zones; i++)
		if (zones[i].name[0] == first && ascii_is(p, n, zones[i].name))
			d->zone = zones[i].zone;
	return n;
}

/* Copies the value without its comments and without the blanks around colons, which RFC 5322 section 4.3 allows in a
 * time; returns the length.  Longer values are not dates. */
static size_t strip(const uint8_t *p, size_t n, uint8_t out[DATE_MAX])
{
	size_t used = 0, depth = 0;
	for (size_t i = 0; i < n && used < DATE_MAX; i++) {
		if (!depth && p[i] > ')' && p[i] != ':') {
			out[used++] = p[i]; /* most bytes */
		} else if (p[i] == '\\' && depth) {
			i++;
		} else if (p[i] == '(' || (p[i] == ')' && depth)) {
			depth += p[i] == '(' ? 1 : (size_t)-1;
		} else if (!depth) {
			bool blank = is_fws(p[i]);
			while (p[i] == ':' && used && out[used - 1] == ' ')
				used--;
			if (!blank || (used && out[used - 1] != ':' && out[used - 1] != ' '))
				out[used++] = blank ? ' ' : p[i];
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
		if (*p == '+' || *p == '-') {
			k = read_number(p + 1, end, 4, &number) + 1;
			if (k < 5 || d.hour < 0 || number % 100 > 59) {
				k = 1;
			} else {
				const int minutes = number / 100 * 60 + number % 100;
				d.zone = *p == '-' ? -minutes : minutes;
			}
		} else if (!is_digit(*p)) {
			k = read_word(p, end, &d);
		} else if ((k = read_time(p, end, &d)) == 0) {
			/* the day, and then the year: of two digits as RFC 5322 section 4.3 reads it */
			k = read_number(p, end, 4, &number);
			if (d.day < 0 && k < 3)
				d.day = number;
			else if (d.year < 0)
				d.year = k > 3 ? number : number < 50 && k < 3 ? number + 2000 : number + 1900;
		}
	}
	const bool leap = d.year % 4 == 0 && (d.year % 100 || d.year % 400 == 0);
	const int month_days = d.month == 1 ? 28 + leap : 31 - (d.month % 7) % 2;
	if (d.month < 0 || d.year < 1969 || d.year > 2101 || d.hour < 0 || d.day < 1 || d.day > month_days)
		return -1;
	int64_t minutes = calendar_days(d.year, d.month + 1, d.day) * 1440 + d.hour * 60 + d.minute - d.zone;
	int64_t seconds = minutes * 60 + d.second;
	return seconds < 0 || seconds >= END ? -1 : seconds;
}
