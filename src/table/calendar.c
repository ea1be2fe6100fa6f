/* SPDX-License-Identifier: Apache-2.0 */
/* Dates as ISO 8601 writes them:
     date = year "-" month "-" day [("T" / "t" / blank) time]  ; 4, 2 and 2 digits
     time = hour ":" minute [":" second [("." / ",") digits]] ["Z" / sign hour [[":"] minute]]
   The calendar is Gregorian throughout. The time of day is checked and does not count: a day is a
   day, in whatever zone it was written. */
#include "table/feature.h"

#include <math.h>
#include <string.h>

/* So many digits at p; -1: they are not there. Reads no byte behind `end`. */
static int number(const char **p, const char *end, int digits)
{
    int value = 0;

    if (end - *p < digits) return -1;
    for (int i = 0; i < digits; i++, ++*p) {
        const unsigned digit = (unsigned char)**p - (unsigned)'0';
        if (digit > 9) return -1;
        value = 10 * value + (int)digit;
    }
    return value;
}

static bool take(const char **p, const char *end, const char *marks)
{
    for (; *p < end && *marks != '\0'; marks++)
        if (**p == *marks) {
            ++*p;
            return true;
        }
    return false;
}

static bool is_time(const char *p, const char *end)
{
    const int hour = number(&p, end, 2);
    if (hour < 0 || hour > 24 || !take(&p, end, ":")) return false;
    const int minute = number(&p, end, 2);
    if (minute < 0 || minute > 59) return false;
    if (take(&p, end, ":")) {
        const int second = number(&p, end, 2);
        if (second < 0 || second > 60) return false; /* 60: a leap second */
        if (take(&p, end, ".,")) {
            if (number(&p, end, 1) < 0) return false;
            while (p < end && *p >= '0' && *p <= '9') p++;
        }
    }
    if (take(&p, end, "Zz")) return p == end;
    if (take(&p, end, "+-")) {
        if (number(&p, end, 2) < 0) return false;
        if (p < end && (take(&p, end, ":"), number(&p, end, 2) < 0)) return false;
    }
    return p == end;
}

/* The days from 1970-01-01: years begin in March, so that a leap day is the last of its year. */
static int64_t days(int64_t year, int month, int day)
{
    if (month < 3) year--;
    const int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - 400 * era;
    const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + 365 * of_era + of_era / 4 - of_era / 100 + of_year - 719468;
}

bool tac_parse_date(const char *text, size_t length, double *out)
{
    static const int longest[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const char *p = text, *end = text + length;

    while (p < end && (*p == ' ' || *p == '\t')) p++;
    while (p < end && (end[-1] == ' ' || end[-1] == '\t')) end--;

    const int year = number(&p, end, 4);
    if (year < 0 || !take(&p, end, "-")) return false;
    const int month = number(&p, end, 2);
    if (month < 1 || month > 12 || !take(&p, end, "-")) return false;
    const int day = number(&p, end, 2);
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (day < 1 || day > longest[month - 1] || (month == 2 && day == 29 && !leap)) return false;
    if (p < end && !(take(&p, end, "Tt ") && is_time(p, end))) return false;
    *out = (double)days(year, month, day);
    return true;
}

/* The other way: the era of 400 years first, then the year and the month from March. */
void tac_write_date(double days, char *out)
{
    const double kept = days < -719528 ? -719528 : days > 2932896 ? 2932896 : days;
    const int64_t z = (int64_t)floor(kept) + 719468, era = (z >= 0 ? z : z - 146096) / 146097;
    const int64_t of_era = z - era * 146097;
    const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    const int64_t march = (5 * of_year + 2) / 153, day = of_year - (153 * march + 2) / 5 + 1;
    const int64_t month = march < 10 ? march + 3 : march - 9;
    const int64_t number = ((year + era * 400 + (month <= 2)) * 100 + month) * 100 + day;
    const char pattern[] = "yyyy-mm-dd";
    static const int64_t power[] = {10000000, 1000000, 100000, 10000, 0, 1000, 100, 0, 10, 1};

    memcpy(out, pattern, sizeof pattern);
    for (int i = 0; i < 10; i++)
        if (power[i] > 0) out[i] = (char)('0' + number / power[i] % 10);
}
