/* SPDX-License-Identifier: Apache-2.0 */
/* |M - sum_l Sym(S_l (x) S_l)|^2 - |M|^2 and its gradient, S_l = F_l F_l^T + c_l^2 I, by
     <Sym(A (x) A), B (x) B> = (<A, B>^2 + 2 tr(ABAB)) / 3.
   Only M[S_l] meets the tensor; all else is a matter of the q x q blocks C_lm = F_l^T F_m. */
#include "solve/subspace/fourth_fit.h"

#include <math.h>
#include <string.h>

#include "core/cpu.h"

enum { LANES = 4, ROWS = 4 };

void tac_fourth_close(tac_fourth_state *t)
{
    tac_free(t->matrix);
    tac_free(t->s);
    tac_free(t->ms);
    tac_free(t->gram);
    tac_free(t->mix);
    tac_free(t->small);
    *t = (tac_fourth_state){0};
}

/* Where the pair i <= j stands in an upper triangle. */
static size_t place(size_t p, size_t i, size_t j)
{
    return i * p - i * (i + 1) / 2 + j;
}

static void put(tac_fourth_state *t, size_t i, size_t j, size_t k, size_t l, double entry)
{
    const size_t p = (size_t)t->p, a = place(p, i, j), b = place(p, k, l);
    const double value = entry * (i == j ? 1 : M_SQRT2) * (k == l ? 1 : M_SQRT2);
    t->matrix[a * t->pairs + b] = t->matrix[b * t->pairs + a] = value;
}

/* Every entry stands at its three pairings. */
static void unfold(tac_fourth_state *t, const double *tensor, double scale)
{
    const size_t p = (size_t)t->p;

    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++)
            for (size_t k = j; k < p; k++)
                for (size_t l = k; l < p; l++) {
                    const double entry = *tensor++ * scale;
                    put(t, i, j, k, l, entry);
                    put(t, i, k, j, l, entry);
                    put(t, i, l, j, k, entry);
                }
}

/* Unfolds the tensor times `scale` to a pairs x pairs matrix. The caller closes *out. */
tacit_status tac_fourth_open(tacit_ctx *ctx, const double *tensor, double scale,
                             const tac_fourth_fit *opts, tac_fourth_state *out)
{
    tacit_status status = TACIT_OK;
    const size_t p = (size_t)opts->p, k = (size_t)opts->k, q = (size_t)opts->q, kq = k * q;
    tac_fourth_state t = {.p = opts->p,
                          .k = opts->k,
                          .q = opts->q,
                          .constant = opts->constant,
                          .lanes = (opts->k + LANES - 1) / LANES * LANES,
                          .pairs = p * (p + 1) / 2};

    TAC_TRY(tac_new(ctx, t.pairs * t.pairs, sizeof(double), &t.matrix));
    TAC_TRY(tac_new(ctx, t.pairs * (size_t)t.lanes, sizeof(double), &t.s));
    TAC_TRY(tac_new(ctx, t.pairs * (size_t)t.lanes, sizeof(double), &t.ms));
    TAC_TRY(tac_new(ctx, kq * kq, sizeof(double), &t.gram));
    TAC_TRY(tac_new(ctx, kq * kq, sizeof(double), &t.mix));
    TAC_TRY(tac_new(ctx, 3 * q * q + 4 * k + k * k, sizeof(double), &t.small));
    unfold(&t, tensor, scale);
    *out = t;
    t = (tac_fourth_state){0};
done:
    tac_fourth_close(&t);
    return status;
}

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

/* to = matrix x from for 4 or 8 lanes and ROWS rows at a time; each sum is one chain of additions
   in the order of the columns. */
INLINE void multiply_lanes(const double *matrix, size_t n, const double *from, size_t lanes,
                           size_t wide, size_t rows, double *to)
{
    four sum[ROWS][2] = {{{0}}};

    for (size_t j = 0; j < n; j++)
        for (size_t w = 0; w < wide; w++) {
            const four v = *(const four *)(from + j * lanes + LANES * w);
            for (size_t r = 0; r < rows; r++) sum[r][w] += matrix[r * n + j] * v;
        }
    for (size_t r = 0; r < rows; r++)
        for (size_t w = 0; w < wide; w++) *(four *)(to + r * lanes + LANES * w) = sum[r][w];
}

