/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates for centers: Algorithms 1 (private_partition) and 2 (candidate).
   Two fixes of the printed algorithms. The initial cube [-L, L]^p + v does not hold all rows;
   ours has twice the side, so it does for every shift. And the coin that splits a cube is its
   noisy count, which is released with it, so the counts can be used: the probability of a split
   is still the paper's f. */
#include "cluster/kmeans/literature/balcan/balcan.h"
#include "cluster/kmeans/spread_centers.h"

#include <math.h>
#include <string.h>

#define ACTIVE_MOST 4096 /* active cubes of one level */
#define SIDE (1 << TAC_CUBE_LEVELS)

typedef struct partition {
    tac_balcan *b;
    int32_t *shift;  /* dims */
    int32_t *active; /* cubes of this level: coordinates ... */
    int32_t *place;  /* ... and where each stands among the candidates */
    int32_t *next, *next_place;
    int32_t count;
    tac_cube *found;
} partition;

static tacit_status make_room(partition *p)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = p->b->job->ctx;
    const size_t dims = (size_t)p->b->dims;

    TAC_TRY(tac_new(ctx, dims, sizeof *p->shift, &p->shift));
    TAC_TRY(tac_new(ctx, ACTIVE_MOST * dims, sizeof *p->active, &p->active));
    TAC_TRY(tac_new(ctx, ACTIVE_MOST * dims, sizeof *p->next, &p->next));
    TAC_TRY(tac_new(ctx, ACTIVE_MOST, sizeof *p->place, &p->place));
    TAC_TRY(tac_new(ctx, ACTIVE_MOST, sizeof *p->next_place, &p->next_place));
    TAC_TRY(tac_new(ctx, ACTIVE_MOST, sizeof *p->found, &p->found));
done:
    return status;
}

/* One more candidate: the middle of a cube, pulled into the ball by rounding and by the door. */
static tacit_status add(partition *p, const int32_t *cube, int32_t level, double weight,
                        int32_t *place)
{
    tacit_status status = TACIT_OK;
    tac_balcan *b = p->b;
    const int32_t dims = b->dims, side = SIDE >> level;
    double squares = 0;

    if (b->many == b->room) {
        const int32_t room = b->room < 256 ? 256 : 2 * b->room;
        TAC_TRY(tac_grow(b->job->ctx, &b->candidate, (size_t)room * (size_t)dims,
                         sizeof *b->candidate));
        TAC_TRY(tac_grow(b->job->ctx, &b->weight, (size_t)room, sizeof *b->weight));
        b->room = room;
    }
    for (int32_t j = 0; j < dims; j++)
        squares += pow(cube[j] * side + side / 2 + p->shift[j] - SIDE / 2, 2);
    const double pull = squares > (double)TAC_M * TAC_M ? TAC_M / sqrt(squares) : 1;
    for (int32_t j = 0; j < dims; j++)
        b->candidate[(size_t)b->many * (size_t)dims + (size_t)j] =
            (int16_t)((cube[j] * side + side / 2 + p->shift[j] - SIDE / 2) * pull);
    b->weight[b->many] = weight;
    *place = b->many++;
done:
    return status;
}

/* Algorithm 1's inner loop for one level: the active children become candidates and the next
   level's active cubes. */
static tacit_status split(partition *p, int32_t level)
{
    tacit_status status = TACIT_OK;
    tac_balcan *b = p->b;
    const uint64_t quanta = tac_balcan_cube_quanta(&b->plan);
    const tac_privacy_params params = tac_door_params(b->job->door);
    const uint64_t scale = tac_quote_cubes(&params, quanta);
    const size_t dims = (size_t)b->dims;
    tac_cubes ask = {.view = TAC_PROJECTED,
                     .level = level,
                     .shift = p->shift,
                     .active = p->active,
                     .count = p->count,
                     .most = ACTIVE_MOST};
    int32_t found;

    ask.threshold = (int64_t)fmax((double)tac_cubes_least(scale, b->dims, p->count),
                                  tac_balcan_factor(&b->plan, p->count) * (double)scale);
    TAC_TRY(tac_door_cubes(b->job->door, "cubes with many rows", quanta, &ask, p->found, &found));
    for (int32_t i = 0; i < found; i++) {
        const tac_cube *c = &p->found[i];
        const double rows = ldexp((double)c->count, -TAC_COUNT_GRID);
        int32_t *at = p->next + (size_t)i * dims;
        for (size_t j = 0; j < dims; j++)
            at[j] = 2 * p->active[(size_t)c->parent * dims + j] + (int32_t)((c->child >> j) & 1);
        TAC_TRY(add(p, at, level + 1, rows, &p->next_place[i]));
        b->weight[p->place[c->parent]] -= rows;
    }
    int32_t *const active = p->active, *const place = p->place;
    p->active = p->next;
    p->place = p->next_place;
    p->next = active;
    p->next_place = place;
    p->count = found;
done:
    return status;
}

/* A random shift from public randomness, then levels until no cube is active. */
static tacit_status one_partition(partition *p)
{
    tacit_status status = TACIT_OK;
    tac_balcan *b = p->b;

    for (int32_t j = 0; j < b->dims; j++)
        p->shift[j] = (int32_t)floor((2 * tac_public_uniform(b->job->random) - 1) * TAC_M);
    memset(p->active, 0, (size_t)b->dims * sizeof *p->active);
    p->count = 1;
    TAC_TRY(add(p, p->active, 0, b->rows, &p->place[0]));
    for (int32_t level = 0; level < b->plan.levels && p->count > 0; level++)
        TAC_TRY(split(p, level));
done:
    return status;
}

tacit_status tac_balcan_candidates(tac_balcan *b)
{
    tacit_status status = TACIT_OK;
    partition p = {.b = b};

    TAC_TRY(make_room(&p));
    b->many = 0;
    for (int32_t t = 0; t < b->plan.shifts; t++) {
        tac_show_progress(b->job->ctx, "candidates", (double)t / b->plan.shifts);
        TAC_TRY(one_partition(&p));
    }
done:
    tac_free(p.shift);
    tac_free(p.active);
    tac_free(p.place);
    tac_free(p.next);
    tac_free(p.next_place);
    tac_free(p.found);
    return status;
}
