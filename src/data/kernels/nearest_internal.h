/* SPDX-License-Identifier: Apache-2.0 */
/* What the code paths of nearest.h share: the layout of the centers and the table of small kernels.

   Three forms give the same scores. In *lanes* a register holds 16 centers' scores of one row, and
   each step adds one pair of coordinates to all: right for many centers. In *dots* a register holds
   parts of one dot product, folded at its end: right for few centers and many coordinates, where
   lanes would spend its time on spreading coordinates over registers. Rows of few coordinates take
   a lane each (nearest_few.c). */
#ifndef TAC_NEAREST_INTERNAL_H
#define TAC_NEAREST_INTERNAL_H

#include "core/cpu.h"
#include "data/kernels/nearest.h"

enum {
    /* centers in a group: one 512-bit register of int32 scores, or two of 256 */
    TAC_LANES = 16,
    /* rows worked on together, a multiple of every tile's; their scores stay in L1 */
    TAC_TILE = 48,
    TAC_FEW_PAIRS = 8,   /* of coordinates: rows of no more go the way of nearest_few.c */
    TAC_PANEL = 4,       /* groups worked on together in the lanes form */
    TAC_L1_BYTES = 32768 /* of centers in one block of coordinates */
};

/* Center c lies in group c / 16, lane c % 16. A group holds, for each pair of coordinates (2j, 2j +
   1), the pair of all its 16 centers: packed[((group * pairs + j) * 16 + lane) * 2 + {0, 1}].
   Missing centers and an odd last coordinate are zero. */
struct tac_centers {
    int32_t k, dims;
    int32_t pairs;   /* of coordinates: dims rounded up to even, over 2 */
    int32_t groups;  /* of centers */
    int32_t width;   /* of a plain center: dims rounded up to 32, the rest zero */
    int16_t *packed; /* groups x pairs x 16 x 2, for lanes */
    int16_t *plain;  /* k x width, for dots */
    /* groups x 16: -floor(|c|^2 / 2), INT32_MIN for a missing center, whose score stays there */
    int32_t *start;
};

/* One block of centers and coordinates against some rows. */
typedef struct tac_score_job {
    const int16_t *rows; /* at the first pair of the block */
    ptrdiff_t stride;    /* of rows, in int16 */
    int count;           /* rows, 1 .. TAC_TILE */
    /* first group (lanes) or first center (dots) at the first pair of the block */
    const int16_t *centers;
    size_t step; /* from a group or center to the next, in int16 */
    int many;    /* groups, 1 .. TAC_PANEL, or centers, 1 .. 16 */
    int32_t pairs;
    /* where the scores start, one for each center; NULL: go on from those in score */
    const int32_t *start;
    /* lanes: rows x (16 * groups); dots: centers x TAC_TILE. 64-byte aligned */
    int32_t *score;
} tac_score_job;

/* The small kernels of one path; label_by_dots and label_by_lanes are made of them. */
typedef struct tac_nearest_kernels {
    /* score[c, i] = start + <x_i, c> over the block's coordinates. Columns past count may be
       overwritten. */
    void (*dots)(const tac_score_job *job);
    /* best[i], label[i] become score[c, i], first + c where that is larger; c ascends. */
    void (*choose)(const int32_t *score, int many, int32_t first, int32_t *best, int32_t *label);

    /* NULL: only dots. score[i, c] = start + <x_i, c> over the block's coordinates. */
    void (*lanes)(const tac_score_job *job);
    /* best[i, l] = max(best[i, l], score[i, g * 16 + l]), where[i, l] = first + g of the first to
       reach it. */
    void (*keep)(const int32_t *score, int count, int groups, int32_t first, int32_t *best,
                 int32_t *where);
    /* label[i] = the lowest where[i, l] * 16 + l among the lanes l with the largest best[i, l]. All
       TAC_TILE rows of best and where can be read, count of label written. where NULL: all 0. */
    void (*pick)(const int32_t *best, const int32_t *where, int count, int32_t *label);
    /* Measured: time of lanes for one pair of a group, in hundredths of the time of dots for 16
       pairs of a center, with 1, 2 and more groups. */
    int lane_cost[3];
} tac_nearest_kernels;

extern const tac_nearest_kernels tac_nearest_paths[]; /* by tac_cpu() */

/* label of the first rows, as tac_nearest has it; returns how many were labeled, 0 .. n. The others
   are too few to fill registers, or of too many coordinates. */
int64_t tac_nearest_few(const tac_centers *centers, const int16_t *rows, int64_t n, int32_t stride,
                        int32_t *label);

#endif
