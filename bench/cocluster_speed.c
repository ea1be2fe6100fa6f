/* SPDX-License-Identifier: Apache-2.0 */
/* Co-clustering after loading, one thread, processor time, best of several, as ratios: to one
   sparse matrix-vector product over the same entries times the sweeps that the algorithm needs
   (dp-taucc one for each of its four answers a round: labels of columns, table, labels of rows,
   table; two a round would do if tables were made of sums kept from the draws; Fast-tauCC one a
   turn), and peak memory to the CSR (12 bytes an entry and 8 a row), the CSR and everything else in
   it. Each size in a process of its own.

     cocluster_speed [--large] [TRIPLETS ...] generated tables of 1e5, 1e6, 1e7, with --large 1e8
     entries; files beside them

   A file is also held against 1/50 of the seconds that the paper's code takes for classic3: 1.0. */
#include "bench.h"
#include "data/lattice/counts.h"
#include "mixed_dice.h"
#include "solve/cocluster/fast_taucc.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 5, A_ROW = 100, MOST_COLUMNS = 20000, ROUNDS = 4 };

static uint64_t dice = 42;

static void *space(size_t count, size_t size)
{
    void *memory = malloc(count * size + 64);
    if (memory == NULL) abort();
    return memory;
}

typedef struct csr {
    int64_t n, entries;
    int32_t d;
    int64_t *start;
    int32_t *column;
    double *value;
} csr;

/* Rows of A_ROW counts with ascending columns, twice as many columns as rows or MOST_COLUMNS; half
   of the counts in the row's own fifth of the columns. */
static csr generate(int64_t entries)
{
    const int64_t wide = entries / 50;
    csr c = {.n = entries / A_ROW,
             .d = wide < MOST_COLUMNS ? (int32_t)wide : MOST_COLUMNS,
             .entries = entries};
    const int32_t width = c.d / A_ROW;

    c.start = space((size_t)c.n + 1, sizeof *c.start);
    c.column = space((size_t)entries, sizeof *c.column);
    c.value = space((size_t)entries, sizeof *c.value);
    for (int64_t i = 0; i <= c.n; i++) c.start[i] = i * A_ROW;
    for (int64_t i = 0; i < c.n; i++)
        /* a place in each hundredth of the columns, so that they ascend; those of one block lie
           apart */
        for (int e = 0; e < A_ROW; e++) {
            int32_t at = (int32_t)(mixed() % (uint64_t)width);
            if (mixed() % 2 == 0) at = at / BLOCKS * BLOCKS + (int32_t)(i % BLOCKS);
            c.column[i * A_ROW + e] = e * width + (at < width ? at : width - 1);
            c.value[i * A_ROW + e] = 1 + (double)(mixed() % 3);
        }
    return c;
}

/* y = A x, the limit. */
static double sweep(const csr *c)
{
    double *x = space((size_t)c->d, sizeof *x), *y = space((size_t)c->n, sizeof *y), best = 1e300;

    for (int32_t j = 0; j < c->d; j++) x[j] = 1 + j % 7;
    for (int r = 0; r < 5; r++) {
        const double begun = now();
        for (int64_t i = 0; i < c->n; i++) {
            double sum = 0;
            for (int64_t e = c->start[i]; e < c->start[i + 1]; e++)
                sum += c->value[e] * x[c->column[e]];
            y[i] = sum;
        }
        __asm__ volatile("" : : "r"(y) : "memory");
        if (now() - begun < best) best = now() - begun;
    }
    free(x);
    free(y);
    return best;
}

static double peak(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return 1024.0 * (double)used.ru_maxrss;
}

static void report(const char *what, const char *method, const csr *c, double seconds, double one,
                   int64_t sweeps, double memory)
{
    const double held = 12.0 * (double)c->entries + 8.0 * (double)(c->n + 1);

    printf("%-12s %9lld entries %-10s %6.2f x (%lld sweeps), memory %5.2f x CSR", what,
           (long long)c->entries, method, seconds / (one * (double)sweeps), (long long)sweeps,
           memory / held);
}

/* dp-taucc; the handle is loaded by a first run. */
static double private_run(const csr *c, tacit_data *data, int repeats)
{
    double best = 1e300;
    tacit_budget b;
    tacit_cocluster_opts o;

    (void)c;
    tacit_budget_init(&b, sizeof b);
    tacit_cocluster_opts_init(&o, sizeof o);
    b.epsilon = 1;
    b.neighbors = TACIT_ENTRY;
    b.use_insecure_test_seed = 1;
    b.insecure_test_seed = 7;
    o.row_clusters = o.column_clusters = BLOCKS;
    o.rounds = ROUNDS;
    o.method = TACIT_COCLUSTER_DP_TAUCC;
    for (int r = 0; r <= repeats; r++) {
        tacit_model *model = NULL;
        const double begun = now();
        must(tacit_cocluster_run(ctx, data, &b, &o, &model));
        if (r > 0 && now() - begun < best) best = now() - begun;
        tacit_model_free(model);
    }
    return best;
}

