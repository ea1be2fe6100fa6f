/* SPDX-License-Identifier: Apache-2.0 */
/* A table of counts with one row for each person. */
#ifndef TAC_PERSONS_ADDED_H
#define TAC_PERSONS_ADDED_H

#include "data/dataset/dataset.h"

/* What a person's rows hold together, column by column, at most TAC_ADDED_MOST. */
#define TAC_ADDED_MOST 2147483647.0
typedef struct tac_added {
    tacit_data *data; /* loaded as counts, without persons; NULL: rows were not added */
    int64_t *start;   /* what it borrows */
    int32_t *column;
    double *value;
} tac_added;

/* data: loaded as counts, with units. Nobody's rows are left out. */
tacit_status tac_data_add_persons(tacit_ctx *ctx, const tacit_data *data, tac_added *out);
void tac_added_clear(tac_added *added);

#endif
