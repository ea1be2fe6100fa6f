/* SPDX-License-Identifier: Apache-2.0 */
/* A run from its opening to its release, whatever family asks. */
#include "cluster/visit.h"

tacit_status tac_visit_run(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget, const tac_visit *visit,
                           tacit_model **out)
{
    tac_run run;
    tac_stream random;
    tacit_model *model = NULL;
    tacit_status status = tac_run_open(ctx, data, budget, visit->scale, visit->origin, visit->sparsity, visit->what, &run);

    *out = NULL;
    if (status != TACIT_OK) return status;
    if (visit->probe != NULL) tac_run_probe(&run, visit->probe);
    tac_public_stream(&run.seed, &random); /* after the probe: it may have put another seed there */
    status = visit->ask(&run, &random, visit->state, &model);
    tac_stream_close(&random);
    status = tac_run_close(&run, status);
    if (status == TACIT_OK) {
        *out = model;
        ctx->run.rounds = model->rounds;
    } else {
        tacit_model_free(model);
    }
    return status;
}
