/* SPDX-License-Identifier: Apache-2.0 */
/* SuLQ k-means (Blum, Dwork, McSherry & Nissim 2005) as Balcan et al. 2017 ran it: k points uniform
   in the domain, then 20 equal rounds of noisy sums and counts. The framework's noise is the same
   for each of a round's d + 1 numbers, all of whose functions have values in [-1, 1]; Gaussian in
   the paper, so delta = 0, with Laplace noise, is our twin. The paper does not say what becomes of
   a cell without rows: here its center stays. */
#include "cluster/kmeans/literature/noisy_lloyd_step.h"

#include <math.h>
#include <stdio.h>

#define ROUNDS 20

/* Coordinates lie within M / sqrt(d): with this weight a count is known as well as they are,
   relative to what one row adds. */
static uint32_t weight(int32_t dims)
{
    return (uint32_t)fmax(1, round(TAC_M / sqrt(dims)));
}

static int32_t rounds_of(const tacit_kmeans_opts *opts)
{
    return opts->rounds > 0 ? opts->rounds : ROUNDS;
}

/* Queries: one joint query per round with equal quanta. No count: nothing depends on it. */
tacit_status tac_sulq(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t rounds = rounds_of(job->opts);
    const uint64_t quanta = tac_share(tac_door_left(job->door), 1.0 / rounds);
    tac_means m;

    TAC_TRY(tac_means_open(job, job->opts->k, weight(job->frame->columns), &m));
    TAC_TRY(tac_kmeans_result_new(job->ctx, m.k, m.dims, out));
    tac_start_uniform(job->frame, m.k, job->random, m.centers);
    for (int32_t t = 0; t < rounds; t++) {
        tac_show_progress(job->ctx, "SuLQ rounds", (double)t / rounds);
        TAC_TRY(tac_means_round(&m, "SuLQ round", quanta));
    }
    tac_show_progress(job->ctx, "SuLQ rounds", 1);
    tac_means_write(&m, rounds, out);
done:
    tac_means_close(&m);
    return status;
}
