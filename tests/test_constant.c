/* SPDX-License-Identifier: Apache-2.0 */
/* Frames with a constant coordinate, for affine subspaces: it is the same for all rows, the others
   are those of the plain frame divided by sqrt 2, learnt frames see all of them, and a run can look
   again. */
#include "core/cpu.h"
#include "dice.h"
#include "privacy/run.h"
#include "tap.h"
#include "narrow.h"

#include <math.h>

static tacit_ctx *ctx;
static uint64_t state = 99;

enum { C = 7, D = 3, FRAMES = 3, ROWS = 203, CONSTANT = 23169 };
static const char *const frame_name[FRAMES] = {"first", "zoom", "basis"};

static void fill_row(int how, double *row)
{
    static const double nasty[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 0, -0.0, 2, -1, 1e-300};
    for (int j = 0; j < C; j++)
        row[j] = how == 0 && uniform() < 0.4 ? nasty[(int)(uniform() * 10)]
                 : how == 1                  ? 1e300
                                             : 6 * uniform() - 3;
}

static void learn(bool ball, tac_frame *plain, tac_frame *frame)
{
    double lower[C], upper[C], center[C] = {0.1, -0.2}, shift[C + 1], basis[(C + 1) * D] = {0};
    const tac_domain domain = {.kind = ball ? TAC_DOMAIN_BALL : TAC_DOMAIN_BOX,
                               .lower = lower,
                               .upper = upper,
                               .center = center,
                               .radius = 2};

    for (int j = 0; j < C; j++) lower[j] = -1 - j, upper[j] = 2;
    for (int j = 0; j <= C; j++) shift[j] = 3000 * (uniform() - 0.5);
    for (int i = 0; i < D; i++) { /* orthonormal, and the constant takes part */
        basis[(2 * i) * D + i] = 0.6;
        basis[(i == 0 ? C : 2 * i + 1) * D + i] = 0.8;
    }
    MUST(tac_frame_from_domain(ctx, &domain, C, TACIT_SCALE_RANGE, plain) == TACIT_OK);
    MUST(tac_frame_from_domain(ctx, &domain, C, TACIT_SCALE_RANGE, &frame[0]) == TACIT_OK);
    tac_frame_add_constant(&frame[0]);
    MUST(tac_frame_zoom(ctx, &frame[0], shift, 1.3, C + 1, NULL, NULL, NULL, &frame[1]) ==
         TACIT_OK);
    MUST(tac_frame_zoom(ctx, &frame[0], shift, 1.2, D, basis, NULL, NULL, &frame[2]) == TACIT_OK);
}

