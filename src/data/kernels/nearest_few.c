/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest center for rows of few coordinates: a row in each lane. Rows are transposed into
   registers once and stay there while the centers go by, one after the other: no score is stored,
   and nothing is folded at the end. */
#include "data/kernels/nearest_internal.h"

#define KERNEL "data/kernels/nearest_few_path.h"
#include "core/each_path.h"

static int64_t (*const few[])(const tac_centers *, const int16_t *, int64_t, int32_t,
                              int32_t *) = {PATHS(few)};

int64_t tac_nearest_few(const tac_centers *centers, const int16_t *rows, int64_t n, int32_t stride,
                        int32_t *label)
{
    return centers->pairs > TAC_FEW_PAIRS ? 0 : few[tac_cpu()](centers, rows, n, stride, label);
}
