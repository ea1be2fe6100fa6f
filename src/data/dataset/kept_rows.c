/* SPDX-License-Identifier: Apache-2.0 */
/* Counting the bits of rows that count. */
#include "data/dataset/kept_rows.h"

int64_t tac_kept_between(const uint64_t *keep, int64_t first, int64_t end)
{
    int64_t kept = 0;

    if (keep == NULL) return end - first;
    for (; first < end && first % TAC_KEPT_WORD != 0; first++) kept += tac_is_kept(keep, first);
    for (; end - first >= TAC_KEPT_WORD; first += TAC_KEPT_WORD)
        kept += __builtin_popcountll(keep[first / TAC_KEPT_WORD]);
    for (; first < end; first++) kept += tac_is_kept(keep, first);
    return kept;
}
