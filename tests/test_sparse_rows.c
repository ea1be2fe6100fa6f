/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse rows all the way to the door: the same vectors, the same points and the same sums as dense
   rows give, bit by bit; sensitivities by brute force; and everything else refused. */
#include "data/kernels/nearest.h"
#include "privacy/door_internal.h"
#include "privacy/run.h"
#include "sparse_world.h"
#include "narrow.h"

enum { WIDE = TAC_WIDE + 100, SKETCH = 16, P = 5 };

static tacit_ctx *ctx;

static tacit_data *open_csr(const sparse_world *w)
{
    tacit_data *data = NULL;
    MUST(tacit_data_from_csr(ctx, w->start, w->column, w->value, w->rows, w->columns, &data) ==
         TACIT_OK);
    return data;
}

/* ---- readers ---- */

static void test_reader(void)
{
    sparse_world w = make_world(50, 40, 12, true, true);
    tac_reader *r = NULL;
    tac_nonzeros block = {0};
    int32_t order[40];
    bool same = true, rising = true, sparse = true;

    MUST(tac_open_csr(ctx, w.start, w.column, w.value, w.rows, w.columns, &r) == TACIT_OK);
    /* a selection that turns the columns round and leaves some out */
    for (int32_t j = 0; j < 30; j++) order[j] = 39 - j;
    const tac_selection selection = {
        .dims = 30, .column = order, .label = -1, .unit = -1, .missing = TACIT_MISSING_MIDPOINT};
    MUST(r->load(r, ctx, &selection) == TACIT_OK);
    for (int64_t first = 0; first < w.rows; first += 7) {
        const int64_t count = w.rows - first < 7 ? w.rows - first : 7;
        MUST(r->read_sparse(r, first, count, &block) == TACIT_OK);
        for (int64_t i = 0; i < count; i++) {
            double row[30] = {0};
            for (int64_t e = block.start[i]; e < block.start[i + 1]; e++) {
                rising = rising && (e == block.start[i] || block.feature[e] > block.feature[e - 1]);
                sparse = sparse && isfinite(block.value[e]) && block.value[e] != 0;
                row[block.feature[e]] = block.value[e];
            }
            for (int32_t j = 0; j < 30; j++)
                same = same && row[j] == w.dense[(first + i) * 40 + order[j]];
        }
    }
    CHECK(same, "a reader gives the same rows sparse and dense");
    CHECK(rising && sparse, "entries in ascending order, none of them zero or missing");
    tac_nonzeros_clear(&block);
    r->close(r);
    clear_world(&w);
}

static void test_keep_largest(void)
{
    bool good = true;

    for (int t = 0; t < 2000; t++) {
        int32_t feature[12], all_feature[12];
        double value[12], all[12];
        const size_t count = next() % 13, most = 1 + next() % 12;
        for (size_t i = 0; i < count; i++) {
            all_feature[i] = feature[i] = (int32_t)(3 * i + next() % 3);
            all[i] = value[i] = (double)((int)(next() % 7) - 3);
        }
        const size_t kept = tac_keep_largest(feature, value, count, most);
        good = good && kept == (count < most ? count : most);
        for (size_t i = 0, k = 0; i < count; i++) {
            /* entries that come first: larger, or as large and of a lower column */
            size_t before = 0;
            for (size_t o = 0; o < count; o++)
                before += fabs(all[o]) > fabs(all[i]) || (fabs(all[o]) == fabs(all[i]) && o < i);
            if (before >= most) continue;
            good = good && k < kept && feature[k] == all_feature[i] && value[k] == all[i];
            k++;
        }
    }
    CHECK(good, "the largest entries are kept, ties to the lowest column, in their order");
}

/* ---- frames and lattices ---- */

static tac_domain ball(double radius)
{
    static double center[WIDE];
    return (tac_domain){
        .kind = TAC_DOMAIN_BALL, .center = center, .radius = radius, .origin = "declared"};
}

static tac_domain box(void)
{
    static double lower[WIDE], upper[WIDE];
    for (int32_t j = 0; j < WIDE; j++) lower[j] = j % 3 == 0 ? 0 : -0.5, upper[j] = 1 + j % 2;
    return (tac_domain){
        .kind = TAC_DOMAIN_BOX, .lower = lower, .upper = upper, .origin = "declared"};
}

