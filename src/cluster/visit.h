/* SPDX-License-Identifier: Apache-2.0 */
/* The walk around a run that is the same for every family: open it, let the method ask, close it, hand out the release. */
#ifndef TAC_VISIT_H
#define TAC_VISIT_H

#include "privacy/run.h"
#include "release/model.h"

typedef struct tac_visit {
    tacit_scale scale;
    tac_origin origin;
    int32_t sparsity;            /* as tac_run_open has it */
    const char *what;            /* kept in the ledger */
    const tac_door_probe *probe; /* NULL: none */
    /* Asks, and makes the release of what it learnt. random: for everything that is not noise. */
    tacit_status (*ask)(tac_run *run, tac_stream *random, const void *state, tacit_model **out);
    const void *state;
} tac_visit;

/* *out stays NULL unless the run was also closed well. */
tacit_status tac_visit_run(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget, const tac_visit *visit,
                           tacit_model **out);

#endif
