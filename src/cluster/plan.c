/* SPDX-License-Identifier: Apache-2.0 */
/* Plans, whatever family they are of. */
#include "cluster/plan.h"

#include <stdarg.h>
#include <stdio.h>

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
    return tac_give_struct(NULL, "tacit_plan_step", &plan->step[index], sizeof plan->step[index], out);
}

const char *tacit_plan_advice(const tacit_plan *plan)
{
    return plan->advice;
}

tacit_status tac_plan_check(tacit_ctx *ctx, double rows_about)
{
    if (rows_about >= 1 && rows_about <= 1e15) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_ARGUMENT, "rows about must be a guess of the number of rows, 1 or more");
}

tacit_status tac_plan_add(tacit_ctx *ctx, tacit_plan *plan, const tacit_plan_step *step)
{
    const int32_t i = plan->steps;

    if (i == TAC_PLAN_STEPS) return tac_fail(ctx, TACIT_E_INTERNAL, "a plan has too many steps");
    snprintf(plan->what[i], sizeof plan->what[i], "%s", step->what);
    snprintf(plan->error_of[i], sizeof plan->error_of[i], "%s", step->error_of);
    plan->step[i] = *step;
    plan->step[i].size = sizeof *step;
    plan->step[i].what = plan->what[i];
    plan->step[i].error_of = plan->error_of[i];
    plan->steps++;
    return TACIT_OK;
}

void tac_plan_advise(tacit_plan *plan, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(plan->advice, sizeof plan->advice, format, args);
    va_end(args);
}
