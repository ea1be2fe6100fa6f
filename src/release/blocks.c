/* SPDX-License-Identifier: Apache-2.0 */
/* A co-clustering in memory: made, freed, looked at. */
#include "release/model_internal.h"

#include <math.h>

const char *const tac_shape_words[2] = {"declared", "from the file"};
const char *const tac_table_words[2] = {"counts", "rows"};
const char *const tac_rule_value_words[2] = {"count", "log2(1 + count)"};

static tacit_status new_rule(tacit_ctx *ctx, int32_t dims, int32_t groups, int32_t profiles,
                             tac_rule *rule)
{
    tacit_status status = TACIT_OK;

    rule->groups = groups;
    rule->profiles = profiles;
    TAC_TRY(tac_new(ctx, (size_t)dims, sizeof *rule->weight, &rule->weight));
    TAC_TRY(tac_new(ctx, (size_t)dims, sizeof *rule->group, &rule->group));
    TAC_TRY(tac_new(ctx, (size_t)profiles * (size_t)groups, sizeof *rule->score, &rule->score));
    TAC_TRY(tac_new(ctx, (size_t)profiles, sizeof *rule->offset, &rule->offset));
    TAC_TRY(tac_new(ctx, (size_t)profiles, sizeof *rule->cluster, &rule->cluster));
done:
    return status;
}

tacit_status tac_model_new_blocks(tacit_ctx *ctx, int32_t k, int32_t l, bool rest, int32_t dims,
                                  int32_t groups, int32_t profiles, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;

    *out = NULL;
    if (l < 1 || l > TAC_MODEL_K_MAX || groups < 0 || profiles < 1)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "a co-clustering has 1 to %d clusters of columns, and a rule with a "
                        "profile or more",
                        TAC_MODEL_K_MAX);
    TAC_TRY(tac_model_new_bare(ctx, k, dims, &model));
    for (int32_t c = 0; c < k; c++) model->sizes[c] = NAN;
    model->sizes_sd = NAN;
    TAC_TRY(tac_new(ctx, 1, sizeof *model->blocks, &model->blocks));
    tac_blocks_released *b = model->blocks;
    b->l = b->asked_l = l;
    b->asked_k = k;
    b->rest = rest;
    b->table_sd = NAN;
    TAC_TRY(tac_new(ctx, (size_t)dims, sizeof *b->column_cluster, &b->column_cluster));
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)tac_blocks_width(b), sizeof *b->table, &b->table));
    TAC_TRY(new_rule(ctx, dims, groups, profiles, &b->rule));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}

void tac_blocks_free(tac_blocks_released *b)
{
    if (b == NULL) return;
    tac_free(b->column_cluster);
    tac_free(b->column_z);
    tac_free(b->table);
    tac_free(b->unit);
    tac_free(b->shape);
    tac_free(b->rule.weight);
    tac_free(b->rule.group);
    tac_free(b->rule.score);
    tac_free(b->rule.offset);
    tac_free(b->rule.cluster);
    tac_free(b);
}

int32_t tac_blocks_width(const tac_blocks_released *b)
{
    return b->l + b->rest;
}

void tac_blocks_masses(const tacit_model *model, double *row, double *column)
{
    const int32_t width = tac_blocks_width(model->blocks);
    const double *t = model->blocks->table;

    for (int32_t b = 0; b < width; b++) column[b] = 0;
    for (int32_t a = 0; a < model->k; a++) {
        row[a] = 0;
        for (int32_t b = 0; b < width; b++, t++) {
            row[a] += *t;
            column[b] += *t;
        }
    }
}

/* A table seen from one side: `many` clusters to be told from `other` ones. */
typedef struct side {
    const double *table;
    int32_t many, other;
    size_t step, stride; /* from one of many, from one of other, to the next */
    /* of the noise on each number, 0: not known, and then numbers below 0 count as 0 */
    double sd;
} side;

static double at(const side *s, int32_t a, int32_t b)
{
    const double t = s->table[(size_t)a * s->step + (size_t)b * s->stride];
    return s->sd == 0 && t < 0 ? 0 : t;
}

/* tau = (sum_b (sum_a t_ab^2 - A sd^2) / t_.b / T - r) / (1 - r), r = (sum_a t_a.^2 - A B sd^2) /
   T^2 over those b with t_.b > 2 sd sqrt A, B in number: of the others noise is most of what is
   seen. E t^2 of a noisy number is what it stands for plus sd^2: that is what goes. sum: room for
   `many` numbers. */
static double debiased(const side *s, double *sum)
{
    const double square = s->sd * s->sd, least = 2 * s->sd * sqrt((double)s->many);
    double joint = 0, total = 0, alone = 0;
    int32_t seen = 0;

    for (int32_t a = 0; a < s->many; a++) sum[a] = 0;
    for (int32_t b = 0; b < s->other; b++) {
        double mass = 0, energy = -s->many * square;
        for (int32_t a = 0; a < s->many; a++) {
            mass += at(s, a, b);
            energy += at(s, a, b) * at(s, a, b);
        }
        if (!(mass > least)) continue;
        for (int32_t a = 0; a < s->many; a++) sum[a] += at(s, a, b);
        joint += energy / mass;
        total += mass;
        seen++;
    }
    if (!(total > 0)) return 0;
    for (int32_t a = 0; a < s->many; a++) alone += sum[a] / total * (sum[a] / total);
    alone -= (double)s->many * seen * (s->sd / total) * (s->sd / total);
    if (!(1 - alone > 1e-9)) return 0; /* one cluster: nothing to tell */
    const double tau = (joint / total - alone) / (1 - alone);
    return tau > 0 ? tau < 1 ? tau : 1 : 0;
}

tacit_status tac_blocks_tau(tacit_ctx *ctx, const tacit_model *model, double *rows, double *columns)
{
    tacit_status status = TACIT_OK;
    const tac_blocks_released *b = model->blocks;
    const int32_t k = model->k, width = tac_blocks_width(b);
    const double sd = b->table_sd > 0 ? b->table_sd : 0;
    const side of_rows = {
        .table = b->table, .many = k, .other = width, .step = (size_t)width, .stride = 1, .sd = sd};
    const side of_columns = {
        .table = b->table, .many = width, .other = k, .step = 1, .stride = (size_t)width, .sd = sd};
    double *sum = NULL;

    TAC_TRY(tac_new(ctx, (size_t)(k > width ? k : width), sizeof *sum, &sum));
    *rows = debiased(&of_rows, sum);
    *columns = debiased(&of_columns, sum);
done:
    tac_free(sum);
    return status;
}
