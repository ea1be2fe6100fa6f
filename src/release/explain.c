/* SPDX-License-Identifier: Apache-2.0 */
/* What the clusters are like: how much people in them differ, how the rows lie as a whole, and in
   which columns a cluster is unlike the rest. Made from released numbers: it costs nothing. */
#include "release/explain.h"

#include "release/model_internal.h"

#include <math.h>
#include <stdlib.h>

#define CLEAR 2.0 /* a difference below so many standard deviations of its noise is not told */
/* ... nor a variance: fewer would tell those that noise made large */
#define CLEAR_VARIANCE 3.0
#define SLIGHT 0.1 /* standard deviations of all rows: less does not set a cluster apart */

static double square(double x)
{
    return x * x;
}

/* Part of the rows in a cluster; sizes below 0 are noise. 0: sizes are not known. */
static double share(const tacit_model *model, int32_t c, double rows)
{
    return rows > 0 ? fmax(0, model->sizes[c]) / rows : 0;
}

static double all_rows(const tacit_model *model)
{
    double rows = 0;

    for (int32_t c = 0; c < model->k; c++) rows += fmax(0, model->sizes[c]);
    for (int32_t c = 0; c < model->k; c++)
        if (isnan(model->sizes[c])) return 0;
    return rows;
}

/* sqrt(v) with the error sd(v) / (2 sqrt(v)); NaN where v does not stand out of its noise. */
static void root(double variance, double noise, double *sd, double *sd_noise)
{
    const bool clear = isfinite(variance) && variance > 0 && variance >= CLEAR_VARIANCE * noise;

    *sd = clear ? sqrt(variance) : NAN;
    *sd_noise = clear ? noise / (2 * *sd) : NAN;
}

/* The mean of the centers by size, m = sum w_c x_c: noise of the centers, and of the sizes. */
static void find_mean(tacit_model *model, size_t j, double rows)
{
    const size_t d = (size_t)model->dims;
    tac_overall *o = model->overall;
    double mean = 0, noise = 0;

    for (int32_t c = 0; c < model->k; c++)
        mean += share(model, c, rows) * model->centers[(size_t)c * d + j];
    for (int32_t c = 0; c < model->k; c++) {
        const size_t at = (size_t)c * d + j;
        if (model->sizes[c] == 0) continue; /* repeats another: no number of its own */
        noise += square(share(model, c, rows) * model->centers_sd[at]) +
                 square((model->centers[at] - mean) * model->sizes_sd / rows);
    }
    o->mean[j] = mean;
    o->mean_sd[j] = isfinite(noise) ? sqrt(noise) : NAN;
}

/* v = within + between, the noise of the centers taken off. */
static void find_spread(tacit_model *model, size_t j, double rows, const double *variance,
                        const double *variance_sd)
{
    const size_t d = (size_t)model->dims;
    tac_overall *o = model->overall;
    double within = 0, between = 0, noise = 0;

    for (int32_t c = 0; c < model->k; c++) {
        const size_t at = (size_t)c * d + j;
        const double w = share(model, c, rows), away = model->centers[at] - o->mean[j];
        if (w == 0) continue;
        within += w * variance[at];
        between += w * (away * away - (1 - w) * square(model->centers_sd[at]));
        noise += square(w * variance_sd[at]) + square(2 * w * away * model->centers_sd[at]);
    }
    root(fmax(0, within) + fmax(0, between), sqrt(noise), &o->sd[j], &o->sd_sd[j]);
}

