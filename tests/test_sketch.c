/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto on rows of many columns: it finds topics, survives what is degenerate, fits in
   memory, leaks nothing that a replay could see, and predict and evaluate say of sparse rows what
   they say of dense ones. */
#include "cluster/kmeans/kmeans_run.h"
#include "sparse_world.h"
#include "trace_norm.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

enum { WIDE = TAC_WIDE + 100 };

static tacit_ctx *ctx;

static void clear_rows(sparse_world *w)
{
    clear_world(w);
    *w = (sparse_world){0};
}

/* Rows of `topics` topics: a row has about `words` values of its topic's 20 columns and a few of
   any, and norm 1. */
static sparse_world make_topics(int64_t rows, int32_t columns, int32_t topics, int32_t words,
                                bool dense)
{
    sparse_world w = {.rows = rows, .columns = columns};

    w.start = calloc((size_t)rows + 1, sizeof *w.start);
    w.column = calloc((size_t)(rows * words) + 1, sizeof *w.column);
    w.value = calloc((size_t)(rows * words) + 1, sizeof *w.value);
    if (dense) w.dense = calloc((size_t)rows * (size_t)columns, sizeof *w.dense);
    for (int64_t i = 0; i < rows; i++) {
        const int32_t topic = (int32_t)(next() % (uint64_t)topics);
        const int64_t from = w.entries;
        double squares = 0;
        for (int32_t t = 0; t < words; t++) {
            const int32_t own = (int32_t)((uint64_t)(topic * 20 + (int32_t)(next() % 20)) * 7919 %
                                          (uint64_t)columns);
            const int32_t j = next() % 5 ? own : (int32_t)(next() % (uint64_t)columns);
            int64_t e = from;
            while (e < w.entries && w.column[e] != j) e++;
            w.column[e] = j;
            w.value[e] += 1;
            if (e == w.entries) w.entries++;
        }
        for (int64_t e = from; e < w.entries; e++) squares += w.value[e] * w.value[e];
        for (int64_t e = from; e < w.entries; e++) {
            w.value[e] /= sqrt(squares);
            if (dense) w.dense[i * columns + w.column[e]] = w.value[e];
        }
        w.start[i + 1] = w.entries;
    }
    return w;
}

static tacit_data *open_rows(const sparse_world *w, bool dense, double radius)
{
    tacit_data *data = NULL;

    if (dense)
        MUST(tacit_data_from_memory(ctx, w->dense, TACIT_F64, w->rows, w->columns, &data) ==
             TACIT_OK);
    else
        MUST(tacit_data_from_csr(ctx, w->start, w->column, w->value, w->rows, w->columns, &data) ==
             TACIT_OK);
    MUST(tacit_data_set_ball(ctx, data, NULL, radius) == TACIT_OK);
    return data;
}

typedef struct asking {
    double epsilon, delta;
    int32_t k, sparsity, rounds;
    bool median;
    tacit_kmeans_method method;
} asking;

static tacit_status cluster(tacit_data *data, const asking *a, const tac_door_probe *probe,
                            tacit_model **model)
{
    tacit_budget budget;
    tacit_kmeans_opts opts;

    tacit_budget_init(&budget, sizeof budget);
    tacit_kmeans_opts_init(&opts, sizeof opts);
    budget.epsilon = a->epsilon;
    budget.delta = a->delta;
    budget.use_insecure_test_seed = 1;
    budget.insecure_test_seed = 11;
    opts.k = a->k;
    opts.method = a->method;
    opts.sparsity = a->sparsity;
    opts.rounds = a->rounds;
    if (data->has_units) budget.max_rows_per_unit = 2;
    return tac_kmeans_probed(ctx, data, &budget, &opts, a->median, probe, model);
}

/* ---- does it work? ---- */

static double score(const tacit_model *model, tacit_data *data, tacit_evaluation *e)
{
    tacit_evaluation_init(e, sizeof *e);
    MUST(tacit_model_evaluate(ctx, model, data, 3, e) == TACIT_OK);
    return e->cost / e->plain_cost;
}

