/* SPDX-License-Identifier: Apache-2.0 */
/* Methods auto, sulq+ and sulq for subspaces through the public header: they find subspaces,
   survive every degenerate data set, give the same bits however rows are ordered and worked on,
   spend what they may, and auto chooses k and q. */
#include "release/model.h"
#include "subspace_world.h"

static tacit_ctx *ctx;

typedef struct ask {
    int32_t k, q, k_max, q_max, rounds;
    double epsilon, delta, radius; /* 0: 1e-6, below 0: 0; 0: 1 */
    uint64_t seed;
    int threads;
    bool affine, secure;
    const char *bounds; /* NULL: a ball */
    tacit_neighbors neighbors;
    tacit_subspace_method method;
} ask;

static void options(ask a, tacit_budget *b, tacit_subspace_opts *o)
{
    tacit_budget_init(b, sizeof *b);
    tacit_subspace_opts_init(o, sizeof *o);
    b->epsilon = a.epsilon;
    b->delta = a.delta == 0 ? 1e-6 : fmax(0, a.delta);
    b->neighbors = a.neighbors;
    b->use_insecure_test_seed = !a.secure;
    b->insecure_test_seed = a.seed;
    o->k = a.k;
    o->q = a.q;
    o->k_max = a.k_max;
    o->q_max = a.q_max;
    o->rounds = a.rounds;
    o->affine = a.affine;
    o->method = a.method;
}

static tacit_data *data_of(const double *rows, int64_t n, int32_t d, ask a)
{
    tacit_data *data = NULL;

    MUST(tacit_ctx_set_threads(ctx, a.threads > 0 ? a.threads : 2) == TACIT_OK);
    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, n, d, &data) == TACIT_OK);
    if (a.bounds != NULL)
        MUST(tacit_data_declare_bounds(ctx, data, a.bounds) == TACIT_OK);
    else
        MUST(tacit_data_set_ball(ctx, data, NULL, a.radius > 0 ? a.radius : 1) == TACIT_OK);
    return data;
}

