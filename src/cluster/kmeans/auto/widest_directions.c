/* SPDX-License-Identifier: Apache-2.0 */
/* The directions in which the rows differ most: leading eigenvectors of their noisy second
   moments about the middle of the zoom. If all is noise the directions are random, and a random
   projection keeps distances too: no test is needed. */
#include "cluster/kmeans/auto/auto_kmeans.h"
#include "solve/linalg/eigen.h"

#include <math.h>

/* Triangle, row by row, to a symmetric matrix without weights and grid. Returns its noisy trace. */
static double unfold(const tac_i128 *triangle, int32_t d, double *matrix)
{
    double trace = 0;

    for (int32_t i = 0; i < d; i++) {
        for (int32_t j = i; j < d; j++) {
            const double weight = i == j ? TAC_MOMENT_SAME : TAC_MOMENT_CROSS;
            const double entry = (double)*triangle++ / (weight * TAC_M * TAC_M);
            matrix[(size_t)i * (size_t)d + (size_t)j] = matrix[(size_t)j * (size_t)d + (size_t)i] =
                entry;
        }
        trace += matrix[(size_t)i * (size_t)d + (size_t)i];
    }
    return trace;
}

/* residue = (trace - sum of the kept eigenvalues) / rows: mean square outside of the subspace. */
tacit_status tac_auto_subspace(tac_walk *a)
{
    tacit_status status = TACIT_OK;
    const int32_t d = a->columns;
    const size_t columns = (size_t)d;
    tac_i128 *triangle = NULL;
    double *matrix = NULL, *basis = NULL, value[TAC_AUTO_DIMS], explained = 0;
    tac_frame frame = {0};

    a->view = TAC_ROWS;
    a->dims = d;
    if (d <= TAC_AUTO_DIMS) return TACIT_OK;
    TAC_TRY(tac_new(a->ctx, columns * (columns + 1) / 2, sizeof *triangle, &triangle));
    TAC_TRY(tac_new(a->ctx, columns * columns, sizeof *matrix, &matrix));
    TAC_TRY(tac_new(a->ctx, columns * TAC_AUTO_DIMS, sizeof *basis, &basis));
    TAC_TRY(tac_door_moments(a->door, "second moments", tac_auto_quanta(a, a->rules.subspace),
                             &(tac_cells){.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1},
                             TAC_ROWS, triangle));
    const double trace = unfold(triangle, d, matrix);
    TAC_TRY(tac_top_eigen(a->ctx, matrix, d, TAC_AUTO_DIMS, value, basis));
    for (int i = 0; i < TAC_AUTO_DIMS; i++) explained += value[i];
    a->residue = fmax(0, trace - explained) / a->rules.rows * TAC_M * TAC_M;
    TAC_TRY(tac_frame_zoom(a->ctx, a->job->frame, a->middle, TAC_M / a->radius, TAC_AUTO_DIMS,
                           basis, NULL, NULL, &frame));
    TAC_TRY(tac_run_set_frame(a->job->run, TAC_PROJECTED, &frame));
    a->view = TAC_PROJECTED;
    a->dims = TAC_AUTO_DIMS;
done:
    tac_free(triangle);
    tac_free(matrix);
    tac_free(basis);
    return status;
}
