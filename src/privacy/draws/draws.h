/* SPDX-License-Identifier: Apache-2.0 */
/* Random real numbers from a stream of words, in double precision: for draws of subspaces, never
   for noise on counts and sums, which stays in integers (bingham.proof.md says what double
   precision means for privacy). */
#ifndef TAC_DRAWS_H
#define TAC_DRAWS_H

#include "privacy/noise/random.h"

/* Uniform on the 2^52 middles of equal parts of (0, 1): never 0, never 1. */
double tac_draw_uniform(tac_stream *stream);
/* count standard normals (Box & Muller). */
void tac_draw_normals(tac_stream *stream, size_t count, double *out);
/* Gamma of rate 1, shape > 0 (Marsaglia & Tsang). */
double tac_draw_gamma(tac_stream *stream, double shape);

/* q orthonormal vectors of dims numbers, drawn evenly (Haar), all at right angles to the `given`
   ones that stand before them: basis is (given + q) x dims, the first `given` orthonormal; given +
   q <= dims. */
void tac_draw_frame(tac_stream *stream, int32_t given, int32_t q, int32_t dims, double *basis);
/* Makes vectors given .. given + q - 1 orthonormal, to the earlier ones too; false: they depend on
   each other. */
bool tac_orthonormal(int32_t given, int32_t q, int32_t dims, double *basis);

#endif
