/* SPDX-License-Identifier: Apache-2.0 */
/* Low-rank representation (Liu et al.): min |Z|_* + |E|_2,1 with X = X Z + E (rows of length 1 as
   columns), by inexact augmented Lagrangians. X = U S P' of rank r: Z = P Z~ and E = U E~ lose
   nothing, so that the problem is X~ = S Z~ + E~ in r x n numbers with a diagonal matrix S.
   Everything is kept transposed: n x r, a row of it for each row of the data. */
#include "solve/subspace/solvers_internal.h"

#include "solve/linalg/eigen.h"

#include <cblas.h>
#include <math.h>

enum { STEPS = 500, ROWS = 256 };
/* LAMBDA: weight of |E|_2,1. The penalty mu grows from MU_FIRST by MU_GROWTH a step. */
#define LAMBDA 1.0
#define MU_FIRST 1e-2
#define MU_GROWTH 1.1
#define MU_MOST 1e10
#define CLOSE 1e-6
#define RANK_SHARE 1e-6 /* singular values of X below this share of the largest count as 0 */
#define KEEP_SHARE 1e-4 /* ... and of Z */

typedef struct lrr {
    tacit_ctx *ctx;
    int64_t n;
    int32_t r;
    double *scale; /* r: S */
    double *x;     /* n x r: X~' */
    double *z, *j, *e, *y1, *y2, *room;
    double *gram, *values, *vectors, *turn;
} lrr;

/* X~ = U'X: coordinates along the principal directions; r = how many there are. */
static tacit_status reduce(const tac_unit_rows *rows, lrr *s)
{
    tacit_status status = TACIT_OK;
    const int32_t d = rows->d, n = (int32_t)rows->n;
    double *gram = NULL, *values = NULL, *vectors = NULL;

    TAC_TRY(tac_new(s->ctx, (size_t)d * (size_t)d, sizeof *gram, &gram));
    TAC_TRY(tac_new(s->ctx, (size_t)d, sizeof *values, &values));
    TAC_TRY(tac_new(s->ctx, (size_t)d * (size_t)d, sizeof *vectors, &vectors));
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, d, n, 1, rows->unit, d, 0, gram, d);
    TAC_TRY(tac_top_eigen(s->ctx, gram, d, d, values, vectors));
    while (s->r < d && s->r < n && values[s->r] > RANK_SHARE * RANK_SHARE * values[0] &&
           values[s->r] > 1e-13 * values[0])
        s->r++;
    if (s->r == 0) goto done;
    TAC_TRY(tac_new(s->ctx, (size_t)s->r, sizeof *s->scale, &s->scale));
    TAC_TRY(tac_new(s->ctx, (size_t)n * (size_t)s->r, sizeof *s->x, &s->x));
    for (int32_t i = 0; i < s->r; i++) s->scale[i] = sqrt(values[i]);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, s->r, d, 1, rows->unit, d, vectors, d,
                0, s->x, s->r);
done:
    tac_free(gram);
    tac_free(values);
    tac_free(vectors);
    return status;
}

/* Squared singular values and right vectors of an n x r matrix, from its r x r Gram matrix. */
static tacit_status singular(lrr *s, const double *matrix)
{
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, s->r, (int)s->n, 1, matrix, s->r, 0, s->gram,
                s->r);
    return tac_top_eigen(s->ctx, s->gram, s->r, s->r, s->values, s->vectors);
}

/* j = (z + y2 / mu) with its singular values less 1 / mu: times V diag(1 - 1 / (mu sigma))+ V'. */
static tacit_status shrink_singular(lrr *s, double mu)
{
    tacit_status status = TACIT_OK;
    const int32_t r = s->r;

    for (int64_t i = 0; i < s->n * r; i++) s->room[i] = s->z[i] + s->y2[i] / mu;
    TAC_TRY(singular(s, s->room));
    for (int32_t c = 0; c < r; c++) {
        const double sigma = sqrt(fmax(0, s->values[c])),
                     factor = sigma * mu > 1 ? sqrt(1 - 1 / (sigma * mu)) : 0;
        for (int32_t i = 0; i < r; i++) s->vectors[i * r + c] *= factor;
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, r, r, r, 1, s->vectors, r, s->vectors, r,
                0, s->turn, r);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)s->n, r, r, 1, s->room, r, s->turn,
                r, 0, s->j, r);