static tacit_model *fit(const double *rows, int64_t n, int32_t d, ask a)
{
    tacit_data *data = data_of(rows, n, d, a);
    tacit_model *model = NULL;
    tacit_budget b;
    tacit_subspace_opts o;

    options(a, &b, &o);
    if (tacit_subspace_run(ctx, data, &b, &o, &model) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    tacit_data_free(data);
    return model;
}

/* The model's bases as k x q x d. */
static void bases_of(const tacit_model *m, int d, double *out)
{
    const int k = tacit_model_k(m), q = tacit_model_q(m);
    const double *u = tacit_model_subspaces(m);

    for (int l = 0; l < k; l++)
        for (int j = 0; j < d; j++)
            for (int a = 0; a < q; a++) out[(l * q + a) * d + j] = u[(l * d + j) * q + a];
}

/* d_W from the truth. */
static double off(const tacit_model *m, const double *truth, int k, int d, int q)
{
    static double found[4000];

    if (m == NULL || tacit_model_k(m) != k || tacit_model_q(m) != q) return INFINITY;
    bases_of(m, d, found);
    return wasserstein(found, truth, k, d, q);
}

/* The right shape, orthonormal, everything a number. */
static bool sane(const tacit_model *m, int k, int d, int q)
{
    static double u[20000];

    if (m == NULL || (k > 0 && tacit_model_k(m) != k) || (q > 0 && tacit_model_q(m) != q))
        return false;
    const int rank = tacit_model_q(m), many = tacit_model_k(m);
    bases_of(m, d, u);
    for (int a = 0; a < many * rank; a++)
        for (int b = a / rank * rank; b <= a; b++) {
            double along = a == b ? -1 : 0;
            for (int j = 0; j < d; j++) along += u[a * d + j] * u[b * d + j];
            if (!(fabs(along) < 1e-9)) return false;
        }
    for (int i = 0; tacit_model_profile(m) != NULL && i < many * rank; i++)
        if (!(tacit_model_profile(m)[i] >= 0) || isinf(tacit_model_profile(m)[i])) return false;
    for (int l = 0; l < many; l++)
        if (isinf(tacit_model_sizes(m)[l])) return false;
    return true;
}

static char *json(const tacit_model *m)
{
    char *text = NULL;
    MUST(m != NULL && tacit_model_json(ctx, m, &text) == TACIT_OK);
    return text;
}

/* ---- they find subspaces ---- */

static void test_recovery(void)
{
    const struct {
        int64_t n;
        int d, k, q;
        double sigma, epsilon, most;
        tacit_subspace_method method;
    } set[] = {
        {5000, 5, 3, 3, 0.01, 10, 0.03, TACIT_SUBSPACE_AUTO},
        {2000, 10, 3, 3, 0.1, 8, 0.25, TACIT_SUBSPACE_AUTO},
        {8000, 40, 4, 2, 0.02, 8, 0.4, TACIT_SUBSPACE_AUTO},
        {5000, 6, 1, 4, 0.05, 4, 0.15, TACIT_SUBSPACE_AUTO},
        {8000, 6, 2, 5, 0.02, 20, 0.1, TACIT_SUBSPACE_AUTO},
        {8000, 8, 4, 1, 0.02, 8, 0.3, TACIT_SUBSPACE_AUTO},
        {8000, 10, 3, 3, 0.05, 20, 0.2, TACIT_SUBSPACE_SULQ_PLUS},
        {20000, 6, 2, 2, 0.02, 100, 0.2, TACIT_SUBSPACE_SULQ},
    };
    static double truth[40 * 16];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        const int d = set[i].d, k = set[i].k, q = set[i].q;
        double *rows = subspace_rows(set[i].n, d, k, q, set[i].sigma, 50 + i, truth), all = 0;
        tacit_model *m = fit(
            rows, set[i].n, d,
            (ask){
                .k = k, .q = q, .epsilon = set[i].epsilon, .seed = 3 + i, .method = set[i].method});
        CHECK(sane(m, k, d, q), "%d subspaces of %d in %d columns, method %s", k, q, d,
              m == NULL ? "?" : m->method);
        const double far = off(m, truth, k, d, q);
        CHECK(far < set[i].most, "... found (d_W %.3f)", far);
        for (int l = 0; l < k && m != NULL; l++) all += tacit_model_sizes(m)[l];
        if (m != NULL && set[i].method != TACIT_SUBSPACE_SULQ)
            CHECK(fabs(all - (double)set[i].n) < 6 * tacit_model_sizes_sd(m) * sqrt(k), "... their "
                                                                                        "sizes add "
                                                                                        "up");
        tacit_model_free(m);
        free(rows);
    }
}

/* Each row of a subspace has length 1, spread over q directions. */
static void test_profile(void)
{
    static double truth[10 * 9];
    double *rows = subspace_rows(20000, 10, 3, 3, 0.001, 4, truth);
    tacit_model *m = fit(rows, 20000, 10, (ask){.k = 3, .q = 3, .epsilon = 50, .seed = 1});
    double worst = 0;

    MUST(m != NULL && tacit_model_profile(m) != NULL);
    for (int i = 0; i < 9; i++)
        worst = fmax(worst, fabs(tacit_model_profile(m)[i] / sqrt(1 / 3.0) - 1));
    CHECK(worst < 0.1, "the profile is the root mean square along each vector (%.3f)", worst);
    tacit_model_free(m);
    m = fit(rows, 20000, 10, (ask){.k = 3, .q = 3, .epsilon = 50, .seed = 1, .radius = 50});
    MUST(m != NULL && tacit_model_profile(m) != NULL);
    worst = 0;
    for (int i = 0; i < 9; i++)
        worst = fmax(worst, fabs(tacit_model_profile(m)[i] / sqrt(1 / 3.0) - 1));
    CHECK(worst < 0.1, "... in units of the columns, whatever the domain (%.3f)", worst);
    tacit_model_free(m);
    free(rows);
}

