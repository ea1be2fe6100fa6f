/* SPDX-License-Identifier: Apache-2.0 */
/* Sensitivities of every kind of query, in integers: the bound step of a query. m: rows that a
   privacy unit may own. The proof pages derive each line; brute force over all tiny data sets
   attacks each line (tests/test_brute.c). */
#include "privacy/door_internal.h"
#include "privacy/noise/trace_noise.h"

#define GRID ((tac_u128)1 << TAC_COUNT_GRID)
#define M2 ((tac_u128)TAC_M * TAC_M)

/* counts.proof.md: a privacy unit brings at most m rows, in either relation. */
tac_sensitivity tac_sensitivity_count(tacit_neighbors neighbors, uint64_t m)
{
    (void)neighbors;
    return (tac_sensitivity){.l2_squared = GRID * m * GRID * m, .l1 = GRID * m, .reach = GRID};
}

/* counts.proof.md: m rows leave one cell and m enter another. */
tac_sensitivity tac_sensitivity_histogram(tacit_neighbors neighbors, uint64_t m)
{
    const unsigned sides = tac_replaces(neighbors) ? 2 : 1;
    return (tac_sensitivity){
        .l2_squared = sides * GRID * m * GRID * m, .l1 = sides * GRID * m, .reach = GRID};
}

/* sums.proof.md: a row is the vector (x, w) in its cell's place, |x|_2 <= M, |x|_1 <= sqrt(d) M. */
tac_sensitivity tac_sensitivity_sums(tacit_neighbors neighbors, uint64_t m, int32_t dims,
                                     uint32_t count_weight)
{
    const tac_u128 w2 = (tac_u128)count_weight * count_weight;
    const tac_u128 one = M2 + w2, l1 = tac_root((tac_u128)dims * M2) + count_weight;
    const tac_u128 apart = 2 * one, opposite = 4 * M2;

    if (neighbors == TACIT_ADD_REMOVE)
        return (tac_sensitivity){.l2_squared = one * m * m, .l1 = l1 * m, .reach = TAC_M};
    return (tac_sensitivity){.l2_squared = (apart > opposite ? apart : opposite) * m * m,
                             .l1 = 2 * l1 * m,
                             .reach = TAC_M};
}

/* moments.proof.md: is trace noise smaller than Laplace noise? Where |x|_1^2 <= t |x|_2^2 iff (3 +
   7 t)^2 > 49 (d + 1). */
static bool trace_is_smaller(int32_t dims, int32_t most)
{
    const uint64_t cross = TAC_MOMENT_CROSS,
                   l1 = 2 * TAC_MOMENT_SAME - cross + cross * (uint64_t)most;

    return dims > 1 && dims <= TAC_TRACE_DIMS && l1 * l1 > cross * cross * ((uint64_t)dims + 1);
}

/* moments.proof.md: the weighted triangle of x x^T has L2 norm at most 5 M^2 and, where |x|_1^2 <=
   t |x|_2^2, L1 norm at most M^2 (3 + 7 t) / 2; x x^T has trace norm |x|_2^2. */
tac_sensitivity tac_sensitivity_moments(tacit_neighbors neighbors, uint64_t m, int32_t dims,
                                        int32_t most)
{
    const unsigned sides = tac_replaces(neighbors) ? 2 : 1;
    const tac_u128 same = TAC_MOMENT_SAME, cross = TAC_MOMENT_CROSS, far = same * M2;
    const tac_u128 l1 = M2 * (2 * same - cross + cross * (tac_u128)(uint32_t)most) / 2;
    tac_sensitivity s = {
        .l2_squared = sides * far * far * m * m, .l1 = sides * l1 * m, .reach = far};

    if (trace_is_smaller(dims, most)) s.trace = tac_range_squares(neighbors, m) * M2, s.dims = dims;
    return s;
}

/* fourth.proof.md: the tensor of a row has norm at most A, and inner products of two are above -2 A
   C; 20 times its entries are at least those released. */
