/* SPDX-License-Identifier: Apache-2.0 */
/* Queries about rows of counts: answers against plain loops, every code path and number of threads
   alike. Sensitivities: test_brute.c. */
#include "core/cpu.h"
#include "privacy/door_internal.h"
#include "privacy/run.h"
#include "sparse_world.h"
#include "narrow.h"

enum { ONE = 1 << 16, QUANTA = 40 };

static tacit_ctx *ctx;

/* ---- a door over a lattice, and the exact answer behind it ---- */

typedef struct room {
    tac_engine engine;
    tac_accountant accountant;
    tac_key key;
    tac_door *door;
    uint64_t *exact; /* of the last query */
    size_t words;
} room;

static void remember(void *payload, const tac_receipt *receipt, const uint64_t *words, size_t count)
{
    room *r = payload;
    (void)receipt;
    r->exact = realloc(r->exact, count * sizeof *words + 1);
    memcpy(r->exact, words, count * sizeof *words);
    r->words = count;
}

static void open_room(room *r, const tac_lattice *rows, const tac_lattice *projection,
                      tacit_neighbors neighbors, tac_definition definition)
{
    *r = (room){.accountant = {.definition = definition, .budget = UINT64_C(1) << 60}};
    tac_engine_threads(ctx, &r->engine);
    tac_key_from_insecure_seed(5, &r->key);
    MUST(tac_door_open(ctx, &r->engine, rows, neighbors, 1, &r->accountant, &r->key, &r->door) ==
         TACIT_OK);
    tac_door_set_frame(r->door, TAC_PROJECTED, projection);
    tac_door_set_probe(r->door, &(tac_door_probe){.exact = remember, .payload = r});
}

static void close_room(room *r)
{
    tac_door_close(r->door);
    free(r->exact);
}

/* A lattice of rows of counts. */
static void place(const double *counts, int64_t rows, int32_t columns, const tac_weighing *w,
                  tac_lattice *out)
{
    tacit_data *data = NULL;
    tac_engine engine;
    tac_frame f;

    tac_engine_threads(ctx, &engine);
    MUST(tacit_data_from_memory(ctx, counts, TACIT_F64, rows, columns, &data) == TACIT_OK &&
         tac_data_load(ctx, data, NULL) == TACIT_OK);
    MUST(tac_frame_weigh(ctx, columns, w, &f) == TACIT_OK);
    MUST(tac_lattice_build(ctx, &engine, data, &f, NULL, out) == TACIT_OK);
    tac_frame_clear(&f);
    tacit_data_free(data);
}

static int16_t at(const tac_lattice *l, int64_t i, int32_t j)
{
    if (l->start == NULL) return l->points[i * l->stride + j];
    for (int64_t e = l->start[i]; e < l->start[i + 1]; e++)
        if (l->column[e] == j) return l->value[e];
    return 0;
}

/* ---- known answers ---- */

enum { ROWS = 300, COLUMNS = 40, FEW = 9 };

static void random_counts(double *counts)
{
    for (int i = 0; i < ROWS * COLUMNS; i++) counts[i] = next() % 4 == 0 ? (double)(next() % 6) : 0;
    /* empty rows */
    for (int j = 0; j < COLUMNS; j++) counts[3 * COLUMNS + j] = counts[17 * COLUMNS + j] = 0;
    counts[5 * COLUMNS + 2] = 2147483647;
}

/* Which cell, by the definition. */
static int32_t largest(const tac_lattice *l, int64_t i, const int16_t *centers,
                       const int64_t *offset, int32_t k)
{
    int64_t most = INT64_MIN;
    int32_t label = 0;

    for (int32_t c = 0; c < k; c++) {
        int64_t score = offset == NULL ? 0 : offset[c];
        for (int32_t j = 0; j < l->dims; j++)
            score += (int64_t)at(l, i, j) * centers[c * l->dims + j];
        if (score > most) most = score, label = c;
    }
    return label;
}

/* k clipped centers for a view; the first two are the same, so that there are ties. */
static void some_centers(int32_t k, int32_t dims, int16_t *centers, int64_t *offset)
{
    for (int32_t c = 0; c < k; c++) {
        for (int32_t j = 0; j < dims; j++)
            centers[c * dims + j] =
                c == 1 ? centers[j] : (int16_t)((int)(next() % 16000) - (c % 2 ? 0 : 8000));
        tac_clip(centers + c * dims, dims);
        offset[c] = c < 2 ? 0 : ((int64_t)(next() % 2000) - 1000) * 100000;
    }
}