static void test_topics(void)
{
    sparse_world w = make_topics(12000, 3000, 5, 15, true);
    tacit_data *sparse = open_rows(&w, false, 1), *dense = open_rows(&w, true, 1);
    tacit_model *model = NULL;
    tacit_evaluation e, other;
    int32_t *label[2] = {NULL, NULL};
    int64_t rows, zeros = 0;

    MUST(cluster(sparse, &(asking){.epsilon = 1, .delta = 1e-6, .k = 5}, NULL, &model) == TACIT_OK);
    const double ratio = score(model, sparse, &e);
    CHECK(ratio < 1.02,
          "5 topics in 3000 columns, epsilon 1: %.4f times the cost of plain k-means (one mean: "
          "%.3f)",
          ratio, e.one_mean_cost / e.plain_cost);
    for (int64_t i = 0; i < 5 * 3000; i++) zeros += fabs(tacit_model_centers(model)[i]) < 1e-3;
    CHECK(zeros > 5 * 2700,
          "columns that a topic does not have are all but 0 in its center (%lld of 15000)",
          (long long)zeros);
    /* The owner's functions on sparse and on dense rows. */
    tacit_evaluation_init(&other, sizeof other);
    MUST(tacit_model_evaluate(ctx, model, dense, 0, &other) == TACIT_OK);
    CHECK(fabs(other.cost / e.cost - 1) < 1e-9 &&
              fabs(other.one_mean_cost / e.one_mean_cost - 1) < 1e-9 && other.clipped == e.clipped,
          "evaluate: the same costs from sparse and dense rows");
    MUST(tacit_model_predict(ctx, model, sparse, &label[0], &rows) == TACIT_OK && rows == w.rows);
    MUST(tacit_model_predict(ctx, model, dense, &label[1], &rows) == TACIT_OK && rows == w.rows);
    CHECK(memcmp(label[0], label[1], (size_t)rows * sizeof(int32_t)) == 0, "predict: the same "
                                                                           "labels from sparse and "
                                                                           "dense rows");
    double *far[2] = {NULL, NULL}, apart = 0;
    MUST(tacit_model_distances(ctx, model, sparse, &far[0], &rows) == TACIT_OK && rows == w.rows);
    MUST(tacit_model_distances(ctx, model, dense, &far[1], &rows) == TACIT_OK && rows == w.rows);
    for (int64_t i = 0; i < 5 * rows; i++) apart = fmax(apart, fabs(far[0][i] - far[1][i]));
    CHECK(apart < 1e-6, "distances: the same from sparse and dense rows (%.1e apart)", apart);
    tacit_free(far[0]);
    tacit_free(far[1]);
    tacit_free(label[0]);
    tacit_free(label[1]);
    tacit_model_free(model);

    MUST(cluster(dense, &(asking){.epsilon = 1, .delta = 1e-6, .k = 5}, NULL, &model) == TACIT_OK);
    tacit_evaluation_init(&other, sizeof other);
    MUST(tacit_model_evaluate(ctx, model, dense, 0, &other) == TACIT_OK);
    CHECK(other.cost / e.plain_cost < 1.1,
          "the same rows dense, without a matrix of columns x columns: %.4f",
          other.cost / e.plain_cost);
    tacit_model_free(model);

    MUST(cluster(sparse, &(asking){.epsilon = 8, .k = 5, .sparsity = 15}, NULL, &model) ==
         TACIT_OK);
    tacit_evaluation_init(&other, sizeof other);
    MUST(tacit_model_evaluate(ctx, model, sparse, 0, &other) == TACIT_OK);
    CHECK(other.cost / e.plain_cost < 1.1,
          "pure, epsilon 8, at most 15 values a row declared: %.4f", other.cost / e.plain_cost);
    tacit_model_free(model);
    tacit_data_free(sparse);

    sparse = open_rows(&w, false, 40); /* a radius 40 times too large */
    MUST(cluster(sparse, &(asking){.epsilon = 1, .delta = 1e-6, .k = 5}, NULL, &model) == TACIT_OK);
    MUST(tacit_model_evaluate(ctx, model, sparse, 0, &other) == TACIT_OK);
    CHECK(other.cost / e.plain_cost < 1.05, "a radius 40 times too large: %.4f",
          other.cost / e.plain_cost);
    tacit_model_free(model);
    tacit_data_free(sparse);
    tacit_data_free(dense);
    clear_rows(&w);
}

