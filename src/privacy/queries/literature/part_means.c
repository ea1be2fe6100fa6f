/* SPDX-License-Identifier: Apache-2.0 */
/* Plain k-means on one part of the rows, behind the door. Floating point is fine here, as in a frame: the result
   may be any function of the part's rows and of public numbers, and the integer clip at the end enforces its norm
   whatever came before. Proof: aggregate.proof.md */
#include "privacy/queries/literature/aggregate.h"
#include "solve/kmeans.h"

#include <math.h>

#define STEPS 100

/* order[i] = the centre that stands for reference i: the nearest that no earlier one has taken. */
static void match(const tac_aggregate *plan, int32_t dims, const double *centers, bool *taken, int32_t *order)
{
    const size_t d = (size_t)dims;

    for (int32_t i = 0; i < plan->k; i++) {
        double least = INFINITY;
        for (int32_t c = 0; c < plan->k; c++) {
            double far = 0;
            for (size_t j = 0; j < d && !taken[c]; j++)
                far += pow(centers[(size_t)c * d + j] - plan->reference[(size_t)i * d + j], 2);
            if (taken[c] || !(far < least)) continue;
            least = far;
            order[i] = c;
        }
        taken[order[i]] = true;
    }
}

tacit_status tac_part_means(tacit_ctx *quiet, const tac_lattice *rows, const int64_t *row, int64_t n,
                            const tac_aggregate *plan, int16_t *result)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = rows->dims, k = plan->k;
    const size_t d = (size_t)dims, numbers = (size_t)k * d;
    const tac_plain_kmeans opts = {.k = k, .restarts = plan->restarts, .iterations = STEPS, .tolerance = 1e-6,
                                   .seed = plan->seed};
    double *points = NULL, *centers = NULL, cost;
    bool *taken = NULL;
    int32_t *order = NULL;

    TAC_TRY(tac_new(quiet, numbers, sizeof *centers, &centers));
    TAC_TRY(tac_new(quiet, (size_t)k, sizeof *taken, &taken));
    TAC_TRY(tac_new(quiet, (size_t)k, sizeof *order, &order));
    for (size_t i = 0; i < numbers; i++) centers[i] = plan->reference[i]; /* of a part without rows */
    if (n > 0) {
        TAC_TRY(tac_new(quiet, (size_t)n * d, sizeof *points, &points));
        for (int64_t i = 0; i < n; i++)
            for (size_t j = 0; j < d; j++)
                points[(size_t)i * d + j] = rows->points[row[i] * rows->stride + (int64_t)j];
        TAC_TRY(tac_solve_kmeans(quiet, points, NULL, n, dims, &opts, centers, &cost, NULL));
    }
    match(plan, dims, centers, taken, order);
    for (int32_t i = 0; i < k; i++)
        for (size_t j = 0; j < d; j++)
            result[(size_t)i * d + j] =
                (int16_t)lrint(fmin(TAC_M, fmax(-TAC_M, centers[(size_t)order[i] * d + j] / sqrt(k))));
    tac_clip(result, (int32_t)numbers);
done:
    tac_free(points);
    tac_free(centers);
    tac_free(taken);
    tac_free(order);
    return status;
}
