/* SPDX-License-Identifier: Apache-2.0 */
/* k from the cells (solve/kmeans/choose_k.h). What the cells show is compared with what boxes
   without groups show that went the same way: rows made up from the cells' noisy variances, in the
   lattice of the same view, asked the same queries at the same price under noise of their own. So
   whatever the mechanism makes of nothing is in both. Costs nothing: no row is looked at. */
#include "cluster/kmeans/auto/auto_kmeans.h"
#include "solve/kmeans/choose_k.h"

#include <math.h>

/* Rows made of a box: so many for each cell that the tree may have, within these limits. They count
   for as many as the data has: the ratio of signal to noise is the same. */
#define ROWS_EACH 60.0
#define ROWS_LEAST 8e3
#define ROWS_MOST 3e4

/* boxes, and how many more where noise makes them differ */
enum { NULLS = 5, MORE = 5, MOST = NULLS + MORE };

static tac_k_cells as_k_cells(const tac_cell_set *s)
{
    return (tac_k_cells){.n = s->count,
                         .d = s->dims,
                         .points = s->center,
                         .weight = s->weight,
                         .spread = s->spread,
                         .reach = s->reach,
                         .weight_sd = s->weight_sd,
                         .point_sd = s->point_sd};
}

/* The cells of one box. variance: of its columns, the view's. */
static tacit_status find_null(const tac_walk *a, const tac_cell_finder *finder,
                              const double *variance, int32_t dims, uint64_t seed,
                              tac_cell_set *out)
{
    tac_quote q;
    tac_stream random;
    double *middle = NULL;
    const tac_box box = {.dims = dims,
                         .variance = variance,
                         .radius = TAC_M,
                         .rows = a->rules.rows,
                         .most = fmin(ROWS_MOST, fmax(ROWS_LEAST, ROWS_EACH * 4 * a->rules.k)),
                         .seed = seed};
    tacit_status status = tac_quote_box(a->job->run, &box, &q);

    if (status != TACIT_OK) return status;
    tac_public_stream(&q.run.seed, &random);
    tac_kmeans_job job = *a->job;
    job.ctx = &q.ctx;
    job.run = &q.run;
    job.door = q.run.door;
    job.frame = &q.run.frame;
    job.random = &random;
    tac_walk w = *a;
    w.job = &job;
    w.ctx = &q.ctx;
    w.door = job.door;
    w.columns = w.dims = dims;
    w.view = TAC_ROWS;
    w.inner *= TAC_M / a->radius;
    w.radius = TAC_M;
    TAC_TRY(tac_new(a->ctx, (size_t)dims, sizeof *middle, &middle));
    w.middle = middle;
    TAC_TRY(finder->find(&w, finder->how, out));
done:
    tac_free(middle);
    tac_stream_close(&random);
    return tac_quote_close(&q, a->ctx, status);
}

/* The scores of the boxes `from` to `to`. null: MOST x (k_max + 1). */
static tacit_status score_nulls(const tac_walk *a, const tac_cell_set *cells,
                                const tac_cell_finder *finder, uint64_t seed, int32_t from,
                                int32_t to, const bool *grid, double *null)
{
    tacit_status status = TACIT_OK;
    const tac_k_cells own = as_k_cells(cells);
    const int32_t k_max = a->rules.k;
    double *variance = NULL;
    tac_cell_set made = {0};

    TAC_TRY(tac_new(a->ctx, (size_t)cells->dims, sizeof *variance, &variance));
    TAC_TRY(tac_k_variances(a->ctx, &own, cells->total, variance));
    for (int32_t b = from; b < to; b++) {
        tac_show_progress(a->ctx, "choosing k", (double)b / MOST);
        tac_cell_set_clear(&made);
        TAC_TRY(find_null(a, finder, variance, cells->dims, seed + (uint64_t)b, &made));
        const tac_k_cells seen = as_k_cells(&made);
        TAC_TRY(
            tac_k_silhouettes(a->ctx, &seen, k_max, grid, null + (size_t)b * (size_t)(k_max + 1)));
    }
done:
    tac_free(variance);
    tac_cell_set_clear(&made);
    return status;
}

