/* SPDX-License-Identifier: Apache-2.0 */
/* The values of one column of one chunk, by their place. Arrays are checked before a value is
   read; views of texts, each of which says where it lies, when they are. */
#include "data/readers/arrow.h"
#include "data/readers/array_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIRST_DAY (-719528) /* 0000-01-01 */
#define LAST_DAY 2932896    /* 9999-12-31 */

/* Buffers that an array of values must have. */
static int64_t buffers_of(const tac_arrow_type *type)
{
    return type->kind == TAC_ARROW_NOTHING ? 0 : type->kind == TAC_ARROW_TEXT ? 3 : 2;
}

/* The bits of missing values, if there may be any. */
static const char *take_valid(const struct ArrowArray *array, const uint8_t **valid)
{
    *valid = NULL;
    if (array->null_count < -1) return "has a number of nulls below -1";
    if (array->n_buffers < 1 || array->null_count == 0) return NULL;
    *valid = array->buffers[0];
    return *valid == NULL && array->null_count > 0 && array->length > 0 ? "has nulls and no bits "
                                                                          "that say where"
                                                                        : NULL;
}

/* An array of `rows` values or more from its offset on; indices of a dictionary are values. */
static const char *check_array(const struct ArrowArray *array, int64_t rows, int64_t buffers)
{
    int64_t end;

    if (array == NULL || array->release == NULL) return "has no array, or one that was released";
    if (array->length < 0 || array->length < rows || array->offset < 0 ||
        __builtin_add_overflow(array->offset, array->length, &end) || end > INT64_MAX / 64)
        return "has fewer values than rows, or a length or an offset that cannot be";
    if (array->n_buffers < buffers || (array->n_buffers > 0 && array->buffers == NULL))
        return "has not the buffers that its type needs";
    if (array->length > 0 && buffers > 1 && array->buffers[1] == NULL)
        return "has values and no buffer that holds them";
    return NULL;
}

/* A whole number of any width; what does not fit is below 0, as no place is. */
static int64_t whole_at(const void *values, tacit_type type, int64_t at)
{
#define WHOLE(T)                                                                                   \
    do {                                                                                           \
        T x;                                                                                       \
        memcpy(&x, (const char *)values + at * (int64_t)sizeof x, sizeof x);                       \
        return (int64_t)x;                                                                         \
    } while (0)
    switch ((int)type) {
    case TACIT_I8: WHOLE(int8_t);
    case TACIT_U8: WHOLE(uint8_t);
    case TACIT_I16: WHOLE(int16_t);
    case TACIT_U16: WHOLE(uint16_t);
    case TACIT_I32: WHOLE(int32_t);
    case TACIT_U32: WHOLE(uint32_t);
    default: WHOLE(int64_t);
    }
#undef WHOLE
}

/* Of `count` texts from `at` on: offsets that go back or lie below 0 are seen before any text is
   read. That the last one lies within the texts is trusted. */
static const char *check_offsets(const tac_arrow_values *v, int64_t at, int64_t count)
{
    const tacit_type type = v->type->layout == TAC_ARROW_INT32 ? TACIT_I32 : TACIT_I64;

    if (count == 0) return NULL;
    const int64_t first = whole_at(v->buffer[1], type, at);
    int64_t last = first;
    for (int64_t i = 1; i <= count && last >= 0; i++) {
        const int64_t next = whole_at(v->buffer[1], type, at + i);
        last = next < last ? -1 : next;
    }
    return last < 0 || (last > first && v->buffer[2] == NULL) ? "has texts that lie nowhere" : NULL;
}

/* The values `skip` .. `skip` + `rows` - 1 behind the array's offset must be there. */
static const char *take_values(const tac_arrow_type *type, const struct ArrowArray *array,
                               int64_t skip, int64_t rows, tac_arrow_values *out)
{
    const char *fault = check_array(array, skip + rows, buffers_of(type));

    if (fault != NULL) return fault;
    *out = (tac_arrow_values){.type = type,
                              .buffer = (const void *const *)array->buffers,
                              .buffers = array->n_buffers,
                              .offset = array->offset,
                              .length = array->length};
    if (type->kind == TAC_ARROW_NOTHING) return NULL;
    if (type->kind == TAC_ARROW_TEXT && type->layout != TAC_ARROW_VIEWS &&
        (fault = check_offsets(out, array->offset + skip, rows)) != NULL)
        return fault;
    return take_valid(array, &out->valid);
}

