/* SPDX-License-Identifier: Apache-2.0 */
/* Plain subspace clustering: distances, matching, canonical bases, and every solver on unions of
   subspaces. */
#include "tap.h"

#include "solve/subspace/plain_kplane.h"
#include "solve/subspace/solvers_internal.h"
#include "subspace_sets.h"

static tacit_ctx *ctx;

static void distances(void)
{
    const double angle[] = {0, 1e-9, 0.3, 1.0, M_PI / 2};
    double a[2 * 5] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0}, b[2 * 5], room[2];

    for (size_t i = 0; i < sizeof angle / sizeof *angle; i++) {
        const double s = angle[i], t = angle[i] / 2;
        const double made[] = {cos(s), 0, sin(s), 0, 0, 0, cos(t), 0, sin(t), 0};
        memcpy(b, made, sizeof b);
        const double want = sin(s) * sin(s) + sin(t) * sin(t);
        const double sines = tac_subspace_gap(a, b, 2, 5, TAC_GAP_SINES, room),
                     back = tac_subspace_gap(b, a, 2, 5, TAC_GAP_SINES, room);
        const double both = tac_subspace_gap(a, b, 2, 5, TAC_GAP_PROJECTORS, room);
        CHECK(fabs(sqrt(sines) - sqrt(want)) <= 1e-15 + 1e-9 * sqrt(want),
              "principal angles %g and %g give their sines", s, t);
        CHECK(fabs(sines - back) < 1e-14 && both == 2 * sines, "the same from both sides; "
                                                               "projectors are sqrt 2 as far "
                                                               "apart");
        double direct = 0; /* |UU' - VV'|_F^2 entry by entry */
        for (int x = 0; x < 5; x++)
            for (int y = 0; y < 5; y++) {
                const double e =
                    a[x] * a[y] + a[5 + x] * a[5 + y] - b[x] * b[y] - b[5 + x] * b[5 + y];
                direct += e * e;
            }
        CHECK(fabs(direct - both) < 1e-12, "which is what the projectors themselves say");
    }
}

static double brute(const double *cost, int32_t k, int32_t row, unsigned used)
{
    double best = INFINITY;
    if (row == k) return 0;
    for (int32_t j = 0; j < k; j++)
        if ((used >> j & 1) == 0)
            best = fmin(best, cost[row * k + j] + brute(cost, k, row + 1, used | 1u << j));
    return best;
}

static void matching(void)
{
    uint64_t state = 5;
    bool good = true;
    double cost[49], total;
    int32_t to[7];

    for (int trial = 0; trial < 700; trial++) {
        const int32_t k = 1 + trial % 7;
        /* ties, negatives, and numbers of very different sizes */
        for (int32_t i = 0; i < k * k; i++)
            cost[i] = trial % 3 == 0 ? (double)(tac_plain_random(&state) % 4)
                                     : tac_plain_normal(&state) *
                                           (trial % 3 == 1 ? 1 : exp(tac_plain_normal(&state) * 3));
        MUST(tac_match(ctx, cost, k, to, &total) == TACIT_OK);
        unsigned seen = 0;
        for (int32_t i = 0; i < k; i++) seen |= 1u << to[i];
        good = good && seen == (1u << k) - 1 &&
               fabs(total - brute(cost, k, 0, 0)) <= 1e-12 * (1 + fabs(total));
    }
    CHECK(good, "the Hungarian method finds what a search of all permutations finds, up to 7");

    const double a[] = {1, 0, 0, 0, 1, 0}, b[] = {0, 1, 0, cos(0.1), 0, sin(0.1)};
    double gap;
    MUST(tac_subspaces_gap(ctx, a, b, 2, 1, 3, TAC_GAP_PROJECTORS, &gap, to) == TACIT_OK);
    CHECK(fabs(gap - sqrt(2) * sin(0.1)) < 1e-14 && to[0] == 1 && to[1] == 0, "d_W pairs lines "
                                                                              "that stand in "
                                                                              "another order");
}

