/* SPDX-License-Identifier: Apache-2.0 */
/* How many runs it takes to see that noise has half its size, for every method: the share of audits
   whose evidence passes the threshold, audits drawn from a pool of runs with fresh noise; how far
   the best pair of neighbors moves a run's answers, as a share of what it was charged; and the time
   of a pair. Usage: bench_audit_noise [pool [family method]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "audit/audit.h"
#include "dice.h"

enum { AUDITS = 20000, SIZES = 6 };

/* runs in all, half of them on each of two neighbors */
static const int64_t size[SIZES] = {6, 10, 20, 40, 100, 400};
static tacit_ctx *ctx;
static uint64_t state = 1;

/* Share of audits of so many runs that flag, by the bet on all queries alone: a third of the
   evidence, divided among factors. pool: of a run on each side together. */
static double share(double (*pool)[TAC_EVIDENCE_FACTORS], int64_t many, int64_t runs, double least)
{
    int flagged = 0;

    for (int a = 0; a < AUDITS; a++) {
        double sum[TAC_EVIDENCE_FACTORS] = {0}, most = -INFINITY;
        for (int64_t i = 0; i < runs; i += 2) {
            const double *one = pool[next() % (uint64_t)many];
            for (int f = 0; f < TAC_EVIDENCE_FACTORS; f++) sum[f] += one[f];
        }
        for (int f = 0; f < TAC_EVIDENCE_FACTORS; f++) most = fmax(most, sum[f]);
        flagged += most - log(3 * TAC_EVIDENCE_FACTORS) >= least;
    }
    return (double)flagged / AUDITS;
}

/* The pair of neighbors that is furthest apart, and the root of how far that is over what was
   charged. */
static double reach(const tac_attack *attack, tac_neighbors *rows, const char **what)
{
    double most = 0, room[4][8];
    const tac_sample sample[2] = {{room[0], room[1]}, {room[2], room[3]}};

    for (int design = 0;
         tac_neighbors_make(attack->family->counts, attack->opts.neighbors, design, 1, rows);
         design++) {
        tac_tally tally = {0};
        double charged = 0;
        if (tac_attack_pairs(ctx, attack, rows, 8, sample, &tally) != TACIT_OK) return NAN;
        for (int i = 0; i < 8; i++) charged += sample[0].charged[i] + sample[1].charged[i];
        if (tally.apart / charged > most) most = tally.apart / charged, *what = rows->what;
    }
    return sqrt(most);
}

static void one(const tacit_audit_target *t, double delta, tacit_neighbors neighbors, int64_t many)
{
    static const char *const words[] = {"add-remove", "replace", "entry"};
    const double least = -log(0.1 * 0.001);
    double(*pool)[TAC_EVIDENCE_FACTORS] = malloc((size_t)many * sizeof *pool), room[4];
    tac_neighbors *rows = malloc(sizeof *rows);
    tac_attack attack = {0};
    const char *what = "-";

    for (int32_t f = 0; tac_audit_family_at(f) != NULL; f++)
        if (strcmp(tac_audit_family_at(f)->name, t->family) == 0)
            attack.family = tac_audit_family_at(f);
    tacit_audit_opts_init(&attack.opts, sizeof attack.opts);
    attack.opts.method = t->method;
    attack.opts.epsilon = delta > 0 ? 10.997 : 3;
    attack.opts.delta = delta;
    attack.opts.neighbors = neighbors;
    const double far = reach(&attack, rows, &what);
    tac_neighbors_make(attack.family->counts, neighbors, 0, 1, rows);
    attack.opts.noise_factor = 0.5;
    const clock_t begun = clock();
    for (int64_t i = 0; i < many; i++) {
        tac_tally tally = {0};
        const tac_sample sample[2] = {{&room[0], &room[1]}, {&room[2], &room[3]}};
        if (tac_attack_pairs(ctx, &attack, rows, 1, sample, &tally) != TACIT_OK) exit(1);
        for (int f = 0; f < TAC_EVIDENCE_FACTORS; f++) pool[i][f] = tally.evidence.all[f];
    }
    const double speed = 2 * (double)many * CLOCKS_PER_SEC / (double)(clock() - begun);
    printf("| %s %s | %s | %s |", t->family, t->name, delta > 0 ? "1e-6" : "0", words[neighbors]);
    for (int s = 0; s < SIZES; s++) printf(" %.4f |", share(pool, many, size[s], least));
    printf(" %.2f | %s | %.3f |\n", far, what, speed / 1000);
    fflush(stdout);
    free(pool);
    free(rows);
}

int main(int argc, char **argv)
{
    const int64_t many = argc > 1 ? atoll(argv[1]) : 200;
    tacit_audit_target t;

    if (tacit_ctx_new(&ctx) != TACIT_OK || tacit_ctx_set_threads(ctx, 1) != TACIT_OK) return 1;
    printf("| method | delta | neighbors |");
    for (int s = 0; s < SIZES; s++) printf(" %lld runs |", (long long)size[s]);
    printf(" reach | pair | of 1,000 pairs a second "
           "|\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int32_t i = 0;; i++) {
        tacit_audit_target_init(&t, sizeof t);
        if (tacit_audit_target_get(i, &t) != TACIT_OK) break;
        if (argc > 3 && (strcmp(argv[2], t.family) != 0 || strcmp(argv[3], t.name) != 0)) continue;
        for (int variant = 0; variant < 6; variant++) {
            const tacit_neighbors n = (tacit_neighbors)(variant / 2);
            if (variant % 2 ? !t.pure : !t.approximate) continue;
            if (n == TACIT_ENTRY ? !t.entry : !t.rows) continue;
            one(&t, variant % 2 ? 0 : 1e-6, n, many);
        }
    }
    return 0;
}
