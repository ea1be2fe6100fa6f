/* SPDX-License-Identifier: Apache-2.0 */
/* A query of every kind, and a small world that can answer them: for the tests of bytes and of
   shards, and for fuzzing. */
#ifndef TAC_TEST_QUERY_SAMPLES_H
#define TAC_TEST_QUERY_SAMPLES_H

#include "privacy/kinds.h"

#include <stdlib.h>
#include <string.h>

enum { S_ROWS = 61, S_DIMS = 3, S_PROJECTION = 2, S_COLUMNS = 5, S_STRIDE = 4, S_LABELS = 3 };

/* ---- the world ---- */

typedef struct sample_rows { /* some of its rows, or all: a shard and what it points to */
    tac_lattice rows, projection, sparse;
    tac_counts counts;
    int16_t point[S_ROWS * S_STRIDE], beside[S_ROWS * S_PROJECTION], value[S_ROWS * S_COLUMNS];
    int64_t start[S_ROWS + 1], place[S_ROWS];
    int32_t column[S_ROWS * S_COLUMNS], batch[S_ROWS];
    uint32_t count[S_ROWS * S_COLUMNS];
    tac_shard dense_shard, sparse_shard;
} sample_rows;

static uint64_t sample_hash(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Row i of the world, all of it: 11 rows come again and again, some rows of counts are empty. */
static void put_row(sample_rows *s, int64_t to, int64_t i)
{
    const uint64_t seed = (uint64_t)(i % 3 == 0 ? i % 11 : i) * 1000 + 7;
    int16_t *point = s->point + to * S_STRIDE;
    int64_t e = s->start[to];

    for (int j = 0; j < S_DIMS; j++)
        point[j] = (int16_t)(sample_hash(seed + (uint64_t)j) % 60001 - 30000);
    tac_clip(point, S_DIMS);
    for (int j = 0; j < S_PROJECTION; j++)
        s->beside[to * S_PROJECTION + j] = (int16_t)(point[j] / 2 - point[2] / 3);
    for (int32_t j = 0; j < S_COLUMNS; j++) {
        const uint64_t hash = sample_hash(seed * 31 + (uint64_t)j);
        if (hash % 2 == 0 || i % 7 == 0) continue;
        s->column[e] = j;
        s->value[e] = (int16_t)(hash >> 8 & 0x1fff);
        s->count[e++] = 1 + (uint32_t)(hash >> 32) % 9;
    }
    s->start[to + 1] = e;
    s->place[to] = i;
    s->batch[to] = (int32_t)(i % 2);
}

/* The rows of `row`, in that order. placed: their places are told, as a part's must be. */
static void make_rows(sample_rows *s, const int64_t *row, int64_t n, bool placed)
{
    memset(s, 0, sizeof *s);
    for (int64_t i = 0; i < n; i++) put_row(s, i, row[i]);
    s->rows = (tac_lattice){.rows = n, .dims = S_DIMS, .stride = S_STRIDE, .points = s->point};
    s->projection =
        (tac_lattice){.rows = n, .dims = S_PROJECTION, .stride = S_PROJECTION, .points = s->beside};
    s->sparse = (tac_lattice){.rows = n,
                              .dims = S_COLUMNS,
                              .stride = S_COLUMNS + 1,
                              .sparse = true,
                              .start = s->start,
                              .column = s->column,
                              .value = s->value,
                              .entry_reach = 1000,
                              .entry_squares = 1000000};
    s->counts = (tac_counts){
        .rows = n, .columns = S_COLUMNS, .start = s->start, .column = s->column, .count = s->count};
    s->dense_shard = (tac_shard){.lattice = {&s->rows, &s->projection},
                                 .counts = &s->counts,
                                 .place = placed ? s->place : NULL,
                                 .batch = s->batch};
    s->sparse_shard = s->dense_shard;
    s->sparse_shard.lattice[TAC_ROWS] = &s->sparse;
}

/* ---- the queries ---- */

typedef struct sample {
    const char *name;
    bool sparse;
    tac_query q;
} sample;

static const int16_t s_points[8 * 5] = {
    9000,  100, -3000, -20000, 5,      77, 32767, -32768, 12,     0,  0,   0,   15000, 15000,
    15000, -1,  -2,    -3,     4,      5,  6,     20000,  -20000, 3,  100, 200, 300,   31000,
    0,     0,   8000,  900,    -25000, 6,  7,     8,      9,      10, 11,  12};
static const double s_radius[4] = {12000, 1, 0x1.8p13, 500.25}, s_edge[3] = {0.5, 1, 2.5};
static const tac_fork s_fork[3] = {{.axis = 0, .at = 100, .below = 1, .above = 2},
                                   {.axis = -1, .at = -5000000, .below = -1, .above = -2},
                                   {.axis = 2, .at = 0, .below = -3, .above = -4}};
static const int64_t s_offset[3] = {-100000000, 0, 4000000000};
static const int16_t s_low[3] = {-30000, -20000, 0};
static const int32_t s_width[3] = {60000, 40000, 9000}, s_cut[3] = {2, 1, 3};
static const tac_slice s_slice[2] = {{.axis = 1, .low = -20000, .high = 20000},
                                     {.axis = 0, .low = -5, .high = 7}};
static const int32_t s_shift[3] = {0, -32768, 17},
                     s_active[4 * 3] = {1, 2, 1, 2, 3, 2, 2, 2, 1, 1, 3, 2};
static const int32_t s_row_label[S_ROWS] = {0, 1, 2, -1, 0, 2, 1, 1, 0, 0, 2},
                     s_column_label[S_COLUMNS] = {0, -1, 1, 1, 0};
static const int32_t s_score[S_LABELS * 3] = {5, -3, 900, 2, 9, -4, 0, TAC_SCORE_MOST, 1};

#define S_ALL(v)                                                                                   \
    {                                                                                              \
        .kind = TAC_ONE_CELL, .view = v, .count = 1                                                \
    }
#define S_NEAR                                                                                     \
    {                                                                                              \
        .kind = TAC_NEAREST, .count = 2, .centers = s_points                                       \
    }
#define S_TREE                                                                                     \
    {                                                                                              \
        .kind = TAC_FORKS, .count = 4, .fork = s_fork, .forks = 3, .normal = s_points,             \
        .normals = 1                                                                               \
    }
#define S_GRID                                                                                     \
    {                                                                                              \
        .kind = TAC_GRID, .count = 6, .low = s_low, .width = s_width, .parts = s_cut               \
    }
#define S_LINES                                                                                    \
    {                                                                                              \
        .kind = TAC_SUBSPACES, .view = TAC_PROJECTED, .count = 3, .bases = s_points, .rank = 1     \
    }
#define S_LARGEST                                                                                  \
    {                                                                                              \
        .kind = TAC_ARGMAX, .count = 3, .centers = s_points, .offset = s_offset                    \
    }
#define S_DENSE .batch = -1, .dims = {S_DIMS, 0}
#define S_BOTH .batch = -1, .dims = {S_DIMS, S_PROJECTION}
#define S_SPARSE .batch = -1, .dims = {S_COLUMNS, 0}
#define S_TABLE .rows = S_ROWS, .columns = S_COLUMNS, .row_labels = S_LABELS, .column_labels = 2
#define S_LOCAL                                                                                    \
    {                                                                                              \
        .centers = s_points + 3, .radius = s_radius                                                \
    }
#define Q(kind_, ...)                                                                              \
    false,                                                                                         \
    {                                                                                              \
        .kind = TAC_KIND_##kind_, __VA_ARGS__                                                      \
    }
#define QS(kind_, ...)                                                                             \
    true,                                                                                          \
    {                                                                                              \
        .kind = TAC_KIND_##kind_, S_SPARSE, __VA_ARGS__                                            \
    }

static const sample samples[] = {
    {"count", Q(COUNT, S_DENSE, .cells = S_ALL(TAC_ROWS))},
    {"count, sparse", QS(COUNT, .cells = S_ALL(TAC_ROWS))},
    {"histogram, nearest", Q(HISTOGRAM, S_DENSE, .cells = S_NEAR)},
    {"histogram, tree", Q(HISTOGRAM, S_DENSE, .cells = S_TREE)},
    {"histogram, grid", Q(HISTOGRAM, S_DENSE, .cells = S_GRID)},
    {"histogram, lines of the projection",
     Q(HISTOGRAM, S_BOTH, .values = TAC_PROJECTED, .cells = S_LINES)},
    {"histogram, largest", Q(HISTOGRAM, S_DENSE, .cells = S_LARGEST)},
    {"histogram, largest, sparse", QS(HISTOGRAM, .cells = S_LARGEST)},
    {"distances", Q(DISTANCES, S_DENSE, .cells = S_NEAR, .local = {.radius = s_radius},
                    .edge = s_edge, .bins = 4)},
    {"distances, sparse",
     QS(DISTANCES, .cells = S_ALL(TAC_ROWS), .local = {.radius = s_radius, .taxicab = true},
        .edge = s_edge, .bins = 3)},
    {"projections", Q(PROJECTIONS, S_DENSE, .cells = S_NEAR, .local = S_LOCAL,
                      .directions = s_points + 6, .bins = 5)},
    {"slices", Q(SLICES, S_DENSE, .cells = S_NEAR, .slice = s_slice, .bins = 7)},
    {"sums", Q(SUMS, S_DENSE, .cells = S_NEAR, .weight = 9000)},
    {"sums, cells of the projection", Q(SUMS, S_BOTH, .cells = S_LINES, .weight = 1)},
    {"sums, sparse", QS(SUMS, .cells = S_LARGEST, .weight = 77)},
    {"moments", Q(MOMENTS, S_DENSE, .cells = S_TREE)},
    {"moments, sparse", QS(MOMENTS, .cells = S_ALL(TAC_ROWS))},
    {"fourth moments", Q(FOURTH, S_DENSE, .cells = S_ALL(TAC_ROWS))},
    {"local sums", Q(LOCAL_SUMS, S_DENSE, .cells = S_NEAR, .local = {.radius = s_radius},
                     .parts = {.count = 900, .soft = true, .sum = 3, .square = true})},
    {"local sums, taxicab",
     Q(LOCAL_SUMS, S_DENSE, .cells = S_GRID, .parts = {.count = 900, .sum = 3},
       .local = {.centers = s_points,
                 .radius = (const double[6]){1, 2, 3, 4e4, 5, 6e9},
                 .taxicab = true})},
    {"local moments", Q(LOCAL_MOMENTS, S_DENSE, .cells = S_NEAR, .local = S_LOCAL,
                        .parts = {.count = 1, .sum = 7, .moments = true})},
    {"local axes",
     Q(LOCAL_MOMENTS, S_DENSE, .cells = S_NEAR, .local = S_LOCAL, .parts = {.axes = true})},
    {"codes", QS(CODES, .cells = S_ALL(TAC_ROWS), .directions = s_points, .k = 3)},
    {"table",
     Q(TABLE, .batch = -1, S_TABLE, .row_label = s_row_label, .column_label = s_column_label)},
    {"table of a batch",
     Q(TABLE, .batch = 1, S_TABLE, .row_label = s_row_label, .column_label = s_column_label)},
    {"labels of rows",
     Q(ROW_LABELS, .batch = 0, S_TABLE, .column_label = s_column_label, .score = s_score)},
    {"labels of columns",
     Q(COLUMN_LABELS, .batch = 1, S_TABLE, .row_label = s_row_label, .score = s_score)},
    {"one of sets of centers",
     Q(CENTERS, S_DENSE, .cells = S_ALL(TAC_ROWS), .candidates = s_points, .m = 4, .k = 2)},
    {"one by distances", Q(CENTERS, S_DENSE, .cells = S_ALL(TAC_ROWS), .candidates = s_points,
                           .m = 3, .k = 3, .median = true)},
    {"one of sets of subspaces", Q(SUBSPACES, S_DENSE, .cells = S_ALL(TAC_ROWS),
                                   .candidates = s_points, .m = 2, .k = 2, .rank = 2)},
    {"swap", Q(SWAP, S_DENSE, .cells = S_ALL(TAC_ROWS), .centers = s_points, .k = 2,
               .candidates = s_points + 6, .m = 7)},
    {"swap by distances",
     Q(SWAP, S_BOTH, .values = TAC_PROJECTED, .cells = S_ALL(TAC_PROJECTED), .centers = s_points,
       .k = 1, .candidates = s_points + 6, .m = 5, .median = true)},
    {"row", Q(ROW, S_DENSE, .cells = S_NEAR)},
    {"row, all alike", Q(ROW, S_DENSE, .cells = S_ALL(TAC_ROWS))},
    {"cubes", Q(CUBES, S_DENSE, .cells = S_ALL(TAC_ROWS),
                .cubes = {.level = 2,
                          .shift = s_shift,
                          .active = s_active,
                          .count = 4,
                          .threshold = 3 << 20,
                          .most = 8})},
    {"bingham", Q(BINGHAM, S_DENSE, .cells = S_NEAR, .rank = 2, .by_column = true)},
    {"gibbs", Q(GIBBS, S_DENSE, .cells = S_ALL(TAC_ROWS),
                .gibbs = {.k = 2, .rank = 1, .rounds = 3, .solver = TACIT_SOLVER_TSC})},
    {"parts", Q(PARTS, S_DENSE, .cells = S_ALL(TAC_ROWS),
                .plan = {.points = true, .k = 2, .q = 1, .parts = 5, .restarts = 1, .seed = 99})},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

__attribute__((unused)) static const tac_shard *shard_for(const sample *s, const sample_rows *rows)
{
    return s->sparse ? &rows->sparse_shard : &rows->dense_shard;
}

/* Kinds without a sample, by name; empty: there are none. A new line of kinds.def needs one. */
__attribute__((unused)) static const char *kinds_without_sample(void)
{
    static char text[1024];

    text[0] = '\0';
    for (int kind = 0; kind < TAC_KINDS; kind++) {
        bool found = false;
        for (int i = 0; i < SAMPLES; i++) found = found || (int)samples[i].q.kind == kind;
        static const char *const names[] = {
#define KIND(name, ...) #name,
#include "privacy/kinds.def"
#undef KIND
        };
        if (!found) snprintf(text + strlen(text), sizeof text - strlen(text), " %s", names[kind]);
    }
    return text;
}

#endif
