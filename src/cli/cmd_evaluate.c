/* SPDX-License-Identifier: Apache-2.0 */
/* tacit evaluate: exact figures about a model on its rows. For whoever holds the rows; not private. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WARNING "NOT PRIVATE: exact figures about the rows; never publish them"

/* What the costs are, in words. */
static const char *cost_words(bool median)
{
    return median ? "mean distance" : "mean squared distance";
}

static void print_table(FILE *out, const tacit_evaluation *e, bool median, int64_t restarts)
{
    char plain[32];

    fprintf(out, "%s\n\n", WARNING);
    fprintf(out, "rows                           %lld\n", (long long)e->rows);
    fprintf(out, "rows outside the bounds        %.2f %%\n", 100 * e->clipped);
    fprintf(out, "%s to\n", cost_words(median));
    fprintf(out, "  the released centres         %.6g\n", e->cost);
    snprintf(plain, sizeof plain, "plain %s, best of %d", median ? "k-median" : "k-means", (int)restarts);
    if (isfinite(e->plain_cost))
        fprintf(out, "  %-28s %.6g\n", plain, e->plain_cost);
    fprintf(out, "  one %-24s %.6g\n", median ? "median of all rows" : "mean of all rows", e->one_mean_cost);
    if (isfinite(e->plain_cost) && e->plain_cost > 0)
        fprintf(out, "released over plain            %.3f\n", e->cost / e->plain_cost);
    if (isfinite(e->nmi)) fprintf(out, "agreement with the classes\n  NMI                          %.4f\n", e->nmi);
    if (isfinite(e->ari)) fprintf(out, "  ARI                          %.4f\n", e->ari);
}

static void print_member(FILE *out, const char *name, double number, const char *end)
{
    fprintf(out, "  \"%s\": ", name);
    cli_json_number(out, number);
    fputs(end, out);
}

static void print_json(FILE *out, const tacit_evaluation *e, bool median, int64_t restarts)
{
    fprintf(out, "{\n  \"private\": false,\n  \"warning\": \"%s\",\n  \"rows\": %lld,\n  \"restarts\": %lld,\n", WARNING,
            (long long)e->rows, (long long)restarts);
    fprintf(out, "  \"cost_is\": \"%s\",\n", cost_words(median));
    print_member(out, "clipped", e->clipped, ",\n");
    print_member(out, "cost", e->cost, ",\n");
    print_member(out, "plain_cost", e->plain_cost, ",\n");
    print_member(out, "one_mean_cost", e->one_mean_cost, ",\n");
    print_member(out, "nmi", e->nmi, ",\n");
    print_member(out, "ari", e->ari, "\n}\n");
}

int cmd_evaluate(cli *c)
{
    const cli_values *v = &c->value;
    tacit_model *model = NULL;
    tacit_data *data = NULL;
    char *columns = NULL;
    tacit_evaluation evaluation;
    cli_progress progress;
    cli_sink sink = {0};
    int code = EXIT_OK;

    CLI_TRY(cli_check_output(c, v->output, v->word[0]));
    CLI_TRY(cli_check_output(c, v->output, v->word[1]));
    CLI_TRY(cli_open_model(c, v->word[0], &model));
    columns = cli_model_columns(model);
    CLI_TRY(cli_open_data(c, v->word[1], v->columns != NULL ? v->columns : columns, &data));
    tacit_evaluation_init(&evaluation, sizeof evaluation);
    cli_progress_start(c, &progress);
    const tacit_status status = tacit_evaluate(c->ctx, model, data, (int32_t)v->restarts, &evaluation);
    cli_progress_stop(&progress);
    CLI_TRY(cli_check(c, status));

    CLI_TRY(cli_sink_open(c, v->output, true, &sink));
    const bool median = strcmp(tacit_model_family(model), "kmedian") == 0;
    if (v->json) print_json(sink.file, &evaluation, median, v->restarts);
    else print_table(sink.file, &evaluation, median, v->restarts);
    CLI_TRY(cli_sink_close(c, &sink));
    if (!v->quiet) cli_say(c, "%s", WARNING);
done:
    cli_sink_abandon(&sink);
    tacit_data_free(data);
    tacit_model_free(model);
    free(columns);
    return code;
}
