/* SPDX-License-Identifier: Apache-2.0 */
/* x^(-1/2) (1 - x)^k e^(a x): three envelopes. Proof: bingham.proof.md, part 1 */
#include "privacy/draws/tilted.h"

#include <math.h>

/* Where the two pieces may meet, as z = 1 - x. */
static const double meet[] = {.15, .3, .45, .6, .7, .8, .88, .94};

static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* ln(e^a + e^b) without overflow. */
static double log_sum(double a, double b)
{
    const double most = fmax(a, b);
    return most + log(exp(a - most) + exp(b - most));
}

/* k ln(1 - x) with 0 ln 0 = 0. */
static double power(double k, double log_rest)
{
    return k == 0 ? 0 : k * log_rest;
}

/* Gamma(1/2) of rate k - a, because (1 - x) e^x <= 1. */
static void consider_gamma(tac_tilted *t)
{
    const double mass = 0.5 * log(M_PI / (t->k - t->a));

    if (mass >= t->log_mass) return;
    t->kind = TAC_TILTED_GAMMA;
    t->log_mass = mass;
}

/* z = 1 - x: up to z0 a Gamma(k + 1) of rate a - kappa, because -ln(1 - z) / 2 lies below its chord
   kappa z; beyond it x^(-1/2) times the most that the rest can be, C. Both without the factor
   e^a. */
static void consider_pieces(tac_tilted *t)
{
    for (size_t i = 0; i < sizeof meet / sizeof *meet; i++) {
        const double z0 = meet[i], kappa = -log1p(-z0) / (2 * z0);
        if (t->a <= kappa) continue;
        const double peak = fmin(fmax(1 - t->k / t->a, 0), 1 - z0);
        const double top = power(t->k, log1p(-peak)) - t->a * (1 - peak);
        const double m1 = log_gamma(t->k + 1) - (t->k + 1) * log(t->a - kappa),
                     m2 = log(2 * sqrt(1 - z0)) + top;
        const double mass = t->a + log_sum(m1, m2);
        if (mass >= t->log_mass) continue;
        t->kind = TAC_TILTED_PIECES;
        t->log_mass = mass;
        t->z0 = z0;
        t->kappa = kappa;
        t->top = top;
        t->first = 1 / (1 + exp(m2 - m1));
    }
}

/* c G1 / (c G1 + G2), G1 ~ Gamma(1/2), G2 ~ Gamma(k + 1): density as x^(-1/2) (1 - x)^k (1 - g
   x)^(-p/2), p = 2 k + 3. b is the root of Kent, Ganeiber & Mardia's equation, of the two forms of
   which the one without cancellation is taken. */
static void consider_acg(tac_tilted *t)
{
    const double p = 2 * t->k + 3, a = t->a, s = 2 * fabs(a), h = p - s,
                 rest = a >= 0 ? 4 * s : 4 * s * (p - 1);
    const double root = sqrt(h * h + rest), b = h >= 0 ? (h + root) / 2 : rest / 2 / (root - h);
    const double c = a >= 0 ? 1 + s / b : 1 / (1 + s / b), g = a >= 0 ? s / (b + s) : -s / b;
    /* a x + (p / 2) ln(1 - g x) is concave; inside its maximum is where 1 - g x = p g / (2 a) */
    const double inside = a == 0 ? 1 : p * g / (2 * a), at = a == 0 ? 0 : (1 - inside) / g;
    const double peak = !(at > 0) ? 0 : at >= 1 ? a - p / 2 * log(c) : a * at + p / 2 * log(inside);
    const double mass =
        peak + 0.5 * log(c) + log_gamma(0.5) + log_gamma(t->k + 1) - log_gamma(t->k + 1.5);

    if (mass >= t->log_mass) return;
    t->kind = TAC_TILTED_ACG;
    t->log_mass = mass;
    t->c = c;
    t->g = g;
    t->peak = peak;
}

/* Takes the envelope of least mass. k = -1/2 is symmetric under x -> 1 - x with the sign of a
   turned: a < 0 is drawn as its mirror image. */
void tac_tilted_open(double k, double a, tac_tilted *out)
{
    *out = (tac_tilted){.k = k, .a = a, .log_mass = INFINITY};
    if (k == -0.5 && a < 0) {
        out->mirror = true;
        out->a = -a;
    }
    consider_acg(out);
    if (out->k >= 0 && out->a < out->k) consider_gamma(out);
    if (out->a > 0) consider_pieces(out);
}

/* *x and *rest: x and 1 - x. Returns the logarithm of the chance of acceptance. */
static double propose(const tac_tilted *t, tac_stream *stream, double *x, double *rest)
{
    switch (t->kind) {
    case TAC_TILTED_GAMMA:
        *x = tac_draw_gamma(stream, 0.5) / (t->k - t->a);
        *rest = 1 - *x;
        return *x >= 1 ? -INFINITY : t->k * (log1p(-*x) + *x);
    case TAC_TILTED_PIECES:
        if (tac_draw_uniform(stream) < t->first) {
            *rest = tac_draw_gamma(stream, t->k + 1) / (t->a - t->kappa);
            *x = 1 - *rest;
            return *rest > t->z0 ? -INFINITY : -0.5 * log1p(-*rest) - t->kappa * *rest;
        }
        *x = tac_draw_uniform(stream);
        *x *= *x * (1 - t->z0);
        *rest = 1 - *x;
        return power(t->k, log1p(-*x)) - t->a * *rest - t->top;
    default: {
        const double g1 = t->c * tac_draw_gamma(stream, 0.5), g2 = tac_draw_gamma(stream, t->k + 1),
                     sum = g1 + g2;
        *x = g1 / sum;
        *rest = g2 / sum;
        /* 1 - g x = rest + x / c: no cancellation */
        return t->a * *x + (t->k + 1.5) * log(*rest + *x / t->c) - t->peak;
    }
    }
}

/* Accepts with probability target / envelope at x. */
bool tac_tilted_try(const tac_tilted *t, tac_stream *stream, double *x, double *rest)
{
    const double chance = propose(t, stream, x, rest);

    if (t->mirror) {
        const double other = *x;
        *x = *rest;
        *rest = other;
    }
    return log(tac_draw_uniform(stream)) < chance;
}

void tac_draw_tilted(tac_stream *stream, double k, double a, double *x, double *rest)
{
    tac_tilted t;

    tac_tilted_open(k, a, &t);
    while (!tac_tilted_try(&t, stream, x, rest)) {
    }
}
