/* SPDX-License-Identifier: Apache-2.0 */
/* tacit predict: each row's nearest released centre. For whoever holds the rows; not private. */
#include "cli.h"

#define CHECK_EVERY 65536 /* rows written between two looks at Ctrl-C */

static int write_labels(const cli *c, const int32_t *label, int64_t rows)
{
    cli_sink sink = {0};
    int code = EXIT_OK;

    CLI_TRY(cli_sink_open(c, c->value.output, true, &sink));
    fputs("cluster\n", sink.file);
    for (int64_t i = 0; i < rows; i++) {
        fprintf(sink.file, "%d\n", (int)label[i]);
        if (i % CHECK_EVERY == 0 && cli_interrupted())
            CLI_TRY(cli_fail(c, tacit_status_exit(TACIT_E_CANCELLED), "interrupted; no labels were written"));
    }
    CLI_TRY(cli_sink_close(c, &sink));
done:
    cli_sink_abandon(&sink);
    return code;
}

int cmd_predict(cli *c)
{
    const cli_values *v = &c->value;
    tacit_model *model = NULL;
    tacit_data *data = NULL;
    int32_t *label = NULL;
    int64_t rows = 0;
    cli_progress progress;
    int code = EXIT_OK;

    CLI_TRY(cli_check_stdin(c));
    CLI_TRY(cli_check_output(c, v->output, v->word[0]));
    CLI_TRY(cli_check_output(c, v->output, v->word[1]));
    CLI_TRY(cli_open_model(c, v->word[0], &model));
    CLI_TRY(cli_open_for_model(c, model, v->word[1], &data));
    cli_progress_start(c, &progress);
    const tacit_status status = tacit_predict(c->ctx, model, data, &label, &rows);
    cli_progress_stop(&progress);
    CLI_TRY(cli_check(c, status));
    CLI_TRY(write_labels(c, label, rows));
    if (!v->quiet) cli_say(c, "NOT PRIVATE: a label tells about its row; keep labels with the rows");
done:
    tacit_labels_free(label);
    tacit_data_free(data);
    tacit_model_free(model);
    return code;
}
