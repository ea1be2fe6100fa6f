/* SPDX-License-Identifier: Apache-2.0 */
/* What auto would ask about single entries, and whether a budget can pay for it. */
#include "cluster/cocluster/entry.h"
#include "cluster/cocluster/entry/schedule.h"

#include <math.h>
#include <stdio.h>

static tac_entry_schedule schedule(const tac_cocluster_terms *t, double rows)
{
    return tac_entry_plan_steps(t->opts, t->epsilon, t->delta, t->budget, (int64_t)rows, t->k, t->l);
}

tacit_status tac_cocluster_entry_check(const tac_cocluster_terms *t)
{
    const tac_entry_schedule s = schedule(t, 1e6);

    if (tac_quote_labels(&t->terms, s.last_draw) != 0 && tac_quote_table(&t->terms, s.last_wide) != 0 &&
        tac_quote_table(&t->terms, s.table) != 0 && tac_entry_labels_check(t))
        return TACIT_OK;
    return tac_fail(t->ctx, TACIT_E_ARGUMENT, "epsilon is too small for co-clustering: the noise would not fit 64-bit "
                    "numbers; raise it");
}

tacit_status tac_cocluster_entry_plan(const tac_cocluster_terms *t, double rows, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    const tac_entry_schedule s = schedule(t, rows);
    const double sd = tac_entry_table_sd(&t->terms, s.wide), whole = t->budget > 0 ? (double)t->budget : 1;
    const double draws = (double)s.last_draw + (s.passes - 1) * (double)s.draw;
    const double wides = (double)s.last_wide + (s.passes - 1) * (double)s.wide;
    char what[96];

    snprintf(what, sizeof what, "profiles of the rows of %d batches, which cost what one costs", s.batches);
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = what, .noise = "exponential mechanism",
                .times = s.batches * s.passes, .share = draws / whole, .error = NAN, .error_of = ""}));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "columns of the profiles, batch by batch",
                .noise = tac_entry_noise(&t->terms), .times = s.batches * s.passes, .share = wides / whole, .error = sd,
                .error_of = "counts, each column of a profile"}));
    TAC_TRY(tac_plan_add(t->ctx, plan, &(tacit_plan_step){.what = "table of the profiles, in the last batch",
                .noise = tac_entry_noise(&t->terms), .times = 1, .share = (double)s.table / whole,
                .error = tac_entry_table_sd(&t->terms, s.table) * s.batches, .error_of = "counts, each cell of the table"}));
    TAC_TRY(tac_entry_labels_plan(t, plan));
    tac_plan_advise(plan, "A column should occur well over %.3g times in all to say anything: %d batches x %d profiles "
                    "share its counts, each with noise of %.3g.%s", sd * sqrt((double)s.batches) * s.profiles, s.batches,
                    s.profiles, sd, t->delta > 0 ? " With delta = 0 the same epsilon has less noise." : "");
done:
    return status;
}
