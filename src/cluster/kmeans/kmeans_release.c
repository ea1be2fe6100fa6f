/* SPDX-License-Identifier: Apache-2.0 */
/* From lattice coordinates to a release: the last step of the walk. Everything here is a
   function of released numbers and the run's domain, which is public. */
#include "cluster/card.h"
#include "cluster/geometry.h"
#include "cluster/kmeans/kmeans_run.h"
#include "release/explain.h"

#include <math.h>

/* A deviation that is not finite counts as unknown: the run is paid for and must not fail on it. */
static double deviation(double sd)
{
    return isfinite(sd) ? sd : NAN;
}

/* Variances in the columns' units, then what follows from them and from the centers. */
static tacit_status explain(tacit_ctx *ctx, const tac_frame *frame, const tac_kmeans_result *result,
                            tacit_model *model)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)frame->dims, numbers = (size_t)result->k * dims;
    double *variance = NULL, *sd = NULL;

    if (result->variance == NULL) return tac_model_explain(ctx, model, NULL, NULL);
    TAC_TRY(tac_new(ctx, numbers, sizeof *variance, &variance));
    TAC_TRY(tac_new(ctx, numbers, sizeof *sd, &sd));
    for (size_t i = 0; i < numbers; i++) {
        const double area = frame->scale[i % dims] * frame->scale[i % dims];
        variance[i] = result->variance[i] / area;
        sd[i] = result->variance_sd[i] / area;
    }
    TAC_TRY(tac_model_explain(ctx, model, variance, sd));
done:
    tac_free(variance);
    tac_free(sd);
    return status;
}

/* The number in two digits, no less than it was. */
static double two_digits(double x)
{
    const double unit = x >= 100 ? pow(10, floor(log10(x)) - 1) : 1;
    return unit * ceil(x / unit);
}

/* Rules and words that fit no row leave all of them out, and nothing else would say so. A sum
   within its noise is no evidence of that, only of how many took part at most: whether that is few,
   who has the file knows. A center of size 0 repeats another, and no noise was added for it. */
static tacit_status note_few(tacit_ctx *ctx, const tac_run *run, tac_kmeans_result *result)
{
    double rows = 0;
    int32_t own = 0;

    for (int32_t c = 0; c < result->k; c++) {
        rows += result->sizes[c];
        own += result->sizes[c] != 0;
    }
    const double noise = 3 * sqrt(own) * result->sizes_sd;
    if (!tac_data_drops(run->data) || !(rows < noise)) return TACIT_OK;
    return tac_note(ctx, &result->notes,
                    "noise hides how many rows took part, up to about %.0f; if the file has many "
                    "more, most lack a value and were left out, as are values that are no listed "
                    "category: do the categories and the words for missing values fit the file?",
                    two_digits(fmax(0, rows) + noise));
}

/* What was worked out of transformed values goes back to the units of the columns. How much rows
   differ in a category follows from its share p: sqrt(p (1 - p)). */
static void restore(const tac_features *features, tacit_model *model)
{
    const size_t dims = (size_t)model->dims;
    tac_overall *all = model->overall;

    if (features->count == 0) return;
    for (size_t c = 0; c < (size_t)model->k; c++) {
        if (model->spread != NULL)
            tac_features_restore_spread(features, model->centers + c * dims,
                                        model->centers_sd + c * dims, model->spread + c * dims,
                                        model->spread_sd + c * dims);
        tac_features_restore_point(features, model->centers + c * dims,
                                   model->centers_sd + c * dims);
    }
    if (all == NULL) return;
    tac_features_restore_spread(features, all->mean, all->mean_sd, all->sd, all->sd_sd);
    tac_features_restore_point(features, all->mean, all->mean_sd);
}

/* The verdict on a chosen k. Without cells to compare (one center is all that the budget tells
   apart) it is the noise that hides groups. */
static tacit_k_choice sure(const tac_k_choice *c)
{
    tacit_k_choice out = {
        .size = sizeof out, .verdict = TACIT_K_NOISY, .needed = 1, .low = 1, .high = 1, .best = 1};

    if (c->k == 0) return out;
    out.strength = c->strength;
    out.needed = c->needed;
    out.low = c->low;
    out.high = c->high;
    out.best = c->best;
    out.verdict = c->k > 1 && c->strength >= TAC_K_CLEARLY ? TACIT_K_CLEAR
                  : c->k > 1                               ? TACIT_K_WEAK
                  : c->needed > TAC_K_NOISY                ? TACIT_K_NOISY
                                                           : TACIT_K_NONE;
    return out;
}

