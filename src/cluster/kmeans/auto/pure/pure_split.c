/* SPDX-License-Identifier: Apache-2.0 */
/* A round that finds what the grid has merged: beside counts and sums it asks for the width of
   every column of each cell, then for a histogram along the widest one, and cuts the cell in two at
   the thinnest place that parts its rows well (Otsu). Every query but the sums is a count or costs
   as little. The pieces are points for plain k-means, which joins them as it likes. */
#include "cluster/kmeans/auto/pure/auto_pure.h"

#include <math.h>

#define WIDTHS 0.12 /* shares of the round, beside the distances: widths of columns ... */
#define SLICES 0.20 /* ... histograms along the widest; the rest for counts and sums */
#define WORTH 2.0   /* of counts beside sums: they become weights */
#define SIDE 2.0    /* half of a histogram's range in standard deviations of the column */
#define CLEAR 0.7   /* a bin with less than so many standard deviations counts as empty */
/* a cell is cut if its rows are above so many standard deviations of a bin */
#define READABLE 3.0
#define PIECE 1.5        /* each piece holds at least so many standard deviations of a bin ... */
#define LEAST_SHARE 0.03 /* ... and such a part of the cell */
#define GOOD 0.8         /* cuts with such a part of the best separation may be taken */
#define SERVED 0.5       /* cells below so many standard deviations are dropped */

enum { BINS = 10 };

typedef struct widest {
    int32_t axis;
    double half;   /* of the histogram's range, in radii */
    double spread; /* mean square of the whole cell about its mean, in radii */
} widest;

/* The column of largest variance, M_j / n - mean_j^2, and the spread of all. */
static widest find_widest(const tac_pure_round *r, int32_t c)
{
    const int32_t d = r->c->columns;
    const double *square = r->spread + (size_t)c * (size_t)d,
                 *mean = r->step + (size_t)c * (size_t)d;
    const double n = fmax(r->count[c], r->count_sd), doubt = r->square_sd * sqrt(d);
    double best = -INFINITY, all = 0;
    widest w = {0};

    for (int32_t j = 0; j < d; j++) {
        const double v = square[j] / n - mean[j] * mean[j];
        if (v > best) best = v, w.axis = j;
        all += square[j];
    }
    w.half = SIDE * sqrt(fmin(1, fmax(square[w.axis] / n, 0.5 / d)));
    /* Few rows: drawn to one half. */
    w.spread = fmin(2, fmax(0.05, (all + 0.5 * doubt) / (n + doubt) - r->square[c]));
    return w;
}

/* The slice of the widest column about the center, in lattice coordinates. */
static tac_slice slice_of(const tac_pure_round *r, int32_t c, const widest *w)
{
    const double middle = r->center[(size_t)c * (size_t)r->c->columns + (size_t)w->axis];
    const double half = w->half * r->radius[c];
    const double low = fmax(-TAC_M - 1, floor(middle - half)),
                 high = fmin(TAC_M, ceil(middle + half));
    const bool sound = low < high;

    return (tac_slice){.axis = w->axis,
                       .low = (int16_t)(sound ? low : -TAC_M),
                       .high = (int16_t)(sound ? high : TAC_M)};
}

typedef struct cut {
    bool found;
    /* of the two sides: share of the rows, mean in units of half the range */
    double part[2], at[2];
} cut;

/* The cut that separates best by Otsu, n_l n_r / n (m_l - m_r)^2; among cuts within GOOD of it
   the thinnest place. rows: BINS noisy numbers on [-1, 1]. */
static cut find_cut(const double *rows, double sd)
{
    double n[BINS], first[BINS], sum = 0, moment = 0, best = -1, thinnest = INFINITY;
    cut out = {.found = false};

    for (int b = 0; b < BINS; b++) {
        const double kept = rows[b] > CLEAR * sd ? rows[b] : 0;
        n[b] = sum += kept;
        first[b] = moment += kept * ((b + 0.5) / BINS * 2 - 1);
    }
    const double least = fmax(PIECE * sd, LEAST_SHARE * sum);
    /* the best separation, then the thinnest of the good ones */
    for (int pass = 0; pass < 2; pass++)
        for (int b = 0; b < BINS - 1; b++) {
            const double left = n[b], right = sum - left;
            if (!(left > least) || !(right > least)) continue;
            const double at[2] = {first[b] / left, (moment - first[b]) / right};
            const double apart = left * right / sum * (at[0] - at[1]) * (at[0] - at[1]);
            if (pass == 0)
                best = fmax(best, apart);
            else if (apart >= GOOD * best && rows[b] + rows[b + 1] < thinnest) {
                thinnest = rows[b] + rows[b + 1];
                out = (cut){true, {left / sum, right / sum}, {at[0], at[1]}};
            }
        }
    return out;
}

