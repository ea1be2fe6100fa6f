/* SPDX-License-Identifier: Apache-2.0 */
/* What rows are called, kept for their owner, who joins labels to them. Never for a run. */
#include "data/dataset/dataset.h"
#include "data/readers/reader_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The texts move, without a copy; the hash table goes. */
void tac_row_names_take(tac_codes *codes, tac_row_names *out)
{
    out->text = codes->text;
    out->end = codes->end;
    out->texts = (int64_t)codes->count;
    codes->text = NULL;
    codes->end = NULL;
    tac_codes_clear(codes);
}

void tac_row_names_clear(tac_row_names *names)
{
    tac_free(names->text);
    tac_free(names->end);
    tac_free(names->own_of);
    *names = (tac_row_names){0};
}

/* Text number `at`, and its length. */
static const char *text_at(const tac_row_names *names, int64_t at, size_t *length)
{
    const size_t from = at == 0 ? 0 : names->end[at - 1];

    *length = names->end[at] - from;
    return names->text + from;
}

/* Public: see tacit.h. *out is valid until the next call with this data set. Refused before the
   rows were read and where no id column was asked for. A row without a name has "". */
tacit_status tacit_data_row_id(tacit_ctx *ctx, tacit_data *data, int64_t row, const char **out)
{
    tacit_status status = TACIT_OK;
    const tac_row_names *names = &data->reader->names;
    char number[24];
    const char *text = number;
    size_t length = 0;

    *out = NULL;
    if (!data->selection.names || !data->loaded)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "ids of rows are there once the rows were read, as by tacit_model_predict, "
                        "of data that was opened with an id column");
    if (row < 0 || row >= data->reader->rows)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "there is no such row; they are numbered from 0");
    const int64_t at = names->of == NULL ? row : names->of[row];
    if (names->numbers)
        length = (size_t)snprintf(number, sizeof number, "%" PRId64, at);
    else if (at >= 0 && at < names->texts)
        text = text_at(names, at, &length);
    if (length + 1 > data->name_room) {
        TAC_TRY(tac_grow(ctx, &data->name, 2 * length + 64, 1));
        data->name_room = 2 * length + 64;
    }
    if (length > 0) memcpy(data->name, text, length);
    data->name[length] = '\0';
    *out = data->name;
done:
    return status;
}
