/* SPDX-License-Identifier: Apache-2.0 */
/* Public choices of points and directions in a frame's domain: starts, bases and the way back into
   the domain. No method's own. */
#ifndef TAC_SPREAD_CENTERS_H
#define TAC_SPREAD_CENTERS_H

#include "cluster/kmeans/kmeans_run.h"

/* k well-spread points of the frame's domain, drawn in towards its middle; centers has room for (k
   + 1) x dims. */
void tac_spread(const tac_frame *frame, int32_t k, tac_stream *random, double *centers);
/* Move a point into the frame's domain (box or ball), lattice units. */
void tac_into_domain(const tac_frame *frame, double *point);
/* Uniform on [0, 1) and a uniformly random direction of length 1. For public choices, never for
   noise. */
double tac_public_uniform(tac_stream *random);
void tac_public_direction(tac_stream *random, int32_t dims, double *out);
/* columns x p, orthonormal columns: such directions, each made orthogonal to those before it
   (twice, for rounding). room: columns. */
void tac_public_basis(tac_stream *random, int32_t columns, int32_t p, double *room, double *basis);
/* A point uniform in the frame's box or ball. */
void tac_public_point(const tac_frame *frame, tac_stream *random, double *point);

#endif