/* Root mean square distance of all rows from their mean, lattice units; NaN: not known. Before what
   was transformed goes back. */
static double total_spread(const tac_frame *frame, const tacit_model *model)
{
    double squares = 0;

    for (int32_t j = 0; model->overall != NULL && j < model->dims; j++)
        squares += pow(model->overall->sd[j] * frame->scale[j], 2);
    return model->overall != NULL && isfinite(squares) ? sqrt(squares) : NAN;
}

/* Lengths of the first lattice become those of the clustered geometry, with few digits. */
static tacit_status write_synopsis(tacit_ctx *ctx, tac_kmeans_result *result, double total,
                                   tacit_model *model)
{
    tacit_status status = TACIT_OK;
    tac_released_cells *s = result->synopsis;
    const size_t dims = (size_t)model->dims;
    tac_frame frame = {0};
    double unit;

    if (s == NULL) return TACIT_OK;
    TAC_TRY(tac_frame_of_model(ctx, model, false, &frame, &unit));
    for (size_t i = 0; i < (size_t)s->cells; i++) {
        for (size_t j = 0; j < (size_t)s->width; j++) s->point[i * (size_t)s->width + j] /= unit;
        s->point_sd[i] /= unit;
        s->spread[i] /= unit;
    }
    for (size_t j = 0; s->origin != NULL && j < dims; j++) s->origin[j] /= unit;
    s->outside /= unit;
    s->total = (isnan(total) ? s->total : total) / unit; /* what was asked for is better known */
    tac_released_cells_round(s, model->dims);
    model->synopsis = s;
    result->synopsis = NULL;
done:
    tac_frame_clear(&frame);
    return status;
}

tacit_status tac_kmeans_write_result(tacit_ctx *ctx, const tac_frame *frame,
                                     const tac_features *features, const tac_kmeans_result *result,
                                     tacit_model *model, double *total)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)frame->dims;

    model->rounds = result->rounds;
    model->sizes_sd = deviation(result->sizes_sd);
    for (size_t c = 0; c < (size_t)result->k; c++) {
        model->sizes[c] = result->sizes[c];
        tac_frame_from_lattice(frame, result->centers + c * dims, model->centers + c * dims);
        for (size_t j = 0; j < dims; j++)
            model->centers_sd[c * dims + j] =
                deviation(result->centers_sd[c * dims + j] / frame->scale[j]);
    }
    TAC_TRY(explain(ctx, frame, result, model));
    *total = total_spread(frame, model);
    restore(features, model);
done:
    return status;
}

tacit_status tac_kmeans_release(tacit_ctx *ctx, const tac_run *run, const tacit_kmeans_opts *opts,
                                bool median, tac_kmeans_result *result, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;
    const tac_kmeans_method *method = tac_kmeans_method_of(opts->method);
    double total;

    *out = NULL;
    TAC_TRY(tac_model_new(ctx, result->k, run->frame.dims, &model));
    TAC_TRY(tac_model_set_text(ctx, &model->family, median ? "kmedian" : "kmeans"));
    TAC_TRY(tac_model_set_text(ctx, &model->method, method->name));
    TAC_TRY(tac_copy_numbers(ctx, result->curve, (size_t)result->curve_count, &model->curve));
    model->curve_count = result->curve_count;
    if (opts->k == TACIT_K_AUTO) {
        model->choice = sure(&result->choice);
        if (model->curve_count == 0) TAC_TRY(tac_new(ctx, 1, sizeof(double), &model->curve));
        if (model->curve_count == 0) model->curve_count = 1; /* one center: 0 */
    }
    TAC_TRY(tac_write_columns(ctx, run->data, model));
    TAC_TRY(note_few(ctx, run, result));
    TAC_TRY(tac_trivial_note(ctx, run->frame.dims, result));
    TAC_TRY(tac_kmeans_write_result(ctx, &run->frame, &run->data->features, result, model, &total));
    TAC_TRY(tac_write_geometry(ctx, run->data, &run->domain, opts->scale, &model->geometry));
    if (opts->no_synopsis == 0) TAC_TRY(write_synopsis(ctx, result, total, model));
    TAC_TRY(tac_column_notes(ctx, model, &result->notes));
    TAC_TRY(tac_notes_write(ctx, &result->notes, NULL, model));
    TAC_TRY(tac_write_card(ctx, run, method->paper, "proved", &model->card));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}
