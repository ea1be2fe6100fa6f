/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger's handle and its three acts: reserve before the first row is read, then commit or
   void. Why it never counts too little: ledger.proof.md. */
#include "privacy/ledger/ledger_internal.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ms: an act takes milliseconds, so this is many waiting processes or one that hangs */
#define PATIENCE 30000

/* Before SQLite sees the name. stat, not open: closing a descriptor of the file would drop the
   locks that other connections of this process hold on it. */
static tacit_status check_file(tacit_ctx *ctx, const char *path)
{
    struct stat about;

    if (stat(path, &about) != 0) {
        if (errno == ENOENT)
            return tac_fail(ctx, TACIT_E_LEDGER,
                            "there is no ledger %s; make one with `tacit ledger init`", path);
        return tac_fail(ctx, TACIT_E_LEDGER, "the ledger %s cannot be opened: %s", path,
                        strerror(errno));
    }
    if (!S_ISREG(about.st_mode))
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "the ledger %s is not a regular file; name the file that `tacit ledger "
                        "init` made",
                        path);
    if (about.st_size == 0)
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "%s is empty and so not a tacit ledger; name the file that `tacit ledger "
                        "init` made",
                        path);
    /* SQLite finds the journal of a crash by the file's name: under a second name it would be
       missed. */
    if (about.st_nlink > 1)
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "the ledger %s has a second name (a hard link), which can undo entries "
                        "after a crash; remove the other name",
                        path);
    return TACIT_OK;
}

/* Check the file, connect, verify all of it. *out is the caller's, tacit_ledger_free ends it. */
static tacit_status open_any(tacit_ctx *ctx, const char *path, int64_t patience, bool old,
                             tacit_ledger **out)
{
    tacit_status status = TACIT_OK;
    tacit_ledger *ledger = NULL;

    *out = NULL;
    TAC_TRY(check_file(ctx, path));
    TAC_TRY(tac_ledger_connect(ctx, path, patience, &ledger));
    TAC_TRY(tac_ledger_verify(ctx, ledger, old));
    *out = ledger;
    ledger = NULL;
done:
    tacit_ledger_free(ledger);
    return status;
}

tacit_status tac_ledger_open_patient(tacit_ctx *ctx, const char *path, int64_t patience,
                                     tacit_ledger **out)
{
    return open_any(ctx, path, patience, false, out);
}

tacit_status tac_ledger_open_old(tacit_ctx *ctx, const char *path, int64_t patience,
                                 tacit_ledger **out)
{
    return open_any(ctx, path, patience, true, out);
}

tacit_status tacit_ledger_open(tacit_ctx *ctx, const char *path, tacit_ledger **out)
{
    if (ctx == NULL || out == NULL) return TACIT_E_ARGUMENT;
    ctx->message[0] = '\0';
    *out = NULL;
    if (path == NULL || path[0] == '\0')
        return tac_fail(ctx, TACIT_E_ARGUMENT, "a ledger needs a file name");
    return tac_ledger_open_patient(ctx, path, PATIENCE, out);
}

void tacit_ledger_free(tacit_ledger *ledger)
{
    if (ledger == NULL) return;
    /* In a forked child the connection is the parent's: closing it here could roll back the
       parent's transaction. */
    if (ledger->owner == getpid()) sqlite3_close(ledger->db);
    tacit_declaration_free(ledger->declaration);
    tac_free(ledger->meta.declaration);
    tac_free(ledger->path);
    tac_free(ledger);
}

tac_definition tac_ledger_definition(const tacit_ledger *ledger)
{
    return ledger->meta.definition;
}

const tacit_declaration *tac_ledger_declared(const tacit_ledger *ledger)
{
    return ledger->declaration;
}

tacit_status tacit_ledger_declaration(tacit_ctx *ctx, const tacit_ledger *ledger,
                                      tacit_declaration **out)
{
    return tac_declaration_copy(ctx, ledger->declaration, out);
}

/* Takes the write lock, then reads what others have written since: a decision never rests on an
   earlier look. The caller commits or rolls back. */
