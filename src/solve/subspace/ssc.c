/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse subspace clustering (Elhamifar & Vidal): min |C|_1 + (lambda / 2) |X' - X'C|_F^2, diag C =
   0, by ADMM, column by column. With rho the penalty, X the n x d rows and G = X X':
       Z = (lambda G + rho I)^-1 (lambda G + rho (C - U)), diag Z = 0; C = soft(Z + U, 1 / rho),
       diag C = 0; U += Z - C.
   Columns do not need each other: a few at a time go all the way while they stay in the cache.
   (lambda G + rho I)^-1 = (I - Y Y') / rho with Y = X R^-1, R'R = X'X + (rho / lambda) I
   (Woodbury): n d multiplications a column and step, where the inverse would take n^2. */
#include "solve/subspace/solvers_internal.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum {
    WIDTH = 32, /* columns at a time */
    STEPS = 200,
};
#define ALPHA 20.0 /* lambda = ALPHA / mu, rho = ALPHA: the authors' choice */
#define CLOSE 2e-4 /* max |Z - C| at which a block of columns is done */

typedef struct column_block {
    int64_t count;
    int64_t *first; /* per column, WIDTH + 1 */
    int32_t *to;
    double *value;
} column_block;

typedef struct ssc {
    tacit_ctx quiet;
    const tac_unit_rows *rows;
    double *y;       /* n x d */
    double ratio;    /* lambda / rho */
    double **room;   /* per worker: 4 n WIDTH + d WIDTH */
    double *largest; /* per row: largest |<x_i, x_j>|, j != i */
    column_block *block;
} ssc;

/* max_j |<x_i, x_j>|, j != i, for WIDTH rows: it sets lambda. */
static tacit_status largest_block(void *state, int64_t block, int worker)
{
    const ssc *s = state;
    const int64_t n = s->rows->n, from = block * WIDTH;
    const int32_t d = s->rows->d, w = n - from < WIDTH ? (int32_t)(n - from) : WIDTH;
    double *g = s->room[worker];

    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, w, (int)n, d, 1, s->rows->unit + from * d,
                d, s->rows->unit, d, 0, g, (int)n);
    for (int32_t c = 0; c < w; c++) {
        double most = 0;
        for (int64_t j = 0; j < n; j++)
            if (j != from + c) most = fmax(most, fabs(g[c * n + j]));
        s->largest[from + c] = most;
    }
    return TACIT_OK;
}

/* One step of w columns: given v = C - U and t = Y Y'v, the next u and v. Returns max |Z - C|. */
static double step(int64_t n, int32_t w, const double *b, const double *t, double *u, double *v)
{
    double gap = 0;

    for (int64_t i = 0; i < n; i++)
        for (int32_t c = 0; c < w; c++) {
            const int64_t at = i * w + c;
            const double z = b[at] + v[at] - t[at], sum = z + u[at];
            const double soft = fmax(0, sum - 1 / ALPHA) + fmin(0, sum + 1 / ALPHA),
                         off = fabs(z - soft);
            u[at] = sum - soft;
            v[at] = soft - u[at];
            gap = off > gap ? off : gap;
        }
    return gap;
}

/* Columns from .. from + w - 1: rows are kept side by side, so that one gemm serves all. diag Z = 0
   is done by leaving b, u and v there 0 and t is set to v: then z = 0. */
static void solve_columns(const ssc *s, int64_t from, int32_t w, double *room)
{
    const int64_t n = s->rows->n;
    const int32_t d = s->rows->d;
    double *b = room, *u = b + n * w, *v = u + n * w, *t = v + n * w, *p = t + n * w;

    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, w, d, s->ratio, s->rows->unit, d,
                s->rows->unit + from * d, d, 0, b, w);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, d, w, (int)n, 1, s->y, d, b, w, 0, p, w);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, w, d, -1, s->y, d, p, w, 1, b,
                w);
    memset(u, 0, (size_t)(2 * n * w) * sizeof *u); /* and v */
    for (int32_t c = 0; c < w; c++) b[(from + c) * w + c] = 0;
    for (int i = 0; i < STEPS; i++) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, d, w, (int)n, 1, s->y, d, v, w, 0, p,
                    w);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, w, d, 1, s->y, d, p, w, 0, t,
                    w);
        for (int32_t c = 0; c < w; c++) t[(from + c) * w + c] = v[(from + c) * w + c];
        if (step(n, w, b, t, u, v) < CLOSE) break;
    }
    for (int64_t i = 0; i < n * w; i++) v[i] += u[i]; /* C */
}

/* A block of columns of C, then its entries that are not 0, in memory of its own. */
static tacit_status solve_block(void *state, int64_t block, int worker)
{
    tacit_status status = TACIT_OK;
    const ssc *s = state;
    const int64_t n = s->rows->n, from = block * WIDTH;
    const int32_t w = n - from < WIDTH ? (int32_t)(n - from) : WIDTH;
    const double *c = s->room[worker] + 2 * n * w;
    column_block *out = &s->block[block];
    tacit_ctx own = s->quiet;

    solve_columns(s, from, w, s->room[worker]);
    for (int64_t i = 0; i < n * w; i++) out->count += fabs(c[i]) > 1e-12;
    TAC_TRY(tac_new(&own, WIDTH + 1, sizeof *out->first, &out->first));
    TAC_TRY(tac_new(&own, (size_t)out->count, sizeof *out->to, &out->to));
    TAC_TRY(tac_new(&own, (size_t)out->count, sizeof *out->value, &out->value));
    int64_t at = 0;
    for (int32_t j = 0; j < w; j++) {
        for (int64_t i = 0; i < n; i++)
            if (fabs(c[i * w + j]) > 1e-12) {
                out->to[at] = (int32_t)i;
                out->value[at++] = c[i * w + j];
            }
        out->first[j + 1] = at;
    }
done:
    return status;
}

