/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces of parts under attack: the smooth bound over random neighbors, alpha against numerical
   integration, distances, persons, order of rows, and that the query stands alone. */
#include "cluster/subspace/subspace_run.h"
#include "privacy/queries/literature/parts.h"
#include "subspace_sets.h"
#include "person_codes.h"
#include "tap.h"

static tacit_ctx *ctx;

/* ---- the smooth bound ---- */

enum { MOST = 24 };

/* Results that are numbers on a line, so that distances are plain. */
static double bound_of(const tac_parts_rule *rule, const double *at, double *where)
{
    double reach[MOST * MOST], room[MOST];
    int32_t center;
    const int32_t m = rule->parts;

    for (int32_t i = 0; i < m; i++) {
        for (int32_t j = 0; j < m; j++) { /* insertion keeps each row sorted */
            const double far = fabs(at[i] - at[j]);
            int32_t t = j;
            for (; t > 0 && reach[i * m + t - 1] > far; t--)
                reach[i * m + t] = reach[i * m + t - 1];
            reach[i * m + t] = far;
        }
    }
    const double bound = tac_parts_smooth(rule, reach, room, &center);
    *where = at[center];
    return bound;
}

/* Numbers in [0, 1]; heaps of equal ones, two heaps, spread ones, and one side as near to the other
   as it can be. */
static void smooth(void)
{
    uint64_t state = 77;
    double steepest = 0, closest = 0;
    bool covers = true, falls = true;

    for (long trial = 0; trial < tap_times(60000); trial++) {
        const int32_t s = 1 + (int32_t)(tac_plain_random(&state) % 3);
        const tac_parts_rule rule = {.parts = 5 + (int32_t)(tac_plain_random(&state) % (MOST - 4)),
                                     .touched = s,
                                     .beta = 0.02 +
                                             0.5 * (double)(tac_plain_random(&state) % 100) / 100,
                                     .diameter = 1};
        double a[MOST], b[MOST], x, y;
        const int how = (int)(trial % 4);
        for (int32_t i = 0; i < rule.parts; i++) {
            const double u = (double)(tac_plain_random(&state) >> 11) * 0x1p-53;
            a[i] = how == 0                 ? 0.3
                   : how == 1               ? (u < 0.5 ? 0.1 : 0.9)
                   : how == 2               ? u
                   : i < rule.parts / 2 + 1 ? 0.5 + 0.001 * u
                                            : u;
            b[i] = a[i];
        }
        for (int32_t c = 0; c < s; c++) {
            const double u = (double)(tac_plain_random(&state) >> 11) * 0x1p-53;
            b[tac_plain_random(&state) % (uint64_t)rule.parts] = trial % 3 == 0   ? 0
                                                                 : trial % 3 == 1 ? 1
                                                                                  : u;
        }
        const double one = bound_of(&rule, a, &x), two = bound_of(&rule, b, &y);
        covers = covers && fabs(x - y) <= fmin(one, two) + 1e-12;
        falls = falls && one <= two * exp(rule.beta) + 1e-12 && two <= one * exp(rule.beta) + 1e-12;
        if (two > 0 && one > 0) steepest = fmax(steepest, fabs(log(one / two)) / rule.beta);
        if (fmin(one, two) > 0) closest = fmax(closest, fabs(x - y) / fmin(one, two));
    }
    CHECK(covers, "the bound covers how far one unit moves the center (nearest: %.2f of it)",
          closest);
    CHECK(falls,
          "and falls by e^-beta at most from one data set to its neighbor (steepest: %.3f beta)",
          steepest);
    CHECK(steepest > 0.99 && closest > 0.2, "both limits are nearly reached: the test can fail");
}

/* ---- alpha ---- */

/* E (1 - e^(eps - L))_+ of N(0, c^2) against N(alpha, 1) in one dimension, by the trapezoid
   rule. */
