/* SPDX-License-Identifier: Apache-2.0 */
/* tacit compare: what changed between two releases. Reads releases alone: as private as they
   are. */
#include "../cli.h"

#include <math.h>
#include <string.h>

typedef struct compared {
    const tacit_model *first, *second;
    const tacit_comparison *c;
} compared;

static tacit_pair pair_at(const compared *x, int64_t index)
{
    tacit_pair p = TACIT_PAIR_INIT;
    const tacit_status status = tacit_comparison_pair_get(x->c, (int32_t)index, &p);
    (void)status; /* a place that is not there keeps its -1 */
    return p;
}

static tacit_change change_at(const compared *x, int64_t index)
{
    tacit_change d = TACIT_CHANGE_INIT;
    const tacit_status status = tacit_comparison_change_get(x->c, (int32_t)index, &d);
    (void)status;
    return d;
}

static void number_text(char *text, size_t size, int32_t cluster)
{
    if (cluster < 0)
        snprintf(text, size, "none");
    else
        snprintf(text, size, "%d", (int)cluster);
}

/* Cells: which cluster is which, how far apart, sizes. */
static void pair_cell(const void *payload, int64_t row, int column, char *text, size_t size)
{
    const compared *x = payload;
    const tacit_pair p = pair_at(x, row);

    if (column < 2)
        number_text(text, size, column == 0 ? p.first : p.second);
    else if (column == 2 && p.first >= 0)
        cli_value_text(text, size, p.first_size, tacit_model_sizes_sd(x->first), 0);
    else if (column == 3 && p.second >= 0)
        cli_value_text(text, size, p.second_size, tacit_model_sizes_sd(x->second), 0);
    else if (column == 4 && !isnan(p.distance))
        snprintf(text, size, "%.3g", p.distance);
}

/* Cells: what changed, from what to what. */
static void change_cell(const void *payload, int64_t row, int column, char *text, size_t size)
{
    const compared *x = payload;
    const tacit_change d = change_at(x, row);
    const tacit_pair p = pair_at(x, d.pair);

    if (column == 0)
        snprintf(text, size, "%d -> %d", (int)p.first, (int)p.second);
    else if (column == 1 && d.column < 0)
        snprintf(text, size, "size");
    else if (column == 1)
        cli_column_name(x->first, d.column, 40, text, size);
    else if (column == 4)
        snprintf(text, size, "%+.1f", d.z);
    else
        snprintf(text, size, "%.5g", column == 2 ? d.before : d.after);
}

static void print_text(FILE *out, const compared *x)
{
    static const char *const pairs[] = {"first", "second", "size", "size", "distance"},
                             *const changes[] = {"cluster", "what", "first", "second", "z"};
    const int32_t count = tacit_comparison_change_count(x->c);

    cli_print_table(out, &(cli_table){.rows = tacit_comparison_pair_count(x->c),
                                      .columns = 5,
                                      .payload = x,
                                      .heading = pairs,
                                      .cell = pair_cell});
    fprintf(out, "\nfirst, second: numbers of the clusters that belong together, with their sizes "
                 "in "
                 "that order; none:\nwithout a partner\n");
    if (count == 0)
        fprintf(out, "\nnothing changed beyond the noise\n");
    else
        fprintf(out, "\nwhat changed beyond the noise\n\n");
    if (count > 0)
        cli_print_table(out, &(cli_table){.rows = count,
                                          .columns = 5,
                                          .payload = x,
                                          .heading = changes,
                                          .cell = change_cell,
                                          .left = 3});
    fprintf(out,
            "\nz: difference in standard deviations of the noise of both, above %.2f. Of %lld "
            "numbers "
            "that were\ncompared none should be above it by chance, in at least 95 of 100 "
            "comparisons of unchanged rows that\nwere divided in the same way.\n",
            tacit_comparison_threshold(x->c), (long long)tacit_comparison_numbers(x->c));
}

static void put_cluster(FILE *out, const char *before, const char *name, int32_t cluster)
{
    cli_json_put(out, before, name, cluster < 0 ? (double)NAN : cluster); /* null: none */
}

static void print_json(FILE *out, const compared *x)
{
    fputs("{\n  \"tacit\": \"comparison\",\n  \"pairs\": [", out);
    for (int32_t i = 0; i < tacit_comparison_pair_count(x->c); i++) {
        const tacit_pair p = pair_at(x, i);
        fprintf(out, "%s\n    {", i == 0 ? "" : ",");
        put_cluster(out, "", "first", p.first);
        put_cluster(out, ", ", "second", p.second);
        cli_json_put(out, ", ", "first_size", p.first_size);
        cli_json_put(out, ", ", "second_size", p.second_size);
        cli_json_put(out, ", ", "size_z", p.size_z);
        cli_json_put(out, ", ", "distance", p.distance);
        fputc('}', out);
    }
    fputs("\n  ],\n  \"changes\": [", out);
    for (int32_t i = 0; i < tacit_comparison_change_count(x->c); i++) {
        const tacit_change d = change_at(x, i);
        const tacit_pair p = pair_at(x, d.pair);
        fprintf(out, "%s\n    {", i == 0 ? "" : ",");
        put_cluster(out, "", "first", p.first);
        put_cluster(out, ", ", "second", p.second);
        cli_json_put_text(out, ", ", "what", d.column < 0 ? "size" : "center");
        cli_json_put_text(out, ", ", "column",
                          d.column < 0 ? NULL : tacit_model_column_get(x->first, d.column));
        cli_json_put(out, ", ", "before", d.before);
        cli_json_put(out, ", ", "after", d.after);
        cli_json_put(out, ", ", "z", d.z);
        fputc('}', out);
    }
    fputs(tacit_comparison_change_count(x->c) > 0 ? "\n  ]" : "]", out);
    cli_json_put(out, ",\n  ", "numbers", (double)tacit_comparison_numbers(x->c));
    cli_json_put(out, ",\n  ", "threshold", tacit_comparison_threshold(x->c));
    cli_json_put(out, ",\n  ", "false_alarms", 0.05);
    fputs("\n}\n", out);
}

int cmd_compare(cli *c)
{
    const cli_values *v = &c->value;
    tacit_model *model[MOST_WORDS] = {NULL};
    tacit_comparison *comparison = NULL;
    cli_sink sink = {0};
    int code = EXIT_OK;

    CLI_TRY(cli_read_models(c, model));
    CLI_TRY(cli_check(c, tacit_model_compare(c->ctx, model[0], model[1], &comparison)));
    CLI_TRY(cli_sink_open(c, v->output, false, &sink));
    const compared x = {model[0], model[1], comparison};
    if (v->json)
        print_json(sink.file, &x);
    else
        print_text(sink.file, &x);
    CLI_TRY(cli_sink_close(c, &sink));
    if (cli_open_model(model) != NULL)
        cli_say(c, "warning: NOT PRIVATE: at least one of the two releases is not");
done:
    cli_sink_abandon(&sink);
    tacit_comparison_free(comparison);
    cli_free_models(model);
    return code;
}
