/* SPDX-License-Identifier: Apache-2.0 */
/* A whole subspace of a matrix Bingham distribution, exactly: five envelopes, the one of smallest
   mass. Proofs: bingham.proof.md, part 3 */
#include "privacy/draws/bingham.h"
#include "solve/linalg/eigen.h"

#include <math.h>
#include <string.h>

/* m vectors of density exp(-tr V^T diag(cost) V), cost ascending from 0: the subspace itself or
   what is at right angles to it, for which the distribution has the same form with the order turned
   round. */
typedef struct side {
    int32_t d, m;
    double *cost; /* d */
    double base;  /* sum of the first m: the least that the exponent can be */
    /* cost without the differences inside the first m: 0 m times, then cost_i - cost_(m - 1) */
    double *flat;
    double *omega[2];   /* of KGM and FLAT: 1 + 2 cost / b */
    double log_most[2]; /* of the ratio */
    double b;           /* FLAT */
    /* CHART: where its two parts meet, the chord, the chance of the near part */
    double s0, kappa, near, log_most_far;
    double log_mass[3];
} side;

struct tac_grassmann {
    tacit_ctx *ctx;
    int32_t d, q;
    side of[2]; /* the subspace, the complement */
    int use;
    tac_envelope kind;
    double *y, *square, *values, *vectors, *v;
};

static const double meet[] = {.1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .98};

static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* ln of the total mass of |I - Y^T Y|^(-1/2) dY over the chart of the q-dimensional subspaces of
   R^d */
static double log_volume(int32_t d, int32_t q)
{
    double sum = q * (d - q) / 2.0 * log(M_PI);

    for (int32_t j = 0; j < q; j++) sum += log_gamma((q - j) / 2.0) - log_gamma((d - j) / 2.0);
    return sum;
}

/* sum of 1 / (b + 2 c_i) = 1 */
static double solve_b(const double *c, int32_t d)
{
    double low = 0, high = d;

    for (int step = 0; step < 100; step++) {
        const double middle = (low + high) / 2;
        double sum = 0;
        for (int32_t i = 0; i < d; i++) sum += 1 / (middle + 2 * c[i]);
        if (sum > 1)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The most of -w + (d / 2) ln(1 + 2 w / b) on [low, high]: it rises up to (d - b) / 2, then
   falls. */
static double most_of(double low, double high, double b, int32_t d)
{
    const double w = fmin(fmax((d - b) / 2, low), high);
    return -w + d / 2.0 * log1p(2 * w / b);
}

/* Omega = I + 2 C / b, and ln of sup exp(-tr V'CV) |V'OV|^(d/2): the eigenvalues of V'CV interlace
   with C. */
static double macg(const side *s, const double *c, double *omega, double *log_det, double *b)
{
    double most = 0;

    *b = solve_b(c, s->d);
    *log_det = 0;
    for (int32_t i = 0; i < s->d; i++) {
        omega[i] = 1 + 2 * c[i] / *b;
        *log_det += log(omega[i]);
    }
    for (int32_t i = 0; i < s->m; i++) most += most_of(c[i], c[s->d - s->m + i], *b, s->d);
    return most;
}

/* Near the best subspace Gaussians under the chord of -ln(1 - s) / 2, far from it FLAT's
   proposals. */
static void consider_chart(side *s, double log_det, double volume)
{
    const int32_t d = s->d, m = s->m, pairs = m < d - m ? m : d - m;
    const double gap = s->flat[m], widest = s->flat[d - 1];

    s->log_mass[TAC_ENVELOPE_CHART] = INFINITY;
    for (size_t g = 0; g < sizeof meet / sizeof *meet; g++) {
        const double s0 = meet[g], kappa = -log1p(-s0) / (2 * s0);
        double m1 = 0;
        if (!(gap > kappa)) continue;
        for (int32_t i = m; i < d; i++)
            for (int32_t j = 0; j < m; j++)
                m1 += 0.5 * log(M_PI / (s->cost[i] - s->cost[j] - kappa));
        const double top = most_of(fmin(gap * s0, widest), widest, s->b, d) +
                           (pairs - 1) * most_of(0, widest, s->b, d);
        const double m2 = top - m / 2.0 * log_det + volume, most = fmax(m1, m2);
        const double mass = most + log(exp(m1 - most) + exp(m2 - most));
        if (mass >= s->log_mass[TAC_ENVELOPE_CHART]) continue;
        s->log_mass[TAC_ENVELOPE_CHART] = mass;
        s->s0 = s0;
        s->kappa = kappa;
        s->near = exp(m1 - mass);
        s->log_most_far = top;
    }
}

/* Costs, envelopes and their log masses for one side. turned: the complement, whose costs run
   the other way round. */
static tacit_status side_open(tacit_ctx *ctx, int32_t d, int32_t m, const double *lambda,
                              bool turned, side *s)
{
    tacit_status status = TACIT_OK;
    const double volume = log_volume(d, m);
    double log_det, b;

    s->d = d;
    s->m = m;
    TAC_TRY(tac_new(ctx, (size_t)d, sizeof(double), &s->cost));
    TAC_TRY(tac_new(ctx, (size_t)d, sizeof(double), &s->flat));
    for (int e = 0; e < 2; e++) TAC_TRY(tac_new(ctx, (size_t)d, sizeof(double), &s->omega[e]));
    for (int32_t i = 0; i < d; i++)
        s->cost[i] = turned ? lambda[d - 1 - i] - lambda[d - 1] : lambda[0] - lambda[i];
    for (int32_t i = 0; i < m; i++) s->base += s->cost[i];
    for (int32_t i = m; i < d; i++) s->flat[i] = s->cost[i] - s->cost[m - 1];
    s->log_most[TAC_ENVELOPE_KGM] =
        macg(s, s->cost, s->omega[TAC_ENVELOPE_KGM], &log_det, &b) + s->base;
    s->log_mass[TAC_ENVELOPE_KGM] = s->log_most[TAC_ENVELOPE_KGM] - m / 2.0 * log_det + volume;
    s->log_most[TAC_ENVELOPE_FLAT] = macg(s, s->flat, s->omega[TAC_ENVELOPE_FLAT], &log_det, &s->b);
    s->log_mass[TAC_ENVELOPE_FLAT] = s->log_most[TAC_ENVELOPE_FLAT] - m / 2.0 * log_det + volume;
    consider_chart(s, log_det, volume);
done:
    return status;
}

/* Works out the envelopes of both sides and takes the one of least mass: the chance of
   acceptance is target mass / envelope mass. */
tacit_status tac_grassmann_open(tacit_ctx *ctx, const double *lambda, int32_t d, int32_t q,
                                tac_grassmann **out)
{
    tacit_status status = TACIT_OK;
    const int32_t most = q > d - q ? q : d - q;
    tac_grassmann *g = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *g, &g));
    *g = (tac_grassmann){.ctx = ctx, .d = d, .q = q};
    for (int w = 0; w < 2; w++)
        TAC_TRY(side_open(ctx, d, w == 0 ? q : d - q, lambda, w == 1, &g->of[w]));
    TAC_TRY(tac_new(ctx, (size_t)most * (size_t)most, sizeof(double), &g->square));
    TAC_TRY(tac_new(ctx, (size_t)most * (size_t)most, sizeof(double), &g->vectors));
    TAC_TRY(tac_new(ctx, (size_t)q * (size_t)(d - q), sizeof(double), &g->y));
    TAC_TRY(tac_new(ctx, (size_t)most, sizeof(double), &g->values));
    TAC_TRY(tac_new(ctx, (size_t)d * (size_t)d, sizeof(double), &g->v));
    for (int w = 0; w < 2; w++) /* the subspace itself wins ties: it needs no complement */
        for (int kind = 0; kind < 3; kind++)
            if (g->of[w].log_mass[kind] < g->of[g->use].log_mass[g->kind] - 1e-9) {
                g->use = w;
                g->kind = (tac_envelope)kind;
            }
    *out = g;
    g = NULL;
done:
    tac_grassmann_close(g);
    return status;
}