/* One frame, one set of rows, both code paths. far: by how much coordinates may differ. */
static void same_points(const tac_frame *frame, const sparse_world *w, int far, const char *what)
{
    tacit_data *data = open_csr(w);
    tac_lattice sparse;
    tac_engine engine;
    double *scratch = calloc(tac_frame_scratch(frame), sizeof *scratch);
    int16_t *point = calloc((size_t)frame->dims, sizeof *point),
            *other = calloc((size_t)frame->dims, sizeof *other);
    bool same = true, in_ball = true;

    tac_engine_threads(ctx, &engine);
    MUST(tac_data_load(ctx, data, NULL) == TACIT_OK);
    MUST(tac_lattice_build(ctx, &engine, data, frame, NULL, &sparse) == TACIT_OK);
    for (int64_t i = 0; i < w->rows; i++) {
        uint64_t squares = 0;
        tac_frame_apply(frame, w->dense + i * w->columns, scratch, point);
        memset(other, 0, (size_t)frame->dims * sizeof *other);
        if (sparse.start == NULL)
            memcpy(other, sparse.points + i * sparse.stride, (size_t)frame->dims * sizeof *other);
        else
            for (int64_t e = sparse.start[i]; e < sparse.start[i + 1]; e++)
                other[sparse.column[e]] = sparse.value[e];
        for (int32_t j = 0; j < frame->dims; j++) {
            same = same && abs(point[j] - other[j]) <= far;
            squares += (uint64_t)((int32_t)other[j] * other[j]);
        }
        in_ball = in_ball && squares <= (uint64_t)TAC_M * TAC_M;
    }
    CHECK(same && in_ball && sparse.rows == w->rows,
          "%s: sparse and dense rows give the same points", what);
    tac_lattice_clear(&sparse);
    free(scratch);
    free(point);
    free(other);
    tacit_data_free(data);
}

static void test_frames(void)
{
    sparse_world w = make_world(60, WIDE, 20, true, true);
    static double shift[WIDE], sign[WIDE], middle[SKETCH], basis[WIDE * P], turn[SKETCH * P],
        still[WIDE];
    static int32_t bucket[WIDE];
    const tac_domain domains[2] = {ball(1.5), box()};
    const tac_sketch sketch = {.size = SKETCH, .bucket = bucket, .sign = sign};
    tac_frame first, f;

    for (int32_t j = 0; j < WIDE; j++) {
        shift[j] = 100 * uniform() - 50;
        bucket[j] = (int32_t)(next() % SKETCH);
        sign[j] = next() % 2 ? 1 : -1;
        for (int32_t p = 0; p < P; p++) basis[j * P + p] = (2 * uniform() - 1) / 10;
    }
    for (int32_t j = 0; j < SKETCH; j++) {
        middle[j] = 2000 * uniform();
        for (int32_t p = 0; p < P; p++) turn[j * P + p] = (2 * uniform() - 1) / 2;
    }
    for (int d = 0; d < 2; d++) {
        const char *where = d == 0 ? "ball" : "box";
        char what[64];
        MUST(tac_frame_for_sparse(ctx, &domains[d], WIDE, TACIT_SCALE_RANGE, 0, &first) ==
             TACIT_OK);
        snprintf(what, sizeof what, "%s, first frame", where);
        same_points(&first, &w, 0, what);
        MUST(tac_frame_zoom(ctx, &first, still, 3, WIDE, NULL, NULL, NULL, &f) == TACIT_OK);
        snprintf(what, sizeof what, "%s, zoomed", where);
        same_points(&f, &w, 0, what);
        tac_frame_clear(&f);
        MUST(tac_frame_sketch(ctx, &first, &sketch, NULL, NULL, 1.5, NULL, 0, &f) == TACIT_OK);
        snprintf(what, sizeof what, "%s, sketched", where);
        same_points(&f, &w, 0, what);
        tac_frame_clear(&f);
        MUST(tac_frame_sketch(ctx, &first, &sketch, NULL, middle, 1.5, turn, P, &f) == TACIT_OK);
        snprintf(what, sizeof what, "%s, sketched, moved and turned", where);
        same_points(&f, &w, 1, what);
        tac_frame_clear(&f);
        MUST(tac_frame_sketch(ctx, &first, &sketch, shift, NULL, 1.5, NULL, 0, &f) == TACIT_OK);
        snprintf(what, sizeof what, "%s, shifted and sketched", where);
        same_points(&f, &w, 1, what);
        tac_frame_clear(&f);
        MUST(tac_frame_zoom(ctx, &first, shift, 1.5, P, basis, NULL, NULL, &f) == TACIT_OK);
        snprintf(what, sizeof what, "%s, shifted and projected", where);
        same_points(&f, &w, 1, what);
        tac_frame_clear(&f);
        tac_frame_clear(&first);
    }
    clear_world(&w);
}

