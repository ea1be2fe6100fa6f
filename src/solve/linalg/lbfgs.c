/* SPDX-License-Identifier: Apache-2.0 */
/* L-BFGS (Liu & Nocedal 1989) with a line search for the weak Wolfe conditions by interpolation and
   bisection. */
#include "solve/linalg/lbfgs.h"

#include <math.h>
#include <string.h>

#define ENOUGH 1e-4 /* of the predicted decrease (Armijo) */
#define FLATTER 0.9 /* of the slope at the start of the line */
#define TRIES 30    /* points of a line */

typedef struct search {
    const tac_lbfgs *opts;
    tac_objective f;
    void *state;
    size_t n;
    int32_t held, next;     /* pairs in the memory; where the next goes */
    double *step, *change;  /* memory x n: s = x' - x, y = g' - g */
    double *curve, *weight; /* memory: <s, y>; scratch */
    double *x, *g, *trial, *trial_g, *direction;
} search;

/* Four partial sums in a fixed order: fast, and the same bits on every machine. */
static double dot(const double *a, const double *b, size_t n)
{
    double sum[4] = {0};
    size_t i = 0;

    for (; i + 4 <= n; i += 4)
        for (size_t r = 0; r < 4; r++) sum[r] += a[i + r] * b[i + r];
    for (; i < n; i++) sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void add(double t, const double *a, size_t n, double *to)
{
    for (size_t i = 0; i < n; i++) to[i] += t * a[i];
}

/* direction = -H g, H the approximation of the inverse Hessian by the kept pairs: the two-loop
   recursion. */
static void turn(search *s)
{
    const size_t n = s->n;
    double *d = s->direction;

    for (size_t i = 0; i < n; i++) d[i] = -s->g[i];
    for (int32_t r = 1; r <= s->held; r++) {
        const int32_t i = (s->next - r + s->opts->memory) % s->opts->memory;
        s->weight[i] = dot(s->step + (size_t)i * n, d, n) / s->curve[i];
        add(-s->weight[i], s->change + (size_t)i * n, n, d);
    }
    if (s->held > 0) {
        const int32_t last = (s->next - 1 + s->opts->memory) % s->opts->memory;
        const double *y = s->change + (size_t)last * n, scale = s->curve[last] / dot(y, y, n);
        for (size_t i = 0; i < n; i++) d[i] *= scale;
    }
    for (int32_t r = s->held; r >= 1; r--) {
        const int32_t i = (s->next - r + s->opts->memory) % s->opts->memory;
        const double w = dot(s->change + (size_t)i * n, d, n) / s->curve[i];
        add(s->weight[i] - w, s->step + (size_t)i * n, n, d);
    }
}

/* Finds t with f(x + t d) <= f + ENOUGH t slope and <g(x + t d), d> >= FLATTER slope, or the best
   it saw of the first kind. Leaves that point in trial and trial_g; false: nothing lower was
   found. */
static bool walk(search *s, double from, double slope, double first, double *value)
{
    double low = 0, high = INFINITY, t = first;
    bool lower = false;

    for (int32_t i = 0; i < TRIES; i++) {
        memcpy(s->trial, s->x, s->n * sizeof *s->x);
        add(t, s->direction, s->n, s->trial);
        const double at = s->f(s->state, s->trial, s->trial_g);
        lower = isfinite(at) && at <= from + ENOUGH * t * slope;
        if (lower) {
            *value = at;
            if (dot(s->trial_g, s->direction, s->n) >= FLATTER * slope) return true;
            low = t;
            t = isinf(high) ? 2 * t : (low + high) / 2;
        } else {
            /* the parabola through f, its slope and this point, kept away from the ends */
            const double bend = at - from - slope * t,
                         best = isfinite(bend) && bend > 0 ? -slope * t * t / (2 * bend) : t / 2;
            high = t;
            t = low > 0 ? (low + high) / 2 : fmax(0.1 * high, fmin(0.5 * high, best));
        }
    }
    return lower;
}

/* Keeps a pair (s, y) if <s, y> > 0: then H stays positive definite. */
static void keep(search *s)
{
    double *step = s->step + (size_t)s->next * s->n, *change = s->change + (size_t)s->next * s->n;

    for (size_t i = 0; i < s->n; i++) {
        step[i] = s->trial[i] - s->x[i];
        change[i] = s->trial_g[i] - s->g[i];
    }
    const double curve = dot(step, change, s->n);
    if (!(curve > 1e-12 * dot(change, change, s->n))) return;
    s->curve[s->next] = curve;
    s->next = (s->next + 1) % s->opts->memory;
    if (s->held < s->opts->memory) s->held++;
}

/* max |g_i| */
static double largest(const double *g, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(g[i]));
    return most;
}

/* Steps until one of the stopping rules of tac_lbfgs holds or the line search fails. */
static tacit_status descend(tacit_ctx *ctx, search *s, double *value)
{
    tacit_status status = TACIT_OK;

    *value = s->f(s->state, s->x, s->g);
    for (int32_t i = 0; i < s->opts->iterations && largest(s->g, s->n) > s->opts->slope; i++) {
        double after = *value;
        TAC_TRY(tac_check_cancel(ctx));
        turn(s);
        double slope = dot(s->g, s->direction, s->n);
        if (!(slope < 0)) { /* rounding spoilt the memory: begin again */
            s->held = 0;
            turn(s);
            slope = dot(s->g, s->direction, s->n);
        }
        if (!walk(s, *value, slope, s->held == 0 ? fmin(1, 1 / sqrt(-slope)) : 1, &after)) break;
        keep(s);
        memcpy(s->x, s->trial, s->n * sizeof *s->x);
        memcpy(s->g, s->trial_g, s->n * sizeof *s->g);
        const double gained = *value - after;
        *value = after;
        if (gained <= s->opts->decrease * fmax(1, fabs(after))) break;
    }
done:
    return status;
}

tacit_status tac_solve_lbfgs(tacit_ctx *ctx, const tac_lbfgs *opts, tac_objective f, void *state,
                             size_t n, double *x, double *value)
{
    tacit_status status = TACIT_OK;
    const size_t memory = (size_t)opts->memory;
    search s = {.opts = opts, .f = f, .state = state, .n = n, .x = x};

    TAC_TRY(tac_new(ctx, memory * n, sizeof(double), &s.step));
    TAC_TRY(tac_new(ctx, memory * n, sizeof(double), &s.change));
    TAC_TRY(tac_new(ctx, memory, sizeof(double), &s.curve));
    TAC_TRY(tac_new(ctx, memory, sizeof(double), &s.weight));
    TAC_TRY(tac_new(ctx, n, sizeof(double), &s.g));
    TAC_TRY(tac_new(ctx, n, sizeof(double), &s.trial));
    TAC_TRY(tac_new(ctx, n, sizeof(double), &s.trial_g));
    TAC_TRY(tac_new(ctx, n, sizeof(double), &s.direction));
    TAC_TRY(descend(ctx, &s, value));
done:
    tac_free(s.step);
    tac_free(s.change);
    tac_free(s.curve);
    tac_free(s.weight);
    tac_free(s.g);
    tac_free(s.trial);
    tac_free(s.trial_g);
    tac_free(s.direction);
    return status;
}
