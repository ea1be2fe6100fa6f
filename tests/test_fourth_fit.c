/* SPDX-License-Identifier: Apache-2.0 */
/* The fit of subspaces to a fourth-moment tensor: its gradient, exact recovery, ties to the seed
   alone; and L-BFGS by itself. */
#include "core/cpu.h"
#include "solve/linalg/lbfgs.h"
#include "solve/subspace/fourth_fit.h"
#include "subspace_world.h"

static tacit_ctx *ctx;

enum { P_MOST = 16 };

/* ---- L-BFGS ---- */

static double rosenbrock(void *payload, const double *x, double *g)
{
    const double a = 1 - x[0], b = x[1] - x[0] * x[0];

    ++*(int *)payload;
    g[0] = -2 * a - 400 * x[0] * b;
    g[1] = 200 * b;
    return a * a + 100 * b * b;
}

static double bowl(void *payload, const double *x, double *g)
{
    double sum = 0;

    (void)payload;
    for (int i = 0; i < 50; i++) {
        g[i] = (i + 1) * (x[i] - i);
        sum += 0.5 * (i + 1) * (x[i] - i) * (x[i] - i);
    }
    return sum;
}

/* Infinite outside of the unit disk: a step that leaves it is shortened. */
static double well(void *payload, const double *x, double *g)
{
    const double left = 1 - x[0] * x[0] - x[1] * x[1];

    (void)payload;
    if (left <= 0) return INFINITY;
    g[0] = 2 * x[0] / left - 3;
    g[1] = 2 * x[1] / left;
    return -log(left) - 3 * x[0];
}

static void test_lbfgs(void)
{
    const tac_lbfgs o = {.memory = 10, .iterations = 200, .decrease = 1e-15, .slope = 1e-9};
    double x[50] = {-1.2, 1}, value;
    int calls = 0;

    MUST(tac_solve_lbfgs(ctx, &o, rosenbrock, &calls, 2, x, &value) == TACIT_OK);
    CHECK(fabs(x[0] - 1) < 1e-6 && fabs(x[1] - 1) < 1e-6 && value < 1e-12, "Rosenbrock's valley is "
                                                                           "walked to its end");
    CHECK(calls < 100, "... in few steps (%d)", calls);
    memset(x, 0, sizeof x);
    MUST(tac_solve_lbfgs(ctx, &o, bowl, NULL, 50, x, &value) == TACIT_OK);
    double off = 0;
    /* not fmax in one step: gcc 12 for aarch64 fails to compile that */
    for (int i = 0; i < 50; i++)
        if (!(fabs(x[i] - i) <= off)) off = fabs(x[i] - i);
    CHECK(off < 1e-6, "a bowl of 50 dimensions (%.1e)", off);
    x[0] = x[1] = 0.5;
    MUST(tac_solve_lbfgs(ctx, &o, well, NULL, 2, x, &value) == TACIT_OK);
    const double at = (sqrt(1 + 9.0) - 1) / 3; /* 2x = 3 (1 - x^2) */
    CHECK(fabs(x[0] - at) < 1e-6 && fabs(x[1]) < 1e-6, "what is not finite is stepped back from");
    double stay[2] = {1, 1};
    MUST(tac_solve_lbfgs(ctx, &o, rosenbrock, &calls, 2, stay, &value) == TACIT_OK);
    CHECK(stay[0] == 1 && stay[1] == 1, "the least point stays");
}

/* ---- tensors ---- */

static size_t entries(int p)
{
    return (size_t)(p * (p + 1) * (p + 2) * (p + 3) / 24);
}

/* tensor += weight Sym(S (x) S): entry (S_ij S_kl + S_ik S_jl + S_il S_jk) / 3. */
static void add_square(double *tensor, int p, const double *s, double weight)
{
    for (int i = 0; i < p; i++)
        for (int j = i; j < p; j++)
            for (int k = j; k < p; k++)
                for (int l = k; l < p; l++)
                    *tensor++ += weight *
                                 (s[i * p + j] * s[k * p + l] + s[i * p + k] * s[j * p + l] +
                                  s[i * p + l] * s[j * p + k]) /
                                 3;
}

