/* SPDX-License-Identifier: Apache-2.0 */
/* For the data owner, NOT private, and for plans, whose rows are nobody's: a release measured on
   rows. */
#ifndef TAC_EVALUATE_H
#define TAC_EVALUATE_H

#include "release/model.h"

/* tacit_model_evaluate, with a plain solver that has k centers or subspaces, whatever the model
   has. Co-clusterings compare with as many clusters as were asked for. */
tacit_status tac_model_measure(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                               int32_t k, int32_t restarts, tacit_evaluation *out);

#endif
