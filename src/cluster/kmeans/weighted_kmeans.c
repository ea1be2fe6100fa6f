/* SPDX-License-Identifier: Apache-2.0 */
/* Plain k-means on noisy weighted points: post-processing, costs no budget. */
#include "cluster/kmeans/literature/noisy_lloyd_step.h"

#include "solve/kmeans/plain_kmeans.h"

#include <math.h>
#include <string.h>

#define RESTARTS 20 /* of k-means++, while the points are few ... */
#define EFFORT 1e8  /* ... and fewer when one step alone takes so many multiplications */
#define STEPS 100   /* Lloyd steps of a restart; a fifth when even one restart is expensive */

tacit_status tac_synopsis_new(tacit_ctx *ctx, int64_t n, int32_t columns, tac_synopsis *out)
{
    tacit_status status = TACIT_OK;

    *out = (tac_synopsis){.n = n};
    TAC_TRY(tac_new(ctx, (size_t)n * (size_t)columns, sizeof(double), &out->points));
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof(double), &out->weight));
done:
    return status;
}

void tac_synopsis_clear(tac_synopsis *s)
{
    tac_free(s->points);
    tac_free(s->weight);
    tac_free(s->width);
    *s = (tac_synopsis){0};
}

/* c_j = sum w p_j / sum w over the points of the center, so noise of deviation sigma in each w
   moves it by sigma sqrt(sum (p_j - c_j)^2) / sum w, the labels taken as given. A point may
   stand for a box; its rows, if uniform, have a standard deviation of width / sqrt(12) there.
   Noise is why the box is no smaller, so that belongs to the error bar too. */
static void write_errors(const tac_synopsis *s, const int32_t *label, int32_t dims, double *scratch,
                         tac_kmeans_result *out)
{
    const size_t d = (size_t)dims;
    double *positive = scratch, *points = scratch + out->k;

    for (int64_t i = 0; i < s->n; i++) {
        const size_t c = (size_t)label[i];
        out->sizes[c] += s->weight[i];
        positive[c] += fmax(s->weight[i], 0);
        points[c]++;
        for (size_t j = 0; j < d; j++) {
            const double gap = s->points[(size_t)i * d + j] - out->centers[c * d + j];
            out->centers_sd[c * d + j] +=
                gap * gap * s->weight_sd * s->weight_sd + s->sum_sd * s->sum_sd;
        }
    }
    for (size_t c = 0; c < (size_t)out->k; c++) {
        /* a center without points repeats an earlier one, and is known as well */
        size_t same = points[c] > 0 ? c : 0;
        while (same < c &&
               memcmp(out->centers + same * d, out->centers + c * d, d * sizeof(double)) != 0)
            same++;
        for (size_t j = 0; j < d; j++) {
            const double noise =
                sqrt(out->centers_sd[c * d + j]) / fmax(positive[c], fmax(s->weight_sd, 1));
            const double box = s->width != NULL ? s->width[j] / sqrt(12) : 0;
            out->centers_sd[c * d + j] =
                same < c ? out->centers_sd[same * d + j] : hypot(noise, box);
        }
    }
    out->sizes_sd = s->weight_sd * sqrt(fmax(1, (double)s->n / out->k));
}

/* Negative weights count as 0 in the clustering, but not in the sizes, which stay unbiased. */
tacit_status tac_synopsis_cluster(const tac_kmeans_job *job, const tac_synopsis *s,
                                  tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = job->frame->columns;
    const double step = (double)s->n * dims * out->k;
    tac_plain_kmeans opts = {.k = out->k, .tolerance = 1e-6, .seed = tac_word(job->random)};
    double *weight = NULL, *scratch = NULL, cost;
    int32_t *label = NULL;

    opts.restarts = (int32_t)fmax(1, fmin(RESTARTS, EFFORT / step));
    opts.iterations = step > EFFORT / 2 ? STEPS / 5 : STEPS;
    TAC_TRY(tac_new(job->ctx, (size_t)s->n, sizeof *weight, &weight));
    TAC_TRY(tac_new(job->ctx, (size_t)s->n, sizeof *label, &label));
    TAC_TRY(tac_new(job->ctx, 2 * (size_t)out->k, sizeof *scratch, &scratch));
    for (int64_t i = 0; i < s->n; i++) weight[i] = fmax(s->weight[i], 0);
    TAC_TRY(tac_solve_kmeans(job->ctx, s->points, weight, s->n, dims, &opts, out->centers, &cost,
                             label));
    for (int32_t c = 0; c < out->k; c++)
        tac_into_domain(job->frame, out->centers + (size_t)c * (size_t)dims);
    write_errors(s, label, dims, scratch, out);
done:
    tac_free(weight);
    tac_free(label);
    tac_free(scratch);
    return status;
}
