/* SPDX-License-Identifier: Apache-2.0 */
/* Queries and methods that draw subspaces: how far neighbors can move the exponent, the
   distribution and the loss of what is drawn, what is paid, and that nothing breaks on rows that
   are degenerate. Statistical limits as in statistics.h; everything else is exact. */
#include "cluster/subspace/subspace_run.h"
#include "dice.h"
#include "privacy/door_internal.h"
#include "privacy/draws/gibbs.h"
#include "solve/linalg/eigen.h"
#include "statistics.h"
#include "tap.h"

static tacit_ctx *ctx;
static uint64_t state = 99;

/* A door over points, with an account of its own. */
typedef struct house {
    tac_lattice lattice;
    tac_accountant account;
    tac_engine engine;
    tac_key key;
    tac_door *door;
} house;

static void open_house(house *h, const int16_t *points, int64_t rows, int32_t dims,
                       tac_definition definition, tacit_neighbors neighbors, int32_t owned,
                       uint64_t seed)
{
    memset(h, 0, sizeof *h);
    h->lattice =
        (tac_lattice){.rows = rows, .dims = dims, .stride = dims, .points = (int16_t *)points};
    h->account = (tac_accountant){.definition = definition, .budget = UINT64_C(1) << 62};
    tac_engine_threads(ctx, &h->engine);
    tac_key_from_insecure_seed(seed, &h->key);
    MUST(tac_door_open(ctx, &h->engine, &h->lattice, neighbors, owned, &h->account, &h->key,
                       &h->door) == TACIT_OK);
}

/* ---- how far neighbors move the exponent ---- */

enum { DIMS = 4, CELLS = 2, RANK = 2, TRIANGLE = DIMS * (DIMS + 1) / 2, ROWS = 12 };

static void keep_exact(void *payload, const tac_receipt *r, const uint64_t *word, size_t n)
{
    (void)r;
    MUST(n == CELLS * TRIANGLE);
    memcpy(payload, word, n * sizeof *word);
}

static void random_point(int16_t *x)
{
    const bool axis = next() % 3 == 0;
    for (int j = 0; j < DIMS; j++) x[j] = (int16_t)(axis ? 0 : (int)(next() % 65535) - 32767);
    if (axis) x[next() % DIMS] = next() % 2 ? TAC_M : -TAC_M;
    tac_clip(x, DIMS);
}

static void moments_of(const int16_t *points, int64_t rows, tacit_neighbors neighbors,
                       int32_t owned, bool by_column, uint64_t *word, tac_receipt *receipt)
{
    static const int16_t bases[CELLS * RANK * DIMS] = {TAC_M, 0, 0,     0, 0, TAC_M, 0, 0,
                                                       0,     0, TAC_M, 0, 0, 0,     0, TAC_M};
    const tac_cells cells = {.kind = TAC_SUBSPACES, .count = CELLS, .bases = bases, .rank = RANK};
    int16_t out[CELLS * RANK * DIMS];
    house h;

    open_house(&h, points, rows, DIMS, TAC_PURE, neighbors, owned, 1);
    tac_door_set_probe(h.door, &(tac_door_probe){.exact = keep_exact, .payload = word});
    MUST(tac_door_bingham(h.door, "test", UINT64_C(1) << 50,
                          &(tac_bingham){.cells = &cells, .rank = RANK, .by_column = by_column},
                          out) == TACIT_OK);
    *receipt = *tac_door_receipt(h.door, 0);
    MUST(h.account.spent == receipt->quanta);
    tac_door_close(h.door);
}

/* The change of sum_c tr U_c^T A_c U_c over all U: from the largest eigenvalues' sum to the
   smallest, cell by cell. */
static double range_of(const uint64_t *a, const uint64_t *b)
{
    double range = 0;

    for (int c = 0; c < CELLS; c++) {
        double matrix[DIMS * DIMS], values[DIMS], vectors[DIMS * DIMS];
        const uint64_t *x = a + c * TRIANGLE, *y = b + c * TRIANGLE;
        for (int i = 0; i < DIMS; i++)
            for (int j = i; j < DIMS; j++) matrix[i * DIMS + j] = (double)(int64_t)(*x++ - *y++);
        MUST(tac_top_eigen(ctx, matrix, DIMS, DIMS, values, vectors) == TACIT_OK);
        for (int i = 0; i < RANK; i++) range += values[i] - values[DIMS - 1 - i];
    }
    return range / ((double)TAC_M * TAC_M);
}

