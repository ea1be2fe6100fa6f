/* SPDX-License-Identifier: Apache-2.0 */
/* Random partitions, integer scores and private labels of rows: shared by the methods for single
   entries. */
#include "cluster/cocluster/entry_labels.h"

#include <math.h>

/* Round robin, then a Fisher-Yates shuffle. */
void tac_entry_deal(tac_stream *random, int64_t items, int32_t clusters, int32_t *label)
{
    for (int64_t i = 0; i < items; i++) label[i] = (int32_t)(i % clusters);
    for (int64_t i = items - 1; i > 0; i--) {
        const int64_t j = (int64_t)tac_below(random, (uint64_t)i + 1);
        const int32_t moved = label[i];
        label[i] = label[j];
        label[j] = moved;
    }
}

void tac_entry_scores(const double *scores, size_t count, int32_t *whole)
{
    double most = 0;

    for (size_t e = 0; e < count; e++)
        if (isfinite(scores[e])) most = fmax(most, fabs(scores[e]));
    for (size_t e = 0; e < count; e++)
        whole[e] =
            most > 0 && isfinite(scores[e]) ? (int32_t)lrint(scores[e] / most * TAC_SCORE_MOST) : 0;
}

/* A profile is drawn for every row; its cluster is the label. One query over all rows. */
tacit_status tac_entry_labels(const tac_cocluster_job *job, uint64_t quanta, const int32_t *whole,
                              tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_rule *rule = &out->rule;
    const size_t numbers = (size_t)rule->profiles * (size_t)rule->groups;
    tac_draw_labels query = {.columns = false,
                             .batch = -1,
                             .other_label = rule->group,
                             .others = rule->groups,
                             .score = whole,
                             .clusters = rule->profiles};
    int32_t *own = NULL;

    TAC_TRY(tac_new(job->ctx, (size_t)job->rows + 1, sizeof *out->labels, &out->labels));
    if (whole == NULL) {
        TAC_TRY(tac_new(job->ctx, numbers, sizeof *own, &own));
        tac_entry_scores(rule->score, numbers, own);
        query.score = own;
    }
    TAC_TRY(tac_door_labels(job->door, "labels of the rows", quanta, &query, out->labels));
    for (int64_t i = 0; i < job->rows; i++) out->labels[i] = rule->cluster[out->labels[i]];
done:
    tac_free(own);
    return status;
}
