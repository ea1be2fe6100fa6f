/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of a budget and sizes of noise, as every method of every family needs them. */
#ifndef TAC_BUDGET_SHARES_H
#define TAC_BUDGET_SHARES_H

#include "privacy/door.h"

/* Standard deviation of noise with this distribution and scale. NAN for trace noise, whose
   deviation depends on the dimension: tac_moments_sd. */
double tac_noise_sd(tac_distribution distribution, uint64_t scale);
/* ... of a weighted entry of dims x dims second moments, if `quanta` paid for them, in steps of
   the grid; 0: they cannot be paid for. */
double tac_moments_sd(const tac_privacy_params *params, int32_t dims, uint64_t quanta);
/* ... of the answers on a receipt, in steps of its grid; of the last query's; and of so many
   queries before it. */
double tac_receipt_sd(const tac_receipt *receipt);
double tac_last_sd(const tac_door *door);
double tac_sd_before(const tac_door *door, int32_t back);
/* "discrete Gaussian", "discrete Laplace", "trace noise": as cards and plans have it. */
const char *tac_distribution_name(tac_distribution distribution);
/* A share (0 .. 1) of a budget in quanta, rounded down. */
uint64_t tac_share(uint64_t budget, double share);

#endif
