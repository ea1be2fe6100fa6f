/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of array_convert.c, for core/each_path.h: elements one after the other as doubles.
   Compilers vectorize them; memcpy because elements need not be aligned. */

TARGET static void PATH(widen_f64)(const char *from, size_t count, double *restrict to)
{
    for (size_t i = 0; i < count; i++) {
        double x;
        memcpy(&x, from + 8 * i, sizeof x);
        to[i] = finite_or_nan(x);
    }
}

TARGET static void PATH(widen_f32)(const char *from, size_t count, double *restrict to)
{
    for (size_t i = 0; i < count; i++) {
        float x;
        memcpy(&x, from + 4 * i, sizeof x);
        to[i] = finite_or_nan((double)x);
    }
}

TARGET static void PATH(widen_u8)(const char *from, size_t count, double *restrict to)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t x;
        memcpy(&x, from + i, sizeof x);
        to[i] = (double)(int32_t)x;
    }
}
