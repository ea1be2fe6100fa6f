/* SPDX-License-Identifier: Apache-2.0 */
/* Learnt frames and the views built with them: what a frame does to a row, the way back, what it
   refuses; a run that looks again keeps its rows, its persons and its account, and holds one
   lattice a view. */
#include "core/cpu.h"
#include "dice.h"
#include "privacy/run.h"
#include "tap.h"

#include <malloc.h>
#include <math.h>

static tacit_ctx *ctx;
static uint64_t state = 4711;

enum { C = 9, D = 4 };

/* D orthonormal columns in C dimensions: Gram-Schmidt on random ones. */
static void make_basis(double *basis)
{
    for (int i = 0; i < D; i++) {
        double column[C], norm = 0;
        for (int j = 0; j < C; j++) column[j] = uniform() - 0.5;
        for (int round = 0; round < 2; round++)
            for (int l = 0; l < i; l++) {
                double dot = 0;
                for (int j = 0; j < C; j++) dot += column[j] * basis[j * D + l];
                for (int j = 0; j < C; j++) column[j] -= dot * basis[j * D + l];
            }
        for (int j = 0; j < C; j++) norm += column[j] * column[j];
        for (int j = 0; j < C; j++) basis[j * D + i] = column[j] / sqrt(norm);
    }
}

typedef struct learnt {
    tac_frame first, frame[4]; /* shift and zoom, basis, sketch, an enormous zoom */
    double shift[C], basis[C * D], sign[C];
    int32_t bucket[C];
} learnt;
static const char *const frame_name[4] = {"zoom", "basis", "sketch", "enormous zoom"};

static void learn(bool ball, learnt *l)
{
    double lower[C], upper[C], center[C] = {0.1, -0.2};
    const tac_domain domain = {.kind = ball ? TAC_DOMAIN_BALL : TAC_DOMAIN_BOX,
                               .lower = lower,
                               .upper = upper,
                               .center = center,
                               .radius = 2};

    for (int j = 0; j < C; j++) {
        lower[j] = -1 - j, upper[j] = 2;
        l->shift[j] = 4000 * (uniform() - 0.5);
        l->bucket[j] = (j * 7) % D;
        l->sign[j] = j % 2 ? -1 : 1;
    }
    make_basis(l->basis);
    MUST(tac_frame_from_domain(ctx, &domain, C, TACIT_SCALE_RANGE, &l->first) == TACIT_OK);
    MUST(tac_frame_zoom(ctx, &l->first, l->shift, 2.5, C, NULL, NULL, NULL, &l->frame[0]) ==
         TACIT_OK);
    MUST(tac_frame_zoom(ctx, &l->first, l->shift, 1.25, D, l->basis, NULL, NULL, &l->frame[1]) ==
         TACIT_OK);
    MUST(tac_frame_zoom(ctx, &l->first, l->shift, 0.7, D, NULL, l->bucket, l->sign, &l->frame[2]) ==
         TACIT_OK);
    MUST(tac_frame_zoom(ctx, &l->first, l->shift, 1e305, C, NULL, NULL, NULL, &l->frame[3]) ==
         TACIT_OK);
}

static void forget(learnt *l)
{
    tac_frame_clear(&l->first);
    for (int f = 0; f < 4; f++) tac_frame_clear(&l->frame[f]);
}

