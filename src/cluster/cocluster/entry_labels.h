/* SPDX-License-Identifier: Apache-2.0 */
/* What the methods for single entries share. */
#ifndef TAC_ENTRY_LABELS_H
#define TAC_ENTRY_LABELS_H

#include "cluster/cocluster/cocluster_run.h"

/* label: a random partition of 0 .. items - 1 into `clusters` parts whose sizes differ by at most
   1. */
void tac_entry_deal(tac_stream *random, int64_t items, int32_t clusters, int32_t *label);

/* Scores as the door takes them: whole numbers, the greatest in size TAC_SCORE_MOST. All 0, or not
   finite: all 0. */
void tac_entry_scores(const double *scores, size_t count, int32_t *whole);

/* out->labels: one draw of a label for every row by out->rule (plain counts, no offsets), paid
   with `quanta`. whole: integer scores, profiles x groups; NULL: those of the rule. */
tacit_status tac_entry_labels(const tac_cocluster_job *job, uint64_t quanta, const int32_t *whole,
                              tac_cocluster_result *out);

#endif
