/* SPDX-License-Identifier: Apache-2.0 */
/* From trials to a verdict. The thresholds are public and stand in tacit.h. */
#include "plan/plan_trials.h"

#include <math.h>
#include <stdlib.h>

#define USABLE_COST 1.25
#define USABLE_KEPT 0.5
#define USELESS_COST 4
#define USELESS_KEPT 0.25
/* Subspaces: costs near 0 have no ratio that says anything. */
#define USABLE_KEPT_FLAT 0.75
/* Tau falls fast with columns that noise leaves out, while rows are still placed well; and plain
   tau is of the very rows it was fitted to. */
#define USABLE_TAU 0.5
#define USELESS_TAU 0.1

const char *tacit_verdict_name(tacit_verdict verdict)
{
    static const char *const name[] = {"unknown", "usable", "rough", "useless"};

    return verdict >= TACIT_USABLE && verdict <= TACIT_USELESS ? name[verdict] : name[0];
}

/* kept NaN: nothing to gain, and the cost alone decides. */
static tacit_verdict judge(tac_planned family, double cost, double kept)
{
    if (family == TAC_PLAN_BLOCKS)
        return kept < USELESS_TAU ? TACIT_USELESS : kept < USABLE_TAU ? TACIT_ROUGH : TACIT_USABLE;
    if (family == TAC_PLAN_SUBSPACE && !isnan(kept))
        return kept < USELESS_KEPT       ? TACIT_USELESS
               : kept < USABLE_KEPT_FLAT ? TACIT_ROUGH
                                         : TACIT_USABLE;
    if (kept < USELESS_KEPT || !(cost <= USELESS_COST)) return TACIT_USELESS;
    return cost <= USABLE_COST && !(kept < USABLE_KEPT) ? TACIT_USABLE : TACIT_ROUGH;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

enum { MOST = 16 }; /* trials */

/* Sorts; NaN if any is. */
static void spread_of(double *value, int32_t count, double *median, double *least, double *most)
{
    *median = *least = *most = NAN;
    for (int32_t i = 0; i < count; i++)
        if (isnan(value[i])) return;
    qsort(value, (size_t)count, sizeof *value, ascending);
    *median = (value[(count - 1) / 2] + value[count / 2]) / 2;
    *least = value[0];
    *most = value[count - 1];
}

/* kept = (trivial - cost) / (trivial - plain). */
void tac_forecast_trials(tac_planned family, const tac_trial *trial, int32_t trials,
                         tacit_forecast *out)
{
    double cost[MOST], kept[MOST], trivial[MOST], lost = 0, unused;

    trials = trials < MOST ? trials : MOST;
    for (int32_t i = 0; i < trials; i++) {
        const tac_trial *t = &trial[i];
        const double gain = t->trivial - t->plain;
        cost[i] = t->plain > 0 ? t->cost / t->plain : t->cost > 0 ? INFINITY : 1;
        trivial[i] = t->plain > 0 ? t->trivial / t->plain : INFINITY;
        kept[i] = gain > 1e-9 * t->trivial ? (t->trivial - t->cost) / gain : NAN;
        lost += t->lost / trials;
    }
    out->trials = trials;
    spread_of(cost, trials, &out->cost, &out->cost_least, &out->cost_most);
    spread_of(kept, trials, &out->kept, &out->kept_least, &out->kept_most);
    spread_of(trivial, trials, &out->trivial, &unused, &unused);
    out->lost = lost;
    out->verdict = judge(family, out->cost, out->kept);
    if (family == TAC_PLAN_BLOCKS)
        out->cost = out->cost_least = out->cost_most = out->trivial = NAN;
}