/* sum of sizes Sym(S (x) S), S = U diag(1 .. ) U^T + noise I. */
static void mixture_tensor(int p, int k, int q, double noise, double *truth, double *tensor)
{
    double s[P_MOST * P_MOST];

    memset(tensor, 0, entries(p) * sizeof *tensor);
    for (int l = 0; l < k; l++) {
        double *u = truth + l * q * p;
        haar(p, q, u);
        for (int i = 0; i < p; i++)
            for (int j = 0; j < p; j++) {
                s[i * p + j] = i == j ? noise : 0;
                for (int a = 0; a < q; a++)
                    s[i * p + j] += (1 - 0.4 * a / q) * u[a * p + i] * u[a * p + j];
            }
        add_square(tensor, p, s, 1 + 0.5 * l);
    }
}

static void test_gradient(void)
{
    /* p, k, q, the constant coordinate */
    const int set[][4] = {{6, 2, 2, 0}, {5, 3, 4, 0}, {7, 5, 1, 0}, {3, 1, 3, 0},
                          {6, 2, 2, 6}, {5, 3, 4, 1}, {7, 5, 1, 3}};

    for (size_t c = 0; c < sizeof set / sizeof *set; c++) {
        const int p = set[c][0], k = set[c][1], q = set[c][2];
        const size_t n = (size_t)(k * (p * q + 1)), row = (size_t)(k * q);
        const tac_fourth_fit o = {.p = p, .k = k, .q = q, .constant = set[c][3]};
        double tensor[400], x[200], g[200], waste[200], worst_off = 0;
        tac_fourth_state t;

        dice = 5 + c;
        for (size_t i = 0; i < entries(p); i++) tensor[i] = normal();
        for (size_t i = 0; i < n; i++) x[i] = 0.5 * normal();
        for (size_t a = 0; a < row && o.constant > 0; a++) /* directions do not use it */
            if ((int)a % q < q - 1) x[(size_t)(o.constant - 1) * row + a] = 0;
        MUST(tac_fourth_open(ctx, tensor, 0.7, &o, &t) == TACIT_OK);
        t.ridge = 0.3;
        t.even = 0.2;
        tac_fourth_objective(&t, x, g);
        for (size_t i = 0; i < n; i++) {
            const double step = 1e-5, kept = x[i];
            if (o.constant > 0 && i / row == (size_t)o.constant - 1 && (int)(i % row) % q < q - 1)
                continue;
            x[i] = kept + step;
            const double up = tac_fourth_objective(&t, x, waste);
            x[i] = kept - step;
            const double down = tac_fourth_objective(&t, x, waste);
            x[i] = kept;
            worst_off = fmax(worst_off, fabs((up - down) / (2 * step) - g[i]) / (1 + fabs(g[i])));
        }
        int other = 0;
        const double value = tac_fourth_objective(&t, x, g);
        for (int path = 0; path < 3; path++) {
            /* not on this machine */
            if (!tac_cpu_use((const char *[]){"portable", "avx2", "avx512vnni"}[path])) continue;
            other +=
                tac_fourth_objective(&t, x, waste) != value || memcmp(g, waste, n * sizeof *g) != 0;
        }
        tac_cpu_use("auto");
        CHECK(other == 0, "the same bits on every code path");
        CHECK(worst_off<1e-6, "the gradient is that of the value: p %d, k %d, q %d%s (%.1e)", p, k,
                        q, o.constant> 0
                  ? ", affine"
                  : "",
              worst_off);
        tac_fourth_close(&t);
    }
}

