/* SPDX-License-Identifier: Apache-2.0 */
/* A release whose centers differ by no more than noise says so: it is no better than one mean. From
   released numbers alone. */
#include "cluster/kmeans/kmeans_run.h"

#include <math.h>

/* What the cells must show: so many standard deviations, and more for each column. Noise has a say
   in which cells there are, and in many columns in where they lie. */
#define SHOWN 3.0
#define SHOWN_EACH 0.5

/* Rows gain B, the variance between the centers, by having several, and lose V, the noise in
   them. What is released shows B + V, so that below 2 V nothing is gained. Chance: centers that
   are all the same show V chi^2_f / f with f = (centers - 1) x columns; three of its deviations
   above V are allowed for. */
static bool are_noise(const tac_kmeans_result *r, size_t columns, int32_t apart)
{
    const double freedom = (double)(apart - 1) * (double)columns;
    double all = 0, between = 0, noise = 0;

    for (int32_t c = 0; c < r->k; c++) all += fmax(0, r->sizes[c]);
    for (size_t j = 0; j < columns; j++) {
        double mean = 0;
        for (size_t c = 0; c < (size_t)r->k; c++)
            mean += fmax(0, r->sizes[c]) / all * r->centers[c * columns + j];
        for (size_t c = 0; c < (size_t)r->k; c++) {
            const double part = fmax(0, r->sizes[c]) / all, sd = r->centers_sd[c * columns + j],
                         far = r->centers[c * columns + j] - mean;
            if (!(part > 0)) continue;
            between += part * far * far;
            noise += part * sd * sd; /* NaN: not known, and nothing is said */
        }
    }
    return between < noise * fmax(2, 1 + 3 * sqrt(2 / freedom));
}

/* Squared distance to the nearest center that stands for rows. */
static double to_center(const tac_kmeans_result *r, size_t columns, const double *x)
{
    double least = INFINITY;

    for (size_t c = 0; c < (size_t)r->k; c++) {
        double far = 0;
        if (!(r->sizes[c] > 0)) continue;
        for (size_t j = 0; j < columns; j++) far += pow(x[j] - r->centers[c * columns + j], 2);
        least = fmin(least, far);
    }
    return least;
}

/* Error bars of a starved run say how far a center may be off, not how far it is. Cells were
   counted apart from the rounds that moved the centers. By g = |x - m|^2 - min |x - c|^2 for each
   of its rows a cell gains from the centers, m the mean of all cells; sum w g has the standard
   deviation weight_sd sqrt(sum g^2). Behind a basis cells are too noisy to judge by. */
static tacit_status cells_gain(tacit_ctx *ctx, const tac_kmeans_result *r, size_t columns,
                               bool *gains)
{
    tacit_status status = TACIT_OK;
    const tac_released_cells *s = r->synopsis;
    double *mean = NULL, rows = 0, gain = 0, squares = 0;

    *gains = false;
    if (s == NULL || s->basis != NULL) return TACIT_OK;
    TAC_TRY(tac_new(ctx, columns, sizeof *mean, &mean));
    for (int32_t i = 0; i < s->cells; i++) rows += s->weight[i];
    for (size_t i = 0; i < (size_t)s->cells; i++)
        for (size_t j = 0; j < columns; j++)
            mean[j] += s->weight[i] / rows * s->point[i * columns + j];
    for (size_t i = 0; i < (size_t)s->cells; i++) {
        const double *x = s->point + i * columns;
        double by = -to_center(r, columns, x);
        for (size_t j = 0; j < columns; j++) by += pow(x[j] - mean[j], 2);
        gain += s->weight[i] * by;
        squares += by * by;
    }
    *gains = gain > (SHOWN + SHOWN_EACH * (double)columns) * s->weight_sd * sqrt(squares);
done:
    tac_free(mean);
    return status;
}

tacit_status tac_trivial_note(tacit_ctx *ctx, int32_t columns, tac_kmeans_result *r)
{
    tacit_status status = TACIT_OK;
    int32_t apart = 0;
    bool noise = true, gains = false;

    for (int32_t c = 0; c < r->k; c++) apart += r->sizes[c] > 0;
    if (apart > 1) noise = are_noise(r, (size_t)columns, apart);
    if (apart > 1 && noise) TAC_TRY(cells_gain(ctx, r, (size_t)columns, &gains));
    if (r->k > 1 && noise && !gains)
        TAC_TRY(tac_note(ctx, &r->notes,
                         "%s: one mean of all rows " TAC_SAYS_ONE_WOULD_DO "; a larger epsilon, "
                         "fewer centers or fewer columns would tell more, and tacit plan tries it "
                         "beforehand",
                         apart < 2 ? "noise hides all centers but one"
                                   : "the centers differ by no more than their noise"));
done:
    return status;
}