/* The same for all rows and lanes, with numbers of them that the compiler knows. */
INLINE void multiply(const double *matrix, size_t n, const double *from, size_t lanes, double *to)
{
    size_t i = 0;

    for (; i + ROWS <= n; i += ROWS) {
        size_t l = 0;
        for (; l + 2 * LANES <= lanes; l += 2 * LANES)
            multiply_lanes(matrix + i * n, n, from + l, lanes, 2, ROWS, to + i * lanes + l);
        if (l < lanes)
            multiply_lanes(matrix + i * n, n, from + l, lanes, 1, ROWS, to + i * lanes + l);
    }
    for (; i < n; i++)
        for (size_t l = 0; l < lanes; l += LANES)
            multiply_lanes(matrix + i * n, n, from + l, lanes, 1, 1, to + i * lanes + l);
}

/* s_l = the coordinates of F_l F_l^T + c_l^2 I. */
INLINE void fill_s(tac_fourth_state *t, const double *x)
{
    const size_t p = (size_t)t->p, k = (size_t)t->k, q = (size_t)t->q, kq = k * q,
                 lanes = (size_t)t->lanes;
    const double *c = x + p * kq;
    double *s = t->s;

    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++, s += lanes)
            for (size_t l = 0; l < k; l++) {
                const double *a = x + i * kq + l * q, *b = x + j * kq + l * q;
                double sum = 0;
                for (size_t r = 0; r < q; r++) sum += a[r] * b[r];
                s[l] = i == j ? sum + c[l] * c[l] : M_SQRT2 * sum;
            }
}

/* gram = X^T X */
INLINE void fill_gram(const double *x, size_t p, size_t kq, double *gram)
{
    memset(gram, 0, kq * kq * sizeof *gram);
    for (size_t i = 0; i < p; i++)
        for (size_t a = 0; a < kq; a++) {
            const double v = x[i * kq + a];
            for (size_t b = 0; b < kq; b++) gram[a * kq + b] += v * x[i * kq + b];
        }
}

/* out = A B, q x q blocks with rows of their own length. */
INLINE void block(const double *a, size_t row_a, const double *b, size_t row_b, size_t q,
                  double *restrict out)
{
    memset(out, 0, q * q * sizeof *out);
    for (size_t i = 0; i < q; i++)
        for (size_t r = 0; r < q; r++) {
            const double v = a[i * row_a + r];
            for (size_t j = 0; j < q; j++) out[i * q + j] += v * b[r * row_b + j];
        }
}

INLINE double trace_product(const double *a, size_t row_a, const double *b, size_t row_b, size_t q)
{
    double sum[2] = {0};
    for (size_t i = 0; i < q; i++)
        for (size_t j = 0; j < q; j++) sum[j % 2] += a[i * row_a + j] * b[i * row_b + j];
    return sum[0] + sum[1];
}

/* What the pair (l, m) adds: returns its part of the value; mix gets the block W_ml by which F_m,
   and the one by which F_l enters the gradient of F_l (both still to be doubled); *trace its part
   of tr G_l. With A = F_l F_l^T, B = F_m F_m^T, a = c_l^2, b = c_m^2, C = C_ml = F_m^T F_l, K = F^T
   F, N = C^T C:
     <S_l, S_m> = tr AB + b tr A + a tr B + ab p
     S_m S_l S_m F_l = F_m (C (N + b K_l) + a K_m C + 2ab C) + F_l (b N + b^2 K_l + a b^2 I) */
INLINE double pair(tac_fourth_state *t, size_t l, size_t m, const double *c, double *trace)
{
    const size_t p = (size_t)t->p, q = (size_t)t->q, kq = (size_t)t->k * q, qq = q * q;
    const double a = c[l] * c[l], b = c[m] * c[m], dims = (double)p;
    const double *cml = t->gram + m * q * kq + l * q, *clm = t->gram + l * q * kq + m * q;
    const double *kl = t->gram + l * q * kq + l * q, *km = t->gram + m * q * kq + m * q;
    double *n = t->small, *u = n + qq, *v = u + qq;
    double *to_m = t->mix + m * q * kq + l * q, *to_l = t->mix + l * q * kq + l * q;
    double tr_a = 0, tr_b = 0;

    for (size_t i = 0; i < q; i++) {
        tr_a += kl[i * kq + i];
        tr_b += km[i * kq + i];
    }
    block(clm, kq, cml, kq, q, n);
    block(km, kq, cml, kq, q, v); /* K_m C */
    const double ab = trace_product(cml, kq, cml, kq, q), aa = trace_product(kl, kq, kl, kq, q),
                 bb = trace_product(km, kq, km, kq, q);
    const double aab = trace_product(kl, kq, n, q, q), abb = trace_product(v, q, cml, kq, q),
                 abab = trace_product(n, q, n, q, q);
    const double h = ab + b * tr_a + a * tr_b + a * b * dims;
    const double quad = abab + 2 * b * aab + 2 * a * abb + 4 * a * b * ab + b * b * aa +
                        a * a * bb + 2 * a * b * b * tr_a + 2 * a * a * b * tr_b +
                        a * a * b * b * dims;
    /* tr S_m^2 S_l */
    const double cube =
        abb + a * bb + 2 * b * ab + 2 * a * b * tr_b + b * b * tr_a + a * b * b * dims;

    *trace += 4.0 / 3 * (h * (tr_b + dims * b) + 2 * cube);
    for (size_t i = 0; i < q; i++)
        for (size_t j = 0; j < q; j++) {
            const double kept = b * (n[i * q + j] + b * kl[i * kq + j] + (i == j ? a * b : 0));
            to_l[i * kq + j] += 4.0 / 3 * (2 * kept + (i == j ? h * b : 0));
            n[i * q + j] += b * kl[i * kq + j];
        }
    block(cml, kq, n, q, q, u);
    for (size_t i = 0; i < q; i++)
        for (size_t j = 0; j < q; j++)
            to_m[i * kq + j] +=
                4.0 / 3 *
                ((h + 4 * a * b) * cml[i * kq + j] + 2 * (u[i * q + j] + a * v[i * q + j]));
    return (h * h + 2 * quad) / 3;
}

