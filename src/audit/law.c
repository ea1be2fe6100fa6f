/* SPDX-License-Identifier: Apache-2.0 */
/* What a question's answer says about which of two exact answers it came from, by the law on its receipt; and whether the
   two are as near to each other as was paid for. */
#include "audit/law.h"

#include <math.h>
#include <string.h>

/* A kind is one line here; whatever is not named has noise added to every word of its exact answer. */
typedef struct kind {
    const char *name;
    /* log P(noisy | exact), up to what does not depend on exact or sharp. sharp: as if epsilon were so many times as large.
       NAN: cannot be told */
    double (*log_law)(const tac_asked *q, const uint64_t *exact, double sharp);
    bool alone;        /* given coins that a neighbour's run does not share: says nothing about which of two it was */
    bool (*within)(const tac_asked *q, const uint64_t *a, const uint64_t *b); /* NULL: not checked here */
} kind;

/* ---- noise ---- */

/* log P(a | second) - log P(a | first). Gaussian: (d^2 - (d - g)^2) / 2 sigma^2 with d = a - first, g = second - first, as
   g (2 d - g); Laplace: (|d| - |d - g|) / scale */
static double noise_ratio(const tac_asked *q, const uint64_t *first, const uint64_t *second)
{
    const double scale = (double)q->receipt.scale;
    double sum = 0;

    if (q->receipt.law == TAC_TRACE) return tac_trace_ratio(q, first, second);
    for (size_t i = 0; i < q->exact_words; i++) {
        if (first[i] == second[i]) continue;
        const double d = (double)(int64_t)(q->noisy[i] - first[i]), g = (double)(int64_t)(second[i] - first[i]);
        sum += q->receipt.law == TAC_GAUSSIAN ? g * (2 * d - g) / (2 * scale * scale) : (fabs(d) - fabs(d - g)) / scale;
    }
    return sum;
}

static bool noise_within(const tac_asked *q, const uint64_t *a, const uint64_t *b)
{
    tac_u128 l1 = 0, l2 = 0;

    if (q->receipt.law == TAC_TRACE) return tac_trace_within(q, a, b);
    for (size_t i = 0; i < q->exact_words; i++) {
        const int64_t gap = (int64_t)(a[i] - b[i]);
        const tac_u128 size = (tac_u128)(gap < 0 ? -(tac_i128)gap : gap);
        l1 += size;
        l2 += size * size;
    }
    return (q->receipt.law == TAC_GAUSSIAN ? l2 : l1) <= q->receipt.sensitivity;
}

static const kind kinds[] = {
    {"selection", tac_law_selection, false, tac_within_selection},
    {"labels", tac_law_labels, false, tac_within_labels},
    {"bingham", tac_law_lines, false, tac_within_lines},
    {"cubes", tac_law_cubes, false, noise_within},
    {"gibbs", tac_law_last_lines, true, tac_within_lines}, /* of an unmixed chain only the law of a step is known */
    {"parts", NULL, true, NULL},                           /* noise of a private size; lots are no part of the answer */
};

static const kind *kind_of(const tac_receipt *r)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, r->kind) == 0) return &kinds[i];
    return NULL;
}

uint64_t tac_asked_noise(const tac_asked *q)
{
    const kind *k = kind_of(&q->receipt);

    if (k == NULL) return q->noisy_words == q->exact_words ? q->receipt.scale : 0;
    return k->log_law == NULL && q->exact_words == q->noisy_words + 1 ? q->exact[q->noisy_words] : 0;
}

double tac_asked_log_ratio(const tac_asked *q, const uint64_t *second)
{
    const kind *k = kind_of(&q->receipt);

    if (k == NULL) return q->noisy_words == q->exact_words ? noise_ratio(q, q->exact, second) : NAN;
    if (k->alone) return NAN;
    const double law = k->log_law(q, q->exact, 1);
    return isnan(law) ? NAN : k->log_law(q, second, 1) - law;
}

double tac_asked_log_law(const tac_asked *q, double sharp)
{
    const kind *k = kind_of(&q->receipt);

    return k == NULL || k->log_law == NULL ? NAN : k->log_law(q, q->exact, sharp);
}

/* Laplace: the mean of the log ratio on one side minus that on the other is 2 (g - 1 + e^-g), g the distance over the scale.
   */
double tac_asked_apart(const tac_asked *q, const uint64_t *second, double log_ratio)
{
    const double scale = (double)q->receipt.scale;
    double sum = 0;

    if (kind_of(&q->receipt) != NULL || q->receipt.law == TAC_TRACE) return log_ratio * log_ratio;
    for (size_t i = 0; i < q->exact_words; i++) {
        const double g = fabs((double)(int64_t)(second[i] - q->exact[i])) / scale;
        sum += q->receipt.law == TAC_GAUSSIAN ? g * g : 2 * (g + expm1(-g));
    }
    return sum;
}

bool tac_asked_within(const tac_asked *q, const uint64_t *second)
{
    const kind *k = kind_of(&q->receipt);

    if (k == NULL) return noise_within(q, second, q->exact);
    return k->within == NULL || k->within(q, second, q->exact);
}
