/* SPDX-License-Identifier: Apache-2.0 */
/* A round in all columns. Rows are seen relative to their own center and radius, so the noise
   depends neither on the domain nor on the zoom; rows beyond the radius are clipped to it. A
   radius is a root mean square one. The taxicab ball that goes with it has sqrt(d) times that
   radius: the norm of a row at that distance that differs in all columns. */
#include "cluster/kmeans/auto/pure/auto_pure.h"

#include <math.h>
#include <string.h>

#define COUNTS_LEAST 0.08 /* of the joint query: counts */
/* rows that stay within the radius at least */
#define QUANTILE_LEAST 0.6
#define CUT_OFF 1.5       /* rows beyond the radius, in units of what noise alone spoils */
#define SURE 2.5          /* standard deviations of a bin that do not come from noise */
#define UNREADABLE 1.2    /* the radius in units of the scale if the histogram is all noise */
#define STEP_MOST 2.0     /* radii */
#define SPREAD_REACH 1.41 /* squares are seen up to so many radii ... */
#define FURTHER 1.13      /* ... about so many taxicab radii: 1.41 / sqrt(pi / 2) */

tacit_status tac_pure_round_open(tac_walk *a, tac_found *c, bool median, tac_pure_round *out)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)c->k, d = (size_t)c->columns;

    *out = (tac_pure_round){.a = a, .c = c, .median = median};
    TAC_TRY(tac_new(a->ctx, k * d, sizeof *out->center, &out->center));
    TAC_TRY(tac_new(a->ctx, k, sizeof(double), &out->radius));
    TAC_TRY(tac_new(a->ctx, k, sizeof(double), &out->reach));
    TAC_TRY(tac_new(a->ctx, k, sizeof(double), &out->wide));
    TAC_TRY(tac_new(a->ctx, k, sizeof(double), &out->count));
    TAC_TRY(tac_new(a->ctx, k * d, sizeof(double), &out->step));
    TAC_TRY(tac_new(a->ctx, d, sizeof(double), &out->pooled));
    TAC_TRY(tac_new(a->ctx, k, sizeof(double), &out->square));
    TAC_TRY(tac_new(a->ctx, k * d, sizeof(double), &out->spread));
    TAC_TRY(tac_new(a->ctx, k, sizeof(double), &out->size));
    tac_round_points(c->at, k * d, out->center);
    for (size_t i = 0; i < k; i++) tac_clip(out->center + i * d, c->columns);
done:
    return status;
}

void tac_pure_round_close(tac_pure_round *r)
{
    tac_free(r->center);
    tac_free(r->radius);
    tac_free(r->reach);
    tac_free(r->wide);
    tac_free(r->count);
    tac_free(r->step);
    tac_free(r->pooled);
    tac_free(r->square);
    tac_free(r->spread);
    tac_free(r->size);
}

tac_cells tac_pure_cells(const tac_pure_round *r)
{
    return (tac_cells){
        .kind = TAC_NEAREST, .view = TAC_ROWS, .count = r->c->k, .centers = r->center};
}

/* The radius that a query about this round's sums is asked with, for a root mean square one of
   1. */
static double reach_of(const tac_pure_round *r)
{
    return r->median ? 1 : sqrt(r->c->columns);
}

