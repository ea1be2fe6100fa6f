/* SPDX-License-Identifier: Apache-2.0 */
/* The walk around a run, the same for every family: check that the budget can pay, open the run,
   let the method ask, close it, hand out the release. A plan is the same walk over made-up rows;
   its receipts are kept. */
#ifndef TAC_PRIVATE_RUN_H
#define TAC_PRIVATE_RUN_H

#include "cluster/plan.h"
#include "privacy/quote.h"
#include "release/model.h"

typedef struct tac_private_run {
    tacit_scale scale;
    tac_origin origin;
    int32_t sparsity;            /* as tac_run_open has it */
    const char *what;            /* kept in the ledger ... */
    bool name_columns;           /* ... with the names of the columns behind it */
    const tac_door_probe *probe; /* NULL: none */
    /* Asks its queries and makes the release from the answers. random: for everything that is
       not noise. */
    tacit_status (*ask)(tac_run *run, tac_stream *random, const void *state, tacit_model **out);
    const char *caveat; /* what a plan adds of the method; NULL: nothing */
    const void *state;
    tac_assumed assumed; /* of the rows, but for their number */
    /* options make queries so many that some get less than tac_quote_plenty takes for granted */
    bool thin;
    /* the name of a method whose draws look at all rows together; NULL: its queries add up over
       parts of them */
    const char *whole;
} tac_private_run;

/* budget: checked. *out stays NULL unless the run was also closed well. A budget that cannot pay
   for the method's queries is refused before a row is read and anything is spent. */
tacit_status tac_private_run_do(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                const tac_private_run *private_run, tacit_model **out);
/* What that run would ask of about so many rows. */
tacit_status tac_private_run_plan(tacit_ctx *ctx, const tacit_data *data,
                                  const tacit_budget *budget, const tac_private_run *private_run,
                                  double rows, tacit_plan **out);

#endif
