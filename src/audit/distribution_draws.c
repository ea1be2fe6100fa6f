/* SPDX-License-Identifier: Apache-2.0 */
/* The distributions of draws: selections, labels, lines in the plane; and how far one row may
   move the scores that they are drawn by. */
#include "audit/distribution.h"

#include "data/lattice/frame.h"

#include <math.h>

#define ROUNDED 3e-5 /* change of a unit vector by rounding to 1 / M, in the plane */

/* epsilon per unit of the score: a draw has weight exp(epsilon score / sensitivity). */
static double epsilon_per(const tac_receipt *r)
{
    /* sensitivity 0: all candidates score the same whatever the rows */
    return r->sensitivity == 0
               ? 0
               : ldexp((double)r->scale, -TAC_SELECTION_BITS) / (double)r->sensitivity;
}

/* max - min of a_i - b_i: how far the differences between `count` scores moved. A draw depends
   on differences alone. */
static tac_u128 moved(const uint64_t *a, const uint64_t *b, size_t count)
{
    int64_t most = INT64_MIN, least = INT64_MAX;

    for (size_t i = 0; i < count; i++) {
        const int64_t gap = (int64_t)(a[i] - b[i]);
        most = gap > most ? gap : most;
        least = gap < least ? gap : least;
    }
    return count == 0 ? 0 : (tac_u128)((tac_i128)most - least);
}

/* ---- selections: one of m by their costs ---- */

/* log of the integral over [0, 1] of the product over j != i of (1 - t p_j), p_j = exp(-s (cost_j -
   least)): candidate i is reached at time t and none before it was accepted. Gauss-Legendre on
   parts that double, from where the product begins to fall. */
static double log_reached(const uint64_t *cost, size_t m, uint64_t least, double s, size_t i)
{
    static const double node[5] = {0.486953264258585860, 0.432531683344492255, 0.339704784149512203,
                                   0.216697697064623595, 0.0744371694908156054};
    static const double weight[5] = {0.0333356721543440687, 0.0747256745752902966,
                                     0.109543181257991022, 0.134633359654998178,
                                     0.147762112357376435};
    double total = 0, integral = 0;

    for (size_t j = 0; j < m; j++) total += exp(-s * (double)(cost[j] - least));
    for (double from = 0, to = 1 / (1 + total); from < 1; from = to, to = fmin(1, 2 * to))
        for (int n = 0; n < 10; n++) {
            const double t = (from + to) / 2 + (n % 2 ? 1 : -1) * node[n / 2] * (to - from);
            double product = 0;
            for (size_t j = 0; j < m; j++)
                if (j != i) product += log1p(-t * exp(-s * (double)(cost[j] - least)));
            integral += weight[n / 2] * (to - from) * exp(product);
        }
    return log(integral);
}

/* Gaussian account: the exponential mechanism, exp(-s cost_i) / sum. Pure account:
   permute-and-flip, e^(-s (cost_i - least)) times the integral of log_reached. Costs are shifted
   by the least one, so no exp overflows. */
double tac_distribution_selection(const tac_asked *q, const uint64_t *cost, double sharp)
{
    const double s = sharp * epsilon_per(&q->receipt);
    const size_t m = q->exact_words, i = (size_t)q->noisy[0];
    uint64_t least = UINT64_MAX;
    double sum = 0;

    if (q->noisy_words != 1 || i >= m) return NAN;
    for (size_t j = 0; j < m; j++) least = cost[j] < least ? cost[j] : least;
    if (q->pure) return -s * (double)(cost[i] - least) + log_reached(cost, m, least, s, i);
    for (size_t j = 0; j < m; j++) sum += exp(-s * (double)(cost[j] - least));
    return -s * (double)(cost[i] - least) - log(sum);
}

bool tac_within_selection(const tac_asked *q, const uint64_t *a, const uint64_t *b)
{
    return moved(a, b, q->exact_words) <= q->receipt.sensitivity;
}

/* ---- labels: for every item one of a few, by scores ---- */

/* A product of independent softmaxes, one per item: exp(s u_label) / sum_c exp(s u_c). */
double tac_distribution_labels(const tac_asked *q, const uint64_t *score, double sharp)
{
    const size_t items = q->noisy_words, clusters = items == 0 ? 0 : q->exact_words / items;
    const double s = sharp * epsilon_per(&q->receipt);
    double distribution = 0;

    if (clusters * items != q->exact_words) return NAN;
    for (size_t i = 0; i < items; i++) {
        const uint64_t *u = score + i * clusters;
        const uint64_t label = q->noisy[i];
        double sum = 0;
        if (label >= clusters) return NAN;
        for (size_t c = 0; c < clusters; c++) sum += exp(s * (double)(int64_t)(u[c] - u[label]));
        distribution -= log(sum);
    }
    return distribution;
}

