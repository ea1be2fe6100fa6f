/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbouring tables of counts, replayed, for every method of co-clustering there is: a whole row more or less, a row changed, all
   rows of a person, and one count that differs by 1. */
#include "cluster/cocluster/cocluster.h"
#include "replay.h"

typedef struct what {
    tacit_cocluster_method method;
    tacit_neighbours neighbours;
    bool persons, labels;
    double delta;
} what;

/* Counts chosen to hurt: none, one, powers of two and their neighbours, the largest. */
static double nasty_count(void)
{
    static const double list[] = {0, 1, 1, 1, 2, 3, 4, 7, 8, 63, 64, 1000, 65535, 2147483646};
    return list[next() % (next() % 4 == 0 ? 14 : 8)];
}

/* Row i of a side: one of three topics with their own columns, or anything; some rows are empty. */
static void make_counts(world *w, int side, int64_t i, bool topics)
{
    const int64_t from = w->start[side][i];
    const uint64_t topic = next() % 3, entries = next() % (PER_ROW + 1);
    int32_t column = (int32_t)(next() % (uint64_t)w->dims);
    int64_t to = from;

    for (uint64_t e = 0; e < entries && column < w->dims; e++) {
        w->column[side][to] = column;
        w->value[side][to++] = topics && column % 3 == (int32_t)topic ? 1 + (double)(next() % 5) : nasty_count();
        column += 1 + (int32_t)(next() % 4);
    }
    w->start[side][i + 1] = to;
}

/* The sides start alike, rows from `first` on are made anew on this one. */
static void make_table(world *w, int side, int64_t first, int64_t rows, bool topics)
{
    for (int64_t i = first; i < rows; i++) {
        make_counts(w, side, i, topics);
        w->unit[side][i] = i >= MOST_ROWS - 10 ? 99 : (int64_t)(next() % 40);
    }
    w->rows[side] = rows;
}

static void copy_side(world *w)
{
    memcpy(w->value[1], w->value[0], sizeof w->value[0]);
    memcpy(w->column[1], w->column[0], sizeof w->column[0]);
    memcpy(w->start[1], w->start[0], sizeof w->start[0]);
    memcpy(w->unit[1], w->unit[0], sizeof w->unit[0]);
    w->rows[1] = w->rows[0];
}

/* One count more somewhere: in an entry that is there (an explicit 0 too), which for a count of 0 adds it. */
static void step(world *w)
{
    const int64_t entries = w->start[0][w->rows[0]];
    double *x = entries > 0 ? &w->value[1][next() % (uint64_t)entries] : NULL;

    if (x != NULL) *x += *x < 2147483647 ? 1 : -1;
}

static void make_tables(world *w, const what *a)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 120, 240};
    const int64_t base = sizes[next() % 16];
    const bool topics = next() % 2;

    memset(w, 0, sizeof *w);
    w->sparse = true;
    w->dims = 2 + (int32_t)(next() % 23);
    w->k = 1 + (int32_t)(next() % 4);
    w->owned = a->persons ? 1 + (int32_t)(next() % MOST_OWNED) : 0;
    w->neighbours = a->neighbours;
    w->epsilon = (double[]){0.1, 1, 8, 100}[next() % 4];
    make_table(w, 0, 0, base, topics);
    copy_side(w);
    if (a->neighbours == TACIT_ENTRY) {
        step(w);
        return;
    }
    for (int side = 0; side < 2; side++) {
        if (side == 1 && a->neighbours == TACIT_ADD_REMOVE) break;
        const int64_t extra = a->persons ? 1 + (int64_t)(next() % 5) : 1;
        make_table(w, side, base, base + extra, next() % 2);
        for (int64_t i = base; i < base + extra; i++) w->unit[side][i] = 99;
    }
}

static void run(const world *w, const void *method, int side, transcript *t, outcome *out)
{
    const tac_door_probe probe = {.exact = on_exact, .noisy = on_noisy, .payload = t};
    const what *a = method;
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget budget;
    tacit_cocluster_opts opts;

    ctx->threads = 1 + side;
    ctx->block_bytes = side == 0 ? 1 << 18 : 1 << 12;
    MUST(tacit_data_from_csr(ctx, w->start[side], w->column[side], w->value[side], w->rows[side], w->dims, &data) == TACIT_OK);
    if (w->owned > 0) MUST(tacit_data_set_units(ctx, data, w->unit[side], NULL) == TACIT_OK);
    tacit_budget_init(&budget, sizeof budget);
    budget.max_rows_per_unit = w->owned;
    budget.epsilon = w->epsilon;
    budget.delta = a->delta;
    budget.neighbours = w->neighbours;
    budget.use_insecure_test_seed = 1;
    budget.insecure_test_seed = 42;
    tacit_cocluster_opts_init(&opts, sizeof opts);
    opts.method = a->method;
    opts.rows = w->k;
    opts.columns = 1 + w->k % w->dims;
    opts.labels_share = a->labels ? 0.3 : 0;
    const tacit_status status = tac_cocluster_probed(ctx, data, &budget, &opts, &probe, &model);
    close_side(status, model, data, t, out);
}

/* As many pairs as a second or so of processor time allows, at least a few. */
static void test_method(const tac_cocluster_method *m, const what *a)
{
    static const char *const words[] = {"a row more", "a row changed", "a count more"};
    static world w;
    tally sum = {0};
    const long most = tap_times(1000), least = tap_times(10) < 10 ? 1 : 6;
    const clock_t end = clock() + (clock_t)((double)tap_times(10) / 10 * 0.25 * CLOCKS_PER_SEC);
    char name[128];

    while (sum.pairs < most && (sum.pairs < least || clock() < end)) {
        make_tables(&w, a);
        replay(&w, run, a, &sum);
    }
    snprintf(name, sizeof name, "%s, %s%s%s, delta %s", m->name, words[a->neighbours], a->persons ? ", persons" : "",
             a->labels ? ", labels" : "", a->delta > 0 ? "> 0" : "= 0");
    report(name, &sum);
}

int main(void)
{
    int methods = 0;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    for (int which = 0; which < 64; which++) {
        const tac_cocluster_method *m = tac_cocluster_method_of((tacit_cocluster_method)which);
        if (m == NULL) continue;
        methods++;
        for (int variant = 0; variant < 24; variant++) { /* whatever the method's line in the table says it serves */
            const what a = {.method = (tacit_cocluster_method)which, .neighbours = (tacit_neighbours)(variant % 3),
                            .delta = variant / 3 & 1 ? 1e-6 : 0, .persons = variant / 6 & 1, .labels = variant / 12 & 1};
            const bool entry = a.neighbours == TACIT_ENTRY;
            if ((a.delta > 0 ? !m->approximate : !m->pure) || (entry ? !m->entry || a.persons : !m->rows || a.labels) ||
                (a.labels && !m->labels))
                continue;
            test_method(m, &a);
        }
    }
    CHECK(methods >= 5, "%d methods replayed", methods);
    tacit_ctx_free(ctx);
    return tap_done();
}
