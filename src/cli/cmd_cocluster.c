/* SPDX-License-Identifier: Apache-2.0 */
/* tacit cocluster: a private run, or plain Fast-tauCC for comparison. */
#include "cli.h"

static tacit_status ask(const cli *c, tacit_data *data, const tacit_budget *budget, tacit_model **out)
{
    tacit_cocluster_opts opts;

    cli_fill_cocluster(c, &opts);
    return tacit_cocluster(c->ctx, data, budget, &opts, out);
}

/* No budget, no ledger, no noise. */
static int run_plain(const cli *c)
{
    const cli_values *v = &c->value;
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_cocluster_opts opts;
    cli_progress progress;
    int code = EXIT_OK;

    CLI_TRY(cli_check_request(c));
    CLI_TRY(cli_check_output(c, v->output, v->word[0]));
    CLI_TRY(cli_check_output(c, v->picture, v->word[0]));
    CLI_TRY(cli_open_data(c, v->word[0], v->columns, &data));
    cli_fill_cocluster(c, &opts);
    cli_progress_start(c, &progress);
    const tacit_status status = tacit_cocluster_plain(c->ctx, data, &opts, &model);
    cli_progress_stop(&progress);
    CLI_TRY(cli_check(c, status));
    CLI_TRY(cli_deliver(c, model, false));
    cli_warn_model(c, model);
done:
    tacit_model_free(model);
    tacit_data_free(data);
    return code;
}

int cmd_cocluster(cli *c)
{
    if (c->value.list_methods) return cli_list_methods(c);
    return c->value.not_private ? run_plain(c) : cli_run(c, ask);
}
