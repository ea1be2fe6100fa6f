/* SPDX-License-Identifier: Apache-2.0 */
/* Neighboring tables of counts, replayed (replay.h), for every method of co-clustering there is: a
   whole row more or less, a row changed, all rows of a person, and one count that differs by 1,
   also where there was none or none is left. */
#include "cluster/cocluster/cocluster_run.h"
#include "replay.h"

typedef struct what {
    tacit_neighbors neighbors;
    bool approximate, persons, labels;
} what;

static what what_of(int variant)
{
    return (what){.neighbors = (tacit_neighbors)(variant % 3),
                  .approximate = variant / 3 & 1,
                  .persons = variant / 6 & 1,
                  .labels = variant / 12 & 1};
}

static const char *method(int which)
{
    const tac_cocluster_method *m = tac_cocluster_method_of((tacit_cocluster_method)which);
    return m == NULL ? NULL : m->name;
}

/* Whatever the method's line in the table says. */
static bool serves(int which, int variant, char *words, size_t room)
{
    static const char *const neighbors[] = {"a row more", "a row changed", "a count more"};
    const tac_cocluster_method *m = tac_cocluster_method_of((tacit_cocluster_method)which);
    const what a = what_of(variant);
    const bool entry = a.neighbors == TACIT_ENTRY;

    snprintf(words, room, ", %s%s%s, delta %s", neighbors[a.neighbors],
             a.persons ? ", persons" : "", a.labels ? ", labels" : "",
             a.approximate ? "> 0" : "= 0");
    return (a.approximate ? m->approximate : m->pure) &&
           (entry ? m->entry && !a.persons : m->rows && !a.labels) && (!a.labels || m->labels);
}

/* ---- tables ---- */

enum { TOPICS, ANYTHING, TWIN_ROW, ALONE, NO_COUNTS, ROW_KINDS };
#define COUNT_MOST 2147483647.0

/* Counts chosen to hurt: none, one, powers of two and their neighbors, the largest. */
static double nasty_count(void)
{
    static const double list[] = {0, 1, 1, 1, 2, 3, 4, 7, 8, 63, 64, 1000, 65535, COUNT_MOST - 1};
    return list[below(below(4) == 0 ? 14 : 8)];
}

static void add_entry(world *w, int side, int32_t column, double count)
{
    int64_t *end = &w->start[side][w->rows[side] + 1];

    w->column[side][*end] = column;
    w->value[side][(*end)++] = count;
}

static void begin_row(world *w, int side, int64_t unit)
{
    w->unit[side][w->rows[side]] = unit;
    w->start[side][w->rows[side] + 1] = w->start[side][w->rows[side]];
}

static void copy_row(world *w, int side, const world *from, int64_t row)
{
    begin_row(w, side, from->unit[0][row]);
    for (int64_t e = from->start[0][row]; e < from->start[0][row + 1]; e++)
        add_entry(w, side, from->column[0][e], from->value[0][e]);
    w->rows[side]++;
}

/* One more row: of one of three topics with their own columns, anything, the twin of one that is
   there, one large count in the last column, nothing. */
static void add_row(world *w, int side, int64_t kind, int64_t unit)
{
    const int64_t topic = below(3), entries = below(PER_ROW + 1),
                  twin = w->rows[side] == 0 ? -1 : below(w->rows[side]);
    int64_t column = below(w->dims);

    begin_row(w, side, unit);
    if (kind == TWIN_ROW && twin >= 0)
        for (int64_t e = w->start[side][twin]; e < w->start[side][twin + 1]; e++)
            add_entry(w, side, w->column[side][e], w->value[side][e]);
    if (kind == ALONE) add_entry(w, side, w->dims - 1, nasty_count());
    for (int64_t e = 0; e < entries && column < w->dims && kind <= ANYTHING; e++) {
        add_entry(w, side, (int32_t)column,
                  kind == TOPICS && column % 3 == topic ? (double)(1 + below(5)) : nasty_count());
        column += 1 + below(4);
    }
    w->rows[side]++;
}

/* A table, but one count of `row` differs by 1: of an entry that is there, 0 too, or of any place.
   A count that becomes 0 is left out or stays as an entry of 0. */
