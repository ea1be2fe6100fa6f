/* SPDX-License-Identifier: Apache-2.0 */
/* Bets against the receipts: they pay off if noise is smaller, draws are sharper or noise
   repeats. They use exact answers, which the audit has for its own rows only. */
#include "audit/evidence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PER_DRAW 2e-8 /* taken off a log ratio: each of its two terms is accurate to half of that */
#define ROUNDING 1e-4 /* taken off in the end: rounding of sums of up to 1e10 numbers */

/* suspected sizes of the noise, relative to the receipt; odds of a bet on equal noises */
static const double factor[TAC_EVIDENCE_FACTORS] = {0.5, M_SQRT1_2, 0.9};
static const double odds[TAC_EVIDENCE_ODDS] = {10, 1e5};

/* ---- noise ---- */

/* log of C(scale) / C(r scale), C the sum of exp(-x^2 / 2 s^2) or exp(-|x| / s) over the integers.
   Gaussian: s sqrt(2 pi) <= C <= s sqrt(2 pi) (1 + 3 exp(-2 pi^2 s^2)) for s >= 1/2 (Poisson's
   formula); rounded down. Laplace: C = 1 / tanh(1 / 2 s). */
static double log_norms(tac_distribution distribution, double scale, double r)
{
    if (distribution == TAC_GAUSSIAN)
        return -log(r) - log1p(3 * exp(-2 * M_PI * M_PI * r * r * scale * scale));
    return log(tanh(0.5 / (r * scale))) - log(tanh(0.5 / scale));
}

/* No value of the noise is more likely than this. */
static double most_likely(const tac_receipt *r, double scale)
{
    if (r->distribution == TAC_TRACE)
        return exp(tac_trace_log_density(r->dims, 0)) / (TAC_MOMENT_SAME * scale);
    return r->distribution == TAC_GAUSSIAN ? 1 / (scale * sqrt(2 * M_PI)) : tanh(0.5 / scale);
}

/* How many independent noises a query has: one per word; for trace noise those on the diagonals. */
static size_t noises(const tac_asked *q)
{
    const size_t d = (size_t)q->receipt.dims;

    return q->receipt.distribution == TAC_TRACE ? q->noisy_words / (d * (d + 1) / 2) * d
                                                : q->noisy_words;
}

/* Noise number i: noisy minus exact. */
static int64_t noise_at(const tac_asked *q, size_t i)
{
    const size_t at =
        q->receipt.distribution == TAC_TRACE ? tac_trace_diagonal(q->receipt.dims, i) : i;

    return (int64_t)(q->noisy[at] - q->exact[at]);
}

/* `equal` of `of` pairs of independent noises coincide. Given the first of a pair, the second
   equals it with probability at most p, so the mean of odds^[equal] is at most 1 + (odds - 1) p
   <= exp((odds - 1) p): a fair bet. */
static void compare(double *repeats, int64_t equal, int64_t of, double p)
{
    for (int o = 0; o < TAC_EVIDENCE_ODDS; o++)
        repeats[o] += (double)equal * log(odds[o]) - (double)of * (odds[o] - 1) * p;
}

static int64_t count_equal(const int64_t *a, const int64_t *b, int32_t count)
{
    int64_t equal = 0;

    for (int32_t i = 0; i < count; i++) equal += a[i] == b[i];
    return equal;
}

/* Compares noise with the number before it, the query before and the same query of the run
   before. Within a vector only disjoint pairs are compared, so the pairs are independent. */
static void look_for_repeats(tac_evidence *e, tac_noises *before, int32_t place, const tac_asked *q,
                             uint64_t scale)
{
    const double p = most_likely(&q->receipt, (double)scale);
    const size_t many = noises(q);
    const int32_t kept = (int32_t)(many < TAC_EVIDENCE_KEPT ? many : TAC_EVIDENCE_KEPT);
    int64_t noise[TAC_EVIDENCE_KEPT], equal = 0;

    for (size_t i = 1; i < many; i += 2) equal += noise_at(q, i) == noise_at(q, i - 1);
    compare(e->repeats[0], equal, (int64_t)(many / 2), p);
    if (place >= TAC_EVIDENCE_PLACES) return;
    for (int32_t i = 0; i < kept; i++) noise[i] = noise_at(q, (size_t)i);
    for (int lag = 1; lag < TAC_EVIDENCE_LAGS; lag++) {
        const int32_t other = lag == 1 ? place - 1 : place;
        if (other < 0 || before->scale[other] != scale) continue;
        const int32_t common = kept < before->count[other] ? kept : before->count[other];
        compare(e->repeats[lag], count_equal(noise, before->noise[other], common), common, p);
    }
    memcpy(before->noise[place], noise, (size_t)kept * sizeof *noise);
    before->count[place] = kept;
}

/* The same for trace noise, by densities. d ln f / dx is at most 1 / scale for noise x without
   its weight, so within the numbers that round to one it varies by at most (1 + 1 / r) / (10
   scale), which is subtracted. */
static void weigh_trace(tac_evidence *e, const tac_asked *q, double scale, double *log_ratio)
{
    const int32_t dims = q->receipt.dims;
    const size_t many = noises(q);

    e->numbers[0] += (double)many;
    for (size_t i = 0; i < many; i++) {
        const double t = (double)noise_at(q, i) / (TAC_MOMENT_SAME * scale),
                     distribution = tac_trace_log_density(dims, t);
        e->sizes[0] += t * t / (dims + 1.0);
        for (int f = 0; f < TAC_EVIDENCE_FACTORS; f++) {
            const double r = factor[f];
            log_ratio[f] += tac_trace_log_density(dims, t / r) - log(r) - distribution -
                            0.1 * (1 + 1 / r) / scale - PER_DRAW;
        }
    }
}