/* What the radius cuts off should cost no more than the noise it saves. */
tacit_status tac_pure_radius(tac_pure_round *r, uint64_t quanta, uint64_t sum_quanta)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(r->a->door);
    const tac_local_parts sum = {.sum = 1};
    const double n = r->a->rules.rows, root = reach_of(r);
    const int32_t dims = r->median ? r->c->columns : 1;
    const double sd =
        ldexp(tac_noise_sd(TAC_LAPLACE, tac_quote_histogram(&params, quanta)), -TAC_COUNT_GRID);
    const double sum_sd =
        tac_noise_sd(TAC_LAPLACE, tac_quote_local(&params, dims, &sum, sum_quanta)) / TAC_M;
    const double spoiled = CUT_OFF * r->c->k * sqrt(r->c->columns) * root * sum_sd / n;
    const double cut = fmin(0.99, fmax(QUANTILE_LEAST, 1 - spoiled));
    const double q = !r->median ? cut : r->a->rules.kappa > 0.1 ? 0.25 : 0.5;
    const bool fine = tac_lengths_fine(sd, n);
    const tac_cells cells = tac_pure_cells(r);
    tac_lengths h;

    for (int32_t c = 0; c < r->c->k; c++) r->reach[c] = r->c->scale[c] * root;
    tac_lengths_bins(&h, fine ? 0x1p-5 : 0x1p-3, fine ? 0x1p5 : 0x1p3, fine ? 3 : 2);
    TAC_TRY(tac_lengths_ask(r->a->door, "distances from the centers", quanta, &cells,
                            &(tac_local){.radius = r->reach, .taxicab = !r->median}, &h));
    const double b = tac_lengths_quantile(&h, q, n, SURE);
    for (int32_t c = 0; c < r->c->k; c++)
        r->radius[c] = r->c->scale[c] * (isnan(b) ? UNREADABLE : b);
    r->hidden = tac_auto_hidden(r->a, &h, SURE);
    /* Plain lengths of a row are up to SPREAD_REACH times its taxicab length over sqrt(d). */
    const double far = tac_lengths_quantile(&h, cut, n, SURE); /* NaN as b is */
    r->far = (isnan(b) ? 1 : far / b) * (r->median ? 1 : SPREAD_REACH);
    r->beyond = isnan(b) ? 1 : tac_lengths_beyond(&h, far * (r->median ? 1 : FURTHER));
done:
    return status;
}

/* The answer to the query about sums: counts first, then the sums. */
static double sum_of(const tac_pure_round *r, const tac_asking *ask, int32_t c, int32_t j)
{
    const size_t k = (size_t)r->c->k, d = (size_t)r->c->columns;
    return (double)tac_answer(ask, k + (size_t)c * d + (size_t)j);
}

/* The step that all centers make together: the noisy sum over all rows, shrunk. The seeds share
   the noise of the middle of the zoom; the pooled step, with sqrt(k) times less noise than
   single ones, removes it. Lattice units. */
static void pool_steps(tac_pure_round *r, const tac_asking *ask, double unit)
{
    const int32_t k = r->c->k, d = r->c->columns;
    double noise = 0;

    memset(r->pooled, 0, (size_t)d * sizeof *r->pooled);
    for (int32_t c = 0; c < k; c++) {
        for (int32_t j = 0; j < d; j++) r->pooled[j] += sum_of(r, ask, c, j) * unit * r->radius[c];
        noise += pow(r->sum_sd * r->radius[c], 2);
    }
    tac_shrink_apart(r->pooled, d, sqrt(noise), 0);
    for (int32_t j = 0; j < d; j++) r->pooled[j] /= r->a->rules.rows;
}

/* A noisy mean in radii: the pooled step, and what the cell's own differs from it where noise does
   not explain it. */
static void read_step(tac_pure_round *r, int32_t c, const tac_asking *ask, double unit)
{
    const int32_t d = r->c->columns;
    const double rows = fmax(r->count[c], fmax(1, 2 * r->count_sd));
    double *step = r->step + (size_t)c * (size_t)d, squares = 0;

    for (int32_t j = 0; j < d; j++)
        step[j] = sum_of(r, ask, c, j) * unit - rows * r->pooled[j] / r->radius[c];
    tac_shrink_apart(step, d, r->sum_sd, 0);
    for (int32_t j = 0; j < d; j++) {
        step[j] = step[j] / rows + r->pooled[j] / r->radius[c];
        squares += step[j] * step[j];
    }
    const double pull = squares > STEP_MOST * STEP_MOST ? STEP_MOST / sqrt(squares) : 1;
    for (int32_t j = 0; j < d; j++) step[j] *= pull;
    r->square[c] = squares * pull * pull;
}

/* A center's noise is about d / (1 - p) from sums and worth / p from counts, if p is the counts'
   part: the squares add up to least where p / (1 - p) = (worth / d)^(2/3). */
double tac_pure_counts_part(int32_t columns, double worth)
{
    const double x = fmax(COUNTS_LEAST, pow(worth / columns, 2.0 / 3));
    return x / (1 + x);
}

/* Weights a for counts and b for sums cost a + b M (plain lengths: a + b M sqrt(d)). */
static tac_local_parts sum_parts(const tac_pure_round *r, double part)
{
    const double cost = TAC_M * (r->median ? sqrt(r->c->columns) : 1);
    return (tac_local_parts){
        .count = (uint32_t)(cost * 128 * part / (1 - part)), .sum = 128, .soft = r->median};
}

