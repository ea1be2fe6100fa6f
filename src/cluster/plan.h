/* SPDX-License-Identifier: Apache-2.0 */
/* A plan: what a run would ask. Filled by the methods' own schedules, for any family. */
#ifndef TAC_PLAN_H
#define TAC_PLAN_H

#include "core/core.h"

enum { TAC_PLAN_STEPS = 12 };

struct tacit_plan {
    int32_t steps;
    tacit_plan_step step[TAC_PLAN_STEPS];
    char what[TAC_PLAN_STEPS][96], error_of[TAC_PLAN_STEPS][96];
    char advice[512];
};

/* Refuses a guess of the number of rows that is none. */
tacit_status tac_plan_check(tacit_ctx *ctx, double rows_about);
/* One more step of a plan; strings are copied. The advice: the last one given stays. */
tacit_status tac_plan_add(tacit_ctx *ctx, tacit_plan *plan, const tacit_plan_step *step);
void tac_plan_advise(tacit_plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
