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

tacit_status tac_write_geometry(tacit_ctx *ctx, const tacit_data *data, tacit_scale scale,
                                tac_geometry *g)
{
    tacit_status status = TACIT_OK;
    const tac_domain *domain = &data->domain;
    const size_t columns = (size_t)tacit_data_column_count(data);

    g->ball = domain->kind == TAC_DOMAIN_BALL;
    g->radius = domain->radius;
    g->scale = g->ball ? TACIT_SCALE_NONE : scale;
    g->missing = data->selection.missing;
    TAC_TRY(tac_copy_numbers(ctx, domain->lower, columns, &g->lower));
    TAC_TRY(tac_copy_numbers(ctx, domain->upper, columns, &g->upper));
    TAC_TRY(tac_copy_numbers(ctx, domain->center, columns, &g->center));
    TAC_TRY(tac_model_set_text(ctx, &g->origin, domain->origin));
done:
    return status;
}
