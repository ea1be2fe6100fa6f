/* SPDX-License-Identifier: Apache-2.0 */
/* What an audit is told and what it tells: defaults, checks, the list of targets. */
#include "audit/audit.h"

#include <math.h>
#include <string.h>

enum { METHODS = 64, FEWEST_RUNS = 20, MOST_RUNS = 100000000 };

void tacit_audit_opts_init(tacit_audit_opts *opts, size_t size)
{
    const tacit_audit_opts fresh = {.size = size, .epsilon = NAN, .runs = 2000, .confidence = 0.999, .seed = 1,
                                    .noise_factor = 1};

    memset(opts, 0, size);
    memcpy(opts, &fresh, size < sizeof fresh ? size : sizeof fresh);
}

void tacit_audit_report_init(tacit_audit_report *report, size_t size)
{
    memset(report, 0, size);
    report->size = size;
}

void tacit_audit_target_init(tacit_audit_target *target, size_t size)
{
    memset(target, 0, size);
    target->size = size;
}

tacit_status tacit_audit_target_get(int32_t index, tacit_audit_target *out)
{
    const size_t size = out->size;
    tacit_audit_target found;

    if (index < 0 || size <= sizeof size || size > sizeof *out) return TACIT_E_ARGUMENT;
    for (int32_t f = 0; tac_audit_family_at(f) != NULL; f++)
        for (int32_t method = 0; method < METHODS; method++) {
            if (!tac_audit_family_at(f)->describe(method, &found) || index-- > 0) continue;
            found.size = size;
            found.family = tac_audit_family_at(f)->name;
            found.method = method;
            memcpy(out, &found, size);
            return TACIT_OK;
        }
    return TACIT_E_ARGUMENT;
}

tacit_status tac_audit_read_opts(tacit_ctx *ctx, const tacit_audit_opts *given, tacit_audit_opts *known)
{
    tacit_status status = TACIT_OK;

    tacit_audit_opts_init(known, sizeof *known);
    TAC_TRY(tac_read_opts(ctx, "tacit_audit_opts", given, known, sizeof *known));
    TAC_TRY(tac_budget_check(ctx, known->epsilon, known->delta));
    if (known->runs < FEWEST_RUNS || known->runs > MOST_RUNS)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "runs must be between %d and %d on each data set", FEWEST_RUNS, MOST_RUNS);
    if (!(known->confidence >= 0.5 && known->confidence <= 1 - 1e-12))
        return tac_fail(ctx, TACIT_E_ARGUMENT, "confidence must be between 0.5 and 1 - 1e-12, for example 0.999");
    if (!(known->noise_factor >= 0 && known->noise_factor <= 1))
        return tac_fail(ctx, TACIT_E_ARGUMENT, "noise factor must be between 0 and 1; 1 leaves the noise as it is");
done:
    return status;
}

tacit_status tac_audit_told(tacit_ctx *ctx, const tacit_audit_report *known, tacit_audit_report *out)
{
    const size_t size = out->size;

    if (size <= sizeof size || size > sizeof *known)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "tacit_audit_report was not initialised with tacit_audit_report_init");
    memcpy(out, known, size);
    out->size = size;
    return TACIT_OK;
}
