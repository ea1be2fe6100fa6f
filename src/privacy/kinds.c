/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of kinds.def as a table, and the check that all kinds share: the first step of every
   query. */
#include "privacy/kinds.h"

#define WORDS_MOST ((size_t)1 << 40)

const tac_kind_line tac_kind_lines[TAC_KINDS] = {
#define KIND(name, printed, class, price, combination, width, rows, check, bound, evaluate, draw,  \
             page)                                                                                 \
    [TAC_KIND_##name] = {printed,                                                                  \
                         TAC_CLASS_##class,                                                        \
                         TAC_PRICE_##price,                                                        \
                         TAC_COMBINE_##combination,                                                \
                         TAC_WORDS_##width,                                                        \
                         TAC_TAKES_##rows,                                                         \
                         check,                                                                    \
                         bound,                                                                    \
                         evaluate,                                                                 \
                         draw,                                                                     \
                         page},
#include "privacy/kinds.def"
#undef KIND
};

const char *tac_kind_name(tac_kind kind)
{
    return tac_kind_lines[kind].printed;
}

tac_class tac_kind_class(tac_kind kind)
{
    return tac_kind_lines[kind].class;
}

tac_price tac_kind_price(tac_kind kind)
{
    return tac_kind_lines[kind].price;
}

size_t tac_kind_numbers(tac_kind kind, size_t words)
{
    return words / tac_kind_lines[kind].width;
}

tacit_status tac_no_sense(tacit_ctx *ctx, const char *what)
{
    return tac_fail(ctx, TACIT_E_INTERNAL, "%s was asked for in a way that makes no sense", what);
}

/* *words = count each, refused above 2^40: so every later product of sizes fits 64 bits. */
tacit_status tac_words_fit(tacit_ctx *ctx, int32_t count, size_t each, size_t *words)
{
    if (each > WORDS_MOST / (size_t)count)
        return tac_fail(ctx, TACIT_E_MEMORY,
                        "a query has more answers than memory can hold; ask with fewer columns or "
                        "fewer centers");
    *words = (size_t)count * each;
    return TACIT_OK;
}

/* What all kinds have in common first, then the kind's own check. Public numbers alone: it is
   asked where there are no rows too (query_bytes.c). */
tacit_status tac_query_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    *words = 0;
    if ((unsigned)q->kind >= TAC_KINDS || q->batch < -1 || q->dims[TAC_ROWS] < 0 ||
        q->dims[TAC_PROJECTED] < 0)
        return tac_no_sense(ctx, "a query");
    const tac_kind_line *kind = &tac_kind_lines[q->kind];
    if (kind->rows == TAC_TAKES_COUNTS ? q->rows < 0 || q->columns < 0
                                       : q->batch != -1 || !tac_cells_make_sense(q))
        return tac_no_sense(ctx, "a partition, a view or a batch");
    const tacit_status status = kind->check(ctx, q, words);
    *words *= kind->width;
    return status;
}
