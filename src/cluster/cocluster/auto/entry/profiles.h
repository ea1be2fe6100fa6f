/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of row clusters: noisy counts of every column in every cluster, and the scores that
   they give a row. */
#ifndef TAC_PROFILES_H
#define TAC_PROFILES_H

#include "core/core.h"

typedef struct tac_profiles {
    int32_t count, columns;
    double *sum;     /* count x columns: noisy counts, added up over steps */
    double variance; /* of the noise in each of them */
    /* count x columns: sum minus its expectation if columns and profiles were independent */
    double *deviation;
    double *score;   /* count x columns */
    double *mass;    /* count: all counts of a profile, at least 0 */
    double *scratch; /* columns */
} tac_profiles;

tacit_status tac_profiles_open(tacit_ctx *ctx, int32_t count, int32_t columns, tac_profiles *out);
void tac_profiles_close(tac_profiles *p);

/* sum = answer / 2^TAC_COUNT_GRID + keep sum, where the answer's noise has standard deviation sd
   (in counts). */
void tac_profiles_add(tac_profiles *p, const int64_t *answer, double sd, double keep);

/* The scores from the sums: a row belongs to argmax_k sum_j count_j score_kj. even: 0, tau's own
   scores, which favor large profiles; at 1 large and small ones draw rows alike. */
void tac_profiles_score(tac_profiles *p, double even);

/* Scores for draws: integers up to TAC_SCORE_MOST in size, cut so that a few columns do not set
   the range for all. whole: count x columns. */
void tac_profiles_cut(tac_profiles *p, int32_t *whole);

/* group: the profile in which each column deviates most; z: that deviation in standard
   deviations of the noise. */
void tac_profiles_columns(const tac_profiles *p, int32_t *group, double *z);

#endif
