/* SPDX-License-Identifier: Apache-2.0 */
/* The assignment problem, min over permutations of sum_i cost[i][to[i]]: shortest augmenting
   paths with potentials (the Hungarian method), time k^3. Matches found subspaces or centers
   with others. */
#include "solve/subspace/subspaces.h"

#include <math.h>

/* sizes that need no memory of their own */
enum { FEW = 16 };

/* Columns are numbered from 1; column 0 stands for "the row that is being placed". */
typedef struct matching {
    const double *cost;
    int32_t k;
    /* potentials: cost[i][j] >= row[i] + column[j], equal on matched pairs */
    double *row, *column;
    /* per column: how little more than the potentials the cheapest way to it costs */
    double *slack;
    /* per column: the row matched to it (0: none), and the column before it on the way */
    int32_t *owner, *from;
    bool *reached;
} matching;

/* One more row finds its column: Dijkstra over reduced costs, then the path is turned over. */
static void place(matching *s, int32_t i)
{
    int32_t at = 0;

    for (int32_t j = 0; j <= s->k; j++) {
        s->slack[j] = INFINITY;
        s->reached[j] = false;
    }
    s->owner[0] = i;
    do {
        const int32_t r = s->owner[at];
        int32_t next = 0;
        double least = INFINITY;

        s->reached[at] = true;
        for (int32_t j = 1; j <= s->k; j++) {
            if (s->reached[j]) continue;
            const double more = s->cost[(size_t)(r - 1) * (size_t)s->k + (size_t)(j - 1)] -
                                s->row[r] - s->column[j];
            if (more < s->slack[j]) {
                s->slack[j] = more;
                s->from[j] = at;
            }
            if (next == 0 || s->slack[j] < least) {
                least = s->slack[j];
                next = j;
            }
        }
        for (int32_t j = 0; j <= s->k; j++) {
            if (s->reached[j]) {
                s->row[s->owner[j]] += least;
                s->column[j] -= least;
            } else {
                s->slack[j] -= least;
            }
        }
        at = next;
    } while (s->owner[at] != 0);
    while (at != 0) {
        s->owner[at] = s->owner[s->from[at]];
        at = s->from[at];
    }
}

/* Places all rows. s: potentials and owners are 0. *total: the sum of the given costs. */
static void match(matching *s, int32_t *to, double *total)
{
    for (int32_t i = 1; i <= s->k; i++) place(s, i);
    for (int32_t j = 1; j <= s->k; j++) to[s->owner[j] - 1] = j - 1;
    *total = 0; /* of the given costs, not of potentials, which have rounded */
    for (int32_t i = 0; i < s->k; i++) *total += s->cost[(size_t)i * (size_t)s->k + (size_t)to[i]];
}

/* The same without memory of its own: sample and aggregate matches thousands of pairs of a few. */
static void match_few(const double *cost, int32_t k, int32_t *to, double *total)
{
    double row[FEW + 1] = {0}, column[FEW + 1] = {0}, slack[FEW + 1];
    int32_t owner[FEW + 1] = {0}, from[FEW + 1] = {0};
    bool reached[FEW + 1];
    matching s = {.cost = cost,
                  .k = k,
                  .row = row,
                  .column = column,
                  .slack = slack,
                  .owner = owner,
                  .from = from,
                  .reached = reached};

    match(&s, to, total);
}

/* Small problems on the stack, others in memory of their own. */
tacit_status tac_match(tacit_ctx *ctx, const double *cost, int32_t k, int32_t *to, double *total)
{
    tacit_status status = TACIT_OK;
    const size_t room = (size_t)k + 1;
    matching s = {.cost = cost, .k = k};

    if (k <= FEW) {
        match_few(cost, k, to, total);
        return TACIT_OK;
    }
    TAC_TRY(tac_new(ctx, room, sizeof *s.row, &s.row));
    TAC_TRY(tac_new(ctx, room, sizeof *s.column, &s.column));
    TAC_TRY(tac_new(ctx, room, sizeof *s.slack, &s.slack));
    TAC_TRY(tac_new(ctx, room, sizeof *s.owner, &s.owner));
    TAC_TRY(tac_new(ctx, room, sizeof *s.from, &s.from));
    TAC_TRY(tac_new(ctx, room, sizeof *s.reached, &s.reached));
    match(&s, to, total);
done:
    tac_free(s.row);
    tac_free(s.column);
    tac_free(s.slack);
    tac_free(s.owner);
    tac_free(s.from);
    tac_free(s.reached);
    return status;
}
