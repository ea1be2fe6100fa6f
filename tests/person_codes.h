/* SPDX-License-Identifier: Apache-2.0 */
/* Persons as small numbers, for tests: 0, 1, ... in order of appearance, -1 for nobody. */
#ifndef TESTS_PERSON_CODES_H
#define TESTS_PERSON_CODES_H

#include "data/readers/reader.h"
#include "tap.h"

#include <stdlib.h>

__attribute__((unused)) static tac_person numbered_person(int64_t number)
{
    return (tac_person){7, (uint64_t)number};
}

/* code: room for rows of them. */
__attribute__((unused)) static void code_persons(const tac_person *person, int64_t rows,
                                                 int64_t *code)
{
    size_t slots = 16;
    int64_t *slot, count = 0; /* 1 + a row of the person */

    while (slots < 2 * (size_t)rows) slots *= 2;
    slot = calloc(slots, sizeof *slot);
    MUST(slot != NULL);
    for (int64_t i = 0; i < rows; i++) {
        size_t at = (size_t)person[i].low & (slots - 1);
        while (slot[at] != 0 && tac_person_compare(person[slot[at] - 1], person[i]) != 0)
            at = (at + 1) & (slots - 1);
        const bool new = slot[at] == 0;
        if (new) slot[at] = i + 1;
        code[i] = tac_is_nobody(person[i]) ? -1 : new ? count++ : code[slot[at] - 1];
    }
    free(slot);
}

/* Of all rows of a loaded reader, read in blocks of 7, for free(); NULL: it has no unit column. */
__attribute__((unused)) static int64_t *reader_persons(const tac_reader *r)
{
    if (r->read_units == NULL) return NULL;
    tac_person *person = calloc((size_t)r->rows + 1, sizeof *person);
    int64_t *code = calloc((size_t)r->rows + 1, sizeof *code);

    MUST(person != NULL && code != NULL);
    for (int64_t i = 0; i < r->rows; i += 7)
        MUST(r->read_units(r, i, r->rows - i < 7 ? r->rows - i : 7, person + i) == TACIT_OK);
    code_persons(person, r->rows, code);
    free(person);
    return code;
}

#endif
