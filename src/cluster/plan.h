/* SPDX-License-Identifier: Apache-2.0 */
/* A plan: the queries that a run would ask, from the receipts of a run over made-up rows. */
#ifndef TAC_PLAN_H
#define TAC_PLAN_H

#include "privacy/run.h"

enum { TAC_PLAN_STEPS = 24 };

struct tacit_plan {
    int32_t steps;
    tacit_plan_step step[TAC_PLAN_STEPS];
    char what[TAC_PLAN_STEPS][96];
    char advice[512];
    double sizes_sd, centers_sd; /* of the release of the made-up rows; NaN: not known */
};

/* The receipts of a run, those with the same words in one step. A step's error is that of its last
   query. */
tacit_status tac_plan_receipts(tacit_ctx *ctx, const tac_run *run, tacit_plan *plan);
/* The advice: the last one given stays. */
void tac_plan_advise(tacit_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
