/* SPDX-License-Identifier: Apache-2.0 */
/* How far one count can move a point of a frame of counts: the sensitivity of queries under
   neighbors entry starts here. Integers only, rounded up. Proof: counts_frame.proof.md */
#include "data/lattice/frame.h"

#define ONE (UINT32_C(1) << 16)
#define M2 ((tac_u128)TAC_M * TAC_M)

static tac_u128 ceil_div(tac_u128 a, tac_u128 b)
{
    return (a + b - 1) / b;
}

/* ceil(sqrt(x)). */
static uint64_t root_up(tac_u128 x)
{
    const uint64_t root = tac_root(x);
    return root + ((tac_u128)root * root < x);
}

/* W, the largest weight of a column, in 2^-16. */
static uint64_t heaviest(const tac_frame *f)
{
    uint64_t most = 0;

    if (f->counts->weight == NULL) return ONE;
    for (int32_t j = 0; j < f->columns; j++)
        if (f->counts->weight[j] > most) most = f->counts->weight[j];
    return most;
}

/* The frame shrinks: one count moves a point by a part of M. False: it may turn it into any
   other. */
static bool shrinks(const tac_frame *f)
{
    return f->counts->least > 0 && (f->counts->most == 0 || f->counts->most >= f->columns);
}

/* No two columns add up in one coordinate: groups ascend from column to column, or there are
   none. */
static bool alone(const tac_frame *f)
{
    int32_t last = -1;

    for (int32_t j = 0; f->counts->group != NULL && j < f->columns; j++) {
        if (f->counts->weight != NULL && f->counts->weight[j] == 0) continue;
        if (f->counts->group[j] <= last) return false;
        last = f->counts->group[j];
    }
    return true;
}

/* |z - z'| before it is cut to integers: W M / S, with the taxicab norm sqrt 2 W M / S; rounded
   up. */
static tac_u128 stretch(const tac_frame *f)
{
    const tac_u128 w = heaviest(f), s = f->counts->least;
    if (!f->counts->taxicab) return ceil_div(w * TAC_M, s);
    return root_up(ceil_div(2 * w * w * M2, s * s));
}

/* min(stretch + sqrt(dims) + 1, sqrt 2 M): the move before rounding, then what cutting down may
   add in each coordinate; two points of the positive part of the ball are never farther apart
   than sqrt 2 M. */
uint32_t tac_frame_entry_reach(const tac_frame *f)
{
    const uint64_t any = root_up(2 * M2);

    if (f->counts == NULL || f->shift != NULL) return 0;
    if (!shrinks(f)) return (uint32_t)any;
    const tac_u128 reach = stretch(f) + root_up((tac_u128)(uint32_t)f->dims) + 1;
    return (uint32_t)(reach < any ? reach : any);
}

/* |x x^T - y y^T|_F <= (|x| + |y|) |x - y| <= 2 M reach. Where every count has a coordinate of
   its own, a finer bound: sqrt 2 M^2 W / S, and rounding. */
uint64_t tac_frame_entry_squares(const tac_frame *f)
{
    const tac_u128 any = root_up(2 * M2 * M2);
    tac_u128 squares = 2 * (tac_u128)TAC_M * tac_frame_entry_reach(f);

    if (f->counts == NULL || f->shift != NULL) return 0;
    if (shrinks(f) && alone(f) && !f->counts->taxicab && f->counts->value != TAC_COUNT) {
        const tac_u128 w = heaviest(f), s = f->counts->least;
        const tac_u128 far = root_up(ceil_div(2 * M2 * M2 * w * w, s * s));
        const tac_u128 cut = root_up((tac_u128)(uint32_t)f->dims);
        const tac_u128 finer = far + 2 * cut * (TAC_M + stretch(f)) + TAC_M;
        if (finer < squares) squares = finer;
    }
    return (uint64_t)(squares < any ? squares : any);
}
