/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto with delta = 0 through the public header: what it does with delta, too, then how far
   it beats noisy Lloyd at the same epsilon, columns turned about, and what it refuses. */
#include "auto_stories.h"

/* The same rows, the same epsilon: what the method is for. */
static void test_against_lloyd(void)
{
    const struct {
        int64_t n;
        int32_t d, k;
        double spread;
    } set[] = {{20000, 8, 16, 0.04}, {20000, 16, 24, 0.04}, {5000, 2, 15, 0.03}};
    double center[24 * 16];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        double *rows = mixture(set[i].n, set[i].d, set[i].k, set[i].spread, 300 + i, center),
               ours = 0, theirs = 0;
        for (uint64_t seed = 0; seed < 3; seed++) {
            const ask a = {.k = set[i].k, .epsilon = 1, .seed = seed, .pure = true};
            ask b = a;
            b.method = TACIT_KMEANS_LLOYD;
            tacit_model *one = fit(rows, set[i].n, set[i].d, a),
                        *two = fit(rows, set[i].n, set[i].d, b);
            MUST(one != NULL && two != NULL);
            ours += cost(one, rows, set[i].n, set[i].d);
            theirs += cost(two, rows, set[i].n, set[i].d);
            tacit_model_free(one);
            tacit_model_free(two);
        }
        CHECK(ours < 0.95 * theirs, "%d clusters in %d columns: %.2f of the cost of noisy Lloyd",
              set[i].k, set[i].d, ours / theirs);
        free(rows);
    }
}

/* Turning columns about and mirroring them: another run, but as good. Each cluster is found within
   its radius. */
static void test_mirror(void)
{
    enum { N = 20000, D = 6, K = 8 };
    double center[K * D];
    double *rows = mixture(N, D, K, 0.03, 61, center);

    for (int turn = 0; turn < 2; turn++) {
        tacit_model *m = fit(rows, N, D, (ask){.k = K, .epsilon = 1, .seed = 3, .pure = true});
        MUST(m != NULL);
        const double off = worst(m, center, K, D);
        CHECK(off < 0.03 * sqrt(D), "%s (%.3f radii)",
              turn == 0 ? "as it is" : "columns turned about and mirrored", off / 0.03 / sqrt(D));
        tacit_model_free(m);
        for (int i = 0; i < N + K; i++) {
            double *x = i < N ? rows + i * D : center + (i - N) * D;
            for (int j = 0; j < D / 2; j++) {
                const double swap = 1 - x[j];
                x[j] = 1 - x[D - 1 - j];
                x[D - 1 - j] = swap;
            }
        }
    }
    free(rows);
}

/* Error bars: with clusters far apart the cells do not move, so (released - mean of the cluster) /
   sd should be about normal, somewhat smaller because steps are shrunk. 48 centers x 4 columns x 3
   runs: beyond 3 in fewer than one in fifty. */
static void test_bars(void)
{
    enum { N = 12000, D = 4, K = 6 };
    double center[K * D];
    int out = 0, all = 0;

    for (uint64_t seed = 0; seed < 6; seed++) {
        double *rows = mixture(N, D, K, 0.02, 200 + seed, center), mean[K * D] = {0};
        for (int i = 0; i < N; i++)
            for (int j = 0; j < D; j++) mean[i % K * D + j] += rows[i * D + j] / (N / K);
        tacit_model *m = fit(rows, N, D, (ask){.k = K, .epsilon = 1, .seed = seed, .pure = true});
        MUST(m != NULL);
        for (int c = 0; c < K; c++) {
            int near = 0;
            double best = INFINITY;
            for (int o = 0; o < K; o++) {
                double far = 0;
                for (int j = 0; j < D; j++)
                    far += pow(tacit_model_centers(m)[c * D + j] - mean[o * D + j], 2);
                if (far < best) best = far, near = o;
            }
            for (int j = 0; j < D; j++, all++)
                out += fabs(tacit_model_centers(m)[c * D + j] - mean[near * D + j]) >
                       3 * tacit_model_centers_sd(m)[c * D + j] + 0.002;
        }
        tacit_model_free(m);
        free(rows);
    }
    CHECK(out * 50 < all, "error bars hold: %d of %d coordinates beyond three standard deviations",
          out, all);
}

static void test_refusals(void)
{
    double rows[40] = {0};

    CHECK(fit(rows, 10, 4, (ask){.k = 2, .epsilon = 1e-6, .rounds = 1000, .pure = true}) == NULL &&
              strstr(tacit_ctx_message(ctx), "epsilon is too small") != NULL,
          "a budget that cannot pay for its queries");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_auto(true);
    test_against_lloyd();
    test_mirror();
    test_bars();
    test_refusals();
    tacit_ctx_free(ctx);
    return tap_done();
}
