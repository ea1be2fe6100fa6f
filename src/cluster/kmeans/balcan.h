/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of method balcan (Balcan, Dick, Liang, Mou & Zhang 2017): project, find candidates by a private partition of
   space, swap centres for candidates, recover the centres in the original space. All of it works on noisy answers and
   public numbers only. */
#ifndef TAC_BALCAN_H
#define TAC_BALCAN_H

#include "cluster/kmeans/kmeans.h"

#define TAC_BALCAN_MOST 16384 /* candidates kept, those with the largest noisy counts */

/* Everything that follows from public numbers and a (noisy or guessed) number of rows. */
typedef struct tac_balcan_plan {
    bool theory;
    int32_t k;             /* centres the budget can tell apart, at most the k asked for */
    int32_t p;             /* dimensions after the projection */
    int32_t trials;        /* independent rounds of everything; one is chosen at the end */
    int32_t shifts;        /* randomly shifted partitions of one trial */
    int32_t levels;        /* of a partition */
    double factor;         /* a cube is active from so many noise scales on; 0: as its number of cubes wants it */
    int32_t swaps;         /* of one trial */
    int32_t rounds;        /* of noisy means of one trial: the recovery and Lloyd rounds after it */
    uint32_t count_weight; /* in their joint question */
    /* Units, each for all the questions of its kind. */
    uint64_t count, middle, radius, candidates, swap, last_swap, recover, choose;
} tac_balcan_plan;

/* rows_sd: of the noisy count. rounds: as wanted, 0 to have it chosen. */
tac_balcan_plan tac_balcan_plan_for(const tac_terms *terms, uint64_t budget, const tacit_kmeans_opts *opts, bool median,
                                    int32_t columns, double rows);
uint64_t tac_balcan_count_units(uint64_t budget);

/* What the steps share. */
typedef struct tac_balcan {
    const tac_kmeans_job *job;
    tac_balcan_plan plan;
    double rows;           /* noisy, at least 1 */
    int32_t dims;          /* of the shadow */
    /* Candidates: centres of active cubes, in units of the shadow's lattice. */
    int16_t *candidate;    /* many x dims */
    double *weight;        /* many: noisy rows of the cube that lie in no active child */
    int32_t many, room;
    int16_t *centers;      /* plan.k x dims, in the shadow */
} tac_balcan;

/* A public random projection onto plan.p dimensions and the rows' shadow in it, about a noisy middle and within a noisy radius
   where the plan pays for them. */
tacit_status tac_balcan_project(tac_balcan *b);
/* Algorithms 1 and 2. */
tacit_status tac_balcan_candidates(tac_balcan *b, uint64_t units);
/* Algorithm 3: b->centers. */
tacit_status tac_balcan_swap(tac_balcan *b, uint64_t units, uint64_t last);
/* Noisy means of the cells of b->centers, then rounds of the same in the original space. */
tacit_status tac_balcan_recover(tac_balcan *b, uint64_t units, tac_kmeans_result *out);

#endif
