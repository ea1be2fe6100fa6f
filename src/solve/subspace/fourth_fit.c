/* SPDX-License-Identifier: Apache-2.0 */
/* The fit: L-BFGS from random starts. Above the noise nearly every start finds the best value,
   so few are needed. The tensor is noisy and released: all of this is post-processing. */
#include "solve/subspace/fourth_fit.h"
#include "solve/linalg/eigen.h"
#include "solve/linalg/lbfgs.h"

#include <math.h>
#include <string.h>

#define RESTARTS 20
#define PATIENCE 6
#define SAME 1e-4   /* relative difference of values that count as the same */
#define NEARLY 0.02 /* ... and of fits that are nearly as good as the best */
#define UNEQUAL 0.5 /* ... and of the strengths of subspaces */
/* of the value: what subspaces of strengths that differ as much as they are large cost */
#define EQUAL 0.05
#define DOUBT 8.0        /* in squared noise: smaller differences of values mean nothing */
#define ALIKE 0.1        /* energy of one subspace outside of another, for the same one */
#define POINT 0.75       /* the part of points at the start: fourth_objective.c */
#define START_NOISE 0.05 /* c at the start */
/* standard deviation of the eigenvalues inside a subspace, relative, that the ridge assumes */
#define UNEVEN 0.25

enum { EQUAL_RESTARTS = 6, EQUAL_PATIENCE = 2 };

static const tac_lbfgs descent = {.memory = 20, .iterations = 300, .decrease = 2e-9, .slope = 1e-7};
/* of the best one */
static const tac_lbfgs polish = {
    .memory = 20, .iterations = 2000, .decrease = 1e-16, .slope = 1e-10};

/* Parameters of k subspaces against the number of distinct entries of the tensor. */
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

/* Points of affine subspaces: as high as the constant coordinate's moment says, and as far out. */
static void start_points(const tac_fourth_fit *o, double constant, uint64_t *random, double *x)
{
    const size_t p = (size_t)o->p, q = (size_t)o->q, kq = (size_t)o->k * q,
                 at = (size_t)o->constant - 1;
    const double up = pow(fmax(constant, 1e-12) / (o->k * (1 - POINT)), 0.25);

    for (size_t l = 0; l < (size_t)o->k; l++)
        for (size_t i = 0; i < p; i++)
            x[i * kq + l * q + q - 1] = i == at ? up : up * bell(random) / sqrt(o->p);
}

/* Subspaces drawn uniformly at random, as strong as those of k equal clusters of rows on the
   sphere. constant: the fourth moment of the constant coordinate, if there is one. */
static void start(const tac_fourth_fit *o, double constant, uint64_t *random, double *x)
{
    const size_t p = (size_t)o->p, q = (size_t)o->q, kq = (size_t)o->k * q;
    const double size = pow(3.0 / (o->k * (double)o->q * (o->q + 2)), 0.25);

    for (size_t i = 0; i < p * kq; i++) x[i] = bell(random);
    for (size_t a = 0; a < kq && o->constant > 0; a++) x[(size_t)(o->constant - 1) * kq + a] = 0;
    for (size_t a = 0; a < kq; a++) orthogonal(x, p, kq, a / q * q, a, size);
    if (o->constant > 0) start_points(o, constant, random, x);
    for (int32_t l = 0; l < o->k; l++) x[p * kq + (size_t)l] = START_NOISE;
}

/* The range of every F: leading eigenvectors of F F^T. */
static tacit_status write_bases(tacit_ctx *ctx, const tac_fourth_fit *o, const double *x,
                                double *bases)
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

/* <M, I (x) I>: the noisy sum of |y|^4. */
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

