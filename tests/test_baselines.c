/* SPDX-License-Identifier: Apache-2.0 */
/* The published baselines, all by one table: rows that hurt, budget spent, the same bits for any
   order and threads, recovery when there is hardly any noise, persons, refusals, plans. */
#include "cluster/kmeans/literature/noisy_lloyd_step.h"
#include "tap.h"

#include <math.h>

static tacit_ctx *ctx;

/* How far from plain k-means each may end on four far clusters with hardly any noise, the best of a
   few starts, pure and approximate: seeding alone is within 3, and its noise at delta > 0 is still
   wider than a cluster. */
static const struct {
    tacit_kmeans_method which;
    double worst[2];
    int32_t rounds;
} methods[] = {
    {TACIT_KMEANS_SULQ, {1.02, 1.02}, 0}, {TACIT_KMEANS_DPLLOYD, {1.02, 1.02}, 0},
    {TACIT_KMEANS_GRID, {1.05, 1.05}, 0}, {TACIT_KMEANS_GRID, {1.02, 1.02}, 1},
    {TACIT_KMEANS_KVARIATES, {3, 25}, 0}, {TACIT_KMEANS_LSH_TREE, {1.5, 1.5}, 0},
};
enum { METHODS = sizeof methods / sizeof *methods };

static const char *name_of(int m)
{
    return methods[m].rounds > 0 ? "grid with a round"
                                 : tac_kmeans_method_of(methods[m].which)->name;
}

typedef struct world {
    const double *rows;
    int64_t n;
    int32_t dims, k;
    bool ball;
    tacit_neighbors neighbors;
    const int64_t *owner; /* persons of at most 3 rows; NULL: none */
    double epsilon, delta;
    int32_t rounds; /* 0: the method's own */
    uint64_t seed;
    uint64_t spent; /* out: units of all receipts */
} world;

static void add_up(void *payload, const tac_receipt *r, const uint64_t *answer, size_t count)
{
    (void)answer;
    (void)count;
    ((world *)payload)->spent += r->quanta;
}

static tacit_status try(int m, world *w, tacit_model **out)
{
    const tac_door_probe probe = {.exact = add_up, .payload = w};
    tacit_data *data = NULL;
    tacit_budget b;
    tacit_kmeans_opts o;

    MUST(tacit_data_from_memory(ctx, w->rows, TACIT_F64, w->n, w->dims, &data) == TACIT_OK);
    MUST((w->ball ? tacit_data_set_ball(ctx, data, NULL, 1)
                  : tacit_data_declare_bounds(ctx, data, "-1:1")) == TACIT_OK);
    tacit_budget_init(&b, sizeof b);
    tacit_kmeans_opts_init(&o, sizeof o);
    if (w->owner != NULL) { /* rows in memory have no unit column: give them owners by hand */
        MUST(tac_data_load(ctx, data, NULL) == TACIT_OK);
        data->told_unit = w->owner;
        data->selection.unit = 0;
        data->has_units = true;
        b.max_rows_per_unit = 3;
    }
    b.epsilon = w->epsilon;
    b.delta = w->delta;
    b.neighbors = w->neighbors;
    b.use_insecure_test_seed = 1;
    b.insecure_test_seed = w->seed;
    o.method = methods[m].which;
    o.k = w->k;
    o.rounds = w->rounds > 0 ? w->rounds : methods[m].rounds;
    w->spent = 0;
    const tacit_status status = tac_kmeans_probed(ctx, data, &b, &o, false, &probe, out);
    tacit_data_free(data);
    return status;
}

static tacit_model *fit(int m, world *w)
{
    tacit_model *model = NULL;
    if (try(m, w, &model) != TACIT_OK) printf("# %s: %s\n", name_of(m), tacit_ctx_message(ctx));
    MUST(model != NULL);
    return model;
}

