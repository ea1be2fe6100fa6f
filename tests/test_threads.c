/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: every method with several of them, and several runs at the same time on one handle, each
   with options of its own. The releases are the same bits as those of one thread and of one run
   after the other, and the handle is as it was before. Mostly there for ThreadSanitizer, which
   ./check has look at it. */
#include "core/core.h"
#include "data/dataset/dataset.h"
#include "mixed_dice.h"
#include "scratch.h"

#include <pthread.h>

enum { ROWS = 900, COLUMNS = 3, WIDE_COLUMNS = 1600, ENTRIES = 6, ITEMS = 12, LENGTH = 1 << 20 };
enum { KMEANS, KMEDIAN, SUBSPACE, COCLUSTER };

typedef struct wish {
    const char *name;
    int family, method;
    int32_t k, sparsity;
    bool entry, pure;
} wish;

static tacit_ctx *ctx;
static double dense[ROWS * COLUMNS], entry_value[ROWS * ENTRIES], count_value[ROWS * ENTRIES];
static int64_t start[ROWS + 1];
static int32_t entry_column[ROWS * ENTRIES], count_column[ROWS * ENTRIES];

static int below(int n)
{
    return (int)(uniform() * n);
}

static void fill(void)
{
    dice = 7;
    for (int i = 0; i < ROWS; i++) {
        start[i + 1] = start[i] + ENTRIES;
        for (int j = 0; j < COLUMNS; j++)
            dense[i * COLUMNS + j] = fmin(1, fmax(0, 0.25 + 0.25 * (i % 3) + 0.03 * normal()));
        for (int e = 0; e < ENTRIES; e++) {
            entry_column[i * ENTRIES + e] = (i % 3 * 500 + e * 67 + below(60)) % WIDE_COLUMNS;
            entry_value[i * ENTRIES + e] = uniform();
            count_column[i * ENTRIES + e] = (i % 2 * ITEMS / 2 + below(ITEMS / 2)) % ITEMS;
            count_value[i * ENTRIES + e] = 1 + below(3);
        }
    }
}

