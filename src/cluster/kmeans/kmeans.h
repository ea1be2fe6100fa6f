/* SPDX-License-Identifier: Apache-2.0 */
/* Private k-means. Methods see the door and public numbers; coordinates are lattice units, as real numbers. */
#ifndef TAC_KMEANS_H
#define TAC_KMEANS_H

#include "privacy/run.h"
#include "release/model.h"

/* What a method returns: all of it post-processing of noisy answers. */
typedef struct tac_kmeans_result {
    double *centers;    /* k x dims */
    double *centers_sd; /* k x dims: noise only, given the last cells */
    double *sizes;      /* k noisy numbers of rows; 0 for a centre that repeats an earlier one */
    double sizes_sd;
    int32_t rounds;
} tac_kmeans_result;

/* Noisy Lloyd. `frame` tells the shape of the domain; `start` is randomness for everything that is not noise: the
   start and the directions in which cells are split. */
tacit_status tac_lloyd(tacit_ctx *ctx, tac_door *door, const tac_frame *frame, const tacit_kmeans_opts *opts,
                       tac_stream *start, tac_kmeans_result *out);

/* Can the budget pay for every question Lloyd may ask? Found out from public numbers, before anything is spent. */
tacit_status tac_lloyd_check(tacit_ctx *ctx, const tac_terms *terms, uint64_t budget, int32_t dims,
                             const tacit_kmeans_opts *opts);

/* Result, frame, data and receipts become a release. */
tacit_status tac_kmeans_release(tacit_ctx *ctx, const tac_run *run, const tacit_kmeans_opts *opts,
                                const tac_kmeans_result *result, tacit_model **out);

/* The public call with a probe for the tests that attack it (NULL: none). */
tacit_status tac_kmeans_probed(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                               const tacit_kmeans_opts *opts, const tac_door_probe *probe, tacit_model **out);

/* Defaults filled in and every option checked. */
tacit_status tac_kmeans_read_opts(tacit_ctx *ctx, const tacit_kmeans_opts *given, tacit_kmeans_opts *known);

#endif
