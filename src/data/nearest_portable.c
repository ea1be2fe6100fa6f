/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest centre in plain C: for machines without AVX2, and the yardstick of the other paths. */
#include "data/nearest_inside.h"

static void scores(const tac_score_job *job)
{
    for (int i = 0; i < job->count; i++)
        for (int g = 0; g < job->groups; g++) {
            const int16_t *row = job->rows + i * job->stride;
            const int16_t *packed = job->packed + (size_t)g * job->group_step;
            int32_t sum[TAC_LANES];

            for (int l = 0; l < TAC_LANES; l++) sum[l] = job->from[i * job->from_step + g * TAC_LANES + l];
            for (int32_t j = 0; j < job->pairs; j++, packed += 2 * TAC_LANES)
                for (int l = 0; l < TAC_LANES; l++)
                    sum[l] += row[2 * j] * packed[2 * l] + row[2 * j + 1] * packed[2 * l + 1];
            for (int l = 0; l < TAC_LANES; l++) job->score[(i * job->groups + g) * TAC_LANES + l] = sum[l];
        }
}

static void keep(const int32_t *score, int count, int groups, int32_t first, int32_t *best, int32_t *where)
{
    for (int i = 0; i < count; i++)
        for (int g = 0; g < groups; g++)
            for (int l = 0; l < TAC_LANES; l++) {
                const int32_t now = score[(i * groups + g) * TAC_LANES + l];
                const bool better = now > best[i * TAC_LANES + l];
                best[i * TAC_LANES + l] = better ? now : best[i * TAC_LANES + l];
                where[i * TAC_LANES + l] = better ? first + g : where[i * TAC_LANES + l];
            }
}

static void pick(const int32_t *best, const int32_t *where, int count, int32_t *label)
{
    for (int i = 0; i < count; i++, best += TAC_LANES, where += TAC_LANES) {
        int32_t top = best[0], winner = INT32_MAX;
        for (int l = 1; l < TAC_LANES; l++) top = best[l] > top ? best[l] : top;
        for (int l = 0; l < TAC_LANES; l++) {
            const int32_t c = where[l] * TAC_LANES + l;
            winner = best[l] == top && c < winner ? c : winner;
        }
        label[i] = winner;
    }
}

const tac_nearest_kernels tac_nearest_portable = {"portable", scores, keep, pick};
