/* SPDX-License-Identifier: Apache-2.0 */
/* What a plan that was tried says: the verdict, what it comes from, and what would do. */
#include "plan/plan_trials.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SEPARATED = 0, TEXT = 400 };

typedef struct words {
    const char *plain, *trivial, *fewer;
} words;

static const words of_family[] = {
    [TAC_PLAN_MEANS] = {"plain k-means", "one mean of all rows", "fewer centers or columns"},
    [TAC_PLAN_MEDIAN] = {"plain k-median", "one median of all rows", "fewer centers or columns"},
    [TAC_PLAN_SUBSPACE] = {"plain k-plane", "one subspace for all rows",
                           "fewer or smaller subspaces, or fewer columns"},
    [TAC_PLAN_BLOCKS] = {"plain Fast-tauCC", "one block", "fewer clusters"},
};

/* What the release comes to on typical rows. */
static void say_outcome(tac_planned family, const tacit_forecast *f, char *text)
{
    const words *w = &of_family[family];
    const double percent = fmax(0, fmin(100, 100 * f->kept));

    if (family == TAC_PLAN_BLOCKS)
        snprintf(text, TEXT, "the release finds %.0f %% of the tau that %s finds", percent,
                 w->plain);
    else if (f->kept <= 0)
        snprintf(text, TEXT, "the release is no better than %s", w->trivial);
    else if (f->cost < 1.005)
        snprintf(text, TEXT, "the release is as good as %s", w->plain);
    else if (isnan(f->kept)) /* one center: nothing to gain */
        snprintf(text, TEXT, "the release costs %.3g times as much as %s", f->cost, w->plain);
    else
        snprintf(text, TEXT,
                 "the release costs %.3g times as much as %s and keeps %.0f %% of what that gains "
                 "over %s",
                 f->cost, w->plain, percent, w->trivial);
}

/* The smallest epsilon that would do, and what else helps. */
static void say_remedy(const tacit_plan *plan, char *text)
{
    const tacit_budget *b = &plan->request.budget;
    const bool usable = tacit_plan_verdict(plan) == TACIT_USABLE;
    const double least = plan->least_epsilon;
    /* whole rows of counts: Gaussian noise does far better on many columns */
    const char *delta = plan->request.family == TAC_PLAN_BLOCKS && b->delta == 0 &&
                                b->neighbors != TACIT_ENTRY && !usable
                            ? " A delta above 0, for example 1e-6, helps most."
                            : "";

    if (usable && least < b->epsilon)
        snprintf(text, TEXT, "An epsilon of %g would already do.", least);
    else if (usable)
        snprintf(text, TEXT, "A smaller epsilon would not do.");
    else if (isfinite(least))
        snprintf(text, TEXT, "An epsilon of %g would do; more rows or %s help too.%s", least,
                 of_family[plan->request.family].fewer, delta);
    else
        snprintf(text, TEXT, "No epsilon up to 20 would do: it takes more rows, or %s.%s",
                 of_family[plan->request.family].fewer, delta);
}

/* Where the run chooses a number itself: how many groups the made-up rows had. */
static void say_assumed(const tac_plan_request *r, char *text)
{
    const tac_assumed *a = &r->assumed;

    text[0] = '\0';
    if (r->family == TAC_PLAN_BLOCKS &&
        (r->blocks.row_clusters == TACIT_K_AUTO || r->blocks.column_clusters == TACIT_K_AUTO))
        snprintf(text, TEXT,
                 " The run chooses a number itself; the made-up rows had %d x %d blocks.",
                 a->clusters, a->column_clusters);
    else if (r->family == TAC_PLAN_SUBSPACE && (r->subspaces.k < 1 || r->subspaces.q < 1))
        snprintf(text, TEXT,
                 " The run chooses k or q itself; the made-up rows lay near %d subspaces of "
                 "dimension %d.",
                 a->clusters, a->directions);
    else if (r->family != TAC_PLAN_SUBSPACE && r->family != TAC_PLAN_BLOCKS &&
             r->centers.k == TACIT_K_AUTO)
        snprintf(text, TEXT,
                 " The run chooses k itself; the made-up rows had %d groups, and of overlapping "
                 "ones it may see fewer.",
                 a->clusters);
}

void tac_plan_advise_tried(tacit_plan *plan)
{
    const tacit_forecast *f = &plan->forecast[plan->deciding];
    static const char *const verdict[] = {
        [TACIT_USABLE] = "Usable", [TACIT_ROUGH] = "Rough", [TACIT_USELESS] = "Useless"};
    char outcome[TEXT], remedy[TEXT], assumed[TEXT], caveat[sizeof plan->advice];

    snprintf(caveat, sizeof caveat, "%s", plan->advice);
    say_outcome(plan->request.family, f, outcome);
    say_remedy(plan, remedy);
    say_assumed(&plan->request, assumed);
    tac_plan_advise(plan, "%s: on %s, %s. %s%s%s%s", verdict[f->verdict],
                    plan->deciding == SEPARATED ? "well separated groups, which it must not lose"
                                                : "overlapping groups, as most tables have them",
                    outcome, remedy, assumed, *caveat != '\0' ? " " : "", caveat);
}
