/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto for rows of many columns: the walk of auto_sketch.h. */
#include "cluster/kmeans/auto/wide/auto_sketch.h"
#include "cluster/kmeans/spread_centers.h"

#include <math.h>

bool tac_auto_sketches(int32_t columns)
{
    return columns > TAC_WIDE;
}

/* k centers of the projection from the tree's cells: plain k-means on them, free. */
static tacit_status start(tac_wide *w, int16_t **points, tac_found *found, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    tac_cell_set cells = {0};
    tac_found small = {0};
    tac_walk projection;

    TAC_TRY(tac_wide_projection(w));
    TAC_TRY(tac_auto_grow(&w->a, &cells, out));
    projection = w->a; /* the synopsis of rows that have no more columns than the projection */
    projection.view = TAC_ROWS;
    projection.columns = w->a.dims;
    TAC_TRY(tac_auto_synopsis(&projection, &cells, w->a.rules.k, &tac_auto_synopsis_rules, &small));
    const size_t k = (size_t)small.k;
    TAC_TRY(tac_new(w->a.ctx, k * (size_t)w->a.dims, sizeof **points, points));
    tac_round_points(small.at, k * (size_t)w->a.dims, *points);
    TAC_TRY(tac_found_new(w->a.ctx, small.k, w->a.columns, found));
    /* the rows' units */
    for (size_t c = 0; c < k; c++) found->scale[c] = small.scale[c] * w->zoom / w->projection_zoom;
done:
    tac_cell_set_clear(&cells);
    tac_found_clear(&small);
    return status;
}

/* Units of the rows' lattice to those of the first. */
static void lift(const tac_wide *w, const double *at, double *first)
{
    tac_frame_lift(tac_run_frame(w->a.job->run, TAC_ROWS), at, first);
    tac_into_domain(w->a.job->frame, first);
}

/* Where the sketch sees the centers of the last round. */
static tacit_status sketch_centers(tac_wide *w, const tac_found *found, int16_t **points)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)w->a.columns;
    double *at = NULL, *first = NULL;

    tac_free(*points);
    *points = NULL;
    TAC_TRY(tac_wide_open_sketch(w));
    const size_t size = (size_t)w->a.dims;
    TAC_TRY(tac_new(w->a.ctx, size, sizeof *at, &at));
    TAC_TRY(tac_new(w->a.ctx, columns, sizeof *first, &first));
    TAC_TRY(tac_new(w->a.ctx, (size_t)found->k * size, sizeof **points, points));
    for (size_t c = 0; c < (size_t)found->k; c++) {
        lift(w, found->at + c * columns, first);
        tac_frame_lower(tac_run_frame(w->a.job->run, TAC_PROJECTED), first, at);
        tac_round_points(at, size, *points + c * size);
    }
done:
    tac_free(at);
    tac_free(first);
    return status;
}

/* Sparse rows: sums by the projection's cells, then by those of the centers found, seen in the
   sketch. */
static tacit_status add_up_sparse(tac_wide *w, int16_t **points, tac_found *found)
{
    tacit_status status = TACIT_OK;
    const int32_t rounds = found->k == 1 ? 1 : w->a.rules.rounds;

    for (int32_t t = 0; t < rounds; t++) {
        const uint64_t left = tac_door_left(w->a.door);
        tac_show_progress(w->a.ctx, "adding up the rows", (double)t / rounds);
        if (t > 0) TAC_TRY(sketch_centers(w, found, points));
        TAC_TRY(tac_wide_sums(w, *points,
                              t == rounds - 1 ? left : tac_share(left, tac_wide_round(rounds, t)),
                              found));
    }
    w->a.rules.rounds = rounds;
    tac_show_progress(w->a.ctx, "adding up the rows", 1);
done:
    return status;
}

/* Sparse rows: the tree in the projection, then rounds of sums over all columns. */
static tacit_status walk_sparse(tac_wide *w, tac_found *found, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    int16_t *points = NULL;

    if (w->a.rules.k > 1)
        TAC_TRY(start(w, &points, found, out));
    else
        TAC_TRY(tac_found_new(w->a.ctx, 1, w->a.columns, found));
    if (w->a.rules.k == 1) found->scale[0] = TAC_M;
    TAC_TRY(add_up_sparse(w, &points, found));
done:
    tac_free(points);
    return status;
}

/* Dense rows: the tree in the projection, one round of sums, then the rounds of
   refine_centers.c. */
static tacit_status walk_dense(tac_wide *w, tac_found *found, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    int16_t *points = NULL;

    if (w->a.rules.k > 1) {
        TAC_TRY(start(w, &points, found, out));
        TAC_TRY(tac_wide_sums(w, points, tac_share(tac_door_left(w->a.door), tac_wide_round(2, 0)),
                              found));
    } else {
        TAC_TRY(tac_auto_start_with_one(&w->a, found));
    }
    TAC_TRY(tac_auto_refine(&w->a, found));
done:
    tac_free(points);
    return status;
}

/* Back to the first lattice; centers that could not be told apart repeat others. */
static tacit_status write_result(const tac_wide *w, const tac_found *found, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t k = tac_auto_released(&w->a, found);
    const size_t columns = (size_t)w->a.columns;

    TAC_TRY(tac_kmeans_result_new(w->a.ctx, k, w->a.columns, out));
    for (int32_t i = 0; i < k; i++) {
        const size_t from = (size_t)(i % found->k) * columns, to = (size_t)i * columns;
        lift(w, found->at + from, out->centers + to);
        for (size_t j = 0; j < columns; j++)
            out->centers_sd[to + j] = found->sd[from + j] / w->zoom;
        out->sizes[i] = i < found->k ? found->count[i] : 0;
    }
    out->sizes_sd = found->count_sd;
    out->rounds = w->a.rules.rounds;
done:
    return status;
}

/* The notes of auto, and one on sparsity under Laplace noise. */
static tacit_status write_notes(const tac_wide *w, const tac_found *found, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_kmeans_job *job = w->a.job;

    TAC_TRY(tac_auto_notes(&w->a, found, out));
    if (w->sparse && job->opts->sparsity == 0 && tac_door_distribution(job->door) == TAC_LAPLACE)
        TAC_TRY(tac_note(w->a.ctx, &out->notes,
                         "noise had to cover rows with a value in every column; if the most values "
                         "a row can have is public, declare it (sparsity) and there will be far "
                         "less"));
done:
    return status;
}

/* The steps of auto_sketch.h in their order. */
tacit_status tac_auto_sketch(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(job->door);
    tac_wide w = {.a = tac_walk_start(job), .sparse = tac_run_sparse(job->run)};
    tac_found found = {0};

    TAC_TRY(tac_auto_count(&w.a, TAC_AUTO_COUNT));
    w.a.rules = tac_wide_rules(&params, w.a.budget, w.a.asked, w.a.columns, w.sparse,
                               w.a.rows_noisy, job->opts);
    w.a.resolved = w.a.rules.k;
    TAC_TRY(tac_wide_reach(&w));
    TAC_TRY(w.sparse ? walk_sparse(&w, &found, out) : walk_dense(&w, &found, out));
    TAC_TRY(tac_found_sort(w.a.ctx, &found));
    TAC_TRY(write_result(&w, &found, out));
    TAC_TRY(write_notes(&w, &found, out));
done:
    tac_found_clear(&found);
    tac_free(w.bucket);
    tac_free(w.sign);
    tac_free(w.middle);
    tac_free(w.basis);
    tac_free(w.a.middle);
    return status;
}
