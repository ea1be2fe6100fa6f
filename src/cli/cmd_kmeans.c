/* SPDX-License-Identifier: Apache-2.0 */
/* tacit kmeans: checks everything that can be checked, then spends, then shows what was bought. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_WIDTH 100
#define LONGEST_NAME 24  /* characters of a column name */
#define MOST_DECIMALS 9
#define UNSURE 3.0       /* a size within this many standard deviations of 0 may belong to an empty cluster */
#define LARGE_EPSILON 10
#define MANY_AT_BOUNDS 0.25 /* of all coordinates: then the bounds, not the rows, made the centres */

typedef struct centers_table {
    const tacit_model *model;
    const double *center, *sd, *size;
    int *decimals; /* per column: as many as its smallest noise deserves */
} centers_table;

/* Two digits of the noise are worth showing, no more. */
static int decimals_for(double sd)
{
    if (!(sd > 0) || !isfinite(sd)) return 4;
    const int digits = 1 - (int)floor(log10(sd));
    return digits < 0 ? 0 : digits > MOST_DECIMALS ? MOST_DECIMALS : digits;
}

static void print_value(char *text, size_t size, double value, double sd, int decimals)
{
    const bool plain = fabs(value) < 1e9 && !(sd >= 1e9);
    char noise[64] = "?";

    if (isfinite(sd)) snprintf(noise, sizeof noise, plain ? "%.*f" : "%.*g", plain ? decimals : 3, sd);
    if (plain) snprintf(text, size, "%.*f ± %s", decimals, value, noise);
    else snprintf(text, size, "%.6g ± %s", value, noise);
}

static void centers_cell(const void *payload, int64_t row, int column, char *text, size_t size)
{
    const centers_table *table = payload;
    const int32_t columns = tacit_model_columns(table->model), at = column - 2;

    if (column == 0 && row < 0) snprintf(text, size, "cluster");
    else if (column == 0) snprintf(text, size, "%lld", (long long)row);
    else if (column == 1 && row < 0) snprintf(text, size, "size");
    else if (column == 1)
        print_value(text, size, table->size[row], tacit_model_sizes_sd(table->model), 0);
    else if (row < 0) {
        snprintf(text, size, "%s", tacit_model_column(table->model, at));
        cli_cut(text, LONGEST_NAME);
    } else
        print_value(text, size, table->center[row * columns + at], table->sd[row * columns + at],
                    table->decimals[at]);
}

static int print_centers(const cli *c, const tacit_model *model)
{
    const int32_t columns = tacit_model_columns(model), k = tacit_model_k(model);
    int *decimals = calloc((size_t)columns, sizeof *decimals);

    if (decimals == NULL) return cli_fail(c, tacit_status_exit(TACIT_E_MEMORY), "out of memory");
    const centers_table payload = {model, tacit_model_centers(model), tacit_model_centers_sd(model),
                                   tacit_model_sizes(model), decimals};
    for (int32_t j = 0; j < columns; j++) {
        double least = INFINITY;
        for (int64_t i = 0; i < k; i++)
            if (payload.sd[i * columns + j] > 0 && payload.sd[i * columns + j] < least)
                least = payload.sd[i * columns + j];
        decimals[j] = decimals_for(least);
    }
    if (!tacit_model_is_private(model)) puts("NOT PRIVATE: made with a test seed\n");
    cli_print_table(stdout, &(cli_table){.rows = k, .columns = columns + 2, .width = TABLE_WIDTH,
                                         .payload = &payload, .cell = centers_cell});
    free(decimals);
    return EXIT_OK;
}

static int print_json(const cli *c, const tacit_model *model)
{
    char *text = NULL;
    int code = EXIT_OK;

    CLI_TRY(cli_check(c, tacit_model_json(c->ctx, model, &text)));
    const size_t length = strlen(text);
    fputs(text, stdout);
    if (length == 0 || text[length - 1] != '\n') putchar('\n');
done:
    tacit_text_free(text);
    return code;
}

/* What the ledger stands at, as the end of a sentence. */
static void ledger_state(const cli *c, const char *path, tacit_ledger *ledger, char *text, size_t size)
{
    tacit_ledger_summary now;

    *text = '\0';
    if (ledger == NULL) {
        snprintf(text, size, "no ledger is kept, so add up the runs yourself");
        return;
    }
    tacit_ledger_summary_init(&now, sizeof now);
    if (tacit_ledger_summarise(c->ctx, ledger, &now) == TACIT_OK)
        snprintf(text, size, "%s is %.1f %% spent", path, 100 * now.spent);
}

