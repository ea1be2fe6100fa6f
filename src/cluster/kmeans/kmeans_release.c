/* SPDX-License-Identifier: Apache-2.0 */
/* From lattice coordinates to a release: the last step of the walk. Everything here is a
   function of released numbers and the run's domain, which is public. */
#include "cluster/card.h"
#include "cluster/geometry.h"
#include "cluster/kmeans/kmeans_run.h"

#include <math.h>

/* A deviation that is not finite counts as unknown: the run is paid for and must not fail on it. */
static double deviation(double sd)
{
    return isfinite(sd) ? sd : NAN;
}

/* Centers go from the lattice to raw columns: c / scale + center of the domain; error bars are
   divided by scale. */
tacit_status tac_kmeans_release(tacit_ctx *ctx, const tac_run *run, const tacit_kmeans_opts *opts,
                                bool median, const tac_kmeans_result *result, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;
    const tac_kmeans_method *method = tac_kmeans_method_of(opts->method);
    const size_t dims = (size_t)run->frame.dims;

    *out = NULL;
    TAC_TRY(tac_model_new(ctx, result->k, run->frame.dims, &model));
    TAC_TRY(tac_model_set_text(ctx, &model->family, median ? "kmedian" : "kmeans"));
    TAC_TRY(tac_model_set_text(ctx, &model->method, method->name));
    model->rounds = result->rounds;
    model->sizes_sd = deviation(result->sizes_sd);
    TAC_TRY(tac_copy_numbers(ctx, result->curve, (size_t)result->curve_count, &model->curve));
    model->curve_count = result->curve_count;
    TAC_TRY(tac_notes_write(ctx, &result->notes, NULL, model));
    for (int32_t j = 0; j < run->frame.dims; j++)
        TAC_TRY(tac_model_set_text(ctx, &model->column[j], tacit_data_column_get(run->data, j)));
    for (size_t c = 0; c < (size_t)result->k; c++) {
        model->sizes[c] = result->sizes[c];
        tac_frame_from_lattice(&run->frame, result->centers + c * dims, model->centers + c * dims);
        for (size_t j = 0; j < dims; j++)
            model->centers_sd[c * dims + j] =
                deviation(result->centers_sd[c * dims + j] / run->frame.scale[j]);
    }
    TAC_TRY(tac_write_geometry(ctx, run->data, &run->domain, opts->scale, &model->geometry));
    TAC_TRY(tac_write_card(ctx, run, method->paper, "proved", &model->card));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}
