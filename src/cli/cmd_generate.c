/* SPDX-License-Identifier: Apache-2.0 */
/* tacit generate: synthetic rows, as CSV or NPY, with the bounds and the truth beside them. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#define CHECK_EVERY 4096 /* rows written between two looks at Ctrl-C */

/* A column to write: its name and range. */
typedef struct column {
    char name[64];
    double lower, upper;
} column;

/* "age=0:110,stay=0:60": one more column. */
static int read_column(const cli *c, const char *text, size_t length, column *out)
{
    char copy[192], *equals, *colon;

    snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : 0), text);
    equals = strchr(copy, '=');
    colon = equals == NULL ? NULL : strchr(equals, ':');
    if (colon != NULL && equals != copy && (size_t)(equals - copy) < sizeof out->name) {
        *equals = *colon = '\0';
        memcpy(out->name, copy, (size_t)(equals - copy) + 1);
        if (strpbrk(copy, "\"\r\n") == NULL && cli_number(equals + 1, &out->lower) && cli_number(colon + 1, &out->upper) &&
            out->lower < out->upper)
            return EXIT_OK;
    }
    return cli_fail(c, EXIT_USAGE, "--bounds wants %s", cli_options[OPT_MIX_BOUNDS].wants);
}

/* The columns as --bounds names them, or x1, x2, ... between 0 and 1. */
static int list_columns(const cli *c, column **out, int64_t *count)
{
    const char *text = c->value.bounds;
    int code = EXIT_OK;

    *count = c->value.mix_columns;
    if (text != NULL) {
        *count = 1;
        for (const char *at = text; *at != '\0'; at++) *count += *at == ',';
    }
    *out = calloc((size_t)*count, sizeof **out);
    if (*out == NULL) return cli_fail(c, tacit_status_exit(TACIT_E_MEMORY), "out of memory");
    for (int64_t j = 0; j < *count; j++) {
        column *now = *out + j;
        if (text == NULL) {
            snprintf(now->name, sizeof now->name, "x%lld", (long long)j + 1);
            now->upper = 1;
            continue;
        }
        const size_t length = strcspn(text, ",");
        CLI_TRY(read_column(c, text, length, now));
        for (int64_t i = 0; i < j; i++)
            if (strcmp(out[0][i].name, now->name) == 0)
                CLI_TRY(cli_fail(c, EXIT_USAGE, "--bounds names a column twice; names must differ"));
        text += length + 1;
    }
    for (int64_t j = 0; c->value.label_column != NULL && j < *count; j++)
        if (strcmp(out[0][j].name, c->value.label_column) == 0)
            CLI_TRY(cli_fail(c, EXIT_USAGE, "--label-column is the name of another column; choose a new one"));
done:
    return code;
}

static int interrupted(const cli *c, int64_t row)
{
    if (row % CHECK_EVERY != 0 || !cli_interrupted()) return EXIT_OK;
    return cli_fail(c, tacit_status_exit(TACIT_E_CANCELLED), "interrupted; nothing was written");
}

static int write_csv(const cli *c, FILE *out, const column *columns, int64_t count, const double *value,
                     const int32_t *label)
{
    const cli_values *v = &c->value;
    int code = EXIT_OK;

    for (int64_t j = 0; j < count; j++) fprintf(out, "%s%s", j == 0 ? "" : ",", columns[j].name);
    fprintf(out, "%s%s\n", v->label_column == NULL ? "" : ",", v->label_column == NULL ? "" : v->label_column);
    for (int64_t i = 0; i < v->mix_rows; i++) {
        for (int64_t j = 0; j < count; j++)
            fprintf(out, v->bounds == NULL ? "%s%.6f" : "%s%.6g", j == 0 ? "" : ",", value[i * count + j]);
        if (v->label_column != NULL) fprintf(out, ",%d", (int)label[i]);
        fputc('\n', out);
        CLI_TRY(interrupted(c, i));
    }
done:
    return code;
}

/* NPY 1.0: magic, length of the header, a Python dict padded to a multiple of 64 bytes, then the numbers. */
static int write_npy(const cli *c, FILE *out, int64_t count, const double *value)
{
    const cli_values *v = &c->value;
    char header[118 + 1];
    int code = EXIT_OK;

    snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': (%lld, %lld), }",
             (long long)v->mix_rows, (long long)count);
    fwrite("\x93NUMPY\x01\x00", 1, 8, out);
    fputc(sizeof header - 1, out);
    fputc(0, out);
    fprintf(out, "%-117s\n", header);
    for (int64_t i = 0; i < v->mix_rows; i++) {
        fwrite(value + i * count, sizeof *value, (size_t)count, out);
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

static void write_bounds(FILE *out, const column *columns, int64_t count, bool npy)
{
    fputs("column,lower,upper\n", out);
    for (int64_t j = 0; j < count; j++) {
        if (npy) fprintf(out, "c%lld", (long long)j + 1); /* NPY has no names: the reader's are c1, c2, ... */
        else fputs(columns[j].name, out);
        fprintf(out, ",%.15g,%.15g\n", columns[j].lower, columns[j].upper);
    }
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
    if (v->bounds != NULL && v->given[OPT_MIX_COLUMNS])
        return cli_fail(c, EXIT_USAGE, "--bounds and --columns exclude each other; keep one");
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
    column *columns = NULL;
    int64_t count = 0;
    double *value = NULL;
    int32_t *label = NULL;
    tacit_mixture_opts opts;
    cli_progress progress;
    int code = EXIT_OK;

    CLI_TRY(check(c));
    CLI_TRY(list_columns(c, &columns, &count));
    tacit_mixture_opts_init(&opts, sizeof opts);
    opts.rows = v->mix_rows;
    opts.columns = (int32_t)count;
    opts.clusters = (int32_t)v->mix_clusters;
    opts.spread = v->spread;
    opts.seed = v->seed;
    cli_progress_start(c, &progress);
    const tacit_status status = tacit_mixture(c->ctx, &opts, &value, &label);
    cli_progress_stop(&progress);
    CLI_TRY(cli_check(c, status));
    for (int64_t i = 0; i < v->mix_rows * count; i++)
        value[i] = columns[i % count].lower + value[i] * (columns[i % count].upper - columns[i % count].lower);

    CLI_TRY(cli_sink_open(c, v->output, false, &rows));
    CLI_TRY(is_npy(v->output) ? write_npy(c, rows.file, count, value)
                              : write_csv(c, rows.file, columns, count, value, label));
    if (v->bounds_out != NULL) {
        CLI_TRY(cli_sink_open(c, v->bounds_out, false, &bounds));
        write_bounds(bounds.file, columns, count, is_npy(v->output));
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
    free(columns);
    return code;
}