static void test_frames(bool ball)
{
    static const double nasty[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 0, -0.0, 2, -1, 1e-300};
    learnt l;
    const char *domain = ball ? "ball" : "box";

    learn(ball, &l);
    for (int f = 0; f < 4; f++) {
        const tac_frame *frame = &l.frame[f];
        int outside = 0, far = 0, twice = 0;
        for (int t = 0; t < 3000; t++) {
            double row[C], first[C], low[C], scratch[2 * C];
            int16_t point[C] = {0}, again[C] = {0};
            double norm = 0, squares = 0;
            for (int j = 0; j < C; j++)
                row[j] = t % 3 == 0 && uniform() < 0.4 ? nasty[(int)(uniform() * 10)]
                                                       : 5 * uniform() - 2.5;
            tac_frame_apply(frame, row, scratch, point);
            memset(scratch, 0x7f, sizeof scratch);
            tac_frame_apply(frame, row, scratch, again);
            twice += memcmp(point, again, sizeof point) != 0;
            /* The map in other words: as the first frame has it, then lower, then the ball. */
            tac_frame_to_lattice(&l.first, row, first);
            tac_frame_lower(frame, first, low);
            for (int j = 0; j < frame->dims; j++)
                squares += low[j] * low[j], norm += (double)point[j] * point[j];
            outside += norm > (double)TAC_M * TAC_M;
            const double pull = fmin(1, TAC_M / sqrt(squares));
            for (int j = 0; j < frame->dims && f < 3; j++)
                far += !(fabs(low[j] * pull - point[j]) <= 1.6);
        }
        CHECK(outside == 0, "%s, %s: every point is in the ball", domain, frame_name[f]);
        CHECK(far == 0, "... and where the formula says (%d are not)", far);
        CHECK(twice == 0, "... and a function of its row");
    }
    double z[C], first[C], back[C], worst[3] = {0};
    for (int t = 0; t < 500; t++)
        for (int f = 0; f < 2; f++) {
            for (int j = 0; j < l.frame[f].dims; j++) z[j] = 20000 * (uniform() - 0.5);
            tac_frame_lift(&l.frame[f], z, first);
            tac_frame_lower(&l.frame[f], first, back);
            for (int j = 0; j < l.frame[f].dims; j++)
                worst[f] = fmax(worst[f], fabs(back[j] - z[j]));
        }
    CHECK(worst[0] < 1e-9 && worst[1] < 1e-9,
          "lifted and lowered again, a point is itself (off by %.1e, %.1e)", worst[0], worst[1]);
    /* lowering and lifting back is the projection onto the span: twice is once */
    for (int t = 0; t < 500; t++) {
        double once[C], twice[C];
        for (int j = 0; j < C; j++) first[j] = 20000 * (uniform() - 0.5);
        tac_frame_lower(&l.frame[1], first, z);
        tac_frame_lift(&l.frame[1], z, once);
        tac_frame_lower(&l.frame[1], once, z);
        tac_frame_lift(&l.frame[1], z, twice);
        for (int j = 0; j < C; j++) worst[2] = fmax(worst[2], fabs(once[j] - twice[j]));
    }
    CHECK(worst[2] < 1e-8, "and onto the span of a basis it is a projection (off by %.1e)",
          worst[2]);
    /* <P z, y> = <z, P^T y> for the sketch: lift is its transpose. */
    double there = 0, other = 0, y[D], flat[C] = {0};
    tac_frame sketch;
    MUST(tac_frame_zoom(ctx, &l.first, flat, 1, D, NULL, l.bucket, l.sign, &sketch) == TACIT_OK);
    for (int j = 0; j < C; j++) first[j] = uniform();
    for (int j = 0; j < D; j++) y[j] = uniform();
    tac_frame_lower(&sketch, first, z);
    tac_frame_lift(&sketch, y, back);
    for (int j = 0; j < D; j++) there += z[j] * y[j];
    for (int j = 0; j < C; j++) other += first[j] * back[j];
    CHECK(fabs(there - other) < 1e-12, "a sketch is lifted by its transpose");
    tac_frame_clear(&sketch);
    forget(&l);
}

/* Many rows at once: the same points on every path as one by one. */
static void test_many(bool ball)
{
    enum { N = 1003 };
    static const double nasty[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 0, -0.0, 2, -1, 1e-300};
    static const char *const path[] = {"portable", "avx2", "avx512vnni"};
    static double rows[N * C];
    static int16_t many[N * (C + 1)];
    double scratch[8 * 2 * C];
    learnt l;
    int different = 0, seen = 0;

    learn(ball, &l);
    for (int i = 0; i < N * C; i++)
        rows[i] = uniform() < 0.1 ? nasty[(int)(uniform() * 10)] : 5 * uniform() - 2.5;
    for (int p = 0; p < 3; p++) {
        if (!tac_cpu_use(path[p])) continue; /* not on this machine */
        for (int f = -1; f < 4; f++, seen++) {
            const tac_frame *frame = f < 0 ? &l.first : &l.frame[f];
            const int32_t stride = frame->dims + (frame->dims & 1);
            MUST(tac_frame_rows_scratch(frame) <= sizeof scratch / sizeof *scratch);
            memset(many, 0x55, sizeof many);
            tac_frame_apply_rows(frame, rows, N, scratch, many, stride);
            for (int i = 0; i < N; i++) {
                int16_t one[C + 1] = {0};
                tac_frame_apply(frame, rows + i * C, scratch, one);
                different += memcmp(one, many + i * stride, (size_t)stride * sizeof *one) != 0;
            }
        }
    }
    tac_cpu_use("auto");
    CHECK(different == 0 && seen > 0,
          "%s: rows placed together are the rows placed one by one, bit for bit (%d differ)",
          ball ? "ball" : "box", different);
    forget(&l);
}

