/* SPDX-License-Identifier: Apache-2.0 */
/* Points of parts and method sample-aggregate of k-means under attack: the smooth bound over random
   neighboring sets of points, recovery, rows that hurt, order of rows, persons, budget, refusals.
   Lots and alpha: test_subspace_parts.c. */
#include "cluster/kmeans/kmeans_run.h"
#include "privacy/queries/literature/parts.h"
#include "privacy/run.h"
#include "solve/kmeans/kmeans_internal.h"
#include "tap.h"

#include <math.h>

static tacit_ctx *ctx;
static uint64_t state = 11;

static double uniform(void)
{
    return (double)(tac_plain_random(&state) >> 11) * 0x1p-53;
}

/* ---- distances ---- */

static void distances(void)
{
    const tac_parts plan = {.points = true, .k = 2, .q = 1};
    const double a[] = {0.5, 0, -0.5, 0}, b[] = {-0.5, 0.3, 0.5, 0.4}, far[] = {1, 0, 1, 0},
                 away[] = {-1, 0, -1, 0};
    double one, two;

    MUST(tac_parts_distance(ctx, &plan, a, b, 2, &one) == TACIT_OK &&
         tac_parts_distance(ctx, &plan, far, away, 2, &two) == TACIT_OK);
    CHECK(fabs(one - 0.5) < 1e-12, "the distance is the least over pairings");
    tac_parts_rule rule;
    MUST(tac_parts_rule_for(5, 1e-6, 2, &plan, &rule));
    CHECK(fabs(two - rule.diameter) < 1e-12, "and reaches the diameter");
    /* -v spans the line that v does; as a point it is another one */
    const double v[] = {0.6, 0.8}, minus[] = {-0.6, -0.8};
    MUST(tac_parts_distance(ctx, &(tac_parts){.points = true, .k = 1, .q = 1}, v, minus, 2, &one) ==
         TACIT_OK);
    CHECK(fabs(one - 2) < 1e-12, "points are not lines");
}

/* ---- the smooth bound, from results to words and the scale of noise ---- */

enum { PARTS = 12, K = 3, DIMS = 2, SIZE = K * DIMS };

static void draw_result(int how, double *result)
{
    static const double middle[K][DIMS] = {{0.6, 0.2}, {-0.5, 0.5}, {0, -0.7}};
    const uint64_t first = tac_plain_random(&state) % K; /* an order of its own */

    for (int c = 0; c < K; c++) {
        const double angle = 2 * M_PI * uniform(), length = sqrt(uniform()) * (how == 0   ? 0
                                                                               : how == 1 ? 0.01
                                                                               : how == 2 ? 0.25
                                                                                          : 1);
        const size_t at = ((size_t)c + first) % K;
        result[c * DIMS] = (how == 3 ? 0 : middle[at][0]) + length * cos(angle);
        result[c * DIMS + 1] = (how == 3 ? 0 : middle[at][1]) + length * sin(angle);
    }
}

