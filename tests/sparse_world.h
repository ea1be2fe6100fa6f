/* SPDX-License-Identifier: Apache-2.0 */
/* Random sparse rows for tests: as CSR and, the same rows, dense. */
#ifndef TAC_TEST_SPARSE_WORLD_H
#define TAC_TEST_SPARSE_WORLD_H

#include "data/dataset/dataset.h"
#include "dice.h"
#include "tap.h"

#include <math.h>

static uint64_t state = 20260701;

typedef struct sparse_world {
    int64_t rows, entries;
    int32_t columns;
    int64_t *start;
    int32_t *column;
    double *value;
    double *dense; /* rows x columns; absent and missing are 0; NULL when not wanted */
} sparse_world;

/* Values chosen to hurt now and then: zero of either sign, missing, far outside. */
__attribute__((unused)) static double some_value(bool nasty)
{
    static const double list[] = {0.0, -0.0, 1, -1, 1e300, -1e300, 0.5, 1e-300, 3};
    const uint64_t pick = nasty ? next() % 24 : 99;
    return pick < 9     ? list[pick]
           : pick == 9  ? (double)NAN
           : pick == 10 ? (double)INFINITY
                        : 2 * uniform() - 1;
}

/* Up to `most` entries a row, columns in no order and each at most once. Every seventh row is
   empty. */
__attribute__((unused)) static sparse_world make_world(int64_t rows, int32_t columns, int32_t most,
                                                       bool nasty, bool dense)
{
    sparse_world w = {.rows = rows, .columns = columns};

    w.start = calloc((size_t)rows + 1, sizeof *w.start);
    w.column = calloc((size_t)(rows * most) + 1, sizeof *w.column);
    w.value = calloc((size_t)(rows * most) + 1, sizeof *w.value);
    if (dense) w.dense = calloc((size_t)rows * (size_t)columns + 1, sizeof *w.dense);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t wanted = i % 7 == 3 ? 0 : 1 + (int64_t)(next() % (uint64_t)most),
                      from = w.entries;
        while (w.entries < from + wanted) {
            const int32_t j = (int32_t)(next() % (uint64_t)columns);
            bool seen = false;
            for (int64_t e = from; e < w.entries; e++) seen = seen || w.column[e] == j;
            if (seen) continue;
            const double v = some_value(nasty);
            w.column[w.entries] = j;
            w.value[w.entries++] = v;
            if (dense && isfinite(v)) w.dense[i * columns + j] = v;
        }
        w.start[i + 1] = w.entries;
    }
    return w;
}

__attribute__((unused)) static void clear_world(sparse_world *w)
{
    free(w->start);
    free(w->column);
    free(w->value);
    free(w->dense);
}

#endif
