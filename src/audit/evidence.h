/* SPDX-License-Identifier: Apache-2.0 */
/* Does the noise have the distribution on its receipt? Evidence that it is smaller, that draws
   are sharper, or that noise repeats, whatever the rows. */
#ifndef TAC_EVIDENCE_H
#define TAC_EVIDENCE_H

#include "audit/distribution.h"

enum {
    TAC_EVIDENCE_FACTORS = 3, /* how much smaller: a half, 0.7, 0.9 */
    /* queries of a run that have bets of their own; all later ones share one */
    TAC_EVIDENCE_PLACES = 32,
    /* noise is compared with the number before, the query before, the run before */
    TAC_EVIDENCE_LAGS = 3,
    TAC_EVIDENCE_ODDS = 2,
    TAC_EVIDENCE_KEPT = 16 /* numbers of a query that are kept for that */
};

/* Logarithms of e-values. Each is a product over queries and runs of P(answer | suspicion) /
   P(answer | receipt). If the receipts are true its mean is at most 1, whatever a method asks
   next, so it reaches 1 / alpha with probability at most alpha (Ville 1939); and so does every
   weighted mean of e-values. */
typedef struct tac_evidence {
    double all[TAC_EVIDENCE_FACTORS];                         /* less noise everywhere */
    double at[TAC_EVIDENCE_PLACES + 1][TAC_EVIDENCE_FACTORS]; /* in one query of a run */
    double repeats[TAC_EVIDENCE_LAGS][TAC_EVIDENCE_ODDS];
    char kind[TAC_EVIDENCE_PLACES + 1][24];
    /* of noise, Gaussian and Laplace: how many, and the sum of (x / sigma)^2 or |x| / scale */
    double numbers[2], sizes[2];
    int64_t draws; /* answers that were drawn in another way */
} tac_evidence;

/* The noise of the run before and of this one, for comparison. */
typedef struct tac_noises {
    uint64_t scale[TAC_EVIDENCE_PLACES];
    int32_t count[TAC_EVIDENCE_PLACES];
    int64_t noise[TAC_EVIDENCE_PLACES][TAC_EVIDENCE_KEPT];
} tac_noises;

/* Adds query number `place` of a run with fresh noise; places come in order. False: its
   distribution is not evaluated, so nothing was tested. */
bool tac_evidence_add(tac_evidence *evidence, tac_noises *before, int32_t place,
                      const tac_asked *asked);
/* Multiplies e-values of independent runs: sums of logarithms. */
void tac_evidence_merge(tac_evidence *sum, const tac_evidence *one);

/* The evidence of all bets together. */
typedef struct tac_suspicion {
    /* log of the weighted mean of all e-values: the evidence; 0 or less: none */
    double log_all;
    /* the same of the two thirds that are about smaller noise or sharper draws */
    double log_smaller;
    /* the most likely size of the noise, as a multiple of what the receipts say; NAN: no noise
       was seen */
    double size;
    const char *kind; /* of the query that stands out most; NULL: all do */
} tac_suspicion;
tac_suspicion tac_evidence_sum(const tac_evidence *evidence);

#endif
