/* SPDX-License-Identifier: Apache-2.0 */
/* k subspaces from one symmetric fourth-moment tensor, without labels. Post-processing: no privacy,
   no I/O. Rows spread evenly (or like a bell) over a subspace have the fourth moments w Sym(S (x)
   S) with S of rank q, so a mixture has sum_l Sym(S_l (x) S_l). Fitted: S_l = F_l F_l^T + c_l^2 I,
   F_l p x q; the second part is noise alike in all directions. */
#ifndef TAC_FOURTH_FIT_H
#define TAC_FOURTH_FIT_H

#include "core/core.h"

typedef struct tac_fourth_fit {
    int32_t p, k, q; /* 1 <= q <= p */
    /* affine subspaces: which coordinate is constant, from 1; the last of q vectors is then a
       point, and the others are 0 there; 0: none */
    int32_t constant;
    /* standard deviation of a tensor's coordinate in any direction; 0: none, and no ridge */
    double noise;
    int32_t restarts; /* random starts; 0: 20 */
    int32_t patience; /* stop when the best value was reached so often; 0: 6 */
    bool coarse;      /* the best is not polished */
    uint64_t seed;
} tac_fourth_fit;

/* tensor: the p (p + 1) (p + 2) (p + 3) / 24 entries i <= j <= k <= l, in that order. bases: k x q
   x p, q orthonormal vectors of each subspace, by falling strength. *value: |tensor - fit|^2 -
   |tensor|^2 (with the ridge), lower is better. The same bits for the same seed. */
tacit_status tac_solve_fourth(tacit_ctx *ctx, const double *tensor, const tac_fourth_fit *opts,
                              double *bases, double *value);

/* The best fit and others that are nearly as good (within a fiftieth of its value) yet
   different: at most `most`, the best first. Of two near subspaces noise may make one strong and
   one weak; so the last is a fit that prefers equal strengths, if that is another one. bases:
   most x k x q x p, values: most. The caller may let the rows choose among them, privately. */
tacit_status tac_solve_fourth_several(tacit_ctx *ctx, const double *tensor,
                                      const tac_fourth_fit *opts, int32_t most, double *bases,
                                      double *values, int32_t *count);

/* Has the tensor enough entries for k subspaces of dimension q? They have k (p q - q (q - 1) / 2
   + 1) parameters. */
bool tac_fourth_tells(int32_t p, int32_t k, int32_t q);

/* ---- the objective, for the fit and its tests ---- */

/* x: p x (k q) numbers, row i the i-th coordinates of all columns of F_1, ..., F_k, then c_1 ..
   c_k. */
typedef struct tac_fourth_state {
    int32_t p, k, q, lanes; /* lanes: k rounded up, so that k products run side by side */
    int32_t constant;       /* as above */
    size_t pairs;           /* p (p + 1) / 2 */
    double ridge;           /* times |F_l^T F_l - its mean I|^2: even inside a subspace */
    double even;            /* times (|F_l|^2 - their mean)^2: subspaces of equal strength */
    /* pairs x pairs: the tensor as a form on matrices, off-diagonal coordinates times sqrt 2 */
    double *matrix;
    double *s, *ms;     /* pairs x lanes: S_l, and the form times it */
    double *gram, *mix; /* kq x kq */
    double *small;      /* scratch: 3 q^2 + 4 k + k^2 */
} tac_fourth_state;
tacit_status tac_fourth_open(tacit_ctx *ctx, const double *tensor, double scale,
                             const tac_fourth_fit *opts, tac_fourth_state *out);
void tac_fourth_close(tac_fourth_state *state);
double tac_fourth_objective(void *state, const double *x, double *gradient);

#endif
