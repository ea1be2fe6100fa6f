/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_subspace_diagnose: are the rows separated well enough for the theorems of Wang, Wang &
   Singh 2015, and do the conditions of TSC hold? Exact, NOT private. */
#include "owner/subspace_lemma.h"
#include "owner/subspace_rows.h"
#include "solve/subspace/plain_kplane.h"
#include "solve/subspace/subspaces.h"

#include <math.h>
#include <string.h>

enum { RESTARTS = 20 };

/* Delta^2: the mean squared distance of the rows to the best `count` subspaces of dimension q, the
   first of them of dimension `first`. No subspace: the mean square itself. label: NULL, or n. */
static tacit_status best_cost(tacit_ctx *ctx, const tac_subspace_rows *r, int32_t count,
                              int32_t first, double *cost, int32_t *label)
{
    tacit_status status = TACIT_OK;
    const int32_t wide = first > r->q ? first : r->q;
    double *bases = NULL;
    int32_t *rank = NULL;

    if (count == 0) {
        *cost = 0;
        for (int64_t i = 0; i < r->n * r->dims; i++)
            *cost += r->values[i] * r->values[i] / (double)r->n;
        return TACIT_OK;
    }
    TAC_TRY(tac_new(ctx, (size_t)count * (size_t)wide * (size_t)r->dims, sizeof *bases, &bases));
    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *rank, &rank));
    for (int32_t c = 0; c < count; c++) rank[c] = c == 0 ? first : r->q;
    const tac_kplane opts = {.k = count,
                             .q = wide,
                             .rank = rank,
                             .iterations = 100,
                             .tolerance = 1e-8,
                             .restarts = r->opts.restarts > 0 ? r->opts.restarts : RESTARTS,
                             .seed = r->opts.seed};
    TAC_TRY(tac_solve_kplane(ctx, r->values, r->n, r->dims, &opts, bases, cost, label));
done:
    tac_free(bases);
    tac_free(rank);
    return status;
}

/* Definition 3.2 and Lemma 3.3. A solution of a stricter problem is one of the looser problem too,
   so the costs are put in order whatever the restarts have found. */
static tacit_status separate(tacit_ctx *ctx, const tac_subspace_rows *r,
                             tacit_subspace_diagnosis *d, int32_t *label)
{
    tacit_status status = TACIT_OK;
    double *found[] = {&d->cost, &d->cost_fewer, &d->cost_lower, &d->cost_higher};

    TAC_TRY(best_cost(ctx, r, r->opts.k, r->q, &d->cost, label));
    TAC_TRY(best_cost(ctx, r, r->opts.k - 1, r->q, &d->cost_fewer, NULL));
    TAC_TRY(best_cost(ctx, r, r->opts.k, r->q - 1, &d->cost_lower, NULL));
    TAC_TRY(best_cost(ctx, r, r->opts.k, r->q + 1, &d->cost_higher, NULL));
    for (size_t i = 0; i < 4; i++) *found[i] /= (double)TAC_M * TAC_M;
    d->cost = fmin(d->cost, fmin(d->cost_fewer, d->cost_lower));
    d->cost_higher = fmin(d->cost_higher, d->cost);
    /* all rows fit k - 1: nothing needs k */
    d->phi_squared = d->cost_fewer > 0 ? d->cost / d->cost_fewer : 1;
    d->psi = d->cost_lower - d->cost;
    d->eta = d->cost - d->cost_higher;
    d->stable = d->phi_squared < 1.0 / 1602 && d->psi > d->eta;
    d->factor = d->distance = NAN;
    if (d->stable) {
        const double phi = d->phi_squared;
        d->factor = phi > 0 ? (1 - 802 * phi) / (800 * phi) : INFINITY;
        d->distance = 600 * M_SQRT2 * phi * sqrt(r->opts.k) / ((1 - 150 * phi) * (d->psi - d->eta));
    }
done:
    return status;
}

/* x = y + w, |y| = 1, w of sigma^2 / d in each of d coordinates: what subspaces leave over is (d -
   q) / d sigma^2, beside a signal of 1. */
static double noise_of(const tac_subspace_rows *r, double square, double rest)
{
    const double each = rest / (r->dims - r->q), signal = square - rest - r->q * each;
    return signal > 0 ? sqrt(each * r->dims / signal) : INFINITY;
}

