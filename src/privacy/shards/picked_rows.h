/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of a table are a shard's own. */
#ifndef TAC_PICKED_ROWS_H
#define TAC_PICKED_ROWS_H

#include "data/dataset/persons_added.h"
#include "privacy/shards/bodies.h"

typedef struct tac_pick {
    int64_t index, shards;
    bool picks;  /* the table is whole: the shard keeps its part; otherwise all rows are its own */
    bool parted; /* ... since they were parted by tac_pick_numbers */
} tac_pick;

/* With persons: all rows of one must be on one shard, or a limit of rows would not hold. The first
   looks at options alone, the second at loaded rows: it fails for engines that do not keep their
   word, whoever is in the rows. */
tacit_status tac_pick_allowed(tacit_ctx *ctx, const tacit_data *data, const tac_pick *pick);
tacit_status tac_pick_check(tacit_ctx *ctx, const tacit_data *data, const tac_pick *pick);
/* On which of so many shards each row of a loaded set with units belongs; -1: nobody's. *numbers is
   the caller's to free. */
tacit_status tac_pick_numbers(tacit_ctx *ctx, const tacit_data *data, int64_t shards,
                              int64_t **numbers);
/* Takes the rows of other shards out of `keep` (NULL: all rows count). rows: what is placed, `data`
   itself or persons whose rows were added up. */
tacit_status tac_pick_rows(tacit_ctx *ctx, const tacit_data *data, const tacit_data *rows,
                           const tac_pick *pick, uint64_t **keep);

#endif
