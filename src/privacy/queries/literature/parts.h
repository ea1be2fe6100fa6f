/* SPDX-License-Identifier: Apache-2.0 */
/* What the pieces of the query about results of parts share (parts.proof.md): who falls into which
   part (query_parts.c, integers), the plain solver on a part (part_subspaces.c, part_points.c), the
   center of the results and how much noise it needs (parts_center.c). */
#ifndef TAC_PARTS_H
#define TAC_PARTS_H

#include "privacy/kinds.h"

/* The least noise, in units of the grid on which noisy vectors are released. */
#define TAC_PARTS_SIGMA_LEAST (UINT64_C(1) << 18)

/* The rows of part p: row[first[p]] .. row[first[p + 1] - 1]. Private; the caller frees both, also
   on failure. */
typedef struct tac_parts_rows {
    int64_t *first, *row;
} tac_parts_rows;
tacit_status tac_parts_split(const tac_door *door, const tac_parts *plan,
                             const tac_parts_rule *rule, uint64_t query, tac_parts_rows *out);

/* The result of a part: k x q x dims, orthonormal, finite, a function of its n rows in their order
   and of public numbers. Too few rows: axes. quiet: the worker's own ctx. */
tacit_status tac_part_subspaces(tacit_ctx *quiet, const tac_lattice *rows, const int64_t *row,
                                int64_t n, const tac_parts *plan, double *result);
/* The same for points: k x dims, each of length 1 at most, where the lattice's ball has radius 1.
   Too few rows: zeros. */
tacit_status tac_part_points(tacit_ctx *quiet, const tac_lattice *rows, const int64_t *row,
                             int64_t n, const tac_parts *plan, double *result);

/* Around all calls of the above: a BLAS must not change its threads while workers use it. */
int tac_parts_begin(void);
void tac_parts_end(int before);

/* From all results (parts x k x q x dims) the center, in words of the grid, and the scale of its
   noise, in steps of the grid. Both private. */
tacit_status tac_parts_center(const tac_door *door, const tac_parts *plan,
                              const tac_parts_rule *rule, const double *results, uint64_t *words,
                              uint64_t *sigma);

/* A smooth bound on how far one privacy unit can move the center: reach[i * parts + t] is the
   distance from result i to the (t + 1)-th nearest, itself first. room: parts doubles. *center:
   the index of the result. */
double tac_parts_smooth(const tac_parts_rule *rule, const double *reach, double *room,
                        int32_t *center);

/* Distance of two results: over the best pairing of their k subspaces, the root of the sum of min
   |U - V O|^2 over rotations O (q up to 16) or of |UU' - VV'|^2, which is no smaller; of points, of
   |u - v|^2. */
tacit_status tac_parts_distance(tacit_ctx *quiet, const tac_parts *plan, const double *a,
                                const double *b, int32_t dims, double *out);

/* Numbers of its rule for the receipt, on the grid: noise and sensitivity relative to the smooth
   bound, which itself is private. */
void tac_parts_describe(tac_bound *bound);
/* The rule for the door's account; false: none. */
bool tac_parts_rule_of(const tac_door *door, const tac_parts *plan, tac_parts_rule *rule);

#endif
