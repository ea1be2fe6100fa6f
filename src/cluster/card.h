/* SPDX-License-Identifier: Apache-2.0 */
/* From a run and its receipts to the privacy card of a release. */
#ifndef TAC_CARD_H
#define TAC_CARD_H

#include "privacy/run.h"
#include "release/model.h"

/* Fills an empty card. paper: what the method rests on; standing: the guarantee's last words, "proved" or what else is
   true. */
tacit_status tac_write_card(tacit_ctx *ctx, const tac_run *run, const char *paper, const char *standing, tac_card *card);

#endif