static void test_range(void)
{
    for (int replace = 0; replace < 2; replace++)
        for (int owned = 1; owned <= 3; owned += 2) {
            const tacit_neighbors neighbors = replace ? TACIT_REPLACE : TACIT_ADD_REMOVE;
            double most = 0;
            tac_receipt receipt;
            for (int round = 0; round < 400; round++) {
                int16_t points[2][(ROWS + 8) * DIMS];
                uint64_t word[2][CELLS * TRIANGLE];
                for (int i = 0; i < ROWS; i++) random_point(points[0] + i * DIMS);
                memcpy(points[1], points[0], sizeof points[0]);
                for (int side = 0; side < 2; side++)
                    for (int i = 0; i < owned; i++) random_point(points[side] + (ROWS + i) * DIMS);
                if (round % 2 == 0) /* all of a unit's rows alike: the worst */
                    for (int side = 0; side < 2; side++)
                        for (int i = 1; i < owned; i++)
                            memcpy(points[side] + (ROWS + i) * DIMS, points[side] + ROWS * DIMS,
                                   DIMS * sizeof(int16_t));
                for (int side = 0; side < 2; side++)
                    moments_of(points[side], ROWS + (side == 0 || replace ? owned : 0), neighbors,
                               owned, false, word[side], &receipt);
                most = fmax(most, range_of(word[0], word[1]));
            }
            const double bound = (double)receipt.sensitivity;
            CHECK(bound == (replace ? 2 : 1) * owned && most <= bound * (1 + 1e-12) &&
                      most > 0.99 * bound,
                  "%s, %d rows a unit: the exponent moves by %.4f, at most %g",
                  replace ? "replace" : "add-remove", owned, most, bound);
        }
}

/* ---- the distribution that is drawn, and what it loses ---- */

/* ln of the density of u = (cos t, sin t), up to Z, by the exponent of two lists of rows. */
static double log_z(double a, double along, double across)
{
    double sum = 0;
    const double most = a * fmax(along, across);
    for (int i = 0; i < 100000; i++) {
        const double c = cos(M_PI * (i + 0.5) / 100000);
        sum += exp(a * (along * c * c + across * (1 - c * c)) - most);
    }
    return log(sum / 100000) + most;
}

/* 200 rows along e1, one of them moved to e2 (or left out): the loss of an exact draw comes close
   to epsilon and never passes it. */
static void test_loss(void)
{
    for (int replace = 0; replace < 2; replace++)
        for (int e = 0; e < 3; e++) {
            const double epsilon = (double[]){0.25, 1, 4}[e];
            const tac_privacy_params params = {.definition = TAC_PURE,
                                               .neighbors =
                                                   replace ? TACIT_REPLACE : TACIT_ADD_REMOVE,
                                               .rows_per_unit = 1};
            const double a = tac_bingham_exponent(
                &params,
                tac_quote_bingham(&params, 1, false, (uint64_t)ldexp(epsilon, TAC_QUANTUM_BITS)));
            const double here = log_z(a, 2000, 0),
                         there = replace ? log_z(a, 1999, 1) : log_z(a, 1999, 0);
            /* at u = e1, u = e2 */
            const double loss =
                fmax(fabs(a + there - here), fabs((replace ? -a : 0) + there - here));
            CHECK(loss <= epsilon * (1 + 1e-9) && loss > 0.99 * epsilon,
                  "%s: epsilon %g buys a draw that loses %.4f", replace ? "replace" : "add-remove",
                  epsilon, loss);
        }
}

static void test_drawn_distribution(void)
{
    static const int16_t points[] = {TAC_M, 0, TAC_M, 0, TAC_M, 0, 0, TAC_M}; /* A = diag(3, 1) */
    const tac_cells cells = {.kind = TAC_ONE_CELL, .count = 1};
    enum { N = 6000 };

    for (int replace = 0; replace < 2; replace++)
        for (int by_column = 0; by_column < 2; by_column++) {
            const double epsilon = 2, a = epsilon / (replace ? 2 : 1);
            double sum = 0, squares = 0, above = 0, under = 0;
            for (int i = 0; i < 20000; i++) {
                const double x = pow(cos(M_PI * (i + 0.5) / 20000), 2), f = exp(a * 2 * x);
                above += f * x;
                under += f;
            }
            for (int i = 0; i < N; i++) {
                house h;
                int16_t drawn[2];
                open_house(&h, points, 4, 2, TAC_PURE, replace ? TACIT_REPLACE : TACIT_ADD_REMOVE,
                           1, 1000 + (uint64_t)i);
                MUST(tac_door_bingham(
                         h.door, "test", (uint64_t)ldexp(epsilon, TAC_QUANTUM_BITS),
                         &(tac_bingham){.cells = &cells, .rank = 1, .by_column = by_column},
                         drawn) == TACIT_OK);
                tac_door_close(h.door);
                const double u[2] = {(double)drawn[0] / TAC_M, (double)drawn[1] / TAC_M};
                sum += u[0] * u[0] / N;
                squares += pow(u[0], 4) / N;
            }
            const double z = (sum - above / under) / sqrt((squares - sum * sum) / N);
            CHECK(fabs(z) < ALARM, "%s, %s: the door draws exp(a u'Au) with a = epsilon%s: z %.2f",
                  replace ? "replace" : "add-remove", by_column ? "by column" : "whole",
                  replace ? " / 2" : "", z);
        }
}

/* Two lines in the plane, four rows: the limit of the Gibbs sampler by integration over both
   angles. */