/* 0 stays 0, a full row of the box fills the ball, and a declared sparsity makes the ball as small
   as it may be. */
static void test_box(void)
{
    tac_domain domain = box();
    tac_frame f;
    int32_t feature[WIDE];
    double value[WIDE];
    int16_t point[WIDE];
    uint64_t squares = 0;

    MUST(tac_frame_for_sparse(ctx, &domain, WIDE, TACIT_SCALE_NONE, 0, &f) == TACIT_OK);
    for (int32_t j = 0; j < WIDE; j++) feature[j] = j, value[j] = 9;
    tac_frame_apply_sparse(&f, feature, value, WIDE, NULL, point);
    for (int32_t j = 0; j < WIDE; j++) squares += (uint64_t)((int32_t)point[j] * point[j]);
    CHECK(fabs(sqrt((double)squares) / TAC_M - 1) < 1e-2, "the corner of the box lies on the ball");
    tac_frame_clear(&f);
    MUST(tac_frame_for_sparse(ctx, &domain, WIDE, TACIT_SCALE_NONE, 4, &f) == TACIT_OK);
    for (int32_t j = 0; j < WIDE; j++) feature[j] = j, value[j] = 9;
    const int32_t kept = tac_frame_apply_sparse(&f, feature, value, WIDE, NULL, point);
    CHECK(kept == 4 && feature[0] == 1 && feature[3] == 7 && point[0] == TAC_M / 2 &&
              point[3] == TAC_M / 2,
          "with at most 4 values a row the longest row of 4 fills it, and a longer row is cut to "
          "4");
    tac_frame_clear(&f);
}

/* ---- the door ---- */

typedef struct room {
    tac_engine engine;
    tac_accountant accountant;
    tac_key key;
    tac_door *door;
} room;

static void open_room(room *r, const tac_lattice *rows, const tac_lattice *projection,
                      tacit_neighbors neighbors, int32_t owned, tac_definition definition)
{
    tac_engine_threads(ctx, &r->engine);
    r->accountant = (tac_accountant){.definition = definition, .budget = UINT64_C(1) << 60};
    tac_key_from_insecure_seed(5, &r->key);
    MUST(tac_door_open(ctx, &r->engine, rows, neighbors, owned, &r->accountant, &r->key,
                       &r->door) == TACIT_OK);
    tac_door_set_frame(r->door, TAC_PROJECTED, projection);
}

