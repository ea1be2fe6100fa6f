/* SPDX-License-Identifier: Apache-2.0 */
/* What the k-plane methods share: rows go to the subspace that holds most of them, second moments
   of every cell are asked for, their leading eigenvectors are the next subspaces. */
#ifndef TAC_NOISY_KPLANE_H
#define TAC_NOISY_KPLANE_H

#include "cluster/subspace/subspace_run.h"

typedef struct tac_noisy_planes {
    tacit_ctx *ctx;
    tac_door *door;
    int32_t k, q, dims;
    double *bases;    /* k x q x dims, orthonormal */
    double *moments;  /* k x dims x dims: the last answer, rows of length 1 at most */
    double sd;        /* noise of a diagonal entry of it; off the diagonal 5/7 of that */
    int16_t *rounded; /* k x q x dims */
} tac_noisy_planes;

tacit_status tac_kplane_open(const tac_subspace_job *job, int32_t k, int32_t q,
                             tac_noisy_planes *out);
void tac_kplane_close(tac_noisy_planes *p);
/* Cells of the bases as they are now; valid until they are rounded again. */
tac_cells tac_kplane_cells(tac_noisy_planes *p);
/* Moments from the answer to a query about moments of as many cells. */
void tac_kplane_read(tac_noisy_planes *p, const tac_asking *ask);
/* The noise of a diagonal entry of the last answer. */
double tac_kplane_sd(const tac_door *door);
/* Asks, and fills moments and sd. cells: NULL: those of the bases. */
tacit_status tac_kplane_ask(tac_noisy_planes *p, const char *what, uint64_t quanta,
                            const tac_cells *cells);
/* bases_l = the q leading eigenvectors of the l-th of k matrices, dims x dims. */
tacit_status tac_kplane_top(tacit_ctx *ctx, const double *matrices, int32_t k, int32_t dims,
                            int32_t q, double *bases);
/* out (q x q) = B M B^T: moments (m x m) along the vectors of a basis (q x m). */
tacit_status tac_kplane_along(tacit_ctx *ctx, const double *moments, int32_t m, const double *basis,
                              int32_t q, double *out);
/* Writes the result: bases turned so that the moments along them (inside: k x q x q, of rows
   multiplied by `zoom`; overwritten) are diagonal, noisy sizes asked for with `quanta`, and the
   profile from both. */
tacit_status tac_kplane_write(tac_noisy_planes *p, uint64_t quanta, double *inside, double zoom,
                              tac_subspace_result *out);

/* The standard deviation of the noise of a diagonal entry, relative to rows of length 1: quotes of
   moments, 0: cannot be paid. */
double tac_kplane_noise(const tac_privacy_params *params, int32_t dims, uint64_t quanta);

#endif
