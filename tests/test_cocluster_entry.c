/* SPDX-License-Identifier: Apache-2.0 */
/* Co-clustering of single entries, methods dp-taucc and auto, through the public call: planted
   blocks are found, the budget is spent and not more, clusters are deleted, degenerate tables do no
   harm, threads and layout change nothing. */
#include "cluster/cocluster/cocluster_run.h"
#include "cluster/cocluster/auto/entry/profiles.h"
#include "dice.h"
#include "solve/cocluster/scores.h"
#include "tap.h"

#include <math.h>

enum { MOST_ROWS = 800, MOST_COLUMNS = 200, MOST_ENTRIES = MOST_ROWS * 120 };

static tacit_ctx *ctx;
static uint64_t state = 88172645463325252u;

typedef struct table {
    int64_t rows, start[MOST_ROWS + 1], truth[MOST_ROWS];
    int32_t columns, column[MOST_ENTRIES];
    double value[MOST_ENTRIES];
} table;

static table world;

static void put(table *t, int64_t i, const double *counts)
{
    t->start[i + 1] = t->start[i];
    for (int32_t j = 0; j < t->columns; j++)
        if (counts[j] > 0) {
            t->column[t->start[i + 1]] = j;
            t->value[t->start[i + 1]++] = counts[j];
        }
}

/* Rows of `kinds` kinds with `length` counts each, of which `share` fall into the kind's own
   columns, the others anywhere. */
static void plant(table *t, int64_t rows, int32_t columns, int32_t kinds, int32_t length,
                  double share, uint64_t seed)
{
    state = seed * 2654435761u + 88172645463325252u;
    t->rows = rows;
    t->columns = columns;
    t->start[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        double counts[MOST_COLUMNS] = {0};
        t->truth[i] = (int64_t)(next() % (uint64_t)kinds);
        for (int32_t e = 0; e < length; e++) {
            const int32_t any = (int32_t)(next() % (uint64_t)columns);
            const int32_t nth = (int32_t)(next() % (uint64_t)((columns + kinds - 1) / kinds));
            const int32_t own = nth * kinds + (int32_t)t->truth[i];
            counts[(double)(next() % 1000) < share * 1000 && own < columns ? own : any]++;
        }
        put(t, i, counts);
    }
}

typedef struct ask {
    tacit_cocluster_method method;
    int32_t k, l, rounds, threads;
    double epsilon, delta, labels;
    uint64_t seed;
    const tac_door_probe *probe;
} ask;

static void options(ask a, tacit_budget *b, tacit_cocluster_opts *o)
{
    tacit_budget_init(b, sizeof *b);
    tacit_cocluster_opts_init(o, sizeof *o);
    b->epsilon = a.epsilon;
    b->delta = a.delta;
    b->neighbors = TACIT_ENTRY;
    b->use_insecure_test_seed = 1;
    b->insecure_test_seed = a.seed;
    o->row_clusters = a.k;
    o->column_clusters = a.l;
    o->rounds = a.rounds;
    o->method = a.method;
    o->labels_share = a.labels;
}

/* NULL: refused. */
static tacit_model *fit(const table *t, ask a)
{
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget b;
    tacit_cocluster_opts o;

    options(a, &b, &o);
    MUST(tacit_ctx_set_threads(ctx, a.threads > 0 ? a.threads : 2) == TACIT_OK);
    MUST(tacit_data_from_csr(ctx, t->start, t->column, t->value, t->rows, t->columns, &data) ==
         TACIT_OK);
    if (tac_cocluster_probed(ctx, data, &b, &o, a.probe, &model) != TACIT_OK) MUST(model == NULL);
    tacit_data_free(data);
    return model;
}

/* The released rule, applied to the rows themselves. */
static void apply(const table *t, const tacit_model *m, int32_t *label)
{
    const tac_rule *r = &m->blocks->rule;

    for (int64_t i = 0; i < t->rows; i++) {
        double best = -INFINITY;
        for (int32_t p = 0; p < r->profiles; p++) {
            double sum = r->offset[p];
            for (int64_t e = t->start[i]; e < t->start[i + 1]; e++) {
                const int32_t j = t->column[e];
                sum += r->weight[j] * t->value[e] * r->score[(int64_t)p * r->groups + r->group[j]];
            }
            if (sum > best) {
                best = sum;
                label[i] = r->cluster[p];
            }
        }
    }
}