tacit_status tac_ledger_begin(tacit_ctx *ctx, tacit_ledger *ledger, bool closing,
                              tac_ledger_state *state)
{
    tacit_status status = TACIT_OK;
    int moved = 0;

    TAC_TRY(tac_ledger_enter(ctx, ledger, closing));
    if (!closing && ctx != NULL && tac_check_cancel(ctx) != TACIT_OK) {
        status = tac_fail(ctx, TACIT_E_CANCELLED, "interrupted before anything was reserved");
        goto done;
    }
    TAC_TRY(tac_ledger_exec(ctx, ledger, "BEGIN IMMEDIATE"));
    /* An entry in a file that no longer has the ledger's name would be seen by nobody. */
    const int code = sqlite3_file_control(ledger->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (code != SQLITE_OK || moved) {
        status = tac_fail(ctx, TACIT_E_LEDGER,
                          "the ledger %s was moved or replaced while in use; open it again",
                          ledger->path);
        goto done;
    }
    *state = ledger->state;
    TAC_TRY(tac_ledger_catch_up(ctx, ledger, state));
done:
    return status;
}

/* Append and commit. The handle's state moves only after the commit is durable. */
static tacit_status finish(tacit_ctx *ctx, tacit_ledger *ledger, tac_entry *entry,
                           tac_ledger_state *state)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_ledger_append(ctx, ledger, entry, state));
    TAC_TRY(tac_ledger_exec(ctx, ledger, "COMMIT"));
    ledger->state = *state;
done:
    return status;
}

/* Largest number of three decimal digits that is at most x: what is shown to be left can really be
   asked for. */
static double shown_down(double x)
{
    if (x <= 0) return 0;
    const double scale = pow(10, 3 - ceil(log10(x)));
    return floor(x * scale) / scale;
}

/* The sentence of a refusal: what is left, as a share and as the epsilon that would still fit.
   Public: spending is. */
static tacit_status too_little(tacit_ctx *ctx, const tacit_ledger *ledger,
                               const tac_ledger_state *state)
{
    const uint64_t budget = ledger->meta.quanta, left = budget - state->spent;

    if (left == 0)
        return tac_fail(ctx, TACIT_E_BUDGET_SPENT,
                        "the budget in the ledger %s is spent: this data set can answer no more "
                        "runs",
                        ledger->path);
    return tac_fail(ctx, TACIT_E_BUDGET_SPENT,
                    "the ledger %s has %.3g %% of its budget left, which is less than this run "
                    "asks for; ask for an epsilon of at most %.3g at delta %g",
                    ledger->path, shown_down(100 * (1 - tac_ledger_share_up(state->spent, budget))),
                    shown_down(tac_ledger_epsilon_left(&ledger->meta, state->spent)),
                    ledger->meta.delta);
}

/* Does the run compose with what the ledger counts? Same privacy definition or one that
   converts, same neighbors, same privacy unit. */
static tacit_status check_claim(tacit_ctx *ctx, const tacit_ledger *ledger, const tac_claim *claim)
{
    if (!(claim->epsilon > 0) || !isfinite(claim->epsilon) || !(claim->delta >= 0) ||
        !(claim->delta < 1) || claim->quanta == 0 || claim->what == NULL)
        return tac_fail(ctx, TACIT_E_INTERNAL,
                        "a run claimed a budget that is not positive from the ledger %s",
                        ledger->path);
    if (ledger->meta.definition == TAC_PURE && claim->delta > 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the ledger %s has delta 0 and takes only runs with delta 0", ledger->path);
    /* Costs about different things do not add up: one row's budget says nothing of a person's. */
    if (claim->neighbors != ledger->meta.neighbors)
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "the ledger %s counts for neighbours %s and this run is for %s; run it "
                        "with the ledger's",
                        ledger->path, tac_ledger_relations[ledger->meta.neighbors],
                        tac_ledger_relations[claim->neighbors]);
    if (ledger->meta.unit[0] == '\0' && claim->unit_column != NULL)
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "the ledger %s counts for single rows; run without a unit column, or make "
                        "a ledger for that unit column",
                        ledger->path);
    if (ledger->meta.unit[0] != '\0' &&
        (claim->unit_column == NULL || strcmp(claim->unit_column, ledger->meta.unit) != 0))
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "the ledger %s counts for persons of the column '%s'; run with it as the "
                        "unit column",
                        ledger->path, ledger->meta.unit);
    return TACIT_OK;
}

