/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of hard assignment to public subspaces and one joint draw of new ones by the exponential mechanism: exact matrix
   Bingham draws, or vector by vector where those would be rejected for too long. Which, and how many rounds, follows from a
   paid count and public numbers alone. Sizes are a paid histogram under the last subspaces. Kept to compare with: the law of
   the draws is exact in real arithmetic only (bingham.proof.md). */
#include "cluster/subspace/subspace.h"
#include "privacy/draws/draws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROWS_SHARE 0.02
#define SIZES_SHARE 0.04
#define STRONG 50.0 /* exponent times rows of a cell that a round needs to be worth having: measured on the paper's two
                       synthetic sets */

typedef struct schedule {
    uint64_t count_units, sizes_units, round_units;
    int32_t rounds;
    bool by_column;
    double exponent;
} schedule;

static double exponent_of(const tac_terms *terms, int32_t q, bool by_column, uint64_t units)
{
    return tac_bingham_exponent(terms, tac_quote_bingham(terms, q, by_column, units));
}

/* rows: about how many; most: hardly more than so many. */
static tacit_status schedule_for(tacit_ctx *ctx, const tac_terms *terms, uint64_t budget, int32_t dims, int32_t k, int32_t q,
                                 int32_t asked, double rows, double most, schedule *s)
{
    static const int32_t choices[] = {10, 5, 3};
    tacit_status status = TACIT_OK;

    *s = (schedule){.count_units = tac_share(budget, ROWS_SHARE), .sizes_units = tac_share(budget, SIZES_SHARE)};
    const uint64_t left = budget - s->count_units - s->sizes_units;
    for (size_t i = 0; i < (asked > 0 ? 1 : sizeof choices / sizeof *choices); i++) {
        bool feasible = true;
        s->rounds = asked > 0 ? asked : choices[i];
        s->round_units = left / (uint64_t)s->rounds;
        s->exponent = exponent_of(terms, q, false, s->round_units);
        if (q > 1 && q < dims - 1) /* a vector, or all but one, is always drawn soon */
            TAC_TRY(tac_bingham_feasible(ctx, dims, q, 2 * most / k, s->exponent, &feasible));
        s->by_column = !feasible;
        if (!feasible) s->exponent = exponent_of(terms, q, true, s->round_units);
        if (s->exponent * rows / k >= STRONG) break;
    }
done:
    return status;
}

static tacit_status count_rows(const tac_subspace_job *job, uint64_t units, double *rows, double *sd)
{
    tacit_status status = TACIT_OK;
    int64_t answer;

    TAC_TRY(tac_door_count(job->door, "number of rows", units, &answer));
    *rows = fmax(1, ldexp((double)answer, -TAC_COUNT_GRID));
    *sd = ldexp(tac_last_sd(job->door), -TAC_COUNT_GRID);
done:
    return status;
}

static tacit_status sizes_of(const tac_subspace_job *job, uint64_t units, const tac_cells *cells, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    int64_t *answer = NULL;

    TAC_TRY(tac_new(job->ctx, (size_t)job->k, sizeof *answer, &answer));
    TAC_TRY(tac_door_histogram(job->door, "sizes", units, cells, answer));
    for (int32_t s = 0; s < job->k; s++) out->sizes[s] = ldexp((double)answer[s], -TAC_COUNT_GRID);
    out->sizes_sd = ldexp(tac_last_sd(job->door), -TAC_COUNT_GRID);
done:
    tac_free(answer);
    return status;
}

static tacit_status say(const tac_subspace_job *job, const schedule *s, double rows, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_note(job->ctx, &out->notes, "the guarantee holds in real arithmetic, and the draws were in double precision: to compare "
                     "with; method auto is proved to the last bit"));
    if (s->by_column)
        TAC_TRY(tac_note(job->ctx, &out->notes, "subspaces were drawn vector by vector, which needs more budget: whole "
                         "ones would have been rejected for too long at this number of rows and columns"));
    if (s->exponent * rows / job->k < STRONG / 5)
        TAC_TRY(tac_note(job->ctx, &out->notes, "the budget is too small for this number of rows: the subspaces are "
                         "mostly chance"));
done:
    return status;
}

