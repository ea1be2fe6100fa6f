/* SPDX-License-Identifier: Apache-2.0 */
/* Exact draws of subspaces by their second moments (Bingham distributions), in double precision.
   Proofs: bingham.proof.md */
#ifndef TAC_BINGHAM_H
#define TAC_BINGHAM_H

#include "privacy/draws/draws.h"

/* One vector: density exp(u^T B u) on the unit vectors at right angles to `given` orthonormal ones,
   for which B w = 0. */
typedef struct tac_axis {
    int32_t dims;
    double *b;       /* dims x dims, symmetric, positive semidefinite: the caller fills it */
    double *inverse; /* of the envelope's root, upper triangle */
    double *work;    /* dims x dims */
    double *normal;  /* dims */
    double sigma;    /* of the envelope; where the next search starts. 0: nowhere */
} tac_axis;

tacit_status tac_axis_open(tacit_ctx *ctx, int32_t dims, tac_axis *out);
void tac_axis_close(tac_axis *axis);
/* b = (I - w w^T) b (I - w w^T); scratch: dims numbers. */
void tac_deflate(double *b, int32_t dims, const double *w, double *scratch);
/* The envelope for b as it stands. Must come before tac_axis_try. */
void tac_axis_ready(tac_axis *axis, int32_t given);
/* One proposal. basis: `given` vectors, then u, which is written; true: accepted. */
bool tac_axis_try(tac_axis *axis, tac_stream *stream, int32_t given, double *basis);

/* The sigma of the best envelope when the eigenvalues of B are known: sum of 1 / (sigma - 2
   lambda_i) = 1. */
double tac_axis_sigma(const double *lambda, int32_t count);

/* A whole subspace: density exp(sum_r u_r^T diag(lambda) u_r) over the q-dimensional subspaces of
   R^d, 1 <= q < d, lambda descending. */
typedef struct tac_grassmann tac_grassmann;
tacit_status tac_grassmann_open(tacit_ctx *ctx, const double *lambda, int32_t d, int32_t q,
                                tac_grassmann **out);
void tac_grassmann_close(tac_grassmann *g);
/* One proposal, the logarithm of its chance in *chance (never above 0 but for rounding). u: d x d,
   the first q x d hold the vectors. */
tacit_status tac_grassmann_propose(tac_grassmann *g, tac_stream *stream, double *u, double *chance);

/* For tests: takes one envelope instead of the smallest. false: it does
   not apply here. */
typedef enum tac_envelope { TAC_ENVELOPE_KGM, TAC_ENVELOPE_FLAT, TAC_ENVELOPE_CHART } tac_envelope;
bool tac_grassmann_force(tac_grassmann *g, tac_envelope kind, bool complement);
double tac_grassmann_log_mass(const tac_grassmann *g);

#endif
