/* SPDX-License-Identifier: Apache-2.0 */
/* A symmetric matrix made tridiagonal by reflections (Householder). The update of one step waits
   for the product of the next, so the matrix passes through the cache once a step, not twice. */
#include "solve/linalg/eigen_internal.h"

#include <math.h>
#include <string.h>

#include "core/cpu.h"

enum { ROWS = 4 };
/* Squares below it are 0 beside 1, and too small to be scaled to a unit vector. */
#define NOTHING 1e-280

#define KERNEL "solve/linalg/tridiagonal_path.h"
#include "core/each_path.h"

static double (*const inner[])(const double *, const double *, size_t) = {PATHS(inner)};
static void (*const fold[])(const tac_tridiagonal *, size_t) = {PATHS(fold)};
static void (*const reflect[])(const double *, size_t, size_t, double *) = {PATHS(reflect)};

void tac_tridiagonal_close(tac_tridiagonal *t)
{
    tac_free(t->a);
    tac_free(t->diagonal);
    tac_free(t->beside);
    tac_free(t->u);
    tac_free(t->w);
    tac_free(t->x);
    tac_free(t->y);
    *t = (tac_tridiagonal){0};
}

tacit_status tac_tridiagonal_open(tacit_ctx *ctx, int32_t d, tac_tridiagonal *t)
{
    tacit_status status = TACIT_OK;
    const size_t lanes = TAC_EIGEN_LANES, size = ((size_t)d + lanes - 1) / lanes * lanes;

    *t = (tac_tridiagonal){.d = (size_t)d, .size = size};
    TAC_TRY(tac_new(ctx, size * size, sizeof *t->a, &t->a));
    TAC_TRY(tac_new(ctx, size, sizeof *t->diagonal, &t->diagonal));
    TAC_TRY(tac_new(ctx, size, sizeof *t->beside, &t->beside));
    TAC_TRY(tac_new(ctx, size, sizeof *t->u, &t->u));
    TAC_TRY(tac_new(ctx, size, sizeof *t->w, &t->w));
    TAC_TRY(tac_new(ctx, size, sizeof *t->x, &t->x));
    TAC_TRY(tac_new(ctx, size, sizeof *t->y, &t->y));
done:
    if (status != TACIT_OK) tac_tridiagonal_close(t);
    return status;
}

/* x = u_k, with H_k row = beside[k] e_(k+1) for the row's entries beyond k; 0 if they are so
   already. */
static void find_reflection(tac_tridiagonal *t, size_t k, const double *row, int level)
{
    memset(t->x, 0, t->size * sizeof *t->x);
    if (k + 1 >= t->d) return;
    if (k + 2 < t->d) memcpy(t->x + k + 2, row + k + 2, (t->d - k - 2) * sizeof *t->x);
    const double rest = inner[level](t->x, t->x, t->size), at = row[k + 1];
    if (rest < NOTHING) {
        memset(t->x, 0, t->size * sizeof *t->x);
        t->beside[k] = at;
        return;
    }
    t->beside[k] = -copysign(sqrt(at * at + rest), at);
    t->x[k + 1] = at - t->beside[k];
    const double scale = sqrt(2 / (t->x[k + 1] * t->x[k + 1] + rest));
    for (size_t j = k + 1; j < t->d; j++) t->x[j] *= scale;
}

/* H A H = A - u w^T - w u^T, w = A u - <u, A u> u / 2. */
tacit_status tac_tridiagonal_reduce(tacit_ctx *ctx, tac_tridiagonal *t)
{
    tacit_status status = TACIT_OK;
    const int level = tac_cpu();

    for (size_t i = 0; i < t->d; i++) /* blocks on the diagonal are kept whole */
        for (size_t j = i / TAC_EIGEN_LANES * TAC_EIGEN_LANES; j < i; j++)
            t->a[i * t->size + j] = t->a[j * t->size + i];
    for (size_t k = 0; k < t->d; k++) {
        double *row = t->a + k * t->size;
        if (k % 64 == 0) TAC_TRY(tac_check_cancel(ctx));
        for (size_t j = k; j < t->d; j++) row[j] -= t->u[k] * t->w[j] + t->w[k] * t->u[j];
        t->diagonal[k] = row[k];
        find_reflection(t, k, row, level);
        memcpy(row, t->x, t->size * sizeof *row);
        /* what is done is left alone, though its rows share a block with others */
        t->u[k] = t->w[k] = 0;
        memset(t->y, 0, t->size * sizeof *t->y);
        if (k + 1 < t->d) fold[level](t, k + 1);
        memset(t->y, 0, (k + 1) * sizeof *t->y);
        const double half = inner[level](t->x, t->y, t->size) / 2;
        for (size_t j = k + 1; j < t->d; j++) t->w[j] = t->y[j] - half * t->x[j];
        memcpy(t->u, t->x, t->size * sizeof *t->u);
    }
done:
    return status;
}

void tac_tridiagonal_back(const tac_tridiagonal *t, double *panel)
{
    const int level = tac_cpu();

    for (size_t k = t->d; k-- > 0;) reflect[level](t->a + k * t->size, k + 1, t->d, panel);
}
