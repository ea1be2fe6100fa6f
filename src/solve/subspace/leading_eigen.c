/* SPDX-License-Identifier: Apache-2.0 */
/* Leading eigenvectors of a large symmetric matrix with eigenvalues in [-1, 1]: subspace iteration
   with a Chebyshev filter. */
#include "solve/subspace/spectral.h"

#include "solve/linalg/eigen.h"
#include "solve/subspace/kplane_internal.h"
#include "solve/subspace/subspaces.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum {
    SMALL = 300, /* rows that are dealt with whole */
    MORE = 6,    /* vectors beside those wanted: the gap that counts is the one behind them */
    DEGREE = 12,
    TURNS = 60,
};
/* residual |A v - l v| at which a vector is good enough to cluster by */
#define GOOD 1e-5

typedef struct block {
    const tac_operator *a;
    int64_t n;
    int32_t b;
    double *v;               /* b x n: vectors one after the other, orthonormal */
    double *x, *y, *z;       /* n x b */
    double *h, *ritz, *turn; /* b x b, b, b x b */
} block;

/* Transposes. */
static void across(const double *from, int64_t rows, int64_t columns, double *to)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) to[j * rows + i] = from[i * columns + j];
}

/* Small matrices: A times the identity, then all of it. */
static tacit_status whole(tacit_ctx *ctx, const tac_operator *a, int32_t p, double *values,
                          double *vectors)
{
    tacit_status status = TACIT_OK;
    const size_t n = (size_t)a->n;
    double *one = NULL, *matrix = NULL;

    TAC_TRY(tac_new(ctx, n * n, sizeof *one, &one));
    TAC_TRY(tac_new(ctx, n * n, sizeof *matrix, &matrix));
    for (size_t i = 0; i < n; i++) one[i * n + i] = 1;
    TAC_TRY(a->times(a->state, one, (int32_t)n, matrix));
    TAC_TRY(tac_top_eigen(ctx, matrix, (int32_t)n, p, values, vectors));
done:
    tac_free(one);
    tac_free(matrix);
    return status;
}

/* Rayleigh-Ritz: x = V rotated to the eigenvectors of V'AV, y = A x; *worst: the largest residual
   of the first p. */
static tacit_status rotate(tacit_ctx *ctx, block *s, int32_t p, double *worst)
{
    tacit_status status = TACIT_OK;
    const int32_t b = s->b, n = (int32_t)s->n;

    across(s->v, b, n, s->z);
    TAC_TRY(s->a->times(s->a->state, s->z, b, s->y));
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, b, b, n, 1, s->z, b, s->y, b, 0, s->h, b);
    TAC_TRY(tac_top_eigen(ctx, s->h, b, b, s->ritz, s->turn));
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, b, b, 1, s->z, b, s->turn, b, 0, s->x,
                b);
    memcpy(s->z, s->y, (size_t)n * (size_t)b * sizeof *s->z);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, b, b, 1, s->z, b, s->turn, b, 0, s->y,
                b);
    *worst = 0;
    for (int32_t c = 0; c < p; c++) {
        double square = 0;
        for (int64_t i = 0; i < s->n; i++) {
            const double r = s->y[i * b + c] - s->ritz[c] * s->x[i * b + c];
            square += r * r;
        }
        *worst = fmax(*worst, sqrt(square));
    }
done:
    return status;
}

/* x -> C_m(A) x / C_m(1), C_m the Chebyshev polynomial of [-1, cut]: at most 1 / C_m(1) there,
   growing beyond. y = A x on entry. */
static tacit_status filter(block *s, double cut)
{
    tacit_status status = TACIT_OK;
    const size_t size = (size_t)s->n * (size_t)s->b;
    const double half = (cut + 1) / 2, middle = (cut - 1) / 2, first = half / (1 - middle);
    double sigma = first;

    for (size_t i = 0; i < size; i++) s->y[i] = (s->y[i] - middle * s->x[i]) * sigma / half;
    for (int m = 2; m <= DEGREE; m++) {
        const double next = 1 / (2 / first - sigma);
        TAC_TRY(s->a->times(s->a->state, s->y, s->b, s->z));
        for (size_t i = 0; i < size; i++) {
            const double now =
                2 * next / half * (s->z[i] - middle * s->y[i]) - sigma * next * s->x[i];
            s->x[i] = s->y[i];
            s->y[i] = now;
        }
        sigma = next;
    }
    across(s->y, s->n, s->b, s->v);
    tac_orthonormalise(s->v, s->b, (int32_t)s->n);
done:
    return status;
}

/* Rayleigh-Ritz and filter in turn until the first p residuals are below GOOD. cut: the last
   Ritz value. */
tacit_status tac_leading(tacit_ctx *ctx, const tac_operator *a, int32_t p, uint64_t seed,
                         double *values, double *vectors)
{
    tacit_status status = TACIT_OK;
    uint64_t state = seed;
    double worst = INFINITY;
    block s = {.a = a, .n = a->n, .b = p + MORE + p / 4};

    if (a->n <= SMALL || a->n < 4 * (int64_t)s.b) return whole(ctx, a, p, values, vectors);
    const size_t n = (size_t)s.n, b = (size_t)s.b;
    TAC_TRY(tac_new(ctx, n * b, sizeof *s.v, &s.v));
    TAC_TRY(tac_new(ctx, n * b, sizeof *s.x, &s.x));
    TAC_TRY(tac_new(ctx, n * b, sizeof *s.y, &s.y));
    TAC_TRY(tac_new(ctx, n * b, sizeof *s.z, &s.z));
    TAC_TRY(tac_new(ctx, b * b, sizeof *s.h, &s.h));
    TAC_TRY(tac_new(ctx, b * b, sizeof *s.turn, &s.turn));
    TAC_TRY(tac_new(ctx, b, sizeof *s.ritz, &s.ritz));
    for (size_t i = 0; i < n * b; i++) s.v[i] = tac_plain_normal(&state);
    tac_orthonormalise(s.v, s.b, (int32_t)n);
    for (int t = 0; t < TURNS && worst > GOOD; t++) {
        TAC_TRY(tac_check_cancel(ctx));
        TAC_TRY(rotate(ctx, &s, p, &worst));
        if (worst <= GOOD || t == TURNS - 1) break;
        TAC_TRY(filter(&s, fmin(0.9999, fmax(-0.5, s.ritz[s.b - 1]))));
    }
    for (int32_t c = 0; c < p; c++) {
        values[c] = s.ritz[c];
        for (size_t i = 0; i < n; i++) vectors[i * (size_t)p + (size_t)c] = s.x[i * b + (size_t)c];
    }
done:
    tac_free(s.v);
    tac_free(s.x);
    tac_free(s.y);
    tac_free(s.z);
    tac_free(s.h);
    tac_free(s.turn);
    tac_free(s.ritz);
    return status;
}
