/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic rows near subspaces, and those subspaces as a model. Nobody's data. */
#include "synthetic/synthetic.h"
#include "release/model.h"
#include "solve/subspace/subspaces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* TACIT_E_ARGUMENT with what is out of range. */
static tacit_status check_opts(tacit_ctx *ctx, const tacit_synthetic_subspaces_opts *o)
{
    if (o->rows < 1) return tac_fail(ctx, TACIT_E_ARGUMENT, "rows must be at least 1");
    if (o->columns < 2) return tac_fail(ctx, TACIT_E_ARGUMENT, "columns must be at least 2");
    if (o->subspaces < 1 || o->subspaces > 1000)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "subspaces must be between 1 and 1000");
    if (o->subspaces > o->rows)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "subspaces must not be above rows: every subspace gets a row");
    if (o->dimension < 1 || o->dimension >= o->columns)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "dimension must be at least 1 and below the number of columns");
    if (!(o->noise >= 0 && o->noise <= 1000))
        return tac_fail(ctx, TACIT_E_ARGUMENT, "noise must be between 0 and 1000");
    return TACIT_OK;
}

/* k orthonormal bases of q vectors of d numbers, uniform over all subspaces: a matrix of normals
   has no preferred direction. */
static void draw_bases(tac_generator *random, const tacit_synthetic_subspaces_opts *o,
                       double *bases, double *room)
{
    const size_t each = (size_t)o->dimension * (size_t)o->columns;

    for (size_t c = 0; c < (size_t)o->subspaces; c++) {
        for (size_t i = 0; i < each; i++) bases[c * each + i] = tac_normal(random);
        tac_orthonormalise(bases + c * each, o->dimension, o->columns);
        tac_canonical_basis(bases + c * each, o->dimension, o->columns, room);
    }
}

/* x = U y + w, y uniform on the unit sphere, w normal. along: q numbers. */
static void draw_row(tac_generator *random, const tacit_synthetic_subspaces_opts *o,
                     const double *basis, double *along, double *row)
{
    double squares = 0;

    while (!(squares > 0)) {
        squares = 0;
        for (int32_t i = 0; i < o->dimension; i++) {
            along[i] = tac_normal(random);
            squares += along[i] * along[i];
        }
    }
    for (int32_t j = 0; j < o->columns; j++) {
        row[j] = 0;
        for (int32_t i = 0; i < o->dimension; i++)
            row[j] += basis[(size_t)i * (size_t)o->columns + (size_t)j] * along[i] / sqrt(squares);
        row[j] += o->noise * tac_normal(random);
    }
}

/* The drawn subspaces as a model of method "truth", so that tacit_subspace_distance can compare a
   release with them. The columns are called as those of rows in memory. */
static tacit_status write_truth(tacit_ctx *ctx, const tacit_synthetic_subspaces_opts *o,
                                const double *bases, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)o->columns, q = (size_t)o->dimension;
    static const char why[] = "these are the subspaces that synthetic rows were drawn from";
    tacit_model *m = NULL;
    char name[32];

    TAC_TRY(tac_model_new_subspaces(ctx, o->subspaces, o->dimension, o->columns, &m));
    TAC_TRY(tac_model_set_text(ctx, &m->family, "subspace"));
    TAC_TRY(tac_model_set_text(ctx, &m->method, "truth"));
    for (int32_t j = 0; j < o->columns; j++) {
        /* as rows in memory and in NPY files call them */
        snprintf(name, sizeof name, "c%d", j + 1);
        TAC_TRY(tac_model_set_text(ctx, &m->column[j], name));
    }
    for (size_t c = 0; c < (size_t)o->subspaces; c++) {
        m->sizes[c] = (double)(o->rows / o->subspaces + ((int64_t)c < o->rows % o->subspaces));
        for (size_t j = 0; j < d; j++)
            for (size_t i = 0; i < q; i++)
                m->subspaces[(c * d + j) * q + i] = bases[(c * q + i) * d + j];
    }
    TAC_TRY(tac_model_new_notes(ctx, m, 0));
    m->geometry.ball = true;
    m->geometry.radius = 1;
    m->geometry.scale = TACIT_SCALE_NONE;
    TAC_TRY(tac_new(ctx, d, sizeof *m->geometry.center, &m->geometry.center));
    TAC_TRY(tac_model_set_text(ctx, &m->geometry.origin, "declared"));
    m->card.plain = true;
    TAC_TRY(tac_model_set_text(ctx, &m->card.leak, why));
    TAC_TRY(tac_model_set_text(ctx, &m->card.guarantee, "none: synthetic rows are nobody's"));
    TAC_TRY(tac_model_set_text(ctx, &m->card.paper, "Wang, Wang & Singh 2015, section 5"));
    TAC_TRY(tac_model_set_text(ctx, &m->card.version, TACIT_VERSION));
    *out = m;
    m = NULL;
done:
    tacit_model_free(m);
    return status;
}

/* The contract stands in tacit.h. truth may be NULL. Row i lies near subspace i mod k. */
tacit_status tacit_synthetic_subspaces(tacit_ctx *ctx, const tacit_synthetic_subspaces_opts *given,
                                       double **values, int32_t **labels, tacit_model **truth)
{
    tacit_status status;
    tacit_synthetic_subspaces_opts o = TACIT_SYNTHETIC_SUBSPACES_OPTS_INIT;
    tac_generator random;
    double *bases = NULL, *room = NULL, *value = NULL;
    int32_t *label = NULL;

    if (ctx == NULL) return TACIT_E_ARGUMENT;
    ctx->message[0] = '\0';
    if (values == NULL || labels == NULL || given == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "tacit_synthetic_subspaces needs options and places for values and labels");
    *values = NULL;
    *labels = NULL;
    if (truth != NULL) *truth = NULL;
    TAC_TRY(tac_read_opts(ctx, "tacit_synthetic_subspaces_opts", given, &o, sizeof o));
    TAC_TRY(check_opts(ctx, &o));

    const size_t d = (size_t)o.columns, q = (size_t)o.dimension;
    TAC_TRY(tac_new(ctx, (size_t)o.rows, d * sizeof *value, &value));
    TAC_TRY(tac_new(ctx, (size_t)o.rows, sizeof *label, &label));
    TAC_TRY(tac_new(ctx, (size_t)o.subspaces * d, q * sizeof *bases, &bases));
    TAC_TRY(tac_new(ctx, 2 * d * q + q, sizeof *room, &room));
    tac_seed_generator(&random, o.seed);
    draw_bases(&random, &o, bases, room);
    for (int64_t i = 0; i < o.rows; i++) {
        TAC_TRY(tac_synthetic_step(ctx, i, o.rows));
        label[i] = (int32_t)(i % o.subspaces);
        draw_row(&random, &o, bases + (size_t)label[i] * d * q, room, value + (size_t)i * d);
    }
    if (truth != NULL) TAC_TRY(write_truth(ctx, &o, bases, truth));
    *values = value;
    *labels = label;
    value = NULL;
    label = NULL;
done:
    tac_free(bases);
    tac_free(room);
    tac_free(value);
    tac_free(label);
    return tac_synthetic_end(ctx, status);
}
