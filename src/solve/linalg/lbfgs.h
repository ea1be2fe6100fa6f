/* SPDX-License-Identifier: Apache-2.0 */
/* Smooth minimization without constraints: L-BFGS. */
#ifndef TAC_LBFGS_H
#define TAC_LBFGS_H

#include "core/core.h"

/* f(x); fills the gradient. Both must be finite near the start; a step to where f is not finite is
   shortened. */
typedef double (*tac_objective)(void *state, const double *x, double *gradient);

typedef struct tac_lbfgs {
    int32_t memory;     /* pairs of steps and changes of the gradient that are kept */
    int32_t iterations; /* at most */
    /* stops when an iteration lowers f by no more than this times max(|f|, 1) ... */
    double decrease;
    double slope; /* ... or no entry of the gradient is larger than this */
} tac_lbfgs;

/* x: n numbers, the start, then the best point found; *value: f there, never more than at the
   start. The same bits for the same f. */
tacit_status tac_solve_lbfgs(tacit_ctx *ctx, const tac_lbfgs *opts, tac_objective f, void *state,
                             size_t n, double *x, double *value);

#endif