/* Every number is one, centers lie in the domain, and the release can be written. */
static bool sound(const tacit_model *model, bool ball)
{
    const int32_t k = tacit_model_k(model), d = tacit_model_column_count(model);
    const double *center = tacit_model_centers(model), *sd = tacit_model_centers_sd(model);
    char *text = NULL;
    bool good = isfinite(tacit_model_sizes_sd(model)) && tacit_model_sizes_sd(model) > 0;

    for (int32_t c = 0; c < k; c++) {
        double squares = 0;
        good = good && isfinite(tacit_model_sizes(model)[c]);
        for (int32_t j = 0; j < d; j++) {
            const double at = center[c * d + j];
            good = good && isfinite(at) && fabs(at) <= 1 + 1e-9 && isfinite(sd[c * d + j]) &&
                   sd[c * d + j] >= 0;
            squares += at * at;
        }
        good = good && (!ball || squares <= 1 + 1e-9);
    }
    good = good && tacit_model_json(ctx, model, &text) == TACIT_OK;
    tacit_free(text);
    return good;
}

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

enum { N = 4000, D = 2, K = 4 };
static double far_rows[N * D];

/* Four small clusters off the axes and off one another's rays. */
static void make_rows(void)
{
    static const double at[K][D] = {{0.7, 0.3}, {-0.4, 0.6}, {-0.6, -0.5}, {0.3, -0.7}};
    uint64_t state = 5;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++)
            far_rows[i * D + j] = at[i % K][j] + 0.06 * (uniform(&state) + uniform(&state) - 1);
}

static void test_rows_that_hurt(void)
{
    enum { MOST = 64 };
    static double one[MOST * 3], equal[MOST * 3], outside[MOST * 3], odd[MOST * 3];
    static const double none[1] = {0};
    uint64_t state = 3;

    for (int i = 0; i < MOST * 3; i++) {
        equal[i] = 0.25;
        outside[i] = i % 2 ? 50 : -3;
        one[i] = 0.5;
        /* a constant column, values missing */
        odd[i] = i % 3 == 0 ? 0.125 : i % 7 == 0 ? NAN : 2 * uniform(&state) - 1;
    }
    const struct {
        const char *what;
        const double *rows;
        int64_t n;
        int32_t dims, k;
    } kinds[] = {
        {"no rows", none, 0, 2, 3},
        {"one row", one, 1, 3, 2},
        {"equal rows", equal, MOST, 3, 4},
        {"rows outside", outside, MOST, 3, 3},
        {"a constant column", odd, MOST, 3, 3},
        {"one column", odd, MOST, 1, 2},
        {"more centers than rows", odd, 5, 2, 9},
        {"one center", odd, MOST, 3, 1},
    };
    static const double epsilons[] = {1e-6, 0.01, 1, 1000};

    for (int m = 0; m < METHODS; m++) {
        int bad = 0, refused = 0, runs = 0;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            for (int e = 0; e < 4; e++)
                for (int option = 0; option < 4; option++) {
                    world w = {.rows = kinds[i].rows,
                               .n = kinds[i].n,
                               .dims = kinds[i].dims,
                               .k = kinds[i].k,
                               .ball = option % 2,
                               .epsilon = epsilons[e],
                               .delta = option / 2 ? 1e-6 : 0,
                               .seed = i};
                    tacit_model *model = NULL;
                    const tacit_status status = try(m, &w, &model);
                    runs++;
                    /* noise beyond 64 bits: refused before a row is read */
                    if (status == TACIT_E_ARGUMENT && e == 0)
                        refused++;
                    else if (status != TACIT_OK || !sound(model, w.ball)) {
                        printf("# %s, epsilon %g, option %d: %s\n", kinds[i].what, epsilons[e],
                               option, tacit_ctx_message(ctx));
                        bad++;
                    }
                    tacit_model_free(model);
                }
        CHECK(bad == 0, "%s: %d runs on rows that hurt give sound releases (%d bad, %d refused)",
              name_of(m), runs, bad, refused);
    }
}

static void test_budget(void)
{
    for (int m = 0; m < METHODS; m++)
        for (int pure = 0; pure < 2; pure++) {
            world w = {.rows = far_rows,
                       .n = N,
                       .dims = D,
                       .k = K,
                       .epsilon = 1.3,
                       .delta = pure ? 0 : 1e-7,
                       .seed = 2};
            tacit_model_free(fit(m, &w));
            const uint64_t quanta =
                tac_budget_quanta(pure ? TAC_PURE : TAC_GDP, w.epsilon, w.delta);
            CHECK(w.spent <= quanta && (double)w.spent > 0.9999 * (double)quanta,
                  "%s, %s: spends its budget, and no more (%.6f)", name_of(m),
                  pure ? "pure" : "approximate", (double)w.spent / (double)quanta);
        }
}