static void test_refused_frames(void)
{
    learnt l;
    tac_frame out;
    const double not_finite[C * D] = {[3] = NAN}, infinite[C] = {[1] = INFINITY};
    const int32_t beyond[C] = {[2] = D}, before[C] = {[2] = -1};

    learn(false, &l);
#define REFUSED(...)                                                                               \
    (tac_frame_zoom(ctx, &l.first, __VA_ARGS__, &out) != TACIT_OK && out.scale == NULL)
    CHECK(REFUSED(NULL, 1, C, NULL, NULL, NULL) && REFUSED(infinite, 1, C, NULL, NULL, NULL),
          "a frame without a middle is refused");
    CHECK(REFUSED(l.shift, 0, C, NULL, NULL, NULL) && REFUSED(l.shift, -1, C, NULL, NULL, NULL) &&
              REFUSED(l.shift, NAN, C, NULL, NULL, NULL) &&
              REFUSED(l.shift, INFINITY, C, NULL, NULL, NULL),
          "and without a zoom");
    CHECK(REFUSED(l.shift, 1, D, NULL, NULL, NULL) && REFUSED(l.shift, 1, 0, l.basis, NULL, NULL),
          "and with the wrong dimensions");
    CHECK(REFUSED(l.shift, 1, D, not_finite, NULL, NULL), "and with a basis that is not finite");
    CHECK(REFUSED(l.shift, 1, D, NULL, beyond, l.sign) &&
              REFUSED(l.shift, 1, D, NULL, before, l.sign) &&
              REFUSED(l.shift, 1, D, NULL, l.bucket, NULL) &&
              REFUSED(l.shift, 1, D, l.basis, l.bucket, l.sign),
          "and with a sketch that is none");
    forget(&l);
}

/* ---- a run ---- */

static size_t most_mapped;

static void watch(const char *step, double done, void *payload)
{
    (void)payload, (void)step, (void)done;
    const struct mallinfo2 now = mallinfo2();
    const size_t all = now.hblkhd + now.uordblks;
    if (all > most_mapped) most_mapped = all;
}

/* Rows in memory have no unit column: give them owners by hand. */
static void open_run(double *rows, int64_t n, int32_t columns, int64_t *owner, int32_t most,
                     tacit_data **data, tac_run *run)
{
    tacit_budget budget;

    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, n, columns, data) == TACIT_OK &&
         tac_data_load(ctx, *data, NULL) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, *data, "0:1") == TACIT_OK);
    tacit_budget_init(&budget, sizeof budget);
    budget.epsilon = 900;
    budget.delta = 1e-6;
    budget.use_insecure_test_seed = 1;
    if (owner != NULL) {
        (*data)->told_unit = owner;
        (*data)->selection.unit = 0;
        (*data)->has_units = true;
        budget.max_rows_per_unit = most;
    }
    MUST(tac_run_open(ctx, *data, &budget, TACIT_SCALE_RANGE, TAC_MIDDLE, 0, "test", run) ==
         TACIT_OK);
}

static void identity_frame(const tac_run *run, double zoom, tac_frame *out)
{
    double shift[3] = {0};
    MUST(tac_frame_zoom(ctx, &run->frame, shift, zoom, run->frame.columns, NULL, NULL, NULL, out) ==
         TACIT_OK);
}

/* Persons with more rows than count: whatever is looked at, it is the same rows, row beside row. */
static void test_persons(void)
{
    enum { N = 90, PERSONS = 10, MOST = 2 };
    static double rows[N];
    static int64_t owner[N];
    tacit_data *data = NULL;
    tac_frame frame;
    tac_run run;
    bool same = true;

    for (int i = 0; i < N; i++) rows[i] = 0.01 * i, owner[i] = i % PERSONS;
    open_run(rows, N, 1, owner, MOST, &data, &run);
    static int16_t before[N];
    MUST(run.lattice[TAC_ROWS].rows == PERSONS * MOST);
    for (int i = 0; i < PERSONS * MOST; i++) before[i] = run.lattice[TAC_ROWS].points[2 * i];
    for (int look = 0; look < 3; look++) {
        const tac_view view = look == 1 ? TAC_ROWS : TAC_PROJECTED;
        identity_frame(&run, look == 2 ? 0.5 : 1, &frame);
        const uint64_t spent = run.accountant.spent;
        same = same && tac_run_set_frame(&run, view, &frame) == TACIT_OK && frame.scale == NULL &&
               run.accountant.spent == spent && run.lattice[view].rows == PERSONS * MOST &&
               tac_door_dims(run.door, view) == 1;
        for (int i = 0; i < PERSONS * MOST && same; i++)
            same =
                abs(run.lattice[view].points[2 * i] - (look == 2 ? before[i] / 2 : before[i])) <= 1;
    }
    CHECK(same, "every look holds the rows that count, in their order");
    int64_t count, sums[2], counts[2];
    const tac_fork half = {.axis = 0, .at = 0, .below = -1, .above = -2};
    const tac_cells cells = {
        .kind = TAC_FORKS, .view = TAC_PROJECTED, .count = 2, .fork = &half, .forks = 1};
    MUST(tac_door_count(run.door, "count", tac_door_left(run.door) / 3, &count) == TACIT_OK);
    MUST(tac_door_sums(run.door, "mixed", tac_door_left(run.door) / 2, &cells, TAC_ROWS, TAC_M,
                       sums, counts) == TACIT_OK);
    double below = 0, above = 0;
    int under = 0;
    for (int i = 0; i < PERSONS * MOST; i++)
        *(before[i] < 0 ? &below : &above) += before[i], under += before[i] < 0;
    const double sd = (double)tac_door_receipt(run.door, 1)->scale;
    CHECK(lround(ldexp((double)count, -TAC_COUNT_GRID)) == PERSONS * MOST &&
              fabs((double)counts[0] / TAC_M - under) < 1 &&
              fabs((double)sums[0] - below) < 6 * sd + N &&
              fabs((double)sums[1] - above) < 6 * sd + N,
          "cells from the projection, values from the rows, of the same persons");
    CHECK(tac_run_close(&run, TACIT_OK) == TACIT_OK, "and the run ends as it should");
    tacit_data_free(data);
}

