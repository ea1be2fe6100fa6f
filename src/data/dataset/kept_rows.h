/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of a data set count: a bit a row, in words of 64. A pointer NULL stands for all rows.
   Private. */
#ifndef TAC_KEPT_ROWS_H
#define TAC_KEPT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAC_KEPT_WORD 64 /* rows of one word: blocks of as many rows share none */

static inline size_t tac_kept_words(int64_t rows)
{
    return ((size_t)rows + TAC_KEPT_WORD - 1) / TAC_KEPT_WORD;
}

static inline bool tac_is_kept(const uint64_t *keep, int64_t row)
{
    return keep == NULL || (keep[row / TAC_KEPT_WORD] >> row % TAC_KEPT_WORD & 1) != 0;
}

static inline void tac_keep(uint64_t *keep, int64_t row, bool kept)
{
    const uint64_t bit = UINT64_C(1) << row % TAC_KEPT_WORD;
    uint64_t *const word = &keep[row / TAC_KEPT_WORD];
    *word = kept ? *word | bit : *word & ~bit;
}

/* How many of the rows first .. end - 1 count. */
int64_t tac_kept_between(const uint64_t *keep, int64_t first, int64_t end);

#endif
