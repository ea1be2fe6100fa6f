/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs with a limit of memory: the same release, byte for byte, as with all rows in memory,
   for every method, any chunk size, any number of chunks in memory; methods that need all rows
   together are refused at no cost; and whatever happens to the spill file, no release leaves and
   the ledger keeps the charge. */
#include "core/core.h"
#include "declared.h"
#include "mixed_dice.h"
#include "on_disk.h"
#include "scratch.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static tacit_ctx *ctx;

/* ---- calls of the system: counted, and one of them fails or tells something else ---- */

enum { NOTHING, FULL, BROKEN, FLIPPED, CUT };
static int fault;
static _Atomic long reads, writes, at; /* at: the call that it happens to */

/* Only the spill file has no name. */
static bool is_spill(int file)
{
    struct stat about;
    return fstat(file, &about) == 0 && about.st_nlink == 0;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    if (is_spill(file) && ++writes == at && fault == FULL) {
        errno = ENOSPC;
        return -1;
    }
    return (ssize_t)syscall(SYS_pwrite64, file, bytes, size, offset);
}

ssize_t pread(int file, void *bytes, size_t size, off_t offset)
{
    const ssize_t got = (ssize_t)syscall(SYS_pread64, file, bytes, size, offset);

    if (!is_spill(file) || ++reads != at) return got;
    if (fault == FLIPPED) ((unsigned char *)bytes)[size / 2] ^= 4;
    if (fault == CUT) return 0;
    if (fault != BROKEN) return got;
    errno = EIO;
    return -1;
}

/* ---- rows ---- */

typedef struct rows {
    double *value; /* n x dims; NULL: sparse */
    int64_t n;
    int32_t dims;
    int64_t *start, *unit;
    int32_t *column;
    double *entry;
    const char *bounds;
    double radius;
} rows;

enum { FOUR = 4 };

static rows clusters(int64_t n, int32_t dims, bool holes)
{
    rows r = {.n = n, .dims = dims, .bounds = "0:1"};

    dice = 11;
    r.value = malloc((size_t)(n * dims) * sizeof *r.value);
    r.unit = malloc((size_t)n * sizeof *r.unit);
    MUST(r.value != NULL && r.unit != NULL);
    for (int64_t i = 0; i < n; i++) {
        r.unit[i] = i * 7 % (n / 3);
        for (int32_t j = 0; j < dims; j++)
            r.value[i * dims + j] =
                holes && mixed() % 97 == 0
                    ? NAN
                    : 0.2 + 0.15 * (double)(i % FOUR * (j + 1) % 5) + 0.03 * normal();
    }
    return r;
}

/* Rows of few entries; counts are whole numbers. */
static rows entries(int64_t n, int32_t dims, bool counts)
{
    rows r = {.n = n, .dims = dims, .radius = 1};

    dice = 13;
    r.start = calloc((size_t)n + 1, sizeof *r.start);
    r.column = malloc((size_t)(n * 8) * sizeof *r.column);
    r.entry = malloc((size_t)(n * 8) * sizeof *r.entry);
    MUST(r.start != NULL && r.column != NULL && r.entry != NULL);
    for (int64_t i = 0; i < n; i++) {
        const int32_t many = (int32_t)(mixed() % 8);
        r.start[i + 1] = r.start[i] + many;
        for (int32_t e = 0; e < many; e++) {
            r.column[r.start[i] + e] = (int32_t)(e * (dims / 8) + (int32_t)(i % FOUR));
            r.entry[r.start[i] + e] = counts ? (double)(1 + mixed() % 5) : 0.2 + 0.1 * uniform();
        }
    }
    return r;
}

static void rows_free(rows *r)
{
    free(r->value);
    free(r->unit);
    free(r->start);
    free(r->column);
    free(r->entry);
}

static tacit_data *open_rows(const rows *r, bool persons)
{
    tacit_data *data = NULL;

    if (r->value == NULL)
        MUST(tacit_data_from_csr(ctx, r->start, r->column, r->entry, r->n, r->dims, &data) ==
             TACIT_OK);
    else
        MUST(tacit_data_from_memory(ctx, r->value, TACIT_F64, r->n, r->dims, &data) == TACIT_OK);
    if (persons) MUST(tacit_data_set_units(ctx, data, r->unit, NULL) == TACIT_OK);
    if (r->bounds != NULL) MUST(tacit_data_declare_bounds(ctx, data, r->bounds) == TACIT_OK);
    return data;
}

/* ---- runs ---- */

typedef enum family { MEANS, MEDIAN, SUBSPACE, BLOCKS } family;

typedef struct ask {
    family family;
    int32_t method, k;
    double delta;
    bool persons, affine;
    tacit_neighbors neighbors;
    tacit_ledger *ledger;
} ask;

