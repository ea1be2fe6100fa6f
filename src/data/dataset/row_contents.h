/* SPDX-License-Identifier: Apache-2.0 */
/* What a row holds, as a hash under a public key: which rows of a person count is settled by it and
   by nothing else. Private. */
#ifndef TAC_ROW_CONTENTS_H
#define TAC_ROW_CONTENTS_H

#include "data/dataset/dataset.h"

/* Room for the rows that are read at once. All zero: closed. */
typedef struct tac_contents {
    const tacit_data *data;
    int64_t step; /* rows that are read at once, at most */
    double *dense;
    tac_nonzeros sparse;
} tac_contents;

/* Room of about a block of the ctx. */
tacit_status tac_contents_open(tacit_ctx *ctx, const tacit_data *data, tac_contents *out);
/* hash[i] of row first + i, for count <= step rows. Equal rows hash alike, however they were
   written. Sets no sentence. */
tacit_status tac_contents_hash(tac_contents *c, int64_t first, int64_t count, uint64_t *hash);
void tac_contents_close(tac_contents *c);

#endif
