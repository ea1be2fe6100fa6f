/* SPDX-License-Identifier: Apache-2.0 */
/* Options and reports of audits: defaults, checks, the list of targets. */
#include "audit/audit.h"

/* METHODS: numbers of methods lie below this. FEWEST_RUNS: fewer leave halves too small to learn
   from. MOST_RUNS: the log ratios of both sides still fit into memory. */
enum { METHODS = 64, FEWEST_RUNS = 20, MOST_RUNS = 100000000 };

/* Targets in the order of families and method numbers, without the gaps between those. */
tacit_status tacit_audit_target_get(int32_t index, tacit_audit_target *out)
{
    tacit_audit_target found = TACIT_AUDIT_TARGET_INIT;

    if (index < 0) return TACIT_E_ARGUMENT;
    for (int32_t f = 0; tac_audit_family_at(f) != NULL; f++)
        for (int32_t method = 0; method < METHODS; method++) {
            if (!tac_audit_family_at(f)->describe(method, &found) || index-- > 0) continue;
            found.family = tac_audit_family_at(f)->name;
            found.method = method;
            return tac_give_struct(NULL, "tacit_audit_target", &found, sizeof found, out);
        }
    return TACIT_E_ARGUMENT;
}

int32_t tacit_audit_target_count(void)
{
    int32_t count = 0;

    for (tacit_audit_target target = TACIT_AUDIT_TARGET_INIT;
         tacit_audit_target_get(count, &target) == TACIT_OK;)
        count++;
    return count;
}

/* runs: on each of the two data sets. noise_factor < 1 weakens the noise on purpose, to test the
   audit. */
tacit_status tac_audit_read_opts(tacit_ctx *ctx, const tacit_audit_opts *given,
                                 tacit_audit_opts *known)
{
    tacit_status status = TACIT_OK;

    tacit_audit_opts_init(known, sizeof *known);
    TAC_TRY(tac_read_opts(ctx, "tacit_audit_opts", given, known, sizeof *known));
    TAC_TRY(tac_budget_check(ctx, known->epsilon, known->delta));
    if (known->runs < FEWEST_RUNS || known->runs > MOST_RUNS)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "runs must be between %d and %d on each data set",
                        FEWEST_RUNS, MOST_RUNS);
    if (!(known->confidence >= 0.5 && known->confidence <= 1 - 1e-12))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "confidence must be between 0.5 and 1 - 1e-12, for example 0.999");
    if (!(known->noise_factor >= 0 && known->noise_factor <= 1))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "noise factor must be between 0 and 1; 1 leaves the noise as it is");
done:
    return status;
}

tacit_status tac_audit_reported(tacit_ctx *ctx, const tacit_audit_report *known,
                                tacit_audit_report *out)
{
    return tac_give_struct(ctx, "tacit_audit_report", known, sizeof *known, out);
}
