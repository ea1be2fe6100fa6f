/* SPDX-License-Identifier: Apache-2.0 */
/* The rows that are attacked: few, so that a run is fast and one row weighs much, and among them
   one that moves every answer as far as it may. */
#include "audit/audit.h"

#include <math.h>
#include <string.h>

#define FAR 1e6 /* beyond the ball: clipped onto it */

/* splitmix64; the upper 53 bits plus a half, so neither 0 nor 1 comes out. */
double tac_even(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

/* ---- rows of two numbers ---- */

enum { AMONG_CLUSTERS, AMONG_EQUALS, OPPOSITE };

/* A design: what the other rows are, the row that is present on side 0, and what stands in its
   place on side 1 (replace only; with add or remove it is missing there). */
static const struct {
    const char *what;
    int others;
    int64_t rows;
    double here[2], instead[2];
} points[] = {
    {"an outlier at the bound, between two columns", AMONG_CLUSTERS, 60, {FAR, FAR}, {-FAR, -FAR}},
    {"an outlier at the bound, along one column", AMONG_CLUSTERS, 63, {FAR, 0}, {-FAR, 0}},
    {"a row that many others repeat, at the bound", AMONG_EQUALS, 50, {FAR, FAR}, {-FAR, -FAR}},
    {"a row alone", OPPOSITE, 0, {FAR, FAR}, {-FAR, -FAR}},
    {"one of two rows, at opposite bounds", OPPOSITE, 1, {FAR, FAR}, {-FAR, -FAR}},
    {"one of three rows, the others opposite", OPPOSITE, 2, {FAR, 0}, {-FAR, 0}},
    {"a missing row", AMONG_CLUSTERS, 64, {NAN, NAN}, {FAR, FAR}},
    /* the last two are for replace: without it they are among those above */
    {"an outlier along one column, or the other", AMONG_CLUSTERS, 60, {FAR, 0}, {0, FAR}},
    {"a row alone, along one column or the other", OPPOSITE, 0, {0, FAR}, {FAR, 0}},
};

/* The rows that both sides share: three clusters, copies of one row at the bound, or opposite
   ones. */
static void make_others(int how, int64_t rows, uint64_t *state, double *value)
{
    static const double center[3][2] = {{-0.45, -0.3}, {0.4, -0.45}, {-0.1, 0.5}};

    for (int64_t i = 0; i < rows; i++)
        for (int j = 0; j < 2; j++)
            value[2 * i + j] = how == AMONG_EQUALS ? FAR
                               : how == OPPOSITE   ? -FAR
                                                 : center[i % 3][j] + 0.2 * (tac_even(state) - 0.5);
}

/* Both sides from one seed, so that they differ in the row of the design alone. */
static bool make_points(tacit_neighbors neighbors, int design, uint64_t seed, tac_neighbors *out)
{
    uint64_t state = seed;

    if (design < 0 ||
        (size_t)design >= sizeof points / sizeof *points - (neighbors == TACIT_ADD_REMOVE ? 2 : 0))
        return false;
    out->what = points[design].what;
    out->columns = 2;
    for (int side = 0; side < 2; side++) {
        state = seed;
        make_others(points[design].others, points[design].rows, &state, out->value[side]);
        out->rows[side] = points[design].rows;
        if (side == 1 && neighbors == TACIT_ADD_REMOVE) continue;
        memcpy(out->value[side] + 2 * out->rows[side]++,
               side == 0 ? points[design].here : points[design].instead, 2 * sizeof(double));
    }
    return true;
}

/* ---- tables of counts ---- */

/* ALL_EMPTY: no other rows at all; ROWS: of two topics. */
enum { ALL_EMPTY = 0, ROWS = 40 };

static const struct {
    const char *what, *entry;
    int64_t rows;
    double here[TAC_AUDIT_COLUMNS], instead[TAC_AUDIT_COLUMNS];
} tables[] = {
    {"a row with one huge count",
     "one count more in a row with a huge one",
     ROWS,
     {1e9, 0, 0, 0, 0, 0},
     {0, 0, 0, 0, 0, 1e9}},
    {"a row with many columns",
     "one count more in a row with many columns",
     ROWS,
     {9, 9, 9, 9, 9, 9},
     {0, 0, 0, 0, 0, 0}},
    {"a row with a single count",
     "a second count in a row",
     ROWS,
     {0, 1, 0, 0, 0, 0},
     {0, 0, 0, 0, 1, 0}},
    {"a row alone",
     "one count more in the only row",
     ALL_EMPTY,
     {50, 0, 3, 0, 0, 0},
     {0, 0, 0, 7, 0, 0}},
    {"an empty row", "the first count of a row", ROWS, {0, 0, 0, 0, 0, 0}, {3, 0, 0, 0, 0, 0}},
    {"an empty row alone",
     "the first count of the only row",
     ALL_EMPTY,
     {0, 0, 0, 0, 0, 0},
     {0, 1, 0, 0, 0, 0}},
};

/* Appends a row to a side, its zeros left out. */
static void put_row(tac_neighbors *out, int side, const double *count)
{
    int64_t at = out->start[side][out->rows[side]];

    for (int32_t j = 0; j < out->columns; j++)
        if (count[j] != 0) {
            out->column[side][at] = j;
            out->value[side][at++] = count[j];
        }
    out->start[side][++out->rows[side]] = at;
}

/* Counts: as make_points, and for neighbors entry side 1 has one more in the first column of the
   last row. */
static bool make_tables(tacit_neighbors neighbors, int design, uint64_t seed, tac_neighbors *out)
{
    if (design < 0 || (size_t)design >= sizeof tables / sizeof *tables) return false;
    out->what = neighbors == TACIT_ENTRY ? tables[design].entry : tables[design].what;
    out->columns = TAC_AUDIT_COLUMNS;
    for (int side = 0; side < 2; side++) {
        uint64_t state = seed;
        for (int64_t i = 0; i < tables[design].rows; i++) { /* two topics, columns of their own */
            double count[TAC_AUDIT_COLUMNS] = {0};
            for (int j = 0; j < TAC_AUDIT_COLUMNS; j++)
                count[j] =
                    floor(tac_even(&state) * (j / (TAC_AUDIT_COLUMNS / 2) == i % 2 ? 5 : 1.3));
            put_row(out, side, count);
        }
        if (side == 1 && neighbors == TACIT_ADD_REMOVE) continue;
        double last[TAC_AUDIT_COLUMNS];
        memcpy(last,
               side == 1 && neighbors == TACIT_REPLACE ? tables[design].instead
                                                       : tables[design].here,
               sizeof last);
        if (side == 1 && neighbors == TACIT_ENTRY) last[0]++;
        put_row(out, side, last);
    }
    return true;
}

bool tac_neighbors_make(bool counts, tacit_neighbors neighbors, int design, uint64_t seed,
                        tac_neighbors *out)
{
    memset(out, 0, sizeof *out);
    out->counts = counts;
    return (counts ? make_tables : make_points)(neighbors, design, seed, out);
}

tacit_status tac_neighbors_open(tacit_ctx *ctx, const tac_neighbors *pair, int side,
                                tacit_data **out)
{
    tacit_status status = TACIT_OK;

    if (pair->counts)
        return tacit_data_from_csr(ctx, pair->start[side], pair->column[side], pair->value[side],
                                   pair->rows[side], pair->columns, out);
    TAC_TRY(tacit_data_from_memory(ctx, pair->value[side], TACIT_F64, pair->rows[side],
                                   pair->columns, out));
    status = tacit_data_set_ball(ctx, *out, NULL, 1);
    if (status != TACIT_OK) {
        tacit_data_free(*out);
        *out = NULL;
    }
done:
    return status;
}