static double nmi_of(const table *t, const int32_t *label)
{
    double nmi, ari;

    MUST(tac_score_labels(ctx, label, t->truth, t->rows, &nmi, &ari) == TACIT_OK);
    return nmi;
}

static double nmi_of_rule(const table *t, const tacit_model *m)
{
    static int32_t label[MOST_ROWS];

    if (m == NULL) return -1;
    apply(t, m, label);
    return nmi_of(t, label);
}

static double mean_nmi(const table *t, ask a, int runs)
{
    double sum = 0;

    for (int i = 0; i < runs; i++) {
        a.seed++;
        tacit_model *m = fit(t, a);
        sum += nmi_of_rule(t, m);
        tacit_model_free(m);
    }
    return sum / runs;
}

/* ---- what is found ---- */

/* Of 200 seeds one in 25 left two kinds joined (NMI 0.73), the others found all. Three of five, or
   more, would do so with probability 6e-4, and only then is a mean below 0.85. dp-taucc: mean 0.88,
   one run's deviation 0.13; 0.65 is five deviations of a mean of ten below. */
static void finds(void)
{
    const double plenty = 50;

    plant(&world, 600, 150, 3, 60, 0.7, 1);
    const double three = mean_nmi(&world, (ask){.k = 3, .l = 3, .epsilon = plenty, .seed = 10}, 5);
    CHECK(three > 0.85, "auto finds three planted kinds of rows (NMI %.3f)", three);
    const double wide = mean_nmi(&world, (ask){.k = 3, .l = 5, .epsilon = plenty, .seed = 20}, 5);
    CHECK(wide > 0.85, "... with more column clusters than there are (NMI %.3f)", wide);
    const double approximate =
        mean_nmi(&world, (ask){.k = 3, .l = 3, .epsilon = plenty, .delta = 1e-6, .seed = 30}, 5);
    CHECK(approximate > 0.85, "... with delta (NMI %.3f)", approximate);
    const ask peer = {
        .method = TACIT_COCLUSTER_DP_TAUCC, .k = 3, .l = 3, .epsilon = plenty, .seed = 40};
    const double taucc = mean_nmi(&world, peer, 10);
    CHECK(taucc > 0.65, "dp-taucc finds them most of the time (NMI %.3f)", taucc);
}

/* Rows of kind k have most of their counts in columns of kinds k and k + 1: neighbors on a ring are
   alike, and two of four kinds joined have a higher tau than all four. With scores that favor large
   profiles 50 of 100 seeds joined two kinds (NMI 0.83 or so), now 7; 6 or more of 20 do so with
   probability 0.002. */
static void tells_neighbors_apart(void)
{
    int apart = 0;

    for (uint64_t seed = 1; seed <= 20; seed++) {
        table *t = &world;
        plant(t, 800, 200, 4, 100, 0, seed);
        for (int64_t i = 0; i < t->rows; i++) {
            double counts[MOST_COLUMNS] = {0};
            for (int32_t e = 0; e < 100; e++) {
                const int32_t any = (int32_t)(next() % 200), pick = (int32_t)(next() % 8);
                const int32_t kind = (int32_t)(t->truth[i] + (pick >= 4)) % 4;
                counts[pick < 6 ? any - any % 4 + kind : any]++;
            }
            put(t, i, counts);
        }
        tacit_model *m = fit(t, (ask){.k = 4, .l = 4, .epsilon = 3, .seed = seed});
        apart += nmi_of_rule(t, m) > 0.93;
        tacit_model_free(m);
    }
    CHECK(apart > 14, "kinds that are alike are told apart in %d of 20 runs", apart);
}

