/* SPDX-License-Identifier: Apache-2.0 */
/* P(z_i = l) ~ exp(|U_l^T x_i|^2), eight rows side by side. The same bits from every instruction set: no fused operations,
   one order. */
#include "data/nearest_inside.h"
#include "privacy/draws/gibbs.h"

#include <math.h>
#include <string.h>

typedef double vec __attribute__((vector_size(64)));
typedef int64_t ints __attribute__((vector_size(64)));
typedef double quad __attribute__((vector_size(32)));

#define INLINE __attribute__((always_inline)) static inline
/* Rows that change by ones cost so many times as much as rows that are all summed up again. */
enum { FEW = 4 };

#define ALL(x) ((vec){x, x, x, x, x, x, x, x})
#define ALL_INTS(x) ((ints){x, x, x, x, x, x, x, x})

/* *inout = the larger of both, number by number */
INLINE void larger(vec *inout, const vec *other)
{
    const ints up = *other > *inout;
    *inout = (vec)(((ints)*other & up) | ((ints)*inout & ~up));
}

/* exp(x) for -700 <= x <= 0, to about 2^-51: x = n ln 2 + r, Taylor's polynomial on |r| <= ln 2 / 2, n into the exponent. */
INLINE void exp_of(vec *inout)
{
    const vec x = *inout, magic = ALL(0x1.8p52), t = x * ALL(M_LOG2E) + magic, n = t - magic;
    const vec r = (x - n * ALL(0x1.62e42fee00000p-1)) - n * ALL(0x1.a39ef35793c76p-33);
    static const double factor[] = {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                                    1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5,         1, 1};
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

/* moment[from] -= x x^T, moment[to] += x x^T: rows of the upper triangle, from the vector in which the diagonal lies. */
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

/* Few labels that changed: their rows move. */
INLINE void move_changed(tac_chain *s, int64_t changed)
{
    for (int64_t c = 0; c < changed; c++)
        move(s, s->row + (size_t)s->changed[c].row * (size_t)s->wide, s->changed[c].from, s->label[s->changed[c].row]);
}

INLINE void assign(tac_chain *s, tac_stream *stream)
{
    const int32_t k = s->k, q = s->q, d = s->dims;
    const vec least = ALL(-700);
    vec *weight = (vec *)(void *)s->weight;
    int64_t changed = 0;

    for (int64_t g = 0; g < s->groups; g++) {
        const double *x = s->group + g * d * TAC_GIBBS_LANES;
        _Alignas(64) uint64_t word[TAC_GIBBS_LANES];
        _Alignas(64) int64_t chosen[TAC_GIBBS_LANES];
        int32_t *label = s->label + g * TAC_GIBBS_LANES;
        vec most = {0}, sum = {0}, running = {0};
        ints z = {0}, bits;
        for (int i = 0; i < TAC_GIBBS_LANES; i++) word[i] = tac_word(stream);
        for (int32_t l = 0; l < k; l++) {
            held(x, s->basis + (size_t)l * (size_t)q * (size_t)d, q, d, &weight[l]);
            larger(&most, &weight[l]);
        }
        for (int32_t l = 0; l < k; l++) {
            weight[l] -= most;
            larger(&weight[l], &least);
            exp_of(&weight[l]);
            sum += weight[l];
        }
        memcpy(&bits, word, sizeof bits); /* 52 bits, in [1, 2): less 1 and half a step more, in (0, 1) */
        bits = (ints)((ints)((bits >> 12) & ALL_INTS(INT64_C(0xFFFFFFFFFFFFF))) | ALL_INTS(INT64_C(0x3FF0000000000000)));
        const vec at = ((vec)bits - ALL(1 - 0x1p-53)) * sum;
        for (int32_t l = 0; l < k - 1; l++) {
            running += weight[l];
            z -= (ints)(running <= at);
        }
        memcpy(chosen, &z, sizeof chosen);
        for (int i = 0; i < TAC_GIBBS_LANES; i++) {
            const int32_t to = (int32_t)chosen[i];
            s->changed[changed] = (tac_changed){g * TAC_GIBBS_LANES + i, label[i]};
            changed += to != label[i];
            label[i] = to;
        }
    }
    if (changed > s->rows / FEW)
        tac_chain_collect(s);
    else
        move_changed(s, changed);
}

static void assign_portable(tac_chain *s, tac_stream *stream)
{
    assign(s, stream);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void assign_avx2(tac_chain *s, tac_stream *stream)
{
    assign(s, stream);
}

__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))) static void assign_avx512(tac_chain *s, tac_stream *stream)
{
    assign(s, stream);
}
#endif

void tac_gibbs_assign(tac_chain *chain, tac_stream *stream)
{
#if defined(__x86_64__)
    const int level = tac_nearest_level();
    (level >= 2 ? assign_avx512 : level == 1 ? assign_avx2 : assign_portable)(chain, stream);
#else
    assign_portable(chain, stream);
#endif
}
