/* SPDX-License-Identifier: Apache-2.0 */
/* What the turns and the starts of k-plane share. */
#ifndef TAC_KPLANE_INTERNAL_H
#define TAC_KPLANE_INTERNAL_H

#include "engine/engine.h"
#include "solve/subspace/plain_kplane.h"

/* Rows cut into blocks that depend on the shape of the problem alone; each adds up in its own place
   and places are added in order. */
typedef struct tac_planes {
    tacit_ctx *ctx;
    tac_engine engine;
    const double *points; /* n x d */
    int64_t n, block_rows, blocks;
    int32_t d, k, q;
    const int32_t *rank; /* k or NULL */
    const double *bases; /* k x q x d: what rows are assigned to ... */
    bool fixed;          /* ... or not: labels stay as they are */
    int32_t *label;      /* n */
    double *rest;        /* n: squared distance to the nearest */
    double *part;        /* blocks x (k d d moments, k counts, 1 cost) */
    size_t part_size;
    double **room; /* one per worker */
} tac_planes;

tacit_status tac_planes_open(tacit_ctx *ctx, const double *points, int64_t n, int32_t d, int32_t k,
                             int32_t q, const int32_t *rank, tac_planes *out);
void tac_planes_close(tac_planes *s);

/* Assigns all rows to `bases` (unless fixed) and leaves moments, counts and the sum of rest in
   part[0]. */
tacit_status tac_planes_assign(tac_planes *s, const double *bases, double *cost);
/* Subspaces from the moments in part[0], which are used up. Those without rows keep their vectors;
   returns how many in *empty. */
tacit_status tac_planes_turn(tac_planes *s, double *bases, int32_t *empty);

/* kplane_start.c. Directions drawn uniformly at random; or rows drawn far from what is there,
   with the rows near them. */
tacit_status tac_planes_start(tac_planes *s, bool from_rows, uint64_t *state, double *bases);
/* Subspace c from rows drawn with probability as their rest. */
void tac_planes_reseed(tac_planes *s, int32_t c, uint64_t *state, double *bases);
/* A standard normal number by Box-Muller; plain randomness, no privacy noise. */
double tac_plain_normal(uint64_t *state);

#endif