/* Y = X R^-1. By columns, row-major X is X' and R' is lower: R = chol upper by columns = lower by
   rows. */
static tacit_status prepare(tacit_ctx *ctx, ssc *s)
{
    tacit_status status = TACIT_OK;
    const int32_t d = s->rows->d, n = (int32_t)s->rows->n;
    double *m = NULL;

    TAC_TRY(tac_new(ctx, (size_t)d * (size_t)d, sizeof *m, &m));
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, d, n, 1, s->rows->unit, d, 0, m, d);
    for (int32_t j = 0; j < d; j++) m[j * d + j] += 1 / s->ratio;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', d, m, d) != 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_INTERNAL,
                         "sparse subspace clustering: LAPACK's dpotrf found no root"));
    memcpy(s->y, s->rows->unit, (size_t)n * (size_t)d * sizeof *s->y);
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, n, d, 1, m, d,
                s->y, d);
done:
    tac_free(m);
    return status;
}

/* The blocks' columns one after the other. */
static tacit_status join(tacit_ctx *ctx, const ssc *s, int64_t blocks, int64_t **first,
                         int32_t **to, double **value)
{
    tacit_status status = TACIT_OK;
    int64_t total = 0;

    for (int64_t b = 0; b < blocks; b++) total += s->block[b].count;
    TAC_TRY(tac_new(ctx, (size_t)s->rows->n + 1, sizeof **first, first));
    TAC_TRY(tac_new(ctx, (size_t)total, sizeof **to, to));
    TAC_TRY(tac_new(ctx, (size_t)total, sizeof **value, value));
    total = 0;
    for (int64_t b = 0; b < blocks; b++) {
        const column_block *part = &s->block[b];
        for (int64_t j = 0; j < WIDTH && b * WIDTH + j < s->rows->n; j++)
            (*first)[b * WIDTH + j + 1] = total + part->first[j + 1];
        memcpy(*to + total, part->to, (size_t)part->count * sizeof **to);
        memcpy(*value + total, part->value, (size_t)part->count * sizeof **value);
        total += part->count;
    }
done:
    return status;
}

/* mu = min_i max_j |<x_i, x_j>| sets lambda; then all blocks of columns, joined in order. */
tacit_status tac_ssc_coefficients(tacit_ctx *ctx, const tac_unit_rows *rows, int64_t **first,
                                  int32_t **to, double **value)
{
    tacit_status status = TACIT_OK;
    const int64_t n = rows->n, blocks = (n + WIDTH - 1) / WIDTH;
    tac_engine engine;
    ssc s = {.quiet = {.threads = 1, .block_bytes = ctx->block_bytes, .parent = ctx}, .rows = rows};

    *first = NULL;
    *to = NULL;
    *value = NULL;
    tac_engine_threads(ctx, &engine);
    TAC_TRY(tac_new(ctx, (size_t)n * (size_t)rows->d, sizeof *s.y, &s.y));
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *s.largest, &s.largest));
    TAC_TRY(tac_new(ctx, (size_t)blocks, sizeof *s.block, &s.block));
    TAC_TRY(tac_new(ctx, (size_t)engine.workers, sizeof *s.room, &s.room));
    for (int i = 0; i < engine.workers; i++)
        TAC_TRY(
            tac_new(ctx, (4 * (size_t)n + (size_t)rows->d) * WIDTH, sizeof **s.room, &s.room[i]));
    TAC_TRY(engine.map(&engine, ctx, blocks, largest_block, &s));
    double mu = 1; /* the least of the largest; rows at right angles to all others have no say */
    for (int64_t i = 0; i < n; i++) mu = s.largest[i] > 1e-9 ? fmin(mu, s.largest[i]) : mu;
    s.ratio = 1 / mu;
    TAC_TRY(prepare(ctx, &s));
    status = engine.map(&engine, ctx, blocks, solve_block, &s);
    if (status == TACIT_E_MEMORY)
        tac_fail(ctx, status, "not enough memory for sparse subspace clustering; use fewer rows");
    if (status != TACIT_OK) goto done;
    TAC_TRY(join(ctx, &s, blocks, first, to, value));
done:
    for (int64_t b = 0; b < blocks && s.block != NULL; b++) {
        tac_free(s.block[b].first);
        tac_free(s.block[b].to);
        tac_free(s.block[b].value);
    }
    for (int i = 0; i < engine.workers && s.room != NULL; i++) tac_free(s.room[i]);
    tac_free(s.room);
    tac_free(s.block);
    tac_free(s.largest);
    tac_free(s.y);
    return status;
}

/* Columns are divided by their largest entry, W = |C| + |C|'. */
tacit_status tac_solve_ssc(tacit_ctx *ctx, const tac_unit_rows *rows,
                           const tac_plain_subspaces *opts, int32_t *label)
{
    tacit_status status = TACIT_OK;
    int64_t *first = NULL;
    int32_t *to = NULL;
    double *value = NULL;
    tac_graph graph = {0};

    TAC_TRY(tac_ssc_coefficients(ctx, rows, &first, &to, &value));
    for (int64_t j = 0; j < rows->n; j++) {
        double most = 0;
        for (int64_t e = first[j]; e < first[j + 1]; e++) most = fmax(most, fabs(value[e]));
        for (int64_t e = first[j]; e < first[j + 1]; e++) value[e] = fabs(value[e]) / most;
    }
    TAC_TRY(tac_graph_new(ctx, rows->n, first, to, value, &graph));
    TAC_TRY(tac_graph_cluster(ctx, &graph, opts->k, opts->seed, label));
done:
    tac_graph_clear(&graph);
    tac_free(first);
    tac_free(to);
    tac_free(value);
    return status;
}
