/* Dates of mail as seconds (RFC 5322 section 3.3, the obsolete forms of section 4.3, and those found in archives). */
#include "check.h"
#include "mail/header.h"

#include <string.h>

static const struct { const char *date; int64_t time; } rows[] = {
	{ "Thu, 01 Jan 1970 00:00:00 +0000", 0 },
	{ "Thu, 01 Jan 1970 00:00:00 +0001", -1 },        /* before 1970 */
	{ "Wed, 31 Dec 1969 23:00:00 -0100", 0 },
	{ "Fri, 31 Dec 2100 23:59:59 +0000", 4133980799 },
	{ "Sat, 01 Jan 2101 00:00:00 +0000", -1 },        /* after 2100 */
	{ "Fri, 21 Nov 1997 09:55:06 -0600", 880127706 },
	{ "Tue, 29 Feb 2000 12:00:00 GMT", 951825600 },
	{ "Thu, 29 Feb 1999 12:00:00 GMT", -1 },
	{ "Thu, 29 Feb 2100 12:00:00 GMT", -1 },
	{ "30 Apr 2001 00:00 +0200", 988581600 },         /* no weekday, no seconds */
	{ "31 Apr 2001 00:00 +0200", -1 },
	{ "21 Nov 97 09:55:06 GMT", 880106106 },          /* years of two and three digits */
	{ "21 Nov 49 09:55:06 GMT", 2521101306 },
	{ "21 Nov 101 09:55:06 GMT", 1006336506 },
	{ "Fri, 21 Nov 97 09(comment):   55  :  06 -0600", 880127706 },
	{ "Fri ,\r\n 21\r\n Nov\r\n 1997 09:55:06 (a (b) \\) c 12:00) -0600 (CST)", 880127706 },
	{ "21 Nov 1997 09:55:06 EST", 880124106 },        /* zones by name */
	{ "21 Nov 1997 09:55:06 pdt", 880131306 },
	{ "21 Nov 1997 09:55:06 Z", 880106106 },
	{ "21 Nov 1997 09:55:06 A", 880106106 },          /* military zones are not reliable */
	{ "21 Nov 1997 09:55:06 XYZT", 880106106 },
	{ "21 Nov 1997 09:55:06", 880106106 },
	{ "21 Nov 1997 09:55:60 +0000", 880106160 },      /* a leap second */
	{ "21 Nov 1997 09:55:06 -0000", 880106106 },
	{ "21 Nov 1997 09:55:06 +0090", 880106106 },      /* no such zone */
	{ "Fri Nov 21 09:55:06 1997", 880106106 },        /* ctime, date(1) */
	{ "Fri Nov 21 09:55:06 EST 1997", 880124106 },
	{ "21-Nov-97 09:55:06", 880106106 },
	{ "Friday, 21-Nov-97 09:55:06 GMT", 880106106 },
	{ "Fri, 21 November 1997 9:55:06 GMT+0100", 880102506 },
	{ "21 Nov 1997 24:00:00 GMT", -1 },
	{ "21 Nov 1997 09:60:00 GMT", -1 },
	{ "21 Nov 1997", -1 },
	{ "Nov 1997 09:55", -1 },
	{ "21 1997 09:55", -1 },
	{ "0 Nov 1997 09:55", -1 },
	{ "yesterday", -1 },
	{ "(21 Nov 1997 09:55:06 GMT", -1 },
	{ "99999999999999999999 Nov 1997 09:55", -1 },
	{ "", -1 },
};

int main(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t time = date_read((const uint8_t *)rows[i].date, strlen(rows[i].date));
		CHECK_THAT(time == rows[i].time, "%s: %lld, not %lld", rows[i].date, (long long)time, (long long)rows[i].time);
	}
	return check_end();
}
