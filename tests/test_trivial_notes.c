/* SPDX-License-Identifier: Apache-2.0 */
/* A release that cannot be told from the trivial answer says so, and one that can does not. Each
   rate is over RUNS runs with seeds of their own. If the true rate is 1/2 where nearly none is
   expected, at most 4 of 40 happen with probability 2^-40 C(40, <= 4) < 1e-7, and the same for at
   least 36. At least 30 have probability 0.001: tables of tiny counts have notes less often. */
#include "tap.h"

#include <tacit/tacit.h>

#include <math.h>

static tacit_ctx *ctx;

enum { RUNS = 40, FEW = 4, MOST = 30 };

/* A note with these words, of the kind that says that clusters are none. */
static bool says(const tacit_model *model, const char *words)
{
    for (int32_t i = 0; i < tacit_model_note_count(model); i++)
        if (strstr(tacit_model_note_get(model, i), words) != NULL &&
            tacit_model_note_kind(model, i) == TACIT_NOTE_NO_GROUPS)
            return true;
    return false;
}

/* How many of the runs on these rows say that one mean would tell as much. */
static int told_centers(const double *x, int64_t rows, int32_t columns, double epsilon,
                        double delta, bool median)
{
    int told = 0;

    for (int i = 0; i < RUNS; i++) {
        tacit_budget b = TACIT_BUDGET_INIT;
        tacit_kmeans_opts o = TACIT_KMEANS_OPTS_INIT;
        tacit_data *data = NULL;
        tacit_model *model = NULL;
        b.epsilon = epsilon;
        b.delta = delta;
        b.use_insecure_test_seed = 1;
        b.insecure_test_seed = (uint64_t)i + 1;
        o.k = 4;
        MUST(tacit_data_from_memory(ctx, x, TACIT_F64, rows, columns, &data) == TACIT_OK &&
             tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
        MUST((median ? tacit_kmedian_run : tacit_kmeans_run)(ctx, data, &b, &o, &model) ==
             TACIT_OK);
        told += says(model, "one mean of all rows would tell as much");
        tacit_model_free(model);
        tacit_data_free(data);
    }
    return told;
}

static void test_centers(void)
{
    enum { N = 4000, COLUMNS = 5 };
    double *groups = NULL, *point = calloc(N * COLUMNS, sizeof *point);
    tacit_synthetic_mixture_opts o = TACIT_SYNTHETIC_MIXTURE_OPTS_INIT;
    int32_t *label = NULL;

    o.rows = N;
    o.columns = COLUMNS;
    o.clusters = 4;
    MUST(point != NULL && tacit_synthetic_mixture(ctx, &o, &groups, &label) == TACIT_OK);
    for (int i = 0; i < N * COLUMNS; i++) point[i] = 0.4;
    for (int median = 0; median < 2; median++)
        for (int pure = 0; pure < 2; pure++) {
            const double delta = pure ? 0 : 1e-6;
            const char *what = median ? "k-median" : "k-means";
            int told = told_centers(groups, N, COLUMNS, 2, delta, median);
            CHECK(told <= FEW, "%s, delta %g: clear groups are told from one mean (%d of %d not)",
                  what, delta, told, RUNS);
            told = told_centers(groups, 60, COLUMNS, 0.05, delta, median);
            CHECK(told >= RUNS - FEW, "%s, delta %g: 60 rows at epsilon 0.05 are not (%d of %d)",
                  what, delta, told, RUNS);
            told = told_centers(point, N, COLUMNS, 0.02, delta, median);
            CHECK(told >= RUNS - FEW,
                  "%s, delta %g: nor is a single point at epsilon 0.02 (%d of %d)", what, delta,
                  told, RUNS);
        }
    tacit_free(groups);
    tacit_free(label);
    free(point);
}

/* Error bars of a starved run are wide, yet four groups in two columns are found: cells show it. */
static void test_starved_centers(void)
{
    enum { N = 4000, COLUMNS = 2 };
    double *groups = NULL;
    tacit_synthetic_mixture_opts o = TACIT_SYNTHETIC_MIXTURE_OPTS_INIT;
    int32_t *label = NULL;

    o.rows = N;
    o.columns = COLUMNS;
    o.clusters = 4;
    MUST(tacit_synthetic_mixture(ctx, &o, &groups, &label) == TACIT_OK);
    for (int pure = 0; pure < 2; pure++) {
        const double epsilon = pure ? 0.1 : 0.05, delta = pure ? 0 : 1e-6;
        const int told = told_centers(groups, N, COLUMNS, epsilon, delta, false);
        CHECK(told <= FEW,
              "delta %g: groups found by a starved run are told from one mean (%d of "
              "%d not)",
              delta, told, RUNS);
    }
    tacit_free(groups);
    tacit_free(label);
}

enum { TABLE_ROWS = 1500, TABLE_COLUMNS = 60 };
typedef struct table {
    double count[TABLE_ROWS * TABLE_COLUMNS];
} table;

static int keep_row(int64_t row, int32_t cluster, const int32_t *column, const int32_t *count,
                    int32_t entries, void *payload)
{
    table *t = payload;

    (void)cluster;
    for (int32_t e = 0; e < entries; e++) t->count[row * TABLE_COLUMNS + column[e]] = count[e];
    return 0;
}

static int told_blocks(const table *t, int64_t rows, double epsilon, tacit_neighbors neighbors)
{
    int told = 0;

    for (int i = 0; i < RUNS; i++) {
        tacit_budget b = TACIT_BUDGET_INIT;
        tacit_cocluster_opts o = TACIT_COCLUSTER_OPTS_INIT;
        tacit_data *data = NULL;
        tacit_model *model = NULL;
        b.epsilon = epsilon;
        b.delta = neighbors == TACIT_ENTRY ? 0 : 1e-6;
        b.neighbors = neighbors;
        b.use_insecure_test_seed = 1;
        b.insecure_test_seed = (uint64_t)i + 1;
        o.row_clusters = o.column_clusters = 3;
        MUST(tacit_data_from_memory(ctx, t->count, TACIT_F64, rows, TABLE_COLUMNS, &data) ==
             TACIT_OK);
        MUST(tacit_cocluster_run(ctx, data, &b, &o, &model) == TACIT_OK);
        told += says(model, "one block would tell as much");
        tacit_model_free(model);
        tacit_data_free(data);
    }
    return told;
}

static void test_blocks(void)
{
    static table t;
    tacit_synthetic_counts_opts o = TACIT_SYNTHETIC_COUNTS_OPTS_INIT;
    const tacit_neighbors unit[] = {TACIT_ADD_REMOVE, TACIT_ENTRY};

    o.rows = TABLE_ROWS;
    o.columns = TABLE_COLUMNS;
    o.row_clusters = o.column_clusters = 3;
    MUST(tacit_synthetic_counts(ctx, &o, keep_row, &t) == TACIT_OK);
    for (int u = 0; u < 2; u++) {
        const char *what = u == 0 ? "whole rows" : "entries";
        int told = told_blocks(&t, TABLE_ROWS, 4, unit[u]);
        CHECK(told <= FEW, "%s: clear blocks are told from one (%d of %d not)", what, told, RUNS);
        told = told_blocks(&t, 30, 0.01, unit[u]);
        CHECK(told >= MOST, "%s: 30 rows at epsilon 0.01 are not (%d of %d)", what, told, RUNS);
    }
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_centers();
    test_starved_centers();
    test_blocks();
    tacit_ctx_free(ctx);
    return tap_done();
}
