/* SPDX-License-Identifier: Apache-2.0 */
/* The value rules of a selection, made ready for many cells. What a cell becomes depends on the
   cell and the rule alone: a row's values do not depend on other rows. */
#ifndef TAC_CELL_RULES_H
#define TAC_CELL_RULES_H

#include "data/readers/reader_internal.h"

typedef struct tac_cell_rule {
    tac_value_kind kind;
    bool boolean;
    tac_codes words; /* of a category; the code of a word is its place */
    int32_t numbers; /* of the words that are numbers, ascending: */
    struct tac_number_word {
        double value;
        int32_t place;
    } * number;
} tac_cell_rule;

/* One for every feature of the selection; *out NULL: all are numbers. Refuses words that are
   the same number. */
tacit_status tac_cell_rules_make(tacit_ctx *ctx, const tac_reader *reader,
                                 const tac_selection *selection, tac_cell_rule **out);
void tac_cell_rules_free(tac_cell_rule *rules, int32_t count);

/* The place of a category, NaN if it is none of the declared: of a number, and of a text whose
   blanks are those of the cell. The text is padded as for tac_scan_decimal. */
double tac_category_of_number(const tac_cell_rule *rule, double value);
double tac_category_of_text(const tac_cell_rule *rule, const tac_dialect *dialect, const char *text,
                            size_t length);
/* A whole cell by its rule, as tac_read_cell; quoted: blanks at its ends belong to a category. */
tac_cell tac_read_by_rule(const tac_cell_rule *rule, const tac_dialect *dialect, const char *text,
                          size_t length, bool quoted, double *out);

#endif
