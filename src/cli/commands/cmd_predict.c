/* SPDX-License-Identifier: Apache-2.0 */
/* tacit predict: each row's nearest released center. For whoever holds the rows; not private. */
#include "../cli.h"

#define CHECK_EVERY 65536 /* rows written between two looks at Ctrl-C */

/* The labels as CSV, in the order of the rows. id: the column that names the rows, or NULL.
   Empty where a row lacks every value. Complete or absent: an interruption leaves no file. */
static int write_labels(const cli *c, tacit_data *data, const char *id, const int32_t *label,
                        int64_t rows)
{
    cli_sink sink = {0};
    int code = EXIT_OK;

    CLI_TRY(cli_sink_open(c, c->value.output, true, &sink));
    if (id != NULL) {
        cli_csv_cell(sink.file, id);
        fputc(',', sink.file);
    }
    fputs("cluster\n", sink.file);
    for (int64_t i = 0; i < rows; i++) {
        if (id != NULL) {
            const char *name = NULL;
            CLI_TRY(cli_check(c, tacit_data_row_id(c->ctx, data, i, &name)));
            cli_csv_cell(sink.file, name);
            fputc(',', sink.file);
        }
        if (label[i] >= 0) fprintf(sink.file, "%d", (int)label[i]);
        fputc('\n', sink.file);
        if (i % CHECK_EVERY == 0 && cli_interrupted())
            CLI_TRY(cli_fail(c, cli_exit_code(TACIT_E_CANCELLED),
                             "interrupted; no labels were written"));
    }
    CLI_TRY(cli_sink_close(c, &sink));
done:
    cli_sink_abandon(&sink);
    return code;
}

/* The output is readable by its owner alone: labels reveal something about rows. */
int cmd_predict(cli *c)
{
    const cli_values *v = &c->value;
    tacit_model *model = NULL;
    tacit_data *data = NULL;
    int32_t *label = NULL;
    int64_t rows = 0;
    const char *id = NULL;
    cli_progress progress;
    int code = EXIT_OK;

    CLI_TRY(cli_check_stdin(c));
    CLI_TRY(cli_check_output(c, v->output, v->word[0]));
    CLI_TRY(cli_open_source(c, 1, true));
    CLI_TRY(cli_check_output_files(c, v->output));
    CLI_TRY(cli_check(c, tacit_model_read(c->ctx, v->word[0], &model)));
    CLI_TRY(cli_check_source(c));
    CLI_TRY(cli_as_owner(c, "predict"));
    CLI_TRY(cli_open_for_model(c, model, c->source.path, &data, &id));
    cli_progress_start(c, &progress);
    const tacit_status status = tacit_model_predict(c->ctx, model, data, &label, &rows);
    cli_progress_stop(&progress);
    CLI_TRY(cli_check(c, status));
    CLI_TRY(write_labels(c, data, id, label, rows));
    if (!v->quiet)
        cli_say(c, "NOT PRIVATE: a label tells about its row; keep labels with the rows");
done:
    tacit_free(label);
    tacit_data_free(data);
    tacit_model_free(model);
    return code;
}
