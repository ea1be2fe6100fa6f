/* SPDX-License-Identifier: Apache-2.0 */
/* From cells to centers: plain k-means on the released cells, then back to all columns. Costs no
   budget. */
#include "cluster/kmeans/auto/auto_kmeans.h"
#include "solve/kmeans/plain_kmeans.h"

#include <math.h>

#define WORK 4e9 /* multiplications that all restarts together may cost, about */

const tac_synopsis_rules tac_auto_synopsis_rules = {.restarts = 40, .wider = 1, .flat = 0.05};

tacit_status tac_found_new(tacit_ctx *ctx, int32_t k, int32_t columns, tac_found *out)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)k * (size_t)columns;

    *out = (tac_found){.k = k, .columns = columns};
    TAC_TRY(tac_new(ctx, numbers, sizeof(double), &out->at));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof(double), &out->scale));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof(double), &out->count));
    TAC_TRY(tac_new(ctx, numbers, sizeof(double), &out->sd));
done:
    return status;
}

void tac_found_clear(tac_found *c)
{
    tac_free(c->at);
    tac_free(c->scale);
    tac_free(c->count);
    tac_free(c->sd);
    tac_free(c->variance);
    tac_free(c->variance_sd);
    *c = (tac_found){0};
}

/* scale_c^2 = mean over its rows of |cell - center|^2 + spread of the cell + what the subspace
   leaves out; at least `flat` of the mean scale. */
static void measure(const tac_walk *a, const tac_cell_set *s, const double *center,
                    const int32_t *label, const tac_synopsis_rules *rules, tac_found *out)
{
    const size_t dims = (size_t)s->dims;
    double all = 0, rows = 0;

    for (int32_t i = 0; i < s->count; i++) {
        const double *x = s->center + (size_t)i * dims, *c = center + (size_t)label[i] * dims;
        double far = s->spread[i];
        for (size_t j = 0; j < dims; j++) far += (x[j] - c[j]) * (x[j] - c[j]);
        out->scale[label[i]] += s->weight[i] * far * rules->wider;
        out->count[label[i]] += s->weight[i];
    }
    for (int32_t c = 0; c < out->k; c++) {
        out->scale[c] = out->scale[c] / fmax(out->count[c], 1e-9) + a->residue;
        all += out->scale[c] * out->count[c];
        rows += out->count[c];
    }
    const double least = fmax(rules->flat * sqrt(all / fmax(rows, 1e-9)), 1e-6 * TAC_M);
    for (int32_t c = 0; c < out->k; c++) out->scale[c] = fmax(sqrt(out->scale[c]), least);
}

/* A point of the tree's view in the units of the rows' lattice. */
static void lift(const tac_walk *a, const double *point, double *scratch, double *out)
{
    if (a->view == TAC_ROWS) {
        for (int32_t j = 0; j < a->columns; j++) out[j] = point[j];
        return;
    }
    tac_frame_lift(tac_run_frame(a->job->run, a->view), point, scratch);
    tac_frame_lower(tac_run_frame(a->job->run, TAC_ROWS), scratch, out);
}

/* Restarts are cut to WORK. k is cut to the number of cells. */
tacit_status tac_auto_synopsis(tac_walk *a, const tac_cell_set *s, int32_t k,
                               const tac_synopsis_rules *rules, tac_found *out)
{
    tacit_status status = TACIT_OK;
    double *center = NULL, *scratch = NULL, cost;
    int32_t *label = NULL;

    k = k < s->count ? k : s->count;
    const double work = WORK / ((double)s->count * s->dims * k * 30);
    const tac_plain_kmeans opts = {.k = k,
                                   .restarts = work > rules->restarts ? rules->restarts
                                               : work < 2             ? 2
                                                                      : (int32_t)work,
                                   .iterations = 100,
                                   .tolerance = 1e-6,
                                   .swaps = 4 * k < 200 ? 4 * k : 200,
                                   .seed = tac_word(a->job->random)};
    TAC_TRY(tac_found_new(a->ctx, k, a->columns, out));
    TAC_TRY(tac_new(a->ctx, (size_t)k * (size_t)s->dims, sizeof *center, &center));
    TAC_TRY(tac_new(a->ctx, (size_t)a->columns, sizeof *scratch, &scratch));
    TAC_TRY(tac_new(a->ctx, (size_t)s->count, sizeof *label, &label));
    TAC_TRY(tac_solve_kmeans(a->ctx, s->center, s->weight, s->count, s->dims, &opts, center, &cost,
                             label));
    measure(a, s, center, label, rules, out);
    for (int32_t c = 0; c < k; c++)
        lift(a, center + (size_t)c * (size_t)s->dims, scratch,
             out->at + (size_t)c * (size_t)a->columns);
done:
    tac_free(center);
    tac_free(scratch);
    tac_free(label);
    return status;
}