/* Balls much too wide: the lengths make up for it, on 16 bits. */
static void test_loose(void)
{
    static double truth[10 * 9];
    double *rows = subspace_rows(5000, 10, 3, 3, 0.02, 12, truth);

    for (int i = 0; i < 3; i++) {
        const double radius[] = {30, 3000, 3e5};
        tacit_model *m = fit(rows, 5000, 10,
                             (ask){.k = 3, .q = 3, .epsilon = 5, .seed = 2, .radius = radius[i]});
        const double far = off(m, truth, 3, 10, 3);
        CHECK(far < 0.3, "a ball %g times too wide (d_W %.3f)", radius[i], far);
        bool told = false;
        for (int32_t j = 0; m != NULL && tacit_model_note_get(m, j) != NULL; j++)
            told = told || strstr(tacit_model_note_get(m, j), "wider") != NULL;
        CHECK(told, "... and it says so");
        tacit_model_free(m);
    }
    free(rows);
}

/* Lines that miss the origin. */
static void test_affine(void)
{
    enum { N = 9000, D = 4 };
    static double rows[N * D];
    const double point[2][D] = {{0.5, 0.2, 0, 0}, {-0.4, 0, 0.3, 0}};
    const double along[2][D] = {{0, 0, 0.6, 0.8}, {0, 1, 0, 0}};

    dice = 8;
    for (int i = 0; i < N; i++) {
        const double t = 0.6 * (2 * uniform() - 1);
        for (int j = 0; j < D; j++)
            rows[i * D + j] = point[i % 2][j] + t * along[i % 2][j] + 0.01 * normal();
    }
    tacit_model *m =
        fit(rows, N, D, (ask){.k = 2, .q = 1, .epsilon = 20, .seed = 5, .affine = true});
    const double far = off(m, &along[0][0], 2, D, 1);
    CHECK(sane(m, 2, D, 1) && far < 0.3, "two lines that miss the origin (d_W %.3f)", far);
    double worst = 0, reach = 0;
    for (int l = 0; l < 2 && m != NULL; l++) {
        const double *own = tacit_model_offsets(m) + l * D;
        double nearest = INFINITY;
        for (int t = 0; t < 2; t++) {
            double squares = 0;
            for (int j = 0; j < D; j++) squares += pow(own[j] - point[t][j], 2);
            nearest = fmin(nearest, sqrt(squares));
        }
        worst = fmax(worst, nearest);
        reach = fmax(reach, fabs(tacit_model_profile(m)[l] - 0.6 / sqrt(3)));
    }
    CHECK(worst < 0.03, "... with their points nearest to the middle (%.3f off)", worst);
    CHECK(reach < 0.03, "... and how far rows reach along them (%.3f off)", reach);
    tacit_model_free(m);
}

/* Subspaces that share a point, at the origin and elsewhere, in a domain that is wider than the
   rows: affine ones are found nearly as well as linear ones. */