const char *tac_arrow_cells_of(const tac_arrow_type *type, const struct ArrowArray *chunk,
                               const struct ArrowArray *array, tac_arrow_cells *out)
{
    const char *fault = NULL;

    *out = (tac_arrow_cells){.row_offset = chunk->offset};
    /* the chunk's own offset counts for its columns too */
    const int64_t skip = chunk->offset, rows = chunk->length;
    if ((fault = take_valid(chunk, &out->row_valid)) != NULL) return fault;
    if (!type->dictionary) return take_values(type, array, skip, rows, &out->value);
    if ((fault = check_array(array, skip + rows, 2)) != NULL) return fault;
    if ((fault = take_valid(array, &out->index_valid)) != NULL) return fault;
    out->index = array->length > 0 ? array->buffers[1] : "";
    out->index_offset = array->offset;
    const struct ArrowArray *listed = array->dictionary;
    return take_values(type, listed, 0, listed == NULL ? 0 : listed->length, &out->value);
}

int64_t tac_arrow_at(const tac_arrow_cells *cells, int64_t row)
{
    const tac_arrow_values *v = &cells->value;
    int64_t at = row + cells->row_offset;

    if (cells->row_valid != NULL && !tac_bit(cells->row_valid, at)) return -1;
    if (v->type->kind == TAC_ARROW_NOTHING) return -1;
    if (cells->index != NULL) {
        at += cells->index_offset;
        if (cells->index_valid != NULL && !tac_bit(cells->index_valid, at)) return -1;
        at = whole_at(cells->index, v->type->index, at);
        if (at < 0 || at >= v->length) return -1;
    }
    at += v->offset;
    return v->valid == NULL || tac_bit(v->valid, at) ? at : -1;
}

/* ---- numbers ---- */

/* (-1)^sign 2^(e - 15) (1 + m / 1024), without the 1 where e = 0. */
static double half_at(const void *values, int64_t at)
{
    uint16_t bits;

    memcpy(&bits, (const char *)values + 2 * at, sizeof bits);
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    if (exponent == 31) return NAN;
    const double size =
        exponent == 0 ? ldexp(mantissa, -24) : ldexp(1024 + mantissa, exponent - 25);
    return bits >> 15 ? -size : size;
}

/* All digits of a decimal, its point in their midst; returns how many bytes. */
static size_t decimal_text(const tac_arrow_values *v, int64_t at, char room[TAC_ARROW_ROOM])
{
    const int32_t bytes = v->type->bytes, scale = v->type->scale;
    const char *from = (const char *)v->buffer[1] + at * bytes;
    char digit[40];
    int digits = 0;
    char *to = room;
    tac_u128 size;

    if (bytes == 16) {
        memcpy(&size, from, sizeof size);
    } else {
        const int64_t narrow = whole_at(v->buffer[1], bytes == 8 ? TACIT_I64 : TACIT_I32, at);
        size = (tac_u128)(tac_i128)narrow;
    }
    if (size >> 127 != 0) {
        *to++ = '-';
        size = -size;
    }
    do {
        digit[digits++] = (char)('0' + (int)(size % 10));
        size /= 10;
    } while (size > 0);
    for (int zeros = scale - digits; zeros >= 0; zeros--) {
        *to++ = '0';
        if (zeros == scale - digits) *to++ = '.';
    }
    while (digits > 0) {
        *to++ = digit[--digits];
        if (digits == scale && digits > 0) *to++ = '.';
    }
    for (int zeros = scale; zeros < 0; zeros++) *to++ = '0';
    return (size_t)(to - room);
}

