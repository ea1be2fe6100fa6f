/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_subspace_plain: rows in, subspaces out, marked not private. */
#include "tap.h"

#include "subspace_sets.h"

static tacit_ctx *ctx;

static tacit_data *data_of(const double *points, int64_t n, int32_t d, double radius)
{
    static const double zero[16] = {0};
    tacit_data *data = NULL;
    MUST(tacit_data_from_memory(ctx, points, TACIT_F64, n, d, &data) == TACIT_OK);
    MUST(tacit_data_set_ball(ctx, data, zero, radius) == TACIT_OK);
    return data;
}

/* d_W of a model's subspaces (k x d x q) and bases (k x q x d). */
static double gap_of(const tacit_model *model, const double *truth, int32_t k, int32_t q, int32_t d)
{
    double *bases = NULL, gap;
    const double *s = tacit_model_subspaces(model);

    MUST(tac_new(NULL, (size_t)(k * q * d), sizeof *bases, &bases) == TACIT_OK);
    for (int32_t c = 0; c < k; c++)
        for (int32_t j = 0; j < d; j++)
            for (int32_t v = 0; v < q; v++) bases[(c * q + v) * d + j] = s[(c * d + j) * q + v];
    MUST(tac_subspaces_gap(ctx, bases, truth, k, q, d, TAC_GAP_PROJECTORS, &gap, NULL) == TACIT_OK);
    tac_free(bases);
    return gap;
}

static void linear(void)
{
    union_set s = union_new(300, 10, 3, 3, 0.02, 3);
    tacit_data *data = data_of(s.points, s.n, s.d, 1);

    for (int solver = 0; solver <= TACIT_SOLVER_LRR; solver++) {
        tacit_model *model = NULL;
        tacit_subspace_opts opts;
        tacit_subspace_opts_init(&opts, sizeof opts);
        opts.k = 3;
        opts.q = 3;
        opts.solver = (tacit_subspace_solver)solver;
        MUST(tacit_subspace_plain(ctx, data, &opts, &model) == TACIT_OK);
        const double gap = gap_of(model, s.bases, 3, 3, 10), *sizes = tacit_model_sizes(model),
                     *profile = tacit_model_profile(model);
        CHECK(gap < 0.1 && tacit_model_q(model) == 3, "solver %d: d_W %.3f", solver, gap);
        CHECK(fabs(sizes[0] + sizes[1] + sizes[2] - 300) < 1e-9, "sizes add up to all rows");
        CHECK(profile != NULL && fabs(profile[0] * profile[0] + profile[1] * profile[1] +
                                      profile[2] * profile[2] - 1) < 0.05,
              "mean squares along the vectors add up to those of the rows");
        CHECK(tacit_model_is_private(model) == 0, "the model says that it is not private");
        tacit_model_free(model);
    }
    tacit_data_free(data);
    union_clear(&s);
}

/* Two planes that miss the origin: x_3 = 0.4 and x_1 = -0.3. */
static void affine(void)
{
    double points[400 * 3];
    uint64_t state = 8;
    tacit_model *model = NULL;
    tacit_subspace_opts opts;

    for (int i = 0; i < 400; i++) {
        for (int j = 0; j < 3; j++) points[i * 3 + j] = 0.25 * tac_plain_normal(&state);
        points[i * 3 + (i % 2 == 0 ? 2 : 0)] = i % 2 == 0 ? 0.4 : -0.3;
    }
    tacit_data *data = data_of(points, 400, 3, 2);
    tacit_subspace_opts_init(&opts, sizeof opts);
    opts.k = 2;
    opts.q = 2;
    opts.affine = 1;
    MUST(tacit_subspace_plain(ctx, data, &opts, &model) == TACIT_OK);
    const double truth[] = {1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1};
    const double *point = tacit_model_offsets(model), gap = gap_of(model, truth, 2, 2, 3);
    MUST(point != NULL);
    const int first = fabs(point[2] - 0.4) < fabs(point[5] - 0.4) ? 0 : 1;
    CHECK(gap < 0.05 && fabs(point[first * 3 + 2] - 0.4) < 0.01 &&
              fabs(point[(1 - first) * 3] + 0.3) < 0.01,
          "affine planes are found where they are (d_W %.4f)", gap);
    tacit_model_free(model);
    tacit_data_free(data);
}

/* Nothing makes a solver stumble: no number that is not finite comes out. */
static void degenerate(void)
{
    static const struct {
        const char *what;
        int64_t n;
        int kind;
    } set[] = {{"one row", 1, 0},
               {"two rows", 2, 0},
               {"fewer rows than q", 2, 1},
               {"all rows zero", 40, 2},
               {"all rows equal", 40, 3},
               {"all rows on one line", 40, 4},
               {"one row that is not zero", 40, 5},
               {"k as many as rows", 4, 0},
               {"all rows zero, many", 400, 2},
               {"all equal, many", 400, 3}};
    double points[400 * 6];

    for (size_t t = 0; t < sizeof set / sizeof *set; t++)
        for (int solver = 0; solver <= TACIT_SOLVER_LRR; solver++) {
            uint64_t state = 4;
            tacit_model *model = NULL;
            tacit_subspace_opts opts;
            bool finite = true;
            memset(points, 0, sizeof points);
            for (int64_t i = 0; i < set[t].n; i++)
                for (int j = 0; j < 6; j++) {
                    double x = tac_plain_normal(&state);
                    if (set[t].kind == 2 || (set[t].kind == 5 && i != 7)) x = 0;
                    if (set[t].kind == 3) x = j == 2 ? 0.5 : 0.1;
                    if (set[t].kind == 4) x = (double)(i % 7 - 3) * (j + 1) / 20;
                    points[i * 6 + j] = x;
                }
            tacit_data *data = data_of(points, set[t].n, 6, 3);
            tacit_subspace_opts_init(&opts, sizeof opts);
            opts.k = 4;
            opts.q = 3;
            opts.solver = (tacit_subspace_solver)solver;
            opts.affine = (int)t % 2;
            MUST(tacit_subspace_plain(ctx, data, &opts, &model) == TACIT_OK);
            const double *s = tacit_model_subspaces(model);
            for (int i = 0; i < 4 * 6 * 3; i++) finite = finite && isfinite(s[i]);
            if (!finite || solver == 0)
                CHECK(finite, "%s, solver %d: finite subspaces", set[t].what, solver);
            tacit_model_free(model);
            tacit_data_free(data);
        }
}

static void refused(void)
{
    union_set s = union_new(30, 4, 2, 2, 0, 3);
    tacit_data *data = data_of(s.points, s.n, s.d, 1);
    tacit_model *model = NULL;
    tacit_subspace_opts opts;

    tacit_subspace_opts_init(&opts, sizeof opts);
    opts.q = 2;
    CHECK(tacit_subspace_plain(ctx, data, &opts, &model) == TACIT_E_ARGUMENT && model == NULL,
          "k must be told");
    opts.k = 2;
    opts.q = 4;
    CHECK(tacit_subspace_plain(ctx, data, &opts, &model) == TACIT_E_ARGUMENT, "q must be below the "
                                                                              "number of columns");
    opts.q = 2;
    opts.solver = (tacit_subspace_solver)9;
    CHECK(tacit_subspace_plain(ctx, data, &opts, &model) == TACIT_E_ARGUMENT, "an unknown solver "
                                                                              "is refused");
    tacit_data_free(data);
    union_clear(&s);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    linear();
    affine();
    degenerate();
    refused();
    tacit_ctx_free(ctx);
    return tap_done();
}
