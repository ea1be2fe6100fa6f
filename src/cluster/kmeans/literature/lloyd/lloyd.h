/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of noisy Lloyd. All of it works on noisy answers and public numbers only.

   Constants were chosen on synthetic mixtures and public data sets with the true cost in view; they
   are public numbers and enter no privacy argument. */
#ifndef TAC_LLOYD_H
#define TAC_LLOYD_H

#include "cluster/kmeans/kmeans_run.h"

/* How the budget is spent, from k, d, the terms and a (noisy or guessed) number of rows. */
typedef struct tac_lloyd_schedule {
    int32_t k; /* centers the budget can tell apart, at most the k asked for */
    int32_t rounds;
    uint32_t count_weight; /* of the rounds' joint query */
    uint64_t left;         /* quanta for all rounds */
} tac_lloyd_schedule;

/* The count is asked first, because the schedule depends on its answer: one hundredth of the
   budget. */
uint64_t tac_lloyd_count_quanta(uint64_t budget);
/* rows_sd: standard deviation of the noisy count, in rows. rounds: as wanted, 0 to have it
   chosen. */
tac_lloyd_schedule tac_lloyd_schedule_for(tac_definition definition, uint64_t budget, int32_t k,
                                          int32_t dims, double rows, double rows_sd,
                                          int32_t rounds);
/* Quanta of round t: shares grow, because the last round is the one that is released. */
uint64_t tac_lloyd_round_quanta(const tac_lloyd_schedule *schedule, int32_t t);

/* The centers between rounds. */
typedef struct tac_lloyd_state {
    const tac_frame *frame;
    tac_stream *random;
    int32_t k, dims;
    double *centers; /* k x dims */
    double *count;   /* k noisy counts, in rows */
    double sd;       /* of each noisy sum coordinate */
    double count_sd; /* of each noisy count */
    bool *live;      /* the cell's count stands out of the noise */
    double *mass;    /* scratch: k */
    bool *used;      /* scratch: k */
    double *pair;    /* scratch: k x k, NULL when k is too large for merging */
} tac_lloyd_state;

/* The rounds alone, for a method that knows better where to begin: the first one's cells (NULL: of
   spread-out centers), the paid count and the schedule, whose k they have. Writes all of out, which
   has room for the k asked for. */
typedef struct tac_lloyd_start {
    tac_lloyd_schedule schedule;
    double rows, rows_sd;
    const tac_cells *cells;
    uint64_t for_variances; /* quanta beyond the schedule's; 0: they are not asked for */
} tac_lloyd_start;
tacit_status tac_lloyd_rounds(const tac_kmeans_job *job, const tac_lloyd_start *start,
                              tac_kmeans_result *out);

#define TAC_LLOYD_MERGE_MOST 1000 /* largest k for which pairs of cells are compared */

/* Move centers that serve nobody next to centers that serve many, and centers that share a cluster
   apart. */
void tac_lloyd_reseed(tac_lloyd_state *s);

#endif
