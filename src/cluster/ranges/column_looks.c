/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at columns: octaves first; lines, where all values may be about one number; then bins that
   grow with the distance from the middle. Every look is a histogram of one column that the door
   answers and charges. */
#include "cluster/ranges/ranges.h"

#include <math.h>
#include <string.h>

enum {
    OCTAVE_BINS = 2 * TAC_OCTAVES + 1,
    LINES = 64,
    CLOSER_MOST = 2, /* looks at lines */
    STEPS = 6,       /* of the last look: bins an octave of distance ... */
    INNER = 36,      /* ... so many within the distance known, and so many beyond it */
    OUTER = 24,
    SIDE = 1 + INNER + OUTER,
    EDGES = 2 * SIDE - 1
};
#define OFFSET 8.0 /* octaves of one sign, up to this ratio: values may be all about one number */
#define FEW 2      /* lines that are too few to tell where to look */
#define CLOSER 0.1 /* of what a column has left: a look at lines */
#define ALARM 1e-6 /* chance that octaves without rows pass for full: bounds would be absurd */
#define ALARM_LINES 1e-3
#define BEYOND 4.0    /* standard deviations of rows outside of the lines that are clear */
#define LARGEST 1e100 /* as declared bounds are */
#define SMALLEST 1e-90
#define MARGIN 0.02 /* of the range found, on both sides */

/* Histograms of columns of one frame: all are asked in one pass. */
typedef struct columns_look {
    tac_asking *ask;
    tac_slice *slice;
    int32_t count;
} columns_look;

static tacit_status open_look(tac_run *run, int32_t most, columns_look *l)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_new(run->ctx, (size_t)most, sizeof *l->ask, &l->ask));
    TAC_TRY(tac_new(run->ctx, (size_t)most, sizeof *l->slice, &l->slice));
done:
    return status;
}

static void close_look(columns_look *l)
{
    if (l->ask != NULL) tac_asking_clear(l->ask, l->count);
    tac_free(l->ask);
    tac_free(l->slice);
}

/* The next axis of the rows' view, in so many bins from `least` on, and one more for missing
   values. */
static void add_axis(const tac_run *run, columns_look *l, const char *what, int32_t least,
                     int32_t bins, uint64_t quanta)
{
    const tac_cells all = {.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1};
    tac_slice *slice = &l->slice[l->count];

    *slice =
        (tac_slice){.axis = l->count, .low = (int16_t)least, .high = (int16_t)(least + bins + 1)};
    l->ask[l->count++] = (tac_asking){.what = what,
                                      .quanta = quanta,
                                      .query = tac_query_slices(run->door, &all, slice, bins + 1)};
}

/* Rows in the bins of an axis, missing values left out. */
static void read_axis(const tac_run *run, const columns_look *l, int32_t axis, double *rows,
                      tac_held *held)
{
    for (int32_t b = 0; b < held->bins; b++)
        rows[b] = ldexp((double)tac_answer(&l->ask[axis], (size_t)b), -TAC_COUNT_GRID);
    held->number = rows;
    held->sd = ldexp(tac_sd_before(run->door, l->count - 1 - axis), -TAC_COUNT_GRID);
    held->laplace = tac_door_distribution(run->door) == TAC_LAPLACE;
}

/* Nothing stands out, or nothing but 0, and then no unit is known: the limits, or about the octave
   with the most rows. */
static void fall_back(const tac_held *held, tac_range *r)
{
    int32_t most = 0;

    r->found = false;
    r->low = r->least;
    r->high = r->most;
    if (isfinite(r->low) && isfinite(r->high)) return;
    for (int32_t b = 1; b < held->bins; b++)
        if (held->number[b] > held->number[most]) most = b;
    const int32_t octave = most - TAC_OCTAVES;
    r->low = octave == 0 ? -1 : octave > -TAC_OCTAVES ? tac_octave_edge(octave - 1) : -0x1p332;
    r->high = octave == 0 ? 1 : octave < TAC_OCTAVES ? tac_octave_edge(octave + 2) : 0x1p332;
    if (!(r->high > r->least)) r->low = r->least, r->high = r->least + fmax(1, fabs(r->least));
    if (!(r->low < r->most)) r->low = r->most - fmax(1, fabs(r->most)), r->high = r->most;
    r->low = fmax(r->low, r->least);
    r->high = fmin(r->high, r->most);
}

/* The bin in which half of the rows are reached. */
static int32_t median_bin(const tac_held *held, int32_t first, int32_t last)
{
    double all = 0, sum = 0;
    int32_t b;

    for (b = first; b <= last; b++) all += held->number[b];
    for (b = first; b < last; b++) {
        sum += held->number[b];
        if (sum >= all / 2) break;
    }
    return b;
}

