/* SPDX-License-Identifier: Apache-2.0 */
/* Which column of the data is which of the model's: by name, or by number where
   nobody named them. */
#ifndef TAC_MODEL_COLUMNS_H
#define TAC_MODEL_COLUMNS_H

#include "data/dataset/dataset.h"
#include "release/model.h"

/* from[j]: which column of the data has the name of the model's column j. None: refused or, if
   `may_lack`, -1. */
tacit_status tac_match_columns(tacit_ctx *ctx, const tacit_model *model, const tacit_data *data,
                               bool may_lack, int32_t *from);

#endif
