/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of a budget in quanta, and standard deviations of noise. Public numbers only: receipts
   and quotes, no rows. */
#include "cluster/budget_shares.h"

#include <math.h>

double tac_noise_sd(tac_distribution distribution, uint64_t scale)
{
    return distribution == TAC_GAUSSIAN  ? (double)scale
           : distribution == TAC_LAPLACE ? M_SQRT2 * (double)scale
                                         : NAN;
}

/* Trace noise of scale s: sqrt(d + 1) s on the diagonal, sqrt((d + 1) / 2) s off it. The weights
   5 and 7 of the entries make both nearly equal. */
static double sd_of(tac_distribution distribution, uint64_t scale, int32_t dims)
{
    return distribution == TAC_TRACE ? TAC_MOMENT_SAME * sqrt(dims + 1.0) * (double)scale
                                     : tac_noise_sd(distribution, scale);
}

double tac_moments_sd(const tac_privacy_params *params, int32_t dims, uint64_t quanta)
{
    return sd_of(tac_moments_distribution(params, dims), tac_quote_moments(params, dims, quanta),
                 dims);
}

double tac_receipt_sd(const tac_receipt *receipt)
{
    return sd_of(receipt->distribution, receipt->scale, receipt->dims);
}

double tac_sd_before(const tac_door *door, int32_t back)
{
    return tac_receipt_sd(tac_door_receipt(door, tac_door_asked(door) - 1 - back));
}

double tac_last_sd(const tac_door *door)
{
    return tac_receipt_sd(tac_door_receipt(door, tac_door_asked(door) - 1));
}

const char *tac_distribution_name(tac_distribution distribution)
{
    return distribution == TAC_GAUSSIAN  ? "discrete Gaussian"
           : distribution == TAC_LAPLACE ? "discrete Laplace"
                                         : "trace noise";
}

/* The factor 1 - 1e-9 keeps shares that add up to 1 within the budget despite rounding. */
uint64_t tac_share(uint64_t budget, double share)
{
    return (uint64_t)((double)budget * share * (1 - 1e-9));
}
