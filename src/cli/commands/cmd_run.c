/* SPDX-License-Identifier: Apache-2.0 */
/* tacit kmeans, kmedian, subspace, cocluster: check everything that can be checked, then spend,
   then show what was bought; or a plain solver, for comparison. */
#include "../cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGE_EPSILON 10

/* The release as JSON on standard output. */
static int print_json(const cli *c, const tacit_model *model)
{
    char *text = NULL;
    int code = EXIT_OK;

    CLI_TRY(cli_check(c, tacit_model_json(c->ctx, model, &text)));
    const size_t length = strlen(text);
    fputs(text, stdout);
    if (length == 0 || text[length - 1] != '\n') putchar('\n');
done:
    tacit_free(text);
    return code;
}

/* How much of the ledger is spent; below 0: nobody knows. */
static double spent(const cli *c, tacit_ledger *ledger)
{
    tacit_ledger_summary now;

    tacit_ledger_summary_init(&now, sizeof now);
    return ledger != NULL && tacit_ledger_summarize(c->ctx, ledger, &now) == TACIT_OK ? now.spent
                                                                                      : -1;
}

/* Warnings, and the guarantee in one sentence. Uses released figures only; the card decides how
   much is promised. */
static void say_summary(const cli *c, const tacit_model *model, const char *ledger_path,
                        tacit_ledger *ledger)
{
    const cli_values *v = &c->value;
    const double *size = tacit_model_sizes(model);
    char people[320], state[400] = "";
    double total = 0;

    for (int32_t i = 0; i < tacit_model_k(model); i++) total += isnan(size[i]) ? 0 : size[i];
    if (v->epsilon > LARGE_EPSILON)
        cli_say(c, "warning: epsilon above %d protects little; 1 is usual", LARGE_EPSILON);
    if (v->delta * total >= 1)
        cli_say(c, "warning: delta should be far below one over the number of rows");
    cli_warn_model(c, model);
    if (v->quiet || !tacit_model_is_private(model)) return;
    cli_whom(people, sizeof people, v->unit_column, cli_neighbors(c), (int32_t)v->most_rows);
    const double now = spent(c, ledger);
    if (ledger == NULL)
        snprintf(state, sizeof state, "no ledger is kept, so add up the runs yourself");
    else if (now >= 0)
        snprintf(state, sizeof state, "%s is %.1f %% spent", ledger_path, 100 * now);
    const char *standing = strrchr(tacit_model_guarantee(model), ',');
    char promise[200] = "differentially private";
    if (standing != NULL && strcmp(standing, ", proved") != 0) /* never more than the card says */
        snprintf(promise, sizeof promise, "%.150s, not proved: meant to be differentially private",
                 standing + 2);
    /* Some runs leave their delta unspent. */
    if (v->delta > 0 && strstr(tacit_model_guarantee(model), "(pure)") == NULL)
        cli_say(c, "%s with epsilon %.15g, delta %.15g for %s; %s", promise, v->epsilon, v->delta,
                people, state);
    else
        cli_say(c, "%s with epsilon %.15g, pure (delta 0), for %s; %s", promise, v->epsilon, people,
                state);
}

/* The run failed: say why, and whether the budget is gone (after an interruption the library says
   it). */
static int explain(const cli *c, tacit_status status, double before, const char *path,
                   tacit_ledger *ledger)
{
    const int code = cli_check(c, status);
    const double now = status == TACIT_OK || status == TACIT_E_CANCELLED ? -1 : spent(c, ledger);

    if (now > before)
        cli_say(c,
                "nothing was released, but the budget of this run stays spent: %s is %.1f %% spent",
                path, 100 * now);
    return code;
}

int cli_deliver(const cli *c, const tacit_model *model, bool paid)
{
    const cli_values *v = &c->value;
    const bool to_file = !cli_is_stdout(v->output);
    int code = EXIT_OK;

    if (to_file) {
        code = cli_check(c, tacit_model_write(c->ctx, model, v->output));
        /* It is paid for: rather on standard output than lost. */
        if (code != 0 && paid) {
            cli_say(c, "the release is paid for, so it follows on standard output");
            print_json(c, model);
            cli_close_stdout(c);
        }
        if (code != 0) goto done;
    }
    /* Files first: whoever reads standard output may close it, which ends the program. */
    const int drawn = v->picture != NULL ? cli_write_picture(c, model, v->picture) : EXIT_OK;
    if (v->json || (v->output != NULL && !to_file))
        CLI_TRY(print_json(c, model));
    else if (!to_file || !v->quiet)
        CLI_TRY(cli_show_model(c, model));
    CLI_TRY(cli_close_stdout(c));
    code = drawn;
done:
    return code;
}

/* The one call that reads rows and spends budget; with --not-private the plain solvers. */
static tacit_status ask(const cli *c, tacit_data *data, const cli_request *r, tacit_model **out)
{
    const cli_family family = cli_family_of(c);

    if (family == FAMILY_MEANS) return tacit_kmeans_run(c->ctx, data, &r->budget, &r->centers, out);
    if (family == FAMILY_MEDIAN)
        return tacit_kmedian_run(c->ctx, data, &r->budget, &r->centers, out);
    if (c->value.not_private && family == FAMILY_SUBSPACE)
        return tacit_subspace_plain(c->ctx, data, &r->subspaces, out);
    if (c->value.not_private) return tacit_cocluster_plain(c->ctx, data, &r->blocks, out);
    if (family == FAMILY_SUBSPACE)
        return tacit_subspace_run(c->ctx, data, &r->budget, &r->subspaces, out);
    return tacit_cocluster_run(c->ctx, data, &r->budget, &r->blocks, out);
}

/* The order matters: options, outputs and header are checked before anything is spent, and the
   release is written before anything is said about it. */
int cmd_run(cli *c)
{
    const cli_values *v = &c->value;
    const cli_source *from = &c->source;
    const bool plain = v->not_private;
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    cli_request request;
    tacit_ledger_summary before;
    cli_progress progress;
    int code = EXIT_OK;

    if (v->list_methods) return cli_list_methods(c);
    tacit_ledger_summary_init(&before, sizeof before);
    CLI_TRY(cli_open_source(c, 0, true));
    CLI_TRY(cli_check_request(c));
    for (int i = 0; i < 4; i++) {
        const char *output = i % 2 == 0 ? v->output : v->picture;
        CLI_TRY(i < 2 ? cli_check_output_files(c, output)
                      : cli_check_output(c, output, from->ledger_path));
    }
    if (plain) CLI_TRY(cli_check_source(c));
    if (plain) CLI_TRY(cli_as_owner(c, "--not-private"));
    CLI_TRY(cli_open_data(c, from->path, v->columns, &data));
    cli_warn_shape(c, from->path);
    CLI_TRY(cli_declare_domain(c, data));
    if (!plain) CLI_TRY(cli_attach(c, data));
    if (from->ledger != NULL)
        CLI_TRY(cli_check(c, tacit_ledger_summarize(c->ctx, from->ledger, &before)));
    cli_fill_request(c, &request);
    request.budget.ledger = from->ledger;

    cli_progress_start(c, &progress);
    const tacit_status status = ask(c, data, &request, &model);
    cli_progress_stop(&progress);
    CLI_TRY(explain(c, status, before.spent, from->ledger_path, from->ledger));
    CLI_TRY(cli_deliver(c, model, !plain));
    if (plain)
        cli_warn_model(c, model);
    else
        say_summary(c, model, from->ledger_path, from->ledger);
done:
    tacit_model_free(model);
    tacit_data_free(data);
    return code;
}
