/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a table joined until few are left: the agglomerative information bottleneck. No privacy,
   no I/O. */
#ifndef TAC_MERGE_TABLES_H
#define TAC_MERGE_TABLES_H

#include "core/core.h"

/* Joins rows of a k x l table t >= 0, each time the two whose union loses the least mutual
   information between rows and columns, until `left` remain (1 or more; k or more: none is joined).
   With h(x) = x ln x and q(a) = sum_l h(a_l) - h(sum_l a_l) joining a and b costs q(a) + q(b) - q(a
   + b) >= 0; ties go to the lowest pair. group: k numbers, 0 .. left - 1 in the order of their
   first rows. Time k^2 l + (k - left) k l logarithms; memory k (k + l). */
tacit_status tac_merge_rows(tacit_ctx *ctx, const double *table, int32_t k, int32_t l, int32_t left,
                            int32_t *group);

#endif