static tacit_status run(const rows *r, ask a, char **json)
{
    tacit_data *data = open_rows(r, a.persons);
    tacit_model *model = NULL;
    tacit_budget b;
    tacit_kmeans_opts o;
    tacit_subspace_opts s;
    tacit_cocluster_opts c;
    tacit_status status = TACIT_OK;

    *json = NULL;
    tacit_budget_init(&b, sizeof b);
    b.epsilon = 20;
    b.delta = a.delta;
    b.neighbors = a.neighbors;
    b.ledger = a.ledger;
    b.use_insecure_test_seed = a.ledger == NULL;
    b.insecure_test_seed = 5;
    b.max_rows_per_unit = a.persons ? 2 : 0;
    tacit_kmeans_opts_init(&o, sizeof o);
    o.k = a.k;
    o.method = (tacit_kmeans_method)a.method;
    tacit_subspace_opts_init(&s, sizeof s);
    s.k = a.k;
    s.q = 1;
    s.affine = a.affine;
    s.method = (tacit_subspace_method)a.method;
    tacit_cocluster_opts_init(&c, sizeof c);
    c.row_clusters = c.column_clusters = a.k;
    c.method = (tacit_cocluster_method)a.method;
    if (r->value == NULL && a.family != BLOCKS)
        MUST(tacit_data_set_ball(ctx, data, NULL, r->radius) == TACIT_OK);
    if (a.family == MEANS) status = tacit_kmeans_run(ctx, data, &b, &o, &model);
    if (a.family == MEDIAN) status = tacit_kmedian_run(ctx, data, &b, &o, &model);
    if (a.family == SUBSPACE) status = tacit_subspace_run(ctx, data, &b, &s, &model);
    if (a.family == BLOCKS) status = tacit_cocluster_run(ctx, data, &b, &c, &model);
    if (status == TACIT_OK) MUST(tacit_model_json(ctx, model, json) == TACIT_OK);
    tacit_model_free(model);
    tacit_data_free(data);
    return status;
}

/* The limits that a run is tried with: nothing in memory, some chunks, all of them. */
static const struct {
    int64_t memory, chunk;
    int threads;
} limits[] = {{1, 999, 1},       {1, 40000, 3},        {30000, 2000, 2},
              {1 << 20, 100, 2}, {1 << 30, 0, 1},      {TACIT_MEMORY_LEAST, 0, 2},
              {60000, 15000, 2}, {INT64_MAX / 2, 0, 2}};
enum { LIMITS = sizeof limits / sizeof *limits };

static void set_limit(int i)
{
    ctx->memory = i < 0 ? 0 : limits[i].memory;
    ctx->chunk_bytes = i < 0 ? 0 : limits[i].chunk;
    ctx->threads = i < 0 ? 2 : limits[i].threads;
}

/* Is the release the same with every limit? *ran: there was one. */
static bool same(const rows *r, ask a, int32_t *ran)
{
    char *in_memory = NULL, *spilled = NULL;
    bool good = true;

    set_limit(-1);
    if (run(r, a, &in_memory) != TACIT_OK) return true;
    ++*ran;
    for (int i = 0; i < LIMITS; i++) {
        set_limit(i);
        const tacit_status status = run(r, a, &spilled);
        if (status != TACIT_OK)
            printf("# limit %d, method %d: %s\n", i, (int)a.method, tacit_ctx_message(ctx));
        good = good && status == TACIT_OK && strcmp(in_memory, spilled) == 0;
        tacit_free(spilled);
    }
    set_limit(-1);
    tacit_free(in_memory);
    return good;
}

static bool is_whole(const char *name)
{
    return strcmp(name, "sample-aggregate") == 0 || strcmp(name, "kvariates") == 0 ||
           strcmp(name, "gibbs") == 0;
}

/* Every method of a family, pure and approximate: the same with any limit, or refused. */
static void test_methods(const rows *r, family f, int32_t count,
                         tacit_status (*get)(int32_t, tacit_method *))
{
    static const char *const called[] = {"k-means", "k-median", "subspaces", "co-clustering"};

    for (int32_t i = 0; i < count; i++) {
        tacit_method m;
        int32_t ran = 0;
        bool good = true;
        tacit_method_init(&m, sizeof m);
        MUST(get(i, &m) == TACIT_OK);
        if ((f == MEANS && !m.means) || (f == MEDIAN && !m.median)) continue;
        for (int pure = 0; pure < 2; pure++)
            for (int persons = 0; persons < 2; persons++) {
                ask a = {.family = f,
                         .method = m.method,
                         .k = 3,
                         .delta = pure ? 0 : 1e-5,
                         .persons = persons && r->unit != NULL,
                         .affine = persons != 0};
                char *json = NULL;
                if (is_whole(m.name)) {
                    set_limit(0);
                    const tacit_status status = run(r, a, &json);
                    good = good && status == TACIT_E_ARGUMENT && json == NULL;
                    ran += strstr(tacit_ctx_message(ctx), "--memory") != NULL;
                    set_limit(-1);
                } else {
                    good = good && same(r, a, &ran);
                }
            }
        CHECK(good && (ran > 0 || f == BLOCKS), "%s, %s: %s (%d runs)", called[f], m.name,
              is_whole(m.name) ? "refused, whether rows would fit or not"
                               : "the same bytes with any limit of memory",
              ran);
    }
}

