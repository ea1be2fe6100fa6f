/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of tacit evaluate for a co-clustering. */
#include "cli.h"

#include <math.h>

static void print_member(FILE *out, const char *name, double number, bool last)
{
    fprintf(out, "  \"%s\": ", name);
    cli_json_number(out, number);
    fputs(last ? "\n}\n" : ",\n", out);
}

static void print_json(FILE *out, const tacit_evaluation *e, int64_t restarts, int32_t rows, int32_t columns)
{
    fprintf(out, "{\n  \"private\": false,\n  \"warning\": \"%s\",\n  \"rows\": %lld,\n  \"restarts\": %lld,\n", CLI_EVALUATION_WARNING,
            (long long)e->rows, (long long)restarts);
    fputs("  \"cost_is\": \"1 - tau of rows given columns\",\n", out);
    print_member(out, "cost", e->cost, false);
    print_member(out, "plain_cost", e->plain_cost, false);
    if (isfinite(e->plain_cost)) fprintf(out, "  \"plain_starts\": {\"row_clusters\": %d, \"column_clusters\": %d},\n", rows, columns);
    print_member(out, "tau_rows", e->tau_rows, false);
    print_member(out, "tau_columns", e->tau_columns, false);
    print_member(out, "raw_tau_rows", e->raw_tau_rows, false);
    print_member(out, "raw_tau_columns", e->raw_tau_columns, false);
    print_member(out, "nmi", e->nmi, false);
    print_member(out, "ari", e->ari, false);
    print_member(out, "labels_nmi", e->labels_nmi, false);
    print_member(out, "labels_ari", e->labels_ari, true);
}

void cli_print_evaluation(FILE *out, const tacit_model *model, const tacit_evaluation *e, int64_t restarts, bool json)
{
    char plain[48];
    int32_t rows, columns;

    tacit_model_requested(model, &rows, &columns);
    if (json) {
        print_json(out, e, restarts, rows, columns);
        return;
    }
    fprintf(out, "%s\n\n", CLI_EVALUATION_WARNING);
    fprintf(out, "rows                           %lld\n", (long long)e->rows);
    fprintf(out, "tau of the exact table\n");
    fprintf(out, "  rows given columns           %.4f (%.4f before division by its largest value)\n", e->tau_rows, e->raw_tau_rows);
    fprintf(out, "  columns given rows           %.4f (%.4f)\n", e->tau_columns, e->raw_tau_columns);
    snprintf(plain, sizeof plain, "plain Fast-tauCC, best of %d", (int)restarts);
    if (isfinite(e->plain_cost)) fprintf(out, "  %-28s %.4f rows given columns, from %d x %d clusters, as were asked for\n", plain,
                                         1 - e->plain_cost, rows, columns);
    if (isfinite(e->nmi)) fprintf(out, "agreement of rows, as predict places them, with the classes\n  NMI                          %.4f\n", e->nmi);
    if (isfinite(e->ari)) fprintf(out, "  ARI                          %.4f\n", e->ari);
    if (isfinite(e->labels_nmi))
        fprintf(out, "agreement of the release's private labels with the classes\n  NMI                          %.4f\n"
                     "  ARI                          %.4f\n", e->labels_nmi, e->labels_ari);
}
