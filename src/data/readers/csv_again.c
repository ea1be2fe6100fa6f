/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a CSV file that memory does not hold: the text is read again from the last mark before
   them and parsed by the same plan, so that values are the same. Load has checked every row; what
   does not come out as it was then is a file that has changed. */
#include "data/readers/csv.h"

#include <errno.h>
#include <string.h>

int64_t tac_csv_most(const tacit_ctx *ctx, int32_t files)
{
    return ctx->memory / 2 / (files < 1 ? 1 : files);
}

tacit_status tac_csv_add_marks(tac_csv *csv, const tac_piece *piece, const tac_csv_rows *rows,
                               int64_t before)
{
    tacit_status status = TACIT_OK;
    const size_t all = csv->marks + rows->marks;

    if (all > csv->mark_room) {
        const size_t room = all < 2 * csv->mark_room ? 2 * csv->mark_room : all;
        TAC_TRY(tac_grow(NULL, &csv->mark, room, sizeof *csv->mark));
        csv->mark_room = room;
    }
    for (size_t i = 0; i < rows->marks; i++)
        csv->mark[csv->marks++] = (tac_csv_mark){.row = before + rows->mark[i].row,
                                                 .offset = piece->start + rows->mark[i].offset};
done:
    return status;
}

/* The last mark at or before a row. */
static size_t mark_of(const tac_csv *csv, int64_t row)
{
    size_t low = 0, high = csv->marks;

    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (csv->mark[middle].row <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* All rows from one mark to the next. */
static tacit_status read_span(const tac_csv *csv, size_t at, tac_piece *piece, tac_csv_rows *rows)
{
    tacit_status status = TACIT_OK;
    const tac_csv_mark *from = &csv->mark[at], *to = &csv->mark[at + 1];
    const size_t size = (size_t)(to->offset - from->offset);

    if (size + 1 > piece->room) {
        TAC_TRY(tac_grow(NULL, &piece->bytes, size + 1 + TAC_PAD, 1));
        piece->room = size + 1;
    }
    TAC_TRY(tac_input_read_at(&csv->cutter.input, from->offset, size, piece->bytes));
    piece->size = size;
    /* the last record may lack its line feed */
    if (size == 0 || piece->bytes[size - 1] != '\n') piece->bytes[piece->size++] = '\n';
    memset(piece->bytes + piece->size, 0, TAC_PAD);
    tac_csv_parse(&csv->plan, piece, rows);
    if (rows->fault == TAC_CSV_NO_MEMORY) return TACIT_E_MEMORY;
    if (rows->fault != TAC_CSV_FINE || (int64_t)rows->rows != to->row - from->row) {
        errno = ESTALE;
        status = TACIT_E_READ;
    }
done:
    return status;
}

/* Values or persons of some rows; the other one is NULL. */
static tacit_status read_rows(const tac_csv *csv, int64_t first, int64_t count, double *values,
                              tac_person *units)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)csv->dims;
    tac_piece piece = {0};
    tac_csv_rows rows = {0};
    size_t at = mark_of(csv, first);

    for (int64_t done = 0; done < count; at++) {
        const int64_t skip = first + done - csv->mark[at].row;
        const int64_t there = csv->mark[at + 1].row - csv->mark[at].row - skip;
        const size_t take = (size_t)(there < count - done ? there : count - done);
        TAC_TRY(read_span(csv, at, &piece, &rows));
        if (values != NULL)
            memcpy(values + (size_t)done * dims, rows.values + (size_t)skip * dims,
                   take * dims * sizeof *values);
        if (units != NULL) memcpy(units + done, rows.unit + skip, take * sizeof *units);
        done += (int64_t)take;
    }
done:
    tac_free(piece.bytes);
    tac_csv_rows_clear(&rows);
    return status;
}

tacit_status tac_csv_read_again(const tac_reader *self, int64_t first, int64_t count, double *out)
{
    return read_rows((const tac_csv *)self, first, count, out, NULL);
}

tacit_status tac_csv_read_units_again(const tac_reader *self, int64_t first, int64_t count,
                                      tac_person *out)
{
    return read_rows((const tac_csv *)self, first, count, NULL, out);
}

tacit_status tac_csv_check(const tac_reader *self, tacit_ctx *ctx, const tac_selection *selection)
{
    const tac_input *input = &((const tac_csv *)self)->cutter.input;

    (void)selection;
    if (ctx->memory == 0 || input->regular) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "%s: %s, and within a limit of memory rows are read more than once, from any "
                    "place; %s, or leave the limit out",
                    input->name, input->unpack != NULL ? "is packed" : "is no file",
                    input->unpack != NULL ? "unpack it (gunzip)" : "write the rows to a file");
}
