/* SPDX-License-Identifier: Apache-2.0 */
/* From the values of a row to its coordinates. Each row by itself: nothing here knows another. */
#include "table/feature.h"

#include <math.h>
#include <string.h>

double tac_transformed(tac_transform transform, double x)
{
    switch (transform) {
    case TAC_LOG: return x <= 0 ? -INFINITY : tac_log(x);
    case TAC_LOG1P: return x <= -1 ? -INFINITY : tac_log1p(x);
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

void tac_features_restore_spread(const tac_features *features, const double *point,
                                 const double *sd, double *spread, double *spread_sd)
{
    for (int32_t i = 0; i < features->count; i++) {
        const tac_feature *f = &features->feature[i];
        const double slope = fabs(tac_untransformed_slope(f->transform, point[f->first]));
        for (int32_t w = f->first; w < f->first + f->width; w++) {
            if (f->value.kind == TAC_VALUE_CATEGORY) {
                const double p = fmin(1, fmax(0, point[w]));
                spread[w] = sqrt(p * (1 - p));
                spread_sd[w] = spread[w] > 0 ? fabs(1 - 2 * p) / (2 * spread[w]) * sd[w] : NAN;
            } else if (f->transform != TAC_AS_IS) {
                spread[w] *= slope;
                spread_sd[w] *= slope;
            }
        }
    }
}
