/* SPDX-License-Identifier: Apache-2.0 */
/* The table of brute force: public parameters that hurt, every query of the door, and how much of
   its bound neighbors reach. */
#ifndef TAC_TEST_BRUTE_TABLE_H
#define TAC_TEST_BRUTE_TABLE_H

#include "brute.h"
#include "questions.h"
#include "narrow.h"

#define M TAC_M

/* ---- scenes: partitions with middles and radii ---- */

typedef struct scene {
    const char *name;
    tac_cells cells;
    tac_local local;
} scene;

static const int16_t origin[6 * 2] = {0};
static const int16_t ends[2][2] = {{M - 1, 0}, {-M + 1, 0}},
                     three[3][2] = {{M, 0}, {-M, 0}, {0, -16000}};
static const int16_t equal[3][2] = {{5, 5}, {5, 5}, {5, 5}};
static const int16_t skew[4][2] = {{900, -7000}, {-32768, -32768}, {0, 31000}, {23169, 23169}};
static const int16_t normal[1][2] = {{-32768, 32767}};
static const double full[6] = {M, M, M, M, M, M}, one[3] = {1, 1, 1},
                    odd[6] = {9000, 1e-9, NAN, 1e300, -3, 500};
static const tac_fork half[1] = {{.axis = 0, .at = 0, .below = -1, .above = -2}};
/* rows on the border */
static const tac_fork tree[3] = {{.axis = 0, .at = M, .below = 1, .above = 2},
                                 {.axis = -1, .at = 0, .below = -1, .above = -2},
                                 {.axis = 1, .at = -5, .below = -4, .above = -3}};
static const int16_t low[2] = {-M, 0};
static const int32_t width[2] = {2 * M, M}, parts[2] = {2, 3}; /* 0 and M are borders */
static const int16_t lines_of[3][2] = {{M, 0}, {0, M}, {23169, 23169}};
static const int16_t planes[2][2][2] = {{{20000, 100}, {-5, 32767}}, {{M, M}, {0, 0}}};
static const int16_t on_line[6] = {M - 1, -M + 1, 0, 0, 0, 0};

static const scene plane_scenes[] = {
    {"one cell", {.kind = TAC_ONE_CELL, .count = 1}, {.centers = origin, .radius = full}},
    {"one cell far off", {.kind = TAC_ONE_CELL, .count = 1}, {.centers = ends[0], .radius = one}},
    {"half-planes",
     {.kind = TAC_FORKS, .count = 2, .fork = half, .forks = 1},
     {.centers = origin, .radius = full}},
    {"nearest of two ends",
     {.kind = TAC_NEAREST, .count = 2, .centers = ends[0]},
     {.centers = NULL, .radius = one}},
    {"nearest",
     {.kind = TAC_NEAREST, .count = 3, .centers = three[0]},
     {.centers = NULL, .radius = odd}},
    {"equal centers",
     {.kind = TAC_NEAREST, .count = 3, .centers = equal[0]},
     {.centers = NULL, .radius = full}},
    {"tree",
     {.kind = TAC_FORKS, .count = 4, .fork = tree, .forks = 3, .normal = normal[0], .normals = 1},
     {.centers = skew[0], .radius = odd}},
    {"grid",
     {.kind = TAC_GRID, .count = 6, .low = low, .width = width, .parts = parts},
     {.centers = origin, .radius = odd}},
    {"lines",
     {.kind = TAC_SUBSPACES, .count = 3, .bases = lines_of[0], .rank = 1},
     {.centers = origin, .radius = full}},
    {"planes",
     {.kind = TAC_SUBSPACES, .count = 2, .bases = planes[0][0], .rank = 2},
     {.centers = skew[0], .radius = odd}},
    {"largest",
     {.kind = TAC_ARGMAX, .count = 3, .centers = three[0]},
     {.centers = skew[0], .radius = full}},
    {"projection's line",
     {.kind = TAC_SUBSPACES, .view = TAC_PROJECTED, .count = 3, .bases = on_line, .rank = 1},
     {.centers = origin, .radius = full}},
    {"projection",
     {.kind = TAC_FORKS, .view = TAC_PROJECTED, .count = 2, .fork = half, .forks = 1},
     {.centers = origin, .radius = full}},
    {"projection's ends",
     {.kind = TAC_NEAREST, .view = TAC_PROJECTED, .count = 2, .centers = on_line},
     {.centers = NULL, .radius = one}},
};
enum { PLANE_SCENES = sizeof plane_scenes / sizeof *plane_scenes };

