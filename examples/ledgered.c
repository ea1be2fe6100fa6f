/* SPDX-License-Identifier: Apache-2.0 */
/* Rows in memory with a ledger: what a service does that keeps a table. Runs of epsilon 1 until
   epsilon 2 is spent: more than two, since delta is not 0 and Gaussian noise composes by squares.
   The one that no longer fits is refused before a row is read.
   Usage: ledgered LEDGER    a path at which no ledger is yet */
#include <tacit/tacit.h>

#include <stdio.h>
#include <stdlib.h>

#define ROWS 20000

/* Made-up customers: age and yearly spending, in two groups. */
static void fill(double *values)
{
    for (int i = 0; i < ROWS; i++) {
        int old = i % 2;
        values[2 * i] = old ? 60 + i % 11 : 25 + i % 11;
        values[2 * i + 1] = old ? 800 + i % 97 : 200 + i % 97;
    }
}

static tacit_status describe(tacit_ctx *ctx, tacit_data *data)
{
    const char *names[] = {"age", "spending"};
    const double lower[] = {0, 0}, upper[] = {110, 1000};
    tacit_status status = tacit_data_set_columns(ctx, data, names);
    return status ? status : tacit_data_set_bounds(ctx, data, lower, upper);
}

/* What the table is and all that may ever be spent on it. Once in its life. */
static tacit_status make_ledger(tacit_ctx *ctx, tacit_data *data, const char *path)
{
    tacit_declaration *declaration = NULL;
    tacit_status status = tacit_data_declaration(ctx, data, TACIT_ADD_REMOVE, 0, &declaration);
    if (status == TACIT_OK)
        status = tacit_ledger_create(ctx, path, "customers", 2, 1e-6, declaration);
    tacit_declaration_free(declaration);
    return status;
}

/* One release. The ledger is charged before a row is read. */
static tacit_status release(tacit_ctx *ctx, tacit_data *data, tacit_ledger *ledger)
{
    tacit_model *model = NULL;
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;
    budget.epsilon = 1;
    budget.delta = 4e-7;
    budget.ledger = ledger;
    opts.k = 2;

    tacit_status status = tacit_kmeans_run(ctx, data, &budget, &opts, &model);
    for (int32_t c = 0; status == TACIT_OK && c < tacit_model_k(model); c++)
        printf("about %.0f people around age %.0f\n", tacit_model_sizes(model)[c],
               tacit_model_centers(model)[2 * c]);
    tacit_model_free(model);
    return status;
}

int main(int argc, char **argv)
{
    tacit_ctx *ctx = NULL;
    tacit_data *data = NULL;
    tacit_ledger *ledger = NULL;
    double *values = malloc(sizeof *values * 2 * ROWS);
    tacit_status status = TACIT_E_ARGUMENT;

    if (argc != 2 || values == NULL || tacit_ctx_new(&ctx) != TACIT_OK) {
        fprintf(stderr, "usage: ledgered LEDGER\n");
        free(values);
        return 64;
    }
    fill(values);
    status = tacit_data_from_memory(ctx, values, TACIT_F64, ROWS, 2, &data);
    if (status == TACIT_OK) status = describe(ctx, data);
    if (status == TACIT_OK) status = make_ledger(ctx, data, argv[1]);
    if (status == TACIT_OK) status = tacit_ledger_open(ctx, argv[1], &ledger);
    while (status == TACIT_OK) status = release(ctx, data, ledger);
    if (status == TACIT_E_BUDGET_SPENT)
        printf("refused: %s\n", tacit_ctx_message(ctx));
    else
        fprintf(stderr, "ledgered: %s\n", tacit_ctx_message(ctx));
    tacit_ledger_free(ledger);
    tacit_data_free(data);
    tacit_ctx_free(ctx);
    free(values); /* borrowed until the handle is gone */
    return status == TACIT_E_BUDGET_SPENT ? 0 : 1;
}
