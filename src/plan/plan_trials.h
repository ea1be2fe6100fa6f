/* SPDX-License-Identifier: Apache-2.0 */
/* A plan tried out: the method runs on made-up rows and its release is measured on them, exactly.
   The rows are nobody's, so nothing of this is private and nothing is spent. */
#ifndef TAC_PLAN_TRIALS_H
#define TAC_PLAN_TRIALS_H

#include "cluster/plan.h"

/* What came of one run on made-up rows. */
typedef struct tac_trial {
    double cost, plain, trivial; /* of the release, the plain solver, the trivial answer */
    double lost;                 /* see tacit_forecast */
} tac_trial;

/* Medians and ranges of some trials, and what they are worth. */
void tac_forecast_trials(tac_planned family, const tac_trial *trial, int32_t trials,
                         tacit_forecast *out);

/* Writes the plan's advice from its forecasts. */
void tac_plan_advise_tried(tacit_plan *plan);

#endif
