/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a run in a release: memory, digits, and the rules of a file. */
#include "release/model_internal.h"

#include <math.h>

tacit_status tac_released_cells_new(tacit_ctx *ctx, int32_t cells, int32_t width, int32_t dims,
                                    bool basis, tac_released_cells **out)
{
    tacit_status status = TACIT_OK;
    const size_t n = (size_t)cells;
    tac_released_cells *s = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *s, &s));
    s->cells = cells;
    s->width = width;
    s->total = s->outside = NAN;
    TAC_TRY(tac_new(ctx, n, (size_t)width * sizeof(double), &s->point));
    TAC_TRY(tac_new(ctx, n, sizeof(double), &s->point_sd));
    TAC_TRY(tac_new(ctx, n, sizeof(double), &s->weight));
    TAC_TRY(tac_new(ctx, n, sizeof(double), &s->spread));
    if (basis) TAC_TRY(tac_new(ctx, (size_t)dims, sizeof(double), &s->origin));
    if (basis) TAC_TRY(tac_new(ctx, (size_t)width, (size_t)dims * sizeof(double), &s->basis));
    *out = s;
    s = NULL;
done:
    tac_released_cells_free(s);
    return status;
}

void tac_released_cells_free(tac_released_cells *s)
{
    if (s == NULL) return;
    tac_free(s->point);
    tac_free(s->point_sd);
    tac_free(s->weight);
    tac_free(s->spread);
    tac_free(s->origin);
    tac_free(s->basis);
    tac_free(s);
}

/* ---- few digits ---- */

enum { TENS = 22 }; /* 10^22 is the last power of ten that a double holds exactly */

/* The nearest multiple of 10^e. A whole number times or over an exact power of ten is rounded once,
   so it is the double nearest to that decimal: the shortest digits that read back are few. */
static double to_multiple(double x, int e)
{
    static const double ten[TENS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!isfinite(x) || e > TENS || e < -TENS) return x; /* as it is: more digits, nothing lost */
    const double whole = rint(e < 0 ? x * ten[-e] : x / ten[e]);
    return fabs(whole) > 0x1p53 ? x : e < 0 ? whole / ten[-e] : whole * ten[e];
}

/* The power of ten at or below x > 0. */
static int tens(double x)
{
    return x > 0 && isfinite(x) ? (int)floor(log10(x)) : 0;
}

static void round_list(double *x, size_t count, int e)
{
    for (size_t i = 0; i < count; i++) x[i] = to_multiple(x[i], e);
}

static double five_digits(double x)
{
    return to_multiple(x, tens(fabs(x)) - 4);
}

/* How far the cells reach along one coordinate, at most. */
static double widest(const tac_released_cells *s)
{
    const size_t width = (size_t)s->width;
    double most = 0;

    for (size_t j = 0; j < width; j++) {
        double low = s->point[j], high = low;
        for (size_t i = 0; i < (size_t)s->cells; i++) {
            low = fmin(low, s->point[i * width + j] - s->spread[i]);
            high = fmax(high, s->point[i * width + j] + s->spread[i]);
        }
        most = fmax(most, high - low);
    }
    return most;
}

void tac_released_cells_round(tac_released_cells *s, int32_t dims)
{
    const size_t n = (size_t)s->cells;
    const int fine = tens(widest(s)) - 5, rows = tens(s->weight_sd) - 2;

    round_list(s->point, n * (size_t)s->width, fine);
    round_list(s->weight, n, rows);
    for (size_t i = 0; i < n; i++) {
        s->point_sd[i] = five_digits(s->point_sd[i]);
        s->spread[i] = five_digits(s->spread[i]);
    }
    s->weight_sd = five_digits(s->weight_sd);
    s->total = five_digits(s->total);
    s->outside = five_digits(s->outside);
    if (s->basis == NULL) return;
    round_list(s->origin, (size_t)dims, fine);
    round_list(s->basis, (size_t)s->width * (size_t)dims, -5);
}

/* ---- the rules of a file ---- */

#define UNIT 1e-2 /* directions have length 1 up to this: their entries have five digits */

static bool bad_cell(const tac_released_cells *s, int32_t i, tac_fault *fault)
{
    for (int32_t j = 0; j < s->width; j++)
        if (!isfinite(s->point[(size_t)i * (size_t)s->width + (size_t)j]))
            return tac_fault_at(fault, tac_not_finite, "synopsis.points[%d][%d]", i, j);
    if (!(s->point_sd[i] >= 0) || isinf(s->point_sd[i]))
        return tac_fault_at(fault, tac_negative, "synopsis.points_noise_sd[%d]", i);
    if (!(s->weight[i] >= 0) || isinf(s->weight[i]))
        return tac_fault_at(fault, tac_negative, "synopsis.weights[%d]", i);
    if (!(s->spread[i] >= 0) || isinf(s->spread[i]))
        return tac_fault_at(fault, tac_negative, "synopsis.spreads[%d]", i);
    return false;
}

static bool bad_basis(const tac_released_cells *s, int32_t dims, tac_fault *fault)
{
    if ((s->basis == NULL) != (s->origin == NULL) || (s->basis == NULL && s->width != dims))
        return tac_fault_at(fault, "must have a number for each column, or a basis",
                            "synopsis.points");
    for (int32_t j = 0; s->basis != NULL && j < dims; j++)
        if (!isfinite(s->origin[j]))
            return tac_fault_at(fault, tac_not_finite, "synopsis.origin[%d]", j);
    for (int32_t i = 0; s->basis != NULL && i < s->width; i++) {
        double length = 0;
        for (int32_t j = 0; j < dims; j++) {
            const double x = s->basis[(size_t)i * (size_t)dims + (size_t)j];
            length += x * x;
        }
        if (!(fabs(length - 1) <= UNIT))
            return tac_fault_at(fault, "must have length 1", "synopsis.basis[%d]", i);
    }
    return false;
}

static bool bad_cut_from(const tac_cut_from *from, tac_fault *fault)
{
    if (from->family == NULL && from->method == NULL) return false;
    if (tac_bad_words(fault, from->family, "cut_from.family") ||
        tac_bad_words(fault, from->method, "cut_from.method"))
        return true;
    return from->k < 1 || from->k > TAC_MODEL_K_MAX
               ? tac_fault_at(fault, "must be 1 to 1000000", "cut_from.k")
               : false;
}

bool tac_bad_synopsis(const tacit_model *model, tac_fault *fault)
{
    const tac_released_cells *s = model->synopsis;

    if (bad_cut_from(&model->cut_from, fault)) return true;
    if (s == NULL) return false;
    if (model->centers == NULL) return tac_fault_at(fault, "goes with centers only", "synopsis");
    if (s->cells < 1 || s->cells > TAC_SYNOPSIS_MOST)
        return tac_fault_at(fault, "must have 1 to 1000000 entries", "synopsis.points");
    for (int32_t i = 0; i < s->cells; i++)
        if (bad_cell(s, i, fault)) return true;
    if (!(s->weight_sd >= 0) || isinf(s->weight_sd))
        return tac_fault_at(fault, tac_negative, "synopsis.weights_noise_sd");
    if (!tac_is_deviation(s->total))
        return tac_fault_at(fault, tac_no_deviation, "synopsis.total_spread");
    if (!tac_is_deviation(s->outside) || (s->basis == NULL && !isnan(s->outside)))
        return tac_fault_at(fault, tac_no_deviation, "synopsis.outside");
    return bad_basis(s, model->dims, fault);
}