static void test_sums(void)
{
    enum { ROWS = 500, K = 3 };
    sparse_world w = make_world(ROWS, WIDE, 9, true, true);
    tacit_data *csr = open_csr(&w), *memory = NULL;
    static double sign[WIDE];
    static int32_t bucket[WIDE];
    const tac_sketch sketch = {.size = SKETCH, .bucket = bucket, .sign = sign};
    const tac_domain domain = ball(1.5);
    tac_lattice sparse, dense, projection;
    tac_frame first, sketched;
    tac_engine engine;
    int16_t centers[K * SKETCH];
    static int64_t sums[4][K * WIDE], counts[4][K];
    bool same = true;

    for (int32_t j = 0; j < WIDE; j++)
        bucket[j] = (int32_t)(next() % SKETCH), sign[j] = next() % 2 ? 1 : -1;
    for (int i = 0; i < K * SKETCH; i++) centers[i] = (int16_t)((int)(next() % 20000) - 10000);
    MUST(tacit_data_from_memory(ctx, w.dense, TACIT_F64, ROWS, WIDE, &memory) == TACIT_OK);
    MUST(tac_data_load(ctx, csr, NULL) == TACIT_OK && tac_data_load(ctx, memory, NULL) == TACIT_OK);
    CHECK(tac_data_sparse(csr) && !tac_data_sparse(memory), "rows of a sparse format stay sparse, "
                                                            "dense rows stay dense");
    MUST(tac_frame_for_sparse(ctx, &domain, WIDE, TACIT_SCALE_RANGE, 0, &first) == TACIT_OK);
    MUST(tac_frame_sketch(ctx, &first, &sketch, NULL, NULL, 1, NULL, 0, &sketched) == TACIT_OK);
    for (int round = 0; round < 4; round++) {
        room r;
        tacit_data *data = round % 2 ? memory : csr;
        ctx->threads = round < 2 ? 1 : 3;
        ctx->block_bytes = round < 2 ? INT64_C(1) << 18 : 777;
        tac_engine_threads(ctx, &engine);
        tac_lattice *rows = round % 2 ? &dense : &sparse;
        MUST(tac_lattice_build(ctx, &engine, data, &first, NULL, rows) == TACIT_OK);
        MUST(tac_lattice_build(ctx, &engine, data, &sketched, NULL, &projection) == TACIT_OK);
        open_room(&r, rows, &projection, TACIT_ADD_REMOVE, 1, TAC_GDP);
        MUST(tac_door_sums(
                 r.door, "test", UINT64_C(1) << 40,
                 &(tac_cells){
                     .kind = TAC_NEAREST, .view = TAC_PROJECTED, .count = K, .centers = centers},
                 TAC_ROWS, 1000, sums[round], counts[round]) == TACIT_OK);
        same = same && memcmp(sums[round], sums[0], sizeof sums[0]) == 0 &&
               memcmp(counts[round], counts[0], sizeof counts[0]) == 0;
        tac_door_close(r.door);
        tac_lattice_clear(rows);
        tac_lattice_clear(&projection);
    }
    CHECK(same, "noisy sums by cells of the projection: the same bits from sparse and dense rows, "
                "for any threads and blocks");
    ctx->threads = 2;
    ctx->block_bytes = INT64_C(1) << 18;
    tac_frame_clear(&first);
    tac_frame_clear(&sketched);
    tacit_data_free(csr);
    tacit_data_free(memory);
    clear_world(&w);
}

static int refused;

static void refuse(tacit_status status)
{
    refused += status == TACIT_E_INTERNAL;
}

static void test_refusals(void)
{
    int64_t start[3] = {0, 1, 2}, word[64];
    int32_t column[2] = {0, 2}, chosen;
    int16_t value[2] = {5, 6}, point[4] = {0};
    const double radius = 100, edge = 0.5;
    const tac_lattice rows = {.rows = 2,
                              .dims = 3,
                              .stride = 4,
                              .sparse = true,
                              .start = start,
                              .column = column,
                              .value = value};
    const tac_cells one = {.kind = TAC_ONE_CELL, .count = 1},
                    near = {.kind = TAC_NEAREST, .count = 1, .centers = point};
    const tac_local local = {.centers = point, .radius = &radius};
    const uint64_t quanta = UINT64_C(1) << 40;
    room r;

    open_room(&r, &rows, NULL, TACIT_ADD_REMOVE, 1, TAC_PURE);
    refuse(tac_door_histogram(r.door, "t", quanta, &near, word));
    refuse(tac_door_sums(r.door, "t", quanta, &near, TAC_ROWS, 1, word, word + 32));
    refuse(narrow_moments(r.door, "t", quanta, &near, near.view, word));
    refuse(narrow_local(r.door, "t", quanta, &one, &local, &(tac_local_parts){.count = 1}, word,
                        NULL, NULL));
    refuse(tac_door_distances(r.door, "t", quanta, &one, &local, &edge, 2, word));
    refuse(tac_door_projections(r.door, "t", quanta, &one, &local, point, 2, word));
    refuse(tac_door_slices(r.door, "t", quanta, &one, &(tac_slice){.axis = 0, .low = 0, .high = 9},
                           2, word));
    refuse(tac_door_choose(r.door, "t", quanta, &(tac_choice){.candidates = point, .m = 1, .k = 1},
                           &chosen));
    CHECK(refused == 8 && tac_door_asked(r.door) == 0 && r.accountant.spent == 0,
          "every other query is refused for sparse rows, and costs nothing (%d refused)", refused);
    CHECK(tac_door_count(r.door, "t", quanta, word) == TACIT_OK &&
              tac_door_sums(r.door, "t", quanta, &one, TAC_ROWS, 1, word, word + 32) == TACIT_OK,
          "counts and sums are not");
    tac_door_close(r.door);
}

/* ---- brute force: all pairs of small data sets that differ in one unit ---- */

typedef struct exact {
    size_t words;
    uint64_t word[64];
} exact;