static void test_shared_point(void)
{
    enum { N = 12000, D = 6, K = 3, Q = 2 };
    static double truth[K * Q * D];
    double *rows = subspace_rows(N, D, K, Q, 0.03, 4, truth), far[3];
    const ask a = {.k = K, .q = Q, .epsilon = 3, .seed = 6, .radius = 4, .affine = true};

    tacit_model *m = fit(rows, N, D, (ask){.k = K, .q = Q, .epsilon = 3, .seed = 6, .radius = 4});
    far[0] = off(m, truth, K, D, Q);
    tacit_model_free(m);
    m = fit(rows, N, D, a);
    far[1] = off(m, truth, K, D, Q);
    tacit_model_free(m);
    for (int i = 0; i < N * D; i++) rows[i] += i % D < 2 ? 1.2 : -0.3;
    m = fit(rows, N, D, a);
    far[2] = off(m, truth, K, D, Q);
    CHECK(far[0] < 0.06 && far[1] < 0.09 && far[2] < 0.09,
          "subspaces that share a point: d_W %.3f as linear ones, %.3f as affine ones, %.3f if the "
          "point is elsewhere",
          far[0], far[1], far[2]);
    tacit_model_free(m);
    m = fit(rows, N, D,
            (ask){.k = TACIT_K_AUTO,
                  .q = TACIT_Q_AUTO,
                  .epsilon = 3,
                  .seed = 6,
                  .radius = 4,
                  .k_max = 5,
                  .affine = true});
    CHECK(m != NULL && tacit_model_k(m) == K && tacit_model_q(m) == Q,
          "... and their k and q are chosen: %d and %d", m == NULL ? 0 : tacit_model_k(m),
          m == NULL ? 0 : tacit_model_q(m));
    tacit_model_free(m);
    free(rows);
}

static bool warns(const tacit_model *m)
{
    for (int32_t j = 0; m != NULL && j < tacit_model_note_count(m); j++)
        if (strstr(tacit_model_note_get(m, j), "without any groups") != NULL) return true;
    return false;
}

/* Three subspaces and one that is taken for three. By the rule a set without groups goes without
   its note in 2.3 % of runs at most: 3 or more of 10 in 0.13 %. */
static void test_pooled_note(void)
{
    enum { N = 8000, D = 6, Q = 2 };
    static double truth[3 * Q * D];

    for (int pure = 0; pure < 2; pure++) {
        int false_alarms = 0, warned = 0;
        for (int i = 0; i < 10; i++) {
            const ask a = {.k = 3,
                           .q = Q,
                           .epsilon = pure ? 10 : 1,
                           .delta = pure ? -1 : 0,
                           .seed = 20 + (uint64_t)i};
            for (int k = 1; k <= 3; k += 2) {
                double *rows = subspace_rows(N, D, k, Q, 0.1, 50 + (uint64_t)i, truth);
                tacit_model *m = fit(rows, N, D, a);
                if (k == 1)
                    warned += warns(m);
                else
                    false_alarms += warns(m) && off(m, truth, 3, D, Q) < 0.5;
                tacit_model_free(m);
                free(rows);
            }
        }
        CHECK(false_alarms == 0, "three subspaces that are found: %d of 10 runs warn (delta %s 0)",
              false_alarms, pure ? "=" : ">");
        CHECK(warned >= 8, "one subspace taken for three: %d of 10 runs warn (delta %s 0)", warned,
              pure ? "=" : ">");
    }
}

/* ---- nothing breaks them ---- */