static const int16_t on_axis[4] = {M, -M, M, 0};
static const scene line_scenes[] = {
    {"one cell", {.kind = TAC_ONE_CELL, .count = 1}, {.centers = origin, .radius = full}},
    {"one cell far off", {.kind = TAC_ONE_CELL, .count = 1}, {.centers = on_line, .radius = one}},
    {"half-lines",
     {.kind = TAC_FORKS, .count = 2, .fork = half, .forks = 1},
     {.centers = origin, .radius = full}},
    {"nearest of two ends",
     {.kind = TAC_NEAREST, .count = 2, .centers = on_line},
     {.centers = NULL, .radius = one}},
    {"nearest, two equal",
     {.kind = TAC_NEAREST, .count = 4, .centers = on_axis},
     {.centers = NULL, .radius = odd}},
    {"grid",
     {.kind = TAC_GRID, .count = 2, .low = low, .width = width, .parts = parts},
     {.centers = origin, .radius = full}},
    {"lines",
     {.kind = TAC_SUBSPACES, .count = 3, .bases = on_line, .rank = 1},
     {.centers = origin, .radius = odd}},
    {"largest",
     {.kind = TAC_ARGMAX, .count = 4, .centers = on_axis},
     {.centers = origin, .radius = odd}},
};
enum { LINE_SCENES = sizeof line_scenes / sizeof *line_scenes };

/* Rows of counts: sparse, so one cell or the largest product. */
static const int16_t corners[3 * 3] = {32767, 0, 0, 0, 32767, 0, 16000, 0, 28000};
static const int64_t offset[3] = {0, 100000000, -200000000};
static const scene count_scenes[] = {
    {"one cell", {.kind = TAC_ONE_CELL, .count = 1}, {.radius = full}},
    {"largest",
     {.kind = TAC_ARGMAX, .count = 3, .centers = corners, .offset = offset},
     {.radius = full}},
};
enum { COUNT_SCENES = sizeof count_scenes / sizeof *count_scenes };

/* ---- the queries ---- */

typedef struct line line;
typedef struct asking {
    const line *line;
    const scene *scene;
    int at; /* number of the scene */
    int32_t dims;
} asking;

struct line {
    const char *door; /* tac_door_<door> */
    tacit_status (*ask)(tac_door *door, const asking *a, int64_t *out);
    /* Neighbors reach so much of the bound (of norms, not of squares); 1: all of it, in integers;
       0: whatever; below 0: not asked on such accounts. Entry where there are counts. */
    double least[RELATIONS][NORMS];
    const char *why; /* ... it is not all of it */
    query q;
    measure how;
    /* 0: all; the first so many: queries without cells, which may use them as seeds */
    int scenes;
    int32_t dims; /* 0: any; rows of so many only */
    bool counts;  /* rows of counts */
};

static const double edge[4] = {0.1, 1, 1.5, 3};
/* Rows lie on borders: at 0 and at both ends. */
static const tac_slice slice[6] = {{0, -M, M}, {0, 0, M},  {0, -M, 0},
                                   {0, 5, M},  {0, -1, 0}, {0, 0, 9000}};
static const int16_t along[6][2] = {{M, 0}, {-M, M}, {0, -M}, {1, 1}, {0, 0}, {-32768, -32768}};
static const int16_t far_and_near[6 * 2] = {M, 0, -M, 0, 0, 0, 32767, 32767, M, 0, -M, 0};

static tacit_status ask_cells(tac_door *door, const asking *a, int64_t *out)
{
    query q = a->line->q;
    q.cells = a->scene->cells;
    const bool taxicab = q.local.taxicab;
    q.local = a->scene->local;
    q.local.taxicab = taxicab;
    return ask(door, &q, QUANTA_ASKED, out);
}

static tacit_status ask_count(tac_door *door, const asking *a, int64_t *out)
{
    (void)a;
    return tac_door_count(door, "test", QUANTA_ASKED, out);
}

