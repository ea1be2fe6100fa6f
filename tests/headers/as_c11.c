/* SPDX-License-Identifier: Apache-2.0 */
/* The public header alone, as strict C11 with every warning an error: every struct has a macro that
   names all its fields, and a function that gives the same bytes. */
#include <tacit/tacit.h>

#include <string.h>

/* How many differ. Bytes between fields are zero in both: a static object has no others. */
#define SAME(type, start)                                                                          \
    do {                                                                                           \
        static const type fresh = start;                                                           \
        type made;                                                                                 \
        memset(&made, 1, sizeof made);                                                             \
        type##_init(&made, sizeof made);                                                           \
        different += memcmp(&fresh, &made, sizeof made) != 0 || made.size != sizeof made;          \
    } while (0)

int main(void)
{
    tacit_ctx *ctx = NULL;
    int different = 0;

    SAME(tacit_audit_opts, TACIT_AUDIT_OPTS_INIT);
    SAME(tacit_audit_output, TACIT_AUDIT_OUTPUT_INIT);
    SAME(tacit_audit_report, TACIT_AUDIT_REPORT_INIT);
    SAME(tacit_audit_target, TACIT_AUDIT_TARGET_INIT);
    SAME(tacit_budget, TACIT_BUDGET_INIT);
    SAME(tacit_card, TACIT_CARD_INIT);
    SAME(tacit_cocluster_opts, TACIT_COCLUSTER_OPTS_INIT);
    SAME(tacit_condition, TACIT_CONDITION_INIT);
    SAME(tacit_data_opts, TACIT_DATA_OPTS_INIT);
    SAME(tacit_declaration_summary, TACIT_DECLARATION_SUMMARY_INIT);
    SAME(tacit_domain, TACIT_DOMAIN_INIT);
    SAME(tacit_evaluation, TACIT_EVALUATION_INIT);
    SAME(tacit_format_info, TACIT_FORMAT_INFO_INIT);
    SAME(tacit_k_choice, TACIT_K_CHOICE_INIT);
    SAME(tacit_kmeans_opts, TACIT_KMEANS_OPTS_INIT);
    SAME(tacit_ledger_entry, TACIT_LEDGER_ENTRY_INIT);
    SAME(tacit_ledger_summary, TACIT_LEDGER_SUMMARY_INIT);
    SAME(tacit_method, TACIT_METHOD_INIT);
    SAME(tacit_plan_step, TACIT_PLAN_STEP_INIT);
    SAME(tacit_forecast, TACIT_FORECAST_INIT);
    SAME(tacit_query_info, TACIT_QUERY_INFO_INIT);
    SAME(tacit_run_info, TACIT_RUN_INFO_INIT);
    SAME(tacit_subspace_diagnosis, TACIT_SUBSPACE_DIAGNOSIS_INIT);
    SAME(tacit_subspace_opts, TACIT_SUBSPACE_OPTS_INIT);
    SAME(tacit_synthetic_counts_opts, TACIT_SYNTHETIC_COUNTS_OPTS_INIT);
    SAME(tacit_synthetic_mixture_opts, TACIT_SYNTHETIC_MIXTURE_OPTS_INIT);
    SAME(tacit_synthetic_subspaces_opts, TACIT_SYNTHETIC_SUBSPACES_OPTS_INIT);
    if (tacit_ctx_new(&ctx) != TACIT_OK) return 1;
    const int same = strcmp(tacit_version(), TACIT_VERSION) == 0 &&
                     tacit_version_number() == TACIT_VERSION_NUMBER;
    tacit_ctx_free(ctx);
    return different == 0 && same ? 0 : 1;
}
