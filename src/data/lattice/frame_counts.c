/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of counts: a row of counts -> a point of the positive part of the ball. A pure function of
   (row, public numbers), so it may use floating point; how far one count moves a point is bounded
   in counts_reach.c. */
#include "data/lattice/frame_internal.h"

#include <math.h>
#include <string.h>

#define ONE (UINT32_C(1) << 16) /* a weight of 1 */
#define LOGS 256                /* counts whose logarithms are tabulated: most counts are small */
#define COUNT_MOST 0x1p52       /* doubles distinguish all counts up to this */
/* With `least` a point stays so far inside the ball that no rounding can take it out: the clip then
   never moves it. */
#define INSIDE (TAC_M * (1 - 0x1p-19))

/* What frame->counts points into. */
typedef struct owned {
    tac_weighing weighing;
    double log[LOGS]; /* log2(1 + a) */
} owned;

void tac_weighing_free(tac_weighing *w)
{
    if (w == NULL) return;
    tac_free((void *)(uintptr_t)w->weight);
    tac_free((void *)(uintptr_t)w->group);
    tac_free(w);
}

/* A deep copy, with the table of logarithms behind it. *out is the caller's: tac_weighing_free. */
tacit_status tac_weighing_copy(tacit_ctx *ctx, int32_t columns, const tac_weighing *from,
                               tac_weighing **out)
{
    tacit_status status = TACIT_OK;
    owned *to = NULL;
    uint32_t *weight = NULL;
    int32_t *group = NULL;

    TAC_TRY(tac_new(ctx, 1, sizeof *to, &to));
    if (from->weight != NULL) {
        TAC_TRY(tac_new(ctx, (size_t)columns, sizeof *weight, &weight));
        memcpy(weight, from->weight, (size_t)columns * sizeof *weight);
    }
    if (from->group != NULL) {
        TAC_TRY(tac_new(ctx, (size_t)columns, sizeof *group, &group));
        memcpy(group, from->group, (size_t)columns * sizeof *group);
    }
    to->weighing = *from;
    to->weighing.weight = weight;
    to->weighing.group = group;
    weight = NULL;
    group = NULL;
    for (int a = 0; a < LOGS; a++) to->log[a] = tac_log2(1.0 + a);
    *out = &to->weighing;
    to = NULL;
done:
    tac_free(to);
    tac_free(weight);
    tac_free(group);
    return status;
}

/* Would every access stay within its array, and every weight within 1? That is all: a useless
   frame is allowed. */
static bool makes_sense(int32_t columns, const tac_weighing *w)
{
    if (columns < 1 || w->dims < 1 || w->most < 0 || (unsigned)w->value > TAC_ANY) return false;
    if (w->group == NULL && w->dims != columns) return false;
    for (int32_t j = 0; w->weight != NULL && j < columns; j++)
        if (w->weight[j] > ONE) return false;
    for (int32_t j = 0; w->group != NULL && j < columns; j++)
        if ((w->weight == NULL || w->weight[j] > 0) && (w->group[j] < 0 || w->group[j] >= w->dims))
            return false;
    return true;
}

/* *out is the caller's to clear, and empty after a failure. */
tacit_status tac_frame_weigh(tacit_ctx *ctx, int32_t columns, const tac_weighing *w, tac_frame *out)
{
    memset(out, 0, sizeof *out);
    if (!makes_sense(columns, w))
        return tac_fail(ctx, TACIT_E_INTERNAL, "a frame of counts has numbers that make no sense");
    const int32_t sparsity = w->most > 0 && w->most < w->dims ? w->most : 0;
    *out = (tac_frame){.ball = true, .columns = columns, .dims = w->dims, .sparsity = sparsity};
    const tacit_status status = tac_weighing_copy(ctx, columns, w, &out->counts);
    if (status != TACIT_OK) memset(out, 0, sizeof *out);
    return status;
}

tacit_status tac_frame_of_counts(tacit_ctx *ctx, int32_t columns, tac_frame *out)
{
    const tac_weighing plain = {.value = TAC_LOGARITHM, .dims = columns};
    return tac_frame_weigh(ctx, columns, &plain, out);
}

/* weight_j f(a), 0 for what is missing or no count. */
static double weighed(const tac_weighing *w, int32_t j, double a)
{
    const owned *o = (const owned *)(const void *)w;
    const double weight = w->weight == NULL ? 1.0 : w->weight[j] * (1.0 / ONE);

    if (!(a >= TAC_COUNT_LEAST)) return 0;
    if (a > COUNT_MOST) a = COUNT_MOST;
    if (w->value == TAC_ANY) return weight;
    if (w->value == TAC_COUNT) return weight * a;
    const int32_t small = a < LOGS ? (int32_t)a : 0;
    return weight * (small > 0 && small == a ? o->log[small] : tac_log2(1 + a));
}

/* What takes a weighed vector of this length (0: an empty one) into the ball. */
static double factor_of(const tac_weighing *w, double length)
{
    const double least = w->least * (1.0 / ONE), whole = w->least > 0 ? INSIDE : TAC_M;
    return length > least ? whole / length : least > 0 ? whole / least : 0;
}

