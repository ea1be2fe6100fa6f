/* SPDX-License-Identifier: Apache-2.0 */
/* What a range and a ball must be, whoever declares them. */
#ifndef TAC_DOMAIN_H
#define TAC_DOMAIN_H

#include "core/core.h"

/* Finite, in order, not equal, neither too large nor too near each other. column: for the
   sentence. */
tacit_status tac_check_bound(tacit_ctx *ctx, const char *column, double lower, double upper);
/* center may be NULL. */
tacit_status tac_check_ball(tacit_ctx *ctx, double radius, const double *center, int32_t centers);

#endif