static void test_degenerate(void)
{
    enum { N = 1000, D = 4 };
    static double equal[N * D], zero[N * D], outside[N * D], noise[N * D], constant[N * D];
    const double epsilon[] = {0.001, 1, 1000};
    const struct {
        const char *what;
        const double *rows;
        int64_t n;
        int d, k, q;
    } set[] = {
        {"no rows", equal, 0, D, 2, 1},
        {"one row", equal, 1, D, 2, 2},
        {"more subspaces than rows", noise, 3, D, 5, 1},
        {"all rows equal", equal, N, D, 2, 2},
        {"all rows 0", zero, N, D, 2, 2},
        {"all rows clipped", outside, N, D, 3, 2},
        {"columns of zeros", constant, N, D, 2, 1},
        {"q = d - 1", noise, N, D, 2, 3},
        {"one subspace", noise, N, D, 1, 2},
        {"two columns", noise, N, 2, 2, 1},
        {"more than a tensor tells", noise, N, D, 30, 2},
        {"40 columns", noise, N / 10, 40, 2, 3},
    };
    const tacit_subspace_method method[] = {TACIT_SUBSPACE_AUTO, TACIT_SUBSPACE_SULQ_PLUS,
                                            TACIT_SUBSPACE_SULQ};

    dice = 1;
    for (int i = 0; i < N * D; i++) {
        equal[i] = 0.25;
        outside[i] = i % 2 ? 1e300 : -7;
        noise[i] = 0.4 * normal();
        constant[i] = i % D == 1 ? normal() : 0;
    }
    for (size_t s = 0; s < sizeof set / sizeof *set; s++)
        for (int e = 0; e < 3; e++)
            for (int w = 0; w < 3; w++) {
                const ask a = {.k = set[s].k,
                               .q = set[s].q,
                               .epsilon = epsilon[e],
                               .seed = 17,
                               .method = method[w],
                               .neighbors = e == 1 ? TACIT_REPLACE : TACIT_ADD_REMOVE};
                tacit_model *m = fit(set[s].rows, set[s].n, set[s].d, a);
                CHECK(sane(m, set[s].k, set[s].d, set[s].q), "%s, epsilon %g, method %d",
                      set[s].what, epsilon[e], method[w]);
                tacit_model_free(m);
            }
    tacit_model *m =
        fit(equal, 0, D, (ask){.k = TACIT_K_AUTO, .q = TACIT_Q_AUTO, .epsilon = 1, .seed = 2});
    CHECK(sane(m, 0, D, 0), "k and q chosen for no rows");
    tacit_model_free(m);
    m = fit(equal, N, 2, (ask){.k = TACIT_K_AUTO, .q = TACIT_Q_AUTO, .epsilon = 1, .seed = 2});
    CHECK(sane(m, 0, 2, 0), "... and in two columns");
    tacit_model_free(m);
    m = fit(noise, N, D, (ask){.k = 2, .q = 2, .epsilon = 1e-6, .delta = 1e-30, .seed = 2});
    CHECK(m == NULL || sane(m, 2, D, 2), "the smallest epsilon is refused in time or gives "
                                         "something");
    tacit_model_free(m);
}

/* delta = 0 is for sulq+ with trace noise. */
static void test_pure(void)
{
    enum { N = 6000, D = 6, K = 2, Q = 2 };
    static double truth[D * 9];
    double *rows = subspace_rows(N, D, K, Q, 0.02, 6, truth), one[K * Q * D], two[K * Q * D];
    const ask a = {.k = K, .q = Q, .epsilon = 3, .delta = -1, .seed = 3};
    ask b = a;
    tacit_model *m = fit(rows, N, D, a), *n;

    b.method = TACIT_SUBSPACE_SULQ_PLUS;
    n = fit(rows, N, D, b);
    MUST(sane(m, K, D, Q) && sane(n, K, D, Q));
    bases_of(m, D, one);
    bases_of(n, D, two);
    CHECK(memcmp(one, two, sizeof one) == 0, "with delta 0 auto is sulq+, to the bit");
    CHECK(off(m, truth, K, D, Q) < 0.1, "... and finds the subspaces (%.3f off)",
          off(m, truth, K, D, Q));
    int moments = 0, trace = 0;
    for (int i = 0; i < m->card.queries; i++) {
        const bool one_of = strcmp(m->card.query[i].kind, "moments") == 0;
        moments += one_of;
        trace += one_of && strcmp(m->card.query[i].noise, "trace noise") == 0;
    }
    CHECK(moments > 3 && trace == moments, "all %d second moments have trace noise", moments);
    CHECK(tacit_model_profile(m) != NULL && fabs(tacit_model_sizes(m)[0] - N / K) < 2000,
          "it tells sizes and reaches");
    tacit_model_free(m);
    tacit_model_free(n);
    m = fit(rows, 200, D, (ask){.k = K, .q = Q, .epsilon = 3, .delta = -1, .secure = true});
    MUST(m != NULL);
    CHECK(strstr(tacit_model_guarantee(m), "(pure)") != NULL &&
              strcmp(strrchr(tacit_model_guarantee(m), ','), ", proved") == 0,
          "the guarantee is pure and proved: %s", tacit_model_guarantee(m));
    tacit_model_free(m);
    m = fit(rows, N, D, (ask){.k = TACIT_K_AUTO, .q = Q, .epsilon = 20, .delta = -1, .seed = 3});
    CHECK(m == NULL && strstr(tacit_ctx_message(ctx), "delta above 0") != NULL, "k is not chosen "
                                                                                "there");
    m = fit(rows, N, D,
            (ask){.k = K, .q = Q, .epsilon = 3, .delta = -1, .seed = 3, .affine = true});
    CHECK(sane(m, K, D, Q), "affine subspaces are found too");
    tacit_model_free(m);
    m = fit(
        rows, N, D,
        (ask){.k = K, .q = Q, .epsilon = 3, .delta = -1, .seed = 3, .method = TACIT_SUBSPACE_SULQ});
    CHECK(m == NULL && strstr(tacit_ctx_message(ctx), "delta above 0") != NULL, "sulq as published "
                                                                                "needs a delta");
    for (int t = 0; t < 3; t++) { /* never more than is true */
        const tacit_subspace_method method = t < 2 ? TACIT_SUBSPACE_BINGHAM : TACIT_SUBSPACE_GIBBS;
        m = fit(rows, 200, D,
                (ask){.k = K,
                      .q = Q,
                      .epsilon = 3,
                      .delta = t == 1 ? 0 : -1,
                      .secure = true,
                      .method = method,
                      .rounds = 3});
        MUST(m != NULL);
        CHECK(strstr(tacit_model_guarantee(m), "in real arithmetic") != NULL &&
                  strstr(tacit_model_guarantee(m), "proved") == NULL,
              "a drawn subspace is not called proved: %s", tacit_model_guarantee(m));
        tacit_model_free(m);
    }
    free(rows);
}

