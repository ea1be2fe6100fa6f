/* SPDX-License-Identifier: Apache-2.0 */
/* From a noisy Gram matrix of columns to directions that separate row clusters: eigenvectors,
   turned by varimax. Public numbers only. */
#ifndef TAC_FACTORS_H
#define TAC_FACTORS_H

#include "privacy/door.h"

typedef struct tac_factors {
    int32_t q, k;      /* columns; directions, at most q */
    double *direction; /* k x q: of length 1, or 0 */
    /* k: minus the mean row along the direction; a row belongs where <direction, row> + offset is
       greatest */
    double *offset;
    double *mean; /* q: the mean row, estimated from the first eigenvalue and those like it */
    /* k: of the turned eigenvectors; with directions l_k, gram ~ sum of (length_k l_k) (length_k
       l_k)^T */
    double *length;
    /* k: about which part of the rows each direction stands for; they add up to 1 */
    double *part;
    double *value;   /* k eigenvalues, largest first */
    int32_t vectors; /* eigenvectors kept, at least k */
    double *vector;  /* vectors x q: largest eigenvalue first */
} tac_factors;

/* gram: q x q, filled by tac_gram_read, kept. rows: how many, about; at least 1. k is cut
   to q, and so is the number of eigenvectors. sd: noise of an entry off the diagonal. */
tacit_status tac_factors_find(tacit_ctx *ctx, const double *gram, int32_t q, int32_t k,
                              int32_t vectors, double rows, double sd, tac_factors *out);
void tac_factors_clear(tac_factors *f);

/* The answer of tac_door_moments about one cell of q dims as a full symmetric matrix, rows of
   length 1 at most. */
void tac_gram_read(const tac_i128 *answer, int32_t q, double *gram);

/* Centers and offsets of TAC_ARGMAX cells for directions (k x dims) and offsets (k; NULL: 0), rows
   of length 1: all by one factor, so that the longest direction fills the lattice. Returns the
   factor. */
double tac_argmax_cells(const double *direction, const double *offset, int32_t k, int32_t dims,
                        int16_t *centers, int64_t *offsets);

#endif
