/* SPDX-License-Identifier: Apache-2.0 */
/* The rounds: rows go to their subspace, and noisy second moments of every cell in all columns
   are asked for, two halves a round with independent noise, averaged over the rounds. */
#include "cluster/subspace/auto/auto_subspace.h"
#include "cluster/subspace/auto/pooled_contest.h"

#include <math.h>
#include <string.h>

#define LOST 3.0   /* standard deviations that noise alone may reach */
#define LOOSE 20.0 /* bounds so many times wider than the rows deserve a note */

typedef struct refinement {
    tac_fourth_walk *w;
    tac_noisy_planes plane;
    tac_halves halves;
    double *sum[2];      /* k x m x m: over the rounds */
    double *turned;      /* dims x m: scratch */
    double *found;       /* k x q x m */
    int16_t *start;      /* k x q x p: the fit, as the door takes it */
    double noise;        /* of a diagonal entry of a half's average */
    tac_contest contest; /* on every round but the first */
} refinement;

/* sum_l += B^T A_l B, B the directions; without directions: A_l. */
static void gather(refinement *r, double *sum)
{
    const tac_fourth_walk *w = r->w;
    const size_t d = (size_t)w->dims, m = (size_t)r->halves.m;

    for (size_t l = 0; l < (size_t)w->k; l++) {
        const double *a = r->plane.moments + l * d * d;
        if (!w->projected) {
            for (size_t e = 0; e < d * d; e++) sum[l * d * d + e] += a[e];
            continue;
        }
        memset(r->turned, 0, d * m * sizeof *r->turned);
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j < d; j++)
                for (size_t b = 0; b < m; b++)
                    r->turned[i * m + b] += a[i * d + j] * w->directions[j * m + b];
        for (size_t i = 0; i < d; i++)
            for (size_t b = 0; b < m; b++) {
                const double v = w->directions[i * m + b];
                for (size_t c = 0; c < m; c++)
                    sum[l * m * m + b * m + c] += v * r->turned[i * m + c];
            }
    }
}

/* bases = what was found, in all columns. */
static void lift(refinement *r)
{
    const tac_fourth_walk *w = r->w;
    const size_t d = (size_t)w->dims, m = (size_t)r->halves.m,
                 vectors = (size_t)w->k * (size_t)w->q;

    if (!w->projected) {
        memcpy(r->plane.bases, r->found, vectors * d * sizeof *r->found);
        return;
    }
    for (size_t a = 0; a < vectors; a++)
        for (size_t j = 0; j < d; j++) {
            double sum = 0;
            for (size_t b = 0; b < m; b++) sum += w->directions[j * m + b] * r->found[a * m + b];
            r->plane.bases[a * d + j] = sum;
        }
}

/* The first round's cells: the fit's subspaces, in the projection. */
static tac_cells first_cells(refinement *r)
{
    const tac_fourth_walk *w = r->w;

    if (w->k == 1) return (tac_cells){.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1};
    tac_subspace_round(w->fit, (size_t)w->k * (size_t)w->q * (size_t)w->rules.p, r->start);
    return (tac_cells){.kind = TAC_SUBSPACES,
                       .view = TAC_PROJECTED,
                       .count = w->k,
                       .bases = r->start,
                       .rank = w->q};
}

/* Before a round: one subspace from all rounds so far, to be judged on it. */
static tacit_status begin_contest(refinement *r)
{
    tacit_status status = TACIT_OK;
    const tac_halves *h = &r->halves;
    const size_t m = (size_t)h->m;
    double *pool = NULL;

    TAC_TRY(tac_new(h->ctx, m * m, sizeof *pool, &pool));
    for (size_t l = 0; l < (size_t)h->k; l++)
        for (size_t e = 0; e < m * m; e++)
            pool[e] += r->sum[0][l * m * m + e] + r->sum[1][l * m * m + e];
    for (size_t a = 0; a < m && h->pool != NULL; a++)
        pool[a * m + a] += h->pool_weight * h->pool[a];
    TAC_TRY(tac_contest_round(&r->contest, r->found, pool));
    for (int i = 0; i < 2; i++) tac_contest_add(&r->contest, r->sum[i], -0.5);
done:
    tac_free(pool);
    return status;
}

