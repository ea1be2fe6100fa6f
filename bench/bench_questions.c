/* SPDX-License-Identifier: Apache-2.0 */
/* The door's queries and the building of a view, one thread, processor time, as ratios: moments
   against OpenBLAS dsyrk on the same rows as doubles; queries about rows within their cells against
   one histogram of the same cells (which is one assignment); views against reading the rows. Best
   of several. */
#include "bench.h"
#include "privacy/door_internal.h"

#include <cblas.h>

enum { REPEATS = 5 };

static uint64_t state = 42;
static int16_t number(int range)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int16_t)((int)((state >> 33) % (uint64_t)(2 * range + 1)) - range);
}

typedef struct set {
    int64_t n;
    int32_t d, k;
    tac_lattice lattice;
    int16_t *centers;
    double *radius;
    int64_t *out;
    tac_i128 *wide; /* answers whose numbers have two words */
    tac_accountant account;
    tac_engine engine;
    tac_key key;
    tac_door *door;
    tac_cells cells;
    tac_local local;
} set;

static void make(set *s)
{
    const int32_t stride = s->d + (s->d & 1), spread = s->d > 4 ? 9000 / (s->d / 4) + 50 : 9000;
    const size_t triangle = (size_t)s->d * ((size_t)s->d + 1) / 2;

    s->lattice = (tac_lattice){.rows = s->n,
                               .dims = s->d,
                               .stride = stride,
                               .points = need((size_t)s->n * (size_t)stride, 2)};
    for (int64_t i = 0; i < s->n; i++)
        for (int32_t j = 0; j < s->d; j++) s->lattice.points[i * stride + j] = number(spread);
    s->centers = need((size_t)s->k * (size_t)s->d, 2);
    s->radius = need((size_t)s->k, sizeof(double));
    /* near some rows; half of the rows are beyond the radius */
    for (int32_t c = 0; c < s->k; c++) {
        memcpy(s->centers + (size_t)c * (size_t)s->d, s->lattice.points + (ptrdiff_t)c * stride,
               (size_t)s->d * 2);
        s->radius[c] = spread * 0.8;
        for (int root = 1; root * root < s->d; root++) s->radius[c] += spread * 0.8;
    }
    s->out = need((size_t)s->k * (triangle + (size_t)s->d + 2) + 1024, 8);
    s->wide = need((size_t)s->k * (triangle + (size_t)s->d + 2), sizeof *s->wide);
    s->account = (tac_accountant){.definition = TAC_GDP, .budget = UINT64_C(1) << 62};
    tac_engine_threads(ctx, &s->engine);
    tac_key_from_insecure_seed(1, &s->key);
    must(tac_door_open(ctx, &s->engine, &s->lattice, TACIT_ADD_REMOVE, 1, &s->account, &s->key,
                       &s->door));
    s->cells = s->k == 1 ? (tac_cells){.kind = TAC_ONE_CELL, .count = 1}
                         : (tac_cells){.kind = TAC_NEAREST, .count = s->k, .centers = s->centers};
    s->local = (tac_local){.centers = s->centers, .radius = s->radius};
}

static void drop(set *s)
{
    tac_door_close(s->door);
    free(s->lattice.points);
    free(s->centers);
    free(s->radius);
    free(s->out);
    free(s->wide);
}

/* The same sums by dsyrk, in blocks of rows that stay in a cache; the conversion to doubles is not
   counted. */
static double syrk(const set *s)
{
    const int64_t block = 512;
    const size_t d = (size_t)s->d;
    double *x = need((size_t)block * d, 8), *c = need(d * d, 8), seconds = 0;

    for (int64_t i = 0; i < s->n; i += block) {
        const int64_t rows = s->n - i < block ? s->n - i : block;
        for (int64_t r = 0; r < rows; r++)
            for (int32_t j = 0; j < s->d; j++)
                x[r * s->d + j] = s->lattice.points[(i + r) * s->lattice.stride + j];
        const double begin = now();
        cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, s->d, (int)rows, 1, x, s->d, 1, c, s->d);
        seconds += now() - begin;
    }
    free(x);
    free(c);
    return seconds;
}

typedef enum asked {
    HISTOGRAM,
    SUMS,
    MOMENTS,
    LOCAL_SUMS,
    LOCAL_MOMENTS,
    DISTANCES,
    PROJECTIONS,
    ASKED
} asked;
static const char *const name[] = {"histogram",     "sums",      "moments",    "local sums",
                                   "local moments", "distances", "projections"};