static double delta_1d(double epsilon, double c, double alpha)
{
    const int steps = 400000;
    const double wide = 40 * c;
    double sum = 0;

    for (int i = 0; i <= steps; i++) {
        const double z = -wide + 2 * wide * i / steps;
        const double p = -z * z / (2 * c * c) - log(c), r = -(z - alpha) * (z - alpha) / 2;
        if (p > epsilon + r) sum += exp(p) * (1 - exp(epsilon + r - p));
    }
    return sum * 2 * wide / steps / sqrt(2 * M_PI);
}

static void noise(void)
{
    const double epsilon[] = {0.1, 1, 10, 100, 1000};

    for (size_t e = 0; e < sizeof epsilon / sizeof *epsilon; e++) {
        const tac_parts plan = {.k = 1, .q = 1, .parts = 50};
        tac_parts_rule rule;
        /* dims only enters as D = k q dims: one number */
        MUST(tac_parts_rule_for(epsilon[e], 1e-5, 1, &plan, &rule));
        double worst = 0;
        for (int t = -4; t <= 4; t++)
            worst = fmax(worst, delta_1d(epsilon[e], exp(rule.beta * t / 4), rule.alpha));
        CHECK(worst <= 1e-5,
              "epsilon %g: alpha %.4f, beta %.4f are private (delta %.2g by integration)",
              epsilon[e], rule.alpha, rule.beta, worst);
        const double paper = epsilon[e] / (5 * sqrt(2 * log(2 / 1e-5)));
        if (epsilon[e] <= 10)
            CHECK(rule.alpha >= paper, "and less noise than the published %.4f", paper);
        CHECK(worst > 1e-9, "without giving away all of delta");
    }
    const tac_parts plan = {.k = 3, .q = 3};
    tac_parts_rule rule;
    CHECK(tac_parts_rule_for(100, 1e-5, 5, &plan, &rule) && rule.parts >= 20 && rule.touched == 1,
          "parts are chosen from public numbers");
    CHECK(!tac_parts_rule_for(1e-6, 1e-5, 5, &plan, &rule), "an epsilon that no noise of 54 bits "
                                                            "serves is refused");
}

static void distances(void)
{
    const double angle = 0.4;
    const double a[] = {1, 0, 0, 0, 0, 1, 0, 0}, b[] = {0, 1, 0, 0, cos(angle), 0, sin(angle), 0};
    double far;

    const tac_parts lines = {.k = 2, .q = 1}, spaces = {.k = 1, .q = 3};
    MUST(tac_parts_distance(ctx, &lines, a, b, 4, &far) == TACIT_OK);
    CHECK(fabs(far - 2 * sin(angle / 2)) < 1e-12, "the distance is the least move of a basis, over "
                                                  "pairings");
    uint64_t state = 3;
    bool good = true;
    for (int t = 0; t < 300; t++) {
        double x[2][3 * 7], y[3 * 7], turned[3 * 7], turn[9], cross = 0, one, wide, room[3];
        for (int i = 0; i < 21; i++) {
            x[0][i] = tac_plain_normal(&state);
            y[i] = x[0][i] + (t % 3) * 0.3 * tac_plain_normal(&state);
        }
        for (int i = 0; i < 9; i++) turn[i] = tac_plain_normal(&state);
        tac_orthonormalise(x[0], 3, 7);
        tac_orthonormalise(y, 3, 7);
        tac_orthonormalise(turn, 3, 3);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 7; j++)
                turned[i * 7 + j] =
                    turn[i * 3] * y[j] + turn[i * 3 + 1] * y[7 + j] + turn[i * 3 + 2] * y[14 + j];
        for (int i = 0; i < 21; i++) cross += (x[0][i] - turned[i]) * (x[0][i] - turned[i]);
        MUST(tac_parts_distance(ctx, &spaces, x[0], turned, 7, &one) == TACIT_OK);
        wide = sqrt(tac_subspace_gap(x[0], y, 3, 7, TAC_GAP_PROJECTORS, room));
        good =
            good && one <= sqrt(cross) + 1e-7 && one <= wide + 1e-7 && one >= wide / sqrt(2) - 1e-7;
    }
    CHECK(good, "no rotation comes nearer, and it lies between the sines' and the projectors' "
                "norm");
}

