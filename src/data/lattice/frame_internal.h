/* SPDX-License-Identifier: Apache-2.0 */
/* What frames do alike to dense and to sparse rows. */
#ifndef TAC_FRAME_INTERNAL_H
#define TAC_FRAME_INTERNAL_H

#include "data/lattice/frame.h"

/* A value beyond this only says "far away in this direction"; its square is still finite. */
#define TAC_FAR 1e150

/* The nearest whole number, ties to even, of a number that fits an int. */
static inline int tac_to_whole(double x)
{
#ifdef __clang__
    return (int)__builtin_rint(x);
#else
    return __builtin_irint(x);
#endif
}

/* One raw value in units of the first lattice. */
static inline double tac_place_value(const tac_frame *f, double x, int32_t j)
{
    const double inside = x < f->lower[j] ? f->lower[j] : x > f->upper[j] ? f->upper[j] : x;
    const double y = (inside - f->center[j]) * f->scale[j];
    return y != y ? 0.0 : y < -TAC_FAR ? -TAC_FAR : y > TAC_FAR ? TAC_FAR : y;
}

/* How far from 0 the columns of a row may be on the first lattice: a constant takes the rest of the
   ball. */
static inline double tac_frame_reach(const tac_frame *f)
{
    return f->constant > 0 ? TAC_M * 0.70710678118654752 : TAC_M;
}

/* M / |z| if that is below 1, else 1. */
double tac_frame_pull(const double *z, int32_t count);
/* point = round(z factor), clipped. */
void tac_frame_to_grid(const double *z, double factor, int32_t count, int16_t *point);
/* basis^T s behind a sketch. */
void tac_frame_turn(const tac_frame *frame, const double *s, double *out);

/* out += b z, b one row of the basis. */
static inline void tac_frame_add_turned(const tac_frame *f, int32_t from, double z, double *out)
{
    const double *b = f->basis + (size_t)from * (size_t)f->dims;
    for (int32_t i = 0; i < f->dims; i++) out[i] += b[i] * z;
}

/* Nothing smaller is a count. */
#define TAC_COUNT_LEAST 0x1p-20

/* Frames of counts. Entries of a row become weighed ones in units of the first lattice, in place
   and in ascending order of their coordinate; returns how many there are. */
int32_t tac_weigh_entries(const tac_weighing *weighing, int32_t *feature, double *value,
                          int32_t count);
/* point = y rounded (with `least`: cut down), clipped. */
void tac_weighed_to_grid(const tac_weighing *weighing, const double *y, int32_t count,
                         int16_t *point);
void tac_frame_apply_counts(const tac_frame *frame, const double *row, double *scratch,
                            int16_t *point);
void tac_frame_counts_to_lattice(const tac_frame *frame, const double *row, double *lattice);
tacit_status tac_weighing_copy(tacit_ctx *ctx, int32_t columns, const tac_weighing *from,
                               tac_weighing **out);
void tac_weighing_free(tac_weighing *weighing);
/* Frames of bins. */
void tac_frame_apply_bins(const tac_frame *frame, const double *row, int16_t *point);

#endif
