/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of a budget and sizes of noise. */
#include "cluster/budget_shares.h"

#include <math.h>

double tac_noise_sd(tac_law law, uint64_t scale)
{
    return law == TAC_GAUSSIAN ? (double)scale : law == TAC_LAPLACE ? M_SQRT2 * (double)scale : NAN;
}

/* sqrt(d + 1) on the diagonal, sqrt((d + 1) / 2) off it; the weights 5 and 7 make both all but the same. */
static double sd_of(tac_law law, uint64_t scale, int32_t dims)
{
    return law == TAC_TRACE ? TAC_MOMENT_SAME * sqrt(dims + 1.0) * (double)scale : tac_noise_sd(law, scale);
}

double tac_moments_sd(const tac_terms *terms, int32_t dims, uint64_t units)
{
    return sd_of(tac_moments_law(terms, dims), tac_quote_moments(terms, dims, units), dims);
}

double tac_receipt_sd(const tac_receipt *receipt)
{
    return sd_of(receipt->law, receipt->scale, receipt->dims);
}

double tac_last_sd(const tac_door *door)
{
    return tac_receipt_sd(tac_door_receipt(door, tac_door_asked(door) - 1));
}

const char *tac_law_name(tac_law law)
{
    return law == TAC_GAUSSIAN ? "discrete Gaussian" : law == TAC_LAPLACE ? "discrete Laplace" : "trace noise";
}

uint64_t tac_share(uint64_t budget, double share)
{
    return (uint64_t)((double)budget * share * (1 - 1e-9));
}
