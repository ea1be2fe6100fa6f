/* SPDX-License-Identifier: Apache-2.0 */
/* Serve the rows of a dense array: fetch bytes into a bounded buffer, convert them to doubles
   (array_convert.c). The load step is in array_load.c. */
#include "data/readers/array_rows.h"

#include <math.h>
#include <string.h>

size_t tac_type_size(tacit_type type)
{
    /* in the order of tacit_type, TAC_BOOL last */
    static const size_t size[] = {8, 4, 1, 1, 2, 2, 4, 4, 8, 8, 1};
    return (size_t)type < sizeof size / sizeof *size ? size[type] : 0;
}

/* x - x is 0 for finite x and NaN for all others. */
static inline double finite_or_nan(double x)
{
    return x - x == 0 ? x : (double)NAN;
}

/* Elements whose bytes lie the other way round, turned in place. */
static void turn(char *bytes, size_t count, size_t size)
{
    for (size_t i = 0; size > 1 && i < count; i++, bytes += size)
        for (size_t j = 0; j < size / 2; j++) {
            const char low = bytes[j];
            bytes[j] = bytes[size - 1 - j];
            bytes[size - 1 - j] = low;
        }
}

tacit_status tac_array_fetch(const tac_array *a, int64_t element, size_t count, char *room,
                             const char **out)
{
    const size_t size = tac_type_size(a->type);

    *out = room;
    if (a->memory != NULL) {
        *out = a->memory + (size_t)element * size;
        return TACIT_OK;
    }
    const tacit_status status =
        tac_input_read_at(&a->input, a->offset + element * (int64_t)size, count * size, room);
    if (status == TACIT_OK && a->turned) turn(room, count, size);
    return status;
}

/* Rows stored one after the other. Whole rows are fetched, as many as `room` holds, and the
   selected columns are converted. Rows in memory are converted in place: `room` may then be
   NULL. */
static tacit_status read_by_row(const tac_array *a, int64_t first, int64_t count, char *room,
                                size_t room_size, double *out)
{
    const size_t size = tac_type_size(a->type), columns = (size_t)a->base.schema.columns,
                 dims = (size_t)a->dims;
    const int64_t most = (int64_t)(room_size / (columns * size));
    const char *bytes;

    for (int64_t done = 0; done < count;) {
        const int64_t rows = a->memory != NULL || count - done < most ? count - done : most;
        const tacit_status status = tac_array_fetch(a, (first + done) * (int64_t)columns,
                                                    (size_t)rows * columns, room, &bytes);
        if (status != TACIT_OK) return status;
        double *const to = out + (size_t)done * dims;
        if (a->column == NULL)
            tac_array_convert(a->type, bytes, size, (size_t)rows * columns, to, 1);
        else if (rows < (int64_t)dims) /* the longer loop inside */
            for (int64_t i = 0; i < rows; i++)
                for (size_t j = 0; j < dims; j++)
                    tac_array_convert(a->type,
                                      bytes + ((size_t)i * columns + (size_t)a->column[j]) * size,
                                      0, 1, to + (size_t)i * dims + j, 1);
        else
            for (size_t j = 0; j < dims; j++)
                tac_array_convert(a->type, bytes + (size_t)a->column[j] * size, columns * size,
                                  (size_t)rows, to + j, dims);
        done += rows;
    }
    return TACIT_OK;
}

/* Fortran order: each selected column is fetched by itself and written to `out` with the stride of
   a row. Rows outside first .. first + count - 1 are never fetched. */
static tacit_status read_by_column(const tac_array *a, int64_t first, int64_t count, char *room,
                                   size_t room_size, double *out)
{
    const size_t size = tac_type_size(a->type), dims = (size_t)a->dims;
    const int64_t most = (int64_t)(room_size / size);
    const char *bytes;

    for (int64_t done = 0; done < count;) {
        const int64_t rows = count - done < most ? count - done : most;
        for (size_t j = 0; j < dims; j++) {
            const int64_t column = a->column == NULL ? (int64_t)j : a->column[j];
            const int64_t element = column * a->length + first + done;
            const tacit_status status = tac_array_fetch(a, element, (size_t)rows, room, &bytes);
            if (status != TACIT_OK) return status;
            tac_array_convert(a->type, bytes, size, (size_t)rows, out + (size_t)done * dims + j,
                              dims);
        }
        done += rows;
    }
    return TACIT_OK;
}

/* Is any value not finite? Its exponent bits are all ones, so adding one to them carries into the
   sign. The loop only reads, and in integers, so the compiler vectorizes it; values that need no
   change are not written again. */
static bool any_not_finite(const double *x, size_t count)
{
    uint64_t carry = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, x + i, sizeof bits);
        carry |= (bits & UINT64_C(0x7ff0000000000000)) + UINT64_C(0x0010000000000000);
    }
    return carry >> 63 != 0;
}

/* Doubles stored row by row, all columns selected: read straight into `out`, without a buffer. */
static tacit_status read_straight(const tac_array *a, int64_t first, int64_t count, double *out)
{
    /* checked while still in cache */
    const size_t values = (size_t)count * (size_t)a->dims, step = 16384;

    for (size_t done = 0; done < values; done += step) {
        const size_t some = values - done < step ? values - done : step;
        const tacit_status status = tac_input_read_at(
            &a->input, a->offset + (first * a->dims + (int64_t)done) * 8, some * 8, out + done);
        if (status != TACIT_OK) return status;
        if (a->turned) turn((char *)(out + done), some, sizeof *out);
        if (any_not_finite(out + done, some))
            for (size_t i = done; i < done + some; i++) out[i] = finite_or_nan(out[i]);
    }
    return TACIT_OK;
}

/* Numbers of category columns become the places of their words. */
static void place_categories(const tac_array *a, int64_t count, double *out)
{
    const size_t dims = (size_t)a->dims;

    for (size_t j = 0; a->rule != NULL && j < dims; j++)
        if (a->rule[j].kind == TAC_VALUE_CATEGORY)
            for (size_t i = 0; i < (size_t)count; i++)
                out[i * dims + j] = tac_category_of_number(&a->rule[j], out[i * dims + j]);
}

/* read() of the reader. Workers call it at the same time: it changes nothing but its own buffer,
   and sets no message. */
tacit_status tac_array_read(const tac_reader *self, int64_t first, int64_t count, double *out)
{
    tacit_status status = TACIT_OK;
    const tac_array *a = (const tac_array *)self;
    const size_t row = (size_t)self->schema.columns * tac_type_size(a->type);
    const size_t room_size = !a->by_column && row > TAC_SCRATCH ? row : TAC_SCRATCH;
    char *room = NULL;

    if (a->dims == 0) return TACIT_OK;
    const bool straight =
        a->type == TACIT_F64 && a->memory == NULL && !a->by_column && a->column == NULL;
    if (a->memory == NULL && !straight) TAC_TRY(tac_grow(NULL, &room, room_size, 1));
    TAC_TRY(straight       ? read_straight(a, first, count, out)
            : a->by_column ? read_by_column(a, first, count, room, room_size, out)
                           : read_by_row(a, first, count, room, room_size, out));
    place_categories(a, count, out);
done:
    tac_free(room);
    return status;
}