/* Beyond the grid's single steps: every k between the neighbors of the best. */
static bool look_closer(const bool *grid, int32_t k_max, int32_t best, bool *wanted)
{
    int32_t low = best - 1, high = best + 1;

    for (int32_t k = 0; k <= k_max; k++) wanted[k] = false;
    while (low > 2 && !grid[low]) low--;
    while (high < k_max && !grid[high]) high++;
    for (int32_t k = low + 1; k < high; k++) wanted[k] = k != best;
    return high - low > 2;
}

static tacit_status compare(const tac_walk *a, const tac_cell_set *cells,
                            const tac_cell_finder *finder, double *curve, tac_k_choice *choice)
{
    tacit_status status = TACIT_OK;
    const int32_t k_max = a->rules.k;
    const size_t many = (size_t)k_max + 1;
    const tac_k_cells own = as_k_cells(cells);
    const uint64_t seed = tac_word(a->job->random);
    int32_t nulls = NULLS;
    bool *grid = NULL, *wanted = NULL;
    double *score = NULL, *closer = NULL, *null = NULL;

    TAC_TRY(tac_new(a->ctx, many, sizeof *grid, &grid));
    TAC_TRY(tac_new(a->ctx, many, sizeof *wanted, &wanted));
    TAC_TRY(tac_new(a->ctx, many, sizeof *score, &score));
    TAC_TRY(tac_new(a->ctx, many, sizeof *closer, &closer));
    TAC_TRY(tac_new(a->ctx, many * MOST, sizeof *null, &null));
    tac_k_grid(k_max, grid);
    TAC_TRY(score_nulls(a, cells, finder, seed, 0, NULLS, grid, null));
    TAC_TRY(tac_k_silhouettes(a->ctx, &own, k_max, grid, score));
    TAC_TRY(tac_k_decide(a->ctx, score, null, nulls, k_max, curve, choice));
    if (choice->needed > TAC_K_FLOOR) {
        nulls = MOST;
        TAC_TRY(score_nulls(a, cells, finder, seed, NULLS, MOST, grid, null));
        TAC_TRY(tac_k_decide(a->ctx, score, null, nulls, k_max, curve, choice));
    }
    if (choice->best > 1 && look_closer(grid, k_max, choice->best, wanted)) {
        TAC_TRY(tac_k_silhouettes(a->ctx, &own, k_max, wanted, closer));
        for (size_t k = 0; k < many; k++)
            if (wanted[k]) score[k] = closer[k];
        TAC_TRY(tac_k_decide(a->ctx, score, null, nulls, k_max, curve, choice));
    }
done:
    tac_free(grid);
    tac_free(wanted);
    tac_free(score);
    tac_free(closer);
    tac_free(null);
    return status;
}

/* Fills the result's curve and choice, and sets the rules for the rest of the walk. Where a quoting
   run stands for all runs, it takes the most there may be. */
tacit_status tac_auto_choose_k(tac_walk *a, const tac_cell_set *cells,
                               const tac_cell_finder *finder, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    tac_k_choice *choice = &out->choice;
    const int32_t k_max = a->rules.k;

    TAC_TRY(tac_new(a->ctx, (size_t)k_max, sizeof *out->curve, &out->curve));
    if (a->job->run->longest)
        *choice = (tac_k_choice){.k = k_max, .best = k_max, .low = k_max, .high = k_max};
    else if (cells->count < 2)
        *choice = (tac_k_choice){.k = 1, .best = 1, .low = 1, .high = 1, .needed = 1};
    else
        TAC_TRY(compare(a, cells, finder, out->curve, choice));
    out->curve_count = choice->seen > choice->k ? choice->seen : choice->k;
    a->rules.kappa *= (double)choice->k / k_max;
    a->rules.k = choice->k;
    if (a->job->opts->rounds == 0) a->rules.rounds = tac_auto_rounds(&a->rules);
done:
    return status;
}
