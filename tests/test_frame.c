/* SPDX-License-Identifier: Apache-2.0 */
/* Frames, the clip and the lattice: norms hold exactly, the same row is the same point wherever it
   stands. */
#include "core/cpu.h"
#include "data/lattice/lattice.h"
#include "dice.h"
#include "tap.h"

#include <float.h>
#include <math.h>

static tacit_ctx *ctx;
static uint64_t state = 88172645463325252u;

static uint64_t squares(const int16_t *x, int32_t dims)
{
    uint64_t s = 0;
    for (int32_t j = 0; j < dims; j++) s += (uint64_t)((int64_t)x[j] * x[j]);
    return s;
}

static void test_clip(void)
{
    static int16_t x[100001], before[100001];
    const uint64_t most = (uint64_t)TAC_M * TAC_M;
    bool inside = true, same = true, near = true;

    for (long t = 0; t < tap_times(20000); t++) {
        const int32_t dims = 1 + (int32_t)(next() % 64);
        const int mode = (int)(next() % 4);
        for (int32_t j = 0; j < dims; j++)
            x[j] = mode == 0   ? (int16_t)(next() % 65535 - 32767)
                   : mode == 1 ? (int16_t)(next() & 1 ? TAC_M : -TAC_M)
                   : mode == 2 ? (int16_t)((int64_t)(next() % 8192) - 4096)
                               : (int16_t)(j == 0 ? TAC_M : (int)(next() % 3) - 1);
        memcpy(before, x, sizeof(int16_t) * (size_t)dims);
        tac_clip(x, dims);
        inside = inside && squares(x, dims) <= most;
        if (squares(before, dims) <= most)
            same = same && memcmp(before, x, sizeof(int16_t) * (size_t)dims) == 0;
        else /* truncation loses less than one unit a coordinate: at most sqrt(d) + 1 of the norm */
            near = near && sqrt((double)squares(x, dims)) > TAC_M - sqrt(dims) - 1;
    }
    CHECK(inside, "after the clip every norm is at most M, exactly");
    CHECK(same, "points inside the ball are left alone");
    CHECK(near, "points outside come to rest near the surface");
    for (int32_t j = 0; j < 100001; j++) x[j] = j & 1 ? TAC_M : -TAC_M;
    tac_clip(x, 100001);
    CHECK(squares(x, 100001) <= most && x[0] == -103, "100,001 coordinates at the corner");
    x[0] = INT16_MIN;
    tac_clip(x, 1);
    CHECK(x[0] == -TAC_M + 1 || x[0] == -TAC_M, "the one 16-bit number below -M is brought in");
}