/* The value is |M - fit|^2 - |M|^2, entry by entry. */
static void test_value(void)
{
    enum { P = 5, K = 3, Q = 2, N = K * (P * Q + 1) };
    const tac_fourth_fit o = {.p = P, .k = K, .q = Q};
    double tensor[70], fit_tensor[70] = {0}, x[N], g[N], s[P * P], direct = 0;
    tac_fourth_state t;

    dice = 3;
    for (int i = 0; i < 70; i++) tensor[i] = normal();
    for (int i = 0; i < N; i++) x[i] = 0.6 * normal();
    MUST(tac_fourth_open(ctx, tensor, 1, &o, &t) == TACIT_OK);
    for (int l = 0; l < K; l++) {
        for (int i = 0; i < P; i++)
            for (int j = 0; j < P; j++) {
                s[i * P + j] = i == j ? x[P * K * Q + l] * x[P * K * Q + l] : 0;
                for (int a = 0; a < Q; a++)
                    s[i * P + j] += x[i * K * Q + l * Q + a] * x[j * K * Q + l * Q + a];
            }
        add_square(fit_tensor, P, s, 1);
    }
    int e = 0;
    for (int i = 0; i < P; i++)
        for (int j = i; j < P; j++)
            for (int k = j; k < P; k++)
                for (int l = k; l < P; l++, e++) {
                    const int index[4] = {i, j, k, l};
                    double orders = 24;
                    for (int v = 0, run = 0; v < P; v++, run = 0) {
                        for (int r = 0; r < 4; r++) run += index[r] == v;
                        for (int r = 2; r <= run; r++) orders /= r;
                    }
                    direct += orders * (pow(tensor[e] - fit_tensor[e], 2) - pow(tensor[e], 2));
                }
    const double value = tac_fourth_objective(&t, x, g);
    CHECK(fabs(value - direct) < 1e-9 * fabs(direct),
          "the value is the squared distance of tensors (%.1e)", value / direct - 1);
    tac_fourth_close(&t);
}

static void test_recovery(void)
{
    const struct {
        int p, k, q;
        double noise;
    } set[] = {{5, 3, 3, 0}, {5, 3, 3, 0.01}, {10, 3, 3, 0.05}, {12, 8, 4, 0.02},
               {8, 1, 7, 0}, {6, 4, 1, 0.1},  {16, 5, 2, 0}};
    static double tensor[4000], truth[16 * 40], bases[16 * 40], again[16 * 40];

    for (size_t c = 0; c < sizeof set / sizeof *set; c++) {
        const int p = set[c].p, k = set[c].k, q = set[c].q;
        const tac_fourth_fit o = {.p = p, .k = k, .q = q, .seed = 11 + c};
        double value, repeat, off = 0, norm = 0;

        dice = 40 + c;
        mixture_tensor(p, k, q, set[c].noise, truth, tensor);
        MUST(tac_solve_fourth(ctx, tensor, &o, bases, &value) == TACIT_OK);
        for (int l = 0; l < k; l++) {
            double nearest = INFINITY;
            for (int m = 0; m < k; m++)
                nearest =
                    fmin(nearest, sqrt(apart_squared(truth + l * q * p, bases + m * q * p, p, q)));
            off = fmax(off, nearest);
        }
        for (int a = 0; a < k * q; a++)
            for (int b = a / q * q; b <= a; b++) {
                double along = a == b ? -1 : 0;
                for (int i = 0; i < p; i++) along += bases[a * p + i] * bases[b * p + i];
                norm = fmax(norm, fabs(along));
            }
        CHECK(off < 1e-4, "%d subspaces of %d in %d dimensions are found exactly (%.1e)", k, q, p,
              off);
        CHECK(norm < 1e-12, "... orthonormal");
        MUST(tac_solve_fourth(ctx, tensor, &o, again, &repeat) == TACIT_OK);
        CHECK(memcmp(bases, again, (size_t)(k * q * p) * sizeof *bases) == 0 && value == repeat,
              "... the same bits again");
    }
}

/* Affine subspaces, rows like a bell about a point v of each: 3 Sym(S (x) S) - 2 v^4, S = U U^T +
   v v^T with v_p = h. Where all share their point, the constant coordinate is the same for all. */
