/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of neighboring data sets chosen to hurt, for the tests that replay every method. Most are
   small: a few rows in a few columns, because what a method does wrong with one unit it does with a
   hundred others about or without them, and shows most when the unit is alone. What needs size
   comes in a share of the pairs: one in LARGE has up to 260 rows, 24 columns and k 8 (kernels work
   on whole vectors and tiles, and have tails), one in THREADED has other threads on one side. Every
   pair is a function of its number, so one that fails can be made again. */
#ifndef TAC_TEST_REPLAY_WORLD_H
#define TAC_TEST_REPLAY_WORLD_H

#include <math.h>

#include "data/dataset/dataset.h"
#include "tap.h"

enum {
    MOST_ROWS = 272,
    MOST_DIMS = 24,
    WIDE = TAC_WIDE + 80,
    MOST_OWNED = 3,
    MOST_EXTRA = 5,
    PER_ROW = 5
};
enum { LARGE = 24, THREADED = 8 };

typedef struct world {
    int32_t dims, k, owned; /* owned: rows a unit may own; 0: rows are units */
    tacit_neighbors neighbors;
    double epsilon;
    /* lots for the options that a family leaves to them; 0: as they start */
    uint32_t options;
    bool ball, sparse, large;
    int threads[2]; /* what a run on a side works with: never to be seen in what it says */
    int64_t block_bytes[2];
    int64_t rows[2];
    double value[2][MOST_ROWS * MOST_DIMS]; /* sparse: PER_ROW numbers a row at most */
    int32_t column[2][MOST_ROWS * PER_ROW];
    int64_t start[2][MOST_ROWS + 1];
    int64_t unit[2][MOST_ROWS];
} world;

static uint64_t state;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int64_t below(int64_t n)
{
    return (int64_t)(next() % (uint64_t)n);
}

/* Pair number `pair` of stream `stream` from here on, whatever was drawn before. */
static void start_pair(uint64_t stream, uint64_t pair)
{
    state = (stream * UINT64_C(0x9e3779b97f4a7c15) + pair + 1) * UINT64_C(0xbf58476d1ce4e5b9);
    state ^= state >> 29;
    if (state == 0) state = 1;
    for (int i = 0; i < 4; i++) (void)next();
}

