// SPDX-License-Identifier: Apache-2.0
// The public header is a C++17 header too, its macros included: this file only has to compile.
#include <tacit/tacit.h>

int main()
{
    tacit_audit_opts audit = TACIT_AUDIT_OPTS_INIT;
    tacit_audit_output output = TACIT_AUDIT_OUTPUT_INIT;
    tacit_audit_report report = TACIT_AUDIT_REPORT_INIT;
    tacit_audit_target target = TACIT_AUDIT_TARGET_INIT;
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_card card = TACIT_CARD_INIT;
    tacit_cocluster_opts cocluster = TACIT_COCLUSTER_OPTS_INIT;
    tacit_data_opts data = TACIT_DATA_OPTS_INIT;
    tacit_declaration_summary declaration = TACIT_DECLARATION_SUMMARY_INIT;
    tacit_domain domain = TACIT_DOMAIN_INIT;
    tacit_evaluation evaluation = TACIT_EVALUATION_INIT;
    tacit_format_info format = TACIT_FORMAT_INFO_INIT;
    tacit_kmeans_opts kmeans = TACIT_KMEANS_OPTS_INIT;
    tacit_ledger_entry entry = TACIT_LEDGER_ENTRY_INIT;
    tacit_ledger_summary ledger = TACIT_LEDGER_SUMMARY_INIT;
    tacit_method method = TACIT_METHOD_INIT;
    tacit_plan_step step = TACIT_PLAN_STEP_INIT;
    tacit_forecast forecast = TACIT_FORECAST_INIT;
    tacit_query_info query = TACIT_QUERY_INFO_INIT;
    tacit_run_info run = TACIT_RUN_INFO_INIT;
    tacit_subspace_diagnosis diagnosis = TACIT_SUBSPACE_DIAGNOSIS_INIT;
    tacit_subspace_opts subspace = TACIT_SUBSPACE_OPTS_INIT;
    tacit_synthetic_counts_opts counts = TACIT_SYNTHETIC_COUNTS_OPTS_INIT;
    tacit_synthetic_mixture_opts mixture = TACIT_SYNTHETIC_MIXTURE_OPTS_INIT;
    tacit_synthetic_subspaces_opts subspaces = TACIT_SYNTHETIC_SUBSPACES_OPTS_INIT;

    tacit_budget_init(&budget, sizeof budget);
    return budget.size == sizeof budget && audit.size && output.size && report.size && target.size && card.size &&
                   cocluster.size && data.size && declaration.size && domain.size && evaluation.size && format.size &&
                   kmeans.size && entry.size && ledger.size && method.size && step.size && forecast.size && query.size && run.size &&
                   diagnosis.condition[5].size && subspace.size && counts.size && mixture.size && subspaces.size
               ? 0
               : 1;
}