/* Points of rows of all kinds, by the formula, and the way back. */
static void test_points(const char *domain, const tac_frame *plain, const tac_frame *frame)
{
    int other = 0, far = 0, off[FRAMES] = {0}, back = 0;

    CHECK(frame[0].dims == C + 1 && tac_frame_first(&frame[0]) == C + 1 &&
              frame[0].constant == CONSTANT && frame[1].dims == C + 1 && frame[2].dims == D,
          "%s: one more coordinate, and a basis of it", domain);
    for (int t = 0; t < 3000; t++) {
        double row[C], real[C], lattice[C + 1], low[C + 1], raw[C], scratch[3 * C + 3];
        int16_t point[C + 2], was[C];
        fill_row(t % 4, row);
        tac_frame_apply(plain, row, NULL, was);
        tac_frame_to_lattice(plain, row, real);
        tac_frame_to_lattice(&frame[0], row, lattice);
        tac_frame_apply(&frame[0], row, NULL, point);
        /* the clip may take one from a row at the very edge */
        other += abs(point[C] - CONSTANT) > 1 || lattice[C] != CONSTANT;
        for (int j = 0; j < C; j++)
            far += fabs(point[j] - real[j] / sqrt(2)) > 1.6 ||
                   fabs(lattice[j] - real[j] / sqrt(2)) > 1e-6;
        for (int f = 0; f < FRAMES; f++) {
            double squares = 0, norm = 0;
            tac_frame_apply(&frame[f], row, scratch, point);
            tac_frame_lower(&frame[f], lattice, low);
            for (int j = 0; j < frame[f].dims; j++)
                squares += low[j] * low[j], norm += (double)point[j] * point[j];
            const double pull = fmin(1, TAC_M / sqrt(squares));
            for (int j = 0; j < frame[f].dims; j++)
                off[f] += fabs(low[j] * pull - point[j]) > 1.6 || norm > (double)TAC_M * TAC_M;
        }
        double again[C + 1];
        tac_frame_lower(&frame[1], lattice, low);
        tac_frame_lift(&frame[1], low, again);
        for (int j = 0; j <= C; j++) back += fabs(again[j] - lattice[j]) > 1e-8;
        tac_frame_from_lattice(&frame[0], lattice, raw); /* rows inside the domain come back */
        for (int j = 0; j < C && tac_frame_inside(plain, row); j++)
            back += !isnan(row[j]) && fabs(raw[j] - row[j]) > 1e-9;
    }
    CHECK(other == 0, "%s: the same for all rows (%d differ)", domain, other);
    CHECK(far == 0, "... the others are those of the plain frame divided by sqrt 2 (%d are not)",
          far);
    for (int f = 0; f < FRAMES; f++)
        CHECK(off[f] == 0, "... %s: points are in the ball, where the formula says (%d are not)",
              frame_name[f], off[f]);
    CHECK(back == 0, "... and the way back leads back (%d numbers do not)", back);
}

/* Many rows at once give the bits of one by one. */
static void test_paths(const tac_frame *frame)
{
    static const char *const paths[] = {"portable", "avx2", "avx512vnni"};
    int different = 0;

    for (int p = 0; p < 3; p++) {
        static double rows[ROWS * C], scratch[4096];
        static int16_t points[ROWS * (C + 1)];
        if (!tac_cpu_use(paths[p])) continue; /* not on this machine */
        for (int i = 0; i < ROWS; i++) fill_row(i % 4, rows + i * C);
        for (int f = 0; f < FRAMES; f++) {
            const int32_t stride = frame[f].dims + (frame[f].dims & 1);
            MUST(tac_frame_rows_scratch(&frame[f]) <= 4096);
            memset(points, 0x55, sizeof points);
            tac_frame_apply_rows(&frame[f], rows, ROWS, scratch, points, stride);
            for (int i = 0; i < ROWS; i++) {
                int16_t one[C + 1];
                double room[3 * C + 3];
                tac_frame_apply(&frame[f], rows + i * C, room, one);
                different +=
                    memcmp(one, points + i * stride, (size_t)frame[f].dims * sizeof *one) != 0;
                different += stride > frame[f].dims && points[i * stride + frame[f].dims] != 0;
            }
        }
    }
    tac_cpu_use("auto");
    CHECK(different == 0, "... many rows are as one by one, on every path (%d differ)", different);
}

static void test_no_sketch(const tac_frame *frame)
{
    const int32_t bucket[C + 1] = {0};
    const double sign[C + 1] = {1, 1, 1, 1, 1, 1, 1, 1}, shift[C + 1] = {0};
    tac_frame none;
    CHECK(tac_frame_zoom(ctx, &frame[0], shift, 1, D, NULL, bucket, sign, &none) ==
              TACIT_E_INTERNAL,
          "no sketch goes with it");
    CHECK(tac_frame_sketch(ctx, &frame[0], &(tac_sketch){D, bucket, sign}, NULL, NULL, 1, NULL, 0,
                           &none) == TACIT_E_INTERNAL,
          "... of either kind");
    CHECK(tac_frame_zoom(ctx, &frame[0], shift, 1, C, NULL, NULL, NULL, &none) == TACIT_E_INTERNAL,
          "nor a zoom that forgets it");
}

