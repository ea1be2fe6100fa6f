/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_model_recut: the cells of a release in another number of clusters. */
#include "cluster/derived/derived.h"
#include "solve/kmeans/kmedian.h"

#include <math.h>
#include <string.h>

#define RESTARTS 40
#define WORK 3e9    /* multiplications: restarts are cut to that */
#define GUESSED 0.2 /* of what lies within cells, where a released cluster was divided */

typedef struct cut {
    tacit_ctx *ctx;
    const tac_raked *r;
    tac_kmeans_result *out;
    int32_t *label;           /* cells */
    double *part;             /* k of the release: the weight of its cells in the cluster at hand */
    double *mean;             /* k of the release x dims: the mean of these */
    double *variance, *noise; /* k of the release x dims; NULL: not known */
} cut;

/* The weight and the mean of what cluster c has of every released one; all its weight. */
static double gather(const cut *k, int32_t c)
{
    const tac_raked *r = k->r;
    const size_t d = (size_t)r->dims;
    double rows = 0;

    memset(k->part, 0, (size_t)r->k * sizeof *k->part);
    memset(k->mean, 0, (size_t)r->k * d * sizeof *k->mean);
    for (size_t i = 0; i < (size_t)r->cells; i++) {
        if (k->label[i] != c) continue;
        const size_t g = (size_t)r->group[i];
        rows += r->weight[i];
        k->part[g] += r->weight[i];
        for (size_t j = 0; j < d; j++) k->mean[g * d + j] += r->weight[i] * r->at[i * d + j];
    }
    for (size_t g = 0; g < (size_t)r->k; g++)
        for (size_t j = 0; k->part[g] > 0 && j < d; j++) k->mean[g * d + j] /= k->part[g];
    return rows;
}

/* f: the part of released cluster g that the cluster at hand has. */
static double share(const cut *k, size_t g)
{
    return k->r->mass[g] > 0 ? k->part[g] / k->r->mass[g] : 0;
}

/* What noise of a released number moves a cluster by, to first order. It has the part f of released
   cluster g, with mean m, of g's W_g rows; W are all of its rows and c is where it is. A cell i of
   g is in it (1) or not (0); raking took the mean of all cells to the released center z.
     center of g   f W_g / W
     size of g     f (m - c) / W
     place of i    w_i ((1 or 0) - f) / W
     weight of i   ((1 or 0) (x_i - c) - f (m - c + x_i - z)) / W
   A whole cluster, f = 1, knows no noise of its cells. Of medians this is approximate. */
static void write_bars(const cut *k, int32_t c, double rows, double *sd)
{
    const tac_raked *r = k->r;
    const size_t d = (size_t)r->dims;
    const double *at = k->out->centers + (size_t)c * d;

    for (size_t j = 0; j < d; j++) {
        double sum = 0;
        for (size_t g = 0; g < (size_t)r->k; g++)
            if (k->part[g] > 0)
                sum += pow(k->part[g] * r->center_sd[g * d + j], 2) +
                       pow(r->model->sizes_sd * share(k, g) * (k->mean[g * d + j] - at[j]), 2);
        for (size_t i = 0; i < (size_t)r->cells; i++) {
            const size_t g = (size_t)r->group[i];
            const double in = k->label[i] == c, f = share(k, g), x = r->at[i * d + j];
            if (!(f > 0)) continue;
            const double by_weight =
                in * (x - at[j]) - f * (k->mean[g * d + j] - at[j] + x - r->center[g * d + j]);
            sum +=
                pow(r->weight[i] * (in - f), 2) * r->noise[i] + pow(r->weight_sd[i] * by_weight, 2);
        }
        sd[j] = sqrt(sum) / rows;
    }
}

/* How far off the variance within cells may be that cluster c has of released cluster g: as far as
   that one's was, where noise drowned it all of it, and more where it was divided. */
static double variance_doubt(const cut *k, int32_t c, int32_t g, size_t j, double rows)
{
    const tac_raked *r = k->r;
    const double noise = k->noise[(size_t)g * (size_t)r->dims + j];
    double within = 0;

    for (size_t i = 0; i < (size_t)r->cells; i++)
        if (k->label[i] == c && r->group[i] == g)
            within += r->weight[i] / rows * r->within[i * (size_t)r->dims + j];
    return hypot(isnan(noise) ? within : k->part[g] / rows * noise,
                 GUESSED * (1 - share(k, (size_t)g)) * within);
}

/* Variance of its rows: within cells and between them; and how far off that may be. */
static void write_variance(const cut *k, int32_t c, double rows)
{
    const tac_raked *r = k->r;
    const size_t d = (size_t)r->dims;

    for (size_t j = 0; j < d; j++) {
        const double at = k->out->centers[(size_t)c * d + j];
        double sum = 0, sd = 0;
        for (size_t i = 0; i < (size_t)r->cells; i++)
            if (k->label[i] == c)
                sum += r->weight[i] / rows * (r->within[i * d + j] + pow(r->at[i * d + j] - at, 2));
        for (int32_t g = 0; g < r->k; g++)
            if (k->part[g] > 0) sd += pow(variance_doubt(k, c, g, j, rows), 2);
        k->out->variance[(size_t)c * d + j] = sum;
        k->out->variance_sd[(size_t)c * d + j] = sqrt(sd);
    }
}

