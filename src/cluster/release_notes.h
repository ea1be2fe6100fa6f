/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences of a method for the reader of its release, as every family carries them. */
#ifndef TAC_RELEASE_NOTES_H
#define TAC_RELEASE_NOTES_H

#include "release/model.h"
#include "release/note_words.h"

#define TAC_NOTES_MOST 8

typedef struct tac_notes {
    char *text[TAC_NOTES_MOST];
    int32_t count;
} tac_notes;

/* One more, made from released values only; whatever it numbers is numbered from 0. Too many: the
   last are left out. */
tacit_status tac_note(tacit_ctx *ctx, tac_notes *notes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* All of them into a release that has none yet, behind one of its own (NULL: none). */
tacit_status tac_notes_write(tacit_ctx *ctx, const tac_notes *notes, const char *first,
                             tacit_model *model);
/* All of them behind those that a release has. */
tacit_status tac_notes_append(tacit_ctx *ctx, const tac_notes *notes, tacit_model *model);
void tac_notes_clear(tac_notes *notes);

#endif
