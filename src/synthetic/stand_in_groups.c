/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that a plan is tried on: groups that stand apart, groups that overlap, or none. They are
   made as tables are filled: few directions carry most of the spread, columns differ in how much
   of their bounds they use, and no column is centered in them. */
#include "synthetic/stand_in.h"

#include "synthetic/synthetic.h"

#include <math.h>

#define FACTORS 32      /* directions with a spread of their own; what is left is round */
#define FILLED 0.15     /* a column's standard deviation, of its declared range */
#define BALL_FILLED 0.5 /* root mean square length of rows about their middle, of the radius */
#define OFF_MIDDLE 0.4  /* how far from the middle a column's mean may be, in half ranges */
#define CANDIDATES 10   /* draws for a center, of which the one farthest from others is taken */

/* The nearest other center, in deviations of the rows along the line to it. */
static double apart(tac_pattern pattern)
{
    return pattern == TAC_PATTERN_SEPARATED ? 7 : 3;
}

/* Of flat groups: the part of a row's squared length that is the same for all groups. */
static double background(tac_pattern pattern)
{
    return pattern == TAC_PATTERN_SEPARATED ? 0.1 : pattern == TAC_PATTERN_OVERLAPPING ? 0.5 : 1;
}

typedef struct maker {
    const tac_assumed *assumed;
    tac_generator random;
    int32_t dims, factors, groups;
    double *turn;                 /* dims x factors: orthonormal columns */
    double weight[FACTORS], rest; /* deviations of the factors, and of each column beyond them */
    double *center;               /* groups x factors: in deviations of the factors */
    double within;                /* of a group, in the same */
    double *share;                /* groups: cumulative shares of the rows */
    double *span;                 /* of flat groups: groups x directions x dims, not orthogonal */
    double *filled, *middle;      /* dims: a column's deviation and mean, in half ranges */
} maker;

/* Gram-Schmidt of normal numbers: columns of `turn` become orthonormal. */
static void make_turn(maker *m)
{
    for (int32_t f = 0; f < m->factors; f++) {
        double *own = m->turn + f, squares = 0;
        for (int32_t j = 0; j < m->dims; j++) own[j * m->factors] = tac_normal(&m->random);
        for (int32_t g = 0; g < f; g++) {
            double dot = 0;
            for (int32_t j = 0; j < m->dims; j++)
                dot += own[j * m->factors] * m->turn[j * m->factors + g];
            for (int32_t j = 0; j < m->dims; j++)
                own[j * m->factors] -= dot * m->turn[j * m->factors + g];
        }
        for (int32_t j = 0; j < m->dims; j++) squares += own[j * m->factors] * own[j * m->factors];
        for (int32_t j = 0; j < m->dims; j++) own[j * m->factors] /= sqrt(squares);
    }
}

/* Variances 1, 1/2, 1/3, ...: the tail beyond the factors is shared by all columns. */
static void make_weights(maker *m)
{
    double tail = 0;

    for (int32_t f = 0; f < m->factors; f++) m->weight[f] = 1 / sqrt(f + 1);
    for (int32_t f = m->factors; f < m->dims; f++) tail += 1.0 / (f + 1);
    m->rest = sqrt(tail / m->dims);
}

/* Squared distance of two points, each a vector of factors. */
static double squared_gap(const maker *m, const double *a, const double *b)
{
    double sum = 0;

    for (int32_t f = 0; f < m->factors; f++)
        sum += (a[f] - b[f]) * (a[f] - b[f]) * m->weight[f] * m->weight[f];
    return sum;
}

/* The least distance to the centers before `count`; in deviations of rows along that line if
   `along`. */
static double nearest(const maker *m, const double *point, int32_t count, int32_t without,
                      bool along)
{
    double best = INFINITY, squared = 0;

    for (int32_t c = 0; c < count; c++) {
        const double *other = m->center + (size_t)c * (size_t)m->factors;
        const double gap = squared_gap(m, point, other);
        if (c == without || gap >= best) continue;
        best = gap;
        squared = 0;
        for (int32_t f = 0; f < m->factors; f++)
            squared += pow((point[f] - other[f]) * m->weight[f] * m->weight[f], 2);
    }
    return along ? best / sqrt(squared) : sqrt(best);
}

/* Centers, each the farthest of a few draws from those before it; then the width of a group that
   leaves them so far apart. */
static void make_centers(maker *m)
{
    const double reach = sqrt(3); /* uniform, of variance 1 */
    double gap = 0;

    for (int32_t c = 0; c < m->groups; c++) {
        double *own = m->center + (size_t)c * (size_t)m->factors, drawn[FACTORS], far = -1;
        for (int draw = 0; draw < CANDIDATES; draw++) {
            for (int32_t f = 0; f < m->factors; f++)
                drawn[f] = reach * (2 * tac_uniform(&m->random) - 1);
            const double here = nearest(m, drawn, c, -1, false);
            if (here <= far) continue;
            far = here;
            for (int32_t f = 0; f < m->factors; f++) own[f] = drawn[f];
        }
    }
    for (int32_t c = 0; c < m->groups; c++)
        gap +=
            nearest(m, m->center + (size_t)c * (size_t)m->factors, m->groups, c, true) / m->groups;
    m->within = m->groups > 1 ? gap / apart(m->assumed->pattern) : 1;
}

/* Shares of the groups: equal, or up to four to one. */
static void make_shares(maker *m)
{
    const bool equal = m->assumed->pattern == TAC_PATTERN_SEPARATED;
    double sum = 0;

    for (int32_t c = 0; c < m->groups; c++) {
        sum += equal ? 1 : pow(4, tac_uniform(&m->random));
        m->share[c] = sum;
    }
    for (int32_t c = 0; c < m->groups; c++) m->share[c] /= sum;
}

