/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of counts into the clusters of a released co-clustering, by its rule. NOT private: a label
   reveals something about its row. */
#include "owner/owner_counts.h"

#include "owner/model_columns.h"

#include <math.h>
#include <string.h>

enum { ROWS = 1024 };

/* What one worker works with. */
typedef struct worker {
    double *v;        /* groups: 0 but for those of the row at hand ... */
    bool *seen;       /* ... and so is this */
    int32_t *touched; /* groups */
    double *score;    /* profiles */
} worker;

typedef struct labelling {
    const tac_rule *rule;
    const tac_owner_counts *counted;
    const double *across; /* groups x profiles: the rule's scores, for sparse rows */
    worker *workers;
} labelling;

/* v_g = sum of weight_j f(a_j) over the row's columns of group g; returns how many groups there
   are, in touched. */
static int32_t gather(const labelling *l, worker *w, int64_t row)
{
    const tac_rule *r = l->rule;
    const tac_counts *c = &l->counted->counts;
    int32_t count = 0;

    for (int64_t e = c->start[row]; e < c->start[row + 1]; e++) {
        const int32_t j = l->counted->column[c->column[e]];
        if (j < 0 || r->weight[j] == 0) continue;
        const int32_t g = r->group[j];
        if (!w->seen[g]) w->touched[count++] = g;
        w->seen[g] = true;
        w->v[g] +=
            r->weight[j] * (r->logarithm ? log2(1 + (double)c->count[e]) : (double)c->count[e]);
    }
    return count;
}

/* argmax_p sum_g score_pg v_g / |v| + offset_p, ties to the lowest. */
static int32_t best_profile(const labelling *l, worker *w, int32_t count)
{
    const tac_rule *r = l->rule;
    const size_t profiles = (size_t)r->profiles;
    double square = 0;
    int32_t best = 0;

    for (int32_t i = 0; r->unit && i < count; i++)
        square += w->v[w->touched[i]] * w->v[w->touched[i]];
    const double by = square > 0 ? 1 / sqrt(square) : 1;
    memcpy(w->score, r->offset, profiles * sizeof *w->score);
    for (int32_t i = 0; i < count; i++) {
        const double *at = l->across + (size_t)w->touched[i] * profiles,
                     value = by * w->v[w->touched[i]];
        for (size_t p = 0; p < profiles; p++) w->score[p] += value * at[p];
        w->v[w->touched[i]] = 0; /* ready for the next row */
        w->seen[w->touched[i]] = false;
    }
    for (int32_t p = 1; p < r->profiles; p++)
        if (w->score[p] > w->score[best]) best = p;
    return best;
}

/* One block of rows; each worker has its own scratch. */
static tacit_status label_block(void *state, int64_t block, int index)
{
    const labelling *l = state;
    const int64_t rows = l->counted->counts.rows,
                  end = (block + 1) * ROWS < rows ? (block + 1) * ROWS : rows;

    for (int64_t i = block * ROWS; i < end; i++) {
        const int32_t count = gather(l, &l->workers[index], i);
        l->counted->label[i] = l->rule->cluster[best_profile(l, &l->workers[index], count)];
    }
    return TACIT_OK;
}

/* Applies the rule to all rows. The scores are transposed once: a row touches few groups, and then
   reads only those. */
static tacit_status label_rows(tacit_ctx *ctx, const tac_engine *engine, const tac_rule *rule,
                               const tac_owner_counts *counted)
{
    tacit_status status = TACIT_OK;
    const size_t groups = (size_t)rule->groups, profiles = (size_t)rule->profiles;
    double *across = NULL;
    labelling l = {.rule = rule, .counted = counted};

    TAC_TRY(tac_new(ctx, groups * profiles, sizeof *across, &across));
    for (size_t p = 0; p < profiles; p++)
        for (size_t g = 0; g < groups; g++) across[g * profiles + p] = rule->score[p * groups + g];
    l.across = across;
    TAC_TRY(tac_new(ctx, (size_t)engine->workers, sizeof *l.workers, &l.workers));
    for (int i = 0; i < engine->workers; i++) {
        TAC_TRY(tac_new(ctx, groups, sizeof(double), &l.workers[i].v));
        TAC_TRY(tac_new(ctx, groups, sizeof(bool), &l.workers[i].seen));
        TAC_TRY(tac_new(ctx, groups, sizeof(int32_t), &l.workers[i].touched));
        TAC_TRY(tac_new(ctx, profiles, sizeof(double), &l.workers[i].score));
    }
    TAC_TRY(engine->map(engine, ctx, (counted->counts.rows + ROWS - 1) / ROWS, label_block, &l));
done:
    for (int i = 0; l.workers != NULL && i < engine->workers; i++) {
        tac_free(l.workers[i].v);
        tac_free(l.workers[i].seen);
        tac_free(l.workers[i].touched);
        tac_free(l.workers[i].score);
    }
    tac_free(l.workers);
    tac_free(across);
    return status;
}

/* column[i]: the model's column for column i of the data, or -1. A dense file must have all columns
   of the model, a sparse one at least one. */
static tacit_status match(tacit_ctx *ctx, const tacit_model *model, const tacit_data *data,
                          int32_t *column)
{
    tacit_status status = TACIT_OK;
    const bool sparse = data->reader->read_sparse != NULL;
    int32_t *from = NULL, common = 0;

    TAC_TRY(tac_new(ctx, (size_t)model->dims, sizeof *from, &from));
    TAC_TRY(tac_match_columns(ctx, model, data, sparse, from));
    for (int32_t j = 0; j < tacit_data_column_count(data); j++) column[j] = -1;
    for (int32_t j = 0; j < model->dims; j++) {
        if (from[j] < 0) continue;
        column[from[j]] = j;
        common++;
    }
    if (common == 0)
        status = tac_fail(ctx, TACIT_E_ARGUMENT,
                          "%s: the data and the model have no column in common; use the file the "
                          "model was made from, or one with the same columns (and the same "
                          "vocabulary, if it was made with one)",
                          tac_data_name(data));
done:
    tac_free(from);
    return status;
}

/* Row numbers are places where a shape was declared, or where the model protects single entries:
   then empty rows get a label, too. */
tacit_status tac_owner_counts_open(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                   tac_owner_counts *out)
{
    tacit_status status = TACIT_OK;
    tac_engine engine;

    *out = (tac_owner_counts){0};
    tac_engine_threads(ctx, &engine);
    TAC_TRY(tac_new(ctx, (size_t)tacit_data_column_count(data), sizeof *out->column, &out->column));
    TAC_TRY(match(ctx, model, data, out->column));
    TAC_TRY(tac_data_load_counts(ctx, data,
                                 data->shape_rows > 0 || model->card.neighbors == TACIT_ENTRY));
    TAC_TRY(tac_counts_build(ctx, &engine, data, &out->counts));
    TAC_TRY(tac_new(ctx, (size_t)out->counts.rows, sizeof *out->label, &out->label));
    TAC_TRY(label_rows(ctx, &engine, &model->blocks->rule, out));
done:
    if (status != TACIT_OK) tac_owner_counts_close(out);
    return status;
}

void tac_owner_counts_close(tac_owner_counts *c)
{
    tac_counts_clear(&c->counts);
    tac_free(c->column);
    tac_free(c->label);
    *c = (tac_owner_counts){0};
}
