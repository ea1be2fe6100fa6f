/* SPDX-License-Identifier: Apache-2.0 */
/* What the code paths of nearest.h share: the layout of the centres and the table of three small kernels. */
#ifndef TAC_NEAREST_INSIDE_H
#define TAC_NEAREST_INSIDE_H

#include "data/nearest.h"

enum {
    TAC_LANES = 16,    /* centres in a group: one 512-bit register of int32 scores, or two of 256 */
    TAC_ROWS = 64,     /* rows worked on together; their scores stay in L1 */
    TAC_PANEL = 2,     /* groups worked on together */
};

/* Centre c lies in group c / 16, lane c % 16. A group holds, for each pair of coordinates (2j, 2j + 1), the pair of
   all its 16 centres: packed[((group * pairs + j) * 16 + lane) * 2 + {0, 1}]. Missing centres and an odd last
   coordinate are zero. */
struct tac_centers {
    int32_t k, dims;
    int32_t pairs;   /* of coordinates: dims rounded up to even, over 2 */
    int32_t groups;  /* of centres */
    int16_t *packed; /* groups x pairs x 16 x 2, 64-byte aligned */
    int32_t *start;  /* groups x 16: -floor(|c|^2 / 2), INT32_MIN for a missing centre, whose score stays there */
};

/* One block of centres and coordinates against some rows. Arrays of scores are rows x (16 * groups). */
typedef struct tac_score_job {
    const int16_t *rows;   /* at the first pair of the block */
    ptrdiff_t stride;      /* of rows, in int16 */
    int count;             /* rows, 1 .. TAC_ROWS */
    const int16_t *packed; /* first group of the panel at the first pair of the block */
    size_t group_step;     /* from a group to the next, in int16 */
    int groups;            /* 1 .. TAC_PANEL */
    int32_t pairs;
    const int32_t *from;   /* where the scores start: `start` of the panel with from_step 0, or score itself */
    int from_step;         /* from one row's to the next */
    int32_t *score;
} tac_score_job;

typedef struct tac_nearest_kernels {
    const char *name;
    /* score[i, c] = from[i, c] + <x_i, c> over the block's coordinates. */
    void (*scores)(const tac_score_job *job);
    /* best[i, l] = max(best[i, l], score[i, g * 16 + l]), where[i, l] = first + g of the first to reach it. */
    void (*keep)(const int32_t *score, int count, int groups, int32_t first, int32_t *best, int32_t *where);
    /* label[i] = the lowest where[i, l] * 16 + l among the lanes l with the largest best[i, l]. best and where have
       TAC_ROWS rows, label count of them. */
    void (*pick)(const int32_t *best, const int32_t *where, int count, int32_t *label);
} tac_nearest_kernels;

extern const tac_nearest_kernels tac_nearest_portable, tac_nearest_avx2, tac_nearest_avx512;

/* The code path of this call: 0 portable, 1 AVX2, 2 AVX-512. Always the best that the machine runs, unless a test
   has asked for another. */
int tac_nearest_level(void);

#endif
