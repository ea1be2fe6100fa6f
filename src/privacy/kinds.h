/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that a line of kinds.def names, and the lines as a table. */
#ifndef TAC_KINDS_H
#define TAC_KINDS_H

#include "privacy/door_internal.h"

typedef enum tac_takes { TAC_TAKES_DENSE, TAC_TAKES_SPARSE, TAC_TAKES_COUNTS } tac_takes;

/* The steps of a query, by kind. check and bound see public numbers alone; evaluate sees the
   rows of one shard and no key; draw sees exact words and the key. */
typedef tacit_status tac_check_fn(tacit_ctx *ctx, const tac_query *q, size_t *words);
typedef tacit_status tac_bound_fn(const tac_door *door, const tac_query *q, tac_bound *out);
typedef tacit_status tac_evaluate_fn(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                     const tac_shard *shard, tac_words *out);
/* exact: the words of all shards; nothing for WHOLE. answer: bound->shown zeroed words, two more
   for GIBBS. */
typedef tacit_status tac_draw_fn(tac_door *door, const tac_query *q, const tac_bound *bound,
                                 const tac_receipt *receipt, const tac_words *exact,
                                 uint64_t *answer);

/* A line of kinds.def; its comment explains every column. */
typedef struct tac_kind_line {
    const char *printed;
    tac_class class;
    tac_price price;
    tac_combination combination;
    tac_width width;
    tac_takes rows;
    tac_check_fn *check;
    tac_bound_fn *bound;
    tac_evaluate_fn *evaluate;
    tac_draw_fn *draw;
    const char *page;
} tac_kind_line;
extern const tac_kind_line tac_kind_lines[TAC_KINDS];

tac_check_fn tac_bingham_check, tac_centers_check, tac_codes_check, tac_count_check,
    tac_cubes_check, tac_distances_check, tac_fourth_check, tac_gibbs_check, tac_histogram_check,
    tac_labels_check, tac_local_check, tac_moments_check, tac_parts_check, tac_projections_check,
    tac_row_check, tac_slices_check, tac_subspaces_check, tac_sums_check, tac_swap_check,
    tac_table_check;
tac_bound_fn tac_bingham_bound, tac_centers_bound, tac_codes_bound, tac_count_bound,
    tac_cubes_bound, tac_fourth_bound, tac_gibbs_bound, tac_histogram_bound, tac_labels_bound,
    tac_local_bound, tac_moments_bound, tac_parts_bound, tac_row_bound, tac_subspaces_bound,
    tac_sums_bound, tac_table_bound;
tac_evaluate_fn tac_centers_evaluate, tac_codes_evaluate, tac_count_evaluate, tac_cubes_evaluate,
    tac_distances_evaluate, tac_fourth_evaluate, tac_histogram_evaluate, tac_labels_evaluate,
    tac_local_evaluate, tac_moments_evaluate, tac_plain_moments, tac_projections_evaluate,
    tac_slices_evaluate, tac_subspaces_evaluate, tac_sums_evaluate, tac_swap_evaluate,
    tac_table_evaluate;
tac_draw_fn tac_bingham_draw, tac_cubes_draw, tac_gibbs_run, tac_labels_draw, tac_parts_draw,
    tac_row_draw;

/* What the checks share. */
/* TACIT_E_INTERNAL: `what` makes no sense */
tacit_status tac_no_sense(tacit_ctx *ctx, const char *what);
/* count >= 1; their product */
tacit_status tac_words_fit(tacit_ctx *ctx, int32_t count, size_t each, size_t *words);
/* The centers that rows are taken relative to: the query's own, or those of its cells; NULL:
   neither. */
const int16_t *tac_local_centers(const tac_query *q);
/* A cube as four words, lists of them in the order of (parent, child). */
#define TAC_CUBE_WORDS 4
void tac_cube_write(const tac_cube *cube, uint64_t *word);
tac_cube tac_cube_read(const uint64_t *word);
int tac_by_place(const void *a, const void *b); /* that order */
tacit_status tac_cubes_merge(tacit_ctx *ctx, tac_words *sum, const tac_words *part);
/* A query about so many cubes is evaluated in parts, each about as many active cubes as have
   2^TAC_CUBES_LISTED children: so many; 0: in one, since they have no more, or one alone has.
   Public. */
int32_t tac_cubes_part(const tac_query *q);
static inline int32_t tac_dims_of(const tac_query *q)
{
    return q->dims[q->values];
}
/* Entries i <= j of a symmetric matrix. */
static inline size_t tac_triangle(int32_t dims)
{
    return (size_t)dims * ((size_t)dims + 1) / 2;
}

#endif