static void test_affine_recovery(void)
{
    enum { P = 8, K = 3, Q = 2, WIDE = Q + 1 };
    static double tensor[400], truth[K * WIDE * P], bases[K * WIDE * P], s[P * P], v[P];

    for (int shared = 0; shared < 2; shared++) {
        const tac_fourth_fit o = {.p = P, .k = K, .q = WIDE, .constant = P, .seed = 5};
        double value, off = 0;

        dice = 90 + (uint64_t)shared;
        memset(tensor, 0, sizeof tensor);
        for (int j = 0; j < P - 1; j++) v[j] = 0.3 * normal();
        v[P - 1] = 0.5;
        for (int l = 0; l < K; l++) {
            double *u = truth + l * WIDE * P, flat[Q * (P - 1)], length = 0;
            haar(P - 1, Q, flat);
            for (int a = 0; a < Q; a++)
                for (int j = 0; j < P; j++) u[a * P + j] = j < P - 1 ? flat[a * (P - 1) + j] : 0;
            for (int j = 0; j < P - 1 && !shared; j++) v[j] = 0.3 * normal();
            for (int i = 0; i < P * P; i++) s[i] = v[i / P] * v[i % P];
            add_square(tensor, P, s, -2);
            for (int a = 0; a < Q; a++)
                for (int i = 0; i < P * P; i++) s[i] += u[a * P + i / P] * u[a * P + i % P];
            add_square(tensor, P, s, 3);
            double *third = u + Q * P; /* v at right angles to U */
            memcpy(third, v, sizeof v);
            for (int a = 0; a < Q; a++) {
                double along = 0;
                for (int j = 0; j < P; j++) along += third[j] * u[a * P + j];
                for (int j = 0; j < P; j++) third[j] -= along * u[a * P + j];
            }
            for (int j = 0; j < P; j++) length += third[j] * third[j];
            for (int j = 0; j < P; j++) third[j] /= sqrt(length);
        }
        MUST(tac_solve_fourth(ctx, tensor, &o, bases, &value) == TACIT_OK);
        for (int l = 0; l < K; l++) {
            double nearest = INFINITY;
            for (int m = 0; m < K; m++)
                nearest =
                    fmin(nearest,
                         sqrt(apart_squared(truth + l * WIDE * P, bases + m * WIDE * P, P, WIDE)));
            off = fmax(off, nearest);
        }
        CHECK(off < 1e-3, "affine subspaces %s are found exactly (%.1e)",
              shared ? "that share a point" : "apart", off);
    }
}

static void test_nothing(void)
{
    double tensor[70] = {0}, bases[5 * 4], value;
    const tac_fourth_fit o = {.p = 5, .k = 2, .q = 2};

    MUST(tac_solve_fourth(ctx, tensor, &o, bases, &value) == TACIT_OK);
    bool finite = isfinite(value);
    for (int i = 0; i < 20; i++) finite = finite && isfinite(bases[i]);
    CHECK(finite, "a tensor of zeros gives some subspaces");
    for (int i = 0; i < 70; i++) tensor[i] = -1;
    const tac_fourth_fit noisy = {.p = 5, .k = 2, .q = 2, .noise = 1};
    MUST(tac_solve_fourth(ctx, tensor, &noisy, bases, &value) == TACIT_OK);
    finite = isfinite(value);
    for (int i = 0; i < 20; i++) finite = finite && isfinite(bases[i]);
    CHECK(finite, "and so does one that no rows could have");
    CHECK(tac_fourth_tells(5, 3, 3) && !tac_fourth_tells(3, 3, 2) && tac_fourth_tells(32, 10, 8),
          "what a tensor can tell");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_lbfgs();
    test_gradient();
    test_value();
    test_recovery();
    test_affine_recovery();
    test_nothing();
    tacit_ctx_free(ctx);
    return tap_done();
}