static double once(set *s, asked what)
{
    static const double edge[15] = {.1, .2, .3, .4, .5, .6, .7, .8, .9, 1, 1.1, 1.2, 1.4, 1.6, 2};
    const tac_local_parts sums = {.count = 10000, .sum = 1},
                          moments = {.count = 10000, .sum = 1, .moments = true};
    const size_t k = (size_t)s->k, d = (size_t)s->d;
    const uint64_t quanta = UINT64_C(1) << 40;
    const double begin = now();

    switch (what) {
    case HISTOGRAM: must(tac_door_histogram(s->door, "", quanta, &s->cells, s->out)); break;
    case SUMS:
        must(tac_door_sums(s->door, "", quanta, &s->cells, TAC_ROWS, 1000, s->out, s->out + k * d));
        break;
    case MOMENTS: must(tac_door_moments(s->door, "", quanta, &s->cells, TAC_ROWS, s->wide)); break;
    case LOCAL_SUMS:
        must(tac_door_local(s->door, "", quanta, &s->cells, &s->local, &sums, s->wide, s->wide + k,
                            NULL));
        break;
    case LOCAL_MOMENTS:
        must(tac_door_local(s->door, "", quanta, &s->cells, &s->local, &moments, s->wide,
                            s->wide + k, s->wide + k + k * d));
        break;
    case DISTANCES:
        must(tac_door_distances(s->door, "", quanta, &s->cells, &s->local, edge, 16, s->out));
        break;
    case PROJECTIONS:
        must(
            tac_door_projections(s->door, "", quanta, &s->cells, &s->local, s->centers, 2, s->out));
        break;
    case ASKED: break;
    }
    s->account.spent = 0;
    return now() - begin;
}

static double best_of(set *s, asked what)
{
    double best = 1e9;
    for (int i = 0; i < REPEATS; i++) {
        const double t = once(s, what);
        if (t < best) best = t;
    }
    return best;
}

static void compare(set s)
{
    make(&s);
    const double pass = best_of(&s, HISTOGRAM);
    printf("%-9lld x %-4d %4d cells  assignment 1", (long long)s.n, s.d, s.k);
    for (int what = SUMS; what < ASKED; what++) {
        const double t = best_of(&s, (asked)what);
        if (s.k > 1)
            printf("  %s %.2f", name[what], t / pass);
        else if (what == MOMENTS || what == LOCAL_MOMENTS) {
            double peer = 1e9;
            for (int i = 0; i < 3; i++) {
                const double p = syrk(&s);
                if (p < peer) peer = p;
            }
            printf("  %s %.2f of dsyrk (%.2f s)", name[what], t / peer, t);
        }
    }
    printf("\n");
    drop(&s);
}

/* Views against reading: the rows of a data set in memory through a frame. */
static void views(int64_t n, int32_t columns, int32_t dims)
{
    double *rows = need((size_t)n * (size_t)columns, 8), *shift = need((size_t)columns, 8),
           *basis = need((size_t)columns * (size_t)dims, 8);
    tacit_data *data = NULL;
    tac_engine engine;
    tac_frame frame[3];
    double read = 1e9, built[3] = {1e9, 1e9, 1e9};

    for (int64_t i = 0; i < n * columns; i++) rows[i] = (double)number(1000) / 1000;
    for (int32_t j = 0; j < columns * dims; j++) basis[j] = (double)number(1000) / 1000 / columns;
    must(tacit_data_from_memory(ctx, rows, TACIT_F64, n, columns, &data));
    must(tacit_data_declare_bounds(ctx, data, "-1:1"));
    must(tac_data_load(ctx, data, NULL));
    tac_engine_threads(ctx, &engine);
    must(tac_frame_from_domain(ctx, &data->domain, columns, TACIT_SCALE_RANGE, &frame[0]));
    must(tac_frame_zoom(ctx, &frame[0], shift, 1.5, columns, NULL, NULL, NULL, &frame[1]));
    must(tac_frame_zoom(ctx, &frame[0], shift, 1.5, dims, basis, NULL, NULL, &frame[2]));
    const int64_t block = ctx->block_bytes / (8 * columns) + 1;
    double *buffer = need((size_t)block * (size_t)columns, 8);
    for (int round = 0; round < REPEATS; round++) {
        double begin = now();
        for (int64_t i = 0; i < n; i += block)
            must(data->reader->read(data->reader, i, n - i < block ? n - i : block, buffer));
        if (now() - begin < read) read = now() - begin;
        for (int f = 0; f < 3; f++) {
            tac_lattice lattice;
            begin = now();
            must(tac_lattice_build(ctx, &engine, data, &frame[f], NULL, &lattice));
            if (now() - begin < built[f]) built[f] = now() - begin;
            tac_lattice_clear(&lattice);
        }
    }
    printf("%-9lld x %-4d reading 1  first frame %.2f  zoom %.2f  basis of %d %.2f  (reading: %.2f "
           "GB/s)\n",
           (long long)n, columns, built[0] / read, built[1] / read, dims, built[2] / read,
           (double)n * columns * 8 / read / 1e9);
    for (int f = 0; f < 3; f++) tac_frame_clear(&frame[f]);
    tacit_data_free(data);
    free(rows), free(shift), free(basis), free(buffer);
}

int main(void)
{
    if (tacit_ctx_new(&ctx) != TACIT_OK) return 1;
    ctx->threads = 1;
    openblas_set_num_threads(1);
    compare((set){.n = 20000, .d = 784, .k = 1});
    compare((set){.n = 100000, .d = 100, .k = 1});
    compare((set){.n = 1000000, .d = 12, .k = 1});
    compare((set){.n = 1000000, .d = 2, .k = 16});
    compare((set){.n = 500000, .d = 12, .k = 16});
    compare((set){.n = 500000, .d = 12, .k = 256});
    compare((set){.n = 100000, .d = 100, .k = 64});
    compare((set){.n = 20000, .d = 784, .k = 10});
    views(1000000, 10, 6);
    views(100000, 100, 12);
    views(20000, 784, 12);
    views(20000, 784, 60);
    tacit_ctx_free(ctx);
    return 0;
}
