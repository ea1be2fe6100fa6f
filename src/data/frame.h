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
    bool ball;             /* rows outside the ball are pulled radially onto it; a box moves each value */
    double *lower, *upper; /* box: raw values are first moved into [lower, upper] */
    double *center;        /* then centred: a missing value becomes 0 here */
    double *scale;         /* lattice units per raw unit, > 0, per column */
} tac_frame;

/* The first frame of a data set: the declared domain fills the lattice ball.
   Box, range:  scale_j = M / (h_j sqrt(d)),        h_j half the range of column j
   Box, none:   scale_j = M / sqrt(h_1^2 + ... + h_d^2)
   Ball:        scale_j = M / radius */
tacit_status tac_frame_from_domain(tacit_ctx *ctx, const tac_domain *domain, int32_t dims, tacit_scale scale,
                                   tac_frame *out);
void tac_frame_clear(tac_frame *frame);

/* point_j = round((x_j - center_j) scale_j), clipped so that |point|_2 <= TAC_M; NaN -> 0. */
void tac_frame_apply(const tac_frame *frame, const double *row, int16_t *point);
/* Lattice coordinates (real: a mean, say) without rounding, and back to original units inside the domain.
   to_lattice treats a row as apply does, before rounding. */
void tac_frame_to_lattice(const tac_frame *frame, const double *row, double *lattice);
void tac_frame_from_lattice(const tac_frame *frame, const double *lattice, double *row);
/* Was the row inside the declared domain? For the owner's evaluation only. */
bool tac_frame_inside(const tac_frame *frame, const double *row);

/* Shrink the point so that sum x_j^2 <= TAC_M^2 exactly. Integers only: clip.proof.md. */
void tac_clip(int16_t *point, int32_t dims);

#endif