/* One start of Fast-tauCC, from counts that are loaded. */
static double plain_run(tacit_data *data, int repeats, int64_t *sweeps)
{
    double best = 1e300;
    tac_counts counts;
    tac_engine engine;
    const tac_plain_taucc opts = {
        .rows = BLOCKS, .columns = BLOCKS, .restarts = 1, .iterations = 100, .seed = 1};

    tac_engine_threads(ctx, &engine);
    must(tac_data_load_counts(ctx, data, true));
    must(tac_counts_build(ctx, &engine, data, &counts));
    const tac_count_table all = {.n = counts.rows,
                                 .d = counts.columns,
                                 .start = counts.start,
                                 .column = counts.column,
                                 .count = counts.count};
    int32_t *row = space((size_t)counts.rows, sizeof *row),
            *column = space((size_t)counts.columns, sizeof *column);
    for (int r = 0; r < repeats; r++) {
        tac_coclusters found;
        const double begun = now();
        must(tac_solve_taucc(ctx, &all, &opts, row, column, &found));
        if (now() - begun < best) best = now() - begun;
        *sweeps = found.sweeps;
        tac_coclusters_clear(&found);
    }
    tac_counts_clear(&counts);
    free(row);
    free(column);
    return best;
}

/* One method on one table in this process. */
static void measure(const char *what, const csr *c, tacit_data *data, bool plain, double before)
{
    const int repeats = c->entries > 2000000 ? 1 : 5;
    const double one = sweep(c);
    int64_t sweeps = 4 * ROUNDS;
    const double seconds =
        plain ? plain_run(data, repeats, &sweeps) : private_run(c, data, repeats);

    report(what, plain ? "Fast-tauCC" : "dp-taucc", c, seconds, one, sweeps, peak() - before);
    if (what[0] != '1' && !plain)
        printf(", %.2f x 1/50 of the paper's code on classic3", seconds / 0.02);
    printf("\n");
    fflush(stdout);
}

static void generated(int64_t entries, bool plain)
{
    char what[32];
    const double before = peak();
    const csr c = generate(entries);
    tacit_data *data = NULL;

    snprintf(what, sizeof what, "%.0e", (double)entries);
    must(tacit_data_from_csr(ctx, c.start, c.column, c.value, c.n, c.d, &data));
    measure(what, &c, data, plain, before);
}

/* Files: the reader holds the CSR; a second one, for the product, is not counted. */
static void from_file(const char *path, bool plain)
{
    const double before = peak();
    tacit_data *data = NULL;
    tacit_data_opts o;
    tac_nonzeros all = {0};
    const char *slash = strrchr(path, '/');

    tacit_data_opts_init(&o, sizeof o);
    o.format = TACIT_FORMAT_TRIPLETS;
    must(tacit_data_open(ctx, path, &o, &data));
    must(tac_data_load_counts(ctx, data, true));
    must(data->reader->read_sparse(data->reader, 0, data->reader->rows, &all));
    const csr c = {.n = data->reader->rows,
                   .d = data->selection.dims,
                   .entries = all.start[data->reader->rows],
                   .start = all.start,
                   .column = all.feature,
                   .value = all.value};
    measure(slash == NULL ? path : slash + 1, &c, data, plain,
            before + 12.0 * (double)c.entries + 8.0 * (double)c.n);
}

static void apart(int64_t entries, const char *path, bool plain)
{
    int status;
    const pid_t child = fork();

    if (child == 0) {
        must(tacit_ctx_new(&ctx));
        must(tacit_ctx_set_threads(ctx, 1));
        if (path != NULL)
            from_file(path, plain);
        else
            generated(entries, plain);
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        fprintf(stderr, "a measurement failed\n");
}

int main(int count, char **arg)
{
    const bool large = count > 1 && strcmp(arg[1], "--large") == 0;

    for (int plain = 0; plain < 2; plain++) {
        for (int64_t entries = 100000; entries <= (large ? 100000000 : 10000000); entries *= 10)
            apart(entries, NULL, plain == 1);
        for (int i = large ? 2 : 1; i < count; i++) apart(0, arg[i], plain == 1);
    }
    return 0;
}
