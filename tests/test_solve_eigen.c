/* SPDX-License-Identifier: Apache-2.0 */
/* Leading eigenvectors: known answers, A v = value v, orthonormal columns, the same bits on every
   code path, degenerate matrices, bad input; and the threads of a BLAS. */
#include "core/cpu.h"
#include "solve/linalg/blas.h"
#include "solve/linalg/eigen.h"
#include "tap.h"

#include <math.h>

void openblas_set_num_threads(int threads) __attribute__((weak));
int openblas_get_num_threads(void) __attribute__((weak));

static tacit_ctx *ctx;
static uint64_t state = 5;

static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53 - 0.5;
}

static void *need(int64_t count)
{
    void *memory = NULL;
    MUST(tac_new(ctx, (size_t)count, sizeof(double), &memory) == TACIT_OK);
    return memory;
}

/* Largest fault of A V = V diag(values), V^T V = I, the order of the values and the signs; A by its
   upper triangle. */
static double fault(const double *a, int32_t d, int32_t p, const double *values, const double *v,
                    double scale)
{
    double worst = 0;
    for (int32_t c = 0; c < p; c++) {
        double top = 0;
        for (int32_t i = 0; i < d; i++) {
            double sum = 0;
            for (int32_t j = 0; j < d; j++) sum += a[i <= j ? i * d + j : j * d + i] * v[j * p + c];
            worst = fmax(worst, fabs(sum - values[c] * v[i * p + c]) / scale);
            if (fabs(v[i * p + c]) > fabs(top)) top = v[i * p + c];
        }
        for (int32_t e = 0; e <= c; e++) {
            double dot = 0;
            for (int32_t j = 0; j < d; j++) dot += v[j * p + c] * v[j * p + e];
            worst = fmax(worst, fabs(dot - (c == e)));
        }
        if (top < 0 || (c > 0 && values[c] > values[c - 1])) worst = INFINITY;
    }
    return worst;
}

static void solves(const char *name, const double *a, int32_t d, int32_t p, double scale)
{
    static const char *const path[] = {"portable", "avx2", "avx512vnni"};
    const size_t many = (size_t)d * (size_t)p;
    double *half = need((int64_t)d * d), *values = need(p), *vectors = need((int64_t)d * p);
    double *values2 = need(p), *vectors2 = need((int64_t)d * p);

    memcpy(half, a, (size_t)d * (size_t)d * sizeof *a);
    for (int32_t i = 0; i < d; i++)
        for (int32_t j = 0; j < i; j++) half[i * d + j] = NAN; /* the lower triangle is not read */
    MUST(tac_top_eigen(ctx, a, d, p, values, vectors) == TACIT_OK);
    const double worst = fault(a, d, p, values, vectors, scale);
    CHECK(worst < 1e-14 * (d + 10), "%s, %d of %d vectors: fault %.1e", name, p, d, worst);
    for (int i = 0; i < 3; i++) {
        if (!tac_cpu_use(path[i])) continue;
        MUST(tac_top_eigen(ctx, half, d, p, values2, vectors2) == TACIT_OK);
        CHECK(memcmp(values, values2, (size_t)p * sizeof *values) == 0 &&
                  memcmp(vectors, vectors2, many * sizeof *values) == 0,
              "%s, %d of %d vectors: the upper triangle alone and path %s give the same bits", name,
              p, d, path[i]);
    }
    MUST(tac_cpu_use("auto"));
    tac_free(half);
    tac_free(values);
    tac_free(vectors);
    tac_free(values2);
    tac_free(vectors2);
}

/* Two runs at the same time, in a process whose BLAS has three threads. */
static void threads_of_blas(void)
{
    if (openblas_set_num_threads == NULL) return;
    openblas_set_num_threads(3);
    const int first = tac_blas_one_thread(), second = tac_blas_one_thread();
    tac_blas_restore(first);
    CHECK(openblas_get_num_threads() == 1, "one run that ends leaves the other on one thread");
    tac_blas_restore(second);
    CHECK(openblas_get_num_threads() == 3, "and the last one gives the caller's number back");
    openblas_set_num_threads(1);
}

