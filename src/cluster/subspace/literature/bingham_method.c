/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of hard assignment to public subspaces and one joint draw of new ones by the exponential
   mechanism: exact matrix Bingham draws, or vector by vector where those would be rejected for too
   long. Which, and how many rounds, follows from a paid count and public numbers alone. Sizes are a
   paid histogram under the last subspaces. Kept to compare with: the distribution of the draws is
   exact in real arithmetic only (bingham.proof.md). */
#include "cluster/subspace/subspace_run.h"
#include "privacy/draws/draws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* shares of the budget for the count and the sizes */
#define ROWS_SHARE 0.02
#define SIZES_SHARE 0.04
/* exponent times rows of a cell that a round needs to be worth having: measured on the paper's two
   synthetic sets */
#define STRONG 50.0

typedef struct schedule {
    uint64_t count_quanta, sizes_quanta, round_quanta;
    int32_t rounds;
    bool by_column;
    double exponent;
} schedule;

static double exponent_of(const tac_privacy_params *params, int32_t q, bool by_column,
                          uint64_t quanta)
{
    return tac_bingham_exponent(params, tac_quote_bingham(params, q, by_column, quanta));
}

/* The most rounds of 10, 5 and 3 whose draws are still strong, or as asked; whole subspaces if a
   rejection sampler can draw them, else vector by vector. rows: about how many; most: an upper
   bound, nearly surely. */
static tacit_status schedule_for(tacit_ctx *ctx, const tac_privacy_params *params, uint64_t budget,
                                 int32_t dims, int32_t k, int32_t q, int32_t asked, double rows,
                                 double most, schedule *s)
{
    static const int32_t choices[] = {10, 5, 3};
    tacit_status status = TACIT_OK;

    *s = (schedule){.count_quanta = tac_share(budget, ROWS_SHARE),
                    .sizes_quanta = tac_share(budget, SIZES_SHARE)};
    const uint64_t left = budget - s->count_quanta - s->sizes_quanta;
    for (size_t i = 0; i < (asked > 0 ? 1 : sizeof choices / sizeof *choices); i++) {
        bool feasible = true;
        s->rounds = asked > 0 ? asked : choices[i];
        s->round_quanta = left / (uint64_t)s->rounds;
        s->exponent = exponent_of(params, q, false, s->round_quanta);
        /* a vector, or all but one, is always drawn soon; all rows may fall into one cell */
        for (int all = 0; all < 2 && q > 1 && q < dims - 1 && feasible; all++)
            TAC_TRY(tac_bingham_feasible(ctx, dims, q, all ? most : 2 * most / k, s->exponent,
                                         &feasible));
        s->by_column = !feasible;
        if (!feasible) s->exponent = exponent_of(params, q, true, s->round_quanta);
        if (s->exponent * rows / k >= STRONG) break;
    }
done:
    return status;
}

static tacit_status count_rows(const tac_subspace_job *job, uint64_t quanta, double *rows,
                               double *sd)
{
    tacit_status status = TACIT_OK;
    int64_t answer;

    TAC_TRY(tac_door_count(job->door, "number of rows", quanta, &answer));
    *rows = fmax(1, ldexp((double)answer, -TAC_COUNT_GRID));
    *sd = ldexp(tac_last_sd(job->door), -TAC_COUNT_GRID);
done:
    return status;
}

static tacit_status sizes_of(const tac_subspace_job *job, uint64_t quanta, const tac_cells *cells,
                             tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    int64_t *answer = NULL;

    TAC_TRY(tac_new(job->ctx, (size_t)job->k, sizeof *answer, &answer));
    TAC_TRY(tac_door_histogram(job->door, "sizes", quanta, cells, answer));
    for (int32_t s = 0; s < job->k; s++) out->sizes[s] = ldexp((double)answer[s], -TAC_COUNT_GRID);
    out->sizes_sd = ldexp(tac_last_sd(job->door), -TAC_COUNT_GRID);
done:
    tac_free(answer);
    return status;
}

/* Notes for the reader, from public numbers and the noisy count. */
static tacit_status say(const tac_subspace_job *job, const schedule *s, double rows,
                        tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_note(job->ctx, &out->notes,
                     "the guarantee holds in real arithmetic, and the draws were in double "
                     "precision: to compare with; method auto is proved to the last bit"));
    if (s->by_column)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "subspaces were drawn vector by vector, which needs more budget: whole "
                         "ones would have been rejected for too long at this number of rows and "
                         "columns"));
    if (s->exponent * rows / job->k < STRONG / 5)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "the budget is too small for this number of rows: the subspaces are "
                         "mostly chance"));
done:
    return status;
}

/* Queries: count, one joint draw per round, sizes. The start is public. */
tacit_status tac_subspace_bingham(const tac_subspace_job *job, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(job->door);
    const uint64_t budget = tac_door_left(job->door);
    const int32_t k = job->k, q = job->q, dims = job->dims;
    const size_t each = (size_t)q * (size_t)dims, numbers = (size_t)k * each;
    int16_t *bases = NULL, *drawn = NULL;
    schedule s;
    double rows, sd;

    TAC_TRY(tac_subspace_result_new(job->ctx, k, q, dims, out));
    TAC_TRY(tac_new(job->ctx, numbers, sizeof *bases, &bases));
    TAC_TRY(tac_new(job->ctx, numbers, sizeof *drawn, &drawn));
    TAC_TRY(count_rows(job, tac_share(budget, ROWS_SHARE), &rows, &sd));
    TAC_TRY(schedule_for(job->ctx, &params, budget, dims, k, q, job->opts->rounds, rows,
                         rows + 3 * sd, &s));
    const tac_cells cells = {.kind = TAC_SUBSPACES, .count = k, .bases = bases, .rank = q};
    for (int32_t c = 0; c < k; c++)
        tac_draw_frame(job->random, 0, q, dims, out->bases + (size_t)c * each);
    tac_subspace_round(out->bases, numbers, bases);
    for (int32_t t = 0; t < s.rounds; t++) {
        tac_show_progress(job->ctx, "draws of subspaces", (double)t / s.rounds);
        TAC_TRY(tac_door_bingham(
            job->door, "draw of subspaces", s.round_quanta,
            &(tac_bingham){.cells = &cells, .rank = q, .by_column = s.by_column}, drawn));
        memcpy(bases, drawn, numbers * sizeof *bases);
    }
    tac_show_progress(job->ctx, "draws of subspaces", 1);
    tac_subspace_rebuild(bases, k, q, dims, out->bases);
    TAC_TRY(sizes_of(job, s.sizes_quanta, &cells, out));
    out->rounds = s.rounds;
    TAC_TRY(say(job, &s, rows, out));
done:
    tac_free(bases);
    tac_free(drawn);
    return status;
}
