/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a walk as they go with its release. They are noisy answers, all paid for, or follow
   from such and from public numbers: a basis from noisy second moments or from public randomness,
   an origin from a noisy mean. */
#include "cluster/kmeans/auto/auto_kmeans.h"

#include <math.h>

/* The view's origin and directions in units of the first lattice, and what they leave out. */
static void write_basis(const tac_walk *a, const tac_frame *frame, tac_released_cells *s)
{
    const size_t columns = (size_t)a->columns, width = (size_t)s->width;

    for (size_t j = 0; j < columns; j++) {
        s->origin[j] = frame->shift[j];
        for (size_t i = 0; i < width; i++) s->basis[i * columns + j] = frame->basis[j * width + i];
    }
    if (a->residue > 0) s->outside = sqrt(a->residue) / frame->zoom;
}

/* x = shift + P' z / zoom; behind a basis z / zoom alone, which is shorter. The noise of a
   coordinate: point_sd reach / weight. */
tacit_status tac_auto_keep_cells(const tac_walk *a, const tac_cell_set *cells,
                                 tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_frame *frame = tac_run_frame(a->job->run, a->view);
    const bool flat = a->view != TAC_ROWS;
    const size_t width = (size_t)cells->dims;
    tac_released_cells *s = NULL;

    if (cells->count < 1) return TACIT_OK;
    TAC_TRY(tac_released_cells_new(a->ctx, cells->count, cells->dims, a->columns, flat, &s));
    for (size_t i = 0; i < (size_t)cells->count; i++) {
        const double *at = cells->center + i * width;
        if (!flat) tac_frame_lift(frame, at, s->point + i * width);
        for (size_t j = 0; flat && j < width; j++) s->point[i * width + j] = at[j] / frame->zoom;
        s->weight[i] = fmax(0, cells->weight[i]);
        s->spread[i] = sqrt(fmax(0, cells->spread[i])) / frame->zoom;
        s->point_sd[i] = cells->point_sd * cells->reach[i] /
                         fmax(cells->weight[i], fmax(1, cells->weight_sd)) / frame->zoom;
    }
    s->weight_sd = cells->weight_sd;
    if (cells->total > 0) s->total = sqrt(cells->total + a->residue) / frame->zoom;
    if (flat) write_basis(a, frame, s);
    tac_released_cells_free(out->synopsis);
    out->synopsis = s;
    s = NULL;
done:
    tac_released_cells_free(s);
    return status;
}
