/* SPDX-License-Identifier: Apache-2.0 */
/* Refinement: every center moves to the mean of its rows, in all columns. Rows are seen relative
   to their own center and radius, so the noise depends neither on the domain nor on the zoom;
   rows beyond the radius are clipped to it. */
#include "cluster/kmeans/auto/auto_kmeans.h"

#include <math.h>

#define COUNTS 0.10   /* of a round's joint query: counts ... */
#define SPREADS 0.055 /* ... and squares, but for the last round */
/* rows that stay within the radius at least */
#define QUANTILE_LEAST 0.6
#define UNREADABLE 1.5 /* the radius in units of the scale if the histogram is all noise */
#define SURE 1.5       /* standard deviations of a bin that do not come from noise */
#define STEP_MOST 2.0  /* radii */
/* of the last round of k-median, whose joint query has weights instead of counts */
#define SIZES 0.05
/* relative variance at which a center's own spread and the pooled one count alike */
#define POOLED 0.25

typedef struct refinement {
    tac_walk *a;
    tac_found *c;
    bool median;
    int16_t *center;
    double *radius; /* k */
    double hidden;  /* how far rows may be beyond them */
    double reach;   /* rows are seen so many radii far where squares are asked for ... */
    double beyond;  /* ... and what is beyond it makes them larger by so much */
    tac_i128 *count, *sum, *square;
    double count_sd, sum_sd, square_sd;
    double *move; /* columns: of the center at hand, lattice units */
    double *step; /* k: squared length of the step in units of the radius */
    bool clean;   /* the sums are denoised already */
} refinement;

static tac_cells cells_of(const refinement *r)
{
    return (tac_cells){
        .kind = TAC_NEAREST, .view = TAC_ROWS, .count = r->c->k, .centers = r->center};
}

/* How far rows are from their centers and, unless size_quanta is 0, how many each has: one pass. */
static tacit_status ask_distances(refinement *r, uint64_t quanta, uint64_t size_quanta,
                                  tac_lengths *h)
{
    tacit_status status = TACIT_OK;
    tac_door *door = r->a->door;
    const tac_cells cells = cells_of(r);
    const int32_t count = size_quanta > 0 ? 2 : 1;
    tac_asking ask[2] = {{.what = "distances from the centers",
                          .quanta = quanta,
                          .query = tac_query_distances(
                              door, &cells, &(tac_local){.radius = r->c->scale}, h->edge, h->bins)},
                         tac_auto_sizes(r->a, size_quanta, &cells)};

    TAC_TRY(tac_ask_together(door, ask, count));
    tac_lengths_read(door, &ask[0], tac_sd_before(door, count - 1), h);
    if (count > 1) tac_auto_read_sizes(&ask[1], tac_last_sd(door), r->c);
done:
    tac_asking_clear(ask, 2);
    return status;
}

/* The radius within which a row is seen as it is: what it cuts off should cost no more than the
   noise it saves. */
static tacit_status ask_radius(refinement *r, uint64_t quanta, uint64_t size_quanta, double sum_sd)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(r->a->door);
    const double n = r->a->rules.rows,
                 sd = ldexp((double)tac_quote_histogram(&params, quanta), -TAC_COUNT_GRID);
    const bool fine = tac_lengths_fine(sd, n);
    const double cut =
        fmin(0.99, fmax(QUANTILE_LEAST, 1 - r->c->k * sqrt(r->c->columns) * sum_sd / n));
    const double q = !r->median ? cut : r->a->rules.kappa > 0.1 ? 0.25 : 0.5;
    tac_lengths h;

    tac_lengths_bins(&h, fine ? 0x1p-5 : 0x1p-3, fine ? 0x1p5 : 0x1p3, fine ? 3 : 2);
    TAC_TRY(ask_distances(r, quanta, size_quanta, &h));
    const double b = tac_lengths_quantile(&h, q, n, SURE);
    for (int32_t c = 0; c < r->c->k; c++)
        r->radius[c] = r->c->scale[c] * (isnan(b) ? UNREADABLE : b);
    r->hidden = tac_auto_hidden(r->a, &h, SURE);
    const double far = tac_lengths_quantile(&h, cut, n, SURE); /* NaN as b is */
    r->reach = isnan(b) ? 1 : far / b;
    r->beyond = isnan(b) ? 1 : tac_lengths_beyond(&h, far);
done:
    return status;
}

/* Shares of a joint query as weights of its parts, beside 1 for the squares or for the sum.
   k-median: rows beyond the radius r add r / |x - c|, a noisy Weiszfeld step. */