/* gradient += 2 X mix */
INLINE void add_mixed(const double *x, const double *mix, size_t p, size_t kq, double *gradient)
{
    for (size_t i = 0; i < p; i++)
        for (size_t a = 0; a < kq; a++) {
            const double v = 2 * x[i * kq + a];
            for (size_t b = 0; b < kq; b++) gradient[i * kq + b] += v * mix[a * kq + b];
        }
}

/* gradient of F_l -= 8 M[S_l] F_l; trace_l -= 4 tr M[S_l]; returns -2 sum <M[S_l], S_l>. */
INLINE double meet_tensor(const tac_fourth_state *t, const double *x, double *gradient,
                          double *trace)
{
    const size_t k = (size_t)t->k, q = (size_t)t->q, kq = k * q, lanes = (size_t)t->lanes;
    const double *s = t->s, *ms = t->ms;
    double value = 0;

    for (size_t i = 0; i < (size_t)t->p; i++)
        for (size_t j = i; j < (size_t)t->p; j++, s += lanes, ms += lanes)
            for (size_t l = 0; l < k; l++) {
                const double g = -8 * ms[l] / (i == j ? 1 : M_SQRT2);
                const double *fi = x + i * kq + l * q, *fj = x + j * kq + l * q;
                double *gi = gradient + i * kq + l * q, *gj = gradient + j * kq + l * q;
                value -= 2 * ms[l] * s[l];
                for (size_t r = 0; r < q; r++) gi[r] += g * fj[r];
                if (i == j)
                    trace[l] -= 4 * ms[l];
                else
                    for (size_t r = 0; r < q; r++) gj[r] += g * fi[r];
            }
    return value;
}

/* ridge |K_l - tr K_l / q I|^2: 4 ridge (K_l - ...) to the gradient, half of it to mix. A point is
   no direction. */
INLINE double pull_even(tac_fourth_state *t, size_t l)
{
    const size_t kq = (size_t)t->k * (size_t)t->q, first = l * (size_t)t->q,
                 q = (size_t)t->q - (t->constant > 0 && t->q > 1);
    const double *k = t->gram + first * kq + first;
    double *mix = t->mix + first * kq + first, mean = 0, squares = 0;

    for (size_t i = 0; i < q; i++) mean += k[i * kq + i] / (double)q;
    for (size_t i = 0; i < q; i++)
        for (size_t j = 0; j < q; j++) {
            const double off = k[i * kq + j] - (i == j ? mean : 0);
            squares += off * off;
            mix[i * kq + j] += 2 * t->ridge * off;
        }
    return t->ridge * squares;
}

/* even sum_l (tr K_l - mean)^2, to mix as above. */
INLINE double pull_equal(tac_fourth_state *t)
{
    const size_t k = (size_t)t->k, q = (size_t)t->q, kq = k * q;
    double *strength = t->small + 3 * q * q + k, mean = 0, squares = 0;

    for (size_t l = 0; l < k; l++) {
        strength[l] = 0;
        for (size_t i = l * q; i < (l + 1) * q; i++) strength[l] += t->gram[i * kq + i];
        mean += strength[l] / (double)k;
    }
    for (size_t l = 0; l < k; l++) {
        squares += (strength[l] - mean) * (strength[l] - mean);
        for (size_t i = l * q; i < (l + 1) * q; i++)
            t->mix[i * kq + i] += 2 * t->even * (strength[l] - mean);
    }
    return t->even * squares;
}

