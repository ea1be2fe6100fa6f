/* SPDX-License-Identifier: Apache-2.0 */
/* Sixteen processes race for one budget: exactly floor(budget / cost) reservations are granted, never one more. */
#include "privacy/ledger/ledger_inside.h"
#include "scratch.h"

#include <sys/wait.h>

#define RACERS 16

/* Reserve until nothing is left and commit a third of the runs. Tells how many were granted, or -1 after any other
   failure. */
static int64_t racer(const char *path, uint64_t cost, int64_t enough, int start)
{
    const tac_claim claim = {0.001, 0, cost, "race", NULL, TACIT_ADD_REMOVE};
    tacit_ctx *ctx = NULL;
    tacit_ledger *ledger = NULL;
    tac_reservation run;
    tacit_status status;
    int64_t granted = 0;
    char go;

    if (tacit_ctx_new(&ctx) != TACIT_OK || tacit_ledger_open(ctx, path, &ledger) != TACIT_OK) return -1;
    if (read(start, &go, 1) != 0) return -1; /* all begin when the parent closes the gate */
    while ((status = tac_ledger_reserve(ctx, ledger, &claim, &run)) == TACIT_OK) {
        if (++granted > enough) return granted; /* overspent: the parent will say so */
        if (granted % 3 == 0 && tac_ledger_commit(ctx, ledger, &run) != TACIT_OK) return -1;
    }
    if (status != TACIT_E_BUDGET_SPENT) {
        fprintf(stderr, "# %s\n", tacit_ctx_message(ctx));
        return -1;
    }
    tacit_ledger_free(ledger);
    tacit_ctx_free(ctx);
    return granted;
}

int main(void)
{
    const int64_t grants = tap_times(1000);
    const uint64_t budget = UINT64_C(1) << TAC_UNIT_BITS, cost = budget / (uint64_t)grants - 1;
    tacit_ctx *ctx = NULL;
    tacit_ledger *ledger = NULL;
    int gate[2], results[2];

    scratch_open();
    const char *path = scratch("race");
    MUST(tacit_ctx_new(&ctx) == TACIT_OK && tacit_ledger_create(ctx, path, "race", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_OK);
    MUST(pipe(gate) == 0 && pipe(results) == 0);
    for (int i = 0; i < RACERS; i++) {
        const pid_t child = fork();
        MUST(child >= 0);
        if (child == 0) {
            close(gate[1]);
            const int64_t granted = racer(path, cost, grants + 1, gate[0]);
            _exit(write(results[1], &granted, sizeof granted) == sizeof granted ? 0 : 1);
        }
    }
    close(gate[0]);
    close(gate[1]);
    close(results[1]);
    int64_t total = 0, granted, most = 0;
    int racers = 0, failed = 0;
    while (read(results[0], &granted, sizeof granted) == sizeof granted) {
        racers++;
        failed += granted < 0;
        total += granted;
        if (granted > most) most = granted;
    }
    while (wait(NULL) > 0) {}

    CHECK(racers == RACERS && failed == 0, "all %d racers came through", RACERS);
    CHECK(total == (int64_t)(budget / cost), "%lld granted, the budget holds %lld", (long long)total,
          (long long)(budget / cost));
    CHECK(most < total, "more than one racer was granted something");
    MUST(tacit_ledger_open(ctx, path, &ledger) == TACIT_OK);
    CHECK(ledger->state.spent == (uint64_t)total * cost && ledger->state.spent <= budget &&
          ledger->state.runs == total,
          "the ledger's own sum says the same");
    tacit_ledger_free(ledger);
    tacit_ctx_free(ctx);
    scratch_close();
    return tap_done();
}