/* log P(noise | r times the scale) - log P(noise | scale), for every r */
static void weigh_noise(tac_evidence *e, const tac_asked *q, double scale, double *log_ratio)
{
    const bool gaussian = q->receipt.distribution == TAC_GAUSSIAN;
    const double n = (double)q->noisy_words;
    double size = 0;

    if (q->receipt.distribution == TAC_TRACE) {
        weigh_trace(e, q, scale, log_ratio);
        return;
    }
    for (size_t i = 0; i < q->noisy_words; i++) {
        const double x = fabs((double)noise_at(q, i)) / scale;
        size += gaussian ? x * x : x;
    }
    e->numbers[!gaussian] += n;
    e->sizes[!gaussian] += size;
    for (int f = 0; f < TAC_EVIDENCE_FACTORS; f++) {
        const double r = factor[f];
        log_ratio[f] = n * log_norms(q->receipt.distribution, scale, r) -
                       size * (gaussian ? (1 / (r * r) - 1) / 2 : 1 / r - 1);
    }
}

/* ---- draws ---- */

/* log P(answer | epsilon / r) - log P(answer | epsilon), for every r; false: not evaluated. */
static bool weigh_draw(tac_evidence *e, const tac_asked *q, double *log_ratio)
{
    const double distribution = tac_asked_log_distribution(q, 1);

    if (isnan(distribution)) return false;
    for (int f = 0; f < TAC_EVIDENCE_FACTORS; f++)
        log_ratio[f] = tac_asked_log_distribution(q, 1 / factor[f]) - distribution - PER_DRAW;
    e->draws += q->receipt.answers;
    return true;
}

/* Adds the log ratios of one query to the bets on all queries and on its place, and compares its
   noise with earlier noise. Later places share the last bet. */
bool tac_evidence_add(tac_evidence *e, tac_noises *before, int32_t place, const tac_asked *q)
{
    const int32_t at = place < TAC_EVIDENCE_PLACES ? place : TAC_EVIDENCE_PLACES;
    const uint64_t scale = tac_asked_noise(q);
    double log_ratio[TAC_EVIDENCE_FACTORS] = {0};
    bool known = true;

    if (scale != 0) {
        weigh_noise(e, q, (double)scale, log_ratio);
        look_for_repeats(e, before, place, q, scale);
    } else {
        known = weigh_draw(e, q, log_ratio);
    }
    if (at < TAC_EVIDENCE_PLACES) before->scale[at] = scale;
    snprintf(e->kind[at], sizeof e->kind[at], "%s",
             at == place ? tac_kind_name(q->receipt.kind) : "later ones");
    for (int f = 0; f < TAC_EVIDENCE_FACTORS; f++) {
        e->all[f] += log_ratio[f];
        e->at[at][f] += log_ratio[f];
    }
    return known;
}

/* Runs of different workers are independent: their e-values are multiplied. */
void tac_evidence_merge(tac_evidence *sum, const tac_evidence *one)
{
    for (int f = 0; f < TAC_EVIDENCE_FACTORS; f++) {
        sum->all[f] += one->all[f];
        for (int p = 0; p <= TAC_EVIDENCE_PLACES; p++) sum->at[p][f] += one->at[p][f];
    }
    for (int lag = 0; lag < TAC_EVIDENCE_LAGS; lag++)
        for (int o = 0; o < TAC_EVIDENCE_ODDS; o++) sum->repeats[lag][o] += one->repeats[lag][o];
    for (int p = 0; p <= TAC_EVIDENCE_PLACES; p++)
        if (one->kind[p][0] != '\0') memcpy(sum->kind[p], one->kind[p], sizeof sum->kind[p]);
    for (int distribution = 0; distribution < 2; distribution++) {
        sum->numbers[distribution] += one->numbers[distribution];
        sum->sizes[distribution] += one->sizes[distribution];
    }
    sum->draws += one->draws;
}

/* log of the mean of exp(x_i) */
static double log_mean(const double *x, int count)
{
    double most = -INFINITY, sum = 0;

    for (int i = 0; i < count; i++) most = fmax(most, x[i]);
    for (int i = 0; i < count; i++) sum += exp(x[i] - most);
    return most + log(sum / count);
}

/* The r that makes all noise most likely: N r^2 - L r - G = 0, N numbers, G the sum of squares over
   sigma^2, L that of sizes over scales. */
static double likely_size(const tac_evidence *e)
{
    const double n = e->numbers[0] + e->numbers[1], g = e->sizes[0], l = e->sizes[1];

    return n == 0 ? NAN : (l + sqrt(l * l + 4 * n * g)) / (2 * n);
}

/* Means of e-values are e-values: over factors, places and lags, then over the three kinds.
   log_smaller keeps its 2/3 of the weight, hence the log 1.5. */
tac_suspicion tac_evidence_sum(const tac_evidence *e)
{
    const double all = log_mean(e->all, TAC_EVIDENCE_FACTORS);
    const double by_place = log_mean(e->at[0], (TAC_EVIDENCE_PLACES + 1) * TAC_EVIDENCE_FACTORS);
    const double repeats = log_mean(e->repeats[0], TAC_EVIDENCE_LAGS * TAC_EVIDENCE_ODDS);
    tac_suspicion s = {.log_all = log_mean((double[]){all, by_place, repeats}, 3) - ROUNDING,
                       .size = likely_size(e)};
    double most = -INFINITY;

    s.log_smaller = log_mean((double[]){all, by_place}, 2) - log(1.5) - ROUNDING;
    if (by_place > all)
        for (int p = 0; p <= TAC_EVIDENCE_PLACES; p++) {
            const double here = log_mean(e->at[p], TAC_EVIDENCE_FACTORS);
            if (here > most) most = here, s.kind = e->kind[p];
        }
    return s;
}
