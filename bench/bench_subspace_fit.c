/* SPDX-License-Identifier: Apache-2.0 */
/* The fit of k subspaces to a fourth-moment tensor in 32 dimensions, all restarts, on one thread:
   as a share of the 10 s that it may take, and one value with its gradient against what it cannot
   do without, k plain products with the tensor's dense matrix. */
#include "bench.h"
#include "solve/subspace/fourth_fit.h"
#include "subspace_world.h"

#define LIMIT 10.0
#define FLOOR 3.0
enum { P = 32, TURNS = 20 };

/* Fourth moments of k even subspaces with noise in every direction. */
static double *tensor_of(int k, int q, double noise, double *truth)
{
    double *tensor = calloc(P * (P + 1) * (P + 2) * (P + 3) / 24, sizeof *tensor), *at;
    static double s[P * P];

    dice = 9;
    for (int l = 0; l < k; l++) {
        double *u = truth + l * q * P;
        haar(P, q, u);
        for (int i = 0; i < P * P; i++) {
            s[i] = 0;
            for (int a = 0; a < q; a++) s[i] += u[a * P + i / P] * u[a * P + i % P];
        }
        at = tensor;
        for (int i = 0; i < P; i++)
            for (int j = i; j < P; j++)
                for (int c = j; c < P; c++)
                    for (int e = c; e < P; e++)
                        *at++ += (s[i * P + j] * s[c * P + e] + s[i * P + c] * s[j * P + e] +
                                  s[i * P + e] * s[j * P + c]) /
                                 (q * (q + 2));
    }
    for (int i = 0; i < P * (P + 1) * (P + 2) * (P + 3) / 24; i++)
        tensor[i] += noise * normal() / sqrt(12);
    return tensor;
}

/* Seconds of k products of the dense matrix with a vector. */
static double bare(const tac_fourth_state *t)
{
    volatile double keep;
    double least = 1e9, sum;

    for (int turn = 0; turn < TURNS; turn++) {
        const double start = now();
        for (int l = 0; l < t->k; l++)
            for (size_t i = 0; i < t->pairs; i++) {
                double part[4] = {0};
                for (size_t j = 0; j + 4 <= t->pairs; j += 4)
                    for (size_t r = 0; r < 4; r++)
                        part[r] += t->matrix[i * t->pairs + j + r] * t->s[j + r];
                sum = part[0] + part[1] + part[2] + part[3];
                keep = sum;
            }
        least = fmin(least, now() - start);
    }
    (void)keep;
    return least;
}

static int measure(int k, int q, double noise)
{
    double *truth = malloc((size_t)(k * q * P) * sizeof *truth),
           *bases = malloc((size_t)(k * q * P) * sizeof *bases);
    double *tensor = tensor_of(k, q, noise, truth), value, one = 1e9;
    double *x = calloc((size_t)(k * (P * q + 1)), sizeof *x),
           *g = calloc((size_t)(k * (P * q + 1)), sizeof *g);
    const tac_fourth_fit o = {.p = P, .k = k, .q = q, .noise = noise, .seed = 1, .patience = 20};
    tac_fourth_state t;

    if (tac_fourth_open(ctx, tensor, 1, &o, &t) != TACIT_OK) return 1;
    for (int i = 0; i < k * (P * q + 1); i++) x[i] = 0.1 * normal();
    for (int turn = 0; turn < TURNS; turn++) {
        const double start = now();
        tac_fourth_objective(&t, x, g);
        one = fmin(one, now() - start);
    }
    const double dense = bare(&t), start = now();
    if (tac_solve_fourth(ctx, tensor, &o, bases, &value) != TACIT_OK) return 1;
    const double took = now() - start;
    printf("k %2d q %2d noise %-5g: 20 restarts %.2f of the limit, one value %.2f of %d dense "
           "products, d_W %.3f\n",
           k, q, noise, took / LIMIT, one / dense, k, wasserstein(bases, truth, k, P, q));
    tac_fourth_close(&t);
    free(truth), free(bases), free(tensor), free(x), free(g);
    return took > LIMIT || one > FLOOR * dense;
}

int main(void)
{
    int bad = 0;

    if (tacit_ctx_new(&ctx) != TACIT_OK) return 1;
    bad += measure(3, 3, 0.01);
    bad += measure(10, 6, 0);
    bad += measure(10, 6, 0.02);
    bad += measure(10, 6, 0.3);
    bad += measure(10, 10, 0.02);
    tacit_ctx_free(ctx);
    return bad != 0;
}
