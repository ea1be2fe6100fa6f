/* SPDX-License-Identifier: Apache-2.0 */
/* Quality of the methods that draw subspaces, on the two synthetic settings of Wang, Wang & Singh
   (2015) and two larger ones: cost and distance d_W (projector norm) to the true subspaces, and
   both as ratios to random subspaces. gibbs100 takes the mean of both over the last 100 states of a
   chain, as the paper does; a release never does. Usage: subspace_draws bingham|gibbs|gibbs100
   SETTING SETS EPSILON [pure|approx] [rounds] */
#include "cluster/subspace/subspace_run.h"
#include "privacy/draws/gibbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static tacit_ctx *ctx;
static tac_stream stream;

#define MUST(x)                                                                                    \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            fprintf(stderr, "%s: %s\n", #x, tacit_ctx_message(ctx));                               \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { MOST = 64 };

typedef struct set {
    int32_t n, d, k, q;
    double sigma, *x, *truth;
} set;

static set make(int setting, uint64_t seed)
{
    set s = setting == 1   ? (set){5000, 5, 3, 3, .01, NULL, NULL}
            : setting == 2 ? (set){1000, 10, 3, 3, .1, NULL, NULL}
            /* the size of the paper's faces */
            : setting == 3 ? (set){320, 50, 5, 9, .01, NULL, NULL}
                           : (set){4000, 20, 4, 5, .05, NULL, NULL};
    tac_key key;
    double y[MOST], w[MOST];

    tac_key_from_insecure_seed(seed, &key);
    MUST(tac_stream_open(ctx, &key, 0, 0, &stream) == TACIT_OK);
    s.x = calloc((size_t)(s.n * s.d), sizeof *s.x);
    s.truth = calloc((size_t)(s.k * s.q * s.d), sizeof *s.truth);
    for (int l = 0; l < s.k; l++) tac_draw_frame(&stream, 0, s.q, s.d, s.truth + l * s.q * s.d);
    for (int i = 0; i < s.n; i++) {
        const double *u = s.truth + i % s.k * s.q * s.d;
        double *x = s.x + i * s.d, length = 0;
        tac_draw_normals(&stream, (size_t)s.q, y);
        tac_draw_normals(&stream, (size_t)s.d, w);
        for (int r = 0; r < s.q; r++) length += y[r] * y[r];
        for (int j = 0; j < s.d; j++) {
            x[j] = s.sigma * w[j];
            for (int r = 0; r < s.q; r++) x[j] += y[r] / sqrt(length) * u[r * s.d + j];
        }
    }
    return s;
}

static double cost(const set *s, const double *bases)
{
    double sum = 0;
    for (int i = 0; i < s->n; i++) {
        const double *x = s->x + i * s->d;
        double norm = 0, most = 0;
        for (int j = 0; j < s->d; j++) norm += x[j] * x[j];
        const double scale = norm > 1 ? 1 / norm : 1; /* rows are pulled into the ball */
        for (int l = 0; l < s->k; l++) {
            double held = 0;
            for (int r = 0; r < s->q; r++) {
                double dot = 0;
                for (int j = 0; j < s->d; j++) dot += x[j] * bases[(l * s->q + r) * s->d + j];
                held += dot * dot;
            }
            most = fmax(most, held);
        }
        sum += (norm - most) * scale;
    }
    return sum / s->n;
}

/* |UU' - VV'|^2 = 2 q - 2 |U'V|^2 */
static double apart(const set *s, const double *u, const double *v)
{
    double sum = 0;
    for (int r = 0; r < s->q; r++)
        for (int t = 0; t < s->q; t++) {
            double dot = 0;
            for (int j = 0; j < s->d; j++) dot += u[r * s->d + j] * v[t * s->d + j];
            sum += dot * dot;
        }
    return fmax(0, 2 * s->q - 2 * sum);
}

/* The best of all ways to match: subspaces from l on with those not taken. */
static double match(const set *s, const double *bases, int l, unsigned taken)
{
    const int each = s->q * s->d;
    double best = INFINITY;

    if (l == s->k) return 0;
    for (int m = 0; m < s->k; m++)
        if ((taken >> m & 1) == 0)
            best = fmin(best, apart(s, bases + l * each, s->truth + m * each) +
                                  match(s, bases, l + 1, taken | 1U << m));
    return best;
}

static double distance(const set *s, const double *bases)
{
    return sqrt(match(s, bases, 0, 0));
}

