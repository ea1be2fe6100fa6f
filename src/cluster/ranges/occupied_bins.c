/* SPDX-License-Identifier: Apache-2.0 */
/* Which bins of a noisy histogram hold rows. Bins without any have noise too, and there may be
   thousands of them: a window counts as full if its sum is beyond what the largest of all windows
   has by noise alone. Post-processing of released numbers. */
#include "cluster/ranges/ranges.h"

#include <math.h>

typedef struct search {
    const tac_held *held;
    double normal;  /* standard deviations that a Gaussian sum exceeds by chance `each` ... */
    double laplace; /* ... and a single Laplace number */
    bool upward;    /* from the first bin on */
} search;

/* z with P(N > z) = p, from Mills' ratio; good to a few parts in a hundred below p = 0.01. */
static double normal_quantile(double p)
{
    const double log_2 = -2 * log(p);
    return sqrt(fmax(log_2 - log(log_2) - log(2 * M_PI), 1));
}

/* Is there more in the window than noise? The sum of `width` Laplace numbers has tails between
   those of one and those of a Gaussian: sqrt(z^2 width + x^2) deviations cover both. */
static bool stands_out(const search *s, int32_t from, int32_t width)
{
    double sum = 0;

    for (int32_t b = from; b < from + width; b++) sum += s->held->number[b];
    const double extra = s->held->laplace ? s->laplace * s->laplace : 0;
    return sum > s->held->sd * sqrt(s->normal * s->normal * width + extra);
}

/* The outermost bin of a window, or of a part of it, that stands out; -1: none does. A window that
   stands out though neither half does begins at its own outer end. Both directions search the same
   windows: a last bin is found whenever a first is, and not before it. */
static int32_t outermost(const search *s, int32_t from, int32_t width)
{
    const int32_t half = width / 2, middle = from + half;
    int32_t found = -1;

    if (half > 0) found = s->upward ? outermost(s, from, half) : outermost(s, middle, width - half);
    if (half > 0 && found < 0)
        found = s->upward ? outermost(s, middle, width - half) : outermost(s, from, half);
    if (found < 0 && stands_out(s, from, width)) found = s->upward ? from : from + width - 1;
    return found;
}

/* There are 2 bins - 1 windows. */
bool tac_occupied(const tac_held *held, double alarm, int32_t *first, int32_t *last)
{
    const double each = alarm / (2 * held->bins - 1);
    search s = {.held = held,
                .normal = normal_quantile(each),
                .laplace = -log(2 * each) / M_SQRT2,
                .upward = true};

    *first = outermost(&s, 0, held->bins);
    s.upward = false;
    *last = *first < 0 ? -1 : outermost(&s, 0, held->bins);
    return *first >= 0;
}
