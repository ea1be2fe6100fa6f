/* SPDX-License-Identifier: Apache-2.0 */
/* Events that tell two samples apart: learned on the first halves, certified on the second ones. */
#include "audit/events.h"

#include <math.h>
#include <stdlib.h>

/* thresholds tried on each column and side; events certified at most */
enum { THRESHOLDS = 60, KEPT_MOST = 16 };

typedef struct learning {
    int64_t half;
    double alpha, delta; /* of one event */
    double *sorted[2];   /* half numbers each: a column, NAN last */
    int64_t numbers[2];  /* that are not NAN */
    int kept, most;
    tac_event *event; /* by score, best first; one a column */
} learning;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Inserts an event into the list, sorted by score, if it beats what its column or the list has. */
static void offer(learning *l, const tac_event *e)
{
    int at = l->kept;

    for (int i = 0; i < l->kept; i++)
        if (l->event[i].column == e->column) {
            if (l->event[i].score >= e->score) return;
            at = i;
        }
    if (at == l->most) {
        at--;
        if (l->event[at].score >= e->score) return;
    } else if (at == l->kept) {
        l->kept++;
    }
    for (; at > 0 && l->event[at - 1].score < e->score; at--) l->event[at] = l->event[at - 1];
    l->event[at] = *e;
}

/* How many of the sorted numbers of a side are below `value`; or_equal: at most `value`. */
static int64_t below(const learning *l, int side, double value, bool or_equal)
{
    int64_t low = 0, high = l->numbers[side];

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (or_equal ? l->sorted[side][middle] <= value : l->sorted[side][middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Scores "column = value" or "column >= value" by what the first halves seem to prove. */
static void consider(learning *l, int32_t column, double value, bool equal)
{
    int64_t hits[2];

    for (int side = 0; side < 2; side++)
        hits[side] =
            (equal ? below(l, side, value, true) : l->numbers[side]) - below(l, side, value, false);
    tac_event e = {
        .column = column, .equal = equal, .value = value, .frequent = hits[1] >= hits[0]};
    const tac_seen seen = {.hits = {hits[!e.frequent], hits[e.frequent]},
                           .runs = {l->half, l->half}};
    e.score = tac_guess(&seen, l->alpha, l->delta).epsilon;
    offer(l, &e);
}

/* The most frequent value, and how often it occurs. */
static double mode(const double *sorted, int64_t n, int64_t *often)
{
    double found = NAN;

    *often = 0;
    for (int64_t i = 0, from = 0; i < n; i++) {
        if (sorted[i] != sorted[from]) from = i;
        if (i - from + 1 > *often) *often = i - from + 1, found = sorted[i];
    }
    return found;
}

/* Candidates of a column: equality with its mode on either side, and thresholds at quantiles,
   dense at both ends. A hash of text has no order: equality only. */
static void learn_column(learning *l, const tac_event_features *f, int32_t column)
{
    int64_t often;

    for (int side = 0; side < 2; side++) {
        int64_t n = 0;
        for (int64_t i = 0; i < l->half; i++) {
            const double x = tac_features_of(f, side, i)[column];
            if (!isnan(x)) l->sorted[side][n++] = x;
        }
        l->numbers[side] = n;
        qsort(l->sorted[side], (size_t)n, sizeof(double), by_size);
    }
    for (int side = 0; side < 2; side++) {
        const int64_t n = l->numbers[side];
        const double common = mode(l->sorted[side], n, &often);
        if (often > 1) consider(l, column, common, true);
        if (column == TAC_FEATURE_TEXT || n == 0) continue;
        for (int i = 0; i < THRESHOLDS; i++) {
            const double u = 0.5 - 0.5 * cos(M_PI * i / (THRESHOLDS - 1));
            consider(l, column, l->sorted[side][(int64_t)(u * (double)(n - 1) + 0.5)], false);
        }
    }
}

static bool happens(const tac_event *e, double x)
{
    return e->equal ? x == e->value : x >= e->value;
}

/* Every certified event gets alpha / kept: all bounds hold together with probability 1 - alpha. */
tacit_status tac_features_prove(tacit_ctx *ctx, const tac_event_features *f, int most, double alpha,
                                double delta, tac_proved *proved, tac_event *best)
{
    tacit_status status = TACIT_OK;
    tac_event event[KEPT_MOST];
    learning l = {.half = f->runs / 2,
                  .delta = delta,
                  .most = most < KEPT_MOST ? most : KEPT_MOST,
                  .event = event};

    *proved = (tac_proved){.epsilon = -INFINITY, .mu = -INFINITY};
    *best = (tac_event){0};
    l.alpha = alpha / l.most;
    for (int side = 0; side < 2; side++)
        TAC_TRY(tac_new(ctx, (size_t)l.half, sizeof(double), &l.sorted[side]));
    for (int32_t column = 0; column < f->width; column++) learn_column(&l, f, column);
    for (int k = 0; k < l.kept; k++) {
        tac_seen seen = {.runs = {f->runs - l.half, f->runs - l.half}};
        for (int side = 0; side < 2; side++)
            for (int64_t i = l.half; i < f->runs; i++)
                seen.hits[side == event[k].frequent] +=
                    happens(&event[k], tac_features_of(f, side, i)[event[k].column]);
        const tac_proved one = tac_prove(&seen, alpha / l.kept, delta);
        if (k == 0 || one.epsilon > proved->epsilon) *proved = one, *best = event[k];
    }
done:
    for (int side = 0; side < 2; side++) tac_free(l.sorted[side]);
    return status;
}
