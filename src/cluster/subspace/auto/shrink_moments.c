/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces from second moments that are known in two halves with independent noise.
   Eigenvectors of one half, shrunk towards the pool of all cells or the fit and kept in the
   leading directions only, are judged by the sum of squares that they hold of the other half.
   That judgment is unbiased; the best way is then applied to the mean of the halves.
   Post-processing. */
#include "cluster/subspace/auto/auto_subspace.h"

#include <math.h>
#include <string.h>

/* of an even share of the trace: a cell that noise has emptied still weighs so much */
#define LEAST_PART 0.2

typedef struct way {
    bool fit;    /* towards the fit, not the pool */
    double part; /* of the target */
    size_t m;    /* leading directions */
} way;

static const struct {
    bool fit;
    double part;
} targets[] = {
    {false, 0},  {false, 0.1}, {false, 0.3}, {false, 0.6}, {false, 0.9},
    {true, 0.3}, {true, 0.5},  {true, 0.7},  {true, 0.9},
};
enum { BRIEF = 3 }; /* of targets and of numbers of directions every third one */

typedef struct sides {
    const tac_halves *h;
    const double *side[3];     /* the halves and their mean: k x m x m */
    double *pool[3], trace[3]; /* of all cells: m x m */
    double *mean, *target;     /* k x m x m; k x p x p: projectors of the fit */
    double *matrix, *bases;    /* scratch: k x m x m; 2 x k x q x m */
} sides;

/* pool_i = sum_l H_l of side i, and what is known of all rows besides. */
static void fill_pool(sides *s, int i)
{
    const size_t m = (size_t)s->h->m;

    for (size_t l = 0; l < (size_t)s->h->k; l++)
        for (size_t e = 0; e < m * m; e++) s->pool[i][e] += s->side[i][l * m * m + e];
    for (size_t a = 0; a < m; a++) {
        if (s->h->pool != NULL) s->pool[i][a * m + a] += s->h->pool_weight * s->h->pool[a];
        s->trace[i] += s->pool[i][a * m + a];
    }
    s->trace[i] = fmax(s->trace[i], 1e-9);
}

/* target_l = U_l U_l^T / q: the projector of the fit, of trace 1. */
static void fill_target(sides *s)
{
    const size_t p = (size_t)s->h->p, q = (size_t)s->h->q;

    for (size_t l = 0; l < (size_t)s->h->k; l++)
        for (size_t a = 0; a < q; a++) {
            const double *u = s->h->fit + (l * q + a) * p;
            for (size_t i = 0; i < p; i++)
                for (size_t j = 0; j < p; j++)
                    s->target[(l * p + i) * p + j] += u[i] * u[j] / (double)q;
        }
}

static tacit_status open_sides(const tac_halves *h, sides *s)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)h->k, m = (size_t)h->m, q = (size_t)h->q, p = (size_t)h->p;

    *s = (sides){.h = h};
    for (int i = 0; i < 3; i++) TAC_TRY(tac_new(h->ctx, m * m, sizeof(double), &s->pool[i]));
    TAC_TRY(tac_new(h->ctx, k * m * m, sizeof(double), &s->mean));
    TAC_TRY(tac_new(h->ctx, k * m * m, sizeof(double), &s->matrix));
    TAC_TRY(tac_new(h->ctx, k * p * p, sizeof(double), &s->target));
    TAC_TRY(tac_new(h->ctx, 2 * k * q * m, sizeof(double), &s->bases));
    for (size_t e = 0; e < k * m * m; e++) s->mean[e] = (h->half[0][e] + h->half[1][e]) / 2;
    s->side[0] = h->half[0];
    s->side[1] = h->half[1];
    s->side[2] = s->mean;
    for (int i = 0; i < 3; i++) fill_pool(s, i);
    if (h->fit != NULL) fill_target(s);
done:
    return status;
}

static void close_sides(sides *s)
{
    for (int i = 0; i < 3; i++) tac_free(s->pool[i]);
    tac_free(s->mean);
    tac_free(s->matrix);
    tac_free(s->target);
    tac_free(s->bases);
}

