/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of a budget and sizes of noise. */
#include "cluster/noise.h"

#include <math.h>

double tac_noise_sd(tac_law law, uint64_t scale)
{
    return law == TAC_GAUSSIAN ? (double)scale : M_SQRT2 * (double)scale;
}

double tac_last_sd(const tac_door *door)
{
    const tac_receipt *r = tac_door_receipt(door, tac_door_asked(door) - 1);
    return tac_noise_sd(r->law, r->scale);
}

uint64_t tac_share(uint64_t budget, double share)
{
    return (uint64_t)((double)budget * share * (1 - 1e-9));
}