/* Bounds instead of a ball, and a chosen k. */
static void test_options(void)
{
    sparse_world w = make_topics(6000, 2000, 3, 12, true);
    tacit_data *data = open_rows(&w, false, 1);
    tacit_model *model = NULL, *other = NULL;
    int32_t count = 0;
    char *first = NULL, *second = NULL;

    MUST(cluster(data, &(asking){.epsilon = 3, .delta = 1e-6, .k = TACIT_K_AUTO}, NULL, &model) ==
         TACIT_OK);
    CHECK(tacit_model_k(model) >= 2 && tacit_model_k(model) <= 6 &&
              tacit_model_curve(model, &count) != NULL && count > 3,
          "k is chosen in the projection: %d for 3 topics", tacit_model_k(model));
    tacit_model_free(model);

    MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    MUST(cluster(data, &(asking){.epsilon = 1, .delta = 1e-6, .k = 3, .sparsity = 12}, NULL,
                 &model) == TACIT_OK);
    bool inside = true;
    for (int32_t i = 0; i < 3 * 2000; i++)
        inside = inside && tacit_model_centers(model)[i] >= 0 && tacit_model_centers(model)[i] <= 1;
    CHECK(inside, "bounds 0:1: zeros stay zeros, and centers stay within the bounds");
    ctx->threads = 1;
    ctx->block_bytes = 999;
    MUST(cluster(data, &(asking){.epsilon = 1, .delta = 1e-6, .k = 3, .sparsity = 12}, NULL,
                 &other) == TACIT_OK);
    MUST(tacit_model_json(ctx, model, &first) == TACIT_OK &&
         tacit_model_json(ctx, other, &second) == TACIT_OK);
    CHECK(strcmp(first, second) == 0, "threads and blocks do not show in the release");
    ctx->threads = 2;
    ctx->block_bytes = INT64_C(1) << 18;
    tacit_free(first);
    tacit_free(second);
    tacit_model_free(model);
    tacit_model_free(other);

    for (int m = 0; m < 2; m++) {
        const char *name = m == 0 ? "method auto" : "method balcan";
        const asking a = {.epsilon = 1,
                          .delta = 1e-6,
                          .k = 3,
                          .median = true,
                          .method = m == 0 ? TACIT_KMEANS_AUTO : TACIT_KMEANS_BALCAN};
        CHECK(cluster(data, &a, NULL, &model) == TACIT_E_ARGUMENT &&
                  strstr(tacit_ctx_message(ctx), name) != NULL &&
                  strstr(tacit_ctx_message(ctx), "tacit kmeans") != NULL,
              "k-median of sparse rows is refused: %s", tacit_ctx_message(ctx));
    }
    tacit_data *dense = open_rows(&w, true, 1);
    CHECK(cluster(dense, &(asking){.epsilon = 1, .delta = 1e-6, .k = 3, .sparsity = 12}, NULL,
                  &model) == TACIT_E_ARGUMENT &&
              strstr(tacit_ctx_message(ctx), "sparsity") != NULL &&
              strstr(tacit_ctx_message(ctx), "leave it out") != NULL,
          "a sparsity of dense rows is refused: %s", tacit_ctx_message(ctx));
    tacit_data_free(dense);

    CHECK(cluster(data, &(asking){.epsilon = 1, .k = 3, .method = TACIT_KMEANS_LLOYD}, NULL,
                  &model) == TACIT_E_ARGUMENT &&
              strstr(tacit_ctx_message(ctx), "lloyd") != NULL &&
              strstr(tacit_ctx_message(ctx), "auto") != NULL,
          "other methods refuse sparse rows and name the way out: %s", tacit_ctx_message(ctx));
    MUST(tacit_data_declare_bounds(ctx, data, "1:2") == TACIT_OK);
    CHECK(cluster(data, &(asking){.epsilon = 1, .k = 3}, NULL, &model) == TACIT_E_DOMAIN &&
              strstr(tacit_ctx_message(ctx), "radius"),
          "a domain without 0 is refused: %s", tacit_ctx_message(ctx));
    tacit_data_free(data);
    clear_rows(&w);
}

/* ---- degenerate rows ---- */

