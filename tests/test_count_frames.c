/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of counts as lattice points: known answers, every road to them the same, the ball and the
   taxicab ball never left, and one count never moves a point further than its frame says. */
#include "data/lattice/lattice.h"
#include "sparse_world.h"

enum { ONE = 1 << 16, WIDE = TAC_WIDE + 100 };

static tacit_ctx *ctx;

/* Rows of small counts, now and then a large one. */
static sparse_world make_counts(int64_t rows, int32_t columns, int32_t most)
{
    sparse_world w = make_world(rows, columns, most, false, true);

    memset(w.dense, 0, (size_t)rows * (size_t)columns * sizeof *w.dense);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t e = w.start[i]; e < w.start[i + 1]; e++) {
            w.value[e] = next() % 50 == 0 ? 2147483647.0 : (double)(next() % 5);
            w.dense[i * columns + w.column[e]] = w.value[e];
        }
    return w;
}

/* The definition, for a dense row: y before it is rounded. */
static void by_the_book(const tac_weighing *w, const double *row, int32_t columns, long double *y)
{
    long double v[WIDE] = {0}, length = 0;

    for (int32_t j = 0; j < columns; j++) {
        const long double a = row[j] > 0 ? row[j] : 0;
        const long double f = w->value == TAC_ANY     ? a > 0
                              : w->value == TAC_COUNT ? a
                                                      : log2l(1 + a);
        v[j] = f * (w->weight == NULL ? 1 : w->weight[j] / (long double)ONE);
    }
    for (int32_t g = 0; g < w->dims; g++) y[g] = 0;
    for (int32_t j = 0; j < columns; j++) {
        int32_t before = 0; /* entries that come first: larger, or as large and of a lower column */
        for (int32_t o = 0; w->most > 0 && o < columns; o++)
            before += fabsl(v[o] - v[j]) < 1e-12L ? o < j && v[o] > 0 : v[o] > v[j];
        if (v[j] > 0 && (w->most == 0 || before < w->most))
            y[w->group == NULL ? j : w->group[j]] += v[j];
    }
    for (int32_t g = 0; g < w->dims; g++) length += w->taxicab ? y[g] : y[g] * y[g];
    if (!w->taxicab) length = sqrtl(length);
    if (length < w->least / (long double)ONE) length = w->least / (long double)ONE;
    for (int32_t g = 0; g < w->dims; g++) y[g] *= length > 0 ? TAC_M / length : 0;
}

