/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of any family: the receipts of a run over made-up rows, joined into steps. No row of the
   user is read for a plan. */
#include "cluster/plan.h"

#include "cluster/card.h"
#include "cluster/budget_shares.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tacit_plan_free(tacit_plan *plan)
{
    tac_free(plan);
}

int32_t tacit_plan_step_count(const tacit_plan *plan)
{
    return plan->steps;
}

tacit_status tacit_plan_step_get(const tacit_plan *plan, int32_t index, tacit_plan_step *out)
{
    if (index < 0 || index >= plan->steps) return TACIT_E_ARGUMENT;
    return tac_give_struct(NULL, "tacit_plan_step", &plan->step[index], sizeof plan->step[index],
                           out);
}

const char *tacit_plan_advice(const tacit_plan *plan)
{
    return plan->advice;
}

double tacit_plan_sizes_sd(const tacit_plan *plan)
{
    return plan->sizes_sd;
}

double tacit_plan_centers_sd(const tacit_plan *plan)
{
    return plan->centers_sd;
}

/* The batch whose queries cost most: the others cost nothing more (parallel composition). -1: no
   batch was asked. */
static int32_t most_expensive(const tac_door *door)
{
    uint64_t most = 0;
    int32_t batch = -1;

    for (int32_t i = 0; i < tac_door_asked(door); i++) {
        uint64_t quanta = 0;
        const int32_t here = tac_door_receipt(door, i)->batch;
        for (int32_t j = 0; here >= 0 && j < tac_door_asked(door); j++)
            if (tac_door_receipt(door, j)->batch == here)
                quanta += tac_door_receipt(door, j)->quanta;
        /* the last of equals */
        if ((double)quanta >= (1 - 1e-6) * (double)most && here >= 0)
            most = quanta > most ? quanta : most, batch = here;
    }
    return batch;
}

/* The step with the words of this receipt; a new one if there is none. NULL: too many. */
static tacit_plan_step *step_of(tacit_ctx *ctx, tacit_plan *plan, const tac_receipt *r)
{
    for (int32_t i = 0; i < plan->steps; i++)
        if (strcmp(plan->step[i].what, r->what) == 0) return &plan->step[i];
    if (plan->steps == TAC_PLAN_STEPS) {
        tac_fail(ctx, TACIT_E_INTERNAL, "a plan has too many steps");
        return NULL;
    }
    const int32_t i = plan->steps++;
    snprintf(plan->what[i], sizeof plan->what[i], "%s", r->what);
    plan->step[i] = (tacit_plan_step){.size = sizeof plan->step[i], .what = plan->what[i]};
    return &plan->step[i];
}

/* Error of one answer: one standard deviation of its noise, in multiples of the largest effect
   that one row or count can have. A selection compares costs under noise of its own: Gumbel
   noise, or exponential noise for permute-and-flip. NaN: not known. */
static double error_of(const tac_receipt *r, const tac_privacy_params *params)
{
    const double touched = (tac_replaces(params->neighbors) ? 2.0 : 1.0) * params->rows_per_unit;

    if (r->reach > 0) return tac_receipt_sd(r) / (double)r->reach;
    if (tac_kind_class(r->kind) != TAC_CLASS_SELECTION) return NAN;
    return (params->definition == TAC_PURE ? 1 : M_PI / sqrt(6)) * touched /
           ldexp((double)r->scale, -TAC_SELECTION_BITS);
}

/* Shares add up over the queries of a step; under neighbors entry only the most expensive batch
   counts. */
tacit_status tac_plan_receipts(tacit_ctx *ctx, const tac_run *run, tacit_plan *plan)
{
    const bool entry = run->budget.neighbors == TACIT_ENTRY;
    const int32_t batch = most_expensive(run->door);
    const tac_privacy_params params = tac_door_params(run->door);

    for (int32_t i = 0; i < tac_door_asked(run->door); i++) {
        const tac_receipt *r = tac_door_receipt(run->door, i);
        /* one noisy row; other queries add up rows or counts */
        const bool drawn = r->kind == TAC_KIND_ROW;
        tacit_plan_step *step = step_of(ctx, plan, r);
        if (step == NULL) return TACIT_E_INTERNAL;
        step->times++;
        step->noise = tac_noise_of(r, run->accountant.definition);
        step->error = error_of(r, &params);
        step->error_of = isnan(step->error) ? "" : drawn ? "radii" : entry ? "counts" : "rows";
        if (tac_is_alone(r))
            step->share = 1;
        else if (!entry || r->batch < 0 || r->batch == batch)
            step->share += (double)r->quanta / (double)run->accountant.budget;
    }
    return TACIT_OK;
}

double tac_centers_moved(const tacit_model *m)
{
    const tac_geometry *g = &m->geometry;
    double sum = 0;
    int32_t known = 0;

    if (strcmp(m->family, "kmeans") != 0 && strcmp(m->family, "kmedian") != 0) return NAN;
    for (int32_t c = 0; c < m->k; c++) {
        double squares = 0;
        for (int32_t j = 0; j < m->dims; j++)
            squares += pow(m->centers_sd[(size_t)c * (size_t)m->dims + (size_t)j] /
                               (g->ball ? g->radius : g->upper[j] - g->lower[j]),
                           2);
        /* centers that repeat others do not count; one cell without rows is not to decide */
        if (m->sizes[c] == 0 || !(squares > 0) || !isfinite(squares)) continue;
        sum += log(squares / m->dims) / 2;
        known++;
    }
    return known > 0 ? exp(sum / known) : NAN;
}

void tac_plan_advise(tacit_plan *plan, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(plan->advice, sizeof plan->advice, format, args);
    va_end(args);
}