/* How much of its bounds a column fills differs from column to column. */
static void make_columns(maker *m, bool ball)
{
    double squares = 0;

    for (int32_t j = 0; j < m->dims; j++) {
        m->filled[j] = exp(0.5 * tac_normal(&m->random));
        squares += m->filled[j] * m->filled[j] / m->dims;
        m->middle[j] = ball ? 0 : OFF_MIDDLE * (2 * tac_uniform(&m->random) - 1);
    }
    for (int32_t j = 0; j < m->dims; j++)
        m->filled[j] *= (ball ? BALL_FILLED / sqrt(m->dims) : 2 * FILLED) / sqrt(squares);
}

static int32_t draw_group(maker *m)
{
    const double u = tac_uniform(&m->random);
    int32_t c = 0;

    while (c < m->groups - 1 && u >= m->share[c]) c++;
    return c;
}

/* One row, in deviations of all rows: its group's center and a normal number along each factor. */
static void make_row(maker *m, int32_t group, double *row)
{
    const double *center = m->center + (size_t)group * (size_t)m->factors;
    double along[FACTORS];

    for (int32_t f = 0; f < m->factors; f++)
        along[f] = m->weight[f] * (center[f] + m->within * tac_normal(&m->random));
    for (int32_t j = 0; j < m->dims; j++) {
        row[j] = m->within * m->rest * tac_normal(&m->random);
        for (int32_t f = 0; f < m->factors; f++)
            row[j] += m->turn[(size_t)j * (size_t)m->factors + (size_t)f] * along[f];
    }
}

/* One row of a flat group: some of its length within the group's own span, the rest along the
   factors, which all groups share. */
static void make_flat_row(maker *m, int32_t group, double *row)
{
    const int32_t q = m->assumed->directions;
    const double *span = m->span + (size_t)group * (size_t)q * (size_t)m->dims;
    const double rest = background(m->assumed->pattern);
    double squares = m->rest * m->rest * m->dims;

    make_row(m, group, row);
    for (int32_t f = 0; f < m->factors; f++) squares += m->weight[f] * m->weight[f];
    for (int32_t j = 0; j < m->dims; j++) row[j] *= sqrt(rest / squares);
    for (int32_t i = 0; i < q; i++) {
        /* a direction has length sqrt(dims) */
        const double along = sqrt((1 - rest) / q / m->dims) * tac_normal(&m->random);
        for (int32_t j = 0; j < m->dims; j++)
            row[j] += along * span[(size_t)i * (size_t)m->dims + (size_t)j];
    }
}

/* Rows are made first and measured then: every set fills the same part of its bounds. */
static void scale_rows(maker *m, int64_t rows, double *value)
{
    const size_t dims = (size_t)m->dims;
    double squares = 0;

    for (int32_t j = 0; j < m->dims; j++) {
        double mean = 0;
        for (int64_t i = 0; i < rows; i++) mean += value[(size_t)i * dims + (size_t)j];
        mean /= (double)rows;
        for (int64_t i = 0; i < rows; i++) {
            double *here = value + (size_t)i * dims + (size_t)j;
            *here -= mean;
            squares += *here * *here / ((double)rows * m->dims);
        }
    }
    const double unit = squares > 0 ? 1 / sqrt(squares) : 0;
    for (int64_t i = 0; i < rows; i++)
        for (size_t j = 0; j < dims; j++) {
            double *here = value + (size_t)i * dims + j;
            *here = fmin(1, fmax(-1, m->middle[j] + m->filled[j] * unit * *here));
        }
}

tacit_status tac_make_groups(tacit_ctx *ctx, const tac_assumed *assumed, bool ball, int64_t rows,
                             int32_t dims, double *value, int32_t *group)
{
    tacit_status status = TACIT_OK;
    maker m = {.assumed = assumed, .dims = dims, .factors = dims < FACTORS ? dims : FACTORS};
    const size_t d = (size_t)dims;

    const bool flat = assumed->directions > 0;
    m.groups = assumed->pattern == TAC_PATTERN_UNSTRUCTURED ? 1 : assumed->clusters;
    const size_t groups = (size_t)m.groups, factors = (size_t)m.factors;
    tac_seed_generator(&m.random, assumed->seed);
    TAC_TRY(tac_new(ctx, d * factors, sizeof *m.turn, &m.turn));
    TAC_TRY(tac_new(ctx, groups * factors, sizeof *m.center, &m.center));
    TAC_TRY(tac_new(ctx, groups, sizeof *m.share, &m.share));
    TAC_TRY(tac_new(ctx, d, sizeof *m.filled, &m.filled));
    TAC_TRY(tac_new(ctx, d, sizeof *m.middle, &m.middle));
    TAC_TRY(tac_new(ctx, groups * (size_t)assumed->directions * d, sizeof *m.span, &m.span));
    make_turn(&m);
    make_weights(&m);
    if (flat)
        m.within = 1; /* all centers stay 0 */
    else
        make_centers(&m);
    for (size_t i = 0; i < groups * (size_t)assumed->directions * d; i++)
        m.span[i] = tac_normal(&m.random);
    make_shares(&m);
    make_columns(&m, ball);
    for (int64_t i = 0; i < rows; i++) {
        group[i] = draw_group(&m);
        (flat ? make_flat_row : make_row)(&m, group[i], value + (size_t)i * d);
    }
    scale_rows(&m, rows, value);
done:
    tac_free(m.turn);
    tac_free(m.center);
    tac_free(m.share);
    tac_free(m.span);
    tac_free(m.filled);
    tac_free(m.middle);
    return status;
}
