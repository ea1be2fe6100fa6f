/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of a co-clustering's release. */
#include "release/model_internal.h"

#include <math.h>
#include <string.h>

#define MOST_ASKED 1000 /* as tacit_cocluster_run allows */
#define LARGEST 1e30    /* squares and sums of such numbers stay finite */

static const char too_large[] = "must be a finite number of at most 1e30";

static bool is_number(double value)
{
    return fabs(value) <= LARGEST;
}

static bool is_one_of(const char *text, const char *const *words, int count)
{
    for (int i = 0; text != NULL && i < count; i++)
        if (strcmp(text, words[i]) == 0) return true;
    return false;
}

static bool bad_columns(const tacit_model *model, tac_fault *fault)
{
    const tac_blocks_released *b = model->blocks;

    for (int32_t j = 0; j < model->dims; j++) {
        if (b->column_cluster[j] < 0 || b->column_cluster[j] >= tac_blocks_width(b))
            return tac_fault_at(fault, "must be the number of a column of the table, from 0",
                                "column_clusters[%d]", j);
        if (b->column_z != NULL && isinf(b->column_z[j]))
            return tac_fault_at(fault, "must be a finite number, or null", "column_z[%d]", j);
    }
    return false;
}

static bool bad_rule(const tacit_model *model, tac_fault *fault)
{
    const tac_rule *r = &model->blocks->rule;

    if (r->groups < 0) return tac_fault_at(fault, "must be at least 0", "rule.groups");
    if (r->profiles < 1) return tac_fault_at(fault, "must have an entry or more", "rule.clusters");
    for (int32_t j = 0; j < model->dims; j++) {
        if (!is_number(r->weight[j]))
            return tac_fault_at(fault, too_large, "rule.weights of column %d", j);
        if (r->weight[j] != 0 && (r->group[j] < 0 || r->group[j] >= r->groups))
            return tac_fault_at(fault, "must be below the number of groups",
                                "rule.groups of column %d", j);
    }
    for (int32_t p = 0; p < r->profiles; p++) {
        for (int32_t g = 0; g < r->groups; g++)
            if (!is_number(r->score[(size_t)p * (size_t)r->groups + (size_t)g]))
                return tac_fault_at(fault, too_large, "rule.scores[%d][%d]", p, g);
        if (!is_number(r->offset[p])) return tac_fault_at(fault, too_large, "rule.offsets[%d]", p);
        if (r->cluster[p] < 0 || r->cluster[p] >= model->k)
            return tac_fault_at(fault, "must be the number of a row cluster, from 0",
                                "rule.clusters[%d]", p);
    }
    return false;
}

/* Labels of rows are paid for where rows have public places: with single entries. */
static bool bad_labels(const tacit_model *model, tac_fault *fault)
{
    if (model->labels == NULL) return false;
    if (!model->card.plain && model->card.neighbors != TACIT_ENTRY)
        return tac_fault_at(fault, "do not go with these neighbors", "labels");
    if (model->rows != model->blocks->rows)
        return tac_fault_at(fault, "must have an entry for each of shape.rows", "labels");
    for (int64_t r = 0; r < model->rows; r++)
        if (model->labels[r] < 0 || model->labels[r] >= model->k)
            return tac_fault_at(fault, "must be the number of a row cluster, from 0",
                                "labels[%lld]", (long long)r);
    return false;
}

/* Nobody can ask for more than 1000; and the owner's comparison takes memory for as many as the
   file says. */
static int32_t most(int32_t there)
{
    return there > MOST_ASKED ? there : MOST_ASKED;
}

bool tac_bad_blocks(const tacit_model *model, tac_fault *fault)
{
    const tac_blocks_released *b = model->blocks;
    const int32_t width = tac_blocks_width(b);

    if (b->l < 1 || b->l > TAC_MODEL_K_MAX)
        return tac_fault_at(fault, "must have lines of 1 to 1000000 numbers, and one for the rest",
                            "table");
    if (b->asked_k < model->k || b->asked_l < b->l || b->asked_k > most(model->k) ||
        b->asked_l > most(b->l))
        return tac_fault_at(
            fault, "must be no fewer than there are, and at most 1000 if there are fewer", "asked");
    for (int32_t a = 0; a < model->k; a++)
        for (int32_t c = 0; c < width; c++)
            if (!is_number(b->table[(size_t)a * (size_t)width + (size_t)c]))
                return tac_fault_at(fault, too_large, "table[%d][%d]", a, c);
    if (!isnan(b->table_sd) && !(b->table_sd >= 0 && is_number(b->table_sd)))
        return tac_fault_at(fault, tac_no_deviation, "table_sd");
    if (!is_one_of(b->unit, tac_table_words, 2))
        return tac_fault_at(fault, "must be \"counts\" or \"rows\"", "table_unit");
    for (int32_t i = 0; i < model->k; i++)
        if (isinf(model->sizes[i]))
            return tac_fault_at(fault, "must be a finite number, or null", "row_sizes[%d]", i);
    if (!tac_is_deviation(model->sizes_sd))
        return tac_fault_at(fault, tac_no_deviation, "row_sizes_sd");
    if (!is_one_of(b->shape, tac_shape_words, 2))
        return tac_fault_at(fault, "must be \"declared\" or \"from the file\"", "shape.origin");
    if (b->rows < 0 || (b->rows > 0 && !model->card.plain && model->card.neighbors != TACIT_ENTRY))
        return tac_fault_at(fault,
                            "is public with the neighbors \"entry\" only; otherwise it is null",
                            "shape.rows");
    return bad_columns(model, fault) || bad_rule(model, fault) || bad_labels(model, fault);
}
