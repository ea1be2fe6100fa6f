/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the reader that knows the families: centres or subspaces, and what stands around them. */
#ifndef TAC_READ_SHAPE_H
#define TAC_READ_SHAPE_H

#include "release/fields.h"
#include "release/model.h"

/* Makes the model with its columns, centres or subspaces, and sizes, once its shape is known to be in the file. Types and lengths;
   tac_model_find_fault checks the numbers afterwards. */
tacit_status tac_read_shape(const tac_section *top, bool subspace, tacit_model **out);

#endif