static void copy_stepped(world *w, int side, const world *from, int64_t row)
{
    const int64_t begin = from->start[0][row], end = from->start[0][row + 1];
    const int32_t column = begin < end && below(2) ? from->column[0][begin + below(end - begin)]
                                                   : (int32_t)below(w->dims);
    const bool up = below(2), drop = below(2);
    bool met = false;

    begin_row(w, side, from->unit[0][row]);
    for (int64_t e = begin; e <= end; e++) {
        const bool here = e < end && from->column[0][e] == column;
        if (!met && !here && (e == end || from->column[0][e] > column))
            add_entry(w, side, column, 1), met = true;
        if (e == end) break;
        const double was = from->value[0][e], count = !here ? was
                                                      : was == COUNT_MOST || (was > 0 && !up)
                                                          ? was - 1
                                                          : was + 1;
        if (!(here && count == 0 && drop)) add_entry(w, side, from->column[0][e], count);
        met = met || here;
    }
    w->rows[side]++;
}

static void make(int which, int variant, world *w)
{
    static world base;
    const what a = what_of(variant);
    const bool entry = a.neighbors == TACIT_ENTRY;
    /* with entries there must be a place to differ in */
    const int64_t rows = start_world(w) + entry, kind = below(2);

    (void)which;
    w->sparse = true;
    w->dims = 2 + (int32_t)below(w->large ? MOST_DIMS - 1 : 6);
    w->k = 1 + (int32_t)below(w->large ? 4 : 3);
    w->owned = a.persons ? 1 + (int32_t)below(MOST_OWNED) : 0;
    w->neighbors = a.neighbors;
    w->epsilon = (double[]){0.1, 1, 8, 100}[below(4)];
    base.dims = w->dims;
    base.rows[0] = w->rows[0] = w->rows[1] = 0;
    for (int64_t i = 0; i < rows; i++)
        add_row(&base, 0, below(8) == 0 ? below(ROW_KINDS) : kind, below(2 + rows / 2));
    const int with = (int)below(2);
    const int64_t stepped = entry ? below(rows) : -1;
    for (int side = 0; side < 2; side++) {
        const int64_t extra = entry || (a.neighbors == TACIT_ADD_REMOVE && side != with) ? 0
                              : a.persons ? 1 + below(MOST_EXTRA)
                                          : 1;
        const int64_t at = below(rows + 1);
        for (int64_t i = 0; i <= rows; i++) {
            for (int64_t e = 0; e < extra && i == at; e++) add_row(w, side, below(ROW_KINDS), 1000);
            if (i < rows && side == with && i == stepped)
                copy_stepped(w, side, &base, i);
            else if (i < rows)
                copy_row(w, side, &base, i);
        }
    }
}

static tacit_status run(const world *w, int which, int variant, tacit_data *data,
                        tacit_budget *budget, const tac_door_probe *probe, tacit_model **model)
{
    const tac_cocluster_method *m = tac_cocluster_method_of((tacit_cocluster_method)which);
    const what a = what_of(variant);
    tacit_cocluster_opts opts;

    budget->delta = a.approximate ? 1e-6 : 0;
    tacit_cocluster_opts_init(&opts, sizeof opts);
    opts.method = (tacit_cocluster_method)which;
    opts.row_clusters = w->k;
    opts.column_clusters = 1 + w->k % w->dims;
    if (a.approximate && a.neighbors != TACIT_ENTRY && m->choose) {
        if (w->options >> 3 & 1) opts.row_clusters = TACIT_K_AUTO;
        if (w->options >> 4 & 1) opts.column_clusters = TACIT_K_AUTO;
    }
    opts.labels_share = a.labels ? 0.3 : 0;
    opts.rounds = m->rounds ? (int32_t)w->options % 4 : 0;
    if (w->options >> 2 & 1) opts.least_z = 0.5;
    return tac_cocluster_probed(ctx, data, budget, &opts, probe, model);
}

int main(int argc, char **argv)
{
    return replay_family_run(&(replay_family){24, method, serves, make, run, true, NULL}, 5, argc,
                             argv);
}
