/* SPDX-License-Identifier: Apache-2.0 */
/* A lasso with a short list of vectors: min |x - sum c_i v_i|^2 / 2 + bound |c|_1. The list grows
   by vectors that join it, and shrinks to those whose c is not 0. No privacy, no I/O. */
#ifndef TAC_SHORT_LASSO_H
#define TAC_SHORT_LASSO_H

#include "core/core.h"

/* Vectors are rows of a matrix, v_i = rows + row[i] d. */
typedef struct tac_short_list {
    int32_t count;
    int32_t *row;  /* of tac_lasso.most */
    double *value; /* c */
} tac_short_list;

/* What all lists share, one at a time. */
typedef struct tac_lasso {
    int32_t d, most; /* most: vectors that a list holds */
    double bound;
    double *vector;         /* most x d */
    double *gram, *lower;   /* most x most: <v_i, v_j>; scratch */
    double *along;          /* most: <v_i, x> */
    double *sign, *to;      /* most */
    int32_t *inside, count; /* most */
} tac_lasso;

/* Room for d + join + 1 vectors: a solution has d at most but for dependent ones. */
tacit_status tac_lasso_new(tacit_ctx *ctx, int32_t d, int32_t join, tac_lasso *out);
void tac_lasso_clear(tac_lasso *lasso);
/* c solves the lasso for x on the list, from the c that is; vectors with c = 0 leave it. */
void tac_lasso_solve(tac_lasso *lasso, const double *rows, const double *x, tac_short_list *list);
/* rest = x - sum c_i v_i. */
void tac_lasso_rest(const double *rows, int32_t d, const double *x, const tac_short_list *list,
                    double *rest);

#endif
