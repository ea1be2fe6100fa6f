/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes on purpose: less noise, sharper draws. They test the audit, which must report them. */
#include "audit/audit.h"

#include "data/lattice/frame.h"

#include <math.h>

/* argmax of times score_i + noise: exponential noise makes it permute-and-flip, Gumbel noise the
   exponential mechanism. */
static uint64_t largest(uint64_t *state, const uint64_t *score, size_t m, double times, bool flip)
{
    uint64_t best = 0;
    double most = -INFINITY;

    for (size_t i = 0; i < m; i++) {
        const double wait = -log(tac_even(state)),
                     value = times * (double)(int64_t)(score[i] - score[0]) +
                             (flip ? wait : -log(wait));
        if (value > most) most = value, best = i;
    }
    return best;
}

/* A unit vector at angle t0 + t, t of density exp(x cos 2t), by rejection. */
static void draw_line(uint64_t *state, const uint64_t *moment, double times, double *u)
{
    const double xx = times * (double)(int64_t)moment[0], xy = times * (double)(int64_t)moment[1],
                 yy = times * (double)(int64_t)moment[2], x = hypot((xx - yy) / 2, xy),
                 t0 = atan2(xy, (xx - yy) / 2) / 2;
    /* a uniform proposal, at large x within 8 standard deviations: the tails do not matter here */
    const double width = fmin(M_PI / 2, 4 / sqrt(x));
    double t;

    do t = width * (2 * tac_even(state) - 1);
    while (tac_even(state) >= exp(x * (cos(2 * t) - 1)));
    u[0] = cos(t0 + t);
    u[1] = sin(t0 + t);
}

/* The sparse histogram again, with noise of another scale: counts above the threshold, in order. */
static void draw_cubes(uint64_t *state, const tac_asked *q, double scale, uint64_t *answer)
{
    const uint64_t threshold = answer[q->noisy_words - 2], dims = answer[q->noisy_words - 1],
                   most = (q->noisy_words - 3) / 4;
    uint64_t many = 0;

    if (dims == 0) return; /* folded: nothing to draw from */
    for (size_t cell = 0; cell < q->exact_words && many < most; cell++) {
        const double noise = -scale * log(tac_even(state)) * (tac_even(state) < 0.5 ? -1 : 1);
        const int64_t count = (int64_t)q->exact[cell] + llround(noise);
        if (count < (int64_t)threshold) continue;
        uint64_t *told = answer + 1 + 4 * many++;
        told[0] = cell >> dims;
        told[1] = cell & ((UINT64_C(1) << dims) - 1);
        told[2] = 0;
        told[3] = (uint64_t)count;
    }
    answer[0] = many;
}

/* Lines in the plane by their second moments: those of the exact answer, or for a Gibbs sampler
   those of its last labels, which the answer holds. */
static void draw_lines(uint64_t *state, const tac_asked *q, double per, uint64_t *answer)
{
    const bool last = q->receipt.kind == TAC_KIND_GIBBS;
    const size_t cells = last ? q->noisy_words / 5 : q->exact_words / 3;

    if (cells * (last ? 5 : 2) != q->noisy_words) return;
    for (size_t i = 0; i < cells; i++) {
        double u[2];
        draw_line(state, (last ? answer + 2 * cells : q->exact) + 3 * i,
                  per / ((double)TAC_M * TAC_M), u);
        for (int j = 0; j < 2; j++) answer[2 * i + (size_t)j] = (uint64_t)llround(TAC_M * u[j]);
    }
}

/* Noise is scaled by factor; selections, labels, cubes and lines are drawn again with a larger
   epsilon. */
void tac_asked_weaken(const tac_asked *q, double factor, uint64_t seed, uint64_t *answer)
{
    const tac_receipt *r = &q->receipt;
    const double epsilon = ldexp((double)r->scale, -TAC_SELECTION_BITS) / fmax(factor, 1e-6);
    const double per = r->sensitivity == 0 ? 0 : epsilon / (double)r->sensitivity;

    if (tac_asked_noise(q) != 0) {
        for (size_t i = 0; i < q->noisy_words; i++)
            answer[i] = q->exact[i] +
                        (uint64_t)llround(factor * (double)(int64_t)(answer[i] - q->exact[i]));
    } else if (tac_kind_class(r->kind) == TAC_CLASS_SELECTION) {
        answer[0] = largest(&seed, q->exact, q->exact_words, -per, q->pure);
    } else if (r->kind == TAC_KIND_ROW_LABELS || r->kind == TAC_KIND_COLUMN_LABELS) {
        const size_t clusters = q->noisy_words == 0 ? 0 : q->exact_words / q->noisy_words;
        for (size_t i = 0; i < q->noisy_words; i++)
            answer[i] = largest(&seed, q->exact + i * clusters, clusters, per, false);
    } else if (r->kind == TAC_KIND_CUBES) {
        draw_cubes(&seed, q, factor * (double)r->scale, answer);
    } else if (r->kind == TAC_KIND_BINGHAM || r->kind == TAC_KIND_GIBBS) {
        draw_lines(&seed, q, per, answer);
    }
}
