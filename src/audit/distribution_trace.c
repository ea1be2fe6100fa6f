/* SPDX-License-Identifier: Apache-2.0 */
/* Trace noise in the audit. Its joint density has no closed form, but along one direction u of
   length 1, u^T X u is a sum of d + 1 products of two normals, whose density is known; and the
   diagonal entries are independent. So likelihoods are those of a function of the answer: what
   they prove holds for the whole answer (post-processing). */
#include "audit/distribution.h"

#include "solve/linalg/eigen.h"

#include <math.h>

/* lgamma writes its sign into a global, and audits run on several threads. */
static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* log of |t|^v K_v(|t|), v > 0: K_v(x) = integral of exp(-x cosh y) cosh(v y) over y > 0, by a sum
   that converges faster than any power of its step. */
static double log_bessel(double v, double x)
{
    const double step = 0.125 / sqrt(1 + x);
    double most = -INFINITY, sum = 0;

    if (x < 1e-300) return (v - 1) * M_LN2 + log_gamma(v);
    for (int i = 0;; i++) {
        const double y = i * step, term = -x * cosh(y) + v * y + log1p(exp(-2 * v * y)) - M_LN2 +
                                          (i == 0 ? -M_LN2 : 0);
        if (term > most)
            sum = sum * exp(most - term) + 1, most = term;
        else
            sum += exp(term - most);
        if (term < most - 46 && x * sinh(y) > v) break;
    }
    return v * log(x) + most + log(sum * step);
}

/* f(t) = |t|^v K_v(|t|) / (sqrt(pi) 2^v Gamma(v + 1/2)), v = d / 2. */
double tac_trace_log_density(int32_t dims, double t)
{
    const double v = dims / 2.0;

    return log_bessel(v, fabs(t)) - 0.5 * log(M_PI) - v * M_LN2 - log_gamma(v + 0.5);
}

size_t tac_trace_diagonal(int32_t dims, size_t i)
{
    const size_t d = (size_t)dims, r = i % d;

    return i / d * (d * (d + 1) / 2) + r * (2 * d - r + 1) / 2;
}

/* Entries of the answer carry weights: one on the diagonal, another off it. */
static double weight(int32_t i, int32_t j)
{
    return i == j ? TAC_MOMENT_SAME : TAC_MOMENT_CROSS;
}

/* a - b of one cell as a symmetric matrix, without weights; are they all 0? */
static bool read_gap(const uint64_t *a, const uint64_t *b, int32_t d, double *out)
{
    bool none = true;

    for (int32_t i = 0; i < d; i++)
        for (int32_t j = i; j < d; j++, a++, b++) {
            out[i * d + j] = out[j * d + i] = (double)(int64_t)(*a - *b) / weight(i, j);
            none = none && *a == *b;
        }
    return none;
}

/* Room for two d x d matrices and d values. */
typedef struct room {
    double *gap, *vectors, *values;
} room;

static bool open_room(int32_t d, room *r)
{
    const size_t n = (size_t)d * (size_t)d;

    *r = (room){0};
    return tac_new(NULL, n, sizeof *r->gap, &r->gap) == TACIT_OK &&
           tac_new(NULL, n, sizeof *r->vectors, &r->vectors) == TACIT_OK &&
           tac_new(NULL, (size_t)d, sizeof *r->values, &r->values) == TACIT_OK;
}

static void close_room(room *r)
{
    tac_free(r->gap);
    tac_free(r->vectors);
    tac_free(r->values);
}

/* u^T A u, u column c of vectors, A the cell's noisy less exact answer */
static double along(const uint64_t *noisy, const uint64_t *exact, int32_t d, const double *vectors,
                    int32_t c)
{
    double sum = 0;

    for (int32_t i = 0; i < d; i++)
        for (int32_t j = i; j < d; j++, noisy++, exact++)
            sum += (i == j ? 1 : 2) * vectors[i * d + c] * vectors[j * d + c] *
                   (double)(int64_t)(*noisy - *exact) / weight(i, j);
    return sum;
}

/* Log ratio along the direction in which the two answers differ most, cell by cell. Rounding
   moves the noise by less than d / 10, and so its log density by less than d / (10 scale). */
double tac_trace_ratio(const tac_asked *q, const uint64_t *first, const uint64_t *second)
{
    const int32_t d = q->receipt.dims;
    const size_t triangle = (size_t)d * ((size_t)d + 1) / 2;
    const double scale = (double)q->receipt.scale;
    double sum = 0;
    room r;
    bool good = open_room(d, &r);

    for (size_t at = 0; good && at < q->exact_words; at += triangle) {
        int32_t most = 0;
        if (read_gap(second + at, first + at, d, r.gap)) continue;
        good = tac_top_eigen(NULL, r.gap, d, d, r.values, r.vectors) == TACIT_OK;
        if (fabs(r.values[d - 1]) > fabs(r.values[0])) most = d - 1;
        sum +=
            tac_trace_log_density(d,
                                  along(q->noisy + at, second + at, d, r.vectors, most) / scale) -
            tac_trace_log_density(d, along(q->noisy + at, first + at, d, r.vectors, most) / scale);
    }
    close_room(&r);
    return good ? sum : NAN;
}

/* The trace norm of the change, summed over cells, at most the sensitivity. */
bool tac_trace_within(const tac_asked *q, const uint64_t *a, const uint64_t *b)
{
    const int32_t d = q->receipt.dims;
    const size_t triangle = (size_t)d * ((size_t)d + 1) / 2;
    double sum = 0;
    room r;
    bool good = open_room(d, &r);

    for (size_t at = 0; good && at < q->exact_words; at += triangle) {
        if (read_gap(a + at, b + at, d, r.gap)) continue;
        good = tac_top_eigen(NULL, r.gap, d, d, r.values, r.vectors) == TACIT_OK;
        for (int32_t i = 0; i < d; i++) sum += fabs(r.values[i]);
    }
    close_room(&r);
    return good && sum <= (double)q->receipt.sensitivity * (1 + 1e-9);
}
