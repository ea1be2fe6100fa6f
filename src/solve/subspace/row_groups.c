/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of near directions: rows here and there are centers, rows go to the nearest, centers to
   the mean of their rows, signs aligned, and rows once more to the nearest. */
#include "solve/subspace/row_groups.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum {
    FEW = 4000, /* rows that are not worth groups */
    ROWS = 128, /* that look for their center at a time */
    TURNS = 2,
};

typedef struct sorting {
    const tac_unit_rows *rows;
    const float *unit; /* n x d, in their own order */
    tac_row_groups *g;
    int32_t *own; /* n: group */
    float *near;  /* n: product with the center, with its sign */
    float **room; /* per worker: ROWS x count */
} sorting;

/* The center with the largest |<x, c>|, ties to the first, for ROWS rows. */
static tacit_status sort_block(void *state, int64_t block, int worker)
{
    const sorting *s = state;
    const int64_t n = s->rows->n, from = block * ROWS;
    const int32_t d = s->rows->d, count = s->g->count;
    const int many = n - from < ROWS ? (int)(n - from) : ROWS;
    float *product = s->room[worker];

    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, many, count, d, 1, s->unit + from * d, d,
                s->g->center, d, 0, product, count);
    for (int i = 0; i < many; i++) {
        const float *p = product + (size_t)i * (size_t)count;
        int32_t best = 0;
        for (int32_t c = 1; c < count; c++)
            if (fabsf(p[c]) > fabsf(p[best])) best = c;
        s->own[from + i] = best;
        s->near[from + i] = p[best];
    }
    return TACIT_OK;
}

/* Centers become the mean directions of their rows; one without rows stays. */
static tacit_status move_centers(tacit_ctx *ctx, const sorting *s)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)s->rows->d, count = (size_t)s->g->count;
    double *sum = NULL;

    TAC_TRY(tac_new(ctx, count * d, sizeof *sum, &sum));
    for (int64_t i = 0; i < s->rows->n; i++) {
        double *own = sum + (size_t)s->own[i] * d;
        const double sign = s->near[i] < 0 ? -1 : 1;
        for (size_t j = 0; j < d; j++) own[j] += sign * s->rows->unit[(size_t)i * d + j];
    }
    for (size_t c = 0; c < count; c++) {
        double square = 0;
        for (size_t j = 0; j < d; j++) square += sum[c * d + j] * sum[c * d + j];
        for (size_t j = 0; j < d && square > 1e-12; j++)
            s->g->center[c * d + j] = (float)(sum[c * d + j] / sqrt(square));
    }
done:
    tac_free(sum);
    return status;
}

/* Rows in the order of their groups, and the radii. A row of zeros is at right angles to all. */
static void arrange(const sorting *s)
{
    tac_row_groups *g = s->g;
    const int32_t d = s->rows->d;

    for (int64_t i = 0; i < s->rows->n; i++) {
        const float far = acosf(fminf(1, fabsf(s->near[i])));
        g->start[s->own[i] + 1]++;
        g->radius[s->own[i]] = fmaxf(g->radius[s->own[i]], far);
    }
    for (int32_t c = 0; c < g->count; c++) g->start[c + 1] += g->start[c];
    for (int64_t i = 0; i < s->rows->n; i++) {
        const int64_t at = g->start[s->own[i]]++;
        g->row[at] = (int32_t)i;
        memcpy(g->unit + at * d, s->unit + i * d, (size_t)d * sizeof *g->unit);
    }
    memmove(g->start + 1, g->start, (size_t)g->count * sizeof *g->start); /* each has run on */
    g->start[0] = 0;
}

tacit_status tac_row_groups_new(tacit_ctx *ctx, const tac_unit_rows *rows, tac_row_groups *g)
{
    tacit_status status = TACIT_OK;
    const size_t n = (size_t)rows->n, d = (size_t)rows->d;
    float *unit = NULL;
    tac_engine engine;

    *g = (tac_row_groups){.count = rows->n < FEW ? 1 : (int32_t)(2 * sqrt((double)rows->n))};
    const size_t count = (size_t)g->count;
    sorting s = {.rows = rows, .g = g};
    tac_engine_threads(ctx, &engine);
    TAC_TRY(tac_new(ctx, n * d, sizeof *unit, &unit));
    TAC_TRY(tac_new(ctx, n * d, sizeof *g->unit, &g->unit));
    TAC_TRY(tac_new(ctx, n, sizeof *g->row, &g->row));
    TAC_TRY(tac_new(ctx, count + 1, sizeof *g->start, &g->start));
    TAC_TRY(tac_new(ctx, count * d, sizeof *g->center, &g->center));
    TAC_TRY(tac_new(ctx, count, sizeof *g->radius, &g->radius));
    TAC_TRY(tac_new(ctx, n, sizeof *s.own, &s.own));
    TAC_TRY(tac_new(ctx, n, sizeof *s.near, &s.near));
    TAC_TRY(tac_new(ctx, (size_t)engine.workers, sizeof *s.room, &s.room));
    for (int i = 0; i < engine.workers; i++)
        TAC_TRY(tac_new(ctx, ROWS * count, sizeof **s.room, &s.room[i]));
    for (size_t i = 0; i < n * d; i++) unit[i] = (float)rows->unit[i];
    s.unit = unit;
    for (size_t c = 0; c < count; c++)
        memcpy(g->center + c * d, unit + c * n / count * d, d * sizeof *unit);
    for (int turn = 0; turn < TURNS; turn++) {
        if (turn > 0) TAC_TRY(move_centers(ctx, &s));
        TAC_TRY(engine.map(&engine, ctx, (rows->n + ROWS - 1) / ROWS, sort_block, &s));
    }
    arrange(&s);
done:
    for (int i = 0; i < engine.workers && s.room != NULL; i++) tac_free(s.room[i]);
    tac_free(s.room);
    tac_free(s.own);
    tac_free(s.near);
    tac_free(unit);
    return status;
}

void tac_row_groups_clear(tac_row_groups *g)
{
    tac_free(g->start);
    tac_free(g->row);
    tac_free(g->unit);
    tac_free(g->center);
    tac_free(g->radius);
    *g = (tac_row_groups){0};
}
