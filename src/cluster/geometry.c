/* SPDX-License-Identifier: Apache-2.0 */
/* The domain as a release states it. Public: declared, or made from answers that were paid for. */
#include "cluster/geometry.h"

#include <math.h>
#include <string.h>

tacit_status tac_copy_numbers(tacit_ctx *ctx, const double *from, size_t count, double **to)
{
    tacit_status status = TACIT_OK;

    if (from == NULL) return TACIT_OK;
    TAC_TRY(tac_new(ctx, count, sizeof **to, to));
    memcpy(*to, from, count * sizeof **to);
done:
    return status;
}

/* What was declared of a coordinate, in the units of its column; limits that are not finite were
   not declared. */
static void declared_of(const tacit_data *data, int32_t coordinate, double *lower, double *upper)
{
    const tac_features *f = &data->features;
    const int32_t column =
        f->count > 0 ? (int32_t)(tac_feature_at(f, coordinate) - f->feature) : coordinate;

    *lower = data->domain.lower[column];
    *upper = data->domain.upper[column];
}

/* The bounds in use of every coordinate, in the units of its column: as declared, or estimated. */
static tacit_status write_bounds(tacit_ctx *ctx, const tacit_data *data, const tac_domain *domain,
                                 size_t dims, tac_geometry *g)
{
    tacit_status status = TACIT_OK;
    const tac_features *f = &data->features;

    TAC_TRY(tac_new(ctx, dims, sizeof *g->lower, &g->lower));
    TAC_TRY(tac_new(ctx, dims, sizeof *g->upper, &g->upper));
    for (size_t j = 0; j < dims; j++) {
        const tac_transform t = f->count > 0 ? tac_feature_at(f, (int32_t)j)->transform : TAC_AS_IS;
        declared_of(data, (int32_t)j, &g->lower[j], &g->upper[j]);
        if (domain->estimate == NULL || !domain->estimate[j]) continue;
        /* within what was declared, whatever the way back rounds to */
        g->lower[j] = fmax(g->lower[j], tac_untransformed(t, domain->lower[j]));
        g->upper[j] = fmin(g->upper[j], tac_untransformed(t, domain->upper[j]));
    }
done:
    return status;
}

/* A limit that is not finite was not declared: NaN. */
static double declared(double bound)
{
    return isfinite(bound) ? bound : NAN;
}

/* Which columns have bounds that the run has estimated, and what was declared of those. */
static tacit_status write_estimated(tacit_ctx *ctx, const tacit_data *data,
                                    const tac_domain *domain, size_t dims, tac_geometry *g)
{
    tacit_status status = TACIT_OK;
    size_t count = 0;

    for (size_t j = 0; domain->estimate != NULL && j < dims; j++) count += domain->estimate[j];
    TAC_TRY(tac_model_set_text(ctx, &g->origin,
                               count == 0      ? domain->origin
                               : count == dims ? "estimated"
                                               : "declared and estimated"));
    if (count == 0) goto done;
    TAC_TRY(tac_new(ctx, dims, sizeof *g->estimated, &g->estimated));
    TAC_TRY(tac_new(ctx, dims, sizeof *g->declared_lower, &g->declared_lower));
    TAC_TRY(tac_new(ctx, dims, sizeof *g->declared_upper, &g->declared_upper));
    for (size_t j = 0; j < dims; j++) {
        double lower, upper;
        declared_of(data, (int32_t)j, &lower, &upper);
        g->estimated[j] = domain->estimate[j];
        g->declared_lower[j] = declared(lower);
        g->declared_upper[j] = declared(upper);
    }
done:
    return status;
}

/* The names of a model's columns are those of the coordinates. */
tacit_status tac_write_columns(tacit_ctx *ctx, const tacit_data *data, tacit_model *model)
{
    tacit_status status = TACIT_OK;

    for (int32_t j = 0; j < model->dims; j++) {
        char *name = NULL;
        TAC_TRY(tac_data_coordinate_name(ctx, data, j, &name));
        status = tac_model_set_text(ctx, &model->column[j], name);
        tac_free(name);
        if (status != TACIT_OK) goto done;
    }
done:
    return status;
}

tacit_status tac_write_geometry(tacit_ctx *ctx, const tacit_data *data, const tac_domain *domain,
                                tacit_scale scale, tac_geometry *g)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)tac_data_dims(data);

    g->ball = domain->kind == TAC_DOMAIN_BALL;
    g->radius = domain->radius;
    g->scale = g->ball ? TACIT_SCALE_NONE : scale;
    g->missing = data->selection.missing;
    if (data->features.count > 0) TAC_TRY(tac_features_copy(ctx, &data->features, &g->features));
    TAC_TRY(tac_copy_numbers(ctx, domain->center, dims, &g->center));
    if (domain->kind == TAC_DOMAIN_BOX) TAC_TRY(write_bounds(ctx, data, domain, dims, g));
    TAC_TRY(write_estimated(ctx, data, domain, dims, g));
done:
    return status;
}

/* Placed length of the geometry's natural unit: a declared range where columns were scaled by it,
   else one unit. */
static double natural_unit(const tacit_model *model, const tac_frame *frame)
{
    if (!model->geometry.ball && model->geometry.scale == TACIT_SCALE_RANGE)
        return 2 * frame->scale[0] * (model->geometry.upper[0] / 2 - model->geometry.lower[0] / 2);
    return frame->scale[0];
}

tacit_status tac_frame_of_model(tacit_ctx *ctx, const tacit_model *model, bool zero, tac_frame *out,
                                double *unit)
{
    const tac_geometry *g = &model->geometry;
    const tac_features *features = &g->features;
    const int32_t columns = features->count > 0 ? features->count : model->dims;
    tac_domain declared = {.kind = g->ball ? TAC_DOMAIN_BALL : TAC_DOMAIN_BOX,
                           .center = g->center,
                           .radius = g->radius},
               domain = {0};
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_new(ctx, (size_t)columns, sizeof(double), &declared.lower));
    TAC_TRY(tac_new(ctx, (size_t)columns, sizeof(double), &declared.upper));
    for (int32_t i = 0; !g->ball && i < columns; i++) {
        const int32_t first = features->count > 0 ? features->feature[i].first : i;
        declared.lower[i] = g->lower[first];
        declared.upper[i] = g->upper[first];
    }
    TAC_TRY(tac_domain_spread(ctx, &declared, columns, features, &domain));
    TAC_TRY(zero ? tac_frame_for_sparse(ctx, &domain, model->dims, g->scale, 0, out)
                 : tac_frame_from_domain(ctx, &domain, model->dims, g->scale, out));
    /* the placed length of the geometry's natural unit */
    *unit = domain.weight != NULL
                ? TAC_M / (g->scale == TACIT_SCALE_RANGE ? domain.reach : domain.reach_unscaled)
                : natural_unit(model, out);
done:
    declared.center = NULL; /* the model's */
    tac_domain_clear(&declared);
    tac_domain_clear(&domain);
    return status;
}
