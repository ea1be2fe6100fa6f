/* SPDX-License-Identifier: Apache-2.0 */
/* How much the rows of a cluster differ, column by column: one query for the squares about the
   centers, at the very end. */
#include "cluster/kmeans/kmeans_run.h"

#include <math.h>

/* Of the whole budget. All other noise grows by 1 / sqrt(1 - share), Laplace noise by 1 / (1 -
   share): by 2 % and 2.6 %. */
#define SHARE 0.04
#define SHARE_PURE 0.025
/* a typical row is at so many of its radii squared, over all columns ... */
#define TYPICAL 0.4
/* ... and the query is asked if the squares of all clusters together stand so far out of noise */
#define READABLE 2.0

/* Noise of a cell's sum of squares, in rows at the radius. */
static double quoted_noise(const tac_door *door, int32_t columns, uint64_t quanta)
{
    const tac_privacy_params params = tac_door_params(door);
    const tac_local_parts axes = {.axes = true};
    const uint64_t scale = tac_quote_local(&params, columns, &axes, quanta);

    return tac_noise_sd(tac_door_distribution(door), scale) / TAC_M / TAC_M;
}

uint64_t tac_variance_quanta(const tac_door *door, int32_t k, int32_t columns, double rows,
                             uint64_t budget)
{
    const bool pure = tac_door_params(door).definition == TAC_PURE;
    const uint64_t share = tac_share(budget, pure ? SHARE_PURE : SHARE);

    if (share == 0 || tac_auto_sketches(columns)) return 0;
    const double noise = READABLE * sqrt(k) * quoted_noise(door, columns, share);
    return noise < rows * TYPICAL / columns ? share : 0; /* NaN: no */
}

/* v = beyond R^2 Q / (n M^2) - sd^2: squares about a center that noise moved by sd are larger by
   sd^2. */
static void write_cluster(const tac_variances *v, int32_t c, double noise, const tac_i128 *square)
{
    const size_t d = (size_t)v->columns, at = (size_t)c * d;
    const double n = fmax(v->count[c], fmax(1, 2 * v->count_sd));
    const double unit = v->beyond * v->radius[c] * v->radius[c] / n;

    for (size_t j = 0; j < d; j++) {
        const double own = unit * (double)square[at + j] / TAC_M / TAC_M;
        v->variance[at + j] = own - v->center_sd[at + j] * v->center_sd[at + j];
        v->variance_sd[at + j] = hypot(unit * noise, own * v->count_sd / n);
    }
}

tacit_status tac_ask_variances(tacit_ctx *ctx, tac_door *door, uint64_t quanta,
                               const tac_variances *v)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)v->columns, numbers = (size_t)v->k * d;
    int16_t *center = NULL;
    tac_i128 *square = NULL;

    TAC_TRY(tac_new(ctx, numbers, sizeof *center, &center));
    TAC_TRY(tac_new(ctx, numbers, sizeof *square, &square));
    tac_round_points(v->center, numbers, center);
    for (size_t c = 0; c < (size_t)v->k; c++) tac_clip(center + c * d, v->columns);
    const tac_cells cells = {
        .kind = TAC_NEAREST, .view = TAC_ROWS, .count = v->k, .centers = center};
    TAC_TRY(tac_door_local(door, "how much rows of a cluster differ", quanta, &cells,
                           &(tac_local){.radius = v->radius}, &(tac_local_parts){.axes = true},
                           NULL, NULL, square));
    const double noise = tac_last_sd(door) / TAC_M / TAC_M;
    for (int32_t c = 0; c < v->k; c++) write_cluster(v, c, noise, square);
done:
    tac_free(center);
    tac_free(square);
    return status;
}
