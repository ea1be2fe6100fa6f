/* SPDX-License-Identifier: Apache-2.0 */
/* Between rounds: centers whose cell is lost in the noise move next to the center that serves
   most rows, and of two centers that share a cluster one becomes free. Post-processing of noisy
   counts and centers. */
#include "cluster/kmeans/literature/lloyd/lloyd.h"
#include "cluster/kmeans/spread_centers.h"

#include <math.h>

#define OFFSET 0.05 /* half the distance of the two halves of a split cell, in radii */
/* merging two cells that costs less than this share of the mean nearest merge */
#define SAME_CLUSTER 0.2

static double *center(const tac_lloyd_state *s, int32_t c)
{
    return s->centers + (size_t)c * (size_t)s->dims;
}

static int32_t largest(const tac_lloyd_state *s)
{
    int32_t best = 0;
    for (int32_t c = 1; c < s->k; c++)
        if (s->mass[c] > s->mass[best]) best = c;
    return best;
}

/* Put center c beside center `big`, each a little off in opposite random directions. */
static void split(tac_lloyd_state *s, int32_t c, int32_t big)
{
    double *a = center(s, c), *b = center(s, big);

    tac_public_direction(s->random, s->dims, a);
    for (int32_t j = 0; j < s->dims; j++) {
        const double off = OFFSET * TAC_M * a[j];
        a[j] = b[j] - off;
        b[j] = b[j] + off;
    }
    s->mass[big] /= 2;
    s->mass[c] = s->mass[big];
    s->used[c] = s->used[big] = true;
}

/* What merging two cells would add to the cost (Ward), less what noise alone puts between their
   centers. */
static double merge_cost(const tac_lloyd_state *s, int32_t a, int32_t b)
{
    const double na = s->count[a], nb = s->count[b], noise = s->dims * s->sd * s->sd;
    double far = -noise / pow(fmax(na, 1), 2) - noise / pow(fmax(nb, 1), 2);

    for (int32_t j = 0; j < s->dims; j++) far += pow(center(s, a)[j] - center(s, b)[j], 2);
    return fmax(far, 0) * na * nb / fmax(na + nb, 1);
}

/* Fill the table of pairs; returns the cost below which two cells count as one cluster (negative:
   no pair). */
static double compare_pairs(tac_lloyd_state *s)
{
    double sum = 0;
    int32_t rows = 0;

    for (int32_t a = 0; a < s->k; a++)
        for (int32_t b = 0; b <= a; b++)
            s->pair[(size_t)a * (size_t)s->k + (size_t)b] =
                s->pair[(size_t)b * (size_t)s->k + (size_t)a] =
                    a == b || s->used[a] || s->used[b] ? INFINITY : merge_cost(s, a, b);
    for (int32_t a = 0; a < s->k; a++) {
        double least = INFINITY;
        for (int32_t b = 0; b < s->k; b++)
            least = fmin(least, s->pair[(size_t)a * (size_t)s->k + (size_t)b]);
        if (isfinite(least)) sum += least, rows++;
    }
    return rows == 0 ? -1 : SAME_CLUSTER * sum / rows;
}

static bool cheapest_pair(const tac_lloyd_state *s, double limit, int32_t *a, int32_t *b)
{
    double least = INFINITY;

    for (int32_t i = 0; i < s->k; i++)
        for (int32_t j = i + 1; j < s->k && !s->used[i]; j++) {
            const double cost = s->pair[(size_t)i * (size_t)s->k + (size_t)j];
            if (!s->used[j] && cost < least) least = cost, *a = i, *b = j;
        }
    return least <= limit && isfinite(least);
}

/* At most max(1, k / 8) times: the two cheapest become one, and the free center splits the
   largest cell. */
static void merge_and_split(tac_lloyd_state *s)
{
    const double limit = compare_pairs(s);

    for (int32_t turn = 0; turn < (s->k < 8 ? 1 : s->k / 8); turn++) {
        int32_t a = 0, b = 0;
        if (!cheapest_pair(s, limit, &a, &b)) return;
        const int32_t big = largest(s);
        const double na = s->count[a], nb = s->count[b];
        if (big == a || big == b || s->mass[big] < na + nb) return;
        for (int32_t j = 0; j < s->dims; j++)
            center(s, a)[j] = (na * center(s, a)[j] + nb * center(s, b)[j]) / (na + nb);
        s->mass[a] = na + nb;
        s->used[a] = true;
        split(s, b, big);
    }
}

void tac_lloyd_reseed(tac_lloyd_state *s)
{
    for (int32_t c = 0; c < s->k; c++) {
        s->mass[c] = s->live[c] ? s->count[c] : 0;
        s->used[c] = !s->live[c];
    }
    for (int32_t c = 0; c < s->k; c++)
        if (!s->live[c]) split(s, c, largest(s));
    if (s->pair != NULL) merge_and_split(s);
    for (int32_t c = 0; c < s->k; c++) tac_into_domain(s->frame, center(s, c));
}
