/* SPDX-License-Identifier: Apache-2.0 */
/* What a k-means run would ask, and how large its noise would be: no row and no ledger is touched. */
#include "cluster/kmeans/lloyd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEPS 3 /* the count, the rounds before the last, the last round: the one that is released */

struct tacit_plan {
    int32_t steps;
    tacit_plan_step step[STEPS];
    char what[STEPS][96], error_of[STEPS][96];
    char advice[512];
};

void tacit_plan_free(tacit_plan *plan)
{
    tac_free(plan);
}

int32_t tacit_plan_steps(const tacit_plan *plan)
{
    return plan->steps;
}

void tacit_plan_step_init(tacit_plan_step *step, size_t size)
{
    memset(step, 0, size);
    step->size = size;
}

tacit_status tacit_plan_get(const tacit_plan *plan, int32_t index, tacit_plan_step *out)
{
    const size_t size = out->size;

    if (index < 0 || index >= plan->steps || size <= sizeof size || size > sizeof *out) return TACIT_E_ARGUMENT;
    memcpy(out, &plan->step[index], size);
    out->size = size;
    return TACIT_OK;
}

const char *tacit_plan_advice(const tacit_plan *plan)
{
    return plan->advice;
}

/* In what words a centre's error is told, and how long that is on the lattice. */
static double error_unit(const tacit_data *data, tacit_scale scale, char *words, size_t room)
{
    const int32_t dims = data->selection.dims;

    if (data->domain.kind == TAC_DOMAIN_BALL) {
        snprintf(words, room, "of the radius, each coordinate of a centre");
        return TAC_M;
    }
    if (scale == TACIT_SCALE_RANGE) {
        snprintf(words, room, "of a column's declared range, each coordinate of a centre");
        return 2 * TAC_M / sqrt(dims);
    }
    snprintf(words, room, "of the declared domain's half diagonal, each coordinate of a centre");
    return TAC_M;
}

static void advise(const tac_lloyd_schedule *s, int32_t k, double error, char *out, size_t room)
{
    if (s->k < k)
        snprintf(out, room, "With so few rows this budget tells only about %d of %d centres apart; the others would repeat "
                 "them. Ask for fewer centres, use fewer columns or a larger epsilon.", s->k, k);
    else if (error > 0.1)
        snprintf(out, room, "Expect rough centres: the noise moves each coordinate by a tenth of its range or more. Fewer "
                 "centres or columns, tighter bounds or a larger epsilon help.");
    else
        snprintf(out, room, "This should be usable if clusters are further apart than the error of the last step; clusters "
                 "much smaller than rows / k have larger errors.");
}

static void fill_steps(tacit_plan *p, const tac_terms *terms, uint64_t budget, const tac_lloyd_schedule *s,
                       const tacit_data *data, const tacit_kmeans_opts *o, double rows, double rows_sd)
{
    const tac_law law = terms->notion == TAC_PURE ? TAC_LAPLACE : TAC_GAUSSIAN;
    const char *noise = law == TAC_LAPLACE ? "discrete Laplace" : "discrete Gaussian";
    const double unit = error_unit(data, o->scale, p->error_of[1], sizeof p->error_of[1]);

    memcpy(p->error_of[2], p->error_of[1], sizeof p->error_of[2]);
    p->step[0] = (tacit_plan_step){.size = sizeof p->step[0], .what = "number of rows", .noise = noise, .times = 1,
                                   .share = (double)tac_lloyd_count_units(budget) / (double)budget, .error = rows_sd,
                                   .error_of = "rows"};
    p->steps = 1;
    for (int last = s->rounds > 1 ? 0 : 1; last < 2; last++) {
        const int32_t t = last ? s->rounds - 1 : 0, times = last ? 1 : s->rounds - 1;
        tacit_plan_step *step = &p->step[p->steps];
        double share = 0;
        for (int32_t i = t; i < t + times; i++) share += (double)tac_lloyd_round_units(s, i) / (double)budget;
        const uint64_t scale = tac_quote_sums(terms, data->selection.dims, s->count_weight, tac_lloyd_round_units(s, t));
        snprintf(p->what[p->steps], sizeof p->what[0], "sums and counts of %d cells, %s", s->k,
                 last ? "last round" : "earlier rounds (error of the first)");
        *step = (tacit_plan_step){.size = sizeof *step, .what = p->what[p->steps], .noise = noise, .times = times,
                                  .share = share, .error = tac_noise_sd(law, scale) / (rows / s->k) / unit,
                                  .error_of = p->error_of[p->steps]};
        p->steps++;
    }
}

tacit_status tacit_kmeans_plan(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget,
                               const tacit_kmeans_opts *opts, double rows_about, tacit_plan **out)
{
    tacit_status status = TACIT_OK;
    tacit_budget b;
    tacit_kmeans_opts o;
    tacit_plan *plan = NULL;

    *out = NULL;
    if (!isfinite(rows_about) || rows_about < 1 || rows_about > 1e15)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "rows about must be a guess of the number of rows, 1 or more");
    TAC_TRY(tac_kmeans_read_opts(ctx, opts, &o));
    TAC_TRY(tac_run_check(ctx, data, budget, &b));
    TAC_TRY(tac_new(ctx, 1, sizeof *plan, &plan));
    const tac_terms terms = tac_run_terms(data, &b);
    const uint64_t units = tac_budget_units(terms.notion, b.epsilon, b.delta);
    TAC_TRY(tac_lloyd_check(ctx, &terms, units, data->selection.dims, &o));
    const uint64_t scale = tac_quote_count(&terms, tac_lloyd_count_units(units));
    const double rows_sd = ldexp(tac_noise_sd(terms.notion == TAC_PURE ? TAC_LAPLACE : TAC_GAUSSIAN, scale), -TAC_COUNT_GRID);
    const tac_lloyd_schedule schedule =
        tac_lloyd_plan(terms.notion, units, o.k, data->selection.dims, rows_about, rows_sd, o.rounds);
    fill_steps(plan, &terms, units, &schedule, data, &o, rows_about, rows_sd);
    advise(&schedule, o.k, plan->step[plan->steps - 1].error, plan->advice, sizeof plan->advice);
    *out = plan;
    plan = NULL;
done:
    tac_free(plan);
    return status;
}
