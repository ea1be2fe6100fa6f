/* SPDX-License-Identifier: Apache-2.0 */
/* Co-clusterings with the counts in hand: rows placed by a released rule, tau and agreement by
   hand, synthetic tables. */
#include "owner/owner_counts.h"
#include "solve/cocluster/fast_taucc.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static tacit_ctx *ctx;

#define SET(field, text) MUST(tac_model_set_text(ctx, &(field), (text)) == TACIT_OK)

static bool says(const char *part)
{
    return strstr(tacit_ctx_message(ctx), part) != NULL;
}

/* Two row clusters and two column clusters of four columns c1 .. c4; the last column is never
   looked at. */
static tacit_model *model_of(bool logarithm, bool unit)
{
    const int32_t cluster[] = {0, 0, 1, 1};
    const double score[] = {1, 0, 0, 1, 0.5, 0.5};
    tacit_model *m = NULL;
    char name[8];

    MUST(tac_model_new_blocks(ctx, 2, 2, false, 4, 2, 3, &m) == TACIT_OK);
    SET(m->family, "cocluster");
    SET(m->method, "test");
    for (int j = 0; j < 4; j++) {
        snprintf(name, sizeof name, "c%d", j + 1);
        SET(m->column[j], name);
    }
    memcpy(m->blocks->column_cluster, cluster, sizeof cluster);
    tac_rule *r = &m->blocks->rule;
    r->logarithm = logarithm;
    r->unit = unit;
    for (int j = 0; j < 3; j++) r->weight[j] = j == 2 ? 2 : 1;
    r->group[2] = r->group[3] = 1;
    memcpy(r->score, score, sizeof score);
    r->offset[2] = unit ? 0 : 0.25;
    r->cluster[1] = 1;
    r->cluster[2] = 0;
    m->card.plain = true;
    return m;
}

/* entries: row by row. */
static tacit_data *sparse(const int64_t *start, const int32_t *column, const double *value,
                          int64_t rows, int32_t columns)
{
    tacit_data *data = NULL;
    MUST(tacit_data_from_csr(ctx, start, column, value, rows, columns, &data) == TACIT_OK);
    return data;
}

/* What the rule says, by its definition. */
static int32_t by_definition(const tac_rule *r, const double *a, int32_t columns)
{
    double v[8] = {0}, square = 0, best = -INFINITY;
    int32_t cluster = 0;

    for (int32_t j = 0; j < columns; j++)
        if (r->weight[j] != 0)
            v[r->group[j]] += r->weight[j] * (r->logarithm ? log2(1 + a[j]) : a[j]);
    for (int g = 0; g < r->groups; g++) square += v[g] * v[g];
    for (int p = 0; p < r->profiles; p++) {
        double sum = r->offset[p];
        for (int g = 0; g < r->groups; g++)
            sum += r->score[p * r->groups + g] * v[g] / (r->unit && square > 0 ? sqrt(square) : 1);
        if (sum > best + 1e-12) {
            best = sum;
            cluster = r->cluster[p];
        }
    }
    return cluster;
}

static void test_rule(void)
{
    /* Rows: nothing; only what is not looked at; first; third; a tie of the first two profiles. */
    const double dense[] = {0, 0, 0, 0, 0, 0, 0, 9, 3, 0, 0, 0, 0, 0, 2, 1, 2, 2, 2, 0};
    const int64_t start[] = {0, 0, 1, 2, 4, 7};
    const int32_t column[] = {3, 0, 2, 3, 0, 1, 2};
    const double value[] = {9, 3, 2, 1, 2, 2, 2};
    const int32_t known[] = {0, 0, 0, 1, 0};
    int32_t *label = NULL;
    int64_t rows = 0;

    for (int kind = 0; kind < 4; kind++) {
        tacit_model *m = model_of(kind & 1, kind & 2);
        bool right = true, same = true;
        tacit_data *data = sparse(start, column, value, 5, 4), *table = NULL;
        MUST(tacit_data_from_memory(ctx, dense, TACIT_F64, 5, 4, &table) == TACIT_OK);
        MUST(tacit_model_predict(ctx, m, data, &label, &rows) == TACIT_OK && rows == 5);
        for (int i = 0; i < 5; i++)
            right = right && label[i] == by_definition(&m->blocks->rule, dense + 4 * i, 4);
        if (kind == 2)
            for (int i = 0; i < 5; i++) right = right && label[i] == known[i];
        tacit_free(label);
        MUST(tacit_model_predict(ctx, m, table, &label, &rows) == TACIT_OK && rows == 5);
        for (int i = 0; i < 5; i++)
            same = same && label[i] == by_definition(&m->blocks->rule, dense + 4 * i, 4);
        CHECK(right && same,
              "kind %d: rows go where the rule says, sparse and dense, ties to the lowest, empty "
              "rows by the offsets",
              kind);
        tacit_free(label);
        tacit_data_free(data);
        tacit_data_free(table);
        tacit_model_free(m);
    }
}