/* |v|_2, or |v|_1 with taxicab; v >= 0. Summed in the order of the entries. */
static double length_of(const tac_weighing *w, const double *v, int32_t count)
{
    double sum = 0;

    for (int32_t e = 0; e < count; e++) sum += w->taxicab ? v[e] : v[e] * v[e];
    return w->taxicab ? sum : sqrt(sum);
}

/* Entries of one group become one, in ascending order of the group. */
static int32_t merge(const int32_t *group, int32_t *feature, double *value, int32_t count)
{
    int32_t kept = -1;

    for (int32_t e = 0; e < count; e++) feature[e] = group[feature[e]];
    tac_sort_entries(feature, value, (size_t)count);
    for (int32_t e = 0; e < count; e++) {
        if (kept >= 0 && feature[kept] == feature[e]) {
            value[kept] += value[e];
        } else {
            feature[++kept] = feature[e];
            value[kept] = value[e];
        }
    }
    return kept + 1;
}

/* weight f(a), keep the largest, add up by group, scale into the ball: the steps of tac_weighing
   in their order. */
int32_t tac_weigh_entries(const tac_weighing *w, int32_t *feature, double *value, int32_t count)
{
    int32_t kept = 0;

    for (int32_t e = 0; e < count; e++) {
        const double v = weighed(w, feature[e], value[e]);
        if (!(v > 0)) continue;
        feature[kept] = feature[e];
        value[kept++] = v;
    }
    if (w->most > 0)
        kept = (int32_t)tac_keep_largest(feature, value, (size_t)kept, (size_t)w->most);
    if (w->group != NULL) kept = merge(w->group, feature, value, kept);
    const double factor = factor_of(w, length_of(w, value, kept));
    for (int32_t e = 0; e < kept; e++) value[e] *= factor;
    return kept;
}

/* With `least` the point is cut down, so that one count moves it by no more than the proof
   allows; otherwise it is rounded. */
void tac_weighed_to_grid(const tac_weighing *w, const double *y, int32_t count, int16_t *point)
{
    if (w->least > 0) { /* cut down: nothing is outside the ball then */
        for (int32_t e = 0; e < count; e++) point[e] = (int16_t)(y[e] < TAC_M ? y[e] : TAC_M);
        tac_clip(point, count);
    } else {
        tac_frame_to_grid(y, 1.0, count, point);
    }
    if (w->taxicab) tac_clip_taxicab(point, count);
}

/* The entries of a dense row, then as for a sparse one; a sparse point is spread over its
   coordinates from the last on. */
void tac_frame_apply_counts(const tac_frame *f, const double *row, double *scratch, int16_t *point)
{
    double *value = scratch, *more = scratch + f->columns + f->columns / 2 + 1;
    int32_t *feature = (int32_t *)(void *)(scratch + f->columns), count = 0;

    for (int32_t j = 0; j < f->columns; j++) {
        if (!(row[j] > 0)) continue;
        feature[count] = j;
        value[count++] = row[j];
    }
    count = tac_frame_apply_sparse(f, feature, value, count, more, point);
    if (tac_frame_dense(f)) return;
    int32_t end = f->dims;
    for (int32_t e = count - 1; e >= 0; end = feature[e--]) {
        /* feature[e] >= e: nothing that is still to be moved is overwritten */
        const int16_t x = point[e];
        for (int32_t j = feature[e] + 1; j < end; j++) point[j] = 0;
        point[feature[e]] = x;
    }
    for (int32_t j = 0; j < end; j++) point[j] = 0;
}

/* How many of the row's weighed values are above a bound, or at it. */
static int32_t above(const tac_frame *f, const double *row, double bound)
{
    int32_t many = 0;
    for (int32_t j = 0; j < f->columns; j++) many += weighed(f->counts, j, row[j]) >= bound;
    return many;
}

/* The `most`-th largest value: bits of positive doubles are in the order of the numbers. 0: there
   are no more. */
static double smallest_kept(const tac_frame *f, const double *row)
{
    uint64_t bits = 0;

    for (int bit = 62; bit >= 0; bit--) {
        const uint64_t next = bits | UINT64_C(1) << bit;
        double bound;
        memcpy(&bound, &next, sizeof bound);
        if (above(f, row, bound) >= f->counts->most) bits = next;
    }
    double bound;
    memcpy(&bound, &bits, sizeof bound);
    return bound;
}

/* The same point as tac_frame_apply_counts before rounding, without scratch: the cut is found by
   bisection over values instead of by sorting. */
void tac_frame_counts_to_lattice(const tac_frame *f, const double *row, double *lattice)
{
    const tac_weighing *w = f->counts;
    const double cut = w->most > 0 ? smallest_kept(f, row) : 0;
    /* the lowest columns of them */
    int32_t ties = w->most - (w->most > 0 ? above(f, row, nextafter(cut, INFINITY)) : 0);

    memset(lattice, 0, (size_t)f->dims * sizeof *lattice);
    for (int32_t j = 0; j < f->columns; j++) {
        const double v = weighed(w, j, row[j]);
        if (!(v > 0) || v < cut || (w->most > 0 && v == cut && ties-- <= 0)) continue;
        lattice[w->group == NULL ? j : w->group[j]] += v;
    }
    const double factor = factor_of(w, length_of(w, lattice, f->dims));
    for (int32_t i = 0; i < f->dims; i++) lattice[i] *= factor;
}