/* Which octaves hold rows: where to look. */
static void read_octaves(const tac_held *held, tac_range *r)
{
    int32_t first, last;

    r->found = tac_occupied(held, ALARM, &first, &last);
    if (!r->found || (first == TAC_OCTAVES && last == TAC_OCTAVES)) {
        fall_back(held, r);
        return;
    }
    const int32_t half = median_bin(held, first, last) - TAC_OCTAVES;
    r->low = tac_octave_edge(first - TAC_OCTAVES);
    r->high = tac_octave_edge(last - TAC_OCTAVES + 1);
    r->middle = half == 0 ? 0 : (tac_octave_edge(half) + tac_octave_edge(half + 1)) / 2;
    r->again = r->low > 0 ? r->high <= OFFSET * r->low : r->high < 0 && r->low >= OFFSET * r->high;
    if (r->again) { /* there may be rows that the noise hides */
        const double room = (r->high - r->low) / 2;
        r->low -= room;
        r->high += room;
    }
}

tacit_status tac_ranges_octaves(tac_run *run, tac_range *range, int32_t count, uint64_t quanta)
{
    tacit_status status = TACIT_OK;
    double rows[OCTAVE_BINS];
    columns_look l = {0};

    TAC_TRY(open_look(run, count, &l));
    for (int32_t i = 0; i < count; i++)
        add_axis(run, &l, "octaves of a column", -TAC_OCTAVES, OCTAVE_BINS, quanta);
    TAC_TRY(tac_ask_together(run->door, l.ask, l.count));
    for (int32_t i = 0; i < count; i++) {
        tac_held held = {.bins = OCTAVE_BINS};
        read_axis(run, &l, i, rows, &held);
        read_octaves(&held, &range[i]);
    }
done:
    close_look(&l);
    return status;
}

bool tac_range_lines(const tac_held *held, tac_range *r)
{
    const double line = (r->high - r->low) / held->bins, low = r->low;
    int32_t first, last;

    if (!tac_occupied(held, ALARM_LINES, &first, &last)) return false;
    r->middle = low + (median_bin(held, first, last) + 0.5) * line;
    r->low = low + first * line;
    r->high = low + (last + 1) * line;
    r->again = last - first + 1 <= FEW;
    if (r->again) {
        r->low -= line;
        r->high += line;
    }
    return true;
}

/* How far to look on a side of the middle: at least as far as doubles tell values apart. */
static double reach_of(const tac_range *r, double far)
{
    const double wide = r->high - r->low;
    return fmax(fmax(far, wide / 16), 1e-9 * fmax(fabs(r->low), fabs(r->high)));
}

/* Distances at which the bins of a side begin: 0, then in steps of 2^(1/6). */
static void distances(double reach, double *from)
{
    from[0] = 0;
    for (int32_t i = 1; i < SIDE; i++) from[i] = reach * exp2((double)(i - 1 - INNER) / STEPS);
}

static void edges_of(const tac_range *r, bool last, double *edge)
{
    double down[SIDE], up[SIDE];

    if (!last) {
        for (int32_t i = 0; i <= LINES; i++) edge[i] = r->low + (r->high - r->low) / LINES * i;
        return;
    }
    distances(reach_of(r, r->middle - r->low), down);
    distances(reach_of(r, r->high - r->middle), up);
    for (int32_t i = 1; i < SIDE; i++) edge[SIDE - 1 - i] = r->middle - down[i];
    for (int32_t i = 0; i < SIDE; i++) edge[SIDE - 1 + i] = r->middle + up[i];
}

/* Bounds from the last look: the two sides, each by itself. */
static void read_sides(const tac_held *held, tac_range *r)
{
    double down[SIDE], up[SIDE], turned[SIDE], rows = 0;
    tac_held side = *held;

    for (int32_t b = 0; b < held->bins; b++) rows += held->number[b];
    for (int32_t i = 0; i < SIDE; i++) turned[i] = held->number[SIDE - 1 - i];
    distances(reach_of(r, r->middle - r->low), down);
    distances(reach_of(r, r->high - r->middle), up);
    side.bins = SIDE;
    side.number = turned;
    const double below = tac_range_tail(&side, down, rows);
    side.number = held->number + SIDE;
    const double above = tac_range_tail(&side, up, rows);
    if (isnan(below) && isnan(above)) return; /* what was known before stays */
    const double low = isinf(below) && isfinite(r->least)
                           ? r->least
                           : r->middle - fmin(isnan(below) ? down[1] : below, 2 * down[SIDE - 1]),
                 high = isinf(above) && isfinite(r->most)
                            ? r->most
                            : r->middle + fmin(isnan(above) ? up[1] : above, 2 * up[SIDE - 1]);
    const double margin = MARGIN * (high - low);
    r->low = fmax(r->least, low - margin);
    r->high = fmin(r->most, high + margin);
    if (!(r->low < r->high)) r->low = fmax(r->least, low), r->high = fmin(r->most, high);
}

