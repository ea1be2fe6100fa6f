/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of the Gibbs sampler for subspaces and assignments (Wang, Wang & Singh 2015, Eq. 10-12,
   samplers corrected). Private: it holds the rows. */
#ifndef TAC_GIBBS_H
#define TAC_GIBBS_H

#include "data/lattice/lattice.h"
#include "privacy/draws/bingham.h"

enum { TAC_GIBBS_LANES = 8 }; /* rows that are assigned together */

/* A label that changed, and what it was. */
typedef struct tac_changed {
    int64_t row;
    int32_t from;
} tac_changed;

/* The state of a chain. Everything but the sizes is private; the chain owns its arrays. */
typedef struct tac_chain {
    /* groups of TAC_GIBBS_LANES rows; those beyond the last are 0 and change nothing */
    int64_t rows, groups;
    int32_t dims, wide; /* wide: dims rounded up to whole vectors */
    int32_t k, q, stride;
    /* rows: which row of the lattice each is; they are sorted, so that their order there does not
       show */
    int64_t *from;
    int16_t *sorted; /* rows x stride */
    /* groups x dims x LANES: rows times sqrt(c) / M, coordinate by coordinate */
    double *group;
    /* groups x LANES x wide: rows as integers, so that sums of their products are exact below
       2^53 */
    double *row;
    int32_t *label; /* groups x LANES */
    /* k x dims x wide: sum of x x^T over the rows of a label, its upper triangle */
    double *moment;
    double *basis;        /* k x q x dims */
    double *weight;       /* k x LANES: scratch */
    tac_changed *changed; /* groups x LANES + 1: scratch */
    uint64_t *word;       /* k x dims (dims + 1) / 2: scratch */
    void *scratch;        /* of tac_cell_squares */
    double times;         /* c / M^2 */
    tac_axis axis;
} tac_chain;

/* The density is exp(c sum |U_z^T x|^2), x = rows / M. Labels and bases: the caller starts them,
   then tac_chain_collect. */
tacit_status tac_chain_open(tacit_ctx *ctx, const tac_lattice *rows, double c, int32_t k, int32_t q,
                            tac_chain *out);
void tac_chain_close(tac_chain *chain);
/* Moments of the labels as they are. */
void tac_chain_collect(tac_chain *chain);
/* Draws all labels given the subspaces, then all subspaces given the labels. */
void tac_chain_labels(tac_chain *chain, tac_stream *stream);
/* TACIT_E_CANCELLED is all that can go wrong: a vector is drawn until one is accepted. */
tacit_status tac_chain_bases(const tacit_ctx *ctx, tac_chain *chain, tac_stream *stream);

/* gibbs_labels.c: the loops over rows. */
void tac_gibbs_assign(tac_chain *chain, tac_stream *stream);

#endif
