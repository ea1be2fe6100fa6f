/* SPDX-License-Identifier: Apache-2.0 */
/* What a range and a ball must be, whoever declares them. */
#ifndef TAC_DOMAIN_H
#define TAC_DOMAIN_H

#include "data/dataset/dataset.h"

/* Finite, in order, not equal, neither too large nor too near each other. column: for the
   sentence. */
tacit_status tac_check_bound(tacit_ctx *ctx, const char *column, double lower, double upper);
/* center may be NULL. */
tacit_status tac_check_ball(tacit_ctx *ctx, double radius, const double *center, int32_t centers);

/* Bounds of the columns in use; estimate: NULL, or which of them only limit what a run estimates
   (infinite: no limit). Categories have none: theirs are not looked at. */
tacit_status tac_data_set_ranges(tacit_ctx *ctx, tacit_data *data, const double *lower,
                                 const double *upper, const bool *estimate);
/* By its name alone: is this an id, a date or a text rather than a measure? patient_id, CustomerID,
   first_name, email. */
bool tac_name_suggests_id(const char *name);

#endif