/* Whatever the answers were, bounds are within the limits, in order, and so far apart that doubles
   tell values between them from each other. */
static void settle(tac_range *r)
{
    const double least = fmax(r->least, -LARGEST), most = fmin(r->most, LARGEST);
    double low = fmin(fmax(r->low, least), most), high = fmin(fmax(r->high, least), most);
    const double apart = fmax(SMALLEST, 1e-9 * fmax(fabs(low), fabs(high)));

    if (!(high - low >= apart)) { /* NaN too */
        low = fmax(low - apart, least);
        high = fmin(low + 2 * apart, most);
        low = fmax(fmin(low, high - apart), least);
    }
    r->low = low < high ? low : least;
    r->high = low < high ? high : most;
}

/* Is the column of this look? */
static bool looked_at(const tac_range *r, bool last)
{
    return r->found && (last || r->again);
}

/* The frame of a look. *wanted: columns it has. */
static tacit_status set_bins(tac_run *run, const tac_range *range, int32_t count, bool last,
                             int32_t *wanted)
{
    tacit_status status = TACIT_OK;
    tac_bins *bins = NULL;
    double *edge = NULL;
    tac_frame frame = {0};

    *wanted = 0;
    TAC_TRY(tac_new(run->ctx, (size_t)count, sizeof *bins, &bins));
    TAC_TRY(tac_new(run->ctx, (size_t)count * EDGES, sizeof *edge, &edge));
    for (int32_t i = 0; i < count; i++) {
        if (!looked_at(&range[i], last)) continue;
        double *mine = edge + (size_t)*wanted * EDGES;
        edges_of(&range[i], last, mine);
        bins[(*wanted)++] = (tac_bins){.column = range[i].column,
                                       .least = range[i].least,
                                       .most = range[i].most,
                                       .edges = last ? EDGES : LINES + 1,
                                       .edge = mine};
    }
    if (*wanted == 0) goto done;
    TAC_TRY(tac_frame_of_bins(run->ctx, tac_data_dims(run->data), bins, *wanted, &frame));
    TAC_TRY(tac_run_set_frame(run, TAC_ROWS, &frame));
done:
    tac_free(bins);
    tac_free(edge);
    tac_frame_clear(&frame);
    return status;
}

/* What a look at a column shows. */
static void read_look(tac_held *held, double *rows, bool last, tac_range *r)
{
    if (last) {
        read_sides(held, r);
        return;
    }
    r->again = false;
    if (fmax(rows[0], rows[LINES + 1]) > BEYOND * held->sd) return; /* not only in here */
    held->number = rows + 1;
    held->bins = LINES;
    (void)tac_range_lines(held, r);
}

static tacit_status look(tac_run *run, tac_range *range, int32_t count, bool last)
{
    tacit_status status = TACIT_OK;
    const int32_t bins = last ? EDGES + 1 : LINES + 2;
    double rows[EDGES + 1];
    columns_look l = {0};
    int32_t wanted, axis = 0;

    TAC_TRY(set_bins(run, range, count, last, &wanted));
    if (wanted == 0) goto done;
    TAC_TRY(open_look(run, wanted, &l));
    for (int32_t i = 0; i < count; i++) {
        tac_range *r = &range[i];
        if (!looked_at(r, last)) continue;
        const uint64_t quanta = last ? r->quanta : tac_share(r->quanta, CLOSER);
        add_axis(run, &l, "range of a column", 0, bins, quanta);
        r->quanta -= quanta;
    }
    TAC_TRY(tac_ask_together(run->door, l.ask, l.count));
    for (int32_t i = 0; i < count; i++) {
        if (!looked_at(&range[i], last)) continue;
        tac_held held = {.bins = bins};
        read_axis(run, &l, axis++, rows, &held);
        read_look(&held, rows, last, &range[i]);
    }
done:
    close_look(&l);
    return status;
}

tacit_status tac_ranges_look(tac_run *run, tac_range *range, int32_t count)
{
    tacit_status status = TACIT_OK;

    for (int32_t i = 0; i < CLOSER_MOST; i++) TAC_TRY(look(run, range, count, false));
    TAC_TRY(look(run, range, count, true));
    for (int32_t i = 0; i < count; i++) settle(&range[i]);
done:
    return status;
}