/* Round t: two queries about the same cells, in one pass, averages, the best subspaces from both
   halves. */
static tacit_status round_of(refinement *r, int32_t t, uint64_t quanta)
{
    tacit_status status = TACIT_OK;
    const bool judge = r->w->k > 1 && t > 0 && !r->w->brief;
    const size_t numbers = (size_t)r->w->k * (size_t)r->halves.m * (size_t)r->halves.m;
    const tac_cells cells = t == 0 ? first_cells(r) : tac_kplane_cells(&r->plane);

    const tac_query moments = tac_query_moments(r->w->door, &cells, TAC_ROWS);
    tac_asking ask[2] = {
        {.what = "second moments, first half", .quanta = quanta, .query = moments},
        {.what = "second moments, second half", .quanta = quanta, .query = moments}};

    if (judge) TAC_TRY(begin_contest(r));
    TAC_TRY(tac_ask_together(r->w->door, ask, 2));
    r->plane.sd = tac_kplane_sd(r->w->door);
    for (int i = 0; i < 2; i++) {
        tac_kplane_read(&r->plane, &ask[i]);
        gather(r, r->sum[i]);
        if (judge) tac_contest_add(&r->contest, r->sum[i], 0.5);
    }
    for (int i = 0; i < 2; i++)
        for (size_t e = 0; e < numbers; e++) r->halves.half[i][e] = r->sum[i][e] / (t + 1);
    r->noise = r->plane.sd / sqrt(t + 1);
    TAC_TRY(tac_halves_best(&r->halves, r->found));
    lift(r);
done:
    tac_asking_clear(ask, 2);
    return status;
}

/* pool_weight: weight of the earlier second moments of all rows beside those of the rounds, by
   quanta. */
static tacit_status open_refinement(tac_fourth_walk *w, refinement *r)
{
    tacit_status status = TACIT_OK;
    const int32_t m = w->projected ? w->kept : w->dims;
    const size_t k = (size_t)w->k, q = (size_t)w->q, wide = (size_t)m;
    const double rest = (double)tac_door_left(w->door) / (double)w->budget;

    *r = (refinement){.w = w};
    r->halves = (tac_halves){.ctx = w->ctx,
                             .k = w->k,
                             .q = w->q,
                             .m = m,
                             .p = w->projected ? w->rules.p : m,
                             .brief = w->brief,
                             .constant = !w->affine     ? 0
                                         : w->projected ? 1
                                                        : m,
                             .fit = w->fit};
    if (w->projected) {
        r->halves.pool = w->along;
        r->halves.pool_weight = w->k * w->rules.projection / (rest + w->k * w->rules.projection);
    }
    TAC_TRY(tac_contest_open(w->ctx, w->k, w->q, m, &r->contest));
    TAC_TRY(tac_kplane_open(w->job, w->k, w->q, &r->plane));
    for (int i = 0; i < 2; i++) {
        TAC_TRY(tac_new(w->ctx, k * wide * wide, sizeof(double), &r->sum[i]));
        TAC_TRY(tac_new(w->ctx, k * wide * wide, sizeof(double), &r->halves.half[i]));
    }
    TAC_TRY(tac_new(w->ctx, k, sizeof(double), &r->halves.gain));
    TAC_TRY(tac_new(w->ctx, (size_t)w->dims * wide, sizeof(double), &r->turned));
    TAC_TRY(tac_new(w->ctx, k * q * wide, sizeof(double), &r->found));
    TAC_TRY(tac_new(w->ctx, k * q * (size_t)w->rules.p, sizeof *r->start, &r->start));
done:
    return status;
}