tac_local_parts tac_auto_round_parts(bool spreads, bool median)
{
    const double sums = 1 - COUNTS - (spreads ? SPREADS : 0), m2 = (double)TAC_M * TAC_M;

    if (spreads)
        return (tac_local_parts){.count = (uint32_t)(m2 * sqrt(COUNTS / SPREADS)),
                                 .sum = (uint32_t)(TAC_M * sqrt(sums / SPREADS)),
                                 .square = true};
    return (tac_local_parts){
        .count = (uint32_t)(64 * TAC_M * sqrt(COUNTS / sums)), .sum = 64, .soft = median};
}

/* The joint query of a round: counts, sums and, but for the last, squares about the centers. */
static tacit_status ask_sums(refinement *r, uint64_t quanta, const tac_local_parts *parts)
{
    tacit_status status = TACIT_OK;
    const tac_cells cells = cells_of(r);

    TAC_TRY(tac_door_local(r->a->door, "rows around the centers", quanta, &cells,
                           &(tac_local){.radius = r->radius}, parts, r->count, r->sum, r->square));
    const double sd = tac_last_sd(r->a->door);
    r->count_sd = sd / parts->count;
    r->sum_sd = sd / parts->sum / TAC_M;
    r->square_sd = sd / TAC_M / TAC_M;
    r->clean = tac_auto_sketches(r->c->columns);
    if (r->clean)
        TAC_TRY(tac_auto_clean(r->a, r->sum, (size_t)r->c->k * (size_t)r->c->columns, sd));
done:
    return status;
}

tac_asking tac_auto_sizes(const tac_walk *a, uint64_t quanta, const tac_cells *cells)
{
    return (tac_asking){.what = "sizes of the clusters",
                        .quanta = quanta,
                        .query = tac_query_histogram(a->door, cells)};
}

void tac_auto_read_sizes(const tac_asking *ask, double sd, tac_found *c)
{
    c->count_sd = ldexp(sd, -TAC_COUNT_GRID);
    for (int32_t i = 0; i < c->k; i++)
        c->count[i] = ldexp((double)tac_answer(ask, (size_t)i), -TAC_COUNT_GRID);
}

void tac_auto_move(tac_found *c, int32_t i, const int16_t *from, const double *step,
                   const tac_bar *bar)
{
    const size_t d = (size_t)c->columns;
    double *at = c->at + (size_t)i * d, far = 0;

    for (size_t j = 0; j < d; j++) {
        at[j] = from[j] + step[j];
        far += at[j] * at[j];
    }
    if (far > (double)TAC_M * TAC_M)
        for (size_t j = 0; j < d; j++) at[j] *= TAC_M / sqrt(far);
    tac_auto_bars(bar, step, c->sd + (size_t)i * d);
}

/* c += g r S / N, g = 1 - E|noise|^2 / |S|^2: a step that noise alone explains is not made. */
static void move_center(refinement *r, int32_t c, const tac_local_parts *parts)
{
    const size_t d = (size_t)r->c->columns;
    const tac_i128 *sum = r->sum + (size_t)c * d;
    const double n = (double)r->count[c] / parts->count, rows = fmax(n, fmax(1, 2 * r->count_sd));
    double squares = 0;

    for (size_t j = 0; j < d; j++) squares += pow((double)sum[j] / parts->sum / TAC_M, 2);
    double g = tac_shrink(squares, r->clean ? 0 : r->sum_sd * r->sum_sd, r->c->columns) / rows;
    if (g * sqrt(squares) > STEP_MOST) g = STEP_MOST / sqrt(squares);
    r->step[c] = g * g * squares;
    for (size_t j = 0; j < d; j++)
        r->move[j] = g * r->radius[c] * (double)sum[j] / parts->sum / TAC_M;
    tac_auto_move(r->c, c, r->center + (size_t)c * d, r->move,
                  &(tac_bar){.columns = r->c->columns,
                             .count = n,
                             .rows = rows,
                             .count_sd = r->count_sd,
                             .sum_sd = r->sum_sd,
                             .radius = r->radius[c],
                             .hidden = r->hidden});
    if (!r->median) r->c->count[c] = n;
}

/* The scale of every center from its squares, less the step it made: its own spread and the
   pooled one averaged, with weight POOLED / (POOLED + variance of its own). */