/* The distribution is one of subspaces: inside its span the first vector is even, however unlike
   the eigenvalues there are. */
static void test_even_inside(void)
{
    enum { LONG = 2000, SHORT = 1000, DRAWS = 400 };
    static int16_t points[(LONG + SHORT) * DIMS];
    const tac_cells one = {.kind = TAC_ONE_CELL, .count = 1};
    int16_t out[2 * DIMS];
    double along = 0;

    memset(points, 0, sizeof points);
    for (int i = 0; i < LONG + SHORT; i++) points[i * DIMS + (i < LONG ? 0 : 1)] = TAC_M;
    for (int i = 0; i < DRAWS; i++) {
        house h;
        open_house(&h, points, LONG + SHORT, DIMS, TAC_PURE, TACIT_ADD_REMOVE, 1,
                   1000 + (uint64_t)i);
        MUST(tac_door_bingham(h.door, "test", UINT64_C(1) << TAC_QUANTUM_BITS,
                              &(tac_bingham){.cells = &one, .rank = 2}, out) == TACIT_OK);
        along += pow((double)out[0] / TAC_M, 2) / DRAWS;
        tac_door_close(h.door);
    }
    CHECK(fabs(along - 0.5) < ALARM * sqrt(0.125 / DRAWS),
          "vectors of a drawn subspace are even inside it (%.3f of 0.5)", along);
}

static void test_gibbs_distribution(void)
{
    static const double angle[] = {0, 0.2, 1.3, 1.9};
    int16_t points[8];
    enum { N = 4000, GRID = 300 };

    for (int i = 0; i < 4; i++) {
        points[2 * i] = (int16_t)(0.9 * TAC_M * cos(angle[i]));
        points[2 * i + 1] = (int16_t)(0.9 * TAC_M * sin(angle[i]));
    }
    for (int replace = 0; replace < 2; replace++) {
        const double epsilon = 6, a = epsilon / (replace ? 2 : 1);
        double above[2] = {0}, under = 0, sum[2] = {0}, squares[2] = {0};
        for (int i = 0; i < GRID; i++)
            for (int j = 0; j < GRID; j++) {
                const double s = M_PI * i / GRID, t = M_PI * j / GRID;
                double f = 1;
                for (int r = 0; r < 4; r++)
                    f *= exp(0.81 * a * pow(cos(s - angle[r]), 2)) +
                         exp(0.81 * a * pow(cos(t - angle[r]), 2));
                under += f;
                above[0] += f * cos(2 * s);
                above[1] += f * cos(2 * (s - t));
            }
        for (int i = 0; i < N; i++) {
            house h;
            int16_t u[4];
            tac_gibbs_draw drawn = {.bases = u};
            open_house(&h, points, 4, 2, TAC_PURE, replace ? TACIT_REPLACE : TACIT_ADD_REMOVE, 1,
                       1000 + (uint64_t)i);
            MUST(tac_door_gibbs(h.door, "test", (uint64_t)ldexp(epsilon, TAC_QUANTUM_BITS),
                                &(tac_gibbs){.k = 2, .rank = 1, .rounds = 60}, &drawn) == TACIT_OK);
            tac_door_close(h.door);
            const double s = atan2(u[1], u[0]), t = atan2(u[3], u[2]),
                         seen[2] = {cos(2 * s), cos(2 * (s - t))};
            for (int m = 0; m < 2; m++) sum[m] += seen[m] / N, squares[m] += seen[m] * seen[m] / N;
        }
        double z[2];
        for (int m = 0; m < 2; m++)
            z[m] = (sum[m] - above[m] / under) / sqrt((squares[m] - sum[m] * sum[m]) / N);
        CHECK(fabs(z[0]) < ALARM && fabs(z[1]) < ALARM,
              "%s: the chain's limit is exp(a sum |U_z'x|^2) with a = epsilon%s: z %.2f %.2f",
              replace ? "replace" : "add-remove", replace ? " / 2" : "", z[0], z[1]);
    }
}

/* Labels given subspaces have their probabilities, and moments that follow single changes are those
   that are summed up again. */
