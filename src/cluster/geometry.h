/* SPDX-License-Identifier: Apache-2.0 */
/* What was declared and how distances were measured, for the release of any family. */
#ifndef TAC_GEOMETRY_H
#define TAC_GEOMETRY_H

#include "data/lattice/frame.h"
#include "release/model.h"

/* Fills an empty geometry. domain: of the coordinates, a run's or as declared. */
tacit_status tac_write_geometry(tacit_ctx *ctx, const tacit_data *data, const tac_domain *domain,
                                tacit_scale scale, tac_geometry *geometry);
tacit_status tac_write_columns(tacit_ctx *ctx, const tacit_data *data, tacit_model *model);
/* The way back: the frame that a model was made in, from its geometry. zero: placed so that 0 stays
   0. *unit: lattice units of a length of 1 in the clustered geometry. */
tacit_status tac_frame_of_model(tacit_ctx *ctx, const tacit_model *model, bool zero, tac_frame *out,
                                double *unit);
/* *to becomes a copy of count numbers; stays NULL if there are none to copy. */
tacit_status tac_copy_numbers(tacit_ctx *ctx, const double *from, size_t count, double **to);

#endif
