/* SPDX-License-Identifier: Apache-2.0 */
/* What noise a query would get, from public numbers alone: methods plan with it. A wrong quote
   makes a method worse, not less private: the door computes its own scale when it charges. */
#include "privacy/door_internal.h"

uint64_t tac_quote_count(const tac_privacy_params *params, uint64_t quanta)
{
    const tac_sensitivity s =
        tac_sensitivity_count(params->neighbors, (uint64_t)params->rows_per_unit);
    return tac_scale_for(params->definition, &s, quanta);
}

uint64_t tac_quote_sums(const tac_privacy_params *params, int32_t dims, uint32_t count_weight,
                        uint64_t quanta)
{
    const tac_sensitivity s = tac_sensitivity_sums(
        params->neighbors, (uint64_t)params->rows_per_unit, dims, count_weight);
    return tac_scale_for(params->definition, &s, quanta);
}

uint64_t tac_quote_histogram(const tac_privacy_params *params, uint64_t quanta)
{
    const tac_sensitivity s =
        tac_sensitivity_histogram(params->neighbors, (uint64_t)params->rows_per_unit);
    return tac_scale_for(params->definition, &s, quanta);
}

uint64_t tac_quote_moments(const tac_privacy_params *params, int32_t dims, uint64_t quanta)
{
    const tac_sensitivity s =
        tac_sensitivity_moments(params->neighbors, (uint64_t)params->rows_per_unit, dims, dims);
    return tac_scale_for(params->definition, &s, quanta);
}

tac_distribution tac_moments_distribution(const tac_privacy_params *params, int32_t dims)
{
    if (params->definition != TAC_PURE) return TAC_GAUSSIAN;
    const tac_sensitivity s =
        tac_sensitivity_moments(params->neighbors, (uint64_t)params->rows_per_unit, dims, dims);
    return s.trace > 0 ? TAC_TRACE : TAC_LAPLACE;
}

uint64_t tac_quote_fourth(const tac_privacy_params *params, int32_t dims, uint64_t quanta)
{
    const tac_sensitivity s =
        tac_sensitivity_fourth(params->neighbors, (uint64_t)params->rows_per_unit, dims);
    return tac_scale_for(params->definition, &s, quanta);
}

uint64_t tac_quote_local(const tac_privacy_params *params, int32_t dims,
                         const tac_local_parts *parts, uint64_t quanta)
{
    const tac_sensitivity s =
        tac_sensitivity_local(params->neighbors, (uint64_t)params->rows_per_unit, dims, parts);
    return tac_scale_for(params->definition, &s, quanta);
}

uint64_t tac_quote_codes(const tac_privacy_params *params, int32_t dims, int32_t count,
                         uint64_t quanta)
{
    const tac_sensitivity s =
        tac_sensitivity_codes(params->neighbors, (uint64_t)params->rows_per_unit, dims, count);
    return tac_scale_for(params->definition, &s, quanta);
}