static void test_degenerate(void)
{
    static const struct {
        const char *what;
        int64_t rows;
        int32_t most;
    } kind[] = {{"no rows", 0, 1},          {"one row", 1, 5},  {"empty rows", 30, 0},
                {"one value a row", 40, 1}, {"few rows", 5, 9}, {"nasty values", 200, 8}};
    int bad = 0, runs = 0;

    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
        for (int dense = 0; dense < 2; dense++)
            for (int how = 0; how < 5; how++) {
                sparse_world w = make_world(kind[i].rows, WIDE, kind[i].most < 1 ? 1 : kind[i].most,
                                            kind[i].most == 8, true);
                if (kind[i].most == 0)
                    memset(w.start, 0, (size_t)(w.rows + 1) * sizeof *w.start),
                        memset(w.dense, 0, (size_t)(w.rows * WIDE) * 8);
                tacit_data *data = open_rows(&w, dense, how == 4 ? 1e-3 : 2);
                const asking a = {.epsilon = (double[]){1, 1e-3, 100, 1, 5}[how],
                                  .delta = how == 3 ? 0 : 1e-6,
                                  .k = how == 2 ? 60 : 3,
                                  .sparsity = how == 3 && !dense ? 4 : 0,
                                  .rounds = how == 4 ? 3 : 0};
                tacit_model *model = NULL;
                const tacit_status status = cluster(data, &a, NULL, &model);
                bool good = status == TACIT_OK;
                for (int64_t j = 0; good && j < a.k * (int64_t)WIDE; j++)
                    good = isfinite(tacit_model_centers(model)[j]) &&
                           isfinite(tacit_model_centers_sd(model)[j]);
                for (int32_t c = 0; good && c < a.k; c++)
                    good = isfinite(tacit_model_sizes(model)[c]);
                if (!good)
                    printf("# %s, %s, %d: %s\n", kind[i].what, dense ? "dense" : "sparse", how,
                           tacit_ctx_message(ctx));
                bad += !good;
                runs++;
                tacit_model_free(model);
                tacit_data_free(data);
                clear_rows(&w);
            }
    CHECK(bad == 0, "%d runs on degenerate rows give finite numbers (%d do not)", runs, bad);
}

/* ---- replay: see test_replay.c ---- */

enum { MOST_QUERIES = 128 };
typedef struct transcript {
    bool replaying, same, within;
    int asked, at;
    tac_receipt receipt[MOST_QUERIES];
    size_t words[MOST_QUERIES];
    uint64_t *exact[MOST_QUERIES], *noisy[MOST_QUERIES];
} transcript;

static uint64_t *copy_words(const uint64_t *words, size_t count)
{
    uint64_t *copy = malloc(count * sizeof *copy);
    memcpy(copy, words, count * sizeof *copy);
    return copy;
}

static void on_exact(void *payload, const tac_receipt *r, const uint64_t *answer, size_t count)
{
    transcript *t = payload;
    tac_u128 l1 = 0, l2 = 0;

    MUST(t->at < MOST_QUERIES);
    if (!t->replaying) {
        t->receipt[t->at] = *r;
        t->words[t->at] = count;
        t->exact[t->at] = copy_words(answer, count);
        return;
    }
    const tac_receipt *was = &t->receipt[t->at];
    t->same = t->same && t->at < t->asked && t->words[t->at] == count && was->kind == r->kind &&
              was->distribution == r->distribution && was->scale == r->scale &&
              was->quanta == r->quanta && was->sensitivity == r->sensitivity;
    MUST(t->same);
    for (size_t i = 0; i < count; i++) {
        const int64_t gap = (int64_t)(answer[i] - t->exact[t->at][i]);
        const tac_u128 size = (tac_u128)(gap < 0 ? -gap : gap);
        l1 += size;
        l2 += size * size;
    }
    if (r->distribution == TAC_TRACE)
        t->within = t->within && trace_within(ctx, r, answer, t->exact[t->at], count);
    else
        t->within = t->within && (r->distribution == TAC_GAUSSIAN ? l2 : l1) <= r->sensitivity;
}

static void on_noisy(void *payload, const tac_receipt *r, uint64_t *answer, size_t count)
{
    transcript *t = payload;
    (void)r;
    if (t->replaying)
        memcpy(answer, t->noisy[t->at], count * sizeof *answer);
    else
        t->noisy[t->at] = copy_words(answer, count);
    t->at++;
}