/* s_l = the coordinates of v_l v_l^T, v_l the last column of F_l; returns sum <M[s_l], s_l>. */
INLINE double fill_points(tac_fourth_state *t, const double *x)
{
    const size_t p = (size_t)t->p, k = (size_t)t->k, q = (size_t)t->q, kq = k * q,
                 lanes = (size_t)t->lanes;
    double *s = t->s, met = 0;

    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++, s += lanes)
            for (size_t l = 0; l < k; l++) {
                const size_t at = l * q + q - 1;
                s[l] = (i == j ? 1 : M_SQRT2) * x[i * kq + at] * x[j * kq + at];
            }
    multiply(t->matrix, t->pairs, t->s, lanes, t->ms);
    for (size_t e = 0; e < t->pairs; e++)
        for (size_t l = 0; l < k; l++) met += t->s[e * lanes + l] * t->ms[e * lanes + l];
    return met;
}

/* Affine subspaces: the constant coordinate has no spread, so that with v_l the point of subspace l
   the fourth moments are Sym(S_l (x) S_l) - u v_l^4. With N = sum v_l^4 the value grows by
     -2 u (<sum Sym(S_m (x) S_m), N> - <M, N>) + u^2 |N|^2,
   a_lm = v_l^T S_m v_l: <Sym(S_m (x) S_m), v_l^4> = a_lm^2, and the best u between 0 and 1 is
   taken: 2/3 for rows like a bell. To gradient and mix as above. */
INLINE double meet_points(tac_fourth_state *t, const double *x, double *gradient, double *trace)
{
    const size_t k = (size_t)t->k, q = (size_t)t->q, kq = k * q, lanes = (size_t)t->lanes;
    const double *c = x + (size_t)t->p * kq, met = fill_points(t, x);
    double *a = t->small + 3 * q * q + 4 * k, top = -met, all = 0;

    for (size_t l = 0; l < k; l++)
        for (size_t m = 0; m < k; m++) {
            const double *g = t->gram + (l * q + q - 1) * kq, same = g[m * q + q - 1];
            a[l * k + m] = c[m] * c[m] * g[l * q + q - 1];
            for (size_t r = m * q; r < (m + 1) * q; r++) a[l * k + m] += g[r] * g[r];
            top += a[l * k + m] * a[l * k + m];
            all += same * same * same * same;
        }
    const double u = all > 0 ? fmin(1, fmax(0, top / all)) : 0;
    for (size_t l = 0; l < k; l++)
        for (size_t m = 0; m < k; m++) {
            const size_t v = l * q + q - 1, w = m * q + q - 1;
            const double *g = t->gram + v * kq, part = -4 * u * a[l * k + m];
            for (size_t r = m * q; r < (m + 1) * q; r++) {
                t->mix[r * kq + v] += part * g[r];
                t->mix[v * kq + r] += part * g[r];
            }
            t->mix[v * kq + v] += part * c[m] * c[m];
            t->mix[w * kq + v] += 4 * u * u * g[w] * g[w] * g[w];
            trace[m] += part * g[v];
        }
    const double *ms = t->ms;
    for (size_t i = 0; i < (size_t)t->p; i++)
        for (size_t j = i; j < (size_t)t->p; j++, ms += lanes)
            for (size_t l = 0; l < k; l++) {
                const size_t v = l * q + q - 1;
                const double part = 8 * u * ms[l] / (i == j ? 1 : M_SQRT2);
                gradient[i * kq + v] += part * x[j * kq + v];
                if (i != j) gradient[j * kq + v] += part * x[i * kq + v];
            }
    return u * (u * all - 2 * top);
}

/* Directions keep out of the constant coordinate: they start without it. */
INLINE void keep_out(const tac_fourth_state *t, double *gradient)
{
    const size_t q = (size_t)t->q, kq = (size_t)t->k * q;
    double *row = gradient + (size_t)(t->constant - 1) * kq;

    for (size_t a = 0; a < kq; a++)
        if (a % q != q - 1) row[a] = 0;
}

#define KERNEL "solve/subspace/fourth_objective_path.h"
#include "core/each_path.h"

static double (*const objective[])(tac_fourth_state *t, const double *x,
                                   double *gradient) = {PATHS(objective)};

double tac_fourth_objective(void *state, const double *x, double *gradient)
{
    return objective[tac_cpu()](state, x, gradient);
}