static void test_frames(bool ball)
{
    tac_frame plain, frame[FRAMES];

    learn(ball, &plain, frame);
    test_points(ball ? "ball" : "box", &plain, frame);
    test_paths(frame);
    test_no_sketch(frame);
    tac_frame_clear(&plain);
    for (int f = 0; f < FRAMES; f++) tac_frame_clear(&frame[f]);
}

/* Rows near a line that does not pass through the middle: linear in the lattice with the
   constant. */
static void test_run(void)
{
    enum { N = 500 };
    static double rows[N * 2];
    double shift[3] = {0}, basis[3 * 2] = {0.6, 0, 0.8, 0, 0, 1};
    const tac_cells all = {.kind = TAC_ONE_CELL, .count = 1};
    tacit_data *data = NULL;
    tacit_budget budget;
    tac_frame frame;
    tac_run run;
    int64_t answer[6];

    for (int i = 0; i < N; i++) {
        const double t = 4 * uniform() - 2;
        rows[2 * i] = t, rows[2 * i + 1] = 1 + 0.5 * t;
    }
    rows[7] = NAN; /* the middle */
    tacit_data_opts how = TACIT_DATA_OPTS_INIT;
    how.missing = TACIT_MISSING_MIDPOINT;
    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, N, 2, &data) == TACIT_OK &&
         tacit_data_set_features(ctx, data, &how) == TACIT_OK &&
         tacit_data_declare_bounds(ctx, data, "-2:2") == TACIT_OK);
    tacit_budget_init(&budget, sizeof budget);
    budget.epsilon = 1000;
    budget.delta = 1e-6;
    budget.use_insecure_test_seed = 1;
    MUST(tac_run_open(ctx, data, &budget, TACIT_SCALE_RANGE, TAC_CONSTANT, 0, "test", &run) ==
         TACIT_OK);
    CHECK(tac_door_dims(run.door, TAC_ROWS) == 3 && run.frame.dims == 3, "a run with a constant "
                                                                         "sees one more "
                                                                         "coordinate");
    const uint64_t share = tac_door_left(run.door) / 4;
    MUST(narrow_moments(run.door, "test", share, &all, TAC_ROWS, answer) == TACIT_OK);
    const double want = (double)N * TAC_MOMENT_SAME * CONSTANT * CONSTANT, got = (double)answer[5];
    CHECK(fabs(got / want - 1) < 1e-3,
          "... the sum of its squares is the number of rows (off by %.1e)", fabs(got / want - 1));
    MUST(tac_frame_zoom(ctx, &run.frame, shift, 1, 2, basis, NULL, NULL, &frame) == TACIT_OK);
    MUST(tac_run_set_frame(&run, TAC_PROJECTED, &frame) == TACIT_OK);
    MUST(narrow_moments(run.door, "test", share, &all, TAC_PROJECTED, answer) == TACIT_OK);
    CHECK(tac_door_dims(run.door, TAC_PROJECTED) == 2 && fabs((double)answer[2] / want - 1) < 1e-3,
          "... in a projection behind a basis too");
    MUST(tac_frame_zoom(ctx, &run.frame, shift, 0.5, 3, NULL, NULL, NULL, &frame) == TACIT_OK);
    MUST(tac_run_set_frame(&run, TAC_ROWS, &frame) == TACIT_OK);
    MUST(narrow_moments(run.door, "test", share, &all, TAC_ROWS, answer) == TACIT_OK);
    CHECK(fabs((double)answer[5] / want - 0.25) < 1e-3, "... and in the rows, looked at again at "
                                                        "half the size");
    MUST(tac_run_close(&run, TACIT_OK) == TACIT_OK);
    tacit_data_free(data);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    test_frames(false);
    test_frames(true);
    test_run();
    tacit_ctx_free(ctx);
    return tap_done();
}
