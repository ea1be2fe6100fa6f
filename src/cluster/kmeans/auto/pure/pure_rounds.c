/* SPDX-License-Identifier: Apache-2.0 */
/* The rounds of the walk: the first, after which seeds that serve nobody are dropped, and the last
   ones. */
#include "cluster/kmeans/auto/pure/auto_pure.h"

#include <math.h>
#include <string.h>

/* relative variance at which a center's own spread and the pooled one count alike */
#define POOLED 0.25
#define SERVED 0.5 /* a seed serves somebody if its rows are above so many standard deviations */

/* The scale of every center from its squares, less the step it made: its own spread and the
   pooled one averaged, with weight POOLED / (POOLED + variance of its own). */
static void rescale(tac_pure_round *r)
{
    const int32_t k = r->c->k;
    double unit = 0, all = 0, rows = 0, steps = 0, weights = 0;

    for (int32_t c = 0; c < k; c++) unit += r->radius[c] / k;
    for (int32_t c = 0; c < k; c++) {
        const double area = pow(r->radius[c] / unit, 2), n = fmax(r->count[c], r->count_sd);
        all += r->spread[c] * area;
        rows += r->count[c];
        steps += r->square[c] * area * n;
        weights += n;
    }
    const double pooled = fmin(2, fmax(0.02, all / fmax(rows, 1)));
    for (int32_t c = 0; c < k; c++) {
        const double area = pow(r->radius[c] / unit, 2), n = fmax(r->count[c], r->count_sd);
        const double own = fmin(8, fmax(0.02, r->spread[c] / n * area / pooled));
        const double doubt = pow(r->square_sd / n * area / pooled, 2) + pow(r->count_sd / n, 2);
        const double w = POOLED / (POOLED + doubt),
                     moved = w * r->square[c] * area + (1 - w) * steps / weights;
        const double v = pooled * (1 + w * (own - 1)) - moved;
        r->c->scale[c] = unit * sqrt(fmax(v, 0.1 * pooled));
    }
}

/* Keeps centers above SERVED standard deviations, if there are `keep` of them. */
static void drop_idle(tac_found *c, int32_t keep)
{
    const size_t d = (size_t)c->columns;
    int32_t served = 0, kept = 0;

    for (int32_t i = 0; i < c->k; i++) served += c->count[i] > SERVED * c->count_sd;
    if (served < keep) return;
    for (int32_t i = 0; i < c->k; i++) {
        if (!(c->count[i] > SERVED * c->count_sd)) continue;
        memmove(c->at + (size_t)kept * d, c->at + (size_t)i * d, d * sizeof *c->at);
        memmove(c->sd + (size_t)kept * d, c->sd + (size_t)i * d, d * sizeof *c->sd);
        c->scale[kept] = c->scale[i];
        c->count[kept++] = c->count[i];
    }
    c->k = kept;
}

/* The round after the grid: radius, sums, spreads; seeds without rows are dropped. */
tacit_status tac_pure_first(tac_walk *a, tac_found *c, uint64_t quanta)
{
    tacit_status status = TACIT_OK;
    tac_pure_round r = {0};
    const uint64_t radius_quanta = tac_share(quanta, TAC_PURE_DISTANCES);
    const uint64_t spread_quanta = tac_share(quanta, TAC_PURE_SPREADS);
    const uint64_t sum_quanta = quanta - radius_quanta - spread_quanta;
    const double counts = tac_pure_counts_part(c->columns, 1);

    TAC_TRY(tac_pure_round_open(a, c, false, &r));
    TAC_TRY(tac_pure_radius(&r, radius_quanta, tac_share(sum_quanta, 1 - counts)));
    TAC_TRY(tac_pure_ask(
        &r, &(tac_pure_pass){.sums = sum_quanta, .part = counts, .spreads = spread_quanta}));
    tac_pure_move(&r);
    rescale(&r);
    drop_idle(c, a->rules.k);
done:
    tac_pure_round_close(&r);
    return status;
}

/* Radius, sums, and spreads unless this is the last round, which asks for variances instead: three
   queries on one share. */
tacit_status tac_pure_refine(tac_walk *a, tac_found *c, uint64_t quanta, bool last)
{
    tacit_status status = TACIT_OK;
    const bool median = a->job->median, spreads = !last && c->k > 1 && !median;
    const uint64_t radius_quanta = tac_share(quanta, TAC_PURE_DISTANCES);
    const uint64_t spread_quanta = spreads ? tac_share(quanta, TAC_PURE_SPREADS) : 0;
    const uint64_t size_quanta = median && last ? tac_share(quanta, TAC_PURE_SIZES) : 0;
    const uint64_t sum_quanta = quanta - radius_quanta - spread_quanta - size_quanta;
    const double counts = c->k > 1 || median ? tac_pure_counts_part(c->columns, 0.5) : 0.02;
    tac_pure_round r = {0};

    TAC_TRY(tac_pure_round_open(a, c, median, &r));
    TAC_TRY(tac_pure_radius(&r, radius_quanta, tac_share(sum_quanta, 1 - counts)));
    TAC_TRY(tac_pure_ask(
        &r, &(tac_pure_pass){.sums = last ? tac_walk_left(a) - size_quanta : sum_quanta,
                             .part = counts,
                             .spreads = spread_quanta,
                             .sizes = size_quanta}));
    tac_pure_move(&r);
    if (spreads)
        rescale(&r);
    else if (!median || last)
        memcpy(c->scale, r.radius, (size_t)c->k * sizeof *r.radius);
    if (size_quanta > 0) {
        memcpy(c->count, r.size, (size_t)c->k * sizeof *r.size);
        c->count_sd = r.size_sd;
    }
    for (int32_t i = 0; i < c->k; i++) r.radius[i] *= r.far;
    if (last) TAC_TRY(tac_found_ask_variances(a, r.radius, r.beyond, c));
done:
    tac_pure_round_close(&r);
    return status;
}
