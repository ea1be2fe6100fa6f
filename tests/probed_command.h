/* SPDX-License-Identifier: Apache-2.0 */
/* The command's own objects in this process, for tests that replay it: its calls of the library go
   to the same calls with a probe, which writes down the queries and answers of a first run and
   gives the answers to later ones. The clock stands still, and the operating system's random bytes
   (run ids, names of scratch files) are the same in all runs. To be linked with the wrappers that
   tests/meson.build names. */
#ifndef TAC_PROBED_COMMAND_H
#define TAC_PROBED_COMMAND_H

#include "audit/audit.h"
#include "cluster/cocluster/cocluster_run.h"
#include "cluster/kmeans/kmeans_run.h"
#include "cluster/subspace/subspace_run.h"

#include <time.h>

int tacit_command(int argc, char **argv); /* main of src/cli/main.c */

static tac_transcript transcript = {.noise_factor = 1};
static uint64_t system_state; /* the same at the start of both runs */

time_t __wrap_time(time_t *out);
time_t __wrap_time(time_t *out)
{
    if (out != NULL) *out = 1700000000;
    return 1700000000;
}

tacit_status __wrap_tac_system_random(tacit_ctx *ctx, void *out, size_t count);
tacit_status __wrap_tac_system_random(tacit_ctx *ctx, void *out, size_t count)
{
    (void)ctx;
    for (size_t i = 0; i < count; i++) {
        system_state = system_state * UINT64_C(6364136223846793005) + 1442695040888963407;
        ((unsigned char *)out)[i] = (unsigned char)(system_state >> 56);
    }
    return TACIT_OK;
}

/* Within a limit of memory rows of the smallest CSV file are read again. */
int64_t __wrap_tac_csv_most(const tacit_ctx *ctx, int32_t files);
int64_t __wrap_tac_csv_most(const tacit_ctx *ctx, int32_t files)
{
    (void)ctx;
    (void)files;
    return 0;
}

/* The audit knows how far second moments move before a draw in the plane only;
   test_replay_subspace.c looks at all. */
static void on_exact(void *payload, const tac_receipt *receipt, const uint64_t *answer,
                     size_t count)
{
    const bool before = transcript.too_far;

    tac_transcript_probe(payload).exact(payload, receipt, answer, count);
    if (receipt->kind == TAC_KIND_BINGHAM || receipt->kind == TAC_KIND_GIBBS)
        transcript.too_far = before;
}

/* NULL: a plan tries rows that are made up and nobody's; whatever is asked of others is seen. */
static const tac_door_probe *probe_for(tacit_ctx *ctx, const tacit_data *data,
                                       const tacit_budget *budget)
{
    static tac_door_probe probe;

    if (data->copies > 0) return NULL;
    probe = tac_transcript_probe(&transcript);
    transcript.ctx = ctx;
    transcript.pure = budget->delta == 0;
    probe.exact = on_exact;
    return &probe;
}

/* A plan that is not tried on made-up rows: those are nobody's, and they take most of its time. */
static bool untried;

tacit_status __real_tacit_plan_try(tacit_ctx *ctx, const tacit_data *data, tacit_plan *plan);
tacit_status __wrap_tacit_plan_try(tacit_ctx *ctx, const tacit_data *data, tacit_plan *plan);
tacit_status __wrap_tacit_plan_try(tacit_ctx *ctx, const tacit_data *data, tacit_plan *plan)
{
    return untried ? TACIT_OK : __real_tacit_plan_try(ctx, data, plan);
}

#define WRAPPED(family, opts_type)                                                                 \
    tacit_status __wrap_tacit_##family##_run(tacit_ctx *ctx, tacit_data *data,                     \
                                             const tacit_budget *budget, const opts_type *opts,    \
                                             tacit_model **out);                                   \
    tacit_status __wrap_tacit_##family##_run(tacit_ctx *ctx, tacit_data *data,                     \
                                             const tacit_budget *budget, const opts_type *opts,    \
                                             tacit_model **out)

WRAPPED(kmeans, tacit_kmeans_opts)
{
    const tac_door_probe *probe = probe_for(ctx, data, budget);
    return tac_kmeans_probed(ctx, data, budget, opts, false, probe, out);
}

WRAPPED(kmedian, tacit_kmeans_opts)
{
    const tac_door_probe *probe = probe_for(ctx, data, budget);
    return tac_kmeans_probed(ctx, data, budget, opts, true, probe, out);
}

WRAPPED(subspace, tacit_subspace_opts)
{
    const tac_door_probe *probe = probe_for(ctx, data, budget);
    return tac_subspace_probed(ctx, data, budget, opts, probe, out);
}

WRAPPED(cocluster, tacit_cocluster_opts)
{
    const tac_door_probe *probe = probe_for(ctx, data, budget);
    return tac_cocluster_probed(ctx, data, budget, opts, probe, out);
}

#endif