static void test_largest(void)
{
    static double counts[ROWS * COLUMNS];
    static int16_t centers[600 * COLUMNS];
    static int64_t offset[600], sums[600 * COLUMNS], number[600], word[600];
    static uint64_t want[600 * COLUMNS + 600], first[600 * COLUMNS + 600];
    int32_t group[COLUMNS];
    tac_lattice view[2];
    bool right = true, same = true;
    const char *const paths[] = {"portable", "avx2", "avx512vnni"};

    random_counts(counts);
    for (int j = 0; j < COLUMNS; j++) group[j] = j % FEW;
    place(counts, ROWS, COLUMNS, &(tac_weighing){.dims = COLUMNS}, &view[TAC_ROWS]);
    place(counts, ROWS, COLUMNS, &(tac_weighing){.dims = FEW, .group = group, .dense = true},
          &view[TAC_PROJECTED]);
    CHECK(view[0].start != NULL && view[1].start == NULL && view[0].rows == ROWS &&
              view[1].rows == ROWS,
          "rows are sparse, their groups dense, and empty rows are rows");
    for (int32_t k = 1; k <= 600; k = k < 20 ? k + 3 : k * 3)
        for (int which = 0; which < 4; which++) {
            const tac_view where = which % 2, values = which / 2;
            const int32_t dims = view[values].dims;
            some_centers(k, view[where].dims, centers, offset);
            memset(want, 0, sizeof want);
            for (int64_t i = 0; i < ROWS; i++) {
                const int32_t c = largest(&view[where], i, centers, k % 2 ? NULL : offset, k);
                for (int32_t j = 0; j < dims; j++)
                    want[c * dims + j] += (uint64_t)(int64_t)at(&view[values], i, j);
                want[k * dims + c] += 1000;
            }
            for (int path = 0; path < 3; path++) {
                const tac_cells cells = {.kind = TAC_ARGMAX,
                                         .view = where,
                                         .count = k,
                                         .centers = centers,
                                         .offset = k % 2 ? NULL : offset};
                room r;
                if (!tac_cpu_use(paths[path])) continue;
                ctx->threads = 1 + path;
                ctx->block_bytes = path == 1 ? 777 : INT64_C(1) << 18;
                open_room(&r, &view[0], &view[1], TACIT_ADD_REMOVE, TAC_GDP);
                MUST(tac_door_sums(r.door, "t", UINT64_C(1) << QUANTA, &cells, values, 1000, sums,
                                   number) == TACIT_OK);
                right = right && r.words == (size_t)(k * (dims + 1)) &&
                        memcmp(r.exact, want, r.words * sizeof *want) == 0;
                if (path == 0) memcpy(first, sums, (size_t)(k * dims) * sizeof *sums);
                same = same && memcmp(first, sums, (size_t)(k * dims) * sizeof *sums) == 0;
                MUST(tac_door_histogram(r.door, "t", UINT64_C(1) << QUANTA, &cells, word) ==
                     TACIT_OK);
                for (int32_t c = 0; c < k; c++)
                    right = right && r.exact[c] == (want[k * dims + c] / 1000) << TAC_COUNT_GRID;
                close_room(&r);
            }
        }
    tac_cpu_use("auto");
    ctx->threads = 2;
    CHECK(right, "sums and histograms by the largest product: rows and projection, either way "
                 "round, any number of centers");
    CHECK(same, "the same noisy bits from every code path, block and number of threads");
    const tac_cells wild = {.kind = TAC_ARGMAX,
                            .count = 1,
                            .centers = centers,
                            .offset = (int64_t[]){INT64_C(1) << 32}};
    const tac_cells none = {.kind = TAC_ARGMAX, .count = 1};
    room r;
    open_room(&r, &view[0], NULL, TACIT_ADD_REMOVE, TAC_GDP);
    CHECK(tac_door_histogram(r.door, "t", UINT64_C(1) << QUANTA, &wild, word) == TACIT_E_INTERNAL &&
              tac_door_histogram(r.door, "t", UINT64_C(1) << QUANTA, &none, word) ==
                  TACIT_E_INTERNAL &&
              tac_door_asked(r.door) == 0,
          "offsets that are too large and centers that are not there are refused, and cost "
          "nothing");
    close_room(&r);
    tac_lattice_clear(&view[0]);
    tac_lattice_clear(&view[1]);
}

/* Everything else that rows of counts are asked, against plain loops; the rows in another order
   give the same. */
