/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters of the columns of a noisy table whose rows are clusters already. Free of privacy
   cost: works on released numbers. */
#ifndef TAC_COLUMN_CLUSTERS_H
#define TAC_COLUMN_CLUSTERS_H

#include "solve/cocluster/contrasts.h"

typedef struct tac_column_opts {
    int32_t l;          /* clusters, at least 1 */
    int32_t starts;     /* the best of so many, at least 1; fewer if that is much work */
    int32_t iterations; /* at most so many each */
    double sd;          /* of the noise on every number of the table, > 0 */
    /* NULL, or the posterior that the table was made from: column j of the table is its column j
       divided by unit[j]. sd is then not used. */
    const tac_contrasts *posterior;
    const double *unit; /* m */
    uint64_t seed;
} tac_column_opts;

/* table: k x m, finite, entries may be negative. Maximizes tau of the k x l table, Goodman and
   Kruskal's, both directions added up. z: margin between the column's cluster and the next best,
   in standard deviations of the noise or of the posterior, the clusters taken as given; for l = 1
   the column's sum instead of a margin. cluster, z: m. The result depends on the seed alone. */
tacit_status tac_column_clusters(tacit_ctx *ctx, const double *table, int32_t k, int32_t m,
                                 const tac_column_opts *opts, int32_t *cluster, double *z);

#endif
