/* SPDX-License-Identifier: Apache-2.0 */
/* Do k subspaces say more about the rows than one subspace of all rows would? Judged on noisy
   second moments that were asked for after both were fixed, so that their noise favors neither,
   and against rows without groups: k subspaces fit those better than one does, too.
   Post-processing. */
#ifndef TAC_POOLED_CONTEST_H
#define TAC_POOLED_CONTEST_H

#include "cluster/subspace/subspace_run.h"

typedef struct tac_contest {
    tacit_ctx *ctx;
    int32_t k, q, m;
    double *bases;  /* k x q x m */
    double *one;    /* q x m: leading eigenvectors of the pooled moments ... */
    double *values; /* m: ... and all their eigenvalues */
    /* over all rounds: sums of squares along the nearest of k, along one, of all rows */
    double held, pooled, all;
    double apart, beyond; /* ... and of |P_l - P|_F^2 and |I - P|_F^2 of the projectors */
    bool judged;
} tac_contest;

tacit_status tac_contest_open(tacit_ctx *ctx, int32_t k, int32_t q, int32_t m, tac_contest *out);
/* The next round: bases: k x q x m; pool: m x m, moments of all rows that came before,
   overwritten. */
tacit_status tac_contest_round(tac_contest *contest, const double *bases, double *pool);
void tac_contest_close(tac_contest *contest);
/* Adds `weight` times what k x m x m moments of the cells of the round's bases say. */
void tac_contest_add(tac_contest *contest, const double *moments, double weight);
/* A note, if the k subspaces lead by no more than they would lead by on rows without groups and a
   twentieth of what one subspace leaves, as far as 2 standard deviations of the noise can tell. So
   a lead that is no larger goes without a note in 2.3 % of runs at most, and one that exceeds it by
   4 standard deviations gets a note in as many. sd: of a diagonal entry of the moments as added.
   shares: the sums of squares mean something to the reader. */
tacit_status tac_contest_note(const tac_contest *contest, double sd, bool shares, uint64_t seed,
                              tac_notes *notes);

#endif
