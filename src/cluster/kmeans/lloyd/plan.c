/* SPDX-License-Identifier: Apache-2.0 */
/* What noisy Lloyd would ask. */
#include "cluster/kmeans/lloyd/lloyd.h"

#include <math.h>
#include <stdio.h>

static void advise(const tac_lloyd_schedule *s, int32_t k, double error, tacit_plan *plan)
{
    if (s->k < k)
        tac_plan_advise(plan, "With so few rows this budget tells only about %d of %d centres apart; the others would "
                        "repeat them. Ask for fewer centres, use fewer columns or a larger epsilon.", s->k, k);
    else if (error > 0.1)
        tac_plan_advise(plan, "Expect rough centres: the noise moves each coordinate by a tenth of its range or more. Fewer "
                        "centres or columns, tighter bounds or a larger epsilon help.");
    else
        tac_plan_advise(plan, "This should be usable if clusters are further apart than the error of the last step; "
                        "clusters much smaller than rows / k have larger errors.");
}

/* The count, the rounds before the last, the last round: the one that is released. */
tacit_status tac_lloyd_plan(const tac_kmeans_terms *t, double rows, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    const tac_law law = t->terms.notion == TAC_PURE ? TAC_LAPLACE : TAC_GAUSSIAN;
    const char *noise = law == TAC_LAPLACE ? "discrete Laplace" : "discrete Gaussian";
    const uint64_t count_units = tac_lloyd_count_units(t->budget);
    const double rows_sd = ldexp(tac_noise_sd(law, tac_quote_count(&t->terms, count_units)), -TAC_COUNT_GRID);
    const tac_lloyd_schedule s =
        tac_lloyd_schedule_for(t->terms.notion, t->budget, t->opts->k, t->columns, rows, rows_sd, t->opts->rounds);
    char what[96], error_of[96];
    const double unit = tac_plan_unit(t, error_of, sizeof error_of);
    double error = 0;

    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "number of rows", .noise = noise, .times = 1,
                         .share = (double)count_units / (double)t->budget, .error = rows_sd, .error_of = "rows"}));
    for (int last = s.rounds > 1 ? 0 : 1; last < 2; last++) {
        const int32_t from = last ? s.rounds - 1 : 0, times = last ? 1 : s.rounds - 1;
        double share = 0;
        for (int32_t i = from; i < from + times; i++) share += (double)tac_lloyd_round_units(&s, i) / (double)t->budget;
        const uint64_t scale = tac_quote_sums(&t->terms, t->columns, s.count_weight, tac_lloyd_round_units(&s, from));
        error = tac_noise_sd(law, scale) / (rows / s.k) / unit;
        snprintf(what, sizeof what, "sums and counts of %d cells, %s", s.k,
                 last ? "last round" : "earlier rounds (error of the first)");
        TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = what, .noise = noise, .times = times, .share = share,
                                                              .error = error, .error_of = error_of}));
    }
    advise(&s, t->opts->k, error, plan);
done:
    return status;
}