/* Warnings use released figures only. */
static void say_summary(const cli *c, const tacit_model *model, const char *ledger_path, tacit_ledger *ledger)
{
    const cli_values *v = &c->value;
    const double *size = tacit_model_sizes(model), sd = tacit_model_sizes_sd(model);
    char people[320], state[400];
    double total = 0;
    int64_t unsure = 0;

    for (int32_t i = 0; i < tacit_model_k(model); i++) {
        total += size[i];
        unsure += size[i] < UNSURE * sd;
    }
    if (!tacit_model_is_private(model))
        cli_say(c, "warning: NOT PRIVATE, made with a test seed; never use it on real data");
    if (v->epsilon > LARGE_EPSILON)
        cli_say(c, "warning: epsilon above %d protects little; 1 is usual", LARGE_EPSILON);
    if (v->delta * total >= 1)
        cli_say(c, "warning: delta should be far below one over the number of rows");
    if (tacit_model_share_at_bounds(model) >= MANY_AT_BOUNDS)
        cli_say(c, "warning: %.0f %% of the centres' coordinates lie on a declared bound; do the bounds fit the columns' units?",
                100 * tacit_model_share_at_bounds(model));
    if (unsure > 0)
        cli_say(c, "warning: %lld of %lld clusters have a size within their noise and may be empty; fewer clusters or "
                "a larger epsilon would help", (long long)unsure, (long long)tacit_model_k(model));
    if (v->quiet || !tacit_model_is_private(model)) return;
    cli_whom(people, sizeof people, v->unit_column, (tacit_neighbours)v->neighbours, (int32_t)v->most_rows);
    ledger_state(c, ledger_path, ledger, state, sizeof state);
    if (v->delta > 0)
        cli_say(c, "differentially private with epsilon %.15g, delta %.15g for %s; %s", v->epsilon, v->delta, people, state);
    else
        cli_say(c, "differentially private with epsilon %.15g, pure (delta 0), for %s; %s", v->epsilon, people, state);
}

/* The run failed: say why, and whether the budget is gone (after an interruption the library says it). */
static int explain(const cli *c, tacit_status status, double before, const char *path, tacit_ledger *ledger)
{
    const int code = cli_check(c, status);
    tacit_ledger_summary now;

    if (status == TACIT_OK || status == TACIT_E_CANCELLED || ledger == NULL) return code;
    tacit_ledger_summary_init(&now, sizeof now);
    if (tacit_ledger_summarise(c->ctx, ledger, &now) == TACIT_OK && now.spent > before)
        cli_say(c, "nothing was released, but the budget of this run stays spent: %s is %.1f %% spent", path,
                100 * now.spent);
    return code;
}

int cmd_kmeans(cli *c)
{
    const cli_values *v = &c->value;
    const char *file = v->word[0];
    const bool to_file = !cli_is_stdout(v->output);
    tacit_data *data = NULL;
    tacit_ledger *ledger = NULL;
    tacit_model *model = NULL;
    char *ledger_path = NULL;
    tacit_budget budget;
    tacit_kmeans_opts opts;
    tacit_ledger_summary before;
    cli_progress progress;
    int code = EXIT_OK;

    tacit_ledger_summary_init(&before, sizeof before);
    CLI_TRY(cli_check_request(c));
    CLI_TRY(cli_check_output(c, v->output, file));
    CLI_TRY(cli_open_data(c, file, v->columns, &data));
    CLI_TRY(cli_declare_domain(c, data));
    CLI_TRY(cli_open_ledger(c, file, &ledger_path, &ledger));
    CLI_TRY(cli_check_output(c, v->output, ledger_path));
    if (ledger != NULL) CLI_TRY(cli_check(c, tacit_ledger_summarise(c->ctx, ledger, &before)));
    cli_fill_budget(c, &budget);
    budget.ledger = ledger;
    cli_fill_kmeans(c, &opts);

    cli_progress_start(c, &progress);
    const tacit_status status = tacit_kmeans(c->ctx, data, &budget, &opts, &model);
    cli_progress_stop(&progress);
    CLI_TRY(explain(c, status, before.spent, ledger_path, ledger));

    if (to_file) {
        code = cli_check(c, tacit_model_write(c->ctx, model, v->output));
        /* It is paid for: rather on standard output than lost. */
        if (code != 0) {
            cli_say(c, "the release is paid for, so it follows on standard output");
            print_json(c, model);
            cli_close_stdout(c);
            goto done;
        }
    }
    if (v->json || (v->output != NULL && !to_file)) CLI_TRY(print_json(c, model));
    else if (!to_file || !v->quiet) CLI_TRY(print_centers(c, model));
    CLI_TRY(cli_close_stdout(c));
    say_summary(c, model, ledger_path, ledger);
done:
    tacit_model_free(model);
    tacit_ledger_free(ledger);
    tacit_data_free(data);
    free(ledger_path);
    return code;
}
