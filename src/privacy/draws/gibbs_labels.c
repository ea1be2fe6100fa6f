/* SPDX-License-Identifier: Apache-2.0 */
/* P(z_i = l) proportional to exp(|U_l^T x_i|^2), eight rows side by side. The same bits from
   every instruction set: no fused operations, one order. */
#include "core/cpu.h"
#include "privacy/draws/gibbs.h"

#include <math.h>
#include <string.h>

typedef double vec __attribute__((vector_size(64)));
typedef int64_t ints __attribute__((vector_size(64)));
typedef double quad __attribute__((vector_size(32)));

/* Moving one row between moments costs this many times its share of summing all rows up again. */
enum { FEW = 4 };

#define ALL(x) ((vec){x, x, x, x, x, x, x, x})
#define ALL_INTS(x) ((ints){x, x, x, x, x, x, x, x})

/* *inout = the larger of both, number by number */
INLINE void larger(vec *inout, const vec *other)
{
    const ints up = *other > *inout;
    *inout = (vec)(((ints)*other & up) | ((ints)*inout & ~up));
}

/* exp(x) for -700 <= x <= 0, to about 2^-51: x = n ln 2 + r, Taylor's polynomial on |r| <= ln 2 /
   2, n into the exponent. */
INLINE void exp_of(vec *inout)
{
    const vec x = *inout, magic = ALL(0x1.8p52), t = x * ALL(M_LOG2E) + magic, n = t - magic;
    const vec r = (x - n * ALL(0x1.62e42fee00000p-1)) - n * ALL(0x1.a39ef35793c76p-33);
    static const double factor[] = {1.0 / 479001600,
                                    1.0 / 39916800,
                                    1.0 / 3628800,
                                    1.0 / 362880,
                                    1.0 / 40320,
                                    1.0 / 5040,
                                    1.0 / 720,
                                    1.0 / 120,
                                    1.0 / 24,
                                    1.0 / 6,
                                    0.5,
                                    1,
                                    1};
    vec p = ALL(factor[0]);
#pragma GCC unroll 12
    for (int i = 1; i <= 12; i++) p = p * r + ALL(factor[i]);
    *inout = (vec)((ints)p + ((ints)t << 52));
}

/* |U^T x|^2 of one subspace: three vectors at a time share the loads of x. */
INLINE void held(const double *restrict x, const double *restrict u, int32_t q, int32_t d, vec *out)
{
    vec sum = {0};
    int32_t r = 0;

    for (; r + 2 < q; r += 3, u += 3 * (ptrdiff_t)d) {
        vec a = {0}, b = {0}, c = {0};
        for (int32_t j = 0; j < d; j++) {
            vec at;
            memcpy(&at, x + (ptrdiff_t)j * TAC_GIBBS_LANES, sizeof at);
            a += at * ALL(u[j]);
            b += at * ALL(u[d + j]);
            c += at * ALL(u[2 * d + j]);
        }
        sum += a * a + b * b + c * c;
    }
    for (; r < q; r++, u += d) {
        vec a = {0};
        for (int32_t j = 0; j < d; j++) {
            vec at;
            memcpy(&at, x + (ptrdiff_t)j * TAC_GIBBS_LANES, sizeof at);
            a += at * ALL(u[j]);
        }
        sum += a * a;
    }
    *out = sum;
}

/* moment[from] -= x x^T, moment[to] += x x^T: rows of the upper triangle, from the vector in which
   the diagonal lies. */
INLINE void move(tac_chain *s, const double *restrict x, int32_t from, int32_t to)
{
    const int32_t d = s->dims, wide = s->wide;
    double *restrict minus = s->moment + (size_t)from * (size_t)d * (size_t)wide;
    double *restrict plus = s->moment + (size_t)to * (size_t)d * (size_t)wide;

    for (int32_t i = 0; i < d; i++, minus += wide, plus += wide)
        for (int32_t j = i / 4 * 4; j < wide; j += 4) {
            quad at, a, b;
            memcpy(&at, x + j, sizeof at);
            memcpy(&a, minus + j, sizeof a);
            memcpy(&b, plus + j, sizeof b);
            at *= (quad){x[i], x[i], x[i], x[i]};
            a -= at;
            b += at;
            memcpy(minus + j, &a, sizeof a);
            memcpy(plus + j, &b, sizeof b);
        }
}

/* Moments after few labels have changed: only their rows move. */
INLINE void move_changed(tac_chain *s, int64_t changed)
{
    for (int64_t c = 0; c < changed; c++)
        move(s, s->row + (size_t)s->changed[c].row * (size_t)s->wide, s->changed[c].from,
             s->label[s->changed[c].row]);
}

#define KERNEL "privacy/draws/gibbs_labels_path.h"
#include "core/each_path.h"

static void (*const assign[])(tac_chain *, tac_stream *) = {PATHS(assign)};

void tac_gibbs_assign(tac_chain *chain, tac_stream *stream)
{
    assign[tac_cpu()](chain, stream);
}
