/* SPDX-License-Identifier: Apache-2.0 */
/* Second moments by cell against one product after the other: every path, widths and lengths at the
   edges of the blocks, few and many cells, the largest numbers. */
#include "data/kernels/cell_squares.h"
#include "core/cpu.h"
#include "dice.h"
#include "tap.h"

static uint64_t state = 5;

static void naive(const int16_t *rows, int64_t n, int32_t stride, int32_t dims,
                  const int32_t *label, uint64_t *entry)
{
    const size_t triangle = (size_t)dims * ((size_t)dims + 1) / 2;
    for (int64_t i = 0; i < n; i++) {
        uint64_t *to = entry + (size_t)label[i] * triangle;
        for (int32_t a = 0; a < dims; a++)
            for (int32_t b = a; b < dims; b++)
                *to++ += (uint64_t)((int64_t)rows[i * stride + a] * rows[i * stride + b]);
    }
}

/* Values: any, the largest, so small that their sums fit 32 bits, both in columns side by side, and
   such that sums of 512 rows are just below 2^31 or just not. */
typedef enum { ANY, LARGEST, SMALL, BOTH, BORDER, VALUES } values;

static int16_t value(values kind, int64_t column)
{
    switch (kind) {
    case LARGEST: return next() % 2 ? -32768 : 32767;
    case SMALL: return (int16_t)(next() % 2048) - 1024;
    case BOTH: return column / 16 % 2 ? (int16_t)next() : (int16_t)(next() % 64);
    case BORDER: return (int16_t)(2047 + column % 2); /* 512 2048^2 = 2^31 */
    default: return (int16_t)next();
    }
}

static bool same(int64_t n, int32_t dims, int32_t k, values kind)
{
    const int32_t stride = dims + (dims & 1);
    const size_t entries = (size_t)k * ((size_t)dims * ((size_t)dims + 1) / 2);
    int16_t *rows = malloc(((size_t)n * (size_t)stride + 1) * sizeof *rows);
    int32_t *label = malloc((size_t)n * sizeof *label);
    uint64_t *found = malloc(entries * sizeof *found), *wanted = malloc(entries * sizeof *wanted);
    void *scratch = aligned_alloc(64, (tac_cell_squares_scratch(n, dims) + 63) / 64 * 64);

    MUST(rows != NULL && label != NULL && found != NULL && wanted != NULL && scratch != NULL);
    for (int64_t i = 0; i < n * stride; i++) rows[i] = value(kind, i % stride);
    for (int64_t i = 0; i < n; i++)
        label[i] = (int32_t)(next() % (uint64_t)k) % (1 + (int32_t)(next() % (uint64_t)k));
    for (size_t i = 0; i < entries; i++) found[i] = wanted[i] = next();
    memset(scratch, 0xff, tac_cell_squares_scratch(n, dims));
    naive(rows, n, stride, dims, label, wanted);
    tac_cell_squares(rows, n, stride, dims, label, k, scratch, found);
    const bool good = memcmp(found, wanted, entries * sizeof *found) == 0;
    free(rows), free(label), free(found), free(wanted), free(scratch);
    return good;
}

int main(void)
{
    static const char *const paths[] = {"portable", "avx2", "avx512vnni"};
    static const int32_t dims[] = {1,  2,  3,  4,  5,  7,  8,  9,  12,  15, 16,
                                   17, 23, 24, 25, 31, 32, 33, 50, 101, 410};
    static const int64_t rows[] = {1, 3, 4, 5, 255, 256, 257, 511, 600};
    static const int32_t cells[] = {1, 2, 17, 1024, 1025};

    for (int p = 0; p < 3; p++) {
        int bad = 0, asked = 0;
        if (!tac_cpu_use(paths[p])) continue; /* not on this machine */
        for (size_t d = 0; d < sizeof dims / sizeof *dims; d++)
            for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
                for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
                    /* much work, no new edge */
                    if ((dims[d] > 33 && cells[k] > 17) || (dims[d] > 101 && rows[n] > 300))
                        continue;
                    bad += !same(rows[n], dims[d], cells[k], (values)(asked++ % VALUES));
                }
        /* more than one chunk */
        bad += !same(40000, 3, 5, LARGEST) + !same(33000, 2, 1, LARGEST);
        /* whole panels, of every kind of values */
        for (values kind = ANY; kind < VALUES; kind++) bad += !same(1024, 70, 1, kind);
        CHECK(bad == 0 && asked > 0,
              "%s: %d shapes give the sums of their products, exactly (%d do not)", paths[p],
              asked + 2 + VALUES, bad);
    }
    tac_cpu_use("auto");
    return tap_done();
}
