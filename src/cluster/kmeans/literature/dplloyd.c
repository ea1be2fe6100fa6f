/* SPDX-License-Identifier: Apache-2.0 */
/* DP-Lloyd (Su, Cao, Li, Bertino & Jin 2016): a packed start, then 2 to 7 rounds of noisy sums and
   counts whose shares are counts : sums = cbrt(4 d rho^2) : d. The paper takes the number of rows
   as public; here it is paid for. Its noise is Laplace; with delta > 0 the same two derivations
   with Gaussian noise give the weight and the number of rounds (ours).

   Their error of k centers, coordinates in [-1, 1]: k (k/n)^2 d (v_s + 4 rho^2 v_c), v_s and v_c
   the variances of a sum's coordinate and of a count. Minimized over the split of a round it gives
   the shares, and a round must bring it below 0.004. */
#include "cluster/kmeans/literature/noisy_lloyd_step.h"

#include <math.h>
#include <stdio.h>

/* typical size of a coordinate of a center, in half ranges: the paper measured it on its data */
#define RHO 0.225
/* error of all centers together that a round may have: the paper's 500 is 2 / 0.004 */
#define ENOUGH 0.004
#define FEWEST 2
#define MOST 7

/* A row adds (x, w), |x_j| <= M / sqrt(d), under one noise scale b. Laplace: shares w / b and
   sqrt(d) M / b, so w = M cbrt(4 d rho^2) / sqrt(d). Gaussian: shares w^2 and M^2 in mu^2; v_s + 4
   rho^2 v_c is least at 2 rho sqrt(d) : d, so w = M sqrt(2 rho / sqrt(d)). */
uint32_t tac_dplloyd_weight(tac_definition definition, int32_t dims)
{
    const double w = definition == TAC_PURE ? cbrt(4 * dims * RHO * RHO) / sqrt(dims)
                                            : sqrt(2 * RHO / sqrt(dims));
    return (uint32_t)fmax(1, round(TAC_M * w));
}

/* The paper's floor(epsilon / epsilon_m) within [2, 7], in terms of the noise that a round would
   really get. */
int32_t tac_dplloyd_rounds(const tac_privacy_params *params, uint64_t budget, int32_t k,
                           int32_t dims, double rows)
{
    const uint32_t weight = tac_dplloyd_weight(params->definition, dims);
    int32_t rounds = MOST;

    for (; rounds > FEWEST; rounds--) {
        const uint64_t scale =
            tac_quote_sums(params, dims, weight, tac_share(budget, 1.0 / rounds));
        const double sd = tac_noise_sd(tac_distribution_of(params->definition), scale);
        const double v_s = sd * sd * dims / ((double)TAC_M * TAC_M),
                     v_c = sd * sd / ((double)weight * weight);
        if (scale != 0 &&
            pow(k, 3) / pow(fmax(rows, 1), 2) * dims * (v_s + 4 * RHO * RHO * v_c) <= ENOUGH)
            break;
    }
    return rounds;
}

/* Queries: count, then one joint query per round with equal quanta. */
tacit_status tac_dplloyd(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(job->door);
    const uint64_t budget = tac_door_left(job->door);
    tac_means m = {0};
    double rows;

    TAC_TRY(tac_count_rows(job, tac_share(budget, TAC_ROWS_SHARE), &rows));
    const uint64_t left = tac_door_left(job->door);
    TAC_TRY(tac_means_open(job, job->opts->k,
                           tac_dplloyd_weight(params.definition, job->frame->columns), &m));
    TAC_TRY(tac_kmeans_result_new(job->ctx, m.k, m.dims, out));
    const int32_t rounds = job->opts->rounds > 0
                               ? job->opts->rounds
                               : tac_dplloyd_rounds(&params, left, m.k, m.dims, rows);
    tac_start_packed(job->frame, m.k, job->random, m.centers);
    for (int32_t t = 0; t < rounds; t++) {
        tac_show_progress(job->ctx, "DP-Lloyd rounds", (double)t / rounds);
        TAC_TRY(tac_means_round(&m, "DP-Lloyd round", tac_share(left, 1.0 / rounds)));
    }
    tac_show_progress(job->ctx, "DP-Lloyd rounds", 1);
    tac_means_write(&m, rounds, out);
done:
    tac_means_close(&m);
    return status;
}