static void test_other_rows(void)
{
    rows wide = entries(400, 1600, false), none = clusters(3, 2, false),
         deep = clusters(500, 40, true), learnt = clusters(700, 3, true);
    int32_t ran = 0;
    char *json = NULL;

    CHECK(same(&wide, (ask){.method = TACIT_KMEANS_AUTO, .k = 3, .delta = 1e-5}, &ran) &&
              same(&wide, (ask){.method = TACIT_KMEANS_AUTO, .k = 3}, &ran) && ran == 2,
          "rows that stay sparse: the same bytes");
    CHECK(same(&deep, (ask){.method = TACIT_KMEANS_AUTO, .k = 3, .delta = 1e-5}, &ran) &&
              same(&deep, (ask){.method = TACIT_KMEANS_AUTO, .k = TACIT_K_AUTO, .delta = 1e-5},
                   &ran) &&
              ran == 4,
          "40 columns with holes, and k chosen: the same bytes");
    learnt.bounds = "private";
    CHECK(same(&learnt, (ask){.method = TACIT_KMEANS_AUTO, .k = 3, .delta = 1e-5}, &ran) &&
              ran == 5,
          "bounds that are estimated: the same bytes");
    none.n = 0;
    CHECK(same(&none, (ask){.method = TACIT_KMEANS_AUTO, .k = 2, .delta = 1e-5}, &ran) && ran == 6,
          "a table without rows: the same bytes");
    rows counts = entries(300, 30, true);
    set_limit(0);
    CHECK(run(&counts, (ask){.family = BLOCKS, .k = 2, .neighbors = TACIT_ENTRY, .delta = 1e-5},
              &json) == TACIT_E_ARGUMENT &&
              json == NULL && strstr(tacit_ctx_message(ctx), "stay in memory") != NULL,
          "single counts stay in memory, and a limit is refused");
    set_limit(-1);
    rows_free(&wide);
    rows_free(&none);
    rows_free(&deep);
    rows_free(&learnt);
    rows_free(&counts);
}

/* ---- faults ---- */

static double spent(tacit_ledger *ledger)
{
    tacit_ledger_summary about;

    tacit_ledger_summary_init(&about, sizeof about);
    MUST(tacit_ledger_summarize(ctx, ledger, &about) == TACIT_OK);
    return about.spent;
}

/* One call after the other goes wrong: no release, the charge stays, and the sentence says where to
   look. */
static void test_faults(void)
{
    static const char *const what[] = {NULL, "a disk that is full", "an error of the disk",
                                       "a flipped bit", "a file that is cut short"};
    rows r = clusters(600, 3, true);
    ask a = {.method = TACIT_KMEANS_AUTO, .k = 3, .delta = 1e-6};
    char *json = NULL;

    set_limit(0);
    ctx->threads = 1;
    reads = writes = 0;
    MUST(run(&r, a, &json) == TACIT_OK);
    tacit_free(json);
    const long all_reads = reads, all_writes = writes;
    for (fault = FULL; fault <= CUT; fault++) {
        const long wanted = tap_times(8) < 4 ? 4 : tap_times(8);
        const long all = fault == FULL ? all_writes : all_reads, step = all / wanted + 1;
        bool good = true;
        int32_t tries = 0;
        for (long call = 1; call <= all; call += step, tries++) {
            char name[64];
            tacit_data *data = open_rows(&r, false);
            snprintf(name, sizeof name, "%d-%ld.ledger", fault, call);
            MUST(data_ledger(ctx, scratch(name), 1000, 1e-3, data, TACIT_ADD_REMOVE, 0) ==
                 TACIT_OK);
            MUST(tacit_ledger_open(ctx, scratch(name), &a.ledger) == TACIT_OK);
            reads = writes = 0;
            at = call;
            const tacit_status status = run(&r, a, &json);
            at = 0;
            good = good && status == (fault == FULL ? TACIT_E_WRITE : TACIT_E_READ) &&
                   json == NULL && strstr(tacit_ctx_message(ctx), "spill file") != NULL &&
                   spent(a.ledger) > 0;
            tacit_free(json);
            tacit_ledger_free(a.ledger);
            tacit_data_free(data);
        }
        CHECK(good && tries > 3, "%s, at %d of %ld calls: no release, and it is charged",
              what[fault], tries, all);
    }
    fault = NOTHING;
    a.ledger = NULL;
    set_limit(-1);
    rows_free(&r);
}

