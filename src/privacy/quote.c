/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing a quoting run, and the test whether a budget is so large that none is
   needed. `tacit plan` comes here. */
#include "privacy/quote.h"
#include "privacy/shards/remote.h"

#include <string.h>

#define SEED 1 /* of noise that protects nobody: the rows are made up */

/* The caller's budget without its ledger, and a fixed seed: nothing is spent, and the same plan
   comes twice. */
tacit_status tac_quote_open(tacit_ctx *ctx, const tacit_data *like, const tacit_budget *budget,
                            tacit_scale scale, tac_origin origin, const tac_assumed *assumed,
                            tac_quote *out)
{
    tacit_status status = TACIT_OK;
    tacit_budget public = *budget;

    memset(out, 0, sizeof *out);
    out->ctx = (tacit_ctx){.threads = 1 /* few rows: starting threads would take longer */,
                           .block_bytes = ctx->block_bytes,
                           .parent = ctx};
    public.ledger = NULL;
    public.use_insecure_test_seed = 1;
    public.insecure_test_seed = SEED;
    TAC_TRY(tac_stand_in_make(&out->ctx, like, assumed, &out->rows));
    TAC_TRY(tac_run_open(&out->ctx, out->rows.data, &public, scale, origin, assumed->sparsity,
                         "plan", &out->run));
    if (like->elsewhere) tac_door_set_apart(out->run.door, TAC_REMOTE_WHERE);
done:
    if (status != TACIT_OK) status = tac_quote_close(out, ctx, status);
    return status;
}

/* In lattice units of the caller: the ball of that radius fills the lattice. Its threads are the
   caller's: these rows may be many. */
tacit_status tac_quote_box(tac_run *run, const tac_box *box, tac_quote *out)
{
    tacit_status status = TACIT_OK;
    tacit_budget public = run->budget;

    memset(out, 0, sizeof *out);
    out->ctx = (tacit_ctx){
        .threads = run->ctx->threads, .block_bytes = run->ctx->block_bytes, .parent = run->ctx};
    public.ledger = NULL;
    public.as_owner = 0;
    public.bounds_share = 0;
    public.use_insecure_test_seed = 1;
    public.insecure_test_seed = box->seed;
    TAC_TRY(tac_stand_in_box(
        &out->ctx, box, run->data->has_units ? tac_data_unit_name(run->data) : NULL, &out->rows));
    TAC_TRY(tac_run_open(&out->ctx, out->rows.data, &public, TACIT_SCALE_NONE, TAC_MIDDLE, 0, "box",
                         &out->run));
done:
    if (status != TACIT_OK) status = tac_quote_close(out, run->ctx, status);
    return status;
}

tacit_status tac_quote_close(tac_quote *quote, tacit_ctx *ctx, tacit_status outcome)
{
    if (quote->run.ctx != NULL) outcome = tac_run_close(&quote->run, outcome);
    tac_stand_in_clear(&quote->rows);
    if (outcome != TACIT_OK) memcpy(ctx->message, quote->ctx.message, sizeof ctx->message);
    return outcome;
}

/* One quote for the widest query of each kind, at the share of the budget that quote.h names. */
bool tac_quote_plenty(const tac_privacy_params *t, uint64_t budget, int32_t dims)
{
    /* dims of the widest queries of each kind */
    enum { TENSOR = 24, TREE = 24, SQUARE = 1500, CODES = 64 };
    /* Gaussian noise: the root of the share counts */
    const uint64_t little = budget >> 16, more = budget >> (t->definition == TAC_PURE ? 12 : 20);
    const tac_local_parts sums = {.count = UINT32_C(1) << 31, .sum = 128},
                          cells = {.count = UINT32_C(1) << 31, .sum = 128, .moments = true};
    uint64_t cost;

    return tac_quote_local(t, dims, &sums, little) != 0 &&
           tac_selection_epsilon(t->definition, little / (uint64_t)dims, &cost) != 0 &&
           tac_quote_local(t, dims < TREE ? dims : TREE, &cells, more) != 0 &&
           tac_quote_moments(t, dims < SQUARE ? dims : SQUARE, more) != 0 &&
           tac_quote_fourth(t, dims < TENSOR ? dims : TENSOR, budget >> 2) != 0 &&
           tac_quote_codes(t, dims, CODES, budget >> 5) != 0;
}