/* Random tables against the definition, on one thread and on several. */
static void test_many(void)
{
    enum { N = 3000, M = 4 };
    static double dense[N * M];
    uint64_t state = 5;
    tacit_data *data = NULL;
    tacit_model *m = model_of(true, true);
    int32_t *label = NULL;
    int64_t rows = 0;
    int wrong = 0;

    for (int i = 0; i < N * M; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        dense[i] = (state >> 60) < 8 ? 0 : (double)(state >> 40 & 7);
    }
    for (int threads = 1; threads <= 3; threads += 2) {
        MUST(tacit_ctx_set_threads(ctx, threads) == TACIT_OK);
        MUST(tacit_data_from_memory(ctx, dense, TACIT_F64, N, M, &data) == TACIT_OK);
        MUST(tacit_model_predict(ctx, m, data, &label, &rows) == TACIT_OK && rows == N);
        for (int i = 0; i < N; i++)
            wrong += label[i] != by_definition(&m->blocks->rule, dense + M * i, M);
        tacit_free(label);
        tacit_data_free(data);
    }
    CHECK(wrong == 0, "3000 rows by the definition, on one and on three threads: %d differ", wrong);
    MUST(tacit_ctx_set_threads(ctx, 0) == TACIT_OK);
    tacit_model_free(m);
}

static void test_columns(void)
{
    const double dense[] = {0, 0, 7, 0, 5, 0}; /* two rows of three columns */
    static const char *const other[] = {"x", "c3", "c1"}, *const none[] = {"x", "y", "z"};
    const int64_t start[] = {0, 1, 2};
    const int32_t column[] = {2, 1};
    const double value[] = {7, 5};
    tacit_model *m = model_of(false, false);
    tacit_data *data = NULL;
    int32_t *label = NULL;
    int64_t rows = 0;

    MUST(tacit_data_from_memory(ctx, dense, TACIT_F64, 2, 3, &data) == TACIT_OK);
    CHECK(tacit_model_predict(ctx, m, data, &label, &rows) == TACIT_E_ARGUMENT && says("'c4'"),
          "a matrix that lacks a column is refused");
    tacit_data_free(data);
    data = sparse(start, column, value, 2, 3);
    MUST(tacit_data_set_columns(ctx, data, other) == TACIT_OK);
    MUST(tacit_model_predict(ctx, m, data, &label, &rows) == TACIT_OK);
    CHECK(label[0] == 0 && label[1] == 1, "columns go by their names; a sparse table may lack some "
                                          "and have others");
    tacit_free(label);
    tacit_data_free(data);
    data = sparse(start, column, value, 2, 3);
    MUST(tacit_data_set_columns(ctx, data, none) == TACIT_OK);
    CHECK(tacit_model_predict(ctx, m, data, &label, &rows) == TACIT_E_ARGUMENT && says("no column "
                                                                                       "in common"),
          "but not all");
    tacit_data_free(data);

    const double broken[] = {7, 0.5}, below[] = {7, -1};
    data = sparse(start, column, broken, 2, 3);
    CHECK(tacit_model_predict(ctx, m, data, &label, &rows) == TACIT_E_FORMAT && label == NULL &&
              says("count"),
          "what is no count is refused");
    tacit_data_free(data);
    data = sparse(start, column, below, 2, 3);
    CHECK(tacit_model_predict(ctx, m, data, &label, &rows) == TACIT_E_FORMAT, "and so is what is "
                                                                              "below 0");
    tacit_data_free(data);
    tacit_model_free(m);
}

