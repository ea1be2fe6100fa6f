/* SPDX-License-Identifier: Apache-2.0 */
/* The noisy Lloyd step of the published baselines, their paid count, and noisy sizes. */
#include "cluster/kmeans/literature/noisy_lloyd_step.h"

#include <math.h>

tacit_status tac_means_open(const tac_kmeans_job *job, int32_t k, uint32_t count_weight,
                            tac_means *out)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = job->frame->columns;
    const size_t numbers = (size_t)k * (size_t)dims;

    *out = (tac_means){.job = job, .k = k, .dims = dims, .count_weight = count_weight};
    TAC_TRY(tac_new(job->ctx, numbers, sizeof(double), &out->centers));
    TAC_TRY(tac_new(job->ctx, (size_t)k, sizeof(double), &out->count));
    TAC_TRY(tac_new(job->ctx, numbers + (size_t)k, sizeof(int64_t), &out->answer));
    TAC_TRY(tac_new(job->ctx, numbers, sizeof(int16_t), &out->rounded));
done:
    return status;
}

void tac_means_close(tac_means *m)
{
    tac_free(m->centers);
    tac_free(m->count);
    tac_free(m->answer);
    tac_free(m->rounded);
}

/* c <- (sum of its cell + noise) / (rows of its cell + noise) */
tacit_status tac_means_round(tac_means *m, const char *what, uint64_t quanta)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)m->dims, numbers = (size_t)m->k * dims;

    tac_round_points(m->centers, numbers, m->rounded);
    TAC_TRY(tac_door_sums(m->job->door, what, quanta,
                          &(tac_cells){.kind = TAC_NEAREST, .count = m->k, .centers = m->rounded},
                          TAC_ROWS, m->count_weight, m->answer, m->answer + numbers));
    m->sd = tac_last_sd(m->job->door);
    m->count_sd = m->sd / m->count_weight;
    for (size_t c = 0; c < (size_t)m->k; c++) {
        m->count[c] = (double)m->answer[numbers + c] / m->count_weight;
        if (m->count[c] < 1) continue;
        for (size_t j = 0; j < dims; j++)
            m->centers[c * dims + j] = (double)m->answer[c * dims + j] / m->count[c];
        tac_into_domain(m->job->frame, m->centers + c * dims);
    }
done:
    return status;
}

/* Standard deviation of S_j / N from the last round's noise: sqrt(sd^2 + mean_j^2 sd_N^2) / N. */
void tac_means_write(const tac_means *m, int32_t rounds, tac_kmeans_result *out)
{
    const size_t dims = (size_t)m->dims;

    for (size_t c = 0; c < (size_t)m->k; c++) {
        const double n = fmax(m->count[c], fmax(m->count_sd, 1));
        out->sizes[c] = m->count[c];
        for (size_t j = 0; j < dims; j++) {
            const double at = m->centers[c * dims + j];
            out->centers[c * dims + j] = at;
            out->centers_sd[c * dims + j] =
                sqrt(m->sd * m->sd + at * at * m->count_sd * m->count_sd) / n;
        }
    }
    out->sizes_sd = m->count_sd;
    out->rounds = rounds;
}

tacit_status tac_count_rows(const tac_kmeans_job *job, uint64_t quanta, double *rows)
{
    tacit_status status = TACIT_OK;
    int64_t answer;

    TAC_TRY(tac_door_count(job->door, "number of rows", quanta, &answer));
    *rows = ldexp((double)answer, -TAC_COUNT_GRID);
done:
    return status;
}

tacit_status tac_ask_sizes(const tac_kmeans_job *job, const int16_t *rounded,
                           tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    int64_t *answer = NULL;
    const tac_cells cells = {.kind = TAC_NEAREST, .count = out->k, .centers = rounded};

    TAC_TRY(tac_new(job->ctx, (size_t)out->k, sizeof *answer, &answer));
    TAC_TRY(tac_door_histogram(job->door, "sizes", tac_door_left(job->door), &cells, answer));
    for (int32_t c = 0; c < out->k; c++) out->sizes[c] = ldexp((double)answer[c], -TAC_COUNT_GRID);
    out->sizes_sd = ldexp(tac_last_sd(job->door), -TAC_COUNT_GRID);
done:
    tac_free(answer);
    return status;
}

tac_distribution tac_distribution_of(tac_definition definition)
{
    return definition == TAC_PURE ? TAC_LAPLACE : TAC_GAUSSIAN;
}