/* A chain on the run's own lattice, replace: a = epsilon / 2. */
static void run_chain(const set *s, const tac_run *run, double epsilon, int rounds,
                      double *mean_cost, double *mean_distance)
{
    tac_chain chain;

    MUST(tac_chain_open(ctx, &run->lattice[TAC_ROWS], epsilon / 2, s->k, s->q, &chain) == TACIT_OK);
    for (int l = 0; l < s->k; l++)
        tac_draw_frame(&stream, 0, s->q, s->d, chain.basis + l * s->q * s->d);
    tac_chain_collect(&chain);
    *mean_cost = *mean_distance = 0;
    for (int t = 0; t < rounds; t++) {
        tac_chain_labels(&chain, &stream);
        MUST(tac_chain_bases(ctx, &chain, &stream) == TACIT_OK);
        if (t < rounds - 100) continue;
        *mean_cost += cost(s, chain.basis) / 100;
        *mean_distance += distance(s, chain.basis) / 100;
    }
    tac_chain_close(&chain);
}

int main(int argc, char **argv)
{
    const bool gibbs = argc > 1 && strncmp(argv[1], "gibbs", 5) == 0,
               mean = argc > 1 && strcmp(argv[1], "gibbs100") == 0;
    const int setting = atoi(argv[2]), sets = atoi(argv[3]);
    const double epsilon = atof(argv[4]);
    const bool pure = argc <= 5 || strcmp(argv[5], "approx") != 0;
    double sum = 0, squares = 0, costs = 0, random_distance = 0, random_cost = 0, seconds = 0;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    for (int i = 0; i < sets; i++) {
        set s = make(setting, 100 + (uint64_t)i);
        double haar[MOST * MOST];
        tacit_data *data = NULL;
        tacit_budget budget;
        tacit_subspace_opts o;
        tac_run run;
        tac_subspace_result result = {0};
        for (int l = 0; l < s.k; l++) tac_draw_frame(&stream, 0, s.q, s.d, haar + l * s.q * s.d);
        random_distance += distance(&s, haar) / sets;
        random_cost += cost(&s, haar) / sets;
        MUST(tacit_data_from_memory(ctx, s.x, TACIT_F64, s.n, s.d, &data) == TACIT_OK);
        MUST(tacit_data_set_ball(ctx, data, NULL, 1) == TACIT_OK);
        tacit_budget_init(&budget, sizeof budget);
        tacit_subspace_opts_init(&o, sizeof o);
        budget.epsilon = epsilon;
        budget.delta = pure ? 0 : 1 / (s.n * log(s.n));
        budget.neighbors = TACIT_REPLACE;
        budget.use_insecure_test_seed = 1;
        budget.insecure_test_seed = (uint64_t)i;
        o.k = s.k;
        o.q = s.q;
        o.method = gibbs ? TACIT_SUBSPACE_GIBBS : TACIT_SUBSPACE_BINGHAM;
        o.rounds = argc > 6 ? atoi(argv[6]) : 0;
        MUST(tac_run_open(ctx, data, &budget, TACIT_SCALE_NONE, TAC_ZERO, 0, "bench", &run) ==
             TACIT_OK);
        const tac_subspace_job job = {.ctx = ctx,
                                      .run = &run,
                                      .door = run.door,
                                      .frame = &run.frame,
                                      .dims = s.d,
                                      .k = s.k,
                                      .q = s.q,
                                      .opts = &o,
                                      .random = &stream};
        const clock_t start = clock();
        double dw, its_cost;
        if (mean) {
            run_chain(&s, &run, epsilon, o.rounds > 0 ? o.rounds : 10000, &its_cost, &dw);
        } else {
            MUST(tac_subspace_method_of(o.method)->run(&job, &result) == TACIT_OK);
            its_cost = cost(&s, result.bases);
            dw = distance(&s, result.bases);
        }
        seconds += (double)(clock() - start) / CLOCKS_PER_SEC / sets;
        sum += dw / sets;
        squares += dw * dw / sets;
        costs += its_cost / sets;
        if (i == 0 && !mean)
            printf("# rounds %d%s%s\n", result.rounds, result.notes.count > 0 ? ": " : "",
                   result.notes.count > 0 ? result.notes.text[0] : "");
        tac_subspace_result_clear(&result);
        MUST(tac_run_close(&run, TACIT_OK) == TACIT_OK);
        tacit_data_free(data);
        free(s.x);
        free(s.truth);
    }
    printf("%s setting %d %s epsilon %g: cost %.3f (%.3f of random) dW %.3f +- %.3f (%.2f of "
           "random), %d sets, %.2f s each\n",
           argv[1], setting, pure ? "pure" : "approx", epsilon, costs, costs / random_cost, sum,
           sqrt(fmax(0, squares - sum * sum)), sum / random_distance, sets, seconds);
    return 0;
}
