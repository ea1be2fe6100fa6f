/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto, delta > 0: the walk of auto_kmeans.h, from the count to the release. */
#include "cluster/kmeans/auto/auto_kmeans.h"
#include "cluster/kmeans/auto/grid/counted_grid.h"
#include "cluster/kmeans/spread_centers.h"

#include <math.h>

tac_walk tac_walk_start(const tac_kmeans_job *job)
{
    return (tac_walk){.job = job,
                      .ctx = job->ctx,
                      .door = job->door,
                      .columns = job->frame->columns,
                      .budget = tac_door_left(job->door),
                      .asked = job->opts->k == TACIT_K_AUTO ? job->opts->k_max : job->opts->k};
}

/* The noisy number of rows: every share after it depends on this answer. */
tacit_status tac_auto_count(tac_walk *a, double share)
{
    tacit_status status = TACIT_OK;
    int64_t answer;

    TAC_TRY(tac_door_count(a->door, "number of rows", tac_auto_quanta(a, share), &answer));
    a->rows_noisy = ldexp((double)answer, -TAC_COUNT_GRID);
    a->rows_sd = ldexp(tac_last_sd(a->door), -TAC_COUNT_GRID);
done:
    return status;
}

/* One center at the middle of the zoom: all that the budget resolves, or all that was asked for. */
tacit_status tac_auto_start_with_one(const tac_walk *a, tac_found *c)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_found_new(a->ctx, 1, a->columns, c));
    c->scale[0] = TAC_M / 2.0;
    c->count[0] = a->rules.rows;
done:
    return status;
}

/* Cells of the tree, k if it is to be chosen, then plain k-means on the cells. */
static tacit_status start_with_tree(tac_walk *a, tac_found *c, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    tac_cell_set cells = {0};

    TAC_TRY(tac_auto_subspace(a));
    TAC_TRY(tac_auto_grow(a, &cells, out));
    TAC_TRY(tac_auto_keep_cells(a, &cells, out));
    TAC_TRY(tac_auto_synopsis(a, &cells, a->rules.k, &tac_auto_synopsis_rules, c));
done:
    tac_cell_set_clear(&cells);
    return status;
}

int32_t tac_auto_released(const tac_walk *a, const tac_found *c)
{
    return a->job->opts->k == TACIT_K_AUTO ? c->k : a->asked;
}

/* Back to the first lattice. Centers beyond those that the budget resolves repeat others, with
   size 0. */
tacit_status tac_auto_finish(const tac_walk *a, const tac_found *c, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t k = tac_auto_released(a, c);
    const size_t d = (size_t)a->columns;
    const tac_frame *frame = tac_run_frame(a->job->run, TAC_ROWS);

    TAC_TRY(tac_kmeans_result_new(a->ctx, k, a->columns, out));
    if (c->variance != NULL) TAC_TRY(tac_kmeans_result_variances(a->ctx, a->columns, out));
    for (int32_t i = 0; i < k; i++) {
        const size_t from = (size_t)(i % c->k), to = (size_t)i;
        tac_frame_lift(frame, c->at + from * d, out->centers + to * d);
        tac_into_domain(a->job->frame, out->centers + to * d);
        for (size_t j = 0; j < d; j++)
            out->centers_sd[to * d + j] = c->sd[from * d + j] / frame->zoom;
        for (size_t j = 0; c->variance != NULL && j < d; j++) {
            const double area = frame->zoom * frame->zoom;
            out->variance[to * d + j] = c->variance[from * d + j] / area;
            out->variance_sd[to * d + j] = c->variance_sd[from * d + j] / area;
        }
        out->sizes[i] = i < c->k ? c->count[from] : 0;
    }
    out->sizes_sd = c->count_sd;
    out->rounds = a->rules.rounds;
    TAC_TRY(tac_auto_notes(a, c, out));
done:
    return status;
}

/* The steps of auto_kmeans.h in their order. */
static tacit_status walk(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    tac_walk a = tac_walk_start(job);
    const tac_privacy_params params = tac_door_params(job->door);
    tac_found found = {0};

    TAC_TRY(tac_auto_count(&a, TAC_AUTO_COUNT));
    tac_auto_keep(&a, a.asked);
    a.rules = tac_auto_rules_for(&params, a.budget, a.asked, a.columns, a.rows_noisy,
                                 job->opts->rounds, job->opts->k == TACIT_K_AUTO);
    a.resolved = a.rules.k;
    TAC_TRY(tac_auto_narrow(&a, out));
    TAC_TRY(tac_auto_zoom(&a));
    TAC_TRY(a.rules.k == 1 ? tac_auto_start_with_one(&a, &found)
            : a.rules.grid ? tac_auto_start_with_grid(&a, &found, out)
                           : start_with_tree(&a, &found, out));
    TAC_TRY(tac_auto_refine(&a, &found));
    TAC_TRY(tac_found_sort(a.ctx, &found));
    TAC_TRY(tac_auto_finish(&a, &found, out));
done:
    tac_found_clear(&found);
    tac_free(a.middle);
    return status;
}

/* Which walk: delta = 0 has its own, and so have rows of many columns. */
tacit_status tac_auto(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    const bool pure = tac_door_params(job->door).definition == TAC_PURE;

    if (tac_auto_sketches(job->frame->columns) && (!pure || tac_run_sparse(job->run)))
        return tac_auto_sketch(job, out);
    return pure ? tac_auto_pure(job, out) : walk(job, out);
}