static void test_figures(void)
{
    /* Rows 0 and 1 are of cluster 0, row 2 of cluster 1; the table is 30 10 / 10 50. */
    const int64_t start[] = {0, 2, 4, 6};
    const int32_t column[] = {0, 2, 1, 3, 1, 2};
    const double value[] = {20, 3, 10, 7, 10, 50};
    const int64_t class[] = {7, 7, 2};
    const int32_t private[] = {1, 0, 0};
    tacit_model *m = model_of(false, false);
    tacit_data *data = sparse(start, column, value, 3, 4);
    tacit_evaluation e;

    m->blocks->rule.weight[2] = 1;
    m->blocks->rule.offset[2] = -1e9;
    tacit_evaluation_init(&e, sizeof e);
    MUST(tacit_model_evaluate(ctx, m, data, 0, &e) == TACIT_OK);
    const double tau = 0.163333333333333333 / 0.48;
    CHECK(e.rows == 3 && fabs(e.tau_rows - tau) < 1e-12 && fabs(e.tau_columns - tau) < 1e-12 &&
              fabs(e.raw_tau_rows - 0.163333333333333333) < 1e-12 &&
              fabs(e.cost - (1 - tau)) < 1e-12,
          "tau of a table by hand: %.6f", e.tau_rows);
    CHECK(isnan(e.nmi) && isnan(e.labels_nmi) && isnan(e.plain_cost) && e.one_mean_cost == 1 &&
              e.clipped == 0,
          "nothing else was asked");
    MUST(tacit_data_set_labels(ctx, data, class) == TACIT_OK);
    MUST(tac_new(ctx, 3, sizeof(int32_t), &m->labels) == TACIT_OK);
    memcpy(m->labels, private, sizeof private);
    m->rows = m->blocks->rows = 3;
    MUST(tacit_model_evaluate(ctx, m, data, 4, &e) == TACIT_OK);
    CHECK(e.nmi == 1 && e.ari == 1, "predicted rows are the classes");
    CHECK(e.labels_nmi > 0 && e.labels_nmi < 1 && e.labels_ari < 1,
          "private labels are not: NMI %.3f", e.labels_nmi);
    CHECK(e.plain_cost >= 0 && e.plain_cost <= e.cost + 1e-12,
          "plain Fast-tauCC is no worse: %.4f, %.4f", e.plain_cost, e.cost);
    m->rows = 2;
    CHECK(tacit_model_evaluate(ctx, m, data, 0, &e) == TACIT_E_ARGUMENT && says("another number"),
          "labels of another table");
    m->rows = 3;
    tacit_data_free(data);
    const int64_t nothing[] = {0};
    data = sparse(nothing, column, value, 0, 4);
    CHECK(tacit_model_evaluate(ctx, m, data, 0, &e) == TACIT_E_FORMAT && says("no row"), "no rows, "
                                                                                         "no "
                                                                                         "figures");
    tacit_data_free(data);
    tacit_model_free(m);
}

/* Classes of a file come from elsewhere, once its rows were read. */
static void test_file(void)
{
    char path[] = "/tmp/tacit-owner-XXXXXX.csv";
    const int file = mkstemps(path, 4);
    tacit_model *m = model_of(false, false);
    tacit_data *data = NULL;
    tacit_data_opts o;
    tacit_evaluation e;
    int32_t *label = NULL;
    int64_t rows = 0;
    const int64_t class[] = {0, 1};

    MUST(file >= 0 && write(file, "c1,c2,c3,c4\n5,0,0,0\n0,0,5,0\n", 27) == 27 && close(file) == 0);
    tacit_data_opts_init(&o, sizeof o);
    MUST(tacit_data_open(ctx, path, &o, &data) == TACIT_OK);
    CHECK(tacit_data_set_labels(ctx, data, class) == TACIT_E_ARGUMENT, "not before the rows are "
                                                                       "known");
    MUST(tacit_model_predict(ctx, m, data, &label, &rows) == TACIT_OK && rows == 2);
    CHECK(tacit_data_set_labels(ctx, data, class) == TACIT_OK, "but then");
    tacit_evaluation_init(&e, sizeof e);
    MUST(tacit_model_evaluate(ctx, m, data, 0, &e) == TACIT_OK);
    CHECK(e.nmi == 1 && e.tau_rows == 1, "a matrix in a CSV file");
    tacit_free(label);
    tacit_data_free(data);
    tacit_model_free(m);
    unlink(path);
}

