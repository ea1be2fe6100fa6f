/* SPDX-License-Identifier: Apache-2.0 */
/* Which of several subspaces holds most of a row, the greatest |B_s x|^2: the same bits from
   every code path. */
#ifndef TAC_NEAREST_SUBSPACE_H
#define TAC_NEAREST_SUBSPACE_H

#include "core/core.h"

typedef struct tac_spans tac_spans;

#define TAC_RANK_MOST (1 << 16) /* keeps sums of squares below 2^63 */

/* count subspaces of `rank` vectors each (at most TAC_RANK_MOST, and 2^24 in all), one after the
   other, every vector with |b|_2 <= TAC_M: so no dot product of a part of it with a part of a row
   passes M^2, which fits an int32. */
tacit_status tac_spans_new(tacit_ctx *ctx, const int16_t *vectors, int32_t count, int32_t rank,
                           int32_t dims, tac_spans **out);
void tac_spans_free(tac_spans *spans);

/* held_s = sum over the vectors b of subspace s of floor(<b, x> / 2^8)^2: at most 2^44 each.
   label[i] = the lowest s with the greatest; held[i] = that, NULL: not wanted.
   rows: n x stride, |x|_2 <= M, padded with a zero if dims is odd. */
void tac_nearest_subspace(const tac_spans *spans, const int16_t *rows, int64_t n, int32_t stride,
                          int32_t *label, int64_t *held);

#endif