/* bases (k x q x w.m) from side i: (1 - part) H_l + part t_l target, t_l the trace of H_l. */
static tacit_status find(sides *s, int i, const way *w, double *bases)
{
    const size_t m = (size_t)s->h->m, p = (size_t)s->h->p, n = w->m;

    for (size_t l = 0; l < (size_t)s->h->k; l++) {
        const double *own = s->side[i] + l * m * m;
        double trace = 0;
        for (size_t a = 0; a < m; a++) trace += own[a * m + a];
        const double t = w->part * fmax(trace, LEAST_PART * s->trace[i] / s->h->k);
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++) {
                const double target = !w->fit          ? s->pool[i][a * m + b] / s->trace[i]
                                      : a < p && b < p ? s->target[(l * p + a) * p + b]
                                                       : 0;
                s->matrix[(l * n + a) * n + b] = (1 - w->part) * own[a * m + b] + t * target;
            }
    }
    return tac_kplane_top(s->h->ctx, s->matrix, s->h->k, (int32_t)n, s->h->q, bases);
}

/* Squares of the rows that a subspace of the first n directions holds: sum of u^T H u. */
static double held(const double *matrix, size_t m, const double *basis, size_t q, size_t n)
{
    double sum = 0;

    for (size_t a = 0; a < q; a++)
        for (size_t i = 0; i < n; i++) {
            double row = 0;
            for (size_t j = 0; j < n; j++) row += matrix[i * m + j] * basis[a * n + j];
            sum += basis[a * n + i] * row;
        }
    return sum;
}

/* *score: what the subspaces of either half hold of the other. gain (NULL: not wanted): of each,
   less an even spread. */
static tacit_status judge(sides *s, const way *w, double *score, double *gain)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)s->h->k, q = (size_t)s->h->q, m = (size_t)s->h->m;
    double *bases[2] = {s->bases, s->bases + k * q * m};

    *score = 0;
    for (int i = 0; i < 2; i++) TAC_TRY(find(s, i, w, bases[i]));
    for (size_t l = 0; l < k; l++) {
        double both = 0, trace = 0;
        for (int i = 0; i < 2; i++)
            both += held(s->side[1 - i] + l * m * m, m, bases[i] + l * q * w->m, q, w->m);
        for (size_t a = 0; a < m; a++)
            trace += s->side[0][l * m * m + a * m + a] + s->side[1][l * m * m + a * m + a];
        *score += both;
        if (gain == NULL) continue;
        const size_t out = s->h->constant > 0, at = out ? (size_t)s->h->constant - 1 : 0;
        for (int i = 0; i < 2 && out; i++) {
            const double up = s->side[i][l * m * m + at * m + at];
            both -= up;
            trace -= up;
        }
        gain[l] = both - trace * (double)(q - out) / (double)(m - out);
    }
done:
    return status;
}

/* The numbers of directions that are tried. */
static size_t sizes(const tac_halves *h, size_t *out)
{
    static const double times[] = {1, 1.5, 2, 3, 4, 6, 8};
    size_t count = 0;

    for (size_t i = 0; i < sizeof times / sizeof *times && h->p < h->m; i++) {
        const double wanted = round(h->p * times[i]);
        if (wanted < h->m) out[count++] = (size_t)wanted;
    }
    out[count++] = (size_t)h->m;
    return count;
}

/* Tries all targets, parts and numbers of directions; ties go to the first. */
tacit_status tac_halves_best(const tac_halves *h, double *bases)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)h->k, q = (size_t)h->q, m = (size_t)h->m;
    size_t size[8];
    const size_t count = sizes(h, size), step = h->brief ? BRIEF : 1;
    sides s;
    way best = {.m = m};
    double most = -INFINITY, score;

    TAC_TRY(open_sides(h, &s));
    for (size_t i = (count - 1) % step; i < count; i += step)
        for (size_t t = 0; t < sizeof targets / sizeof *targets; t += step) {
            const way w = {.fit = targets[t].fit, .part = targets[t].part, .m = size[i]};
            if (w.m < q || (w.fit && h->fit == NULL) || (h->k == 1 && w.part > 0)) continue;
            TAC_TRY(judge(&s, &w, &score, NULL));
            if (score > most) {
                most = score;
                best = w;
            }
        }
    TAC_TRY(judge(&s, &best, &score, h->gain));
    TAC_TRY(find(&s, 2, &best, s.bases));
    memset(bases, 0, k * q * m * sizeof *bases);
    for (size_t a = 0; a < k * q; a++)
        memcpy(bases + a * m, s.bases + a * best.m, best.m * sizeof *bases);
done:
    close_sides(&s);
    return status;
}
