/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the reader that knows the families: centers or subspaces, and what stands around
   them. */
#ifndef TAC_READ_SHAPE_H
#define TAC_READ_SHAPE_H

#include "release/fields.h"
#include "release/model.h"

/* Makes the model with its columns, centers or subspaces, and sizes, once its shape is known to be
   in the file. Types and lengths; tac_model_find_fault checks the numbers afterwards. */
tacit_status tac_read_shape(const tac_section *top, bool subspace, tacit_model **out);
/* The same for a co-clustering. */
tacit_status tac_read_blocks(const tac_section *top, tacit_model **out);

/* A table of k lines of `wide` numbers: all there, before a byte is allocated for it. each: what an
   entry stands for. */
tacit_status tac_check_table(const tac_section *top, const char *name, int32_t k, int32_t wide,
                             const char *each, const tac_node **out);
typedef tacit_status tac_list_reader(const tac_section *section, const char *name,
                                     const tac_node *list, double *out);
tacit_status tac_read_table(const tac_section *top, const char *name, const tac_node *table,
                            int32_t wide, tac_list_reader *read, double *out);
tacit_status tac_read_columns(const tac_section *top, const tac_node *columns, tacit_model *model);
/* None: an empty list. wrong: what a label must be. */
tacit_status tac_read_labels(const tac_section *top, const char *wrong, tacit_model *model);

/* explain_json.c: what format 6 added of clusters: spread, overall, distinct. */
tacit_status tac_read_explanation(const tac_section *top, tacit_model *model);

#endif
