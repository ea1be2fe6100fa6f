/* SPDX-License-Identifier: Apache-2.0 */
/* From the values of a row to its coordinates. Each row by itself: nothing here knows another. */
#include "table/feature.h"

#include <math.h>
#include <string.h>

double tac_transformed(tac_transform transform, double x)
{
    switch (transform) {
    case TAC_LOG: return x <= 0 ? -INFINITY : log(x);
    case TAC_LOG1P: return x <= -1 ? -INFINITY : log1p(x);
    case TAC_SQRT: return x < 0 ? -INFINITY : sqrt(x);
    default: return x;
    }
}

double tac_untransformed(tac_transform transform, double y)
{
    return transform == TAC_LOG     ? exp(y)
           : transform == TAC_LOG1P ? expm1(y)
           : transform == TAC_SQRT  ? y * y
                                    : y;
}

double tac_untransformed_slope(tac_transform transform, double y)
{
    return transform == TAC_LOG || transform == TAC_LOG1P ? exp(y)
           : transform == TAC_SQRT                        ? 2 * y
                                                          : 1;
}

bool tac_features_drop(const tac_features *features, const double *point)
{
    for (int32_t i = 0; i < features->count; i++) {
        const tac_feature *f = &features->feature[i];
        if (f->missing == TACIT_MISSING_DROP_ROW && isnan(point[f->first])) return true;
    }
    return false;
}

/* The place of its own category is behind the declared ones. A place that no word has is missing:
   a reader gives none. */
static void encode_category(const tac_feature *f, double value, double *out)
{
    if (isnan(value) && f->missing == TACIT_MISSING_FILL) value = f->fill;
    if (isnan(value) && f->missing == TACIT_MISSING_OWN_CATEGORY) value = f->value.words;
    const bool known = value >= 0 && value < f->width;
    for (int32_t w = 0; w < f->width; w++) out[w] = known ? 0 : NAN;
    if (known) out[(int32_t)value] = 1;
}

/* From the last value to the first: a coordinate's place is never before its value's, so nothing is
   overwritten that is still to be read. */
void tac_features_encode(const tac_features *features, int64_t rows, double *values)
{
    for (int64_t r = rows - 1; r >= 0; r--)
        for (int32_t i = features->count - 1; i >= 0; i--) {
            const tac_feature *f = &features->feature[i];
            double x = values[r * features->count + i],
                   *out = values + r * features->dims + f->first;
            if (f->value.kind == TAC_VALUE_CATEGORY) {
                encode_category(f, x, out);
                continue;
            }
            if (isnan(x) && f->missing == TACIT_MISSING_FILL) x = f->fill;
            *out = tac_transformed(f->transform, x);
        }
}

/* ---- released points ---- */

void tac_features_transform_point(const tac_features *features, double *point)
{
    for (int32_t i = 0; i < features->count; i++) {
        const tac_feature *f = &features->feature[i];
        if (f->transform != TAC_AS_IS)
            point[f->first] = tac_transformed(f->transform, point[f->first]);
    }
}

/* The nearest point with shares >= 0 that add up to 1: max(0, x_w - t), t found by bisection. */
static void make_shares(double *x, int32_t count)
{
    double low = -2, high = 2;

    for (int32_t w = 0; w < count; w++) {
        low = fmin(low, x[w] - 2);
        high = fmax(high, x[w] + 1);
    }
    for (int step = 0; step < 100; step++) {
        const double t = low / 2 + high / 2;
        double sum = 0;
        for (int32_t w = 0; w < count; w++) sum += fmax(0, x[w] - t);
        if (sum > 1)
            low = t;
        else
            high = t;
    }
    double sum = 0;
    for (int32_t w = 0; w < count; w++) {
        x[w] = fmin(1, fmax(0, x[w] - high));
        sum += x[w];
    }
    for (int32_t w = 0; w < count; w++) x[w] = sum > 0 ? x[w] / sum : 1.0 / count;
}

void tac_features_restore_point(const tac_features *features, double *point, double *sd)
{
    for (int32_t i = 0; i < features->count; i++) {
        const tac_feature *f = &features->feature[i];
        double *x = &point[f->first];
        if (f->value.kind == TAC_VALUE_CATEGORY) make_shares(x, f->width);
        if (f->transform == TAC_AS_IS) continue;
        if (sd != NULL) sd[f->first] *= fabs(tac_untransformed_slope(f->transform, *x));
        *x = tac_untransformed(f->transform, *x);
    }
}

/* ---- dates ---- */

/* Days since 1970-01-01 in the Gregorian calendar: years are counted from March, so that the leap
   day is a year's last. */
static int64_t day_number(int64_t year, int64_t month, int64_t day)
{
    const int64_t y = month <= 2 ? year - 1 : year, era = (y >= 0 ? y : y - 399) / 400;
    const int64_t of_era = y - era * 400, since_march = (month + 9) % 12;
    const int64_t of_year = (153 * since_march + 2) / 5 + day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool digits(const char *text, int count, int64_t *out)
{
    *out = 0;
    for (int i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        *out = *out * 10 + (text[i] - '0');
    }
    return true;
}

static int64_t days_of(int64_t year, int64_t month)
{
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 ? 28 + leap : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

bool tac_parse_date(const char *text, size_t length, double *days)
{
    int64_t year, month, day;

    while (length > 0 && (text[0] == ' ' || text[0] == '\t')) text++, length--;
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
    if (length < 10 || !digits(text, 4, &year) || text[4] != '-' || !digits(text + 5, 2, &month) ||
        text[7] != '-' || !digits(text + 8, 2, &day))
        return false;
    if (length > 10 && text[10] != 'T' && text[10] != ' ') return false;
    if (month < 1 || month > 12 || day < 1 || day > days_of(year, month)) return false;
    *days = (double)day_number(year, month, day);
    return true;
}

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