static void test_known(void)
{
    double row[4] = {1, 3, NAN, 7}, back[4];
    double scratch[32];
    int16_t point[4];
    tac_frame f;

    MUST(tac_frame_of_counts(ctx, 4, &f) == TACIT_OK);
    tac_frame_apply(&f, row, scratch, point);
    const double root = sqrt(14);
    CHECK(fabs(point[0] - TAC_M / root) < 1.5 && fabs(point[1] - 2 * TAC_M / root) < 1.5 &&
              point[2] == 0 && fabs(point[3] - 3 * TAC_M / root) < 1.5,
          "1, 3, missing, 7 is (1, 2, 0, 3) / sqrt 14");
    row[0] = row[1] = row[3] = 0;
    tac_frame_apply(&f, row, scratch, point);
    CHECK(point[0] == 0 && point[1] == 0 && point[2] == 0 && point[3] == 0, "an empty row is 0");
    row[1] = 2147483647;
    tac_frame_apply(&f, row, scratch, point);
    CHECK(point[0] == 0 && point[1] == TAC_M, "a row of one huge count fills the ball");
    tac_frame_from_lattice(&f, row, back);
    CHECK(back[1] == row[1] && tac_frame_inside(&f, row) && !tac_frame_projects(&f) &&
              !tac_frame_dense(&f),
          "no way back to counts");
    CHECK(tac_frame_entry_reach(&f) == 46340, "one count may turn a row by a right angle: sqrt 2 "
                                              "M");
    tac_frame_clear(&f);
    CHECK(f.counts == NULL && f.columns == 0, "and it is cleared");

    const uint32_t weight[4] = {ONE, ONE / 2, 0, ONE};
    const int32_t group[4] = {1, 0, 77, 1};
    tac_weighing w = {
        .value = TAC_COUNT, .weight = weight, .group = group, .dims = 2, .dense = true};
    MUST(tac_frame_weigh(ctx, 4, &w, &f) == TACIT_OK);
    memcpy(row, (double[]){1, 8, 9, 2}, sizeof row); /* groups: 4, 3 */
    tac_frame_apply(&f, row, scratch, point);
    CHECK(abs(point[0] - 26213) <= 1 && abs(point[1] - 19660) <= 1, "weights and groups: (8/2, 1 + "
                                                                    "2) is (0.8, 0.6)");
    tac_frame_clear(&f);
    w.dims = 1;
    w.group = (int32_t[4]){0};
    MUST(tac_frame_weigh(ctx, 4, &w, &f) == TACIT_OK);
    tac_frame_apply(&f, row, scratch, point);
    CHECK(point[0] == TAC_M, "one group is one coordinate");
    tac_frame_clear(&f);
    w.dims = 2;
    w.group = group;
    w.taxicab = true;
    MUST(tac_frame_weigh(ctx, 4, &w, &f) == TACIT_OK);
    tac_frame_apply(&f, row, scratch, point);
    CHECK(point[0] + point[1] <= TAC_M && abs(point[0] - 18724) <= 1 && abs(point[1] - 14043) <= 1,
          "by the taxicab (4, 3) is (4, 3) / 7");
    tac_frame_clear(&f);
    w = (tac_weighing){.value = TAC_ANY, .dims = 4, .most = 2};
    MUST(tac_frame_weigh(ctx, 4, &w, &f) == TACIT_OK);
    tac_frame_apply(&f, row, scratch, point);
    CHECK(point[0] == point[1] && abs(point[1] - 23170) <= 1 && point[2] == 0 && point[3] == 0,
          "the first two of equals are kept");
    tac_frame_clear(&f);
    w = (tac_weighing){.value = TAC_LOGARITHM, .dims = 4, .least = 10 * ONE};
    MUST(tac_frame_weigh(ctx, 4, &w, &f) == TACIT_OK);
    memcpy(row, (double[]){1, 3, 0, 7}, sizeof row);
    tac_frame_apply(&f, row, scratch, point);
    CHECK(point[0] == 3276 && point[1] == 6553 && point[3] == 9830, "a row shorter than `least` "
                                                                    "keeps its length, cut to "
                                                                    "integers");
    CHECK(tac_frame_entry_reach(&f) == 3277 + 2 + 1, "one count moves it by M / 10, and what "
                                                     "cutting adds");
    tac_frame_clear(&f);
}

static int refused;

static void refuse(int32_t columns, const tac_weighing *w)
{
    tac_frame f;
    refused += tac_frame_weigh(ctx, columns, w, &f) == TACIT_E_INTERNAL && f.counts == NULL;
    tac_frame_clear(&f);
}

static void test_refusals(void)
{
    const uint32_t heavy[2] = {ONE, ONE + 1};
    const int32_t out[2] = {0, 2}, below[2] = {-1, 0};
    const double shift[2] = {0, 0};
    tac_frame f, later;

    refuse(2, &(tac_weighing){.dims = 3});
    refuse(0, &(tac_weighing){.dims = 0});
    refuse(2, &(tac_weighing){.dims = 2, .weight = heavy});
    refuse(2, &(tac_weighing){.dims = 2, .group = out});
    refuse(2, &(tac_weighing){.dims = 2, .group = below});
    refuse(2, &(tac_weighing){.dims = 2, .most = -1});
    refuse(2, &(tac_weighing){.dims = 2, .value = (tac_count_value)3});
    CHECK(refused == 7, "numbers that make no frame are refused (%d of 7)", refused);
    const int32_t group[2] = {0, 0};
    MUST(tac_frame_weigh(ctx, 2, &(tac_weighing){.dims = 1, .group = group}, &f) == TACIT_OK);
    CHECK(tac_frame_zoom(ctx, &f, shift, 1, 2, NULL, NULL, NULL, &later) == TACIT_E_INTERNAL,
          "groups cannot be looked at closer");
    tac_frame_clear(&f);
}

/* ---- every road gives the same points ---- */

