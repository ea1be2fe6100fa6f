/* SPDX-License-Identifier: Apache-2.0 */
/* Whose rows a dense array holds: the column of ids is read when it is asked for, never kept. */
#include "data/readers/array_rows.h"

#include <string.h>

/* The person of one element. A floating-point number names one only if it is whole and exact
   (tac_names_person); an integer always does. */
static tac_person person_of(const tac_person_key *key, tacit_type type, const char *element)
{
    const size_t size = tac_type_size(type);
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    uint64_t bits = 0;

    if (type == TACIT_F64 || type == TACIT_F32) {
        double value;
        tac_array_convert(type, element, 0, 1, &value, 1);
        return tac_names_person(value, type) ? tac_person_of_signed(key, (int64_t)value)
                                             : (tac_person){0, 0};
    }
    memcpy((char *)&bits + (little ? 0 : sizeof bits - size), element, size); /* its low bytes */
    if (type != TACIT_I8 && type != TACIT_I16 && type != TACIT_I32 && type != TACIT_I64)
        return tac_person_of_number(key, false, bits);
    const int spare = 64 - 8 * (int)size;
    return tac_person_of_signed(key, (int64_t)(bits << spare) >> spare);
}

tacit_status tac_array_read_units(const tac_reader *self, int64_t first, int64_t count,
                                  tac_person *out)
{
    tacit_status status = TACIT_OK;
    const tac_array *a = (const tac_array *)self;
    const size_t size = tac_type_size(a->type), columns = (size_t)self->schema.columns;
    const size_t wide = a->by_column ? 1 : columns; /* elements fetched per row */
    const size_t most = wide * size > TAC_SCRATCH ? 1 : TAC_SCRATCH / (wide * size);
    const char *bytes;
    char *room = NULL;

    if (a->memory == NULL) TAC_TRY(tac_grow(NULL, &room, most * wide, size));
    for (int64_t done = 0; done < count;) {
        const int64_t rows = count - done < (int64_t)most ? count - done : (int64_t)most;
        const int64_t element =
            a->by_column ? a->unit * a->length + first + done : (first + done) * (int64_t)columns;
        TAC_TRY(tac_array_fetch(a, element, (size_t)rows * wide, room, &bytes));
        for (int64_t i = 0; i < rows; i++)
            out[done + i] =
                person_of(&a->person_key, a->type,
                          bytes + ((size_t)i * wide + (a->by_column ? 0 : (size_t)a->unit)) * size);
        done += rows;
    }
done:
    tac_free(room);
    return status;
}