static int by_strength(const void *a, const void *b)
{
    const tac_distinct *x = a, *y = b;
    if (x->strength != y->strength) return x->strength > y->strength ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

/* The columns in which a cluster is unlike all rows, the clearest first; how many. all: room for
   all columns. */
static int32_t find_distinct(const tacit_model *model, int32_t c, tac_distinct *all)
{
    const tac_overall *o = model->overall;
    int32_t found = 0;

    for (int32_t j = 0; j < model->dims && model->sizes[c] != 0; j++) {
        const size_t at = (size_t)c * (size_t)model->dims + (size_t)j;
        const double away = model->centers[at] - o->mean[j], strength = fabs(away) / o->sd[j];
        const double noise = hypot(model->centers_sd[at], o->mean_sd[j]);
        if (fabs(away) > CLEAR * noise && strength >= SLIGHT && isfinite(strength)) /* NaN: no */
            all[found++] = (tac_distinct){j, away < 0 ? -1 : 1, strength};
    }
    qsort(all, (size_t)found, sizeof *all, by_strength);
    return found < TAC_DISTINCT_MOST ? found : TAC_DISTINCT_MOST;
}

/* Counts first, so that there is room for what is found and no more. */
static tacit_status list_distinct(tacit_ctx *ctx, tacit_model *model)
{
    tacit_status status = TACIT_OK;
    tac_distinct *all = NULL;

    TAC_TRY(tac_new(ctx, (size_t)model->dims, sizeof *all, &all));
    for (int32_t c = 0; c < model->k; c++)
        model->distinct_start[c + 1] = model->distinct_start[c] + find_distinct(model, c, all);
    TAC_TRY(tac_new(ctx, (size_t)model->distinct_start[model->k], sizeof *model->distinct,
                    &model->distinct));
    for (int32_t c = 0; c < model->k; c++) {
        const int32_t found = find_distinct(model, c, all);
        for (int32_t i = 0; i < found; i++) model->distinct[model->distinct_start[c] + i] = all[i];
    }
done:
    tac_free(all);
    return status;
}

/* Room for what is told of all rows, NaN. */
tacit_status tac_model_new_overall(tacit_ctx *ctx, tacit_model *model)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)model->dims;

    TAC_TRY(tac_new(ctx, 1, sizeof *model->overall, &model->overall));
    TAC_TRY(tac_new(ctx, d, sizeof(double), &model->overall->mean));
    TAC_TRY(tac_new(ctx, d, sizeof(double), &model->overall->mean_sd));
    TAC_TRY(tac_new(ctx, d, sizeof(double), &model->overall->sd));
    TAC_TRY(tac_new(ctx, d, sizeof(double), &model->overall->sd_sd));
    TAC_TRY(
        tac_new(ctx, (size_t)model->k + 1, sizeof *model->distinct_start, &model->distinct_start));
    for (size_t j = 0; j < d; j++) model->overall->sd[j] = model->overall->sd_sd[j] = NAN;
done:
    return status;
}

void tac_overall_free(tac_overall *overall)
{
    if (overall == NULL) return;
    tac_free(overall->mean);
    tac_free(overall->mean_sd);
    tac_free(overall->sd);
    tac_free(overall->sd_sd);
    tac_free(overall);
}

tacit_status tac_model_explain(tacit_ctx *ctx, tacit_model *model, const double *variance,
                               const double *variance_sd)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)model->dims, numbers = (size_t)model->k * d;
    const double rows = all_rows(model);

    if (variance != NULL) {
        TAC_TRY(tac_new(ctx, numbers, sizeof(double), &model->spread));
        TAC_TRY(tac_new(ctx, numbers, sizeof(double), &model->spread_sd));
    }
    for (size_t i = 0; variance != NULL && i < numbers; i++)
        root(variance[i], variance_sd[i], &model->spread[i], &model->spread_sd[i]);
    if (!(rows > 0)) return TACIT_OK; /* no sizes */
    TAC_TRY(tac_model_new_overall(ctx, model));
    for (size_t j = 0; j < d; j++) {
        find_mean(model, j, rows);
        if (variance != NULL) find_spread(model, j, rows, variance, variance_sd);
    }
    TAC_TRY(list_distinct(ctx, model));
done:
    return status;
}

/* ---- the rules of a file ---- */

