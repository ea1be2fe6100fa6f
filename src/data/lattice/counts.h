/* SPDX-License-Identifier: Apache-2.0 */
/* The counts themselves, sparse: what the door reads under neighbors entry, where the privacy
   unit is one count of one row. Private, but for the two numbers of places. */
#ifndef TAC_COUNTS_H
#define TAC_COUNTS_H

#include "data/dataset/dataset.h"
#include "engine/engine.h"

/* All counts together stay below this: then no sum of counts times a score leaves its integers. */
#define TAC_COUNTS_TOTAL (INT64_C(1) << 42)

typedef struct tac_counts {
    int64_t rows; /* public under entry: empty rows too */
    int32_t columns;
    int64_t *start;  /* rows + 1 */
    int32_t *column; /* ascending within a row */
    uint32_t *count; /* > 0 */
} tac_counts;

/* From a loaded data set with data->counts. Refuses a total of TAC_COUNTS_TOTAL or more. 8 bytes an
   entry and 8 a row. */
tacit_status tac_counts_build(tacit_ctx *ctx, const tac_engine *engine, tacit_data *data,
                              tac_counts *out);
void tac_counts_clear(tac_counts *counts);

#endif