static void rescale(refinement *r)
{
    const int32_t k = r->c->k;
    double unit = 0, all = 0, rows = 0, steps = 0, weights = 0;

    for (int32_t c = 0; c < k; c++) unit += r->radius[c] / k;
    for (int32_t c = 0; c < k; c++) {
        const double area = pow(r->radius[c] / unit, 2), n = fmax(r->c->count[c], r->count_sd);
        all += (double)r->square[c] / TAC_M / TAC_M * area;
        rows += r->c->count[c];
        steps += r->step[c] * area * n;
        weights += n;
    }
    const double pooled = fmin(2, fmax(0.02, all / fmax(rows, 1)));
    for (int32_t c = 0; c < k; c++) {
        const double area = pow(r->radius[c] / unit, 2), n = fmax(r->c->count[c], r->count_sd);
        const double own = (double)r->square[c] / TAC_M / TAC_M / n * area;
        const double doubt = pow(r->square_sd / n * area / pooled, 2) + pow(r->count_sd / n, 2);
        const double w = POOLED / (POOLED + doubt), moved = w * r->step[c] * area;
        const double v = pooled * (1 + w * (fmin(8, fmax(0.02, own / pooled)) - 1)) - moved -
                         (1 - w) * steps / weights;
        r->c->scale[c] = unit * sqrt(fmax(v, 0.1 * pooled));
    }
}

/* One round: radius, sums, move, scale. The last round spends all that is left. */
static tacit_status refine_once(refinement *r, uint64_t quanta, bool last)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)r->c->columns;
    const bool spreads = !last && r->c->k > 1 && !r->median;
    const tac_local_parts parts = tac_auto_round_parts(spreads, r->median);
    const tac_privacy_params params = tac_door_params(r->a->door);
    const uint64_t radius_quanta = tac_share(quanta, TAC_AUTO_DISTANCES);
    double all = 0;

    tac_round_points(r->c->at, (size_t)r->c->k * d, r->center);
    for (int32_t c = 0; c < r->c->k; c++) tac_clip(r->center + (size_t)c * d, r->c->columns);
    const double sum_sd =
        (double)tac_quote_local(&params, r->c->columns, &parts, quanta - radius_quanta) /
        parts.sum / TAC_M;
    TAC_TRY(ask_radius(r, radius_quanta, r->median && last ? tac_share(quanta, SIZES) : 0, sum_sd));
    TAC_TRY(ask_sums(r, last ? tac_walk_left(r->a) : quanta - radius_quanta, &parts));
    for (int32_t c = 0; c < r->c->k; c++) all += (double)r->count[c] / parts.count;
    r->hidden = fmax(r->hidden, tac_auto_lost(r->a, all, sqrt(r->c->k) * r->count_sd));
    for (int32_t c = 0; c < r->c->k; c++) move_center(r, c, &parts);
    if (spreads)
        rescale(r);
    else if (r->c->k == 1)
        r->c->scale[0] = r->radius[0];
    if (!r->median) r->c->count_sd = r->count_sd;
done:
    return status;
}

/* Rounds with equal shares of what is left, then how much rows of a cluster differ. */
tacit_status tac_auto_refine(tac_walk *a, tac_found *c)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)c->k, numbers = k * (size_t)c->columns;
    const int32_t rounds = a->rules.rounds;
    refinement r = {.a = a, .c = c, .median = a->job->median};

    TAC_TRY(tac_new(a->ctx, numbers, sizeof *r.center, &r.center));
    TAC_TRY(tac_new(a->ctx, k, sizeof *r.radius, &r.radius));
    TAC_TRY(tac_new(a->ctx, k, sizeof *r.count, &r.count));
    TAC_TRY(tac_new(a->ctx, numbers, sizeof *r.sum, &r.sum));
    TAC_TRY(tac_new(a->ctx, k, sizeof *r.square, &r.square));
    TAC_TRY(tac_new(a->ctx, k, sizeof *r.step, &r.step));
    TAC_TRY(tac_new(a->ctx, (size_t)c->columns, sizeof *r.move, &r.move));
    for (int32_t t = 0; t < rounds; t++) {
        tac_show_progress(a->ctx, "refining the centers", (double)t / rounds);
        TAC_TRY(refine_once(&r, tac_share(tac_walk_left(a), 1.0 / (rounds - t)), t == rounds - 1));
    }
    for (size_t i = 0; i < k; i++) r.radius[i] *= r.reach;
    TAC_TRY(tac_found_ask_variances(a, r.radius, r.beyond, c));
    tac_show_progress(a->ctx, "refining the centers", 1);
done:
    tac_free(r.center);
    tac_free(r.radius);
    tac_free(r.count);
    tac_free(r.sum);
    tac_free(r.square);
    tac_free(r.step);
    tac_free(r.move);
    return status;
}
