/* SPDX-License-Identifier: Apache-2.0 */
/* How much the rows of a cell differ, column by column: from what the release says of its clusters
   and, where that is nothing, of its cells. */
#include "cluster/derived/derived.h"

#include <math.h>

#define LEAST 0.05 /* of a cluster's variance lies within its cells, whatever noise says */
#define UNLIKE                                                                                     \
    4.0 /* cells of a cluster vary up to so many times as much as their mean, or as little */

/* Spreads are in the units of the columns; a share p has the variance p (1 - p) in any unit. */
void tac_released_variances(const tac_raked *r, double *variance, double *noise)
{
    const tacit_model *m = r->model;
    const tac_features *features = &m->geometry.features;
    const size_t d = (size_t)r->dims;

    for (size_t i = 0; i < (size_t)r->k * d; i++) {
        variance[i] = noise[i] = NAN;
        if (m->spread == NULL) continue;
        const size_t j = i % d;
        const tac_transform t =
            features->count > 0 ? tac_feature_at(features, (int32_t)j)->transform : TAC_AS_IS;
        const double y = tac_transformed(t, m->centers[i]);
        const double per = r->frame.scale[j] / fmax(fabs(tac_untransformed_slope(t, y)), 1e-300);
        variance[i] = pow(m->spread[i] * per, 2);
        noise[i] = 2 * m->spread[i] * m->spread_sd[i] * per * per;
        if (!isfinite(variance[i]) || !isfinite(noise[i])) variance[i] = noise[i] = NAN;
    }
}

/* Per column: what the cell's spread means there. Behind a basis the part of a column that lies in
   its space gets the cell's, the rest what is outside. */
static double own_variance(const tac_raked *r, int32_t i, size_t j)
{
    const tac_released_cells *s = r->model->synopsis;
    const size_t d = (size_t)r->dims;
    double inside = 1;

    if (s == NULL || i >= s->cells) return NAN;
    const double here = r->spread[i] / s->width;
    if (s->basis == NULL || s->width == r->dims) return here;
    inside = 0;
    for (size_t a = 0; a < (size_t)s->width; a++) inside += pow(s->basis[a * d + j], 2);
    inside = fmin(1, inside);
    const double rest =
        isnan(s->outside) ? here : pow(s->outside * r->unit, 2) / (r->dims - s->width);
    return inside * here + (1 - inside) * rest;
}

/* What the spreads of the cells have to be multiplied by so that all rows vary as much as the
   release says: spreads of cells that were split too often are too small. At least 1. */
static double rescaling(const tac_raked *r)
{
    const tac_released_cells *s = r->model->synopsis;
    const size_t d = (size_t)r->dims;
    double rows = 0, within = 0, squares = 0, total = 0;

    if (s == NULL || isnan(s->total)) return 1;
    for (int32_t i = 0; i < r->cells; i++) rows += r->weight[i];
    for (size_t j = 0; j < d; j++) {
        double mean = 0;
        for (int32_t i = 0; i < r->cells; i++)
            mean += r->weight[i] / rows * r->at[(size_t)i * d + j];
        for (int32_t i = 0; i < r->cells; i++) {
            const double own = own_variance(r, i, j);
            squares += r->weight[i] / rows * pow(r->at[(size_t)i * d + j] - mean, 2);
            within += isnan(own) ? 0 : r->weight[i] / rows * own;
        }
    }
    total = pow(s->total * r->unit, 2) - squares;
    return within > 0 && total > within ? total / within : 1;
}

/* Column j of one cluster: T - B, B = sum w (x - c)^2 / W, shared out to the cells as their own
   spreads go. */
static void divide_up(tac_raked *r, int32_t c, size_t j, double variance)
{
    const size_t d = (size_t)r->dims;
    double between = 0, mean = 0, rows = 0;

    for (int32_t i = 0; i < r->cells; i++) {
        if (r->group[i] != c) continue;
        between += r->weight[i] * pow(r->at[(size_t)i * d + j] - r->center[(size_t)c * d + j], 2);
        mean += r->weight[i] * r->spread[i];
        rows += r->weight[i];
    }
    const double left = fmax(variance - between / rows, LEAST * variance);
    for (int32_t i = 0; i < r->cells; i++) {
        if (r->group[i] != c) continue;
        const double ratio = mean > 0 ? r->spread[i] * rows / mean : 1;
        r->within[(size_t)i * d + j] = left * fmin(UNLIKE, fmax(1 / UNLIKE, ratio));
    }
}

tacit_status tac_raked_within(tacit_ctx *ctx, tac_raked *r, bool *known)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)r->dims, numbers = (size_t)r->k * d;
    double *variance = NULL, *noise = NULL;

    *known = true;
    TAC_TRY(tac_new(ctx, numbers, sizeof *variance, &variance));
    TAC_TRY(tac_new(ctx, numbers, sizeof *noise, &noise));
    TAC_TRY(tac_new(ctx, (size_t)r->cells, d * sizeof *r->within, &r->within));
    tac_released_variances(r, variance, noise);
    const double factor = rescaling(r);
    for (int32_t i = 0; i < r->cells; i++)
        for (size_t j = 0; j < d; j++)
            r->within[(size_t)i * d + j] = factor * own_variance(r, i, j);
    for (int32_t c = 0; c < r->k; c++)
        for (size_t j = 0; j < d; j++)
            if (r->mass[c] > 0 && !isnan(variance[(size_t)c * d + j]))
                divide_up(r, c, j, variance[(size_t)c * d + j]);
    for (size_t i = 0; i < (size_t)r->cells * d; i++) *known = *known && !isnan(r->within[i]);
done:
    tac_free(variance);
    tac_free(noise);
    return status;
}
