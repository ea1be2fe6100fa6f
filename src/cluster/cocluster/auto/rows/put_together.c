/* SPDX-License-Identifier: Apache-2.0 */
/* All tables as one: the rows of a cluster have moved between rounds, but most of what an older
   table says still holds. Post-processing. */
#include "cluster/cocluster/auto/rows/auto_rows.h"

#include <math.h>

#define SLOPE_MOST 3.0
#define SLOPE_LEAST 0.05 /* a table with less has nothing to say about the clusters of now */

/* above = T_a. - p_a (sum of all rows of T), p_a the newest part of cluster a. */
static void find_above(const tac_rows_walk *w, const double *table, const double *sum, double part,
                       size_t a, double *above)
{
    const size_t kept = (size_t)w->kept;
    for (size_t g = 0; g < kept; g++) above[g] = table[a * kept + g] - part * sum[g];
}

/* Adds table s to the sums of weights and of weighted tables. Its contrasts are multiplied by
   their slope on those of the newest, c = <E_s, E_t> / (|E_s|^2 - noise), and what it still misses
   counts as noise. */
static void add_older(tac_rows_walk *w, int32_t s, const double *part, double *room,
                      double *weights)
{
    const size_t k = (size_t)w->k, kept = (size_t)w->kept;
    const int32_t t = w->asked - 1;
    const double *old = w->table[s], *new = w->table[t], v = w->variance[s];
    const double cells = (double)w->kept * (w->k - 1);
    double *sum = room, *sum_new = room + kept, *above = room + 2 * kept, *above_new = above + kept;
    double own = 0, cross = 0, squares = 0; /* |E_s|^2, <E_s, E_t>, |E_t|^2 */

    for (size_t g = 0; g < kept; g++) sum[g] = sum_new[g] = 0;
    for (size_t e = 0; e < k * kept; e++) {
        sum[e % kept] += old[e];
        sum_new[e % kept] += new[e];
    }
    for (size_t a = 0; a < k; a++) {
        find_above(w, old, sum, part[a], a, above);
        find_above(w, new, sum_new, part[a], a, above_new);
        for (size_t g = 0; g < kept; g++) {
            own += above[g] * above[g];
            cross += above[g] * above_new[g];
            squares += above_new[g] * above_new[g];
        }
    }
    const double slope = fmin(fmax(cross / fmax(own - cells * v, 1e-9), 0), SLOPE_MOST);
    if (!(slope > SLOPE_LEAST)) return;
    const double apart = squares - 2 * slope * cross + slope * slope * own;
    const double noise = fmax(slope * slope * v, apart / cells - w->variance[t]);
    for (size_t a = 0; a < k; a++) {
        find_above(w, old, sum, part[a], a, above);
        for (size_t g = 0; g < kept; g++)
            w->whole[a * kept + g] += (part[a] * sum[g] + slope * above[g]) / noise;
    }
    *weights += 1 / noise;
}

/* whole = weighted mean by inverse variance of the newest table and of the older ones. */
tacit_status tac_rows_put_together(tac_rows_walk *w)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)w->k, kept = (size_t)w->kept;
    const int32_t t = w->asked - 1;
    double *room = NULL, *part = NULL, all = 0, weights = 1 / w->variance[t];

    TAC_TRY(tac_new(w->ctx, 4 * kept, sizeof *room, &room));
    TAC_TRY(tac_new(w->ctx, k, sizeof *part, &part));
    for (size_t a = 0; a < k; a++) all += w->size[a];
    for (size_t a = 0; a < k; a++) part[a] = w->size[a] / all;
    for (size_t e = 0; e < k * kept; e++) w->whole[e] = w->table[t][e] * weights;
    for (int32_t s = 0; s < t && w->k > 1; s++) add_older(w, s, part, room, &weights);
    for (size_t e = 0; e < k * kept; e++) w->whole[e] /= weights;
    w->left = 1 / weights;
done:
    tac_free(room);
    tac_free(part);
    return status;
}
