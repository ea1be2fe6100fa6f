/* SPDX-License-Identifier: Apache-2.0 */
/* What the code paths of fullest.h share. Dot products are made by the lanes of nearest_inside.h with the parts swapped: 16
   rows side by side take the place of the centres, vectors that of the rows. So no lane is idle, however few or many the
   subspaces are, and the products of one vector with 16 rows lie together. */
#ifndef TAC_FULLEST_INSIDE_H
#define TAC_FULLEST_INSIDE_H

#include "data/fullest.h"
#include "data/nearest_inside.h"

enum {
    TAC_TOGETHER = 3,                        /* groups of 16 rows worked on together */
    TAC_BATCH = TAC_TOGETHER * TAC_LANES,    /* rows */
    TAC_VECTORS = TAC_ROWS,                  /* at a time */
    TAC_PAIRS = 128                          /* of coordinates turned at a time: 24 KiB of rows */
};

struct tac_spans {
    int32_t count, rank, dims;
    int32_t pairs;    /* of coordinates */
    int16_t *vectors; /* count x rank x (2 pairs): an odd last coordinate is zero */
};

/* How far a batch of rows is: what the subspace at hand holds so far, the most that one before held, and which. One number a
   row; the order within a group is the path's own. */
typedef struct tac_fill {
    _Alignas(64) int64_t held[TAC_BATCH], most[TAC_BATCH], which[TAC_BATCH];
} tac_fill;

typedef struct tac_fullest_kernels {
    /* packed[pair][lane] = the pair of row `lane`, of count <= 16 rows; the other lanes 0. */
    void (*turn)(const int16_t *rows, ptrdiff_t stride, int count, int32_t pairs, int16_t *packed);
    /* held += (score[v, row] >> 8)^2 for `vectors` vectors, first of all the first-th; after the last of a subspace its
       number where it holds more than any before. score: vectors x groups x 16. */
    void (*fill)(const int32_t *score, int vectors, int groups, int32_t first, int32_t rank, tac_fill *fill);
    /* which and most of a group's first `count` rows, in their order; most may be NULL. */
    void (*tell)(const tac_fill *fill, int group, int count, int32_t *which, int64_t *most);
} tac_fullest_kernels;

extern const tac_fullest_kernels tac_fullest_avx2, tac_fullest_avx512;

#endif
