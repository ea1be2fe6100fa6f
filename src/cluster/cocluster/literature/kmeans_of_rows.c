/* SPDX-License-Identifier: Apache-2.0 */
/* Peers to compare with: private k-means of the rows, by two of its methods, then clusters of
   columns for free. Rows are logarithms of counts, of length 1. Under neighbors entry one count
   may carry its row from one cluster to another, so the noise is as for a changed row: no
   smaller bound holds for these methods. */
#include "cluster/cocluster/auto/rows/auto_rows.h"
#include "cluster/kmeans/kmeans_run.h"

#include <math.h>

#define PEOPLE 0.05 /* of the budget is kept for the table of people */

static tacit_kmeans_opts opts_of(int32_t k, tacit_kmeans_method which)
{
    tacit_kmeans_opts o;

    tacit_kmeans_opts_init(&o, sizeof o);
    o.k = k;
    o.method = which;
    o.scale = TACIT_SCALE_NONE;
    return o;
}

/* Logarithms of all columns, rows of length 1. */
static tacit_status frame_of(const tac_cocluster_job *job, bool dense, tac_frame *out)
{
    const tac_weighing all = {.value = TAC_LOGARITHM, .dims = job->columns, .dense = dense};
    return tac_frame_weigh(job->ctx, job->columns, &all, out);
}

static tacit_status look(const tac_cocluster_job *job, bool dense)
{
    tacit_status status = TACIT_OK;
    tac_frame frame = {0};

    TAC_TRY(frame_of(job, dense, &frame));
    TAC_TRY(tac_run_set_frame(job->run, TAC_ROWS, &frame));
done:
    return status;
}

/* Fills the walk of rows/ as after its last table: every column kept, centroids from k-means.
   Rows have one length, so the nearest center has the greatest <c, x> - |c|^2 / 2. */
static tacit_status describe(tac_rows_walk *w, const tac_kmeans_result *found)
{
    tacit_status status = TACIT_OK;
    const int32_t columns = w->job->columns, k = found->k;
    const size_t m = (size_t)columns;
    double *offset = NULL, *unit = NULL, noise = 0;

    w->k = k;
    w->kept = columns;
    TAC_TRY(tac_new(w->ctx, m, sizeof *w->column, &w->column));
    TAC_TRY(tac_new(w->ctx, m, sizeof *w->fixed, &w->fixed));
    TAC_TRY(tac_new(w->ctx, m, sizeof *w->weight, &w->weight));
    TAC_TRY(tac_new(w->ctx, (size_t)k * m, sizeof *w->whole, &w->whole));
    TAC_TRY(tac_new(w->ctx, (size_t)k * m, sizeof *w->center, &w->center));
    TAC_TRY(tac_new(w->ctx, (size_t)k, sizeof *w->offset, &w->offset));
    TAC_TRY(tac_new(w->ctx, (size_t)k * m, sizeof *unit, &unit));
    TAC_TRY(tac_new(w->ctx, (size_t)k, sizeof *offset, &offset));
    for (int32_t j = 0; j < columns; j++) {
        w->column[j] = j;
        w->fixed[j] = 1 << 16;
        w->weight[j] = 1;
    }
    for (size_t a = 0; a < (size_t)k; a++) {
        const double size = fmax(found->sizes[a], 1);
        for (size_t j = a * m; j < (a + 1) * m; j++) {
            unit[j] = found->centers[j] / TAC_M;
            offset[a] -= unit[j] * unit[j] / 2;
            w->whole[j] = size * unit[j];
            const double sd = found->centers_sd[j] * size / TAC_M;
            noise += isfinite(sd) ? sd * sd : 0;
        }
    }
    w->left = noise / ((double)k * columns);
    tac_argmax_cells(unit, offset, k, columns, w->center, w->offset);
    w->labelled = TAC_ROWS;
done:
    tac_free(unit);
    tac_free(offset);
    return status;
}

/* Private k-means on all but PEOPLE of the budget, then the last query of rows/ on the rest. */
static tacit_status by_kmeans(const tac_cocluster_job *job, tacit_kmeans_method which,
                              tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const tacit_kmeans_opts opts = opts_of(job->k, which);
    const uint64_t budget = tac_door_left(job->door);
    tac_frame first = {0};
    tac_kmeans_result found = {0};
    tac_rows_walk w = {.job = job,
                       .ctx = job->ctx,
                       .door = job->door,
                       .budget = budget,
                       .l = job->l,
                       .out = {.groups = job->k}, /* not looked for */
                       .rows = INFINITY};

    /* as k-means takes rows: dense where columns are few */
    TAC_TRY(frame_of(job, job->columns <= TAC_WIDE, &first));
    TAC_TRY(look(job, job->columns <= TAC_WIDE));
    const tac_kmeans_job inner = {.ctx = job->ctx,
                                  .run = job->run,
                                  .door = job->door,
                                  .frame = &first,
                                  .opts = &opts,
                                  .random = job->random};
    tac_door_hold(job->door, tac_share(budget, PEOPLE));
    TAC_TRY(tac_kmeans_method_of(which)->run(&inner, &found));
    tac_door_hold(job->door, 0);
    TAC_TRY(look(job, false));
    TAC_TRY(describe(&w, &found));
    w.seed = tac_word(job->random);
    TAC_TRY(tac_rows_finish(&w, out));
    out->rounds = found.rounds;
done:
    tac_rows_clear(&w);
    tac_kmeans_result_clear(&found);
    tac_frame_clear(&first);
    return status;
}

tacit_status tac_cocluster_kmeans(const tac_cocluster_job *job, tac_cocluster_result *out)
{
    return by_kmeans(job, TACIT_KMEANS_AUTO, out);
}

tacit_status tac_cocluster_balcan(const tac_cocluster_job *job, tac_cocluster_result *out)
{
    return by_kmeans(job, TACIT_KMEANS_BALCAN, out);
}
