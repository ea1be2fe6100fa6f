/* SPDX-License-Identifier: Apache-2.0 */
/* tacit kmeans and tacit kmedian. */
#include "cli.h"

static tacit_status ask(const cli *c, tacit_data *data, const tacit_budget *budget, tacit_model **out)
{
    tacit_kmeans_opts opts;

    cli_fill_kmeans(c, &opts);
    return (cli_family_of(c) == FAMILY_MEDIAN ? tacit_kmedian_run : tacit_kmeans_run)(c->ctx, data, budget, &opts, out);
}

int cmd_kmeans(cli *c)
{
    return c->value.list_methods ? cli_list_methods(c) : cli_run(c, ask);
}