/* A lattice is let go before the next one of its view is made. */
static void test_memory(void)
{
    enum { N = 2000000, COLUMNS = 2 };
    const size_t lattice = (size_t)N * COLUMNS * sizeof(int16_t);
    double *rows = malloc((size_t)N * COLUMNS * sizeof *rows);
    tacit_data *data = NULL;
    tac_frame frame;
    tac_run run;

    MUST(rows != NULL);
    for (int64_t i = 0; i < (int64_t)N * COLUMNS; i++) rows[i] = uniform();
    const struct mallinfo2 start = mallinfo2();
    const size_t floor_bytes = start.hblkhd + start.uordblks;
    tacit_ctx_set_progress(ctx, watch, NULL);
    most_mapped = 0;
    open_run(rows, N, COLUMNS, NULL, 0, &data, &run);
    for (int look = 0; look < 3; look++) {
        identity_frame(&run, 1 + look, &frame);
        MUST(tac_run_set_frame(&run, TAC_ROWS, &frame) == TACIT_OK);
    }
    CHECK(most_mapped - floor_bytes < lattice * 13 / 10 + (4 << 20),
          "looking again takes no second lattice (%.2f of one)",
          (double)(most_mapped - floor_bytes) / (double)lattice);
    most_mapped = 0;
    for (int look = 0; look < 2; look++) {
        identity_frame(&run, 1 + look, &frame);
        MUST(tac_run_set_frame(&run, TAC_PROJECTED, &frame) == TACIT_OK);
    }
    CHECK(most_mapped - floor_bytes < 2 * lattice * 13 / 10 + (4 << 20),
          "and with a projection two views take two (%.2f)",
          (double)(most_mapped - floor_bytes) / (double)lattice);
    MUST(tac_run_close(&run, TACIT_OK) == TACIT_OK);
    tacit_ctx_set_progress(ctx, NULL, NULL);
    tacit_data_free(data);
    free(rows);
}

/* Rows that can no longer be read: the view is empty, queries are refused, nothing is charged. */
static tacit_status broken(const tac_reader *self, int64_t first, int64_t n, double *out)
{
    (void)self, (void)first, (void)n, (void)out;
    return TACIT_E_READ;
}

static void test_broken(void)
{
    double rows[4] = {0.1, 0.2, 0.3, 0.4};
    tacit_data *data = NULL;
    tac_frame frame;
    tac_run run;
    int64_t answer = 7;

    for (int view = 0; view < TAC_VIEWS; view++) {
        const tac_cells cells = {.kind = TAC_ONE_CELL, .count = 1, .view = (tac_view)view};
        open_run(rows, 4, 1, NULL, 0, &data, &run);
        identity_frame(&run, 1, &frame);
        __typeof__(data->reader->read) whole = data->reader->read;
        data->reader->read = broken;
        CHECK(tac_run_set_frame(&run, (tac_view)view, &frame) == TACIT_E_READ &&
                  frame.scale == NULL,
              "a look that fails says so");
        CHECK(tac_door_histogram(run.door, "test", 1 << 30, &cells, &answer) != TACIT_OK &&
                  run.accountant.spent == 0 && answer == 7,
              "... and nothing can be asked of that view");
        data->reader->read = whole;
        CHECK(tac_run_close(&run, TACIT_E_READ) == TACIT_E_READ, "... and the run ends");
        tacit_data_free(data);
    }
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    test_frames(false);
    test_frames(true);
    test_many(false);
    test_many(true);
    test_refused_frames();
    test_persons();
    test_memory();
    test_broken();
    tacit_ctx_free(ctx);
    return tap_done();
}
