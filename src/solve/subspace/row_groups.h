/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of length 1 in groups of near directions, so that a search can pass over whole groups: the
   angle arccos |<x, y>| obeys the triangle inequality, so a row is at least angle(x, center) -
   radius from every row of a group. No privacy, no I/O. */
#ifndef TAC_ROW_GROUPS_H
#define TAC_ROW_GROUPS_H

#include "solve/subspace/solvers_internal.h"

typedef struct tac_row_groups {
    int32_t count;
    int64_t *start; /* count + 1: rows of group g stand at start[g] .. start[g + 1] - 1 */
    int32_t *row;   /* n: which row stands here */
    float *unit;    /* n x d: the rows, group by group, in single precision */
    float *center;  /* count x d, length 1 */
    float *radius;  /* count: the largest angle of a row from its center */
} tac_row_groups;

/* About 2 sqrt n groups of a few thousand rows or more, one otherwise. The same for any number of
   threads. The caller clears it either way. */
tacit_status tac_row_groups_new(tacit_ctx *ctx, const tac_unit_rows *rows, tac_row_groups *out);
void tac_row_groups_clear(tac_row_groups *groups);

#endif
