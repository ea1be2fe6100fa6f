/* SPDX-License-Identifier: Apache-2.0 */
/* Cells to values by the rule of their column: numbers, categories, dates. */
#include "data/readers/cell_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The first refusal of a rule that the reader cannot read; NULL: it can. An array holds numbers;
   absent entries of a sparse row are 0, and no category is. */
static const char *unreadable(const tac_reader *reader, const tac_value_rule *rule)
{
    if (rule->kind == TAC_VALUE_NUMBER) return NULL;
    if (reader->read_sparse != NULL)
        return "is declared as a category or a date, and entries of sparse rows are numbers: an "
               "absent one is 0; declare it as a number, or give the table as CSV";
    if (rule->kind == TAC_VALUE_DATE && !reader->has_names)
        return "is declared as a date, and an array holds numbers; declare it as a number (days, "
               "say), or give the table as CSV";
    return NULL;
}

tacit_status tac_rules_check(tacit_ctx *ctx, const tac_reader *reader,
                             const tac_selection *selection)
{
    for (int32_t j = 0; selection->rule != NULL && j < selection->dims; j++) {
        const char *name = reader->schema.names[selection->column[j]];
        const char *wrong = unreadable(reader, &selection->rule[j]);
        if (wrong == NULL && selection->counts && selection->rule[j].kind != TAC_VALUE_NUMBER)
            wrong = "is declared as a category or a date, and counts are wanted; leave it out: "
                    "list the columns to use";
        if (wrong != NULL)
            return tac_fail(ctx, TACIT_E_ARGUMENT, "%s: " TAC_COLUMN ": %s",
                            *reader->path == '\0' ? "the rows in memory" : reader->path, name,
                            wrong);
    }
    return reader->check == NULL ? TACIT_OK : reader->check(reader, ctx, selection);
}

static int by_value(const void *a, const void *b)
{
    const struct tac_number_word *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Words go by their text; those that are numbers by their number as well. */
static tacit_status add_words(tacit_ctx *ctx, const tac_value_rule *from, const char *column,
                              tac_cell_rule *to)
{
    tacit_status status = TACIT_OK;
    char *padded = NULL;
    int64_t code;
    double value;

    TAC_TRY(tac_new(ctx, (size_t)from->words + 2, sizeof *to->number, &to->number));
    for (int32_t i = 0; i < from->words; i++) {
        const size_t length = strlen(from->word[i]);
        TAC_TRY(tac_code_of(ctx, &to->words, from->word[i], length, &code));
        if (code != i)
            TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                             TAC_COLUMN " declares a category twice; name each once", column));
        TAC_TRY(tac_grow(ctx, &padded, length + TAC_PAD, 1));
        memcpy(padded, from->word[i], length);
        memset(padded + length, 0, TAC_PAD);
        if (tac_scan_decimal(padded, &value) == padded + length && isfinite(value))
            to->number[to->numbers++] = (struct tac_number_word){.value = value, .place = i};
    }
    if (from->boolean)
        for (int32_t i = 0; i < 2; i++)
            to->number[to->numbers++] = (struct tac_number_word){.value = i, .place = i};
    if (to->numbers > 1) qsort(to->number, (size_t)to->numbers, sizeof *to->number, by_value);
    for (int32_t i = 1; i < to->numbers; i++)
        if (to->number[i].value == to->number[i - 1].value)
            TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                             TAC_COLUMN " declares two categories that are the same number; keep "
                                        "one of them",
                             column));
done:
    tac_free(padded);
    return status;
}

tacit_status tac_cell_rules_make(tacit_ctx *ctx, const tac_reader *reader,
                                 const tac_selection *selection, tac_cell_rule **out)
{
    tacit_status status = TACIT_OK;
    tac_cell_rule *rules = NULL;
    bool plain = true;

    *out = NULL;
    for (int32_t j = 0; selection->rule != NULL && j < selection->dims; j++)
        plain = plain && selection->rule[j].kind == TAC_VALUE_NUMBER;
    if (plain) return TACIT_OK;
    TAC_TRY(tac_new(ctx, (size_t)selection->dims, sizeof *rules, &rules));
    for (int32_t j = 0; j < selection->dims; j++) {
        const tac_value_rule *from = &selection->rule[j];
        rules[j].kind = from->kind;
        rules[j].boolean = from->kind == TAC_VALUE_CATEGORY && from->boolean;
        if (from->kind == TAC_VALUE_CATEGORY)
            TAC_TRY(add_words(ctx, from, reader->schema.names[selection->column[j]], &rules[j]));
    }
    *out = rules;
    rules = NULL;
done:
    tac_cell_rules_free(rules, selection->dims);
    return status;
}

void tac_cell_rules_free(tac_cell_rule *rules, int32_t count)
{
    for (int32_t j = 0; rules != NULL && j < count; j++) {
        tac_codes_clear(&rules[j].words);
        tac_free(rules[j].number);
    }
    tac_free(rules);
}

/* NaN equals nothing, wherever it ends. */
double tac_category_of_number(const tac_cell_rule *rule, double value)
{
    int32_t low = 0, high = rule->numbers;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (rule->number[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rule->numbers && rule->number[low].value == value ? rule->number[low].place
                                                                   : (double)NAN;
}

/* What programs write for false and true; 0 and 1 are numbers. */
static double boolean_of(const char *text, size_t length)
{
    static const char *const words[2][5] = {{"false", "f", "no", "n", "off"},
                                            {"true", "t", "yes", "y", "on"}};

    for (int place = 0; place < 2; place++)
        for (int i = 0; i < 5; i++)
            if (strlen(words[place][i]) == length &&
                strncasecmp(words[place][i], text, length) == 0)
                return place;
    return NAN;
}

double tac_category_of_text(const tac_cell_rule *rule, const tac_dialect *dialect, const char *text,
                            size_t length)
{
    double value;
    const int64_t place = tac_code_find(&rule->words, text, length);

    if (place >= 0) return (double)place;
    if (rule->boolean && !isnan(value = boolean_of(text, length))) return value;
    if (rule->numbers == 0 || tac_read_number(dialect, text, length, &value) != TAC_CELL_NUMBER)
        return NAN;
    return tac_category_of_number(rule, value);
}

tac_cell tac_read_by_rule(const tac_cell_rule *rule, const tac_dialect *dialect, const char *text,
                          size_t length, bool quoted, double *out)
{
    if (rule == NULL || rule->kind == TAC_VALUE_NUMBER)
        return tac_read_number(dialect, text, length, out);
    if (!quoted || rule->kind == TAC_VALUE_DATE) tac_trim_blanks(&text, &length);
    if (rule->kind == TAC_VALUE_DATE) {
        if (tac_parse_date(text, length, out)) return TAC_CELL_NUMBER;
        *out = NAN;
        return tac_is_missing_word(text, length) ? TAC_CELL_MISSING : TAC_CELL_TEXT;
    }
    /* NA may be a region: a declared word comes before the words for a missing value */
    *out = tac_category_of_text(rule, dialect, text, length);
    return isnan(*out) ? TAC_CELL_MISSING : TAC_CELL_NUMBER;
}