/* Order and threads: the numbers of a release are the same bits. */
static void test_bits(void)
{
    static double mixed[N * D];
    static const int threads[] = {1, 3, 2};

    /* 1777 and N are coprime: every row is there once. */
    for (int i = 0; i < N; i++)
        memcpy(mixed + D * ((i * 1777 + 5) % N), far_rows + D * i, sizeof *mixed * D);
    for (int m = 0; m < METHODS; m++) {
        const int64_t block_bytes = ctx->block_bytes;
        tacit_model *model[3];
        bool same = true;
        for (int i = 0; i < 3; i++) {
            world w = {.rows = i == 0 ? far_rows : mixed,
                       .n = N,
                       .dims = D,
                       .k = K,
                       .epsilon = 2,
                       .delta = 1e-6,
                       .seed = 8};
            ctx->threads = threads[i];
            ctx->block_bytes = i == 2 ? 1000 : block_bytes;
            model[i] = fit(m, &w);
        }
        ctx->block_bytes = block_bytes;
        for (int i = 1; i < 3; i++)
            same = same &&
                   memcmp(tacit_model_centers(model[0]), tacit_model_centers(model[i]),
                          sizeof(double) * K * D) == 0 &&
                   memcmp(tacit_model_sizes(model[0]), tacit_model_sizes(model[i]),
                          sizeof(double) * K) == 0;
        CHECK(same, "%s: the same bits for any order of rows, threads and blocks", name_of(m));
        for (int i = 0; i < 3; i++) tacit_model_free(model[i]);
    }
}

static double cost(const tacit_model *model)
{
    double sum = 0;

    for (int i = 0; i < N; i++) {
        double least = INFINITY;
        for (int32_t c = 0; c < tacit_model_k(model); c++) {
            double far = 0;
            for (int j = 0; j < D; j++)
                far += pow(far_rows[i * D + j] - tacit_model_centers(model)[c * D + j], 2);
            least = fmin(least, far);
        }
        sum += least;
    }
    return sum / N;
}

static void test_recovery(void)
{
    const double plain = D * 0.06 * 0.06 / 6; /* variance of the sum of two uniforms */

    for (int m = 0; m < METHODS; m++)
        for (int pure = 0; pure < 2; pure++) {
            double best = INFINITY;
            /* a start may be unlucky */
            for (uint64_t seed = 0; seed < 5 && best >= methods[m].worst[!pure]; seed++) {
                world w = {.rows = far_rows,
                           .n = N,
                           .dims = D,
                           .k = K,
                           .epsilon = 1000,
                           .delta = pure ? 0 : 0.1,
                           .seed = seed};
                tacit_model *model = fit(m, &w);
                best = fmin(best, cost(model) / plain);
                tacit_model_free(model);
            }
            CHECK(best < methods[m].worst[!pure],
                  "%s, %s: finds far clusters when there is hardly any noise (%.3f)", name_of(m),
                  pure ? "pure" : "approximate", best);
        }
}

/* Noise for a person of three rows is larger than for one row, and replace needs no less than
   add-remove. */