static void close_refinement(refinement *r)
{
    tac_kplane_close(&r->plane);
    for (int i = 0; i < 2; i++) {
        tac_free(r->sum[i]);
        tac_free(r->halves.half[i]);
    }
    tac_contest_close(&r->contest);
    tac_free(r->halves.gain);
    tac_free(r->turned);
    tac_free(r->found);
    tac_free(r->start);
}

/* What a reader should know, from released values. */
static tacit_status add_notes(const refinement *r, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_fourth_walk *w = r->w;
    int32_t lost = 0, empty = 0;

    for (int32_t l = 0; l < w->k; l++) {
        lost += r->halves.gain[l] < LOST * r->noise * sqrt(2.0 * w->q);
        empty += out->sizes[l] < LOST * out->sizes_sd;
    }
    if (lost > 0)
        TAC_TRY(tac_note(w->ctx, &out->notes,
                         "%d of the %d subspaces cannot be told from noise: their directions are "
                         "mostly random; ask for fewer or smaller subspaces, use fewer columns or "
                         "a larger epsilon",
                         lost, w->k));
    if (empty > 0)
        TAC_TRY(tac_note(w->ctx, &out->notes,
                         "%d of the %d subspaces %s so few rows that noise alone would explain %s",
                         empty, w->k, empty == 1 ? "holds" : "hold", empty == 1 ? "it" : "them"));
    if (!w->brief) /* nobody reads notes about made-up rows */
        TAC_TRY(tac_contest_note(&r->contest, r->plane.sd * M_SQRT1_2, !w->affine,
                                 tac_word(w->job->random), &out->notes));
    if (1 / w->most > LOOSE)
        TAC_TRY(tac_note(w->ctx, &out->notes,
                         "the declared domain is about %.0f times wider than the rows are long; a "
                         "fitting one (from knowledge, not from the rows) would cost less of the "
                         "budget",
                         1 / w->most));
    if (w->blind)
        TAC_TRY(tac_note(w->ctx, &out->notes,
                         "the lengths of the rows are lost in noise; the declared domain was taken "
                         "as it is"));
done:
    return status;
}

/* The moments along what was found, from the mean of the halves; then the sizes with what is
   left. */
static tacit_status write_result(refinement *r, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t m = (size_t)r->halves.m, q = (size_t)r->w->q, k = (size_t)r->w->k;
    double *inside = NULL;

    TAC_TRY(tac_new(r->w->ctx, k * q * q, sizeof *inside, &inside));
    for (size_t e = 0; e < k * m * m; e++)
        r->halves.half[0][e] = (r->halves.half[0][e] + r->halves.half[1][e]) / 2;
    for (size_t l = 0; l < k; l++)
        TAC_TRY(tac_kplane_along(r->w->ctx, r->halves.half[0] + l * m * m, r->halves.m,
                                 r->found + l * q * m, r->w->q, inside + l * q * q));
    TAC_TRY(tac_kplane_write(&r->plane, tac_door_left(r->w->door), inside,
                             r->w->affine ? 1 : 1 / r->w->most, out));
    if (r->w->affine) TAC_TRY(tac_fourth_carry_back(r->w, out));
done:
    tac_free(inside);
    return status;
}

/* Two queries a round with equal quanta, then the sizes with what is left. */
tacit_status tac_fourth_refine(tac_fourth_walk *w, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t rounds = w->rules.rounds;
    const uint64_t sizes = tac_share(w->budget, TAC_FOURTH_SIZES), left = tac_door_left(w->door);
    const uint64_t each = tac_share(left - sizes, 0.5 / rounds);
    refinement r;

    TAC_TRY(open_refinement(w, &r));
    for (int32_t t = 0; t < rounds; t++) {
        tac_show_progress(w->ctx, "refining the subspaces", (double)t / rounds);
        TAC_TRY(round_of(&r, t, each));
    }
    tac_show_progress(w->ctx, "refining the subspaces", 1);
    TAC_TRY(write_result(&r, out));
    out->rounds = rounds;
    TAC_TRY(add_notes(&r, out));
done:
    close_refinement(&r);
    return status;
}