/* What a plan says the noise of second moments is, against what the lemma says it costs: sd sqrt(d
   + 1) R / epsilon of a row. */
static void test_pure_plan(void)
{
    for (int replace = 0; replace < 2; replace++) {
        enum { D = 7 };
        const ask a = {.k = 1,
                       .q = 2,
                       .epsilon = 2,
                       .delta = -1,
                       .neighbors = replace ? TACIT_REPLACE : TACIT_ADD_REMOVE};
        /* rows of length R */
        const double none[D] = {0},
                     expected = sqrt(D + 1.0) * (replace ? 2 : 1) / (0.94 * a.epsilon);
        tacit_data *data = data_of(none, 0, D, a);
        tacit_plan *plan = NULL;
        tacit_plan_step step;
        tacit_budget b;
        tacit_subspace_opts o;

        options(a, &b, &o);
        MUST(tacit_subspace_plan(ctx, data, &b, &o, 1000, &plan) == TACIT_OK);
        tacit_plan_step_init(&step, sizeof step);
        MUST(tacit_plan_step_count(plan) == 3 && tacit_plan_step_get(plan, 1, &step) == TACIT_OK);
        CHECK(strcmp(step.noise, "trace noise") == 0 && fabs(step.error / expected - 1) < 1e-6,
              "%s: the plan's noise of a moment is sqrt(d + 1) R / epsilon (%.5f of %.5f)",
              replace ? "replace" : "add-remove", step.error, expected);
        tacit_plan_free(plan);
        tacit_data_free(data);
    }
}

/* ---- the same bits ---- */