static void test_answers(void)
{
    static double counts[ROWS * COLUMNS], turned[ROWS * COLUMNS];
    enum { K = 5, T = COLUMNS * (COLUMNS + 1) / 2, WORDS = K * (K + 1) / 2 + K * COLUMNS };
    static int64_t answer[T > WORDS ? T : WORDS];
    static uint64_t moments[T], codes[WORDS], bins[4];
    int16_t directions[K * COLUMNS];
    const double radius = TAC_M, edge[3] = {0.2, 0.5, 0.7};
    const tac_cells one = {.kind = TAC_ONE_CELL, .count = 1};
    bool right = true;

    random_counts(counts);
    for (int i = 0; i < ROWS; i++)
        memcpy(turned + (ROWS - 1 - i) * COLUMNS, counts + i * COLUMNS, COLUMNS * sizeof *counts);
    some_centers(K, COLUMNS, directions, (int64_t[K]){0});
    for (int round = 0; round < 6; round++) {
        const bool dense = round % 2, taxicab = round / 2 == 1;
        const tac_weighing w = {
            .dims = COLUMNS, .least = 12 * ONE, .dense = dense, .taxicab = taxicab};
        tac_lattice l;
        room r;
        place(round < 4 ? counts : turned, ROWS, COLUMNS, &w, &l);
        memset(moments, 0, sizeof moments);
        memset(codes, 0, sizeof codes);
        memset(bins, 0, sizeof bins);
        for (int64_t i = 0; i < ROWS; i++) {
            int16_t h[K];
            int64_t length = 0;
            for (int32_t a = 0, t = 0; a < COLUMNS; a++)
                for (int32_t b = a; b < COLUMNS; b++, t++)
                    moments[t] +=
                        (uint64_t)((int64_t)at(&l, i, a) * at(&l, i, b) * (a == b ? 5 : 7));
            for (int32_t k = 0; k < K; k++) {
                int64_t product = 0;
                for (int32_t j = 0; j < COLUMNS; j++)
                    product += (int64_t)at(&l, i, j) * directions[k * COLUMNS + j];
                h[k] = (int16_t)(product > 0 ? product / TAC_M : 0);
            }
            tac_clip(h, K);
            for (int32_t a = 0, t = 0; a < K; a++)
                for (int32_t b = a; b < K; b++, t++)
                    codes[t] += (uint64_t)(h[a] * h[b] * (a == b ? 5 : 7));
            for (int32_t k = 0; k < K; k++)
                for (int32_t j = 0; j < COLUMNS; j++)
                    codes[K * (K + 1) / 2 + k * COLUMNS + j] +=
                        (uint64_t)((int64_t)5 * h[k] * at(&l, i, j));
            for (int32_t j = 0; j < COLUMNS; j++)
                length += taxicab ? at(&l, i, j) : at(&l, i, j) * at(&l, i, j);
            const double far = taxicab ? (double)length : sqrt((double)length);
            bins[(far > edge[0] * radius) + (far > edge[1] * radius) + (far > edge[2] * radius)] +=
                UINT64_C(1) << TAC_COUNT_GRID;
        }
        for (int threads = 1; threads <= 3; threads += 2) {
            ctx->threads = threads;
            ctx->block_bytes = threads == 3 ? 999 : INT64_C(1) << 18;
            open_room(&r, &l, NULL, TACIT_ADD_REMOVE, TAC_GDP);
            MUST(narrow_moments(r.door, "t", UINT64_C(1) << QUANTA, &one, TAC_ROWS, answer) ==
                 TACIT_OK);
            right = right && r.words == T && memcmp(r.exact, moments, sizeof moments) == 0;
            MUST(narrow_codes(r.door, "t", UINT64_C(1) << QUANTA, TAC_ROWS, directions, K, answer,
                              answer + K * (K + 1) / 2) == TACIT_OK);
            right = right && r.words == WORDS && memcmp(r.exact, codes, sizeof codes) == 0;
            MUST(tac_door_distances(r.door, "t", UINT64_C(1) << QUANTA, &one,
                                    &(tac_local){.radius = &radius, .taxicab = taxicab}, edge, 4,
                                    answer) == TACIT_OK);
            right = right && r.words == 4 && memcmp(r.exact, bins, sizeof bins) == 0;
            close_room(&r);
        }
        tac_lattice_clear(&l);
    }
    ctx->threads = 2;
    ctx->block_bytes = INT64_C(1) << 18;
    CHECK(right, "moments, codes and lengths of sparse and dense rows of counts, in either order, "
                 "for any threads and blocks");
}

