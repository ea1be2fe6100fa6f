/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of a budget and sizes of noise, as every method of every family needs them. */
#ifndef TAC_CLUSTER_NOISE_H
#define TAC_CLUSTER_NOISE_H

#include "privacy/door.h"

/* Standard deviation of noise with this distribution and scale; of trace noise it depends on the
   dims: tac_moments_sd. */
double tac_noise_sd(tac_distribution distribution, uint64_t scale);
/* ... of an entry of dims x dims second moments, weighted, that would be paid with `quanta`, in
   grid units; 0: not to be had. */
double tac_moments_sd(const tac_privacy_params *params, int32_t dims, uint64_t quanta);
/* ... of a query's answers, in its grid units; of the last query's. */
double tac_receipt_sd(const tac_receipt *receipt);
double tac_last_sd(const tac_door *door);
/* "discrete Gaussian", "discrete Laplace", "trace noise": as cards and plans have it. */
const char *tac_distribution_name(tac_distribution distribution);
/* A share of a budget, rounded down. */
uint64_t tac_share(uint64_t budget, double share);

#endif
