/* SPDX-License-Identifier: Apache-2.0 */
/* Brute force of the queries that are not sums over rows: tables and labels of counts at their
   places, batches, and the results of parts. */
#ifndef TAC_TEST_BRUTE_OTHERS_H
#define TAC_TEST_BRUTE_OTHERS_H

#include "brute.h"
#include "privacy/queries/literature/parts.h"

/* ---- tables, labels and batches: rows at their places, single counts protected ---- */

/* counts of 0, 1 or 2 */
enum { ROWS = 3, COLUMNS = 2, ENTRIES = ROWS * COLUMNS, TABLES = 729, CLUSTERS = 3 };

typedef struct entry_query {
    const char *name;
    bool labels, columns;
    int32_t batch; /* of two: rows 0 and 2, row 1; -1 all; -2: none were made */
    int32_t row[ROWS], column[COLUMNS];
    int32_t score[CLUSTERS * 2];
} entry_query;

#define SCORE_MOST TAC_SCORE_MOST
static const entry_query entry_table[] = {
    {"table", false, false, -2, {0, 1, 1}, {0, 1}, {0}},
    {"table, a row and a column left out", false, false, -2, {0, -1, 1}, {-1, 1}, {0}},
    {"batches: the table of all rows", false, false, -1, {0, 1, 1}, {0, 1}, {0}},
    {"batches: the table of a batch", false, false, 0, {0, 1, 1}, {1, 1}, {0}},
    {"labels of rows", true, false, -2, {0}, {0, 1}, {5, -3, 2, 9, -4, 0}},
    {"labels of rows, scores as large as may be",
     true,
     false,
     -2,
     {0},
     {0, 1},
     {SCORE_MOST, -SCORE_MOST, -SCORE_MOST, SCORE_MOST, 0, 0}},
    {"labels of rows, all below 0", true, false, -2, {0}, {1, 0}, {-5, -5, -9, -5, -6, -6}},
    {"labels of columns", true, true, -2, {0, 1, -1}, {0}, {100, 1, 100, 2, 100, 1}},
    {"labels of columns from a batch", true, true, 1, {0, 1, 0}, {0}, {5, -3, 2, 9, -4, 0}},
};

static tacit_status put_entry_query(tac_door *door, const void *what)
{
    static const int32_t batch[ROWS] = {0, 1, 0};
    const entry_query *q = what;
    const int32_t asked = q->batch == -2 ? -1 : q->batch;
    int64_t answer[4];
    int32_t label[ROWS];
    const tacit_status status = q->batch == -2 ? TACIT_OK : tac_door_batches(door, batch, 2);

    if (status != TACIT_OK) return status;
    if (!q->labels)
        return tac_door_table(
            door, "test", QUANTA_ASKED,
            &(tac_table){
                .batch = asked, .row_label = q->row, .column_label = q->column, .k = 2, .l = 2},
            answer);
    const tac_draw_labels draw = {.columns = q->columns,
                                  .batch = asked,
                                  .other_label = q->columns ? q->row : q->column,
                                  .others = 2,
                                  .score = q->score,
                                  .clusters = CLUSTERS};
    return tac_door_labels(door, "test", QUANTA_ASKED << 4, &draw, label);
}

static void run_entries(tacit_ctx *ctx, const entry_query *q)
{
    static uint64_t word[TABLES][MOST_WORDS];
    exact_answer e = {0};
    tac_u128 beyond = 0;
    double best[NORMS] = {0};
    bool prices = true;
    double noise = 0;
    long pairs = 0;

    for (int pure = 0; pure < NORMS; pure++) {
        farthest far = {0};
        tac_receipt first = {0};
        for (int t = 0; t < TABLES; t++) {
            int64_t start[ROWS + 1] = {0};
            int32_t column[ENTRIES];
            uint32_t count[ENTRIES];
            for (int i = 0, code = t, n = 0; i < ENTRIES; i++, code /= 3) {
                column[n] = i % COLUMNS;
                count[n] = (uint32_t)(code % 3);
                n += code % 3 > 0;
                start[i / COLUMNS + 1] = n;
            }
            const tac_counts counts = {
                .rows = ROWS, .columns = COLUMNS, .start = start, .column = column, .count = count};
            const brute_params params = {pure ? TAC_PURE : TAC_GDP, TACIT_ENTRY, 1, 1};
            const tac_receipt r =
                ask_of(ctx, &(small_set){.rows = 0}, &counts, &params, put_entry_query, q, &e);
            if (t == 0) first = r;
            prices = prices && r.quanta == first.quanta && r.sensitivity == first.sensitivity &&
                     r.scale == first.scale;
            memcpy(word[t], e.word, e.words * sizeof *e.word);
            if (t == 0 && !q->labels)
                noise = fmax(noise, fabs(noise_z(ctx, &(small_set){.rows = 0}, &counts, &params,
                                                 put_entry_query, q)));
        }
        for (int t = 0; t < TABLES; t++)
            for (int i = 0, one_more = 1; i < ENTRIES; i++, one_more *= 3)
                if (t / one_more % 3 < 2)
                    widen(&far, word[t + one_more], word[t], e.words, q->labels ? BY_ITEM : BY_NORM,
                          CLUSTERS);
        const tac_u128 reached = far.by[first.distribution == TAC_GAUSSIAN && !q->labels ? 0 : 1];
        beyond += reached > first.sensitivity;
        best[pure] = (double)reached / (double)first.sensitivity;
        pairs += far.pairs;
    }
    CHECK(beyond == 0,
          "%s, entry: no neighbors are farther apart than declared (%d tables, %ld pairs)", q->name,
          TABLES, pairs);
    CHECK(best[0] == 1 && best[1] == 1,
          "... some reach as much of the bound as they should: L2 %.6g, L1 %.6g", best[0], best[1]);
    CHECK(prices, "... every table pays the same");
    if (!q->labels)
        CHECK(noise < NOISE_LIMIT, "... noise is of the size that the receipt says (z = %.2f)",
              noise);
}