static void test_box(void)
{
    double lower[3] = {0, -1000, 5}, upper[3] = {120, 1000, 5.5};
    const tac_domain domain = {.kind = TAC_DOMAIN_BOX, .lower = lower, .upper = upper};
    tac_frame range, none;
    int16_t p[4], q[4];

    MUST(tac_frame_from_domain(ctx, &domain, 3, TACIT_SCALE_RANGE, &range) == TACIT_OK);
    MUST(tac_frame_from_domain(ctx, &domain, 3, TACIT_SCALE_NONE, &none) == TACIT_OK);
    tac_frame_apply(&range, (double[]){60, 0, 5.25}, NULL, p);
    CHECK(p[0] == 0 && p[1] == 0 && p[2] == 0, "the middle of the box is the origin");
    tac_frame_apply(&range, (double[]){120, 1000, 5.5}, NULL, p);
    CHECK(abs(p[0] - 18918) <= 1 && p[0] == p[1] && p[1] == p[2], "scaled by range, a corner has "
                                                                  "equal coordinates M / sqrt(3)");
    tac_frame_apply(&range, (double[]){1e300, 1e300, 1e300}, NULL, q);
    CHECK(memcmp(p, q, 3 * sizeof *p) == 0, "values beyond the bounds are moved to them");
    tac_frame_apply(&range, (double[]){NAN, INFINITY, -INFINITY}, NULL, q);
    CHECK(q[0] == 0 && q[1] == p[1] && q[2] == -p[2], "a missing value is the middle of its range");
    tac_frame_apply(&none, (double[]){120, 1000, 5.5}, NULL, q);
    CHECK(q[1] > 32000 && q[0] < 2100 && q[2] < 20, "unscaled, the widest column carries the "
                                                    "distance");

    double back[3], lattice[3];
    tac_frame_to_lattice(&range, (double[]){33, -250, 5.1}, lattice);
    tac_frame_from_lattice(&range, lattice, back);
    CHECK(fabs(back[0] - 33) < 1e-9 && fabs(back[1] + 250) < 1e-9 && fabs(back[2] - 5.1) < 1e-12,
          "there and back again");
    tac_frame_from_lattice(&range, (double[]){1e9, 0, 0}, back);
    CHECK(back[0] == 120, "what comes back lies in the domain");
    tac_frame_clear(&range);
    tac_frame_clear(&none);

    double huge_low[1] = {-DBL_MAX}, huge_high[1] = {DBL_MAX}, thin_low[1] = {0},
           thin_high[1] = {5e-324};
    const tac_domain huge = {.kind = TAC_DOMAIN_BOX, .lower = huge_low, .upper = huge_high};
    const tac_domain thin = {.kind = TAC_DOMAIN_BOX, .lower = thin_low, .upper = thin_high};
    tac_frame f = {0};
    const tacit_status wide = tac_frame_from_domain(ctx, &huge, 1, TACIT_SCALE_RANGE, &f);
    if (wide == TACIT_OK) {
        tac_frame_apply(&f, huge_high, NULL, p);
        CHECK(p[0] == TAC_M, "the whole range of double is a domain");
        tac_frame_clear(&f);
    } else {
        CHECK(wide == TACIT_E_DOMAIN, "a range too wide to compute with is refused");
    }
    CHECK(tac_frame_from_domain(ctx, &thin, 1, TACIT_SCALE_RANGE, &f) == TACIT_E_DOMAIN,
          "a range too thin is refused");
}

static void test_ball(void)
{
    double center[2] = {10, 20};
    const tac_domain domain = {.kind = TAC_DOMAIN_BALL, .center = center, .radius = 5};
    tac_frame f;
    int16_t p[2];

    MUST(tac_frame_from_domain(ctx, &domain, 2, TACIT_SCALE_RANGE, &f) == TACIT_OK);
    tac_frame_apply(&f, (double[]){15, 20}, NULL, p);
    CHECK(p[0] == TAC_M && p[1] == 0, "the surface of the ball is at M");
    tac_frame_apply(&f, (double[]){10 + 3e100, 20 + 4e100}, NULL, p);
    CHECK(abs(p[0] - 19660) <= 2 && abs(p[1] - 26213) <= 2, "an outlier keeps its direction");
    tac_frame_apply(&f, (double[]){DBL_MAX, -DBL_MAX}, NULL, p);
    CHECK(abs(p[0] - 23169) <= 2 && p[0] == -p[1], "so does the farthest one");
    CHECK(tac_frame_inside(&f, (double[]){12, 22}) && !tac_frame_inside(&f, (double[]){14, 24}),
          "inside and outside are told apart");
    tac_frame_clear(&f);
}

/* Is a lattice built over its spoiled points what it was, in the same place? */
static bool same_again(const tac_engine *engine, tacit_data *data, const tac_frame *frame,
                       const uint64_t *keep, tac_lattice *lattice)
{
    const size_t bytes = (size_t)lattice->rows * (size_t)lattice->stride * sizeof *lattice->points;
    const int16_t *place = lattice->points;
    int16_t *before = malloc(bytes);

    MUST(before != NULL);
    memcpy(before, lattice->points, bytes);
    memset(lattice->points, 0x55, bytes);
    MUST(tac_lattice_rebuild(ctx, engine, data, frame, keep, 0, data->reader->rows, lattice) ==
         TACIT_OK);
    const bool same = lattice->points == place && memcmp(before, lattice->points, bytes) == 0;
    free(before);
    return same;
}