typedef struct seen {
    int64_t rows, counts, entries, own, stop;
    uint64_t hash;
    bool good;
    const tacit_synthetic_counts_opts *opts;
} seen;

static int look(int64_t row, int32_t cluster, const int32_t *column, const int32_t *count,
                int32_t entries, void *payload)
{
    seen *s = payload;
    const int32_t l = s->opts->column_clusters;

    s->good = s->good && row == s->rows && cluster == row % s->opts->row_clusters && entries > 0;
    for (int32_t e = 0; e < entries; e++) {
        s->good = s->good && column[e] >= 0 && column[e] < s->opts->columns && count[e] > 0 &&
                  (e == 0 || column[e] > column[e - 1]);
        s->counts += count[e];
        s->own += column[e] % l == cluster % l ? count[e] : 0;
        s->hash = s->hash * 31 + (uint64_t)column[e] * 7 + (uint64_t)count[e];
    }
    s->entries += entries;
    return ++s->rows == s->stop;
}

static void test_blocks(void)
{
    tacit_synthetic_counts_opts o;
    seen one = {.good = true, .opts = &o}, two = one, three = one;

    tacit_synthetic_counts_opts_init(&o, sizeof o);
    o.rows = 4000;
    o.columns = 203;
    o.row_clusters = 6;
    o.contrast = 0.6;
    MUST(tacit_synthetic_counts(ctx, &o, look, &one) == TACIT_OK &&
         tacit_synthetic_counts(ctx, &o, look, &two) == TACIT_OK);
    CHECK(one.good && one.rows == 4000 && one.hash == two.hash, "rows in order, columns ascending; "
                                                                "a seed, one table");
    /* Mean 50, sd of the mean sqrt(49 / 4000) = 0.11. Own clusters: 0.6 x 2/3 + 0.4 x 1/4 = 0.5, sd
       about 0.001, and 0.01 for clusters that are not quite equal. */
    const double mean = (double)one.counts / 4000, own = (double)one.own / (double)one.counts;
    CHECK(fabs(mean - 50) < 0.6, "%.2f counts a row", mean);
    CHECK(fabs(own - 0.5) < 0.02, "%.3f of them in the preferred cluster", own);
    o.seed = 2;
    two.rows = two.counts = 0;
    two.hash = 0;
    MUST(tacit_synthetic_counts(ctx, &o, look, &two) == TACIT_OK);
    CHECK(one.hash != two.hash, "another seed, another table");
    three.stop = 10;
    CHECK(tacit_synthetic_counts(ctx, &o, look, &three) == TACIT_E_CANCELLED && three.rows == 10,
          "and it stops when told");
    o.contrast = 1.5;
    CHECK(tacit_synthetic_counts(ctx, &o, look, &one) == TACIT_E_ARGUMENT && says("contrast"),
          "bad contrast");
    o.contrast = 1;
    o.column_clusters = 204;
    CHECK(tacit_synthetic_counts(ctx, &o, look, &one) == TACIT_E_ARGUMENT && says("column "
                                                                                  "clusters"),
          "more clusters than columns");
    o.column_clusters = 4;
    o.mean = 0.5;
    CHECK(tacit_synthetic_counts(ctx, &o, look, &one) == TACIT_E_ARGUMENT && says("mean"),
          "rows without counts");
    CHECK(tacit_synthetic_counts(ctx, &o, NULL, NULL) == TACIT_E_ARGUMENT, "nobody to tell");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_rule();
    test_many();
    test_columns();
    test_figures();
    test_file();
    test_blocks();
    tacit_ctx_free(ctx);
    return tap_done();
}
