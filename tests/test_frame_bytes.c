/* SPDX-License-Identifier: Apache-2.0 */
/* Frames as bytes: what is read places every row as what was written, and bytes that are no frame
   are refused. Logarithms that are the same on every host. */
#include "data/lattice/frame.h"
#include "dice.h"
#include "tap.h"

#include <math.h>

enum { COLUMNS = 6, DIMS = 3, SKETCH = 4, KINDS = 11 };

static tacit_ctx *ctx;
static const char *const names[KINDS] = {"a box",
                                         "a box by columns",
                                         "a ball",
                                         "a constant",
                                         "sparse rows",
                                         "zoom",
                                         "a basis behind a constant",
                                         "a sketch",
                                         "a basis behind a sketch",
                                         "counts in groups",
                                         "bins"};

static double some[64]; /* numbers in [-1, 1) */

static void roll(void)
{
    for (int i = 0; i < 64; i++) some[i] = 2 * uniform() - 1;
}

static tac_frame later(int kind, const tac_frame *first)
{
    static const int32_t bucket[COLUMNS] = {0, 3, 1, 1, 2, 0};
    static const double sign[COLUMNS] = {1, -1, 1, -1, 1, 1};
    const tac_sketch sketch = {.size = SKETCH, .bucket = bucket, .sign = sign};
    tac_frame f = {0};

    if (kind == 5)
        MUST(tac_frame_zoom(ctx, first, some, 3, COLUMNS, NULL, NULL, NULL, &f) == TACIT_OK);
    if (kind == 6)
        MUST(tac_frame_zoom(ctx, first, some, 1.5, DIMS, some + 8, NULL, NULL, &f) == TACIT_OK);
    if (kind == 7)
        MUST(tac_frame_sketch(ctx, first, &sketch, some, NULL, 2, NULL, 0, &f) == TACIT_OK);
    if (kind == 8)
        MUST(tac_frame_sketch(ctx, first, &sketch, some, some + 6, 2, some + 10, DIMS, &f) ==
             TACIT_OK);
    return f;
}

static tac_frame make(int kind)
{
    double lower[COLUMNS], upper[COLUMNS], center[COLUMNS];
    tac_domain domain = {.kind = kind == 2 ? TAC_DOMAIN_BALL : TAC_DOMAIN_BOX,
                         .lower = lower,
                         .upper = upper,
                         .center = center,
                         .radius = 2};
    static const uint32_t weight[COLUMNS] = {65536, 0, 300, 65536, 1, 9000};
    static const int32_t group[COLUMNS] = {0, 0, 1, 2, 2, 1};
    const tac_weighing weighing = {
        .value = TAC_LOGARITHM, .weight = weight, .group = group, .dims = 3, .least = 40000};
    static const double edge[] = {-0.5, 0.25, 0.5};
    const tac_bins bins[] = {{.column = 4, .least = -INFINITY, .most = INFINITY},
                             {.column = 1, .least = -1, .most = 1, .edges = 3, .edge = edge}};
    tac_frame first = {0};

    roll();
    for (int j = 0; j < COLUMNS; j++) {
        lower[j] = -1 - uniform();
        upper[j] = 1 + uniform();
        center[j] = kind == 4 ? 0 : some[j];
    }
    if (kind == 9)
        MUST(tac_frame_weigh(ctx, COLUMNS, &weighing, &first) == TACIT_OK);
    else if (kind == 10)
        MUST(tac_frame_of_bins(ctx, COLUMNS, bins, 2, &first) == TACIT_OK);
    else if (kind == 4)
        MUST(tac_frame_for_sparse(ctx, &domain, COLUMNS, TACIT_SCALE_NONE, 2, &first) == TACIT_OK);
    else
        MUST(tac_frame_from_domain(ctx, &domain, COLUMNS,
                                   kind == 1 ? TACIT_SCALE_RANGE : TACIT_SCALE_NONE,
                                   &first) == TACIT_OK);
    if (kind == 3 || kind == 6) tac_frame_add_constant(&first);
    if (kind < 5 || kind > 8) return first;
    tac_frame f = later(kind, &first);
    tac_frame_clear(&first);
    return f;
}

