/* SPDX-License-Identifier: Apache-2.0 */
/* For the data owner, NOT private: a table of counts and which clusters of a released co-clustering
   its rows and columns are in. */
#ifndef TAC_OWNER_COUNTS_H
#define TAC_OWNER_COUNTS_H

#include "data/lattice/counts.h"
#include "release/model.h"

typedef struct tac_owner_counts {
    tac_counts counts;
    /* counts.columns: column j is the model's column[j], or -1: the model does not know it */
    int32_t *column;
    int32_t *label; /* counts.rows: the row cluster that the model's rule gives */
} tac_owner_counts;

/* Loads the rows as counts and applies the rule. Refuses data that lacks a column of the model; of
   a sparse file, only if they have none in common: what it does not mention is 0. */
tacit_status tac_owner_counts_open(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                   tac_owner_counts *out);
void tac_owner_counts_close(tac_owner_counts *counted);

/* tacit_model_evaluate for a co-clustering; all but the sizes of *e. */
tacit_status tac_evaluate_blocks(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                 int32_t restarts, tacit_evaluation *e);

#endif
