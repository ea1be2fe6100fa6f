/* SPDX-License-Identifier: Apache-2.0 */
/* From weighted points to centres: plain k-means on what was released, then back to all columns. Costs nothing. */
#include "cluster/kmeans/pure/pure.h"
#include "solve/kmeans.h"

#include <math.h>

#define WORK 4e9          /* multiplications that all restarts together may cost, about */
#define FLAT 0.3          /* no centre starts with less than this part of the root mean square radius */

/* Root mean square distance of each centre's rows: of points to the centre, within points, in columns not seen. */
static void measure(const tac_cell_set *s, const double *center, const int32_t *label, double wider,
                    tac_found *out)
{
    const size_t dims = (size_t)s->dims;
    double all = 0, rows = 0;

    for (int32_t i = 0; i < s->count; i++) {
        const double *x = s->center + (size_t)i * dims, *c = center + (size_t)label[i] * dims;
        double far = s->spread[i];
        for (size_t j = 0; j < dims; j++) far += (x[j] - c[j]) * (x[j] - c[j]);
        out->scale[label[i]] += s->weight[i] * far * wider;
        out->count[label[i]] += s->weight[i];
    }
    for (int32_t c = 0; c < out->k; c++) {
        all += out->scale[c];
        rows += out->count[c];
        out->scale[c] /= fmax(out->count[c], 1e-9);
    }
    const double least = fmax(FLAT * sqrt(all / fmax(rows, 1e-9)), 1e-6 * TAC_M);
    for (int32_t c = 0; c < out->k; c++) out->scale[c] = fmax(sqrt(out->scale[c]), least);
}

/* A point of the walk's view in the units of the rows' lattice. */
static void lift(const tac_walk *a, const double *point, double *scratch, double *out)
{
    if (a->view == TAC_ROWS) {
        for (int32_t j = 0; j < a->columns; j++) out[j] = point[j];
        return;
    }
    tac_frame_lift(tac_run_frame(a->job->run, a->view), point, scratch);
    tac_frame_lower(tac_run_frame(a->job->run, TAC_ROWS), scratch, out);
}

tacit_status tac_pure_choose(tac_walk *a, const tac_cell_set *s, int32_t k, int32_t restarts, double wider,
                             tac_found *out)
{
    tacit_status status = TACIT_OK;
    double *center = NULL, *scratch = NULL, cost;
    int32_t *label = NULL;

    k = k < s->count ? k : s->count;
    const double work = WORK / ((double)s->count * s->dims * k * 30);
    const tac_plain_kmeans opts = {.k = k, .restarts = work > restarts ? restarts : work < 2 ? 2 : (int32_t)work,
                                   .iterations = 100, .tolerance = 1e-6, .swaps = 4 * k < 200 ? 4 * k : 200,
                                   .seed = tac_word(a->job->random)};
    TAC_TRY(tac_found_new(a->ctx, k, a->columns, out));
    TAC_TRY(tac_new(a->ctx, (size_t)k * (size_t)s->dims, sizeof *center, &center));
    TAC_TRY(tac_new(a->ctx, (size_t)a->columns, sizeof *scratch, &scratch));
    TAC_TRY(tac_new(a->ctx, (size_t)s->count, sizeof *label, &label));
    TAC_TRY(tac_solve_kmeans(a->ctx, s->center, s->weight, s->count, s->dims, &opts, center, &cost, label));
    measure(s, center, label, wider, out);
    for (int32_t c = 0; c < k; c++)
        lift(a, center + (size_t)c * (size_t)s->dims, scratch, out->at + (size_t)c * (size_t)a->columns);
done:
    tac_free(center);
    tac_free(scratch);
    tac_free(label);
    return status;
}
