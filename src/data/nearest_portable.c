/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest centre in plain C: for machines without AVX2. */
#include "data/nearest_inside.h"

static void dots(const tac_score_job *job)
{
    for (int i = 0; i < job->count; i++)
        for (int c = 0; c < job->many; c++) {
            const int16_t *row = job->rows + i * job->stride, *center = job->centers + (size_t)c * job->step;
            int32_t sum = 0;

            for (int32_t j = 0; j < 2 * job->pairs; j++) sum += row[j] * center[j];
            job->score[c * TAC_ROWS + i] =
                (job->start != NULL ? job->start[c] : job->score[c * TAC_ROWS + i]) + sum;
        }
}

static void choose(const int32_t *score, int many, int32_t first, int32_t *best, int32_t *label)
{
    tac_choose(score, many, first, best, label);
}

const tac_nearest_kernels tac_nearest_portable = {.name = "portable", .dots = dots, .choose = choose};
