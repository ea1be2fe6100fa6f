/* SPDX-License-Identifier: Apache-2.0 */
/* Likelihoods of one query: which of two exact answers does the noisy one point to, by the
   distribution on its receipt? And are the two as near to each other as the declared sensitivity
   says? */
#include "audit/distribution.h"

#include <math.h>

/* How an answer that is drawn, not noised, is evaluated: one line per kind of query. Noise on
   every word needs no line. */
typedef struct drawn {
    /* log P(noisy | exact), up to a term that depends on neither exact nor sharp. sharp: as if
       epsilon were so many times as large. NAN: not evaluated */
    double (*log_distribution)(const tac_asked *q, const uint64_t *exact, double sharp);
    /* the distribution is conditional on coins that a run on the neighbor does not share: no
       likelihood ratio */
    bool alone;
    /* NULL: not checked here */
    bool (*within)(const tac_asked *q, const uint64_t *a, const uint64_t *b);
} drawn;

/* ---- noise ---- */

/* log P(a | second) - log P(a | first). Gaussian: (d^2 - (d - g)^2) / 2 sigma^2 with d = a - first,
   g = second - first, as g (2 d - g); Laplace: (|d| - |d - g|) / scale */
static double noise_ratio(const tac_asked *q, const uint64_t *first, const uint64_t *second)
{
    const double scale = (double)q->receipt.scale;
    double sum = 0;

    if (q->receipt.distribution == TAC_TRACE) return tac_trace_ratio(q, first, second);
    for (size_t i = 0; i < q->exact_words; i++) {
        if (first[i] == second[i]) continue;
        const double d = (double)(int64_t)(q->noisy[i] - first[i]),
                     g = (double)(int64_t)(second[i] - first[i]);
        sum += q->receipt.distribution == TAC_GAUSSIAN ? g * (2 * d - g) / (2 * scale * scale)
                                                       : (fabs(d) - fabs(d - g)) / scale;
    }
    return sum;
}

/* Is |a - b|_2^2 (Gaussian) or |a - b|_1 (Laplace) at most the sensitivity? In exact integers:
   64-bit words wrap as the door's do, and 128-bit sums do not overflow. */
static bool noise_within(const tac_asked *q, const uint64_t *a, const uint64_t *b)
{
    tac_u128 l1 = 0, l2 = 0;

    if (q->receipt.distribution == TAC_TRACE) return tac_trace_within(q, a, b);
    for (size_t i = 0; i < q->exact_words; i++) {
        const int64_t gap = (int64_t)(a[i] - b[i]);
        const tac_u128 size = (tac_u128)(gap < 0 ? -(tac_i128)gap : gap);
        l1 += size;
        l2 += size * size;
    }
    return (q->receipt.distribution == TAC_GAUSSIAN ? l2 : l1) <= q->receipt.sensitivity;
}

/* A new kind of draw needs a line here: without one this file does not compile. */
#define DISTRIBUTION_NOISED(name)                                                                  \
    {                                                                                              \
        NULL, false, noise_within                                                                  \
    }
#define DISTRIBUTION_SELECTION(name)                                                               \
    {                                                                                              \
        tac_distribution_selection, false, tac_within_selection                                    \
    }
#define DISTRIBUTION_DRAW(name) DISTRIBUTION_OF_##name
#define DISTRIBUTION_OF_ROW_LABELS                                                                 \
    {                                                                                              \
        tac_distribution_labels, false, tac_within_labels                                          \
    }
#define DISTRIBUTION_OF_COLUMN_LABELS DISTRIBUTION_OF_ROW_LABELS
#define DISTRIBUTION_OF_BINGHAM                                                                    \
    {                                                                                              \
        tac_distribution_lines, false, tac_within_lines                                            \
    }
#define DISTRIBUTION_OF_CUBES                                                                      \
    {                                                                                              \
        tac_distribution_cubes, false, noise_within                                                \
    }
/* of a chain that has not mixed only the last step has a known distribution */
#define DISTRIBUTION_OF_GIBBS                                                                      \
    {                                                                                              \
        tac_distribution_last_lines, true, tac_within_lines                                        \
    }
/* the noise has a private scale, and the partition of the rows is no part of the answer */
#define DISTRIBUTION_OF_PARTS                                                                      \
    {                                                                                              \
        NULL, true, NULL                                                                           \
    }
static const drawn draws[TAC_KINDS] = {
#define KIND(name, printed, class, ...) [TAC_KIND_##name] = DISTRIBUTION_##class(name),
#include "privacy/kinds.def"
#undef KIND
};

static bool is_noise(const tac_asked *q)
{
    return tac_kind_class(q->receipt.kind) == TAC_CLASS_NOISED;
}

/* A draw without a distribution of its own (parts) carries its noise scale as a last exact word. */
uint64_t tac_asked_noise(const tac_asked *q)
{
    const drawn *k = &draws[q->receipt.kind];

    if (is_noise(q)) return q->noisy_words == q->exact_words ? q->receipt.scale : 0;
    return k->log_distribution == NULL && q->exact_words == q->noisy_words + 1
               ? q->exact[q->noisy_words]
               : 0;
}

double tac_asked_log_ratio(const tac_asked *q, const uint64_t *second)
{
    const drawn *k = &draws[q->receipt.kind];

    if (is_noise(q))
        return q->noisy_words == q->exact_words ? noise_ratio(q, q->exact, second) : NAN;
    if (k->alone) return NAN;
    const double distribution = k->log_distribution(q, q->exact, 1);
    return isnan(distribution) ? NAN : k->log_distribution(q, second, 1) - distribution;
}

double tac_asked_log_distribution(const tac_asked *q, double sharp)
{
    const drawn *k = &draws[q->receipt.kind];

    return k->log_distribution == NULL ? NAN : k->log_distribution(q, q->exact, sharp);
}

/* Laplace: the mean of the log ratio on one side minus that on the other is 2 (g - 1 + e^-g), g the
   distance over the scale. */
double tac_asked_apart(const tac_asked *q, const uint64_t *second, double log_ratio)
{
    const double scale = (double)q->receipt.scale;
    double sum = 0;

    if (!is_noise(q) || q->receipt.distribution == TAC_TRACE) return log_ratio * log_ratio;
    for (size_t i = 0; i < q->exact_words; i++) {
        const double g = fabs((double)(int64_t)(second[i] - q->exact[i])) / scale;
        sum += q->receipt.distribution == TAC_GAUSSIAN ? g * g : 2 * (g + expm1(-g));
    }
    return sum;
}

bool tac_asked_within(const tac_asked *q, const uint64_t *second)
{
    const drawn *k = &draws[q->receipt.kind];

    return k->within == NULL || k->within(q, second, q->exact);
}
