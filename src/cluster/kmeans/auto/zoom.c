/* SPDX-License-Identifier: Apache-2.0 */
/* Where the rows are and how far they reach: a noisy mean and a noisy histogram of distances
   from it, repeated inside the ball found until the noise of the mean is small against that
   ball. Afterwards no noise depends on the width of the declared bounds, and 16 bits suffice for
   every row. */
#include "cluster/kmeans/auto/auto_kmeans.h"

#include <math.h>

/* looks at most */
#define ROUNDS 5
#define KEEP 0.6 /* of the budget stays for the steps after the zoom */
/* a ball that is not smaller than this share of the last one is not worth another look */
#define SMALLER 0.7
#define BLURRED 0.3     /* a mean's noise that is small against the ball's radius */
#define LEAST 0x1p-30   /* no ball is smaller than this part of the domain: doubles hold no more */
#define NEARLY_ALL 0.98 /* of the rows */
/* delta = 0: standard deviations by which many columns must differ from their common level. Wide
   bounds often leave all rows at one level in every column, and a level has the noise of one
   sum. */
#define SURELY_OWN 3.0
#define SURELY_ROWS 5.0 /* and by which a bin holds rows: Laplace noise once in 2,400 */
#define CLEAR 2.0       /* standard deviations that do not come from noise alone */
/* rows beyond the inner radius matter if they hold such a part of the sum of squares */
#define TAIL_ENERGY 0.02

typedef struct look {
    double *mean; /* columns, units of the lattice now */
    int16_t *center;
    int64_t *sums;
    double error;    /* noise of the mean, all coordinates together, lattice units */
    double length;   /* of the mean */
    tac_lengths far; /* of rows from the mean, lattice units */
    double inner;    /* NaN: unreadable */
} look;

/* The noisy mean of all rows, shrunk as far as noise explains it, pulled into the ball and
   rounded: the histogram is taken about exactly this point. */
static tacit_status ask_mean(tac_walk *a, double share, look *l)
{
    tacit_status status = TACIT_OK;
    double squares = 0;
    int64_t count;

    /* The count comes along at a weight that costs nothing and is not used: the paid one is
       better. */
    TAC_TRY(tac_door_sums(a->door, "mean of all rows", tac_auto_quanta(a, share),
                          &(tac_cells){.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1},
                          TAC_ROWS, 1, l->sums, &count));
    const double sd = tac_last_sd(a->door) / a->rules.rows;
    for (int32_t j = 0; j < a->columns; j++) l->mean[j] = (double)l->sums[j] / a->rules.rows;
    l->error =
        tac_door_distribution(a->door) == TAC_LAPLACE
            ? tac_shrink_apart(l->mean, a->columns, sd, a->columns > TAC_AUTO_DIMS ? SURELY_OWN : 0)
            : tac_shrink_whole(l->mean, a->columns, sd);
    for (int32_t j = 0; j < a->columns; j++) squares += l->mean[j] * l->mean[j];
    l->length = sqrt(squares);
    const double pull = l->length > TAC_M ? TAC_M / l->length : 1;
    l->length *= pull;
    for (int32_t j = 0; j < a->columns; j++) l->mean[j] *= pull;
    tac_round_points(l->mean, (size_t)a->columns, l->center);
    /* what the histogram is about */
    for (int32_t j = 0; j < a->columns; j++) l->mean[j] = l->center[j];
done:
    return status;
}

/* The noisy histogram of distances from that mean, and the radius that holds 99 % of the rows as
   far as noise lets it be seen; NaN: all is noise. */
static tacit_status ask_radius(tac_walk *a, look *l)
{
    tacit_status status = TACIT_OK;
    const uint64_t quanta = tac_auto_quanta(a, a->rules.radius);
    const tac_privacy_params params = tac_door_params(a->door);
    const double sd = ldexp((double)tac_quote_histogram(&params, quanta), -TAC_COUNT_GRID),
                 widest = 2, unit = TAC_M;
    const bool fine = tac_lengths_fine(sd, a->rules.rows);
    const double low =
        fine ? fmax(fmin(l->error / TAC_M / 4, widest / 64), widest * 1e-6) : widest / 16;

    tac_lengths_bins(&l->far, low, widest, fine ? 3 : 2);
    TAC_TRY(tac_lengths_ask(a->door, "distances from the mean", quanta,
                            &(tac_cells){.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1},
                            &(tac_local){.centers = l->center, .radius = &unit}, &l->far));
    for (int32_t i = 0; i < l->far.bins; i++) l->far.edge[i] *= TAC_M;
    l->inner = tac_lengths_quantile(&l->far, 0.99, a->rules.rows, a->rules.sure);
    /* Laplace noise sometimes looks like rows far out. If nearly all rows are in the first bin, and
       not noise alone, look closer. */
    if (tac_door_distribution(a->door) == TAC_LAPLACE &&
        l->far.held[0] > fmax(NEARLY_ALL * a->rules.rows, SURELY_ROWS * l->far.sd))
        l->inner = l->far.edge[0];
done:
    return status;
}