/* D and D' differ in the last unit: a row (or two rows of one person) of full and cruel values. */
static void test_replay(void)
{
    int bad_query = 0, bad_distance = 0, bad_release = 0, queries = 0;
    const int pairs = (int)tap_times(10);

    for (int p = 0; p < pairs; p++) {
        const bool dense = p % 5 == 4, persons = p % 3 == 1;
        const int64_t extra = persons ? 4 : 1, base = 40 + (int64_t)(next() % 60);
        sparse_world w = make_world(base + extra, WIDE, 30, true, true);
        const asking a = {.epsilon = p % 7 == 6 ? 1 : 800,
                          .delta = p % 4 == 3 ? 0 : 1e-6,
                          .k = 2 + (int32_t)(next() % 3),
                          .sparsity = p % 4 == 3 && !dense ? 5 : 0};
        int64_t unit[128];
        transcript t = {.same = true, .within = true};
        char *text[2];

        for (int64_t i = 0; i < w.rows; i++) unit[i] = i < base ? i % 15 : 99;
        /* where rounding alone would leave the ball */
        for (int64_t e = w.start[base]; p % 4 > 0 && e < w.entries; e++) {
            w.value[e] = 1e300;
            w.dense[w.rows * WIDE - WIDE + w.column[e]] = extra == 1 ? 1e300 : 0;
        }
        for (int side = 0; side < 2; side++) {
            tacit_model *model = NULL;
            w.rows = side == 0 ? base + extra : base;
            tacit_data *data = open_rows(&w, dense, 1.5);
            if (persons) {
                MUST(tac_data_load(ctx, data, NULL) == TACIT_OK);
                data->told_unit = unit;
                data->selection.unit = 0;
                data->has_units = true;
            }
            t.at = 0;
            t.replaying = side == 1;
            const tac_door_probe probe = {.exact = on_exact, .noisy = on_noisy, .payload = &t};
            MUST(cluster(data, &a, &probe, &model) == TACIT_OK);
            if (side == 0) t.asked = t.at;
            MUST(tacit_model_json(ctx, model, &text[side]) == TACIT_OK);
            tacit_model_free(model);
            tacit_data_free(data);
        }
        bad_query += !t.same || t.asked != t.at;
        bad_distance += !t.within;
        bad_release += strcmp(text[0], text[1]) != 0;
        queries += t.asked;
        for (int i = 0; i < t.asked; i++) free(t.exact[i]), free(t.noisy[i]);
        tacit_free(text[0]);
        tacit_free(text[1]);
        clear_rows(&w);
    }
    CHECK(bad_query == 0,
          "%d neighbors, %d queries: the same queries at the same price (%d differ)", pairs,
          queries, bad_query);
    CHECK(bad_distance == 0, "exact answers within the declared sensitivity (%d beyond)",
          bad_distance);
    CHECK(bad_release == 0,
          "given the same noisy answers, the same release byte for byte (%d differ)", bad_release);
}

/* ---- memory: 20000 rows of 100000 columns, 15 values each, in less than 200 MB ---- */

static void test_memory(void)
{
    struct rusage used;
    int outcome;

    if (SANITIZED) return;
    fflush(stdout);
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        tacit_ctx *own = NULL;
        tacit_model *model = NULL;
        /* dense rows would need 4 GB */
        const struct rlimit limit = {UINT64_C(1) << 30, UINT64_C(1) << 30};
        setrlimit(RLIMIT_AS, &limit);
        if (tacit_ctx_new(&own) != TACIT_OK) _exit(1);
        ctx = own;
        ctx->threads = 2;
        sparse_world w = make_topics(20000, 100000, 20, 15, false);
        tacit_data *data = open_rows(&w, false, 1);
        const tacit_status status =
            cluster(data, &(asking){.epsilon = 1, .delta = 1e-6, .k = 20}, NULL, &model);
        tacit_model_free(model);
        tacit_data_free(data);
        _exit(status == TACIT_OK ? 0 : 2);
    }
    MUST(wait4(child, &outcome, 0, &used) == child);
    CHECK(WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0, "20000 sparse rows of 100000 columns, k "
                                                           "= 20");
    CHECK(used.ru_maxrss < 200 * 1024, "took %ld MB", used.ru_maxrss / 1024);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 2;
    test_memory(); /* first: a child inherits the pages that are there */
    test_topics();
    test_options();
    test_degenerate();
    test_replay();
    tacit_ctx_free(ctx);
    return tap_done();
}
