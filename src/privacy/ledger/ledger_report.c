/* SPDX-License-Identifier: Apache-2.0 */
/* What a ledger reports to its owner: how much is left, and what happened. Display only: no
   decision uses these doubles. */
#include "privacy/ledger/ledger_internal.h"

#include <math.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#define SHARE_BITS 52

/* ceil(2^52 quanta / budget) / 2^52: exact as a double, never below the true share. */
double tac_ledger_share_up(uint64_t quanta, uint64_t budget)
{
    if (quanta >= budget) return 1;
    const tac_u128 scaled = ((tac_u128)quanta << SHARE_BITS) + (budget - 1);
    return ldexp((double)(uint64_t)(scaled / budget), -SHARE_BITS);
}

/* The largest epsilon that one more run could ask for: max { e : quanta(e) <= budget - spent }. */
double tac_ledger_epsilon_left(const tac_ledger_meta *meta, uint64_t spent)
{
    const uint64_t left = meta->quanta - spent;
    double low = TAC_EPSILON_MIN, high = meta->epsilon;

    if (spent == 0) return meta->epsilon;
    if (meta->definition == TAC_PURE) {
        low = (double)left;
        if ((uint64_t)low > left) low = nextafter(low, 0);
        return ldexp(low, -TAC_QUANTUM_BITS);
    }
    if (left == 0 || tac_budget_quanta(TAC_GDP, low, meta->delta) > left) return 0;
    /* low always fits, so rounding inside the curve can only make the answer smaller. */
    for (int i = 0; i < 64; i++) {
        const double middle = low + (high - low) / 2;
        if (tac_budget_quanta(TAC_GDP, middle, meta->delta) <= left)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The state now, read in one transaction. */
static tacit_status refresh(tacit_ctx *ctx, tacit_ledger *ledger)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_ledger_enter(ctx, ledger, false));
    TAC_TRY(tac_ledger_exec(ctx, ledger, "BEGIN"));
    TAC_TRY(tac_ledger_catch_up(ctx, ledger, &ledger->state));
    TAC_TRY(tac_ledger_exec(ctx, ledger, "COMMIT"));
done:
    if (status != TACIT_OK && ledger->owner == getpid()) tac_ledger_rollback(ledger);
    return status;
}

/* Shares are rounded up and what is left is rounded down: the summary never promises too much. */
tacit_status tacit_ledger_summarize(tacit_ctx *ctx, tacit_ledger *ledger, tacit_ledger_summary *out)
{
    tacit_status status = TACIT_OK;
    tacit_ledger_summary all = {0};

    if (ctx == NULL || ledger == NULL || out == NULL) return TACIT_E_ARGUMENT;
    ctx->message[0] = '\0';
    TAC_TRY(tac_check_size(ctx, "tacit_ledger_summary", out, sizeof all));
    TAC_TRY(refresh(ctx, ledger));
    memcpy(all.unit_column, ledger->meta.unit, sizeof all.unit_column);
    all.neighbors = ledger->meta.neighbors;
    all.epsilon = ledger->meta.epsilon;
    all.delta = ledger->meta.delta;
    all.spent = tac_ledger_share_up(ledger->state.spent, ledger->meta.quanta);
    all.epsilon_left = tac_ledger_epsilon_left(&ledger->meta, ledger->state.spent);
    all.delta_left = ledger->meta.delta;
    all.runs = ledger->state.runs;
    memcpy(all.dataset, ledger->meta.dataset, sizeof all.dataset);
    status = tac_give_struct(ctx, "tacit_ledger_summary", &all, sizeof all, out);
done:
    return status;
}

/* Calls `each` for every entry, oldest first, until it returns non-zero. The struct and its
   texts live for the call only. */
tacit_status tacit_ledger_history(tacit_ctx *ctx, tacit_ledger *ledger, tacit_ledger_entry_fn each,
                                  void *payload)
{
    tacit_status status = TACIT_OK;
    sqlite3_stmt *after = NULL;
    tac_ledger_state state = {0};
    tac_entry entry;
    bool found = true;

    if (ctx == NULL || ledger == NULL || each == NULL) return TACIT_E_ARGUMENT;
    ctx->message[0] = '\0';
    TAC_TRY(refresh(ctx, ledger));
    const uint64_t last = ledger->state.sequence;
    tac_ledger_hash_meta(&ledger->meta, state.hash);
    TAC_TRY(tac_ledger_prepare_next(ctx, ledger, &after));
    /* Entry by entry without a transaction around it: a slow reader of the output holds up no run.
       Entries never change, so what is read later still fits what was read before; the chain makes
       sure. */
    while (state.sequence < last) {
        /* the callback may take its time: restart the clock */
        TAC_TRY(tac_ledger_enter(ctx, ledger, false));
        TAC_TRY(tac_ledger_next(ctx, ledger, after, &state, &entry, &found));
        if (!found) {
            status = tac_ledger_fail_damaged(ctx, ledger, "its newest entries are missing");
            goto done;
        }
        char run[2 * sizeof entry.run + 1];
        const tacit_ledger_entry shown = {
            .size = sizeof shown,
            .sequence = (int64_t)entry.sequence,
            .kind = tac_entry_kinds[entry.kind],
            .run = sodium_bin2hex(run, sizeof run, entry.run, sizeof entry.run),
            .time = entry.time,
            .what = entry.what,
            .epsilon = entry.epsilon,
            .delta = entry.delta,
            .share = entry.kind == TAC_ENTRY_RESERVE || entry.kind == TAC_ENTRY_CARRY
                         ? tac_ledger_share_up(entry.quanta, ledger->meta.quanta)
                         : 0,
        };
        if (each(&shown, payload) != 0) break;
    }
done:
    sqlite3_finalize(after);
    return status;
}