static void test_persons(void)
{
    static int64_t owner[N];

    for (int i = 0; i < N; i++) owner[i] = i / 4;
    for (int m = 0; m < METHODS; m++) {
        double sd[2][2];
        for (int persons = 0; persons < 2; persons++)
            for (int replace = 0; replace < 2; replace++) {
                world w = {.rows = far_rows,
                           .n = N,
                           .dims = D,
                           .k = K,
                           .epsilon = 5,
                           .delta = 1e-6,
                           .seed = 4,
                           .ball = true,
                           /* not fewer for more noise */
                           .rounds = methods[m].which == TACIT_KMEANS_DPLLOYD ? 3 : 0,
                           .owner = persons ? owner : NULL,
                           .neighbors = replace ? TACIT_REPLACE : TACIT_ADD_REMOVE};
                tacit_model *model = fit(m, &w);
                MUST(sound(model, true));
                sd[persons][replace] = tacit_model_sizes_sd(model);
                tacit_model_free(model);
            }
        /* A grid and a tree get coarser with more noise, so their sizes, sums of cells, need not
           get worse. */
        const bool coarser = (methods[m].which == TACIT_KMEANS_GRID && methods[m].rounds == 0) ||
                             methods[m].which == TACIT_KMEANS_LSH_TREE;
        CHECK(coarser || (sd[1][0] > 2 * sd[0][0] && sd[1][1] > 2 * sd[0][1] &&
                          sd[0][1] > 0.999 * sd[0][0]),
              "%s: runs for persons and for replace, with the noise they need", name_of(m));
    }
}

static bool says(const char *words)
{
    const bool found = strstr(tacit_ctx_message(ctx), words) != NULL;
    if (!found) printf("# it says: %s\n", tacit_ctx_message(ctx));
    return found;
}

static void test_refusals(void)
{
    static const double rows[32];
    tacit_model *model = NULL;

    for (int m = 0; m < METHODS; m++) {
        world w = {.rows = rows, .n = 1, .dims = 21, .k = 2, .epsilon = 1};
        if (methods[m].which == TACIT_KMEANS_GRID)
            CHECK(try(m, &w, &model) == TACIT_E_ARGUMENT && says("at most 20 columns") &&
                      w.spent == 0,
                  "%s refuses 21 columns", name_of(m));
        w = (world){.rows = rows, .n = 1, .dims = 1, .k = 1001, .epsilon = 1};
        if (methods[m].which == TACIT_KMEANS_KVARIATES)
            CHECK(try(m, &w, &model) == TACIT_E_ARGUMENT && says("k up to 1000") && w.spent == 0,
                  "%s refuses 1001 centers", name_of(m));
    }
}

static void test_plans(void)
{
    static const double rows[1];
    tacit_data *data = NULL;

    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, 0, 6, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    for (int m = 0; m < METHODS; m++) {
        double share = 0;
        bool good = true;
        for (int pure = 0; pure < 2; pure++) {
            tacit_plan *plan = NULL;
            tacit_budget b;
            tacit_kmeans_opts o;
            tacit_budget_init(&b, sizeof b);
            tacit_kmeans_opts_init(&o, sizeof o);
            b.epsilon = 1;
            b.delta = pure ? 0 : 1e-6;
            o.k = 7;
            o.method = methods[m].which;
            o.rounds = methods[m].rounds;
            MUST(tacit_kmeans_plan(ctx, data, &b, &o, 10000, &plan) == TACIT_OK);
            share = 0;
            for (int32_t i = 0; i < tacit_plan_step_count(plan); i++) {
                tacit_plan_step s;
                tacit_plan_step_init(&s, sizeof s);
                MUST(tacit_plan_step_get(plan, i, &s) == TACIT_OK);
                share += s.share;
                good = good && isfinite(s.error) && s.error > 0 && s.times > 0;
            }
            good = good && share > 0.999 && share < 1.000001 && tacit_plan_advice(plan)[0] != '\0';
            tacit_plan_free(plan);
        }
        CHECK(good, "%s: its plan tells where the whole budget goes (%.6f)", name_of(m), share);
    }
    tacit_data_free(data);
}

