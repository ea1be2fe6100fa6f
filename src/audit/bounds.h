/* SPDX-License-Identifier: Apache-2.0 */
/* From counts of an event to bounds on its probability, and from two probabilities to a lower
   bound of epsilon. */
#ifndef TAC_BOUNDS_H
#define TAC_BOUNDS_H

#include "core/core.h"

/* Clopper & Pearson: the largest (smallest) p for which `hits` or fewer (or more) of `of`
   independent trials have probability at least alpha. So the true p exceeds the first, or falls
   below the second, with probability at most alpha. Rounded to the safe side. */
double tac_at_most(int64_t hits, int64_t of, double alpha);
double tac_at_least(int64_t hits, int64_t of, double alpha);

/* Phi^-1(p): 0 gives -infinity, 1 infinity. */
double tac_normal_quantile(double p);

/* An event and how often it was seen: hits[0] of runs[0] where it should be rare, hits[1] of
   runs[1] where it should be frequent. */
typedef struct tac_seen {
    int64_t hits[2], runs[2];
} tac_seen;

/* What an event proves, with error probability at most alpha: a lower bound of epsilon at delta,
   and of mu if the claim is a Gaussian curve. -infinity: nothing. */
typedef struct tac_proved {
    double epsilon, mu;
} tac_proved;
tac_proved tac_prove(const tac_seen *seen, double alpha, double delta);

/* About the same by a closed formula, to choose among events before one is certified. No proof. */
tac_proved tac_guess(const tac_seen *seen, double alpha, double delta);

/* Two samples of a number that is larger on side 1, n of each: thresholds are chosen on the first
   half of both, and what "at least the threshold" proves is found on the other half. Sorts the
   first halves. threshold: the one that was best for epsilon. */
tac_proved tac_prove_by_threshold(double *sample[2], int64_t n, double alpha, double delta,
                                  double *threshold);

#endif