static void smooth(void)
{
    int16_t none[DIMS] = {0};
    const tac_lattice lattice = {.rows = 1, .dims = DIMS, .stride = DIMS, .points = none};
    tac_accountant account;
    tac_engine engine;
    tac_key key;
    tac_door *door = NULL;
    double steepest = 0, closest = 0;
    bool covers = true, falls = true;
    tac_parts_rule rules[14];

    for (int i = 0; i < 14; i++)
        MUST(tac_parts_rule_for(
            5 + i % 7 * 20, 1e-6, DIMS,
            &(tac_parts){.points = true, .k = K, .q = 1, .parts = PARTS, .overlapping = i % 2 == 1},
            &rules[i]));
    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(3, &key);
    tac_accountant_open(TAC_GDP, 5, 1e-6, &account);
    MUST(tac_door_open(ctx, &engine, &lattice, TACIT_REPLACE, 1, &account, &key, &door) ==
         TACIT_OK);
    ctx->threads = 1;
    for (long trial = 0; trial < tap_times(4000); trial++) {
        const tac_parts plan = {
            .points = true, .k = K, .q = 1, .parts = PARTS, .overlapping = trial % 2 == 1};
        const tac_parts_rule rule = rules[trial % 14];
        double results[2][PARTS * SIZE], at[2][SIZE], bound[2], moved;
        uint64_t words[SIZE], sigma;
        for (int p = 0; p < PARTS; p++)
            draw_result(trial % 5 == 4 ? (p < PARTS / 2 + 1 ? 1 : 3) : (int)(trial % 5),
                        results[0] + p * SIZE);
        memcpy(results[1], results[0], sizeof results[0]);
        for (int32_t c = 0; c < rule.touched; c++)
            draw_result((int)(tac_plain_random(&state) % 4),
                        results[1] + tac_plain_random(&state) % PARTS * SIZE);
        for (int side = 0; side < 2; side++) {
            MUST(tac_parts_center(door, &plan, &rule, results[side], words, &sigma) == TACIT_OK);
            for (int i = 0; i < SIZE; i++)
                at[side][i] = ldexp((double)(int64_t)words[i], -TAC_PARTS_GRID);
            bound[side] = ldexp((double)sigma, -TAC_PARTS_GRID) * rule.alpha;
        }
        MUST(tac_parts_distance(ctx, &plan, at[0], at[1], DIMS, &moved) == TACIT_OK);
        covers = covers && moved <= fmin(bound[0], bound[1]);
        falls = falls && fabs(log(bound[0] / bound[1])) <= rule.beta + 0x1p-17;
        steepest = fmax(steepest, fabs(log(bound[0] / bound[1])) / rule.beta);
        closest = fmax(closest, moved / fmin(bound[0], bound[1]));
    }
    ctx->threads = 2;
    CHECK(covers, "noise covers how far one unit moves the center (nearest: %.2f of it)", closest);
    CHECK(falls,
          "and falls by e^-beta at most from one data set to its neighbor (steepest: %.4f beta)",
          steepest);
    CHECK(steepest > 0.99 && closest > 0.2, "both limits are nearly reached: the test can fail");
    tac_door_close(door);
}

/* ---- the method ---- */

enum { N = 6000 };
static double rows[N * DIMS];
static const double truth[K][DIMS] = {{0.7, 0.3}, {-0.4, 0.6}, {-0.3, -0.5}};

static uint64_t spent;

static void add_up(void *payload, const tac_receipt *r, const uint64_t *answer, size_t count)
{
    (void)payload, (void)answer, (void)count;
    spent += r->quanta;
}

typedef struct world {
    const double *rows;
    int64_t n;
    int32_t dims, k;
    bool ball;
    const int64_t *owner;
    double epsilon, delta;
} world;

static tacit_status run(const world *w, tacit_model **out)
{
    const tac_door_probe probe = {.exact = add_up};
    tacit_data *data = NULL;
    tacit_budget b;
    tacit_kmeans_opts o;

    MUST(tacit_data_from_memory(ctx, w->rows, TACIT_F64, w->n, w->dims, &data) == TACIT_OK);
    MUST((w->ball ? tacit_data_set_ball(ctx, data, NULL, 1)
                  : tacit_data_declare_bounds(ctx, data, "-1:1")) == TACIT_OK);
    if (w->owner != NULL) MUST(tacit_data_set_units(ctx, data, w->owner, "person") == TACIT_OK);
    tacit_budget_init(&b, sizeof b);
    tacit_kmeans_opts_init(&o, sizeof o);
    b.epsilon = w->epsilon;
    b.delta = w->delta;
    b.max_rows_per_unit = w->owner != NULL ? 3 : 0;
    b.use_insecure_test_seed = 1;
    b.insecure_test_seed = 7;
    o.method = TACIT_KMEANS_SAMPLE_AGGREGATE;
    o.k = w->k;
    spent = 0;
    *out = NULL;
    const tacit_status status = tac_kmeans_probed(ctx, data, &b, &o, false, &probe, out);
    tacit_data_free(data);
    return status;
}