static void test_quotes(void)
{
    enum { D = 3, MOST = 64 };
    const tac_privacy_params params = {
        .definition = TAC_GDP, .neighbors = TACIT_ENTRY, .rows_per_unit = 1};
    const tac_weighing w = {.dims = D, .least = 5 * ONE};
    const tac_cells one = {.kind = TAC_ONE_CELL, .count = 1};
    const uint64_t quanta = UINT64_C(1) << QUANTA;
    int64_t out[MOST];
    double row[D] = {1, 0, 2};
    tac_lattice l;
    room r;

    place(row, 1, D, &w, &l);
    open_room(&r, &l, NULL, TACIT_ENTRY, TAC_GDP);
    MUST(tac_door_sums(r.door, "t", quanta, &one, TAC_ROWS, 1, out, out + 32) == TACIT_OK);
    MUST(narrow_moments(r.door, "t", quanta, &one, TAC_ROWS, out) == TACIT_OK);
    MUST(narrow_codes(r.door, "t", quanta, TAC_ROWS, (int16_t[2 * D]){1, 2, 3, 4, 5, 6}, 2, out,
                      out + 32) == TACIT_OK);
    CHECK(tac_door_receipt(r.door, 2)->scale ==
              tac_quote_codes(&params, tac_lattice_most(&l), 2, quanta),
          "quotes are what the door then takes");
    CHECK(tac_door_receipt(r.door, 0)->scale * 4 < tac_quote_sums(&params, D, 1, quanta),
          "and one count costs far less noise than a row");
    close_room(&r);
    l.entry_reach = 0;
    open_room(&r, &l, NULL, TACIT_ADD_REMOVE, TAC_GDP);
    CHECK(narrow_codes(r.door, "t", quanta, TAC_ROWS, (int16_t[2 * D]){0}, 2, out, out + 32) ==
              TACIT_E_INTERNAL,
          "codes are for rows of counts");
    close_room(&r);
    tac_lattice_clear(&l);
}

/* ---- a whole run ---- */

static void test_run(void)
{
    sparse_world w = make_world(60, 30, 8, false, true);
    int64_t out[64];
    int32_t group[30];
    tac_run run;
    tac_frame f;

    for (int64_t e = 0; e < w.entries; e++) w.value[e] = (double)(1 + next() % 4);
    for (int j = 0; j < 30; j++) group[j] = j % FEW;
    for (int neighbors = 0; neighbors < 3; neighbors++) {
        tacit_data *data = NULL;
        tacit_budget budget;
        tacit_budget_init(&budget, sizeof budget);
        budget.epsilon = 1;
        budget.delta = 1e-6;
        budget.neighbors = (tacit_neighbors)neighbors;
        budget.use_insecure_test_seed = true;
        MUST(tacit_data_from_csr(ctx, w.start, w.column, w.value, w.rows, w.columns, &data) ==
             TACIT_OK);
        MUST(tac_run_open(ctx, data, &budget, TACIT_SCALE_NONE, TAC_COUNTS, 0, "test", &run) ==
             TACIT_OK);
        bool good = tac_run_sparse(&run) && tac_run_frame(&run, TAC_ROWS) == &run.frame &&
                    run.frame.counts != NULL;
        good = good && tac_door_dims(run.door, TAC_ROWS) == (neighbors == 2 ? 0 : 30);
        MUST(tac_frame_weigh(ctx, 30, &(tac_weighing){.dims = 30, .least = 4 * ONE}, &f) ==
             TACIT_OK);
        MUST(tac_run_set_frame(&run, TAC_ROWS, &f) == TACIT_OK);
        MUST(tac_frame_weigh(ctx, 30, &(tac_weighing){.dims = FEW, .group = group, .dense = true},
                             &f) == TACIT_OK);
        MUST(tac_run_set_frame(&run, TAC_PROJECTED, &f) == TACIT_OK);
        good = good && tac_run_sparse(&run) &&
               tac_run_frame(&run, TAC_ROWS) == &run.look[TAC_ROWS] &&
               tac_door_dims(run.door, TAC_ROWS) == 30;
        good = good && tac_run_frame(&run, TAC_PROJECTED) == &run.look[TAC_PROJECTED] &&
               tac_door_dims(run.door, TAC_PROJECTED) == FEW;
        const tac_cells one = {.kind = TAC_ONE_CELL, .count = 1};
        good = good && tac_door_sums(run.door, "t", tac_door_left(run.door) / 2, &one, TAC_ROWS, 1,
                                     out, out + 32) == TACIT_OK;
        const uint64_t most = neighbors == 0   ? TAC_M
                              : neighbors == 1 ? 2 * TAC_M
                                               : run.lattice[TAC_ROWS].entry_reach;
        const tac_u128 sensitivity = tac_door_receipt(run.door, 0)->sensitivity;
        good = good && sensitivity <= (tac_u128)most * most + 1 &&
               sensitivity >= (tac_u128)most * most;
        tac_frame_clear(&f);
        MUST(tac_frame_weigh(ctx, 30, &(tac_weighing){.dims = 30, .dense = true}, &f) == TACIT_OK);
        MUST(tac_run_set_frame(&run, TAC_ROWS, &f) == TACIT_OK);
        good = good && !tac_run_sparse(&run);
        CHECK(tac_run_close(&run, TACIT_OK) == TACIT_OK && good,
              "a run on counts needs no bounds, looks through frames of counts and charges for "
              "what moves (%d)",
              neighbors);
        tacit_data_free(data);
    }
    clear_world(&w);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 2;
    test_largest();
    test_answers();
    test_quotes();
    test_run();
    tacit_ctx_free(ctx);
    return tap_done();
}
