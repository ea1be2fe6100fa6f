/* SPDX-License-Identifier: Apache-2.0 */
/* Plain k-means on one part of the rows, behind the door. Floating point is fine here: the result
   may be any function of the part's rows and of public numbers; that its points lie in the ball is
   enforced at the end. Proof: parts.proof.md */
#include "privacy/queries/literature/parts.h"

#include "solve/kmeans/plain_kmeans.h"

#include <math.h>

enum { STEPS = 100 };

/* Into the ball of radius 1; what is no number, to its middle. */
static void into_ball(double *point, size_t d)
{
    double squares = 0;

    for (size_t j = 0; j < d; j++) squares += point[j] * point[j];
    for (size_t j = 0; j < d; j++)
        point[j] = !isfinite(squares) ? 0 : squares > 1 ? point[j] / sqrt(squares) : point[j];
}

/* k-means on the part's rows, scaled to the unit ball, from public starts. Fewer rows than
   centers: zeros, which is a result like any other. */
tacit_status tac_part_points(tacit_ctx *quiet, const tac_lattice *rows, const int64_t *row,
                             int64_t n, const tac_parts *plan, double *result)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)rows->dims, k = (size_t)plan->k;
    const tac_plain_kmeans opts = {.k = plan->k,
                                   .restarts = plan->restarts,
                                   .iterations = STEPS,
                                   .tolerance = 1e-6,
                                   .seed = plan->seed};
    double *points = NULL, cost;

    for (size_t i = 0; i < k * d; i++) result[i] = 0;
    if (n < plan->k) return TACIT_OK;
    TAC_TRY(tac_new(quiet, (size_t)n * d, sizeof *points, &points));
    for (int64_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            points[(size_t)i * d + j] =
                rows->points[row[i] * rows->stride + (int64_t)j] / (double)TAC_M;
    TAC_TRY(tac_solve_kmeans(quiet, points, NULL, n, rows->dims, &opts, result, &cost, NULL));
    for (size_t c = 0; c < k; c++) into_ball(result + c * d, d);
done:
    tac_free(points);
    return status;
}