static void known(void)
{
    double a[9] = {2, -1, 0, 0, 2, -1, 0, 0, 2}, values[2], v[6];
    MUST(tac_top_eigen(ctx, a, 3, 2, values, v) == TACIT_OK);
    CHECK(fabs(values[0] - 2 - sqrt(2)) < 1e-14 && fabs(values[1] - 2) < 1e-14, "values of the "
                                                                                "second "
                                                                                "difference");
    /* (1, -sqrt 2, 1) / 2 has its largest entry negative, so it comes turned round. */
    CHECK(fabs(v[0] + 0.5) < 1e-14 && fabs(v[2] - sqrt(0.5)) < 1e-14 && fabs(v[4] + 0.5) < 1e-14,
          "its first vector");
    double one = -3, value, vector;
    MUST(tac_top_eigen(ctx, &one, 1, 1, &value, &vector) == TACIT_OK);
    CHECK(value == -3 && vector == 1, "one number is its own value");
}

static void shapes(int32_t d)
{
    double *a = need((int64_t)d * d);
    const int32_t counts[3] = {1, (d + 2) / 3, d};

    for (int t = 0; t < 3; t++) {
        for (int32_t i = 0; i < d * d; i++) a[i] = uniform();
        solves("random", a, d, counts[t], d);
        /* tiny, as noise on a small radius may be */
        for (int32_t i = 0; i < d * d; i++) a[i] *= 1e-200;
        solves("tiny", a, d, counts[t], 1e-200 * d);
        /* so graded that squares of its small entries vanish */
        for (int32_t i = 0; i < d * d; i++) a[i] = uniform() * pow(10, -40.0 * (i / d + i % d));
        solves("graded", a, d, counts[t], 1);
        /* nearly as small as numbers get, and as large */
        for (int32_t i = 0; i < d * d; i++) a[i] = 0x1p-1015 * (i % 3);
        solves("smallest", a, d, counts[t], 0x1p-1015 * d);
        for (int32_t i = 0; i < d * d; i++) a[i] = 0x1p1000 * uniform();
        solves("huge", a, d, counts[t], 0x1p1000 * d);
        memset(a, 0, (size_t)d * (size_t)d * sizeof *a);
        solves("zero", a, d, counts[t], 1);
        for (int32_t i = 0; i < d; i++) a[i * d + i] = 7;
        solves("all values equal", a, d, counts[t], 7);
        a[0] = 9;
        solves("one spike", a, d, counts[t], 9);
        for (int32_t i = 0; i < d; i++)
            for (int32_t j = 0; j < d; j++) a[i * d + j] = 1;
        solves("rank one", a, d, counts[t], d);
    }
    tac_free(a);
}

/* 16 blobs and an isotropic rest: what a private covariance looks like, with many nearly equal
   values. */
static void covariance(int32_t d)
{
    double *a = need((int64_t)d * d), *u = need(d);
    for (int32_t b = 0; b < 16; b++) {
        for (int32_t i = 0; i < d; i++) u[i] = uniform();
        for (int32_t i = 0; i < d; i++)
            for (int32_t j = i; j < d; j++) a[i * d + j] += u[i] * u[j];
    }
    for (int32_t i = 0; i < d; i++) a[i * d + i] += 0.01 + 1e-14 * uniform();
    solves("covariance", a, d, 64, d);
    tac_free(a);
    tac_free(u);
}

static void bad_input(void)
{
    double a[4] = {1, NAN, 0, 1}, values[2], v[4];
    CHECK(tac_top_eigen(ctx, a, 2, 1, values, v) == TACIT_E_ARGUMENT, "not a number");
    a[1] = INFINITY;
    CHECK(tac_top_eigen(ctx, a, 2, 1, values, v) == TACIT_E_ARGUMENT, "infinite");
    a[1] = 0;
    CHECK(tac_top_eigen(ctx, a, 2, 0, values, v) == TACIT_E_ARGUMENT, "no vector");
    CHECK(tac_top_eigen(ctx, a, 2, 3, values, v) == TACIT_E_ARGUMENT, "more vectors than rows");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    known();
    shapes(2);
    shapes(7);
    shapes(9);
    shapes(60);
    covariance(300);
    bad_input();
    threads_of_blas();
    tacit_ctx_free(ctx);
    return tap_done();
}