static void canonical(void)
{
    uint64_t state = 11;
    double basis[3 * 6], turned[3 * 6], before[3 * 6], turn[9], room[2 * 18 + 3],
        worst = 0, moved = 0, right = 0;

    for (int trial = 0; trial < 200; trial++) {
        for (int i = 0; i < 18; i++)
            basis[i] = trial % 4 == 0 ? (double)(tac_plain_random(&state) % 3) - 1
                                      : tac_plain_normal(&state);
        for (int i = 0; i < 9; i++) turn[i] = tac_plain_normal(&state);
        tac_orthonormalise(basis, 3, 6);
        tac_orthonormalise(turn, 3, 3);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 6; j++)
                turned[i * 6 + j] = turn[i * 3] * basis[j] + turn[i * 3 + 1] * basis[6 + j] +
                                    turn[i * 3 + 2] * basis[12 + j];
        memcpy(before, basis, sizeof before);
        tac_canonical_basis(basis, 3, 6, room);
        tac_canonical_basis(turned, 3, 6, room);
        for (int i = 0; i < 18; i++) worst = fmax(worst, fabs(basis[i] - turned[i]));
        moved = fmax(moved, tac_subspace_gap(before, basis, 3, 6, TAC_GAP_SINES, room));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double dot = i == j ? -1 : 0;
                for (int t = 0; t < 6; t++) dot += basis[i * 6 + t] * basis[j * 6 + t];
                right = fmax(right, fabs(dot));
            }
    }
    CHECK(worst < 1e-9, "a canonical basis does not depend on the basis it came from (%.1g)",
          worst);
    CHECK(moved < 1e-24 && right < 1e-13, "it spans the same subspace and is orthonormal");
    double axes[] = {0, 0, -1, 0, -1, 0};
    tac_canonical_basis(axes, 2, 3, room);
    CHECK(axes[1] == 1 && axes[5] == 1, "a plane of axes: the axes, in their order, positive");
    double same[] = {1, 1, 1, 1, 0, 0, 2, 0, 0};
    tac_orthonormalise(same, 3, 3);
    CHECK(fabs(same[0] * same[3] + same[1] * same[4] + same[2] * same[5]) < 1e-15 &&
              fabs(same[6] * same[6] + same[7] * same[7] + same[8] * same[8] - 1) < 1e-14,
          "dependent vectors are completed");
}

static const char *const names[] = {"k-plane", "TSC", "TSC by components", "SSC", "LRR"};

/* Three independent subspaces of dimension 3 in 12 without noise. */
static void recovery(void)
{
    for (int solver = 0; solver < 5; solver++) {
        int good = 0, same = 0;
        const int trials = 6;
        for (int trial = 0; trial < trials; trial++) {
            union_set s = union_new(trial < 4 ? 240 : 420, 12, 3, 3, 0, (uint64_t)trial + 1);
            const tac_plain_subspaces opts = {
                .solver = (tacit_subspace_solver)solver,
                .k = 3,
                .q = 3,
                .restarts = 20,
                .seed = 4,
                .neighbors =
                    solver == TACIT_SOLVER_TSC_SIMPLE || solver == TACIT_SOLVER_TSC ? 6 : 0};
            double bases[3 * 3 * 12], again[3 * 3 * 12], gap, cost;
            int32_t label[420], other[420];
            MUST(tac_solve_subspaces(ctx, s.points, s.n, s.d, &opts, bases, &cost, label) ==
                 TACIT_OK);
            ctx->threads = 1;
            MUST(tac_solve_subspaces(ctx, s.points, s.n, s.d, &opts, again, &cost, other) ==
                 TACIT_OK);
            ctx->threads = 2;
            same += memcmp(bases, again, sizeof bases) == 0 &&
                    memcmp(label, other, (size_t)s.n * sizeof *label) == 0;
            MUST(tac_subspaces_gap(ctx, bases, s.bases, 3, 3, 12, TAC_GAP_PROJECTORS, &gap, NULL) ==
                 TACIT_OK);
            good += gap < 1e-6 && share_right(label, s.label, s.n, 3) == 1;
            union_clear(&s);
        }
        CHECK(good == trials, "%s finds independent subspaces without noise exactly (%d of %d)",
              names[solver], good, trials);
        CHECK(same == trials, "%s gives the same bits with one thread and with two", names[solver]);
    }
}

/* The two synthetic settings of the paper, 300 points. Bounds: what a run of 8 sets gave, with
   room. */
static void settings(void)
{
    static const struct {
        int32_t d;
        double sigma, least[5], most[5];
    } setting[] = {
        {5, 0.01, {0.98, 0.80, 0.80, 0.93, 0.70}, {0.03, 0.3, 0.3, 0.1, 0.7}},
        {10, 0.1, {0.98, 0.98, 0.98, 0.98, 0.98}, {0.25, 0.25, 0.25, 0.25, 0.25}},
    };
    for (size_t c = 0; c < 2; c++)
        for (int solver = 0; solver < 5; solver++) {
            double right = 0, far = 0;
            const int trials = 8;
            for (int trial = 0; trial < trials; trial++) {
                union_set s =
                    union_new(300, setting[c].d, 3, 3, setting[c].sigma, (uint64_t)trial + 100);
                const tac_plain_subspaces opts = {.solver = (tacit_subspace_solver)solver,
                                                  .k = 3,
                                                  .q = 3,
                                                  .restarts = 20,
                                                  .seed = 9};
                double bases[3 * 3 * 10], gap, cost;
                int32_t label[300];
                MUST(tac_solve_subspaces(ctx, s.points, s.n, s.d, &opts, bases, &cost, label) ==
                     TACIT_OK);
                MUST(tac_subspaces_gap(ctx, bases, s.bases, 3, 3, s.d, TAC_GAP_PROJECTORS, &gap,
                                       NULL) == TACIT_OK);
                right += share_right(label, s.label, s.n, 3) / trials;
                far += gap / trials;
                union_clear(&s);
            }
            CHECK(right >= setting[c].least[solver] && far <= setting[c].most[solver],
                  "setting %zu, %s: %.3f of the rows right, d_W %.3f", c + 1, names[solver], right,
                  far);
        }
}

static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Groups of rows are passed over, and still nothing nearer is missed: against all products, with
   rows of zeros and equal rows among them. */
