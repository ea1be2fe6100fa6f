/* SPDX-License-Identifier: Apache-2.0 */
/* What a query's answer says about where it came from, by the distribution on its receipt. */
#ifndef TAC_AUDIT_DISTRIBUTION_H
#define TAC_AUDIT_DISTRIBUTION_H

#include "privacy/run.h"

/* One query of a run. exact and noisy point into the transcript's words. */
typedef struct tac_asked {
    tac_receipt receipt;
    char what[64];
    bool pure; /* the account: decides the distribution of selections */
    size_t exact_at, noisy_at, exact_words, noisy_words;
    const uint64_t *exact, *noisy;
} tac_asked;

/* ---- distribution.c ---- */

/* The scale of the noise that is added to every word of the answer; 0: the answer is drawn in
   another way. */
uint64_t tac_asked_noise(const tac_asked *asked);
/* log P(noisy | second) - log P(noisy | exact) by the distribution on the receipt; NAN: the
   distribution is not evaluated. */
double tac_asked_log_ratio(const tac_asked *asked, const uint64_t *second);
/* Of what is drawn: log P(noisy | exact), as if epsilon were `sharp` times as large, up to what
   does not depend on `sharp`; NAN: noise, or a distribution that is not evaluated. Off by 1e-8 at
   most. */
double tac_asked_log_distribution(const tac_asked *asked, double sharp);
/* How far apart the two distributions are, |distance|^2 / sigma^2 of Gaussian noise; otherwise
   guessed from the log ratio of one answer. */
double tac_asked_apart(const tac_asked *asked, const uint64_t *second, double log_ratio);
/* Is `second` as near to the exact answer as the declared sensitivity says? */
bool tac_asked_within(const tac_asked *asked, const uint64_t *second);

/* ---- distribution_draws.c, distribution_cubes.c: one line each in the table of distribution.c ---- */

double tac_distribution_selection(const tac_asked *q, const uint64_t *cost, double sharp);
double tac_distribution_labels(const tac_asked *q, const uint64_t *score, double sharp);
double tac_distribution_lines(const tac_asked *q, const uint64_t *moments, double sharp);
double tac_distribution_last_lines(const tac_asked *q, const uint64_t *moments, double sharp);
double tac_distribution_cubes(const tac_asked *q, const uint64_t *words, double sharp);
bool tac_within_selection(const tac_asked *q, const uint64_t *a, const uint64_t *b);
bool tac_within_labels(const tac_asked *q, const uint64_t *a, const uint64_t *b);
bool tac_within_lines(const tac_asked *q, const uint64_t *a, const uint64_t *b);

/* ---- distribution_trace.c: second moments of pure accounts ---- */

/* log of the density of u^T X u, |u| = 1, in units of the scale. Off by 1e-10 at most. */
double tac_trace_log_density(int32_t dims, double t);
/* Which word of the answer is the i-th number on a diagonal, cell after cell. */
size_t tac_trace_diagonal(int32_t dims, size_t i);
double tac_trace_ratio(const tac_asked *q, const uint64_t *first, const uint64_t *second);
bool tac_trace_within(const tac_asked *q, const uint64_t *a, const uint64_t *b);

/* ---- weaken.c: mistakes on purpose, to test the audit ---- */

/* Changes the answer as if noise were `factor` times as large, and epsilon of what is drawn 1 /
   factor times. seed: of the coins. */
void tac_asked_weaken(const tac_asked *asked, double factor, uint64_t seed, uint64_t *answer);

#endif
