/* SPDX-License-Identifier: Apache-2.0 */
/* Two releases side by side: from released numbers alone. */
#include "handles.h"

#include <math.h>

/* The library's numbers from 0; here from 1, and NA for none. */
static int place(int32_t index)
{
    return index < 0 ? NA_INTEGER : index + 1;
}

static SEXP pairs(const tacit_comparison *c)
{
    int count = tacit_comparison_pair_count(c);
    listing out = listing_new(6);
    SEXP first = put_column(&out, "first", INTSXP, count);
    SEXP second = put_column(&out, "second", INTSXP, count);
    SEXP size = put_column(&out, "first_size", REALSXP, count);
    SEXP other = put_column(&out, "second_size", REALSXP, count);
    SEXP z = put_column(&out, "size_z", REALSXP, count);
    SEXP distance = put_column(&out, "distance", REALSXP, count);
    for (int i = 0; i < count; i++) {
        tacit_pair p = TACIT_PAIR_INIT;
        tacit_status status = tacit_comparison_pair_get(c, i, &p);
        INTEGER(first)[i] = status == TACIT_OK ? place(p.first) : NA_INTEGER;
        INTEGER(second)[i] = status == TACIT_OK ? place(p.second) : NA_INTEGER;
        REAL(size)[i] = known(p.first_size);
        REAL(other)[i] = known(p.second_size);
        REAL(z)[i] = known(p.size_z);
        REAL(distance)[i] = known(p.distance);
    }
    return listing_end(&out);
}

/* column: NA: the size. */
static SEXP changes(const tacit_comparison *c)
{
    int count = tacit_comparison_change_count(c);
    listing out = listing_new(5);
    SEXP pair = put_column(&out, "pair", INTSXP, count);
    SEXP column = put_column(&out, "column", INTSXP, count);
    SEXP before = put_column(&out, "before", REALSXP, count);
    SEXP after = put_column(&out, "after", REALSXP, count);
    SEXP z = put_column(&out, "z", REALSXP, count);
    for (int i = 0; i < count; i++) {
        tacit_change one = TACIT_CHANGE_INIT;
        tacit_status status = tacit_comparison_change_get(c, i, &one);
        INTEGER(pair)[i] = status == TACIT_OK ? place(one.pair) : NA_INTEGER;
        INTEGER(column)[i] = place(one.column);
        REAL(before)[i] = known(one.before);
        REAL(after)[i] = known(one.after);
        REAL(z)[i] = known(one.z);
    }
    return listing_end(&out);
}

SEXP r_model_compare(SEXP ctx_, SEXP first, SEXP second)
{
    tacit_ctx *ctx = handle_get(ctx_, CTX);
    tacit_model *one = handle_get(first, MODEL), *other = handle_get(second, MODEL);
    SEXP handle = PROTECT(handle_new(COMPARISON, ctx_));
    tacit_comparison *comparison = NULL;
    tacit_status status = tacit_model_compare(ctx, one, other, &comparison);
    handle_set(handle, comparison);
    if (status != TACIT_OK) {
        SEXP failed = failure(ctx, status);
        UNPROTECT(1);
        return failed;
    }
    listing out = listing_new(4);
    put(&out, "pairs", pairs(comparison));
    put(&out, "changes", changes(comparison));
    put(&out, "numbers", Rf_ScalarReal((double)tacit_comparison_numbers(comparison)));
    put(&out, "threshold", Rf_ScalarReal(tacit_comparison_threshold(comparison)));
    SEXP list = listing_end(&out);
    UNPROTECT(1);
    return list;
}
