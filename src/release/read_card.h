/* SPDX-License-Identifier: Apache-2.0 */
/* The half of the reader that reads the privacy card. */
#ifndef TAC_READ_CARD_H
#define TAC_READ_CARD_H

#include "release/fields.h"
#include "release/model.h"

/* Fill model->card from the field "privacy" of the file's top object: types and words;
   tac_model_find_fault checks the numbers afterwards. */
tacit_status tac_read_card(const tac_section *top, tacit_model *model);

/* Of a card without faults: does its sentence promise what its numbers do, and do the numbers
   agree? The writer does not ask: a run that is paid for must not fail over words. */
tacit_status tac_check_claims(const tac_section *top, const tac_card *card);

#endif