/* All starts, until enough agree: x is restarts x n. */
static tacit_status try_starts(tacit_ctx *ctx, const tac_fourth_fit *o, tac_fourth_state *state,
                               size_t n, int32_t restarts, double *x, double *values,
                               int32_t *tried)
{
    tacit_status status = TACIT_OK;
    const int32_t patience = o->patience > 0 ? o->patience : PATIENCE;
    uint64_t random = o->seed;
    double least = INFINITY, constant = 0;

    if (o->constant > 0) { /* where the pair (i, i) stands in an upper triangle */
        const size_t i = (size_t)o->constant - 1, at = i * (size_t)o->p - i * (i + 1) / 2 + i;
        constant = state->matrix[at * state->pairs + at];
    }

    for (int32_t r = 0; r < restarts; r++) {
        int32_t hits = 0;
        start(o, constant, &random, x + (size_t)r * n);
        TAC_TRY(tac_solve_lbfgs(ctx, &descent, tac_fourth_objective, state, n, x + (size_t)r * n,
                                &values[r]));
        *tried = r + 1;
        least = fmin(least, values[r]);
        for (int32_t i = 0; i <= r; i++) hits += values[i] < least + SAME * fabs(least);
        if (hits >= patience) break;
    }
done:
    return status;
}

/* The lowest value above `over` (by more than counts as the same); -1: none below `under`. */
static int32_t next_best(const double *values, int32_t count, double over, double under)
{
    int32_t at = -1;

    for (int32_t i = 0; i < count; i++)
        if (values[i] > over && values[i] <= under && (at < 0 || values[i] < values[at])) at = i;
    return at;
}

/* Is every subspace of u near one of v? */
static bool within(const double *u, const double *v, const tac_fourth_fit *o)
{
    const size_t p = (size_t)o->p, q = (size_t)o->q;

    for (size_t l = 0; l < (size_t)o->k; l++) {
        double most = 0;
        for (size_t m = 0; m < (size_t)o->k; m++) {
            double same = 0;
            for (size_t a = l * q; a < (l + 1) * q; a++)
                for (size_t b = m * q; b < (m + 1) * q; b++) {
                    double along = 0;
                    for (size_t i = 0; i < p; i++) along += u[a * p + i] * v[b * p + i];
                    same += along * along;
                }
            most = fmax(most, same);
        }
        if ((double)q - most > ALIKE) return false;
    }
    return true;
}

/* The same set of subspaces, in any order. */
static bool alike(const double *u, const double *v, const tac_fourth_fit *o)
{
    return within(u, v, o) && within(v, u, o);
}

/* The value without the preference for equal strengths; gradient: scratch. */
static double plain_value(tac_fourth_state *state, const double *x, double *gradient)
{
    const double even = state->even;

    state->even = 0;
    const double value = tac_fourth_objective(state, x, gradient);
    state->even = even;
    return value;
}

/* One more fit, of subspaces that are about equally strong, if it is another one. If noise alone
   may have made the best one better than it, it is the only one: to make one of two near subspaces
   strong and one weak is what noise does. */
static tacit_status add_equal(tacit_ctx *ctx, const tac_fourth_fit *o, tac_fourth_state *state,
                              double noise, double best_value, size_t n, double *x, double *bases,
                              double *values, int32_t *count)
{
    tacit_status status = TACIT_OK;
    const tac_fourth_fit few = {.p = o->p,
                                .k = o->k,
                                .q = o->q,
                                .constant = o->constant,
                                .noise = o->noise,
                                .patience = EQUAL_PATIENCE,
                                .seed = ~o->seed};
    const size_t numbers = (size_t)o->k * (size_t)o->q * (size_t)o->p;
    const int32_t restarts =
        o->restarts > 0 && o->restarts < EQUAL_RESTARTS ? o->restarts : EQUAL_RESTARTS;
    double value[EQUAL_RESTARTS], *mine = bases + (size_t)*count * numbers;
    int32_t tried = 0, best = 0;

    state->even = EQUAL * fabs(values[0]) * o->k * (o->q + 2.0) / (3.0 * o->q);
    TAC_TRY(try_starts(ctx, &few, state, n, restarts, x, value, &tried));
    for (int32_t i = 1; i < tried; i++) best = value[i] < value[best] ? i : best;
    TAC_TRY(write_bases(ctx, o, x + (size_t)best * n, mine));
    for (int32_t c = 0; c < *count; c++)
        if (alike(mine, bases + (size_t)c * numbers, o)) goto done;
    const double plain = plain_value(state, x + (size_t)best * n, x + (size_t)EQUAL_RESTARTS * n);
    if (plain - best_value < DOUBT * noise * noise) {
        memcpy(bases, mine, numbers * sizeof *bases);
        *count = 0;
    }
    values[(*count)++] = plain;
done:
    return status;
}

