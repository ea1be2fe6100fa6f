/* SPDX-License-Identifier: Apache-2.0 */
/* Random real numbers from a stream of words. */
#include "privacy/draws/draws.h"

#include "core/gram_schmidt.h"

#include <math.h>

double tac_draw_uniform(tac_stream *stream)
{
    return ((double)(tac_word(stream) >> 12) + 0.5) * 0x1p-52;
}

/* sqrt(-2 ln u) (cos, sin)(2 pi v) */
void tac_draw_normals(tac_stream *stream, size_t count, double *out)
{
    for (size_t i = 0; i < count; i += 2) {
        const double radius = sqrt(-2 * log(tac_draw_uniform(stream))),
                     angle = 2 * M_PI * tac_draw_uniform(stream);
        out[i] = radius * cos(angle);
        if (i + 1 < count) out[i + 1] = radius * sin(angle);
    }
}

/* Marsaglia and Tsang: d v with v = (1 + c x)^3, x normal, d = shape - 1/3, accepted by
   logarithms. shape < 1: Gamma(shape + 1) U^(1 / shape). */
double tac_draw_gamma(tac_stream *stream, double shape)
{
    double x;

    if (shape == 0.5) { /* half of a square of a normal */
        tac_draw_normals(stream, 1, &x);
        return x * x / 2;
    }
    if (shape < 1)
        return tac_draw_gamma(stream, shape + 1) * pow(tac_draw_uniform(stream), 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        tac_draw_normals(stream, 1, &x);
        const double root = 1 + c * x, v = root * root * root;
        if (root > 0 && log(tac_draw_uniform(stream)) < x * x / 2 + d - d * v + d * log(v))
            return d * v;
    }
}

static double squares(const double *v, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) sum += v[i] * v[i];
    return sum;
}

/* Gram-Schmidt, two passes a vector, each normalized. A vector that loses all but 1e-12 of its
   length depended on the others. */
bool tac_orthonormal(int32_t given, int32_t q, int32_t dims, double *basis)
{
    const size_t d = (size_t)dims;

    for (int32_t r = given; r < given + q; r++) {
        double *v = basis + (size_t)r * d;
        for (int pass = 0; pass < 2; pass++) {
            const double before = squares(v, d);
            tac_take_off(v, basis, r, d);
            const double left = squares(v, d);
            if (!(left > 1e-24 * before)) return false; /* also NaN */
            const double scale = 1 / sqrt(left);
            for (size_t j = 0; j < d; j++) v[j] *= scale;
        }
    }
    return true;
}

/* Normal vectors, made orthonormal: their span is uniform. Again on the event of probability 0
   that they are dependent. */
void tac_draw_frame(tac_stream *stream, int32_t given, int32_t q, int32_t dims, double *basis)
{
    do tac_draw_normals(stream, (size_t)q * (size_t)dims, basis + (size_t)given * (size_t)dims);
    while (!tac_orthonormal(given, q, dims, basis));
}