static void neighbors(void)
{
    enum { N = 6000, S = 7 };
    const int32_t dims[] = {8, 30};
    static int32_t to[N * S];
    static double product[N * S], all[N];

    for (int c = 0; c < 2; c++) {
        const int32_t d = dims[c];
        union_set s = union_new(N, d, 3, 2, c == 0 ? 0.02 : 0.5, 77);
        for (int64_t i = 0; i < N; i++) {
            double square = 0;
            for (int32_t j = 0; j < d; j++) square += s.points[i * d + j] * s.points[i * d + j];
            for (int32_t j = 0; j < d; j++)
                s.points[i * d + j] = i % 500 == 0 ? 0 : s.points[i * d + j] / sqrt(square);
        }
        for (int64_t i = 0; i < 40; i++) /* a heap of equal rows */
            memcpy(s.points + (i + 1) * d, s.points + d, (size_t)d * sizeof *s.points);
        const tac_unit_rows rows = {.unit = s.points, .n = N, .d = d};
        MUST(tac_neighbors(ctx, &rows, S, to, product) == TACIT_OK);
        double missed = 0, wrong = 0;
        int twice = 0;
        for (int64_t i = 0; i < N; i += 7) {
            for (int64_t k = 0; k < N; k++) {
                double dot = 0;
                for (int32_t j = 0; j < d; j++) dot += s.points[i * d + j] * s.points[k * d + j];
                all[k] = k == i ? -1 : fmin(1, fabs(dot));
            }
            for (int e = 0; e < S; e++) {
                wrong = fmax(wrong, fabs(product[i * S + e] - all[to[i * S + e]]));
                twice += all[to[i * S + e]] == -1;
                for (int f = 0; f < e; f++) twice += to[i * S + e] == to[i * S + f];
            }
            qsort(product + i * S, S, sizeof *product, falling);
            qsort(all, N, sizeof *all, falling);
            for (int e = 0; e < S; e++) missed = fmax(missed, all[e] - product[i * S + e]);
        }
        CHECK(missed < 1e-6 && wrong < 1e-14 && twice == 0,
              "the nearest of %d rows in %d columns are those of a search of all (%.1e missed)", N,
              d, missed);
        union_clear(&s);
    }
}

/* SSC solves its lasso: |<x_i, x_j - X'c>| <= 1 / lambda, and equal with the sign of c_i where that
   is not 0; the diagonal is 0. 1 / lambda = mu / 20. */
static void lasso(void)
{
    enum { N = 330, D = 9 };
    union_set s = union_new(N, D, 3, 3, 0.05, 5);
    int64_t *first = NULL;
    int32_t *to = NULL;
    double *value = NULL, mu = 1, worst = 0;
    static double dense[N];
    bool order = true;

    for (int64_t i = 0; i < N; i++) {
        double square = 0;
        for (int32_t j = 0; j < D; j++) square += s.points[i * D + j] * s.points[i * D + j];
        for (int32_t j = 0; j < D; j++) s.points[i * D + j] /= sqrt(square);
    }
    memcpy(s.points + D, s.points, D * sizeof *s.points); /* two equal rows */
    for (int32_t j = 0; j < D; j++) s.points[5 * D + j] = 0;
    for (int64_t i = 0; i < N; i++) {
        double most = 0;
        for (int64_t k = 0; k < N; k++) {
            double dot = 0;
            for (int32_t j = 0; j < D; j++) dot += s.points[i * D + j] * s.points[k * D + j];
            if (k != i) most = fmax(most, fabs(dot));
        }
        mu = most > 0 ? fmin(mu, most) : mu;
    }
    const tac_unit_rows rows = {.unit = s.points, .n = N, .d = D};
    MUST(tac_ssc_coefficients(ctx, &rows, &first, &to, &value) == TACIT_OK);
    for (int64_t i = 0; i < N; i++) {
        double rest[D];
        memcpy(rest, s.points + i * D, sizeof rest);
        memset(dense, 0, sizeof dense);
        for (int64_t e = first[i]; e < first[i + 1]; e++) {
            order = order && to[e] != i && (e == first[i] || to[e] > to[e - 1]);
            dense[to[e]] = value[e];
            for (int32_t j = 0; j < D; j++) rest[j] -= value[e] * s.points[to[e] * D + j];
        }
        for (int64_t k = 0; k < N; k++) {
            double pull = 0;
            for (int32_t j = 0; j < D; j++) pull += rest[j] * s.points[k * D + j];
            if (dense[k] != 0) worst = fmax(worst, fabs(pull - copysign(mu / 20, dense[k])));
            if (k != i) worst = fmax(worst, fabs(pull) - mu / 20);
        }
    }
    CHECK(worst < 1e-7, "SSC solves its lasso: conditions hold within %.1e", worst);
    CHECK(order, "... columns ascend and leave themselves out");
    tac_free(first);
    tac_free(to);
    tac_free(value);
    union_clear(&s);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 2;
    distances();
    matching();
    canonical();
    recovery();
    settings();
    neighbors();
    lasso();
    tacit_ctx_free(ctx);
    return tap_done();
}