static void some_weighing(uint64_t kind, int32_t columns, uint32_t *weight, int32_t *group,
                          tac_weighing *w)
{
    *w = (tac_weighing){.value = (tac_count_value)(kind % 3), .dims = columns};
    for (int32_t j = 0; j < columns; j++) {
        weight[j] = next() % 4 == 0 ? 0 : (uint32_t)(next() % (ONE + 1));
        group[j] = (int32_t)(next() % 7);
    }
    if (kind / 3 % 2) w->weight = weight;
    if (kind / 6 % 2) w->group = group, w->dims = 7;
    if (kind / 12 % 2) w->most = 4;
    if (kind / 24 % 2) w->least = 3 * ONE;
    if (kind / 48 % 2) w->taxicab = true;
    if (kind / 96 % 2) w->dense = true;
}

typedef struct against {
    bool same, in_ball, near;
} against;

/* A lattice's row i as a dense point. */
static void point_of(const tac_lattice *l, int64_t i, int16_t *out)
{
    memset(out, 0, (size_t)l->dims * sizeof *out);
    if (l->start == NULL)
        memcpy(out, l->points + i * l->stride, (size_t)l->dims * sizeof *out);
    else
        for (int64_t e = l->start[i]; e < l->start[i + 1]; e++) {
            MUST(e == l->start[i] || l->column[e] > l->column[e - 1]);
            out[l->column[e]] = l->value[e];
        }
}

static void compare(const tac_frame *f, const tac_weighing *weighing, const sparse_world *w,
                    tacit_data *data, const uint64_t *keep, against *a)
{
    double *scratch = calloc(tac_frame_rows_scratch(f), sizeof *scratch),
           *lattice = calloc((size_t)f->dims, sizeof *lattice);
    int16_t *point = calloc((size_t)f->dims + 1, sizeof *point),
            *other = calloc((size_t)f->dims + 1, sizeof *other);
    static long double y[WIDE];
    tac_engine engine;
    tac_lattice l;
    int64_t at = 0;

    tac_engine_threads(ctx, &engine);
    MUST(tac_lattice_build(ctx, &engine, data, f, keep, &l) == TACIT_OK);
    for (int64_t i = 0; i < w->rows; i++) {
        if (!tac_is_kept(keep, i)) continue;
        uint64_t squares = 0, sum = 0;
        tac_frame_apply(f, w->dense + i * w->columns, scratch, point);
        point_of(&l, at++, other);
        for (int32_t j = 0; j < f->dims; j++) {
            a->same = a->same && point[j] == other[j];
            squares += (uint64_t)((int32_t)other[j] * other[j]);
            sum += (uint64_t)abs(other[j]);
        }
        a->in_ball =
            a->in_ball && squares <= (uint64_t)TAC_M * TAC_M && (!l.taxicab || sum <= TAC_M);
        if (weighing == NULL) continue;
        by_the_book(weighing, w->dense + i * w->columns, w->columns, y);
        tac_frame_to_lattice(f, w->dense + i * w->columns, lattice);
        /* rounding, then the clip: sqrt(20) / 2 + 1 in the length, and 1 */
        const double slack = weighing->least > 0 ? 1.1 : 3.5;
        for (int32_t j = 0; j < f->dims; j++)
            a->near = a->near && fabsl(other[j] - y[j]) <= slack &&
                      fabsl((long double)lattice[j] - y[j]) < 0.1;
    }
    a->same = a->same && at == l.rows && (l.start == NULL) == tac_frame_dense(f);
    if (weighing != NULL)
        a->same = a->same && l.entry_reach == tac_frame_entry_reach(f) && l.entry_reach > 0 &&
                  l.entry_squares == tac_frame_entry_squares(f) && l.taxicab == weighing->taxicab &&
                  tac_lattice_most(&l) == (l.taxicab ? 1
                                           : weighing->most > 0 && weighing->most < l.dims
                                               ? weighing->most
                                               : l.dims);
    else
        a->same = a->same && l.entry_reach == 0;
    tac_lattice_clear(&l);
    free(scratch);
    free(lattice);
    free(point);
    free(other);
}

