/* SPDX-License-Identifier: Apache-2.0 */
/* Fisher's linear discriminant with shrinkage, as one more feature of outputs: w = (S + s I)^-1
   (m_1 - m_0), every number divided by its standard deviation first. S: covariance within the
   sides. */
#include "audit/events.h"

#include <math.h>
#include <string.h>

/* numbers that enter; the matrix has MOST x MOST entries */
enum { MOST = 64 };

typedef struct fisher {
    int32_t first, count, column[MOST];
    double mean[2][MOST], scale[MOST], weight[MOST], s[MOST][MOST];
} fisher;

/* The first MOST columns that every output of the first halves has (a NAN makes the scale NAN)
   and that vary. */
static void choose_columns(const tac_event_features *f, int64_t half, int32_t numbers, fisher *d)
{
    for (int32_t c = d->first; c < d->first + numbers && d->count < MOST; c++) {
        double sum[2] = {0}, square = 0;
        for (int side = 0; side < 2; side++)
            for (int64_t i = 0; i < half; i++) sum[side] += tac_features_of(f, side, i)[c];
        for (int side = 0; side < 2; side++)
            for (int64_t i = 0; i < half; i++) {
                const double gap = tac_features_of(f, side, i)[c] - sum[side] / (double)half;
                square += gap * gap;
            }
        const double scale = sqrt(square / (2 * (double)half));
        if (!(scale > 0) || !isfinite(scale)) continue;
        d->column[d->count] = c;
        d->scale[d->count] = scale;
        for (int side = 0; side < 2; side++) d->mean[side][d->count] = sum[side] / (double)half;
        d->count++;
    }
}

/* Cholesky: s = L L' in place, then s w = b by two triangular systems; s positive definite by
   the shrinkage. weight: b in, w out. */
static void solve(fisher *d)
{
    const int32_t n = d->count;

    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++) {
            double sum = d->s[i][j];
            for (int32_t k = 0; k < j; k++) sum -= d->s[i][k] * d->s[j][k];
            d->s[i][j] = i == j ? sqrt(fmax(sum, 1e-12)) : sum / d->s[j][j];
        }
    for (int32_t i = 0; i < n; i++) {
        for (int32_t k = 0; k < i; k++) d->weight[i] -= d->s[i][k] * d->weight[k];
        d->weight[i] /= d->s[i][i];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < n; k++) d->weight[i] -= d->s[k][i] * d->weight[k];
        d->weight[i] /= d->s[i][i];
    }
}

/* The covariance within the sides, learned on the first halves, then w. */
static void learn(const tac_event_features *f, int64_t half, double shrink, fisher *d)
{
    double x[MOST];

    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < half; i++) {
            const double *row = tac_features_of(f, side, i);
            for (int32_t c = 0; c < d->count; c++)
                x[c] = (row[d->column[c]] - d->mean[side][c]) / d->scale[c];
            for (int32_t a = 0; a < d->count; a++)
                for (int32_t b = 0; b <= a; b++) d->s[a][b] += x[a] * x[b] / (2 * (double)half);
        }
    for (int32_t a = 0; a < d->count; a++) {
        d->s[a][a] += shrink;
        d->weight[a] = (d->mean[1][a] - d->mean[0][a]) / d->scale[a];
    }
    solve(d);
}

/* No column varies: `into` stays as it is, NAN. */
tacit_status tac_features_direction(tacit_ctx *ctx, tac_event_features *f, int32_t first,
                                    int32_t numbers, double shrink, int32_t into)
{
    tacit_status status = TACIT_OK;
    fisher *d = NULL;

    TAC_TRY(tac_new(ctx, 1, sizeof *d, &d));
    d->first = first;
    choose_columns(f, f->runs / 2, numbers, d);
    if (d->count == 0) goto done;
    learn(f, f->runs / 2, shrink, d);
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < f->runs; i++) {
            double *row = tac_features_of(f, side, i), sum = 0;
            for (int32_t c = 0; c < d->count; c++)
                sum += d->weight[c] * row[d->column[c]] / d->scale[c];
            row[into] = sum;
        }
done:
    tac_free(d);
    return status;
}
