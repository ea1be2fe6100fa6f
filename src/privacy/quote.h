/* SPDX-License-Identifier: Apache-2.0 */
/* A quoting run: the very code of a run, over rows made up from public numbers. It has an
   account, and so receipts, but neither a ledger nor anybody's rows, and its key is public. Its
   receipts show what a run would ask, its answers what the method makes of such rows. */
#ifndef TAC_QUOTE_H
#define TAC_QUOTE_H

#include "privacy/run.h"
#include "synthetic/stand_in.h"

typedef struct tac_quote {
    tacit_ctx ctx; /* of its own: shows no progress; canceled with the caller's */
    tac_stand_in rows;
    tac_run run;
} tac_quote;

/* budget: checked. `like` lends columns, domain and privacy unit; its rows are not read. The
   quote must not be moved while it is open. */
tacit_status tac_quote_open(tacit_ctx *ctx, const tacit_data *like, const tacit_budget *budget,
                            tacit_scale scale, tac_origin origin, const tac_assumed *assumed,
                            tac_quote *out);
/* A quoting run within a run, over a box without groups: the same budget, neighbors and rows per
   unit, noise from this seed, which is public. What the method makes of nothing shows in its
   answers; the run itself, its account and its noise stay as they were. */
tacit_status tac_quote_box(tac_run *run, const tac_box *box, tac_quote *out);
/* outcome: of what was done with it; its sentence, if any, becomes the caller's. */
tacit_status tac_quote_close(tac_quote *quote, tacit_ctx *ctx, tacit_status outcome);

/* Would every query be paid for that gets at least 2^-16 of the budget; 2^-12 (pure) or 2^-20
   (Gaussian) if it is about squares of `dims` columns; 2^-5 if it is about codes; a quarter if it
   is about fourth moments? */
bool tac_quote_plenty(const tac_privacy_params *params, uint64_t budget, int32_t dims);

#endif
