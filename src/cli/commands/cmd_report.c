/* SPDX-License-Identifier: Apache-2.0 */
/* tacit report: a release as a page for people, or two side by side. Reads releases alone: as
   private as they are. */
#include "../cli.h"

/* What the page rests on. */
static void say_source(const cli *c, const tacit_model *first, const tacit_model *second)
{
    const cli_values *v = &c->value;
    const bool open = second != NULL && !tacit_model_is_private(second);

    if (!tacit_model_is_private(first) || open)
        cli_say(c, "NOT PRIVATE: %s", cli_why_not_private(open ? second : first));
    else if (!v->quiet && second == NULL)
        cli_say(c, "nothing was spent: as private as %s (%s)", v->word[0],
                tacit_model_guarantee(first));
    else if (!v->quiet)
        cli_say(c, "nothing was spent: as private as %s and %s together", v->word[0], v->word[1]);
}

int cmd_report(cli *c)
{
    const cli_values *v = &c->value;
    tacit_model *first = NULL, *second = NULL;
    char *page = NULL;
    cli_sink sink = {0};
    int code = EXIT_OK;

    CLI_TRY(cli_check_stdin(c));
    for (int i = 0; i < v->words; i++) CLI_TRY(cli_check_output(c, v->output, v->word[i]));
    CLI_TRY(cli_check(c, tacit_model_read(c->ctx, v->word[0], &first)));
    if (v->words > 1) CLI_TRY(cli_check(c, tacit_model_read(c->ctx, v->word[1], &second)));
    CLI_TRY(cli_check(c, second == NULL ? tacit_model_html(c->ctx, first, &page)
                                        : tacit_comparison_html(c->ctx, first, second, &page)));
    CLI_TRY(cli_sink_open(c, v->output, false, &sink));
    fputs(page, sink.file);
    CLI_TRY(cli_sink_close(c, &sink));
    say_source(c, first, second);
done:
    cli_sink_abandon(&sink);
    tacit_free(page);
    tacit_model_free(first);
    tacit_model_free(second);
    return code;
}
