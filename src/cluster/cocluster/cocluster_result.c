/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of results and rules, and the removal of empty column clusters. */
#include "cluster/cocluster/cocluster_run.h"

#include <math.h>

tacit_status tac_cocluster_result_new(tacit_ctx *ctx, int32_t k, int32_t l, bool rest,
                                      int32_t columns, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;

    out->k = k;
    out->l = l;
    out->rest = rest;
    out->sizes_sd = out->table_sd = NAN;
    TAC_TRY(tac_new(ctx, (size_t)columns, sizeof *out->column_cluster, &out->column_cluster));
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)(l + rest), sizeof *out->table, &out->table));
    TAC_TRY(tac_new(ctx, (size_t)k, sizeof *out->sizes, &out->sizes));
    for (int32_t c = 0; c < k; c++) out->sizes[c] = NAN;
done:
    return status;
}

tacit_status tac_cocluster_rule_new(tacit_ctx *ctx, int32_t columns, int32_t groups,
                                    int32_t profiles, tac_cocluster_result *result)
{
    tacit_status status = TACIT_OK;
    tac_rule *r = &result->rule;

    r->groups = groups;
    r->profiles = profiles;
    TAC_TRY(tac_new(ctx, (size_t)columns, sizeof *r->weight, &r->weight));
    TAC_TRY(tac_new(ctx, (size_t)columns, sizeof *r->group, &r->group));
    TAC_TRY(tac_new(ctx, (size_t)profiles * (size_t)groups, sizeof *r->score, &r->score));
    TAC_TRY(tac_new(ctx, (size_t)profiles, sizeof *r->offset, &r->offset));
    TAC_TRY(tac_new(ctx, (size_t)profiles, sizeof *r->cluster, &r->cluster));
    for (int32_t j = 0; j < columns; j++) r->weight[j] = 1;
    for (int32_t p = 0; p < profiles; p++) r->cluster[p] = p < result->k ? p : result->k - 1;
done:
    return status;
}

void tac_cocluster_result_clear(tac_cocluster_result *r)
{
    tac_free(r->column_cluster);
    tac_free(r->column_z);
    tac_free(r->table);
    tac_free(r->sizes);
    tac_free(r->rule.weight);
    tac_free(r->rule.group);
    tac_free(r->rule.score);
    tac_free(r->rule.offset);
    tac_free(r->rule.cluster);
    tac_free(r->labels);
    tac_notes_clear(&r->notes);
    *r = (tac_cocluster_result){0};
}

/* New numbers of the column clusters in name[0 .. l], those without a column left out (-1).
   Returns how many are left. */
static int32_t number_clusters(const tac_cocluster_result *r, int32_t columns, int32_t *name)
{
    int32_t left = 0;

    for (int32_t j = 0; j < columns; j++) name[r->column_cluster[j]] = 1;
    for (int32_t c = 0; c < r->l; c++) name[c] = name[c] ? left++ : -1;
    /* all are in the rest: a table of nothing else would not be one */
    if (left == 0) name[0] = left++;
    name[r->l] = left;
    return left;
}

/* The table shrinks in place: a cell moves to the front, never over one that is still to be
   read. */
tacit_status tac_cocluster_drop_empty(tacit_ctx *ctx, int32_t columns, tac_cocluster_result *r)
{
    tacit_status status = TACIT_OK;
    const size_t before = (size_t)(r->l + r->rest);
    int32_t *name = NULL;

    TAC_TRY(tac_new(ctx, (size_t)r->l + 1, sizeof *name, &name));
    const int32_t asked = r->l, left = number_clusters(r, columns, name);
    const size_t after = (size_t)(left + r->rest);
    for (size_t a = 0; a < (size_t)r->k; a++)
        for (size_t c = 0; c < before; c++)
            if (name[c] >= 0) r->table[a * after + (size_t)name[c]] = r->table[a * before + c];
    for (int32_t j = 0; j < columns; j++) r->column_cluster[j] = name[r->column_cluster[j]];
    r->l = left;
    if (left < asked)
        TAC_TRY(tac_note(ctx, &r->notes,
                         "%d of %d column clusters are left: the others had no column", left,
                         asked));
done:
    tac_free(name);
    return status;
}