static void test_bits(void)
{
    enum { N = 3000, K = 3, Q = 2 };
    const tacit_subspace_method method[] = {TACIT_SUBSPACE_AUTO, TACIT_SUBSPACE_SULQ_PLUS,
                                            TACIT_SUBSPACE_SULQ};
    static double truth[40 * 9];

    for (int w = 0; w < 4; w++) {
        const int d = w == 3 ? 30 : 8;
        double *rows = subspace_rows(N, d, K, Q, 0.05, 11, truth);
        const ask a = {
            .k = K, .q = Q, .epsilon = 2, .seed = 23, .method = method[w % 3], .threads = 1};
        tacit_model *m = fit(rows, N, d, a);
        char *first = json(m);
        tacit_model_free(m);
        for (int threads = 2; threads < 8; threads += 3) {
            ask b = a;
            b.threads = threads;
            m = fit(rows, N, d, b);
            char *again = json(m);
            CHECK(strcmp(first, again) == 0, "%d threads change nothing (method %d)", threads,
                  a.method);
            tacit_free(again);
            tacit_model_free(m);
        }
        for (int i = 0; i < N / 2; i++)
            for (int j = 0; j < d; j++) {
                const double swap = rows[i * d + j];
                rows[i * d + j] = rows[(N - 1 - i) * d + j];
                rows[(N - 1 - i) * d + j] = swap;
            }
        m = fit(rows, N, d, a);
        char *again = json(m);
        CHECK(strcmp(first, again) == 0, "the order of rows changes nothing (method %d)", a.method);
        tacit_free(again);
        tacit_free(first);
        tacit_model_free(m);
        free(rows);
    }
}

/* ---- the budget ---- */

static void test_budget(void)
{
    enum { N = 2000 };
    const struct {
        int d, k, q;
        double epsilon, delta;
        tacit_neighbors neighbors;
        tacit_subspace_method method;
        int32_t rounds;
    } set[] = {
        {6, 3, 2, 1, 1e-6, TACIT_ADD_REMOVE, TACIT_SUBSPACE_AUTO, 0},
        {6, 3, 2, 0.01, 1e-9, TACIT_REPLACE, TACIT_SUBSPACE_AUTO, 0},
        {30, 3, 2, 10, 1e-6, TACIT_ADD_REMOVE, TACIT_SUBSPACE_AUTO, 0},
        {6, 1, 2, 1, 1e-6, TACIT_ADD_REMOVE, TACIT_SUBSPACE_AUTO, 0},
        {6, 3, 2, 1, 1e-6, TACIT_ADD_REMOVE, TACIT_SUBSPACE_AUTO, 3},
        {6, TACIT_K_AUTO, 2, 1, 1e-6, TACIT_ADD_REMOVE, TACIT_SUBSPACE_AUTO, 0},
        {6, 3, 2, 1, 1e-6, TACIT_REPLACE, TACIT_SUBSPACE_SULQ_PLUS, 0},
        {6, 3, 2, 30, 1e-6, TACIT_REPLACE, TACIT_SUBSPACE_SULQ_PLUS, 0},
        {6, 3, 2, 0.01, 1e-6, TACIT_REPLACE, TACIT_SUBSPACE_SULQ_PLUS, 5},
    };
    static double truth[30 * 9];

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        double *rows = subspace_rows(N, set[i].d, 3, 2, 0.05, 31 + i, truth);
        tacit_model *m = fit(rows, N, set[i].d,
                             (ask){.k = set[i].k,
                                   .q = set[i].q,
                                   .epsilon = set[i].epsilon,
                                   .delta = set[i].delta,
                                   .seed = i,
                                   .neighbors = set[i].neighbors,
                                   .method = set[i].method,
                                   .rounds = set[i].rounds});
        MUST(m != NULL);
        const double whole = m->card.native_budget, spent = m->card.native_spent;
        CHECK(spent <= whole && spent > 0.9999 * whole,
              "all of the budget is spent, and no more (%.8f)", spent / whole);
        tacit_model_free(m);
        free(rows);
    }
    /* The published noise is far more than the budget needs. */
    double *rows = subspace_rows(N, 6, 3, 2, 0.05, 77, truth);
    for (int i = 0; i < 3; i++) {
        const double epsilon[] = {1, 10, 1000};
        tacit_model *m = fit(
            rows, N, 6,
            (ask){.k = 3, .q = 2, .epsilon = epsilon[i], .seed = 4, .method = TACIT_SUBSPACE_SULQ});
        MUST(m != NULL);
        const double part = m->card.native_spent / m->card.native_budget;
        CHECK(part > 0 && part < 0.1, "sulq at epsilon %g spends %.4f of its budget", epsilon[i],
              part);
        tacit_model_free(m);
    }
    free(rows);
}

