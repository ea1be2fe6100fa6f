/* SPDX-License-Identifier: Apache-2.0 */
/* tacit generate: synthetic rows, as CSV or NPY, with the bounds and the truth beside them. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#define CHECK_EVERY 4096 /* rows written between two looks at Ctrl-C */

static int interrupted(const cli *c, int64_t row)
{
    if (row % CHECK_EVERY != 0 || !cli_interrupted()) return EXIT_OK;
    return cli_fail(c, tacit_status_exit(TACIT_E_CANCELLED), "interrupted; nothing was written");
}

static int write_csv(const cli *c, FILE *out, const double *value, const int32_t *label)
{
    const cli_values *v = &c->value;
    int code = EXIT_OK;

    for (int64_t j = 0; j < v->mix_columns; j++) fprintf(out, "%sx%lld", j == 0 ? "" : ",", (long long)j + 1);
    fprintf(out, "%s%s\n", v->label_column == NULL ? "" : ",", v->label_column == NULL ? "" : v->label_column);
    for (int64_t i = 0; i < v->mix_rows; i++) {
        for (int64_t j = 0; j < v->mix_columns; j++)
            fprintf(out, "%s%.6f", j == 0 ? "" : ",", value[i * v->mix_columns + j]);
        if (v->label_column != NULL) fprintf(out, ",%d", (int)label[i]);
        fputc('\n', out);
        CLI_TRY(interrupted(c, i));
    }
done:
    return code;
}

/* NPY 1.0: magic, length of the header, a Python dict padded to a multiple of 64 bytes, then the numbers. */
static int write_npy(const cli *c, FILE *out, const double *value)
{
    const cli_values *v = &c->value;
    char header[118 + 1];
    int code = EXIT_OK;

    snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': (%lld, %lld), }",
             (long long)v->mix_rows, (long long)v->mix_columns);
    fwrite("\x93NUMPY\x01\x00", 1, 8, out);
    fputc(sizeof header - 1, out);
    fputc(0, out);
    fprintf(out, "%-117s\n", header);
    for (int64_t i = 0; i < v->mix_rows; i++) {
        fwrite(value + i * v->mix_columns, sizeof *value, (size_t)v->mix_columns, out);
        CLI_TRY(interrupted(c, i));
    }
done:
    return code;
}

static int write_labels(const cli *c, FILE *out, const int32_t *label)
{
    int code = EXIT_OK;

    fprintf(out, "%s\n", c->value.label_column == NULL ? "label" : c->value.label_column);
    for (int64_t i = 0; i < c->value.mix_rows; i++) {
        fprintf(out, "%d\n", (int)label[i]);
        CLI_TRY(interrupted(c, i));
    }
done:
    return code;
}

static void write_bounds(const cli *c, FILE *out)
{
    fputs("column,lower,upper\n", out);
    for (int64_t j = 1; j <= c->value.mix_columns; j++) fprintf(out, "x%lld,0,1\n", (long long)j);
}

static bool is_npy(const char *path)
{
    return path != NULL && strlen(path) > 4 && strcmp(path + strlen(path) - 4, ".npy") == 0;
}

static int check(const cli *c)
{
    const cli_values *v = &c->value;
    const char *path[] = {v->output, v->bounds_out, v->labels_out};
    int code = EXIT_OK;

    if (strcmp(v->word[0], "mixture") != 0)
        return cli_fail(c, EXIT_USAGE, "only a mixture can be generated: tacit generate mixture ...");
    if (v->label_column != NULL && is_npy(v->output))
        return cli_fail(c, EXIT_USAGE, "--label-column needs a CSV output: NPY has no column names; use --labels-out");
    /* It becomes a header as it stands. */
    if (v->label_column != NULL && strpbrk(v->label_column, ",\"\r\n") != NULL)
        return cli_fail(c, EXIT_USAGE, "--label-column wants a name without commas and quotes");
    for (int i = 0; i < 3; i++) {
        CLI_TRY(cli_check_output(c, path[i], NULL));
        for (int j = 0; j < i; j++)
            if (path[i] != NULL && path[j] != NULL && strcmp(path[i], path[j]) == 0)
                CLI_TRY(cli_fail(c, EXIT_USAGE, "two outputs have the same name; name them apart"));
    }
done:
    return code;
}

int cmd_generate(cli *c)
{
    const cli_values *v = &c->value;
    cli_sink rows = {0}, bounds = {0}, labels = {0};
    double *value = NULL;
    int32_t *label = NULL;
    tacit_mixture_opts opts;
    int code = EXIT_OK;

    CLI_TRY(check(c));
    tacit_mixture_opts_init(&opts, sizeof opts);
    opts.rows = v->mix_rows;
    opts.columns = (int32_t)v->mix_columns;
    opts.clusters = (int32_t)v->mix_clusters;
    opts.spread = v->spread;
    opts.seed = v->seed;
    CLI_TRY(cli_check(c, tacit_mixture(c->ctx, &opts, &value, &label)));

    CLI_TRY(cli_sink_open(c, v->output, false, &rows));
    CLI_TRY(is_npy(v->output) ? write_npy(c, rows.file, value) : write_csv(c, rows.file, value, label));
    if (v->bounds_out != NULL) {
        CLI_TRY(cli_sink_open(c, v->bounds_out, false, &bounds));
        write_bounds(c, bounds.file);
    }
    if (v->labels_out != NULL) {
        CLI_TRY(cli_sink_open(c, v->labels_out, false, &labels));
        CLI_TRY(write_labels(c, labels.file, label));
        CLI_TRY(cli_sink_close(c, &labels));
    }
    if (v->bounds_out != NULL) CLI_TRY(cli_sink_close(c, &bounds));
    CLI_TRY(cli_sink_close(c, &rows));
done:
    cli_sink_abandon(&rows);
    cli_sink_abandon(&bounds);
    cli_sink_abandon(&labels);
    tacit_values_free(value);
    tacit_labels_free(label);
    return code;
}
