/* SPDX-License-Identifier: Apache-2.0 */
/* How many groups does a noisy synopsis show? Post-processing: released cells, and cells of boxes
   without groups that went through the same mechanism.

     S(k)   simplified silhouette of the cells at k centers
     S0(k)  its mean over the boxes, smoothed over log k
     D(k) = S(k) - S0(k)       G(k) = D(k) / (1 - S0(k)), the strength: 0 a box, 1 perfect
     k*   = argmax D(k) / sqrt(1 - S0(k))

   D alone errs against k = 2, where even a box scores high; G alone against large k. What the boxes
   reach against each other is what noise and the mechanism make of nothing: groups have to be
   above it. */
#ifndef TAC_CHOOSE_K_H
#define TAC_CHOOSE_K_H

#include "core/core.h"

/* Cells: n points in d dimensions with weights above 0, spread = mean squared distance of the rows
   to the point, reach = the radius the last query looked at. */
typedef struct tac_k_cells {
    int32_t n, d;
    const double *points, *weight, *spread, *reach;
    double weight_sd; /* noise of a weight */
    double point_sd;  /* noise of a coordinate of a point, times its weight over its reach */
} tac_k_cells;

/* Principal variances of the rows, d numbers, largest first: of the points less their noise, and
   the cells' own spread on every axis. total: variance of all rows as measured by itself, 0: not
   known; what the cells miss of it is shared evenly. */
tacit_status tac_k_variances(tacit_ctx *ctx, const tac_k_cells *cells, double total, double *out);

/* Which k are looked at: wanted[k] for k = 2 .. k_max: all up to 32, then steps of k / 24. */
void tac_k_grid(int32_t k_max, bool *wanted);

/* score[k] = S(k) for the wanted k that the clear cells can make, NaN for all others; 0 .. k_max.
   Cells within one standard deviation of nothing are dropped, weak ones joined to neighbors. */
tacit_status tac_k_silhouettes(tacit_ctx *ctx, const tac_k_cells *cells, int32_t k_max,
                               const bool *wanted, double *score);

typedef struct tac_k_choice {
    int32_t k;         /* best, or 1 where the strength is not above what is needed */
    int32_t best;      /* k*; 1: there is nothing to compare */
    double strength;   /* G(k*) */
    double needed;     /* more than boxes without groups reach */
    int32_t low, high; /* k whose D is nearly that of the best */
    int32_t seen;      /* the largest k that was looked at; at least 1 */
} tac_k_choice;

#define TAC_K_FLOOR 0.10   /* needed at least, whatever the boxes reach */
#define TAC_K_CLEARLY 0.30 /* strength from which groups are clear */
#define TAC_K_NOISY 0.15   /* needed: above it, it is the noise that hides groups */

/* own: as tac_k_silhouettes gives it; null: `nulls` such arrays, one after the other, k_max + 1
   numbers each. curve[k - 1] = G(k) for k = 1 .. k_max; 0 at 1 and beyond choice->seen, straight
   lines between the k looked at. */
tacit_status tac_k_decide(tacit_ctx *ctx, const double *own, const double *null, int32_t nulls,
                          int32_t k_max, double *curve, tac_k_choice *out);

#endif