void tac_grassmann_close(tac_grassmann *g)
{
    if (g == NULL) return;
    for (int w = 0; w < 2; w++) {
        tac_free(g->of[w].cost);
        tac_free(g->of[w].flat);
        tac_free(g->of[w].omega[0]);
        tac_free(g->of[w].omega[1]);
    }
    tac_free(g->y);
    tac_free(g->square);
    tac_free(g->values);
    tac_free(g->vectors);
    tac_free(g->v);
    tac_free(g);
}

bool tac_grassmann_force(tac_grassmann *g, tac_envelope kind, bool complement)
{
    if (!isfinite(g->of[complement].log_mass[kind])) return false;
    g->use = complement;
    g->kind = kind;
    return true;
}

/* Less `base`, the target's own maximum, so that the target is exp(-(tr V'CV - base)). */
double tac_grassmann_log_mass(const tac_grassmann *g)
{
    return g->of[g->use].log_mass[g->kind];
}

/* tr V^T diag(c) V */
static double trace_of(const side *s, const double *c, const double *v)
{
    double sum = 0;

    for (int32_t r = 0; r < s->m; r++)
        for (int32_t i = 0; i < s->d; i++) sum += c[i] * v[r * s->d + i] * v[r * s->d + i];
    return sum;
}

/* ln |V^T diag(omega) V| by Cholesky; square: m x m. */
static double log_det_of(const side *s, const double *omega, const double *v, double *square)
{
    const int32_t m = s->m, d = s->d;
    double sum = 0;

    for (int32_t r = 0; r < m; r++)
        for (int32_t t = 0; t <= r; t++) {
            double entry = 0;
            for (int32_t i = 0; i < d; i++) entry += v[r * d + i] * omega[i] * v[t * d + i];
            for (int32_t l = 0; l < t; l++) entry -= square[r * m + l] * square[t * m + l];
            square[r * m + t] = r == t ? sqrt(fmax(entry, 0)) : entry / square[t * m + t];
        }
    for (int32_t r = 0; r < m; r++) sum += 2 * log(square[r * m + r]);
    return sum;
}

