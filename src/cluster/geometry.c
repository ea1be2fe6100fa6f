/* SPDX-License-Identifier: Apache-2.0 */
/* The declared domain as a release states it. Public: declared, never read from rows. */
#include "cluster/geometry.h"

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

/* The bounds of every coordinate, in the units of its column. */
static tacit_status write_coordinates(tacit_ctx *ctx, const tac_domain *domain,
                                      const tac_features *features, tac_geometry *g)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_features_copy(ctx, features, &g->features));
    if (g->ball) return tac_copy_numbers(ctx, domain->center, (size_t)features->dims, &g->center);
    TAC_TRY(tac_new(ctx, (size_t)features->dims, sizeof *g->lower, &g->lower));
    TAC_TRY(tac_new(ctx, (size_t)features->dims, sizeof *g->upper, &g->upper));
    for (int32_t i = 0; i < features->count; i++)
        for (int32_t w = 0; w < features->feature[i].width; w++) {
            g->lower[features->feature[i].first + w] = domain->lower[i];
            g->upper[features->feature[i].first + w] = domain->upper[i];
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

tacit_status tac_write_geometry(tacit_ctx *ctx, const tacit_data *data, tacit_scale scale,
                                tac_geometry *g)
{
    tacit_status status = TACIT_OK;
    const tac_domain *domain = &data->domain;
    const tac_features *features = &data->features;
    const size_t columns = (size_t)tac_data_dims(data);

    g->ball = domain->kind == TAC_DOMAIN_BALL;
    g->radius = domain->radius;
    g->scale = g->ball ? TACIT_SCALE_NONE : scale;
    g->missing = data->selection.missing;
    if (features->count == 0) {
        TAC_TRY(tac_copy_numbers(ctx, domain->lower, columns, &g->lower));
        TAC_TRY(tac_copy_numbers(ctx, domain->upper, columns, &g->upper));
        TAC_TRY(tac_copy_numbers(ctx, domain->center, columns, &g->center));
    } else {
        TAC_TRY(write_coordinates(ctx, domain, features, g));
    }
    TAC_TRY(tac_model_set_text(ctx, &g->origin, domain->origin));
done:
    return status;
}
