/* SPDX-License-Identifier: Apache-2.0 */
/* tacit cocluster: a private run, or plain Fast-tauCC for comparison. */
#include "cli.h"

static tacit_status ask(const cli *c, tacit_data *data, const tacit_budget *budget, tacit_model **out)
{
    tacit_cocluster_opts opts;

    cli_fill_cocluster(c, &opts);
    if (budget == NULL) return tacit_cocluster_plain(c->ctx, data, &opts, out);
    return tacit_cocluster_run(c->ctx, data, budget, &opts, out);
}

int cmd_cocluster(cli *c)
{
    return c->value.list_methods ? cli_list_methods(c) : cli_run(c, ask);
}
