/* SPDX-License-Identifier: Apache-2.0 */
/* SuLQ subspace clustering as published (Wang, Wang & Singh 2015, Alg. 5 and Prop. E.2): k-plane
   from a random start, T rounds, in each of which every cell's second moments get noise of their
   own calibration: sensitivity 2, kT queries under advanced composition. Their noise is a full d x
   d matrix W of independent numbers. Its symmetric half (W + W^T) / 2 is what the door adds to our
   query, in distribution; the other half, (W - W^T) / 2, is independent of it and of the data, so
   it is drawn here, and left singular vectors are taken as they do. All k cells are one query,
   which costs what it truly costs: less than they charge. Where their noise would be too small to
   be private (their Gaussian bound holds up to epsilon 1 for a query) ours is taken. */
#include "cluster/subspace/auto/noisy_kplane.h"
#include "solve/linalg/eigen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 10

static int32_t rounds_of(const tacit_subspace_opts *opts)
{
    return opts->rounds > 0 ? opts->rounds : ROUNDS;
}

/* epsilon' of kT queries with epsilon0 each (Prop. E.2). */
static double composed(double queries, double delta0, double epsilon0)
{
    return sqrt(2 * queries * log(1 / delta0)) * epsilon0 + queries * epsilon0 * expm1(epsilon0);
}

/* Their noise for one entry, rows of length 1; m rows of one privacy unit move an answer m times
   as far. */
static double published_noise(double epsilon, double delta, int32_t k, int32_t rounds, int32_t m)
{
    const double queries = (double)k * rounds, delta0 = delta / (queries + 1);
    double low = 0, high = 1;

    while (composed(queries, delta0, high) < epsilon) high *= 2;
    for (int i = 0; i < 200; i++) {
        const double middle = (low + high) / 2;
        if (composed(queries, delta0, middle) <= epsilon)
            low = middle;
        else
            high = middle;
    }
    return m * 2 * sqrt(2 * log(1.25 / delta0)) / low;
}

/* The quanta of a round: those that buy the published noise, never more than an even share. */
static uint64_t quanta_for(const tac_privacy_params *params, int32_t dims, uint64_t share,
                           double noise)
{
    uint64_t low = 0, high = share;

    if (tac_kplane_noise(params, dims, share) >= noise) return share;
    while (high - low > 1) { /* low buys too much noise or none at all, high too little */
        const uint64_t middle = low + (high - low) / 2;
        const double bought = tac_kplane_noise(params, dims, middle);
        if (bought > 0 && bought < noise)
            high = middle;
        else
            low = middle;
    }
    return tac_kplane_noise(params, dims, low) > 0 ? low : high;
}

static double bell(tac_stream *random)
{
    const double u = ldexp((double)(tac_word(random) >> 11), -53),
                 v = ldexp((double)(tac_word(random) >> 11), -53);
    return sqrt(-2 * log1p(-u)) * cos(2 * M_PI * v);
}

/* The q leading left singular vectors of a + anti-symmetric noise: eigenvectors of (a + w) (a +
   w)^T. *lost: of how many subspaces the q-th singular value is no larger than noise alone reaches,
   2 sqrt d standard deviations of an entry. */
static tacit_status left_vectors(const tac_subspace_job *job, tac_noisy_planes *p, double *scratch,
                                 double *values, int32_t *lost)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)p->dims, q = (size_t)p->q;
    double *square = scratch, *vectors = scratch + d * d;

    *lost = 0;
    for (size_t l = 0; l < (size_t)p->k; l++) {
        double *a = p->moments + l * d * d;
        for (size_t i = 0; i < d; i++)
            for (size_t j = i + 1; j < d; j++) {
                const double w = p->sd * M_SQRT1_2 * bell(job->random);
                a[i * d + j] += w;
                a[j * d + i] -= w;
            }
        for (size_t i = 0; i < d; i++)
            for (size_t j = i; j < d; j++) {
                double sum = 0;
                for (size_t e = 0; e < d; e++) sum += a[i * d + e] * a[j * d + e];
                square[i * d + j] = sum;
            }
        TAC_TRY(tac_top_eigen(p->ctx, square, p->dims, p->q, values, vectors));
        *lost += values[q - 1] <= 4 * (double)d * p->sd * p->sd;
        for (size_t r = 0; r < q; r++)
            for (size_t j = 0; j < d; j++) p->bases[(l * q + r) * d + j] = vectors[j * q + r];
    }
done:
    return status;
}

/* Rounds of one query each with equal quanta; the start is random and public. */
tacit_status tac_subspace_sulq(const tac_subspace_job *job, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t rounds = rounds_of(job->opts);
    const size_t d = (size_t)job->dims, q = (size_t)job->q;
    const tac_privacy_params params = tac_door_params(job->door);
    const double noise = published_noise(job->run->budget.epsilon, job->run->budget.delta, job->k,
                                         rounds, params.rows_per_unit);
    const uint64_t share = tac_share(tac_door_left(job->door), 1.0 / rounds),
                   quanta = quanta_for(&params, job->dims, share, noise);
    tac_noisy_planes p = {0};
    double *scratch = NULL, *values = NULL;
    int32_t lost = 0; /* in the last round */

    TAC_TRY(tac_kplane_open(job, job->k, job->q, &p));
    TAC_TRY(tac_new(job->ctx, d * (d + q), sizeof *scratch, &scratch));
    TAC_TRY(tac_new(job->ctx, q, sizeof *values, &values));
    TAC_TRY(tac_subspace_random(job->ctx, job->random, job->k, job->q, job->dims, p.bases));
    for (int32_t t = 0; t < rounds; t++) {
        tac_show_progress(job->ctx, "SuLQ rounds", (double)t / rounds);
        TAC_TRY(tac_kplane_ask(&p, "SuLQ round", quanta, NULL));
        TAC_TRY(left_vectors(job, &p, scratch, values, &lost));
    }
    tac_show_progress(job->ctx, "SuLQ rounds", 1);
    TAC_TRY(tac_subspace_result_new(job->ctx, job->k, job->q, job->dims, out));
    memcpy(out->bases, p.bases, (size_t)job->k * q * d * sizeof *out->bases);
    out->rounds = rounds;
    if (quanta == share)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "the published noise is too small to be private at such an epsilon; the "
                         "least that is private was taken instead"));
    if (lost > 0)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "%d of the %d subspaces cannot be told from noise: their directions are "
                         "mostly random; method auto needs far less budget",
                         lost, job->k));
done:
    tac_kplane_close(&p);
    tac_free(scratch);
    tac_free(values);
    return status;
}
