/* SPDX-License-Identifier: Apache-2.0 */
/* How well the audit sees noise that is too small: the share of audits that tell a violation, by
   runs a side, and how near to the claim an honest method is measured. A pool of runs with fresh
   noise, audits of runs drawn from it. Usage: bench_audit [pool] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "audit/audit.h"
#include "dice.h"
#include "privacy/accounting/curve.h"

enum { AUDITS = 400, SIZES = 5 };

static tacit_ctx *ctx;
static uint64_t state = 1;

/* Shares of AUDITS audits that flag, and the median of what they measure over the claim. */
static void draw_audits(double *const pool[2], int64_t many, int64_t runs, double mu,
                        double *flagged, double *median)
{
    double *sample[2] = {malloc((size_t)runs * sizeof(double)),
                         malloc((size_t)runs * sizeof(double))},
           threshold, found[AUDITS];

    *flagged = 0;
    for (int a = 0; a < AUDITS; a++) {
        for (int side = 0; side < 2; side++)
            for (int64_t i = 0; i < runs; i++)
                sample[side][i] = pool[side][next() % (uint64_t)many];
        found[a] = fmax(0, tac_prove_by_threshold(sample, runs, 0.001, 1e-6, &threshold).mu) / mu;
        *flagged += (found[a] > 1) / (double)AUDITS;
    }
    for (int i = 1; i < AUDITS; i++)
        for (int j = i; j > 0 && found[j] < found[j - 1]; j--) {
            const double x = found[j];
            found[j] = found[j - 1];
            found[j - 1] = x;
        }
    *median = found[AUDITS / 2];
    free(sample[0]), free(sample[1]);
}

int main(int argc, char **argv)
{
    static const int64_t size[SIZES] = {50, 100, 200, 400, 2000};
    static const double mu[] = {1, 2}, factor[] = {1, 0.8, 0.7071, 0.5, 0.25};
    const int64_t many = argc > 1 ? atoll(argv[1]) : 10000;
    tac_neighbors *rows = malloc(sizeof *rows);
    double *pool[2], *charged[2];

    if (tacit_ctx_new(&ctx) != TACIT_OK || tacit_ctx_set_threads(ctx, 1) != TACIT_OK) return 1;
    for (int side = 0; side < 2; side++) {
        pool[side] = malloc((size_t)many * sizeof(double));
        charged[side] = malloc((size_t)many * sizeof(double));
    }
    tac_neighbors_make(false, TACIT_ADD_REMOVE, 1, 1, rows);
    printf("kmeans lloyd, delta 1e-6, confidence 0.999: share of %d audits that flag (median of "
           "measured mu / claimed mu)\n",
           AUDITS);
    printf("mu  noise x ");
    for (int s = 0; s < SIZES; s++) printf("  %6lld runs a side", (long long)size[s]);
    for (size_t m = 0; m < sizeof mu / sizeof *mu; m++)
        for (size_t f = 0; f < sizeof factor / sizeof *factor; f++) {
            tac_attack attack = {.family = tac_audit_family_at(0)};
            tac_tally tally = {0};
            tacit_audit_opts_init(&attack.opts, sizeof attack.opts);
            attack.opts.method = TACIT_KMEANS_LLOYD;
            attack.opts.epsilon = tac_gauss_epsilon(mu[m], 1e-6);
            attack.opts.delta = 1e-6;
            attack.opts.noise_factor = factor[f];
            const clock_t begun = clock();
            if (tac_attack_pairs(ctx, &attack, rows, many,
                                 (tac_sample[]){{pool[0], charged[0]}, {pool[1], charged[1]}},
                                 &tally) != TACIT_OK)
                return 1;
            const double speed = (double)tally.pairs * CLOCKS_PER_SEC / (double)(clock() - begun);
            printf("\n%-3g %-7.3g ", mu[m], factor[f]);
            for (int s = 0; s < SIZES; s++) {
                double flagged, median;
                draw_audits(pool, many, size[s], mu[m], &flagged, &median);
                printf("   %6.4f (%.2f)    ", flagged, median);
            }
            printf(" %.2f of 1,000 pairs a second", speed / 1000);
            fflush(stdout);
        }
    printf("\n");
    return 0;
}