/* DP-Lloyd's published numbers: the split of a round and the number of rounds. */
static void test_published_rules(void)
{
    const tac_privacy_params pure = {
        .definition = TAC_PURE, .neighbors = TACIT_ADD_REMOVE, .rows_per_unit = 1};
    const double rho = 0.225;
    int wrong = 0, rounds_wrong = 0;

    for (int32_t d = 1; d <= 200; d++) {
        const double w = tac_dplloyd_weight(TAC_PURE, d), counts = w / (w + sqrt(d) * TAC_M),
                     c = cbrt(4 * d * rho * rho);
        wrong += !(fabs(counts - c / (c + d)) < 1e-4);
        for (int i = 0; i < 40; i++) {
            const double rows = 50 * pow(1.6, i % 20), epsilon = i < 20 ? 0.5 : 5;
            const double least = sqrt(500 * pow(4, 3) / (rows * rows) * pow(d + c, 3));
            const int32_t published = (int32_t)fmax(2, fmin(7, floor(epsilon / least)));
            const int32_t ours =
                tac_dplloyd_rounds(&pure, tac_budget_quanta(TAC_PURE, epsilon, 0), 4, d, rows);
            const double near = epsilon / least;
            rounds_wrong += ours != published && fabs(near - round(near)) > 0.01;
        }
    }
    CHECK(wrong == 0, "counts : sums = cbrt(4 d rho^2) : d for 1 to 200 columns");
    CHECK(rounds_wrong == 0, "as many rounds as the published rule gives (%d differ)",
          rounds_wrong);
}

/* Packed starts keep their distance. */
static void test_packed(void)
{
    double lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1}, middle[3] = {0}, scale[3],
           centers[20 * 3];
    tac_key key;
    tac_stream random;
    double least = INFINITY;

    for (int j = 0; j < 3; j++) scale[j] = TAC_M / sqrt(3);
    const tac_frame frame = {
        .columns = 3, .dims = 3, .lower = lower, .upper = upper, .center = middle, .scale = scale};
    tac_key_from_insecure_seed(3, &key);
    MUST(tac_stream_open(ctx, &key, 0, 0, &random) == TACIT_OK);
    tac_start_packed(&frame, 8, &random, centers);
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < a; b++) {
            double far = 0;
            for (int j = 0; j < 3; j++) far += pow(centers[3 * a + j] - centers[3 * b + j], 2);
            least = fmin(least, sqrt(far) / scale[0]);
        }
    /* Eight balls fill a cube of side 2 best at radius 1/2; random tries reach more than half of
       that. */
    CHECK(least > 0.5 && least <= 1,
          "eight packed points of a cube are far apart (%.2f of its half side)", least);
    tac_stream_close(&random);
}

/* A grid hides where in a box rows are, in every column, and one row of boxes fixes a coordinate
   that no noise moves. */
static void test_boxes(void)
{
    world w = {.rows = far_rows, .n = N, .dims = D, .k = K, .epsilon = 0.01, .seed = 5};
    int m = 0, thin = 0;

    while (methods[m].which != TACIT_KMEANS_GRID) m++;
    for (w.seed = 0; w.seed < 4; w.seed++) {
        tacit_model *model = fit(m, &w);
        /* 4000 rows at epsilon 0.01: about (40 / 10)^(1/2) = 2 boxes a column, a fifth of a unit at
           the least if noise adds rows. */
        for (int i = 0; i < K * D; i++)
            thin += !(tacit_model_centers_sd(model)[i] >= 0.2 / sqrt(12));
        tacit_model_free(model);
    }
    CHECK(thin == 0, "no bar of a grid is narrower than its boxes are (%d are)", thin);
}

/* Noise that throws centers out of the domain is no sign of wrong bounds, and the release says what
   it is. */
static void test_thrown(void)
{
    world w = {.rows = far_rows, .n = N, .dims = D, .k = K, .epsilon = 1, .seed = 5};
    bool told = false;
    int m = 0;

    while (methods[m].which != TACIT_KMEANS_KVARIATES) m++;
    tacit_model *model = fit(m, &w);
    for (int32_t i = 0; tacit_model_note_get(model, i) != NULL; i++)
        told = told || strstr(tacit_model_note_get(model, i), "4 of the 4 centers out of") != NULL;
    CHECK(told && tacit_model_share_at_bounds(model) == 0, "kvariates: centers on the edge are put "
                                                           "down to noise, not to bounds");
    tacit_model_free(model);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 2;
    make_rows();
    test_rows_that_hurt();
    test_budget();
    test_bits();
    test_recovery();
    test_persons();
    test_refusals();
    test_plans();
    test_published_rules();
    test_packed();
    test_boxes();
    test_thrown();
    tacit_ctx_free(ctx);
    return tap_done();
}