/* One joint query for counts and sums: its answer, whose noise is sd. */
static void read_sums(tac_pure_round *r, const tac_asking *ask, double sd)
{
    const tac_local_parts *parts = &ask->query.parts;
    const double unit = reach_of(r) / TAC_M / parts->sum;

    r->count_sd = sd / parts->count;
    r->sum_sd = sd * unit;
    for (int32_t c = 0; c < r->c->k; c++)
        r->count[c] = (double)tac_answer(ask, (size_t)c) / parts->count;
    if (r->c->k > 1) pool_steps(r, ask, unit);
    for (int32_t c = 0; c < r->c->k; c++) read_step(r, c, ask, unit);
}

/* Noisy sums of squares about the centers: of whole cells, or of each column (axes). */
static void read_spreads(tac_pure_round *r, const tac_asking *ask, double sd)
{
    const size_t numbers = (size_t)r->c->k * (ask->query.parts.axes ? (size_t)r->c->columns : 1);
    const double unit = SPREAD_REACH * SPREAD_REACH / TAC_M / TAC_M;

    r->square_sd = sd * unit;
    for (size_t i = 0; i < numbers; i++) r->spread[i] = (double)tac_answer(ask, i) * unit;
}

static void read_sizes(tac_pure_round *r, const tac_asking *ask, double sd)
{
    r->size_sd = ldexp(sd, -TAC_COUNT_GRID);
    for (int32_t c = 0; c < r->c->k; c++)
        r->size[c] = ldexp((double)tac_answer(ask, (size_t)c), -TAC_COUNT_GRID);
}

/* Sums, spreads and sizes are all about the centers as they are: none waits for another. */
tacit_status tac_pure_ask(tac_pure_round *r, const tac_pure_pass *pass)
{
    tacit_status status = TACIT_OK;
    tac_door *door = r->a->door;
    const tac_cells cells = tac_pure_cells(r);
    const tac_local_parts parts = sum_parts(r, pass->part),
                          squares = {.square = !pass->axes, .axes = pass->axes};
    tac_asking ask[3] = {
        {.what = "sums and counts about the centers",
         .quanta = pass->sums,
         .query = tac_query_local(
             door, &cells, &(tac_local){.radius = r->reach, .taxicab = !r->median}, &parts)}};
    int32_t count = 1;

    for (int32_t c = 0; c < r->c->k; c++) {
        r->reach[c] = r->radius[c] * reach_of(r);
        r->wide[c] = r->radius[c] * SPREAD_REACH;
    }
    if (pass->spreads > 0)
        ask[count++] = (tac_asking){
            .what = pass->axes ? "width of every column of the cells" : "width of the cells",
            .quanta = pass->spreads,
            .query = tac_query_local(door, &cells, &(tac_local){.radius = r->wide}, &squares)};
    if (pass->sizes > 0) ask[count++] = tac_auto_sizes(r->a, pass->sizes, &cells);
    TAC_TRY(tac_ask_together(door, ask, count));
    read_sums(r, &ask[0], tac_sd_before(door, count - 1));
    if (pass->spreads > 0) read_spreads(r, &ask[1], tac_sd_before(door, count - 2));
    if (pass->sizes > 0) read_sizes(r, &ask[count - 1], tac_last_sd(door));
done:
    tac_asking_clear(ask, 3);
    return status;
}

/* c <- c + step radius, by tac_auto_move. */
void tac_pure_move(tac_pure_round *r)
{
    const size_t d = (size_t)r->c->columns;
    double all = 0;

    for (int32_t c = 0; c < r->c->k; c++) all += r->count[c];
    const double hidden = fmax(r->hidden, tac_auto_lost(r->a, all, sqrt(r->c->k) * r->count_sd));
    for (int32_t c = 0; c < r->c->k; c++) {
        double *step = r->step + (size_t)c * d;
        const double rows = fmax(r->count[c], fmax(1, 2 * r->count_sd));
        for (size_t j = 0; j < d; j++) step[j] *= r->radius[c];
        tac_auto_move(r->c, c, r->center + (size_t)c * d, step,
                      &(tac_bar){.columns = r->c->columns,
                                 .count = r->count[c],
                                 .rows = rows,
                                 .count_sd = r->count_sd,
                                 .sum_sd = r->sum_sd,
                                 .radius = r->radius[c],
                                 .hidden = hidden});
        r->c->count[c] = r->count[c];
    }
    r->c->count_sd = r->count_sd;
}
