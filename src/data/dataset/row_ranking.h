/* SPDX-License-Identifier: Apache-2.0 */
/* Rows sorted by person, and within a person by content, whether memory holds them or not. Private.
   With a limit of memory (ctx->memory > 0) it takes at most half of it: runs are sorted there,
   spilled encrypted and merged. Disk: 32 bytes a row, twice that where merging takes more than one
   level. */
#ifndef TAC_ROW_RANKING_H
#define TAC_ROW_RANKING_H

#include "data/readers/person_id.h"
#include "engine/spill.h"

typedef struct tac_ranked {
    tac_person person;
    uint64_t hash; /* of the row's content */
    int64_t row;
} tac_ranked;

typedef struct tac_ranking tac_ranking;

/* For at most so many rows. *out is the caller's to close. */
tacit_status tac_ranking_open(tacit_ctx *ctx, int64_t rows, tac_ranking **out);
tacit_status tac_ranking_add(tac_ranking *ranking, const tac_ranked *one);
/* After the last one: the order is settled. */
tacit_status tac_ranking_sort(tac_ranking *ranking);
/* The next row in order, borrowed until the next call; NULL: there is none. */
tacit_status tac_ranking_next(tac_ranking *ranking, const tac_ranked **out);
/* How many sorted runs were spilled; 0: memory held all. For tests. */
int64_t tac_ranking_runs(const tac_ranking *ranking);
void tac_ranking_close(tac_ranking *ranking); /* takes NULL */

#endif
