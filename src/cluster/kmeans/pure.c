/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto, delta = 0: the walk of pure.h, from the count to the release. */
#include "cluster/kmeans/pure.h"
#include "cluster/kmeans/lloyd.h"

#include <math.h>

#define SEEDS 2          /* times k */
#define SEED_RESTARTS 4
#define RESTARTS 40

static tacit_status count_rows(tac_walk *a)
{
    tacit_status status = TACIT_OK;
    int64_t answer;

    TAC_TRY(tac_door_count(a->door, "number of rows", tac_auto_units(a, tac_pure_count_share()), &answer));
    a->rows_noisy = ldexp((double)answer, -TAC_COUNT_GRID);
    a->rows_sd = ldexp(tac_last_sd(a->door), -TAC_COUNT_GRID);
done:
    return status;
}

/* One centre at the middle of the zoom: all that can be told, or all that was asked for. */
static tacit_status start_with_one(const tac_walk *a, tac_found *c)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_found_new(a->ctx, 1, a->columns, c));
    c->scale[0] = TAC_M / 2.0;
    c->count[0] = a->rules.rows;
done:
    return status;
}

static tacit_status start_with_grid(tac_walk *a, const tac_pure_rules *r, tac_found *c)
{
    tacit_status status = TACIT_OK;
    tac_cell_set boxes = {0}, points = {0};
    tac_found seeds = {0};

    tac_show_progress(a->ctx, "counting", 0);
    TAC_TRY(tac_pure_grid(a, r, &boxes));
    TAC_TRY(tac_pure_choose(a, &boxes, SEEDS * r->k, SEED_RESTARTS, (double)a->columns / a->dims, &seeds));
    tac_show_progress(a->ctx, "counting", 0.3);
    TAC_TRY(tac_pure_refine(a, &seeds, tac_auto_units(a, r->first), false, r->k));
    tac_show_progress(a->ctx, "counting", 0.6);
    TAC_TRY(tac_pure_split(a, &seeds, tac_auto_units(a, r->split), &points));
    a->view = TAC_ROWS; /* the points are in all columns */
    TAC_TRY(tac_pure_choose(a, &points, r->k, RESTARTS, 1, c));
    tac_show_progress(a->ctx, "counting", 1);
done:
    tac_cell_set_clear(&boxes);
    tac_cell_set_clear(&points);
    tac_found_clear(&seeds);
    return status;
}

static tacit_status last_rounds(tac_walk *a, tac_found *c, int32_t rounds)
{
    tacit_status status = TACIT_OK;

    for (int32_t t = 0; t < rounds; t++) {
        const bool last = t == rounds - 1;
        tac_show_progress(a->ctx, "refining the centres", (double)t / rounds);
        TAC_TRY(tac_pure_refine(a, c, tac_share(tac_door_left(a->door), 1.0 / (rounds - t)), last, c->k));
    }
    tac_show_progress(a->ctx, "refining the centres", 1);
done:
    return status;
}

/* Back to the first lattice; centres that could not be told apart repeat others. */
static tacit_status write_result(const tac_walk *a, const tac_found *c, int32_t k, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)a->columns;
    const tac_frame *frame = tac_run_frame(a->job->run, TAC_ROWS);

    TAC_TRY(tac_kmeans_result_new(a->ctx, k, a->columns, out));
    for (int32_t i = 0; i < k; i++) {
        const size_t from = (size_t)(i % c->k), to = (size_t)i;
        tac_frame_lift(frame, c->at + from * d, out->centers + to * d);
        tac_into_domain(a->job->frame, out->centers + to * d);
        for (size_t j = 0; j < d; j++) out->centers_sd[to * d + j] = c->sd[from * d + j] / frame->zoom;
        out->sizes[i] = i < c->k ? c->count[from] : 0;
    }
    out->sizes_sd = c->count_sd;
    out->rounds = a->rules.rounds;
    if (c->k < k)
        TAC_TRY(tac_kmeans_note(a->ctx, out, "only %d of %d centres could be told apart with this budget and number of rows; the "
                                "others repeat them", c->k, k));
done:
    return status;
}

tacit_status tac_auto_pure(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t k = job->opts->k == TACIT_K_AUTO ? job->opts->k_max : job->opts->k;
    tac_walk a = {.job = job, .ctx = job->ctx, .door = job->door, .columns = job->frame->columns,
                  .budget = tac_door_left(job->door)};
    const tac_terms terms = tac_door_terms(job->door);
    tac_found centers = {0};

    TAC_TRY(count_rows(&a));
    const tac_pure_rules r = tac_pure_rules_for(&terms, a.budget, k, a.columns, a.rows_noisy, job->opts->rounds);
    a.rules = (tac_auto_rules){.k = r.k, .rows = r.rows, .kappa = r.kappa, .mean = r.mean, .radius = r.radius, .rounds = r.rounds};
    TAC_TRY(tac_auto_zoom(&a));
    TAC_TRY(r.k == 1 ? start_with_one(&a, &centers) : start_with_grid(&a, &r, &centers));
    TAC_TRY(last_rounds(&a, &centers, r.rounds));
    TAC_TRY(write_result(&a, &centers, k, out));
done:
    tac_found_clear(&centers);
    tac_free(a.middle);
    return status;
}