tacit_status tac_subspace_bingham(const tac_subspace_job *job, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_terms terms = tac_door_terms(job->door);
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
    TAC_TRY(schedule_for(job->ctx, &terms, budget, dims, k, q, job->opts->rounds, rows, rows + 3 * sd, &s));
    const tac_cells cells = {.kind = TAC_SUBSPACES, .count = k, .bases = bases, .rank = q};
    for (int32_t c = 0; c < k; c++) tac_draw_frame(job->random, 0, q, dims, out->bases + (size_t)c * each);
    tac_subspace_round(out->bases, numbers, bases);
    for (int32_t t = 0; t < s.rounds; t++) {
        tac_show_progress(job->ctx, "draws of subspaces", (double)t / s.rounds);
        TAC_TRY(tac_door_bingham(job->door, "draw of subspaces", s.round_units,
                                 &(tac_bingham){.cells = &cells, .rank = q, .by_column = s.by_column}, drawn));
        memcpy(bases, drawn, numbers * sizeof *bases);
    }
    tac_show_progress(job->ctx, "draws of subspaces", 1);
    tac_subspace_rebuild(bases, k, q, dims, out->bases);
    TAC_TRY(sizes_of(job, s.sizes_units, &cells, out));
    out->rounds = s.rounds;
    TAC_TRY(say(job, &s, rows, out));
done:
    tac_free(bases);
    tac_free(drawn);
    return status;
}

tacit_status tac_subspace_bingham_check(const tac_subspace_terms *t)
{
    const int32_t rounds = t->opts->rounds > 0 ? t->opts->rounds : 10;
    const uint64_t count = tac_share(t->budget, ROWS_SHARE), sizes = tac_share(t->budget, SIZES_SHARE);

    if (tac_quote_count(&t->terms, count) > 0 && tac_quote_histogram(&t->terms, sizes) > 0 &&
        tac_quote_bingham(&t->terms, t->q, true, (t->budget - count - sizes) / (uint64_t)rounds) > 0)
        return TACIT_OK;
    return tac_fail(t->ctx, TACIT_E_ARGUMENT, "epsilon is too small for %d rounds of draws; raise epsilon or ask for "
                    "fewer rounds", rounds);
}

/* One vector of a subspace whose rows fill it evenly: variance 1 / (2 a gap) in each other direction, gap = rows / (k q). */
tacit_status tac_subspace_bingham_plan(const tac_subspace_terms *t, double rows, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    const tac_law law = t->terms.notion == TAC_PURE ? TAC_LAPLACE : TAC_GAUSSIAN;
    const char *noise = law == TAC_LAPLACE ? "discrete Laplace" : "discrete Gaussian";
    const double budget = (double)t->budget;
    char what[96];
    schedule s;

    const double count_sd = ldexp(tac_noise_sd(law, tac_quote_count(&t->terms, tac_share(t->budget, ROWS_SHARE))),
                                  -TAC_COUNT_GRID);
    TAC_TRY(schedule_for(t->ctx, &t->terms, t->budget, t->dims, t->k, t->q, t->opts->rounds, rows, rows + 3 * count_sd, &s));
    const double size_sd = ldexp(tac_noise_sd(law, tac_quote_histogram(&t->terms, s.sizes_units)), -TAC_COUNT_GRID);
    const double angle = fmin(1, 1 / sqrt(2 * s.exponent * rows / t->k / t->q));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "number of rows", .noise = noise, .times = 1,
                         .share = (double)s.count_units / budget, .error = count_sd, .error_of = "rows"}));
    snprintf(what, sizeof what, "%d subspaces drawn by second moments%s", t->k, s.by_column ? ", vector by vector" : "");
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = what, .noise = "exponential mechanism, in real arithmetic", .times = s.rounds,
                         .share = (double)s.round_units * s.rounds / budget, .error = angle,
                         .error_of = "sine of an angle, in each direction"}));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "sizes", .noise = noise, .times = 1,
                         .share = (double)s.sizes_units / budget, .error = size_sd, .error_of = "rows"}));
    if (s.exponent * rows / t->k < STRONG / 5)
        tac_plan_advise(plan, "With so few rows this budget draws subspaces that are mostly chance. Use more rows, a "
                        "larger epsilon or method auto.");
    else
        tac_plan_advise(plan, "Errors are for rows that fill their subspaces evenly out to the declared radius. A random "
                        "start may end in the wrong subspaces; method auto is better.");
done:
    return status;
}