/* Fills the lattice with the ball: the shift moves by the mean, lengths shrink to `radius`
   lattice steps. */
static tacit_status look_closer(tac_walk *a, const look *l, double radius)
{
    tacit_status status = TACIT_OK;
    tac_frame frame = {0};
    const double unit = a->radius / TAC_M;

    for (int32_t j = 0; j < a->columns; j++) a->middle[j] += l->mean[j] * unit;
    a->radius = fmax(radius * unit, LEAST * TAC_M);
    TAC_TRY(tac_frame_zoom(a->ctx, a->job->frame, a->middle, TAC_M / a->radius, a->columns, NULL,
                           NULL, NULL, &frame));
    TAC_TRY(tac_run_set_frame(a->job->run, TAC_ROWS, &frame));
done:
    return status;
}

/* The radius beyond which nothing stands out of the noise, if the shell up to it holds a sum of
   squares that matters; otherwise the inner radius. */
static double tail_radius(tac_walk *a, const look *l)
{
    const tac_lengths *h = &l->far;
    const double tail = tac_lengths_quantile(h, 1, a->rules.rows, 3);
    double shell = 0, energy = 0;

    if (!(tail > l->inner * 1.0001)) return l->inner;
    for (int32_t i = 0; i < h->bins; i++) {
        const double mid = h->edge[i] * exp2(-1.0 / 6);
        if (h->edge[i] < l->inner)
            energy += fmax(h->held[i], 0) * mid * mid;
        else if (i == 0 || h->edge[i - 1] < tail)
            shell += h->held[i];
    }
    return shell * l->inner * l->inner < TAIL_ENERGY * energy ? l->inner : tail;
}

/* The share of the sum of squares beyond the inner radius, if that is clear of the noise; else
   0. */
static double energy_beyond(const look *l)
{
    const tac_lengths *h = &l->far;
    double all = 0, beyond = 0, variance = 0;

    for (int32_t i = 0; i < h->bins; i++) {
        const double mid = h->edge[i] * exp2(-1.0 / 6), square = mid * mid;
        const bool outer = i > 0 && h->edge[i - 1] >= l->inner;
        all += (outer ? h->held[i] : fmax(h->held[i], 0)) * square;
        if (outer) beyond += h->held[i] * square, variance += pow(h->sd * square, 2);
    }
    return beyond > CLEAR * sqrt(variance) && all > 0 ? beyond / all : 0;
}

/* Looks closer until the ball is not much smaller, the mean is precise enough, or KEEP of the
   budget is left. */
tacit_status tac_auto_zoom(tac_walk *a)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)a->columns;
    look l = {0};

    TAC_TRY(tac_new(a->ctx, columns, sizeof *a->middle, &a->middle));
    TAC_TRY(tac_new(a->ctx, columns, sizeof *l.mean, &l.mean));
    TAC_TRY(tac_new(a->ctx, columns, sizeof *l.center, &l.center));
    TAC_TRY(tac_new(a->ctx, columns, sizeof *l.sums, &l.sums));
    a->radius = TAC_M;
    for (;;) {
        tac_show_progress(a->ctx, "looking for the rows", (double)a->zooms / ROUNDS);
        TAC_TRY(ask_mean(a, a->zooms == 0 ? a->rules.mean : fmax(0.01, a->rules.mean / 2), &l));
        TAC_TRY(ask_radius(a, &l));
        a->zooms++;
        if (isnan(l.inner)) { /* noise: nothing is known but the mean */
            a->inner = a->radius;
            TAC_TRY(look_closer(a, &l, TAC_M));
            goto done;
        }
        if (a->zooms == 1) l.inner = fmin(l.inner, TAC_M + l.length);
        if (a->zooms == ROUNDS || tac_auto_left(a) < KEEP || l.inner > SMALLER * TAC_M) break;
        if (l.error < BLURRED * l.inner && l.inner > l.far.edge[0] * 1.001) break;
        TAC_TRY(look_closer(a, &l, l.inner));
    }
    const double tail = fmin(2 * TAC_M, fmax(tail_radius(a, &l), a->rules.room * l.inner)),
                 unit = a->radius / TAC_M;
    a->inner = l.inner * unit;
    a->beyond = energy_beyond(&l);
    TAC_TRY(look_closer(a, &l, tail));
done:
    tac_free(l.mean);
    tac_free(l.center);
    tac_free(l.sums);
    return status;
}
