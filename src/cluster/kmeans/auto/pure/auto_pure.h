/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of method auto for delta = 0. Under pure epsilon counts are cheap: a histogram costs
   the same however many bins it has, while the noise of a sum grows with d, the number of columns.
   So clusters are found by counting, and sums are asked for only relative to cells that are already
   small. The walk, each step on its own share:

     count      how many rows there are
     zoom       where the rows are and how far they reach (auto_zoom.c)
     grid       rows counted in the boxes of a grid, in all columns or in a random projection to a
                few: 2 k seeds
     first      one round in all columns: the seeds move to the means of their rows
     split      another round, which also cuts each cell in two along its widest column: up to 4 k
                points
     choose     plain k-means on these points: k centers (free)
     refine     the last round or two: the centers move to the means of their rows

   Sums are those of rows pulled into the taxicab ball about their center, which fits Laplace noise
   better than a round one. Everything here works on noisy answers and public numbers. Constants
   were chosen on synthetic mixtures and public data sets with the true cost in view; they are
   public numbers and enter no privacy argument. */
#ifndef TAC_AUTO_PURE_H
#define TAC_AUTO_PURE_H

#include "cluster/kmeans/auto/grid/counted_grid.h"

/* How the budget is spent. */
typedef struct tac_pure_rules {
    int32_t k;   /* centers the budget can tell apart, at most the k asked for */
    double rows; /* at least 1 */
    /* the one regime number: noise of a center in radii, had one round the whole budget */
    double kappa;
    double mean, radius; /* shares of the whole: the zoom's means and histograms */
    tac_grid_rules grid;
    /* shares of what the zoom leaves, 0: no such step; the last rounds get the rest */
    double first, split;
    int32_t seeds;
    int32_t rounds; /* the last ones */
} tac_pure_rules;

#define TAC_PURE_COUNT 0.015 /* of the budget: the number of rows, asked before anything is known */

tac_pure_rules tac_pure_rules_for(const tac_privacy_params *params, uint64_t budget, int32_t k,
                                  int32_t columns, double rows, int32_t rounds);

/* The last rounds for the rules' k and kappa, unless so many were asked for. */
int32_t tac_pure_rounds(const tac_pure_rules *rules, int32_t asked);

/* pure_round.c: a round in all columns, about the centers. */
typedef struct tac_pure_round {
    tac_walk *a;
    tac_found *c;
    int16_t *center; /* k x columns, as the door takes them */
    double *radius;  /* k: root-mean-square radius within which rows are seen as they are */
    double hidden;   /* how far rows may be beyond it, lattice units; 0: no further */
    /* for the variances: rows are seen so many radii far, and what is beyond it makes their squares
       larger by so much */
    double far, beyond;
    double *reach; /* k: the radius the query at hand is asked with ... */
    double *wide;  /* ... and the one about spreads */
    double *count; /* k: noisy rows */
    /* k x columns: noisy mean of the rows about the center, in radii, shrunk */
    double *step;
    /* columns: the step of all centers together, lattice units; 0 with one center */
    double *pooled;
    double *square; /* k: squared length of the step */
    double *spread; /* k, or k x columns: mean squares about the center, in radii */
    double *size;   /* k: noisy rows by a query of their own ... */
    double size_sd; /* ... and its noise */
    /* rows beyond the radius r add r / |x - c|, a noisy Weiszfeld step; plain lengths */
    bool median;
    double count_sd, sum_sd, square_sd; /* of the noisy sums, in rows, radii and squared radii */
} tac_pure_round;
tacit_status tac_pure_round_open(tac_walk *a, tac_found *c, bool median, tac_pure_round *out);
void tac_pure_round_close(tac_pure_round *r);
tac_cells tac_pure_cells(const tac_pure_round *r);
/* The radius: a length that leaves few rows outside; for medians a quarter or a half of them. */
tacit_status tac_pure_radius(tac_pure_round *r, uint64_t quanta, uint64_t sum_quanta);
/* The share of the counts in the joint query about sums. worth: how much a count matters beside a
   sum. */
double tac_pure_counts_part(int32_t columns, double worth);
/* What is asked of a round in one pass once the radius is known. */
typedef struct tac_pure_pass {
    uint64_t sums;    /* quanta: counts and steps ... */
    double part;      /* ... of which the counts have this share */
    uint64_t spreads; /* of a cell, 0: not asked ... */
    bool axes;        /* ... or of each of its columns */
    uint64_t sizes;   /* rows of each center, 0: not asked */
} tac_pure_pass;
tacit_status tac_pure_ask(tac_pure_round *r, const tac_pure_pass *pass);
/* Centers move by their steps, which become lattice units; counts and error bars go to the found
   centers. */
void tac_pure_move(tac_pure_round *r);

/* Shares of a round. */
#define TAC_PURE_DISTANCES 0.06 /* how far rows are from their center */
#define TAC_PURE_SPREADS 0.10   /* how wide cells are, but for the last round */
#define TAC_PURE_SIZES 0.05     /* k-median: rows of every center */

/* pure_rounds.c: the first round: seeds that serve nobody are dropped, as long as k remain. */
tacit_status tac_pure_first(tac_walk *a, tac_found *seeds, uint64_t quanta);
/* One of the last rounds, for means or medians; the very last spends what is left. */
tacit_status tac_pure_refine(tac_walk *a, tac_found *c, uint64_t quanta, bool last);
/* pure_split.c: a round that turns every cell into one or two points. */
tacit_status tac_pure_split(tac_walk *a, tac_found *c, uint64_t quanta, tac_cell_set *points);

#endif
