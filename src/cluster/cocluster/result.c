/* SPDX-License-Identifier: Apache-2.0 */
/* What every method of co-clustering needs around its result. */
#include "cluster/cocluster/cocluster.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

tacit_status tac_cocluster_result_new(tacit_ctx *ctx, int32_t k, int32_t l, bool rest, int32_t columns, tac_cocluster_result *out)
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

tacit_status tac_cocluster_rule_new(tacit_ctx *ctx, int32_t columns, int32_t groups, int32_t profiles, tac_cocluster_result *result)
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
    for (int32_t i = 0; i < r->notes; i++) tac_free(r->note[i]);
    *r = (tac_cocluster_result){0};
}

tacit_status tac_cocluster_note(tacit_ctx *ctx, tac_cocluster_result *r, const char *format, ...)
{
    tacit_status status = TACIT_OK;
    enum { ROOM = 400 };
    va_list args;

    if (r->notes == TAC_COCLUSTER_NOTES) return TACIT_OK;
    TAC_TRY(tac_new(ctx, ROOM, 1, &r->note[r->notes]));
    va_start(args, format);
    vsnprintf(r->note[r->notes], ROOM, format, args);
    va_end(args);
    r->notes++;
done:
    return status;
}