/* Every second pair has options other than those a run starts with. */
static uint32_t options_of(uint64_t pair)
{
    return pair % 4 < 2 ? 0 : (uint32_t)((pair + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

/* What both kinds of worlds start with. Returns rows that both sides have: on either side of powers
   of two, with the newcomer also across them. */
static int64_t start_world(world *w)
{
    static const uint8_t few[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14, 15, 16, 17, 20};
    static const uint8_t many[] = {31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 254, 255};
    static const int64_t blocks[] = {1 << 18, 1 << 12, 1 << 9, 64};
    const bool threaded = below(THREADED) == 0;

    w->large = below(LARGE) == 0;
    w->sparse = w->ball = false;
    w->owned = 0;
    w->threads[0] = 1;
    w->threads[1] = threaded ? 2 + (int)below(2) : 1;
    w->block_bytes[0] = blocks[0];
    w->block_bytes[1] = blocks[threaded ? 2 + below(2) : below(4)];
    return w->large ? many[below(sizeof many)] : few[below(sizeof few)];
}

/* ---- rows of numbers ---- */

/* The declared domain of a column: -1 to this. */
static double upper_of(int64_t column)
{
    return (double)(1 + column % 7);
}

/* A value chosen to hurt: at the bounds, beyond them, missing, zero, on the border of a cell that
   halves the domain again and again or as near to it as can be, or anything. */
static double nasty(int64_t column)
{
    const double upper = upper_of(column);

    switch (below(14)) {
    case 0: return -1;
    case 1: return upper;
    case 2: return 1e300;
    case 3: return -1e300;
    case 4: return -0.0;
    case 5: return NAN;
    case 6: return below(2) ? INFINITY : -INFINITY;
    case 7: return nextafter(upper, below(2) ? 9 : -9);
    case 8:
    case 9: return -1 + (upper + 1) * (double)below(17) / 16;
    case 10: return nextafter(-1 + (upper + 1) * (double)below(17) / 16, below(2) ? 9 : -9);
    default: return (upper + 1.4) * ldexp((double)(next() >> 11), -53) - 1.2;
    }
}

enum { EQUAL, CLUSTERED, NASTY, TWIN, CORNER, FARTHEST, KINDS };

/* Row i of a side: EQUAL to all of its kind, so that removing one may empty a cell; of one of a few
   clusters; anything; the TWIN of a row that is there; in a corner where rounding alone would leave
   the ball; at a bound, alone. */
static void make_row(world *w, int side, int64_t i, int64_t kind)
{
    const int64_t width = w->sparse ? PER_ROW : w->dims, cluster = below(3),
                  twin = i == 0 ? -1 : below(i);
    double *x = &w->value[side][i * width];

    for (int64_t j = 0; j < width; j++) {
        const int64_t column =
            w->sparse ? ((cluster * 40 + 1) * (j + 1)) % (WIDE / PER_ROW) + j * (WIDE / PER_ROW)
                      : j;
        if (w->sparse) w->column[side][i * width + j] = (int32_t)column;
        x[j] = kind == EQUAL || (kind == TWIN && twin < 0) ? 0.3
               : kind == CLUSTERED ? 0.8 * sin((double)(cluster * 7 + j)) + 0.02 * (double)below(3)
               : kind == TWIN      ? w->value[side][twin * width + j]
               : kind == CORNER    ? 1e300
               : kind == FARTHEST  ? (cluster == 0 ? -1 : upper_of(column))
                                   : nasty(column);
        if (w->sparse && !isfinite(x[j])) x[j] = 1; /* a missing entry is no entry */
        if (w->sparse && kind == TWIN && twin >= 0)
            w->column[side][i * width + j] = w->column[side][twin * width + j];
    }
}

static void swap_bytes(void *a, void *b, size_t size)
{
    unsigned char *x = a, *y = b, c;
    for (size_t i = 0; i < size; i++) c = x[i], x[i] = y[i], y[i] = c;
}

static void swap_rows(world *w, int side, int64_t a, int64_t b)
{
    const size_t width = (size_t)(w->sparse ? PER_ROW : w->dims);

    if (a == b) return;
    swap_bytes(&w->value[side][(size_t)a * width], &w->value[side][(size_t)b * width],
               width * sizeof(double));
    if (w->sparse)
        swap_bytes(&w->column[side][(size_t)a * width], &w->column[side][(size_t)b * width],
                   width * sizeof(int32_t));
    swap_bytes(&w->unit[side][a], &w->unit[side][b], sizeof(int64_t));
}

/* Two sides that differ in one unit: a row, or a person with all rows, more of them than may count.
   The side that has more is either; the newcomer comes anywhere, and on some sides rows are in
   another order altogether. */
__attribute__((unused)) static void make_rows(world *w, bool sparse, int32_t most_dims)
{
    const int64_t base = start_world(w), kind = below(3);
    const bool persons = below(3) == 0;

    w->sparse = sparse;
    w->dims = sparse ? WIDE : 1 + (int32_t)below(w->large ? most_dims : 4);
    w->k = 1 + (int32_t)below(w->large ? 8 : 4);
    w->owned = persons ? 1 + (int32_t)below(MOST_OWNED) : 0;
    w->neighbors = below(2) ? TACIT_REPLACE : TACIT_ADD_REMOVE;
    w->epsilon = (double[]){0.3, 1, 8, 100}[below(4)];
    w->ball = below(4) == 0;
    for (int64_t i = 0; i < base; i++) {
        make_row(w, 0, i, kind);
        w->unit[0][i] = below(2 + base / 2);
    }
    const size_t used = (size_t)base * (size_t)(sparse ? PER_ROW : w->dims);
    memcpy(w->value[1], w->value[0], used * sizeof(double));
    if (sparse) memcpy(w->column[1], w->column[0], used * sizeof(int32_t));
    memcpy(w->unit[1], w->unit[0], (size_t)base * sizeof(int64_t));
    w->rows[0] = w->rows[1] = base;
    const int with = (int)below(2);
    for (int side = 0; side < 2; side++) {
        const int64_t extra = persons ? 1 + below(MOST_EXTRA) : 1, new_kind = 1 + below(KINDS - 1);
        if (side != with && w->neighbors == TACIT_ADD_REMOVE) continue;
        for (int64_t i = 0; i < extra; i++) {
            make_row(w, side, w->rows[side], new_kind);
            w->unit[side][w->rows[side]++] = 1000;
        }
        swap_rows(w, side, below(w->rows[side]), w->rows[side] - 1);
    }
    if (below(4) == 0)
        for (int64_t i = w->rows[1] - 1; i > 0; i--) swap_rows(w, 1, i, below(i + 1));
    for (int side = 0; sparse && side < 2; side++)
        for (int64_t i = 0; i <= w->rows[side]; i++) w->start[side][i] = i * PER_ROW;
}

#endif