static void remember(void *payload, const tac_receipt *receipt, const uint64_t *words, size_t count)
{
    exact *e = payload;
    (void)receipt;
    MUST(count <= 64);
    e->words = count;
    memcpy(e->word, words, count * sizeof *words);
}

/* Points of 3 dimensions with at most 2 entries, of full norm or empty, cells by the sign of the
   projection's one number. */
enum { POINTS = 9 };
static const int16_t point_of[POINTS][3] = {
    {0, 0, 0},           {TAC_M, 0, 0},      {0, TAC_M, 0},     {-TAC_M, 0, 0}, {23169, 23169, 0},
    {-23169, -23169, 0}, {0, 23169, -23169}, {23169, 0, 23169}, {0, 0, -TAC_M}};

static void ask_points(const int *list, int rows, int32_t owned, tacit_neighbors neighbors,
                       tac_definition definition, uint32_t weight, exact *out, tac_receipt *receipt)
{
    int64_t start[8] = {0}, sums[6], counts[2];
    int32_t column[16];
    int16_t value[16], projection[8 * 2] = {0};
    static const int16_t centers[2] = {1000, -1000};
    room r;

    for (int i = 0; i < rows; i++) {
        start[i + 1] = start[i];
        for (int32_t j = 0; j < 3; j++)
            if (point_of[list[i]][j] != 0) {
                column[start[i + 1]] = j;
                value[start[i + 1]++] = point_of[list[i]][j];
            }
        projection[2 * i] = list[i] % 2 ? 900 : -900;
    }
    const tac_lattice lattice = {.rows = rows,
                                 .dims = 3,
                                 .stride = 4,
                                 .sparse = true,
                                 .start = start,
                                 .column = column,
                                 .value = value,
                                 .sparsity = 2};
    const tac_lattice beside = {.rows = rows, .dims = 1, .stride = 2, .points = projection};
    open_room(&r, &lattice, &beside, neighbors, owned, definition);
    tac_door_set_probe(r.door, &(tac_door_probe){.exact = remember, .payload = out});
    MUST(tac_door_sums(
             r.door, "test", UINT64_C(1) << 45,
             &(tac_cells){
                 .kind = TAC_NEAREST, .view = TAC_PROJECTED, .count = 2, .centers = centers},
             TAC_ROWS, weight, sums, counts) == TACIT_OK);
    *receipt = *tac_door_receipt(r.door, 0);
    tac_door_close(r.door);
}

static void test_brute_force(void)
{
    static const uint32_t weights[] = {1, TAC_M / 3, 60000};

    for (int setting = 0; setting < 24; setting++) {
        const tacit_neighbors neighbors = setting % 2 ? TACIT_REPLACE : TACIT_ADD_REMOVE;
        const tac_definition definition = setting / 2 % 2 ? TAC_PURE : TAC_GDP;
        const int owned = 1 + setting / 4 % 2;
        const uint32_t weight = weights[setting / 8];
        tac_u128 most = 0, declared = 0;
        bool within = true;
        /* D has the rows (4, a, b), D' has (4, c, d): a person of up to two rows is there, gone, or
           another. */
        for (int a = -1; a < POINTS; a++)
            for (int b = owned == 2 ? -1 : POINTS - 1; b < POINTS; b++)
                for (int c = -1; c < POINTS; c++)
                    for (int d = owned == 2 ? -1 : POINTS - 1; d < POINTS; d++) {
                        int left[3] = {4}, right[3] = {4}, lefts = 1, rights = 1;
                        exact x, y;
                        tac_receipt receipt;
                        if (a >= 0) left[lefts++] = a;
                        if (owned == 2 && b >= 0) left[lefts++] = b;
                        if (c >= 0) right[rights++] = c;
                        if (owned == 2 && d >= 0) right[rights++] = d;
                        if (neighbors == TACIT_ADD_REMOVE && rights > 1) continue;
                        if (neighbors == TACIT_REPLACE && owned == 1 && (lefts != 2 || rights != 2))
                            continue;
                        ask_points(left, lefts, owned, neighbors, definition, weight, &x, &receipt);
                        ask_points(right, rights, owned, neighbors, definition, weight, &y,
                                   &receipt);
                        tac_u128 l1 = 0, l2 = 0;
                        for (size_t i = 0; i < x.words; i++) {
                            const int64_t gap = (int64_t)(x.word[i] - y.word[i]);
                            const tac_u128 size = (tac_u128)(gap < 0 ? -gap : gap);
                            l1 += size;
                            l2 += size * size;
                        }
                        const tac_u128 far = definition == TAC_PURE ? l1 : l2;
                        within = within && far <= receipt.sensitivity;
                        most = far > most ? far : most;
                        declared = receipt.sensitivity;
                    }
        CHECK(within && (double)most > 0.999 * (double)declared,
              "sums of sparse rows, %s, %s, %d rows a unit, weight %u: the sensitivity holds and "
              "is attained (%.4f of it)",
              neighbors == TACIT_REPLACE ? "replace" : "add-remove",
              definition == TAC_PURE ? "L1" : "L2", owned, weight, (double)most / (double)declared);
    }
}