/* ---- k and q chosen ---- */

static void test_choice(void)
{
    static double truth[10 * 20];
    const struct {
        int64_t n;
        int d, k, q;
    } set[] = {{3000, 10, 3, 3}, {8000, 10, 4, 2}, {3000, 8, 1, 2}};

    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        const int d = set[i].d, k = set[i].k, q = set[i].q;
        double *rows = subspace_rows(set[i].n, d, k, q, 0.05, 90 + i, truth);
        tacit_model *m = fit(
            rows, set[i].n, d,
            (ask){.k = TACIT_K_AUTO, .q = TACIT_Q_AUTO, .epsilon = 10, .seed = 3 + i, .k_max = 6});
        CHECK(m != NULL && tacit_model_k(m) == k && tacit_model_q(m) == q,
              "k %d and q %d are chosen: %d and %d", k, q, m == NULL ? 0 : tacit_model_k(m),
              m == NULL ? 0 : tacit_model_q(m));
        CHECK(off(m, truth, k, d, q) < 0.3, "... and the subspaces found");
        tacit_model_free(m);
        m = fit(rows, set[i].n, d,
                (ask){.k = TACIT_K_AUTO, .q = q, .epsilon = 10, .seed = 3 + i, .k_max = 6});
        CHECK(m != NULL && tacit_model_k(m) == k, "k alone is chosen: %d",
              m == NULL ? 0 : tacit_model_k(m));
        tacit_model_free(m);
        free(rows);
    }
}

/* ---- plans ---- */

static void test_plans(void)
{
    const double rows[100 * 6] = {0};
    const tacit_subspace_method method[] = {TACIT_SUBSPACE_AUTO, TACIT_SUBSPACE_SULQ_PLUS,
                                            TACIT_SUBSPACE_SULQ};
    const double epsilon[] = {0.1, 1, 30};

    for (int w = 0; w < 3; w++)
        for (int e = 0; e < 3; e++)
            for (int wide = 0; wide < 2; wide++) {
                const int d = wide ? 30 : 6;
                const ask a = {.k = 3, .q = 2, .epsilon = epsilon[e], .method = method[w]};
                tacit_data *data = data_of(rows, wide ? 20 : 100, d, a);
                tacit_plan *plan = NULL;
                tacit_plan_step step;
                tacit_budget b;
                tacit_subspace_opts o;
                double share = 0;
                bool good = true;

                options(a, &b, &o);
                if (tacit_subspace_plan(ctx, data, &b, &o, 10000, &plan) != TACIT_OK)
                    printf("# %s\n", tacit_ctx_message(ctx));
                MUST(plan != NULL);
                tacit_plan_step_init(&step, sizeof step);
                for (int32_t i = 0; i < tacit_plan_step_count(plan); i++) {
                    good = good && tacit_plan_step_get(plan, i, &step) == TACIT_OK &&
                           step.share > 0 && !(step.error < 0) && step.times > 0;
                    share += step.share;
                }
                CHECK(good && share < 1 + 1e-9 &&
                          (method[w] == TACIT_SUBSPACE_SULQ || share > 0.97),
                      "a plan of method %d, epsilon %g, %d columns: %.3f of the budget", method[w],
                      epsilon[e], d, share);
                tacit_plan_free(plan);
                tacit_data_free(data);
            }
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_recovery();
    test_profile();
    test_loose();
    test_affine();
    test_shared_point();
    test_pooled_note();
    test_degenerate();
    test_pure();
    test_pure_plan();
    test_bits();
    test_budget();
    test_choice();
    test_plans();
    tacit_ctx_free(ctx);
    return tap_done();
}