/* Centers in the domain, nothing told that is not known, and a release that can be written. */
static bool sound(const tacit_model *model, bool ball)
{
    const int32_t k = tacit_model_k(model), d = tacit_model_column_count(model);
    char *text = NULL;
    bool good = isnan(tacit_model_sizes_sd(model)) && tacit_model_share_at_bounds(model) == 0;

    for (int32_t c = 0; c < k; c++) {
        double squares = 0;
        for (int32_t j = 0; j < d; j++) {
            const double at = tacit_model_centers(model)[c * d + j];
            good = good && isfinite(at) && fabs(at) <= 1 + 1e-9 &&
                   isnan(tacit_model_centers_sd(model)[c * d + j]);
            squares += at * at;
        }
        good = good && isnan(tacit_model_sizes(model)[c]) && (!ball || squares <= 1 + 1e-9);
    }
    good = good && tacit_model_json(ctx, model, &text) == TACIT_OK;
    tacit_free(text);
    return good;
}

static void recovery(void)
{
    for (int ball = 0; ball < 2; ball++) {
        const world w = {.rows = rows,
                         .n = N,
                         .dims = DIMS,
                         .k = K,
                         .ball = ball,
                         .epsilon = 100,
                         .delta = 1e-6};
        tacit_model *model = NULL;
        double worst = 0;
        MUST(run(&w, &model) == TACIT_OK);
        for (int i = 0; i < K; i++) {
            double least = INFINITY;
            for (int c = 0; c < K; c++)
                least = fmin(least, hypot(tacit_model_centers(model)[c * DIMS] - truth[i][0],
                                          tacit_model_centers(model)[c * DIMS + 1] - truth[i][1]));
            worst = fmax(worst, least);
        }
        CHECK(worst < 0.03 && sound(model, ball),
              "three far clusters are found at epsilon 100 (worst center off by %.4f)", worst);
        CHECK(spent == tac_budget_quanta(TAC_GDP, 100, 1e-6), "and the whole budget is spent, and "
                                                              "no more");
        tacit_model_free(model);
    }
}

/* Order, threads and persons: rows of a person stand together or apart. */
static void order(void)
{
    static double mixed[N * DIMS];
    static int64_t owner[2][N];

    for (int i = 0; i < N; i++) { /* 1777 and N are coprime: every row is there once */
        const int to = (int)((i * INT64_C(1777) + 5) % N);
        memcpy(mixed + DIMS * to, rows + DIMS * i, sizeof *mixed * DIMS);
        owner[0][i] = i / 3;
        owner[1][to] = i / 3;
    }
    for (int persons = 0; persons < 2; persons++) {
        tacit_model *model[2];
        for (int side = 0; side < 2; side++) {
            const world w = {.rows = side == 0 ? rows : mixed,
                             .n = N,
                             .dims = DIMS,
                             .k = K,
                             .epsilon = 10,
                             .delta = 1e-6,
                             .owner = persons ? owner[side] : NULL};
            ctx->threads = 1 + 2 * side;
            MUST(run(&w, &model[side]) == TACIT_OK);
        }
        CHECK(memcmp(tacit_model_centers(model[0]), tacit_model_centers(model[1]),
                     sizeof(double) * SIZE) == 0,
              "%s: rows in another order on other threads: the same bits",
              persons ? "persons" : "rows");
        tacit_model_free(model[0]);
        tacit_model_free(model[1]);
    }
    ctx->threads = 2;
}

/* A run with persons who have more rows than may count, and with rows of nobody: of every row that
   the door has, its first coordinate says whose it is. Then the lots: all rows of a person fall
   into the same parts, no more than a person may touch. */