static void test_roads(void)
{
    static uint32_t weight[WIDE];
    static int32_t group[WIDE];
    against a = {true, true, true};

    for (int wide = 0; wide < 2; wide++) {
        const int32_t columns = wide ? WIDE : 30;
        sparse_world w = make_counts(40, columns, 20);
        uint64_t keep[1] = {0};
        tacit_data *csr = NULL, *memory = NULL;
        MUST(tacit_data_from_csr(ctx, w.start, w.column, w.value, w.rows, w.columns, &csr) ==
             TACIT_OK);
        MUST(tacit_data_from_memory(ctx, w.dense, TACIT_F64, w.rows, w.columns, &memory) ==
             TACIT_OK);
        MUST(tac_data_load(ctx, csr, NULL) == TACIT_OK &&
             tac_data_load(ctx, memory, NULL) == TACIT_OK);
        for (int i = 0; i < 40; i++) tac_keep(keep, i, next() % 3 > 0);
        for (uint64_t kind = 0; kind < 192; kind++) {
            tac_weighing weighing;
            tac_frame f;
            some_weighing(kind, columns, weight, group, &weighing);
            if (wide && kind % 29 != 0) continue; /* slow by the book */
            MUST(tac_frame_weigh(ctx, columns, &weighing, &f) == TACIT_OK);
            ctx->threads = kind % 2 ? 3 : 1;
            ctx->block_bytes = kind % 3 ? 999 : INT64_C(1) << 18;
            compare(&f, &weighing, &w, csr, kind % 5 ? NULL : keep, &a);
            compare(&f, &weighing, &w, memory, kind % 5 ? NULL : keep, &a);
            tac_frame_clear(&f);
        }
        tacit_data_free(csr);
        tacit_data_free(memory);
        clear_world(&w);
    }
    ctx->threads = 2;
    ctx->block_bytes = INT64_C(1) << 18;
    CHECK(a.same, "sparse and dense readers, wide and narrow, any threads and blocks: the same "
                  "points, and what is public of them");
    CHECK(a.near, "and they are what the definition says");
    CHECK(a.in_ball, "never outside the ball, nor, with the taxicab, outside its ball");
}

/* Frames that follow a first frame of counts: for k-means on such rows. */
static void test_following(void)
{
    enum { COLUMNS = 60, SKETCH = 8, P = 3 };
    sparse_world w = make_counts(50, COLUMNS, 15);
    static double shift[COLUMNS], sign[COLUMNS], basis[COLUMNS * P], still[COLUMNS], middle[SKETCH],
        turn[SKETCH * P];
    static int32_t bucket[COLUMNS];
    const tac_sketch sketch = {.size = SKETCH, .bucket = bucket, .sign = sign};
    against a = {true, true, true};
    tacit_data *csr = NULL;
    tac_frame first, f;

    for (int32_t j = 0; j < COLUMNS; j++) {
        shift[j] = 3000 * uniform();
        bucket[j] = (int32_t)(next() % SKETCH);
        sign[j] = next() % 2 ? 1 : -1;
        for (int32_t p = 0; p < P; p++) basis[j * P + p] = (2 * uniform() - 1) / 4;
    }
    for (int i = 0; i < SKETCH * P; i++) turn[i] = uniform() / 3;
    MUST(tacit_data_from_csr(ctx, w.start, w.column, w.value, w.rows, w.columns, &csr) == TACIT_OK);
    MUST(tac_data_load(ctx, csr, NULL) == TACIT_OK);
    for (int dense = 0; dense < 2; dense++) {
        MUST(tac_frame_weigh(ctx, COLUMNS, &(tac_weighing){.dims = COLUMNS, .dense = dense},
                             &first) == TACIT_OK);
        MUST(tac_frame_zoom(ctx, &first, dense ? shift : still, 1.5, COLUMNS, NULL, NULL, NULL,
                            &f) == TACIT_OK);
        compare(&f, NULL, &w, csr, NULL, &a);
        tac_frame_clear(&f);
        MUST(tac_frame_zoom(ctx, &first, shift, 1.5, P, basis, NULL, NULL, &f) == TACIT_OK);
        compare(&f, NULL, &w, csr, NULL, &a);
        int16_t point[P];
        double scratch[400], lattice[COLUMNS], low[P];
        tac_frame_apply(&f, w.dense, scratch, point);
        tac_frame_to_lattice(&first, w.dense, lattice);
        tac_frame_lower(&f, lattice, low);
        for (int p = 0; p < P; p++) a.near = a.near && fabs(low[p] - point[p]) <= 1.5;
        tac_frame_clear(&f);
        MUST(tac_frame_sketch(ctx, &first, &sketch, NULL, middle, 1.2, turn, P, &f) == TACIT_OK);
        compare(&f, NULL, &w, csr, NULL, &a);
        tac_frame_clear(&f);
        tac_frame_clear(&first);
    }
    CHECK(a.same && a.in_ball && a.near, "frames that look closer, project or sketch rows of "
                                         "counts: dense and sparse alike");
    tacit_data_free(csr);
    clear_world(&w);
}