/* A neighbor may move the scores of several items: the sum of the moves is bounded. */
bool tac_within_labels(const tac_asked *q, const uint64_t *a, const uint64_t *b)
{
    const size_t items = (size_t)q->receipt.answers,
                 clusters = items == 0 ? 0 : q->exact_words / items;
    tac_u128 all = 0;

    for (size_t i = 0; i < items; i++) all += moved(a + i * clusters, b + i * clusters, clusters);
    return items * clusters == q->exact_words && all <= q->receipt.sensitivity;
}

/* ---- lines in the plane, drawn by second moments ---- */

/* log I_0(x), x >= 0, to 2e-9: the power series, beyond 100 the asymptotic one. */
static double log_bessel(double x)
{
    double term = 1, sum = 1;

    if (x > 100)
        return x - 0.5 * log(2 * M_PI * x) +
               log1p(1 / (8 * x) + 9 / (128 * x * x) + 225 / (3072 * x * x * x));
    for (int k = 1; k < 400 && term > 1e-17 * sum; k++) {
        term *= x * x / (4.0 * k * k);
        sum += term;
    }
    return log(sum);
}

/* The unit vector behind a rounded one. Returns the length before it was normalized, near 1. */
static double unit_of(const uint64_t *drawn, double u[2])
{
    for (int i = 0; i < 2; i++) u[i] = (double)(int64_t)drawn[i] / TAC_M;
    const double length = hypot(u[0], u[1]);
    for (int i = 0; i < 2; i++) u[i] /= length > 0 ? length : 1;
    return length;
}

/* Density exp(u' A u) of a unit vector in the plane: its integral over the circle is 2 pi e^(tr A /
   2) I_0((l1 - l2) / 2). word: (xx, xy, yy) of each cell; drawn: a vector of each, rounded to 1 /
   M: the density is that of the vector at hand. */
static double lines(const tac_receipt *r, const uint64_t *drawn, const uint64_t *word, size_t cells,
                    double sharp)
{
    const double times = sharp * epsilon_per(r) / ((double)TAC_M * TAC_M);
    double distribution = 0;

    for (size_t c = 0; c < cells; c++) {
        double u[2];
        unit_of(drawn + 2 * c, u);
        const double xx = times * (double)(int64_t)word[3 * c],
                     xy = times * (double)(int64_t)word[3 * c + 1],
                     yy = times * (double)(int64_t)word[3 * c + 2];
        distribution += u[0] * u[0] * xx + 2 * u[0] * u[1] * xy + u[1] * u[1] * yy;
        distribution -= (xx + yy) / 2 + log_bessel(hypot((xx - yy) / 2, xy));
    }
    return distribution;
}

/* Does the answer hold one unit vector of the plane for every three moments, and then perhaps three
   words more? Of more dimensions or vectors a cell the numbers may fit as well, (d + 1) / 3 vectors
   of d dimensions, but pairs of them are no unit vectors. */
static bool in_plane(const tac_asked *q, size_t cells, size_t words)
{
    if (q->noisy_words != words) return false;
    for (size_t c = 0; c < cells; c++) {
        double u[2];
        if (fabs(unit_of(q->noisy + 2 * c, u) - 1) > ROUNDED) return false;
    }
    return true;
}

double tac_distribution_lines(const tac_asked *q, const uint64_t *word, double sharp)
{
    const size_t cells = q->exact_words / 3;

    if (cells * 3 != q->exact_words || !in_plane(q, cells, 2 * cells)) return NAN;
    return lines(&q->receipt, q->noisy, word, cells, sharp);
}

/* The last draw of a chain, given its last labels: their moments follow the vectors. */
double tac_distribution_last_lines(const tac_asked *q, const uint64_t *exact, double sharp)
{
    const size_t cells = q->noisy_words / 5;

    (void)exact;
    if (q->exact_words != 3 || !in_plane(q, cells, 5 * cells)) return NAN;
    return lines(&q->receipt, q->noisy, q->noisy + 2 * cells, cells, sharp);
}

/* What all cells hold moves by no more than the sizes of the eigenvalues of the change
   (bingham.proof.md). */
bool tac_within_lines(const tac_asked *q, const uint64_t *a, const uint64_t *b)
{
    const size_t cells = q->exact_words / 3;
    double sum = 0;

    /* of more dimensions: the tests look at these. Three words are one cell of the plane, whatever
       the answer holds */
    if (cells != 1 && !in_plane(q, cells, 2 * cells)) return true;
    if (cells * 3 != q->exact_words) return true;
    for (size_t i = 0; i < q->exact_words; i += 3) {
        const double xx = (double)(int64_t)(a[i] - b[i]),
                     xy = (double)(int64_t)(a[i + 1] - b[i + 1]),
                     yy = (double)(int64_t)(a[i + 2] - b[i + 2]), root = hypot((xx - yy) / 2, xy);
        sum += fabs((xx + yy) / 2 + root) + fabs((xx + yy) / 2 - root);
    }
    return sum <= (double)q->receipt.sensitivity * TAC_M * TAC_M * (1 + 1e-9);
}