done:
    return status;
}

/* z, e and the multipliers of one row of the data; returns the larger of |x - S z - e|_inf and |z -
   j|_inf. */
static double step_row(const lrr *s, int64_t row, double mu)
{
    const int32_t r = s->r;
    const double *x = s->x + row * r, *j = s->j + row * r;
    double *z = s->z + row * r, *e = s->e + row * r, *y1 = s->y1 + row * r, *y2 = s->y2 + row * r,
           square = 0, gap = 0;

    for (int32_t i = 0; i < r; i++) {
        const double a = s->scale[i];
        z[i] = (a * (x[i] - e[i]) + j[i] + (a * y1[i] - y2[i]) / mu) / (a * a + 1);
        e[i] = x[i] - a * z[i] + y1[i] / mu;
        square += e[i] * e[i];
    }
    const double length = sqrt(square),
                 keep = length * mu > LAMBDA ? 1 - LAMBDA / (length * mu) : 0;
    for (int32_t i = 0; i < r; i++) {
        e[i] *= keep;
        const double left = x[i] - s->scale[i] * z[i] - e[i], apart = z[i] - j[i];
        y1[i] += mu * left;
        y2[i] += mu * apart;
        gap = fmax(gap, fmax(fabs(left), fabs(apart)));
    }
    return gap;
}

/* Steps until both constraints hold to CLOSE. */
static tacit_status represent(lrr *s)
{
    tacit_status status = TACIT_OK;
    double mu = MU_FIRST;

    for (int i = 0; i < STEPS; i++) {
        double gap = 0;
        TAC_TRY(tac_check_cancel(s->ctx));
        TAC_TRY(shrink_singular(s, mu));
        for (int64_t row = 0; row < s->n; row++) gap = fmax(gap, step_row(s, row, mu));
        if (gap < CLOSE) break;
        mu = fmin(MU_GROWTH * mu, MU_MOST);
    }
done:
    return status;
}

/* w as an operator: single precision halves its memory, n x n floats. */
typedef struct dense {
    tacit_ctx *ctx;
    tac_engine engine;
    int64_t n;
    float *w, *x, *y;
    int32_t b;
} dense;

static tacit_status dense_block(void *state, int64_t block, int worker)
{
    const dense *a = state;
    const int64_t from = block * ROWS;
    const int many = a->n - from < ROWS ? (int)(a->n - from) : ROWS;

    (void)worker;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, many, a->b, (int)a->n, 1,
                a->w + from * a->n, (int)a->n, a->x, a->b, 0, a->y + from * a->b, a->b);
    return TACIT_OK;
}

/* y = W x in single precision, ROWS rows a block. */
static tacit_status dense_times(const void *state, const double *x, int32_t b, double *y)
{
    tacit_status status = TACIT_OK;
    dense a = *(const dense *)state;

    a.b = b;
    a.x = NULL;
    a.y = NULL;
    TAC_TRY(tac_new(a.ctx, (size_t)(a.n * b), sizeof *a.x, &a.x));
    TAC_TRY(tac_new(a.ctx, (size_t)(a.n * b), sizeof *a.y, &a.y));
    for (int64_t i = 0; i < a.n * b; i++) a.x[i] = (float)x[i];
    TAC_TRY(a.engine.map(&a.engine, a.ctx, (a.n + ROWS - 1) / ROWS, dense_block, &a));
    for (int64_t i = 0; i < a.n * b; i++) y[i] = a.y[i];
done:
    tac_free(a.x);
    tac_free(a.y);
    return status;
}

/* M = P U Sigma^1/2 of Z = P Z~, Z~ = U Sigma V', rows of length 1, into room; then w = D^-1/2 (M
   M')^4 D^-1/2, powers by entries. */
