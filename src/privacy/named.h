/* SPDX-License-Identifier: Apache-2.0 */
/* What named_queries.c and literature/named_literature.c share: building a query, and asking it
   with room for the answer. */
#ifndef TAC_NAMED_H
#define TAC_NAMED_H

#include "privacy/door_internal.h"

/* A query about the cells of a view, or about all rows (NULL); its parameters are for the caller to
   fill in. */
tac_query tac_query_about(const tac_door *door, tac_kind kind, tac_view values,
                          const tac_cells *cells);
/* Asks with room of its own for the answer: the words of tac_query_check, or `draw` words of a draw
   (not looked at before the query is known to make sense). The caller frees *answer. */
tacit_status tac_ask_new(tac_door *door, const char *what, uint64_t quanta, const tac_query *q,
                         size_t draw, uint64_t **answer);

#endif
