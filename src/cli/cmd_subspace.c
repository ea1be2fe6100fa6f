/* SPDX-License-Identifier: Apache-2.0 */
/* tacit subspace: a private run, or a plain solver for comparison. */
#include "cli.h"

static tacit_status ask(const cli *c, tacit_data *data, const tacit_budget *budget, tacit_model **out)
{
    tacit_subspace_opts opts;

    cli_fill_subspace(c, &opts);
    if (budget == NULL) return tacit_subspace_plain(c->ctx, data, &opts, out);
    return tacit_subspace_run(c->ctx, data, budget, &opts, out);
}

int cmd_subspace(cli *c)
{
    return c->value.list_methods ? cli_list_methods(c) : cli_run(c, ask);
}