/* Random rows in random order, blocks and threads: each row's point is the one it gets alone. */
static void test_lattice(void)
{
    enum { N = 2000, D = 7 };
    static double rows[N * D];
    double lower[D], upper[D];
    bool alone = true, padded = true, in_ball = true, again = true;

    for (int j = 0; j < D; j++) {
        lower[j] = -10 * uniform();
        upper[j] = 10 * uniform();
    }
    for (int i = 0; i < N * D; i++) rows[i] = 30 * uniform() - 15;
    for (int i = 0; i < N * D; i += 97) rows[i] = NAN;
    for (int turn = 0; turn < 6; turn++) {
        tacit_data *data = NULL;
        tac_engine engine;
        tac_frame frame;
        tac_lattice lattice;
        ctx->threads = 1 + turn;
        ctx->block_bytes = turn % 2 ? 1 << 18 : 100 * turn + 1;
        tac_engine_threads(ctx, &engine);
        MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, N, D, &data) == TACIT_OK);
        /* rows outside are pulled in, at the end of a block as anywhere */
        const bool ball = turn >= 3;
        MUST((ball ? tacit_data_set_ball(ctx, data, NULL, 12)
                   : tacit_data_set_bounds(ctx, data, lower, upper)) == TACIT_OK);
        MUST(tac_data_load(ctx, data, NULL) == TACIT_OK);
        MUST(tac_frame_from_domain(ctx, &data->domain, D, TACIT_SCALE_RANGE, &frame) == TACIT_OK);
        MUST(tac_lattice_build(ctx, &engine, data, &frame, NULL, &lattice) == TACIT_OK);
        MUST(lattice.rows == N && lattice.stride == D + 1);
        for (int i = 0; i < N; i++) {
            int16_t p[D];
            tac_frame_apply(&frame, rows + i * D, NULL, p);
            alone = alone && memcmp(p, lattice.points + i * lattice.stride, sizeof p) == 0;
            padded = padded && lattice.points[i * lattice.stride + D] == 0;
            in_ball = in_ball &&
                      squares(lattice.points + i * lattice.stride, D) <= (uint64_t)TAC_M * TAC_M;
        }
        uint64_t keep[(N + TAC_KEPT_WORD - 1) / TAC_KEPT_WORD] = {0};
        tac_lattice some;
        int64_t kept = 0;
        for (int i = 0; i < N; i++) {
            tac_keep(keep, i, i % 3 == turn % 3);
            kept += i % 3 == turn % 3;
        }
        MUST(tac_lattice_build(ctx, &engine, data, &frame, keep, &some) == TACIT_OK);
        alone = alone && some.rows == kept;
        for (int i = 0, at = 0; i < N; i++)
            if (tac_is_kept(keep, i))
                alone = alone && memcmp(some.points + at++ * some.stride,
                                        lattice.points + i * lattice.stride,
                                        sizeof(int16_t) * (size_t)some.stride) == 0;
        again = again && same_again(&engine, data, &frame, keep, &some) &&
                same_again(&engine, data, &frame, NULL, &lattice);
        /* more rows than before */
        MUST(tac_lattice_rebuild(ctx, &engine, data, &frame, NULL, 0, data->reader->rows, &some) ==
             TACIT_OK);
        again = again && some.rows == N &&
                memcmp(some.points, lattice.points, N * (D + 1) * sizeof *some.points) == 0;
        tac_lattice_clear(&some);
        tac_lattice_clear(&lattice);
        tac_frame_clear(&frame);
        tacit_data_free(data);
    }
    CHECK(again, "a lattice built in the place of another has the same points, in its memory if "
                 "that is as much");
    CHECK(alone, "a row's point depends on the row alone: box and ball, 1 to 6 threads, blocks of "
                 "any size, with and without dropped rows");
    CHECK(in_ball, "every row of a block lies in the ball, corners too, which rounding takes out "
                   "of it");
    CHECK(padded, "padding is zero");
}

/* A row of a kind that could break something: inside, outside, with missing values, and so that its
   image is within a hair of the sphere, or of where rows stop being well inside it. */
