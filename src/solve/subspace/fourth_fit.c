/* SPDX-License-Identifier: Apache-2.0 */
/* The fit: L-BFGS from random starts. Above the noise nearly every start finds the best value, so few are needed. */
#include "solve/subspace/fourth_fit.h"
#include "solve/eigen.h"
#include "solve/lbfgs.h"

#include <math.h>
#include <string.h>

#define RESTARTS 20
#define PATIENCE 6
#define SAME 1e-4       /* relative difference of values that count as the same */
#define START_NOISE 0.05 /* c at the start */
#define UNEVEN 0.25     /* standard deviation of the eigenvalues inside a subspace, relative, that the ridge assumes */

static const tac_lbfgs descent = {.memory = 20, .iterations = 300, .decrease = 2e-9, .slope = 1e-7};
static const tac_lbfgs polish = {.memory = 20, .iterations = 2000, .decrease = 1e-16, .slope = 1e-10}; /* of the best one */

bool tac_fourth_tells(int32_t p, int32_t k, int32_t q)
{
    const double entries = (double)p * (p + 1) * (p + 2) * (p + 3) / 24;
    return k * ((double)p * q - q * (q - 1) / 2.0 + 1) <= entries;
}

static double uniform(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static double bell(uint64_t *state)
{
    const double r = sqrt(-2 * log1p(-uniform(state)));
    return r * cos(2 * M_PI * uniform(state));
}

/* Column a of F_l: orthogonal to those before it, twice for accuracy, of length `size`. */
static void orthogonal(double *x, size_t p, size_t row, size_t first, size_t a, double size)
{
    for (int again = 0; again < 2; again++) {
        double squares = 0;
        for (size_t b = first; b < a; b++) {
            double along = 0, of = 0;
            for (size_t i = 0; i < p; i++) {
                along += x[i * row + a] * x[i * row + b];
                of += x[i * row + b] * x[i * row + b];
            }
            for (size_t i = 0; i < p && of > 0; i++) x[i * row + a] -= along / of * x[i * row + b];
        }
        for (size_t i = 0; i < p; i++) squares += x[i * row + a] * x[i * row + a];
        for (size_t i = 0; i < p && squares > 0; i++) x[i * row + a] *= size / sqrt(squares);
    }
}

/* Subspaces drawn evenly, as strong as those of k equal clusters of rows on the sphere would be. */
static void start(const tac_fourth_fit *o, uint64_t *random, double *x)
{
    const size_t p = (size_t)o->p, q = (size_t)o->q, kq = (size_t)o->k * q;
    const double size = pow(3.0 / (o->k * (double)o->q * (o->q + 2)), 0.25);

    for (size_t i = 0; i < p * kq; i++) x[i] = bell(random);
    for (size_t a = 0; a < kq; a++) orthogonal(x, p, kq, a / q * q, a, size);
    for (int32_t l = 0; l < o->k; l++) x[p * kq + (size_t)l] = START_NOISE;
}

/* The range of every F: leading eigenvectors of F F^T. */
static tacit_status write_bases(tacit_ctx *ctx, const tac_fourth_fit *o, const double *x, double *bases)
{
    tacit_status status = TACIT_OK;
    const size_t p = (size_t)o->p, q = (size_t)o->q, kq = (size_t)o->k * q;
    double *square = NULL, *values = NULL, *vectors = NULL;

    TAC_TRY(tac_new(ctx, p * p, sizeof *square, &square));
    TAC_TRY(tac_new(ctx, q, sizeof *values, &values));
    TAC_TRY(tac_new(ctx, p * q, sizeof *vectors, &vectors));
    for (size_t l = 0; l < (size_t)o->k; l++) {
        for (size_t i = 0; i < p; i++)
            for (size_t j = 0; j < p; j++) {
                double sum = 0;
                for (size_t a = l * q; a < (l + 1) * q; a++) sum += x[i * kq + a] * x[j * kq + a];
                square[i * p + j] = sum;
            }
        TAC_TRY(tac_top_eigen(ctx, square, o->p, o->q, values, vectors));
        for (size_t a = 0; a < q; a++)
            for (size_t i = 0; i < p; i++) bases[(l * q + a) * p + i] = vectors[i * q + a];
    }
done:
    tac_free(square);
    tac_free(values);
    tac_free(vectors);
    return status;
}

/* <M, I (x) I>: the sum of |y|^4 that the tensor tells. */
static double trace_of(const double *tensor, int32_t p)
{
    double sum = 0;

    for (int32_t i = 0; i < p; i++)
        for (int32_t j = i; j < p; j++)
            for (int32_t k = j; k < p; k++)
                for (int32_t l = k; l < p; l++, tensor++)
                    if (i == j && k == l) sum += (i == k ? 1 : 2) * *tensor;
    return sum;
}

tacit_status tac_solve_fourth(tacit_ctx *ctx, const double *tensor, const tac_fourth_fit *o, double *bases, double *value)
{
    tacit_status status = TACIT_OK;
    const int32_t restarts = o->restarts > 0 ? o->restarts : RESTARTS, patience = o->patience > 0 ? o->patience : PATIENCE;
    const size_t n = (size_t)o->k * ((size_t)o->p * (size_t)o->q + 1);
    const double told = trace_of(tensor, o->p), trace = fmax(told, o->noise) > 0 ? fmax(told, o->noise) : 1;
    tac_fourth_state state = {0};
    uint64_t random = o->seed;
    double *x = NULL, *best = NULL, *values = NULL;

    TAC_TRY(tac_new(ctx, n, sizeof *x, &x));
    TAC_TRY(tac_new(ctx, n, sizeof *best, &best));
    TAC_TRY(tac_new(ctx, (size_t)restarts, sizeof *values, &values));
    TAC_TRY(tac_fourth_open(ctx, tensor, 1 / trace, o, &state));
    state.ridge = fmin(1, pow(o->noise / trace, 2) * o->k * (double)o->q * (o->q + 2) / (3 * UNEVEN * UNEVEN));
    double least = INFINITY;
    for (int32_t r = 0; r < restarts; r++) {
        int32_t hits = 0;
        start(o, &random, x);
        TAC_TRY(tac_solve_lbfgs(ctx, &descent, tac_fourth_objective, &state, n, x, &values[r]));
        if (values[r] < least) {
            least = values[r];
            memcpy(best, x, n * sizeof *x);
        }
        for (int32_t i = 0; i <= r; i++) hits += values[i] < least + SAME * fabs(least);
        if (hits >= patience) break;
    }
    TAC_TRY(tac_solve_lbfgs(ctx, &polish, tac_fourth_objective, &state, n, best, &least));
    TAC_TRY(write_bases(ctx, o, best, bases));
    *value = least * trace * trace;
done:
    tac_fourth_close(&state);
    tac_free(x);
    tac_free(best);
    tac_free(values);
    return status;
}