/* A declared sparsity is enforced on rows that break it, so the L1 bound holds for them too. */
static void test_cut_rows(void)
{
    sparse_world w = make_world(200, WIDE, 40, false, false);
    tacit_data *data = open_csr(&w);
    tac_domain domain = ball(0.5);
    tac_engine engine;
    tac_lattice lattice;
    tac_frame frame;
    bool good = true;

    tac_engine_threads(ctx, &engine);
    MUST(tac_data_load(ctx, data, NULL) == TACIT_OK);
    MUST(tac_frame_for_sparse(ctx, &domain, WIDE, TACIT_SCALE_RANGE, 6, &frame) == TACIT_OK);
    MUST(tac_lattice_build(ctx, &engine, data, &frame, NULL, &lattice) == TACIT_OK);
    for (int64_t i = 0; i < lattice.rows; i++) {
        uint64_t l1 = 0;
        for (int64_t e = lattice.start[i]; e < lattice.start[i + 1]; e++)
            l1 += (uint64_t)abs(lattice.value[e]);
        good = good && lattice.start[i + 1] - lattice.start[i] <= 6 &&
               l1 <= tac_root((tac_u128)6 * TAC_M * TAC_M);
    }
    CHECK(good && tac_lattice_most(&lattice) == 6, "no point has more entries or a longer L1 norm "
                                                   "than declared");
    tac_lattice_clear(&lattice);
    tac_frame_clear(&frame);
    tacit_data_free(data);
    clear_world(&w);
}

/* ---- persons ---- */

/* Rows of a person are kept by content: the order of rows and of entries within a row changes
   nothing. */
static void test_units(void)
{
    enum { ROWS = 120 };
    sparse_world w = make_world(ROWS, WIDE, 6, false, false),
                 turned = make_world(ROWS, WIDE, 6, false, false);
    int64_t unit[2][ROWS];
    uint64_t *keep[2] = {NULL, NULL};
    bool same = true;
    int kept = 0;

    turned.entries = 0;
    for (int64_t i = 0; i < ROWS; i++) { /* last row first, last entry first */
        const int64_t from = ROWS - 1 - i;
        for (int64_t e = w.start[from + 1] - 1; e >= w.start[from]; e--) {
            turned.column[turned.entries] = w.column[e];
            turned.value[turned.entries++] = w.value[e];
        }
        turned.start[i + 1] = turned.entries;
        unit[0][i] = i % 10;
        unit[1][ROWS - 1 - i] = i % 10;
    }
    for (int side = 0; side < 2; side++) {
        tacit_data *data = open_csr(side ? &turned : &w);
        MUST(tac_data_load(ctx, data, NULL) == TACIT_OK);
        data->told_unit = unit[side];
        data->has_units = true;
        MUST(tac_data_kept(ctx, data, 3, &keep[side]) == TACIT_OK);
        tacit_data_free(data);
    }
    for (int64_t i = 0; i < ROWS; i++) {
        /* equal rows are alike: which of them is kept does not matter */
        const bool empty = w.start[i + 1] == w.start[i];
        same = same && (empty || tac_is_kept(keep[0], i) == tac_is_kept(keep[1], ROWS - 1 - i));
        kept += tac_is_kept(keep[0], i);
    }
    CHECK(same && kept == 30, "a person keeps the same rows however they are written (%d kept)",
          kept);
    tac_free(keep[0]);
    tac_free(keep[1]);
    clear_world(&w);
    clear_world(&turned);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 2;
    test_reader();
    test_keep_largest();
    test_frames();
    test_box();
    test_sums();
    test_refusals();
    test_brute_force();
    test_cut_rows();
    test_units();
    tacit_ctx_free(ctx);
    return tap_done();
}
