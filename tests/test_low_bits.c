/* SPDX-License-Identifier: Apache-2.0 */
/* The low-bit attack on drawn subspaces. A vector that is drawn as V u, V the eigenvectors of the
   rows' moments, and released with all its 53 bits tells V: somebody who knows every row but one
   computes V of the rows D, tries every u near the one that the release shows, and asks whether any
   gives these very bits. Of releases of D all do; of releases of D and one row more some do not,
   and those rule D out, whatever epsilon says (Mironov 2012 for Laplace noise). A release that is a
   function of integers looks the same to it with and without the row.

   Two statistics. Exact: a drawn vector is what the release makes of a point of the 16-bit grid, so
   that nothing finer has left; a right program always passes, a vector with low bits of its own
   with a chance of some 2^-30. And the attack itself: the shares of impossible releases of the two
   sides differ by z, and |z| >= ALARM is a failure: a false alarm for one set of seeds in a million
   in each of six comparisons (and the seeds are fixed). */
#include "cluster/subspace/flat.h"
#include "cluster/subspace/subspace_run.h"
#include "data/lattice/frame.h"
#include "privacy/draws/draws.h"
#include "release/model.h"
#include "solve/linalg/eigen.h"
#include "statistics.h"
#include "tap.h"

enum { ROWS = 2000, RUNS = 400 };

#define EPSILON 0.05 /* an exponent of 81: releases lie within some 6 degrees of the rows */
/* sine of the angle beyond which the pipeline below is not the whole of the old one */
#define WIDE 0.28
#define NEAR 6e-16 /* how far rounding moves a sine */

static tacit_ctx *ctx;
static tac_flat flat;
static double axes[4]; /* the eigenvectors of the rows that the attacker knows, as columns */

/* What the release of a draw of this sine was, when its 53 bits left the door. */
static void old_pipeline(double sine, double *out)
{
    const double u[2] = {sqrt(1 - sine * sine), sine};
    double basis[2];

    for (int i = 0; i < 2; i++) {
        double sum = 0;
        for (int j = 0; j < 2; j++) sum += axes[i * 2 + j] * u[j];
        basis[i] = sum;
    }
    tac_orthonormal(0, 1, 2, basis);
    tac_flat_linear(ctx, basis, NULL, &flat);
    memcpy(out, flat.vectors, 2 * sizeof *out);
}

static double sine_of(const double *v)
{
    const double across = axes[1] * v[0] + axes[3] * v[1], along = axes[0] * v[0] + axes[2] * v[1];
    return along < 0 ? -across : across;
}

/* Is there a double near the sine of this release that gives it, to the last bit? */
static bool possible(const double *v)
{
    const double sine = sine_of(v);

    for (int up = 0; up < 2; up++)
        for (double y = sine; fabs(y - sine) <= NEAR; y = nextafter(y, up ? 2 : -2)) {
            double out[2];
            old_pipeline(y, out);
            if (out[0] == v[0] && out[1] == v[1]) return true;
        }
    return false;
}

/* Is this vector what comes of a point of the grid? Its length was 1 but for rounding, so that the
   point is one of nine. */
static bool on_grid(const double *v)
{
    for (int place = 0; place < 9; place++) {
        const int16_t drawn[2] = {(int16_t)(lrint(TAC_M * v[0]) + place / 3 - 1),
                                  (int16_t)(lrint(TAC_M * v[1]) + place % 3 - 1)};
        double basis[2];
        tac_subspace_rebuild(drawn, 1, 1, 2, basis);
        tac_flat_linear(ctx, basis, NULL, &flat);
        if (flat.vectors[0] == v[0] && flat.vectors[1] == v[1]) return true;
    }
    return false;
}

/* ROWS rows along a line, and with `more` one row elsewhere. */
static int64_t fill(double angle, bool more, double (*x)[2])
{
    for (int i = 0; i < ROWS; i++) {
        x[i][0] = 0.9 * cos(angle);
        x[i][1] = 0.9 * sin(angle);
    }
    x[ROWS][0] = 0.6;
    x[ROWS][1] = 0.8;
    return ROWS + (more ? 1 : 0);
}