/* Do two frames place random rows alike, and in the ball? */
static bool alike(const tac_frame *a, const tac_frame *b)
{
    double row[COLUMNS], scratch[256];
    int16_t x[64], y[64];
    bool same = a->columns == b->columns && a->dims == b->dims && a->sparsity == b->sparsity &&
                tac_frame_entry_reach(a) == tac_frame_entry_reach(b) &&
                tac_frame_dense(a) == tac_frame_dense(b) && a->moved == b->moved;

    for (int i = 0; same && i < 200; i++) {
        int64_t squares = 0;
        for (int j = 0; j < COLUMNS; j++)
            row[j] = a->counts != NULL ? (double)(next() % 9)
                     : i % 50 == j     ? (double)NAN
                                       : (4 * uniform() - 2) * (i % 10 == 3 ? 1e200 : 1);
        tac_frame_apply(a, row, scratch, x);
        tac_frame_apply(b, row, scratch, y);
        same = memcmp(x, y, sizeof *x * (size_t)a->dims) == 0;
        for (int j = 0; j < a->dims; j++) squares += (int64_t)x[j] * x[j];
        same = same && squares <= (int64_t)TAC_M * TAC_M;
    }
    return same;
}

static void test_kind(int kind)
{
    tac_frame f = make(kind), back;
    uint8_t *bytes = NULL, *again = NULL;
    size_t count = 0, more = 0;
    int refused = 0, tried = 0;

    MUST(tac_frame_write(ctx, &f, &bytes, &count) == TACIT_OK);
    MUST(tac_frame_read(ctx, bytes, count, &back) == TACIT_OK);
    MUST(tac_frame_write(ctx, &back, &again, &more) == TACIT_OK);
    CHECK(alike(&f, &back) && count == more && memcmp(bytes, again, count) == 0,
          "%s: the same points and the same bytes", names[kind]);
    tac_frame_clear(&back);
    for (size_t cut = 0; cut < count; cut++, tried++)
        refused += tac_frame_read(ctx, bytes, cut, &back) == TACIT_E_FORMAT && back.columns == 0;
    CHECK(refused == tried, "... refused when anything is missing (%d of %d)", refused, tried);
    int good = 0;
    const int changes = (int)tap_times(2000);
    for (int i = 0; i < changes; i++) {
        memcpy(again, bytes, count);
        for (int n = 0; n <= i % 3; n++) again[next() % count] ^= (uint8_t)(1 << next() % 8);
        const tacit_status status = tac_frame_read(ctx, again, count, &back);
        const bool small = back.columns == COLUMNS && back.dims <= 60 && back.sketch <= 60;
        good += status == TACIT_E_FORMAT || (status == TACIT_OK && (!small || alike(&back, &back)));
        tac_frame_clear(&back);
    }
    CHECK(good == changes, "... changed bytes are refused, or place rows in the ball (%d of %d)",
          good, changes);
    tac_frame_clear(&f);
    tac_free(bytes), tac_free(again);
}

static void test_logarithms(void)
{
    double far = 0;
    bool steps = true, exact = true;

    for (int i = 0; i < 200000; i++) {
        const double x = exp((uniform() - 0.5) * (i % 2 == 0 ? 1 : 1400)),
                     y = i % 3 ? x : -x / (1 + x);
        const long double real[3] = {logl((long double)x), log2l((long double)x),
                                     log1pl((long double)y)};
        const double got[3] = {tac_log(x), tac_log2(x), tac_log1p(y)};
        for (int n = 0; n < 3; n++) {
            if (real[n] == 0) continue;
            const double unit = ldexp(1, ilogb((double)real[n]) - 52);
            far = fmax(far, (double)fabsl(((long double)got[n] - real[n]) / (long double)unit));
        }
    }
    for (int a = 1; a < 200000; a++)
        steps = steps && tac_log2(a + 1) > tac_log2(a) && tac_log2(a + 1) - tac_log2(a) <= 1;
    for (int e = -1074; e < 1024; e++) exact = exact && tac_log2(ldexp(1, e)) == e;
    CHECK(far < 2, "logarithms are within 2 units of the last place (%.2f)", far);
    CHECK(steps && exact && tac_log(1) == 0 && tac_log1p(0) == 0, "they rise, by at most 1 from "
                                                                  "count to count, and powers of 2 "
                                                                  "are exact");
    CHECK(isnan(tac_log(-1)) && isnan(tac_log((double)NAN)) && isinf(tac_log(0)) &&
              isinf(tac_log2((double)INFINITY)) && isinf(tac_log1p(-1)),
          "... with the ends that logarithms have");
}

int main(void)
{
    state = 5;
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    for (int kind = 0; kind < KINDS; kind++) test_kind(kind);
    test_logarithms();
    tacit_ctx_free(ctx);
    return tap_done();
}
