/* SPDX-License-Identifier: Apache-2.0 */
/* From a run and its receipts to the privacy card of a release. */
#ifndef TAC_CARD_H
#define TAC_CARD_H

#include "privacy/run.h"
#include "release/model.h"

/* In what words a card and a plan name the noise of a query. */
const char *tac_noise_of(const tac_receipt *receipt, tac_definition definition);
/* Is this query (epsilon, delta)-private by itself? Then it is the only one of its run, and its
   cost composes with nothing. */
bool tac_is_alone(const tac_receipt *receipt);
/* Fills an empty card from a run and its receipts. paper: what the method rests on; standing:
   the last words of the guarantee, "proved" or whatever else is true. */
tacit_status tac_write_card(tacit_ctx *ctx, const tac_run *run, const char *paper,
                            const char *standing, tac_card *card);

#endif