/* ---- the whole method ---- */

typedef struct seen {
    int queries;
    size_t words;
    uint64_t exact[64], noisy[64];
    double scale;
} seen;

static void see_exact(void *payload, const tac_receipt *receipt, const uint64_t *words,
                      size_t count)
{
    seen *s = payload;
    MUST(count <= 64);
    s->queries++;
    s->words = count;
    s->scale = (double)receipt->scale;
    memcpy(s->exact, words, count * sizeof *words);
}

static void see_noisy(void *payload, const tac_receipt *receipt, uint64_t *words, size_t count)
{
    seen *s = payload;
    (void)receipt;
    memcpy(s->noisy, words, count * sizeof *words);
}

/* Replay: whatever was found, the noisy words are these. */
static void put_noisy(void *payload, const tac_receipt *receipt, uint64_t *words, size_t count)
{
    (void)receipt;
    memcpy(words, ((seen *)payload)->noisy, count * sizeof *words);
}

static tacit_status run(const double *points, const int64_t *unit, int64_t n, int32_t d,
                        double epsilon, const tacit_subspace_opts *opts,
                        const tac_door_probe *probe, tacit_model **out)
{
    tacit_data *data = NULL;
    tacit_budget budget;

    MUST(tacit_data_from_memory(ctx, points, TACIT_F64, n, d, &data) == TACIT_OK);
    MUST(tacit_data_set_ball(ctx, data, NULL, 1) == TACIT_OK);
    if (unit != NULL) MUST(tacit_data_set_units(ctx, data, unit, "person") == TACIT_OK);
    tacit_budget_init(&budget, sizeof budget);
    budget.epsilon = epsilon;
    budget.delta = 1e-6;
    budget.max_rows_per_unit = unit != NULL ? 3 : 0;
    budget.use_insecure_test_seed = 1;
    budget.insecure_test_seed = 5;
    const tacit_status status = tac_subspace_probed(ctx, data, &budget, opts, probe, out);
    tacit_data_free(data);
    return status;
}