static tacit_status affinity(lrr *s, dense *a, bool *alone)
{
    tacit_status status = TACIT_OK;
    const int32_t r = s->r;
    const size_t n = (size_t)s->n;
    float *m = NULL;
    double *root = NULL;

    TAC_TRY(tac_new(s->ctx, n * (size_t)r, sizeof *m, &m));
    TAC_TRY(tac_new(s->ctx, n, sizeof *root, &root));
    TAC_TRY(tac_new(s->ctx, n * n, sizeof *a->w, &a->w));
    TAC_TRY(singular(s, s->z));
    for (int32_t c = 0; c < r; c++) {
        const bool keep = s->values[c] > KEEP_SHARE * KEEP_SHARE * s->values[0];
        const double factor = keep ? sqrt(sqrt(fmax(0, s->values[c]))) : 0;
        /* P = X~' S^-1 */
        for (int32_t i = 0; i < r; i++)
            s->turn[i * r + c] = s->vectors[i * r + c] * factor / s->scale[i];
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, r, r, 1, s->x, r, s->turn, r, 0,
                s->room, r);
    for (size_t i = 0; i < n; i++) {
        double square = 0;
        for (size_t c = 0; c < (size_t)r; c++)
            square += s->room[i * (size_t)r + c] * s->room[i * (size_t)r + c];
        for (size_t c = 0; c < (size_t)r; c++)
            m[i * (size_t)r + c] =
                square > 0 ? (float)(s->room[i * (size_t)r + c] / sqrt(square)) : 0;
        alone[i] = !(square > 0);
    }
    cblas_ssyrk(CblasRowMajor, CblasUpper, CblasNoTrans, (int)n, r, 1, m, r, 0, a->w, (int)n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            const float square = a->w[i * n + j] * a->w[i * n + j];
            a->w[i * n + j] = square * square;
            root[i] += square * square;
            if (j > i) root[j] += square * square;
        }
    for (size_t i = 0; i < n; i++) root[i] = root[i] > 0 ? 1 / sqrt(root[i]) : 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            a->w[i * n + j] = (float)(a->w[i * n + j] * root[i] * root[j]);
            a->w[j * n + i] = a->w[i * n + j];
        }
done:
    tac_free(m);
    tac_free(root);
    return status;
}

/* Reduce, represent, affinity, spectral clusters. Memory: n^2 floats, and 7 matrices of n x r. */
tacit_status tac_solve_lrr(tacit_ctx *ctx, const tac_unit_rows *rows,
                           const tac_plain_subspaces *opts, int32_t *label)
{
    tacit_status status = TACIT_OK;
    lrr s = {.ctx = ctx, .n = rows->n};
    dense a = {.ctx = ctx, .n = rows->n};
    bool *alone = NULL;

    for (int64_t i = 0; i < rows->n; i++) label[i] = (int32_t)(i % opts->k);
    tac_engine_threads(ctx, &a.engine);
    TAC_TRY(reduce(rows, &s));
    if (s.r == 0) goto done; /* all rows are 0 */
    double **matrix[] = {&s.z, &s.j, &s.e, &s.y1, &s.y2, &s.room};
    for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++)
        TAC_TRY(tac_new(ctx, (size_t)s.n * (size_t)s.r, sizeof(double), matrix[i]));
    double **small[] = {&s.gram, &s.vectors, &s.turn};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        TAC_TRY(tac_new(ctx, (size_t)s.r * (size_t)s.r, sizeof(double), small[i]));
    TAC_TRY(tac_new(ctx, (size_t)s.r, sizeof *s.values, &s.values));
    TAC_TRY(tac_new(ctx, (size_t)s.n, sizeof *alone, &alone));
    TAC_TRY(represent(&s));
    TAC_TRY(affinity(&s, &a, alone));
    const tac_operator op = {.n = s.n, .times = dense_times, .state = &a};
    TAC_TRY(tac_spectral(ctx, &op, opts->k, opts->seed, label));
    for (int64_t i = 0; i < s.n; i++)
        if (alone[i]) label[i] = -1;
done:
    tac_free(s.scale);
    tac_free(s.x);
    tac_free(s.z);
    tac_free(s.j);
    tac_free(s.e);
    tac_free(s.y1);
    tac_free(s.y2);
    tac_free(s.room);
    tac_free(s.gram);
    tac_free(s.values);
    tac_free(s.vectors);
    tac_free(s.turn);
    tac_free(a.w);
    tac_free(alone);
    return status;
}
