/* SPDX-License-Identifier: Apache-2.0 */
/* What queries about single entries share: labels made ready, and one sweep over a row's counts. */
#ifndef TAC_ENTRIES_H
#define TAC_ENTRIES_H

#include "privacy/kinds.h"

#define TAC_SWEEP_ROWS 512 /* rows of a block */

/* Refuses (TACIT_E_INTERNAL) a shard without counts, a row at a place outside the query's rows,
   and a row of the batch with a label out of range. */
tacit_status tac_fits_counts(tacit_ctx *ctx, const tac_query *q, const tac_shard *shard);
/* Are all labels within -1 .. most - 1? */
bool tac_labels_make_sense(const int32_t *label, int64_t n, int32_t most);
/* A copy of n labels in which `most` stands for -1. The caller frees it. */
tacit_status tac_labels_copy(tacit_ctx *ctx, const int32_t *label, int64_t n, int32_t most,
                             int32_t **out);

/* Does the query read this row? */
static inline bool tac_in_batch(const tac_query *q, const tac_shard *shard, int64_t row)
{
    return q->batch < 0 || shard->batch[row] == q->batch;
}

/* The public place of a shard's row among all rows. */
static inline int64_t tac_place_of(const tac_shard *shard, int64_t row)
{
    return shard->place == NULL ? row : shard->place[row];
}

/* sum[label[j]] += count_j over the entries of row i. Modulo 2^64. */
static inline void tac_add_by_label(const tac_counts *c, int64_t i, const int32_t *label,
                                    uint64_t *sum)
{
    for (int64_t e = c->start[i]; e < c->start[i + 1]; e++) sum[label[c->column[e]]] += c->count[e];
}

#endif
