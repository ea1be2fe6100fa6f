/* SPDX-License-Identifier: Apache-2.0 */
/* Sixteen processes race for one budget: exactly floor(budget / cost) reservations are granted,
   never one more. Then they also give back, read, open anew and are killed in the middle: the
   ledger's sum stays between what was certainly taken and what may have been. */
#include "privacy/ledger/ledger_internal.h"
#include "declared.h"
#include "scratch.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#define RACERS 16

/* Reserve until nothing is left and commit a third of the runs. Tells how many were granted, or -1
   after any other failure. */
static int64_t racer(const char *path, uint64_t cost, int64_t enough, int start)
{
    const tac_claim claim = {0.001, 0, cost, "race", NULL, TACIT_ADD_REMOVE};
    tacit_ctx *ctx = NULL;
    tacit_ledger *ledger = NULL;
    tac_reservation run;
    tacit_status status;
    int64_t granted = 0;
    char go;

    if (tacit_ctx_new(&ctx) != TACIT_OK || tacit_ledger_open(ctx, path, &ledger) != TACIT_OK)
        return -1;
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

static void race(tacit_ctx *ctx)
{
    const int64_t grants = tap_times(1000);
    const uint64_t budget = UINT64_C(1) << TAC_QUANTUM_BITS, cost = budget / (uint64_t)grants - 1;
    tacit_ledger *ledger = NULL;
    int gate[2], results[2];

    const char *path = scratch("race");
    MUST(plain_ledger(ctx, path, "race", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_OK);
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
    while (wait(NULL) > 0) {
    }

    CHECK(racers == RACERS && failed == 0, "all %d racers came through", RACERS);
    CHECK(total == (int64_t)(budget / cost), "%lld granted, the budget holds %lld",
          (long long)total, (long long)(budget / cost));
    CHECK(most < total, "more than one racer was granted something");
    MUST(tacit_ledger_open(ctx, path, &ledger) == TACIT_OK);
    CHECK(ledger->state.spent == (uint64_t)total * cost && ledger->state.spent <= budget &&
              ledger->state.runs == total,
          "the ledger's own sum says the same");
    tacit_ledger_free(ledger);
}

/* What all processes have done, in memory they share: counted before an act is begun and after it
   has ended. */
typedef struct tally {
    atomic_long asked, refused, granted, voiding, voided, looks, odd, done;
} tally;

static uint32_t draw(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % n);
}

/* Acts at random until `acts` have been done by all together. Whatever is odd is counted, for no
   act may fail but for want of budget. */
static void mixed_acts(const char *path, uint64_t cost, long acts, uint64_t seed, tally *all)
{
    const tac_claim claim = {0.001, 0, cost, "race", NULL, TACIT_ADD_REMOVE};
    tacit_ctx *ctx = NULL;
    tacit_ledger *ledger = NULL;
    tacit_ledger_summary now;

    if (tacit_ctx_new(&ctx) != TACIT_OK) _exit(1);
    while (all->done++ < acts) {
        tac_reservation run;
        const uint32_t act = draw(&seed, 100);
        if (ledger == NULL || act == 0) { /* a new handle verifies everything */
            tacit_ledger_free(ledger);
            ledger = NULL;
            if (tacit_ledger_open(ctx, path, &ledger) != TACIT_OK) {
                fprintf(stderr, "# %s\n", tacit_ctx_message(ctx));
                all->odd++;
                continue;
            }
        }
        if (act < 10) {
            tacit_ledger_summary_init(&now, sizeof now);
            all->odd += tacit_ledger_summarize(ctx, ledger, &now) != TACIT_OK || now.spent > 1 ||
                        ledger->state.spent > ledger->meta.quanta;
            all->looks++;
            continue;
        }
        all->asked++;
        const tacit_status status = tac_ledger_reserve(ctx, ledger, &claim, &run);
        if (status == TACIT_E_BUDGET_SPENT) {
            all->refused++;
            continue;
        }
        if (status != TACIT_OK) fprintf(stderr, "# %s\n", tacit_ctx_message(ctx));
        all->odd += status != TACIT_OK;
        if (status != TACIT_OK) continue;
        all->granted++;
        if (act < 50) {
            all->odd += tac_ledger_commit(ctx, ledger, &run) != TACIT_OK;
        } else if (act < 90) {
            all->voiding++;
            if (tac_ledger_void(ctx, ledger, &run) == TACIT_OK)
                all->voided++;
            else
                all->odd++;
        } /* else it is left open, as by a crash */
    }
    tacit_ledger_free(ledger);
    tacit_ctx_free(ctx);
    _exit(0);
}

static void mixed_race(tacit_ctx *ctx)
{
    const long acts = RACERS * tap_times(60) * (tap_times(10) >= 100 ? 2 : 1) / 2,
               kills = tap_times(20);
    const uint64_t budget = UINT64_C(1) << TAC_QUANTUM_BITS, cost = budget / (uint64_t)(acts / 4);
    tacit_ledger *ledger = NULL;
    pid_t child[RACERS];
    uint64_t state = 3;
    long killed = 0;
    tally *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const char *path = scratch("mixed");

    MUST(all != MAP_FAILED &&
         plain_ledger(ctx, path, "race", 1, 0, NULL, TACIT_ADD_REMOVE) == TACIT_OK);
    for (long i = 0; i < RACERS + kills; i++) {
        const int who = (int)(i < RACERS ? i : (long)draw(&state, RACERS));
        /* wait for the race to go on a little, then one of them dies and another takes its place */
        if (i >= RACERS) {
            const long until = acts * (i - RACERS) / kills;
            while (all->done < until) nanosleep(&(struct timespec){0, 200000}, NULL);
            int how = 0;
            kill(child[who], SIGKILL);
            MUST(waitpid(child[who], &how, 0) == child[who]);
            killed += WIFSIGNALED(how);
        }
        fflush(stdout);
        child[who] = fork();
        MUST(child[who] >= 0);
        if (child[who] == 0) mixed_acts(path, cost, acts, (uint64_t)i + 100, all);
    }
    for (int i = 0; i < RACERS; i++) MUST(waitpid(child[i], NULL, 0) == child[i]);
    MUST(tacit_ledger_open(ctx, path, &ledger) == TACIT_OK);
    const long runs = (long)ledger->state.runs, least = all->granted - all->voiding,
               most = all->asked - all->refused - all->voided;
    CHECK(all->odd == 0 && killed > 0 && all->refused > 0 && all->voided > 0 && all->looks > 0,
          "%ld acts of %d processes, %ld of them killed: %ld granted, %ld given back, %ld refused",
          acts, RACERS, killed, (long)all->granted, (long)all->voided, (long)all->refused);
    CHECK(ledger->state.spent == (uint64_t)runs * cost && ledger->state.spent <= budget &&
              runs >= least && runs <= most && most - least <= killed,
          "the ledger counts %ld runs: no fewer than %ld, which were granted and kept, nor more "
          "than %ld",
          runs, least, most);
    tacit_ledger_free(ledger);
    munmap(all, sizeof *all);
}

int main(void)
{
    tacit_ctx *ctx = NULL;

    scratch_open();
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    race(ctx);
    mixed_race(ctx);
    tacit_ctx_free(ctx);
    scratch_close();
    return tap_done();
}