static void method(void)
{
    union_set s = union_new(3000, 5, 3, 3, 0.01, 21);
    tacit_subspace_opts opts;
    seen first = {0};

    tacit_subspace_opts_init(&opts, sizeof opts);
    opts.k = 3;
    opts.q = 3;
    opts.method = TACIT_SUBSPACE_SAMPLE_AGGREGATE;
    opts.parts = 30;
    const tac_door_probe probe = {.exact = see_exact, .noisy = see_noisy, .payload = &first};
    tacit_model *model = NULL;
    MUST(run(s.points, NULL, s.n, s.d, 100, &opts, &probe, &model) == TACIT_OK);
    double bases[45], gap;
    for (int c = 0; c < 3; c++)
        for (int j = 0; j < 5; j++)
            for (int v = 0; v < 3; v++)
                bases[(c * 3 + v) * 5 + j] = tacit_model_subspaces(model)[(c * 5 + j) * 3 + v];
    MUST(tac_subspaces_gap(ctx, bases, s.bases, 3, 3, 5, TAC_GAP_PROJECTORS, &gap, NULL) ==
         TACIT_OK);
    CHECK(gap < 0.2 && first.queries == 1,
          "one query at epsilon 100 finds the subspaces (d_W %.3f)", gap);
    tacit_model_free(model);

    /* rows in another order, other threads: the same bits */
    for (int64_t i = 0; i < s.n / 2; i++)
        for (int j = 0; j < 5; j++) {
            const double kept = s.points[i * 5 + j];
            s.points[i * 5 + j] = s.points[(s.n - 1 - i) * 5 + j];
            s.points[(s.n - 1 - i) * 5 + j] = kept;
        }
    seen other = {0};
    const tac_door_probe second = {.exact = see_exact, .noisy = see_noisy, .payload = &other};
    ctx->threads = 3;
    MUST(run(s.points, NULL, s.n, s.d, 100, &opts, &second, &model) == TACIT_OK);
    ctx->threads = 2;
    CHECK(memcmp(first.noisy, other.noisy, first.words * sizeof *first.noisy) == 0,
          "rows in another order on other threads: the same bits");
    tacit_model_free(model);

    /* what is released depends on the noisy words alone: other rows, the same words, the same
       text */
    char *text[2];
    const tac_door_probe replay = {.exact = see_exact, .noisy = put_noisy, .payload = &first};
    union_set t = union_new(2500, 5, 3, 3, 0.3, 4);
    for (int side = 0; side < 2; side++) {
        const union_set *from = side == 0 ? &s : &t;
        MUST(run(from->points, NULL, from->n, from->d, 100, &opts, &replay, &model) == TACIT_OK);
        MUST(tacit_model_json(ctx, model, &text[side]) == TACIT_OK);
        tacit_model_free(model);
    }
    CHECK(strcmp(text[0], text[1]) == 0, "replay: noise sizes, notes and card tell nothing of the "
                                         "rows");
    tacit_free(text[0]);
    tacit_free(text[1]);
    union_clear(&t);

    /* persons of up to 3 rows; overlapping parts; too few rows; no rows of a part */
    int64_t unit[3000];
    for (int64_t i = 0; i < s.n; i++) unit[i] = i / 3;
    MUST(run(s.points, unit, s.n, s.d, 100, &opts, NULL, &model) == TACIT_OK);
    CHECK(model != NULL, "persons");
    tacit_model_free(model);
    opts.overlapping_parts = 1;
    MUST(run(s.points, NULL, s.n, s.d, 100, &opts, NULL, &model) == TACIT_OK);
    CHECK(model != NULL, "overlapping parts");
    tacit_model_free(model);
    opts.overlapping_parts = 0;
    for (int64_t n = 0; n <= 20; n += 10) {
        bool finite = true;
        MUST(run(s.points, NULL, n, s.d, 0.5, &opts, NULL, &model) == TACIT_OK);
        for (int i = 0; i < 45; i++) finite = finite && isfinite(tacit_model_subspaces(model)[i]);
        CHECK(finite, "%d rows: subspaces of noise", (int)n);
        tacit_model_free(model);
    }
    opts.parts = 2;
    CHECK(run(s.points, NULL, s.n, s.d, 1, &opts, NULL, &model) == TACIT_E_ARGUMENT, "two parts "
                                                                                     "are refused");
    union_clear(&s);
}

