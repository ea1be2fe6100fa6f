/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto for rows of many columns: the walk of auto_sketch.h. */
#include "cluster/kmeans/auto_sketch.h"
#include "cluster/kmeans/lloyd.h"

#include <math.h>
#include <string.h>

#define TREE_SHARE 0.40
#define SPARSE_COLUMNS 256  /* sparse rows' regime is judged as if they had so many columns: noise beyond is taken out */
#define ONE_ROUND 0.1       /* a regime number beyond which one round is best */
#define FIRST_ROUND 0.2     /* of what is left for the rounds */

bool tac_auto_sketches(int32_t columns)
{
    return columns > TAC_WIDE;
}

static tacit_status count_rows(tac_walk *a)
{
    tacit_status status = TACIT_OK;
    int64_t answer;

    TAC_TRY(tac_door_count(a->door, "number of rows", tac_auto_units(a, TAC_AUTO_COUNT), &answer));
    a->rows_noisy = ldexp((double)answer, -TAC_COUNT_GRID);
    a->rows_sd = ldexp(tac_last_sd(a->door), -TAC_COUNT_GRID);
done:
    return status;
}

/* k centres of the shadow from the tree's cells: plain k-means on them, free. */
static tacit_status start(tac_wide *w, int16_t **points, tac_found *found)
{
    tacit_status status = TACIT_OK;
    tac_cell_set cells = {0};
    tac_found small = {0};
    tac_walk shadow;

    TAC_TRY(tac_wide_shadow(w));
    TAC_TRY(tac_auto_tree(&w->a, &cells));
    shadow = w->a; /* the synopsis of rows that have no more columns than the shadow */
    shadow.view = TAC_ROWS;
    shadow.columns = w->a.dims;
    TAC_TRY(tac_auto_synopsis(&shadow, &cells, w->a.rules.k, &small));
    const size_t k = (size_t)small.k;
    TAC_TRY(tac_new(w->a.ctx, k * (size_t)w->a.dims, sizeof **points, points));
    tac_round_points(small.at, k * (size_t)w->a.dims, *points);
    TAC_TRY(tac_found_new(w->a.ctx, small.k, w->a.columns, found));
    memcpy(found->scale, small.scale, k * sizeof *found->scale);
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

/* Where the sketch sees the centres of the last round. */
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
        tac_frame_lower(tac_run_frame(w->a.job->run, TAC_SHADOW), first, at);
        tac_round_points(at, size, *points + c * size);
    }
done:
    tac_free(at);
    tac_free(first);
    return status;
}

/* The rounds: how many, by the regime. A round in which each sum would be lost in noise costs more than better cells gain. */
static tacit_status improve(tac_wide *w, int16_t **points, tac_found *found, int32_t *rounds)
{
    tacit_status status = TACIT_OK;

    *rounds = found->k == 1 ? 1 : !w->sparse ? 1 + w->a.rules.rounds : w->a.rules.kappa > ONE_ROUND ? 1 : 2;
    for (int32_t t = 0; t < *rounds; t++) {
        const uint64_t left = tac_door_left(w->a.door);
        if (t > 0 && !w->sparse) return tac_auto_refine(&w->a, found);
        if (t > 0) TAC_TRY(sketch_centers(w, found, points));
        TAC_TRY(tac_wide_sums(w, *points, t == *rounds - 1 ? left : tac_share(left, FIRST_ROUND), found));
    }
done:
    return status;
}

/* Back to the first lattice; centres that could not be told apart repeat others. */
static tacit_status write_result(const tac_wide *w, const tac_found *found, int32_t k, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)w->a.columns;

    TAC_TRY(tac_kmeans_result_new(w->a.ctx, k, w->a.columns, out));
    for (int32_t i = 0; i < k; i++) {
        const size_t from = (size_t)(i % found->k) * columns, to = (size_t)i * columns;
        lift(w, found->at + from, out->centers + to);
        for (size_t j = 0; j < columns; j++) out->centers_sd[to + j] = found->sd[from + j] / w->zoom;
        out->sizes[i] = i < found->k ? found->count[i] : 0;
    }
    out->sizes_sd = found->count_sd;
done:
    return status;
}

tacit_status tac_auto_sketch(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_terms terms = tac_door_terms(job->door);
    const bool sparse = tac_run_sparse(job->run);
    const int32_t columns = job->frame->columns;
    tac_wide w = {.a = {.job = job, .ctx = job->ctx, .door = job->door, .columns = columns, .budget = tac_door_left(job->door),
                        .radius = 1, .inner = 1},
                  .sparse = sparse};
    tac_found found = {0};
    int16_t *points = NULL;

    TAC_TRY(count_rows(&w.a));
    w.a.rules = tac_auto_rules_for(&terms, w.a.budget, job->opts->k, sparse ? SPARSE_COLUMNS : columns, w.a.rows_noisy, 0);
    w.a.rules.tree = TREE_SHARE;
    TAC_TRY(tac_wide_reach(&w));
    if (w.a.rules.k > 1) TAC_TRY(start(&w, &points, &found));
    else TAC_TRY(tac_found_new(w.a.ctx, 1, columns, &found));
    TAC_TRY(improve(&w, &points, &found, &out->rounds));
    TAC_TRY(write_result(&w, &found, job->opts->k, out));
done:
    tac_found_clear(&found);
    tac_free(points);
    tac_free(w.bucket);
    tac_free(w.sign);
    tac_free(w.middle);
    tac_free(w.basis);
    tac_free(w.a.middle);
    return status;
}

tacit_status tac_auto_sketch_check(const tac_kmeans_terms *t)
{
    (void)t;
    return TACIT_OK;
}
