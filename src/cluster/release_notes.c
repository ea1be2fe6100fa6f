/* SPDX-License-Identifier: Apache-2.0 */
/* A method's sentences: collected, and written into its release. */
#include "cluster/release_notes.h"

#include <stdarg.h>
#include <stdio.h>

tacit_status tac_note(tacit_ctx *ctx, tac_notes *notes, const char *format, ...)
{
    tacit_status status = TACIT_OK;
    char text[512];
    va_list args;

    if (notes->count == TAC_NOTES_MOST) return TACIT_OK;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    TAC_TRY(tac_model_set_text(ctx, &notes->text[notes->count], text));
    notes->count++;
done:
    return status;
}

tacit_status tac_notes_write(tacit_ctx *ctx, const tac_notes *notes, const char *first,
                             tacit_model *model)
{
    tacit_status status = TACIT_OK;
    const int32_t ours = first != NULL;

    TAC_TRY(tac_model_new_notes(ctx, model, notes->count + ours));
    if (ours) TAC_TRY(tac_model_set_text(ctx, &model->note[0], first));
    for (int32_t i = 0; i < notes->count; i++)
        TAC_TRY(tac_model_set_text(ctx, &model->note[i + ours], notes->text[i]));
done:
    return status;
}

tacit_status tac_notes_append(tacit_ctx *ctx, const tac_notes *notes, tacit_model *model)
{
    tacit_status status = TACIT_OK;

    if (notes->count == 0) return TACIT_OK;
    TAC_TRY(
        tac_grow(ctx, &model->note, (size_t)(model->notes + notes->count), sizeof *model->note));
    for (int32_t i = 0; i < notes->count; i++) {
        model->note[model->notes] = NULL;
        TAC_TRY(tac_model_set_text(ctx, &model->note[model->notes], notes->text[i]));
        model->notes++;
    }
done:
    return status;
}

void tac_notes_clear(tac_notes *notes)
{
    for (int32_t i = 0; i < notes->count; i++) tac_free(notes->text[i]);
    *notes = (tac_notes){0};
}
