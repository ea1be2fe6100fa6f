/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of method auto for subspaces, delta > 0. The walk, each step on its own share of the
   budget:

     count      how many rows there are: sets the shares after it
     mean       affine subspaces: where the rows are
     norms      how long the rows are: the lattice is filled with the ball that holds nearly all of
                them
     projection     beyond p columns: the p directions in which the rows are longest
     tensor     the fourth moments of all rows in the projection: it tells all k subspaces at once,
                without labels
     fit        k subspaces whose moments are nearest to the tensor, from many starts (free); if
                several fit nearly as well, the rows choose one
     rounds     each row goes to its subspace, second moments in all columns, every round asked
                twice with half its budget; all rounds are averaged, and what one half tells is
                tried on the other: how far to shrink, in how many directions (free)
     sizes      rows of every subspace

   Everything here works on noisy answers and public numbers. Constants were chosen on synthetic
   subspaces and MNIST with the true cost in view; they are public numbers and enter no privacy
   argument. */
#ifndef TAC_AUTO_SUBSPACE_H
#define TAC_AUTO_SUBSPACE_H

#include "cluster/subspace/auto/noisy_kplane.h"

/* Shares of the whole budget that do not depend on anything. */
#define TAC_FOURTH_COUNT 0.01
#define TAC_FOURTH_NORMS 0.01 /* each histogram of lengths */
#define TAC_FOURTH_SIZES 0.01
#define TAC_FOURTH_MEAN 0.02   /* affine subspaces */
#define TAC_FOURTH_CHOICE 0.02 /* among fits that noise leaves nearly alike */

enum {
    TAC_FOURTH_K_MOST = 64,    /* the fit is not made for more subspaces */
    TAC_FOURTH_NORMS_MOST = 3, /* histograms until the lattice fits the rows */
    /* directions in which second moments are kept, unless there are fewer columns or more
       subspaces */
    TAC_FOURTH_REDUCED = 256
};

/* How the budget is spent: from k, q, d, the privacy parameters and a (noisy or guessed) number
   of rows. */
typedef struct tac_fourth_rules {
    double rows; /* at least 1 */
    double one;  /* noise of an entry of the second moments, had they the whole budget */
    /* the one regime number: norm of that noise against a cluster's typical eigenvalue */
    double kappa;
    int32_t p; /* dimensions of the tensor */
    /* shares: the second moments of all rows, 0 without a projection ... */
    double projection;
    double tensor; /* ... and the tensor; the rounds get the rest */
    int32_t rounds;
} tac_fourth_rules;

/* choose: k and q are the most that are thought of. rounds: 0: its own. */
tac_fourth_rules tac_fourth_rules_for(const tac_privacy_params *params, uint64_t budget, int32_t k,
                                      int32_t q, int32_t dims, double rows, bool choose,
                                      int32_t rounds);
/* Does a tensor determine so many subspaces? If not, the walk is that of sulq+. */
bool tac_fourth_suits(int32_t k, int32_t q, int32_t dims);
/* The most k and q that are thought of: as given, or as the options say. */
void tac_fourth_most(const tacit_subspace_opts *opts, int32_t dims, int32_t *k, int32_t *q);

/* What the steps hand on. Lengths are in units of the first lattice's ball. */
typedef struct tac_fourth_walk {
    const tac_subspace_job *job;
    tacit_ctx *ctx;
    tac_door *door;
    int32_t dims;
    uint64_t budget; /* quanta the run began with */
    double rows_noisy;
    tac_fourth_rules rules;
    int32_t k, q; /* as asked for, or the most, then as chosen */
    bool choose;
    bool brief; /* made-up rows: a plan wants no more than the gist, and soon */

    bool affine;    /* the last coordinate is constant, and: */
    double *middle; /* dims - 1: what the rows are seen from */
    double height;  /* of the constant, once `most` and `usual` are known */

    /* lengths: of nearly all rows (fills the rows' lattice), and what the tensor's ball holds */
    double most, usual;
    bool blind;         /* no length could be read */
    bool projected;     /* there are directions: */
    int32_t kept;       /* so many ... */
    double *directions; /* dims x kept, orthonormal columns, longest first */
    double *along;      /* kept: noisy sums of squares along each, rows divided by `most` */

    double *fit; /* k x q x p: the fit, orthonormal, coordinates of the projection */
} tac_fourth_walk;

/* affine_view.c: a view shows P (y - middle, height), its ball the rows up to `radius`; linear: P
   y. basis: dims of the lattice x dims; NULL: none. */
tacit_status tac_fourth_look(tac_fourth_walk *w, tac_view view, double radius, double height,
                             int32_t dims, const double *basis);
/* ... middle: the noisy mean of the rows as they are seen. */
tacit_status tac_fourth_center(tac_fourth_walk *w);
/* ... bases and profile of affine subspaces in coordinates of the first lattice. */
tacit_status tac_fourth_carry_back(const tac_fourth_walk *w, tac_subspace_result *out);
/* row_norms.c: fills most, usual, blind; the rows' lattice shows the ball of radius `most`. */
tacit_status tac_fourth_norms(tac_fourth_walk *w);
/* ... `usual` again for the projection, of which `zoom` fills the lattice. */
tacit_status tac_fourth_projection_norms(tac_fourth_walk *w);
/* subspace_projection.c: directions if there are more than p columns; the projection shows the ball
   of radius `usual`. */
tacit_status tac_fourth_projection(tac_fourth_walk *w);
/* fourth_tensor.c: asks for the tensor, chooses k and q if asked to, fits. */
tacit_status tac_fourth_tensor(tac_fourth_walk *w, tac_subspace_result *out);
/* refine_subspaces.c: the rounds, and the result. */
tacit_status tac_fourth_refine(tac_fourth_walk *w, tac_subspace_result *out);

/* shrink_moments.c: second moments of k cells as two independent halves, and what is made of
   them. */
typedef struct tac_halves {
    tacit_ctx *ctx;
    int32_t k, q, m;    /* m: directions */
    double *half[2];    /* k x m x m: averages over the rounds so far */
    const double *pool; /* m: more of the pooled moments, on the diagonal; NULL: none */
    double pool_weight;
    const double *fit; /* k x q x p: another target, in the first p directions; NULL: none */
    int32_t p;
    bool brief;       /* fewer targets and numbers of directions are tried */
    int32_t constant; /* affine: which direction is the constant coordinate, from 1; 0: none */
    /* k: sum of squares of the other half that a half's subspace holds, both ways, less an even
       spread; without the constant coordinate, which all subspaces hold */
    double *gain;
} tac_halves;
/* bases: k x q x m. */
tacit_status tac_halves_best(const tac_halves *h, double *bases);

#endif