/* V = orth(Omega^(-1/2) G): matrix angular central Gaussian. */
static void draw_macg(const side *s, const double *omega, tac_stream *stream, double *v)
{
    do {
        tac_draw_normals(stream, (size_t)s->m * (size_t)s->d, v);
        for (int32_t r = 0; r < s->m; r++)
            for (int32_t i = 0; i < s->d; i++) v[r * s->d + i] /= sqrt(omega[i]);
    } while (!tac_orthonormal(0, s->m, s->d, v));
}

/* The largest squared sine of the angles to the best subspace: the largest eigenvalue of B^T B, B
   the last d - m coordinates. */
static tacit_status largest_sine(tac_grassmann *g, const side *s, const double *v, double *out)
{
    const int32_t m = s->m, d = s->d;

    for (int32_t r = 0; r < m; r++)
        for (int32_t t = r; t < m; t++) {
            double sum = 0;
            for (int32_t i = m; i < d; i++) sum += v[r * d + i] * v[t * d + i];
            g->square[r * m + t] = sum;
        }
    return tac_top_eigen(g->ctx, g->square, m, 1, out, g->vectors);
}

/* Y_ij ~ N(0, 1 / (2 (c_i - c_j - kappa))), V = [(I - Y'Y)^(1/2); Y]; out when an angle is too
   large. */
static tacit_status near_part(tac_grassmann *g, const side *s, tac_stream *stream, double *v,
                              double *chance)
{
    tacit_status status = TACIT_OK;
    const int32_t m = s->m, d = s->d, p = d - m;

    tac_draw_normals(stream, (size_t)m * (size_t)p, g->y);
    for (int32_t i = 0; i < p; i++)
        for (int32_t j = 0; j < m; j++)
            g->y[i * m + j] /= sqrt(2 * (s->cost[m + i] - s->cost[j] - s->kappa));
    for (int32_t r = 0; r < m; r++)
        for (int32_t t = r; t < m; t++) {
            double sum = 0;
            for (int32_t i = 0; i < p; i++) sum += g->y[i * m + r] * g->y[i * m + t];
            g->square[r * m + t] = sum;
        }
    TAC_TRY(tac_top_eigen(g->ctx, g->square, m, m, g->values, g->vectors));
    *chance = -INFINITY;
    if (!(g->values[0] <= s->s0)) goto done;
    *chance = 0;
    for (int32_t r = 0; r < m; r++) {
        g->values[r] = fmax(0, g->values[r]);
        *chance -= 0.5 * log1p(-g->values[r]) + s->kappa * g->values[r];
    }
    for (int32_t r = 0; r < m; r++) {
        for (int32_t t = 0; t < m; t++) { /* the symmetric root */
            double sum = 0;
            for (int32_t l = 0; l < m; l++)
                sum += g->vectors[r * m + l] * sqrt(1 - g->values[l]) * g->vectors[t * m + l];
            v[r * d + t] = sum;
        }
        for (int32_t i = 0; i < p; i++) v[r * d + m + i] = g->y[i * m + r];
    }
done:
    return status;
}

/* One proposal from the envelope in use, and ln(target / envelope) of it. CHART is a mixture:
   near the best subspace Gaussians, far from it FLAT; a far proposal that lands near is refused,
   as the near part covers it. */
static tacit_status propose(tac_grassmann *g, const side *s, tac_stream *stream, double *v,
                            double *chance)
{
    tacit_status status = TACIT_OK;
    const int e = g->kind == TAC_ENVELOPE_KGM ? TAC_ENVELOPE_KGM : TAC_ENVELOPE_FLAT;
    double most = s->log_most[e], sine;

    if (g->kind == TAC_ENVELOPE_CHART) {
        if (tac_draw_uniform(stream) < s->near) return near_part(g, s, stream, v, chance);
        most = s->log_most_far;
    }
    draw_macg(s, s->omega[e], stream, v);
    *chance = s->base - trace_of(s, s->cost, v) +
              s->d / 2.0 * log_det_of(s, s->omega[e], v, g->square) - most;
    if (g->kind == TAC_ENVELOPE_CHART) {
        TAC_TRY(largest_sine(g, s, v, &sine));
        if (sine <= s->s0) *chance = -INFINITY;
    }
done:
    return status;
}

/* For the complement side: draw it, then take any orthonormal basis of what is orthogonal to it. */
tacit_status tac_grassmann_propose(tac_grassmann *g, tac_stream *stream, double *u, double *chance)
{
    tacit_status status = TACIT_OK;
    const int32_t d = g->d, q = g->q, p = d - q;
    const side *s = &g->of[g->use];

    if (g->use == 0) return propose(g, s, stream, u, chance);
    TAC_TRY(propose(g, s, stream, g->v, chance));
    if (!isfinite(*chance)) goto done;
    /* coordinates back in their order, then any basis of what is at right angles */
    for (int32_t r = 0; r < p; r++)
        for (int32_t i = 0; i < d; i++) u[r * d + i] = g->v[r * d + d - 1 - i];
    tac_draw_frame(stream, p, q, d, u);
    memmove(u, u + (size_t)p * (size_t)d, (size_t)q * (size_t)d * sizeof *u);
done:
    return status;
}
