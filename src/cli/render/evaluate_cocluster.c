/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of tacit evaluate for a co-clustering. */
#include "../cli.h"

#include <math.h>

void cli_evaluation_head(FILE *out, const tacit_evaluation *e, int64_t restarts,
                         const char *cost_is)
{
    fprintf(out,
            "{\n  \"private\": false,\n  \"warning\": \"%s\",\n  \"rows\": %lld,\n  \"restarts\": "
            "%lld,\n  \"cost_is\": \"%s\"",
            CLI_EVALUATION_WARNING, (long long)e->rows, (long long)restarts, cost_is);
}

static void print_json(FILE *out, const tacit_evaluation *e, int64_t restarts, int32_t rows,
                       int32_t columns)
{
    static const char *const name[] = {"tau_rows", "tau_columns", "raw_tau_rows", "raw_tau_columns",
                                       "nmi",      "ari",         "labels_nmi",   "labels_ari"};
    const double number[] = {e->tau_rows, e->tau_columns, e->raw_tau_rows, e->raw_tau_columns,
                             e->nmi,      e->ari,         e->labels_nmi,   e->labels_ari};

    cli_evaluation_head(out, e, restarts, "1 - tau of rows given columns");
    cli_json_put(out, ",\n  ", "cost", e->cost);
    cli_json_put(out, ",\n  ", "plain_cost", e->plain_cost);
    if (isfinite(e->plain_cost))
        fprintf(out, ",\n  \"plain_starts\": {\"row_clusters\": %d, \"column_clusters\": %d}", rows,
                columns);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        cli_json_put(out, ",\n  ", name[i], number[i]);
    fputs("\n}\n", out);
}

/* The contract stands in render.h. Agreement is printed only where the data has known classes. */
void cli_print_evaluation(FILE *out, const tacit_model *model, const tacit_evaluation *e,
                          int64_t restarts, bool json)
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
    fprintf(out,
            "  rows given columns           %.4f (%.4f before division by its largest value)\n",
            e->tau_rows, e->raw_tau_rows);
    fprintf(out, "  columns given rows           %.4f (%.4f)\n", e->tau_columns,
            e->raw_tau_columns);
    snprintf(plain, sizeof plain, "plain Fast-tauCC, best of %d", (int)restarts);
    if (isfinite(e->plain_cost))
        fprintf(out, "  %-28s %.4f rows given columns, from %d x %d clusters, as were asked for\n",
                plain, 1 - e->plain_cost, rows, columns);
    if (isfinite(e->nmi))
        fprintf(out,
                "agreement of rows, as predict places them, with the classes\n  NMI                "
                "          %.4f\n",
                e->nmi);
    if (isfinite(e->ari)) fprintf(out, "  ARI                          %.4f\n", e->ari);
    if (isfinite(e->labels_nmi))
        fprintf(out,
                "agreement of the release's private labels with the classes\n  NMI                 "
                "         %.4f\n"
                "  ARI                          %.4f\n",
                e->labels_nmi, e->labels_ari);
}