static void test_gibbs_labels(void)
{
    enum { N = 403, K = 3, Q = 2, D = 5 };
    static int16_t points[N * 6];
    tac_lattice lattice = {.rows = N, .dims = D, .stride = 6, .points = points};
    tac_stream stream;
    tac_chain chain;
    tac_key key;
    double seen = 0, expected = 0, variance = 0;
    bool exact = true;

    tac_key_from_insecure_seed(5, &key);
    MUST(tac_stream_open(ctx, &key, 0, 0, &stream) == TACIT_OK);
    for (int i = 0; i < N * 6; i++)
        points[i] = (int16_t)(i % 6 == 5 ? 0 : (int)(next() % 28000) - 14000);
    for (int e = 0; e < 3; e++) {
        MUST(tac_chain_open(ctx, &lattice, (double[]){2, 40, 4000}[e], K, Q, &chain) == TACIT_OK);
        for (int l = 0; l < K; l++) tac_draw_frame(&stream, 0, Q, D, chain.basis + l * Q * D);
        tac_chain_collect(&chain);
        for (int t = 0; t < 50; t++) {
            tac_chain_labels(&chain, &stream);
            for (int i = 0; i < N; i++) {
                double weight[K] = {0}, most = 0, total = 0;
                for (int l = 0; l < K; l++) {
                    for (int r = 0; r < Q; r++) {
                        double dot = 0;
                        for (int j = 0; j < D; j++)
                            dot += chain.row[i * chain.wide + j] * chain.basis[(l * Q + r) * D + j];
                        weight[l] += chain.times * dot * dot;
                    }
                    most = fmax(most, weight[l]);
                }
                for (int l = 0; l < K; l++) total += weight[l] = exp(weight[l] - most);
                const double p = weight[1] / total;
                seen += chain.label[i] == 1;
                expected += p;
                variance += p * (1 - p);
                exact = exact && chain.label[i] >= 0 && chain.label[i] < K;
            }
            double before[K * D * 8];
            memcpy(before, chain.moment, (size_t)(K * D * chain.wide) * sizeof(double));
            tac_chain_collect(&chain);
            for (int l = 0; l < K; l++)
                for (int i = 0; i < D; i++)
                    for (int j = i; j < D; j++)
                        exact = exact && before[(l * D + i) * chain.wide + j] ==
                                             chain.moment[(l * D + i) * chain.wide + j];
            if (e > 0) MUST(tac_chain_bases(ctx, &chain, &stream) == TACIT_OK);
        }
        tac_chain_close(&chain);
    }
    CHECK(fabs(seen - expected) < ALARM * sqrt(variance),
          "labels are drawn with their probabilities: z %.2f", (seen - expected) / sqrt(variance));
    CHECK(exact, "moments that follow changes of labels are exact");
}

/* Rows by the low byte first, then the high one: not as numbers, nor as a big-endian
   machine keeps them. The order decides which random bits a row gets. */
static void test_gibbs_order(void)
{
    static int16_t points[] = {-1, 0, 0, 0, 1, 0, -256, 0, 256, 0};
    static const int16_t sorted[] = {0, 256, -256, 1, -1};
    static const int64_t from[] = {1, 4, 3, 2, 0};
    const tac_lattice lattice = {.rows = 5, .dims = 1, .stride = 2, .points = points};
    tac_chain chain;
    bool same = true;

    MUST(tac_chain_open(ctx, &lattice, 1, 1, 1, &chain) == TACIT_OK);
    for (int i = 0; i < 5; i++)
        same = same && chain.sorted[2 * i] == sorted[i] && chain.from[i] == from[i];
    CHECK(same, "rows of a chain are in the same order on every machine");
    tac_chain_close(&chain);
}

/* ---- prices ---- */

static void test_price(void)
{
    static const int16_t points[8] = {TAC_M};
    uint64_t word[CELLS * TRIANGLE];
    tac_receipt whole, column;

    moments_of(points, 2, TACIT_REPLACE, 1, false, word, &whole);
    moments_of(points, 2, TACIT_REPLACE, 1, true, word, &column);
    CHECK(whole.quanta == UINT64_C(1) << 50 && whole.scale == UINT64_C(1) << TAC_SELECTION_BITS,
          "a pure draw costs its epsilon");
    CHECK(column.quanta == UINT64_C(1) << 50 &&
              column.scale == (UINT64_C(1) << TAC_SELECTION_BITS) / RANK,
          "by column each of the draws gets its part");
    const tac_privacy_params params = {
        .definition = TAC_GDP, .neighbors = TACIT_REPLACE, .rows_per_unit = 1};
    const uint64_t quanta = UINT64_C(3) << 48, scale = tac_quote_bingham(&params, 3, false, quanta);
    CHECK(tac_cost_selection(TAC_GDP, scale) <= quanta &&
              tac_cost_selection(TAC_GDP, scale + 1) > quanta,
          "on a Gaussian account a draw is priced like a selection");
    CHECK(
        tac_bingham_exponent(&(tac_privacy_params){.neighbors = TACIT_REPLACE, .rows_per_unit = 3},
                             UINT64_C(6) << TAC_SELECTION_BITS) == 1 &&
            tac_bingham_exponent(
                &(tac_privacy_params){.neighbors = TACIT_ADD_REMOVE, .rows_per_unit = 3},
                UINT64_C(6) << TAC_SELECTION_BITS) == 2,
        "the exponent is epsilon over the range");
}

/* ---- methods ---- */

enum { MOST_ROWS = 600, MOST_DIMS = 8 };

typedef struct sample {
    int64_t rows;
    int32_t dims, k, q;
    double *x;
    double epsilon, delta;
    tacit_neighbors neighbors;
    bool box;
} sample;

typedef struct outcome {
    tacit_status status;
    double bases[10 * MOST_DIMS * MOST_DIMS], sizes[10];
    int32_t label[MOST_ROWS];
    int64_t rows;
    uint64_t spent, budget, receipts;
    int32_t asked, rounds;
    bool leaks, sane, has_labels;
    char notes[2000];
} outcome;