static tacit_status ask_select(tac_door *door, const asking *a, int64_t *out)
{
    const tac_choice choice = {
        .candidates = far_and_near, .m = a->at == 0 ? 6 : 3, .k = a->at == 0 ? 1 : 2};
    int32_t chosen;
    (void)out;
    return tac_door_choose(door, "test", QUANTA_ASKED, &choice, &chosen);
}

static tacit_status ask_choose(tac_door *door, const asking *a, int64_t *out)
{
    int32_t chosen;
    (void)out;
    return tac_door_choose(door, "test", QUANTA_ASKED,
                           &(tac_choice){.median = a->at < 2,
                                         .view = a->at == 2 ? TAC_PROJECTED : TAC_ROWS,
                                         .candidates = far_and_near,
                                         .m = a->at == 1 ? 3 : 6,
                                         .k = a->at == 1 ? 2 : 1},
                           &chosen);
}

/* Lines, nothing, the same line twice, which holds more than there is, a vector beyond the ball. */
static tacit_status ask_subspaces(tac_door *door, const asking *a, int64_t *out)
{
    static const int16_t sets[5][2][2] = {{{M, 0}, {0, 0}},
                                          {{0, M}, {0, 0}},
                                          {{0, 0}, {0, 0}},
                                          {{M, 0}, {M, 0}},
                                          {{-32768, -32768}, {1, 1}}};
    int32_t chosen;
    (void)a;
    (void)out;
    return tac_door_choose_subspaces(door, "test", QUANTA_ASKED, TAC_ROWS, sets[0][0], 5, 1, 2,
                                     &chosen);
}

/* One center, two that are the same, two that are not: by squares, then by distances. */
static tacit_status ask_swap(tac_door *door, const asking *a, int64_t *out)
{
    static const int16_t centers[3][4] = {{M, 0, 0, 0}, {M, 0, M, 0}, {M, 0, -32768, -32768}};
    static const int16_t candidates[4 * 2] = {-M, 0, 0, M, 5, 5, 32767, 32767};
    int32_t gone, come;
    (void)out;
    return tac_door_swap(door, "test", QUANTA_ASKED,
                         &(tac_swap){.median = a->line->q.weight != 0,
                                     .centers = centers[a->at],
                                     .k = a->at == 0 ? 1 : 2,
                                     .candidates = candidates,
                                     .m = 4},
                         &gone, &come);
}

static tacit_status ask_draw(tac_door *door, const asking *a, int64_t *out)
{
    return tac_door_draw(door, "test", QUANTA_ASKED, skew[0], a->at % 3, out);
}

static tacit_status ask_cubes(tac_door *door, const asking *a, int64_t *out)
{
    static const int32_t shift[2][2] = {{0, 0}, {-32768, 32768}}, active[4] = {0, 0, 1, 1};
    const tac_privacy_params params = tac_door_params(door);
    const uint64_t scale = tac_quote_cubes(&params, QUANTA_ASKED);
    tac_cubes cubes = {.level = 1, .shift = shift[a->at], .active = active, .count = 2, .most = 8};
    static tac_cube found[8];
    int32_t count;
    (void)out;
    if (a->dims == 1) cubes.active = active + 1; /* 0 and 1 */
    cubes.threshold = tac_cubes_least(scale, a->dims, 2) + (int64_t)scale;
    return tac_door_cubes(door, "test", QUANTA_ASKED, &cubes, found, &count);
}

static tacit_status ask_bingham(tac_door *door, const asking *a, int64_t *out)
{
    static int16_t bases[6 * 2];
    (void)out;
    const tac_bingham draw = {.cells = &a->scene->cells, .rank = 1, .by_column = a->at == 1};
    return tac_door_bingham(door, "test", QUANTA_ASKED, &draw, bases);
}

static tacit_status ask_gibbs(tac_door *door, const asking *a, int64_t *out)
{
    static int16_t bases[2 * 2];
    tac_gibbs_draw drawn = {.bases = bases};
    (void)out;
    return tac_door_gibbs(door, "test", QUANTA_ASKED,
                          &(tac_gibbs){.k = 1 + a->at, .rank = 1, .rounds = 1}, &drawn);
}

static tacit_status ask_codes(tac_door *door, const asking *a, int64_t *out)
{
    (void)a;
    return narrow_codes(door, "test", QUANTA_ASKED, TAC_ROWS, corners, 3, out, out + 32);
}

