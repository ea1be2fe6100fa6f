/* SPDX-License-Identifier: Apache-2.0 */
/* What the clusters of a k-means or k-median release are like, from its own numbers. */
#ifndef TAC_EXPLAIN_H
#define TAC_EXPLAIN_H

#include "release/model.h"

/* Fills spread, overall and distinct from centers, sizes and noisy variances of the rows about
   their centers (k x dims, original units squared, may be negative; NULL: not known) with the
   standard deviations of their noise. Once per model. */
tacit_status tac_model_explain(tacit_ctx *ctx, tacit_model *model, const double *variance,
                               const double *variance_sd);

#endif
