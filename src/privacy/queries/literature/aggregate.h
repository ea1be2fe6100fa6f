/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of sample and aggregate share: the parts of the rows (ask_aggregate.c, integers) and the
   plain solver that runs on each (part_means.c). */
#ifndef TAC_AGGREGATE_H
#define TAC_AGGREGATE_H

#include "privacy/door_internal.h"

/* The result of a part: a function of its n rows, in their order, and of public numbers. result: k dims numbers in
   the ball. quiet: the lane's own ctx. */
tacit_status tac_part_means(tacit_ctx *quiet, const tac_lattice *rows, const int64_t *row, int64_t n,
                            const tac_aggregate *plan, int16_t *result);

#endif
