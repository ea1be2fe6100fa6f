/* SPDX-License-Identifier: Apache-2.0 */
/* tacit report: a release as a page for people. Reads the release alone: as private as it is. */
#include "../cli.h"

int cmd_report(cli *c)
{
    const cli_values *v = &c->value;
    tacit_model *model = NULL;
    char *page = NULL;
    cli_sink sink = {0};
    int code = EXIT_OK;

    CLI_TRY(cli_check_output(c, v->output, v->word[0]));
    CLI_TRY(cli_check(c, tacit_model_read(c->ctx, v->word[0], &model)));
    CLI_TRY(cli_check(c, tacit_model_html(c->ctx, model, &page)));
    CLI_TRY(cli_sink_open(c, v->output, false, &sink));
    fputs(page, sink.file);
    CLI_TRY(cli_sink_close(c, &sink));
    if (!v->quiet && tacit_model_is_private(model))
        cli_say(c, "nothing was spent: as private as %s (%s)", v->word[0],
                tacit_model_guarantee(model));
    else if (!tacit_model_is_private(model))
        cli_say(c, "NOT PRIVATE: %s", cli_why_not_private(model));
done:
    cli_sink_abandon(&sink);
    tacit_free(page);
    tacit_model_free(model);
    return code;
}
