/* SPDX-License-Identifier: Apache-2.0 */
/* k-variates++ (Nock, Canyasse, Boreli & Nielsen 2016) with noise for the worst case: k times, a
   row is drawn as k-means++ draws it, by its squared distance from the centers so far, and a noisy
   copy of it becomes a center; all further draws see the noisy copies only. Nothing follows: the
   copies are the result.

   The published noise is smaller. Its size rests on how evenly the rows surround every possible set
   of centers, two numbers that are read off the rows: the paper's promise holds for rows that have
   them, and finding out is not private. So that variant is not here. What is: the noise that hides
   any row behind any other (draw.proof.md), which needs no assumption and does not shrink with the
   number of rows. Laplace noise is the paper's; Gaussian noise with delta > 0 is ours, as are the
   noisy sizes. */
#include "cluster/kmeans/literature/noisy_lloyd_step.h"

#include <math.h>

#define SIZES 0.01  /* of the budget, for the noisy sizes */
#define K_MOST 1000 /* every draw looks at all rows and all centers before it */

static uint64_t draw_quanta(uint64_t budget, int32_t k)
{
    return tac_share(budget, (1 - SIZES) / k);
}

/* Queries: k noisy rows, then sizes. Centers outside the domain are moved into it. */
tacit_status tac_kvariates(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t k = job->opts->k;
    const size_t dims = (size_t)job->frame->columns;
    const uint64_t each = draw_quanta(tac_door_left(job->door), k);
    int16_t *rounded = NULL;
    int64_t *answer = NULL;
    int32_t edge = 0; /* centers that noise threw out of the domain */

    TAC_TRY(tac_kmeans_result_new(job->ctx, k, job->frame->columns, out));
    TAC_TRY(tac_new(job->ctx, (size_t)k * dims, sizeof *rounded, &rounded));
    TAC_TRY(tac_new(job->ctx, dims, sizeof *answer, &answer));
    for (int32_t c = 0; c < k; c++) {
        double *center = out->centers + (size_t)c * dims;
        tac_show_progress(job->ctx, "draws", (double)c / k);
        TAC_TRY(tac_door_draw(job->door, "noisy row", each, rounded, c, answer));
        for (size_t j = 0; j < dims; j++) {
            center[j] = (double)answer[j];
            out->centers_sd[(size_t)c * dims + j] = tac_last_sd(job->door);
        }
        tac_into_domain(job->frame, center);
        bool moved = false;
        for (size_t j = 0; j < dims; j++) moved = moved || fabs(center[j] - (double)answer[j]) > 1;
        edge += moved;
        tac_round_points(center, dims, rounded + (size_t)c * dims);
    }
    tac_show_progress(job->ctx, "draws", 1);
    TAC_TRY(tac_ask_sizes(job, rounded, out));
    TAC_TRY(tac_note(job->ctx, &out->notes,
                     "every center is one row under noise that hides it among all possible rows; "
                     "more rows do not make this noise smaller"));
    if (edge > 0)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "noise threw %d of the %d centers out of the declared domain, and they "
                         "were put on its edge; method auto, or a much larger epsilon, would not",
                         edge, k));
done:
    tac_free(rounded);
    tac_free(answer);
    return status;
}

tacit_status tac_kvariates_check(const tac_kmeans_params *t)
{
    if (t->opts->k <= K_MOST) return TACIT_OK;
    return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                    "method kvariates draws one center after the other and takes k up to %d; ask "
                    "for fewer centers or take another method",
                    K_MOST);
}