/* Persons of two rows each: whole, in one part or in few, and parts alike. */
static void lots(void)
{
    enum { PERSONS = 3000, PARTS = 16 };
    static int16_t points[2 * PERSONS * 2];
    static int64_t owner[2 * PERSONS];
    static tac_person person[2 * PERSONS];
    const tac_lattice lattice = {.rows = 2 * PERSONS, .dims = 2, .stride = 2, .points = points};
    tac_accountant account;
    tac_engine engine;
    tac_key key;
    tac_door *door = NULL;

    for (int i = 0; i < 2 * PERSONS; i++) {
        owner[i] = i % PERSONS;
        person[i] = numbered_person(owner[i]);
        points[2 * i] = (int16_t)i;
        points[2 * i + 1] = (int16_t)(i % 5); /* some persons are alike */
    }
    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(3, &key);
    tac_accountant_open(TAC_GDP, 5, 1e-6, &account);
    MUST(tac_door_open(ctx, &engine, &lattice, TACIT_REPLACE, 2, &account, &key, &door) ==
         TACIT_OK);
    tac_door_owners(door, person);
    for (int overlapping = 0; overlapping < 2; overlapping++) {
        const tac_parts plan = {
            .k = 1, .q = 1, .parts = PARTS, .overlapping = overlapping == 1, .restarts = 2};
        static int where[PERSONS][PARTS];
        tac_parts_rule rule;
        tac_parts_rows parts;
        bool whole = true, few = true;
        double off = 0;
        int64_t in_parts = 0;
        memset(where, 0, sizeof where);
        MUST(tac_parts_rule_for(5, 1e-6, 2, &plan, &rule));
        MUST(tac_parts_split(door, &plan, &rule, 0, &parts) == TACIT_OK);
        for (int p = 0; p < PARTS; p++) {
            for (int64_t r = parts.first[p]; r < parts.first[p + 1]; r++)
                where[owner[parts.row[r]]][p]++;
            const double expected = 2.0 * PERSONS / PARTS;
            off += pow((double)(parts.first[p + 1] - parts.first[p]) / 2 - expected / 2, 2) /
                   (expected / 2);
        }
        for (int i = 0; i < PERSONS; i++) {
            int count = 0;
            for (int p = 0; p < PARTS; p++) {
                whole = whole && (where[i][p] == 0 || where[i][p] == 2);
                count += where[i][p] > 0;
            }
            in_parts += count;
            few = few && count <= rule.touched && (overlapping || count == 1);
        }
        CHECK(whole && few, "a person's rows are all in a part or none, in at most %d parts",
              rule.touched);
        /* chi-square of 15 degrees: above 51 once in 100 000 seeds */
        CHECK(off < 51 && llabs(in_parts - PERSONS) < 400, "and parts are alike (%.1f)", off);
        tac_free(parts.first);
        tac_free(parts.row);
    }
    tac_door_close(door);
}

static void alone(void)
{
    int16_t points[40 * 2];
    for (int i = 0; i < 80; i++) points[i] = (int16_t)(100 * (i % 7));
    const tac_lattice lattice = {.rows = 40, .dims = 2, .stride = 2, .points = points};
    const tac_parts plan = {.k = 1, .q = 1, .parts = 5, .restarts = 2};
    int64_t answer, bases[2];
    tac_person owner[40];
    tac_engine engine;
    tac_key key;

    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(3, &key);
    for (int i = 0; i < 40; i++) owner[i] = numbered_person(i / 2);
    for (int t = 0; t < 4; t++) {
        tac_accountant account;
        tac_door *door = NULL;
        tac_accountant_open(t == 3 ? TAC_PURE : TAC_GDP, 5, t == 3 ? 0 : 1e-6, &account);
        MUST(tac_door_open(ctx, &engine, &lattice, TACIT_REPLACE, t == 1 ? 2 : 1, &account, &key,
                           &door) == TACIT_OK);
        if (t == 2) MUST(tac_door_count(door, "rows", account.budget / 1000, &answer) == TACIT_OK);
        const tacit_status status = tac_door_parts(door, "parts", &plan, bases);
        if (t == 0) {
            CHECK(status == TACIT_OK && account.spent == account.budget, "the query takes the "
                                                                         "whole account");
            CHECK(tac_door_count(door, "rows", 1000000, &answer) != TACIT_OK &&
                      tac_door_parts(door, "parts", &plan, bases) != TACIT_OK,
                  "nothing can be asked after it");
        }
        if (t == 1) {
            CHECK(status != TACIT_OK && account.spent == 0, "units of several rows that nobody "
                                                            "named are refused");
            tac_door_owners(door, owner);
            CHECK(tac_door_parts(door, "parts", &plan, bases) == TACIT_OK, "with their owners they "
                                                                           "are taken");
        }
        if (t == 2) CHECK(status != TACIT_OK, "nor can it be asked after another query");
        if (t == 3) CHECK(status != TACIT_OK, "nor on an account without delta");
        tac_door_close(door);
    }
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 2;
    smooth();
    noise();
    distances();
    method();
    lots();
    alone();
    tacit_ctx_free(ctx);
    return tap_done();
}