/* Columns of a kind belong together, and the table is near the true one. */
static void columns_and_table(void)
{
    plant(&world, 600, 150, 3, 60, 0.7, 2);
    tacit_model *m = fit(&world, (ask){.k = 3, .l = 3, .epsilon = 50, .seed = 5});
    MUST(m != NULL);
    int64_t kind[MOST_COLUMNS];
    double nmi, ari, all = 0, own = 0;
    for (int32_t j = 0; j < world.columns; j++) kind[j] = j % 3;
    MUST(tac_score_labels(ctx, m->blocks->column_cluster, kind, world.columns, &nmi, &ari) ==
         TACIT_OK);
    CHECK(nmi > 0.95, "columns of a kind get one cluster (NMI %.3f)", nmi);
    for (int a = 0; a < 3; a++) {
        double most = 0;
        for (int b = 0; b < 3; b++) {
            all += m->blocks->table[a * 3 + b];
            most = fmax(most, m->blocks->table[a * 3 + b]);
        }
        own += most;
    }
    /* 36000 counts, 80 % of them in a kind's own columns; the table stands for one batch of 8 or
       so: 5 % off at most. */
    CHECK(fabs(all - 36000) < 0.05 * 36000 && fabs(own / all - 0.8) < 0.03,
          "the table is near the true one (%.0f, %.3f)", all, own / all);
    CHECK(m->blocks->column_z != NULL && m->blocks->column_z[0] > 3 && m->blocks->table_sd > 0,
          "what noise does to it is told");
    tacit_model_free(m);
}

/* With noise that matters, means of 10 runs. Of 200 seeds: auto 0.96, one run's deviation 0.10;
   dp-taucc 0.21 and 0.15. The floor is six deviations of the mean below, the lead nine: false alarm
   below 1e-8 even with fresh seeds. */
static void floors(void)
{
    const ask a = {.k = 3, .l = 3, .epsilon = 0.5, .seed = 100};
    ask b = a;

    plant(&world, 800, 200, 3, 60, 0.5, 3);
    b.method = TACIT_COCLUSTER_DP_TAUCC;
    const double found = mean_nmi(&world, a, 10), peer = mean_nmi(&world, b, 10);
    CHECK(found > 0.75, "auto keeps its floor at epsilon 0.5 (NMI %.3f)", found);
    CHECK(found > peer + 0.2, "... and is ahead of dp-taucc (NMI %.3f)", peer);
}

static void private_labels(void)
{
    for (int method = 0; method < 2; method++) {
        plant(&world, 600, 150, 3, 60, 0.7, 4);
        tacit_model *m = fit(&world, (ask){.method = (tacit_cocluster_method)method,
                                           .k = 3,
                                           .l = 3,
                                           .epsilon = 100,
                                           .labels = 0.3,
                                           .seed = 8});
        int32_t label[MOST_ROWS];
        int64_t same = 0;
        MUST(m != NULL && m->labels != NULL && m->rows == 600);
        apply(&world, m, label);
        for (int64_t i = 0; i < 600; i++) same += label[i] == m->labels[i];
        CHECK(same > 590,
              "method %d: paid labels agree with the rule at a large epsilon (%d of 600)", method,
              (int)same);
        tacit_model_free(m);
        m = fit(&world, (ask){.method = (tacit_cocluster_method)method,
                              .k = 3,
                              .l = 3,
                              .epsilon = 100,
                              .seed = 8});
        CHECK(m != NULL && m->labels == NULL, "method %d: none are released unpaid", method);
        tacit_model_free(m);
    }
}

/* ---- what is spent ---- */

/* Queries about all rows, and those about the most expensive batch. */
static double most_expensive(const tac_card *card, int batches)
{
    double all = 0, each[64] = {0}, most = 0;

    for (int32_t i = 0; i < card->queries; i++) {
        const tac_card_query *q = &card->query[i];
        if (q->batch < 0)
            all += q->cost;
        else
            each[q->batch] += q->cost;
    }
    for (int b = 0; b < batches; b++) most = fmax(most, each[b]);
    return all + most;
}

