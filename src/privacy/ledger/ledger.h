/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger: an SQLite file, append-only and hash-chained. A run reserves its whole budget in one
   durable transaction before the first row is read; whatever crashes afterwards leaves it spent. */
#ifndef TAC_LEDGER_H
#define TAC_LEDGER_H

#include "data/dataset/declaration.h"
#include "privacy/accounting/accountant.h"

/* What a run takes from a ledger. `quanta` are those of the ledger's privacy definition (PURE if
   its delta is 0, GDP otherwise): ask tac_ledger_definition. */
typedef struct tac_claim {
    double epsilon, delta;
    uint64_t quanta;
    const char *what;        /* a few public words: "kmeans lloyd k=5" */
    const char *unit_column; /* NULL: single rows */
    tacit_neighbors neighbors;
} tac_claim;

/* Names a run that has reserved; public, it appears in the history. */
typedef struct tac_reservation {
    uint8_t run[16]; /* random */
} tac_reservation;

tac_definition tac_ledger_definition(const tacit_ledger *ledger);
/* What the data set is, by its owner. */
const tacit_declaration *tac_ledger_declared(const tacit_ledger *ledger);
/* BEGIN IMMEDIATE; spent + quanta <= budget; insert; COMMIT, durable. TACIT_E_BUDGET_SPENT
   leaves the ledger untouched. */
tacit_status tac_ledger_reserve(tacit_ctx *ctx, tacit_ledger *ledger, const tac_claim *claim,
                                tac_reservation *out);
/* The run ended as it should; the claim stays spent. Works after a cancellation; ctx may be NULL,
   which keeps the sentence of an earlier failure. Refused (TACIT_E_INTERNAL) unless the run has
   reserved and was not closed. */
tacit_status tac_ledger_commit(tacit_ctx *ctx, tacit_ledger *ledger,
                               const tac_reservation *reservation);
/* Give the claim back, else as commit. The caller proves by construction that no row was read. */
tacit_status tac_ledger_void(tacit_ctx *ctx, tacit_ledger *ledger,
                             const tac_reservation *reservation);

/* tacit_ledger_open with another patience than 30 s for other processes' locks: for tests. */
tacit_status tac_ledger_open_patient(tacit_ctx *ctx, const char *path, int64_t milliseconds,
                                     tacit_ledger **out);

#endif