static void run_method(const sample *s, tacit_subspace_method method,
                       const tacit_subspace_opts *set, const tac_door_probe *probe, bool secure,
                       outcome *out)
{
    static double lower[MOST_DIMS], upper[MOST_DIMS];
    tacit_data *data = NULL;
    tacit_budget budget;
    tacit_subspace_opts o = *set;
    tac_run run;
    tac_stream random;
    tac_subspace_result r = {0};

    memset(out, 0, sizeof *out);
    MUST(tacit_data_from_memory(ctx, s->x, TACIT_F64, s->rows, s->dims, &data) == TACIT_OK);
    for (int j = 0; j < s->dims; j++) lower[j] = -1, upper[j] = 1 + j % 3;
    MUST((s->box ? tacit_data_set_bounds(ctx, data, lower, upper)
                 : tacit_data_set_ball(ctx, data, NULL, 1)) == TACIT_OK);
    tacit_budget_init(&budget, sizeof budget);
    budget.epsilon = s->epsilon;
    budget.delta = s->delta;
    budget.neighbors = s->neighbors;
    budget.use_insecure_test_seed = !secure;
    budget.insecure_test_seed = 7;
    o.k = s->k;
    o.q = s->q;
    o.method = method;
    const tac_subspace_method *m = tac_subspace_method_of(method);
    MUST(m != NULL);
    MUST(tac_run_open(ctx, data, &budget, TACIT_SCALE_NONE, TAC_ZERO, 0, "test", &run) == TACIT_OK);
    MUST(tac_stream_open(ctx, &run.key, UINT64_C(1) << 62, 0, &random) == TACIT_OK);
    if (probe != NULL) tac_door_set_probe(run.door, probe);
    const tac_subspace_params params = {.ctx = ctx,
                                        .params = tac_door_params(run.door),
                                        .budget = run.accountant.budget,
                                        .epsilon = s->epsilon,
                                        .delta = s->delta,
                                        .dims = s->dims,
                                        .k = s->k,
                                        .q = s->q,
                                        .opts = &o};
    const tac_subspace_job job = {.ctx = ctx,
                                  .run = &run,
                                  .door = run.door,
                                  .frame = &run.frame,
                                  .dims = s->dims,
                                  .k = s->k,
                                  .q = s->q,
                                  .opts = &o,
                                  .random = &random};
    out->status = m->check == NULL ? TACIT_OK : m->check(&params);
    if (out->status == TACIT_OK) out->status = m->run(&job, &r);
    out->budget = run.accountant.budget;
    out->spent = run.accountant.spent;
    out->asked = tac_door_asked(run.door);
    for (int32_t i = 0; i < out->asked; i++) out->receipts += tac_door_receipt(run.door, i)->quanta;
    if (out->status == TACIT_OK) {
        out->sane = true;
        for (int32_t l = 0; l < s->k; l++)
            for (int32_t a = 0; a < s->q; a++)
                for (int32_t b = 0; b <= a; b++) {
                    double dot = 0;
                    for (int32_t j = 0; j < s->dims; j++)
                        dot += r.bases[(l * s->q + a) * s->dims + j] *
                               r.bases[(l * s->q + b) * s->dims + j];
                    out->sane = out->sane && fabs(dot - (a == b)) < 1e-12;
                }
        memcpy(out->bases, r.bases, (size_t)(s->k * s->q * s->dims) * sizeof(double));
        memcpy(out->sizes, r.sizes, (size_t)s->k * sizeof(double));
        out->has_labels = r.labels != NULL;
        out->rows = r.rows;
        if (r.labels != NULL) memcpy(out->label, r.labels, (size_t)r.rows * sizeof(int32_t));
        out->rounds = r.rounds;
        out->leaks = r.leaks;
        for (int32_t i = 0; i < r.notes.count; i++)
            strncat(out->notes, r.notes.text[i], sizeof out->notes - strlen(out->notes) - 1);
    }
    tac_subspace_result_clear(&r);
    tac_stream_close(&random);
    MUST(tac_run_close(&run, TACIT_OK) == TACIT_OK);
    tacit_data_free(data);
}

/* Rows on k planes spanned by pairs of axes, a little noise. */
static void fill(sample *s, double *x)
{
    s->x = x;
    for (int64_t i = 0; i < s->rows; i++)
        for (int32_t j = 0; j < s->dims; j++) {
            const bool on = j / s->q == (int32_t)(i % s->k);
            x[i * s->dims + j] = 0.7 * (on ? 2 * uniform() - 1 : 0.04 * (2 * uniform() - 1));
        }
}

static const tacit_subspace_method both[] = {TACIT_SUBSPACE_BINGHAM, TACIT_SUBSPACE_GIBBS};