/* Noise of a size: f of each released one's, and ((1 or 0) - f) of each of their cells'. */
static double size_noise(const cut *k, int32_t c)
{
    const tac_raked *r = k->r;
    double sum = 0;

    for (size_t g = 0; g < (size_t)r->k; g++) sum += pow(share(k, g) * r->model->sizes_sd, 2);
    for (int32_t i = 0; i < r->cells; i++) {
        const double f = share(k, (size_t)r->group[i]);
        if (f > 0) sum += pow(((k->label[i] == c) - f) * r->weight_sd[i], 2);
    }
    return sqrt(sum);
}

/* Centers, sizes, error bars, variances, from the labels of the cells. */
static void describe(cut *k)
{
    const size_t d = (size_t)k->r->dims;

    for (int32_t c = 0; c < k->out->k; c++) {
        const double rows = gather(k, c);
        k->out->sizes[c] = rows;
        if (!(rows > 0)) continue;
        write_bars(k, c, rows, k->out->centers_sd + (size_t)c * d);
        if (k->out->variance != NULL) write_variance(k, c, rows);
        k->out->sizes_sd = fmax(k->out->sizes_sd, size_noise(k, c));
    }
}

/* What a reader should know beside the numbers. */
static tacit_status write_notes(const cut *k, bool divided)
{
    tacit_status status = TACIT_OK;
    const tac_raked *r = k->r;
    const int32_t n = r->cells, now = k->out->k;

    TAC_TRY(tac_note(k->ctx, &k->out->notes,
                     "cut from a release of %d centers along its %d noisy %s: no row was looked at "
                     "and nothing more was spent",
                     r->k, n, r->centers_only ? "centers" : "cells"));
    if (divided)
        TAC_TRY(tac_note(k->ctx, &k->out->notes,
                         "some clusters are parts of released ones: how those are divided follows "
                         "from the cells alone, so error bars are wider there and borders less "
                         "certain; a run of its own at this k would refine them (twice the k of a "
                         "release cost 0 to 9 %% more than that in tests, medians up to 10 %%)"));
    if (2 * now > n)
        TAC_TRY(tac_note(k->ctx, &k->out->notes,
                         "%d clusters are more than half of the %d %s: many stand on a single one, "
                         "and up to 1.8 times the cost of a run of its own was seen; ask for fewer",
                         now, n, r->centers_only ? "centers" : "cells"));
done:
    return status;
}

/* Does a cluster have a part of a released one and not all of it? */
static bool divides(const cut *k)
{
    const tac_raked *r = k->r;

    for (int32_t i = 0; i < r->cells; i++)
        for (int32_t o = 0; o < i; o++)
            if (r->group[i] == r->group[o] && k->label[i] != k->label[o]) return true;
    return false;
}

/* As many clusters as were released: those, which rounds of their own have refined. False: not as
   many. */
static bool as_released(const cut *k)
{
    const tac_raked *r = k->r;
    const size_t d = (size_t)r->dims;
    int32_t now = 0;

    for (int32_t g = 0; g < r->k; g++) now += r->mass[g] > 0;
    if (now != k->out->k) return false;
    now = 0;
    for (int32_t g = 0; g < r->k; g++) {
        if (!(r->mass[g] > 0)) continue;
        for (int32_t i = 0; i < r->cells; i++)
            if (r->group[i] == g) k->label[i] = now;
        memcpy(k->out->centers + (size_t)now++ * d, r->center + (size_t)g * d,
               d * sizeof *r->center);
    }
    return true;
}

/* The best of several starts, on the cells. */
static tacit_status solve(const cut *k, bool median)
{
    const tac_raked *r = k->r;
    const double work = WORK / ((double)r->cells * r->dims * k->out->k * 30);
    const tac_plain_kmeans opts = {.k = k->out->k,
                                   .restarts = work > RESTARTS ? RESTARTS
                                               : work < 2      ? 2
                                                               : (int32_t)work,
                                   .iterations = 100,
                                   .tolerance = 1e-6,
                                   .swaps = 4 * k->out->k < 200 ? 4 * k->out->k : 200,
                                   .seed = 1};
    double cost;

    if (median == (strcmp(r->model->family, "kmedian") == 0) && as_released(k)) return TACIT_OK;
    return (median ? tac_solve_kmedian : tac_solve_kmeans)(
        k->ctx, r->at, r->weight, r->cells, r->dims, &opts, k->out->centers, &cost, k->label);
}