/* along, spread: in radii. */
static void add_point(tac_cell_set *out, const tac_pure_round *r, int32_t c, const widest *w,
                      double along, double rows, double spread)
{
    const size_t d = (size_t)r->c->columns;
    double *at = out->center + (size_t)out->count * d;

    for (size_t j = 0; j < d; j++)
        at[j] = r->center[(size_t)c * d + j] + r->step[(size_t)c * d + j] * r->radius[c];
    at[w->axis] += along * r->radius[c];
    out->reach[out->count] = r->radius[c];
    out->weight[out->count] = rows;
    out->spread[out->count++] = spread * r->radius[c] * r->radius[c];
}

/* One cell becomes two points on either side of its mean along the widest column, or stays one. */
static void add_cell(tac_cell_set *out, const tac_pure_round *r, int32_t c, const widest *w,
                     const int64_t *answer, double sd)
{
    const double rows = fmax(r->count[c], 0.3 * r->count_sd);
    double bins[BINS];

    for (int b = 0; b < BINS; b++) bins[b] = ldexp((double)answer[b], -TAC_COUNT_GRID);
    const cut at = r->count[c] > READABLE * sd ? find_cut(bins, sd) : (cut){.found = false};
    if (!at.found) {
        add_point(out, r, c, w, 0, rows, w->spread);
        return;
    }
    const double middle = at.part[0] * at.at[0] + at.part[1] * at.at[1];
    const double gain = at.part[0] * at.part[1] * pow((at.at[0] - at.at[1]) * w->half, 2);
    for (int side = 0; side < 2; side++)
        add_point(out, r, c, w, (at.at[side] - middle) * w->half, rows * at.part[side],
                  fmax(w->spread - gain, 0.05 * w->spread));
}

/* Queries: radius, sums and counts, widths of all columns, histograms along the widest. */
tacit_status tac_pure_split(tac_walk *a, tac_found *c, uint64_t quanta, tac_cell_set *points)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)c->k;
    tac_pure_round r = {0};
    widest *wide = NULL;
    tac_slice *slice = NULL;
    int64_t *bins = NULL;
    int32_t served = 0;

    const uint64_t radius_quanta = tac_share(quanta, TAC_PURE_DISTANCES),
                   width_quanta = tac_share(quanta, WIDTHS);
    const uint64_t slice_quanta = tac_share(quanta, SLICES);
    const uint64_t sum_quanta = quanta - radius_quanta - width_quanta - slice_quanta;
    const double counts = tac_pure_counts_part(c->columns, WORTH);
    TAC_TRY(tac_pure_round_open(a, c, false, &r));
    TAC_TRY(tac_new(a->ctx, k, sizeof *wide, &wide));
    TAC_TRY(tac_new(a->ctx, k, sizeof *slice, &slice));
    TAC_TRY(tac_new(a->ctx, k * BINS, sizeof *bins, &bins));
    TAC_TRY(tac_cell_set_new(a->ctx, 2 * c->k, c->columns, points));
    TAC_TRY(tac_pure_radius(&r, radius_quanta, tac_share(sum_quanta, 1 - counts)));
    TAC_TRY(tac_pure_ask(
        &r, &(tac_pure_pass){
                .sums = sum_quanta, .part = counts, .spreads = width_quanta, .axes = true}));
    for (int32_t i = 0; i < c->k; i++) {
        wide[i] = find_widest(&r, i);
        slice[i] = slice_of(&r, i, &wide[i]);
        served += r.count[i] > SERVED * r.count_sd;
    }
    const tac_cells cells = tac_pure_cells(&r);
    TAC_TRY(tac_door_slices(a->door, "along the widest column of the cells", slice_quanta, &cells,
                            slice, BINS, bins));
    const double sd = ldexp(tac_last_sd(a->door), -TAC_COUNT_GRID);
    points->weight_sd = r.count_sd;
    points->point_sd = r.sum_sd;
    for (int32_t i = 0; i < c->k; i++)
        if (served < a->rules.k || r.count[i] > SERVED * r.count_sd)
            add_cell(points, &r, i, &wide[i], bins + (size_t)i * BINS, sd);
done:
    tac_pure_round_close(&r);
    tac_free(wide);
    tac_free(slice);
    tac_free(bins);
    return status;
}
