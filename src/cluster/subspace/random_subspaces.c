/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces uniformly at random, from public randomness: Gaussian vectors, orthonormalized. */
#include "cluster/subspace/subspace_run.h"
#include "core/gram_schmidt.h"

#include <math.h>

static double uniform(tac_stream *random)
{
    return ldexp((double)(tac_word(random) >> 11), -53);
}

/* v less what lies along the `count` vectors before it, twice for accuracy, of length 1; false:
   nothing is left. */
static bool orthonormal(const double *before, int32_t count, size_t dims, double *v)
{
    double length = 0;

    for (int again = 0; again < 2; again++) {
        tac_take_off(v, before, count, dims);
        length = 0;
        for (size_t j = 0; j < dims; j++) length += v[j] * v[j];
        length = sqrt(length);
        if (!(length > 1e-8)) return false;
        for (size_t j = 0; j < dims; j++) v[j] /= length;
    }
    return true;
}

/* A draw that depends on those before it is repeated. */
tacit_status tac_subspace_random(tacit_ctx *ctx, tac_stream *random, int32_t k, int32_t q,
                                 int32_t dims, double *bases)
{
    const size_t d = (size_t)dims;

    for (int32_t s = 0; s < k; s++) {
        double *first = bases + (size_t)s * (size_t)q * d;
        for (int32_t a = 0; a < q; a++) {
            double *v = first + (size_t)a * d;
            do {
                for (size_t j = 0; j < d; j++) {
                    const double r = sqrt(-2 * log1p(-uniform(random)));
                    v[j] = r * cos(2 * M_PI * uniform(random));
                }
            } while (!orthonormal(first, a, d, v));
        }
    }
    return tac_check_cancel(ctx);
}
