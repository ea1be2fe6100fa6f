/* SPDX-License-Identifier: Apache-2.0 */
/* From lattice units and receipts to a release with its privacy card. */
#include "cluster/kmeans/kmeans.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What one unit of the account is worth in its native parameter. */
static double native(uint64_t units)
{
    return ldexp((double)units, -TAC_UNIT_BITS);
}

static tacit_status write_queries(tacit_ctx *ctx, const tac_door *door, tac_card *card)
{
    tacit_status status = TACIT_OK;
    const int32_t count = tac_door_asked(door);

    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *card->query, &card->query));
    card->queries = count;
    for (int32_t i = 0; i < count; i++) {
        const tac_receipt *r = tac_door_receipt(door, i);
        tac_card_query *q = &card->query[i];
        TAC_TRY(tac_model_set_text(ctx, &q->kind, r->kind));
        TAC_TRY(tac_model_set_text(ctx, &q->what, r->what));
        TAC_TRY(tac_model_set_text(ctx, &q->noise, r->law == TAC_GAUSSIAN ? "discrete Gaussian" : "discrete Laplace"));
        q->scale = (double)r->scale;
        q->sensitivity = r->law == TAC_GAUSSIAN ? sqrt((double)r->sensitivity) : (double)r->sensitivity;
        q->cost = native(r->units);
        q->answers = r->answers;
    }
done:
    return status;
}

static tacit_status write_guarantee(tacit_ctx *ctx, const tac_run *run, const char *column, char **out)
{
    const bool person = run->data->has_units, replace = run->budget.neighbours == TACIT_REPLACE;
    char text[512], size[96], who[320];

    if (run->budget.use_insecure_test_seed)
        return tac_model_set_text(ctx, out, "none: made with an insecure test seed");
    if (run->budget.delta > 0)
        snprintf(size, sizeof size, "(%.15g, %.15g)-differentially private", run->budget.epsilon, run->budget.delta);
    else
        snprintf(size, sizeof size, "%.15g-differentially private (pure)", run->budget.epsilon);
    if (person)
        snprintf(who, sizeof who, "%s all rows of one person (column %.200s, at most %d rows of each count)",
                 replace ? "changing" : "adding or removing", column, run->rows_per_unit);
    else
        snprintf(who, sizeof who, "%s one row", replace ? "changing" : "adding or removing");
    snprintf(text, sizeof text, "%s for %s, proved", size, who);
    return tac_model_set_text(ctx, out, text);
}

static tacit_status write_card(tacit_ctx *ctx, const tac_run *run, tac_card *card)
{
    tacit_status status = TACIT_OK;
    const tac_accountant *a = &run->accountant;
    const char *column = run->data->has_units ? run->data->reader->schema.names[run->data->selection.unit] : "";
    char unit[256] = "row";

    if (run->data->has_units) snprintf(unit, sizeof unit, "person (column %.200s)", column);
    card->insecure_seed = run->budget.use_insecure_test_seed != 0;
    card->rows_per_unit = run->rows_per_unit;
    card->neighbours = run->budget.neighbours;
    card->epsilon = a->epsilon;
    card->delta = a->delta;
    card->native_budget = native(a->budget);
    card->native_spent = native(a->spent);
    card->in_ledger = run->reserved;
    TAC_TRY(tac_model_set_text(ctx, &card->unit, unit));
    TAC_TRY(tac_model_set_text(ctx, &card->accountant, a->notion == TAC_PURE ? "pure" : "gaussian"));
    TAC_TRY(write_guarantee(ctx, run, column, &card->guarantee));
    TAC_TRY(tac_model_set_text(ctx, &card->paper, "Blum, Dwork, McSherry & Nissim 2005 (SuLQ); Su, Cao, Li, Bertino & Jin "
                               "2016 (DP-Lloyd)"));
    TAC_TRY(tac_model_set_text(ctx, &card->version, TACIT_VERSION));
    TAC_TRY(write_queries(ctx, run->door, card));
done:
    return status;
}

static tacit_status copy_numbers(tacit_ctx *ctx, const double *from, size_t count, double **to)
{
    tacit_status status = TACIT_OK;

    if (from == NULL) return TACIT_OK;
    TAC_TRY(tac_new(ctx, count, sizeof **to, to));
    memcpy(*to, from, count * sizeof **to);
done:
    return status;
}

static tacit_status write_geometry(tacit_ctx *ctx, const tac_run *run, tacit_scale scale, tac_geometry *g)
{
    tacit_status status = TACIT_OK;
    const tac_domain *domain = &run->data->domain;
    const size_t dims = (size_t)run->frame.dims;

    g->ball = domain->kind == TAC_DOMAIN_BALL;
    g->radius = domain->radius;
    g->scale = g->ball ? TACIT_SCALE_NONE : scale;
    g->missing = run->data->selection.missing;
    TAC_TRY(copy_numbers(ctx, domain->lower, dims, &g->lower));
    TAC_TRY(copy_numbers(ctx, domain->upper, dims, &g->upper));
    TAC_TRY(copy_numbers(ctx, domain->center, dims, &g->center));
    TAC_TRY(tac_model_set_text(ctx, &g->origin, domain->origin));
done:
    return status;
}

tacit_status tac_kmeans_release(tacit_ctx *ctx, const tac_run *run, const tacit_kmeans_opts *opts,
                                const tac_kmeans_result *result, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;
    const size_t dims = (size_t)run->frame.dims;

    *out = NULL;
    TAC_TRY(tac_model_new(ctx, opts->k, run->frame.dims, &model));
    TAC_TRY(tac_model_set_text(ctx, &model->family, "kmeans"));
    TAC_TRY(tac_model_set_text(ctx, &model->method, "lloyd"));
    model->rounds = result->rounds;
    model->sizes_sd = result->sizes_sd;
    for (int32_t j = 0; j < run->frame.dims; j++)
        TAC_TRY(tac_model_set_text(ctx, &model->column[j], tacit_data_column(run->data, j)));
    for (size_t c = 0; c < (size_t)opts->k; c++) {
        model->sizes[c] = result->sizes[c];
        tac_frame_from_lattice(&run->frame, result->centers + c * dims, model->centers + c * dims);
        for (size_t j = 0; j < dims; j++)
            model->centers_sd[c * dims + j] = result->centers_sd[c * dims + j] / run->frame.scale[j];
    }
    TAC_TRY(write_geometry(ctx, run, opts->scale, &model->geometry));
    TAC_TRY(write_card(ctx, run, &model->card));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}