/* Under the write lock: compare, append, commit durably. TACIT_OK means that the quanta are
   spent even if the machine stops now. */
tacit_status tac_ledger_reserve(tacit_ctx *ctx, tacit_ledger *ledger, const tac_claim *claim,
                                tac_reservation *out)
{
    tacit_status status = TACIT_OK;
    tac_ledger_state state;
    tac_entry entry = {0};

    memset(out, 0, sizeof *out);
    TAC_TRY(check_claim(ctx, ledger, claim));
    TAC_TRY(tac_ledger_begin(ctx, ledger, false, &state));
    /* spent <= budget always, so the difference cannot wrap; spent + quanta could. */
    if (claim->quanta > ledger->meta.quanta - state.spent) {
        status = too_little(ctx, ledger, &state);
        goto done;
    }
    entry.kind = TAC_ENTRY_RESERVE;
    entry.quanta = claim->quanta;
    entry.epsilon = claim->epsilon;
    entry.delta = claim->delta;
    tac_ledger_set_text(entry.what, claim->what);
    TAC_TRY(tac_system_random(ctx, entry.run, sizeof entry.run));
    TAC_TRY(finish(ctx, ledger, &entry, &state));
    memcpy(out->run, entry.run, sizeof out->run);
done:
    if (status != TACIT_OK && ledger->owner == getpid()) tac_ledger_rollback(ledger);
    return status;
}

/* Commit or void. Only a run that reserved and is still open can be closed, whoever asks. */
static tacit_status close_run(tacit_ctx *ctx, tacit_ledger *ledger,
                              const tac_reservation *reservation, tac_entry_kind kind)
{
    tacit_status status = TACIT_OK;
    tac_ledger_state state;
    tac_entry entry = {0};
    bool found = false, closed = false;

    TAC_TRY(tac_ledger_begin(ctx, ledger, true, &state));
    TAC_TRY(tac_ledger_find_run(ctx, ledger, reservation->run, state.sequence, &entry, &found,
                                &closed));
    if (!found || closed) {
        status = tac_fail(ctx, TACIT_E_INTERNAL,
                          "the ledger %s holds no open reservation of this run", ledger->path);
        goto done;
    }
    entry.kind = kind; /* epsilon, delta and what repeat the reservation's */
    if (kind == TAC_ENTRY_COMMIT) entry.quanta = 0;
    TAC_TRY(finish(ctx, ledger, &entry, &state));
done:
    if (status != TACIT_OK && ledger->owner == getpid()) tac_ledger_rollback(ledger);
    return status;
}

tacit_status tac_ledger_commit(tacit_ctx *ctx, tacit_ledger *ledger,
                               const tac_reservation *reservation)
{
    return close_run(ctx, ledger, reservation, TAC_ENTRY_COMMIT);
}

tacit_status tac_ledger_void(tacit_ctx *ctx, tacit_ledger *ledger,
                             const tac_reservation *reservation)
{
    return close_run(ctx, ledger, reservation, TAC_ENTRY_VOID);
}

/* Spends nothing, but leaves a trace: whoever reads the history sees that exact rows were looked
   at. */
tacit_status tacit_ledger_note_owner(tacit_ctx *ctx, tacit_ledger *ledger, const char *what)
{
    tacit_status status = TACIT_OK;
    tac_ledger_state state;
    tac_entry entry = {.kind = TAC_ENTRY_OWNER};

    if (ctx == NULL || ledger == NULL || what == NULL) return TACIT_E_ARGUMENT;
    ctx->message[0] = '\0';
    TAC_TRY(tac_ledger_begin(ctx, ledger, false, &state));
    tac_ledger_set_text(entry.what, what);
    TAC_TRY(tac_system_random(ctx, entry.run, sizeof entry.run));
    TAC_TRY(finish(ctx, ledger, &entry, &state));
done:
    if (status != TACIT_OK && ledger->owner == getpid()) tac_ledger_rollback(ledger);
    return status;
}
