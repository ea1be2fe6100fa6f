/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that the caller already has in memory, dense or sparse. They are borrowed: the caller keeps
   them alive and unchanged as long as the reader lives. */
#include "data/readers/array_rows.h"
#include "data/readers/sparse_rows.h"
#include "data/readers/vocabulary.h"

/* Dense rows, one after the other. TACIT_E_ARGUMENT for an unknown type, a negative number of rows,
   or sizes that no memory holds. The values are not looked at before load. */
tacit_status tac_open_memory(tacit_ctx *ctx, const void *values, tacit_type type, int64_t rows,
                             int32_t columns, tac_reader **out)
{
    tac_array *array = NULL;
    const size_t size = tac_type_size(type);
    int64_t count, bytes;

    *out = NULL;
    /* No rows are fine: how many there are is private, and a plan needs none. */
    if ((values == NULL && rows != 0) || size == 0 || type > TACIT_U64 || rows < 0 || columns < 1 ||
        columns > TAC_MOST_COLUMNS)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "rows in memory need values, a known type, no negative number and 1 to %d "
                        "columns",
                        TAC_MOST_COLUMNS);
    /* 8 bytes each, so that the same rows as doubles can be counted too */
    if (__builtin_mul_overflow(rows, (int64_t)columns, &count) ||
        __builtin_mul_overflow(count, INT64_C(8), &bytes))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "rows times columns is larger than any memory; check both");
    const tacit_status status =
        tac_array_new(ctx, "", NULL, values == NULL ? "" : values, type, rows, columns, &array);
    if (status == TACIT_OK) *out = &array->base;
    return status;
}

/* Sparse rows in CSR form: start has rows + 1 offsets. The arrays are checked by load, which is
   when the rows may be read. */
tacit_status tac_open_csr(tacit_ctx *ctx, const int64_t *start, const int32_t *column,
                          const double *value, int64_t rows, int32_t columns, tac_reader **out)
{
    tacit_status status = TACIT_OK;
    tac_sparse *sparse = NULL;

    *out = NULL;
    if (start == NULL || rows < 0 || columns < 1 || columns > TAC_MOST_COLUMNS)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "sparse rows need starts, no negative number of rows and 1 to %d columns",
                        TAC_MOST_COLUMNS);
    TAC_TRY(tac_new(ctx, 1, sizeof *sparse, &sparse));
    sparse->input.fd = -1;
    sparse->input.name = tac_strdup(ctx, "the rows in memory");
    if (sparse->input.name == NULL) TAC_TRY(TACIT_E_MEMORY);
    TAC_TRY(tac_schema_named(ctx, NULL, columns, TAC_FROM_ONE, NULL, &sparse->base.schema));
    sparse->length = rows;
    sparse->start = start;
    sparse->column = column;
    sparse->value = value;
    sparse->base.schema.stated = columns;
    tac_sparse_serve(sparse, "", tac_sparse_load_borrowed, tac_sparse_close);
    sparse->base.format = TAC_FORMAT_MEMORY;
    *out = &sparse->base;
    sparse = NULL;
done:
    tac_sparse_close((tac_reader *)sparse);
    return status;
}
