#ifndef TEXT_CALENDAR_H
#define TEXT_CALENDAR_H

#include <stdint.h>

/* Days from 1970-01-01 to a date of the Gregorian calendar; months are numbered from 1. */
static inline int64_t calendar_days(int64_t year, int64_t month, int64_t day)
{
	year -= month < 3; /* years begin in March, so that a leap day is the last */
	month = (month + 9) % 12;
	return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 719469;
}

/* The days of a month, from 1. */
static inline int calendar_month_days(int year, int month)
{
	return (int)(calendar_days(year + month / 12, month % 12 + 1, 1) - calendar_days(year, month, 1));
}

#endif
