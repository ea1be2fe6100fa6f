/* SPDX-License-Identifier: Apache-2.0 */
/* tacit recut: a release in another number of clusters. Reads the release alone: as private as it
   is. */
#include "../cli.h"

int cmd_recut(cli *c)
{
    const cli_values *v = &c->value;
    tacit_model *model = NULL, *other = NULL;
    int code = EXIT_OK;

    if (!v->given[OPT_CLUSTERS])
        return cli_fail(c, EXIT_USAGE, "-k is missing: into how many clusters? For example -k 7");
    CLI_TRY(cli_check_output(c, v->output, v->word[0]));
    CLI_TRY(cli_check(c, tacit_model_read(c->ctx, v->word[0], &model)));
    if (v->clusters == TACIT_K_AUTO && !v->json) cli_show_k(model); /* then it is refused */
    CLI_TRY(
        cli_check(c, tacit_model_recut(c->ctx, model, (int32_t)v->clusters, v->median, &other)));
    CLI_TRY(cli_deliver(c, other, false));
    cli_warn_model(c, other);
    if (!v->quiet && tacit_model_is_private(other))
        cli_say(c, "nothing was spent: as private as %s (%s)", v->word[0],
                tacit_model_guarantee(other));
done:
    tacit_model_free(other);
    tacit_model_free(model);
    return code;
}
