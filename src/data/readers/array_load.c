/* SPDX-License-Identifier: Apache-2.0 */
/* The load step of the dense-array reader (NPY files, rows in memory): check the length, code
   labels, refuse missing values where the selection says so. No value is kept;
   array_rows.c reads the rows again, block by block. */
#include "data/readers/array_rows.h"
#include "data/readers/vocabulary.h"

#include <math.h>
#include <string.h>

/* Codes of one column: equal values get equal codes, in order of appearance. Integers are coded by
   their bytes. shared: codes of several files, which have one type; NULL: none. Takes 8 bytes a
   row, and a buffer of TAC_SCRATCH bytes or one row. *out is the caller's to free. */
static tacit_status code_column(tacit_ctx *ctx, const tac_array *a, int32_t column,
                                tac_codes *shared, int64_t **out)
{
    tacit_status status = TACIT_OK;
    const size_t size = tac_type_size(a->type), columns = (size_t)a->base.schema.columns;
    const size_t wide = a->by_column ? 1 : columns; /* elements fetched per row */
    const size_t most = wide * size > TAC_SCRATCH ? 1 : TAC_SCRATCH / (wide * size);
    const bool is_float = a->type == TACIT_F64 || a->type == TACIT_F32;
    const char *bytes;
    tac_codes own = {0}, *const codes = shared != NULL ? shared : &own;
    int64_t *code = NULL;
    char *room = NULL;

    TAC_TRY(tac_new(ctx, (size_t)a->length, sizeof *code, &code));
    TAC_TRY(tac_new(ctx, most * wide, size, &room));
    for (int64_t first = 0; first < a->length; first += (int64_t)most) {
        const int64_t rows = a->length - first < (int64_t)most ? a->length - first : (int64_t)most;
        const int64_t element =
            a->by_column ? column * a->length + first : first * (int64_t)columns;
        TAC_TRY(tac_check_cancel(ctx));
        TAC_TRY(tac_input_failed(ctx, &a->input,
                                 tac_array_fetch(a, element, (size_t)rows * wide, room, &bytes)));
        for (int64_t i = 0; i < rows; i++) {
            const char *p = bytes + ((size_t)i * wide + (a->by_column ? 0 : (size_t)column)) * size;
            if (is_float) {
                double value;
                tac_array_convert(a->type, p, 0, 1, &value, 1);
                TAC_TRY(tac_code_of_double(ctx, codes, value, &code[first + i]));
            } else {
                TAC_TRY(tac_code_of(ctx, codes, p, size, &code[first + i]));
            }
        }
    }
    *out = code;
    code = NULL;
done:
    tac_codes_clear(&own);
    tac_free(code);
    tac_free(room);
    return status;
}

/* A file must hold the array that its header promised, and nothing else. A file that was cut off
   would otherwise fail in the middle of a run. */
static tacit_status check_length(tacit_ctx *ctx, const tac_array *a)
{
    /* npy.c has checked that the product fits */
    const int64_t bytes = a->length * a->base.schema.columns * (int64_t)tac_type_size(a->type);
    const int64_t rest =
        (a->input.regular ? a->input.size : (int64_t)a->input.held_size) - a->offset;

    if (rest == bytes) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: the file is %s than its header says; write it again",
                    a->input.name, rest < bytes ? "shorter" : "longer");
}

/* load() of the reader: the contract stands in reader.h. Integers cannot be missing, so they are
   looked through only where counts are wanted, or where one may be none of the categories. */
static tacit_status array_load(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    tac_array *a = (tac_array *)self;
    int32_t *feature = NULL;
    bool in_order = selection->dims == self->schema.columns;

    TAC_TRY(tac_selection_map(ctx, self, selection, &feature));
    TAC_TRY(tac_cell_rules_make(ctx, self, selection, &a->rule));
    a->dims = selection->dims;
    if (a->memory == NULL) TAC_TRY(check_length(ctx, a));
    for (int32_t j = 0; j < a->dims; j++) in_order = in_order && selection->column[j] == j;
    if (!in_order) {
        TAC_TRY(tac_new(ctx, (size_t)a->dims, sizeof *a->column, &a->column));
        if (a->dims > 0) memcpy(a->column, selection->column, (size_t)a->dims * sizeof *a->column);
    }
    if (selection->label >= 0)
        TAC_TRY(code_column(ctx, a, selection->label, selection->label_codes, &a->label));
    a->unit = selection->unit;
    a->person_key = selection->person_key;
    if (a->unit >= 0) self->read_units = tac_array_read_units;
    const bool is_float = a->type == TACIT_F64 || a->type == TACIT_F32;
    self->rows = a->length;
    if (a->dims > 0 && (selection->counts || (selection->missing == TACIT_MISSING_REJECT_FILE &&
                                              (is_float || a->rule != NULL))))
        TAC_TRY(tac_check_values(ctx, self, &a->input, selection));
    self->label = a->label;
done:
    tac_free(feature);
    return status;
}

/* close() of the reader. Takes NULL and half-built arrays: a failed tac_array_new comes here. */
static void array_close(tac_reader *self)
{
    tac_array *a = (tac_array *)self;

    if (a == NULL) return;
    tac_input_close(&a->input);
    tac_schema_clear(&self->schema);
    tac_cell_rules_free(a->rule, a->dims);
    tac_free(a->column);
    tac_free(a->label);
    tac_free(a);
}

tacit_status tac_array_new(tacit_ctx *ctx, const char *path, tac_input *input, const void *memory,
                           tacit_type type, int64_t length, int64_t columns, tac_array **out)
{
    const tac_input closed = TAC_INPUT_CLOSED;
    tacit_status status = TACIT_OK;
    tac_array *a = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *a, &a));
    a->base = (tac_reader){.path = path,
                           .load = array_load,
                           .read = tac_array_read,
                           .close = array_close,
                           .format = input != NULL ? TACIT_FORMAT_NPY : TAC_FORMAT_MEMORY};
    a->input = closed;
    a->memory = memory;
    a->type = type;
    a->length = length;
    TAC_TRY(tac_schema_named(ctx, NULL, columns, TAC_FROM_ONE, NULL, &a->base.schema));
    a->base.schema.stated = (int32_t)columns;
    /* From here on the array owns the input. The caller's handle is closed. */
    if (input != NULL) {
        a->input = *input;
        *input = closed;
    } else {
        a->input.name = tac_strdup(ctx, "the rows in memory");
        if (a->input.name == NULL) status = TACIT_E_MEMORY;
    }
    if (status != TACIT_OK) goto done;
    *out = a;
    a = NULL;
done:
    if (input != NULL) tac_input_close(input);
    array_close((tac_reader *)a);
    return status;
}
