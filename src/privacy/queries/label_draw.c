/* SPDX-License-Identifier: Apache-2.0 */
/* Draws of labels: the place of a uniform real among the running sums of the weights. A fast path
   that knows how far it may be off, and a slow one with as many digits as it takes. Bounds:
   labels.proof.md */
#include "privacy/queries/label_draw.h"
#include "privacy/noise/noise_trial.h"
#include "privacy/noise/wide.h"

#define BEYOND ((tac_u128)1 << 66) /* 64 in units of 2^-60: exp(-64) < 2^-92 */
#define PART ((UINT64_C(1) << 63) - 1)

/* floor(2^64 exp(-8 i)), but for i = 0 */
static const uint64_t eight[8] = {
    UINT64_MAX, UINT64_C(0x15fc21041027ac), UINT64_C(0x1e355bbaee8), 0x29820f1f, 0x3908c, 0x4e, 0,
    0};

/* Exponents are in units of 2^-60: epsilon gap / (2^30 range) is gap step / 2^shift of them. */
void tac_label_distribution_set(uint64_t epsilon, uint64_t range, tac_label_distribution *out)
{
    const tac_u128 top = (tac_u128)epsilon << 30;
    tac_u128 step;

    *out =
        (tac_label_distribution){.epsilon = epsilon, .range = range == 0 ? 1 : range, .shift = 55};
    while (out->shift > 0 && (top << out->shift) / out->range >> 64 != 0) out->shift--;
    step = (top << out->shift) / out->range;
    for (; step >> 64 != 0; step >>= 1) out->shift--; /* at most 2^72 */
    out->step = (uint64_t)step;
}

/* 2^51 exp(-epsilon gap / range), 0 <= gap < 2^63 */
static inline uint64_t weight_of(const tac_label_distribution *distribution, uint64_t gap)
{
    tac_u128 g = (tac_u128)gap * distribution->step;

    if (distribution->shift >= 0)
        g >>= distribution->shift;
    else if (g < BEYOND)
        g <<= -distribution->shift;
    if (g >= BEYOND) return 0;
    const uint64_t p = exp_fixed((uint64_t)g & PART);
    return (g <= PART ? p : high_product(p, eight[(unsigned)(g >> 63)])) >> (64 - TAC_WEIGHT_BITS);
}

uint64_t tac_label_weight(const tac_label_distribution *distribution, uint64_t gap)
{
    return weight_of(distribution, gap);
}

/* max_c u_c. */
static inline int64_t largest(const int64_t *u, int32_t count)
{
    int64_t most = u[0];
    for (int32_t c = 1; c < count; c++) most = u[c] > most ? u[c] : most;
    return most;
}

/* Inversion with 51-bit weights: label c if the real times the sum lies between running sums c -
   1 and c. -1 if it lies within the error bound of a border. */
int32_t tac_label_draw(const tac_label_distribution *distribution, const int64_t *u, int32_t count,
                       uint64_t head, uint64_t *weight)
{
    const int64_t most = largest(u, count);
    const uint64_t slack = 2 * (uint64_t)count * TAC_WEIGHT_ERROR + 2;
    uint64_t sum = 0;
    int32_t c = 0;

    for (int32_t i = 0; i < count; i++) {
        sum += weight_of(distribution, (uint64_t)most - (uint64_t)u[i]);
        weight[i] = sum;
    }
    const uint64_t at = high_product(head, sum);
    for (int32_t i = 0; i < count - 1; i++) c += weight[i] <= at;
    if (RARE((c > 0 && at - weight[c - 1] < slack) || (c < count - 1 && weight[c] - at < slack)))
        return -1;
    return c;
}

/* 2^(64 words) exp(-epsilon gap / range), off by at most TAC_EXP_ERROR */
static void exact_weight(const tac_label_distribution *distribution, uint64_t gap, unsigned words,
                         uint64_t *out, uint64_t *room)
{
    const tac_coin coin = {.num = (tac_u128)distribution->epsilon * gap,
                           .den = {distribution->range, UINT64_C(1) << TAC_SELECTION_BITS}};

    tac_exp_words(&coin, words, out, room);
}

/* Do so many words of the real settle between which running sums it lies? Then *chosen is its
   label. word: the real's words, most significant first. */
static bool settle_to(const tac_label_distribution *distribution, const int64_t *u, int32_t count,
                      const uint64_t *word, unsigned words, uint64_t *room, int32_t *chosen)
{
    const int64_t most = largest(u, count);
    const unsigned n = words + 1;
    uint64_t *real = room, *one = real + n, *sum = one + n, *at = sum + n, *slack = at + n,
             *far = slack + n, *rest = far + n;

    memset(room, 0, 6 * (size_t)n * sizeof *room);
    for (unsigned w = 0; w < words; w++) real[words - 1 - w] = word[w];
    for (int32_t c = 0; c < count; c++) {
        exact_weight(distribution, (uint64_t)most - (uint64_t)u[c], words, one, rest);
        tac_wide_add(sum, one, n);
    }
    tac_wide_product(real, sum, words, at, rest);
    memset(sum, 0, n * sizeof *sum);
    slack[0] = (2 * TAC_EXP_ERROR + 2) * (uint64_t)count + 4;
    for (*chosen = 0; *chosen < count - 1; ++*chosen) {
        exact_weight(distribution, (uint64_t)most - (uint64_t)u[*chosen], words, one, rest);
        tac_wide_add(sum, one, n);
        const bool below = tac_wide_compare(at, sum, n) < 0;
        memcpy(far, below ? sum : at, n * sizeof *far);
        tac_wide_subtract(far, below ? at : sum, n);
        if (tac_wide_compare(far, slack, n) < 0) return false;
        if (below) return true;
    }
    return true;
}

/* The same inversion with twice as many words each time, until no border is within the error
   bound. */
int32_t tac_label_settle(const tac_label_distribution *distribution, const int64_t *u,
                         int32_t count, uint64_t head, tac_stream *stream)
{
    tac_digits digits;
    int32_t chosen = 0;
    bool settled = false;

    tac_digits_open(&digits, true, head);
    for (unsigned words = 2; !settled; words *= 2) {
        if (!tac_digits_draw(stream, &digits, words, 6 * ((size_t)words + 1) + TAC_EXP_ROOM(words)))
            break;
        settled = settle_to(distribution, u, count, digits.word, words, digits.room, &chosen);
    }
    tac_digits_close(&digits);
    return chosen;
}
