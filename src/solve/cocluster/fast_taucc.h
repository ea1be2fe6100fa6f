/* SPDX-License-Identifier: Apache-2.0 */
/* Plain co-clustering by association: Fast-tauCC (Battaglia, Peiretti & Pensa). Rows and columns
   of a table of counts are clustered in turn, so that the cluster of one predicts the cluster of
   the other as well as possible: Goodman and Kruskal's tau. No privacy, no I/O. */
#ifndef TAC_FAST_TAUCC_H
#define TAC_FAST_TAUCC_H

#include "core/core.h"

/* Goodman and Kruskal's tau of a k x l table t >= 0 with sum T, in both directions, and before it
   is divided by its largest value:
     raw_rows = sum_kl t_kl^2 / (T t_.l) - sum_k (t_k. / T)^2, rows = raw_rows / (1 - sum_k (t_k. /
     T)^2)
   rows: how much better rows are predicted once columns are known. An empty table, or one with one
   cluster, has 0. */
typedef struct tac_tau {
    double rows, columns, raw_rows, raw_columns;
} tac_tau;
tac_tau tac_tau_of(const double *table, int32_t k, int32_t l);

/* B_kl = t_kl / t_.l - t_k. / T, 0 where t_.l = 0: an item with profile v over the l belongs to
   argmax_k sum_l v_l B_kl. */
void tac_tau_scores(const double *table, int32_t k, int32_t l, double *scores);

/* A table of counts, its entries row by row. Borrowed. */
typedef struct tac_count_table {
    int64_t n;
    int32_t d;
    const int64_t *start; /* n + 1: entries of row i are start[i] .. start[i+1]-1 */
    const int32_t *column;
    const uint32_t *count; /* > 0 */
} tac_count_table;

typedef struct tac_plain_taucc {
    int32_t rows, columns; /* clusters to begin with; those that lose all their items go */
    /* best raw tau of so many starts, both directions added up; at least 1 */
    int32_t restarts;
    int32_t iterations; /* at most so many turns each */
    uint64_t seed;
} tac_plain_taucc;

typedef struct tac_coclusters {
    int32_t rows, columns; /* clusters that are left, numbered without gaps */
    double *table;         /* rows x columns: sums of counts */
    tac_tau tau;
    int64_t sweeps; /* over the entries, all starts together */
} tac_coclusters;

/* row_label: counts->n, column_label: counts->d; an item without any count goes to cluster 0. A
   turn costs one sweep over the entries and ~ (n + d) x rows x columns of clusters; memory ~ n + d
   x clusters of rows. All sums are exact below 2^53. The result depends on the seed alone. Clear
   what comes back. */
tacit_status tac_solve_taucc(tacit_ctx *ctx, const tac_count_table *counts,
                             const tac_plain_taucc *opts, int32_t *row_label, int32_t *column_label,
                             tac_coclusters *out);
void tac_coclusters_clear(tac_coclusters *c);

#endif