#define CELLS(...) .ask = ask_cells, .q = {__VA_ARGS__}
#define LOCALLY(...) .door = "local", .ask = ask_cells, .q = {.what = LOCAL, .parts = {__VA_ARGS__}}
#define TAXICAB(...)                                                                               \
    .door = "local", .ask = ask_cells,                                                             \
    .q = {.what = LOCAL, .local = {.taxicab = true}, .parts = {__VA_ARGS__}}
#define ALL                                                                                        \
    {                                                                                              \
        {1, 1},                                                                                    \
        {                                                                                          \
            1, 1                                                                                   \
        }                                                                                          \
    }
#define ROUND_L1                                                                                   \
    {                                                                                              \
        {1, 0.9999},                                                                               \
        {                                                                                          \
            1, 0.9999                                                                              \
        }                                                                                          \
    }
#define ROUND                                                                                      \
    {                                                                                              \
        {0.9999, 0.9999},                                                                          \
        {                                                                                          \
            0.9999, 0.9999                                                                         \
        }                                                                                          \
    }
#define DIAGONAL "in L1 the farthest points lie on diagonals, which are a little inside the ball"
#define IRRATIONAL "the farthest rows have irrational coordinates"

static const line table[] = {
    {.door = "count",
     .ask = ask_count,
     .least = {{1, 1}, {0, 0}},
     .why = "replace: the number of rows stays, a person's may not",
     .scenes = 1},
    {.door = "histogram", CELLS(.what = HISTOGRAM), .least = ALL},
    {.door = "sums", CELLS(.what = SUMS, .weight = 9000), .least = ROUND_L1, .why = DIAGONAL},
    {.door = "sums", CELLS(.what = SUMS, .weight = 50000), .least = ROUND_L1, .why = DIAGONAL},
    {.door = "sums",
     CELLS(.what = SUMS, .weight = 9000, .values = TAC_PROJECTED),
     .least = ALL,
     .dims = 2},
    {.door = "moments", CELLS(.what = MOMENTS), .how = BY_TRACE, .least = ALL},
    {.door = "moments",
     CELLS(.what = MOMENTS, .values = TAC_PROJECTED),
     .how = BY_TRACE,
     .least = ALL,
     .dims = 2},
    {.door = "fourth",
     CELLS(.what = FOURTH),
     .least = {{0.99999999, 0.93}, {0.9998, 0.62}},
     .why = "room for cutting, and L1 is bounded by way of L2 (fourth.proof.md)",
     .scenes = 1,
     .dims = 2},
    {.door = "fourth",
     CELLS(.what = FOURTH),
     .least = {{0.99999999, 0.99999999}, {0.707, 0.49999}},
     .why = "of one coordinate all tensors point one way",
     .scenes = 1,
     .dims = 1},
    {.door = "distances", CELLS(.what = DISTANCES, .edge = edge, .bins = 5), .least = ALL},
    {.door = "distances",
     CELLS(.what = DISTANCES, .local = {.taxicab = true}, .edge = edge, .bins = 5),
     .least = ALL},
    {.door = "distances",
     CELLS(.what = DISTANCES, .bins = 1),
     .least = {{1, 1}, {0, 0}},
     .why = "a row that is replaced stays in the only bin"},
    {.door = "projections",
     CELLS(.what = PROJECTIONS, .directions = along[0], .bins = 7),
     .least = ALL},
    {.door = "slices", CELLS(.what = SLICES, .slice = slice, .bins = 6), .least = ALL},
    {LOCALLY(.count = 1000), .least = ALL},
    {LOCALLY(.sum = 3), .least = ROUND_L1, .why = DIAGONAL},
    {LOCALLY(.count = UINT32_C(1) << 31, .sum = 1 << 17), .least = ROUND_L1, .why = DIAGONAL},
    {LOCALLY(.count = 20000, .sum = 1), .least = ROUND_L1, .why = DIAGONAL},
    {LOCALLY(.count = 50000, .sum = 1), .least = ROUND_L1, .why = DIAGONAL},
    {LOCALLY(.square = true), .least = ALL},
    {LOCALLY(.count = 100000, .sum = 4000, .square = true), .least = ROUND_L1, .why = DIAGONAL},
    {LOCALLY(.sum = 100000, .square = true), .least = ROUND_L1, .why = DIAGONAL},
    {LOCALLY(.moments = true), .least = ROUND_L1, .why = DIAGONAL},
    {LOCALLY(.count = 100000, .sum = M, .moments = true), .least = ROUND, .why = IRRATIONAL},
    {LOCALLY(.count = 2000000000, .sum = M, .moments = true), .least = ROUND_L1, .why = DIAGONAL},
    {LOCALLY(.sum = 100000, .moments = true), .least = ROUND_L1, .why = DIAGONAL},
    {LOCALLY(.axes = true), .least = ALL},
    {LOCALLY(.count = 100000, .sum = M, .axes = true), .least = ROUND, .why = IRRATIONAL},
    {LOCALLY(.count = 7, .sum = 100000, .axes = true), .least = ROUND_L1, .why = DIAGONAL},
    {TAXICAB(.count = 20000, .sum = 1), .least = ALL},
    {TAXICAB(.count = 100000, .sum = 4000, .square = true), .least = ALL},
    {TAXICAB(.count = 60000, .soft = true, .sum = 2), .least = ALL},
    {LOCALLY(.count = 60000, .soft = true), .least = ALL},
    {LOCALLY(.count = 60000, .soft = true, .sum = 2), .least = ROUND_L1, .why = DIAGONAL},
    {LOCALLY(.count = 60000, .soft = true, .sum = 1), .least = ROUND_L1, .why = DIAGONAL},
    {LOCALLY(.count = 60000, .soft = true, .sum = 100000, .square = true), .least = ROUND_L1,
     .why = DIAGONAL},
    {LOCALLY(.count = 60000, .soft = true, .sum = 100000, .moments = true), .least = ROUND_L1,
     .why = DIAGONAL},
    {.door = "choose", .ask = ask_select, .how = BY_RANGE, .least = ALL, .scenes = 2},
    {.door = "choose",
     .ask = ask_choose,
     .how = BY_RANGE,
     .least = ROUND,
     .why = "the bound of distances is a round number above 2 M",
     .scenes = 2},
    {.door = "choose_subspaces",
     .ask = ask_subspaces,
     .how = BY_RANGE,
     .least = ALL,
     .scenes = 1,
     .dims = 2},
    {.door = "swap", .ask = ask_swap, .how = BY_RANGE, .least = ALL, .scenes = 3},
    {.door = "swap",
     .ask = ask_swap,
     .how = BY_RANGE,
     .q = {.weight = 1},
     .least = ROUND,
     .why = "the bound of distances is a round number above 2 M",
     .scenes = 3},
    {.door = "draw", .ask = ask_draw, .least = ROUND_L1, .why = DIAGONAL, .scenes = 3},
    {.door = "cubes", .ask = ask_cubes, .least = ALL, .scenes = 2},
    {.door = "bingham",
     .ask = ask_bingham,
     .how = BY_SPECTRUM,
     .least = ROUND,
     .why = "measured in double precision",
     .scenes = 5,
     .dims = 2},
    {.door = "gibbs",
     .ask = ask_gibbs,
     .how = BY_SPECTRUM,
     .least = {{-1, 0.9999}, {-1, 0.9999}},
     .why = "measured in double precision; pure accounts only",
     .scenes = 2,
     .dims = 2},
    {.door = "sums",
     CELLS(.what = SUMS, .weight = 30000),
     .least = {{1, 1}, {0.9587, 1}, {0.9999, 0.9999}},
     .why = "replace: rows of counts are never opposite, entry: reach is rounded up",
     .counts = true},
    {.door = "moments",
     CELLS(.what = MOMENTS),
     .how = BY_TRACE,
     .least = {{1, 1}, {1, 1}, {1, 1}},
     .counts = true},
    {.door = "distances",
     CELLS(.what = DISTANCES, .edge = edge, .bins = 3),
     .least = {{1, 1}, {1, 1}, {1, 1}},
     .scenes = 1,
     .counts = true},
    {.door = "histogram",
     CELLS(.what = HISTOGRAM),
     .least = {{1, 1}, {1, 1}, {1, 1}},
     .counts = true},
    {.door = "codes",
     .ask = ask_codes,
     .least = {{1, 0.98}, {0.999, 0.6}, {0.999, 0.59}},
     .why = "L1 is the sum of two bounds that no row reaches at once, and codes are rounded down",
     .scenes = 1,
     .counts = true},
};
enum { LINES = sizeof table / sizeof *table };

#endif