static void test_methods(void)
{
    static double x[MOST_ROWS * MOST_DIMS], shuffled[MOST_ROWS * MOST_DIMS];
    static outcome first, second;
    tacit_subspace_opts o;

    tacit_subspace_opts_init(&o, sizeof o);
    for (int m = 0; m < 2; m++) {
        const bool gibbs = both[m] == TACIT_SUBSPACE_GIBBS;
        const char *name = tac_subspace_method_of(both[m])->name;
        for (int pure = gibbs; pure < 2; pure++) {
            sample s = {.rows = 600,
                        .dims = 6,
                        .k = 3,
                        .q = 2,
                        .epsilon = 20,
                        .delta = pure ? 0 : 1e-5,
                        .neighbors = TACIT_REPLACE};
            fill(&s, x);
            o.rounds = gibbs ? 200 : 0;
            ctx->threads = 1;
            run_method(&s, both[m], &o, NULL, false, &first);
            CHECK(first.status == TACIT_OK && first.sane, "%s, %s: runs, orthonormal, has a plan",
                  name, pure ? "pure" : "approximate");
            CHECK(first.spent == first.receipts && first.spent <= first.budget &&
                      (double)first.spent > 0.999 * (double)first.budget,
                  "what was spent is what receipts say, within the budget and nearly all of it "
                  "(%.5f)",
                  (double)first.spent / (double)first.budget);
            double total = 0;
            for (int l = 0; l < 3; l++) total += first.sizes[l];
            CHECK(gibbs ? isnan(first.sizes[0]) : fabs(total - 600) < 60, "sizes are %s",
                  gibbs ? "not told" : "about right");
            ctx->threads = 2;
            ctx->block_bytes = 1 << 10;
            s.x = shuffled;
            for (int64_t i = 0; i < s.rows; i++)
                memcpy(shuffled + (i * 7 % s.rows) * s.dims, x + i * s.dims,
                       (size_t)s.dims * sizeof *x);
            run_method(&s, both[m], &o, NULL, false, &second);
            ctx->threads = 1;
            ctx->block_bytes = 1 << 18;
            CHECK(second.status == TACIT_OK &&
                      memcmp(first.bases, second.bases, sizeof first.bases) == 0,
                  "the same subspaces for the same seed, on other threads and with rows in another "
                  "order");
        }
    }
}

/* Whatever the rows are: no failure, no NaN, everything orthonormal, and always the same
   queries. */
static void test_degenerate(void)
{
    static double x[MOST_ROWS * MOST_DIMS];
    static outcome out;
    static const char *const world[] = {"no rows",          "one row",        "two rows",
                                        "rows of zeros",    "equal rows",     "constant columns",
                                        "rows far outside", "missing values", "rows on a line"};
    tacit_subspace_opts o;
    char bad[200] = "";
    int runs = 0;
    bool same = true;

    tacit_subspace_opts_init(&o, sizeof o);
    for (int m = 0; m < 2; m++)
        for (int w = 0; w < 9; w++)
            for (int variant = 0; variant < 8; variant++) {
                const bool gibbs = both[m] == TACIT_SUBSPACE_GIBBS;
                sample s = {.rows = w < 3 ? w : 100,
                            .dims = variant % 2 ? 2 : 6,
                            .k = variant % 4 == 3 ? 1 : 4,
                            .q = 1,
                            .x = x,
                            .epsilon = (double[]){1e-3, 1, 30, 1000}[variant / 2],
                            .neighbors = variant % 2 ? TACIT_REPLACE : TACIT_ADD_REMOVE,
                            .delta = gibbs || variant < 4 ? 0 : 1e-6,
                            .box = w % 2};
                if (variant % 2 == 0) s.q = 1 + variant / 2 % 4 + (variant == 6);
                for (int64_t i = 0; i < s.rows; i++)
                    for (int32_t j = 0; j < s.dims; j++)
                        x[i * s.dims + j] = w == 3   ? 0
                                            : w == 4 ? 0.3
                                            : w == 5 ? (j == 0 ? 2 * uniform() - 1 : 0.5)
                                            : w == 6 ? 1e300 * (uniform() - 0.5)
                                            : w == 7 ? NAN
                                            : w == 8 ? 0.1 * (double)i / (double)s.rows * (j + 1)
                                                     : 2 * uniform() - 1;
                o.rounds = gibbs ? 20 : variant == 1 ? 1 : 0;
                run_method(&s, both[m], &o, NULL, false, &out);
                bool finite = true;
                for (int l = 0; l < s.k; l++) finite = finite && (gibbs || isfinite(out.sizes[l]));
                if (out.status != TACIT_OK || !out.sane || !finite || out.spent > out.budget)
                    snprintf(bad, sizeof bad, "method %d, %s, variant %d: %s", m, world[w], variant,
                             out.status != TACIT_OK ? tacit_ctx_message(ctx) : "not sane");
                runs++;
                same = same && out.asked >= 1;
            }
    CHECK(bad[0] == 0 && same, "%d runs on degenerate rows, tiny and huge epsilon: all sane %s",
          runs, bad);
}

/* ---- replay: a neighbor that is handed the same noisy answers does the same ---- */

