/* SPDX-License-Identifier: Apache-2.0 */
/* What questions about single entries share: labels made ready, and one sweep over a row's counts. */
#ifndef TAC_ENTRIES_H
#define TAC_ENTRIES_H

#include "privacy/door_internal.h"

#define TAC_SWEEP_ROWS 512 /* rows of a block */

/* Refuses labels of the batch's rows outside -1 .. most - 1 (TACIT_E_INTERNAL). */
tacit_status tac_row_labels_check(const tac_door *door, int32_t batch, const int32_t *label, int32_t most);
/* A copy of n labels in which `most` stands for -1; refuses others outside 0 .. most - 1. The caller frees it. */
tacit_status tac_labels_copy(tacit_ctx *ctx, const int32_t *label, int64_t n, int32_t most, int32_t **out);

/* sum[label[j]] += count_j over the entries of row i. Modulo 2^64. */
static inline void tac_add_by_label(const tac_counts *c, int64_t i, const int32_t *label, uint64_t *sum)
{
    for (int64_t e = c->start[i]; e < c->start[i + 1]; e++) sum[label[c->column[e]]] += c->count[e];
}

#endif
