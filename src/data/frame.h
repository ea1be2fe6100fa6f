/* SPDX-License-Identifier: Apache-2.0 */
/* A frame: a public map from a raw row to the integer lattice. It may round as it likes: it is a pure function of
   (row, public numbers), and the integer clip after it enforces the norm bound whatever it did. */
#ifndef TAC_FRAME_H
#define TAC_FRAME_H

#include "data/data.h"

/* The radius of the lattice ball: every point X has |X|_2 <= TAC_M, exactly, in integers. */
#define TAC_M 32767

typedef struct tac_frame {
    int32_t dims;
    double *lower, *upper; /* raw values are first moved into [lower, upper]; +-infinity for a ball */
    double *center;        /* then centred: a missing value becomes 0 here */
    double *scale;         /* lattice units per raw unit, > 0, per column */
} tac_frame;

/* The first frame of a data set: the declared domain fills the ball. */
tacit_status tac_frame_from_domain(tacit_ctx *ctx, const tac_domain *domain, int32_t dims, tacit_scale scale,
                                   tac_frame *out);
void tac_frame_clear(tac_frame *frame);

/* point[j] = clip(round((x_j - center_j) * scale_j)), |point|_2 <= TAC_M; NaN -> 0. `padding` zeros follow. */
void tac_frame_apply(const tac_frame *frame, const double *row, int16_t *point, int32_t padding);
/* Lattice (real-valued, e.g. a mean) back to original units, moved into the domain. */
void tac_frame_undo(const tac_frame *frame, const double *lattice, double *row);

/* Integer clip: shrink x so that sum x_j^2 <= TAC_M^2 exactly. No floating point. */
void tac_clip(int16_t *point, int32_t dims);
/* The same for values that do not yet fit 16 bits. */
void tac_clip_wide(const int32_t *wide, int16_t *point, int32_t dims);

#endif