static bool bad_numbers(const double *value, int32_t count, const char *field, tac_fault *fault)
{
    for (int32_t j = 0; j < count; j++)
        if (!tac_is_deviation(value[j]))
            return tac_fault_at(fault, tac_no_deviation, "%s[%d]", field, j);
    return false;
}

static bool bad_spread(const tacit_model *model, tac_fault *fault)
{
    for (int32_t i = 0; model->spread != NULL && i < model->k; i++)
        for (int32_t j = 0; j < model->dims; j++) {
            const size_t at = (size_t)i * (size_t)model->dims + (size_t)j;
            if (!tac_is_deviation(model->spread[at]))
                return tac_fault_at(fault, tac_no_deviation, "spread[%d][%d]", i, j);
            if (!tac_is_deviation(model->spread_sd[at]))
                return tac_fault_at(fault, tac_no_deviation, "spread_noise_sd[%d][%d]", i, j);
        }
    return false;
}

bool tac_bad_explanation(const tacit_model *model, tac_fault *fault)
{
    const tac_overall *o = model->overall;

    if (bad_spread(model, fault)) return true;
    if (o == NULL) return false;
    for (int32_t j = 0; j < model->dims; j++)
        if (!isfinite(o->mean[j]))
            return tac_fault_at(fault, tac_not_finite, "overall.mean[%d]", j);
    if (bad_numbers(o->mean_sd, model->dims, "overall.mean_noise_sd", fault) ||
        bad_numbers(o->sd, model->dims, "overall.sd", fault) ||
        bad_numbers(o->sd_sd, model->dims, "overall.sd_noise_sd", fault))
        return true;
    for (int32_t c = 0; c < model->k; c++)
        for (int32_t i = model->distinct_start[c]; i < model->distinct_start[c + 1]; i++) {
            const tac_distinct *one = &model->distinct[i];
            const int32_t place = i - model->distinct_start[c];
            if (!(one->strength >= 0) || isinf(one->strength))
                return tac_fault_at(fault, tac_negative, "distinct[%d][%d].strength", c, place);
            if (place > 0 && one->strength > one[-1].strength)
                return tac_fault_at(fault, "must not be above the one before it",
                                    "distinct[%d][%d].strength", c, place);
        }
    return false;
}

/* ---- what callers get ---- */

const double *tacit_model_spreads(const tacit_model *model)
{
    return model == NULL ? NULL : model->spread;
}

const double *tacit_model_spreads_sd(const tacit_model *model)
{
    return model == NULL ? NULL : model->spread_sd;
}

tacit_status tacit_model_overall(const tacit_model *model, tacit_overall *out)
{
    if (model == NULL) return TACIT_E_ARGUMENT;
    const tac_overall *o = model->overall;
    const tacit_overall known = {.mean = o == NULL ? NULL : o->mean,
                                 .mean_sd = o == NULL ? NULL : o->mean_sd,
                                 .spread = o == NULL ? NULL : o->sd,
                                 .spread_sd = o == NULL ? NULL : o->sd_sd};
    return tac_give_struct(NULL, "tacit_overall", &known, sizeof known, out);
}

int32_t tacit_model_distinct_count(const tacit_model *model, int32_t cluster)
{
    const bool none =
        model == NULL || model->distinct_start == NULL || cluster < 0 || cluster >= model->k;
    return none ? 0 : model->distinct_start[cluster + 1] - model->distinct_start[cluster];
}

tacit_status tacit_model_distinct_get(const tacit_model *model, int32_t cluster, int32_t index,
                                      tacit_distinct *out)
{
    if (index < 0 || index >= tacit_model_distinct_count(model, cluster)) return TACIT_E_ARGUMENT;
    const tac_distinct *one = &model->distinct[model->distinct_start[cluster] + index];
    const tacit_distinct known = {
        .column = one->column, .direction = one->direction, .strength = one->strength};
    return tac_give_struct(NULL, "tacit_distinct", &known, sizeof known, out);
}
