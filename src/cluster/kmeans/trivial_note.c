/* SPDX-License-Identifier: Apache-2.0 */
/* A release whose centers differ by no more than noise says so: it is no better than one mean. From
   released numbers alone. */
#include "cluster/kmeans/kmeans_run.h"

#include <math.h>

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

tacit_status tac_trivial_note(tacit_ctx *ctx, int32_t columns, tac_kmeans_result *r)
{
    int32_t apart = 0;

    for (int32_t c = 0; c < r->k; c++) apart += r->sizes[c] > 0;
    if (r->k < 2 || (apart > 1 && !are_noise(r, (size_t)columns, apart))) return TACIT_OK;
    return tac_note(ctx, &r->notes,
                    "%s: one mean of all rows would tell as much; a larger epsilon, fewer centers "
                    "or fewer columns would tell more, and tacit plan tries it beforehand",
                    apart < 2 ? "noise hides all centers but one"
                              : "the centers differ by no more than their noise");
}