/* ---- a source that changes ---- */

enum { CHANGES = 3 };
static const char *source; /* NULL: it stays as it is */
static int change, passes;

static void write_npy(const rows *r, const char *path)
{
    char head[128];
    FILE *file = fopen(path, "wb");
    const int used = snprintf(head, sizeof head,
                              "%cNUMPY%c%c%c%c{'descr': '=f8', 'fortran_order': "
                              "False, 'shape': (%lld, %d), }",
                              0x93, 1, 0, 118, 0, (long long)r->n, (int)r->dims);

    MUST(file != NULL && used < (int)sizeof head);
    memset(head + used, ' ', sizeof head - (size_t)used);
    head[sizeof head - 1] = '\n';
    head[8] = 118;
    head[9] = 0;
    MUST(fwrite(head, 1, sizeof head, file) == sizeof head &&
         fwrite(r->value, sizeof(double), (size_t)(r->n * r->dims), file) ==
             (size_t)(r->n * r->dims) &&
         fclose(file) == 0);
}

/* Called while rows are placed: in the second pass the file gets a row more, another value in the
   place of one, or a new time alone. */
static void change_source(const char *step, double done, void *payload)
{
    const double value = 0.25;

    (void)payload;
    if (source == NULL || strcmp(step, "placing rows") != 0 || done > 0 || ++passes != 2) return;
    FILE *file = fopen(source, "r+b");
    MUST(file != NULL);
    if (change < 2) {
        MUST(fseek(file, change == 0 ? 0 : 128, change == 0 ? SEEK_END : SEEK_SET) == 0 &&
             fwrite(&value, sizeof value, 1, file) == 1);
    } else {
        MUST(utimensat(AT_FDCWD, source, NULL, 0) == 0);
    }
    MUST(fclose(file) == 0);
}

static void test_changed_source(void)
{
    rows r = clusters(600, 3, false);
    const int64_t block = ctx->block_bytes;
    bool good = true;

    ctx->block_bytes = 1024; /* some are read after the change */
    tacit_ctx_set_progress(ctx, change_source, NULL);
    for (change = 0; change < CHANGES; change++)
        for (int limit = -1; limit < 1; limit++) {
            const char *const path = scratch("rows.npy");
            tacit_data *data = NULL;
            tacit_model *model = NULL;
            tacit_budget b;
            tacit_kmeans_opts o;
            write_npy(&r, path);
            usleep(20000); /* the clock of a file system ticks in milliseconds */
            tacit_budget_init(&b, sizeof b);
            tacit_kmeans_opts_init(&o, sizeof o);
            b.epsilon = 20;
            b.delta = 1e-6;
            o.k = 3;
            MUST(tacit_data_open(ctx, path, NULL, &data) == TACIT_OK &&
                 tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
            set_limit(limit);
            ctx->threads = 1;
            source = path;
            passes = 0;
            const tacit_status status = tacit_kmeans_run(ctx, data, &b, &o, &model);
            source = NULL;
            good = good && status == TACIT_E_READ && model == NULL && passes == 2 &&
                   strstr(tacit_ctx_message(ctx), "the file changed") != NULL;
            tacit_data_free(data);
        }
    tacit_ctx_set_progress(ctx, NULL, NULL);
    set_limit(-1);
    ctx->block_bytes = block;
    CHECK(good, "a file that grows, changes or is only written to between passes: no release");
    rows_free(&r);
}

int main(void)
{
    rows dense = clusters(900, 4, true), counts = entries(300, 30, true);

    scratch_open();
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    MUST(tacit_ctx_set_memory(ctx, 0, on_disk_folder()) == TACIT_OK);
    test_methods(&dense, MEANS, tacit_kmeans_method_count(), tacit_kmeans_method_get);
    test_methods(&dense, MEDIAN, tacit_kmeans_method_count(), tacit_kmeans_method_get);
    test_methods(&dense, SUBSPACE, tacit_subspace_method_count(), tacit_subspace_method_get);
    test_methods(&counts, BLOCKS, tacit_cocluster_method_count(), tacit_cocluster_method_get);
    test_other_rows();
    test_faults();
    test_changed_source();
    tacit_ctx_free(ctx);
    rows_free(&dense);
    rows_free(&counts);
    scratch_close();
    return tap_done();
}
