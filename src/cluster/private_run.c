/* SPDX-License-Identifier: Apache-2.0 */
/* A run from its opening to its release, for every family, and the same for a plan. Here the
   walk begins (rows are opened behind the door) and ends (the release is handed out). */
#include "cluster/private_run.h"

#include "cluster/ranges/ranges.h"

#include <math.h>
#include <stdio.h>

/* the two ends between which made-up rows stand for all numbers of rows */
#define FEW_ROWS 100
#define MANY_ROWS 0x1p24

/* Bounds that nobody has declared, then the method; the run stays open. */
static tacit_status ask(tac_run *run, const tac_private_run *private_run, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tac_notes notes = {0};
    tac_stream random;

    *out = NULL;
    tac_public_stream(&run->seed, &random);
    if (tac_run_estimates(run)) TAC_TRY(tac_private_bounds(run, &notes));
    TAC_TRY(private_run->ask(run, &random, private_run->state, out));
    TAC_TRY(tac_notes_append(run->ctx, &notes, *out));
done:
    tac_stream_close(&random);
    tac_notes_clear(&notes);
    return status;
}

/* One walk over made-up rows. plan: NULL if only its end is of interest. */
static tacit_status quote(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget,
                          const tac_private_run *private_run, double rows, bool narrow,
                          tacit_plan *plan)
{
    tac_assumed assumed = private_run->assumed;
    tacit_model *model = NULL;
    tac_quote q;

    assumed.rows = rows;
    assumed.narrow = narrow;
    tacit_status status =
        tac_quote_open(ctx, data, budget, private_run->scale, private_run->origin, &assumed, &q);
    if (status != TACIT_OK) return status;
    q.run.longest = plan == NULL;
    status = ask(&q.run, private_run, &model);
    if (status == TACIT_OK && plan != NULL) {
        status = tac_plan_receipts(&q.ctx, &q.run, plan);
        plan->sizes_sd = tacit_model_sizes_sd(model);
        plan->centers_sd = tac_centers_moved(model);
        tac_plan_advise(plan, "%s", private_run->caveat != NULL ? private_run->caveat : "");
    }
    tacit_model_free(model);
    return tac_quote_close(&q, ctx, status);
}

/* How many rows there are, and how much of the domain they fill, is not known here. A walk over few
   rows that fill it and one over many that do not stand for all: between them they have the fewest
   and the most queries. */
static tacit_status affordable(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget,
                               const tac_private_run *private_run)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_run_params(data, budget);

    /* what needs all rows in one place is refused here, before anything is spent */
    if (tac_data_apart(data)) {
        status = quote(ctx, data, budget, private_run, FEW_ROWS, false, NULL);
        if (status != TACIT_OK) return status;
    }
    if (!private_run->thin &&
        tac_quote_plenty(&params,
                         tac_budget_quanta(params.definition, budget->epsilon, budget->delta),
                         tac_data_dims(data)))
        return TACIT_OK;
    TAC_TRY(quote(ctx, data, budget, private_run, FEW_ROWS, false, NULL));
    TAC_TRY(quote(ctx, data, budget, private_run, MANY_ROWS, true, NULL));
done:
    if (status == TACIT_E_ARGUMENT)
        tac_fail(ctx, status,
                 "epsilon is too small for so many rounds, clusters, columns or rows per person: "
                 "the noise would not fit 64-bit numbers; raise epsilon, or ask for fewer rounds, "
                 "clusters or columns");
    return status;
}

#define LISTED 12      /* columns that the ledger's history names */
#define WHAT_BYTES 200 /* of what it keeps of a run */

/* "kmeans auto k=5: age, stay", or how many columns there are. Names come from the owner's header
   and are public. */
static void write_what(const tacit_data *data, const tac_private_run *private_run,
                       char out[WHAT_BYTES])
{
    const int32_t columns = tacit_data_column_count(data);
    int used = snprintf(out, WHAT_BYTES, "%s", private_run->what);
    const int begun = used;

    if (!private_run->name_columns) return;
    for (int32_t j = 0; j < columns && columns <= LISTED && used < WHAT_BYTES; j++)
        used += snprintf(out + used, (size_t)(WHAT_BYTES - used), "%s%s", j == 0 ? ": " : ", ",
                         tacit_data_column_get(data, j));
    if (columns > LISTED || used >= WHAT_BYTES)
        snprintf(out + begun, (size_t)(WHAT_BYTES - begun), ": %d columns", columns);
    tacit_text_make_plain(out);
}

/* By options alone, whether the rows would fit or not: how many there are is private. */
static tacit_status check_whole(tacit_ctx *ctx, const tac_private_run *private_run)
{
    if (private_run->whole == NULL || ctx->memory == 0) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "method %s draws from all rows together and needs them in memory; leave the "
                    "limit of memory out (--memory), or take another method, for example auto",
                    private_run->whole);
}

/* Order matters: affordable before anything is opened, the probe before public choices, and the
   release only if closing, which writes the ledger, went well. */
tacit_status tac_private_run_do(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                const tac_private_run *private_run, tacit_model **out)
{
    tac_run run;
    tacit_model *model = NULL;
    char what[WHAT_BYTES];
    tacit_status status = check_whole(ctx, private_run);

    *out = NULL;
    if (status == TACIT_OK) status = affordable(ctx, data, budget, private_run);
    write_what(data, private_run, what);
    if (status == TACIT_OK)
        status = tac_run_open(ctx, data, budget, private_run->scale, private_run->origin,
                              private_run->assumed.sparsity, what, &run);
    if (status != TACIT_OK) return status;
    /* before the public choices: it may put another seed there */
    if (private_run->probe != NULL) tac_run_probe(&run, private_run->probe);
    status = ask(&run, private_run, &model);
    status = tac_run_close(&run, status);
    if (status == TACIT_OK) {
        *out = model;
        ctx->run.rounds = model->rounds;
    } else {
        tacit_model_free(model);
    }
    return status;
}

tacit_status tac_private_run_plan(tacit_ctx *ctx, const tacit_data *data,
                                  const tacit_budget *budget, const tac_private_run *private_run,
                                  double rows, tacit_plan **out)
{
    tacit_status status = TACIT_OK;
    tacit_plan *plan = NULL;

    *out = NULL;
    if (!(rows >= 1 && rows <= TAC_ROWS_MOST))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "rows about must be a guess of the number of rows, 1 to 8e12");
    TAC_TRY(tac_new(ctx, 1, sizeof *plan, &plan));
    TAC_TRY(quote(ctx, data, budget, private_run, rows, false, plan));
    plan->request.budget = *budget;
    plan->request.budget.ledger = NULL;
    plan->request.assumed = private_run->assumed;
    plan->request.assumed.rows = rows;
    *out = plan;
    plan = NULL;
done:
    tac_free(plan);
    return status;
}