static void budgets(void)
{
    static const ask asks[] = {{.epsilon = 0.1},
                               {.epsilon = 1},
                               {.epsilon = 3, .labels = 0.25},
                               {.epsilon = 20},
                               {.epsilon = 0.5, .delta = 1e-6},
                               {.epsilon = 2, .delta = 1e-5, .labels = 0.5}};

    plant(&world, 300, 60, 3, 30, 0.6, 6);
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
        for (int method = 0; method < 2; method++) {
            ask a = asks[i];
            a.method = (tacit_cocluster_method)method;
            a.k = 3;
            a.l = 4;
            tacit_model *m = fit(&world, a);
            MUST(m != NULL);
            const double spent = most_expensive(&m->card, 64), budget = m->card.native_budget;
            CHECK(spent <= budget && spent > 0.9999 * budget &&
                      fabs(spent - m->card.native_spent) < 1e-12 * budget,
                  "method %d, epsilon %g, delta %g: all is spent and no more (%.9f of it)", method,
                  a.epsilon, a.delta, spent / budget);
            tacit_model_free(m);
        }
    for (int32_t rounds = 1; rounds < 8; rounds += 3) {
        tacit_model *m = fit(&world, (ask){.method = TACIT_COCLUSTER_DP_TAUCC,
                                           .k = 3,
                                           .l = 3,
                                           .epsilon = 1,
                                           .rounds = rounds});
        MUST(m != NULL);
        const tac_card_query *draw = &m->card.query[0], *noisy = &m->card.query[1];
        CHECK(m->card.queries == 4 * rounds && m->rounds == rounds &&
                  fabs(draw->cost - 0.45 / rounds) < 1e-6 &&
                  fabs(noisy->cost - 0.05 / rounds) < 1e-6,
              "dp-taucc, %d rounds: the paper's split", rounds);
        tacit_model_free(m);
    }
}

/* ---- the paper's algorithm ---- */

typedef struct seen {
    int tables;
    double sum[64]; /* of each exact table */
    size_t cells[64];
} seen;

static void on_exact(void *payload, const tac_receipt *receipt, const uint64_t *answer,
                     size_t count)
{
    seen *s = payload;

    if (receipt->kind != TAC_KIND_TABLE || s->tables == 64) return;
    s->cells[s->tables] = count;
    s->sum[s->tables] = 0;
    for (size_t i = 0; i < count; i++)
        s->sum[s->tables] += ldexp((double)answer[i], -TAC_COUNT_GRID);
    s->tables++;
}

/* The authors' code loses R(0), so that its first table is empty but for noise. */
static void first_table(void)
{
    seen s = {0};
    const tac_door_probe probe = {.exact = on_exact, .payload = &s};

    plant(&world, 200, 40, 3, 30, 0.6, 7);
    tacit_model *m = fit(
        &world,
        (ask){.method = TACIT_COCLUSTER_DP_TAUCC, .k = 3, .l = 3, .epsilon = 10, .probe = &probe});
    MUST(m != NULL);
    CHECK(s.tables == 8 && s.sum[0] == 6000, "the first table counts all rows by R(0) (%g)",
          s.sum[0]);
    CHECK(s.sum[1] == 6000 && s.sum[7] == 6000, "after a draw of rows all of them count");
    tacit_model_free(m);
}

/* Empty tables: every cell of a noisy table is as often below 0 as above, so row clusters go, one
   by one. */
static void deletions(void)
{
    seen s = {0};
    const tac_door_probe probe = {.exact = on_exact, .payload = &s};
    int fewer = 0, one = 0, good = 0;

    plant(&world, 40, 10, 3, 0, 0.6, 9);
    for (uint64_t seed = 0; seed < 20; seed++) {
        tacit_model *m = fit(&world, (ask){.method = TACIT_COCLUSTER_DP_TAUCC,
                                           .k = 5,
                                           .l = 2,
                                           .epsilon = 0.1,
                                           .labels = 0.1,
                                           .seed = seed});
        MUST(m != NULL);
        fewer += m->k < 5;
        bool fine = m->k >= 1 && m->k <= 5 && m->blocks->l == 2;
        for (int32_t e = 0; e < 2 * m->k; e++) fine = fine && m->blocks->table[e] >= 0;
        for (int64_t i = 0; i < 40; i++) fine = fine && m->labels[i] >= 0 && m->labels[i] < m->k;
        good += fine;
        tacit_model_free(m);
        m = fit(
            &world,
            (ask){
                .method = TACIT_COCLUSTER_DP_TAUCC, .k = 3, .l = 1, .epsilon = 0.1, .seed = seed});
        MUST(m != NULL);
        one += m->k == 1;
        tacit_model_free(m);
    }
    /* A row of two cells is empty with probability 1/4, eight times over: all five stay with
       probability below 1e-4. */
    CHECK(fewer == 20 && good == 20, "empty row clusters are deleted, and what is left is in "
                                     "order");
    CHECK(one > 10, "one cluster left works (%d of 20)", one);

    /* Rows of a deleted cluster do not count until they draw again, and then all do. */
    plant(&world, 30, 20, 3, 3, 0.6, 11);
    bool less = false, again = true;
    for (uint64_t seed = 0; seed < 40; seed++) {
        s.tables = 0;
        tacit_model *m = fit(&world, (ask){.method = TACIT_COCLUSTER_DP_TAUCC,
                                           .k = 6,
                                           .l = 2,
                                           .epsilon = 0.5,
                                           .seed = seed,
                                           .probe = &probe});
        MUST(m != NULL && s.tables == 8);
        for (int t = 0; t < 8; t++) {
            less = less || (t % 2 == 0 && s.sum[t] < 90);
            again =
                again && s.cells[t] % 2 == 0 && s.sum[t] <= 90 && (t % 2 == 0 || s.sum[t] == 90);
            if (t > 0) again = again && s.cells[t] <= s.cells[t - 1];
        }
        tacit_model_free(m);
    }
    CHECK(less && again, "rows of a deleted cluster count again once they have drawn another");
}

