/* SPDX-License-Identifier: Apache-2.0 */
/* Sized structs: how the public structs can grow and old programs still run. An old caller's
   shorter struct is read over today's defaults, and filled as far as it goes. */
#include "core/core.h"

#include <string.h>

/* The first member of every public struct is its size, so size_t can be read from any of them. */
tacit_status tac_check_size(tacit_ctx *ctx, const char *name, const void *given, size_t known_size)
{
    size_t size = 0;

    if (given != NULL) memcpy(&size, given, sizeof size);
    if (size > sizeof size && size <= known_size) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "%s has a size this library does not know; begin it with its _INIT macro, or "
                    "call %s_init with sizeof, before setting fields",
                    name, name);
}

tacit_status tac_read_opts(tacit_ctx *ctx, const char *name, const void *given, void *known,
                           size_t known_size)
{
    const tacit_status status = tac_check_size(ctx, name, given, known_size);

    if (status != TACIT_OK) return status;
    memcpy(known, given, *(const size_t *)given);
    memcpy(known, &known_size, sizeof known_size);
    return TACIT_OK;
}

tacit_status tac_give_struct(tacit_ctx *ctx, const char *name, const void *known, size_t known_size,
                             void *out)
{
    const tacit_status status = tac_check_size(ctx, name, out, known_size);

    if (status != TACIT_OK) return status;
    const size_t size = *(const size_t *)out;
    memcpy(out, known, size);
    memcpy(out, &size, sizeof size);
    return TACIT_OK;
}

/* A caller newer than this library gets zeros for members that we do not know; its size is
   refused when the struct is used. */
static void init(void *out, size_t size, const void *start, size_t known_size)
{
    memset(out, 0, size);
    memcpy(out, start, size < known_size ? size : known_size);
    memcpy(out, &size, sizeof size);
}

/* What each struct starts as is said once, by its macro in the public header. */
#define INIT(type, start)                                                                          \
    void type##_init(type *out, size_t size)                                                       \
    {                                                                                              \
        static const type fresh = start;                                                           \
        init(out, size, &fresh, sizeof fresh);                                                     \
    }
INIT(tacit_audit_opts, TACIT_AUDIT_OPTS_INIT)
INIT(tacit_audit_output, TACIT_AUDIT_OUTPUT_INIT)
INIT(tacit_audit_report, TACIT_AUDIT_REPORT_INIT)
INIT(tacit_audit_target, TACIT_AUDIT_TARGET_INIT)
INIT(tacit_budget, TACIT_BUDGET_INIT)
INIT(tacit_card, TACIT_CARD_INIT)
INIT(tacit_cocluster_opts, TACIT_COCLUSTER_OPTS_INIT)
INIT(tacit_condition, TACIT_CONDITION_INIT)
INIT(tacit_change, TACIT_CHANGE_INIT)
INIT(tacit_data_opts, TACIT_DATA_OPTS_INIT)
INIT(tacit_declaration_summary, TACIT_DECLARATION_SUMMARY_INIT)
INIT(tacit_distinct, TACIT_DISTINCT_INIT)
INIT(tacit_domain, TACIT_DOMAIN_INIT)
INIT(tacit_engine, TACIT_ENGINE_INIT)
INIT(tacit_evaluation, TACIT_EVALUATION_INIT)
INIT(tacit_format_info, TACIT_FORMAT_INFO_INIT)
INIT(tacit_k_choice, TACIT_K_CHOICE_INIT)
INIT(tacit_kmeans_opts, TACIT_KMEANS_OPTS_INIT)
INIT(tacit_ledger_entry, TACIT_LEDGER_ENTRY_INIT)
INIT(tacit_ledger_summary, TACIT_LEDGER_SUMMARY_INIT)
INIT(tacit_method, TACIT_METHOD_INIT)
INIT(tacit_overall, TACIT_OVERALL_INIT)
INIT(tacit_pair, TACIT_PAIR_INIT)
INIT(tacit_plan_step, TACIT_PLAN_STEP_INIT)
INIT(tacit_forecast, TACIT_FORECAST_INIT)
INIT(tacit_query_info, TACIT_QUERY_INFO_INIT)
INIT(tacit_run_info, TACIT_RUN_INFO_INIT)
INIT(tacit_feature, TACIT_FEATURE_INIT)
INIT(tacit_shard_opts, TACIT_SHARD_OPTS_INIT)
INIT(tacit_subspace_diagnosis, TACIT_SUBSPACE_DIAGNOSIS_INIT)
INIT(tacit_subspace_opts, TACIT_SUBSPACE_OPTS_INIT)
INIT(tacit_synthetic_counts_opts, TACIT_SYNTHETIC_COUNTS_OPTS_INIT)
INIT(tacit_synthetic_mixture_opts, TACIT_SYNTHETIC_MIXTURE_OPTS_INIT)
INIT(tacit_synthetic_subspaces_opts, TACIT_SYNTHETIC_SUBSPACES_OPTS_INIT)
