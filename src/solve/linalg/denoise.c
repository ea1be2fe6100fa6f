/* SPDX-License-Identifier: Apache-2.0 */
/* Denoising by the nonparametric maximum likelihood estimate of the prior (Kiefer & Wolfowitz 1956;
   Jiang & Zhang 2009): x_i = t_i + noise, t_i from an unknown distribution over a grid of values;
   its weights by EM on a histogram of the x_i; then E(t | x) by Bayes. It adapts: hard thresholding
   when few t are not 0, James-Stein when t is a bell, and neither has to be chosen. */
#include "solve/linalg/denoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All in units of sd. */
#define REACH 12.0 /* numbers beyond are clearly not noise */
#define WIDTH 0.1  /* of a bin of the histogram */
enum {
    BINS = 240, /* 2 REACH / WIDTH */
    STEPS = 18, /* values on each side of 0: 1/4, then in steps of 5/4 */
    VALUES = 2 * STEPS + 1,
    ROUNDS = 100, /* of EM: the weights matter, not their last digits */
};
#define FIRST 0.25
#define GROWTH 1.25

typedef struct prior {
    double value[VALUES], weight[VALUES];
    double rows[BINS];
    double chance[BINS][VALUES]; /* density of a bin's middle given a value, up to a factor */
    double mean[BINS];           /* E(t | x in the bin) */
    double variance[BINS];       /* Var(t | x in the bin) */
} prior;

static double middle(int bin)
{
    return (bin + 0.5) * WIDTH - REACH;
}

static int bin_of(double z)
{
    const double at = floor((z + REACH) / WIDTH);
    return at < 0 ? 0 : at > BINS - 1 ? BINS - 1 : (int)at;
}

/* Density of the noise at distance gap from its center, in standard deviations, without its
   constant. */
static double density(tac_bell distribution, double gap)
{
    return distribution == TAC_BELL_GAUSSIAN ? exp(-gap * gap / 2) : exp(-M_SQRT2 * fabs(gap));
}

/* The grid of values, geometric on both sides of 0, the first weights, and the likelihoods. */
static void lay_out(prior *p, tac_bell distribution)
{
    for (int v = 0; v < VALUES; v++) {
        const int step = v - STEPS;
        p->value[v] = step == 0 ? 0 : copysign(FIRST * pow(GROWTH, abs(step) - 1), step);
        /* half at 0: what is not 0 must show itself */
        p->weight[v] = 0.5 / VALUES + (step == 0 ? 0.5 : 0);
    }
    for (int b = 0; b < BINS; b++)
        for (int v = 0; v < VALUES; v++)
            p->chance[b][v] = density(distribution, middle(b) - p->value[v]);
}

/* One round of EM: weight_v <- mean over the numbers of P(v | x). */
static void improve(prior *p, double total)
{
    double next[VALUES] = {0};

    for (int b = 0; b < BINS; b++) {
        double all = 0;
        if (p->rows[b] == 0) continue;
        for (int v = 0; v < VALUES; v++) all += p->weight[v] * p->chance[b][v];
        if (!(all > 0)) continue; /* no value explains it: it has no say */
        for (int v = 0; v < VALUES; v++)
            next[v] += p->rows[b] / total * p->weight[v] * p->chance[b][v] / all;
    }
    memcpy(p->weight, next, sizeof next);
}

/* Posterior mean and variance in the middle of every bin (Bayes). */
static void tabulate(prior *p)
{
    for (int b = 0; b < BINS; b++) {
        double all = 0, sum = 0, squares = 0;
        for (int v = 0; v < VALUES; v++) {
            const double w = p->weight[v] * p->chance[b][v];
            all += w;
            sum += w * p->value[v];
            squares += w * p->value[v] * p->value[v];
        }
        p->mean[b] = all > 0 ? sum / all : middle(b);
        p->variance[b] = all > 0 ? fmax(0, squares / all - p->mean[b] * p->mean[b]) : 1;
    }
}

/* Between the bins' middles in a straight line; the grid of values ends where it is coarse, and
   from half way out the number itself takes over. *left: the variance that is left. */
static double estimate(const prior *p, double z, double *left)
{
    const double far = REACH / 2, size = fabs(z);

    *left = 1;
    if (size >= REACH - WIDTH) return z;
    const double at = (z + REACH) / WIDTH - 0.5;
    const int b = at < 0 ? 0 : at > BINS - 2 ? BINS - 2 : (int)at;
    const double t = p->mean[b] + (at - b) * (p->mean[b + 1] - p->mean[b]);
    const double v = p->variance[b] + (at - b) * (p->variance[b + 1] - p->variance[b]);
    const double trust = size <= far ? 0 : fmin(1, size - far);
    *left = v + trust * (1 - v);
    return t + trust * (z - t);
}

/* Histogram, EM for the prior, table of posteriors, one look-up per number. */
tacit_status tac_solve_denoise(tacit_ctx *ctx, double *x, size_t n, double sd,
                               tac_bell distribution, double *error)
{
    tacit_status status = TACIT_OK;
    prior *p = NULL;

    if (n == 0) return TACIT_OK;
    TAC_TRY(tac_new(ctx, 1, sizeof *p, &p));
    lay_out(p, distribution);
    for (size_t i = 0; i < n; i++) p->rows[bin_of(x[i] / sd)] += 1;
    for (int round = 0; round < ROUNDS; round++) improve(p, (double)n);
    tabulate(p);
    for (size_t i = 0; i < n; i++) {
        double left;
        x[i] = sd * estimate(p, x[i] / sd, &left);
        if (error != NULL) error[i] = sd * sqrt(left);
    }
done:
    tac_free(p);
    return status;
}