/* ---- nothing breaks ---- */

static bool in_order(const table *t, const tacit_model *m, const ask *a)
{
    const tac_blocks_released *b = m->blocks;
    bool good = m->k >= 1 && m->k <= a->k && b->l >= 1 && b->l <= a->l && b->rows == t->rows;
    tac_fault fault;

    for (int32_t j = 0; j < t->columns; j++)
        good = good && b->column_cluster[j] >= 0 && b->column_cluster[j] < b->l;
    for (int32_t e = 0; e < m->k * b->l; e++) good = good && isfinite(b->table[e]);
    for (int64_t e = 0; e < (int64_t)b->rule.profiles * b->rule.groups; e++)
        good = good && isfinite(b->rule.score[e]);
    for (int32_t p = 0; p < b->rule.profiles; p++)
        good = good && b->rule.cluster[p] >= 0 && b->rule.cluster[p] < m->k;
    for (int64_t i = 0; i < t->rows && m->labels != NULL; i++)
        good = good && m->labels[i] >= 0 && m->labels[i] < m->k;
    if (tac_model_find_fault(m, &fault)) {
        printf("# %s %s\n", fault.field, fault.cause);
        good = false;
    }
    return good;
}

static void robust(const char *what, const table *t)
{
    static const double epsilons[] = {1e-4, 0.05, 1, 30, 1000};
    static const int32_t sizes[][2] = {{1, 1}, {2, 3}, {4, 1}, {1, 6}, {7, 2}, {40, 2}};
    int bad = 0, refused = 0, asked = 0;

    for (int method = 0; method < 2; method++)
        for (size_t e = 0; e < sizeof epsilons / sizeof *epsilons; e++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                for (int delta = 0; delta < 2; delta++) {
                    ask a = {.method = (tacit_cocluster_method)method,
                             .k = sizes[s][0],
                             .l = sizes[s][1],
                             .epsilon = epsilons[e],
                             .delta = delta ? 1e-6 : 0,
                             .labels = s % 2 ? 0.2 : 0,
                             .seed = s};
                    if (a.l > t->columns) a.l = t->columns;
                    if (delta && epsilons[e] < 0.3 && method == 0) continue; /* another method's */
                    asked++;
                    tacit_model *m = fit(t, a);
                    if (m == NULL) {
                        refused++;
                        if (epsilons[e] > 0.001 || strlen(tacit_ctx_message(ctx)) < 10) {
                            bad++;
                            printf("# k %d l %d epsilon %g: %s\n", a.k, a.l, a.epsilon,
                                   tacit_ctx_message(ctx));
                        }
                        continue;
                    }
                    if (!in_order(t, m, &a)) {
                        bad++;
                        printf("# method %d k %d l %d epsilon %g delta %g is not in order\n",
                               method, a.k, a.l, a.epsilon, a.delta);
                    }
                    tacit_model_free(m);
                }
    CHECK(bad == 0, "%s: %d runs, %d refused for their epsilon", what, asked, refused);
}

static void degenerate(void)
{
    plant(&world, 0, 5, 2, 0, 0.5, 20);
    robust("no rows", &world);
    plant(&world, 1, 5, 2, 20, 0.5, 21);
    robust("one row", &world);
    plant(&world, 20, 8, 2, 0, 0.5, 22);
    robust("all rows empty", &world);
    plant(&world, 30, 1, 1, 5, 0.5, 23);
    robust("one column", &world);
    plant(&world, 60, 30, 3, 10, 0.7, 24);
    for (int64_t i = 1; i < 60; i++) { /* all rows equal to the first */
        double counts[MOST_COLUMNS] = {0};
        for (int64_t e = world.start[0]; e < world.start[1]; e++)
            counts[world.column[e]] = world.value[e];
        put(&world, i, counts);
    }
    robust("all rows equal", &world);
    plant(&world, 90, 40, 3, 10, 0.7, 25);
    /* every third row is empty, and the second half of the columns */
    for (int64_t i = 0; i < 90; i++) {
        double counts[MOST_COLUMNS] = {0};
        if (i % 3 != 0) counts[i % 20] = 1 + (double)(i % 7);
        put(&world, i, counts);
    }
    robust("empty rows and columns", &world);
    plant(&world, 50, 12, 3, 20, 0.7, 26);
    world.value[0] = 2e9;
    robust("one huge count", &world);
}

static bool same_numbers(const double *a, const double *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

static bool same(const tacit_model *a, const tacit_model *b)
{
    if (a == NULL || b == NULL || a->k != b->k || a->blocks->l != b->blocks->l ||
        a->dims != b->dims)
        return false;
    const tac_rule *r = &a->blocks->rule, *s = &b->blocks->rule;
    return r->profiles == s->profiles &&
           same_numbers(a->blocks->table, b->blocks->table, (size_t)(a->k * a->blocks->l)) &&
           same_numbers(r->score, s->score, (size_t)r->profiles * (size_t)r->groups) &&
           memcmp(a->blocks->column_cluster, b->blocks->column_cluster,
                  (size_t)a->dims * sizeof(int32_t)) == 0 &&
           (a->labels == NULL) == (b->labels == NULL) &&
           (a->labels == NULL ||
            memcmp(a->labels, b->labels, (size_t)a->rows * sizeof *a->labels) == 0);
}

/* Entries of each row in another order. */
static void shuffle_entries(table *t)
{
    for (int64_t i = 0; i < t->rows; i++)
        for (int64_t e = t->start[i + 1] - 1; e > t->start[i]; e--) {
            const int64_t o = t->start[i] + (int64_t)(next() % (uint64_t)(e - t->start[i] + 1));
            const int32_t column = t->column[e];
            const double value = t->value[e];
            t->column[e] = t->column[o];
            t->value[e] = t->value[o];
            t->column[o] = column;
            t->value[o] = value;
        }
}

static void layout(void)
{
    plant(&world, 800, 150, 3, 40, 0.6, 30);
    for (int method = 0; method < 2; method++) {
        ask a = {.method = (tacit_cocluster_method)method,
                 .k = 3,
                 .l = 4,
                 .epsilon = 1,
                 .labels = 0.2,
                 .seed = 77,
                 .threads = 1};
        tacit_model *one = fit(&world, a);
        a.threads = 2;
        tacit_model *two = fit(&world, a);
        CHECK(same(one, two), "method %d: one thread or two, the same bits", method);
        tacit_model_free(two);
        a.seed = 78;
        two = fit(&world, a);
        CHECK(!same(one, two), "method %d: another seed, another result", method);
        tacit_model_free(two);
        a.seed = 77;
        shuffle_entries(&world);
        two = fit(&world, a);
        CHECK(same(one, two), "method %d: the order of a row's entries does not matter", method);
        tacit_model_free(two);
        tacit_model_free(one);
    }
}

/* ---- plans and parts ---- */

static void plans(void)
{
    plant(&world, 100, 20, 2, 10, 0.6, 40);
    for (int method = 0; method < 2; method++)
        for (int labels = 0; labels < 2; labels++)
            for (int delta = 0; delta < 2; delta++) {
                tacit_data *data = NULL;
                tacit_plan *plan = NULL;
                tacit_plan_step step;
                tacit_budget b;
                tacit_cocluster_opts o;
                double share = 0;
                options((ask){.method = (tacit_cocluster_method)method,
                              .k = 2,
                              .l = 2,
                              .epsilon = 1,
                              .delta = delta ? 1e-6 : 0,
                              .labels = labels ? 0.4 : 0},
                        &b, &o);
                MUST(tacit_data_from_csr(ctx, world.start, world.column, world.value, world.rows,
                                         world.columns, &data) == TACIT_OK);
                MUST(tacit_cocluster_plan(ctx, data, &b, &o, 100, &plan) == TACIT_OK);
                for (int32_t i = 0; i < tacit_plan_step_count(plan); i++) {
                    tacit_plan_step_init(&step, sizeof step);
                    MUST(tacit_plan_step_get(plan, i, &step) == TACIT_OK);
                    share += step.share;
                }
                CHECK(fabs(share - 1) < 1e-6, "method %d: a plan's shares add up to 1 (%.9f)",
                      method, share);
                tacit_plan_free(plan);
                tacit_data_free(data);
            }
}

static void parts(void)
{
    tac_profiles p = {0};
    const int64_t one = INT64_C(1) << TAC_COUNT_GRID,
                  answer[] = {30 * one, 10 * one, 0, -one, 10 * one, 10 * one, 0, 0};
    int32_t whole[8], group[4];
    double z[4];

    MUST(tac_profiles_open(ctx, 2, 4, &p) == TACIT_OK);
    tac_profiles_add(&p, answer, 2, 0.5);
    CHECK(p.sum[0] == 30 && p.variance == 4, "a first table is what it is");
    tac_profiles_add(&p, answer, 2, 0.5);
    CHECK(p.sum[0] == 45 && p.variance == 5, "a second one adds half of the first, its noise too");
    tac_profiles_add(&p, answer, 2, 0);
    tac_profiles_score(&p, 1);
    /* f = 59/78 and 59/40 of profiles that have 39/59 and 20/59 of the counts */
    const double f[2] = {59.0 / 78, 59.0 / 40};
    for (int a = 0; a < 2; a++)
        CHECK(fabs(p.score[4 * a] -
                   f[a] * p.deviation[4 * a] * 40 / (1600 + 20 * f[a] * f[a] * (4 + 20.0))) < 1e-12,
              "even scores: divided by the profile's part of a fair share, and so is their noise");
    tac_profiles_score(&p, 0);
    /* Masses 39 and 20; column 0: 40 counts, deviation 30 - 39/59 40; score = e c / (c^2 + 20 (4 +
       c / 2)). */
    const double e = 30 - 39.0 / 59 * 40;
    CHECK(fabs(p.deviation[0] - e) < 1e-12 &&
              fabs(p.score[0] - e * 40 / (1600 + 20 * (4 + 20.0))) < 1e-12,
          "scores are shrunken shares");
    CHECK(fabs(p.score[0] + p.score[4]) < 1e-12 && p.score[2] == 0 && p.score[3] == 0 &&
              p.score[7] == 0,
          "columns without counts say nothing");
    tac_profiles_cut(&p, whole);
    CHECK(abs(whole[0]) <= TAC_SCORE_MOST && whole[0] == -whole[4] && whole[2] == 0 &&
              whole[0] > 0 && whole[1] < 0,
          "whole scores keep signs");
    /* Of two ranges the cut is the smaller one: both columns now have it. */
    CHECK(abs(whole[0]) == TAC_SCORE_MOST && abs(whole[1]) == TAC_SCORE_MOST, "and ranges above "
                                                                              "the cut are cut to "
                                                                              "it");
    tac_profiles_columns(&p, group, z);
    CHECK(group[0] == 0 && group[1] == 1 && fabs(z[0] - e / 2) < 1e-12, "a column goes where it "
                                                                        "stands out most");
    tac_profiles_close(&p);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    finds();
    tells_neighbors_apart();
    columns_and_table();
    floors();
    private_labels();
    budgets();
    first_table();
    deletions();
    degenerate();
    layout();
    plans();
    parts();
    tacit_ctx_free(ctx);
    return tap_done();
}
