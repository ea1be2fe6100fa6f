/* SPDX-License-Identifier: Apache-2.0 */
/* k-plane: turns and restarts, and single assignments of rows to given subspaces. */
#include "solve/subspace/kplane_internal.h"

#include "solve/linalg/blas.h"
#include "solve/kmeans/kmeans_internal.h"
#include "solve/subspace/subspaces.h"

#include <math.h>
#include <string.h>

/* Turns until the cost hardly falls. On return bases, labels, rests and cost belong together. */
static tacit_status descend(tac_planes *s, const tac_kplane *opts, uint64_t *state, double *bases,
                            double *cost)
{
    tacit_status status = TACIT_OK;
    double before = INFINITY;

    for (int32_t i = 0;; i++) {
        int32_t empty = 0;
        TAC_TRY(tac_planes_assign(s, bases, cost));
        if (i >= opts->iterations || !(*cost < before * (1 - opts->tolerance)) || *cost == 0) break;
        before = *cost;
        double *counts = s->part + (size_t)s->k * (size_t)s->d * (size_t)s->d;
        TAC_TRY(tac_planes_turn(s, bases, &empty));
        for (int32_t c = 0; c < s->k && empty > 0; c++)
            if (counts[c] == 0) tac_planes_reseed(s, c, state, bases);
    }
done:
    return status;
}

/* The best of the restarts over the rows of s. */
static tacit_status restart(tac_planes *s, const tac_kplane *opts, double *bases, double *cost)
{
    tacit_status status = TACIT_OK;
    const size_t size = (size_t)s->k * (size_t)s->q * (size_t)s->d;
    uint64_t seeds = opts->seed;
    double *trial = NULL;

    *cost = INFINITY;
    TAC_TRY(tac_new(s->ctx, size, sizeof *trial, &trial));
    for (int32_t r = 0; r<opts->restarts && * cost> 0; r++) {
        uint64_t state = tac_plain_random(&seeds);
        double now;
        tac_show_progress(s->ctx, "k-plane", (double)r / opts->restarts);
        TAC_TRY(tac_planes_start(s, r % 2 == 0, &state, trial));
        TAC_TRY(descend(s, opts, &state, trial, &now));
        if (!(now < *cost)) continue;
        *cost = now;
        memcpy(bases, trial, size * sizeof *bases);
    }
done:
    tac_free(trial);
    return status;
}

/* A stratified sample: one row uniformly at random from each of `many` equal stretches. */
static void sample(const double *points, int64_t n, int32_t d, int64_t many, uint64_t seed,
                   double *out)
{
    uint64_t state = seed ^ UINT64_C(0x5a5a5a5a5a5a5a5a);

    for (int64_t i = 0; i < many; i++) {
        const int64_t from = (int64_t)((tac_i128)n * i / many),
                      to = (int64_t)((tac_i128)n * (i + 1) / many);
        const int64_t row = from + (int64_t)(tac_plain_random(&state) % (uint64_t)(to - from));
        memcpy(out + i * d, points + row * d, (size_t)d * sizeof *out);
    }
}

/* The starts compete on a sample; the best then takes its turns on all rows. */
tacit_status tac_solve_kplane(tacit_ctx *ctx, const double *points, int64_t n, int32_t d,
                              const tac_kplane *opts, double *bases, double *cost, int32_t *label)
{
    tacit_status status = TACIT_OK;
    const int64_t many = n < TAC_KPLANE_SAMPLE ? n : TAC_KPLANE_SAMPLE;
    const int before = tac_blas_one_thread();
    tac_planes s = {0};
    double *few = NULL;

    *cost = 0;
    tac_axes_bases(opts->k, opts->q, d, bases);
    if (n == 0) goto done;
    if (many < n) {
        TAC_TRY(tac_new(ctx, (size_t)many * (size_t)d, sizeof *few, &few));
        sample(points, n, d, many, opts->seed, few);
    }
    TAC_TRY(
        tac_planes_open(ctx, many < n ? few : points, many, d, opts->k, opts->q, opts->rank, &s));
    TAC_TRY(restart(&s, opts, bases, cost));
    tac_planes_close(&s);
    uint64_t state = opts->seed;
    tac_kplane end = *opts;
    if (many == n) end.iterations = 0; /* labels of the best */
    TAC_TRY(tac_planes_open(ctx, points, n, d, opts->k, opts->q, opts->rank, &s));
    TAC_TRY(descend(&s, &end, &state, bases, cost));
    *cost /= (double)n;
    if (label != NULL) memcpy(label, s.label, (size_t)n * sizeof *label);
done:
    tac_planes_close(&s);
    tac_free(few);
    tac_blas_restore(before);
    return status;
}

tacit_status tac_assign_planes(tacit_ctx *ctx, const double *points, int64_t n, int32_t d,
                               const double *bases, int32_t k, int32_t q, const int32_t *rank,
                               double *cost, int32_t *label)
{
    tacit_status status = TACIT_OK;
    const int before = tac_blas_one_thread();
    tac_planes s = {0};

    *cost = 0;
    if (n == 0) goto done;
    TAC_TRY(tac_planes_open(ctx, points, n, d, k, q, rank, &s));
    TAC_TRY(tac_planes_assign(&s, bases, cost));
    *cost /= (double)n;
    if (label != NULL) memcpy(label, s.label, (size_t)n * sizeof *label);
done:
    tac_planes_close(&s);
    tac_blas_restore(before);
    return status;
}

/* One turn with fixed labels. */
tacit_status tac_planes_of_labels(tacit_ctx *ctx, const double *points, int64_t n, int32_t d,
                                  const int32_t *label, int32_t k, int32_t q, double *bases)
{
    tacit_status status = TACIT_OK;
    const int before = tac_blas_one_thread();
    tac_planes s = {0};
    double cost;
    int32_t empty;

    tac_axes_bases(k, q, d, bases);
    if (n == 0) goto done;
    TAC_TRY(tac_planes_open(ctx, points, n, d, k, q, NULL, &s));
    memcpy(s.label, label, (size_t)n * sizeof *label);
    s.fixed = true;
    TAC_TRY(tac_planes_assign(&s, bases, &cost));
    TAC_TRY(tac_planes_turn(&s, bases, &empty));
done:
    tac_planes_close(&s);
    tac_blas_restore(before);
    return status;
}