static void draw_row(const tac_frame *f, int32_t d, double *row)
{
    static const double norms[] = {TAC_M,     TAC_M * (1 - 1e-9), TAC_M * (1 + 1e-9),
                                   TAC_M - 1, TAC_M - 2.5,        TAC_M + 40};
    const int kind = (int)(uniform() * 8);
    double sum = 0;

    for (int32_t j = 0; j < d; j++) {
        row[j] = kind < 4 ? 0.5 + (uniform() - 0.5) * (kind == 0 ? 3 : 0.5) : uniform() - 0.5;
        if (kind == 1 && uniform() < 0.2) row[j] = NAN;
        if (kind == 2 && uniform() < 0.1) row[j] = uniform() < 0.5 ? 1e300 : -1e300;
        sum += row[j] * row[j];
    }
    if (kind < 4) return;
    const double norm = norms[(int)(uniform() * 6)] - (uniform() < 0.3 ? sqrt(d) / 2 : 0);
    for (int32_t j = 0; j < d; j++) {
        const double z = row[j] * norm / sqrt(sum),
                     first = f->shift == NULL ? z : z / f->zoom + f->shift[j];
        row[j] = first / f->scale[j] + f->center[j];
    }
}

/* Many rows at a time: on every path the bits that each row has alone. */
static void test_paths(void)
{
    static const char *const paths[] = {"portable", "avx2", "avx512vnni"};
    static const int32_t widths[] = {1,  2,  3,  4,  5,  7,  8,  9,  10, 11,  12, 13,
                                     15, 16, 17, 20, 24, 31, 32, 33, 40, 100, 257};
    enum { N = 61, MOST = 257 };
    static double rows[N * MOST], shift[MOST], lower[MOST], upper[MOST], center[MOST];
    static int16_t points[N * (MOST + 1) + 1], point[MOST + 1];
    int different = 0, inside = 0, moved = 0;

    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (int kind = 0; kind < 4; kind++) {
            const int32_t d = widths[w], stride = d + (d & 1);
            const tac_domain box = {.kind = TAC_DOMAIN_BOX, .lower = lower, .upper = upper};
            const tac_domain ball = {.kind = TAC_DOMAIN_BALL, .center = center, .radius = 0.7};
            tac_frame first, zoomed, *f = &first;
            double *scratch = NULL;
            for (int32_t j = 0; j < d; j++) {
                lower[j] = -0.2 * uniform();
                upper[j] = 1 + 0.2 * uniform();
                center[j] = 0.5 + 0.1 * uniform();
                shift[j] = 4000 * (uniform() - 0.5) / sqrt(d);
            }
            MUST(tac_frame_from_domain(ctx, kind % 2 ? &ball : &box, d, TACIT_SCALE_RANGE,
                                       &first) == TACIT_OK);
            if (kind >= 2) {
                MUST(tac_frame_zoom(ctx, &first, shift, 1.7, d, NULL, NULL, NULL, &zoomed) ==
                     TACIT_OK);
                f = &zoomed;
            }
            MUST(tac_new(ctx, tac_frame_rows_scratch(f), sizeof *scratch, &scratch) == TACIT_OK);
            for (int i = 0; i < N; i++) draw_row(f, d, rows + i * d);
            for (int p = 0; p < 3; p++) {
                if (!tac_cpu_use(paths[p])) continue; /* not on this machine */
                memset(points, 0x5a, sizeof points);
                tac_frame_apply_rows(f, rows, N, scratch, points, stride);
                different += points[N * stride] != 0x5a5a;
                for (int i = 0; i < N; i++) {
                    memset(point, 0, sizeof point);
                    tac_frame_apply(f, rows + i * d, scratch, point);
                    different +=
                        memcmp(point, points + i * stride, (size_t)stride * sizeof *point) != 0;
                    const double far = sqrt((double)squares(point, d));
                    inside += far < TAC_M - 40;
                    moved += far > TAC_M - 40;
                }
            }
            tac_free(scratch);
            tac_frame_clear(&first);
            if (kind >= 2) tac_frame_clear(&zoomed);
        }
    tac_cpu_use("auto");
    CHECK(different == 0 && inside > tap_times(5000) && moved > tap_times(5000),
          "many rows at a time have the bits of each alone, on every path: %d inside, %d at the "
          "sphere (%d differ)",
          inside, moved, different);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_clip();
    test_box();
    test_ball();
    test_lattice();
    test_paths();
    tacit_ctx_free(ctx);
    return tap_done();
}