tac_sensitivity tac_sensitivity_fourth(tacit_neighbors neighbors, uint64_t m, int32_t dims)
{
    const tac_u128 p = (tac_u128)(uint32_t)dims, a = (M2 * M2 + (((tac_u128)1 << 30) - 1)) >> 30;
    const tac_u128 cut = (tac_u128)tac_root(8 * p * p * a) + 1;
    const tac_u128 one = 400 * a * a, l1 = tac_root(one * tac_fourth_count(dims));

    if (neighbors == TACIT_ADD_REMOVE)
        return (tac_sensitivity){.l2_squared = one * m * m, .l1 = l1 * m, .reach = 20 * a};
    return (tac_sensitivity){
        .l2_squared = (2 * one + 1600 * a * cut) * m * m, .l1 = 2 * l1 * m, .reach = 20 * a};
}

/* local.proof.md: a row is (a, b u, |u|^2, T(u) or u_j^2) in its cell's place, |u|_2 <= M. Replaced
   within a cell, two rows are farthest apart when they are opposite, or, with second moments that
   outweigh the sums, at an obtuse angle. */
tac_sensitivity tac_sensitivity_local(tacit_neighbors neighbors, uint64_t m, int32_t dims,
                                      const tac_local_parts *p)
{
    const tac_u128 a = p->count, b = p->sum,
                   last = p->square || p->moments || p->axes ? M2 * M2 : 0;
    const tac_u128 one = a * a + b * b * M2 + last;
    const tac_u128 l1_last = p->moments             ? M2 * ((tac_u128)dims + 1) / 2
                             : p->square || p->axes ? M2
                                                    : (tac_u128)0;
    const tac_u128 l1 = a + b * tac_root((tac_u128)dims * M2) + l1_last;
    const bool obtuse = (p->moments || p->axes) && dims > 1 && b * b <= 2 * M2;
    const tac_u128 moved =
        obtuse ? 2 * M2 * M2 + 2 * M2 * b * b + (b * b * b * b + 1) / 2 : 4 * b * b * M2;
    const tac_u128 inside = moved + (p->soft ? a * a : 0), apart = 2 * one;
    /* of sums; where there are none, of counts, then of squares */
    const tac_u128 reach = b > 0 ? b * TAC_M : a > 0 ? a : M2;

    if (neighbors == TACIT_ADD_REMOVE)
        return (tac_sensitivity){.l2_squared = one * m * m, .l1 = l1 * m, .reach = reach};
    return (tac_sensitivity){
        .l2_squared = (apart > inside ? apart : inside) * m * m, .l1 = 2 * l1 * m, .reach = reach};
}

/* table.proof.md: one count is in one cell, and moves by 1. */
tac_sensitivity tac_sensitivity_table(void)
{
    return (tac_sensitivity){.l2_squared = GRID * GRID, .l1 = GRID, .reach = GRID};
}

/* select.proof.md: adding rows raises every cost by 0 .. B each; replacing moves them both ways. B:
   squared distances from subspaces through 0 are at most |x|^2. */
uint64_t tac_range_subspaces(tacit_neighbors neighbors, uint64_t m)
{
    return (tac_replaces(neighbors) ? 2 : 1) * m * TAC_SPAN_COST_MOST;
}

/* bingham.proof.md, moments.proof.md: a row adds between 0 and 1, to one cell; the trace of its
   matrix is that. */
uint64_t tac_range_squares(tacit_neighbors neighbors, uint64_t m)
{
    return (tac_replaces(neighbors) ? 2 : 1) * m;
}

/* The least scale whose cost fits, by the account's own noise: what a quote and a charge share. */
uint64_t tac_scale_for(tac_definition definition, const tac_sensitivity *s, uint64_t quanta)
{
    if (definition != TAC_PURE) return tac_sigma_for(s->l2_squared, quanta);
    /* trace noise costs as Laplace noise does */
    return tac_laplace_scale_for(s->trace > 0 ? s->trace : s->l1, quanta);
}
