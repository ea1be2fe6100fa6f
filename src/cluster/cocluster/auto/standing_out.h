/* SPDX-License-Identifier: Apache-2.0 */
/* How many groups of rows a noisy Gram matrix shows: eigenvalues against those of a null. Public
   numbers only. */
#ifndef TAC_STANDING_OUT_H
#define TAC_STANDING_OUT_H

#include "cluster/release_notes.h"
#include "privacy/door.h"

typedef struct tac_standing_out {
    /* groups that stand out of the null: 1 for the mean row, if it does, and 1 for every direction
       beside it */
    int32_t groups;
    int32_t wide; /* the same without directions that are slight beside the widest */
} tac_standing_out;

/* gram: q x q as tac_gram_read fills it, kept; sd: of its noise off the diagonal. At most `most`
   groups are counted. The null is drawn from the stream. */
tacit_status tac_find_standing_out(tacit_ctx *ctx, const double *gram, int32_t q, int32_t most,
                                   double sd, tac_stream *random, tac_standing_out *out);

/* A note if fewer groups stand out than there are clusters. */
tacit_status tac_note_standing_out(tacit_ctx *ctx, const tac_standing_out *out, int32_t k,
                                   tac_notes *notes);

#endif