static void surplus(void)
{
    enum { PERSONS = 40, MOST = 400, COUNTED = 3 };
    static double with[MOST * DIMS];
    static int64_t owner[MOST];
    tacit_data *data = NULL;
    tacit_budget b;
    tac_run opened;
    int64_t counted[PERSONS] = {0}, mine[PERSONS] = {0}, wrong = 0, apart = 0, at_most = 0;

    /* 7 or 8 rows a person and many of nobody, mixed: an index shifted by one finds somebody
       else */
    for (int i = 0; i < MOST; i++) {
        const int64_t person = (i * INT64_C(17) + i / 9) % (PERSONS + 12) - 12;
        owner[i] = person < 0 ? -1 : person;
        with[i * DIMS] = person < 0 ? 1 : (double)person / PERSONS - 0.5;
        with[i * DIMS + 1] = uniform() - 0.5;
        if (person >= 0) mine[person]++;
    }
    MUST(tacit_data_from_memory(ctx, with, TACIT_F64, MOST, DIMS, &data) == TACIT_OK &&
         tacit_data_set_ball(ctx, data, NULL, 2) == TACIT_OK);
    MUST(tacit_data_set_units(ctx, data, owner, "person") == TACIT_OK);
    tacit_budget_init(&b, sizeof b);
    b.epsilon = 50;
    b.delta = 1e-6;
    b.max_rows_per_unit = COUNTED;
    MUST(tac_run_open(ctx, data, &b, TACIT_SCALE_NONE, TAC_MIDDLE, 0, "test", &opened) == TACIT_OK);
    const tac_lattice *l = &opened.lattice[TAC_ROWS];
    for (int64_t i = 0; i < l->rows; i++) {
        const int64_t person = llround((l->points[i * l->stride] * 2.0 / TAC_M + 0.5) * PERSONS);
        const bool known = person >= 0 && person < PERSONS;
        wrong += !known || tac_person_compare(opened.owner[i],
                                              tac_person_of_signed(&data->person_key, person)) != 0;
        if (known) counted[person]++;
    }
    for (int p = 0; p < PERSONS; p++)
        wrong += counted[p] != (mine[p] < COUNTED ? mine[p] : COUNTED);
    CHECK(wrong == 0,
          "surplus and nobody's rows: every row that counts stays with its person (%lld of %lld do "
          "not)",
          (long long)wrong, (long long)l->rows);
    for (int overlapping = 0; overlapping < 2; overlapping++) {
        const tac_parts plan = {
            .points = true, .k = 2, .q = 1, .parts = 9, .overlapping = overlapping};
        uint32_t in[MOST] = {0}, of[PERSONS] = {0};
        bool seen[PERSONS] = {0};
        tac_parts_rule rule;
        tac_parts_rows split;
        MUST(tac_parts_rule_of(opened.door, &plan, &rule));
        MUST(tac_parts_split(opened.door, &plan, &rule, 0, &split) == TACIT_OK);
        for (int32_t p = 0; p < rule.parts; p++)
            for (int64_t i = split.first[p]; i < split.first[p + 1]; i++)
                in[split.row[i]] |= UINT32_C(1) << p;
        for (int64_t i = 0; i < l->rows; i++) {
            const int64_t person =
                llround((l->points[i * l->stride] * 2.0 / TAC_M + 0.5) * PERSONS);
            MUST(person >= 0 && person < PERSONS);
            if (!seen[person]) of[person] = in[i], seen[person] = true;
            apart += in[i] != of[person];
            at_most += __builtin_popcount(in[i]) > rule.touched;
        }
        tac_free(split.first);
        tac_free(split.row);
    }
    CHECK(apart == 0 && at_most == 0,
          "... and falls into the same parts as its person's others (%lld do not), few enough "
          "(%lld are in too many)",
          (long long)apart, (long long)at_most);
    CHECK(tac_run_close(&opened, TACIT_OK) == TACIT_OK, "... and the run ends");
    tacit_data_free(data);
}

