/* SPDX-License-Identifier: Apache-2.0 */
/* tacit generate subspaces: synthetic rows near a union of subspaces, with the truth beside them. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static int check(const cli *c)
{
    const cli_values *v = &c->value;
    const char *path[] = {v->output, v->truth_out, v->labels_out};

    if (strcmp(v->word[0], "subspaces") != 0)
        return cli_fail(c, EXIT_USAGE, "only a mixture, subspaces or counts can be generated; did you mean subspaces?");
    if (v->union_dimension >= v->union_columns)
        return cli_fail(c, EXIT_USAGE, "--dimension must be below --columns; give more columns or a smaller dimension");
    return cli_check_rows(c, path, 3);
}

/* c1, c2, ...: as NPY columns are called when they are read. */
static int list_columns(const cli *c, cli_column **out)
{
    *out = calloc((size_t)c->value.union_columns, sizeof **out);
    if (*out == NULL) return cli_fail(c, cli_exit_code(TACIT_E_MEMORY), "out of memory");
    for (int64_t j = 0; j < c->value.union_columns; j++) {
        snprintf(out[0][j].name, sizeof out[0][j].name, "c%lld", (long long)j + 1);
        if (c->value.label_column != NULL && strcmp(out[0][j].name, c->value.label_column) == 0)
            return cli_fail(c, EXIT_USAGE, "--label-column is the name of another column; choose a new one");
    }
    return EXIT_OK;
}

int cmd_generate_subspaces(cli *c)
{
    const cli_values *v = &c->value;
    cli_sink rows = {0}, labels = {0};
    cli_column *columns = NULL;
    double *value = NULL;
    int32_t *label = NULL;
    tacit_model *truth = NULL;
    tacit_synthetic_subspaces_opts opts;
    cli_progress progress;
    int code = EXIT_OK;

    CLI_TRY(check(c));
    CLI_TRY(list_columns(c, &columns));
    tacit_synthetic_subspaces_opts_init(&opts, sizeof opts);
    opts.rows = v->mix_rows;
    opts.columns = (int32_t)v->union_columns;
    opts.subspaces = (int32_t)v->union_subspaces;
    opts.dimension = (int32_t)v->union_dimension;
    opts.noise = v->noise;
    opts.seed = v->seed;
    cli_progress_start(c, &progress);
    const tacit_status status = tacit_synthetic_subspaces(c->ctx, &opts, &value, &label, &truth);
    cli_progress_stop(&progress);
    CLI_TRY(cli_check(c, status));

    CLI_TRY(cli_sink_open(c, v->output, false, &rows));
    CLI_TRY(cli_write_rows(c, rows.file, columns, v->union_columns, value, label, 6));
    if (v->labels_out != NULL) {
        CLI_TRY(cli_sink_open(c, v->labels_out, false, &labels));
        CLI_TRY(cli_write_labels(c, labels.file, label));
        CLI_TRY(cli_sink_close(c, &labels));
    }
    if (v->truth_out != NULL) CLI_TRY(cli_check(c, tacit_model_write(c->ctx, truth, v->truth_out)));
    CLI_TRY(cli_sink_close(c, &rows));
done:
    cli_sink_abandon(&rows);
    cli_sink_abandon(&labels);
    tacit_free(value);
    tacit_free(label);
    tacit_model_free(truth);
    free(columns);
    return code;
}
