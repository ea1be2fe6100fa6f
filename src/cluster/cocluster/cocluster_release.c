/* SPDX-License-Identifier: Apache-2.0 */
/* From a result to a release: the last step of the walk. Everything here is a function of
   released numbers. */
#include "cluster/cocluster/cocluster_run.h"

#include "cluster/card.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Copies an array of the result into the model, if the result has it. */
static void fill(void *to, const void *from, size_t count, size_t size)
{
    if (from != NULL) memcpy(to, from, count * size);
}

static void write_rule(const tac_rule *from, size_t columns, tac_rule *to)
{
    const size_t profiles = (size_t)from->profiles;

    to->logarithm = from->logarithm;
    to->unit = from->unit;
    fill(to->weight, from->weight, columns, sizeof *to->weight);
    fill(to->group, from->group, columns, sizeof *to->group);
    fill(to->score, from->score, profiles * (size_t)from->groups, sizeof *to->score);
    fill(to->offset, from->offset, profiles, sizeof *to->offset);
    fill(to->cluster, from->cluster, profiles, sizeof *to->cluster);
}

/* The model without its card. places: the number of rows is public. note: a sentence before
   those of the method, or NULL. */
static tacit_status write_model(tacit_ctx *ctx, const tacit_data *data, bool places,
                                const char *method, const char *note, const tac_cocluster_result *r,
                                tacit_model **out)
{
    tacit_status status = TACIT_OK;
    const int32_t columns = tacit_data_column_count(data);
    tacit_model *model = NULL;

    *out = NULL;
    TAC_TRY(tac_model_new_blocks(ctx, r->k, r->l, r->rest, columns, r->rule.groups,
                                 r->rule.profiles, &model));
    tac_blocks_released *b = model->blocks;
    TAC_TRY(tac_model_set_text(ctx, &model->family, "cocluster"));
    TAC_TRY(tac_model_set_text(ctx, &model->method, method));
    TAC_TRY(tac_model_set_text(ctx, &b->unit, r->in_rows ? "rows" : "counts"));
    /* Of whole rows only the columns are public. */
    TAC_TRY(tac_model_set_text(
        ctx, &b->shape,
        (places ? data->shape_declared : data->columns_stated) ? "declared" : "from the file"));
    model->rounds = r->rounds;
    model->sizes_sd = isfinite(r->sizes_sd) ? r->sizes_sd : NAN;
    b->table_sd = isfinite(r->table_sd) ? r->table_sd : NAN;
    TAC_TRY(tac_notes_write(ctx, &r->notes, note, model));
    for (int32_t j = 0; j < columns; j++)
        TAC_TRY(tac_model_set_text(ctx, &model->column[j], tacit_data_column_get(data, j)));
    if (r->column_z != NULL)
        TAC_TRY(tac_new(ctx, (size_t)columns, sizeof *b->column_z, &b->column_z));
    fill(b->column_z, r->column_z, (size_t)columns, sizeof *b->column_z);
    fill(b->column_cluster, r->column_cluster, (size_t)columns, sizeof *b->column_cluster);
    fill(b->table, r->table, (size_t)r->k * (size_t)(r->l + r->rest), sizeof *b->table);
    for (int32_t c = 0; c < r->k; c++) model->sizes[c] = isfinite(r->sizes[c]) ? r->sizes[c] : NAN;
    write_rule(&r->rule, (size_t)columns, &b->rule);
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}

/* Result, labels and card as a release. Under neighbors entry a note says what is not hidden. */
tacit_status tac_cocluster_release(tacit_ctx *ctx, const tac_run *run,
                                   const tac_cocluster_method *method,
                                   const tac_cocluster_result *r, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    const int64_t rows = tac_door_rows(run->door);
    const bool entry = run->budget.neighbors == TACIT_ENTRY;
    tacit_model *model = NULL;
    char note[320];

    *out = NULL;
    /* A row of 100 counts is 100 steps away from an empty one. */
    snprintf(note, sizeof note,
             "unit entry hides one count of 1 in one entry (epsilon %.4g), not who or what a row "
             "is: a row with 100 counts is hidden as a whole only at epsilon %.4g%s; where a row "
             "is somebody, take unit row",
             run->budget.epsilon, 100 * run->budget.epsilon,
             run->budget.delta > 0 ? " and a far larger delta" : "");
    TAC_TRY(write_model(ctx, run->data, entry, method->name, entry ? note : NULL, r, &model));
    if (rows > 0) model->blocks->rows = rows; /* public: a single entry is what is hidden */
    if (r->labels != NULL) {
        TAC_TRY(tac_new(ctx, (size_t)rows, sizeof *model->labels, &model->labels));
        memcpy(model->labels, r->labels, (size_t)rows * sizeof *model->labels);
        model->rows = rows;
    }
    TAC_TRY(tac_write_card(ctx, run, method->paper, "proved", &model->card));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}

/* A release of plain clusters: its card says that there is no guarantee. */
tacit_status tac_cocluster_release_plain(tacit_ctx *ctx, const tacit_data *data,
                                         const tac_cocluster_result *r, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;

    *out = NULL;
    TAC_TRY(write_model(ctx, data, false, "fast-taucc", NULL, r, &model));
    model->card.plain = true;
    TAC_TRY(tac_model_set_text(ctx, &model->card.leak,
                               "made by plain co-clustering of the counts, without any noise"));
    TAC_TRY(tac_model_set_text(ctx, &model->card.guarantee,
                               "none: made by plain co-clustering of the counts, without any "
                               "noise"));
    TAC_TRY(tac_model_set_text(ctx, &model->card.paper,
                               "Battaglia, Peiretti & Pensa 2024 (Fast parameterless "
                               "prototype-based co-clustering)"));
    TAC_TRY(tac_model_set_text(ctx, &model->card.version, TACIT_VERSION));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}