static tacit_status make(tacit_ctx *ctx, tac_raked *r, int32_t now, bool median,
                         tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)r->k * (size_t)r->dims;
    cut k = {.ctx = ctx, .r = r, .out = out};
    bool known;

    TAC_TRY(tac_kmeans_result_new(ctx, now, r->dims, out));
    TAC_TRY(tac_new(ctx, (size_t)r->cells, sizeof *k.label, &k.label));
    TAC_TRY(tac_new(ctx, (size_t)r->k, sizeof *k.part, &k.part));
    TAC_TRY(tac_new(ctx, numbers, sizeof *k.mean, &k.mean));
    TAC_TRY(tac_raked_within(ctx, r, &known));
    if (r->model->spread != NULL) {
        TAC_TRY(tac_new(ctx, numbers, sizeof *k.variance, &k.variance));
        TAC_TRY(tac_new(ctx, numbers, sizeof *k.noise, &k.noise));
        tac_released_variances(r, k.variance, k.noise);
        TAC_TRY(tac_kmeans_result_variances(ctx, r->dims, out));
    }
    TAC_TRY(solve(&k, median));
    describe(&k);
    TAC_TRY(tac_kmeans_result_sort(ctx, r->dims, out));
    TAC_TRY(write_notes(&k, divides(&k)));
done:
    tac_free(k.label);
    tac_free(k.part);
    tac_free(k.mean);
    tac_free(k.variance);
    tac_free(k.noise);
    return status;
}

/* The result as a release: everything but centers, sizes and notes is the first one's. */
static tacit_status release(tacit_ctx *ctx, const tac_raked *r, bool median,
                            const tac_kmeans_result *result, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;
    double total;

    TAC_TRY(tac_model_new(ctx, result->k, r->dims, &model));
    TAC_TRY(tac_model_copy_head(ctx, r->model, model));
    TAC_TRY(tac_model_set_text(ctx, &model->family, median ? "kmedian" : "kmeans"));
    TAC_TRY(tac_model_set_text(ctx, &model->method, "recut"));
    TAC_TRY(tac_model_set_text(ctx, &model->cut_from.family, r->model->family));
    TAC_TRY(tac_model_set_text(ctx, &model->cut_from.method, r->model->method));
    model->cut_from.k = r->k;
    TAC_TRY(
        tac_kmeans_write_result(ctx, &r->frame, &model->geometry.features, result, model, &total));
    TAC_TRY(tac_notes_write(ctx, &result->notes, NULL, model));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}

/* The choice of k compares the cells with those of boxes without groups that went the run's own
   way. A release does not say which way that was: the ball that the zoom found, how the budget was
   shared out, and cells were merged for the k of the run. */
static tacit_status refuse_to_choose(tacit_ctx *ctx, const tac_raked *r)
{
    const tacit_k_choice *c = &r->model->choice;

    if (c->verdict == TACIT_K_GIVEN)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "k cannot be chosen from this release: that takes boxes without groups "
                        "seen the way that its run saw the rows, which a release does not tell; "
                        "give a number, or choose k in a run (tacit %s -k auto)",
                        r->model->family);
    if (c->verdict == TACIT_K_NONE || c->verdict == TACIT_K_NOISY)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the run has looked for a k already and saw no groups that stand out of "
                        "the noise; give the number of segments that you need");
    if (c->low < c->high)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the run has chosen k already: %d looks best and %d to %d do about as "
                        "well; give one of these numbers",
                        c->best, c->low, c->high);
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "the run has chosen k already: %d looks best; give that number or another",
                    c->best);
}

static tacit_status check_k(tacit_ctx *ctx, const tac_raked *r, int32_t k)
{
    if (k >= 1 && k <= r->cells) return TACIT_OK;
    if (k == TACIT_K_AUTO) return refuse_to_choose(ctx, r);
    if (k < 1)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "k, the number of clusters, must be at least 1");
    if (r->centers_only)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the release holds %d centers that stand for rows and no cells beside "
                        "them, "
                        "so it can be cut into at most %d clusters; a run of method auto without "
                        "--no-synopsis keeps its cells",
                        r->cells, r->cells);
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "the release holds %d cells, so it can be cut into at most %d clusters; more "
                    "need a run of their own, with a larger k",
                    r->cells, r->cells);
}

tacit_status tacit_model_recut(tacit_ctx *ctx, const tacit_model *model, int32_t k, int median,
                               tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tac_raked r = {0};
    tac_kmeans_result result = {0};

    if (ctx != NULL) ctx->message[0] = '\0';
    if (out != NULL) *out = NULL;
    if (ctx == NULL || model == NULL || out == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "tacit_model_recut needs a model and a place");
    TAC_TRY(tac_raked_open(ctx, model, &r));
    TAC_TRY(check_k(ctx, &r, k));
    TAC_TRY(make(ctx, &r, k, median != 0, &result));
    TAC_TRY(release(ctx, &r, median != 0, &result, out));
done:
    tac_kmeans_result_clear(&result);
    tac_raked_close(&r);
    return status;
}
