/* SPDX-License-Identifier: Apache-2.0 */
/* tacit report: a release as a page for people, or several side by side. Reads releases alone: as
   private as they are. */
#include "../cli.h"

/* What the page rests on. */
static void say_source(const cli *c, tacit_model *const *model)
{
    const cli_values *v = &c->value;
    const tacit_model *open = cli_open_model(model);

    if (open != NULL)
        cli_say(c, "NOT PRIVATE: %s", cli_why_not_private(open));
    else if (!v->quiet && v->words == 1)
        cli_say(c, "nothing was spent: as private as %s (%s)", v->word[0],
                tacit_model_guarantee(model[0]));
    else if (!v->quiet && v->words == 2)
        cli_say(c, "nothing was spent: as private as %s and %s together", v->word[0], v->word[1]);
    else if (!v->quiet)
        cli_say(c, "nothing was spent: as private as the %d releases together", v->words);
}

int cmd_report(cli *c)
{
    const cli_values *v = &c->value;
    tacit_model *model[MOST_WORDS] = {NULL};
    char *page = NULL;
    cli_sink sink = {0};
    int code = EXIT_OK;

    CLI_TRY(cli_read_models(c, model));
    CLI_TRY(cli_check(c, v->words == 1
                             ? tacit_model_html(c->ctx, model[0], &page)
                             : tacit_comparison_html(c->ctx, (const tacit_model *const *)model,
                                                     v->words, &page)));
    CLI_TRY(cli_sink_open(c, v->output, false, &sink));
    fputs(page, sink.file);
    CLI_TRY(cli_sink_close(c, &sink));
    say_source(c, model);
done:
    cli_sink_abandon(&sink);
    tacit_free(page);
    cli_free_models(model);
    return code;
}
