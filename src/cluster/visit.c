/* SPDX-License-Identifier: Apache-2.0 */
/* A run from its opening to its release, whatever family asks. */
#include "cluster/visit.h"

#define START_STREAM (UINT64_C(1) << 62) /* far from the numbers of questions: never the key of noise */

tacit_status tac_visit_run(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget, const tac_visit *visit,
                           tacit_model **out)
{
    tac_run run;
    tac_stream random;
    tacit_model *model = NULL;
    tacit_status status = tac_run_open(ctx, data, budget, visit->scale, visit->origin, visit->what, &run);

    *out = NULL;
    if (status != TACIT_OK) return status;
    if (visit->probe != NULL) tac_run_probe(&run, visit->probe);
    TAC_TRY(tac_stream_open(ctx, &run.key, START_STREAM, 0, &random));
    status = visit->ask(&run, &random, visit->state, &model);
    tac_stream_close(&random);
done:
    status = tac_run_close(&run, status);
    if (status == TACIT_OK)
        *out = model;
    else
        tacit_model_free(model);
    return status;
}
