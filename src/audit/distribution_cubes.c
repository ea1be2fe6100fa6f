/* SPDX-License-Identifier: Apache-2.0 */
/* The distribution of a sparse histogram, which reports only its large counts (cubes.proof.md). */
#include "audit/distribution.h"

#include <math.h>

/* words at the end of an answer (threshold, dims), and of each reported count */
enum { PUBLIC_WORDS = 2, TOLD_WORDS = 4 };

/* log P(Y < t), Y discrete Laplace of scale s, e = exp(-1 / s): P(Y >= t) = e^t / (1 + e) for t >=
   0, P(Y < t) = e^(1 - t) / (1 + e) for t <= 0. */
static double log_below(double t, double s)
{
    const double norm = log1p(exp(-1 / s));

    return t <= 0 ? (t - 1) / s - norm : log1p(-exp(-t / s - norm));
}

/* word: the exact counts. Noisy: how many are reported, then (parent, child, 0, noisy count) of
   each, with room for as many as could be, in the order of (parent, child), then threshold and
   dims. A reported count has the density of its noise. One that is not reported lies below the
   threshold, or behind the least reported one if the list is full. */
double tac_distribution_cubes(const tac_asked *q, const uint64_t *word, double sharp)
{
    const double s = (double)q->receipt.scale / sharp, log_norm = log(tanh(0.5 / s));
    double distribution = 0;

    if (q->noisy_words < 1 + TOLD_WORDS + PUBLIC_WORDS) return NAN;
    const uint64_t *told = q->noisy + 1, *public = q->noisy + q->noisy_words - PUBLIC_WORDS;
    const uint64_t many = q->noisy[0], most = (q->noisy_words - 1 - PUBLIC_WORDS) / TOLD_WORDS;
    int64_t bar = (int64_t) public[0]; /* not reported: below, or equal and behind `tie` */
    size_t tie = q->exact_words;
    if (public[1] == 0 || many > most) return NAN;
    if (many == most)
        for (uint64_t i = 0; i < many; i++) {
            const int64_t count = (int64_t)told[TOLD_WORDS * i + 3];
            const size_t place =
                (size_t)(told[TOLD_WORDS * i] << public[1] | told[TOLD_WORDS * i + 1]);
            if (i == 0 || count <= bar) bar = count, tie = place;
        }
    for (size_t c = 0, i = 0; c < q->exact_words; c++) {
        if (i < many && (told[TOLD_WORDS * i] << public[1] | told[TOLD_WORDS * i + 1]) == c)
            distribution +=
                log_norm - fabs((double)(int64_t)(told[TOLD_WORDS * i++ + 3] - word[c])) / s;
        else
            distribution += log_below((double)(bar - (int64_t)word[c] + (c > tie)), s);
    }
    return distribution;
}
