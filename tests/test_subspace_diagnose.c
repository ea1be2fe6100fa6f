/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_subspace_diagnose: well-separation on rows whose costs are known, and Lemma 3.5 against its
   formulas by hand. */
#include "owner/subspace_lemma.h"
#include "subspace_sets.h"

static tacit_ctx *ctx;

static tacit_status diagnose(const double *points, int64_t n, int32_t d, int32_t k, int32_t q,
                             double sigma, tacit_subspace_diagnosis *out)
{
    tacit_data *data = NULL;
    tacit_subspace_opts opts;

    MUST(tacit_data_from_memory(ctx, points, TACIT_F64, n, d, &data) == TACIT_OK);
    MUST(tacit_data_set_ball(ctx, data, NULL, 1) == TACIT_OK);
    tacit_subspace_opts_init(&opts, sizeof opts);
    opts.k = k;
    opts.q = q;
    tacit_subspace_diagnosis_init(out, sizeof *out);
    out->sigma = sigma;
    const tacit_status status = tacit_subspace_diagnose(ctx, data, &opts, out);
    tacit_data_free(data);
    return status;
}

/* Rows on three axes of four, none between: costs are counts. Axis j has share w_j of the rows, all
   of length 1. */
static void axes(void)
{
    static const int share[] = {50, 30, 20, 0};
    double points[100 * 4] = {0};
    tacit_subspace_diagnosis d;
    int row = 0;

    for (int j = 0; j < 4; j++)
        for (int i = 0; i < share[j]; i++) points[row++ * 4 + j] = i % 2 ? 1 : -1;
    MUST(diagnose(points, 100, 4, 2, 1, 0, &d) == TACIT_OK);
    CHECK(fabs(d.cost - 0.2) < 1e-6 && fabs(d.cost_fewer - 0.5) < 1e-6, "two lines leave the third "
                                                                        "axis, one line two of "
                                                                        "them");
    CHECK(fabs(d.cost_lower - 0.5) < 1e-6 && fabs(d.cost_higher) < 1e-6, "a line and a point; a "
                                                                         "line and a plane");
    CHECK(fabs(d.phi_squared - 0.4) < 1e-6 && fabs(d.psi - 0.3) < 1e-6 &&
              fabs(d.eta - 0.2) < 1e-6 && !d.stable,
          "phi^2, psi and eta");
    MUST(diagnose(points, 100, 4, 3, 1, -1, &d) == TACIT_OK);
    CHECK(d.cost < 1e-8 && d.phi_squared < 1e-6 && d.stable && d.factor > 1e4 && d.distance < 0.01,
          "three lines fit: Lemma 3.3 applies");
    CHECK(d.sigma < 1e-3 && fabs(d.affinity) < 1e-9, "no noise, right angles");
    MUST(diagnose(points, 100, 4, 1, 1, -1, &d) == TACIT_OK);
    CHECK(fabs(d.cost_fewer - 1) < 1e-6 && isnan(d.affinity), "one subspace: none costs all");
}

static void noisy(void)
{
    union_set s = union_new(1200, 12, 3, 3, 0.02, 5);
    tacit_subspace_diagnosis d;

    MUST(diagnose(s.points, s.n, s.d, s.k, s.q, -1, &d) == TACIT_OK);
    CHECK(fabs(d.cost - 9 * 0.02 * 0.02) < 0.2 * 9 * 0.02 * 0.02,
          "cost is the noise outside the subspaces (%.2g)", d.cost);
    CHECK(fabs(d.sigma - 0.02 * sqrt(12)) < 0.1 * 0.02 * sqrt(12),
          "the estimated noise is right (%.4f)", d.sigma);
    CHECK(d.cost_higher <= d.cost && d.cost <= d.cost_lower && d.cost <= d.cost_fewer,
          "costs stand in their order");
    CHECK(!d.connected && d.conditions == 6 && !d.condition[0].met, "no data of this size meets "
                                                                    "Lemma 3.5");
    union_clear(&s);
}

static void lemma(void)
{
    const double sizes[] = {1e8, 1e8};
    tacit_subspace_diagnosis d;
    tac_lemma l = {
        .k = 2, .q = 3, .d = 4000, .sizes = sizes, .least_gap = 3, .sigma = 1e-4, .gamma = 2};

    tac_lemma_check(&l, &d);
    CHECK(d.connected, "huge clusters at right angles with little noise meet all conditions");
    /* q = 3, gamma = 1: pi sqrt 6 (12 pi)^2 / (0.01 * 0.5 * 2) = 1.0937e6 */
    l.gamma = 1;
    tac_lemma_check(&l, &d);
    CHECK(fabs(d.condition[0].limit / 1.0937e6 - 1) < 1e-3,
          "n_l / log n_l above 1.09e6 for q = 3 (%.5g)", d.condition[0].limit);
    l.sigma = 0.5;
    tac_lemma_check(&l, &d);
    CHECK(fabs(d.condition[2].value - (sqrt(5) + 0.25)) < 1e-12 &&
              fabs(d.condition[3].value - (sqrt(5) + 1.25)) < 1e-12,
          "both sigma-bars");
    l.q = 2;
    tac_lemma_check(&l, &d);
    CHECK(!d.condition[0].met && !d.condition[3].met && !d.connected, "q of 2: never");
    l = (tac_lemma){
        .k = 2, .q = 3, .d = 40, .sizes = sizes, .least_gap = 2.9, .sigma = 1e-4, .gamma = 2};
    tac_lemma_check(&l, &d);
    CHECK(!d.condition[1].met && !d.condition[4].met, "subspaces that share a direction, and too "
                                                      "few columns");
}

static void refused(void)
{
    const double points[] = {1, 0, 0, 0, 1, 0};
    tacit_subspace_diagnosis d;

    CHECK(diagnose(points, 2, 3, 0, 1, 0, &d) == TACIT_E_ARGUMENT, "k must be told");
    CHECK(diagnose(points, 2, 3, 1, 1, NAN, &d) == TACIT_E_ARGUMENT, "a sigma that is no number is "
                                                                     "refused");
    CHECK(diagnose(points, 0, 3, 1, 1, 0, &d) == TACIT_E_FORMAT, "no rows");
    CHECK(diagnose(points, 2, 3, 2, 2, -1, &d) == TACIT_OK && isfinite(d.cost), "two rows");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    axes();
    noisy();
    lemma();
    refused();
    tacit_ctx_free(ctx);
    return tap_done();
}
