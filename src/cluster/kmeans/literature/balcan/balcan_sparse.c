/* SPDX-License-Identifier: Apache-2.0 */
/* Recovery for sparse rows: Algorithm 5. The mean of rows with at most s values that are not zero
   is near a vector with few of them, so all but the 2 s / eta largest values of a noisy mean are
   noise and are put to zero.

   The paper picks the places one by one with exponential mechanisms and measures each with Laplace
   noise. We measure all at once and keep the largest: the same error in s and log d up to
   constants, one query instead of 4 s / eta. The noise of the sum is the door's: for rows that stay
   sparse it knows their s, for dense ones it must reckon with all columns. */
#include "cluster/kmeans/literature/balcan/balcan.h"
#include "cluster/kmeans/spread_centers.h"

#include <math.h>
#include <stdlib.h>

#define ETA 0.5 /* the theorem's accuracy: 2 s / eta = 4 s values are kept */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Values of a noisy mean that stay: the `most` largest of those that stand out of the noise of d
   values. */
static void threshold(double *values, double *scratch, size_t d, size_t most,
                      tac_distribution distribution, double sd)
{
    const double log_d = log(fmax(2, (double)d));
    /* where the largest of d draws lies */
    double limit = sd * (distribution == TAC_GAUSSIAN ? sqrt(2 * log_d) : log_d / M_SQRT2);

    for (size_t j = 0; j < d; j++) scratch[j] = fabs(values[j]);
    qsort(scratch, d, sizeof *scratch, by_size);
    if (most < d) limit = fmax(limit, scratch[most]);
    for (size_t j = 0; j < d; j++)
        if (fabs(values[j]) <= limit) values[j] = 0;
}

/* How far the lattice's zero is from a raw one; not at all for rows of counts. */
static double middle(const tac_frame *frame, size_t j)
{
    return frame->counts != NULL ? 0 : frame->center[j] * frame->scale[j];
}

/* One query for sums and counts; thresholding is post-processing. */
tacit_status tac_balcan_recover_sparse(tac_balcan *b, uint64_t quanta, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = b->job->ctx;
    const tac_frame *frame = b->job->frame;
    const size_t d = (size_t)frame->columns, k = (size_t)b->plan.k,
                 s = (size_t)b->job->opts->sparsity;
    const tac_cells one = {.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1};
    const tac_cells projection = {
        .kind = TAC_NEAREST, .view = TAC_PROJECTED, .count = b->plan.k, .centers = b->centers};
    const double weight = b->plan.count_weight;
    double *value = NULL, *scratch = NULL;
    int64_t *sums = NULL, *counts = NULL;

    TAC_TRY(tac_new(ctx, d, sizeof *value, &value));
    TAC_TRY(tac_new(ctx, d, sizeof *scratch, &scratch));
    TAC_TRY(tac_new(ctx, k * d, sizeof *sums, &sums));
    TAC_TRY(tac_new(ctx, k, sizeof *counts, &counts));
    TAC_TRY(tac_door_sums(b->job->door, "recovery of sparse centers", quanta,
                          k > 1 ? &projection : &one, TAC_ROWS, b->plan.count_weight, sums,
                          counts));
    const double sd = tac_last_sd(b->job->door), count_sd = sd / weight;
    for (size_t i = 0; i < (size_t)out->k; i++) {
        const size_t c = i % k;
        const double count = (double)counts[c] / weight, n = fmax(count, fmax(1, 2 * count_sd));
        /* distance of the mean from a raw zero, which need not be the lattice's */
        for (size_t j = 0; j < d; j++) value[j] = (double)sums[c * d + j] / n + middle(frame, j);
        threshold(value, scratch, d, s > 0 ? (size_t)ceil(2 * (double)s / ETA) : d,
                  tac_door_distribution(b->job->door), sd / n);
        for (size_t j = 0; j < d; j++) {
            out->centers[i * d + j] = value[j] - middle(frame, j);
            out->centers_sd[i * d + j] = sd / n;
        }
        tac_into_domain(frame, out->centers + i * d);
        out->sizes[i] = i < k ? count : 0;
    }
    out->sizes_sd = count_sd;
    out->rounds = 1;
done:
    tac_free(value);
    tac_free(scratch);
    tac_free(sums);
    tac_free(counts);
    return status;
}
