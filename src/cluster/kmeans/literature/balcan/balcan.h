/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of method balcan (Balcan, Dick, Liang, Mou & Zhang 2017): project, find candidates by a
   private partition of space, swap centers for candidates, recover the centers in the original
   space. All of it works on noisy answers and public numbers only. */
#ifndef TAC_BALCAN_H
#define TAC_BALCAN_H

#include "cluster/kmeans/kmeans_run.h"

/* The plan: everything that follows from public numbers and a (noisy or guessed) number of rows.
   Quanta are for all queries of a kind in all trials together. */
typedef struct tac_balcan_plan {
    bool theory;
    int32_t k;      /* centers the budget can tell apart, at most the k asked for */
    int32_t p;      /* dimensions after the projection */
    int32_t trials; /* independent rounds of everything; one is chosen at the end */
    int32_t shifts; /* randomly shifted partitions of a trial */
    int32_t levels; /* of a partition */
    /* a cube is active from so many noise scales on; 0: as its number of children wants it */
    double factor;
    int32_t swaps; /* of a trial */
    /* of noisy means (or Weiszfeld steps) of a trial: the recovery and what comes after it */
    int32_t rounds;
    uint32_t count_weight; /* in their joint query */
    uint64_t count, middle, radius, candidates, swap, last_swap, recover, choose;
} tac_balcan_plan;

tac_balcan_plan tac_balcan_plan_for(const tac_privacy_params *params, uint64_t budget,
                                    const tacit_kmeans_opts *opts, bool median, int32_t columns,
                                    double rows);
uint64_t tac_balcan_count_quanta(uint64_t budget);
/* Quanta of one query of a kind. */
uint64_t tac_balcan_cube_quanta(const tac_balcan_plan *p);
uint64_t tac_balcan_swap_quanta(const tac_balcan_plan *p);
/* From how many noise scales on a child of one of `active` cubes is active itself. */
double tac_balcan_factor(const tac_balcan_plan *p, int32_t active);
/* Rows a cube must hold to be split, about. */
double tac_balcan_rows_to_split(const tac_privacy_params *params, const tac_balcan_plan *p);

/* What the steps share. */
typedef struct tac_balcan {
    const tac_kmeans_job *job;
    tac_balcan_plan plan;
    double rows, rows_sd; /* noisy, at least 1, and its standard deviation */
    int32_t dims;         /* of the projection */
    /* Candidates: middles of active cubes, in units of the projection's lattice. */
    int16_t *candidate; /* many x dims */
    double *weight;     /* many: noisy rows of the cube that lie in no active child */
    int32_t many, room;
    int16_t *centers; /* plan.k x dims, in the projection */
} tac_balcan;

/* A random projection onto plan.p dimensions and the rows' projection in it, about a noisy middle
   and within a noisy radius where the plan pays for them. */
tacit_status tac_balcan_project(tac_balcan *b);
/* The distance from their cell's center that a share q of the rows keeps, in radii, from a noisy
   histogram; NaN: noise. */
tacit_status tac_balcan_reach(tac_balcan *b, const char *what, uint64_t quanta,
                              const tac_cells *cells, const tac_local *local, double q,
                              double *reach);
/* Algorithms 1 and 2. */
tacit_status tac_balcan_candidates(tac_balcan *b);
/* Algorithm 3: b->centers. */
tacit_status tac_balcan_swap(tac_balcan *b);
/* Noisy means of the cells of b->centers, then rounds of the same in the original space. */
tacit_status tac_balcan_recover(tac_balcan *b, uint64_t quanta, tac_kmeans_result *out);
/* ... for k-median: then noisy Weiszfeld steps. */
tacit_status tac_balcan_recover_median(tac_balcan *b, uint64_t quanta, tac_kmeans_result *out);
/* ... for rows with few values that are not zero: the means keep their largest values only
   (Algorithm 5). */
tacit_status tac_balcan_recover_sparse(tac_balcan *b, uint64_t quanta, tac_kmeans_result *out);

/* The whole walk with a plan: job, plan, rows and rows_sd are given. */
tacit_status tac_balcan_walk(tac_balcan *b, tac_kmeans_result *out);

#endif