/* Starts on the tensor divided by its trace, distinct local minima within NEARLY of the best
   polished, then one fit of equal strengths. Values are scaled back by trace^2. */
tacit_status tac_solve_fourth_several(tacit_ctx *ctx, const double *tensor, const tac_fourth_fit *o,
                                      int32_t most, double *bases, double *values, int32_t *count)
{
    tacit_status status = TACIT_OK;
    const int32_t restarts = o->restarts > 0 ? o->restarts : RESTARTS;
    const size_t n = (size_t)o->k * ((size_t)o->p * (size_t)o->q + 1),
                 numbers = (size_t)o->k * (size_t)o->q * (size_t)o->p;
    const double told = trace_of(tensor, o->p),
                 trace = fmax(told, o->noise) > 0 ? fmax(told, o->noise) : 1;
    tac_fourth_state state = {0};
    double *x = NULL, *value = NULL, over = -INFINITY, under = INFINITY, plain = 0;
    int32_t tried = 0, at;

    *count = 0;
    const size_t places = (size_t)(restarts > EQUAL_RESTARTS ? restarts : EQUAL_RESTARTS) + 1;
    TAC_TRY(tac_new(ctx, n * places, sizeof *x, &x));
    double *gradient = x + n * (places - 1);
    TAC_TRY(tac_new(ctx, (size_t)restarts, sizeof *value, &value));
    TAC_TRY(tac_fourth_open(ctx, tensor, 1 / trace, o, &state));
    state.ridge = fmin(1, pow(o->noise / trace, 2) * o->k * (double)o->q * (o->q + 2) /
                              (3 * UNEVEN * UNEVEN));
    state.even = state.ridge * pow(UNEVEN / (UNEQUAL * o->q), 2);
    TAC_TRY(try_starts(ctx, o, &state, n, restarts, x, value, &tried));
    while (*count < (most > 1 ? most - 1 : 1) && (at = next_best(value, tried, over, under)) >= 0) {
        double *best = x + (size_t)at * n;
        over = value[at] + SAME * fabs(value[at]);
        if (*count == 0) under = value[at] + NEARLY * fabs(value[at]);
        if (!o->coarse)
            TAC_TRY(
                tac_solve_lbfgs(ctx, &polish, tac_fourth_objective, &state, n, best, &value[at]));
        if (*count == 0) plain = plain_value(&state, best, gradient);
        TAC_TRY(write_bases(ctx, o, best, bases + (size_t)*count * numbers));
        values[(*count)++] = value[at];
        value[at] = -INFINITY; /* taken */
    }
    if (most > 1 && o->k > 1)
        TAC_TRY(add_equal(ctx, o, &state, o->noise / trace, plain, n, x, bases, values, count));
    for (int32_t c = 0; c < *count; c++) values[c] *= trace * trace;
done:
    tac_fourth_close(&state);
    tac_free(x);
    tac_free(value);
    return status;
}

tacit_status tac_solve_fourth(tacit_ctx *ctx, const double *tensor, const tac_fourth_fit *o,
                              double *bases, double *value)
{
    int32_t count;
    return tac_solve_fourth_several(ctx, tensor, o, 1, bases, value, &count);
}
