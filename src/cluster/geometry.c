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

/* A limit that is not finite was not declared: NaN. */
static double declared(double bound)
{
    return isfinite(bound) ? bound : NAN;
}

/* Which columns have bounds that the run has estimated, and what was declared of those. */
static tacit_status write_estimated(tacit_ctx *ctx, const tac_domain *was, const tac_domain *domain,
                                    size_t columns, tac_geometry *g)
{
    tacit_status status = TACIT_OK;
    size_t count = 0;

    for (size_t j = 0; domain->estimate != NULL && j < columns; j++) count += domain->estimate[j];
    TAC_TRY(tac_model_set_text(ctx, &g->origin,
                               count == 0         ? domain->origin
                               : count == columns ? "estimated"
                                                  : "declared and estimated"));
    if (count == 0) goto done;
    TAC_TRY(tac_new(ctx, columns, sizeof *g->estimated, &g->estimated));
    TAC_TRY(tac_new(ctx, columns, sizeof *g->declared_lower, &g->declared_lower));
    TAC_TRY(tac_new(ctx, columns, sizeof *g->declared_upper, &g->declared_upper));
    for (size_t j = 0; j < columns; j++) {
        g->estimated[j] = domain->estimate[j];
        g->declared_lower[j] = declared(was->lower[j]);
        g->declared_upper[j] = declared(was->upper[j]);
    }
done:
    return status;
}

tacit_status tac_write_geometry(tacit_ctx *ctx, const tacit_data *data, const tac_domain *domain,
                                tacit_scale scale, tac_geometry *g)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)tacit_data_column_count(data);

    g->ball = domain->kind == TAC_DOMAIN_BALL;
    g->radius = domain->radius;
    g->scale = g->ball ? TACIT_SCALE_NONE : scale;
    g->missing = data->selection.missing;
    TAC_TRY(tac_copy_numbers(ctx, domain->lower, columns, &g->lower));
    TAC_TRY(tac_copy_numbers(ctx, domain->upper, columns, &g->upper));
    TAC_TRY(tac_copy_numbers(ctx, domain->center, columns, &g->center));
    TAC_TRY(write_estimated(ctx, &data->domain, domain, columns, g));
done:
    return status;
}
