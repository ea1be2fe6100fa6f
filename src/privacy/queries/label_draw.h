/* SPDX-License-Identifier: Apache-2.0 */
/* One of few labels, drawn exactly with probability proportional to exp(epsilon u_c / range):
   the exponential mechanism. Integers only. Distribution and bounds: labels.proof.md */
#ifndef TAC_LABEL_DRAW_H
#define TAC_LABEL_DRAW_H

#include "privacy/accounting/accountant.h"
#include "privacy/noise/noise_internal.h"

#define TAC_LABELS_MOST 4096

/* What all draws of a query share. */
typedef struct tac_label_distribution {
    uint64_t epsilon, range; /* as given; a range of 0 is 1 here: then all gaps are 0 */
    uint64_t step;           /* floor(epsilon 2^(30 + shift) / range), in [2^63, 2^64) */
    int shift;               /* -9 .. 55 */
} tac_label_distribution;

/* epsilon in 2^-TAC_SELECTION_BITS, 1 .. TAC_SELECTION_MOST; range <= 2^21. */
void tac_label_distribution_set(uint64_t epsilon, uint64_t range, tac_label_distribution *out);

/* u: count numbers, 1 .. TAC_LABELS_MOST of them, |u_c| < 2^62. head: the first word of a uniform
   real. weight: count words of scratch. -1: its first word does not settle it; then
   tac_label_settle does. */
int32_t tac_label_draw(const tac_label_distribution *distribution, const int64_t *u, int32_t count,
                       uint64_t head, uint64_t *weight);
/* The same real, its further words from `stream`, as many as it takes. */
int32_t tac_label_settle(const tac_label_distribution *distribution, const int64_t *u,
                         int32_t count, uint64_t head, tac_stream *stream);

/* 2^51 exp(-epsilon gap / range) by the fast path, off by at most TAC_WEIGHT_ERROR: for tests. */
#define TAC_WEIGHT_BITS 51
#define TAC_WEIGHT_ERROR 256
uint64_t tac_label_weight(const tac_label_distribution *distribution, uint64_t gap);

#endif