static void hurt(void)
{
    enum { MOST = 200 };
    static double equal[MOST * 3], outside[MOST * 3], odd[MOST * 3];
    int bad = 0, refused = 0, runs = 0;

    for (int i = 0; i < MOST * 3; i++) {
        equal[i] = 0.25;
        outside[i] = i % 2 ? 50 : -3;
        odd[i] = i % 3 == 0 ? 0.125 : i % 7 == 0 ? NAN : 2 * uniform() - 1;
    }
    const struct {
        const double *rows;
        int64_t n;
        int32_t dims, k;
    } kinds[] = {
        {equal, 0, 2, 3},  {odd, 1, 3, 2},    {equal, MOST, 3, 4}, {outside, MOST, 3, 3},
        {odd, MOST, 3, 3}, {odd, MOST, 1, 2}, {odd, 5, 2, 9},      {odd, MOST, 3, 1},
    };
    static const double epsilons[] = {1e-6, 0.01, 1, 1000};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int e = 0; e < 4; e++)
            for (int ball = 0; ball < 2; ball++) {
                const world w = {.rows = kinds[i].rows,
                                 .n = kinds[i].n,
                                 .dims = kinds[i].dims,
                                 .k = kinds[i].k,
                                 .ball = ball,
                                 .epsilon = epsilons[e],
                                 .delta = 1e-6};
                tacit_model *model = NULL;
                const tacit_status status = run(&w, &model);
                runs++;
                if (status == TACIT_E_ARGUMENT && e < 2)
                    refused++;
                else if (status != TACIT_OK || !sound(model, ball)) {
                    printf("# kind %d, epsilon %g, ball %d: %s\n", (int)i, epsilons[e], ball,
                           tacit_ctx_message(ctx));
                    bad++;
                }
                tacit_model_free(model);
            }
    CHECK(bad == 0 && refused < runs / 2,
          "%d runs on rows that hurt give sound releases (%d bad, %d refused)", runs, bad, refused);
    /* Equal rows: all parts agree, and only the smallest noise is left. */
    const world w = {.rows = equal, .n = MOST, .dims = 3, .k = 1, .epsilon = 1000, .delta = 1e-6};
    tacit_model *model = NULL;
    MUST(run(&w, &model) == TACIT_OK);
    CHECK(fabs(tacit_model_centers(model)[0] - 0.25) < 0.01, "equal rows are found where they are");
    tacit_model_free(model);
}

static bool says(const char *words)
{
    const bool found = strstr(tacit_ctx_message(ctx), words) != NULL;
    if (!found) printf("# it says: %s\n", tacit_ctx_message(ctx));
    return found;
}

static void refusals(void)
{
    world w = {.rows = rows, .n = 100, .dims = DIMS, .k = K, .epsilon = 5, .delta = 0};
    tacit_model *model = NULL;

    CHECK(run(&w, &model) == TACIT_E_ARGUMENT && says("needs delta above 0") && spent == 0,
          "delta 0 is refused");
    w.delta = 1e-6;
    w.k = 101;
    CHECK(run(&w, &model) == TACIT_E_ARGUMENT && says("k up to 100") && spent == 0, "101 centers "
                                                                                    "are refused");
    w.k = K;
    w.epsilon = 1e-6;
    CHECK(run(&w, &model) == TACIT_E_ARGUMENT && says("epsilon is too small") && spent == 0,
          "an epsilon that no noise serves is refused");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 2;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < DIMS; j++)
            rows[i * DIMS + j] = truth[i % K][j] + 0.06 * (uniform() + uniform() - 1);
    distances();
    smooth();
    recovery();
    order();
    surplus();
    hurt();
    refusals();
    tacit_ctx_free(ctx);
    return tap_done();
}
