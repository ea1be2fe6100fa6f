/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto, delta = 0: the walk of auto_pure.h, from the count to the release. */
#include "cluster/kmeans/auto/pure/auto_pure.h"

/* starts of plain k-means: few where its centers are only seeds */
#define SEED_RESTARTS 4
#define RESTARTS 40
/* no center starts with less than this part of the root mean square radius */
#define FLAT 0.3
/* no later noise depends on the radius of the zoom: it may be wide, so as not to cut off what
   noise hides */
#define ROOM 4.0
#define SURE 3.5 /* Laplace noise has heavier tails than Gaussian noise */

/* From rows to points: what a grid shows, and where there is budget for it the cells of its seeds,
   cut in two. */
typedef struct search {
    const tac_pure_rules *rules;
    uint64_t quanta; /* what the zoom has left */
} search;

static tacit_status find_points(tac_walk *a, const void *how, tac_cell_set *out)
{
    tacit_status status = TACIT_OK;
    const search *s = how;
    const tac_pure_rules *r = s->rules;
    const tac_synopsis_rules of_boxes = {
        .restarts = SEED_RESTARTS, .flat = FLAT, .wider = (double)a->columns / r->grid.dims};
    tac_cell_set boxes = {0};
    tac_found seeds = {0};

    tac_show_progress(a->ctx, "finding clusters", 0);
    TAC_TRY(tac_grid_points(a, &r->grid, s->quanta, r->split > 0 ? &boxes : out));
    if (!(r->split > 0)) goto done;
    TAC_TRY(tac_auto_synopsis(a, &boxes, r->seeds, &of_boxes, &seeds));
    a->view = TAC_ROWS; /* from here on in all columns */
    a->dims = a->columns;
    tac_show_progress(a->ctx, "finding clusters", 0.3);
    TAC_TRY(tac_pure_first(a, &seeds, tac_share(s->quanta, r->first)));
    tac_show_progress(a->ctx, "finding clusters", 0.6);
    TAC_TRY(tac_pure_split(a, &seeds, tac_share(s->quanta, r->split), out));
done:
    tac_cell_set_clear(&boxes);
    tac_found_clear(&seeds);
    return status;
}

/* c: k centers, k chosen if that was asked for. */
static tacit_status start_with_grid(tac_walk *a, tac_pure_rules *r, tac_found *c,
                                    tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_pure_rules asked = *r; /* boxes without groups are searched by the same rules */
    const search how = {.rules = &asked, .quanta = tac_walk_left(a)};
    tac_cell_set points = {0};

    TAC_TRY(find_points(a, &how, &points));
    TAC_TRY(tac_auto_keep_cells(a, &points, out));
    if (a->job->opts->k == TACIT_K_AUTO) {
        TAC_TRY(tac_auto_choose_k(a, &points, &(tac_cell_finder){find_points, &how}, out));
        r->kappa = a->rules.kappa;
        r->k = a->rules.k;
        a->rules.rounds = r->rounds = tac_pure_rounds(r, a->job->opts->rounds);
    }
    const tac_synopsis_rules rules = {
        .restarts = RESTARTS, .flat = FLAT, .wider = (double)a->columns / points.dims};
    TAC_TRY(tac_auto_synopsis(a, &points, r->k, &rules, c));
    a->view = TAC_ROWS; /* from here on in all columns */
    tac_show_progress(a->ctx, "finding clusters", 1);
done:
    tac_cell_set_clear(&points);
    return status;
}

/* Each round gets an equal share of what is left; the last one spends all. */
static tacit_status last_rounds(tac_walk *a, tac_found *c, int32_t rounds)
{
    tacit_status status = TACIT_OK;

    for (int32_t t = 0; t < rounds; t++) {
        tac_show_progress(a->ctx, "refining the centers", (double)t / rounds);
        TAC_TRY(tac_pure_refine(a, c, tac_share(tac_walk_left(a), 1.0 / (rounds - t)),
                                t == rounds - 1));
    }
    tac_show_progress(a->ctx, "refining the centers", 1);
done:
    return status;
}

/* The steps of auto_pure.h in their order; the zoom takes its rules from tac_walk. */
tacit_status tac_auto_pure(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    tac_walk a = tac_walk_start(job);
    const tac_privacy_params params = tac_door_params(job->door);
    tac_found centers = {0};

    TAC_TRY(tac_auto_count(&a, TAC_PURE_COUNT));
    tac_auto_keep(&a, a.asked);
    tac_pure_rules r =
        tac_pure_rules_for(&params, a.budget, a.asked, a.columns, a.rows_noisy, job->opts->rounds);
    a.rules = (tac_auto_rules){.k = r.k,
                               .rows = r.rows,
                               .kappa = r.kappa,
                               .mean = r.mean,
                               .radius = r.radius,
                               .sure = SURE,
                               .room = ROOM,
                               .rounds = r.rounds};
    a.resolved = r.k;
    TAC_TRY(tac_auto_narrow(&a, out));
    TAC_TRY(tac_auto_zoom(&a));
    TAC_TRY(r.k == 1 ? tac_auto_start_with_one(&a, &centers)
                     : start_with_grid(&a, &r, &centers, out));
    TAC_TRY(last_rounds(&a, &centers, r.rounds));
    TAC_TRY(tac_found_sort(a.ctx, &centers));
    TAC_TRY(tac_auto_finish(&a, &centers, out));
done:
    tac_found_clear(&centers);
    tac_free(a.middle);
    return status;
}