typedef struct transcript {
    bool replaying, same;
    int at, count;
    struct {
        tac_kind kind;
        uint64_t quanta, scale;
        size_t words;
        uint64_t word[400];
    } query[64];
} transcript;

static void on_noisy(void *payload, const tac_receipt *r, uint64_t *word, size_t n)
{
    transcript *t = payload;

    MUST(t->at < 64 && n <= 400);
    if (!t->replaying) {
        t->query[t->at].kind = r->kind;
        t->query[t->at].quanta = r->quanta;
        t->query[t->at].scale = r->scale;
        t->query[t->at].words = n;
        memcpy(t->query[t->at++].word, word, n * sizeof *word);
        t->count = t->at;
        return;
    }
    t->same = t->same && t->at < t->count && t->query[t->at].quanta == r->quanta &&
              t->query[t->at].scale == r->scale && t->query[t->at].words == n &&
              t->query[t->at].kind == r->kind;
    if (t->same) memcpy(word, t->query[t->at].word, n * sizeof *word);
    t->at++;
}

static void test_replay(void)
{
    static double x[MOST_ROWS * MOST_DIMS];
    static outcome first, second;
    static transcript t;
    bool good = true;
    tacit_subspace_opts o;

    tacit_subspace_opts_init(&o, sizeof o);
    for (int round = 0; round < 40; round++) {
        const bool gibbs = round % 4 == 3;
        sample s = {.rows = 1 + (int64_t)(next() % 90),
                    .dims = 4 + (int32_t)(next() % 5),
                    .k = 1 + (int32_t)(next() % 4),
                    .q = 1,
                    .epsilon = (double[]){0.2, 2, 20, 300}[next() % 4],
                    .delta = gibbs || next() % 2 ? 0 : 1e-6,
                    .neighbors = next() % 2 ? TACIT_REPLACE : TACIT_ADD_REMOVE,
                    .box = next() % 2};
        s.q = 1 + (int32_t)(next() % 3);
        fill(&s, x);
        o.rounds = gibbs ? 10 : 0;
        memset(&t, 0, sizeof t);
        const tac_door_probe probe = {.noisy = on_noisy, .payload = &t};
        run_method(&s, both[gibbs], &o, &probe, false, &first);
        t.replaying = t.same = true;
        t.at = 0;
        if (s.neighbors == TACIT_REPLACE)
            for (int32_t j = 0; j < s.dims; j++) x[j] = 5 * (uniform() - 0.5);
        else
            s.rows--;
        run_method(&s, both[gibbs], &o, &probe, false, &second);
        good = good && t.same && t.at == t.count && first.status == second.status &&
               first.asked == second.asked && first.rounds == second.rounds &&
               memcmp(first.bases, second.bases, sizeof first.bases) == 0 &&
               (gibbs || memcmp(first.sizes, second.sizes, sizeof first.sizes) == 0) &&
               strcmp(first.notes, second.notes) == 0;
    }
    CHECK(good, "40 pairs of neighbors: the same queries, and the same results from the same noisy "
                "answers");
}

static void test_gibbs_options(void)
{
    static double x[MOST_ROWS * MOST_DIMS];
    static outcome out;
    sample s = {.rows = 300, .dims = 6, .k = 3, .q = 2, .epsilon = 400, .neighbors = TACIT_REPLACE};
    tacit_subspace_opts o;

    tacit_subspace_opts_init(&o, sizeof o);
    o.rounds = 40;
    fill(&s, x);
    o.release_labels = 1;
    o.start_with_solver = 1;
    run_method(&s, TACIT_SUBSPACE_GIBBS, &o, NULL, false, &out);
    int right = 0;
    for (int64_t i = 0; i < out.rows; i++)
        for (int64_t j = 0; j < i; j++) right += (out.label[i] == out.label[j]) == (i % 3 == j % 3);
    CHECK(out.status == TACIT_OK && out.has_labels && out.rows == 300 &&
              right > 0.9 * 300 * 299 / 2 && out.sizes[0] > 60,
          "labels under replace are those of the rows in their order (%d of %d pairs)", right,
          300 * 299 / 2);
    CHECK(out.leaks && strstr(out.notes, "NOT private") != NULL, "a start from a plain solution is "
                                                                 "marked as leaking");
    bool started = true;
    for (o.solver = TACIT_SOLVER_KPLANE; o.solver <= TACIT_SOLVER_LRR; o.solver++)
        for (s.rows = 0; s.rows <= 60; s.rows += 60) {
            run_method(&s, TACIT_SUBSPACE_GIBBS, &o, NULL, false, &out);
            started = started && out.status == TACIT_OK && out.sane && out.leaks;
        }
    CHECK(started, "every solver makes a start, also without rows");
    o.solver = TACIT_SOLVER_KPLANE;
    s.rows = 300;
    s.neighbors = TACIT_ADD_REMOVE;
    run_method(&s, TACIT_SUBSPACE_GIBBS, &o, NULL, false, &out);
    CHECK(out.status == TACIT_E_ARGUMENT && out.spent == 0 &&
              strstr(tacit_ctx_message(ctx), "replace") != NULL,
          "labels under add-remove are refused: %s", tacit_ctx_message(ctx));
    o.release_labels = o.start_with_solver = 0;
    o.chains = 3;
    run_method(&s, TACIT_SUBSPACE_GIBBS, &o, NULL, true, &out);
    CHECK(out.status == TACIT_E_ARGUMENT && out.spent == 0,
          "chains need the insecure test seed: %s", tacit_ctx_message(ctx));
    run_method(&s, TACIT_SUBSPACE_GIBBS, &o, NULL, false, &out);
    CHECK(out.status == TACIT_OK && !out.leaks && strstr(out.notes, "3 chains") != NULL,
          "with it they tell how well they agree: %s", out.notes);
    s.delta = 1e-6;
    o.chains = 0;
    house h;
    int16_t bases[4];
    tac_gibbs_draw drawn = {.bases = bases};
    static const int16_t point[2] = {TAC_M};
    open_house(&h, point, 1, 2, TAC_GDP, TACIT_REPLACE, 1, 1);
    CHECK(tac_door_gibbs(h.door, "test", 1 << 30, &(tac_gibbs){.k = 1, .rank = 1, .rounds = 1},
                         &drawn) == TACIT_E_ARGUMENT &&
              h.account.spent == 0,
          "accounts with a delta are refused");
    tac_door_close(h.door);
}

