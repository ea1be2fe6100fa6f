/* SPDX-License-Identifier: Apache-2.0 */
/* Many numbers, each with independent noise of one known distribution: what were they? Empirical
   Bayes: the distribution of the numbers is itself estimated from them. No privacy, no I/O. */
#ifndef TAC_DENOISE_H
#define TAC_DENOISE_H

#include "core/core.h"

typedef enum tac_bell { TAC_BELL_GAUSSIAN = 0, TAC_BELL_LAPLACE = 1 } tac_bell;

/* x: n finite numbers with noise of standard deviation sd > 0; each becomes its posterior mean.
   Numbers that are mostly 0 come out mostly 0, a few large ones among them nearly as they are;
   numbers that are spread like a bell are shrunk alike. Numbers far out of the noise stay as they
   are. error: n posterior standard deviations, what noise is left in each; NULL: not wanted. Time ~
   n, memory fixed. Depends on the numbers as a set: their order changes nothing. */
tacit_status tac_solve_denoise(tacit_ctx *ctx, double *x, size_t n, double sd,
                               tac_bell distribution, double *error);

#endif
