/* SPDX-License-Identifier: Apache-2.0 */
/* How well two labelings of the same rows agree. Exact, so for evaluation only. */
#ifndef TAC_SCORES_H
#define TAC_SCORES_H

#include "core/core.h"

/* found and truth: n labels each, n >= 1, any values: only which rows share a label matters, so
   renaming labels changes nothing. Exchanging the two labelings changes nothing either. Time and
   memory grow with n, not with the labels' range. nmi: mutual information over the mean of the two
   entropies, in [0, 1]; 1: the same partition, also when both
        have one cluster; 0 when only one of them has one cluster.
   ari: Rand index adjusted for chance (Hubert & Arabie 1985), at most 1; about 0 for unrelated
   labels. Either may be NULL. */
tacit_status tac_score_labels(tacit_ctx *ctx, const int32_t *found, const int64_t *truth, int64_t n,
                              double *nmi, double *ari);

#endif