double tac_arrow_number(const tac_arrow_values *v, int64_t at)
{
    char room[TAC_ARROW_ROOM];
    double value = NAN;

    switch (v->type->kind) {
    case TAC_ARROW_BOOLEAN: return tac_bit(v->buffer[1], at) ? 1 : 0;
    case TAC_ARROW_HALF: return half_at(v->buffer[1], at);
    case TAC_ARROW_DECIMAL:
        memset(room + decimal_text(v, at, room), 0, TAC_PAD);
        tac_scan_decimal(room, &value);
        return value;
    case TAC_ARROW_NUMBER: {
        const size_t size = tac_type_size(v->type->number);
        tac_array_convert(v->type->number, (const char *)v->buffer[1] + (size_t)at * size, size, 1,
                          &value, 1);
        return value;
    }
    default: return NAN;
    }
}

double tac_arrow_day(const tac_arrow_values *v, int64_t at)
{
    const int64_t moment = whole_at(v->buffer[1], v->type->number, at), unit = v->type->per_day;
    const int64_t day = moment / unit - (moment % unit < 0); /* rounded down */

    return day < FIRST_DAY || day > LAST_DAY ? (double)NAN : (double)day;
}

/* ---- texts ---- */

/* 16 bytes each: the length, then the text itself or where it lies. The last buffer has the lengths
   of those before it. */
static bool view_at(const tac_arrow_values *v, int64_t at, const char **text, size_t *length)
{
    const char *view = (const char *)v->buffer[1] + 16 * at;
    int32_t size, buffer, from;
    int64_t room;

    memcpy(&size, view, sizeof size);
    if (size < 0) return false;
    *length = (size_t)size;
    *text = view + 4;
    if (size <= 12) return true;
    memcpy(&buffer, view + 8, sizeof buffer);
    memcpy(&from, view + 12, sizeof from);
    const char *const sizes = v->buffer[v->buffers - 1];
    if (buffer < 0 || buffer >= v->buffers - 3 || from < 0 || sizes == NULL ||
        v->buffer[2 + buffer] == NULL)
        return false;
    memcpy(&room, sizes + 8 * (size_t)buffer, sizeof room);
    *text = (const char *)v->buffer[2 + buffer] + from;
    return (int64_t)from + size <= room;
}

static void between_offsets(const tac_arrow_values *v, int64_t at, const char **text,
                            size_t *length)
{
    const tacit_type type = v->type->layout == TAC_ARROW_INT32 ? TACIT_I32 : TACIT_I64;
    const int64_t from = whole_at(v->buffer[1], type, at);

    *length = (size_t)(whole_at(v->buffer[1], type, at + 1) - from);
    *text = *length > 0 ? (const char *)v->buffer[2] + from : "";
}

bool tac_arrow_text(const tac_arrow_values *v, int64_t at, char room[TAC_ARROW_ROOM],
                    const char **text, size_t *length)
{
    int written = 0;

    *text = room;
    *length = 0;
    switch (v->type->kind) {
    case TAC_ARROW_TEXT:
        if (v->type->layout == TAC_ARROW_VIEWS) return view_at(v, at, text, length);
        between_offsets(v, at, text, length);
        return true;
    case TAC_ARROW_DECIMAL: *length = decimal_text(v, at, room); return true;
    case TAC_ARROW_BOOLEAN:
        *text = tac_bit(v->buffer[1], at) ? "true" : "false";
        *length = strlen(*text);
        return true;
    case TAC_ARROW_NUMBER:
        if (v->type->number == TACIT_F64 || v->type->number == TACIT_F32) {
            const double value = tac_arrow_number(v, at);
            if (!isnan(value))
                written = snprintf(room, TAC_ARROW_ROOM, "%.17g", value == 0 ? 0 : value);
        } else if (v->type->number == TACIT_U64) {
            written = snprintf(room, TAC_ARROW_ROOM, "%" PRIu64,
                               (uint64_t)whole_at(v->buffer[1], TACIT_U64, at));
        } else {
            written = snprintf(room, TAC_ARROW_ROOM, "%" PRId64,
                               whole_at(v->buffer[1], v->type->number, at));
        }
        *length = (size_t)written;
        return true;
    default: return true;
    }
}
