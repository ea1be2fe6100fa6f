/* SPDX-License-Identifier: Apache-2.0 */
/* What the code paths of fullest.h share. */
#ifndef TAC_FULLEST_INSIDE_H
#define TAC_FULLEST_INSIDE_H

#include "data/fullest.h"
#include "data/nearest_inside.h"

/* Subspaces are taken 16 at a time. A group is 16 vectors side by side, packed as in nearest_inside.h: lane l of it belongs
   to subspace l % side, so that with few subspaces a group holds several vectors of each. */
struct tac_spans {
    int32_t count, rank, dims;
    int32_t side;    /* 2, 4, 8, 16: lanes that different subspaces take */
    int32_t groups;  /* of one batch of 16 subspaces: rank vectors each, 16 / side in a group */
    int32_t pairs;   /* of coordinates */
    int16_t *plain;  /* count x rank x dims */
    int16_t *packed; /* batches x groups x pairs x 16 x 2; what is missing is zero, and so is what it holds */
};

/* The 16 lanes of one row, as sums of squares: lane 2 e + odd is at [8 odd + e]. */
typedef struct tac_fullest_kernels {
    /* held[i] = (first ? 0 : held[i]) + squares of score[i, g, lane] >> 8, over the groups. score: count x groups x 16. */
    void (*square)(const int32_t *score, int count, int groups, bool first, int64_t *held);
    /* Lanes l and l + side add up; best[i], label[i] become the greatest of them, from + its lowest lane, where that is
       larger. */
    void (*pick)(const int64_t *held, int count, int32_t side, int32_t from, int64_t *best, int32_t *label);
} tac_fullest_kernels;

extern const tac_fullest_kernels tac_fullest_avx2, tac_fullest_avx512;

#endif
