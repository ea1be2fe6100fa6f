/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of an array as doubles; values that are not finite become NaN. */
#include <math.h>
#include <string.h>

#include "core/cpu.h"
#include "data/readers/array_rows.h"

/* x - x is 0 for finite x and NaN for all others. */
INLINE double finite_or_nan(double x)
{
    return x - x == 0 ? x : (double)NAN;
}

#define KERNEL "data/readers/array_convert_path.h"
#include "core/each_path.h"

typedef void (*kernel)(const char *, size_t, double *);
static const kernel widen_f64[] = {PATHS(widen_f64)};
static const kernel widen_f32[] = {PATHS(widen_f32)};
static const kernel widen_u8[] = {PATHS(widen_u8)};

void tac_array_convert(tacit_type type, const char *from, size_t apart, size_t count, double *to,
                       size_t step)
{
/* memcpy because a file's header or a caller's slice may leave elements unaligned. */
#define EACH(T, distance, stride, expression)                                                      \
    do {                                                                                           \
        for (size_t i = 0; i < count; i++) {                                                       \
            T x;                                                                                   \
            memcpy(&x, from + i * (distance), sizeof x);                                           \
            to[i * (stride)] = (expression);                                                       \
        }                                                                                          \
        return;                                                                                    \
    } while (0)
    /* The plain cases come first: values one after the other, of the usual types. */
    const kernel *plain = type == TACIT_F64   ? widen_f64
                          : type == TACIT_F32 ? widen_f32
                          : type == TACIT_U8  ? widen_u8
                                              : NULL;
    if (plain != NULL && apart == tac_type_size(type) && step == 1) {
        plain[tac_cpu()](from, count, to);
        return;
    }
    switch ((int)type) {
    case TACIT_F64: EACH(double, apart, step, finite_or_nan(x));
    case TACIT_F32: EACH(float, apart, step, finite_or_nan((double)x));
    case TACIT_I8: EACH(int8_t, apart, step, (double)x);
    case TACIT_U8: EACH(uint8_t, apart, step, (double)x);
    case TACIT_I16: EACH(int16_t, apart, step, (double)x);
    case TACIT_U16: EACH(uint16_t, apart, step, (double)x);
    case TACIT_I32: EACH(int32_t, apart, step, (double)x);
    case TACIT_U32: EACH(uint32_t, apart, step, (double)x);
    case TACIT_I64: EACH(int64_t, apart, step, (double)x);
    case TACIT_U64: EACH(uint64_t, apart, step, (double)x);
    default: EACH(uint8_t, apart, step, (double)(x != 0));
    }
#undef EACH
}