/* ---- how far one count moves a point ---- */

/* Two rows that differ by 1 in one count, made to be bad ones: long and short rows, counts of 0,
   rows about as long as `least`. */
static void neighbors(int32_t columns, double *row, double *other)
{
    const int32_t filled = (int32_t)(next() % (uint64_t)(columns + 1)),
                  j = (int32_t)(next() % (uint64_t)columns);
    const double most = next() % 3 == 0 ? 2 : next() % 5 == 0 ? 1e9 : 30;

    for (int32_t i = 0; i < columns; i++) row[i] = i < filled ? floor(most * uniform()) : 0;
    if (next() % 2) row[j] = (double)(next() % 2);
    memcpy(other, row, (size_t)columns * sizeof *row);
    other[j] += 1;
}

static void test_reach(void)
{
    enum { D = 24 };
    static uint32_t weight[D];
    static int32_t group[D];
    double row[D], other[D], scratch[8 * D], worst = 0, worst_squares = 0, plain = 0,
                                             plain_squares = 0;
    int16_t x[D], y[D];
    bool within = true;
    long paired = 0, counted = 0; /* beyond, of the two kinds below */

    for (long t = 0; t < tap_times(20000); t++) {
        const int32_t columns = 1 + (int32_t)(next() % D);
        tac_weighing w;
        tac_frame f;
        double far = 0, squares = 0;
        some_weighing(next() % 96, columns, weight, group, &w);
        if (t % 2) w = (tac_weighing){.value = TAC_LOGARITHM, .dims = columns};
        /* columns in pairs, side by side: their groups ascend, but not from column to column */
        if (t % 8 == 0) {
            for (int32_t j = 0; j < columns; j++) group[j] = j / 2;
            w = (tac_weighing){
                .value = TAC_LOGARITHM, .group = group, .dims = (columns + 1) / 2, .least = ONE};
        }
        /* the counts themselves */
        if (t % 8 == 2) w = (tac_weighing){.value = TAC_COUNT, .dims = columns, .least = ONE};
        if (w.least > 0 || t % 2) w.least = (uint32_t)(ONE / 2 + next() % (12 * ONE));
        MUST(tac_frame_weigh(ctx, columns, &w, &f) == TACIT_OK);
        neighbors(columns, row, other);
        tac_frame_apply(&f, row, scratch, x);
        tac_frame_apply(&f, other, scratch, y);
        for (int32_t i = 0; i < f.dims; i++) {
            far += (double)(x[i] - y[i]) * (x[i] - y[i]);
            for (int32_t j = 0; j < f.dims; j++)
                squares += pow((double)x[i] * x[j] - (double)y[i] * y[j], 2);
        }
        far = sqrt(far) / tac_frame_entry_reach(&f);
        squares = sqrt(squares) / (double)tac_frame_entry_squares(&f);
        within = within && far <= 1 && squares <= 1;
        if (t % 8 == 0) paired += squares > 1;
        if (t % 8 == 2) counted += squares > 1;
        worst = fmax(worst, far);
        worst_squares = fmax(worst_squares, squares);
        if (t % 2 && w.least > 2 * ONE)
            plain = fmax(plain, far), plain_squares = fmax(plain_squares, squares);
        tac_frame_clear(&f);
    }
    CHECK(within && plain > 0.9 && plain_squares > 0.75,
          "one count moves no point and no square further than its frame says (reached %.3f and "
          "%.3f of it; logarithms with `least` %.3f and %.3f)",
          worst, worst_squares, plain, plain_squares);
    CHECK(paired == 0,
          "the finer bound of squares is not taken where two columns share a coordinate (%ld "
          "beyond)",
          paired);
    CHECK(counted == 0, "... nor for counts that are not logarithms (%ld beyond)", counted);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 2;
    test_known();
    test_refusals();
    test_roads();
    test_following();
    test_reach();
    tacit_ctx_free(ctx);
    return tap_done();
}