static tacit_data *open_dense(tacit_ctx *c)
{
    tacit_data *data = NULL;
    MUST(tacit_data_open(c, scratch("rows.csv"), NULL, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(c, data, "0:1") == TACIT_OK);
    return data;
}

static tacit_data *open_ball(tacit_ctx *c)
{
    const double zero[COLUMNS] = {0};
    tacit_data *data = NULL;
    MUST(tacit_data_from_memory(c, dense, TACIT_F64, ROWS, COLUMNS, &data) == TACIT_OK);
    MUST(tacit_data_set_ball(c, data, zero, 2) == TACIT_OK);
    return data;
}

static tacit_data *open_wide(tacit_ctx *c)
{
    tacit_data *data = NULL;
    MUST(tacit_data_from_csr(c, start, entry_column, entry_value, ROWS, WIDE_COLUMNS, &data) ==
         TACIT_OK);
    MUST(tacit_data_declare_bounds(c, data, "0:1") == TACIT_OK);
    return data;
}

static tacit_data *open_counts(tacit_ctx *c)
{
    tacit_data *data = NULL;
    MUST(tacit_data_from_csr(c, start, count_column, count_value, ROWS, ITEMS, &data) == TACIT_OK);
    return data;
}

/* The release as text, in out; the status if there is none. */
static tacit_status run(tacit_ctx *c, tacit_data *data, const wish *w, char *out)
{
    tacit_budget b;
    tacit_kmeans_opts means;
    tacit_subspace_opts spaces;
    tacit_cocluster_opts blocks;
    tacit_model *model = NULL;
    char *json = NULL;
    tacit_status status = TACIT_E_ARGUMENT;

    tacit_budget_init(&b, sizeof b);
    tacit_kmeans_opts_init(&means, sizeof means);
    tacit_subspace_opts_init(&spaces, sizeof spaces);
    tacit_cocluster_opts_init(&blocks, sizeof blocks);
    b.epsilon = 4;
    b.delta = w->pure ? 0 : 1e-6;
    b.use_insecure_test_seed = 1;
    b.insecure_test_seed = 5;
    b.neighbors = w->entry ? TACIT_ENTRY : TACIT_ADD_REMOVE;
    means.method = (tacit_kmeans_method)w->method;
    means.k = w->k;
    means.sparsity = w->sparsity;
    spaces.method = (tacit_subspace_method)w->method;
    spaces.k = w->k;
    spaces.q = 1;
    spaces.rounds = w->method == TACIT_SUBSPACE_GIBBS ? 20 : 0;
    blocks.method = (tacit_cocluster_method)w->method;
    blocks.row_clusters = blocks.column_clusters = w->k;
    if (w->family == KMEANS) status = tacit_kmeans_run(c, data, &b, &means, &model);
    if (w->family == KMEDIAN) status = tacit_kmedian_run(c, data, &b, &means, &model);
    if (w->family == SUBSPACE) status = tacit_subspace_run(c, data, &b, &spaces, &model);
    if (w->family == COCLUSTER) status = tacit_cocluster_run(c, data, &b, &blocks, &model);
    out[0] = '\0';
    if (status == TACIT_OK) {
        MUST(tacit_model_json(c, model, &json) == TACIT_OK && strlen(json) < LENGTH);
        strcpy(out, json);
        tacit_free(json);
    }
    tacit_model_free(model);
    return status;
}

typedef tacit_data *(*opener)(tacit_ctx *c);

/* One thread, all rows in one block, nobody else. */
static tacit_status alone(opener open, const wish *w, char *out)
{
    tacit_data *data = open(ctx);
    ctx->threads = 1;
    const tacit_status status = run(ctx, data, w, out);
    tacit_data_free(data);
    return status;
}

/* Every method that takes such a set: 4 threads on small blocks give the bits of one. */
static void every_method(const char *name, opener open, int family, bool entry, bool pure,
                         int least)
{
    static char first[LENGTH], again[LENGTH];
    const int64_t usual = ctx->block_bytes;
    int ran = 0, same = 0;

    for (int method = 0; method < 16; method++) {
        const wish w = {
            .name = name, .family = family, .method = method, .k = 2, .entry = entry, .pure = pure};
        if (alone(open, &w, first) != TACIT_OK) continue;
        tacit_data *data = open(ctx);
        ctx->threads = 4;
        ctx->block_bytes = 2048;
        ran++;
        const bool equal = run(ctx, data, &w, again) == TACIT_OK && strcmp(first, again) == 0;
        same += equal;
        if (!equal) printf("# %s: method %d differs\n", name, method);
        ctx->block_bytes = usual;
        tacit_data_free(data);
    }
    CHECK(ran >= least && same == ran,
          "%s: %d methods release with 4 threads what they release with one", name, ran);
}

/* ---- runs at the same time ---- */

typedef struct worker {
    pthread_barrier_t *begin;
    tacit_data *data;
    const wish *wish;
    char *out;
    tacit_status status;
} worker;

static void *work(void *arg)
{
    worker *w = arg;
    tacit_ctx *own = NULL;

    w->status = tacit_ctx_new(&own);
    if (w->status == TACIT_OK) {
        own->threads = 2;
        own->block_bytes = 4096;
    }
    pthread_barrier_wait(w->begin);
    if (w->status == TACIT_OK) w->status = run(own, w->data, w->wish, w->out);
    tacit_ctx_free(own);
    return NULL;
}

/* All the wishes at once on one handle that nobody has read yet, then once more on the rows that
   are there. */
static void at_once(const char *name, opener open, const wish *wishes, int count)
{
    enum { MOST = 4 };
    static char wanted[MOST][LENGTH], got[MOST][LENGTH];
    bool same = true;

    for (int i = 0; i < count; i++) MUST(alone(open, &wishes[i], wanted[i]) == TACIT_OK);
    for (int i = 1; i < count; i++) MUST(strcmp(wanted[i], wanted[0]) != 0);
    for (long time = 0; time < tap_times(5); time++) {
        tacit_data *data = open(ctx);
        for (int turn = 0; turn < 2; turn++) {
            pthread_barrier_t begin;
            pthread_t thread[MOST];
            worker workers[MOST];
            MUST(pthread_barrier_init(&begin, NULL, (unsigned)count) == 0);
            for (int i = 0; i < count; i++) {
                workers[i] = (worker){&begin, data, &wishes[i], got[i], TACIT_OK};
                MUST(pthread_create(&thread[i], NULL, work, &workers[i]) == 0);
            }
            for (int i = 0; i < count; i++) {
                MUST(pthread_join(thread[i], NULL) == 0);
                const bool equal = workers[i].status == TACIT_OK && strcmp(wanted[i], got[i]) == 0;
                if (!equal)
                    printf("# %s differs, status %d\n", wishes[i].name, (int)workers[i].status);
                same = same && equal;
            }
            pthread_barrier_destroy(&begin);
        }
        tacit_data_free(data);
    }
    CHECK(same,
          "%s: %d runs at the same time on one handle release what they release one after the "
          "other",
          name, count);
}

/* What a run wants of the rows is its own: the handle does not change once its rows are there. */
static void stays(const char *name, opener open, const wish *w)
{
    static char out[LENGTH];
    struct tacit_data before;
    tacit_data *data = open(ctx);

    MUST(run(ctx, data, w, out) == TACIT_OK);
    memcpy(&before, data, sizeof before);
    const wish other = {.family = w->family,
                        .method = w->method,
                        .k = w->k + 1,
                        .entry = w->entry,
                        .sparsity = w->sparsity / 2};
    MUST(run(ctx, data, &other, out) == TACIT_OK);
    CHECK(memcmp(&before, data, sizeof before) == 0, "%s: a run leaves the handle as it was", name);
    tacit_data_free(data);
}

int main(void)
{
    static const wish on_dense[] = {
        {.name = "k-means", .family = KMEANS, .k = 3},
        {.name = "k-median", .family = KMEDIAN, .k = 2},
        {.name = "lloyd", .family = KMEANS, .method = TACIT_KMEANS_LLOYD, .k = 4}};
    static const wish on_ball[] = {{.name = "subspace", .family = SUBSPACE, .k = 2},
                                   {.name = "k-means", .family = KMEANS, .k = 2},
                                   {.name = "pure", .family = SUBSPACE, .k = 2, .pure = true}};
    static const wish on_wide[] = {{.name = "sparsity 3", .family = KMEANS, .k = 2, .sparsity = 3},
                                   {.name = "no sparsity", .family = KMEANS, .k = 2},
                                   {.name = "sparsity 6", .family = KMEANS, .k = 2, .sparsity = 6}};
    static const wish on_counts[] = {
        {.name = "rows", .family = COCLUSTER, .k = 2},
        {.name = "entries", .family = COCLUSTER, .k = 2, .entry = true}};

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    scratch_open();
    fill();
    FILE *file = fopen(scratch("rows.csv"), "w");
    MUST(file != NULL);
    fputs("x,y,z\n", file);
    for (int i = 0; i < ROWS; i++)
        fprintf(file, "%.17g,%.17g,%.17g\n", dense[3 * i], dense[3 * i + 1], dense[3 * i + 2]);
    MUST(fclose(file) == 0);
    every_method("k-means", open_dense, KMEANS, false, false, 8);
    every_method("k-means, pure", open_dense, KMEANS, false, true, 6);
    every_method("k-median", open_dense, KMEDIAN, false, false, 1);
    every_method("k-means of sparse rows", open_wide, KMEANS, false, false, 1);
    every_method("subspaces", open_ball, SUBSPACE, false, false, 3);
    every_method("subspaces, pure", open_ball, SUBSPACE, false, true, 2);
    every_method("co-clustering of rows", open_counts, COCLUSTER, false, false, 3);
    every_method("co-clustering of entries", open_counts, COCLUSTER, true, false, 3);
    at_once("a file", open_dense, on_dense, 3);
    at_once("a matrix in memory", open_ball, on_ball, 3);
    at_once("sparse rows", open_wide, on_wide, 3);
    at_once("counts", open_counts, on_counts, 2);
    stays("sparse rows", open_wide, &on_wide[2]);
    stays("counts", open_counts, &on_counts[1]);
    stays("a file", open_dense, &on_dense[0]);
    scratch_close();
    tacit_ctx_free(ctx);
    return tap_done();
}