/* ---- results of parts: lots by enumeration ---- */

/* Two rows or fewer of the line in any of the parts, and one unit of one row in one of them, or
   none. The result that is released moves by no more than alpha times the noise, and the noise by
   no more than e^beta. */
static void run_parts(tacit_ctx *ctx, const small_world *line, int32_t many, double epsilon,
                      double least_moved, double least_steep)
{
    enum { POINTS = 5, MOST_PARTS = 5, STATES = POINTS * MOST_PARTS + 1 };
    const tac_parts plan = {.points = true, .k = 1, .q = 1, .parts = many, .restarts = 1};
    /* for its dims */
    const tac_lattice *lattice = &line->set[line->index[POINTS][POINTS - 1][POINTS - 2]].lattice;
    int16_t place[2 * (POINTS + 1)] = {0};
    tac_accountant account;
    tac_engine engine;
    tac_parts_rule rule;
    tac_door *door = NULL;
    tac_key key;
    double moved = 0, steep = 0;
    long sets = 0;

    for (int i = 0; i < POINTS; i++)
        place[2 * i] = line->set[line->index[i + 1][0][0]].lattice.points[0];
    const tac_lattice rows = {.rows = POINTS, .dims = 1, .stride = 2, .points = place};
    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(3, &key);
    tac_accountant_open(TAC_GDP, epsilon, 1e-6, &account);
    MUST(lattice->dims == 1 && tac_parts_rule_for(epsilon, 1e-6, 1, &plan, &rule) &&
         rule.parts == many && rule.touched == 1);
    MUST(tac_door_open(ctx, &engine, lattice, TACIT_REPLACE, 1, &account, &key, &door) == TACIT_OK);
    /* where a row is, and what it says; the last: there is none */
    const int states = POINTS * many + 1;
    for (int a = 0; a < states; a++)
        for (int b = 0; b <= a; b++)
            for (int32_t lot = 0; lot < many; lot++) {
                uint64_t word[POINTS + 1], sigma[POINTS + 1];
                for (int u = 0; u <= POINTS; u++, sets++) { /* POINTS: no unit */
                    double result[MOST_PARTS];
                    const int mine[3] = {a, b, u == POINTS ? states - 1 : POINTS * lot + u};
                    for (int32_t p = 0; p < many; p++) {
                        int64_t row[3], n = 0;
                        for (int i = 0; i < 3; i++)
                            if (mine[i] < states - 1 && mine[i] / POINTS == p)
                                row[n++] = mine[i] % POINTS;
                        MUST(tac_part_points(ctx, &rows, row, n, &plan, &result[p]) == TACIT_OK);
                    }
                    MUST(tac_parts_center(door, &plan, &rule, result, &word[u], &sigma[u]) ==
                         TACIT_OK);
                    for (int v = 0; v < u; v++) {
                        const double gap = fabs((double)(int64_t)(word[u] - word[v]));
                        moved = fmax(moved,
                                     gap / (rule.alpha *
                                            (double)(sigma[u] < sigma[v] ? sigma[u] : sigma[v])));
                        steep = fmax(steep, fabs(log((double)sigma[u] / (double)sigma[v])) /
                                                (rule.beta + 0x1p-17));
                    }
                }
            }
    CHECK(moved <= 1 && steep <= 1,
          "parts, %d of them, epsilon %g: the result moves no farther than its noise covers, nor "
          "the noise than beta (%ld sets)",
          many, epsilon, sets);
    CHECK(moved >= least_moved && steep >= least_steep,
          "... some reach as much of the bounds as they should: %.4f, %.4f", moved, steep);
    tac_door_close(door);
}

#endif