/* Labels 0 .. k - 1 from the label column, in order of appearance. */
static tacit_status read_labels(tacit_ctx *ctx, const tacit_data *data, const tac_subspace_rows *r,
                                int32_t *label)
{
    int64_t most = -1;

    for (int64_t i = 0; i < r->n; i++) {
        const int64_t own = data->reader->label[i];
        most = own > most ? own : most;
        label[i] = own >= 0 && own < r->opts.k ? (int32_t)own : -1;
    }
    if (most + 1 != r->opts.k)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the label column has another number of labels than k; give the number of "
                        "labels as k, or leave the label column out");
    return TACIT_OK;
}

/* Fits a subspace to each cluster, measures their least gap and the noise (unless sigma was given),
   and checks Lemma 3.5. Clusters are those of the label column or, without one, of the solver. */
static tacit_status connect(tacit_ctx *ctx, const tacit_data *data, const tac_subspace_rows *r,
                            int32_t *label, tacit_subspace_diagnosis *d)
{
    tacit_status status = TACIT_OK;
    const size_t each = (size_t)r->q * (size_t)r->dims, k = (size_t)r->opts.k;
    double *bases = NULL, *sizes = NULL, *room = NULL, square = 0, held = 0;
    tac_lemma lemma = {
        .k = r->opts.k, .q = r->q, .d = r->dims, .least_gap = INFINITY, .gamma = d->gamma};

    TAC_TRY(tac_new(ctx, k * each, sizeof *bases, &bases));
    TAC_TRY(tac_new(ctx, k, sizeof *sizes, &sizes));
    TAC_TRY(tac_new(ctx, (size_t)r->q, sizeof *room, &room));
    if (data->reader->label != NULL) TAC_TRY(read_labels(ctx, data, r, label));
    TAC_TRY(tac_planes_of_labels(ctx, r->values, r->n, r->dims, label, r->opts.k, r->q, bases));
    for (int64_t i = 0; i < r->n; i++) {
        const double *x = r->values + i * r->dims;
        if (label[i] < 0) continue;
        sizes[label[i]]++;
        for (int32_t j = 0; j < r->dims; j++) square += x[j] * x[j] / (double)r->n;
        for (int32_t v = 0; v < r->q; v++) {
            double along = 0;
            for (int32_t j = 0; j < r->dims; j++)
                along +=
                    x[j] * bases[(size_t)label[i] * each + (size_t)v * (size_t)r->dims + (size_t)j];
            held += along * along / (double)r->n;
        }
    }
    for (size_t a = 0; a < k; a++)
        for (size_t b = a + 1; b < k; b++)
            lemma.least_gap =
                fmin(lemma.least_gap, tac_subspace_gap(bases + a * each, bases + b * each, r->q,
                                                       r->dims, TAC_GAP_SINES, room));
    lemma.sizes = sizes;
    if (!(d->sigma >= 0)) d->sigma = noise_of(r, square, fmax(0, square - held));
    lemma.sigma = d->sigma;
    tac_lemma_check(&lemma, d);
done:
    tac_free(bases);
    tac_free(sizes);
    tac_free(room);
    return status;
}

/* The contract stands in tacit.h. `out` is read first: sigma and gamma are the caller's. */
tacit_status tacit_subspace_diagnose(tacit_ctx *ctx, tacit_data *data,
                                     const tacit_subspace_opts *opts, tacit_subspace_diagnosis *out)
{
    tacit_status status = TACIT_OK;
    tacit_subspace_diagnosis d = TACIT_SUBSPACE_DIAGNOSIS_INIT;
    tac_subspace_rows r = {0};
    int32_t *label = NULL;

    TAC_TRY(tac_read_opts(ctx, "tacit_subspace_diagnosis", out, &d, sizeof d));
    if (isnan(d.sigma) || !(d.gamma > 1 && d.gamma < 1e6))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "sigma must be a number, negative to have it estimated, and gamma above 1");
    TAC_TRY(tac_subspace_rows_open(ctx, data, opts, &r));
    if (r.opts.affine)
        TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                         "the theorems are about subspaces through the origin; leave affine out"));
    if (r.n == 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                         "%s: there is no row to diagnose; take a file with rows",
                         tac_data_name(data)));
    d.rows = r.n;
    TAC_TRY(tac_new(ctx, (size_t)r.n, sizeof *label, &label));
    TAC_TRY(separate(ctx, &r, &d, label));
    TAC_TRY(connect(ctx, data, &r, label, &d));
    status = tac_give_struct(ctx, "tacit_subspace_diagnosis", &d, sizeof d, out);
done:
    tac_subspace_rows_close(&r);
    tac_free(label);
    return status;
}
