/* SPDX-License-Identifier: Apache-2.0 */
/* One recorded query, and the likelihood of its answer by the distribution on its receipt.
   Statistics of the audit; exact answers never leave it. */
#ifndef TAC_DISTRIBUTION_H
#define TAC_DISTRIBUTION_H

#include "privacy/run.h"

/* One query of a run, as the probe saw it. exact, noisy: borrowed from the words of the
   transcript. */
typedef struct tac_asked {
    tac_receipt receipt;
    char what[64];
    bool pure; /* the account: decides the distribution of selections */
    size_t exact_at, noisy_at, exact_words, noisy_words;
    const uint64_t *exact, *noisy;
} tac_asked;

/* ---- distribution.c ---- */

/* Scale of the noise on every word of the answer; 0: the answer is drawn in another way. */
uint64_t tac_asked_noise(const tac_asked *asked);
/* log P(noisy | second) - log P(noisy | exact) by the distribution on the receipt; NAN: the
   distribution is not evaluated. */
double tac_asked_log_ratio(const tac_asked *asked, const uint64_t *second);
/* For draws: log P(noisy | exact), as if epsilon were `sharp` times as large, up to a term that
   does not depend on `sharp`. NAN: noise, or a distribution that is not evaluated. Accurate to
   1e-8. */
double tac_asked_log_distribution(const tac_asked *asked, double sharp);
/* How far apart the two distributions are: |distance|^2 / sigma^2 for Gaussian noise, otherwise
   a guess from the log ratio of one answer. Ranks designs; proves nothing. */
double tac_asked_apart(const tac_asked *asked, const uint64_t *second, double log_ratio);
/* Is the exact answer on the neighbor, `second`, within the declared sensitivity of the first? */
bool tac_asked_within(const tac_asked *asked, const uint64_t *second);

/* ---- distribution_draws.c, distribution_cubes.c: one line each in the table of draws ---- */

/* log P(noisy | exact words) of each kind of draw, and whether two exact answers are within the
   declared sensitivity of the scores that the draw uses. */
double tac_distribution_selection(const tac_asked *q, const uint64_t *cost, double sharp);
double tac_distribution_labels(const tac_asked *q, const uint64_t *score, double sharp);
double tac_distribution_lines(const tac_asked *q, const uint64_t *moments, double sharp);
double tac_distribution_last_lines(const tac_asked *q, const uint64_t *moments, double sharp);
double tac_distribution_cubes(const tac_asked *q, const uint64_t *words, double sharp);
bool tac_within_selection(const tac_asked *q, const uint64_t *a, const uint64_t *b);
bool tac_within_labels(const tac_asked *q, const uint64_t *a, const uint64_t *b);
bool tac_within_lines(const tac_asked *q, const uint64_t *a, const uint64_t *b);

/* ---- distribution_trace.c: second moments of pure accounts ---- */

/* log density of u^T X u, |u| = 1, X trace noise, in multiples of the scale. Accurate to 1e-10. */
double tac_trace_log_density(int32_t dims, double t);
/* The word of the answer that holds the i-th diagonal entry, cell after cell. */
size_t tac_trace_diagonal(int32_t dims, size_t i);
/* As tac_asked_log_ratio and tac_asked_within, for trace noise. */
double tac_trace_ratio(const tac_asked *q, const uint64_t *first, const uint64_t *second);
bool tac_trace_within(const tac_asked *q, const uint64_t *a, const uint64_t *b);

/* ---- weaken.c: mistakes on purpose, to test the audit ---- */

/* Changes the answer as if its noise were `factor` times as large (factor <= 1), or the epsilon
   of its draw 1 / factor times. seed: of the coins, which are not the door's. */
void tac_asked_weaken(const tac_asked *asked, double factor, uint64_t seed, uint64_t *answer);

#endif
