/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a triplet: places and counts, the common case, plain digits, first. */
#ifndef TAC_TRIPLETS_CELLS_H
#define TAC_TRIPLETS_CELLS_H

#include "data/readers/reader_internal.h"

#include <math.h>

typedef struct tac_cell_text {
    char *text;
    size_t length;
} tac_cell_text;

/* Spaces around do not count. */
static inline void tac_trim(tac_cell_text *c)
{
    while (c->length > 0 && (c->text[0] == ' ' || c->text[0] == '\t')) c->text++, c->length--;
    while (c->length > 0 && (c->text[c->length - 1] == ' ' || c->text[c->length - 1] == '\t'))
        c->length--;
}

/* Up to 15 digits and nothing else; exact as a double. */
static inline bool tac_read_digits(const tac_cell_text *c, int64_t *out)
{
    int64_t number = 0;

    if (c->length == 0 || c->length > 15) return false;
    for (size_t i = 0; i < c->length; i++) {
        const unsigned digit = (unsigned char)c->text[i] - (unsigned)'0';
        if (digit > 9) return false;
        number = 10 * number + (int64_t)digit;
    }
    *out = number;
    return true;
}

typedef enum tac_index_kind {
    TAC_INDEX_NUMBER,
    TAC_INDEX_BAD,
    TAC_INDEX_MISSING,
    TAC_INDEX_TEXT
} tac_index_kind;

/* A whole number from 0 in any notation (1, 1.0, 1e3); a number that is none; a missing value;
   anything else. */
static inline tac_index_kind tac_read_index(const tac_cell_text *c, int64_t *out)
{
    double x;

    if (tac_read_digits(c, out)) return TAC_INDEX_NUMBER;
    const tac_cell kind = tac_read_cell(c->text, c->length, &x);
    if (kind == TAC_CELL_TEXT) return TAC_INDEX_TEXT;
    if (kind == TAC_CELL_MISSING) return TAC_INDEX_MISSING;
    if (!(x >= 0 && x < 0x1p53 && x == floor(x))) return TAC_INDEX_BAD;
    *out = (int64_t)x;
    return TAC_INDEX_NUMBER;
}

/* As tac_read_cell. */
static inline tac_cell tac_read_value(const tac_cell_text *c, double *out)
{
    int64_t whole;

    if (!tac_read_digits(c, &whole)) return tac_read_cell(c->text, c->length, out);
    *out = (double)whole;
    return TAC_CELL_NUMBER;
}

#endif