/* Labels tell how many rows there are and in which order: public for rows that are replaced, not
   for persons with rows. So the call is refused by the C interface, and by the door whoever
   asks. */
static void test_labels_of_persons(void)
{
    static double x[MOST_ROWS * MOST_DIMS];
    static int64_t owner[MOST_ROWS];
    static const int16_t points[6] = {TAC_M, 0, 0, TAC_M, TAC_M, 0};
    static const tac_person owners[3] = {{7, 0}, {7, 0}, {7, 1}};
    sample s = {.rows = 90, .dims = 4, .k = 2, .q = 1};
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget budget;
    tacit_subspace_opts o;
    bool refused = true, labelled = true;

    fill(&s, x);
    for (int i = 0; i < MOST_ROWS; i++) owner[i] = i / 2;
    /* 0: no persons, and then the labels are there */
    for (int32_t counted = 0; counted <= 2; counted++) {
        tacit_data_opts how = TACIT_DATA_OPTS_INIT;
        how.missing = TACIT_MISSING_MIDPOINT; /* every row has a label */
        MUST(tacit_data_from_memory(ctx, x, TACIT_F64, s.rows, s.dims, &data) == TACIT_OK &&
             tacit_data_set_features(ctx, data, &how) == TACIT_OK &&
             tacit_data_set_ball(ctx, data, NULL, 1) == TACIT_OK);
        if (counted > 0) MUST(tacit_data_set_units(ctx, data, owner, "patient") == TACIT_OK);
        tacit_budget_init(&budget, sizeof budget);
        tacit_subspace_opts_init(&o, sizeof o);
        budget.epsilon = 10;
        budget.neighbors = TACIT_REPLACE;
        budget.max_rows_per_unit = counted;
        budget.use_insecure_test_seed = 1;
        o.k = s.k;
        o.q = s.q;
        o.method = TACIT_SUBSPACE_GIBBS;
        o.rounds = 5;
        o.release_labels = 1;
        const tacit_status status = tacit_subspace_run(ctx, data, &budget, &o, &model);
        if (counted == 0)
            labelled = status == TACIT_OK;
        else
            refused = refused && status == TACIT_E_ARGUMENT && model == NULL &&
                      strstr(tacit_ctx_message(ctx), "without a unit column") != NULL;
        tacit_model_free(model);
        model = NULL;
        tacit_data_free(data);
    }
    CHECK(labelled && refused, "labels of persons' rows are refused: their number and order would "
                               "tell how many rows a person has");
    for (int owned = 1; owned <= 2; owned++) {
        house h;
        int16_t bases[2];
        tac_gibbs_draw drawn = {.bases = bases};
        open_house(&h, points, 3, 2, TAC_PURE, TACIT_REPLACE, owned, 1);
        if (owned == 1) tac_door_owners(h.door, owners);
        CHECK(tac_door_gibbs(h.door, "test", UINT64_C(1) << 50,
                             &(tac_gibbs){.k = 1, .rank = 1, .rounds = 1, .labels = true},
                             &drawn) == TACIT_E_ARGUMENT &&
                  h.account.spent == 0 && drawn.label == NULL,
              "the door itself refuses them, %s",
              owned == 1 ? "persons of one row" : "persons of several rows");
        tac_door_close(h.door);
    }
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_range();
    test_loss();
    test_drawn_distribution();
    test_gibbs_distribution();
    test_gibbs_labels();
    test_gibbs_order();
    test_even_inside();
    test_price();
    test_methods();
    test_degenerate();
    test_replay();
    test_gibbs_options();
    test_labels_of_persons();
    tacit_ctx_free(ctx);
    return tap_done();
}