static void release(tacit_subspace_method method, double (*x)[2], int64_t rows, uint64_t seed,
                    const tac_door_probe *probe, double *out)
{
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget budget;
    tacit_subspace_opts opts;

    MUST(tacit_data_from_memory(ctx, x, TACIT_F64, rows, 2, &data) == TACIT_OK);
    MUST(tacit_data_set_ball(ctx, data, NULL, 1) == TACIT_OK);
    tacit_budget_init(&budget, sizeof budget);
    budget.epsilon = EPSILON;
    budget.use_insecure_test_seed = 1;
    budget.insecure_test_seed = seed;
    tacit_subspace_opts_init(&opts, sizeof opts);
    opts.method = method;
    opts.k = opts.q = 1;
    opts.rounds = method == TACIT_SUBSPACE_BINGHAM ? 1 : method == TACIT_SUBSPACE_GIBBS ? 2 : 0;
    const tacit_status status = tac_subspace_probed(ctx, data, &budget, &opts, probe, &model);
    if (status != TACIT_OK) printf("# %s\n", tacit_ctx_message(ctx));
    MUST(status == TACIT_OK);
    memcpy(out, model->subspaces, 2 * sizeof *out);
    tacit_model_free(model);
    tacit_data_free(data);
}

/* V of D, to the bit: from the exact moments of the draw times its exponent, as the draw had
   them. */
static void know(void *payload, const tac_receipt *r, const uint64_t *word, size_t count)
{
    double values[2], matrix[4];

    (void)payload;
    if (r->kind != TAC_KIND_BINGHAM) return;
    MUST(count == 3);
    const double times =
        tac_bingham_exponent(
            &(tac_privacy_params){.neighbors = TACIT_ADD_REMOVE, .rows_per_unit = 1}, r->scale) /
        ((double)TAC_M * TAC_M);
    matrix[0] = times * (double)(int64_t)word[0];
    matrix[1] = matrix[2] = times * (double)(int64_t)word[1];
    matrix[3] = times * (double)(int64_t)word[2];
    MUST(tac_top_eigen(ctx, matrix, 2, 2, values, axes) == TACIT_OK);
}

static void attack(tacit_subspace_method method, double angle)
{
    static double x[ROWS + 1][2];
    int64_t seen[2] = {0}, impossible[2] = {0}, off = 0;
    double v[2];
    const char *name = tac_subspace_method_of(method)->name;
    const bool drawn = method == TACIT_SUBSPACE_BINGHAM || method == TACIT_SUBSPACE_GIBBS;
    const tac_door_probe probe = {.exact = know};

    release(TACIT_SUBSPACE_BINGHAM, x, fill(angle, false, x), 1, &probe, v);
    for (int side = 0; side < 2; side++)
        for (uint64_t run = 0; run < RUNS; run++) {
            release(method, x, fill(angle, side == 1, x), 1000 + 2 * run + (uint64_t)side, NULL, v);
            off += drawn && !on_grid(v);
            /* of few, too many doubles are near */
            if (fabs(sine_of(v)) > WIDE || fabs(sine_of(v)) < 1e-3) continue;
            seen[side]++;
            impossible[side] += !possible(v);
        }
    if (drawn)
        CHECK(off == 0,
              "%s, rows at %.1f: no drawn vector has bits below the 16-bit grid (%d of %d have)",
              name, angle, (int)off, 2 * RUNS);
    const double a = (double)impossible[0] / (double)seen[0],
                 b = (double)impossible[1] / (double)seen[1],
                 all = (double)(impossible[0] + impossible[1]) / (double)(seen[0] + seen[1]),
                 z = (a - b) / sqrt(fmax(all * (1 - all), 1e-12) *
                                    (1 / (double)seen[0] + 1 / (double)seen[1]));
    CHECK(seen[0] > RUNS / 2 && seen[1] > RUNS / 2 && fabs(z) < ALARM,
          "%s, rows at %.1f: low bits do not tell one row more: %.1f %% and %.1f %% of releases "
          "cannot come from a draw by the rows known, z %.2f",
          name, angle, 100 * a, 100 * b, z);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    MUST(tac_flat_new(ctx, 1, 2, &flat) == TACIT_OK);
    for (int slanted = 0; slanted < 2; slanted++) {
        attack(TACIT_SUBSPACE_BINGHAM, slanted ? 0.7 : 0);
        attack(TACIT_SUBSPACE_GIBBS, slanted ? 0.7 : 0);
        attack(TACIT_SUBSPACE_AUTO, slanted ? 0.7 : 0);
    }
    tac_flat_clear(&flat);
    tacit_ctx_free(ctx);
    return tap_done();
}
