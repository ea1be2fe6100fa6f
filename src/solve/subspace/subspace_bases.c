/* SPDX-License-Identifier: Apache-2.0 */
/* Bases: one that depends on the subspace alone, one from any vectors, one from nothing. */
#include "solve/subspace/subspaces.h"

#include "core/gram_schmidt.h"

#include <math.h>
#include <string.h>

/* rests within this factor of the longest count as equal: rounding must not choose */
#define TIE (1 - 1e-6)
/* a vector that loses all but this share of its length adds nothing of its own */
#define DEPENDENT 1e-10

static double dot(const double *a, const double *b, int32_t d)
{
    double sum = 0;
    for (int32_t t = 0; t < d; t++) sum += a[t] * b[t];
    return sum;
}

static void subtract(double *a, double factor, const double *b, int32_t d)
{
    for (int32_t t = 0; t < d; t++) a[t] -= factor * b[t];
}

/* Orthogonal to `count` orthonormal vectors; twice, because once loses digits. */
static void clear_of(double *v, const double *earlier, int32_t count, int32_t d)
{
    for (int pass = 0; pass < 2; pass++) tac_take_off(v, earlier, count, (size_t)d);
}

void tac_orthonormalise(double *vectors, int32_t count, int32_t d)
{
    int32_t axis = 0;

    for (int32_t i = 0; i < count; i++) {
        double *v = vectors + (size_t)i * (size_t)d;
        const double before = sqrt(dot(v, v, d));
        clear_of(v, vectors, i, d);
        double length = sqrt(dot(v, v, d));
        /* i < d, so some axis keeps a share of at least 1 / sqrt d of its length */
        while (!(length > DEPENDENT * before && length > 0) && axis < d) {
            memset(v, 0, (size_t)d * sizeof *v);
            v[axis++] = 1;
            clear_of(v, vectors, i, d);
            length = sqrt(dot(v, v, d));
            if (length * length * (d + 1) < 1) length = 0;
        }
        for (int32_t t = 0; t < d; t++) v[t] /= length > 0 ? length : 1;
    }
}

/* c_j: column j of the basis (q x d). <c_i, c_j> = P_ij, so that pivoted Gram-Schmidt on the c_j in
   q dimensions is that on P e_j in d. */
void tac_canonical_basis(double *basis, int32_t q, int32_t d, double *room)
{
    double *rest = room, *out = room + (size_t)q * (size_t)d, *u = out + (size_t)q * (size_t)d;

    for (int32_t i = 0; i < q; i++)
        for (int32_t j = 0; j < d; j++)
            rest[(size_t)j * (size_t)q + (size_t)i] = basis[(size_t)i * (size_t)d + (size_t)j];
    for (int32_t i = 0; i < q; i++) {
        double longest = 0;
        int32_t pivot = 0;
        for (int32_t j = 0; j < d; j++) {
            const double length =
                dot(rest + (size_t)j * (size_t)q, rest + (size_t)j * (size_t)q, q);
            longest = fmax(longest, length);
        }
        while (pivot < d - 1 && !(dot(rest + (size_t)pivot * (size_t)q,
                                      rest + (size_t)pivot * (size_t)q, q) >= TIE * longest))
            pivot++;
        const double scale = longest > 0 ? 1 / sqrt(dot(rest + (size_t)pivot * (size_t)q,
                                                        rest + (size_t)pivot * (size_t)q, q))
                                         : 0;
        for (int32_t t = 0; t < q; t++) u[t] = scale * rest[(size_t)pivot * (size_t)q + (size_t)t];
        for (int32_t j = 0; j < d; j++) {
            double *c = rest + (size_t)j * (size_t)q;
            subtract(c, dot(c, u, q), u, q);
        }
        double *v = out + (size_t)i * (size_t)d;
        memset(v, 0, (size_t)d * sizeof *v);
        for (int32_t t = 0; t < q; t++) subtract(v, -u[t], basis + (size_t)t * (size_t)d, d);
    }
    memcpy(basis, out, (size_t)q * (size_t)d * sizeof *basis);
    tac_orthonormalise(basis, q, d); /* takes rounding off */
}

void tac_axes_bases(int32_t k, int32_t q, int32_t d, double *bases)
{
    memset(bases, 0, (size_t)k * (size_t)q * (size_t)d * sizeof *bases);
    for (size_t v = 0; v < (size_t)k * (size_t)q; v++) bases[v * (size_t)d + v % (size_t)d] = 1;
}
