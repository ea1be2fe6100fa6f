/* SPDX-License-Identifier: Apache-2.0 */
/* tacit generate mixture and subspaces: synthetic rows, as CSV or NPY, with the bounds and the
   truth beside them. */
#include "../cli.h"

#include <stdlib.h>
#include <string.h>

/* One column of --bounds: "age=0:110". Refuses quotes and line ends in a name, which becomes a
   header, and ranges that are empty. */
static int read_column(const cli *c, const char *text, size_t length, cli_column *out)
{
    char copy[192], *equals, *colon;

    snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : 0), text);
    equals = strchr(copy, '=');
    colon = equals == NULL ? NULL : strchr(equals, ':');
    if (colon != NULL && equals != copy && (size_t)(equals - copy) < sizeof out->name) {
        *equals = *colon = '\0';
        memcpy(out->name, copy, (size_t)(equals - copy) + 1);
        if (strpbrk(copy, "\"\r\n") == NULL && cli_number(equals + 1, &out->lower) &&
            cli_number(colon + 1, &out->upper) && out->lower < out->upper)
            return EXIT_OK;
    }
    return cli_unwanted(c, OPT_COLUMN_RANGES, NULL);
}

/* The columns as --bounds names them, or x1, x2, ... between 0 and 1; near subspaces c1, c2, ...,
   as those of NPY are read. */
static int list_columns(const cli *c, char letter, cli_column **out, int64_t *count)
{
    const char *text = c->value.column_ranges;
    int code = EXIT_OK;

    *count = c->value.column_count;
    if (text != NULL) {
        *count = 1;
        for (const char *at = text; *at != '\0'; at++) *count += *at == ',';
    }
    *out = calloc((size_t)*count, sizeof **out);
    if (*out == NULL) return cli_no_memory(c);
    for (int64_t j = 0; j < *count; j++) {
        cli_column *now = *out + j;
        if (text == NULL) {
            snprintf(now->name, sizeof now->name, "%c%lld", letter, (long long)j + 1);
            now->upper = 1;
            continue;
        }
        const size_t length = strcspn(text, ",");
        CLI_TRY(read_column(c, text, length, now));
        for (int64_t i = 0; i < j; i++)
            if (strcmp(out[0][i].name, now->name) == 0)
                CLI_TRY(
                    cli_fail(c, EXIT_USAGE, "--bounds names a column twice; names must differ"));
        text += length + 1;
    }
    for (int64_t j = 0; c->value.label_column != NULL && j < *count; j++)
        if (strcmp(out[0][j].name, c->value.label_column) == 0)
            CLI_TRY(cli_fail(c, EXIT_USAGE,
                             "--label-column is the name of another column; choose a new one"));
done:
    return code;
}

/* The ranges as the CSV file that --bounds takes. */
static void write_bounds(FILE *out, const cli_column *columns, int64_t count, bool npy)
{
    fputs("column,lower,upper\n", out);
    for (int64_t j = 0; j < count; j++) {
        /* NPY has no names: the reader's are c1, c2, ... */
        if (npy)
            fprintf(out, "c%lld", (long long)j + 1);
        else
            fputs(columns[j].name, out);
        fprintf(out, ",%.15g,%.15g\n", columns[j].lower, columns[j].upper);
    }
}

/* Options that do not go together, and outputs that cannot be written. */
static int check(const cli *c)
{
    const cli_values *v = &c->value;

    if (v->column_ranges != NULL && v->given[OPT_COLUMN_COUNT])
        return cli_fail(c, EXIT_USAGE, "--bounds and --columns exclude each other; keep one");
    if (c->command->object != NULL && v->dimension >= v->column_count)
        return cli_fail(c, EXIT_USAGE,
                        "--dimension must be below --columns; give more columns or a smaller "
                        "dimension");
    return cli_check_rows(c);
}

static tacit_status draw_mixture(const cli *c, int64_t columns, double **value, int32_t **label)
{
    tacit_synthetic_mixture_opts opts;

    tacit_synthetic_mixture_opts_init(&opts, sizeof opts);
    opts.rows = c->value.rows;
    opts.columns = (int32_t)columns;
    opts.clusters = (int32_t)c->value.clusters;
    opts.spread = c->value.spread;
    opts.seed = c->value.seed;
    return tacit_synthetic_mixture(c->ctx, &opts, value, label);
}

static tacit_status draw_union(const cli *c, int64_t columns, double **value, int32_t **label,
                               tacit_model **truth)
{
    tacit_synthetic_subspaces_opts opts;

    tacit_synthetic_subspaces_opts_init(&opts, sizeof opts);
    opts.rows = c->value.rows;
    opts.columns = (int32_t)columns;
    opts.subspaces = (int32_t)c->value.subspaces;
    opts.dimension = (int32_t)c->value.dimension;
    opts.noise = c->value.noise;
    opts.seed = c->value.seed;
    return tacit_synthetic_subspaces(c->ctx, &opts, value, label, truth);
}

/* Mixtures are drawn in the unit box and stretched to the ranges; subspaces are written as drawn.
   The rows are put in place last, so that whoever finds them finds the other files complete. */
int cmd_generate(cli *c)
{
    const cli_values *v = &c->value;
    const bool flat = c->command->object != NULL; /* subspaces */
    cli_sink rows = {0}, bounds = {0}, labels = {0};
    cli_column *columns = NULL;
    int64_t count = 0;
    double *value = NULL;
    int32_t *label = NULL;
    tacit_model *truth = NULL;
    cli_progress progress;
    int code = EXIT_OK;

    CLI_TRY(check(c));
    CLI_TRY(list_columns(c, flat ? 'c' : 'x', &columns, &count));
    cli_progress_start(c, &progress);
    const tacit_status status = flat ? draw_union(c, count, &value, &label, &truth)
                                     : draw_mixture(c, count, &value, &label);
    cli_progress_stop(&progress);
    CLI_TRY(cli_check(c, status));
    for (int64_t i = 0; i < v->rows * count && !flat; i++)
        value[i] = columns[i % count].lower +
                   value[i] * (columns[i % count].upper - columns[i % count].lower);

    CLI_TRY(cli_sink_open(c, v->output, false, &rows));
    CLI_TRY(cli_write_rows(c, rows.file, columns, count, value, label,
                           v->column_ranges == NULL ? 6 : 0));
    if (v->bounds_out != NULL) {
        CLI_TRY(cli_sink_open(c, v->bounds_out, false, &bounds));
        write_bounds(bounds.file, columns, count, cli_is_npy(v->output));
    }
    if (v->labels_out != NULL) {
        CLI_TRY(cli_sink_open(c, v->labels_out, false, &labels));
        CLI_TRY(cli_write_labels(c, labels.file, label));
        CLI_TRY(cli_sink_close(c, &labels));
    }
    if (v->bounds_out != NULL) CLI_TRY(cli_sink_close(c, &bounds));
    if (v->truth_out != NULL) CLI_TRY(cli_check(c, tacit_model_write(c->ctx, truth, v->truth_out)));
    CLI_TRY(cli_sink_close(c, &rows));
done:
    cli_sink_abandon(&rows);
    cli_sink_abandon(&bounds);
    cli_sink_abandon(&labels);
    tacit_free(value);
    tacit_free(label);
    tacit_model_free(truth);
    free(columns);
    return code;
}
