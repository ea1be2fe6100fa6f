/* SPDX-License-Identifier: Apache-2.0 */
/* Lemma 3.5 of Wang, Wang & Singh 2015, condition by condition. Two errata: sigma-bar is 2 sqrt 5
   sigma + sigma^2 in the statement, and 2 sqrt 5 sigma + 5 sigma^2 in Proposition C.2, on which the
   proof rests; and the proof uses Lemma C.1, which needs d >= 6 log n. */
#include "owner/subspace_lemma.h"

#include <math.h>

/* The left side of the first condition: the least n_l / log n_l. Logarithms and powers need
   clusters of two rows and q of 3; otherwise no limit can be met. */
static double least_ratio(const tac_lemma *l)
{
    double least = INFINITY;

    for (int32_t c = 0; c < l->k; c++)
        least = fmin(least, l->sizes[c] > 1 ? l->sizes[c] / log(l->sizes[c]) : 0);
    return least;
}

/* The right side of the first condition; infinite, so never met, for q below 3. */
static double ratio_limit(const tac_lemma *l)
{
    const double q = l->q;
    if (l->q < 3) return INFINITY;
    return l->gamma * M_PI * sqrt(2 * q) * pow(12 * M_PI, q - 1) / (0.01 * (q / 2 - 1) * (q - 1));
}

/* The right side of the third condition, the least over clusters. Angles beyond pi cover the
   sphere. */
static double noise_limit(const tac_lemma *l, double n)
{
    const double q = l->q;
    double least = INFINITY;

    if (l->q < 3 || !(n > 1)) return -INFINITY;
    const double far = cos(fmin(M_PI, pow(0.01 * (q / 2 - 1) * (q - 1) / sqrt(M_PI), 1 / (q - 1))));
    for (int32_t c = 0; c < l->k; c++) {
        const double size = fmax(2, l->sizes[c]);
        const double near =
            12 * M_PI * pow(l->gamma * sqrt(2 * M_PI * q) * log(size) / size, 1 / (q - 1));
        least = fmin(least, cos(fmin(M_PI, near)) - far);
    }
    return sqrt(l->d / (24 * log(n))) * least;
}

/* All six conditions with their values and limits. The third is the statement's own; the proof
   needs the fourth, so `connected` leaves the third out. */
void tac_lemma_check(const tac_lemma *l, tacit_subspace_diagnosis *out)
{
    const double q = l->q, s = l->sigma, stated = 2 * sqrt(5) * s + s * s,
                 needed = 2 * sqrt(5) * s + 5 * s * s;
    double n = 0, most = 0, least = INFINITY;

    for (int32_t c = 0; c < l->k; c++) {
        n += l->sizes[c];
        most = fmax(most, l->sizes[c]);
        least = fmin(least, l->sizes[c]);
    }
    const double log_n = log(fmax(2, n)), affinity = sqrt(fmax(0, 1 - l->least_gap / q)),
                 noise = noise_limit(l, n);
    const tacit_condition list[6] = {
        {sizeof(tacit_condition), "rows of every cluster: least n_l / log n_l, above",
         least_ratio(l), ratio_limit(l), 0},
        {sizeof(tacit_condition),
         "noise beside angles: sigma (1 + sigma) sqrt(q / (d log n)), at most 1 / (15 log n) - "
         "affinity",
         s * (1 + s) * sqrt(q / (l->d * log_n)), 1 / (15 * log_n) - (l->k > 1 ? affinity : 0), 0},
        {sizeof(tacit_condition), "sigma-bar as stated, 2 sqrt 5 sigma + sigma^2, below", stated,
         noise, 0},
        {sizeof(tacit_condition),
         "sigma-bar as the proof needs it (erratum), 2 sqrt 5 sigma + 5 sigma^2, below", needed,
         noise, 0},
        {sizeof(tacit_condition), "columns (erratum: the proof's Lemma C.1): d, at least 6 log n",
         l->d, 6 * log_n, 0},
        {sizeof(tacit_condition),
         "a number of neighbors exists: 0.04 of the largest cluster, at most 1/6 of the smallest",
         0.04 * most, least / 6, 0},
    };
    out->affinity = l->k > 1 ? affinity : NAN;
    out->conditions = (int32_t)(sizeof list / sizeof *list);
    out->connected = 1;
    for (int32_t i = 0; i < out->conditions; i++) {
        tacit_condition *c = &out->condition[i];
        *c = list[i];
        const bool above = i == 0, at_least = i == 4, strict = i == 2 || i == 3;
        c->met = above      ? c->value > c->limit
                 : at_least ? c->value >= c->limit
                 : strict   ? c->value < c->limit
                            : c->value <= c->limit;
        if (i != 2 && !c->met) out->connected = 0;
    }
}
