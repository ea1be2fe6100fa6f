/* SPDX-License-Identifier: Apache-2.0 */
/* Co-clustering of single entries at small epsilon, delta > 0: one noisy Gram matrix of the
   heaviest columns. A row is the vector of log2(1 + count), divided by its length or by a paid
   floor S, whichever is larger: one count moves it by 1 / S at most, so the noise is several times
   smaller than for whole rows. Directions by varimax; everything after the Gram matrix is free. */
#ifndef TAC_AUTO_GRAM_H
#define TAC_AUTO_GRAM_H

#include "cluster/cocluster/cocluster_run.h"
#include "cluster/cocluster/auto/factors.h"
#include "cluster/cocluster/auto/standing_out.h"

#define TAC_GRAM_LENGTHS 0.03 /* of the budget for the floor ... */
#define TAC_GRAM_MASS 0.2     /* ... for the mass of the columns; the Gram matrix gets the rest */
enum { TAC_GRAM_COLUMNS_MOST = 100, TAC_GRAM_LONGEST = 64 }; /* longer rows count as this long */

typedef struct tac_gram_walk {
    const tac_cocluster_job *job;
    tacit_ctx *ctx;
    tac_door *door;
    uint64_t budget; /* without the labels' */
    int32_t kept;    /* columns of the Gram matrix ... */
    int32_t *column; /* ... ascending */
    double *mass;    /* all columns: noisy */
    double mass_sd;
    double *weight;        /* of the kept, at most 1 */
    uint32_t *fixed;       /* all columns: in 2^-16 */
    int32_t *group;        /* all columns */
    double *gram, gram_sd; /* kept x kept; off the diagonal */
    tac_factors factors;
    tac_standing_out out;
    uint64_t seed; /* of the starts of column clusters */
} tac_gram_walk;

/* Sets the view of the rows to this weighing. */
tacit_status tac_gram_look(tac_gram_walk *w, const tac_weighing *weighing);
/* *floor: a length that most rows do not reach, from a noisy histogram of lengths under this
   weighing; at least 1. */
tacit_status tac_gram_floor(tac_gram_walk *w, const tac_weighing *weighing, double *floor);
/* Clusters, table, rule and labels from the walk; only labels cost anything. */
tacit_status tac_gram_finish(tac_gram_walk *w, tac_cocluster_result *out);

#endif
